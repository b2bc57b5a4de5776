// What the tests of order books share: messages in a few words, and two stores that read them in both ways.
#pragma once

#include "ema/data/support.h"
#include "emissary/book/Builder.h"
#include "emissary/book/Store.h"
#include "emissary/book/Top.h"
#include "eta/codec/encoders.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace booktest {

namespace book = emissary::book;
namespace codec = emissary::eta::codec;
using book::Kind;
using book::State;
using ematest::ReceivedMsg;
using emissary::eta::asBytes;
using emissary::eta::BeWriter;
using emissary::eta::Bytes;

/// The shipped fields and those of order books that they lack.
inline const emissary::eta::dictionary::Dictionary& dictionary() {
    static const auto kDictionary = [] {
        const std::string shipped = emissary::test::sourcePath("/etc/RDMFieldDictionary");
        const auto path = std::filesystem::temp_directory_path() / ("book_fields." + std::to_string(::getpid()));
        {
            std::ofstream out(path);
            out << std::ifstream(shipped).rdbuf();
            const struct {
                const char* name;
                int id;
                const char *type, *wire;
            } more[] = {{"ORD_SZ_DEC", 9943, "PRICE", "REAL64"},    {"IMP_NO_ORD", 7141, "INTEGER", "INT64"},
                        {"QUOTE_DATE", 3386, "DATE", "DATE"},       {"STOCK_RIC", 1026, "ALPHANUMERIC", "RMTES_STRING"},
                        {"BOOK_DEPTH", 6454, "INTEGER", "REAL64"},  {"LV_TIM_MSP", 6528, "INTEGER", "UINT64"},
                        {"OR_TIM_NS", 14276, "INTEGER", "TIME"},    {"ORDER_RNK", 7439, "INTEGER", "INT64"},
                        {"ORDER_PRIY", 6919, "INTEGER", "INT64"},   {"MKTMKR_ID", 4106, "ALPHANUMERIC", "RMTES_STRING"},
                        {"MKT_SOURCE", 213, "ENUMERATED", "ENUM"},  {"MBP_AG_RUL", 6543, "ENUMERATED", "ENUM"},
                        {"BOOK_STATE", 6516, "ENUMERATED", "ENUM"}, {"HALT_REASN", 6517, "ENUMERATED", "ENUM"},
                        {"ORD_ENT_ST", 6518, "ENUMERATED", "ENUM"}, {"PR_TIM_MSP", 6521, "INTEGER", "UINT64"},
                        {"PR_DATE", 6522, "DATE", "DATE"},          {"MAKERS_MAP", 32001, "OPAQUE", "MAP"}};
            for (const auto& f : more)
                if (ematest::shippedFields().find(static_cast<std::int16_t>(f.id)) == nullptr)
                    out << f.name << " \"" << f.name << "\" " << f.id << " NULL " << f.type << ' '
                        << (std::string_view(f.type) == "ENUMERATED" ? "5 ( 3 )" : "17") << ' ' << f.wire << " 8\n";
        }
        emissary::eta::dictionary::Dictionary d;
        const auto error = d.loadFields(path.string());
        std::filesystem::remove(path);
        if (error) throw std::runtime_error(error.text);
        return d;
    }();
    return kDictionary;
}

// --- fields

struct Field {
    std::int16_t id;
    std::string content;
};

template <class Encode>
std::string content(Encode&& encode) {
    std::byte block[64];
    BeWriter out{block};
    encode(out);
    return std::string(emissary::eta::asText(out.view()));
}
inline Field real(std::int16_t id, std::int64_t mantissa, int hint = 14) {
    return {id, content([&](BeWriter& o) {
                codec::encodeReal(o, codec::Real{mantissa, static_cast<std::uint8_t>(hint)});
            })};
}
inline Field number(std::int16_t id, std::uint64_t v) {
    return {id, content([&](BeWriter& o) { codec::encodeUInt(o, v); })};
}
inline Field whole(std::int16_t id, std::int64_t v) {
    return {id, content([&](BeWriter& o) { codec::encodeInt(o, v); })};
}
inline Field enumeration(std::int16_t id, std::uint16_t v) {
    return {id, content([&](BeWriter& o) { codec::encodeEnum(o, v); })};
}
inline Field text(std::int16_t id, std::string_view v) {
    return {id, std::string(v)};
}
inline Field blank(std::int16_t id) {
    return {id, {}};
}
/// Hundredths.
inline Field price(std::int64_t hundredths) {
    return real(3427, hundredths, 12);
}
inline Field size(std::int64_t v) {
    return real(3429, v);
}
inline Field side(int v) {
    return enumeration(3428, static_cast<std::uint16_t>(v));
}
inline Field bid() {
    return side(1);
}
inline Field ask() {
    return side(2);
}

