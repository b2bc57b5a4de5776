// Two who listen to one directory.
#pragma once

#include "watchlist/Watchlist.h"

#include <functional>

namespace emissary::reactor::consumer {

/// What the directory says goes to the listener of the options, then to the items; what it cannot say, to the log. It
/// borrows all three, which outlive it. On the thread that dispatches, with the session lock held.
class DirectoryTee final : public rdm::DirectoryListener {
public:
    DirectoryTee(rdm::DirectoryListener* user, Watchlist& items, ConsumerSink& sink) noexcept
        : user_(user), items_(items), sink_(sink) {}
    /// Sets the call that gets services before the items do; `gone`: the service is listed no more.
    void setFirst(std::function<void(const rdm::Service&, bool gone)> call) { first_ = std::move(call); }
    void onServiceAdded(const rdm::Service& service) override {
        first_(service, false);
        if (user_ != nullptr) user_->onServiceAdded(service);
        items_.onServiceAdded(service);
    }
    void onServiceChanged(const rdm::Service& service, std::uint32_t changed) override {
        first_(service, false);
        if (user_ != nullptr) user_->onServiceChanged(service, changed);
        items_.onServiceChanged(service, changed);
    }
    void onServiceDeleted(const rdm::Service& service) override {
        first_(service, true);
        if (user_ != nullptr) user_->onServiceDeleted(service);
        items_.onServiceDeleted(service);
    }
    void onServiceStatus(const rdm::Service& service, const eta::codec::State& state) override {
        states().onServiceStatus(service, state);
    }
    void onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) override {
        states().onGroupMerged(service, group, into);
    }
    void onGroupStatus(const rdm::Service& service, Bytes group, const eta::codec::State& state) override {
        states().onGroupStatus(service, group, state);
    }
    void onSkipped(const std::string& what) override {
        sink_.onWarning("parts of a directory message were left out: " + what);
    }

private:
    /// The part that handles states of items.
    [[nodiscard]] rdm::DirectoryListener& states() const noexcept { return user_ != nullptr ? *user_ : items_; }
    rdm::DirectoryListener* const user_;
    Watchlist& items_;
    ConsumerSink& sink_;
    std::function<void(const rdm::Service&, bool gone)> first_ = [](const rdm::Service&, bool) {};
};

}  // namespace emissary::reactor::consumer
