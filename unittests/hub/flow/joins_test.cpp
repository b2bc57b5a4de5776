// Mounts that come, change and go: what is served from the image, and what the supply is asked for (hub.md 5.2, 5.5).
#include "fixture.h"

#include "hub/flow/Headers.h"

#include <algorithm>
#include <utility>

using namespace emissary::test;
using Lines = std::vector<std::string>;
namespace RefreshFlag = codec::RefreshFlag;

TEST_CASE_METHOD(FlowFixture, "the first mount has the source asked, the second gets the image at once") {
    Client &a = client(), &b = client();
    REQUIRE(join(a, 5));
    CHECK(takeAsked() == Lines{"wanted IBM"});
    CHECK(take().empty());
    refresh({{{22, 5}, {25, 7}}});
    CHECK(take() == Lines{"0:5 RFSH Ok solicited complete clear {22=5 25=7}"});
    update({{{22, 6}}});
    CHECK(take() == Lines{"0:5 UPD {22=6}"});
    REQUIRE(join(b, 9));
    CHECK(take() == Lines{"1:9 RFSH Ok solicited complete clear {22=6 25=7}"});
    CHECK(takeAsked().empty());
    update({{{25, 8}}});
    CHECK(take() == Lines{"0:5 UPD {25=8}", "1:9 UPD {25=8}"});
    CHECK(flow.counts().cacheHits == 1);
    CHECK(flow.counts().cacheMisses == 1);
}

TEST_CASE("without a cache the supply is asked for a refresh, and only the one who waits gets it") {
    FlowFixture f(CachePolicy::Rule::none);
    Client &a = f.client(), &b = f.client();
    REQUIRE(f.join(a, 5));
    f.refresh({{{22, 5}}});
    (void)f.take();
    (void)f.takeAsked();
    REQUIRE(f.join(b, 9));
    CHECK(f.takeAsked() == Lines{"refresh IBM"});
    f.update({{{22, 6}}});
    CHECK(f.take() == Lines{"0:5 UPD {22=6}"});  // no update before its refresh
    f.refresh({{{22, 6}}});
    CHECK(f.take() == Lines{"1:9 RFSH Ok solicited complete clear {22=6}"});
    f.update({{{22, 7}}});
    CHECK(f.take() == Lines{"0:5 UPD {22=7}", "1:9 UPD {22=7}"});
}

TEST_CASE_METHOD(FlowFixture, "a snapshot is answered as NonStreaming and goes; the last one to go ends the item") {
    Client &a = client(), &b = client();
    JoinRequest snapshot;
    snapshot.streaming = false;
    REQUIRE(join(a, 5));
    refresh({{{22, 5}}});
    (void)take();
    (void)takeAsked();
    REQUIRE(join(b, 9, "IBM", snapshot));
    CHECK(take() == Lines{"1:9 RFSH NonStreaming/Ok solicited complete clear {22=5}"});
    CHECK(b.mounts.empty());
    CHECK(takeAsked() == Lines{"changed IBM"});
    flow.leave(a, 5);
    CHECK(takeAsked() == Lines{"unwanted IBM"});
    CHECK(items.size() == 0);
    CHECK(flow.counts().mounts == 0);
    CHECK(service.counts.items[0].items == 0);
}

TEST_CASE_METHOD(FlowFixture, "who wants only a snapshot asks for no stream, and one who comes meanwhile asks again") {
    Client &a = client(), &b = client();
    JoinRequest snapshot;
    snapshot.streaming = false;
    REQUIRE(join(a, 5, "IBM", snapshot));
    CHECK(item()->is(Item::snapshotOnly));
    SECTION("alone") {
        refresh({{{22, 5}}}, kWhole, {codec::StreamState::nonStreaming, ok, 0, {}});
        CHECK(take() == Lines{"0:5 RFSH NonStreaming/Ok solicited complete clear {22=5}"});
        CHECK(takeAsked() == Lines{"wanted IBM", "unwanted IBM"});
        CHECK(items.size() == 0);
    }
    SECTION("with one who wants a stream") {
        REQUIRE(join(b, 9));
        refresh({{{22, 5}}}, kWhole, {codec::StreamState::nonStreaming, ok, 0, {}});
        CHECK(a.mounts.empty());
        REQUIRE(b.mounts.size() == 1);
        CHECK(takeAsked() == Lines{"wanted IBM", "wanted IBM"});
        CHECK(take() == Lines{"0:5 RFSH NonStreaming/Ok solicited complete clear {22=5}"});
        refresh({{{22, 6}}});
        CHECK(take() == Lines{"1:9 RFSH Ok solicited complete clear {22=6}"});
        CHECK_FALSE(item()->is(Item::snapshotOnly));
    }
}

