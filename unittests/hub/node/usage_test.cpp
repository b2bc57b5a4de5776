// The use of items in a whole hub, by RIPC and JSON clients: what is counted, restarts, days, and the bound.
#include "fixture.h"
#include "hub/usage/usage_file.h"
#include "perftools/TempDir.h"
#include "reactor/json/fixture.h"

#include <filesystem>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using hub::usage::Key;
using hub::usage::Numbers;

namespace {

constexpr std::int64_t kUsageDay = 20'785;  // 2026-11-28

struct UsageHub {
    perf::test::TempDir dir;
    std::string folder = dir.file("usage");
    eta::WallClock::time_point now{std::chrono::sys_days(std::chrono::days(kUsageDay)) + 12h};
    std::uint32_t rows = 1000;
    std::unique_ptr<HubFixture> f;
    std::int32_t upstream = 0;  // stream of the item at the provider

    UsageHub() { std::filesystem::create_directory(folder); }
    void start() {
        f = std::make_unique<HubFixture>(
            [&](HubSettings& s) {
                s.usage.folder = folder;
                s.usage.interval = 1s;
                s.usage.rows = rows;
                s.services[0].cache.rule = CachePolicy::Rule::all;
            },
            nullptr, nullptr, [this] { return now; });
        f->plainNumbers = true;
        f->connected();
        f->until([&] { return f->hub->dictionary() != nullptr; });
    }
    /// Ends the hub; what it has written.
    void end() { f->hub.reset(); }
    [[nodiscard]] hub::usage::Rows written(std::int64_t day = kUsageDay) const {
        hub::usage::Rows all;
        std::vector<std::string> faults;
        readFile(folder + "/" + hub::usage::fileNameOf(day), all, faults);
        CHECK(faults.empty());
        return all;
    }
    /// With permission data that say product 62.
    void refresh(std::int32_t stream, const std::string& name) {
        static constexpr std::byte kLock[]{std::byte{3}, std::byte{1}, std::byte{1}, std::byte{0x62}, std::byte{0xC0}};
        Msg m = RawProvider::refresh(stream, StreamState::open, true);
        m.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache | RefreshFlag::permData;
        m.permData = kLock;
        m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
        m.key.serviceId = HubFixture::kUpstreamId;
        m.key.name = eta::asBytes(name);
        f->fill(m, 10);
        f->provider.send(m);
    }
    void open(RawConsumer& c, std::int32_t stream, const std::string& name = "IBM") {
        c.send(HubFixture::request(stream, name));
        upstream = f->asked().msg.streamId;
        refresh(upstream, name);
        checkState(c.next(), stream, StreamState::open, ok);
    }
    void updates(RawConsumer& c, int n) {
        for (int i = 0; i < n; ++i)
            f->update(upstream, static_cast<std::uint64_t>(i));
        for (int i = 0; i < n; ++i)
            CHECK(c.next().msg.cls == MsgClass::Update);
    }
};

const Key kDana{"dana", "DIRECT_FEED", "62"}, kTess{"tess", "DIRECT_FEED", "62"};

}  // namespace

TEST_CASE("streams, updates and snapshots of RIPC and JSON clients are counted by user, service and product",
          "[hub][node][json][usage]") {
    UsageHub t;
    t.start();
    RawConsumer c = t.f->loggedIn("dana");
    t.open(c, 5);
    t.updates(c, 10);
    Msg once = HubFixture::request(6);
    once.flags = static_cast<std::uint16_t>(once.flags & ~RequestFlag::streaming);
    c.send(once);
    CHECK(c.next().msg.streamId == 6);
    c.send(HubFixture::request(7, "NOBODY"));  // is never answered: nothing was used
    (void)t.f->asked();

    TextClient web(webSocketTo(t.f->hub->port()), [&] { t.f->turn(); });
    web.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"tess"}})");
    REQUIRE(web.next("Domain", "Login").at("State").at("Stream").text == "Open");
    web.send(R"({"ID":8,"Key":{"Name":"IBM","Service":"DIRECT_FEED"}})");
    CHECK(web.next("ID", "8").at("Type").text == "Refresh");
    t.updates(c, 3);
    for (int i = 0; i < 3; ++i)
        CHECK(web.next("ID", "8").at("Type").text == "Update");
    web.send(R"({"ID":9,"Key":{"Name":"IBM","Service":"DIRECT_FEED"},"Streaming":false})");
    CHECK(web.next("ID", "9").at("Type").text == "Refresh");

    // While they are open, the file has them.
    t.f->until([&] {
        auto rows = t.written();
        return rows[kDana].updates == 13 && rows[kTess].snapshots == 1 && rows[kDana].held > 0s;
    });
    c.send(RawConsumer::close(5, 6));
    CHECK(HubFixture::silent(c));
    t.f->update(t.upstream, 99);
    CHECK(web.next("ID", "8").at("Type").text == "Update");
    t.end();
    auto rows = t.written();
    CHECK(rows.size() == 2);
    CHECK(rows[kDana].opened == 1);
    CHECK(rows[kDana].updates == 13);
    CHECK(rows[kDana].snapshots == 1);
    CHECK(rows[kTess].opened == 1);
    CHECK(rows[kTess].updates == 4);
    CHECK(rows[kTess].snapshots == 1);
    CHECK(rows[kTess].held > 0s);
    CHECK(rows[kTess].held < 60s);
}

