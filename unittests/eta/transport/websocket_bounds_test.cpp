// What a port that browsers reach takes of upgrade requests, and what it answers beyond its limits.
#include "eta/transport/certificates.h"
#include "rows.h"
#include "transport/channel/ServerHandshake.h"
#include "transport/channel/handshake.h"
#include "transport/websocket/forwarded.h"
#include "transport/websocket/origin.h"
#include "websocket_support.h"

#include <list>

using namespace transport_test;
using emissary::eta::AddressRange;
using emissary::eta::parseAddress;
using emissary::eta::parseAddressRange;

namespace {

BindOptions webPort() {
    BindOptions o = bindOptions();
    o.webSocket.maxHeadBytes = 8192;
    o.webSocket.maxHeadLines = 65;
    o.webSocket.upgradeTimeout = std::chrono::seconds(5);
    o.webSocket.answersWhenFull = true;
    return o;
}

BindOptions behindProxy() {
    BindOptions o = webPort();
    o.webSocket.trustedProxies = {*parseAddressRange("127.0.0.0/8"), *parseAddressRange("10.1.0.0/16")};
    return o;
}

/// A listener, and those who came to it.
struct Port {
    struct Guest {
        RawSocket raw;
        std::unique_ptr<Channel> channel;  // null: it was closed at once
    };
    explicit Port(const BindOptions& options) : server(listen(options)) {}

    Guest& come(std::string_view says, double when = 0) {
        Guest& g = guests.emplace_back();
        g.raw = RawSocket::connectTo(server->port());
        if (!says.empty()) g.raw.send(asBytes(says));
        REQUIRE(readable(server->fd()));
        g.channel = server->accept(at(when));
        return g;
    }
    /// The head of the answer to an upgrade request.
    std::string ask(std::string_view request, double when = 0) {
        Guest& g = come(request, when);
        REQUIRE(g.channel != nullptr);
        (void)settle(*g.channel, at(when));
        return readHead(g.raw);
    }
    std::string upgrade(std::string_view headers = {}, double when = 0) {
        return ask(request("tr_json2, rssl.rwf", headers), when);
    }
    Guest& ripc(double when = 0) {
        Guest& g = come(asText(Bytes(encodeRequest(ConnectionRequest{}))), when);
        if (g.channel != nullptr) (void)settle(*g.channel, at(when));
        return g;
    }
    std::unique_ptr<Server> server;
    std::list<Guest> guests;
};

[[nodiscard]] bool isUp(const std::string& head) {
    return head.starts_with("HTTP/1.1 101 ");
}

/// Whoever was there before is served on.
void stillServed(Port::Guest& guest) {
    REQUIRE(guest.channel->state() == ChannelState::active);
    guest.raw.send(Bytes(hex("0003 02")));  // a ping
    const ReadResult got = readWait(*guest.channel);
    CHECK(got.kind == ReadResult::Kind::ping);
}

}  // namespace

