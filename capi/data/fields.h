// capi/data: values of a caller as fields of a message, by the types of a dictionary.
#pragma once

#include "emissary.h"

#include "Ema.h"

#include <map>
#include <string>

namespace emissary::capi {

/// A field as it is kept for images: what its type in the dictionary needs.
struct KeptField {
    std::uint8_t rwfType = 0;
    bool blank = false;
    std::int64_t i64 = 0;
    std::uint8_t hint = 0;
    double f64 = 0;
    std::string text;
};
using KeptFields = std::map<std::int16_t, KeptField>;

/// Looks up the field and checks the value against its type; throws Failure.
std::int16_t keep(const refinitiv::ema::rdm::DataDictionary& dictionary, const emi_value& value, KeptField& kept);

/// The same for each of `count` values; of two for one field the later one is kept.
[[nodiscard]] KeptFields keep(const refinitiv::ema::rdm::DataDictionary& dictionary, const emi_value* values,
                              std::size_t count);

/// The id of the field that a value names; throws Failure when there is none.
std::int16_t fieldId(const refinitiv::ema::rdm::DataDictionary& dictionary, const emi_value& value);

/// Adds one field.
void encode(std::int16_t id, const KeptField& field, refinitiv::ema::access::FieldList& list);

/// Adds all fields and completes the list.
void encode(const KeptFields& fields, refinitiv::ema::access::FieldList& list);

}  // namespace emissary::capi
