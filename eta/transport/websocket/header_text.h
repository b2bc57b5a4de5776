// eta/transport/websocket: parts of the values of HTTP headers.
#pragma once

#include <string_view>

namespace emissary::eta::transport::ws {

/// Without the blanks and tabs around it.
[[nodiscard]] inline std::string_view trim(std::string_view s) noexcept {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t'))
        s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t'))
        s.remove_suffix(1);
    return s;
}

/// Takes the part before `separator` off the front.
[[nodiscard]] inline std::string_view cut(std::string_view& rest, char separator) noexcept {
    const std::size_t at = rest.find(separator);
    const std::string_view part = rest.substr(0, at);
    rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
    return trim(part);
}

}  // namespace emissary::eta::transport::ws
