// Matches from left to right, and goes back to the last star alone.
#include "hub/access/glob.h"

namespace emissary::hub::access {

bool matches(std::string_view pattern, std::string_view text) noexcept {
    constexpr std::size_t kNone = std::string_view::npos;
    std::size_t p = 0, t = 0, star = kNone, from = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != kNone) {
            p = star + 1;
            t = ++from;
        } else return false;
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

}  // namespace emissary::hub::access
