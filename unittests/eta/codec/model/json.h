// Golden vectors: one JSON object a line (unittests/vectors/rwf/README.md).
#pragma once

#include "Value.h"

#include <functional>

namespace emissary::eta::codec::model {

/// One line of a vector file. Members that a kind does not have stay empty.
struct Vector {
    std::string name, kind, op, error, text, iso, in;
    DataType type = DataType::Unknown, setType = DataType::Unknown;
    std::vector<std::byte> bytes;
    bool canonical = false;
    std::optional<std::string> str;
    std::optional<bool> valid, partial;
    std::optional<Value> value, context;
    std::optional<SetDefs> setDb;
    std::optional<std::uint64_t> doubleBits, inBits;
    std::uint8_t hint = 0;
    std::optional<std::string> utf8;
    struct Step {
        std::string in, cache, utf8;
        bool partial = false;
    };
    std::vector<Step> steps;
};

/// Calls `each` for every line of vectors/rwf/<file> and returns how many there were.
std::size_t forEachVector(const std::string& file, const std::function<void(const Vector&)>& each);
/// The same for any file in that form.
std::size_t forEachVectorIn(const std::string& path, const std::function<void(const Vector&)>& each);

}  // namespace emissary::eta::codec::model
