// Posts that wait for their acks (session.md 4.10, rdm.md 7).
#pragma once

#include "eta/core/SmallBytes.h"
#include "reactor/memory.h"
#include "reactor/watchlist/WatchlistOptions.h"
#include "watchlist/DeadlineQueue.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace emissary::reactor::consumer {

/// What a post says of its item, for an answer that is made here.
class PostKey {
public:
    PostKey() = default;  ///< of a post without a key
    explicit PostKey(const eta::codec::MsgKey& key)
        : flags_(static_cast<std::uint16_t>(key.flags & ~eta::codec::KeyFlag::attrib)), serviceId_(key.serviceId),
          nameType_(key.nameType), filter_(key.filter), identifier_(key.identifier) {
        if (key.has(eta::codec::KeyFlag::name)) name_.assign(key.name);
    }
    [[nodiscard]] bool present() const noexcept { return flags_ != 0; }
    /// Borrows the name.
    [[nodiscard]] eta::codec::MsgKey view() const noexcept {
        eta::codec::MsgKey key;
        key.flags = flags_;
        key.serviceId = serviceId_;
        key.nameType = nameType_;
        key.filter = filter_;
        key.identifier = identifier_;
        key.name = name_.view();
        return key;
    }

private:
    std::uint16_t flags_ = 0, serviceId_ = 0;
    std::uint8_t nameType_ = 1;
    std::uint32_t filter_ = 0;
    std::int32_t identifier_ = 0;
    eta::SmallBytes<22> name_;  // most names fit in
};

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
        std::uint32_t source = 0;  ///< channel of the server that it went to, as ServiceEntry::source has it
        std::uint32_t mark = 0;    ///< posts in the order in which they went out
        PostKey named{};
    };
    using Post = std::pair<Key, Entry>;
    using Expired = std::function<void(const Key&, const Entry&)>;

    PostLedger(Reactor& reactor, std::chrono::milliseconds timeout, std::uint32_t limit, Expired expired)
        : limit_(limit), expired_(std::move(expired)),
          deadlines_(
              reactor, timeout,
              {[this](const Sent& s) { return find(s) != pending_.end(); }, [this](const Sent& s) { expire(s); }, {}}) {
    }

    [[nodiscard]] bool empty() const noexcept { return pending_.empty(); }
    [[nodiscard]] bool full() const noexcept { return pending_.size() >= limit_; }
    /// A post of these numbers must not go out: the same part waits already, or a complete post of that id does, or
    /// the new one is a whole post while parts of that id wait.
    [[nodiscard]] bool duplicate(const Key& key, bool whole) const noexcept {
        const auto same = ids_.find(idOf(key));
        if (same == ids_.end()) return false;
        return whole || same->second.complete || pending_.contains(key);
    }
    void add(const Key& key, Entry entry) {
        const std::uint32_t mark = entry.mark = ++lastMark_;
        const bool complete = entry.complete;
        pending_.insert_or_assign(key, std::move(entry));
        ++streams_[key.wireId];
        Id& id = ids_[idOf(key)];
        ++id.waiting;
        id.complete = id.complete || complete;
        deadlines_.start({key, mark});
    }
    /// Takes the post that an ack answers; false when none waits for it.
    [[nodiscard]] bool take(const Key& key, Entry& out) {
        const auto it = pending_.find(key);
        if (it == pending_.end()) return false;
        out = remove(it);
        return true;
    }
    /// Some post of that stream waits.
    [[nodiscard]] bool anyOf(std::int32_t wireId) const noexcept {
        return !streams_.empty() && streams_.contains(wireId);
    }
    /// Takes all posts that `wanted` picks by key and entry, in the order in which they went out.
    template <class Wanted>
    [[nodiscard]] std::vector<Post> takeAll(Wanted wanted) {
        std::vector<Key> keys;
        for (const auto& [key, entry] : pending_)
            if (wanted(key, entry)) keys.push_back(key);
        std::vector<Post> posts;
        posts.reserve(keys.size());
        for (const Key& key : keys)
            posts.emplace_back(key, remove(pending_.find(key)));
        // Marks may have begun again from 0 meanwhile: what counts is which one is behind.
        std::sort(posts.begin(), posts.end(), [](const Post& a, const Post& b) {
            return static_cast<std::int32_t>(a.second.mark - b.second.mark) < 0;
        });
        return posts;
    }
    /// What `change` makes of every entry.
    template <class Change>
    void forEach(Change change) {
        for (auto& [key, entry] : pending_)
            change(entry);
    }
    /// The stream is gone: its posts are forgotten without a word.
    void forget(std::int32_t wireId) {
        if (!anyOf(wireId)) return;
        static_cast<void>(takeAll([wireId](const Key& key, const Entry&) { return key.wireId == wireId; }));
    }
    void trim() noexcept {
        trimTable(pending_);
        trimTable(ids_);
        trimTable(streams_);
        deadlines_.trim();
    }
    [[nodiscard]] std::size_t places() const noexcept {
        return pending_.bucket_count() + ids_.bucket_count() + streams_.bucket_count();
    }
    void forgetAll() {
        pending_.clear();
        ids_.clear();
        streams_.clear();
        deadlines_.forget();
    }

private:
    /// The posts of one stream that have one id.
    struct Id {
        std::uint32_t waiting = 0;
        bool complete = false;  ///< one entry is a complete post, or the last part of one
    };
    [[nodiscard]] static std::uint64_t idOf(const Key& k) noexcept {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(k.wireId)) << 32 | k.id;
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
    Entry remove(Pending::iterator it) {
        if (const auto stream = streams_.find(it->first.wireId); stream != streams_.end() && --stream->second == 0)
            streams_.erase(stream);
        if (const auto id = ids_.find(idOf(it->first)); id != ids_.end()) {
            if (--id->second.waiting == 0) ids_.erase(id);
            else if (it->second.complete) id->second.complete = false;
        }
        Entry entry = std::move(it->second);
        pending_.erase(it);
        return entry;
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
        const Entry entry = remove(it);
        expired_(s.key, entry);
    }

    const std::uint32_t limit_;
    const Expired expired_;
    Pending pending_;
    ItemMap<std::uint64_t, Id> ids_;
    ItemMap<std::int32_t, std::uint32_t> streams_;  // how many posts of each stream wait
    DeadlineQueue<Sent> deadlines_;
    std::uint32_t lastMark_ = 0;
};

}  // namespace emissary::reactor::consumer
