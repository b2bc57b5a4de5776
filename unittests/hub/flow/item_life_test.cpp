// The table of an item's events, and who may write what the events change.
#include "hub/flow/ItemLife.h"
#include "support/catch.hpp"

#include <cstdint>
#include <type_traits>

using namespace emissary::hub;
using emissary::hub::flow::Event;
using emissary::hub::flow::ItemLife;
using Phase = Item::Phase;

namespace {

template <class Member, class Value>
constexpr bool kWritable = std::is_assignable_v<Member&, Value>;

// Whoever tries to write one of these does not compile.
static_assert(!kWritable<decltype(Item::phase), Phase>);
static_assert(!kWritable<decltype(Item::flags), std::uint32_t>);
static_assert(!kWritable<decltype(Item::streamState), std::uint8_t>);
static_assert(!kWritable<decltype(Item::dataState), std::uint8_t>);
static_assert(!kWritable<decltype(Item::code), std::uint8_t>);
static_assert(!kWritable<decltype(Item::image), std::uint32_t>);
static_assert(!kWritable<decltype(Item::group), std::uint16_t>);
static_assert(!std::is_assignable_v<Item&, Item>);
static_assert(std::is_convertible_v<decltype(Item::phase), Phase>);

/// Every event, with its row.
template <class F>
void forEachRow(F&& f) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(Event::count_); ++i)
        f(ItemLife::rowOf(static_cast<Event>(i)));
}

}  // namespace

TEST_CASE("no event sets and clears the same flag, and each does something") {
    forEachRow([](const ItemLife::Row& row) {
        INFO("event " << static_cast<int>(row.event));
        CHECK((row.sets & row.clears) == 0);
        CHECK((row.sets != 0 || row.clears != 0 || row.to != ItemLife::Leads::stays));
        CHECK(row.in != 0);
    });
}

TEST_CASE("an event changes the flags of its row and no others") {
    forEachRow([](const ItemLife::Row& row) {
        INFO("event " << static_cast<int>(row.event));
        if (!row.happensIn(Phase::idle)) return;
        Item none, all(~0u);
        ItemLife::apply(none, row.event);
        ItemLife::apply(all, row.event);
        CHECK(none.flags == row.sets);
        CHECK(all.flags == ~row.clears);
    });
}

TEST_CASE("a phase is entered and left") {
    Item item;
    CHECK(item.phase == Phase::idle);
    ItemLife::apply(item, Event::parked);
    CHECK(item.phase == Phase::parked);
    ItemLife::apply(item, Event::queued);
    CHECK(item.phase == Phase::queued);
    ItemLife::apply(item, Event::requested);
    CHECK(item.phase == Phase::requested);
    ItemLife::apply(item, Event::renewed);
    CHECK(item.phase == Phase::requested);
    ItemLife::apply(item, Event::refreshComplete);
    CHECK(item.phase == Phase::open);
    ItemLife::apply(item, Event::released);
    CHECK(item.phase == Phase::idle);
}

TEST_CASE("every phase can be left, and none is entered where it makes no sense") {
    const auto leads = [](Event event, Phase from) { return ItemLife::rowOf(event).happensIn(from); };
    for (const Phase phase : {Phase::idle, Phase::parked, Phase::queued, Phase::requested, Phase::open})
        CHECK(leads(Event::released, phase));
    CHECK_FALSE(leads(Event::queued, Phase::open));       // it would be asked for twice
    CHECK_FALSE(leads(Event::requested, Phase::open));    // as well
    CHECK_FALSE(leads(Event::parked, Phase::requested));  // its source may answer yet
    CHECK_FALSE(leads(Event::renewalAsked, Phase::parked));
    CHECK_FALSE(leads(Event::lastAnswer, Phase::idle));
}

TEST_CASE("the mending refresh ends what was wrong before it") {
    Item item;
    for (const Event event : {Event::suspected, Event::gapFound, Event::otherStream, Event::mountWaits})
        ItemLife::apply(item, event);
    ItemLife::apply(item, Event::refreshComplete);
    CHECK(item.flags == Item::waitingMounts);
    ItemLife::apply(item, Event::mountsServed);
    CHECK(item.flags == 0);
}

TEST_CASE("what clients are told is kept, and its text goes with the next one") {
    namespace codec = emissary::eta::codec;
    Item item;
    ItemLife::tell(item, {codec::StreamState::open, codec::DataState::suspect, 7, emissary::eta::asBytes("away")});
    CHECK(item.dataState == codec::DataState::suspect);
    CHECK(emissary::eta::asText(item.state().text) == "away");
    ItemLife::tell(item, {codec::StreamState::open, codec::DataState::ok, 0, {}});
    CHECK(item.isOk());
    CHECK(item.state().text.empty());
}
