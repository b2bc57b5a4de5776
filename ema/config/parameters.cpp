// The parameter table, and docs/config.md made from it.
#include "parameters.h"

#include "environment.h"
#include "eta/transport/connection_types.h"
#include "reactor/client/Backoff.h"

#include <algorithm>
#include <array>

namespace emissary::ema {

namespace {

/// The names of those connection types that `fits` lets pass.
template <auto fits>
constexpr auto connectionTypeNames() {
    using namespace eta::transport;
    std::array<EnumName, std::ranges::count_if(kConnectionTypes, fits)> names{};
    std::size_t n = 0;
    for (const ConnectionTypeRow& row : kConnectionTypes)
        if (fits(row)) names[n++] = {row.name, static_cast<std::int64_t>(row.type)};
    return names;
}
using Row = eta::transport::ConnectionTypeRow;
constexpr auto kChannelTypeNames = connectionTypeNames<[](const Row& r) { return r.configured; }>();
constexpr auto kInnerTypeNames = connectionTypeNames<[](const Row& r) { return r.insideTls; }>();
constexpr auto kServerTypeNames = connectionTypeNames<[](const Row& r) { return r.configured && r.listens; }>();
constexpr EnumName kCompressionNames[] = {{"None", 0}, {"ZLib", 1}, {"LZ4", 2}};
constexpr EnumName kLoggerTypeNames[] = {{"File", 0}, {"Stdout", 1}};
constexpr EnumName kSeverityNames[] = {{"Verbose", 0}, {"Success", 1}, {"Warning", 2}, {"Error", 3}, {"NoLogMsg", 4}};
constexpr EnumName kDictionaryTypeNames[] = {{"FileDictionary", 0}, {"ChannelDictionary", 1}};
constexpr EnumName kStandbyModeNames[] = {{"LOGIN_BASED", 1}, {"SERVICE_BASED", 2}};
constexpr EnumName kStreamStateNames[] = {
    {"Open", 1}, {"NonStreaming", 2}, {"CloseRecover", 3}, {"Close", 4}, {"CloseRedirected", 5}};
constexpr EnumName kDataStateNames[] = {{"NoChange", 0}, {"Ok", 1}, {"Suspect", 2}};
constexpr EnumName kStatusCodeNames[] = {{"None", 0},
                                         {"NotFound", 1},
                                         {"Timeout", 2},
                                         {"NotAuthorized", 3},
                                         {"InvalidArgument", 4},
                                         {"UsageError", 5},
                                         {"Preempted", 6},
                                         {"JustInTimeConflationStarted", 7},
                                         {"TickByTickResumed", 8},
                                         {"FailoverStarted", 9},
                                         {"FailoverCompleted", 10},
                                         {"GapDetected", 11},
                                         {"NoResources", 12},
                                         {"TooManyItems", 13},
                                         {"AlreadyOpen", 14},
                                         {"SourceUnknown", 15},
                                         {"NotOpen", 16},
                                         {"NonUpdatingItem", 19},
                                         {"UnsupportedViewType", 20},
                                         {"InvalidView", 21},
                                         {"FullViewProvided", 22},
                                         {"UnableToRequestAsBatch", 23},
                                         {"NoBatchViewSupportInReq", 26},
                                         {"ExceededMaxMountsPerUser", 27},
                                         {"Error", 28},
                                         {"DacsDown", 29},
                                         {"UserUnknownToPermSys", 30},
                                         {"DacsMaxLoginsReached", 31},
                                         {"DacsUserAccessToAppDenied", 32},
                                         {"GapFill", 34},
                                         {"AppAuthorizationFailed", 35}};
constexpr EnumName kTimelinessNames[] = {{"RealTime", 0}, {"InexactDelayed", 4294967295}};
constexpr EnumName kRateNames[] = {{"TickByTick", 0}, {"JustInTimeConflated", 4294967040}};

constexpr EnumType kChannelType{"ChannelType", kChannelTypeNames}, kInnerType{"EncryptedProtocolType", kInnerTypeNames},
    kServerType{"ServerType", kServerTypeNames}, kCompression{"CompressionType", kCompressionNames},
    kLoggerType{"LoggerType", kLoggerTypeNames}, kSeverity{"LoggerSeverity", kSeverityNames},
    kDictionaryType{"DictionaryType", kDictionaryTypeNames}, kStandbyMode{"WarmStandbyMode", kStandbyModeNames},
    kStreamState{"StreamState", kStreamStateNames}, kDataState{"DataState", kDataStateNames},
    kStatusCode{"StatusCode", kStatusCodeNames}, kTimeliness{"Timeliness", kTimelinessNames}, kRate{"Rate", kRateNames};

using namespace Section;
constexpr std::int64_t kInt32Max = 2147483647, kUInt16Max = 65535, kInt64Max = 9223372036854775807;

/// A default that stands in code already, as text.
struct Digits {
    char text[24] = {};
    constexpr explicit Digits(std::int64_t value) {
        char reversed[24] = {};
        std::size_t n = 0, at = 0;
        std::uint64_t rest = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
        do
            reversed[n++] = static_cast<char>('0' + rest % 10);
        while ((rest /= 10) != 0);
        if (value < 0) text[at++] = '-';
        while (n != 0)
            text[at++] = reversed[--n];
    }
};
constexpr reactor::client::ReconnectOptions kReconnect;
constexpr Digits kReconnectLimit(kReconnect.attemptLimit), kReconnectMin(kReconnect.minDelay.count()),
    kReconnectMax(kReconnect.maxDelay.count());

// Short forms that keep one parameter on one line.
constexpr Parameter text(SectionMask s, const char* n, const char* d, const char* m) {
    return {s, n, Kind::text, d, "", m};
}
constexpr Parameter list(SectionMask s, const char* n, const char* m) {
    return {s, n, Kind::list, "", "", m};
}
constexpr Parameter number(SectionMask s, const char* n, const char* d, const char* u, const char* m,
                           std::int64_t lo = 0, std::int64_t hi = 4294967295, Below b = Below::raise) {
    return {s, n, Kind::unsignedInteger, d, u, m, lo, hi, b};
}
constexpr Parameter whole(SectionMask s, const char* n, const char* d, const char* u, const char* m,
                          std::int64_t lo = -kInt64Max, std::int64_t hi = kInt64Max, Below b = Below::raise) {
    return {s, n, Kind::integer, d, u, m, lo, hi, b};
}
constexpr Parameter flag(SectionMask s, const char* n, const char* d, const char* m) {
    return {s, n, Kind::boolean, d, "", m};
}
constexpr Parameter choice(SectionMask s, const char* n, const char* d, const EnumType& t, const char* m) {
    return {s, n, Kind::enumeration, d, "", m, 0, 4294967295, Below::raise, &t};
}
constexpr Parameter real(SectionMask s, const char* n, const char* d, const char* m) {
    return {s, n, Kind::real, d, "", m};
}
constexpr Parameter idle(Parameter p) {
    p.effective = false;
    return p;
}
constexpr Parameter moved(Parameter p) {
    p.moved = true;
    return p;
}

constexpr Parameter kParameters[] = {
    // --- every named entry
    text(instance | channel | server | logger | dictionary | directory | service | warmStandbyServer |
             warmStandbyChannel | sessionChannel,
         "Name", "", "the entry's name; required"),
    // --- consumer, niprovider, iprovider
    text(instance, "Logger", "", "entry in LoggerGroup"),
    number(instance, "ItemCountHint", "100000", "items", "expected open items; sizing only"),
    number(instance, "ServiceCountHint", "513", "services", "expected services; sizing only"),
    number(instance, "RequestTimeout", "15000", "ms",
           "wait for the answer to an item or dictionary request; 0 = for ever"),
    whole(instance, "DispatchTimeoutApiThread", "-1", "us",
          "longest wait of the API thread; -1 = until something happens", -1),
    number(instance, "MaxDispatchCountApiThread", "100", "messages", "messages handled in one turn of the API thread"),
    number(instance, "MaxDispatchCountUserThread", "100", "messages", "messages handled in one dispatch() of the user"),
    number(instance, "MemoryTrimPeriod", "5000", "ms",
           "memory that a burst or many items took goes back when it was not needed for this long; 0 = never"),
    number(instance, "MetricsPort", "0", "", "port on 127.0.0.1 that tells the counts over HTTP (docs/metrics.md); 0 = none",
           0, kUInt16Max),
    idle(whole(instance, "MaxEventsInPool", "-1", "events", "reactor event pool; -1 = unlimited", -1)),
    flag(instance, "CatchUnhandledException", "1",
         "log what a callback throws on the API thread instead of terminating"),
    idle(whole(client, "PipePort", "9001", "", "not used on Linux")),
    idle(whole(iProvider, "PipePort", "9009", "", "not used on Linux")),
    idle(text(instance, "XmlTraceFileName", "EmaTrace", "base name of the trace file")),
    idle(whole(instance, "XmlTraceMaxFileSize", "100000000", "bytes", "size limit of the trace file", 1, kInt64Max,
               Below::useDefault)),
    idle(flag(instance, "XmlTraceToFile", "0", "trace messages to a file")),
    idle(flag(instance, "XmlTraceToStdout", "0", "trace messages to standard output")),
    idle(flag(instance, "XmlTraceToMultipleFiles", "0", "start a new trace file at the size limit")),
    idle(flag(instance, "XmlTraceWrite", "1", "trace what is sent")),
    idle(flag(instance, "XmlTraceRead", "1", "trace what is received")),
    idle(flag(instance, "XmlTracePing", "0", "trace pings too")),
    idle(flag(instance, "XmlTracePingOnly", "0", "trace pings only")),
    idle(flag(instance, "XmlTraceHex", "0", "trace message bodies as hex")),
    idle(flag(instance, "XmlTraceDump", "0", "trace a hex dump")),
    idle(number(instance, "RestRequestTimeOut", "90", "s", "limit of one REST call; 0 = none")),
    number(instance, "DefaultServiceID", "1", "", "service of JSON messages that name none", 0, kUInt16Max),
    flag(instance, "JsonExpandedEnumFields", "0", "JSON enumerated fields as display text"),
    flag(instance, "CatchUnknownJsonFids", "1", "reject JSON messages with unknown field names"),
    flag(instance, "CatchUnknownJsonKeys", "0", "reject JSON messages with unknown keys"),
    flag(instance, "CloseChannelFromConverterFailure", "1",
         "drop the channel after a text that is not JSON, or an Error message of the peer"),
    flag(instance, "SendJsonConvError", "1", "tell the peer about a JSON conversion error"),
    idle(number(instance, "OutputBufferSize", "65535", "bytes", "first size of the JSON converter's buffer")),
    idle(number(instance, "JsonTokenIncrementSize", "500", "tokens", "growth of the JSON token table")),
    idle(flag(instance, "ShouldInitializeCPUIDlib", "1", "detect the CPU topology for thread binding")),
    // --- connecting instances
    text(client, "Channel", "", "entry in ChannelGroup"),
    list(client, "ChannelSet", "channels tried in this order on connection loss"),
    number(client, "LoginRequestTimeOut", "45000", "ms", "wait for the login at construction; 0 = for ever"),
    number(client, "DictionaryRequestTimeOut", "45000", "ms",
           "wait for the dictionaries at construction; 0 = for ever"),
    whole(client, "ReconnectAttemptLimit", kReconnectLimit.text, "attempts",
          "connection attempts after a loss; -1 = no limit", -1, kInt32Max, Below::useDefault),
    whole(client, "ReconnectMinDelay", kReconnectMin.text, "ms",
          "first wait before reconnecting; doubles up to ReconnectMaxDelay", 1, kInt32Max, Below::useDefault),
    whole(client, "ReconnectMaxDelay", kReconnectMax.text, "ms", "longest wait before reconnecting", 1, kInt32Max,
          Below::useDefault),
    idle(text(client, "RestLogFileName", "", "file for REST traces")),
    idle(flag(client, "RestEnableLog", "0", "trace REST calls")),
    idle(flag(client, "RestEnableLogViaCallback", "0", "trace REST calls through the logging client")),
    idle(flag(client, "RestVerboseMode", "0", "trace REST calls in detail")),
    idle(text(client, "RestProxyHostName", "", "proxy for REST calls")),
    idle(text(client, "RestProxyPort", "", "proxy port for REST calls")),
    idle(text(client, "LibsslName", "", "name of the TLS library")),
    idle(text(client, "LibcryptoName", "", "name of the crypto library")),
    idle(text(client, "LibcurlName", "", "name of the REST library")),
    idle(real(client, "TokenReissueRatio", "0.8", "part of a token's life after which it is renewed, 0.05 to 0.95")),
    idle(whole(client, "ReissueTokenAttemptLimit", "-1", "attempts", "token renewals tried; negative = unlimited")),
    idle(whole(client, "ReissueTokenAttemptInterval", "5000", "ms", "time between token renewals")),
    // --- consumer
    list(consumer, "WarmStandbyChannelSet", "warm-standby groups tried in this order, before the ChannelSet"),
    list(consumer, "SessionChannelSet",
         "session channels opened side by side (request routing); the channels of this section are not used then"),
    flag(consumer, "SessionEnhancedItemRecovery", "1",
         "1: items of a lost session go to another one at once; 0: they wait for it"),
    text(consumer, "Dictionary", "", "entry in DictionaryGroup; none = downloaded from the channel"),
    number(consumer, "DirectoryRequestTimeOut", "45000", "ms",
           "wait for the source directory at construction; 0 = for ever"),
    flag(consumer, "ObeyOpenWindow", "1", "respect a service's OpenWindow"),
    number(consumer, "RecoveryMinDelay", "100", "ms",
           "wait before an item or the directory, ended by ClosedRecover again after it was asked for again, is asked "
           "for once more; doubles each time; 0 = no wait"),
    number(consumer, "RecoveryMaxDelay", "5000", "ms", "longest of these waits"),
    number(consumer, "PostAckTimeout", "15000", "ms", "wait for the ack of a post; 0 = for ever"),
    number(consumer, "MaxDictionarySize", "67108864", "bytes",
           "of all parts of one downloaded dictionary; a larger one is refused", 65536, 4294967295, Below::raise),
    number(consumer, "MaxOutstandingPosts", "100000", "posts", "posts that may wait for an ack"),
    flag(consumer, "MsgKeyInUpdates", "1", "put the key into updates handed to callbacks"),
    flag(consumer, "EnableRtt", "0", "take part in round-trip measurement on the login stream"),
    flag(consumer | sessionChannel, "EnablePreferredHostOptions", "0", "return to a preferred channel"),
    text(
        consumer | sessionChannel, "PHDetectionTimeSchedule", "",
        "times of the checks for the preferred channel: five cron fields, or six with seconds; wins over the interval"),
    number(consumer | sessionChannel, "PHDetectionTimeInterval", "0", "s", "interval of the checks; 0 = never"),
    text(consumer | sessionChannel, "PreferredChannelName", "",
         "the preferred channel; empty = the first of ChannelSet"),
    text(consumer | sessionChannel, "PreferredWSBChannelName", "",
         "the preferred warm-standby group; empty = the first"),
    flag(consumer | sessionChannel, "PHFallBackWithInWSBGroup", "0", "switch inside the warm-standby group only"),
    // --- providers
    text(niProvider | iProvider, "Directory", "", "entry in DirectoryGroup; none = DefaultDirectory or the first"),
    flag(niProvider | iProvider, "RefreshFirstRequired", "1", "refuse updates before the first refresh of an item"),
    flag(niProvider, "MergeSourceDirectoryStreams", "1", "merge submitted directories into one stream"),
    flag(niProvider, "RecoverUserSubmitSourceDirectory", "1", "resend the user's directory after a reconnect"),
    flag(niProvider, "RemoveItemsOnDisconnect", "0",
         "what handles keep when the channel goes down: 0 = their streams, 1 = nothing; the application publishes "
         "again either way, a refresh first if RefreshFirstRequired"),
    text(iProvider, "Server", "", "entry in ServerGroup"),
    flag(iProvider, "EnforceAckIDValidation", "0", "an AckMsg must match an outstanding post"),
    number(iProvider, "FieldDictionaryFragmentSize", "8192", "bytes", "size of one part of a field dictionary refresh",
           1024),
    number(iProvider, "EnumTypeFragmentSize", "12288", "bytes", "size of one part of an enumerated-type refresh", 1024),
    flag(iProvider, "AcceptMessageWithoutBeingLogin", "0", "pass requests on before the login is accepted"),
    flag(iProvider, "AcceptMessageWithoutAcceptingRequests", "0", "pass requests for services that do not accept any"),
    flag(iProvider, "AcceptDirMessageWithoutMinFilters", "0", "accept directory requests without Info and State"),
    flag(iProvider, "AcceptMessageWithoutQosInRange", "0", "pass requests whose QoS is not offered"),
    flag(iProvider, "AcceptMessageSameKeyButDiffStream", "0", "accept a second stream for the same key"),
    flag(iProvider, "AcceptMessageThatChangesService", "0", "accept a reissue with another service"),
    // --- Channel
    choice(channel, "ChannelType", "RSSL_SOCKET", kChannelType, "kind of connection"),
    choice(channel, "EncryptedProtocolType", "RSSL_SOCKET", kInnerType, "what runs inside RSSL_ENCRYPTED"),
    text(channel, "Host", "localhost", "peer's name or address"),
    text(channel, "Port", "14002", "peer's port number or service name (14003 for an NiProvider)"),
    text(channel | server, "InterfaceName", "", "local address or device; empty = any"),
    choice(channel | server, "CompressionType", "None", kCompression, "compression asked for or offered"),
    number(channel | server, "CompressionThreshold", "30", "bytes", "smaller messages go uncompressed (LZ4: 300)"),
    number(channel | server, "ConnectionPingTimeout", "60000", "ms", "ping timeout proposed, or the largest accepted"),
    number(channel, "InitializationTimeout", "5", "s", "limit of connecting and the handshake (encrypted: 10)", 1),
    number(channel, "GuaranteedOutputBuffers", "100", "buffers", "output bound of the channel in fragments", 1,
           4294967295, Below::useDefault),
    number(channel | server, "MaxOutputBuffers", "0", "buffers",
           "most output of a connection in fragments; less than GuaranteedOutputBuffers = those"),
    number(channel | server, "NumInputBuffers", "10", "buffers", "input buffer in fragments", 1, 4294967295,
           Below::useDefault),
    number(channel, "SysSendBufSize", "0", "bytes", "socket send buffer; 0 = the system's"),
    number(channel, "SysRecvBufSize", "0", "bytes", "socket receive buffer; 0 = the system's"),
    number(channel | server, "HighWaterMark", "0", "bytes", "queued bytes at which output is flushed; 0 = 6144"),
    flag(channel | server, "TcpNodelay", "1", "switch Nagle's algorithm off; also written TcpNoDelay"),
    flag(channel | server, "DirectWrite", "0", "hand every message to the socket at once"),
    text(channel, "ProxyHost", "", "proxy's host name"),
    text(channel, "ProxyPort", "", "proxy's port"),
    number(channel, "ProxyConnectionTimeout", "40", "s", "until the proxy lets the connection pass", 1),
    text(channel, "ObjectName", "", "path of the WebSocket upgrade; empty = /WebSocket"),
    number(channel | server, "SecurityProtocol", "12", "", "TLS versions: 4 = 1.2, 8 = 1.3, added up"),
    text(channel, "OpenSSLCAStore", "", "trusted certificates; empty = the system's"),
    idle(flag(channel, "EnableSessionManagement", "0", "fetch tokens and end points by REST")),
    idle(text(channel, "Location", "us-east-1", "region for end-point discovery")),
    idle(number(channel, "ServiceDiscoveryRetryCount", "3", "attempts", "attempts of end-point discovery")),
    number(channel, "WsMaxMsgSize", "61440", "bytes", "largest WebSocket frame sent (JSON)", 64, 6291456),
    text(channel | server, "WsProtocols", "tr_json2, rssl.rwf, rssl.json.v2",
         "WebSocket sub-protocols, preferred first"),
    text(channel, "RecvAddress", "", "multicast group to hear; required"),
    text(channel, "RecvPort", "", "its port; required"),
    text(channel, "UnicastPort", "", "own port for requests for repair; required, 0 = any"),
    text(channel, "SendAddress", "", "multicast group to send to; required"),
    text(channel, "SendPort", "", "its port; required"),
    idle(text(channel, "tcpControlPort", "", "control port; there is no such connection")),
    text(channel, "HsmInterface", "", "interface of the host statistics; empty = InterfaceName"),
    text(channel, "HsmMultAddress", "", "multicast group of the host statistics"),
    text(channel, "HsmPort", "", "its port"),
    number(channel, "HsmInterval", "0", "s", "time between two host statistics; 0 = none", 0, kUInt16Max),
    flag(channel, "DisconnectOnGap", "0", "close the channel on unrecoverable loss"),
    number(channel, "PacketTTL", "5", "hops", "multicast time to live", 5, 255),
    number(channel, "ndata", "7", "", "most repairs of one packet", 7),
    number(channel, "nrreq", "3", "", "most requests for one packet", 3),
    number(channel, "tdata", "1", "100 ms", "longest random wait before the first request", 1),
    number(channel, "trreq", "4", "100 ms", "wait between requests for one packet", 4),
    number(channel, "twait", "3", "100 ms", "requests for a packet just repaired are ignored for so long", 3),
    number(channel, "tbchold", "3", "100 ms", "packets are kept this much longer than they may be asked for", 3),
    idle(number(channel, "tpphold", "3", "100 ms", "hold time of point-to-point packets, of which there are none", 3)),
    number(channel, "nmissing", "128", "packets", "missing at once; more are given up", 0, kUInt16Max),
    number(channel, "pktPoolLimitHigh", "190000", "packets", "most packets kept for repairs"),
    number(channel, "pktPoolLimitLow", "180000", "packets", "left in the pool when it was full"),
    number(channel, "userQLimit", "65535", "packets", "waiting to be read; more are dropped", 4096, kUInt16Max),
    moved(number(channel, "DictionaryRequestTimeOut", "45000", "ms", "see the instance section")),
    moved(flag(channel, "MsgKeyInUpdates", "1", "see the instance section")),
    moved(whole(channel, "ReconnectAttemptLimit", kReconnectLimit.text, "attempts", "see the instance section", -1,
                kInt32Max, Below::useDefault)),
    moved(whole(channel, "ReconnectMinDelay", kReconnectMin.text, "ms", "see the instance section", 1, kInt32Max,
                Below::useDefault)),
    moved(whole(channel, "ReconnectMaxDelay", kReconnectMax.text, "ms", "see the instance section", 1, kInt32Max,
                Below::useDefault)),
    idle(moved(text(channel, "XmlTraceFileName", "EmaTrace", "see the instance section"))),
    idle(moved(flag(channel, "XmlTraceToFile", "0", "see the instance section"))),
    idle(moved(flag(channel, "XmlTraceToStdout", "0", "see the instance section"))),
    // --- Server
    choice(server, "ServerType", "RSSL_SOCKET", kServerType, "kind of listening port"),
    text(server, "Port", "14002", "port number or service name; 0 = any free port"),
    number(server, "ConnectionMinPingTimeout", "20000", "ms", "smallest ping timeout accepted"),
    number(server, "InitializationTimeout", "60", "s", "limit of an accepted connection's handshake", 1),
    number(server, "FirstByteTimeout", "5000", "ms",
           "limit for the first byte of an accepted connection; 0 = as InitializationTimeout"),
    number(server, "ClientLoginTimeout", "30000", "ms",
           "limit for the login request of a client whose handshake is done, or whose login was closed; 0 = none"),
    number(server, "SlowConsumerTimeout", "60000", "ms",
           "output that a client has not read for so long ends its connection; 0 = never"),
    number(server, "PartialMessageTimeout", "30000", "ms",
           "a fragmented message that does not grow for so long ends the connection; 0 = never"),
    number(server, "MaxConnections", "16384", "connections",
           "at once; a newcomer takes the place of one that is not logged in, or is closed; 0 = no limit"),
    number(server, "MaxConnectionsPerAddress", "8192", "connections",
           "the same for one address, of IPv6 its first 64 bits; 0 = no limit"),
    number(server, "MaxConnectionsInitializing", "8192", "connections",
           "in their handshake at once; a newcomer takes the place of a silent one, or is closed", 1),
    number(server, "MaxConnectionsInitializingPerAddress", "4096", "connections",
           "the same for one address, of IPv6 its first 64 bits", 1),
    number(server, "MaxMessageSizeBeforeLogin", "65536", "bytes",
           "largest fragmented or JSON message of a client whose login is not accepted; 0 = as MaxMessageSize"),
    number(server, "MaxMessageSize", "67108864", "bytes", "largest fragmented message of a client", 65536),
    number(server, "MaxPartialMessageBytes", "268435456", "bytes",
           "what incomplete messages of all clients hold, beyond 64 KiB each; 0 = no limit"),
    number(server, "MaxRefusalsPerMinute", "1000", "messages",
           "JSON texts of one client that cannot be converted, before its connection ends; before its login the first "
           "ends it; 0 = no limit"),
    number(server, "MaxStreamsPerClient", "1000000", "streams", "open streams of one client; 0 = no limit"),
    number(server, "MaxKeySize", "16384", "bytes", "key of one request, attributes included; 0 = no limit"),
    number(server, "MaxKeyBytesPerClient", "33554432", "bytes", "keys of all open streams of one client; 0 = no limit"),
    number(server, "GuaranteedOutputBuffers", "5000", "buffers", "output bound of each client in fragments", 1,
           4294967295, Below::useDefault),
    number(server, "SysSendBufSize", "65535", "bytes", "socket send buffer; 0 = the system's"),
    number(server, "SysRecvBufSize", "65535", "bytes", "socket receive buffer; 0 = the system's"),
    flag(server, "ServerSharedSocket", "0", "let several processes listen on one port"),
    number(server, "MaxFragmentSize", "6144", "bytes",
           "largest frame payload, announced to clients; above 65535 for JSON clients alone, RWF clients get 6144 then",
           25, 6291456),
    number(server, "CompressionLevel", "5", "", "level of zlib", 0, 9),
    text(server, "ServerCert", "", "certificate file"),
    text(server, "ServerPrivateKey", "", "private key file"),
    text(server, "CipherSuite", "", "TLS cipher list"),
    text(server, "DhParams", "", "Diffie-Hellman parameters"),
    text(server, "DHParams", "", "programmatic spelling of DhParams"),
    idle(text(server, "LibSslName", "", "name of the TLS library")),
    idle(text(server, "LibCryptoName", "", "name of the crypto library")),
    idle(text(server, "LibCurlName", "", "name of the REST library")),
    // --- Logger
    choice(logger, "LoggerType", "File", kLoggerType, "where records go"),
    text(logger, "FileName", "emaLog", "base of the file name; the process id and .log are added"),
    choice(logger, "LoggerSeverity", "Success", kSeverity, "records below are not written"),
    number(logger, "IncludeDateInLoggerOutput", "0", "", "1 adds the date to time stamps"),
    number(logger, "MaxLogFileSize", "100000000", "bytes",
           "size limit of a log file; 0 = none. A single file ends there; when no limit is configured, it becomes "
           "NAME.old "
           "at the default limit and another begins"),
    number(logger, "NumberOfLogFiles", "0", "files", "files written in turn when a size limit is configured"),
    // --- Dictionary
    choice(dictionary, "DictionaryType", "ChannelDictionary", kDictionaryType,
           "from files, or downloaded from the channel"),
    text(dictionary, "RdmFieldDictionaryFileName", "./RDMFieldDictionary", "field dictionary file"),
    text(dictionary, "EnumTypeDefFileName", "./enumtype.def", "enumerated-type file"),
    text(dictionary, "RdmFieldDictionaryItemName", "RWFFld", "the field dictionary's name on the wire"),
    text(dictionary, "EnumTypeDefItemName", "RWFEnum", "the enumerated types' name on the wire"),
    idle(whole(dictionary, "DictionaryID", "", "", "accepted")),
    // --- Directory: Service
    number(serviceInfo, "ServiceId", "", "", "0 to 65535; given by the library when absent", 0, kInt64Max),
    text(serviceInfo, "Vendor", "", "who makes the data"),
    text(serviceInfo, "ItemList", "", "symbol list naming all items"),
    flag(serviceInfo, "IsSource", "0", "1 = original publisher"),
    flag(serviceInfo, "SupportsQoSRange", "0", "requests may carry a QoS range"),
    flag(serviceInfo, "AcceptingConsumerStatus", "0", "accepts consumer status messages"),
    flag(serviceInfo, "SupportsOutOfBandSnapshots", "0", "snapshots beyond OpenLimit"),
    flag(serviceState, "ServiceState", "1", "1 = up"),
    flag(serviceState, "AcceptingRequests", "1", "1 = new requests are taken"),
    choice(serviceStatus, "StreamState", "Open", kStreamState, "state given to all items"),
    choice(serviceStatus, "DataState", "Ok", kDataState, "state given to all items"),
    choice(serviceStatus, "StatusCode", "None", kStatusCode, "code given to all items"),
    text(serviceStatus, "StatusText", "", "text given to all items"),
    number(serviceLoad, "OpenLimit", "", "items", "largest number of open items", 0, kInt64Max),
    number(serviceLoad, "OpenWindow", "", "requests", "largest number of unanswered requests", 0, kInt64Max),
    number(serviceLoad, "LoadFactor", "1", "", "relative load", 0, kInt64Max),
    choice(qosEntry, "Timeliness", "RealTime", kTimeliness, "timeliness offered, or a number"),
    choice(qosEntry, "Rate", "TickByTick", kRate, "rate offered, or a number"),
    // --- warm standby, session channels, global
    text(warmStandbyServer, "Channel", "", "entry in ChannelGroup"),
    list(warmStandbyServer, "PerServiceNameSet", "services for which this server starts as active"),
    text(warmStandbyChannel, "StartingActiveServer", "", "entry in WarmStandbyServerInfoGroup"),
    list(warmStandbyChannel, "StandbyServerSet", "entries in WarmStandbyServerInfoGroup"),
    choice(warmStandbyChannel, "WarmStandbyMode", "LOGIN_BASED", kStandbyMode, "what is switched over"),
    idle(flag(warmStandbyChannel, "DownloadConnectionConfig", "0", "fetch the server list at login")),
    list(sessionChannel, "ChannelSet", "channels tried in this order"),
    list(sessionChannel, "WarmStandbyChannelSet", "warm-standby groups tried in this order"),
    whole(sessionChannel, "ReconnectAttemptLimit", kReconnectLimit.text, "attempts",
          "as in Consumer, whose value applies when there is none here", -1, kInt32Max, Below::useDefault),
    whole(sessionChannel, "ReconnectMinDelay", kReconnectMin.text, "ms",
          "as in Consumer, whose value applies when there is none here", 1, kInt32Max, Below::useDefault),
    whole(sessionChannel, "ReconnectMaxDelay", kReconnectMax.text, "ms",
          "as in Consumer, whose value applies when there is none here", 1, kInt32Max, Below::useDefault),
    idle(whole(global, "ReactorMsgEventPoolLimit", "-1", "objects", "accepted for shared files", -1)),
    idle(whole(global, "ReactorChannelEventPoolLimit", "-1", "objects", "accepted for shared files", -1)),
    idle(whole(global, "WorkerEventPoolLimit", "-1", "objects", "accepted for shared files", -1)),
    idle(whole(global, "TunnelStreamMsgEventPoolLimit", "-1", "objects", "accepted for shared files", -1)),
    idle(whole(global, "TunnelStreamStatusEventPoolLimit", "-1", "objects", "accepted for shared files", -1)),
    idle(whole(global, "WatchlistObjectsPoolLimit", "-1", "objects", "accepted for shared files", -1)),
    idle(whole(global, "JsonConverterPoolsSize", "10", "objects", "accepted for shared files", 1, kInt32Max,
               Below::useDefault)),
};

struct SectionTitle {
    SectionMask section;
    const char* name;
};
constexpr SectionTitle kTitles[] = {{consumer, "Consumer"},
                                    {niProvider, "NiProvider"},
                                    {iProvider, "IProvider"},
                                    {channel, "Channel"},
                                    {server, "Server"},
                                    {logger, "Logger"},
                                    {dictionary, "Dictionary"},
                                    {directory, "Directory"},
                                    {service, "Service"},
                                    {serviceInfo, "InfoFilter"},
                                    {serviceState, "StateFilter"},
                                    {serviceStatus, "Status"},
                                    {serviceLoad, "LoadFilter"},
                                    {qosEntry, "QoSEntry"},
                                    {warmStandbyServer, "WarmStandbyServerInfo"},
                                    {warmStandbyChannel, "WarmStandbyChannel"},
                                    {sessionChannel, "SessionChannel"},
                                    {global, "GlobalConfig"}};

const char* kindName(const Parameter& p) {
    switch (p.kind) {
    case Kind::text:
        return "text";
    case Kind::list:
        return "comma-separated list";
    case Kind::unsignedInteger:
        return "unsigned integer";
    case Kind::integer:
        return "signed integer";
    case Kind::boolean:
        return "0 or 1";
    case Kind::real:
        return "decimal number";
    case Kind::enumeration:
        return p.enums->name;
    }
    return "";
}

}  // namespace

std::span<const Parameter> allParameters() noexcept {
    return kParameters;
}

const Parameter* findParameter(SectionMask section, std::string_view name) noexcept {
    if (name == "TcpNoDelay") name = "TcpNodelay";  // guides and examples write both
    for (const Parameter& p : kParameters)
        if ((p.sections & section) != 0 && name == p.name) return &p;
    return nullptr;
}

const char* sectionName(SectionMask section) noexcept {
    for (const SectionTitle& t : kTitles)
        if (t.section == section) return t.name;
    return "EmaConfig";
}

std::string parametersAsMarkdown() {
    std::string out =
        "# Configuration reference\n\n"
        "Generated from the table that reads `EmaConfig.xml`, environment variables and programmatic configuration; "
        "do\n"
        "not edit.\n" +
        environmentAsMarkdown() +
        "\n# Parameters\n\n"
        "Numbers above a range are clamped; what happens below is said in the range column. Parameters marked\n"
        "*accepted* are read and checked, and have no effect in this release.\n";
    for (const SectionTitle& title : kTitles) {
        bool first = true;
        for (const Parameter& p : kParameters) {
            if ((p.sections & title.section) == 0) continue;
            if (first)
                out += std::string("\n## ") + title.name +
                       "\n\n| Parameter | Type | Default | Unit | Range | Meaning |\n|---|---|---|---|---|---|\n";
            first = false;
            std::string range;
            if (p.kind == Kind::unsignedInteger || p.kind == Kind::integer) {
                if (p.minimum > (p.kind == Kind::integer ? -kInt64Max : 0))
                    range = "from " + std::to_string(p.minimum) +
                            (p.below == Below::useDefault ? ", below: default" : ", below: raised");
                if (p.maximum < 4294967295) range += (range.empty() ? "to " : "; to ") + std::to_string(p.maximum);
            } else if (p.kind == Kind::enumeration) {
                for (const EnumName& v : p.enums->values)
                    range += (range.empty() ? "`" : ", `") + std::string(v.name) + "`";
            }
            out += std::string("| ") + p.name + " | " + kindName(p) + " | " + p.defaultText + " | " + p.unit + " | " +
                   range + " | " + p.meaning + (p.moved ? " (old location, still read with a warning)" : "") +
                   (p.effective ? "" : " *(accepted)*") + " |\n";
        }
    }
    return out;
}

}  // namespace emissary::ema
