// Stores the records of items, and delivers statuses that the router makes.
#include "routing/RoutedItems.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::routing {

using namespace eta::codec;

namespace {
constexpr std::size_t kHeapBytes = 96;  // about what an item has there: its request, for the next session
}

RoutedItems::RoutedItems(Reactor& reactor, RequestTable& requests) noexcept : reactor_(reactor), requests_(requests) {
    requests_.observe(this);
}

RoutedItems::~RoutedItems() {
    requests_.observe(nullptr);
}

Item* RoutedItems::find(Handle handle) noexcept {
    const Request* r = requests_.find(handle);
    return r != nullptr && r->index < byRequest_.size() ? byRequest_[r->index] : nullptr;
}

Item& RoutedItems::add(const Msg& m, Wanted* w, const Subscriber& subscriber) {
    Request& r = requests_.add(Request::Kind::item, subscriber);
    r.appStreamId = requests_.nextAppStreamId();
    r.hasExtras = subscriber.parent != 0;
    Item& item = *pool_.take();
    const std::uint32_t index = item.index;
    item = {};
    item.index = index;
    item.request = &r;
    item.wanted = w;
    item.domain = m.domain;
    item.isPrivate = m.has(RequestFlag::privateStream);
    item.paused = m.has(RequestFlag::pause);
    if (r.index >= byRequest_.size()) byRequest_.resize(std::max<std::size_t>(r.index + 1, byRequest_.size() * 2));
    byRequest_[r.index] = &item;
    return item;
}

void RoutedItems::store(Item& item, const Msg& msg) {
    Msg m = msg;
    m.streamId = eta::codec::kLoginStream;
    if (!encodeMsg(buffer_.start(), m).ok()) return;
    item.bytes.assign(buffer_.view().begin(), buffer_.view().end());
}

void RoutedItems::release(Item& item, bool keepRequest) {
    Request& r = *item.request;
    byRequest_[r.index] = nullptr;
    item.request = nullptr;
    item.bytes = {};
    pool_.give(&item);
    reactor_.noteFreed(kHeapBytes);
    if (!keepRequest) requests_.release(r);
}

void RoutedItems::refuse(Item& item, std::uint8_t stream, std::uint8_t code, std::string text) {
    if (item.wanted != nullptr && item.wanted->holds(item)) item.wanted->unpark(item);
    item.request->kind = Request::Kind::refused;
    tell(item, stream, code, std::move(text), true);
    release(item, true);
}

void RoutedItems::tell(Item& item, std::uint8_t stream, std::uint8_t code, std::string text, bool ends) {
    Msg m;
    if (!decodeMsg(Bytes(item.bytes), m).ok()) return;
    RequestTable::Notice n;
    n.handle = item.request->handle();
    n.state = {stream, DataState::suspect, code, {}};
    n.text = std::move(text);
    n.domain = m.domain;
    n.hasName = m.key.has(KeyFlag::name);
    if (n.hasName) n.name.assign(eta::asText(m.key.name));
    if (m.key.has(KeyFlag::nameType)) n.nameType = m.key.nameType;
    n.isPrivate = item.isPrivate;
    n.ends = ends;
    const Wanted* w = item.wanted;
    const MergedService* s = item.service != nullptr                ? item.service
                             : w != nullptr && !w->services.empty() ? w->services.front()
                                                                    : nullptr;
    if (s != nullptr) {
        n.serviceName = s->name;
        n.serviceId = s->id;
    } else if (w != nullptr && w->names.size() == 1) {
        n.serviceName = w->names.front();
    } else if (w != nullptr && w->names.empty()) {
        n.serviceId = w->id;
    }
    requests_.later(std::move(n));
}

/// A batch ends with its last item.
void RoutedItems::onRelease(const Request& r) {
    if (r.parent == 0) return;
    const auto it = batches_.find(r.parent);
    if (it == batches_.end() || --it->second != 0) return;
    batches_.erase(it);
    if (Request* batch = requests_.find(r.parent)) requests_.release(*batch);
}

void RoutedItems::pauseAll(bool paused) noexcept {
    forEach([&](Item& item) {
        if (item.domain != rdm::kDictionaryDomain) item.paused = paused;
    });
}

void RoutedItems::trim() noexcept {
    pool_.trim();
    trimTable(batches_);
    discardNulls(std::span(byRequest_));
    trimBuffer(buffer_);
}

}  // namespace emissary::reactor::routing
