// The item streams of one consumer: one wire stream per distinct item, shared by any number of handles, recovered when
// its service or connection comes back (session.md section 4).
#pragma once

#include "consumer/PostLedger.h"
#include "consumer/RequestTable.h"
#include "consumer/RetryPace.h"
#include "consumer/Sender.h"
#include "consumer/stream_records.h"
#include "consumer/request_payload.h"
#include "rdm/ItemGroups.h"

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace emissary::reactor::consumer {

/// What the watchlist's owner does for it.
class WatchlistOwner {
public:
    virtual ~WatchlistOwner() = default;
    /// A message for one of the owner's own requests (dictionary download).
    virtual void onInternalMessage(const eta::codec::Msg& msg, Handle handle) = 0;
    /// An off-stream post's ack did not come in time.
    virtual void onPostTimeout(const eta::codec::Msg& nak) = 0;
    /// A request or a close went out on an item stream; only after Watchlist::tellRequests(true).
    virtual void onRequestSent(const eta::codec::Msg& msg) = 0;
    /// An item stream is over, whoever ended it; `source`: channel whose data counted. After tellRequests(true) only.
    virtual void onStreamEnded(std::int32_t wireId, std::uint8_t domain, std::uint32_t source) = 0;
    /// The way to a server other than the active one; null while it is not there.
    [[nodiscard]] virtual Sender* senderOf(std::uint32_t channel) = 0;
};

/// Session lock held throughout; messages come on the dispatching thread.
///
/// A callback may close any handle. So every delivery first brings the records into their new state, then calls; a
/// stream that dies meanwhile keeps its memory (Stream::busy) until the delivery is over.
class Watchlist final : public rdm::DirectoryListener, private RequestTable::Observer, private MemoryOwner {
public:
    Watchlist(Reactor& reactor, Sender& sender, RequestTable& requests, ConsumerSink& sink, WatchlistOwner& owner,
              const ConsumerOptions& options);
    ~Watchlist() override;

    /// From the consumer's own login request (session.md 4.6).
    void setRecovery(bool singleOpen, bool allowSuspectData) noexcept {
        singleOpen_ = singleOpen;
        allowSuspect_ = singleOpen || allowSuspectData;
    }
    /// The connection is gone for good: what is opened from now on ends at once, with this text.
    void closeForGood(std::string text) { closedText_ = std::move(text); }
    /// From the provider's login refresh.
    void setProviderSupport(bool pauseResume, bool views) noexcept {
        supportsPause_ = pauseResume;
        supportsView_ = views;
    }

    // --- the application's calls
    Handle open(const RequestView& request, const Subscriber& subscriber, Refusal& refusal, bool internal = false);
    void reissue(Request& r, const RequestView& request, Refusal& refusal);
    void close(Request& r);
    /// A symbol list that is over, except for the streams it opened: those end.
    void closeList(Request& r) { requests_.release(r); }
    /// `msg` is changed: stream id, service id, domain.
    void submitGeneric(Request& r, eta::codec::Msg& msg, Refusal& refusal);
    void submitPost(Request& r, eta::codec::Msg& msg, std::string_view serviceName, Refusal& refusal);
    /// Off-stream post on an established login stream.
    void submitOffStreamPost(eta::codec::Msg& msg, std::string_view serviceName, Refusal& refusal);
    /// Resolves the service name of a message's key into its id; false and a refusal when that cannot be done.
    bool resolveService(eta::codec::Msg& msg, std::string_view serviceName, Refusal& refusal);
    /// Pause or resume of everything (login reissue).
    void pauseAll(bool paused);

    // --- warm standby
    void tellRequests(bool tell) noexcept { tellRequests_ = tell; }
    /// Every stream that is out, as a request that wants an image.
    void replay(const std::function<void(const eta::codec::Msg&)>& send);
    /// Another server goes on; `holds`: by wire stream id, whether it has the stream open.
    void takeOver(const std::vector<bool>& holds);
    /// Service-based groups: the channel whose server's data count for a service.
    static constexpr std::uint32_t kActive = 0xFFFFFFFF, kEvery = 0xFFFFFFFE;
    [[nodiscard]] bool hasSources() const noexcept { return sources_ != 0; }
    [[nodiscard]] std::uint32_t sourceOf(std::int32_t wireId) const noexcept {
        const auto id = static_cast<std::uint32_t>(wireId);
        const Stream* s = id < byWire_.size() ? byWire_[id] : nullptr;
        return s != nullptr ? s->service->source : kActive;
    }
    [[nodiscard]] std::uint32_t sourceOf(std::string_view service) const noexcept {
        const ServiceEntry* entry = findService(service);
        return entry != nullptr ? entry->source : kActive;
    }
    /// `ended` (by wire id, may be null): streams that the new source has not open.
    void setSource(std::string_view service, std::uint32_t channel, const std::vector<bool>* ended);
    /// That server is gone: the active one stands in. kEvery: nobody but the active one is left.
    void sourceLost(std::uint32_t channel, const std::vector<bool>& endedOnActive);
    /// That server is the active one now.
    void sourceIsActive(std::uint32_t channel) noexcept;

    // --- the wire
    void onMessage(eta::codec::Msg& msg);
    /// The peer sent something undecodable on this stream.
    void onMalformed(std::int32_t wireId);
    /// An ack on the login stream: true when it answers an off-stream post.
    bool takeOffStreamAck(const eta::codec::Msg& msg);
    void connectionLost();
    /// The login stream was closed for good: every item ends.
    void loginClosed();

    // --- DirectoryListener
    void onServiceAdded(const rdm::Service& service) override;
    void onServiceChanged(const rdm::Service& service, std::uint32_t changed) override;
    void onServiceDeleted(const rdm::Service& service) override;
    void onServiceStatus(const rdm::Service& service, const eta::codec::State& state) override;
    void onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) override;
    void onGroupStatus(const rdm::Service& service, Bytes group, const eta::codec::State& state) override;

    [[nodiscard]] const ServiceEntry* findService(std::string_view name) const noexcept;
    [[nodiscard]] const ServiceEntry* findService(std::uint16_t id) const noexcept;
    [[nodiscard]] std::size_t streamCount() const noexcept { return streams_; }
    [[nodiscard]] std::uint64_t droppedEarly() const noexcept { return droppedEarly_; }
    [[nodiscard]] const rdm::ItemGroups& groups() const noexcept { return groups_; }

private:
    struct KeyView;
    struct HashOf {
        using is_transparent = void;
        std::size_t operator()(const Stream* s) const noexcept { return s->hash; }
        std::size_t operator()(const KeyView& k) const noexcept;
    };
    struct SameKey {
        using is_transparent = void;
        bool operator()(const Stream* a, const Stream* b) const noexcept { return a == b; }
        bool operator()(const KeyView& k, const Stream* s) const noexcept;
        bool operator()(const Stream* s, const KeyView& k) const noexcept { return (*this)(k, s); }
    };
    struct Delivery {
        Handle handle;
        bool ends;
    };
    /// What a request has beside its message.
    struct Traits {
        bool internal = false;
        bool isData = false;  ///< opened by the symbol list that is the subscriber's parent
        DataStreams dataStreams = DataStreams::none;
        SharedView view;
    };

    // Watchlist.cpp: opening, closing, the application's messages
    [[nodiscard]] const ServiceEntry* providing(std::string_view dictionary) const noexcept;
    [[nodiscard]] ServiceEntry* entryFor(const RequestView& request, Refusal& refusal, std::string& unknown);
    Handle openOne(const RequestView& request, const Subscriber& subscriber, Refusal& refusal, const Traits& traits);
    Handle refuseService(Request& r, const RequestView& request, std::string unknown);
    Handle refuse(Request& r, const RequestView& request, std::uint8_t code, std::string text);
    Stream& newStream(const RequestView& request, ServiceEntry& service);
    void join(Stream& s, Request& r);
    void append(Stream& s, Request& r) noexcept;
    void unlink(Request& r) noexcept;
    void later(const Stream& s, const Request& r, std::uint8_t stream, std::uint8_t code, std::string text, bool ends);
    [[nodiscard]] bool checkSubmit(const Request& r, Refusal& refusal) const;
    void registerPost(const PostLedger::Key& key, const eta::codec::Msg& msg, Handle poster);
    [[nodiscard]] bool checkPost(const eta::codec::Msg& msg, const PostLedger::Key& key, Refusal& refusal) const;
    void postExpired(const PostLedger::Key& key, const PostLedger::Entry& entry);

    // WatchlistGroups.cpp: requests that are several: batches, symbol lists that open what they name
    Handle openExtra(const RequestView& request, const Subscriber& subscriber, Refusal& refusal, bool internal);
    Handle openBatch(const RequestView& request, const Subscriber& subscriber, Refusal& refusal,
                     const RequestExtras& extras, const Traits& traits);
    void onRelease(const Request& r) override;
    void trimMemory() noexcept override;
    [[nodiscard]] std::size_t places() const noexcept override {
        return pool_.capacity() + requests_.capacity() + index_.bucket_count() + batches_.bucket_count() +
               lists_.bucket_count() + views_.bucket_count() + wireViews_.bucket_count() + retries_.bucket_count() +
               posts_.places();
    }
    void openDataStreams(Stream& s, const eta::codec::Msg& msg, std::size_t from);
    void openDataStreamsOf(Handle list, const eta::codec::Msg& msg, const std::string& serviceName);
    [[nodiscard]] bool outlivesItsStream(const Request& r, const eta::codec::Msg& msg) const noexcept;

    // WatchlistViews.cpp
    void setView(Request& r, SharedView view);
    [[nodiscard]] const View* viewOf(const Request& r) const noexcept;
    [[nodiscard]] bool viewsClash(const Stream& s, const View& view, const Request* except) const noexcept;
    [[nodiscard]] SharedView mergedView(const Stream& s) const;
    [[nodiscard]] bool coveredByWire(const Stream& s, const Request& r) const noexcept;
    void takeWireView(Stream& s, bool wantsImage);
    [[nodiscard]] bool viewChanged(const Stream& s) const;
    void forgetWireView(Stream& s) noexcept;
    void writePayload(const Stream& s, eta::codec::Msg& m);

    // WatchlistStreams.cpp: the life of a wire stream
    [[nodiscard]] const char* match(const ServiceEntry& service, std::uint8_t domain, const RareKey* rare,
                                    const eta::codec::Qos* fixed, eta::codec::Qos& chosen) const noexcept;
    [[nodiscard]] KeyView keyOf(const Stream& s) const noexcept;
    void addToIndex(Stream& s);
    void unindex(Stream& s) noexcept;
    void start(Stream& s);
    void askImage(Stream& s);
    void sendRequest(Stream& s, bool wantsImage);
    void writeRequest(const Stream& s, eta::codec::Msg& m);
    void sendClose(std::int32_t wireId, std::uint8_t domain);
    void closeIfCrossed(const Stream& s) {
        if (s.reissued && s.wireId != 0) sendClose(s.wireId, s.domain);
    }
    void mergedPriority(const Stream& s, std::uint8_t& cls, std::uint16_t& count) const noexcept;
    [[nodiscard]] bool wantsPause(const Stream& s) const noexcept;
    void reissueIfChanged(Stream& s);
    void dropWire(Stream& s);
    void settle(Stream& s) noexcept;
    void leaveList(Stream& s) noexcept;
    void park(Stream& s);
    void retire(Stream& s, bool sayClose);
    void recover(Stream& s);
    void recoverParked(ServiceEntry& service);
    void recoverSome(ServiceEntry& service);
    void stopRecovering(ServiceEntry& service) noexcept;
    void refetchAll();
    void refetchLater(Stream& s) {
        if (!s.refetch) refetch_.push_back(&s);
        s.refetch = true;
    }
    void retryLater(Stream& s);
    [[nodiscard]] bool retryWaits(const Stream& s) const noexcept;
    void forgetRetry(Stream& s) noexcept;
    void releaseQueued(ServiceEntry& service);
    void endUnsent(Stream& s, const char* why);
    [[nodiscard]] std::int32_t takeWireId();
    void startTimeout(Stream& s);
    void expireRequests();
    [[nodiscard]] Sender& senderFor(const Stream& s) {
        if (s.service->source == kActive) return sender_;
        Sender* other = owner_.senderOf(s.service->source);
        return other != nullptr ? *other : sender_;
    }
    [[nodiscard]] static StreamList& listOf(Stream& s) noexcept;

    // WatchlistDelivery.cpp: what came in, and statuses made here
    void toStream(Stream& s, eta::codec::Msg& msg);
    void onRefresh(Stream& s, eta::codec::Msg& msg);
    void onUpdate(Stream& s, eta::codec::Msg& msg);
    void onStatus(Stream& s, eta::codec::Msg& msg);
    void onAck(Stream& s, eta::codec::Msg& msg);
    void onUnknownStream(const eta::codec::Msg& msg);
    void toAll(Stream& s, eta::codec::Msg& msg, bool ends);
    void deliver(Stream& s, Request& r, eta::codec::Msg& msg, bool ends);
    void deliverList(Stream& s, eta::codec::Msg& msg, std::size_t from, bool complete);
    void ended(Stream& s, eta::codec::Msg& msg);
    void closedRecover(Stream& s, eta::codec::Msg& msg);
    void closedSuspect(Stream& s, eta::codec::Msg& msg);
    void makeStatus(const Stream& s, eta::codec::Msg& msg, std::uint8_t stream, std::uint8_t code,
                    std::string_view text) const noexcept;
    void fillKey(const Stream& s, eta::codec::Msg& msg) const noexcept;
    void serviceLost(ServiceEntry& service, std::string_view text, bool final);
    template <class Wanted>
    void fanOut(ServiceEntry& service, const eta::codec::State& state, Wanted wanted);
    /// After the last callback about this stream; false when it is no more.
    bool endDelivery(Stream& s);
    [[nodiscard]] ServiceEntry* entryOf(const rdm::Service& service) noexcept;

    Reactor& reactor_;
    Sender& sender_;
    RequestTable& requests_;
    ConsumerSink& sink_;
    WatchlistOwner& owner_;
    const ConsumerOptions& options_;
    PostLedger posts_;
    std::string closedText_;  // why nothing can be opened any more; empty while something can
    bool singleOpen_ = true, allowSuspect_ = true, supportsPause_ = false, supportsView_ = false, tellRequests_ = false;

    Pool<Stream> pool_;
    std::size_t streams_ = 0, sources_ = 0;  // sources_: services whose data do not come from the active server
    ItemVector<Stream*> byWire_;             // indexed by wire stream id
    ItemSet<Stream*, HashOf, SameKey> index_;
    std::vector<std::unique_ptr<ServiceEntry>> services_;
    ServiceEntry* lastService_ = nullptr;  // most requests name the same one
    rdm::ItemGroups groups_;               // of the streams on the wire

    std::int32_t nextWireId_ = 3;
    std::deque<std::int32_t> freedIds_;

    struct PendingTimeout {
        std::int32_t wireId;
        std::uint32_t mark;
        TimePoint at;
    };
    std::deque<PendingTimeout> timeouts_;  // the timeout is the same for all, so first in is first out
    std::uint32_t lastMark_ = 0;
    TimerId timeoutTimer_ = 0;

    struct SymbolList {
        DataStreams mode = DataStreams::none;
        std::uint32_t live = 0;              // streams it opened that have not ended
        ItemMap<std::string, Handle> items;  // ended ones are found out when they are needed
    };
    ItemMap<Handle, std::uint32_t> batches_;  // items that have not ended
    ItemMap<Handle, SymbolList> lists_;
    ItemMap<Handle, SharedView> views_;
    ItemMap<const Stream*, SharedView> wireViews_;  // as last requested; none = all
    GrowingBuffer payload_;

    std::vector<Delivery> deliveries_;  // a stack: a delivery that starts inside another one goes on top
    std::deque<Stream*> refetch_;
    struct Retry {
        RetryPace pace;
        TimerId timer = 0;
    };
    ItemMap<const Stream*, Retry> retries_;  // of streams that ended recoverably; Stream::retried
    std::uint64_t droppedEarly_ = 0;         // updates before the first refresh
};

}  // namespace emissary::reactor::consumer
