// One-way throughput over loopback: a Channel at each end against two raw sockets carrying the same bytes.
//
//     transport_bench [seconds per run] [message bytes] [high-water mark] [pairs of runs]
//
// Prints messages and bytes a second of every run, the CPU time a message costs on either side, and the median ratio.
// The raw loop sends the same frames from a ready-made buffer in blocks of the high-water mark and counts them on the
// other side by their length fields: what any framing over a socket must do at least.
#include "eta/transport/Channel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using namespace emissary::eta;
using namespace emissary::eta::transport;

struct Settings {
    double seconds = 1.0;
    std::size_t message = 76;
    std::uint32_t highWater = 65536;
    int pairs = 5;
};

struct Run {
    double messagesPerSecond = 0, sendNs = 0, receiveNs = 0;
};

[[noreturn]] void die(const std::string& what) {
    std::fprintf(stderr, "transport_bench: %s\n", what.c_str());
    std::exit(1);
}

double threadSeconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void await(int fd, short events) {
    pollfd p{fd, events, 0};
    ::poll(&p, 1, 1000);
}

// Runs both functions until the time is up; each returns how many messages it handled.
template <class Send, class Receive>
Run measure(const Settings& s, std::atomic<bool>& stop, Send send, Receive receive) {
    Run r;
    std::uint64_t sent = 0, received = 0;
    const auto start = std::chrono::steady_clock::now();
    std::thread receiver([&] {
        const double cpu = threadSeconds();
        received = receive();
        r.receiveNs = (threadSeconds() - cpu) * 1e9;
    });
    std::thread sender([&] {
        const double cpu = threadSeconds();
        sent = send();
        r.sendNs = (threadSeconds() - cpu) * 1e9;
    });
    std::this_thread::sleep_for(std::chrono::duration<double>(s.seconds));
    stop = true;
    sender.join();
    receiver.join();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (received != sent) die("sent " + std::to_string(sent) + " but received " + std::to_string(received));
    r.messagesPerSecond = static_cast<double>(received) / took.count();
    r.sendNs /= static_cast<double>(received);
    r.receiveNs /= static_cast<double>(received);
    return r;
}

Run channelRun(const Settings& s) {
    Refused why;
    BindOptions b;
    b.port = "0";
    b.interfaceName = "127.0.0.1";
    auto server = Server::bind(b, why);
    if (server == nullptr) die(why.text);
    ConnectOptions c;
    c.host = "127.0.0.1";
    c.port = std::to_string(server->port());
    c.highWaterMark = s.highWater;
    auto client = Channel::connect(c, Clock::now(), why);
    if (client == nullptr) die(why.text);
    await(server->fd(), POLLIN);
    auto accepted = server->accept(Clock::now());
    if (accepted == nullptr) die("nothing to accept");
    InitStatus a = InitStatus::inProgress, z = InitStatus::inProgress;
    while (a != InitStatus::active || z != InitStatus::active) {
        if (a != InitStatus::active) a = client->init(Clock::now());
        if (z != InitStatus::active) z = accepted->init(Clock::now());
        if (a == InitStatus::failed || z == InitStatus::failed) die(client->errorText() + accepted->errorText());
    }
    std::vector<std::byte> message(s.message, std::byte{'x'});
    std::atomic<bool> stop{false};
    return measure(
        s, stop,
        [&] {
            std::uint64_t n = 0;
            while (!stop.load(std::memory_order_relaxed)) {
                const std::lock_guard guard(client->outputLock());  // as every submitting thread does
                const auto room = client->reserve(message.size());
                if (room.empty()) {
                    await(client->fd(), POLLOUT);
                    continue;
                }
                std::memcpy(room.data(), message.data(), message.size());
                if (!client->commit(message.size()).ok()) die(client->errorText());
                ++n;
            }
            while (!client->flush())
                await(client->fd(), POLLOUT);
            // The receiver reads to the end, so that counts on both sides must be equal: a lost message ends the run.
            ::shutdown(client->fd(), SHUT_WR);
            return n;
        },
        [&] {
            std::uint64_t n = 0;
            for (;;) {
                const ReadResult r = accepted->read();
                if (r.kind == ReadResult::Kind::message) {
                    if (r.message.size() != s.message) die("wrong size");
                    ++n;
                } else if (r.kind == ReadResult::Kind::wouldBlock) {
                    await(accepted->fd(), POLLIN);
                } else if (r.kind == ReadResult::Kind::closed) {
                    return n;
                }
            }
        });
}

