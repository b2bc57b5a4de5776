// A JSON text read completely and strictly, for messages that are rare or verified.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::wsload {

struct JsonMember;

/// One value with all that is in it.
struct Json {
    enum class Kind { null, boolean, number, text, array, object };
    Kind kind = Kind::null;
    bool flag = false;
    std::string text;  ///< of a text without its escapes; of a number as it stands
    std::vector<Json> elements;
    std::vector<JsonMember> members;

    /// The member of an object, or null. find("State", "Data") looks in the object State.
    template <class... More>
    [[nodiscard]] const Json* find(std::string_view name, More... more) const;
    /// Text of the member; empty when there is none.
    template <class... Names>
    [[nodiscard]] std::string_view textOf(Names... names) const {
        const Json* const found = find(names...);
        return found != nullptr ? std::string_view(found->text) : std::string_view();
    }
};

/// A value with its name.
struct JsonMember {
    std::string name;
    Json value;
};

template <class... More>
const Json* Json::find(std::string_view name, More... more) const {
    for (const JsonMember& m : members)
        if (m.name == name) {
            if constexpr (sizeof...(more) == 0) return &m.value;
            else return m.value.find(more...);
        }
    return nullptr;
}

/// Nothing when the text is not JSON, or deeper than 64 levels.
[[nodiscard]] std::optional<Json> parseJson(std::string_view text);
/// The text in quotes, with escapes.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace emissary::wsload
