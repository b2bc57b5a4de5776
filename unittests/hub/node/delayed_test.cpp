// A service that is another one some time ago: what its clients see is compared with what those of the original saw.
#include "fixture.h"
#include "hub/cache/RandomPayload.h"
#include "hub/client/rights.h"
#include "hub/core/ItemTable.h"
#include "perftools/TempDir.h"
#include "reactor/json/fixture.h"
#include "reactor/metrics/Snapshot.h"
#include "support/StillClock.h"

#include <deque>
#include <filesystem>
#include <map>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using json_test::Json;

namespace {

constexpr std::uint16_t kDelayedService = 71;
constexpr std::chrono::milliseconds kDelay = 10s;

[[nodiscard]] std::string told(const Msg& m) {
    std::string t = name(m.cls);
    if (m.hasState())
        t += " " + std::to_string(m.state.stream) + "/" + std::to_string(m.state.data) + " '" +
             std::string(eta::asText(m.state.text)) + "'";
    if (m.cls == MsgClass::Update) t += " type " + std::to_string(m.updateType);
    t += " ";
    for (const std::byte b : m.payload)
        t += "0123456789abcdef"[int(b) >> 4], t += "0123456789abcdef"[int(b) & 15];
    return t;
}

struct LateHub : HubFixture {
    explicit LateHub(StillClock& c, const std::function<void(HubSettings&)>& change = {},
                     hub::client::RequestCheck* check = nullptr)
        : HubFixture(
              [&](HubSettings& s) {
                  s.services[0].cache.rule = CachePolicy::Rule::all;
                  ServiceSettings later;
                  later.name = "LATER";
                  later.serviceId = kDelayedService;
                  later.cache.rule = CachePolicy::Rule::all;
                  // What is compared message by message must not be joined for a client that is behind.
                  later.conflation.mode = s.services[0].conflation.mode = Conflation::Mode::none;
                  later.delay.emplace();
                  later.delay->of = "DIRECT_FEED";
                  later.delay->time = std::chrono::duration_cast<std::chrono::seconds>(kDelay);
                  s.services.push_back(later);
                  if (change) change(s);
              },
              &c, check),
          clock(c) {}
    static DelaySettings& delay(HubSettings& s) { return *s.services[1].delay; }
    /// Time passes, and what is due goes out.
    void pass(std::chrono::milliseconds time) {
        clock.advance(time);
        for (int i = 0; i < 10; ++i)
            turn();
    }
    [[nodiscard]] std::int32_t itemAsked() {
        for (;;) {
            const auto got = asked();
            if (got.msg.cls == MsgClass::Request && !got.msg.has(RequestFlag::noRefresh)) return got.msg.streamId;
        }
    }
    [[nodiscard]] static Msg later(std::int32_t stream, std::string_view name = "IBM") {
        return RawConsumer::request(stream, 6, name, kDelayedService);
    }
    StillClock& clock;
};

/// A client that notes what comes, and when.
struct Watcher {
    Watcher(LateHub& f, const std::string& user) : Watcher(f, f.loggedIn(user)) {}
    Watcher(LateHub& f, RawConsumer c) : fixture(f), consumer(std::move(c)) {}
    /// All that the hub has sent up to now.
    void read() {
        consumer.send(RawConsumer::request(999'999, 6, "none", std::uint16_t{65'000}));
        for (;;) {
            Received got = consumer.next();
            if (got.msg.streamId == 999'999) return;
            if (got.msg.domain == 6) {
                lines[got.msg.streamId].push_back({fixture.clock.now(), told(got.msg)});
                last.insert_or_assign(got.msg.streamId, std::move(got));  // with the bytes of its views
            }
        }
    }
    [[nodiscard]] std::size_t seen() const {
        std::size_t n = 0;
        for (const auto& [stream, of] : lines)
            n += of.size();
        return n;
    }
    /// So many more messages have come.
    void until(std::size_t more) {
        const std::size_t end = seen() + more;
        fixture.until([&] {
            read();
            return seen() >= end;
        });
    }
    void send(const Msg& m) {
        consumer.send(m);
        read();
    }
    [[nodiscard]] const std::string& latest(std::int32_t stream) { return lines[stream].back().second; }

