// States: who is told what, and what goes with it (hub.md 2.3, 4.3, 5.3).
#include "fixture.h"

using namespace emissary::test;
namespace eta = emissary::eta;
using Lines = std::vector<std::string>;

TEST_CASE_METHOD(FlowFixture, "a final status takes mounts, image and item along") {
    Client &a = client(), &b = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}}});
    REQUIRE(join(b, 9));
    (void)take();
    status({codec::StreamState::closed, suspect, 27, {}});
    CHECK(take() == Lines{"0:5 Status Closed/Suspect/27", "1:9 Status Closed/Suspect/27"});
    CHECK(items.size() == 0);
    CHECK(a.mounts.empty());
    CHECK(flow.store(service.id).images() == 0);
    CHECK(flow.counts().suspect == 0);
}

TEST_CASE_METHOD(FlowFixture, "clients that do not allow suspect data get ClosedRecover, the others stay") {
    Client &a = client(), &b = client(), &c = client();
    b.singleOpen = false;
    b.allowSuspectData = false;
    c.singleOpen = false;
    for (Client* each : {&a, &b, &c})
        REQUIRE(join(*each, 5));
    refresh({{{22, 5}}});
    (void)take();
    flow.suspect(*item(), 0, "lost");
    const Lines told = take();
    CHECK(std::set<std::string>(told.begin(), told.end()) ==
          std::set<std::string>{"0:5 Status Suspect", "1:5 Status Recover/Suspect", "2:5 Status Suspect"});
    CHECK(b.mounts.empty());
    CHECK(item()->mountCount == 2);
}

TEST_CASE_METHOD(FlowFixture, "those who hear groups are not told twice, and NoChange keeps the data state") {
    Client &a = client(), &b = client();
    b.hearsGroups = true;
    REQUIRE(join(a, 5));
    REQUIRE(join(b, 5));
    refresh({{{22, 5}}});
    (void)take();
    flow.changeState(*item(), {codec::StreamState::open, suspect, 3, {}}, flow::Tell::thoseWithoutGroups);
    CHECK(take() == Lines{"0:5 Status Suspect/3"});
    CHECK(flow.counts().suspect == 1);
    flow.changeState(*item(), {codec::StreamState::open, codec::DataState::noChange, 4, {}}, flow::Tell::nobody);
    CHECK(take().empty());
    CHECK(item()->dataState == suspect);
    CHECK(item()->code == 4);
    flow.changeState(*item(), {codec::StreamState::open, ok, 0, {}}, flow::Tell::everybody);
    CHECK(take().size() == 2);
    CHECK(flow.counts().suspect == 0);
    flow.changeState(*item(), {codec::StreamState::closedRecover, suspect, 0, {}}, flow::Tell::everybody);
    CHECK(take().size() == 2);
    CHECK(items.size() == 0);
}

TEST_CASE_METHOD(FlowFixture, "who comes while an item is parked hears what the others heard") {
    onWanted = [this](Item& i) {
        flow::ItemLife::apply(i, flow::Event::parked);
        flow.suspect(i, 15, "nobody serves it");
    };
    Client &a = client(), &b = client();
    REQUIRE(join(a, 5));
    CHECK(take() == Lines{"0:5 Status Suspect/15"});
    REQUIRE(join(b, 9));
    CHECK(take() == Lines{"1:9 Status Suspect/15"});
    flow::ItemLife::apply(*item(), flow::Event::requested);
    flow.bind(*item(), &source, 1);
    refresh({{{22, 5}}});
    const Lines got = take();
    CHECK(std::set<std::string>(got.begin(), got.end()) ==
          std::set<std::string>{"0:5 RFSH Ok solicited complete clear {22=5}",
                                "1:9 RFSH Ok solicited complete clear {22=5}"});
}

TEST_CASE_METHOD(FlowFixture, "an item closed from inside the supply's answer is no harm to the join that asked") {
    onWanted = [this](Item& i) { flow.close(i, {codec::StreamState::closed, suspect, 5, {}}); };
    Client& a = client();
    REQUIRE(join(a, 5));
    CHECK(take() == Lines{"0:5 Status Closed/Suspect/5"});
    CHECK(a.mounts.empty());
    CHECK(items.size() == 0);
}

TEST_CASE_METHOD(FlowFixture, "permissions, sequence number and poster are given to late joiners") {
    Client& a = client();
    REQUIRE(join(a, 5));
    refresh({{{22, 5}}});
    Msg m =
        message(codec::MsgClass::Update,
                codec::UpdateFlag::seqNum | codec::UpdateFlag::permData | codec::UpdateFlag::postUserInfo, {{{22, 6}}});
    m.seqNum = 77;
    m.permData = eta::asBytes("PE1");
    m.postUserAddress = 0x7F000001;
    m.postUserId = 9;
    flow.received(*item(), m);
    REQUIRE(item()->extras);
    CHECK(item()->seqNum == 77);
    CHECK(eta::asText(item()->extras->permData) == "PE1");
    CHECK(item()->extras->posted);
    update({{{22, 7}}});
    CHECK_FALSE(item()->extras->posted);  // the publisher's own update comes after the post
    CHECK(eta::asText(item()->extras->permData) == "PE1");
}
