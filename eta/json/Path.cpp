// Builds the text that names a place, and shortens names that a peer has made long.
#include "json/Path.h"

#include <algorithm>
#include <charconv>

namespace emissary::eta::json {

namespace {

constexpr std::size_t kLongestName = 64;

}  // namespace

std::string_view shortened(std::string_view text, std::size_t limit) noexcept {
    if (text.size() <= limit) return text;
    while (limit != 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80)
        --limit;
    return text.substr(0, limit);
}

Path::Path(const Tree& tree, NodeIndex message, std::uint32_t number, std::uint32_t offset) noexcept {
    if (message != 0) item(number);
    // The last child that begins at or before the place is the one that holds it; a container begins before its
    // children do.
    for (NodeIndex at = message; tree[at].offset < offset;) {
        const Kind kind = tree.kind(at);
        NodeIndex found = 0;
        if (kind == Kind::object) {
            for (NodeIndex key = Tree::first(at); key != tree.end(at) && tree[key].offset <= offset;
                 key = tree.nextMember(key))
                found = key;
            if (found == 0) return;
            member(tree.text(found));
            if (tree[found + 1].offset > offset) return;  // the name itself
            at = found + 1;
        } else if (kind == Kind::array) {
            std::uint32_t items = 0;
            for (NodeIndex child = Tree::first(at); child != tree.end(at) && tree[child].offset <= offset;
                 child = tree.nextItem(child)) {
                found = child;
                ++items;
            }
            if (found == 0) return;
            item(items - 1);
            at = found;
        } else {
            return;
        }
    }
}

void Path::member(std::string_view name) noexcept {
    if (size_ != 0) add(".");
    add(shortened(name, kLongestName));
}

void Path::item(std::uint32_t number) noexcept {
    std::array<char, 12> digits;
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    add("[");
    add({digits.data(), static_cast<std::size_t>(written.ptr - digits.data())});
    add("]");
}

void Path::add(std::string_view text) noexcept {
    text = shortened(text, text_.size() - size_);
    std::copy(text.begin(), text.end(), text_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += text.size();
}

}  // namespace emissary::eta::json
