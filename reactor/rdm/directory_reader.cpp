// reactor/rdm: reads the filters of a service entry, with a note of whatever cannot be read.
#include "rdm/directory_reader.h"

#include "eta/codec/Msg.h"
#include "eta/codec/primitives.h"
#include "eta/core/printable.h"

#include <algorithm>
#include <iterator>

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

/// Takes typed values out of element entries. A blank leaves the target alone; so does what cannot be read, which is an
/// error or, where such things are skipped, noted.
class Elements {
public:
    Elements(Bytes in, const SetDefinitionDb* sets, Skipped* skipped) noexcept : skipped_(skipped) {
        error_ = list_.start(in, sets);
    }
    [[nodiscard]] bool next() noexcept {
        if (!error_.ok()) return false;
        good_ = true;
        blank_ = false;
        if (list_.next(entry_)) return true;
        error_ = list_.error();
        return false;
    }
    [[nodiscard]] bool is(std::string_view name) const noexcept { return eta::asText(entry_.name) == name; }
    [[nodiscard]] const ElementEntry& entry() const noexcept { return entry_; }
    [[nodiscard]] Error error() const noexcept { return error_; }
    [[nodiscard]] bool good() const noexcept { return good_; }  ///< the entry could be taken

    void take(std::uint64_t& out) {
        if (entry_.type != DataType::UInt) return fail(kWrongType);
        std::uint64_t v = 0;
        const Decoded d = decodeUInt(entry_.data, v);
        if (d == Decoded::malformed) return fail(kBadValue);
        if (d == Decoded::value) out = v;
        else blank_ = true;
    }
    void take(bool& out) {
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
    void take(Bytes& out) {
        if (!isText(entry_.type)) return fail(kWrongType);
        out = entry_.data;
    }
    void take(State& out) {
        if (entry_.type != DataType::State) return fail(kWrongType);
        State state;
        const Decoded d = decodeState(entry_.data, state);
        if (d == Decoded::blank) return static_cast<void>(blank_ = true);
        if (d == Decoded::malformed || !isDefined(state)) return fail(kBadValue);
        // It says nothing of the streams, and is never written (rwf.md 2.10): they go on.
        if (state.stream == StreamState::unspecified) state.stream = StreamState::open;
        out = state;
    }
    template <class T>
    void take(std::optional<T>& out) {
        T v{};
        take(v);
        if (good_ && !blank_) out = std::move(v);
    }
    void take(std::vector<std::string>& out) {
        std::vector<std::string> all;
        eachItem(&isText, [&](Bytes item) { all.emplace_back(eta::asText(item)); });
        if (good_) out = std::move(all);
    }
    void takeDomains(std::vector<std::uint8_t>& out) {
        std::vector<std::uint8_t> all;
        eachItem([](DataType t) noexcept { return t == DataType::UInt; },
                 [&](Bytes item) {
                     std::uint64_t v = 0;
                     if (decodeUInt(item, v) == Decoded::malformed) return fail(kBadValue);
                     if (v >= 1 && v <= 255) all.push_back(static_cast<std::uint8_t>(v));
                 });
        if (good_) out = std::move(all);
    }
    void take(std::vector<Qos>& out) {
        std::vector<Qos> all;
        eachItem([](DataType t) noexcept { return t == DataType::Qos; },
                 [&](Bytes item) {
                     Qos q;
                     const Decoded d = decodeQos(item, q);
                     if (d == Decoded::malformed) return fail(kBadValue);
                     if (d == Decoded::value && specified(q)) all.push_back(q);  // others cannot be sent on
                 });
        sortBestFirst(all);
        if (good_) out = std::move(all);
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
    void fail(Error e) {
        if (skipped_ == nullptr) {
            if (error_.ok()) error_ = e;
        } else if (good_) {
            skipped_->note("element '" + eta::printable(eta::asText(entry_.name)) + "' " +
                           (e.code == Errc::unsupportedType ? "has a type that it cannot have" : "cannot be read"));
        }
        good_ = false;
    }

    ElementListDecoder list_;
    ElementEntry entry_;
    Skipped* const skipped_;
    Error error_;
    bool good_ = true, blank_ = false;
};

/// What is required and not there: an error in an image, else what is known stays.
Error missing(bool anything, const Strictness& how) {
    return anything && how.image ? kMissing : Error{};
}

/// Filter entry 1. `set`: an image of the entry, else a change of what is known. Name and capabilities that cannot be
/// read leave those that are known, since a service without them is of no use.
Error readInfo(Elements& e, ServiceInfo& info, bool set, const Strictness& how) {
    ServiceInfo next = set ? ServiceInfo{} : info;
    bool name = false, capabilities = false;
    while (e.next()) {
        if (e.is("Name")) {
            e.take(next.name);
            name = e.good() && !next.name.empty();
        } else if (e.is("Capabilities")) {
            e.takeDomains(next.capabilities);
            capabilities = e.good();
        } else if (e.is("Vendor")) e.take(next.vendor);
        else if (e.is("IsSource")) e.take(next.isSource);
        else if (e.is("DictionariesProvided")) e.take(next.dictionariesProvided);
        else if (e.is("DictionariesUsed")) e.take(next.dictionariesUsed);
        else if (e.is("QoS")) e.take(next.qos);
        else if (e.is("SupportsQoSRange")) e.take(next.qosRange);
        else if (e.is("ItemList")) e.take(next.itemList);
        else if (e.is("SupportsOutOfBandSnapshots")) e.take(next.outOfBandSnapshots);
        else if (e.is("AcceptingConsumerStatus")) e.take(next.consumerStatus);
    }
    if (!e.error().ok()) return e.error();
    if (!name) next.name = info.name;
    if (!capabilities) next.capabilities = info.capabilities;
    info = std::move(next);
    return missing(set && (!name || !capabilities), how);
}

/// Filter entry 2, as readInfo(). A status is news for items, too: it goes to `changes`.
Error readState(Elements& e, ServiceState& state, bool set, ServiceChanges* changes, const Strictness& how) {
    ServiceState next = set ? ServiceState{} : state;
    std::optional<State> status;
    bool up = false;
    while (e.next()) {
        if (e.is("ServiceState")) {
            e.take(next.up);
            up = e.good();
        } else if (e.is("AcceptingRequests")) e.take(next.accepting);
        else if (e.is("Status")) e.take(status);
    }
    if (!e.error().ok()) return e.error();
    if (!up) next.up = state.up;
    if (status) next.status = OwnedState::from(*status);
    state = std::move(next);
    if (status && changes != nullptr) changes->events.push_back({ServiceChanges::Kind::serviceStatus, {}, {}, *status});
    return missing(set && !up, how);
}

Error readGroup(Elements& e, Service& service, bool set, ServiceChanges* changes, const Strictness& how) {
    std::optional<Bytes> id, into;
    std::optional<State> state;
    while (e.next()) {
        if (e.is("Group")) e.take(id);
        else if (e.is("MergedToGroup")) e.take(into);
        else if (e.is("Status")) e.take(state);
    }
    if (!e.error().ok()) return e.error();
    if (!id) {
        if (how.skipped != nullptr) how.skipped->note("it names no group");
        return missing(true, how);  // a change of no group is none
    }

    const auto same = [&](const ServiceGroup& g) {
        return std::equal(g.id.begin(), g.id.end(), id->begin(), id->end());
    };
    auto at = std::find_if(service.groups.begin(), service.groups.end(), same);
    if (at == service.groups.end() && service.groups.size() < Service::kMaxGroups)
        at = service.groups.insert(service.groups.end(), ServiceGroup{copyOf(*id), {}, {}});
    if (at != service.groups.end()) {
        if (set) {
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

Error readLoad(Elements& e, ServiceLoad& load, bool set) {
    ServiceLoad next = set ? ServiceLoad{} : load;
    while (e.next()) {
        if (e.is("OpenLimit")) e.take(next.openLimit);
        else if (e.is("OpenWindow")) e.take(next.openWindow);
        else if (e.is("LoadFactor")) e.take(next.loadFactor);
    }
    if (e.error().ok()) load = next;
    return e.error();
}

/// Filter entry 5, as readInfo(). Data of no type cannot be passed on.
Error readData(Elements& e, ServiceData& data, bool set, const Strictness& how) {
    ServiceData next = set ? ServiceData{} : data;
    bool type = false, content = false;
    while (e.next()) {
        if (e.is("Type")) {
            e.take(next.type);
            type = e.good();
        } else if (e.is("Data")) {
            next.dataType = e.entry().type;
            next.data = copyOf(e.entry().data);
            content = true;
        }
    }
    if (!e.error().ok()) return e.error();
    data = std::move(next);
    return missing(set && content && !type, how);
}

/// One connection of filter entry 6. `fresh`: nothing is known of it yet, so it has to say its state.
Error readLink(Elements& e, ServiceLink& link, bool fresh, const Strictness& how) {
    bool state = false;
    while (e.next()) {
        if (e.is("LinkState")) {
            e.take(link.state);
            state = e.good();
        } else if (e.is("Type")) e.take(link.type);
        else if (e.is("LinkCode")) e.take(link.code);
        else if (e.is("Text")) e.take(link.text);
    }
    if (!e.error().ok()) return e.error();
    return missing(fresh && !state, how);
}

Error readLinks(Bytes in, std::vector<ServiceLink>& links, bool set, const Strictness& how) {
    MapDecoder map;
    if (Error e = map.start(in); !e.ok()) return e;
    if (!isText(map.keyType()) || (map.entryType() != DataType::ElementList && map.entryType() != DataType::NoData))
        return kWrongType;
    const SetDefinitionDb* sets =
        map.sets() != nullptr && map.sets()->kind() == SetDefinitionDb::Kind::elements ? map.sets() : nullptr;
    std::vector<ServiceLink> next = set ? std::vector<ServiceLink>{} : links;
    MapEntry entry;
    while (map.next(entry)) {
        const std::string_view name = eta::asText(entry.key);
        if (name.empty()) {  // none that could be named to others
            if (how.skipped == nullptr) return kMissing;
            how.skipped->note("a link without a name");
            continue;
        }
        auto at = std::find_if(next.begin(), next.end(), [&](const ServiceLink& l) { return l.name == name; });
        if (entry.action == MapAction::del) {
            if (at != next.end()) next.erase(at);
            continue;
        }
        const bool fresh = at == next.end() || entry.action == MapAction::add;
        ServiceLink link = fresh ? ServiceLink{std::string(name), {}, {}, 0, {}} : *at;
        Elements e(entry.data, sets, how.skipped);
        if (Error bad = readLink(e, link, fresh, how); !bad.ok()) {
            if (how.skipped == nullptr) return bad;
            how.skipped->note("link '" + eta::printable(name) + "' cannot be read");
            continue;
        }
        if (at == next.end()) next.push_back(std::move(link));
        else *at = std::move(link);
    }
    if (map.error().ok()) links = std::move(next);
    return map.error();
}

/// A filter entry was cleared; ids of nothing that is known here are passed over.
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

Error readFilter(const FilterEntry& entry, const SetDefinitionDb* sets, Service& service, ServiceChanges* changes,
                 const Strictness& how) {
    const bool set = entry.action == FilterAction::set;
    if (entry.id == 6) return entry.type == DataType::Map ? readLinks(entry.data, service.links, set, how) : kWrongType;
    if (entry.type != DataType::ElementList) return kWrongType;
    Elements elements(entry.data, sets, how.skipped);
    switch (entry.id) {
    case 1:
        return readInfo(elements, service.info, set, how);
    case 2:
        return readState(elements, service.state, set, changes, how);
    case 3:  // several Group entries may stand in one list, so a Set replaces one group, not all
        return readGroup(elements, service, set, changes, how);
    case 4:
        return readLoad(elements, service.load, set);
    case 5:
        return readData(elements, service.data, set, how);
    default:
        while (elements.next()) {}
        if (elements.error().ok()) service.sequencedMulticast = copyOf(entry.data);
        return elements.error();
    }
}

}  // namespace

void Skipped::note(std::string_view what) {
    static constexpr const char* kFilters[] = {"",     "Info", "State", "Group",
                                               "Load", "Data", "Link",  "SequencedMulticast"};
    if (++count_ > kTold) return;
    if (!text_.empty()) text_ += "; ";
    text_ += "service id " + std::to_string(serviceId_) + ": ";
    if (filterId_ != 0 && filterId_ < std::size(kFilters)) text_ += std::string(kFilters[filterId_]) + ": ";
    text_ += what;
}

std::string Skipped::text() const {
    return count_ <= kTold ? text_ : text_ + "; and " + std::to_string(count_ - kTold) + " more";
}

Error readService(Bytes filterList, const SetDefinitionDb* sets, Service& service, ServiceChanges* changes,
                  const Strictness& how) {
    if (filterList.empty()) return {};
    FilterListDecoder filters;
    // An error of the part at hand: noted, or the end.
    const auto skips = [&](std::string_view what) {
        if (how.skipped != nullptr) how.skipped->note(what);
        return how.skipped != nullptr;
    };
    if (how.skipped != nullptr) how.skipped->at(service.id, 0);
    if (Error e = filters.start(filterList); !e.ok()) return skips("its filter list cannot be read") ? Error{} : e;
    FilterEntry entry;
    while (filters.next(entry)) {
        if (entry.id < 1 || entry.id > 7) continue;
        if (how.skipped != nullptr) how.skipped->at(service.id, entry.id);
        const std::uint32_t bit = 1u << (entry.id - 1);
        if (entry.action == FilterAction::clear) {
            forget(service, entry.id);
            service.filters &= ~bit;
        } else if (entry.action != FilterAction::set && entry.action != FilterAction::update) {
            if (!skips("an action that there is none of")) return kBadValue;
            continue;
        } else if (Error e = readFilter(entry, sets, service, changes, how); !e.ok()) {
            if (!skips(std::string("the entry cannot be used: ") + eta::describe(e.code))) return e;
            continue;
        } else if (entry.id != 1 || !service.info.name.empty()) {
            service.filters |= bit;
        }
        if (changes != nullptr) changes->filters |= bit;
    }
    if (filters.error().ok()) return {};
    return skips("the rest of its filter list cannot be read") ? Error{} : filters.error();
}

}  // namespace emissary::reactor::rdm
