// From layers and calls to the effective values of one instance.
#include "resolve_support.h"

using namespace emissary::ema;
using namespace emissary::ema::test;

TEST_CASE("without any configuration the documented defaults apply", "[config][resolve]") {
    const Configuration c;
    const ConsumerSettings s = resolveConsumer(c, {});
    CHECK(s.sectionName == "EmaConsumer");
    CHECK(s.queued.empty());
    CHECK(s.itemCountHint == 100000);
    CHECK(s.serviceCountHint == 513);
    CHECK(s.requestTimeoutMs == 15000);
    CHECK(s.dispatchTimeoutApiThreadUs == -1);
    CHECK(s.maxDispatchCountApiThread == 100);
    CHECK(s.maxDispatchCountUserThread == 100);
    CHECK(s.catchUnhandledException);
    CHECK_FALSE(s.userDispatch);
    CHECK(s.loginRequestTimeoutMs == 45000);
    CHECK(s.directoryRequestTimeoutMs == 45000);
    CHECK(s.dictionaryRequestTimeoutMs == 45000);
    CHECK(s.obeyOpenWindow);
    CHECK(s.msgKeyInUpdates);
    CHECK_FALSE(s.enableRtt);
    CHECK(s.postAckTimeoutMs == 15000);
    CHECK(s.maxOutstandingPosts == 100000);
    CHECK(s.reconnect.attemptLimit == -1);
    CHECK(s.reconnect.minDelay.count() == 1000);
    CHECK(s.reconnect.maxDelay.count() == 5000);
    REQUIRE(s.channels.size() == 1);
    const auto& connect = s.channels[0].connect;
    CHECK(connect.host == "localhost");
    CHECK(connect.port == "14002");
    CHECK(connect.guaranteedOutputBuffers == 100);
    CHECK(connect.numInputBuffers == 10);
    CHECK(connect.pingTimeoutSeconds == 60);
    CHECK(connect.initializationTimeout == std::chrono::seconds(5));
    CHECK(connect.highWaterMark == 6144);
    CHECK(connect.tcpNoDelay);
    CHECK_FALSE(connect.directWrite);
    CHECK(connect.sysSendBufSize == 0);
    CHECK(connect.sysRecvBufSize == 0);
    CHECK_FALSE(s.dictionary.fromFile);
    CHECK(s.dictionary.fieldFile == "./RDMFieldDictionary");
    CHECK(s.dictionary.enumFile == "./enumtype.def");
    CHECK(s.dictionary.fieldItemName == "RWFFld");
    CHECK(s.dictionary.enumItemName == "RWFEnum");
    CHECK(s.logger.target == LogTarget::file);
    CHECK(s.logger.fileName == "emaLog");
    CHECK(s.logger.severity == LogSeverity::success);
    CHECK(s.login.applicationId == "256");
    CHECK_FALSE(s.login.userName.empty());
    CHECK(s.login.position.find('/') != std::string::npos);
    CHECK_FALSE(s.login.password);

    const IProviderSettings p = resolveIProvider(c, {});
    CHECK(p.sectionName == "EmaIProvider");
    CHECK(p.server.bind.port == "14002");
    CHECK(p.server.bind.guaranteedOutputBuffers == 5000);
    CHECK(p.server.bind.sysSendBufSize == 65535);
    CHECK(p.server.bind.sysRecvBufSize == 65535);
    CHECK(p.server.bind.pingTimeoutSeconds == 60);
    CHECK(p.server.bind.minPingTimeoutSeconds == 20);
    CHECK(p.server.bind.initializationTimeout == std::chrono::seconds(60));
    CHECK(p.server.bind.maxFragmentSize == 6144);
    CHECK(p.refreshFirstRequired);
    CHECK_FALSE(p.enforceAckIdValidation);
    CHECK(p.fieldDictionaryFragmentSize == 8192);
    CHECK(p.enumTypeFragmentSize == 12288);
    CHECK_FALSE(p.acceptMessageWithoutBeingLogin);

    const NiProviderSettings n = resolveNiProvider(c, {});
    CHECK(n.sectionName == "EmaNiProvider");
    CHECK(n.channels.at(0).connect.port == "14003");
    CHECK(n.mergeSourceDirectoryStreams);
    CHECK(n.recoverUserSubmitSourceDirectory);
    CHECK_FALSE(n.removeItemsOnDisconnect);
}