    LateHub& fixture;
    RawConsumer consumer;
    std::map<std::int32_t, std::vector<std::pair<eta::TimePoint, std::string>>> lines;
    std::map<std::int32_t, Received> last;
};

/// The late client has what the fast one had then, message by message, and nothing else; `first`: what it was told
/// before its first image.
void compare(Watcher& fast, Watcher& late, std::size_t first = 1) {
    const eta::TimePoint then = fast.fixture.clock.now() - kDelay;
    for (const auto& [stream, lines] : fast.lines) {
        std::vector<std::string> expected, got;
        for (const auto& [at, line] : lines)
            if (at <= then) expected.push_back(line);
        for (std::size_t i = first; i < late.lines[stream].size(); ++i)
            got.push_back(late.lines[stream][i].second);
        INFO("stream " << stream);
        REQUIRE(got == expected);
    }
}

void send(LateHub& f, MsgClass cls, std::int32_t stream, codec::DataType type, eta::Bytes payload) {
    Msg m =
        cls == MsgClass::Refresh ? RawProvider::refresh(stream, StreamState::open, false) : RawProvider::update(stream);
    if (cls == MsgClass::Refresh) m.flags |= RefreshFlag::clearCache;
    m.containerType = type;
    m.payload = payload;
    f.provider.send(m);
}

/// A generic message: an opaque value that no cache takes for a change.
void sendFiller(LateHub& f, std::int32_t stream, eta::Bytes filler) {
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = 6;
    m.streamId = stream;
    m.flags = codec::GenericFlag::complete;
    m.containerType = codec::DataType::Opaque;
    m.payload = filler;
    f.provider.send(m);
}

}  // namespace

TEST_CASE("a delayed service says when there is something to see, and then shows what was", "[hub][node][delay]") {
    StillClock clock;
    LateHub f(clock);
    f.connected();
    Watcher fast(f, "fast"), late(f, "late");
    fast.send(HubFixture::request(5));
    const std::int32_t stream = f.itemAsked();
    f.refresh(stream, 10);
    fast.until(1);
    late.send(LateHub::later(5));
    REQUIRE(late.lines[5].size() == 1);
    CHECK(late.latest(5).starts_with("Status 1/2 'service 'LATER' is 10 s behind 'DIRECT_FEED': there is no "
                                     "image before 20"));
    f.pass(4s);
    f.update(stream, 11);
    fast.until(1);
    // Who comes in between waits for the same image, and hears so too.
    Watcher second(f, "second");
    second.send(LateHub::later(5));
    REQUIRE(second.lines[5].size() == 1);
    CHECK(second.latest(5) == late.latest(5));
    f.pass(5999ms);
    late.read();
    CHECK(late.lines[5].size() == 1);
    f.pass(1ms);
    late.read();
    REQUIRE(late.lines[5].size() == 2);
    CHECK(HubFixture::fields(late.last[5].msg) == "22=10 25=11");
    CHECK(late.last[5].msg.key.serviceId == kDelayedService);
    CHECK(int{late.last[5].msg.qos.timeliness} == 3);
    CHECK(late.last[5].msg.qos.timeInfo == 10);
    second.read();
    CHECK(HubFixture::fields(second.last[5].msg) == "22=10 25=11");
    // Who comes later has the image of that time at once.
    f.pass(4s);
    Watcher third(f, "third");
    third.send(LateHub::later(5));
    REQUIRE(third.lines[5].size() == 1);
    CHECK(HubFixture::fields(third.last[5].msg) == "22=11 25=12");
    late.read();
    compare(fast, late);
    // The item ends: for the delayed service that much later, while a client that asks meanwhile still gets its image.
    f.sendState(stream, {StreamState::closed, suspect, 3, eta::asBytes("no")});
    fast.until(1);
    f.pass(9s);
    Watcher fourth(f, "fourth");
    fourth.send(LateHub::later(5));
    REQUIRE(fourth.lines[5].size() == 1);
    CHECK(fourth.latest(5).starts_with("Refresh 1/1"));
    f.pass(1s);
    late.read();
    compare(fast, late);
    CHECK(late.latest(5).starts_with("Status 4/2 'no'"));
    fourth.read();
    CHECK(fourth.latest(5).starts_with("Status 4/2 'no'"));
}

