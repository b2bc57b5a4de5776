// The table of HubConfig.xml, and docs/hub-config.md made from it.
#include "hub/config/schema.h"

#include "config/schema/shared_parameters.h"
#include "hub/config/HubSettings.h"
#include "hub/config/reload.h"

#include <array>
#include <string_view>

namespace emissary::hub {

namespace {

using namespace Section;
using namespace parameters::rows;
using parameters::EntryGroup, parameters::EnumName, parameters::EnumType, parameters::kUInt16Max,
    parameters::kUInt32Max, parameters::Parameter, parameters::SectionTitle, parameters::SingleGroup;

constexpr EnumName kSourceModes[] = {{"ordered", 0}, {"balanced", 1}, {"hot", 2}},
                   kPublisherModes[] = {{"merge", 0}, {"single", 1}, {"hot", 2}},
                   kUnknownItems[] = {{"close", 0}, {"suspect", 1}, {"wait", 2}, {"template", 3}},
                   kLoginChecks[] = {{"none", 0}, {"file", 1}, {"jwt", 2}, {"command", 3}},
                   kCertUsers[] = {{"none", 0}, {"CN", 1}, {"SAN", 2}},
                   kAuditSyncs[] = {{"none", 0}, {"interval", 1}, {"every", 2}},
                   kJwtAlgorithms[] = {{"HS256", 0}, {"RS256", 1}, {"ES256", 2}},
                   kMismatches[] = {{"down", 0}, {"accept", 1}},
                   kConflations[] = {{"none", 0}, {"jit", 1}, {"tradesafe", 2}, {"interval", 3}},
                   kExportConflations[] = {{"none", 0}, {"tradesafe", 2}, {"interval", 3}};
constexpr EnumType kSourceMode{"SourceMode", kSourceModes}, kPublisherMode{"PublisherMode", kPublisherModes},
    kUnknownItem{"UnknownItem", kUnknownItems}, kMismatch{"DictionaryMismatch", kMismatches},
    kConflation{"Conflation", kConflations}, kExportConflation{"ExportConflation", kExportConflations},
    kLoginCheck{"LoginCheck", kLoginChecks}, kCertUser{"CertUser", kCertUsers},
    kJwtAlgorithm{"JwtAlgorithm", kJwtAlgorithms}, kAuditSync{"AuditSync", kAuditSyncs};

constexpr reactor::session::ReconnectOptions kReconnect;
constexpr parameters::Digits kReconnectMin(kReconnect.minDelay.count()), kReconnectMax(kReconnect.maxDelay.count());

constexpr auto kOwn = std::to_array<Parameter>({
    // --- every named entry
    text(channel | server | logger | parameters::Section::dictionary | service | source | userClass | view, "Name", "",
         "the entry's name; required"),
    // --- Hub
    text(hub, "Name", "", "in the text of login answers, on the pages; empty = the host's name"),
    text(hub, "AnnounceName", "ADS", "ApplicationName in login answers to consumers"),
    text(hub, "PublisherAnnounceName", "ADH", "ApplicationName in login answers to publishers"),
    list(hub, "Listeners", "Server entries for consumers; none = [consumers], which need not exist: port 14002"),
    list(hub, "NiListeners", "Server entries for publishers; none = [publishers], which need not exist: port 14003"),
    number(hub, "Threads", "1", "threads", "1 = one thread does everything; more: all but the first serve consumers", 1,
           64),
    list(hub, "ThreadBind", "processors: of the thread that does it all, or reads the sources, then of the others"),
    text(hub, "Dictionary", "",
         "Dictionary entry served to everybody; none = from the first source that has one, else ./"),
    choice(hub, "DictionaryMismatch", "down", kMismatch,
           "a second source with another version of a dictionary: its services are down, or it is accepted"),
    text(hub, "Logger", "", "Logger entry; none = lines on standard output"),
    number(hub, "HttpPort", "8080", "", "port of the pages, up to 65535 (docs/emissary-hub.md); 0 = none"),
    text(hub, "HttpAddress", "127.0.0.1", "numeric address of the pages; 0.0.0.0 and :: are all interfaces"),
    text(
        hub, "HttpTokens", "",
        "file of tokens of those who may use the pages and make calls, with their roles (docs/emissary-hub.md); none = "
        "no tokens are asked for"),
    text(hub, "HttpCertificate", "",
         "PEM file with the certificate of the pages and those that signed it; none = no TLS"),
    text(hub, "HttpKey", "", "PEM file with its private key, without a password"),
    text(hub, "HttpCaptureFolder", "",
         "folder, which must be there, for files of connections that an operator captures (docs/emissary-hub.md); none "
         "= "
         "nothing can be captured"),
    number(hub, "HttpCaptureBytes", "67108864", "bytes", "of captures of one connection; then nothing more is written",
           4096, parameters::kInt64Max),
    list(hub, "HttpHosts",
         "names that requests for pages may have as their Host, beside addresses, localhost and, unless the pages are "
         "on "
         "the loopback only, the name of the machine: those of an https proxy in front"),
    text(hub, "OtlpUrl", "",
         "where the counts are pushed to, over HTTP with the JSON of OTLP, for example "
         "http://127.0.0.1:4318/v1/metrics; none = they are not"),
    number(hub, "OtlpInterval", "15000", "ms", "time between pushes", 1000, 3'600'000),
    text(hub, "OtlpTokenFile", "",
         "file whose first line is a token for the collector, read for each push; none = no token"),
    text(hub, "OtlpCaFile", "", "authorities (PEM) of the collector's certificate; none = those of the system"),
    flag(hub, "SupportOMMPost", "1", "consumers may post"),
    flag(hub, "SupportStandby", "0", "consumers may use this hub as one server of a warm-standby group"),
    number(hub, "RttInterval", "0", "s",
           "time between round-trip measurements with consumers that want them; 0 = none"),
    flag(hub, "AllowTunnels", "1", "qualified private streams are passed through"),
    number(hub, "MaxConnections", "20000", "connections", "of each port, unless its Server entry says; 0 = no limit"),
    number(hub, "MaxConnectionsPerAddress", "0", "connections", "the same for one address; 0 = no limit"),
    number(hub, "MaxMountsPerClient", "1000000", "items", "open at once on one connection; 0 = no limit"),
    number(hub, "MaxItemKeySize", "1024", "bytes",
           "key of one item, attributes included; 0 = no more than MaxKeySize of the Server entry says"),
    number(hub, "MaxViewsPerClient", "1000", "views", "different ones at once on one connection; 0 = no limit"),
    number(hub, "MaxViewsPerItem", "1000", "views",
           "different ones at once on one item, each of which costs a part of every update; 0 = no limit"),
    number(hub, "MaxLoginsPerUser", "0", "logins", "of consumers with one user name, at once; 0 = no limit"),
    number(hub, "LoginProbeTime", "2000", "ms",
           "a login beyond MaxLoginsPerUser waits so long for a sign of life of the user's connections, and takes the "
           "place of one that gives none; 0 = it is refused at once",
           0, 60'000),
    number(hub, "MaxMountsPerUser", "0", "items", "open at once on all connections of a user; 0 = no limit"),
    number(hub, "ServiceWaitTimeOut", "0", "ms",
           "requests wait so long for a service that is not there yet, then they are refused; 0 = until it comes"),
    number(hub, "RequestsPerSecondPerClient", "0", "requests/s",
           "more wait; ten times as many end the connection; 0 = no limit"),
    number(hub, "LoginCheckTimeout", "5000", "ms", "wait for the login check; 0 = for ever"),
    choice(hub, "LoginCheck", "none", kLoginCheck,
           "who may log in: everybody, the users of LoginFile, who has a token, or whoever the program of LoginCommand "
           "accepts (docs/emissary-hub.md)"),
    text(hub, "LoginFile", "", "users with password hash, groups and addresses, for `file`"),
    text(hub, "JwtKeyFile", "", "public key (PEM), JWK set (JSON), or for HS256 a secret, for `jwt`"),
    choice(hub, "JwtAlgorithm", "RS256", kJwtAlgorithm,
           "how tokens are signed; a token that says otherwise is refused"),
    number(hub, "JwtGrace", "60", "s", "behind the end of a token, until its login ends unless it is renewed", 0,
           86400),
    text(hub, "JwtAudience", "", "`aud` that a token must have; needed for `jwt`"),
    text(hub, "JwtUserClaim", "sub", "claim of a token that names the user"),
    text(hub, "JwtGroupsClaim", "groups", "claim of a token that has the user's groups; may be missing"),
    text(hub, "Permission", "",
         "file of rules that say who may have which items (docs/emissary-hub.md); none = everybody may have "
         "everything"),
    text(hub, "LoginCommand", "",
         "program with its arguments, with blanks between, that is asked about logins, for `command`, and about items "
         "where a rule of Permission says `ask`; the path begins with / (docs/emissary-hub.md)"),
    number(hub, "PermissionLifetime", "60", "s",
           "how long an answer of LoginCommand about an item holds for the user; then it is asked again", 1, 86400),
    text(hub, "AuditFolder", "",
         "folder of the audit log, which must be there: logins, refusals, ends of connections, calls of operators as "
         "lines of JSON (docs/emissary-hub.md); none = no audit log"),
    number(hub, "AuditFileBytes", "67108864", "bytes", "of one file of it; a new one begins then, and every day (UTC)",
           4096, parameters::kInt64Max),
    number(hub, "AuditFiles", "365", "files", "of it that are kept, the oldest go; 0 = all"),
    choice(hub, "AuditSync", "interval", kAuditSync,
           "when its lines are made to reach the disk (fdatasync): when the system likes, once a second, or with "
           "everything that is written"),
    number(hub, "AuditQueueBytes", "8388608", "bytes",
           "of its lines that wait for the disk; further ones are lost, counted, and a line says so", 65536, 1 << 30),
    text(hub, "UsageFolder", "",
         "folder for the use of items by user, service, product code and day, which must be there "
         "(`emissary-hub usage FOLDER` prints it); none = use is not counted"),
    number(hub, "UsageInterval", "30", "s",
           "the file of the day is written so often; a hub that is killed loses at most twice that", 1, 30),
    number(hub, "UsageRows", "100000", "rows",
           "users times services times product codes of a day; the use of further ones goes into one row, `others`", 1,
           10'000'000),
    number(hub, "MaxOutstandingPosts", "100000", "posts", "of one consumer without an ack", 1),
    number(hub, "PostAckTimeout", "12000", "ms",
           "wait for a source's ack, less than clients wait (15 s); 0 = for ever"),
    number(hub, "MaxPostImage", "1048576", "bytes", "of one image that posts make or change; 0 = no limit", 0,
           parameters::kInt64Max),
    number(hub, "MaxPostBytesPerUser", "67108864", "bytes",
           "of the items that posts of one user have made, 512 for each added; 0 = no limit", 0, parameters::kInt64Max),
    number(hub, "MaxPostBytes", "536870912", "bytes", "the same for all users together; 0 = no limit", 0,
           parameters::kInt64Max),
    number(hub, "MaxBatchItems", "10000", "items", "in one batch request, whose names fit into 64 KB", 1),
    number(hub, "ConflateAbove", "262144", "bytes",
           "queued for one client: it is behind; its updates are joined, and discardable ones left out"),
    number(hub, "ConflateBelow", "65536", "bytes", "queued for a client that is behind: it has caught up"),
    number(hub, "ConflateBytes", "16777216", "bytes",
           "of updates that wait, joined, for one client that is behind; more, and the oldest are sent; 0 = not joined",
           0, parameters::kInt64Max),
    text(hub, "ConflateTypes", "0,1,5,8,10",
         "types of updates that are joined: 0 Unspecified, 1 Quote, 2 Trade, 3 NewsAlert, 4 VolumeAlert, 5 "
         "OrderIndication, "
         "6 ClosingRun, 7 Correction, 8 MarketDigest, 9 QuotesTrade, 10 Multiple, 11 Verify; all others come one by "
         "one"),
    number(hub, "ConflationBytes", "268435456", "bytes",
           "of updates that wait for the interval of their item, of each thread; when there are more they go at once",
           65536, parameters::kInt64Max),
    number(hub, "DisconnectAbove", "16777216", "bytes",
           "queued for one client: it is disconnected; at a quarter of it, what it asks for waits", 65536),
    number(hub, "SlowClientTimeout", "30", "s", "without any byte taken, while output waits: disconnected", 1),
    number(hub, "ConflateAge", "0", "s",
           "that an update may wait, joined, for a client that is behind; longer, and it is disconnected; 0 = no limit",
           0, 86'400),
    number(hub, "RefreshPartBytes", "6000", "bytes", "longer refreshes of Map, Vector and Series go in parts", 512,
           kUInt32Max),
    number(hub, "StatusRate", "100000", "statuses/s",
           "to clients that do not hear of groups, when a source or a group of items changes its state; 0 = no limit"),
    number(hub, "MaxServices", "10000", "services", "of all sources and publishers together; further ones are left out",
           1, 65535),
    number(hub, "MaxServicesPerSource", "1000", "services",
           "that one source or publisher offers; further ones are left out", 1, 65535),
    number(hub, "DrainTimeout", "10", "s", "from SIGTERM to the end of sessions that have not left", 0, 3600),
    // --- Mesh
    list(mesh, "Servers",
         "NATS servers, `nats://host:4222` or `tls://host:4222`, one of which is used at a time; none = the hub shares "
         "with no other hub (docs/emissary-hub.md)"),
    list(mesh, "ServersB",
         "servers of a second cluster, independent of the first: everything goes over both, and losing one of them "
         "shows nothing; none = there is one. What the hub's TLS is holds for both; who it is too, unless one of the "
         "parameters whose names end in B says so"),
    text(mesh, "Mesh", "default", "hubs with the same name share with each other"),
    text(mesh, "NodeName", "", "of this hub in the mesh, where no two are alike; empty = the Hub's Name"),
    list(mesh, "Export", "services that other hubs may have from this one, while a source of its own offers them"),
    list(mesh, "Import",
         "services that this hub has from others, while no source of its own can serve them; clients see them like any "
         "service"),
    number(mesh, "Rank", "100", "", "among hubs that export the same service, the lowest is asked", 0, 255),
    flag(mesh, "PreferRank", "0",
         "a hub of a lower Rank comes before this hub's own sources and publishers of a service that is imported; 0 = "
         "the own ones come first, whatever their Rank"),
    text(mesh, "EpochFile", "",
         "keeps the number of the hub's last life, so that a new one is told from it; empty = emissary-NODENAME.epoch "
         "in the working directory"),
    number(mesh, "HeartbeatMs", "500", "ms",
           "between signs of life; after four of them without a word of its owner, an item is suspect", 20, 60'000),
    number(mesh, "GapGrace", "200", "ms", "an item stays Ok so long while lost updates are asked for again", 0, 60'000),
    number(mesh, "WideAt", "3", "hubs", "that want an item: its updates go once for all of them", 2, 64),
    number(mesh, "WideLanes", "16", "lanes", "for such updates; the same on all hubs of a mesh", 1, 4096),
    number(mesh, "BatchBytes", "32768", "bytes", "of updates that go together", 1024, 262'144),
    number(mesh, "BatchMicros", "500", "us", "an update waits at most so long for others to go with", 0, 1'000'000),
    number(mesh, "RequestRate", "100000", "items/s", "asked of one owner", 1, 10'000'000),
    number(mesh, "MaxItems", "4000000", "items",
           "of other hubs here, and of this one that others have; more are refused, and asked for again", 1,
           100'000'000),
    number(
        mesh, "MaxPosts", "20000", "posts",
        "that wait for other hubs, and of each other hub for sources of this one (of all others three times as many); "
        "more are refused (NoResources)",
        1, 10'000'000),
    text(mesh, "CredentialsFile", "", "user JWT and seed for the servers, as nsc writes them"),
    text(mesh, "NKey", "", "public key of this hub, for servers that know it; goes with NKeySeedFile"),
    text(mesh, "NKeySeedFile", "", "file with the seed of NKey"),
    text(mesh, "TokenFile", "", "file whose first line is a token for the servers"),
    text(mesh, "UserName", "", "of this hub at the servers; goes with PasswordFile"),
    text(mesh, "PasswordFile", "", "file whose first line is the password of UserName"),
    text(mesh, "CredentialsFileB", "",
         "the same for ServersB, where one of these six is set: the hub is who they say there; none = who it is at "
         "Servers"),
    text(mesh, "NKeyB", "", "public key of this hub at ServersB; goes with NKeySeedFileB"),
    text(mesh, "NKeySeedFileB", "", "file with the seed of NKeyB"),
    text(mesh, "TokenFileB", "", "file whose first line is a token for ServersB"),
    text(mesh, "UserNameB", "", "of this hub at ServersB; goes with PasswordFileB"),
    text(mesh, "PasswordFileB", "", "file whose first line is the password of UserNameB"),
    flag(mesh, "Tls", "0", "as if all Servers were `tls://`"),
    text(mesh, "CaFile", "", "authorities (PEM) of the servers' certificates; none = those of the system"),
    text(mesh, "CertificateFile", "", "certificate (PEM) of this hub, for servers that ask for one; goes with KeyFile"),
    text(mesh, "KeyFile", "", "its key (PEM)"),
    text(mesh, "ExpectedHost", "", "name in the servers' certificates; none = the host of their address"),
    // --- Server, beside what every server has
    text(
        hub | server, "DefaultService", "",
        "name or id of the service of requests and posts that name none; none = the hub's, else the only one there is"),
    flag(server, "WebSocket", "1", "0 = upgrades to WebSocket are refused"),
    flag(server, "Sse", "0",
         "GET /sse is answered: the read-only form of a JSON connection (text/event-stream), for networks that break "
         "WebSocket"),
    list(
        server, "AllowedOrigins",
        "pages that browsers may connect from, beside those of this port and of HttpPort: scheme://host:port, null, or "
        "* for all"),
    flag(server, "RequireOrigin", "0", "WebSocket clients that send no Origin, which are no browsers, are refused"),
    flag(server, "AllowPlainWeb", "0",
         "browsers on other machines may connect without TLS; everybody on the way can read their passwords"),
    number(server, "MaxHandshakesPerSecond", "500", "upgrades/s",
           "WebSockets that come up, on average; ten seconds' worth may come at once, more get HTTP 429; 0 = no limit"),
    list(server, "TrustedProxies",
         "addresses and ranges (10.0.0.7, 10.0.0.0/8, fd00::/8) of proxies whose X-Forwarded-For is believed"),
    list(server, "PublicHost",
         "host or host:port that browsers have this port under, behind a proxy: pages from there may connect"),
    list(server, "CookieLogin",
         "names of the cookies that log a JSON client in over TLS: of the token, the position and the application id, "
         "as in AuthToken, position, applicationId; the last two are optional; none = cookies are not looked at"),
    list(server, "WebServices", "services that clients over WebSocket know of; none = all"),
    flag(server, "RequireView", "0", "requests for items over WebSocket without a view are refused"),
    flag(
        server, "WebPosting", "0",
        "posts and generic messages of browsers are taken: of WebSocket clients with an Origin that is not this port's "
        "own"),
    number(server, "WebRequestsPerSecond", "", "requests/s",
           "as RequestsPerSecondPerClient of the Hub entry, for clients over WebSocket; none = the Hub's"),
    number(server, "WebMountsPerClient", "", "streams",
           "as MaxMountsPerClient of the Hub entry, for clients over WebSocket; none = the Hub's"),
    number(server, "WebPostsPerSecond", "", "posts/s",
           "of one client over WebSocket; more are refused, and a flood ends the connection; 0 = no limit; none = 50 "
           "for browsers (see WebPosting), no limit for programs"),
    number(server, "WebJsonDepth", "32", "",
           "objects and arrays inside each other in a message of a JSON client; more end the connection", 4, 64),
    number(server, "WebJsonValues", "10000", "values",
           "of a message of a JSON client: objects, arrays, strings, numbers, words, but not the strings in arrays, "
           "such as the names of a batch; more end the connection; 0 = no limit"),
    flag(server, "JsonExpandedEnumFields", "1", "JSON enumerated fields as display text; 0 = as numbers"),
    number(server, "ConflateAbove", "", "bytes",
           "as in the Hub entry, for the clients of this port; none = the Hub's, at most DisconnectAbove"),
    number(server, "ConflateBelow", "", "bytes", "the same; none = the Hub's, at most ConflateAbove"),
    number(server, "ConflateBytes", "", "bytes", "the same; none = the Hub's", 0, parameters::kInt64Max),
    text(server, "ConflateTypes", "", "the same; none = the Hub's"),
    choice(
        server, "Conflation", "", kConflation,
        "as in a Service entry, for the clients of this port: of both, the stricter one holds; none = the service's"),
    number(server, "ConflationInterval", "333", "ms", "of Conflation, where this entry has one", 1, 3'600'000),
    number(server, "DisconnectAbove", "", "bytes", "the same; none = the Hub's", 65536),
    number(server, "SlowClientTimeout", "", "s", "the same; none = the Hub's", 1),
    number(server, "ConflateAge", "", "s", "the same; none = the Hub's", 0, 86'400),
    number(server, "MaxUpdateRate", "0", "updates/s",
           "to each login of this port: more are joined, and go as the rate allows; updates that are never joined "
           "(ConflateTypes, Conflation) go at once, and count; 0 = no limit",
           0, 100'000'000),
    number(server, "MaxByteRate", "0", "bytes/s",
           "of updates to each login of this port, in the same way; 0 = no limit", 0, 1'000'000'000'000),
    choice(server, "CertUser", "none", kCertUser,
           "with ClientCA: part of a client's certificate that names the user of its login: CN of the subject, or SAN, "
           "an alternative name (mail addresses, UPNs, URIs; DNS names only where there are none of these); a login as "
           "somebody else is refused"),
    text(server, "PublisherGroups", "",
         "groups with commas between, of which a user that publishes must have one, as LoginCheck says; empty = every "
         "user whose login is accepted may publish"),
    flag(server, "AnyRole", "0",
         "consumers and publishers alike on this port: the first login says what a connection is"),
    // --- Source
    text(source, "Channel", "", "Channel entry"),
    list(source, "ChannelSet", "Channel entries tried in this order; Channel wins"),
    text(source, "UserName", "", "of the login; empty = the user that the hub runs as"),
    text(source, "ApplicationId", "256", "of the login"),
    text(source, "Position", "", "of the login; empty = ADDRESS/net"),
    flag(source, "Required", "1", "/readyz waits for this source"),
    number(source, "RequestRate", "50000", "requests/s", "0 = no limit"),
    number(source, "RequestTimeout", "15000", "ms", "wait for an answer, the directory's too; 0 = for ever"),
    number(source, "MaxItemsPerSource", "0", "items", "open at once; 0 = no limit"),
    flag(source, "SendMirroringMode", "0",
         "the source hears how the hub uses its services (ConsumerStatus) in every SourceMode; 0 = in `hot` alone"),
    number(source, "ReconnectMinDelay", kReconnectMin.text, "ms",
           "first wait before reconnecting; doubles up to ReconnectMaxDelay", 100, 3'600'000),
    number(source, "ReconnectMaxDelay", kReconnectMax.text, "ms", "longest wait before reconnecting", 100, 3'600'000),
    // --- Service
    number(service, "ServiceId", "", "", "towards consumers; none = the source's when free, else the lowest that is", 1,
           kUInt16Max),
    flag(service, "Static", "0",
         "the service is there without any source: InfoFilter, StateFilter and LoadFilter say what it is"),
    list(service, "Sources", "Source entries in order; none = all that offer the service"),
    choice(service, "SourceMode", "ordered", kSourceMode, "which source serves an item"),
    flag(service, "PreferSources", "0",
         "an item that a publisher and a source could both serve is the source's; 0 = it is the publisher's"),
    flag(service, "FailBack", "0", "items return to a better source when it is back"),
    text(
        service, "Cache", "",
        "images kept: `all`, `none`, or domains (`MMT_MARKET_PRICE`, 7); empty = all of published and static services, "
        "none of interactive ones"),
    number(service, "MaxItems", "4000000", "items", "with an image; 0 = no limit"),
    number(service, "MaxBytes", "0", "bytes", "of images; 0 = no limit", 0, parameters::kInt64Max),
    number(service, "ExpireAfter", "0", "s", "records without change are erased; 0 = never"),
    number(service, "ExpirePosted", "86400", "s",
           "items that only posts have made are erased without change; 0 = never, ExpireAfter apart"),
    flag(service, "DropOldest", "0", "at MaxItems the record that changed least recently is erased"),
    choice(
        service, "Conflation", "jit", kConflation,
        "updates of an item: jit = as they come, joined for a client that is behind; none = never joined; tradesafe = "
        "of ConflateTypes one in an interval, all others at once; interval = of all types one in an interval"),
    number(service, "ConflationInterval", "333", "ms", "of Conflation tradesafe and interval", 1, 3'600'000),
    choice(service, "ExportConflation", "none", kExportConflation,
           "the same for other hubs of the mesh (Export), which get no more than that for their clients; none = all "
           "updates, whatever Conflation says"),
    number(service, "ExportInterval", "333", "ms", "of ExportConflation tradesafe and interval", 1, 3'600'000),
    list(
        service, "OfferedRates",
        "lower rates that a request may ask for by its QoS, at most 3: jit (JustInTimeConflated), or an interval in ms "
        "(TimeConflated), not below that of the service's Conflation; clients see them in the service's QoS"),
    flag(service, "AnnounceRate", "0",
         "the QoS of the service and of its images says what Conflation makes of it; clients that recover items look "
         "for "
         "the QoS that they had"),
    choice(service, "UnknownItem", "close", kUnknownItem, "a request for an item that nobody has published"),
    text(service, "TemplateFile", "", "message file with the first image of such items, for `template`"),
    flag(service, "KeepServiceUp", "0", "a cached service stays up without a source"),
    flag(service, "DeleteLostServices", "0", "a service without source is deleted, not down"),
    choice(service, "PublisherMode", "merge", kPublisherMode, "several publishers of the service"),
    list(service, "PublisherOrder", "login names of publishers, best first"),
    list(service, "PublisherGroups",
         "groups, as LoginCheck says, of which a publisher must have one to offer the service; empty = whoever may "
         "publish on the port"),
    number(service, "RepublishTimeout", "0", "s",
           "items that a returning publisher has not published again are closed after it; 0 = they stay suspect"),
    number(service, "ItemLinger", "0", "ms",
           "an item without consumers stays open at its source, if its image is kept (Cache)"),
    number(service, "NegativeCache", "0", "ms", "a refusal is repeated without asking the source again"),
    flag(service, "AddUnknownFields", "1", "fields that an update brings first are added to the image"),
    flag(service, "SeqNumGaps", "0", "a jump of sequence numbers makes the item suspect until it is asked for again"),
    flag(service, "SnapshotOpens", "0",
         "a snapshot opens the item at its source as a stream; 0 = the source is asked for a snapshot"),
    flag(service, "ForwardPosts", "0", "posts to a published service go to its publisher too"),
    flag(service, "ForwardGenerics", "0", "generic messages to a published service go to its publisher"),
    text(service, "PostRights", "all",
         "what posts to a published service may do: `all`, `none`, or of `update`, `create`, `delete`, `modify` "
         "(permissions); updates are always among them"),
    number(service, "OpenWindow", "", "requests", "announced to consumers; none = not announced"),
    number(service, "OpenLimit", "", "items", "announced to consumers; none = not announced"),
    text(service, "DelayOf", "",
         "the name of another service, which this one is DelayTime later; nobody else offers this one then"),
    number(service, "DelayTime", "900", "s", "how much later, with DelayOf", 1, 86'400),
    number(service, "DelayMemoryBytes", "268435456", "bytes",
           "memory for what waits until its time has come; what has no room makes its item suspect", 1 << 20,
           std::uint64_t{1} << 40),
    text(service, "DelayFolder", "", "folder of the file for what has no room in memory, which must be there"),
    number(service, "DelayFileBytes", "0", "bytes", "the largest size of that file; 0 = there is none", 0,
           std::uint64_t{1} << 44),
    list(service, "DelayItems",
         "items of domain 6 that are open all the time; others from their first request on, with an image DelayTime "
         "later"),
    // --- UserClass
    list(userClass, "Users", "names of logins; a user belongs to the first entry that names it or one of its groups"),
    list(userClass, "Groups", "groups of users, as the login check says (LoginCheck)"),
    choice(
        userClass, "Conflation", "", kConflation,
        "as in a Service entry, for these users: of service, port and this the strictest holds; none = of the others"),
    number(userClass, "ConflationInterval", "333", "ms", "of Conflation, where this entry has one", 1, 3'600'000),
    number(userClass, "MaxUpdateRate", "0", "updates/s",
           "as in a Server entry, to each login of these users: of both, the smaller number holds; 0 = no limit", 0,
           100'000'000),
    number(userClass, "MaxByteRate", "0", "bytes/s", "the same for bytes; 0 = no limit", 0, 1'000'000'000'000),
    text(userClass, "View", "",
         "View entry with the fields that these users may have of any item, whatever they ask for; none = all fields"),
    // --- View
    list(view, "Fields",
         "ids or names of fields; a name that the field dictionary does not have stands for no field, and the log says "
         "so"),
});

/// Of the shared rows those that mean something here: no multicast, nothing that is only read for old files.
constexpr bool fits(const Parameter& p) {
    constexpr std::string_view kMulticast[] = {"RecvAddress",
                                               "RecvPort",
                                               "UnicastPort",
                                               "SendAddress",
                                               "SendPort",
                                               "HsmInterface",
                                               "HsmMultAddress",
                                               "HsmPort",
                                               "HsmInterval",
                                               "DisconnectOnGap",
                                               "PacketTTL",
                                               "ndata",
                                               "nrreq",
                                               "tdata",
                                               "trreq",
                                               "twait",
                                               "tbchold",
                                               "nmissing",
                                               "pktPoolLimitHigh",
                                               "pktPoolLimitLow",
                                               "userQLimit"};
    if (p.moved || p.idleBecause != nullptr) return false;
    for (const std::string_view name : kMulticast)
        if (name == p.name) return false;
    return true;
}
constexpr auto kShared = [] {
    std::array<Parameter, static_cast<std::size_t>(std::ranges::count_if(parameters::kSharedParameters, fits))> out{};
    std::ranges::copy_if(parameters::kSharedParameters, out.begin(), fits);
    for (Parameter& p : out)
        if (std::string_view(p.name) == "LoggerFormat") p.defaultText = "Line";
    return out;
}();
constexpr auto kAll = parameters::joined(kOwn, kShared);

constexpr SectionTitle kTitles[] = {{hub, "Hub"},
                                    {mesh, "Mesh"},
                                    {source, "Source"},
                                    {service, "Service"},
                                    {serviceInfo, "InfoFilter"},
                                    {serviceState, "StateFilter"},
                                    {serviceStatus, "Status"},
                                    {serviceLoad, "LoadFilter"},
                                    {qosEntry, "QoSEntry"},
                                    {server, "Server"},
                                    {userClass, "UserClass"},
                                    {view, "View"},
                                    {channel, "Channel"},
                                    {parameters::Section::dictionary, "Dictionary"},
                                    {logger, "Logger"}};
constexpr const char* kFilters[] = {"InfoFilter", "StateFilter", "LoadFilter"};
constexpr EntryGroup kGroups[] = {
    {"SourceGroup", "SourceList", "Source", "", source},
    {"ServiceGroup", "ServiceList", "Service", "", service, kFilters},
    {"ServerGroup", "ServerList", "Server", "", server},
    {"UserClassGroup", "UserClassList", "UserClass", "", userClass},
    {"ViewGroup", "ViewList", "View", "", view},
    {"ChannelGroup", "ChannelList", "Channel", "", channel},
    {"DictionaryGroup", "DictionaryList", "Dictionary", "", parameters::Section::dictionary},
    {"LoggerGroup", "LoggerList", "Logger", "", logger},
};
constexpr SingleGroup kSingles[] = {{"Hub", hub}, {"Mesh", mesh}};

[[nodiscard]] const char* reloadWord(parameters::SectionMask section, std::string_view parameter) {
    const std::optional<Reload> mark = reloadMark(section, parameter);
    return !mark ? "?" : *mark == Reload::live ? "live" : *mark == Reload::reconnect ? "reconnect" : "restart";
}

}  // namespace

const parameters::Schema& schema() noexcept {
    static constexpr parameters::Schema hubConfig{
        "HubConfig", "HubConfig.xml", "EMISSARY_HUB_CONFIG", kAll, kTitles, kGroups, kSingles, true, true, reloadWord};
    return hubConfig;
}

std::string referenceAsMarkdown() {
    return R"(# Configuration of the hub

Generated from the table that reads `HubConfig.xml`; do not edit. What the hub does is in docs/emissary-hub.md.

The file is the one that `-c` names, else the one that the environment variable `EMISSARY_HUB_CONFIG` names, else `HubConfig.xml`
of the working directory; without any, every default applies: consumers on port 14002, publishers on 14003, pages on
`http://127.0.0.1:8080/`, no source. `emissary-hub --check` says whether the file can be used, `--print-config` lists every value
in effect and where it comes from. Both bind nothing.

```xml
<HubConfig>
  <Hub> <HttpPort value="8080"/> ... </Hub>
  <Mesh> <Servers value="nats://127.0.0.1:4222"/> <Import value="TEST_FEED"/> ... </Mesh>
  <SourceGroup><SourceList> <Source> <Name value="Feed"/> <Channel value="Channel_1"/> </Source> </SourceList></SourceGroup>
  <ServiceGroup><ServiceList> <Service> <Name value="TEST_FEED"/> <Cache value="all"/> </Service> </ServiceList></ServiceGroup>
  <ServerGroup><ServerList> <Server> <Name value="consumers"/> <Port value="14002"/> </Server> </ServerList></ServerGroup>
  <UserClassGroup><UserClassList> <UserClass> <Name value="web"/> <Groups value="retail"/> ... </UserClass> </UserClassList></UserClassGroup>
  <ViewGroup><ViewList> <View> <Name value="quotes"/> <Fields value="BID, ASK, 25"/> </View> </ViewList></ViewGroup>
  <ChannelGroup><ChannelList> <Channel> <Name value="Channel_1"/> <Port value="17008"/> </Channel> </ChannelList></ChannelGroup>
  <DictionaryGroup> ... <LoggerGroup> ...
</HubConfig>
```

Conventions are those of `EmaConfig.xml`: a parameter is an empty element with the attribute `value`, names are case sensitive,
order is free, numbers above a range are clamped. Words of an enumeration may be written with its type or alone:
`UnknownItem::suspect` or `suspect`. A Service entry named `*` holds for all services that have no entry of their own.

A value that cannot be used, a name without an entry, a parameter that is not below and a file that cannot be read are errors:
each is logged with file and line, and the hub does not start.

The column `Reload` says what happens when a running hub reads the file again (`emissary-hub reload`, SIGHUP): it takes another
value of a parameter that is `live`, and of one that says `reconnect`, for which it makes the connection of that source anew.
Another value of one that says `restart` refuses the whole reload, and the hub names it. Entries of Source, Channel, UserClass,
View and Logger may come, go and change their order. A new Service entry for a service that is not there yet is taken whole. When an entry
is removed and nobody offers its service any more, the service is deleted (docs/emissary-hub.md). Any other Service entry that comes
or goes is compared with what holds for services without an entry. Entries of the other lists come and go with a restart.
)" + schema().tablesAsMarkdown();
}

}  // namespace emissary::hub
