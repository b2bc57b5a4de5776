// A JSON text as a flat, read-only tree: one node per value and per member name, in text order (json.md 1, 13).
//
// simdjson finds the tokens and checks the UTF-8; the tree keeps what it drops, the text of numbers, and allows
// members in any order. A text that is not JSON in every part is refused here, so readers of a tree meet only
// valid JSON: strings are unescaped, numbers follow the grammar and have at most 64 characters.
#pragma once

#include "eta/json/Converter.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace emissary::eta::json {

enum class Kind : std::uint8_t { null, no, yes, integer, decimal, string, array, object, key };

[[nodiscard]] constexpr bool isNumber(Kind k) noexcept {
    return k == Kind::integer || k == Kind::decimal;
}

using NodeIndex = std::uint32_t;

struct Node {
    std::uint32_t offset;  ///< of the value in the text: first character, behind the quote for strings
    std::uint32_t length;  ///< characters of a string (without quotes, unescaped), number or word
    NodeIndex next;        ///< index behind this value and everything inside it
    Kind kind;
    std::uint8_t point;  ///< of numbers: plainPoint(), 0 where that is not known
};

inline constexpr std::size_t kMaxNumberSize = 64;

/// The Fields of a text's only message that are no nodes of its tree: each has four tokens, name, colon, value and what
/// stands behind it, and nobody has looked at them yet.
struct FlatFields {
    NodeIndex at = 0;                      ///< of their object; 0: there are none
    const std::uint32_t* first = nullptr;  ///< places in the text of the first one's tokens
    const std::uint32_t* close = nullptr;  ///< of the object's closing bracket; `first` when it is empty
    std::uint32_t values = 0;              ///< of the message without its fields
};

/// How a text of one message begins whose first member is its id.
struct IdFirst {
    std::string_view id;                   ///< the token behind the name; empty: it begins otherwise
    std::string_view rest;                 ///< the text behind it
    const std::uint32_t* token = nullptr;  ///< of the first token in `rest`
};

class Tree {
public:
    Tree();
    ~Tree();
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    /// False when the text is not JSON or beyond a limit; findSyntaxFault() says where and why.
    [[nodiscard]] bool parse(std::string_view text, const TextLimits& limits = {}) {
        return scan(text, "") && build(limits);
    }
    /// The same for one element of an array, with an array around it: offsets count from that one's bracket.
    [[nodiscard]] bool parseElement(std::string_view text, const TextLimits& limits = {}) {
        return scan(text, "[]") && build(limits);
    }
    // The same in steps, for a text that is usually one message with its Fields last.
    /// Finds the tokens. False when the text cannot be JSON.
    [[nodiscard]] bool scan(std::string_view text) { return scan(text, ""); }
    /// Makes nodes of all but the fields, where those can be flatFields(), or else of everything. False: nothing is
    /// said about the text. The readers of nodes may decode strings in place: then build() needs restored().
    [[nodiscard]] bool buildHead(const TextLimits& limits) noexcept;
    [[nodiscard]] IdFirst idFirst() const noexcept;
    // The same for one message of an array, which begins at the token `at`.
    /// The token of the array's first message; null: the text is no array, or has escapes.
    [[nodiscard]] const std::uint32_t* firstMessage() const noexcept;
    [[nodiscard]] IdFirst idFirst(const std::uint32_t* at) const noexcept;
    [[nodiscard]] bool leaveFields(const std::uint32_t* at, const std::uint32_t* brace, std::uint32_t values,
                                   const TextLimits& limits) noexcept;
    /// False also when the message does not end with its fields.
    [[nodiscard]] bool buildHead(const std::uint32_t* at, const TextLimits& limits) noexcept;
    /// The message behind the one with the flatFields(): null when what follows ends the array and the text, or is
    /// wrong, which `good` says.
    [[nodiscard]] const std::uint32_t* nextMessage(bool& good) const noexcept;
    /// Takes fields as flatFields() without looking at what stands before them: `brace` is the token of their object,
    /// `values` what FlatFields had for the same beginning. False as for buildHead().
    [[nodiscard]] bool leaveFields(const std::uint32_t* brace, std::uint32_t values, const TextLimits& limits) noexcept;
    /// Makes nodes of everything.
    [[nodiscard]] bool build(const TextLimits& limits) noexcept;
    /// Puts the text back that scan() was given.
    Tree& restored(std::string_view text) noexcept;
    [[nodiscard]] const FlatFields& flatFields() const noexcept { return flat_; }
    /// A node for the value of one of the flatFields(), behind that of a name; until the next one. 0: it is no string,
    /// no null and no plain number.
    [[nodiscard]] NodeIndex loose(std::string_view text, bool quoted) noexcept;
    /// The whole text, with room for kDigitRoom behind it.
    [[nodiscard]] std::string_view text() const noexcept { return {text_.data(), size_}; }

    /// Gives memory back that only an exceptionally large text needed.
    void trim();

    [[nodiscard]] const Node& operator[](NodeIndex i) const noexcept { return nodes_[i]; }
    [[nodiscard]] Kind kind(NodeIndex i) const noexcept { return nodes_[i].kind; }
    [[nodiscard]] std::string_view text(NodeIndex i) const noexcept {
        return {text_.data() + nodes_[i].offset, nodes_[i].length};
    }
    /// A number that the quick readers of digits.h may be given, with that one's point; else 0.
    [[nodiscard]] std::size_t point(NodeIndex i) const noexcept { return nodes_[i].point; }
    /// First member name of an object (its value follows it) or first item of an array; end(i) when empty.
    [[nodiscard]] static NodeIndex first(NodeIndex i) noexcept { return i + 1; }
    [[nodiscard]] NodeIndex end(NodeIndex i) const noexcept { return nodes_[i].next; }
    [[nodiscard]] NodeIndex nextMember(NodeIndex key) const noexcept { return nodes_[key + 1].next; }
    [[nodiscard]] NodeIndex nextItem(NodeIndex item) const noexcept { return nodes_[item].next; }
    /// The string's characters, for decoding in place; the caller shortens the node with setLength().
    [[nodiscard]] char* mutableText(NodeIndex i) noexcept { return text_.data() + nodes_[i].offset; }
    void setLength(NodeIndex i, std::size_t length) noexcept { nodes_[i].length = static_cast<std::uint32_t>(length); }

private:
    [[nodiscard]] bool scan(std::string_view text, std::string_view brackets);

    [[nodiscard]] const std::uint32_t* endOfTokens() const noexcept;
    [[nodiscard]] bool leave(const std::uint32_t* first, const std::uint32_t* end, bool messages,
                             const std::uint32_t* brace, std::uint32_t values, const TextLimits& limits) noexcept;

    class Builder;
    struct Parser;
    std::unique_ptr<Parser> parser_;
    std::vector<char> text_;  // the text and what simdjson may read behind it
    std::unique_ptr<Node[]> nodes_;
    std::size_t room_ = 0;  // for nodes
    std::size_t size_ = 0;  // of the text
    bool escapes_ = false;  // somewhere in the text
    FlatFields flat_;
};

}  // namespace emissary::eta::json
