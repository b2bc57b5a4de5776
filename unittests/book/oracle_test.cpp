// Random streams of every kind of entry against a naive model; the number of operations comes from BOOK_OPERATIONS, for
// runs of the full length (docs/spec/order-books.md 7 asks for ten million).
#include "support.h"

#include "apply/StoreAccess.h"

#include <random>

using namespace booktest;

namespace {

std::uint64_t operations() {
    const char* wanted = std::getenv("BOOK_OPERATIONS");
    return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 150'000;
}

constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min(), kBlank = kNothing + 1;

/// What one entry says: a price or size of kNothing is absent, a price of kBlank is blank.
struct Said {
    std::uint8_t action = 0;
    std::string key;
    std::int64_t price = kNothing, size = kNothing, bid = kNothing, bidSize = kNothing, ask = kNothing,
                 askSize = kNothing;
    int side = -1;
    [[nodiscard]] bool quote() const {
        return bid != kNothing || bidSize != kNothing || ask != kNothing || askSize != kNothing;
    }
    [[nodiscard]] bool oneSided() const { return price != kNothing || side >= 0; }
};

/// The rules in the plainest containers.
class Model {
public:
    explicit Model(Kind kind) : kind_(kind) {}

    void apply(const Said& s) {
        if (s.action == kDelete) return remove(s.key);
        const auto known = keys_.find(s.key);
        const bool fresh = known == keys_.end() || s.action == kAdd;
        if (fresh ? s.quote() && !s.oneSided() : known->second) applyQuote(s, fresh);
        else applyOne(s, fresh);
    }
    [[nodiscard]] std::size_t size() const { return keys_.size(); }
    [[nodiscard]] const std::string& key(std::size_t n) const {
        return std::next(keys_.begin(), static_cast<std::ptrdiff_t>(n))->first;
    }
    /// Levels with their queues, best first, the market before them.
    [[nodiscard]] std::string text() const {
        std::string out;
        for (const int side : {1, 2}) {
            using Queue = std::map<std::uint64_t, std::pair<std::string, std::int64_t>>;
            std::map<std::int64_t, Queue> levels;
            Queue market;
            for (const auto& [key, r] : rows_) {
                if (r.side != side || r.size == 0 || (r.two && r.market)) continue;
                (r.market ? market : levels[side == 1 ? -r.price : r.price])[r.arrival] = {key.first, r.size};
            }
            out += side == 1 ? "bids" : "asks";
            const auto add = [&out](const Queue& queue) {
                std::int64_t sum = 0;
                for (const auto& [arrival, row] : queue) {
                    sum += row.second;
                    out += " " + row.first + "=" + std::to_string(row.second);
                }
                out += " sum " + std::to_string(sum);
            };
            if (!market.empty()) out += " market", add(market);
            for (const auto& [price, queue] : levels)
                out += " @" + std::to_string(std::abs(price)), add(queue);
            out += "\n";
        }
        return out;
    }

private:
    struct Row {
        int side = 0;
        bool market = false, two = false;
        std::int64_t price = 0, size = 0;
        std::uint64_t arrival = 0;
    };
    void remove(const std::string& key) {
        keys_.erase(key);
        rows_.erase({key, 1});
        rows_.erase({key, 2});
    }
    void applyOne(const Said& s, bool fresh) {
        if ((fresh && (s.side <= 0 || s.price == kNothing)) || (s.size != kNothing && s.size < 0)) return;
        if (fresh) {
            remove(s.key);
            keys_[s.key] = false;
            rows_[{s.key, 1}] = {
                s.side,     s.price == kBlank, false, s.price == kBlank ? 0 : s.price, s.size == kNothing ? 0 : s.size,
                ++arrivals_};
        } else {
            change(rows_[{s.key, 1}], s.price, s.size, s.side);
        }
    }
    void applyQuote(const Said& s, bool fresh) {
        if (s.quote()) {
            if ((s.bidSize != kNothing && s.bidSize < 0) || (s.askSize != kNothing && s.askSize < 0)) return;
            if (fresh && s.bid == kNothing && s.ask == kNothing) return;
        } else if (s.oneSided() || s.size != kNothing) {
            if (s.side <= 0 || (s.size != kNothing && s.size < 0)) return;
            return change(rows_[{s.key, s.side}], s.price, s.size, 0);
        }
        if (fresh) {
            remove(s.key);
            keys_[s.key] = true;
            rows_[{s.key, 1}] = {1, true, true, 0, 0, ++arrivals_};
            rows_[{s.key, 2}] = {2, true, true, 0, 0, ++arrivals_};
        }
        change(rows_[{s.key, 1}], s.bid, s.bidSize, 0);
        change(rows_[{s.key, 2}], s.ask, s.askSize, 0);
    }
    void change(Row& r, std::int64_t price, std::int64_t newSize, int side) {
        const std::int64_t size = newSize == kNothing ? r.size : newSize;
        const bool blank = price == kBlank;
        const bool moves =
            (side > 0 && side != r.side) || (price != kNothing && (blank != r.market || (!blank && price != r.price)));
        const bool ranked = r.size != 0 && !(r.two && r.market);
        // A price point has no queue to lose its place in.
        if (moves || !ranked || size == 0 || (size > r.size && kind_ != Kind::prices)) r.arrival = ++arrivals_;
        if (side > 0) r.side = side;
        if (price != kNothing) {
            r.market = blank;
            if (!blank) r.price = price;
        }
        r.size = size;
    }
    Kind kind_;
    std::map<std::string, bool> keys_;  ///< whether it is two-sided
    std::map<std::pair<std::string, int>, Row> rows_;
    std::uint64_t arrivals_ = 0;
};

std::string textOf(const book::Book& b) {
    std::string out;
    for (const book::BookSide* s : {&b.bids(), &b.asks()}) {
        out += s == &b.bids() ? "bids" : "asks";
        const auto add = [&out](const auto& queue, const book::Real& size) {
            for (const book::Order o : queue)
                out += " " + std::string(o.id()) + "=" + std::to_string(o.size().mantissa);
            out += " sum " + std::to_string(size.mantissa);
        };
        if (!s->market().empty()) out += " market", add(s->market().queue(), s->market().size());
        for (const book::Level level : *s)
            out += " @" + std::to_string(level.price().ticks / 1'000'000), add(level.queue(), level.size());
        out += "\n";
    }
    return out;
}

/// Entries of every kind, most of them possible, some not.
class Random {
public:
    Random(Kind kind, std::uint64_t seed) : kind_(kind), random_(seed) {}
    std::uint64_t below(std::uint64_t n) { return random_() % n; }
    Said next(const Model& model) {
        Said s;
        const bool full = model.size() > 60;
        const bool known = model.size() != 0 && (full || below(3) != 0);
        s.key = known ? model.key(below(model.size()))
                      : (below(4) == 0 ? "a-key-of-more-than-sixteen-bytes-" : "k") + std::to_string(below(200));
        const std::uint64_t what = below(10);
        s.action = what < (full ? 6u : 2u) ? kDelete : what < 6 ? kAdd : kUpdate;
        if (s.action == kDelete) return s;
        const bool all = s.action == kAdd;
        if (kind_ == Kind::makers ? below(25) != 0 : below(25) == 0) {
            price(s.bid, all), size(s.bidSize, all);
            price(s.ask, all), size(s.askSize, all);
            return s;
        }
        price(s.price, all), size(s.size, all);
        if (all || below(8) == 0) s.side = static_cast<int>(below(30) == 0 ? 0 : 1 + below(2));
        return s;
    }

private:
    void price(std::int64_t& to, bool all) {
        if (!all && below(2) == 0) return;
        if (below(40) == 0) return;
        to = below(20) == 0 ? kBlank : 1000 + static_cast<std::int64_t>(below(30));
    }
    void size(std::int64_t& to, bool all) {
        if (!all && below(3) == 0) return;
        to = static_cast<std::int64_t>(below(12)) - (below(40) == 0 ? 12 : 0);
    }
    Kind kind_;
    std::mt19937_64 random_;
};

Entry entryOf(const Said& s) {
    Entry e{s.action, s.key, {}};
    const auto price = [&e](std::int16_t id, std::int64_t v) {
        if (v != kNothing) e.fields.push_back(v == kBlank ? blank(id) : real(id, v, 12));
    };
    const auto size = [&e](std::int16_t id, std::int64_t v) {
        if (v != kNothing) e.fields.push_back(real(id, v));
    };
    price(3427, s.price), size(3429, s.size);
    price(22, s.bid), size(30, s.bidSize), price(25, s.ask), size(31, s.askSize);
    if (s.side >= 0) e.fields.push_back(side(s.side));
    return e;
}

}  // namespace

