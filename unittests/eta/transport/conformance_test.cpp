// What every connection type must do, one row each.
#include "rows.h"
#include "support/catch.hpp"

#include <random>
#include <thread>

#include <malloc.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace transport_test;

namespace {

/// Each row that can do what the case needs.
const Row& anyRow(const std::vector<Ability>& needed = {}) {
    const std::string name = GENERATE_COPY(from_range(rowNames(needed)));
    return row(name);
}

ByteVector text(unsigned number, std::size_t size) {
    ByteVector m = pattern(std::max<std::size_t>(size, 8));
    const std::string n = std::to_string(100000000 + number).substr(1);
    const Bytes b = asBytes(n);
    std::copy(b.begin(), b.end(), m.begin());
    return m;
}

/// Flushes `from` and reads `to` until a message is there.
ByteVector carry(Channel& from, Channel& to) {
    for (int idle = 0; idle < 5000;) {
        static_cast<void>(from.flush());
        const ReadResult r = to.read();
        if (r.kind == ReadResult::Kind::message) return {r.message.begin(), r.message.end()};
        if (r.kind == ReadResult::Kind::closed) return {};
        if (r.kind == ReadResult::Kind::wouldBlock && !r.more && !readable(to.fd(), 1)) ++idle;
    }
    return {};
}

ReadResult::Kind nextKind(Channel& channel) {
    for (;;) {
        const ReadResult r = channel.read();
        if (r.kind != ReadResult::Kind::wouldBlock) return r.kind;
        if (!r.more && !readable(channel.fd())) return r.kind;
    }
}

/// Both ends take their turns until one fails or both are active.
void settleBoth(Channel& client, Channel& accepted, InitStatus& c, InitStatus& a) {
    c = a = InitStatus::inProgress;
    const auto over = [](InitStatus s) { return s == InitStatus::active || s == InitStatus::failed; };
    for (int turn = 0; turn < 5000 && !(over(c) && over(a)); ++turn) {
        if (!over(c)) c = client.init(at(0));
        if (!over(a)) a = accepted.init(at(0));
        if (!over(c)) static_cast<void>(readable(client.fd(), 1));
    }
}

}  // namespace

TEST_CASE("conformance: what a row cannot do is declared here as well, with a reason",
          "[transport][conformance][multicast]") {
    using Names = std::vector<std::string>;
    const std::map<Ability, Names> declared{
        {Ability::compression,
         {"tcp", "tls 1.2", "tls 1.3", "websocket rwf", "websocket json", "tls websocket rwf", "tls 1.2 websocket rwf",
          "tls websocket json", "shared memory", "reliable multicast", "sequenced multicast"}},
        {Ability::bytes,
         {"websocket json", "websocket json deflate", "tls websocket json", "tls websocket json deflate"}},
        {Ability::fragments, {"sequenced multicast"}},
        {Ability::listener, {"reliable multicast", "sequenced multicast"}},
        {Ability::tcp, {"shared memory", "shared memory zlib", "reliable multicast", "sequenced multicast"}},
    };
    std::map<Ability, Names> found;
    for (const Row& r : rows())
        for (const auto& [ability, why] : r.lacks) {
            CHECK_FALSE(why.empty());
            found[ability].push_back(r.name);
        }
    CHECK(found == declared);
    CHECK(rows().size() == 22);
    CHECK(rowNames({Ability::bytes, Ability::fragments}).size() == 17);
}

TEST_CASE("conformance: connecting tells both ends what they have", "[transport][conformance]") {
    const Row& r = anyRow();
    INFO(r.name);
    Pair p = makePair(r);
    const ChannelInfo &c = p.client->info(), &s = p.accepted->info();
    CHECK(int{c.protocolType} == (r.json ? kProtocolJson : kProtocolRwf));
    CHECK(c.protocolType == s.protocolType);
    CHECK(c.connectionType == r.connect.connectionType);
    CHECK(s.connectionType == r.connect.connectionType);
    CHECK(c.compression == r.connect.compression);
    CHECK(s.compression == r.connect.compression);
    CHECK(c.webSocketProtocol == s.webSocketProtocol);
    CHECK(c.tlsVersion == (r.connect.connectionType == ConnectionType::encrypted ? r.connect.tls.versions : 0u));
    CHECK(s.tlsVersion == c.tlsVersion);
    CHECK(c.cipher == s.cipher);
    CHECK(c.cipher.empty() == (c.tlsVersion == 0));
    if (r.group) {
        CHECK(s.peerAddress.rfind("239.255.14.1:", 0) == 0);
        CHECK(c.peerPort != s.peerPort);
    } else {
        CHECK(c.peerPort == p.server->port());
        CHECK(s.peerAddress.rfind(r.local ? "shmem:" : "127.0.0.1:", 0) == 0);
        CHECK(p.server->counters().handshakesDone == 1);
    }
    if (!r.json) CHECK(c.maxFragmentSize == s.maxFragmentSize);
}

