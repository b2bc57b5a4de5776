// A reactor, its scripted peers and the test in one thread, on a clock that moves only when told to.
#pragma once

#include "reactor/Reactor.h"
#include "support/StillClock.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace emissary::test {

/// The base of fixtures: they say who the peers are, make their role on the loop, and destroy it before this goes.
class StillLoop {
public:
    StillClock clock;
    std::unique_ptr<reactor::Reactor> loop;  ///< from openLoop() on
    std::function<void()> pump;              ///< whatever stands between loop and peers; runs in every turn

    StillLoop() = default;
    StillLoop(const StillLoop&) = delete;
    StillLoop& operator=(const StillLoop&) = delete;

    void openLoop(reactor::ReactorOptions o = {}) {
        o.name = "test";
        o.clock = &clock;
        loop = std::make_unique<reactor::Reactor>(o);
    }
    /// Calls with the session lock held.
    template <class Call>
    auto locked(Call call) {
        const std::lock_guard guard(loop->lock());
        return call();
    }
    /// Everybody once: peers, loop, peers.
    void turn() {
        pollPeers();
        if (pump) pump();
        // With something in between the loop does not see what is on its way, so it must not wait for it.
        loop->dispatch(pump ? std::chrono::milliseconds(0) : std::chrono::milliseconds(1), 100);
        if (pump) pump();
        pollPeers();
    }
    /// Turns until the condition holds; the test fails and shows the history when it does not come to that.
    template <class Condition>
    void until(Condition condition) {
        if (turnUntil(condition, [this] { turn(); })) return;
        for (const std::string& line : history())
            UNSCOPED_INFO(line);
        FAIL("what was waited for did not happen");
    }
    /// The same, and the clock moves on by small steps.
    template <class Condition>
    void later(Condition condition) {
        until([&] {
            if (condition()) return true;
            clock.advance(std::chrono::milliseconds(20));
            return false;
        });
    }

protected:
    ~StillLoop() = default;
    virtual void pollPeers() = 0;
    /// What happened so far, for who reads that a test failed.
    [[nodiscard]] virtual std::vector<std::string> history() const = 0;
};

}  // namespace emissary::test
