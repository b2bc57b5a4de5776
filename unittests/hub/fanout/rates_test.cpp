// At most one update of an item in an interval, for the clients of a service or a port.
#include "fixture.h"

#include "eta/json/support.h"
#include "support/AllocationCounter.h"
#include "support/StillClock.h"

#include <random>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

constexpr char kRipplingFields[] = R"(!tag Filename  RWF.DAT
!tag Type      1
BID        "BID"        22  NULL    PRICE  17  UINT64       8
ASK        "ASK"        25  NULL    PRICE  17  UINT64       8
TRDPRC_1   "LAST"        6  TRDPRC_2 PRICE 17  UINT64       8
TRDPRC_2   "LAST 1"      7  NULL    PRICE  17  UINT64       8
)";
using Mode = Conflation::Mode;
using Updates = std::vector<std::string>;  // "type:field=value,...", or the class of another message

struct Timed {
    StillClock clock;
};

/// Clients of a service with this rule; those of the second listener have none of their own either.
struct Rated : Timed, FanOutFixture {
    static reactor::ReactorOptions timed(StillClock& clock) {
        reactor::ReactorOptions o;
        o.clock = &clock;
        return o;
    }
    explicit Rated(const Conflation& rule, const std::optional<Conflation>& ofPort = {},
                   std::size_t mostBytes = 1 << 20,
                   const std::vector<std::optional<Conflation>>& ofUsers = {std::nullopt})
        : FanOutFixture({}, timed(clock)) {
        auto d = std::make_shared<eta::dictionary::Dictionary>();
        REQUIRE_FALSE(d->parseFields(kRipplingFields, "fields"));
        locked([&] {
            out->setDictionary(d);
            fanout::RateRules rules;
            rules.services.push_back(rule);
            rules.mostBytes = mostBytes;
            rules.listeners = {std::nullopt, ofPort};
            rules.users = ofUsers;
            out->setRates(
                rules,
                [this](std::uint32_t index) {
                    Item& i = items[index];
                    return FanOut::List{{i.mounts, i.mountCount}, {i.service, &i, index, 1}, i.liveCount};
                },
                [](std::uint16_t) { return std::uint8_t{1}; });
            SlowRules slow;
            slow.joinedTypes = HubSettings{}.conflateTypes;
            out->addListener("plain", slow);
            out->addListener("own", slow);
        });
    }
    void update(std::uint8_t type, const std::map<std::int16_t, std::uint64_t>& values, std::uint16_t flags = 0) {
        const auto payload = fields(values);
        codec::Msg m = test::update(payload, flags);
        m.updateType = type;
        send(m);
        turn();
    }
    void status(To to = To::all) {
        codec::Msg m;
        m.cls = codec::MsgClass::Status;
        m.domain = 6;
        m.flags = codec::StatusFlag::state;
        m.state = {codec::StreamState::open, codec::DataState::suspect, 0, {}};
        send(m, to);
        turn();
    }
    void image(const Mount& mount) {
        codec::Msg m;
        m.cls = codec::MsgClass::Refresh;
        m.domain = 6;
        m.flags = codec::RefreshFlag::solicited | codec::RefreshFlag::complete;
        m.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
        m.containerType = codec::DataType::NoData;
        locked([&] { out->send(*item, mount, m); });
        turn();
    }
    void pass(std::chrono::milliseconds time) {
        clock.advance(time);
        turn();
        turn();
    }
    /// What has come since the last call.
    static Updates got(Peer& p) {
        Updates made;
        for (;;) {
            const eta::transport::ReadResult r = read(p);
            if (r.kind != eta::transport::ReadResult::Kind::message) return made;
            if (p.client->json) {
                const json_test::Json texts = json_test::parseJson(std::string(eta::asText(r.message)));
                for (const json_test::Json& one :
                     texts.items.empty() ? std::vector<json_test::Json>{texts} : texts.items)
                    made.push_back(textOf(one));
                continue;
            }
            codec::Msg m;
            REQUIRE(codec::decodeMsg(r.message, m).ok());
            made.push_back(textOf(m));
        }
    }
    static std::string textOf(const codec::Msg& m) {
        if (m.cls != codec::MsgClass::Update) return m.cls == codec::MsgClass::Status ? "Status" : "Refresh";
        std::string text = std::to_string(m.updateType) + ":";
        if (m.has(codec::UpdateFlag::confInfo)) text += "(" + std::to_string(m.conflationCount) + ")";
        codec::FieldListDecoder list;
        REQUIRE(list.start(m.payload).ok());
        for (codec::FieldEntry e; list.next(e);) {
            std::uint64_t v = 0;
            REQUIRE(codec::decodeUInt(e.data, v) == codec::Decoded::value);
            text += std::to_string(e.fieldId) + "=" + std::to_string(v) + ",";
        }
        return text;
    }
    static std::string textOf(const json_test::Json& one) {
        if (one.at("Type").text != "Update") return one.at("Type").text;
        const json_test::Json* const type = one.find("UpdateType");
        const std::string name = type != nullptr ? type->text : "";
        std::string text = std::string(name == "Quote"      ? "1"
                                       : name == "Trade"    ? "2"
                                       : name == "Multiple" ? "10"
                                                            : "0") +
                           ":";
        if (const json_test::Json* const info = one.find("ConflationInfo")) text += "(" + info->at("Count").text + ")";
        std::map<int, std::string> byId;  // the members come by name
        for (const auto& [field, value] : one.at("Fields").members)
            byId[field == "BID" ? 22 : field == "ASK" ? 25 : 6] = value.text;
        for (const auto& [id, value] : byId)
            text += std::to_string(id) + "=" + value + ",";
        return text;
    }
};

}  // namespace

