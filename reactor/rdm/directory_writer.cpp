// Writing directory payloads: from the model, and as a selection of a payload that came from elsewhere (rdm.md 3.4).
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"
#include "reactor/rdm/Directory.h"

#include <array>

namespace emissary::reactor::rdm {

using namespace eta::codec;

namespace {

/// Content of a small unsigned map key.
class UIntContent {
public:
    explicit UIntContent(std::uint64_t v) noexcept : out_(room_) { encodeUInt(out_, v); }
    [[nodiscard]] Bytes view() const noexcept { return out_.view(); }

private:
    std::array<std::byte, 8> room_{};
    eta::BeWriter out_;
};

[[nodiscard]] Bytes asView(const std::vector<std::byte>& v) noexcept {
    return {v.data(), v.size()};
}

void addState(ElementListEncoder& list, const OwnedState& state) noexcept {
    list.element("Status", DataType::State);
    encodeStatePrefixed(list.writer(), state.view());
}

void addNames(ElementListEncoder& list, std::string_view name, const std::vector<std::string>& values) noexcept {
    list.beginElement(name, DataType::Array);
    ArrayEncoder array;
    array.begin(list.writer(), DataType::AsciiString);
    for (const std::string& v : values)
        array.addAscii(v);
    (void)array.complete();  // failure latches in the writer
    list.endElement();
}

/// Filter entry 1 (rdm.md, directory). Failure latches in the writer, here and below.
void writeInfo(eta::BeWriter& out, const ServiceInfo& info) noexcept {
    ElementListEncoder list;
    list.begin(out);
    list.addAscii("Name", info.name);
    if (info.vendor) list.addAscii("Vendor", *info.vendor);
    if (info.isSource) list.addUInt("IsSource", *info.isSource ? 1 : 0);
    list.beginElement("Capabilities", DataType::Array);
    ArrayEncoder domains;
    domains.begin(out, DataType::UInt);
    for (const std::uint8_t domain : info.capabilities)
        domains.addUInt(domain);
    (void)domains.complete();
    list.endElement();
    if (info.dictionariesProvided) addNames(list, "DictionariesProvided", *info.dictionariesProvided);
    if (info.dictionariesUsed) addNames(list, "DictionariesUsed", *info.dictionariesUsed);
    if (!info.qos.empty()) {
        list.beginElement("QoS", DataType::Array);
        ArrayEncoder array;
        array.begin(out, DataType::Qos);
        for (const Qos& q : info.qos) {
            std::array<std::byte, 8> room{};
            eta::BeWriter content(room);
            encodeQos(content, q);
            array.add(content.view());
        }
        (void)array.complete();
        list.endElement();
    }
    if (info.qosRange) list.addUInt("SupportsQoSRange", *info.qosRange ? 1 : 0);
    if (info.itemList) list.addAscii("ItemList", *info.itemList);
    if (info.outOfBandSnapshots) list.addUInt("SupportsOutOfBandSnapshots", *info.outOfBandSnapshots ? 1 : 0);
    if (info.consumerStatus) list.addUInt("AcceptingConsumerStatus", *info.consumerStatus ? 1 : 0);
    (void)list.complete();
}

void writeState(eta::BeWriter& out, const ServiceState& state) noexcept {
    ElementListEncoder list;
    list.begin(out);
    list.addUInt("ServiceState", state.up ? 1 : 0);
    if (state.accepting) list.addUInt("AcceptingRequests", *state.accepting ? 1 : 0);
    if (state.status) addState(list, *state.status);
    (void)list.complete();
}

void writeGroup(eta::BeWriter& out, const ServiceGroup& group) noexcept {
    ElementListEncoder list;
    list.begin(out);
    list.add("Group", DataType::Buffer, asView(group.id));
    if (group.mergedTo) list.add("MergedToGroup", DataType::Buffer, asView(*group.mergedTo));
    if (group.status) addState(list, *group.status);
    (void)list.complete();
}

void writeLoad(eta::BeWriter& out, const ServiceLoad& load) noexcept {
    ElementListEncoder list;
    list.begin(out);
    if (load.openLimit) list.addUInt("OpenLimit", *load.openLimit);
    if (load.openWindow) list.addUInt("OpenWindow", *load.openWindow);
    if (load.loadFactor) list.addUInt("LoadFactor", *load.loadFactor);
    (void)list.complete();
}

void writeData(eta::BeWriter& out, const ServiceData& data) noexcept {
    ElementListEncoder list;
    list.begin(out);
    list.addUInt("Type", data.type);
    if (data.dataType != DataType::NoData) list.add("Data", data.dataType, asView(data.data));
    (void)list.complete();
}

/// Filter entry 6: the connections behind the service, by their names.
void writeLinks(eta::BeWriter& out, const std::vector<ServiceLink>& links) noexcept {
    MapEncoder map;
    EntryContainerHeader header;
    header.entryType = DataType::ElementList;
    map.begin(out, header, DataType::AsciiString);
    for (const ServiceLink& link : links) {
        map.beginEntry(MapAction::add, eta::asBytes(link.name));
        ElementListEncoder list;
        list.begin(out);
        if (link.type) list.addUInt("Type", *link.type);
        list.addUInt("LinkState", link.state);
        if (link.code) list.addUInt("LinkCode", *link.code);
        if (link.text) list.addAscii("Text", *link.text);
        (void)list.complete();
        map.endEntry();
    }
    (void)map.complete();
}

/// A filter list has room for 255 entries and an entry of the map for 65535 bytes: groups stay below.
constexpr std::size_t kMostGroups = 240, kMostGroupBytes = 32'000;

/// As many Group entries as have room, beginning with this one; returns the first that has none.
[[nodiscard]] std::size_t writeGroups(eta::BeWriter& out, FilterListEncoder& list, const std::vector<ServiceGroup>& all,
                                      std::size_t from) noexcept {
    const std::size_t begin = out.size(), first = from;
    for (; from < all.size() && from - first < kMostGroups; ++from) {
        const ServiceGroup& group = all[from];
        const std::size_t bytes = group.id.size() + (group.mergedTo ? group.mergedTo->size() : 0) +
                                  (group.status ? group.status->text.size() : 0);
        if (from != first && out.size() - begin + bytes > kMostGroupBytes) break;
        list.beginEntry(FilterAction::set, 3, DataType::ElementList);
        writeGroup(out, group);
        list.endEntry();
    }
    return from;
}

/// Returns the first group that had no room.
[[nodiscard]] std::size_t writeService(eta::BeWriter& out, const Service& service, std::uint32_t filters) noexcept {
    FilterListEncoder list;
    list.begin(out, DataType::ElementList);
    const auto part = [&](std::uint32_t bit, std::uint8_t id, auto&& write, const auto& from) {
        if ((filters & bit) == 0) return;
        list.beginEntry(FilterAction::set, id, DataType::ElementList);
        write(out, from);
        list.endEntry();
    };
    part(DirectoryFilter::info, 1, writeInfo, service.info);
    part(DirectoryFilter::state, 2, writeState, service.state);
    const bool withGroups = (filters & DirectoryFilter::group) != 0;
    const std::size_t next = withGroups ? writeGroups(out, list, service.groups, 0) : service.groups.size();
    part(DirectoryFilter::load, 4, writeLoad, service.load);
    part(DirectoryFilter::data, 5, writeData, service.data);
    if ((filters & DirectoryFilter::link) != 0) {
        list.beginEntry(FilterAction::set, 6, DataType::Map);
        writeLinks(out, service.links);
        list.endEntry();
    }
    if ((filters & DirectoryFilter::sequencedMulticast) != 0)
        list.add(FilterAction::set, 7, DataType::ElementList, asView(service.sequencedMulticast));
    (void)list.complete();
    return next;
}

/// The service's entry, and Update entries behind it for groups that have no room there.
void writeEntries(MapEncoder& map, std::uint8_t action, const Service& service, std::uint32_t filters) noexcept {
    eta::BeWriter& out = map.writer();
    const UIntContent id(service.id);
    map.beginEntry(action, id.view());
    std::size_t next = writeService(out, service, filters & service.filters);
    map.endEntry();
    while (next < service.groups.size() && out.ok()) {
        map.beginEntry(MapAction::update, id.view());
        FilterListEncoder list;
        list.begin(out, DataType::ElementList);
        next = writeGroups(out, list, service.groups, next);
        (void)list.complete();
        map.endEntry();
    }
}

[[nodiscard]] bool wanted(const DirectorySelection& want, std::uint64_t id) noexcept {
    return !want.serviceId || *want.serviceId == id;
}

[[nodiscard]] MapEncoder beginServices(eta::BeWriter& out) noexcept {
    MapEncoder map;
    EntryContainerHeader header;
    header.entryType = DataType::FilterList;
    map.begin(out, header, DataType::UInt);
    return map;
}

/// The wanted entries of one service's filter list, as they are.
[[nodiscard]] Error copyFilters(eta::BeWriter& out, Bytes in, std::uint32_t filters, std::uint32_t& kept) noexcept {
    FilterListDecoder from;
    if (Error e = from.start(in); !e.ok()) return e;
    FilterListEncoder to;
    to.begin(out, from.entryType());
    FilterEntry entry;
    while (from.next(entry)) {
        if (entry.id < 1 || entry.id > 7 || (filters >> (entry.id - 1) & 1) == 0) continue;
        kept |= 1u << (entry.id - 1);
        to.add(entry.action, entry.id, entry.type, entry.data, entry.hasPermData ? &entry.permData : nullptr);
    }
    if (Error e = to.complete(); !e.ok()) return e;
    return from.error();
}

}  // namespace

std::uint32_t Directory::available(const DirectorySelection& want) const noexcept {
    std::uint32_t filters = 0;
    for (const auto& service : services_) {
        if (wanted(want, service->id)) filters |= service->filters;
    }
    return filters & want.filters;
}

Error Directory::encode(eta::BeWriter& out, const DirectorySelection& want) const noexcept {
    MapEncoder map = beginServices(out);
    for (const auto& service : services_) {
        if (wanted(want, service->id)) writeEntries(map, MapAction::add, *service, want.filters);
    }
    return map.complete();
}

Error Directory::encodeService(eta::BeWriter& out, const Service& service, std::uint32_t filters,
                               bool change) noexcept {
    MapEncoder map = beginServices(out);
    writeEntries(map, change ? MapAction::update : MapAction::add, service, filters);
    return map.complete();
}

Error Directory::encodeDeletes(eta::BeWriter& out, std::span<const std::uint16_t> ids) noexcept {
    MapEncoder map = beginServices(out);
    for (const std::uint16_t id : ids)
        map.add(MapAction::del, UIntContent(id).view(), {});
    return map.complete();
}

Error Directory::copySelected(eta::BeWriter& out, Bytes in, const DirectorySelection& want, std::uint32_t& present,
                              std::uint32_t& entries) noexcept {
    present = 0;
    entries = 0;
    MapDecoder from;
    if (Error e = from.start(in); !e.ok()) return e;
    EntryContainerHeader header;
    header.entryType = from.entryType();
    header.hasSetDefs = from.hasSetDefs();
    header.setDefs = from.setDefs();
    header.hasSummary = from.hasSummary();
    header.summary = from.summary();
    MapEncoder to;
    to.begin(out, header, from.keyType());
    MapEntry entry;
    while (from.next(entry)) {
        std::uint64_t id = 0;
        if (decodeUInt(entry.key, id) == Decoded::malformed || !wanted(want, id)) continue;
        const Bytes* permData = entry.hasPermData ? &entry.permData : nullptr;
        if (entry.action == MapAction::del || entry.data.empty()) {
            to.add(entry.action, entry.key, entry.data, permData);
            ++entries;
            continue;
        }
        const std::size_t before = out.size();
        const MapEncoder rollBack = to;
        std::uint32_t kept = 0;
        to.beginEntry(entry.action, entry.key, permData);
        const bool readable = copyFilters(out, entry.data, want.filters, kept).ok();
        to.endEntry();
        // Nothing left to say about this service, or nothing that could be read.
        if (!readable || (kept == 0 && entry.action == MapAction::update)) {
            to = rollBack;
            out.truncate(before);
            continue;
        }
        present |= kept;
        ++entries;
    }
    if (Error e = to.complete(); !e.ok()) return e;
    return from.error();
}

}  // namespace emissary::reactor::rdm
