// Handshakes over real sockets: versions, fall-back, refusal, keys, and peers that misbehave (transport.md 1, 8, 9).
#include "support.h"
#include "support/catch.hpp"
#include "transport/channel/handshake.h"

#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace transport_test;

namespace {

ConnectionRequest plainRequest(int version = 14) {
    ConnectionRequest r;
    r.ripcVersion = version;
    r.hostName = "pyhost";
    r.ipAddress = "127.0.0.1";
    r.componentText = "pycli-1.0";
    return r;
}

// A server, a raw client that has sent `bytes`, and what init() made of it.
struct Attempt {
    std::unique_ptr<Server> server;
    RawSocket raw;
    std::unique_ptr<Channel> channel;
    InitStatus status = InitStatus::inProgress;
};
Attempt attempt(Bytes bytes, const BindOptions& options = bindOptions()) {
    Attempt a;
    a.server = listen(options);
    a.raw = RawSocket::connectTo(a.server->port());
    a.channel = acceptOne(*a.server);
    if (bytes.empty()) return a;
    a.raw.send(bytes);
    REQUIRE(readable(a.channel->fd()));
    a.status = a.channel->init(at(0));
    return a;
}

// Drives a client until its request is out.
void sendRequest(Channel& client) {
    REQUIRE(writable(client.fd()));
    REQUIRE(client.init(at(0)) == InitStatus::inProgress);
    CHECK_FALSE(client.wantsWrite());
}

InitStatus answer(Channel& client, RawSocket& server, Bytes bytes) {
    server.send(bytes);
    REQUIRE(readable(client.fd()));
    return client.init(at(0));
}

}  // namespace

TEST_CASE("each version is served as captured", "[transport][connect]") {
    struct Row {
        const char* name;
        std::uint32_t version;
    };
    for (const Row& row : {Row{"v14_nokey_request_and_ack", 14}, Row{"v13_request_and_ack", 13},
                           Row{"v12_request_and_ack", 12}, Row{"v11_request_and_ack", 11}}) {
        INFO(row.name);
        const auto lines = vectorLines(row.name);
        Attempt a = attempt(lines[0]);
        REQUIRE(a.status == InitStatus::active);
        CHECK(a.channel->info().ripcVersion == row.version);
        CHECK(a.channel->info().peerHost == "pyhost");
        ByteVector expected = lines[1];
        if (row.version >= 13) {  // the component text differs, the rest does not
            ConnectionAck ack = parseAck(lines[1], false).value;
            ack.componentText = componentText("");
            expected = encodeAck(ack);
            CHECK(a.channel->info().componentInfo == "pycli-1.0");
        }
        CHECK(toHex(a.raw.receiveFrame()) == toHex(expected));
        // and traffic flows, fragment ids as wide as the version says
        const std::string name = row.version >= 13 ? "frag_v14_500" : "frag_v12_500";
        for (const ByteVector& f : vectorLines(name))
            a.raw.send(f);
        CHECK(readMessage(*a.channel) == pattern(500));
        REQUIRE(a.channel->write(pattern(7000)).ok());
        REQUIRE(flushWait(*a.channel));
        const ByteVector first = a.raw.receiveFrame();
        const std::size_t idBytes = row.version >= 13 ? 2 : 1;
        CHECK(first.size() == 6147);
        CHECK(a.raw.receiveFrame().size() == 7000 - (6147 - 8 - idBytes) + 4 + idBytes);
    }
}

