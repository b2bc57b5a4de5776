// Settings made from options: what is carried over, and which combinations are refused.
#include "Settings.h"
#include "TransportOptions.h"
#include "eta/transport/connection_types.h"
#include "support/catch.hpp"

#include <set>
#include <sstream>

using namespace emissary::perf;

namespace {

using Arguments = std::vector<std::string_view>;

struct Case {
    Arguments arguments;
    const char* error;  // empty: accepted
};

std::string consumerError(const Arguments& arguments) {
    Options options(Tool::consumer);
    try {
        options.parse(arguments);
        static_cast<void>(consumerSettings(options));
    } catch (const OptionError& error) { return error.what(); }
    return "";
}

std::string providerError(const Arguments& arguments) {
    Options options(Tool::provider);
    try {
        options.parse(arguments);
        static_cast<void>(providerSettings(options));
    } catch (const OptionError& error) { return error.what(); }
    return "";
}

}  // namespace

TEST_CASE("consumer options are validated", "[perftools]") {
    const std::vector<Case> cases = {
        {{}, ""},
        {{"-tickRate", "0"}, "Config Error: Tick rate cannot be less than 1."},
        {{"-tickRate", "-5"}, "Config Error: Tick rate cannot be less than 1."},
        {{"-writeStatsInterval", "0"}, "Config error: Write Stats Interval cannot be less than 1."},
        {{"-requestRate", "999"}, "Config Error: Item Request Rate cannot be less than tick rate."},
        {{"-postingRate", "999"}, "Config Error: Post Rate cannot be less than tick rate(unless it is zero)."},
        {{"-postingLatencyRate", "1"}, "Config Error: Latency Post Rate cannot be greater than total posting rate."},
        {{"-postingRate", "5000", "-postingLatencyRate", "1001"},
         "Config Error: Latency Post Rate cannot be greater than tick rate."},
        {{"-postingRate", "5000", "-postingLatencyRate", "all"}, ""},
        {{"-genericMsgRate", "10"},
         "Config Error: Generic Message Rate cannot be less than tick rate(unless it is zero)."},
        {{"-genericMsgLatencyRate", "10"},
         "Config Error: Latency Generic Message Rate cannot be greater than total generic message rate."},
        {{"-genericMsgRate", "2000", "-genericMsgLatencyRate", "1500"},
         "Config Error: Latency Generic Message Rate cannot be greater than tick rate."},
        {{"-snapshot", "-postingRate", "1000"}, "Config Error: Configured to post while requesting snapshots."},
        {{"-snapshot", "-genericMsgRate", "1000"},
         "Config Error: Configured to send generic messages while requesting snapshots."},
        {{"-threads", "0,1", "-itemCount", "100", "-commonItemCount", "51"},
         "Config Error: Common item count (51) is greater than total item count per thread (50)."},
        {{"-threads", "0,1", "-itemCount", "100", "-commonItemCount", "50"}, ""},
        {{"-steadyStateTime", "5", "-delaySteadyStateCalc", "5001"},
         "Config Error: Time before the latency is calculated should be less than Steady State Time."},
        {{"-delaySteadyStateCalc", "30001"},
         "Config Error: Time before the latency is calculated should be less than Steady State Time."},
        {{"-delaySteadyStateCalc", "-1"},
         "Config Error: Time before the latency is calculated should be less than Steady State Time."},
        {{"-delaySteadyStateCalc", "30000"}, ""},
        {{"-threads", "0,1", "-apiThreads", "1"}, "Config Error: thread count not equal to api thread count."},
        {{"-threads", "0", "-workerThreads", "1,2"}, "Config Error: thread count not equal to worker thread count."},
        {{"-threads", "0,P:0 C:1", "-apiThreads", "1,-1"}, ""},
        {{"-useUserDispatch", "1", "-apiThreads", "1"},
         "Config Error: -apiThreads has no meaning with -useUserDispatch 1."},
        {{"-mainThread", "1,2"}, "Config Error: -mainThread takes one processor."},
        {{"-busyRead"}, "Config Error: -busyRead needs -useUserDispatch 1."},
        {{"-busyRead", "-useUserDispatch", "1"}, ""},
        {{"-websocket", "rssl.rwf"}, ""},
        {{"-websocket", "rssl.rwf", "-connType", "encrypted"}, ""},
        {{"-websocket", "rssl.rwf", "-pl", "rssl.rwf"},
         "Config Error: -websocket names the sub-protocol; leave -pl out."},
        {{"-websocket", "rssl.rwf", "-connType", "socket"},
         "Config Error: -websocket does not go with -connType socket."},
        {{"-websocket", "rssl.rwf", "-encryptedConnType", "socket"},
         "Config Error: -websocket does not go with -encryptedConnType socket."},
        {{"-pl", "rssl.rwf, tr_json2"}, ""},
        {{"-pl", "rssl.rwf,rssl.xml"}, "Config Error: -pl: 'rssl.xml' is not one of rssl.json.v2, rssl.rwf, tr_json2."},
        {{"-warmStandbyMode", "service"},
         "Config Error: A warm standby pair needs -startingHostName, -startingPort, -standbyHostName and "
         "-standbyPort."},
        {{"-startingHostName", "a", "-startingPort", "1", "-standbyHostName", "b", "-standbyPort", "2"}, ""},
        {{"-startingHostName", "a", "-startingPort", "1", "-standbyHostName", "b", "-standbyPort", "2", "-p", "3"},
         "Config Error: -h and -p name one provider; with a warm standby pair leave them out."},
        {{"-tunnel"}, ""},
        {{"-tunnel", "-tunnelAuth", "-tunnelStreamOutputBufs", "15000", "-tunnelStreamBuffersUsed", "-reactor"}, ""},
        {{"-tunnel", "-websocket", "rssl.rwf"}, ""},
        {{"-tunnelAuth"}, "Config Error: -tunnelAuth is for -tunnel."},
        {{"-tunnelStreamOutputBufs", "1"}, "Config Error: -tunnelStreamOutputBufs is for -tunnel."},
        {{"-tunnelStreamBuffersUsed"}, "Config Error: -tunnelStreamBuffersUsed is for -tunnel."},
        {{"-tunnel", "-websocket", "rssl.json.v2"},
         "Config Error: -tunnel needs a connection that carries RWF: use rssl.rwf with -websocket or -pl."},
        {{"-tunnel", "-startingHostName", "a", "-startingPort", "1", "-standbyHostName", "b", "-standbyPort", "2"},
         "Config Error: -tunnel does not go with a warm standby pair: a tunnel stream ends with its connection."},
    };
    for (const Case& one : cases) {
        std::string line;
        for (const auto argument : one.arguments)
            line.append(argument).append(" ");
        INFO(line);
        CHECK(consumerError(one.arguments) == one.error);
    }
}

