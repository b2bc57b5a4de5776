// Connections in shared memory: the rings, hostile peers, processes that die, idle connections. What every connection
// type must do is in conformance_test.cpp.
#include "transport/shm/SharedMemoryStream.h"

#include "rows.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <cerrno>
#include <csignal>
#include <ctime>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <grp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace transport_test;
using emissary::eta::transport::shm::RingControl;
using emissary::eta::transport::shm::RingReader;
using emissary::eta::transport::shm::RingWriter;
using emissary::eta::transport::shm::Segment;

namespace {

struct Ring {
    explicit Ring(std::size_t size)
        : data(size), writer(control, data.data(), size), reader(control, data.data(), size) {}
    RingControl control{};
    ByteVector data;
    RingWriter writer;
    RingReader reader;
};

ByteVector read(RingReader& reader, std::size_t most) {
    ByteVector got(most);
    got.resize(reader.read(got));
    return got;
}

/// A local socket that listens under the name of a shared memory server and does what a test says.
class LocalListener {
public:
    LocalListener() : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        SocketAddress address;
        Refused why;
        for (unsigned port = 40000; port < 49000; ++port) {
            port_ = static_cast<std::uint16_t>(port);
            REQUIRE_FALSE(shm::addressOf(std::to_string(port), address));
            if (::bind(fd_, address.get(), address.length) == 0) break;
            REQUIRE(errno == EADDRINUSE);
        }
        REQUIRE(::listen(fd_, 8) == 0);
    }
    ~LocalListener() { ::close(fd_); }
    [[nodiscard]] RawSocket accept() const { return RawSocket(::accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC)); }
    [[nodiscard]] std::uint16_t port() const { return port_; }

private:
    int fd_;
    std::uint16_t port_ = 0;
};

ConnectOptions sharedMemoryTo(std::uint16_t port) {
    ConnectOptions c = row("shared memory").connect;
    c.port = std::to_string(port);
    return c;
}

/// What a server hands over, with the descriptor of the memory.
void sendHello(int socket, std::uint32_t magic, std::uint32_t layout, std::uint32_t toClient, std::uint32_t toServer,
               int memory) {
    const std::uint32_t words[4] = {magic, layout, toClient, toServer};
    iovec part{const_cast<std::uint32_t*>(words), sizeof words};
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (memory >= 0) {
        message.msg_control = space;
        message.msg_controllen = sizeof space;
        cmsghdr* const extra = CMSG_FIRSTHDR(&message);
        extra->cmsg_level = SOL_SOCKET;
        extra->cmsg_type = SCM_RIGHTS;
        extra->cmsg_len = CMSG_LEN(sizeof(int));
        std::memcpy(CMSG_DATA(extra), &memory, sizeof memory);
    }
    REQUIRE(::sendmsg(socket, &message, MSG_NOSIGNAL) == sizeof words);
}

std::size_t mappings() {
    std::ifstream maps("/proc/self/maps");
    std::size_t n = 0;
    for (std::string line; std::getline(maps, line);)
        n += line.find("emissary-shmem") != std::string::npos ? 1 : 0;
    return n;
}

/// The rings of a connection of this process, as a peer could get at them: /proc/self/maps names the segments.
std::vector<std::byte*> segments() {
    std::ifstream maps("/proc/self/maps");
    std::vector<std::byte*> found;
    for (std::string line; std::getline(maps, line);)
        if (line.find("emissary-shmem") != std::string::npos)
            found.push_back(reinterpret_cast<std::byte*>(std::stoull(line, nullptr, 16)));
    return found;
}

std::chrono::nanoseconds cpuTime() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

}  // namespace

TEST_CASE("shared memory ring: bytes come out in order across the end of the ring", "[transport][shmem]") {
    Ring ring(64);
    const ByteVector text = pattern(1000);
    std::size_t in = 0, out = 0;
    for (std::size_t step = 1; out < text.size(); step = step % 61 + 7) {
        const std::size_t n = std::min(step, text.size() - in);
        in += ring.writer.write(Bytes(text).subspan(in, n));
        const ByteVector got = read(ring.reader, step % 13 + 1);
        REQUIRE(std::equal(got.begin(), got.end(), text.begin() + static_cast<std::ptrdiff_t>(out)));
        out += got.size();
        REQUIRE(in - out <= 64);
    }
    CHECK(in == text.size());
    CHECK(ring.reader.available() == 0);
}

