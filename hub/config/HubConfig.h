// HubConfig.xml and the options of the command line to settings (hub.md 13).
#pragma once

#include "config/layers/Configuration.h"
#include "config/layers/EffectiveValue.h"
#include "hub/config/HubSettings.h"

#include <string>
#include <vector>

namespace emissary::hub {

/// What the command line says; each beats the file.
struct Overrides {
    std::vector<std::string> sources;  ///< "host:port" or "name=host:port"; with any, those of the file are not used
    std::string port, publisherPort;   ///< of the first listener of each kind; empty = not given
    std::string httpPort, name;
};

using parameters::EffectiveValue;

/// The outcome of reading. Errors among the records mean that the hub must not start.
struct HubConfig {
    HubSettings settings;
    std::vector<logging::QueuedRecord> records;  ///< errors, warnings and remarks in the order in which they came up
    std::vector<EffectiveValue> values;
    std::string file;  ///< that was read; empty: none was there
    [[nodiscard]] bool usable() const noexcept;
    /// What --print-config shows.
    [[nodiscard]] std::string text() const;
};

/// Whether certificates and keys of encrypted ports are read as their listeners do, and found fault with.
enum class TlsFiles : std::uint8_t { read, left };

/// Reads the file as docs/hub-config.md says (empty path: the variable's, or the working directory's, or none), checks
/// it and the files it names. Binds and connects nothing.
[[nodiscard]] HubConfig readHubConfig(const std::string& path, const Overrides& overrides,
                                      TlsFiles tlsFiles = TlsFiles::read);

}  // namespace emissary::hub