TEST_CASE("provider options are validated", "[perftools]") {
    const std::vector<Case> cases = {
        {{}, ""},
        {{"-updateRate", "999"},
         "Config Error: Update rate cannot be less than total ticks per second (unless it is zero)."},
        {{"-updateRate", "0"}, ""},
        {{"-updateRate", "0", "-latencyUpdateRate", "5"},
         "Config Error: Latency update rate cannot be greater than total update rate."},
        {{"-latencyUpdateRate", "1001"},
         "Config Error: Latency update rate cannot be greater than total ticks per second."},
        {{"-latencyUpdateRate", "all"}, ""},
        {{"-latencyUpdateRate", "all", "-preEnc"},
         "Config Error: -preEnc has no effect when always sending latency update, since it must be encoded."},
        {{"-latencyUpdateRate", "0", "-measureEncode"},
         "Config Error: Measuring message encoding time when latency update rate is zero. "
         "Use -latencyUpdateRate or -genericMsgLatencyRate."},
        {{"-measureEncode"}, ""},
        {{"-maxPackCount", "3", "-packBufSize", "2000"}, ""},
        {{"-tickRate", "0"}, "Config Error: Tick rate cannot be less than 1."},
    };
    for (const Case& one : cases) {
        std::string line;
        for (const auto argument : one.arguments)
            line.append(argument).append(" ");
        INFO(line);
        CHECK(providerError(one.arguments) == one.error);
    }
    std::string tooMany = "-1";
    for (int i = 0; i < 128; ++i)
        tooMany += ",-1";
    CHECK(providerError({"-threads", tooMany}) == "Config Error: Too many threads specified.");
    CHECK(providerError({"-threads", std::string_view(tooMany).substr(3)}).empty());
}

