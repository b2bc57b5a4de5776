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

    /// Moves to the next field; false at the end. The entry is reached as the getters reach it, so that a compiler
    /// which has all of them inline knows what is left there.
    bool forth() {
        if (!step()) return other();
        if (!entry->load_->lookInList()) entry->load_->setPending();
        return true;
    }
    /// Moves to the next field of this id; what lies before it is not looked at.
    bool forthTo(refinitiv::ema::access::Int16 id) {
        for (;;) {
            const bool plain = step();
            if (!plain && !other()) return false;
            if (entry->load_->fieldId != id) continue;
            if (plain && !entry->load_->lookInList()) entry->load_->setPending();
            return true;
        }
    }
    bool other();  ///< forth() for everything that is no plain field
    /// Moves to the next plain field, whose load is not looked at yet; false when there is none here.
    bool step() {
        const refinitiv::ema::access::UInt8* const at = position;
        if (left == 0 || at >= lastEntry) return false;
        const refinitiv::ema::access::UInt64 length = at[2];
        if (length >= 0xFE || length + 3 > static_cast<refinitiv::ema::access::UInt64>(end - at)) return false;
        --left;
        position = at + 3 + length;
        LoadCell& l = *entry->load_;
        l.fieldId = static_cast<refinitiv::ema::access::Int16>(
            eta::loadBe<refinitiv::ema::access::UInt16>(reinterpret_cast<const std::byte*>(at)));
        l.bytes = reinterpret_cast<const char*>(at + 3);
        l.length = length;
        return true;
    }
    [[noreturn]] void refuseEntry();  ///< getEntry() without an entry: throws OmmInvalidUsageException/InvalidOperation
};

}  // namespace emissary::ema
