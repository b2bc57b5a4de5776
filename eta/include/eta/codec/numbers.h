// Numbers of the message model that mean the same wherever they appear: domains, streams, reasons of refusal.
#pragma once
#include <cstdint>

namespace emissary::eta::codec {

/// Message domains that the library itself deals with (rdm.md 1.1). Others pass as numbers.
inline constexpr std::uint8_t kLoginDomain = 1, kDirectoryDomain = 4, kDictionaryDomain = 5, kMarketPriceDomain = 6,
                              kSymbolListDomain = 10;

/// The stream of the login of a connection, and of what is posted off-stream (session.md 6).
inline constexpr std::int32_t kLoginStream = 1;

/// The reason of a negative acknowledgement that the library gives itself: no answer came in time (rdm.md 1.5).
inline constexpr std::uint8_t kNakNoResponse = 6;

}  // namespace emissary::eta::codec
