// Items of a whole hub that go to a recorder without a connection: compared with what clients get over the wire.
#include "hub/core/ItemTable.h"
#include "hub/sink/ItemFeed.h"
#include "hub/usage/usage_file.h"
#include "late_reader.h"
#include "perftools/TempDir.h"
#include "publisher.h"
#include "reactor/metrics/Snapshot.h"

#include <filesystem>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

/// What a message says, but for its stream id, and the key of a status: where other threads serve the clients, a status
/// for one mount has it, and otherwise it has not.
[[nodiscard]] std::string said(Msg m) {
    using namespace codec;
    if (m.cls == MsgClass::Status) m.flags &= static_cast<std::uint16_t>(~StatusFlag::msgKey);
    std::string t = name(m.cls);
    t += " d" + std::to_string(m.domain) + " flags " + std::to_string(m.flags);
    if (m.hasState())
        t += " state " + std::to_string(m.state.stream) + "/" + std::to_string(m.state.data) + "/" +
             std::to_string(m.state.code) + " '" + std::string(eta::asText(m.state.text)) + "'";
    if (m.hasKey()) t += " of " + std::to_string(m.key.serviceId) + " '" + std::string(eta::asText(m.key.name)) + "'";
    if (m.hasGroupId()) {
        t += " group";
        for (const std::byte b : m.groupId)
            t += " " + std::to_string(int(b));
    }
    if (m.hasSeqNum()) t += " seq " + std::to_string(m.seqNum);
    if (m.cls == MsgClass::Update) t += " type " + std::to_string(m.updateType);
    if (m.cls == MsgClass::Refresh && m.has(codec::RefreshFlag::partNum)) t += " part " + std::to_string(m.partNum);
    if (m.containerType == DataType::FieldList) t += " {" + HubFixture::fields(m) + "}";
    return t;
}

using Lines = std::map<std::int32_t, std::vector<std::string>>;

/// Line by line, for a comparison that shows both.
[[nodiscard]] std::string listed(const Lines& lines) {
    std::string all;
    for (const auto& [stream, of] : lines)
        for (const std::string& line : of)
            all += std::to_string(stream) + " " + line + "\n";
    return all;
}

/// A sink that notes what it gets, stream by stream.
struct Recorder final : hub::sink::FeedHandler {
    explicit Recorder(HubFixture& f) : fixture(f), lock(f.hub->rooms().reactor.lock()) {
        const Hub::Rooms rooms = f.hub->rooms();
        const std::lock_guard guard(lock);
        feed = std::make_unique<hub::sink::ItemFeed>(
            hub::sink::FeedRooms{rooms.outputs, rooms.services, rooms.flow, rooms.views}, *this, "recorder");
    }
    ~Recorder() { close(); }
    void close() {
        const std::lock_guard guard(lock);
        feed.reset();
    }
    void open(std::int32_t stream, std::string_view name = "IBM", hub::sink::FeedRequest r = {},
              std::uint16_t service = HubFixture::kId) {
        codec::MsgKey key;
        key.flags = codec::KeyFlag::name;
        key.name = eta::asBytes(name);
        r.key = &key;
        r.service = service;
        r.domain = 6;
        const std::lock_guard guard(lock);
        REQUIRE(feed->open(stream, r) == hub::sink::Opened::yes);
    }
    void pause(std::int32_t stream, bool on) {
        const std::lock_guard guard(lock);
        feed->pause(stream, on);
    }
    void onMessage(const Item&, const Msg& msg) override {
        lines[msg.streamId].push_back(said(msg));
        if (!msg.raw.empty()) {
            ++asReceived;
            Msg again;
            if (!codec::decodeMsg(msg.raw, again).ok() || said(again) != said(msg)) ++wrongRaw;
        }
    }
    void onEnd(std::int32_t stream) noexcept override { ended.push_back(stream); }
    void onLost(std::int32_t) noexcept override { ++lost; }
    /// Something that ends so has come on the stream last.
    void until(std::int32_t stream, const std::string& end) {
        fixture.until([&] { return !lines[stream].empty() && lines[stream].back().ends_with(end); });
    }

    HubFixture& fixture;
    reactor::SessionLock& lock;
    Lines lines;
    std::vector<std::int32_t> ended;
    int lost = 0, asReceived = 0, wrongRaw = 0;
    std::unique_ptr<hub::sink::ItemFeed> feed;
};