TEST_CASE("requests arriving byte by byte are understood", "[transport][connect]") {
    const ByteVector wire = vectorLines("v14_request_nocomp").at(0);
    Attempt a = attempt({});
    for (std::size_t i = 0; i < wire.size(); ++i) {
        a.raw.send(Bytes(wire).subspan(i, 1));
        REQUIRE(readable(a.channel->fd()));
        REQUIRE(a.channel->init(at(0)) == InitStatus::inProgress);
    }
    const ByteVector ack = a.raw.receiveFrame();
    const auto parsed = parseAck(ack, true);
    REQUIRE(parsed.kind == Parsed<ConnectionAck>::Kind::ok);
    CHECK(parsed.value.hasKey);
    CHECK(parsed.value.key.p >> 62 == 0);
    CHECK(parsed.value.key.g == 5);

    SECTION("key and first data in one segment: the data is there at once") {
        const std::uint64_t secret = 12345;
        const ByteVector key = encodeClientKey({true, powMod(5, secret, parsed.value.key.p)});
        a.raw.send(concat({key, vectorLines("data_small").at(0), vectorLines("packed_5_6_7").at(0)}));
        REQUIRE(settle(*a.channel) == InitStatus::active);
        CHECK(a.channel->info().sharedKey == powMod(parsed.value.key.serverKey, secret, parsed.value.key.p));
        CHECK(readMessage(*a.channel) == pattern(5));
        const ReadResult r = a.channel->read();
        CHECK(r.more);
        CHECK(toHex(r.message) == toHex(pattern(5)));
        CHECK(readMessage(*a.channel) == pattern(6));
        const ReadResult last = a.channel->read();
        CHECK_FALSE(last.more);
        CHECK(last.message.size() == 7);
        CHECK(a.channel->read().kind == ReadResult::Kind::wouldBlock);
    }
    SECTION("the short form carries no key") {
        a.raw.send(hex("00040800"));
        REQUIRE(settle(*a.channel) == InitStatus::active);
        CHECK(a.channel->info().sharedKey == 0);
    }
    SECTION("nothing is sent before the key") {
        CHECK(a.channel->state() == ChannelState::initializing);
        CHECK(a.channel->reserve(5).empty());
        CHECK(a.channel->write(pattern(5)).code == Errc::closed);
    }
    SECTION("data where the key is due") {
        a.raw.send(vectorLines("data_small").at(0));
        CHECK(settle(*a.channel) == InitStatus::failed);
        CHECK_THAT(a.channel->errorText(), Catch::Contains("client key"));
        CHECK(a.raw.closedByPeer());
    }
}

TEST_CASE("our client and server exchange keys", "[transport][connect]") {
    ConnectOptions c = connectOptions(0);
    c.keyExchange = true;
    Pair p = makePair(bindOptions(), c);
    CHECK(p.client->info().sharedKey != 0);
    CHECK(p.client->info().sharedKey == p.accepted->info().sharedKey);
    REQUIRE(p.client->write(pattern(9)).ok());
    REQUIRE(p.client->flush());
    CHECK(readMessage(*p.accepted) == pattern(9));
}

TEST_CASE("our client starts at the version it is told", "[transport][connect]") {
    for (int version = 11; version <= 14; ++version) {
        ConnectOptions c = connectOptions(0);
        c.firstVersion = version;
        Pair p = makePair(bindOptions(), c);
        CHECK(p.client->info().ripcVersion == static_cast<std::uint32_t>(version));
        CHECK(p.accepted->info().ripcVersion == static_cast<std::uint32_t>(version));
        CHECK(p.client->info().componentInfo == (version >= 13 ? componentText("") : ""));
        for (const std::size_t size : {1u, 6143u, 6144u, 6145u, 100000u}) {
            REQUIRE(p.client->write(pattern(size)).ok());
            REQUIRE(flushWait(*p.client));
            CHECK(readMessage(*p.accepted) == pattern(size));
        }
    }
}

TEST_CASE("a server that closes gets older requests on new connections", "[transport][connect]") {
    RawListener listener;
    auto client = open(connectOptions(listener.port()));
    for (int version = 14; version >= 11; --version) {
        RawSocket s = listener.accept();
        sendRequest(*client);
        const ByteVector request = s.receiveFrame();
        const auto parsed = parseRequest(request);
        REQUIRE(parsed.kind == Parsed<ConnectionRequest>::Kind::ok);
        CHECK(parsed.value.ripcVersion == version);
        CHECK_FALSE(parsed.value.keyExchange);
        CHECK(parsed.value.ipAddress == "127.0.0.1");
        const int before = client->fd();
        if (version % 2 == 0) s.close();
        else s.reset();
        REQUIRE(readable(client->fd()));
        const InitStatus status = client->init(at(0));
        if (version > 11) {
            REQUIRE(status == InitStatus::descriptorChanged);
            CHECK(client->fd() != before);
            CHECK(client->wantsWrite());
        } else {
            CHECK(status == InitStatus::failed);
            CHECK_THAT(client->errorText(), Catch::Contains("last version"));
            CHECK_FALSE(client->refused());
        }
    }
}