// --- maps and messages

constexpr std::uint8_t kUpdate = 1, kAdd = 2, kDelete = 3;

struct Entry {
    std::uint8_t action;
    std::string key;
    std::vector<Field> fields;
};

inline std::string fieldList(const std::vector<Field>& fields) {
    static std::vector<std::byte> block(65536);
    BeWriter out{block};
    codec::FieldListEncoder list;
    list.begin(out);
    for (const Field& f : fields)
        list.add(f.id, asBytes(f.content));
    REQUIRE(list.complete().ok());
    return std::string(emissary::eta::asText(out.view()));
}

inline std::string map(const std::vector<Entry>& entries, const std::vector<Field>& summary = {},
                       codec::DataType keyType = codec::DataType::Buffer) {
    static std::vector<std::byte> block(1 << 20);
    BeWriter out{block};
    codec::EntryContainerHeader head;
    head.entryType = codec::DataType::FieldList;
    const std::string sums = fieldList(summary);
    head.hasSummary = !summary.empty();
    head.summary = asBytes(sums);
    codec::MapEncoder encoder;
    encoder.begin(out, head, keyType);
    for (const Entry& e : entries) {
        const std::string list = fieldList(e.fields);
        encoder.add(e.action, asBytes(e.key), asBytes(list));
    }
    REQUIRE(encoder.complete().ok());
    return std::string(emissary::eta::asText(out.view()));
}

struct Flags {
    bool clear = true, complete = true, solicited = true, doNotCache = false;
    std::uint8_t stream = 1, data = 1;
    int part = -1;
    std::int64_t sequence = -1;
};

inline std::vector<std::byte> encoded(const codec::Msg& msg) {
    std::vector<std::byte> block(codec::maxEncodedSize(msg) + 16);
    BeWriter out{block};
    REQUIRE(codec::encodeMsg(out, msg).ok());
    block.resize(out.size());
    return block;
}

inline std::vector<std::byte> refreshBytes(const std::string& payload, const Flags& flags, Kind kind = Kind::orders) {
    codec::Msg msg;
    msg.cls = codec::MsgClass::Refresh;
    msg.domain = static_cast<std::uint8_t>(kind);
    msg.streamId = 5;
    msg.flags = static_cast<std::uint16_t>(
        (flags.clear ? codec::RefreshFlag::clearCache : 0) | (flags.complete ? codec::RefreshFlag::complete : 0) |
        (flags.solicited ? codec::RefreshFlag::solicited : 0) | (flags.part >= 0 ? codec::RefreshFlag::partNum : 0) |
        (flags.sequence >= 0 ? codec::RefreshFlag::seqNum : 0));
    msg.partNum = static_cast<std::uint16_t>(flags.part);
    msg.seqNum = static_cast<std::uint32_t>(flags.sequence);
    msg.state = {flags.stream, flags.data, 0, {}};
    msg.containerType = payload.empty() ? codec::DataType::NoData : codec::DataType::Map;
    msg.payload = asBytes(payload);
    return encoded(msg);
}

inline std::vector<std::byte> updateBytes(const std::string& payload, const Flags& flags = {},
                                          Kind kind = Kind::orders) {
    codec::Msg msg;
    msg.cls = codec::MsgClass::Update;
    msg.domain = static_cast<std::uint8_t>(kind);
    msg.streamId = 5;
    msg.flags = static_cast<std::uint16_t>((flags.sequence >= 0 ? codec::UpdateFlag::seqNum : 0) |
                                           (flags.doNotCache ? codec::UpdateFlag::doNotCache : 0));
    msg.seqNum = static_cast<std::uint32_t>(flags.sequence);
    msg.containerType = payload.empty() ? codec::DataType::NoData : codec::DataType::Map;
    msg.payload = asBytes(payload);
    return encoded(msg);
}

inline std::vector<std::byte> statusBytes(std::uint8_t stream, std::uint8_t data, bool clear = false) {
    codec::Msg msg;
    msg.cls = codec::MsgClass::Status;
    msg.domain = 7;
    msg.streamId = 5;
    msg.flags = static_cast<std::uint16_t>(codec::StatusFlag::state | (clear ? codec::StatusFlag::clearCache : 0));
    msg.state = {stream, data, 0, {}};
    return encoded(msg);
}

