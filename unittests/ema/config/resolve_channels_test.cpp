// What channels and servers are told: transports, encryption, proxies, limits.
#include "resolve_support.h"

using namespace emissary::ema;
using namespace emissary::ema::test;

TEST_CASE("reliable multicast: what the transport is told", "[config][resolve]") {
    const auto resolve = [](const std::string& parameters) {
        return resolveNiProvider(
            readXml(group("NiProvider", entry("NiProvider", "A", value("Channel", "C"))) +
                    group("Channel", entry("Channel", "C",
                                           value("ChannelType", "ChannelType::RSSL_RELIABLE_MCAST") +
                                               value("InterfaceName", "lo") + parameters))),
            {});
    };
    std::string required;
    for (const char* name : {"RecvAddress", "RecvPort", "UnicastPort", "SendAddress", "SendPort"}) {
        const Thrown t = thrownBy([&] { (void)resolve(required); });
        CHECK(t.type == kInvalidConfiguration);
        CHECK(t.text == std::string("Invalid Channel Configuration for ChannelType [RSSL_RELIABLE_MCAST]. Missing "
                                    "required parameter [") +
                            name + "].");
        required += value(name, std::string("of ") + name);
    }
    const NiProviderSettings plain = resolve(required);
    using emissary::eta::transport::ConnectionType;
    CHECK(plain.channels.at(0).type == ConnectionType::reliableMulticast);
    CHECK(plain.channels[0].connect.connectionType == ConnectionType::reliableMulticast);
    CHECK(plain.channels[0].connect.interfaceName == "lo");
    const auto& o = plain.channels[0].connect.multicast;
    CHECK(o.receiveAddress == "of RecvAddress");
    CHECK(o.receivePort == "of RecvPort");
    CHECK(o.unicastPort == "of UnicastPort");
    CHECK(o.sendAddress == "of SendAddress");
    CHECK(o.sendPort == "of SendPort");
    CHECK(o.packetTtl == 5);
    CHECK(o.nrreq == 3);
    CHECK_FALSE(o.disconnectOnGaps);
    const NiProviderSettings tuned =
        resolve(required + value("PacketTTL", "9") + value("ndata", "8") + value("nrreq", "4") + value("tdata", "2") +
                value("trreq", "5") + value("twait", "6") + value("tbchold", "7") + value("tpphold", "8") +
                value("nmissing", "1000") + value("userQLimit", "5000") + value("pktPoolLimitHigh", "500") +
                value("pktPoolLimitLow", "400") + value("DisconnectOnGap", "1") + value("HsmInterval", "10") +
                value("HsmInterface", "eth0") + value("HsmMultAddress", "239.9.9.9") + value("HsmPort", "77") +
                value("tcpControlPort", "5"));
    const auto& p = tuned.channels.at(0).connect.multicast;
    CHECK(p.packetTtl == 9);
    CHECK(p.ndata == 8);
    CHECK(p.nrreq == 4);
    CHECK(p.tdata == 2);
    CHECK(p.trreq == 5);
    CHECK(p.twait == 6);
    CHECK(p.tbchold == 7);
    CHECK(p.nmissing == 1000);
    CHECK(p.userQLimit == 5000);
    CHECK(p.pktPoolLimitHigh == 500);
    CHECK(p.pktPoolLimitLow == 400);
    CHECK(p.disconnectOnGaps);
    CHECK(p.hsmInterval == 10);
    CHECK(p.hsmInterface == "eth0");
    CHECK(p.hsmAddress == "239.9.9.9");
    CHECK(p.hsmPort == "77");
    const NiProviderSettings odd =
        resolve(required + value("nrreq", "1") + value("userQLimit", "7") + value("PacketTTL", "1") +
                value("pktPoolLimitHigh", "400") + value("pktPoolLimitLow", "400"));
    const auto& q = odd.channels.at(0).connect.multicast;
    CHECK(q.nrreq == 3);  // raised to the least value
    CHECK(q.userQLimit == 4096);
    CHECK(q.packetTtl == 5);
    CHECK(q.pktPoolLimitHigh == 190000);  // high must exceed low
    CHECK(q.pktPoolLimitLow == 180000);
}

