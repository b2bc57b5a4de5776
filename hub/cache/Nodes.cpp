// Erases nodes with everything below them.
#include "hub/cache/Nodes.h"

#include <random>

namespace emissary::hub::cache {
namespace {

// Keys of maps come from peers, so the hash has to be unpredictable (EntryLists::hash).
std::uint64_t unpredictable() {
    std::random_device device;
    return static_cast<std::uint64_t>(device()) << 32 | device();
}

}  // namespace

Nodes::Nodes(std::uint64_t maxBytes, Counts& counts)
    : pool(maxBytes, counts), shapes(pool, counts), values(pool), fields(pool, shapes, values),
      entries(pool, unpredictable()) {}

void Nodes::erase(Ref ref) noexcept {
    if (ref == 0) return;
    switch (at(ref).kind) {
    case Kind::empty:
    case Kind::bytes:
        // The kinds own different things; erase() is the one place that knows all of them.
        return pool.give(ref);
    case Kind::fields:
        return fields.erase(ref);
    case Kind::entries: {
        EntriesNode& node = entries.at(ref);
        eraseEntries(node);
        erase(node.summary);
        return entries.free(ref);
    }
    case Kind::parts: {
        const PartsNode parts = *pool.as<PartsNode>(ref);
        // An image in parts has two images below it.
        erase(parts.before);
        erase(parts.next);
        return pool.give(ref);
    }
    }
}

void Nodes::eraseEntries(EntriesNode& node) noexcept {
    if (node.type == DataType::Vector) {
        const Position* const all = entries.positions(node);
        for (std::uint32_t i = 0; i < node.count; ++i) {
            eraseContent(entries.entry(all[i].entry));
            pool.give(all[i].entry);
        }
    } else {
        for (Ref ref = node.first; ref != 0;) {
            Entry& e = entries.entry(ref);
            eraseContent(e);
            // The next entry is read before this one's memory goes.
            pool.give(std::exchange(ref, e.after));
        }
    }
    pool.give(node.index);
    node.first = node.last = node.index = 0;
    node.count = node.places = 0;
}

void Nodes::eraseContent(Entry& entry) noexcept {
    erase(entry.child);
    pool.give(entry.perm);
    entry.child = entry.perm = 0;
}

}  // namespace emissary::hub::cache
