// The login of a publisher that is answered later, and what the publisher sent behind it.
#pragma once

#include "eta/codec/Msg.h"
#include "reactor/Reactor.h"

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace emissary::reactor::acceptor {

/// Messages behind the first login wait in their order. From kMostBytes on the connection is not read from, so that one
/// that is not logged in costs no more than that and one text. Not thread safe.
class HeldLogin {
public:
    static constexpr std::size_t kMostBytes = 64u << 10;

    [[nodiscard]] bool waits() const noexcept { return !request_.empty(); }
    /// With `atOnce` nothing more is read: what comes cannot be kept, since what it means is not known yet.
    void wait(Link& link, const eta::codec::Msg& request, bool atOnce) {
        request_.assign(request.raw.begin(), request.raw.end());
        if (atOnce && !std::exchange(inputHeld_, true)) link.hold(true);
    }
    /// The request, which does not wait any more.
    [[nodiscard]] std::vector<std::byte> take() noexcept { return std::exchange(request_, {}); }
    void forget() noexcept { request_.clear(); }

    void add(Link& link, Bytes message) {
        messages_.emplace_back(message.begin(), message.end());
        bytes_ += message.size();
        if (bytes_ >= kMostBytes && !std::exchange(inputHeld_, true)) link.hold(true);
    }
    /// False: none is left.
    [[nodiscard]] bool next(std::vector<std::byte>& message) noexcept {
        if (messages_.empty()) return false;
        message = std::move(messages_.front());
        messages_.pop_front();
        bytes_ -= message.size();
        return true;
    }
    /// Whether the connection was not read from. It is from now on.
    [[nodiscard]] bool letGo() noexcept { return std::exchange(inputHeld_, false); }

private:
    std::vector<std::byte> request_;
    std::deque<std::vector<std::byte>> messages_;
    std::size_t bytes_ = 0;
    bool inputHeld_ = false;
};

}  // namespace emissary::reactor::acceptor
