package emissary.interop;

import com.refinitiv.ema.access.EmaFactory;
import com.refinitiv.ema.access.OmmConsumerConfig;
import com.refinitiv.ema.access.OmmIProviderConfig;
import com.refinitiv.ema.access.OmmNiProviderConfig;
import com.refinitiv.eta.transport.BindOptions;
import com.refinitiv.eta.transport.CompressionTypes;
import com.refinitiv.eta.transport.ConnectionTypes;
import com.refinitiv.eta.transport.TransportFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Writes the configuration file that the vendor's library reads, into the process's temporary folder. */
final class Config {
    static final String SERVICE = "DIRECT_FEED";
    static final int SERVICE_ID = 1;

    private Config() {}

    /** Options of a command line that say what the connection is made of. */
    static final List<String> LINE_USAGE = List.of(
            "--transport NAME    tcp, ws, tls or wss (tcp)",
            "--standby N         port of a second server: both are a warm standby pair",
            "--standby-mode NAME LOGIN_BASED or SERVICE_BASED (LOGIN_BASED)",
            "--protocol NAME     WebSocket sub-protocol: rssl.rwf or rssl.json.v2 (rssl.rwf)",
            "--compression NAME  none, zlib or lz4 (none)",
            "--tls N             TLS version 1.2 or 1.3 (the library's choice)",
            "--certificates DIR  folder of trust.p12 and server.p12, password changeit",
            "--patience N        seconds that each step may take, on however busy a machine (180)");

    private static final String STORE_PASSWORD = "changeit";

    static int patienceSeconds(Args args) {
        return args.number("--patience", 180);
    }

    /** When what begins now must have happened, by {@link System#nanoTime()}. */
    static long deadline(Args args) {
        return System.nanoTime() + patienceSeconds(args) * 1_000_000_000L;
    }

    static boolean encrypted(Args args) {
        return args.text("--transport", "tcp").equals("tls") || webSocket(args) && !args.text("--transport", "").equals("ws");
    }

    static boolean webSocket(Args args) {
        return args.text("--transport", "tcp").startsWith("ws");
    }

    /** The parameters that channels and servers have in common; {@code kind} is ChannelType or ServerType. */
    private static String line(Args args, String kind) {
        String inner = webSocket(args) ? "RSSL_WEBSOCKET" : "RSSL_SOCKET";
        String compression = switch (args.text("--compression", "none")) {
            case "zlib" -> "ZLib";
            case "lz4" -> "LZ4";
            default -> "None";
        };
        // A server takes WebSocket clients on the port of the others: it has no type of its own.
        String plain = kind.equals("ServerType") ? "RSSL_SOCKET" : inner;
        String result = value(kind, kind + "::" + (encrypted(args) ? "RSSL_ENCRYPTED" : plain))
                + value("CompressionType", "CompressionType::" + compression)
                + value("InitializationTimeout", Integer.toString(patienceSeconds(args)))
                + value("ConnectionPingTimeout", Integer.toString(Math.min(patienceSeconds(args), 255) * 1000));
        if (webSocket(args)) {
            result += value("WsProtocols", args.text("--protocol", "rssl.rwf"));
        }
        if (encrypted(args)) {
            if (!kind.equals("ServerType")) {
                result += value("EncryptedProtocolType", "EncryptedProtocolType::" + inner);
            }
        }
        return result;
    }

    static OmmConsumerConfig consumerConfig(Args args) {
        return consumerConfig(args, false);
    }

    /**
     * A consumer's configuration object; with {@code dictionaryFiles} it downloads none. Key stores are beyond the
     * configuration file: there are only functions for them.
     */
    static OmmConsumerConfig consumerConfig(Args args, boolean dictionaryFiles) {
        OmmConsumerConfig config = EmaFactory.createOmmConsumerConfig(consumer(args, dictionaryFiles))
                .operationModel(OmmConsumerConfig.OperationModel.USER_DISPATCH).username("interop");
        if (encrypted(args)) {
            config.tunnelingKeyStoreFile(args.required("--certificates") + "/trust.p12");
            config.tunnelingKeyStorePasswd(STORE_PASSWORD);
            config.tunnelingKeyStoreType("PKCS12");
            if (args.text("--tls", null) != null) {
                config.tunnelingSecurityProtocol("TLS");
                config.tunnelingSecurityProtocolVersions(new String[] {args.required("--tls")});
            }
        }
        return config;
    }

    static OmmIProviderConfig providerConfig(Args args) {
        OmmIProviderConfig config = EmaFactory.createOmmIProviderConfig(provider(args))
                .operationModel(OmmIProviderConfig.OperationModel.USER_DISPATCH);
        if (encrypted(args)) {
            config.keystoreFile(args.required("--certificates") + "/server.p12");
            config.keystorePasswd(STORE_PASSWORD);
            config.keystoreType("PKCS12");
            if (args.text("--tls", null) != null) {
                config.securityProtocol("TLS");
                config.securityProtocolVersions(new String[] {args.required("--tls")});
            }
        }
        return config;
    }

