// When to look for the preferred channel, and the connection that is made to it beside the one in use (ema-config.md
// 9).
#pragma once

#include "reactor/consumer/consumer_types.h"

#include <memory>

namespace emissary::reactor::consumer {

/// What the watch's owner does.
class PreferredHostOwner {
public:
    virtual ~PreferredHostOwner() = default;
    virtual void preferredCheckDue() = 0;
    /// The preferred channel stands: its handshake is complete, nothing was said on it yet.
    virtual void preferredUp(std::unique_ptr<Link> link) = 0;
    virtual void preferredFailed(const std::string& reason) = 0;
};

/// Session lock held throughout.
class PreferredHostWatch final : LinkHandler {
public:
    PreferredHostWatch(Reactor& reactor, PreferredHostOwner& owner) : reactor_(reactor), owner_(owner) {}
    ~PreferredHostWatch() override { stop(); }
    PreferredHostWatch(const PreferredHostWatch&) = delete;
    PreferredHostWatch& operator=(const PreferredHostWatch&) = delete;

    /// Checks come due from now on as the options say.
    void start(PreferredHost options);
    void stop() noexcept;
    [[nodiscard]] const PreferredHost& options() const noexcept { return options_; }
    /// Connects, unless that is under way.
    void reach(const eta::transport::ConnectOptions& where);
    void giveUp() noexcept { link_.reset(); }
    /// Until the next check, rounded up; 0 = none is due.
    [[nodiscard]] std::chrono::seconds left() const noexcept;

private:
    void arm();
    void expired();
    void onLinkUp(Link& link) override;
    void onLinkMessage(Link&, Bytes) override {}
    void onLinkDown(Link& link, const std::string& reason, bool refused) override;

    Reactor& reactor_;
    PreferredHostOwner& owner_;
    PreferredHost options_;
    std::unique_ptr<Link> link_;
    TimerId timer_ = 0;
    TimePoint due_{};          // of an interval
    std::time_t dueTime_ = 0;  // of a schedule
};

}  // namespace emissary::reactor::consumer
