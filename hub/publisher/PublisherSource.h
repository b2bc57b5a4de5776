// A publisher that is logged in, as the rest of the hub sees it.
#pragma once

#include "hub/core/Service.h"
#include "reactor/acceptor/AcceptorRole.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace emissary::hub::publisher {

/// Lives from the login to the end of the connection. Stage thread only.
class PublisherSource final : public Source {
public:
    /// `handle` is the role's number of the connection; `user` its login name.
    PublisherSource(reactor::acceptor::AcceptorRole& role, ServiceTable& services, std::uint64_t handle,
                    std::string user, std::string name, std::uint16_t number)
        : Source(kPublisher, std::move(name), number), role_(role), services_(services), handle_(handle),
          user_(std::move(user)) {}

    [[nodiscard]] std::uint64_t handle() const noexcept { return handle_; }
    [[nodiscard]] const std::string& user() const noexcept { return user_; }
    void setUp(bool up, reactor::TimePoint now) noexcept {
        if (up != up_ || since_ == reactor::TimePoint{}) since_ = now;
        up_ = up;
    }
    /// Of its user, as the login check says.
    [[nodiscard]] const std::vector<std::string>& groups() const noexcept { return groups_; }
    void setGroups(std::vector<std::string> groups) noexcept { groups_ = std::move(groups); }
    /// Called for each service that it offers and may not.
    void whenBarred(std::function<void(const std::string& service)> call) { whenBarred_ = std::move(call); }
    /// It offers the service and may not. False: that is known already.
    [[nodiscard]] bool bar(std::uint16_t service, const std::string& name);
    /// It may offer it, or does not any more. False: it was not barred.
    bool unbar(std::uint16_t service) noexcept { return barred_.erase(service) != 0; }
    [[nodiscard]] bool barred(std::uint16_t service) const noexcept { return barred_.contains(service); }
    /// True the first time: an update before its refresh is logged once for each publisher.
    [[nodiscard]] bool firstEarly() noexcept { return !std::exchange(toldEarly_, true); }
    /// Every stream on which it has sent anything about an item.
    void forEachStream(const std::function<void(const reactor::acceptor::PublishedStream&)>& f) const {
        role_.forEachStream(handle_, f);
    }

    [[nodiscard]] bool up() const noexcept override { return up_; }
    [[nodiscard]] Health health() const override;
    /// The answer to its login says that the hub posts.
    [[nodiscard]] bool takesPosts() const noexcept override { return true; }
    /// Errc::usage off-stream: posts without an item are applied here, and nothing else.
    eta::Error post(const Client& client, Item* item, std::uint16_t service, Msg& msg) override;
    eta::Error generic(Item* item, Msg& msg) override;

private:
    /// On the item's stream, the ids being this connection's.
    eta::Error send(const Item& item, Msg& msg);

    reactor::acceptor::AcceptorRole& role_;
    ServiceTable& services_;
    const std::uint64_t handle_;
    const std::string user_;
    std::vector<std::string> groups_;
    std::map<std::uint16_t, std::string> barred_;  // its number of the service, and the name
    std::function<void(const std::string&)> whenBarred_;
    reactor::TimePoint since_{};
    bool up_ = false, toldEarly_ = false;
};

}  // namespace emissary::hub::publisher