TEST_CASE("the head of an upgrade request has a bound, and the refusal says which", "[transport][websocket]") {
    Port port(webPort());
    Port::Guest& other = port.ripc();
    const std::size_t usual = request("tr_json2, rssl.rwf").size();
    const auto padded = [&](std::size_t size) { return "A: " + std::string(size - usual - 5, 'x') + "\r\n"; };
    CHECK(isUp(port.upgrade(padded(8192))));
    const std::string answer = port.upgrade(padded(8193));
    CHECK(answer.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\n"));
    CHECK_THAT(textOf(port.guests.back().raw.receive(30)), Catch::Contains("above 8192 bytes"));
    CHECK(port.guests.back().raw.closedByPeer());
    // Without its end too: nobody waits for more of it.
    CHECK(port.ask("GET /WebSocket HTTP/1.1\r\nA: " + std::string(9000, 'x')).starts_with("HTTP/1.1 431 "));

    const auto lines = [](int n) {
        std::string s;
        for (int i = 0; i < n; ++i)
            s += "X: y\r\n";
        return s;
    };
    CHECK(isUp(port.upgrade(lines(64 - 6))));  // six that every request has
    CHECK(port.upgrade(lines(64 - 5)).starts_with("HTTP/1.1 431 "));
    CHECK(port.server->counters().headsRefused == 3);
    CHECK(port.server->counters().handshakeFailures == 3);
    stillServed(other);
}

TEST_CASE("an upgrade request has to be complete in its own time", "[transport][websocket]") {
    Port port(webPort());
    Port::Guest& other = port.ripc();
    Port::Guest& slow = port.come("GE");
    REQUIRE(readable(slow.channel->fd()));
    CHECK(slow.channel->init(at(0)) == InitStatus::inProgress);
    CHECK(slow.channel->initDeadline() == at(5));
    slow.raw.send(asBytes("T /WebSocket HTTP/1.1\r\n"));
    REQUIRE(readable(slow.channel->fd()));
    CHECK(slow.channel->init(at(4.9)) == InitStatus::inProgress);
    CHECK(slow.channel->init(at(5.1)) == InitStatus::failed);
    CHECK(port.server->counters().handshakeTimeouts == 1);
    CHECK(slow.raw.closedByPeer());

    // The others have the time of the port: RIPC, and RIPC inside a WebSocket once the upgrade is over.
    Port::Guest& ripc = port.come(asText(Bytes(encodeRequest(ConnectionRequest{})).first(8)));
    REQUIRE(readable(ripc.channel->fd()));
    CHECK(ripc.channel->init(at(1)) == InitStatus::inProgress);
    CHECK(ripc.channel->initDeadline() > at(30));
    Port::Guest& rwf = port.come(request("rssl.rwf"));
    REQUIRE(readable(rwf.channel->fd()));
    CHECK(rwf.channel->init(at(0)) == InitStatus::inProgress);
    CHECK(isUp(readHead(rwf.raw)));
    CHECK(rwf.channel->initDeadline() > at(30));
    stillServed(other);
}

TEST_CASE("upgrades beyond the rate are refused for a while, and nobody else", "[transport][websocket]") {
    BindOptions o = webPort();
    o.webSocket.upgradesPerSecond = 1;
    Port port(o);
    Port::Guest& other = port.ripc();
    for (std::uint32_t i = 0; i < UpgradeRate::kBurstSeconds; ++i)
        REQUIRE(isUp(port.upgrade()));
    const std::string refused = port.upgrade();
    CHECK(refused.starts_with("HTTP/1.1 429 Too Many Requests\r\n"));
    CHECK_THAT(refused, Catch::Contains("Retry-After: 5\r\n") && Catch::Contains("Connection: close"));
    CHECK(textOf(port.guests.back().raw.receive(33)).starts_with("Too many connections in a second"));
    CHECK(port.guests.back().raw.closedByPeer());
    CHECK(port.server->counters().refusedRate == 1);
    CHECK(port.ripc().channel->state() == ChannelState::active);
    CHECK_FALSE(isUp(port.upgrade({}, 0.9)));
    CHECK(isUp(port.upgrade({}, 1.1)));
    CHECK_FALSE(isUp(port.upgrade({}, 1.1)));
    CHECK(port.server->counters().refusedRate == 3);
    stillServed(other);
}

TEST_CASE("handshakes of TLS beyond the rate are closed without an answer", "[transport][websocket][tls]") {
    BindOptions o = webPort();
    o.connectionType = ConnectionType::encrypted;
    o.tls.certificate = certificates() + "/ec.pem";
    o.tls.privateKey = certificates() + "/ec-key.pem";
    o.webSocket.upgradesPerSecond = 1;
    o.maxInitializing = o.maxInitializingPerAddress = 2 * UpgradeRate::kBurstSeconds;
    Port port(o);
    // Whatever would follow: RIPC inside of TLS, a WebSocket, or nothing.
    for (std::uint32_t i = 0; i < 2 * UpgradeRate::kBurstSeconds; ++i)
        REQUIRE(port.come({}).channel != nullptr);
    const std::size_t descriptors = openDescriptors();
    Port::Guest& beyond = port.come("\x16\x03\x01");
    CHECK(beyond.channel == nullptr);
    CHECK(beyond.raw.closedByPeer());
    CHECK(openDescriptors() == descriptors + 1);  // the guest's own
    CHECK(port.server->counters().refusedRate == 1);
    // Nobody left for it, although every place was taken.
    CHECK(port.server->counters().evicted == 0);
    CHECK(port.come({}, 0.4).channel == nullptr);
    CHECK(port.come({}, 1.1).channel != nullptr);
    CHECK(port.come({}, 1.1).channel != nullptr);
    CHECK(port.come({}, 1.1).channel == nullptr);
    CHECK(port.server->counters().refusedRate == 3);

    // A port without TLS has none to count.
    o.connectionType = ConnectionType::socket;
    o.maxInitializing = o.maxInitializingPerAddress = 100;
    Port plain(o);
    for (std::uint32_t i = 0; i < 3 * UpgradeRate::kBurstSeconds; ++i)
        REQUIRE(plain.come({}).channel != nullptr);
}

TEST_CASE("one address begins half of the handshakes, and the machine's own all of them", "[transport][websocket]") {
    const auto keyOf = [](const char* address) { return *parseAddress(address); };
    UpgradeRate rate(2);
    const emissary::eta::AddressKey first = keyOf("203.0.113.9"), second = keyOf("203.0.113.10");
    for (std::uint32_t i = 0; i < UpgradeRate::kBurstSeconds; ++i)
        REQUIRE(rate.take(at(0), &first));
    CHECK_FALSE(rate.take(at(0), &first));
    CHECK(rate.take(at(0), &second));
    for (std::uint32_t i = 1; i < UpgradeRate::kBurstSeconds; ++i)
        REQUIRE(rate.take(at(0), nullptr));
    CHECK_FALSE(rate.take(at(0), nullptr));
}

TEST_CASE("one address cannot use the rate up for all", "[transport][websocket]") {
    BindOptions o = behindProxy();
    o.webSocket.upgradesPerSecond = 2;
    o.webSocket.origins.checked = true;
    Port port(o);
    const auto from = [&](const char* address, std::string_view more = {}) {
        return port.upgrade("X-Forwarded-For: " + std::string(address) + "\r\n" + std::string(more));
    };
    // What is refused for another reason has not used it.
    for (int i = 0; i < 50; ++i)
        REQUIRE(from("203.0.113.9", "Origin: https://evil.example\r\n").starts_with("HTTP/1.1 403 "));
    for (std::uint32_t i = 0; i < UpgradeRate::kBurstSeconds; ++i)
        REQUIRE(isUp(from("203.0.113.9")));
    CHECK(from("203.0.113.9").starts_with("HTTP/1.1 429 "));
    for (std::uint32_t i = 0; i < UpgradeRate::kBurstSeconds; ++i)
        REQUIRE(isUp(from("203.0.113.10")));
    CHECK(from("203.0.113.11").starts_with("HTTP/1.1 429 "));  // that of the port is used up now
    CHECK(port.server->counters().refusedRate == 2);
    // This machine may have all of it.
    Port own(o);
    const char* const here = GENERATE("127.0.0.1", "::1");
    for (std::uint32_t i = 0; i < 2 * UpgradeRate::kBurstSeconds; ++i)
        REQUIRE(isUp(own.upgrade("X-Forwarded-For: " + std::string(here) + "\r\n")));
}

TEST_CASE("a full port answers those who want a WebSocket, and closes the others", "[transport][websocket]") {
    const bool address = GENERATE(false, true);
    BindOptions o = webPort();
    (address ? o.maxConnectionsPerAddress : o.maxConnections) = 1;
    Port port(o);
    Port::Guest& here = port.ripc();
    here.channel->settled();
    const std::size_t descriptors = openDescriptors();

    const std::string refused = port.upgrade();
    CHECK(refused.starts_with(address ? "HTTP/1.1 429 Too Many Requests\r\n" : "HTTP/1.1 503 Service Unavailable\r\n"));
    CHECK_THAT(refused, Catch::Contains("Retry-After: 5\r\n"));
    Port::Guest& ripc = port.ripc();
    REQUIRE(ripc.channel != nullptr);
    CHECK(ripc.channel->state() == ChannelState::closed);
    CHECK_THAT(ripc.channel->errorText(), Catch::Contains(address ? "its address has" : "the listener has"));
    CHECK(ripc.raw.receive(1).empty());  // not a byte, as always
    const ServerCounters& counts = port.server->counters();
    CHECK(counts.refusedBusy == 2);
    CHECK(counts.refusedAddress == (address ? 2 : 0));
    CHECK(counts.refusedFull == (address ? 0 : 2));

    // Those that say nothing hold nothing for long, and there are not many.
    std::vector<Port::Guest*> silent;
    for (std::uint32_t i = 0; i < ServerHandshake::kMostUnplaced; ++i) {
        silent.push_back(&port.come({}));
        REQUIRE(silent.back()->channel != nullptr);
    }
    Port::Guest& beyond = port.come({});
    CHECK(beyond.channel == nullptr);
    CHECK(beyond.raw.closedByPeer());
    for (Port::Guest* const one : silent) {
        CHECK(one->channel->init(at(1.9)) == InitStatus::inProgress);
        CHECK(one->channel->init(at(2.1)) == InitStatus::failed);
    }
    CHECK(port.come({}).channel != nullptr);
    stillServed(here);
    for (auto g = std::next(port.guests.begin()); g != port.guests.end();)
        g = port.guests.erase(g);
    CHECK(openDescriptors() == descriptors);
    // Its place is nobody's: the next one gets it.
    port.guests.front().channel->close();
    CHECK(isUp(port.upgrade()));
}

TEST_CASE("a port without WebSockets, or that was not told to, closes at once", "[transport][websocket]") {
    BindOptions o = webPort();
    (GENERATE(true, false) ? o.webSocket.served : o.webSocket.answersWhenFull) = false;
    o.maxConnections = 1;
    Port port(o);
    port.ripc().channel->settled();
    Port::Guest& g = port.come(request("tr_json2"));
    CHECK(g.channel == nullptr);
    CHECK(g.raw.closedByPeer());
}

TEST_CASE("numeric addresses and their ranges", "[transport][websocket]") {
    using emissary::eta::addressText;
    for (const char* same : {"10.0.0.7", "fd00::7", "::1", "255.255.255.255", "0.0.0.0"})
        CHECK(addressText(parseAddress(same).value()) == same);
    CHECK(addressText(parseAddress("::ffff:10.0.0.7").value()) == "10.0.0.7");
    for (const char* none :
         {"", "10.0.0", "10.0.0.7.8", "10.0.0.256", "hub1", "fd00::7::8", "10.0.0.7 ", "[::1]", "g::"})
        CHECK_FALSE(parseAddress(none).has_value());
    CHECK_FALSE(parseAddress(std::string_view("10.0.0.7\0x", 10)).has_value());
    CHECK_FALSE(parseAddress(std::string(1000, '1')).has_value());

    const auto in = [](const char* range, const char* address) {
        return parseAddressRange(range).value().contains(parseAddress(address).value());
    };
    CHECK(in("10.0.0.7", "10.0.0.7"));
    CHECK_FALSE(in("10.0.0.7", "10.0.0.8"));
    CHECK(in("10.0.0.0/8", "10.255.0.1"));
    CHECK_FALSE(in("10.0.0.0/8", "11.0.0.1"));
    CHECK(in("192.168.4.0/23", "192.168.5.9"));
    CHECK_FALSE(in("192.168.4.0/23", "192.168.6.9"));
    CHECK(in("0.0.0.0/0", "9.9.9.9"));
    CHECK_FALSE(in("0.0.0.0/0", "fd00::7"));
    CHECK(in("fd00::/8", "fdff::1"));
    CHECK(in("::/0", "9.9.9.9"));
    for (const char* none : {"", "10.0.0.0/33", "10.0.0.7/8", "10.0.0.0/", "10.0.0.0/8x", "10.0.0.0/-1", "fd00::/129",
                             "hub1/8", "10.0.0.0/8/8"})
        CHECK_FALSE(parseAddressRange(none).has_value());
}

TEST_CASE("the client is the last address that no proxy of ours has", "[transport][websocket]") {
    const std::vector<AddressRange> trusted{*parseAddressRange("127.0.0.0/8"), *parseAddressRange("10.1.0.0/16")};
    const auto behind = [&](std::string_view header) {
        const ws::Forwarded f = ws::clientBehind(header, parseAddress("127.0.0.1").value(), trusted);
        return emissary::eta::addressText(f.address) + (f.readable ? "" : " ?");
    };
    CHECK(behind("") == "127.0.0.1");
    CHECK(behind("203.0.113.9") == "203.0.113.9");
    CHECK(behind("203.0.113.9:4711") == "203.0.113.9");
    CHECK(behind("[2001:db8::9]:4711") == "2001:db8::9");
    CHECK(behind("2001:db8::9") == "2001:db8::9");
    CHECK(behind("198.51.100.1, 203.0.113.9") == "203.0.113.9");  // the first one is what the client said
    CHECK(behind("198.51.100.1,203.0.113.9 ,10.1.2.3, 10.1.2.4") == "203.0.113.9");
    CHECK(behind("10.1.2.3") == "10.1.2.3");  // all are ours
    CHECK(behind(" , ,") == "127.0.0.1");
    CHECK(behind("203.0.113.9, unknown") == "127.0.0.1 ?");
    CHECK(behind("203.0.113.9, <script>, 10.1.2.3") == "10.1.2.3 ?");
    const auto far = [&](std::string_view header) {
        const ws::Forwarded f = ws::clientBehind(header, parseAddress("10.1.0.1").value(), trusted);
        return emissary::eta::addressText(f.address) + (f.readable ? "" : " ?");
    };
    // A client among the addresses of the proxies has written the first part itself: nobody there is of this machine.
    CHECK(far("127.0.0.1, 10.1.5.5") == "10.1.5.5");
    CHECK(far("::1") == "10.1.0.1 ?");
    CHECK(far("::ffff:127.0.0.9") == "10.1.0.1");
    CHECK(behind("127.0.0.1, 10.1.5.5, 10.1.2.3") == "10.1.5.5");  // nor behind a proxy of this machine
    CHECK(far("203.0.113.9, 127.0.0.1") == "203.0.113.9");         // two proxies on one machine elsewhere
    CHECK(behind("127.0.0.9") == "127.0.0.9");
    CHECK(behind(std::string(8000, ',')) == "127.0.0.1");
    CHECK(behind(std::string(8000, 'x')) == "127.0.0.1 ?");
    CHECK(behind(std::string_view("\0\xff\x1b[31m", 6)) == "127.0.0.1 ?");
}

TEST_CASE("the address of a client behind a proxy counts and is shown", "[transport][websocket]") {
    BindOptions o = behindProxy();
    o.maxConnectionsPerAddress = 1;
    Port port(o);
    const auto from = [](const char* addresses) { return "X-Forwarded-For: " + std::string(addresses) + "\r\n"; };
    // The proxy's own address has no limit: two RIPC clients of that machine beside each other.
    Port::Guest& other = port.ripc();
    other.channel->settled();
    REQUIRE(port.ripc().channel->state() == ChannelState::active);
    port.guests.back().channel->settled();

    REQUIRE(isUp(port.upgrade(from("198.51.100.1, 203.0.113.9"))));
    Port::Guest& first = port.guests.back();
    first.channel->settled();
    const ChannelInfo& info = first.channel->info();
    CHECK(info.peerAddress == "203.0.113.9:" + std::to_string(info.peerPort));
    CHECK(info.proxyAddress == "127.0.0.1:" + std::to_string(info.peerPort));
    CHECK(port.upgrade(from("203.0.113.9")).starts_with("HTTP/1.1 429 "));
    CHECK_THAT(port.guests.back().channel->errorText(), Catch::StartsWith("203.0.113.9:"));
    CHECK(port.server->counters().refusedAddress == 1);
    CHECK(isUp(port.upgrade(from("203.0.113.10"))));
    CHECK(isUp(port.upgrade(from("2001:db8::9"))));
    CHECK(port.guests.back().channel->info().peerAddress.starts_with("[2001:db8::9]:"));
    first.channel->close();
    CHECK(isUp(port.upgrade(from("203.0.113.9"))));
    // Several headers are one list.
    CHECK(isUp(port.upgrade(from("203.0.113.9") + from("203.0.113.11"))));
    CHECK(port.guests.back().channel->info().peerAddress.starts_with("203.0.113.11:"));

    // A proxy that says nothing, and one that says what nobody can read.
    CHECK(isUp(port.upgrade()));
    CHECK(port.guests.back().channel->info().proxyAddress.empty());
    CHECK(port.upgrade(from("203.0.113.9, \x1b[31m")).starts_with("HTTP/1.1 429 "));
    CHECK(port.server->counters().unreadableForwards == 1);
    CHECK(port.guests.back().channel->errorText().find('\x1b') == std::string::npos);
    stillServed(other);
}

TEST_CASE("only trusted proxies are believed, and may have a path of their own", "[transport][websocket]") {
    const std::string header = "X-Forwarded-For: 203.0.113.9\r\n";
    const auto prefixed = [](std::string path) {
        std::string s = request("tr_json2");
        return s.replace(4, 10, path);
    };
    Port stranger(webPort());
    REQUIRE(isUp(stranger.upgrade(header)));
    CHECK(stranger.guests.back().channel->info().peerAddress.starts_with("127.0.0.1:"));
    CHECK(stranger.guests.back().channel->info().proxyAddress.empty());
    CHECK(stranger.ask(prefixed("/hub/WebSocket")).starts_with("HTTP/1.1 404 "));

    Port proxied(behindProxy());
    CHECK(isUp(proxied.ask(prefixed("/hub/WebSocket"))));
    CHECK(isUp(proxied.ask(prefixed("/a/b/websocket?x=/y"))));
    for (const char* other : {"/hub", "/hub/", "/hubWebSocket", "/hub?/WebSocket", "WebSocket"})
        CHECK(proxied.ask(prefixed(other)).starts_with("HTTP/1.1 404 "));
}

TEST_CASE("a browser on another machine is one behind a local proxy too", "[transport][websocket]") {
    BindOptions o = behindProxy();
    o.webSocket.origins.checked = true;
    o.webSocket.origins.publicHosts = {"prices.example.com", "other.example.com:8443"};
    Port port(o);
    const auto page = [&](const char* origin, const char* client) {
        return port.upgrade("Origin: " + std::string(origin) + "\r\nX-Forwarded-For: " + client + "\r\n");
    };
    CHECK(isUp(page("https://prices.example.com", "203.0.113.9")));
    CHECK(isUp(page("https://other.example.com:8443", "203.0.113.9")));
    CHECK(page("https://other.example.com", "203.0.113.9").starts_with("HTTP/1.1 403 "));
    CHECK(page("https://prices.example.com:8443", "203.0.113.9").starts_with("HTTP/1.1 403 "));
    CHECK(page("https://evil.example", "203.0.113.9").starts_with("HTTP/1.1 403 "));
    // It came to the proxy without TLS: everybody on the way can read it.
    CHECK(page("http://prices.example.com", "203.0.113.9").starts_with("HTTP/1.1 403 "));
    CHECK(isUp(page("http://prices.example.com", "127.0.0.1")));
}

TEST_CASE("a library that sends the port's own origin is told from a browser", "[transport][websocket]") {
    emissary::eta::transport::OriginOptions rules;
    rules.hosts = {"hub1"};
    const auto ofPort = [&](const char* origin, const char* host, bool encrypted, std::uint16_t port = 14002) {
        return ws::isOfPort(rules, {host, std::string(origin), encrypted, false, port});
    };
    CHECK(ofPort("http://hub1:14002", "hub1:14002", false));
    CHECK(ofPort("http://HUB1:14002/", "hub1:14002", false));
    CHECK(ofPort("https://hub1:14002", "hub1:14002", true));
    CHECK(ofPort("https://hub1", "hub1:443", true, 443));
    CHECK(ofPort("https://hub1", "hub1", true, 443));
    CHECK(ofPort("http://10.0.0.7:14002", "10.0.0.7:14002", false));
    CHECK_FALSE(ofPort("http://hub1", "hub1", true, 443));     // the page of another server, on port 80
    CHECK_FALSE(ofPort("http://hub1", "hub1", false, 14002));  // of a proxy in front that keeps Host
    CHECK_FALSE(ofPort("http://hub1:15000", "hub1:15000", false));
    CHECK_FALSE(ofPort("http://evil.example:14002", "evil.example:14002", false));  // a name that was made to lead here
    CHECK(ofPort("http://hub1:14002", "hub1:14002", true));          // as Python's websocket-client writes it
    CHECK_FALSE(ofPort("https://hub1:14002", "hub1:14002", false));  // TLS ends in front: there may be pages
    CHECK_FALSE(ofPort("http://hub1:8080", "hub1:14002", false));
    CHECK_FALSE(ofPort("http://hub2:14002", "hub1:14002", false));
    CHECK_FALSE(ofPort("null", "hub1:14002", false));
    CHECK_FALSE(ofPort("", "", false));
    CHECK_FALSE(ws::isOfPort(rules, {"hub1:14002", std::nullopt, false, false, 14002}));

    Port port(webPort()), proxied(behindProxy());
    const auto own = [](const Port& p) {
        const std::string host = "127.0.0.1:" + std::to_string(p.server->port());
        std::string asked = request("tr_json2, rssl.rwf", "Origin: http://" + host + "\r\n");
        return asked.replace(asked.find("Host: x"), 7, "Host: " + host);
    };
    REQUIRE(isUp(port.ask(own(port))));
    CHECK(port.guests.back().channel->info().originOfPort);
    REQUIRE(isUp(port.upgrade("Origin: http://x\r\n")));
    CHECK_FALSE(port.guests.back().channel->info().originOfPort);
    REQUIRE(isUp(proxied.ask(own(proxied))));
    CHECK_FALSE(proxied.guests.back().channel->info().originOfPort);
}
