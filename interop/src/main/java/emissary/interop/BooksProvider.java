package emissary.interop;

import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Map;
import com.refinitiv.ema.access.MapEntry;
import com.refinitiv.ema.access.MapEntry.MapAction;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.ema.access.OmmProviderClient;
import com.refinitiv.ema.access.OmmProviderEvent;
import com.refinitiv.ema.access.OmmReal;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.ReqMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.rdm.EmaRdm;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;

/**
 * Publishes order books that change at random, with the vendor's library, and prints what they have become: images in three
 * parts with an update between two of them, messages of one to four entries, prices in several notations.
 */
public final class BooksProvider implements OmmProviderClient {
    private static final int ENTRIES = 300;
    private static final int PARTS = 3;

    private static final class Item {
        String name;
        int domain;
        Books book;
        Random random;
        int nextKey;
        long sequence;
        boolean printed;
    }

    private final int at;
    private final java.util.Map<Long, Item> items = new LinkedHashMap<>();
    private OmmProvider provider;
    private boolean clientHasGone;

    private BooksProvider(Args args) {
        at = args.number("--at", 1500);
    }

    public static void main(String[] argv) {
        Outcome.of(() -> {
            Args args = new Args(argv, Books.USAGE);
            return new BooksProvider(args).run(args);
        });
    }

    private String run(Args args) {
        provider = EmaFactory.createOmmProvider(Config.providerConfig(args), this);
        JavaConsumer.say("READY");
        long end = Config.deadline(args);
        while (!clientHasGone) {
            if (System.nanoTime() > end) {
                throw new Fail("no client came and went within " + Config.patienceSeconds(args) + " s");
            }
            provider.dispatch(1_000);
            items.forEach(this::publish);
        }
        long printed = items.values().stream().filter(item -> item.printed).count();
        if (printed != 2L * Books.NAMES.size()) {
            throw new Fail("the client left after " + printed + " whole books");
        }
        return printed + " books at update " + at;
    }

    private void publish(long handle, Item item) {
        for (int i = 0; i < 5 && item.sequence < at; i++) {
            provider.submit(EmaFactory.createUpdateMsg().domainType(item.domain).seqNum(++item.sequence).payload(step(item)), handle);
        }
        if (item.sequence == at && !item.printed) {
            item.book.print(item.name);
            item.printed = true;
        }
    }

    /** One to four entries, each applied to the book as well. */
    private static Map step(Item item) {
        Map map = EmaFactory.createMap();
        for (int i = 1 + item.random.nextInt(100) / 97 * item.random.nextInt(4); i > 0; i--) {
            List<String> keys = item.book.keys();
            int choice = item.random.nextInt(10);
            if (choice < 3 || keys.isEmpty()) {
                map.add(add(item));
                continue;
            }
            keys.sort(null);
            String key = keys.get(item.random.nextInt(keys.size()));
            if (choice < 6 && keys.size() > ENTRIES / 2) {
                item.book.remove(key);
                map.add(entry(key, MapAction.DELETE, EmaFactory.createFieldList())); // entries of one map have one type
            } else if (choice == 9) {
                // The price moves; of an order now and then to the other side.
                int side = item.random.nextInt(5) == 0 ? 3 - item.book.sideOf(key) : item.book.sideOf(key);
                long price = price(item, side);
                long size = size(item);
                item.book.update(key, side, price, size);
                map.add(entry(key, MapAction.UPDATE, fields(item, side, price, size)));
            } else {
                long size = Math.max(1, item.book.sizeOf(key) + item.random.nextInt(21) - 10);
                item.book.update(key, null, null, size);
                FieldList fields = EmaFactory.createFieldList();
                fields.add(EmaFactory.createFieldEntry().real(Books.ORDER_SIZE, size, OmmReal.MagnitudeType.EXPONENT_0));
                map.add(entry(key, MapAction.UPDATE, fields));
            }
        }
        return map;
    }

    private static String keyOf(Item item, int number) {
        return (item.domain == Books.ORDERS ? "ORDER" : "a-point-with-many-letters-") + number;
    }

    private static MapEntry add(Item item) {
        String key = keyOf(item, ++item.nextKey);
        int side = 1 + item.random.nextInt(2);
        long price = price(item, side);
        long size = size(item);
        item.book.add(key, side, price, size);
        return entry(key, MapAction.ADD, fields(item, side, price, size));
    }

    private static MapEntry entry(String key, int action, FieldList fields) {
        return EmaFactory.createMapEntry().keyBuffer(bytes(key), action, fields);
    }

    private static ByteBuffer bytes(String key) {
        return ByteBuffer.wrap(key.getBytes(StandardCharsets.US_ASCII));
    }