TEST_CASE("connection types that this release lacks are refused by name", "[config][resolve]") {
    for (const char* type : {"RSSL_HTTP", "RSSL_RELIABLE_MCAST"}) {
        const Configuration c =
            readXml(group("Consumer", entry("Consumer", "A", value("Channel", "C"))) +
                    group("Channel", entry("Channel", "C", value("ChannelType", std::string("ChannelType::") + type))));
        const Thrown t = thrownBy([&] { (void)resolveConsumer(c, {}); });
        INFO(type);
        CHECK(t.type == kInvalidUsage);
        CHECK(holdsAll(t.text, {"[C]", type, "use RSSL_", "RSSL_ENCRYPTED"}));
    }
}

TEST_CASE("answers to JSON that cannot be converted are sent unless switched off", "[config][resolve]") {
    const auto sends = [](const std::string& parameters) {
        const Configuration c = readXml(group("Consumer", entry("Consumer", "A", parameters)));
        return resolveConsumer(c, {}).json.sendErrors;
    };
    CHECK(sends({}));
    CHECK(sends(value("SendJsonConvError", "1")));
    CHECK_FALSE(sends(value("SendJsonConvError", "0")));
}

TEST_CASE("MaxFragmentSize of a server goes as far as JSON needs", "[config][resolve]") {
    const auto limit = [](const char* text) {
        return resolveIProvider(readXml(group("IProvider", entry("IProvider", "P", value("Server", "S"))) +
                                        group("Server", entry("Server", "S", value("MaxFragmentSize", text)))),
                                {})
            .server.bind.maxFragmentSize;
    };
    CHECK(limit("24") == 25);
    CHECK(limit("65536") == 65536);  // RWF clients get the default then
    CHECK(limit("6291456") == 6291456);
    CHECK(limit("6291457") == 6291456);
}

