// Ends a connection in three steps, each in a call of its own.
#include "hub/upstream/ConnectionEnd.h"

#include "hub/upstream/UpstreamSource.h"

#include <utility>

namespace emissary::hub::upstream {

void ConnectionEnd::begin(reactor::consumer::ConsumerRole& role, const char* why, std::function<void()> then) {
    then_ = std::move(then);
    if (std::exchange(underWay_, true)) return;
    role.end(why, [this] {
        soon([this] {  // not in a call of the role
            listener_.afterLosses(source_, [this] {
                soon([this] {
                    underWay_ = false;
                    const auto next = std::exchange(then_, {});
                    next();
                });
                return false;
            });
        });
    });
}

void ConnectionEnd::soon(std::function<void()> call) {
    timer_ = reactor_.startTimer(reactor::Duration::zero(), [this, call = std::move(call)] {
        timer_ = 0;
        call();  // this object may be gone behind it, but not `call`: the timer queue holds it
    });
}

}  // namespace emissary::hub::upstream