/// A RIPC client that notes the same.
struct Wire {
    Wire(HubFixture& f, const std::string& user) : consumer(f.loggedIn(user)) {}
    /// All that the hub has sent up to now.
    void read() {
        consumer.send(RawConsumer::request(999'999, 6, "none", std::uint16_t{65'000}));
        for (;;) {
            const Received got = consumer.next();
            if (got.msg.streamId == 999'999) return;
            if (got.msg.domain == 6) lines[got.msg.streamId].push_back(said(got.msg));
        }
    }
    void send(const Msg& m) {
        consumer.send(m);
        read();
    }
    RawConsumer consumer;
    Lines lines;
};

/// Requests of the hub for images; changes of priority are passed over.
[[nodiscard]] std::int32_t asked(HubFixture& f) {
    for (;;) {
        const auto got = f.asked();
        if (got.msg.cls == MsgClass::Request && !got.msg.has(RequestFlag::noRefresh)) return got.msg.streamId;
    }
}

}  // namespace

TEST_CASE("a sink gets what a client gets: stale, parts, a lost source, the end of a stream", "[hub][node][sink]") {
    const auto rule = GENERATE(CachePolicy::Rule::all, CachePolicy::Rule::none);
    HubFixture f([&](HubSettings& s) { s.services[0].cache.rule = rule; });
    f.connected();
    Wire c(f, "a");
    c.send(HubFixture::request(5));
    std::int32_t stream = asked(f);
    Recorder recorder(f);
    recorder.open(5);
    f.refresh(stream, 10);
    f.update(stream, 11);
    f.update(stream, 12);
    f.sendState(stream, {StreamState::open, suspect, 1, eta::asBytes("slow")});
    f.update(stream, 13);
    f.sendState(stream, {StreamState::open, ok, 0, {}});
    f.refresh(stream, 20, "IBM", StreamState::open, false);
    Msg part = RawProvider::refresh(stream, StreamState::open, false, false);
    part.flags |= RefreshFlag::partNum | RefreshFlag::clearCache;
    f.fill(part, 30);
    f.provider.send(part);
    part = RawProvider::refresh(stream, StreamState::open, false);
    part.flags |= RefreshFlag::partNum;
    part.partNum = 1;
    f.fill(part, 31);
    f.provider.send(part);
    Msg numbered = RawProvider::update(stream);
    numbered.flags |= codec::UpdateFlag::seqNum;
    numbered.seqNum = 44;
    f.fill(numbered, 32);
    f.provider.send(numbered);
    recorder.until(5, "{22=32 25=33}");
    c.read();
    CHECK(listed(recorder.lines) == listed(c.lines));
    CHECK(c.lines[5].size() >= 9);

    f.provider.disconnect();
    f.until([&] { return recorder.lines[5].back().find(" state 1/2/") != std::string::npos; });
    stream = asked(f);
    f.refresh(stream, 50);
    f.update(stream, 51);
    recorder.until(5, "{22=51 25=52}");
    c.read();
    CHECK(listed(recorder.lines) == listed(c.lines));

    f.sendState(stream, {StreamState::closed, suspect, 3, eta::asBytes("no")});
    f.until([&] { return recorder.ended == std::vector<std::int32_t>{5}; });
    c.read();
    CHECK(listed(recorder.lines) == listed(c.lines));
    CHECK(c.lines[5].back().find(" state 4/2/3") != std::string::npos);
    CHECK(recorder.lost == 0);
    CHECK(recorder.asReceived >= 4);
    CHECK(recorder.wrongRaw == 0);
    const std::lock_guard guard(recorder.lock);
    CHECK(recorder.feed->size() == 0);
    CHECK(f.hub->rooms().items.size() == 0);
}

TEST_CASE("a sink gets what a client gets when a service goes down, comes back and is deleted", "[hub][node][sink]") {
    HubFixture f([](HubSettings& s) { s.services[0].deleteLostServices = true; });
    f.connected();
    Wire c(f, "a");
    c.send(HubFixture::request(5));
    c.send(HubFixture::request(6, "TRI"));
    Recorder recorder(f);
    recorder.open(5);
    recorder.open(6, "TRI");
    for (int i = 0; i < 2; ++i) {
        const auto got = f.asked();
        if (got.msg.cls != MsgClass::Request || got.msg.has(RequestFlag::noRefresh)) --i;
        else f.refresh(got.msg.streamId, 10, got.name());
    }
    recorder.until(6, "{22=10 25=11}");
    static constexpr std::byte kGroup[2] = {};
    f.provider.sendGroupStatus(HubFixture::kUpstreamId, kGroup, {StreamState::open, suspect, 0, eta::asBytes("group")});
    f.until([&] { return recorder.lines[5].back().find("'group'") != std::string::npos; });
    c.read();
    CHECK(listed(recorder.lines) == listed(c.lines));
    f.provider.sendServiceDelete(HubFixture::kUpstreamId);
    f.until([&] { return recorder.ended.size() == 2; });
    f.until([&] {
        c.read();
        return c.lines[6].back().find("state 3/") != std::string::npos ||
               c.lines[6].back().find("state 4/") != std::string::npos;
    });
    CHECK(listed(recorder.lines) == listed(c.lines));
}