// --- listening

inline std::string text(const book::Book& b, book::Price p) {
    char to[book::kPriceText];
    return std::string(p.text(b, to));
}
inline std::string text(const book::Real& r) {
    std::ostringstream out;
    out << r.toDouble();
    return out.str();
}

/// One line a level and order: everything that a reader can see.
inline std::string dump(const book::Book& b) {
    std::ostringstream out;
    out << name(b.state()) << ' ' << name(b.phase()) << (b.crossed() ? " crossed" : "") << (b.isFinal() ? " final" : "")
        << " keys " << b.keys() << " version " << b.version() << '\n';
    for (const book::BookSide* s : {&b.bids(), &b.asks()}) {
        const char* which = s == &b.bids() ? "bid" : "ask";
        const auto order = [&](const book::Order& o) {
            out << "    " << o.id() << ' ' << text(o.size()) << " t" << o.time().count() << " p"
                << o.priorityTime().count() << " d" << o.date() << ' ' << o.maker() << ' ' << o.makerName() << ' '
                << o.tone() << ' ' << o.qualifier() << ' ' << o.bookDepth() << ' ' << o.position().orders << '/'
                << text(o.position().size) << '\n';
        };
        if (!s->market().empty()) {
            out << which << " market " << text(s->market().size()) << '\n';
            for (const book::Order o : s->market().queue())
                order(o);
        }
        for (const book::Level level : *s) {
            out << which << ' ' << text(b, level.price()) << ' ' << text(level.size()) << " x" << level.orders() << " i"
                << level.impliedOrders() << " t" << level.time().count() << ' ' << ematest::hex(level.makers()) << '\n';
            for (const book::Order o : level.queue())
                order(o);
        }
    }
    const book::Summary& s = b.summary();
    out << "summary " << s.currency << ' ' << s.stockRic << ' ' << s.bookState << ' ' << text(s.lotSize) << ' '
        << s.quoteDate << '\n';
    return out.str();
}

/// Writes down what it hears, and keeps a ladder of its own from the changes alone.
struct Recorder : book::BookListener {
    struct Rung {
        std::int64_t ticks;
        book::Real size;
        std::uint32_t orders;
    };
    std::vector<std::string> heard;
    std::vector<Rung> ladder[2];
    std::map<book::Fault, int> faults;
    std::string broken;  ///< the first disagreement of ladder and book
    bool quiet = false;

    void say(std::string line) {
        if (!quiet) heard.push_back(std::move(line));
    }
    std::vector<Rung>& rungs(book::Side s) { return ladder[s == book::Side::bid ? 0 : 1]; }

    void onBookChanged(const book::Book& b, std::span<const book::Change> changes) override {
        if (!quiet) {
            std::ostringstream out;
            out << "changed";
            for (const book::Change& c : changes)
                out << ' '
                    << "~+-"[c.action == book::Change::added     ? 1
                             : c.action == book::Change::removed ? 2
                                                                 : 0]
                    << (c.side == book::Side::bid ? "bid" : "ask") << (c.market ? " market" : "") << ' '
                    << (c.market ? "" : text(b, c.price)) << '@' << c.index << ' ' << text(c.sizeBefore) << "->"
                    << text(c.size) << " x" << c.ordersBefore << "->" << c.orders;
            say(out.str());
        }
        for (auto c = changes.rbegin(); c != changes.rend(); ++c) {  // worst first: indexes before stay right
            if (c->market || c->action != book::Change::removed) continue;
            auto& side = rungs(c->side);
            if (c->index >= side.size() || side[c->index].ticks != c->price.ticks) {
                broken = "removed " + std::to_string(c->index) + " is not there";
                return;
            }
            side.erase(side.begin() + c->index);
        }
        for (const book::Change& c : changes) {
            if (c.market || c.action == book::Change::removed) continue;
            auto& side = rungs(c.side);
            if (c.index > side.size() || (c.action == book::Change::changed && c.index == side.size())) {
                broken = "index " + std::to_string(c.index) + " is behind the end";
                return;
            }
            const Rung rung{c.price.ticks, c.size, c.orders};
            if (c.action == book::Change::added) side.insert(side.begin() + c.index, rung);
            else side[c.index] = rung;
        }
        compare(b);
    }
    void take(const book::Book& b) {
        for (const book::Side s : {book::Side::bid, book::Side::ask}) {
            rungs(s).clear();
            for (const book::Level level : s == book::Side::bid ? b.bids() : b.asks())
                rungs(s).push_back({level.price().ticks, level.size(), level.orders()});
        }
    }
    void compare(const book::Book& b) {
        if (!broken.empty()) return;
        for (const book::Side s : {book::Side::bid, book::Side::ask}) {
            const book::BookSide& side = s == book::Side::bid ? b.bids() : b.asks();
            if (side.depth() != rungs(s).size()) {
                broken = "depths differ";
                return;
            }
            std::size_t i = 0;
            for (const book::Level level : side) {
                const Rung& r = rungs(s)[i++];
                if (r.ticks != level.price().ticks || !(r.size == level.size()) || r.orders != level.orders()) {
                    broken = "level " + std::to_string(i - 1) + " differs";
                    return;
                }
            }
        }
    }
    void onBookReset(const book::Book& b) override {
        say("reset");
        take(b);
    }
    void onBookState(const book::Book& b, State before) override {
        say(std::string("state ") + name(before) + "->" + name(b.state()) + ' ' + name(b.phase()));
    }
    void onBookFault(const book::Book&, book::Fault fault, std::string_view key, std::int16_t field) override {
        ++faults[fault];
        say(std::string("fault ") + name(fault) + ' ' + std::string(key) + ' ' + std::to_string(field));
    }
};

