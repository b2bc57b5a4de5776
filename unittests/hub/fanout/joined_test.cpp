// Clients that are behind: their updates wait, joined, and come when they read again.
#include "fixture.h"

#include "eta/dictionary/Dictionary.h"
#include "eta/json/support.h"
#include "hub/conflate/PendingUpdates.h"
#include "support/StillClock.h"

#include <map>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

constexpr char kFields[] = R"(!tag Filename  RWF.DAT
!tag Type      1
BID        "BID"        22  NULL  PRICE  17  UINT64       8
ASK        "ASK"        25  NULL  PRICE  17  UINT64       8
)";
constexpr std::int32_t kLogin = 1;

/// What a client that reads everything knows in the end.
struct Known {
    std::map<std::int32_t, std::map<int, std::uint64_t>> fields;  ///< by stream and field
    std::map<std::int32_t, std::vector<std::string>> order;       ///< of a stream: "1" for a quote, "2" for a trade
    std::vector<int> states;                                      ///< codes on the login stream
    std::vector<std::string> texts;                               ///< and their texts
    std::uint64_t updates = 0, joined = 0;                        ///< joined: sum of the conflation counts
};

/// A client with a little room, and one that always reads.
struct Joining : FanOutFixture {
    static SlowRules rules(std::size_t mostJoined = 200'000) {
        return {.behindAbove = 20'000,
                .behindBelow = 10'000,
                .disconnectAbove = 50'000'000,
                .mostJoined = mostJoined,
                .joinedTypes = HubSettings{}.conflateTypes};
    }

    explicit Joining(bool json, const SlowRules& of = rules(), reactor::ReactorOptions options = {})
        : FanOutFixture(of, std::move(options)), slow(admitted(json)), quick(admitted(json)) {
        auto d = std::make_shared<eta::dictionary::Dictionary>();
        REQUIRE_FALSE(d->parseFields(kFields, "fields"));
        locked([&] { out->setDictionary(d); });
    }
    Peer& admitted(bool json) {
        Peer& p = connect(json, 8192);
        locked([&] { out->admit(*p.client); });
        p.client->loginStream = kLogin;
        return p;
    }
    /// `fields`: id and value.
    void update(std::uint8_t type, const std::vector<std::pair<std::int16_t, std::uint64_t>>& fields) {
        std::vector<std::byte> room(256);
        eta::BeWriter writer(room);
        codec::FieldListEncoder list;
        list.begin(writer);
        for (const auto& [id, value] : fields)
            list.addUInt(id, value);
        REQUIRE(list.complete().ok());
        codec::Msg m = test::update(writer.view());
        m.updateType = type;
        send(m);
        turn();
    }
    void readAll(Peer& p, Known& known) {
        for (;;) {
            const eta::transport::ReadResult r = read(p);
            if (r.kind != eta::transport::ReadResult::Kind::message) return;
            if (p.client->json) {
                const json_test::Json texts = json_test::parseJson(std::string(eta::asText(r.message)));
                take(texts, known);
                continue;
            }
            codec::Msg m;
            REQUIRE(codec::decodeMsg(r.message, m).ok());
            if (m.cls == codec::MsgClass::Status) {
                known.states.push_back(m.state.code);
                known.texts.emplace_back(eta::asText(m.state.text));
            }
            if (m.cls != codec::MsgClass::Update) continue;
            ++known.updates;
            known.joined += m.has(codec::UpdateFlag::confInfo) ? m.conflationCount : 1;
            known.order[m.streamId].push_back(std::to_string(m.updateType));
            codec::FieldListDecoder list;
            REQUIRE(list.start(m.payload).ok());
            for (codec::FieldEntry e; list.next(e);) {
                std::uint64_t v = 0;
                REQUIRE(codec::decodeUInt(e.data, v) == codec::Decoded::value);
                known.fields[m.streamId][e.fieldId] = v;
            }
        }
    }
    static void take(const json_test::Json& texts, Known& known) {
        for (const json_test::Json& one : texts.items.empty() ? std::vector<json_test::Json>{texts} : texts.items) {
            const std::string type = one.at("Type").text;
            if (type == "Status") {
                known.states.push_back(one.at("State").at("Code").text == "JitConflationStarted" ? 7 : 8);
                known.texts.push_back(one.at("State").at("Text").text);
                CHECK(one.at("Domain").text == "Login");
            }
            if (type != "Update") continue;
            const auto stream = static_cast<std::int32_t>(std::stoi(one.at("ID").text));
            ++known.updates;
            known.joined +=
                one.find("ConflationInfo") != nullptr ? std::stoul(one.at("ConflationInfo").at("Count").text) : 1;
            known.order[stream].push_back(one.at("UpdateType").text == "Trade" ? "2" : "1");
            for (const auto& [name, value] : one.at("Fields").members)
                known.fields[stream][name == "BID" ? 22 : 25] = std::stoull(value.text);
        }
    }
    /// The slow one reads nothing until it is behind.
    void beBehind() {
        until([&] {
            update(kQuote, {{22, ++value}});
            readAll(quick, fast);
            return slow.client->behind == true;
        });
    }

