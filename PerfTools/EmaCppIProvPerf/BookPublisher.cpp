// Gives each open book item its generator, and fills in images and updates.
#include "BookPublisher.h"

namespace emissary::perf {

using namespace refinitiv::ema::access;

void BookPublisher::open(std::uint64_t client, std::uint64_t handle, Domain domain, std::string_view name) {
    const auto content = domain == Domain::marketByOrder ? BookItem::Content::orders : BookItem::Content::pricePoints;
    items_[handle] = std::make_unique<Item>(client, name, content, orders_);
}

void BookPublisher::fill(RefreshMsg& image, std::uint64_t handle, Domain domain) {
    Item& item = *items_.at(handle);
    item.pending = nullptr;  // the update that waited to be sent is in the image
    const Map& orders = item.book.image();
    image.clear().domainType(static_cast<UInt16>(domain)).solicited(true).complete(true).clearCache(true).qos();
    image.seqNum(item.book.sequence()).payload(orders);
}

const Map& BookPublisher::next(std::uint64_t handle) {
    Item& item = *items_.at(handle);
    // A step changes the book once and for all. An update without an output buffer is offered again, not drawn anew.
    if (item.pending == nullptr) item.pending = &item.book.next();
    return *item.pending;
}

void BookPublisher::sent(std::uint64_t handle) {
    if (const auto found = items_.find(handle); found != items_.end()) found->second->pending = nullptr;
}

std::uint32_t BookPublisher::sequence(std::uint64_t handle) const {
    return items_.at(handle)->book.sequence();
}

void BookPublisher::forget(std::uint64_t client) {
    erase_if(items_, [client](const auto& entry) { return entry.second->client == client; });
}

}  // namespace emissary::perf