TEST_CASE("settings carry what was given", "[perftools]") {
    SECTION("host and port make the API's host text") {
        const auto host = [](const Arguments& arguments) {
            Options options(Tool::consumer);
            options.parse(arguments);
            return consumerSettings(options).host;
        };
        CHECK(host({}).empty());
        CHECK(host({"-h", "one", "-p", "14009"}) == "one:14009");
        CHECK(host({"-h", "one"}) == "one");
        CHECK(host({"-p", "14009"}) == ":14009");
    }
    SECTION("transport options") {
        Options options(Tool::provider);
        options.parse(Arguments{"-outputBufs", "10", "-tcpDelay", "-if", "lo", "-serviceId", "3"});
        const ProviderSettings settings = providerSettings(options);
        CHECK(settings.transport.given);
        CHECK(settings.transport.outputBuffers == 10U);
        CHECK_FALSE(settings.transport.highWaterMark.has_value());
        CHECK(settings.transport.tcpDelay);
        CHECK(settings.transport.interfaceName == "lo");
        CHECK(settings.service.given);
        CHECK(settings.service.id == 3);
        CHECK(settings.service.name == "DIRECT_FEED");
        Options none(Tool::provider);
        CHECK_FALSE(providerSettings(none).transport.given);
    }
    SECTION("kinds of connection") {
        Options server(Tool::provider);
        server.parse(Arguments{"-connType", "encrypted", "-cert", "c.pem", "-keyfile", "k.pem", "-cipher", "AES256",
                               "-compressionType", "zlib", "-compressionLevel", "9", "-maxOutputBufs", "77"});
        const TransportSettings bind = providerSettings(server).transport;
        CHECK(bind.given);
        CHECK(bind.kind == ConnectionKind::encrypted);
        CHECK(bind.certificate == "c.pem");
        CHECK(bind.privateKey == "k.pem");
        CHECK(bind.cipherSuite == "AES256");
        CHECK(bind.compression == 1);
        CHECK(bind.compressionLevel == 9U);
        CHECK(bind.maxOutputBuffers == 77U);
        Options client(Tool::consumer);
        client.parse(Arguments{"-connType", "encrypted", "-encryptedConnType", "websocket", "-castore", "ca.pem",
                               "-spTLSv1.3", "-pl", "rssl.rwf", "-maxOutputBuffer", "9"});
        const TransportSettings connect = consumerSettings(client).transport;
        CHECK(connect.innerKind == ConnectionKind::webSocket);
        CHECK(connect.caStore == "ca.pem");
        CHECK(connect.tlsVersions == 8U);
        CHECK(connect.webSocketProtocols == "rssl.rwf");
        CHECK(connect.maxOutputBuffers == 9U);
        CHECK_FALSE(connect.compression.has_value());
    }
    SECTION("-websocket chooses the sections, or the connection of a named one") {
        const auto settings = [](const Arguments& arguments) {
            Options options(Tool::consumer);
            options.parse(arguments);
            return consumerSettings(options);
        };
        const ConsumerSettings json = settings({"-websocket", "rssl.json.v2"});
        CHECK(json.consumerName == "Perf_Consumer_WSJSON_");
        CHECK_FALSE(json.transport.given);
        CHECK(settings({"-websocket", "rssl.rwf"}).consumerName == "Perf_Consumer_WSRWF_");
        const ConsumerSettings mine = settings({"-websocket", "rssl.rwf", "-consumerName", "Mine"});
        CHECK(mine.consumerName == "Mine");
        CHECK(mine.transport.kind == ConnectionKind::webSocket);
        CHECK(mine.transport.webSocketProtocols == "rssl.rwf");
        const ConsumerSettings tls = settings({"-websocket", "rssl.rwf", "-connType", "encrypted"});
        CHECK(tls.transport.kind == ConnectionKind::encrypted);
        CHECK(tls.transport.innerKind == ConnectionKind::webSocket);
    }
}

