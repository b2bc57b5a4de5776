// Messages to the provider about streams: requests for images, changes, closes.
#pragma once

#include "watchlist/RequestTimeouts.h"
#include "watchlist/Views.h"

#include <functional>

namespace emissary::reactor::consumer {

/// Session lock held throughout.
class WireRequests {
public:
    WireRequests(const Context& context, StreamTable& streams, Views& views, RequestTimeouts& timeouts)
        : context_(context), streams_(streams), views_(views), timeouts_(timeouts) {}

    /// Asks for an image, on a new stream id when the stream has none; everybody who wants one waits for it from here
    /// on.
    void askImage(Stream& s);
    /// A part of the image came: there is as much time for the next one.
    void expectMore(Stream& s) { timeouts_.start(s); }
    /// After sharers came, left or changed: tells the provider when priority, pause or view are different now.
    void reissueIfChanged(Stream& s);
    /// The request as the stream stands; borrows the stream.
    void write(const Stream& s, eta::codec::Msg& m);
    void close(const Stream& s) { send(closeOf(s.wireId, s.domain)); }
    /// A final message came, and may have crossed a change of the stream, which the provider must not keep open.
    void closeIfCrossed(const Stream& s) {
        if (s.said.changed && s.life.onWire()) close(s);
    }
    /// A final message that crosses a reissue must not leave the provider believing that the stream is open.
    void answerUnknown(const eta::codec::Msg& msg);

private:
    [[nodiscard]] static eta::codec::Msg closeOf(std::int32_t wireId, std::uint8_t domain) noexcept;
    [[nodiscard]] bool wantsPause(const Stream& s) const noexcept;
    void request(Stream& s, bool wantsImage);
    void send(const eta::codec::Msg& m);

    const Context& context_;
    StreamTable& streams_;
    Views& views_;
    RequestTimeouts& timeouts_;
};

}  // namespace emissary::reactor::consumer
