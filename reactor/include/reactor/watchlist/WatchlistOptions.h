// How item streams are requested and recovered, and the types that the watchlist shares with its users.
#pragma once

#include "reactor/session/LoginOptions.h"
#include "reactor/session/session_types.h"

#include <chrono>
#include <cstdint>

namespace emissary::reactor::consumer {

using session::ConnectionEvent;
using session::Handle;
using session::JsonFailure;
using session::Recipient;
using session::Refusal;
using session::RequestView;
using session::Subscriber;
using ConsumerSink = session::ClientSink;

/// The part of ConsumerOptions that concerns items.
struct WatchlistOptions {
    /// Before an item or directory stream that ended recoverably again and again is asked for once more: not at all the
    /// first time, then from the shortest, doubling up to the longest. 0 = at once, always.
    std::chrono::milliseconds recoveryMinDelay{100}, recoveryMaxDelay{5000};
    std::chrono::milliseconds requestTimeout = session::kRequestTimeout, postAckTimeout{15000};  ///< 0 = none
    /// That an item waits for a service which no directory has listed yet; then it is closed. 0 = until it comes.
    std::chrono::milliseconds serviceWait{0};
    std::uint32_t maxOutstandingPosts = 100000;
    bool obeyOpenWindow = true, msgKeyInUpdates = true;
    /// The user passes on what it gets and keeps books of its own. An item gets all that comes on its stream, as it
    /// came: updates before or between refreshes, refreshes with the flags that they have. Posts are not remembered:
    /// acks go to the item whose stream they come on, or to the login clients.
    bool relay = false;
    std::uint32_t itemCountHint = 100000;
};

}  // namespace emissary::reactor::consumer
