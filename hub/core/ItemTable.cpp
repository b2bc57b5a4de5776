// Stores items in blocks, with an index by key and lists by service.
#include "hub/core/ItemTable.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace emissary::hub {

namespace KeyFlag = eta::codec::KeyFlag;
using eta::codec::MsgKey;

namespace {

constexpr std::size_t kMostKeyBytes = 32768;

[[nodiscard]] std::uint32_t hashOf(std::uint16_t service, std::uint8_t domain, Bytes content) noexcept {
    std::size_t seed = std::size_t{service} << 8 | domain;
    const auto* p = reinterpret_cast<const unsigned char*>(content.data());
    boost::hash_range(seed, p, p + content.size());
    return static_cast<std::uint32_t>(seed ^ seed >> 32);
}

}  // namespace

MsgKey Item::msgKey() const noexcept {
    MsgKey k;
    (void)eta::codec::decodeKey(key(), k);  // we wrote it
    if (service != 0) {
        k.flags |= KeyFlag::serviceId;
        k.serviceId = service;
    }
    return k;
}

std::string Item::name() const {
    return std::string(eta::asText(msgKey().name));
}

eta::codec::State Item::state() const noexcept {
    return {streamState, dataState, code, extras ? eta::asBytes(extras->text) : Bytes{}};
}

ItemTable::~ItemTable() {
    forEach([this](Item& item) {
        unlink(item);  // sources may outlive the table
        delete[] item.mounts;
    });
}

ItemKey ItemTable::keyOf(std::uint16_t service, std::uint8_t domain, const MsgKey& key) {
    ItemKey made{service, domain, {}, 0};
    if (key.name.size() + key.attrib.size() > kMostKeyBytes) return made;
    MsgKey content = key;
    content.flags = static_cast<std::uint16_t>((content.flags & ~KeyFlag::serviceId) | KeyFlag::nameType);
    if (!key.has(KeyFlag::nameType)) content.nameType = 1;
    scratch_.resize(key.name.size() + key.attrib.size() + 32);
    eta::BeWriter out(scratch_);
    eta::codec::encodeKeyContent(out, content);
    made.content = {scratch_.data(), out.size()};
    made.hash = hashOf(service, domain, made.content);
    return made;
}

bool ItemTable::Equal::operator()(const ItemKey& key, std::uint32_t index) const noexcept {
    const Item& item = *const_cast<ItemTable*>(table)->pool_.at(index);
    return item.keyHash == key.hash && item.service == key.service && item.domain == key.domain &&
           std::ranges::equal(item.key(), key.content);
}

Item* ItemTable::find(const ItemKey& key) noexcept {
    if (key.content.empty()) return nullptr;
    const auto at = byKey_.find(key);
    return at == byKey_.end() ? nullptr : pool_.at(*at);
}

Item& ItemTable::create(const ItemKey& key, bool shared) {
    if (byService_.size() <= key.service) byService_.resize(std::size_t{key.service} + 1);
    auto bytes = std::make_unique<std::byte[]>(key.content.size());
    std::ranges::copy(key.content, bytes.get());
    Item* const item = pool_.take();
    const std::uint32_t index = item->index, generation = item->generation;
    std::destroy_at(item);
    std::construct_at(item, shared ? 0u : Item::isPrivate);
    item->index = index;
    item->generation = generation + 1;
    item->keyBytes = std::move(bytes);
    item->keySize = static_cast<std::uint16_t>(key.content.size());
    item->keyHash = key.hash;
    item->service = key.service;
    item->domain = key.domain;
    if (shared) {
        try {
            byKey_.insert(index);
        } catch (...) {
            item->keyBytes.reset();
            pool_.give(item);
            throw;
        }
    }
    link(*item, byService_[key.service].unserved);
    ++size_;
    return *item;
}

void ItemTable::erase(Item& item) noexcept {
    unlink(item);
    if (!item.is(Item::isPrivate)) byKey_.erase(item.index);
    delete[] item.mounts;
    item.mounts = nullptr;
    item.mountCount = item.mountRoom = item.liveCount = item.missedFrom = 0;
    item.keyBytes.reset();
    item.keySize = 0;  // no record in use is without a key
    item.extras.reset();
    ++item.generation;
    pool_.give(&item);
    --size_;
}

