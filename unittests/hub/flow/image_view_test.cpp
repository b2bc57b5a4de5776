// Images as they are read beside the way of messages.
#include "fixture.h"
#include "hub/flow/ImageView.h"

using namespace emissary::test;
using flow::ImageView;
namespace RefreshFlag = codec::RefreshFlag;

namespace {

/// The refresh that a view gives; empty without one.
std::string shown(const ImageView& view) {
    emissary::reactor::GrowingBuffer payload(64);
    Msg m;
    return view.refresh(m, payload.start()).ok() ? FlowFixture::text(m) : std::string();
}

}  // namespace

TEST_CASE_METHOD(FlowFixture, "an image is read as it is now, and reading changes nothing") {
    Client& a = client();
    REQUIRE(join(a, 5));
    const Item& read = *item();
    const ImageView view(flow, read);
    CHECK_FALSE(view);
    CHECK_FALSE(view.complete());
    CHECK_FALSE(view.current());
    CHECK(view.containerType() == codec::DataType::NoData);
    CHECK(view.maxSize() == 0);
    CHECK(shown(view).empty());

    refresh({{{22, 5}, {25, 7}}});
    (void)take();
    CHECK(view);
    CHECK(view.complete());
    CHECK(view.current());
    CHECK(shown(view) == "RFSH Ok complete {22=5 25=7}");
    CHECK(view.maxSize() > 0);
    update({{{22, 6}}}, codec::UpdateFlag::seqNum, 12);
    CHECK(shown(view) == "RFSH Ok complete {22=6 25=7}");
    emissary::reactor::GrowingBuffer payload(64);
    Msg m;
    REQUIRE(view.refresh(m, payload.start()).ok());
    CHECK(m.has(RefreshFlag::seqNum));
    CHECK(m.seqNum == 12);
    flow.suspect(*item(), 0, "away");
    CHECK(shown(view) == "RFSH Suspect complete {22=6 25=7}");
    SECTION("behind what is written already") {
        emissary::eta::BeWriter& out = payload.start();
        out.write(std::uint32_t{7});
        REQUIRE(view.refresh(m, out).ok());
        CHECK(FlowFixture::text(m) == "RFSH Suspect complete {22=6 25=7}");
    }
    SECTION("without room nothing is written") {
        std::byte room[4];
        emissary::eta::BeWriter out{std::span(room)};
        CHECK(view.refresh(m, out).code == emissary::eta::Errc::noSpace);
        CHECK(out.size() == 0);
    }
    SECTION("the first of several parts") {
        refresh({{{30, 1}}}, RefreshFlag::partNum | RefreshFlag::clearCache, {codec::StreamState::open, ok, 0, {}}, 0);
        CHECK(view);
        CHECK_FALSE(view.complete());
    }
    (void)take();
    Client& late = client();
    REQUIRE(join(late, 9));  // as if nobody had read
}
