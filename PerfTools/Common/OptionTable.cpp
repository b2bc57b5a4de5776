// The options of the four performance tools: each stands once, with its bounds, its default and its help.
#include "Settings.h"
#include "TransportOptions.h"

#include <array>
#include <stdexcept>
#include <type_traits>

namespace emissary::perf {

namespace {

// A row names its tools as a set of bits. An option that means something else in another tool has a second row there.
constexpr std::uint8_t kCons = static_cast<std::uint8_t>(Tool::consumer);
constexpr std::uint8_t kProv = static_cast<std::uint8_t>(Tool::provider);
constexpr std::uint8_t kNip = static_cast<std::uint8_t>(Tool::niProvider);
constexpr std::uint8_t kTrans = static_cast<std::uint8_t>(Tool::transport);
constexpr std::uint8_t kBoth = kCons | kProv;
constexpr std::uint8_t kPubs = kProv | kNip;
constexpr std::uint8_t kAll = kCons | kPubs;
constexpr std::int64_t kMaxNumber = std::numeric_limits<std::int32_t>::max();
constexpr auto kNumber = Argument::number;
constexpr auto kText = Argument::text;

// Lists separated by commas, as Options::assign() compares them. A refused kind is listed among the choices as well, so
// that its message says what to use instead of "not one of".
constexpr std::string_view kUnbound = "-1";
constexpr std::string_view kConnTypes = "socket,websocket,http,encrypted,shmem,reliableMCast";
constexpr std::string_view kRefusedConnTypes = "http,reliableMCast";
constexpr std::string_view kInsteadOfConnType =
    "Use encrypted (where there is a proxy, with ProxyHost and ProxyPort of the channel), websocket or socket.";
constexpr std::string_view kNoMulticast = "Use encrypted (where there is a proxy, with ProxyHost and ProxyPort of the "
                                          "channel), websocket or socket; multicast "
                                          "is for non-interactive providers.";

// --- binding of a row to its field: into<&ConsumerSettings::itemCount>, or by way of a part of the settings ----------

template <class T>
struct Member;
template <class C, class T>
struct Member<T C::*> {
    using Class = C;
};

// A field's class says which pointer leads to it. A row that is bound to a class its tool lacks is a mistake in this
// table, and the first run of that tool in any test throws.
template <class C>
[[nodiscard]] C& settingsOf(const SettingsView& view) {
    C* found = nullptr;
    if constexpr (std::is_same_v<C, ToolSettings>) found = view.tool;
    else if constexpr (std::is_same_v<C, CommonSettings>) found = view.common;
    else if constexpr (std::is_same_v<C, PublishingSettings>) found = view.publishing;
    else if constexpr (std::is_same_v<C, ConsumerSettings>) found = view.consumer;
    else if constexpr (std::is_same_v<C, ProviderSettings>) found = view.provider;
    else if constexpr (std::is_same_v<C, TransportPerfOptions>) found = view.transport;
    else found = view.niProvider;
    if (found == nullptr) throw std::logic_error("an option is bound to a field that its tool does not have");
    return *found;
}

void set(std::string& field, const OptionValue& value) {
    field = value.text;
}
void set(bool& field, const OptionValue& value) {
    // A flag has no value: whether it was given is all there is. -useUserDispatch 0 is a number and may say no.
    field = value.isFlag ? value.given : value.number != 0;
}
template <class T>
void set(std::optional<T>& field, const OptionValue& value) {
    // Empty means "as EmaConfig.xml says": a default written here would override the file.
    if (value.given) field = static_cast<T>(value.number);
}
template <class T>
requires std::is_integral_v<T>
void set(T& field, const OptionValue& value) {
    field = static_cast<T>(value.number);  // its range is the row's, or looked at by the validation
}

template <auto Field>
void into(const SettingsView& view, const OptionValue& value) {
    set(settingsOf<typename Member<decltype(Field)>::Class>(view).*Field, value);
}
template <auto Part, auto Field>
void into(const SettingsView& view, const OptionValue& value) {
    auto& part = settingsOf<typename Member<decltype(Part)>::Class>(view).*Part;
    set(part.*Field, value);
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(part)>, TransportSettings>)
        // The tools lay transport options over the configured channels only when at least one was given.
        part.given = part.given || value.given;
}
template <auto Field>
void intoNot(const SettingsView& view, const OptionValue& value) {
    settingsOf<typename Member<decltype(Field)>::Class>(view).*Field = !value.given;
}

// clang-format off
constexpr std::array kTable = {
    // Common to several tools, or with a meaning of their own in each.
    OptionSpec{.name = "--print-config", .tools = kAll,
        .help = "Print all options and every configuration value in effect, with the origin of each, and exit"},
    OptionSpec{.name = "-apiThreads", .tools = kCons, .argument = Argument::cpus, .defaultText = kUnbound,
        .help = "Processors for the library's dispatch threads, one per -threads entry (API dispatch only)",
        .label = "ApiThread List", .position = 7, .show = Show::asGiven},
    OptionSpec{.name = "-apiThreads", .tools = kPubs, .argument = Argument::cpus, .defaultText = kUnbound,
        .help = "Processors for the library's dispatch threads, one per -threads entry (API dispatch only)",
        .label = "ApiThread List", .position = 6, .show = Show::ifGiven},
    // The generator keeps every order of every item in memory: hence the bound.
    OptionSpec{.name = "-bookOrders", .tools = kProv, .argument = kNumber, .defaultText = "0",
        .help = "MarketByOrder and MarketByPrice items have generated order books with about this many orders a side, in step by sequence number; 0: MarketByOrder from the message file",
        .max = 100000,
        .store = into<&ProviderSettings::bookOrders>},
    OptionSpec{.name = "-busyPoll", .tools = kCons | kPubs, .argument = kNumber, .defaultText = "0",
        .help = "Microseconds that the dispatching thread looks for events before it sleeps; -1: it never sleeps. As BusyPoll of the configuration",
        .min = -1, .max = 1'000'000'000,
        .store = into<&ToolSettings::busyPollUs>},
    OptionSpec{.name = "-busyRead", .tools = kCons,
        .help = "User dispatch without waiting: polls, and keeps a processor busy",
        .store = into<&ConsumerSettings::busyRead>},
    OptionSpec{.name = "-calcRWFJSONConversionLatency", .tools = kCons,
        .help = "Latencies always include the JSON conversion, which the library does before it calls the tool",
        .support = Support::noEffect},
    // Whoever connects needs authorities; whoever listens needs a certificate and its key.
    OptionSpec{.name = "-castore", .tools = kCons | kNip, .argument = kText,
        .help = "Certificate authorities to trust in encrypted connections, PEM file or hashed directory",
        .store = into<&CommonSettings::transport, &TransportSettings::caStore>},
    OptionSpec{.name = "-cert", .tools = kProv, .argument = kText, .help = "Certificate of an encrypted server, PEM file",
        .store = into<&CommonSettings::transport, &TransportSettings::certificate>},
    OptionSpec{.name = "-cert", .tools = kNip, .argument = kText,
        .help = "A server's certificate; this tool connects to one and needs -castore only", .support = Support::noEffect},
    OptionSpec{.name = "-cipher", .tools = kProv, .argument = kText, .help = "Cipher list of an encrypted server (TLS 1.2), as OpenSSL writes it",
        .store = into<&CommonSettings::transport, &TransportSettings::cipherSuite>},
    OptionSpec{.name = "-commonItemCount", .tools = kCons, .argument = kNumber, .defaultText = "0",
        .help = "Number of items at the head of the list that every thread has", .label = "Common Item Count", .position = 11,
        .show = Show::asGiven,
        .store = into<&ConsumerSettings::commonItemCount>},
    OptionSpec{.name = "-commonItemCount", .tools = kNip, .argument = kNumber, .defaultText = "0",
        .help = "Number of items at the head of the list that every thread has", .label = "Common Item Count", .position = 13,
        .show = Show::ifGiven,
        .store = into<&NiProviderSettings::commonItemCount>},
    OptionSpec{.name = "-compressionLevel", .tools = kProv, .argument = kNumber, .defaultText = "5", .help = "Level of zlib, 0 to 9",
        .max = 9,
        .store = into<&CommonSettings::transport, &TransportSettings::compressionLevel>},
    OptionSpec{.name = "-compressionType", .tools = kBoth, .argument = Argument::choice, .defaultText = "none",
        .help = "Compression of the connection; takes effect when both ends ask for the same", .choices = "none,zlib,lz4"},
    OptionSpec{.name = "-connType", .tools = kBoth, .argument = Argument::choice, .defaultText = "socket", .help = "Kind of connection",
        .choices = kConnTypes, .refused = kRefusedConnTypes,
        .instead = kNoMulticast},
    OptionSpec{.name = "-connType", .tools = kNip, .argument = Argument::choice, .defaultText = "socket", .help = "Kind of connection",
        .choices = kConnTypes, .refused = "http",
        .instead = kInsteadOfConnType},
    OptionSpec{.name = "-consumerName", .tools = kCons, .argument = kText, .defaultText = "Perf_Consumer_",
        .help = "Consumer section of EmaConfig.xml. The default is completed with the thread's number; "
                "a given name is used as it is by the first thread and completed by the others",
        .store = into<&ConsumerSettings::consumerName>},
    // The bounds of the command line are wider than the allowed values: Settings.cpp refuses with the guide's own text.
    OptionSpec{.name = "-delaySteadyStateCalc", .tools = kCons, .argument = kNumber, .defaultText = "0",
        .help = "Milliseconds between the last image and the first latency of the steady state, 0 to 30000",
        .label = "Delay Steady State Time", .position = 2, .show = Show::asGiven, .min = -kMaxNumber,
        .store = into<&ConsumerSettings::steadyStateDelayMs>},
    OptionSpec{.name = "-directWrite", .tools = kPubs, .help = "Write every message to the socket at once",
        .store = into<&CommonSettings::transport, &TransportSettings::directWrite>},
    OptionSpec{.name = "-encryptedConnType", .tools = kCons | kNip, .argument = Argument::choice, .defaultText = "socket",
        .help = "Protocol inside an encrypted connection", .choices = "socket,websocket,http", .refused = "http",
        .instead = "Use socket or websocket."},
    OptionSpec{.name = "-genericMsgLatencyRate", .tools = kCons, .argument = Argument::rate, .defaultText = "0",
        .help = "Generic messages with a time stamp per second, or all", .label = "Latency Generic Msg Rate", .position = 17,
        .show = Show::asGiven,
        .store = into<&CommonSettings::genericLatencyRate>},
    OptionSpec{.name = "-genericMsgLatencyRate", .tools = kProv, .argument = Argument::rate, .defaultText = "0",
        .help = "Generic messages with a time stamp per second, or all", .label = "Latency Generic Msg Rate", .position = 17,
        .show = Show::asGiven,
        .store = into<&CommonSettings::genericLatencyRate>},
    OptionSpec{.name = "-genericMsgRate", .tools = kCons, .argument = kNumber, .defaultText = "0",
        .help = "Generic messages sent per second on each connection", .label = "Generic Msg Rate", .position = 16,
        .show = Show::asGiven,
        .store = into<&CommonSettings::genericRate>},
    OptionSpec{.name = "-genericMsgRate", .tools = kProv, .argument = kNumber, .defaultText = "0",
        .help = "Generic messages sent per second on each connection", .label = "Generic Msg Rate", .position = 16,
        .show = Show::asGiven,
        .store = into<&CommonSettings::genericRate>},
    OptionSpec{.name = "-h", .tools = kCons, .argument = kText, .help = "Host of the provider; the default is in EmaConfig.xml"},
    OptionSpec{.name = "-h", .tools = kNip, .argument = kText, .help = "Host to publish to; the default is in EmaConfig.xml"},
    OptionSpec{.name = "-highWaterMark", .tools = kAll, .argument = kNumber, .help = "Bytes of waiting output that cause a write; the default is in EmaConfig.xml",
        .max = kMaxNumber,
        .store = into<&CommonSettings::transport, &TransportSettings::highWaterMark>},
    OptionSpec{.name = "-if", .tools = kAll, .argument = kText, .help = "Network interface, by name or address",
        .store = into<&CommonSettings::transport, &TransportSettings::interfaceName>},
    OptionSpec{.name = "-imageShare", .tools = kPubs, .argument = kNumber, .defaultText = "25",
        .help = "Percent of a connection's bytes for images while some wait, when the connection takes less than all updates",
        .label = "Image Share", .position = 20, .show = Show::ifGiven, .min = 1, .max = 99,
        .store = into<&PublishingSettings::imageShare>},
    OptionSpec{.name = "-inputBufs", .tools = kCons, .argument = kNumber, .help = "Input buffers; the default is in EmaConfig.xml", .min = 1,
        .store = into<&CommonSettings::transport, &TransportSettings::inputBuffers>},
    OptionSpec{.name = "-itemCount", .tools = kCons, .argument = kNumber, .defaultText = "100000",
        .help = "Items requested over all threads", .label = "Item Count", .position = 10, .show = Show::asGiven, .min = 1,
        .store = into<&ConsumerSettings::itemCount>},
    OptionSpec{.name = "-itemCount", .tools = kNip, .argument = kNumber, .defaultText = "100000",
        .help = "Items published over all threads", .label = "Item Count", .position = 13, .show = Show::asGiven, .min = 1,
        .store = into<&NiProviderSettings::itemCount>},
    OptionSpec{.name = "-itemFile", .tools = kCons, .argument = kText, .defaultText = "350k.xml", .help = "Item list",
        .label = "Item File", .position = 18, .show = Show::asGiven,
        .store = into<&ConsumerSettings::itemFile>},
    OptionSpec{.name = "-itemFile", .tools = kNip, .argument = kText, .defaultText = "350k.xml", .help = "Item list",
        .label = "Item File", .position = 19, .show = Show::asGiven,
        .store = into<&NiProviderSettings::itemFile>},
    OptionSpec{.name = "-key", .tools = kNip, .argument = kText,
        .help = "A server's private key; this tool connects to one and needs -castore only", .support = Support::noEffect},
    OptionSpec{.name = "-keyfile", .tools = kProv, .argument = kText, .help = "Private key of an encrypted server, PEM file",
        .store = into<&CommonSettings::transport, &TransportSettings::privateKey>},
    OptionSpec{.name = "-latencyFile", .tools = kCons, .argument = kText,
        .help = "Base name of the log of single latencies; the thread's number and .csv are added",
        .label = "Latency Log File", .position = 22, .show = Show::asGiven, .unset = "(none)",
        .store = into<&ToolSettings::latencyFile>},
    OptionSpec{.name = "-latencyFile", .tools = kProv, .argument = kText,
        .help = "Base name of the log of single latencies; the thread's number and .csv are added",
        .label = "Latency Log File", .position = 10, .show = Show::asGiven, .unset = "(none)",
        .store = into<&ToolSettings::latencyFile>},
    OptionSpec{.name = "-latencyUpdateRate", .tools = kPubs, .argument = Argument::rate, .defaultText = "10",
        .help = "Updates with a time stamp per second and connection, or all", .label = "Latency Update Rate", .position = 15,
        .show = Show::asGiven,
        .store = into<&PublishingSettings::updateLatencyRate>},
    OptionSpec{.name = "-mainThread", .tools = kCons, .argument = Argument::cpus, .defaultText = kUnbound,
        .help = "Processor for the main thread", .label = "mainThread", .position = 5, .show = Show::asGiven},
    OptionSpec{.name = "-mainThread", .tools = kPubs, .argument = Argument::cpus, .defaultText = kUnbound,
        .help = "Processor for the main thread", .label = "mainThread CpuId", .position = 4, .show = Show::asGiven},
    // RWF frames have a length of 16 bits; JSON over WebSocket has no such limit.
    OptionSpec{.name = "-maxFragmentSize", .tools = kProv, .argument = kNumber, .help = "Largest piece of a message on the wire, above 65535 for JSON alone; the default is in EmaConfig.xml",
        .min = 64, .max = 6291456,
        .store = into<&CommonSettings::transport, &TransportSettings::maxFragmentBytes>},
    OptionSpec{.name = "-maxOutputBuffer", .tools = kCons, .argument = kNumber,
        .help = "Most output buffers of the channel; fewer than the guaranteed ones: as many as those",
        .store = into<&CommonSettings::transport, &TransportSettings::maxOutputBuffers>},
    OptionSpec{.name = "-maxOutputBufs", .tools = kProv, .argument = kNumber,
        .help = "Most output buffers of a client; fewer than the guaranteed ones: as many as those",
        .store = into<&CommonSettings::transport, &TransportSettings::maxOutputBuffers>},
    OptionSpec{.name = "-maxPackCount", .tools = kPubs, .argument = kNumber, .defaultText = "1",
        .help = "Updates packed into one buffer; more than 1 turns packing on", .label = "Packing", .position = 20,
        .show = Show::ifGiven, .min = 1,
        .store = into<&PublishingSettings::maxPackCount>},
    OptionSpec{.name = "-mcastStats", .tools = kNip, .help = "Print the statistics of a multicast connection",
        .store = into<&NiProviderSettings::multicastStats>},
    OptionSpec{.name = "-measureDecode", .tools = kAll, .help = "Measure the time to decode received messages",
        .label = "Measure Decode", .position = 24, .show = Show::ifGiven,
        .store = into<&CommonSettings::measureDecode>},
    OptionSpec{.name = "-measureEncode", .tools = kPubs, .help = "Measure the time to encode messages with a time stamp",
        .label = "Measure Encode", .position = 22, .show = Show::yesNo,
        .store = into<&PublishingSettings::measureEncode>},
    OptionSpec{.name = "-msgFile", .tools = kCons, .argument = kText, .defaultText = "MsgData.xml",
        .help = "Message templates, for posts and generic messages", .label = "Data File", .position = 19, .show = Show::asGiven,
        .store = into<&CommonSettings::messageFile>},
    OptionSpec{.name = "-msgFile", .tools = kPubs, .argument = kText, .defaultText = "MsgData.xml", .help = "Message templates",
        .label = "Data File", .position = 19, .show = Show::asGiven,
        .store = into<&CommonSettings::messageFile>},
    OptionSpec{.name = "-nanoTime", .tools = kCons, .help = "Time stamps are in nanoseconds instead of microseconds",
        .store = into<&ToolSettings::nanoTime>},
    OptionSpec{.name = "-nanoTime", .tools = kPubs, .help = "Time stamps are in nanoseconds instead of microseconds",
        .label = "Nanosecond Time", .position = 21, .show = Show::yesNo,
        .store = into<&ToolSettings::nanoTime>},
    OptionSpec{.name = "-noDisplayStats", .tools = kCons, .help = "Nothing periodic on the console",
        .store = intoNot<&ToolSettings::displayStats>},
    OptionSpec{.name = "-noDisplayStats", .tools = kPubs, .help = "Nothing periodic on the console", .label = "Display Stats",
        .position = 12, .show = Show::asGiven,
        .store = intoNot<&ToolSettings::displayStats>},
    OptionSpec{.name = "-openLimit", .tools = kProv, .argument = kNumber, .defaultText = "1000000",
        .help = "Most items that a client may have open. Given, it is also published for the service, which replaces the configured directory",
        .store = into<&ProviderSettings::service, &ServiceSettings::openLimit>},
    OptionSpec{.name = "-outputBufs", .tools = kAll, .argument = kNumber, .help = "Guaranteed output buffers; the default is in EmaConfig.xml", .min = 1,
        .store = into<&CommonSettings::transport, &TransportSettings::outputBuffers>},
    OptionSpec{.name = "-p", .tools = kCons, .argument = kText, .help = "Port of the provider; the default is in EmaConfig.xml"},
    OptionSpec{.name = "-p", .tools = kProv, .argument = kText, .help = "Port to listen on; the default is in EmaConfig.xml",
        .store = into<&ProviderSettings::port>},
    OptionSpec{.name = "-p", .tools = kNip, .argument = kText, .help = "Port to publish to; the default is in EmaConfig.xml"},
    OptionSpec{.name = "-packBufSize", .tools = kPubs, .argument = kNumber, .defaultText = "6000", .help = "Buffer size for packing",
        .label = "Pack Buffer Size", .position = 20, .show = Show::ifGiven, .min = 1,
        .store = into<&PublishingSettings::packBufferBytes>},
    OptionSpec{.name = "-pl", .tools = kBoth, .argument = kText,
        .help = "WebSocket sub-protocols, best first: rssl.json.v2, rssl.rwf, tr_json2",
        .store = into<&CommonSettings::transport, &TransportSettings::webSocketProtocols>},
    OptionSpec{.name = "-postingLatencyRate", .tools = kCons, .argument = Argument::rate, .defaultText = "0",
        .help = "Posts with a time stamp per second, or all", .label = "Latency Posting Rate", .position = 15, .show = Show::asGiven,
        .store = into<&ConsumerSettings::postLatencyRate>},
    OptionSpec{.name = "-postingRate", .tools = kCons, .argument = kNumber, .defaultText = "0",
        .help = "Posts sent per second on each connection", .label = "Posting Rate", .position = 14, .show = Show::asGiven,
        .store = into<&ConsumerSettings::postRate>},
    OptionSpec{.name = "-preEnc", .tools = kPubs, .help = "Encode updates and generic messages without a time stamp once, at the start",
        .label = "Pre-Encoded Updates", .position = 20, .show = Show::yesNo,
        .store = into<&PublishingSettings::preEncode>},
    OptionSpec{.name = "-primeJVM", .tools = kCons, .help = "For command lines of the Java tools", .support = Support::noEffect},
    OptionSpec{.name = "-providerName", .tools = kProv, .argument = kText, .defaultText = "Perf_Provider_",
        .help = "IProvider section of EmaConfig.xml. The default is completed with the thread's number; "
                "a given name is used as it is by the first thread and completed by the others",
        .label = "Provider Name", .position = 2, .show = Show::asGiven,
        .store = into<&PublishingSettings::providerName>},
    OptionSpec{.name = "-providerName", .tools = kNip, .argument = kText, .defaultText = "Perf_NIPProvider_",
        .help = "NiProvider section of EmaConfig.xml. The default is completed with the thread's number; "
                "a given name is used as it is by the first thread and completed by the others",
        .label = "Provider Name", .position = 2, .show = Show::asGiven,
        .store = into<&PublishingSettings::providerName>},
    OptionSpec{.name = "-ra", .tools = kNip, .argument = kText, .help = "Group that a multicast connection hears",
        .store = into<&CommonSettings::transport, &TransportSettings::receiveAddress>},
    OptionSpec{.name = "-reactor", .tools = kAll, .help = "The tools always use the reactor", .support = Support::noEffect},
    OptionSpec{.name = "-recover", .tools = kCons | kNip,
        .help = "A lost connection does not end the test: it goes on when the connection is back. "
                "The summary counts recoveries and seconds without data", .label = "Recover", .position = 24, .show = Show::ifGiven,
        .store = into<&CommonSettings::recover>},
    OptionSpec{.name = "-recvBufSize", .tools = kAll, .argument = kNumber, .help = "Receive buffer of the socket in bytes; the default is in EmaConfig.xml",
        .store = into<&CommonSettings::transport, &TransportSettings::receiveBufferBytes>},
    OptionSpec{.name = "-refreshBurstSize", .tools = kPubs, .argument = kNumber, .defaultText = "10",
        .help = "Images sent between two looks at the clock", .label = "Refresh Burst Size", .position = 18, .show = Show::asGiven, .min = 1,
        .store = into<&PublishingSettings::refreshBurstSize>},
    OptionSpec{.name = "-rp", .tools = kNip, .argument = kText, .help = "Port of -ra",
        .store = into<&CommonSettings::transport, &TransportSettings::receivePort>},
    // Zero and negative rates reach the validation, which compares them with the tick rate.
    OptionSpec{.name = "-requestRate", .tools = kCons, .argument = kNumber, .defaultText = "35000",
        .help = "Item requests per second on each connection", .label = "Request Rate", .position = 12, .show = Show::asGiven, .min = -kMaxNumber,
        .store = into<&ConsumerSettings::requestRate>},
    OptionSpec{.name = "-runTime", .tools = kPubs, .argument = kNumber, .defaultText = "360", .help = "Seconds to run",
        .label = "Run Time", .position = 1, .show = Show::asGiven, .min = 1,
        .store = into<&PublishingSettings::runSeconds>},
    OptionSpec{.name = "-sa", .tools = kNip, .argument = kText, .help = "Group that a multicast connection sends to",
        .store = into<&CommonSettings::transport, &TransportSettings::sendAddress>},
    OptionSpec{.name = "-scatterUpdates", .tools = kProv,
        .help = "Updates jump from item to item, as those of a market do, instead of following the order of the requests",
        .store = into<&ProviderSettings::scatterUpdates>},
    OptionSpec{.name = "-sendBufSize", .tools = kAll, .argument = kNumber, .help = "Send buffer of the socket in bytes; the default is in EmaConfig.xml",
        .store = into<&CommonSettings::transport, &TransportSettings::sendBufferBytes>},
    OptionSpec{.name = "-serviceId", .tools = kProv, .argument = kNumber, .defaultText = "1",
        .help = "Id of the published service; given, it replaces the configured directory", .max = 65535,
        .store = into<&ProviderSettings::service, &ServiceSettings::id>},
    OptionSpec{.name = "-serviceId", .tools = kNip, .argument = kNumber, .defaultText = "1",
        .help = "Id of the service, for -useServiceId", .label = "Service ID", .position = 19, .show = Show::ifGiven, .max = 65535,
        .store = into<&NiProviderSettings::serviceId>},
    OptionSpec{.name = "-serviceName", .tools = kCons, .argument = kText, .defaultText = "DIRECT_FEED",
        .help = "Service that offers the items", .label = "Service", .position = 3, .show = Show::asGiven,
        .store = into<&ConsumerSettings::serviceName>},
    OptionSpec{.name = "-serviceName", .tools = kProv, .argument = kText, .defaultText = "DIRECT_FEED",
        .help = "Name of the published service; given, it replaces the configured directory",
        .store = into<&ProviderSettings::service, &ServiceSettings::name>},
    OptionSpec{.name = "-serviceName", .tools = kNip, .argument = kText, .defaultText = "DIRECT_FEED",
        .help = "Service that the items belong to; it must be in the published directory", .label = "Service Name", .position = 19,
        .show = Show::asGiven,
        .store = into<&NiProviderSettings::serviceName>},
    OptionSpec{.name = "-snapshot", .tools = kCons, .help = "Request every item without updates and end after the last image",
        .label = "Request Snapshots", .position = 13, .show = Show::yesNo,
        .store = into<&ConsumerSettings::snapshot>},
    OptionSpec{.name = "-sp", .tools = kNip, .argument = kText, .help = "Port of -sa",
        .store = into<&CommonSettings::transport, &TransportSettings::sendPort>},
    OptionSpec{.name = "-spTLSv1.2", .tools = kCons, .help = "Encrypt with TLS 1.2; with neither of the two both are allowed"},
    OptionSpec{.name = "-spTLSv1.3", .tools = kCons, .help = "Encrypt with TLS 1.3; with neither of the two both are allowed"},
    OptionSpec{.name = "-standbyHostName", .tools = kCons, .argument = kText, .help = "Standby host of a warm standby pair",
        .store = into<&ConsumerSettings::warmStandby, &WarmStandbySettings::standbyHost>},
    OptionSpec{.name = "-standbyPort", .tools = kCons, .argument = kText, .help = "Port of -standbyHostName",
        .store = into<&ConsumerSettings::warmStandby, &WarmStandbySettings::standbyPort>},
    OptionSpec{.name = "-startingHostName", .tools = kCons, .argument = kText, .help = "First host of a warm standby pair, instead of -h",
        .store = into<&ConsumerSettings::warmStandby, &WarmStandbySettings::startingHost>},
    OptionSpec{.name = "-startingPort", .tools = kCons, .argument = kText, .help = "Port of -startingHostName",
        .store = into<&ConsumerSettings::warmStandby, &WarmStandbySettings::startingPort>},
    OptionSpec{.name = "-stampWhenDue", .tools = kPubs,
        .help = "Time stamps say when a message was due, not when it was sent: a provider that was held up shows in the latencies",
        .label = "Stamp When Due", .position = 21, .show = Show::ifGiven,
        .store = into<&PublishingSettings::stampWhenDue>},
    OptionSpec{.name = "-statsFile", .tools = kCons, .argument = kText, .defaultText = "ConsStats",
        .help = "Base name of the statistics; the thread's number and .csv are added", .label = "Stats File", .position = 21, .show = Show::asGiven,
        .store = into<&ToolSettings::statsFile>},
    OptionSpec{.name = "-statsFile", .tools = kProv, .argument = kText, .defaultText = "ProvStats",
        .help = "Base name of the statistics; the thread's number and .csv are added", .label = "Stats File", .position = 9, .show = Show::asGiven,
        .store = into<&ToolSettings::statsFile>},
    OptionSpec{.name = "-statsFile", .tools = kNip, .argument = kText, .defaultText = "NIProvStats",
        .help = "Base name of the statistics; the thread's number and .csv are added", .label = "Stats File", .position = 9, .show = Show::asGiven,
        .store = into<&ToolSettings::statsFile>},
    OptionSpec{.name = "-steadyStateTime", .tools = kCons, .argument = kNumber, .defaultText = "300",
        .help = "Seconds of steady state; also the longest wait for all images, and before them for provider and service", .label = "Steady State Time", .position = 1, .show = Show::asGiven,
        .store = into<&ConsumerSettings::steadyStateSeconds>},
    OptionSpec{.name = "-summaryFile", .tools = kCons, .argument = kText, .defaultText = "ConsSummary.out", .help = "Summary",
        .label = "Summary File", .position = 20, .show = Show::asGiven,
        .store = into<&ToolSettings::summaryFile>},
    OptionSpec{.name = "-summaryFile", .tools = kProv, .argument = kText, .defaultText = "ProvSummary.out", .help = "Summary",
        .label = "Summary File", .position = 8, .show = Show::asGiven,
        .store = into<&ToolSettings::summaryFile>},
    OptionSpec{.name = "-summaryFile", .tools = kNip, .argument = kText, .defaultText = "NIProvSummary.out", .help = "Summary",
        .label = "Summary File", .position = 8, .show = Show::asGiven,
        .store = into<&ToolSettings::summaryFile>},
    OptionSpec{.name = "-tcpDelay", .tools = kAll, .help = "Let the kernel gather small packets (Nagle's algorithm)",
        .store = into<&CommonSettings::transport, &TransportSettings::tcpDelay>},
    OptionSpec{.name = "-threads", .tools = kCons, .argument = Argument::cpus, .defaultText = kUnbound,
        .help = "Processors for the worker threads; as many threads, each with a connection, as there are values",
        .label = "Thread List", .position = 6, .show = Show::asGiven},
    OptionSpec{.name = "-threads", .tools = kPubs, .argument = Argument::cpus, .defaultText = kUnbound,
        .help = "Processors for the worker threads; as many threads, each with a provider, as there are values",
        .label = "Thread List", .position = 5, .show = Show::asGiven},
    OptionSpec{.name = "-tickRate", .tools = kCons, .argument = kNumber, .defaultText = "1000",
        .help = "Ticks per second: messages leave in one burst per tick", .label = "Tick Rate", .position = 23, .show = Show::asGiven, .min = -kMaxNumber, .max = 1'000'000,
        .store = into<&ToolSettings::tickRate>},
    OptionSpec{.name = "-tickRate", .tools = kPubs, .argument = kNumber, .defaultText = "1000",
        .help = "Ticks per second: messages leave in one burst per tick", .label = "Tick Rate", .position = 13, .show = Show::asGiven, .min = -kMaxNumber, .max = 1'000'000,
        .store = into<&ToolSettings::tickRate>},
    OptionSpec{.name = "-tunnel", .tools = kCons,
        .help = "Exchange the items, posts and generic messages inside a tunnel stream, once the service lists System among its Capabilities",
        .label = "Tunnel Enabled", .position = 31, .show = Show::ifGiven,
        .store = into<&CommonSettings::tunnel, &TunnelSettings::wanted>},
    OptionSpec{.name = "-tunnelAuth", .tools = kCons, .help = "Log in inside the tunnel stream, as on the connection; with -tunnel",
        .label = "Tunnel Authentication", .position = 32, .show = Show::ifGiven,
        .store = into<&CommonSettings::tunnel, &TunnelSettings::login>},
    OptionSpec{.name = "-tunnelStreamBuffersUsed", .tools = kCons,
        .help = "Print how many output buffers of the tunnel stream are in use, as seen at every message sent; with -tunnel",
        .label = "Print Usage Tunnel Bufs", .position = 34, .show = Show::ifGiven,
        .store = into<&CommonSettings::tunnel, &TunnelSettings::showBuffers>},
    OptionSpec{.name = "-tunnelStreamBuffersUsed", .tools = kProv,
        .help = "Print how many output buffers of tunnel streams are in use, as seen at every message sent into one",
        .label = "Print Usage Tunnel Bufs", .position = 34, .show = Show::ifGiven,
        .store = into<&CommonSettings::tunnel, &TunnelSettings::showBuffers>},
    // One buffer is a fragment: a message of 20 KB takes four.
    OptionSpec{.name = "-tunnelStreamOutputBufs", .tools = kCons, .argument = kNumber, .defaultText = "5000",
        .help = "Output buffers of the tunnel stream: messages, fragments of 6144 bytes each one, that may wait or be unacknowledged; with -tunnel",
        .label = "Output Tunnel Buffers", .position = 33, .show = Show::ifGiven, .min = 1,
        .store = into<&CommonSettings::tunnel, &TunnelSettings::outputBuffers>},
    OptionSpec{.name = "-tunnelStreamOutputBufs", .tools = kProv, .argument = kNumber, .defaultText = "5000",
        .help = "Output buffers of each tunnel stream that a consumer opens: messages, fragments of 6144 bytes each one, that may wait or be unacknowledged",
        .label = "Output Tunnel Buffers", .position = 33, .show = Show::ifGiven, .min = 1,
        .store = into<&CommonSettings::tunnel, &TunnelSettings::outputBuffers>},
    OptionSpec{.name = "-u", .tools = kNip, .argument = kText, .help = "Own port of a multicast connection, for requests for repair; 0: any",
        .store = into<&CommonSettings::transport, &TransportSettings::unicastPort>},
    OptionSpec{.name = "-uname", .tools = kCons, .argument = kText, .help = "User name of the login; the system's login name without it",
        .label = "Username", .position = 9, .show = Show::asGiven, .unset = "(use system login name)",
        .store = into<&ConsumerSettings::userName>},
    OptionSpec{.name = "-uname", .tools = kNip, .argument = kText, .help = "User name of the login; the system's login name without it",
        .store = into<&NiProviderSettings::userName>},
    OptionSpec{.name = "-updateRate", .tools = kPubs, .argument = kNumber, .defaultText = "100000",
        .help = "Updates sent per second on each connection", .label = "Update Rate", .position = 14, .show = Show::asGiven,
        .store = into<&PublishingSettings::updateRate>},
    OptionSpec{.name = "-useServiceId", .tools = kCons, .argument = kNumber, .defaultText = "0",
        .help = "1: put the service's id instead of its name into requests", .max = 1,
        .store = into<&ConsumerSettings::useServiceId>},
    OptionSpec{.name = "-useServiceId", .tools = kNip, .help = "Put the service's id instead of its name into messages",
        .store = into<&NiProviderSettings::useServiceId>},
    OptionSpec{.name = "-useUserDispatch", .tools = kCons, .argument = kNumber, .defaultText = "0",
        .help = "1: the tool's own thread dispatches received messages; 0: a thread of the library does",
        .label = "useUserDispatch", .position = 4, .show = Show::asGiven, .max = 1,
        .store = into<&CommonSettings::userDispatch>},
    OptionSpec{.name = "-useUserDispatch", .tools = kPubs, .argument = kNumber, .defaultText = "0",
        .help = "1: the tool's own thread dispatches received messages; 0: a thread of the library does",
        .label = "useUserDispatch", .position = 3, .show = Show::yesNo, .max = 1,
        .store = into<&CommonSettings::userDispatch>},
    OptionSpec{.name = "-warmStandbyMode", .tools = kCons, .argument = Argument::choice, .defaultText = "login",
        .help = "What a warm standby pair switches over: everything, or single services", .choices = "login,service"},
    OptionSpec{.name = "-watchlist", .tools = kCons, .help = "The tools always use the watchlist", .support = Support::noEffect},
    // EmaConfig.xml has a section for each sub-protocol; this option chooses one, so that -consumerName is not needed.
    OptionSpec{.name = "-websocket", .tools = kCons, .argument = Argument::choice,
        .help = "WebSocket with this protocol; sections Perf_Consumer_WSJSON_ or Perf_Consumer_WSRWF_ unless -consumerName says another",
        .choices = "rssl.json.v2,rssl.rwf"},
    OptionSpec{.name = "-workerThreads", .tools = kCons, .argument = Argument::cpus,
        .help = "Processors for the library's worker threads, one per -threads entry", .label = "WorkerThread List", .position = 8, .show = Show::ifGiven},
    OptionSpec{.name = "-workerThreads", .tools = kPubs, .argument = Argument::cpus,
        .help = "Processors for the library's worker threads, one per -threads entry", .label = "WorkerThread List", .position = 7, .show = Show::ifGiven},
    OptionSpec{.name = "-writeStatsInterval", .tools = kCons, .argument = kNumber, .defaultText = "5",
        .help = "Seconds between two lines of statistics", .min = -kMaxNumber,
        .store = into<&ToolSettings::writeStatsSeconds>},
    OptionSpec{.name = "-writeStatsInterval", .tools = kPubs, .argument = kNumber, .defaultText = "5",
        .help = "Seconds between two lines of statistics", .label = "Write Stats Interval", .position = 11, .show = Show::asGiven, .min = -kMaxNumber,
        .store = into<&ToolSettings::writeStatsSeconds>},

    // TransportPerf.
    OptionSpec{.name = "-appType", .tools = kTrans, .argument = Argument::choice, .defaultText = "server",
        .help = "Which end of the connection this is", .label = "App Type", .position = 7, .show = Show::asGiven, .choices = "server,client"},
    // Rows of its own, for the same names mean bytes on a socket here and not messages of the API.
    OptionSpec{.name = "-busyRead", .tools = kTrans, .help = "Poll for input instead of waiting for it; keeps a processor busy",
        .label = "Busy Read", .position = 9, .show = Show::yesNo,
        .store = into<&TransportPerfOptions::busyRead>},
    OptionSpec{.name = "-castore", .tools = kTrans, .argument = kText, .help = "Certificate authorities that a client trusts, PEM file or hashed directory",
        .label = "CA Store", .position = 3, .show = Show::ifGiven,
        .store = into<&TransportPerfOptions::caStore>},
    OptionSpec{.name = "-cert", .tools = kTrans, .argument = kText, .help = "Certificate of an encrypted server, PEM file",
        .label = "Server Certificate", .position = 3, .show = Show::ifGiven,
        .store = into<&TransportPerfOptions::certificate>},
    OptionSpec{.name = "-compressionLevel", .tools = kTrans, .argument = kNumber, .defaultText = "5", .help = "Level of zlib, 0 to 9 (server)",
        .label = "Compression Level", .position = 19, .show = Show::asGiven, .max = 9,
        .store = into<&TransportPerfOptions::compressionLevel>},
    OptionSpec{.name = "-compressionType", .tools = kTrans, .argument = Argument::choice, .defaultText = "none",
        .help = "Compression; a server that is given one uses it for every client", .label = "Compression Type", .position = 18, .show = Show::asGiven,
        .choices = "none,zlib,lz4"},
    OptionSpec{.name = "-connType", .tools = kTrans, .argument = Argument::choice, .defaultText = "socket", .help = "Kind of connection",
        .label = "Connection Type", .position = 2, .show = Show::asGiven, .choices = "socket,websocket,encrypted,http,reliableMCast,seqMCast,shmem",
        .refused = "http",
        .instead = "Use socket, websocket, encrypted, reliableMCast, seqMCast or shmem; RSSL_HTTP is a tunnel, and through an "
                   "HTTP proxy go encrypted and websocket (ProxyHost and ProxyPort, in the tools of EMA)."},
    OptionSpec{.name = "-directWrite", .tools = kTrans, .help = "Write every message to the socket at once", .label = "Use Direct Writes",
        .position = 23, .show = Show::yesNo,
        .store = into<&TransportPerfOptions::directWrite>},
    OptionSpec{.name = "-encryptedConnType", .tools = kTrans, .argument = Argument::choice, .defaultText = "socket",
        .help = "Protocol inside an encrypted connection (client)", .label = "Encrypted Conn Type", .position = 3, .show = Show::ifGiven,
        .choices = "socket,websocket"},
    OptionSpec{.name = "-h", .tools = kTrans, .argument = kText, .defaultText = "localhost", .help = "Host that a client connects to",
        .label = "Hostname", .position = 5, .show = Show::asGiven,
        .store = into<&TransportPerfOptions::host>},
    OptionSpec{.name = "-highWaterMark", .tools = kTrans, .argument = kNumber, .defaultText = "6000", .help = "Bytes of waiting output that cause a write",
        .label = "High Water Mark", .position = 17, .show = Show::asGiven,
        .store = into<&TransportPerfOptions::highWaterMark>},
    OptionSpec{.name = "-if", .tools = kTrans, .argument = kText, .help = "Network interface, by name or address", .label = "Interface Name",
        .position = 20, .show = Show::asGiven, .unset = "(use default)",
        .store = into<&TransportPerfOptions::interfaceName>},
    OptionSpec{.name = "-inputBufs", .tools = kTrans, .argument = kNumber, .defaultText = "50", .help = "Input buffers", .min = 1,
        .store = into<&TransportPerfOptions::inputBufs>},
    OptionSpec{.name = "-keyfile", .tools = kTrans, .argument = kText, .help = "Private key of an encrypted server, PEM file",
        .label = "Server Key", .position = 4, .show = Show::ifGiven,
        .store = into<&TransportPerfOptions::privateKey>},
    OptionSpec{.name = "-latencyFile", .tools = kTrans, .argument = kText,
        .help = "Base name of the log of single latencies; the thread's number and .csv are added",
        .label = "Latency Log File", .position = 24, .show = Show::asGiven, .unset = "(none)",
        .store = into<&ToolSettings::latencyFile>},
    OptionSpec{.name = "-latencyMsgRate", .tools = kTrans, .argument = Argument::rate, .defaultText = "10",
        .help = "Messages with a time stamp per second and connection, or all", .label = "Latency Msg Rate", .position = 12, .show = Show::asGiven,
        .store = into<&TransportPerfOptions::latencyRate>},
    OptionSpec{.name = "-mainThread", .tools = kTrans, .argument = Argument::cpus, .defaultText = kUnbound, .help = "Processor for the main thread"},
    OptionSpec{.name = "-maxFragmentSize", .tools = kTrans, .argument = kNumber, .defaultText = "6144",
        .help = "Largest piece of a message on the wire (server), above 65535 for JSON alone", .label = "Max Fragment Size", .position = 14, .show = Show::asGiven, .min = 64, .max = 6291456,
        .store = into<&TransportPerfOptions::maxFragmentSize>},
    OptionSpec{.name = "-mcastStats", .tools = kTrans, .help = "Print the statistics of multicast connections",
        .store = into<&TransportPerfOptions::multicastStats>},
    OptionSpec{.name = "-msgRate", .tools = kTrans, .argument = kNumber, .defaultText = "100000", .help = "Messages sent per second on each connection",
        .label = "Msg Rate", .position = 11, .show = Show::asGiven,
        .store = into<&TransportPerfOptions::messageRate>},
    OptionSpec{.name = "-msgSize", .tools = kTrans, .argument = kNumber, .defaultText = "76", .help = "Bytes of a message", .label = "Msg Size",
        .position = 10, .show = Show::asGiven, .min = 16, .max = 16'777'216,
        .store = into<&TransportPerfOptions::messageBytes>},
    OptionSpec{.name = "-noDisplayStats", .tools = kTrans, .help = "Nothing periodic on the console", .label = "Display Stats", .position = 28,
        .show = Show::asGiven,
        .store = intoNot<&ToolSettings::displayStats>},
    OptionSpec{.name = "-outputBufs", .tools = kTrans, .argument = kNumber, .defaultText = "5000", .help = "Guaranteed output buffers",
        .label = "Output Buffers", .position = 13, .show = Show::asGiven, .min = 1,
        .store = into<&TransportPerfOptions::outputBufs>},
    OptionSpec{.name = "-p", .tools = kTrans, .argument = kText, .defaultText = "14002", .help = "Port", .label = "Port", .position = 6, .show = Show::asGiven,
        .store = into<&TransportPerfOptions::port>},
    OptionSpec{.name = "-pack", .tools = kTrans, .argument = kNumber, .defaultText = "1", .help = "Messages packed into one buffer; 1: none",
        .label = "Packing", .position = 29, .show = Show::asGiven, .min = 1, .max = 65535,
        .store = into<&TransportPerfOptions::packCount>},
    OptionSpec{.name = "-pl", .tools = kTrans, .argument = Argument::choice, .defaultText = "rssl.rwf",
        .help = "WebSocket sub-protocol", .choices = "rssl.rwf,rssl.json.v2,tr_json2", .refused = "rssl.json.v2,tr_json2",
        .instead = "The messages of this tool are bytes, not JSON text; use rssl.rwf.",
        .store = into<&TransportPerfOptions::protocols>},
    OptionSpec{.name = "-ra", .tools = kTrans, .argument = kText, .help = "Group that a multicast connection hears",
        .label = "Recv Address", .position = 4, .show = Show::ifGiven,
        .store = into<&TransportPerfOptions::receiveAddress>},
    OptionSpec{.name = "-recvBufSize", .tools = kTrans, .argument = kNumber, .defaultText = "0", .help = "Receive buffer of the socket in bytes; 0: the system's default",
        .label = "Recv Buffer Size", .position = 16, .show = Show::asGiven,
        .store = into<&TransportPerfOptions::recvBufSize>},
    OptionSpec{.name = "-reflectMsgs", .tools = kTrans, .help = "Send every received message back instead of making new ones",
        .store = into<&TransportPerfOptions::reflect>},
    OptionSpec{.name = "-rp", .tools = kTrans, .argument = kText, .help = "Port of -ra",
        .label = "Recv Port", .position = 4, .show = Show::ifGiven,
        .store = into<&TransportPerfOptions::receivePort>},
    OptionSpec{.name = "-runTime", .tools = kTrans, .argument = kNumber, .defaultText = "300", .help = "Seconds to run", .label = "Runtime", .position = 1,
        .show = Show::asGiven, .min = 1,
        .store = into<&TransportPerfOptions::runSeconds>},
    OptionSpec{.name = "-sa", .tools = kTrans, .argument = kText, .help = "Group that a multicast connection sends to",
        .label = "Send Address", .position = 4, .show = Show::ifGiven,
        .store = into<&TransportPerfOptions::sendAddress>},
    OptionSpec{.name = "-sendBufSize", .tools = kTrans, .argument = kNumber, .defaultText = "0", .help = "Send buffer of the socket in bytes; 0: the system's default",
        .label = "Send Buffer Size", .position = 15, .show = Show::asGiven,
        .store = into<&TransportPerfOptions::sendBufSize>},
    OptionSpec{.name = "-sp", .tools = kTrans, .argument = kText, .help = "Port of -sa",
        .label = "Send Port", .position = 4, .show = Show::ifGiven,
        .store = into<&TransportPerfOptions::sendPort>},
    OptionSpec{.name = "-statsFile", .tools = kTrans, .argument = kText, .defaultText = "TransportStats",
        .help = "Base name of the statistics; the thread's number and .csv are added, and the process id when it is not given", .label = "Stats File", .position = 26, .show = Show::asGiven},
    OptionSpec{.name = "-statsFileStatic", .tools = kTrans, .argument = kText, .help = "Another name of -statsFile"},
    OptionSpec{.name = "-summaryFile", .tools = kTrans, .argument = kText, .defaultText = "TransportSummary.out", 
        .help = "Summary; unless it is given, the name carries the process id: TransportSummary_4711.out",
        .label = "Summary File", .position = 25, .show = Show::asGiven},
    OptionSpec{.name = "-summaryFileStatic", .tools = kTrans, .argument = kText, .help = "Another name of -summaryFile"},
    OptionSpec{.name = "-tcpDelay", .tools = kTrans, .help = "Let the kernel gather small packets (Nagle's algorithm)", .label = "Tcp_NoDelay",
        .position = 21, .show = Show::asGiven,
        .store = into<&TransportPerfOptions::tcpDelay>},
    OptionSpec{.name = "-threads", .tools = kTrans, .argument = Argument::cpus, .defaultText = kUnbound,
        .help = "Processors for the worker threads. A client's threads have a connection each, a server's share the connections",
        .label = "Thread List", .position = 8, .show = Show::asGiven},
    OptionSpec{.name = "-tickRate", .tools = kTrans, .argument = kNumber, .defaultText = "1000",
        .help = "Ticks per second: messages leave in one burst per tick", .label = "Tick Rate", .position = 22, .show = Show::asGiven,
        .min = -kMaxNumber, .max = 1'000'000,
        .store = into<&ToolSettings::tickRate>},
    OptionSpec{.name = "-u", .tools = kTrans, .argument = kText, .help = "Own port of a multicast connection, for requests for repair; 0: any",
        .label = "Unicast Port", .position = 4, .show = Show::ifGiven,
        .store = into<&TransportPerfOptions::unicastPort>},
    OptionSpec{.name = "-writeStatsInterval", .tools = kTrans, .argument = kNumber, .defaultText = "5",
        .help = "Seconds between two lines of statistics", .label = "Write Stats Interval", .position = 27, .show = Show::asGiven, .min = -kMaxNumber,
        .store = into<&ToolSettings::writeStatsSeconds>},
};
// clang-format on

}  // namespace

std::span<const OptionSpec> optionTable() noexcept {
    return kTable;
}

}  // namespace emissary::perf
