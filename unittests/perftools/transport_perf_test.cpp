// TransportPerf as a user runs it: a server and a client process over loopback.
#include "ToolProcess.h"
#include "support/catch.hpp"
#include "support/paths.h"
#include "support/until.h"

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <netinet/in.h>
#include <set>
#include <sys/socket.h>
#include <unistd.h>

using namespace emissary::perf::test;

namespace {

constexpr double kLong = 60.0;
const std::string kTool = EMISSARY_TRANSPORTPERF;
using Arguments = std::vector<std::string>;

Arguments operator+(Arguments a, const Arguments& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// A server and a client; what the client's summary and the server's console say.
struct Outcome {
    std::string client, server, summary;
};

Outcome exchange(const Arguments& serverOptions, const Arguments& clientOptions, const TempDir& dir) {
    const std::string port = std::to_string(freePort());
    ToolProcess server(kTool,
                       Arguments{"-p", port, "-runTime", "60", "-writeStatsInterval", "1", "-summaryFile", "server.out",
                                 "-statsFile", "server"} +
                           serverOptions,
                       dir, "server.log");
    REQUIRE(server.waitForOutput("Server bound on port " + port, kLong));
    ToolProcess client(kTool,
                       Arguments{"-appType", "client", "-p", port, "-runTime", "1", "-writeStatsInterval", "1",
                                 "-summaryFile", "client.out", "-statsFile", "client"} +
                           clientOptions,
                       dir, "client.log");
    CHECK(client.wait(kLong) == 0);
    server.signal(SIGINT);
    CHECK(server.wait(kLong) == 0);
    return {client.output(), server.output(), readFile(dir.file("client.out"))};
}

using Datagram = std::vector<unsigned char>;

Datagram operator+(Datagram a, const Datagram& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// Somebody who sends what he likes to a group on the loopback interface.
class Forger {
public:
    Forger(const char* group, int port) : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
        to_.sin_family = AF_INET;
        to_.sin_port = htons(static_cast<std::uint16_t>(port));
        REQUIRE(::inet_pton(AF_INET, group, &to_.sin_addr) == 1);
        in_addr loopback{};
        loopback.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::setsockopt(socket_, IPPROTO_IP, IP_MULTICAST_IF, &loopback, sizeof loopback) == 0);
    }
    Forger(const Forger&) = delete;
    Forger& operator=(const Forger&) = delete;
    ~Forger() { ::close(socket_); }
    void send(const Datagram& d) {
        CHECK(::sendto(socket_, d.data(), d.size(), 0, reinterpret_cast<const sockaddr*>(&to_), sizeof to_) ==
              static_cast<ssize_t>(d.size()));
    }

private:
    int socket_;
    sockaddr_in to_{};
};

/// A message of TransportPerf: number and stamp in this host's byte order, then zeros.
Datagram message(std::uint64_t sequence, std::uint64_t stamp) {
    Datagram m(20);
    std::memcpy(m.data(), &sequence, 8);
    std::memcpy(m.data() + 8, &stamp, 8);
    return m;
}

/// docs/wire/multicast.md, "Sequenced": one message in a datagram.
Datagram sequenced(unsigned char number, const Datagram& m) {
    return Datagram{1, 0, 88, 12, 0, 9, 0, 0, 0, 0, 0, number, 0, static_cast<unsigned char>(m.size())} + m;
}

/// docs/wire/multicast.md, "Reliable: the datagram": one plain frame with a message in it.
Datagram reliable(unsigned char number, const Datagram& m) {
    const auto frame = static_cast<unsigned char>(3 + m.size()), all = static_cast<unsigned char>(28 + frame);
    return Datagram{0x45, 0x4D, 1, 1, 0,    88,   0, all, 7, 7, 7, 7, 0, 0,     0, number,
                    0,    0,    0, 1, 0xC3, 0x50, 0, 0,   0, 0, 0, 0, 0, frame, 2} +
           m;
}

double number(const std::string& text, const std::string& label) {
    const std::size_t at = text.find(label + ": ");
    return at == std::string::npos ? -1.0 : std::stod(text.substr(at + label.size() + 2));
}

}  // namespace

