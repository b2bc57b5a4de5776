// Compares the beginning of a text with one whose message is known, in pieces around what differs.
#include "json/KnownHeads.h"

#include "json/digits.h"

#include <cstring>
#include <limits>

namespace emissary::eta::json {

namespace {

constexpr std::string_view kName = R"("Name":")", kService = R"("Service":)", kSeqNumber = R"("SeqNumber":)";

/// An update of fields without optional members beside key and sequence number.
[[nodiscard]] bool isPlain(const codec::Msg& m) noexcept {
    return m.cls == codec::MsgClass::Update && m.containerType == codec::DataType::FieldList && !m.hasPermData() &&
           !m.hasExtendedHeader() && !m.hasPostUserInfo() && !m.has(codec::UpdateFlag::confInfo);
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

/// The value of the member whose name is token `name`. False: it is not what the message has.
bool KnownHead::addHole(std::string_view text, const codec::Msg& msg, const IdFirst& begins, std::uint32_t name,
                        std::size_t& from) noexcept {
    const auto place = [&](std::uint32_t token) { return std::size_t{begins.token[token] - begins.token[0]}; };
    const bool isName = text.substr(place(name)).starts_with(kName);
    const std::size_t quotes = isName ? 1 : 0, begin = place(name + 2) + quotes, end = place(name + 3) - quotes;
    if (holesUsed_ == holes_.size() || end <= begin || end >= text.size()) return false;
    const std::string_view value = text.substr(begin, end - begin);
    std::uint64_t number = 0;
    if (isName ? asText(msg.key.name) != value : !plainUInt(value, number) || number != msg.seqNum) return false;
    text.substr(from, begin - from).copy(text_.data() + last_, begin - from);
    last_ += begin - from;
    holes_[holesUsed_++] = {isName, begin - from, name + 2};
    from = end;
    return true;
}

bool KnownHead::learn(std::string_view text, const codec::Msg& msg, bool strict, const IdFirst& begins,
                      const FlatFields& fields) noexcept {
    last_ = holesUsed_ = 0;
    // A member that stands there twice, or one that is not plain, may mean something else next time.
    if (!isPlain(msg) || text.size() > kMostText || text.find('\\') != std::string_view::npos ||
        count(text, R"("ID")") != 0 || count(text, "{") != (msg.hasKey() ? 2 : 1) || count(text, "[") != 0 ||
        (msg.hasKey() && !isPlainKey(text, msg.key)) ||
        count(text, R"("SeqNumber")") != static_cast<std::size_t>(msg.hasSeqNum()))
        return false;
    msg_ = codec::Msg{};
    msg_.domain = msg.domain;
    msg_.flags = msg.flags;
    msg_.containerType = msg.containerType;
    msg_.updateType = msg.updateType;
    msg_.key.flags = msg.key.flags;
    msg_.key.serviceId = msg.key.serviceId;
    msg_.key.nameType = msg.key.nameType;
    tokens_ = static_cast<std::uint32_t>(fields.first - begins.token);
    values_ = fields.values;
    strict_ = strict;
    std::size_t from = 0;
    for (std::uint32_t token = 0; token < tokens_; ++token) {
        const std::string_view rest = text.substr(begins.token[token] - begins.token[0]);
        if (!rest.starts_with(kSeqNumber) && !(msg.hasKey() && rest.starts_with(kName))) continue;
        if (!addHole(text, msg, begins, token, from)) return last_ = 0, false;
    }
    if (holesUsed_ != static_cast<std::size_t>(msg.hasKey()) + static_cast<std::size_t>(msg.hasSeqNum()))
        return last_ = 0, false;
    text.substr(from).copy(text_.data() + last_, text.size() - from);
    last_ = text.size() - from;
    return true;
}

bool KnownHead::fill(const Hole& hole, std::string_view value) noexcept {
    constexpr std::size_t kMostOfName = 255;
    if (hole.isName) {
        msg_.key.name = asBytes(value);
        return value.size() <= kMostOfName;
    }
    std::uint64_t number = 0;
    if (!plainUInt(value, number) || number > std::numeric_limits<std::uint32_t>::max()) return false;
    msg_.seqNum = static_cast<std::uint32_t>(number);
    return true;
}

bool KnownHead::match(const IdFirst& begins, bool strict) noexcept {
    const std::string_view rest = begins.rest;
    if (last_ == 0 || strict_ != strict) return false;
    const char* known = text_.data();
    std::size_t at = 0;
    const auto same = [&](std::size_t n) {
        if (rest.size() - at < n || std::memcmp(known, rest.data() + at, n) != 0) return false;
        known += n;
        at += n;
        return true;
    };
    for (std::size_t i = 0; i < holesUsed_; ++i) {
        const Hole& hole = holes_[i];
        if (!same(hole.before)) return false;
        // The token behind the value says where that ends.
        const std::size_t behind = begins.token[hole.token + 1] - begins.token[0], quotes = hole.isName ? 1 : 0;
        if (behind <= at + quotes || !fill(hole, rest.substr(at, behind - quotes - at))) return false;
        at = behind - quotes;
    }
    return same(last_);
}

}  // namespace emissary::eta::json
