// Images against the slow truth: random refreshes, updates and statuses for every container (hub.md 15, row 6).
//
// EMISSARY_ORACLE_STEPS says how many messages each container gets; EMISSARY_ORACLE_SEED where to begin.
#include "support/catch.hpp"
#include "support/environment.h"

#include "Model.h"
#include "RandomPayload.h"
#include "hub/cache/ImageStore.h"
#include "messages.h"

#include <memory>
#include <vector>

using namespace emissary;
using namespace emissary::test;
using namespace emissary::eta::codec;
using eta::BeWriter;
using eta::Bytes;
using hub::cache::Applied;
using hub::cache::ImageId;
using hub::cache::ImageStore;

namespace {

/// One item with a store, the early joiner, and at times a late one.
class Oracle {
public:
    Oracle(std::uint64_t seed, DataType type, DataType nested, bool withDictionary, bool addUnknown)
        : random_(seed), type_(type), nested_(nested), store_({.addUnknownFields = addUnknown}),
          dictionary_(withDictionary ? rdmDictionary() : nullptr), early_(dictionary_.get(), addUnknown),
          addUnknown_(addUnknown) {
        store_.setDictionary(dictionary_);
    }
    ~Oracle() {
        store_.drop(id_);
        CHECK(store_.images() == 0);
    }
    /// One message to all; a difference in words, or nothing.
    std::string step() {
        const Msg msg = message();
        const bool replace = random_.oneIn(40);
        const bool wasThere = id_ != 0;
        const Applied result = store_.apply(id_, msg, replace);
        if (!wasThere && msg.cls == MsgClass::Update) {
            return result == Applied::notCurrent || msg.has(UpdateFlag::doNotCache) ? "" : "an update made an image";
        }
        early_.apply(msg, replace);
        if (late_) late_->apply(msg, replace);
        if (early_.exists != (id_ != 0)) return "there is an image, or is not";
        if (id_ == 0) return "";
        if (early_.current != store_.current(id_)) return early_.current ? "image is not current" : "image is current";
        if (early_.complete != store_.complete(id_)) return "completeness";
        if (early_.type != store_.containerType(id_)) return "container type";
        if (!early_.current) return late_.reset(), "";
        ++compared;
        if (auto d = compare(); !d.empty()) return d;
        if (random_.oneIn(20)) join();
        return late_ ? difference(late_->root.get(), early_.root.get(), "late") : "";
    }
    RandomPayload& random() { return random_; }
    unsigned long compared = 0;

private:
    Msg message() {
        Msg msg;
        msg.domain = random_.oneIn(2) ? 6 : 7;
        msg.containerType = type_;
        const unsigned kind = random_.below(100);
        const bool bare = random_.oneIn(60);
        const DataType nested = random_.oneIn(150)  ? DataType::ElementList
                                : random_.oneIn(30) ? DataType::NoData
                                                    : nested_;
        const bool refresh = kind < 12 || parts_ != 0 || id_ == 0;
        if (!bare && kind != 99) msg.payload = random_.make(type_, refresh, nested);
        if (bare && random_.oneIn(2)) msg.containerType = DataType::NoData;
        if (kind == 99) {
            msg.cls = MsgClass::Status;
            msg.containerType = DataType::NoData;
            if (random_.oneIn(2)) msg.flags = StatusFlag::clearCache;
            if (msg.flags != 0) parts_ = 0;
        } else if (refresh && (parts_ == 0 || random_.oneIn(2))) {
            msg.cls = MsgClass::Refresh;
            refreshFlags(msg);
        } else {
            msg.cls = MsgClass::Update;
            if (random_.oneIn(6)) msg.flags |= UpdateFlag::doNotRipple;
            if (random_.oneIn(40)) msg.flags |= UpdateFlag::doNotCache;
            msg.updateType = static_cast<std::uint8_t>(random_.below(12));
        }
        return msg;
    }
    void refreshFlags(Msg& msg) {
        if (random_.oneIn(2)) msg.flags |= RefreshFlag::solicited;
        if (random_.oneIn(60) && parts_ == 0) {
            msg.flags |= RefreshFlag::doNotCache;
            return;
        }
        if (parts_ == 0) {
            if (random_.oneIn(2)) msg.flags |= RefreshFlag::clearCache;
            if (!random_.oneIn(5)) {
                msg.flags |= RefreshFlag::complete;
                return;
            }
        } else if (random_.oneIn(3)) {
            msg.flags |= RefreshFlag::complete;
        }
        msg.flags |= RefreshFlag::partNum;
        msg.partNum = static_cast<std::uint16_t>(parts_++);
        if (msg.has(RefreshFlag::complete)) parts_ = 0;
    }
    /// What a late joiner decodes from the image is what the early one has.
    std::string compare() {
        std::vector<std::byte> exact(store_.maxSize(id_));
        BeWriter out{exact};
        if (const auto e = store_.write(id_, out); !e.ok()) return "write: " + std::string(describe(e.code));
        if (!eta::codec::validate(out.view(), store_.containerType(id_)).ok()) return "the image is not valid";
        ModelPtr decoded;
        ModelRules rules{dictionary_.get()};
        modelApply(decoded, store_.containerType(id_), out.view(), ModelWay::fresh, rules);
        if (rules.malformed || !rules.truth) return "the image cannot be read";
        return difference(decoded.get(), early_.root.get(), "image");
    }
    /// A client that comes now: the image, in parts where it is large, and all messages from then on.
    void join() {
        late_ = std::make_unique<ModelItem>(dictionary_.get(), addUnknown_);
        hub::cache::PartCursor at;
        std::vector<std::byte> block(store_.maxSize(id_));
        do {
            Msg refresh;
            refresh.cls = MsgClass::Refresh;
            refresh.flags = RefreshFlag::solicited | RefreshFlag::partNum;
            refresh.partNum = at.partNum;
            if (at.partNum == 0) refresh.flags |= RefreshFlag::clearCache;
            refresh.containerType = store_.containerType(id_);
            BeWriter out{block};
            if (!store_.writePart(id_, out, 200, at).ok()) std::abort();
            if (at.last) refresh.flags |= RefreshFlag::complete;
            refresh.payload = out.view();
            late_->apply(refresh, false);
        } while (!at.last);
        late_->complete = early_.complete;
    }