TEST_CASE("conformance: messages of every size arrive whole, in order, both ways", "[transport][conformance]") {
    const Row& r = anyRow();
    INFO(r.name);
    BindOptions bind = r.bind;
    bind.maxFragmentSize = GENERATE(6144u, 300u);
    bind.guaranteedOutputBuffers = 5000;
    ConnectOptions connect = r.connect;
    connect.guaranteedOutputBuffers = 5000;
    if (bind.maxFragmentSize == 300) connect.webSocket.maxMessageBytes = 300;
    Pair p = makePair(bind, connect);
    const std::size_t m = p.client->maxFragmentSize() + 2;
    unsigned number = 0;
    for (const std::size_t size :
         {std::size_t{8}, std::size_t{29}, std::size_t{30}, std::size_t{100}, std::size_t{299}, std::size_t{300}, m - 3,
          m - 2, m - 1, m, m + 1, 2 * m, 3 * m + 7, std::size_t{100000}, std::size_t{400000}}) {
        INFO("size " << size);
        for (const bool toServer : {true, false}) {
            Channel& from = toServer ? *p.client : *p.accepted;
            Channel& to = toServer ? *p.accepted : *p.client;
            const ByteVector sent = text(++number, size);
            if (!r.can(Ability::fragments) && size > m) {
                CHECK(from.write(sent).code == Errc::outOfRange);
                continue;
            }
            REQUIRE(from.write(sent).ok());
            REQUIRE(carry(from, to) == r.received(sent));
        }
    }
    // Many at once, of mixed sizes, before anybody reads.
    std::mt19937 random(7);
    std::vector<ByteVector> sent;
    for (unsigned i = 0; i < 300; ++i) {
        sent.push_back(text(i, random() % 900 + 8));
        REQUIRE(p.accepted->write(sent.back()).ok());
    }
    for (const ByteVector& one : sent)
        REQUIRE(carry(*p.accepted, *p.client) == r.received(one));
    CHECK(p.client->read().kind == ReadResult::Kind::wouldBlock);
}

TEST_CASE("conformance: what is compressed is smaller on the wire, and whole behind it", "[transport][conformance]") {
    const Row& r = anyRow({Ability::compression});
    INFO(r.name);
    const bool toServer = GENERATE(true, false);
    INFO((toServer ? "to the server" : "to the client"));
    Pair p = makePair(r);
    Channel &from = toServer ? *p.client : *p.accepted, &to = toServer ? *p.accepted : *p.client;
    const std::uint64_t writtenBefore = from.counters().bytesWritten, readBefore = to.counters().bytesRead;
    std::uint64_t bytes = 0;
    for (unsigned i = 0; i < 20; ++i) {
        const ByteVector sent = text(i, i % 5 == 4 ? 20000 : 3000);
        bytes += sent.size();
        REQUIRE(from.write(sent).ok());
        REQUIRE(carry(from, to) == r.received(sent));
    }
    const ChannelCounters w = from.counters(), t = to.counters();
    CHECK(w.bytesWritten - writtenBefore < bytes / 2);
    CHECK(w.bytesWritten < w.uncompressedBytesWritten);
    CHECK(w.uncompressedBytesWritten >= bytes);
    CHECK(t.bytesRead - readBefore < bytes / 2);
    CHECK(t.bytesRead < t.uncompressedBytesRead);
    CHECK(t.uncompressedBytesRead >= bytes);
}

TEST_CASE("conformance: bytes that are no text pass unchanged", "[transport][conformance]") {
    const Row& r = anyRow({Ability::bytes});
    INFO(r.name);
    Pair p = makePair(r);
    std::mt19937 random(11);
    for (int i = 0; i < 50; ++i) {
        ByteVector noise(random() % (r.can(Ability::fragments) ? 20000 : 2900) + 1);
        for (std::byte& b : noise)
            b = static_cast<std::byte>(random());
        REQUIRE(p.client->write(noise).ok());
        REQUIRE(carry(*p.client, *p.accepted) == noise);
    }
}

