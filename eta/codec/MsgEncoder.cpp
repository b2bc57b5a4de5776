// Message headers and keys to the wire (rwf.md section 4). Values are checked first; then the header is written into
// measured room without further checks, or piece by piece when the block is nearly full.
#include "eta/codec/Msg.h"
#include "eta/codec/plain_update.h"
#include "eta/codec/primitives.h"

namespace emissary::eta::codec {

namespace {

/// Writes into room that was measured beforehand: the same calls as BeWriter without its checks.
class MeasuredWriter {
public:
    explicit MeasuredWriter(std::byte* at) noexcept : begin_(at), pos_(at) {}
    void u8(std::uint8_t v) noexcept { *pos_++ = static_cast<std::byte>(v); }
    void u16(std::uint16_t v) noexcept { put(v); }
    void u32(std::uint32_t v) noexcept { put(v); }
    void u15rb(std::uint32_t v) noexcept {
        if (v < 0x80) return u8(static_cast<std::uint8_t>(v));
        u16(static_cast<std::uint16_t>(v | 0x8000));
    }
    void u16ob(std::uint32_t v) noexcept {
        if (v < 0xFE) return u8(static_cast<std::uint8_t>(v));
        u8(0xFE);
        u16(static_cast<std::uint16_t>(v));
    }
    void bytes(Bytes b) noexcept {
        if (!b.empty()) std::memcpy(pos_, b.data(), b.size());
        pos_ += b.size();
    }
    void buf8(Bytes b) noexcept {
        u8(static_cast<std::uint8_t>(b.size()));
        bytes(b);
    }
    void buf15(Bytes b) noexcept {
        u15rb(static_cast<std::uint32_t>(b.size()));
        bytes(b);
    }
    void buf16(Bytes b) noexcept {
        u16ob(static_cast<std::uint32_t>(b.size()));
        bytes(b);
    }
    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(pos_ - begin_); }
    [[nodiscard]] std::byte* at(std::size_t offset) noexcept { return begin_ + offset; }
    [[nodiscard]] bool ok() const noexcept { return true; }

private:
    template <std::unsigned_integral U>
    void put(U v) noexcept {
        storeBe(pos_, v);
        pos_ += sizeof(U);
    }
    std::byte* begin_;
    std::byte* pos_;
};

/// `flags` without those in `off`.
[[nodiscard]] constexpr std::uint16_t without(std::uint16_t flags, std::uint16_t off) noexcept {
    return static_cast<std::uint16_t>(flags & ~off);
}

/// Key flags as they go on the wire: no name without bytes, no name type without a name (rwf.md 4.2).
[[nodiscard]] std::uint16_t cleanKeyFlags(const MsgKey& key) noexcept {
    std::uint16_t flags = key.flags & 0x3F;
    if (key.name.empty()) flags = without(flags, KeyFlag::name);
    if ((flags & KeyFlag::name) == 0) flags = without(flags, KeyFlag::nameType);
    return flags;
}

/// Flags that a class defines; the others are written 0. Request keys are read where a peer sends them, never written.
//                                                 -  Request Refresh Status Update Close Ack   Generic Post
constexpr detail::ClassFlags kWrittenFlags /**/ {0, 0x1FFF, 0x5FFB, 0x5FB, 0x7FF, 0x07, 0x7F, 0x407F, 0x3EF};

/// Message flags as they go on the wire: a member that would be empty loses its flag (rwf.md 4.2).
[[nodiscard]] std::uint16_t cleanFlags(const Msg& m) noexcept {
    std::uint16_t flags = m.flags & kWrittenFlags[static_cast<std::size_t>(m.cls) % kWrittenFlags.size()];
    if (m.hasPermData() && m.permData.empty())
        flags = without(flags, detail::hasPermData[static_cast<std::size_t>(m.cls)]);
    switch (m.cls) {
    case MsgClass::Refresh:
        return without(flags, RefreshFlag::reqMsgKey);
    case MsgClass::Status:
        flags = without(flags, StatusFlag::reqMsgKey);
        return m.groupId.empty() ? without(flags, StatusFlag::groupId) : flags;
    case MsgClass::Update:
        return m.conflationCount == 0 && m.conflationTime == 0 ? without(flags, UpdateFlag::confInfo) : flags;
    case MsgClass::Ack:
        if (m.text.empty()) flags = without(flags, AckFlag::text);
        return m.nakCode == 0 ? without(flags, AckFlag::nakCode) : flags;
    case MsgClass::Generic:
        return without(flags, GenericFlag::reqMsgKey);
    case MsgClass::Request:
    case MsgClass::Close:
    case MsgClass::Post:
        return flags;
    }
    return flags;
}

/// Timeliness and rate must be 1, 2 or 3: unspecified ones cannot be sent.
[[nodiscard]] bool encodable(const Qos& q) noexcept {
    return q.timeliness - 1u < 3 && q.rate - 1u < 3;
}
/// A refresh always has a state; when it was never set, it is "unspecified" (ema-api.md 4.3).
[[nodiscard]] bool encodable(const State& s, MsgClass cls) noexcept {
    return (s.stream != StreamState::unspecified || cls == MsgClass::Refresh) && s.stream < 32 && s.data < 8 &&
           s.text.size() <= 0x7FFF;
}
/// The key's size has 15 bits and covers its attributes, its name and up to 24 bytes of other members.
[[nodiscard]] bool encodable(const MsgKey& key, std::uint16_t flags) noexcept {
    if ((flags & KeyFlag::name) != 0 && key.name.size() > 255) return false;
    if ((flags & KeyFlag::attrib) == 0) return true;
    return isContainer(key.attribType) && key.attrib.size() + key.name.size() + 24 <= 0x7FFF;
}

/// Every range of every member that will be written; afterwards only a lack of room can fail.
[[nodiscard]] bool encodable(const Msg& m, std::uint16_t flags) noexcept {
    const auto has = [flags](std::uint16_t f) { return (flags & f) != 0; };
    if (!isContainer(m.containerType)) return false;
    if (m.hasPermData() && m.permData.size() > 0x7FFF) return false;
    if (m.hasExtendedHeader() && m.extendedHeader.size() > 255) return false;
    if (m.hasPartNum() && m.partNum > 0x7FFF) return false;
    if (m.hasGroupId() && m.groupId.size() > 255) return false;
    if (m.hasKey() && !encodable(m.key, cleanKeyFlags(m.key))) return false;
    if (m.hasState() && !encodable(m.state, m.cls)) return false;
    switch (m.cls) {
    case MsgClass::Request:
        return (!has(RequestFlag::qos) || encodable(m.qos)) && (!has(RequestFlag::worstQos) || encodable(m.worstQos));
    case MsgClass::Refresh:
        return !has(RefreshFlag::qos) || encodable(m.qos);
    case MsgClass::Update:
        return !has(UpdateFlag::confInfo) || m.conflationCount <= 0x7FFF;
    case MsgClass::Ack:
        return !has(AckFlag::text) || m.text.size() <= 0xFFFF;
    case MsgClass::Post:
        return !has(PostFlag::postUserRights) || m.postUserRights <= 0x7FFF;
    case MsgClass::Status:
    case MsgClass::Close:
    case MsgClass::Generic:
        return true;
    }
    return false;
}

template <class Out>
void writeQos(Out& out, const Qos& v) noexcept {
    out.u8(static_cast<std::uint8_t>(v.timeliness << 5 | v.rate << 1 | (v.dynamic ? 1 : 0)));
    if (v.timeliness > 2) out.u16(v.timeInfo);
    if (v.rate > 2) out.u16(v.rateInfo);
}

template <class Out>
void writeState(Out& out, const State& v) noexcept {
    out.u8(static_cast<std::uint8_t>(v.stream << 3 | v.data));
    out.u8(v.code);
    out.buf15(v.text);
}

/// The key without its size (rwf.md 4.3): flags, and the members that they name, in this order.
template <class Out>
void writeKeyContent(Out& out, const MsgKey& key) noexcept {
    const std::uint16_t flags = cleanKeyFlags(key);
    const auto has = [flags](std::uint16_t f) { return (flags & f) != 0; };
    out.u15rb(flags);
    if (has(KeyFlag::serviceId)) out.u16ob(key.serviceId);
    if (has(KeyFlag::name)) {
        out.buf8(key.name);
        if (has(KeyFlag::nameType)) out.u8(key.nameType);
    }
    if (has(KeyFlag::filter)) out.u32(key.filter);
    if (has(KeyFlag::identifier)) out.u32(static_cast<std::uint32_t>(key.identifier));
    if (has(KeyFlag::attrib)) {
        out.u8(static_cast<std::uint8_t>(static_cast<unsigned>(key.attribType) - 128u));
        if (key.attribType != DataType::NoData) out.buf15(key.attrib);
    }
}

/// The key behind its size, which always takes two bytes (rwf.md 4.3).
template <class Out>
void writeKey(Out& out, const MsgKey& key) noexcept {
    const std::size_t sizeAt = out.size();
    out.u16(0);
    writeKeyContent(out, key);
    if (out.ok()) storeBe(out.at(sizeAt), static_cast<std::uint16_t>(0x8000 | (out.size() - sizeAt - 2)));
}

/// Header members in wire order (rwf.md 4.1, 4.4) from checked values and cleaned flags.
template <class Out>
void writeHeader(Out& out, const Msg& m, std::uint16_t flags) noexcept {
    const auto has = [flags](std::uint16_t f) { return (flags & f) != 0; };
    const auto permData = [&](std::uint16_t flag) {
        if (has(flag)) out.buf15(m.permData);
    };
    const auto key = [&](std::uint16_t flag) {
        if (has(flag)) writeKey(out, m.key);
    };
    const auto extendedHeader = [&](std::uint16_t flag) {
        if (has(flag)) out.buf8(m.extendedHeader);
    };
    const auto postUser = [&](std::uint16_t flag) {
        if (!has(flag)) return;
        out.u32(m.postUserAddress);
        out.u32(m.postUserId);
    };

    const std::size_t start = out.size();
    out.u16(0);  // header size, patched below
    out.u8(static_cast<std::uint8_t>(m.cls));
    out.u8(m.domain);
    out.u32(static_cast<std::uint32_t>(m.streamId));
    out.u15rb(flags);
    out.u8(static_cast<std::uint8_t>(static_cast<unsigned>(m.containerType) - 128u));
    switch (m.cls) {
    case MsgClass::Request:
        if (has(RequestFlag::priority)) {
            out.u8(m.priorityClass);
            out.u16ob(m.priorityCount);
        }
        if (has(RequestFlag::qos)) writeQos(out, m.qos);
        if (has(RequestFlag::worstQos)) writeQos(out, m.worstQos);
        writeKey(out, m.key);
        extendedHeader(RequestFlag::extendedHeader);
        break;
    case MsgClass::Refresh: {
        constexpr std::array<std::byte, 2> noGroup{};
        if (has(RefreshFlag::seqNum)) out.u32(m.seqNum);
        writeState(out, m.state);
        out.buf8(m.groupId.empty() ? Bytes{noGroup} : m.groupId);
        permData(RefreshFlag::permData);
        if (has(RefreshFlag::qos)) writeQos(out, m.qos);
        key(RefreshFlag::msgKey);
        extendedHeader(RefreshFlag::extendedHeader);
        postUser(RefreshFlag::postUserInfo);
        if (has(RefreshFlag::partNum)) out.u15rb(m.partNum);
        break;
    }
    case MsgClass::Status:
        if (has(StatusFlag::state)) writeState(out, m.state);
        if (has(StatusFlag::groupId)) out.buf8(m.groupId);
        permData(StatusFlag::permData);
        key(StatusFlag::msgKey);
        extendedHeader(StatusFlag::extendedHeader);
        postUser(StatusFlag::postUserInfo);
        break;
    case MsgClass::Update:
        out.u8(m.updateType);
        if (has(UpdateFlag::seqNum)) out.u32(m.seqNum);
        if (has(UpdateFlag::confInfo)) {
            out.u15rb(m.conflationCount);
            out.u16(m.conflationTime);
        }
        permData(UpdateFlag::permData);
        key(UpdateFlag::msgKey);
        extendedHeader(UpdateFlag::extendedHeader);
        postUser(UpdateFlag::postUserInfo);
        break;
    case MsgClass::Close:
        extendedHeader(CloseFlag::extendedHeader);
        break;
    case MsgClass::Ack:
        out.u32(m.ackId);
        if (has(AckFlag::nakCode)) out.u8(m.nakCode);
        if (has(AckFlag::text)) out.buf16(m.text);
        if (has(AckFlag::seqNum)) out.u32(m.seqNum);
        key(AckFlag::msgKey);
        extendedHeader(AckFlag::extendedHeader);
        break;
    case MsgClass::Generic:
        if (has(GenericFlag::seqNum)) out.u32(m.seqNum);
        if (has(GenericFlag::secondarySeqNum)) out.u32(m.secondarySeqNum);
        permData(GenericFlag::permData);
        key(GenericFlag::msgKey);
        extendedHeader(GenericFlag::extendedHeader);
        if (has(GenericFlag::partNum)) out.u15rb(m.partNum);
        break;
    case MsgClass::Post:
        out.u32(m.postUserAddress);
        out.u32(m.postUserId);
        if (has(PostFlag::seqNum)) out.u32(m.seqNum);
        if (has(PostFlag::postId)) out.u32(m.postId);
        permData(PostFlag::permData);
        key(PostFlag::msgKey);
        extendedHeader(PostFlag::extendedHeader);
        if (has(PostFlag::partNum)) out.u15rb(m.partNum);
        if (has(PostFlag::postUserRights)) out.u15rb(m.postUserRights);
        break;
    }
    if (out.ok()) storeBe(out.at(start), static_cast<std::uint16_t>(out.size() - start - 2));
}

/// Upper bound of the header: every fixed-size member of the largest class, and what the variable ones hold.
[[nodiscard]] std::size_t maxHeaderSize(const Msg& m) noexcept {
    if (isPlainUpdate(m)) [[likely]]
        return kPlainUpdateHeader;
    constexpr std::size_t fixedMembers = 96;
    std::size_t size = fixedMembers;
    if (m.hasKey()) {
        if (m.key.has(KeyFlag::name)) size += m.key.name.size();
        if (m.key.has(KeyFlag::attrib)) size += m.key.attrib.size();
    }
    if (m.hasState()) size += m.state.text.size();
    if (m.hasGroupId()) size += m.groupId.size();
    if (m.hasPermData()) size += m.permData.size();
    if (m.hasExtendedHeader()) size += m.extendedHeader.size();
    if (m.cls == MsgClass::Ack && m.has(AckFlag::text)) size += m.text.size();
    return size;
}

/// Header and payload, or nothing: a failure takes everything back that was written.
[[nodiscard]] Error encode(BeWriter& out, const Msg& m, Bytes payload) noexcept {
    if (!out.ok()) return {out.failure(), 0};
    if (isPlainUpdate(m) && out.space() >= kPlainUpdateHeader + payload.size()) [[likely]] {
        std::byte* const at = out.room(kPlainUpdateHeader + payload.size());
        out.advance(writePlainUpdate(at, m, {m.streamId, m.domain}, payload));
        return {};
    }
    const std::uint16_t flags = cleanFlags(m);
    if (!encodable(m, flags)) return {Errc::outOfRange, 0};
    const std::size_t start = out.size();
    const std::size_t bound = maxHeaderSize(m);
    std::size_t headerSize;
    if (out.space() >= bound + payload.size()) [[likely]] {
        MeasuredWriter fast{out.room(bound)};
        writeHeader(fast, m, flags);
        headerSize = fast.size();
        out.advance(headerSize);
    } else {
        writeHeader(out, m, flags);
        headerSize = out.size() - start;
    }
    out.bytes(payload);
    Errc why = out.failure();
    if (why == Errc::ok && headerSize > 0xFFFF + 2) why = Errc::outOfRange;
    if (why == Errc::ok) return {};
    out.truncate(start);
    out.clearFailure();
    return {why, 0};
}

}  // namespace

std::size_t maxEncodedSize(const Msg& msg) noexcept {
    return maxHeaderSize(msg) + msg.payload.size();
}

Error encodeMsg(BeWriter& out, const Msg& msg) noexcept {
    return encode(out, msg, writtenPayload(msg));
}

Error encodeMsgHeader(BeWriter& out, const Msg& msg) noexcept {
    return encode(out, msg, {});
}

void encodeKeyContent(BeWriter& out, const MsgKey& key) noexcept {
    if (!encodable(key, cleanKeyFlags(key))) return out.fail();
    writeKeyContent(out, key);
}

}  // namespace emissary::eta::codec
