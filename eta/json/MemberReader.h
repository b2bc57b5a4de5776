// Members of the objects of a JSON tree: which there are, what they say, and what is wrong with them.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/json/Converter.h"
#include "json/Tree.h"
#include "json/digits.h"
#include "json/member_names.h"
#include "json/text_values.h"

#include <array>
#include <initializer_list>

namespace emissary::eta::json {

class MemberSet {
public:
    constexpr MemberSet() = default;
    constexpr MemberSet(std::initializer_list<Member> members) noexcept {
        for (const Member m : members)
            add(m);
    }
    constexpr void add(Member m) noexcept { bits_[place(m) / 64] |= std::uint64_t{1} << place(m) % 64; }
    [[nodiscard]] constexpr bool has(Member m) const noexcept {
        return (bits_[place(m) / 64] >> place(m) % 64 & 1) != 0;
    }
    [[nodiscard]] constexpr bool within(const MemberSet& other) const noexcept {
        return (bits_[0] & ~other.bits_[0]) == 0 && (bits_[1] & ~other.bits_[1]) == 0;
    }
    [[nodiscard]] friend constexpr MemberSet operator|(MemberSet a, const MemberSet& b) noexcept {
        a.bits_[0] |= b.bits_[0];
        a.bits_[1] |= b.bits_[1];
        return a;
    }

private:
    static constexpr std::size_t place(Member m) noexcept { return static_cast<std::size_t>(m); }
    std::uint64_t bits_[2]{};
};

/// Why a text is no integer.
inline constexpr std::string_view kQuotedInteger = "an integer stands without quotes";

/// Those that are a payload.
inline constexpr MemberSet kPayloads{Member::Fields,  Member::FieldList, Member::Elements, Member::ElementList,
                                     Member::Map,     Member::Vector,    Member::Series,   Member::FilterList,
                                     Member::Message, Member::Opaque,    Member::Xml,      Member::Json};

/// The members of one object by name, in whatever order they came; of members given twice the last one counts.
class Members {
public:
    [[nodiscard]] bool has(Member m) const noexcept { return present_.has(m); }
    /// NodeIndex of the value; meaningful when has().
    [[nodiscard]] NodeIndex operator[](Member m) const noexcept { return at_[static_cast<std::size_t>(m)]; }
    [[nodiscard]] const MemberSet& present() const noexcept { return present_; }
    [[nodiscard]] bool hasPayload() const noexcept { return payloads_ != 0; }

    [[nodiscard]] NodeIndex object() const noexcept { return object_; }
    [[nodiscard]] unsigned payloads() const noexcept { return payloads_; }
    [[nodiscard]] Member payload() const noexcept { return payload_; }  ///< the last one

private:
    friend class MemberReader;
    MemberSet present_;
    std::array<NodeIndex, kMemberCount> at_;  // filled where present
    NodeIndex object_ = 0, unknown_ = 0;      // a member name that nothing knows
    Member payload_{};
    unsigned payloads_ = 0;
};

/// Reads members for one message. Every function is false after a failure, the first of which is kept.
class MemberReader {
public:
    using DataType = codec::DataType;

    MemberReader(const Options& options, Tree& tree, Failure& failure) noexcept
        : options_(options), tree_(tree), failure_(failure) {}

    bool fail(ErrorClass cls, NodeIndex at) noexcept;
    /// The same with what is wrong, a static text.
    bool failBecause(std::string_view reason, ErrorClass cls, NodeIndex at) noexcept;
    bool missing(std::string_view member, NodeIndex object) noexcept;
    bool encoded(Error e, NodeIndex at) noexcept { return e.ok() || fail(ErrorClass::EncodeError, at); }
    [[nodiscard]] bool deeper(int depth, NodeIndex at) noexcept {
        return depth < codec::kMaxDepth || fail(ErrorClass::EncodeError, at);
    }
    [[nodiscard]] Failure& failure() noexcept { return failure_; }

    [[nodiscard]] bool collect(NodeIndex object, Members& out) noexcept;
    /// No members but these, where that is checked.
    [[nodiscard]] bool known(const Members& m, const MemberSet& allowed) noexcept;
    [[nodiscard]] bool boolean(const Members& m, Member name, bool fallback, bool& out) noexcept;
    [[nodiscard]] bool flag(const Members& m, Member name, bool fallback, std::uint16_t bit, codec::Msg& msg) noexcept;
    /// A number without a fraction.
    [[nodiscard]] bool isInteger(NodeIndex at) const noexcept {
        const Kind kind = tree_.kind(at);
        return kind == Kind::integer || (kind == Kind::decimal && isWhole(tree_.text(at)));
    }
    template <class T>
    [[nodiscard]] bool number(NodeIndex at, std::uint64_t max, T& out,
                              ErrorClass wrongType = ErrorClass::InvalidTokenType) noexcept;
    template <std::size_t N>
    [[nodiscard]] bool word(NodeIndex at, const WordTable<N>& table, std::uint8_t max, std::uint8_t& out) noexcept;
    [[nodiscard]] bool int32(NodeIndex at, std::int32_t& out, ErrorClass wrongType) noexcept;
    [[nodiscard]] bool base64(NodeIndex at, Bytes& out) noexcept;
    [[nodiscard]] bool string(NodeIndex at, Bytes& out) noexcept;
    /// The container that an object's payload member names; NoData when it has none.
    [[nodiscard]] bool payloadType(const Members& m, DataType& out) noexcept;
    [[nodiscard]] bool typeName(NodeIndex at, DataType& out) noexcept;

private:
    const Options& options_;
    Tree& tree_;
    Failure& failure_;
    bool failed_ = false;
};

template <class T>
bool MemberReader::number(NodeIndex at, std::uint64_t max, T& out, ErrorClass wrongType) noexcept {
    if (!isInteger(at)) [[unlikely]]
        return tree_.kind(at) == Kind::string ? failBecause(kQuotedInteger, wrongType, at) : fail(wrongType, at);
    std::uint64_t v = 0;
    const bool quick = tree_.point(at) != 0 && tree_.kind(at) == Kind::integer && quickUInt(tree_.text(at), v);
    if ((!quick && readUInt(tree_.text(at), v) != Decoded::value) || v > max)
        return fail(ErrorClass::UnexpectedValue, at);
    out = static_cast<T>(v);
    return true;
}

template <std::size_t N>
bool MemberReader::word(NodeIndex at, const WordTable<N>& table, std::uint8_t max, std::uint8_t& out) noexcept {
    if (tree_.kind(at) != Kind::string) return number(at, max, out);
    const Word* found = table.find(tree_.text(at));
    if (found == nullptr) return fail(ErrorClass::UnexpectedValue, at);
    out = found->value;
    return true;
}

}  // namespace emissary::eta::json