TEST_CASE("configuration sections are named after the thread", "[perftools]") {
    CHECK(sectionName("Perf_Consumer_", false, 1) == "Perf_Consumer_1");
    CHECK(sectionName("Perf_Consumer_", false, 3) == "Perf_Consumer_3");
    CHECK(sectionName("Mine", true, 1) == "Mine");
    CHECK(sectionName("Mine", true, 2) == "Mine2");
}

TEST_CASE("items are divided evenly, the common ones are a part of each share", "[perftools]") {
    const auto check = [](std::uint32_t count, std::uint32_t common, std::size_t threads) {
        std::uint32_t next = common, all = 0;
        for (std::size_t i = 0; i < threads; ++i) {
            const ItemShare share = itemShare(count, common, threads, i);
            CHECK(share.common == common);
            CHECK(share.first == next);
            CHECK(share.total() == itemShare(count, 0, threads, i).total());
            next += share.own;
            all += share.total();
        }
        CHECK(all == count);
        CHECK(next <= count);  // of the list
    };
    check(100, 0, 1);
    check(100, 0, 3);
    check(100, 10, 4);
    check(7, 2, 3);
    CHECK(itemShare(100, 0, 3, 0).own == 34);
    CHECK(itemShare(100, 0, 3, 2).own == 33);
    CHECK(itemShare(100, 10, 4, 0).total() == 25);
    CHECK(itemShare(100, 25, 4, 3).own == 0);
}

TEST_CASE("test inputs are shown as the guide shows them", "[perftools]") {
    Options consumer(Tool::consumer);
    consumer.parse(Arguments{"-latencyFile", "latencyLog"});
    CHECK(consumerSettings(consumer).testInputs == "       Steady State Time: 300\n"
                                                   " Delay Steady State Time: 0\n"
                                                   "                 Service: DIRECT_FEED\n"
                                                   "         useUserDispatch: 0\n"
                                                   "              mainThread: -1\n"
                                                   "             Thread List: -1\n"
                                                   "          ApiThread List: -1\n"
                                                   "                Username: (use system login name)\n"
                                                   "              Item Count: 100000\n"
                                                   "       Common Item Count: 0\n"
                                                   "            Request Rate: 35000\n"
                                                   "       Request Snapshots: No\n"
                                                   "            Posting Rate: 0\n"
                                                   "    Latency Posting Rate: 0\n"
                                                   "        Generic Msg Rate: 0\n"
                                                   "Latency Generic Msg Rate: 0\n"
                                                   "               Item File: 350k.xml\n"
                                                   "               Data File: MsgData.xml\n"
                                                   "            Summary File: ConsSummary.out\n"
                                                   "              Stats File: ConsStats\n"
                                                   "        Latency Log File: latencyLog\n"
                                                   "               Tick Rate: 1000\n");
    Options provider(Tool::provider);
    provider.parse(Arguments{"-latencyUpdateRate", "all", "-noDisplayStats", "-workerThreads", "1"});
    CHECK(providerSettings(provider).testInputs == "                Run Time: 360\n"
                                                   "           Provider Name: Perf_Provider_1\n"
                                                   "         useUserDispatch: No\n"
                                                   "        mainThread CpuId: -1\n"
                                                   "             Thread List: -1\n"
                                                   "       WorkerThread List: 1\n"
                                                   "            Summary File: ProvSummary.out\n"
                                                   "              Stats File: ProvStats\n"
                                                   "        Latency Log File: (none)\n"
                                                   "    Write Stats Interval: 5\n"
                                                   "           Display Stats: No\n"
                                                   "               Tick Rate: 1000\n"
                                                   "             Update Rate: 100000\n"
                                                   "     Latency Update Rate: 100000\n"
                                                   "        Generic Msg Rate: 0\n"
                                                   "Latency Generic Msg Rate: 0\n"
                                                   "      Refresh Burst Size: 10\n"
                                                   "               Data File: MsgData.xml\n"
                                                   "     Pre-Encoded Updates: No\n"
                                                   "         Nanosecond Time: No\n"
                                                   "          Measure Encode: No\n");
    Options packing(Tool::provider);
    packing.parse(Arguments{"-maxPackCount", "50", "-packBufSize", "3000"});
    CHECK(providerSettings(packing).testInputs.find("               Data File: MsgData.xml\n"
                                                    "                 Packing: 50\n"
                                                    "        Pack Buffer Size: 3000\n"
                                                    "     Pre-Encoded Updates: No\n") != std::string::npos);
}

