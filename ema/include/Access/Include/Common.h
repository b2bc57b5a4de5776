// Scalar names and the export macro (ema-api.md 0.1).
#pragma once

#ifndef EMA_ACCESS_API
#define EMA_ACCESS_API  ///< nothing on Linux; kept so that existing declarations compile
#endif

namespace refinitiv::ema::access {

/// Numbers of the interface; how many bits they have says their name.
using UInt8 = unsigned char;
using Int8 = signed char;
using UInt16 = unsigned short;
using Int16 = short;
using UInt32 = unsigned int;
using Int32 = int;
using UInt64 = unsigned long long;
using Int64 = long long;
using Double = double;  ///< IEEE 754, 64 bits

}  // namespace refinitiv::ema::access

#ifndef EMISSARY_ONE_NAMESPACE
/// The name that the namespace has in programs for earlier levels of EMA: a class of one is that class of the other, so
/// that such programs compile as they are. One that has a namespace of its own under this name defines
/// EMISSARY_ONE_NAMESPACE; forward declarations have to say `refinitiv`.
namespace thomsonreuters = refinitiv;
#endif
