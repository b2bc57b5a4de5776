// The check of logins (hub.md 11.1).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace emissary::hub::client {

/// A login that lasts longer has no end.
inline constexpr std::chrono::hours kLongestLogin{24 * 365};

/// What a login request says, and where it came from.
struct LoginAsk {
    std::string user;           ///< as the client names itself; empty with a token
    std::uint8_t nameType = 1;  ///< rdm.md 1.6
    std::string password, token, position, applicationId, applicationName;
    std::string address;  ///< of the peer, "ip:port"
    bool again = false;   ///< a reissue: the client is logged in
    std::string as{};     ///< with `again`: the user that is logged in; empty = a login without a user
    /// Of the certificate of the client's connection: its subject, and its alternative names; empty = it has none.
    std::string certSubject{};
    std::vector<std::string> certNames{};
};

/// The answer to a LoginAsk.
struct LoginVerdict {
    enum class Kind : std::uint8_t { accepted, notEntitled, tooManyLogins, applicationDenied, noAnswer };
    Kind kind = Kind::accepted;
    std::string text;  ///< a sentence for the client; empty = the usual one
    /// Who it is, when the request names nobody (tokens); empty = as the request says. A reissue is refused when
    /// neither says the user that is logged in.
    std::string user;
    std::string reason{};               ///< of a refusal, for the log alone; empty = the text
    std::vector<std::string> groups{};  ///< that the user belongs to, for rules on items
    /// From now on: then the login ends, unless it is renewed. Absent: it has no end.
    std::optional<std::chrono::seconds> lasts{};
    /// In the place of MaxLoginsPerUser, and of the streams that the connection may have open; 0 = no limit.
    std::optional<std::uint32_t> maxLogins{}, maxMounts{};
};

/// Takes verdicts that come later.
class LoginVerdicts {
public:
    /// On the reactor's thread, with the session lock held, and not from inside LoginCheck::check(). A ticket that is
    /// not open any more is ignored.
    virtual void onVerdict(std::uint64_t ticket, const LoginVerdict& verdict) = 0;

protected:
    ~LoginVerdicts() = default;
};

/// A user, as the check knows it now.
struct KnownUser {
    bool there = false;  ///< false: nobody logs in under this name any more
    std::vector<std::string> groups;
};

/// Implemented by what knows users (hub/access).
class LoginCheck {
public:
    virtual ~LoginCheck() = default;
    /// The verdict, or nothing: it comes later to `to`, under this ticket. Unanswered tickets end by LoginCheckTimeout.
    [[nodiscard]] virtual std::optional<LoginVerdict> check(const LoginAsk& ask, std::uint64_t ticket,
                                                            LoginVerdicts& to) = 0;
    /// The client of this ticket has gone.
    virtual void cancel(std::uint64_t ticket) noexcept = 0;
    /// Nothing: it keeps no list of users, and what it said at the login stands.
    [[nodiscard]] virtual std::optional<KnownUser> known(const std::string& /*user*/) const { return {}; }
    /// Several rooms ask one check: a number that none of their other questions has.
    [[nodiscard]] std::uint64_t nextTicket() noexcept { return ++lastTicket_; }

private:
    std::uint64_t lastTicket_ = 0;
};

}  // namespace emissary::hub::client