TEST_CASE("shared memory ring: a full ring takes nothing until it is read", "[transport][shmem]") {
    Ring ring(64);
    const ByteVector text = pattern(100);
    CHECK(ring.writer.write(text) == 64);
    CHECK(ring.writer.write(text) == 0);
    CHECK_FALSE(ring.writer.damaged());
    CHECK(read(ring.reader, 10) == pattern(10));
    CHECK(ring.writer.write(text) == 10);
    CHECK(read(ring.reader, 1000).size() == 64);
    CHECK(read(ring.reader, 1000).empty());
}

TEST_CASE("shared memory ring: one bell for each sleep, none for a reader that is awake", "[transport][shmem]") {
    Ring ring(64);
    CHECK(ring.writer.write(pattern(1)) == 1);
    CHECK_FALSE(ring.writer.mustRing());
    CHECK_FALSE(ring.reader.sleep());  // there is something
    CHECK(read(ring.reader, 8).size() == 1);
    CHECK(ring.reader.sleep());
    CHECK(ring.writer.write(pattern(1)) == 1);
    CHECK(ring.writer.mustRing());
    CHECK(ring.writer.write(pattern(1)) == 1);
    CHECK_FALSE(ring.writer.mustRing());
}

TEST_CASE("shared memory ring: indices that cannot be are refused, and nothing outside is touched",
          "[transport][shmem]") {
    Ring ring(64);
    CHECK(ring.writer.write(pattern(40)) == 40);
    CHECK(read(ring.reader, 30).size() == 30);
    const std::uint64_t bad = GENERATE(std::uint64_t{41}, std::uint64_t{1} << 63, ~std::uint64_t{0});
    SECTION("the reader runs ahead of the writer") {
        ring.control.head = bad;
        CHECK(ring.writer.write(pattern(60)) == 0);
        CHECK(ring.writer.damaged());
        ring.control.head = 30;  // once found out, for good
        CHECK(ring.writer.write(pattern(60)) == 0);
    }
    SECTION("the writer runs ahead of what fits, or back") {
        CHECK(read(ring.reader, 30).size() == 10);
        ring.control.tail = bad == 41 ? 105 : bad == ~std::uint64_t{0} ? 39 : bad;
        CHECK(read(ring.reader, 60).empty());
        CHECK(ring.reader.damaged());
    }
}

TEST_CASE("shared memory ring: two threads, every byte once", "[transport][shmem][threads]") {
    Ring ring(256);
    constexpr std::size_t kBytes = 200000;
    const ByteVector text = pattern(kBytes);
    std::thread writer([&] {
        for (std::size_t done = 0; done < kBytes;) {
            const std::size_t n =
                ring.writer.write(Bytes(text).subspan(done, std::min<std::size_t>(97, kBytes - done)));
            if (n == 0) std::this_thread::yield();
            done += n;
        }
    });
    ByteVector got;
    while (got.size() < kBytes && !ring.reader.damaged()) {
        const ByteVector some = read(ring.reader, 113);
        if (some.empty()) std::this_thread::yield();
        got.insert(got.end(), some.begin(), some.end());
    }
    writer.join();
    CHECK(got == text);
}

TEST_CASE("shared memory: one server, many clients, each with its own rings", "[transport][shmem]") {
    const Row& r = row("shared memory");
    auto server = listen(r.bind);
    std::vector<std::unique_ptr<Channel>> clients, accepted;
    for (int i = 0; i < 20; ++i) {
        clients.push_back(open(sharedMemoryTo(server->port())));
        accepted.push_back(acceptOne(*server));
        InitStatus c = InitStatus::inProgress, a = InitStatus::inProgress;
        while (c != InitStatus::active || a != InitStatus::active) {
            if (c != InitStatus::active) c = clients.back()->init(at(0));
            if (a != InitStatus::active) a = accepted.back()->init(at(0));
            REQUIRE(c != InitStatus::failed);
            REQUIRE(a != InitStatus::failed);
        }
    }
    for (std::size_t i = 0; i < clients.size(); ++i) {
        REQUIRE(accepted[i]->write(pattern(10 + i)).ok());
        REQUIRE(flushWait(*accepted[i]));
    }
    clients[3]->close();
    for (std::size_t i = 0; i < clients.size(); ++i)
        if (i != 3) CHECK(readMessage(*clients[i]) == pattern(10 + i));
    CHECK(readWait(*accepted[3]).kind == ReadResult::Kind::closed);
}

