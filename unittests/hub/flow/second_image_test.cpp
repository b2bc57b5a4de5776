// What is kept of an item from a source that does not serve it, and how the item goes over to it.
#include "fixture.h"

using namespace emissary::test;
namespace RefreshFlag = codec::RefreshFlag;
using emissary::hub::flow::SecondImage;
using Lines = std::vector<std::string>;

namespace {

constexpr std::uint16_t kWhole = FlowFixture::kWhole;

/// An item that its source has answered, and what another source says of it.
struct Second : FlowFixture {
    SecondImage second;

    Second() {
        service.policy.seqNumGaps = true;
        REQUIRE(join(client(), 5));
        refresh({{{22, 5}}});
        (void)take();
    }
    ~Second() { flow.store(service.id).drop(second.image); }
    /// True: no message is missing before it, and its payload is no lie.
    bool says(const Msg& msg, bool replace = false) {
        const bool inOrder = second.note(*item(), msg);
        return second.apply(flow.store(service.id), msg, replace, item()->is(Item::cached)) && inOrder;
    }
    Msg numbered(codec::MsgClass cls, std::uint32_t seqNum, const Fields& fields, std::uint16_t flags = 0) {
        Msg m = message(cls, flags, fields);
        m.flags |= cls == codec::MsgClass::Update ? codec::UpdateFlag::seqNum : RefreshFlag::seqNum;
        m.seqNum = seqNum;
        return m;
    }
    [[nodiscard]] bool usable() { return second.usable(flow.store(service.id)); }
};

}  // namespace

TEST_CASE_METHOD(Second, "a second image follows its own source, and the item goes over to it") {
    CHECK_FALSE(usable());
    CHECK(says(message(codec::MsgClass::Update, 0, {{{22, 1}}})));  // nothing to update yet
    CHECK(second.image == 0);
    CHECK(says(numbered(codec::MsgClass::Refresh, 7, {{{22, 6}, {25, 1}}}, kWhole)));
    CHECK(says(numbered(codec::MsgClass::Update, 8, {{{25, 2}}})));
    CHECK(usable());
    refresh({{{22, 50}}});  // the item's own source goes on
    (void)take();

    flow.suspect(*item(), 0, "lost");
    (void)take();
    flow.takeOver(*item(), other, 9, std::exchange(second, {}),
                  {codec::StreamState::open, ok, 10, emissary::eta::asBytes("goes on")});
    CHECK(take() == Lines{"0:5 RFSH Ok/10 complete clear {22=6 25=2}"});
    CHECK(item()->source == &other);
    CHECK(item()->upstream == 9);
    CHECK(item()->phase == Item::Phase::open);
    CHECK(item()->seqNum == 8);
    CHECK_FALSE(item()->is(Item::recovering | Item::rebound | Item::partial | Item::notCurrent));
    CHECK(flow.store(service.id).images() == 1);
    // The next update of the source that has it now goes to its image.
    update({{{25, 3}}}, codec::UpdateFlag::seqNum, 9);
    CHECK(take() == Lines{"0:5 UPD {25=3}"});
}

TEST_CASE_METHOD(Second, "a second image with a hole is found out by its numbers") {
    CHECK(says(numbered(codec::MsgClass::Refresh, 7, {{{22, 6}}}, kWhole)));
    CHECK(second.note(*item(), numbered(codec::MsgClass::Update, 8, {{{22, 7}}})));
    CHECK_FALSE(second.note(*item(), numbered(codec::MsgClass::Update, 10, {{{22, 9}}})));
    CHECK(second.seqNum == 10);
    second.restart();  // another stream counts from wherever it likes
    CHECK(second.note(*item(), numbered(codec::MsgClass::Update, 90, {{{22, 9}}})));
}

TEST_CASE_METHOD(Second, "a second image that lacks a part of its refresh is found out") {
    const auto part = [this](std::uint16_t number, std::uint16_t flags) {
        Msg m =
            message(codec::MsgClass::Refresh, static_cast<std::uint16_t>(RefreshFlag::partNum | flags), {{{22, 1}}});
        m.partNum = number;
        return second.note(*item(), m);
    };
    CHECK(part(0, RefreshFlag::clearCache));
    CHECK(part(1, 0));
    CHECK_FALSE(part(3, RefreshFlag::complete));
    CHECK(part(0, RefreshFlag::clearCache));
    second.restart();
    CHECK_FALSE(part(1, RefreshFlag::complete));  // of the stream before
}

TEST_CASE_METHOD(Second, "an image that cannot be kept is dropped") {
    CHECK(says(message(codec::MsgClass::Refresh, kWhole, {{{22, 6}}})));
    CHECK(says(message(codec::MsgClass::Refresh, kWhole | RefreshFlag::doNotCache, {{{22, 7}}})));
    CHECK(second.image == 0);

    CHECK(says(message(codec::MsgClass::Refresh, kWhole, {{{22, 6}}})));
    CHECK(usable());
    Msg wrong = message(codec::MsgClass::Update, 0, {{{22, 8}}});
    wrong.payload = wrong.payload.first(wrong.payload.size() - 1);
    CHECK_FALSE(says(wrong));
    CHECK(second.image == 0);
}

TEST_CASE("of an item that is not cached no second image is kept") {
    FlowFixture f(CachePolicy::Rule::none);
    REQUIRE(f.join(f.client(), 5));
    SecondImage second;
    const Msg m = f.message(codec::MsgClass::Refresh, kWhole, {{{22, 6}}});
    CHECK(second.note(*f.item(), m));
    CHECK(second.apply(f.flow.store(f.service.id), m, true, f.item()->is(Item::cached)));
    CHECK(second.image == 0);
    CHECK(second.containerType == static_cast<std::uint8_t>(codec::DataType::FieldList));
}
