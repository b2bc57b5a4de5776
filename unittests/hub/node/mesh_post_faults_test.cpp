// Posts to other hubs when hubs, sources, clients or frames are lost, or lie.
#include "far_posts.h"
#include "hub/backbone/Backbone.h"
#include "hub/backbone/records.h"
#include "hub/nats/NatsServer.h"

#include <array>
#include <random>
#include <set>

using namespace emissary;
using namespace emissary::test;
namespace PostFlag = codec::PostFlag;

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
    checkAck(c.ack(), 5, 1, 6, kOwnerLost);
    checkAck(c.ack(), 5, 3, 6, kOwnerLost);
    CHECK(Meshed::metric(p.edge, "emissary_hub_mesh_posts_unanswered_total") == 2);
    CHECK(Meshed::metric(p.edge, "emissary_hub_mesh_posts_lost_total") == 1);
    CHECK(Meshed::metric(p.edge, "emissary_hub_mesh_posts_waiting") == 0);
    c.wire.send(farPost(p.edge, 5, 4, 14));
    checkAck(c.ack(), 5, 4, 7, kOwnerUnreached);
    // The image was a proof as well, later than the last heartbeat: the item may stay Ok a little longer.
    c.untilState(suspect);
    p.ack(lost);  // too late for everybody
    p.mesh.heal("owner");
    c.until(10);
    c.wire.send(farPost(p.edge, 5, 5, 15));
    const auto got = p.posted();
    CHECK(HubFixture::fields(got.msg) == "1=15");  // what was given up has not come after all
    p.ack(got);
    checkAck(c.ack(), 5, 5);
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
        answered.insert(c.ack().msg.ackId);
    HubFixture& second = p.add("second", Meshed::Role::owner, 200);
    second.connected();
    p.kill(p.owner);
    std::size_t gone = 0;
    while (answered.size() < kPosts) {
        const Received got = c.ack();
        CHECK(answered.insert(got.msg.ackId).second);  // once each
        if (!got.msg.has(codec::AckFlag::nakCode)) continue;
        ++gone;
        CHECK(int{got.msg.nakCode} == 6);
        CHECK(eta::asText(got.msg.text) == kOwnerLost);
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
    checkAck(c.ack(), 5, 1);
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
    checkAck(c.ack(), 5, 4, 5, "too many posts wait for the hubs that have the sources");
    std::vector<RawProvider::Got> got;
    for (int i = 0; i < 3; ++i)
        got.push_back(p.posted());
    for (std::uint32_t id = 1; id <= 3; ++id) {
        const Received late = c.ack();
        CHECK(int{late.msg.nakCode} == 6);
        CHECK(late.msg.ackId == id);
    }
    p.edge.until([&] { return Meshed::metric(p.edge, "emissary_hub_mesh_posts_waiting") == 0; });
    for (const auto& post : got)
        p.ack(post);  // nobody waits for it
    p.owner.until([&] { return Meshed::metric(p.owner, "emissary_hub_mesh_posts_held") == 0; });
    c.wire.send(farPost(p.edge, 5, 9, 9));
    p.ack(p.posted());
    checkAck(c.ack(), 5, 9);
    // One that is too long for the mesh.
    Msg m = farPost(p.edge, 5, 10, 1);
    std::vector<std::byte> opaque(std::size_t{4} << 20);
    m.containerType = codec::DataType::Opaque;
    m.payload = opaque;
    c.wire.send(m);
    checkAck(c.ack(), 5, 10, 12, "the post is too long to go to another hub");
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
        checkAck(c.ack(), 5, id);
    }
    CHECK(Meshed::metric(p.owner, "emissary_hub_mesh_posts_in_total") == 30);
}

TEST_CASE("a hub whose source is lost refuses far posts, and sends none of them on", "[hub][node][mesh][posts]") {
    Posting p;
    FarPoster c(p, "far");
    p.owner.provider.disconnect();
    c.untilState(suspect);
    c.wire.send(farPost(p.edge, 5, 1, 11));
    const Received got = c.ack();
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
        c.close();
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
    checkAck(other.ack(), 5, 2);
}

TEST_CASE("a post that is followed by the close of its stream is taken", "[hub][node][mesh][posts]") {
    Posting p;
    for (int i = 0; i < 20; ++i) {
        FarPoster c(p, "far");
        Msg post = farPost(p.edge, 5, 1, static_cast<std::uint64_t>(20 + i));
        post.flags &= static_cast<std::uint16_t>(~codec::PostFlag::ack);
        c.wire.send(post);
        c.close();
        CHECK(HubFixture::fields(p.posted().msg) == "1=" + std::to_string(20 + i));
    }
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
    const Received lost = c.ack();
    CHECK(lost.msg.ackId == 1);
    CHECK(int{lost.msg.nakCode} == 3);
    for (std::uint32_t id = 2; id < 10; ++id) {
        c.wire.send(id % 2 == 0 ? farPost(a, 5, id, 31) : farPost(a, 1, id, 31, "MSFT"));
        const Received no = c.ack();
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
    checkAck(c.ack(), 5, 1);
}
