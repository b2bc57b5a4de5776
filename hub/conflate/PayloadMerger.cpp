// Joins payloads container by container; every rule that would change a client's state refuses instead.
#include "hub/conflate/PayloadMerger.h"

#include "eta/codec/encoders.h"
#include "eta/codec/standard_form.h"
#include "hub/cache/shortest_key.h"

#include <cstring>
#include <new>
#include <string_view>
#include <unordered_map>

namespace emissary::hub::conflate {

using namespace eta::codec;

namespace {

constexpr std::size_t kFirstBytes = 64u << 10;
// The actions of both containers have the same numbers, so one set of rules serves both.
static_assert(MapAction::update == FilterAction::update && MapAction::add == FilterAction::set &&
              MapAction::del == FilterAction::clear);
constexpr std::uint8_t kUpdate = MapAction::update, kSet = MapAction::add, kErase = MapAction::del;

/// Entries of standard data with short contents, as they stand. The place is in locals, and so in registers.
class Steps {
public:
    explicit Steps(const FieldListDecoder::Plain& from) noexcept
        : at_(from.rest.data()), end_(at_ + from.rest.size()), left_(from.left) {}
    [[nodiscard]] bool more() const noexcept { return left_ != 0; }
    /// The next entry, id and length included; none when it is malformed, or its content is long.
    [[nodiscard]] Bytes next() noexcept {
        const auto rest = static_cast<std::size_t>(end_ - at_);
        if (rest < kHead) return {};
        const std::size_t length = std::to_integer<std::size_t>(at_[2]);
        if (length >= 0xFE || length > rest - kHead) return {};
        const Bytes entry{at_, kHead + length};
        at_ += entry.size();
        --left_;
        return entry;
    }
    [[nodiscard]] static std::uint16_t idOf(Bytes entry) noexcept { return eta::loadBe<std::uint16_t>(entry.data()); }
    [[nodiscard]] static Bytes valueOf(Bytes entry) noexcept { return entry.subspan(kHead); }

private:
    static constexpr std::size_t kHead = 3;  // id, length
    const std::byte *at_, *end_;
    std::uint16_t left_;
};

}  // namespace

/// An entry of a map or filter list; the later of two entries with one key replaces it or is joined with it.
struct PayloadMerger::Entry {
    std::uint8_t action = 0;
    bool hasPerm = false, ownType = false;
    bool erasedFirst = false;  // the client erases what it has before it sets the entry
    DataType type = DataType::NoData;
    Bytes key, perm;
    Source data;
};

struct PayloadMerger::Entries {
    explicit Entries(std::pmr::memory_resource& memory) : all(&memory), byKey(&memory) {}
    std::pmr::vector<Entry> all;  // in order of first appearance
    std::pmr::unordered_map<std::string_view, std::size_t> byKey;
};

PayloadMerger::PayloadMerger()
    // One arena for each join: temporary lists cost no allocation in the usual case.
    : fieldMarks_(65536), listOf_(65536), placeOf_(65536), first_(kFirstBytes), arena_(first_.data(), first_.size()) {}

void PayloadMerger::setDictionary(const eta::dictionary::Dictionary* dictionary) {
    known_ = dictionary != nullptr && dictionary->hasFields();
    // Without a dictionary any field might be text with a command, and might ripple.
    std::fill(fieldMarks_.begin(), fieldMarks_.end(), kMayCommand);
    if (!known_) return;
    // A copy, since chains are followed from each field.
    std::unordered_map<std::int16_t, std::int16_t> next;
    for (const auto* const field : dictionary->fields())
        if (field->rippleTo != 0) next.emplace(field->fieldId, field->rippleTo);
    for (const auto* const field : dictionary->fields()) {
        std::uint8_t hops = 0;
        // kMostHops: beyond that a chain is not joined at all (hub.md 8.1).
        for (auto at = next.find(field->fieldId); at != next.end() && hops <= kMostHops; at = next.find(at->second))
            ++hops;
        fieldMarks_[static_cast<std::uint16_t>(field->fieldId)] = static_cast<std::uint8_t>(
            (hops != 0 ? kRipples : 0) | (hops <= kMostHops ? hops << kHopsShift : kTarget) |
            (field->type == DataType::RmtesString || field->type == DataType::Unknown ? kMayCommand : 0));
    }
    // Where a chain leads, an older value may be overwritten by a later ripple.
    for (const auto& [from, to] : next)
        fieldMarks_[static_cast<std::uint16_t>(to)] |= kTarget;
}

/// A command of RMTES may change a part of the value only. Looking for its first byte may refuse more than needed.
bool PayloadMerger::commands(std::uint8_t marks, Bytes value) noexcept {
    return (marks & kMayCommand) != 0 && !value.empty() && std::memchr(value.data(), 0x1B, value.size()) != nullptr;
}

bool PayloadMerger::refuses(std::int16_t id, Bytes value) const noexcept {
    const std::uint8_t marks = fieldMarks_[static_cast<std::uint16_t>(id)];
    if (marks == 0) [[likely]]
        return false;
    if ((marks & kRipples) != 0 && ripple_ != Ripple::no) return true;
    return commands(marks, value);
}

bool PayloadMerger::merge(DataType type, Bytes older, Bytes newer, Ripple ripple, Bytes& joined) noexcept try {
    // A bound of 64 KiB for both together (hub.md 8.1).
    if (older.size() + newer.size() > kMostBytes) return false;
    ripple_ = ripple;
    repeats_ = false;
    // The usual case, the same fields in the same order: the later update says everything.
    if (type == DataType::FieldList && known_ && covers(older, newer)) [[likely]] {
        joined = newer;
        return true;
    }
    if (type == DataType::FieldList && known_) switch (joinPlain(older, newer, result_.start())) {
        case Plain::joined:
            joined = result_.view();
            return true;
        case Plain::refused:
            return false;
        case Plain::no:
            break;
        }
    arena_.release();
    const std::array<Source, 2> both{{{older, nullptr}, {newer, nullptr}}};
    // The result lasts until the next join: callers copy it.
    if (!join(type, both, result_.start(), 0) || !result_.writer().ok()) return false;
    joined = result_.view();
    return true;
    // Memory that is short means that the update goes out as it came.
} catch (const std::bad_alloc&) { return false; }

/// True when `newer` begins with the fields of `older` in the same order, so that it says all that both say.
bool PayloadMerger::covers(Bytes older, Bytes newer) const noexcept {
    FieldListDecoder a, b;
    // A field list with set data is expanded, and so is one that has no info while the other has.
    if (!a.start(older).ok() || !b.start(newer).ok()) return false;
    if (a.hasInfo() != b.hasInfo() || a.setSkipped() || b.setSkipped() || b.setId() != 0 || a.setId() != 0)
        return false;
    FieldEntry x, y;
    while (a.next(x))
        // Standard values only, so that the newer payload can go out as it is.
        if (!b.next(y) || x.fieldId != y.fieldId || y.setType != DataType::Unknown || refuses(x.fieldId, x.data) ||
            refuses(y.fieldId, y.data))
            return false;
    while (b.next(y))
        if (y.setType != DataType::Unknown || refuses(y.fieldId, y.data)) return false;
    return a.error().ok() && b.error().ok();
}

/// Lists of standard data with no field twice, none of a chain that ripples, and short contents: entries are copied as
/// they stand.
PayloadMerger::Plain PayloadMerger::joinPlain(Bytes older, Bytes newer, eta::BeWriter& out) {
    constexpr std::size_t kWide = 16;           // bytes that are copied at once: entries are rarely longer
    constexpr std::uint16_t kOfOlder = 0xFFFF;  // placeOf_ of a field that was in the older one
    FieldListDecoder a, b;
    if (!a.start(older).ok() || !b.start(newer).ok() || a.setSkipped() || b.setSkipped()) return Plain::no;
    const auto look = [this](std::uint16_t id, Bytes value) {
        const std::uint8_t marks = fieldMarks_[id];
        if (marks == 0) [[likely]]
            return Plain::joined;
        if (ripple_ == Ripple::yes && isOfChain(marks)) return Plain::no;
        return refuses(static_cast<std::int16_t>(id), value) ? Plain::refused : Plain::joined;
    };
    beginList();
    for (Steps steps(b.plain()); steps.more();) {
        const Bytes entry = steps.next();
        if (entry.empty()) return Plain::no;
        const std::uint16_t id = Steps::idOf(entry);
        if (const Plain is = look(id, Steps::valueOf(entry)); is != Plain::joined) return is;
        if (listOf_[id] == list_) return Plain::no;
        listOf_[id] = list_;
        placeOf_[id] = static_cast<std::uint16_t>(fields_.size());
        fields_.push_back({static_cast<std::int16_t>(id), entry});
    }

    FieldListEncoder head;
    const FieldListDecoder& said = b.hasInfo() ? b : a;
    if (said.hasInfo()) head.begin(out, {said.dictionaryId(), said.fieldListNum()});
    else head.begin(out);
    std::byte* to = out.room(older.size() + newer.size() + kWide);
    if (to == nullptr) return Plain::refused;
    const std::byte* const first = to;
    // Both together have at most kMostBytes, so that their entries fit a count of 16 bits, and places are below
    // kOfOlder.
    static_assert(kMostBytes / 3 < kOfOlder);
    std::uint16_t count = 0;
    const auto add = [&](Bytes entry, Bytes list) {
        ++count;
        // What is behind a short entry is overwritten by the next one.
        if (entry.size() <= kWide && list.data() + list.size() - entry.data() >= std::ptrdiff_t{kWide}) [[likely]]
            std::memcpy(to, entry.data(), kWide);
        else std::memcpy(to, entry.data(), entry.size());
        to += entry.size();
    };
    for (Steps steps(a.plain()); steps.more();) {
        const Bytes entry = steps.next();
        if (entry.empty()) return Plain::no;
        const std::uint16_t id = Steps::idOf(entry);
        if (const Plain is = look(id, Steps::valueOf(entry)); is != Plain::joined) return is;
        if (listOf_[id] != list_) {
            listOf_[id] = list_;
            add(entry, older);
        } else {
            // The last value, in the place where the field appeared first.
            if (placeOf_[id] == kOfOlder) return Plain::no;
            Field& later = fields_[placeOf_[id]];
            add(later.value, newer);
            later.value = {};
        }
        placeOf_[id] = kOfOlder;
    }
    for (const Field& field : fields_)
        if (!field.value.empty()) add(field.value, newer);
    const std::size_t countAt = out.size() - sizeof count;
    out.advance(static_cast<std::size_t>(to - first));
    eta::storeBe(out.at(countAt), count);
    return Plain::joined;
}

// Bytes that point into scratch space or a decoder are copied; the arena is emptied with the next join.
Bytes PayloadMerger::keep(Bytes bytes) {
    if (bytes.empty()) return bytes;
    auto* const to = static_cast<std::byte*>(arena_.allocate(bytes.size(), 1));
    std::memcpy(to, bytes.data(), bytes.size());
    return {to, bytes.size()};
}

/// One source: the same content as standard data.
bool PayloadMerger::join(DataType type, Sources in, eta::BeWriter& out, int level) {
    // 8 levels, as the cache has them.
    if (level >= kMostLevels) return false;
    switch (type) {
    case DataType::FieldList:
        return joinFields(in, out, level);
    case DataType::ElementList:
        return joinElements(in, out);
    case DataType::Map:
        return joinMaps(in, out, level);
    case DataType::FilterList:
        return joinFilters(in, out, level);
    default:
        // A payload that is not looked into can only be replaced, never joined.
        if (in.size() != 1) return false;
        out.bytes(in[0].bytes);
        return true;
    }
}

void PayloadMerger::beginList() noexcept {
    // The lists are cleared by number, not by erasing 65,536 places.
    fields_.clear();
    if (++list_ != 0) return;
    std::fill(listOf_.begin(), listOf_.end(), 0u);  // the numbers begin again
    list_ = 1;
}

Bytes PayloadMerger::partFrom(Bytes joined, std::size_t& at) {
    FieldListDecoder list;
    FieldListEncoder made;
    if (!list.start(joined).ok()) return at = kNoPart, joined;
    if (list.hasInfo()) made.begin(result_.start(), {list.dictionaryId(), list.fieldListNum()});
    else made.begin(result_.start());
    beginList();
    FieldEntry e;
    for (std::size_t number = 0; list.next(e); ++number) {
        if (number < at) continue;
        const auto id = static_cast<std::uint16_t>(e.fieldId);
        // The field is in this update already; what comes next is another update.
        if (listOf_[id] == list_) {
            at = number;
            if (!made.complete().ok()) throw std::bad_alloc();
            return result_.view();
        }
        listOf_[id] = list_;
        made.add(e.fieldId, e.data);
    }
    at = kNoPart;
    if (!made.complete().ok()) throw std::bad_alloc();
    return result_.view();
}

/// In the list that an item is, fields of a chain stay in the order in which they came, each with as many values as the
/// chain has fields from it on. An older value decides nothing: each later one moves whatever it left a field further,
/// and in the end out of the chain; fields of the same chain that are set in between only move it further. That holds
/// where the image of a client lacks fields of the chain, too.
bool PayloadMerger::joinFields(Sources in, eta::BeWriter& out, int level) {
    // Without a dictionary no field list is joined (hub.md 8.1).
    if (!known_) return false;
    beginList();
    // Only updates that ripple, at the top level, keep several values of a chain.
    const bool repeats = level == 0 && ripple_ == Ripple::yes;
    bool hasInfo = false;
    FieldListEncoder::Info info{};
    for (const Source& source : in) {
        FieldListDecoder list;
        if (!list.start(source.bytes, source.sets).ok()) return false;
        if (list.hasInfo()) info = {list.dictionaryId(), list.fieldListNum()};
        hasInfo = hasInfo || list.hasInfo();
        FieldEntry e;
        ValueScratch scratch;
        while (list.next(e)) {
            Bytes value = e.data;
            // Reals of a set have a form of their own (rwf.md 2.13), and what is sent has none but the standard one.
            if (e.setType == DataType::Real4RB || e.setType == DataType::Real8RB)
                value = keep(standardForm(e.setType, e.data, scratch));
            const auto id = static_cast<std::uint16_t>(e.fieldId);
            const std::uint8_t marks = fieldMarks_[id];
            if (repeats && isOfChain(marks)) {
                // 65,535 entries are the most that a field list can have.
                if (fields_.size() == 0xFFFF || commands(marks, value)) return false;
                placeOf_[id] = static_cast<std::uint16_t>(listOf_[id] == list_ ? placeOf_[id] + 1 : 1);
                repeats_ = repeats_ || placeOf_[id] > 1;
                listOf_[id] = list_;
                fields_.push_back({e.fieldId, value});
                continue;
            }
            // A refused field sends the older update out at once, before this one.
            if (refuses(e.fieldId, value)) return false;
            if (listOf_[id] == list_) {
                // The last value wins, in the place where the field appeared first.
                fields_[placeOf_[id]].value = value;
                continue;
            }
            if (fields_.size() == 0xFFFF) return false;
            listOf_[id] = list_;
            placeOf_[id] = static_cast<std::uint16_t>(fields_.size());
            fields_.push_back({e.fieldId, value});
        }
        // A list that was cut short would be sent as if it were whole.
        if (!list.error().ok() || list.setSkipped()) return false;
    }
    FieldListEncoder made;
    if (hasInfo) made.begin(out, info);
    else made.begin(out);
    for (const Field& field : fields_) {
        const auto id = static_cast<std::uint16_t>(field.id);
        const std::uint8_t marks = fieldMarks_[id];
        // Only as many of the last values as the chain has fields from there on can still be seen (hub.md 8.1).
        if (repeats && isOfChain(marks) && placeOf_[id] > (marks >> kHopsShift) + 1) {
            --placeOf_[id];
            continue;
        }
        made.add(field.id, field.value);
    }
    return made.complete().ok();
}

bool PayloadMerger::joinElements(Sources in, eta::BeWriter& out) {
    struct Element {
        std::string_view name;
        DataType type;
        Bytes value;
    };
    std::pmr::vector<Element> elements(&arena_);
    std::pmr::unordered_map<std::string_view, std::size_t> byName(&arena_);
    bool hasInfo = false;
    std::int16_t number = 0;
    for (const Source& source : in) {
        ElementListDecoder list;
        if (!list.start(source.bytes, source.sets).ok()) return false;
        if (list.hasInfo()) number = list.elementListNum();
        hasInfo = hasInfo || list.hasInfo();
        ElementEntry e;
        ValueScratch scratch;
        while (list.next(e)) {
            // An RMTES value with a command may change a part only, so it cannot be left out.
            if (e.type == DataType::RmtesString && !e.data.empty() &&
                std::memchr(e.data.data(), 0x1B, e.data.size()) != nullptr)
                return false;
            Bytes value = e.data;
            if (e.setType == DataType::Real4RB || e.setType == DataType::Real8RB)
                value = keep(standardForm(e.setType, e.data, scratch));
            // The definition of the set holds the name as long as the payload does.
            // A name of a set stands in the definition, which lasts as long as the payload.
            const std::string_view name = eta::asText(e.name);
            const auto [at, added] = byName.try_emplace(name, elements.size());
            if (added) elements.push_back({name, e.type, value});
            else elements[at->second] = {name, e.type, value};
        }
        if (!list.error().ok() || list.setSkipped()) return false;
    }
    ElementListEncoder made;
    if (hasInfo) made.begin(out, number);
    else made.begin(out);
    for (const Element& e : elements)
        made.add(e.name, e.type, e.value);
    return made.complete().ok();
}

/// Of one or two payloads of entries or summaries; the result lasts as long as the arena.
bool PayloadMerger::joined(DataType type, Sources in, Source& result, int level) {
    auto& scratch = scratch_[static_cast<std::size_t>(level) + 1];
    if (scratch == nullptr) scratch = std::make_unique<eta::GrowingBuffer>();
    if (!join(type, in, scratch->start(), level + 1) || !scratch->writer().ok()) return false;
    result = {keep(scratch->view()), nullptr};
    return true;
}

bool PayloadMerger::add(Entries& to, Bytes key, const Entry& entry, int level) {
    // Other actions have rules of their own, so they are not joined.
    if (entry.action != kUpdate && entry.action != kSet && entry.action != kErase) return false;
    const auto [at, added] = to.byKey.try_emplace(eta::asText(key), to.all.size());
    if (added) {
        to.all.push_back(entry);
        return true;
    }
    Entry& there = to.all[at->second];
    // Delete wins: the client has no use for what came before.
    if (entry.action == kErase) {
        there = entry;
        return true;
    }
    // An add replaces everything that waits for this entry.
    if (entry.action == kSet) {
        // Without permissions of its own it keeps those that the entry has, unless the entry was erased.
        const Entry before = there;
        there = entry;
        there.erasedFirst = before.erasedFirst || before.action == kErase;
        if (!entry.hasPerm && before.action != kErase) {
            there.hasPerm = before.hasPerm;
            there.perm = before.perm;
        }
        return true;
    }
    // Refused, so both are sent one after the other.
    // An update of what the client no longer has.
    if (there.action == kErase || entry.type != there.type) return false;
    if (entry.hasPerm) {
        there.hasPerm = true;
        there.perm = entry.perm;
    }
    if (entry.type == DataType::NoData || entry.data.bytes.empty()) return true;
    // An add without data and an update of its fields: the client would ripple them, while the add alone does not.
    if (there.data.bytes.empty()) {
        if (there.action == kSet && ripple_ != Ripple::no) return false;  // fields of what is set do not ripple
        there.data = entry.data;
        return true;
    }
    return joined(entry.type, std::array{there.data, entry.data}, there.data, level);
}

/// Writes an entry, whose payload becomes standard data.
template <class Encoder, class Begin, class Ready>
bool PayloadMerger::write(Encoder& made, const Entry& entry, Begin begin, Ready ready, int level) {
    // Data without set definitions are standard data already.
    if (entry.action == kErase || entry.type == DataType::NoData || entry.data.sets == nullptr ||
        entry.data.bytes.empty()) {
        ready(entry.action == kErase || entry.type == DataType::NoData ? Bytes{} : entry.data.bytes);
        return true;
    }
    begin();
    const bool good = join(entry.type, {&entry.data, 1}, made.writer(), level + 1);
    made.endEntry();
    return good;
}

bool PayloadMerger::joinMaps(Sources in, eta::BeWriter& out, int level) {
    std::array<MapDecoder, 2> lists;
    Entries entries(arena_);
    EntryContainerHeader header;
    Source summary;
    const MapDecoder& first = lists[0];
    for (std::size_t i = 0; i < in.size(); ++i) {
        MapDecoder& list = lists[i];
        // Maps of different shape cannot be one message.
        if (!list.start(in[i].bytes).ok()) return false;
        if (i != 0 && (list.entryType() != first.entryType() || list.keyType() != first.keyType() ||
                       list.hasKeyFieldId() != first.hasKeyFieldId() || list.keyFieldId() != first.keyFieldId()))
            return false;
        if (list.hasTotalCountHint()) header.totalCountHint = list.totalCountHint();
        header.hasTotalCountHint = header.hasTotalCountHint || list.hasTotalCountHint();
        if (list.hasSummary()) {
            const Source mine{list.summary(), list.sets()};
            if (summary.bytes.empty()) {
                summary = mine;
            } else if (!mine.bytes.empty() && !joined(list.entryType(), std::array{summary, mine}, summary, level)) {
                return false;
            }
            header.hasSummary = true;
        }
        MapEntry e;
        while (list.next(e)) {
            cache::ValueScratch room;
            // The same key may come in several forms; keys are compared in the shortest one.
            const Bytes key = cache::shortestKey(list.keyType(), e.key, room);
            Entry entry;
            entry.action = e.action;
            entry.hasPerm = e.hasPermData;
            entry.type = list.entryType();
            entry.key = e.key;
            entry.perm = e.permData;
            entry.data = {e.data, list.sets()};
            if (!add(entries, key.data() == e.key.data() ? key : keep(key), entry, level)) return false;
        }
        if (!list.error().ok()) return false;
    }
    // Type and key type are those of the first: they were compared above.
    header.entryType = first.entryType();
    if (summary.sets != nullptr && !summary.bytes.empty() && !joined(header.entryType, {&summary, 1}, summary, level))
        return false;
    header.summary = summary.bytes;
    MapEncoder made;
    const std::int16_t keyField = first.keyFieldId();
    made.begin(out, header, first.keyType(), first.hasKeyFieldId() ? &keyField : nullptr);
    for (const Entry& e : entries.all) {
        const Bytes* const perm = e.hasPerm ? &e.perm : nullptr;
        // Delete and add, in this order: an add alone would keep the permissions of the old entry (hub.md 8.1).
        if (e.erasedFirst) made.add(kErase, e.key, {});
        if (!write(
                made, e, [&] { made.beginEntry(e.action, e.key, perm); },
                [&](Bytes data) { made.add(e.action, e.key, data, perm); }, level))
            return false;
    }
    return made.complete().ok();
}

bool PayloadMerger::joinFilters(Sources in, eta::BeWriter& out, int level) {
    std::array<FilterListDecoder, 2> lists;
    Entries entries(arena_);
    DataType entryType = DataType::NoData;
    bool hasHint = false;
    std::uint8_t hint = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
        FilterListDecoder& list = lists[i];
        if (!list.start(in[i].bytes).ok()) return false;
        // A filter list has its entry type in the header too.
        if (i != 0 && list.entryType() != entryType) return false;
        entryType = list.entryType();
        if (list.hasTotalCountHint()) hint = list.totalCountHint();
        hasHint = hasHint || list.hasTotalCountHint();
        FilterEntry e;
        while (list.next(e)) {
            const std::byte id{e.id};
            Entry entry;
            entry.action = e.action;
            entry.hasPerm = e.hasPermData;
            entry.ownType = e.ownType;
            entry.type = e.type;
            entry.key = keep({&id, 1});
            entry.perm = e.permData;
            entry.data.bytes = e.data;
            if (!add(entries, entry.key, entry, level)) return false;
        }
        if (!list.error().ok()) return false;
    }
    FilterListEncoder made;
    made.begin(out, entryType, hasHint ? &hint : nullptr);
    for (const Entry& e : entries.all) {
        const std::uint8_t id = std::to_integer<std::uint8_t>(e.key[0]);
        if (e.erasedFirst) made.add(kErase, id, e.type, {}, nullptr, e.ownType);
        const Bytes data = e.action == kErase || e.type == DataType::NoData ? Bytes{} : e.data.bytes;
        made.add(e.action, id, e.type, data, e.hasPerm ? &e.perm : nullptr, e.ownType);
    }
    return made.complete().ok();
}

}  // namespace emissary::hub::conflate