TEST_CASE("conformance: packed messages", "[transport][conformance]") {
    const Row& r = anyRow();
    INFO(r.name);
    const bool toServer = GENERATE(true, false);
    INFO((toServer ? "to the server" : "to the client"));
    Pair p = makePair(r);
    Channel &from = toServer ? *p.client : *p.accepted, &to = toServer ? *p.accepted : *p.client;
    const ByteVector body = concat({hex("0003 414243 0000 0028"), pattern(40), hex("0002 4445")});
    const auto room = from.reserve(body.size());
    REQUIRE(room.size() == body.size());
    std::copy(body.begin(), body.end(), room.begin());
    REQUIRE(from.commitPacked(body.size(), 3).ok());
    if (r.json) {
        CHECK(carry(from, to) == concat({hex("5b 414243 2c"), pattern(40), hex("2c 4445 5d")}));  // one array
    } else {
        CHECK(carry(from, to) == hex("414243"));
        CHECK(carry(from, to) == pattern(40));
        CHECK(carry(from, to) == hex("4445"));
    }
}

TEST_CASE("conformance: a slow reader exhausts the output, and then gets everything", "[transport][conformance]") {
    const Row& r = anyRow({Ability::listener});
    INFO(r.name);
    const bool toServer = GENERATE(true, false);  // a client masks what it sends over WebSocket
    INFO((toServer ? "to the server" : "to the client"));
    BindOptions bind = r.bind;
    bind.sysSendBufSize = bind.sysRecvBufSize = 8192;
    ConnectOptions connect = r.connect;
    bind.guaranteedOutputBuffers = connect.guaranteedOutputBuffers = 20;
    connect.sysSendBufSize = connect.sysRecvBufSize = 8192;
    Pair p = makePair(bind, connect);
    Channel &from = toServer ? *p.client : *p.accepted, &to = toServer ? *p.accepted : *p.client;
    std::mt19937 random(3);
    std::vector<ByteVector> sent;
    Error e;
    for (unsigned i = 0; i < 100000; ++i) {
        ByteVector m = text(i, 700);
        if (!r.json)
            for (std::size_t k = 8; k < m.size(); ++k)
                m[k] = static_cast<std::byte>(random());  // does not compress
        else
            for (std::size_t k = 8; k < m.size(); ++k)
                m[k] = static_cast<std::byte>('0' + random() % 64);
        e = from.write(m);
        if (!e.ok()) break;
        sent.push_back(std::move(m));
    }
    CHECK(e.code == Errc::noBuffers);
    CHECK(from.wantsWrite());
    CHECK(from.queuedBytes() > 0);
    CHECK(from.counters().noBuffers > 0);
    CHECK(sent.size() > 50);
    for (const ByteVector& m : sent)
        REQUIRE(carry(from, to) == r.received(m));
    CHECK(from.flush());
    CHECK(from.queuedBytes() == 0);
    CHECK_FALSE(from.wantsWrite());
    REQUIRE(from.write(text(1, 100)).ok());
    CHECK(carry(from, to) == r.received(text(1, 100)));
}

TEST_CASE("conformance: a silent connection is kept alive by pings, and a dead one noticed",
          "[transport][conformance]") {
    const Row& r = anyRow();
    INFO(r.name);
    BindOptions bind = r.bind;
    bind.minPingTimeoutSeconds = 1;
    bind.pingTimeoutSeconds = 30;
    ConnectOptions connect = r.connect;
    connect.pingTimeoutSeconds = 30;
    Pair p = makePair(bind, connect);
    if (r.group) {  // somebody has to be heard before silence means something
        REQUIRE(p.accepted->write(text(1, 8)).ok());
        REQUIRE(carry(*p.accepted, *p.client) == text(1, 8));
    }
    CHECK_FALSE(p.client->pingExpired(at(0)));  // takes note of what the handshake wrote and read
    p.accepted->pingIfIdle(at(0));
    p.accepted->pingIfIdle(at(9.9));
    CHECK(p.accepted->counters().pingsWritten == 0);
    p.accepted->pingIfIdle(at(11));
    CHECK(p.accepted->counters().pingsWritten == 1);
    REQUIRE(readable(p.client->fd()));
    if (r.json)
        CHECK(readMessage(*p.client) == [] {
            const Bytes b = asBytes(R"([{"Type":"Ping"}])");
            return ByteVector(b.begin(), b.end());
        }());
    else CHECK(nextKind(*p.client) == ReadResult::Kind::ping);
    CHECK_FALSE(p.client->pingExpired(at(29)));
    CHECK_FALSE(p.client->pingExpired(at(58)));
    // Without repairs nobody is expected to be there.
    CHECK(p.client->pingExpired(at(59.1)) == (r.connect.connectionType != ConnectionType::sequencedMulticast));
    CHECK(p.client->state() == ChannelState::active);  // closing is the caller's
}

