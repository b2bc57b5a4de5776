// Parses a text with simdjson and keeps the nodes: kinds, lengths, unescaped strings and the text of numbers.
#include "json/Tree.h"

#include "eta/core/bytes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <simdjson.h>
#include <utility>

namespace emissary::eta::json {

namespace {

constexpr std::size_t kKeptText = 256 * 1024;  // larger texts are rare: their memory is not kept
constexpr std::size_t kFirstText = 4096;

using namespace simdjson;

[[nodiscard]] bool isDigit(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// Four hexadecimal digits; false when one is not.
[[nodiscard]] bool hex4(const char* p, unsigned& out) noexcept {
    out = 0;
    for (int i = 0; i < 4; ++i) {
        const char c = p[i];
        unsigned digit;
        if (isDigit(c)) digit = static_cast<unsigned>(c - '0');
        else if (c >= 'a' && c <= 'f') digit = static_cast<unsigned>(c - 'a') + 10;
        else if (c >= 'A' && c <= 'F') digit = static_cast<unsigned>(c - 'A') + 10;
        else return false;
        out = out << 4 | digit;
    }
    return true;
}

[[nodiscard]] char* putUtf8(char* to, unsigned c) noexcept {
    const auto put = [&to](unsigned byte) { *to++ = static_cast<char>(static_cast<unsigned char>(byte)); };
    if (c < 0x80) return put(c), to;
    if (c < 0x800) return put(0xC0 | c >> 6), put(0x80 | (c & 0x3F)), to;
    if (c < 0x10000) return put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F)), to;
    return put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F)), to;
}

/// The character of which `high` is the first half, when its second half follows at `from`, which is moved behind it.
/// Half a pair is what programs write that cut a text in the middle of a character: it costs this one character.
[[nodiscard]] unsigned pair(unsigned high, char*& from, const char* end) noexcept {
    constexpr unsigned kReplacement = 0xFFFD;
    unsigned low;
    if (high > 0xDBFF || end - from < 6 || from[0] != '\\' || from[1] != 'u' || !hex4(from + 2, low))
        return kReplacement;
    if (low < 0xDC00 || low > 0xDFFF) return kReplacement;
    from += 6;
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/// Unescapes in place from the first backslash on; null when an escape is not JSON, else the end of the result.
[[nodiscard]] char* unescape(char* from, char* end) noexcept {
    char* to = from;
    while (from != end) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        if (end - from < 2) return nullptr;
        const char c = from[1];
        from += 2;
        switch (c) {
        case '"':
        case '\\':
        case '/':
            *to++ = c;
            break;
        case 'b':
            *to++ = '\b';
            break;
        case 'f':
            *to++ = '\f';
            break;
        case 'n':
            *to++ = '\n';
            break;
        case 'r':
            *to++ = '\r';
            break;
        case 't':
            *to++ = '\t';
            break;
        case 'u': {
            unsigned code;
            if (end - from < 4 || !hex4(from, code)) return nullptr;
            from += 4;
            if (code >= 0xD800 && code <= 0xDFFF) code = pair(code, from, end);
            to = putUtf8(to, code);
            break;
        }
        default:
            return nullptr;
        }
    }
    return to;
}

/// A byte of the result is not zero where the byte of `v` equals `c`; those behind the first may be wrong.
[[nodiscard]] std::uint64_t equalBytes(std::uint64_t v, unsigned char c) noexcept {
    constexpr std::uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
    const std::uint64_t x = v ^ kOnes * c;
    return (x - kOnes) & ~x & kHighs;
}

/// Characters before the next quote or backslash, eight at a time; readable to 8 bytes behind `limit`.
[[nodiscard]] std::size_t plainLength(const char* p, const char* limit) noexcept {
    const char* at = p;
    for (; at < limit; at += sizeof(std::uint64_t)) {
        std::uint64_t eight;
        std::memcpy(&eight, at, sizeof eight);
        eight = reorder<std::endian::little>(eight);
        const std::uint64_t stops = equalBytes(eight, '"') | equalBytes(eight, '\\');
        if (stops != 0) return static_cast<std::size_t>(at - p) + static_cast<std::size_t>(std::countr_zero(stops)) / 8;
    }
    return static_cast<std::size_t>(limit - p);
}

