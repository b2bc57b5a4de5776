// Records to the journal of systemd, in its native protocol: one datagram for each.
#pragma once

#include "Destination.h"

#include <string>

#include <sys/un.h>

namespace emissary::logging {

/// Never waits: what the journal does not take at once is lost, and counted.
class Journal final : public Destination {
public:
    /// Refused, with null, when nobody receives there.
    [[nodiscard]] static std::shared_ptr<Journal> open(const std::string& path, eta::Refused& refused);

    Journal(int socket, const sockaddr_un& address) noexcept : socket_(socket), address_(address) {}
    ~Journal() override;

    /// Of a message; what is longer ends with a word on how much is missing.
    static constexpr std::size_t kLongestText = 48u << 10;

private:
    eta::Refused put(const LogRecord& record, const RecordForm& form) override;

    const int socket_;
    const sockaddr_un address_;
};

}  // namespace emissary::logging
