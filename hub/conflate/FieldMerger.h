// hub/conflate: field lists joined into one that has the same effect; which fields ripple, and which are RMTES
// (hub.md 8.1).
#pragma once

#include "eta/codec/containers.h"
#include "eta/core/GrowingBuffer.h"
#include "eta/dictionary/Dictionary.h"

#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <span>
#include <vector>

namespace emissary::hub::conflate {

using eta::Bytes;

/// A payload, or one of an entry, and the definitions that its sets refer to; null: of its own alone.
struct Input {
    Bytes bytes;
    const eta::codec::SetDefinitionDb* sets = nullptr;
};
using Inputs = std::span<const Input>;

/// A copy that lasts as long as `memory`.
[[nodiscard]] inline Bytes keep(std::pmr::memory_resource& memory, Bytes bytes) {
    if (bytes.empty()) return bytes;
    auto* const to = static_cast<std::byte*>(memory.allocate(bytes.size(), 1));
    std::memcpy(to, bytes.data(), bytes.size());
    return {to, bytes.size()};
}

/// The part of PayloadMerger that knows fields. One thread. Its tables of 65,536 fields are cleared by number, so that
/// a join costs what its two lists are long.
class FieldMerger {
public:
    /// PayloadMerger::kMostBytes: places in both lists fit 16 bits.
    static constexpr std::size_t kMostBytes = 64u << 10;

    FieldMerger();
    /// PayloadMerger::setDictionary().
    void setDictionary(const eta::dictionary::Dictionary* dictionary);

    /// Whether a value that comes after another moves the old one to a further field (an update without DO_NOT_RIPPLE).
    enum class Ripple : std::uint8_t {
        no,     ///< in neither of the two updates
        yes,    ///< in both: fields of chains stay in order, as often as the chain is long from them on
        mixed,  ///< in one: what has a field that ripples is refused
    };
    /// Another pair of payloads, of kMostBytes together at most.
    void begin(Ripple ripple) noexcept {
        ripple_ = ripple;
        repeats_ = false;
    }
    [[nodiscard]] Ripple ripple() const noexcept { return ripple_; }
    /// A field stands more than once in what join() has made of this pair.
    [[nodiscard]] bool repeats() const noexcept { return repeats_; }

    enum class Outcome : std::uint8_t {
        joined,
        refused,
        open,  ///< join() has to look at them
    };
    /// The usual lists, at the top of two payloads. `joined` is `newer` where that says all, or else `result`'s, which
    /// is written in any case.
    [[nodiscard]] Outcome joinPlain(Bytes older, Bytes newer, eta::GrowingBuffer& result, Bytes& joined) {
        // Without a dictionary no field list is joined (hub.md 8.1).
        if (!known_) return Outcome::refused;
        // The usual case, the same fields in the same order: the later update says everything.
        if (covers(older, newer)) [[likely]] {
            joined = newer;
            return Outcome::joined;
        }
        const Outcome is = joinInto(result.start(), older, newer);
        if (is == Outcome::joined) joined = result.view();
        return is;
    }
    /// Any lists, one or two, as standard data without sets. False: refused; what `out` has is nothing then. `level`: 0
    /// for payloads themselves, more for lists inside. `memory` lasts as long as `out` is used. Throws std::bad_alloc.
    [[nodiscard]] bool join(Inputs in, eta::BeWriter& out, int level, std::pmr::memory_resource& memory);

    static constexpr std::size_t kNoPart = SIZE_MAX;
    /// Of a list that was joined, in `result`: the fields from the one with number `at` on, to the first that comes
    /// again; `at` is that one's then, or kNoPart. Throws std::bad_alloc.
    [[nodiscard]] Bytes partFrom(Bytes joined, std::size_t& at, eta::GrowingBuffer& result);

private:
    // Of marks_; the bits from kHopsShift on count the fields that a value moves through.
    static constexpr std::uint8_t kRipples = 0x01, kMayCommand = 0x02, kTarget = 0x04, kHopsShift = 3, kMostHops = 16;

    struct Field {
        std::int16_t id;
        Bytes value;
    };

    void beginList() noexcept;
    [[nodiscard]] bool covers(Bytes older, Bytes newer) const noexcept;
    [[nodiscard]] Outcome joinInto(eta::BeWriter& out, Bytes older, Bytes newer);
    [[nodiscard]] static bool commands(std::uint8_t marks, Bytes value) noexcept;
    [[nodiscard]] bool refuses(std::int16_t id, Bytes value) const noexcept;
    /// A field that ripples, or that another one ripples to; of a chain that is longer than values move, none.
    [[nodiscard]] static bool isOfChain(std::uint8_t marks) noexcept {
        return (marks & kRipples) != 0 ? marks >> kHopsShift != 0 : (marks & kTarget) != 0;
    }

    bool known_ = false;  // there is a dictionary
    bool repeats_ = false;
    Ripple ripple_ = Ripple::no;
    std::vector<std::uint8_t> marks_;     // by the id as an unsigned number
    std::vector<std::uint32_t> listOf_;   // by the id: number of the list that has the field
    std::vector<std::uint16_t> placeOf_;  // and its place in fields_; of one that ripples, how often it is there
    std::uint32_t list_ = 0;
    std::vector<Field> fields_;
};

}  // namespace emissary::hub::conflate
