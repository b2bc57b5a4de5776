// A node on a bus without faults, what it serves, and what it has heard of others; shared by the tests of nodes.
#pragma once

#include "SimulatedBus.h"
#include "hub/mesh/MeshNode.h"
#include "support/catch.hpp"

#include <map>
#include <set>

namespace emissary::test::nodes {

using namespace emissary::hub::mesh;
using namespace std::chrono_literals;

struct TestHub final : OwnItems, EdgeListener {
    TestHub(SimulatedBus& bus, std::size_t index, std::uint64_t epoch, std::uint32_t node,
            const std::function<void(MeshOptions&)>& change = {})
        : bus(bus) {
        MeshOptions o;
        o.node = node;
        o.epoch = epoch;
        if (change) change(o);
        bus.begin(
            index, [this](eta::Bytes frame) { mesh.emplace_back(frame.begin(), frame.end()), process(); },
            [this](std::string_view subject) {
                ++nobody;
                if (hearsNobody) me->nobodyListens(subject);
            });
        me = std::make_unique<MeshNode>(bus.of(index), *this, *this, o);
    }
    void process() {
        if (losesBeatsOf != 0) {
            const auto h = readHeader(mesh.back());
            if (h.ok() && h.value().type == FrameType::heartbeat && h.value().node == losesBeatsOf)
                return mesh.pop_back();
        }
        if (!keepFrames) {
            const auto frame = std::move(mesh.back());
            mesh.pop_back();
            me->received(frame);
        } else {
            me->received(mesh.back());
        }
    }
    bool wanted(std::uint32_t number, std::string_view, std::string_view name) override {
        if (lacks || name.starts_with("no")) return false;
        numbers[std::string(name)] = number;
        return true;
    }
    void writeImage(std::uint32_t, eta::BeWriter& out) override { out.bytes(image_); }
    void unwanted(std::uint32_t) override { ++unwantedCalls; }
    void image(std::uint32_t item, std::uint32_t, eta::Bytes refresh) override {
        texts[item] = std::string(eta::asText(refresh));
    }
    void update(std::uint32_t item, std::uint32_t, eta::Bytes message) override {
        ++updates;
        lastItem = item;
        lastSize = message.size();
        if (keepTexts) texts[item] += eta::asText(message);
    }
    void state(std::uint32_t item, bool current) override {
        current ? ++oks : ++suspects;
        if (!current) everSuspect.insert(item);
    }
    bool canReplace(eta::Bytes image) const override { return eta::asText(image) != notYet; }
    void ended(std::uint32_t item, eta::Bytes status) override { ends[item] = std::string(eta::asText(status)); }

    SimulatedBus& bus;
    std::unique_ptr<MeshNode> me;
    std::vector<std::vector<std::byte>> mesh;
    eta::Bytes image_ = eta::asBytes("image ");
    std::string_view notYet = "not yet";
    std::map<std::string, std::uint32_t, std::less<>> numbers;
    std::map<std::uint32_t, std::string> texts, ends;
    std::uint64_t updates = 0, oks = 0, suspects = 0, unwantedCalls = 0, lastSize = 0;
    std::uint32_t lastItem = 0;
    std::set<std::uint32_t> everSuspect;
    bool keepFrames = false, keepTexts = true;
    bool lacks = false;  ///< it serves no item
    bool hearsNobody = false;
    std::uint32_t losesBeatsOf = 0;  ///< the node whose heartbeats are lost
    unsigned nobody = 0;             ///< times that the bus said that nobody listens
};

/// Lets time go on in small steps.
inline void pass(SimulatedBus& bus, std::initializer_list<TestHub*> hubs, std::chrono::milliseconds time) {
    for (std::chrono::microseconds t{}; t < time; t += 1ms) {
        for (TestHub* h : hubs)
            h->me->tick();
        bus.run(1ms);
    }
}

inline std::uint32_t openOn(TestHub& hub, const std::string& name) {
    const std::int64_t index = hub.me->edge().open("S", name);
    REQUIRE(index >= 0);
    return static_cast<std::uint32_t>(index);
}

/// The last sequence of any lane to one hub.
inline std::uint64_t lastTo(TestHub& owner) {
    std::uint64_t least = 0;
    for (std::size_t slot = 0; slot < 64; ++slot)
        least = std::max(least, owner.me->owner().lastTo(slot));
    return least;
}

inline bool ok(const TestHub& hub, std::uint32_t item) {
    return hub.me->edge().isCurrent(item, hub.bus.now());
}

}  // namespace emissary::test::nodes
