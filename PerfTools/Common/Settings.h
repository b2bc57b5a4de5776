// PerfTools/Common: what the options of a tool mean, after validation.
#pragma once
#include "CpuBinding.h"
#include "Options.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace emissary::perf {

inline constexpr std::size_t kMaxThreads = 128;

/// Kinds of connection, with the numbers that the configuration has for them.
enum class ConnectionKind : std::uint8_t {
    socket = 0,
    encrypted = 1,
    sharedMemory = 3,
    reliableMulticast = 4,
    webSocket = 7
};

/// Transport options of the command line; those that were not given stay with the configuration.
struct TransportSettings {
    bool given = false;  ///< any of these options
    std::optional<std::uint32_t> outputBuffers;
    std::optional<std::uint32_t> inputBuffers;
    std::optional<std::uint32_t> sendBufferBytes;
    std::optional<std::uint32_t> receiveBufferBytes;
    std::optional<std::uint32_t> highWaterMark;
    std::optional<std::uint32_t> maxFragmentBytes;
    std::optional<std::uint32_t> maxOutputBuffers;
    std::optional<std::uint32_t> compressionLevel;
    std::optional<std::uint32_t> tlsVersions;  ///< 4: TLS 1.2, 8: TLS 1.3, or the sum
    std::optional<std::uint16_t> compression;  ///< 0 none, 1 zlib, 2 LZ4
    std::optional<ConnectionKind> kind;
    std::optional<ConnectionKind> innerKind;  ///< inside an encrypted connection
    std::string caStore, certificate, privateKey, cipherSuite;
    std::string webSocketProtocols;
    std::string receiveAddress, receivePort, sendAddress, sendPort, unicastPort;  ///< multicast
    bool tcpDelay = false;
    bool directWrite = false;
    std::string interfaceName;
};

/// The service of a provider, when options describe it.
struct ServiceSettings {
    bool given = false;
    std::string name;
    std::uint32_t id = 1;
    std::uint32_t openLimit = 0;
    bool pricePoints = false;  ///< MarketByPrice is among its domains
};

/// Settings that every tool has.
struct ToolSettings {
    CpuBinding mainThread;
    std::vector<CpuBinding> threads;  ///< one per worker thread
    std::uint32_t tickRate = 0;       ///< bursts a second
    std::uint32_t writeStatsSeconds = 0;
    bool displayStats = true;
    std::optional<std::int32_t> busyPollUs;  ///< looked for events before sleeping; -1: never sleeps
    bool nanoTime = false;                   ///< time stamps in messages are in nanoseconds, not microseconds
    std::string summaryFile;
    std::string statsFile;
    std::string latencyFile;  ///< empty: none
    std::string testInputs;   ///< the `--- TEST INPUTS ---` lines
};

/// Tunnel streams: of a consumer, and of a provider, which takes them always.
struct TunnelSettings {
    bool wanted = false;  ///< the items go through one
    bool login = false;   ///< with a login inside
    bool showBuffers = false;
    std::uint32_t outputBuffers = 0;
};

/// Settings that the tools of the message API have.
struct CommonSettings : ToolSettings {
    TransportSettings transport;
    TunnelSettings tunnel;
    std::vector<std::string> apiThreads;     ///< empty, or one per worker thread
    std::vector<std::string> workerThreads;  ///< empty, or one per worker thread
    bool userDispatch = false;
    bool measureDecode = false;
    bool recover = false;  ///< a lost connection does not end the test
    std::uint32_t genericRate = 0;
    std::int64_t genericLatencyRate = 0;
    std::string messageFile;
};

/// A warm standby pair instead of one provider.
struct WarmStandbySettings {
    bool given = false;
    bool serviceBased = false;
    std::string startingHost, startingPort;
    std::string standbyHost, standbyPort;
};

