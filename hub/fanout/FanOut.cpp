#include "hub/fanout/FanOut.h"

#include <algorithm>

namespace emissary::hub::fanout {

using namespace eta::codec;

namespace {

constexpr std::size_t kStreamIdAt = 4;  // in every message (rwf.md 4.1)

[[nodiscard]] std::size_t variantOf(std::uint16_t mountFlags) noexcept {
    return (mountFlags & Mount::keyInUpdates ? 1u : 0u) | (mountFlags & Mount::confInfo ? 2u : 0u);
}

[[nodiscard]] bool typeWanted(const Client& client, std::uint8_t type) noexcept {
    return type > 63 || (client.updateTypes >> type & 1) != 0;
}

}  // namespace

std::span<std::byte> FanOut::variant(const Item& item, const Msg& msg, std::uint16_t flags) {
    const std::size_t which = msg.cls == MsgClass::Update ? variantOf(flags) : 0;
    std::vector<std::byte>& room = bytes_[which];
    if (variants_[which].made) return room;
    variants_[which].made = true;
    std::uint16_t taken = 0;
    if (msg.cls == MsgClass::Update) {
        if ((which & 1) == 0) taken |= UpdateFlag::msgKey;
        if ((which & 2) == 0) taken |= UpdateFlag::confInfo;
    }
    const bool keyStays = msg.hasKey() && (taken & UpdateFlag::msgKey) == 0;
    if (!msg.raw.empty() && (msg.flags & taken) == 0 && !keyStays) {
        room.assign(msg.raw.begin(), msg.raw.end());
        return room;
    }
    Msg copy = msg;
    copy.flags &= static_cast<std::uint16_t>(~taken);
    if (keyStays) {
        copy.key.flags |= KeyFlag::serviceId;
        copy.key.serviceId = item.service;
    }
    eta::BeWriter& out = variants_[which].bytes.start();
    if (!encodeMsg(out, copy).ok()) room.clear();
    else room.assign(out.view().begin(), out.view().end());
    return room;
}

void FanOut::deliver(Client& client, std::int32_t stream, std::span<std::byte> message) noexcept {
    if (client.link == nullptr || message.empty()) return;
    eta::storeBe(message.data() + kStreamIdAt, static_cast<std::uint32_t>(stream));
    if (client.link->send(Bytes(message)).ok()) ++client.sent;
}

bool FanOut::live(Mount& mount, const Client& client) noexcept {
    if (mount.is(Mount::waiting) && !mount.is(Mount::inParts)) return false;
    if (!mount.is(Mount::paused) && !client.paused && !client.onStandby) [[likely]]
        return true;
    mount.set(Mount::missed, true);
    return false;
}

void FanOut::send(Item& item, const Msg& msg, To to) {
    for (Variant& v : variants_)
        v.made = false;
    const bool update = msg.cls == MsgClass::Update;
    for (std::uint32_t at = 0; at < item.mountCount; ++at) {
        Mount& mount = item.mounts[at];
        Client& client = clients_[mount.client];
        if (to == To::live && !live(mount, client)) continue;
        if (to == To::waiting && !mount.is(Mount::waiting)) continue;
        if (to == To::settled && mount.is(Mount::waiting)) continue;
        if (update && !typeWanted(client, msg.updateType)) continue;
        deliver(client, mount.stream, variant(item, msg, mount.flags));
    }
}

void FanOut::send(Item& item, const Mount& mount, const Msg& msg) {
    for (Variant& v : variants_)
        v.made = false;
    deliver(clients_[mount.client], mount.stream, variant(item, msg, mount.flags));
}

eta::Error FanOut::send(Client& client, std::int32_t stream, const Msg& msg) {
    if (client.link == nullptr) return {eta::Errc::closed, 0};
    Msg copy = msg;
    copy.streamId = stream;
    const eta::Error e = client.link->send(copy);
    if (e.ok()) ++client.sent;
    return e;
}

}  // namespace emissary::hub::fanout
