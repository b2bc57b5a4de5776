// capi/provider: a thread that does work in turns, and waits where there is no room for more.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace emissary::capi {

/// Does work that may not be done where it is ordered: in a callback for example, which holds up the connection. Each
/// turn is bounded by whoever gives it. Any thread may call begin().
class Turns {
public:
    /// What a turn has left.
    enum class Left : unsigned char { nothing, more, moreWhenThereIsRoom };

    /// `thread` is its name, of at most 15 characters; `turn` must not throw. Nothing is done before begin().
    Turns(const char* thread, std::function<Left()> turn);
    ~Turns();
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;
    /// There is something to do.
    void begin();
    /// Waits for the turn that is under way; what is left is not done, nor what is begun from now on. Not from a turn.
    void end();

private:
    void run();

    const char* const name_;
    const std::function<Left()> turn_;
    std::mutex lock_;
    std::condition_variable changed_;
    bool wanted_ = false, ends_ = false;  // under lock_
    std::thread thread_;                  // last: uses all of them
};

}  // namespace emissary::capi
