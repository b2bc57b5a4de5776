// EmaCppNIProvPerf as a user runs it, against the acceptor: a real process, real sockets, the shipped configuration.
#include "ToolProcess.h"
#include "support/NiAcceptor.h"
#include "support/catch.hpp"
#include "support/paths.h"
#include "support/udp_port.h"

#include <csignal>
#include <cstdlib>

using namespace emissary::perf::test;
using emissary::test::NiAcceptor;
namespace eta = emissary::eta;

namespace {

constexpr double kLong = 60.0;
const std::string kTool = EMISSARY_NIPROVPERF;

class Stage {
    TempDir dir_;

public:
    NiAcceptor acceptor;

    using Group = std::optional<emissary::eta::transport::ConnectOptions>;
    explicit Stage(bool encrypted = false, const Group& group = {})
        : acceptor(NiAcceptor::Run::thread, acceptorOptions(encrypted, group)) {
        constexpr int items = 1000;
        namespace fs = std::filesystem;
        for (const char* file : {"EmaConfig.xml", "etc/RDMFieldDictionary", "etc/enumtype.def", "etc/MsgData.xml"})
            fs::create_symlink(emissary::test::sourcePath("/") + file, dir_.file(fs::path(file).filename().string()));
        std::string list = "<itemList>\n";
        for (int i = 1; i <= items; ++i)
            list += "<item domain=\"MarketPrice\" name=\"T" + std::to_string(i) + "\"/>\n";
        dir_.write("items.xml", list + "</itemList>\n");
    }
    [[nodiscard]] const TempDir& dir() const { return dir_; }
    std::unique_ptr<ToolProcess> tool(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments = {"-itemFile", "items.xml",           "-itemCount",
                                              "1000",      "-writeStatsInterval", "1"};
        if (acceptor.port() != 0)
            arguments.insert(arguments.end(), {"-h", "127.0.0.1", "-p", std::to_string(acceptor.port())});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return std::make_unique<ToolProcess>(kTool, arguments, dir_, "tool.log");
    }
    [[nodiscard]] std::string summary() const { return readFile(dir_.file("NIProvSummary.out")); }

private:
    NiAcceptor::Options acceptorOptions(bool encrypted, const Group& group) const {
        NiAcceptor::Options options;
        options.group = group;
        if (!encrypted) return options;
        const std::string to = dir_.file("certificates");
        REQUIRE(std::system((emissary::test::sourcePath("/dev/make_test_certificates.sh ") + to).c_str()) == 0);
        options.certificate = to + "/server.pem";
        options.privateKey = to + "/server-key.pem";
        return options;
    }
};

double number(const std::string& text, const std::string& label) {
    const std::size_t at = text.rfind(label + ": ");
    return at == std::string::npos ? -1.0 : std::stod(text.substr(at + label.size() + 2));
}

}  // namespace

TEST_CASE("NIProvPerf publishes images, then updates", "[perftools][niprovider][run]") {
    const bool user = GENERATE(false, true);
    INFO((user ? "user dispatch" : "API dispatch"));
    Stage stage;
    const auto tool =
        stage.tool({"-useUserDispatch", user ? "1" : "0", "-updateRate", "20000", "-runTime", "3", "-measureEncode"});
    REQUIRE(tool->wait(kLong) == 0);
    const std::string output = tool->output();
    INFO(output);
    CHECK(output.find("--- TEST INPUTS ---") == 0);
    CHECK(output.find("Perf_NIPProvider_1: connected.") != std::string::npos);
    CHECK(output.find("  - Sent 1000 images (total: 1000)") != std::string::npos);
    CHECK(output.find("Update Encode Time (usec)") != std::string::npos);
    CHECK(output.find("Run time of 3 seconds has expired.") != std::string::npos);
    const std::string summary = stage.summary();
    CHECK(number(summary, "Images sent") == 1000);
    const double updates = number(summary, "Updates sent");
    CHECK(updates > 1000);
    CHECK(readFile(stage.dir().file("NIProvStats1.csv")).find("UTC, Images sent, Updates sent, ") == 0);
    // Everything that was counted has arrived.
    CHECK(stage.acceptor.waitFor([&](const NiAcceptor::Totals& t, const auto&) {
        return t.refreshes == 1000 && static_cast<double>(t.updates) == updates;
    }));
    CHECK(stage.acceptor.totals().ignored == 0);
    REQUIRE(stage.acceptor.waitForLine("RFSH -1 d6 0xc8 svc 1 T1 Open/Ok/0 fids"));
    REQUIRE(stage.acceptor.waitForLine("UPD -1 d6 0x8 svc 1 T1 fids"));
    CHECK(stage.acceptor.waitFor([](const NiAcceptor::Totals& t, const auto&) { return t.losses == 1; }));
}

