// Messages into books through the public walk alone: slower, the same book.
#pragma once

#include "Ema.h"
#include "apply/Applier.h"

namespace emissary::book::detail {

/// For a MessageHead or an UpdateHead.
template <class Head>
Verdict applyPublic(Applier& applier, Book& book, const Head& head, const refinitiv::ema::access::Payload& payload);
[[nodiscard]] MessageHead headOf(const refinitiv::ema::access::RefreshMsg& msg);
[[nodiscard]] UpdateHead headOf(const refinitiv::ema::access::UpdateMsg& msg);
[[nodiscard]] MessageHead headOf(const refinitiv::ema::access::StatusMsg& msg);

}  // namespace emissary::book::detail
