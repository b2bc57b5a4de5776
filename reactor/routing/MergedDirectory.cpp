// Groups equal services of the sessions into one, and gives it an id and a state.
#include "routing/MergedDirectory.h"

#include "reactor/rdm/service_difference.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::routing {

namespace {

/// What makes services of one name interchangeable (ema-config.md 8).
bool agree(const rdm::ServiceInfo& a, const rdm::ServiceInfo& b) {
    return rdm::differences(a, b) == 0;
}

}  // namespace

bool MergedService::present() const noexcept {
    return std::any_of(members.begin(), members.end(), [](std::int32_t member) { return member != kNone; });
}

MergedDirectory::MergedDirectory(std::size_t sessions, DirectoryOf directoryOf)
    : sessions_(sessions), directoryOf_(std::move(directoryOf)) {}

MergedService* MergedDirectory::find(std::uint16_t id) const noexcept {
    const auto at = byId_.find(id);
    return at == byId_.end() ? nullptr : at->second.service;
}

MergedService* MergedDirectory::find(std::string_view name) const noexcept {
    const auto at = byName_.lower_bound(name);
    return at == byName_.end() || at->first != name ? nullptr : at->second;
}

const rdm::Service* MergedDirectory::member(const MergedService& service, std::size_t session) const {
    const std::int32_t id = service.members[session];
    if (id == MergedService::kNone) return nullptr;
    // A message of the session that is being taken over may have given the id to another service already.
    const rdm::Service* const found = directoryOf_(session).find(static_cast<std::uint16_t>(id));
    return found != nullptr && found->name() == service.name ? found : nullptr;
}

/// The provider's own id when it is free, else the first free one behind it.
std::uint16_t MergedDirectory::freeId(std::uint16_t wanted) noexcept {
    if (byId_.size() == 0x10000) return wanted;  // nothing is free
    std::uint16_t id = wanted;
    for (auto at = byId_.find(id); at != byId_.end(); at = byId_.find(id))
        id = at->second.next;
    // Ids are never given back: whoever passes here again need not look at those in between.
    for (std::uint16_t at = wanted; at != id;)
        at = std::exchange(byId_.find(at)->second.next, id);
    return id;
}

void MergedDirectory::update(std::size_t session, bool there) {
    std::vector<std::uint16_t> placed;
    for (const auto& group : services_) {
        std::int32_t& id = group->members[session];
        if (id == MergedService::kNone) continue;
        const rdm::Service* s = there ? directoryOf_(session).find(static_cast<std::uint16_t>(id)) : nullptr;
        const std::int32_t before = std::exchange(id, MergedService::kNone);
        if (s == nullptr || s->name() != group->name) continue;
        if (!group->present()) group->info = s->info;  // alone, it says what the service is
        else if (!agree(s->info, group->info)) continue;
        id = before;
        placed.push_back(s->id);
    }
    if (!there) return;
    std::sort(placed.begin(), placed.end());
    for (const auto& s : directoryOf_(session).services()) {
        if (!s->has(rdm::DirectoryFilter::info)) continue;  // it has no name yet, so it cannot be asked for
        if (!std::binary_search(placed.begin(), placed.end(), s->id)) place(session, *s).members[session] = s->id;
    }
}

/// Where a service belongs that is nowhere yet: with those that it agrees with, or where one of its name has been.
MergedService& MergedDirectory::place(std::size_t session, const rdm::Service& service) {
    MergedService* empty = nullptr;
    for (auto [at, end] = byName_.equal_range(service.name()); at != end; ++at) {
        MergedService* const group = at->second;
        if (group->members[session] != MergedService::kNone) continue;
        if (agree(group->info, service.info)) {
            if (!group->present()) group->info = service.info;
            return *group;
        }
        if (empty == nullptr && !group->present()) empty = group;
    }
    if (empty == nullptr) empty = &add(service);
    empty->info = service.info;
    return *empty;
}

MergedService& MergedDirectory::add(const rdm::Service& service) {
    auto made = std::make_unique<MergedService>();
    made->name = service.name();
    made->id = freeId(service.id);
    made->members.assign(sessions_, MergedService::kNone);
    MergedService& added = *services_.emplace_back(std::move(made));
    // Where all ids are taken, the service that has it already is found by it.
    byId_.try_emplace(added.id, Taken{&added, static_cast<std::uint16_t>(added.id + 1)});
    byName_.emplace(added.name, &added);
    return added;
}

/// The service as the application sees it: state and load of the member that would serve it.
rdm::Service MergedDirectory::compose(const MergedService& service) const {
    const rdm::Service *first = nullptr, *best = nullptr;
    const auto rank = [](const rdm::Service& s) { return !s.state.up ? 0 : s.state.acceptingRequests() ? 2 : 1; };
    for (std::size_t i = 0; i < sessions_; ++i) {
        const rdm::Service* s = member(service, i);
        if (s == nullptr) continue;
        if (first == nullptr) first = s;
        if (best == nullptr || rank(*s) > rank(*best)) best = s;
    }
    if (first == nullptr) return {};
    rdm::Service out = *best;
    out.id = service.id;
    out.info = first->info;
    return out;
}

void MergedDirectory::publish(const std::function<void(Bytes)>& emit) {
    std::vector<std::uint16_t> gone;
    for (const auto& group : services_)
        if (!group->present() && std::exchange(group->published_, false)) gone.push_back(group->id);
    if (!gone.empty() && rdm::Directory::encodeDeletes(buffer_.start(), gone).ok()) emit(buffer_.view());
    for (std::size_t i = 0; i < services_.size(); ++i) {
        MergedService& group = *services_[i];
        if (!group.present()) continue;
        const rdm::Service now = compose(group);
        std::uint32_t changed = 0;
        for (std::size_t f = 0; f < MergedService::kFilters; ++f) {
            const std::uint32_t filter = 1u << f;
            std::vector<std::byte>& before = group.shown_[f];
            if (!now.has(filter)) {
                before.clear();
                continue;
            }
            if (!rdm::Directory::encodeService(part_.start(), now, filter).ok()) continue;
            const Bytes bytes = part_.view();
            if (group.published_ && std::equal(bytes.begin(), bytes.end(), before.begin(), before.end())) continue;
            before.assign(bytes.begin(), bytes.end());
            changed |= filter;
        }
        const bool fresh = !std::exchange(group.published_, true);
        if (changed == 0 && !fresh) continue;
        if (rdm::Directory::encodeService(buffer_.start(), now, changed, !fresh).ok()) emit(buffer_.view());
    }
}

Bytes MergedDirectory::publishAll() {
    forget();
    rdm::Directory all;
    publish([&](Bytes map) { (void)all.apply(map, false); });  // made here, so it can be read
    return all.encode(buffer_.start(), {.filters = ~0u, .serviceId = {}}).ok() ? buffer_.view() : Bytes{};
}

void MergedDirectory::forget() noexcept {
    for (const auto& group : services_)
        group->published_ = false;
}

}  // namespace emissary::reactor::routing
