// Updates of exported items at most once in an interval, by numbers of the mesh, without a hub around them.
#include "hub/backbone/ExportRates.h"

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"
#include "reactor/Reactor.h"
#include "support/StillClock.h"
#include "support/catch.hpp"

#include <map>
#include <mutex>
#include <random>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using hub::Conflation;
using hub::backbone::ExportRates;
using hub::backbone::ExportRules;
using Mode = Conflation::Mode;

namespace {

constexpr char kFields[] = R"(!tag Filename  RWF.DAT
!tag Type      1
BID        "BID"        22  NULL    PRICE  17  UINT64       8
ASK        "ASK"        25  NULL    PRICE  17  UINT64       8
)";
constexpr std::uint8_t kQuote = 1, kTrade = 2;
constexpr Conflation kRule{Mode::tradesafe, 300ms}, kAll{Mode::interval, 500ms};

struct Exported {
    explicit Exported(std::vector<Conflation> rules, std::size_t mostBytes = 1 << 20)
        : loop(timed(clock)), rates(loop, ExportRules{std::move(rules), hub::HubSettings{}.conflateTypes, mostBytes},
                                    [this](std::uint32_t number, const eta::codec::Msg& msg) { take(number, msg); }) {
        auto d = std::make_shared<eta::dictionary::Dictionary>();
        REQUIRE_FALSE(d->parseFields(kFields, "fields"));
        rates.setDictionary(d);
    }
    static reactor::ReactorOptions timed(StillClock& clock) {
        reactor::ReactorOptions o;
        o.clock = &clock;
        return o;
    }
    void take(std::uint32_t number, const eta::codec::Msg& msg) {
        std::string text = std::to_string(number) + " " + std::to_string(msg.updateType) + ":";
        eta::codec::FieldListDecoder list;
        REQUIRE(list.start(msg.payload).ok());
        for (eta::codec::FieldEntry e; list.next(e);) {
            std::uint64_t v = 0;
            REQUIRE(eta::codec::decodeUInt(e.data, v) == eta::codec::Decoded::value);
            text += std::to_string(e.fieldId) + "=" + std::to_string(v) + ",";
            values[number][e.fieldId] = v;
        }
        out.push_back(std::move(text));
    }
    void update(const Conflation& rule, std::uint32_t number, std::uint8_t type, std::int16_t field,
                std::uint64_t value) {
        std::vector<std::byte> room(64);
        eta::BeWriter writer(room);
        eta::codec::FieldListEncoder list;
        list.begin(writer);
        list.addUInt(field, value);
        REQUIRE(list.complete().ok());
        eta::codec::Msg m;
        m.cls = eta::codec::MsgClass::Update;
        m.domain = 6;
        m.flags = eta::codec::UpdateFlag::doNotRipple;
        m.updateType = type;
        m.containerType = eta::codec::DataType::FieldList;
        m.payload = writer.view();
        if (!rates.waits(rates.classOf(rule), number, m)) take(number, m);
    }
    void pass(std::chrono::milliseconds time) {
        clock.advance(time);
        static_cast<void>(loop.dispatch(0us, 100));
        static_cast<void>(loop.dispatch(0us, 100));
    }
    [[nodiscard]] std::vector<std::string> got() { return std::exchange(out, {}); }

    using Texts = std::vector<std::string>;
    StillClock clock;
    reactor::Reactor loop;
    std::vector<std::string> out;
    std::map<std::uint32_t, std::map<std::int16_t, std::uint64_t>> values;
    ExportRates rates;
};
using Texts = Exported::Texts;

}  // namespace

