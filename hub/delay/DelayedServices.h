// hub/delay: all delayed services of a hub, and who serves their items.
#pragma once

#include "hub/delay/DelayedSource.h"
#include "hub/source/Slices.h"

#include <memory>
#include <string_view>
#include <vector>

namespace emissary::hub::delay {

/// Passes the directory's changes on to clients, and says first when one is about an original. Stage thread only.
class ServiceWatch final : public ServiceListener {
public:
    explicit ServiceWatch(ServiceListener& clients) noexcept : clients_(clients) {}

    std::function<void(const Service&)> changed;  ///< may be empty
    std::function<void(std::uint16_t)> deleted;   ///< may be empty

    void onServiceAdded(const Service& service) override {
        if (changed) changed(service);
        clients_.onServiceAdded(service);
    }
    void onServiceChanged(const Service& service, std::uint32_t filters) override {
        if (changed) changed(service);
        clients_.onServiceChanged(service, filters);
    }
    void onServiceDeleted(std::uint16_t id) override {
        if (deleted) deleted(id);
        clients_.onServiceDeleted(id);
    }
    void onGroupStatus(const Service& service, Bytes group, const eta::codec::State& state) override {
        clients_.onGroupStatus(service, group, state);
    }
    void onGroupMerged(const Service& service, Bytes group, Bytes into) override {
        clients_.onGroupMerged(service, group, into);
    }
    void onServiceData(const Service& service, const reactor::rdm::ServiceData& data) override {
        clients_.onServiceData(service, data);
    }

private:
    ServiceListener& clients_;
};

/// Made before the first offer; `watch` outlives it. On the reactor's thread, with the session lock held.
class DelayedServices final : public Supply, public directory::OfferListener {
public:
    /// For each service that has a DelaySettings; their sources have the numbers from `firstNumber` on.
    DelayedServices(const DelayRooms& rooms, ServiceWatch& watch, const std::vector<ServiceSettings>& services,
                    std::uint16_t firstNumber);
    ~DelayedServices() override;
    DelayedServices(const DelayedServices&) = delete;
    DelayedServices& operator=(const DelayedServices&) = delete;

    /// Makes their files. The text of a refusal names service and folder.
    [[nodiscard]] eta::Refused start();
    /// Without those that leave.
    [[nodiscard]] const std::vector<std::unique_ptr<DelayedSource>>& sources() const noexcept { return sources_; }
    /// Sources of services that are not there yet, for add(). Refused as start() is.
    using Fresh = std::vector<std::unique_ptr<DelayedSource>>;
    [[nodiscard]] Fresh prepare(const std::vector<ServiceSettings>& services, eta::Refused& refused);
    void add(Fresh fresh);
    /// The service is deleted, and its source leaves in slices. Nothing, if there is none of that name.
    void remove(std::string_view service);
    [[nodiscard]] std::size_t leaving() const noexcept { return leaving_.size(); }

    // --- Supply
    void wanted(Item& item) override;
    void refreshWanted(Item& item) override;
    void unwanted(Item& item) override;
    void mountsChanged(Item&) override {}
    void untrusted(Item& item) override;

    // --- directory::OfferListener
    void onOffer(Service&, Source&) override {}
    void onOfferLost(Service&, Source&, bool) override {}  // what becomes of its items comes out of the line
    void onServiceGone(Service& service) override;

private:
    [[nodiscard]] DelayedSource* of(const Item& item) noexcept;
    [[nodiscard]] std::uint16_t freeNumber(const Fresh& fresh) noexcept;

    DelayRooms rooms_;
    ServiceWatch& watch_;
    source::Slices slices_;
    std::vector<std::unique_ptr<DelayedSource>> sources_, leaving_;
    std::vector<std::uint16_t> originals_;  // local ids, source by source; 0: it is not there
    const std::uint16_t firstNumber_;
    std::uint16_t nextNumber_;  // behind the last that was given
};

}  // namespace emissary::hub::delay
