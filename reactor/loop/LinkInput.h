// The receiving half of a link.
#pragma once

#include "eta/transport/Channel.h"
#include "reactor/LinkLayer.h"
#include "reactor/Reactor.h"

namespace emissary::reactor {

/// Reads the messages of a link and hands them on. Tracks whether messages are pending, and the deadline for the peer's
/// close once the socket can no longer be written. A part of its link, and destroyed with it. Guarded by the session
/// lock; readMessages() on the dispatching thread only.
struct LinkInput {
    explicit LinkInput(Link::Impl& l) noexcept : link(l) {}
    LinkInput(const LinkInput&) = delete;
    LinkInput& operator=(const LinkInput&) = delete;

    Link::Impl& link;
    bool inReady = false;                     ///< on the list of links with buffered messages
    TimePoint drainUntil = TimePoint::max();  ///< a write failed: deadline for the end of the input
    ReceivedText text;                        ///< of a layer; the channel is not read while some of it is left
    bool* gone = nullptr;                     ///< set while a callback runs; true once the link is destroyed

    /// Reads up to `max` messages; stops when closed, destroyed or empty. After `*gone` *this must not be used.
    int readMessages(int max);

private:
    [[nodiscard]] int readText(const bool* destroyed);
    [[nodiscard]] bool lookAhead(int& ahead) noexcept;
    void warn(const eta::transport::ReadResult& result);
    [[nodiscard]] bool drainedBy(TimePoint now, bool more) const noexcept;
};

}  // namespace emissary::reactor
