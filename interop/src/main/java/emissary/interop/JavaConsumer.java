package emissary.interop;

import com.refinitiv.ema.access.AckMsg;
import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.FieldEntry;
import com.refinitiv.ema.access.FieldList;
import com.refinitiv.ema.access.GenericMsg;
import com.refinitiv.ema.access.Msg;
import com.refinitiv.ema.access.OmmConsumer;
import com.refinitiv.ema.access.OmmConsumerClient;
import com.refinitiv.ema.access.OmmConsumerConfig;
import com.refinitiv.ema.access.OmmConsumerEvent;
import com.refinitiv.ema.access.OmmState;
import com.refinitiv.ema.access.PostMsg;
import com.refinitiv.ema.access.RefreshMsg;
import com.refinitiv.ema.access.ReqMsg;
import com.refinitiv.ema.access.StatusMsg;
import com.refinitiv.ema.access.UpdateMsg;
import com.refinitiv.ema.rdm.EmaRdm;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Consumes every value of a provider of MarketPrice items and compares it with the message file that the provider uses.
 * The last line on stdout is {@code RESULT ok ...} or {@code RESULT failed <reason>}; the exit code is 0 or 1. Everything runs
 * on the main thread (user dispatch), and every wait has a limit.
 */
public final class JavaConsumer implements OmmConsumerClient {
    private static final List<String> USAGE = List.of(
            "--host NAME        provider's host (localhost)",
            "--port N           provider's port",
            "--msg-file FILE    message templates that the provider uses",
            "--dict-dir DIR     compare the downloaded dictionaries with RDMFieldDictionary and enumtype.def in here",
            "--item-file FILE   item list to take names from",
            "--prefix NAME      else names are NAME1, NAME2, ... (ITEM)",
            "--items N          items to request (1000)",
            "--updates N        updates to wait for on each item (2)",
            "--snapshots N      further items requested as snapshots (10)",
            "--posts N          posts to send, one an item, each to be acknowledged and reflected (0)",
            "--generics N       generic messages to send, one an item, each to be answered (0)",
            "--joined           updates come joined, several in one with their number",
            "--expect-restart   when all is received, wait until the provider has gone and is back",
            "--watch            when all is received, go on, and print STATE with a hash of all fields whenever they are others",
            "--failovers N      when all is received, wait N times until the other server of the warm standby pair sends (0)");

    private static final long PUBLISHER_ID = ProcessHandle.current().pid();
    private static final long PUBLISHER_ADDRESS = 0x7F000001;

    /** What is known of one requested item. */
    private static final class Item {
        final String name;
        final boolean snapshot;
        long handle;
        final Map<Integer, String> values = new TreeMap<>(); // by field, with --watch
        boolean image;
        boolean suspect;
        int updates;
        boolean acked;
        boolean reflected;
        boolean answered;

        Item(String name, boolean snapshot) {
            this.name = name;
            this.snapshot = snapshot;
        }
    }

    private final Args args;
    private final int waitSeconds;
    private final int updatesDue;
    private final MessageData data;
    private final MessageData.Template[] found = new MessageData.Template[1];
    private final List<Item> items = new ArrayList<>();
    private final List<MessageData.Template> imagesAndUpdates = new ArrayList<>();
    private final DictionaryCheck dictionary = new DictionaryCheck();
    private OmmConsumer consumer;

    private String failure;
    private boolean loginUp;
    private boolean servicePresent;
    private int images;
    private int snapshotImages;
    private int suspects;
    private int failovers; // that were announced
    private int portOfUpdates; // where the last update came from
    private int satisfied; // items with at least updatesDue updates
    private long updates;
    private long joined; // what the updates stand for
    private int acks;
    private int reflections;
    private int answers;
    private long latencies;
    private long latencySum;
    private long latencyMax;

