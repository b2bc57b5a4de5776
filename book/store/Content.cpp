// Adds, moves and erases rows, and rescales prices and sizes of all of them.
#include "store/ContentAccess.h"

#include "store/Memory.h"

#include <algorithm>
#include <new>
#include <utility>

namespace emissary::book::detail {

Content::Content(Memory& m, Kind k, std::uint32_t depth, std::uint32_t orders)
    : memory(&m), index(m), kind(k), depthHint(depth), ordersHint(orders) {
    // Asks are ranked by the negative price, so both sides use the same order.
    asks.sign_ = -1;
    bids.content_ = asks.content_ = this;
}

Content::~Content() {
    ContentAccess::dropRows(*this);
    Ranking::dropSide(*this, bids);
    Ranking::dropSide(*this, asks);
}

std::uint32_t Content::find(std::string_view key) const noexcept {
    return ContentAccess::find(*this, Key(key));
}

// --- rows and their keys

void ContentAccess::growRows(Content& c) {
    // As many as the block has room for.
    const std::size_t wanted = std::size_t{roomAfter(c.rowRoom, std::max(c.ordersHint, 4u))} * kRowBytes;
    const auto room = static_cast<std::uint32_t>(Memory::room(wanted) / kRowBytes);
    void* block = c.memory->take(room * kRowBytes);
    auto* rows = static_cast<Row*>(block);
    auto* links = reinterpret_cast<Link*>(rows + room);
    if (c.rowsUsed != 0) {
        std::memcpy(static_cast<void*>(rows), c.rows, std::size_t{c.rowsUsed} * sizeof(Row));
        std::memcpy(static_cast<void*>(links), c.links, std::size_t{c.rowsUsed} * sizeof(Link));
    }
    dropRows(c);
    c.rows = rows;
    c.links = links;
    c.rowRoom = room;
}

void ContentAccess::dropRows(Content& c) noexcept {
    c.memory->give(c.rows, std::size_t{c.rowRoom} * kRowBytes);
    c.rows = nullptr;
    c.links = nullptr;
    c.rowRoom = 0;
}

std::uint32_t ContentAccess::newRow(Content& c) {
    std::uint32_t row = c.freeRow;
    if (row != kNone) {
        // Free rows are used again before the array grows.
        c.freeRow = c.links[row].next;
        --c.freeRows;
    } else {
        if (c.rowsUsed == c.rowRoom) growRows(c);
        row = c.rowsUsed++;
    }
    new (c.rows + row) Row;
    if (c.kind == Kind::prices) c.rows[row].count = {0, 0};
    return row;
}

void ContentAccess::freeRow(Content& c, std::uint32_t row) noexcept {
    c.rows[row].flags = 0;
    c.links[row].next = c.freeRow;
    c.freeRow = row;
    ++c.freeRows;
}

std::uint32_t ContentAccess::add(Content& c, const Key& key) {
    c.index.makeRoom(c.rows);
    // A key of up to 16 bytes stands in the row; a longer one points into the pool.
    const bool far = key.text.size() > Key::kInline;
    char* kept = far ? c.pool.take(key.text.size()) : nullptr;
    const std::uint32_t row = newRow(c);
    Row& r = c.rows[row];
    r.keyLength = static_cast<std::uint16_t>(key.text.size());
    if (far) {
        std::memcpy(kept, key.text.data(), key.text.size());
        std::memcpy(r.key, &kept, sizeof kept);
        r.key[1] = key.hash;
    } else {
        r.key[0] = key.words[0];
        r.key[1] = key.words[1];
    }
    r.tag = key.tag();
    c.index.add(row, c.rows);
    return row;
}

std::uint32_t ContentAccess::addMate(Content& c, std::uint32_t row) {
    const std::uint32_t mate = newRow(c);
    std::memcpy(c.rows[mate].key, c.rows[row].key, sizeof c.rows[row].key);
    c.rows[mate].keyLength = c.rows[row].keyLength;
    // The mate is the ask of a two-sided entry, found from the bid's details.
    extra(c, row).mate = mate;
    return mate;
}

void ContentAccess::erase(Content& c, std::uint32_t row) noexcept {
    c.index.erase(row, c.rows);
    forget(c, row);
    const Row& r = c.rows[row];
    if (r.keyLength > Key::kInline) c.pool.give(const_cast<char*>(r.name().data()), r.keyLength);
    freeRow(c, row);
}

void ContentAccess::forget(Content& c, std::uint32_t row) noexcept {
    dropExtra(c, row);
    Row& r = c.rows[row];
    r.ticks = r.size = 0;
    r.time = r.priority = -1;
    if (c.kind == Kind::prices) r.count = {0, 0};
    r.priceHint = 14;
    r.flags = 0;
}

Extra& ContentAccess::extra(Content& c, std::uint32_t row) {
    Row& r = c.rows[row];
    if (r.extra != kNone) return c.extras[r.extra];
    if (c.freeExtra != kNone) {
        r.extra = c.freeExtra;
        c.freeExtra = c.extras[r.extra].mate;  // links the free ones
        c.extras[r.extra] = Extra{};
    } else {
        c.extras.emplace_back();
        r.extra = static_cast<std::uint32_t>(c.extras.size() - 1);
    }
    return c.extras[r.extra];
}

void ContentAccess::dropExtra(Content& c, std::uint32_t row) noexcept {
    Row& r = c.rows[row];
    if (r.extra == kNone) return;
    Extra& e = c.extras[r.extra];
    if (e.nested != nullptr) c.pool.give(e.nested, e.nestedRoom);
    e.nested = nullptr;
    // A two-sided entry owns its other row.
    if (e.mate != kNone) {
        dropExtra(c, e.mate);
        freeRow(c, e.mate);
    }
    e.mate = c.freeExtra;
    c.freeExtra = std::exchange(r.extra, kNone);
}

void ContentAccess::keepNested(Content& c, std::uint32_t row, std::string_view bytes) {
    Extra& e = extra(c, row);
    if (bytes.size() > e.nestedRoom) {
        char* block = c.pool.take(bytes.size());
        if (e.nested != nullptr) c.pool.give(e.nested, e.nestedRoom);
        e.nested = block;
        e.nestedRoom = static_cast<std::uint32_t>(KeyPool::room(bytes.size()));
    }
    if (!bytes.empty()) std::memcpy(e.nested, bytes.data(), bytes.size());
    e.nestedLength = static_cast<std::uint32_t>(bytes.size());
}

// --- the whole

namespace {

bool fits(std::int64_t value, std::int64_t factor) noexcept {
    std::int64_t product;
    return !__builtin_mul_overflow(value, factor, &product) && product != std::numeric_limits<std::int64_t>::min();
}

std::int64_t factorBetween(int from, int to) noexcept {
    std::int64_t factor = 1;
    for (; from < to; ++from)
        factor *= 10;
    return factor;
}

}  // namespace

bool ContentAccess::rescalePrices(Content& c, int scale) noexcept {
    const std::int64_t factor = factorBetween(c.scale, scale);
    for (std::uint32_t i = 0; i != c.rowsUsed; ++i)
        // Nothing is changed unless everything fits.
        if (!fits(c.rows[i].ticks, factor)) return false;
    for (std::uint32_t i = 0; i != c.rowsUsed; ++i)
        c.rows[i].ticks *= factor;
    for (BookSide* side : {&c.bids, &c.asks})
        for (std::uint32_t i = 0; i != side->count_; ++i)
            side->ranks_[i] *= factor;
    c.scale = static_cast<std::int8_t>(scale);
    return true;
}

bool ContentAccess::rescaleSizes(Content& c, int scale) noexcept {
    const std::int64_t factor = factorBetween(c.sizeScale, scale);
    const auto tooLarge = [factor](std::int64_t size) { return !fits(size, factor); };
    for (std::uint32_t i = 0; i != c.rowsUsed; ++i)
        if (tooLarge(c.rows[i].size)) return false;
    for (const Extra& e : c.extras)
        if (tooLarge(e.accumulated)) return false;
    for (const BookSide* side : {&c.bids, &c.asks}) {
        if (tooLarge(side->market_.size)) return false;
        for (std::uint32_t i = 0; i != side->count_; ++i)
            if (tooLarge(side->levels_[i].size)) return false;
    }
    for (std::uint32_t i = 0; i != c.rowsUsed; ++i)
        c.rows[i].size *= factor;
    for (Extra& e : c.extras)
        e.accumulated *= factor;
    for (BookSide* side : {&c.bids, &c.asks}) {
        side->market_.size *= factor;
        for (std::uint32_t i = 0; i != side->count_; ++i)
            side->levels_[i].size *= factor;
    }
    c.sizeScale = static_cast<std::int8_t>(scale);
    return true;
}

void ContentAccess::clear(Content& c) noexcept {
    // Twice what was in use may stay for the next image.
    const auto wasteful = [](std::uint32_t room, std::uint32_t used, std::uint32_t least) {
        return room > std::max(2 * used, least);
    };
    for (BookSide* side : {&c.bids, &c.asks}) {
        if (wasteful(side->room_, side->count_, c.depthHint)) Ranking::dropSide(c, *side);
        side->count_ = 0;
        side->market_ = LevelData{};
    }
    if (wasteful(c.rowRoom, c.rowsUsed - c.freeRows, c.ordersHint)) dropRows(c);
    c.index.clear(c.ordersHint);
    c.rowsUsed = c.freeRows = 0;
    c.freeRow = c.freeExtra = kNone;
    if (c.extras.capacity() > c.ordersHint) std::vector<Extra>().swap(c.extras);
    c.extras.clear();
    c.pool.clear();
    c.summary = Summary{};
    c.scale = 8;
    c.sizeScale = 0;
    c.attributed = c.bySize = c.oneDirection = c.accSizes = false;
    c.bids.sign_ = 1;
    c.asks.sign_ = -1;
}

std::size_t ContentAccess::bytes(const Content& c) noexcept {
    return sizeof c + std::size_t{c.rowRoom} * kRowBytes + c.index.bytes() + Ranking::bytes(c.bids) +
           Ranking::bytes(c.asks) + c.extras.capacity() * sizeof(Extra) + c.pool.bytes();
}

}  // namespace emissary::book::detail
