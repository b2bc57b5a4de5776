// Where reading a FieldList stands; not for applications.
#pragma once

#include "Access/Include/FieldEntry.h"

namespace emissary::ema {

/// Steps through the plain part of a received field list without a call into the library: fields of standard data with
/// a one-byte length (rwf.md 3.2), behind the first one, whose types a dictionary tells. Everything else (set data,
/// long fields, no dictionary, the end, broken bytes) is left to other().
struct FieldCursor {
    const refinitiv::ema::access::UInt8* position = nullptr;
    const refinitiv::ema::access::UInt8* lastEntry = nullptr;  ///< an entry needs three bytes: it begins before this
    const refinitiv::ema::access::UInt8* end = nullptr;
    const refinitiv::ema::access::FieldEntry* entry = nullptr;  ///< null unless forth() has found one
    refinitiv::ema::access::UInt32 left =
        0;  ///< fields from `position` on, there is an entry then; 0 when not in that part
    /// Length, wire type and id of the field at `position`, from the highest byte down; the length is kNotPlain when
    /// there is none that can be stepped to. It is looked at while the field before is read: the type says which code
    /// comes next, and is known that much earlier.
    refinitiv::ema::access::UInt32 next = kNotPlain << 24;
    const refinitiv::ema::access::UInt8* behind = nullptr;  ///< that field; at hand, so that steps wait less
    static constexpr refinitiv::ema::access::UInt32 kNotPlain = 0xFE;

    /// Moves to the next field; false at the end. The entry is reached as the getters reach it, so that a compiler
    /// which has all of them inline knows what is left there.
    bool forth() {
        const refinitiv::ema::access::UInt32 field = next;
        if (!step(field)) return other();
        if (!entry->load_->lookInList(typeOf(field))) entry->load_->setPending();
        return true;
    }
    /// Moves to the next field of this id; what lies before it is not looked at.
    bool forthTo(refinitiv::ema::access::Int16 id) {
        for (;;) {
            const refinitiv::ema::access::UInt32 field = next;
            const bool plain = step(field);
            if (!plain && !other()) return false;
            if (entry->load_->fieldId != id) continue;
            if (plain && !entry->load_->lookInList(typeOf(field))) entry->load_->setPending();
            return true;
        }
    }
    bool other();  ///< forth() for everything that is no plain field
    /// Moves to the field that is `next`, whose load is not looked at yet; false when it is none.
    bool step(refinitiv::ema::access::UInt32 field) {
        const refinitiv::ema::access::UInt32 length = field >> 24;
        if (length >= kNotPlain) return false;
        LoadCell& l = *entry->load_;
        l.fieldId = static_cast<refinitiv::ema::access::Int16>(field);
        l.bytes = reinterpret_cast<const char*>(position + 3);
        l.length = length;
        --left;
        position = behind;
        lookAhead();
        return true;
    }
    /// Looks at the field at `position`. There is an entry, of standard data.
    void lookAhead() {
        using namespace refinitiv::ema::access;
        const UInt8* const at = position;
        UInt32 found = kNotPlain << 24;
        if (left != 0 && at < lastEntry) [[likely]] {
            const UInt32 length = at[2];
            if (length < kNotPlain && static_cast<UInt64>(end - at) >= length + 3) [[likely]] {
                const UInt16 id = eta::loadBe<UInt16>(reinterpret_cast<const std::byte*>(at));
                behind = at + 3 + length;
                found = length << 24 | static_cast<UInt32>(entry->load_->fieldTypes[id]) << 16 | id;
            }
        }
        next = found;
    }
    /// Wire type of what lookAhead() found.
    static refinitiv::ema::access::UInt8 typeOf(refinitiv::ema::access::UInt32 field) {
        return static_cast<refinitiv::ema::access::UInt8>(field >> 16);
    }
    [[noreturn]] void refuseEntry();  ///< getEntry() without an entry: throws OmmInvalidUsageException/InvalidOperation
};

}  // namespace emissary::ema
