// Finds out what a message object is, notes what an answer to it needs, and encodes it.
#include "json/JsonToRwf.h"

namespace emissary::eta::json {

bool JsonToRwf::message(NodeIndex object, BeWriter& out, std::uint8_t& type, PeerError& peerError) {
    if (tree_.kind(object) != Kind::object) return in_.fail(ErrorClass::ParseError, object);
    Members m;
    if (!in_.collect(object, m)) return false;
    std::int64_t id = 0;
    if (m.has(Member::ID) && isNumber(tree_.kind(m[Member::ID])) &&
        readInt(tree_.text(m[Member::ID]), id) == Decoded::value && id == static_cast<std::int32_t>(id))
        in_.failure().streamId = static_cast<std::int32_t>(id), in_.failure().hasStream = true;
    if (!messages_.messageType(m, type)) return false;
    in_.failure().messageClass = type < kPing ? type : std::uint8_t{0};
    in_.failure().unsolicited = m.has(Member::Solicited) && tree_.kind(m[Member::Solicited]) == Kind::no;
    if (type < kPing) return messages_.rwfMessage(m, type, out, 0);
    if (type == kError) {
        peerError.streamId = in_.failure().streamId;
        const bool hasText = m.has(Member::Text) && tree_.kind(m[Member::Text]) == Kind::string;
        peerError.text = hasText ? tree_.text(m[Member::Text]) : std::string_view{};
    }
    return true;
}

bool JsonToRwf::status(NodeIndex object, const Failure& refused, const codec::State& state, BeWriter& out) {
    Members m;
    codec::Msg msg;
    msg.cls = codec::MsgClass::Status;
    msg.streamId = refused.streamId;
    msg.domain = refused.domain;
    msg.flags = codec::StatusFlag::state;
    msg.state = state;
    if (in_.collect(object, m) && m.has(Member::Key) && !messages_.keyHead(m[Member::Key], msg)) {
        msg.key = {};
        msg.flags = codec::StatusFlag::state;
    }
    return codec::encodeMsg(out, msg).ok();
}

}  // namespace emissary::eta::json