TEST_CASE("shared memory: names, ports and hosts that cannot be are said", "[transport][shmem]") {
    const Row& r = row("shared memory");
    Refused why;
    SECTION("a port in use") {
        auto server = listen(r.bind);
        BindOptions again = r.bind;
        again.port = std::to_string(server->port());
        CHECK(Server::bind(again, why) == nullptr);
        CHECK_THAT(why.text, Catch::Contains("is in use by another shared memory server"));
        server.reset();
        CHECK(Server::bind(again, why) != nullptr);  // nothing was left behind
    }
    SECTION("a port that is none") {
        BindOptions b = r.bind;
        b.port = "70000";
        CHECK(Server::bind(b, why) == nullptr);
        CHECK_THAT(why.text, Catch::Contains("1 .. 65535"));
        b.port = std::string(65, 'x');
        CHECK(Server::bind(b, why) == nullptr);
        CHECK_THAT(why.text, Catch::Contains("64 characters"));
    }
    SECTION("a name instead of a number") {
        BindOptions b = r.bind;
        b.port = "feed-" + std::to_string(::getpid());
        auto server = listen(b);
        ConnectOptions c = r.connect;
        c.port = b.port;
        auto client = open(c);
        auto accepted = acceptOne(*server);
        while (client->init(at(0)) == InitStatus::inProgress)
            REQUIRE(accepted->init(at(0)) != InitStatus::failed);
        CHECK(client->state() == ChannelState::active);
    }
    SECTION("another host") {
        ConnectOptions c = sharedMemoryTo(1);
        c.host = "192.0.2.1";
        CHECK(Channel::connect(c, at(0), why) == nullptr);
        CHECK_THAT(why.text, Catch::Contains("on this host only"));
    }
}

