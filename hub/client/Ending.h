// Why connections of consumers end, and the message that each client gets (hub.md 8.4).
#pragma once

#include "reactor/provider/ProviderRole.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace emissary::hub::client {

/// Why a connection ended. Each but `lost` and `publisher` is this side's doing.
enum class EndReason : std::uint8_t {
    lost,          ///< the peer went, or the network
    loginRefused,  ///< its login, or a later one on the same stream
    requestRate,   ///< it sends more than it may
    slow,          ///< it does not read what it is sent
    drained,       ///< the hub goes down
    publisher,     ///< it goes on as a publisher's
    memory,        ///< the system had no memory for it
    silent,        ///< it gave no sign of life, and its user's place was wanted
    expired,       ///< its token has expired
    limit,         ///< a limit of the port: no login in time, an incomplete message, too much that was refused
    fault,         ///< the hub cannot serve it
    ejected,       ///< an operator has ended it
    textLimit,     ///< a JSON message too deep, or with too many values
};
/// Label of counts and pages, by EndReason.
inline constexpr std::array<const char*, 13> kEndReasonNames{
    "lost",   "login_refused", "request_rate", "slow",  "drained", "publisher", "memory",
    "silent", "expired",       "limit",        "fault", "ejected", "json_limit"};

/// The end of one connection: made where it is decided, and the same words for the client, the log and the pages.
struct Ending {
    EndReason reason = EndReason::lost;
    std::string text;  ///< a sentence without its full stop
    reactor::ClientFarewell says;
};

/// The end with the status and the close code that belong to the reason.
[[nodiscard]] Ending endingOf(EndReason reason, std::string text);

/// What the provider role has ended by itself, by the reason that it gave the client.
[[nodiscard]] EndReason reasonOf(const reactor::ClientFarewell& said) noexcept;

}  // namespace emissary::hub::client
