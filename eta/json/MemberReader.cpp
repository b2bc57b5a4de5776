// Collects the members of an object and reads simple ones, with a fault for whatever is unknown, missing or of
// another type.
#include "json/MemberReader.h"

#include "eta/core/base64.h"

#include <limits>

namespace emissary::eta::json {

using codec::DataType;

namespace {

/// The type of a payload, which JSON says by the name of the member that holds it.
[[nodiscard]] DataType typeOf(Member payload) noexcept {
    switch (payload) {
    case Member::Fields:
    case Member::FieldList:
        return DataType::FieldList;
    case Member::Elements:
    case Member::ElementList:
        return DataType::ElementList;
    case Member::Map:
        return DataType::Map;
    case Member::Vector:
        return DataType::Vector;
    case Member::Series:
        return DataType::Series;
    case Member::FilterList:
        return DataType::FilterList;
    case Member::Message:
        return DataType::Msg;
    case Member::Opaque:
        return DataType::Opaque;
    case Member::Xml:
        return DataType::Xml;
    case Member::Json:
        return DataType::Json;
    default:
        return DataType::NoData;
    }
}

}  // namespace

bool MemberReader::fail(ErrorClass cls, NodeIndex at) noexcept {
    if (failed_) return false;
    failed_ = true;
    failure_.cls = cls;
    failure_.offset = tree_[at].offset;
    const Kind kind = tree_.kind(at);
    failure_.received = kind == Kind::object || kind == Kind::array ? std::string_view{} : tree_.text(at);
    failure_.member = at != 0 && tree_.kind(at - 1) == Kind::key ? tree_.text(at - 1) : std::string_view{};
    return false;
}

bool MemberReader::failBecause(std::string_view reason, ErrorClass cls, NodeIndex at) noexcept {
    if (!failed_) failure_.reason = reason;
    return fail(cls, at);
}

bool MemberReader::missing(std::string_view member, NodeIndex object) noexcept {
    if (failed_) return false;
    fail(ErrorClass::MissingKey, object);
    failure_.member = member;
    return false;
}

bool MemberReader::collect(NodeIndex object, Members& out) noexcept {
    if (tree_.kind(object) != Kind::object) return fail(ErrorClass::InvalidTokenType, object);
    out.object_ = object;
    const NodeIndex end = tree_.end(object);
    for (NodeIndex key = Tree::first(object); key != end; key = tree_.nextMember(key)) {
        const Word* word = kMembers.find(tree_.text(key));
        if (word == nullptr) {
            out.unknown_ = key;
            continue;
        }
        const auto member = static_cast<Member>(word->value);
        if (word->value < kPayloadCount && !out.has(member)) {
            ++out.payloads_;
            out.payload_ = member;
        }
        out.present_.add(member);
        out.at_[word->value] = key + 1;
    }
    return true;
}

bool MemberReader::known(const Members& m, const MemberSet& allowed) noexcept {
    if (!options_.catchUnknownMembers || (m.unknown_ == 0 && m.present().within(allowed))) return true;
    if (m.unknown_ != 0) return fail(ErrorClass::UnexpectedKey, m.unknown_);
    for (std::size_t i = 0; i < kMemberCount; ++i) {
        const auto member = static_cast<Member>(i);
        if (m.has(member) && !allowed.has(member)) return fail(ErrorClass::UnexpectedKey, m[member]);
    }
    return true;
}

bool MemberReader::boolean(const Members& m, Member name, bool fallback, bool& out) noexcept {
    out = fallback;
    if (!m.has(name)) return true;
    const NodeIndex at = m[name];
    switch (tree_.kind(at)) {
    case Kind::object:
    case Kind::array:
        return fail(ErrorClass::InvalidTokenType, at);
    case Kind::yes:
        return out = true, true;
    case Kind::string:
        return out = tree_.text(at) == "true", true;
    default:
        return out = tree_.text(at) == "1", true;
    }
}

bool MemberReader::flag(const Members& m, Member name, bool fallback, std::uint16_t bit, codec::Msg& msg) noexcept {
    bool set = false;
    if (!boolean(m, name, fallback, set)) return false;
    if (set) msg.flags |= bit;
    return true;
}

bool MemberReader::int32(NodeIndex at, std::int32_t& out, ErrorClass wrongType) noexcept {
    std::int64_t v = 0;
    if (!isInteger(at)) return fail(wrongType, at);
    if (readInt(tree_.text(at), v) != Decoded::value || v < std::numeric_limits<std::int32_t>::min() ||
        v > std::numeric_limits<std::int32_t>::max())
        return fail(ErrorClass::UnexpectedValue, at);
    out = static_cast<std::int32_t>(v);
    return true;
}

bool MemberReader::base64(NodeIndex at, Bytes& out) noexcept {
    if (tree_.kind(at) != Kind::string) return fail(ErrorClass::InvalidTokenType, at);
    std::size_t length = tree_[at].length;
    if (!decodeBase64(tree_.mutableText(at), length)) return fail(ErrorClass::UnexpectedValue, at);
    tree_.setLength(at, length);
    out = asBytes(tree_.text(at));
    return true;
}

bool MemberReader::string(NodeIndex at, Bytes& out) noexcept {
    if (tree_.kind(at) != Kind::string) return fail(ErrorClass::InvalidTokenType, at);
    out = asBytes(tree_.text(at));
    return true;
}

bool MemberReader::payloadType(const Members& m, DataType& out) noexcept {
    if (m.payloads_ > 1) return fail(ErrorClass::EncodeError, m[m.payload_]);
    out = m.payloads_ == 0 ? DataType::NoData : typeOf(m.payload_);
    return true;
}

bool MemberReader::typeName(NodeIndex at, DataType& out) noexcept {
    if (tree_.kind(at) != Kind::string) return fail(ErrorClass::InvalidTokenType, at);
    const Word* word = kTypes.find(tree_.text(at));
    if (word == nullptr) return fail(ErrorClass::UnsupportedDataType, at);
    out = static_cast<DataType>(word->value);
    return true;
}

}  // namespace emissary::eta::json
