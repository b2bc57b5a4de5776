// Reads and writes the pipes of a program, and looks after its ends and starts.
#include "hub/access/CommandProcess.h"

#include "hub/access/command_lines.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <utility>

#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace emissary::hub::access {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kRead = 64u << 10;  // bytes of one turn, of each of its outputs
constexpr std::size_t kLongestSaid = 500;
constexpr std::chrono::milliseconds kShortest{100}, kLongest{10'000};  // waits in front of a start
constexpr std::chrono::seconds kLasts{10};   // one that has run so long has not failed at its start
constexpr std::chrono::seconds kStarts{30};  // then its start has failed, or what came of it was lost
constexpr std::chrono::milliseconds kLook{250}, kLookAtEnd{20}, kPatience{1000};

}  // namespace

CommandProcess::CommandProcess(reactor::Reactor& reactor, std::vector<std::string> words, Events events,
                               Elsewhere elsewhere)
    : reactor_(reactor), words_(std::move(words)), events_(std::move(events)), elsewhere_(std::move(elsewhere)) {}

CommandProcess::~CommandProcess() {
    reactor_.cancelTimer(timer_);
    for (Side* const side : {&input_, &output_, &errors_})
        unwatch(*side);
    if (child_ == nullptr) return;
    // The end of its input says the same to a program that reads.
    child_->closePipes();
    child_->signal(SIGTERM);
    // Nothing else runs here any more. In small steps, since most programs are gone at once.
    for (auto waited = 0ms; !child_->gone() && waited < kPatience; waited += 5ms)
        (void)::poll(nullptr, 0, 5);
}

eta::Refused CommandProcess::start() {
    Started started;
    started.child = Child::start(words_, started.refused);
    if (started.refused) return started.refused;
    took(std::move(started));
    return {};
}

void CommandProcess::startAgain() {
    state_ = State::starting;
    lookAfter(kStarts);
    // The system may take its time, with programs on a disk far away for instance.
    elsewhere_(
        [words = words_] {
            Started made;
            made.child = Child::start(words, made.refused);
            return made;
        },
        [this, attempt = ++attempt_, alive = std::weak_ptr<char>(alive_)](Started started) {
            if (!alive.expired() && attempt == attempt_) took(std::move(started));
        });
}

void CommandProcess::failed(const std::string& why) {
    ++attempt_;
    state_ = State::down;
    wait_ = std::clamp(wait_ * 2, kShortest, kLongest);
    lookAfter(wait_);
    events_.notStarted(why);
}

void CommandProcess::took(Started started) {
    if (started.child == nullptr) return failed(started.refused.text);
    child_ = std::move(started.child);
    state_ = State::up;
    since_ = reactor_.now();
    answers_ = said_ = {};
    unwritten_.clear();
    written_ = 0;
    blocked_ = false;
    // Without events of its own: the loop says when the program has closed it.
    watch(input_, child_->input(), 0);
    watch(output_, child_->output(), EPOLLIN);
    watch(errors_, child_->errors(), EPOLLIN);
    lookAfter(kLook);
    // From the loop, as every event.
    reactor_.post([this, alive = std::weak_ptr<char>(alive_)] {
        if (!alive.expired()) events_.started();
    });
}

void CommandProcess::Side::onReady(std::uint32_t) noexcept {
    try {
        (of.*call)();
    } catch (const std::bad_alloc&) {
        // A line is lost: its question ends by its time.
    }
}

void CommandProcess::watch(Side& side, int fd, std::uint32_t events) {
    unwatch(side);
    reactor_.watch(fd, events, side);
    side.fd = fd;
}

void CommandProcess::unwatch(Side& side) noexcept {
    if (const int fd = std::exchange(side.fd, -1); fd >= 0) reactor_.unwatch(fd);
}

// --- its input -------------------------------------------------------------------------------------------------------

