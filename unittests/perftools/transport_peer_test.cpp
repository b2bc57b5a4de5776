// TransportPerf against a peer written from the specifications (transport_peer.py): handshake, bytes of the messages,
// every transport and compression, both roles, all directions.
#include "ToolProcess.h"
#include "support/catch.hpp"
#include "support/paths.h"
#include "support/until.h"

#include <chrono>
#include <csignal>
#include <cstdlib>

using namespace emissary::perf::test;

namespace {

constexpr double kLong = 120.0;
const std::string kTool = EMISSARY_TRANSPORTPERF, kPython = EMISSARY_PYTHON;
const std::string kPeer = emissary::test::sourcePath("/unittests/perftools/transport_peer.py");
using Arguments = std::vector<std::string>;

Arguments operator+(Arguments a, const Arguments& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

double number(const std::string& text, const std::string& label) {
    const std::size_t at = text.find(label + ": ");
    return at == std::string::npos ? -1.0 : std::stod(text.substr(at + label.size() + 2));
}

int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
        ++found;
    return found;
}

/// Certificates of the encrypted transports, in the folder of the processes.
void certificates(const TempDir& dir) {
    REQUIRE(std::system(
                (emissary::test::sourcePath("/dev/make_test_certificates.sh ") + dir.file("certificates")).c_str()) ==
            0);
}

bool encrypted(const std::string& transport) {
    return transport == "tls" || transport == "wss";
}

Arguments serverOptions(const std::string& transport) {
    if (encrypted(transport))
        return {
            "-connType", "encrypted", "-cert", "certificates/server.pem", "-keyfile", "certificates/server-key.pem"};
    return {"-connType", transport == "ws" ? "websocket" : "socket"};
}

Arguments clientOptions(const std::string& transport) {
    if (encrypted(transport))
        return {"-connType", "encrypted",          "-encryptedConnType", transport == "wss" ? "websocket" : "socket",
                "-castore",  "certificates/ca.pem"};
    return {"-connType", transport == "ws" ? "websocket" : "socket"};
}

/// What one end does when the other does that.
Arguments counterpart(const std::string& action) {
    if (action == "send") return {"-msgRate", "0"};
    if (action == "exchange") return {"-reflectMsgs"};
    return {"-msgRate", "5000", "-msgSize", "400", "-latencyMsgRate", "all"};  // receive, reflect
}

void checkCounts(const std::string& action, const std::string& summary) {
    const double received = number(summary, "Msgs Received"), sent = number(summary, "Msgs Sent");
    CHECK(received == (action == "receive" ? 0 : 1000));
    if (action == "exchange") CHECK(sent == 1000);
    if (action == "receive" || action == "reflect") CHECK(sent >= 1000);
    if (action == "send" || action == "reflect") CHECK(number(summary, "Latency avg (usec)") > 0);
}

const Arguments kFiles{"-runTime",           "600",     "-writeStatsInterval", "1",
                       "-summaryFileStatic", "summary", "-statsFileStatic",    "stats"};

void serverAgainst(const std::string& transport, const std::string& compression, const std::string& action) {
    INFO("peer: client, " << transport << ", " << compression << ", " << action);
    const TempDir dir;
    if (encrypted(transport)) certificates(dir);
    const std::string port = std::to_string(freePort());
    ToolProcess server(kTool,
                       Arguments{"-p", port, "-compressionType", compression} + serverOptions(transport) +
                           counterpart(action) + kFiles,
                       dir, "server.log");
    REQUIRE(server.waitForOutput("Server bound on port " + port, kLong));
    ToolProcess peer(kPython,
                     {kPeer, "client", "--port", port, "--do", action, "--transport", transport, "--compression",
                      compression, "--ca", "certificates/ca.pem"},
                     dir, "peer.log");
    const auto code = peer.wait(kLong);
    INFO(peer.output());
    CHECK(code == 0);
    CHECK(server.waitForOutput("Channel closed: ", kLong));
    server.signal(SIGINT);
    CHECK(server.wait(kLong) == 0);
    INFO(server.output());
    checkCounts(action, readFile(dir.file("summary")));
}

void clientAgainst(const std::string& transport, const std::string& compression, const std::string& action) {
    INFO("peer: server, " << transport << ", " << compression << ", " << action);
    const TempDir dir;
    if (encrypted(transport)) certificates(dir);
    ToolProcess peer(kPython,
                     {kPeer, "server", "--port", "0", "--do", action, "--transport", transport, "--compression",
                      compression, "--cert", "certificates/server.pem", "--key", "certificates/server-key.pem"},
                     dir, "peer.log");
    REQUIRE(peer.waitForOutput("listening ", kLong));
    const std::string port = std::to_string(static_cast<int>(number(peer.output().insert(9, ":"), "listening")));
    ToolProcess client(kTool,
                       Arguments{"-appType", "client", "-p", port, "-compressionType", compression} +
                           clientOptions(transport) + counterpart(action) + kFiles,
                       dir, "client.log");
    CHECK(client.wait(kLong) == 0);
    INFO(client.output());
    const auto code = peer.wait(kLong);
    INFO(peer.output());
    CHECK(code == 0);
    // Inside a WebSocket the type is the sub-protocol's (transport.md 6.2).
    const bool webSocket = transport == "ws" || transport == "wss";
    CHECK(peer.output().find(webSocket ? "protocol type 0 version 0.0" : "protocol type 88 version 0.0") !=
          std::string::npos);
    checkCounts(action, readFile(dir.file("summary")));
}

}  // namespace