TEST_CASE("tradesafe: quotes once in an interval, trades at once behind the quote that waits",
          "[hub][fanout][rates][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    Rated f({Mode::tradesafe, 300ms});
    Rated::Peer &a = f.connect(json), &b = f.connect(json);
    f.mount(a, 5);
    f.mount(b, 6, Mount::confInfo);
    f.update(kQuote, {{22, 1}});
    CHECK(Rated::got(a) == Updates{"1:22=1,"});  // the first at once
    f.update(kQuote, {{22, 2}});
    f.update(kQuote, {{25, 3}});
    f.pass(299ms);
    CHECK(Rated::got(a).empty());
    CHECK(f.out->counts().conflating.get() == 1);
    f.pass(1ms);
    CHECK(Rated::got(a) == Updates{"1:22=2,25=3,"});
    CHECK(f.out->counts().conflating.get() == 0);
    CHECK(f.out->counts().conflatedBytes.get() == 0);
    f.update(kQuote, {{22, 4}});
    f.pass(100ms);
    f.update(kTrade, {{6, 100}});
    f.update(kTrade, {{6, 101}});
    CHECK(Rated::got(a) == Updates{"1:22=4,", "2:6=100,", "2:6=101,"});
    f.update(kQuote, {{22, 5}});  // the quote that the trade took along has begun another interval
    f.pass(299ms);
    CHECK(Rated::got(a).empty());
    f.pass(1ms);
    CHECK(Rated::got(a) == Updates{"1:22=5,"});
    f.pass(300ms);
    CHECK(Rated::got(a).empty());
    f.update(kQuote, {{22, 6}});  // nothing came for an interval: at once again
    CHECK(Rated::got(a) == Updates{"1:22=6,"});
    CHECK(Rated::got(b) ==
          Updates{"1:22=1,", "1:(2)22=2,25=3,", "1:22=4,", "2:6=100,", "2:6=101,", "1:22=5,", "1:22=6,"});
    CHECK(f.out->counts().conflated.get() == 1);
}

TEST_CASE("interval: updates of all types once in an interval", "[hub][fanout][rates]") {
    Rated f({Mode::interval, 300ms});
    Rated::Peer& a = f.connect();
    f.mount(a, 5);
    f.update(kTrade, {{25, 1}});
    f.update(kQuote, {{22, 2}});
    f.update(kTrade, {{25, 3}});
    f.update(kQuote, {{22, 4}}, codec::UpdateFlag::doNotConflate);  // its sender says so: at once
    CHECK(Rated::got(a) == Updates{"2:25=1,", "10:22=2,25=3,", "1:22=4,"});
    f.update(kTrade, {{25, 5}});
    f.update(kTrade, {{25, 6}});
    f.pass(300ms);
    CHECK(Rated::got(a) == Updates{"2:25=6,"});
}

