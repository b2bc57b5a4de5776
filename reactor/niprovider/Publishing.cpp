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
PublishFault Publishing::fillKey(const Item& item, Msg& m) const noexcept {
    if (!m.hasKey()) return PublishFault::none;
    if (!m.key.has(KeyFlag::serviceId)) {
        m.key.flags |= KeyFlag::serviceId;
        m.key.serviceId = item.serviceId;
    } else if (m.key.serviceId != item.serviceId) {
        return directory_.services().find(m.key.serviceId) == nullptr ? PublishFault::unknownService
                                                                      : PublishFault::otherService;
    }
    return PublishFault::none;
}

/// The first message of a handle.
PublishFault Publishing::open(std::uint64_t handle, Msg& m, std::uint32_t& slot) {
    if (m.cls == MsgClass::Generic) return PublishFault::unknownHandle;
    if (m.cls == MsgClass::Update && options_.refreshFirstRequired) return PublishFault::refreshFirst;
    if (!m.hasKey() || !m.key.has(KeyFlag::serviceId)) return PublishFault::noService;
    if (directory_.services().find(m.key.serviceId) == nullptr) return PublishFault::unknownService;
    slot = items_.add(handle, m.domain, m.key.serviceId);
    return slot == OwnItems::kNone ? PublishFault::tooManyItems : PublishFault::none;
}

PublishResult Publishing::check(std::uint64_t handle, Msg& m, std::uint32_t& slot, bool& opened) {
    if (!online_) [[unlikely]]
        return fault(PublishFault::noChannel);
    if (requests_.find(handle) != nullptr) [[unlikely]]
        return fault(PublishFault::registeredHandle);
    const bool published = m.cls == MsgClass::Update || m.cls == MsgClass::Refresh || m.cls == MsgClass::Status;
    if (!published && m.cls != MsgClass::Generic) return fault(PublishFault::notAllowed);
    slot = items_.find(handle);
    const std::uint8_t domain = slot != OwnItems::kNone ? items_[slot].domain : m.domain;
    if (published && (domain == rdm::kLoginDomain || domain == rdm::kDirectoryDomain))
        return fault(PublishFault::notAllowed);  // directories have a way of their own
    if (m.cls == MsgClass::Refresh) {
        if (domain == rdm::kDictionaryDomain && m.containerType != DataType::Series)
            return fault(PublishFault::badDictionary);
        m.flags &= static_cast<std::uint16_t>(~RefreshFlag::solicited);
    }
    if (slot == OwnItems::kNone) [[unlikely]] {
        if (const PublishFault f = open(handle, m, slot); f != PublishFault::none) return fault(f);
        opened = true;
        m.streamId = OwnItems::streamOf(slot);
        return {};
    }
    const Item& item = items_[slot];
    m.streamId = OwnItems::streamOf(slot);
    if (m.cls == MsgClass::Generic) return {};
    if (m.cls == MsgClass::Update && item.refreshedOn != connection_ && options_.refreshFirstRequired) [[unlikely]]
        return fault(PublishFault::refreshFirst);
    m.domain = item.domain;
    if (const PublishFault f = fillKey(item, m); f != PublishFault::none) [[unlikely]]
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
    bool opened = false;
    if (const PublishResult checked = check(handle, m, slot, opened); !checked.ok()) [[unlikely]]
        return checked;
    const Error e = sender_.trySend(m);
    if (!e.ok()) [[unlikely]] {
        if (opened) items_.remove(slot);  // the server does not know it: the next message is its first
        return outcomeOf(e);
    }
    if (m.cls != MsgClass::Update) sent(slot, m);
    return {};
}

PublishResult Publishing::prepare(std::uint64_t handle, Msg& m) {
    std::uint32_t slot = 0;
    bool opened = false;
    return check(handle, m, slot, opened);
}

void Publishing::prepared(std::uint64_t handle, const Msg& m) {
    if (const std::uint32_t slot = items_.find(handle); slot != OwnItems::kNone) sent(slot, m);
}

PublishResult Publishing::submitPacked(std::uint64_t number, Bytes body, std::uint32_t messages) noexcept {
    if (!online_ || number != connection_) return fault(PublishFault::noChannel);
    if (!sender_.idle()) return fault(PublishFault::noBuffers);
    return outcomeOf(sender_.link()->sendPacked(body, messages));
}

}  // namespace emissary::reactor::niprovider
