// The differences of a message on the wires of clients (hub.md 5.3).
#pragma once

#include "eta/codec/Msg.h"
#include "hub/core/Mount.h"

#include <string_view>

namespace emissary::hub::fanout {

/// Flags of members that updates lose for a mount that wants these (Mount::keyInUpdates, Mount::confInfo).
[[nodiscard]] inline std::uint16_t takenFrom(const eta::codec::Msg& msg, std::uint16_t wants) noexcept {
    using namespace eta::codec;
    if (msg.cls != MsgClass::Update) return 0;
    std::uint16_t taken = 0;
    if ((wants & Mount::keyInUpdates) == 0) taken |= UpdateFlag::msgKey;
    if ((wants & Mount::confInfo) == 0) taken |= UpdateFlag::confInfo;
    return taken;
}

/// The message says which item it is about.
[[nodiscard]] inline bool namesItem(const eta::codec::Msg& msg) noexcept {
    return msg.hasKey() && msg.key.has(eta::codec::KeyFlag::name);
}

/// Flag of a message whose key a mount may want (Mount::keyInUpdates); 0 for classes that go out with what they have.
[[nodiscard]] inline std::uint16_t keyFlagOf(eta::codec::MsgClass cls) noexcept {
    using namespace eta::codec;
    switch (cls) {
    case MsgClass::Refresh:
        return RefreshFlag::msgKey;
    case MsgClass::Status:
        return StatusFlag::msgKey;
    case MsgClass::Update:
        return UpdateFlag::msgKey;
    default:
        return 0;
    }
}

/// Whether the item's key has to be put in for a mount that wants these.
[[nodiscard]] inline bool lacksKey(const eta::codec::Msg& msg, std::uint16_t wants) noexcept {
    return (wants & Mount::keyInUpdates) != 0 && !namesItem(msg) && keyFlagOf(msg.cls) != 0;
}

/// Whether a key has to get the service id of this side. Generic messages may be about no service: one is never added
/// to them.
[[nodiscard]] inline bool takesService(const eta::codec::Msg& msg) noexcept {
    return msg.key.has(eta::codec::KeyFlag::serviceId) || msg.cls != eta::codec::MsgClass::Generic;
}

/// Whether the received bytes may go out, but for the stream id.
[[nodiscard]] inline bool goesAsReceived(const eta::codec::Msg& msg, std::uint16_t service,
                                         std::uint16_t taken) noexcept {
    if (msg.raw.empty() || (msg.flags & taken) != 0) return false;
    const bool keyStays = msg.hasKey() && (taken & eta::codec::UpdateFlag::msgKey) == 0;
    if (!keyStays || !takesService(msg)) return true;
    return msg.key.has(eta::codec::KeyFlag::serviceId) && msg.key.serviceId == service;
}

/// The message to encode where they may not.
[[nodiscard]] inline eta::codec::Msg changed(const eta::codec::Msg& msg, std::uint16_t service,
                                             std::uint16_t taken) noexcept {
    eta::codec::Msg m = msg;
    m.flags &= static_cast<std::uint16_t>(~taken);
    if (msg.hasKey() && (taken & eta::codec::UpdateFlag::msgKey) == 0 && takesService(msg)) {
        m.key.flags |= eta::codec::KeyFlag::serviceId;
        m.key.serviceId = service;
    }
    return m;
}

/// The same for mounts that want these, of an item with this key.
template <class KeyOf>
[[nodiscard]] eta::codec::Msg changed(const eta::codec::Msg& msg, std::uint16_t service, std::uint16_t wants,
                                      KeyOf keyOf) noexcept {
    eta::codec::Msg m = changed(msg, service, takenFrom(msg, wants));
    if (lacksKey(msg, wants)) {
        m.flags |= keyFlagOf(m.cls);
        m.key = keyOf();
    }
    return m;
}

/// Goes to mounts in place of a message that cannot have the form that they want: without it they would hold what they
/// have for the latest.
[[nodiscard]] inline eta::codec::Msg inPlaceOf(const eta::codec::Msg& msg, std::string_view why) noexcept {
    using namespace eta::codec;
    constexpr std::uint8_t kError = 28;  // rdm.md 1.2
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = msg.domain;
    m.containerType = DataType::NoData;
    m.flags = StatusFlag::state;
    m.state = {StreamState::open, DataState::suspect, kError, eta::asBytes(why)};
    if (msg.hasState() && msg.state.stream == StreamState::nonStreaming) m.state.stream = StreamState::closedRecover;
    else if (msg.hasState() && msg.state.isFinal()) m.state.stream = msg.state.stream;
    return m;
}

inline constexpr std::string_view kNotEncoded =
    "a message of this item cannot be passed on: its source gave it a header that cannot be written";

/// Whether mounts need something in place of this message when it cannot be encoded.
[[nodiscard]] inline bool isMissed(const eta::codec::Msg& msg) noexcept {
    return msg.cls == eta::codec::MsgClass::Refresh || msg.cls == eta::codec::MsgClass::Update;
}

}  // namespace emissary::hub::fanout