TEST_CASE("a sink comes late, has a view, pauses, and takes snapshots, as a client does", "[hub][node][sink]") {
    HubFixture f([](HubSettings& s) { s.services[0].cache.rule = CachePolicy::Rule::all; });
    f.connected();
    Wire c(f, "a");
    Wire first(f, "first");
    first.send(HubFixture::request(4));
    const std::int32_t stream = asked(f);
    f.refresh(stream, 10);
    f.until([&] {
        first.read();
        return first.lines[4].size() == 1;
    });
    Recorder recorder(f);

    Msg viewed = HubFixture::request(5);
    rdm::View view;
    view.fields = {25};
    reactor::GrowingBuffer room;
    codec::ElementListEncoder list;
    list.begin(room.start());
    view.encode(list);
    REQUIRE(list.complete().ok());
    viewed.flags |= RequestFlag::view | RequestFlag::msgKeyInUpdates;
    viewed.containerType = codec::DataType::ElementList;
    viewed.payload = room.view();
    c.send(viewed);
    hub::sink::FeedRequest r;
    r.view = &view;
    r.members = Mount::keyInUpdates;
    recorder.open(5, "IBM", r);
    Msg snapshot = HubFixture::request(6);
    snapshot.flags = 0;
    c.send(snapshot);
    r = {};
    r.streaming = false;
    recorder.open(6, "IBM", r);
    CHECK(recorder.ended == std::vector<std::int32_t>{6});
    c.send(HubFixture::request(7));
    recorder.open(7);
    f.update(stream, 20);
    recorder.until(7, "{22=20 25=21}");
    recorder.until(5, "{25=21}");

    Msg pause = HubFixture::request(7);
    pause.flags |= static_cast<std::uint16_t>(RequestFlag::noRefresh | RequestFlag::pause);
    c.send(pause);
    recorder.pause(7, true);
    f.update(stream, 30);
    recorder.until(5, "{25=31}");
    c.read();
    CHECK(recorder.lines[7].back().ends_with("{22=20 25=21}"));
    pause.flags &= static_cast<std::uint16_t>(~RequestFlag::pause);
    c.send(pause);
    recorder.pause(7, false);
    recorder.until(7, "{22=30 25=31}");
    f.update(stream, 40);
    recorder.until(7, "{22=40 25=41}");
    c.read();
    CHECK(listed(recorder.lines) == listed(c.lines));
    CHECK(c.lines[5].size() == 4);
    CHECK(c.lines[6].size() == 1);
}

TEST_CASE("a sink has every update while clients beside it get joined ones", "[hub][node][sink][rates][json]") {
    HubFixture f([](HubSettings& s) {
        s.services[0].cache.rule = CachePolicy::Rule::all;
        ListenerSettings rated = s.listeners[0];
        rated.name = "rated";
        rated.conflation = {Conflation::Mode::interval, 50ms};
        s.listeners.push_back(rated);
    });
    f.plainNumbers = true;
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    LateReader slow(f, false, 1, "slow"), text(f, true, 1, "text"), quick(f, true, 0, "quick");
    Wire c(f, "a");
    for (LateReader* const reader : {&slow, &text, &quick})
        reader->open(5);
    c.send(HubFixture::request(5));
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 4; });
    const std::int32_t stream = asked(f);
    Recorder recorder(f);
    recorder.open(5);
    f.refresh(stream, 1);
    constexpr std::uint64_t kUpdates = 300;
    const auto readAll = [&] {
        for (LateReader* const reader : {&slow, &text, &quick})
            reader->read();
    };
    for (std::uint64_t i = 0; i < kUpdates; ++i) {
        f.update(stream, 100 + i);
        f.turn();
        readAll();
    }
    recorder.until(5, "{1=399}");
    f.until([&] {
        readAll();
        const auto at = [](const LateReader& r) { return r.values.contains(5) && r.values.at(5) == "1=399"; };
        return at(slow) && at(text) && at(quick);
    });
    c.read();
    CHECK(listed(recorder.lines) == listed(c.lines));
    CHECK(recorder.lines[5].size() == kUpdates + 1);
    CHECK(quick.updates == kUpdates);
    CHECK(slow.updates < kUpdates);
    CHECK(text.updates < kUpdates);
    const auto snapshot = f.hub->rooms().reactor.metrics();
    CHECK(snapshot.value("emissary_hub_unsent_total").value_or(0) == 0);
}

