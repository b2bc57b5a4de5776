// Message objects of a JSON tree as RWF messages, through the codec's encoders (json.md 2 - 7).
#pragma once

#include "eta/codec/Msg.h"
#include "eta/codec/encoders.h"
#include "eta/core/GrowingBuffer.h"
#include "eta/json/Converter.h"
#include "json/Tree.h"
#include "json/text_values.h"
#include "json/member_names.h"

#include <array>
#include <initializer_list>
#include <memory>
#include <vector>

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

/// The members of one object by name, in whatever order they came; of members given twice the last one counts.
class Members {
public:
    [[nodiscard]] bool has(Member m) const noexcept { return present_.has(m); }
    /// NodeIndex of the value; meaningful when has().
    [[nodiscard]] NodeIndex operator[](Member m) const noexcept { return at_[static_cast<std::size_t>(m)]; }
    [[nodiscard]] const MemberSet& present() const noexcept { return present_; }
    [[nodiscard]] bool hasPayload() const noexcept { return payloads_ != 0; }

private:
    friend class JsonToRwf;
    MemberSet present_;
    std::array<NodeIndex, kMemberCount> at_;  // filled where present
    NodeIndex object_ = 0, unknown_ = 0;      // a member name that nothing knows
    Member payload_{};                        // the last payload member
    unsigned payloads_ = 0;
};

/// Buffers of the conversion, and what it has learnt; kept by the converter.
struct EncodeScratch {
    /// Which field came last time behind a field: updates name the same fields in the same order, and to compare one
    /// name costs a fraction of finding it. Ids, because they mean something in whatever dictionary comes next.
    std::array<std::int16_t, 256> fieldAfter{};
    GrowingBuffer value{256};
    std::vector<std::unique_ptr<GrowingBuffer>> nested;  // attributes and summaries, one for each level in use
    std::size_t used = 0;
};

class JsonToRwf {
public:
    JsonToRwf(const Options& options, const dictionary::Dictionary* dictionary, const ServiceNames* services,
              Tree& tree, EncodeScratch& scratch, Failure& failure) noexcept
        : options_(options), dictionary_(dictionary), services_(services), tree_(tree), scratch_(scratch),
          failure_(failure) {
        scratch_.used = 0;
    }

    /// The message at `object`: appended to `out` when its type is one of RWF's. False after a failure.
    [[nodiscard]] bool message(NodeIndex object, BeWriter& out, std::uint8_t& type, PeerError& peerError);

private:
    using DataType = codec::DataType;
    class Lease;

    // Every function is false after a failure, the first of which is kept in failure_.
    bool fail(ErrorClass cls, NodeIndex at) noexcept;
    bool missing(std::string_view member, NodeIndex object) noexcept;
    bool encoded(Error e, NodeIndex at) noexcept;
    [[nodiscard]] bool deeper(int depth, NodeIndex at) noexcept;

    // --- members
    [[nodiscard]] bool collect(NodeIndex object, Members& out) noexcept;
    [[nodiscard]] bool known(const Members& m, const MemberSet& allowed) noexcept;
    [[nodiscard]] bool boolean(const Members& m, Member name, bool fallback, bool& out) noexcept;
    [[nodiscard]] bool flag(const Members& m, Member name, bool fallback, std::uint16_t bit, codec::Msg& msg) noexcept;
    template <class T>
    [[nodiscard]] bool number(NodeIndex at, std::uint64_t max, T& out,
                              ErrorClass wrongType = ErrorClass::InvalidTokenType) noexcept;
    template <std::size_t N>
    [[nodiscard]] bool word(NodeIndex at, const WordTable<N>& table, std::uint8_t max, std::uint8_t& out) noexcept;
    [[nodiscard]] bool int32(NodeIndex at, std::int32_t& out, ErrorClass wrongType) noexcept;
    [[nodiscard]] bool base64(NodeIndex at, Bytes& out) noexcept;
    [[nodiscard]] bool string(NodeIndex at, Bytes& out) noexcept;