TEST_CASE("an image is made once for each QoS, in whatever order its mounts have them", "[hub][fanout][rates][json]") {
    const bool json = GENERATE(false, true), viewed = GENERATE(false, true);
    const std::size_t different = GENERATE(2u, 9u, 12u);
    INFO((json ? "JSON" : "RIPC") << ", view " << viewed << ", " << different << " QoS");
    Rated f({Mode::jit});
    fanout::RateRules rules;
    rules.services = {ServiceRates{}, ServiceRates({}, {{}, {Mode::interval, 50ms}}, true)};
    rules.users.resize(different == 2 ? 1 : different - 2);  // three in the first, or two
    for (std::size_t i = 1; i < rules.users.size(); ++i)
        rules.users[i] = Conflation{Mode::interval, std::chrono::milliseconds(100 * i)};
    std::uint16_t view = 0;
    constexpr std::int32_t kMounts = 40;  // of each client
    std::vector<Rated::Peer*> peers;
    f.locked([&] {
        const std::vector<SlowRules> slow(2);
        f.out->changeRules(rules, slow);
        if (viewed) view = f.views.intern({reactor::rdm::View::Kind::fields, {22}, {}});
    });
    for (std::size_t i = 0; i < rules.users.size(); ++i) {
        peers.push_back(&f.connect(json));
        peers.back()->client->userClass = static_cast<std::uint8_t>(i);
    }
    for (std::int32_t n = 0; n < kMounts; ++n)
        for (std::size_t i = 0; i < peers.size(); ++i) {
            const std::int32_t stream = 5 + n;
            f.mount(*peers[i], stream, Mount::withQos(i == 0 && n % 2 != 0 ? 2 : 0), view);
        }
    if (different > 2)
        for (std::int32_t n = 0; n < kMounts; ++n)
            f.mount(*peers[0], 1000 + n, Mount::withQos(1), view);
    const auto made = [&] { return json ? f.out->counts().rendered.get() : f.out->counts().filtered.get(); };
    const auto whole = fields({{22, 1}, {25, 2}});
    for (int round = 0; round < 2; ++round) {
        const std::uint64_t before = made();
        codec::Msg m;
        m.cls = codec::MsgClass::Refresh;
        m.domain = 6;
        m.flags = codec::RefreshFlag::complete | codec::RefreshFlag::qos;
        m.qos = codec::kRealtimeTickByTick;
        m.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
        m.containerType = codec::DataType::FieldList;
        m.payload = whole;
        f.send(m, To::all);
        f.turn();
        if (different <= 9 && (json || viewed)) CHECK(made() - before == different);
        for (std::size_t i = 0; i < peers.size(); ++i) {
            std::size_t images = 0;
            for (;;) {
                const eta::transport::ReadResult r = Rated::read(*peers[i]);
                if (r.kind != eta::transport::ReadResult::Kind::message) break;
                const auto check = [&](std::int32_t stream, std::uint8_t rate, std::uint32_t info) {
                    ++images;
                    if (i != 0) CHECK((rate == 3 && info == 100 * i));
                    else if (stream >= 1000) CHECK(rate == 2);
                    else CHECK((rate == (stream % 2 != 0 ? 1 : 3) && info == (stream % 2 != 0 ? 0u : 50u)));
                };
                if (json) {
                    const json_test::Json texts = json_test::parseJson(std::string(eta::asText(r.message)));
                    for (const json_test::Json& one :
                         texts.items.empty() ? std::vector<json_test::Json>{texts} : texts.items) {
                        const json_test::Json& qos = one.at("Qos");
                        const std::string& rate = qos.at("Rate").text;
                        const json_test::Json* const info = qos.find("RateInfo");
                        check(std::stoi(one.at("ID").text),
                              rate == "TickByTick"     ? std::uint8_t{1}
                              : rate == "JitConflated" ? std::uint8_t{2}
                                                       : std::uint8_t{3},
                              info == nullptr ? 0u : static_cast<std::uint32_t>(std::stoul(info->text)));
                    }
                    continue;
                }
                codec::Msg got;
                REQUIRE(codec::decodeMsg(r.message, got).ok());
                REQUIRE(got.hasQos());
                check(got.streamId, got.qos.rate, got.qos.rateInfo);
            }
            CHECK(images == static_cast<std::size_t>(kMounts) * (i == 0 && different > 2 ? 2 : 1));
        }
    }
}

TEST_CASE("a field that ripples comes as often as its chain is long", "[hub][fanout][rates]") {
    Rated f({Mode::interval, 300ms});
    Rated::Peer& a = f.connect();
    f.mount(a, 5);
    for (std::uint64_t v = 1; v <= 5; ++v)
        f.update(kTrade, {{6, v}});
    f.pass(300ms);
    CHECK(Rated::got(a) == Updates{"2:6=1,", "2:6=4,", "2:6=5,"});
    CHECK(f.out->counts().conflating.get() == 0);
}

