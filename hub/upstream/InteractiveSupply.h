// Items of services that upstream connections offer: which source serves them, requests, answers, recovery
// (hub.md 4.2, 4.3).
#pragma once

#include "hub/source/Slices.h"
#include "hub/upstream/Lanes.h"
#include "hub/upstream/LingeringItems.h"
#include "hub/upstream/Mirroring.h"
#include "hub/upstream/NegativeCache.h"
#include "hub/upstream/PairDifferences.h"
#include "hub/upstream/RequestQueues.h"
#include "hub/upstream/Retries.h"
#include "hub/upstream/SourceRequests.h"
#include "hub/upstream/Standbys.h"
#include "hub/upstream/SuspectSources.h"
#include "hub/upstream/WantedItems.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace emissary::hub::upstream {

/// Borrowed; all of it outlives the supply.
struct SupplyRooms {
    reactor::Reactor& reactor;
    ItemTable& items;
    ServiceTable& services;
    flow::ItemFlow& flow;
    directory::GroupStates& groupStates;
    ViewTable& views;
    LogLine log = {};  ///< may be empty
};

/// An item has one stream at one source, whoever asks; in hot mode a second one at another source (Standbys). It loses
/// the source and finds another one without its mounts: they hear Open/Suspect, and then a refresh. On the reactor's
/// thread.
class InteractiveSupply final : public Supply,
                                public RequestedItems,
                                public directory::OfferListener,
                                public UpstreamListener {
public:
    explicit InteractiveSupply(const SupplyRooms& rooms);
    ~InteractiveSupply() override { rooms_.services.forget(this); }
    InteractiveSupply(const InteractiveSupply&) = delete;
    InteractiveSupply& operator=(const InteractiveSupply&) = delete;

    /// Items that no source can serve go there, and come back when one can. Outlives the items.
    void use(Fallback& fallback) noexcept { fallback_ = &fallback; }
    /// Items that no source serves, and that publishers have sent, go to publishers. Outlives the items.
    void use(PublishedItems& published) noexcept { published_ = &published; }
    /// The fallback can serve items of the service now: those that wait here go there.
    void fallBack(Service& service);
    /// Whoever of this hub serves the item gives it up for another hub, which has sent an image and comes first. The
    /// item has no source then, and its clients do not know. False: it is not open, or private; nothing has happened.
    [[nodiscard]] bool yield(Item& item);
    /// Another hub serves the item and is not to, or has refused it: a publisher or a source of this hub has it again
    /// if one can, a source in its turn. The item may be gone when this returns.
    void takeBack(Item& item);
    /// Items at the fallback that a publisher or a source of this hub can serve go there, in slices; none while other
    /// hubs come first.
    void takeBack(std::uint16_t service);

    // --- Supply
    void wanted(Item& item) override;
    void refreshWanted(Item& item) override;
    void unwanted(Item& item) override;
    void mountsChanged(Item& item) override {
        if (requested(item)) requests_.mountsChanged(item);
    }
    void untrusted(Item& item) override;
    [[nodiscard]] bool eject(Item& item, const eta::codec::State& state) override;
    [[nodiscard]] bool refetch(Item& item, std::string_view text) override;

    // --- RequestedItems
    [[nodiscard]] bool canAsk(const Service& service, const Item& item) const noexcept override;
    void ask(Item& item) override;
    void giveUp(Item& item) override;
    [[nodiscard]] bool waits(const Item& item) noexcept override { return queues_.has(item); }

    // --- directory::OfferListener
    void onOffer(Service& service, Source& source) override;
    void onOfferLost(Service& service, Source& source, bool streamsLive) override;
    void onServiceGone(Service& service) override;
    /// Items of a service that is deleted are all closed when this returns.
    void finishClosing(std::uint16_t service);

    // --- UpstreamListener
    void onAnswer(UpstreamSource& source, Item& item, const Msg& msg) override;
    void onCompared(Item& item, const Msg& msg) override;
    void onOtherStream(UpstreamSource& source, Item& item, Handle handle, const Msg& msg) override;
    void onGroupEnd(UpstreamSource& source, Item& item, const eta::codec::State& state) override;
    bool onGroupSuspect(UpstreamSource& source, Item& item) override;
    void onSecondStates(UpstreamSource& source, Service& service, const Bytes* group,
                        const eta::codec::State& state) override;
    void onSecondsMerged(UpstreamSource& source, Service& service, Bytes group, Bytes into) override;
    void afterLosses(UpstreamSource& source, std::function<bool()> step) override;

    /// Sources may have other settings, which hold from now on.
    void settingsChanged() {
        rooms_.services.forEach([this](const Service& service) { mirroring_.look(service); });
    }
    /// The source is about to be destroyed, after its losses: tables by source know it no more.
    void forget(const UpstreamSource& source) noexcept;
    /// The sources are about to end, and with them all that is known of second streams.
    void forgetSeconds() noexcept { standbys_.clear(); }
    [[nodiscard]] const SupplyCounts& counts() const noexcept { return counts_; }

private:
    enum class Sent : std::uint8_t { yes, soon, later, nobody, refused };
    /// What decides whether an offer that can be used may be asked for an item.
    struct Asking {
        bool accepting = false;
        std::vector<std::uint8_t> domains;
        bool dictionaries = false;
        [[nodiscard]] static Asking of(const Offer& offer) {
            const reactor::rdm::ServiceInfo& info = offer.service->info;
            return {offer.service->state.acceptingRequests(), info.capabilities,
                    info.dictionariesProvided && !info.dictionariesProvided->empty()};
        }
        friend bool operator==(const Asking&, const Asking&) = default;
    };
    // --- requests
    [[nodiscard]] static bool atMesh(const Item& item) noexcept {
        return item.source != nullptr && item.source->kind().ofOtherHubs;
    }
    /// An upstream connection serves it.
    [[nodiscard]] static bool requested(const Item& item) noexcept {
        return item.source != nullptr && item.source->kind().isConnection;
    }
    // --- offers of publishers (SupplyOffers.cpp)
    /// The item is idle, without a source: a publisher goes on with it. False: none has it, or it is private.
    [[nodiscard]] bool published(Item& item) const {
        return published_ != nullptr && !item.is(Item::isPrivate) && published_->take(item);
    }
    /// The item's source does not serve it well, and a publisher does. False: none does.
    [[nodiscard]] bool toPublisher(Item& item);
    /// Items that nobody serves and that can be asked for now, in slices: publishers had them before. While a walk of
    /// the service is under way it begins anew.
    void seekUnserved(const Service& service);
    void seekUnserved(const Service& service, Item& item);
    /// Items of publishers for which a source comes first are to be asked for, in slices (PreferSources).
    void takeFromPublishers(const Service& service);
    /// The item's turn has come: whoever serves it gives it up, and a source is asked for it. `nobody`: it stays.
    [[nodiscard]] Sent take(Service& service, Item& item);
    void place(Service& service, Item& item);
    [[nodiscard]] Lanes::Choice choose(const Service& service, const Item& item);
    Sent send(Service& service, Item& item);
    void enqueue(const Service& service, Item& item);
    /// For a better QoS.
    void askAnew(Item& item);
    void park(Item& item);
    void pump(std::uint16_t service);
    /// A stream was answered or is over: there may be room for what waits.
    void goOn(std::uint16_t service);
    // --- second streams
    [[nodiscard]] Sent sendSecond(Service& service, Item& item);
    /// A second stream that is of no use gives way to one at a source that has not been asked. `well`: the item is
    /// served well.
    void seekBetterSecond(const Service& service, const Item& item, bool well);
    /// The item goes on with its second stream; false: it has none that is ready.
    bool takeOver(Item& item, bool close);
    void compare(const Item& item, SecondStream& second, const Msg& msg, PairWindow::Side side);
    void onTaking(Item& item, const Msg& msg);
    void goOver(Item& item, const Msg& msg);
    /// The item's source calls it suspect, or its service is down: the item goes on with its second stream, or another
    /// source is asked for it. True: it has gone over, and no client gets the state.
    bool spare(Item& item);
    /// Its source was asked for the image and has none: another source is asked. False: there is no other one.
    [[nodiscard]] bool askOther(Service& service, Item& item);
    /// The same, unless it is served well.
    void reconsider(Ref ref);
    /// It has just left a source that did not serve it well: the next such move has to wait.
    void moved(const Item& item);
    void onServiceDown(Service& service, UpstreamSource& source);
    /// What these items' sources say of the service is another now: each is reconsidered, or asked of another source
    /// where it has no answer yet. In slices.
    void lookAgain(std::uint16_t service, std::vector<Ref> items);
    void lookAgain(Ref ref);
    /// Items that are suspect at other sources or got no image there; called when the source `news` has come.
    [[nodiscard]] std::vector<Ref> inNeedOf(const Service& service, const Source& news);
    // --- answers
    void onRefresh(UpstreamSource& source, Item& item, const Msg& msg);
    void onEnd(UpstreamSource& source, Item& item, const Msg& msg);
    [[nodiscard]] bool follow(UpstreamSource& source, Item& item, const Msg& msg);
    void recover(UpstreamSource& source, Item& item, const eta::codec::State& state);
    // --- ends
    /// The item gives up its stream; `close`: with a CLOSE to its source.
    void release(Item& item, bool close);
    void letGo(Item& item);
    struct Loss;
    [[nodiscard]] bool step(Loss& loss);
    void lose(Service& service, UpstreamSource& source, Ref ref, const Loss& loss);
    /// One item that has a stream at a source whose losses are over; false: there is none, as it should be.
    [[nodiscard]] bool loseLeftover(UpstreamSource& source);
    // --- later
    void retry(Ref ref);
    void wantSecondAgain(Ref ref);

    SupplyRooms rooms_;
    Fallback* fallback_ = nullptr;
    PublishedItems* published_ = nullptr;
    SupplyCounts counts_;
    reactor::MetricSource metrics_;
    Lanes lanes_;
    Standbys standbys_;
    RequestQueues queues_;
    WantedItems takings_;  // publishers or other hubs serve them, and a source is to (hub.md 4.7)
    SourceRequests requests_;
    Retries retries_;
    SuspectSources suspects_;
    LingeringItems lingering_;
    DueList secondAgain_;  // items whose second stream was ended, and those that have moved
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> moved_;  // generations by index, for a while
    std::set<std::pair<std::uint16_t, const Source*>> down_;         // offers that are there and cannot be used
    /// Those that can, and what they may be asked for.
    std::map<std::pair<std::uint16_t, const Source*>, Asking> usable_;
    std::map<std::uint16_t, std::uint32_t> unserved_;  // walks of seekUnserved(): items to look at, by service
    Mirroring mirroring_;
    PairDifferences differences_;
    NegativeCache negativeCache_;
    source::Slices slices_;
    bool answering_ = false;  // inside a message of a source
};

}  // namespace emissary::hub::upstream
