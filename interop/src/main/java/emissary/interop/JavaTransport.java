package emissary.interop;

import com.refinitiv.eta.transport.BindOptions;
import com.refinitiv.eta.transport.Channel;
import com.refinitiv.eta.transport.ChannelInfo;
import com.refinitiv.eta.transport.ChannelState;
import com.refinitiv.eta.transport.CompressionTypes;
import com.refinitiv.eta.transport.ConnectOptions;
import com.refinitiv.eta.transport.ConnectionTypes;
import com.refinitiv.eta.transport.Error;
import com.refinitiv.eta.transport.InProgInfo;
import com.refinitiv.eta.transport.InitArgs;
import com.refinitiv.eta.transport.ReadArgs;
import com.refinitiv.eta.transport.Server;
import com.refinitiv.eta.transport.Transport;
import com.refinitiv.eta.transport.TransportBuffer;
import com.refinitiv.eta.transport.TransportFactory;
import com.refinitiv.eta.transport.TransportReturnCodes;
import com.refinitiv.eta.transport.WriteArgs;
import java.util.Arrays;
import java.util.Random;

/**
 * The Java end of transport.sh: an echo server, or a client that checks what an echo server sends back.
 * Arguments: serve|connect PORT MODE FOLDER [NAME]; the folder holds NAME.p12, password "changeit": the certificate and
 * key of the server (default "server") or the authority that the client trusts (default "ca").
 */
public final class JavaTransport {
    private static final long PATIENCE_MS = 180_000;
    private static final int[] SIZES = {5, 29, 30, 100, 299, 300, 1000, 6000, 6142, 6144, 6145, 20000, 100000};
    private static final Error error = TransportFactory.createError();

    private JavaTransport() {}

    private static void stop(String why) {
        System.out.println("FAIL " + why);
        System.exit(1);
    }

    private static int compression(String mode) {
        if (mode.contains("zlib")) {
            return CompressionTypes.ZLIB;
        }
        return mode.contains("lz4") ? CompressionTypes.LZ4 : CompressionTypes.NONE;
    }

    public static void main(String[] args) throws InterruptedException {
        InitArgs init = TransportFactory.createInitArgs();
        init.globalLocking(true);
        if (Transport.initialize(init, error) != TransportReturnCodes.SUCCESS) {
            stop(error.text());
        }
        if (args[0].equals("serve")) {
            serve(args[1], args[2], args[3] + "/" + (args.length > 4 ? args[4] : "server") + ".p12");
        } else {
            connect(args[1], args[2], args[3] + "/" + (args.length > 4 ? args[4] : "ca") + ".p12");
        }
        System.exit(0);
    }

    private static void connect(String port, String mode, String trusted) throws InterruptedException {
        ConnectOptions o = TransportFactory.createConnectOptions();
        o.unifiedNetworkInfo().address("localhost");
        o.unifiedNetworkInfo().serviceName(port);
        o.guaranteedOutputBuffers(500);
        o.majorVersion(14);
        o.minorVersion(1);
        o.compressionType(compression(mode));
        int inner = mode.contains("websocket") ? ConnectionTypes.WEBSOCKET : ConnectionTypes.SOCKET;
        o.connectionType(inner);
        o.wSocketOpts().protocols("rssl.rwf");
        if (mode.contains("tls")) {
            o.connectionType(ConnectionTypes.ENCRYPTED);
            o.encryptionOptions().connectionType(inner);
            o.encryptionOptions().KeystoreFile(trusted);
            o.encryptionOptions().KeystorePasswd("changeit");
            o.encryptionOptions().KeystoreType("PKCS12");
        }
        Channel channel = Transport.connect(o, error);
        activate(channel);
        ChannelInfo info = TransportFactory.createChannelInfo();
        channel.info(info, error);
        if (info.compressionType() != compression(mode)) {
            stop("another compression than asked for");
        }
        Random random = new Random(1);
        int checked = 0;
        for (int round = 0; round < 20; round++) {
            for (int size : SIZES) {
                byte[] message = new byte[size];
                for (int i = 0; i < size; i++) {
                    message[i] = (byte) (round % 3 == 0 ? random.nextInt() : 'A' + i % 26);
                }
                write(channel, message);
                byte[] back = read(channel);
                if (back == null) {
                    stop("closed: " + error.text());
                }
                if (!Arrays.equals(back, message)) {
                    stop("a message of " + size + " bytes came back changed");
                }
                checked++;
            }
        }
        channel.close(error);
        System.out.println("PASS " + checked + " messages");
    }

