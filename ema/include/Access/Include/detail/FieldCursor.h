// Where reading a FieldList stands; not for applications.
#pragma once

#include "Access/Include/detail/LoadCell.h"

namespace refinitiv::ema::access {
class FieldEntry;
}

namespace emissary::ema {

/// Steps through the plain part of a received field list without a call into the library: fields of standard data with
/// a one-byte length (rwf.md 3.2). Everything else (set data, long fields, the end, broken bytes) is left to other().
struct FieldCursor {
    const refinitiv::ema::access::UInt8* position = nullptr;
    const refinitiv::ema::access::UInt8* lastEntry = nullptr;  ///< an entry needs three bytes: it begins before this
    const refinitiv::ema::access::UInt8* end = nullptr;
    LoadCell* load = nullptr;
    const refinitiv::ema::access::FieldEntry* entry = nullptr;  ///< null unless forth() has found one
    refinitiv::ema::access::UInt16 left = 0;                    ///< fields from `position` on; 0 when not in that part

    /// Moves to the next field; false at the end. The load of a plain field is left pending.
    bool forth() {
        const refinitiv::ema::access::UInt8* const at = position;
        if (left != 0 && at < lastEntry) {
            const refinitiv::ema::access::UInt64 length = at[2];
            if (length < 0xFE && length + 3 <= static_cast<refinitiv::ema::access::UInt64>(end - at)) {
                --left;
                position = at + 3 + length;
                LoadCell& l = *load;
                l.fieldId = static_cast<refinitiv::ema::access::Int16>(
                    eta::loadBe<refinitiv::ema::access::UInt16>(reinterpret_cast<const std::byte*>(at)));
                l.bytes = reinterpret_cast<const char*>(at + 3);
                l.length = length;
                l.setPending();
                return true;
            }
        }
        return other();
    }
    bool other();                     ///< forth() for everything that is no plain field
    [[noreturn]] void refuseEntry();  ///< getEntry() without an entry: throws OmmInvalidUsageException/InvalidOperation
};

}  // namespace emissary::ema
