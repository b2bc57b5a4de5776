// hub/access: questions to the program of LoginCommand, by number (hub.md 11.1).
#pragma once

#include "hub/access/CommandProcess.h"
#include "hub/access/LoginQueue.h"
#include "hub/access/access_counts.h"
#include "hub/access/command_lines.h"
#include "hub/core/log.h"
#include "reactor/LimitedLines.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace emissary::hub::access {

/// Many questions may be on their way at once, and answers come in any order. Questions wait while the program is away
/// or does not read. Logins go first, network by network, then requests for items, then open items; of 16 questions at
/// least 3 are for requests and one is for open items, where some wait. Questions that were on their way when a program
/// ended are put to the next one, each alone at first: the one of which that one ends too gets no answer. Nothing but a
/// whole, single answer to a question that is open ever counts. Stage thread only.
class Command {
public:
    enum class Kind : std::uint8_t {
        login,
        item,   ///< a client waits for it
        again,  ///< about an item that is open
    };

    /// Null: there will be no answer.
    using Answered = std::function<void(const CommandAnswer*)>;

    Command(reactor::Reactor& reactor, std::vector<std::string> words, LogLine log, Counts& counts,
            CommandProcess::Elsewhere elsewhere);
    ~Command();
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;

    /// Refused: the program cannot be started.
    [[nodiscard]] eta::Refused start();
    /// The question's number; 0: too much waits already, and it is not asked. `to` is called from the loop, once,
    /// unless forget() comes before. `network`: that of a login's client.
    [[nodiscard]] std::uint64_t ask(Kind kind, const rest::Secret& question, Answered to, std::string network = {});
    /// Nobody waits for that answer any more. The program may work on it yet: it counts as on its way until it is
    /// answered, or the program ends.
    void forget(std::uint64_t id) noexcept;

    /// Questions that the program may have and has not answered. When all are such that nobody waits for, and no answer
    /// comes for kHung, the program is ended, and started again.
    static constexpr std::size_t kMostOnTheWay = 1000;
    static constexpr std::chrono::seconds kHung{30};
    /// Of the lines of all questions without an answer; a quarter of it is for logins alone.
    static constexpr std::size_t kMostBytes = 16u << 20;

private:
    struct Question {
        Kind kind = Kind::login;
        rest::Secret line;
        Answered to;
        std::string network;
        std::uint8_t deaths = 0, deathsAlone = 0;  // of programs that had it; that had nothing else
        bool onTheWay = false;
    };
    using Questions = std::map<std::uint64_t, Question>;

    void goOnSoon();
    void goOn();
    void look();
    void send(Questions::iterator at);
    /// One of them, unless one is on its way yet: all others wait for it.
    void sendSuspect();
    void leaveAlone();
    /// At the end of a program: false: it has been the end of others, and is asked no more.
    [[nodiscard]] bool tryAgain(std::uint64_t id, Question& question);
    [[nodiscard]] Question takeOut(Questions::iterator at) noexcept;
    /// Has it wait to be written (once more).
    void queue(std::uint64_t id, const Question& question);
    /// The one that is to be written next; 0: none waits.
    [[nodiscard]] std::uint64_t next();
    void onLine(std::string_view line);
    void onEnd(const std::string& why);
    void count() noexcept;
    void log(Severity severity, std::string line);

    reactor::Reactor& reactor_;
    const LogLine log_;
    Counts& counts_;
    reactor::LimitedLines lines_;
    Questions questions_;
    LoginQueue logins_;                      // of those that wait to be written, and bytes by network
    std::set<std::uint64_t> items_, again_;  // the same, of the other kinds
    std::uint64_t turn_ = 0;
    std::set<std::uint64_t> sent_;  // of those on their way, whether somebody waits for them or not
    std::size_t awaited_ = 0;       // of sent_
    std::size_t bytes_ = 0;
    std::optional<reactor::TimePoint> full_;  // since then there are only such that nobody waits for
    std::uint64_t lastId_ = 0;
    std::set<std::pair<Kind, std::uint64_t>> suspects_;  // were on their way when a program ended
    std::uint64_t alone_ = 0;                            // of them, the one that is on its way
    reactor::TimerId aloneTimer_ = 0;
    bool posted_ = false;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
    CommandProcess process_;
};

}  // namespace emissary::hub::access
