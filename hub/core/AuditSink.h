// What goes into the audit log: one call for each event, from whichever room it happens in.
#pragma once

#include <cstdint>
#include <string_view>

namespace emissary::hub {

struct Client;

/// One event. The views are good until the call returns. Names are as the peer sent them, of any length and with any
/// bytes; no field ever has a password or a token.
struct AuditEvent {
    enum class Kind : std::uint8_t {
        started,           ///< the hub
        stopped,           ///< the hub
        login,             ///< of a consumer, accepted
        loginRenewed,      ///< a reissue with another token, accepted
        loginRefused,      ///< of a consumer, the first one or a reissue
        logout,            ///< the consumer has closed its login or its connection, or the connection was lost
        disconnected,      ///< the hub has ended a consumer's connection
        requestRefused,    ///< of an item
        itemWithdrawn,     ///< an open stream was closed, since its user may not have the item any more
        postRefused,       ///< by the hub or by the source
        publisherLogin,    ///< of a publisher, accepted
        publisherRefused,  ///< login of a publisher
        publisherLogout,   ///< the publisher's connection has ended
        admin,             ///< somebody who operates the hub has asked for something
        reread,            ///< files of users, keys or rules were read again, and are in use
        rereadRefused,     ///< the same, but a file has errors, so that what was read before stays in use
        adminRefused,      ///< somebody has asked for what only an operator of the hub may have
        offerRefused,      ///< a publisher offers a service that it may not, or not any more
    };
    Kind kind{};
    const Client* client = nullptr;                  ///< whose user, address and position are meant; null: of nobody
    std::string_view user{}, address{}, position{};  ///< instead of the client's, where they are not empty
    std::string_view service{}, item{};
    std::string_view code{};         ///< a word for the reason, as the label of its count says it
    std::string_view text{};         ///< a sentence for the reason
    std::string_view parameter{};    ///< the parameter that decided
    std::string_view certificate{};  ///< subject of the peer's, instead of the client's, where it is not empty
};

/// Implemented by hub/audit. Stage thread only, with the session lock held.
class AuditSink {
public:
    virtual void audit(const AuditEvent& event) noexcept = 0;

protected:
    ~AuditSink() = default;
};

}  // namespace emissary::hub
