// How an object that gathers work during a turn of the loop registers with its reactor.
#pragma once

namespace emissary::reactor {

class Reactor;

/// Registered with its reactor for its life; session lock held for both. At the end of each turn the dispatching thread
/// calls all of these before it hands queued output to the kernel, so that what they gathered from many messages leaves
/// with the same system call.
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
