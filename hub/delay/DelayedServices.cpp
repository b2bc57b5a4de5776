// hub/delay: finds the delayed service that an item belongs to, and tells each of its original.
#include "hub/delay/DelayedServices.h"

#include "hub/flow/ItemLife.h"

namespace emissary::hub::delay {

using namespace eta::codec;

DelayedServices::DelayedServices(const DelayRooms& rooms, ServiceWatch& watch,
                                 const std::vector<ServiceSettings>& services, std::uint16_t firstNumber)
    : rooms_(rooms), watch_(watch), slices_(rooms.reactor) {
    for (const ServiceSettings& s : services)
        if (s.delay) sources_.push_back(std::make_unique<DelayedSource>(s, firstNumber++, rooms));
    originals_.resize(sources_.size());
    rooms_.merge.use(Source::Kind::delayed, *this, *this);
    if (sources_.empty()) return;
    rooms_.services.beforeReuse(this, [this](std::uint16_t id) { slices_.finishOf(id); });
    watch_.changed = [this](const Service& service) {
        for (std::size_t i = 0; i < sources_.size(); ++i)
            if (sources_[i]->settings().of == service.name) {
                originals_[i] = service.id;
                sources_[i]->noteOriginal(&service);
            }
    };
    watch_.deleted = [this](std::uint16_t id) {
        for (std::size_t i = 0; i < sources_.size(); ++i)
            if (originals_[i] == id) {
                originals_[i] = 0;
                sources_[i]->noteOriginal(nullptr);
            }
    };
}

DelayedServices::~DelayedServices() {
    watch_.changed = nullptr;
    watch_.deleted = nullptr;
    rooms_.services.forget(this);
}

eta::Refused DelayedServices::start() {
    for (const auto& source : sources_)
        if (eta::Refused refused = source->start()) return refused;
    return {};
}

/// Its source, or that of its service: such a service has one.
DelayedSource* DelayedServices::of(const Item& item) noexcept {
    if (item.source != nullptr) return static_cast<DelayedSource*>(item.source.get());
    const Service* const service = rooms_.services.find(item.service);
    return service == nullptr || service->offers.empty() ? nullptr
                                                         : static_cast<DelayedSource*>(service->offers.front().source);
}

void DelayedServices::wanted(Item& item) {
    if (DelayedSource* const source = of(item)) return source->wanted(item);
    rooms_.flow.suspect(item, 0, "no source serves the service now");
}

void DelayedServices::refreshWanted(Item& item) {
    if (DelayedSource* const source = of(item)) source->renew(item);
}

void DelayedServices::untrusted(Item& item) {
    if (DelayedSource* const source = of(item)) source->renew(item);
}

void DelayedServices::unwanted(Item& item) {
    if (DelayedSource* const source = of(item)) return source->unwanted(item);
    flow::ItemLife::apply(item, flow::Event::released);
    rooms_.flow.erase(item);
}

void DelayedServices::onServiceGone(Service& service) {
    slices_.add({service.id, nullptr}, [this, id = service.id] {
        Item* const item = rooms_.items.anyOf(id);
        if (item == nullptr) return false;
        rooms_.flow.close(*item, {StreamState::closedRecover, DataState::suspect, 0,
                                  eta::asBytes("the service of this item is gone")});
        return true;
    });
}

}  // namespace emissary::hub::delay
