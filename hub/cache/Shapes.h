// Shapes: the fields of a field list and the places of their values, shared by all such images (hub.md 6.4).
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "hub/cache/nodes.h"

#include <span>
#include <unordered_map>

namespace emissary::hub::cache {

/// Where the value of a field stands, in 8 bytes.
struct Slot {
    std::int16_t id = 0;
    std::uint16_t number = 0;  ///< in order of first appearance
    std::uint32_t place = 0;   ///< offset in the node << 8 | flags; 0 in free places of the look-up table

    static constexpr std::uint32_t rmtes = 0x01,  ///< values may be updates of what is stored
        untyped = 0x02,                           ///< the dictionary does not know the field, or there is none
        ripples = 0x04;                           ///< and the field that it ripples to is there
    /// Of the length byte, from the beginning of the node.
    [[nodiscard]] std::uint32_t offset() const noexcept { return place >> 8; }
    /// The flags above.
    [[nodiscard]] std::uint32_t flags() const noexcept { return place & 0xFF; }
};

/// A field and how much room its first value needs.
struct FieldNeed {
    std::int16_t id = 0;
    std::uint16_t bytes = 0;
};

/// The fields of a list. Unchanged for its life, but for what the dictionary says. Its owner counts who uses it.
class Shape {
public:
    static constexpr std::uint16_t kNoSlot = 0xFFFF;
    /// Longest value that stands in its slot, and what dictionaries may ask for.
    static constexpr std::size_t kLongestInline = 64, kLongestByDictionary = 32;

    /// `from` gives the capacities of its fields, which come first; or null. No id occurs twice. Throws std::bad_alloc.
    Shape(std::uint64_t hash, std::span<const FieldNeed> fields, const Shape* from,
          const eta::dictionary::Dictionary* dictionary);

    /// Null when the list has no such field.
    [[nodiscard]] const Slot* find(std::int16_t id) const noexcept {
        for (std::uint32_t i = (static_cast<std::uint16_t>(id) * multiplier_) >> shift_;; ++i) {
            const Slot& s = table_[i];
            if (s.id == id && s.place != 0) return &s;
            if (s.place == 0) return nullptr;
        }
    }
    /// In order of first appearance.
    [[nodiscard]] std::span<const Slot> slots() const noexcept { return slots_; }
    /// Bytes for the value in its slot, a multiple of 8.
    [[nodiscard]] std::size_t capacity(std::uint16_t slot) const noexcept { return capacities_[slot]; }
    /// The slot that this one ripples to, or kNoSlot.
    [[nodiscard]] std::uint16_t ripplesTo(std::uint16_t slot) const noexcept { return ripples_[slot]; }
    [[nodiscard]] std::size_t nodeBytes() const noexcept { return nodeBytes_; }  ///< of a node with these slots
    [[nodiscard]] std::size_t maxWire() const noexcept { return maxWire_; }   ///< all values in their slots, as entries
    [[nodiscard]] std::size_t memory() const noexcept;                        ///< bytes of the shape itself
    [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }       ///< as given
    [[nodiscard]] bool is(std::span<const FieldNeed> fields) const noexcept;  ///< same fields in the same order
    /// Sets what follows from the dictionary, but for capacities.
    void follow(const eta::dictionary::Dictionary* dictionary) noexcept;

    std::uint32_t users = 0;
    Shape* next = nullptr;  ///< of those with the same hash

private:
    void place(const Slot& slot) noexcept;
    void chooseMultiplier() noexcept;
    std::uint64_t hash_;
    std::vector<Slot> table_;  // open addressing without wrapping round: a run may go beyond the last place
    std::vector<Slot> slots_;
    std::vector<std::uint8_t> capacities_;
    std::vector<std::uint16_t> ripples_;
    std::size_t nodeBytes_ = 0, maxWire_ = 0;
    std::uint32_t multiplier_ = 1, shift_ = 0;
};

/// All shapes of a store. One thread.
class Shapes {
public:
    /// Without any; borrows both. Their memory counts as the pool's.
    Shapes(BlockPool& pool, Counts& counts) noexcept : pool_(pool), counts_(counts) {}
    ~Shapes();
    Shapes(const Shapes&) = delete;
    Shapes& operator=(const Shapes&) = delete;

    /// The shape with these fields, one more user; null when memory or the bound of the pool has run out.
    [[nodiscard]] Shape* get(std::span<const FieldNeed> fields, const Shape* from) noexcept;
    /// One user less. Shapes without users stay for a while.
    void leave(Shape* shape) noexcept;
    void setDictionary(const eta::dictionary::Dictionary* dictionary) noexcept;  ///< for shapes old and new
    [[nodiscard]] const eta::dictionary::Dictionary* dictionary() const noexcept { return dictionary_; }  ///< or null

private:
    void sweep() noexcept;
    BlockPool& pool_;
    Counts& counts_;
    const eta::dictionary::Dictionary* dictionary_ = nullptr;
    std::unordered_map<std::uint64_t, Shape*> byHash_;  // owned
    std::size_t unused_ = 0;
};

}  // namespace emissary::hub::cache
