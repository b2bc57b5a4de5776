// The user at the other end of a local socket, and whether to trust that user (docs/wire/shared-memory.md).
#pragma once

#include "eta/core/Refused.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace emissary::eta::transport {

/// Process, user and groups at the other end of a local socket, as the kernel knew them when it connected or listened.
struct LocalPeer {
    std::uint32_t process = 0, user = 0;
    std::vector<std::uint32_t> groups;
    bool known = false;

    [[nodiscard]] static LocalPeer of(int socket);
};

/// Whom shared memory is shared with: programs of the own user, of root, and of the members of one group.
class LocalTrust {
public:
    /// `group` is a name, a number, or empty for nobody else. Looks the name up, which may take a while.
    [[nodiscard]] static LocalTrust of(const std::string& group, Refused& refused);
    [[nodiscard]] bool includes(const LocalPeer& peer) const noexcept;
    /// The group's number, as text; empty: there is none.
    [[nodiscard]] std::string group() const;

private:
    std::optional<std::uint32_t> group_;
};

}  // namespace emissary::eta::transport
