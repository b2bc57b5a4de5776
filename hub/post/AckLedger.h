// Posts that wait for the answers of their sources.
#pragma once

#include "eta/codec/Msg.h"
#include "hub/core/Source.h"
#include "hub/post/post_counts.h"
#include "reactor/Reactor.h"
#include "reactor/memory.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace emissary::hub::post {

/// One post under way: whom to answer, and how its answer is known.
struct PendingPost {
    std::uint32_t index = 0;  ///< of the pool
    // What the source sees and repeats in its ack.
    std::uint32_t hubId = 0, seqNum = 0;
    bool hasSeqNum = false;
    const Source* source = nullptr;
    std::uint32_t item = Item::kNone, itemGeneration = 0;  ///< kNone: off-stream
    // What the client sent and gets back.
    std::uint32_t client = 0;
    std::int32_t stream = 0;
    std::uint32_t postId = 0;
    std::uint16_t service = 0;  ///< local id
    std::uint8_t domain = 0;
    bool isPrivate = false;
    std::vector<std::byte> key;  ///< content as the client sent it; empty: the post had none
    std::string user, address;   ///< of the poster, where the client is no connection
    reactor::TimePoint since{};

    struct Links {
        std::uint32_t prev = Item::kNone, next = Item::kNone;
    };
    Links inTime, ofClient, ofItem, ofSource;
};

/// Bounded for each client; one timer for all. A post is known by the hub's number for it and its sequence number: the
/// parts of one post share the number. Stage thread only.
class AckLedger {
public:
    using Expired = std::function<void(const PendingPost&)>;
    /// `timeout` 0 = none; `limit`: posts of one client.
    AckLedger(reactor::Reactor& reactor, std::chrono::milliseconds timeout, std::uint32_t limit, Counts& counts,
              Expired expired);
    ~AckLedger();
    AckLedger(const AckLedger&) = delete;
    AckLedger& operator=(const AckLedger&) = delete;

    [[nodiscard]] bool full(std::uint32_t client) const noexcept {
        return client < clients_.size() && clients_[client].count >= limit_;
    }
    /// False: a part with the same numbers waits already. Throws std::bad_alloc, and nothing has happened then.
    [[nodiscard]] bool add(PendingPost post);
    /// Removes and returns the post that an ack answers. False if no post waits for it at this source and on this item.
    [[nodiscard]] bool take(const Source& source, const Item* item, const eta::codec::Msg& ack, PendingPost& out);
    /// The post was not sent after all.
    void cancel(std::uint32_t hubId, bool hasSeqNum, std::uint32_t seqNum);
    /// The client's posts are forgotten.
    void forgetClient(std::uint32_t client) noexcept;
    /// Takes out, oldest first, all that wait for this source, and calls `f` with each after that.
    void takeAllOf(const Source& source, const Expired& f);
    /// The same with those of an item; with a `mount` of it alone.
    void takeAllOf(const Item& item, const Mount* mount, const Expired& f);
    [[nodiscard]] std::size_t size() const noexcept { return byKey_.size(); }
    void trim() noexcept;
    [[nodiscard]] std::size_t places() const noexcept {
        return pool_.capacity() + byKey_.bucket_count() + items_.bucket_count() + sources_.bucket_count();
    }

private:
    struct Key {
        std::uint32_t id = 0, seq = 0;
        bool hasSeq = false;
        friend bool operator==(const Key&, const Key&) = default;
        friend std::size_t hash_value(const Key& k) noexcept {
            std::size_t seed = std::size_t{k.id} << 32 | k.seq;
            boost::hash_combine(seed, k.hasSeq);
            return seed;
        }
    };
    struct List {
        std::uint32_t head = Item::kNone, tail = Item::kNone, count = 0;
    };
    using LinksOf = PendingPost::Links PendingPost::*;

    [[nodiscard]] static std::uint64_t itemOf(const PendingPost& post) noexcept {
        return std::uint64_t{post.itemGeneration} << 32 | post.item;
    }
    void append(List& list, PendingPost& post, LinksOf links) noexcept;
    void unlink(List& list, PendingPost& post, LinksOf links) noexcept;
    PendingPost remove(PendingPost& post);
    void arm();
    void expire();

    reactor::Reactor& reactor_;
    const std::chrono::milliseconds timeout_;
    const std::uint32_t limit_;
    Counts& counts_;
    const Expired expired_;
    reactor::Pool<PendingPost> pool_;
    reactor::ItemMap<Key, std::uint32_t> byKey_;
    List inTime_;
    std::vector<List> clients_;                    // by client number
    reactor::ItemMap<std::uint64_t, List> items_;  // by index and generation, of items that have some
    // Of sources that have some: hundreds of publishers may be lost in one turn while others' posts wait.
    reactor::ItemMap<const Source*, List> sources_;
    reactor::TimerId timer_ = 0;
};

}  // namespace emissary::hub::post
