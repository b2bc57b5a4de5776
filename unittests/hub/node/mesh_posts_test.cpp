// Posts on items of other hubs: what the source gets, what the client hears, and what becomes of them when a hub goes.
#include "hub/audit/lines.h"
#include "hub/backbone/Backbone.h"
#include "hub/backbone/records.h"
#include "hub/nats/NatsServer.h"
#include "meshed.h"
#include "reactor/json/fixture.h"

#include <array>
#include <filesystem>
#include <random>
#include <set>

using namespace emissary;
using namespace emissary::test;
using json_test::Json;
namespace PostFlag = codec::PostFlag;

namespace {

/// An owner and an edge that know each other.
struct Posting : Meshed {
    HubFixture &owner, &edge;

    explicit Posting(const std::string& server = {}, const std::function<void(HubSettings&)>& with = {})
        : owner(first(server, with)), edge(add("edge", Role::edge)) {
        if (owner.hub->settings().sources.empty()) return;
        owner.connected();
        edge.connected();
    }
    HubFixture& first(const std::string& server, const std::function<void(HubSettings&)>& with) {
        natsServer = server;
        // Twice what other tests have: a busy machine is to be no lost hub.
        change = [with](HubSettings& s) {
            s.mesh.heartbeat = 250ms;
            if (with) with(s);
        };
        return add("owner", Role::owner);
    }
    /// A post that the owner's provider has got.
    [[nodiscard]] RawProvider::Got posted() {
        for (;;) {
            auto got = owner.asked();
            if (got.msg.cls == MsgClass::Post) return got;
        }
    }
    void ack(const RawProvider::Got& post, std::uint8_t nak = 0, std::string_view text = {}) {
        Msg m;
        m.cls = MsgClass::Ack;
        m.domain = post.msg.domain;
        m.streamId = post.msg.streamId;
        m.ackId = post.msg.postId;
        if (post.msg.hasSeqNum()) {
            m.flags |= codec::AckFlag::seqNum;
            m.seqNum = post.msg.seqNum;
        }
        if (nak != 0) {
            m.flags |= codec::AckFlag::nakCode | codec::AckFlag::text;
            m.nakCode = nak;
            m.text = eta::asBytes(text);
        }
        owner.provider.send(m);
    }
};

[[nodiscard]] Msg farPost(HubFixture& f, std::int32_t stream, std::uint32_t id, std::uint64_t bid,
                          std::string_view offStream = {}) {
    Msg m;
    m.cls = MsgClass::Post;
    m.domain = 6;
    m.streamId = stream;
    m.flags = PostFlag::ack | PostFlag::postId | PostFlag::complete;
    m.postId = id;
    m.postUserAddress = 0x0A090807;
    m.postUserId = 77;
    if (!offStream.empty()) {
        m.flags |= PostFlag::msgKey;
        m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
        m.key.serviceId = HubFixture::kId;
        m.key.name = eta::asBytes(offStream);
    }
    f.fill(m, bid);
    return m;
}

[[nodiscard]] Received farAck(Far& c) {
    for (;;) {
        Received got = c.wire.next();
        if (got.msg.cls == MsgClass::Ack) return got;
        c.take(got);
    }
}

void checkAck(const Received& got, std::int32_t stream, std::uint32_t id, int nak = 0, std::string_view text = {}) {
    CHECK(got.msg.streamId == stream);
    CHECK(got.msg.ackId == id);
    CHECK(int{got.msg.has(codec::AckFlag::nakCode) ? got.msg.nakCode : std::uint8_t{0}} == nak);
    if (!text.empty()) CHECK(std::string(eta::asText(got.msg.text)) == text);
}

/// A client of the edge with IBM open, at 10.
struct FarPoster : Far {
    FarPoster(Posting& p, const std::string& user, bool asks = true) : Far(p.edge, user) {
        open();
        if (asks) at = Meshed::asked(p.owner), p.owner.refresh(at, 10);
        until(10);
    }
    std::int32_t at = 0;  ///< the item's stream at the provider
};

constexpr std::string_view kLost = "the hub that has the source is gone; it is not known whether it took the post";
constexpr std::string_view kUnreached = "no hub that has the source of this item can be reached";

}  // namespace

