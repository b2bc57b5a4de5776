// Refreshes: solicited and not, overlaid, in parts, of another source, of a source that sends nonsense
// (hub.md 5.2, 6.2).
#include "fixture.h"

using namespace emissary::test;
using Lines = std::vector<std::string>;
namespace RefreshFlag = codec::RefreshFlag;

namespace {
constexpr codec::State kOk{codec::StreamState::open, ok, 0, {}};
constexpr std::uint16_t kMore = RefreshFlag::solicited | RefreshFlag::partNum;  // a part that is not the last
constexpr std::uint16_t kLast = kMore | RefreshFlag::complete;
}  // namespace

TEST_CASE_METHOD(FlowFixture,
                 "an unsolicited refresh goes to everybody; without CLEAR_CACHE it is laid over the image") {
    Client &a = client(), &b = client(), &c = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}, {25, 7}}});
    REQUIRE(join(b, 9));
    (void)take();
    refresh({{{22, 8}}}, RefreshFlag::complete);
    CHECK(take() == Lines{"0:5 RFSH Ok complete {22=8}", "1:9 RFSH Ok complete {22=8}"});
    REQUIRE(join(c, 2));
    CHECK(take() == Lines{"2:2 RFSH Ok solicited complete clear {22=8 25=7}"});
}

TEST_CASE("a solicited refresh that nobody waits for is for those that have the item, all its parts") {
    FlowFixture f(GENERATE(CachePolicy::Rule::all, CachePolicy::Rule::none));
    Client &a = f.client(), &b = f.client();
    REQUIRE(f.join(a, 5));
    f.refresh({{{22, 5}}});
    (void)f.take();
    f.refresh({{{22, 6}}});
    CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=6}"});
    f.refresh({{{1, 1}}}, kMore | RefreshFlag::clearCache, kOk, 0);
    REQUIRE(f.join(b, 9));  // waits for the whole
    f.refresh({{{2, 1}}}, kLast, kOk, 1);
    CHECK(f.take().front() == "0:5 RFSH Ok clear part0 {1=1}");
    (void)f.takeAsked();
    f.refresh({{{1, 2}, {2, 2}}});
    leaveAll(f.flow, b);
    f.refresh({{{1, 3}, {2, 3}}});
    CHECK(f.take().back() == "0:5 RFSH Ok complete clear {1=3 2=3}");
}

TEST_CASE_METHOD(FlowFixture, "the next source's refresh does away with QoS and permissions of the one before") {
    Client &a = client(), &b = client();
    REQUIRE(join(a, 5));
    Msg m = message(codec::MsgClass::Refresh, kWhole | RefreshFlag::permData | RefreshFlag::qos, {{{22, 5}}});
    const std::byte perm[] = {std::byte{1}};
    m.permData = perm;
    m.qos = {2, 3, false, 0, 7};
    flow.received(*item(), m);
    CHECK(item()->extras->permData.size() == 1);
    flow.suspect(*item(), 0, "lost");
    flow.bind(*item(), &other, 2);
    refresh({{{22, 6}}});
    CHECK(item()->extras->permData.empty());
    CHECK(item()->qos.timeliness == 0);
    REQUIRE(join(b, 9));
    CHECK(take().back() == "1:9 RFSH Ok solicited complete clear {22=6}");
}

TEST_CASE_METHOD(FlowFixture, "who waits while an overlay comes gets the whole image") {
    Client &a = client(), &b = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}, {25, 7}}});
    (void)take();
    flow::ItemLife::apply(*item(), flow::Event::released);  // as if the source were asked again
    flow::ItemLife::apply(*item(), flow::Event::requested);
    REQUIRE(join(b, 9));
    refresh({{{22, 8}}}, RefreshFlag::complete);
    CHECK(take() == Lines{"0:5 RFSH Ok complete {22=8}", "1:9 RFSH Ok solicited complete clear {22=8 25=7}"});
}

TEST_CASE("without a cache parts are passed on as they come; who joins in the middle waits for the next refresh") {
    FlowFixture f(CachePolicy::Rule::none);
    Client &a = f.client(), &b = f.client();
    REQUIRE(f.join(a, 5));
    f.refresh({{{1, 1}}}, kMore | RefreshFlag::clearCache, kOk, 0);
    CHECK(f.take() == Lines{"0:5 RFSH Ok solicited clear part0 {1=1}"});
    f.update({{{1, 2}}});
    CHECK(f.take() == Lines{"0:5 UPD {1=2}"});
    REQUIRE(f.join(b, 9));
    f.refresh({{{2, 1}}}, kLast, kOk, 1);
    CHECK(f.take() == Lines{"0:5 RFSH Ok solicited complete part1 {2=1}"});
    CHECK(f.takeAsked() == Lines{"wanted IBM", "refresh IBM"});
    f.refresh({{{1, 2}, {2, 1}}});
    CHECK(f.take() == Lines{"1:9 RFSH Ok solicited complete clear {1=2 2=1}"});
}

