// The handles of a stream: joining, leaving, and the statuses made on this side.
#pragma once

#include "watchlist/WireRequests.h"

#include <string>

namespace emissary::reactor::consumer {

/// Session lock held throughout.
class Sharers {
public:
    Sharers(const Context& context, Views& views, WireRequests& wire) : context_(context), views_(views), wire_(wire) {}

    /// Becomes the last sharer.
    static void append(Stream& s, Request& r) noexcept;
    /// From the stream that it is on, if any.
    static void unlink(Request& r) noexcept;
    static void allPending(Stream& s) noexcept {
        for (Request* r = s.first(); r != nullptr; r = s.after(*r))
            r->state = Request::State::pending;
    }
    /// Joins a stream that has sharers, and sends the requests that this needs.
    void join(Stream& s, Request& r);
    /// All sharers move to another stream of the same key.
    void move(Stream& from, Stream& to);
    /// Queues a status made here; the callback runs on the dispatching thread.
    void tell(const Stream& s, const Request& r, std::uint8_t stream, std::uint8_t code, std::string text);
    void tellAll(const Stream& s, std::uint8_t stream, std::string_view text) {
        for (const Request* r = s.first(); r != nullptr; r = s.after(*r))
            tell(s, *r, stream, 0, std::string(text));
    }
    /// Queues a refusal for all sharers of a stream that was never requested.
    void refuseAll(Stream& s, std::string_view text);

private:
    const Context& context_;
    Views& views_;
    WireRequests& wire_;
};

}  // namespace emissary::reactor::consumer
