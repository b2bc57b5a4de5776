package emissary.interop;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldEntry;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.MapEntry;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmConsumer;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerEvent;
import com.refinitiv.ema.access.Payload;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Reads a provider's order books with the vendor's library into the plainest books there are, and prints them. */
public final class BooksConsumer implements OmmConsumerClient {
    private static final class Item {
        String name;
        Books book;
        boolean complete;
        long sequence = -1;
        boolean printed;
    }

    private final Args args;
    private final int at;
    private final Map<Long, Item> items = new HashMap<>();
    private String failure;

    private BooksConsumer(Args args) {
        this.args = args;
        at = args.number("--at", 1500);
    }

    public static void main(String[] argv) {
        Outcome.of(() -> new BooksConsumer(new Args(argv, Books.USAGE)).run());
    }

    private String run() {
        OmmConsumer consumer = EmaFactory.createOmmConsumer(Config.consumerConfig(args));
        for (String name : Books.NAMES) {
            for (int domain : new int[] {Books.ORDERS, Books.PRICE_POINTS}) {
                Item item = new Item();
                item.name = name;
                item.book = new Books(domain);
                items.put(consumer.registerClient(EmaFactory.createReqMsg().domainType(domain).name(name)
                        .serviceName(Config.SERVICE), this), item);
            }
        }
        long end = Config.deadline(args);
        while (!items.values().stream().allMatch(item -> item.printed)) {
            if (System.nanoTime() > end) {
                throw new Fail("the books did not come to update " + at);
            }
            consumer.dispatch(100_000);
            if (failure != null) {
                throw new Fail(failure);
            }
        }
        consumer.uninitialize();
        return items.size() + " books at update " + at;
    }

    /** Nothing may escape from a callback: the library would only log it. */
    private void apply(OmmConsumerEvent event, boolean image, boolean clear, boolean complete, boolean numbered, long sequence,
            Payload payload) {
        Item item = items.get(event.handle());
        if (item == null || item.printed || failure != null) {
            return;
        }
        try {
            if (clear) {
                item.book.clear();
                item.complete = false;
            }
            if (!numbered) {
                throw new Fail(item.name + ": a message without sequence number");
            }
            if (!image && sequence != item.sequence + 1) {
                throw new Fail(item.name + ": update " + sequence + " came after " + item.sequence);
            }
            item.sequence = sequence;
            item.complete |= complete;
            for (MapEntry entry : payload.map()) {
                apply(item.book, entry);
            }
            if (item.complete && item.sequence == at) {
                item.book.print(item.name);
                item.printed = true;
            }
        } catch (RuntimeException e) {
            failure = item.name + " at " + sequence + ": " + Fail.oneLine(e);
        }
    }

    private static void apply(Books book, MapEntry entry) {
        ByteBuffer bytes = entry.key().buffer().buffer();
        String key = StandardCharsets.US_ASCII.decode(bytes.duplicate()).toString();
        if (entry.action() == MapEntry.MapAction.DELETE) {
            if (!book.knows(key)) {
                throw new Fail("the unknown entry " + key + " is deleted");
            }
            book.remove(key);
            return;
        }
        Integer side = null;
        Long price = null;
        Long size = null;
        for (FieldEntry field : entry.fieldList()) {
            switch (field.fieldId()) {
                case Books.ORDER_PRC -> price = Math.round(field.real().asDouble() * 100);
                case Books.ORDER_SIDE -> side = field.enumValue();
                case Books.ORDER_SIZE -> size = Math.round(field.real().asDouble());
                default -> { }
            }
        }
        if (entry.action() == MapEntry.MapAction.ADD) {
            book.add(key, side, price, size);
        } else {
            book.update(key, side, price, size);
        }
    }

    @Override
    public void onRefreshMsg(RefreshMsg msg, OmmConsumerEvent event) {
        apply(event, true, msg.clearCache(), msg.complete(), msg.hasSeqNum(), msg.hasSeqNum() ? msg.seqNum() : 0, msg.payload());
    }

    @Override
    public void onUpdateMsg(UpdateMsg msg, OmmConsumerEvent event) {
        apply(event, false, false, false, msg.hasSeqNum(), msg.hasSeqNum() ? msg.seqNum() : 0, msg.payload());
    }

    @Override
    public void onStatusMsg(StatusMsg msg, OmmConsumerEvent event) {
        failure = "a status that nothing caused: " + msg;
    }

    @Override
    public void onGenericMsg(GenericMsg msg, OmmConsumerEvent event) {}

    @Override
    public void onAckMsg(AckMsg msg, OmmConsumerEvent event) {}

    @Override
    public void onAllMsg(Msg msg, OmmConsumerEvent event) {}
}
