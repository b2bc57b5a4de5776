#include "json/JsonToRwf.h"

namespace emissary::eta::json {

bool JsonToRwf::message(NodeIndex object, BeWriter& out, std::uint8_t& type, PeerError& peerError) {
    if (tree_.kind(object) != Kind::object) return in_.fail(ErrorClass::ParseError, object);
    Members m;
    if (!in_.collect(object, m)) return false;
    std::int64_t id = 0;
    if (m.has(Member::ID) && tree_.kind(m[Member::ID]) == Kind::integer &&
        readInt(tree_.text(m[Member::ID]), id) == Decoded::value && id == static_cast<std::int32_t>(id))
        in_.failure().streamId = static_cast<std::int32_t>(id);
    if (!messages_.messageType(m, type)) return false;
    if (type < kPing) return messages_.rwfMessage(m, type, out, 0);
    if (type == kError) {
        peerError.streamId = in_.failure().streamId;
        const bool hasText = m.has(Member::Text) && tree_.kind(m[Member::Text]) == Kind::string;
        peerError.text = hasText ? tree_.text(m[Member::Text]) : std::string_view{};
    }
    return true;
}

}  // namespace emissary::eta::json
