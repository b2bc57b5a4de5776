// The members that a reissue may leave out.
#pragma once

#include "eta/codec/Msg.h"

namespace emissary::reactor::client {

/// Whether a reissue leaves the stream's domain alone: it says the same, or nothing (MarketPrice, the default of a
/// message that the application makes), which keeps it.
[[nodiscard]] inline bool keepsDomain(const eta::codec::Msg& reissue, std::uint8_t domain) noexcept {
    return reissue.domain == domain || reissue.domain == eta::codec::kMarketPriceDomain;
}

}  // namespace emissary::reactor::client
