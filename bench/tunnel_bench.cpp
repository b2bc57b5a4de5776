// Messages of 200 bytes through one tunnel stream, by the public interface: how many a second, either way and both ways
// at once, and whether a window was ever exceeded.
//
//   tunnel_bench [seconds [window]]        5 seconds for each way; the default window, 12,288 bytes
//
// Provider and consumer are a process of one thread each, over TCP on loopback. Each sends as long as the tunnel takes
// messages, reads what has come, and looks at the number in each message: all of them arrive, in order.
#include "Ema.h"
#include "emissary/metrics.h"
#include "emissary/tunnels.h"
#include "eta/core/bytes.h"
#include "session/provider/ProviderAccess.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using Clock = std::chrono::steady_clock;

// A generic message without a key: 10 bytes of header and this.
constexpr std::size_t kPayload = 190;

/// What the two processes tell each other.
struct Shared {
    std::atomic<std::uint32_t> port{0};
    std::atomic<bool> fromProvider{false}, fromConsumer{false}, stop{false}, failed{false};
    struct alignas(64) Side {
        std::atomic<std::uint64_t> received{0}, windowExceeded{0}, repeated{0}, cpuMicros{0};
    } provider, consumer;
};

[[noreturn]] void die(Shared& shared, const std::string& text) {
    std::fprintf(stderr, "tunnel_bench: %s\n", text.c_str());
    shared.failed = true;
    std::_Exit(1);
}

/// One end: numbers what it sends, looks at the numbers of what comes.
class End {
public:
    End(Shared& shared, Shared::Side& side) : shared_(shared), side_(side) {}

