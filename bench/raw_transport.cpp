// The least that must be done: the batches of TransportPerf sent with bare system calls, bare OpenSSL or a bare ring.
//
//     raw_transport tcp|tls|ring [--pack n] [--block bytes] [--rate messages/s] [--busy reader|both] [--seconds s]
//                   [--cert file --key file]
//
// A process that sends and one that receives. Messages, frames and packed frames are those of TransportPerf with its
// default of 76 bytes (sequence number, time stamp, zeros); a block goes out as soon as it holds more than --block
// bytes (TransportPerf: -highWaterMark) and at the end of a burst. The receiver walks the frames and checks every
// sequence number. Without --rate as much as goes, in one endless burst; with it one burst every millisecond, one
// message of each with a time stamp. --busy: the receiver looks again and again and never sleeps, or both do (a ring is
// always read like that). Prints one line of name=value pairs: messages a second, and microseconds of latency (mean,
// median, 99th percentile).
#include "eta/core/bytes.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using emissary::eta::loadBe;
using emissary::eta::storeBe;

constexpr std::size_t kMessage = 76, kFrameHeader = 3, kLargestFrame = 6147;
constexpr std::size_t kInput = 50 * kLargestFrame;  // TransportPerf's input buffer
constexpr std::size_t kRing = 512u << 10;           // the default of shared memory connections
constexpr std::int64_t kSecond = 1'000'000'000, kTick = 1'000'000, kWarmUp = kSecond / 2;
constexpr std::byte kPlainFrame{0x02}, kPackedFrame{0x12};

struct Settings {
    std::string line;
    std::uint32_t pack = 1, rate = 0;
    std::size_t block = 6000;
    double seconds = 3;
    bool busyReader = false, busySender = false;
    std::string certificate, key;
};

[[noreturn]] void die(const std::string& what) {
    std::fprintf(stderr, "raw_transport: %s\n", what.c_str());
    std::exit(1);
}
[[noreturn]] void dieOfSystem(const char* what) {
    die(std::string(what) + ": " + std::strerror(errno));
}

std::int64_t now() noexcept {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return std::int64_t{t.tv_sec} * kSecond + t.tv_nsec;
}

// --- lines: put() takes a whole block, get() gives what has come (0: nothing yet, -1: the end)
// --------------------------