TEST_CASE("updates that pass a stream that is paused are not its use", "[hub][node][usage]") {
    UsageHub t;
    t.start();
    RawConsumer c = t.f->loggedIn("dana"), other = t.f->loggedIn("tess");
    t.open(c, 5);
    other.send(HubFixture::request(5));
    checkState(other.next(), 5, StreamState::open, ok);
    t.updates(c, 2);
    Msg pause = HubFixture::request(5);
    pause.flags |= RequestFlag::pause | RequestFlag::noRefresh;
    c.send(pause);
    CHECK(HubFixture::silent(c));
    for (int i = 0; i < 7; ++i)
        t.f->update(t.upstream, 50);
    for (int i = 0; i < 9; ++i)
        CHECK(other.next().msg.cls == MsgClass::Update);
    c.send(HubFixture::request(5));
    CHECK(c.next().msg.cls == MsgClass::Refresh);
    t.updates(c, 4);
    t.end();
    auto rows = t.written();
    CHECK(rows[kDana].updates == 6);
    CHECK(rows[kDana].opened == 1);
    CHECK(rows[kTess].updates == 13);
}

TEST_CASE("a restart adds to what was written, and a day begins a file", "[hub][node][usage]") {
    UsageHub t;
    for (std::uint64_t run = 1; run <= 3; ++run) {
        t.start();
        RawConsumer c = t.f->loggedIn("dana");
        t.open(c, 5);
        t.updates(c, 5);
        t.end();
        CHECK(t.written()[kDana].opened == run);
        CHECK(t.written()[kDana].updates == 5 * run);
    }
    t.start();
    RawConsumer c = t.f->loggedIn("dana");
    t.open(c, 5);
    t.updates(c, 5);
    t.now += 24h;
    t.f->until([&] { return t.written(kUsageDay + 1).contains(kDana); });  // held over midnight
    CHECK(t.written(kUsageDay + 1)[kDana].opened == 0);
    CHECK(t.written()[kDana].updates == 20);
    const auto yesterday = t.written()[kDana].held;
    t.now -= 72h;  // a clock that steps back changes nothing
    t.updates(c, 6);
    t.end();
    CHECK(t.written(kUsageDay + 1)[kDana].updates == 6);
    CHECK(t.written()[kDana].held == yesterday);
    CHECK(t.written(kUsageDay - 2).empty());
}

TEST_CASE("users beyond the bound are in one row", "[hub][node][usage]") {
    UsageHub t;
    t.rows = 2;
    t.start();
    std::vector<std::unique_ptr<RawConsumer>> all;
    for (int i = 0; i < 5; ++i) {
        all.push_back(std::make_unique<RawConsumer>(t.f->loggedIn("user" + std::to_string(i))));
        if (i == 0) {
            t.open(*all[0], 5);
            continue;
        }
        all.back()->send(HubFixture::request(5));
        checkState(all.back()->next(), 5, StreamState::open, ok);
    }
    t.end();
    auto rows = t.written();
    CHECK(rows.size() == 3);
    CHECK(rows[hub::usage::kOthers].opened == 3);
}

TEST_CASE("a file of use that is damaged is kept, and what can be read of it goes on", "[hub][node][usage]") {
    UsageHub t;
    const std::string path = t.folder + "/" + hub::usage::fileNameOf(kUsageDay);
    std::ofstream(path)
        << "user,service,product,opened,seconds,updates,snapshots\ndana,DIRECT_FEED,62,7,1.000,9,0\nhalf,a";
    t.start();
    CHECK(std::ranges::any_of(t.f->lines, [&](const std::string& l) { return l.find(path + ":3: ") != l.npos; }));
    t.end();
    CHECK(t.written()[kDana].opened == 7);
    CHECK(std::filesystem::exists(path + ".damaged"));
}