TEST_CASE("the table's defaults are the resolver's", "[config][resolve]") {
    // Every effective parameter set to its own default must resolve to the same values as none set.
    const auto all = [](SectionMask section) {
        std::string out;
        for (const Parameter& p : allParameters()) {
            const std::string name = p.name;
            if ((p.sections & section) == 0 || p.idleBecause != nullptr || p.moved || *p.defaultText == '\0') continue;
            if (name == "Port" && section == Section::channel) continue;
            out += value(name, (p.kind == Kind::enumeration ? std::string(p.enums->name) + "::" : "") + p.defaultText);
        }
        return out;
    };
    const Configuration c =
        readXml(group("Consumer", entry("Consumer", "A", all(Section::consumer) + value("Channel", "C"))) +
                group("IProvider", entry("IProvider", "P", all(Section::iProvider) + value("Server", "S"))) +
                group("NiProvider", entry("NiProvider", "N", all(Section::niProvider) + value("Channel", "C"))) +
                group("Channel", entry("Channel", "C", all(Section::channel))) +
                group("Server", entry("Server", "S", all(Section::server))));
    INFO(listed(c.records));
    CHECK(c.records.empty());
    const Configuration none;
    const ConsumerSettings a = resolveConsumer(c, {}), a0 = resolveConsumer(none, {});
    CHECK(listed(a.queued).empty());
    CHECK(a.itemCountHint == a0.itemCountHint);
    CHECK(a.requestTimeoutMs == a0.requestTimeoutMs);
    CHECK(a.maxDispatchCountApiThread == a0.maxDispatchCountApiThread);
    CHECK(a.loginRequestTimeoutMs == a0.loginRequestTimeoutMs);
    CHECK(a.maxOutstandingPosts == a0.maxOutstandingPosts);
    CHECK(a.reconnect.maxDelay.count() == a0.reconnect.maxDelay.count());
    CHECK(a.obeyOpenWindow == a0.obeyOpenWindow);
    const auto& k = a.channels.at(0).connect;
    const auto& k0 = a0.channels.at(0).connect;
    CHECK(k.host == k0.host);
    CHECK(k.port == k0.port);
    CHECK(k.guaranteedOutputBuffers == k0.guaranteedOutputBuffers);
    CHECK(k.numInputBuffers == k0.numInputBuffers);
    CHECK(k.pingTimeoutSeconds == k0.pingTimeoutSeconds);
    CHECK(k.compressionThreshold == k0.compressionThreshold);
    CHECK(k.highWaterMark == k0.highWaterMark);
    CHECK(k.initializationTimeout == k0.initializationTimeout);
    CHECK(a.recoveryMinDelayMs == a0.recoveryMinDelayMs);
    CHECK(a.recoveryMaxDelayMs == a0.recoveryMaxDelayMs);
    CHECK(resolveIProvider(c, {}).server.limits == resolveIProvider(none, {}).server.limits);
    const auto b = resolveIProvider(c, {}).server.bind, b0 = resolveIProvider(none, {}).server.bind;
    CHECK(b.firstByteTimeout == b0.firstByteTimeout);
    CHECK(b.maxInitializing == b0.maxInitializing);
    CHECK(b.maxInitializingPerAddress == b0.maxInitializingPerAddress);
    CHECK(b.maxConnections == b0.maxConnections);
    CHECK(b.maxConnectionsPerAddress == b0.maxConnectionsPerAddress);
    CHECK(b.maxMessageBytes == b0.maxMessageBytes);
    CHECK(b.partialBudgetBytes == b0.partialBudgetBytes);
    CHECK(b.port == b0.port);
    CHECK(b.guaranteedOutputBuffers == b0.guaranteedOutputBuffers);
    CHECK(b.sysSendBufSize == b0.sysSendBufSize);
    CHECK(b.minPingTimeoutSeconds == b0.minPingTimeoutSeconds);
    CHECK(b.maxFragmentSize == b0.maxFragmentSize);
    CHECK(b.initializationTimeout == b0.initializationTimeout);
    const NiProviderSettings n = resolveNiProvider(c, {}), n0 = resolveNiProvider(none, {});
    CHECK(n.channels.at(0).connect.port == n0.channels.at(0).connect.port);
    CHECK(n.removeItemsOnDisconnect == n0.removeItemsOnDisconnect);
}

