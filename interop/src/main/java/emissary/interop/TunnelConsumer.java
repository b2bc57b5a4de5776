package emissary.interop;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.ClassOfService;
import com.refinitiv.ema.access.CosAuthentication.CosAuthenticationType;
import com.refinitiv.ema.access.CosDataIntegrity.CosDataIntegrityType;
import com.refinitiv.ema.access.CosFlowControl.CosFlowControlType;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmConsumer;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerEvent;
import com.refinitiv.ema.access.OmmState.DataState;
import com.refinitiv.ema.access.OmmState.StreamState;
import com.refinitiv.ema.access.Payload;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.TunnelStreamRequest;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.rdm.EmaRdm;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The Java twin of interop/cpp/tunnel_consumer.cpp. */
public final class TunnelConsumer implements OmmConsumerClient {
    private static final class Stream {
        final List<String> states = new ArrayList<>();
        int refreshes;
        int echoes;
        int updates;
        int acks;
        long parent;
    }

    private final Args args;
    private final Map<Long, Stream> streams = new HashMap<>();
    private OmmConsumer consumer;
    private String failure;

    private TunnelConsumer(Args args) {
        this.args = args;
    }

    public static void main(String[] argv) {
        Outcome.of(() -> new TunnelConsumer(new Args(argv, Features.USAGE)).run());
    }

    private String run() {
        consumer = EmaFactory.createOmmConsumer(Config.consumerConfig(args, true));
        long plain = open("PLAIN", false);
        long first = openInside(plain);
        echo(first, Tunnels.ECHOES);
        consumer.submit(generic(Tunnels.BURST, 0), first);
        waitFor("the updates of the burst", () -> stream(first).updates == Tunnels.BURST_UPDATES);
        consumer.submit(EmaFactory.createPostMsg().domainType(EmaRdm.MMT_MARKET_PRICE).postId(Tunnels.POST_ID)
                .solicitAck(true).complete(true), first);
        waitFor("the acknowledgement", () -> stream(first).acks == 1);
        consumer.unregister(openInside(plain));

        long withLogin = open("LOGIN", true);
        long inside = openInside(withLogin);
        echo(inside, Tunnels.FEW_ECHOES);
        refused();
        consumer.unregister(plain);
        consumer.submit(generic(Tunnels.CLOSE_TUNNEL, 0), inside);
        ends(withLogin, stateText(StreamState.OPEN, DataState.SUSPECT), stateText(StreamState.CLOSED, DataState.SUSPECT));

        long last = open("LAST", false);
        consumer.submit(generic(Tunnels.END_CONNECTION, 0), openInside(last));
        ends(last, "", stateText(StreamState.CLOSED_RECOVER, DataState.SUSPECT));
        consumer.uninitialize();
        return "open echo burst post login refused closed lost";
    }

    private static String stateText(int stream, int data) {
        return stream + "/" + data + " ";
    }

    private static GenericMsg generic(int domain, int n) {
        return EmaFactory.createGenericMsg().domainType(domain).complete(true)
                .payload(EmaFactory.createOmmOpaque().buffer(ByteBuffer.wrap(Tunnels.content(n))));
    }

    private static TunnelStreamRequest request(String name, boolean login) {
        ClassOfService cos = EmaFactory.createClassOfService()
                .dataIntegrity(EmaFactory.createCosDataIntegrity().type(CosDataIntegrityType.RELIABLE))
                .flowControl(EmaFactory.createCosFlowControl().type(CosFlowControlType.BIDIRECTIONAL).recvWindowSize(15000));
        TunnelStreamRequest request = EmaFactory.createTunnelStreamRequest().domainType(EmaRdm.MMT_SYSTEM).name(name)
                .serviceName(Config.SERVICE);
        if (login) {
            cos.authentication(EmaFactory.createCosAuthentication().type(CosAuthenticationType.OMM_LOGIN));
            request.loginReqMsg(EmaFactory.createReqMsg().domainType(EmaRdm.MMT_LOGIN).name("interop"));
        }
        return request.classOfService(cos);
    }

    private long open(String name, boolean login) {
        long handle = consumer.registerClient(request(name, login), this);
        List<String> states = stream(handle).states;
        waitFor("tunnel " + name, () -> !states.isEmpty());
        check(states.get(0).startsWith(stateText(StreamState.OPEN, DataState.OK)), name + ": " + states.get(0));
        return handle;
    }

    private long openInside(long tunnel) {
        long handle = consumer.registerClient(EmaFactory.createReqMsg().domainType(EmaRdm.MMT_MARKET_PRICE).name("INSIDE")
                .serviceId(Config.SERVICE_ID), this, null, tunnel);
        waitFor("an answer inside", () -> stream(handle).refreshes == 1);
        check(stream(handle).parent == tunnel, "the stream inside has another parent");
        return handle;
    }

    /** Some are under way at once, more than the window takes. */
    private void echo(long handle, int count) {
        Stream stream = stream(handle);
        for (int n = 0; n < count; n++) {
            int sent = n;
            waitFor("room for message " + sent, () -> sent - stream.echoes < 8);
            consumer.submit(generic(Tunnels.ECHO, sent), handle);
        }
        waitFor("the last echo", () -> stream.echoes == count);
    }

    private void refused() {
        List<String> states = stream(consumer.registerClient(request("NO", false), this)).states;
        waitFor("the refusal", () -> !states.isEmpty());
        check(states.get(0).equals(stateText(StreamState.CLOSED, DataState.SUSPECT) + "not here"),
                "the refusal says " + states.get(0));
    }

    /** {@code first} is not told where it is empty. */
    private void ends(long tunnel, String first, String second) {
        List<String> states = stream(tunnel).states;
        int due = first.isEmpty() ? 2 : 3;
        waitFor("the end of a tunnel", () -> states.size() >= due);
        check(states.size() == due && states.get(due - 1).startsWith(second) && states.get(1).startsWith(first),
                "a tunnel ends with " + states);
    }

    private Stream stream(long handle) {
        return streams.computeIfAbsent(handle, h -> new Stream());
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

    private void compare(int n, Payload payload) {
        String difference = payload.dataType() != DataTypes.OPAQUE ? "message " + n + " has another payload"
                : Tunnels.difference(n, payload.opaque().buffer());
        failure = failure == null ? difference : failure;
    }

    @Override
    public void onRefreshMsg(RefreshMsg msg, OmmConsumerEvent event) {
        stream(event.handle()).refreshes++;
        stream(event.handle()).parent = event.parentHandle();
    }

    @Override
    public void onStatusMsg(StatusMsg msg, OmmConsumerEvent event) {
        if (msg.hasState()) {
            stream(event.handle()).states.add(
                    stateText(msg.state().streamState(), msg.state().dataState()) + msg.state().statusText());
        }
    }

    @Override
    public void onGenericMsg(GenericMsg msg, OmmConsumerEvent event) {
        compare(stream(event.handle()).echoes++, msg.payload());
    }

    @Override
    public void onUpdateMsg(UpdateMsg msg, OmmConsumerEvent event) {
        compare(stream(event.handle()).updates++, msg.payload());
    }

    @Override
    public void onAckMsg(AckMsg msg, OmmConsumerEvent event) {
        stream(event.handle()).acks++;
        failure = msg.ackId() == Tunnels.POST_ID ? failure : "an acknowledgement of something else";
    }

    @Override
    public void onAllMsg(Msg msg, OmmConsumerEvent event) {}
}
