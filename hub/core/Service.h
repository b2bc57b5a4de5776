// A service as clients see it, and who offers it.
#pragma once

#include "hub/core/Source.h"
#include "reactor/rdm/Directory.h"

#include <map>
#include <memory>
#include <optional>

namespace emissary::hub {

/// How the items of a service are treated; from the configuration (hub.md 13, group Service).
struct ServicePolicy {
    enum class Cache : std::uint8_t { automatic /* publishers' services: all, others: none */, all, none, domains };
    enum class SourceMode : std::uint8_t { ordered, balanced, hot };
    enum class PublisherMode : std::uint8_t { merge, single, hot };
    enum class UnknownItem : std::uint8_t { close, suspect, wait, templated };

    std::string name;                            ///< empty: the policy of services without one of their own
    std::optional<std::uint16_t> serviceId;      ///< local id
    std::optional<reactor::rdm::Service> fixed;  ///< Static: Info, State and Load from the configuration
    std::vector<std::string> sources;            ///< names in order; empty = all, in the order of the configuration
    SourceMode sourceMode = SourceMode::ordered;
    bool failBack = false;
    Cache cache = Cache::automatic;
    std::vector<std::uint8_t> cacheDomains;
    std::uint64_t maxItems = 4'000'000, maxBytes = 0;
    std::uint32_t expireAfter = 0;  ///< seconds
    bool dropOldest = false;
    UnknownItem unknownItem = UnknownItem::close;
    std::string templateFile;
    bool keepServiceUp = false, deleteLostServices = false;
    PublisherMode publisherMode = PublisherMode::merge;
    std::vector<std::string> publisherOrder;          ///< login names
    std::uint32_t republishTimeout = 0;               ///< seconds; 0 = never
    std::uint32_t itemLinger = 0, negativeCache = 0;  ///< milliseconds
    bool addUnknownFields = true, seqNumGaps = false;
    bool forwardPosts = false, forwardGenerics = false;
    bool snapshotOpens = false;
    std::optional<std::uint64_t> openWindow, openLimit;  ///< told to clients

    [[nodiscard]] bool caches(std::uint8_t domain, bool published) const noexcept;
};

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
    ServicePolicy policy;
    bool published = false;        ///< publishers' (or fixed), not upstream connections'
    Supply* supply = nullptr;      ///< never null once the service is in the table
    std::vector<Offer> offers;     ///< in order of preference; of one kind of source
    reactor::rdm::Service merged;  ///< what clients are told, local id included
    std::uint32_t nextGroup = 1;
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
    /// `policies`: one for each service with a policy of its own; `others` for the rest.
    ServiceTable(std::vector<ServicePolicy> policies, ServicePolicy others);

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
    [[nodiscard]] const ServicePolicy& policyOf(std::string_view name) const noexcept;
    [[nodiscard]] const std::vector<ServicePolicy>& policies() const noexcept { return policies_; }

private:
    std::vector<ServicePolicy> policies_;
    ServicePolicy others_;
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
