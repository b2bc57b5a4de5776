// Writes ConsumerStatus, and reads what peers send: a bad entry costs that entry.
#include "reactor/rdm/consumer_status.h"

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"
#include "reactor/rdm/Login.h"

namespace emissary::reactor::rdm {

using namespace eta::codec;

namespace {

constexpr std::string_view kName = "ConsumerStatus", kMirroring = "SourceMirroringMode", kWarm = "WarmStandbyMode";
constexpr std::uint64_t kMirroringModes = 3, kWarmModes = 2;

[[nodiscard]] bool isWarm(ServiceUse use) noexcept {
    return use >= ServiceUse::warmActive;
}

/// The element's value where it is one of the first `modes` numbers.
[[nodiscard]] std::optional<std::uint64_t> modeOf(const ElementEntry& e, std::uint64_t modes) noexcept {
    std::uint64_t value = 0;
    if (e.type != DataType::UInt || decodeUInt(e.data, value) != Decoded::value || value >= modes) return {};
    return value;
}

/// The mode that the list has; else a fault.
void readMode(Bytes data, ConsumerStatusEntry& out) noexcept {
    ElementListDecoder list;
    if (!list.start(data).ok()) return void(out.fault = "its element list cannot be decoded");
    std::optional<std::uint64_t> mirroring, warm;
    ElementEntry e;
    while (list.next(e)) {
        const std::string_view name = eta::asText(e.name);
        if (name == kMirroring) {
            mirroring = modeOf(e, kMirroringModes);
            if (!mirroring) return void(out.fault = "its SourceMirroringMode is none of 0, 1 and 2");
        } else if (name == kWarm) {
            warm = modeOf(e, kWarmModes);
            if (!warm) return void(out.fault = "its WarmStandbyMode is none of 0 and 1");
        }
    }
    if (!list.error().ok()) return void(out.fault = "its element list cannot be decoded");
    if (mirroring && warm) return void(out.fault = "it has both a SourceMirroringMode and a WarmStandbyMode");
    if (mirroring) out.use = static_cast<ServiceUse>(*mirroring);
    else if (warm) out.use = *warm == 0 ? ServiceUse::warmActive : ServiceUse::warmStandby;
    else out.fault = "it has neither a SourceMirroringMode nor a WarmStandbyMode";
}

}  // namespace

eta::Error makeConsumerStatus(Msg& msg, std::span<const UsedService> services, eta::GrowingBuffer& payload) {
    MapEncoder map;
    EntryContainerHeader header;
    header.entryType = DataType::ElementList;
    map.begin(payload.start(), header, DataType::UInt);
    for (const UsedService& s : services) {
        std::byte id[2];
        eta::storeBe(id, s.service);
        map.beginEntry(MapAction::add, Bytes(id));
        ElementListEncoder list;
        list.begin(map.writer());
        if (isWarm(s.use)) list.addUInt(kWarm, s.use == ServiceUse::warmStandby ? 1 : 0);
        else list.addUInt(kMirroring, static_cast<std::uint64_t>(s.use));
        (void)list.complete();  // a failure latches in the writer
        map.endEntry();
    }
    if (const eta::Error e = map.complete(); !e.ok()) return e;
    msg = {};
    msg.cls = MsgClass::Generic;
    msg.domain = kDirectoryDomain;
    msg.streamId = kDirectoryStreamId;
    msg.flags = GenericFlag::complete | GenericFlag::msgKey;
    msg.key.flags = KeyFlag::name;
    msg.key.name = eta::asBytes(kName);
    msg.containerType = DataType::Map;
    msg.payload = payload.view();
    return {};
}

bool isConsumerStatus(const Msg& msg) noexcept {
    return msg.cls == MsgClass::Generic && msg.hasKey() && msg.key.has(KeyFlag::name) &&
           eta::asText(msg.key.name) == kName;
}

const char* readConsumerStatus(const Msg& msg, const std::function<void(const ConsumerStatusEntry&)>& entry) {
    MapDecoder map;
    if (msg.containerType != DataType::Map) return "its payload is no map";
    if (!map.start(msg.payload).ok()) return "its map cannot be decoded";
    if (map.keyType() != DataType::UInt) return "the keys of its map are no unsigned integers";
    if (map.entryType() != DataType::ElementList) return "the entries of its map are no element lists";
    MapEntry e;
    while (map.next(e)) {
        ConsumerStatusEntry out;
        std::uint64_t id = 0;
        if (decodeUInt(e.key, id) != Decoded::value) out.fault = "its key is no service id";
        else if (id > 0xFFFF) out.fault = "its service id is above 65535";
        else {
            out.service = static_cast<std::uint16_t>(id);
            if (e.action != MapAction::del) readMode(e.data, out);
        }
        entry(out);
    }
    return map.error().ok() ? nullptr : "its map cannot be decoded to the end";
}

}  // namespace emissary::reactor::rdm
