// An OmmProvider under load, by the public interface: how fast packed and single updates leave, what 350,000 open items
// and an idle provider cost, whether 10,000 providers that come and go leave anything behind.
//
//   provider_bench [submit|apart|packed|single|items|idle|cycles]...       all of them without arguments
//
// The client is a process of its own that takes what comes without decoding it: figures are the provider's alone.
#include "Ema.h"
#include "eta/codec/Msg.h"
#include "eta/transport/Channel.h"
#include "session/provider/ProviderAccess.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using Clock = std::chrono::steady_clock;
namespace codec = emissary::eta::codec;
namespace transport = emissary::eta::transport;

[[nodiscard]] double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}
[[nodiscard]] double cpuSeconds() {
    rusage u{};
    ::getrusage(RUSAGE_SELF, &u);
    const auto of = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return of(u.ru_utime) + of(u.ru_stime);
}
[[nodiscard]] double residentMiB() {
    std::ifstream statm("/proc/self/statm");
    double total = 0, resident = 0;
    statm >> total >> resident;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// --- the client's process --------------------------------------------------------------------------------------------

class Client {
public:
    explicit Client(int port) {
        transport::ConnectOptions options;
        options.host = "127.0.0.1";
        options.port = std::to_string(port);
        // Room for all requests of a round: the client never waits for the provider while it asks.
        options.guaranteedOutputBuffers = 50'000;
        emissary::eta::Refused refused;
        channel_ = transport::Channel::connect(options, Clock::now(), refused);
        if (!channel_) die(refused.text);
        auto status = transport::InitStatus::inProgress;
        while (status != transport::InitStatus::active) {
            wait(POLLIN | (channel_->wantsWrite() ? POLLOUT : 0));
            status = channel_->init(Clock::now());
            if (status == transport::InitStatus::failed) die(channel_->errorText());
        }
    }
    void request(std::int32_t stream, std::uint8_t domain, const std::string& name) {
        codec::Msg m;
        m.cls = codec::MsgClass::Request;
        m.streamId = stream;
        m.domain = domain;
        m.flags = codec::RequestFlag::streaming;
        m.key.flags = codec::KeyFlag::name | (domain == 1 ? codec::KeyFlag::nameType : codec::KeyFlag::serviceId);
        m.key.serviceId = 1;
        m.key.name = emissary::eta::asBytes(name);
        std::byte room[256];
        emissary::eta::BeWriter out(room);
        if (!codec::encodeMsg(out, m).ok()) die("the request cannot be encoded");
        const std::lock_guard guard(channel_->outputLock());
        if (!channel_->write(out.view()).ok()) die("the output is full");
    }
    /// Reads what is there; false when the provider has gone.
    bool take(int timeoutMs) {
        {
            const std::lock_guard guard(channel_->outputLock());
            (void)channel_->flush();
        }
        pollfd p{channel_->fd(), static_cast<short>(POLLIN | (channel_->queuedBytes() != 0 ? POLLOUT : 0)), 0};
        ::poll(&p, 1, timeoutMs);
        {
            const std::lock_guard guard(channel_->outputLock());
            channel_->pingIfIdle(Clock::now());
        }
        for (;;) {
            const transport::ReadResult r = channel_->read();
            if (r.kind == transport::ReadResult::Kind::message) ++messages_;
            else if (r.kind == transport::ReadResult::Kind::closed) return false;
            if (!r.more && r.kind != transport::ReadResult::Kind::message) return true;
            if (!r.more) return true;
        }
    }
    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }
    [[noreturn]] static void die(const std::string& why) {
        std::fprintf(stderr, "client: %s\n", why.c_str());
        std::_Exit(1);
    }

private:
    void wait(int events) {
        pollfd p{channel_->fd(), static_cast<short>(events), 0};
        ::poll(&p, 1, 1000);
    }
    std::unique_ptr<transport::Channel> channel_;
    std::uint64_t messages_ = 0;
};

