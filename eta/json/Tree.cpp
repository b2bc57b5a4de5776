// eta/json: makes the nodes of a text from the tokens that simdjson finds: kinds, lengths, unescaped strings and the
// text of numbers.
#include "json/Tree.h"

#include "json/digits.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <simdjson.h>
#include <utility>

namespace emissary::eta::json {

namespace {

constexpr std::size_t kKeptText = 256 * 1024;  // larger texts are rare: their memory is not kept
constexpr std::size_t kFirstText = 4096;
constexpr std::uint32_t kFewestTokens = 8;  // of a message with fields
static_assert(kDigitRoom <= simdjson::SIMDJSON_PADDING,
              "a number at the end of the text is read with what is behind it");

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

/// The first stage of simdjson: checks UTF-8 and quotes, and finds where every token begins.
struct Tree::Parser {
    std::unique_ptr<internal::dom_parser_implementation> tokens;

    /// For texts of up to `size` bytes; false without memory.
    [[nodiscard]] bool fits(std::size_t size) {
        if (tokens != nullptr && tokens->capacity() >= size) return true;
        constexpr std::size_t kLeastDepth = 1;  // it is the second stage that needs one
        return get_active_implementation()->create_dom_parser_implementation(size, kLeastDepth, tokens) == SUCCESS;
    }
};

/// Walks the tokens once and writes the nodes.
///
/// One loop whose state stays in registers: a text of plain updates has a token for every eight characters, so what one
/// of them costs beside its node decides what a message costs.
class Tree::Builder {
public:
    /// `tokens` are the places of the tokens, with that of the end of the text, where a zero stands, behind the last.
    /// `nodes` has room for nodesOf() of them.
    Builder(char* text, const std::uint32_t* tokens, std::uint32_t count, bool escapes, Node* nodes,
            const TextLimits& limits) noexcept
        : text_(text), token_(tokens), end_(tokens + count), nodes_(nodes),
          maxDepth_(limits.depth.most != 0 ? std::min(limits.depth.most, kMaxTextDepth) : kMaxTextDepth),
          maxValues_(limits.values.most != 0 ? limits.values.most : UINT32_MAX), escapes_(escapes) {}

    /// Behind every value and name stands a token that has no node, but for the containers that are still open.
    [[nodiscard]] static std::size_t nodesOf(std::size_t tokens) noexcept { return tokens / 2 + kMaxTextDepth + 2; }

