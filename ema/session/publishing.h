// What both kinds of provider do with a message on its way out.
#pragma once

#include "data/MsgAccess.h"
#include "eta/codec/Msg.h"

#include <string>

namespace emissary::ema {

/// Puts back what submitting fills in, so that the application's message stays as it was built.
class Restore {
public:
    explicit Restore(eta::codec::Msg& m) noexcept
        : m_(m), streamId_(m.streamId), flags_(m.flags), keyFlags_(m.key.flags), serviceId_(m.key.serviceId),
          domain_(m.domain) {}
    ~Restore() {
        m_.streamId = streamId_;
        m_.flags = flags_;
        m_.key.flags = keyFlags_;
        m_.key.serviceId = serviceId_;
        m_.domain = domain_;
    }
    Restore(const Restore&) = delete;
    Restore& operator=(const Restore&) = delete;

private:
    eta::codec::Msg& m_;
    const std::int32_t streamId_;
    const std::uint16_t flags_, keyFlags_, serviceId_;
    const std::uint8_t domain_;
};

/// The message as it will be encoded. Built messages are never const objects behind their public face.
[[nodiscard]] inline eta::codec::Msg& wireOf(const refinitiv::ema::access::Msg& msg) {
    return const_cast<eta::codec::Msg&>(MsgAccess::wire(msg));
}

/// For texts: "submit(RefreshMsg): ".
[[nodiscard]] inline std::string callName(eta::codec::MsgClass cls) {
    return std::string("submit(") + (cls == eta::codec::MsgClass::Request ? "Req" : eta::codec::name(cls)) + "Msg): ";
}

/// Makes sure that the key is sent, for messages that say so with a flag.
inline void setKeyFlag(eta::codec::Msg& m) noexcept {
    using eta::codec::MsgClass;
    switch (m.cls) {
    case MsgClass::Refresh:
        m.flags |= eta::codec::RefreshFlag::msgKey;
        break;
    case MsgClass::Status:
        m.flags |= eta::codec::StatusFlag::msgKey;
        break;
    case MsgClass::Update:
        m.flags |= eta::codec::UpdateFlag::msgKey;
        break;
    case MsgClass::Ack:
        m.flags |= eta::codec::AckFlag::msgKey;
        break;
    case MsgClass::Generic:
    case MsgClass::Post:
    case MsgClass::Request:
    case MsgClass::Close:
        break;
    }
}

}  // namespace emissary::ema