TEST_CASE("at any time a delayed client has what a client of the original had then", "[hub][node][delay]") {
    const auto type = GENERATE(codec::DataType::FieldList, codec::DataType::Map, codec::DataType::Vector,
                               codec::DataType::Series, codec::DataType::FilterList, codec::DataType::ElementList);
    const bool spills = GENERATE(false, true);
    StillClock clock;
    perf::test::TempDir folder;
    LateHub f(clock, [&](HubSettings& s) {
        if (!spills) return;
        LateHub::delay(s).memoryBytes = 4u << 20;  // half of it before the file, half while the disk is slow
        LateHub::delay(s).fileBytes = 64u << 20;
        LateHub::delay(s).folder = folder.file("");
    });
    f.connected();
    Watcher fast(f, "fast"), late(f, "late");
    RandomPayload random(17);
    const std::vector<std::byte> filler(20'000, std::byte{7});
    std::map<std::int32_t, std::int32_t> streams;
    const std::string names[] = {"A", "B", "C"};
    for (std::int32_t i = 0; i < 3; ++i) {
        fast.send(HubFixture::request(5 + i, names[i]));
        streams[5 + i] = f.itemAsked();
        late.send(LateHub::later(5 + i, names[i]));
        send(f, MsgClass::Refresh, streams[5 + i], type, random.make(type, true, codec::DataType::FieldList));
        fast.until(1);
    }
    for (int step = 0; step < (spills ? 900 : 300); ++step) {
        const std::int32_t to = streams[5 + static_cast<std::int32_t>(random.below(3))];
        const unsigned what = random.below(20);
        if (what == 0) send(f, MsgClass::Refresh, to, type, random.make(type, true, codec::DataType::FieldList));
        else if (what == 1) f.sendState(to, {StreamState::open, suspect, 0, eta::asBytes("stale")});
        else if (what == 2) f.sendState(to, {StreamState::open, ok, 0, {}});
        else if (spills && what < 18) {
            // Large, so that memory is not enough.
            sendFiller(f, to, filler);
        } else send(f, MsgClass::Update, to, type, random.make(type, false, codec::DataType::FieldList));
        fast.until(1);
        f.pass(std::chrono::milliseconds(random.below(spills ? 100 : 700)));
        late.read();
        if (!spills) compare(fast, late);
    }
    f.pass(kDelay);
    f.until([&] {
        late.read();
        return late.seen() == fast.seen() + 3;
    });
    compare(fast, late);
    if (!spills) return;
    CHECK(f.hub->rooms().reactor.metrics().value("emissary_hub_delay_file_writes_total").value_or(0) > 10);
}

TEST_CASE("a lost provider is lost later, and so is a service that goes down", "[hub][node][delay]") {
    StillClock clock;
    LateHub f(clock);
    f.connected();
    Watcher fast(f, "fast"), late(f, "late");
    fast.send(HubFixture::request(5));
    f.refresh(f.itemAsked(), 10);
    fast.until(1);
    late.send(LateHub::later(5));
    f.pass(kDelay);
    late.read();
    compare(fast, late);
    const auto stateOf = [&](std::uint16_t id) {
        RawConsumer c = f.loggedIn("looks");
        c.send(RawConsumer::directoryRequest(3));
        for (;;) {
            const Received got = c.next();
            rdm::Directory d;
            if (got.msg.cls != MsgClass::Refresh || !d.apply(got.msg.payload, false).ok()) continue;
            for (const char* const name : {"DIRECT_FEED", "LATER"})
                if (const rdm::Service* s = d.find(name); s != nullptr && s->id == id)
                    return std::string(s->state.up ? "up" : "down");
            return std::string("gone");
        }
    };
    f.provider.die();
    fast.until(1);
    CHECK(fast.latest(5).starts_with("Status 1/2"));
    CHECK(stateOf(HubFixture::kId) == "down");
    CHECK(stateOf(kDelayedService) == "up");
    f.pass(4s);
    // An item that is asked for while the original is down waits until it is back.
    Watcher other(f, "other");
    other.send(LateHub::later(6, "TRI"));
    f.until([&] {
        other.read();
        return other.lines[6].size() == 2;
    });
    CHECK(other.latest(6).find("which is down: the first image is shown 10 s after it is up again") !=
          std::string::npos);
    late.read();
    CHECK(late.latest(5).starts_with("Refresh"));
    f.pass(5s);
    CHECK(stateOf(kDelayedService) == "up");
    f.provider.revive();
    f.until([&] {
        f.pass(50ms);  // until the hub connects again
        return f.provider.connected();
    });
    std::map<std::string, std::int32_t> asked;
    f.until([&] {
        f.pass(1ms);
        while (auto got = f.provider.take())
            if (got->msg.cls == MsgClass::Request) asked[got->name()] = got->msg.streamId;
        return asked.size() == 2;
    });
    f.refresh(asked["IBM"], 20);
    f.refresh(asked["TRI"], 30, "TRI");
    fast.until(1);
    const eta::TimePoint back = clock.now();
    f.until([&] {
        f.pass(10ms);
        late.read();
        return late.latest(5).starts_with("Status 1/2");
    });
    CHECK(stateOf(kDelayedService) == "down");
    compare(fast, late);
    CHECK(clock.now() < back + kDelay);
    f.pass(back + kDelay - clock.now() > 0s ? std::chrono::ceil<std::chrono::milliseconds>(back + kDelay - clock.now())
                                            : 0ms);
    late.read();
    compare(fast, late);
    CHECK(HubFixture::fields(late.last[5].msg) == "22=20 25=21");
    CHECK(stateOf(kDelayedService) == "up");
    f.until([&] {
        f.pass(1ms);
        other.read();
        return other.latest(6).starts_with("Refresh");
    });
    CHECK(HubFixture::fields(other.last[6].msg) == "22=30 25=31");
}

TEST_CASE("items of a list are open all the time, so the first client has an image at once", "[hub][node][delay]") {
    StillClock clock;
    LateHub f(clock, [](HubSettings& s) { LateHub::delay(s).items = {"IBM"}; });
    f.connected();
    const std::int32_t stream = f.itemAsked();  // before anybody wants it
    f.refresh(stream, 10);
    Watcher fast(f, "fast");
    fast.send(HubFixture::request(5));
    Watcher early(f, "early");
    early.send(LateHub::later(5));
    CHECK(early.lines[5].size() == 1);  // not yet
    f.pass(kDelay);
    early.read();
    CHECK(HubFixture::fields(early.last[5].msg) == "22=10 25=11");
    early.send(RawConsumer::close(5));
    f.update(stream, 12);
    fast.until(1);
    f.pass(9s);
    Watcher late(f, "late");
    late.send(LateHub::later(5));
    CHECK(HubFixture::fields(late.last[5].msg) == "22=10 25=11");
    f.pass(1s);
    late.read();
    compare(fast, late, 0);
    // It ends, and is asked for again.
    f.sendState(stream, {StreamState::closed, suspect, 3, eta::asBytes("no")});
    fast.until(1);
    f.pass(10s);
    late.read();
    CHECK(late.latest(5).starts_with("Status 4/2 'no'"));
    f.refresh(f.itemAsked(), 20);
    f.until([&] {  // it is there
        Watcher again(f, "again");
        again.send(HubFixture::request(7));
        return !again.lines[7].empty() && again.latest(7).starts_with("Refresh");
    });
    f.pass(kDelay);
    Watcher after(f, "after");
    after.send(LateHub::later(5));
    REQUIRE(after.lines[5].size() == 1);
    CHECK(HubFixture::fields(after.last[5].msg) == "22=20 25=21");
}

TEST_CASE("what has no room makes its item suspect when it would have been shown", "[hub][node][delay]") {
    StillClock clock;
    LateHub f(clock, [](HubSettings& s) { LateHub::delay(s).memoryBytes = 1u << 20; });
    f.connected();
    Watcher fast(f, "fast"), late(f, "late");
    fast.send(HubFixture::request(5));
    const std::int32_t stream = f.itemAsked();
    f.refresh(stream, 10);
    fast.until(1);
    late.send(LateHub::later(5));
    f.pass(5s);
    const std::vector<std::byte> filler(50'000, std::byte{7});
    const auto counts = [&](const char* name) { return f.hub->rooms().reactor.metrics().value(name).value_or(0); };
    std::size_t sent = 0;
    while (counts("emissary_hub_delay_gaps_total") == 0) {
        REQUIRE(++sent < 100);
        sendFiller(f, stream, filler);
        fast.until(1);
    }
    CHECK(counts("emissary_hub_delay_memory_bytes") <= 1u << 20);
    f.update(stream, 11);
    fast.until(1);
    CHECK(counts("emissary_hub_delay_left_out_total") == 2);
    // Nothing is shown early.
    late.read();
    CHECK(late.lines[5].size() == 1);
    f.pass(5s);
    late.read();
    CHECK(late.lines[5].size() == 2);
    f.pass(5s);
    f.until([&] {
        late.read();
        return late.lines[5].size() == 2 + sent;
    });
    CHECK(late.latest(5).find("Status 1/2 'there was no room to keep updates of this item") == 0);
    // An image that was asked for when there was room again comes its time later, and it goes on.
    f.update(stream, 12);
    fast.until(1);
    const auto again = [&] {
        late.read();
        return late.latest(5).starts_with("Refresh 1/1");
    };
    CHECK_FALSE(again());
    for (int i = 0; i < 30 && !again(); ++i)
        f.pass(1s);
    CHECK(HubFixture::fields(late.last[5].msg) == "22=12 25=13");
    f.update(stream, 13);
    fast.until(1);
    f.pass(kDelay);
    late.read();
    CHECK(HubFixture::fields(late.last[5].msg) == "22=13 25=14");
}

TEST_CASE("a delayed service has rights of its own, takes no posts, and speaks JSON", "[hub][node][json][delay]") {
    StillClock clock;
    Rights rights;
    rights.later = false;
    // "late" may have the delayed service alone.
    rights.grants = [](const auto& ask) { return ask.user == "fast" || ask.service == "LATER"; };
    LateHub f(clock, {}, &rights);
    f.plainNumbers = true;
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    Watcher late(f, "late");
    late.send(HubFixture::request(5));
    CHECK(late.latest(5).starts_with("Status 4/2"));
    TextClient text(webSocketTo(f.hub->port()), [&] { f.turn(); });
    text.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"late"}})");
    REQUIRE(text.next("Domain", "Login").at("State").at("Stream").text == "Open");
    text.send(R"({"ID":7,"Key":{"Name":"IBM","Service":"LATER"}})");
    late.send(LateHub::later(6));
    const std::int32_t stream = f.itemAsked();
    f.refresh(stream, 10);
    const Json wait = text.next("ID", "7");
    CHECK(wait.at("Type").text == "Status");
    CHECK(wait.at("State").at("Data").text == "Suspect");
    f.until([&] { return f.hub->rooms().reactor.metrics().value("emissary_hub_delay_messages_total") == 1u; });
    f.update(stream, 11);
    f.until([&] { return f.hub->rooms().reactor.metrics().value("emissary_hub_delay_messages_total") == 2u; });
    f.pass(kDelay);
    late.read();
    REQUIRE(late.lines[6].size() == 3);
    const Json image = text.next("ID", "7");
    CHECK(image.at("Type").text == "Refresh");
    CHECK(image.at("Key").at("Service").text == "LATER");
    CHECK(image.at("Fields").at("PROD_PERM").text == "10");
    CHECK(text.next("ID", "7").at("Fields").at("PROD_PERM").text == "11");
    // Posts, on the item's stream and off it.
    for (const std::int32_t on : {6, 1}) {
        Msg post;
        post.cls = MsgClass::Post;
        post.streamId = on;
        post.domain = 6;
        post.flags =
            codec::PostFlag::postId | codec::PostFlag::complete | codec::PostFlag::ack | codec::PostFlag::msgKey;
        post.postId = 17;
        post.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
        post.key.serviceId = kDelayedService;
        post.key.name = eta::asBytes("IBM");
        f.fill(post, 55);
        late.consumer.send(post);
        const Received ack = late.consumer.next();
        REQUIRE(ack.msg.cls == MsgClass::Ack);
        CHECK(ack.msg.nakCode != 0);
        CHECK(eta::asText(ack.msg.text) == "the source takes no posts");
    }
}

