// eta/transport/multicast: the sending half: datagrams from frames, kept for repairs. No I/O, no clock of its own.
#pragma once

#include "emissary/Counter.h"
#include "transport/multicast/datagram.h"

#include <memory>
#include <vector>

#include <sys/uio.h>

namespace emissary::eta::transport::mcast {

using Duration = Clock::duration;

struct SenderOptions {
    std::uint32_t session = 0;
    std::uint16_t returnPort = 0;
    std::uint8_t protocolType = 0;
    std::size_t maxDatagram = 1472;
    std::uint32_t repairsPerPacket = 7;                        ///< ndata
    Duration ignoreRequests = std::chrono::milliseconds(300);  ///< twait
    Duration hold = std::chrono::milliseconds(2000);           ///< packets are kept for repairs so long
    std::size_t poolHigh = 190000, poolLow = 180000;           ///< packets kept
};

/// Frames go in, datagrams come out: once, in order, and again when receivers ask for them. Used under the lock of its
/// owner; the counters may be read by any thread.
class Sender {
public:
    Sender(const SenderOptions& options, TimePoint now);
    ~Sender();
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;

    /// Largest frame that fits.
    [[nodiscard]] std::size_t maxFrame() const noexcept { return options_.maxDatagram - kHeaderBytes; }
    /// So much waits for the network that nothing more should be appended.
    [[nodiscard]] bool backlogged() const noexcept { return next_ - firstUnsent_ >= kMaxUnsent; }
    [[nodiscard]] std::size_t unsentBytes() const noexcept;
    /// Adds a whole frame (at most maxFrame() bytes). `startsMessage`: it is not the continuation of a fragmented
    /// message. False when memory is short.
    [[nodiscard]] bool append(Bytes frame, bool startsMessage) noexcept;
    /// Completes the datagram that append() works on; nothing waits for company.
    void seal() noexcept;

    /// The next datagrams, each contiguous; how many.
    [[nodiscard]] std::size_t unsent(std::span<iovec> out) const noexcept;
    /// The network took the first `packets` packets.
    void sent(std::size_t packets, TimePoint now) noexcept;

    /// A receiver asks for packets.
    void requested(std::span<const Range> ranges, TimePoint now, Outlet& out) noexcept;
    /// Heartbeats, repairs that wait, packets that grow old. Call at deadline().
    void expire(TimePoint now, Outlet& out) noexcept;
    [[nodiscard]] TimePoint deadline() const noexcept;
    /// Tells everybody that there is nothing more to come.
    void farewell(Outlet& out) noexcept;
    /// True once after repairs could not keep up.
    [[nodiscard]] bool takeCongestion() noexcept { return std::exchange(congested_, false); }

    [[nodiscard]] std::size_t held() const noexcept { return next_ - oldest_; }  ///< packets

    Counter packetsRequested, repairsSent, requestsIgnored;

    static constexpr std::size_t kMaxUnsent = 1024;
    static constexpr std::size_t kRepairsAtOnce = 64, kMaxRepairsWaiting = 8192;
    static constexpr std::uint32_t kRequestsPerSecond = 2000, kLeastRepairsPerSecond = 4096;
    static constexpr std::chrono::milliseconds kFirstHeartbeat{20}, kLastHeartbeat{1000}, kHousekeeping{100},
        kRepairPause{2};

private:
    static constexpr std::size_t kBlockBytes = 64u << 10;
    struct Block {
        Block* next = nullptr;
        std::size_t packets = 0, used = 0;
    };
    struct Packet {
        std::byte* data = nullptr;
        Block* block = nullptr;
        std::uint16_t length = 0;
        std::uint16_t repairs = 0;
        bool queued = false;  // waits in repairs_
        TimePoint sentAt{}, repairedAt{};
    };

    [[nodiscard]] Packet& at(std::uint32_t sequence) noexcept { return ring_[sequence & (ring_.size() - 1)]; }
    [[nodiscard]] const Packet& at(std::uint32_t sequence) const noexcept {
        return ring_[sequence & (ring_.size() - 1)];
    }
    [[nodiscard]] bool open() noexcept;
    [[nodiscard]] bool growRing() noexcept;
    [[nodiscard]] bool newBlock() noexcept;
    static std::byte* dataOf(Block* b) noexcept { return reinterpret_cast<std::byte*>(b + 1); }
    void dropOldest() noexcept;
    void evict() noexcept;
    void repair(TimePoint now, Outlet& out) noexcept;
    void promise(std::span<const Range> ranges, Outlet& out) noexcept;
    void heartbeat(std::uint8_t flags, TimePoint now, Outlet& out) noexcept;
    void turnSecond(TimePoint now) noexcept;

    const SenderOptions options_;
    std::vector<Packet> ring_;
    std::uint32_t oldest_ = 1, firstUnsent_ = 1, next_ = 1;  // packets held: [oldest_, next_)
    Block* block_ = nullptr;                                 // being filled
    Block* free_ = nullptr;
    std::size_t freeBlocks_ = 0;

    // the datagram being built, at the end of block_
    std::byte* building_ = nullptr;
    std::size_t length_ = 0;
    std::uint16_t firstStart_ = kNoStart;

    std::vector<std::uint32_t> repairs_;  // to be sent again, oldest request first
    std::size_t repairsDone_ = 0;         // repairs that were sent
    TimePoint repairAt_ = TimePoint::max();

    TimePoint lastSent_{}, heartbeatAt_{}, lastHeartbeat_{}, housekeepingAt_ = TimePoint::max();
    Duration heartbeatPause_ = kFirstHeartbeat;

    // within the current second
    TimePoint secondStart_{};
    std::uint32_t requestsThisSecond_ = 0, repairsThisSecond_ = 0, sentThisSecond_ = 0, sentLastSecond_ = 0;
    bool congested_ = false, congestionTold_ = false;
};

}  // namespace emissary::eta::transport::mcast
