package emissary.interop;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.ChannelInformation;
import com.refinitiv.ema.access.ComplexType;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldEntry;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.MapEntry;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmArray;
import com.refinitiv.ema.access.OmmConsumer;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerEvent;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.ReqMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.rdm.EmaRdm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The Java twin of interop/cpp/features_consumer.cpp: uses every feature of a session once and checks what comes back. */
public final class FeaturesConsumer implements OmmConsumerClient {
    private static final long ON_STREAM_PRICE = 123456;
    private static final long OFF_STREAM_PRICE = 234567;
    private static final List<String> BATCH = List.of("BATCH.A", "BATCH.B", "BATCH.C");

    private static final class Stream {
        String name = "";
        long parent;
        int images;
        int updates;
        int orders;
        int statuses;
        boolean isPrivate;
        final List<Integer> fields = new ArrayList<>();
        final List<Long> posted = new ArrayList<>();
        int stream = -1;
        int data = -1;
    }

    private final Args args;
    private final Map<Long, Stream> streams = new HashMap<>();
    private final List<String> acks = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private final List<String> questions = new ArrayList<>();
    private String failure;
    private OmmConsumer consumer;
    private long login;
    private long talk;
    private long privateHandle;
    private int sequence;

    private FeaturesConsumer(Args args) {
        this.args = args;
    }

    public static void main(String[] argv) {
        Outcome.of(() -> new FeaturesConsumer(new Args(argv, Features.USAGE)).run());
    }

    private String run() {
        consumer = EmaFactory.createOmmConsumer(Config.consumerConfig(args));
        String result = channel();
        login = consumer.registerClient(EmaFactory.createReqMsg().domainType(EmaRdm.MMT_LOGIN), this);
        waitFor("login", () -> stream(login).data == OmmState.DataState.OK);
        batch();
        if (args.has("--expect-restart")) {
            privateStream();
            restart();
            consumer.uninitialize();
            return result + " batch private restart";
        }
        view();
        largeImage();
        posts();
        generics();
        privateStream();
        result += " batch view large posts generics private";
        if (!args.text("--protocol", "").contains("json")) { // JSON messages do not carry their group
            group();
            result += " group";
        }
        consumer.uninitialize();
        return result;
    }

    /** The connection is what was asked for. */
    private String channel() {
        ChannelInformation info = EmaFactory.createChannelInformation();
        consumer.channelInformation(info);
        int type = Config.encrypted(args) ? ChannelInformation.ConnectionType.ENCRYPTED
                : Config.webSocket(args) ? ChannelInformation.ConnectionType.WEBSOCKET
                        : ChannelInformation.ConnectionType.SOCKET;
        String protocol = args.text("--protocol", "rssl.rwf");
        String compression = args.text("--compression", "none");
        check(info.connectionType() == type, "the connection has another type: " + info);
        check((info.protocolType() == ChannelInformation.ProtocolType.JSON) == protocol.contains("json"),
                "the connection has another protocol: " + info);
        check(info.compressionType() == List.of("none", "zlib", "lz4").indexOf(compression), "another compression: " + info);
        return args.text("--transport", "tcp") + " " + protocol + " compression=" + compression;
    }

    private void batch() {
        OmmArray names = EmaFactory.createOmmArray();
        BATCH.forEach(name -> names.add(EmaFactory.createOmmArrayEntry().ascii(name)));
        ElementList payload = EmaFactory.createElementList();
        payload.add(EmaFactory.createElementEntry().array(EmaRdm.ENAME_BATCH_ITEM_LIST, names));
        long parent = consumer.registerClient(
                EmaFactory.createReqMsg().domainType(EmaRdm.MMT_MARKET_PRICE).serviceName(Config.SERVICE).payload(payload), this);
        for (String name : BATCH) {
            waitFor("three updates of " + name, () -> find(name).updates >= 3);
            check(find(name).parent == parent, name + " is not a child of the batch");
            check(find(name).fields.equals(List.of(22, 25, 30, 31)), name + " lacks fields");
        }
        check(stream(parent).stream == OmmState.StreamState.CLOSED, "the batch is not closed after its split");
    }

