// One tag of an XML trace and its attributes, which are not quite XML: texts stand in them as they are.
#pragma once

#include "rwfcat/trace_message.h"

#include "eta/codec/Types.h"
#include "trace/trace_names.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::rwfcat {

using ByteVector = std::vector<std::byte>;

/// Attributes are taken from left to right, in the order in which the trace writes them.
class TraceLine {
public:
    explicit TraceLine(std::string_view line) : line_(line) {}

    [[nodiscard]] std::string_view text() const noexcept { return line_; }
    /// "fieldEntry"
    [[nodiscard]] std::string_view element() const noexcept;
    /// Without children and end tag.
    [[nodiscard]] bool closed() const noexcept { return line_.ends_with("/>"); }
    [[nodiscard]] bool has(std::string_view name) const noexcept;

    /// Up to the next quotation mark.
    [[nodiscard]] std::string_view plain(std::string_view name);
    /// A text as it was sent, up to what must stand behind it; `last`: to where that stands last.
    [[nodiscard]] ByteVector raw(std::string_view name, std::string_view behind, bool last = false);
    [[nodiscard]] std::int64_t number(std::string_view name);
    [[nodiscard]] std::uint32_t flags();
    [[nodiscard]] ByteVector hex(std::string_view name);
    [[nodiscard]] ByteVector group(std::string_view name);
    /// With entities and spelled-out bytes.
    [[nodiscard]] ByteVector string(std::string_view name);
    [[nodiscard]] std::uint32_t word(std::string_view name, const eta::trace::Words& words);
    [[nodiscard]] eta::codec::DataType type(std::string_view name);
    [[nodiscard]] eta::codec::Qos qos(std::string_view prefix);

    [[noreturn]] void wrong(const std::string& what) const;

private:
    void to(std::string_view name);
    std::string_view line_;
    std::size_t at_ = 0;
};

}  // namespace emissary::rwfcat