/// Length of the JSON number that starts at p, 0 when none does; `decimal` when it has a fraction or an exponent.
[[nodiscard]] std::size_t numberLength(const char* p, bool& decimal) noexcept {
    const char* const start = p;
    decimal = false;
    if (*p == '-') ++p;
    if (!isDigit(*p)) return 0;
    if (*p == '0') ++p;
    else
        while (isDigit(*p))
            ++p;
    if (*p == '.') {
        decimal = true;
        if (!isDigit(*++p)) return 0;
        while (isDigit(*p))
            ++p;
    }
    if (*p == 'e' || *p == 'E') {
        decimal = true;
        ++p;
        if (*p == '+' || *p == '-') ++p;
        if (!isDigit(*p)) return 0;
        while (isDigit(*p))
            ++p;
    }
    return static_cast<std::size_t>(p - start);
}

}  // namespace

struct Tree::Parser {
    ondemand::parser parser;
};

/// Walks the document once and writes the nodes. Every function is false when the text is not JSON.
class Tree::Builder {
public:
    Builder(Tree& tree, std::size_t length, const TextLimits& limits) noexcept
        : tree_(tree), base_(tree.text_.data()), length_(length), maxDepth_(depthOf(limits)),
          maxValues_(limits.values.most != 0 ? limits.values.most : UINT32_MAX) {}

    [[nodiscard]] bool document(ondemand::document& doc) {
        ondemand::json_type type;
        if (doc.type().get(type) != SUCCESS) return false;
        bool good = false;
        if (type == ondemand::json_type::array) {
            ondemand::array array;
            // An array around messages is no part of them.
            if (maxDepth_ < kMaxTextDepth) ++maxDepth_;
            messages_ = true;
            good = doc.get_array().get(array) == SUCCESS && items(array, 1, place(base_));
        } else if (type == ondemand::json_type::object) {
            ondemand::object object;
            good = doc.get_object().get(object) == SUCCESS && members(object, 1, place(base_));
        }
        return good && doc.current_location().error() == OUT_OF_BOUNDS;  // nothing behind it
    }

private:
    [[nodiscard]] static std::uint32_t depthOf(const TextLimits& limits) noexcept {
        return limits.depth.most != 0 ? std::min(limits.depth.most, kMaxTextDepth) : kMaxTextDepth;
    }
    [[nodiscard]] std::uint32_t place(const char* p) noexcept {
        return reached_ = static_cast<std::uint32_t>(p - base_);
    }
    NodeIndex add(Kind kind, std::uint32_t offset, std::size_t length) {
        const auto index = static_cast<NodeIndex>(tree_.nodes_.size());
        tree_.nodes_.push_back({offset, static_cast<std::uint32_t>(length), index + 1, kind});
        return index;
    }
    void close(NodeIndex container) noexcept {
        tree_.nodes_[container].next = static_cast<NodeIndex>(tree_.nodes_.size());
    }

    [[nodiscard]] bool items(ondemand::array& array, std::uint32_t depth, std::uint32_t offset) {
        if (depth > maxDepth_) return false;
        const bool apart = std::exchange(messages_, false);  // the items are messages
        const NodeIndex index = add(Kind::array, offset, 0);
        for (auto item : array) {
            if (item.error() != SUCCESS) return false;
            if (apart) values_ = 0;
            auto&& value = std::move(item).value_unsafe();  // where it is: a copy would wait for its own stores
            if (!any(value, depth, Place::array)) return false;
        }
        close(index);
        return true;
    }
    [[nodiscard]] bool members(ondemand::object& object, std::uint32_t depth, std::uint32_t offset) {
        if (depth > maxDepth_) return false;
        const NodeIndex index = add(Kind::object, offset, 0);
        for (auto member : object) {
            if (member.error() != SUCCESS) return false;
            auto&& field = std::move(member).value_unsafe();  // as above
            if (!string(const_cast<char*>(field.key().raw()), Kind::key)) return false;
            if (!any(field.value(), depth, Place::object)) return false;
        }
        close(index);
        return true;
    }

    enum class Place : std::uint8_t { array, object };

