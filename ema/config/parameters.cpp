// The parameter table, and docs/config.md made from it.
#include "parameters.h"

#include "config/schema/shared_parameters.h"
#include "environment.h"

#include <array>

namespace emissary::ema {

namespace {

constexpr const char* kNoPools = "objects are made as they are needed and not kept in pools";
constexpr const char* kNoTokens = "providers have no session management: there is nothing to call by REST";
constexpr const char* kNoTunnels =
    "messages and statuses of tunnel streams are made as they are needed and not kept in pools";

constexpr EnumName kStandbyModeNames[] = {{"LOGIN_BASED", 1}, {"SERVICE_BASED", 2}};
constexpr EnumType kStandbyMode{"WarmStandbyMode", kStandbyModeNames};

using namespace Section;
using namespace parameters::rows;
using namespace parameters::shared;
using parameters::kInt32Max, parameters::kInt64Max, parameters::kUInt16Max, parameters::kUInt32Max;

constexpr auto kOwnParameters = std::to_array<Parameter>({
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
    whole(instance, "BusyPoll", "0", "us",
          "the dispatching thread looks for events for so long before it sleeps, which costs that processor time and "
          "saves the time of waking up; -1 = it never sleeps",
          -1),
    number(instance, "MaxDispatchCountApiThread", "100", "messages",
           "messages of each connection handled in one turn of the API thread"),
    number(instance, "MaxDispatchCountUserThread", "100", "messages",
           "messages of each connection handled in one dispatch() of the user"),
    number(instance, "MemoryTrimPeriod", "5000", "ms",
           "memory that a burst or many items took goes back when it was not needed for this long; 0 = never"),
    number(instance, "MetricsPort", "0", "",
           "port on 127.0.0.1, up to 65535, that tells the counts over HTTP (docs/metrics.md); 0 = none"),
    idle(kNoPools, whole(instance, "MaxEventsInPool", "-1", "events", "reactor event pool; -1 = unlimited", -1)),
    flag(instance, "CatchUnhandledException", "1",
         "log what a callback throws on the API thread instead of terminating"),
    idle("threads wake each other through descriptors, which have no port",
         whole(client, "PipePort", "9001", "", "port of the pipe that wakes threads")),
    idle("threads wake each other through descriptors, which have no port",
         whole(iProvider, "PipePort", "9009", "", "port of the pipe that wakes threads")),
    text(instance, "XmlTraceFileName", "EmaTrace",
         "base name of the trace files, may contain a path; each becomes NAME_MILLISECONDS.xml"),
    whole(instance, "XmlTraceMaxFileSize", "100000000", "bytes",
          "size from which a trace file gets no further messages", 1, kInt64Max, Below::useDefault),
    flag(instance, "XmlTraceToFile", "0", "trace messages to a file for each connection"),
    flag(instance, "XmlTraceToStdout", "0", "trace messages to standard output"),
    flag(instance, "XmlTraceToMultipleFiles", "0",
         "go on in a new trace file at the size limit; 0: tracing stops there"),
    number(instance, "XmlTraceMaxFiles", "100", "files",
           "trace files that one instance begins, reconnected and further connections included; 0 = no limit"),
    flag(instance, "XmlTraceWrite", "1", "trace what is sent"),
    flag(instance, "XmlTraceRead", "1", "trace what is received"),
    flag(instance, "XmlTracePing", "0", "trace pings too"),
    flag(instance, "XmlTracePingOnly", "0", "trace pings and no messages"),
    flag(instance, "XmlTraceHex", "0", "the bytes of each message behind it, as hex"),
    idle("messages are sent as they are, and the library dumps none by itself",
         flag(instance, "XmlTraceDump", "0", "trace messages that are dumped before they are sent")),
    number(consumer, "RestRequestTimeOut", "90", "s", "limit of one REST call; 0 = none"),
    idle(kNoTokens,
         number(niProvider | iProvider, "RestRequestTimeOut", "90", "s", "limit of one REST call; 0 = none")),
    number(instance, "DefaultServiceID", "1", "", "service of JSON messages that name none", 0, kUInt16Max),
    flag(instance, "JsonExpandedEnumFields", "0", "JSON enumerated fields as display text"),
    flag(instance, "CatchUnknownJsonFids", "1", "reject JSON messages with unknown field names"),
    flag(instance, "CatchUnknownJsonKeys", "0", "reject JSON messages with unknown keys"),
    flag(instance, "CloseChannelFromConverterFailure", "1",
         "drop the channel after a text that is not JSON, or an Error message of the peer"),
    flag(instance, "SendJsonConvError", "1", "tell the peer about a JSON conversion error"),
    idle("the converter writes into the output of the channel",
         number(instance, "OutputBufferSize", "65535", "bytes", "first size of the JSON converter's buffer")),
    idle("the table is as large as the text needs",
         number(instance, "JsonTokenIncrementSize", "500", "tokens", "growth of the JSON token table")),
    idle("the topology is read when a thread is bound",
         flag(instance, "ShouldInitializeCPUIDlib", "1", "detect the CPU topology for thread binding")),
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
    idle(kLinked, text(client, "LibsslName", "", "name of the TLS library")),
    idle(kLinked, text(client, "LibcryptoName", "", "name of the crypto library")),
    idle(kNoTokens, text(niProvider, "RestLogFileName", "", "file for the REST log")),
    idle(kNoTokens, flag(niProvider, "RestEnableLog", "0", "log REST calls")),
    idle(kNoTokens, flag(niProvider, "RestEnableLogViaCallback", "0", "log REST calls through the logging client")),
    idle(kNoTokens, flag(niProvider, "RestVerboseMode", "0", "log REST calls in detail")),
    idle(kNoTokens, text(niProvider, "RestProxyHostName", "", "proxy for REST calls")),
    idle(kNoTokens, text(niProvider, "RestProxyPort", "", "proxy port for REST calls")),
    idle(kNoTokens, text(niProvider, "LibcurlName", "", "name of the REST library")),
    idle(kNoTokens, real(niProvider, "TokenReissueRatio", "0.8",
                         "part of a token's life after which it is renewed, 0.05 to 0.95")),
    idle(kNoTokens,
         whole(niProvider, "ReissueTokenAttemptLimit", "-1", "attempts", "token renewals tried; negative = unlimited")),
    idle(kNoTokens, whole(niProvider, "ReissueTokenAttemptInterval", "5000", "ms", "time between token renewals")),
    // --- consumer: tokens and service discovery
    flag(channel, "EnableSessionManagement", "0",
         "consumers, RSSL_ENCRYPTED: log in with a token fetched over HTTPS; without Host and Port the endpoint is "
         "looked "
         "up too"),
    text(channel, "Location", "us-east-1", "first letters of the location of a discovered endpoint"),
    number(channel, "ServiceDiscoveryRetryCount", "3", "attempts",
           "failed attempts to connect after which the endpoint is looked up again; 0 = never"),
    text(consumer, "RestLogFileName", "", "file for the REST log, appended to; empty = standard output"),
    flag(consumer, "RestEnableLog", "0", "log REST calls; passwords and keys are left out"),
    flag(consumer, "RestEnableLogViaCallback", "0", "log REST calls through the logging client"),
    flag(consumer, "RestVerboseMode", "0", "show tokens in the REST log"),
    text(consumer, "RestProxyHostName", "", "proxy for REST calls; empty = ProxyHost of the channel"),
    text(consumer, "RestProxyPort", "", "port of that proxy: number or service name"),
    text(consumer, "LibcurlName", "", "file name of libcurl, which makes the REST calls; empty = libcurl.so.4"),
    real(consumer, "TokenReissueRatio", "0.8", "part of a token's life after which it is renewed, 0.05 to 0.95"),
    whole(consumer, "ReissueTokenAttemptLimit", "-1", "attempts",
          "attempts to renew a token after one that failed; negative = unlimited"),
    whole(consumer, "ReissueTokenAttemptInterval", "5000", "ms", "time between these attempts; 100 at least"),
    // --- consumer
    list(consumer, "WarmStandbyChannelSet", "warm-standby groups tried in this order, before the ChannelSet"),
    list(consumer, "SessionChannelSet",
         "session channels opened side by side (request routing); the channels of this section are not used then"),
    flag(consumer, "SessionEnhancedItemRecovery", "1",
         "1: items of a lost session go to another one at once; 0: they wait for it"),
    text(consumer, "Dictionary", "", "entry in DictionaryGroup; none = downloaded from the channel"),
    number(
        consumer, "DirectoryRequestTimeOut", "45000", "ms",
        "wait for the source directory at construction; a later connection is given up for the next one; 0 = for ever"),
    flag(consumer, "ObeyOpenWindow", "1", "respect a service's OpenWindow"),
    number(consumer, "RecoveryMinDelay", "100", "ms",
           "wait before an item or the directory, ended by ClosedRecover again after it was asked for again, is asked "
           "for once more; doubles each time; 0 = no wait"),
    number(consumer, "RecoveryMaxDelay", "5000", "ms", "longest of these waits"),
    number(consumer, "ServiceWaitTimeOut", "0", "ms",
           "items wait so long for a service that no source directory has listed yet, then they are closed; 0 = until "
           "it comes"),
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
    // --- warm standby, session channels, global
    text(warmStandbyServer, "Channel", "", "entry in ChannelGroup"),
    list(warmStandbyServer, "PerServiceNameSet", "services for which this server starts as active"),
    text(warmStandbyChannel, "StartingActiveServer", "", "entry in WarmStandbyServerInfoGroup"),
    list(warmStandbyChannel, "StandbyServerSet", "entries in WarmStandbyServerInfoGroup"),
    choice(warmStandbyChannel, "WarmStandbyMode", "LOGIN_BASED", kStandbyMode, "what is switched over"),
    idle("server lists of login answers are not read",
         flag(warmStandbyChannel, "DownloadConnectionConfig", "0", "fetch the server list at login")),
    list(sessionChannel, "ChannelSet", "channels tried in this order"),
    list(sessionChannel, "WarmStandbyChannelSet", "warm-standby groups tried in this order"),
    whole(sessionChannel, "ReconnectAttemptLimit", kReconnectLimit.text, "attempts",
          "as in Consumer, whose value applies when there is none here", -1, kInt32Max, Below::useDefault),
    whole(sessionChannel, "ReconnectMinDelay", kReconnectMin.text, "ms",
          "as in Consumer, whose value applies when there is none here", 1, kInt32Max, Below::useDefault),
    whole(sessionChannel, "ReconnectMaxDelay", kReconnectMax.text, "ms",
          "as in Consumer, whose value applies when there is none here", 1, kInt32Max, Below::useDefault),
    idle(kNoPools, whole(global, "ReactorMsgEventPoolLimit", "-1", "objects", "most pooled message events", -1)),
    idle(kNoPools, whole(global, "ReactorChannelEventPoolLimit", "-1", "objects", "most pooled channel events", -1)),
    idle(kNoPools, whole(global, "WorkerEventPoolLimit", "-1", "objects", "most pooled worker events", -1)),
    idle(kNoTunnels,
         whole(global, "TunnelStreamMsgEventPoolLimit", "-1", "objects", "most pooled messages of tunnel streams", -1)),
    idle(kNoTunnels, whole(global, "TunnelStreamStatusEventPoolLimit", "-1", "objects",
                           "most pooled statuses of tunnel streams", -1)),
    idle(kNoPools, whole(global, "WatchlistObjectsPoolLimit", "-1", "objects", "most pooled watchlist objects", -1)),
    idle("each instance has a converter of its own", whole(global, "JsonConverterPoolsSize", "10", "objects",
                                                           "pooled JSON converters", 1, kInt32Max, Below::useDefault)),
});
constexpr auto kParameters = parameters::joined(kOwnParameters, parameters::kSharedParameters);

using parameters::SectionTitle, parameters::EntryGroup, parameters::SingleGroup;
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

constexpr const char* kServices[] = {"Service"};
constexpr EntryGroup kGroups[] = {
    {"ConsumerGroup", "ConsumerList", "Consumer", "DefaultConsumer", consumer},
    {"NiProviderGroup", "NiProviderList", "NiProvider", "DefaultNiProvider", niProvider},
    {"IProviderGroup", "IProviderList", "IProvider", "DefaultIProvider", iProvider},
    {"ChannelGroup", "ChannelList", "Channel", "", channel},
    {"ServerGroup", "ServerList", "Server", "", server},
    {"LoggerGroup", "LoggerList", "Logger", "", logger},
    {"DictionaryGroup", "DictionaryList", "Dictionary", "", dictionary},
    {"DirectoryGroup", "DirectoryList", "Directory", "DefaultDirectory", directory, kServices},
    {"WarmStandbyServerInfoGroup", "WarmStandbyServerInfoList", "WarmStandbyServerInfo", "", warmStandbyServer},
    {"WarmStandbyGroup", "WarmStandbyList", "WarmStandbyChannel", "", warmStandbyChannel},
    {"SessionChannelGroup", "SessionChannelList", "SessionChannel", "", sessionChannel},
};
constexpr SingleGroup kSingles[] = {{"GlobalConfig", global}};

}  // namespace

const parameters::Schema& schema() noexcept {
    static constexpr parameters::Schema emaConfig{"EmaConfig", "EmaConfig.xml", "EMISSARY_CONFIG", kParameters,
                                                  kTitles,     kGroups,         kSingles};
    return emaConfig;
}

std::string parametersAsMarkdown() {
    return "# Configuration reference\n\n"
           "Generated from the table that reads `EmaConfig.xml`, environment variables and programmatic configuration; "
           "do\n"
           "not edit.\n" +
           environmentAsMarkdown() +
           "\n# Parameters\n\n"
           "Numbers above a range are clamped; what happens below is said in the range column. Parameters marked\n"
           "*no effect* are read and checked, so that files need not be changed for them; why is said there.\n" +
           schema().tablesAsMarkdown();
}

}  // namespace emissary::ema