/// Logs in, opens the items and takes what comes until the provider goes.
[[noreturn]] void clientProcess(int portPipe, int items) {
    int port = 0;
    if (::read(portPipe, &port, sizeof port) != sizeof port) std::_Exit(1);
    Client client(port);
    client.request(1, 1, "bench");
    while (client.messages() == 0)
        if (!client.take(100)) std::_Exit(1);
    for (int i = 0; i < items; ++i) {
        client.request(10 + i, 6, "ITEM" + std::to_string(i));
        // Answers are read in between, or both ends would fill their sockets and wait for each other.
        if (i % 500 == 499) (void)client.take(0);
    }
    while (client.take(1000)) {}
    std::_Exit(0);
}

// --- the provider's process ------------------------------------------------------------------------------------------

class Application : public OmmProviderClient {
public:
    Application() {
        fields_.addReal(22, 3391, OmmReal::ExponentNeg2Enum).addReal(25, 3392, OmmReal::ExponentNeg2Enum).complete();
    }
    void onReqMsg(const ReqMsg& m, const OmmProviderEvent& e) override {
        client = e.getClientHandle();
        RefreshMsg refresh;
        refresh.name(m.getName()).complete().solicited(true).state(OmmState::OpenEnum, OmmState::OkEnum);
        if (m.getDomainType() == MMT_LOGIN) {
            refresh.domainType(MMT_LOGIN).nameType(USER_NAME);
        } else {
            refresh.serviceId(m.getServiceId()).payload(fields_);
        }
        e.getProvider().submit(refresh, e.getHandle());
        if (m.getDomainType() == MMT_LOGIN) return;
        handles.push_back(e.getHandle());
        open.store(handles.size(), std::memory_order_release);
    }
    std::vector<UInt64> handles;  // complete once `open` says so
    std::atomic<std::size_t> open{0};
    UInt64 client = 0;

private:
    FieldList fields_;
};

enum class Dispatch : bool { api, user };