TEST_CASE("NIProvPerf publishes over encrypted connections", "[perftools][niprovider][run]") {
    Stage stage(true);
    SECTION("with the authority") {
        const auto tool = stage.tool({"-connType", "encrypted", "-castore", "certificates/ca.pem", "-updateRate",
                                      "20000", "-runTime", "2", "-maxPackCount", "10"});
        REQUIRE(tool->wait(kLong) == 0);
        INFO(tool->output());
        CHECK(number(stage.summary(), "Images sent") == 1000);
        const double updates = number(stage.summary(), "Updates sent");
        CHECK(updates > 1000);
        CHECK(stage.acceptor.waitFor([&](const NiAcceptor::Totals& t, const auto&) {
            return t.refreshes == 1000 && static_cast<double>(t.updates) == updates;
        }));
    }
    SECTION("not to a server that nobody vouches for") {
        const auto tool = stage.tool({"-connType", "encrypted", "-castore", "certificates/ec.pem"});
        REQUIRE(tool->waitForOutput("waiting for the server: ", kLong));
        INFO(tool->output());
        CHECK(tool->output().find("certificate") != std::string::npos);
        CHECK(stage.acceptor.totals().logins == 0);
        tool->signal(SIGINT);
        CHECK(tool->wait(kLong) == 0);
    }
}

TEST_CASE("NIProvPerf: the sections that the guide names work as they are shipped", "[perftools][niprovider][run]") {
    const std::string section =
        GENERATE("Perf_NIPProvider", "Perf_NIPProvider_1", "Perf_NIProvider_1", "Perf_NIPProvider_Encr_1");
    INFO(section);
    Stage stage(section.find("Encr") != std::string::npos);
    if (section.find("Encr") != std::string::npos)
        std::filesystem::copy(stage.dir().file("certificates/ca.pem"), stage.dir().file("myCA.pem"));
    const auto tool =
        stage.tool({"-providerName", section, "-updateRate", "1000", "-runTime", "1", "-outputBufs", "9000"});
    CHECK(tool->wait(kLong) == 0);
    INFO(tool->output());
    CHECK(number(stage.summary(), "Images sent") == 1000);
    CHECK(stage.acceptor.waitFor([](const NiAcceptor::Totals& t, const auto&) { return t.refreshes == 1000; }));
}

TEST_CASE("NIProvPerf packs, pre-encodes and uses the service id", "[perftools][niprovider][run]") {
    Stage stage;
    const auto tool = stage.tool({"-maxPackCount", "20", "-preEnc", "-useServiceId", "-updateRate", "50000", "-runTime",
                                  "2", "-latencyUpdateRate", "100"});
    REQUIRE(tool->wait(kLong) == 0);
    INFO(tool->output());
    const double updates = number(stage.summary(), "Updates sent");
    CHECK(updates > 1000);
    CHECK(stage.acceptor.waitFor(
        [&](const NiAcceptor::Totals& t, const auto&) { return static_cast<double>(t.updates) == updates; }));
}

TEST_CASE("NIProvPerf: several threads share the items, common ones go to all", "[perftools][niprovider][run]") {
    Stage stage;
    const auto tool =
        stage.tool({"-threads", "-1,-1", "-commonItemCount", "100", "-updateRate", "5000", "-runTime", "2"});
    REQUIRE(tool->wait(kLong) == 0);
    INFO(tool->output());
    const std::string summary = stage.summary();
    CHECK(summary.find("--- THREAD 2 SUMMARY ---\nOverall Statistics:\n  Images sent: 500\n") != std::string::npos);
    CHECK(number(summary, "Images sent") == 1000);
    CHECK(stage.acceptor.waitFor([](const NiAcceptor::Totals& t, const auto&) { return t.refreshes == 1000; }));
    CHECK(stage.acceptor.totals().logins == 2);
    CHECK(std::filesystem::exists(stage.dir().file("NIProvStats2.csv")));
}

