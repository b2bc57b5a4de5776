// A service as clients see it, and who offers it.
#pragma once

#include "hub/config/HubSettings.h"
#include "hub/core/Source.h"
#include "hub/core/service_counts.h"
#include "reactor/rdm/Directory.h"

#include <map>
#include <memory>

namespace emissary::hub {

/// One source's offer of a service. The view into the source's directory is good until the next directory message of
/// that source.
struct Offer {
    Source* source = nullptr;
    std::uint16_t id = 0;  ///< the source's number of the service
    const reactor::rdm::Service* service = nullptr;
    [[nodiscard]] bool usable() const noexcept { return service != nullptr && service->state.up && source->up(); }
};

/// One service of the hub. Written by the directory room.
struct Service {
    std::uint16_t id = 0;  ///< local
    std::string name;
    ServiceSettings policy;
    bool published = false;        ///< publishers' (or fixed), not upstream connections'
    Supply* supply = nullptr;      ///< never null once the service is in the table
    std::vector<Offer> offers;     ///< in order of preference; of one kind of source
    reactor::rdm::Service merged;  ///< what clients are told, local id included
    std::uint64_t items = 0;       ///< of the item table
    CountsOfService counts;        ///< written by whoever it happens to
    /// Clients may ask for items.
    [[nodiscard]] bool up() const noexcept { return merged.state.up; }
    [[nodiscard]] Offer* offerOf(const Source& source) noexcept {
        for (Offer& o : offers)
            if (o.source == &source) return &o;
        return nullptr;
    }
};

/// Services by local id and by name. An id is never given to another name while the process lives (hub.md 3.1).
class ServiceTable {
public:
    /// `policies`: of services that have settings of their own; `others` for the rest.
    ServiceTable(std::vector<ServiceSettings> policies, ServiceSettings others);

    [[nodiscard]] Service* find(std::uint16_t id) noexcept { return id < byId_.size() ? byId_[id].get() : nullptr; }
    [[nodiscard]] Service* find(std::string_view name) noexcept;
    /// A service of that name; its id is the configured one, else the one it had before, else `wish` when that is
    /// free, else the lowest that is. Null when all 65,535 are taken.
    Service* add(std::string_view name, std::uint16_t wish);
    void remove(Service& service) noexcept;  ///< its id stays taken by its name
    /// In the order of local ids.
    template <class F>
    void forEach(F&& f) {
        for (const auto& s : byId_)
            if (s) f(*s);
    }
    [[nodiscard]] const ServiceSettings& policyOf(std::string_view name) const noexcept;
    [[nodiscard]] const std::vector<ServiceSettings>& policies() const noexcept { return policies_; }

private:
    std::vector<ServiceSettings> policies_;
    ServiceSettings others_;
    std::vector<std::unique_ptr<Service>> byId_;
    std::map<std::string, std::uint16_t, std::less<>> ids_;  ///< of names that have one, gone services included
};

/// Hears of services, to tell clients. Implemented in the client room.
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
