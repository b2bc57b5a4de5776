// Golden values built through the public API.
#pragma once

#include "Access/Include/ComplexType.h"
#include "eta/codec/model/Value.h"

#include <functional>
#include <memory>

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

}  // namespace ematest
