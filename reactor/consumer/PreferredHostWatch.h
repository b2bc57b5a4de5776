// When to look for the preferred channel, and the connection that is made to it beside the one in use (ema-config.md
// 9).
#pragma once

#include "reactor/OwnCalls.h"
#include "reactor/consumer/consumer_types.h"
#include "session/ServerConnection.h"

#include <memory>

namespace emissary::reactor::consumer {

/// What the watch's owner does.
class PreferredHostOwner {
public:
    virtual ~PreferredHostOwner() = default;
    virtual void preferredCheckDue() = 0;
    /// The preferred channel stands: its handshake is complete, nothing was said on it yet.
    virtual void preferredUp(std::unique_ptr<Link> link) = 0;
    virtual void preferredFailed(const std::string& where, const std::string& reason) = 0;
};

/// Session lock held throughout.
class PreferredHostWatch final : session::ConnectionOwner, session::ConnectionListener {
public:
    PreferredHostWatch(Reactor& reactor, const std::vector<ConsumerChannel>& channels, PreferredHostOwner& owner);
    ~PreferredHostWatch() override { stop(); }
    PreferredHostWatch(const PreferredHostWatch&) = delete;
    PreferredHostWatch& operator=(const PreferredHostWatch&) = delete;

    /// Checks come due from now on as the options say.
    void start(PreferredHost options);
    void stop() noexcept;
    [[nodiscard]] const PreferredHost& options() const noexcept { return options_; }
    /// A check outside the timetable, from the loop: whoever asks for it may be inside a callback, or another thread.
    void checkSoon();
    /// Connects to the preferred channel, unless that is under way: one attempt.
    void reach();
    /// Until the next check, rounded up; 0 = none is due.
    [[nodiscard]] std::chrono::seconds left() const noexcept;

private:
    void arm();
    void expired();
    void onConnected() override;
    void onLost(const Loss& loss) override { owner_.preferredFailed(connection_.where(), loss.text); }
    void onConnection(session::ConnectionEvent, const std::string&) override {}
    void onWarning(const std::string&) override {}
    friend session::ConnectionTo<PreferredHostWatch>;
    void onServerMessage(eta::codec::Msg&) {}  // nothing was asked

    Reactor& reactor_;
    OwnCalls calls_;
    PreferredHostOwner& owner_;
    PreferredHost options_;
    session::ConnectionTo<PreferredHostWatch> connection_;
    TimerId timer_ = 0, soon_ = 0;
    TimePoint due_{};          // of an interval
    std::time_t dueTime_ = 0;  // of a schedule
};

}  // namespace emissary::reactor::consumer
