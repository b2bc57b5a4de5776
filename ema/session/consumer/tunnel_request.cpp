// Turns a TunnelStreamRequest into the request of the role, its login and class of service included.
#include "session/consumer/tunnel_request.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/ReqMsg.h"
#include "config/ema_text.h"
#include "data/MsgAccess.h"
#include "errors/raise.h"

namespace emissary::ema {

using Code = refinitiv::ema::access::OmmInvalidUsageException;

namespace {

// Of a tunnel whose request names no domain (tunnel.md 1.1).
constexpr std::uint8_t kSystemDomain = 127;

[[nodiscard]] std::vector<std::byte> encodedLogin(const refinitiv::ema::access::ReqMsg& login) {
    const eta::codec::Msg& m = MsgAccess::wire(login);
    // Bounds the size, so that one pass is enough.
    std::vector<std::byte> block(eta::codec::maxEncodedSize(m));
    eta::BeWriter out{block};
    if (const eta::Error e = encodeMsg(out, m); !e.ok())
        throwInvalidUsage(std::string("registerClient() failed: the login request of the tunnel stream cannot be "
                                      "encoded: ") +
                              eta::describe(e.code),
                          Code::InvalidArgumentEnum);
    block.resize(out.size());
    return block;
}

[[nodiscard]] reactor::tunnel::ClassOfService classOfServiceOf(const refinitiv::ema::access::ClassOfService& given) {
    reactor::tunnel::ClassOfService cos;
    cos.maxMsgSize = given.getCommon().getMaxMsgSize();
    cos.authentication = static_cast<std::uint8_t>(given.getAuthentication().getType());
    cos.flowControl = static_cast<std::uint8_t>(given.getFlowControl().getType());
    cos.recvWindowSize = given.getFlowControl().getRecvWindowSize();
    cos.dataIntegrity = static_cast<std::uint8_t>(given.getDataIntegrity().getType());
    cos.guarantee = static_cast<std::uint8_t>(given.getGuarantee().getType());
    return cos;
}

}  // namespace

reactor::tunnel::TunnelRequest tunnelRequestOf(const refinitiv::ema::access::TunnelStreamRequest& request) {
    if (!request.hasServiceId() && !request.hasServiceName())
        throwInvalidUsage("registerClient() failed: the TunnelStreamRequest names no service; use serviceName() or "
                          "serviceId().",
                          Code::InvalidArgumentEnum);
    reactor::tunnel::TunnelRequest out;
    if (request.hasName()) out.name = toText(request.getName());
    out.domain = request.getDomainType() == 0 ? kSystemDomain : static_cast<std::uint8_t>(request.getDomainType());
    if (request.hasServiceName()) out.serviceName = toText(request.getServiceName());
    // Negative numbers stand for no id. An id that is cut off here is beyond 16 bits and names no service either way.
    else out.serviceId = static_cast<std::int32_t>(std::min<std::uint32_t>(request.getServiceId(), INT32_MAX));
    out.classOfService = classOfServiceOf(request.getClassOfService());
    out.responseTimeout = std::chrono::seconds(request.getResponseTimeOut());
    out.outputBuffers = request.getGuaranteedOutputBuffers();
    if (request.hasLoginReqMsg()) out.login = encodedLogin(request.getLoginReqMsg());
    return out;
}

}  // namespace emissary::ema