TEST_CASE("the instance's section is chosen by name, default, order, then built in", "[config][resolve]") {
    const std::string list = entry("Consumer", "A") + entry("Consumer", "B");
    const Configuration c = readXml(group("Consumer", list, value("DefaultConsumer", "B")));
    CHECK(resolveConsumer(c, {}).sectionName == "B");
    CHECK(resolveConsumer(c, named("A")).sectionName == "A");
    CHECK(resolveConsumer(readXml(group("Consumer", list)), {}).sectionName == "A");
    CHECK(resolveConsumer({}, {}).sectionName == "EmaConsumer");
    CHECK(resolveConsumer({}, named("EmaConsumer")).sectionName == "EmaConsumer");

    const Thrown consumer = thrownBy([&] { (void)resolveConsumer(c, named("x")); });
    CHECK(consumer.type == kInvalidConfiguration);
    CHECK(holdsAll(consumer.text, {"[x] is a non-existent consumer name"}));
    CHECK(thrownBy([&] { (void)resolveConsumer(c, named("EmaConsumer")); }).type == kInvalidConfiguration);
    const Thrown provider = thrownBy([&] { (void)resolveIProvider(c, named("x")); });
    CHECK(provider.type == kInvalidConfiguration);
    CHECK(holdsAll(provider.text, {"[x] is a non-existent provider name"}));
    CHECK(thrownBy([&] { (void)resolveNiProvider(c, named("x")); }).type == kInvalidConfiguration);

    SECTION("a programmatic default wins over the file's") {
        Configuration p = c;
        addLayer(p, "Consumer", "", {}, {parameter("DefaultConsumer", "A")});
        CHECK(resolveConsumer(p, {}).sectionName == "A");
        CHECK(resolveConsumer(p, named("B")).sectionName == "B");
        addLayer(p, "Consumer", "P", {}, {parameter("DefaultConsumer", "P")});
        CHECK(resolveConsumer(p, {}).sectionName == "P");
        CHECK(resolveConsumer(p, named("P")).sectionName == "P");
    }
    SECTION("a programmatic default without an entry is reported and ignored") {
        Configuration p = c;
        addLayer(p, "Consumer", "", {}, {parameter("DefaultConsumer", "nobody")});
        const ConsumerSettings s = resolveConsumer(p, {});
        CHECK(s.sectionName == "B");
        CHECK(recordsWith(s.queued, LogSeverity::error, {"DefaultConsumer [nobody] names no entry"}) == 1);
    }
    SECTION("the file's DefaultIProvider without an entry is ignored") {
        CHECK(resolveIProvider(readXml(group("IProvider", entry("IProvider", "P"), value("DefaultIProvider", "x"))), {})
                  .sectionName == "P");
    }
}

TEST_CASE("instances are numbered", "[config][resolve]") {
    const std::string a = resolveConsumer({}, {}).instanceName, b = resolveConsumer({}, {}).instanceName;
    REQUIRE(a.rfind("EmaConsumer_", 0) == 0);
    REQUIRE(b.rfind("EmaConsumer_", 0) == 0);
    CHECK(std::stoi(b.substr(12)) == std::stoi(a.substr(12)) + 1);
}

