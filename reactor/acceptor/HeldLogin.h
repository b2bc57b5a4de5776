// The login of a publisher that is answered later, and what the publisher sent behind it.
#pragma once

#include "eta/codec/Msg.h"
#include "reactor/Reactor.h"

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace emissary::reactor::acceptor {

/// While the first login waits the connection is not read from: what follows stays in its socket, in its order, and the
/// limits of one that is not logged in do not meet it. Only what was read before is kept here: by the role that had the
/// connection first, or because the reactor reads the rest of a connection that is broken. Not thread safe.
class HeldLogin {
public:
    /// Of a broken connection, with what each message costs beside its bytes; nobody needs more of one.
    static constexpr std::size_t kMostBytes = 64u << 10;

    [[nodiscard]] bool waits() const noexcept { return !request_.empty(); }
    /// `first`: nothing more is read until the answer, since what it means is not known yet.
    void wait(Link& link, const eta::codec::Msg& request, bool first) {
        request_.assign(request.raw.begin(), request.raw.end());
        if (first && !std::exchange(inputHeld_, true)) link.hold(true);
    }
    /// The request, which does not wait any more.
    [[nodiscard]] std::vector<std::byte> take() noexcept { return std::exchange(request_, {}); }
    void forget() noexcept { request_.clear(); }

    void add(Bytes message) {
        messages_.emplace_back(message.begin(), message.end());
        bytes_ += costOf(message.size());
    }
    [[nodiscard]] bool full() const noexcept { return bytes_ >= kMostBytes; }
    /// False: none is left.
    [[nodiscard]] bool next(std::vector<std::byte>& message) noexcept {
        if (messages_.empty()) return false;
        message = std::move(messages_.front());
        messages_.pop_front();
        bytes_ -= costOf(message.size());
        return true;
    }
    /// Whether the connection was not read from. It is from now on.
    [[nodiscard]] bool letGo() noexcept { return std::exchange(inputHeld_, false); }

private:
    [[nodiscard]] static constexpr std::size_t costOf(std::size_t bytes) noexcept {
        return bytes + sizeof(std::vector<std::byte>) + 16;
    }

    std::vector<std::byte> request_;
    std::deque<std::vector<std::byte>> messages_;
    std::size_t bytes_ = 0;
    bool inputHeld_ = false;
};

}  // namespace emissary::reactor::acceptor
