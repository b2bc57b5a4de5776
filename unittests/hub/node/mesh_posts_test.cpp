// Posts on items of other hubs: what the source gets, what the client hears, and what becomes of them when a hub goes.
#include "far_posts.h"
#include "hub/audit/lines.h"
#include "reactor/json/fixture.h"

#include <algorithm>
#include <filesystem>
#include <set>

using namespace emissary;
using namespace emissary::test;
using json_test::Json;
namespace PostFlag = codec::PostFlag;

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
    Received ack = c.ack();
    checkAck(ack, 5, 3);
    CHECK(ack.msg.seqNum == 9);
    CHECK_FALSE(ack.msg.hasKey());
    c.wire.send(farPost(p.edge, 5, 4, 12));
    p.ack(p.posted(), 11, "closed for lunch");
    checkAck(c.ack(), 5, 4, 11, "closed for lunch");
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
    const Received ack = c.ack();
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
    checkAck(c.ack(), 1, 23, 12);
    // A service that there is not.
    Msg none = farPost(p.edge, 1, 24, 17, "MSFT");
    none.key.serviceId = 999;
    c.wire.send(none);
    checkAck(c.ack(), 1, 24, 4);
}

TEST_CASE("a post that is longer than a frame goes to another hub in parts", "[hub][node][mesh][posts][json]") {
    Posting p;
    FarPoster c(p, "far");
    std::vector<std::byte> opaque(200'000);
    for (std::size_t i = 0; i < opaque.size(); ++i)
        opaque[i] = static_cast<std::byte>(i * 7 + i / 65'536);
    const auto check = [&](const RawProvider::Got& got, std::size_t size) {
        CHECK(got.msg.containerType == codec::DataType::Opaque);
        REQUIRE(got.msg.payload.size() == size);
        CHECK(std::ranges::equal(got.msg.payload, eta::Bytes(opaque).first(size)));
    };
    Msg m = farPost(p.edge, 5, 3, 0);
    m.containerType = codec::DataType::Opaque;
    std::uint32_t id = 3;
    for (const std::size_t size : {opaque.size(), std::size_t{65'536}, std::size_t{66'000}}) {
        m.payload = eta::Bytes(opaque).first(size);
        m.postId = ++id;
        p.mesh.losePosts(id == 5 ? 1 : 0);
        c.wire.send(m);
        const auto got = p.posted();
        CHECK(got.msg.streamId == c.at);
        check(got, size);
        p.ack(got);
        checkAck(c.ack(), 5, id);
    }
    CHECK(Meshed::metric(p.edge, "emissary_hub_mesh_posts_out_total") == 3);
    CHECK(Meshed::metric(p.owner, "emissary_hub_mesh_posts_in_total") == 3);
    // Off-stream, and from a JSON client.
    TextClient t(webSocketTo(p.edge.hub->port()), [&] { p.edge.turn(); });
    t.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
    CHECK(t.next("Domain", "Login").at("State").at("Stream").text == "Open");
    std::string text;
    for (int i = 0; i < 30'000; ++i)
        text += "QUJD";  // ABC
    t.send(R"({"ID":1,"Type":"Post","Domain":"MarketPrice","Ack":true,"PostID":32,)"
           R"("Key":{"Name":"MSFT","Service":"DIRECT_FEED"},)"
           R"("PostUserInfo":{"Address":"10.9.8.7","UserID":77},"Opaque":")" +
           text + R"("})");
    const auto got = p.posted();
    CHECK(got.name() == "MSFT");
    REQUIRE(got.msg.payload.size() == 90'000);
    CHECK(eta::asText(got.msg.payload.last(6)) == "ABCABC");
    p.ack(got, 2, "not yours");
    for (;;) {
        const Json said = t.next("ID", "1");
        if (said.at("Type").text != "Ack") continue;
        CHECK(said.at("AckID").text == "32");
        CHECK(said.at("Text").text == "not yours");
        break;
    }
    CHECK(Meshed::metric(p.edge, "emissary_hub_mesh_posts_waiting") == 0);
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
    CHECK(ack.at("Text").text == kOwnerLost);
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
    checkAck(c.ack(), 5, 1);
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
    checkAck(c.ack(), 1, 2);
    Far late(p.owner, "late", 6);
    late.open("NEW.X");
    late.until(60);
    refreshPost(3, "NEW.Y", 74);
    checkAck(c.ack(), 1, 3, 12, "the message inside the post names another service than the post");
    // An update of what is not there.
    Msg unknown = farPost(p.edge, 1, 4, 12, "NO.SUCH");
    unknown.key.serviceId = 75;
    c.wire.send(unknown);
    checkAck(c.ack(), 1, 4, 10, "there is no such item");
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
    checkAck(c.ack(), 1, 2, 1, "the poster may not create items");
    // What the post itself says counts as well where it says less.
    m.flags |= PostFlag::postUserRights;
    m.postUserRights = PostRight::all;
    c.wire.send(m);
    checkAck(c.ack(), 1, 2, 1, "the poster may not create items");
    near.wire.send(m);
    checkAck(near.ack(), 1, 2);
}

TEST_CASE("a service that takes no posts at the hub of the client takes none for another hub",
          "[hub][node][mesh][posts]") {
    Posting p({}, [](HubSettings& s) {
        if (s.name == "edge") s.services[0].posts = false;
    });
    FarPoster c(p, "far");
    c.wire.send(farPost(p.edge, 5, 1, 11));
    checkAck(c.ack(), 5, 1, 1, "posts to this service are not taken");
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
        const Received ack = c.ack();
        checkAck(ack, 5, 3);
        CHECK(ack.msg.seqNum == 100u + part);
    }
    CHECK(ids.size() == 1);
    Msg out = farPost(p.edge, 5, 4, 30);
    out.flags |= PostFlag::partNum;
    out.partNum = 1;
    c.wire.send(out);
    checkAck(c.ack(), 5, 4, 12);
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
        checkAck(b.ack(), 5, id, 3, "1=" + std::to_string(100 + id));
        checkAck(a.ack(), 5, id, 3, "1=" + std::to_string(id));
    }
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
    checkAck(c.ack(), 5, 1, 2, "not yours");
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

TEST_CASE("generic messages of the login stream go to the sources of the hub that has the service",
          "[hub][node][mesh][posts][json]") {
    Posting p;
    FarPoster c(p, "far");
    const auto got = [&] {
        for (;;) {
            auto one = p.owner.asked();
            if (one.msg.cls == MsgClass::Generic) return one;
        }
    };
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = 6;
    m.streamId = 1;
    m.flags = codec::GenericFlag::complete | codec::GenericFlag::seqNum | codec::GenericFlag::msgKey;
    m.seqNum = 17;
    m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
    m.key.serviceId = HubFixture::kId;
    m.key.name = eta::asBytes("ask");
    p.edge.fill(m, 50);
    // One without a service is for nobody; what comes is the next one.
    Msg none = m;
    none.key.flags = codec::KeyFlag::name;
    none.seqNum = 16;
    c.wire.send(none);
    c.wire.send(m);
    auto there = got();
    CHECK(there.msg.streamId == 1);
    CHECK(there.msg.seqNum == 17);
    CHECK(there.name() == "ask");
    CHECK(there.msg.key.serviceId == p.owner.provider.services.at(0).id);
    CHECK(HubFixture::fields(there.msg) == "1=50");
    TextClient web(webSocketTo(p.edge.hub->port()), [&] { p.edge.turn(); });
    web.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
    CHECK(web.next("Domain", "Login").at("State").at("Stream").text == "Open");
    web.send(R"({"ID":1,"Type":"Generic","Domain":"MarketPrice","SeqNumber":18,)"
             R"("Key":{"Service":"DIRECT_FEED"},"Fields":{"PROD_PERM":51}})");
    there = got();
    CHECK(there.msg.streamId == 1);
    CHECK(there.msg.seqNum == 18);
    CHECK(HubFixture::fields(there.msg) == "1=51");
    CHECK(Meshed::metric(p.edge, "emissary_hub_mesh_posts_out_total") == 2);
    // One that waits when the owner is lost is counted; so is one that no hub could take.
    p.mesh.cut("owner");
    c.wire.send(m);
    p.edge.until([&] { return Meshed::metric(p.edge, "emissary_hub_mesh_posts_lost_total") == 1; });
    const auto dropped = [&] { return Meshed::metric(p.edge, "emissary_hub_generics_dropped_total"); };
    const auto before = dropped();
    c.wire.send(m);
    p.edge.until([&] { return dropped() == before + 1; });
    // The owner sends none on to a third hub, nor what its own source cannot take.
    p.mesh.heal("owner");
    c.until(10);
    p.owner.provider.disconnect();
    c.untilState(suspect);
    const auto lost = Meshed::metric(p.owner, "emissary_hub_mesh_posts_out_total");
    p.edge.until([&] {
        c.wire.send(m);
        return dropped() > before + 1;
    });
    CHECK(Meshed::metric(p.owner, "emissary_hub_mesh_posts_out_total") == lost);
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