    Peer &slow, &quick;
    std::uint64_t value = 0;
    Known fast;  ///< of `quick`
};

}  // namespace

TEST_CASE("updates of a client that is behind are joined, and it is told", "[hub][fanout][slow][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    Joining f(json);
    std::vector<std::pair<Severity, std::string>> lines;
    f.out->onNotice([&](Severity severity, const std::string& line) { lines.emplace_back(severity, line); });
    const std::uint16_t info = Mount::confInfo;
    f.mount(f.slow, 5, info);
    f.mount(f.quick, 5, info);
    Known slow;
    Known& quick = f.fast;
    f.beBehind();
    const std::size_t queued = f.slow.link->queuedBytes();
    constexpr int kMore = 2000;
    for (int i = 0; i < kMore; ++i) {
        f.update(kQuote, {{static_cast<std::int16_t>(i % 3 == 0 ? 25 : 22), ++f.value}});
        f.readAll(f.quick, f.fast);
    }
    CHECK(f.slow.link->queuedBytes() <= queued + 500);  // its status
    CHECK(f.out->counts().joined.get() == kMore - 1);
    f.until([&] { return f.out->counts().joinedBytes.get() != 0; });
    CHECK(f.out->counts().joinedBytes.get() < 1000);
    CHECK(f.out->counts().joining.get() == 1);
    f.until([&] {
        f.readAll(f.slow, slow);
        return f.slow.client->pending == nullptr && slow.states.size() == 2;
    });
    CHECK(slow.states == std::vector<int>{7, 8});
    REQUIRE(slow.texts.size() == 2);
    CHECK_THAT(slow.texts[0],
               Catch::Matches(
                   ".*: [1-9][0-9]* bytes waited for it, and ConflateAbove is [0-9]+; its updates are joined; more "
                   "than 50000000 bytes "
                   "\\(DisconnectAbove\\) or 30 s without a byte taken \\(SlowClientTimeout\\) end its connection"));
    CHECK_THAT(slow.texts[1], Catch::Contains("caught up"));
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].first == Severity::warning);
    CHECK_THAT(lines[0].second, Catch::Contains("the client 'user0' at an unknown position reads too slowly: "));
    CHECK(lines[1].first == Severity::success);
    CHECK_THAT(lines[1].second,
               Catch::Contains("'user0'") && Catch::Contains("has caught up; updates were joined for "));
    CHECK(quick.states.empty());
    CHECK(slow.fields == quick.fields);
    CHECK(slow.joined == f.value);  // nothing is missing in what it is told
    CHECK(quick.joined == f.value);
    CHECK(quick.updates == f.value);
    CHECK(slow.updates == f.value - kMore + 1);
    CHECK(f.out->counts().joining.get() == 0);
    CHECK(f.out->counts().joinedBytes.get() == 0);
    CHECK_FALSE(f.slow.client->behind);
    f.update(kQuote, {{22, ++f.value}});  // and now each as it comes
    f.until([&] {
        f.readAll(f.slow, slow);
        return slow.fields[5][22] == f.value;
    });
    CHECK(slow.joined == f.value);
    CHECK(f.cut.empty());
}

