package emissary.interop;

import com.refinitiv.eta.codec.AckMsg;
import com.refinitiv.eta.codec.Buffer;
import com.refinitiv.eta.codec.CodecFactory;
import com.refinitiv.eta.codec.DataStates;
import com.refinitiv.eta.codec.DataTypes;
import com.refinitiv.eta.codec.GenericMsg;
import com.refinitiv.eta.codec.Msg;
import com.refinitiv.eta.codec.MsgClasses;
import com.refinitiv.eta.codec.PostMsg;
import com.refinitiv.eta.codec.RefreshMsg;
import com.refinitiv.eta.codec.StateCodes;
import com.refinitiv.eta.codec.StreamStates;
import com.refinitiv.eta.rdm.DomainTypes;
import com.refinitiv.eta.rdm.Login;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsg;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgFactory;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryMsgType;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRefresh;
import com.refinitiv.eta.valueadd.domainrep.rdm.directory.DirectoryRequest;
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
import com.refinitiv.eta.valueadd.reactor.TunnelStream;
import com.refinitiv.eta.valueadd.reactor.TunnelStreamAcceptOptions;
import com.refinitiv.eta.valueadd.reactor.TunnelStreamDefaultMsgCallback;
import com.refinitiv.eta.valueadd.reactor.TunnelStreamListenerCallback;
import com.refinitiv.eta.valueadd.reactor.TunnelStreamMsgEvent;
import com.refinitiv.eta.valueadd.reactor.TunnelStreamRejectOptions;
import com.refinitiv.eta.valueadd.reactor.TunnelStreamRequestEvent;
import com.refinitiv.eta.valueadd.reactor.TunnelStreamStatusEvent;
import com.refinitiv.eta.valueadd.reactor.TunnelStreamStatusEventCallback;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.IntSupplier;

