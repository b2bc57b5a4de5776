// One connected client of a provider.
#pragma once

#include "provider/StreamTable.h"
#include "reactor/provider/ProviderRole.h"

#include <deque>
#include <vector>

namespace emissary::reactor {

/// What makes two requests of a client the same item (session.md 5.3, check 5).
struct ItemKey {
    std::uint32_t hash = 0;
    std::uint8_t domain = 0;
    bool isPrivate = false;
    Bytes content;
};

/// Looks through slot numbers at the streams' keys, so that the index costs four bytes a stream.
struct ItemKeyHash {
    using is_transparent = void;
    const StreamTable* table;
    [[nodiscard]] std::size_t operator()(std::uint32_t slot) const noexcept { return (*table)[slot].keyHash; }
    [[nodiscard]] std::size_t operator()(const ItemKey& key) const noexcept { return key.hash; }
};
struct ItemKeyEqual {
    using is_transparent = void;
    const StreamTable* table;
    [[nodiscard]] bool operator()(std::uint32_t a, std::uint32_t b) const noexcept { return a == b; }
    [[nodiscard]] bool operator()(const ItemKey& key, std::uint32_t slot) const noexcept {
        const Stream& s = (*table)[slot];
        return s.keyHash == key.hash && s.domain == key.domain && s.is(Stream::isPrivate) == key.isPrivate &&
               s.keySize == key.content.size() && std::equal(key.content.begin(), key.content.end(), s.keyBytes.get());
    }
    [[nodiscard]] bool operator()(std::uint32_t slot, const ItemKey& key) const noexcept { return (*this)(key, slot); }
};

/// An answer of the role itself that waits for room in the client's output.
struct OutboxJob {
    std::vector<std::byte> message;  ///< a whole message, or empty: parts of a dictionary
    std::uint64_t stream = 0;        ///< handle the dictionary goes to, a key of Session::dictionaryJobs
    [[nodiscard]] std::size_t cost() const noexcept { return sizeof(OutboxJob) + message.size(); }
};

/// A dictionary on its way to one stream. Requests that come meanwhile are answered once, by the last of them.
struct DictionaryJob {
    const ServedDictionary* dictionary = nullptr;
    std::uint32_t verbosity = 0;
    eta::dictionary::Dictionary::Part part;
    bool first = true;
    const ServedDictionary* nextDictionary = nullptr;  ///< asked for again after the first part had left
    std::uint32_t nextVerbosity = 0;
};

struct Session final : LinkHandler {
    Session(ProviderRole::Impl& r, StreamTable& table) : role(r), byKey(0, ItemKeyHash{&table}, ItemKeyEqual{&table}) {}

    void onLinkUp(Link&) override;
    void onLinkMessage(Link&, Bytes message) override;
    void onLinkDown(Link&, const std::string& reason, bool refused) override;
    void onJsonFailure(Link&, const std::string& text) override;
    [[nodiscard]] bool toleratesJsonFailure(Link&) override;
    [[nodiscard]] JsonSources jsonSources() const noexcept override;

    [[nodiscard]] std::uint32_t slotOf(std::int32_t streamId) const noexcept {
        const auto at = byStreamId.find(streamId);
        return at == byStreamId.end() ? StreamTable::kNone : at->second;
    }

    ProviderRole::Impl& role;
    std::uint64_t handle = 0;
    std::unique_ptr<Link> link;
    bool up = false, loggedIn = false, dead = false;
    bool servesDictionaries = false;  ///< said so in its login request
    std::int32_t lastOwnStream = 0;   ///< our own requests count down from -1; clients' streams are positive
    std::uint32_t loginSlot = StreamTable::kNone;
    ItemMap<std::int32_t, std::uint32_t> byStreamId;
    ItemSet<std::uint32_t, ItemKeyHash, ItemKeyEqual> byKey;
    std::vector<std::uint32_t> adminSlots;  ///< streams of domains 4 and 5
    std::deque<OutboxJob> outbox;
    std::size_t outboxBytes = 0;
    ItemMap<std::uint64_t, DictionaryJob> dictionaryJobs;  ///< by stream handle, one each
    // guard.cpp
    TimePoint loginDue = TimePoint::max();
    std::size_t keyBytes = 0;        ///< of the keys of open streams
    std::size_t unackedPosts = 0;    ///< of all its streams
    std::uint32_t refusals = 0;      ///< since the connection or the last login
    std::uint32_t jsonFailures = 0;  ///< since jsonMinute
    TimePoint jsonMinute{};
    struct Backlog {
        std::uint64_t end = 0;  ///< bytes written when all that waited at `since` has left
        TimePoint since{};
        bool watched = false;
    } backlog;
    TimerId outboxTimer = 0;
    Duration outboxDelay{};
};

}  // namespace emissary::reactor
