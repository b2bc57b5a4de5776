// Two payloads of updates joined into one that has the same effect (hub.md 8.1).
#pragma once

#include "eta/codec/containers.h"
#include "eta/core/GrowingBuffer.h"
#include "eta/dictionary/Dictionary.h"

#include <array>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

namespace emissary::hub::conflate {

using eta::Bytes;
using eta::codec::DataType;

/// Joins field lists, element lists, maps and filter lists; the result is standard data without set definitions, and
/// holds no more than what the two payloads say. Refuses where a client with the joined payload could have another
/// state than one with both. One thread. Allocates only for what takes more than 64 KiB while it is joined.
class PayloadMerger {
public:
    /// The longest two payloads together, in bytes: longer ones are refused, because joining costs their whole length.
    static constexpr std::size_t kMostBytes = 64u << 10;

    PayloadMerger();
    PayloadMerger(const PayloadMerger&) = delete;
    PayloadMerger& operator=(const PayloadMerger&) = delete;

    /// Says which fields ripple and which are RMTES. Without a dictionary nothing that contains a field list is joined.
    /// The fields are read at once; nothing is kept.
    void setDictionary(const eta::dictionary::Dictionary* dictionary);

    /// Whether a value that comes after another moves the old one to a further field (an update without DO_NOT_RIPPLE).
    enum class Ripple : std::uint8_t {
        no,     ///< in neither of the two updates
        yes,    ///< in both: fields of chains stay in order, as often as the chain is long from them on
        mixed,  ///< in one: what has a field that ripples is refused
    };

    /// The joined payload, valid until the next call and as long as `newer`; `joined` is untouched when it is refused.
    /// False: refused, or there was no memory.
    [[nodiscard]] bool merge(DataType type, Bytes older, Bytes newer, Ripple ripple, Bytes& joined) noexcept;
    /// Whether a field stands more than once in what was joined last.
    [[nodiscard]] bool repeats() const noexcept { return repeats_; }
    /// A field list that merge() has made, in parts in which no field comes twice: `use(part, isLast)`, valid during
    /// the call. Throws what `use` throws, and std::bad_alloc.
    template <class Use>
    void forEachPart(Bytes joined, Use&& use) {
        for (std::size_t at = 0; at != kNoPart;) {
            const Bytes part = partFrom(joined, at);
            use(part, at == kNoPart);
        }
    }

private:
    struct Source {
        Bytes bytes;
        const eta::codec::SetDefinitionDb* sets = nullptr;
    };
    struct Entry;
    struct Entries;
    using Sources = std::span<const Source>;
    // Of fieldMarks_; the bits from kHopsShift on count the fields that a value moves through.
    static constexpr std::uint8_t kRipples = 0x01, kMayCommand = 0x02, kTarget = 0x04, kHopsShift = 3, kMostHops = 16;
    static constexpr int kMostLevels = 8;

    static constexpr std::size_t kNoPart = SIZE_MAX;
    /// The fields from the one with number `at` on, to the first that comes again; `at` is that one's then.
    [[nodiscard]] Bytes partFrom(Bytes joined, std::size_t& at);
    void beginList() noexcept;
    [[nodiscard]] bool covers(Bytes older, Bytes newer) const noexcept;
    [[nodiscard]] static bool commands(std::uint8_t marks, Bytes value) noexcept;
    [[nodiscard]] bool refuses(std::int16_t id, Bytes value) const noexcept;
    /// A field that ripples, or that another one ripples to; of a chain that is longer than values move, none.
    [[nodiscard]] static bool isOfChain(std::uint8_t marks) noexcept {
        return (marks & kRipples) != 0 ? marks >> kHopsShift != 0 : (marks & kTarget) != 0;
    }
    enum class Plain : std::uint8_t {
        joined,
        refused,
        no,  ///< joinFields() has to look at them
    };
    [[nodiscard]] Plain joinPlain(Bytes older, Bytes newer, eta::BeWriter& out);
    [[nodiscard]] bool join(DataType type, Sources in, eta::BeWriter& out, int level);
    [[nodiscard]] bool joinFields(Sources in, eta::BeWriter& out, int level);
    [[nodiscard]] bool joinElements(Sources in, eta::BeWriter& out);
    [[nodiscard]] bool joinMaps(Sources in, eta::BeWriter& out, int level);
    [[nodiscard]] bool joinFilters(Sources in, eta::BeWriter& out, int level);
    [[nodiscard]] bool add(Entries& to, Bytes key, const Entry& entry, int level);
    template <class Encoder, class Begin, class Ready>
    [[nodiscard]] bool write(Encoder& made, const Entry& entry, Begin begin, Ready ready, int level);
    [[nodiscard]] bool joined(DataType type, Sources in, Source& result, int level);
    [[nodiscard]] Bytes keep(Bytes bytes);

    struct Field {
        std::int16_t id;
        Bytes value;
    };
    bool known_ = false;  // there is a dictionary
    bool repeats_ = false;
    Ripple ripple_ = Ripple::no;
    std::vector<std::uint8_t> fieldMarks_;  // by the id as an unsigned number
    std::vector<std::uint32_t> listOf_;     // by the id: number of the list that has the field
    std::vector<std::uint16_t> placeOf_;    // and its place in fields_; of one that ripples, how often it is there
    std::uint32_t list_ = 0;
    std::vector<Field> fields_;
    eta::GrowingBuffer result_{4096};
    std::array<std::unique_ptr<eta::GrowingBuffer>, kMostLevels + 1> scratch_;  // by level, for what is nested
    std::vector<std::byte> first_;                                              // memory that arena_ begins with
    std::pmr::monotonic_buffer_resource arena_;                                 // lasts for one call of merge()
};

}  // namespace emissary::hub::conflate