    private void view() {
        OmmArray ids = EmaFactory.createOmmArray().fixedWidth(2);
        ids.add(EmaFactory.createOmmArrayEntry().intValue(22));
        ids.add(EmaFactory.createOmmArrayEntry().intValue(31));
        ElementList payload = EmaFactory.createElementList();
        payload.add(EmaFactory.createElementEntry().uintValue(EmaRdm.ENAME_VIEW_TYPE, 1));
        payload.add(EmaFactory.createElementEntry().array(EmaRdm.ENAME_VIEW_DATA, ids));
        long item = open(EmaFactory.createReqMsg().name("VIEW").payload(payload));
        check(stream(item).fields.equals(List.of(22, 31)), "the view is not what was asked for: " + stream(item).fields);
    }

    private void largeImage() {
        long item = open(EmaFactory.createReqMsg().name("BIG"));
        check(stream(item).orders == Features.ORDERS, "the large image has " + stream(item).orders + " entries");
    }

    private void posts() {
        long item = open(EmaFactory.createReqMsg().name("POSTS"));
        consumer.submit(post(1, EmaFactory.createUpdateMsg().payload(Features.bid(ON_STREAM_PRICE))), item);
        consumer.submit(post(2, EmaFactory.createUpdateMsg().payload(Features.bid(-1))), item);
        consumer.submit(post(3, Features.bid(OFF_STREAM_PRICE)).name("POSTS").serviceName(Config.SERVICE), login);
        waitFor("three acknowledgements and two reflected posts", () -> acks.size() == 3 && stream(item).posted.size() == 2);
        check(stream(item).posted.equals(List.of(ON_STREAM_PRICE, OFF_STREAM_PRICE)), "posts come back changed");
        List<String> due = List.of("1 101 good " + item, "2 102 nack " + AckMsg.NackCode.INVALID_CONTENT + " " + item,
                "3 103 good " + login);
        check(acks.equals(due), "acknowledgements are " + acks + ", due are " + due);
    }

    private static PostMsg post(long id, ComplexType payload) {
        return EmaFactory.createPostMsg().domainType(EmaRdm.MMT_MARKET_PRICE).postId(id).seqNum(id + 100).solicitAck(true)
                .complete(true).publisherId(7, 0x7F000001).payload(payload);
    }

    private void generics() {
        talk = open(EmaFactory.createReqMsg().name("TALK"));
        ask("first");
        ask("your turn");
        waitFor("a question of the provider", () -> questions.size() == 1);
        check(questions.get(0).equals("how are you"), "the provider's question is " + questions.get(0));
        consumer.submit(Features.say("Answer", "well", ++sequence), talk);
        waitFor("an answer to the answer", () -> answers.contains("thank you"));
    }

    private void ask(String text) {
        consumer.submit(Features.say("Question", text, ++sequence), talk);
        waitFor("an answer to '" + text + "'", () -> answers.contains("to " + text));
    }

    private void privateStream() {
        long open = consumer.registerClient(EmaFactory.createReqMsg().domainType(EmaRdm.MMT_MARKET_PRICE).name("PRIVATE")
                .serviceName(Config.SERVICE), this);
        waitFor("the redirection", () -> stream(open).stream == OmmState.StreamState.CLOSED_REDIRECTED);
        check(stream(open).isPrivate, "the redirection does not ask for a private stream");
        privateHandle = open(EmaFactory.createReqMsg().name("PRIVATE").privateStream(true));
        check(stream(privateHandle).isPrivate, "the image is not on a private stream");
        waitFor("an update of the private stream", () -> stream(privateHandle).updates > 0);
    }

    private void group() {
        long first = open(EmaFactory.createReqMsg().name("GROUP.A"));
        long second = open(EmaFactory.createReqMsg().name("GROUP.B"));
        for (int state : new int[] {OmmState.DataState.SUSPECT, OmmState.DataState.OK}) {
            ask(state == OmmState.DataState.OK ? "group ok" : "group suspect");
            waitFor("a state of the group", () -> stream(first).data == state && stream(second).data == state);
        }
        check(stream(first).statuses == 2 && stream(second).statuses == 2, "more states than changes");
        check(stream(talk).statuses == 0, "an item outside of the group got a state");
    }

    private void restart() {
        JavaConsumer.say("EXPECT-RESTART");
        for (String name : BATCH) {
            waitFor(name + " becomes suspect", () -> find(name).data == OmmState.DataState.SUSPECT
                    && find(name).stream == OmmState.StreamState.OPEN);
        }
        waitFor("the private stream is closed", () -> stream(privateHandle).stream == OmmState.StreamState.CLOSED
                || stream(privateHandle).stream == OmmState.StreamState.CLOSED_RECOVER);
        JavaConsumer.say("SUSPECT");
        for (String name : BATCH) {
            waitFor(name + " recovers", () -> find(name).images == 2 && find(name).data == OmmState.DataState.OK
                    && find(name).updates >= 3);
        }
        check(stream(privateHandle).images == 1, "the private stream was opened again");
    }

