// RWF bytes as JSON, in the schema of the golden vectors (unittests/vectors/rwf and docs/rwfcat.md): everything that is
// on the wire, nothing that is not.
#pragma once

#include "eta/codec/SetDefinitions.h"
#include "eta/codec/Types.h"

#include <functional>
#include <string>
#include <string_view>

namespace emissary::rwfcat {

/// What the dictionary says of a field. An Unknown type shows the field's bytes as a Buffer marked "unknown".
struct FieldInfo {
    eta::codec::DataType type = eta::codec::DataType::Unknown;
    std::string_view name;  ///< shown as "name"; may be empty
};

/// What is known beyond the bytes.
struct JsonContext {
    std::function<FieldInfo(std::int16_t fieldId)> field;  ///< may be empty: all fields are unknown
    const eta::codec::SetDefinitionDb* sets = nullptr;     ///< definitions for the outermost list
};

/// Appends the value as one JSON object. On failure `out` is as it was, and the error tells the byte, counted from the
/// start of `in`, where decoding stopped.
[[nodiscard]] eta::Error appendVectorJson(std::string& out, eta::Bytes in, eta::codec::DataType type,
                                          const JsonContext& context = {});
/// The content of one entry of set data, in the wire form of `setType`.
[[nodiscard]] eta::Error appendSetValueJson(std::string& out, eta::Bytes in, eta::codec::DataType setType,
                                            const JsonContext& context = {});

/// The type's name in the schema, and back; Unknown when there is no such name.
[[nodiscard]] std::string schemaName(eta::codec::DataType type);
[[nodiscard]] eta::codec::DataType schemaType(std::string_view name) noexcept;

void appendHex(std::string& out, eta::Bytes bytes);

}  // namespace emissary::rwfcat
