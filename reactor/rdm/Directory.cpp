// Applies directory payloads to the services in memory, step by step, and tells a listener what has changed.
#include "reactor/rdm/Directory.h"

#include "rdm/ServiceEntries.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace emissary::reactor::rdm {

using namespace eta::codec;

namespace {

/// The map can be read to its end; `named` gets the ids that an image has.
[[nodiscard]] Error look(Bytes map, std::vector<std::uint16_t>& named) {
    if (map.empty()) return {};
    Skipped unused;
    ServiceEntryReader reader(&unused);
    if (Error e = reader.start(map); !e.ok()) return e;
    for (ServiceEntry entry; reader.next(entry);)
        if (entry.action == MapAction::add) named.push_back(entry.id);
    return reader.error();
}

}  // namespace

Error Directory::check(Bytes map) {
    ServiceEntryReader reader;
    if (Error e = reader.start(map); !e.ok()) return e;
    ServiceEntry entry;
    while (reader.next(entry)) {
        if (entry.action == MapAction::del) continue;
        Service scratch;
        const Strictness strict{nullptr, entry.action == MapAction::add};
        if (Error e = readService(entry.filters, reader.sets(), scratch, nullptr, strict); !e.ok()) return e;
    }
    return reader.error();
}

Error Directory::namedIn(Bytes map, std::vector<std::uint16_t>& ids) {
    return look(map, ids);
}

Error Directory::apply(Bytes map, bool replace, DirectoryListener* listener) {
    return applyImage(map, replace, replace, listener);
}

Error Directory::applyImage(Bytes map, bool first, bool last, DirectoryListener* listener) {
    step(listener);  // of an earlier message
    if (Error e = begin(map, first, last); !e.ok()) return e;
    step(listener);
    return {};
}

/// A message that is being taken over.
struct Directory::Work {
    std::vector<std::uint16_t> gone;  // go first
    std::size_t nextGone = 0;
    Skipped skipped;
    ServiceEntryReader reader{&skipped};
    bool reads = false;
    ServiceEntry entry;
    ServiceChanges changes;  // of the entry
    std::size_t nextEvent = 0;
    /// Tells what else the entry says, one thing at a time: it may be about very many items.
    void tellNext(const Service& service, DirectoryListener& told) {
        const ServiceChanges::Event& event = changes.events[nextEvent++];
        switch (event.kind) {
        case ServiceChanges::Kind::serviceStatus:
            return told.onServiceStatus(service, event.state);
        case ServiceChanges::Kind::groupMerged:
            return told.onGroupMerged(service, event.group, event.into);
        case ServiceChanges::Kind::groupStatus:
            return told.onGroupStatus(service, event.group, event.state);
        }
    }
};

Error Directory::begin(Bytes map, bool first, bool last) {
    std::vector<std::uint16_t> named;
    if (Error e = look(map, named); !e.ok()) return e;
    if (first) {
        unnamed_.clear();
        for (const auto& s : services_)
            unnamed_.push_back(s->id);
    }
    if (!unnamed_.empty()) {
        std::sort(named.begin(), named.end());
        std::erase_if(unnamed_, [&](std::uint16_t id) { return std::binary_search(named.begin(), named.end(), id); });
    }
    begin(map, last ? std::exchange(unnamed_, {}) : std::vector<std::uint16_t>{});
    return {};
}

void Directory::begin(Bytes map, std::vector<std::uint16_t> gone) {
    work_ = std::make_shared<Work>();
    work_->gone = std::move(gone);
    work_->reads = !map.empty() && work_->reader.start(map).ok();
}

bool Directory::step(DirectoryListener* listener, const std::function<bool()>& goesOn) {
    const std::shared_ptr<Work> work = work_;  // a listener may clear the directory
    if (!work) return false;
    DirectoryListener silent;
    DirectoryListener& told = listener != nullptr ? *listener : silent;
    for (bool more = true; more;) {
        if (work->nextEvent < work->changes.events.size()) {
            const Service* const service = find(work->entry.id);
            if (service == nullptr) work->nextEvent = work->changes.events.size();
            else work->tellNext(*service, told);
        } else if (work->nextGone < work->gone.size()) {
            erase(work->gone[work->nextGone++], listener);
        } else if (work->reads && work->reader.next(work->entry)) {
            if (!take(*work, told, listener)) return false;
        } else {
            more = false;
        }
        if (work_ != work) return false;
        if (more && goesOn && !goesOn()) return true;
    }
    work_.reset();
    if (work->skipped.any()) told.onSkipped(work->skipped.text());
    return false;
}

