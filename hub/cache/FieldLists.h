// Field lists in slots: applying and erasing (hub.md 6.3, 6.4).
#pragma once

#include "eta/codec/containers.h"
#include "hub/cache/Pass.h"
#include "hub/cache/Shapes.h"
#include "hub/cache/Values.h"

#include <bitset>
#include <cstring>
#include <vector>

namespace emissary::hub::cache {

/// Reads the slots of a node.
class FieldView {
public:
    static constexpr std::uint8_t kLong = 0xFF,  ///< in place of the length: the value stands elsewhere
        kAbsent = 0xFE;                          ///< no value yet; only while a message is being applied

    /// Borrows both.
    FieldView(const BlockPool& pool, const FieldsNode& node) noexcept : pool_(pool), node_(node) {}
    /// Content of a value; nothing when it is blank. Borrows the node.
    [[nodiscard]] Bytes value(const Slot& slot) const noexcept {
        const std::byte* const p = reinterpret_cast<const std::byte*>(&node_) + slot.offset();
        const auto length = std::to_integer<std::uint8_t>(*p);
        if (length < kAbsent) [[likely]]
            return {p + 1, length};
        return length == kLong ? pool_.as<BytesNode>(longRef(p))->view() : Bytes{};
    }
    /// The node of a long value.
    [[nodiscard]] static Ref longRef(const std::byte* slot) noexcept {
        Ref ref;
        std::memcpy(&ref, slot + 1, sizeof ref);
        return ref;
    }

private:
    const BlockPool& pool_;
    const FieldsNode& node_;
};

/// Field lists of a store. One thread.
class FieldLists {
public:
    /// Borrows all three.
    FieldLists(BlockPool& pool, Shapes& shapes, Values& values) noexcept
        : pool_(pool), shapes_(shapes), values_(values) {}

    /// Applies a payload to the list `ref`, which may become another node; makes it when it is 0. With Way::replace the
    /// fields that are there are forgotten first, and their memory is used for the same fields.
    void apply(Ref& ref, Bytes payload, const eta::codec::SetDefinitionDb* sets, Way way, Pass& pass) noexcept;
    void erase(Ref ref) noexcept;  ///< with all values

private:
    struct Target;  // the list while a message is being applied to it
    void applyEntries(Target& to, eta::codec::FieldListDecoder& in) noexcept;
    void put(Target& to, const eta::codec::FieldListDecoder& in, const eta::codec::FieldEntry& entry) noexcept;
    void putSlow(Target& to, const Slot& slot, Bytes value) noexcept;
    void ripple(Target& to, const Slot& slot) noexcept;
    void store(Target& to, const Slot& slot, Bytes value) noexcept;
    [[nodiscard]] bool addFields(Target& to, eta::codec::FieldListDecoder in,
                                 const eta::codec::FieldEntry* first) noexcept;
    void gather(const Shape* known, eta::codec::FieldListDecoder& in, const eta::codec::FieldEntry* first);
    [[nodiscard]] Ref make(Shape* shape, const FieldsNode* from, Pass& pass) noexcept;
    void settle(Ref ref) noexcept;
    void clearLong(FieldsNode& node) noexcept;

    BlockPool& pool_;
    Shapes& shapes_;
    Values& values_;
    std::vector<FieldNeed> needs_;  // of the list that is being made
    std::bitset<65536> needed_;     // the ids in it; without any in between
};

}  // namespace emissary::hub::cache
