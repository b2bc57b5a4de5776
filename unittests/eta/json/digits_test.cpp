// The quick readers of numbers, texts and times beside the slow ones: whatever they take, they read the same.
#include "support/catch.hpp"
#include "json/digits.h"
#include "json/text_values.h"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

using namespace emissary::eta;
using namespace emissary::eta::json;

namespace {

/// A text with the room behind it that a Tree's has, and what may stand there.
class Padded {
public:
    /// Exactly that room, so that AddressSanitizer sees what is read beyond it.
    Padded(const std::string& text, char behind)
        : length_(text.size()), text_(std::max(kDigitRoom, text.size()), behind) {
        std::ranges::copy(text, text_.begin());
    }
    [[nodiscard]] std::string_view view() const { return {text_.data(), length_}; }
    [[nodiscard]] std::size_t point() const { return plainPoint(text_.data(), length_); }

private:
    std::size_t length_;
    std::vector<char> text_;
};

/// The grammar of JSON without exponents, written down plainly: where the point stands, 0 for what is no such number.
std::size_t pointOf(const std::string& text) {
    const std::size_t first = text.starts_with('-') ? 1 : 0;
    std::size_t at = first;
    const auto digits = [&] {
        const std::size_t begin = at;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9')
            ++at;
        return at - begin;
    };
    const std::size_t whole = digits();
    if (whole == 0 || (whole > 1 && text[first] == '0')) return 0;
    const std::size_t point = at;
    if (at == text.size()) return point;
    if (text[at++] != '.' || digits() == 0 || at != text.size()) return 0;
    return point;
}

void check(const std::string& text, char behind) {
    INFO("'" << text << "' before '" << behind << "'");
    const Padded padded(text, behind);
    const std::size_t point = padded.point();
    if (point != (text.size() > kLongestDigits ? 0 : pointOf(text))) REQUIRE(point == pointOf(text));
    if (point == 0) return;
    codec::Real quick, slow;
    if (quickReal(padded.view(), point, quick)) {
        if (readReal(text, slow) != codec::Decoded::value || quick != slow) REQUIRE(quick == slow);
    } else if (point - (text[0] == '-' ? 1 : 0) <= 8 && text.size() - point <= 9) {
        FAIL("this fits, and is not read");
    }
    std::uint64_t quickNumber = 0, slowNumber = 0;
    if (point != text.size()) return;
    if (quickUInt(padded.view(), quickNumber) == (text[0] == '-')) FAIL("every integer without a sign is read");
    if (text[0] == '-') return;
    if (readUInt(text, slowNumber) != codec::Decoded::value || quickNumber != slowNumber)
        REQUIRE(quickNumber == slowNumber);
}

}  // namespace

TEST_CASE("Every text of up to five characters that a number may have is read as the slow readers read it", "[json]") {
    const std::string characters = "0179-.e+ /:\x80\xFF";
    std::string text;
    const auto all = [&](const auto& self, std::size_t left) -> void {
        check(text, ',');
        if (left == 0) return;
        for (const char c : characters) {
            text.push_back(c);
            self(self, left - 1);
            text.pop_back();
        }
    };
    all(all, 5);
}

TEST_CASE("Long numbers, whatever stands behind them, are read as the slow readers read them", "[json]") {
    std::mt19937 random(23);
    const std::array<char, 6> behind{',', '}', '9', '.', '\0', '\xFF'};
    for (int i = 0; i < 300'000; ++i) {
        std::string text = random() % 4 == 0 ? "-" : "";
        for (auto n = 1 + random() % 17; n != 0; --n)
            text.push_back(static_cast<char>('0' + random() % 10));
        if (random() % 2 == 0)
            text.insert(text.begin() + static_cast<std::ptrdiff_t>(random() % (text.size() + 1)), '.');
        if (random() % 8 == 0) text[random() % text.size()] = static_cast<char>(random() % 256);
        check(text, behind[random() % behind.size()]);
    }
}

TEST_CASE("Times that are read at once are those that the slow reader reads", "[json]") {
    std::mt19937 random(24);
    int read = 0;
    for (int i = 0; i < 200'000; ++i) {
        const auto two = [&](unsigned below) {
            const auto n = static_cast<unsigned>(random() % below);
            return std::string{static_cast<char>('0' + n / 10), static_cast<char>('0' + n % 10)};
        };
        std::string text = two(26) + ':' + two(62) + ':' + two(63);
        if (random() % 2 == 0) text += '.';
        for (auto n = random() % 6; n != 0; --n)
            text.push_back(static_cast<char>('0' + random() % 10));
        if (random() % 6 == 0) text[random() % text.size()] = static_cast<char>(random() % 256);
        if (random() % 16 == 0) text.resize(random() % text.size());
        INFO(text);
        const Padded padded(text, '7');
        codec::Time quick, slow;
        if (!quickTime(padded.view(), quick)) continue;
        ++read;
        if (readTime(text, slow) != codec::Decoded::value || quick != slow) REQUIRE(quick == slow);
    }
    CHECK(read > 40'000);
    codec::Time t;
    CHECK(quickTime(Padded("23:59:60.999", ',').view(), t));
    CHECK(t == codec::Time{23, 59, 60, 999, 0, 0});
    CHECK(quickTime(Padded("00:00:00", '5').view(), t));
    CHECK(t == codec::Time{0, 0, 0, 0, 0, 0});
    for (const char* const wrong :
         {"", "24:00:00", "23:60:00", "23:59:61", "23:59:5", "23:59:59.", "23-59-59", "23:59:59,1"})
        CHECK_FALSE(quickTime(Padded(wrong, '0').view(), t));
}

TEST_CASE("A short text is ASCII when none of its own characters is above 127", "[json]") {
    for (std::size_t n = 0; n <= kLongestDigits + 1; ++n) {
        INFO(n);
        CHECK(isShortAscii(Padded(std::string(n, '\x7F'), '\xFF').view()) == (n <= kLongestDigits));
        for (std::size_t at = 0; at < n; ++at) {
            std::string text(n, 'A');
            text[at] = '\x80';
            CHECK_FALSE(isShortAscii(Padded(text, 'A').view()));
        }
    }
}
