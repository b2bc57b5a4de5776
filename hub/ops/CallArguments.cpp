// hub/ops: reads one flat JSON object, and nothing that is more than that.
#include "hub/ops/CallArguments.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace emissary::hub::ops {

namespace {

/// Reads from the front of a text; each call says whether it found what it was asked for. Not simdjson: that refuses
/// texts that are not UTF-8, and the name of an item may have any bytes.
class Reader {
public:
    explicit Reader(std::string_view text) : rest_(text) {}

    [[nodiscard]] bool take(char c) {
        skipBlanks();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    [[nodiscard]] bool word(std::string_view w) {
        skipBlanks();
        if (!rest_.starts_with(w)) return false;
        rest_.remove_prefix(w.size());
        return true;
    }
    [[nodiscard]] bool atEnd() {
        skipBlanks();
        return rest_.empty();
    }
    [[nodiscard]] bool number(std::uint64_t& n) {
        skipBlanks();
        const auto [end, ec] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
        if (ec != std::errc()) return false;
        const std::size_t digits = static_cast<std::size_t>(end - rest_.data());
        if (digits > 1 && rest_[0] == '0') return false;
        rest_.remove_prefix(digits);
        return rest_.empty() || std::string_view(".eE").find(rest_[0]) == std::string_view::npos;
    }
    [[nodiscard]] bool text(std::string& out) {
        if (!take('"')) return false;
        while (!rest_.empty()) {
            const char c = next();
            if (c == '"') return true;
            if (static_cast<unsigned char>(c) < 0x20) return false;
            if (c != '\\') out += c;
            else if (!escape(out)) return false;
        }
        return false;
    }

private:
    void skipBlanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
    [[nodiscard]] char next() {
        const char c = rest_[0];
        rest_.remove_prefix(1);
        return c;
    }
    [[nodiscard]] bool escape(std::string& out) {
        static constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
        if (rest_.empty()) return false;
        const char c = next();
        if (const std::size_t at = kNames.find(c); at != std::string_view::npos) return out += kMeant[at], true;
        std::uint32_t first = 0, second = 0;
        if (c != 'u' || !unit(first) || (first >= 0xDC00 && first < 0xE000)) return false;
        if (first >= 0xD800 && first < 0xDC00) {
            if (!rest_.starts_with("\\u")) return false;
            rest_.remove_prefix(2);
            if (!unit(second) || second < 0xDC00 || second >= 0xE000) return false;
            first = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        }
        append(out, first);
        return true;
    }
    [[nodiscard]] bool unit(std::uint32_t& n) {
        if (rest_.size() < 4) return false;
        const auto [end, ec] = std::from_chars(rest_.data(), rest_.data() + 4, n, 16);
        if (ec != std::errc() || end != rest_.data() + 4) return false;
        rest_.remove_prefix(4);
        return true;
    }
    static void append(std::string& out, std::uint32_t c) {
        const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
        if (c < 0x80) {
            out += static_cast<char>(c);
        } else if (c < 0x800) {
            out += static_cast<char>(0xC0 | c >> 6);
            tail(0);
        } else if (c < 0x10000) {
            out += static_cast<char>(0xE0 | c >> 12);
            tail(6), tail(0);
        } else {
            out += static_cast<char>(0xF0 | c >> 18);
            tail(12), tail(6), tail(0);
        }
    }

    std::string_view rest_;
};

}  // namespace

std::string CallArguments::read(std::string_view json) {
    values_.clear();
    if (json.size() > kMostBytes) return "the arguments have more than " + std::to_string(kMostBytes) + " bytes";
    Reader in(json);
    if (in.atEnd()) return {};
    if (!in.take('{')) return "the arguments are no JSON object: {\"name\":\"text\",\"other\":1}";
    for (bool first = true; !in.take('}'); first = false) {
        std::string name, text;
        std::uint64_t number = 0;
        if ((!first && !in.take(',')) || !in.text(name) || !in.take(':'))
            return "the arguments are no JSON object: {\"name\":\"text\",\"other\":1}";
        Value value;
        if (in.text(text)) value = std::move(text);
        else if (in.number(number)) value = number;
        else if (in.word("true")) value = true;
        else if (in.word("false")) value = false;
        else return "the value of an argument is no text, no whole number of at least 0, and no true or false";
        if (values_.size() == kMostMembers) return "there are more than " + std::to_string(kMostMembers) + " arguments";
        if (!values_.emplace(std::move(name), std::move(value)).second) return "an argument stands twice";
    }
    return in.atEnd() ? "" : "something stands behind the arguments";
}

std::optional<std::string> CallArguments::text(std::string_view name) const {
    const auto at = values_.find(name);
    if (at == values_.end() || !std::holds_alternative<std::string>(at->second)) return {};
    return std::get<std::string>(at->second);
}

std::optional<std::uint64_t> CallArguments::number(std::string_view name) const noexcept {
    const auto at = values_.find(name);
    const auto* const n = at == values_.end() ? nullptr : std::get_if<std::uint64_t>(&at->second);
    return n == nullptr ? std::nullopt : std::optional(*n);
}

std::optional<bool> CallArguments::flag(std::string_view name) const noexcept {
    const auto at = values_.find(name);
    const auto* const f = at == values_.end() ? nullptr : std::get_if<bool>(&at->second);
    return f == nullptr ? std::nullopt : std::optional(*f);
}

}  // namespace emissary::hub::ops