TEST_CASE("what else is sent goes behind what waits", "[hub][fanout][rates]") {
    Rated f({Mode::tradesafe, 300ms});
    Rated::Peer &a = f.connect(), &b = f.connect();
    f.mount(a, 5);
    const auto two = [&] {
        f.update(kQuote, {{22, 1}});
        f.update(kQuote, {{22, 2}});
    };
    two();
    SECTION("a status") {
        f.status();
        CHECK(Rated::got(a) == Updates{"1:22=1,", "1:22=2,", "Status"});
    }
    SECTION("but for an image of another client: it has in it what waits, which goes on waiting") {
        Mount& late = f.mount(b, 6, Mount::waiting);
        f.image(late);
        CHECK(Rated::got(a) == Updates{"1:22=1,"});
        CHECK(Rated::got(b) == Updates{"Refresh"});
        f.pass(400ms);
        CHECK(Rated::got(a) == Updates{"1:22=2,"});
    }
    SECTION("a mount that gets another view") {
        f.locked([&] {
            f.out->unmounted(*f.item, f.item->mounts[0], Leaves::changes);
            f.mounts.remove(*f.item, 0);
            f.mount(a, 5);
        });
        f.turn();
        CHECK(Rated::got(a) == Updates{"1:22=1,", "1:22=2,"});
    }
    SECTION("the end of the connection") {
        f.mount(b, 6);
        f.locked([&] { a.client->link = nullptr; });
        f.pass(400ms);
        CHECK(Rated::got(b) == Updates{"1:22=2,"});
        f.locked([&] { a.client->link = a.link.get(); });
    }
}

TEST_CASE("what waits for an item ends with its last mount", "[hub][fanout][rates]") {
    Rated f({Mode::tradesafe, 300ms});
    Rated::Peer& a = f.connect();
    f.mount(a, 5);
    f.update(kQuote, {{22, 1}});
    f.update(kQuote, {{22, 2}});
    f.locked([&] {
        f.out->unmounted(*f.item, f.item->mounts[0], Leaves::forGood);
        f.mounts.remove(*f.item, 0);
    });
    CHECK(f.out->counts().conflating.get() == 0);
    f.mount(a, 7);  // stands for another item with the same number
    f.update(kQuote, {{22, 3}});
    f.pass(400ms);
    CHECK(Rated::got(a) == Updates{"1:22=1,", "1:22=3,"});
}

TEST_CASE("a mount that pauses while an update waits has missed it", "[hub][fanout][rates]") {
    Rated f({Mode::tradesafe, 300ms});
    Rated::Peer& a = f.connect();
    Mount& mount = f.mount(a, 5);
    f.update(kQuote, {{22, 1}});
    CHECK_FALSE(f.out->holdsFor(*f.item, mount));
    f.update(kQuote, {{22, 2}});
    CHECK(f.out->holdsFor(*f.item, mount));
    mount.set(Mount::paused, true);
    f.pass(400ms);
    CHECK(mount.is(Mount::missed));
    CHECK(Rated::got(a) == Updates{"1:22=1,"});
}

TEST_CASE("of the rules of a service and a port the stricter one holds", "[hub][fanout][rates]") {
    const auto waits = [](const Conflation& service, const std::optional<Conflation>& port, std::uint8_t type) {
        Rated f(service, port);
        Rated::Peer& a = f.connect();
        a.client->listener = 1;
        f.mount(a, 5);
        f.update(kQuote, {{22, 1}});
        f.update(type, {{22, 2}});
        int waited = 0;
        while (f.out->counts().conflating.get() != 0 && waited < 1000) {
            f.pass(10ms);
            waited += 10;
        }
        CHECK(Rated::got(a).size() == 2);
        return waited;
    };
    using C = Conflation;
    CHECK(waits(C{}, {}, kQuote) == 0);
    CHECK(waits(C{}, C{Mode::tradesafe, 200ms}, kQuote) == 200);
    CHECK(waits(C{Mode::tradesafe, 100ms}, C{Mode::tradesafe, 200ms}, kQuote) == 200);
    CHECK(waits(C{Mode::tradesafe, 300ms}, C{Mode::tradesafe, 200ms}, kQuote) == 300);
    CHECK(waits(C{Mode::tradesafe, 300ms}, {}, kQuote) == 300);
    CHECK(waits(C{Mode::tradesafe, 300ms}, C{Mode::jit, 200ms}, kQuote) == 300);
    CHECK(waits(C{Mode::tradesafe, 300ms}, C{Mode::none, 200ms}, kQuote) == 300);
    CHECK(waits(C{Mode::none, 300ms}, C{Mode::tradesafe, 200ms}, kQuote) == 200);
    CHECK(waits(C{Mode::tradesafe, 300ms}, C{Mode::tradesafe, 200ms}, kTrade) == 0);
    CHECK(waits(C{Mode::tradesafe, 300ms}, C{Mode::interval, 200ms}, kTrade) == 300);
}

