import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The WebSocket of the JDK (java.net.http) and no library beside it: texts are taken one at a time, as request(1) has it, put together
 * from their parts, and sent in parts of 50 characters. Requests are built with String.format.
 *
 * <p>Usage: java JdkClient.java URL CA-FILE all|answer|send SECONDS NAME (CA-FILE: - without TLS)
 */
public final class JdkClient implements WebSocket.Listener {
    private final StringBuilder partial = new StringBuilder();
    private final LinkedBlockingQueue<Map<String, Object>> inbox = new LinkedBlockingQueue<>();
    private final List<Map<String, Object>> seen = new ArrayList<>();
    private volatile String ended;
    private int pings, pongs;

    @Override public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
        partial.append(data);
        if (last) {
            try {
                for (Object message : (List<?>) Json.read(partial.toString())) inbox.add(Json.object(message));
            } catch (RuntimeException failure) {
                ended = failure.toString();
            }
            partial.setLength(0);
        }
        socket.request(1);
        return null;
    }

    @Override public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        ended = "closed with " + code + " " + reason;
        return null;
    }

    @Override public void onError(WebSocket socket, Throwable error) { ended = error.toString(); }

    /** The next message that fits; pings are answered, and what comes before it is remembered. */
    private Map<String, Object> next(WebSocket socket, String type, long id, Predicate<Map<String, Object>> more) throws Exception {
        for (int i = 0; i < seen.size(); i++)
            if (fits(seen.get(i), type, id) && more.test(seen.get(i))) return seen.remove(i);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            Map<String, Object> message = inbox.poll(200, TimeUnit.MILLISECONDS);
            if (message == null) {
                if (ended != null) throw new IllegalStateException(ended);
                if (System.nanoTime() > end) throw new IllegalStateException("no " + type + " on " + id + "; seen: " + seen);
                continue;
            }
            if (message.get("Type").equals("Ping")) {
                pings++;
                say(socket, "{\"Type\":\"Pong\"}");
            }
            if (message.get("Type").equals("Pong")) pongs++;
            if (fits(message, type, id) && more.test(message)) return message;
            if (seen.size() == 200) seen.remove(0);
            seen.add(message);
        }
    }

    private Map<String, Object> next(WebSocket socket, String type, long id) throws Exception {
        return next(socket, type, id, m -> true);
    }

    private static boolean fits(Map<String, Object> message, String type, long id) {
        return message.get("Type").equals(type) && (id == 0 || ((Number) message.get("ID")).longValue() == id);
    }

    private static void say(WebSocket socket, String format, Object... values) {
        String text = values.length == 0 ? format : String.format(format, values);
        for (int at = 0; at < text.length(); at += 50)
            socket.sendText(text.substring(at, Math.min(at + 50, text.length())), at + 50 >= text.length()).join();
    }

    private static void check(boolean condition, String text, Object message) {
        if (!condition) throw new IllegalStateException(text + ": " + message);
    }

    private void login(WebSocket socket) throws Exception {
        say(socket, "{\"ID\": 1, \"Domain\": \"Login\", \"Key\": {\"Name\": \"java\", \"Elements\": {\"ApplicationId\": \"256\","
                + " \"Position\": \"127.0.0.1/net\", \"ProvidePermissionProfile\": \"1\"}}}");
        Map<String, Object> answer = next(socket, "Refresh", 1);
        check("Open".equals(Json.at(answer, "State", "Stream")) && Json.number(answer, "Elements", "MaxMsgSize") > 6000, "login", answer);
    }

    private String everything(WebSocket socket, String name) throws Exception {
        login(socket);
        say(socket, "{\"ID\": 2, \"Key\": {\"Name\": \"%s.A\"}}", name);
        Map<String, Object> image = next(socket, "Refresh", 2);
        check("DIRECT_FEED".equals(Json.at(image, "Key", "Service")) && Json.number(image, "Fields", "BID") > 0, "image", image);
        Map<String, Object> update = next(socket, "Update", 2);
        check(image.get("Key").equals(update.get("Key")), "key of an update", update);
        say(socket, "{\"ID\": 3, \"Key\": {\"Name\": \"NONE.%s\"}}", name);
        Map<String, Object> none = next(socket, "Status", 3);
        check("NotFound".equals(Json.at(none, "State", "Code")) && ("NONE." + name).equals(Json.at(none, "Key", "Name"))
                && "DIRECT_FEED".equals(Json.at(none, "Key", "Service")), "an item that is none", none);

        say(socket, "{\"ID\": 10, \"Key\": {\"Name\": [\"%1$s.B\", \"%1$s.C\"]}, \"View\": [\"BID\", 15]}", name);
        check("Closed".equals(Json.at(next(socket, "Status", 10), "State", "Stream")), "answer to a batch", seen);
        for (int id = 11; id <= 12; id++) {
            Map<String, Object> one = next(socket, "Refresh", id);
            check(Json.object(one.get("Fields")).keySet().equals(java.util.Set.of("BID", "CURRENCY")), "image of a batch with a view", one);
        }
        say(socket, "{\"ID\": 20, \"Streaming\": false, \"Key\": {\"Name\": \"%s.S\"}}", name);
        check("NonStreaming".equals(Json.at(next(socket, "Refresh", 20), "State", "Stream")), "snapshot", seen);

        String post = "{\"ID\": %d, \"Type\": \"Post\", \"Domain\": \"MarketPrice\", \"Ack\": true, \"PostID\": %d, %s"
                + "\"PostUserInfo\": {\"Address\": \"127.0.0.1\", \"UserID\": 21}, \"Message\": {\"ID\": 0, \"Type\": \"Update\","
                + " \"Domain\": \"MarketPrice\", \"Fields\": {\"BID\": %s}}}";
        say(socket, post, 2, 1, "", String.valueOf(1e-3f));
        Map<String, Object> ack = next(socket, "Ack", 2);
        check(Json.number(ack, "AckID") == 1 && !ack.containsKey("NakCode"), "post on stream", ack);
        next(socket, "Update", 2, m -> Json.number(m, "Fields", "BID") == 0.001);
        say(socket, post, 1, 2, "\"Key\": {\"Name\": \"" + name + ".A\"}, ", "1.0E3");
        ack = next(socket, "Ack", 1);
        check(Json.number(ack, "AckID") == 2 && !ack.containsKey("NakCode"), "post off stream", ack);
        next(socket, "Update", 2, m -> Json.number(m, "Fields", "BID") == 1000);
        say(socket, post, 2, 3, "", "-0.25");
        Map<String, Object> nak = next(socket, "Ack", 2);
        check("InvalidContent".equals(nak.get("NakCode")), "refusal of a post", nak);
        say(socket, post, 2, 4, "", "\"0.25\"");
        Map<String, Object> error = next(socket, "Error", 2);
        check(String.valueOf(error.get("Text")).contains("0.25"), "a number in quotes", error);

        say(socket, "{\"ID\": [11, 12], \"Type\": \"Close\"}");
        check("Closed".equals(Json.at(next(socket, "Status", 11), "State", "Stream")), "answer to the close of a batch", seen);
        say(socket, "{\"ID\": 2, \"Type\": \"Close\"}");
        say(socket, "{\"Type\": \"Ping\"}");
        next(socket, "Pong", 0);
        seen.clear();
        say(socket, "{\"ID\": 30, \"Key\": {\"Name\": \"%s.LAST\"}}", name);
        next(socket, "Update", 30);
        check(seen.stream().allMatch(m -> fits(m, String.valueOf(m.get("Type")), 30)), "updates after the close", seen);
        say(socket, "{\"ID\": 1, \"Type\": \"Close\", \"Domain\": \"Login\"}");
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30); ended == null && System.nanoTime() < end;) Thread.sleep(10);
        return String.valueOf(ended);
    }

    private String idle(WebSocket socket, String mode, long seconds) throws Exception {
        login(socket);
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds); System.nanoTime() < end;) {
            if (mode.equals("send")) {
                say(socket, "{\"Type\":\"Ping\"}");
                next(socket, "Pong", 0);
                Thread.sleep(1000);
            } else {
                next(socket, "Ping", 0);
            }
        }
        check(ended == null, "connection", ended);
        return "pings=" + pings + " pongs=" + pongs;
    }

    private static SSLContext trusting(String file) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (FileInputStream in = new FileInputStream(file)) {
            store.setCertificateEntry("authority", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    public static void main(String[] args) {
        try {
            HttpClient.Builder builder = HttpClient.newBuilder();
            if (args[0].startsWith("wss")) builder.sslContext(trusting(args[1]));
            JdkClient client = new JdkClient();
            WebSocket socket = builder.build().newWebSocketBuilder().subprotocols("tr_json2", "rssl.json.v2")
                    .buildAsync(URI.create(args[0]), client).get(30, TimeUnit.SECONDS);
            check(socket.getSubprotocol().endsWith("json2") || socket.getSubprotocol().endsWith("json.v2"), "sub-protocol",
                    socket.getSubprotocol());
            String said = args[2].equals("all") ? client.everything(socket, args[4])
                    : client.idle(socket, args[2], Long.parseLong(args[3]));
            System.out.println("RESULT ok " + said);
            System.exit(0);
        } catch (Exception failure) {
            System.out.println("RESULT failed " + failure);
            System.exit(1);
        }
    }

    /** JSON as maps, lists, strings, doubles, booleans and null. */
    private static final class Json {
        private final String text;
        private int at;

        private Json(String text) { this.text = text; }

        static Object read(String text) {
            Json json = new Json(text);
            Object value = json.value();
            if (json.peek() != 0) throw new IllegalArgumentException("more than JSON at " + json.at + " of " + text);
            return value;
        }

        @SuppressWarnings("unchecked") static Map<String, Object> object(Object value) { return (Map<String, Object>) value; }

        static Object at(Object value, String... path) {
            for (String name : path) value = value == null ? null : object(value).get(name);
            return value;
        }

        static double number(Object value, String... path) {
            return at(value, path) instanceof Number number ? number.doubleValue() : Double.NaN;
        }

        private char peek() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
            return at < text.length() ? text.charAt(at) : 0;
        }

        private boolean take(char c) {
            if (peek() != c) return false;
            at++;
            return true;
        }

        private Object value() {
            if (take('[')) {
                List<Object> list = new ArrayList<>();
                while (!take(']')) {
                    list.add(value());
                    take(',');
                }
                return list;
            }
            if (take('{')) {
                Map<String, Object> map = new HashMap<>();
                while (!take('}')) {
                    String name = (String) value();
                    if (!take(':')) throw new IllegalArgumentException("no colon at " + at + " of " + text);
                    map.put(name, value());
                    take(',');
                }
                return map;
            }
            if (take('"')) return string();
            int begin = at;
            while (at < text.length() && ",]}".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(begin, at).trim();
            return switch (word) {
                case "null" -> null;
                case "true", "false" -> Boolean.valueOf(word);
                default -> Double.valueOf(word);
            };
        }

        private String string() {
            StringBuilder out = new StringBuilder();
            while (true) {
                char c = text.charAt(at++);
                if (c == '"') return out.toString();
                if (c != '\\') {
                    out.append(c);
                    continue;
                }
                c = text.charAt(at++);
                switch (c) {
                    case 'n' -> out.append('\n');
                    case 't' -> out.append('\t');
                    case 'r' -> out.append('\r');
                    case 'b' -> out.append('\b');
                    case 'f' -> out.append('\f');
                    case 'u' -> {
                        out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                        at += 4;
                    }
                    default -> out.append(c);
                }
            }
        }
    }
}
