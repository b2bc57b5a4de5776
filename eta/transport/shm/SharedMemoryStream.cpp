// eta/transport/shm: creates, hands over and maps the segment of two rings; moves bytes, with wake-ups over a socket.
#include "transport/shm/SharedMemoryStream.h"

#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace emissary::eta::transport {
namespace {

constexpr std::size_t kControlBytes = 4096;
constexpr std::size_t kDefaultRing = 512u << 10, kSmallestRing = 16u << 10, kLargestRing = 256u << 20;
constexpr std::size_t kMaxName = 64;
constexpr char kPrefix[] = "emissary/shmem/";
constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

// A reader that polls checks the socket (has the peer gone, does it wait for room?) once in this many empty reads.
constexpr std::uint32_t kEmptyReadsPerLook = 1024;

constexpr int kLooks = 64;  // a peer that does nothing but ring does not keep us

constexpr std::uint32_t kMagic = 0x454D5348;  // "EMSH"
constexpr std::uint16_t kLayout = 1;

/// The one message that travels on the socket, with the descriptor of the memory. Both ends run on one machine: host
/// byte order.
struct Hello {
    std::uint32_t magic = kMagic;
    std::uint16_t layout = kLayout, reserved = 0;
    std::uint32_t toClient = 0, toServer = 0;  // bytes of the rings
};
static_assert(sizeof(Hello) == 16);

std::size_t ringSize(std::uint32_t wanted) noexcept {
    if (wanted == 0) return kDefaultRing;
    return std::bit_ceil(std::clamp<std::size_t>(wanted, kSmallestRing, kLargestRing));
}

bool goodSize(std::size_t size) noexcept {
    return std::has_single_bit(size) && size >= kSmallestRing && size <= kLargestRing;
}

/// As small as the system lets it be: a full ring has to fill it (SharedMemoryStream::send).
// The socket carries wake-ups only, and must fill at once when a reader does not take them.
void shrinkSendBuffer(int socket) noexcept {
    const int least = 1;
    static_cast<void>(::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &least, sizeof least));
}

IoResult failure(int error) noexcept {
    return {IoResult::Kind::error, 0, error};
}

// The check is by name only: a foreign host would be a mistake in the configuration, not an attack.
bool onThisHost(const std::string& host) {
    if (host.empty() || host == "localhost" || host == "::1" || host.starts_with("127.")) return true;
    char own[256] = "";
    return ::gethostname(own, sizeof own - 1) == 0 && host == own;
}

}  // namespace

// --- names, users, memory --------------------------------------------------------------------------------------------

namespace shm {

Refused addressOf(const std::string& port, SocketAddress& out) {
    std::string name = port;
    if (!port.empty() && port.find_first_not_of("0123456789") == std::string::npos) {
        unsigned number = 0;
        const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
        if (error != std::errc{} || number == 0 || number > 65535)
            return {"port \"" + port + "\" is not within 1 .. 65535"};
        name = std::to_string(number);
    } else if (port.empty() || port.size() > kMaxName || port.find('\0') != std::string::npos) {
        return {"a shared memory server is named by a port number or by a name of 1 to " + std::to_string(kMaxName) +
                " characters"};
    }
    sockaddr_un address{};
    // Abstract names need no file and go with the last descriptor.
    address.sun_family = AF_UNIX;  // a zero byte first: the abstract name space
    const std::string path = kPrefix + name;
    std::memcpy(address.sun_path + 1, path.data(), path.size());
    std::memcpy(&out.storage, &address, sizeof address);
    out.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + path.size());
    return {};
}

Segment::Segment(Segment&& o) noexcept
    : base_(std::exchange(o.base_, nullptr)), toClient_(o.toClient_), toServer_(o.toServer_) {}

Segment& Segment::operator=(Segment&& o) noexcept {
    std::swap(base_, o.base_);
    std::swap(toClient_, o.toClient_);
    std::swap(toServer_, o.toServer_);
    return *this;
}

Segment::~Segment() {
    if (base_ != nullptr) ::munmap(base_, total());
}

std::size_t Segment::total() const noexcept {
    return kControlBytes + toClient_ + toServer_;
}

RingControl& Segment::control(bool toServer) const noexcept {
    return *std::launder(reinterpret_cast<RingControl*>(base_ + (toServer ? sizeof(RingControl) : 0)));
}

