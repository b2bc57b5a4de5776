// Keeps entries in order with an index by key, and inserts, finds and removes them.
#include "hub/cache/EntryLists.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace emissary::hub::cache {

Ref EntryLists::make(DataType type) noexcept {
    const Ref ref = pool_.take(sizeof(EntriesNode));
    if (ref == 0) return 0;
    EntriesNode& node = *new (pool_.at(ref)) EntriesNode;
    node.kind = Kind::entries;
    node.type = type;
    return ref;
}

void EntryLists::free(Ref node) noexcept {
    pool_.give(at(node).index);
    pool_.give(node);
}

// Seeded from the system's random source: keys come from peers, who must not be able to build collisions.
std::uint32_t EntryLists::hash(Bytes key) const noexcept {
    std::uint64_t h = seed_ ^ key.size();
    const std::byte* p = key.data();
    std::size_t n = key.size();
    const auto mix = [&h](std::uint64_t v) {
        h = (h ^ v) * 0x9E3779B97F4A7C15ull;
        h = (h ^ h >> 32) * 0xD6E8FEB86659FD93ull;
        h ^= h >> 29;
    };
    for (; n >= 8; p += 8, n -= 8) {
        std::uint64_t v;
        std::memcpy(&v, p, 8);
        mix(v);
    }
    std::uint64_t tail = 0;
    if (n != 0) std::memcpy(&tail, p, n);
    mix(tail ^ seed_ << 1);
    return static_cast<std::uint32_t>(h ^ h >> 32);
}

Ref EntryLists::find(const EntriesNode& node, Bytes key) const noexcept {
    const auto is = [&](Ref ref) {
        const Bytes other = entry(ref).key();
        return other.size() == key.size() && std::memcmp(other.data(), key.data(), key.size()) == 0;
    };
    // Short lists are searched from the front: they have no index.
    if (node.index == 0) {
        for (Ref ref = node.first; ref != 0; ref = entry(ref).after)
            if (is(ref)) return ref;
        return 0;
    }
    const Ref* const index = pool_.as<Ref>(node.index);
    const std::uint32_t mask = node.places - 1;
    // The index is never more than three quarters full, so the search ends at an empty place.
    for (std::uint32_t i = hash(key) & mask; index[i] != 0; i = (i + 1) & mask)
        if (is(index[i])) return index[i];
    return 0;
}

Ref EntryLists::newEntry(Bytes key) noexcept {
    const Ref ref = pool_.take(sizeof(Entry) + key.size());
    if (ref == 0) return 0;
    Entry& e = *new (pool_.at(ref)) Entry;
    e.keySize = static_cast<std::uint16_t>(key.size());
    if (!key.empty()) std::memcpy(&e + 1, key.data(), key.size());
    return ref;
}

void EntryLists::linkLast(EntriesNode& node, Ref ref) noexcept {
    entry(ref).before = node.last;
    if (node.last != 0) entry(node.last).after = ref;
    else node.first = ref;
    node.last = ref;
    ++node.count;
}

Ref EntryLists::append(EntriesNode& node) noexcept {
    const Ref ref = newEntry({});
    if (ref != 0) linkLast(node, ref);
    return ref;
}

Ref EntryLists::add(EntriesNode& node, Bytes key) noexcept {
    const std::uint32_t after = node.count + 1;
    // The index is made larger before the entry is made, so a failure leaves the list as it was.
    if (after > kLinear && after > node.places / 4 * 3 && !reindex(node, std::max(16u, node.places * 2))) return 0;
    const Ref ref = newEntry(key);
    if (ref == 0) return 0;
    linkLast(node, ref);
    if (node.index != 0) place(pool_.as<Ref>(node.index), node.places, ref);
    return ref;
}

void EntryLists::place(Ref* index, std::uint32_t places, Ref ref) const noexcept {
    std::uint32_t i = hash(entry(ref).key()) & (places - 1);
    while (index[i] != 0)
        i = (i + 1) & (places - 1);
    index[i] = ref;
}

