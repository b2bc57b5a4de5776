// Makes the names of the counts from those of the counters: addOfKnown is emissary_book_add_of_known_total.
#include "apply/count_rows.h"

#include <cctype>
#include <deque>
#include <string>
#include <vector>

namespace emissary::book::detail {

namespace {

[[nodiscard]] std::string countName(const char* counter) {
    std::string name = "emissary_book_";
    for (; *counter != '\0'; ++counter) {
        const auto c = static_cast<unsigned char>(*counter);
        if (std::isupper(c) != 0) name += '_';
        name += c == '.' ? '_' : static_cast<char>(std::tolower(c));
    }
    return name + "_total";
}

[[nodiscard]] std::string sentence(const char* meaning) {
    std::string text = meaning;
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text + ".";
}

struct Rows {
    std::deque<std::string> texts;
    std::vector<eta::CountRow> rows;

    Rows() {
        for (const CounterInfo& counter : counterTable()) {
            const char* const name = texts.emplace_back(countName(counter.name)).c_str();
            rows.push_back(
                {name, counter.unit, texts.emplace_back(sentence(counter.meaning)).c_str(), eta::CountKind::total});
        }
    }
};

}  // namespace

Span<const eta::CountRow> countRows() {
    static const Rows& all = *new Rows;  // snapshots may be read until the end of the program
    return all.rows;
}

}  // namespace emissary::book::detail