TEST_CASE("a server that is gone when an older version is tried: the text tells of the first attempt as well",
          "[transport][connect]") {
    auto listener = std::make_unique<RawListener>();
    auto client = open(connectOptions(listener->port()));
    RawSocket s = listener->accept();
    sendRequest(*client);
    s.receiveFrame();
    listener.reset();
    s.close();
    REQUIRE(readable(client->fd()));
    InitStatus status = client->init(at(0));
    if (status == InitStatus::descriptorChanged) {
        REQUIRE(writable(client->fd()));
        status = client->init(at(0));
    }
    CHECK(status == InitStatus::failed);
    CHECK_THAT(client->errorText(),
               Catch::Contains("Connection refused; before, closed by peer instead of a connection "
                               "ack (RIPC 14; an encrypted port closes like this"));
}

TEST_CASE("fall-back can be switched off, and stops where a server answers", "[transport][connect]") {
    RawListener listener;
    ConnectOptions c = connectOptions(listener.port());
    SECTION("off") {
        c.fallback = false;
        auto client = open(c);
        RawSocket s = listener.accept();
        sendRequest(*client);
        s.receiveFrame();
        s.close();
        REQUIRE(readable(client->fd()));
        CHECK(client->init(at(0)) == InitStatus::failed);
    }
    SECTION("a v12 server") {
        auto client = open(c);
        for (int version = 14; version >= 13; --version) {
            RawSocket s = listener.accept();
            sendRequest(*client);
            s.receiveFrame();
            s.close();
            REQUIRE(readable(client->fd()));
            REQUIRE(client->init(at(0)) == InitStatus::descriptorChanged);
        }
        RawSocket s = listener.accept();
        sendRequest(*client);
        s.receiveFrame();
        // ack and first data in one segment
        CHECK(answer(*client, s, concat({vectorLines("v12_request_and_ack").at(1), hex("0004 02 41")})) ==
              InitStatus::active);
        CHECK(client->info().ripcVersion == 12);
        CHECK(readMessage(*client) == hex("41"));
    }
}

TEST_CASE("connections can carry another protocol than RWF", "[transport][connect]") {
    BindOptions bind = bindOptions();
    bind.protocolType = 88;
    bind.protocolMajor = bind.protocolMinor = 0;
    SECTION("both ends know type and version, over every kind of connection") {
        const bool webSocket = GENERATE(false, true);
        bind.connectionType = webSocket ? ConnectionType::webSocket : ConnectionType::socket;
        bind.webSocket.protocols = "rssl.rwf";
        ConnectOptions c = connectOptions(0);
        c.connectionType = bind.connectionType;
        c.webSocket.protocols = "rssl.rwf";
        c.protocolType = 88;
        c.protocolMajor = c.protocolMinor = 0;
        const Pair p = makePair(bind, c);
        for (const ChannelInfo& info : {p.client->info(), p.accepted->info()}) {
            CHECK(int{info.protocolType} == 88);
            CHECK(int{info.majorVersion} == 0);
            CHECK(int{info.minorVersion} == 0);
        }
    }
    SECTION("inside a WebSocket the handshake has the type of the sub-protocol, whatever both ends carry") {
        bind.connectionType = ConnectionType::webSocket;
        bind.webSocket.protocols = "rssl.rwf";
        ConnectOptions c = connectOptions(0);
        c.connectionType = bind.connectionType;
        c.webSocket.protocols = "rssl.rwf";
        CHECK(c.protocolType == kProtocolRwf);  // a client of RWF understands a server of 88 there
        c.protocolMajor = c.protocolMinor = 0;
        const Pair p = makePair(bind, c);
        CHECK(int{p.accepted->info().protocolType} == 88);
    }
    SECTION("a client of RWF is refused, of RIPC 11 too, whose requests name no type") {
        const int version = GENERATE(14, 13, 12, 11);
        Attempt a = attempt(encodeRequest(plainRequest(version)), bind);
        CHECK(a.status == InitStatus::failed);
        const auto p = parseAck(a.raw.receiveFrame(), false);
        CHECK(p.kind == Parsed<ConnectionAck>::Kind::nak);
        CHECK(p.reason == "Protocol type 0 is not served here.");
    }
    SECTION("RIPC 12 is the last that a client tries, as requests of RIPC 11 name no type") {
        RawListener listener;
        ConnectOptions c = connectOptions(listener.port());
        c.protocolType = 88;
        c.protocolMajor = c.protocolMinor = 0;
        c.firstVersion = GENERATE(14, 11);
        auto client = open(c);
        for (int version = std::max(c.firstVersion, 12); version >= 12; --version) {
            INFO(version);
            RawSocket s = listener.accept();
            sendRequest(*client);
            const auto parsed = parseRequest(s.receiveFrame());
            CHECK(parsed.value.ripcVersion == version);
            CHECK(int{parsed.value.protocolType} == 88);
            CHECK(int{parsed.value.major} == 0);
            s.close();
            REQUIRE(readable(client->fd()));
            CHECK(client->init(at(0)) == (version == 12 ? InitStatus::failed : InitStatus::descriptorChanged));
        }
        CHECK_THAT(client->errorText(), Catch::Contains("RIPC 12 was the last version to try"));
    }
}

