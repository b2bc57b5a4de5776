// Calls for a later turn of the loop that end with whoever posted them.
#pragma once

#include "reactor/Reactor.h"

#include <functional>
#include <memory>
#include <utility>

namespace emissary::reactor {

/// A member of objects that may be destroyed before their reactor: what they have posted and has not run by then does
/// not run. Session lock held throughout.
class OwnCalls {
public:
    /// Throws std::bad_alloc.
    explicit OwnCalls(Reactor& reactor) : reactor_(reactor) {}
    OwnCalls(const OwnCalls&) = delete;
    OwnCalls& operator=(const OwnCalls&) = delete;

    /// Runs soon on the dispatching thread, unless this is gone by then. Throws as Reactor::post().
    void post(std::function<void()> call) {
        reactor_.post([alive = std::weak_ptr<char>(alive_), call = std::move(call)] {
            if (!alive.expired()) call();
        });
    }

private:
    Reactor& reactor_;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace emissary::reactor