TEST_CASE("a post on an item of another hub goes to its source, and the answer comes back",
          "[hub][node][mesh][posts]") {
    Posting p;
    FarPoster c(p, "far");
    Msg m = farPost(p.edge, 5, 3, 11);
    m.flags |= PostFlag::seqNum;
    m.seqNum = 9;
    c.wire.send(m);
    auto got = p.posted();
    CHECK(got.msg.streamId == c.at);
    CHECK(got.msg.postUserAddress == 0x0A090807);
    CHECK(got.msg.postUserId == 77);
    CHECK(got.msg.seqNum == 9);
    CHECK(HubFixture::fields(got.msg) == "1=11");
    p.ack(got);
    Received ack = farAck(c);
    checkAck(ack, 5, 3);
    CHECK(ack.msg.seqNum == 9);
    CHECK_FALSE(ack.msg.hasKey());
    c.wire.send(farPost(p.edge, 5, 4, 12));
    p.ack(p.posted(), 11, "closed for lunch");
    checkAck(farAck(c), 5, 4, 11, "closed for lunch");
    // What the source makes of it comes as any update does.
    p.owner.update(c.at, 12);
    c.until(12);
    CHECK(Meshed::metric(p.edge, "emissary_hub_mesh_posts_out_total") == 2);
    CHECK(Meshed::metric(p.owner, "emissary_hub_mesh_posts_in_total") == 2);
    CHECK(Meshed::metric(p.edge, "emissary_hub_mesh_posts_waiting") == 0);
    CHECK(Meshed::metric(p.owner, "emissary_hub_mesh_posts_held") == 0);
}

TEST_CASE("a post off-stream goes to the hub that has the source, with or without a key in its ack",
          "[hub][node][mesh][posts]") {
    Posting p;
    Far c(p.edge, "far", 5);
    c.wire.send(farPost(p.edge, 1, 21, 15, "MSFT"));
    const auto got = p.posted();
    CHECK(got.name() == "MSFT");
    CHECK(got.msg.postUserId == 77);
    p.ack(got);
    const Received ack = farAck(c);
    checkAck(ack, 1, 21);
    CHECK(ack.name() == "MSFT");
    CHECK(ack.msg.key.serviceId == HubFixture::kId);
    // Nobody asked for an ack: it is handed on all the same.
    Msg quiet = farPost(p.edge, 1, 22, 16, "MSFT");
    quiet.flags &= static_cast<std::uint16_t>(~PostFlag::ack);
    c.wire.send(quiet);
    CHECK(HubFixture::fields(p.posted().msg) == "1=16");
    // A key that the mesh cannot carry.
    Msg more = farPost(p.edge, 1, 23, 17, "MSFT");
    more.key.flags |= codec::KeyFlag::identifier;
    more.key.identifier = 5;
    c.wire.send(more);
    checkAck(farAck(c), 1, 23, 12);
    // A service that there is not.
    Msg none = farPost(p.edge, 1, 24, 17, "MSFT");
    none.key.serviceId = 999;
    c.wire.send(none);
    checkAck(farAck(c), 1, 24, 4);
}

TEST_CASE("a JSON client posts to an item of another hub", "[hub][node][mesh][posts][json]") {
    Posting p;
    TextClient c(webSocketTo(p.edge.hub->port()), [&] { p.edge.turn(); });
    c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
    CHECK(c.next("Domain", "Login").at("State").at("Stream").text == "Open");
    c.send(R"({"ID":5,"Key":{"Name":"IBM","Service":"DIRECT_FEED"}})");
    const std::int32_t stream = Meshed::asked(p.owner);
    p.owner.refresh(stream, 10);
    while (c.next("ID", "5").at("Type").text != "Refresh") {}
    c.send(R"({"ID":5,"Type":"Post","Ack":true,"PostID":31,"PostUserInfo":{"Address":"10.9.8.7","UserID":77},)"
           R"("Fields":{"PROD_PERM":41}})");
    auto got = p.posted();
    CHECK(HubFixture::fields(got.msg) == "1=41");
    CHECK(got.msg.postUserId == 77);
    p.ack(got);
    const auto answer = [&](const char* id) {
        for (;;) {
            Json said = c.next("ID", id);
            if (said.at("Type").text == "Ack") return said;
        }
    };
    Json ack = answer("5");
    CHECK(ack.at("AckID").text == "31");
    CHECK(ack.find("NakCode") == nullptr);
    c.send(R"({"ID":1,"Type":"Post","Domain":"MarketPrice","Ack":true,"PostID":32,)"
           R"("Key":{"Name":"MSFT","Service":"DIRECT_FEED"},)"
           R"("PostUserInfo":{"Address":"10.9.8.7","UserID":77},"Fields":{"PROD_PERM":42}})");
    got = p.posted();
    CHECK(got.name() == "MSFT");
    p.ack(got, 2, "not yours");
    ack = answer("1");
    CHECK(ack.at("AckID").text == "32");
    CHECK(ack.at("NakCode").text == "DeniedBySrc");
    CHECK(ack.at("Text").text == "not yours");
    c.send(R"({"ID":5,"Type":"Post","Ack":true,"PostID":33,"Fields":{"PROD_PERM":43}})");
    static_cast<void>(p.posted());
    p.mesh.cut("owner");
    ack = answer("5");
    CHECK(ack.at("AckID").text == "33");
    CHECK(ack.at("NakCode").text == "NoResponse");
    CHECK(ack.at("Text").text == kLost);
}

