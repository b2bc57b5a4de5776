// A consumer that passes on what it gets, and keeps its own books (WatchlistOptions::relay).
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using namespace emissary::eta::codec;

namespace {

/// Writes down what the directory says, in between what items get.
struct Heard final : reactor::rdm::DirectoryListener {
    std::vector<std::string>& events;
    explicit Heard(std::vector<std::string>& e) : events(e) {}
    void onServiceAdded(const reactor::rdm::Service& s) override { events.push_back("+" + s.name()); }
    void onServiceDeleted(const reactor::rdm::Service& s) override { events.push_back("-" + s.name()); }
    void onServiceStatus(const reactor::rdm::Service& s, const State&) override { events.push_back("!" + s.name()); }
    void onGroupStatus(const reactor::rdm::Service& s, eta::Bytes, const State&) override {
        events.push_back("g" + s.name());
    }
};

struct Relay : Consumer {
    Heard heard{events};
    std::vector<std::uint16_t> refreshFlags;
    Relay() {
        options.relay = true;
        options.msgKeyInUpdates = false;
        options.directoryListener = &heard;
        reactor::rdm::LoginAttributes a;
        a.singleOpen = 0;
        login(a);
        hook = [this](const Msg& m, const Recipient&) {
            if (m.cls == MsgClass::Refresh) refreshFlags.push_back(m.flags);
        };
    }
    std::int32_t opened() {
        until([&] { return !provider.inbox.empty(); });
        return provider.take()->msg.streamId;
    }
    [[nodiscard]] std::size_t heardOf(const std::string& what) const {
        return static_cast<std::size_t>(
            std::count_if(events.begin(), events.end(), [&](const auto& e) { return e.find(what) != e.npos; }));
    }
};

}  // namespace

TEST_CASE("a relay gets updates while another image is on its way, and refreshes as they were sent") {
    Relay c;
    c.ready();
    const Handle handle = c.open("IBM");
    const std::int32_t id = c.opened();
    c.provider.send(RawProvider::update(id));  // early: the relay's business
    c.provider.send(RawProvider::refresh(id));
    c.settle();
    {
        const std::lock_guard guard(c.loop->lock());
        const Msg again = Consumer::request("IBM");
        REQUIRE_FALSE(c.role->reissue(handle, {again, {}}));
    }
    REQUIRE(c.opened() == id);
    c.provider.send(RawProvider::update(id));
    c.provider.send(RawProvider::refresh(id, StreamState::open, false));
    c.provider.send(RawProvider::refresh(id));
    c.settle();
    CHECK(c.heardOf("IBM UPD") == 2);
    REQUIRE(c.refreshFlags.size() == 3);
    CHECK((c.refreshFlags[0] & RefreshFlag::solicited) != 0);
    CHECK((c.refreshFlags[1] & RefreshFlag::solicited) == 0);
    CHECK((c.refreshFlags[2] & RefreshFlag::solicited) != 0);
}

TEST_CASE("states of groups and services go to the directory's listener alone, before the items of a lost service") {
    Relay c;
    c.ready();
    c.open("IBM");
    const std::int32_t id = c.opened();
    c.provider.send(RawProvider::refresh(id));
    c.settle();
    c.events.clear();
    const std::byte group[2] = {};
    c.provider.sendGroupStatus(1, group, {StreamState::open, DataState::suspect, 0, {}});
    c.settle();
    CHECK(c.events == std::vector<std::string>{"gDIRECT_FEED"});
    c.events.clear();
    c.provider.sendServiceDelete(1);
    c.until([&] { return c.events.size() >= 2; });
    CHECK(c.events[0] == "-DIRECT_FEED");
    CHECK(c.events[1].find("IBM STAT") == 0);
}

TEST_CASE("posts of a relay are not remembered: one id may be used twice, and every ack comes") {
    Relay c;
    c.ready();
    const Handle handle = c.open("IBM");
    const std::int32_t id = c.opened();
    c.provider.send(RawProvider::refresh(id));
    c.settle();
    Msg post;
    post.cls = MsgClass::Post;
    post.domain = 6;
    post.flags = PostFlag::postId | PostFlag::ack | PostFlag::complete;
    post.postId = 7;
    for (int i = 0; i < 2; ++i) {
        const std::lock_guard guard(c.loop->lock());
        CHECK_FALSE(c.role->submitPost(handle, post, {}));
    }
    for (const std::uint32_t ack : {7u, 8u}) {
        Msg m;
        m.cls = MsgClass::Ack;
        m.domain = 6;
        m.streamId = id;
        m.ackId = ack;
        c.provider.send(m);
    }
    c.settle();
    CHECK(c.heardOf("IBM ACK") == 2);
}

TEST_CASE("a tunnel's request is passed on with its flags and payload") {
    Relay c;
    c.ready();
    Msg m = Consumer::request("TUNNEL");
    m.flags |= RequestFlag::privateStream | RequestFlag::qualified;
    const std::byte content[] = {std::byte{1}, std::byte{2}};
    m.containerType = DataType::Opaque;
    m.payload = content;
    c.open("T", m);
    c.until([&] { return !c.provider.inbox.empty(); });
    const auto got = *c.provider.take();
    CHECK(got.msg.has(RequestFlag::privateStream));
    CHECK(got.msg.has(RequestFlag::qualified));
    CHECK(std::ranges::equal(got.msg.payload, content));
}
