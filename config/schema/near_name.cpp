// Measures how many letters differ between two names, and suggests the nearest one.
#include "config/schema/near_name.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace emissary::parameters {

namespace {

constexpr std::size_t kLongest = 64;  // longer words are no slips of a name

[[nodiscard]] char lower(char c) noexcept {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// The distance of Damerau and Levenshtein, neighbours swapped at most once.
[[nodiscard]] std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = last;
        last = row;
    }
    return last[b.size()];
}

}  // namespace

std::string nearName(std::string_view word, std::span<const std::string_view> known) {
    if (word.empty() || word.size() > kLongest) return {};
    std::string_view best;
    std::size_t least = word.size() / 3 + 1;
    for (const std::string_view name : known) {
        if (name == word || name.size() > kLongest) continue;
        if (const std::size_t d = distance(word, name); d < least) least = d, best = name;
    }
    return best.empty() ? std::string() : "; did you mean [" + std::string(best) + "]?";
}

}  // namespace emissary::parameters
