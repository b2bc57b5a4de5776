// The forms in which mounts get a message: numbers, and which one is for whom (hub.md 5.3, 5.4).
#pragma once

#include "hub/core/Client.h"
#include "hub/fanout/outgoing.h"

namespace emissary::hub::fanout {

// Bits of a form's number.
inline constexpr std::size_t kWithKey = 1, kWithConfInfo = 2, kText = 4, kNumbers = 8;
inline constexpr std::size_t kForms = 16;

/// For a mount that wants these (Mount::keyInUpdates, confInfo); `text`: kText and kNumbers of its client.
[[nodiscard]] inline std::size_t formOf(std::uint16_t wants, std::size_t text, const eta::codec::Msg& msg) noexcept {
    const bool key = (wants & Mount::keyInUpdates) != 0;
    if (msg.cls == eta::codec::MsgClass::Update)
        return text | (key ? kWithKey : 0u) | ((wants & Mount::confInfo) != 0 ? kWithConfInfo : 0u);
    return text | kWithConfInfo | (key || namesItem(msg) || keyFlagOf(msg.cls) == 0 ? kWithKey : 0u);
}

/// Part of the form's number that depends on the client alone.
[[nodiscard]] inline std::size_t textOf(const Client& client) noexcept {
    return !client.json ? 0 : client.expandsEnums ? kText : kText | kNumbers;
}

/// Members that updates of the form keep.
[[nodiscard]] inline std::uint16_t wantsOf(std::size_t form) noexcept {
    return static_cast<std::uint16_t>(((form & kWithKey) != 0 ? Mount::keyInUpdates : 0) |
                                      ((form & kWithConfInfo) != 0 ? Mount::confInfo : 0));
}

/// Only refreshes and updates are cut down to a view.
[[nodiscard]] inline bool isViewed(const eta::codec::Msg& msg) noexcept {
    return msg.cls == eta::codec::MsgClass::Update || msg.cls == eta::codec::MsgClass::Refresh;
}

}  // namespace emissary::hub::fanout
