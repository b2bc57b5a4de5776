// Holds the list of words that give a secret away, and searches names and texts for them.
#include "trace/secret_words.h"

#include "eta/trace/SecretMask.h"

#include <algorithm>

namespace emissary::eta::trace {
namespace {

constexpr std::string_view kWords[] = {"token",  "passw",      "passphrase", "pwd",
                                       "secret", "credential", "cookie",     "authenticationextended"};

constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

bool beginsWith(std::string_view text, std::string_view word) noexcept {
    return text.size() >= word.size() &&
           std::equal(word.begin(), word.end(), text.begin(), [](char w, char c) { return w == lower(c); });
}

constexpr bool isNameCharacter(char c) noexcept {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

}  // namespace

std::size_t findSecretWord(std::string_view text) noexcept {
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        const char c = lower(text[i]);
        if (c != 't' && c != 'p' && c != 's' && c != 'c' && c != 'a') continue;
        for (const std::string_view word : kWords)
            if (c == word.front() && beginsWith(text.substr(i), word)) return i;
    }
    return std::string_view::npos;
}

std::size_t findSecretValue(std::string_view text) noexcept {
    for (std::size_t from = 0;;) {
        const std::size_t found = findSecretWord(text.substr(from));
        if (found == std::string_view::npos) return found;
        std::size_t i = from + found;
        while (i < text.size() && isNameCharacter(text[i]))
            ++i;
        const std::size_t behind = i;
        if (i < text.size() && (text[i] == '"' || text[i] == '\'')) ++i;
        while (i < text.size() && text[i] == ' ')
            ++i;
        if (i < text.size()) {
            const auto c = static_cast<unsigned char>(text[i]);
            if (c == '=' || c == ':' || c == '>' || c < 0x20 || c >= 0x7F) return from + found;
        }
        from = behind;
    }
}

bool isSecretElement(std::string_view name) noexcept {
    return findSecretWord(name) != std::string_view::npos;
}

}  // namespace emissary::eta::trace