Run rawRun(const Settings& s) {
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    if (::bind(listener, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0 || ::listen(listener, 1) != 0 ||
        ::getsockname(listener, reinterpret_cast<sockaddr*>(&at), &size) != 0)
        die("cannot listen");
    const int out = ::socket(AF_INET, SOCK_STREAM, 0);
    if (::connect(out, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0) die("cannot connect");
    const int in = ::accept(listener, nullptr, nullptr);
    const int one = 1;
    // As the channel does: with Nagle's algorithm the two would measure different things.
    ::setsockopt(out, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);

    const std::size_t frame = s.message + 3, perBlock = std::max<std::size_t>(1, s.highWater / frame + 1);
    std::vector<std::byte> block(frame * perBlock, std::byte{'x'});
    for (std::size_t i = 0; i < perBlock; ++i) {
        storeBe(block.data() + i * frame, static_cast<std::uint16_t>(frame));
        // Length and flags of a RIPC frame that holds a whole message.
        block[i * frame + 2] = std::byte{2};
    }
    std::atomic<bool> stop{false};
    const Run r = measure(
        s, stop,
        [&] {
            std::uint64_t n = 0;
            while (!stop.load(std::memory_order_relaxed)) {
                for (std::size_t done = 0; done < block.size();) {
                    const ssize_t k = ::send(out, block.data() + done, block.size() - done, MSG_NOSIGNAL);
                    if (k <= 0) die("send");
                    done += static_cast<std::size_t>(k);
                }
                n += perBlock;
            }
            ::shutdown(out, SHUT_WR);
            return n;
        },
        [&] {
            std::vector<std::byte> buffer(65536);
            std::size_t held = 0;
            std::uint64_t n = 0;
            for (;;) {
                const ssize_t k = ::recv(in, buffer.data() + held, buffer.size() - held, 0);
                if (k <= 0) return n;
                held += static_cast<std::size_t>(k);
                std::size_t pos = 0;
                while (held - pos >= 3) {
                    const std::size_t length = loadBe<std::uint16_t>(buffer.data() + pos);
                    if (length > held - pos) break;
                    pos += length;
                    ++n;
                }
                std::memmove(buffer.data(), buffer.data() + pos, held - pos);
                held -= pos;
            }
        });
    ::close(out);
    ::close(in);
    ::close(listener);
    return r;
}

void print(const char* name, const Run& r, const Settings& s) {
    std::printf("%-8s %8.2f M messages/s  %7.0f MB/s  send %5.1f ns  receive %5.1f ns of CPU a message\n", name,
                r.messagesPerSecond / 1e6, r.messagesPerSecond * static_cast<double>(s.message + 3) / 1e6, r.sendNs,
                r.receiveNs);
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    if (argc > 1) s.seconds = std::atof(argv[1]);
    if (argc > 2) s.message = static_cast<std::size_t>(std::clamp(std::atol(argv[2]), 1L, 6144L));
    if (argc > 3) s.highWater = static_cast<std::uint32_t>(std::max(std::atol(argv[3]), 0L));
    if (argc > 4) s.pairs = std::max(std::atoi(argv[4]), 1);
    std::vector<double> ratios, rates;
    for (int i = 0; i < s.pairs; ++i) {  // interleaved, so that a busy machine disturbs both alike
        const Run raw = rawRun(s), channel = channelRun(s);
        print("raw", raw, s);
        print("channel", channel, s);
        ratios.push_back(channel.messagesPerSecond / raw.messagesPerSecond);
        rates.push_back(channel.messagesPerSecond);
    }
    std::sort(ratios.begin(), ratios.end());
    std::sort(rates.begin(), rates.end());
    std::printf("median ratio %.2f (%.2f to %.2f), median channel rate %.2f M messages/s\n", ratios[ratios.size() / 2],
                ratios.front(), ratios.back(), rates[rates.size() / 2] / 1e6);
    return 0;
}
