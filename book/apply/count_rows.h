// The counters of books as they stand among the counts of a consumer, for documents and for Builder.
#pragma once

#include "emissary/book/Counters.h"
#include "eta/core/Count.h"

namespace emissary::book::detail {

/// A row for each row of counterTable(), in its order; lives for ever.
[[nodiscard]] Span<const eta::CountRow> countRows();

}  // namespace emissary::book::detail