    // --- messages (JsonToRwf.cpp)
    [[nodiscard]] bool messageType(const Members& m, std::uint8_t& out) noexcept;
    [[nodiscard]] bool rwfMessage(const Members& m, std::uint8_t type, BeWriter& out, int depth);
    [[nodiscard]] bool header(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool request(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool refresh(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool status(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool update(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool ack(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool generic(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool post(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool streamId(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool key(NodeIndex at, codec::Msg& msg, NodeIndex& names, BeWriter& attributes, int depth);
    [[nodiscard]] bool requestBody(const Members& m, NodeIndex names, BeWriter& out);
    [[nodiscard]] bool viewElements(const Members& m, codec::ElementListEncoder& list);
    [[nodiscard]] bool viewFields(NodeIndex list, codec::ElementListEncoder& out);
    [[nodiscard]] bool closeBody(NodeIndex ids, BeWriter& out);
    [[nodiscard]] bool qos(NodeIndex at, codec::Qos& out) noexcept;
    [[nodiscard]] bool state(NodeIndex at, codec::State& out) noexcept;
    [[nodiscard]] bool postUserInfo(NodeIndex at, codec::Msg& msg) noexcept;

    // --- payloads (payload_to_rwf.cpp)
    [[nodiscard]] static DataType typeOf(Member payload) noexcept;
    [[nodiscard]] bool payloadType(const Members& m, DataType& out) noexcept;
    [[nodiscard]] bool container(DataType type, NodeIndex at, BeWriter& out, int depth);
    [[nodiscard]] bool fields(NodeIndex at, BeWriter& out, int depth);
    [[nodiscard]] bool field(codec::FieldListEncoder& list, const dictionary::FieldDefinition& definition, NodeIndex at,
                             int depth);
    [[nodiscard]] bool elements(NodeIndex at, BeWriter& out, int depth);
    [[nodiscard]] bool element(codec::ElementListEncoder& list, std::string_view name, NodeIndex at, int depth);
    [[nodiscard]] bool head(const Members& m, codec::EntryContainerHeader& header, BeWriter& summary, bool isVector,
                            int depth);
    template <std::size_t N>
    [[nodiscard]] bool entryHead(const Members& m, const WordTable<N>& actions, bool numbers, std::uint8_t& action,
                                 const Bytes*& permData, Bytes& storage) noexcept;
    [[nodiscard]] bool entryType(NodeIndex entries, bool isVector, bool isSeries, DataType& out);
    [[nodiscard]] bool entryPayload(const Members& m, DataType expected, BeWriter& out, int depth);
    [[nodiscard]] bool map(NodeIndex at, BeWriter& out, int depth);
    [[nodiscard]] bool vector(NodeIndex at, BeWriter& out, int depth);
    [[nodiscard]] bool series(NodeIndex at, BeWriter& out, int depth);
    [[nodiscard]] bool filterList(NodeIndex at, BeWriter& out, int depth);
    [[nodiscard]] bool array(NodeIndex at, BeWriter& out, int depth);
    void text(NodeIndex at, BeWriter& out) noexcept;
    [[nodiscard]] bool typeName(NodeIndex at, DataType& out) noexcept;

    // --- values (values_to_rwf.cpp)
    /// Content of a primitive without its length; empty for null. Good until the next call.
    [[nodiscard]] bool value(NodeIndex at, DataType type, const dictionary::EnumTable* enums, Bytes& out);
    [[nodiscard]] bool real(NodeIndex at, codec::Real& out) noexcept;
    [[nodiscard]] bool enumerated(NodeIndex at, const dictionary::EnumTable* enums, std::uint16_t& out, bool& blank);
    [[nodiscard]] Bytes rmtes(std::string_view utf8) noexcept;
    [[nodiscard]] const dictionary::FieldDefinition* findField(std::string_view name) const noexcept;
    [[nodiscard]] const dictionary::FieldDefinition* nextField(std::string_view name, std::int16_t before) noexcept;

    const Options& options_;
    const dictionary::Dictionary* dictionary_;
    const ServiceNames* services_;
    Tree& tree_;
    EncodeScratch& scratch_;
    Failure& failure_;
    bool failed_ = false;
};

template <class T>
bool JsonToRwf::number(NodeIndex at, std::uint64_t max, T& out, ErrorClass wrongType) noexcept {
    if (tree_.kind(at) != Kind::integer) return fail(wrongType, at);
    std::uint64_t v = 0;
    if (readUInt(tree_.text(at), v) != Read::good || v > max) return fail(ErrorClass::UnexpectedValue, at);
    out = static_cast<T>(v);
    return true;
}

template <std::size_t N>
bool JsonToRwf::word(NodeIndex at, const WordTable<N>& table, std::uint8_t max, std::uint8_t& out) noexcept {
    if (tree_.kind(at) != Kind::string) return number(at, max, out);
    const Word* found = table.find(tree_.text(at));
    if (found == nullptr) return fail(ErrorClass::UnexpectedValue, at);
    out = found->value;
    return true;
}

/// A nested buffer for as long as it lives.
class JsonToRwf::Lease {
public:
    explicit Lease(EncodeScratch& scratch) : scratch_(scratch) {
        if (scratch.used == scratch.nested.size()) scratch.nested.push_back(std::make_unique<GrowingBuffer>());
        buffer_ = scratch.nested[scratch.used++].get();
        (void)buffer_->start();
    }
    ~Lease() { --scratch_.used; }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    [[nodiscard]] BeWriter& writer() noexcept { return buffer_->writer(); }

private:
    EncodeScratch& scratch_;
    GrowingBuffer* buffer_;
};

}  // namespace emissary::eta::json