    [[nodiscard]] bool any(ondemand::value& value, std::uint32_t depth, Place where) {
        const std::string_view token = value.raw_json_token();
        const std::uint32_t offset = place(token.data());
        if ((where == Place::object || token.front() != '"') && ++values_ > maxValues_) return false;
        switch (token.front()) {
        case '[': {
            ondemand::array array;
            return value.get_array().get(array) == SUCCESS && items(array, depth + 1, offset);
        }
        case '{': {
            ondemand::object object;
            return value.get_object().get(object) == SUCCESS && members(object, depth + 1, offset);
        }
        case '"': {
            // The value is taken from the parser, not only looked at: otherwise the parser would skip a ':' behind it
            // as if this were a key.
            ondemand::raw_json_string raw;
            return value.get_raw_json_string().get(raw) == SUCCESS &&
                   string(const_cast<char*>(raw.raw()), Kind::string);
        }
        case 't':
            return word(token, "true", Kind::yes);
        case 'f':
            return word(token, "false", Kind::no);
        case 'n':
            return word(token, "null", Kind::null);
        default:
            return number(token);
        }
    }
    [[nodiscard]] static bool isBlank(std::string_view rest) noexcept {
        return rest.find_first_not_of(" \t\r\n") == std::string_view::npos;
    }
    [[nodiscard]] bool word(std::string_view token, std::string_view expected, Kind kind) {
        if (!token.starts_with(expected) || !isBlank(token.substr(expected.size()))) return false;
        add(kind, reached_, expected.size());
        return true;
    }
    [[nodiscard]] bool number(std::string_view token) {
        bool decimal;
        const std::size_t n = numberLength(token.data(), decimal);  // zeros stand behind the text
        if (n == 0 || n > kMaxNumberSize || n > token.size() || !isBlank(token.substr(n))) return false;
        add(decimal ? Kind::decimal : Kind::integer, reached_, n);
        return true;
    }
    /// `p` stands behind the opening quote; that there is a closing one is known.
    [[nodiscard]] bool string(char* p, Kind kind) {
        const std::uint32_t offset = place(p);
        const char* const limit = base_ + length_;
        char* end = p + plainLength(p, limit);
        if (end < limit && *end == '\\') {
            char* const escape = end;
            while (end < limit && *end != '"')
                end += *end == '\\' ? 2 : 1;
            if (end >= limit) return false;
            end = unescape(escape, end);
            if (end == nullptr) return false;
        }
        if (end >= limit) return false;
        add(kind, offset, static_cast<std::size_t>(end - p));
        return true;
    }

    Tree& tree_;
    const char* base_;
    std::size_t length_;
    std::uint32_t reached_ = 0;
    std::uint32_t maxDepth_;
    const std::uint32_t maxValues_;
    std::uint32_t values_ = 1;  // of the message that is read; the object around it is the first
    bool messages_ = false;     // the next array is the one around the messages
};

Tree::Tree() : parser_(std::make_unique<Parser>()) {}
Tree::~Tree() = default;

bool Tree::parse(std::string_view text, std::string_view brackets, const TextLimits& limits) {
    nodes_.clear();
    if (text.empty() || text.size() > kMaxTextSize) return false;
    const std::size_t size = text.size() + brackets.size();
    if (text_.size() < size + SIMDJSON_PADDING)
        text_.resize(std::max({size + SIMDJSON_PADDING, 2 * text_.size(), kFirstText}));
    if (parser_->parser.capacity() < size &&
        parser_->parser.allocate(text_.size() - SIMDJSON_PADDING, parser_->parser.max_depth()) != SUCCESS)
        return false;
    const std::size_t lead = brackets.size() / 2;
    std::memcpy(text_.data(), brackets.data(), lead);
    std::memcpy(text_.data() + lead, text.data(), text.size());
    std::memcpy(text_.data() + lead + text.size(), brackets.data() + lead, lead);
    std::memset(text_.data() + size, 0, SIMDJSON_PADDING);
    ondemand::document doc;
    if (parser_->parser.iterate(text_.data(), size, size + SIMDJSON_PADDING).get(doc) != SUCCESS) return false;
    Builder builder(*this, size, limits);
    if (builder.document(doc)) return true;
    nodes_.clear();
    return false;
}

void Tree::trim() {
    if (text_.size() <= kKeptText) return;
    parser_ = std::make_unique<Parser>();
    text_ = {};
    nodes_ = {};
}

}  // namespace emissary::eta::json