TEST_CASE("what a client makes of answers", "[transport][connect]") {
    RawListener listener;
    auto client = open(connectOptions(listener.port()));
    RawSocket s = listener.accept();
    sendRequest(*client);
    s.receiveFrame();
    const ByteVector ack = vectorLines("v14_nokey_request_and_ack").at(1);
    SECTION("an ack, byte by byte") {
        for (std::size_t i = 0; i + 1 < ack.size(); ++i)
            REQUIRE(answer(*client, s, Bytes(ack).subspan(i, 1)) == InitStatus::inProgress);
        CHECK(answer(*client, s, Bytes(ack).last(1)) == InitStatus::active);
        CHECK(client->info().componentInfo == "etaj3.9.1.L1.all.rrg|x");
    }
    SECTION("a higher protocol pair than ours is not believed") {
        ConnectionAck a = parseAck(ack, false).value;
        a.major = 15;
        a.minor = 3;
        CHECK(answer(*client, s, encodeAck(a)) == InitStatus::active);
        CHECK(int{client->info().majorVersion} == 14);
        CHECK(int{client->info().minorVersion} == 1);
    }
    SECTION("a nak ends it, without fall-back") {
        CHECK(answer(*client, s, vectorLines("nak").at(0)) == InitStatus::failed);
        CHECK(client->refused());
        CHECK_THAT(client->errorText(), Catch::EndsWith("refused: Connection refused."));
        CHECK_FALSE(readable(client->fd(), 0) == false);
    }
    SECTION("a server may force compression on a client that offered none") {
        ConnectionAck a = parseAck(ack, false).value;
        a.forcedCompression = true;
        a.compressionType = 1;
        a.compressionLevel = 9;
        CHECK(answer(*client, s, encodeAck(a)) == InitStatus::active);
        CHECK(client->info().compression == Compression::zlib);
        CHECK(client->info().compressionThreshold == 30);
    }
    SECTION("half an ack and the end: no fall-back") {
        REQUIRE(answer(*client, s, Bytes(ack).first(10)) == InitStatus::inProgress);
        s.close();
        REQUIRE(readable(client->fd()));
        CHECK(client->init(at(0)) == InitStatus::failed);
        CHECK_THAT(client->errorText(), Catch::Contains("middle of its connection ack"));
    }
    SECTION("neither ack nor nak, unknown version, small M, too long") {
        const auto n = GENERATE(0, 1, 2, 3, 4);
        ByteVector bad = ack;
        if (n == 0) bad[3] = std::byte{8};
        if (n == 1) bad[9] = std::byte{5};
        if (n == 2) bad[10] = std::byte{0}, bad[11] = std::byte{15};
        if (n == 3) bad[0] = std::byte{5};
        if (n == 4) bad = hex("485454502f312e3120343030");  // "HTTP/1.1 400"
        CHECK(answer(*client, s, bad) == InitStatus::failed);
        CHECK_FALSE(client->refused());
        CHECK(s.closedByPeer());
    }
    SECTION("silence ends at the initialization timeout, trickling too") {
        CHECK(client->initDeadline() == at(5));
        CHECK(answer(*client, s, Bytes(ack).first(1)) == InitStatus::inProgress);
        CHECK(client->init(at(4.99)) == InitStatus::inProgress);
        s.send(Bytes(ack).subspan(1, 1));
        REQUIRE(readable(client->fd()));
        CHECK(client->init(at(5)) == InitStatus::failed);
        CHECK_THAT(client->errorText(), Catch::Contains("initialization timeout"));
        CHECK_THAT(client->errorText(), Catch::Contains("2 bytes received"));
    }
}

