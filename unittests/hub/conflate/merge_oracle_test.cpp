// A client whose updates are joined ends with the state of one that gets every update: random steps for each container.
//
// EMISSARY_ORACLE_STEPS says how many updates each container gets; EMISSARY_ORACLE_SEED where to begin.
#include "support/catch.hpp"
#include "support/environment.h"

#include "Model.h"
#include "RandomPayload.h"
#include "hub/config/HubSettings.h"
#include "hub/conflate/PendingUpdates.h"
#include "messages.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <vector>

using namespace emissary;
using namespace emissary::test;
using namespace emissary::eta::codec;
using eta::Bytes;
using hub::conflate::PayloadMerger;
using hub::conflate::PendingUpdates;
using Offered = PendingUpdates::Offered;

namespace {

/// Entries of maps and filter lists have no order; a joined update has them in that of their first appearance. Nor have
/// fields that updates add to an image: those of a chain come where they came last.
void inOrder(ModelNode* node) {
    if (node == nullptr) return;
    std::ranges::sort(node->fields, {}, &ModelNode::Field::id);
    if (node->type == DataType::Map || node->type == DataType::FilterList)
        std::sort(node->entries.begin(), node->entries.end(),
                  [](const auto& a, const auto& b) { return a.key < b.key; });
    for (auto& e : node->entries)
        inOrder(e.child.get());
    inOrder(node->summary.get());
}

constexpr std::int32_t kStream = 5;

bool mayWait(const Msg& msg) {
    static const std::uint64_t types = hub::HubSettings{}.conflateTypes;
    return hub::conflate::mayWait(msg, types);
}

/// One item: a client that gets everything, and one that reads at times.
class Pair {
public:
    Pair(std::uint64_t seed, DataType type, DataType nested)
        : random_(seed), type_(type), nested_(nested), fast_(rdmDictionary().get(), true),
          slow_(rdmDictionary().get(), true) {
        merger_.setDictionary(rdmDictionary().get());
    }
    std::string step() {
        if (!fast_.exists || !fast_.current || random_.oneIn(500)) refresh();
        Msg msg = update();
        fast_.apply(msg, false);
        const bool may = mayWait(msg);
        if (!may) ++never;
        switch (may ? pending_.offer(kStream, msg, {}) : Offered::asIs) {
        case Offered::waits:
            ++expected_;
            break;
        case Offered::joined:
            ++expected_;
            ++joined;
            break;
        case Offered::full:
            return "there is room";
        case Offered::asIs:
            if (auto d = release(); !d.empty()) return d;
            ++direct;
            slow_.apply(msg, false);
            break;
        }
        return random_.oneIn(12) ? release() : "";
    }
    /// What waits goes out; then both have the same.
    std::string release() {
        std::string d;
        unsigned taken = 0, parts = 0;
        bool twice = false;
        if (!pending_.take(kStream,
                           [&](std::int32_t, const Msg& msg) {
                               const unsigned count = msg.has(UpdateFlag::confInfo) ? msg.conflationCount : 1;
                               twice = twice || repeatsFields(msg);
                               taken += count;
                               parts += 1;
                               if (!mayWait(msg)) d = "an update that is never joined waited";
                               slow_.apply(msg, false);
                           }) &&
            expected_ != 0)
            d = "an update is lost";
        // An update of the source may have a field twice: then there are more parts than updates.
        if (d.empty() && taken != std::max(expected_, parts)) d = "the number of updates";
        if (twice && parts > 1) d = "a field twice in one of several updates";
        repeats += parts > 1;
        expected_ = 0;
        if (!d.empty()) return d;
        if (pending_.memory() != 0) return "memory";
        return "";
    }
    std::string compare() {
        if (auto d = release(); !d.empty()) return d;
        // A client that gets everything may be misled by what a later update in the same joined one takes away.
        if (!fast_.current) return "";
        if (!slow_.current) return "the slow client cannot know what it has";
        ++compared;
        inOrder(fast_.root.get());
        inOrder(slow_.root.get());
        return difference(slow_.root.get(), fast_.root.get(), "slow");
    }
    unsigned long joined = 0, direct = 0, never = 0, compared = 0;
    unsigned long repeats = 0;  ///< joined updates that went out in several, for a field that ripples
    RandomPayload& random() { return random_; }

private:
    [[nodiscard]] static bool repeatsFields(const Msg& msg) {
        if (msg.containerType != DataType::FieldList) return false;
        std::set<std::int16_t> ids;
        FieldListDecoder list;
        static_cast<void>(list.start(msg.payload));
        for (FieldEntry e; list.next(e);)
            if (!ids.insert(e.fieldId).second) return true;
        return false;
    }
    void refresh() {
        static_cast<void>(release());
        Msg msg;
        msg.cls = MsgClass::Refresh;
        msg.domain = 7;
        msg.flags = RefreshFlag::solicited | RefreshFlag::complete | RefreshFlag::clearCache;
        msg.containerType = type_;
        msg.payload = random_.make(type_, true, nested_);
        fast_.apply(msg, true);
        slow_.apply(msg, true);
    }
    Msg update() {
        Msg msg;
        msg.cls = MsgClass::Update;
        msg.domain = 7;
        msg.containerType = type_;
        msg.payload = random_.make(type_, false, random_.oneIn(30) ? DataType::NoData : nested_);
        if (random_.oneIn(2)) msg.flags |= UpdateFlag::doNotRipple;
        if (random_.oneIn(30)) msg.flags |= UpdateFlag::doNotConflate;
        if (random_.oneIn(4)) msg.flags |= UpdateFlag::discardable;
        msg.updateType = static_cast<std::uint8_t>(random_.oneIn(5) ? random_.below(12) : random_.below(2));
        return msg;
    }
    RandomPayload random_;
    const DataType type_, nested_;
    ModelItem fast_, slow_;
    PayloadMerger merger_;
    PendingUpdates pending_{merger_, 1u << 24};
    unsigned expected_ = 0;
};

}  // namespace

