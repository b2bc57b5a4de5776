// What clients may cost in time and memory: deadlines for the login, for incomplete messages and for output that is not
// read, the room for their keys, and how much of what they send may be refused.
#pragma once

#include "provider/ClientTable.h"
#include "provider/ProviderContext.h"

#include <string>

namespace emissary::reactor {

/// Why a request is not taken: the code and text of the status that says so.
struct Denied {
    std::uint8_t code = state_code::usageError;
    std::string text;
};

/// The limits of ClientLimits. One timer looks after all clients, a few times within the shortest limit. A part of the
/// role, which owns it; called with the session lock held.
class ClientGuard {
public:
    ClientGuard(ProviderContext& context, ClientTable& clients, ClientEnds& ends) noexcept
        : context_(context), clients_(clients), ends_(ends) {}
    ~ClientGuard();
    ClientGuard(const ClientGuard&) = delete;
    ClientGuard& operator=(const ClientGuard&) = delete;

    /// The connection is made, or its login has ended: who it is is not known.
    void beginStranger(Session& session);
    /// The application has accepted the login.
    void endStranger(Session& session);

    /// Before anything but a login.
    [[nodiscard]] bool mayAsk(const Session& session) const noexcept {
        return session.loggedIn || context_.options.acceptWithoutLogin;
    }
    /// One stream more, for this request.
    [[nodiscard]] bool mayOpen(const Session& session, const eta::codec::Msg& request) const noexcept;
    /// A stream with this key. `replaced`: bytes of the key whose place it takes.
    [[nodiscard]] bool mayKeep(const Session& session, const ItemKey& key, std::size_t replaced = 0) const noexcept {
        const ClientLimits& l = context_.options.limits;
        const std::size_t size = key.content.size();
        return (l.keyBytes == 0 || size <= l.keyBytes) &&
               (l.keyBytesPerClient == 0 || session.streams.keyBytes - replaced + size <= l.keyBytesPerClient);
    }
    /// Why a request is refused.
    [[nodiscard]] Denied keyDenied(const Session& session, const ItemKey& key) const;
    /// Counts a message that was refused; false when it was one too many.
    [[nodiscard]] bool toleratesRefusal(Session& session);
    /// The same for a JSON text that cannot be converted.
    [[nodiscard]] bool toleratesJsonFailure(Session& session);

private:
    void watch();
    void lookAfter(Session& session);

    ProviderContext& context_;
    ClientTable& clients_;
    ClientEnds& ends_;
    TimerId timer_ = 0;
};

}  // namespace emissary::reactor
