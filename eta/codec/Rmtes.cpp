// RMTES text (rwf.md 6.5): partial updates applied to stored text, and conversion to UTF-8 through the character sets
// that escape sequences select.
#include "eta/codec/Rmtes.h"

#include <algorithm>

namespace emissary::eta::codec {

namespace {

/// ESC, and the final bytes of the two update commands.
constexpr unsigned kEscape = 0x1B, kCursor = 0x60, kRepeat = 0x62;

[[nodiscard]] unsigned at(Bytes in, std::size_t i) noexcept {
    return std::to_integer<unsigned>(in[i]);
}

/// ESC [ digits final. `end` is behind the final byte; final is 0 when the input ends first.
struct Command {
    std::size_t number = 0, end = 0;
    unsigned final = 0;
};

/// Reads a command at an ESC; numbers are cut off far above any field, so that they cannot overflow.
[[nodiscard]] Command readCommand(Bytes in, std::size_t escapeAt) noexcept {
    constexpr std::size_t beyondAnyField = 1u << 20;
    Command c;
    std::size_t i = escapeAt + 2;
    for (; i < in.size() && at(in, i) >= '0' && at(in, i) <= '9'; ++i)
        c.number = std::min(c.number * 10 + (at(in, i) - '0'), beyondAnyField);
    c.end = std::min(i + 1, in.size());
    c.final = i < in.size() ? at(in, i) : 0;
    return c;
}

/// Whether ESC [ stands at `i`.
[[nodiscard]] bool startsCommand(Bytes in, std::size_t i) noexcept {
    return at(in, i) == kEscape && i + 1 < in.size() && at(in, i + 1) == '[';
}

/// Walks a value over the stored bytes. The same walk runs twice: once to check, once to store.
class CacheWriter {
public:
    CacheWriter(std::span<std::byte> store, std::size_t length, bool dry) noexcept
        : store_(store), length_(length), dry_(dry) {}

    [[nodiscard]] Error walk(Bytes in) noexcept {
        const bool keepsTail = !in.empty() && at(in, 0) == kEscape;
        for (std::size_t i = 0; i < in.size();) {
            const Errc e = at(in, i) == kEscape ? escape(in, i) : ordinary(in, i);
            if (e != Errc::ok) return {e, static_cast<std::uint32_t>(i)};
        }
        length_ = keepsTail ? std::max(length_, furthest_) : furthest_;
        return {};
    }
    [[nodiscard]] std::size_t length() const noexcept { return length_; }

private:
    /// One byte of text; it is what a repeat command repeats.
    [[nodiscard]] Errc ordinary(Bytes in, std::size_t& i) noexcept {
        last_ = in[i++];
        return put(last_);
    }
    /// An escape sequence: a command is carried out, any other sequence is a part of the text.
    [[nodiscard]] Errc escape(Bytes in, std::size_t& i) noexcept {
        if (i + 1 >= in.size()) return Errc::truncated;
        if (startsCommand(in, i)) return command(in, i);
        const bool utf8 = at(in, i + 1) == '%' && i + 2 < in.size() && at(in, i + 2) == '0';
        for (std::size_t end = i + (utf8 ? 3 : 2); i < end; ++i)
            if (const Errc e = put(in[i]); e != Errc::ok) return e;
        return Errc::ok;
    }
    [[nodiscard]] Errc command(Bytes in, std::size_t& i) noexcept {
        const Command c = readCommand(in, i);
        if (c.final == 0) return Errc::truncated;
        i = c.end;
        if (c.final == kCursor) return moveTo(c.number);
        if (c.final != kRepeat) return Errc::badValue;
        for (std::size_t n = 0; n < c.number; ++n)
            if (const Errc e = put(last_); e != Errc::ok) return e;
        return Errc::ok;
    }
    [[nodiscard]] Errc put(std::byte b) noexcept {
        if (position_ >= store_.size()) return Errc::noSpace;
        if (!dry_) store_[position_] = b;
        furthest_ = std::max(furthest_, ++position_);
        return Errc::ok;
    }
    /// Moves the cursor; the store is the limit.
    [[nodiscard]] Errc moveTo(std::size_t position) noexcept {
        if (position > store_.size()) return Errc::noSpace;
        // Columns that were never sent are blank.
        const std::size_t written = std::max(length_, furthest_);
        if (!dry_ && position > written)
            std::fill(store_.begin() + asIndex(written), store_.begin() + asIndex(position), std::byte{' '});
        position_ = position;
        furthest_ = std::max(furthest_, position_);
        return Errc::ok;
    }
    [[nodiscard]] static std::ptrdiff_t asIndex(std::size_t n) noexcept { return static_cast<std::ptrdiff_t>(n); }