TEST_CASE("nothing is missing while an image is asked for that the cache does not have", "[hub][node][delay]") {
    StillClock clock;
    LateHub f(clock, [](HubSettings& s) { s.services[0].cache.rule = CachePolicy::Rule::none; });
    f.connected();
    Watcher late(f, "late");
    const auto heard = [&](std::uint64_t n) {
        f.until([&] {
            return f.hub->rooms().reactor.metrics().value("emissary_hub_delay_messages_total").value_or(0) == n;
        });
    };
    late.send(LateHub::later(5));
    const std::int32_t stream = f.itemAsked();
    Msg m = RawProvider::refresh(stream, StreamState::open, true);
    m.flags |= RefreshFlag::doNotCache | RefreshFlag::clearCache;
    f.fill(m, 10);
    f.provider.send(m);
    heard(1);
    f.pass(kDelay);
    late.read();
    CHECK(HubFixture::fields(late.last[5].msg) == "22=10 25=11");
    // The second client needs an image: another one is asked for, and updates go on meanwhile.
    late.send(LateHub::later(6));
    CHECK(f.itemAsked() == stream);
    f.update(stream, 11);
    heard(2);
    f.refresh(stream, 12);
    heard(3);
    f.update(stream, 13);
    heard(4);
    f.pass(kDelay);
    late.read();
    std::vector<std::string> got;
    for (const auto& [at, line] : late.lines[5])
        got.push_back(line.substr(0, line.find(' ')));
    CHECK(got == std::vector<std::string>{"Status", "Refresh", "Update", "Refresh", "Update"});
    CHECK(HubFixture::fields(late.last[5].msg) == "22=13 25=14");
    CHECK(HubFixture::fields(late.last[6].msg) == "22=13 25=14");
    // The first of the two streams is closed, and the second when nobody wants it.
    CHECK(f.hub->rooms().items.size() == 2);
    late.send(RawConsumer::close(5));
    late.send(RawConsumer::close(6));
    f.pass(1ms);
    CHECK(f.hub->rooms().items.size() == 0);
}