    private JavaConsumer(Args args) {
        this.args = args;
        waitSeconds = Config.patienceSeconds(args);
        updatesDue = args.number("--updates", 2);
        data = MessageData.load(args.required("--msg-file"));
        imagesAndUpdates.add(data.refresh);
        imagesAndUpdates.addAll(data.updates);
        int count = args.number("--items", 1000);
        String file = args.text("--item-file", null);
        List<String> names = file == null ? null : readNames(file, count);
        String prefix = args.text("--prefix", "ITEM");
        for (int i = 0; i < count; i++) {
            items.add(new Item(names == null ? prefix + (i + 1) : names.get(i), false));
        }
        for (int i = 0; i < args.number("--snapshots", 10); i++) {
            items.add(new Item(prefix + "_SNAP" + (i + 1), true));
        }
    }

    public static void main(String[] argv) {
        Outcome.of(() -> new JavaConsumer(new Args(argv, USAGE)).run());
    }

    private String run() {
        int count = items.size() - args.number("--snapshots", 10);
        OmmConsumerConfig config = Config.consumerConfig(args);
        long start = System.nanoTime();
        consumer = EmaFactory.createOmmConsumer(config, this, "login");
        say("CONNECTED ms=" + sinceMs(start));

        request(EmaRdm.MMT_DIRECTORY, EmaFactory.createReqMsg()
                .filter(EmaRdm.SERVICE_INFO_FILTER | EmaRdm.SERVICE_STATE_FILTER), "directory");
        waitFor("login and service " + Config.SERVICE, () -> loginUp && servicePresent, () -> "");
        long fields = request(EmaRdm.MMT_DICTIONARY, EmaFactory.createReqMsg().name(DictionaryCheck.FIELDS)
                .filter(EmaRdm.DICTIONARY_NORMAL), "dictionary");
        long enums = request(EmaRdm.MMT_DICTIONARY, EmaFactory.createReqMsg().name(DictionaryCheck.ENUMS)
                .filter(EmaRdm.DICTIONARY_NORMAL), "dictionary");
        waitFor("dictionaries", dictionary::complete, () -> "");
        if (args.text("--standby", null) != null) {
            // 3.9.1 ends them with a server that is lost, and throws a NullPointerException when it walks them again.
            consumer.unregister(fields);
            consumer.unregister(enums);
        }
        String folder = args.text("--dict-dir", null);
        boolean json = args.text("--protocol", "").equals("rssl.json.v2");
        String compared = folder == null ? "" : " " + dictionary.compareWith(folder, json);
        say("DICTIONARY ms=" + sinceMs(start) + compared);

        for (Item item : items) {
            ReqMsg request = EmaFactory.createReqMsg().name(item.name).interestAfterRefresh(!item.snapshot)
                    .conflatedInUpdates(args.has("--joined"));
            item.handle = request(EmaRdm.MMT_MARKET_PRICE, request, item);
        }
        awaitImagesAndUpdates(count);
        sendPosts();
        sendGenerics();
        if (args.has("--expect-restart")) {
            say("EXPECT-RESTART");
            waitFor("all items suspect", () -> suspects == count, () -> suspects + " of " + count);
            say("SUSPECT items=" + suspects);
            awaitImagesAndUpdates(count);
            say("RECOVERED items=" + images);
        }
        for (int i = 1; i <= args.number("--failovers", 0); i++) {
            awaitFailover(i, count);
        }
        if (args.has("--watch")) {
            watch();
        }
        if (args.has("--joined")) {
            if (4 * joined < 5 * updates) { // fields that ripple come with each of their values
                throw new Fail(updates + " updates stand for " + joined + " only");
            }
            consumer.uninitialize();
            return "items=" + images + " updates=" + updates + " joined=" + joined;
        }
        for (MessageData.Template template : data.updates) {
            if (template.seen == 0 && updates >= 10L * data.updates.size()) {
                throw new Fail("update template " + (data.updates.indexOf(template) + 1) + " was never received");
            }
        }
        String result = "items=" + images + " snapshots=" + snapshotImages + " updates=" + updates + compared;
        if (acks + answers > 0) {
            result += " acks=" + acks + " reflected=" + reflections + " generics=" + answers;
        }
        if (latencies > 0) {
            result += " latencies=" + latencies + " latencyAvgUs=" + latencySum / latencies + " latencyMaxUs=" + latencyMax;
        }
        if (failovers > 0) {
            result += " failovers=" + failovers;
        }
        consumer.uninitialize();
        return result;
    }

