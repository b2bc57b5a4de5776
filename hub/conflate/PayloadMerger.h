// Two payloads of updates joined into one that has the same effect (hub.md 8.1).
#pragma once

#include "hub/conflate/FieldMerger.h"

#include <array>
#include <memory>
#include <memory_resource>
#include <vector>

namespace emissary::hub::conflate {

using eta::codec::DataType;

/// Joins field lists, element lists, maps and filter lists; the result is standard data without set definitions, and
/// holds no more than what the two payloads say. Refuses where a client with the joined payload could have another
/// state than one with both. One thread. Allocates only for what takes more than 64 KiB while it is joined.
class PayloadMerger {
public:
    /// The longest two payloads together, in bytes: longer ones are refused, because joining costs their whole length.
    static constexpr std::size_t kMostBytes = FieldMerger::kMostBytes;

    PayloadMerger();
    PayloadMerger(const PayloadMerger&) = delete;
    PayloadMerger& operator=(const PayloadMerger&) = delete;

    /// Says which fields ripple and which are RMTES. Without a dictionary nothing that contains a field list is joined.
    /// The fields are read at once; nothing is kept.
    void setDictionary(const eta::dictionary::Dictionary* dictionary) { fields_.setDictionary(dictionary); }

    using Ripple = FieldMerger::Ripple;
    /// The joined payload, valid until the next call and as long as `newer`; `joined` is untouched when it is refused.
    /// False: refused, or there was no memory.
    [[nodiscard]] bool merge(DataType type, Bytes older, Bytes newer, Ripple ripple, Bytes& joined) noexcept;
    /// Whether a field stands more than once in what was joined last.
    [[nodiscard]] bool repeats() const noexcept { return fields_.repeats(); }
    /// A field list that merge() has made, in parts in which no field comes twice: `use(part, isLast)`, valid during
    /// the call. Throws what `use` throws, and std::bad_alloc.
    template <class Use>
    void forEachPart(Bytes joined, Use&& use) {
        for (std::size_t at = 0; at != FieldMerger::kNoPart;) {
            const Bytes part = fields_.partFrom(joined, at, result_);
            use(part, at == FieldMerger::kNoPart);
        }
    }

private:
    struct Entry;
    struct Entries;
    static constexpr int kMostLevels = 8;

    [[nodiscard]] bool join(DataType type, Inputs in, eta::BeWriter& out, int level);
    [[nodiscard]] bool joinElements(Inputs in, eta::BeWriter& out);
    [[nodiscard]] bool joinMaps(Inputs in, eta::BeWriter& out, int level);
    [[nodiscard]] bool joinFilters(Inputs in, eta::BeWriter& out, int level);
    [[nodiscard]] bool add(Entries& to, Bytes key, const Entry& entry, int level);
    [[nodiscard]] bool joined(DataType type, Inputs in, Input& result, int level);

    FieldMerger fields_;
    eta::GrowingBuffer result_{4096};
    std::array<std::unique_ptr<eta::GrowingBuffer>, kMostLevels + 1> scratch_;  // by level, for what is nested
    std::vector<std::byte> first_;                                              // memory that arena_ begins with
    std::pmr::monotonic_buffer_resource arena_;                                 // lasts for one call of merge()
};

}  // namespace emissary::hub::conflate