/// A socket and epoll.
class TcpLine {
public:
    TcpLine(const Settings& s, int fd)
        : busyReader_(s.busyReader), busySender_(s.busySender), fd_(fd), epoll_(::epoll_create1(0)), input_(kInput) {
        const int one = 1;
        ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        watch(EPOLLIN, EPOLL_CTL_ADD);
    }
    void start() {}
    [[nodiscard]] std::byte* room(std::size_t bytes) {
        output_.resize(std::max(output_.size(), bytes));
        return output_.data();
    }
    bool put(std::size_t bytes) {
        for (std::size_t done = 0; done < bytes;) {
            const ssize_t n = ::send(fd_, output_.data() + done, bytes - done, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (n > 0) done += static_cast<std::size_t>(n);
            else if (errno != EAGAIN) return false;
            else untilWritable();
        }
        return true;
    }
    std::ptrdiff_t get(std::span<const std::byte>& seen) {
        if (!busyReader_ && drained_) {
            epoll_event e{};
            if (::epoll_pwait2(epoll_, &e, 1, nullptr, nullptr) < 0 && errno != EINTR) return -1;
        }
        const ssize_t n = ::recv(fd_, input_.data() + held_, input_.size() - held_, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN)) return -1;
        drained_ = n < 0 || static_cast<std::size_t>(n) < input_.size() - held_;
        if (n < 0) return 0;
        held_ += static_cast<std::size_t>(n);
        seen = {input_.data(), held_};
        return static_cast<std::ptrdiff_t>(held_);
    }
    void took(std::size_t bytes) {
        std::memmove(input_.data(), input_.data() + bytes, held_ - bytes);
        held_ -= bytes;
    }
    void sleepUntil(std::int64_t moment) const {
        while (busySender_ && now() < moment) {}
        if (busySender_) return;
        const std::int64_t left = std::max<std::int64_t>(moment - now(), 0);
        const timespec timeout{left / kSecond, left % kSecond};
        epoll_event e{};
        ::epoll_pwait2(epoll_, &e, 1, &timeout, nullptr);
    }

protected:
    void watch(std::uint32_t events, int how) const {
        epoll_event e{};
        e.events = events;
        ::epoll_ctl(epoll_, how, fd_, &e);
    }
    void untilWritable() const {
        if (busySender_) return;
        watch(EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
        epoll_event e{};
        ::epoll_pwait2(epoll_, &e, 1, nullptr, nullptr);
        watch(EPOLLIN, EPOLL_CTL_MOD);
    }

    bool busyReader_, busySender_, drained_ = true;
    int fd_, epoll_;
    std::vector<std::byte> input_, output_;
    std::size_t held_ = 0;
};

/// The same with OpenSSL on the socket: TLS 1.3, a record for each block.
class TlsLine : public TcpLine {
public:
    TlsLine(const Settings& s, int fd, bool server) : TcpLine(s, fd), server_(server) {
        context_ = ::SSL_CTX_new(server ? ::TLS_server_method() : ::TLS_client_method());
        ::SSL_CTX_set_min_proto_version(context_, TLS1_3_VERSION);
        ::SSL_CTX_set_mode(context_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        ::SSL_CTX_set_read_ahead(context_, 1);  // one system call carries many records
        ::SSL_CTX_set_default_read_buffer_len(context_, 256u << 10);
        if (server && (::SSL_CTX_use_certificate_chain_file(context_, s.certificate.c_str()) != 1 ||
                       ::SSL_CTX_use_PrivateKey_file(context_, s.key.c_str(), SSL_FILETYPE_PEM) != 1))
            die("tls needs --cert and --key (PEM): dev/make_test_certificates.sh FOLDER makes server.pem and "
                "server-key.pem");
        ssl_ = ::SSL_new(context_);
        ::SSL_set_fd(ssl_, fd);
    }
    void start() {
        if ((server_ ? ::SSL_accept(ssl_) : ::SSL_connect(ssl_)) != 1) {
            ::ERR_print_errors_fp(stderr);
            die("the TLS handshake failed");
        }
        const int flags = ::fcntl(fd_, F_GETFL);
        ::fcntl(fd_, F_SETFL, flags | O_NONBLOCK);
    }
    bool put(std::size_t bytes) {
        for (std::size_t done = 0; done < bytes;) {
            std::size_t n = 0;
            const int rc = ::SSL_write_ex(ssl_, output_.data() + done, bytes - done, &n);
            if (rc == 1) done += n;
            else if (::SSL_get_error(ssl_, rc) != SSL_ERROR_WANT_WRITE) return false;
            else untilWritable();
        }
        return true;
    }
    std::ptrdiff_t get(std::span<const std::byte>& seen) {
        if (!busyReader_ && drained_) {
            epoll_event e{};
            if (::epoll_pwait2(epoll_, &e, 1, nullptr, nullptr) < 0 && errno != EINTR) return -1;
        }
        std::size_t n = 0;
        const int rc = ::SSL_read_ex(ssl_, input_.data() + held_, input_.size() - held_, &n);
        if (rc != 1 && ::SSL_get_error(ssl_, rc) != SSL_ERROR_WANT_READ) return -1;
        drained_ = rc != 1;
        held_ += n;
        seen = {input_.data(), held_};
        return static_cast<std::ptrdiff_t>(held_);
    }

private:
    bool server_;
    SSL_CTX* context_ = nullptr;
    SSL* ssl_ = nullptr;
};

/// Memory that both processes see, mapped twice in a row: what wraps around is in one piece all the same. Messages are
/// written and read in place; both sides poll.
class RingLine {
public:
    explicit RingLine(std::byte* memory) : control_(reinterpret_cast<Control*>(memory)), data_(memory + kControl) {}
    static std::byte* makeMemory() {
        const int fd = ::memfd_create("raw_transport", 0);
        if (fd < 0 || ::ftruncate(fd, kControl + kRing) != 0) dieOfSystem("memfd");
        void* const at = ::mmap(nullptr, kControl + 2 * kRing, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        auto* const base = static_cast<std::byte*>(at);
        constexpr int kAccess = PROT_READ | PROT_WRITE, kHow = MAP_SHARED | MAP_FIXED;
        if (at == MAP_FAILED || ::mmap(base, kControl + kRing, kAccess, kHow, fd, 0) == MAP_FAILED ||
            ::mmap(base + kControl + kRing, kRing, kAccess, kHow, fd, kControl) == MAP_FAILED)
            dieOfSystem("mmap");
        new (base) Control{};
        return base;
    }
    void start() {}
    [[nodiscard]] std::byte* room(std::size_t bytes) {
        for (unsigned looks = 1; kRing - (tail_ - head_) < bytes; ++looks) {
            head_ = control_->head.load(std::memory_order_acquire);
            relax(looks);
        }
        return data_ + tail_ % kRing;
    }
    bool put(std::size_t bytes) {
        tail_ += bytes;
        control_->tail.store(tail_, std::memory_order_release);
        return control_->ended.load(std::memory_order_relaxed) == 0;
    }
    std::ptrdiff_t get(std::span<const std::byte>& seen) {
        tail_ = control_->tail.load(std::memory_order_acquire);
        seen = {data_ + head_ % kRing, tail_ - head_};
        relax(seen.empty() ? ++looks_ : looks_ = 0);
        return static_cast<std::ptrdiff_t>(seen.size());
    }
    void took(std::size_t bytes) {
        head_ += bytes;
        control_->head.store(head_, std::memory_order_release);
    }
    void end() { control_->ended.store(1, std::memory_order_relaxed); }
    void sleepUntil(std::int64_t moment) const {
        while (now() < moment) {}
    }

private:
    struct Control {
        alignas(128) std::atomic<std::uint64_t> tail{0};
        alignas(128) std::atomic<std::uint64_t> head{0};
        alignas(128) std::atomic<std::uint32_t> ended{0};
    };
    static constexpr std::size_t kControl = 4096;

    static void relax(unsigned looks) {
        if (looks % 4096 == 4095) ::sched_yield();  // the other side may need this core
    }

    Control* control_;
    std::byte* data_;
    std::uint64_t tail_ = 0, head_ = 0;
    unsigned looks_ = 0;
};

// --- both sides ------------------------------------------------------------------------------------------------------

/// Writes frames of one message or of a pack, and sends a block when it is large enough.
template <class Line>
class Sender {
public:
    Sender(const Settings& s, Line& line) : settings_(s), line_(line) {
        const std::size_t frame = s.pack == 1 ? kFrameHeader + kMessage : kFrameHeader + s.pack * (kMessage + 2);
        largest_ = s.block + frame;
    }
    /// False: the receiver is gone. `stamped` is the index of the message that gets the time.
    bool burst(std::uint64_t messages, std::uint64_t stamped) {
        for (std::uint64_t i = 0; i < messages;) {
            if (bytes_ == 0) to_ = line_.room(largest_);
            std::byte* const frame = to_ + bytes_;
            std::byte* at = frame + kFrameHeader;
            if (settings_.pack == 1) {
                at = message(at, i == stamped);
                ++i;
            } else {
                for (std::uint32_t k = 0; k < settings_.pack && i < messages; ++k, ++i) {
                    storeBe(at, static_cast<std::uint16_t>(kMessage));
                    at = message(at + 2, i == stamped);
                }
            }
            storeBe(frame, static_cast<std::uint16_t>(at - frame));
            frame[2] = settings_.pack == 1 ? kPlainFrame : kPackedFrame;
            bytes_ += static_cast<std::size_t>(at - frame);
            if (bytes_ > settings_.block && !flush()) return false;
        }
        return true;
    }
    bool flush() {
        const std::size_t bytes = bytes_;
        bytes_ = 0;
        return bytes == 0 || line_.put(bytes);
    }

private:
    std::byte* message(std::byte* at, bool stamped) noexcept {
        const std::uint64_t head[2] = {sequence_++, static_cast<std::uint64_t>(stamped ? now() : 0)};
        std::memcpy(at, head, sizeof head);
        std::memset(at + 16, 0, kMessage - 16);
        return at + kMessage;
    }