    /** Price in hundredths, more of them near the middle; asks above bids. */
    private static long price(Item item, int side) {
        long distance = 1 + (long) (Math.abs(item.random.nextGaussian()) * 20);
        return side == Books.BID ? 10_000 - distance : 10_000 + distance;
    }

    private static long size(Item item) {
        return 1 + item.random.nextInt(500);
    }

    /** The price as hundredths, as tenths or whole where it is, or with zeros behind. */
    private static FieldList fields(Item item, int side, long price, long size) {
        FieldList fields = EmaFactory.createFieldList();
        switch (item.random.nextInt(3)) {
            case 0 -> fields.add(EmaFactory.createFieldEntry().real(Books.ORDER_PRC, price * 100, OmmReal.MagnitudeType.EXPONENT_NEG_4));
            case 1 -> fields.add(price % 10 == 0
                    ? EmaFactory.createFieldEntry().real(Books.ORDER_PRC, price / 10, OmmReal.MagnitudeType.EXPONENT_NEG_1)
                    : EmaFactory.createFieldEntry().real(Books.ORDER_PRC, price, OmmReal.MagnitudeType.EXPONENT_NEG_2));
            default -> fields.add(EmaFactory.createFieldEntry().real(Books.ORDER_PRC, price, OmmReal.MagnitudeType.EXPONENT_NEG_2));
        }
        fields.add(EmaFactory.createFieldEntry().enumValue(Books.ORDER_SIDE, side));
        fields.add(EmaFactory.createFieldEntry().real(Books.ORDER_SIZE, size, OmmReal.MagnitudeType.EXPONENT_0));
        if (item.domain == Books.PRICE_POINTS) {
            fields.add(EmaFactory.createFieldEntry().uintValue(Books.NO_ORD, 1));
        }
        return fields;
    }

    /** The image in parts, with an update before the last. */
    private void image(long handle, Item item, ReqMsg msg) {
        List<MapEntry> entries = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++) {
            entries.add(add(item));
        }
        for (int part = 0; part < PARTS; part++) {
            if (part == PARTS - 1) {
                provider.submit(EmaFactory.createUpdateMsg().domainType(item.domain).seqNum(++item.sequence).payload(early(item)),
                        handle);
            }
            Map map = EmaFactory.createMap();
            for (MapEntry entry : entries.subList(part * ENTRIES / PARTS, (part + 1) * ENTRIES / PARTS)) {
                map.add(entry);
            }
            RefreshMsg refresh = EmaFactory.createRefreshMsg().domainType(item.domain).name(msg.name())
                    .serviceName(msg.serviceName()).solicited(true).clearCache(part == 0).complete(part == PARTS - 1)
                    .partNum(part).seqNum(item.sequence)
                    .state(OmmState.StreamState.OPEN, OmmState.DataState.OK, OmmState.StatusCode.NONE, "a book")
                    .payload(map);
            provider.submit(refresh, handle);
        }
    }

    /** Removes an entry of the first part while the last is not there yet. */
    private static Map early(Item item) {
        String key = keyOf(item, 1);
        item.book.remove(key);
        Map map = EmaFactory.createMap();
        map.add(EmaFactory.createMapEntry().keyBuffer(bytes(key), MapAction.DELETE));
        return map;
    }

    @Override
    public void onReqMsg(ReqMsg msg, OmmProviderEvent event) {
        if (msg.domainType() == EmaRdm.MMT_LOGIN) {
            provider.submit(EmaFactory.createRefreshMsg().domainType(EmaRdm.MMT_LOGIN).name(msg.name())
                    .nameType(EmaRdm.USER_NAME).complete(true).solicited(true)
                    .state(OmmState.StreamState.OPEN, OmmState.DataState.OK, OmmState.StatusCode.NONE, "welcome"),
                    event.handle());
            return;
        }
        Item item = new Item();
        item.name = msg.name();
        item.domain = msg.domainType();
        item.book = new Books(item.domain);
        item.random = new Random(item.name.hashCode() + item.domain);
        image(event.handle(), item, msg);
        items.put(event.handle(), item);
    }

    @Override
    public void onClose(ReqMsg msg, OmmProviderEvent event) {
        if (msg.domainType() == EmaRdm.MMT_LOGIN) {
            clientHasGone = true;
        }
    }

    @Override
    public void onReissue(ReqMsg msg, OmmProviderEvent event) {
        throw new Fail("an image was asked for again: " + msg);
    }

    @Override
    public void onPostMsg(PostMsg msg, OmmProviderEvent event) {}

    @Override
    public void onGenericMsg(GenericMsg msg, OmmProviderEvent event) {}

    @Override
    public void onRefreshMsg(RefreshMsg msg, OmmProviderEvent event) {}

    @Override
    public void onStatusMsg(StatusMsg msg, OmmProviderEvent event) {}

    @Override
    public void onAllMsg(Msg msg, OmmProviderEvent event) {}
}