TEST_CASE("a nobody's port and an unknown host are reported by name", "[transport][connect]") {
    std::uint16_t port = 0;
    {
        RawListener gone;
        port = gone.port();
    }
    Refused refused;
    auto client = Channel::connect(connectOptions(port), at(0), refused);
    if (client != nullptr) {
        CHECK(settle(*client) == InitStatus::failed);
        refused.text = client->errorText();
    }
    CHECK_THAT(refused.text, Catch::StartsWith("connect to 127.0.0.1:" + std::to_string(port)));
    CHECK_THAT(refused.text, Catch::Contains("refused"));

    ConnectOptions c = connectOptions(1);
    c.port = "no-such-service";
    CHECK(Channel::connect(c, at(0), refused) == nullptr);
    CHECK_THAT(refused.text, Catch::Contains("no-such-service"));
    c = connectOptions(1);
    c.interfaceName = "no-such-device";
    CHECK(Channel::connect(c, at(0), refused) == nullptr);
    CHECK_THAT(refused.text, Catch::Contains("no-such-device"));
}

TEST_CASE("a client tries every address of a name", "[transport][connect]") {
    // "localhost" may name ::1 as well; the server listens on 127.0.0.1 only
    auto server = listen();
    ConnectOptions c = connectOptions(server->port());
    c.host = "localhost";
    auto client = open(c);
    for (;;) {
        REQUIRE(writable(client->fd()));
        const InitStatus s = client->init(at(0));
        REQUIRE(s != InitStatus::failed);
        if (s == InitStatus::inProgress) break;
    }
    auto accepted = acceptOne(*server);
    CHECK(settle(*accepted) == InitStatus::active);
    CHECK(settle(*client) == InitStatus::active);
}

TEST_CASE("a server without an interface serves IPv4, and a taken port is named", "[transport][connect]") {
    BindOptions o = bindOptions();
    o.interfaceName.clear();
    auto server = listen(o);
    RawSocket raw = RawSocket::connectTo(server->port());
    auto channel = acceptOne(*server);
    CHECK(channel->info().peerAddress.starts_with("127.0.0.1:"));
    o.port = std::to_string(server->port());
    Refused refused;
    CHECK(Server::bind(o, refused) == nullptr);
    CHECK(refused.text == "port " + o.port + " is in use by another program");
    o.port = "nonsense";
    CHECK(Server::bind(o, refused) == nullptr);
    CHECK_THAT(refused.text, Catch::Contains("nonsense"));
    for (const char* port : {"65536", "99999999999"}) {
        o.port = port;
        CHECK(Server::bind(o, refused) == nullptr);
        CHECK_THAT(refused.text, Catch::Contains("is beyond 65535"));
    }
    o = bindOptions();
    o.interfaceName = "no-such-device";
    CHECK(Server::bind(o, refused) == nullptr);
    CHECK_THAT(refused.text, Catch::Contains("no-such-device"));
}

TEST_CASE("servers may share a port when told to, and bind to a device by name", "[transport][connect]") {
    BindOptions o = bindOptions();
    o.sharedSocket = true;
    o.interfaceName = "lo";
    auto first = listen(o);
    o.port = std::to_string(first->port());
    auto second = listen(o);
    CHECK(second->port() == first->port());
}

