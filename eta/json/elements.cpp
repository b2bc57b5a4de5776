// Counts brackets outside strings to find where an element ends.
#include "eta/json/elements.h"

#include <algorithm>

namespace emissary::eta::json {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::size_t skipSpace(std::string_view text, std::size_t at) noexcept {
    return std::min(text.find_first_not_of(kSpace, at), text.size());
}

/// Behind the string that begins at `at`; the text's size when it does not end.
std::size_t skipString(std::string_view text, std::size_t at) noexcept {
    for (++at; at < text.size(); ++at) {
        if (text[at] == '"') return at + 1;
        if (text[at] == '\\') ++at;
    }
    return text.size();
}

/// Behind the element that begins at `at`.
std::size_t skipElement(std::string_view text, std::size_t at) noexcept {
    std::size_t open = 0;
    while (at < text.size()) {
        switch (text[at]) {
        case '"':
            at = skipString(text, at);
            break;
        case '{':
        case '[':
            ++open;
            ++at;
            break;
        case ']':
            if (open == 0) return at;
            [[fallthrough]];
        case '}':
            ++at;
            if (open != 0) --open;
            break;
        case ',':
            if (open == 0) return at;
            [[fallthrough]];
        default:
            ++at;
            continue;
        }
        if (open == 0) return at;
    }
    return at;
}

}  // namespace

bool isArray(std::string_view text) noexcept {
    const std::size_t at = skipSpace(text, 0);
    return at < text.size() && text[at] == '[';
}

std::optional<Element> elementAt(std::string_view text, std::size_t from) noexcept {
    Element e;
    e.begin = skipSpace(text, from);
    if (from == 0) {
        if (e.begin == text.size() || text[e.begin] != '[') return std::nullopt;
        e.begin = skipSpace(text, e.begin + 1);
    }
    e.end = skipElement(text, e.begin);
    const std::size_t behind = skipSpace(text, e.end);
    const char separator = behind < text.size() ? text[behind] : '\0';
    // An empty array has no element; a comma has one on each side.
    const bool missing = e.begin == e.end && (separator != ']' || from != 0);
    if (missing || (separator != ',' && separator != ']')) return std::nullopt;
    e.next = separator == ']' ? skipSpace(text, behind + 1) : behind + 1;
    if ((separator == ']') != (e.next == text.size())) return std::nullopt;
    return e;
}

}  // namespace emissary::eta::json
