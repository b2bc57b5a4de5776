// Connections that their owner has ended, and that stay a bounded time for the peer to read the end.
#pragma once

#include "reactor/Farewell.h"
#include "reactor/Reactor.h"

#include <list>
#include <memory>

namespace emissary::reactor {

/// Keeps the rest of the output of each connection, and its end, until the peer has closed or the time is up. What the
/// peer sends is not looked at. When there are kMost, the one that has waited longest is closed. Session lock held.
class Partings final : LinkHandler {
public:
    static constexpr std::size_t kMost = 1024;

    explicit Partings(Reactor::Impl& loop) noexcept : loop_(loop) {}
    Partings(const Partings&) = delete;
    Partings& operator=(const Partings&) = delete;

    /// Takes over the connection of a link that is active, which is closed then. Throws std::bad_alloc; the connection
    /// may be closed by then.
    void take(Link::Impl& link, const Farewell& farewell);
    /// Closes all.
    void clear() noexcept;
    /// How many there are.
    [[nodiscard]] std::size_t size() const noexcept { return parting_.size(); }

private:
    struct Parting {
        std::unique_ptr<Link> link;
        TimePoint until{};
    };
    void onLinkUp(Link&) override {}
    void onLinkMessage(Link&, Bytes) override {}
    void onLinkDown(Link& link, const std::string& reason, bool refused) override;
    void watch();
    void look();

    Reactor::Impl& loop_;
    std::list<Parting> parting_;  // in the order in which they came
    std::uint64_t timer_ = 0;
};

}  // namespace emissary::reactor