TEST_CASE("messages of a server reach its client in order", "[perftools][transport]") {
    const TempDir dir;
    const auto [name, options] = GENERATE(
        std::pair<std::string, Arguments>{"plain", {}}, std::pair<std::string, Arguments>{"packed", {"-pack", "50"}},
        std::pair<std::string, Arguments>{"zlib", {"-compressionType", "zlib"}},
        std::pair<std::string, Arguments>{"lz4", {"-compressionType", "lz4"}},
        std::pair<std::string, Arguments>{"fragmented", {"-msgSize", "20000", "-msgRate", "1000"}},
        std::pair<std::string, Arguments>{"direct", {"-directWrite", "-msgRate", "2000"}});
    INFO(name);
    const Outcome o = exchange(options, {"-msgRate", "0", "-latencyFile", "latency"}, dir);
    INFO(o.client);
    CHECK(o.client.find("Channel active") != std::string::npos);
    CHECK(o.client.find("rror") == std::string::npos);  // numbers were consecutive
    CHECK(number(o.summary, "Msgs Received") > 0);
    CHECK(number(o.summary, "Latency avg (usec)") > 0);
    CHECK(o.summary.find("App Type: client") != std::string::npos);
    CHECK(readFile(dir.file("latency1.csv")).starts_with("Send Time, Receive Time, Latency(nsec)\n"));
    CHECK(readFile(dir.file("client1.csv")).starts_with("UTC, Msgs sent, Bytes sent, Msgs received"));
    CHECK(readFile(dir.file("server.out")).find("Process ID: ") != std::string::npos);
}

TEST_CASE("the rates of a server are those of the time in which it had a connection", "[perftools][transport]") {
    const TempDir dir;
    const std::string port = std::to_string(freePort());
    ToolProcess server(kTool, {"-p", port, "-runTime", "600", "-writeStatsInterval", "1", "-summaryFile", "server.out"},
                       dir, "server.log");
    REQUIRE(server.waitForOutput("\n002:", kLong));  // nobody has come for two seconds
    const auto begin = std::chrono::steady_clock::now();
    ToolProcess client(
        kTool, {"-appType", "client", "-p", port, "-runTime", "1", "-msgRate", "0", "-summaryFile", "client.out"}, dir,
        "client.log");
    CHECK(client.wait(kLong) == 0);
    CHECK(server.waitForOutput("Channel closed: ", kLong));
    const std::chrono::duration<double> connected = std::chrono::steady_clock::now() - begin;
    server.signal(SIGINT);
    CHECK(server.wait(kLong) == 0);
    const std::string summary = readFile(dir.file("server.out"));
    INFO(summary);
    const double seconds = number(summary, "Sampling duration(sec)");
    CHECK(seconds > 0.5);
    CHECK(seconds <= connected.count() + 0.01);
    CHECK(number(summary, "Avg. Msg Sent Rate") >= number(summary, "Msgs Sent") / (seconds + 0.01) - 1);
}

TEST_CASE("a reflecting server sends everything back", "[perftools][transport]") {
    const TempDir dir;
    const Outcome o = exchange({"-reflectMsgs", "-threads", "-1,-1"}, {"-threads", "-1,-1", "-msgRate", "5000"}, dir);
    INFO(o.client);
    CHECK(number(o.summary.substr(o.summary.find("OVERALL")), "Msgs Received") > 0);
    CHECK(o.summary.find("--- THREAD 2 SUMMARY ---") != std::string::npos);
    CHECK(o.server.find("0(reflecting)") != std::string::npos);
}