    static OmmNiProviderConfig niProviderConfig(Args args) {
        OmmNiProviderConfig config = EmaFactory.createOmmNiProviderConfig(niProvider(args))
                .operationModel(OmmNiProviderConfig.OperationModel.USER_DISPATCH).username("interop");
        if (encrypted(args)) {
            config.tunnelingKeyStoreFile(args.required("--certificates") + "/trust.p12");
            config.tunnelingKeyStorePasswd(STORE_PASSWORD);
            config.tunnelingKeyStoreType("PKCS12");
            if (args.text("--tls", null) != null) {
                config.tunnelingSecurityProtocol("TLS");
                config.tunnelingSecurityProtocolVersions(new String[] {args.required("--tls")});
            }
        }
        return config;
    }

    /** A server of the reactor alone, which reads no configuration file. */
    static BindOptions bindOptions(Args args) {
        BindOptions o = TransportFactory.createBindOptions();
        o.serviceName(args.required("--port"));
        o.guaranteedOutputBuffers(500);
        o.majorVersion(14);
        o.minorVersion(1);
        o.compressionType(switch (args.text("--compression", "none")) {
            case "zlib" -> CompressionTypes.ZLIB;
            case "lz4" -> CompressionTypes.LZ4;
            default -> CompressionTypes.NONE;
        });
        if (webSocket(args)) {
            o.wSocketOpts().protocols(args.text("--protocol", "rssl.rwf"));
        }
        if (encrypted(args)) {
            o.connectionType(ConnectionTypes.ENCRYPTED);
            o.encryptionOptions().keystoreFile(args.required("--certificates") + "/server.p12");
            o.encryptionOptions().keystorePasswd(STORE_PASSWORD);
            o.encryptionOptions().keystoreType("PKCS12");
        }
        return o;
    }

    /** A consumer that reconnects quickly, so that a restart test takes a second rather than five. */
    private static String consumer(Args args, boolean dictionaryFiles) {
        String host = args.text("--host", "localhost");
        int port = JavaConsumer.portOf(args);
        String wait = Integer.toString(patienceSeconds(args) * 1000);
        String standby = args.text("--standby", null);
        // With its default of 100 buffers, 3.9.1 drops a server of a service-based group that is back, while it requests 200 items there.
        String buffers = standby == null ? "" : value("GuaranteedOutputBuffers", "500");
        return write("consumer", "<EmaConfig>"
                + "<ConsumerGroup><DefaultConsumer value=\"Interop\"/><ConsumerList><Consumer><Name value=\"Interop\"/>"
                + (standby == null ? value("Channel", "Interop") : value("WarmStandbyChannelSet", "Pair"))
                + value("Dictionary", dictionaryFiles ? "FromFile" : "FromChannel")
                + value("ReconnectMinDelay", "200") + value("ReconnectMaxDelay", "500") + value("ReconnectAttemptLimit", "-1")
                + value("LoginRequestTimeOut", wait) + value("DirectoryRequestTimeOut", wait)
                + value("DictionaryRequestTimeOut", wait) + value("RequestTimeout", wait) + value("PostAckTimeout", wait) + value("MaxDispatchCountUserThread", "1000")
                + "</Consumer></ConsumerList></ConsumerGroup>"
                + "<ChannelGroup><ChannelList><Channel><Name value=\"Interop\"/>" + line(args, "ChannelType") + buffers
                + value("Host", host) + value("Port", Integer.toString(port)) + "</Channel>"
                + (standby == null ? "" : "<Channel><Name value=\"Standby\"/>" + line(args, "ChannelType") + buffers
                        + value("Host", host) + value("Port", standby) + "</Channel>")
                + "</ChannelList></ChannelGroup>" + (standby == null ? "" : warmStandby(args))
                + "<DictionaryGroup><DictionaryList><Dictionary><Name value=\"FromChannel\"/>"
                + value("DictionaryType", "DictionaryType::ChannelDictionary") + "</Dictionary>"
                + dictionaryFiles(args.required("--dict-dir")) + "</DictionaryList></DictionaryGroup></EmaConfig>");
    }

    /** The group of the two channels; by service, the first server starts as the active one of the service. */
    private static String warmStandby(Args args) {
        String mode = args.text("--standby-mode", "LOGIN_BASED");
        return "<WarmStandbyServerInfoGroup><WarmStandbyServerInfoList><WarmStandbyServerInfo><Name value=\"First\"/>"
                + value("Channel", "Interop") + (mode.equals("SERVICE_BASED") ? value("PerServiceNameSet", SERVICE) : "")
                + "</WarmStandbyServerInfo><WarmStandbyServerInfo><Name value=\"Second\"/>" + value("Channel", "Standby")
                + "</WarmStandbyServerInfo></WarmStandbyServerInfoList></WarmStandbyServerInfoGroup>"
                + "<WarmStandbyGroup><WarmStandbyList><WarmStandbyChannel><Name value=\"Pair\"/>"
                + value("StartingActiveServer", "First") + value("StandbyServerSet", "Second")
                + value("WarmStandbyMode", "WarmStandbyMode::" + mode)
                + "</WarmStandbyChannel></WarmStandbyList></WarmStandbyGroup>";
    }

