// Login streams: the check, the answer, and later changes of a login (hub.md 2.1, 2.2).
#pragma once

#include "hub/client/Context.h"
#include "hub/client/LoginCheck.h"
#include "hub/client/UserPlaces.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/rdm/Login.h"

#include <map>

namespace emissary::hub::client {

class Pace;

/// A login that is not taken takes its connection along: the client is gone when such a call returns.
class Logins final : LoginVerdicts {
public:
    /// The check outlives this; `pace` is not used before the first call.
    Logins(Context& context, LoginCheck& check, Pace& pace);
    ~Logins();
    Logins(const Logins&) = delete;
    Logins& operator=(const Logins&) = delete;

    /// The first request of a login stream. The client may be gone when it returns.
    void onRequest(Client& client, std::uint64_t handle, const Msg& request);
    /// Another one: tokens are checked again, pause-all and resume-all. The client may be gone when it returns.
    void onReissue(Client& client, const Msg& request);
    /// The login was closed, or the connection ended: no verdict is waited for, and nobody is logged in.
    void forget(Client& client) noexcept;
    /// ConsumerConnectionStatus; false: the message is another one.
    bool onGeneric(Client& client, const Msg& generic);

    /// The client is logged in, and its groups or the user classes are others: it belongs to the class that they say.
    void classify(Client& client);
    /// Ends the login with the status of a hub that goes down. The client is gone when this returns.
    void end(Client& client);

private:
    void onVerdict(std::uint64_t ticket, const LoginVerdict& verdict) override;
    /// Runs the check for the session's request.
    void check(Client& client, const Msg& request, const reactor::rdm::LoginAttributes& attributes);
    void decide(Client& client, const LoginVerdict& verdict);
    void accept(Client& client, const Msg& request, const reactor::rdm::LoginAttributes& attributes,
                const LoginVerdict& verdict);
    [[nodiscard]] bool answer(Client& client, const Msg& request, const reactor::rdm::LoginAttributes& attributes);
    void refuse(Client& client, const Msg& request, LoginResult result, const std::string& text = {},
                const std::string& reason = {});
    /// The user has no more logins, and all are alive.
    void refuseForTheOthers(Client& client);
    /// The final status of a login, taken or not, whose connection goes with it.
    void close(Client& client, LoginResult result, EndReason end, const std::string& why);
    void forgetTicket(ClientSession& session) noexcept;
    /// The login ends after that time, and not at the one that was said before.
    void endAfter(Client& client, const std::optional<std::chrono::seconds>& time);

    Context& context_;
    LoginCheck& check_;
    Pace& pace_;
    std::map<std::uint64_t, Client*> waiting_;  ///< by ticket
    UserPlaces places_;
    reactor::GrowingBuffer attributes_{512}, payload_{64};
};

}  // namespace emissary::hub::client
