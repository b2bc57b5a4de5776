// The sending half of a tunnel: numbers, fragments, window, and everything kept until it is acknowledged.
#pragma once

#include "reactor/tunnel/tunnel_types.h"
#include "tunnel/Wire.h"
#include "tunnel/header.h"

#include <array>
#include <cstdint>
#include <vector>

namespace emissary::reactor::tunnel {

/// Messages in the order of their numbers, encoded once: [first_, sendAt_) are sent or acknowledged out of order, save
/// those that the peer asked for again; [sendAt_, next_) wait. Session lock held throughout.
class Outgoing {
public:
    struct Options {
        std::int32_t streamId = 0;
        std::uint8_t domain = 0, streamVersion = kStreamVersion;
        std::uint64_t maxMessage = 614'400;
        std::uint32_t fragmentBytes = kFragmentBytes;
        std::uint64_t bufferBytes = 0;  ///< data queued or unacknowledged; at least one longest message fits
        bool windowed = false;
        std::int64_t window = 0;  ///< at first; acknowledgements change it
    };

    Outgoing(const Options& options, Counters& counters);
    ~Outgoing();
    Outgoing(const Outgoing&) = delete;
    Outgoing& operator=(const Outgoing&) = delete;

    /// Queues one message, cut into fragments where it is long. Nothing is queued on a fault. Throws std::bad_alloc.
    [[nodiscard]] SubmitFault submit(eta::codec::DataType type, Bytes data);
    /// Queues the fin, once, behind all data.
    void submitFin(std::int32_t ownWindow);
    /// Sends the fin once more, whether it is acknowledged or not; nothing while data stand before it.
    void repeatFin(Wire& wire) noexcept;

    enum class Pumped : std::uint8_t { all, window, output };
    /// Sends what the window and the connection take; says what the rest waits for.
    Pumped pump(Wire& wire) noexcept;

    /// The peer's window from now on, in bytes.
    void setWindow(std::int32_t window) noexcept { window_ = window; }
    /// False: it asks for a message that was never sent.
    [[nodiscard]] bool onAck(const Header& ack) noexcept;

    [[nodiscard]] bool finAcked() const noexcept { return finQueued_ && ahead(first_, finSeq_) > 0; }
    [[nodiscard]] std::uint32_t buffersUsed() const noexcept { return next_ - first_; }
    [[nodiscard]] std::int64_t window() const noexcept { return window_; }
    void trim() noexcept;

private:
    enum class State : std::uint8_t { queued, sent, acked };
    struct Entry {
        std::uint64_t at = 0;  // position in the ring of bytes, counted on
        std::uint32_t size = 0, dataBytes = 0;
        State state = State::queued;
        bool sentBefore = false;
    };

    [[nodiscard]] Entry& entry(std::uint32_t seq) noexcept { return entries_[seq & (entries_.size() - 1)]; }
    [[nodiscard]] std::byte* bytes(std::uint64_t at) noexcept { return ring_.data() + (at & (ring_.size() - 1)); }
    void append(Bytes header, Bytes data);
    void appendData(const Header& header, eta::codec::DataType type, bool complete, Bytes data);
    void growEntries();
    void growRing(std::size_t needed);
    void markAcked(SeqRange range, std::uint32_t& budget) noexcept;
    void resend(SeqRange range, std::uint32_t& budget) noexcept;
    void release(Entry& e) noexcept;

    const Options options_;
    Counters& counters_;
    std::vector<Entry> entries_;  // by sequence number, a power of two of places
    std::vector<std::byte> ring_;
    std::uint64_t ringEnd_ = 0;  // position behind the last entry
    std::uint32_t first_ = 1, sendAt_ = 1, next_ = 1, neverSent_ = 1;
    std::uint64_t held_ = 0;     // data bytes of all entries
    std::int64_t inFlight_ = 0;  // of those that are sent
    std::int64_t window_;
    std::uint16_t messageId_ = 0;
    std::array<std::byte, 64> fin_{};  // as it was sent
    std::uint32_t finSeq_ = 0, finBytes_ = 0;
    bool finQueued_ = false;
};

}  // namespace emissary::reactor::tunnel
