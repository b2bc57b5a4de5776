// The user of a login: names, name types, tokens (rdm.md 2.1, 2.6).
#pragma once

#include "eta/codec/Msg.h"
#include "reactor/rdm/Login.h"

#include <cstddef>
#include <string_view>

namespace emissary::reactor::rdm {

/// The name of a login by authnToken, whose token is an element: one zero byte.
inline constexpr std::string_view kNoLoginName{"\0", 1};
/// Whether such a login's name says nothing; else an older program has put the token there.
[[nodiscard]] constexpr bool isNoLoginName(std::string_view name) noexcept {
    return name.empty() || name == kNoLoginName;
}

/// Whether a login's name is a token or a cookie, which must not stand in a log or in a text for people.
[[nodiscard]] constexpr bool isSecretName(const eta::codec::MsgKey& login) noexcept {
    return login.has(eta::codec::KeyFlag::nameType) &&
           (login.nameType == LoginNameType::userToken || login.nameType == LoginNameType::cookie ||
            login.nameType == LoginNameType::authnToken);
}

/// Whether a login request on a stream that is logged in is for the same user: with the same name type and name, or one
/// that leaves them out. Tokens and cookies may change.
[[nodiscard]] bool sameUser(const eta::codec::MsgKey& first, const eta::codec::MsgKey& again) noexcept;

/// The most that a key can carry beside name and service (rwf.md 4.3).
inline constexpr std::size_t kMostLoginAttributes = 32767 - 24 - 255;
/// Copies attributes (an element list, or nothing) with this token as the element AuthenticationToken, which comes
/// first.
[[nodiscard]] Error copyWithToken(eta::BeWriter& out, Bytes attributes, std::string_view token) noexcept;

}  // namespace emissary::reactor::rdm