TEST_CASE("users of a class get their updates at its rate, whatever their port", "[hub][fanout][rates][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    Rated f({Mode::tradesafe, 100ms}, Conflation{Mode::tradesafe, 200ms}, 1 << 20,
            {std::nullopt, Conflation{Mode::tradesafe, 400ms}, std::nullopt, Conflation{Mode::interval, 50ms}});
    struct Row {
        std::uint32_t listener;
        std::uint8_t userClass;
        std::vector<int> at;  // milliseconds at which it gets an update
    };
    const Row rows[] = {{0, 0, {0, 100, 200, 300, 400}}, {1, 0, {0, 200, 400}}, {0, 1, {0, 400}}, {1, 1, {0, 400}},
                        {0, 2, {0, 100, 200, 300, 400}}, {1, 3, {0, 200, 400}}};
    std::vector<Rated::Peer*> peers;
    for (const Row& row : rows) {
        peers.push_back(&f.connect(json));
        peers.back()->client->listener = row.listener;
        peers.back()->client->userClass = row.userClass;
        f.mount(*peers.back(), 5);
    }
    std::vector<std::vector<int>> at(std::size(rows));
    for (int now = 0; now <= 400; now += 10) {
        f.update(kQuote, {{22, static_cast<std::uint64_t>(now)}});
        for (std::size_t i = 0; i < peers.size(); ++i)
            for (std::size_t n = Rated::got(*peers[i]).size(); n != 0; --n)
                at[i].push_back(now);
        f.pass(10ms);
        for (std::size_t i = 0; i < peers.size(); ++i)
            for (std::size_t n = Rated::got(*peers[i]).size(); n != 0; --n)
                at[i].push_back(now + 10);
    }
    for (std::size_t i = 0; i < peers.size(); ++i) {
        INFO("client " << i);
        CHECK(at[i] == rows[i].at);
    }
    // Trades of the class with `interval` wait.
    f.update(kTrade, {{22, 1}});
    for (std::size_t i = 0; i < peers.size(); ++i) {
        INFO("client " << i);
        const Updates now = Rated::got(*peers[i]);
        if (rows[i].userClass == 3) CHECK(now.empty());
        else CHECK((!now.empty() && now.back() == "2:22=1,"));
    }
}

TEST_CASE("clients of different rules get the same in the end, each at its rate", "[hub][fanout][rates]") {
    Rated f({Mode::jit}, Conflation{Mode::tradesafe, 250ms});
    Rated::Peer &quick = f.connect(), &rated = f.connect(true);
    rated.client->listener = 1;
    constexpr std::int32_t kItems = 20;
    std::vector<Item*> all{f.item};
    for (std::int32_t i = 1; i < kItems; ++i)
        all.push_back(&f.newItem("I" + std::to_string(i)));
    for (std::int32_t i = 0; i < kItems; ++i) {
        f.mounts.add(*all[static_cast<std::size_t>(i)], *quick.client, 10 + i, 0, 0);
        f.mounts.add(*all[static_cast<std::size_t>(i)], *rated.client, 10 + i, 0, 0);
    }
    std::mt19937 random(7);
    std::map<std::int32_t, std::map<std::string, std::string>> last;  // of `rated`, by stream
    std::map<std::int32_t, std::map<int, std::uint64_t>> truth;
    std::map<std::int32_t, int> quotes, withTrades;
    std::uint64_t trades = 0, tradesSent = 0, lastTrade = 0;
    const auto take = [&] {
        (void)Rated::got(quick);
        for (;;) {
            const eta::transport::ReadResult r = Rated::read(rated);
            if (r.kind != eta::transport::ReadResult::Kind::message) return;
            const json_test::Json texts = json_test::parseJson(std::string(eta::asText(r.message)));
            for (const json_test::Json& one : texts.items.empty() ? std::vector<json_test::Json>{texts} : texts.items) {
                const std::int32_t stream = std::stoi(one.at("ID").text);
                if (one.at("UpdateType").text == "Trade") {
                    ++trades;
                    const std::uint64_t value = std::stoull(one.at("Fields").at("TRDPRC_1").text);
                    CHECK(value == lastTrade + 1);  // each, in order
                    lastTrade = value;
                } else {
                    ++quotes[stream];
                }
                for (const auto& [name, value] : one.at("Fields").members)
                    last[stream][name] = value.text;
            }
        }
    };
    constexpr int kSteps = 4000;  // of 1 ms
    for (int step = 0; step < kSteps; ++step) {
        const auto n = static_cast<std::size_t>(random() % kItems);
        f.item = all[n];
        const auto stream = static_cast<std::int32_t>(10 + n);
        if (step % 40 == 39) {
            f.update(kTrade, {{6, ++tradesSent}});
            truth[stream][6] = tradesSent;
            ++withTrades[stream];
            take();
            CHECK(trades == tradesSent);  // none waits
        } else {
            const std::int16_t id = random() % 2 == 0 ? 22 : 25;
            f.update(kQuote, {{id, static_cast<std::uint64_t>(step) + 1}});
            truth[stream][id] = static_cast<std::uint64_t>(step) + 1;
        }
        f.pass(1ms);
        take();
    }
    f.pass(250ms);
    take();
    for (const auto& [stream, fields] : truth)
        for (const auto& [id, value] : fields)
            CHECK(last[stream][id == 22 ? "BID" : id == 25 ? "ASK" : "TRDPRC_1"] == std::to_string(value));
    for (const auto& [stream, count] : quotes)
        CHECK(count <= (kSteps + 250) / 250 + 1 + withTrades[stream]);  // a trade takes a quote along
    CHECK(f.out->counts().conflating.get() == 0);
    f.item = all[0];
    f.locked([&] {
        for (std::size_t i = 1; i < all.size(); ++i)
            while (all[i]->mountCount != 0)
                f.mounts.remove(*all[i], 0);
    });
}

