// Posts applied to the images of published services (hub.md 7.2, 7.3).
#include "hub/post/fixture.h"

using namespace emissary;
using namespace emissary::test;
using codec::MsgClass;
using Lines = std::vector<std::string>;
namespace RefreshFlag = codec::RefreshFlag;
namespace StreamState = codec::StreamState;

namespace {

constexpr std::uint16_t kRights = codec::PostFlag::postUserRights;
constexpr std::uint16_t kPart = postId | ack | partNum;

/// A published service with item IBM (22 = 1), which anna watches on stream 5.
struct Published : PostFixture {
    Published() {
        published();
        onUnwanted = [](Item&) {};
        onWanted = [this](Item& i) {
            Msg m = message(MsgClass::Refresh, kWhole, {{{22, 1}}});
            flow.received(i, m);
        };
        REQUIRE(join(anna, 5));
        onWanted = [](Item&) {};
        out.clear();
    }
    /// What a late joiner gets.
    std::string image(std::string_view name = "IBM") {
        Lines kept = take();
        REQUIRE(join(bert, 99, name));
        const std::string got = out.empty() ? "nothing" : out.at(0);
        flow.leave(bert, 99);
        out = kept;
        return got.substr(std::min<std::size_t>(got.size(), 5));
    }
};

}  // namespace

TEST_CASE("each form of a post reaches all mounts, the poster's included, with its user", "[hub][post]") {
    Published f;
    REQUIRE(f.join(f.bert, 6));
    f.take();
    SECTION("an update inside keeps its type") {
        Msg m = f.inner(MsgClass::Update, {{{22, 5}}}, codec::UpdateFlag::doNotConflate);
        m.updateType = 2;
        CHECK(f.nakOf(f.anna, 5, {.inner = &m}) == -1);
        CHECK(f.take() == Lines{"0:5 UPD {22=5} by 4711@167772161", "1:6 UPD {22=5} by 4711@167772161"});
        CHECK(f.image() == "RFSH Ok solicited complete clear {22=5} by 4711@167772161");
    }
    SECTION("data without a message are an update") {
        CHECK(f.nakOf(f.anna, 5, {.fields = {{{25, 9}}}}) == -1);
        CHECK(f.take() == Lines{"0:5 UPD {25=9} by 4711@167772161", "1:6 UPD {25=9} by 4711@167772161"});
        CHECK(f.image() == "RFSH Ok solicited complete clear {22=1 25=9} by 4711@167772161");
    }
    SECTION("a refresh without CLEAR_CACHE adds to the image, one with it replaces it") {
        Msg m = f.inner(MsgClass::Refresh, {{{25, 9}}});
        CHECK(f.nakOf(f.anna, 5, {.inner = &m}) == -1);
        CHECK(f.take().at(0) == "0:5 RFSH Ok complete {25=9} by 4711@167772161");
        CHECK(f.image() == "RFSH Ok solicited complete clear {22=1 25=9} by 4711@167772161");
        m = f.inner(MsgClass::Refresh, {{{25, 10}}}, RefreshFlag::clearCache | RefreshFlag::solicited);
        CHECK(f.nakOf(f.anna, 5, {.inner = &m}) == -1);
        CHECK(f.take().at(0) == "0:5 RFSH Ok complete clear {25=10} by 4711@167772161");
        CHECK(f.image() == "RFSH Ok solicited complete clear {25=10} by 4711@167772161");
    }
    SECTION("a status is kept") {
        const Msg m = f.status(StreamState::open, codec::DataState::suspect);
        CHECK(f.nakOf(f.anna, 5, {.inner = &m}) == -1);
        CHECK(f.take().at(0) == "0:5 Status Suspect by 4711@167772161");
        CHECK(f.item()->dataState == codec::DataState::suspect);
    }
    SECTION("a final status ends the item") {
        const Msg m = f.status(StreamState::closed, codec::DataState::suspect);
        CHECK(f.nakOf(f.anna, 5, {.inner = &m}) == -1);
        CHECK(f.take() ==
              Lines{"0:5 Status Closed/Suspect by 4711@167772161", "1:6 Status Closed/Suspect by 4711@167772161"});
        CHECK(f.item() == nullptr);
        CHECK(f.anna.mounts.empty());
    }
    SECTION("the publisher's own update makes the image its own again") {
        CHECK(f.nakOf(f.anna, 5, {}) == -1);
        f.update({{{22, 6}}});
        CHECK(f.image() == "RFSH Ok solicited complete clear {22=6}");
    }
}