TEST_CASE("function calls win over programmatic configuration, that over the file, that over defaults",
          "[config][resolve]") {
    Configuration c;
    FunctionCalls calls;
    const auto channel = [&] { return resolveConsumer(c, calls).channels.at(0).connect; };
    CHECK(channel().port == "14002");
    CHECK(channel().numInputBuffers == 10);

    c = readXml(
        group("Consumer", entry("Consumer", "A",
                                value("Channel", "C") + value("ItemCountHint", "1") + value("RequestTimeout", "1"))) +
        group("Channel",
              entry("Channel", "C", value("Host", "file") + value("Port", "1") + value("NumInputBuffers", "11"))));
    CHECK(channel().host == "file");
    CHECK(channel().port == "1");
    CHECK(channel().numInputBuffers == 11);

    using Form = ConfigNode::Form;
    addLayer(c, "Channel", "C", {parameter("Port", "2")});
    addLayer(c, "Consumer", "A", {parameter("ItemCountHint", "2", Form::unsignedInteger)});
    CHECK(channel().host == "file");
    CHECK(channel().port == "2");
    CHECK(resolveConsumer(c, calls).itemCountHint == 2);
    CHECK(resolveConsumer(c, calls).requestTimeoutMs == 1);

    addLayer(c, "Channel", "C", {parameter("Port", "3")});  // a later map wins
    CHECK(channel().port == "3");
    CHECK(channel().numInputBuffers == 11);

    parseHost("call:4", "14002", calls);
    CHECK(channel().host == "call");
    CHECK(channel().port == "4");
    INFO(listed(c.records));
    CHECK(c.records.empty());
}

TEST_CASE("host() may leave parts out", "[config][resolve]") {
    const char* const rows[][3] = {{"", "localhost", "14002"},    {"h", "h", "14002"},
                                   {":5", "localhost", "5"},      {"h:5", "h", "5"},
                                   {"h:", "h", "14002"},          {":", "localhost", "14002"},
                                   {"1.2.3.4:n", "1.2.3.4", "n"}, {"[::1]:5", "::1", "5"},
                                   {"[::1]", "::1", "14002"},     {"[::1]:", "::1", "14002"},
                                   {"::1", "::1", "14002"},       {"[fe80::1%lo]:5", "fe80::1%lo", "5"}};
    for (const auto& row : rows) {
        FunctionCalls calls;
        parseHost(row[0], "14002", calls);
        INFO(row[0]);
        CHECK(calls.hostCalled);
        CHECK(calls.host == std::string(row[1]));
        CHECK(calls.port == std::string(row[2]));
    }
}

TEST_CASE("host() makes one socket channel that keeps the named channel's other parameters", "[config][resolve]") {
    const std::string channels =
        group("Channel", entry("Channel", "C", value("Host", "a") + value("NumInputBuffers", "33")) +
                             entry("Channel", "M", value("ChannelType", "ChannelType::RSSL_RELIABLE_MCAST")));
    FunctionCalls calls;
    parseHost("h:1", "14002", calls);
    const ConsumerSettings set = resolveConsumer(
        readXml(group("Consumer", entry("Consumer", "A", value("ChannelSet", "C, M"))) + channels), calls);
    REQUIRE(set.channels.size() == 1);
    CHECK(set.channels[0].connect.host == "h");
    CHECK(set.channels[0].connect.port == "1");
    CHECK(set.channels[0].connect.numInputBuffers == 33);
    const ConsumerSettings multicast =
        resolveConsumer(readXml(group("Consumer", entry("Consumer", "A", value("Channel", "M"))) + channels), calls);
    CHECK(multicast.channels.at(0).type == emissary::eta::transport::ConnectionType::socket);
}

