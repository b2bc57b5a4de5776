// Numbers of items under faults: an item that was closed, dropped or refused and asked for again never shows what was
// said of another one, in the same life of its owner.
#include "SimulatedBus.h"
#include "hub/mesh/MeshNode.h"
#include "support/catch.hpp"

#include <array>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using hub::mesh::MeshNode;
using hub::mesh::MeshOptions;

namespace {

constexpr std::size_t kNumberNames = 12, kAskers = 3;

[[nodiscard]] MeshOptions numbersOptions(std::size_t index) {
    MeshOptions o;
    o.node = static_cast<std::uint32_t>(0x100 + index);
    o.epoch = 1;
    o.wideLanes = 2;
    o.maxPending = 32;
    return o;
}

/// Every message of an item begins with the item's name, and a byte that ends it.
[[nodiscard]] std::string said(const std::string& name, std::uint64_t what) {
    return name + "|" + std::to_string(what);
}

struct NumbersOwner final : hub::mesh::OwnItems {
    explicit NumbersOwner(std::mt19937_64& random) : random(random) {}
    bool wanted(std::uint32_t number, std::string_view, std::string_view name) override {
        if (random() % 4 == 0) {
            ++refused;
            refusedNumbers.insert(number);
            return false;
        }
        givenAgain += refusedNumbers.contains(number) ? 1u : 0u;
        names[number] = name;
        numbers[std::string(name)] = number;
        return true;
    }
    void writeImage(std::uint32_t number, eta::BeWriter& out) override {
        out.bytes(eta::asBytes(said(names.at(number), ++count)));
    }
    void unwanted(std::uint32_t number) override { numbers.erase(names.at(number)); }

    std::mt19937_64& random;
    std::map<std::uint32_t, std::string> names;
    std::map<std::string, std::uint32_t> numbers;  // of those that are wanted
    std::set<std::uint32_t> refusedNumbers;
    std::uint64_t count = 0, refused = 0, givenAgain = 0;
};

struct NumbersEdge final : hub::mesh::EdgeListener {
    void image(std::uint32_t item, std::uint32_t, eta::Bytes refresh) override { check(item, refresh), ++images; }
    void update(std::uint32_t item, std::uint32_t, eta::Bytes message) override { check(item, message), ++updates; }
    void state(std::uint32_t, bool) override {}
    void ended(std::uint32_t item, eta::Bytes status) override {
        if (!status.empty()) check(item, status);
        over.insert(item);
    }
    [[nodiscard]] bool canReplace(eta::Bytes) const override { return true; }
    void check(std::uint32_t item, eta::Bytes message) {
        const std::string text(eta::asText(message));
        if (const auto at = names.find(item); at != names.end() && text.starts_with(at->second + "|")) return;
        wrong = "item " + std::to_string(item) + " is " + names[item] + " and got " + text;
    }
    std::map<std::uint32_t, std::string> names;  // of open items
    std::set<std::uint32_t> over;                // ended, and to be closed
    std::uint64_t images = 0, updates = 0;
    std::string wrong;
};

void runNumbers(std::uint64_t seed, int steps) {
    std::mt19937_64 random(seed);
    SimulatedBus bus(seed + 1, 1 + kAskers);
    NumbersOwner owned(random);
    NumbersEdge none;
    MeshNode owner(bus.of(0), owned, none, numbersOptions(0));
    bus.begin(0, [&](eta::Bytes frame) { owner.received(frame); });
    owner.directory().offer("S", {});
    NumbersOwner nothing(random);
    std::array<NumbersEdge, kAskers> seen;
    std::vector<std::unique_ptr<MeshNode>> edges;
    for (std::size_t e = 0; e < kAskers; ++e) {
        edges.push_back(std::make_unique<MeshNode>(bus.of(e + 1), nothing, seen[e], numbersOptions(e + 1)));
        bus.begin(e + 1, [&edges, e](eta::Bytes frame) { edges[e]->received(frame); });
    }
    bus.faults.loss = 3;
    bus.faults.twice = 20;
    bus.faults.reorder = 20;
    bus.faults.apart = true;
    std::uint64_t opened = 0;
    for (int step = 0; step < steps; ++step) {
        if (step % 500 == 0)
            bus.faults.mostDelay = std::array<std::chrono::microseconds, 3>{2ms, 30ms, 400ms}[random() % 3];
        const std::string name(1, static_cast<char>('a' + random() % kNumberNames));
        const std::size_t e = random() % kAskers;
        const std::uint64_t dice = random() % 100;
        const auto number = owned.numbers.find(name);
        if (dice < 60) {
            if (number != owned.numbers.end())
                owner.owner().update(number->second, eta::asBytes(said(name, ++owned.count)));
        } else if (dice < 66) {
            if (number != owned.numbers.end()) {
                owner.owner().close(number->second, eta::asBytes(said(name, ++owned.count)));
                owned.numbers.erase(number);
            }
        } else {
            hub::mesh::Edge& edge = edges[e]->edge();
            std::erase_if(seen[e].names, [&](const auto& item) {
                const bool goes = seen[e].over.contains(item.first) || (item.second == name && dice < 82);
                if (goes) edge.close(item.first);
                return goes;
            });
            seen[e].over.clear();
            if (dice >= 82) {
                const auto index = static_cast<std::uint32_t>(edge.open("S", name));
                seen[e].names[index] = name;
                ++opened;
            }
        }
        bus.run(std::chrono::microseconds(random() % 4000));
        owner.tick();
        for (const auto& edge : edges)
            edge->tick();
        for (const NumbersEdge& edge : seen) {
            INFO("seed " << seed << ", step " << step << ": " << edge.wrong);
            REQUIRE(edge.wrong.empty());
        }
    }
    std::uint64_t images = 0, updates = 0;
    for (const NumbersEdge& edge : seen) {
        images += edge.images;
        updates += edge.updates;
    }
    // All of it happened: refusals whose number another item got, closes, and items that were there.
    CHECK(owned.givenAgain > 0);
    CHECK(owned.names.size() > 2 * kNumberNames);
    CHECK(images > 100);
    CHECK(updates > 1000);
    CHECK(opened > 500);
}

}  // namespace

TEST_CASE("Whatever is closed, dropped, refused and asked for again, no item shows what was said of another one",
          "[mesh]") {
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        runNumbers(seed, 20'000);
}
