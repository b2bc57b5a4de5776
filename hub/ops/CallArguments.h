// hub/ops: the arguments of a call: the members of one flat JSON object.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace emissary::hub::ops {

/// Texts, whole numbers and flags by name. Anything else that JSON has, and a name that stands twice, is refused. Texts
/// may have any bytes.
class CallArguments {
public:
    static constexpr std::size_t kMostBytes = 4096;  ///< of the text that they are read from
    static constexpr std::size_t kMostMembers = 16;

    /// Not empty: a sentence on what is wrong; nothing can be used then. An empty text is an empty object.
    [[nodiscard]] std::string read(std::string_view json);

    [[nodiscard]] bool has(std::string_view name) const noexcept { return values_.contains(name); }
    [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
    /// Nothing: it is not there, or is none.
    [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
    [[nodiscard]] std::optional<std::uint64_t> number(std::string_view name) const noexcept;
    [[nodiscard]] std::optional<bool> flag(std::string_view name) const noexcept;
    /// The first name that `known` is false for; empty: there is none.
    template <class Known>
    [[nodiscard]] std::string_view other(Known known) const {
        for (const auto& [name, value] : values_)
            if (!known(name)) return name;
        return {};
    }

private:
    using Value = std::variant<std::string, std::uint64_t, bool>;
    std::map<std::string, Value, std::less<>> values_;
};

}  // namespace emissary::hub::ops
