// hub/access: the program of LoginCommand as it comes and goes: lines to it and from it (hub.md 11.1).
#pragma once

#include "eta/core/Refused.h"
#include "hub/access/Child.h"
#include "reactor/Reactor.h"
#include "rest/Secret.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::access {

/// Keeps one program running: starts it again when it ends, after a wait that doubles while it does not last. Neither
/// reading nor writing waits for it. All calls with the session lock held, on the dispatching thread.
class CommandProcess {
public:
    /// What happens to it; each call comes from the loop, never from inside a call of this object.
    struct Events {
        std::function<void(std::string_view line)> line;    ///< of its standard output, without the end
        std::function<void()> tooLong;                      ///< a line of it was longer than kLongestLine, and left out
        std::function<void(std::string_view line)> said;    ///< of its standard error, cut at 500 bytes
        std::function<void()> started;                      ///< it runs, or has run: it may be gone by now
        std::function<void()> room;                         ///< all that was given to write() is written
        std::function<void(const std::string& why)> ended;  ///< it is gone, and takes and answers nothing more
        std::function<void(const std::string& why)> notStarted;  ///< an attempt to start it again failed
    };
    struct Started {
        std::unique_ptr<Child> child;  ///< null: it could not be started
        eta::Refused refused;
    };
    /// Runs the first call on another thread, and then the second one here.
    using Elsewhere = std::function<void(std::function<Started()>, std::function<void(Started)>)>;

    CommandProcess(reactor::Reactor& reactor, std::vector<std::string> words, Events events, Elsewhere elsewhere);
    /// Asks it to end (SIGTERM), and kills it after a second.
    ~CommandProcess();
    CommandProcess(const CommandProcess&) = delete;
    CommandProcess& operator=(const CommandProcess&) = delete;

    /// For the first time. Waits until the system has loaded it. Refused: it cannot be started.
    [[nodiscard]] eta::Refused start();
    [[nodiscard]] bool up() const noexcept { return state_ == State::up; }
    /// Takes a whole line, and writes it with the others that wait at flush().
    void write(std::string_view line) { unwritten_.append(line); }
    [[nodiscard]] std::size_t unwritten() const noexcept { return unwritten_.size() - written_; }
    void flush();
    /// Ends it as if it had closed its pipes; from the loop, like the events.
    void giveUp(const std::string& why);

private:
    enum class State : std::uint8_t {
        down,      ///< waits for its next start
        starting,  ///< on another thread
        up,
        ending,  ///< it was asked to end, and may not have done so yet
    };
    /// One of the pipes. The loop asks it whether it still is that of the child that runs.
    struct Side final : reactor::EventSource {
        Side(CommandProcess& o, void (CommandProcess::*c)()) : of(o), call(c) {}
        void onReady(std::uint32_t) noexcept override;
        CommandProcess& of;
        void (CommandProcess::*call)();
        int fd = -1;
    };
    /// Bytes to lines.
    struct Lines {
        std::string text;
        bool skips = false;  ///< until the next end of a line
    };

    void took(Started started);
    void failed(const std::string& why);
    void watch(Side& side, int fd, std::uint32_t events);
    void unwatch(Side& side) noexcept;
    void onInput();
    void onOutput();
    void onErrors();
    void blockedBySize(bool blocked);
    /// False: there is nothing more at the moment, or ever; `over` says which.
    [[nodiscard]] bool read(int fd, Lines& into, std::size_t longest, bool cuts,
                            const std::function<void(std::string_view)>& line, bool& over);
    void end(const std::string& why);
    void look();
    void lookAfter(reactor::Duration time);
    void startAgain();

    reactor::Reactor& reactor_;
    const std::vector<std::string> words_;
    const Events events_;
    const Elsewhere elsewhere_;
    State state_ = State::down;
    std::unique_ptr<Child> child_;
    Side input_{*this, &CommandProcess::onInput}, output_{*this, &CommandProcess::onOutput},
        errors_{*this, &CommandProcess::onErrors};
    Lines answers_, said_;
    rest::Secret unwritten_;
    std::size_t written_ = 0;  // of unwritten_
    bool blocked_ = false;     // it has not read what was written
    std::string why_;          // it ends
    reactor::TimePoint since_{}, killAt_{};
    std::uint64_t attempt_ = 0;          // to start it; the outcome of an older one is dropped
    std::chrono::milliseconds wait_{0};  // in front of the next start
    reactor::TimerId timer_ = 0;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace emissary::hub::access
