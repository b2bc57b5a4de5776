// The namespace that EMA had before it was called refinitiv. Every header of EMA has the name by now
// (Access/Include/Common.h); this one is for programs that include it, and for those that define EMISSARY_ONE_NAMESPACE
// and want this name all the same.
#pragma once

#include "Access/Include/Common.h"

/// The same names: a class of one is that class of the other. A forward declaration inside `namespace thomsonreuters`
/// is the one thing that does not compile; it has to say `refinitiv`.
namespace thomsonreuters = refinitiv;
