// Message headers and keys to structs of views (rwf.md section 4). The header is read within its own size, so that a
// wrong length inside cannot reach the payload; the payload is not looked at.
#include "eta/codec/Msg.h"
#include "eta/codec/primitives.h"

#include "codec/wireTypes.h"

namespace emissary::eta::codec {

namespace {

/// Members in wire order (rwf.md 4.3); every one checked against the key's own end.
[[nodiscard]] Errc readKeyContent(BeReader in, MsgKey& key) noexcept {
    key.flags = in.u15rb();
    if (key.has(KeyFlag::serviceId)) key.serviceId = in.u16ob();
    key.name = key.attrib = {};  // callers often read these two without asking has()
    if (key.has(KeyFlag::name)) {
        key.name = in.buf8();
        key.nameType = key.has(KeyFlag::nameType) ? in.u8() : std::uint8_t{1};
    } else if (key.has(KeyFlag::nameType)) {
        key.flags = static_cast<std::uint16_t>(key.flags & ~KeyFlag::nameType);  // it is not on the wire without a name
    }
    if (key.has(KeyFlag::filter)) key.filter = in.u32();
    if (key.has(KeyFlag::identifier)) key.identifier = static_cast<std::int32_t>(in.u32());
    if (key.has(KeyFlag::attrib)) {
        if (!readContainerType(in, key.attribType)) return Errc::unsupportedType;
        key.attrib = key.attribType == DataType::NoData ? Bytes{} : in.buf15();
    }
    return in.ok() ? Errc::ok : Errc::truncated;
}

/// Reads one header; the flags decide which members follow, the class decides what a bit means.
class HeaderReader {
public:
    HeaderReader(BeReader in, Msg& msg) noexcept : in_(in), msg_(msg) {}

    [[nodiscard]] Error error() const noexcept {
        if (code_ != Errc::ok) return {code_, static_cast<std::uint32_t>(in_.offset())};
        return in_.error();
    }

    void request() noexcept {
        if (msg_.has(RequestFlag::priority)) {
            msg_.priorityClass = in_.u8();
            msg_.priorityCount = in_.u16ob();
        } else {
            msg_.priorityClass = 1;
            msg_.priorityCount = 1;
        }
        if (msg_.has(RequestFlag::qos)) readQos(in_, msg_.qos);
        if (msg_.has(RequestFlag::worstQos)) readQos(in_, msg_.worstQos);
        key(msg_.key);
        extendedHeader(RequestFlag::extendedHeader);
    }
    void refresh() noexcept {
        if (msg_.has(RefreshFlag::seqNum)) msg_.seqNum = in_.u32();
        readState(in_, msg_.state);
        msg_.groupId = in_.buf8();
        permData(RefreshFlag::permData);
        if (msg_.has(RefreshFlag::qos)) readQos(in_, msg_.qos);
        if (msg_.has(RefreshFlag::msgKey)) key(msg_.key);
        extendedHeader(RefreshFlag::extendedHeader);
        latePostUser(RefreshFlag::postUserInfo);
        latePartNum(RefreshFlag::partNum);
        if (msg_.has(RefreshFlag::reqMsgKey)) key(msg_.reqKey);
    }
    void status() noexcept {
        if (msg_.has(StatusFlag::state)) readState(in_, msg_.state);
        if (msg_.has(StatusFlag::groupId)) msg_.groupId = in_.buf8();
        permData(StatusFlag::permData);
        if (msg_.has(StatusFlag::msgKey)) key(msg_.key);
        extendedHeader(StatusFlag::extendedHeader);
        latePostUser(StatusFlag::postUserInfo);
        if (msg_.has(StatusFlag::reqMsgKey)) key(msg_.reqKey);
    }
    // Updates come most often, and most updates have no optional members.
    void update() noexcept {
        msg_.updateType = in_.u8();
        constexpr std::uint16_t optional = UpdateFlag::seqNum | UpdateFlag::confInfo | UpdateFlag::permData |
                                           UpdateFlag::msgKey | UpdateFlag::extendedHeader | UpdateFlag::postUserInfo;
        if (!msg_.has(optional)) [[likely]]
            return;
        if (msg_.has(UpdateFlag::seqNum)) msg_.seqNum = in_.u32();
        if (msg_.has(UpdateFlag::confInfo)) {
            msg_.conflationCount = in_.u15rb();
            msg_.conflationTime = in_.u16();
        }
        permData(UpdateFlag::permData);
        if (msg_.has(UpdateFlag::msgKey)) key(msg_.key);
        extendedHeader(UpdateFlag::extendedHeader);
        latePostUser(UpdateFlag::postUserInfo);
    }
    void close() noexcept { extendedHeader(CloseFlag::extendedHeader); }
    void ack() noexcept {
        msg_.ackId = in_.u32();
        msg_.nakCode = msg_.has(AckFlag::nakCode) ? in_.u8() : std::uint8_t{0};
        if (msg_.has(AckFlag::text)) msg_.text = in_.buf16();
        if (msg_.has(AckFlag::seqNum)) msg_.seqNum = in_.u32();
        if (msg_.has(AckFlag::msgKey)) key(msg_.key);
        extendedHeader(AckFlag::extendedHeader);
    }
    void generic() noexcept {
        if (msg_.has(GenericFlag::seqNum)) msg_.seqNum = in_.u32();
        if (msg_.has(GenericFlag::secondarySeqNum)) msg_.secondarySeqNum = in_.u32();
        permData(GenericFlag::permData);
        if (msg_.has(GenericFlag::msgKey)) key(msg_.key);
        extendedHeader(GenericFlag::extendedHeader);
        latePartNum(GenericFlag::partNum);
        if (msg_.has(GenericFlag::reqMsgKey)) key(msg_.reqKey);
    }
    void post() noexcept {
        msg_.postUserAddress = in_.u32();
        msg_.postUserId = in_.u32();
        if (msg_.has(PostFlag::seqNum)) msg_.seqNum = in_.u32();
        if (msg_.has(PostFlag::postId)) msg_.postId = in_.u32();
        permData(PostFlag::permData);
        if (msg_.has(PostFlag::msgKey)) key(msg_.key);
        extendedHeader(PostFlag::extendedHeader);
        latePartNum(PostFlag::partNum);
        if (msg_.has(PostFlag::postUserRights)) {
            if (in_.remaining() == 0) clear(PostFlag::postUserRights);
            else msg_.postUserRights = in_.u15rb();
        }
    }

private:
    void key(MsgKey& out) noexcept {
        const Errc e = readKeyContent(BeReader{in_.buf15()}, out);
        if (e != Errc::ok && code_ == Errc::ok) code_ = e;
    }
    void permData(std::uint16_t flag) noexcept {
        if (msg_.has(flag)) msg_.permData = in_.buf15();
    }
    void extendedHeader(std::uint16_t flag) noexcept {
        if (msg_.has(flag)) msg_.extendedHeader = in_.buf8();
    }
    // Late members: old senders set the flag and end the header before them (rwf.md 4.4).
    void latePostUser(std::uint16_t flag) noexcept {
        if (!msg_.has(flag)) return;
        if (in_.remaining() < 8) return clear(flag);
        msg_.postUserAddress = in_.u32();
        msg_.postUserId = in_.u32();
    }
    void latePartNum(std::uint16_t flag) noexcept {
        if (!msg_.has(flag)) return;
        if (in_.remaining() == 0) return clear(flag);
        msg_.partNum = in_.u15rb();
    }
    void clear(std::uint16_t flag) noexcept { msg_.flags = static_cast<std::uint16_t>(msg_.flags & ~flag); }

