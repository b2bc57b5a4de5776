// A service as clients see it, and the sources that offer it.
#pragma once

#include "hub/config/HubSettings.h"
#include "hub/core/Source.h"
#include "hub/core/service_counts.h"
#include "reactor/rdm/Directory.h"

#include <algorithm>
#include <bitset>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace emissary::hub {

/// One source's offer of a service. The view into the source's directory is good until the next directory message of
/// that source.
struct Offer {
    Source* source = nullptr;
    std::uint16_t id = 0;  ///< the source's number of the service
    const reactor::rdm::Service* service = nullptr;
    bool first = false;  ///< Source::comesFirst()
    [[nodiscard]] bool usable() const noexcept { return service != nullptr && service->state.up && source->up(); }
};

/// One service of the hub. Written by the directory room.
struct Service {
    std::uint16_t id = 0;  ///< local
    std::string name;
    ServiceSettings policy;
    bool published = false;         ///< publishers have offered it since it is there, or it is fixed
    bool delayed = false;           ///< another service's, some time ago
    Supply* supply = nullptr;       ///< never null once the service is in the table
    std::vector<Offer> offers;      ///< of upstream connections, or of a delayed source, in order of preference
    std::vector<Offer> publishers;  ///< of publishers that are logged in, in the order in which they came
    Offer mesh;                     ///< what other hubs offer, for items that none of the above serves; or meshFirst()
    bool shared = false;            ///< its images are kept as those of a published service: hubs share it
    reactor::rdm::Service merged;   ///< as clients see it, local id included
    std::uint64_t items = 0;        ///< of the item table
    CountsOfService counts;         ///< stage thread only
    /// Other hubs come before the hub's own sources and publishers now (PreferRank).
    [[nodiscard]] bool meshFirst() const noexcept { return mesh.first && mesh.usable(); }
    /// Clients may ask for items.
    [[nodiscard]] bool up() const noexcept { return merged.state.up; }
    /// Whether images of the domain are kept.
    [[nodiscard]] bool keeps(std::uint8_t domain) const noexcept {
        return policy.cache.keeps(domain, published || shared);
    }
    /// One of the hub's own sources can serve it.
    [[nodiscard]] bool servedHere() const noexcept {
        const auto usable = [](const Offer& o) { return o.usable(); };
        return std::any_of(offers.begin(), offers.end(), usable) ||
               std::any_of(publishers.begin(), publishers.end(), usable);
    }
    /// Of the hub's own sources and publishers.
    [[nodiscard]] const Offer* offerOf(const Source& source) const noexcept {
        for (const Offer& o : source.kind().publishes ? publishers : offers)
            if (o.source == &source) return &o;
        return nullptr;
    }
    /// Somebody beside publishers offers it, or did: items can be asked for.
    [[nodiscard]] bool hasRequested() const noexcept { return !offers.empty() || mesh.source != nullptr; }
    /// An upstream connection comes before publishers for items of the domain (PreferSources).
    [[nodiscard]] bool sourcesFirst(std::uint8_t domain) const noexcept {
        return policy.preferSources && std::any_of(offers.begin(), offers.end(), [domain](const Offer& o) {
                   return o.usable() && o.service->state.acceptingRequests() && o.service->info.serves(domain);
               });
    }
};

/// Services by local id and by name. A service that comes back has the id that it had before; the names of the
/// kRemembered services that went last are kept for that, and their ids given to no other name (hub.md 3.1).
class ServiceTable {
public:
    static constexpr std::size_t kRemembered = 1000;

    /// `policies`: of services that have settings of their own; `others` for the rest.
    ServiceTable(std::vector<ServiceSettings> policies, ServiceSettings others);

    [[nodiscard]] Service* find(std::uint16_t id) noexcept { return id < byId_.size() ? byId_[id].get() : nullptr; }
    [[nodiscard]] Service* find(std::string_view name) noexcept;
    /// A service of that name; its id is the configured one, else the one it had before, else `wish` when that is
    /// free, else the lowest that is. Null when all 65,535 are taken.
    Service* add(std::string_view name, std::uint16_t wish);
    void remove(Service& service);  ///< its id stays taken by its name for a while
    /// Called before a service is made, with its id: whatever is left of one that had the id before has to go. The one
    /// that was added last is called first; its owner takes it back with forget().
    void beforeReuse(const void* owner, std::function<void(std::uint16_t)> f) {
        beforeReuse_.emplace_back(owner, std::move(f));
    }
    void forget(const void* owner) noexcept {
        std::erase_if(beforeReuse_, [owner](const auto& f) { return f.first == owner; });
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }         ///< services there are
    [[nodiscard]] std::size_t names() const noexcept { return ids_.size(); }  ///< that have an id
    /// In the order of local ids.
    template <class F>
    void forEach(F&& f) {
        for (const auto& s : byId_)
            if (s) f(*s);
    }
    [[nodiscard]] const ServiceSettings& policyOf(std::string_view name) const noexcept;
    /// Why these settings cannot be taken: an id that is another service's. Empty: they can.
    [[nodiscard]] std::string refusal(const std::vector<ServiceSettings>& policies) const;
    /// Other settings, for services there are as well. Those keep their ids and descriptions; names that are new get
    /// the ids that the settings say (refusal()). Throws std::bad_alloc.
    void setPolicies(std::vector<ServiceSettings> policies, ServiceSettings others);
    [[nodiscard]] const std::vector<ServiceSettings>& policies() const noexcept { return policies_; }

private:
    std::vector<ServiceSettings> policies_;
    ServiceSettings others_;
    std::vector<std::unique_ptr<Service>> byId_;
    [[nodiscard]] std::uint16_t freeId(std::uint16_t wish) noexcept;
    /// The name that went first gives its id back; false: there is none.
    bool forgetOne();
    /// A name of which there is no service gives its id back, and nothing of that id is left.
    void giveBack(std::map<std::string, std::uint16_t, std::less<>>::iterator name);
    [[nodiscard]] static bool fixesId(const std::vector<ServiceSettings>& policies, std::string_view name) noexcept {
        return std::any_of(policies.begin(), policies.end(),
                           [name](const ServiceSettings& p) { return p.serviceId && p.name == name; });
    }

    std::map<std::string, std::uint16_t, std::less<>> ids_;  // of names that have one: gone ones, configured ones
    std::bitset<0x10000> taken_;                             // ids of these names
    std::uint32_t lowestFree_ = 1;                           // no id below it is free
    std::deque<std::string> gone_;                           // the one that went first in front
    std::vector<std::pair<const void*, std::function<void(std::uint16_t)>>> beforeReuse_;
    std::size_t size_ = 0;
};

/// Gets changes of services, for the clients. Implemented in the client room. Stage thread only.
class ServiceListener {
public:
    virtual ~ServiceListener() = default;
    virtual void onServiceAdded(const Service& service) = 0;
    /// `filters`: parts of `merged` that changed.
    virtual void onServiceChanged(const Service& service, std::uint32_t filters) = 0;
    virtual void onServiceDeleted(std::uint16_t id) = 0;
    /// For clients that hear groups: one status for all items of a group; `group` is the id on their wire.
    virtual void onGroupStatus(const Service& service, Bytes group, const eta::codec::State& state) = 0;
    virtual void onGroupMerged(const Service& service, Bytes group, Bytes into) = 0;
    /// Data filter: passed on, not kept.
    virtual void onServiceData(const Service& service, const reactor::rdm::ServiceData& data) = 0;
};

}  // namespace emissary::hub