    private void awaitImagesAndUpdates(int count) {
        long start = System.nanoTime();
        int snapshots = items.size() - count;
        waitFor("images", () -> images == count && snapshotImages == snapshots,
                () -> images + " of " + count + ", snapshots " + snapshotImages + " of " + snapshots);
        say("IMAGES items=" + images + " ms=" + sinceMs(start));
        waitFor(updatesDue + " updates of each item", () -> satisfied == count, () -> satisfied + " of " + count);
        say("UPDATES total=" + updates + " ms=" + sinceMs(start));
    }

    /**
     * The server that sends is killed once this is printed. With this library every item becomes suspect then (whoever the servers are);
     * each must get a new image, and updates, from the other server, and nothing else may happen to an item, the login or the directory.
     */
    private void awaitFailover(int number, int count) {
        int from = portOfUpdates;
        failovers = number;
        suspects = 0;
        items.forEach(item -> item.suspect = false);
        say("EXPECT-FAILOVER " + number + " port=" + from);
        waitFor("all items suspect", () -> suspects == count, () -> suspects + " of " + count);
        awaitImagesAndUpdates(count);
        if (portOfUpdates == from) {
            throw new Fail("updates still come from port " + from);
        }
        say("FAILED-OVER " + number + " port=" + portOfUpdates);
    }

    /** Until the process is ended; a failure ends it as well. */
    private void watch() {
        int said = 0;
        while (failure == null) {
            long next = System.nanoTime() + 200_000_000L;
            while (System.nanoTime() < next) {
                consumer.dispatch(50_000);
            }
            int hash = 1;
            for (Item item : items) {
                hash = 31 * hash + item.values.hashCode();
            }
            if (hash != said) {
                said = hash;
                say("STATE " + Integer.toHexString(hash) + " joined=" + joined + " updates=" + updates);
            }
        }
        throw new Fail(failure);
    }

    private void keep(Item item, FieldList fields) {
        if (args.has("--watch")) {
            for (FieldEntry entry : fields) {
                item.values.put(entry.fieldId(), entry.load().toString());
            }
        }
    }

    private void sendPosts() {
        int count = args.number("--posts", 0);
        if (count > 0 && data.posts.isEmpty()) {
            throw new Fail("the message file has no postMsg");
        }
        for (int i = 0; i < count; i++) {
            MessageData.Template template = data.posts.get(i % data.posts.size());
            UpdateMsg update = EmaFactory.createUpdateMsg().payload(template.encode(MessageData.POST_TIME, nowMicros()));
            PostMsg post = EmaFactory.createPostMsg().domainType(EmaRdm.MMT_MARKET_PRICE).postId(i + 1).seqNum(i + 1)
                    .solicitAck(true).complete(true).publisherId(PUBLISHER_ID, PUBLISHER_ADDRESS).payload(update);
            consumer.submit(post, items.get(i).handle);
        }
        waitFor("acknowledged and reflected posts", () -> acks == count && reflections == count,
                () -> acks + " acks, " + reflections + " reflections of " + count);
    }

    private void sendGenerics() {
        int count = args.number("--generics", 0);
        if (count > 0 && data.generics.isEmpty()) {
            throw new Fail("the message file has no genMsg");
        }
        for (int i = 0; i < count; i++) {
            MessageData.Template template = data.generics.get(i % data.generics.size());
            GenericMsg generic = EmaFactory.createGenericMsg().domainType(EmaRdm.MMT_MARKET_PRICE).complete(true)
                    .payload(template.encode(MessageData.GENERIC_TIME, nowMicros()));
            consumer.submit(generic, items.get(i).handle);
        }
        waitFor("answers to generic messages", () -> answers == count, () -> answers + " of " + count);
    }

    private long request(int domain, ReqMsg request, Object closure) {
        return consumer.registerClient(request.domainType(domain).serviceName(Config.SERVICE), this, closure);
    }