TEST_CASE("what is never joined comes whole and in order, behind what waits", "[hub][fanout][slow][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    Joining f(json);
    f.mount(f.slow, 5);
    f.mount(f.quick, 5);
    f.beBehind();
    Known slow;
    Known& quick = f.fast;
    f.fast.order.clear();
    const std::uint64_t before = f.value;
    for (int i = 0; i < 3; ++i) {
        f.update(kQuote, {{22, ++f.value}});
        f.update(kQuote, {{22, ++f.value}});
        f.update(kTrade, {{25, ++f.value}});
        f.update(kTrade, {{25, ++f.value}});
    }
    f.until([&] {
        f.readAll(f.slow, slow);
        f.readAll(f.quick, f.fast);
        return f.slow.client->pending == nullptr && slow.states.size() == 2;
    });
    CHECK(slow.fields == quick.fields);
    CHECK(quick.order[5].size() == 12);
    std::vector<std::string>& order = slow.order[5];
    REQUIRE(order.size() > before);
    order.erase(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(before) - 1);
    // The update that made it wait, and three times a joined quote and two trades.
    CHECK(order == std::vector<std::string>{"1", "1", "2", "2", "1", "2", "2", "1", "2", "2"});
}

TEST_CASE("ConflateTypes says what is joined", "[hub][fanout][slow]") {
    SlowRules rules = Joining::rules();
    rules.joinedTypes = 1ull << kTrade | 1ull << kQuote;
    Joining f(false, rules);
    f.mount(f.slow, 5);
    f.mount(f.quick, 5);
    f.beBehind();
    for (int i = 0; i < 100; ++i)
        f.update(i % 2 == 0 ? kTrade : kQuote, {{25, ++f.value}});
    CHECK(f.out->counts().joined.get() == 99);
    Known slow;
    f.until([&] {
        f.readAll(f.slow, slow);
        f.readAll(f.quick, f.fast);
        return slow.states.size() == 2 && f.fast.updates == f.value;
    });
    CHECK(slow.order[5].back() == "10");  // several types in one
    CHECK(slow.fields == f.fast.fields);
}

TEST_CASE("updates on streams of their own are not joined", "[hub][fanout][slow]") {
    Joining f(false);
    f.mount(f.slow, 5, Mount::single);
    f.mount(f.quick, 5);
    f.beBehind();
    Known slow;
    for (int i = 0; i < 100; ++i)
        f.update(kQuote, {{22, ++f.value}});
    f.until([&] {
        f.readAll(f.slow, slow);
        return f.slow.client->pending == nullptr && slow.updates == f.value;
    });
    CHECK(slow.states.empty());  // nothing waited
}

TEST_CASE("what waits on a stream ends with the stream", "[hub][fanout][slow]") {
    Joining f(false);
    f.mount(f.slow, 5);
    Item& other = f.newItem("OTHER");
    f.mounts.add(other, *f.slow.client, 6, 0, 0);
    f.beBehind();
    f.update(kQuote, {{25, 777}});
    Known slow;
    const bool changes = GENERATE(false, true);
    INFO((changes ? "the mount changes" : "the mount goes"));
    f.locked([&] {
        f.out->unmounted(*f.item, f.item->mounts[0], changes ? Leaves::changes : Leaves::forGood);
        f.mounts.remove(*f.item, 0);
    });
    CHECK(f.slow.client->pending->empty());
    f.until([&] {
        f.readAll(f.slow, slow);
        return f.slow.client->pending == nullptr && slow.states.size() == 2;
    });
    CHECK(slow.fields[5].contains(25) == changes);
    f.locked([&] {
        while (other.mountCount != 0)
            f.mounts.remove(other, 0);
    });
}

