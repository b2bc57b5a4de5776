// Resolves service names, and sets the flags of a key before a message is sent.
#include "session/provider/publishing.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "errors/raise.h"
#include "eta/codec/state_codes.h"

#include <algorithm>

namespace emissary::ema {

namespace access = refinitiv::ema::access;
namespace codec = eta::codec;

namespace {

/// Makes sure that the key is sent, for messages that say so with a flag.
void setKeyFlag(codec::Msg& m) noexcept {
    using codec::MsgClass;
    switch (m.cls) {
    case MsgClass::Refresh:
        m.flags |= codec::RefreshFlag::msgKey;
        break;
    case MsgClass::Status:
        m.flags |= codec::StatusFlag::msgKey;
        break;
    case MsgClass::Update:
        m.flags |= codec::UpdateFlag::msgKey;
        break;
    case MsgClass::Ack:
        m.flags |= codec::AckFlag::msgKey;
        break;
    case MsgClass::Generic:
    case MsgClass::Post:
    case MsgClass::Request:
    case MsgClass::Close:
        break;
    }
}

[[noreturn]] void throwNoState(const codec::Msg& wire, const char* member, unsigned value, const char* remedy) {
    throwInvalidUsage(callName(wire.cls) + ": the " + member + " " + std::to_string(value) +
                          " of the state does not exist; nothing was sent. " + remedy,
                      access::OmmInvalidUsageException::InvalidArgumentEnum);
}

}  // namespace

void requireStateExists(const codec::Msg& wire) {
    if (!wire.hasState()) return;
    const codec::State& s = wire.state;
    if (s.stream == codec::StreamState::unspecified || s.stream > codec::StreamState::redirected) [[unlikely]]
        throwNoState(wire, "stream state", s.stream, "Use one of OmmState::StreamState.");
    if (s.data > codec::DataState::suspect) [[unlikely]]
        throwNoState(wire, "data state", s.data, "Use one of OmmState::DataState.");
    constexpr std::uint8_t kLastReserved = 127;
    if (s.code != 0 && s.code <= kLastReserved &&
        std::ranges::find(codec::kStateCodeRows, s.code, &codec::StateCodeRow::code) == codec::kStateCodeRows.end())
        [[unlikely]]
        throwNoState(wire, "status code", s.code,
                     "Use one of OmmState::StatusCode, or a code of your own from 128 to 255.");
}

std::string callName(codec::MsgClass cls) {
    return std::string("submit(") + (cls == codec::MsgClass::Request ? "Req" : codec::name(cls)) + "Msg)";
}

bool resolveService(const access::Msg& msg, codec::Msg& wire, const reactor::rdm::Directory& directory) {
    const reactor::rdm::Service* service = directory.find(MsgAccess::serviceName(msg));
    if (service == nullptr) return false;
    wire.key.flags |= codec::KeyFlag::serviceId;
    wire.key.serviceId = service->id;
    setKeyFlag(wire);
    return true;
}

void throwNoService(const access::Msg& msg, const std::string& call, int code) {
    throwInvalidUsage(call + ": the source directory has no service '" + std::string(MsgAccess::serviceName(msg)) +
                          "'; nothing was sent. Configure the service or submit a directory refresh naming it.",
                      code);
}

}  // namespace emissary::ema