TEST_CASE("posts make and change images of publishers at another hub, as those of its own clients do",
          "[hub][node][mesh][posts]") {
    // Numbers of the service differ: the message inside a post names the one of its hub.
    Posting p({}, [](HubSettings& s) {
        s.sources.clear();
        if (s.name == "edge") s.services[0].serviceId = 75;
    });
    Publisher pub(p.owner, 0, "DIRECT_FEED");
    pub.refresh(-1, "IBM", 10);
    p.edge.until([&] {
        const Service* const s = p.edge.hub->rooms().services.find(std::string_view("DIRECT_FEED"));
        return s != nullptr && s->mesh.usable();
    });
    Far c(p.edge, "far");
    c.wire.send(RawConsumer::request(5, 6, "IBM", std::uint16_t{75}));
    c.until(10);
    Far near(p.owner, "near");
    near.open();
    near.until(10);
    c.wire.send(farPost(p.edge, 5, 1, 11));
    checkAck(farAck(c), 5, 1);
    c.until(11);
    near.until(11);
    // A new item, off-stream, by a refresh inside the post.
    reactor::GrowingBuffer nested;
    const auto refreshPost = [&](std::uint32_t id, std::string_view name, std::uint16_t inner) {
        Msg image = RawProvider::refresh(0, StreamState::open, false);
        image.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache;
        image.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
        image.key.serviceId = inner;
        image.key.name = eta::asBytes(name);
        p.edge.fill(image, 60);
        REQUIRE(codec::encodeMsg(nested.start(), image).ok());
        Msg m = farPost(p.edge, 1, id, 0, name);
        m.key.serviceId = 75;
        m.containerType = codec::DataType::Msg;
        m.payload = nested.view();
        c.wire.send(m);
    };
    refreshPost(2, "NEW.X", 75);
    checkAck(farAck(c), 1, 2);
    Far late(p.owner, "late", 6);
    late.open("NEW.X");
    late.until(60);
    refreshPost(3, "NEW.Y", 74);
    checkAck(farAck(c), 1, 3, 12, "the message inside the post names another service than the post");
    // An update of what is not there.
    Msg unknown = farPost(p.edge, 1, 4, 12, "NO.SUCH");
    unknown.key.serviceId = 75;
    c.wire.send(unknown);
    checkAck(farAck(c), 1, 4, 10, "there is no such item");
}

TEST_CASE("a poster has no more rights at another hub than at its own", "[hub][node][mesh][posts]") {
    Posting p({}, [](HubSettings& s) {
        s.sources.clear();
        if (s.name == "edge") s.services[0].postRights = PostRight::erase;
    });
    Publisher pub(p.owner, 0, "DIRECT_FEED");
    pub.refresh(-1, "IBM", 10);
    Far c(p.edge, "far"), near(p.owner, "near");
    p.edge.until([&] {
        const Service* const s = p.edge.hub->rooms().services.find(HubFixture::kId);
        return s != nullptr && s->mesh.usable();
    });
    reactor::GrowingBuffer nested;
    Msg image = RawProvider::refresh(0, StreamState::open, false);
    p.edge.fill(image, 60);
    REQUIRE(codec::encodeMsg(nested.start(), image).ok());
    Msg m = farPost(p.edge, 1, 2, 0, "NEW.X");
    m.containerType = codec::DataType::Msg;
    m.payload = nested.view();
    c.wire.send(m);
    checkAck(farAck(c), 1, 2, 1, "the poster may not create items");
    // What the post itself says counts as well where it says less.
    m.flags |= PostFlag::postUserRights;
    m.postUserRights = PostRight::all;
    c.wire.send(m);
    checkAck(farAck(c), 1, 2, 1, "the poster may not create items");
    near.wire.send(m);
    checkAck(farAck(near), 1, 2);
}