TEST_CASE("joined updates beyond ConflateBytes are sent, and the client is cut off by DisconnectAbove alone",
          "[hub][fanout][slow][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    const bool reads = GENERATE(true, false);
    INFO((reads ? "reads in the end" : "never reads"));
    constexpr std::size_t kMost = 5000;
    SlowRules rules = Joining::rules(kMost);
    if (!reads) rules.disconnectAbove = 400'000;
    Joining f(json, rules);
    std::vector<Item*> items;
    for (std::int32_t i = 0; i < 100; ++i) {
        items.push_back(&f.newItem("I" + std::to_string(i)));
        f.mounts.add(*items.back(), *f.slow.client, 100 + i, 0, 0);
    }
    f.mount(f.slow, 5);
    f.mount(f.quick, 5);
    f.beBehind();
    Item* const first = f.item;
    Known slow;
    std::uint64_t rounds = 0;
    const auto round = [&] {
        ++rounds;
        for (Item* const item : items) {
            f.item = item;
            f.update(kQuote, {{22, rounds}});
            REQUIRE((f.slow.client->pending == nullptr || f.slow.client->pending->memory() <= kMost));
        }
        f.item = first;
    };
    if (reads) {
        for (int i = 0; i < 20; ++i)
            round();
        f.until([&] {
            f.readAll(f.slow, slow);
            return f.slow.client->pending == nullptr && slow.states.size() == 2;
        });
        CHECK(f.cut.empty());
        for (std::int32_t i = 0; i < 100; ++i)
            CHECK(slow.fields[100 + i][22] == rounds);
        CHECK(slow.fields[5][22] == f.value);
    } else {
        f.until([&] {
            round();
            return !f.cut.empty();
        });
        CHECK(f.cut.size() == 1);
        CHECK_THAT(f.cut[0].second, Catch::Contains("DisconnectAbove is 400000"));
    }
    f.locked([&] {
        for (Item* const item : items)
            while (item->mountCount != 0)
                f.mounts.remove(*item, 0);
    });
}

TEST_CASE("a client that reads again gets what waits at the pace of its reading", "[hub][fanout][slow]") {
    // Two million bytes of updates wait; its buffers hold a few thousand. Looks at it in 5 ms each would take seconds.
    StillClock clock;
    reactor::ReactorOptions options;
    options.clock = &clock;
    Joining f(false, Joining::rules(8u << 20), options);
    constexpr std::int32_t kItems = 5000;
    std::vector<Item*> items;
    for (std::int32_t i = 0; i < kItems; ++i) {
        items.push_back(&f.newItem("I" + std::to_string(i)));
        f.mounts.add(*items.back(), *f.slow.client, 100 + i, 0, 0);
    }
    f.mount(f.slow, 5);
    f.mount(f.quick, 5);
    f.beBehind();
    Item* const first = f.item;
    for (Item* const item : items) {
        f.item = item;
        f.update(kQuote, {{22, 7}});
    }
    f.item = first;
    REQUIRE(f.slow.client->pending != nullptr);
    const auto start = clock.now();
    Known slow;
    f.until([&] {
        clock.advance(1ms);
        f.readAll(f.slow, slow);
        return f.slow.client->pending == nullptr;
    });
    CHECK(slow.updates + 1 >= f.value);
    CHECK(clock.now() - start < 60ms);
    f.locked([&] {
        for (Item* const item : items)
            while (item->mountCount != 0)
                f.mounts.remove(*item, 0);
    });
}

TEST_CASE("ConflateBytes 0: updates are sent one by one", "[hub][fanout][slow]") {
    Joining f(false, Joining::rules(0));
    f.mount(f.slow, 5);
    f.until([&] {
        f.update(kQuote, {{22, ++f.value}});
        return f.slow.client->behind == true;
    });
    for (int i = 0; i < 100; ++i)
        f.update(kQuote, {{22, ++f.value}});
    Known slow;
    f.until([&] {
        f.readAll(f.slow, slow);
        return slow.updates == f.value;
    });
    CHECK(slow.states.empty());
    CHECK(f.out->counts().joined.get() == 0);
}

