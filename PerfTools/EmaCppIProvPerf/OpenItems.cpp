// Keeps a queue of images that are due and a list of open items for each connection.
#include "OpenItems.h"

#include <algorithm>
#include <functional>

namespace emissary::perf {

namespace {

constexpr std::size_t kKeptPlaces = 4096;
// 16 bits of the word belong to other members of OpenItem.
constexpr std::uint64_t kHashBits = (std::uint64_t{1} << 48) - 1;  // of OpenItem::nameHash

[[nodiscard]] std::uint64_t hashOf(std::string_view name) {
    return std::hash<std::string_view>{}(name)&kHashBits;
}

}  // namespace

Connection& OpenItems::connectionOf(std::uint64_t client) {
    for (const auto& connection : connections_)
        if (connection->client == client) return *connection;
    auto fresh = std::make_unique<Connection>();
    fresh->client = client;
    const auto free = std::find(byNumber_.begin(), byNumber_.end(), nullptr);
    // A free number is used again: places_ name connections by number, and numbers of connections that left must not
    // pile up.
    fresh->number = static_cast<std::uint32_t>(free - byNumber_.begin());
    if (free != byNumber_.end()) *free = fresh.get();
    else byNumber_.push_back(fresh.get());
    connections_.push_back(std::move(fresh));
    return *connections_.back();
}

void ImageQueue::push(const WaitingItem& item, std::string_view name) {
    items_.push_back(item);
    names_.append(name);
}

void ImageQueue::pop() {
    namesBegin_ += items_.front().nameLength;
    items_.pop_front();
    if (!items_.empty()) return;
    names_.clear();
    namesBegin_ = 0;
    constexpr std::size_t kKeptBytes = 65536;
    if (names_.capacity() > kKeptBytes) names_.shrink_to_fit();
}

void OpenItems::want(std::uint64_t client, WaitingItem item, std::string_view name) {
    item.nameLength = static_cast<std::uint32_t>(name.size());
    item.ticket = nextTicket_;
    // The highest bit says "waiting", so tickets wrap below it.
    nextTicket_ = (nextTicket_ + 1) & ~kWaiting;
    Connection* connection = nullptr;
    if (item.again) {
        const auto it = places_.find(item.handle);
        if (it == places_.end() || (it->second.slot & kWaiting) != 0) return;  // closed, or its image is under way
        connection = &connectionOf(it->second);
    } else {
        close(item.handle);  // in case the end of an earlier stream with this handle was not reported
        connection = &connectionOf(client);
        ++connection->waiting;
        places_[item.handle] = {connection->number, item.ticket | kWaiting};
    }
    connection->images.push(item, name);
    ++queued_;
}

// A close does not search the queue: entries whose place is gone or newer are dropped when they reach the front.
bool OpenItems::isStale(const WaitingItem& item) const {
    const auto it = places_.find(item.handle);
    if (it == places_.end()) return true;
    const bool isWaiting = (it->second.slot & kWaiting) != 0;
    return item.again ? isWaiting : !isWaiting || it->second.slot != (item.ticket | kWaiting);
}

void OpenItems::dropStale(Connection& connection) {
    while (!connection.images.empty() && isStale(connection.images.front()))
        pop(connection);
}

void OpenItems::pop(Connection& connection) {
    connection.images.pop();
    --queued_;
}

void OpenItems::erase(std::vector<std::unique_ptr<Connection>>::iterator at) {
    if (at == connections_.end()) return;
    // Entries that have gone stale leave the count with the whole queue.
    queued_ -= (*at)->images.size();
    if (current_ == at->get()) current_ = nullptr;
    byNumber_[(*at)->number] = nullptr;
    connections_.erase(at);
}

bool OpenItems::front(WaitingItem& item, std::string_view& name) {
    if (current_ == nullptr) return false;
    dropStale(*current_);
    if (current_->images.empty()) return false;
    item = current_->images.front();
    name = current_->images.frontName();
    return true;
}

void OpenItems::imageSent() {
    Connection& connection = *current_;
    const WaitingItem item = connection.images.front();
    const std::uint64_t hash = hashOf(connection.images.frontName());
    pop(connection);
    if (item.again) return;
    --connection.waiting;
    const auto it = places_.find(item.handle);
    if (!item.streaming) {
        places_.erase(it);
        return forgetIfEmpty(connection);
    }
    it->second.slot = static_cast<std::uint32_t>(connection.items.size());
    OpenItem& open = connection.items.emplace_back();
    open.handle = item.handle;
    open.nameHash = hash & kHashBits;
    open.domain = item.domain;
    open.takesGenerics = item.takesGenerics;
    if (item.takesGenerics) connection.genericItems.push_back({item.handle, item.domain});
}

void OpenItems::dropFront() {
    const WaitingItem item = current_->images.front();
    pop(*current_);
    if (!item.again) close(item.handle);
}

void OpenItems::removeOpen(Connection& connection, std::uint32_t slot) {
    OpenItem& item = connection.items[slot];
    if (item.takesGenerics)
        // The position of a removed item is filled with the last one, so a close costs the same for any number of
        // items.
        std::erase_if(connection.genericItems, [&](const GenericItem& g) { return g.handle == item.handle; });
    if (slot + 1 != connection.items.size()) {
        item = connection.items.back();
        places_.find(item.handle)->second.slot = slot;
    }
    connection.items.pop_back();
    // A quarter and not a half: a table that swings around one size must not be copied again and again.
    if (connection.items.capacity() > kKeptPlaces && connection.items.size() < connection.items.capacity() / 4)
        connection.items.shrink_to_fit();
}

void OpenItems::forgetIfEmpty(Connection& connection) {
    if (!connection.items.empty() || connection.waiting != 0) return;
    erase(
        std::find_if(connections_.begin(), connections_.end(), [&](const auto& c) { return c.get() == &connection; }));
}

void OpenItems::close(std::uint64_t handle) {
    numbers_.forget(handle);
    const auto it = places_.find(handle);
    if (it == places_.end()) return;
    const Place place = it->second;
    places_.erase(it);
    Connection& connection = connectionOf(place);
    if ((place.slot & kWaiting) == 0) removeOpen(connection, place.slot);
    else --connection.waiting;
    forgetIfEmpty(connection);
    shrink();
}

/// Gives memory back, so that a provider that runs for days does not keep the largest table it ever had.
void OpenItems::shrink() {
    if (places_.bucket_count() > kKeptPlaces && places_.size() < places_.bucket_count() / 8) places_.rehash(0);
}

void OpenItems::forget(std::uint64_t client) {
    const auto at = std::find_if(connections_.begin(), connections_.end(),
                                 [&](const auto& connection) { return connection->client == client; });
    if (at == connections_.end()) return;
    const Connection& gone = **at;
    for (const OpenItem& item : gone.items) {
        places_.erase(item.handle);
        numbers_.forget(item.handle);
    }
    // Open items know their handles. Waiting ones are only known by places_, which is walked when there are some.
    if (gone.waiting != 0) erase_if(places_, [&](const auto& place) { return place.second.connection == gone.number; });
    erase(at);
    shrink();
}

std::size_t OpenItems::sizeOf(std::uint64_t client) const noexcept {
    for (const auto& connection : connections_)
        if (connection->client == client) return connection->items.size() + connection->waiting;
    return 0;
}

void OpenItems::updatesSent(std::uint64_t client, std::uint64_t bytes) noexcept {
    for (const auto& connection : connections_)
        if (connection->client == client) connection->share.add(bytes);
}

const OpenItem* OpenItems::find(std::uint64_t client, std::string_view name) const {
    const std::uint64_t hash = hashOf(name);
    for (const auto& connection : connections_) {
        if (connection->client != client) continue;
        for (const OpenItem& item : connection->items)
            if (item.nameHash == hash) return &item;
    }
    return nullptr;
}

}  // namespace emissary::perf