TEST_CASE("shared memory: a server that says nothing, or nonsense, is given up", "[transport][shmem]") {
    LocalListener listener;
    auto client = open(sharedMemoryTo(listener.port()));
    RawSocket peer = listener.accept();
    constexpr std::uint32_t kMagic = 0x454D5348;
    const int memory = ::memfd_create("hostile", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    REQUIRE(memory >= 0);
    std::string expected;
    SECTION("nothing") {
        CHECK(client->init(at(4.9)) == InitStatus::inProgress);
        CHECK(client->init(at(5)) == InitStatus::failed);
        expected = "initialization timeout";
    }
    SECTION("closes") {
        peer.close();
        expected = "closed by the server at once";
    }
    SECTION("another program") {
        peer.send(pattern(16));
        expected = "no shared memory server";
    }
    SECTION("no memory") {
        sendHello(peer.fd(), kMagic, 1, 16384, 16384, -1);
        expected = "no shared memory server";
    }
    SECTION("a newer layout") {
        sendHello(peer.fd(), kMagic, 2, 16384, 16384, memory);
        expected = "layout 2";
    }
    SECTION("sizes that cannot be") {
        sendHello(peer.fd(), kMagic, 1, 16384, 16385, memory);
        expected = "cannot be";
    }
    SECTION("memory that can be cut short") {
        REQUIRE(::ftruncate(memory, 4096 + 2 * 16384) == 0);
        sendHello(peer.fd(), kMagic, 1, 16384, 16384, memory);
        expected = "not sealed";
    }
    SECTION("memory that is too small") {
        REQUIRE(::ftruncate(memory, 4096) == 0);
        REQUIRE(::fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
        sendHello(peer.fd(), kMagic, 1, 16384, 16384, memory);
        expected = "not of the size";
    }
    ::close(memory);
    CHECK(settle(*client) == InitStatus::failed);
    CHECK_THAT(client->errorText(), Catch::Contains(expected));
    CHECK(mappings() == 0);
}

TEST_CASE("shared memory: a client that says nothing ends at the initialization timeout", "[transport][shmem]") {
    auto server = listen(row("shared memory").bind);
    auto silent = open(sharedMemoryTo(server->port()));
    auto accepted = acceptOne(*server);
    CHECK(accepted->init(at(59.9)) == InitStatus::inProgress);
    CHECK(accepted->init(at(60)) == InitStatus::failed);
    CHECK(server->counters().handshakeTimeouts == 1);
}

TEST_CASE("shared memory: clients that never speak are bounded by count", "[transport][shmem]") {
    BindOptions o = row("shared memory").bind;
    o.maxInitializing = 2;
    auto server = listen(o);
    std::vector<std::unique_ptr<Channel>> clients, accepted;
    for (int i = 0; i < 2; ++i) {
        clients.push_back(open(sharedMemoryTo(server->port())));
        accepted.push_back(acceptOne(*server));
    }
    clients.push_back(open(sharedMemoryTo(server->port())));
    REQUIRE(readable(server->fd()));
    CHECK(server->accept(at(0)) == nullptr);
    CHECK(server->counters().refusedBusy == 1);
    accepted[0].reset();
    clients.push_back(open(sharedMemoryTo(server->port())));
    accepted.push_back(acceptOne(*server));
    CHECK(accepted.back() != nullptr);
}

TEST_CASE("shared memory: a peer that damages the indices loses its connection, nothing else", "[transport][shmem]") {
    Pair p = makePair(row("shared memory"));
    const auto found = segments();
    REQUIRE(found.size() == 2);
    const bool toServer = GENERATE(false, true);
    Channel& reader = toServer ? *p.accepted : *p.client;
    Channel& writer = toServer ? *p.client : *p.accepted;
    auto* const control = reinterpret_cast<RingControl*>(found[0]) + (toServer ? 1 : 0);
    SECTION("the writer's") {
        control->tail = control->head + (std::uint64_t{1} << 40);
        CHECK(readWait(reader).kind == ReadResult::Kind::closed);
        CHECK_THAT(reader.errorText(), Catch::Contains("damaged the shared memory"));
    }
    SECTION("the reader's") {
        control->head = control->tail + (std::uint64_t{1} << 40);
        for (int i = 0; i < 100 && writer.write(pattern(6000)).ok();)
            if (!writer.flush()) ++i;
        CHECK(readWait(writer).kind == ReadResult::Kind::closed);
        CHECK_THAT(writer.errorText(), Catch::Contains("damaged the shared memory"));
    }
}

TEST_CASE("shared memory: a peer that is killed in the middle is noticed and cleaned up after", "[transport][shmem]") {
    const bool killWriter = GENERATE(true, false);
    const std::size_t descriptors = openDescriptors();
    {
        auto server = listen(row("shared memory").bind);
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {  // no assertions here: this process only connects and misbehaves
            ::close(server->fd());
            Refused why;
            auto client = Channel::connect(sharedMemoryTo(server->port()), at(0), why);
            if (client == nullptr || settle(*client) != InitStatus::active) ::_exit(1);
            while (killWriter) {
                static_cast<void>(client->write(pattern(3000)));
                if (!client->flush()) static_cast<void>(writable(client->fd()));
            }
            for (;;)
                ::pause();  // reads nothing: the other end gets stuck
        }
        auto accepted = acceptOne(*server);
        REQUIRE(settle(*accepted) == InitStatus::active);
        if (killWriter) {
            for (int i = 0; i < 1000; ++i)
                REQUIRE(readMessage(*accepted) == pattern(3000));
        } else {
            while (accepted->write(pattern(3000)).ok()) {}
            CHECK(accepted->wantsWrite());
            CHECK_FALSE(writable(accepted->fd(), 0));
        }
        REQUIRE(::kill(child, SIGKILL) == 0);
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        REQUIRE(WIFSIGNALED(status));
        ReadResult r = readWait(*accepted);
        while (r.kind == ReadResult::Kind::message) {  // what was written before is still good
            CHECK(ByteVector(r.message.begin(), r.message.end()) == pattern(3000));
            r = readWait(*accepted);
        }
        CHECK(r.kind == ReadResult::Kind::closed);
        CHECK_THAT(accepted->errorText(), Catch::Contains("closed by peer"));
    }
    CHECK(openDescriptors() == descriptors);
    CHECK(mappings() == 0);
}

TEST_CASE("shared memory: a thousand connections leave no memory mapped and no descriptor open", "[transport][shmem]") {
    const std::size_t descriptors = openDescriptors();
    for (int i = 0; i < 1000; ++i) {
        Pair p = makePair(row("shared memory"));
        REQUIRE(p.client->write(pattern(100)).ok());
        REQUIRE(flushWait(*p.client));
        REQUIRE(readMessage(*p.accepted) == pattern(100));
    }
    CHECK(openDescriptors() == descriptors);
    CHECK(mappings() == 0);
}

TEST_CASE("shared memory: the descriptor tells a waiting loop all it needs", "[transport][shmem]") {
    BindOptions bind = row("shared memory").bind;
    bind.sysSendBufSize = 16384;
    Pair p = makePair(bind, row("shared memory").connect);
    for (Channel* c : {p.client.get(), p.accepted.get()})
        while (readable(c->fd(), 0))
            REQUIRE(c->read().kind == ReadResult::Kind::wouldBlock);

    SECTION("idle: not readable, and no time is used waiting") {
        const auto before = cpuTime();
        CHECK_FALSE(readable(p.client->fd(), 200));
        CHECK_FALSE(readable(p.accepted->fd(), 200));
        CHECK(cpuTime() - before < std::chrono::milliseconds(50));
    }
    SECTION("readable as long as there is something, also after a part was read") {
        for (int i = 0; i < 3; ++i) {
            REQUIRE(p.accepted->write(pattern(3000)).ok());
            REQUIRE(flushWait(*p.accepted));
        }
        CHECK(readable(p.client->fd(), 0));
        CHECK(readMessage(*p.client) == pattern(3000));
        CHECK(readable(p.client->fd(), 0));
        CHECK(readMessage(*p.client) == pattern(3000));
        CHECK(readMessage(*p.client) == pattern(3000));
        CHECK(p.client->read().kind == ReadResult::Kind::wouldBlock);
        CHECK_FALSE(readable(p.client->fd(), 0));
    }
    SECTION("writable only with room, and the writer is told of it") {
        while (p.accepted->write(pattern(3000)).ok()) {}
        CHECK(p.accepted->wantsWrite());
        CHECK_FALSE(writable(p.accepted->fd(), 0));
        for (int i = 0; i < 5; ++i)
            CHECK(readMessage(*p.client) == pattern(3000));
        while (p.client->read().kind == ReadResult::Kind::message) {}
        CHECK(writable(p.accepted->fd(), 0));
        CHECK(p.accepted->info().sysSendBufSize == 16384);
        CHECK(p.client->info().sysRecvBufSize == 16384);
    }
}

TEST_CASE("shared memory: a polling reader needs no bell and still sees the end", "[transport][shmem]") {
    Row r = row("shared memory");
    r.connect.busyRead = true;
    Pair p = makePair(r);
    while (p.client->read().kind != ReadResult::Kind::wouldBlock) {}
    const auto poll = [&] {
        ReadResult one;
        for (int i = 0; i < 100000 && one.kind == ReadResult::Kind::wouldBlock; ++i)
            one = p.client->read();
        return one;
    };
    for (int i = 0; i < 5000; ++i) {  // far more than the ring: room is found, too
        REQUIRE(p.accepted->write(pattern(500)).ok());
        REQUIRE(flushWait(*p.accepted));
        const ReadResult one = poll();
        REQUIRE(one.kind == ReadResult::Kind::message);
        REQUIRE(one.message.size() == 500);
    }
    CHECK_FALSE(readable(p.client->fd(), 0));  // nobody rang
    p.accepted->close();
    CHECK(poll().kind == ReadResult::Kind::closed);
}

TEST_CASE("shared memory: a group that does not exist is refused by name", "[transport][shmem]") {
    BindOptions bind = row("shared memory").bind;
    bind.sharedMemoryGroup = "no-such-group-here";
    Refused why;
    CHECK(Server::bind(bind, why) == nullptr);
    CHECK_THAT(why.text, Catch::Contains("SharedMemoryGroup \"no-such-group-here\" is no group of this host"));

    auto server = listen(row("shared memory").bind);
    ConnectOptions options = sharedMemoryTo(server->port());
    options.sharedMemoryGroup = "no-such-group-here";
    Refused refused;
    CHECK(Channel::connect(options, at(0), refused) == nullptr);
    CHECK_THAT(refused.text, Catch::Contains("SharedMemoryGroup \"no-such-group-here\""));
}

TEST_CASE("shared memory: another user is let in by its group alone", "[transport][shmem]") {
    if (::geteuid() != 0) {
        WARN("only root can become another user: not tested");
        return;
    }
    constexpr gid_t kGroup = 43210, kNobody = 65534;
    const std::string let = GENERATE(std::string(), std::string("43211"), std::string("43210"));
    const bool primary = GENERATE(true, false);
    INFO("SharedMemoryGroup " << let << (primary ? ", the client's own group" : ", one of the client's groups"));
    BindOptions bind = row("shared memory").bind;
    bind.sharedMemoryGroup = let;
    auto server = listen(bind);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {  // no assertions here
        ::close(server->fd());
        const gid_t more = kGroup;
        if (::setgroups(primary ? 0 : 1, &more) != 0 || ::setgid(primary ? kGroup : kNobody) != 0 ||
            ::setuid(kNobody) != 0)
            ::_exit(3);
        Refused why;
        auto client = Channel::connect(sharedMemoryTo(server->port()), at(0), why);
        if (client == nullptr) ::_exit(2);
        ::_exit(settle(*client) == InitStatus::active ? 0 : 1);
    }
    std::unique_ptr<Channel> accepted;
    int status = 0;
    REQUIRE(emissary::test::turnUntil([&] { return ::waitpid(child, &status, WNOHANG) == child; },
                                      [&] {
                                          if (accepted == nullptr) accepted = server->accept(at(0));
                                          else if (accepted->state() ==
                                                   emissary::eta::transport::ChannelState::initializing)
                                              static_cast<void>(accepted->init(at(0)));
                                      }));
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == (let == "43210" ? 0 : 1));
}