TEST_CASE("a reflecting server sends messages back that do not fit a fragment", "[perftools][transport]") {
    const TempDir dir;
    const Outcome o =
        exchange({"-reflectMsgs"}, {"-msgSize", "10000", "-msgRate", "1000", "-latencyMsgRate", "100"}, dir);
    INFO(o.client);
    INFO(o.server);
    const std::string overall = o.summary.substr(o.summary.find("OVERALL"));
    CHECK(number(overall, "Msgs Received") > 0);
    CHECK(number(overall, "Latency avg (usec)") > 0);
    CHECK(o.client.find("rror") == std::string::npos);
    CHECK(o.server.find("out of output buffers") == std::string::npos);
}

TEST_CASE("packing that the fragments agreed on do not allow is an error", "[perftools][transport]") {
    const TempDir dir;
    const std::string port = std::to_string(freePort());
    ToolProcess server(kTool, {"-p", port, "-runTime", "60", "-msgRate", "0", "-maxFragmentSize", "300"}, dir,
                       "server.log");
    REQUIRE(server.waitForOutput("Server bound on port " + port, kLong));
    ToolProcess client(kTool, {"-appType", "client", "-p", port, "-runTime", "60", "-pack", "5", "-msgSize", "400"},
                       dir, "client.log");
    CHECK(client.wait(kLong) != 0);
    INFO(client.output());
    CHECK(client.output().find("messages of 400 bytes (-msgSize) cannot be packed") != std::string::npos);
    CHECK(client.output().find("fragments of 298 bytes") != std::string::npos);
    CHECK(client.output().find("larger -maxFragmentSize of the server") != std::string::npos);
    server.signal(SIGINT);
    CHECK(server.wait(kLong) == 0);
}

TEST_CASE("messages travel over WebSocket and TLS", "[perftools][transport]") {
    const TempDir dir;
    const bool encrypted = GENERATE(false, true);
    if (!encrypted) {
        const Outcome o = exchange({"-connType", "websocket"}, {"-connType", "websocket", "-msgRate", "0"}, dir);
        INFO(o.client);
        CHECK(number(o.summary, "Msgs Received") > 0);
        return;
    }
    REQUIRE(std::system(
                (emissary::test::sourcePath("/dev/make_test_certificates.sh ") + dir.file("certificates")).c_str()) ==
            0);
    const std::string inside = GENERATE("socket", "websocket");
    const Outcome o = exchange(
        {"-connType", "encrypted", "-cert", "certificates/server.pem", "-keyfile", "certificates/server-key.pem"},
        {"-connType", "encrypted", "-encryptedConnType", inside, "-castore", "certificates/ca.pem", "-msgRate", "0"},
        dir);
    INFO(o.client);
    CHECK(number(o.summary, "Msgs Received") > 0);
    CHECK(o.client.find("TLS") != std::string::npos);
}

TEST_CASE("messages travel through shared memory", "[perftools][transport]") {
    const TempDir dir;
    const Arguments more = GENERATE(Arguments{}, Arguments{"-pack", "50"}, Arguments{"-busyRead"});
    const Outcome o =
        exchange(Arguments{"-connType", "shmem"} + more,
                 Arguments{"-connType", "shmem", "-msgRate", "0"} + (more.size() == 1 ? more : Arguments{}), dir);
    INFO(o.client);
    CHECK(o.client.find("Channel active: shmem:") != std::string::npos);
    CHECK(o.client.find("rror") == std::string::npos);  // numbers were consecutive
    CHECK(number(o.summary, "Msgs Received") > 0);
    CHECK(number(o.summary, "Latency avg (usec)") > 0);
}