TEST_CASE("one made of several types goes to clients that want one of them", "[hub][fanout][rates]") {
    Rated f({Mode::interval, 300ms});
    Rated::Peer &a = f.connect(), &b = f.connect();
    a.client->updateTypes = 1ull << kQuote;
    b.client->updateTypes = 1ull << 4;
    f.mount(a, 5);
    f.mount(b, 6);
    f.update(kQuote, {{22, 1}});
    f.update(kQuote, {{22, 2}});
    f.update(kTrade, {{25, 3}});
    f.pass(300ms);
    CHECK(Rated::got(a) == Updates{"1:22=1,", "10:22=2,25=3,"});
}

TEST_CASE("updates that find no room do not wait", "[hub][fanout][rates]") {
    Rated f({Mode::tradesafe, 300ms}, {}, 1000);
    Rated::Peer& a = f.connect();
    std::vector<Item*> all{f.item};
    for (int i = 1; i < 20; ++i)
        all.push_back(&f.newItem("I" + std::to_string(i)));
    for (std::size_t i = 0; i < all.size(); ++i)
        f.mounts.add(*all[i], *a.client, static_cast<std::int32_t>(10 + i), 0, 0);
    for (std::uint64_t v = 1; v <= 2; ++v)
        for (Item* const item : all) {
            f.item = item;
            f.update(kQuote, {{22, v}});
        }
    const std::uint64_t room = f.out->counts().unconflated.get();
    CHECK(room > 10);
    CHECK(room < 20);
    CHECK(f.out->counts().conflatedBytes.get() <= 1000);
    CHECK(Rated::got(a).size() == 20 + room);
    f.pass(300ms);
    CHECK(Rated::got(a).size() == 20 - room);
    f.item = all[0];
    f.locked([&] {
        for (std::size_t i = 1; i < all.size(); ++i)
            while (all[i]->mountCount != 0)
                f.mounts.remove(*all[i], 0);
    });
}

TEST_CASE("updates that wait for their interval cost no memory once it is there", "[hub][fanout][rates][allocation]") {
    Rated f({Mode::tradesafe, 300ms});
    Rated::Peer& a = f.connect();
    f.mount(a, 5);
    const auto payload = fields({{22, 1}, {25, 2}});
    codec::Msg m = test::update(payload);
    m.updateType = kQuote;
    const auto some = [&](int count) {
        for (int i = 0; i < count; ++i) {
            f.send(m);
            if (i % 10 == 9) f.pass(300ms);
            while (Rated::readOne(a)) {}
        }
    };
    some(1000);
    const auto before = allocationsOfThisThread();
    for (int i = 0; i < 1000; ++i)
        f.send(m);
    CHECK(allocationsOfThisThread() == before);
}