/** The twin of interop/cpp/tunnel_provider.cpp on the vendor's reactor: the consumer is ours, or TunnelConsumer. */
public final class TunnelProvider implements ProviderCallback, TunnelStreamListenerCallback,
        TunnelStreamStatusEventCallback, TunnelStreamDefaultMsgCallback {
    private final Args args;
    private final ReactorErrorInfo errorInfo = ReactorFactory.createReactorErrorInfo();
    private final Map<TunnelStream, ArrayDeque<IntSupplier>> waiting = new HashMap<>();
    private Selector selector;
    private ReactorChannel channel;
    private String failure;
    private boolean endsConnection;
    private boolean gone;
    private int accepted;
    private int refused;
    private int ended;
    private int logins;
    private int requests;
    private int echoes;
    private int posts;
    private int closes;

    private TunnelProvider(Args args) {
        this.args = args;
    }

    public static void main(String[] argv) {
        Outcome.of(() -> new TunnelProvider(new Args(argv, Features.USAGE)).run());
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
        role.tunnelStreamListenerCallback(this);
        for (long end = Config.deadline(args); !gone; ) {
            check(System.nanoTime() < end, "no client came and went within " + Config.patienceSeconds(args) + " s");
            server.turn(role, 10, () -> check(failure == null, failure));
            waiting.values().forEach(TunnelProvider.this::send);
            check(failure == null, failure);
            if (endsConnection) {
                channel.close(errorInfo);
                gone = true;
            }
        }
        // The library tells nobody of the tunnels of a connection that its application closes.
        String counts = "tunnels=" + accepted + " logins=" + logins + " refused=" + refused + " requests=" + requests
                + " echoes=" + echoes + " posts=" + posts + " closes=" + closes;
        // A consumer asks again with the older stream version before it believes a refusal.
        String due = "tunnels=3 logins=1 refused=2 requests=4 echoes=" + (Tunnels.ECHOES + Tunnels.FEW_ECHOES)
                + " posts=1 closes=1";
        check(counts.equals(due), "counted " + counts + ", due is " + due);
        check(ended >= 2, ended + " tunnels ended before the connection, 2 are due");
        return counts;
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

    @Override
    public int listenerCallback(TunnelStreamRequestEvent event) {
        if (event.name().equals("NO")) {
            refused++;
            TunnelStreamRejectOptions options = ReactorFactory.createTunnelStreamRejectOptions();
            options.state().streamState(StreamStates.CLOSED);
            options.state().dataState(DataStates.SUSPECT);
            options.state().code(StateCodes.NONE);
            options.state().text().data("not here");
            expect(event.reactorChannel().rejectTunnelStream(event, options, errorInfo) == ReactorReturnCodes.SUCCESS,
                    "reject: " + errorInfo);
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        accepted++;
        TunnelStreamAcceptOptions options = ReactorFactory.createTunnelStreamAcceptOptions();
        options.statusEventCallback(this);
        options.defaultMsgCallback(this);
        options.classOfService().authentication().type(event.classOfService().authentication().type());
        options.classOfService().dataIntegrity().type(event.classOfService().dataIntegrity().type());
        options.classOfService().flowControl().type(event.classOfService().flowControl().type());
        expect(event.reactorChannel().acceptTunnelStream(event, options, errorInfo) == ReactorReturnCodes.SUCCESS,
                "accept: " + errorInfo);
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int statusEventCallback(TunnelStreamStatusEvent event) {
        if (event.state().streamState() != StreamStates.OPEN) {
            waiting.remove(event.tunnelStream());
            ended++;
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int defaultMsgCallback(TunnelStreamMsgEvent event) {
        Msg msg = event.msg();
        TunnelStream tunnel = event.tunnelStream();
        if (event.containerType() != DataTypes.MSG || msg == null) {
            expect(false, "something came that is no message: " + event.containerType());
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        switch (msg.msgClass()) {
            case MsgClasses.REQUEST -> {
                if (msg.domainType() == DomainTypes.LOGIN) {
                    logins++;
                    LoginRefresh refresh = loginRefresh(msg.streamId(), msg.msgKey().name(), "tunnel login accepted");
                    answer(tunnel, () -> tunnel.submit(refresh, errorInfo));
                } else {
                    requests++;
                    answer(tunnel, refresh(msg));
                }
            }
            case MsgClasses.GENERIC -> generic(tunnel, msg);
            case MsgClasses.POST -> {
                posts++;
                Msg ack = inside(MsgClasses.ACK, msg, null);
                ((AckMsg) ack).ackId(((PostMsg) msg).postId());
                answer(tunnel, ack);
            }
            case MsgClasses.CLOSE -> closes++;
            default -> expect(false, "a message of class " + MsgClasses.toString(msg.msgClass()) + " inside");
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    private void generic(TunnelStream tunnel, Msg msg) {
        switch (msg.domainType()) {
            case Tunnels.ECHO -> {
                echoes++;
                Buffer body = msg.encodedDataBody();
                byte[] copy = new byte[body.length()];
                body.copy(copy);
                Msg back = inside(MsgClasses.GENERIC, msg, copy);
                ((GenericMsg) back).applyMessageComplete();
                answer(tunnel, back);
            }
            case Tunnels.BURST -> {
                for (int n = 0; n < Tunnels.BURST_UPDATES; n++) {
                    Msg update = inside(MsgClasses.UPDATE, msg, Tunnels.content(n));
                    update.domainType(DomainTypes.MARKET_PRICE);
                    answer(tunnel, update);
                }
            }
            case Tunnels.CLOSE_TUNNEL -> expect(tunnel.close(true, errorInfo) == ReactorReturnCodes.SUCCESS, "close: " + errorInfo);
            case Tunnels.END_CONNECTION -> endsConnection = true;
            default -> expect(false, "a generic message of domain " + msg.domainType());
        }
    }

    /** A message on the stream of another one. */
    private static Msg inside(int msgClass, Msg to, byte[] opaque) {
        Msg msg = CodecFactory.createMsg();
        msg.msgClass(msgClass);
        msg.streamId(to.streamId());
        msg.domainType(to.domainType());
        msg.containerType(opaque == null ? DataTypes.NO_DATA : DataTypes.OPAQUE);
        if (opaque != null) {
            Buffer body = CodecFactory.createBuffer();
            body.data(ByteBuffer.wrap(opaque));
            msg.encodedDataBody(body);
        }
        return msg;
    }

    private static Msg refresh(Msg request) {
        Msg msg = inside(MsgClasses.REFRESH, request, null);
        RefreshMsg refresh = (RefreshMsg) msg;
        refresh.applySolicited();
        refresh.applyRefreshComplete();
        refresh.applyHasMsgKey();
        refresh.msgKey().applyHasName();
        refresh.msgKey().name().data(request.msgKey().name().toString());
        refresh.msgKey().applyHasServiceId();
        refresh.msgKey().serviceId(request.msgKey().serviceId());
        refresh.state().streamState(StreamStates.OPEN);
        refresh.state().dataState(DataStates.OK);
        refresh.state().code(StateCodes.NONE);
        refresh.state().text().data("here it is");
        return msg;
    }

    private void answer(TunnelStream tunnel, Msg msg) {
        answer(tunnel, () -> tunnel.submit(msg, errorInfo));
    }

    /** In order, as there is room. */
    private void answer(TunnelStream tunnel, IntSupplier submit) {
        ArrayDeque<IntSupplier> queue = waiting.computeIfAbsent(tunnel, t -> new ArrayDeque<>());
        queue.add(submit);
        send(queue);
    }

    private void send(ArrayDeque<IntSupplier> queue) {
        for (Iterator<IntSupplier> next = queue.iterator(); next.hasNext(); next.remove()) {
            int code = next.next().getAsInt();
            if (code == ReactorReturnCodes.NO_BUFFERS) {
                return;
            }
            expect(code >= ReactorReturnCodes.SUCCESS, "submit: " + code + " " + errorInfo);
        }
    }

    private static LoginRefresh loginRefresh(int streamId, Buffer userName, String text) {
        LoginRefresh refresh = (LoginRefresh) LoginMsgFactory.createMsg();
        refresh.rdmMsgType(LoginMsgType.REFRESH);
        refresh.clear();
        refresh.streamId(streamId);
        refresh.applySolicited();
        refresh.applyHasUserName();
        refresh.userName().data(userName.toString());
        refresh.applyHasUserNameType();
        refresh.userNameType(Login.UserIdTypes.NAME);
        refresh.state().streamState(StreamStates.OPEN);
        refresh.state().dataState(DataStates.OK);
        refresh.state().code(StateCodes.NONE);
        refresh.state().text().data(text);
        return refresh;
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
            case ReactorChannelEventTypes.WARNING -> JavaConsumer.say("WARNING " + event.errorInfo().error().text());
            default -> { }
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int rdmLoginMsgCallback(RDMLoginMsgEvent event) {
        LoginMsg msg = event.rdmLoginMsg();
        if (msg != null && msg.rdmMsgType() == LoginMsgType.REQUEST) {
            LoginRequest request = (LoginRequest) msg;
            int code = event.reactorChannel().submit(loginRefresh(request.streamId(), request.userName(), "welcome"),
                    ReactorFactory.createReactorSubmitOptions(), errorInfo);
            expect(code >= ReactorReturnCodes.SUCCESS, "login refresh: " + errorInfo);
        }
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int rdmDirectoryMsgCallback(RDMDirectoryMsgEvent event) {
        DirectoryMsg msg = event.rdmDirectoryMsg();
        if (msg == null || msg.rdmMsgType() != DirectoryMsgType.REQUEST) {
            return ReactorCallbackReturnCodes.SUCCESS;
        }
        DirectoryRefresh refresh = (DirectoryRefresh) DirectoryMsgFactory.createMsg();
        refresh.rdmMsgType(DirectoryMsgType.REFRESH);
        refresh.clear();
        refresh.streamId(msg.streamId());
        refresh.applySolicited();
        refresh.filter(((DirectoryRequest) msg).filter());
        refresh.state().streamState(StreamStates.OPEN);
        refresh.state().dataState(DataStates.OK);
        refresh.state().code(StateCodes.NONE);
        Service service = DirectoryMsgFactory.createService();
        service.serviceId(Config.SERVICE_ID);
        service.applyHasInfo();
        service.info().serviceName().data(Config.SERVICE);
        service.info().capabilitiesList().add((long) DomainTypes.MARKET_PRICE);
        service.info().capabilitiesList().add((long) DomainTypes.SYSTEM);
        service.applyHasState();
        service.state().serviceState(1);
        service.state().applyHasAcceptingRequests();
        service.state().acceptingRequests(1);
        refresh.serviceList().add(service);
        int code = event.reactorChannel().submit(refresh, ReactorFactory.createReactorSubmitOptions(), errorInfo);
        expect(code >= ReactorReturnCodes.SUCCESS, "directory refresh: " + errorInfo);
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int rdmDictionaryMsgCallback(RDMDictionaryMsgEvent event) {
        return ReactorCallbackReturnCodes.SUCCESS;
    }

    @Override
    public int defaultMsgCallback(ReactorMsgEvent event) {
        expect(event.msg() != null, "a message that cannot be decoded: " + event.errorInfo());
        return ReactorCallbackReturnCodes.SUCCESS;
    }
}
