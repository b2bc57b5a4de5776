// Incoming messages on item streams, and their way to the sharers.
#pragma once

#include "watchlist/Lists.h"
#include "watchlist/Posts.h"

#include <vector>

namespace emissary::reactor::consumer {

struct RefreshAnswer;

/// Session lock held throughout; messages come on the dispatching thread.
///
/// A callback may close any handle. So every delivery first brings the records into their new state, then calls; a
/// stream that dies meanwhile keeps its memory (Stream::busy) until the delivery is over.
class Delivery {
public:
    Delivery(const Context& context, StreamTable& streams, WireRequests& wire, Recovery& recovery, Posts& posts,
             Lists& lists)
        : context_(context), requests_(context.requests), sink_(context.sink), streams_(streams), wire_(wire),
          recovery_(recovery), posts_(posts), lists_(lists) {}

    // --- from the peer
    void onMessage(eta::codec::Msg& msg);
    /// The peer sent something undecodable on this stream.
    void onMalformed(std::int32_t wireId);

    // --- made up here
    /// The request for an image was not answered in time.
    void onTimeout(Stream& s);
    /// As if it had come from the peer; askAgain() has to follow.
    void onStatus(Stream& s, eta::codec::Msg& msg);
    /// As if the peer had ended the stream, but it may come back; askAgain() has to follow.
    void endRecoverably(Stream& s, eta::codec::Msg& msg);
    /// To every sharer, in the order of opening. The stream is busy.
    void toAll(Stream& s, eta::codec::Msg& msg, bool ends);
    /// The posts that wait on streams of a service that is gone get their naks.
    void serviceLost(const ServiceEntry& service);
    /// To one handle.
    void toOne(Request& r, eta::codec::Msg& msg);

    [[nodiscard]] std::uint64_t droppedEarly() const noexcept { return droppedEarly_; }
    void trim() noexcept { trimVector(targets_); }

private:
    struct Target {
        Handle handle;
        bool ends;
    };
    void toStream(Stream& s, eta::codec::Msg& msg);
    void onUpdate(Stream& s, eta::codec::Msg& msg);
    void onSharedUpdate(Stream& s, eta::codec::Msg& msg);
    void onRefresh(Stream& s, eta::codec::Msg& msg);
    void afterAnswer(Stream& s, const RefreshAnswer& answer);
    void status(Stream& s, eta::codec::Msg& msg);
    void onAck(Stream& s, eta::codec::Msg& msg);
    [[nodiscard]] bool answerPosts(Stream& s);
    [[nodiscard]] bool answeredUnsolicited(Stream& s);
    void closed(Stream& s, eta::codec::Msg& msg);
    void closedRecover(Stream& s, eta::codec::Msg& msg);
    void closedSuspect(Stream& s, eta::codec::Msg& msg);
    void deliver(Stream& s, Request& r, eta::codec::Msg& msg, bool ends);
    void deliverList(Stream& s, eta::codec::Msg& msg, std::size_t from, bool complete);

    /// All goes on as it came (WatchlistOptions::relay).
    [[nodiscard]] bool relay() const noexcept { return context_.options.relay; }

    const Context& context_;
    RequestTable& requests_;
    ConsumerSink& sink_;
    StreamTable& streams_;
    WireRequests& wire_;
    Recovery& recovery_;
    Posts& posts_;
    Lists& lists_;
    std::vector<Target> targets_;     // a stack: a delivery that starts inside another one goes on top
    std::uint64_t droppedEarly_ = 0;  // updates before the first refresh
};

}  // namespace emissary::reactor::consumer
