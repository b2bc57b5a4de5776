// The least that a provider and a consumer of updates must do, with bare system calls: what EmaCppIProvPerf and
// EmaCppConsPerf are measured against by pair.py.
//
//     limit_pair [--fields 13|23] [--items n] [--seconds s] [--rate updates/s]
//
// One process encodes updates of 13 or 23 fields, no two alike, into frames of 6,000 bytes and sends them over TCP on
// the loopback interface; the other one waits in epoll, finds the item of each update by its stream id, looks the type
// of every field up and converts its value. Without --rate as much as goes; with it a burst every millisecond. There is
// no protocol: no handshake, no pings, no flow of requests, no error handling but "stop". Prints one line of name=value
// pairs: updates a second, and the processor time of both in percent of a core.
#include "eta/core/byte_order.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using emissary::eta::loadBe;
using emissary::eta::storeBe;

constexpr std::size_t kBlock = 6000, kInput = 300'000;
constexpr std::int64_t kSecond = 1'000'000'000, kTick = 1'000'000, kWarmUp = kSecond / 2;

enum Type : std::uint8_t { none, real, number, enumeration, time, date, text };

struct Field {
    std::uint16_t id;
    Type type;
};
// The mixture of the shipped message file; the first 13 are a mixture of their own.
constexpr std::array<Field, 23> kFields{{{22, real}, {25, real}, {30, real},  {31, real},        {6, real},
                                         {32, real}, {11, real}, {1, number}, {4, enumeration},  {5, time},
                                         {3, text},  {12, real}, {13, real},  {7, real},         {8, real},
                                         {19, real}, {21, real}, {2, number}, {14, enumeration}, {15, enumeration},
                                         {18, time}, {16, date}, {17, date}}};

struct Settings {
    std::size_t fields = kFields.size();
    std::uint32_t items = 100'000;
    std::int64_t seconds = 3, rate = 0;
};

[[noreturn]] void stop(const char* what) {
    std::perror(what);
    std::_Exit(1);
}

std::int64_t now() {
    timespec t{};
    ::clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * kSecond + t.tv_nsec;
}

std::int64_t processorTime() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * kSecond + t.tv_nsec;
}

// --- sending ---------------------------------------------------------------------------------------------------------

/// Big-endian without leading zeros, at least one byte.
std::byte* putNumber(std::byte* to, std::uint64_t value) {
    const unsigned bytes = value == 0 ? 1 : (71U - static_cast<unsigned>(__builtin_clzll(value))) / 8;
    for (unsigned i = bytes; i-- > 0; value >>= 8)
        to[i] = static_cast<std::byte>(value);
    return to + bytes;
}

std::byte* putValue(std::byte* to, Type type, std::uint32_t n) {
    switch (type) {
    case real:
        *to = std::byte{12};  // two digits behind the point
        return putNumber(to + 1, 10'000 + n % 20'000);
    case number:
        return putNumber(to, n % 5000);
    case enumeration:
        return putNumber(to, n % 200);
    case time:
        to[0] = static_cast<std::byte>(n % 24);
        to[1] = to[2] = static_cast<std::byte>(n % 60);
        return to + 3;
    case date:
        to[0] = static_cast<std::byte>(n % 28 + 1);
        to[1] = static_cast<std::byte>(n % 12 + 1);
        storeBe(to + 2, std::uint16_t{2024});
        return to + 4;
    default:
        std::memcpy(to, "VENUE A", 7);
        return to + 7;
    }
}

/// Length, class, stream id, flags; then the field list. Returns where it ends.
std::byte* putUpdate(std::byte* to, const Settings& s, std::uint32_t n) {
    std::byte* at = to + 2;
    storeBe(at, std::uint32_t{n % s.items});
    at[4] = std::byte{4};
    at[5] = std::byte{0x08};
    storeBe(at + 6, static_cast<std::uint16_t>(s.fields));
    at += 8;
    for (std::size_t i = 0; i < s.fields; ++i) {
        storeBe(at, kFields[i].id);
        std::byte* const end = putValue(at + 3, kFields[i].type, n * 7 + static_cast<std::uint32_t>(i) * 977);
        at[2] = static_cast<std::byte>(end - at - 3);
        at = end;
    }
    storeBe(to, static_cast<std::uint16_t>(at - to - 2));
    return at;
}

