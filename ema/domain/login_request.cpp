// ema/domain: builds the attributes of the login from the settings, or from the message that the application gave.
#include "domain/login_request.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "data/MsgAccess.h"
#include "errors/raise.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/rdm/Login.h"
#include "reactor/session/LoginOptions.h"

namespace emissary::ema {

using refinitiv::ema::access::OmmInvalidUsageException;
namespace codec = eta::codec;

reactor::session::LoginOptions makeLoginRequest(const LoginSettings& settings,
                                                const refinitiv::ema::access::ReqMsg* given, LoginRole role,
                                                bool roundTrip) {
    reactor::rdm::LoginAttributes attributes;
    attributes.applicationId = settings.applicationId;
    attributes.applicationName = settings.applicationName;
    attributes.position = settings.position;
    attributes.password = settings.password;
    attributes.instanceId = settings.instanceId;
    attributes.role = static_cast<std::uint64_t>(role);
    reactor::session::LoginOptions login;
    login.enableRtt = roundTrip;
    login.userName = settings.userName;
    bool asGiven = false;
    if (given != nullptr) {
        const codec::Msg& m = MsgAccess::wire(*given);
        if (m.key.has(codec::KeyFlag::name)) login.userName.assign(eta::asText(m.key.name));
        if (m.key.has(codec::KeyFlag::nameType)) login.userNameType = m.key.nameType;
        // Attributes travel as the application encoded them, elements unknown here included, unless one must be added.
        asGiven = m.key.has(codec::KeyFlag::attrib);
        if (asGiven) {
            if (!reactor::rdm::decodeLogin(m.key, attributes).ok())
                throwInvalidUsage("The attributes of the given login request are not a valid element list.",
                                  OmmInvalidUsageException::InvalidArgumentEnum);
            login.attributes.assign(m.key.attrib.begin(), m.key.attrib.end());
        }
    }
    // 2: the measurement in the form of an element list (rdm.md 2.1).
    if (roundTrip) attributes.roundTripLatency = 2;
    // A publisher logs in as a provider (1), whatever the given request says: the server would take it for a consumer.
    const bool wrongRole = role == LoginRole::provider && !attributes.isProvider();
    if (wrongRole) attributes.role = 1;
    bool good = true;
    if (!asGiven || roundTrip || wrongRole) {
        reactor::GrowingBuffer buffer;
        good = reactor::rdm::encodeLogin(buffer.start(), attributes).ok();
        login.attributes.assign(buffer.view().begin(), buffer.view().end());
    }
    if (!good || !reactor::session::settleToken(login))
        throwInvalidUsage("The login attributes are too long to encode.",
                          OmmInvalidUsageException::InvalidArgumentEnum);
    return login;
}

}  // namespace emissary::ema
