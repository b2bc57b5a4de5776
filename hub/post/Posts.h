// Posts and generic messages of clients, and the answers to posts (hub.md 7).
#pragma once

#include "hub/core/AuditSink.h"
#include "hub/core/Mounts.h"
#include "hub/core/log.h"
#include "hub/post/AckLedger.h"
#include "hub/post/GenericRouter.h"
#include "hub/post/LocalPosts.h"
#include "hub/post/PostRouter.h"
#include "reactor/LimitedLines.h"
#include "reactor/MetricSource.h"

#include <array>
#include <functional>
#include <string>

namespace emissary::hub::post {

/// From the settings of the hub, which have the defaults.
struct PostOptions {
    bool allowed = false;                     ///< SupportOMMPost; else every post is refused with AccessDenied
    std::uint32_t maxOutstanding = 0;         ///< posts of one client that wait for an answer, or for their last part
    std::chrono::milliseconds ackTimeout{0};  ///< 0 = a source has all the time it likes
    std::size_t maxPartBytes = 16u << 20;     ///< of one client's unfinished posts
    PostedItems::Limits made;                 ///< of what posts make
    AuditSink* audit = nullptr;               ///< hears of posts that are refused; borrowed; null = nobody does
};

/// Borrowed; all of it outlives the router.
struct PostRooms {
    ItemTable& items;
    ClientTable& clients;
    ServiceTable& services;
    Mounts& mounts;
    flow::ItemFlow& flow;
    flow::Records& records;
    reactor::Reactor& reactor;
};

/// Where posts go: on to the source of an interactive item, into the image of a published one. Numbers of posts are the
/// hub's own towards sources; answers go to the stream that posted, with the client's. Stage thread only.
class Posts final : public PostRouter, public AckSink, private flow::StreamEnds, private reactor::MemoryOwner {
public:
    /// Sends a message on a stream of a client; fanout::FanOut does.
    using Reply = std::function<void(Client&, std::int32_t stream, const Msg&)>;
    using Log = LogLine;
    Posts(const PostRooms& rooms, const PostOptions& options, Reply reply, Log log = {});
    ~Posts() override { rooms_.flow.onPostedGone({}); }

    /// The item may be gone when it returns.
    void onPost(Client& client, Item* item, const Msg& post) override;
    void onGeneric(Client& client, Item* item, const Msg& generic) override;
    void onClientGone(Client& client) noexcept override;
    void onPostGivenUp(Client& client, std::int32_t stream, std::uint32_t postId) override;

    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
        local_.setDictionary(std::move(dictionary));
    }

    void onAck(Source& source, Item* item, const Msg& ack) override;
    void onSourceLost(Source& source) override;

    [[nodiscard]] const Counts& counts() const noexcept { return counts_; }
    /// Posts with this outcome so far.
    [[nodiscard]] std::uint64_t posts(Nak outcome) const noexcept;

private:
    // --- flow::StreamEnds
    void onStreamsEnd(Item& item, const Mount* mount) override;
    void onSourceStreamEnds(Item& item) override;

    [[nodiscard]] Outcome route(const Posted& post);
    [[nodiscard]] bool atSource(const Posted& post, const Service& service);
    [[nodiscard]] Outcome toSource(const Posted& post, Service& service);
    [[nodiscard]] Outcome send(const Posted& post, Service& service, Source& source);
    [[nodiscard]] Source* sourceFor(const Posted& post, Service& service, Outcome& why);
    [[nodiscard]] std::uint32_t nextId() noexcept { return ++lastId_ != 0 ? lastId_ : ++lastId_; }
    using Results = std::array<ResultCounts, 16>;  // by nak code
    void count(std::uint16_t service, Nak nak);
    void collect(reactor::metrics::Snapshot& into, std::uint16_t service) const;
    [[nodiscard]] std::uint16_t serviceOf(const Posted& post) const noexcept;
    void answer(const Posted& post, const Outcome& outcome);
    /// To the stream that posted, if that is still there.
    void answer(const PendingPost& post, Nak nak, Bytes text);
    void deliver(const PendingPost& post, const Msg& said);
    void refusedSilently(const Posted& post, const Outcome& outcome);
    /// Into the audit log. `key` is that of the post or of its item.
    void auditRefusal(const Client& client, std::uint16_t service, const eta::codec::MsgKey& key,
                      const Outcome& refusal, std::string_view parameter) const noexcept {
        auditRefusal(client, client.user, client.address, service, key, refusal, parameter);
    }
    void auditRefusal(const Client& client, std::string_view user, std::string_view address, std::uint16_t service,
                      const eta::codec::MsgKey& key, const Outcome& refusal, std::string_view parameter) const noexcept;
    void trimMemory() noexcept override { ledger_.trim(); }
    [[nodiscard]] std::size_t places() const noexcept override { return ledger_.places(); }

    PostRooms rooms_;
    const PostOptions options_;
    const Reply reply_;
    const Log log_;
    Counts counts_;
    std::vector<std::unique_ptr<Results>> results_;  // by local service id; 0: services that are not there
    OpenPosts open_;
    PostedItems posted_;
    LocalPosts local_;
    GenericRouter generics_;
    AckLedger ledger_;
    reactor::LimitedLines lines_{
        rooms_.reactor,
        [this](std::uint64_t left) { log_(Severity::warning, std::to_string(left) + " posts more were not taken"); },
        reactor::RecordLimit(1)};
    std::uint32_t lastId_ = 0;
    reactor::MetricSource metrics_;
};

}  // namespace emissary::hub::post
