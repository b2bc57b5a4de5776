// Where reading a FieldList stands; not for applications.
#pragma once

#include "Access/Include/FieldEntry.h"

namespace emissary::ema {

/// Steps through the plain part of a received field list without a call into the library: fields of standard data with
/// a one-byte length (rwf.md 3.2), behind the first one, whose types a dictionary tells. Everything else (set data,
/// long fields, no dictionary, the end, broken bytes) is left to other().
struct FieldCursor {
    using Place = const refinitiv::ema::access::UInt8*;
    using Word = refinitiv::ema::access::UInt64;

    /// The next field: fields left, it included, in the upper half; its length, wire type and id in the lower one, from
    /// the highest byte down. It is looked at while the field before is read: the type says which code comes next, and
    /// is known that much earlier. The length is kNotPlain when there is none that can be stepped to.
    Word next = kNotPlain;
    Place behind = nullptr;  ///< the next field; where it begins when it cannot be stepped to
    Place end = nullptr;
    const refinitiv::ema::access::FieldEntry* entry = nullptr;  ///< null unless forth() has found one
    static constexpr Word kNotPlain = 0xFE000000;

    /// Moves to the next field; false at the end. The entry is reached as the getters reach it, so that a compiler
    /// which has all of them inline knows what is left there.
    bool forth() {
        const Word field = next;
        if (!step(field)) return other();
        if (!entry->load_->lookInList(typeOf(field))) entry->load_->setPending();
        return true;
    }
    /// Moves to the next field of this id; what lies before it is not looked at.
    bool forthTo(refinitiv::ema::access::Int16 id) {
        for (;;) {
            const Word field = next;
            const bool plain = step(field);
            if (!plain && !other()) return false;
            if (entry->load_->fieldId != id) continue;
            if (plain && !entry->load_->lookInList(typeOf(field))) entry->load_->setPending();
            return true;
        }
    }
    bool other();  ///< forth() for everything that is no plain field
    /// Moves to the field that is `next`, whose load is not looked at yet; false when it is none.
    bool step(Word field) {
        const auto known = static_cast<refinitiv::ema::access::UInt32>(field);
        if (known >= kNotPlain) return false;
        LoadCell& l = *entry->load_;
        l.fieldId = static_cast<refinitiv::ema::access::Int16>(known);
        l.length = known >> 24;
        l.bytes = reinterpret_cast<const char*>(behind - (known >> 24));
        lookAhead(field - (Word{1} << 32) - known);
        return true;
    }
    /// Looks at the field at `behind`; there is an entry, of standard data. `left` in the upper half, the lower one 0.
    void lookAhead(Word left) {
        using namespace refinitiv::ema::access;
        const Place at = behind;
        const auto room = static_cast<Word>(end - at);
        Word found = left | kNotPlain;
        if (left != 0 && room >= 3) [[likely]] {
            const Word length = at[2];
            if (length < kNotPlain >> 24 && room >= length + 3) [[likely]] {
                const UInt16 id = eta::loadBe<UInt16>(reinterpret_cast<const std::byte*>(at));
                behind = at + 3 + length;
                found = left | length << 24 | static_cast<UInt32>(entry->load_->fieldTypes[id]) << 16 | id;
            }
        }
        next = found;
    }
    /// The same for so many fields at `from`.
    void lookAhead(Place from, Place to, refinitiv::ema::access::UInt16 left) {
        behind = from;
        end = to;
        lookAhead(Word{left} << 32);
    }
    /// No field can be stepped to, and none is left.
    void leave() { next = kNotPlain; }
    /// Fields from the next one on.
    [[nodiscard]] refinitiv::ema::access::UInt16 left() const {
        return static_cast<refinitiv::ema::access::UInt16>(next >> 32);
    }
    /// Wire type of a field that is, or was, next.
    static refinitiv::ema::access::UInt8 typeOf(Word field) {
        return static_cast<refinitiv::ema::access::UInt8>(field >> 16);
    }
    [[noreturn]] void refuseEntry();  ///< getEntry() without an entry: throws OmmInvalidUsageException/InvalidOperation
};

}  // namespace emissary::ema