    RandomPayload random_;
    DataType type_, nested_;
    ImageStore store_;
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary_;
    ModelItem early_;
    bool addUnknown_;
    std::unique_ptr<ModelItem> late_;
    ImageId id_ = 0;
    unsigned parts_ = 0;
};

void run(DataType type, DataType nested, bool withDictionary = true, bool addUnknown = true, bool sortable = true) {
    const auto steps = numberFromEnvironment("EMISSARY_ORACLE_STEPS", 6000);
    const auto seed = numberFromEnvironment("EMISSARY_ORACLE_SEED", 1);
    Oracle oracle(seed, type, nested, withDictionary, addUnknown);
    oracle.random().sortable = sortable;
    for (unsigned long i = 0; i < steps; ++i) {
        const std::string wrong = oracle.step();
        INFO("seed " << seed << ", step " << i);
        if (!wrong.empty()) FAIL(wrong);
    }
    INFO(oracle.compared << " images of " << steps << " messages were current and compared");
    CHECK((type == DataType::Opaque || oracle.compared > steps / 20));
}

}  // namespace

TEST_CASE("an image is what its messages make of it: field lists", "[hub][cache][oracle]") {
    SECTION("with ripple and RMTES by the dictionary") {
        run(DataType::FieldList, DataType::NoData);
    }
    SECTION("without a dictionary") {
        run(DataType::FieldList, DataType::NoData, false);
    }
    SECTION("when fields that no refresh had are left out") {
        run(DataType::FieldList, DataType::NoData, true, false);
    }
}
TEST_CASE("an image is what its messages make of it: element lists", "[hub][cache][oracle]") {
    run(DataType::ElementList, DataType::NoData);
}
TEST_CASE("an image is what its messages make of it: maps", "[hub][cache][oracle]") {
    SECTION("of field lists") {
        run(DataType::Map, DataType::FieldList);
    }
    SECTION("of element lists") {
        run(DataType::Map, DataType::ElementList);
    }
    SECTION("of maps") {
        run(DataType::Map, DataType::Map);
    }
    SECTION("of filter lists, without a dictionary") {
        run(DataType::Map, DataType::FilterList, false);
    }
    SECTION("of bytes") {
        run(DataType::Map, DataType::Opaque);
    }
}
TEST_CASE("an image is what its messages make of it: vectors", "[hub][cache][oracle]") {
    SECTION("whose entries move") {
        run(DataType::Vector, DataType::FieldList);
    }
    SECTION("whose entries stay") {
        run(DataType::Vector, DataType::FieldList, true, true, false);
    }
    SECTION("of maps") {
        run(DataType::Vector, DataType::Map);
    }
}
TEST_CASE("an image is what its messages make of it: filter lists", "[hub][cache][oracle]") {
    SECTION("of field lists and element lists") {
        run(DataType::FilterList, DataType::FieldList);
    }
    SECTION("of maps and element lists") {
        run(DataType::FilterList, DataType::Map);
    }
}
TEST_CASE("an image is what its messages make of it: series", "[hub][cache][oracle]") {
    SECTION("of field lists") {
        run(DataType::Series, DataType::FieldList);
    }
    SECTION("of vectors") {
        run(DataType::Series, DataType::Vector);
    }
}
TEST_CASE("an image is what its messages make of it: bytes", "[hub][cache][oracle]") {
    run(DataType::Opaque, DataType::NoData);
}
