// capi/data: one field's load as a plain value.
#pragma once

#include "emissary.h"

#include "Ema.h"

#include <cstddef>

namespace emissary::capi {

/// What a field holds. `text` borrows from the field.
struct Value {
    emi_kind kind = EMI_NOTHING;
    bool blank = false;
    std::uint8_t hint = 0;
    std::int64_t i64 = 0;
    double f64 = 0;
    const char* text = nullptr;
    std::size_t length = 0;
};

/// Reads the load of a field, an element, an entry of an array, or a key. Containers, and loads that cannot be decoded,
/// are EMI_NOTHING without a value.
[[nodiscard]] Value valueOf(const refinitiv::ema::access::FieldEntry& field);
[[nodiscard]] Value valueOf(const refinitiv::ema::access::ElementEntry& element);
[[nodiscard]] Value valueOf(const refinitiv::ema::access::OmmArrayEntry& entry);
[[nodiscard]] Value valueOf(const refinitiv::ema::access::Key& key);
[[nodiscard]] Value valueOf(const refinitiv::ema::access::OmmState& state);

/// Gives the value of an enumerated field the text that the dictionary shows for it; none without one.
void addDisplay(const refinitiv::ema::access::FieldEntry& field, Value& value);

/// The kind of values of a type; EMI_NOTHING for containers.
[[nodiscard]] emi_kind kindOf(refinitiv::ema::access::DataType::DataTypeEnum type) noexcept;

}  // namespace emissary::capi
