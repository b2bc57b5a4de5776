// The counters of a builder.
#pragma once

#include "emissary/Counter.h"
#include "emissary/book/Span.h"
#include "emissary/book/Types.h"

#include <array>

namespace emissary::book {

using emissary::Counter;  ///< the dispatching thread adds, any thread reads

/// What a builder has counted since it was made; counterTable() has the names, units and meanings.
struct Counters {
    /// Messages that came; of refreshes each part of an image counts.
    Counter refreshes, updates, statuses;
    Counter entries;  ///< map entries that were looked at
    Counter images;   ///< images that became complete
    /// Add of a key that was there (it took the place of the old entry), Update of an unknown key (taken as Add),
    /// Delete of a key that was not there (ignored).
    Counter addOfKnown, updateWithoutAdd, deleteOfUnknown;
    /// Updates that were not applied: of a book without an image or after its end; marked as not to be cached.
    Counter updateBeforeImage, notToBeCached;
    Counter rescaled;                     ///< times that a finer price or size made a book change its scale
    Counter accSizeDiffers;               ///< levels whose accumulated size was not what verify() added up
    Counter imagesAsked;                  ///< images asked for again after something was missed
    Counter staled;                       ///< times that a book became stale
    std::array<Counter, kFaults> faults;  ///< by Fault
};

/// One counter with its name, for programs that show or export them.
struct CounterInfo {
    const char* name;     ///< as the member; faults as "fault." and the kind
    const char* unit;     ///< what is counted: messages, entries, ...
    const char* meaning;  ///< in a few words
    /// The counter among those of a builder.
    const Counter& (*of)(const Counters&);
};
/// All counters, in the order of the members; lives as long as the program.
[[nodiscard]] Span<const CounterInfo> counterTable() noexcept;

}  // namespace emissary::book
