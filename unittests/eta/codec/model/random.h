// Random values of every type, for properties.
#pragma once

#include "Value.h"

#include <random>

namespace emissary::eta::codec::model {

class Generator {
public:
    explicit Generator(std::uint64_t seed) : engine_(seed) {}

    [[nodiscard]] Value message(int depth = 0);
    /// Any primitive but Array, sometimes blank.
    [[nodiscard]] Value primitive();
    /// Any type that a field, element or container entry may have.
    [[nodiscard]] Value any(int depth);
    [[nodiscard]] Value container(DataType type, int depth);
    [[nodiscard]] std::uint64_t below(std::uint64_t n) { return engine_() % n; }

private:
    [[nodiscard]] bool coin() { return below(2) != 0; }
    /// Evenly spread over widths rather than over values, with the edges of each width.
    [[nodiscard]] std::uint64_t wide();
    [[nodiscard]] std::string bytes(std::size_t most);
    [[nodiscard]] std::string someBytes(std::size_t most);  // never empty
    [[nodiscard]] Time time();
    [[nodiscard]] Qos qos();
    [[nodiscard]] Value primitive(DataType type);
    [[nodiscard]] Value array();
    [[nodiscard]] Value list(DataType type, int depth);
    [[nodiscard]] DataType entryType(int depth);
    void key(MsgParts& m, int depth);

    std::mt19937_64 engine_;
};

}  // namespace emissary::eta::codec::model
