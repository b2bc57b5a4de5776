// The output of one turn for all clients: message bytes once, and a list for each client, until links are written.
#pragma once

#include "eta/core/Result.h"
#include "eta/core/bytes.h"
#include "hub/core/Client.h"

#include <memory>
#include <span>
#include <vector>

namespace emissary::hub::fanout {

/// Messages are gathered item by item and written client by client: the bytes of a turn stay in the first-level cache
/// while one client's output after the other is filled, whatever the number of clients (hub.md 9). No allocation, but
/// for a message that is larger than all that is usually gathered.
class TurnLog {
public:
    /// Bound on deliveries. A turn with more makes several calls for each client, and a call costs as much as a hundred
    /// deliveries; memory that no turn ever filled is not touched.
    static constexpr std::uint32_t kMost = 65'536;
    static constexpr std::size_t kBytes = 256u << 10;  ///< of messages, unless a single one is larger
    static constexpr std::uint32_t kNone = Client::kNoDelivery;

    /// A message in the log. Length 0: none.
    struct Place {
        std::uint32_t offset = 0, length = 0;
    };

    explicit TurnLog(ClientTable& clients);

    /// True when there is room for another delivery; else the log has to be written out first.
    [[nodiscard]] bool roomForDelivery() const noexcept { return count_ != kMost; }
    /// Whether a message of `bytes` bytes has room.
    [[nodiscard]] bool roomFor(std::size_t bytes) const noexcept { return used_ == 0 || used_ + bytes <= kBytes; }
    /// Room for a message of at most `bytes` bytes; roomFor() was true. Throws std::bad_alloc.
    [[nodiscard]] std::span<std::byte> room(std::size_t bytes) {
        if (used_ + bytes > size_) grow(bytes);
        return {bytes_.get() + used_, bytes};
    }
    /// The first `bytes` of the room are a message.
    Place keep(std::size_t bytes) noexcept {
        const Place place{used_, static_cast<std::uint32_t>(bytes)};
        used_ += static_cast<std::uint32_t>(bytes);
        return place;
    }
    [[nodiscard]] eta::Bytes at(Place place) const noexcept { return {bytes_.get() + place.offset, place.length}; }

    void add(Client& client, std::int32_t stream, Place message) noexcept {
        Delivery& d = deliveries_[count_];
        d = {message.offset, message.length, stream, kNone};
        if (client.lastDelivery == kNone) {
            client.firstDelivery = count_;
            touched_[touchedCount_++] = client.index;
        } else {
            deliveries_[client.lastDelivery].next = count_;
        }
        client.lastDelivery = count_++;
    }
    /// There is nothing in it, not even a message that nobody gets.
    [[nodiscard]] bool blank() const noexcept { return used_ == 0; }
    [[nodiscard]] std::uint32_t size() const noexcept { return count_; }

    /// What became of one client's messages: of an error those from `messages` on were not queued.
    struct Written {
        std::uint32_t messages = 0, left = 0;
        std::size_t bytes = 0, queued = 0;
        eta::Error error;
    };
    /// Writes everything to the links and tells `done(client, written)` for each client that is still there; it must
    /// not end clients. Then the log is empty.
    template <class Done>
    void writeOut(Done&& done) noexcept {
        for (std::uint32_t i = 0; i < touchedCount_; ++i) {
            Client* const client = clients_.find(touched_[i]);
            if (client == nullptr || client->firstDelivery == kNone) continue;  // gone meanwhile
            if (i + 1 < touchedCount_) prefetch(touched_[i + 1]);
            const std::uint32_t first = std::exchange(client->firstDelivery.value_, kNone);
            client->lastDelivery = kNone;
            if (client->link == nullptr) continue;
            done(*client, client->json ? writeTexts(*client->link, first) : writeMessages(*client->link, first));
        }
        clear();
    }

private:
    struct Delivery {
        std::uint32_t offset = 0, length = 0;
        std::int32_t stream = 0;
        std::uint32_t next = kNone;
    };
    [[nodiscard]] Written writeMessages(reactor::Link& link, std::uint32_t first) noexcept;
    /// Texts of JSON objects without the beginning up to their ID: several go into one array.
    [[nodiscard]] Written writeTexts(reactor::Link& link, std::uint32_t first) noexcept;
    [[nodiscard]] std::uint32_t runOf(std::uint32_t first, std::size_t limit, std::size_t& bytes) const noexcept;
    std::byte* writeRun(std::byte* to, std::uint32_t first, std::uint32_t count) const noexcept;
    [[nodiscard]] std::uint32_t countFrom(std::uint32_t first) const noexcept;
    void prefetch(std::uint32_t index) noexcept;
    void grow(std::size_t bytes);
    void clear() noexcept;

    ClientTable& clients_;
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t size_ = kBytes;
    std::uint32_t used_ = 0, count_ = 0, touchedCount_ = 0;
    std::unique_ptr<Delivery[]> deliveries_;
    std::unique_ptr<std::uint32_t[]> touched_;  // clients with a delivery; a number that was used again comes twice
};

}  // namespace emissary::hub::fanout
