// Requests that stand for several: batches (rdm.md 6.3) and symbol lists that open what they name (rdm.md 6.6).
#pragma once

#include "watchlist/Opening.h"

namespace emissary::reactor::consumer {

/// Session lock held throughout.
class Lists {
public:
    Lists(const Context& context, Services& services, Opening& opening)
        : context_(context), services_(services), opening_(opening) {}

    /// A request whose payload is for this side.
    Handle open(const RequestView& request, const Subscriber& subscriber, Refusal& refusal, bool internal);

    /// A message on a symbol list came to this handle: opens what it names, if that is what the list is for.
    void openDataStreams(Handle list, const eta::codec::Msg& msg, const std::string& serviceName);
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
        std::uint32_t live = 0;              // streams it opened that have not ended
        ItemMap<std::string, Handle> items;  // ended ones are found out when they are needed, see forgetEnded()
        std::size_t sweptAt = 0;             // live entries at the last forgetEnded()
        bool full = false;                   // said so
    };
    void forgetEnded(SymbolList& list);
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
};

}  // namespace emissary::reactor::consumer
