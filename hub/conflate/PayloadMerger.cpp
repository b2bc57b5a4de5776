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

}  // namespace

/// An entry of a map or filter list; the later of two entries with one key replaces it or is joined with it.
struct PayloadMerger::Entry {
    std::uint8_t action = 0;
    bool hasPerm = false, ownType = false;
    bool erasedFirst = false;  // the client erases what it has before it sets the entry
    DataType type = DataType::NoData;
    Bytes key, perm;
    Input data;
};

struct PayloadMerger::Entries {
    explicit Entries(std::pmr::memory_resource& memory) : all(&memory), byKey(&memory) {}
    std::pmr::vector<Entry> all;  // in order of first appearance
    std::pmr::unordered_map<std::string_view, std::size_t> byKey;
};

PayloadMerger::PayloadMerger()
    // One arena for each join: temporary lists cost no allocation in the usual case.
    : first_(kFirstBytes), arena_(first_.data(), first_.size()) {}

bool PayloadMerger::merge(DataType type, Bytes older, Bytes newer, Ripple ripple, Bytes& joined) noexcept try {
    // A bound of 64 KiB for both together (hub.md 8.1).
    if (older.size() + newer.size() > kMostBytes) return false;
    fields_.begin(ripple);
    if (type == DataType::FieldList) switch (fields_.joinPlain(older, newer, result_, joined)) {
        case FieldMerger::Outcome::joined:
            return true;
        case FieldMerger::Outcome::refused:
            return false;
        case FieldMerger::Outcome::open:
            break;
        }
    arena_.release();
    const std::array<Input, 2> both{{{older, nullptr}, {newer, nullptr}}};
    // The result lasts until the next join: callers copy it.
    if (!join(type, both, result_.start(), 0) || !result_.writer().ok()) return false;
    joined = result_.view();
    return true;
    // Memory that is short means that the update goes out as it came.
} catch (const std::bad_alloc&) { return false; }

/// One source: the same content as standard data.
bool PayloadMerger::join(DataType type, Inputs in, eta::BeWriter& out, int level) {
    // 8 levels, as the cache has them.
    if (level >= kMostLevels) return false;
    switch (type) {
    case DataType::FieldList:
        return fields_.join(in, out, level, arena_);
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

bool PayloadMerger::joinElements(Inputs in, eta::BeWriter& out) {
    struct Element {
        std::string_view name;
        DataType type;
        Bytes value;
    };
    std::pmr::vector<Element> elements(&arena_);
    std::pmr::unordered_map<std::string_view, std::size_t> byName(&arena_);
    bool hasInfo = false;
    std::int16_t number = 0;
    for (const Input& source : in) {
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
                value = keep(arena_, standardForm(e.setType, e.data, scratch));
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
bool PayloadMerger::joined(DataType type, Inputs in, Input& result, int level) {
    auto& scratch = scratch_[static_cast<std::size_t>(level) + 1];
    if (scratch == nullptr) scratch = std::make_unique<eta::GrowingBuffer>();
    if (!join(type, in, scratch->start(), level + 1) || !scratch->writer().ok()) return false;
    result = {keep(arena_, scratch->view()), nullptr};
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
        if (there.action == kSet && fields_.ripple() != Ripple::no)
            return false;  // fields of what is set do not ripple
        there.data = entry.data;
        return true;
    }
    return joined(entry.type, std::array{there.data, entry.data}, there.data, level);
}

bool PayloadMerger::joinMaps(Inputs in, eta::BeWriter& out, int level) {
    std::array<MapDecoder, 2> lists;
    Entries entries(arena_);
    EntryContainerHeader header;
    Input summary;
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
            const Input mine{list.summary(), list.sets()};
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
            if (!add(entries, key.data() == e.key.data() ? key : keep(arena_, key), entry, level)) return false;
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
        const bool isBare = e.action == kErase || e.type == DataType::NoData;
        // Data without set definitions are standard data already.
        if (isBare || e.data.sets == nullptr || e.data.bytes.empty()) {
            made.add(e.action, e.key, isBare ? Bytes{} : e.data.bytes, perm);
            continue;
        }
        made.beginEntry(e.action, e.key, perm);
        const bool good = join(e.type, {&e.data, 1}, made.writer(), level + 1);
        made.endEntry();
        if (!good) return false;
    }
    return made.complete().ok();
}

bool PayloadMerger::joinFilters(Inputs in, eta::BeWriter& out, int level) {
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
            entry.key = keep(arena_, {&id, 1});
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
