#include "hub/publisher/UnknownItems.h"

#include "eta/codec/encoders.h"

#include <array>

namespace emissary::hub::publisher {

using namespace eta::codec;

namespace {

constexpr std::uint8_t kNotFound = 1;
constexpr std::byte kNoGroup[2]{};

/// The container of a domain (rdm.md 5); NoData where the domain does not say.
[[nodiscard]] DataType containerOf(std::uint8_t domain) noexcept {
    switch (domain) {
    case 6:
    case 22:
        return DataType::FieldList;
    case 7:
    case 8:
    case 9:
    case 10:
    case 37:
        return DataType::Map;
    case 17:
        return DataType::Vector;
    default:
        return DataType::NoData;
    }
}

/// A container without entries.
[[nodiscard]] Bytes empty(DataType type, std::array<std::byte, 64>& room) noexcept {
    eta::BeWriter out(room);
    EntryContainerHeader header;
    header.entryType = DataType::FieldList;
    eta::Error e;
    if (type == DataType::FieldList) {
        FieldListEncoder list;
        list.begin(out);
        e = list.complete();
    } else if (type == DataType::Map) {
        MapEncoder map;
        map.begin(out, header, DataType::Buffer);
        e = map.complete();
    } else if (type == DataType::Vector) {
        VectorEncoder vector;
        vector.begin(out, header, true);
        e = vector.complete();
    }
    return e.ok() ? out.view() : Bytes{};
}

}  // namespace

void UnknownItems::useTemplates(const std::string& service, const std::string& file,
                                const eta::dictionary::Dictionary& dictionary) {
    templates_.insert_or_assign(service, TemplateFile(file, dictionary));
}

void UnknownItems::answer(Service& service, Item& item) {
    switch (service.policy.unknownItem) {
    case UnknownItem::close:
        // The directory comes before the images: a client that asked before the feed was there is not too late.
        if (item.is(Item::early)) return wait(item);
        return close(item, "nobody has published this item");
    case UnknownItem::suspect:
        return suspect(service, item);
    case UnknownItem::wait:
        return wait(item);
    case UnknownItem::fromTemplate:
        return fill(service, item);
    }
}

void UnknownItems::close(Item& item, std::string_view why) {
    flow_.close(item, {StreamState::closed, DataState::suspect, kNotFound, eta::asBytes(why)});
}

void UnknownItems::wait(Item& item) {
    item.phase = Item::Phase::parked;
    flow_.changeState(item,
                      {StreamState::open, DataState::suspect, 0, eta::asBytes("this item has not been published yet")},
                      flow::Tell::everybody);
}

Msg UnknownItems::refresh(const Service& service, const Item& item) {
    Msg m;
    m.cls = MsgClass::Refresh;
    m.domain = item.domain;
    m.flags = RefreshFlag::solicited | RefreshFlag::complete | RefreshFlag::qos;
    m.groupId = kNoGroup;
    m.qos = service.merged.info.qos.empty() ? kRealtimeTickByTick : service.merged.info.qos.front();
    return m;
}

/// The temporary image: clients see that the item exists, and that its data are still to come.
void UnknownItems::suspect(const Service& service, Item& item) {
    Msg m = refresh(service, item);
    m.state = {StreamState::open, DataState::suspect, 0, eta::asBytes("this item has not been published yet")};
    std::array<std::byte, 64> room;
    m.containerType = containerOf(item.domain);
    m.payload = empty(m.containerType, room);
    const std::uint32_t index = item.index, generation = item.generation;
    flow_.received(item, m);
    if (Item* const still = items_.find(index, generation)) still->set(Item::placeholder, true);
}

void UnknownItems::fill(const Service& service, Item& item) {
    const auto file = templates_.find(service.name);
    const TemplateFile::Image* const image = file != templates_.end() ? file->second.image(item.domain) : nullptr;
    if (image == nullptr) return close(item, "the template file has no image for this domain");
    Msg m = refresh(service, item);
    m.state = {StreamState::open, DataState::ok, 0, {}};
    m.containerType = image->type;
    m.payload = image->payload;
    records_.touch(item);
    flow_.received(item, m);
}

}  // namespace emissary::hub::publisher