    /// False when the text is not JSON. With `Head` it may end at the fields of the only message, which are then
    /// `flat`: only their number has been looked at; false also when they are no such fields.
    template <bool Head>
    [[nodiscard]] bool document(FlatFields* flat = nullptr) noexcept {
        char* const text = text_;
        const std::uint32_t* token = token_;  // the next one; what is read at the end is a zero
        Node* node = nodes_;
        const auto add = [&](Kind kind, std::uint32_t offset, std::size_t length, std::size_t point = 0) {
            *node = {offset, static_cast<std::uint32_t>(length), static_cast<NodeIndex>(node + 1 - nodes_), kind,
                     static_cast<std::uint8_t>(point)};
            ++node;
        };
        // The closing quote is the last character before the next token that is not blank: there is one, and no token
        // begins inside a string.
        const auto string = [&](Kind kind) __attribute__((always_inline)) {
            const std::uint32_t offset = *token++ + 1;
            const std::uint32_t end = *token - 1;
            if (text[end] != '"' || escapes_) [[unlikely]] {
                std::size_t length;
                if (!oddString(offset, end, length)) return false;
                return add(kind, offset, length), true;
            }
            add(kind, offset, end - offset);
            return true;
        };
        const auto name = [&]() __attribute__((always_inline)) {
            return text[*token] == '"' && string(Kind::key) && text[*token++] == ':';
        };
        // Whether the name that was read last is that of the fields.
        const auto isFields = [&]() __attribute__((always_inline)) {
            const std::string_view fields = R"("Fields")";
            return text[*token] == '{' && std::memcmp(text + node[-1].offset - 1, fields.data(), fields.size()) == 0;
        };
        const auto plain = [&](char first) __attribute__((always_inline)) {
            if (first == '"') return string(Kind::string);
            const std::uint32_t offset = *token++, length = *token - offset;
            if (const std::size_t point = plainPoint(text + offset, length); point != 0) [[likely]] {
                add(point == length ? Kind::integer : Kind::decimal, offset, length, point);
                return true;
            }
            Kind kind;
            const std::size_t size = oddPlain(offset, *token, kind);
            return add(kind, offset, size), size != 0;
        };

        const bool messages = text[*token] == '[';
        if (!messages && text[*token] != '{') return false;
        // An array around messages is no part of them.
        const std::uint32_t maxDepth = messages && maxDepth_ < kMaxTextDepth ? maxDepth_ + 1 : maxDepth_;
        std::uint32_t values = 0;  // of the message that is read
        std::uint32_t depth = 0;
        char closing = 0;  // what ends the innermost open container
        const std::uint32_t ofMessage = messages ? 2 : 1;
        for (;;) {
            const char c = text[*token];
            if constexpr (Head)
                if (closing == '}' && depth == ofMessage && isFields()) {
                    if (open_[ofMessage - 1] != nodes_ + messages || !leave(token, messages, values + 1, *flat))
                        return false;
                    flat->at = static_cast<NodeIndex>(node - nodes_);
                    add(Kind::object, *token, 0);
                    for (std::uint32_t i = 0; i < depth; ++i)
                        open_[i]->next = static_cast<NodeIndex>(node - nodes_);
                    return true;
                }
            if (messages && depth == 1) values = 0;
            values += static_cast<std::uint32_t>(closing == '}' || c != '"');
            if (values > maxValues_) return false;
            if (c == '{' || c == '[') {
                if (depth == maxDepth) return false;
                open_[depth++] = node;
                add(c == '{' ? Kind::object : Kind::array, *token++, 0);
                closing = c == '{' ? '}' : ']';
                if (text[*token] != closing) {
                    if (closing == '}' && !name()) return false;
                    continue;
                }
            } else if (!plain(c)) {
                return false;
            }
            while (depth != 0) {
                const char next = text[*token++];
                if (next == ',') break;
                if (next != closing) return false;
                open_[--depth]->next = static_cast<NodeIndex>(node - nodes_);
                if (depth != 0) closing = open_[depth - 1]->kind == Kind::object ? '}' : ']';
            }
            if (depth == 0) return token == end_;  // nothing stands behind it
            if (closing == '}' && !name()) return false;
        }
    }