TEST_CASE("conformance: the end of a connection is seen by the other side", "[transport][conformance]") {
    const Row& r = anyRow({Ability::listener});
    INFO(r.name);
    Pair p = makePair(r);
    SECTION("closed in order, after what was sent before") {
        REQUIRE(p.accepted->write(text(1, 5000)).ok());
        REQUIRE(flushWait(*p.accepted));
        p.accepted->close();
        CHECK(readMessage(*p.client) == r.received(text(1, 5000)));
        CHECK(nextKind(*p.client) == ReadResult::Kind::closed);
        CHECK_THAT(p.client->errorText(), Catch::Contains("closed by peer"));
        CHECK(p.client->write(text(2, 10)).code == Errc::closed);
    }
    SECTION("half-closed") {
        const bool byClient = GENERATE(true, false);
        INFO((byClient ? "by the client" : "by the server"));
        Channel &ends = byClient ? *p.client : *p.accepted, &other = byClient ? *p.accepted : *p.client;
        REQUIRE(::shutdown(ends.fd(), SHUT_WR) == 0);
        CHECK(nextKind(other) == ReadResult::Kind::closed);
        CHECK_THAT(other.errorText(), Catch::Contains("closed by peer"));
        CHECK(other.state() == ChannelState::closed);
        return;
    }
    SECTION("reset by a peer that died") {
        REQUIRE(p.client->write(text(1, 100)).ok());
        REQUIRE(flushWait(*p.client));
        REQUIRE(readable(p.accepted->fd()));
        if (r.local) {
            p.accepted->close();
        } else {
            // As the kernel does it for a program that is gone: no goodbye of TLS or WebSocket, a TCP reset. Another
            // socket takes the number, so that the channel object may live on.
            const linger abort{1, 0};
            REQUIRE(::setsockopt(p.accepted->fd(), SOL_SOCKET, SO_LINGER, &abort, sizeof abort) == 0);
            const int other = ::socket(AF_INET, SOCK_STREAM, 0);
            REQUIRE(::dup2(other, p.accepted->fd()) == p.accepted->fd());
            ::close(other);
        }
        CHECK(nextKind(*p.client) == ReadResult::Kind::closed);
        CHECK_FALSE(p.client->errorText().empty());
        if (!r.local) CHECK_THAT(p.client->errorText(), Catch::Contains("reset"));
    }
    SECTION("in the middle of a message") {
        BindOptions bind = r.bind;
        bind.sysSendBufSize = bind.sysRecvBufSize = 8192;
        ConnectOptions connect = r.connect;
        connect.sysSendBufSize = connect.sysRecvBufSize = 8192;
        p = makePair(bind, connect);
        ByteVector m = text(1, 2000000);
        std::mt19937 random(5);
        for (std::byte& b : m)
            b = static_cast<std::byte>('0' + random() % 64);  // hardly compresses
        REQUIRE(p.accepted->write(m).ok());
        REQUIRE_FALSE(p.accepted->flush());
        ::shutdown(p.accepted->fd(), SHUT_RDWR);
        CHECK(nextKind(*p.client) == ReadResult::Kind::closed);
    }
    CHECK(p.client->state() == ChannelState::closed);
}

TEST_CASE("conformance: a server can refuse", "[transport][conformance]") {
    const Row& r = anyRow({Ability::listener});
    INFO(r.name);
    auto server = listen(r.bind);
    ConnectOptions c = r.connect;
    c.port = std::to_string(server->port());
    auto client = open(c);
    auto accepted = acceptOne(*server);
    accepted->refuse("Not today.");
    InitStatus cs{}, as{};
    settleBoth(*client, *accepted, cs, as);
    CHECK(as == InitStatus::failed);
    CHECK(accepted->refused());
    CHECK_THAT(accepted->errorText(), Catch::Contains("Not today."));
    CHECK(cs == InitStatus::failed);
    CHECK(client->refused());
    CHECK_THAT(client->errorText(), Catch::Contains("refused: Not today."));
}

TEST_CASE("conformance: nobody listens", "[transport][conformance]") {
    const Row& r = anyRow({Ability::listener});
    INFO(r.name);
    std::uint16_t port = 0;
    {
        RawListener gone;
        port = gone.port();
    }
    ConnectOptions c = r.connect;
    c.port = std::to_string(port);
    Refused refused;
    auto client = Channel::connect(c, at(0), refused);
    std::string why = refused.text;
    if (client != nullptr) {
        CHECK(settle(*client) == InitStatus::failed);
        why = client->errorText();
    }
    CHECK_THAT(why, Catch::Contains("refused"));
}