    std::span<std::byte> store_;
    std::size_t length_;
    std::size_t position_ = 0, furthest_ = 0;
    std::byte last_{' '};
    bool dry_;
};

// --- conversion

/// The characters of a two-byte set that share their first byte.
struct Row {
    std::uint8_t first;
    const char16_t* cells;
};
#include "codec/RmtesTables.inc"

/// Character sets that a part of the code table can stand for.
enum class CharSet : std::uint8_t { basic1, basic2, roman, katakana, kanji, chinese1, chinese2 };

constexpr char16_t kUnknown = 0xFFFD;

/// Basic 2 where it differs from Latin-1; `prefix` is an underscore in front of some (rwf.md 6.5).
struct Basic2Exception {
    std::uint8_t code;
    bool prefix;
    char16_t to;
};
constexpr Basic2Exception kBasic2[]{
    {0xA4, true, u'r'},    {0xA6, true, u'w'},    {0xA8, false, 0x00A4}, {0xAC, false, 0x215B}, {0xAD, false, 0x215C},
    {0xAE, false, 0x215D}, {0xAF, false, 0x215E}, {0xB4, true, u't'},    {0xB8, false, 0x2407}, {0xD0, true, u'p'},
    {0xD7, false, 0x0152}, {0xDD, false, 0x0178}, {0xDE, false, 0x21E7}, {0xF0, true, u'u'},    {0xF7, false, 0x0153},
    {0xFD, false, 0x00FF}, {0xFE, false, 0x21E9},
};

/// Escape sequences (without the ESC) that designate a set.
struct Designation {
    std::string_view sequence;
    std::uint8_t slot;
    CharSet set;
};
constexpr Designation kDesignations[]{
    {"(B", 0, CharSet::basic1},       {"(I", 0, CharSet::katakana},     {"(J", 0, CharSet::roman},
    {")1", 1, CharSet::basic2},       {")B", 1, CharSet::basic1},       {")I", 1, CharSet::katakana},
    {")J", 1, CharSet::roman},        {"*2", 2, CharSet::katakana},     {"+3", 3, CharSet::roman},
    {"$(G", 0, CharSet::chinese1},    {"$)G", 1, CharSet::chinese1},    {"$*G", 2, CharSet::chinese1},
    {"$+G", 3, CharSet::chinese1},    {"$*5", 2, CharSet::chinese1},    {"$(H", 0, CharSet::chinese2},
    {"$)H", 1, CharSet::chinese2},    {"$*H", 2, CharSet::chinese2},    {"$+H", 3, CharSet::chinese2},
    {"$+6", 3, CharSet::chinese2},    {"$+4", 3, CharSet::kanji},       {"&@\x1B$B", 0, CharSet::kanji},
    {"&@\x1B$)B", 1, CharSet::kanji}, {"&@\x1B$*B", 2, CharSet::kanji}, {"&@\x1B$+B", 3, CharSet::kanji},
};

/// The character of a two-byte code, or U+FFFD when the set has none there.
template <std::size_t N>
[[nodiscard]] char16_t cell(const Row (&rows)[N], unsigned first, unsigned second) noexcept {
    const Row* row = std::lower_bound(std::begin(rows), std::end(rows), first,
                                      [](const Row& r, unsigned wanted) { return r.first < wanted; });
    return row == std::end(rows) || row->first != first ? kUnknown : row->cells[second - 0x21];
}

/// Walks the text with the sets that are selected at each place, and appends UTF-8.
class Converter {
public:
    Converter(Bytes in, std::string& out) noexcept : in_(in), out_(out) {}

    [[nodiscard]] Error run() {
        while (i_ < in_.size() && !ended_) {
            const std::size_t start = i_;
            if (!step()) return {Errc::badValue, static_cast<std::uint32_t>(start)};
        }
        return {};
    }

private:
    [[nodiscard]] bool step() {
        const unsigned b = at(in_, i_);
        if (b == kEscape) return escape();
        if (utf8_) return copy(1);
        if (b >= 0x21 && b <= 0x7E) return character(sets_[left_], false);
        if (b >= 0xA1 && b <= 0xFE) return character(sets_[right_], true);
        ++i_;
        switch (b) {
        case 0x00:
            return true;
        case 0x0E:
            left_ = 1;
            return true;
        case 0x0F:
            left_ = 0;
            return true;
        case 0x1C:
            ended_ = true;
            return true;
        case 0x8E:
            return shifted(2);
        case 0x8F:
            return shifted(3);
        case 0xA0:
        case 0xFF:
            return false;
        default:
            return put(b <= 0x20 ? static_cast<char16_t>(b) : kUnknown);
        }
    }

    [[nodiscard]] bool shifted(std::size_t slot) {
        if (i_ >= in_.size() || at(in_, i_) < 0x21 || at(in_, i_) > 0x7E) return false;
        return character(sets_[slot], false);
    }

