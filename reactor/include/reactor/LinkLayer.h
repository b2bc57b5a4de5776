// A layer between a link and its handler, for messages that have another form on the wire than RWF.
#pragma once

#include "reactor/Reactor.h"

#include <string>

namespace emissary::reactor {

/// A text of the peer, in the channel's buffer until the channel is read again, and what was done of it.
struct ReceivedText {
    Bytes text;
    std::size_t done = 0;        ///< bytes
    std::uint32_t messages = 0;  ///< of an array: that were begun
    std::uint32_t refused = 0;   ///< of them
    /// Not all is done.
    [[nodiscard]] bool left() const noexcept { return done < text.size(); }
};

/// A link as its layer sees it during one call of the layer. It may be copied, but must not be kept beyond the call.
class LinkBelow {
public:
    /// The link itself; not once up() is false.
    [[nodiscard]] Link& link() const noexcept;
    /// The handler that gets the link's messages. Not after up() has become false.
    [[nodiscard]] LinkHandler& handler() const noexcept;
    [[nodiscard]] TimePoint now() const noexcept;  ///< of the current turn
    /// False once a callback has closed or destroyed the link. Then only up() may still be called.
    [[nodiscard]] bool up() const noexcept;
    /// The role wants nothing more of the peer for now; not once up() is false.
    [[nodiscard]] bool held() const noexcept;
    /// Hands one RWF message to the handler and lets waiting threads in. False: see up().
    [[nodiscard]] bool deliver(Bytes message) const;
    /// Queues a message as it stands on the wire.
    Error write(Bytes message) const noexcept;
    /// Ends the connection; the handler gets this reason. A WebSocket is closed with `code` (close_code) and as much of
    /// the reason as its close frame holds.
    void down(const std::string& reason, std::uint16_t code) const;

private:
    friend class Link;
    explicit LinkBelow(Link::Impl& link, const bool* gone = nullptr) noexcept : impl_(&link), gone_(gone) {}
    Link::Impl* impl_;
    const bool* gone_;  // tells when the link was destroyed
};

/// Converts both ways for every link of one reactor whose messages are not RWF on the wire; links that carry RWF never
/// meet it. Called with the session lock held.
class LinkLayer {
public:
    virtual ~LinkLayer() = default;
    /// Delivers messages of a received text, in order: all that are left, or as many as belong into one turn of the
    /// loop. It is called again for the rest. Returns how many there were. `received` is the link's: not to be used
    /// once the link is destroyed.
    virtual int receive(LinkBelow link, ReceivedText& received) = 0;
    /// Converts and queues one message; an error leaves nothing of it behind.
    virtual Error send(LinkBelow link, const eta::codec::Msg& msg) noexcept = 0;
    /// The same for a message that is encoded already.
    virtual Error send(LinkBelow link, Bytes message) noexcept = 0;
    /// A packed body ({u16 length, message}...).
    virtual Error sendPacked(LinkBelow link, Bytes body) noexcept = 0;
    /// `what` could not be sent; see Link::tellUnsent.
    virtual void unsent(LinkBelow link, const std::string& what, Errc why) = 0;
};

}  // namespace emissary::reactor
