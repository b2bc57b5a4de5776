// Checks and sends the application's messages, gives items their wire streams, and prepares templates.
#include "niprovider/Publishing.h"

#include "reactor/rdm/stream_state.h"

namespace emissary::reactor::niprovider {

using namespace eta::codec;

PublishResult outcomeOf(Error e) noexcept {
    if (e.ok()) [[likely]]
        return {};
    if (e.code == Errc::noBuffers) return {PublishFault::noBuffers, e};
    if (e.code == Errc::closed) return {PublishFault::noChannel, e};
    return {PublishFault::encoding, e};
}

namespace {

[[nodiscard]] PublishResult fault(PublishFault f, Error e = {}) noexcept {
    return {f, e};
}

}  // namespace

void Publishing::online() {
    directory_.publish(connection_);
    online_ = true;
}

/// A key that is sent names the item's service.
PublishFault Publishing::fillKey(std::uint16_t serviceId, Msg& m) const noexcept {
    if (!m.hasKey()) return PublishFault::none;
    if (!m.key.has(KeyFlag::serviceId)) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = serviceId;
    } else if (m.key.serviceId != serviceId) {
        return directory_.services().find(m.key.serviceId) == nullptr ? PublishFault::unknownService
                                                                      : PublishFault::otherService;
    }
    return PublishFault::none;
}

/// The first message of a handle.
PublishFault Publishing::checkFirst(const Msg& m) const noexcept {
    if (m.cls == MsgClass::Generic) return PublishFault::unknownHandle;
    if (m.cls == MsgClass::Update && options_.refreshFirstRequired) return PublishFault::refreshFirst;
    if (!m.hasKey() || !m.key.has(KeyFlag::serviceId)) return PublishFault::noService;
    if (directory_.services().find(m.key.serviceId) == nullptr) return PublishFault::unknownService;
    return PublishFault::none;
}

PublishResult Publishing::check(std::uint64_t handle, Msg& m, std::uint32_t& slot, PackedEffect& effect) {
    if (!online_) [[unlikely]]
        return fault(PublishFault::noChannel);
    if (requests_.find(handle) != nullptr) [[unlikely]]
        return fault(PublishFault::registeredHandle);
    const bool published = m.cls == MsgClass::Update || m.cls == MsgClass::Refresh || m.cls == MsgClass::Status;
    if (!published && m.cls != MsgClass::Generic) return fault(PublishFault::notAllowed);
    if (effect.ended) [[unlikely]]
        return fault(PublishFault::endsInPack);
    slot = items_.find(handle);
    const bool known = slot != OwnItems::kNone, begins = !known && !effect.opened;
    const std::uint8_t domain = known ? items_[slot].domain : begins ? m.domain : effect.domain;
    if (published && (domain == rdm::kLoginDomain || domain == rdm::kDirectoryDomain))
        return fault(PublishFault::notAllowed);  // directories have a way of their own
    if (m.cls == MsgClass::Refresh) {
        if (domain == rdm::kDictionaryDomain && m.containerType != DataType::Series)
            return fault(PublishFault::badDictionary);
        m.flags &= static_cast<std::uint16_t>(~RefreshFlag::solicited);
    }
    m.streamId = known ? OwnItems::streamOf(slot) : 0;  // of an item that begins: once it is sent
    if (begins) [[unlikely]] {
        if (const PublishFault f = checkFirst(m); f != PublishFault::none) return fault(f);
        effect.opened = true;
        effect.domain = m.domain;
        effect.serviceId = m.key.serviceId;
        return {};
    }
    if (m.cls == MsgClass::Generic) return {};
    const bool refreshed = effect.refreshed || (known && items_[slot].refreshedOn == connection_);
    if (m.cls == MsgClass::Update && !refreshed && options_.refreshFirstRequired) [[unlikely]]
        return fault(PublishFault::refreshFirst);
    m.domain = domain;
    if (const PublishFault f = fillKey(known ? items_[slot].serviceId : effect.serviceId, m); f != PublishFault::none)
        [[unlikely]]
        return fault(f);
    return {};
}

