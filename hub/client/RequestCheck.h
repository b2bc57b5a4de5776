// hub/client: the check of item requests: who may have which item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace emissary::hub::client {

/// An item that a client asks for, or has. The views are good until the call returns.
struct RequestAsk {
    std::string_view user, position, application;  ///< of the client's login
    std::span<const std::string> groups{};         ///< of the user, as the login check said
    std::string_view service;                      ///< its name
    std::string_view name;                         ///< of the item
    std::uint8_t nameType = 1;                     ///< rdm.md 1.6
    std::uint8_t domain = 0;
    bool isPrivate = false;  ///< a private stream
    /// Permission data of the item, where the hub has it already.
    std::span<const std::byte> permData{};
};

/// The answer to a RequestAsk.
struct RequestVerdict {
    bool granted = true;
    std::string text;  ///< why it is not granted, the end of a sentence for the client; empty = the usual one
    /// Not granted, because nobody could say at the moment: the client may ask again, and open items stay.
    bool unavailable = false;
};

/// Takes verdicts that come later.
class RequestVerdicts {
public:
    /// On the reactor's thread, with the session lock held, and not from inside RequestCheck::check(). A ticket that is
    /// not open any more is ignored.
    virtual void onVerdict(std::uint64_t ticket, RequestVerdict verdict) = 0;

protected:
    ~RequestVerdicts() = default;
};

/// Implemented by whatever knows what users may have; see HubOptions::requestCheck. All calls on the reactor's thread,
/// with the session lock held.
class RequestCheck {
public:
    virtual ~RequestCheck() = default;
    /// The verdict, or nothing: it comes later to `to`, under this ticket. No source is asked before that. A ticket
    /// without an answer ends by ClientOptions::requestCheckTimeout: the request is refused, and may be tried again.
    [[nodiscard]] virtual std::optional<RequestVerdict> check(const RequestAsk& ask, std::uint64_t ticket,
                                                              RequestVerdicts& to) = 0;
    /// Nobody waits for this ticket any more: the client has left, the request was closed or took too long, or the hub
    /// stops.
    virtual void cancel(std::uint64_t ticket) noexcept = 0;
    /// Rights have changed (Hub::recheck()): whether a client may keep an item that it was granted. Answered at once;
    /// `unavailable` keeps it.
    [[nodiscard]] virtual RequestVerdict stillGranted(const RequestAsk& ask) = 0;
};

}  // namespace emissary::hub::client