void sendAll(int socket, const std::byte* from, std::size_t bytes) {
    while (bytes != 0) {
        const ssize_t n = ::send(socket, from, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) std::_Exit(errno == EPIPE || errno == ECONNRESET ? 0 : 1);  // the receiver has had enough
        from += n;
        bytes -= static_cast<std::size_t>(n);
    }
}

[[noreturn]] void sendUpdates(int socket, const Settings& s) {
    std::vector<std::byte> block(2 * kBlock);
    std::byte* at = block.data();
    const auto flush = [&] {
        sendAll(socket, block.data(), static_cast<std::size_t>(at - block.data()));
        at = block.data();
    };
    std::uint32_t n = 0;
    std::int64_t next = now();
    for (;;) {
        const std::int64_t burst = s.rate == 0 ? 1'000'000 : s.rate * kTick / kSecond;
        for (std::int64_t i = 0; i < burst; ++i) {
            at = putUpdate(at, s, n++);
            if (at - block.data() > static_cast<std::ptrdiff_t>(kBlock)) flush();
        }
        flush();
        if (s.rate == 0) continue;
        next += kTick;
        const timespec until{next / kSecond, next % kSecond};
        ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
    }
}

// --- receiving -------------------------------------------------------------------------------------------------------

struct Item {
    std::uint64_t updates = 0;
};

class Receiver {
public:
    explicit Receiver(const Settings& s) : items_(s.items) {
        for (const Field& f : kFields)
            types_[f.id] = f.type;
    }
    /// The whole updates among the bytes; how many bytes they were.
    std::size_t take(const std::byte* from, std::size_t bytes) {
        const std::byte* at = from;
        const std::byte* const end = from + bytes;
        while (end - at >= 2) {
            const std::size_t length = loadBe<std::uint16_t>(at);
            if (static_cast<std::size_t>(end - at) < length + 2) break;
            update(at + 2, at + 2 + length);
            at += length + 2;
        }
        return static_cast<std::size_t>(at - from);
    }
    [[nodiscard]] std::uint64_t updates() const { return updates_; }
    [[nodiscard]] std::uint64_t digest() const { return digest_; }

private:
    static std::uint64_t numberIn(const std::byte* at, std::size_t n) {
        std::uint64_t v = 0;
        for (std::size_t i = 0; i < n; ++i)
            v = v << 8 | static_cast<std::uint64_t>(at[i]);
        return v;
    }
    void update(const std::byte* at, const std::byte* end) {
        if (end - at < 8) std::_Exit(1);
        const std::uint32_t stream = loadBe<std::uint32_t>(at);
        if (stream >= items_.size()) std::_Exit(1);
        ++items_[stream].updates;
        ++updates_;
        unsigned fields = loadBe<std::uint16_t>(at + 6);
        at += 8;
        std::uint64_t digest = 0;
        for (; fields != 0; --fields) {
            if (end - at < 3) std::_Exit(1);
            const std::uint16_t id = loadBe<std::uint16_t>(at);
            const auto n = static_cast<std::size_t>(at[2]);
            at += 3;
            if (static_cast<std::size_t>(end - at) < n) std::_Exit(1);
            switch (types_[id]) {
            case real:
                digest += static_cast<std::uint64_t>(at[0]) + numberIn(at + 1, n - 1);
                break;
            case number:
            case enumeration:
                digest += numberIn(at, n);
                break;
            case time:
                digest += static_cast<std::uint64_t>(at[0]) + static_cast<std::uint64_t>(at[1]) +
                          static_cast<std::uint64_t>(at[2]);
                break;
            case date:
                digest += static_cast<std::uint64_t>(at[0]) + static_cast<std::uint64_t>(at[1]) +
                          loadBe<std::uint16_t>(at + 2);
                break;
            case text:
                digest += n;
                break;
            default:
                std::_Exit(1);
            }
            at += n;
        }
        digest_ += digest;
    }

