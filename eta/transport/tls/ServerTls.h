// The TLS context of a listener's connections, as long as its certificate stays the same.
#pragma once

#include "transport/tls/TlsContext.h"

#include <memory>
#include <mutex>

namespace emissary::eta::transport {

/// One for each encrypted listener. Any thread.
class ServerTls {
public:
    /// Null when refused.
    [[nodiscard]] static std::shared_ptr<ServerTls> make(const TlsOptions& options, Refused& refused);
    explicit ServerTls(std::shared_ptr<TlsContext> context) : context_(std::move(context)) {}

    /// For the next connection.
    [[nodiscard]] std::shared_ptr<TlsContext> current() const {
        const std::lock_guard guard(mutex_);
        return context_;
    }
    /// Reads the files again. Refused: everything stays as it is.
    [[nodiscard]] Refused renew();

private:
    mutable std::mutex mutex_;
    std::shared_ptr<TlsContext> context_;  // under mutex_; connections share it
};

}  // namespace emissary::eta::transport
