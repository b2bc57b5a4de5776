// The namespace that EMA had before it was called refinitiv, for programs that still name it. Not included by Ema.h:
// include it in front of the first use, or let the compiler do so with `-include emissary/thomsonreuters.h`.
//
//     #include "Ema.h"
//     #include "emissary/thomsonreuters.h"
//     using namespace thomsonreuters::ema::access;
#pragma once

#include "Access/Include/Common.h"

/// The same names: a class of one is that class of the other. A forward declaration inside `namespace thomsonreuters`
/// is the one thing that does not compile; it has to say `refinitiv`.
namespace thomsonreuters = refinitiv;
