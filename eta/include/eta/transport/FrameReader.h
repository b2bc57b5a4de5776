// Turns received bytes into messages: frames, packed frames, fragments (docs/wire/ripc.md). No I/O in here.
#pragma once

#include "emissary/Counter.h"
#include "eta/core/bytes.h"
#include "eta/core/pages.h"
#include "eta/transport/PartialBudget.h"
#include "eta/transport/frame.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace emissary::eta::transport {

/// What next() found: needMore asks for further bytes, failed is for good (fault()).
enum class FrameEvent : std::uint8_t { message, ping, needMore, failed };

/// Why a frame was refused.
enum class FrameFault : std::uint8_t {
    none,
    tooShort,          ///< length below the smallest header
    tooLong,           ///< length above M + 3
    headerCut,         ///< shorter than the header its flags announce
    noBody,            ///< neither DATA nor COMPRESSED
    twoBodies,         ///< both
    loneCompFragment,  ///< COMP_FRAGMENT without COMPRESSED
    notCompressed,     ///< COMPRESSED although no compression was negotiated
    badCompression,    ///< a body that cannot be decompressed, or becomes larger than M
    badSplit,          ///< the second half of a split compressed body is not what must follow
    handshakeFrame,    ///< ACK or NAK on an active channel
    unknownExtended,   ///< reserved extended flags, or both fragment bits
    packedFragment,    ///< packed and fragmented at once
    packedOverrun,     ///< an inner length passes the end of the packed frame
    fragmentIdZero,
    fragmentTotal,       ///< announced total is 0 or smaller than the first part
    fragmentTotalLimit,  ///< announced total above the receive limit
    fragmentUnknown,     ///< continuation of a message that was never begun
    fragmentOverflow,    ///< more bytes than announced
    tooManyPartials,
    partialBytesLimit,  ///< partial messages together hold too much
    budgetSpent,        ///< those of all connections of the listener do
    outOfMemory,
};

class Decompressor;

/// Limits against hostile senders.
struct FrameLimits {
    std::size_t maxMessageBytes = 64u << 20;   ///< largest message reassembled from fragments
    std::size_t maxPartialBytes = 128u << 20;  ///< all partial messages together
    std::uint32_t maxPartialMessages = 64;     ///< fragment ids being reassembled at once
};

/// The input half of a channel: one contiguous buffer and the frames in it. A plain or packed message is handed out
/// as a view of the buffer, never copied. Owned and used by one thread; the counters may be read by any.
class FrameReader {
public:
    /// With the small buffer of the handshake; throws std::bad_alloc.
    FrameReader();
    FrameReader(const FrameReader&) = delete;
    FrameReader& operator=(const FrameReader&) = delete;
    ~FrameReader();

    // --- bytes in ---------------------------------------------------------------------------------------------------
    /// Room for the next receive; never empty once next() said needMore. Moves the incomplete tail to the front, so
    /// earlier views die here.
    [[nodiscard]] std::span<std::byte> space() noexcept;
    /// `bytes` bytes were received into space().
    void added(std::size_t bytes) noexcept {
        end_ += bytes;
        if (end_ > high_) high_ = end_;
    }
    /// Bytes received and not consumed yet, and how to consume them without framing (handshake).
    [[nodiscard]] Bytes buffered() const noexcept { return {begin_, static_cast<std::size_t>(end_ - begin_)}; }
    /// Takes `bytes` bytes off the front.
    void consume(std::size_t bytes) noexcept { begin_ += bytes; }

