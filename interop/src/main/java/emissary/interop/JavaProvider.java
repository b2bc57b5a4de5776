package emissary.interop;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.DataType.DataTypes;
import com.refinitiv.ema.access.ElementList;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Msg;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Provides any MarketPrice item from a message file: refresh on request, updates at a fixed rate, posts acknowledged and
 * reflected, generic messages answered. Prints {@code READY} when it listens and ends with {@code RESULT ok ...} or
 * {@code RESULT failed <reason>}. Everything runs on the main thread (user dispatch).
 */
public final class JavaProvider implements OmmProviderClient {
    private static final List<String> USAGE = List.of(
            "--port N            port to listen on",
            "--msg-file FILE     message templates",
            "--dict-dir DIR      folder of RDMFieldDictionary and enumtype.def",
            "--rate N            updates per second over all items (1000)",
            "--latency-rate N    updates per second that carry their send time (10)",
            "--run-time N        seconds until the end (60)",
            "--mark-requests N   print a line MARK requests=N at the Nth refresh (0: never)",
            "--mark-updates N    print a line MARK updates=N at the Nth update (0: never)",
            "--exit-after-logout end as soon as the last client has gone");

    private static final int TICKS_PER_SECOND = 100;

    /** An open streaming item of one client. */
    private static final class Item {
        final long handle;
        final long client;
        int index; // place in the round robin

        Item(OmmProviderEvent event) {
            handle = event.handle();
            client = event.clientHandle();
        }
    }

    /** What a client must get. */
    private static final class Answer {
        final long client;
        final Runnable submit;

        Answer(long client, Runnable submit) {
            this.client = client;
            this.submit = submit;
        }
    }

    private final Args args;
    private final MessageData data;
    private final ArrayDeque<Answer> waiting = new ArrayDeque<>();
    private final Map<Long, Item> byHandle = new HashMap<>();
    private final List<Item> items = new ArrayList<>();
    private final Set<Long> logins = new HashSet<>();
    private final RefreshMsg refresh = EmaFactory.createRefreshMsg();
    private final UpdateMsg update = EmaFactory.createUpdateMsg();
    private final GenericMsg generic = EmaFactory.createGenericMsg();
    private OmmProvider provider;

    private String failure;
    private int nextItem;
    private int nextTemplate;
    private int loginCount;
    private int requests;
    private int reissues;
    private int snapshots;
    private int closes;
    private int posts;
    private int generics;
    private long updates;
    private int refused;

    private JavaProvider(Args args) {
        this.args = args;
        data = MessageData.load(args.required("--msg-file"));
    }

    public static void main(String[] argv) {
        Outcome.of(() -> new JavaProvider(new Args(argv, USAGE)).run());
    }

    private String run() {
        int port = JavaConsumer.portOf(args);
        provider = EmaFactory.createOmmProvider(Config.providerConfig(args), this);
        JavaConsumer.say("READY port=" + port);

        long start = System.nanoTime();
        long end = start + args.number("--run-time", 60) * 1_000_000_000L;
        long period = 1_000_000_000L / TICKS_PER_SECOND;
        long next = start + period;
        for (int tick = 0;; ) {
            long now = System.nanoTime();
            if (now >= end || args.has("--exit-after-logout") && loginCount > 0 && logins.isEmpty()) {
                break;
            }
            // Whoever asks is served in every turn, and what was not published in time is not made up for: on a busy machine
            // a provider that chases its rate would answer nobody.
            provider.dispatch(Math.max(1, (next - now) / 1000));
            sendWaiting();
            if (System.nanoTime() >= next) {
                publish(tick);
                tick = (tick + 1) % TICKS_PER_SECOND;
                next = Math.max(next + period, System.nanoTime());
            }
            if (failure != null) {
                throw new Fail(failure);
            }
        }
        provider.uninitialize();
        return "logins=" + loginCount + " requests=" + requests + " snapshots=" + snapshots + " reissues=" + reissues
                + " closes=" + closes + " updates=" + updates + " posts=" + posts + " generics=" + generics
                + " refused=" + refused;
    }

    /** The part of a rate per second that falls to one tick: the remainder goes to the first ticks. */
    private static int share(int rate, int tick) {
        return rate / TICKS_PER_SECOND + (tick < rate % TICKS_PER_SECOND ? 1 : 0);
    }

