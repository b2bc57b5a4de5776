package emissary.interop;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.ElementEntry;
import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.FilterEntry.FilterAction;
import com.refinitiv.ema.access.FilterList;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Map;
import com.refinitiv.ema.access.MapEntry.MapAction;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmArrayEntry;
import com.refinitiv.ema.access.OmmProvider;
import com.refinitiv.ema.access.OmmProviderClient;
import com.refinitiv.ema.access.OmmProviderEvent;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.ReqMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.rdm.EmaRdm;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** The Java twin of interop/cpp/features_provider.cpp: serves what the feature scenarios ask for. */
public final class FeaturesProvider implements OmmProviderClient {
    private static final class Item {
        String name;
        List<Integer> view = new ArrayList<>();
        int updates;
    }

    private final java.util.Map<Long, Item> items = new LinkedHashMap<>();
    private OmmProvider provider;
    private String failure;
    private boolean clientHasGone;
    private int requests;
    private int views;
    private int privateStreams;
    private int posts;
    private int refused;
    private int generics;

    public static void main(String[] argv) {
        Outcome.of(() -> new FeaturesProvider().run(new Args(argv, Features.USAGE)));
    }

    private String run(Args args) {
        provider = EmaFactory.createOmmProvider(Config.providerConfig(args), this);
        JavaConsumer.say("READY");
        long end = Config.deadline(args);
        long next = 0;
        while (!clientHasGone && System.nanoTime() < end) {
            provider.dispatch(5_000);
            if (failure != null) {
                throw new Fail(failure);
            }
            if (System.nanoTime() >= next) {
                items.forEach(this::update);
                next = System.nanoTime() + 20_000_000L;
            }
        }
        if (!clientHasGone) {
            throw new Fail("no client came and went within " + Config.patienceSeconds(args) + " s");
        }
        return "requests=" + requests + " views=" + views + " private=" + privateStreams + " posts=" + posts + " nacks=" + refused
                + " generics=" + generics;
    }

    private void update(long handle, Item item) {
        if (item.view.isEmpty()) {
            provider.submit(EmaFactory.createUpdateMsg().domainType(EmaRdm.MMT_MARKET_PRICE)
                    .payload(Features.bid(Features.priceAfter(++item.updates))), handle);
        }
    }

    @Override
    public void onReqMsg(ReqMsg msg, OmmProviderEvent event) {
        if (msg.domainType() == EmaRdm.MMT_LOGIN) {
            ElementList attributes = EmaFactory.createElementList();
            attributes.add(EmaFactory.createElementEntry().uintValue(EmaRdm.ENAME_SUPPORT_POST, 1));
            attributes.add(EmaFactory.createElementEntry().uintValue(EmaRdm.ENAME_SUPPORT_BATCH, 1));
            attributes.add(EmaFactory.createElementEntry().uintValue(EmaRdm.ENAME_SUPPORT_VIEW, 1));
            provider.submit(EmaFactory.createRefreshMsg().domainType(EmaRdm.MMT_LOGIN).name(msg.name())
                    .nameType(EmaRdm.USER_NAME).complete(true).solicited(true).attrib(attributes)
                    .state(OmmState.StreamState.OPEN, OmmState.DataState.OK, OmmState.StatusCode.NONE, "welcome"),
                    event.handle());
            return;
        }
        requests++;
        if (msg.name().startsWith("PRIVATE") && !msg.privateStream()) {
            provider.submit(EmaFactory.createStatusMsg().domainType(msg.domainType()).name(msg.name())
                    .serviceName(msg.serviceName()).privateStream(true).state(OmmState.StreamState.CLOSED_REDIRECTED,
                            OmmState.DataState.SUSPECT, OmmState.StatusCode.NONE, "private only"), event.handle());
            return;
        }
        privateStreams += msg.privateStream() ? 1 : 0;
        Item item = new Item();
        item.name = msg.name();
        readView(msg, item);
        views += item.view.isEmpty() ? 0 : 1;
        RefreshMsg refresh = EmaFactory.createRefreshMsg().domainType(msg.domainType()).name(msg.name())
                .serviceName(msg.serviceName()).solicited(true).complete(true).privateStream(msg.privateStream())
                .state(OmmState.StreamState.OPEN, OmmState.DataState.OK, OmmState.StatusCode.NONE, "here it is");
        if (item.name.startsWith("GROUP")) {
            refresh.itemGroup(group());
        }
        if (item.name.equals("BIG")) {
            provider.submit(refresh.payload(orders()), event.handle());
            return;
        }
        FieldList fields = EmaFactory.createFieldList();
        for (int id : new int[] {22, 25, 30, 31}) { // BID, ASK, BIDSIZE, ASKSIZE
            if (item.view.isEmpty() || item.view.contains(id)) {
                fields.add(Features.real(id, Features.priceAfter(0)));
            }
        }
        provider.submit(refresh.payload(fields), event.handle());
        if (msg.interestAfterRefresh()) {
            items.put(event.handle(), item);
        }
    }

