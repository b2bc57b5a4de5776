// Who may have which item of another hub, and which of its fields: the rules of the hub that has the client hold.
#include "hub/core/Client.h"
#include "late_reader.h"
#include "meshed.h"
#include "reactor/rdm/View.h"

#include <filesystem>

using namespace emissary;
using namespace emissary::test;

namespace {

/// A hub with a source and one with these rules, which has none.
struct Guarded : Meshed {
    explicit Guarded(const std::string& rules, const std::function<void(HubSettings&)>& more = {})
        : owner(add("owner", Role::owner)), edge((prepare(rules, more), add("edge", Role::edge))) {
        owner.connected();
        edge.connected();
        edge.until([&] { return metric(edge, "emissary_hub_mesh_peers") == 1; });
    }
    void prepare(const std::string& rules, const std::function<void(HubSettings&)>& more) {
        change = [=, this](HubSettings& s) {
            s.mesh.heartbeat = 500ms;  // nothing here is to be suspect since the machine was busy
            s.access.permission = folder.write("rules", rules);
            if (more) more(s);
        };
    }
    /// Puts other rules in the place of these, as editors do.
    void rules(const std::string& text) const {
        std::filesystem::rename(folder.write("rules.new", text), folder.file("rules"));
        edge.hub->readAccessAgain();
    }
    void answer(std::int32_t stream, std::string_view name, std::uint64_t bid, eta::Bytes permData = {}) {
        Msg m = RawProvider::refresh(stream, StreamState::open, true);
        m.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache;
        m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
        m.key.serviceId = HubFixture::kUpstreamId;
        m.key.name = eta::asBytes(name);
        if (!permData.empty()) {
            m.flags |= RefreshFlag::permData;
            m.permData = permData;
        }
        owner.fill(m, bid);
        owner.provider.send(m);
    }
    void until(LateReader& reader, std::int32_t stream, std::uint64_t bid) {
        edge.until([&] {
            reader.read();
            return reader.values[stream] == "1=" + std::to_string(bid);
        });
    }
    /// The stream is closed, and the text says why.
    void untilClosed(LateReader& reader, std::int32_t stream, const std::string& why) {
        edge.until([&] {
            reader.read();
            return reader.itemStates[stream].starts_with("Closed/Suspect");
        });
        INFO(reader.itemStates[stream]);
        CHECK(reader.itemStates[stream].find(why) != std::string::npos);
    }
    HubFixture &owner, &edge;
};

}  // namespace

TEST_CASE("rules of the hub that has the client hold for items of other hubs, also when they change",
          "[hub][node][mesh][access][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    Guarded t("deny dana * *.N *\nallow dana DIRECT_FEED * MarketPrice\nallow watcher * * *\n");
    LateReader c(t.edge, json, 0, "dana");
    c.open(5, "IBM.N");
    t.untilClosed(c, 5, "item 'IBM.N': line 1 of the rules denies it");
    CHECK(t.owner.wire().empty());  // nobody asked the hub with the source
    c.open(6, "IBM");
    const std::int32_t ibm = Meshed::asked(t.owner);
    t.answer(ibm, "IBM", 10);
    t.until(c, 6, 10);
    c.open(7, "VOD");
    const std::int32_t vod = Meshed::asked(t.owner);
    t.answer(vod, "VOD", 20);
    t.until(c, 7, 20);
    // One of the two is not granted any more: it is closed here, and then at its source.
    t.rules("deny dana * VOD *\nallow dana DIRECT_FEED * MarketPrice\n");
    t.untilClosed(c, 7, "item 'VOD': line 1 of the rules denies it");
    const auto closed = t.owner.asked();
    CHECK(closed.msg.cls == MsgClass::Close);
    CHECK(closed.msg.streamId == vod);
    t.owner.update(ibm, 11);
    t.until(c, 6, 11);
    CHECK(c.itemStates[6].starts_with("Open/Ok"));
    // What is granted again is asked for again, and comes with its value of now.
    t.rules("allow dana DIRECT_FEED * *\n");
    t.edge.until([&] {
        if (c.itemStates[8].empty() || c.itemStates[8].starts_with("Closed")) {
            c.itemStates[8] = "asked";
            c.open(8, "VOD");
        }
        c.read();
        return !t.owner.provider.inbox.empty();
    });
    t.answer(Meshed::asked(t.owner), "VOD", 21);
    t.until(c, 8, 21);
    // The owner's own rules are for its own clients.
    CHECK(Meshed::metric(t.owner, "emissary_hub_mesh_owned") == 2);
}

