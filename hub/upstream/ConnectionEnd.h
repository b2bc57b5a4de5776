// The end of a connection that the configuration does not want any more, up to the last item that had a stream on it.
#pragma once

#include "reactor/Reactor.h"
#include "reactor/consumer/ConsumerRole.h"

#include <functional>

namespace emissary::hub::upstream {

class UpstreamListener;
class UpstreamSource;

/// The services of the connection go in steps, as those of a lost one; the items behind them in slices. Nothing may be
/// left of both when another connection is made, whose streams have the same numbers. Stage thread only.
class ConnectionEnd {
public:
    ConnectionEnd(reactor::Reactor& reactor, UpstreamListener& listener, UpstreamSource& source) noexcept
        : reactor_(reactor), listener_(listener), source_(source) {}
    ~ConnectionEnd() { reactor_.cancelTimer(timer_); }
    ConnectionEnd(const ConnectionEnd&) = delete;
    ConnectionEnd& operator=(const ConnectionEnd&) = delete;

    /// `then` in a call of its own, when all offers and items have lost the connection; of one that is being ended
    /// already, instead of what was to follow.
    void begin(reactor::consumer::ConsumerRole& role, const char* why, std::function<void()> then);
    /// From begin() up to what follows.
    [[nodiscard]] bool underWay() const noexcept { return underWay_; }
    /// In a call of its own, in which the source may be destroyed. One at a time, and none while an end is under way.
    void soon(std::function<void()> call);

private:
    reactor::Reactor& reactor_;
    UpstreamListener& listener_;
    UpstreamSource& source_;
    std::function<void()> then_;
    reactor::TimerId timer_ = 0;
    bool underWay_ = false;
};

}  // namespace emissary::hub::upstream
