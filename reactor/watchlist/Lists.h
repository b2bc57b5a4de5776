// Requests that stand for several: batches (rdm.md 6.3) and symbol lists that open what they name (rdm.md 6.6).
#pragma once

#include "reactor/TurnShare.h"
#include "watchlist/Opening.h"

#include <deque>
#include <string>

namespace emissary::reactor::consumer {

/// Session lock held throughout.
class Lists {
public:
    Lists(const Context& context, Services& services, Opening& opening)
        : context_(context), services_(services), opening_(opening), share_(context.reactor, kOfTurn) {}
    ~Lists() { stop(); }
    Lists(const Lists&) = delete;
    Lists& operator=(const Lists&) = delete;

    /// A request whose payload is for this side.
    Handle open(const RequestView& request, const Subscriber& subscriber, Refusal& refusal, bool internal);

    /// A message on a symbol list came to this handle: opens what it names, if that is what the list is for. It may
    /// name a hundred thousand: beyond a share of the turn the rest is opened in the next ones.
    void openDataStreams(Handle list, const eta::codec::Msg& msg, const std::string& serviceName);
    /// The role is over: what was named and is not open yet is not opened.
    void stop() noexcept { context_.reactor.cancelTimer(std::exchange(timer_, 0)); }
    /// A snapshot of a symbol list is over with its refresh; the streams that it opened go on under its handle.
    [[nodiscard]] static bool outlives(const Request& r, const eta::codec::Msg& msg) noexcept {
        return r.opensData && msg.cls == eta::codec::MsgClass::Refresh &&
               msg.state.stream == eta::codec::StreamState::nonStreaming;
    }
    /// A request is no more, and so is what depends on it.
    void released(const Request& r);

    void trim() noexcept {
        trimTable(batches_);
        trimTable(lists_);
    }
    [[nodiscard]] std::size_t places() const noexcept { return batches_.bucket_count() + lists_.bucket_count(); }

private:
    struct SymbolList {
        DataStreams mode = DataStreams::none;
        std::uint32_t live = 0;              // streams it opened that have not ended, and those that wait
        ItemMap<std::string, Handle> items;  // ended ones are found out when they are needed, see forgetEnded()
        std::size_t sweptAt = 0;             // live entries at the last forgetEnded()
        std::deque<std::string> waiting;     // named, and to be opened in this order; kWaits in `items`
        std::string service;                 // whose they are
        bool full = false;                   // said so
    };
    static constexpr Handle kWaits = ~Handle{0};  // of a stream that is going to be opened; no handle is so
    static constexpr std::chrono::milliseconds kOfTurn{2};
    [[nodiscard]] bool isOpen(Handle item) { return item == kWaits || context_.requests.find(item) != nullptr; }
    void forgetEnded(SymbolList& list);
    void note(SymbolList& list, const eta::codec::Msg& msg);
    void openOn();
    void openFirst(Handle list);
    Handle openOne(const RequestView& request, const Subscriber& subscriber, Refusal& refusal,
                   const Opening::Traits& traits);
    Handle openBatch(const RequestView& request, const Subscriber& subscriber, Refusal& refusal,
                     const std::vector<Bytes>& names, const Opening::Traits& traits);
    void releaseParent(Handle parent, Request::Kind kind);

    const Context& context_;
    Services& services_;
    Opening& opening_;
    ItemMap<Handle, std::uint32_t> batches_;  // items that have not ended
    ItemMap<Handle, SymbolList> lists_;
    std::deque<Handle> due_;  // lists in which some wait, or that are no more
    TurnShare share_;
    TimerId timer_ = 0;
};

}  // namespace emissary::reactor::consumer
