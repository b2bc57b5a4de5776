// Records that found no room in a front's ring.
#pragma once

#include "hub/relay/records.h"

#include <deque>
#include <memory>

namespace emissary::hub::relay {

/// Records in order, with copies of their messages. They are bounded by kMostBytes, except for a few that a front
/// cannot do without: ends of mounts and clients, changes of the directory, and calls. Stage thread only.
class Overflow {
public:
    static constexpr std::size_t kMostBytes = 32u << 20;

    struct Entry {
        ToFront record;
        std::shared_ptr<std::byte[]> bytes;  ///< shared by entries that follow each other with the same message
    };

    Overflow() = default;
    Overflow(const Overflow&) = delete;
    Overflow& operator=(const Overflow&) = delete;
    ~Overflow();

    /// False: the bound, or memory, does not allow it; the record stays the caller's.
    [[nodiscard]] bool add(const ToFront& record) noexcept;
    /// The next record's message has other bytes than those before, even if they are in the same place.
    void otherMessage() noexcept { last_ = nullptr; }
    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] const Entry& front() const noexcept { return entries_.front(); }
    /// The first record is the caller's now.
    void pop() noexcept;
    /// Removes the records for this client, except those that say that its mounts or the client itself go.
    void drop(std::uint32_t client) noexcept;
    /// Whether a record of that kind is needed even when its client is cut off.
    [[nodiscard]] static bool outlives(ToFront::Kind kind) noexcept {
        return kind == ToFront::Kind::unmounted || kind == ToFront::Kind::released || kind == ToFront::Kind::close;
    }

private:
    std::deque<Entry> entries_;
    std::size_t bytes_ = 0;
    const std::byte* last_ = nullptr;  // the message of the last entry, where it was before it was copied
};

}  // namespace emissary::hub::relay
