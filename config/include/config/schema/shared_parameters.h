// Parameters that every product has: of connections, listening ports, logs, dictionaries and configured services
// (ema-config.md 5, 6, 10, 11, 12).
#pragma once

#include "config/schema/Parameter.h"

#include "eta/codec/state_codes.h"
#include "eta/transport/connection_types.h"
#include "reactor/session/Backoff.h"

#include <algorithm>
#include <array>

namespace emissary::parameters {

namespace shared {

// Why parameters have no effect.
inline constexpr const char* kNoRest = "servers make no REST calls";
inline constexpr const char* kLinked = "OpenSSL is linked, not loaded by name";

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
inline constexpr auto kChannelTypeNames = connectionTypeNames<[](const Row& r) { return r.configured; }>();
inline constexpr auto kInnerTypeNames = connectionTypeNames<[](const Row& r) { return r.insideTls; }>();
inline constexpr auto kServerTypeNames = connectionTypeNames<[](const Row& r) { return r.configured && r.listens; }>();
inline constexpr EnumName kCompressionNames[] = {{"None", 0}, {"ZLib", 1}, {"LZ4", 2}};
inline constexpr EnumName kLoggerTypeNames[] = {{"File", 0}, {"Stdout", 1}, {"Stderr", 2}, {"Journal", 3}};
inline constexpr EnumName kLoggerFormatNames[] = {{"Ema", 0}, {"Line", 1}, {"Json", 2}};
inline constexpr EnumName kSeverityNames[] = {
    {"Verbose", 0}, {"Success", 1}, {"Warning", 2}, {"Error", 3}, {"NoLogMsg", 4}};
inline constexpr EnumName kDictionaryTypeNames[] = {{"FileDictionary", 0}, {"ChannelDictionary", 1}};
inline constexpr EnumName kStreamStateNames[] = {
    {"Open", 1}, {"NonStreaming", 2}, {"CloseRecover", 3}, {"Close", 4}, {"CloseRedirected", 5}};
inline constexpr EnumName kDataStateNames[] = {{"NoChange", 0}, {"Ok", 1}, {"Suspect", 2}};
inline constexpr auto kStatusCodeNames = eta::codec::ofStateCodes([](const eta::codec::StateCodeRow& row) {
    return EnumName{row.api, row.code};
});
inline constexpr EnumName kTimelinessNames[] = {{"RealTime", 0}, {"InexactDelayed", 4294967295}};
inline constexpr EnumName kRateNames[] = {{"TickByTick", 0}, {"JustInTimeConflated", 4294967040}};

inline constexpr EnumType kChannelType{"ChannelType", kChannelTypeNames},
    kInnerType{"EncryptedProtocolType", kInnerTypeNames}, kServerType{"ServerType", kServerTypeNames},
    kCompression{"CompressionType", kCompressionNames}, kLoggerType{"LoggerType", kLoggerTypeNames},
    kLoggerFormat{"LoggerFormat", kLoggerFormatNames}, kSeverity{"LoggerSeverity", kSeverityNames},
    kDictionaryType{"DictionaryType", kDictionaryTypeNames}, kStreamState{"StreamState", kStreamStateNames},
    kDataState{"DataState", kDataStateNames}, kStatusCode{"StatusCode", kStatusCodeNames},
    kTimeliness{"Timeliness", kTimelinessNames}, kRate{"Rate", kRateNames};

inline constexpr reactor::session::ReconnectOptions kReconnect;
inline constexpr Digits kReconnectLimit(kReconnect.attemptLimit), kReconnectMin(kReconnect.minDelay.count()),
    kReconnectMax(kReconnect.maxDelay.count());

}  // namespace shared

/// Channel, Server, Logger, Dictionary, and the filters of a service.
inline constexpr auto kSharedParameters = [] {
    using namespace rows;
    using namespace shared;
    using namespace Section;
    return std::to_array<Parameter>({
        // --- Channel
        choice(channel, "ChannelType", "RSSL_SOCKET", kChannelType, "kind of connection"),
        choice(channel, "EncryptedProtocolType", "RSSL_SOCKET", kInnerType, "what runs inside RSSL_ENCRYPTED"),
        text(channel, "Host", "localhost", "peer's name or address"),
        text(channel, "Port", "14002", "peer's port number or service name (14003 for an NiProvider)"),
        text(channel | server, "InterfaceName", "", "local address or device; empty = any"),
        choice(channel | server, "CompressionType", "None", kCompression, "compression asked for or offered"),
        number(channel | server, "CompressionThreshold", "30", "bytes", "smaller messages go uncompressed (LZ4: 300)"),
        number(channel | server, "ConnectionPingTimeout", "60000", "ms",
               "ping timeout proposed, or the largest accepted; in whole seconds", 1000, 255000),
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
        text(channel | server, "SharedMemoryGroup", "",
             "RSSL_UNIDIR_SHMEM: group whose members are trusted besides the own user and root; empty = nobody else"),
        text(channel, "ProxyHost", "", "proxy's host name"),
        text(channel, "ProxyPort", "", "proxy's port"),
        number(channel, "ProxyConnectionTimeout", "40", "s", "until the proxy lets the connection pass", 1),
        text(channel, "ObjectName", "", "path of the WebSocket upgrade; empty = /WebSocket"),
        number(channel | server, "SecurityProtocol", "12", "", "TLS versions: 4 = 1.2, 8 = 1.3, added up"),
        text(channel, "OpenSSLCAStore", "", "trusted certificates; empty = the system's"),
        text(channel, "ClientCert", "",
             "certificate (PEM) of this program, for servers that ask for one; RSSL_ENCRYPTED"),
        text(channel, "ClientKey", "", "private key (PEM) of ClientCert, without a pass phrase"),
        number(channel, "WsMaxMsgSize", "61440", "bytes", "largest WebSocket frame sent (JSON)", 64, 6291456),
        text(channel | server, "WsProtocols", "tr_json2, rssl.rwf, rssl.json.v2",
             "WebSocket sub-protocols, preferred first"),
        text(channel, "RecvAddress", "", "multicast group to hear; required"),
        text(channel, "RecvPort", "", "its port; required"),
        text(channel, "UnicastPort", "", "own port for requests for repair; required, 0 = any"),
        text(channel, "SendAddress", "", "multicast group to send to; required"),
        text(channel, "SendPort", "", "its port; required"),
        idle("multicast connections have no control connection", text(channel, "tcpControlPort", "", "control port")),
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
        idle("there are none", number(channel, "tpphold", "3", "100 ms", "hold time of point-to-point packets", 3)),
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
        moved(text(channel, "XmlTraceFileName", "EmaTrace", "see the instance section")),
        moved(whole(channel, "XmlTraceMaxFileSize", "100000000", "bytes", "see the instance section", 1, kInt64Max,
                    Below::useDefault)),
        moved(flag(channel, "XmlTraceToFile", "0", "see the instance section")),
        moved(flag(channel, "XmlTraceToStdout", "0", "see the instance section")),
        moved(flag(channel, "XmlTraceToMultipleFiles", "0", "see the instance section")),
        moved(flag(channel, "XmlTraceWrite", "1", "see the instance section")),
        moved(flag(channel, "XmlTraceRead", "1", "see the instance section")),
        moved(flag(channel, "XmlTracePing", "0", "see the instance section")),
        moved(flag(channel, "XmlTraceHex", "0", "see the instance section")),
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
        number(
            server, "MaxRefusalsPerMinute", "1000", "messages",
            "JSON texts of one client that cannot be converted, before its connection ends; before its login the first "
            "ends it; 0 = no limit"),
        number(server, "MaxStreamsPerClient", "1000000", "streams", "open streams of one client; 0 = no limit"),
        number(server, "MaxKeySize", "16384", "bytes", "key of one request, attributes included; 0 = no limit"),
        number(server, "MaxKeyBytesPerClient", "33554432", "bytes",
               "keys of all open streams of one client; 0 = no limit"),
        number(server, "GuaranteedOutputBuffers", "5000", "buffers", "output bound of each client in fragments", 1,
               4294967295, Below::useDefault),
        number(server, "SysSendBufSize", "65535", "bytes",
               "socket send buffer; 0 = the system's. RSSL_UNIDIR_SHMEM: ring to each client, 524288"),
        number(server, "SysRecvBufSize", "65535", "bytes",
               "socket receive buffer; 0 = the system's. RSSL_UNIDIR_SHMEM: ring from each client, 524288"),
        flag(server, "ServerSharedSocket", "0", "let several processes listen on one port"),
        number(server, "MaxFragmentSize", "6144", "bytes",
               "largest frame payload, announced to clients; above 65535 for JSON clients alone, RWF clients get 6144 "
               "then",
               25, 6291456),
        number(server, "CompressionLevel", "5", "", "level of zlib", 0, 9),
        text(server, "ServerCert", "", "certificate file"),
        text(server, "ServerPrivateKey", "", "private key file"),
        text(server, "ClientCA", "",
             "authorities (PEM file, or directory made by openssl rehash) that certificates of clients must be of; "
             "RSSL_ENCRYPTED; empty = clients are asked for none"),
        text(server, "ClientCrl", "",
             "lists of revoked certificates (PEM file), one of each authority that has signed a certificate of a "
             "client or an "
             "authority in between; empty = not looked at"),
        flag(server, "RequireClientCert", "1", "with ClientCA: 0 lets clients without a certificate in"),
        text(server, "CipherSuite", "", "TLS cipher list"),
        text(server, "DhParams", "", "Diffie-Hellman parameters"),
        text(server, "DHParams", "", "programmatic spelling of DhParams"),
        idle(kLinked, text(server, "LibSslName", "", "name of the TLS library")),
        idle(kLinked, text(server, "LibCryptoName", "", "name of the crypto library")),
        idle(kNoRest, text(server, "LibCurlName", "", "name of the REST library")),
        // --- Logger
        choice(logger, "LoggerType", "File", kLoggerType,
               "where records go; Journal is that of systemd, standard error where there is none"),
        choice(logger, "LoggerFormat", "Ema", kLoggerFormat,
               "a block of lines, one line, or a JSON object on a line; the journal has fields of its own"),
        text(logger, "JournalSocket", "/run/systemd/journal/socket", "where the journal receives"),
        number(
            logger, "MaxPeerRecordsPerMinute", "1200", "records",
            "of those that peers can cause, of each component and severity; 25 seconds' worth may come at once, more "
            "are left out and counted; 0 = no limit"),
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
        text(dictionary, "RdmFieldDictionaryFileName", "./RDMFieldDictionary",
             "field dictionary file; when the working folder has neither file, the installed ones "
             "(PREFIX/share/emissary) are "
             "read, and a record says so"),
        text(dictionary, "EnumTypeDefFileName", "./enumtype.def", "enumerated-type file, likewise"),
        text(dictionary, "RdmFieldDictionaryItemName", "RWFFld", "the field dictionary's name on the wire"),
        text(dictionary, "EnumTypeDefItemName", "RWFEnum", "the enumerated types' name on the wire"),
        idle("a dictionary says its number itself",
             whole(dictionary, "DictionaryID", "", "", "number of the dictionary")),
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
    });
}();

/// Two tables as one.
template <std::size_t N, std::size_t M>
constexpr std::array<Parameter, N + M> joined(const std::array<Parameter, N>& first,
                                              const std::array<Parameter, M>& second) {
    std::array<Parameter, N + M> all{};
    std::copy(second.begin(), second.end(), std::copy(first.begin(), first.end(), all.begin()));
    return all;
}

}  // namespace emissary::parameters