TEST_CASE("a service that takes no posts at the hub of the client takes none for another hub",
          "[hub][node][mesh][posts]") {
    Posting p({}, [](HubSettings& s) {
        if (s.name == "edge") s.services[0].posts = false;
    });
    FarPoster c(p, "far");
    c.wire.send(farPost(p.edge, 5, 1, 11));
    checkAck(farAck(c), 5, 1, 1, "posts to this service are not taken");
    CHECK(Meshed::metric(p.edge, "emissary_hub_mesh_posts_out_total") == 0);
}

TEST_CASE("a post in parts keeps its order and its number through the mesh", "[hub][node][mesh][posts]") {
    Posting p;
    FarPoster c(p, "far");
    std::set<std::uint32_t> ids;
    for (std::uint16_t part = 0; part < 3; ++part) {
        Msg m = farPost(p.edge, 5, 3, std::uint64_t{20} + part);
        m.flags |= PostFlag::partNum | PostFlag::seqNum;
        m.partNum = part;
        m.seqNum = 100u + part;
        if (part != 2) m.flags &= static_cast<std::uint16_t>(~PostFlag::complete);
        c.wire.send(m);
    }
    for (std::uint16_t part = 0; part < 3; ++part) {
        const auto got = p.posted();
        CHECK(got.msg.partNum == part);
        CHECK(got.msg.has(PostFlag::complete) == (part == 2));
        CHECK(HubFixture::fields(got.msg) == "1=" + std::to_string(20 + part));
        ids.insert(got.msg.postId);
        p.ack(got);
        const Received ack = farAck(c);
        checkAck(ack, 5, 3);
        CHECK(ack.msg.seqNum == 100u + part);
    }
    CHECK(ids.size() == 1);
    Msg out = farPost(p.edge, 5, 4, 30);
    out.flags |= PostFlag::partNum;
    out.partNum = 1;
    c.wire.send(out);
    checkAck(farAck(c), 5, 4, 12);
}

TEST_CASE("clients of two hubs post with equal ids, and each gets its own answer", "[hub][node][mesh][posts]") {
    Posting p;
    HubFixture& other = p.add("other", Meshed::Role::edge);
    other.connected();
    FarPoster a(p, "a");
    Far b(other, "b");
    b.open();
    b.until(10);
    std::vector<RawProvider::Got> got;
    for (std::uint32_t id = 1; id <= 20; ++id) {
        a.wire.send(farPost(p.edge, 5, id, id));
        got.push_back(p.posted());
        b.wire.send(farPost(other, 5, id, 100 + id));
        got.push_back(p.posted());
    }
    std::ranges::reverse(got);
    for (const auto& post : got) {
        const std::string fields = HubFixture::fields(post.msg);
        p.ack(post, 3, fields);
    }
    for (std::uint32_t id = 20; id >= 1; --id) {
        checkAck(farAck(b), 5, id, 3, "1=" + std::to_string(100 + id));
        checkAck(farAck(a), 5, id, 3, "1=" + std::to_string(id));
    }
}

