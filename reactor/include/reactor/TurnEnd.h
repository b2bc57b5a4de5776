// What an object that gathers work during a turn of the loop registers with its reactor.
#pragma once

namespace emissary::reactor {

class Reactor;

/// Registered with its reactor for its life; session lock held for both. At the end of a turn, before queued output is
/// handed to the kernel, everybody is told: what was gathered from many messages is written to links then, so that it
/// leaves with the same system call.
class TurnEnd {
public:
    explicit TurnEnd(Reactor& reactor);  ///< throws std::bad_alloc
    TurnEnd(const TurnEnd&) = delete;
    TurnEnd& operator=(const TurnEnd&) = delete;
    /// On the dispatching thread, session lock held, before the loop waits and before dispatch() returns; also when
    /// nothing happened. It may use links, but must not close or destroy any.
    virtual void onTurnEnd() noexcept = 0;

protected:
    ~TurnEnd();

private:
    Reactor& reactor_;
};

}  // namespace emissary::reactor
