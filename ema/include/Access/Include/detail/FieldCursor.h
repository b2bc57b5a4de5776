// The position of a reader in a FieldList; not for applications.
#pragma once

#include "Access/Include/FieldEntry.h"
#include "Access/Include/detail/wire_bytes.h"

namespace emissary::ema {

/// Steps through the plain part of a received field list without a call into the library: fields of standard data with
/// a one-byte length (rwf.md 3.2), behind the first one, whose types a dictionary tells. Everything else (set data,
/// long fields, no dictionary, the end, broken bytes) is left to other().
struct FieldCursor {
    using Place = const refinitiv::ema::access::UInt8*;

    // The next field. It is looked at while the field before is read: the type says which code comes next, and is known
    // that much earlier. All are as wide as registers: what was stored narrower, a processor hands to a load much
    // later.
    refinitiv::ema::access::UInt32 nextType = kNotPlain;  ///< kNotPlain when there is none that can be stepped to
    refinitiv::ema::access::UInt32 nextLength = 0;
    refinitiv::ema::access::UInt32 nextId = 0;
    refinitiv::ema::access::UInt32 left = 0;  ///< fields from the next one on
    Place behind = nullptr;  ///< the end of the next field; where it begins when it cannot be stepped to
    Place end = nullptr;
    Place lastHeader = nullptr;                                 ///< where the last field can begin at most
    const refinitiv::ema::access::FieldEntry* entry = nullptr;  ///< null unless forth() has found one

    static constexpr refinitiv::ema::access::UInt32 kNotPlain = 0xFF;
    static constexpr refinitiv::ema::access::UInt8 kHeader = 3;        ///< bytes of id and length
    static constexpr refinitiv::ema::access::UInt8 kMaxLength = 0xFD;  ///< larger ones say that the length follows

    /// Moves to the next field; false at the end. Reaches the entry in the same way as the getters, so that a compiler
    /// that has all these functions inline knows what they leave there.
    bool forth() {
        const auto wireType = nextType;
        if (wireType == kNotPlain) return other();
        step();
        if (!entry->load_->lookInList(wireType)) entry->load_->setPending();
        return true;
    }
    /// Moves to the next field of this id; what lies before it is not looked at.
    bool forthTo(refinitiv::ema::access::Int16 wanted) {
        for (;;) {
            const auto wireType = nextType;
            const bool plain = wireType != kNotPlain;
            if (plain) step();
            else if (!other()) return false;
            if (entry->load_->fieldId != wanted) continue;
            if (plain && !entry->load_->lookInList(wireType)) entry->load_->setPending();
            return true;
        }
    }
    bool other();  ///< forth() for everything that is no plain field
    /// Moves to the next field, which is plain; what it holds is not looked at yet.
    void step() {
        LoadCell& l = *entry->load_;
        l.fieldId = static_cast<refinitiv::ema::access::Int16>(nextId);
        l.length = nextLength;
        l.bytes = reinterpret_cast<const char*>(behind - nextLength);
        if (wire::rarely(--left == 0)) nextType = kNotPlain;
        else lookAhead();
    }
    /// Looks at the field at `behind`, whose header can be read; there is an entry, of standard data.
    void lookAhead() {
        using namespace refinitiv::ema::access;
        const Place at = behind;
        const UInt8 bytes = at[2];
        const Place next = at + kHeader + bytes;
        if (wire::rarely(bytes > kMaxLength)) {
            nextType = kNotPlain;
            return;
        }
        // One comparison says that the field is there, and the header of one more unless it is the last.
        if (wire::rarely(next > lastHeader))
            if (left != 1 || next > end) {
                nextType = kNotPlain;
                return;
            }
        const auto found = wire::load<UInt16>(at);
        behind = next;
        nextId = found;
        nextLength = bytes;
        nextType = entry->load_->fieldTypes[found];
    }
    /// The same for `fields` fields at `from`.
    void lookAhead(Place from, Place to, refinitiv::ema::access::UInt16 fields) {
        behind = from;
        end = to;
        left = fields;
        nextType = kNotPlain;
        if (fields == 0 || to - from < kHeader) return;
        lastHeader = to - kHeader;
        lookAhead();
    }
    /// No field can be stepped to, and none is left.
    void leave() {
        nextType = kNotPlain;
        left = 0;
    }
    [[noreturn]] void refuseEntry();  ///< getEntry() without an entry: throws OmmInvalidUsageException/InvalidOperation
};

}  // namespace emissary::ema
