// What the application publishes.
#include "niprovider/NiProviderRoleImpl.h"
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

/// A key that is sent names the item's service.
PublishFault NiProviderRole::Impl::fillKey(const Item& item, Msg& m) const noexcept {
    if (!m.hasKey()) return PublishFault::none;
    if (!m.key.has(KeyFlag::serviceId)) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = item.serviceId;
    } else if (m.key.serviceId != item.serviceId) {
        return directory.services().find(m.key.serviceId) == nullptr ? PublishFault::unknownService
                                                                     : PublishFault::otherService;
    }
    return PublishFault::none;
}

/// The first message of a handle.
PublishFault NiProviderRole::Impl::open(std::uint64_t handle, Msg& m, std::uint32_t& slot) {
    if (m.cls == MsgClass::Generic) return PublishFault::unknownHandle;
    if (m.cls == MsgClass::Update && options.refreshFirstRequired) return PublishFault::refreshFirst;
    if (!m.hasKey() || !m.key.has(KeyFlag::serviceId)) return PublishFault::noService;
    if (directory.services().find(m.key.serviceId) == nullptr) return PublishFault::unknownService;
    slot = items.add(handle, m.domain, m.key.serviceId);
    return slot == ItemTable::kNone ? PublishFault::tooManyItems : PublishFault::none;
}

PublishResult NiProviderRole::Impl::check(std::uint64_t handle, Msg& m, std::uint32_t& slot, bool& opened) {
    if (!online) [[unlikely]]
        return fault(PublishFault::noChannel);
    if (requests.find(handle) != nullptr) [[unlikely]]
        return fault(PublishFault::registeredHandle);
    const bool published = m.cls == MsgClass::Update || m.cls == MsgClass::Refresh || m.cls == MsgClass::Status;
    if (!published && m.cls != MsgClass::Generic) return fault(PublishFault::notAllowed);
    slot = items.find(handle);
    const std::uint8_t domain = slot != ItemTable::kNone ? items[slot].domain : m.domain;
    if (published && (domain == rdm::kLoginDomain || domain == rdm::kDirectoryDomain))
        return fault(PublishFault::notAllowed);  // directories have a way of their own
    if (m.cls == MsgClass::Refresh) {
        if (domain == rdm::kDictionaryDomain && m.containerType != DataType::Series)
            return fault(PublishFault::badDictionary);
        m.flags &= static_cast<std::uint16_t>(~RefreshFlag::solicited);
    }
    if (slot == ItemTable::kNone) [[unlikely]] {
        if (const PublishFault f = open(handle, m, slot); f != PublishFault::none) return fault(f);
        opened = true;
        m.streamId = ItemTable::streamOf(slot);
        return {};
    }
    const Item& item = items[slot];
    m.streamId = ItemTable::streamOf(slot);
    if (m.cls == MsgClass::Generic) return {};
    if (m.cls == MsgClass::Update && item.refreshedOn != connection && options.refreshFirstRequired) [[unlikely]]
        return fault(PublishFault::refreshFirst);
    m.domain = item.domain;
    if (const PublishFault f = fillKey(item, m); f != PublishFault::none) [[unlikely]]
        return fault(f);
    return {};
}

/// The message is on its way: what it says about the stream takes effect.
void NiProviderRole::Impl::sent(std::uint32_t slot, const Msg& m) {
    if (rdm::endsStream(m)) {
        items.remove(slot);
        reactor.noteFreed(0);
        return;
    }
    if (m.cls == MsgClass::Refresh) items[slot].refreshedOn = connection;
}

PublishResult NiProviderRole::Impl::submitDirectory(std::uint64_t handle, Msg& m) {
    if (!online) return fault(PublishFault::noChannel);
    if (requests.find(handle) != nullptr) return fault(PublishFault::registeredHandle);
    std::uint32_t slot = ItemTable::kNone;
    const PublishResult result = directory.submit(handle, m, connection, slot);
    if (!result.ok() || slot == ItemTable::kNone) return result;
    sent(slot, m);
    if (rdm::endsStream(m)) directory.ended(handle);
    return {};
}

PublishResult NiProviderRole::submit(std::uint64_t handle, Msg& m) {
    Impl& i = *impl_;
    if (m.domain == rdm::kDirectoryDomain &&
        (m.cls == MsgClass::Refresh || m.cls == MsgClass::Update || m.cls == MsgClass::Status)) [[unlikely]] {
        const std::uint32_t slot = i.items.find(handle);
        if (slot == ItemTable::kNone || i.items[slot].domain == rdm::kDirectoryDomain)
            return i.submitDirectory(handle, m);
    }
    std::uint32_t slot = 0;
    bool opened = false;
    if (const PublishResult checked = i.check(handle, m, slot, opened); !checked.ok()) [[unlikely]]
        return checked;
    const Error e = i.sender.trySend(m);
    if (!e.ok()) [[unlikely]] {
        if (opened) i.items.remove(slot);  // the server does not know it: the next message is its first
        return outcomeOf(e);
    }
    if (m.cls != MsgClass::Update) i.sent(slot, m);
    return {};
}

PublishResult NiProviderRole::prepare(std::uint64_t handle, Msg& m) {
    std::uint32_t slot = 0;
    bool opened = false;
    return impl_->check(handle, m, slot, opened);
}

void NiProviderRole::prepared(std::uint64_t handle, const Msg& m) {
    if (const std::uint32_t slot = impl_->items.find(handle); slot != ItemTable::kNone) impl_->sent(slot, m);
}

PublishResult NiProviderRole::submitPacked(std::uint64_t number, Bytes body, std::uint32_t messages) noexcept {
    Impl& i = *impl_;
    if (!i.online || number != i.connection) return Impl::fault(PublishFault::noChannel);
    if (!i.sender.idle()) return Impl::fault(PublishFault::noBuffers);
    return outcomeOf(i.sender.link()->sendPacked(body, messages));
}

}  // namespace emissary::reactor::niprovider
