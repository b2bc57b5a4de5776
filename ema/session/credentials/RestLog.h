// ema/session/credentials: a consumer's REST log: to a file or standard output, and the application (8.1).
#pragma once

#include "Access/Include/OmmConsumerRestLoggingEvent.h"
#include "Access/Include/OmmRestLoggingClient.h"
#include "rest/http_types.h"

#include <cstdio>
#include <memory>
#include <string>

namespace emissary::ema {

/// The friend of OmmConsumerRestLoggingEvent.
struct RestLogging {
    [[nodiscard]] static refinitiv::ema::access::OmmConsumerRestLoggingEvent event(const std::string& entry,
                                                                                   void* closure) {
        return {
            refinitiv::ema::access::EmaString(entry.c_str(), static_cast<refinitiv::ema::access::UInt32>(entry.size())),
            closure};
    }
};

/// Session lock held throughout.
class RestLog {
public:
    struct Options {
        bool toFile = false, toCallback = false, verbose = false;
        std::string fileName;  ///< empty: standard output
        refinitiv::ema::access::OmmRestLoggingClient* client = nullptr;
        void* closure = nullptr;
    };
    explicit RestLog(Options options) : options_(std::move(options)) {}

    [[nodiscard]] rest::Tracing tracing() const noexcept {
        if (!options_.toFile && !(options_.toCallback && options_.client != nullptr)) return rest::Tracing::off;
        return options_.verbose ? rest::Tracing::verbose : rest::Tracing::masked;
    }
    void toFile(bool on) noexcept { options_.toFile = on; }
    void toCallback(bool on) noexcept { options_.toCallback = on; }
    /// Writes to the file; false when it cannot be opened or written, once.
    [[nodiscard]] bool write(const std::string& entry);
    /// The client to call with the entry; may be null.
    [[nodiscard]] refinitiv::ema::access::OmmRestLoggingClient* client() const noexcept {
        return options_.toCallback ? options_.client : nullptr;
    }
    [[nodiscard]] void* closure() const noexcept { return options_.closure; }
    [[nodiscard]] const std::string& fileName() const noexcept { return options_.fileName; }

private:
    struct Close {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    Options options_;
    std::unique_ptr<std::FILE, Close> file_;
    bool failed_ = false;
};

}  // namespace emissary::ema
