// The status on the login stream and the close code of each reason.
#include "hub/client/Ending.h"

#include "eta/codec/Msg.h"

#include <utility>

namespace emissary::hub::client {

namespace {

using eta::codec::StreamState::closed;
using eta::codec::StreamState::closedRecover;
namespace data = eta::codec::DataState;
namespace close_code = reactor::close_code;

constexpr std::uint8_t kNone = 0, kNotEntitled = 3, kUsageError = 5, kNoResources = 12, kMaxLogins = 31;

/// By EndReason. Logins puts the state of a login that was refused in the place of the one here.
// Columns: stream state, data state, status code, close code for WebSocket, and the flag of reactor::ClientFarewell.
// closedRecover lets the consumer connect again at once, here or elsewhere; closed says that doing so would fail again.
constexpr std::array<reactor::ClientFarewell, kEndReasonNames.size()> kRows{{
    {},                                                                         // lost
    {closed, data::suspect, kUsageError, close_code::policy, false},            // loginRefused
    {closed, data::suspect, kUsageError, close_code::policy, false},            // requestRate
    {closedRecover, data::suspect, kNoResources, close_code::slow, true},       // slow
    {closedRecover, data::suspect, kNoResources, close_code::restart, false},   // drained
    {},                                                                         // publisher
    {closedRecover, data::suspect, kNoResources, close_code::internal, true},   // memory
    {closed, data::ok, kMaxLogins, close_code::policy, false},                  // silent
    {closed, data::ok, kNotEntitled, close_code::expired, false},               // expired
    {closed, data::suspect, kUsageError, close_code::policy, false},            // limit
    {closedRecover, data::suspect, kNoResources, close_code::internal, false},  // fault
    {closed, data::suspect, kNone, close_code::policy, false},                  // ejected
    {closed, data::suspect, kUsageError, close_code::policy, false},            // textLimit
}};

}  // namespace

Ending endingOf(EndReason reason, std::string text) {
    return {reason, std::move(text), kRows[static_cast<std::size_t>(reason)]};
}

// The role ends a client only for one of these causes; everything else is named by a room before.
EndReason reasonOf(const reactor::ClientFarewell& said) noexcept {
    return said.overTextLimit                       ? EndReason::textLimit
           : said.closeCode == close_code::slow     ? EndReason::slow
           : said.closeCode == close_code::internal ? EndReason::fault
                                                    : EndReason::limit;
}

}  // namespace emissary::hub::client