TEST_CASE("Random streams leave the book that a naive model has", "[book][oracle]") {
    const Kind kind = GENERATE(Kind::orders, Kind::prices, Kind::makers);
    const std::uint64_t seed = 20'240'209 + static_cast<std::uint64_t>(kind);
    INFO("kind " << static_cast<int>(kind) << " seed " << seed);
    Recorder ears;
    ears.quiet = true;
    book::BookOptions options;
    options.maxFaults = 1'000'000;
    book::Store store(ears, options);
    book::Book& b = store.add("A", kind);
    Model model(kind);
    Random random(kind, seed);
    const auto send = [&](const std::vector<std::byte>& bytes) {
        codec::Msg msg;
        REQUIRE(codec::decodeMsg(bytes, msg).ok());
        book::StoreAccess::apply(store, b, msg);
    };
    send(refreshBytes({}, {}, kind));
    const std::uint64_t wanted = operations();
    std::uint64_t messages = 0;
    for (std::uint64_t done = 0; done < wanted; ++messages) {
        std::vector<Entry> entries;
        for (std::uint64_t n = 1 + (random.below(8) == 0 ? random.below(12) : 0); n != 0; --n, ++done) {
            const Said said = random.next(model);
            model.apply(said);
            entries.push_back(entryOf(said));
        }
        send(updateBytes(map(entries), {}, kind));
        if (messages >= 100'000 && messages % 1000 != 0) continue;
        const std::string expected = model.text(), seen = textOf(b), broken = b.verify();
        if (expected == seen && broken.empty() && ears.broken.empty() && b.keys() == model.size()) continue;
        INFO("message " << messages);
        REQUIRE(expected == seen);
        REQUIRE(broken.empty());
        REQUIRE(ears.broken == "");
        REQUIRE(b.keys() == model.size());
    }
    CHECK(store.counters().entries.get() >= wanted);
    CHECK(store.counters().addOfKnown.get() > 0);
    CHECK(store.counters().deleteOfUnknown.get() > 0);
    CHECK(store.counters().updateWithoutAdd.get() > 0);
}

TEST_CASE("Random streams read alike from bytes and through the public walk", "[book][oracle]") {
    const Kind kind = GENERATE(Kind::orders, Kind::prices, Kind::makers);
    book::BookOptions options;
    options.maxFaults = 1'000'000;
    options.now = [] { return std::chrono::steady_clock::time_point{}; };
    Twice t(kind, options);
    Model model(kind);
    Random random(kind, 7);
    t.refresh({}, {}, {enumeration(6543, static_cast<std::uint16_t>(GENERATE(1, 2)))});
    for (int i = 0; i != 400; ++i) {
        std::vector<Entry> entries;
        for (std::uint64_t n = 1 + random.below(6); n != 0; --n) {
            const Said said = random.next(model);
            model.apply(said);
            entries.push_back(entryOf(said));
        }
        t.update(entries);
        static_cast<void>(t.heard());
    }
}

TEST_CASE("Multi-part images with updates between the parts leave the model's book", "[book][oracle]") {
    Random random(Kind::orders, 11);
    for (int round = 0; round != 60; ++round) {
        Twice t;
        Model old(Kind::orders), model(Kind::orders);
        t.refresh({}, {});
        const auto entries = [&](Model& m) {
            std::vector<Entry> out;
            for (std::uint64_t n = random.below(6); n != 0; --n) {
                const Said said = random.next(m);
                m.apply(said);
                out.push_back(entryOf(said));
            }
            return out;
        };
        t.update(entries(old));
        if (random.below(3) == 0) t.status(1, 2);
        const std::uint64_t parts = 1 + random.below(5);
        for (std::uint64_t part = 0; part != parts; ++part) {
            const bool last = part + 1 == parts;
            t.refresh(entries(model), {.clear = part == 0,
                                       .complete = last,
                                       .solicited = round % 2 == 0,
                                       .part = round % 3 == 0 ? -1 : static_cast<int>(part)});
            REQUIRE(textOf(t.book()) == (last ? model : old).text());
            for (std::uint64_t n = random.below(3); n != 0; --n) {
                t.update(entries(model));
                REQUIRE(textOf(t.book()) == (last ? model : old).text());
            }
        }
        CHECK(t.book().state() == State::live);
        // An overlay and a new image later on.
        t.refresh(entries(model), {.clear = false, .solicited = false});
        CHECK(textOf(t.book()) == model.text());
    }
}
