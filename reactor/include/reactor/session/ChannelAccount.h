// Values that an attempt to connect needs and the configuration does not have: a token to log in with, the address of
// a server that is looked up with it (credentials.md 6).
#pragma once

#include "eta/transport/options.h"
#include "reactor/session/LoginOptions.h"

#include <cstdint>
#include <functional>
#include <string>

namespace emissary::reactor::session {

/// Prepared before each attempt on a channel. Several connections may try one channel; each prepares for itself. All
/// calls on the dispatching thread, with the session lock held.
class ChannelAccount {
public:
    using Ticket = std::uint64_t;  ///< of one request; none has the number 0
    /// Empty: go on. Else the attempt has failed, and this sentence says why.
    using Done = std::function<void(const std::string& refusal)>;

    virtual ~ChannelAccount() = default;
    /// Calls `done` once, later, never inside this call.
    [[nodiscard]] virtual Ticket prepare(Done done) = 0;
    /// `done` is not called any more; unknown tickets are ignored.
    virtual void abandon(Ticket ticket) noexcept = 0;

    /// Fills in the server's address as of the last preparation; leaves it alone where the configuration has it.
    virtual void address(eta::transport::ConnectOptions& connect) const = 0;
    /// The login to use now; null: that of the role's own options. Valid until the next preparation or renewal.
    [[nodiscard]] virtual const LoginOptions* login() const noexcept = 0;

    /// No connection came of the attempt.
    virtual void onAttemptFailed() {}
    /// The server has accepted the login.
    virtual void onLoggedIn() {}
    /// A connection that was up is gone.
    virtual void onLost() {}
};

}  // namespace emissary::reactor::session
