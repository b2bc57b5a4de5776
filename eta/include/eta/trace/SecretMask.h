// Messages for people, without what nobody may read in them: tokens and passwords (xml-trace.md 7).
#pragma once

#include "eta/codec/Types.h"
#include "eta/core/bytes.h"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::eta::trace {

/// Whether an element of that name holds a secret: AuthenticationToken, AuthenticationExtended, and every name with
/// "token", "passw", "pwd", "secret", "credential" or "cookie" in it, whatever its case.
[[nodiscard]] bool isSecretElement(std::string_view name) noexcept;

/// Makes copies of messages in which every byte of a secret text is '*' and every byte of another secret value is zero;
/// lengths stay. Secret are the values of secret elements at any depth, names of logins that are tokens or cookies
/// (name types 3, 4 and 5), and, in login messages, a secret that an earlier message gave, wherever it stands. Of what
/// cannot be decoded, the rest behind the last good entry is a secret when it belongs to a login or has the name of a
/// secret in it.
///
/// One for each connection, used by one thread at a time. What the functions return is the message itself or lives
/// until the next call. They throw std::bad_alloc.
class SecretMask {
public:
    /// RWF of that type, a message or a container. A primitive is returned as it is.
    [[nodiscard]] Bytes rwf(Bytes bytes, codec::DataType type = codec::DataType::Msg);
    /// One text of the JSON protocol, good or bad.
    [[nodiscard]] Bytes json(Bytes text);
    /// Bytes of an unknown protocol: the whole is hidden when it has the name of a secret in it.
    [[nodiscard]] Bytes unknown(Bytes bytes);

private:
    class Walk;
    /// Room for changes: the copy of the message.
    std::byte* writable(Bytes message);
    void hide(Bytes message, Bytes part, std::byte with);
    /// Remembers a secret of a login, so that an answer that repeats it does not show it. The latest few are kept.
    void remember(std::string_view secret);
    /// Hides what was remembered.
    void hideRemembered(Bytes message);
    [[nodiscard]] Bytes result(Bytes message) const noexcept { return changed_ ? Bytes(copy_) : message; }

    std::vector<std::byte> copy_;
    bool changed_ = false;
    std::deque<std::string> remembered_;
};

}  // namespace emissary::eta::trace
