// The services that clients see, made of what all sources offer (hub.md 3.1, 3.2).
#pragma once

#include "eta/core/Count.h"
#include "hub/core/Service.h"
#include "hub/core/log.h"
#include "hub/directory/ServiceChanges.h"
#include "hub/directory/ServiceLog.h"
#include "reactor/GrowingBuffer.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::directory {

/// Hears which sources can serve a service, before clients hear of the service. Implemented by what decides who serves
/// an item, one for each kind of source.
class OfferListener {
public:
    virtual ~OfferListener() = default;
    /// The source has begun to offer the service, or says something else of it now. Requests must wait until this call
    /// of the source is over: its connection may not know the service yet.
    virtual void onOffer(Service& service, Source& source) = 0;
    /// The source does not offer the service any more. `streamsLive`: its streams are still there, and are for the
    /// listener to close; otherwise they are over, or about to be.
    virtual void onOfferLost(Service& service, Source& source, bool streamsLive) = 0;
    /// The service is about to be deleted: its items have to be closed.
    virtual void onServiceGone(Service& service) = 0;
};

/// Written on the reactor's thread.
struct MergeCounts {
    eta::Level<"emissary_hub_services", "services", "Services that clients are told of."> services;
    eta::Level<"emissary_hub_services_up", "services", "Services that clients may ask for items."> up;
    eta::Total<"emissary_hub_service_mismatches_total", "offers",
               "Offers left out since they differ from what another source offers under the same name.">
        mismatches;
    eta::Total<"emissary_hub_services_refused_total", "offers",
               "Offers left out: their source, or the hub, has as many services as may be (MaxServicesPerSource, "
               "MaxServices), or their name is too long.">
        refused;
};

struct MergeOptions {
    std::vector<std::string> dictionaries{"RWFFld", "RWFEnum"};  ///< served by the hub itself
    LogLine log;                                                 ///< may be empty
    ServiceLog* serviceLog = nullptr;                            ///< logs services; may be null
    std::function<bool(const Service&)> watched;                 ///< an item of the service has mounts; empty: none has
    std::uint32_t maxServices = 10'000, maxServicesPerSource = 1'000;
    reactor::Reactor* reactor = nullptr;  ///< null: directories are read, and clients hear of them, at once
    std::function<bool(const std::string&)> shared = {};  ///< hubs share the service of that name; empty: none
};

/// One service for each name. Which offers belong to it is decided by what came first: a later one that differs in
/// QoS, DictionariesUsed or ItemList is left out, and looked at again when an offer goes. Publishers, upstream
/// connections and other hubs may offer the same service; a delayed source has its service for itself. Offers of
/// upstream connections stay in Service::offers while their source is away (Offer::service null), for the Link filter.
///
/// A long directory, or the loss of many services, keeps nobody waiting. The content of a directory is taken over in
/// steps (readingShare()). Records and rooms see a change at once; clients hear of it in order, within a share of each
/// turn, and once if the service changes again before that.
class Merge {
public:
    /// Of one turn.
    static constexpr std::chrono::microseconds kReading{2000}, kTelling{2000};

    Merge(ServiceTable& services, ServiceListener& clients, MergeOptions options = {});
    ~Merge() {
        if (options_.reactor != nullptr) options_.reactor->cancelTimer(changeTimer_);
    }
    Merge(const Merge&) = delete;
    Merge& operator=(const Merge&) = delete;

    /// Who serves items of services of that kind of source; before any offer. Both outlive this.
    void use(const Source::Kind& kind, Supply& supply, OfferListener& listener);
    /// Makes the services that need no source (ServiceSettings::fixed).
    void start();
    /// AcceptingRequests is 0 from now on.
    void drain();

    // --- sources
    /// `offered` is new, or changed in the parts `changed` (rdm::DirectoryFilter). It stays where it is until
    /// onOfferGone(). Ignored while it has no name.
    void onOffer(Source& source, const reactor::rdm::Service& offered, std::uint32_t changed);
    /// The longest name of a service; the offer of one with a longer name is left out.
    static constexpr std::size_t kMostNameBytes = 255;
    /// `byHand`: the source itself said so (a Delete entry), it was not just lost.
    void onOfferGone(Source& source, std::uint16_t id, bool byHand);
    /// Source::up() is another now. Where it offers very many services, some are looked at in later turns.
    void onSourceChanged(Source& source);
    /// The source is about to end.
    void onSourceGone(Source& source);
    /// The same in pieces, for a source whose offers are away: forgets what is known of one service behind the name
    /// `after`, which is set to it. A service that nobody else is known to offer, and of which no item is open, is
    /// deleted. False: nothing is left, and nothing points to the source.
    [[nodiscard]] bool forgetNext(Source& source, std::string& after);

    // --- other settings (ServiceTable::setPolicies() is over)
    /// Services without a source are made where the settings have new ones. With `all`, offers are judged and ordered
    /// anew, in slices.
    void onPoliciesChanged(bool all);
    /// The configuration has the service no more: it is deleted as soon as nobody offers it.
    void withdraw(std::string_view name);
    /// Another source than those that `leaves` says is known to offer the service, up or not.
    [[nodiscard]] bool offered(std::string_view name, const std::function<bool(const Source&)>& leaves) const;

