// Updates without optional members, as nearly all messages of a stream are: written without a walk through what might
// be there (rwf.md 4.1, 4.4).
#pragma once

#include "eta/codec/Msg.h"

#include <cstring>

namespace emissary::eta::codec {

/// Neither a key nor another optional member, and a payload that can be one: then nothing of it can be out of range.
[[nodiscard]] constexpr bool isPlainUpdate(const Msg& m) noexcept {
    constexpr std::uint16_t kMembers = UpdateFlag::extendedHeader | UpdateFlag::permData | UpdateFlag::msgKey |
                                       UpdateFlag::seqNum | UpdateFlag::confInfo | UpdateFlag::postUserInfo;
    return m.cls == MsgClass::Update && (m.flags & kMembers) == 0 && isContainer(m.containerType);
}

/// The header of a plain update has 11 bytes, or 12 when a flag above the lowest seven is set.
inline constexpr std::size_t kPlainUpdateHeader = 12;

/// Whom a message goes to when that does not stand in the message, and about which item it is.
struct StreamAddress {
    std::int32_t streamId = 0;
    std::uint8_t domain = 0;
    Bytes key{};  ///< the content of a key as encodeKeyContent() writes it; empty: none
};

/// Bytes that a key takes beside its content.
inline constexpr std::size_t kKeySize = 2;

/// Writes a plain update, with `to` and `payload` in place of its own, into room for the longest header, the key with
/// its size and the payload; returns its size.
[[nodiscard]] inline std::size_t writePlainUpdate(std::byte* at, const Msg& m, StreamAddress to,
                                                  Bytes payload) noexcept {
    constexpr std::uint16_t kDefined = 0x7FF;  // flags of updates; others are written 0
    const bool keyed = !to.key.empty();
    const auto flags = static_cast<std::uint16_t>((m.flags & kDefined) | (keyed ? UpdateFlag::msgKey : 0));
    const std::size_t wide = flags < 0x80 ? 0 : 1, key = keyed ? kKeySize + to.key.size() : 0;
    storeBe(at, static_cast<std::uint64_t>(9 + wide + key) << 48 | static_cast<std::uint64_t>(MsgClass::Update) << 40 |
                    static_cast<std::uint64_t>(to.domain) << 32 | static_cast<std::uint32_t>(to.streamId));
    storeBe(at + 8, static_cast<std::uint16_t>(wide != 0 ? flags | 0x8000 : flags << 8));
    at[9 + wide] = static_cast<std::byte>(static_cast<unsigned>(m.containerType) - 128u);
    at[10 + wide] = static_cast<std::byte>(m.updateType);
    std::size_t header = kPlainUpdateHeader - 1 + wide;
    if (keyed) {
        storeBe(at + header, static_cast<std::uint16_t>(0x8000 | to.key.size()));
        std::memcpy(at + header + kKeySize, to.key.data(), to.key.size());
        header += key;
    }
    if (!payload.empty()) std::memcpy(at + header, payload.data(), payload.size());
    return header + payload.size();
}

/// The payload as it is written: empty when the message has none, whatever its view refers to.
[[nodiscard]] inline Bytes writtenPayload(const Msg& m) noexcept {
    return m.containerType == DataType::NoData ? Bytes{} : m.payload;
}

}  // namespace emissary::eta::codec