// --- lists of sources ------------------------------------------------------------------------------------------------

ItemList* ItemTable::listOf(std::uint16_t service, const Source* source) noexcept {
    if (service >= byService_.size()) return nullptr;
    if (source == nullptr) return &byService_[service].unserved;
    auto& served = const_cast<Source*>(source)->served_;
    const auto at = served.find(service);
    return at == served.end() ? nullptr : &at->second;
}

void ItemTable::link(Item& item, ItemList& list) noexcept {
    item.sourcePrev = list.last;
    item.sourceNext = Item::kNone;
    (list.last != Item::kNone ? pool_.at(list.last)->sourceNext : list.first) = item.index;
    list.last = item.index;
    ++list.size;
}

/// Out of its list; the item has no source then, and stands in none.
void ItemTable::unlink(Item& item) noexcept {
    Source* const source = item.source;
    ItemList& list = *listOf(item.service, source);
    (item.sourcePrev != Item::kNone ? pool_.at(item.sourcePrev)->sourceNext : list.first) = item.sourceNext;
    (item.sourceNext != Item::kNone ? pool_.at(item.sourceNext)->sourcePrev : list.last) = item.sourcePrev;
    item.sourceNext = item.sourcePrev = Item::kNone;
    --list.size;
    if (source == nullptr) return;
    --source->items_;
    if (list.size == 0) std::erase(byService_[item.service].sources, source);
    item.source.at_ = nullptr;
}

void ItemTable::serve(Item& item, Source* source) {
    if (source == nullptr) return leave(item);
    if (item.source == source) return;
    ItemList& list = source->served_[item.service];
    if (list.size == 0) byService_[item.service].sources.push_back(source);
    unlink(item);  // of another list: this one stays where it is
    item.source.at_ = source;
    ++source->items_;
    link(item, list);
}

void ItemTable::leave(Item& item) noexcept {
    if (item.source == nullptr) return;
    unlink(item);
    link(item, byService_[item.service].unserved);
}

void ItemTable::toBack(Item& item) noexcept {
    ItemList& list = *listOf(item.service, item.source);
    if (list.last == item.index) return;
    (item.sourcePrev != Item::kNone ? pool_.at(item.sourcePrev)->sourceNext : list.first) = item.sourceNext;
    pool_.at(item.sourceNext)->sourcePrev = item.sourcePrev;
    --list.size;
    link(item, list);
}

std::uint32_t ItemTable::count(std::uint16_t service, const Source* source) const noexcept {
    const ItemList* const list = const_cast<ItemTable*>(this)->listOf(service, source);
    return list != nullptr ? list->size : 0;
}

Item* ItemTable::first(std::uint16_t service, const Source* source) noexcept {
    const ItemList* const list = listOf(service, source);
    return list == nullptr || list->first == Item::kNone ? nullptr : pool_.at(list->first);
}

Item* ItemTable::anyOf(std::uint16_t service) noexcept {
    if (service >= byService_.size()) return nullptr;
    const OfService& of = byService_[service];
    return first(service, of.sources.empty() ? nullptr : of.sources.back());
}

Item* ItemTable::anyOf(const Source& source) noexcept {
    if (source.items_ == 0) return nullptr;
    for (const auto& [service, list] : source.served_)
        if (list.size != 0) return pool_.at(list.first);
    return nullptr;
}

Item* ItemTable::find(std::uint32_t index, std::uint32_t generation) noexcept {
    Item* const item = pool_.at(index);
    return item != nullptr && item->keyBytes && item->generation == generation ? item : nullptr;
}

void ItemTable::forEach(const std::function<void(Item&)>& f) {
    std::size_t left = size_;
    for (std::uint32_t i = 0; left != 0; ++i) {
        Item* const item = pool_.at(i);
        if (item == nullptr || !item->keyBytes) continue;
        --left;
        f(*item);
    }
}

void ItemTable::trim() noexcept {
    pool_.trim();
    reactor::trimTable(byKey_);
}

}  // namespace emissary::hub
