// Golden values built through the public API, and the same values as texts that show what the API reads.
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/Data.h"
#include "eta/codec/model/Value.h"
#include "eta/dictionary/Dictionary.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ematest {

namespace model = emissary::eta::codec::model;

/// How contained objects are added: built, completed and handed over; or handed over empty and then filled in place.
enum class Nesting { ready, inPlace };

/// Whether the public API can say exactly this: no set data, no dynamic quality of service, no flags without content
/// ...
[[nodiscard]] bool expressible(const model::Value& v);
/// Whether entries of this action carry no value in the container.
[[nodiscard]] bool isDelete(const model::Value& container, std::uint8_t action);
/// The object for an expressible container, opaque value or message, complete.
[[nodiscard]] std::unique_ptr<refinitiv::ema::access::ComplexType> build(const model::Value& v, Nesting nesting);

/// What the public API shows of the value: no difference between set and standard data, public numbering of qualities.
[[nodiscard]] std::string flat(const emissary::eta::codec::model::Value& v);
/// The same read through the public API.
[[nodiscard]] std::string flat(const refinitiv::ema::access::Data& d);
/// A dictionary that gives the fields inside the value their types; none when one field has two.
[[nodiscard]] std::optional<emissary::eta::dictionary::Dictionary>
dictionaryOf(const emissary::eta::codec::model::Value& v);

}  // namespace ematest