TEST_CASE("when the owner cannot be reached posts are answered, and they work again afterwards",
          "[hub][node][mesh][posts]") {
    Posting p;
    FarPoster c(p, "far");
    c.wire.send(farPost(p.edge, 5, 1, 11));
    const auto lost = p.posted();
    Msg quiet = farPost(p.edge, 5, 2, 12);
    quiet.flags &= static_cast<std::uint16_t>(~PostFlag::ack);
    p.mesh.cut("owner");
    c.wire.send(farPost(p.edge, 5, 3, 13));
    c.wire.send(quiet);
    checkAck(farAck(c), 5, 1, 6, kLost);
    checkAck(farAck(c), 5, 3, 6, kLost);
    CHECK(Meshed::metric(p.edge, "emissary_hub_mesh_posts_unanswered_total") == 2);
    CHECK(Meshed::metric(p.edge, "emissary_hub_mesh_posts_lost_total") == 1);
    CHECK(Meshed::metric(p.edge, "emissary_hub_mesh_posts_waiting") == 0);
    c.wire.send(farPost(p.edge, 5, 4, 14));
    checkAck(farAck(c), 5, 4, 7, kUnreached);
    // The image was a proof as well, later than the last heartbeat: the item may stay Ok a little longer.
    c.untilState(suspect);
    p.ack(lost);  // too late for everybody
    p.mesh.heal("owner");
    c.until(10);
    c.wire.send(farPost(p.edge, 5, 5, 15));
    const auto got = p.posted();
    CHECK(HubFixture::fields(got.msg) == "1=15");  // what was given up has not come after all
    p.ack(got);
    checkAck(farAck(c), 5, 5);
}

TEST_CASE("an owner that is killed leaves no post without an answer, and the next one takes posts",
          "[hub][node][mesh][posts][nats]") {
    std::unique_ptr<NatsServer> server;
    SECTION("in memory") {}
    SECTION("over NATS") {
        server = std::make_unique<NatsServer>();
    }
    Posting p(server ? server->url() : std::string(), {});
    FarPoster c(p, "far");
    constexpr std::uint32_t kPosts = 500;
    for (std::uint32_t id = 1; id <= kPosts; ++id)
        c.wire.send(farPost(p.edge, 5, id, id));
    // Some are answered, some have come, some are on the way.
    for (int i = 0; i < 100; ++i)
        p.ack(p.posted());
    std::set<std::uint32_t> answered;
    for (int i = 0; i < 50; ++i)
        answered.insert(farAck(c).msg.ackId);
    HubFixture& second = p.add("second", Meshed::Role::owner, 200);
    second.connected();
    p.kill(p.owner);
    std::size_t gone = 0;
    while (answered.size() < kPosts) {
        const Received got = farAck(c);
        CHECK(answered.insert(got.msg.ackId).second);  // once each
        if (!got.msg.has(codec::AckFlag::nakCode)) continue;
        ++gone;
        CHECK(int{got.msg.nakCode} == 6);
        CHECK(eta::asText(got.msg.text) == kLost);
    }
    CHECK(gone >= kPosts - 100);
    const std::int32_t next = Meshed::asked(second);
    second.refresh(next, 70);
    c.until(70);
    c.wire.send(farPost(p.edge, 5, 1, 71));
    for (;;) {
        const auto got = second.asked();
        if (got.msg.cls != MsgClass::Post) continue;
        CHECK(HubFixture::fields(got.msg) == "1=71");
        Msg ack;
        ack.cls = MsgClass::Ack;
        ack.domain = 6;
        ack.streamId = got.msg.streamId;
        ack.ackId = got.msg.postId;
        second.provider.send(ack);
        break;
    }
    checkAck(farAck(c), 5, 1);
}