TEST_CASE("NIProvPerf ends in order: Ctrl-C, a lost connection, closed items", "[perftools][niprovider][run]") {
    Stage stage;
    const auto tool = stage.tool({"-updateRate", "1000"});
    REQUIRE(stage.acceptor.waitFor(
        [](const NiAcceptor::Totals& t, const auto&) { return t.refreshes == 1000 && t.updates > 1000; }));
    SECTION("Ctrl-C") {
        tool->signal(SIGINT);
        REQUIRE(tool->wait(kLong) == 0);
        CHECK(tool->output().find("Stopped by the user.") != std::string::npos);
        CHECK(number(stage.summary(), "Images sent") == 1000);
    }
    SECTION("the server goes away") {
        stage.acceptor.disconnectAll();
        REQUIRE(tool->wait(kLong) == 255);
        CHECK(stage.summary().find("The connection of Perf_NIPProvider_1 was lost") != std::string::npos);
        CHECK(stage.summary().find("'Channel is down.'") != std::string::npos);
    }
    SECTION("the server closes an item") {
        REQUIRE(stage.acceptor.closeItem("T7") == 1);
        REQUIRE(tool->waitForOutput("  - Received 1 closes.", kLong));
        CHECK(tool->running());
    }
}

TEST_CASE("NIProvPerf goes on with -recover when its connection is back", "[perftools][niprovider][run]") {
    const bool user = GENERATE(false, true);
    INFO((user ? "user dispatch" : "API dispatch"));
    Stage stage;
    const auto tool = stage.tool(
        {"-updateRate", "1000", "-recover", "-maxPackCount", user ? "1" : "10", "-useUserDispatch", user ? "1" : "0"});
    REQUIRE(stage.acceptor.waitFor(
        [](const NiAcceptor::Totals& t, const auto&) { return t.refreshes == 1000 && t.updates > 100; }));
    stage.acceptor.disconnectAll();
    REQUIRE(stage.acceptor.waitFor([](const NiAcceptor::Totals& t, const auto&) { return t.refreshes == 2000; },
                                   std::chrono::seconds(30)));
    const std::uint64_t before = stage.acceptor.totals().updates;
    REQUIRE(stage.acceptor.waitFor(
        [before](const NiAcceptor::Totals& t, const auto&) { return t.updates > before + 100; }));
    REQUIRE(tool->waitForOutput("the connection is back.", kLong));
    tool->signal(SIGINT);
    REQUIRE(tool->wait(kLong) == 0);
    CHECK(number(stage.summary(), "Connections lost") == 1);
    CHECK(number(stage.summary(), "Recoveries") == 1);
    CHECK(number(stage.summary(), "Seconds without data") > 0);
    CHECK(stage.acceptor.totals().ignored == 0);
}

TEST_CASE("NIProvPerf tries a login again that was refused for the time being", "[perftools][niprovider][run]") {
    Stage stage;
    stage.acceptor.refuseLogins(true, eta::codec::StreamState::closedRecover);
    const auto tool = stage.tool({"-updateRate", "1000"});
    REQUIRE(tool->waitForOutput("waiting for the server: login failed", kLong));
    stage.acceptor.refuseLogins(false);
    CHECK(stage.acceptor.waitFor([](const NiAcceptor::Totals& t, const auto&) { return t.refreshes == 1000; },
                                 std::chrono::seconds(30)));
}

TEST_CASE("NIProvPerf waits for its server, and says so", "[perftools][niprovider][run]") {
    Stage stage;
    stage.acceptor.stopListening();
    const auto tool = stage.tool({"-runTime", "60", "-updateRate", "1000"});
    REQUIRE(tool->waitForOutput("waiting for the server", kLong));
    SECTION("until it is there") {
        stage.acceptor.listenAgain();
        CHECK(stage.acceptor.waitFor([](const NiAcceptor::Totals& t, const auto&) { return t.refreshes == 1000; },
                                     std::chrono::seconds(30)));
    }
    SECTION("but no longer than the run lasts") {
        // Both write the same files.
        tool->signal(SIGTERM);
        REQUIRE(tool->wait(kLong) == 0);
        const auto brief = stage.tool({"-p", std::to_string(freePort()), "-runTime", "1"});
        CHECK(brief->wait(kLong) == 255);
        CHECK(stage.summary().find("Error: Perf_NIPProvider_1 has sent 0 of 1000 images: it found no server.") !=
              std::string::npos);
        // The reason is the last line.
        const std::string output = brief->output();
        const std::string last = output.substr(output.rfind("\n", output.size() - 2) + 1);
        CHECK(last.find("it found no server. It waited for the server at ") != std::string::npos);
    }
    SECTION("and can be stopped meanwhile") {
        tool->signal(SIGTERM);
        CHECK(tool->wait(kLong) == 0);
    }
}

