// One connected client of a provider: its link, and what each part of the role keeps for it.
#pragma once

#include "provider/Backlog.h"
#include "provider/ItemKey.h"
#include "reactor/provider/ProviderRole.h"

#include <deque>
#include <vector>

namespace emissary::reactor {

/// The client's streams: slots of the role's StreamTable (OpenStreams).
struct ClientStreams {
    explicit ClientStreams(const StreamTable& table) : byKey(0, ItemKeyHash{&table}, ItemKeyEqual{&table}) {}

    [[nodiscard]] std::uint32_t slotOf(std::int32_t streamId) const noexcept {
        const auto at = byId.find(streamId);
        return at == byId.end() ? StreamTable::kNone : at->second;
    }

    ItemMap<std::int32_t, std::uint32_t> byId;
    ItemSet<std::uint32_t, ItemKeyHash, ItemKeyEqual> byKey;
    std::vector<std::uint32_t> admin;  ///< streams of domains 4 and 5
    std::uint32_t login = StreamTable::kNone;
    std::size_t keyBytes = 0;      ///< of the keys of open streams
    std::size_t unackedPosts = 0;  ///< of all its streams
};

/// An answer of the role itself that waits for room in the client's output.
struct OutboxJob {
    std::vector<std::byte> message;  ///< a whole message, or empty: parts of a dictionary
    std::uint64_t stream = 0;        ///< handle the dictionary goes to, a key of Session::dictionaries
    [[nodiscard]] std::size_t cost() const noexcept { return sizeof(OutboxJob) + message.size(); }
};

/// Answers that wait (Outbox).
struct ClientOutbox {
    std::deque<OutboxJob> jobs;
    std::size_t bytes = 0;
    bool overrun = false;  ///< more waited than may: the client is about to end, and nothing is sent any more
    TimerId timer = 0;     ///< the next attempt, or the end
    Duration delay{};
};

/// What came behind a login request that is not answered yet (ProviderOptions::holdsUntilVerdict).
struct EarlyMessages {
    std::deque<std::vector<std::byte>> messages;
    std::size_t bytes = 0;
    bool inputHeld = false;  ///< more is not read
};

/// A dictionary on its way to one stream (DictionaryAnswers). Requests that come meanwhile get one answer, that of the
/// last request.
struct DictionaryJob {
    struct Answer {
        ServedDictionary::Kind kind = ServedDictionary::Kind::fields;
        std::shared_ptr<const eta::dictionary::Dictionary> dictionary;  ///< null = none
        std::uint32_t verbosity = 0;
        bool solicited = true;
    };
    Answer answer;
    eta::dictionary::Dictionary::Part part;
    bool first = true;
    Answer next;  ///< wanted since the first part had left
};

/// What is held against the client's limits (ClientGuard).
struct ClientRecord {
    TimePoint loginDue = TimePoint::max();
    std::uint32_t refusals = 0;      ///< since the connection or the last login
    std::uint32_t jsonFailures = 0;  ///< since jsonMinute
    TimePoint jsonMinute{};
    Backlog backlog;
};

struct Session final : LinkHandler {
    Session(ProviderRole::Impl& r, const StreamTable& table) : role(r), streams(table) {}

    void onLinkUp(Link&) override;
    void onLinkMessage(Link&, Bytes message) override;
    void onLinkDown(Link&, const std::string& reason, bool refused) override;
    void onJsonFailure(Link&, const std::string& text) override;
    void onJsonEnd(Link& link, const std::string& text, const JsonEnd& end) override;
    [[nodiscard]] bool toleratesJsonFailure(Link&) override;
    [[nodiscard]] RefusedData refusedData(std::int32_t streamId) const noexcept override;
    [[nodiscard]] JsonSources jsonSources() const noexcept override;

    /// What waits for the answer to the login is forgotten, and the client is read again.
    void dropEarly();

    /// Tables that are larger than they need to be.
    void trimMemory() noexcept;
    [[nodiscard]] std::size_t places() const noexcept {
        return streams.byId.bucket_count() + streams.byKey.bucket_count();
    }

    ProviderRole::Impl& role;
    std::uint64_t handle = 0;
    void* context = nullptr;  ///< the handler's
    std::unique_ptr<Link> link;
    bool up = false, loggedIn = false, dead = false;
    /// What the login refresh says of batches. A provider that says nothing gets the items of one; one that offers
    /// them gets the whole.
    enum class Batches : std::uint8_t { items, whole, refused };
    Batches batches = Batches::items;
    bool servesDictionaries = false;  ///< said so in its login request
    std::int32_t lastOwnStream = 0;   ///< our own requests count down, away from what the client uses
    ClientStreams streams;
    ClientOutbox outbox;
    EarlyMessages early;
    ItemMap<std::uint64_t, DictionaryJob> dictionaries;  ///< by stream handle, one each
    ClientRecord record;
};

}  // namespace emissary::reactor