TEST_CASE("posts to other hubs are bounded, and a source that does not answer in time is said so",
          "[hub][node][mesh][posts]") {
    Posting p({}, [](HubSettings& s) {
        s.mesh.maxPosts = 3;
        if (s.name == "edge") s.postAckTimeout = 2s;
    });
    FarPoster c(p, "far");
    for (std::uint32_t id = 1; id <= 4; ++id)
        c.wire.send(farPost(p.edge, 5, id, id));
    checkAck(farAck(c), 5, 4, 5, "too many posts wait for the hubs that have the sources");
    std::vector<RawProvider::Got> got;
    for (int i = 0; i < 3; ++i)
        got.push_back(p.posted());
    for (std::uint32_t id = 1; id <= 3; ++id) {
        const Received late = farAck(c);
        CHECK(int{late.msg.nakCode} == 6);
        CHECK(late.msg.ackId == id);
    }
    p.edge.until([&] { return Meshed::metric(p.edge, "emissary_hub_mesh_posts_waiting") == 0; });
    for (const auto& post : got)
        p.ack(post);  // nobody waits for it
    p.owner.until([&] { return Meshed::metric(p.owner, "emissary_hub_mesh_posts_held") == 0; });
    c.wire.send(farPost(p.edge, 5, 9, 9));
    p.ack(p.posted());
    checkAck(farAck(c), 5, 9);
    // One that is too long for a request.
    Msg m = farPost(p.edge, 5, 10, 1);
    std::vector<std::byte> opaque(70'000);
    m.containerType = codec::DataType::Opaque;
    m.payload = opaque;
    c.wire.send(m);
    checkAck(farAck(c), 5, 10, 12, "the post is too long to go to another hub");
}

TEST_CASE("posts that a bus loses are sent again, and handed on once", "[hub][node][mesh][posts]") {
    Posting p;
    FarPoster c(p, "far");
    for (std::uint32_t id = 1; id <= 30; ++id) {
        if (id % 5 == 0) p.mesh.losePosts(2);
        c.wire.send(farPost(p.edge, 5, id, id));
        p.edge.turn();
    }
    for (std::uint32_t id = 1; id <= 30; ++id) {
        const auto got = p.posted();
        CHECK(HubFixture::fields(got.msg) == "1=" + std::to_string(id));
        p.ack(got);
        checkAck(farAck(c), 5, id);
    }
    CHECK(Meshed::metric(p.owner, "emissary_hub_mesh_posts_in_total") == 30);
}

TEST_CASE("a far post that is refused is in the logs of both hubs, with its user", "[hub][node][mesh][posts][audit]") {
    perf::test::TempDir dir;
    Posting p({}, [&](HubSettings& s) {
        s.audit.folder = dir.file(s.name);
        std::filesystem::create_directory(s.audit.folder);
    });
    FarPoster c(p, "dana");
    c.wire.send(farPost(p.edge, 5, 1, 11));
    p.ack(p.posted(), 2, "not yours");
    checkAck(farAck(c), 5, 1, 2, "not yours");
    const auto refused = [&](const std::string& hub) {
        for (const auto end = std::chrono::steady_clock::now() + RawConsumer::kPatience;;) {
            REQUIRE(std::chrono::steady_clock::now() < end);
            for (const Json& line : auditLines(dir.file(hub)))
                if (line.at("event").text == "post_refused") return line;
            p.edge.turn();
        }
    };
    for (const char* const hub : {"edge", "owner"}) {
        const Json line = refused(hub);
        CHECK(line.at("user").text == "dana");
        CHECK(line.at("item").text == "IBM");
        CHECK(line.at("code").text == "denied_by_source");
        CHECK(line.at("text").text == "not yours");
        CHECK(line.at("address").text.starts_with("127.0.0.1:"));
    }
    CHECK(refused("owner").find("connection") == nullptr);
}

TEST_CASE("a hub whose source is lost refuses far posts, and sends none of them on", "[hub][node][mesh][posts]") {
    Posting p;
    FarPoster c(p, "far");
    p.owner.provider.disconnect();
    c.untilState(suspect);
    c.wire.send(farPost(p.edge, 5, 1, 11));
    const Received got = farAck(c);
    REQUIRE(got.msg.has(codec::AckFlag::nakCode));
    CHECK(got.msg.ackId == 1);
    CHECK(Meshed::metric(p.owner, "emissary_hub_mesh_posts_out_total") == 0);
}

TEST_CASE("posts that wait when their client leaves keep no place at the owner", "[hub][node][mesh][posts]") {
    Posting p;
    FarPoster c(p, "far");
    c.wire.send(farPost(p.edge, 5, 1, 11));
    const auto post = p.posted();
    CHECK(Meshed::metric(p.owner, "emissary_hub_mesh_posts_held") == 1);
    SECTION("it closes its stream") {
        c.wire.send(RawConsumer::close(5, 6));
        p.owner.until([&] { return Meshed::metric(p.owner, "emissary_hub_mesh_posts_held") == 0; });
    }
    SECTION("it is gone") {
        c.wire.disconnect();
        p.owner.until([&] { return Meshed::metric(p.owner, "emissary_hub_mesh_posts_held") == 0; });
    }
    p.ack(post);  // nobody waits for it
    p.edge.until([&] { return Meshed::metric(p.edge, "emissary_hub_mesh_posts_waiting") == 0; });
    FarPoster other(p, "other");
    other.wire.send(farPost(p.edge, 5, 2, 12));
    p.ack(p.posted());
    checkAck(farAck(other), 5, 2);
}

TEST_CASE("a post that is followed by the close of its stream is taken", "[hub][node][mesh][posts]") {
    Posting p;
    for (int i = 0; i < 20; ++i) {
        FarPoster c(p, "far");
        Msg post = farPost(p.edge, 5, 1, static_cast<std::uint64_t>(20 + i));
        post.flags &= static_cast<std::uint16_t>(~codec::PostFlag::ack);
        c.wire.send(post);
        c.wire.send(RawConsumer::close(5, 6));
        CHECK(HubFixture::fields(p.posted().msg) == "1=" + std::to_string(20 + i));
    }
}

TEST_CASE("generic messages go both ways on an item of another hub", "[hub][node][mesh][posts][json]") {
    Posting p;
    FarPoster c(p, "far");
    TextClient web(webSocketTo(p.edge.hub->port()), [&] { p.edge.turn(); });
    web.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
    CHECK(web.next("Domain", "Login").at("State").at("Stream").text == "Open");
    web.send(R"({"ID":5,"Key":{"Name":"IBM","Service":"DIRECT_FEED"}})");
    while (web.next("ID", "5").at("Type").text != "Refresh") {}
    const auto got = [&] {
        for (;;) {
            auto one = p.owner.asked();
            if (one.msg.cls == MsgClass::Generic) return one;
        }
    };
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = 6;
    m.streamId = 5;
    m.flags = codec::GenericFlag::complete | codec::GenericFlag::seqNum | codec::GenericFlag::secondarySeqNum |
              codec::GenericFlag::msgKey;
    m.seqNum = 17;
    m.secondarySeqNum = 4;
    m.key.flags = codec::KeyFlag::name;
    m.key.name = eta::asBytes("ask");
    p.edge.fill(m, 50);
    c.wire.send(m);
    auto there = got();
    CHECK(there.msg.streamId == c.at);
    CHECK(there.msg.seqNum == 17);
    CHECK(there.msg.secondarySeqNum == 4);
    CHECK(there.name() == "ask");
    CHECK(HubFixture::fields(there.msg) == "1=50");
    web.send(R"({"ID":5,"Type":"Generic","SeqNumber":18,"Fields":{"PROD_PERM":51}})");
    there = got();
    CHECK(there.msg.seqNum == 18);
    CHECK(HubFixture::fields(there.msg) == "1=51");
    // The source's goes to all who have the item, between the updates.
    m.streamId = c.at;
    m.seqNum = 90;
    for (std::uint64_t bid = 60; bid < 70; ++bid) {
        p.owner.update(c.at, bid);
        p.owner.fill(m, bid + 100);
        p.owner.provider.send(m);
    }
    for (std::uint64_t bid = 60; bid < 70; ++bid) {
        Received said = c.wire.next();
        while (said.msg.cls != MsgClass::Generic)
            c.take(said), said = c.wire.next();
        CHECK(said.msg.streamId == 5);
        CHECK(said.msg.seqNum == 90);
        CHECK(said.name() == "ask");
        CHECK(HubFixture::fields(said.msg) == "1=" + std::to_string(bid + 100));
        CHECK(c.value == "1=" + std::to_string(bid));
    }
    for (std::uint64_t bid = 60; bid < 70;) {
        const Json said = web.next("ID", "5");
        if (said.at("Type").text != "Generic") continue;
        CHECK(said.at("Fields").at("PROD_PERM").text == std::to_string(bid + 100));
        ++bid;
    }
    // Nobody is told of one that is lost; it is counted.
    p.mesh.cut("owner");
    m.streamId = 5;
    c.wire.send(m);
    p.edge.until([&] { return Meshed::metric(p.edge, "emissary_hub_mesh_posts_lost_total") == 1; });
}

TEST_CASE("two hubs whose sources are lost send no post in a circle", "[hub][node][mesh][posts]") {
    Meshed m;
    HubFixture& a = m.add("a", Meshed::Role::both);
    HubFixture& b = m.add("b", Meshed::Role::both);
    a.connected();
    b.connected();
    a.until([&] { return a.hub->rooms().services.find(HubFixture::kId)->mesh.usable(); });
    Far c(a, "near");
    c.open();
    a.refresh(Meshed::asked(a), 10);
    c.until(10);
    a.provider.die();
    c.untilState(suspect);
    const std::int32_t stream = Meshed::asked(b);
    b.refresh(stream, 20);
    c.until(20);
    // The other hub has it now.
    c.wire.send(farPost(a, 5, 1, 30));
    for (;;) {
        const auto got = b.asked();
        if (got.msg.cls != MsgClass::Post) continue;
        CHECK(HubFixture::fields(got.msg) == "1=30");
        break;
    }
    b.provider.die();
    const Received lost = farAck(c);
    CHECK(lost.msg.ackId == 1);
    CHECK(int{lost.msg.nakCode} == 3);
    for (std::uint32_t id = 2; id < 10; ++id) {
        c.wire.send(id % 2 == 0 ? farPost(a, 5, id, 31) : farPost(a, 1, id, 31, "MSFT"));
        const Received no = farAck(c);
        CHECK(no.msg.ackId == id);
        CHECK((no.msg.nakCode == 3 || no.msg.nakCode == 7 || no.msg.nakCode == 11));
    }
}

TEST_CASE("posts that lie cost themselves: the hub goes on, and takes the posts of others",
          "[hub][node][mesh][posts]") {
    using namespace hub::mesh;
    Posting p;
    FarPoster c(p, "far");
    const MeshOptions& owner = p.owner.hub->mesh()->node()->options();
    const auto bus = p.mesh.bus("liar");
    std::uint64_t beats = 0, requests = 0, ids = 0;
    const auto send = [&](FrameType type, Batch& batch, std::uint64_t& sequence, const std::string& to) {
        Header h;
        h.type = type;
        h.node = 0x999;
        h.epoch = 5;
        h.sequence = sequence;
        batch.flush(h, kMostPayload, [&](eta::Bytes frame) { bus->publish(subject(owner, to), frame); });
        sequence = h.sequence;
    };
    // A post as the other edge would send it, on-stream (item 1) and off-stream, and what a random byte makes of it.
    std::vector<std::byte> room(2048);
    std::mt19937 random(7);
    const auto valid = [&](bool onStream, bool asks) {
        eta::BeWriter out(room);
        out.write(++ids);
        out.u8(asks ? kAsksForAck : 0);
        hub::backbone::PostHead{"mallory", "10.0.0.1:5", onStream ? "" : "DIRECT_FEED",
                                onStream ? std::string_view() : std::string_view("\x06\x01MSFT", 6)}
            .write(out);
        Msg m = farPost(p.edge, 0, 7, 5, onStream ? "" : "MSFT");
        if (!asks) m.flags &= static_cast<std::uint16_t>(~PostFlag::ack);
        REQUIRE(codec::encodeMsg(out, m).ok());
        return std::vector<std::byte>(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(out.size()));
    };
    const auto drain = [&] {
        for (int i = 0; i < 20; ++i)
            p.owner.turn();
        p.owner.provider.inbox.clear();
    };
    Batch beat;
    send(FrameType::heartbeat, beat, beats, "hb");
    for (int round = 0; round < 100; ++round) {
        for (int n = 0; n < 30; ++n) {
            std::vector<std::byte> body = valid(random() % 2 == 0, random() % 2 == 0);
            for (auto changes = random() % 4; changes != 0; --changes)
                body[9 + random() % (body.size() - 9)] = static_cast<std::byte>(random());
            if (random() % 8 == 0) body.resize(9 + random() % (body.size() - 9));
            Batch b;
            std::array<std::byte, 8> epoch;
            eta::storeBe(epoch.data(), owner.epoch);
            REQUIRE(b.add(Kind::addressee, 0, 0, epoch));
            const auto number = static_cast<std::uint32_t>(random() % 4 == 0 ? random() : random() % 3);
            REQUIRE(b.add(Kind::post, number, 1, body));
            send(FrameType::request, b, requests, "q." + nodeName(owner.node));
        }
        send(FrameType::heartbeat, beat, beats, "hb");
        drain();
    }
    CHECK(Meshed::metric(p.owner, "emissary_hub_mesh_posts_in_total") == 3000);
    c.readAll();
    c.wire.send(farPost(p.edge, 5, 1, 77));
    for (;;) {
        const auto got = p.posted();
        if (HubFixture::fields(got.msg) != "1=77") continue;
        p.ack(got);
        break;
    }
    checkAck(farAck(c), 5, 1);
}