TEST_CASE("off-stream posts make items, or change those that are there", "[hub][post]") {
    Published f;
    Msg create = f.inner(MsgClass::Refresh, {{{22, 7}}});
    CHECK(f.nakOf(f.bert, 1, {.inner = &create, .name = "NEW"}) == -1);
    CHECK(f.acks.at(0) == "1:1 7 key NEW/3");
    CHECK(f.image("NEW") == "RFSH Ok solicited complete clear {22=7} by 4711@167772161");
    const Msg change = f.inner(MsgClass::Update, {{{22, 8}}});
    CHECK(f.nakOf(f.bert, 1, {.inner = &change, .name = "IBM"}) == -1);
    CHECK(f.take() == Lines{"0:5 UPD {22=8} by 4711@167772161"});
    SECTION("who waited for the item gets it as the answer to the request") {
        f.join(f.anna, 8, "LATER");
        CHECK(f.take().empty());
        CHECK(f.nakOf(f.bert, 1, {.inner = &create, .name = "LATER"}) == -1);
        CHECK(f.take() == Lines{"0:8 RFSH Ok solicited complete clear {22=8} by 4711@167772161"});
    }
}

TEST_CASE("posts that are refused change nothing, row by row", "[hub][post]") {
    Published f;
    const std::string before = f.image();
    Msg update = f.inner(MsgClass::Update), refresh = f.inner(MsgClass::Refresh);
    SECTION("the item does not exist") {
        CHECK(f.nakOf(f.anna, 1, {.inner = &update, .name = "NONE"}) == 10);
        const Msg status = f.status(StreamState::open, codec::DataState::ok);
        CHECK(f.nakOf(f.anna, 1, {.inner = &status, .name = "NONE"}) == 10);
        CHECK(f.nakOf(f.anna, 1, {.name = "NONE"}) == 10);
        f.join(f.bert, 6, "ASKED");  // somebody waits for it, and nobody has made it
        CHECK(f.nakOf(f.anna, 1, {.inner = &update, .name = "ASKED"}) == 10);
        CHECK(f.nakOf(f.bert, 6, {.inner = &update}) == 11);
    }
    SECTION("rights") {
        CHECK(f.nakOf(f.anna, 1,
                      {.flags = postId | complete | ack | kRights, .rights = 6, .inner = &refresh, .name = "NONE"}) ==
              1);
        CHECK(f.item("NONE") == nullptr);
        const Msg close = f.status(StreamState::closed, codec::DataState::suspect);
        CHECK(f.nakOf(f.anna, 5, {.flags = postId | complete | ack | kRights, .rights = 5, .inner = &close}) == 1);
        refresh.state.stream = StreamState::closed;
        CHECK(f.nakOf(f.anna, 5, {.flags = postId | complete | ack | kRights, .rights = 5, .inner = &refresh}) == 1);
        CHECK(f.nakOf(f.anna, 5, {.flags = postId | complete | ack | kRights, .rights = 3, .permData = "perm"}) == 1);
        update.flags |= codec::UpdateFlag::permData;
        update.permData = eta::asBytes(std::string_view("perm"));
        CHECK(f.nakOf(f.anna, 5, {.flags = postId | complete | ack | kRights, .rights = 3, .inner = &update}) == 1);
    }
    SECTION("rights of the service hold for everybody, whatever the post says") {
        const Msg close = f.status(StreamState::closed, codec::DataState::suspect);
        f.service.policy.postRights = PostRight::modifyPermissions;
        CHECK(f.nakOf(f.anna, 1, {.inner = &refresh, .name = "NONE"}) == 1);
        CHECK(f.nakOf(f.anna, 5, {.inner = &close}) == 1);
        CHECK(f.nakOf(f.anna, 5, {.flags = postId | complete | ack | kRights, .rights = 7, .inner = &close}) == 1);
        f.service.policy.postRights = PostRight::create | PostRight::erase;
        CHECK(f.nakOf(f.anna, 5, {.permData = "perm"}) == 1);
        f.service.policy.posts = false;
        CHECK(f.nakOf(f.anna, 5, {.inner = &update}) == 1);
        CHECK(f.posts->posts(Nak::accessDenied) == 5);
        CHECK(f.loop.metrics().prometheus().find("emissary_hub_posts_total{") != std::string::npos);
    }
    SECTION("another type of payload") {
        Msg list = f.message(MsgClass::Update, 0, {{{22, 5}}});
        list.containerType = codec::DataType::ElementList;
        list.payload = {};
        CHECK(f.nakOf(f.anna, 5, {.inner = &list}) == 12);
        list.cls = MsgClass::Refresh;
        list.groupId = {};
        list.flags = RefreshFlag::complete;
        CHECK(f.nakOf(f.anna, 5, {.inner = &list}) == 12);
    }
    SECTION("messages that no post carries") {
        Msg generic;
        generic.cls = MsgClass::Generic;
        CHECK(f.nakOf(f.anna, 5, {.inner = &generic}) == 12);
        Msg impossible = f.status(9, 2);
        CHECK(f.nakOf(f.anna, 5, {.inner = &impossible}) == 12);
    }
    SECTION("a key inside that is another item's, off-stream") {
        update.flags |= codec::UpdateFlag::msgKey;
        update.key = f.named("OTHER");
        CHECK(f.nakOf(f.anna, 1, {.inner = &update, .name = "IBM"}) == 12);
        update.key = f.named("IBM");
        update.key.flags |= codec::KeyFlag::serviceId;
        update.key.serviceId = 4;
        CHECK(f.nakOf(f.anna, 1, {.inner = &update, .name = "IBM"}) == 12);
    }
    SECTION("the service is down") {
        f.service.merged.state.up = false;
        CHECK(f.nakOf(f.anna, 5, {}) == 3);
        CHECK(f.nakOf(f.anna, 1, {.name = "IBM"}) == 3);
    }
    SECTION("the service is full") {
        f.service.policy.maxItems = 1;
        CHECK(f.nakOf(f.anna, 1, {.inner = &refresh, .name = "NONE"}) == 5);
    }
    CHECK(f.take().empty());
    CHECK(f.image() == before);
}

