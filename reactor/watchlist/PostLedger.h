// Posts that wait for their acks (session.md 4.10, rdm.md 7).
#pragma once

#include "reactor/memory.h"
#include "reactor/watchlist/WatchlistOptions.h"
#include "watchlist/DeadlineQueue.h"

namespace emissary::reactor::consumer {

/// Session lock held throughout.
class PostLedger {
public:
    struct Key {
        std::int32_t wireId = 0;
        std::uint32_t id = 0, seq = 0;
        bool hasSeq = false;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct Entry {
        Handle poster = 0;  ///< 0: off-stream, the ack goes to every login client
        std::uint8_t domain = eta::codec::kMarketPriceDomain;
        bool complete = true;
        std::uint32_t mark = 0;
    };
    using Expired = std::function<void(const Key&, const Entry&)>;

    PostLedger(Reactor& reactor, std::chrono::milliseconds timeout, std::uint32_t limit, Expired expired)
        : limit_(limit), expired_(std::move(expired)),
          deadlines_(
              reactor, timeout,
              {[this](const Sent& s) { return find(s) != pending_.end(); }, [this](const Sent& s) { expire(s); }, {}}) {
    }

    [[nodiscard]] bool full() const noexcept { return pending_.size() >= limit_; }
    /// A post of these numbers must not go out: the same part waits already, or a complete post of that id does, or
    /// the new one is a whole post while parts of that id wait.
    [[nodiscard]] bool duplicate(const Key& key, bool whole) const noexcept {
        const auto same = ids_.find(idOf(key));
        if (same == ids_.end()) return false;
        return whole || same->second.complete || pending_.contains(key);
    }
    void add(const Key& key, Entry entry) {
        entry.mark = ++lastMark_;
        pending_.insert_or_assign(key, entry);
        Id& id = ids_[idOf(key)];
        ++id.waiting;
        id.complete = id.complete || entry.complete;
        deadlines_.start({key, entry.mark});
    }
    /// Takes the post that an ack answers; false when none waits for it.
    [[nodiscard]] bool take(const Key& key, Entry& out) {
        const auto it = pending_.find(key);
        if (it == pending_.end()) return false;
        out = it->second;
        remove(it);
        return true;
    }
    /// The stream is gone: its posts are forgotten without a word.
    void forget(std::int32_t wireId) {
        if (pending_.empty()) return;
        boost::unordered::erase_if(pending_, [&](const auto& p) { return p.first.wireId == wireId; });
        boost::unordered::erase_if(ids_, [&](const auto& p) { return wireIdOf(p.first) == wireId; });
    }
    void trim() noexcept {
        trimTable(pending_);
        trimTable(ids_);
        deadlines_.trim();
    }
    [[nodiscard]] std::size_t places() const noexcept { return pending_.bucket_count() + ids_.bucket_count(); }
    void forgetAll() {
        pending_.clear();
        ids_.clear();
        deadlines_.forget();
    }

private:
    /// The posts of one stream that have one id.
    struct Id {
        std::uint32_t waiting = 0;
        bool complete = false;  ///< one of them is a complete post, or the last part of one
    };
    [[nodiscard]] static std::uint64_t idOf(const Key& k) noexcept {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(k.wireId)) << 32 | k.id;
    }
    [[nodiscard]] static std::int32_t wireIdOf(std::uint64_t id) noexcept {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(id >> 32));
    }
    struct KeyHash {
        std::size_t operator()(const Key& k) const noexcept {
            std::uint64_t h = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(k.wireId)) << 32 | k.id) ^
                              (static_cast<std::uint64_t>(k.seq) << 17) ^ (k.hasSeq ? 1u : 0u);
            h *= 0x9E3779B97F4A7C15ull;
            return static_cast<std::size_t>(h ^ (h >> 32));
        }
    };
    using Pending = ItemMap<Key, Entry, KeyHash>;
    void remove(Pending::iterator it) {
        if (const auto id = ids_.find(idOf(it->first)); id != ids_.end()) {
            if (--id->second.waiting == 0) ids_.erase(id);
            else if (it->second.complete) id->second.complete = false;
        }
        pending_.erase(it);
    }
    struct Sent {
        Key key;
        std::uint32_t mark;
    };
    [[nodiscard]] Pending::iterator find(const Sent& s) {
        const auto it = pending_.find(s.key);
        return it != pending_.end() && it->second.mark == s.mark ? it : pending_.end();
    }
    void expire(const Sent& s) {
        const auto it = find(s);
        const Entry entry = it->second;
        remove(it);
        expired_(s.key, entry);
    }

    const std::uint32_t limit_;
    const Expired expired_;
    Pending pending_;
    ItemMap<std::uint64_t, Id> ids_;
    DeadlineQueue<Sent> deadlines_;
    std::uint32_t lastMark_ = 0;
};

}  // namespace emissary::reactor::consumer
