// All open streams of a provider: handle to stream in one index and one compare.
#pragma once

#include "eta/core/bytes.h"

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
    std::uint16_t group = 0;  ///< index of the interned group id; 0 is the default group
    std::uint8_t domain = 0;
    std::uint8_t flags = 0;
    static constexpr std::uint8_t hasService = 0x01, isPrivate = 0x02, refreshed = 0x04, streaming = 0x08,
                                  answeredHere = 0x10, indexedByKey = 0x20;

    [[nodiscard]] bool is(std::uint8_t flag) const noexcept { return (flags & flag) != 0; }
    [[nodiscard]] eta::Bytes key() const noexcept { return {keyBytes.get(), keySize}; }
    [[nodiscard]] bool isItem() const noexcept { return domain != 1 && domain != 4 && domain != 5; }
};
static_assert(sizeof(Stream) <= 40);

/// Slots with generations: a handle is generation and slot, so one that outlived its stream finds nothing. References
/// are good until the next add().
class StreamTable {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    [[nodiscard]] Stream* find(std::uint64_t handle) noexcept {
        const auto slot = static_cast<std::uint32_t>(handle);
        if (slot >= slots_.size()) return nullptr;
        Stream& s = slots_[slot];
        return s.generation == handle >> 32 && s.session != nullptr ? &s : nullptr;
    }
    [[nodiscard]] Stream& operator[](std::uint32_t slot) noexcept { return slots_[slot]; }
    [[nodiscard]] const Stream& operator[](std::uint32_t slot) const noexcept { return slots_[slot]; }
    [[nodiscard]] std::uint64_t handleOf(std::uint32_t slot) const noexcept {
        return static_cast<std::uint64_t>(slots_[slot].generation) << 32 | slot;
    }
    [[nodiscard]] std::uint32_t slotOf(const Stream& s) const noexcept {
        return static_cast<std::uint32_t>(&s - slots_.data());
    }
    [[nodiscard]] std::size_t slots() const noexcept { return slots_.size(); }
    [[nodiscard]] std::size_t open() const noexcept { return open_; }
    void reserve(std::size_t n) { slots_.reserve(n); }

    [[nodiscard]] std::uint32_t add(Session& session) {
        std::uint32_t slot = free_;
        if (slot == kNone) {
            slot = static_cast<std::uint32_t>(slots_.size());
            slots_.emplace_back();
        } else {
            free_ = static_cast<std::uint32_t>(slots_[slot].streamId);
        }
        slots_[slot].session = &session;
        ++open_;
        return slot;
    }
    void remove(std::uint32_t slot) noexcept {
        Stream& s = slots_[slot];
        std::uint32_t generation = s.generation + 1;
        if (generation == 0x80000000) generation = 1;  // the upper half is for client handles
        s = Stream{};
        s.generation = generation;
        s.streamId = static_cast<std::int32_t>(free_);
        free_ = slot;
        --open_;
    }

private:
    std::vector<Stream> slots_;
    std::uint32_t free_ = kNone;
    std::size_t open_ = 0;
};

}  // namespace emissary::reactor
