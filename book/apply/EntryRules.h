// The effects of entries and summaries on the content of a book (docs/spec/order-books.md 3.2, 3.3).
#pragma once

#include "apply/Faults.h"
#include "apply/rows.h"
#include "store/ChangeList.h"
#include "store/ContentAccess.h"
#include "store/scale.h"

namespace emissary::book::detail {

/// Applies one entry after the other to the content of the message at hand. Belongs to an Applier, whose parts it
/// borrows.
class EntryRules {
public:
    EntryRules(Current& now, ChangeList& changes, Counters& counters, Faults& faults) noexcept
        : now_(now), changes_(changes), counters_(counters), faults_(faults) {}
    void apply(std::uint8_t action, const Key& key, const Values& values);
    void summary(const Values& values);

private:
    void deleteEntry(std::uint32_t row);
    [[nodiscard]] bool readPart(const Key& key, const Values& v, Meaning price, Meaning size, Side side, Part& out);
    [[nodiscard]] bool readOtherPrice(const Key& key, const Values::Number& n, Part& out);
    [[nodiscard]] bool readOtherSize(const Key& key, const Values::Number& n, Part& out);
    [[nodiscard]] bool readOneSided(const Key& key, const Values& v, Side side, Part& out);
    [[nodiscard]] bool readDecimals(const Key& key, const Values& v, Side side, Part& out);
    void addOneSided(std::uint8_t action, const Key& key, const Values& v, std::uint32_t row);
    void updateOneSided(const Key& key, const Values& v, std::uint32_t row);
    void applyTwoSided(std::uint8_t action, const Key& key, const Values& v, std::uint32_t row);
    /// An empty row for an entry that says everything anew, whether its key was there or not.
    [[nodiscard]] std::uint32_t freshRow(std::uint8_t action, const Key& key, std::uint32_t row);
    [[nodiscard]] ChangeList* tracked() noexcept { return now_.track ? &changes_ : nullptr; }

    Current& now_;
    ChangeList& changes_;
    Counters& counters_;
    Faults& faults_;
};

}  // namespace emissary::book::detail
