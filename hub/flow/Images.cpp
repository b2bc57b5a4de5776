// Applies payloads to images, and sends refreshes that are made from them.
#include "hub/flow/Images.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace emissary::hub::flow {

using namespace eta::codec;
using cache::Applied;

// Stores are made when they are needed, by service id, and stay for the life of the hub.
cache::ImageStore& Images::store(std::uint16_t service) {
    if (stores_.size() <= service) stores_.resize(std::size_t{service} + 1);
    auto& store = stores_[service];
    if (!store) {
        cache::StoreOptions options;
        if (const Service* const s = rooms_.services.find(service)) {
            options.addUnknownFields = s->policy.addUnknownFields;
            options.maxBytes = s->policy.maxBytes;
        }
        store = std::make_unique<cache::ImageStore>(options);
        store->setDictionary(dictionary_);
    }
    return *store;
}

void Images::setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
    // The stores need the dictionary too, since field types decide how values are stored and which fields ripple.
    dictionary_ = std::move(dictionary);
    for (const auto& store : stores_)
        if (store) store->setDictionary(dictionary_);
}

Applied Images::apply(Item& item, const Msg& msg, bool replace) {
    return store(item.service).apply(item.image.value_, msg, replace);
}

void Images::drop(Item& item) noexcept {
    if (item.image != 0) stores_[item.service]->drop(item.image.value_);
}

void Images::abandonParts(Item& item) noexcept {
    if (item.image != 0) stores_[item.service]->abandonParts(item.image.value_);
}

// complete: no part is missing; current: no update was left out.
bool Images::usable(const Item& item) noexcept {
    return item.image != 0 && stores_[item.service]->complete(item.image) && stores_[item.service]->current(item.image);
}

bool Images::heals(const Item& item, const Msg& msg) const noexcept {
    return item.image != 0 && stores_[item.service]->heals(item.image, msg);
}

bool Images::incomplete(const Item& item) noexcept {
    return item.image != 0 && !stores_[item.service]->complete(item.image);
}

template <class Out>
void Images::write(Item& item, bool solicited, bool streaming, Out&& out) {
    const cache::ImageStore& images = *stores_[item.service];
    Msg& m = headers_.refresh(item, solicited);
    m.containerType = images.containerType(item.image);
    if (!streaming) m.state.stream = StreamState::nonStreaming;
    // An image that cannot be encoded must not leave the mount without an answer, so it gets a refresh without data.
    const auto failed = [&] {
        m.payload = {};
        m.containerType = DataType::NoData;
        m.state = {streaming ? StreamState::open : StreamState::nonStreaming, DataState::suspect, 28,
                   eta::asBytes("the image is too large for a message")};
        out(m);
    };
    if (!images.inParts(item.image, partBytes_)) {
        if (!images.write(item.image, payload_.start()).ok()) return failed();
        m.payload = payload_.view();
        // Images are what costs the turn most, so each one is paid by its bytes.
        rooms_.out.work().spend(m.payload.size());
        return out(m);
    }
    m.flags |= RefreshFlag::partNum;
    const std::uint16_t flags = m.flags;
    // Every part carries its number; only the first one clears, only the last one is complete (hub.md 5.2).
    for (cache::PartCursor at; !at.last;) {
        m.partNum = at.partNum;
        if (!images.writePart(item.image, payload_.start(), partBytes_, at).ok()) return failed();
        m.flags = flags;
        if (!at.last) m.flags &= static_cast<std::uint16_t>(~RefreshFlag::complete);
        if (m.partNum != 0) m.flags &= static_cast<std::uint16_t>(~RefreshFlag::clearCache);
        m.payload = payload_.view();
        rooms_.out.work().spend(m.payload.size());
        out(m);
    }
}

// The image is encoded once and goes to all mounts of `to`.
void Images::send(Item& item, To to) {
    write(item, to == To::waiting, true, [&](const Msg& m) { rooms_.out.send(item, m, to); });
}

void Images::send(Item& item, const Mount& mount, bool solicited, bool streaming) {
    write(item, solicited, streaming, [&](const Msg& m) { rooms_.out.send(item, mount, m); });
}

void Images::sendWaiting(Item& item, bool streams) {
    // Up to four kinds of refresh: solicited or not, for streams and for snapshots. Each is encoded once for all mounts
    // that want it.
    for (const std::uint16_t kind :
         std::initializer_list<std::uint16_t>{0, Mount::unasked, Mount::snapshot, Mount::snapshot | Mount::unasked}) {
        const bool snapshots = (kind & Mount::snapshot) != 0;
        // With a snapshot upstream, streams go on waiting: a request for a stream follows.
        if (!snapshots && !streams) continue;
        const auto wanted = [kind](const Mount& mount) {
            return mount.is(Mount::waiting) && (mount.flags & (Mount::snapshot | Mount::unasked)) == kind;
        };
        if (std::none_of(item.mounts, item.mounts + item.mountCount, wanted)) continue;
        write(item, (kind & Mount::unasked) == 0, !snapshots, [&](const Msg& m) {
            bool again = false;
            for (std::uint32_t at = item.mountCount; at-- > 0;) {
                if (!wanted(item.mounts[at])) continue;
                // sendToo() repeats the message of the last send() for a further mount, without encoding it again.
                if (std::exchange(again, true)) rooms_.out.sendToo(item, item.mounts[at], m);
                else rooms_.out.send(item, item.mounts[at], m);
            }
        });
    }
}

}  // namespace emissary::hub::flow
