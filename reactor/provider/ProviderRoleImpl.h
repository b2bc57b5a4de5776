// The insides of ProviderRole, shared by its source files: life of sessions, requests, submits, paced answers.
#pragma once

#include "provider/Listener.h"
#include "provider/Session.h"
#include "rdm/ItemGroups.h"
#include "reactor/GrowingBuffer.h"

#include <deque>
#include <map>
#include <new>
#include <optional>

namespace emissary::reactor {

struct ProviderRole::Impl final : EventSource, rdm::DirectoryListener, MemoryOwner {
    using Msg = eta::codec::Msg;

    Impl(Reactor& r, ProviderOptions o, ProviderHandler& h);
    ~Impl() override;

    // --- sessions (ProviderRole.cpp)
    void onReady(std::uint32_t epollEvents) noexcept override;
    void acceptWaiting();
    void addSession(std::unique_ptr<eta::transport::Channel> channel);
    void takeHandedOver();
    void stopListening() noexcept;
    [[nodiscard]] Session* findSession(std::uint64_t clientHandle) noexcept;
    /// How the login handle's onClose is told: not at all, at once (on the dispatching thread), or from a later turn.
    enum class Tell : std::uint8_t { nothing, now, later };
    void endSession(Session& session, const std::string& reason, Tell tell);
    /// Ends every stream of the client; the login handle's onClose goes to the handler.
    void endStreams(Session& session, Tell tell);
    void bury();
    void trimMemory() noexcept override;
    [[nodiscard]] std::size_t places() const noexcept override;

    // --- streams (ProviderRole.cpp)
    [[nodiscard]] std::uint32_t openStream(Session& session, const Msg& request, const ItemKey& key);
    void dropStream(std::uint32_t slot) noexcept;
    void forgetPosts(Session& session, std::uint32_t slot) noexcept;
    [[nodiscard]] ItemKey itemKey(const Msg& request);

    // --- what clients may cost (guard.cpp)
    void beginStranger(Session& session);
    void endStranger(Session& session);
    void watchClients();
    void lookAfter(Session& session);
    [[nodiscard]] bool keyTooLarge(Session& session, const Msg& m, const ItemKey& key, std::size_t replaced = 0);
    static constexpr std::uint8_t kUsageError = 5, kTooManyItems = 13, kGeneralError = 28;

    // --- inbound (requests.cpp)
    void onMessage(Session& session, Bytes bytes);
    void onRequest(Session& session, const Msg& m);
    void onLogin(Session& session, const Msg& m);
    void onDirectory(Session& session, const Msg& m);
    void onDictionary(Session& session, const Msg& m);
    void onItem(Session& session, const Msg& m);
    void onClose(Session& session, const Msg& m);
    void onPostOrGeneric(Session& session, const Msg& m);
    void handOver(Session& session, const Msg& m, std::uint32_t slot, const ItemKey& key);
    void refuse(Session& session, const Msg& m, std::uint8_t code, const std::string& text);
    [[nodiscard]] bool tooMany(Session& session, const Msg& m);
    void tellClosed(const StreamEvent& event, std::uint8_t domain, Bytes key, std::uint8_t streamFlags,
                    std::int32_t streamId);

    // --- answers of the role itself (answers.cpp)
    void answerDirectory(Session& session, const Stream& stream, bool solicited);
    void send(Session& session, const Msg& m);  ///< queued when the output is full
    void pump(Session& session);
    void wait(Session& session);
    enum class Step : std::uint8_t { done, more, blocked };
    [[nodiscard]] Step step(Session& session, OutboxJob& job);
    [[nodiscard]] Step sendPart(Session& session, std::uint64_t handle);
    void queue(Session& session, OutboxJob job);
    [[nodiscard]] std::size_t outputBound(Session& session) const noexcept;
    [[nodiscard]] std::size_t pauseBytes(Session& session) const noexcept;

