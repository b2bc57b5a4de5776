// The eight message classes: one struct of views, one decoder, one encoder (rwf.md section 4).
#pragma once

#include "eta/codec/Types.h"
#include "eta/codec/numbers.h"

#include <array>

namespace emissary::eta::codec {

/// Numbers of the message classes on the wire (rwf.md 4.1).
enum class MsgClass : std::uint8_t {
    Request = 1,
    Refresh = 2,
    Status = 3,
    Update = 4,
    Close = 5,
    Ack = 6,
    Generic = 7,
    Post = 8
};
/// "Request", "Refresh" ...; "Unknown" for other numbers. Never null.
[[nodiscard]] const char* name(MsgClass c) noexcept;

// Flag bits differ per class on the wire (rwf.md 4.2).
namespace RequestFlag {
inline constexpr std::uint16_t extendedHeader = 0x0001, priority = 0x0002, streaming = 0x0004, msgKeyInUpdates = 0x0008,
                               confInfoInUpdates = 0x0010, noRefresh = 0x0020, qos = 0x0040, worstQos = 0x0080,
                               privateStream = 0x0100, pause = 0x0200, view = 0x0400, batch = 0x0800,
                               qualified = 0x1000;
}
namespace RefreshFlag {
inline constexpr std::uint16_t extendedHeader = 0x0001, permData = 0x0002, msgKey = 0x0008, seqNum = 0x0010,
                               solicited = 0x0020, complete = 0x0040, qos = 0x0080, clearCache = 0x0100,
                               doNotCache = 0x0200, privateStream = 0x0400, postUserInfo = 0x0800, partNum = 0x1000,
                               reqMsgKey = 0x2000, qualified = 0x4000;
}
namespace StatusFlag {
inline constexpr std::uint16_t extendedHeader = 0x001, permData = 0x002, msgKey = 0x008, groupId = 0x010, state = 0x020,
                               clearCache = 0x040, privateStream = 0x080, postUserInfo = 0x100, reqMsgKey = 0x200,
                               qualified = 0x400;
}
namespace UpdateFlag {
inline constexpr std::uint16_t extendedHeader = 0x001, permData = 0x002, msgKey = 0x008, seqNum = 0x010,
                               confInfo = 0x020, doNotCache = 0x040, doNotConflate = 0x080, doNotRipple = 0x100,
                               postUserInfo = 0x200, discardable = 0x400;
}
namespace CloseFlag {
inline constexpr std::uint16_t extendedHeader = 0x01, ack = 0x02, batch = 0x04;
}
namespace AckFlag {
inline constexpr std::uint16_t extendedHeader = 0x01, text = 0x02, privateStream = 0x04, seqNum = 0x08, msgKey = 0x10,
                               nakCode = 0x20, qualified = 0x40;
}
namespace GenericFlag {
inline constexpr std::uint16_t extendedHeader = 0x0001, permData = 0x0002, msgKey = 0x0004, seqNum = 0x0008,
                               complete = 0x0010, secondarySeqNum = 0x0020, partNum = 0x0040, reqMsgKey = 0x0080,
                               providerDriven = 0x4000;
}
namespace PostFlag {
inline constexpr std::uint16_t extendedHeader = 0x001, postId = 0x002, msgKey = 0x004, seqNum = 0x008, complete = 0x020,
                               ack = 0x040, permData = 0x080, partNum = 0x100, postUserRights = 0x200;
}
namespace KeyFlag {
inline constexpr std::uint16_t serviceId = 0x01, name = 0x02, nameType = 0x04, filter = 0x08, identifier = 0x10,
                               attrib = 0x20;
}

/// Message key (rwf.md 4.3). A member is meaningful exactly when its flag is set; decoding leaves an absent name and
/// absent attributes empty. Views borrow the message.
struct MsgKey {
    std::uint16_t flags = 0;
    std::uint16_t serviceId = 0;
    std::uint8_t nameType = 1;  ///< absent means RIC (1)
    DataType attribType = DataType::NoData;
    std::uint32_t filter = 0;
    std::int32_t identifier = 0;
    Bytes name;
    Bytes attrib;
    /// Whether one of these KeyFlags is set.
    [[nodiscard]] constexpr bool has(std::uint16_t f) const noexcept { return (flags & f) != 0; }
};

namespace detail {
/// One question's flag bit for each class, indexed by class number; 0x8000 where the member is always there.
using ClassFlags = std::array<std::uint16_t, 9>;
//                                               -  Request Refresh Status Update Close Ack   Generic Post
inline constexpr ClassFlags hasKey /*         */ {0, 0x8000, 0x0008, 0x008, 0x008, 0x00, 0x10, 0x0004, 0x004};
inline constexpr ClassFlags hasState /*       */ {0, 0x0000, 0x8000, 0x020, 0x000, 0x00, 0x00, 0x0000, 0x000};
inline constexpr ClassFlags hasQos /*         */ {0, 0x0040, 0x0080, 0x000, 0x000, 0x00, 0x00, 0x0000, 0x000};
inline constexpr ClassFlags hasSeqNum /*      */ {0, 0x0000, 0x0010, 0x000, 0x010, 0x00, 0x08, 0x0008, 0x008};
inline constexpr ClassFlags hasPartNum /*     */ {0, 0x0000, 0x1000, 0x000, 0x000, 0x00, 0x00, 0x0040, 0x100};
inline constexpr ClassFlags hasPermData /*    */ {0, 0x0000, 0x0002, 0x002, 0x002, 0x00, 0x00, 0x0002, 0x080};
inline constexpr ClassFlags hasGroupId /*     */ {0, 0x0000, 0x8000, 0x010, 0x000, 0x00, 0x00, 0x0000, 0x000};
inline constexpr ClassFlags hasPostUserInfo /**/ {0, 0x0000, 0x0800, 0x100, 0x200, 0x00, 0x00, 0x0000, 0x8000};
inline constexpr ClassFlags hasExtendedHeader /**/ {0, 0x0001, 0x0001, 0x001, 0x001, 0x01, 0x01, 0x0001, 0x001};
inline constexpr ClassFlags isPrivate /*      */ {0, 0x0100, 0x0400, 0x080, 0x000, 0x00, 0x04, 0x0000, 0x000};
}  // namespace detail

/// Where the stream id of an encoded message stands, whatever its class (rwf.md 4.1).
inline constexpr std::size_t kStreamIdAt = 4, kStreamIdEnd = 8;
/// The stream id of an encoded message of at least kStreamIdEnd bytes, without looking at the rest.
[[nodiscard]] inline std::int32_t streamIdOf(Bytes message) noexcept {
    return static_cast<std::int32_t>(loadBe<std::uint32_t>(message.data() + kStreamIdAt));
}

/// One message of any class. Optional members are meaningful exactly when the class's flag says so; use has() and the
/// hasX() questions. Decoding fills only the members that are present, so the struct can be reused without clearing.
/// All views borrow the decoded bytes (until the transport's next read, or the end of a callback).
struct Msg {
    MsgClass cls = MsgClass::Update;
    std::uint8_t domain = kMarketPriceDomain;
    std::uint16_t flags = 0;  ///< wire flags of the class
    std::int32_t streamId = 0;
    DataType containerType = DataType::NoData;
    Bytes payload;