    /** Answers must arrive: without a buffer they wait, in order, and updates wait for them. */
    private void answer(OmmProviderEvent event, Runnable submit) {
        waiting.add(new Answer(event.clientHandle(), submit));
        sendWaiting();
    }

    private void sendWaiting() {
        while (!waiting.isEmpty()) {
            try {
                waiting.peek().submit.run();
            } catch (RuntimeException e) {
                if (!e.toString().contains("NO_BUFFERS")) {
                    throw e;
                }
                return;
            }
            waiting.remove();
        }
    }

    private void publish(int tick) {
        int burst = items.isEmpty() || !waiting.isEmpty() ? 0 : share(args.number("--rate", 1000), tick);
        int timed = share(args.number("--latency-rate", 10), tick);
        for (int i = 0; i < burst; i++) {
            nextItem = nextItem + 1 < items.size() ? nextItem + 1 : 0;
            nextTemplate = (nextTemplate + 1) % data.updates.size();
            boolean withTime = i < timed;
            FieldList payload = data.updates.get(nextTemplate)
                    .encode(withTime ? MessageData.UPDATE_TIME : 0, withTime ? JavaConsumer.nowMicros() : -1);
            try {
                provider.submit(update.clear().domainType(EmaRdm.MMT_MARKET_PRICE).payload(payload), items.get(nextItem).handle);
            } catch (RuntimeException e) {
                // No output buffer, or a client that is just going: the rest of the burst is dropped, as the tools do.
                if (refused == 0) {
                    System.err.println("first refused update: " + e);
                }
                refused += burst - i;
                return;
            }
            if (++updates == args.number("--mark-updates", 0)) {
                JavaConsumer.say("MARK updates=" + updates);
            }
        }
    }

    @Override
    public void onReqMsg(ReqMsg msg, OmmProviderEvent event) {
        switch (msg.domainType()) {
            case EmaRdm.MMT_LOGIN:
                acceptLogin(msg, event);
                break;
            case EmaRdm.MMT_MARKET_PRICE:
                requests++;
                answer(msg, event);
                if (msg.interestAfterRefresh()) {
                    Item item = new Item(event);
                    item.index = items.size();
                    items.add(item);
                    byHandle.put(event.handle(), item);
                } else {
                    snapshots++;
                }
                if (requests == args.number("--mark-requests", 0)) {
                    JavaConsumer.say("MARK requests=" + requests);
                }
                break;
            default:
                provider.submit(EmaFactory.createStatusMsg().domainType(msg.domainType()).name(msg.name())
                        .serviceName(msg.serviceName()).state(OmmState.StreamState.CLOSED, OmmState.DataState.SUSPECT,
                                OmmState.StatusCode.NOT_FOUND, "Item not found"), event.handle());
                break;
        }
    }

    private void acceptLogin(ReqMsg msg, OmmProviderEvent event) {
        if (!msg.hasName() || msg.name().isEmpty()) {
            failure = "login request without a name: " + msg;
        }
        loginCount++;
        logins.add(event.handle());
        ElementList attributes = EmaFactory.createElementList();
        attributes.add(EmaFactory.createElementEntry().ascii(EmaRdm.ENAME_APP_ID, "256"));
        attributes.add(EmaFactory.createElementEntry().ascii(EmaRdm.ENAME_APP_NAME, "JavaProvider"));
        attributes.add(EmaFactory.createElementEntry().ascii(EmaRdm.ENAME_POSITION, "127.0.0.1/net"));
        attributes.add(EmaFactory.createElementEntry().uintValue(EmaRdm.ENAME_SINGLE_OPEN, 0));
        attributes.add(EmaFactory.createElementEntry().uintValue(EmaRdm.ENAME_SUPPORT_POST, 1));
        provider.submit(EmaFactory.createRefreshMsg().domainType(EmaRdm.MMT_LOGIN).name(msg.name())
                .nameType(EmaRdm.USER_NAME).complete(true).solicited(true).attrib(attributes)
                .state(OmmState.StreamState.OPEN, OmmState.DataState.OK, OmmState.StatusCode.NONE, "Login accepted"),
                event.handle());
    }