    private long open(ReqMsg request) {
        long handle = consumer.registerClient(request.domainType(EmaRdm.MMT_MARKET_PRICE).serviceName(Config.SERVICE), this);
        waitFor("an image", () -> stream(handle).images == 1);
        check(stream(handle).stream == OmmState.StreamState.OPEN && stream(handle).data == OmmState.DataState.OK,
                stream(handle).name + " is not open and good");
        return handle;
    }

    private Stream stream(long handle) {
        return streams.computeIfAbsent(handle, h -> new Stream());
    }

    private Stream find(String name) {
        for (Stream stream : streams.values()) {
            if (stream.name.equals(name)) {
                return stream;
            }
        }
        return new Stream();
    }

    private void waitFor(String what, BooleanSupplier done) {
        long end = Config.deadline(args);
        while (!done.getAsBoolean()) {
            check(System.nanoTime() < end, "timeout waiting for " + what);
            consumer.dispatch(100_000);
            check(failure == null, failure);
        }
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new Fail(otherwise);
        }
    }

    private static void note(Stream stream, OmmState state) {
        stream.stream = state.streamState();
        stream.data = state.dataState();
    }

    @Override
    public void onRefreshMsg(RefreshMsg msg, OmmConsumerEvent event) {
        Stream stream = stream(event.handle());
        stream.parent = event.parentHandle();
        stream.name = msg.hasName() ? msg.name() : stream.name;
        note(stream, msg.state());
        stream.images++;
        stream.updates = 0; // prices begin anew with each image; data may be suspect and go on
        stream.isPrivate = msg.privateStream();
        stream.fields.clear();
        if (msg.payload().dataType() == DataTypes.FIELD_LIST) {
            for (FieldEntry field : msg.payload().fieldList()) {
                stream.fields.add(field.fieldId());
                if (Math.abs(field.real().asDouble() - 39.90) > 1e-9) {
                    failure = "image of " + stream.name + " has another value: " + field;
                }
            }
        } else if (msg.payload().dataType() == DataTypes.MAP && msg.domainType() == EmaRdm.MMT_MARKET_PRICE) {
            for (MapEntry entry : msg.payload().map()) {
                String due = "ORDER" + stream.orders;
                if (!due.equals(entry.key().ascii().ascii()) || Features.bidOf(entry.fieldList()) != stream.orders) {
                    failure = "the large image has a wrong entry, due is " + due + ": " + entry;
                }
                stream.orders++;
            }
        }
    }

    @Override
    public void onUpdateMsg(UpdateMsg msg, OmmConsumerEvent event) {
        if (msg.domainType() != EmaRdm.MMT_MARKET_PRICE) {
            return;
        }
        Stream stream = stream(event.handle());
        FieldList fields = msg.payload().fieldList();
        long price = Features.bidOf(fields);
        if (stream.images == 0) {
            failure = "update before its image: " + msg;
        } else if (msg.hasPublisherId()) {
            stream.posted.add(price);
        } else if (price != Features.priceAfter(++stream.updates)) {
            failure = "update " + stream.updates + " of " + stream.name + " has price " + price;
        }
    }

    @Override
    public void onStatusMsg(StatusMsg msg, OmmConsumerEvent event) {
        Stream stream = stream(event.handle());
        stream.statuses++;
        if (msg.hasState()) {
            note(stream, msg.state());
        }
        stream.isPrivate = msg.privateStream();
    }

    @Override
    public void onAckMsg(AckMsg msg, OmmConsumerEvent event) {
        acks.add(msg.ackId() + " " + (msg.hasSeqNum() ? msg.seqNum() : -1) + " "
                + (msg.hasNackCode() ? "nack " + msg.nackCode() : "good") + " " + event.handle());
    }

    @Override
    public void onGenericMsg(GenericMsg msg, OmmConsumerEvent event) {
        String answer = Features.said(msg.payload(), "Answer");
        String question = Features.said(msg.payload(), "Question");
        if (answer != null) {
            answers.add(answer);
        }
        if (question != null) {
            questions.add(question);
        }
    }

    @Override
    public void onAllMsg(Msg msg, OmmConsumerEvent event) {}
}
