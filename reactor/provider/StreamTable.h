// All open streams of a provider: handle to stream in one index and one compare.
#pragma once

#include "eta/core/bytes.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace emissary::reactor {

struct Session;

/// One open stream. Small, because a provider has a hundred thousand of them.
struct Stream {
    std::unique_ptr<std::byte[]> keyBytes;  ///< key content as requested, name type made explicit
    Session* session = nullptr;             ///< null = free slot
    std::int32_t streamId = 0;              ///< of a free slot: the next free one
    std::uint32_t generation = 1;
    std::uint32_t keyHash = 0;
    std::uint16_t keySize = 0;
    std::uint16_t serviceId = 0;
    std::uint16_t group = 0;  ///< see rdm::ItemGroups
    std::uint8_t domain = 0;
    std::uint8_t flags = 0;
    std::uint32_t slot = 0;  ///< its own number in the table
    static constexpr std::uint8_t hasService = 0x01, isPrivate = 0x02, refreshed = 0x04, streaming = 0x08,
                                  answeredHere = 0x10, indexedByKey = 0x20;

    [[nodiscard]] bool is(std::uint8_t flag) const noexcept { return (flags & flag) != 0; }
    [[nodiscard]] eta::Bytes key() const noexcept { return {keyBytes.get(), keySize}; }
    [[nodiscard]] bool isItem() const noexcept { return domain != 1 && domain != 4 && domain != 5; }
};
static_assert(sizeof(Stream) <= 40);

/// Slots with generations: a handle is generation and slot, so one that outlived its stream finds nothing. Streams stay
/// where they are; memory comes in chunks and goes back when the last stream has ended.
class StreamTable {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    [[nodiscard]] Stream* find(std::uint64_t handle) noexcept {
        const auto slot = static_cast<std::uint32_t>(handle);
        if (slot >= used_) return nullptr;
        Stream& s = (*this)[slot];
        return s.generation == handle >> 32 && s.session != nullptr ? &s : nullptr;
    }
    [[nodiscard]] Stream& operator[](std::uint32_t slot) noexcept { return chunks_[slot / kChunk][slot % kChunk]; }
    [[nodiscard]] const Stream& operator[](std::uint32_t slot) const noexcept {
        return chunks_[slot / kChunk][slot % kChunk];
    }
    [[nodiscard]] std::uint64_t handleOf(std::uint32_t slot) const noexcept {
        return static_cast<std::uint64_t>((*this)[slot].generation) << 32 | slot;
    }
    [[nodiscard]] std::uint32_t slotOf(const Stream& s) const noexcept { return s.slot; }
    [[nodiscard]] std::size_t slots() const noexcept { return used_; }  ///< open ones and free ones below the highest
    [[nodiscard]] std::size_t open() const noexcept { return open_; }
    [[nodiscard]] std::size_t chunks() const noexcept { return chunks_.size(); }

    [[nodiscard]] std::uint32_t add(Session& session) {
        std::uint32_t slot = free_;
        if (slot == kNone) {
            if (used_ == chunks_.size() * kChunk) chunks_.push_back(std::make_unique<Stream[]>(kChunk));
            slot = used_++;
            (*this)[slot].slot = slot;
            (*this)[slot].generation = firstGeneration_;
        } else {
            free_ = static_cast<std::uint32_t>((*this)[slot].streamId);
        }
        (*this)[slot].session = &session;
        ++open_;
        return slot;
    }
    void remove(std::uint32_t slot) noexcept {
        Stream& s = (*this)[slot];
        const std::uint32_t generation = after(s.generation);
        newest_ = std::max(newest_, generation);
        s = Stream{};
        s.slot = slot;
        s.generation = generation;
        s.streamId = static_cast<std::int32_t>(free_);
        free_ = slot;
        if (--open_ == 0 && chunks_.size() > 1) giveBack();
    }

private:
    static constexpr std::uint32_t kChunk = 4096;  // 160 KiB

    /// The upper half of the range is for client handles, 0 for requests of our own.
    [[nodiscard]] static std::uint32_t after(std::uint32_t generation) noexcept {
        return generation >= 0x7FFFFFFF ? 1 : generation + 1;
    }
    /// Slots made anew start with a generation that no slot has had.
    void giveBack() noexcept {
        firstGeneration_ = newest_;
        chunks_.resize(1);
        chunks_.shrink_to_fit();
        used_ = 0;
        free_ = kNone;
        for (std::uint32_t i = 0; i < kChunk; ++i)
            chunks_[0][i] = Stream{};
    }

    std::vector<std::unique_ptr<Stream[]>> chunks_;
    std::uint32_t used_ = 0;  // slots below have been used
    std::uint32_t free_ = kNone;
    std::uint32_t firstGeneration_ = 1, newest_ = 1;
    std::size_t open_ = 0;
};

}  // namespace emissary::reactor