TEST_CASE_METHOD(FlowFixture,
                 "with a cache who waits gets the image when all parts are there, updates between them included") {
    Client &a = client(), &b = client();
    REQUIRE(join(a, 5));
    refresh({{{1, 1}}}, kMore | RefreshFlag::clearCache, kOk, 0);
    REQUIRE(join(b, 9));
    update({{{1, 2}}});
    CHECK(take().empty());
    refresh({{{2, 1}}}, kLast, kOk, 1);
    CHECK(take() ==
          Lines{"1:9 RFSH Ok solicited complete clear {1=2 2=1}", "0:5 RFSH Ok solicited complete clear {1=2 2=1}"});
    update({{{2, 3}}});
    CHECK(take().size() == 2);
}

TEST_CASE_METHOD(FlowFixture,
                 "a part without a beginning is not taken for an image; the last one makes the source be asked") {
    Client& a = client();
    REQUIRE(join(a, 5));
    (void)takeAsked();
    refresh({{{2, 1}}}, kMore, kOk, 1);
    CHECK(take().empty());
    CHECK(takeAsked().empty());
    refresh({{{3, 1}}}, kLast, kOk, 2);
    CHECK(take() == Lines{"0:5 Status Suspect/11"});
    CHECK(takeAsked() == Lines{"untrusted IBM"});
    CHECK(flow.counts().early == 2);
    CHECK(flow.counts().partsMissing == 1);
    update({{{2, 1}}});
    CHECK(take().empty());
    CHECK(flow.counts().early == 3);
    refresh({{{2, 2}}});
    CHECK(take() == Lines{"0:5 RFSH Ok/34 solicited complete clear {2=2}"});
}

TEST_CASE("a refresh that lacks a part is Suspect for everybody, and the source is asked once") {
    FlowFixture f(GENERATE(CachePolicy::Rule::all, CachePolicy::Rule::none));
    const bool had = GENERATE(false, true), clears = GENERATE(false, true);
    Client& a = f.client();
    REQUIRE(f.join(a, 5));
    if (had) f.refresh({{{22, 5}}});
    (void)f.take();
    (void)f.takeAsked();
    const std::uint16_t clear = clears ? RefreshFlag::clearCache : std::uint16_t{0};
    f.refresh({{{1, 1}}}, static_cast<std::uint16_t>(kMore | clear), kOk, 0);
    (void)f.take();
    f.refresh({{{3, 1}}}, kMore, kOk, 2);
    CHECK(f.take() == Lines{"0:5 Status Suspect/11"});
    CHECK(f.takeAsked() == Lines{"untrusted IBM"});
    CHECK(f.item()->dataState == suspect);
    SECTION("the rest of it is left out") {
        f.refresh({{{4, 1}}}, kMore, kOk, 3);
        f.refresh({{{5, 1}}}, kLast, kOk, 4);
        CHECK(f.take().empty());
        CHECK(f.takeAsked().empty());
        CHECK(f.item()->dataState == suspect);
    }
    SECTION("the part comes late, and is no first one") {
        f.refresh({{{2, 1}}}, kMore, kOk, 1);
        CHECK(f.take().empty());
        CHECK(f.takeAsked().empty());
    }
    Client& late = f.client();
    REQUIRE(f.join(late, 9));
    for (const std::string& line : f.take())
        CHECK(line.find("Ok") == std::string::npos);
    f.refresh({{{1, 7}}}, kMore | RefreshFlag::clearCache, kOk, 0);
    f.refresh({{{2, 7}}}, kLast, kOk, 1);
    CHECK(f.item()->isOk());
    const Lines got = f.take();
    for (const char* const stream : {"0:5", "1:9"})
        CHECK(std::ranges::any_of(
            got, [&](const std::string& l) { return l.starts_with(std::string(stream) + " RFSH Ok"); }));
}

TEST_CASE_METHOD(FlowFixture, "of a part that cannot be decoded the rest is no image either") {
    Client& a = client();
    REQUIRE(join(a, 5));
    refresh({{{1, 1}}}, kMore | RefreshFlag::clearCache, kOk, 0);
    Msg bad = message(codec::MsgClass::Refresh, kMore, {{{2, 1}}});
    bad.partNum = 1;
    bad.payload = bad.payload.first(bad.payload.size() - 1);
    flow.received(*item(), bad);
    CHECK(take() == Lines{"0:5 Status Suspect/28"});
    refresh({{{3, 1}}}, kLast, kOk, 2);
    CHECK(take().empty());
    CHECK(item()->dataState == suspect);
}

TEST_CASE_METHOD(
    FlowFixture,
    "the first refresh of another source replaces the image, and everybody who was told of the loss gets it") {
    Client &a = client(), &b = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}, {25, 7}}});
    (void)take();
    flow.suspect(*item(), 9, "moved");
    CHECK(take() == Lines{"0:5 Status Suspect/9"});
    flow.bind(*item(), &other, 2);
    REQUIRE(join(b, 9));  // has the old image, and its state
    CHECK(take() == Lines{"1:9 RFSH Suspect/9 solicited complete clear {22=5 25=7}"});
    refresh({{{22, 6}}}, RefreshFlag::solicited | RefreshFlag::complete);
    CHECK(take() == Lines{"0:5 RFSH Ok complete clear {22=6}", "1:9 RFSH Ok complete clear {22=6}"});
    CHECK(item()->isOk());
    CHECK(flow.counts().suspect == 0);
}