/// A book read twice: from the bytes and through the public walk. Every message must leave both the same.
class Twice {
public:
    explicit Twice(Kind kind = Kind::orders, book::BookOptions options = {})
        : kind_(kind), fast_(fastEars, options), slow_(slowEars, options), fastBook_(fast_.add("A", kind)),
          slowBook_(slow_.add("A", kind)) {}

    book::Verdict refresh(const std::vector<Entry>& entries, const Flags& flags = {},
                          const std::vector<Field>& summary = {}) {
        return refreshRaw(map(entries, summary, keyType), flags);
    }
    book::Verdict refreshRaw(const std::string& payload, const Flags& flags = {}) {
        return both(ReceivedMsg<ematest::RefreshMsg>(refreshBytes(payload, flags, kind_), &dictionary()));
    }
    book::Verdict update(const std::vector<Entry>& entries, const Flags& flags = {},
                         const std::vector<Field>& summary = {}) {
        return updateRaw(map(entries, summary, keyType), flags);
    }
    book::Verdict updateRaw(const std::string& payload, const Flags& flags = {}) {
        return both(ReceivedMsg<ematest::UpdateMsg>(updateBytes(payload, flags, kind_), &dictionary()));
    }
    book::Verdict status(std::uint8_t stream, std::uint8_t data, bool clear = false) {
        return both(ReceivedMsg<ematest::StatusMsg>(statusBytes(stream, data, clear), &dictionary()));
    }

    [[nodiscard]] const book::Book& book() const { return fastBook_; }
    [[nodiscard]] book::Book& changeable() { return fastBook_; }
    [[nodiscard]] const book::Counters& counters() const { return fast_.counters(); }
    [[nodiscard]] book::Store& store() { return fast_; }
    /// What was heard since the last call.
    [[nodiscard]] std::vector<std::string> heard() {
        slowEars.heard.clear();
        return std::exchange(fastEars.heard, {});
    }
    [[nodiscard]] std::string levels() const {
        std::string out;
        for (const book::BookSide* s : {&fastBook_.bids(), &fastBook_.asks()}) {
            for (const book::Level level : *s)
                out += text(fastBook_, level.price()) + "x" + text(level.size()) + " ";
            out += s == &fastBook_.bids() ? "| " : "";
        }
        return out;
    }
    Recorder fastEars, slowEars;
    codec::DataType keyType = codec::DataType::Buffer;

private:
    template <class M>
    book::Verdict both(const ReceivedMsg<M>& msg) {
        const book::Verdict verdict = fast_.apply(fastBook_, *msg);
        const book::Verdict other = slow_.applyPortable(slowBook_, *msg);
        CHECK(verdict == other);
        CHECK(dump(fastBook_) == dump(slowBook_));
        CHECK(fastEars.heard == slowEars.heard);
        CHECK(fastEars.broken == "");
        CHECK(fastBook_.verify() == "");
        CHECK(slowBook_.verify() == "");
        for (const book::CounterInfo& info : book::counterTable()) {
            INFO(info.name);
            CHECK(info.of(fast_.counters()).get() == info.of(slow_.counters()).get());
        }
        return verdict;
    }
    Kind kind_;
    book::Store fast_, slow_;
    book::Book &fastBook_, &slowBook_;
};

using Heard = std::vector<std::string>;

}  // namespace booktest