    std::vector<Item> items_;
    std::array<Type, 65536> types_{};
    std::uint64_t updates_ = 0, digest_ = 0;
};

void receiveUpdates(int socket, const Settings& s) {
    Receiver receiver(s);
    std::vector<std::byte> input(kInput);
    const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
    epoll_event event{.events = EPOLLIN, .data = {}};
    if (epoll < 0 || ::epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) != 0) stop("epoll");
    std::size_t held = 0;
    const std::int64_t begun = now() + kWarmUp, end = begun + s.seconds * kSecond;
    std::int64_t from = 0, used = 0;
    std::uint64_t before = 0;
    for (std::int64_t t = now(); t < end; t = now()) {
        if (from == 0 && t >= begun) {
            from = t;
            used = processorTime();
            before = receiver.updates();
        }
        if (::epoll_wait(epoll, &event, 1, 100) <= 0) continue;
        const ssize_t n = ::recv(socket, input.data() + held, input.size() - held, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (n <= 0) stop("receive");
        held += static_cast<std::size_t>(n);
        const std::size_t taken = receiver.take(input.data(), held);
        held -= taken;
        std::memmove(input.data(), input.data() + taken, held);
    }
    const double seconds = static_cast<double>(now() - from) / kSecond;
    std::printf("rate=%.0f receiver=%.1f digest=%llu", static_cast<double>(receiver.updates() - before) / seconds,
                static_cast<double>(processorTime() - used) / 1e7 / seconds,
                static_cast<unsigned long long>(receiver.digest() & 0xFFFF));
    ::close(epoll);
}

std::int64_t positive(const char* option, const char* text) {
    char* end = nullptr;
    const long long value = std::strtoll(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < 1) {
        std::fprintf(stderr, "limit_pair: %s needs a number above 0, not \"%s\"\n", option, text);
        std::exit(2);
    }
    return value;
}

Settings settingsOf(int argc, char** argv) {
    Settings s;
    for (int i = 1; i < argc; i += 2) {
        const std::string_view option = argv[i];
        const char* const value = i + 1 < argc ? argv[i + 1] : "";
        if (option == "--fields") s.fields = static_cast<std::size_t>(positive("--fields", value));
        else if (option == "--items") s.items = static_cast<std::uint32_t>(positive("--items", value));
        else if (option == "--seconds") s.seconds = positive("--seconds", value);
        else if (option == "--rate") s.rate = positive("--rate", value);
        else {
            std::fprintf(stderr, "limit_pair: unknown option %s (known: --fields --items --seconds --rate)\n", argv[i]);
            std::exit(2);
        }
    }
    if (s.fields > kFields.size()) {
        std::fprintf(stderr, "limit_pair: --fields is at most %zu\n", kFields.size());
        std::exit(2);
    }
    return s;
}

}  // namespace

int main(int argc, char** argv) {
    const Settings s = settingsOf(argc, argv);
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (listener < 0 || ::bind(listener, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
        ::listen(listener, 1) != 0 || ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) != 0)
        stop("listen");
    const pid_t sender = ::fork();
    if (sender < 0) stop("fork");
    if (sender == 0) {
        const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
        const int on = 1;
        if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) stop("connect");
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        sendUpdates(socket, s);
    }
    const int socket = ::accept(listener, nullptr, nullptr);
    if (socket < 0) stop("accept");
    receiveUpdates(socket, s);
    ::close(socket);
    rusage used{};
    int status = 0;
    if (::wait4(sender, &status, 0, &used) != sender) stop("wait");
    const double seconds = static_cast<double>(s.seconds) + static_cast<double>(kWarmUp) / kSecond;
    const auto of = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    std::printf(" sender=%.1f\n", 100 * (of(used.ru_utime) + of(used.ru_stime)) / seconds);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
