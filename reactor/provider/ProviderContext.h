// The base of all parts of one provider role.
#pragma once

#include "reactor/GrowingBuffer.h"
#include "reactor/OwnCalls.h"
#include "reactor/provider/ProviderRole.h"

#include <functional>
#include <string>

namespace emissary::reactor {

struct Session;

/// Codes of the states that the role itself sends (rdm.md 1.2).
namespace state_code {
inline constexpr std::uint8_t timeout = 2, usageError = 5, noResources = 12, tooManyItems = 13, alreadyOpen = 14,
                              sourceUnknown = 15, generalError = 28;
}

/// The messages to clients that the role ends by itself: one that exceeds a limit, and one that does not read.
namespace farewell {
inline constexpr ClientFarewell overLimit{eta::codec::StreamState::closed, eta::codec::DataState::suspect,
                                          state_code::usageError, close_code::policy, false};
inline constexpr ClientFarewell tooSlow{eta::codec::StreamState::closedRecover, eta::codec::DataState::suspect,
                                        state_code::noResources, close_code::slow, true};
}  // namespace farewell

/// Made first and destroyed last. Session lock held throughout, as for everything in this folder.
struct ProviderContext {
    ProviderContext(Reactor& r, ProviderOptions o, ProviderHandler& h)
        : reactor(r), options(std::move(o)), handler(h), calls_(r) {}

    /// Runs soon from the loop, unless the role has gone by then.
    void post(std::function<void()> what) { calls_.post(std::move(what)); }

    /// A login says who it is, or has a token that does; where somebody checks logins, a certificate may say it.
    [[nodiscard]] bool saysUser(const eta::codec::MsgKey& login) const noexcept {
        namespace KeyFlag = eta::codec::KeyFlag;
        return login.has(KeyFlag::name) || (login.has(KeyFlag::nameType) && login.nameType == 5) ||
               (options.holdsUntilVerdict && !options.bind.tls.clientCa.empty());
    }

    Reactor& reactor;
    ProviderOptions options;
    ProviderHandler& handler;
    ProviderCounters counters;
    GrowingBuffer payload{4096}, message{4096};  ///< for one message at a time, while it is made

private:
    OwnCalls calls_;
};

/// When the handler hears of the end of a login: not at all, at once (on the dispatching thread), or from a later
/// turn.
enum class Tell : std::uint8_t { nothing, now, later };

/// Ends clients for the parts that find a reason to. Who implements it knows all parts, since each has something to
/// forget then.
class ClientEnds {
public:
    /// The connection and everything on it.
    virtual void endClient(Session& session, const std::string& reason, Tell tell) = 0;
    /// The same, with the reason to the client.
    virtual void endClient(Session& session, const std::string& reason, Tell tell, const ClientFarewell& farewell) = 0;
    /// The login, and with it every stream; the connection stays.
    virtual void endLogin(Session& session, Tell tell) = 0;
    /// The login was accepted: what was held meanwhile is dealt with.
    virtual void releaseEarly(Session& session) = 0;
    /// The connection goes on with the handler, whose `login` came on it.
    virtual void handOver(Session& session, Bytes login) = 0;

protected:
    ~ClientEnds() = default;
};

}  // namespace emissary::reactor