TEST_CASE("Channel and ChannelSet", "[config][resolve]") {
    const std::string channels =
        group("Channel", entry("Channel", "C1", value("Port", "1")) + entry("Channel", "C2", value("Port", "2")) +
                             entry("Channel", "C3", value("Port", "3")));
    const auto ports = [](const Configuration& c) {
        std::string all;
        for (const ChannelSettings& s : resolveConsumer(c, {}).channels)
            all += s.name + ":" + s.connect.port + " ";
        return all;
    };
    const auto with = [&](const std::string& parameters) {
        return readXml(group("Consumer", entry("Consumer", "A", parameters)) + channels);
    };
    CHECK(ports(with(value("ChannelSet", " C2, C1 ,,C3"))) == "C2:2 C1:1 C3:3 ");
    SECTION("in the file Channel wins, wherever it stands") {
        CHECK(ports(with(value("Channel", "C3") + value("ChannelSet", "C1,C2"))) == "C3:3 ");
        CHECK(ports(with(value("ChannelSet", "C1,C2") + value("Channel", "C3"))) == "C3:3 ");
    }
    SECTION("programmatically the one added last, and either wins over the file's") {
        Configuration c = with(value("Channel", "C3"));
        addLayer(c, "Consumer", "A", {parameter("Channel", "C1"), parameter("ChannelSet", "C1,C2")});
        CHECK(ports(c) == "C1:1 C2:2 ");
        addLayer(c, "Consumer", "A", {parameter("ChannelSet", "C1,C2"), parameter("Channel", "C2")});
        CHECK(ports(c) == "C2:2 ");
    }
    SECTION("a name without an entry is reported and has defaults") {
        const Configuration c = with(value("ChannelSet", "C1,Cx"));
        CHECK(ports(c) == "C1:1 Cx:14002 ");
        CHECK(recordsWith(resolveConsumer(c, {}).queued, LogSeverity::error, {"Channel entry [Cx]", "EmaConfig.xml"}) ==
              1);
    }
}

TEST_CASE("names that refer to no entry are reported", "[config][resolve]") {
    const Configuration c =
        readXml(group("Consumer",
                      entry("Consumer", "A", value("Logger", "L") + value("Dictionary", "D") + value("Channel", "C"))) +
                group("IProvider", entry("IProvider", "P", value("Server", "S") + value("Directory", "R"))));
    const ConsumerSettings consumer = resolveConsumer(c, {});
    CHECK(recordsWith(consumer.queued, LogSeverity::error, {"Logger entry [L]", "[A]", "EmaConfig.xml:2"}) == 1);
    CHECK(recordsWith(consumer.queued, LogSeverity::error, {"Dictionary entry [D]", "[A]"}) == 1);
    CHECK(recordsWith(consumer.queued, LogSeverity::error, {"Channel entry [C]", "[A]"}) == 1);
    CHECK(consumer.logger.fileName == "emaLog");
    const IProviderSettings provider = resolveIProvider(c, {});
    CHECK(recordsWith(provider.queued, LogSeverity::error, {"Server entry [S]", "[P]"}) == 1);
    CHECK(recordsWith(provider.queued, LogSeverity::error, {"Directory entry [R]", "[P]"}) == 1);
    CHECK(provider.services.at(0).name == "DIRECT_FEED");
}

TEST_CASE("parameters that have no effect yet are said", "[config][resolve]") {
    const Configuration c =
        readXml(group("Consumer",
                      entry("Consumer", "A",
                            value("XmlTraceDump", "1") + value("XmlTraceToFile", "0") + value("RestEnableLog", "1") +
                                value("RestLogFileName", "mine") + value("Channel", "C"))) +
                group("Channel",
                      entry("Channel", "C",
                            value("EnableSessionManagement", "1") + value("CompressionType", "CompressionType::LZ4")) +
                          entry("Channel", "Unused", value("EnableSessionManagement", "1"))) +
                "<GlobalConfig><JsonConverterPoolsSize value=\"3\"/></GlobalConfig>");
    CHECK(c.records.empty());
    const ConsumerSettings s = resolveConsumer(c, {});
    INFO(listed(s.queued));
    CHECK(recordsWith(s.queued, LogSeverity::warning, {"[XmlTraceDump]", "[A]", "no effect"}) == 1);
    CHECK(recordsWith(s.queued, LogSeverity::verbose, {"[JsonConverterPoolsSize]"}) == 1);
    CHECK(s.queued.size() == 2);  // nothing about the others, which have an effect
}

