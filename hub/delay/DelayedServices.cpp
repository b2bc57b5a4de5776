// hub/delay: finds the delayed service that an item belongs to, and tells each of its original.
#include "hub/delay/DelayedServices.h"

#include "hub/flow/ItemLife.h"

#include <algorithm>
#include <array>
#include <utility>

namespace emissary::hub::delay {

using namespace eta::codec;

namespace {
constexpr std::uint16_t kNumbersEnd = 0x8000;  // from there on those of publishers (publisher::PublisherNames)
}  // namespace

DelayedServices::DelayedServices(const DelayRooms& rooms, ServiceWatch& watch,
                                 const std::vector<ServiceSettings>& services, std::uint16_t firstNumber)
    : rooms_(rooms), watch_(watch), slices_(rooms.reactor), firstNumber_(firstNumber), nextNumber_(firstNumber) {
    for (const ServiceSettings& s : services)
        if (s.delay) sources_.push_back(std::make_unique<DelayedSource>(s, nextNumber_++, rooms));
    originals_.resize(sources_.size());
    rooms_.merge.use(Source::kDelayed, *this, *this);
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

/// The one behind the last, so that the number of a source that has left is of no other soon.
std::uint16_t DelayedServices::freeNumber(const Fresh& fresh) noexcept {
    const std::array<const Fresh*, 3> lists{&sources_, &leaving_, &fresh};
    const auto taken = [&](std::uint16_t number) {
        return std::ranges::any_of(lists, [&](const auto* list) {
            return std::ranges::any_of(*list, [&](const auto& s) { return s->number() == number; });
        });
    };
    for (int left = kNumbersEnd - firstNumber_; left > 0; --left) {
        if (nextNumber_ == kNumbersEnd) nextNumber_ = firstNumber_;
        if (!taken(nextNumber_++)) break;
    }
    return static_cast<std::uint16_t>(nextNumber_ - 1);
}

DelayedServices::Fresh DelayedServices::prepare(const std::vector<ServiceSettings>& services, eta::Refused& refused) {
    Fresh fresh;
    const auto named = [](std::string_view name) { return [name](const auto& s) { return s->name() == name; }; };
    for (const ServiceSettings& s : services) {
        if (!s.delay || std::ranges::any_of(sources_, named(s.name))) continue;
        fresh.push_back(std::make_unique<DelayedSource>(s, freeNumber(fresh), rooms_));
        if ((refused = fresh.back()->start())) return {};
    }
    return fresh;
}

void DelayedServices::add(Fresh fresh) {
    sources_.reserve(sources_.size() + fresh.size());
    originals_.resize(sources_.size() + fresh.size());
    for (auto& made : fresh) {
        DelayedSource& source = *sources_.emplace_back(std::move(made));
        const Service* const original = rooms_.services.find(source.settings().of);
        if (original == nullptr) continue;  // watch_.changed follows when it comes
        originals_[sources_.size() - 1] = original->id;
        source.noteOriginal(original);
    }
}

void DelayedServices::remove(std::string_view service) {
    const auto at = std::ranges::find_if(sources_, [&](const auto& s) { return s->name() == service; });
    if (at == sources_.end()) return;
    originals_.erase(originals_.begin() + (at - sources_.begin()));
    DelayedSource* const source = leaving_.emplace_back(std::move(*at)).get();
    sources_.erase(at);
    source->leave();
    // Behind its items, which onServiceGone() closes.
    slices_.add({0, source}, [this, source, after = std::string()]() mutable {
        if (source->closeNext() || rooms_.merge.forgetNext(*source, after)) return true;
        std::erase_if(leaving_, [source](const auto& s) { return s.get() == source; });
        return false;
    });
}

/// Its source, or that of its service: such a service has one.
DelayedSource* DelayedServices::of(const Item& item) noexcept {
    if (item.source != nullptr) return static_cast<DelayedSource*>(item.source.get());
    const Service* const service = rooms_.services.find(item.service);
    return service == nullptr || service->offers.empty() ? nullptr
                                                         : static_cast<DelayedSource*>(service->offers.front().source);
}

void DelayedServices::wanted(Item& item) {
    if (DelayedSource* const source = of(item); source != nullptr && !source->leaves()) return source->wanted(item);
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