TEST_CASE("NIProvPerf names what is wrong", "[perftools][niprovider][run]") {
    Stage stage;
    const auto failure = [&](std::vector<std::string> more, const std::string& text) {
        const auto tool = stage.tool(std::move(more));
        CHECK(tool->wait(kLong) == 255);
        INFO(tool->output());
        CHECK(tool->output().find(text) != std::string::npos);
    };
    failure({"-serviceName", "NO_SUCH"}, "'NO_SUCH'");
    failure({"-itemFile", "none.xml"}, "none.xml");
    failure({"-summaryFile", "no/such/directory"}, "Failed to open file");
    stage.acceptor.refuseLogins(true);
    failure({}, "Login denied.");
}

TEST_CASE("NIProvPerf publishes to a multicast group", "[perftools][niprovider][run][multicast]") {
    emissary::eta::transport::ConnectOptions group;
    group.connectionType = emissary::eta::transport::ConnectionType::reliableMulticast;
    group.interfaceName = "lo";
    group.guaranteedOutputBuffers = 500;
    const std::string there = std::to_string(emissary::test::freeUdpPort());
    std::string back = there;
    while (back == there)
        back = std::to_string(emissary::test::freeUdpPort());
    group.multicast.receiveAddress = group.multicast.sendAddress = "239.255.15.2";
    group.multicast.receivePort = there;
    group.multicast.sendPort = back;
    group.multicast.unicastPort = "0";
    Stage stage(false, group);
    const std::vector<std::string> multicast = {"-connType",    "reliableMCast", "-if", "lo",  "-ra",
                                                "239.255.15.2", "-rp",           back,  "-sa", "239.255.15.2",
                                                "-sp",          there,           "-u",  "0"};
    std::vector<std::string> arguments = {"-updateRate", "10000", "-runTime", "3", "-mcastStats"};
    arguments.insert(arguments.end(), multicast.begin(), multicast.end());
    const auto tool = stage.tool(arguments);
    REQUIRE(tool->wait(kLong) == 0);
    const std::string output = tool->output();
    INFO(output);
    CHECK(output.find("reliable multicast") + output.find("reliableMCast") != std::string::npos * 2);
    CHECK(output.find("  Multicast packets: sent ") != std::string::npos);
    const std::string summary = stage.summary();
    CHECK(number(summary, "Images sent") == 1000);
    CHECK(number(summary, "Updates sent") > 10000);
    CHECK(number(summary, "Multicast Packets Sent") > 100);
    CHECK(number(summary, "Packet Gaps Detected") == 0);
    const double updates = number(summary, "Updates sent");
    CHECK(stage.acceptor.waitFor([&](const NiAcceptor::Totals& t, const auto&) {
        return t.refreshes == 1000 && static_cast<double>(t.updates) == updates;
    }));
    CHECK(stage.acceptor.totals().ignored == 0);
    CHECK(stage.acceptor.totals().logins == 1);

    SECTION("a second run on the same group is a new publisher") {
        const auto again = stage.tool(arguments);
        REQUIRE(again->wait(kLong) == 0);
        CHECK(stage.acceptor.waitFor([&](const NiAcceptor::Totals& t, const auto&) { return t.refreshes == 2000; }));
        CHECK(stage.acceptor.totals().logins == 2);
    }
}

TEST_CASE("NIProvPerf says what a multicast connection lacks", "[perftools][niprovider][run][multicast]") {
    Stage stage;
    const TempDir& dir = stage.dir();
    ToolProcess tool(kTool,
                     {"-itemFile", "items.xml", "-itemCount", "1000", "-connType", "reliableMCast", "-ra", "239.1.1.1"},
                     dir, "lack.log");
    CHECK(tool.wait(kLong) == 255);
    CHECK(tool.output().find("Invalid Channel Configuration for ChannelType [RSSL_RELIABLE_MCAST]. Missing required "
                             "parameter [RecvPort].") != std::string::npos);
}