    // --- class specific
    std::uint8_t updateType = 0;
    std::uint8_t nakCode = 0;
    std::uint8_t priorityClass = 1;
    std::uint16_t priorityCount = 1;
    std::uint16_t conflationCount = 0, conflationTime = 0;
    std::uint16_t partNum = 0;
    std::uint16_t postUserRights = 0;
    std::uint32_t seqNum = 0, secondarySeqNum = 0;
    std::uint32_t ackId = 0, postId = 0;
    std::uint32_t postUserAddress = 0, postUserId = 0;
    Qos qos, worstQos;
    State state;
    Bytes groupId, permData, extendedHeader, text;
    MsgKey key;
    MsgKey reqKey;  ///< decoded where a peer sends it, never encoded
    Bytes raw;      ///< the whole message as decoded; empty on messages being built

    /// Whether one of these flags of the class is set.
    [[nodiscard]] constexpr bool has(std::uint16_t f) const noexcept { return (flags & f) != 0; }
    [[nodiscard]] constexpr bool hasKey() const noexcept { return asks(detail::hasKey); }  ///< whether there is a key
    /// Whether there is a state.
    [[nodiscard]] constexpr bool hasState() const noexcept { return asks(detail::hasState); }
    /// Whether there is a quality of service.
    [[nodiscard]] constexpr bool hasQos() const noexcept { return asks(detail::hasQos); }
    /// Whether there is a sequence number.
    [[nodiscard]] constexpr bool hasSeqNum() const noexcept { return asks(detail::hasSeqNum); }
    /// Whether there is a part number.
    [[nodiscard]] constexpr bool hasPartNum() const noexcept { return asks(detail::hasPartNum); }
    /// Whether there are permissions.
    [[nodiscard]] constexpr bool hasPermData() const noexcept { return asks(detail::hasPermData); }
    /// Whether there is an item group.
    [[nodiscard]] constexpr bool hasGroupId() const noexcept { return asks(detail::hasGroupId); }
    /// Whether the poster is named.
    [[nodiscard]] constexpr bool hasPostUserInfo() const noexcept { return asks(detail::hasPostUserInfo); }
    /// Whether there is an extended header.
    [[nodiscard]] constexpr bool hasExtendedHeader() const noexcept { return asks(detail::hasExtendedHeader); }
    /// Whether the stream is private.
    [[nodiscard]] constexpr bool isPrivate() const noexcept { return asks(detail::isPrivate); }

private:
    [[nodiscard]] constexpr bool asks(const detail::ClassFlags& f) const noexcept {
        return ((flags | 0x8000u) & f[static_cast<std::size_t>(cls) % f.size()]) != 0;
    }
};

/// Decodes the header; the payload stays a view. Late members that old senders leave out have their flag cleared (4.4).
/// Never reads past `in`; any length inside is checked against the header, the key and the message.
[[nodiscard]] Error decodeMsg(Bytes in, Msg& out) noexcept;
/// The content of a key on its own, without the size that stands before it in a message.
[[nodiscard]] Error decodeKey(Bytes in, MsgKey& out) noexcept;

/// What stands at fixed places of every message.
struct MsgHead {
    MsgClass cls = MsgClass::Update;
    std::uint8_t domain = 0;
    std::int32_t streamId = 0;
};
/// Class, domain and stream id without a full decode, for dispatching. The rest of the message is not looked at.
[[nodiscard]] inline Result<MsgHead> peekMsg(Bytes in) noexcept {
    if (in.size() < 8) return Error{Errc::truncated, static_cast<std::uint32_t>(in.size())};
    const unsigned cls = loadBe<std::uint8_t>(in.data() + 2) & 0x1Fu;
    if (cls == 0 || cls > 8) return Error{Errc::badValue, 2};
    return MsgHead{static_cast<MsgClass>(cls), loadBe<std::uint8_t>(in.data() + 3),
                   static_cast<std::int32_t>(loadBe<std::uint32_t>(in.data() + 4))};
}

/// Writes header and payload in one pass, applying the clean-up of rwf.md 4.2 (flags without content are cleared).
/// msg.flags says which optional members are written. Returns Errc::noSpace / outOfRange without partial output being
/// used: the writer is rolled back to where it stood.
[[nodiscard]] Error encodeMsg(BeWriter& out, const Msg& msg) noexcept;
/// Header alone, for messages whose payload is written behind it by the caller.
[[nodiscard]] Error encodeMsgHeader(BeWriter& out, const Msg& msg) noexcept;
/// An upper bound of encodeMsg's size for this message, cheap to compute; for reserving output.
[[nodiscard]] std::size_t maxEncodedSize(const Msg& msg) noexcept;
/// Writes the bare key content (without the size that stands before it in a message).
void encodeKeyContent(BeWriter& out, const MsgKey& key) noexcept;

/// Whether stream and data state are defined values. Unspecified is one: it says nothing.
[[nodiscard]] constexpr bool isDefined(const State& state) noexcept {
    return state.stream <= StreamState::redirected && state.data <= DataState::suspect;
}

/// The message carries an undefined state: malformed wherever messages enter, though its header can be decoded.
[[nodiscard]] constexpr bool hasUndefinedState(const Msg& msg) noexcept {
    return msg.hasState() && !isDefined(msg.state);
}

}  // namespace emissary::eta::codec
