// Applies a payload to the stored nodes by the rules of each container type.
#include "hub/cache/Merger.h"

#include "hub/cache/shortest_key.h"

#include <algorithm>

namespace emissary::hub::cache {

using eta::codec::ElementEntry;
using eta::codec::ElementListDecoder;
using eta::codec::SetDefinitionDb;
using eta::codec::standardForm;
namespace FilterAction = eta::codec::FilterAction;
namespace MapAction = eta::codec::MapAction;
namespace VectorAction = eta::codec::VectorAction;

namespace {

constexpr std::uint32_t kMostIndex = 0x3FFFFFFF;  // of a vector (rwf.md 7.1)
constexpr std::uint32_t kMostElements = 65535;    // one message carries no more
constexpr std::uint32_t kMostFilters = 255;       // likewise
// A set-defined list has this bit in its flags.
constexpr std::byte kSetDataFlag{0x02};  // of field and element lists (rwf.md 3.2, 3.3)

bool isLookedInto(DataType type) noexcept {
    return type == DataType::FieldList || type == DataType::ElementList || type == DataType::FilterList ||
           type == DataType::Vector || type == DataType::Map || type == DataType::Series;
}

Kind kindOf(DataType type, int level) noexcept {
    // Beyond kMostLevels and for types without structure the payload is kept as bytes (hub.md 6.1).
    if (level > Merger::kMostLevels || !isLookedInto(type)) return Kind::bytes;
    return type == DataType::FieldList ? Kind::fields : Kind::entries;
}

/// How the payload of an entry with action Update is joined, in a container that is joined by `way`.
Way wayOfUpdate(Way way) noexcept {
    // A refresh that is laid over an image is no update: it never ripples.
    return way == Way::update ? Way::update : Way::overlay;
}

}  // namespace

void Merger::merge(Ref& ref, DataType type, Bytes payload, Way way, const SetDefinitionDb* sets, int level) noexcept {
    // An entry without payload changes nothing here; its action does.
    if (payload.empty() || type == DataType::NoData) return;
    const Kind kind = kindOf(type, level);
    if (ref != 0) {
        const Node& node = nodes_.at(ref);
        // A list of fields is replaced in place (same shape); other containers begin anew.
        const bool anew = way == Way::replace && kind == Kind::entries;
        // A payload of another type cannot be joined (hub.md 6.3).
        if (node.type != type || node.kind != kind || anew) nodes_.erase(std::exchange(ref, 0));
    }
    if (kind == Kind::fields) return nodes_.fields.apply(ref, payload, sets, way, pass_);
    if (kind == Kind::bytes) return mergeBytes(ref, type, payload, way, level);
    // An empty container is a container, so it is made even if no entry follows.
    if (ref == 0 && (ref = nodes_.entries.make(type)) == 0) return pass_.fail(Applied::full);
    EntriesNode& node = nodes_.entries.at(ref);
    if (type == DataType::ElementList) mergeElements(node, payload, sets);
    else if (type == DataType::Map) mergeMap(node, payload, way, level);
    else if (type == DataType::FilterList) mergeFilterList(node, payload, way, level);
    else if (type == DataType::Vector) mergeVector(node, payload, way, level);
    else mergeSeries(node, payload, way, level);
}

/// What is not looked into cannot be updated, only replaced (hub.md 6.1).
void Merger::mergeBytes(Ref& ref, DataType type, Bytes payload, Way way, int level) noexcept {
    // At the first level an update cannot stand for the whole.
    if (way == Way::update && (ref != 0 || level == 1)) {
        pass_.current = false;
        return;
    }
    if (!nodes_.values.set(ref, payload, type)) return pass_.fail(Applied::full);
    // A deep list whose set data are defined further up could not be read by itself.
    const bool list = type == DataType::FieldList || type == DataType::ElementList;
    // A payload kept as bytes has to be readable on its own.
    if (list && (payload[0] & kSetDataFlag) != std::byte{0}) pass_.current = false;
}

void Merger::checkEnd(const Error& e) noexcept {
    if (!e.ok()) pass_.fail(Applied::malformed);
}

bool Merger::hasRoom(const EntriesNode& node, std::uint32_t most) noexcept {
    if (node.count < most) return true;
    pass_.fail(Applied::full);
    return false;
}

// --- ElementList

void Merger::mergeElements(EntriesNode& node, Bytes payload, const SetDefinitionDb* sets) noexcept {
    ElementListDecoder in;
    if (Error e = in.start(payload, sets); !e.ok()) return checkEnd(e);
    // The definition of the set is not there, so values are missing.
    if (in.setSkipped()) pass_.current = false;
    if (in.hasInfo()) {
        node.number = in.elementListNum();
        node.has |= EntriesNode::withNumber;
    }
    ElementEntry element;
    while (pass_.ok() && in.next(element))
        setElement(node, element);
    checkEnd(in.error());
}

void Merger::setElement(EntriesNode& node, const ElementEntry& in) noexcept {
    Ref ref = nodes_.entries.find(node, in.name);
    // One message carries 65,535 elements at most, and an image has to fit into one.
    if (ref == 0 && node.count >= kMostElements) {
        pass_.current = false;
        return;
    }
    ValueScratch scratch;
    Bytes value = standardForm(in.setType, in.data, scratch);
    // Text that changes a part is applied to what is stored; without stored text it is worth nothing.
    if (in.type == DataType::RmtesString) {
        const bool text = ref != 0 && nodes_.entries.entry(ref).type == DataType::RmtesString;
        const Bytes stored = text ? nodes_.values.get(nodes_.entries.entry(ref).child) : Bytes{};
        if (!nodes_.values.wholeRmtes(stored, value)) {
            pass_.current = false;
            return;
        }
    }
    if (ref == 0 && (ref = nodes_.entries.add(node, in.name)) == 0) return pass_.fail(Applied::full);
    Entry& entry = nodes_.entries.entry(ref);
    if (!nodes_.values.set(entry.child, value)) return pass_.fail(Applied::full);
    entry.type = in.type;
}

// --- Map, Vector and Series in common

void Merger::mergeHead(EntriesNode& node, const eta::codec::EntryContainerDecoder& in, Way way, int level) noexcept {
    if (in.hasTotalCountHint()) {
        node.hint = in.totalCountHint();
        node.has |= EntriesNode::withHint;
    }
    // The type of an empty container: there is no old content that could lose by it.
    if (node.count == 0 && node.summary == 0 && in.entryType() != DataType::NoData) node.entryType = in.entryType();
    if (in.summary().empty() || in.entryType() == DataType::NoData) return;
    // The type has to be adopted first, since merge() joins payloads of one type.
    adoptType(node, in.entryType(), nullptr);
    merge(node.summary, in.entryType(), in.summary(), wayOfUpdate(way), in.sets(), level + 1);
}

/// One type for all payloads: when it changes, what has the old one cannot be sent any more.
void Merger::adoptType(EntriesNode& node, DataType type, const Entry* keep) noexcept {
    // A container has one type for all entries on the wire (rwf.md 3.4 to 3.6).
    if (node.entryType == type) return;
    bool lost = node.summary != 0;
    nodes_.erase(std::exchange(node.summary, 0));
    const auto drop = [&](Entry& e) {
        if (e.child == 0 || &e == keep) return;
        lost = true;
        nodes_.erase(std::exchange(e.child, 0));
    };
    if (node.type == DataType::Vector) {
        for (std::uint32_t i = 0; i < node.count; ++i)
            drop(nodes_.entries.entry(nodes_.entries.positions(node)[i].entry));
    } else {
        for (Ref ref = node.first; ref != 0; ref = nodes_.entries.entry(ref).after)
            drop(nodes_.entries.entry(ref));
    }
    // Content was lost: late joiners wait for a refresh.
    if (lost) pass_.current = false;
    node.entryType = type;
}

/// Payload and permissions of an entry; an entry of 0 means that memory has run out.
void Merger::setContent(EntriesNode& node, Ref ref, const EntryPayload& in) noexcept {
    if (ref == 0) return pass_.fail(Applied::full);
    Entry& entry = nodes_.entries.entry(ref);
    // Perm data of an entry are replaced when given (hub.md 6.3).
    if (in.hasPerm && !nodes_.values.set(entry.perm, in.perm)) return pass_.fail(Applied::full);
    const bool filter = node.type == DataType::FilterList;
    if (in.data.empty() || in.type == DataType::NoData) {
        // An update without data leaves the data; a set without data takes it away.
        if (in.way != Way::replace) return;
        nodes_.erase(std::exchange(entry.child, 0));
        entry.type = in.type;
        return;
    }
    if (filter) entry.type = in.type;
    else adoptType(node, in.type, &entry);
    merge(entry.child, in.type, in.data, in.way, in.sets, in.level);
}

// --- Map and FilterList

void Merger::setKeyed(EntriesNode& node, Bytes key, const EntryPayload& in) noexcept {
    Ref ref = nodes_.entries.find(node, key);
    if (ref == 0) {
        // An update of a key that is unknown creates it, and is counted (hub.md 6.3).
        if (in.way != Way::replace) ++pass_.counts->updateWithoutAdd;
        if (!hasRoom(node, pass_.maxEntries)) return;
        ref = nodes_.entries.add(node, key);
        if (ref != 0) nodes_.entries.entry(ref).type = in.type;
    }
    setContent(node, ref, in);
}

void Merger::removeKeyed(EntriesNode& node, Bytes key) noexcept {
    // An unknown key is ignored (hub.md 6.3).
    const Ref ref = nodes_.entries.find(node, key);
    if (ref == 0) return;
    nodes_.eraseContent(nodes_.entries.entry(ref));
    nodes_.entries.remove(node, ref);
}

void Merger::mergeMap(EntriesNode& node, Bytes payload, Way way, int level) noexcept {
    eta::codec::MapDecoder in;
    if (Error e = in.start(payload); !e.ok()) return checkEnd(e);
    // Without entries the type of the keys says nothing: a message with the summary alone may name any.
    // A message without entries names a key type that says nothing, so it must not change the stored one.
    if (in.count() != 0 || node.count == 0) {
        if (node.count != 0 && node.keyType != in.keyType())
            pass_.current = false;  // the keys there mean something else
        node.keyType = in.keyType();
    }
    if (in.hasKeyFieldId()) {
        node.number = in.keyFieldId();
        node.has |= EntriesNode::withNumber;
    }
    mergeHead(node, in, way, level);
    eta::codec::MapEntry entry;
    ValueScratch scratch;
    while (pass_.ok() && in.next(entry)) {
        // Numbers have several encodings, and a key must be found whichever one the source uses.
        const Bytes key = shortestKey(in.keyType(), entry.key, scratch);
        EntryPayload set{Way::replace,   in.entryType(), entry.data, entry.hasPermData,
                         entry.permData, in.sets(),      level + 1};
        if (entry.action == MapAction::update) set.way = wayOfUpdate(way);
        if (entry.action == MapAction::update || entry.action == MapAction::add) setKeyed(node, key, set);
        else if (entry.action == MapAction::del) removeKeyed(node, key);
        // Ignored and counted: the rest of the message still counts (hub.md 6.3).
        else ++pass_.counts->unknownActions;
    }
    checkEnd(in.error());
}

void Merger::mergeFilterList(EntriesNode& node, Bytes payload, Way way, int level) noexcept {
    eta::codec::FilterListDecoder in;
    if (Error e = in.start(payload); !e.ok()) return checkEnd(e);
    // A filter list has its type in the header, and each entry may have its own.
    node.entryType = in.entryType();
    if (in.hasTotalCountHint()) {
        node.hint = in.totalCountHint();
        node.has |= EntriesNode::withHint;
    }
    eta::codec::FilterEntry entry;
    while (pass_.ok() && in.next(entry)) {
        const std::byte id{entry.id};
        const Bytes key{&id, 1};
        EntryPayload set{Way::replace, entry.type, entry.data, entry.hasPermData, entry.permData, nullptr, level + 1};
        if (entry.action == FilterAction::clear) {
            removeKeyed(node, key);
        } else if (entry.action != FilterAction::update && entry.action != FilterAction::set) {
            ++pass_.counts->unknownActions;
            // No message could carry 256 entries, so this id is left out.
        } else if (node.count == kMostFilters && nodes_.entries.find(node, key) == 0) {
            pass_.current = false;  // all 256 ids: no message could carry them
        } else {
            if (entry.action == FilterAction::update) set.way = wayOfUpdate(way);
            setKeyed(node, key, set);
        }
    }
    checkEnd(in.error());
}

// --- Vector

void Merger::setPosition(EntriesNode& node, std::uint32_t index, const EntryPayload& in) noexcept {
    const std::uint32_t place = nodes_.entries.lowerBound(node, index);
    if (place < node.count && nodes_.entries.positions(node)[place].at == index)
        return setContent(node, nodes_.entries.positions(node)[place].entry, in);
    if (in.way != Way::replace) ++pass_.counts->updateWithoutAdd;
    // A vector grows in place, so it is bounded.
    if (!hasRoom(node, EntryLists::kMostPositions)) return;
    setContent(node, nodes_.entries.insert(node, place, index), in);
}

void Merger::insertPosition(EntriesNode& node, std::uint32_t index, const EntryPayload& in) noexcept {
    const std::uint32_t place = nodes_.entries.lowerBound(node, index);
    // Every index behind the place grows by one; the highest would leave the range.
    if (node.count != 0 && place < node.count && nodes_.entries.positions(node)[node.count - 1].at == kMostIndex) {
        nodes_.eraseContent(nodes_.entries.entry(nodes_.entries.positions(node)[node.count - 1].entry));
        nodes_.entries.removeAt(node, node.count - 1);  // shifted out of what an index can be
        pass_.current = false;
    }
    if (!hasRoom(node, EntryLists::kMostPositions)) return;
    nodes_.entries.shift(node, place, 1);
    setContent(node, nodes_.entries.insert(node, place, index), in);
}

/// The position stays, without data.
void Merger::clearPosition(EntriesNode& node, std::uint32_t index, const EntryPayload& in) noexcept {
    const std::uint32_t place = nodes_.entries.lowerBound(node, index);
    if (place == node.count || nodes_.entries.positions(node)[place].at != index) return;
    EntryPayload nothing = in;
    nothing.way = Way::replace;
    nothing.data = {};
    setContent(node, nodes_.entries.positions(node)[place].entry, nothing);
}

void Merger::removePosition(EntriesNode& node, std::uint32_t index) noexcept {
    const std::uint32_t place = nodes_.entries.lowerBound(node, index);
    // In a sortable vector the entries behind it move up (hub.md 6.3).
    if (place < node.count && nodes_.entries.positions(node)[place].at == index) {
        nodes_.eraseContent(nodes_.entries.entry(nodes_.entries.positions(node)[place].entry));
        nodes_.entries.removeAt(node, place);
    }
    nodes_.entries.shift(node, place, -1);
}

void Merger::mergeVector(EntriesNode& node, Bytes payload, Way way, int level) noexcept {
    eta::codec::VectorDecoder in;
    if (Error e = in.start(payload); !e.ok()) return checkEnd(e);
    if (in.sortable()) node.has |= EntriesNode::sortable;
    mergeHead(node, in, way, level);
    // Once sortable, a vector stays so: a later message may leave the flag out.
    const bool sortable = (node.has & EntriesNode::sortable) != 0;
    eta::codec::VectorEntry entry;
    while (pass_.ok() && in.next(entry)) {
        EntryPayload set{Way::replace,   in.entryType(), entry.data, entry.hasPermData,
                         entry.permData, in.sets(),      level + 1};
        switch (entry.action) {
        case VectorAction::update:
            set.way = wayOfUpdate(way);
            [[fallthrough]];
        case VectorAction::set:
            setPosition(node, entry.index, set);
            break;
        case VectorAction::insert:
            // Without sorting, Insert is Set, and Delete is Clear (hub.md 6.3).
            sortable ? insertPosition(node, entry.index, set) : setPosition(node, entry.index, set);
            break;
        case VectorAction::clear:
            clearPosition(node, entry.index, set);
            break;
        case VectorAction::del:
            sortable ? removePosition(node, entry.index) : clearPosition(node, entry.index, set);
            break;
        default:
            ++pass_.counts->unknownActions;
        }
    }
    checkEnd(in.error());
}

// --- Series

void Merger::mergeSeries(EntriesNode& node, Bytes payload, Way way, int level) noexcept {
    eta::codec::SeriesDecoder in;
    if (Error e = in.start(payload); !e.ok()) return checkEnd(e);
    mergeHead(node, in, way, level);
    eta::codec::SeriesEntry entry;
    while (pass_.ok() && in.next(entry)) {
        // A series only grows, so its bound is what ends it: maxEntries, then the image is full.
        if (!hasRoom(node, pass_.maxEntries)) return;
        const EntryPayload set{Way::replace, in.entryType(), entry.data, false, {}, in.sets(), level + 1};
        // Entries of a series have no keys; order is arrival.
        setContent(node, nodes_.entries.append(node), set);
    }
    checkEnd(in.error());
}

}  // namespace emissary::hub::cache