TEST_CASE("messages travel over multicast from one client to another", "[perftools][transport][multicast]") {
    const TempDir dir;
    const std::string type = GENERATE("reliableMCast", "seqMCast");
    INFO(type);
    const std::string there = std::to_string(freePort());
    std::string back = std::to_string(freePort());
    while (back == there)
        back = std::to_string(freePort());
    const auto arguments = [&](const std::string& name, const std::string& hears, const std::string& sends) {
        return Arguments{"-appType", "client",       "-connType",   type,         "-if",         "lo",
                         "-ra",      "239.255.15.1", "-rp",         hears,        "-sa",         "239.255.15.1",
                         "-sp",      sends,          "-u",          "0",          "-mcastStats", "-writeStatsInterval",
                         "1",        "-summaryFile", name + ".out", "-statsFile", name};
    };
    ToolProcess receiver(kTool, arguments("receiver", there, back) + Arguments{"-msgRate", "0", "-runTime", "60"}, dir,
                         "receiver.log");
    REQUIRE(receiver.waitForOutput("Channel active: 239.255.15.1:" + back, kLong));
    ToolProcess sender(kTool, arguments("sender", back, there) + Arguments{"-msgRate", "20000", "-runTime", "2"}, dir,
                       "sender.log");
    CHECK(sender.wait(kLong) == 0);
    receiver.signal(SIGINT);
    CHECK(receiver.wait(kLong) == 0);
    INFO(sender.output());
    INFO(receiver.output());
    const std::string sent = readFile(dir.file("sender.out")), received = readFile(dir.file("receiver.out"));
    CHECK(number(sent, "Msgs Sent") > 1000);
    CHECK(number(received, "Msgs Received") == number(sent, "Msgs Sent"));
    CHECK(number(received, "Latency avg (usec)") > 0);
    CHECK(number(received, "Packet Gaps Detected") == 0);
    CHECK(number(sent, "Multicast Packets Sent") > 0);
    CHECK(number(received, "Multicast Packets Received") > 0);
    CHECK(sent.find("Recv Address: 239.255.15.1") != std::string::npos);
    CHECK(sender.output().find("  Multicast packets: sent ") != std::string::npos);
    CHECK(sender.output().find("  Retransmission requests: sent ") != std::string::npos);
}

TEST_CASE("forged messages do not end a multicast test", "[perftools][transport][multicast]") {
    const TempDir dir;
    const std::string type = GENERATE("reliableMCast", "seqMCast");
    INFO(type);
    const auto forged = type == "seqMCast" ? sequenced : reliable;
    const int heard = freePort();
    const std::string there = std::to_string(heard);
    std::string back = std::to_string(freePort());
    while (back == there)
        back = std::to_string(freePort());
    const auto arguments = [&](const std::string& name, const std::string& hears, const std::string& sends) {
        return Arguments{
            "-appType",     "client",      "-connType",    type,  "-if", "lo", "-ra", "239.255.15.2",        "-rp",
            hears,          "-sa",         "239.255.15.2", "-sp", sends, "-u", "0",   "-writeStatsInterval", "1",
            "-summaryFile", name + ".out", "-statsFile",   name};
    };
    ToolProcess receiver(kTool, arguments("receiver", there, back) + Arguments{"-msgRate", "0", "-runTime", "600"}, dir,
                         "receiver.log");
    REQUIRE(receiver.waitForOutput("Channel active: ", kLong));
    Forger forger("239.255.15.2", heard);
    forger.send(forged(1, {'h', 'e', 'l', 'l', 'o'}));  // too small
    forger.send(forged(2, message(7, 0)));              // his first number
    forger.send(forged(3, message(4711, 1)));           // not the one behind it, and a stamp of long ago
    REQUIRE(receiver.waitForOutput("Message was too small to be valid(length 5).", kLong));
    ToolProcess sender(kTool, arguments("sender", back, there) + Arguments{"-msgRate", "5000", "-runTime", "2"}, dir,
                       "sender.log");
    CHECK(sender.wait(kLong) == 0);
    for (unsigned char i = 0; i < 100; ++i)  // not a line each
        forger.send(forged(static_cast<unsigned char>(4 + i), {'x'}));
    // The console has them, in one interval or several.
    const auto misfits = [&] {
        const std::string output = receiver.output(), label = " messages out of sequence or too small.";
        int sum = 0;
        for (std::size_t at = 0; (at = output.find(label, at)) != std::string::npos; ++at)
            sum += std::stoi(output.substr(output.rfind('\n', at) + 1));
        return sum;
    };
    CHECK(emissary::test::eventually([&] { return misfits() >= 102; }, std::chrono::minutes(1)));
    CHECK(misfits() == 102);
    receiver.signal(SIGINT);
    CHECK(receiver.wait(kLong) == 0);
    INFO(receiver.output());
    const std::string sent = readFile(dir.file("sender.out")), received = readFile(dir.file("receiver.out"));
    CHECK(number(received, "Msgs Received") == number(sent, "Msgs Sent") + 2);
    CHECK(number(received, "Msgs Out Of Sequence Or Too Small") == 102);
    CHECK(number(received, "Latency max (usec)") < 600e6);  // the forged stamp is not believed
    const std::string output = receiver.output();
    std::size_t told = 0;
    for (std::size_t at = 0; (at = output.find("too small to be valid", at)) != std::string::npos; ++at)
        ++told;
    CHECK(told < 20);
}

