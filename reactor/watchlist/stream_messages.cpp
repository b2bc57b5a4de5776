// Fills in key and state of messages that are made on this side.
#include "watchlist/stream_messages.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

void fillKey(const Stream& s, Msg& msg) noexcept {
    static constexpr std::uint16_t kKeyFlag[] = {
        0, 0, RefreshFlag::msgKey, StatusFlag::msgKey, UpdateFlag::msgKey, 0, AckFlag::msgKey, GenericFlag::msgKey, 0};
    const std::uint16_t flag = kKeyFlag[static_cast<std::size_t>(msg.cls)];
    msg.flags = static_cast<std::uint16_t>(msg.flags | flag);
    MsgKey& k = msg.key;
    k.flags = s.service->number() >= 0 ? KeyFlag::serviceId : std::uint16_t{0};
    k.serviceId = s.service->id;
    if (s.hasName) {
        k.flags |= KeyFlag::name;
        k.name = s.name.view();
    }
    k.nameType = s.nameType;
    if (s.hasNameType) k.flags |= KeyFlag::nameType;
    if (!s.rare) return;
    k.flags = static_cast<std::uint16_t>(k.flags | s.rare->flags);
    k.filter = s.rare->filter;
    k.identifier = s.rare->identifier;
    k.attribType = s.rare->attribType;
    k.attrib = s.rare->attrib;
}

Msg makeStatus(const Stream& s, std::uint8_t stream, std::uint8_t code, std::string_view text) noexcept {
    Msg msg;
    msg.cls = MsgClass::Status;
    msg.domain = s.domain;
    msg.flags = StatusFlag::state;
    if (s.isPrivate) msg.flags |= StatusFlag::privateStream;
    msg.state = {stream, DataState::suspect, code, eta::asBytes(text)};
    fillKey(s, msg);
    return msg;
}

}  // namespace emissary::reactor::consumer
