// What the options of TransportPerf mean, after validation (perftools.md 5.1).
#pragma once
#include "TransportOptions.h"

#include "eta/transport/options.h"

#include <cstdint>
#include <string>

namespace emissary::perf {

/// Bytes of a message that carry meaning: sequence number and time stamp (perftools.md 5.2).
inline constexpr std::uint32_t kMessageHeadBytes = 16;
/// The protocol type that the handshake announces for the frames, version 0.0 (perftools.md 5.2).
inline constexpr std::uint8_t kTransportPerfProtocol = 88;

struct TransportPerfSettings : TransportPerfOptions {
    bool isServer = true;
    eta::transport::BindOptions bind;        ///< server
    eta::transport::ConnectOptions connect;  ///< client
    std::string statsSuffix;                 ///< of the names of statistics, behind the thread's number
};

/// Validates the parsed options; throws OptionError with the text for the user.
[[nodiscard]] TransportPerfSettings transportPerfSettings(Options& options);

}  // namespace emissary::perf
