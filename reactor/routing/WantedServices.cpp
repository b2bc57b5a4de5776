// Keeps the waiting items by service, and finds out which sessions offer it.
#include "routing/WantedServices.h"

#include "reactor/rdm/Directory.h"

#include <algorithm>

namespace emissary::reactor::routing {

using namespace eta::codec;

void Wanted::park(Item& item) noexcept {
    item.prev = last;
    item.next = nullptr;
    (last != nullptr ? last->next : first) = &item;
    last = &item;
    ++parked;
}

void Wanted::unpark(Item& item) noexcept {
    (item.prev != nullptr ? item.prev->next : first) = item.next;
    (item.next != nullptr ? item.next->prev : last) = item.prev;
    item.prev = item.next = nullptr;
    --parked;
    toTry = std::min(toTry, parked);
}

Wanted* WantedServices::of(const RequestView& request, std::span<const std::string> services) {
    const std::string_view name = request.serviceName;
    const bool byId = request.msg.key.has(KeyFlag::serviceId);
    const auto fits = [&](const Wanted& w) {
        if (name.data() != nullptr) return w.names.size() == 1 && w.names.front() == name;
        if (byId) return w.names.empty() && w.id == request.msg.key.serviceId;
        return std::equal(w.names.begin(), w.names.end(), services.begin(), services.end());
    };
    if (name.data() == nullptr && !byId && services.empty()) return nullptr;
    if (last_ != nullptr && fits(*last_)) return last_;
    for (const auto& w : wanted_)
        if (fits(*w)) return last_ = w.get();
    auto fresh = std::make_unique<Wanted>();
    if (name.data() != nullptr) fresh->names.emplace_back(name);
    else if (byId) fresh->id = request.msg.key.serviceId;
    else fresh->names.assign(services.begin(), services.end());
    return last_ = wanted_.emplace_back(std::move(fresh)).get();
}

void WantedServices::look(Wanted& w) const {
    const auto& all = merged_.services();
    if (w.looked == all.size()) return;
    w.looked = all.size();
    w.services.clear();
    if (w.names.empty()) {
        if (MergedService* s = merged_.find(w.id)) w.services.push_back(s);
        return;
    }
    for (const std::string& name : w.names)
        for (const auto& s : all)
            if (s->name == name) w.services.push_back(s.get());
}

std::string WantedServices::unknown(const Wanted& w) {
    if (w.names.empty()) return "Service id of '" + std::to_string(w.id) + "' is not found.";
    if (w.names.size() == 1) return "Service name of '" + w.names.front() + "' is not found.";
    std::string all;
    for (const std::string& name : w.names)
        all += (all.empty() ? "'" : ", '") + name + "'";
    return "None of the services " + all + " is found.";
}

bool WantedServices::mayStillAppear() const noexcept {
    return !sessions_.allClosed();
}

std::vector<std::string> WantedServices::providersOf(std::string_view name) const {
    std::vector<std::string> names;
    for (const auto& service : merged_.services()) {
        const bool has = std::any_of(sessions_.begin(), sessions_.end(), [&](const auto& s) {
            const rdm::Service* member = merged_.member(*service, s->index);
            return member != nullptr && rdm::provides(*member, name);
        });
        if (has) names.push_back(service->name);
    }
    return names;
}

}  // namespace emissary::reactor::routing