    BeReader in_;
    Msg& msg_;
    Errc code_ = Errc::ok;
};

}  // namespace

// The fixed part is checked at once, and everything behind it by the reader.
Error decodeMsg(Bytes in, Msg& out) noexcept {
    constexpr std::size_t fixedPart = 8;  // header size, class, domain, stream id
    if (in.size() < fixedPart) [[unlikely]]
        return {Errc::truncated, static_cast<std::uint32_t>(in.size())};
    const std::byte* p = in.data();
    const std::size_t headerEnd = 2u + loadBe<std::uint16_t>(p);
    if (headerEnd < fixedPart || headerEnd > in.size()) [[unlikely]]
        return {Errc::truncated, 0};
    const unsigned cls = loadBe<std::uint8_t>(p + 2) & 0x1Fu;
    BeReader reader{in.first(headerEnd)};
    reader.advance(fixedPart);

    out.raw = in;
    out.cls = static_cast<MsgClass>(cls);
    out.domain = loadBe<std::uint8_t>(p + 3);
    out.streamId = static_cast<std::int32_t>(loadBe<std::uint32_t>(p + 4));
    out.flags = reader.u15rb();
    if (!readContainerType(reader, out.containerType)) [[unlikely]]
        return {Errc::unsupportedType, static_cast<std::uint32_t>(reader.offset())};
    out.payload = out.containerType == DataType::NoData ? Bytes{} : in.subspan(headerEnd);

    HeaderReader header{reader, out};
    switch (out.cls) {
    case MsgClass::Update:
        header.update();
        break;
    case MsgClass::Refresh:
        header.refresh();
        break;
    case MsgClass::Request:
        header.request();
        break;
    case MsgClass::Status:
        header.status();
        break;
    case MsgClass::Close:
        header.close();
        break;
    case MsgClass::Ack:
        header.ack();
        break;
    case MsgClass::Generic:
        header.generic();
        break;
    case MsgClass::Post:
        header.post();
        break;
    default:
        return {Errc::badValue, 2};
    }
    return header.error();
}

Error decodeKey(Bytes in, MsgKey& out) noexcept {
    const Errc e = readKeyContent(BeReader{in}, out);
    return e == Errc::ok ? Error{} : Error{e, static_cast<std::uint32_t>(in.size())};
}

}  // namespace emissary::eta::codec