TEST_CASE("a hub that ends leaves nothing of what waits, and the next one begins anew", "[hub][node][delay]") {
    StillClock clock;
    perf::test::TempDir folder;
    for (int life = 0; life < 2; ++life) {
        LateHub f(clock, [&](HubSettings& s) {
            LateHub::delay(s).memoryBytes = 1u << 20;
            LateHub::delay(s).fileBytes = 64u << 20;
            LateHub::delay(s).folder = folder.file("");
            LateHub::delay(s).items = {"IBM"};
        });
        f.connected();
        const std::int32_t stream = f.itemAsked();
        f.refresh(stream, 10);
        const auto counts = [&](const char* name) { return f.hub->rooms().reactor.metrics().value(name).value_or(0); };
        const std::vector<std::byte> filler(50'000, std::byte{7});
        for (int sent = 0; sent < 60 && counts("emissary_hub_delay_file_bytes") == 0; ++sent) {
            Msg m;
            m.cls = MsgClass::Generic;
            m.domain = 6;
            m.streamId = stream;
            m.flags = codec::GenericFlag::complete;
            m.containerType = codec::DataType::Opaque;
            m.payload = filler;
            f.provider.send(m);
            f.until([&] { return counts("emissary_hub_delay_messages_total") > static_cast<std::uint64_t>(sent); });
        }
        CHECK(counts("emissary_hub_delay_file_bytes") > 0);
        CHECK(std::filesystem::is_empty(folder.file("")));
        Watcher late(f, "late");
        late.send(LateHub::later(5));
        REQUIRE(late.lines[5].size() == 1);
        CHECK(late.latest(5).starts_with("Status 1/2"));  // nothing of an earlier life
        clock.advance(3s);
    }
    CHECK(std::filesystem::is_empty(folder.file("")));
}

TEST_CASE("clients that take no suspect data come back for their image", "[hub][node][delay]") {
    StillClock clock;
    LateHub f(clock);
    f.connected();
    rdm::LoginAttributes strict;
    strict.singleOpen = 0;
    strict.allowSuspectData = 0;
    Watcher late(f, f.loggedIn("late", 0, strict));
    const auto counts = [&](const char* name) { return f.hub->rooms().reactor.metrics().value(name).value_or(99); };
    late.send(LateHub::later(5));
    REQUIRE(late.lines[5].size() == 1);
    CHECK(late.latest(5).starts_with("Status 3/2 'service 'LATER' is 10 s behind"));
    f.refresh(f.itemAsked(), 10);
    f.until([&] { return counts("emissary_hub_delay_messages_total") == 1; });
    f.pass(5s);
    late.send(LateHub::later(5));
    CHECK(late.latest(5).starts_with("Status 3/2"));
    f.pass(20s);
    late.send(LateHub::later(5));
    CHECK(HubFixture::fields(late.last[5].msg) == "22=10 25=11");
    // Nobody comes any more: it is closed after a while.
    late.send(RawConsumer::close(5));
    CHECK(counts("emissary_hub_delay_streams") == 1);
    for (int i = 0; i < 20; ++i) {
        f.pass(10s);
        late.read();
    }
    CHECK(counts("emissary_hub_delay_streams") == 0);
}

TEST_CASE("a delayed service opens nothing for nobody", "[hub][node][delay]") {
    StillClock clock;
    LateHub f(clock);
    f.connected();
    Watcher late(f, "late");
    const auto counts = [&](const char* name) { return f.hub->rooms().reactor.metrics().value(name).value_or(99); };
    for (int i = 0; i < 3; ++i) {
        late.send(LateHub::later(5));
        f.refresh(f.itemAsked(), 10);
        f.until([&] { return counts("emissary_hub_delay_messages_total") == static_cast<std::uint64_t>(i) + 1; });
        f.pass(i == 0 ? 3s : 11s);
        late.read();
        late.send(RawConsumer::close(5));
        f.until([&] { return !f.provider.inbox.empty() && f.provider.inbox.back().msg.cls == MsgClass::Close; });
        f.provider.inbox.clear();
        CHECK(counts("emissary_hub_delay_streams") == 0);
    }
    f.pass(20s);
    CHECK(counts("emissary_hub_delay_records") == 0);
    CHECK(late.lines[5].size() == 5);  // a wait and no image, and twice both
    // A snapshot ends with its image.
    Msg snapshot = LateHub::later(6);
    snapshot.flags = 0;
    late.send(snapshot);
    f.refresh(f.itemAsked(), 30);
    f.until([&] { return counts("emissary_hub_delay_messages_total") == 4; });
    f.pass(10s);
    late.read();
    CHECK(late.latest(6).starts_with("Refresh 2/1"));
    f.until([&] { return !f.provider.inbox.empty() && f.provider.inbox.back().msg.cls == MsgClass::Close; });
}