TEST_CASE("socket options reach the system", "[transport][connect]") {
    BindOptions b = bindOptions();
    b.sysSendBufSize = 20000;
    b.sysRecvBufSize = 30000;
    ConnectOptions c = connectOptions(0);
    c.interfaceName = "lo";
    c.sysSendBufSize = 40000;
    Pair p = makePair(b, c);
    CHECK(p.accepted->info().sysSendBufSize == 40000);  // Linux doubles what it is given
    CHECK(p.accepted->info().sysRecvBufSize == 60000);
    CHECK(p.client->info().sysSendBufSize == 80000);
    CHECK(p.client->setOption(5, 50000).ok());
    CHECK(p.client->info().sysSendBufSize == 100000);
    CHECK(p.client->setOption(99, 1).code == Errc::usage);
    CHECK(p.client->setOption(2, 0).code == Errc::outOfRange);
    CHECK(p.client->setOption(2, 20).ok());
    CHECK(p.client->setOption(1, 7).ok());
    CHECK(p.client->info().maxOutputBuffers == 20);
    CHECK(p.client->setOption(9, 5).ok());  // silently ignored without compression
    CHECK(tcpRetransmits(*p.client) == 0);
}

TEST_CASE("the server refuses with a nak", "[transport][connect]") {
    SECTION("by decision of the application") {
        Attempt a = attempt({});
        a.channel->refuse();
        a.raw.send(encodeRequest(plainRequest()));
        CHECK(settle(*a.channel) == InitStatus::failed);
        CHECK(a.raw.receiveFrame() == vectorLines("nak").at(0));
        CHECK(a.raw.closedByPeer());
        CHECK(a.channel->refused());
        CHECK(a.server->counters().naksSent == 1);
    }
    SECTION("when the protocol type is not served") {
        ConnectionRequest r = plainRequest(12);
        r.protocolType = kProtocolJson;
        Attempt a = attempt(encodeRequest(r));
        CHECK(a.status == InitStatus::failed);
        const auto p = parseAck(a.raw.receiveFrame(), false);
        CHECK(p.kind == Parsed<ConnectionAck>::Kind::nak);
        CHECK(p.reason == "Protocol type 2 is not served here.");
        CHECK(a.raw.closedByPeer());
        CHECK(a.server->counters().handshakeFailures == 1);
    }
    SECTION("and our client takes it as final") {
        auto server = listen();
        auto client = open(connectOptions(server->port()));
        auto accepted = acceptOne(*server);
        accepted->refuse("Full.");
        sendRequest(*client);
        CHECK(settle(*accepted) == InitStatus::failed);
        CHECK(settle(*client) == InitStatus::failed);
        CHECK(client->refused());
        CHECK_THAT(client->errorText(), Catch::EndsWith("refused: Full."));
    }
}

TEST_CASE("bad requests are cut off without a reply", "[transport][connect]") {
    const ByteVector good = encodeRequest(plainRequest());
    ByteVector unknown = good, disagree = good;
    unknown[6] = std::byte{0x18};
    disagree[8] = std::byte{0x05};
    const std::vector<ByteVector> bad{hex("0005"),
                                      hex("ffff"),
                                      unknown,
                                      disagree,
                                      concat({good, hex("0004 02 41")}),
                                      concat({good, good}),
                                      hex("1603010200010001fc0303"),
                                      hex("504f5354202f")};
    for (const ByteVector& wire : bad) {
        INFO(toHex(wire));
        Attempt a = attempt(wire);
        CHECK(a.status == InitStatus::failed);
        CHECK(a.channel->state() == ChannelState::closed);
        CHECK(a.raw.receive(1).empty());
        CHECK(a.raw.closedByPeer());
        CHECK(a.server->counters().handshakeFailures == 1);
        CHECK_THAT(a.channel->errorText(), Catch::StartsWith("127.0.0.1:"));
    }
    SECTION("a peer that goes away half way") {
        Attempt a = attempt(Bytes(good).first(20));
        CHECK(a.status == InitStatus::inProgress);
        a.raw.close();
        CHECK(settle(*a.channel) == InitStatus::failed);
        CHECK_THAT(a.channel->errorText(), Catch::Contains("before the handshake was complete"));
    }
}