    // --- messages out -----------------------------------------------------------------------------------------------
    /// Starts framing with what the handshake agreed on. `capacity` is the wish for the buffer size; bytes already
    /// buffered are kept. False when memory is short.
    [[nodiscard]] bool activate(std::size_t maxMessage, std::size_t fragmentIdBytes, std::size_t capacity,
                                const FrameLimits& limits) noexcept;
    /// Of messages whose next fragment comes after this call.
    void setLimits(const FrameLimits& limits) noexcept { limits_ = limits; }
    /// Those in force.
    [[nodiscard]] const FrameLimits& limits() const noexcept { return limits_; }
    /// What partial messages hold beyond PartialShare::kOwnBytes comes out of this.
    void useBudget(std::shared_ptr<PartialBudget> budget) noexcept { share_.use(std::move(budget)); }
    /// Some partial message has stopped growing (Growth).
    [[nodiscard]] bool stalled(Growth::TimePoint now, Growth::TimePoint::duration limit) noexcept;
    /// Accepts compressed frames from now on. After activate().
    void decompressWith(std::unique_ptr<Decompressor> decompressor) noexcept;
    /// Next message. Its bytes are valid until the next call of next() or space().
    [[nodiscard]] FrameEvent next(Bytes& message) noexcept {
        if (packed_ == packedEnd_) [[likely]] {
            const std::byte* const p = begin_;
            const auto have = static_cast<std::size_t>(end_ - p);
            if (have > frame::kHeader) [[likely]] {
                const std::size_t length = loadBe<std::uint16_t>(p);
                const std::uint8_t flags = std::to_integer<std::uint8_t>(p[2]) & ~frame::kIgnoredFlags & 0xFF;
                if (flags == frame::kData && length > frame::kHeader && length <= maxFrame_ && length <= have)
                    [[likely]] {
                    message = {p + frame::kHeader, length - frame::kHeader};
                    begin_ += length;
                    messages_.add();
                    return FrameEvent::message;
                }
            }
        } else if (const std::size_t inner = loadBe<std::uint16_t>(packed_); inner != 0) [[likely]] {
            message = {packed_ + 2, inner};  // checked by startPacked()
            packed_ += 2 + inner;
            messages_.add();
            return FrameEvent::message;
        }
        // Not into `message`: one whose address nobody has is never in memory.
        Bytes other;
        const FrameEvent event = nextSlow(other);
        message = other;
        return event;
    }
    /// A complete (or a bad) frame or a further packed message is waiting: next() has something to say.
    [[nodiscard]] bool more() const noexcept {
        if (packed_ != packedEnd_) return true;
        const auto have = static_cast<std::size_t>(end_ - begin_);
        if (have < 2) return false;
        const std::size_t length = loadBe<std::uint16_t>(begin_);
        return length <= have || length > maxFrame_;
    }
    /// The message behind those that peek() gave since next() last passed them, without taking it: first the one that
    /// next() would give now. Empty when it is not complete yet, or neither plain nor packed; it stays so until next()
    /// has passed it. `passed` is true when next() has passed all that were given: it begins behind the last message.
    /// Nothing is checked for good: next() may still refuse the frame.
    [[nodiscard]] Bytes peek(bool passed) noexcept {
        if (passed) {
            ahead_ = begin_;
            aheadPacked_ = packed_;
            aheadPackedEnd_ = packedEnd_;
        }
        for (;;) {
            while (aheadPackedEnd_ - aheadPacked_ >= 2) {
                const std::size_t inner = loadBe<std::uint16_t>(aheadPacked_);
                const std::byte* const p = aheadPacked_ + 2;
                if (inner > static_cast<std::size_t>(aheadPackedEnd_ - p)) return {};
                aheadPacked_ = p + inner;
                if (inner != 0) return {p, inner};
            }
            const auto have = static_cast<std::size_t>(end_ - ahead_);
            if (have <= frame::kHeader) return {};
            const std::size_t length = loadBe<std::uint16_t>(ahead_);
            const unsigned flags = std::to_integer<unsigned>(ahead_[2]) & ~unsigned{frame::kIgnoredFlags} & 0xFF;
            if (length <= frame::kHeader || length > have || length > maxFrame_) return {};
            const std::byte* const p = ahead_ + frame::kHeader;
            if (flags == frame::kData) {
                ahead_ += length;
                return {p, length - frame::kHeader};
            }
            if (flags != (frame::kData | frame::kPacked)) return {};
            ahead_ += length;
            aheadPacked_ = p;
            aheadPackedEnd_ = ahead_;
        }
    }
    /// Forgets all input and all partial messages; later calls say needMore.
    void drop() noexcept;
    /// Gives back what a burst or a large message took and what was not needed again since the last call. The message
    /// given out last dies here. Returns how many bytes that are.
    std::size_t trim() noexcept;
    /// As after activate(), which came before: input, partial messages and a fault are forgotten, the buffer is kept.
    void restart() noexcept;