    /// Sends as long as there is room, but few enough at once that the peer's messages do not wait. False: the tunnel
    /// takes no more before the peer has acknowledged something.
    template <class Instance>
    bool send(Instance& instance, UInt64 handle) {
        static constexpr int kBurst = 64;
        for (int i = 0; i < kBurst; ++i) {
            std::memcpy(bytes_.data(), &next_, sizeof next_);
            opaque_.set(EmaBuffer(bytes_.data(), static_cast<UInt32>(bytes_.size())));
            message_.clear().domainType(MMT_MARKET_PRICE).payload(opaque_);
            try {
                instance.submit(message_, handle);
            } catch (const OmmInvalidUsageException& e) {
                if (shared_.stop) return false;
                if (e.getErrorCode() != OmmInvalidUsageException::NoBuffersEnum) die(shared_, e.getText().c_str());
                return false;
            }
            ++next_;
        }
        return true;
    }
    void take(const GenericMsg& message) {
        const EmaBuffer& bytes = message.getPayload().getOpaque().getBuffer();
        std::uint64_t number = 0;
        if (bytes.length() != kPayload) die(shared_, "a message has another length than it was sent with");
        std::memcpy(&number, bytes.c_buf(), sizeof number);
        if (number != expected_++) die(shared_, "a message is missing, or out of order");
        side_.received.store(expected_, std::memory_order_relaxed);
    }
    template <class Instance>
    void note(const Instance& instance) {
        const emissary::MetricsSnapshot counts = emissary::metrics(instance);
        side_.windowExceeded = counts.value("emissary_tunnel_window_exceeded_total").value_or(0);
        side_.repeated = counts.value("emissary_tunnel_messages_repeated_total").value_or(0);
        rusage u{};
        ::getrusage(RUSAGE_SELF, &u);
        side_.cpuMicros = static_cast<std::uint64_t>(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1'000'000U +
                          static_cast<std::uint64_t>(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
    }

private:
    Shared& shared_;
    Shared::Side& side_;
    std::array<char, kPayload> bytes_{};
    OmmOpaque opaque_;
    GenericMsg message_;
    std::uint64_t next_ = 0, expected_ = 0;
};

// An end that can send does not wait; one that cannot sleeps until something comes.
[[nodiscard]] Int64 patience(bool more) {
    return more ? 0 : 1000;
}

// --- the provider's process ------------------------------------------------------------------------------------------

class Provider final : public OmmProviderClient {
public:
    explicit Provider(Shared& shared) : shared_(shared), end_(shared, shared.provider) {}

    void run(std::int64_t window) {
        OmmIProviderConfig config{EmaString()};
        config.port("0").operationModel(OmmIProviderConfig::UserDispatchEnum);
        emissary::offerTunnels(config, {.recvWindowSize = window});
        OmmProvider provider(config, *this);
        shared_.port = emissary::ema::ProviderAccess::port(provider);
        for (std::uint32_t turn = 0; !shared_.stop; ++turn) {
            const bool more = item_ != 0 && shared_.fromProvider && end_.send(provider, item_);
            provider.dispatch(patience(more));
            if (turn % 1024 == 0) end_.note(provider);
        }
        end_.note(provider);
    }

private:
    void onReqMsg(const ReqMsg& m, const OmmProviderEvent& e) override {
        RefreshMsg answer;
        answer.domainType(m.getDomainType()).name(m.getName()).solicited(true).complete(true);
        answer.state(OmmState::OpenEnum, OmmState::OkEnum);
        if (m.getDomainType() == MMT_LOGIN) answer.nameType(USER_NAME);
        else item_ = e.getHandle();
        e.getProvider().submit(answer, e.getHandle());
    }
    void onGenericMsg(const GenericMsg& m, const OmmProviderEvent& e) override {
        if (e.getHandle() == item_) end_.take(m);
    }

    Shared& shared_;
    End end_;
    UInt64 item_ = 0;
};

// --- the consumer's process ------------------------------------------------------------------------------------------

class Consumer final : public OmmConsumerClient {
public:
    explicit Consumer(Shared& shared) : shared_(shared), end_(shared, shared.consumer) {}

    void run(std::int64_t window) {
        OmmConsumerConfig config{EmaString()};
        const std::string host = "127.0.0.1:" + std::to_string(shared_.port.load());
        config.host(host.c_str()).username("bench").operationModel(OmmConsumerConfig::UserDispatchEnum);
        OmmConsumer consumer(config);
        CosFlowControl flow;
        flow.type(CosFlowControl::BidirectionalEnum).recvWindowSize(window);
        ClassOfService cos;
        cos.dataIntegrity(CosDataIntegrity().type(CosDataIntegrity::ReliableEnum)).flowControl(flow);
        TunnelStreamRequest request;
        request.name("bench").serviceName("DIRECT_FEED").classOfService(cos);
        const UInt64 tunnel = consumer.registerClient(request, *this);
        while (!open_ && !shared_.stop)
            consumer.dispatch(1000);
        const UInt64 item = consumer.registerClient(ReqMsg().name("ITEM").serviceId(1), *this, nullptr, tunnel);
        for (std::uint32_t turn = 0; !shared_.stop; ++turn) {
            const bool more = answered_ && shared_.fromConsumer && end_.send(consumer, item);
            consumer.dispatch(patience(more));
            if (turn % 1024 == 0) end_.note(consumer);
        }
        end_.note(consumer);
    }

private:
    void onStatusMsg(const StatusMsg& m, const OmmConsumerEvent&) override {
        open_ = m.getState().getStreamState() == OmmState::OpenEnum;
        if (!open_ && !shared_.stop) die(shared_, m.getState().toString().c_str());
    }
    void onRefreshMsg(const RefreshMsg&, const OmmConsumerEvent&) override { answered_ = true; }
    void onGenericMsg(const GenericMsg& m, const OmmConsumerEvent&) override { end_.take(m); }

    Shared& shared_;
    End end_;
    bool open_ = false, answered_ = false;
};

// --- the runs --------------------------------------------------------------------------------------------------------

template <class Side>
[[nodiscard]] pid_t start(Shared& shared, std::int64_t window) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    try {
        Side(shared).run(window);
    } catch (const OmmException& e) { die(shared, e.getText().c_str()); }
    std::_Exit(0);
}

/// The configuration of both, in the folder where the bench is run.
void writeConfiguration() {
    std::ofstream("EmaConfig.xml") << R"(<?xml version="1.0" encoding="UTF-8"?>
<EmaConfig>
<ConsumerGroup><DefaultConsumer value="Consumer"/><ConsumerList><Consumer><Name value="Consumer"/>
  <Channel value="Channel"/><Logger value="Logger"/><Dictionary value="Dictionary"/></Consumer></ConsumerList></ConsumerGroup>
<IProviderGroup><DefaultIProvider value="Provider"/><IProviderList><IProvider><Name value="Provider"/>
  <Server value="Server"/><Directory value="Directory"/><Logger value="Logger"/></IProvider></IProviderList></IProviderGroup>
<ChannelGroup><ChannelList><Channel><Name value="Channel"/><ChannelType value="ChannelType::RSSL_SOCKET"/>
  <GuaranteedOutputBuffers value="5000"/></Channel></ChannelList></ChannelGroup>
<ServerGroup><ServerList><Server><Name value="Server"/><ServerType value="ServerType::RSSL_SOCKET"/>
  <GuaranteedOutputBuffers value="5000"/></Server></ServerList></ServerGroup>
<LoggerGroup><LoggerList><Logger><Name value="Logger"/><LoggerType value="LoggerType::Stdout"/>
  <LoggerSeverity value="LoggerSeverity::Error"/></Logger></LoggerList></LoggerGroup>
<DictionaryGroup><DictionaryList><Dictionary><Name value="Dictionary"/>
  <DictionaryType value="DictionaryType::FileDictionary"/>
  <RdmFieldDictionaryFileName value=")" EMISSARY_SOURCE_DIR R"(/etc/RDMFieldDictionary"/>
  <EnumTypeDefFileName value=")" EMISSARY_SOURCE_DIR
                                      R"(/etc/enumtype.def"/></Dictionary></DictionaryList></DictionaryGroup>
<DirectoryGroup><DefaultDirectory value="Directory"/><DirectoryList><Directory><Name value="Directory"/>
  <Service><Name value="DIRECT_FEED"/><InfoFilter><ServiceId value="1"/>
  <Capabilities><CapabilitiesEntry value="MMT_MARKET_PRICE"/></Capabilities></InfoFilter>
  <StateFilter><ServiceState value="1"/><AcceptingRequests value="1"/></StateFilter></Service></Directory></DirectoryList></DirectoryGroup>
</EmaConfig>
)";
}