void configure(OmmIProviderConfig& config, Dispatch dispatch = Dispatch::api) {
    Map map, list;
    ElementList servers, server;
    server.addUInt("GuaranteedOutputBuffers", 50'000).addAscii("Port", "0").complete();
    list.addKeyAscii("Bench", MapEntry::AddEnum, server).complete();
    servers.addMap("ServerList", list).complete();
    Map providers;
    ElementList group, one;
    one.addAscii("Server", "Bench").addAscii("Logger", "Silent").complete();
    providers.addKeyAscii("Bench", MapEntry::AddEnum, one).complete();
    group.addAscii("DefaultIProvider", "Bench").addMap("IProviderList", providers).complete();
    Map loggers;
    ElementList loggerGroup, logger;
    logger.addEnum("LoggerType", 1).addEnum("LoggerSeverity", 4).complete();
    loggers.addKeyAscii("Silent", MapEntry::AddEnum, logger).complete();
    loggerGroup.addMap("LoggerList", loggers).complete();
    map.addKeyAscii("IProviderGroup", MapEntry::AddEnum, group)
        .addKeyAscii("ServerGroup", MapEntry::AddEnum, servers)
        .addKeyAscii("LoggerGroup", MapEntry::AddEnum, loggerGroup)
        .complete();
    if (dispatch == Dispatch::user) config.operationModel(OmmIProviderConfig::UserDispatchEnum);
    config.config(map).providerName("Bench").adminControlDictionary(OmmIProviderConfig::UserControlEnum).port("0");
}

/// A provider with a client that has the items open.
class Load {
public:
    explicit Load(int items, Dispatch dispatch = Dispatch::api) {
        int ends[2];
        if (::pipe(ends) != 0) std::exit(1);
        child_ = ::fork();
        if (child_ == 0) {
            ::close(ends[1]);
            clientProcess(ends[0], items);
        }
        ::close(ends[0]);
        baseMiB = residentMiB();
        OmmIProviderConfig config;
        configure(config, dispatch);
        provider = std::make_unique<OmmProvider>(config, app);
        const int port = emissary::ema::ProviderAccess::port(*provider);
        const auto start = Clock::now();
        if (::write(ends[1], &port, sizeof port) != sizeof port) std::exit(1);
        ::close(ends[1]);
        while (app.open.load(std::memory_order_acquire) < static_cast<std::size_t>(items)) {
            if (dispatch == Dispatch::user) provider->dispatch(1000);
            else std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        opened = secondsSince(start);
    }
    ~Load() {
        provider.reset();
        ::waitpid(child_, nullptr, 0);
    }
    Application app;
    std::unique_ptr<OmmProvider> provider;
    double baseMiB = 0, opened = 0;

private:
    pid_t child_ = -1;
};

template <class Submit>
bool accepted(Submit submit) {
    try {
        submit();
        return true;
    } catch (const OmmInvalidUsageException& e) {
        if (e.getErrorCode() != OmmInvalidUsageException::NoBuffersEnum) throw;
        std::this_thread::yield();
        return false;
    }
}

void report(const char* what, std::uint64_t sent, Clock::time_point start, double cpu) {
    const double seconds = secondsSince(start), used = cpuSeconds() - cpu;
    std::printf("%-8s %12.0f updates/s, %6.0f ns of CPU each in the provider (%.2f s, %.2f s CPU)\n", what,
                static_cast<double>(sent) / seconds, used * 1e9 / static_cast<double>(sent), seconds, used);
}

/// Nanoseconds of a call of submit(), one value a burst of ready messages for different items; a dispatch after each,
/// which is not counted, nor is the first message of a burst: it leaves at once. A burst stays below the high-water
/// mark.
std::vector<double> submitTimes(Load& load, int fieldsEach, int burstOf, int bursts) {
    FieldList fields;
    for (int i = 0; i < fieldsEach; ++i)
        fields.addReal(static_cast<Int16>(22 + i), 3391 + i, OmmReal::ExponentNeg2Enum);
    fields.complete();
    UpdateMsg update;
    update.payload(fields);
    std::vector<double> took;
    std::size_t item = 0;
    const auto submit = [&] {
        load.provider->submit(update, load.app.handles[item]);
        if (++item == load.app.handles.size()) item = 0;
    };
    for (int burst = 0; burst < bursts; ++burst) {
        submit();
        const auto start = Clock::now();
        for (int i = 1; i < burstOf; ++i)
            submit();
        took.push_back(secondsSince(start) * 1e9 / (burstOf - 1));
        load.provider->dispatch(0);
    }
    std::sort(took.begin(), took.end());
    return took;
}

void measureSubmit(int fieldsEach, int burstOf) {
    constexpr int kItems = 10'000, kBursts = 20'000;
    Load load(kItems, Dispatch::user);
    const std::vector<double> took = submitTimes(load, fieldsEach, burstOf, kBursts);
    std::printf("%-8s %d fields: %.1f ns a call, median of %d bursts (%.1f .. %.1f, a tenth of them below and above)\n",
                "submit", fieldsEach, took[kBursts / 2], kBursts, took[kBursts / 10], took[kBursts - kBursts / 10]);
}

void runOn(unsigned processor) {
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(processor, &only);
    ::pthread_setaffinity_np(::pthread_self(), sizeof only, &only);
}

/// Providers that have nothing to do with each other, each with a thread and a processor: what they write must not
/// lie on a cache line or behind a lock that another one needs. Runs alone and runs together alternate.
void measureApart() {
    constexpr int kItems = 10'000, kBursts = 5'000, kRounds = 5;
    const unsigned most = std::min(8u, std::thread::hardware_concurrency());
    std::vector<std::unique_ptr<Load>> loads;
    for (unsigned i = 0; i < most; ++i)
        loads.push_back(std::make_unique<Load>(kItems, Dispatch::user));
    std::vector<double> alone, together;
    for (int round = 0; round < kRounds; ++round)
        for (const unsigned threads : {1u, most}) {
            std::vector<std::vector<double>> took(threads);
            std::vector<std::thread> running;
            for (unsigned i = 0; i < threads; ++i)
                running.emplace_back([&, i] {
                    runOn(i);
                    took[i] = submitTimes(*loads[i], 2, 150, kBursts);
                });
            for (std::thread& t : running)
                t.join();
            for (const std::vector<double>& t : took)
                (threads == 1 ? alone : together).push_back(t[t.size() / 2]);
        }
    while (!loads.empty())  // the last one first: its client has the connections of those before open, too
        loads.pop_back();
    const auto middle = [](std::vector<double>& v) { return std::sort(v.begin(), v.end()), v[v.size() / 2]; };
    const double one = middle(alone), all = middle(together);
    std::printf(
        "%-8s one provider alone: %.1f ns a submit (%.1f .. %.1f); %u at once, a processor each: %.1f (%.1f .. %.1f), "
        "medians of %d rounds by turns\n",
        "apart", one, alone.front(), alone.back(), most, all, together.front(), together.back(), kRounds);
}

void measurePacked() {
    constexpr int kItems = 10'000, kPack = 50;
    Load load(kItems);
    FieldList fields;
    fields.addReal(22, 3391, OmmReal::ExponentNeg2Enum).addReal(25, 3392, OmmReal::ExponentNeg2Enum).complete();
    UpdateMsg update;
    update.payload(fields);
    PackedMsg pack(*load.provider);
    const double cpu = cpuSeconds();
    const auto start = Clock::now();
    std::uint64_t sent = 0;
    std::size_t item = 0;
    while (secondsSince(start) < 3) {
        pack.initBuffer(load.app.client);
        for (int i = 0; i < kPack; ++i) {
            pack.addMsg(update, load.app.handles[item]);
            if (++item == kItems) item = 0;
        }
        while (!accepted([&] { load.provider->submit(pack); })) {}
        sent += kPack;
    }
    report("packed", sent, start, cpu);
}

void measureSingle() {
    constexpr int kItems = 10'000;
    Load load(kItems);
    FieldList fields;
    fields.addReal(22, 3391, OmmReal::ExponentNeg2Enum).addReal(25, 3392, OmmReal::ExponentNeg2Enum).complete();
    UpdateMsg update;
    update.payload(fields);
    const double cpu = cpuSeconds();
    const auto start = Clock::now();
    std::uint64_t sent = 0;
    for (std::size_t item = 0; sent % 64 != 0 || secondsSince(start) < 3; item = (item + 1) % kItems) {
        while (!accepted([&] { load.provider->submit(update, load.app.handles[item]); })) {}
        ++sent;
    }
    report("single", sent, start, cpu);
}

void measureItems() {
    constexpr int kItems = 350'000;
    Load load(kItems);
    const double used = residentMiB() - load.baseMiB - static_cast<double>(load.app.handles.capacity() * 8) / (1 << 20);
    std::printf("%-8s %d open in %.2f s, %.0f MiB resident, %.0f bytes an item\n", "items", kItems, load.opened,
                residentMiB(), used * (1 << 20) / kItems);
}

void measureIdle() {
    constexpr int kItems = 100'000, kSeconds = 10;
    Load load(kItems);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    const double cpu = cpuSeconds();
    std::this_thread::sleep_for(std::chrono::seconds(kSeconds));
    std::printf("%-8s %.3f %% of a core with %d open items\n", "idle", (cpuSeconds() - cpu) * 100 / kSeconds, kItems);
}

void measureCycles() {
    constexpr int kCycles = 10'000;
    OmmIProviderConfig config;
    configure(config);
    Application app;
    double first = 0;
    const auto start = Clock::now();
    for (int i = 0; i < kCycles; ++i) {
        OmmProvider provider(config, app);
        if (i == 100) first = residentMiB();
    }
    std::printf("%-8s %d providers in %.1f s; %.1f MiB resident after 100, %.1f at the end\n", "cycles", kCycles,
                secondsSince(start), first, residentMiB());
}

}  // namespace

int main(int argc, char** argv) {
    const auto wanted = [&](const char* name) {
        return argc == 1 || std::any_of(argv + 1, argv + argc, [&](const char* a) { return !std::strcmp(a, name); });
    };
    try {
        if (wanted("submit")) {
            measureSubmit(2, 150);
            measureSubmit(23, 30);
        }
        if (wanted("apart")) measureApart();
        if (wanted("packed")) measurePacked();
        if (wanted("single")) measureSingle();
        if (wanted("items")) measureItems();
        if (wanted("idle")) measureIdle();
        if (wanted("cycles")) measureCycles();
    } catch (const OmmException& e) {
        std::fprintf(stderr, "%s\n", e.getText().c_str());
        return 1;
    }
    return 0;
}
