// From parameters to the options of transport, log and dictionary (ema-config.md 5, 6, 10, 11). What an entry does not
// say stays as the caller set it, or as the parameter table says.
#pragma once

#include "config/layers/Configuration.h"
#include "logging/Logger.h"

#include "eta/transport/Channel.h"
#include "reactor/provider/ProviderRole.h"

#include <string>
#include <string_view>

namespace emissary::parameters {

/// Milliseconds of the configuration to the whole seconds of the wire, 1 to 255.
[[nodiscard]] std::uint8_t pingSeconds(std::int64_t ms) noexcept;

/// The parts of a text "host:port"; empty ones were not given. An IPv6 address stands in brackets where a port follows:
/// "[::1]:14002", "[::1]" and "::1".
struct HostPort {
    std::string_view host, port;
};
[[nodiscard]] HostPort splitHostPort(std::string_view text) noexcept;

/// Why the proxy of a channel has no effect, as a sentence; empty when it has one, or there is none.
[[nodiscard]] std::string idleProxy(const std::string& channel, const eta::transport::ConnectOptions& o);

/// What Channel and Server entries share.
void readTransport(const Reader& r, eta::transport::ChannelOptions& o);

/// A Channel entry, all but its multicast parameters; `type` is the connection type that holds for it.
void readChannel(const Reader& r, eta::transport::ConnectionType type, eta::transport::ConnectOptions& o);

/// A Server entry and what clients may cost there; `type` is the connection type that holds for it.
void readServer(const Reader& r, eta::transport::ConnectionType type, eta::transport::BindOptions& o,
                reactor::ClientLimits& limits);

/// A Logger entry.
void readLogger(const Reader& r, logging::LoggerSettings& s);

/// Where a dictionary comes from, and what it is called.
struct DictionarySettings {
    std::string name;
    bool fromFile = false;  ///< false: downloaded from the channel (consumer only)
    std::string fieldFile = "./RDMFieldDictionary", enumFile = "./enumtype.def";
    std::string fieldItemName = "RWFFld", enumItemName = "RWFEnum";
};

/// A Dictionary entry.
[[nodiscard]] DictionarySettings readDictionary(const Configuration& configuration, const std::string& name,
                                                bool fileByDefault);

}  // namespace emissary::parameters
