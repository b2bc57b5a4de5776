// Encodes accepted and refused logins with the attributes that the hub supports.
#include "hub/client/login_messages.h"

#include "eta/codec/encoders.h"
#include "reactor/rdm/login_user.h"

namespace emissary::hub::client {

using namespace eta::codec;
using reactor::rdm::LoginAttributes;
namespace NameType = reactor::rdm::LoginNameType;

LoginRefusal refusalOf(LoginResult result) noexcept {
    switch (result) {
    case LoginResult::accepted:
        break;
    case LoginResult::malformed:
        return {StreamState::closed, DataState::suspect, 5, "The attributes of the login cannot be decoded."};
    case LoginResult::wrongRole:
        return {StreamState::closed, DataState::suspect, 5,
                "Providers do not belong on this port; the hub has another one for publishers."};
    case LoginResult::notEntitled:
        return {StreamState::closed, DataState::ok, 3, "The login is not entitled."};
    case LoginResult::tooManyLogins:
        return {StreamState::closed, DataState::ok, 31, "The user has too many logins."};
    case LoginResult::applicationDenied:
        return {StreamState::closed, DataState::ok, 32, "The application is not allowed."};
    case LoginResult::noAnswer:
        return {StreamState::closedRecover, DataState::suspect, 3, "The login check does not answer."};
    // noAnswer has the code of a permission system that is not connected (hub.md 2.1).
    case LoginResult::draining:
        return {StreamState::closedRecover, DataState::suspect, 12, "The hub is going down."};
    case LoginResult::anotherUser:
        return {StreamState::closed, DataState::suspect, 5,
                "The login is another user's, and a login keeps its user; connect again to log in as somebody else."};
    case LoginResult::certificate:
        return {StreamState::closed, DataState::ok, 3, "The certificate of the connection is not the user's."};
    }
    return {StreamState::open, DataState::ok, 0, ""};
}

LoginResult resultOf(LoginVerdict::Kind kind) noexcept {
    switch (kind) {
    case LoginVerdict::Kind::accepted:
        break;
    case LoginVerdict::Kind::notEntitled:
        return LoginResult::notEntitled;
    case LoginVerdict::Kind::tooManyLogins:
        return LoginResult::tooManyLogins;
    case LoginVerdict::Kind::applicationDenied:
        return LoginResult::applicationDenied;
    case LoginVerdict::Kind::noAnswer:
        return LoginResult::noAnswer;
    }
    return LoginResult::accepted;
}

// The order is that of an ADS; consumers that print the answer can be compared line by line (hub.md 2.1).
eta::Error encodeLoginAnswer(eta::BeWriter& out, const LoginAttributes& asked, const ClientOptions& options) noexcept {
    ElementListEncoder list;
    list.begin(out);
    list.addUInt("AllowSuspectData", asked.allowSuspectData.value_or(1));
    if (asked.applicationId) list.addAscii("ApplicationId", *asked.applicationId);
    list.addAscii("ApplicationName", options.announceName);
    if (asked.position) list.addAscii("Position", *asked.position);
    list.addUInt("ProvidePermissionExpressions", 1);
    list.addUInt("ProvidePermissionProfile", 0);
    list.addUInt("SingleOpen", asked.singleOpen.value_or(1));
    list.addUInt("SupportBatchRequests", 7);
    list.addUInt("SupportEnhancedSymbolList", 1);
    list.addUInt("SupportOMMPost", options.supportPost ? 1 : 0);
    list.addUInt("SupportOptimizedPauseResume", 1);
    list.addUInt("SupportPauseResume", 1);
    list.addUInt("SupportStandby", options.supportStandby ? 1 : 0);
    if (options.supportStandby) list.addUInt("SupportStandbyMode", 3);
    list.addUInt("SupportViewRequests", 1);
    if (options.rttInterval.count() > 0 && asked.announcesRtt()) list.addUInt("RoundTripLatency", 2);
    // In force, so said (rdm.md 2.2).
    if (asked.updateTypeFilter) list.addUInt("UpdateTypeFilter", *asked.updateTypeFilter);
    if (asked.negativeUpdateTypeFilter) list.addUInt("NegativeUpdateTypeFilter", *asked.negativeUpdateTypeFilter);
    return list.complete();
}

eta::Error encodeChannelLimits(eta::BeWriter& out, const eta::transport::ChannelInfo& info,
                               std::uint64_t maxMessageBytes) noexcept {
    ElementListEncoder list;
    list.begin(out);
    // What the hub takes from the client in one text, not what it sends.
    list.addUInt("MaxMsgSize", maxMessageBytes);
    list.addUInt("PingTimeout", info.pingTimeoutSeconds);
    return list.complete();
}

MsgKey answerKey(const MsgKey& request) noexcept {
    MsgKey key;
    key.flags = request.flags & (KeyFlag::name | KeyFlag::nameType);
    key.name = request.name;
    key.nameType = request.nameType;
    // Name type 5 carries a token as its name, which must not come back to the peer's log.
    if (key.has(KeyFlag::nameType) && key.nameType == NameType::authnToken) key.flags = KeyFlag::nameType;
    return key;
}

LoginAsk askOf(const MsgKey& key, const LoginAttributes& attributes) {
    LoginAsk ask;
    if (key.has(KeyFlag::nameType)) ask.nameType = key.nameType;
    ask.password = attributes.password.value_or("");
    ask.token = attributes.authenticationToken.value_or("");
    const std::string_view name = key.has(KeyFlag::name) ? eta::asText(key.name) : std::string_view();
    // Names of the types 3, 4 and 5 are secrets, so they never become the user name.
    if (!reactor::rdm::isSecretName(key)) ask.user = name;
    // A token or a cookie. Beside the token of an element, the name counts where the name type says that it is one.
    else if (!reactor::rdm::isNoLoginName(name) && (ask.token.empty() || ask.nameType == NameType::userToken))
        ask.token = name;
    ask.position = attributes.position.value_or("");
    ask.applicationId = attributes.applicationId.value_or("");
    ask.applicationName = attributes.applicationName.value_or("");
    return ask;
}

}  // namespace emissary::hub::client
