// All open streams of a provider: handle to stream in one index and one compare.
#pragma once

#include "eta/codec/numbers.h"
#include "eta/core/SmallBytes.h"
#include "eta/core/bytes.h"
#include "reactor/handle_serial.h"
#include "reactor/memory.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

namespace emissary::reactor {

struct Session;

/// One open stream. Small, because a provider may have a hundred thousand.
struct Stream {
    Session* session = nullptr;  ///< null = free slot
    std::int32_t streamId = 0;   ///< of a free slot: the next free one
    std::uint32_t serial = 0;    ///< see nextHandleSerial()
    std::uint32_t keyHash = 0;
    std::uint32_t slot = 0;  ///< its own number in the table
    std::uint16_t serviceId = 0;
    std::uint16_t group = 0;  ///< see rdm::ItemGroups
    std::uint8_t domain = 0;
    std::uint8_t flags = 0;
    eta::SmallBytes<24> content;  ///< key content as requested, name type made explicit; most keys fit in
    static constexpr std::uint8_t hasService = 0x01, isPrivate = 0x02, refreshed = 0x04, streaming = 0x08,
                                  answeredHere = 0x10, indexedByKey = 0x20;
    static constexpr std::uint8_t keyInUpdates = 0x40;  ///< its updates and statuses carry the key
    /// Requested without streaming, but answered as if it went on: it ends with the image; the application's callback
    /// is still due.
    static constexpr std::uint8_t over = 0x80;

    [[nodiscard]] bool is(std::uint8_t flag) const noexcept { return (flags & flag) != 0; }
    [[nodiscard]] eta::Bytes key() const noexcept { return content.view(); }
    [[nodiscard]] bool isItem() const noexcept {
        return domain != eta::codec::kLoginDomain && domain != eta::codec::kDirectoryDomain &&
               domain != eta::codec::kDictionaryDomain;
    }
};
static_assert(sizeof(Stream) == 56);

/// A handle is serial and slot, so one that outlived its stream, or that another provider gave out, finds nothing.
/// Streams stay where they are. Memory comes in chunks; one in which no stream has been open for a while goes back with
/// trim().
class StreamTable {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    [[nodiscard]] Stream* find(std::uint64_t handle) noexcept {
        const auto slot = static_cast<std::uint32_t>(handle);
        if (slot >= slots() || chunks_[slot / kChunk].streams == nullptr) return nullptr;
        Stream& s = (*this)[slot];
        return s.serial == handle >> 32 && s.session != nullptr ? &s : nullptr;
    }
    /// Of a stream that is open.
    [[nodiscard]] Stream& operator[](std::uint32_t slot) noexcept {
        return chunks_[slot / kChunk].streams[slot % kChunk];
    }
    [[nodiscard]] const Stream& operator[](std::uint32_t slot) const noexcept {
        return chunks_[slot / kChunk].streams[slot % kChunk];
    }
    [[nodiscard]] std::uint64_t handleOf(std::uint32_t slot) const noexcept {
        return static_cast<std::uint64_t>((*this)[slot].serial) << 32 | slot;
    }
    [[nodiscard]] std::uint32_t slotOf(const Stream& s) const noexcept { return s.slot; }
    [[nodiscard]] std::size_t open() const noexcept { return open_; }
    /// Those there is memory for.
    [[nodiscard]] std::size_t chunks() const noexcept { return held_; }
    [[nodiscard]] std::size_t places() const noexcept { return held_ * kChunk; }

    /// Calls `f` with every open stream, in the order of slots. It may remove streams.
    template <class F>
    void forEach(F&& f) {
        for (std::size_t c = 0; c < chunks_.size(); ++c) {
            if (chunks_[c].open == 0) continue;
            for (std::size_t i = 0; i < kChunk; ++i)
                if (Stream& s = chunks_[c].streams[i]; s.session != nullptr) f(s);
        }
    }

    [[nodiscard]] std::uint32_t add(Session& session) {
        if (free_ == kNone) grow();
        const std::uint32_t slot = free_;
        Stream& s = (*this)[slot];
        free_ = static_cast<std::uint32_t>(s.streamId);
        s.session = &session;
        s.serial = nextHandleSerial();
        ++chunks_[slot / kChunk].open;
        ++open_;
        leastFree_ = std::min(leastFree_, freeSlots());
        return slot;
    }
    void remove(std::uint32_t slot) noexcept {
        Stream& s = (*this)[slot];
        s = Stream{};
        s.slot = slot;
        s.streamId = static_cast<std::int32_t>(free_);
        free_ = slot;
        --chunks_[slot / kChunk].open;
        --open_;
    }
    /// Gives back chunks beyond the most that were in use since the last call.
    void trim() noexcept {
        std::size_t spare = leastFree_ / kChunk;
        const std::size_t before = held_;
        for (std::size_t c = chunks_.size(); c-- > 0 && spare != 0;) {
            if (chunks_[c].streams == nullptr || chunks_[c].open != 0) continue;
            chunks_[c] = {};
            --held_;
            --spare;
        }
        if (held_ != before) {
            while (!chunks_.empty() && chunks_.back().streams == nullptr)
                chunks_.pop_back();
            relink();
        }
        leastFree_ = freeSlots();
    }

private:
    static constexpr std::uint32_t kChunk = 4096;  // 224 KiB
    struct Deleter {
        void operator()(Stream* streams) const noexcept {
            std::destroy_n(streams, kChunk);
            eta::giveBlock(streams, kChunk * sizeof(Stream));
        }
    };
    struct Chunk {
        std::unique_ptr<Stream[], Deleter> streams;  // null: given back
        std::uint32_t open = 0;
    };

    /// Those of chunks that were given back included.
    [[nodiscard]] std::size_t slots() const noexcept { return chunks_.size() * kChunk; }
    [[nodiscard]] std::size_t freeSlots() const noexcept { return held_ * kChunk - open_; }
    void grow() {
        std::size_t c = 0;
        while (c < chunks_.size() && chunks_[c].streams != nullptr)
            ++c;
        void* const raw = eta::takeBlock(kChunk * sizeof(Stream));
        if (raw == nullptr) throw std::bad_alloc();
        std::unique_ptr<Stream[], Deleter> streams(static_cast<Stream*>(raw));
        std::uninitialized_value_construct_n(streams.get(), kChunk);
        if (c == chunks_.size()) chunks_.emplace_back();
        chunks_[c].streams = std::move(streams);
        ++held_;
        for (std::uint32_t i = kChunk; i-- > 0;) {
            Stream& s = chunks_[c].streams[i];
            s.slot = static_cast<std::uint32_t>(c * kChunk) + i;
            link(s);
        }
    }
    void link(Stream& s) noexcept {
        s.streamId = static_cast<std::int32_t>(free_);
        free_ = s.slot;
    }
    /// Low slots are taken first, so that high chunks run empty.
    void relink() noexcept {
        free_ = kNone;
        for (std::size_t c = chunks_.size(); c-- > 0;)
            if (chunks_[c].streams != nullptr)
                for (std::uint32_t i = kChunk; i-- > 0;)
                    if (Stream& s = chunks_[c].streams[i]; s.session == nullptr) link(s);
    }

    std::vector<Chunk> chunks_;
    std::uint32_t free_ = kNone;
    std::size_t open_ = 0, held_ = 0;
    std::size_t leastFree_ = 0;  // slots, since the last trim
};

}  // namespace emissary::reactor
