// Logins beyond MaxLoginsPerUser: whether a connection of the user is dead and makes room (hub.md 2.4).
#pragma once

#include "hub/client/Context.h"
#include "hub/client/LoginCheck.h"

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace emissary::hub::client {

/// Asks the most silent connections of a user for a sign of life; meanwhile the logins that want a place wait, then
/// they are decided again or refused. On the reactor's thread, session lock held; connections that other threads serve
/// are asked under the locks of their output.
class UserPlaces {
public:
    struct Verdicts {
        /// There may be a place now.
        std::function<void(Client&, const LoginVerdict&)> decide;
        /// Refuses the login: every connection of the user has answered the probe.
        std::function<void(Client&)> refuse;
        /// This client has given no sign of life, and its connection ends; why.
        std::function<void(Client&, const std::string& why)> end;
    };
    UserPlaces(Context& context, Verdicts verdicts) : context_(context), verdicts_(std::move(verdicts)) {}
    ~UserPlaces();
    UserPlaces(const UserPlaces&) = delete;
    UserPlaces& operator=(const UserPlaces&) = delete;

    /// The client's login waits until it is known whether one of the user's places can be had. False: it need not, as
    /// nobody is asked (LoginProbeTime 0).
    [[nodiscard]] bool wait(Client& client, const std::string& user, const LoginVerdict& verdict);
    /// The client's login waits no more. Called at the end of every client: costs one look-up, however many wait.
    void forget(const Client& client) noexcept;

    /// Questions that are looked at in one turn of the reactor; the others have to wait for the next one.
    static constexpr std::size_t kMostLooks = 256;
    static constexpr std::chrono::milliseconds kLookEvery{20}, kGoOnAfter{5};

private:
    /// A connection that was asked. Its client may have gone, and another one may have its place in memory.
    struct Asked {
        Client* client = nullptr;
        std::weak_ptr<ServingSide> session;
        std::weak_ptr<eta::transport::Channel> channel;
        bool mustAnswer = false;
        std::uint64_t received = 0;  ///< bytes, when it was asked
        std::chrono::milliseconds silence{};
        /// `heard`: of it something came, which may be its good-bye.
        enum class State : std::uint8_t { silent, heard, alive, ended } state = State::silent;
        [[nodiscard]] bool there() const noexcept { return !session.expired() && client->loggedIn; }
    };
    struct Waiting {
        Client* client = nullptr;
        LoginVerdict verdict;
    };
    struct Question {
        std::vector<Asked> asked;
        std::list<Waiting> waiting;  ///< in the order in which they came
        reactor::TimePoint end{};
    };
    /// Where a client waits. A question with a login that waits stays where it is.
    struct Place {
        Question* question = nullptr;
        std::list<Waiting>::iterator at;
    };
    static constexpr std::size_t kMostAsked = 16;

    [[nodiscard]] Question ask(const std::string& user) const;
    static void look(Asked& asked) noexcept;
    /// False: it is over.
    [[nodiscard]] bool goOn(const std::string& user);
    void makeRoom(Question& question);
    /// Takes it off its question.
    Waiting take(Question& question, std::list<Waiting>::iterator at) noexcept;
    void lookAgain();
    void lookAtSome();

    Context& context_;
    const Verdicts verdicts_;
    std::map<std::string, Question> questions_;         ///< by user
    std::unordered_map<const Client*, Place> waiting_;  ///< all that wait, of all questions
    std::string next_;                                  ///< user to go on with; empty: from the first one
    reactor::TimerId timer_ = 0;
};

}  // namespace emissary::hub::client
