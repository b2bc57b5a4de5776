// Who serves the items of services that upstream connections offer: requests in turn, answers, recovery
// (hub.md 4.2, 4.3).
#pragma once

#include "hub/fanout/ViewTable.h"
#include "hub/source/Lanes.h"
#include "hub/source/Negatives.h"
#include "hub/source/Retries.h"
#include "hub/source/Standbys.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <memory>
#include <vector>

namespace emissary::hub::source {

/// Borrowed; all of it outlives the supply.
struct SupplyRooms {
    reactor::Reactor& reactor;
    ItemTable& items;
    ServiceTable& services;
    flow::ItemFlow& flow;
    directory::GroupStates& groupStates;
    fanout::ViewTable& views;
};

/// An item has one stream at one source, whoever asks; in hot mode a second one at another source (Standbys). It loses
/// the source and finds another one without its mounts: they hear Open/Suspect, and then a refresh. On the reactor's
/// thread.
class InteractiveSupply final : public Supply, public directory::OfferListener, public UpstreamListener {
public:
    explicit InteractiveSupply(const SupplyRooms& rooms);
    ~InteractiveSupply() override;
    InteractiveSupply(const InteractiveSupply&) = delete;
    InteractiveSupply& operator=(const InteractiveSupply&) = delete;

    // --- Supply
    void wanted(Item& item) override;
    void refreshWanted(Item& item) override;
    void unwanted(Item& item) override;
    void mountsChanged(Item& item) override;
    void untrusted(Item& item) override;

    // --- directory::OfferListener
    void onOffer(Service& service, Source& source) override;
    void onOfferLost(Service& service, Source& source, bool streamsLive) override;
    void onServiceGone(Service& service) override;

    // --- UpstreamListener
    void onAnswer(UpstreamSource& source, Item& item, const Msg& msg) override;
    void onOtherStream(UpstreamSource& source, Item& item, Handle handle, const Msg& msg) override;
    void onGroupEnd(UpstreamSource& source, Item& item, const eta::codec::State& state) override;

    [[nodiscard]] const SupplyCounts& counts() const noexcept { return counts_; }

private:
    enum class Sent : std::uint8_t { yes, soon, later, nobody, refused };
    struct Redirect {
        std::vector<std::byte> name;
        std::uint32_t generation = 0;
        std::uint8_t followed = 0;
    };
    // --- requests
    void place(Service& service, Item& item);
    Sent send(Service& service, Item& item);
    void enqueue(Service& service, Item& item);
    void park(Service& service, Item& item);
    void pumpSoon(Service& service, reactor::Duration after = reactor::Duration::zero());
    void pump(std::uint16_t service);
    // --- second streams
    [[nodiscard]] Sent sendSecond(Service& service, Item& item);
    void wantSecond(const Service& service, const Item& item);
    void wantBetter(Service& service, const Source& news);
    /// The item goes on with its second stream; false: it has none that is ready.
    bool takeOver(Item& item, bool close);
    void goOver(Item& item, const Msg& msg);
    [[nodiscard]] UpstreamSource::Ask askOf(const Item& item, const UpstreamSource& source);
    [[nodiscard]] const reactor::rdm::View* viewOf(const Item& item, const UpstreamSource& source);
    [[nodiscard]] static bool allPaused(const Item& item) noexcept;
    void reissue(Item& item, bool wantsRefresh);
    // --- answers
    void onRefresh(UpstreamSource& source, Item& item, const Msg& msg);
    void onEnd(UpstreamSource& source, Item& item, const Msg& msg);
    [[nodiscard]] bool follow(UpstreamSource& source, Item& item, const Msg& msg);
    void recover(UpstreamSource& source, Item& item, const eta::codec::State& state);
    // --- ends
    void setPhase(Item& item, Item::Phase phase) noexcept;
    /// The item has no stream any more; `close`: its source is told.
    void release(Item& item, bool close);
    void letGo(Item& item);
    void lose(Service& service, UpstreamSource& source, Ref ref, std::uint8_t code, bool streamsLive);
    // --- later
    void retry(Ref ref);
    void lingered(Ref ref);
    void review();

    [[nodiscard]] Waiting& waitingOf(std::uint16_t service);
    [[nodiscard]] std::vector<Ref> itemsOf(const Service& service, const Source* source);

    SupplyRooms rooms_;
    SupplyCounts counts_;
    reactor::MetricSource metrics_;
    Lanes lanes_;
    Standbys standbys_;
    std::vector<std::unique_ptr<Waiting>> waiting_;  // by service
    Retries retries_;
    DueList lingering_;
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> lingers_;  // generations by index
    Negatives negatives_;
    boost::unordered_flat_map<std::uint32_t, Redirect> redirects_;
    // Items whose mounts have changed, by index: what their sources were told is looked at once a second.
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> changed_;
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> paused_;  // at their source
    reactor::TimerId reviewTimer_ = 0;
    bool answering_ = false;   // inside a message of a source
    reactor::rdm::View view_;  // the union that a request asks for
};

}  // namespace emissary::hub::source