void waitFor(Shared& shared, const std::atomic<std::uint32_t>& value) {
    while (value == 0 && !shared.failed)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// False when something was wrong.
bool measure(const char* what, bool fromProvider, bool fromConsumer, double seconds, std::int64_t window) {
    void* const memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    Shared& shared = *new (memory) Shared;
    const pid_t provider = start<Provider>(shared, window);
    waitFor(shared, shared.port);
    const pid_t consumer = start<Consumer>(shared, window);
    shared.fromProvider = fromProvider;
    shared.fromConsumer = fromConsumer;
    const auto sleep = [](double s) { std::this_thread::sleep_for(std::chrono::duration<double>(s)); };
    sleep(1.0);  // connecting, opening, first buffers
    const std::uint64_t toConsumer = shared.consumer.received, toProvider = shared.provider.received;
    const std::uint64_t cpuProvider = shared.provider.cpuMicros, cpuConsumer = shared.consumer.cpuMicros;
    const auto begin = Clock::now();
    sleep(seconds);
    const double took = std::chrono::duration<double>(Clock::now() - begin).count();
    const double down = static_cast<double>(shared.consumer.received - toConsumer) / took;
    const double up = static_cast<double>(shared.provider.received - toProvider) / took;
    const double cpus[] = {static_cast<double>(shared.provider.cpuMicros - cpuProvider) / took / 1e4,
                           static_cast<double>(shared.consumer.cpuMicros - cpuConsumer) / took / 1e4};
    shared.stop = true;
    bool good = !shared.failed;
    for (const pid_t child : {provider, consumer}) {
        int status = 0;
        good = ::waitpid(child, &status, 0) == child && status == 0 && good;
    }
    std::printf("%-22s to consumer %9.0f/s, to provider %9.0f/s, CPU %3.0f + %3.0f %%, window exceeded %llu + %llu, "
                "repeated %llu + %llu%s\n",
                what, down, up, cpus[0], cpus[1], static_cast<unsigned long long>(shared.provider.windowExceeded),
                static_cast<unsigned long long>(shared.consumer.windowExceeded),
                static_cast<unsigned long long>(shared.provider.repeated),
                static_cast<unsigned long long>(shared.consumer.repeated), good ? "" : "  FAILED");
    std::fflush(stdout);
    good = good && shared.provider.windowExceeded == 0 && shared.consumer.windowExceeded == 0;
    ::munmap(memory, sizeof(Shared));
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::strtod(argv[1], nullptr) : 5.0;
    const std::int64_t window = argc > 2 ? std::strtoll(argv[2], nullptr, 10) : -1;
    if (argc > 3 || !(seconds > 0.0) || window < -1) {
        std::fprintf(stderr, "usage: tunnel_bench [seconds [window in bytes, -1: the default]]\n");
        return 2;
    }
    char folder[] = "/tmp/tunnel_bench.XXXXXX";
    if (::mkdtemp(folder) == nullptr || ::chdir(folder) != 0) {
        std::perror("tunnel_bench: no folder for the configuration");
        return 1;
    }
    writeConfiguration();
    bool good = measure("provider to consumer", true, false, seconds, window);
    good = measure("consumer to provider", false, true, seconds, window) && good;
    good = measure("both ways at once", true, true, seconds, window) && good;
    ::unlink("EmaConfig.xml");
    if (::chdir("/") == 0) ::rmdir(folder);
    return good ? 0 : 1;
}
