#include "rdm/directory_reader.h"

#include "eta/codec/primitives.h"
#include "eta/codec/states.h"

namespace emissary::reactor::rdm {

using namespace eta::codec;

namespace {

constexpr Error kWrongType{Errc::unsupportedType, 0};
constexpr Error kBadValue{Errc::badValue, 0};
constexpr Error kMissing{Errc::badValue, 0};  // a mandatory element is not there

[[nodiscard]] bool isText(DataType t) noexcept {
    return t == DataType::AsciiString || t == DataType::Buffer || t == DataType::Utf8String ||
           t == DataType::RmtesString;
}

[[nodiscard]] std::vector<std::byte> copyOf(Bytes b) {
    return {b.begin(), b.end()};
}

/// Takes typed values out of element entries; a blank leaves the target alone, a wrong type latches an error.
class Elements {
public:
    Elements(Bytes in, const SetDefinitionDb* sets) noexcept { error_ = list_.start(in, sets); }
    [[nodiscard]] bool next() noexcept {
        if (!error_.ok()) return false;
        if (list_.next(entry_)) return true;
        error_ = list_.error();
        return false;
    }
    [[nodiscard]] bool is(std::string_view name) const noexcept { return eta::asText(entry_.name) == name; }
    [[nodiscard]] const ElementEntry& entry() const noexcept { return entry_; }
    [[nodiscard]] Error error() const noexcept { return error_; }

    void take(std::uint64_t& out) noexcept {
        if (entry_.type != DataType::UInt) return fail(kWrongType);
        std::uint64_t v = 0;
        const Decoded d = decodeUInt(entry_.data, v);
        if (d == Decoded::malformed) return fail(kBadValue);
        if (d == Decoded::value) out = v;
    }
    void take(bool& out) noexcept {
        std::uint64_t v = out ? 1 : 0;
        take(v);
        out = v != 0;
    }
    void take(std::string& out) {
        if (!isText(entry_.type)) return fail(kWrongType);
        out.assign(eta::asText(entry_.data));
    }
    void take(std::vector<std::byte>& out) {
        if (!isText(entry_.type)) return fail(kWrongType);
        out = copyOf(entry_.data);
    }
    /// A state that is none is left out: it costs neither the entry nor the message.
    void take(std::optional<State>& out) noexcept {
        if (entry_.type != DataType::State) return fail(kWrongType);
        State state;
        const Decoded d = decodeState(entry_.data, state);
        if (d == Decoded::malformed) return fail(kBadValue);
        if (d == Decoded::value && isDefined(state)) out = state;
    }
    template <class T>
    void take(std::optional<T>& out) {
        T v{};
        take(v);
        if (error_.ok()) out = std::move(v);
    }
    void take(std::vector<std::string>& out) {
        out.clear();
        eachItem(&isText, [&](Bytes item) { out.emplace_back(eta::asText(item)); });
    }
    void takeDomains(std::vector<std::uint8_t>& out) {
        out.clear();
        eachItem([](DataType t) noexcept { return t == DataType::UInt; },
                 [&](Bytes item) {
                     std::uint64_t v = 0;
                     if (decodeUInt(item, v) == Decoded::malformed) return fail(kBadValue);
                     if (v >= 1 && v <= 255) out.push_back(static_cast<std::uint8_t>(v));
                 });
    }
    void take(std::vector<Qos>& out) {
        out.clear();
        eachItem([](DataType t) noexcept { return t == DataType::Qos; },
                 [&](Bytes item) {
                     Qos q;
                     const Decoded d = decodeQos(item, q);
                     if (d == Decoded::malformed) return fail(kBadValue);
                     if (d == Decoded::value) out.push_back(q);
                 });
        sortBestFirst(out);
    }

private:
    template <class Accepts, class Use>
    void eachItem(Accepts accepts, Use use) {
        if (entry_.type != DataType::Array) return fail(kWrongType);
        ArrayDecoder array;
        if (Error e = array.start(entry_.data); !e.ok()) return fail(e);
        if (array.blank()) return;
        if (!accepts(baseType(array.itemType()))) return fail(kWrongType);
        Bytes item;
        while (array.next(item))
            use(item);
        if (!array.error().ok()) fail(array.error());
    }
    void fail(Error e) noexcept {
        if (error_.ok()) error_ = e;
    }