struct ConsumerSettings : CommonSettings {
    WarmStandbySettings warmStandby;
    std::string consumerName;
    bool consumerNameGiven = false;
    std::string serviceName;
    std::string userName;
    std::string host;  ///< "h:p" as the API wants it; empty: from the configuration
    std::uint32_t itemCount = 0;
    std::uint32_t commonItemCount = 0;
    std::string itemFile;
    std::uint32_t requestRate = 0;
    std::uint32_t postRate = 0;
    std::int64_t postLatencyRate = 0;
    std::uint32_t steadyStateSeconds = 0;
    std::uint32_t steadyStateDelayMs = 0;
    bool snapshot = false;
    bool useServiceId = false;
    bool busyRead = false;
};

/// Settings that both kinds of provider have.
struct PublishingSettings : CommonSettings {
    std::string providerName;
    bool providerNameGiven = false;
    std::uint32_t runSeconds = 0;
    std::uint32_t updateRate = 0;
    std::int64_t updateLatencyRate = 0;
    std::uint32_t refreshBurstSize = 0;
    std::uint32_t imageShare = 25;  ///< percent of a full connection's bytes that images have while they wait
    bool preEncode = false;
    bool measureEncode = false;
    bool stampWhenDue = false;       ///< time stamps say when a message was due, not when it was sent
    std::uint32_t maxPackCount = 1;  ///< 1: no packing
    std::uint32_t packBufferBytes = 0;
};

struct ProviderSettings : PublishingSettings {
    ServiceSettings service;
    std::string port;              ///< empty: from the configuration
    std::uint32_t bookOrders = 0;  ///< a side of generated order books; 0: MarketByOrder from the message file
    bool scatterUpdates = false;   ///< updates jump from item to item instead of following the order of the requests
};

struct NiProviderSettings : PublishingSettings {
    std::string serviceName;
    std::uint16_t serviceId = 0;
    bool useServiceId = false;
    std::string userName;
    std::string host;  ///< "h:p" as the API wants it; empty: from the configuration
    std::uint32_t itemCount = 0;
    std::uint32_t commonItemCount = 0;
    std::string itemFile;
    bool multicastStats = false;
};

struct TransportPerfOptions;  // TransportOptions.h

/// The settings of one tool, seen as all that they are; null: this tool has none of that kind.
struct SettingsView {
    ToolSettings* tool = nullptr;
    CommonSettings* common = nullptr;
    PublishingSettings* publishing = nullptr;
    ConsumerSettings* consumer = nullptr;
    ProviderSettings* provider = nullptr;
    NiProviderSettings* niProvider = nullptr;
    TransportPerfOptions* transport = nullptr;
};

/// Validate the parsed options; throw OptionError with the text for the user.
[[nodiscard]] ConsumerSettings consumerSettings(Options& options);
[[nodiscard]] ProviderSettings providerSettings(Options& options);
[[nodiscard]] NiProviderSettings niProviderSettings(Options& options);

/// The configuration section of thread `number` (from 1): a default name is completed by the number; a name given by
/// the user serves the first thread as it is and is completed by the number for the others.
[[nodiscard]] std::string sectionName(const std::string& name, bool given, std::size_t number);

/// How many of `itemCount` items thread `index` (from 0) of `threads` requests, and where those begin that no other
/// thread has. Every thread has an even share of `itemCount`, the first threads one more; the first `commonCount` items
/// are in everyone's, so all threads together have fewer different items than `itemCount`.
struct ItemShare {
    std::uint32_t common = 0;  ///< items 0 to common-1
    std::uint32_t first = 0;   ///< then `own` items from here
    std::uint32_t own = 0;
    [[nodiscard]] std::uint32_t total() const noexcept { return common + own; }
    /// Where the thread's item stands in the list of all.
    [[nodiscard]] std::uint32_t listIndex(std::uint32_t item) const noexcept {
        return item < common ? item : first + (item - common);
    }
};
[[nodiscard]] ItemShare itemShare(std::uint32_t itemCount, std::uint32_t commonCount, std::size_t threads,
                                  std::size_t index);

}  // namespace emissary::perf
