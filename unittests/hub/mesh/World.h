// A mesh of two owners and some edges on a simulated bus, a truth for every item, and faults by a seed.
#pragma once

#include "SimulatedBus.h"
#include "hub/mesh/MeshNode.h"

#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace emissary::test {

/// Values that show whether every update was applied, once and in order.
[[nodiscard]] inline std::uint64_t applied(std::uint64_t value, std::uint64_t change) noexcept {
    value = (value ^ change) * 0x9E3779B97F4A7C15u;
    return value ^ value >> 29;
}

/// What really is: each item's value, and when it had it.
class Truth {
public:
    explicit Truth(std::size_t items);
    void change(std::size_t item, std::uint64_t by, eta::TimePoint now);
    [[nodiscard]] std::uint64_t value(std::size_t item) const { return history_[item].back().value; }
    /// Whether the item had the value at some moment from `since` on.
    [[nodiscard]] bool had(std::size_t item, std::uint64_t value, eta::TimePoint since) const;
    [[nodiscard]] std::size_t items() const noexcept { return history_.size(); }

private:
    struct Was {
        std::uint64_t value;
        eta::TimePoint from;
    };
    std::vector<std::deque<Was>> history_;
};

/// One hub: owner of all items of its services, or an edge that wants some.
class SimulatedHub final : public hub::mesh::OwnItems, public hub::mesh::EdgeListener {
public:
    SimulatedHub(SimulatedBus& bus, std::size_t index, Truth& truth, bool owns, std::string& error);
    void start(std::uint64_t epoch);
    void kill();
    void stop();
    void resume();
    void leave(bool leaves);  ///< others are to take what it owns, or not any more
    [[nodiscard]] bool running() const noexcept { return node_ && !stopped_; }
    [[nodiscard]] hub::mesh::MeshNode& node() noexcept { return *node_; }
    void tick();

    /// Its source says so; `many`: of other items at the same moment too.
    void changed(std::size_t item, std::uint64_t by, bool many = false);
    void open(std::size_t item);
    void close(std::size_t item);
    [[nodiscard]] bool wants(std::size_t item) const { return shown_[item].index >= 0; }
    [[nodiscard]] bool isCurrent(std::size_t item) const;
    [[nodiscard]] std::uint64_t value(std::size_t item) const { return shown_[item].value; }
    [[nodiscard]] std::string describe(std::size_t item) const;

    /// The service of an item: "both" has two owners, "one" only the first.
    [[nodiscard]] static std::string service(std::size_t item) { return item % 4 == 3 ? "one" : "both"; }
    [[nodiscard]] static std::string name(std::size_t item) { return "I" + std::to_string(item); }

private:
    bool wanted(std::uint32_t number, std::string_view service, std::string_view name) override;
    void writeImage(std::uint32_t number, eta::BeWriter& out) override;
    void unwanted(std::uint32_t) override {}
    void image(std::uint32_t item, std::uint32_t version, eta::Bytes refresh) override;
    void update(std::uint32_t item, std::uint32_t version, eta::Bytes message) override;
    void state(std::uint32_t, bool) override {}
    void ended(std::uint32_t item, eta::Bytes) override;
    [[nodiscard]] bool canReplace(eta::Bytes image) const override {
        return eta::loadBe<std::uint64_t>(image.data()) % 4 != 0;
    }

    struct Shown {
        std::int64_t index = -1;
        std::uint64_t value = 0;
        std::uint32_t ask = 0, version = 0;
    };
    struct Owned {
        std::uint64_t value = 0;
        std::uint32_t number = 0;
    };
    SimulatedBus& bus_;
    const std::size_t index_;
    Truth& truth_;
    const bool owns_;
    std::string& error_;
    std::unique_ptr<hub::mesh::MeshNode> node_;
    bool stopped_ = false;
    static constexpr unsigned kMostBusy = 200;  // turns in a row
    unsigned busy_ = 0;
    std::vector<std::pair<std::size_t, std::uint64_t>> missed_;
    std::vector<Shown> shown_;
    std::vector<std::size_t> itemOf_;  // by the edge's index
    std::vector<Owned> owned_;
    std::vector<std::size_t> byNumber_;
};

/// The whole of it. Every step changes something, lets time go on and checks what every edge shows.
class World {
public:
    static constexpr std::size_t kOwners = 2, kEdges = 4, kItems = 24;
    enum class Owners : std::uint8_t { stay, leave };
    /// Whether the items of a group change together now and then, by the same.
    enum class Groups : std::uint8_t { none, change };
    explicit World(std::uint64_t seed, Owners owners = Owners::stay, Groups groups = Groups::none);
    /// False after the first step in which something wrong was shown; error() says what.
    bool step();
    /// Ends all faults and goes on for 10 s, with updates; then without. False when not everything is current and true.
    bool recover();
    [[nodiscard]] const std::string& error() const noexcept { return error_; }
    [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
    [[nodiscard]] std::uint64_t sum(Counter hub::mesh::MeshCounts::*count);
    /// Since the faults ended until everything was current, in the last recover().
    [[nodiscard]] eta::Duration recoveredIn() const noexcept { return recoveredIn_; }
    std::uint64_t checked = 0, shownOk = 0, oldest = 0, wentBack = 0;
    std::array<std::uint64_t, 8> faults{};

private:
    void fault();
    [[nodiscard]] std::uint64_t nextEpoch();
    void update();
    void updateGroup();
    void wishes();
    bool advance();
    bool check();
    [[nodiscard]] std::uint64_t below(std::uint64_t n) { return random_() % n; }

    std::mt19937_64 random_;
    const Owners owners_;
    const Groups groups_;
    std::string error_;
    SimulatedBus bus_;
    Truth truth_;
    std::vector<std::unique_ptr<SimulatedHub>> hubs_;
    std::pair<std::size_t, std::size_t> lastClosed_{kOwners, 0};  // hub, item
    unsigned busy_ = 700;                                         // of 1000 steps change a value
    std::uint64_t epochs_ = 0, steps_ = 0;
    eta::Duration recoveredIn_{};
};

}  // namespace emissary::test