TEST_CASE_METHOD(FlowFixture,
                 "a paused mount misses updates, and gets a refresh when it resumes only if it missed one") {
    Client& a = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}}});
    (void)take();
    flow.reissue(a, 5, {.wantsRefresh = false, .paused = true});
    flow.reissue(a, 5, {.wantsRefresh = false, .paused = false});
    CHECK(take().empty());
    flow.reissue(a, 5, {.wantsRefresh = false, .paused = true});
    update({{{22, 6}}});
    status({codec::StreamState::open, suspect, 3, {}});
    CHECK(take() == Lines{"0:5 Status Suspect/3"});
    status({codec::StreamState::open, ok, 0, {}});
    (void)take();
    flow.reissue(a, 5, {.wantsRefresh = false, .paused = false});
    CHECK(take() == Lines{"0:5 RFSH Ok complete clear {22=6}"});
    flow.reissue(a, 5, {.wantsRefresh = true, .paused = false});
    CHECK(take() == Lines{"0:5 RFSH Ok solicited complete clear {22=6}"});
    a.paused = true;
    update({{{22, 7}}});
    a.paused = false;
    settleAll(flow, a);
    CHECK(take() == Lines{"0:5 RFSH Ok complete clear {22=7}"});
}

TEST_CASE("without a cache the refresh that mends what was missed is unsolicited: nobody asked for it") {
    FlowFixture f(CachePolicy::Rule::none);
    Client &a = f.client(), &b = f.client();
    REQUIRE(f.join(a, 5));
    f.refresh({{{22, 5}}});
    REQUIRE(f.join(b, 9));
    f.refresh({{{22, 5}}});
    (void)f.take();
    (void)f.takeAsked();
    bool asks = false;
    SECTION("resumed without a refresh") {
        f.flow.reissue(a, 5, {.wantsRefresh = false, .paused = true, .view = {}});
        f.update({{{22, 6}}});
        f.flow.reissue(a, 5, {.wantsRefresh = false, .paused = false, .view = {}});
    }
    SECTION("the client leaves standby, or resumes all") {
        (GENERATE(false, true) ? a.paused : a.onStandby) = true;
        settleAll(f.flow, a);
        f.update({{{22, 6}}});
        a.paused = a.onStandby = false;
        settleAll(f.flow, a);
    }
    SECTION("who asks after all, while it waits, gets an answer") {
        asks = true;
        f.flow.reissue(a, 5, {.wantsRefresh = false, .paused = true, .view = {}});
        f.update({{{22, 6}}});
        f.flow.reissue(a, 5, {.wantsRefresh = false, .paused = false, .view = {}});
        f.flow.reissue(a, 5, {.wantsRefresh = true, .paused = false, .view = {}});
        f.flow.reissue(a, 5, {.wantsRefresh = false, .paused = false, .view = {}});
    }
    CHECK(f.take() == Lines{"1:9 UPD {22=6}"});
    CHECK(std::ranges::count(f.takeAsked(), "refresh IBM") >= 1);
    f.refresh({{{22, 7}}});
    CHECK(f.take() ==
          Lines{asks ? "0:5 RFSH Ok solicited complete clear {22=7}" : "0:5 RFSH Ok complete clear {22=7}"});
    f.refresh({{{22, 8}}}, FlowFixture::kWhole & ~RefreshFlag::solicited);
    CHECK(f.take().size() == 2);
}

