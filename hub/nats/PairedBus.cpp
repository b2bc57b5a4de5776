// PairedBus: sides in turn, and a descriptor that is readable when either of theirs is.
#include "hub/nats/PairedBus.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <sys/epoll.h>
#include <unistd.h>

namespace emissary::hub::nats {

namespace {

int pollOf(std::initializer_list<int> fds) {
    const int made = ::epoll_create1(EPOLL_CLOEXEC);
    bool good = made >= 0;
    for (const int fd : fds) {
        epoll_event event{};
        event.events = EPOLLIN;
        good = good && ::epoll_ctl(made, EPOLL_CTL_ADD, fd, &event) == 0;
    }
    if (good) return made;
    const int why = errno;
    if (made >= 0) ::close(made);
    throw std::system_error(why, std::generic_category(), "epoll");
}

}  // namespace

PairedBus::PairedBus(std::unique_ptr<NatsBus> a, std::unique_ptr<NatsBus> b)
    : sides_{std::move(a), std::move(b)}, poll_(pollOf({sides_[0]->fd(), sides_[1]->fd()})) {
    for (std::size_t i = 0; i < sides_.size(); ++i)
        sides_[i]->onNobody([this, i](std::string_view subject) { saysNobody(i, subject); });
}

PairedBus::~PairedBus() {
    ::close(poll_);
}

void PairedBus::publish(std::string_view subject, eta::Bytes frame) {
    for (const auto& side : sides_)
        side->publish(subject, frame);
}

void PairedBus::publishAsking(std::string_view subject, std::string_view nobody, eta::Bytes frame) {
    const auto at = asked_.find(nobody);
    if (at != asked_.end()) at->second = 0;
    else {
        if (asked_.size() >= kMostAsked) asked_.clear();
        asked_.emplace(nobody, 0u);
    }
    for (const auto& side : sides_)
        side->publishAsking(subject, nobody, frame);
}

void PairedBus::saysNobody(std::size_t side, std::string_view subject) {
    const auto at = asked_.find(subject);
    if (at == asked_.end()) return;
    at->second |= 1u << side;
    // A side without a connection says nothing; whoever is to be found there only cannot be reached either.
    for (std::size_t i = 0; i < sides_.size(); ++i)
        if ((at->second >> i & 1u) == 0 && sides_[i]->state() == State::connected) return;
    asked_.erase(at);
    if (nobody_) nobody_(subject);
}

void PairedBus::subscribe(std::string_view subject) {
    for (const auto& side : sides_)
        side->subscribe(subject);
}

void PairedBus::unsubscribe(std::string_view subject) {
    for (const auto& side : sides_)
        side->unsubscribe(subject);
}

std::size_t PairedBus::mostFrame() const noexcept {
    return std::min(sides_[0]->mostFrame(), sides_[1]->mostFrame());
}

std::size_t PairedBus::receive(std::size_t most, const std::function<void(eta::Bytes)>& use) {
    const std::function<void(eta::Bytes)> once = [&](eta::Bytes frame) {
        if (seen_.isCopy(frame)) ++copies_;
        else use(frame);
    };
    // Half for each: the side that is behind must not wait for the one that has much.
    std::size_t n = 0;
    for (std::size_t i = 0; i < sides_.size(); ++i)
        n += sides_[(first_ + i) % sides_.size()]->receive(std::max<std::size_t>((most - n) / (sides_.size() - i), 1),
                                                           once);
    first_ = (first_ + 1) % sides_.size();
    return n;
}

NatsBus::State PairedBus::state() const noexcept {
    return sides_[0]->state() == State::connected ? State::connected : sides_[1]->state();
}

std::string PairedBus::server() const {
    const std::string a = sides_[0]->server(), b = sides_[1]->server();
    return a.empty() || b.empty() ? a + b : a + " and " + b;
}

std::string PairedBus::lastError() const {
    return sides_[0]->lastError();
}

}  // namespace emissary::hub::nats