/// The message is on its way: what it says about the stream takes effect.
void Publishing::sent(std::uint32_t slot, const Msg& m) {
    if (rdm::endsStream(m)) {
        items_.remove(slot);
        reactor_.noteFreed(0);
        return;
    }
    if (m.cls == MsgClass::Refresh) items_[slot].refreshedOn = connection_;
}

PublishResult Publishing::submitDirectory(std::uint64_t handle, Msg& m) {
    if (!online_) return fault(PublishFault::noChannel);
    if (requests_.find(handle) != nullptr) return fault(PublishFault::registeredHandle);
    std::uint32_t slot = OwnItems::kNone;
    const PublishResult result = directory_.submit(handle, m, connection_, slot);
    if (!result.ok() || slot == OwnItems::kNone) return result;
    sent(slot, m);
    if (rdm::endsStream(m)) directory_.ended(handle);
    return {};
}

PublishResult Publishing::submit(std::uint64_t handle, Msg& m) {
    if (m.domain == rdm::kDirectoryDomain &&
        (m.cls == MsgClass::Refresh || m.cls == MsgClass::Update || m.cls == MsgClass::Status)) [[unlikely]] {
        const std::uint32_t slot = items_.find(handle);
        if (slot == OwnItems::kNone || items_[slot].domain == rdm::kDirectoryDomain) return submitDirectory(handle, m);
    }
    std::uint32_t slot = 0;
    PackedEffect effect;
    if (const PublishResult checked = check(handle, m, slot, effect); !checked.ok()) [[unlikely]]
        return checked;
    if (effect.opened) [[unlikely]] {
        slot = items_.add(handle, effect.domain, effect.serviceId);
        if (slot == OwnItems::kNone) return fault(PublishFault::tooManyItems);
        m.streamId = OwnItems::streamOf(slot);
    }
    const Error e = sender_.trySend(m);
    if (!e.ok()) [[unlikely]] {
        if (effect.opened) items_.undo(slot);  // the server does not know it: the next message is its first
        return outcomeOf(e);
    }
    if (m.cls != MsgClass::Update) sent(slot, m);
    return {};
}

PublishResult Publishing::prepare(std::uint64_t handle, Msg& m, PackedEffect& effect) {
    std::uint32_t slot = 0;
    PackedEffect with = effect;
    if (const PublishResult checked = check(handle, m, slot, with); !checked.ok()) return checked;
    with.refreshed = with.refreshed || m.cls == MsgClass::Refresh;
    with.ended = rdm::endsStream(m);
    effect = with;
    return {};
}

PublishFault Publishing::openPacked(std::span<std::byte> body, std::span<const PackedMessage> changes,
                                    std::vector<std::uint32_t>& opened) {
    constexpr std::size_t kStreamId = 4;  // place in a message (rwf.md 3)
    for (const PackedMessage& change : changes) {
        if (!change.effect.opened) continue;
        std::uint32_t slot = items_.find(change.handle);
        if (slot == OwnItems::kNone) {
            slot = items_.add(change.handle, change.effect.domain, change.effect.serviceId);
            if (slot == OwnItems::kNone) return PublishFault::tooManyItems;
            opened.push_back(slot);
        }
        eta::storeBe(body.data() + change.offset + kStreamId, static_cast<std::uint32_t>(OwnItems::streamOf(slot)));
    }
    return PublishFault::none;
}

PublishResult Publishing::submitPacked(std::uint64_t number, std::span<std::byte> body, std::uint32_t messages,
                                       std::span<const PackedMessage> changes) {
    if (!online_ || number != connection_) return fault(PublishFault::noChannel);
    if (!sender_.idle()) return fault(PublishFault::noBuffers);
    std::vector<std::uint32_t> opened;
    PublishResult result = fault(openPacked(body, changes, opened));
    if (result.ok()) result = outcomeOf(sender_.link()->sendPacked(body, messages));
    if (!result.ok()) {
        for (; !opened.empty(); opened.pop_back())
            items_.undo(opened.back());  // the server does not know them
        return result;
    }
    for (const PackedMessage& change : changes) {
        const std::uint32_t slot = items_.find(change.handle);
        Msg m;
        if (slot != OwnItems::kNone && decodeMsg(Bytes(body).subspan(change.offset, change.size), m).ok())
            sent(slot, m);
    }
    return {};
}

}  // namespace emissary::reactor::niprovider
