// The receiving half of a link.
#pragma once

#include "eta/transport/Channel.h"
#include "reactor/Reactor.h"

namespace emissary::reactor {

/// Reads the messages of a link and hands them on. Knows whether some wait to be read, and how long the end of a
/// connection is waited for that cannot be written any more. Guarded by the session lock; a part of its link, and
/// destroyed with it.
struct LinkInput {
    explicit LinkInput(Link::Impl& l) noexcept : link(l) {}
    LinkInput(const LinkInput&) = delete;
    LinkInput& operator=(const LinkInput&) = delete;

    Link::Impl& link;
    bool inReady = false;                     ///< on the list of links with buffered messages
    TimePoint drainUntil = TimePoint::max();  ///< a write failed: how long the end of what was received is waited for
    bool* gone = nullptr;                     ///< set while a callback runs; told when the link is destroyed meanwhile

    /// Reads up to `max` messages; stops when closed, destroyed or empty. `gone` means *this is no more.
    int readMessages(int max);

private:
    void warn(const eta::transport::ReadResult& result);
    [[nodiscard]] bool drainedBy(TimePoint now, bool more) const noexcept;
};

}  // namespace emissary::reactor
