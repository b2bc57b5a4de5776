package emissary.interop;

import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.CodecReturnCodes;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.DecodeIterator;
import com.refinitiv.eta.codec.ElementEntry;
import com.refinitiv.eta.codec.ElementList;
import com.refinitiv.eta.codec.EncodeIterator;
import com.refinitiv.eta.codec.FieldEntry;
import com.refinitiv.eta.codec.FieldList;
import com.refinitiv.eta.codec.GenericMsg;
import com.refinitiv.eta.codec.Map;
import com.refinitiv.eta.codec.MapEntry;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.Real;
import com.refinitiv.eta.codec.RealHints;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.State;
import com.refinitiv.eta.codec.StateCodes;
import com.refinitiv.eta.codec.StatusMsg;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.DomainTypes;
import com.refinitiv.eta.rdm.Login;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsg;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.Service;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsg;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.login.LoginRequest;
import com.refinitiv.eta.valueadd.reactor.ProviderCallback;
import com.refinitiv.eta.valueadd.reactor.ProviderRole;
import com.refinitiv.eta.valueadd.reactor.RDMDictionaryMsgEvent;
import com.refinitiv.eta.valueadd.reactor.RDMDirectoryMsgEvent;
import com.refinitiv.eta.valueadd.reactor.RDMLoginMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorCallbackReturnCodes;
import com.refinitiv.eta.valueadd.reactor.ReactorChannel;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorChannelEventTypes;
import com.refinitiv.eta.valueadd.reactor.ReactorErrorInfo;
import com.refinitiv.eta.valueadd.reactor.ReactorFactory;
import com.refinitiv.eta.valueadd.reactor.ReactorMsgEvent;
import com.refinitiv.eta.valueadd.reactor.ReactorReturnCodes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;

/**
 * The server that non-interactive providers publish to, on the vendor's reactor: takes one login of role Provider and
 * checks what the feature programs publish. Then it posts, asks, closes the first item, and ends with its publisher; with
 * --expect-restart it only takes what comes until it is killed, with --count it counts and ends with its publisher.
 */
public final class JavaHub implements ProviderCallback {
    private static final int UPDATES = 5;
    private static final long POSTED = 123456;
    private static final int POST_ID = 7;

    private static final class Item {
        int streamId;
        int images;
        int updates;
        int orders;
        int suspect;
        boolean closed;
    }

    private final Args args;
    private final ReactorErrorInfo errorInfo = ReactorFactory.createReactorErrorInfo();
    private final java.util.Map<String, Item> items = new HashMap<>();
    private final java.util.Map<Integer, String> names = new HashMap<>();
    private Selector selector;
    private ReactorChannel channel;
    private String failure;
    private boolean directory;
    private boolean asked;
    private boolean published;
    private boolean answered;
    private boolean closed;
    private boolean gone;
    private long images;
    private long updates;

    private JavaHub(Args args) {
        this.args = args;
    }

    public static void main(String[] argv) {
        Outcome.of(() -> new JavaHub(new Args(argv, Features.USAGE)).run());
    }

    private String run() {
        try {
            return serve();
        } catch (IOException e) {
            throw new Fail("selector: " + e);
        }
    }