    /// The service that the source's offer of that id belongs to; null when it is left out.
    [[nodiscard]] Service* serviceOf(const Source& source, std::uint16_t id) noexcept;
    /// What all sources together may take of a turn for what their directories say; null: as long as it takes.
    [[nodiscard]] reactor::TurnShare* readingShare() noexcept { return reading_ ? &*reading_ : nullptr; }
    [[nodiscard]] const MergeCounts& counts() const noexcept { return counts_; }

private:
    struct Candidate {
        Source* source = nullptr;
        std::uint16_t id = 0;
        const reactor::rdm::Service* service = nullptr;  // null: the source is away
        bool accepted = false, ignored = false;          // neither: not looked at yet
        bool there = false;                              // the listener knows of it
        [[nodiscard]] bool offers() const noexcept { return service != nullptr && source->up(); }
    };
    struct Entry {
        std::string name;
        std::vector<Candidate> candidates;  // in the order in which they came
        Service* service = nullptr;
        std::array<std::vector<std::byte>, 6> told;  // filter by filter, as clients know it
        bool added = false, wasUp = false;
        bool deleted = false;    // the last offer was taken back by hand
        bool withdrawn = false;  // the configuration has it no more
        bool left = false;       // kept for its items when the configuration took its last source away
        bool counted = false, countedUp = false;
        std::uint64_t waits = 0;  // the number of its ServiceChange; 0: clients know how it is
    };
    /// What there is of one source.
    struct OfSource {
        std::map<std::uint16_t, std::string> names;  // by its id
        std::uint64_t refused = 0;                   // offers since the last one that was taken
    };
    struct Room {
        const Source::Kind* kind = nullptr;
        Supply* supply = nullptr;
        OfferListener* listener = nullptr;
    };
    [[nodiscard]] Candidate* find(Entry& entry, const Source& source, std::uint16_t id) noexcept;
    /// Of a service whose last source the configuration took away: it is deleted, or kept while somebody watches it.
    void dropUnoffered(Entry& entry);
    void dropForgotten();
    [[nodiscard]] Entry& entryOf(const std::string& name);
    /// With no member where nobody serves that kind.
    [[nodiscard]] Room roomOf(const Source::Kind& kind) const noexcept;
    /// Closes the items of a service that is about to be deleted, whoever serves them.
    [[nodiscard]] OfferListener* closerOf(const Service& service) const noexcept;
    [[nodiscard]] static bool ofMesh(const Candidate& c) noexcept { return c.source->kind().ofOtherHubs; }
    void evaluate(Entry& entry, const Source* news);
    void judge(Entry& entry);
    [[nodiscard]] const char* difference(const Entry& entry, const Candidate& c, const Candidate* first) const;
    [[nodiscard]] bool makeService(Entry& entry);
    void arrange(Entry& entry);
    void tellRooms(Entry& entry, const Source* news);
    void announce(Entry& entry);
    void tell(const ServiceChange& change);
    void tellNow(Entry& entry);
    void compose(Entry& entry) const;
    void composeFacts(const Entry& entry) const;
    void composeInfo(const Entry& entry, const reactor::rdm::Service* first) const;
    void composeState(const Entry& entry) const;
    void composeLinks(const Entry& entry) const;
    void tellClients(Entry& entry);
    [[nodiscard]] bool dropIfLost(Entry& entry);
    void drop(Entry& entry, ServiceLog::Why why);
    /// Services that nobody offers and that have no items make room for others (MaxServices); not inside a loop over
    /// the entries.
    void makeRoom();
    struct Change {
        Source* source = nullptr;  // null: all services
        std::string after;         // the last name that was looked at
    };
    /// Goes on with the first change, entry by entry; `goesOn` is asked after each that it concerns. False: that was
    /// the last.
    template <class GoesOn>
    bool lookAt(Change& change, GoesOn goesOn);
    void lookOn();
    void forget(Entry& entry, const Source& source);
    /// Counts an offer that is left out, and logs once for each run of them.
    template <class Why>
    void refuse(OfSource& of, const Source& source, Why why);
    void count(Entry& entry) noexcept;
    [[nodiscard]] static std::size_t rank(const Service& service, const Source& source) noexcept;

    ServiceTable& services_;
    ServiceListener& clients_;
    MergeOptions options_;
    std::vector<Room> rooms_;  // one a kind
    std::map<std::string, Entry, std::less<>> entries_;
    std::map<const Source*, OfSource> sources_;  // their offers
    reactor::GrowingBuffer part_;
    std::vector<Change> changes_;
    reactor::TimerId changeTimer_ = 0;
    bool draining_ = false;
    bool someGone_ = false;  // since the last makeRoom() an offer has gone
    MergeCounts counts_;
    std::optional<reactor::TurnShare> reading_;
    ServiceChanges serviceChanges_;
};

}  // namespace emissary::hub::directory