TEST_CASE("what clients may cost a server is configured there", "[config][resolve]") {
    using namespace std::chrono_literals;
    const auto server = [](const std::string& values) {
        return resolveIProvider(readXml(group("IProvider", entry("IProvider", "P", value("Server", "S"))) +
                                        group("Server", entry("Server", "S", values))),
                                {})
            .server;
    };
    SECTION("every limit") {
        const ServerSettings s = server(
            value("FirstByteTimeout", "1") + value("ClientLoginTimeout", "2") + value("SlowConsumerTimeout", "3") +
            value("PartialMessageTimeout", "4") + value("MaxConnections", "5") +
            value("MaxConnectionsPerAddress", "6") + value("MaxConnectionsInitializing", "7") +
            value("MaxConnectionsInitializingPerAddress", "8") + value("MaxMessageSizeBeforeLogin", "9") +
            value("MaxMessageSize", "100000") + value("MaxPartialMessageBytes", "11") +
            value("MaxRefusalsPerMinute", "12") + value("MaxStreamsPerClient", "13") + value("MaxKeySize", "14") +
            value("MaxKeyBytesPerClient", "15"));
        CHECK(s.bind.firstByteTimeout == 1ms);
        CHECK(s.limits.loginTimeout == 2ms);
        CHECK(s.limits.slowConsumerTimeout == 3ms);
        CHECK(s.limits.partialMessageTimeout == 4ms);
        CHECK(s.bind.maxConnections == 5);
        CHECK(s.bind.maxConnectionsPerAddress == 6);
        CHECK(s.bind.maxInitializing == 7);
        CHECK(s.bind.maxInitializingPerAddress == 8);
        CHECK(s.limits.messageBytesBeforeLogin == 9);
        CHECK(s.bind.maxMessageBytes == 100'000);
        CHECK(s.bind.partialBudgetBytes == 11);
        CHECK(s.limits.refusalsPerMinute == 12);
        CHECK(s.limits.streams == 13);
        CHECK(s.limits.keyBytes == 14);
        CHECK(s.limits.keyBytesPerClient == 15);
    }
    SECTION("none of them switched off by default") {
        const ServerSettings s = server({});
        CHECK(s.bind.firstByteTimeout > 0ms);
        CHECK(s.bind.maxConnections > 0);
        CHECK(s.bind.maxConnectionsPerAddress > 0);
        CHECK(s.bind.partialBudgetBytes > 0);
        CHECK(s.limits.loginTimeout > 0ms);
        CHECK(s.limits.slowConsumerTimeout > 0ms);
        CHECK(s.limits.partialMessageTimeout > 0ms);
        CHECK(s.limits.messageBytesBeforeLogin > 0);
        CHECK(s.limits.refusalsPerMinute > 0);
        CHECK(s.limits.keyBytes > 0);
        CHECK(s.limits.keyBytesPerClient > 0);
    }
}

TEST_CASE("TLS, WebSocket and proxies: what the transport is told", "[config][resolve]") {
    namespace eta = emissary::eta;
    using eta::transport::ConnectionType;
    const std::string parameters =
        value("ChannelType", "ChannelType::RSSL_ENCRYPTED") +
        value("EncryptedProtocolType", "EncryptedProtocolType::RSSL_WEBSOCKET") + value("SecurityProtocol", "8") +
        value("OpenSSLCAStore", "/etc/ca.pem") + value("WsProtocols", "rssl.rwf") + value("WsMaxMsgSize", "5000") +
        value("ProxyHost", "proxy") + value("ProxyPort", "3128") + value("ProxyConnectionTimeout", "7") +
        value("ObjectName", "WebSocket/feed") + value("CompressionType", "CompressionType::LZ4");
    const Configuration c = readXml(group("Consumer", entry("Consumer", "A", value("Channel", "C"))) +
                                    group("Channel", entry("Channel", "C", parameters)));
    auto connect = resolveConsumer(c, {}).channels.at(0).connect;
    CHECK(connect.connectionType == ConnectionType::encrypted);
    CHECK(connect.encryptedProtocol == ConnectionType::webSocket);
    CHECK(connect.tls.versions == eta::transport::kTls13);
    CHECK(connect.tls.caStore == "/etc/ca.pem");
    CHECK(connect.tls.verifyHostName);
    CHECK(connect.webSocket.protocols == "rssl.rwf");
    CHECK(connect.webSocket.maxMessageBytes == 5000);
    CHECK(connect.proxy.host == "proxy");
    CHECK(connect.proxy.port == "3128");
    CHECK(connect.proxy.timeout == std::chrono::seconds(7));
    CHECK(connect.webSocket.path == "/WebSocket/feed");
    CHECK(connect.compression == eta::transport::Compression::lz4);
    CHECK(connect.initializationTimeout == std::chrono::seconds(10));

    SECTION("function calls win") {
        FunctionCalls calls;
        calls.kept = {{"encryptedProtocolType", "0"}, {"sslCAStore", "/ca"},        {"tunnelingProxyHostName", "other"},
                      {"tunnelingProxyPort", "1"},    {"proxyUserName", "me"},      {"tunnelingSecurityProtocol", "4"},
                      {"proxyDomain", "OFFICE"},      {"tunnelingObjectName", "/x"}};
        connect = resolveConsumer(c, calls).channels.at(0).connect;
        CHECK(connect.encryptedProtocol == ConnectionType::socket);
        CHECK(connect.tls.versions == eta::transport::kTls12);
        CHECK(connect.tls.caStore == "/ca");
        CHECK(connect.proxy.host == "other");
        CHECK(connect.proxy.port == "1");
        CHECK(connect.proxy.user == "me");
        CHECK(connect.proxy.domain == "OFFICE");
        CHECK(connect.webSocket.path == "/x");
    }
    SECTION("servers") {
        const Configuration p = readXml(
            group("IProvider", entry("IProvider", "P", value("Server", "S"))) +
            group("Server", entry("Server", "S",
                                  value("ServerType", "ServerType::RSSL_ENCRYPTED") + value("ServerCert", "c.pem") +
                                      value("ServerPrivateKey", "k.pem") + value("CipherSuite", "ECDHE+AESGCM") +
                                      value("DhParams", "dh.pem") + value("SecurityProtocol", "4"))));
        const auto bind = resolveIProvider(p, {}).server.bind;
        CHECK(bind.connectionType == ConnectionType::encrypted);
        CHECK(bind.tls.certificate == "c.pem");
        CHECK(bind.tls.privateKey == "k.pem");
        CHECK(bind.tls.cipherSuite == "ECDHE+AESGCM");
        CHECK(bind.tls.dhParameters == "dh.pem");
        CHECK(bind.tls.versions == eta::transport::kTls12);
        FunctionCalls calls;
        calls.kept = {{"serverCert", "other.pem"}};
        CHECK(resolveIProvider(p, calls).server.bind.tls.certificate == "other.pem");
    }
}

TEST_CASE("what a channel cannot do as it was asked to is recorded", "[config][resolve]") {
    const auto records = [](const std::string& parameters) {
        return resolveConsumer(readXml(group("Consumer", entry("Consumer", "A", value("Channel", "C"))) +
                                       group("Channel", entry("Channel", "C", parameters))),
                               {})
            .queued;
    };
    CHECK(recordsWith(records(value("ConnectionPingTimeout", "30000")), LogSeverity::warning,
                      {"ConnectionPingTimeout"}) == 0);
    for (const char* ms : {"30", "500", "300000"})
        CHECK(recordsWith(records(value("ConnectionPingTimeout", ms)), LogSeverity::warning,
                          {"ConnectionPingTimeout"}) == 1);
    for (const char* type : {"RSSL_SOCKET", "RSSL_ENCRYPTED", "RSSL_WEBSOCKET"}) {
        INFO(type);
        const std::string proxy = value("ChannelType", std::string("ChannelType::") + type) + value("ProxyHost", "px");
        CHECK(recordsWith(records(proxy), LogSeverity::warning, {"ProxyHost [px] of Channel [C]"}) ==
              (std::string_view(type) == "RSSL_SOCKET" ? 1 : 0));
    }
}

TEST_CASE("derived values of channels and servers", "[config][resolve]") {
    const auto channel = [](const std::string& parameters) {
        return resolveConsumer(readXml(group("Consumer", entry("Consumer", "A", value("Channel", "C"))) +
                                       group("Channel", entry("Channel", "C", parameters))),
                               {})
            .channels.at(0)
            .connect;
    };
    CHECK(channel(value("CompressionType", "CompressionType::ZLib")).compressionThreshold == 30);
    CHECK(channel(value("CompressionType", "CompressionType::LZ4")).compressionThreshold == 300);
    CHECK(channel(value("CompressionType", "CompressionType::LZ4") + value("CompressionThreshold", "50"))
              .compressionThreshold == 50);
    CHECK(channel(value("ConnectionPingTimeout", "30000")).pingTimeoutSeconds == 30);
    CHECK(channel(value("ConnectionPingTimeout", "1")).pingTimeoutSeconds == 1);
    CHECK(channel(value("ConnectionPingTimeout", "9000000")).pingTimeoutSeconds == 255);
    CHECK(channel(value("Host", "[::1]")).host == "::1");
    CHECK(channel(value("HighWaterMark", "0")).highWaterMark == 6144);
    CHECK(channel(value("HighWaterMark", "100")).highWaterMark == 100);
    CHECK(channel(value("InitializationTimeout", "7")).initializationTimeout == std::chrono::seconds(7));
    CHECK(channel(value("TcpNodelay", "0")).tcpNoDelay == false);
    CHECK(channel(value("DirectWrite", "5")).directWrite);  // anything but 0 is on

    FunctionCalls calls;
    calls.port = "0";
    CHECK(resolveIProvider({}, calls).server.bind.port == "0");
}
