// What is different of a message on the wires of clients (hub.md 5.3).
#pragma once

#include "eta/codec/Msg.h"
#include "hub/core/Mount.h"

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

/// Whether the received bytes may go out, but for the stream id.
[[nodiscard]] inline bool goesAsReceived(const eta::codec::Msg& msg, std::uint16_t service,
                                         std::uint16_t taken) noexcept {
    if (msg.raw.empty() || (msg.flags & taken) != 0) return false;
    const bool keyStays = msg.hasKey() && (taken & eta::codec::UpdateFlag::msgKey) == 0;
    return !keyStays || (msg.key.has(eta::codec::KeyFlag::serviceId) && msg.key.serviceId == service);
}

/// The message to encode where they may not.
[[nodiscard]] inline eta::codec::Msg changed(const eta::codec::Msg& msg, std::uint16_t service,
                                             std::uint16_t taken) noexcept {
    eta::codec::Msg m = msg;
    m.flags &= static_cast<std::uint16_t>(~taken);
    if (msg.hasKey() && (taken & eta::codec::UpdateFlag::msgKey) == 0) {
        m.key.flags |= eta::codec::KeyFlag::serviceId;
        m.key.serviceId = service;
    }
    return m;
}

}  // namespace emissary::hub::fanout