TEST_CASE("a sink alone holds an item; clients come and go beside it, and it goes as the last", "[hub][node][sink]") {
    HubFixture f;
    f.connected();
    Wire c(f, "a");
    // A number that an item of a client had before.
    c.send(HubFixture::request(4, "OLD"));
    f.refresh(asked(f), 1, "OLD");
    f.until([&] {
        c.read();
        return !c.lines[4].empty();
    });
    c.send(RawConsumer::close(4));
    f.until([&] { return f.hub->rooms().items.size() == 0; });
    f.provider.inbox.clear();
    {
        Recorder recorder(f);
        recorder.open(5);
        const std::int32_t stream = asked(f);
        f.refresh(stream, 10);
        f.update(stream, 11);
        recorder.until(5, "{22=11 25=12}");
        c.send(HubFixture::request(8));
        f.until([&] { return f.asked().msg.cls == MsgClass::Request; });
        f.refresh(stream, 12);
        f.update(stream, 13);
        recorder.until(5, "{22=13 25=14}");
        c.read();
        CHECK(c.lines[8].size() == 2);
        CHECK(recorder.lines[5].back() == c.lines[8].back());
        c.send(RawConsumer::close(8));
        f.until([&] {
            const std::lock_guard guard(recorder.lock);
            return f.hub->rooms().flow.counts().mounts.get() == 1;
        });
        f.update(stream, 14);
        recorder.until(5, "{22=14 25=15}");
        c.read();
        CHECK(c.lines[8].size() == 2);
        CHECK(f.hub->rooms().items.size() == 1);
    }
    f.until([&] { return !f.wire().empty() && f.wire().back().starts_with("CLOSE"); });
    CHECK(f.hub->rooms().items.size() == 0);
    CHECK(f.hub->rooms().clients.size() == 1);
}

TEST_CASE("a published item goes to a sink: images at once, and what follows when the publisher is lost",
          "[hub][node][sink]") {
    HubFixture f;
    Publisher p(f);
    Wire c(f, "a");
    const std::uint16_t service = serviceOf(c.consumer);
    p.refresh(-3, "IBM", 10);
    f.until([&] { return f.hub->rooms().items.size() == 1; });
    c.send(RawConsumer::request(5, 6, "IBM", service));
    Recorder recorder(f);
    recorder.open(5, "IBM", {}, service);
    p.update(-3, 11);
    recorder.until(5, "{22=11 25=12}");
    p.wire.disconnect();
    f.until([&] { return recorder.lines[5].back().find(" state 1/2/") != std::string::npos; });
    Publisher again(f);
    again.refresh(-4, "IBM", 20);
    recorder.until(5, "{22=20 25=21}");
    f.until([&] {
        c.read();
        return c.lines[5].size() >= recorder.lines[5].size();
    });
    CHECK(listed(recorder.lines) == listed(c.lines));
}

TEST_CASE("the use of a sink is not counted, and that beside it is", "[hub][node][sink][usage]") {
    perf::test::TempDir dir;
    const std::string folder = dir.file("usage");
    std::filesystem::create_directory(folder);
    const eta::WallClock::time_point day{std::chrono::sys_days(std::chrono::days(20'785)) + 12h};
    HubFixture f(
        [&](HubSettings& s) {
            s.usage.folder = folder;
            s.usage.rows = 100;
            s.services[0].cache.rule = CachePolicy::Rule::all;
        },
        nullptr, nullptr, [&] { return day; });
    f.connected();
    Wire c(f, "a");
    c.send(HubFixture::request(5));
    const std::int32_t stream = asked(f);
    {
        Recorder recorder(f);
        recorder.open(5);
        f.refresh(stream, 10);
        f.update(stream, 11);
        f.update(stream, 12);
        recorder.until(5, "{22=12 25=13}");
    }
    c.read();
    CHECK(c.lines[5].size() == 3);
    c.consumer.disconnect();
    f.until([&] { return f.hub->rooms().clients.size() == 0; });
    f.hub.reset();
    hub::usage::Rows rows;
    std::vector<std::string> faults;
    readFile(folder + "/" + hub::usage::fileNameOf(20'785), rows, faults);
    CHECK(faults.empty());
    REQUIRE(rows.size() == 1);
    CHECK(rows.begin()->first.user == "a");
    CHECK(rows.begin()->second.updates == 2);
    CHECK(rows.begin()->second.opened == 1);
}