TEST_CASE("a server and a client in one folder have files of their own", "[perftools][transport]") {
    const TempDir dir;
    const std::string port = std::to_string(freePort());
    ToolProcess server(kTool, {"-p", port, "-runTime", "600", "-writeStatsInterval", "1"}, dir, "server.log");
    REQUIRE(server.waitForOutput("Server bound on port " + port, kLong));
    ToolProcess client(kTool,
                       {"-appType", "client", "-p", port, "-msgRate", "0", "-runTime", "2", "-writeStatsInterval", "1",
                        "-threads", "-1,-1"},
                       dir, "client.log");
    CHECK(client.wait(kLong) == 0);
    server.signal(SIGINT);
    CHECK(server.wait(kLong) == 0);
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(dir.file("")))
        names.insert(entry.path().filename().string());
    for (const auto& [role, threads] : {std::pair<std::string, int>{"server", 1}, {"client", 2}}) {
        const std::string console = readFile(dir.file(role + ".log"));
        const std::string id = std::to_string(static_cast<int>(number(console, "Process ID")));
        INFO(role << " " << id);
        CHECK(console.find("Summary File: TransportSummary_" + id + ".out\n") != std::string::npos);
        CHECK(console.find("Stats File: TransportStats\n") != std::string::npos);
        REQUIRE(names.erase("TransportSummary_" + id + ".out") == 1);
        const std::string summary = readFile(dir.file("TransportSummary_" + id + ".out"));
        CHECK(summary.find("App Type: " + role) != std::string::npos);
        CHECK(number(summary, "Process ID") == std::stod(id));
        for (int thread = 1; thread <= threads; ++thread) {
            const std::string stats = "TransportStats" + std::to_string(thread) + "_" + id + ".csv";
            CHECK(names.erase(stats) == 1);
            CHECK(readFile(dir.file(stats)).starts_with("UTC, Msgs sent, "));
        }
    }
    CHECK(names == std::set<std::string>{"client.log", "server.log"});
}

TEST_CASE("names of files that are given are taken as they are", "[perftools][transport]") {
    const TempDir dir;
    const bool other = GENERATE(false, true);
    ToolProcess server(kTool,
                       {"-p", std::to_string(freePort()), "-runTime", "1",
                        other ? "-summaryFileStatic" : "-summaryFile", "mine.txt",
                        other ? "-statsFileStatic" : "-statsFile", "rows"},
                       dir, "server.log");
    CHECK(server.wait(kLong) == 0);
    CHECK(readFile(dir.file("mine.txt")).find("Summary File: mine.txt\n") != std::string::npos);
    CHECK(readFile(dir.file("rows1.csv")).starts_with("UTC, "));
}