std::byte* Segment::data(bool toServer) const noexcept {
    return base_ + kControlBytes + (toServer ? toClient_ : 0);
}

Segment Segment::create(std::size_t toClient, std::size_t toServer, Descriptor& memory) noexcept {
    Segment s;
    s.toClient_ = toClient;
    s.toServer_ = toServer;
    memory.reset(::memfd_create("emissary-shmem", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!memory || ::ftruncate(memory.get(), static_cast<off_t>(s.total())) != 0 ||
        // Sealed before it is handed over: nobody can resize it while it is mapped here (docs/wire/shared-memory.md,
        // "Memory").
        ::fcntl(memory.get(), F_ADD_SEALS, kSeals) != 0)
        return s;
    void* const at = ::mmap(nullptr, s.total(), PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
    if (at == MAP_FAILED) return s;
    s.base_ = static_cast<std::byte*>(at);
    // One ring for each direction, both in one piece of memory.
    for (const bool way : {false, true})
        new (&s.control(way)) RingControl{};
    return s;
}

Segment Segment::map(const Descriptor& memory, std::size_t toClient, std::size_t toServer, Refused& refused) {
    // Sizes are checked before they are used: a peer could offer a ring that does not fit its memory.
    Segment s;
    struct stat file {};
    if (!goodSize(toClient) || !goodSize(toServer)) {
        refused.text = "the server offers rings of " + std::to_string(toClient) + " and " + std::to_string(toServer) +
                       " bytes, which cannot be";
        return s;
    }
    s.toClient_ = toClient;
    s.toServer_ = toServer;
    // The memory is sealed, so that the peer cannot shorten it while it is mapped here.
    const int seals = ::fcntl(memory.get(), F_GET_SEALS);
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || ::fstat(memory.get(), &file) != 0 ||
        file.st_size != static_cast<off_t>(s.total())) {
        refused.text = "the memory that the server offers is not sealed or not of the size it says";
        return s;
    }
    void* const at = ::mmap(nullptr, s.total(), PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
    if (at == MAP_FAILED) refused.text = "mapping the shared memory: " + errnoText(errno);
    else s.base_ = static_cast<std::byte*>(at);
    return s;
}

}  // namespace shm

// --- opening ---------------------------------------------------------------------------------------------------------

SharedMemoryStream::SharedMemoryStream(Descriptor socket, std::string port, bool server, bool busyRead)
    : socket_(std::move(socket)), port_(std::move(port)), server_(server), busyRead_(busyRead),
      peer_(LocalPeer::of(socket_.get())) {
    shrinkSendBuffer(socket_.get());
}

void SharedMemoryStream::attach(shm::Segment segment) noexcept {
    // The peer's ring is the other way round: what the server writes, the client reads.
    segment_ = std::move(segment);
    in_ = {segment_.control(server_), segment_.data(server_), segment_.size(server_)};
    out_ = {segment_.control(!server_), segment_.data(!server_), segment_.size(!server_)};
    static_cast<void>(in_.sleep());  // the first bytes ring
}

Refused SharedMemoryStream::check(const ConnectOptions& o) {
    if (!onThisHost(o.host))
        return {"shared memory reaches servers on this host only: use localhost, or RSSL_SOCKET to \"" + o.host + '"'};
    Refused refused;
    static_cast<void>(LocalTrust::of(o.sharedMemoryGroup, refused));
    return refused;
}

Refused SharedMemoryStream::check(const BindOptions& o) {
    Refused refused;
    static_cast<void>(LocalTrust::of(o.sharedMemoryGroup, refused));
    return refused;
}

std::unique_ptr<SharedMemoryStream> SharedMemoryStream::connect(const ConnectOptions& o, Refused& refused) {
    SocketAddress address;
    if (refused = shm::addressOf(o.port, address); refused) return nullptr;
    Descriptor s(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    int rc = -1;
    if (s) {
        do
            rc = ::connect(s.get(), address.get(), address.length);
        while (rc != 0 && errno == EINTR);
    }
    if (rc != 0) {  // a local connect succeeds or fails at once
        refused.text = errnoText(errno);
        if (errno == ECONNREFUSED) refused.text += ": no shared memory server of that port runs on this host";
        if (errno == EAGAIN) refused.text = "the server has too many connections waiting";
        return nullptr;
    }
    std::unique_ptr<SharedMemoryStream> made(new SharedMemoryStream(std::move(s), o.port, false, o.busyRead));
    const LocalTrust trust = LocalTrust::of(o.sharedMemoryGroup, refused);
    if (refused) return nullptr;
    // The server is checked too: a client must not write into memory of somebody else.
    if (!trust.includes(made->peer_)) {
        refused.text = "the server belongs to another user (" + std::to_string(made->peer_.user) +
                       "): shared memory connects programs of one user, or of the members of SharedMemoryGroup";
        return nullptr;
    }
    return made;
}

std::unique_ptr<SharedMemoryStream> SharedMemoryStream::serve(Descriptor socket, const BindOptions& o,
                                                              const LocalTrust& trust, const std::string& port) {
    std::unique_ptr<SharedMemoryStream> made(new SharedMemoryStream(std::move(socket), port, true, o.busyRead));
    if (!trust.includes(made->peer_)) return nullptr;
    Hello hello;
    hello.toClient = static_cast<std::uint32_t>(ringSize(o.sysSendBufSize));
    hello.toServer = static_cast<std::uint32_t>(ringSize(o.sysRecvBufSize));
    Descriptor memory;
    shm::Segment segment = shm::Segment::create(hello.toClient, hello.toServer, memory);
    if (!segment.valid()) return nullptr;

    iovec part{&hello, sizeof hello};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space.data();
    message.msg_controllen = space.size();
    cmsghdr* const extra = CMSG_FIRSTHDR(&message);
    extra->cmsg_level = SOL_SOCKET;
    extra->cmsg_type = SCM_RIGHTS;
    extra->cmsg_len = CMSG_LEN(sizeof(int));
    const int number = memory.get();
    std::memcpy(CMSG_DATA(extra), &number, sizeof number);
    // Attached before the message goes out, because the client may write at once.
    made->attach(std::move(segment));  // before the client can write
    if (::sendmsg(made->fd(), &message, MSG_NOSIGNAL | MSG_DONTWAIT) != static_cast<ssize_t>(sizeof hello))
        return nullptr;
    return made;
}

IoResult SharedMemoryStream::handshake() noexcept {
    return segment_.valid() ? IoResult{} : takeSegment();
}

IoResult SharedMemoryStream::takeSegment() noexcept {
    Hello hello;
    iovec part{&hello, sizeof hello};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = space.data();
    message.msg_controllen = space.size();
    ssize_t n = 0;
    do
        n = ::recvmsg(fd(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    // Not accepted yet: the server sends this message when it accepts.
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return {IoResult::Kind::wouldBlock, 0, 0};
    Descriptor memory;
    for (cmsghdr* c = n > 0 ? CMSG_FIRSTHDR(&message) : nullptr; c != nullptr; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof(int))) continue;
        int number = -1;
        std::memcpy(&number, CMSG_DATA(c), sizeof number);
        memory.reset(number);
        // A descriptor that came without the right message is closed with `memory`.
    }
    if (n <= 0) {
        reason_ = "closed by the server at once: it is short of memory or descriptors, or it belongs to another user "
                  "and its SharedMemoryGroup does not let this one in";
        return failure(ECONNRESET);
    }
    if (n != static_cast<ssize_t>(sizeof hello) || hello.magic != kMagic || !memory) {
        reason_ = "what listens there is no shared memory server";
        return failure(EPROTO);
    }
    if (hello.layout != kLayout) {
        reason_ = "the server uses layout " + std::to_string(hello.layout) + " of shared memory, this is layout " +
                  std::to_string(kLayout);
        return failure(EPROTO);
    }
    Refused refused;
    shm::Segment segment = shm::Segment::map(memory, hello.toClient, hello.toServer, refused);
    if (!segment.valid()) {
        reason_ = std::move(refused.text);
        return failure(EPROTO);
    }
    attach(std::move(segment));
    return {};
}

// --- bytes -----------------------------------------------------------------------------------------------------------

IoResult SharedMemoryStream::receive(std::span<std::byte> into) noexcept {
    IoResult io;
    if (!segment_.valid()) return {IoResult::Kind::end, 0, 0};
    // The ring first: a system call only when it is empty.
    io.bytes = in_.read(into);
    if (io.bytes == 0) io = emptied(into);
    else emptyReads_ = 0;
    hasInput_ = in_.available() != 0;
    return io;
}

// The ring is empty: look after the socket, and lie down.
IoResult SharedMemoryStream::emptied(std::span<std::byte> into) noexcept {
    const auto damaged = [&] {
        damaged_.store(true, std::memory_order_relaxed);
        return failure(EPROTO);
    };
    if (in_.damaged()) return damaged();
    const bool polls = busyRead_ && active_;
    // A reader that polls looks at the socket rarely; otherwise each empty read would cost a call.
    if (polls && emptyReads_++ % kEmptyReadsPerLook != 0) return {IoResult::Kind::wouldBlock, 0, 0};
    bool gone = false;
    std::array<std::byte, 4096> bells;
    for (int looks = 0; looks < kLooks; ++looks) {  // what is left keeps the descriptor readable
        const ssize_t n = ::recv(fd(), bells.data(), bells.size(), MSG_DONTWAIT);
        if (n == static_cast<ssize_t>(bells.size()) || (n < 0 && errno == EINTR)) continue;
        // A peer that closed with a bell unread appears as a reset; what it wrote is complete all the same.
        // The peer has gone; what it wrote before is read first.
        gone = n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
        break;
    }
    // Only now may the next write ring: the bells taken above were for bytes that sleep() sees.
    if (polls) in_.stayAwake();
    else static_cast<void>(in_.sleep());
    // The writer may have written between the last look and the sleep; it does not ring then.
    if (const std::size_t n = in_.read(into); n != 0) return {IoResult::Kind::ok, n, 0};
    if (in_.damaged()) return damaged();
    return {gone ? IoResult::Kind::end : IoResult::Kind::wouldBlock, 0, 0};
}

IoResult SharedMemoryStream::send(std::span<const iovec> parts) noexcept {
    if (!segment_.valid() || shutDown_.load(std::memory_order_relaxed)) return failure(EPIPE);
    IoResult io;
    bool full = false;
    for (const iovec& part : parts) {
        const std::size_t n = out_.write({static_cast<const std::byte*>(part.iov_base), part.iov_len});
        io.bytes += n;
        full = n < part.iov_len;
        if (full) break;
    }
    if (out_.damaged()) {
        damaged_.store(true, std::memory_order_relaxed);
        return failure(EPROTO);
    }
    // A full buffer of the socket means that the reader has wake-ups enough.
    // A bell that does not fit is not needed: the reader has more than enough in its socket.
    static constexpr std::array<std::byte, 16384> kStuffing{};
    ssize_t rung = 0;
    if (out_.mustRing()) rung = ::send(fd(), kStuffing.data(), 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    // The socket is filled on purpose: it becomes writable when the reader takes from it, which is how this writer is
    // woken.
    while (full && rung >= 0)
        rung = ::send(fd(), kStuffing.data(), kStuffing.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (rung < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return failure(errno);
    if (full && io.bytes == 0) io.kind = IoResult::Kind::wouldBlock;
    return io;
}

void SharedMemoryStream::shutdown() noexcept {
    shutDown_.store(true, std::memory_order_relaxed);
    // Both ends find out, even a writer that sleeps.
    if (socket_) ::shutdown(socket_.get(), SHUT_RDWR);
}

void SharedMemoryStream::close() noexcept {
    shutDown_.store(true, std::memory_order_relaxed);
    socket_.reset();
    in_ = {};
    // Before the segment: the rings point into it.
    out_ = {};
    segment_ = shm::Segment();
}

std::string SharedMemoryStream::reason() const {
    if (damaged_.load(std::memory_order_relaxed))
        return "the peer has damaged the shared memory: impossible ring index";
    return reason_;
}

std::size_t SharedMemoryStream::describe(ChannelInfo& info) const {
    active_ = true;
    info.sysSendBufSize = static_cast<std::uint32_t>(segment_.size(!server_));
    info.sysRecvBufSize = static_cast<std::uint32_t>(segment_.size(server_));
    // The process of the peer stands for its address, which a local connection has not.
    info.peerAddress = "shmem:" + port_ + (peer_.known ? ", process " + std::to_string(peer_.process) : "");
    std::uint16_t number = 0;
    std::from_chars(port_.data(), port_.data() + port_.size(), number);
    if (!server_) info.peerPort = number;
    return 0;
}

}  // namespace emissary::eta::transport