TEST_CASE_METHOD(FlowFixture, "a source that is lost in the middle of a refresh leaves the image from before") {
    Client &a = client(), &b = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}}});
    (void)take();
    refresh({{{22, 9}}}, RefreshFlag::partNum | RefreshFlag::clearCache, kOk, 0);
    CHECK(take() == Lines{"0:5 RFSH Ok clear part0 {22=9}"});
    flow.suspect(*item(), 0, "lost");
    flow.bind(*item(), nullptr, 0);
    (void)take();
    REQUIRE(join(b, 9));
    CHECK(take() == Lines{"1:9 RFSH Suspect solicited complete clear {22=5}"});
}

TEST_CASE_METHOD(FlowFixture, "a payload that cannot be decoded reaches nobody, and the supply is told") {
    Client& a = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}}});
    (void)take();
    (void)takeAsked();
    Msg m = message(codec::MsgClass::Update, 0, {{{22, 6}}});
    m.payload = m.payload.first(m.payload.size() - 1);
    flow.received(*item(), m);
    CHECK(take() == Lines{"0:5 Status Suspect/28"});
    CHECK(takeAsked() == Lines{"untrusted IBM"});
    CHECK(flow.counts().malformed == 1);
    refresh({{{22, 7}}}, RefreshFlag::solicited | RefreshFlag::complete);
    CHECK(take() == Lines{"0:5 RFSH Ok complete clear {22=7}"});
}

TEST_CASE_METHOD(FlowFixture, "a refresh of the source mends an image that is out of date, one of a post does not") {
    Client &a = client(), &b = client(), &c = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}, {25, 7}}});
    (void)take();
    Msg opaque = message(codec::MsgClass::Update, 0, {{{22, 6}}});
    opaque.containerType = codec::DataType::Opaque;
    flow.received(*item(), opaque);
    (void)take();
    (void)takeAsked();
    refresh({{{22, 8}}}, RefreshFlag::complete | RefreshFlag::postUserInfo);
    CHECK(take() == Lines{"0:5 RFSH Ok complete {22=8}"});
    REQUIRE(join(b, 9));
    CHECK(take().empty());  // it waits for the supply
    CHECK(takeAsked() == Lines{"refresh IBM"});
    // Those that have the item drop what they have, as the image does.
    refresh({{{25, 9}}}, RefreshFlag::complete);
    CHECK(take() == Lines{"0:5 RFSH Ok complete clear {25=9}", "1:9 RFSH Ok solicited complete clear {25=9}"});
    REQUIRE(join(c, 2));
    CHECK(take() == Lines{"2:2 RFSH Ok solicited complete clear {25=9}"});
    refresh({{{22, 3}}}, RefreshFlag::complete);
    CHECK(take().front() == "0:5 RFSH Ok complete {22=3}");  // now it is laid over it
}

TEST_CASE_METHOD(FlowFixture, "a DO_NOT_CACHE refresh is passed on and not kept") {
    Client &a = client(), &b = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}}}, kWhole | RefreshFlag::doNotCache);
    CHECK(take() == Lines{"0:5 RFSH Ok solicited complete clear {22=5}"});
    CHECK(item()->image == 0);
    (void)takeAsked();
    REQUIRE(join(b, 9));
    CHECK(take().empty());
    CHECK(takeAsked() == Lines{"refresh IBM"});
}

TEST_CASE_METHOD(FlowFixture, "a gap in the sequence makes the item suspect until a refresh fills it") {
    service.policy.seqNumGaps = true;
    Client& a = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}}});
    (void)take();
    (void)takeAsked();
    update({{{22, 6}}}, codec::UpdateFlag::seqNum, 10);
    update({{{22, 7}}}, codec::UpdateFlag::seqNum, 11);
    CHECK(take().size() == 2);
    update({{{22, 9}}}, codec::UpdateFlag::seqNum, 13);
    CHECK(take() == Lines{"0:5 Status Suspect/11"});
    CHECK(takeAsked() == Lines{"untrusted IBM"});
    refresh({{{22, 9}}});
    CHECK(take() == Lines{"0:5 RFSH Ok/34 complete clear {22=9}"});
    update({{{22, 10}}}, codec::UpdateFlag::seqNum, 14);
    CHECK(take() == Lines{"0:5 UPD {22=10}"});
}

TEST_CASE_METHOD(FlowFixture, "a NonStreaming refresh ends a stream for everybody") {
    Client &a = client(), &b = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}}});
    REQUIRE(join(b, 9));
    (void)take();
    refresh({{{22, 6}}}, kWhole, {codec::StreamState::nonStreaming, ok, 0, {}});
    CHECK(take() ==
          Lines{"0:5 RFSH NonStreaming/Ok complete clear {22=6}", "1:9 RFSH NonStreaming/Ok complete clear {22=6}"});
    CHECK(items.size() == 0);
    CHECK(a.mounts.empty());
}