    const Settings& settings_;
    Line& line_;
    std::size_t largest_ = 0, bytes_ = 0;
    std::byte* to_ = nullptr;
    std::uint64_t sequence_ = 0;
};

template <class Line>
void send(const Settings& s, Line& line) {
    Sender<Line> sender(s, line);
    line.start();
    constexpr std::uint64_t kNone = ~std::uint64_t{0}, kEndless = 100'000;
    if (s.rate == 0) {
        while (sender.burst(kEndless, kNone)) {}
        return;
    }
    const std::uint64_t each = std::max<std::uint64_t>(s.rate / 1000, 1);
    std::uint64_t random = 88172645463325252ULL;
    for (std::int64_t tick = now() + kTick;; tick += kTick) {
        line.sleepUntil(tick);
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        if (!sender.burst(each, random % each) || !sender.flush()) return;
    }
}

struct Received {
    std::uint64_t messages = 0;
    std::vector<std::int64_t> latencies;
};

class FrameWalk {
public:
    /// Takes whole frames off `in`; how many bytes those were.
    std::size_t take(std::span<const std::byte> in, Received& out) {
        std::size_t at = 0;
        while (in.size() - at >= kFrameHeader) {
            const std::size_t length = loadBe<std::uint16_t>(in.data() + at);
            if (length < kFrameHeader + kMessage || length > kLargestFrame) die("a frame of impossible length");
            if (length > in.size() - at) break;
            const std::byte* p = in.data() + at + kFrameHeader;
            const std::byte* const end = in.data() + at + length;
            if (in[at + 2] == kPlainFrame) message(p, out);
            else
                for (; end - p >= static_cast<std::ptrdiff_t>(2 + kMessage); p += 2 + kMessage) {
                    if (loadBe<std::uint16_t>(p) != kMessage) die("a packed message of impossible length");
                    message(p + 2, out);
                }
            at += length;
        }
        return at;
    }

private:
    void message(const std::byte* p, Received& out) {
        std::uint64_t head[2];
        std::memcpy(head, p, sizeof head);
        if (head[0] != sequence_++) die("a message is missing");
        const auto stamp = static_cast<std::int64_t>(head[1]);
        if (stamp != 0) out.latencies.push_back(now() - stamp);
        ++out.messages;
    }
    std::uint64_t sequence_ = 0;
};

template <class Line>
void receive(const Settings& s, Line& line) {
    line.start();
    Received all, ignored;
    all.latencies.reserve(std::size_t{2} << 20);
    FrameWalk frames;
    const std::int64_t begin = now() + kWarmUp, end = begin + static_cast<std::int64_t>(s.seconds * 1e9);
    std::int64_t first = 0, last = 0;
    for (std::int64_t at = now(); at < end; at = now()) {
        std::span<const std::byte> seen;
        const std::ptrdiff_t n = line.get(seen);
        if (n < 0) die("the sender ended early");
        if (n == 0) continue;
        if (at >= begin && first == 0) first = last = now();
        line.took(frames.take(seen, first != 0 ? all : ignored));
        if (first != 0) last = now();
        ignored.latencies.clear();
    }
    if (all.messages == 0 || last == first) die("nothing was received");
    std::printf("line=%s pack=%u rate=%.0f", s.line.c_str(), s.pack,
                static_cast<double>(all.messages) * 1e9 / static_cast<double>(last - first));
    if (!all.latencies.empty()) {
        std::sort(all.latencies.begin(), all.latencies.end());
        double sum = 0;
        for (const std::int64_t l : all.latencies)
            sum += static_cast<double>(l);
        const auto quantile = [&](double q) {
            return static_cast<double>(
                       all.latencies[static_cast<std::size_t>(q * static_cast<double>(all.latencies.size() - 1))]) /
                   1e3;
        };
        std::printf(" mean=%.3f median=%.3f p99=%.3f", sum / static_cast<double>(all.latencies.size()) / 1e3,
                    quantile(0.5), quantile(0.99));
    }
    std::printf("\n");
}

int listener(sockaddr_in& at) {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    if (fd < 0 || ::bind(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0 || ::listen(fd, 1) != 0 ||
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) != 0)
        dieOfSystem("cannot listen");
    return fd;
}

/// The server sends, as with TransportPerf; it is the child.
int run(const Settings& s) {
    if (s.line == "ring") {
        std::byte* const memory = RingLine::makeMemory();
        if (const pid_t child = ::fork(); child != 0) {
            RingLine line(memory);
            receive(s, line);
            line.end();
            ::kill(child, SIGTERM);
            ::waitpid(child, nullptr, 0);
            return 0;
        }
        RingLine line(memory);
        send(s, line);
        return 0;
    }
    sockaddr_in at{};
    const int listening = listener(at);
    if (const pid_t child = ::fork(); child != 0) {
        ::close(listening);
        const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
        if (::connect(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0) dieOfSystem("cannot connect");
        if (s.line == "tls") {
            TlsLine line(s, fd, false);
            receive(s, line);
        } else {
            TcpLine line(s, fd);
            receive(s, line);
        }
        ::kill(child, SIGTERM);
        ::waitpid(child, nullptr, 0);
        return 0;
    }
    const int fd = ::accept(listening, nullptr, nullptr);
    if (fd < 0) dieOfSystem("accept");
    if (s.line == "tls") {
        TlsLine line(s, fd, true);
        send(s, line);
    } else {
        TcpLine line(s, fd);
        send(s, line);
    }
    return 0;
}

double number(std::string_view option, const char* text, double least, double most) {
    char* end = nullptr;
    const double value = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= least && value <= most))
        die(std::string(option) + " takes a number from " + std::to_string(least) + " to " + std::to_string(most));
    return value;
}

Settings parse(int argc, char** argv) {
    Settings s;
    if (argc > 1) s.line = argv[1];
    if (s.line != "tcp" && s.line != "tls" && s.line != "ring")
        die("the first word is tcp, tls or ring; then --pack n, --block bytes, --rate n, --busy reader|both, "
            "--seconds s, --cert file, --key file");
    for (int i = 2; i < argc; ++i) {
        const std::string_view option = argv[i];
        if (++i == argc) die(std::string(option) + " needs a value");
        const char* const value = argv[i];
        if (option == "--pack") s.pack = static_cast<std::uint32_t>(number(option, value, 1, 78));
        else if (option == "--block") s.block = static_cast<std::size_t>(number(option, value, 0, 1 << 17));
        else if (option == "--rate") s.rate = static_cast<std::uint32_t>(number(option, value, 1000, 1e8));
        else if (option == "--seconds") s.seconds = number(option, value, 0.1, 3600);
        else if (option == "--busy" && value == std::string_view("reader")) s.busyReader = true;
        else if (option == "--busy" && value == std::string_view("both")) s.busyReader = s.busySender = true;
        else if (option == "--cert") s.certificate = value;
        else if (option == "--key") s.key = value;
        else die("unknown option " + std::string(option) + " " + value);
    }
    return s;
}

}  // namespace

int main(int argc, char** argv) {
    ::signal(SIGPIPE, SIG_IGN);
    return run(parse(argc, argv));
}
