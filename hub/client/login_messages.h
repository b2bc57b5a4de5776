// The answers to logins (hub.md 2.1).
#pragma once

#include "eta/transport/Channel.h"
#include "hub/client/ClientOptions.h"
#include "hub/client/LoginCheck.h"
#include "hub/client/client_counts.h"
#include "reactor/rdm/Login.h"

namespace emissary::hub::client {

/// The state of a login that is not taken.
struct LoginRefusal {
    std::uint8_t stream, data, code;
    const char* text;
};
[[nodiscard]] LoginRefusal refusalOf(LoginResult result) noexcept;
[[nodiscard]] LoginResult resultOf(LoginVerdict::Kind kind) noexcept;

/// The attributes of the refresh, element by element in the order of hub.md 2.1.
[[nodiscard]] eta::Error encodeLoginAnswer(eta::BeWriter& out, const reactor::rdm::LoginAttributes& asked,
                                           const ClientOptions& options) noexcept;
/// The payload of the refresh towards JSON clients: the largest text that is taken from them, and when silence ends
/// the connection.
[[nodiscard]] eta::Error encodeChannelLimits(eta::BeWriter& out, const eta::transport::ChannelInfo& info,
                                             std::uint64_t maxMessageBytes) noexcept;

/// The key of the answer: name and name type as requested, without the name where that is a token's.
[[nodiscard]] eta::codec::MsgKey answerKey(const eta::codec::MsgKey& request) noexcept;

/// What a check is asked. The address is the connection's.
[[nodiscard]] LoginAsk askOf(const eta::codec::MsgKey& key, const reactor::rdm::LoginAttributes& attributes);

/// Bit n: updates of type n are wanted (rdm.md 2.1, UpdateTypeFilter and NegativeUpdateTypeFilter).
[[nodiscard]] inline std::uint64_t updateTypesOf(const reactor::rdm::LoginAttributes& a) noexcept {
    return a.updateTypeFilter.value_or(~0ull) & ~a.negativeUpdateTypeFilter.value_or(0);
}

}  // namespace emissary::hub::client