TEST_CASE("joined updates leave a client with the state that all of them leave", "[hub][conflate][oracle]") {
    const unsigned long steps = numberFromEnvironment("EMISSARY_ORACLE_STEPS", 20'000),
                        seed = numberFromEnvironment("EMISSARY_ORACLE_SEED", 1);
    struct Row {
        DataType type, nested;
        bool joins;
    };
    const Row row = GENERATE(
        Row{DataType::FieldList, DataType::NoData, true}, Row{DataType::ElementList, DataType::NoData, true},
        Row{DataType::Map, DataType::FieldList, true}, Row{DataType::Map, DataType::ElementList, true},
        Row{DataType::Map, DataType::Map, true}, Row{DataType::Map, DataType::Opaque, true},
        Row{DataType::FilterList, DataType::FieldList, true}, Row{DataType::FilterList, DataType::ElementList, true},
        Row{DataType::Vector, DataType::FieldList, false}, Row{DataType::Series, DataType::FieldList, false});
    CAPTURE(name(row.type), name(row.nested), seed);
    Pair pair(seed, row.type, row.nested);
    std::string d;
    for (unsigned long i = 0; i < steps && d.empty(); ++i) {
        d = pair.step();
        if (d.empty() && pair.random().oneIn(8)) d = pair.compare();
        if (!d.empty()) UNSCOPED_INFO("step " << i);
    }
    CHECK(d == "");
    CHECK(pair.compared > steps / 100);
    CHECK(pair.direct > 0);
    CHECK(pair.never > 0);
    CHECK((pair.repeats > steps / 100) == (row.type == DataType::FieldList));
    if (row.joins) CHECK(pair.joined > steps / 100);
    else CHECK(pair.joined == 0);
    std::printf("%s of %s: %lu of %lu updates joined, %lu went as they were\n", name(row.type), name(row.nested),
                pair.joined, steps, pair.direct);
}
