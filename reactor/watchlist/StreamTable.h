// The streams of one consumer, and everything that follows from the phase that each is in.
#pragma once

#include "reactor/RestingIds.h"
#include "watchlist/Context.h"
#include "watchlist/GroupLists.h"
#include "watchlist/stream_key.h"

#include <array>
#include <span>

namespace emissary::reactor::consumer {

class Posts;
class Views;

/// A stream changes its phase here and nowhere else: lists, index, wire ids and open windows cannot contradict it.
/// Session lock held throughout.
class StreamTable {
public:
    StreamTable(const Context& context, Posts& posts, Views& views);

    // --- records
    /// A stream in phase fresh, without a key.
    [[nodiscard]] Stream& make();
    /// The delivery under way is over; false when the stream has ended and is no more.
    bool unpin(Stream& s) {
        s.busy = false;
        if (!s.life.is(StreamPhase::ended)) [[likely]]
            return true;
        release(s);
        return false;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    // --- finding
    /// Null: no stream has this id on the wire.
    [[nodiscard]] Stream* find(std::int32_t wireId) const noexcept {
        const auto id = static_cast<std::uint32_t>(wireId);
        return id < byWire_.size() ? byWire_[id] : nullptr;
    }
    /// A message for this id comes in some eight messages. What leads to its recipient is fetched into the cache: with
    /// each call a step for it and for three that were named before. False: it is no use for now, as where streams
    /// follow one another in the order of their ids, which the processor sees by itself.
    [[nodiscard]] bool expect(std::int32_t wireId, ConsumerSink& sink) noexcept;
    /// A stream has or had this id; others are the peer's invention.
    [[nodiscard]] bool wasGiven(std::int32_t wireId) const noexcept {
        return wireId >= kFirstWireId && wireId < nextWireId_;
    }
    /// An id for a stream that is kept elsewhere, and back when that has ended.
    [[nodiscard]] std::int32_t takeWireId();
    void giveWireId(std::int32_t id) { freedIds_.give(id); }
    /// A stream that others may join.
    [[nodiscard]] Stream* find(const StreamKey& key) noexcept {
        const auto it = index_.find(key);
        return it != index_.end() ? &pool_[*it] : nullptr;
    }
    /// Streams that are asked for again before this call of the peer is over.
    [[nodiscard]] StreamList& again() noexcept { return again_; }

    // --- changing
    /// What happens must be possible in the stream's phase. When memory runs out nothing has changed.
    void step(Stream& s, StreamEvent e);
    /// Behind the other parked streams of its service.
    static void moveBehind(Stream& s) noexcept;
    /// What waits for one service waits for the other from now on.
    static void moveParked(ServiceEntry& from, ServiceEntry& to) noexcept;

    [[nodiscard]] GroupLists& groups() noexcept { return groups_; }
    [[nodiscard]] const GroupLists& groups() const noexcept { return groups_; }
    void trim() noexcept;
    [[nodiscard]] std::size_t places() const noexcept { return pool_.capacity() + index_.bucket_count(); }

private:
    [[nodiscard]] StreamList* listOf(const Stream& s, StreamLife life) noexcept;
    void growWireIds(std::size_t bytes);
    void move(Stream& s, StreamLife before, StreamLife after);
    void leaveWire(Stream& s);
    void release(Stream& s) noexcept;

    const Context& context_;
    Posts& posts_;
    Views& views_;
    Pool<Stream> pool_;
    ItemSet<std::uint32_t, StreamHash, SameStream> index_{0, StreamHash{&pool_}, SameStream{&pool_}};
    // The streams by wire id. Pages from the system are null, and only those of ids that were used are there.
    eta::Block wireIds_;
    std::span<Stream*> byWire_;
    std::size_t size_ = 0;
    std::array<std::uint32_t, 8> expected_{};  // ids, a ring; see expect()
    std::uint32_t expectedAt_ = 0, inRow_ = 0;
    StreamList again_;
    GroupLists groups_{pool_};                       // of the streams on the wire
    static constexpr std::int32_t kFirstWireId = 3;  // behind login and directory
    std::int32_t nextWireId_ = kFirstWireId;
    RestingIds<std::int32_t> freedIds_;
};

}  // namespace emissary::reactor::consumer