TEST_CASE("a server and a foreign client understand each other", "[perftools][transport]") {
    const std::string transport = GENERATE("tcp", "tls", "ws", "wss");
    for (const char* const action : {"receive", "send", "exchange"})
        serverAgainst(transport, "none", action);
    for (const char* const compression : {"zlib", "lz4"})
        serverAgainst(transport, compression, "exchange");
}

TEST_CASE("a client and a foreign server understand each other", "[perftools][transport]") {
    const std::string transport = GENERATE("tcp", "tls", "ws", "wss");
    for (const char* const action : {"receive", "send", "exchange", "reflect"})
        clientAgainst(transport, "none", action);
    for (const char* const compression : {"zlib", "lz4"})
        clientAgainst(transport, compression, "exchange");
}

TEST_CASE("compression goes both ways between foreign ends", "[perftools][transport]") {
    const std::string compression = GENERATE("zlib", "lz4");
    for (const char* const action : {"receive", "send"}) {
        serverAgainst("tcp", compression, action);
        clientAgainst("tcp", compression, action);
    }
}

TEST_CASE("a peer of another protocol is refused", "[perftools][transport]") {
    const TempDir dir;
    SECTION("by our server") {
        const std::string port = std::to_string(freePort());
        ToolProcess server(kTool, Arguments{"-p", port} + kFiles, dir, "server.log");
        REQUIRE(server.waitForOutput("Server bound on port " + port, kLong));
        ToolProcess peer(kPython, {kPeer, "client", "--port", port, "--do", "receive", "--type", "0"}, dir, "peer.log");
        CHECK(peer.wait(kLong) == 1);
        CHECK(peer.output().find("refused: Protocol type 0 is not served here.") != std::string::npos);
    }
    SECTION("by our server, inside a WebSocket") {
        const std::string port = std::to_string(freePort());
        ToolProcess server(kTool, Arguments{"-connType", "websocket", "-p", port} + kFiles, dir, "server.log");
        REQUIRE(server.waitForOutput("Server bound on port " + port, kLong));
        ToolProcess peer(kPython,
                         {kPeer, "client", "--port", port, "--do", "receive", "--transport", "ws", "--type", "88"}, dir,
                         "peer.log");
        CHECK(peer.wait(kLong) == 1);
        CHECK(peer.output().find("refused: Protocol type 88 is not served here.") != std::string::npos);
    }
    SECTION("and our client is, by a server of another") {
        ToolProcess peer(kPython, {kPeer, "server", "--port", "0", "--do", "send", "--type", "0"}, dir, "peer.log");
        REQUIRE(peer.waitForOutput("listening ", kLong));
        const std::string port = std::to_string(static_cast<int>(number(peer.output().insert(9, ":"), "listening")));
        ToolProcess client(kTool, Arguments{"-appType", "client", "-p", port} + kFiles, dir, "client.log");
        CHECK(client.wait(kLong) == 255);
        CHECK(client.output().find("refused: Connection refused.") != std::string::npos);
    }
}

TEST_CASE("what a peer sent before it left counts, although sending it back fails", "[perftools][transport]") {
    constexpr int kPeers = 5, kMessages = 60;  // 24 KB: one piece for the system, four for the server's writes
    const TempDir dir;
    const std::string port = std::to_string(freePort());
    ToolProcess server(kTool, Arguments{"-p", port, "-reflectMsgs"} + kFiles, dir, "server.log");
    REQUIRE(server.waitForOutput("Server bound on port " + port, kLong));
    for (int i = 0; i < kPeers; ++i) {
        ToolProcess peer(kPython,
                         {kPeer, "client", "--port", port, "--do", "leave", "--messages", std::to_string(kMessages)},
                         dir, "peer.log");
        const auto code = peer.wait(kLong);
        INFO(peer.output());
        CHECK(code == 0);
    }
    REQUIRE(emissary::test::eventually(
        [&] { return count(server.output(), "Channel closed: ") >= kPeers || !server.running(); },
        std::chrono::minutes(1)));
    CHECK(count(server.output(), "Channel closed: \n") == 0);  // each with its reason
    server.signal(SIGINT);
    CHECK(server.wait(kLong) == 0);
    CHECK(number(readFile(dir.file("summary")), "Msgs Received") == kPeers * kMessages);
}