TEST_CASE("conformance: a peer that says nothing ends at the initialization timeout", "[transport][conformance]") {
    const Row& r = anyRow({Ability::tcp});
    INFO(r.name);
    RawListener mute;
    ConnectOptions c = r.connect;
    c.port = std::to_string(mute.port());
    c.initializationTimeout = std::chrono::milliseconds(5000);
    auto client = open(c);
    REQUIRE(writable(client->fd()));
    RawSocket peer = mute.accept();
    CHECK(client->init(at(1)) == InitStatus::inProgress);
    CHECK(client->init(at(4.9)) == InitStatus::inProgress);
    CHECK(client->init(at(5)) == InitStatus::failed);
    CHECK_THAT(client->errorText(), Catch::Contains("initialization timeout"));

    auto server = listen(r.bind);
    RawSocket silent = RawSocket::connectTo(server->port());
    auto accepted = acceptOne(*server);
    CHECK(accepted->init(at(1)) == InitStatus::inProgress);
    CHECK(accepted->init(at(59.9)) == InitStatus::inProgress);
    CHECK(accepted->init(at(60)) == InitStatus::failed);
    CHECK(server->counters().handshakeTimeouts == 1);
}

TEST_CASE("conformance: both ends read and write at the same time", "[transport][conformance][threads]") {
    const Row& r = anyRow();
    INFO(r.name);
    BindOptions bind = r.bind;
    bind.guaranteedOutputBuffers = 500;
    ConnectOptions connect = r.connect;
    connect.guaranteedOutputBuffers = 500;
    Pair p = makePair(bind, connect);
    constexpr unsigned kMessages = 3000;
    const auto write = [&](Channel& c) {
        for (unsigned i = 0; i < kMessages;) {
            bool sent = false;
            {
                const std::lock_guard guard(c.outputLock());
                const Error e = c.write(text(i, 20 + i % 500));
                if (e.ok()) ++i, sent = true;
                else if (e.code != Errc::noBuffers) return;
                if (i == kMessages) static_cast<void>(c.flush());
            }
            if (!sent) static_cast<void>(writable(c.fd(), 10));
        }
        for (bool done = false; !done;) {
            {
                const std::lock_guard guard(c.outputLock());
                done = c.flush();
            }
            if (!done && !writable(c.fd())) return;
        }
    };
    const auto read = [&](Channel& c, unsigned& good) {
        for (good = 0; good < kMessages; ++good) {
            const ByteVector m = readMessage(c);
            if (m != r.received(text(good, 20 + good % 500))) return;
        }
    };
    unsigned atClient = 0, atServer = 0;
    {
        std::thread w1([&] { write(*p.client); });
        std::thread w2([&] { write(*p.accepted); });
        std::thread r1([&] { read(*p.client, atClient); });
        read(*p.accepted, atServer);
        w1.join();
        w2.join();
        r1.join();
    }
    CHECK(atClient == kMessages);
    CHECK(atServer == kMessages);
}

TEST_CASE("conformance: a thousand connections leave nothing behind", "[transport][conformance]") {
    const Row& r = anyRow();
    INFO(r.name);
    auto server = r.group ? nullptr : listen(r.bind);
    ConnectOptions c = r.connect;
    if (server != nullptr) c.port = std::to_string(server->port());
    const auto once = [&](unsigned i) {
        std::unique_ptr<Channel> client, accepted;
        if (r.group) {
            Pair p = makePair(r);
            client = std::move(p.client);
            accepted = std::move(p.accepted);
        } else {
            client = open(c);
            accepted = acceptOne(*server);
            InitStatus cs{}, as{};
            settleBoth(*client, *accepted, cs, as);
            REQUIRE(cs == InitStatus::active);
            REQUIRE(as == InitStatus::active);
        }
        if (i % 10 != 0) return;
        REQUIRE(client->write(text(i, 2000)).ok());
        REQUIRE(carry(*client, *accepted) == r.received(text(i, 2000)));
    };
    for (unsigned i = 0; i < 300; ++i)
        once(i);
    const std::size_t descriptors = openDescriptors();
    const std::size_t before = ::mallinfo2().uordblks;
    for (unsigned i = 0; i < 700; ++i)
        once(i);
    CHECK(openDescriptors() == descriptors);
    const std::size_t after = ::mallinfo2().uordblks;
    CHECK(after < before + (64u << 10));
    if (server != nullptr) CHECK(server->counters().handshakesDone == 1000);
}
