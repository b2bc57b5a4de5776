// The life of a stream: which phases there are, and what leads from one to the other. The chart is in
// docs/watchlist.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace emissary::reactor::consumer {

/// Where a stream is. Everything else that depends on it (lists, index, wire id, open window) follows from the phase.
enum class StreamPhase : std::uint8_t {
    fresh,      ///< made just now; on no list yet
    waiting,    ///< waits until its service can serve it
    pausing,    ///< ended recoverably more than once: rests before it is asked for again
    again,      ///< is asked for again before this call of the peer is over
    queued,     ///< waits for room in the service's open window
    requested,  ///< the first request of this wire stream is out; nothing has come
    receiving,  ///< parts of an image have come, the last one has not
    open,       ///< has its image
    renewing,   ///< has its image, and asked for another one
    closing,    ///< off the wire for good; its sharers are getting the final status
    ended,      ///< no sharer is left; the record goes when the delivery under way is over
};
inline constexpr std::size_t kStreamPhases = 11;

enum class StreamEvent : std::uint8_t {
    unserved,     ///< no service can serve it now
    windowFull,   ///< the service has as many open requests as it wants
    asked,        ///< a request for an image goes out
    part,         ///< a part of the image came, not the last one
    image,        ///< the image is complete
    lost,         ///< its service or connection is gone, or it ended and may come back
    pauseBegins,  ///< it ended too soon after it was asked for
    pauseOver,    ///< that was long enough
    askAgain,     ///< it ended, and somebody wants it still
    over,         ///< it ended for good
    abandoned,    ///< the last of its sharers has left
};
inline constexpr std::size_t kStreamEvents = 11;

[[nodiscard]] const char* name(StreamPhase p) noexcept;
[[nodiscard]] const char* name(StreamEvent e) noexcept;

/// Where an event leads; nothing when it cannot happen in this phase, which is a mistake of this side.
[[nodiscard]] std::optional<StreamPhase> stepFrom(StreamPhase p, StreamEvent e) noexcept;

namespace phases {

using Set = std::uint16_t;
[[nodiscard]] constexpr Set bit(StreamPhase p) noexcept {
    return static_cast<Set>(1u << static_cast<unsigned>(p));
}
inline constexpr Set kHasImage = bit(StreamPhase::receiving) | bit(StreamPhase::open) | bit(StreamPhase::renewing);
inline constexpr Set kOnWire = kHasImage | bit(StreamPhase::requested);
inline constexpr Set kWantsImage = kOnWire & ~bit(StreamPhase::open);
inline constexpr Set kSharable = kOnWire | bit(StreamPhase::queued);

}  // namespace phases

/// A phase, and flags that exist in some phases only. One byte.
class StreamLife {
public:
    [[nodiscard]] StreamPhase phase() const noexcept { return phase_; }
    [[nodiscard]] bool is(StreamPhase p) const noexcept { return phase_ == p; }

    /// Goes on to `p`, where a step has led.
    void enter(StreamPhase p) noexcept {
        phase_ = p;
        if (!hasImage()) suspect_ = false;
    }
    /// The data state of the last message; without an image there is none.
    void setSuspect(bool suspect) noexcept { suspect_ = suspect && hasImage(); }

    /// Has a stream id of its own, and is on the service's list of live streams.
    [[nodiscard]] bool onWire() const noexcept { return any(phases::kOnWire); }
    /// An image was asked for and is not complete: counts in the open window, and the request timeout runs.
    [[nodiscard]] bool wantsImage() const noexcept { return any(phases::kWantsImage); }
    /// An image, or the beginning of one, has come.
    [[nodiscard]] bool hasImage() const noexcept { return any(phases::kHasImage); }
    /// Others may join it.
    [[nodiscard]] bool sharable() const noexcept { return any(phases::kSharable); }
    /// Posts and generic messages may go out.
    [[nodiscard]] bool trusted() const noexcept { return hasImage() && !suspect_; }

private:
    [[nodiscard]] bool any(phases::Set set) const noexcept { return (set >> static_cast<unsigned>(phase_) & 1u) != 0; }

    StreamPhase phase_ : 7 = StreamPhase::fresh;
    bool suspect_ : 1 = false;
};
static_assert(sizeof(StreamLife) == 1);

}  // namespace emissary::reactor::consumer