TEST_CASE("warm-standby groups come before the channels", "[config][resolve]") {
    const Configuration c = readXml(
        group("Consumer",
              entry("Consumer", "A", value("WarmStandbyChannelSet", "G, Missing, Headless") + value("Channel", "C"))) +
        group("Channel", entry("Channel", "C", "") + entry("Channel", "D", value("Host", "d"))) +
        group("WarmStandbyServerInfo",
              entry("WarmStandbyServerInfo", "S1", value("Channel", "C")) +
                  entry("WarmStandbyServerInfo", "S2", value("Channel", "D") + value("PerServiceNameSet", "X, Y"))) +
        "<WarmStandbyGroup><WarmStandbyList>" +
        entry("WarmStandbyChannel", "G",
              value("StartingActiveServer", "S1") + value("StandbyServerSet", "S2, Nobody") +
                  value("WarmStandbyMode", "WarmStandbyMode::SERVICE_BASED")) +
        entry("WarmStandbyChannel", "Headless", value("StandbyServerSet", "S2")) +
        "</WarmStandbyList></WarmStandbyGroup>");
    const ConsumerSettings s = resolveConsumer(c, {});
    INFO(listed(s.queued));
    REQUIRE(s.channels.size() == 3);
    CHECK(s.channels[0].name == "C");
    CHECK(s.channels[0].standbyGroup == 1);
    CHECK(s.channels[0].serviceBased);
    CHECK(s.channels[1].name == "D");
    CHECK(s.channels[1].connect.host == "d");
    CHECK(s.channels[1].standbyGroup == 1);
    CHECK(s.channels[1].activeServices == std::vector<std::string>{"X", "Y"});
    CHECK(s.channels[2].name == "C");
    CHECK(s.channels[2].standbyGroup == 0);
    CHECK(recordsWith(s.queued, LogSeverity::error, {"[Missing]"}) == 1);
    CHECK(recordsWith(s.queued, LogSeverity::error, {"[Nobody]"}) == 1);
    CHECK(recordsWith(s.queued, LogSeverity::error, {"[Headless]", "active"}) == 1);
}

TEST_CASE("old locations are read, the instance section wins", "[config][resolve]") {
    const std::string channel =
        group("Channel", entry("Channel", "C",
                               value("ReconnectMinDelay", "700") + value("MsgKeyInUpdates", "0") +
                                   value("DictionaryRequestTimeOut", "9")));
    ConsumerSettings s =
        resolveConsumer(readXml(group("Consumer", entry("Consumer", "A", value("Channel", "C"))) + channel), {});
    CHECK(s.reconnect.minDelay.count() == 700);
    CHECK_FALSE(s.msgKeyInUpdates);
    CHECK(s.dictionaryRequestTimeoutMs == 9);
    s = resolveConsumer(readXml(group("Consumer", entry("Consumer", "A",
                                                        value("Channel", "C") + value("ReconnectMinDelay", "800") +
                                                            value("MsgKeyInUpdates", "1"))) +
                                channel),
                        {});
    CHECK(s.reconnect.minDelay.count() == 800);
    CHECK(s.msgKeyInUpdates);
}

TEST_CASE("a token ratio out of range fails construction", "[config][resolve]") {
    for (const char* ratio : {"0.04", "0.96", "nan"}) {
        const Configuration c = readXml(group("Consumer", entry("Consumer", "A", value("TokenReissueRatio", ratio))));
        CHECK(thrownBy([&] { (void)resolveConsumer(c, {}); }).type == kInvalidConfiguration);
    }
}

TEST_CASE("login values come from calls or the system", "[config][resolve]") {
    FunctionCalls calls;
    calls.userName = "u";
    calls.password = "p";
    calls.position = "1.2.3.4/net";
    calls.applicationId = "7";
    calls.instanceId = "i";
    const LoginSettings s = resolveNiProvider({}, calls).login;
    CHECK(s.userName == "u");
    CHECK(s.password == std::string("p"));
    CHECK(s.position == "1.2.3.4/net");
    CHECK(s.applicationId == "7");
    CHECK(s.instanceId == std::string("i"));
}

TEST_CASE("log files have a limit whether one is configured or not", "[config][resolve]") {
    const auto logger = [](const std::string& values) {
        return resolveConsumer(readXml(group("Consumer", entry("Consumer", "C", value("Logger", "L"))) +
                                       group("Logger", entry("Logger", "L", values))),
                               {})
            .logger;
    };
    CHECK(logger({}).maxFileSize == 100'000'000);
    CHECK(logger({}).keepOldFile);
    CHECK(logger(value("NumberOfLogFiles", "3")).numberOfFiles == 0);
    const LoggerSettings chosen = logger(value("MaxLogFileSize", "7000") + value("NumberOfLogFiles", "3"));
    CHECK(chosen.maxFileSize == 7000);
    CHECK(chosen.numberOfFiles == 3);
    CHECK_FALSE(chosen.keepOldFile);
    CHECK(logger(value("MaxLogFileSize", "0")).maxFileSize == 0);
}