    private void answer(ReqMsg msg, OmmProviderEvent event) {
        int stream = msg.interestAfterRefresh() ? OmmState.StreamState.OPEN : OmmState.StreamState.NON_STREAMING;
        String name = msg.name();
        String service = msg.serviceName();
        boolean isPrivate = msg.privateStream();
        long handle = event.handle();
        answer(event, () -> provider.submit(refresh.clear().domainType(EmaRdm.MMT_MARKET_PRICE).name(name).serviceName(service)
                .state(stream, OmmState.DataState.OK, OmmState.StatusCode.NONE, "Refresh Completed").solicited(true)
                .complete(true).privateStream(isPrivate).payload(data.refresh.encodeImage()), handle));
    }

    @Override
    public void onReissue(ReqMsg msg, OmmProviderEvent event) {
        reissues++;
        if (msg.domainType() == EmaRdm.MMT_MARKET_PRICE && msg.initialImage()) {
            answer(msg, event);
        }
    }

    @Override
    public void onClose(ReqMsg msg, OmmProviderEvent event) {
        Item closed = byHandle.get(event.handle());
        if (closed != null) {
            closes++;
            drop(closed);
        }
        if (logins.remove(event.handle())) {
            // The end of a login, or of its connection, ends all items without a call for each.
            waiting.removeIf(answer -> answer.client == event.clientHandle());
            List<Item> gone = new ArrayList<>(items);
            gone.removeIf(item -> item.client != event.clientHandle());
            gone.forEach(this::drop);
            JavaConsumer.say("LOGOUT items=" + gone.size() + " updates=" + updates);
        }
    }

    private void drop(Item item) {
        byHandle.remove(item.handle);
        Item last = items.remove(items.size() - 1);
        if (last != item) {
            last.index = item.index;
            items.set(item.index, last);
        }
    }

    @Override
    public void onPostMsg(PostMsg msg, OmmProviderEvent event) {
        posts++;
        long handle = event.handle();
        if (byHandle.containsKey(handle) && msg.payload().dataType() == DataTypes.UPDATE_MSG) {
            MessageData.Template[] found = new MessageData.Template[1];
            String difference = MessageData.mismatch(data.posts, msg.payload().updateMsg().payload().fieldList(), found);
            if (difference != null) {
                failure = "post: " + difference;
                return;
            }
            // The message is gone when a buffer comes: what it said is sent, built anew.
            FieldList payload = found[0].encode(MessageData.POST_TIME, found[0].sendTime);
            long userId = msg.publisherIdUserId();
            long userAddress = msg.publisherIdUserAddress();
            long seqNum = msg.hasSeqNum() ? msg.seqNum() : -1;
            answer(event, () -> {
                update.clear().domainType(EmaRdm.MMT_MARKET_PRICE).publisherId(userId, userAddress).payload(payload);
                if (seqNum >= 0) {
                    update.seqNum(seqNum);
                }
                provider.submit(update, handle);
            });
        }
        if (msg.solicitAck()) {
            AckMsg ack = EmaFactory.createAckMsg().domainType(msg.domainType()).ackId(msg.postId());
            if (msg.hasSeqNum()) {
                ack.seqNum(msg.seqNum());
            }
            answer(event, () -> provider.submit(ack, handle));
        }
    }

    @Override
    public void onGenericMsg(GenericMsg msg, OmmProviderEvent event) {
        if (!byHandle.containsKey(event.handle()) || data.generics.isEmpty()) {
            return; // round trip measurement on the login stream, for one
        }
        MessageData.Template[] found = new MessageData.Template[1];
        String difference = MessageData.mismatch(data.generics, msg.payload().fieldList(), found);
        if (difference != null) {
            failure = "generic message: " + difference;
            return;
        }
        FieldList payload = data.generics.get(generics++ % data.generics.size())
                .encode(MessageData.GENERIC_TIME, JavaConsumer.nowMicros());
        long handle = event.handle();
        answer(event, () -> provider.submit(
                generic.clear().domainType(EmaRdm.MMT_MARKET_PRICE).complete(true).payload(payload), handle));
    }

    @Override
    public void onRefreshMsg(RefreshMsg msg, OmmProviderEvent event) {}

    @Override
    public void onStatusMsg(StatusMsg msg, OmmProviderEvent event) {}

    @Override
    public void onAllMsg(Msg msg, OmmProviderEvent event) {}
}
