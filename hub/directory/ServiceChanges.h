// hub/directory: changes of services that clients have not got yet: sent in order, within a share of each turn.
#pragma once

#include "reactor/Reactor.h"
#include "reactor/TurnShare.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace emissary::hub::directory {

/// A service has changed, or is gone.
struct ServiceChange {
    std::uint64_t number = 0;  ///< from 1 on; 0 is none
    std::string service;       ///< its name; empty: it is gone
    std::uint16_t gone = 0;    ///< the id that it had
};

/// A change goes out at once while nothing waits and the turn has time left for it. The rest goes from a timer, the
/// oldest first. Without a reactor every change goes out at once. Stage thread only.
class ServiceChanges {
public:
    /// `tell` is called for changes that waited; it may put more.
    ServiceChanges(reactor::Reactor* reactor, std::chrono::microseconds ofTurn,
                   std::function<void(const ServiceChange&)> tell)
        : reactor_(reactor), tell_(std::move(tell)) {
        if (reactor_ != nullptr) share_.emplace(*reactor_, ofTurn);
    }
    ~ServiceChanges() {
        if (reactor_ != nullptr) reactor_->cancelTimer(timer_);
    }
    ServiceChanges(const ServiceChanges&) = delete;
    ServiceChanges& operator=(const ServiceChanges&) = delete;

    /// Makes the call if the change may go out at once, and returns whether it did.
    template <class Call>
    [[nodiscard]] bool tellNow(Call&& call) {
        if (share_ && (!waiting_.empty() || !share_->left())) return false;
        std::optional<reactor::TurnShare::Piece> piece;
        if (share_) piece.emplace(*share_);
        call();
        return true;
    }
    /// Returns its number. Throws std::bad_alloc.
    std::uint64_t put(std::string service, std::uint16_t gone = 0) {
        waiting_.push_back({++last_, std::move(service), gone});
        later();
        return last_;
    }
    [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
    void tellNext() {
        const ServiceChange first = std::move(waiting_.front());
        waiting_.pop_front();
        tell_(first);
    }
    void tellAll() {
        while (!waiting_.empty())
            tellNext();
    }

private:
    void later() {
        if (timer_ == 0)
            timer_ = reactor_->startTimer(reactor::Duration::zero(), [this] {
                timer_ = 0;
                tellSome();
            });
    }
    void tellSome() {
        const reactor::TurnShare::Piece piece(*share_);
        while (!waiting_.empty()) {
            tellNext();
            if (piece.left()) continue;
            if (!waiting_.empty()) later();
            return;
        }
    }

    reactor::Reactor* const reactor_;
    const std::function<void(const ServiceChange&)> tell_;
    std::optional<reactor::TurnShare> share_;
    std::deque<ServiceChange> waiting_;
    std::uint64_t last_ = 0;
    reactor::TimerId timer_ = 0;
};

}  // namespace emissary::hub::directory
