// Reads JSON by recursive descent.
#include "Json.h"

#include <charconv>
#include <cstdio>

namespace emissary::wsload {

namespace {

constexpr int kDeepest = 64;

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}
    bool document(Json& into) { return value(into, 0) && (blanks(), at_ == text_.size()); }

private:
    [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void blanks() {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }
    bool take(char c) {
        if (peek() != c) return false;
        return ++at_, true;
    }
    bool word(std::string_view w) {
        if (text_.substr(at_, w.size()) != w) return false;
        return at_ += w.size(), true;
    }
    bool value(Json& into, int depth) {
        if (depth > kDeepest) return false;
        blanks();
        switch (peek()) {
        case '{':
            return object(into, depth);
        case '[':
            return array(into, depth);
        case '"':
            into.kind = Json::Kind::text;
            return string(into.text);
        case 't':
            into.kind = Json::Kind::boolean, into.flag = true;
            return word("true");
        case 'f':
            into.kind = Json::Kind::boolean;
            return word("false");
        case 'n':
            return word("null");
        default:
            return number(into);
        }
    }
    bool object(Json& into, int depth) {
        into.kind = Json::Kind::object;
        ++at_;
        blanks();
        if (take('}')) return true;
        do {
            blanks();
            auto& [name, member] = into.members.emplace_back();
            if (peek() != '"' || !string(name)) return false;
            blanks();
            if (!take(':') || !value(member, depth + 1)) return false;
            blanks();
        } while (take(','));
        return take('}');
    }
    bool array(Json& into, int depth) {
        into.kind = Json::Kind::array;
        ++at_;
        blanks();
        if (take(']')) return true;
        do {
            if (!value(into.elements.emplace_back(), depth + 1)) return false;
            blanks();
        } while (take(','));
        return take(']');
    }
    bool string(std::string& into) {
        for (++at_; at_ < text_.size();) {
            const char c = text_[at_++];
            if (c == '"') return true;
            if (static_cast<unsigned char>(c) < 0x20) return false;
            if (c != '\\') into.push_back(c);
            else if (!escape(into)) return false;
        }
        return false;
    }
    bool escape(std::string& into) {
        const char c = peek();
        ++at_;
        constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
        if (const auto at = kNames.find(c); at != kNames.npos && c != '\0') return into.push_back(kMeant[at]), true;
        if (c != 'u' || at_ + 4 > text_.size()) return false;
        unsigned code = 0;
        const char* const from = text_.data() + at_;
        if (std::from_chars(from, from + 4, code, 16).ptr != from + 4) return false;
        at_ += 4;
        // Halves of a pair stay apart: the texts that are compared have none.
        if (code < 0x80) into.push_back(static_cast<char>(code));
        else if (code < 0x800) {
            into.push_back(static_cast<char>(0xC0 | code >> 6));
            into.push_back(static_cast<char>(0x80 | (code & 0x3F)));
        } else {
            into.push_back(static_cast<char>(0xE0 | code >> 12));
            into.push_back(static_cast<char>(0x80 | (code >> 6 & 0x3F)));
            into.push_back(static_cast<char>(0x80 | (code & 0x3F)));
        }
        return true;
    }
    bool digits() {
        const std::size_t from = at_;
        while (peek() >= '0' && peek() <= '9')
            ++at_;
        return at_ > from;
    }
    bool number(Json& into) {
        into.kind = Json::Kind::number;
        const std::size_t from = at_;
        (void)take('-');
        if (!take('0') && !digits()) return false;
        if (take('.') && !digits()) return false;
        if (peek() == 'e' || peek() == 'E') {
            ++at_;
            if (!take('+')) (void)take('-');
            if (!digits()) return false;
        }
        into.text = text_.substr(from, at_ - from);
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<Json> parseJson(std::string_view text) {
    Json value;
    if (!Reader(text).document(value)) return std::nullopt;
    return value;
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out.push_back('\\');
        if (static_cast<unsigned char>(c) >= 0x20) {
            out.push_back(c);
            continue;
        }
        char code[8];
        std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += code;
    }
    return out += '"';
}

}  // namespace emissary::wsload
