// Starts both ends on loopback, and measures from submit() to the book's callback.
#include "Latency.h"

#include "LiveSource.h"
#include "Ticks.h"
#include "emissary/book/Builder.h"
#include "emissary/book/Counters.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace bookbench {

using namespace refinitiv::ema::access;
namespace book = emissary::book;

namespace {

/// One EmaConfig.xml for both ends, as long as this object lives.
class ConfigFile {
public:
    explicit ConfigFile(const std::string& dictionary)
        : path_((std::filesystem::temp_directory_path() / ("bookbench_" + std::to_string(::getpid()) + ".xml"))
                    .string()) {
        const std::filesystem::path folder = std::filesystem::path(dictionary).parent_path();
        std::ofstream(path_) << R"(<?xml version="1.0" encoding="UTF-8"?>
<EmaConfig>
<ConsumerGroup><DefaultConsumer value="Consumer"/><ConsumerList><Consumer>
  <Name value="Consumer"/><Dictionary value="Dictionary"/><Logger value="Logger"/>
</Consumer></ConsumerList></ConsumerGroup>
<IProviderGroup><DefaultIProvider value="Provider"/><IProviderList><IProvider>
  <Name value="Provider"/><Directory value="Directory"/><Logger value="Logger"/>
</IProvider></IProviderList></IProviderGroup>
<LoggerGroup><LoggerList><Logger>
  <Name value="Logger"/><LoggerType value="LoggerType::Stdout"/><LoggerSeverity value="LoggerSeverity::NoLogMsg"/>
</Logger></LoggerList></LoggerGroup>
<DictionaryGroup><DictionaryList><Dictionary>
  <Name value="Dictionary"/><DictionaryType value="DictionaryType::FileDictionary"/>
  <RdmFieldDictionaryFileName value=")"
                             << dictionary << R"("/><EnumTypeDefFileName value=")" << (folder / "enumtype.def").string()
                             << R"("/>
</Dictionary></DictionaryList></DictionaryGroup>
<DirectoryGroup><DefaultDirectory value="Directory"/><DirectoryList><Directory>
  <Name value="Directory"/>
  <Service><Name value="DIRECT_FEED"/>
    <InfoFilter>
      <ServiceId value="1"/>
      <Capabilities><CapabilitiesEntry value="MMT_DICTIONARY"/><CapabilitiesEntry value="MMT_MARKET_BY_ORDER"/>
        <CapabilitiesEntry value="MMT_MARKET_BY_PRICE"/></Capabilities>
      <DictionariesProvided><DictionariesProvidedEntry value="Dictionary"/></DictionariesProvided>
      <DictionariesUsed><DictionariesUsedEntry value="Dictionary"/></DictionariesUsed>
      <QoS><QoSEntry><Timeliness value="Timeliness::RealTime"/><Rate value="Rate::TickByTick"/></QoSEntry></QoS>
    </InfoFilter>
    <StateFilter><ServiceState value="1"/><AcceptingRequests value="1"/></StateFilter>
  </Service>
</Directory></DirectoryList></DirectoryGroup>
</EmaConfig>
)";
    }
    ~ConfigFile() { std::remove(path_.c_str()); }
    ConfigFile(const ConfigFile&) = delete;
    ConfigFile& operator=(const ConfigFile&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

/// The kernel's choice; nobody else is given it so soon.
std::string freePort() {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof at;
    const bool ok = fd >= 0 && ::bind(fd, reinterpret_cast<sockaddr*>(&at), sizeof at) == 0 &&
                    ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &length) == 0;
    ::close(fd);
    if (!ok) throw std::runtime_error("there is no free port");
    return std::to_string(ntohs(at.sin_port));
}

/// What is measured of every update that came.
class Watch : public book::BookListener, public OmmConsumerClient {
public:
    explicit Watch(const SendTimes& times) : times_(times) {}
    Cell* cell = nullptr;
    double perTick = 1;
    std::uint64_t images = 0, updates = 0;  ///< of messages

private:
    void record(std::uint32_t sequence) const {
        const std::uint64_t now = ticks();
        if (cell == nullptr) return;
        cell->record(static_cast<std::uint64_t>(static_cast<double>(now - times_.of(sequence)) * perTick));
    }
    void onBookChanged(const book::Book& b, std::span<const book::Change>) override { record(*b.sequence()); }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override { images += msg.getComplete() ? 1 : 0; }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        const Map& map = msg.getPayload().getMap();
        while (map.forth()) {
            const MapEntry& entry = map.getEntry();
            if (entry.getLoadType() != DataType::FieldListEnum) continue;
            const FieldList& fields = entry.getFieldList();
            while (fields.forth())
                seen_ += static_cast<std::uint64_t>(fields.getEntry().getFieldId());
        }
        ++updates;
        record(msg.getSeqNum());
    }
    const SendTimes& times_;
    std::uint64_t seen_ = 0;
};