TEST_CASE("permission data of another hub's source are passed on, and are part of what is asked about an item",
          "[hub][node][mesh][access][json]") {
    constexpr const char* kScript = R"sh(
while read -r line; do
  id=${line#*:}; id=${id%%,*}
  case "$line" in
  *'"ask":"item"'*'"user":"dana"'*'"permData":"AwE="'*|*'"user":"dana"'*'"ask":"item"'*'"permData":"AwE="'*)
    echo "{\"id\":$id,\"ok\":false,\"text\":\"not with these permission data\"}";;
  *) echo "{\"id\":$id,\"ok\":true}";;
  esac
done
)sh";
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    perf::test::TempDir dir;
    const std::string script = dir.write("script", kScript);
    Guarded t("ask * * * *\n", [&](HubSettings& s) {
        s.access.loginCommand = {"/bin/sh", script};
        if (s.mesh.nodeName == "owner") s.access.permission.clear();
    });
    LateReader c(t.edge, json, 0, "dana");
    RawConsumer other = t.edge.loggedIn("tess");
    c.open(5, "IBM");
    const std::int32_t stream = Meshed::asked(t.owner);
    const std::vector<std::byte> data{std::byte{3}, std::byte{1}}, fewer{std::byte{3}, std::byte{2}};
    t.answer(stream, "IBM", 10, fewer);
    t.until(c, 5, 10);
    // A late joiner has them in the image of the hub's cache.
    other.send(HubFixture::request(5));
    const Received image = other.next();
    REQUIRE(image.msg.cls == MsgClass::Refresh);
    REQUIRE(image.msg.has(RefreshFlag::permData));
    CHECK(std::ranges::equal(image.msg.permData, fewer));
    // They come in updates too, and rights are looked at anew with them.
    Msg update = RawProvider::update(stream);
    update.flags |= codec::UpdateFlag::permData;
    update.permData = data;
    t.owner.fill(update, 11);
    t.owner.provider.send(update);
    t.until(c, 5, 11);
    const Received changed = other.next();
    REQUIRE(changed.msg.cls == MsgClass::Update);
    REQUIRE(changed.msg.has(codec::UpdateFlag::permData));
    CHECK(std::ranges::equal(changed.msg.permData, data));
    t.edge.hub->readAccessAgain();
    t.untilClosed(c, 5, "not with these permission data");
    c.open(6, "IBM");
    t.untilClosed(c, 6, "not with these permission data");
    t.owner.update(stream, 12);
    CHECK(HubFixture::fields(other.next().msg) == "1=12");
}

TEST_CASE("items of other hubs are cut to the fields of the login and of the request",
          "[hub][node][mesh][views][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    Guarded t("allow * * * *\n", [](HubSettings& s) {
        s.userClasses = {{"thin", {"dana"}, {}, {}, {}, ViewSettings{"one", {"1"}}}};
    });
    const auto fill = [&](Msg& m, std::uint64_t bid) {
        static reactor::GrowingBuffer room;
        codec::FieldListEncoder list;
        list.begin(room.start());
        list.addUInt(1, bid);
        list.addUInt(2, bid + 1);
        REQUIRE(list.complete().ok());
        m.containerType = codec::DataType::FieldList;
        m.payload = room.view();
    };
    LateReader c(t.edge, json, 0, "dana");
    RawConsumer whole = t.edge.loggedIn("tess");
    c.open(5);
    const std::int32_t stream = Meshed::asked(t.owner);
    Msg image = RawProvider::refresh(stream, StreamState::open, true);
    fill(image, 10);
    t.owner.provider.send(image);
    t.until(c, 5, 10);
    whole.send(HubFixture::request(5));
    CHECK(HubFixture::fields(whole.next().msg) == "1=10 2=11");
    Msg update = RawProvider::update(stream);
    fill(update, 20);
    t.owner.provider.send(update);
    t.until(c, 5, 20);
    CHECK(HubFixture::fields(whole.next().msg) == "1=20 2=21");
    // Another view by a reload holds for the stream that is open.
    HubSettings next = t.edge.hub->settings();
    next.userClasses[0].view->fields = {"2"};
    REQUIRE_FALSE(t.edge.hub->change(next));
    t.edge.until([&] {
        c.read();
        return c.values[5] == (json ? "1=21" : "2=21");  // of JSON its first value
    });
}
