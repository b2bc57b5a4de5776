// eta/json: where in a text something stands, in the names that the text uses: "[2].Key.Service".
#pragma once

#include "json/Tree.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace emissary::eta::json {

/// The names of the members, and the numbers of the array items, that lead to a value. It has a bound, since the
/// peer that wrote the text chose the names: long names are cut, and of a long path the end is missing.
class Path {
public:
    Path() noexcept = default;
    /// To the value at `offset` octets in the text, from the root's value `message` on; that is item `number` of the
    /// root where the root is an array.
    Path(const Tree& tree, NodeIndex message, std::uint32_t number, std::uint32_t offset) noexcept;
    /// A member that should stand there.
    void member(std::string_view name) noexcept;

    [[nodiscard]] std::string_view text() const noexcept { return {text_.data(), size_}; }

private:
    void item(std::uint32_t number) noexcept;
    void add(std::string_view text) noexcept;

    std::array<char, 256> text_;
    std::size_t size_ = 0;
};

/// Cut to `limit` octets, not in the middle of a character.
[[nodiscard]] std::string_view shortened(std::string_view text, std::size_t limit) noexcept;

}  // namespace emissary::eta::json
