package emissary.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the configuration file that the vendor's library reads, into the process's temporary folder. */
final class Config {
    static final String SERVICE = "DIRECT_FEED";
    static final int SERVICE_ID = 1;

    private Config() {}

    /** A consumer that reconnects quickly, so that a restart test takes a second rather than five. */
    static String consumer(String host, int port, int waitSeconds) {
        String wait = Integer.toString(waitSeconds * 1000);
        return write("consumer", "<EmaConfig>"
                + "<ConsumerGroup><DefaultConsumer value=\"Interop\"/><ConsumerList><Consumer><Name value=\"Interop\"/>"
                + "<Channel value=\"Interop\"/><Dictionary value=\"FromChannel\"/>"
                + value("ReconnectMinDelay", "200") + value("ReconnectMaxDelay", "500") + value("ReconnectAttemptLimit", "-1")
                + value("LoginRequestTimeOut", wait) + value("DirectoryRequestTimeOut", wait)
                + value("DictionaryRequestTimeOut", wait) + value("MaxDispatchCountUserThread", "1000")
                + "</Consumer></ConsumerList></ConsumerGroup>"
                + "<ChannelGroup><ChannelList><Channel><Name value=\"Interop\"/>" + value("ChannelType", "ChannelType::RSSL_SOCKET")
                + value("CompressionType", "CompressionType::None") + value("Host", host) + value("Port", Integer.toString(port))
                + "</Channel></ChannelList></ChannelGroup>"
                + "<DictionaryGroup><DictionaryList><Dictionary><Name value=\"FromChannel\"/>"
                + value("DictionaryType", "DictionaryType::ChannelDictionary")
                + "</Dictionary></DictionaryList></DictionaryGroup></EmaConfig>");
    }

    /** A provider of one service, whose directory and dictionary requests the library answers by itself. */
    static String provider(int port, String dictionaryFolder) {
        return write("provider", "<EmaConfig>"
                + "<IProviderGroup><DefaultIProvider value=\"Interop\"/><IProviderList><IProvider><Name value=\"Interop\"/>"
                + "<Server value=\"Interop\"/><Directory value=\"Interop\"/>" + value("MaxDispatchCountUserThread", "1000")
                + "</IProvider></IProviderList></IProviderGroup>"
                + "<ServerGroup><ServerList><Server><Name value=\"Interop\"/>" + value("ServerType", "ServerType::RSSL_SOCKET")
                + value("CompressionType", "CompressionType::None") + value("GuaranteedOutputBuffers", "5000")
                + value("Port", Integer.toString(port)) + "</Server></ServerList></ServerGroup>"
                + "<DictionaryGroup><DictionaryList><Dictionary><Name value=\"FromFile\"/>"
                + value("DictionaryType", "DictionaryType::FileDictionary")
                + value("RdmFieldDictionaryItemName", "RWFFld") + value("EnumTypeDefItemName", "RWFEnum")
                + value("RdmFieldDictionaryFileName", dictionaryFolder + "/RDMFieldDictionary")
                + value("EnumTypeDefFileName", dictionaryFolder + "/enumtype.def")
                + "</Dictionary></DictionaryList></DictionaryGroup>"
                + "<DirectoryGroup><DefaultDirectory value=\"Interop\"/><DirectoryList><Directory><Name value=\"Interop\"/>"
                + "<Service>" + value("Name", SERVICE) + "<InfoFilter>" + value("ServiceId", Integer.toString(SERVICE_ID))
                + value("Vendor", "interop") + value("IsSource", "1") + value("AcceptingConsumerStatus", "0")
                + value("ItemList", "") + value("SupportsQoSRange", "0") + value("SupportsOutOfBandSnapshots", "1")
                + "<Capabilities>" + value("CapabilitiesEntry", "MMT_DICTIONARY") + value("CapabilitiesEntry", "MMT_MARKET_PRICE")
                + "</Capabilities><DictionariesProvided>" + value("DictionariesProvidedEntry", "FromFile")
                + "</DictionariesProvided><DictionariesUsed>" + value("DictionariesUsedEntry", "FromFile")
                + "</DictionariesUsed><QoS><QoSEntry>" + value("Timeliness", "Timeliness::RealTime")
                + value("Rate", "Rate::TickByTick") + "</QoSEntry></QoS></InfoFilter><StateFilter>" + value("ServiceState", "1")
                + value("AcceptingRequests", "1") + "</StateFilter></Service>"
                + "</Directory></DirectoryList></DirectoryGroup></EmaConfig>");
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