TEST_CASE("IncludeDateInLoggerOutput is on for the value 1 only", "[config][resolve]") {
    for (const int v : {0, 1, 2}) {
        const Configuration c =
            readXml(group("Consumer", entry("Consumer", "A", value("Logger", "L"))) +
                    group("Logger", entry("Logger", "L",
                                          value("IncludeDateInLoggerOutput", std::to_string(v)) +
                                              value("LoggerType", "LoggerType::Stdout") +
                                              value("LoggerSeverity", "LoggerSeverity::NoLogMsg"))));
        const LoggerSettings s = resolveConsumer(c, {}).logger;
        CHECK(s.includeDate == (v == 1));
        CHECK(s.target == LogTarget::standardOutput);
        CHECK(s.severity == LogSeverity::none);
    }
}

TEST_CASE("at Verbose the configuration in effect goes to the log", "[config][resolve]") {
    const auto consumer = [](const char* severity) {
        FunctionCalls calls;
        parseHost("there", "14002", calls);
        return resolveConsumer(readXml(group("Consumer", entry("Consumer", "A",
                                                               value("Logger", "L") + value("Channel", "C") +
                                                                   value("ItemCountHint", "7"))) +
                                       group("Channel", entry("Channel", "C", value("SysSendBufSize", "99999999999"))) +
                                       group("Logger", entry("Logger", "L", value("LoggerSeverity", severity)))),
                               calls);
    };
    const ConsumerSettings s = consumer("LoggerSeverity::Verbose");
    CHECK(recordsWith(s.queued, LogSeverity::verbose,
                      {"active configuration", s.instanceName, "\nConsumer [A]\n", "\nItemCountHint : 7\n",
                       "\nObeyOpenWindow : 1\n", "\nChannel [C]\n", "\nChannelType : RSSL_SOCKET\n",
                       "\nSysSendBufSize : 4294967295\n", "\nLoggerSeverity : Verbose\n", "\nHost : there\n",
                       "\nOperationModel : ApiDispatch"}) == 1);
    CHECK(recordsWith(consumer("LoggerSeverity::Success").queued, LogSeverity::verbose, {"active configuration"}) == 0);
    FunctionCalls none;
    CHECK(resolveIProvider({}, none).queued.empty());
}

TEST_CASE("the XML trace: instance, channel and the limits of its numbers", "[config][resolve]") {
    const Configuration c =
        readXml(group("Consumer", entry("Consumer", "A",
                                        value("Channel", "C") + value("XmlTraceFileName", "mine") +
                                            value("XmlTraceMaxFileSize", "0") + value("XmlTraceToMultipleFiles", "1") +
                                            value("XmlTraceRead", "0") + value("XmlTraceHex", "1"))) +
                group("Channel", entry("Channel", "C",
                                       value("XmlTraceToFile", "1") + value("XmlTraceFileName", "old") +
                                           value("XmlTracePing", "1"))));
    const ConsumerSettings s = resolveConsumer(c, {});
    INFO(listed(s.queued));
    CHECK(recordsWith(c.records, LogSeverity::warning, {"[XmlTraceToFile]", "moved"}) == 1);
    CHECK(s.trace.toFile);  // from the old place, as the instance does not say
    CHECK_FALSE(s.trace.toStdout);
    CHECK(s.trace.fileName == "mine");
    CHECK(s.trace.maxFileSize == 100'000'000);
    CHECK(s.trace.multipleFiles);
    CHECK_FALSE(s.trace.read);
    CHECK(s.trace.write);
    CHECK(s.trace.hex);
    CHECK(s.trace.ping);
    CHECK(s.trace.maxFiles == 100);
}
