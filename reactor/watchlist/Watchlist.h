// The item streams of one consumer: one wire stream per distinct item, shared by any number of handles, recovered when
// its service or connection comes back (session.md section 4). docs/watchlist.md draws the parts and a stream's life.
#pragma once

#include "watchlist/ServiceEvents.h"
#include "watchlist/Takeover.h"

namespace emissary::reactor::consumer {

/// The face of the room: it owns the parts and decides nothing itself. Session lock held throughout; messages come on
/// the dispatching thread.
class Watchlist final : public rdm::DirectoryListener, private RequestTable::Observer, private MemoryOwner {
public:
    Watchlist(Reactor& reactor, Sender& sender, RequestTable& requests, ConsumerSink& sink, WatchlistOwner& owner,
              const WatchlistOptions& options);
    ~Watchlist() override;

    /// From the consumer's own login request (session.md 4.6).
    void setRecovery(bool singleOpen, bool allowSuspectData) noexcept {
        context_.singleOpen = singleOpen;
        context_.allowSuspect = singleOpen || allowSuspectData;
    }
    /// The connection is gone for good: what is opened from now on ends at once, with this text.
    void closeForGood(std::string text) { context_.closedText = std::move(text); }
    /// From the provider's login refresh.
    void setProviderSupport(bool pauseResume, bool views) noexcept {
        context_.supportsPause = pauseResume;
        context_.supportsView = views;
    }

    // --- the application's calls
    Handle open(const RequestView& request, const Subscriber& subscriber, Refusal& refusal, bool internal = false);
    [[nodiscard]] Refusal reissue(Request& r, const RequestView& request) { return opening_.reissue(r, request); }
    void close(Request& r) { opening_.close(r); }
    /// A symbol list that is over, except for the streams it opened: those end.
    void closeList(Request& r) { context_.requests.release(r); }
    /// `msg` is changed: stream id, service id, domain.
    [[nodiscard]] Refusal submitGeneric(const Request& r, eta::codec::Msg& msg) { return posts_.submitGeneric(r, msg); }
    [[nodiscard]] Refusal submitPost(const Request& r, eta::codec::Msg& msg, std::string_view serviceName) {
        return posts_.submitPost(r, msg, serviceName);
    }
    /// For what is off-stream, and when servers are lost.
    [[nodiscard]] Posts& posts() noexcept { return posts_; }
    /// Pause or resume of everything (login reissue).
    void pauseAll(bool paused) { opening_.pauseAll(paused); }

    // --- warm standby; see Takeover
    static constexpr std::uint32_t kActive = Takeover::kActive, kEvery = Takeover::kEvery;
    void tellRequests(bool tell) noexcept { context_.tellRequests = tell; }
    [[nodiscard]] Takeover& takeover() noexcept { return takeover_; }
    /// kActive for streams and services that are not known, and for private streams, which no other server has.
    [[nodiscard]] std::uint32_t sourceOf(std::int32_t wireId) const noexcept {
        const Stream* s = streams_.find(wireId);
        return s != nullptr && !s->isPrivate ? s->service->source : kActive;
    }
    [[nodiscard]] std::uint32_t sourceOf(std::string_view service) const noexcept {
        const ServiceEntry* entry = services_.find(service);
        return entry != nullptr ? entry->source : kActive;
    }
    void setSource(std::string_view service, std::uint32_t channel, const rdm::Service* theirs,
                   const std::vector<bool>* ended);
    /// The server of this channel lists the service anew, which counts where it is the source.
    void sourceLists(std::uint32_t channel, const rdm::Service& theirs);
    /// What a service's source says of its items. The active server's word comes by the calls of DirectoryListener.
    [[nodiscard]] ServiceEvents& serviceEvents() noexcept { return events_; }
    [[nodiscard]] const Services& services() const noexcept { return services_; }
    void sourceLost(std::uint32_t channel, const std::vector<bool>& endedOnActive);

    /// For streams that are kept elsewhere, as the ids of a connection are one space, and for messages that come soon.
    [[nodiscard]] StreamTable& streams() noexcept { return streams_; }

    // --- the wire
    void onMessage(eta::codec::Msg& msg) { delivery_.onMessage(msg); }
    /// The peer sent something undecodable on this stream.
    void onMalformed(std::int32_t wireId) { delivery_.onMalformed(wireId); }
    void connectionLost();
    /// The application ends the session: nothing more is said to it.
    void shutDown();
    /// The login stream was closed for good: every item ends.
    void loginClosed() { events_.onLoginClosed(); }

    // --- DirectoryListener
    void onServiceAdded(const rdm::Service& service) override { events_.onAdded(service); }
    void onServiceChanged(const rdm::Service& service, std::uint32_t) override { events_.onChanged(service); }
    void onServiceDeleted(const rdm::Service& service) override { events_.onDeleted(service); }
    void onServiceStatus(const rdm::Service& service, const eta::codec::State& state) override {
        events_.onStatus(kActive, service, state);
    }
    void onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) override {
        events_.onGroupMerged(kActive, service, group, into);
    }
    void onGroupStatus(const rdm::Service& service, Bytes group, const eta::codec::State& state) override {
        events_.onGroupStatus(kActive, service, group, state);
    }

    [[nodiscard]] std::size_t streamCount() const noexcept { return streams_.size(); }
    [[nodiscard]] std::uint64_t droppedEarly() const noexcept { return delivery_.droppedEarly(); }
    [[nodiscard]] std::uint64_t groupless() const noexcept { return streams_.groups().numbers().unnumbered(); }

private:
    void onRelease(const Request& r) override;
    void onInternalNotice(const eta::codec::Msg& msg, Handle handle) override {
        context_.owner.onInternalMessage(msg, handle);
    }
    void trimMemory() noexcept override;
    [[nodiscard]] std::size_t places() const noexcept override;

    // Each knows only those above it.
    Context context_;
    Services services_;
    Posts posts_;
    Views views_;
    StreamTable streams_;
    RequestTimeouts timeouts_;
    WireRequests wire_;
    Sharers sharers_;
    Recovery recovery_;
    Opening opening_;
    Lists lists_;
    Delivery delivery_;
    ServiceEvents events_;
    Takeover takeover_;
};

}  // namespace emissary::reactor::consumer
