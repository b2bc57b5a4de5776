// Counts the outstanding requests of each source, and chooses the source for an item (hub.md 4.2, 4.3).
#pragma once

#include "hub/upstream/UpstreamSource.h"

#include <functional>
#include <map>
#include <vector>

namespace emissary::hub::upstream {

/// Counts of streams by source and service, and a budget of requests for each source: as many as it takes in a second
/// may be spent at once.
class Lanes {
public:
    /// What came of looking for a source.
    struct Choice {
        UpstreamSource* source = nullptr;  ///< null: no source can serve it now
        const Offer* offer = nullptr;
        bool later = false;  ///< somebody will when a stream has been answered or has ended
        bool soon = false;   ///< somebody will when a moment has passed
    };
    explicit Lanes(SupplyCounts& counts) noexcept : counts_(counts) {}
    /// Called when a source has its first stream of a service, and when the last one has ended (`used`: the first).
    /// Set once, before the first stream.
    void onTurn(std::function<void(std::uint16_t service, bool used)> call) { turn_ = std::move(call); }

    /// The next source to serve an item of the service. `tried`: bits of sources that are left out (number modulo 64).
    [[nodiscard]] Choice choose(const Service& service, std::uint8_t domain, std::uint64_t tried,
                                reactor::TimePoint now);
    /// Somebody could, were there room.
    [[nodiscard]] static bool anybody(const Service& service, std::uint8_t domain, std::uint64_t tried = 0) noexcept;

    /// A request went out.
    void asked(const Service& service, const UpstreamSource& source);
    /// Its refresh has come.
    void answered(std::uint16_t service, const Source& source) noexcept;
    /// A stream is over; `waiting`: its refresh had not come.
    void ended(std::uint16_t service, const Source& source, bool waiting);
    [[nodiscard]] std::uint32_t open(std::uint16_t service, const Source& source) const noexcept;
    /// The source is about to be destroyed, and has no stream: its number may be another one's.
    void forget(const Source& source) noexcept;

    [[nodiscard]] static std::uint64_t bit(const Source& source) noexcept { return 1ull << (source.number() & 63); }

private:
    struct Lane {
        std::uint32_t open = 0, outstanding = 0;
    };
    struct Budget {
        double requests = -1;  // below 0: full
        reactor::TimePoint at;
        std::uint64_t open = 0;
    };
    enum class Room : std::uint8_t { now, soon, later, never };
    [[nodiscard]] Room roomOf(const Service& service, const Offer& offer, reactor::TimePoint now);
    [[nodiscard]] static bool serves(const Offer& offer, std::uint8_t domain, std::uint64_t tried) noexcept;
    [[nodiscard]] Budget& budgetOf(const Source& source);
    void refill(Budget& budget, std::uint32_t rate, reactor::TimePoint now) noexcept;

    std::map<std::pair<std::uint16_t, const Source*>, Lane> lanes_;
    std::vector<Budget> budgets_;  // by the source's number
    SupplyCounts& counts_;
    std::function<void(std::uint16_t, bool)> turn_;
};

}  // namespace emissary::hub::upstream