TEST_CASE("TransportPerf says what is wrong with its options", "[perftools][transport]") {
    const TempDir dir;
    const auto [options, text] = GENERATE(
        std::pair<Arguments, std::string>{{"-msgSize", "15"}, "-msgSize"},
        std::pair<Arguments, std::string>{{"-pack", "0"}, "-pack"},
        std::pair<Arguments, std::string>{{"-reflectMsgs", "-pack", "2"}, "Reflection does not pack messages."},
        std::pair<Arguments, std::string>{{"-tickRate", "0"}, "Tick rate cannot be less than 1."},
        std::pair<Arguments, std::string>{{"-msgRate", "500"}, "Update rate cannot be less than total ticks"},
        std::pair<Arguments, std::string>{{"-latencyMsgRate", "2000"}, "greater than total ticks per second"},
        std::pair<Arguments, std::string>{{"-connType", "encrypted"}, "needs -cert and -keyfile"},
        std::pair<Arguments, std::string>{{"-connType", "shmem", "-appType", "client"}, "use -msgRate 0"},
        std::pair<Arguments, std::string>{{"-connType", "shmem", "-reflectMsgs"}, "do not reflect messages"},
        std::pair<Arguments, std::string>{{"-connType", "carrier"}, "'carrier' is not one of"},
        std::pair<Arguments, std::string>{{"-connType", "http"}, "through an HTTP proxy go encrypted"},
        std::pair<Arguments, std::string>{{"-connType", "reliableMCast"},
                                          "appType for Multicast connections must be client"},
        std::pair<Arguments, std::string>{{"-connType", "seqMCast", "-appType", "server"},
                                          "appType for Multicast connections must be client"},
        std::pair<Arguments, std::string>{{"-connType", "reliableMCast", "-appType", "client"},
                                          "A multicast connection needs -ra."},
        std::pair<Arguments, std::string>{
            {"-connType", "reliableMCast", "-appType", "client", "-ra", "239.1.1.1", "-rp", "1"},
            "A multicast connection needs -sa."},
        std::pair<Arguments, std::string>{{"-sa", "239.1.1.1"}, "-sa is for -connType reliableMCast or seqMCast."},
        std::pair<Arguments, std::string>{{"-appType", "both"}, "'both' is not one of"},
        std::pair<Arguments, std::string>{{"-pl", "rssl.json.v2"}, "use rssl.rwf"},
        std::pair<Arguments, std::string>{{"-p", "70000"}, "'70000' is not a port"},
        std::pair<Arguments, std::string>{{"-summaryFileStatic", "no/such/static"}, "to open file 'no/such/static'"},
        std::pair<Arguments, std::string>{{"-summaryFile", "no/such/dir"}, "Failed to open file 'no/such/dir'"});
    INFO(text);
    ToolProcess process(kTool, options, dir, "failure.log");
    CHECK(process.wait(kLong) == 255);
    CHECK(process.output().find(text) != std::string::npos);
}

TEST_CASE("a client without a server says so and fails", "[perftools][transport]") {
    const TempDir dir;
    ToolProcess client(kTool, {"-appType", "client", "-p", std::to_string(freePort()), "-msgRate", "0"}, dir,
                       "client.log");
    CHECK(client.wait(kLong) == 255);
    CHECK(client.output().find("Connection refused") != std::string::npos);
}

TEST_CASE("a client ends when its server goes away", "[perftools][transport]") {
    const TempDir dir;
    const std::string port = std::to_string(freePort());
    ToolProcess server(kTool, {"-p", port, "-summaryFile", "server.out"}, dir, "server.log");
    REQUIRE(server.waitForOutput("Server bound", kLong));
    ToolProcess client(kTool, {"-appType", "client", "-p", port, "-msgRate", "0", "-writeStatsInterval", "1"}, dir,
                       "client.log");
    REQUIRE(client.waitForOutput("Recv: MsgRate: ", kLong));
    server.signal(SIGKILL);
    CHECK(client.wait(kLong) == 0);
    CHECK(client.output().find("Connection of thread 1 ended: ") != std::string::npos);
    CHECK(client.output().find("--- OVERALL SUMMARY ---") != std::string::npos);
}
