// capi/consumer: what a caller's request says, as parts of a message.
#pragma once

#include "data/build.h"
#include "emissary.h"

#include "Ema.h"

#include <cstdint>

namespace emissary::capi {

/// The domain of a request or post, 0 meaning MarketPrice. Throws Failure when it is none of items.
[[nodiscard]] std::uint16_t domainOf(std::uint32_t domain);

/// A field by name or number, as it stands in a value. Throws Failure when the number is none.
[[nodiscard]] emi_value named(const char* name);

/// A request without name; throws Failure when `how` cannot be.
void prepare(const emi_request& how, refinitiv::ema::access::ReqMsg& request);

/// The members :ViewType and :ViewData, if there is a view.
void addView(refinitiv::ema::access::ElementList& payload, const emi_request& how, const DictionarySource& dictionary);

}  // namespace emissary::capi