    /// Whether the fields whose object begins at `brace` may be left as tokens: they end the only message, the limits
    /// allow them, and they have as many tokens as fields without containers have.
    [[nodiscard]] bool leave(const std::uint32_t* brace, bool messages, std::uint32_t values,
                             FlatFields& flat) const noexcept {
        const std::uint32_t ofMessage = messages ? 2 : 1;
        const std::uint32_t* const close = end_ - 1 - ofMessage;
        if (close <= brace || text_[close[0]] != '}' || text_[close[1]] != '}' || (messages && text_[close[2]] != ']'))
            return false;
        const auto tokens = static_cast<std::size_t>(close - brace - 1);
        const std::size_t fields = (tokens + 1) / 4;
        if ((tokens != 0 && tokens != 4 * fields - 1) || values + fields > maxValues_ || maxDepth_ < 2) return false;
        flat = {0, brace + 1, close, values};
        return true;
    }

private:
    [[nodiscard]] static bool isBlank(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
    /// Whether blanks alone stand from `at` to the next token.
    [[nodiscard]] bool isBlank(std::size_t at, std::size_t next) const noexcept {
        while (at < next && isBlank(text_[at]))
            ++at;
        return at == next;
    }

    /// The length of a word or number that plainPoint() does not know, and what it is; 0: it is neither.
    [[nodiscard]] std::size_t oddPlain(std::uint32_t offset, std::uint32_t next, Kind& kind) const noexcept {
        constexpr std::array<std::pair<std::string_view, Kind>, 3> kWords{
            {{"true", Kind::yes}, {"false", Kind::no}, {"null", Kind::null}}};
        const char* const p = text_ + offset;
        // Zeros stand behind the text.
        for (const auto& [word, meaning] : kWords)
            if (std::memcmp(p, word.data(), word.size()) == 0)
                return kind = meaning, isBlank(offset + word.size(), next) ? word.size() : 0;
        bool decimal;
        const std::size_t n = numberLength(p, decimal);
        kind = decimal ? Kind::decimal : Kind::integer;
        return n <= kMaxNumberSize && isBlank(offset + n, next) ? n : 0;
    }
    /// A string with blanks behind it, or in a text with escapes. `last` is the character before the next token.
    [[nodiscard]] bool oddString(std::uint32_t offset, std::uint32_t last, std::size_t& length) noexcept {
        while (text_[last] != '"')
            if (!isBlank(text_[last--])) return false;
        if (last < offset) return false;
        char* const start = text_ + offset;
        char* end = text_ + last;
        void* const escape = std::memchr(start, '\\', last - offset);
        if (escape != nullptr && (end = unescape(static_cast<char*>(escape), end)) == nullptr) return false;
        length = static_cast<std::size_t>(end - start);
        return true;
    }

    char* const text_;
    const std::uint32_t* const token_;
    const std::uint32_t* const end_;
    Node* const nodes_;
    const std::uint32_t maxDepth_, maxValues_;
    const bool escapes_;                     // somewhere in the text
    std::array<Node*, kMaxTextDepth> open_;  // the containers around the next token
};

Tree::Tree() : parser_(std::make_unique<Parser>()) {}
Tree::~Tree() = default;

bool Tree::scan(std::string_view text, std::string_view brackets) {
    flat_ = {};
    size_ = 0;
    if (text.empty() || text.size() > kMaxTextSize) return false;
    const std::size_t size = text.size() + brackets.size();
    if (text_.size() < size + SIMDJSON_PADDING)
        text_.resize(std::max({size + SIMDJSON_PADDING, 2 * text_.size(), kFirstText}));
    if (!parser_->fits(text_.size() - SIMDJSON_PADDING)) return false;
    const std::size_t lead = brackets.size() / 2;
    std::memcpy(text_.data(), brackets.data(), lead);
    std::memcpy(text_.data() + lead, text.data(), text.size());
    std::memcpy(text_.data() + lead + text.size(), brackets.data() + lead, lead);
    std::memset(text_.data() + size, 0, SIMDJSON_PADDING);
    internal::dom_parser_implementation& tokens = *parser_->tokens;
    if (tokens.stage1(reinterpret_cast<const std::uint8_t*>(text_.data()), size, stage1_mode::regular) != SUCCESS)
        return false;
    tokens.structural_indexes[tokens.n_structural_indexes] = static_cast<std::uint32_t>(size);
    if (const std::size_t nodes = Builder::nodesOf(tokens.n_structural_indexes); nodes > room_) {
        const std::size_t room = std::max(nodes, 2 * room_);
        nodes_ = std::make_unique_for_overwrite<Node[]>(room);
        room_ = room;
    }
    size_ = size;
    escapes_ = std::memchr(text_.data(), '\\', size) != nullptr;
    return true;
}

bool Tree::build(const TextLimits& limits) noexcept {
    const internal::dom_parser_implementation& tokens = *parser_->tokens;
    flat_ = {};
    return Builder(text_.data(), tokens.structural_indexes.get(), tokens.n_structural_indexes, escapes_, nodes_.get(),
                   limits)
        .document<false>();
}

bool Tree::buildHead(const TextLimits& limits) noexcept {
    // A string with an escape changes its length when it is decoded.
    const internal::dom_parser_implementation& tokens = *parser_->tokens;
    flat_ = {};
    if (escapes_ || tokens.n_structural_indexes < kFewestTokens) return false;
    return Builder(text_.data(), tokens.structural_indexes.get(), tokens.n_structural_indexes, false, nodes_.get(),
                   limits)
        .document<true>(&flat_);
}

IdFirst Tree::idFirst() const noexcept {
    const internal::dom_parser_implementation& tokens = *parser_->tokens;
    if (escapes_ || tokens.n_structural_indexes < kFewestTokens) return {};
    const char* const text = text_.data();
    const std::uint32_t* token = tokens.structural_indexes.get();
    if (text[*token] == '[') ++token;
    return idFirst(token);
}

IdFirst Tree::idFirst(const std::uint32_t* token) const noexcept {
    constexpr std::string_view kId = R"("ID":)";
    const char* const text = text_.data();
    if (endOfTokens() - token < kFewestTokens - 1 || text[token[0]] != '{' ||
        std::memcmp(text + token[1], kId.data(), kId.size()) != 0)
        return {};
    const std::uint32_t id = token[3], behind = token[4];
    return {{text + id, behind - id}, {text + behind, size_ - behind}, token + 4};
}

bool Tree::leaveFields(const std::uint32_t* brace, std::uint32_t values, const TextLimits& limits) noexcept {
    const std::uint32_t* const first = parser_->tokens->structural_indexes.get();
    return leave(first, endOfTokens(), text_[*first] == '[', brace, values, limits);
}

bool Tree::leave(const std::uint32_t* first, const std::uint32_t* end, bool messages, const std::uint32_t* brace,
                 std::uint32_t values, const TextLimits& limits) noexcept {
    const Builder builder(text_.data(), first, static_cast<std::uint32_t>(end - first), false, nodes_.get(), limits);
    if (brace >= end || !builder.leave(brace, messages, values, flat_)) return false;
    flat_.at = 1;
    nodes_[flat_.at] = {*brace, 0, flat_.at + 1, Kind::object, 0};
    return true;
}

const std::uint32_t* Tree::endOfTokens() const noexcept {
    const internal::dom_parser_implementation& tokens = *parser_->tokens;
    return tokens.structural_indexes.get() + tokens.n_structural_indexes;
}

const std::uint32_t* Tree::firstMessage() const noexcept {
    const internal::dom_parser_implementation& tokens = *parser_->tokens;
    const std::uint32_t* const first = tokens.structural_indexes.get();
    return escapes_ || tokens.n_structural_indexes < kFewestTokens || text_[*first] != '[' ? nullptr : first + 1;
}

bool Tree::leaveFields(const std::uint32_t* at, const std::uint32_t* brace, std::uint32_t values,
                       const TextLimits& limits) noexcept {
    const std::uint32_t* const end = endOfTokens();
    if (brace >= end - 1) return false;
    // Fields without containers: behind each value stands a comma, or the bracket that ends them.
    const std::uint32_t* close = brace + 1;
    if (text_[*close] != '}') {
        close = brace;
        do
            close += 4;
        while (close < end && text_[*close] == ',');
    }
    return close + 2 < end && text_[*close] == '}' && leave(at, close + 2, false, brace, values, limits);
}

bool Tree::buildHead(const std::uint32_t* at, const TextLimits& limits) noexcept {
    const std::uint32_t* const last = endOfTokens() - 1;
    std::uint32_t depth = 0;
    const std::uint32_t* end = at;
    for (; end < last; ++end) {
        const char c = text_[*end];
        if (c == '{' || c == '[') ++depth;
        else if ((c == '}' || c == ']') && (depth == 0 || --depth == 0)) break;
    }
    flat_ = {};
    // The array around it takes a level of the text's own limit.
    TextLimits within = limits;
    within.depth.most = std::min(limits.depth.most == 0 ? kMaxTextDepth : limits.depth.most, kMaxTextDepth - 1);
    return end < last && text_[*at] == '{' &&
           Builder(text_.data(), at, static_cast<std::uint32_t>(end + 1 - at), false, nodes_.get(), within)
               .document<true>(&flat_) &&
           flat_.at != 0;
}

const std::uint32_t* Tree::nextMessage(bool& good) const noexcept {
    const std::uint32_t *const behind = flat_.close + 2, *const last = endOfTokens() - 1;
    good = behind < last ? text_[*behind] == ',' : behind == last && text_[*behind] == ']';
    return good && behind < last ? behind + 1 : nullptr;
}

Tree& Tree::restored(std::string_view text) noexcept {
    std::memcpy(text_.data(), text.data(), size_);
    return *this;
}

NodeIndex Tree::loose(std::string_view text, bool quoted) noexcept {
    const std::size_t point = quoted ? 0 : plainPoint(text.data(), text.size());
    const bool null = !quoted && text == "null";
    if (!quoted && !null && point == 0) return 0;
    const Kind kind = quoted ? Kind::string : null ? Kind::null : point == text.size() ? Kind::integer : Kind::decimal;
    const NodeIndex name = flat_.at + 1, value = name + 1;
    nodes_[name] = {nodes_[flat_.at].offset, 0, value, Kind::key, 0};
    nodes_[value] = {static_cast<std::uint32_t>(text.data() - text_.data()), static_cast<std::uint32_t>(text.size()),
                     value + 1, kind, static_cast<std::uint8_t>(point)};
    return value;
}

void Tree::trim() {
    if (text_.size() <= kKeptText) return;
    parser_ = std::make_unique<Parser>();
    std::vector<char>().swap(text_);  // "= {}" would keep the memory
    nodes_ = nullptr;
    room_ = size_ = 0;
    flat_ = {};
}

}  // namespace emissary::eta::json