    private static void serve(String port, String mode, String own) throws InterruptedException {
        BindOptions o = TransportFactory.createBindOptions();
        o.serviceName(port);
        o.guaranteedOutputBuffers(500);
        o.maxOutputBuffers(1000);
        o.majorVersion(14);
        o.minorVersion(1);
        o.compressionType(compression(mode));
        o.compressionLevel(6);
        o.wSocketOpts().protocols("rssl.rwf");
        if (mode.contains("tls")) {
            o.connectionType(ConnectionTypes.ENCRYPTED);
            o.encryptionOptions().keystoreFile(own);
            o.encryptionOptions().keystorePasswd("changeit");
            o.encryptionOptions().keystoreType("PKCS12");
        }
        Server server = Transport.bind(o, error);
        if (server == null) {
            stop(error.text());
        }
        System.out.println("ready");
        Channel channel = null;
        for (long end = System.currentTimeMillis() + PATIENCE_MS; channel == null; Thread.sleep(5)) {
            channel = server.accept(TransportFactory.createAcceptOptions(), error);
            if (System.currentTimeMillis() > end) {
                stop("nobody connected");
            }
        }
        activate(channel);
        for (byte[] message = read(channel); message != null; message = read(channel)) {
            write(channel, message);
        }
    }

    private static void activate(Channel channel) throws InterruptedException {
        if (channel == null) {
            stop(error.text());
        }
        InProgInfo progress = TransportFactory.createInProgInfo();
        long end = System.currentTimeMillis() + PATIENCE_MS;
        while (channel.state() != ChannelState.ACTIVE) {
            if (channel.init(progress, error) < TransportReturnCodes.SUCCESS) {
                stop(error.text());
            }
            if (System.currentTimeMillis() > end) {
                stop("not active within " + PATIENCE_MS / 1000 + " s");
            }
            Thread.sleep(1);
        }
    }

    private static void write(Channel channel, byte[] message) {
        TransportBuffer buffer = channel.getBuffer(message.length, false, error);
        if (buffer == null) {
            stop(error.text());
        }
        buffer.data().put(message);
        WriteArgs args = TransportFactory.createWriteArgs();
        int left = channel.write(buffer, args, error);
        while (left > 0) {
            left = channel.flush(error);
        }
        if (left < 0) {
            stop("write " + left + ": " + error.text());
        }
    }

    /** Null at the end of the connection. */
    private static byte[] read(Channel channel) throws InterruptedException {
        ReadArgs args = TransportFactory.createReadArgs();
        for (long end = System.currentTimeMillis() + PATIENCE_MS; System.currentTimeMillis() < end; ) {
            TransportBuffer in = channel.read(args, error);
            if (in != null) {
                byte[] bytes = new byte[in.length()];
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = in.data().get(in.dataStartPosition() + i);
                }
                return bytes;
            }
            int code = args.readRetVal();
            if (code < 0 && code != TransportReturnCodes.READ_WOULD_BLOCK && code != TransportReturnCodes.READ_PING) {
                return null;
            }
            if (code == TransportReturnCodes.READ_WOULD_BLOCK) {
                Thread.sleep(0, 100_000);
            }
        }
        stop("nothing arrived for " + PATIENCE_MS / 1000 + " s");
        return null;
    }
}
