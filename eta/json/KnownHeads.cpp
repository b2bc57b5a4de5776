// Compares the beginning of a text with one whose message is known, in two pieces around the item's name.
#include "json/KnownHeads.h"

#include <algorithm>
#include <cstring>

namespace emissary::eta::json {

namespace {

constexpr std::string_view kName = R"("Name":")", kService = R"("Service":)";
constexpr std::size_t kMostOfName = 255;

/// Without optional members, a key aside.
[[nodiscard]] bool isPlainBesideKey(const codec::Msg& m) noexcept {
    return m.cls == codec::MsgClass::Update && !m.hasPermData() && !m.hasExtendedHeader() && !m.hasSeqNum() &&
           !m.hasPostUserInfo() && !m.has(codec::UpdateFlag::confInfo);
}

/// How often it stands there.
[[nodiscard]] std::size_t count(std::string_view text, std::string_view word) noexcept {
    std::size_t n = 0;
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        ++n;
    return n;
}

/// Whether the key says what it says wherever it stands, its name aside: a service in words depends on the directory.
[[nodiscard]] bool isPlainKey(std::string_view text, const codec::MsgKey& key) noexcept {
    namespace F = codec::KeyFlag;
    if (key.flags != (F::serviceId | F::name | F::nameType) || key.name.empty()) return false;
    const std::size_t service = text.find(kService);
    if (service == std::string_view::npos || service + kService.size() >= text.size()) return false;
    const char digit = text[service + kService.size()];
    return digit >= '0' && digit <= '9' && count(text, R"("Service")") == 1 && count(text, R"("Name")") == 1 &&
           count(text, R"("Key")") == 1;
}

}  // namespace

bool KnownHead::learn(std::string_view text, const codec::Msg& msg, bool strict, const IdFirst& begins,
                      const FlatFields& fields) noexcept {
    first_ = 0;
    // A member that stands there twice, or one that is not plain, may mean something else with another name.
    if (!isPlainBesideKey(msg) || msg.containerType != codec::DataType::FieldList || text.size() > kMostText ||
        text.find('\\') != std::string_view::npos || count(text, R"("ID")") != 0 ||
        count(text, "{") != (msg.hasKey() ? 2 : 1) || count(text, "[") != 0)
        return false;
    std::size_t first = text.size(), second = 0;
    nameAt_ = 0;
    if (msg.hasKey()) {
        if (!isPlainKey(text, msg.key)) return false;
        const std::size_t name = text.find(kName);
        if (name == std::string_view::npos) return false;
        first = name + kName.size();
        const std::string_view behind = text.substr(first);
        if (!behind.starts_with(asText(msg.key.name)) || behind.substr(msg.key.name.size()).front() != '"')
            return false;
        second = behind.size() - msg.key.name.size();
        // Places in the text from its start: that of the first token is where `text` begins.
        const std::uint32_t quote = begins.token[0] + static_cast<std::uint32_t>(first - 1);
        nameAt_ = static_cast<std::uint32_t>(std::find(begins.token, fields.first, quote) - begins.token);
    }
    msg_ = codec::Msg{};
    msg_.domain = msg.domain;
    msg_.flags = msg.flags;
    msg_.containerType = msg.containerType;
    msg_.updateType = msg.updateType;
    msg_.key.flags = msg.key.flags;
    msg_.key.serviceId = msg.key.serviceId;
    msg_.key.nameType = msg.key.nameType;
    text.substr(0, first).copy(text_.data(), first);
    text.substr(text.size() - second).copy(text_.data() + first, second);
    second_ = second;
    tokens_ = static_cast<std::uint32_t>(fields.first - begins.token);
    values_ = fields.values;
    strict_ = strict;
    first_ = first;
    return true;
}

bool KnownHead::match(const IdFirst& begins, bool strict) noexcept {
    const std::string_view rest = begins.rest;
    if (first_ == 0 || strict_ != strict || rest.size() < first_ + second_ + 1 ||
        std::memcmp(text_.data(), rest.data(), first_) != 0)
        return false;
    if (second_ == 0) return true;
    // The token behind the name says where that ends.
    const std::uint32_t* const name = begins.token + nameAt_;
    const std::size_t behind = name[1] - begins.token[0];
    if (behind < first_ + 2 || behind - 1 + second_ > rest.size()) return false;
    const std::string_view text = rest.substr(first_, behind - 1 - first_);
    if (text.size() > kMostOfName || std::memcmp(text_.data() + first_, text.data() + text.size(), second_) != 0)
        return false;
    msg_.key.name = asBytes(text);
    return true;
}

}  // namespace emissary::eta::json
