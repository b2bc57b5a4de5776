// The targets of forth(const Data&) (ema-api.md 3.1, rdm.md 6.4).
#pragma once

#include "Access/Include/Data.h"
#include "reactor/rdm/View.h"

namespace emissary::ema {

/// Field ids and names of fields or elements, written in one of two ways: an ElementList with :ViewType (UInt) and
/// :ViewData (array of ids or of names), as requests have it; or an ElementList whose entries are arrays of ids (Int)
/// or of names (Ascii), whatever they are called. `wanted` says which list asks; in the second way a view of fields has
/// ids, acronyms as `elements`, or both. Throws OmmInvalidUsageException when the object is no such ElementList.
[[nodiscard]] reactor::rdm::View readView(const refinitiv::ema::access::Data& data, reactor::rdm::View::Kind wanted);

}  // namespace emissary::ema
