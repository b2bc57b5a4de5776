// Bytes that one thread writes once and others read (hub.md 10).
#pragma once

#include "eta/core/bytes.h"
#include "hub/relay/Ring.h"

#include <memory>
#include <span>
#include <vector>

namespace emissary::hub::relay {

/// Segments of 1 MiB, written one after the other. A message stays where it is until the readers of all rings have
/// passed the records that may point to it; then its segment is used again, whatever becomes of older ones. No
/// allocation while the readers keep pace. Writer's thread only.
class MessageLog {
public:
    static constexpr std::size_t kSegment = 1u << 20;

    /// The rings whose records point into it; they outlive it.
    explicit MessageLog(std::vector<const Progress*> rings) : rings_(std::move(rings)) {}

    /// Room for a message of at most `bytes` bytes. The writer pushes its record before it writes the next message.
    /// Throws std::bad_alloc.
    [[nodiscard]] std::span<std::byte> room(std::size_t bytes) {
        if (used_ + bytes > current_.size) [[unlikely]]
            turnOver(bytes);
        return {current_.bytes.get() + used_, bytes};
    }
    /// The first `bytes` of the room are the message.
    eta::Bytes keep(std::size_t bytes) noexcept {
        const eta::Bytes message{current_.bytes.get() + used_, bytes};
        used_ += bytes;
        return message;
    }
    /// A copy of the message.
    [[nodiscard]] eta::Bytes write(eta::Bytes message);

    /// Bytes of segments that readers may not have passed, the current one left out.
    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }
    /// The part of it that the reader of the ring with that place holds.
    [[nodiscard]] std::size_t held(std::size_t ring) const noexcept;
    /// Segments begun so far.
    [[nodiscard]] std::uint64_t begun() const noexcept { return begun_; }
    /// Takes back the segments that all readers have passed.
    void recycle() noexcept;
    /// Gives the memory of segments without use back.
    void trim() noexcept;
    /// All the memory there is.
    [[nodiscard]] std::size_t bytes() const noexcept { return waiting_ + current_.size + spare_.size() * kSegment; }

private:
    struct Segment {
        std::unique_ptr<std::byte[]> bytes;
        std::size_t size = 0;
        /// By ring: records pushed when the segment was begun, and when it was full. No difference: none points here.
        std::vector<std::uint64_t> from, until;
    };
    void turnOver(std::size_t bytes);
    [[nodiscard]] bool holds(std::size_t ring, const Segment& segment) const noexcept;
    [[nodiscard]] bool passed(const Segment& segment) const noexcept;
    void note(std::vector<std::uint64_t>& pushed) const;

    const std::vector<const Progress*> rings_;
    Segment current_;
    std::size_t used_ = 0, waiting_ = 0;
    std::uint64_t begun_ = 0;
    std::vector<Segment> full_;  // oldest first; some dozens at most
    std::vector<Segment> spare_;
};

}  // namespace emissary::hub::relay
