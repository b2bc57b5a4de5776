// The way of a message out, for both kinds of provider.
#pragma once

#include "data/MsgAccess.h"
#include "eta/codec/Msg.h"
#include "reactor/rdm/Directory.h"

#include <string>

namespace emissary::ema {

/// Puts back what submitting fills in, so that the application's message stays as it was built.
class Restore {
public:
    explicit Restore(eta::codec::Msg& m) noexcept
        : m_(m), key_(m.key), payload_(m.payload), streamId_(m.streamId), flags_(m.flags), domain_(m.domain),
          streamState_(m.state.stream), containerType_(m.containerType) {}
    ~Restore() {
        m_.streamId = streamId_;
        m_.flags = flags_;
        m_.key = key_;
        m_.payload = payload_;
        m_.domain = domain_;
        m_.state.stream = streamState_;
        m_.containerType = containerType_;
    }
    Restore(const Restore&) = delete;
    Restore& operator=(const Restore&) = delete;

private:
    eta::codec::Msg& m_;
    const eta::codec::MsgKey key_;
    const eta::Bytes payload_;
    const std::int32_t streamId_;
    const std::uint16_t flags_;
    const std::uint8_t domain_, streamState_;
    const eta::codec::DataType containerType_;
};

/// The message as it will be encoded. Built messages are never const objects behind their public face.
[[nodiscard]] inline eta::codec::Msg& wireOf(const refinitiv::ema::access::Msg& msg) {
    return const_cast<eta::codec::Msg&>(MsgAccess::wire(msg));
}

/// For texts: "submit(RefreshMsg)".
[[nodiscard]] std::string callName(eta::codec::MsgClass cls);

/// Throws an OmmInvalidUsageException when the message has a state that is none: a stream state, data state or code
/// without a meaning (rdm.md 1.2). Codes above 127 are the application's own.
void requireStateExists(const eta::codec::Msg& wire);

/// Puts the id of the service that the application named into the key. False when the directory has no such service.
[[nodiscard]] bool resolveService(const refinitiv::ema::access::Msg& msg, eta::codec::Msg& wire,
                                  const reactor::rdm::Directory& directory);
/// When it has none: throws an OmmInvalidUsageException with this code.
[[noreturn]] void throwNoService(const refinitiv::ema::access::Msg& msg, const std::string& call, int code);

}  // namespace emissary::ema
