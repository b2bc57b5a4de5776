// Golden values and public objects as the same text, to compare what the public API reads with what is on the wire.
#pragma once

#include "Access/Include/Data.h"
#include "eta/codec/model/Value.h"
#include "eta/dictionary/Dictionary.h"

#include <optional>
#include <string>

namespace ematest {

/// What the public API shows of the value: no difference between set and standard data, public numbering of qualities.
[[nodiscard]] std::string flat(const emissary::eta::codec::model::Value& v);
/// The same read through the public API.
[[nodiscard]] std::string flat(const refinitiv::ema::access::Data& d);
/// A dictionary that gives the fields inside the value their types; none when one field has two.
[[nodiscard]] std::optional<emissary::eta::dictionary::Dictionary>
dictionaryOf(const emissary::eta::codec::model::Value& v);

}  // namespace ematest
