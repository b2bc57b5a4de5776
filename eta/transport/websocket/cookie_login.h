// eta/transport/websocket: the login that a browser's cookies stand for (hub.md 2.2).
#pragma once

#include "eta/core/bytes.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace emissary::eta::transport::ws {

/// The value of a cookie in a Cookie header, without the quotes around it; empty: it is not there. Of two with one name
/// the first counts, which is the one that a browser thinks more specific (RFC 6265, 5.4).
[[nodiscard]] std::string_view cookieNamed(std::string_view header, std::string_view name) noexcept;

struct CookieLogin {
    std::string text;   ///< JSON, as if the client had sent it, with stream id -1; empty: the cookies are no login
    std::string fault;  ///< a sentence, which does not show the value; the text is empty then
};
/// `names`: of the cookies with the token, the position and the application id; the last two may be left out.
[[nodiscard]] CookieLogin loginOf(std::string_view header, const std::vector<std::string>& names);

/// The login while it waits to be read, as what the peer sends. It is a secret, so it is wiped when it is over.
class FirstMessage {
public:
    FirstMessage() = default;
    FirstMessage(const FirstMessage&) = delete;
    FirstMessage& operator=(const FirstMessage&) = delete;
    FirstMessage(FirstMessage&& from) noexcept { *this = std::move(from); }
    /// Swaps, so that what was here is wiped with `from`.
    FirstMessage& operator=(FirstMessage&& from) noexcept {
        std::swap(text_, from.text_);
        std::swap(read_, from.read_);
        return *this;
    }
    ~FirstMessage() { drop(); }

    void put(std::string text) noexcept { text_ = std::move(text); }
    [[nodiscard]] bool waits() const noexcept { return held() && !read_; }
    [[nodiscard]] bool held() const noexcept { return !text_.empty(); }
    /// Stays where it is until drop().
    [[nodiscard]] Bytes read() noexcept {
        read_ = true;
        return asBytes(text_);
    }
    void drop() noexcept;

private:
    std::string text_;
    bool read_ = false;
};

}  // namespace emissary::eta::transport::ws
