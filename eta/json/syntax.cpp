// Walks a text that was refused by the grammar of JSON, and stops at the first octet that breaks it.
#include "json/syntax.h"

#include "json/Tree.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace emissary::eta::json {

namespace {

[[nodiscard]] bool isDigit(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// Four hexadecimal digits at the start of the text; -1 when they are not there.
[[nodiscard]] int hex4(std::string_view text) noexcept {
    if (text.size() < 4) return -1;
    int code = 0;
    for (const char c : text.substr(0, 4)) {
        int digit = 0;
        if (isDigit(c)) digit = c - '0';
        else if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
        else if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
        else return -1;
        code = code * 16 + digit;
    }
    return code;
}

/// Octets of the UTF-8 character at the start of the text; 0 when there is none.
[[nodiscard]] std::size_t utf8Length(std::string_view text) noexcept {
    const auto octet = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = octet(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 && first <= 0xF4   ? 4
                               : first >= 0xE0 && first <= 0xEF ? 3
                               : first >= 0xC2 && first <= 0xDF ? 2
                                                                : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((octet(i) & 0xC0) != 0x80) return 0;
    const unsigned second = octet(1);
    // Longer than needed, half of a surrogate pair, beyond the last character.
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
        (first == 0xF4 && second > 0x8F))
        return 0;
    return length;
}

class Scanner {
public:
    Scanner(std::string_view text, const TextLimits& limits, TextPart part) noexcept
        : text_(text), limits_(limits), part_(part) {}

    [[nodiscard]] SyntaxFault run() noexcept {
        if (text_.size() > kMaxTextSize) return {static_cast<std::uint32_t>(kMaxTextSize), "the text is too long", {}};
        skipBlanks();
        if (at_ == text_.size()) return fault("the text is empty");
        if (text_[at_] != '{' && text_[at_] != '[') return fault("a message is an object, or an array of objects");
        outside_ = part_ == TextPart::whole && text_[at_] == '[' ? 1 : 0;
        Expect expect = Expect::value;
        while (reason_.empty()) {
            skipBlanks();
            if (at_ == text_.size()) {
                if (expect != Expect::end) fail("the text ends too early");
                break;
            }
            expect = step(expect, text_[at_]);
        }
        return {static_cast<std::uint32_t>(at_), reason_, limit_};
    }

private:
    enum class Expect : std::uint8_t { value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, end };

    [[nodiscard]] Expect step(Expect expect, char c) noexcept {
        switch (expect) {
        case Expect::valueOrEnd:
            if (c == ']') return close();
            return value(c);
        case Expect::value:
            return value(c);
        case Expect::keyOrEnd:
            if (c == '}') return close();
            return key(c);
        case Expect::key:
            return key(c);
        case Expect::colon:
            if (c != ':') return fail("':' is missing behind a member's name");
            ++at_;
            return Expect::value;
        case Expect::commaOrEnd: {
            const bool object = objects_[depth_ - 1];
            if (c == (object ? '}' : ']')) return close();
            if (c != ',') return fail(object ? "',' or '}' is missing" : "',' or ']' is missing");
            ++at_;
            return object ? Expect::key : Expect::value;
        }
        case Expect::end:
            return fail("something stands behind the message");
        }
        return expect;
    }

    Expect value(char c) noexcept {
        if (depth_ == outside_) values_ = 0;
        const bool named = depth_ != 0 && objects_[depth_ - 1];
        if (depth_ >= outside_ && (named || c != '"') && ++values_ > limits_.values.most && limits_.values.most != 0)
            return fail("a message has too many values", limits_.values);
        switch (c) {
        case '{':
        case '[':
            if (limits_.depth.most != 0 && depth_ - std::min(depth_, outside_) >= limits_.depth.most)
                return fail("objects and arrays are nested too deeply", limits_.depth);
            if (depth_ == kMaxTextDepth) return fail("objects and arrays are nested too deeply");
            objects_[depth_++] = c == '{';
            ++at_;
            return c == '{' ? Expect::keyOrEnd : Expect::valueOrEnd;
        case '"':
            string();
            break;
        case 't':
            word("true");
            break;
        case 'f':
            word("false");
            break;
        case 'n':
            word("null");
            break;
        default:
            if (c != '-' && !isDigit(c)) return fail("a value is missing");
            number();
        }
        return Expect::commaOrEnd;
    }
    Expect key(char c) noexcept {
        if (c != '"') return fail("a member's name in quotes is missing");
        string();
        return Expect::colon;
    }
    Expect close() noexcept {
        ++at_;
        --depth_;
        return depth_ == 0 ? Expect::end : Expect::commaOrEnd;
    }

    void word(std::string_view expected) noexcept {
        if (!text_.substr(at_).starts_with(expected)) fail("this word is not JSON: strings stand in quotes");
        else at_ += expected.size();
    }
    void number() noexcept {
        const std::size_t start = at_;
        const auto digits = [this] {
            const std::size_t first = at_;
            while (at_ < text_.size() && isDigit(text_[at_]))
                ++at_;
            return at_ != first;
        };
        const auto next = [this](char c) { return at_ < text_.size() && text_[at_] == c; };
        if (next('-')) ++at_;
        const bool zero = next('0');
        bool good = digits() && !(zero && at_ - start > (text_[start] == '-' ? 2U : 1U));
        if (good && next('.')) {
            ++at_;
            good = digits();
        }
        if (good && (next('e') || next('E'))) {
            ++at_;
            if (next('+') || next('-')) ++at_;
            good = digits();
        }
        const std::size_t length = at_ - start;
        if (good && length <= kMaxNumberSize) return;
        at_ = start;
        fail(good ? "this number is too long" : "this is not a JSON number");
    }
    void string() noexcept {
        const std::size_t quote = at_++;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '"') {
                ++at_;
                return;
            }
            if (c == '\\') {
                if (!escape()) return;
            } else if (static_cast<unsigned char>(c) < 0x20) {
                fail("a control character in a string must be escaped");
                return;
            } else {
                const std::size_t length = utf8Length(text_.substr(at_));
                if (length == 0) {
                    fail("this is not UTF-8");
                    return;
                }
                at_ += length;
            }
        }
        at_ = quote;
        fail("the closing quote of this string is missing");
    }
    /// False after a fault.
    [[nodiscard]] bool escape() noexcept {
        const std::string_view rest = text_.substr(at_ + 1);
        if (rest.empty()) return ++at_, true;  // the closing quote is missing
        if (std::string_view("\"\\/bfnrt").find(rest[0]) != std::string_view::npos) return at_ += 2, true;
        const int code = rest[0] == 'u' ? hex4(rest.substr(1)) : -1;
        if (code < 0) return fail("this escape is not JSON"), false;
        return at_ += 6, true;
    }

    void skipBlanks() noexcept {
        while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }
    Expect fail(std::string_view reason, const TextLimit& limit = {}) noexcept {
        reason_ = reason;
        limit_ = limit;
        return Expect::end;
    }
    [[nodiscard]] SyntaxFault fault(std::string_view reason) const noexcept {
        return {static_cast<std::uint32_t>(at_), reason, {}};
    }

    std::string_view text_;
    const TextLimits& limits_;
    const TextPart part_;
    std::size_t at_ = 0;
    std::string_view reason_;
    TextLimit limit_;
    std::uint32_t depth_ = 0, outside_ = 0;      // outside: arrays around the messages
    std::uint32_t values_ = 0;                   // of the message at this place
    std::array<bool, kMaxTextDepth> objects_{};  // of the open containers; else arrays
};

}  // namespace

SyntaxFault findSyntaxFault(std::string_view text, const TextLimits& limits, TextPart part) noexcept {
    return Scanner(text, limits, part).run();
}

}  // namespace emissary::eta::json
