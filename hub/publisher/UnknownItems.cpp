// Answers with a template, an empty image or a status, or waits, as the service's policy says.
#include "hub/publisher/UnknownItems.h"

#include "eta/codec/encoders.h"
#include "hub/flow/Headers.h"
#include "hub/flow/ItemLife.h"

#include <algorithm>
#include <array>

namespace emissary::hub::publisher {

using namespace eta::codec;

namespace {

constexpr std::uint8_t kNotFound = 1;
constexpr std::string_view kNobody = "nobody has published this item";
constexpr std::size_t kClosedATurn = 500;
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

void UnknownItems::useTemplates(const std::string& service, TemplateFile file) {
    templates_.insert_or_assign(service, std::move(file));
}

void UnknownItems::answer(Service& service, Item& item) {
    switch (service.policy.unknownItem) {
    case UnknownItem::close:
        // The directory comes before the images: a client that asked before the feed was there is not too late.
        if (item.is(Item::early)) return wait(item);
        if (const auto at = starts_.find(service.id); at != starts_.end()) return hold(at->second, item);
        return close(item, kNobody);
    case UnknownItem::suspect:
        return suspect(service, item);
    case UnknownItem::wait:
        return wait(item);
    case UnknownItem::fromTemplate:
        return fill(service, item);
    }
}

void UnknownItems::starts(const Service& service) {
    if (service.policy.unknownItem != UnknownItem::close) return;
    const reactor::TimePoint now = reactor_.now();
    const auto at = starts_.try_emplace(service.id, Start{now, now, false, {}}).first;
    if (at->second.lost) {  // another start, before all that was held back has been looked at
        at->second.begun = at->second.last = now;
        at->second.lost = false;
    }
    if (timer_ == 0) timer_ = reactor_.startTimer(kPause, [this] { look(); });
}

void UnknownItems::stops(const Service& service, const Source& lost) {
    const auto at = starts_.find(service.id);
    if (at == starts_.end() || at->second.lost) return;
    const auto goesOn = [&](const Offer& o) { return o.source != &lost && o.usable(); };
    if (std::ranges::any_of(service.publishers, goesOn)) return;
    at->second.lost = true;
    reactor_.cancelTimer(timer_);
    timer_ = reactor_.startTimer(std::chrono::milliseconds(0), [this] { look(); });
}

void UnknownItems::grows(const Service& service) {
    if (starts_.empty()) return;
    if (const auto at = starts_.find(service.id); at != starts_.end()) at->second.last = reactor_.now();
}

void UnknownItems::hold(Start& start, Item& item) {
    flow::ItemLife::apply(item, flow::Event::parked);
    start.held.emplace_back(item.index, item.generation);
}

/// Closes what is still not there once a start is over, kClosedATurn in a turn.
void UnknownItems::look() {
    timer_ = 0;
    const reactor::TimePoint now = reactor_.now();
    reactor::TimePoint next = reactor::TimePoint::max();
    std::size_t left = kClosedATurn;
    for (auto at = starts_.begin(); at != starts_.end();) {
        if (at->second.end() > now) {
            next = std::min(next, at->second.end());
            ++at;
            continue;
        }
        auto& held = at->second.held;
        for (; left != 0 && !held.empty(); held.pop_back()) {
            Item* const item = items_.find(held.back().first, held.back().second);
            if (item == nullptr || item->phase != Item::Phase::parked || item->source != nullptr) continue;
            if (requested_ != nullptr && requested_->waits(*item)) continue;  // since then somebody could be asked
            --left;
            if (at->second.lost) {
                flow::ItemLife::apply(*item, flow::Event::wantedEarly);
                wait(*item);
            } else close(*item, kNobody);
        }
        if (!held.empty()) {
            next = now;
            break;
        }
        at = starts_.erase(at);
    }
    if (next != reactor::TimePoint::max())
        timer_ = reactor_.startTimer(std::chrono::ceil<std::chrono::milliseconds>(next - now), [this] { look(); });
}

void UnknownItems::close(Item& item, std::string_view why) {
    flow_.close(item, {StreamState::closed, DataState::suspect, kNotFound, eta::asBytes(why)});
}

void UnknownItems::wait(Item& item) {
    flow::ItemLife::apply(item, flow::Event::parked);
    flow_.changeState(item,
                      {StreamState::open, DataState::suspect, 0, eta::asBytes("this item has not been published yet")},
                      flow::Tell::everybody);
}

Msg UnknownItems::refresh(const Service& service, const Item& item) {
    Msg m;
    m.cls = MsgClass::Refresh;
    m.domain = item.domain;
    m.flags = RefreshFlag::solicited | RefreshFlag::complete;
    m.groupId = kNoGroup;
    flow::sayQos(m, service.merged.info.qos.empty() ? kRealtimeTickByTick : service.merged.info.qos.front());
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
    if (Item* const still = items_.find(index, generation)) flow::ItemLife::apply(*still, flow::Event::madeHere);
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
