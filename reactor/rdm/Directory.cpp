#include "reactor/rdm/Directory.h"

#include "eta/codec/primitives.h"
#include "rdm/directory_reader.h"

#include <iterator>
#include <unordered_set>

namespace emissary::reactor::rdm {

using namespace eta::codec;

namespace {

/// Entries of a directory payload: service id, action and the filter list.
struct ServiceEntry {
    std::uint16_t id = 0;
    std::uint8_t action = 0;
    Bytes filters;
};

class EntryReader {
public:
    [[nodiscard]] Error start(Bytes map) noexcept {
        if (Error e = map_.start(map); !e.ok()) return e;
        if (map_.keyType() != DataType::UInt) return {Errc::unsupportedType, 0};
        if (map_.entryType() != DataType::FilterList && map_.entryType() != DataType::NoData)
            return {Errc::unsupportedType, 0};
        return {};
    }
    [[nodiscard]] bool next(ServiceEntry& out) noexcept {
        MapEntry entry;
        if (!map_.next(entry)) {
            error_ = map_.error();
            return false;
        }
        std::uint64_t id = 0;
        const bool known =
            entry.action == MapAction::add || entry.action == MapAction::update || entry.action == MapAction::del;
        if (!known || decodeUInt(entry.key, id) != Decoded::value || id > 0xFFFF) {
            error_ = {Errc::badValue, 0};
            return false;
        }
        out = {static_cast<std::uint16_t>(id), entry.action,
               map_.entryType() == DataType::FilterList ? entry.data : Bytes{}};
        return true;
    }
    [[nodiscard]] Error error() const noexcept { return error_; }
    [[nodiscard]] const SetDefinitionDb* sets() const noexcept {
        const SetDefinitionDb* sets = map_.sets();
        return sets != nullptr && sets->kind() == SetDefinitionDb::Kind::elements ? sets : nullptr;
    }

private:
    MapDecoder map_;
    Error error_;
};

}  // namespace

Error Directory::check(Bytes map) {
    EntryReader reader;
    if (Error e = reader.start(map); !e.ok()) return e;
    Service scratch;
    ServiceEntry entry;
    while (reader.next(entry)) {
        if (entry.action == MapAction::del) continue;
        scratch.groups.clear();
        if (Error e = readService(entry.filters, reader.sets(), scratch, nullptr); !e.ok()) return e;
    }
    return reader.error();
}

Error Directory::apply(Bytes map, bool replace, DirectoryListener* listener) {
    if (Error e = check(map); !e.ok()) return e;
    DirectoryListener silent;
    DirectoryListener& told = listener != nullptr ? *listener : silent;

    EntryReader reader;
    ServiceEntry entry;
    if (replace) {
        std::unordered_set<std::uint16_t> named;
        if (Error e = reader.start(map); !e.ok()) return e;
        while (reader.next(entry)) {
            if (entry.action == MapAction::add) named.insert(entry.id);
        }
        std::vector<std::uint16_t> gone;
        for (const auto& s : services_)
            if (!named.contains(s->id)) gone.push_back(s->id);
        for (const std::uint16_t id : gone)
            erase(id, listener);
        reader = {};
    }

    if (Error e = reader.start(map); !e.ok()) return e;
    ServiceChanges changes;
    while (reader.next(entry)) {
        if (entry.action == MapAction::del) {
            erase(entry.id, listener);
            continue;
        }
        Service* service = findMutable(entry.id);
        const bool added = service == nullptr;
        if (added) {
            if (entry.action != MapAction::add) continue;  // an update of something unknown says nothing
            auto made = std::make_unique<Service>();
            made->id = entry.id;
            service = &append(std::move(made));
        }
        changes.clear();
        if (Error e = readService(entry.filters, reader.sets(), *service, &changes); !e.ok()) return e;
        if (added) told.onServiceAdded(*service);
        else if (changes.filters != 0) told.onServiceChanged(*service, changes.filters);
        for (const ServiceChanges::Event& event : changes.events) {
            switch (event.kind) {
            case ServiceChanges::Kind::serviceStatus:
                told.onServiceStatus(*service, event.state);
                break;
            case ServiceChanges::Kind::groupMerged:
                told.onGroupMerged(*service, event.group, event.into);
                break;
            case ServiceChanges::Kind::groupStatus:
                told.onGroupStatus(*service, event.group, event.state);
                break;
            }
        }
    }
    return reader.error();
}

void Directory::clear(DirectoryListener* listener) {
    while (!services_.empty())
        erase(services_.front()->id, listener);
}

bool Directory::add(Service service) {
    if (find(service.id) != nullptr || find(service.name()) != nullptr) return false;
    append(std::make_unique<Service>(std::move(service)));
    return true;
}

Service& Directory::append(std::unique_ptr<Service> service) {
    const std::uint16_t id = service->id;
    services_.push_back(std::move(service));
    byId_[id] = std::prev(services_.end());
    return *services_.back();
}

void Directory::erase(std::uint16_t id, DirectoryListener* listener) {
    const auto at = byId_.find(id);
    if (at == byId_.end()) return;
    const std::unique_ptr<Service> gone = std::move(*at->second);
    services_.erase(at->second);
    byId_.erase(at);
    if (listener != nullptr) listener->onServiceDeleted(*gone);
}

const Service* Directory::find(std::uint16_t id) const noexcept {
    const auto at = byId_.find(id);
    return at == byId_.end() ? nullptr : at->second->get();
}

const Service* Directory::find(std::string_view name) const noexcept {
    for (const auto& service : services_) {
        if (service->has(DirectoryFilter::info) && service->info.name == name) return service.get();
    }
    return nullptr;
}

Service* Directory::findMutable(std::uint16_t id) noexcept {
    const auto at = byId_.find(id);
    return at == byId_.end() ? nullptr : at->second->get();
}

}  // namespace emissary::reactor::rdm