TEST_CASE("on a stream the item of the stream counts, whatever the key inside says", "[hub][post]") {
    Published f;
    Msg m = f.inner(MsgClass::Update, {{{22, 5}}}, codec::UpdateFlag::msgKey);
    m.key = f.named("OTHER");
    CHECK(f.nakOf(f.anna, 5, {.inner = &m}) == -1);
    CHECK(f.take() == Lines{"0:5 UPD {22=5} by 4711@167772161"});
}

TEST_CASE("permissions are kept and sent when the poster may change them", "[hub][post]") {
    Published f;
    CHECK(f.nakOf(f.anna, 5, {.permData = "perm"}) == -1);
    REQUIRE(f.item()->extras);
    CHECK(eta::asText(f.item()->extras->permData) == "perm");
}

TEST_CASE("a truncated payload is never applied by halves", "[hub][post][faults]") {
    Published f;
    const std::string before = f.image();
    const bool nested = GENERATE(false, true);
    const Msg m = f.inner(nested ? MsgClass::Refresh : MsgClass::Update, {{{22, 300}, {25, 70'000}, {30, 2}}});
    const FlowFixture::Fields bare{{{22, 300}, {25, 70'000}, {30, 2}}};
    const std::size_t size =
        nested ? f.build(5, {.inner = &m}).payload.size() : f.build(5, {.fields = bare}).payload.size();
    // A field list without any byte is an empty one (rwf.md 3.2): nothing to apply.
    for (std::size_t cut = 1; cut < size; ++cut) {
        INFO(cut << " of " << size);
        const int nak =
            nested ? f.nakOf(f.anna, 5, {.inner = &m, .cut = cut}) : f.nakOf(f.anna, 5, {.fields = bare, .cut = cut});
        // Without its payload a nested message is whole, and an empty refresh changes no field.
        if (nak == -1) CHECK(f.image().find("{22=1}") != std::string::npos);
        else CHECK(nak == 12);
    }
    CHECK(f.image().find("{22=1}") != std::string::npos);
    CHECK(before.find("{22=1}") != std::string::npos);
    CHECK((nested ? f.nakOf(f.anna, 5, {.inner = &m}) : f.nakOf(f.anna, 5, {.fields = bare})) == -1);
    CHECK(f.image().find("{22=300 25=70000 30=2}") != std::string::npos);
}

TEST_CASE("a refresh in several parts shows when its last part has come", "[hub][post]") {
    Published f;
    const auto part = [&](std::uint16_t n, std::uint64_t value, bool last, std::uint32_t id = 7) {
        const Msg m = f.inner(MsgClass::Refresh, {{{static_cast<std::int16_t>(30 + n), value}}});
        return f.nakOf(
            f.anna, 5,
            {.id = id, .flags = static_cast<std::uint16_t>(kPart | (last ? complete : 0)), .part = n, .inner = &m});
    };
    CHECK(part(0, 1, false) == -1);
    CHECK(part(1, 2, false) == -1);
    CHECK(f.take().empty());
    CHECK(f.image().find("{22=1}") != std::string::npos);
    SECTION("complete") {
        CHECK(part(2, 3, true) == -1);
        CHECK(f.take() == Lines{"0:5 RFSH Ok part0 {30=1} by 4711@167772161",
                                "0:5 RFSH Ok part1 {31=2} by 4711@167772161",
                                "0:5 RFSH Ok complete part2 {32=3} by 4711@167772161"});
        CHECK(f.image().find("{22=1 30=1 31=2 32=3}") != std::string::npos);
        CHECK(f.posts->counts().open == 0);
    }
    SECTION("a part is missing: none of it is applied, and the post is over") {
        CHECK(part(3, 9, true) == 12);
        CHECK(part(2, 9, true) == 12);
        CHECK(f.take().empty());
        CHECK(f.image().find("{22=1}") != std::string::npos);
    }
    SECTION("a first part begins anew") {
        CHECK(part(0, 8, false) == -1);
        CHECK(part(1, 9, true) == -1);
        CHECK(f.image().find("{22=1 30=8 31=9}") != std::string::npos);
    }
    SECTION("two posts at a time do not mix") {
        CHECK(part(0, 70, false, 8) == -1);
        CHECK(part(2, 3, true) == -1);
        CHECK(part(1, 71, true, 8) == -1);
        CHECK(f.image().find("{22=1 30=70 31=71 32=3}") != std::string::npos);
    }
    SECTION("a part that is no refresh") {
        CHECK(f.nakOf(f.anna, 5, {.flags = kPart | complete, .part = 2}) == 12);
        CHECK(f.take().empty());
    }
    SECTION("a part that cannot be decoded") {
        const Msg m = f.inner(MsgClass::Refresh, {{{32, 300}}});
        CHECK(f.nakOf(f.anna, 5, {.flags = kPart | complete, .part = 2, .inner = &m, .cut = 1}) == 12);
        CHECK(f.take().empty());
        CHECK(f.posts->counts().open == 0);
    }
    SECTION("the client goes") {
        f.posts->onClientGone(f.anna);
        CHECK(f.posts->counts().open == 0);
    }
}

TEST_CASE("update parts are applied at once", "[hub][post]") {
    Published f;
    CHECK(f.nakOf(f.anna, 5, {.flags = kPart, .part = 0, .fields = {{{30, 1}}}}) == -1);
    CHECK(f.take() == Lines{"0:5 UPD {30=1} by 4711@167772161"});
    CHECK(f.nakOf(f.anna, 5, {.flags = kPart | complete, .part = 1, .fields = {{{31, 2}}}}) == -1);
    CHECK(f.take() == Lines{"0:5 UPD {31=2} by 4711@167772161"});
}

TEST_CASE("unfinished posts are bounded in number and in bytes", "[hub][post]") {
    Published f;
    f.options.maxOutstanding = 2;
    f.options.maxPartBytes = 400;
    f.start();
    const Msg m = f.inner(MsgClass::Refresh, {{{30, 1}}});
    CHECK(f.nakOf(f.anna, 5, {.id = 1, .flags = kPart, .inner = &m}) == -1);
    CHECK(f.nakOf(f.anna, 5, {.id = 2, .flags = kPart, .inner = &m}) == -1);
    CHECK(f.nakOf(f.anna, 5, {.id = 3, .flags = kPart, .inner = &m}) == 5);
    int nak = -1;
    for (std::uint16_t n = 1; n < 20 && nak == -1; ++n)
        nak = f.nakOf(f.anna, 5, {.id = 1, .flags = kPart, .part = n, .inner = &m});
    CHECK(nak == 5);
    CHECK(f.posts->counts().open == 1);
    CHECK(f.take().empty());
    // Whoever knows that no more comes says so, and there is room.
    f.posts->onPostGivenUp(f.anna, 5, 99);
    CHECK(f.posts->counts().open == 1);
    f.posts->onPostGivenUp(f.anna, 5, 2);
    CHECK(f.posts->counts().open == 0);
    CHECK(f.nakOf(f.anna, 5, {.id = 2, .flags = kPart, .part = 1, .inner = &m}) == 12);
}

TEST_CASE("what a client leaves unfinished goes with it, and with nobody else", "[hub][post]") {
    Published f;
    REQUIRE(f.join(f.bert, 6));
    const Msg m = f.inner(MsgClass::Refresh, {{{30, 1}}});
    f.posts->onPostGivenUp(f.bert, 6, 1);  // it has never begun one
    for (const std::uint32_t id : {1u, 2u}) {
        CHECK(f.nakOf(f.anna, 5, {.id = id, .flags = kPart, .inner = &m}) == -1);
        CHECK(f.nakOf(f.bert, 6, {.id = id, .flags = kPart, .inner = &m}) == -1);
    }
    CHECK(f.posts->counts().open == 4);
    f.posts->onClientGone(f.anna);
    CHECK(f.posts->counts().open == 2);
    f.posts->onClientGone(f.anna);
    CHECK(f.posts->counts().open == 2);
    CHECK(f.nakOf(f.anna, 5, {.id = 1, .flags = kPart, .part = 1, .inner = &m}) == 12);
    CHECK(f.nakOf(f.bert, 6, {.id = 1, .flags = kPart, .part = 1, .inner = &m}) == -1);
    f.posts->onPostGivenUp(f.bert, 6, 1);
    f.posts->onPostGivenUp(f.bert, 6, 2);
    CHECK(f.posts->counts().open == 0);
}

TEST_CASE("records give way by age", "[hub][post][records]") {
    Published f;
    const Msg create = f.inner(MsgClass::Refresh, {{{22, 7}}});
    const auto make = [&](std::string_view name) { return f.nakOf(f.bert, 1, {.inner = &create, .name = name}); };
    SECTION("DropOldest: the one that was left unchanged longest") {
        f.service.policy.maxItems = 3;
        f.service.policy.dropOldest = true;
        CHECK(make("A") == -1);
        CHECK(make("B") == -1);
        CHECK(f.nakOf(f.bert, 1, {.name = "A"}) == -1);  // A is younger than B now
        CHECK(make("C") == -1);
        CHECK(f.item("A") != nullptr);
        CHECK(f.item("B") == nullptr);
        CHECK(f.item("C") != nullptr);
        CHECK(f.records.counts().dropped == 1);
    }
    SECTION("ExpireAfter: what nothing changes") {
        f.service.policy.expireAfter = std::chrono::seconds(60);
        CHECK(make("A") == -1);
        f.join(f.anna, 8, "A");
        f.take();
        f.wait(std::chrono::seconds(40));
        CHECK(make("B") == -1);
        f.wait(std::chrono::milliseconds(19'999));
        CHECK(f.item("A") != nullptr);
        f.wait(std::chrono::milliseconds(2));
        CHECK(f.item("A") == nullptr);
        CHECK(f.take() == Lines{"0:8 Status Closed/Suspect/1"});
        CHECK(f.item("B") != nullptr);
        CHECK(f.nakOf(f.bert, 1, {.name = "B"}) == -1);
        f.wait(std::chrono::seconds(45));
        CHECK(f.item("B") != nullptr);
        f.wait(std::chrono::seconds(16));
        CHECK(f.item("B") == nullptr);
        CHECK(f.item("IBM") != nullptr);  // it was there before the limit, and nothing was posted to it
        CHECK(f.records.counts().expired == 2);
    }
}

TEST_CASE("what posts make is bounded: one image, a user's, all of it", "[hub][post][records]") {
    Published f;
    f.anna.user = "anna";
    f.bert.user = "bert";
    using post::PostedItems;
    constexpr std::uint64_t kOne = PostedItems::kOfItem + 100;  // with a small image
    const auto big = [](std::size_t fields) {
        FlowFixture::Fields all;
        for (std::size_t i = 0; i < fields; ++i)
            all.list.emplace_back(static_cast<std::int16_t>(100 + i), 0x0102030405060708u);
        return all;
    };
    const Msg create = f.inner(MsgClass::Refresh, {{{22, 7}}});
    const auto make = [&](Client& c, std::string_view name) { return f.nakOf(c, 1, {.inner = &create, .name = name}); };
    SECTION("one image, at once or bit by bit") {
        f.options.made = {1000, 0, 0};
        f.start();
        const Msg large = f.inner(MsgClass::Refresh, big(200));
        CHECK(f.nakOf(f.anna, 1, {.inner = &large, .name = "L"}) == 5);
        CHECK(f.item("L") == nullptr);
        const Msg small = f.inner(MsgClass::Refresh, {{{22, 7}}});
        CHECK(f.nakOf(f.anna, 1, {.inner = &small, .name = "S"}) == -1);
        // The same fields again and again are no larger image.
        for (int i = 0; i < 300; ++i)
            REQUIRE(f.nakOf(f.anna, 1, {.fields = {{{22, 9}, {25, 1}}}, .name = "S"}) == -1);
        int nak = -1, taken = 0;
        for (std::int16_t id = 1000; id < 2000 && nak == -1; id = static_cast<std::int16_t>(id + 10)) {
            FlowFixture::Fields more;
            for (std::int16_t n = 0; n < 10; ++n)
                more.list.emplace_back(static_cast<std::int16_t>(id + n), 0x0102030405060708u);
            nak = f.nakOf(f.anna, 1, {.fields = more, .name = "S"});
            if (nak == -1) ++taken;
        }
        CHECK(nak == 5);
        CHECK(taken >= 5);
        CHECK(f.flow.store(3).maxSize(f.item("S")->image) <= 1000);
    }
    SECTION("of one user") {
        f.options.made = {0, 3 * kOne, 0};
        f.start();
        CHECK(make(f.anna, "A") == -1);
        CHECK(make(f.anna, "B") == -1);
        CHECK(make(f.anna, "C") == -1);
        CHECK(make(f.anna, "D") == 5);
        CHECK(f.item("D") == nullptr);
        CHECK(make(f.anna, "A") == -1);  // it has it
        CHECK(make(f.bert, "D") == -1);  // somebody else
        // What goes makes room, however it goes.
        const Msg end = PostFixture::status(codec::StreamState::closed, suspect);
        CHECK(f.nakOf(f.anna, 1, {.inner = &end, .name = "B"}) == -1);
        CHECK(f.item("B") == nullptr);
        CHECK(make(f.anna, "E") == -1);
        CHECK(make(f.anna, "F") == 5);
        PostedTo publisher("pub", Source::kPublisher);
        f.flow.bind(*f.item("A"), &publisher, 1);  // it is the publisher's from here on
        CHECK(make(f.anna, "F") == -1);
        f.flow.bind(*f.item("A"), nullptr, 0);  // the publisher ends first
    }
    SECTION("of all users") {
        f.options.made = {0, 0, 2 * kOne};
        f.start();
        CHECK(make(f.anna, "A") == -1);
        CHECK(make(f.bert, "B") == -1);
        CHECK(make(f.anna, "C") == 5);
        CHECK(make(f.bert, "C") == 5);
    }
    SECTION("ExpirePosted: what only posts have made, and not what a publisher has") {
        f.service.policy.expirePosted = std::chrono::seconds(60);
        f.options.made = {0, 2 * kOne, 0};
        f.start();
        CHECK(make(f.anna, "A") == -1);
        CHECK(make(f.anna, "B") == -1);
        PostedTo publisher("pub", Source::kPublisher);
        f.flow.bind(*f.item("B"), &publisher, 1);
        f.wait(std::chrono::seconds(40));
        CHECK(make(f.anna, "C") == -1);
        f.wait(std::chrono::seconds(21));
        CHECK(f.item("A") == nullptr);
        CHECK(f.item("B") != nullptr);
        CHECK(f.item("C") != nullptr);
        CHECK(make(f.anna, "D") == -1);  // there is room again
        f.wait(std::chrono::seconds(61));
        CHECK(f.item("C") == nullptr);
        CHECK(f.item("D") == nullptr);
        CHECK(f.records.counts().expired == 3);
        CHECK(f.item("IBM") != nullptr);
        f.flow.bind(*f.item("B"), nullptr, 0);
    }
}

TEST_CASE("posts go on to the publisher where that is wanted", "[hub][post]") {
    Published f;
    PostedTo publisher("pub", Source::kPublisher);
    f.flow.bind(*f.item(), &publisher, 1);
    CHECK(f.nakOf(f.anna, 5, {}) == -1);
    CHECK(publisher.got.empty());
    f.service.policy.forwardPosts = true;
    CHECK(f.nakOf(f.anna, 5, {}) == -1);
    REQUIRE(publisher.got.size() == 1);
    CHECK(publisher.got[0] ==
          "IBM " + std::to_string(publisher.ids[0]) + " complete");  // no ack: it is applied already
    CHECK(f.nakOf(f.anna, 5, {.cut = 1}) == 12);
    CHECK(publisher.got.size() == 1);
    f.flow.bind(*f.item(), nullptr, 0);
}