TEST_CASE("without a cache a mount that has its image keeps its updates while it waits for another one") {
    FlowFixture f(CachePolicy::Rule::none);
    Client &a = f.client(), &b = f.client();
    REQUIRE(f.join(a, 5));
    f.refresh({{{22, 5}}});
    (void)f.take();
    f.flow.reissue(a, 5, {.wantsRefresh = true, .paused = false, .view = {}});
    REQUIRE(f.join(b, 9));
    f.update({{{22, 6}}});
    CHECK(f.take() == Lines{"0:5 UPD {22=6}"});
    f.flow.reissue(a, 5, {.wantsRefresh = false, .paused = true, .view = {}});
    f.update({{{22, 7}}});
    CHECK(f.take().empty());
    f.flow.reissue(a, 5, {.wantsRefresh = false, .paused = false, .view = {}});
    f.update({{{22, 8}}});
    CHECK(f.take().empty());  // behind a hole: the refresh comes first
    f.refresh({{{22, 8}}});
    Lines got = f.take();
    std::ranges::sort(got);  // who of the two is first says nothing
    CHECK(got == Lines{"0:5 RFSH Ok solicited complete clear {22=8}", "1:9 RFSH Ok solicited complete clear {22=8}"});
}

TEST_CASE_METHOD(FlowFixture, "NO_REFRESH: updates begin without an image on an open item") {
    Client &a = client(), &b = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}}});
    (void)take();
    JoinRequest quiet;
    quiet.noRefresh = true;
    REQUIRE(join(b, 9, "IBM", quiet));
    CHECK(take().empty());
    update({{{22, 6}}});
    CHECK(take() == Lines{"0:5 UPD {22=6}", "1:9 UPD {22=6}"});
}

TEST_CASE_METHOD(FlowFixture, "a private stream is nobody else's, and nothing of it is kept") {
    Client &a = client(), &b = client();
    JoinRequest own;
    own.isPrivate = true;
    Msg request;
    request.cls = codec::MsgClass::Request;
    request.streamId = 77;
    own.request = &request;
    REQUIRE(join(a, 5, "IBM", own));
    REQUIRE(join(b, 9, "IBM", own));
    CHECK(items.size() == 2);
    Item& first = *mounts.itemOf(a, 5);
    CHECK(&first != mounts.itemOf(b, 9));
    Msg m = message(codec::MsgClass::Refresh, kWhole | RefreshFlag::privateStream, {{{22, 1}}});
    flow.received(first, m);
    CHECK(take() == Lines{"0:5 RFSH Ok solicited complete clear {22=1}"});
    CHECK(first.image == 0);
    // It is told of the loss of its group by itself, so it is in none towards the client.
    number(first, 3);
    emissary::hub::flow::Headers headers;
    for (const std::byte one : headers.group(first))
        CHECK(one == std::byte{0});
    CHECK(headers.group(first).size() == 2);
    number(first, 0);
    Item& shared = *flow.take(service.id, 6, named("DELL"));
    number(shared, 3);
    CHECK(headers.group(shared).size() == 4);
    flow.erase(shared);
    Msg kept;
    REQUIRE(first.extras);
    REQUIRE(codec::decodeMsg(first.extras->request, kept).ok());
    CHECK(kept.streamId == 77);
    leaveAll(flow, a);
    leaveAll(flow, b);
    CHECK(items.size() == 0);
}

TEST_CASE_METHOD(FlowFixture,
                 "MaxItems of a service refuses new items and no others; a view goes back with its mount") {
    service.policy.maxItems = 1;
    Client& a = client();
    JoinRequest viewed;
    viewed.view = 4;
    REQUIRE(join(a, 5, "IBM", viewed));
    CHECK_FALSE(join(a, 6, "TRI"));
    CHECK(flow.counts().limit == 1);
    REQUIRE(join(a, 7, "IBM"));
    flow.reissue(a, 5, {.wantsRefresh = false, .paused = false, .view = 8});
    CHECK(released == std::vector<std::uint16_t>{4});
    leaveAll(flow, a);
    CHECK(released == std::vector<std::uint16_t>{4, 8});
    CHECK(items.size() == 0);
    REQUIRE(join(a, 5, "TRI"));
}

TEST_CASE_METHOD(FlowFixture, "priorities of all mounts count together until the last one leaves") {
    onUnwanted = [](Item&) {};
    Client& a = client();
    JoinRequest r;
    Msg request;
    request.cls = codec::MsgClass::Request;
    request.flags = codec::RequestFlag::priority;
    request.priorityClass = 4;
    request.priorityCount = 10;
    r.request = &request;
    REQUIRE(join(a, 5, "IBM", r));
    REQUIRE(join(a, 6));
    CHECK(item()->priorityClass() == 4);
    CHECK(item()->priorityCount() == 11);
    leaveAll(flow, a);
    REQUIRE(join(a, 6));
    CHECK(item()->priorityClass() == 1);
    CHECK(item()->priorityCount() == 1);
}