    private static ByteBuffer group() {
        return ByteBuffer.wrap(new byte[] {1, 2});
    }

    private static void readView(ReqMsg msg, Item item) {
        if (msg.payload().dataType() != DataTypes.ELEMENT_LIST) {
            return;
        }
        for (ElementEntry entry : msg.payload().elementList()) {
            if (entry.name().equals(EmaRdm.ENAME_VIEW_DATA)) {
                for (OmmArrayEntry id : entry.array()) {
                    item.view.add((int) id.intValue());
                }
            }
        }
    }

    private static Map orders() {
        Map map = EmaFactory.createMap();
        for (int i = 0; i < Features.ORDERS; i++) {
            map.add(EmaFactory.createMapEntry().keyAscii("ORDER" + i, MapAction.ADD, Features.bid(i)));
        }
        return map;
    }

    @Override
    public void onPostMsg(PostMsg msg, OmmProviderEvent event) {
        posts++;
        long price = Features.bidOf(msg.payload().dataType() == DataTypes.UPDATE_MSG
                ? msg.payload().updateMsg().payload().fieldList() : msg.payload().fieldList());
        long target = event.handle();
        if (msg.hasName()) {
            for (java.util.Map.Entry<Long, Item> entry : items.entrySet()) {
                target = entry.getValue().name.equals(msg.name()) ? entry.getKey() : target;
            }
        }
        AckMsg ack = EmaFactory.createAckMsg().domainType(msg.domainType()).ackId(msg.postId());
        if (msg.hasSeqNum()) {
            ack.seqNum(msg.seqNum());
        }
        if (price < 0) {
            refused++;
            ack.nackCode(AckMsg.NackCode.INVALID_CONTENT).text("a price is not below zero");
        } else if (items.containsKey(target)) {
            provider.submit(EmaFactory.createUpdateMsg().domainType(EmaRdm.MMT_MARKET_PRICE)
                    .publisherId(msg.publisherIdUserId(), msg.publisherIdUserAddress()).payload(Features.bid(price)), target);
        } else {
            failure = "a post for an item that is not open: " + msg;
        }
        if (msg.solicitAck()) {
            provider.submit(ack, event.handle());
        }
    }

    @Override
    public void onGenericMsg(GenericMsg msg, OmmProviderEvent event) {
        if (msg.domainType() == EmaRdm.MMT_LOGIN) {
            return; // round trip measurement
        }
        generics++;
        if (Features.said(msg.payload(), "Answer") != null) {
            provider.submit(Features.say("Answer", "thank you", 1), event.handle());
            return;
        }
        String question = Features.said(msg.payload(), "Question");
        if (question == null) {
            failure = "a generic message that is neither question nor answer: " + msg;
            return;
        }
        if (question.startsWith("group ")) {
            groupState(question.equals("group ok") ? OmmState.DataState.OK : OmmState.DataState.SUSPECT);
        }
        provider.submit(Features.say("Answer", "to " + question, 1), event.handle());
        if (question.equals("your turn")) {
            provider.submit(Features.say("Question", "how are you", 1), event.handle());
        }
    }

    private void groupState(int data) {
        ElementList elements = EmaFactory.createElementList();
        elements.add(EmaFactory.createElementEntry().buffer(EmaRdm.ENAME_GROUP, group()));
        elements.add(EmaFactory.createElementEntry().state(EmaRdm.ENAME_STATUS, OmmState.StreamState.OPEN, data,
                OmmState.StatusCode.NONE, "all of the group"));
        FilterList filters = EmaFactory.createFilterList();
        filters.add(EmaFactory.createFilterEntry().elementList(EmaRdm.SERVICE_GROUP_ID, FilterAction.UPDATE, elements));
        Map services = EmaFactory.createMap();
        services.add(EmaFactory.createMapEntry().keyUInt(Config.SERVICE_ID, MapAction.UPDATE, filters));
        UpdateMsg update = EmaFactory.createUpdateMsg().domainType(EmaRdm.MMT_DIRECTORY).payload(services);
        provider.submit(update, 0);
    }

    @Override
    public void onClose(ReqMsg msg, OmmProviderEvent event) {
        items.remove(event.handle());
        if (msg.domainType() == EmaRdm.MMT_LOGIN) { // ends all items without a call for each
            items.clear();
            clientHasGone = true;
        }
    }

    @Override
    public void onReissue(ReqMsg msg, OmmProviderEvent event) {}

    @Override
    public void onRefreshMsg(RefreshMsg msg, OmmProviderEvent event) {}

    @Override
    public void onStatusMsg(StatusMsg msg, OmmProviderEvent event) {}

    @Override
    public void onAllMsg(Msg msg, OmmProviderEvent event) {}
}