    // --- requests of our own (own_requests.cpp)
    struct OwnRequest {
        std::uint64_t handle = 0, clientHandle = 0;
        std::int32_t streamId = 0;
        bool streaming = false;
        std::optional<std::uint16_t> serviceId;
        std::vector<std::byte> message;  ///< the request as sent
        TimerId timer = 0;
    };
    [[nodiscard]] Session* sessionForRequest() noexcept;
    [[nodiscard]] SubmitResult sendRequest(Session& session, OwnRequest& own, const Msg& request);
    void restartTimer(OwnRequest& own);
    /// A message for a stream id below zero; false when it is none of ours.
    [[nodiscard]] bool onAnswer(Session& session, const Msg& m);
    /// Tells the handler a status of our own making and forgets the request.
    void endOwnRequest(std::uint64_t handle, std::uint8_t streamState, std::uint8_t code, std::string_view text);
    enum class When : std::uint8_t { now, later };
    template <class Affected>
    void endOwnRequests(Affected affected, When when, std::string_view text);
    void endOwnRequestsOf(const Session& session, When when, std::string_view text);
    void endOwnRequestsOf(const rdm::Service& service);
    void closeOwnStream(const OwnRequest& own);

    // --- outbound (submit.cpp)
    [[nodiscard]] SubmitResult check(const Stream& stream, Msg& msg);
    void sent(std::uint32_t slot, const Msg& msg);
    [[nodiscard]] SubmitResult takeDirectory(const Msg& msg, const Session* onlyFor = nullptr);
    [[nodiscard]] SubmitResult fanOutDirectory(const Msg& msg);
    [[nodiscard]] SubmitResult fanOut(const Msg& msg);

    // --- what a submitted directory message means for the open items (submit.cpp)
    void onServiceDeleted(const rdm::Service& service) override;
    void onServiceStatus(const rdm::Service& service, const eta::codec::State& state) override;
    void onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) override;
    void onGroupStatus(const rdm::Service& service, Bytes group, const eta::codec::State& state) override;
    template <class Affected>
    void dropItems(Affected affected);
    const Session* statesOnlyFor = nullptr;  // whose items states and merges of a directory message are for; null = all

    Reactor& reactor;
    ProviderOptions options;
    ProviderHandler& handler;
    /// Connections that another role of the process accepted for this one.
    struct Inbox final : EventSource {
        explicit Inbox(Impl& r) : role(r) {}
        void onReady(std::uint32_t) noexcept override { role.takeHandedOver(); }
        Impl& role;
    };
    std::shared_ptr<Listener> listener;  // shared by the roles of the process that serve one port together
    std::unique_ptr<Listener::Member> member;
    Inbox inbox{*this};
    TimerId acceptTimer = 0, guardTimer = 0;
    std::uint32_t emptyAccepts = 0;

    /// Upper half of the range: client handles never equal stream handles.
    static constexpr std::uint32_t kFirstSessionGeneration = 0x80000000;
    struct SessionSlot {
        std::unique_ptr<Session> session;
        std::uint32_t generation = kFirstSessionGeneration;
    };
    std::vector<SessionSlot> sessions;
    std::vector<std::uint32_t> freeSessions;
    std::vector<std::unique_ptr<Session>> dead;  // ended inside a callback; destroyed from the loop
    std::size_t live = 0;

    StreamTable streams;
    rdm::Directory directory;
    rdm::ItemGroups groups;                                     // of the open items
    ItemMap<std::uint64_t, std::deque<std::uint32_t>> unacked;  // handle -> post ids
    std::map<std::uint64_t, OwnRequest> ownRequests;            // by handle
    std::uint32_t lastOwnRequest = 0;  // handles of own requests have an upper half of 0, which no stream's has
    void handshakeFailed(const std::string& reason);
    ProviderCounters counters;
    TimePoint nextHandshakeReport{};
    std::uint64_t unreportedHandshakes = 0;
    Msg inbound;
    GrowingBuffer keyScratch{256}, payloadScratch{4096}, messageScratch{4096};
    std::shared_ptr<Impl*> self = std::make_shared<Impl*>(this);  // posted callbacks ask it whether the role still is
};

}  // namespace emissary::reactor