/// Takes a service's name out of the index while it may change, and puts it back.
class Directory::Renaming {
public:
    Renaming(Directory& directory, std::uint16_t id)
        : directory_(directory), place_(directory.byId_.find(id)->second),
          node_(directory.byName_.extract(place_.name)) {}
    ~Renaming() {
        node_.key().first = (*place_.service)->info.name;
        place_.name = directory_.byName_.insert(std::move(node_)).position;
    }
    Renaming(const Renaming&) = delete;
    Renaming& operator=(const Renaming&) = delete;

private:
    Directory& directory_;
    Place& place_;
    Names::node_type node_;
};

bool Directory::take(Work& work, DirectoryListener& told, DirectoryListener* listener) {
    const auto cleared = [this, &work] { return work_.get() != &work; };
    const ServiceEntry& entry = work.entry;
    if (entry.action == MapAction::del) {
        erase(entry.id, listener);
        return true;
    }
    Service* service = findMutable(entry.id);
    bool added = service == nullptr;
    if (added) {
        if (entry.action != MapAction::add) return true;  // an update of something unknown says nothing
        service = &insert(entry.id);
    }
    ServiceChanges& changes = work.changes;
    changes.clear();
    work.nextEvent = 0;
    const std::string before = service->info.name;
    const Strictness lenient{&work.skipped, false};
    {
        const Renaming renaming(*this, entry.id);
        static_cast<void>(readService(entry.filters, work.reader.sets(), *service, &changes, lenient));
    }
    if (!before.empty() && before != service->info.name) {  // another service in its place
        Service now;
        {
            const Renaming renaming(*this, entry.id);
            std::swap(now, *service);
            service->id = entry.id;
            service->filters = DirectoryFilter::info;
            service->info.name = before;
        }
        erase(entry.id, listener);
        if (cleared()) return false;
        service = &insert(entry.id);
        {
            const Renaming renaming(*this, entry.id);
            *service = std::move(now);
        }
        added = true;
    }
    if (added) told.onServiceAdded(*service);
    else if (changes.filters != 0) told.onServiceChanged(*service, changes.filters);
    return true;
}

Service& Directory::insert(std::uint16_t id) {
    auto made = std::make_unique<Service>();
    made->id = id;
    return append(std::move(made));
}

void Directory::beginClear() {
    unnamed_.clear();
    std::vector<std::uint16_t> all;
    all.reserve(services_.size());
    for (const auto& service : services_)
        all.push_back(service->id);
    begin({}, std::move(all));
}

void Directory::clear(DirectoryListener* listener) {
    unnamed_.clear();
    work_.reset();
    while (!services_.empty())
        erase(services_.front()->id, listener);
}

bool Directory::add(Service service) {
    if (find(service.id) != nullptr || find(service.name()) != nullptr) return false;
    append(std::make_unique<Service>(std::move(service)));
    return true;
}

Service& Directory::append(std::unique_ptr<Service> service) {
    services_.push_back(std::move(service));
    Service& made = *services_.back();
    auto name = byName_.end();
    try {
        name = byName_.try_emplace({made.info.name, ++appeared_}, &made).first;
        byId_.insert_or_assign(made.id, Place{std::prev(services_.end()), name});
    } catch (...) {  // list and indexes agree, also where memory has run out
        if (name != byName_.end()) byName_.erase(name);
        services_.pop_back();
        throw;
    }
    return made;
}

void Directory::erase(std::uint16_t id, DirectoryListener* listener) {
    const auto at = byId_.find(id);
    if (at == byId_.end()) return;
    const std::unique_ptr<Service> gone = std::move(*at->second.service);
    services_.erase(at->second.service);
    byName_.erase(at->second.name);
    byId_.erase(at);
    if (listener != nullptr) listener->onServiceDeleted(*gone);
}

const Service* Directory::find(std::uint16_t id) const noexcept {
    const auto at = byId_.find(id);
    return at == byId_.end() ? nullptr : at->second.service->get();
}

const Service* Directory::find(std::string_view name) const noexcept {
    for (auto at = byName_.lower_bound({name, 0}); at != byName_.end() && at->first.first == name; ++at)
        if (at->second->has(DirectoryFilter::info)) return at->second;
    return nullptr;
}

Service* Directory::findMutable(std::uint16_t id) noexcept {
    const auto at = byId_.find(id);
    return at == byId_.end() ? nullptr : at->second.service->get();
}

}  // namespace emissary::reactor::rdm