    private void waitFor(String what, BooleanSupplier done, java.util.function.Supplier<String> progress) {
        long deadline = Config.deadline(args);
        while (!done.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new Fail("timeout of " + waitSeconds + " s waiting for " + what + ": " + progress.get());
            }
            consumer.dispatch(100_000);
            if (failure != null) {
                throw new Fail(failure);
            }
        }
    }

    /** Keeps the first problem; callbacks do not throw through the library. */
    private void fail(String reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    @Override
    public void onRefreshMsg(RefreshMsg msg, OmmConsumerEvent event) {
        OmmState state = msg.state();
        if (event.closure() instanceof Item) {
            onImage((Item) event.closure(), msg);
            return;
        }
        if (state.streamState() != OmmState.StreamState.OPEN || state.dataState() != OmmState.DataState.OK) {
            fail(event.closure() + " refresh has state " + state);
            return;
        }
        switch (event.closure().toString()) {
            case "login":
                loginUp = true;
                break;
            case "directory":
                servicePresent |= DirectoryCheck.isUsable(msg);
                break;
            default:
                dictionary.onRefresh(msg);
                break;
        }
    }

    private void onImage(Item item, RefreshMsg msg) {
        OmmState state = msg.state();
        int due = item.snapshot ? OmmState.StreamState.NON_STREAMING : OmmState.StreamState.OPEN;
        if (state.streamState() != due || state.dataState() != OmmState.DataState.OK) {
            fail("refresh of " + item.name + " has state " + state);
        } else if (!msg.complete() || !msg.hasName() || !msg.name().equals(item.name)) {
            fail("refresh of " + item.name + " is incomplete or has another name: " + msg);
        } else if (!msg.hasServiceId() || msg.serviceId() != Config.SERVICE_ID || !Config.SERVICE.equals(msg.serviceName())) {
            fail("refresh of " + item.name + " has another service: " + msg);
        } else if (item.image) {
            fail("second refresh of " + item.name + " without a new request");
        } else {
            // A server that keeps images sends them with the updates since then.
            boolean first = failovers == 0 && !args.has("--watch");
            String difference = first ? data.refresh.mismatch(msg.payload().fieldList())
                    : MessageData.mismatchOfJoined(imagesAndUpdates, msg.payload().fieldList());
            if (difference != null) {
                fail("refresh of " + item.name + ": " + difference);
            } else if (first && (data.refresh.timeFields != 3 || data.refresh.sendTime != -1)) {
                fail("refresh of " + item.name + ": the three send-time fields are not there and blank");
            }
        }
        keep(item, msg.payload().fieldList());
        item.image = true;
        item.suspect = false;
        if (item.snapshot) {
            snapshotImages++;
        } else {
            images++;
        }
    }

    @Override
    public void onUpdateMsg(UpdateMsg msg, OmmConsumerEvent event) {
        if (event.closure().equals("directory")) {
            return; // a service that goes and comes back; items tell the story
        }
        if (!(event.closure() instanceof Item)) {
            fail(event.closure() + " received an update: " + msg);
            return;
        }
        Item item = (Item) event.closure();
        if (!item.image || item.snapshot) {
            fail("update of " + item.name + (item.snapshot ? ", a snapshot" : " before its refresh"));
        }
        portOfUpdates = event.channelInformation().port();
        keep(item, msg.payload().fieldList());
        boolean ours = msg.hasPublisherId() && msg.publisherIdUserId() == PUBLISHER_ID
                && msg.publisherIdUserAddress() == PUBLISHER_ADDRESS;
        if (args.has("--joined")) {
            String difference = MessageData.mismatchOfJoined(data.updates, msg.payload().fieldList());
            if (difference != null) {
                fail("update of " + item.name + ": " + difference);
                return;
            }
            joined += msg.hasConflated() ? msg.conflatedCount() : 1;
            updates++;
            if (++item.updates == updatesDue) {
                satisfied++;
            }
            return;
        }
        String difference = MessageData.mismatch(ours ? data.posts : data.updates, msg.payload().fieldList(), found);
        if (difference != null) {
            fail((ours ? "reflected post of " : "update of ") + item.name + ": " + difference);
            return;
        }
        if (found[0].sendTime >= 0) {
            long latency = nowMicros() - found[0].sendTime;
            if (latency < 0 || latency > waitSeconds * 1_000_000L) {
                fail("update of " + item.name + " carries send time " + found[0].sendTime + ", now is " + nowMicros());
            }
            latencies++;
            latencySum += latency;
            latencyMax = Math.max(latencyMax, latency);
        }
        if (ours) {
            if (!msg.hasSeqNum() || items.indexOf(item) + 1 != msg.seqNum() || found[0].sendTime < 0) {
                fail("reflected post of " + item.name + " has lost its sequence number or send time: " + msg);
            }
            reflections += item.reflected ? 0 : 1;
            item.reflected = true;
            return;
        }
        updates++;
        if (++item.updates == updatesDue) {
            satisfied++;
        }
    }

    @Override
    public void onStatusMsg(StatusMsg msg, OmmConsumerEvent event) {
        boolean restart = args.has("--expect-restart") && images + suspects > 0 || failovers > 0;
        if (!(event.closure() instanceof Item)) {
            say("STATUS " + event.closure() + " " + (msg.hasState() ? msg.state() : "without state"));
            boolean open = msg.hasState() && msg.state().streamState() == OmmState.StreamState.OPEN;
            boolean suspect = !msg.hasState() || msg.state().dataState() != OmmState.DataState.OK;
            // Before the first login the library reports each connection attempt that failed, and tries again.
            // Dictionary streams end with the connection: what they delivered stays valid.
            if (loginUp && (!open && !event.closure().equals("dictionary") || suspect && (!restart || failovers > 0))) {
                fail(event.closure() + " received status " + msg.state());
            }
            return;
        }
        Item item = (Item) event.closure();
        boolean suspect = msg.hasState() && msg.state().streamState() == OmmState.StreamState.OPEN
                && msg.state().dataState() == OmmState.DataState.SUSPECT;
        if (!restart || !suspect || item.snapshot) {
            fail(item.name + " received status " + (msg.hasState() ? msg.state() : "without state"));
        } else if (!item.suspect) {
            item.suspect = true;
            suspects++;
            if (item.image) {
                item.image = false;
                images--;
            }
            if (item.updates >= updatesDue) {
                satisfied--;
            }
            item.updates = 0;
        }
    }

    @Override
    public void onGenericMsg(GenericMsg msg, OmmConsumerEvent event) {
        if (!(event.closure() instanceof Item)) {
            return;
        }
        Item item = (Item) event.closure();
        String difference = MessageData.mismatch(data.generics, msg.payload().fieldList(), found);
        if (difference != null) {
            fail("generic message of " + item.name + ": " + difference);
        }
        answers += item.answered ? 0 : 1;
        item.answered = true;
    }

    @Override
    public void onAckMsg(AckMsg msg, OmmConsumerEvent event) {
        Item item = event.closure() instanceof Item ? (Item) event.closure() : null;
        int index = (int) msg.ackId() - 1;
        if (item == null || msg.hasNackCode() || index < 0 || index >= items.size() || items.get(index) != item
                || !msg.hasSeqNum() || msg.seqNum() != msg.ackId() || item.acked) {
            fail("unexpected acknowledgement: " + msg);
            return;
        }
        item.acked = true;
        acks++;
    }

    @Override
    public void onAllMsg(Msg msg, OmmConsumerEvent event) {}

    private static List<String> readNames(String file, int count) {
        List<String> names = new ArrayList<>();
        try {
            NodeList nodes = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File(file))
                    .getElementsByTagName("item");
            for (int i = 0; i < nodes.getLength() && names.size() < count; i++) {
                Element item = (Element) nodes.item(i);
                if (item.getAttribute("domain").equals("MarketPrice")) {
                    names.add(item.getAttribute("name"));
                }
            }
        } catch (Exception e) {
            throw new Fail(file + " cannot be read: " + e);
        }
        if (names.size() < count) {
            throw new Fail(file + " has only " + names.size() + " MarketPrice items");
        }
        return names;
    }

    static int portOf(Args args) {
        args.required("--port");
        return args.number("--port", 0);
    }

    /** The clock of the send-time fields: monotonic, microseconds, the same in every process of this host. */
    static long nowMicros() {
        return System.nanoTime() / 1000;
    }

    private static long sinceMs(long startNanos) {
        return (System.nanoTime() - startNanos) / 1_000_000;
    }

    static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