    /** A publisher of that service, whose directory the library publishes by itself. */
    private static String niProvider(Args args) {
        return write("niprovider", "<EmaConfig>"
                + "<NiProviderGroup><DefaultNiProvider value=\"Interop\"/><NiProviderList><NiProvider><Name value=\"Interop\"/>"
                + "<Channel value=\"Interop\"/><Directory value=\"Interop\"/>"
                + value("ReconnectMinDelay", "200") + value("ReconnectMaxDelay", "500") + value("ReconnectAttemptLimit", "-1")
                + value("LoginRequestTimeOut", Integer.toString(patienceSeconds(args) * 1000))
                + value("MaxDispatchCountUserThread", "1000") + "</NiProvider></NiProviderList></NiProviderGroup>"
                + "<ChannelGroup><ChannelList><Channel><Name value=\"Interop\"/>" + line(args, "ChannelType")
                + value("Host", args.text("--host", "localhost"))
                + value("Port", Integer.toString(JavaConsumer.portOf(args))) + "</Channel></ChannelList></ChannelGroup>"
                + dictionaryAndDirectory(args.required("--dict-dir")) + "</EmaConfig>");
    }

    /** A provider of one service, whose directory and dictionary requests the library answers by itself. */
    private static String provider(Args args) {
        int port = JavaConsumer.portOf(args);
        String dictionaryFolder = args.required("--dict-dir");
        return write("provider", "<EmaConfig>"
                + "<IProviderGroup><DefaultIProvider value=\"Interop\"/><IProviderList><IProvider><Name value=\"Interop\"/>"
                + "<Server value=\"Interop\"/><Directory value=\"Interop\"/>" + value("MaxDispatchCountUserThread", "1000")
                + "</IProvider></IProviderList></IProviderGroup>"
                + "<ServerGroup><ServerList><Server><Name value=\"Interop\"/>" + line(args, "ServerType")
                + value("GuaranteedOutputBuffers", "5000")
                + value("Port", Integer.toString(port)) + "</Server></ServerList></ServerGroup>"
                + dictionaryAndDirectory(dictionaryFolder) + "</EmaConfig>");
    }

    private static String dictionaryFiles(String folder) {
        return "<Dictionary><Name value=\"FromFile\"/>" + value("DictionaryType", "DictionaryType::FileDictionary")
                + value("RdmFieldDictionaryItemName", "RWFFld") + value("EnumTypeDefItemName", "RWFEnum")
                + value("RdmFieldDictionaryFileName", folder + "/RDMFieldDictionary")
                + value("EnumTypeDefFileName", folder + "/enumtype.def") + "</Dictionary>";
    }

    /** The dictionary files and the one service. */
    private static String dictionaryAndDirectory(String dictionaryFolder) {
        return "<DictionaryGroup><DictionaryList>" + dictionaryFiles(dictionaryFolder) + "</DictionaryList></DictionaryGroup>"
                + "<DirectoryGroup><DefaultDirectory value=\"Interop\"/><DirectoryList><Directory><Name value=\"Interop\"/>"
                + "<Service>" + value("Name", SERVICE) + "<InfoFilter>" + value("ServiceId", Integer.toString(SERVICE_ID))
                + value("Vendor", "interop") + value("IsSource", "1") + value("AcceptingConsumerStatus", "0")
                + value("ItemList", "") + value("SupportsQoSRange", "0") + value("SupportsOutOfBandSnapshots", "1")
                + "<Capabilities>" + value("CapabilitiesEntry", "MMT_DICTIONARY") + value("CapabilitiesEntry", "MMT_MARKET_PRICE")
                + value("CapabilitiesEntry", "MMT_MARKET_BY_ORDER") + value("CapabilitiesEntry", "MMT_MARKET_BY_PRICE")
                + "</Capabilities><DictionariesProvided>" + value("DictionariesProvidedEntry", "FromFile")
                + "</DictionariesProvided><DictionariesUsed>" + value("DictionariesUsedEntry", "FromFile")
                + "</DictionariesUsed><QoS><QoSEntry>" + value("Timeliness", "Timeliness::RealTime")
                + value("Rate", "Rate::TickByTick") + "</QoSEntry></QoS></InfoFilter><StateFilter>" + value("ServiceState", "1")
                + value("AcceptingRequests", "1") + "</StateFilter></Service>"
                + "</Directory></DirectoryList></DirectoryGroup>";
    }

    private static String value(String name, String value) {
        String escaped = value.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
        return "<" + name + " value=\"" + escaped + "\"/>\n";
    }

    private static String write(String what, String xml) {
        try {
            Path file = Files.createTempFile("interop-" + what, ".xml");
            file.toFile().deleteOnExit();
            Files.writeString(file, xml);
            return file.toString();
        } catch (IOException e) {
            throw new Fail("cannot write a configuration file: " + e);
        }
    }
}
