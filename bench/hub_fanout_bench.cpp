// What one update costs on its way from a message to the output of its clients, and what it costs to hand it to the
// kernel: nanoseconds of CPU a delivery, for 1, 100 and 500 connections.
//
//   hub_fanout_bench [payload bytes] [messages a turn] [seconds]      100 40 1 without arguments
//
// "gathered": into the arenas of the connections; nothing leaves as long as a turn stays below the high-water mark
// (6144 bytes a connection). "sent": with the system calls, through loopback to a process of its own that reads and
// throws away. The two share the machine: CPU time of this process alone is counted.
#include "eta/codec/Msg.h"
#include "eta/transport/Channel.h"
#include "hub/core/Mounts.h"
#include "hub/fanout/FanOut.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <string>

#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace emissary;
using namespace emissary::hub;
namespace codec = eta::codec;
namespace transport = eta::transport;
using Clock = std::chrono::steady_clock;

[[noreturn]] void die(const std::string& why) {
    std::fprintf(stderr, "hub_fanout_bench: %s\n", why.c_str());
    std::exit(1);
}

[[nodiscard]] double cpuNanoseconds() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

/// Connects so often, then reads without a look at what comes until the connections end.
[[noreturn]] void sink(std::uint16_t port, int clients) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::deque<std::unique_ptr<transport::Channel>> channels;
    const int epoll = ::epoll_create1(0);
    for (int i = 0; i < clients; ++i) {
        transport::ConnectOptions options;
        options.host = "127.0.0.1";
        options.port = std::to_string(port);
        eta::Refused refused;
        auto channel = transport::Channel::connect(options, Clock::now(), refused);
        if (!channel) die(refused.text);
        while (channel->init(Clock::now()) != transport::InitStatus::active) {
            pollfd p{channel->fd(), static_cast<short>(POLLIN | (channel->wantsWrite() ? POLLOUT : 0)), 0};
            ::poll(&p, 1, 100);
            if (channel->state() == transport::ChannelState::closed) die(channel->errorText());
        }
        epoll_event e{};
        e.events = EPOLLIN;
        e.data.fd = channel->fd();
        ::epoll_ctl(epoll, EPOLL_CTL_ADD, channel->fd(), &e);
        channels.push_back(std::move(channel));
    }
    static char room[1 << 20];
    epoll_event found[64];
    for (;;) {
        const int n = ::epoll_wait(epoll, found, 64, -1);
        for (int i = 0; i < n; ++i)
            if (::read(found[i].data.fd, room, sizeof room) <= 0) std::_Exit(0);
    }
}

struct Handler final : reactor::LinkHandler {
    std::size_t ups = 0;
    void onLinkUp(reactor::Link&) override { ++ups; }
    void onLinkMessage(reactor::Link&, eta::Bytes) override {}
    void onLinkDown(reactor::Link&, const std::string& reason, bool) override { die(reason); }
};

void run(int clientCount, std::size_t payloadBytes, int messages, double seconds, bool sent) {
    eta::Refused refused;
    transport::BindOptions bind;
    bind.port = "0";
    auto server = transport::Server::bind(bind, refused);
    if (!server) die(refused.text);
    const pid_t child = ::fork();
    if (child == 0) sink(server->port(), clientCount);

    reactor::Reactor loop{{}};
    Handler handler;
    ItemTable items;
    ClientTable clients;
    Mounts mounts{items, clients};
    ViewTable views;
    std::deque<std::unique_ptr<reactor::Link>> links;
    fanout::SlowRules rules;
    rules.behindAbove = rules.disconnectAbove = 1u << 30;
    rules.timeout = std::chrono::milliseconds(0);
    std::unique_ptr<fanout::FanOut> out;
    {
        const std::lock_guard guard(loop.lock());
        out = std::make_unique<fanout::FanOut>(clients, views, loop, rules,
                                               [](Client&, fanout::SlowClients::Cut, const std::string&) {});
    }
    codec::MsgKey key;
    key.flags = codec::KeyFlag::name;
    key.name = eta::asBytes(std::string_view("ITEM"));
    Item& item = items.create(items.keyOf(1, 6, key));
    while (handler.ups < static_cast<std::size_t>(clientCount)) {
        if (auto channel = server->accept(Clock::now()); channel) {
            const std::lock_guard guard(loop.lock());
            links.push_back(loop.adopt(std::move(channel), handler));
            Client& client = clients.add();
            client.link = links.back().get();
            mounts.add(item, client, 5 + static_cast<std::int32_t>(links.size()), 0, 0);
        }
        loop.dispatch(std::chrono::microseconds(0), 10);
    }
    for (std::uint32_t i = 0; i < clients.end(); ++i) {
        const std::lock_guard guard(loop.lock());
        out->admit(clients[i]);
    }
    std::vector<std::byte> payload(payloadBytes), bytes(payloadBytes + 64);
    codec::Msg made, msg;
    made.cls = codec::MsgClass::Update;
    made.domain = 6;
    made.containerType = codec::DataType::Opaque;
    made.payload = payload;
    eta::BeWriter writer(bytes);
    if (!codec::encodeMsg(writer, made).ok()) die("the message cannot be encoded");
    if (!codec::decodeMsg(writer.view(), msg).ok()) die("the message cannot be decoded");

    std::uint64_t deliveries = 0;
    double cpu = 0;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    while (Clock::now() < end) {
        std::size_t queued = 0;
        {
            const std::lock_guard guard(loop.lock());
            const double before = cpuNanoseconds();
            for (int i = 0; i < messages; ++i)
                out->send(item, msg, To::live);
            out->flush();
            if (sent)
                for (const auto& link : links)
                    link->flush();
            cpu += cpuNanoseconds() - before;
            deliveries += static_cast<std::uint64_t>(messages) * static_cast<std::uint64_t>(clientCount);
            for (const auto& link : links)
                queued += link->queuedBytes();
        }
        // What the kernel did not take leaves before more comes.
        while (queued != 0) {
            loop.dispatch(std::chrono::microseconds(0), 10);
            queued = 0;
            const std::lock_guard guard(loop.lock());
            for (const auto& link : links) {
                link->flush();
                queued += link->queuedBytes();
            }
        }
    }
    std::printf("%5d connections  %3d messages a turn  %4zu bytes  %-8s  %6.1f ns a delivery\n", clientCount, messages,
                writer.view().size(), sent ? "sent" : "gathered", cpu / static_cast<double>(deliveries));
    std::fflush(stdout);
    {
        const std::lock_guard guard(loop.lock());
        while (item.mountCount != 0)
            mounts.remove(item, 0);
        links.clear();
        out.reset();
    }
    ::waitpid(child, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t payload = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100;
    const int messages = argc > 2 ? std::atoi(argv[2]) : 40;
    const double seconds = argc > 3 ? std::atof(argv[3]) : 1;
    if (messages <= 0 || seconds <= 0) die("messages and seconds are above 0");
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
    for (const bool sent : {false, true})
        for (const int clients : {1, 100, 500})
            run(clients, payload, messages, seconds, sent);
}