void CommandProcess::flush() {
    if (!up() || blocked_) return;
    while (unwritten() != 0) {
        const std::string_view rest = unwritten_.view().substr(written_);
        const ssize_t n = ::send(child_->input(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return blockedBySize(true);
        // The end is found by the loop, which says so when nobody is inside a call.
        if (n < 0) return blockedBySize(true);
        written_ += static_cast<std::size_t>(n);
    }
    unwritten_.clear();  // overwrites it
    written_ = 0;
}

void CommandProcess::blockedBySize(bool blocked) {
    if (std::exchange(blocked_, blocked) != blocked)
        watch(input_, child_->input(), blocked ? std::uint32_t{EPOLLOUT} : 0);
}

void CommandProcess::onInput() {
    if (!up()) return;
    // An error without anything to write is the end of the other side.
    char nothing = 0;
    if (::send(child_->input(), &nothing, 0, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EAGAIN && errno != EINTR)
        return end("it has closed its standard input");
    blockedBySize(false);
    flush();
    if (up() && !blocked_) events_.room();
}

// --- its outputs -----------------------------------------------------------------------------------------------------

bool CommandProcess::read(int fd, Lines& into, std::size_t longest, bool cuts,
                          const std::function<void(std::string_view)>& line, bool& over) {
    std::array<char, kRead> room;  // NOLINT(cppcoreguidelines-pro-type-member-init): it is written before it is read
    const ssize_t n = ::read(fd, room.data(), room.size());
    over = n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR);
    if (n <= 0) return false;
    std::string_view text(room.data(), static_cast<std::size_t>(n));
    while (!text.empty()) {
        const std::size_t at = text.find('\n');
        const std::string_view part = text.substr(0, at);
        const bool whole = at != std::string_view::npos;
        text.remove_prefix(whole ? at + 1 : text.size());
        if (!into.skips) {
            const std::size_t fits = std::min(part.size(), longest - into.text.size());
            into.text += part.substr(0, fits);
            into.skips = fits < part.size();
            if (into.skips && !cuts) {
                into.text.clear();
                events_.tooLong();
            }
        }
        if (!whole) continue;
        const bool left = std::exchange(into.skips, false) && !cuts;
        // An event may end the child, and then what follows is nobody's.
        const std::string one = std::exchange(into.text, {});
        if (!left) line(one);
        if (!up()) return false;
    }
    return true;
}

void CommandProcess::onOutput() {
    if (!up()) return;
    bool over = false;
    (void)read(child_->output(), answers_, kLongestLine, false, events_.line, over);
    if (over) end("it has closed its standard output");
}

void CommandProcess::onErrors() {
    if (!up()) return;
    bool over = false;
    (void)read(child_->errors(), said_, kLongestSaid, true, events_.said, over);
    if (over) unwatch(errors_);  // it need not have one
}

// --- its end ---------------------------------------------------------------------------------------------------------

void CommandProcess::giveUp(const std::string& why) {
    reactor_.post([this, why, alive = std::weak_ptr<char>(alive_)] {
        if (!alive.expired() && up()) end(why);
    });
}

void CommandProcess::end(const std::string& why) {
    // Its last words say more than anything else why it ended.
    if (bool over = false; errors_.fd >= 0) {
        (void)read(child_->errors(), said_, kLongestSaid, true, events_.said, over);
        if (!said_.text.empty()) events_.said(said_.text);
    }
    for (Side* const side : {&input_, &output_, &errors_})
        unwatch(*side);
    child_->closePipes();
    unwritten_.clear();
    written_ = 0;
    state_ = State::ending;
    why_ = why;
    child_->signal(SIGTERM);
    killAt_ = reactor_.now() + kPatience;
    look();
}

/// It may be gone without the end of its pipes, which whatever it has started keeps open.
void CommandProcess::look() {
    if (state_ == State::down) return startAgain();
    if (state_ == State::starting) return failed("it has not been started within 30 s");
    if (child_ == nullptr) return;
    if (!child_->gone()) {
        if (state_ == State::ending && reactor_.now() >= killAt_) child_->signal(SIGKILL);
        return lookAfter(state_ == State::up ? kLook : kLookAtEnd);
    }
    if (state_ == State::up) return end("it is gone");
    const std::string how = child_->ending().empty() ? why_ : why_ + "; " + child_->ending();
    child_.reset();
    state_ = State::down;
    wait_ = reactor_.now() - since_ >= kLasts ? kShortest : std::clamp(wait_ * 2, kShortest, kLongest);
    lookAfter(wait_);
    events_.ended(how);
}

void CommandProcess::lookAfter(reactor::Duration time) {
    reactor_.cancelTimer(timer_);
    timer_ = reactor_.startTimer(time, [this] {
        timer_ = 0;
        look();
    });
}

}  // namespace emissary::hub::access