    private String serve() throws IOException {
        ReactorServer server = new ReactorServer(args);
        selector = server.selector();
        JavaConsumer.say("READY");
        ProviderRole role = ReactorFactory.createProviderRole();
        role.channelEventCallback(this);
        role.defaultMsgCallback(this);
        role.loginMsgCallback(this);
        role.directoryMsgCallback(this);
        role.dictionaryMsgCallback(this);
        for (long end = Config.deadline(args); !gone; ) {
            check(System.nanoTime() < end, "not everything came within " + Config.patienceSeconds(args) + " s; missing: " + missing());
            server.turn(role, 100, () -> check(failure == null, failure));
            goOn();
        }
        if (args.has("--count")) {
            return "images=" + images + " updates=" + updates;
        }
        check(closed, "the publisher left; missing: " + missing());
        return "login directory images updates statuses post generic close";
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new Fail(otherwise);
        }
    }

    /** In a callback: the loop ends with this reason. */
    private void expect(boolean holds, String otherwise) {
        if (!holds && failure == null) {
            failure = otherwise;
        }
    }

    private Item item(String name) {
        return items.computeIfAbsent(name, n -> new Item());
    }

    private String missing() {
        return (directory ? "" : "directory ") + (item("NI.A").updates >= UPDATES ? "" : "updates ")
                + (item("NI.BIG").orders == Features.ORDERS ? "" : "large image ") + (item("NI.B").closed ? "" : "statuses ")
                + (published ? "" : "posted update ") + (answered ? "" : "answer ");
    }

    /** Once everything was published: post and ask, then close. */
    private void goOn() {
        if (args.has("--count") || channel == null) {
            return;
        }
        if (args.has("--expect-restart")) {
            if (!asked && item("NI.B").closed) {
                asked = true;
                JavaConsumer.say("PUBLISHED");
            }
            return;
        }
        if (!asked && directory && item("NI.A").updates == UPDATES && item("NI.BIG").orders == Features.ORDERS
                && item("NI.B").closed) {
            asked = true;
            expect(item("NI.B").updates == UPDATES && item("NI.B").suspect == 2, "NI.B lacks updates or states");
            submit(post());
            submit(question());
        }
        if (!closed && published && answered) {
            closed = true;
            Msg close = CodecFactory.createMsg();
            close.msgClass(MsgClasses.CLOSE);
            close.domainType(DomainTypes.MARKET_PRICE);
            close.streamId(item("NI.A").streamId);
            close.containerType(DataTypes.NO_DATA);
            submit(close);
        }
    }

    private void submit(Msg msg) {
        int code = channel.submit(msg, ReactorFactory.createReactorSubmitOptions(), errorInfo);
        check(code >= ReactorReturnCodes.SUCCESS, "submit: " + code + " " + errorInfo);
    }

    private EncodeIterator into(Buffer buffer) {
        buffer.data(ByteBuffer.allocate(200));
        EncodeIterator iterator = CodecFactory.createEncodeIterator();
        iterator.setBufferAndRWFVersion(buffer, channel.majorVersion(), channel.minorVersion());
        return iterator;
    }

    private Msg post() {
        Buffer buffer = CodecFactory.createBuffer();
        EncodeIterator iterator = into(buffer);
        ElementList list = CodecFactory.createElementList();
        list.applyHasStandardData();
        list.encodeInit(iterator, null, 0);
        ElementEntry element = CodecFactory.createElementEntry();
        element.name().data("Price");
        element.dataType(DataTypes.REAL);
        Real price = CodecFactory.createReal();
        price.value(POSTED, RealHints.EXPONENT_2);
        element.encode(iterator, price);
        list.encodeComplete(iterator, true);
        Msg msg = CodecFactory.createMsg();
        msg.msgClass(MsgClasses.POST);
        PostMsg post = (PostMsg) msg;
        post.applyHasPostId();
        post.postId(POST_ID);
        post.applyPostComplete();
        post.postUserInfo().userAddr(0x7F000001);
        post.postUserInfo().userId(7);
        return onFirst(msg, DataTypes.ELEMENT_LIST, buffer);
    }

    private Msg question() {
        Buffer buffer = CodecFactory.createBuffer();
        EncodeIterator iterator = into(buffer);
        ElementList list = CodecFactory.createElementList();
        list.applyHasStandardData();
        list.encodeInit(iterator, null, 0);
        ElementEntry element = CodecFactory.createElementEntry();
        element.name().data("Question");
        element.dataType(DataTypes.ASCII_STRING);
        Buffer text = CodecFactory.createBuffer();
        text.data("how are you");
        element.encode(iterator, text);
        list.encodeComplete(iterator, true);
        Msg msg = CodecFactory.createMsg();
        msg.msgClass(MsgClasses.GENERIC);
        ((GenericMsg) msg).applyMessageComplete();
        return onFirst(msg, DataTypes.ELEMENT_LIST, buffer);
    }

    private Msg onFirst(Msg msg, int containerType, Buffer body) {
        msg.domainType(DomainTypes.MARKET_PRICE);
        msg.streamId(item("NI.A").streamId);
        msg.containerType(containerType);
        msg.encodedDataBody(body);
        return msg;
    }

    @Override
    public int reactorChannelEventCallback(ReactorChannelEvent event) {
        switch (event.eventType()) {
            case ReactorChannelEventTypes.CHANNEL_UP -> {
                channel = event.reactorChannel();
                try {
                    channel.selectableChannel().register(selector, SelectionKey.OP_READ, channel);
                } catch (IOException e) {
                    expect(false, e.toString());
                }
            }
            case ReactorChannelEventTypes.CHANNEL_DOWN -> {
                event.reactorChannel().close(errorInfo);
                gone = true;
            }
            default -> { }
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int rdmLoginMsgCallback(RDMLoginMsgEvent event) {
        LoginMsg msg = event.rdmLoginMsg();
        if (msg == null || msg.rdmMsgType() != LoginMsgType.REQUEST) {
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        LoginRequest request = (LoginRequest) msg;
        expect(request.checkHasRole() && request.role() == Login.RoleTypes.PROV, "the login's role is not Provider");
        expect(request.userName().toString().equals("interop"), "the login's user is " + request.userName());
        LoginRefresh refresh = (LoginRefresh) LoginMsgFactory.createMsg();
        refresh.rdmMsgType(LoginMsgType.REFRESH);
        refresh.clear();
        refresh.streamId(request.streamId());
        refresh.applySolicited();
        refresh.applyHasUserName();
        refresh.userName(request.userName());
        refresh.applyHasUserNameType();
        refresh.userNameType(Login.UserIdTypes.NAME);
        refresh.applyHasFeatures();
        refresh.features().applyHasSupportPost();
        refresh.features().supportOMMPost(1);
        refresh.state().streamState(StreamStates.OPEN);
        refresh.state().dataState(DataStates.OK);
        refresh.state().code(StateCodes.NONE);
        refresh.state().text().data("welcome");
        int code = event.reactorChannel().submit(refresh, ReactorFactory.createReactorSubmitOptions(), errorInfo);
        expect(code >= ReactorReturnCodes.SUCCESS, "login refresh: " + errorInfo);
        JavaConsumer.say("LOGIN");
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int rdmDirectoryMsgCallback(RDMDirectoryMsgEvent event) {
        DirectoryMsg msg = event.rdmDirectoryMsg();
        if (msg != null && msg.rdmMsgType() == DirectoryMsgType.REFRESH) {
            for (Service service : ((DirectoryRefresh) msg).serviceList()) {
                expect(service.checkHasState() && service.state().serviceState() == 1, "the service is down: " + service);
                directory = directory || service.serviceId() == Config.SERVICE_ID && service.checkHasInfo()
                        && service.info().serviceName().toString().equals(Config.SERVICE);
            }
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int rdmDictionaryMsgCallback(RDMDictionaryMsgEvent event) {
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int defaultMsgCallback(ReactorMsgEvent event) {
        Msg msg = event.msg();
        if (msg == null) {
            expect(false, "a message that cannot be decoded: " + event.errorInfo());
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        if (msg.domainType() == DomainTypes.SOURCE) {
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        if (args.has("--count")) {
            images += msg.msgClass() == MsgClasses.REFRESH ? 1 : 0;
            updates += msg.msgClass() == MsgClasses.UPDATE ? 1 : 0;
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        String name = names.getOrDefault(msg.streamId(), "");
        switch (msg.msgClass()) {
            case MsgClasses.REFRESH -> image(event, (RefreshMsg) msg);
            case MsgClasses.UPDATE -> update(name, bid(event, msg));
            case MsgClasses.STATUS -> state(name, (StatusMsg) msg);
            case MsgClasses.GENERIC -> {
                expect(asked && name.equals("NI.A"), "an answer to nothing");
                answered = answer(event, msg).equals("well");
            }
            default -> expect(false, "a message of class " + MsgClasses.toString(msg.msgClass()));
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void image(ReactorMsgEvent event, RefreshMsg msg) {
        expect(msg.checkHasMsgKey() && msg.msgKey().checkHasName() && msg.msgKey().checkHasServiceId()
                && msg.msgKey().serviceId() == Config.SERVICE_ID, "an image without name and service");
        expect(msg.streamId() < 0, "a publisher's streams have numbers below zero, this one is " + msg.streamId());
        expect(msg.state().streamState() == StreamStates.OPEN && msg.state().dataState() == DataStates.OK, "the image's state");
        String name = msg.msgKey().name().toString();
        names.put(msg.streamId(), name);
        Item item = item(name);
        item.streamId = msg.streamId();
        item.images++;
        item.updates = 0;
        if (msg.containerType() == DataTypes.MAP) {
            orders(event, msg, item);
        } else {
            expect(bid(event, msg) == Features.priceAfter(0), "the image of " + name + " has another price");
        }
    }

    private void update(String name, long price) {
        Item item = item(name);
        expect(item.images == 1 && !item.closed, "an update of '" + name + "' before its image or after its end");
        if (asked && price == POSTED) {
            published = true;
        } else {
            expect(price == Features.priceAfter(++item.updates), "update " + item.updates + " of " + name + " has price " + price);
        }
    }

    private void state(String name, StatusMsg msg) {
        State state = msg.state();
        expect(name.equals("NI.B") && msg.checkHasState(), "a status of '" + name + "'");
        item(name).suspect += state.dataState() == DataStates.SUSPECT ? 1 : 0;
        item(name).closed = state.streamState() == StreamStates.CLOSED;
    }

    private static DecodeIterator from(ReactorMsgEvent event, Buffer body) {
        DecodeIterator iterator = CodecFactory.createDecodeIterator();
        iterator.setBufferAndRWFVersion(body, event.reactorChannel().majorVersion(), event.reactorChannel().minorVersion());
        return iterator;
    }

    private static long bid(ReactorMsgEvent event, Msg msg) {
        return bid(from(event, msg.encodedDataBody()));
    }

    /** BID with two decimals as mantissa. */
    private static long bid(DecodeIterator iterator) {
        FieldList fields = CodecFactory.createFieldList();
        FieldEntry field = CodecFactory.createFieldEntry();
        Real real = CodecFactory.createReal();
        long price = Long.MIN_VALUE;
        if (fields.decode(iterator, null) != CodecReturnCodes.SUCCESS) {
            return price;
        }
        while (field.decode(iterator) == CodecReturnCodes.SUCCESS) {
            if (field.fieldId() == Features.BID && real.decode(iterator) == CodecReturnCodes.SUCCESS) {
                price = Math.round(real.toDouble() * 100);
            }
        }
        return price;
    }

    private void orders(ReactorMsgEvent event, Msg msg, Item item) {
        DecodeIterator iterator = from(event, msg.encodedDataBody());
        Map map = CodecFactory.createMap();
        MapEntry entry = CodecFactory.createMapEntry();
        Buffer key = CodecFactory.createBuffer();
        expect(map.decode(iterator) == CodecReturnCodes.SUCCESS, "the large image is no map");
        item.orders = 0;
        while (entry.decode(iterator, key) == CodecReturnCodes.SUCCESS) {
            expect(key.toString().equals("ORDER" + item.orders) && bid(iterator) == item.orders,
                    "the large image has a wrong entry at " + item.orders);
            item.orders++;
        }
    }

    private static String answer(ReactorMsgEvent event, Msg msg) {
        DecodeIterator iterator = from(event, msg.encodedDataBody());
        ElementList list = CodecFactory.createElementList();
        ElementEntry element = CodecFactory.createElementEntry();
        Buffer text = CodecFactory.createBuffer();
        if (list.decode(iterator, null) == CodecReturnCodes.SUCCESS && element.decode(iterator) == CodecReturnCodes.SUCCESS
                && element.name().toString().equals("Answer") && text.decode(iterator) == CodecReturnCodes.SUCCESS) {
            return text.toString();
        }
        return "";
    }
}
