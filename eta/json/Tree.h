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

class Tree {
public:
    Tree();
    ~Tree();
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    /// False when the text is not JSON or beyond a limit; findSyntaxFault() says where and why.
    [[nodiscard]] bool parse(std::string_view text, const TextLimits& limits = {}) { return parse(text, "", limits); }
    /// The same for one element of an array, with an array around it: offsets count from that one's bracket.
    [[nodiscard]] bool parseElement(std::string_view text, const TextLimits& limits = {}) {
        return parse(text, "[]", limits);
    }
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
    [[nodiscard]] bool parse(std::string_view text, std::string_view brackets, const TextLimits& limits);

    class Builder;
    struct Parser;
    std::unique_ptr<Parser> parser_;
    std::vector<char> text_;  // the text and what simdjson may read behind it
    std::unique_ptr<Node[]> nodes_;
    std::size_t room_ = 0;  // for nodes
};

}  // namespace emissary::eta::json
