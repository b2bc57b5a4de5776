// reactor/session: the time within which a peer has to answer, by what has arrived and not by what has been read.
#pragma once

#include "reactor/Reactor.h"

#include <functional>
#include <utility>

namespace emissary::reactor::session {

/// Session lock held throughout. Calls once when the time is over and the answer is not there. Timers run before
/// descriptors are looked at, so after a pause of whoever dispatches, the answer may be in the socket already: what is
/// there is read first, and stop() or start() on the way keeps the call from being made.
class AnswerTimer {
public:
    explicit AnswerTimer(Reactor& reactor) noexcept : reactor_(reactor) {}
    ~AnswerTimer() { stop(); }
    AnswerTimer(const AnswerTimer&) = delete;
    AnswerTimer& operator=(const AnswerTimer&) = delete;

    /// From now on, in place of what runs; 0: no limit. Throws std::bad_alloc.
    void start(Duration limit, std::function<void()> late) {
        stop();
        if (limit == Duration::zero()) return;
        late_ = std::move(late);
        timer_ = reactor_.startTimer(limit, [this] { over(); });
    }
    void stop() noexcept { reactor_.cancelTimer(std::exchange(timer_, 0)); }
    [[nodiscard]] bool running() const noexcept { return timer_ != 0; }

private:
    void over() {
        // Behind a turn in which timers ran, the reactor looks at its descriptors.
        timer_ = reactor_.startTimer(Duration::zero(), [this] {
            timer_ = 0;
            // It may destroy this object; and without memory for it the reactor makes this call again.
            if (const std::function<void()> late = std::exchange(late_, {})) late();
        });
    }

    Reactor& reactor_;
    TimerId timer_ = 0;
    std::function<void()> late_;
};

}  // namespace emissary::reactor::session