    [[nodiscard]] bool character(CharSet set, bool right) {
        const unsigned code = at(in_, i_++) & 0x7F;
        switch (set) {
        case CharSet::basic1:
            return put(static_cast<char16_t>(right ? code | 0x80 : code));
        case CharSet::basic2:
            return basic2(code | 0x80);
        case CharSet::roman:
            return put(code == 0x5C ? 0x00A5 : code == 0x7E ? 0x203E : static_cast<char16_t>(code));
        case CharSet::katakana:
            return put(code <= 0x5F ? static_cast<char16_t>(0xFF61 + code - 0x21) : kUnknown);
        case CharSet::kanji:
        case CharSet::chinese1:
        case CharSet::chinese2:
            break;
        }
        if (i_ >= in_.size()) return put(kUnknown);  // cut in the middle
        const unsigned raw = at(in_, i_++);
        const unsigned low = right ? 0xA1 : 0x21;
        if (raw < low || raw > low + 0x5D) return right && put(kUnknown);
        const unsigned second = raw & 0x7F;
        if (set == CharSet::kanji) return put(cell(kKanjiRows, code, second));
        return put(set == CharSet::chinese1 ? cell(kChinese1Rows, code, second) : cell(kChinese2Rows, code, second));
    }

    [[nodiscard]] bool basic2(unsigned code) {
        for (const Basic2Exception& e : kBasic2) {
            if (e.code != code) continue;
            if (e.prefix) out_.push_back('_');
            return put(e.to);
        }
        return put(static_cast<char16_t>(code));
    }

    [[nodiscard]] bool escape() {
        if (startsCommand(in_, i_)) {  // meant for the cache step; elsewhere it is text
            const Command c = readCommand(in_, i_);
            return (c.final == kCursor || c.final == kRepeat) && copy(c.end - i_);
        }
        const std::string_view rest = asText(in_.subspan(i_ + 1));
        for (const Designation& d : kDesignations)
            if (rest.starts_with(d.sequence)) return sets_[d.slot] = d.set, skip(d.sequence.size());
        if (rest.starts_with("!@") || rest.starts_with("\"0")) return skip(2);  // announcements without effect
        if (rest.starts_with("%0")) return utf8_ = true, skip(2);
        if (rest.empty()) return false;
        switch (rest.front()) {
        case 0x6E:
            left_ = 2;
            break;
        case 0x6F:
            left_ = 3;
            break;
        case 0x7E:
            right_ = 1;
            break;
        case 0x7D:
            right_ = 2;
            break;
        case 0x7C:
            right_ = 3;
            break;
        default:
            return false;
        }
        return skip(1);
    }

    [[nodiscard]] bool skip(std::size_t behindEscape) noexcept {
        i_ += 1 + behindEscape;
        return true;
    }
    [[nodiscard]] bool copy(std::size_t n) {
        out_.append(asText(in_.subspan(i_, n)));
        i_ += n;
        return true;
    }
    [[nodiscard]] bool put(char16_t c) {
        const unsigned v = c;
        if (v < 0x80) {
            out_.push_back(static_cast<char>(v));
        } else if (v < 0x800) {
            out_.push_back(static_cast<char>(0xC0 | v >> 6));
            out_.push_back(static_cast<char>(0x80 | (v & 0x3F)));
        } else {
            out_.push_back(static_cast<char>(0xE0 | v >> 12));
            out_.push_back(static_cast<char>(0x80 | (v >> 6 & 0x3F)));
            out_.push_back(static_cast<char>(0x80 | (v & 0x3F)));
        }
        return true;
    }

    Bytes in_;
    std::string& out_;
    std::size_t i_ = 0;
    CharSet sets_[4]{CharSet::basic1, CharSet::basic2, CharSet::katakana, CharSet::kanji};
    std::size_t left_ = 0, right_ = 1;
    bool utf8_ = false, ended_ = false;
};

}  // namespace

bool isRmtesPartial(Bytes value) noexcept {
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (!startsCommand(value, i)) continue;
        const Command c = readCommand(value, i);
        return c.final == kCursor || c.final == kRepeat;
    }
    return false;
}

Error applyRmtes(Bytes value, std::span<std::byte> store, std::size_t& length) noexcept {
    if (length > store.size()) return {Errc::usage, 0};
    if (const Error e = CacheWriter(store, length, true).walk(value); !e.ok()) return e;
    CacheWriter writer{store, length, false};
    const Error e = writer.walk(value);
    length = writer.length();
    return e;
}

Error rmtesToUtf8(Bytes in, std::string& out) {
    // Plain ASCII is by far the most common and needs no state.
    const auto plain = [](std::byte b) { return b >= std::byte{0x20} && b < std::byte{0x7F}; };
    if (std::all_of(in.begin(), in.end(), plain)) return out.append(asText(in)), Error{};
    const std::size_t before = out.size();
    const Error e = Converter(in, out).run();
    if (!e.ok()) out.resize(before);
    return e;
}

}  // namespace emissary::eta::codec