TEST_CASE("Conflation none of a service: its updates are sent one by one, whatever other services have",
          "[hub][fanout][slow]") {
    const auto joinedOf = [](std::uint8_t rule) {
        Joining f(false);
        f.locked([&] {
            fanout::RateRules rules;  // the first is that of other services: jit
            rules.services.push_back({.mode = Conflation::Mode::none});
            f.out->setRates(rules, {}, [rule](std::uint16_t) { return rule; });
            f.out->addListener("consumers", Joining::rules());
        });
        f.mount(f.slow, 5);
        f.until([&] {
            f.update(kQuote, {{22, ++f.value}});
            return f.slow.client->behind == true;
        });
        for (int i = 0; i < 100; ++i)
            f.update(kQuote, {{22, ++f.value}});
        Known slow;
        f.until([&] {
            f.readAll(f.slow, slow);
            return !slow.fields[5].empty() && slow.fields[5][22] == f.value;
        });
        return f.out->counts().joined.get();
    };
    CHECK(joinedOf(0) != 0);
    CHECK(joinedOf(1) == 0);
}

TEST_CASE("clients that fall behind while another one is sent what waits are looked at as well",
          "[hub][fanout][slow]") {
    StillClock clock;
    reactor::ReactorOptions options;
    options.clock = &clock;
    Joining f(false, Joining::rules(), options);
    f.mount(f.slow, 5);
    f.mount(f.quick, 5);
    constexpr std::size_t kOthers = 9;
    std::vector<FanOutFixture::Peer*> others;
    Item& item = f.newItem("LARGE");
    for (std::size_t i = 0; i < kOthers; ++i) {
        others.push_back(&f.admitted(false));
        f.mounts.add(item, *others.back()->client, 5, 0, 0);
    }
    const auto othersAre = [&](bool behind) {
        return std::ranges::all_of(others, [&](const auto* p) { return p->client->behind == behind; });
    };
    const auto othersRead = [&] {
        f.until([&] {
            clock.advance(5ms);
            for (FanOutFixture::Peer* const p : others)
                while (FanOutFixture::readOne(*p)) {}
            return othersAre(false) && others.front()->link->queuedBytes() == 0;
        });
    };
    const std::vector<std::byte> large(60'000, std::byte{7});
    const auto toOthers = [&](std::size_t bytes) {
        codec::Msg m = update(std::span(large).first(bytes));
        m.containerType = codec::DataType::Opaque;
        f.out->send(item, m, To::live);
    };
    // How many small messages fill what four large ones leave of a turn's log: the next one has it written out.
    const auto fill = [&](int most) {
        for (int i = 0; i < 4; ++i)
            toOthers(large.size());
        toOthers(20'000);
        int small = 0;
        for (; small < most && othersAre(false); ++small)
            toOthers(1);
        return small;
    };
    int small = 0;
    f.locked([&] { small = fill(10'000); });
    REQUIRE(othersAre(true));
    othersRead();

    f.beBehind();
    std::vector<std::pair<std::int16_t, std::uint64_t>> many;
    for (std::int16_t id = 100; id < 116; ++id)
        many.emplace_back(id, ++f.value);
    f.update(kQuote, many);  // larger than what still has room behind the small ones
    REQUIRE(f.slow.client->pending != nullptr);
    Known slow;
    f.until([&] {  // it has read, and no look has seen it yet: the clock stands still
        f.readAll(f.slow, slow);
        return f.slow.link->queuedBytes() < Joining::rules().behindBelow;
    });
    REQUIRE(f.slow.client->pending != nullptr);
    REQUIRE(f.out->counts().slow.get() == 1);
    bool filled = false;
    f.locked([&] {
        f.loop.startTimer(1ms, [&] {  // in the turn of the look, in front of it
            fill(small - 1);
            filled = othersAre(false);
        });
    });
    clock.advance(5ms);
    f.turn();
    REQUIRE(filled);
    CHECK(f.slow.client->pending == nullptr);
    CHECK(othersAre(true));
    CHECK(f.out->counts().slow.get() == kOthers);
    othersRead();
    f.until([&] {
        f.readAll(f.slow, slow);
        return slow.states.size() == 2;
    });
    CHECK(slow.states == std::vector<int>{7, 8});
    CHECK(slow.fields[5][115] == f.value);
    CHECK(f.out->counts().slow.get() == 0);
    CHECK(f.cut.empty());
}

namespace {

/// `slow` belongs to a class of users with a limit; the clock stands unless it is moved.
struct Limited : Joining {
    Limited(bool json, StillClock& still, const OutputLimit& limit, const SlowRules& of = rules())
        : Joining(json, of, timed(still)), clock(still) {
        locked([&] {
            fanout::RateRules made;
            made.users.emplace_back();
            made.userLimits.push_back(limit);
            out->setRates(made, {});
            slow.client->userClass = 1;
            for (Peer* const peer : {&slow, &quick}) {
                peer->client->loggedIn = true;
                out->loggedIn(*peer->client);
            }
        });
        mount(slow, 5, Mount::confInfo);
        mount(quick, 5, Mount::confInfo);
    }
    static reactor::ReactorOptions timed(StillClock& still) {
        reactor::ReactorOptions o;
        o.clock = &still;
        return o;
    }
    /// Milliseconds pass, an update in each; both read at once.
    void pass(int milliseconds, Known& late, std::uint8_t type = kQuote) {
        for (int i = 0; i < milliseconds; ++i) {
            if (type != 0) update(type, {{static_cast<std::int16_t>(i % 3 == 0 ? 25 : 22), ++value}});
            clock.advance(1ms);
            turn();
            readAll(slow, late);
            readAll(quick, fast);
        }
    }
    /// Time passes, and no updates come, until nothing waits for the one with the limit.
    void settle(Known& late) {
        until([&] {
            pass(10, late, 0);
            return slow.client->pending == nullptr && late.joined == value && fast.joined == value;
        });
    }
    StillClock& clock;
};

}  // namespace

TEST_CASE("a login over its limit has its updates joined, at the rate that it may have",
          "[hub][fanout][limits][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    StillClock clock;
    Limited f(json, clock, {.updates = 50});
    Known slow;
    f.pass(2000, slow);
    CHECK(slow.updates >= 95);
    CHECK(slow.updates <= 106);  // 50 each second, and the tenth of a second that it had at the start
    CHECK(f.slow.client->overLimit);
    CHECK(f.out->counts().overLimit.get() == 1);
    CHECK(f.out->counts().joining.get() == 0);  // it reads
    f.settle(slow);
    CHECK(slow.fields == f.fast.fields);
    CHECK(slow.joined == f.value);  // it is told of every update that is in another one
    CHECK(slow.updates <= 107);
    CHECK(f.fast.updates == f.value);
    CHECK(slow.states.empty());
    f.pass(200, slow, 0);
    CHECK_FALSE(f.slow.client->overLimit);
    CHECK(f.out->counts().overLimit.get() == 0);
    const std::uint64_t before = slow.updates;
    f.pass(3, slow);  // after a rest, at once
    f.until([&] {
        f.readAll(f.slow, slow);
        return slow.updates == before + 3;
    });
}

TEST_CASE("a login is held to bytes in the same way", "[hub][fanout][limits]") {
    StillClock clock;
    Limited f(false, clock, {.bytes = 2000});
    Known slow;
    f.pass(3000, slow);
    const std::size_t each = 40;  // about
    CHECK(slow.updates >= 3 * 2000 / (each + 20));
    CHECK(slow.updates <= 4 * 2000 / (each - 15));
    f.settle(slow);
    CHECK(slow.fields == f.fast.fields);
}

TEST_CASE("trades go at once, whatever the limit, and quotes that wait go ahead of them",
          "[hub][fanout][limits][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    StillClock clock;
    Limited f(json, clock, {.updates = 20});
    Item& other = f.newItem("OTHER");
    f.mounts.add(other, *f.slow.client, 6, Mount::confInfo, 0);
    Item* const first = f.item;
    Known slow;
    for (int i = 0; i < 500; ++i) {  // more trades than it may have updates
        f.pass(1, slow, kQuote);
        f.pass(1, slow, kTrade);
        f.item = &other;
        f.update(kQuote, {{22, static_cast<std::uint64_t>(i)}});
        f.item = first;
    }
    f.until([&] {
        f.readAll(f.slow, slow);
        return slow.order[5].size() >= 1000;
    });
    CHECK(std::ranges::count(slow.order[5], "2") == 500);
    CHECK(slow.fields[5] == f.fast.fields[5]);
    for (std::size_t i = 1; i < slow.order[5].size(); i += 2)
        CHECK(slow.order[5][i] == "2");  // each behind its quote
    CHECK(slow.order[6].size() >= 5);    // trades leave something to others
    f.until([&] {
        f.pass(10, slow, 0);
        return f.slow.client->pending == nullptr && slow.fields[6][22] == 499;
    });
    f.locked([&] {
        while (other.mountCount != 0)
            f.mounts.remove(other, 0);
    });
}

TEST_CASE("what waits for a limit goes when there is no limit any more", "[hub][fanout][limits]") {
    StillClock clock;
    Limited f(false, clock, {.updates = 1});
    Known slow;
    f.pass(100, slow);
    REQUIRE(f.slow.client->pending != nullptr);
    const bool classified = GENERATE(false, true);
    f.locked([&] {
        if (classified) f.out->classify(*f.slow.client, 0);
        else f.out->changeRules({}, {});
    });
    f.update(kQuote, {{22, ++f.value}});  // not ahead of what waits
    f.pass(20, slow, 0);
    CHECK(f.slow.client->pending == nullptr);
    CHECK_FALSE(f.slow.client->overLimit);
    CHECK(slow.fields == f.fast.fields);
    CHECK(slow.joined == f.value);
    const std::uint64_t before = slow.updates;
    f.pass(100, slow);
    CHECK(slow.updates == before + 100);
}

TEST_CASE("a login over its limit that does not read is behind, and has what it may in the end",
          "[hub][fanout][limits][slow][json]") {
    const bool json = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC"));
    StillClock clock;
    Limited f(json, clock, {.updates = 2'000});
    Known slow;
    f.until([&] {
        for (int i = 0; i < 4; ++i)
            f.update(kQuote, {{22, ++f.value}});
        clock.advance(1ms);
        f.turn();
        f.readAll(f.quick, f.fast);
        return f.slow.client->behind && f.slow.client->saysJoined;
    });
    for (int i = 0; i < 50; ++i) {
        f.update(kQuote, {{25, ++f.value}});
        clock.advance(1ms);
        f.turn();
        f.readAll(f.quick, f.fast);
    }
    f.settle(slow);
    CHECK(slow.fields == f.fast.fields);
    CHECK(slow.states == std::vector<int>{7, 8});
    CHECK(f.cut.empty());
}

TEST_CASE("an update that has waited for ConflateAge ends the client", "[hub][fanout][slow]") {
    StillClock clock;
    SlowRules rules = Joining::rules();
    rules.mostAge = 5s;
    Limited f(false, clock, {}, rules);
    f.beBehind();
    f.until([&] {
        f.update(kQuote, {{22, ++f.value}});
        f.readAll(f.quick, f.fast);
        return f.slow.client->pending != nullptr;
    });
    for (int i = 0; i < 4; ++i) {
        clock.advance(1s);
        f.turn();
    }
    CHECK(f.cut.empty());
    f.until([&] {
        clock.advance(1s);
        f.turn();
        return !f.cut.empty();
    });
    CHECK_THAT(f.cut[0].second, Catch::Contains("joined for 5 s and longer; ConflateAge is 5 s"));
}