/// A new index of all entries; the old one stays when memory has run out.
bool EntryLists::reindex(EntriesNode& node, std::uint32_t places) noexcept {
    const Ref made = pool_.take(std::size_t{places} * sizeof(Ref));
    if (made == 0) return false;
    Ref* const index = pool_.as<Ref>(made);
    std::memset(index, 0, std::size_t{places} * sizeof(Ref));
    for (Ref ref = node.first; ref != 0; ref = entry(ref).after)
        place(index, places, ref);
    pool_.give(node.index);
    node.index = made;
    node.places = places;
    return true;
}

/// Entries behind the one that goes move into the gap if that brings them nearer to where they belong.
void EntryLists::unindex(EntriesNode& node, Ref ref) noexcept {
    Ref* const index = pool_.as<Ref>(node.index);
    const std::uint32_t mask = node.places - 1;
    std::uint32_t gap = hash(entry(ref).key()) & mask;
    while (index[gap] != ref)
        gap = (gap + 1) & mask;
    for (std::uint32_t i = (gap + 1) & mask; index[i] != 0; i = (i + 1) & mask) {
        const std::uint32_t home = hash(entry(index[i]).key()) & mask;
        if (((i - home) & mask) < ((i - gap) & mask)) continue;
        index[gap] = index[i];
        gap = i;
    }
    index[gap] = 0;
}

void EntryLists::remove(EntriesNode& node, Ref ref) noexcept {
    if (node.index != 0) unindex(node, ref);
    const Entry& e = entry(ref);
    if (e.before != 0) entry(e.before).after = e.after;
    else node.first = e.after;
    if (e.after != 0) entry(e.after).before = e.before;
    else node.last = e.before;
    --node.count;
    pool_.give(ref);
    // Shrinks at an eighth, so that a list at one size does not grow and shrink with each message. Without memory the
    // large one stays.
    if (node.index != 0 && node.places > 64 && node.count < node.places / 8)
        static_cast<void>(reindex(node, node.places / 2));
}

std::uint32_t EntryLists::lowerBound(const EntriesNode& node, std::uint32_t index) const noexcept {
    const Position* const all = positions(node);
    // The usual vector has no gaps, so index and place are the same.
    if (index < node.count && all[index].at == index) return index;  // without gaps, as vectors mostly are
    const auto* const found =
        std::lower_bound(all, all + node.count, index, [](const Position& p, std::uint32_t i) { return p.at < i; });
    return static_cast<std::uint32_t>(found - all);
}

Ref EntryLists::insert(EntriesNode& node, std::uint32_t place, std::uint32_t index) noexcept {
    if (node.count == node.places) {
        const std::uint32_t places = std::max(8u, node.places * 2);
        const Ref made = pool_.take(places * sizeof(Position));
        if (made == 0) return 0;
        if (node.count != 0) std::memcpy(pool_.at(made), pool_.at(node.index), node.count * sizeof(Position));
        pool_.give(node.index);
        node.index = made;
        node.places = places;
    }
    const Ref ref = newEntry({});
    if (ref == 0) return 0;
    Position* const all = pool_.as<Position>(node.index);
    std::memmove(all + place + 1, all + place, (node.count - place) * sizeof(Position));
    all[place] = {index, ref};
    ++node.count;
    return ref;
}

// Positions are contiguous: a removal moves the rest, which is cheap for vectors of a usual length.
void EntryLists::removeAt(EntriesNode& node, std::uint32_t place) noexcept {
    Position* const all = pool_.as<Position>(node.index);
    pool_.give(all[place].entry);
    --node.count;
    std::memmove(all + place, all + place + 1, (node.count - place) * sizeof(Position));
}

void EntryLists::shift(EntriesNode& node, std::uint32_t fromPlace, int by) noexcept {
    if (node.count == 0) return;
    Position* const all = pool_.as<Position>(node.index);
    for (std::uint32_t i = fromPlace; i < node.count; ++i)
        all[i].at += static_cast<std::uint32_t>(by);
}

}  // namespace emissary::hub::cache