TEST_CASE("quotes of an exported item go once in an interval, and trades at once behind what waits",
          "[hub][mesh][rates]") {
    Exported t({kRule});
    t.update(kRule, 7, kQuote, 22, 1);
    CHECK(t.got() == Texts{"7 1:22=1,"});
    t.update(kRule, 7, kQuote, 22, 2);
    t.update(kRule, 7, kQuote, 25, 3);
    t.update(kRule, 8, kQuote, 22, 9);  // of another item the first
    CHECK(t.got() == Texts{"8 1:22=9,"});
    CHECK(t.rates.counts().conflating.get() == 1);
    CHECK(t.rates.counts().conflated.get() == 1);
    t.pass(299ms);
    CHECK(t.got().empty());
    t.pass(1ms);
    CHECK(t.got() == Texts{"7 1:22=2,25=3,"});
    CHECK(t.rates.counts().conflatedBytes.get() == 0);
    t.update(kRule, 7, kQuote, 22, 4);
    t.update(kRule, 7, kTrade, 22, 5);
    CHECK(t.got() == Texts{"7 1:22=4,", "7 2:22=5,"});
    t.update(kRule, 7, kQuote, 22, 6);
    t.rates.sendWaiting(7);  // as before a status or an image
    CHECK(t.got() == Texts{"7 1:22=6,"});
    t.update(kRule, 7, kQuote, 22, 7);
    t.rates.drop(7);
    t.pass(1000ms);
    CHECK(t.got().empty());
    CHECK(t.rates.counts().conflating.get() == 0);
}

TEST_CASE("services with other rules, and such without one, share nothing", "[hub][mesh][rates]") {
    Exported t({kRule, kAll});
    CHECK(t.rates.classOf(kRule) != t.rates.classOf(kAll));
    CHECK(t.rates.classOf({Mode::none}) == ExportRates::kAsTheyCome);
    CHECK(t.rates.classOf({Mode::interval, 300ms}) == ExportRates::kAsTheyCome);
    for (std::uint64_t v = 1; v <= 3; ++v) {
        t.update({Mode::none}, 1, kQuote, 22, v);
        t.update(kRule, 2, kTrade, 22, v);
        t.update(kAll, 3, kTrade, 22, v);
    }
    CHECK(t.got() == Texts{"1 1:22=1,", "2 2:22=1,", "3 2:22=1,", "1 1:22=2,", "2 2:22=2,", "1 1:22=3,", "2 2:22=3,"});
    t.pass(500ms);
    CHECK(t.got() == Texts{"3 2:22=3,"});
    Exported none({});
    none.update(kRule, 1, kQuote, 22, 1);
    none.update(kRule, 1, kQuote, 22, 2);
    none.rates.sendWaiting(1);
    none.rates.drop(1);
    CHECK(none.got() == Texts{"1 1:22=1,", "1 1:22=2,"});
}

TEST_CASE("what finds no room goes at once and is counted", "[hub][mesh][rates]") {
    Exported t({kRule}, 1);
    for (std::uint64_t v = 1; v <= 3; ++v)
        t.update(kRule, 1, kQuote, 22, v);
    CHECK(t.got() == Texts{"1 1:22=1,", "1 1:22=2,", "1 1:22=3,"});
    CHECK(t.rates.counts().unconflated.get() == 2);
}

TEST_CASE("other rules send what waits under the old ones, in whatever order they come", "[hub][mesh][rates]") {
    Exported t({kRule});
    const std::vector<std::vector<Conflation>> all{{kRule}, {kAll, kRule}, {}, {kAll}};
    std::size_t now = 0;
    std::mt19937 random(5);
    std::map<std::uint32_t, std::map<std::int16_t, std::uint64_t>> truth;
    for (std::uint64_t step = 1; step <= 3000; ++step) {
        const auto number = static_cast<std::uint32_t>(1 + random() % 5);
        const auto field = static_cast<std::int16_t>(random() % 2 == 0 ? 22 : 25);
        truth[number][field] = step;
        t.update(number % 2 == 0 ? kRule : kAll, number, random() % 8 == 0 ? kTrade : kQuote, field, step);
        if (random() % 50 == 0) {
            const std::size_t next = random() % all.size();
            const bool others = next != std::exchange(now, next);  // the same ones leave what waits waiting
            t.rates.change({all[next], hub::HubSettings{}.conflateTypes, 1 << 20});
            if (others) CHECK(t.values == truth);
            if (others) CHECK(t.rates.counts().conflating.get() == 0);
        }
        if (random() % 10 == 0) t.pass(std::chrono::milliseconds(random() % 200));
    }
    t.pass(1000ms);
    CHECK(t.values == truth);
    CHECK(t.rates.counts().conflated.get() > 0);
}