    /// Why next() failed; none before that.
    [[nodiscard]] FrameFault fault() const noexcept { return fault_; }
    /// "frame length 9000 exceeds 6147"; for a log line.
    [[nodiscard]] std::string faultText() const;

    /// Messages handed out; any thread, as the three below.
    [[nodiscard]] std::uint64_t messages() const noexcept { return messages_.get(); }
    /// Empty frames.
    [[nodiscard]] std::uint64_t pings() const noexcept { return pings_.get(); }
    /// Frames that were parts of a message.
    [[nodiscard]] std::uint64_t fragments() const noexcept { return fragments_.get(); }
    /// Incomplete messages dropped because their fragment id began another one.
    [[nodiscard]] std::uint64_t partialsReplaced() const noexcept { return partialsReplaced_.get(); }
    /// Size of the input buffer in bytes; the owner's thread.
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    /// Memory in use for input: what bytes were received into, partial messages, and the last large message. Owner.
    [[nodiscard]] std::size_t bytesHeld() const noexcept {
        return static_cast<std::size_t>(std::max(high_, touched_) - buffer_.data()) + partialBytes_ +
               delivered_.capacity;
    }
    /// Bytes that decompressing added to what was received; any thread.
    [[nodiscard]] std::int64_t inflatedBytes() const noexcept { return static_cast<std::int64_t>(inflated_.get()); }

    /// Readable bytes behind the buffer's end, so that vector code may read past a message.
    static constexpr std::size_t kPadding = 64;

private:
    struct Partial {
        Block data;
        std::size_t total = 0, received = 0, capacity = 0;
        std::uint16_t id = 0;
        Growth growth;
    };

    [[nodiscard]] FrameEvent nextSlow(Bytes& message) noexcept;
    [[nodiscard]] FrameEvent nextPacked(Bytes& message) noexcept;
    [[nodiscard]] FrameEvent startPacked(Bytes body, Bytes& message) noexcept;
    [[nodiscard]] FrameEvent firstFragment(Bytes header, Bytes part, Bytes& message) noexcept;
    [[nodiscard]] FrameEvent nextFragment(Bytes header, Bytes part, Bytes& message) noexcept;
    [[nodiscard]] FrameEvent decompress(Bytes body, bool split, Bytes& out) noexcept;
    [[nodiscard]] bool append(Partial& partial, Bytes part) noexcept;
    [[nodiscard]] std::uint32_t fragmentId(const std::byte* p) const noexcept;
    [[nodiscard]] FrameEvent fail(FrameFault fault, std::size_t value = 0, std::size_t limit = 0) noexcept;
    [[nodiscard]] FrameEvent ping() noexcept;

    std::byte* begin_ = nullptr;  // first byte not consumed
    std::byte* end_ = nullptr;    // behind the last byte received
    std::size_t maxFrame_ = 0;    // M + 3; 0 before activate() and after a fault: nothing passes
    const std::byte* packed_ = nullptr;
    const std::byte* packedEnd_ = nullptr;
    const std::byte *ahead_ = nullptr, *aheadPacked_ = nullptr, *aheadPackedEnd_ = nullptr;  // see peek()
    Counter messages_, pings_, fragments_, partialsReplaced_, inflated_;

    std::unique_ptr<Decompressor> decompressor_;
    Block buffer_;
    std::byte* high_ = nullptr;     // behind the last byte received into since the last trim
    std::byte* touched_ = nullptr;  // the same since ever, except for what was given back
    std::size_t capacity_ = 0;
    std::size_t agreedFrame_ = 0;  // M + 3 of activate()
    std::size_t idBytes_ = 2;
    FrameLimits limits_;
    std::vector<Partial> partials_;
    std::size_t partialBytes_ = 0;
    PartialShare share_;            // of partialBytes_
    Partial delivered_;             // the reassembled message the caller is looking at
    bool deliveredLately_ = false;  // since the last trim
    std::size_t faultValue_ = 0, faultLimit_ = 0;
    FrameFault fault_ = FrameFault::none;
};

}  // namespace emissary::eta::transport