    ElementListDecoder list_;
    ElementEntry entry_;
    Error error_;
};

Error readInfo(Elements& e, ServiceInfo& info) {
    bool name = false, capabilities = false;
    while (e.next()) {
        if (e.is("Name")) {
            e.take(info.name);
            name = true;
        } else if (e.is("Capabilities")) {
            e.takeDomains(info.capabilities);
            capabilities = true;
        } else if (e.is("Vendor")) e.take(info.vendor);
        else if (e.is("IsSource")) e.take(info.isSource);
        else if (e.is("DictionariesProvided")) e.take(info.dictionariesProvided);
        else if (e.is("DictionariesUsed")) e.take(info.dictionariesUsed);
        else if (e.is("QoS")) e.take(info.qos);
        else if (e.is("SupportsQoSRange")) e.take(info.qosRange);
        else if (e.is("ItemList")) e.take(info.itemList);
        else if (e.is("SupportsOutOfBandSnapshots")) e.take(info.outOfBandSnapshots);
        else if (e.is("AcceptingConsumerStatus")) e.take(info.consumerStatus);
    }
    if (!e.error().ok()) return e.error();
    return name && capabilities ? Error{} : kMissing;
}

Error readState(Elements& e, ServiceState& state, ServiceChanges* changes) {
    bool up = false;
    while (e.next()) {
        if (e.is("ServiceState")) {
            e.take(state.up);
            up = true;
        } else if (e.is("AcceptingRequests")) e.take(state.accepting);
        else if (e.is("Status")) {
            std::optional<State> s;
            e.take(s);
            if (!e.error().ok()) break;
            if (!s) continue;
            state.status = OwnedState::from(*s);
            if (changes != nullptr) changes->events.push_back({ServiceChanges::Kind::serviceStatus, {}, {}, *s});
        }
    }
    if (!e.error().ok()) return e.error();
    return up ? Error{} : kMissing;
}

Error readGroup(Elements& e, Service& service, std::uint8_t action, ServiceChanges* changes) {
    std::optional<Bytes> id, into;
    std::optional<State> state;
    while (e.next()) {
        const ElementEntry& entry = e.entry();
        if (e.is("Group")) {
            if (!isText(entry.type)) return kWrongType;
            id = entry.data;
        } else if (e.is("MergedToGroup")) {
            if (!isText(entry.type)) return kWrongType;
            into = entry.data;
        } else if (e.is("Status")) e.take(state);
    }
    if (!e.error().ok()) return e.error();
    if (!id) return kMissing;

    const auto same = [&](const ServiceGroup& g) {
        return std::equal(g.id.begin(), g.id.end(), id->begin(), id->end());
    };
    auto at = std::find_if(service.groups.begin(), service.groups.end(), same);
    if (at == service.groups.end() && service.groups.size() < Service::kMaxGroups)
        at = service.groups.insert(service.groups.end(), ServiceGroup{copyOf(*id), {}, {}});
    if (at != service.groups.end()) {
        if (action == FilterAction::set) {
            at->mergedTo.reset();
            at->status.reset();
        }
        if (into) at->mergedTo = copyOf(*into);
        if (state) at->status = OwnedState::from(*state);
    }
    if (changes == nullptr) return {};
    if (into) changes->events.push_back({ServiceChanges::Kind::groupMerged, *id, *into, {}});
    if (state) changes->events.push_back({ServiceChanges::Kind::groupStatus, into.value_or(*id), {}, *state});
    return {};
}

Error readLoad(Elements& e, ServiceLoad& load) {
    while (e.next()) {
        if (e.is("OpenLimit")) e.take(load.openLimit);
        else if (e.is("OpenWindow")) e.take(load.openWindow);
        else if (e.is("LoadFactor")) e.take(load.loadFactor);
    }
    return e.error();
}

Error readData(Elements& e, ServiceData& data) {
    bool type = false, content = false;
    while (e.next()) {
        if (e.is("Type")) {
            e.take(data.type);
            type = true;
        } else if (e.is("Data")) {
            data.dataType = e.entry().type;
            data.data = copyOf(e.entry().data);
            content = true;
        }
    }
    if (!e.error().ok()) return e.error();
    return content && !type ? kMissing : Error{};
}

Error readLinks(Bytes in, std::vector<ServiceLink>& links) {
    MapDecoder map;
    if (Error e = map.start(in); !e.ok()) return e;
    if (!isText(map.keyType()) || (map.entryType() != DataType::ElementList && map.entryType() != DataType::NoData))
        return kWrongType;
    const SetDefinitionDb* sets =
        map.sets() != nullptr && map.sets()->kind() == SetDefinitionDb::Kind::elements ? map.sets() : nullptr;
    MapEntry entry;
    while (map.next(entry)) {
        const std::string_view name = eta::asText(entry.key);
        auto at = std::find_if(links.begin(), links.end(), [&](const ServiceLink& l) { return l.name == name; });
        if (entry.action == MapAction::del) {
            if (at != links.end()) links.erase(at);
            continue;
        }
        if (at == links.end()) at = links.insert(links.end(), ServiceLink{std::string(name), {}, {}, 0, {}});
        else if (entry.action == MapAction::add) *at = ServiceLink{std::string(name), {}, {}, 0, {}};
        bool state = false;
        Elements e(entry.data, sets);
        while (e.next()) {
            if (e.is("LinkState")) {
                e.take(at->state);
                state = true;
            } else if (e.is("Type")) e.take(at->type);
            else if (e.is("LinkCode")) e.take(at->code);
            else if (e.is("Text")) e.take(at->text);
        }
        if (!e.error().ok()) return e.error();
        if (!state) return kMissing;
    }
    return map.error();
}

void forget(Service& service, std::uint8_t filterId) {
    switch (filterId) {
    case 1:
        service.info = {};
        break;
    case 2:
        service.state = {};
        break;
    case 3:
        service.groups.clear();
        break;
    case 4:
        service.load = {};
        break;
    case 5:
        service.data = {};
        break;
    case 6:
        service.links.clear();
        break;
    case 7:
        service.sequencedMulticast.clear();
        break;
    default:
        break;
    }
}

Error readFilter(const FilterEntry& entry, const SetDefinitionDb* sets, Service& service, ServiceChanges* changes) {
    if (entry.id == 6) {
        if (entry.type != DataType::Map) return kWrongType;
        return readLinks(entry.data, service.links);
    }
    if (entry.type != DataType::ElementList) return kWrongType;
    Elements elements(entry.data, sets);
    switch (entry.id) {
    case 1:
        return readInfo(elements, service.info);
    case 2:
        return readState(elements, service.state, changes);
    case 3:
        return readGroup(elements, service, entry.action, changes);
    case 4:
        return readLoad(elements, service.load);
    case 5:
        return readData(elements, service.data);
    default:
        while (elements.next()) {}
        service.sequencedMulticast = copyOf(entry.data);
        return elements.error();
    }
}

}  // namespace

Error readService(Bytes filterList, const SetDefinitionDb* sets, Service& service, ServiceChanges* changes) {
    if (filterList.empty()) return {};
    FilterListDecoder filters;
    if (Error e = filters.start(filterList); !e.ok()) return e;
    FilterEntry entry;
    while (filters.next(entry)) {
        if (entry.id < 1 || entry.id > 7) continue;
        const std::uint32_t bit = 1u << (entry.id - 1);
        if (changes != nullptr) changes->filters |= bit;
        if (entry.action == FilterAction::clear) {
            forget(service, entry.id);
            service.filters &= ~bit;
            continue;
        }
        if (entry.action != FilterAction::set && entry.action != FilterAction::update) return kBadValue;
        // Several Group entries may stand in one list, so a Set replaces one group, not all.
        if (entry.action == FilterAction::set && entry.id != 3) forget(service, entry.id);
        service.filters |= bit;
        if (Error e = readFilter(entry, sets, service, changes); !e.ok()) return e;
    }
    return filters.error();
}

}  // namespace emissary::reactor::rdm