TEST_CASE("a slow peer cannot extend the initialization timeout", "[transport][connect]") {
    const ByteVector good = encodeRequest(plainRequest());
    Attempt a = attempt({});
    CHECK(a.channel->initDeadline() == at(60));
    for (std::size_t i = 0; i < 40; ++i) {
        a.raw.send(Bytes(good).subspan(i, 1));
        REQUIRE(readable(a.channel->fd()));
        REQUIRE(a.channel->init(at(1.4 * static_cast<double>(i))) == InitStatus::inProgress);
    }
    a.raw.send(Bytes(good).subspan(40, 1));
    CHECK(a.channel->init(at(60)) == InitStatus::failed);
    CHECK_THAT(a.channel->errorText(), Catch::Contains("initialization timeout: no complete connection request"));
    CHECK(a.raw.closedByPeer());
    CHECK(a.server->counters().handshakeTimeouts == 1);
    CHECK(a.server->counters().handshakeFailures == 0);
}

TEST_CASE("half-open connections are capped", "[transport][connect]") {
    BindOptions o = bindOptions();
    SECTION("per listener") {
        o.maxInitializing = 3;
    }
    SECTION("per address") {
        o.maxInitializingPerAddress = 3;
    }
    auto server = listen(o);
    std::vector<RawSocket> raws;
    std::vector<std::unique_ptr<Channel>> held;
    for (int i = 0; i < 3; ++i) {
        raws.push_back(RawSocket::connectTo(server->port()));
        held.push_back(acceptOne(*server));
        raws.back().send(Bytes(encodeRequest(plainRequest())).first(8));  // not silent: not the first to go
        REQUIRE(readable(held.back()->fd()));
        REQUIRE(held.back()->init(at(0)) == InitStatus::inProgress);
    }
    RawSocket fourth = RawSocket::connectTo(server->port());
    REQUIRE(readable(server->fd()));
    CHECK(server->accept(at(0)) == nullptr);
    CHECK(fourth.closedByPeer());
    CHECK(server->counters().refusedBusy == 1);

    raws[0].send(Bytes(encodeRequest(plainRequest())).subspan(8));  // active channels do not count
    REQUIRE(settle(*held[0]) == InitStatus::active);
    raws.push_back(RawSocket::connectTo(server->port()));
    held.push_back(acceptOne(*server));

    raws[1].close();  // failed ones neither
    REQUIRE(settle(*held[1]) == InitStatus::failed);
    raws.push_back(RawSocket::connectTo(server->port()));
    held.push_back(acceptOne(*server));

    held[2].reset();  // nor destroyed ones
    raws.push_back(RawSocket::connectTo(server->port()));
    held.push_back(acceptOne(*server));
    CHECK(server->counters().accepted == 6);
    server.reset();  // channels outlive their listener
    held.clear();
}

TEST_CASE("out of descriptors the listener hangs up instead of spinning", "[transport][connect]") {
    auto server = listen();
    RawSocket raw = RawSocket::connectTo(server->port());
    REQUIRE(readable(server->fd()));
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
    rlimit few = before;
    few.rlim_cur = 256;
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
    std::vector<RawSocket> hogs;
    for (int fd = ::dup(raw.fd()); fd >= 0; fd = ::dup(raw.fd()))
        hogs.emplace_back(fd);
    const auto channel = server->accept(at(0));
    const auto again = server->accept(at(0));
    hogs.clear();
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
    CHECK(channel == nullptr);
    CHECK(again == nullptr);
    CHECK(raw.closedByPeer());
    CHECK(server->counters().refusedBusy == 1);
    CHECK_FALSE(readable(server->fd(), 0));
    raw = RawSocket::connectTo(server->port());  // and serves again afterwards
    CHECK(acceptOne(*server) != nullptr);
}

TEST_CASE("a thousand connections come and go without a trace", "[transport][connect]") {
    auto server = listen();
    const std::size_t before = openDescriptors();
    for (int i = 0; i < 1000; ++i) {
        auto client = open(connectOptions(server->port()));
        auto accepted = acceptOne(*server);
        sendRequest(*client);
        REQUIRE(settle(*accepted) == InitStatus::active);
        REQUIRE(settle(*client) == InitStatus::active);
        REQUIRE(client->write(pattern(100)).ok());
        REQUIRE(client->flush());
        if (i % 2 == 0) client.reset();
        else accepted.reset();
    }
    CHECK(openDescriptors() == before);
    CHECK(server->counters().handshakesDone == 1000);
}