/// One channel and kind: the books are opened, warmed up, and measured at each delay.
class LiveRun {
public:
    LiveRun(Measured what, const std::string& channel, const LatencyOptions& options, const ConfigFile& config)
        : what_(what), options_(options),
          feed_(channel == "B" ? emissary::perf::channelB() : emissary::perf::channelA(),
                what == Measured::orders ? Kind::orders : Kind::prices),
          port_(freePort()), source_(feed_, config.path(), port_, times_), watch_(times_),
          consumer_(OmmConsumerConfig(EmaString(config.path().c_str()))
                        .host(("localhost:" + port_).c_str())
                        .operationModel(OmmConsumerConfig::UserDispatchEnum)),
          builder_(consumer_, watch_) {
        for (std::uint32_t i = 0; i != feed_.traits().instruments; ++i) {
            const std::string name = "I" + std::to_string(i);
            if (what_ == Measured::messages)
                consumer_.registerClient(ReqMsg()
                                             .domainType(static_cast<UInt16>(feed_.kind()))
                                             .serviceName("DIRECT_FEED")
                                             .name(name.c_str()),
                                         watch_);
            else builder_.open("DIRECT_FEED", name, feed_.kind());
        }
        const auto open = [&] {
            return what_ == Measured::messages ? watch_.images : builder_.counters().images.get();
        };
        // Updates begin only when every book has its image: an update before it would count as one without an image.
        dispatchUntil([&] { return open() == feed_.traits().instruments; });
        source_.send(0, false);
        const auto warm = std::chrono::steady_clock::now() + std::chrono::seconds(5);
        dispatchUntil([&] { return received() >= kWarm || std::chrono::steady_clock::now() >= warm; });
        settle();
    }
    void measure(Cell& cell, double perTick) {
        watch_.perTick = perTick;
        watch_.cell = &cell;
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                                                std::chrono::duration<double>(options_.seconds));
        source_.send(cell.delay, options_.sleep);
        dispatchUntil([&] { return std::chrono::steady_clock::now() >= end; });
        settle();
        watch_.cell = nullptr;
    }
    /// What shows that books are broken or not as sent; empty: nothing.
    [[nodiscard]] std::string broken() const {
        const std::size_t differ = builder_.verify();
        std::string what = differ == 0 ? "" : std::to_string(differ) + " books differ from their orders";
        for (const book::CounterInfo& info : book::counterTable()) {
            const std::string_view name = info.name;
            const std::uint64_t n = info.of(builder_.counters()).get();
            // Counters that stay zero on a good feed. Any of them means that the figures above are of something else.
            const bool fault = name == "deleteOfUnknown" || name == "updateWithoutAdd" || name.starts_with("fault.");
            if (!fault || n == 0) continue;
            what.append(what.empty() ? "" : ", ").append(name).append(" ").append(std::to_string(n)).append(" ");
            what += info.unit;
        }
        return what;
    }

private:
    static constexpr std::uint64_t kWarm = 20'000;
    [[nodiscard]] std::uint64_t received() const {
        return what_ == Measured::messages ? watch_.updates : builder_.counters().updates.get();
    }
    template <class Done>
    void dispatchUntil(Done&& done) {
        while (!done()) {
            consumer_.dispatch(1000);
            source_.received(received());
            if (const std::string failure = source_.failure(); !failure.empty()) throw std::runtime_error(failure);
        }
    }
    /// Nothing is on its way any more.
    void settle() {
        source_.pause();
        dispatchUntil([&] { return source_.paused() && received() == source_.sent(); });
    }
    Measured what_;
    const LatencyOptions& options_;
    Feed feed_;
    SendTimes times_;
    std::string port_;
    LiveSource source_;
    Watch watch_;
    OmmConsumer consumer_;
    book::Builder builder_;
};

}  // namespace

std::vector<Cell> measureLive(const LatencyOptions& options, const std::string& dictionary) {
    const double perTick = nanosecondsPerTick();
    const ConfigFile config(dictionary);
    std::vector<Cell> cells;
    try {
        for (const Measured what : options.kinds)
            for (const std::string& channel : options.channels) {
                LiveRun run(what, channel, options, config);
                std::printf("channel %s, %s, over a connection\n", channel.c_str(), title(what));
                std::fflush(stdout);
                for (const unsigned delay : options.delays) {
                    Cell& cell = cells.emplace_back();
                    cell.what = what;
                    cell.channel = channel;
                    cell.delay = delay;
                    run.measure(cell, perTick);
                }
                if (const std::string fault = run.broken(); !fault.empty())
                    throw std::runtime_error("a book is broken: " + fault);
            }
    } catch (const OmmException& failure) { throw std::runtime_error(failure.getText().c_str()); }
    return cells;
}

}  // namespace bookbench