TEST_CASE("an option is bound to its field, or one of the few that several values decide", "[perftools]") {
    const std::set<std::string_view> together = {"--print-config",
                                                 "-mainThread",
                                                 "-threads",
                                                 "-apiThreads",
                                                 "-workerThreads",
                                                 "-connType",
                                                 "-encryptedConnType",
                                                 "-compressionType",
                                                 "-spTLSv1.2",
                                                 "-spTLSv1.3",
                                                 "-websocket",
                                                 "-warmStandbyMode",
                                                 "-h",
                                                 "-p"};
    const std::set<std::string_view> ofTransport = {
        "-appType",    "-statsFile", "-statsFileStatic", "-summaryFile",       "-summaryFileStatic",
        "-mainThread", "-threads",   "-connType",        "-encryptedConnType", "-compressionType"};
    for (const OptionSpec& spec : optionTable()) {
        if (spec.support != Support::full) continue;
        INFO(spec.name);
        const auto& decided = spec.tools == static_cast<std::uint8_t>(Tool::transport) ? ofTransport : together;
        CHECK((spec.store != nullptr || decided.count(spec.name) != 0));
    }
}

TEST_CASE("the options of TransportPerf lay their values into fields", "[perftools]") {
    Options options(Tool::transport);
    TransportPerfOptions fields;
    options.store({.tool = &fields, .transport = &fields});
    CHECK(fields.host == "localhost");
    CHECK(fields.outputBufs == 5000);
    CHECK(fields.latencyRate == 10);
    CHECK_FALSE(fields.tcpDelay);
    options.parse(Arguments{"-h", "there", "-tcpDelay", "-latencyMsgRate", "all", "-compressionLevel", "9", "-ra",
                            "239.1.1.1", "-tickRate", "50"});
    options.store({.tool = &fields, .transport = &fields});
    CHECK(fields.host == "there");
    CHECK(fields.tcpDelay);
    CHECK(fields.latencyRate == kAllMessages);
    CHECK(fields.compressionLevel == 9);
    CHECK(fields.receiveAddress == "239.1.1.1");
    CHECK(fields.tickRate == 50);
}

TEST_CASE("the words for kinds of connections are those of the transport", "[perftools]") {
    std::set<std::string> words{"http"};  // is refused with a word on what to use
    for (const auto& row : emissary::eta::transport::kConnectionTypes)
        if (!row.tool.empty()) words.emplace(row.tool);
    std::set<std::string> all;
    for (const OptionSpec& spec : optionTable()) {
        if (spec.name != "-connType" && spec.name != "-encryptedConnType") continue;
        std::istringstream in{std::string(spec.choices)};
        for (std::string word; std::getline(in, word, ',');) {
            INFO(spec.name << ' ' << word);
            CHECK(words.count(word) == 1);
            if (spec.tools == static_cast<std::uint8_t>(Tool::transport)) all.insert(word);
        }
    }
    CHECK(all == words);
}
