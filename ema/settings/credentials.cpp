// Credentials as plain values, the clients that are asked for them, and the classes of REST logging.
#include "Access/Include/LoginMsgCredentialRenewal.h"
#include "Access/Include/OAuth2Credential.h"
#include "Access/Include/OAuth2CredentialRenewal.h"
#include "Access/Include/OmmConsumerRestLoggingEvent.h"
#include "Access/Include/OmmLoginCredentialConsumerClient.h"
#include "Access/Include/OmmOAuth2ConsumerClient.h"
#include "Access/Include/OmmRestLoggingClient.h"

namespace emissary::ema {

using refinitiv::ema::access::EmaBuffer;
using refinitiv::ema::access::EmaString;

namespace {

/// A string that leaves no copy of its text behind in freed memory.
class Secret : public EmaString {
public:
    Secret() = default;
    Secret(const Secret&) = default;
    Secret& operator=(const Secret& other) { return *this = static_cast<const EmaString&>(other); }
    Secret& operator=(const EmaString& text) {
        if (this == &text) return *this;
        secureClear();
        EmaString::operator=(text);
        return *this;
    }
    ~Secret() override { secureClear(); }
};

/// What the documentation gives as the scope of streaming prices.
constexpr const char* kDefaultScope = "trapi.streaming.pricing.read";

}  // namespace

// Secrets are wiped when they are replaced and when their owner ends (ema-api.md section 12).
struct OAuth2CredentialRenewalImpl {
    EmaString userName, clientId, audience, tokenScope = kDefaultScope;
    Secret password, newPassword, clientSecret, clientJWK;
    bool takeExclusiveSignOnControl = true;
};
struct OAuth2CredentialImpl {
    EmaString userName, clientId, audience, tokenScope = kDefaultScope, channelList;
    Secret password, clientSecret, clientJWK;
    bool takeExclusiveSignOnControl = true;
};
struct LoginMsgCredentialRenewalImpl {
    EmaString userName;
    EmaBuffer authenticationExtended;
};

}  // namespace emissary::ema

namespace refinitiv::ema::access {

OAuth2CredentialRenewal::OAuth2CredentialRenewal() = default;
OAuth2CredentialRenewal::OAuth2CredentialRenewal(const OAuth2CredentialRenewal& other) = default;
OAuth2CredentialRenewal& OAuth2CredentialRenewal::operator=(const OAuth2CredentialRenewal& other) = default;
OAuth2CredentialRenewal::~OAuth2CredentialRenewal() = default;
OAuth2CredentialRenewal& OAuth2CredentialRenewal::clear() {
    impl_.clear();
    return *this;
}
OAuth2CredentialRenewal& OAuth2CredentialRenewal::userName(EmaString& userName) {
    impl_->userName = userName;
    return *this;
}
OAuth2CredentialRenewal& OAuth2CredentialRenewal::password(EmaString& password) {
    impl_->password = password;
    return *this;
}
OAuth2CredentialRenewal& OAuth2CredentialRenewal::newPassword(EmaString& newPassword) {
    impl_->newPassword = newPassword;
    return *this;
}
OAuth2CredentialRenewal& OAuth2CredentialRenewal::clientId(EmaString& clientId) {
    impl_->clientId = clientId;
    return *this;
}
OAuth2CredentialRenewal& OAuth2CredentialRenewal::clientSecret(EmaString& clientSecret) {
    impl_->clientSecret = clientSecret;
    return *this;
}
OAuth2CredentialRenewal& OAuth2CredentialRenewal::clientJWK(const EmaString& clientJWK) {
    impl_->clientJWK = clientJWK;
    return *this;
}
OAuth2CredentialRenewal& OAuth2CredentialRenewal::audience(const EmaString& audience) {
    impl_->audience = audience;
    return *this;
}
OAuth2CredentialRenewal& OAuth2CredentialRenewal::tokenScope(EmaString& tokenScope) {
    impl_->tokenScope = tokenScope;
    return *this;
}
OAuth2CredentialRenewal& OAuth2CredentialRenewal::takeExclusiveSignOnControl(bool takeExclusiveSignOnControl) {
    impl_->takeExclusiveSignOnControl = takeExclusiveSignOnControl;
    return *this;
}
const EmaString& OAuth2CredentialRenewal::getUserName() {
    return impl_->userName;
}
const EmaString& OAuth2CredentialRenewal::getPassword() {
    return impl_->password;
}
const EmaString& OAuth2CredentialRenewal::getNewPassword() {
    return impl_->newPassword;
}
const EmaString& OAuth2CredentialRenewal::getClientId() {
    return impl_->clientId;
}
const EmaString& OAuth2CredentialRenewal::getClientSecret() {
    return impl_->clientSecret;
}
const EmaString& OAuth2CredentialRenewal::getClientJWK() {
    return impl_->clientJWK;
}
const EmaString& OAuth2CredentialRenewal::getAudience() {
    return impl_->audience;
}
const EmaString& OAuth2CredentialRenewal::getTokenScope() {
    return impl_->tokenScope;
}
bool OAuth2CredentialRenewal::getTakeExclusiveSignOnControl() {
    return impl_->takeExclusiveSignOnControl;
}

OAuth2Credential::OAuth2Credential() = default;
OAuth2Credential::OAuth2Credential(const OAuth2Credential& other) = default;
OAuth2Credential& OAuth2Credential::operator=(const OAuth2Credential& other) = default;
OAuth2Credential::~OAuth2Credential() = default;
OAuth2Credential& OAuth2Credential::clear() {
    impl_.clear();
    return *this;
}
OAuth2Credential& OAuth2Credential::userName(const EmaString& userName) {
    impl_->userName = userName;
    return *this;
}
OAuth2Credential& OAuth2Credential::password(const EmaString& password) {
    impl_->password = password;
    return *this;
}
OAuth2Credential& OAuth2Credential::clientId(const EmaString& clientId) {
    impl_->clientId = clientId;
    return *this;
}
OAuth2Credential& OAuth2Credential::clientSecret(const EmaString& clientSecret) {
    impl_->clientSecret = clientSecret;
    return *this;
}
OAuth2Credential& OAuth2Credential::clientJWK(const EmaString& clientJWK) {
    impl_->clientJWK = clientJWK;
    return *this;
}
OAuth2Credential& OAuth2Credential::audience(const EmaString& audience) {
    impl_->audience = audience;
    return *this;
}
OAuth2Credential& OAuth2Credential::tokenScope(const EmaString& tokenScope) {
    impl_->tokenScope = tokenScope;
    return *this;
}
OAuth2Credential& OAuth2Credential::channelList(const EmaString& channelList) {
    impl_->channelList = channelList;
    return *this;
}
OAuth2Credential& OAuth2Credential::takeExclusiveSignOnControl(bool takeExclusiveSignOnControl) {
    impl_->takeExclusiveSignOnControl = takeExclusiveSignOnControl;
    return *this;
}
const EmaString& OAuth2Credential::getUserName() const {
    return impl_->userName;
}
const EmaString& OAuth2Credential::getPassword() const {
    return impl_->password;
}
const EmaString& OAuth2Credential::getClientId() const {
    return impl_->clientId;
}
const EmaString& OAuth2Credential::getClientSecret() const {
    return impl_->clientSecret;
}
const EmaString& OAuth2Credential::getClientJWK() const {
    return impl_->clientJWK;
}
const EmaString& OAuth2Credential::getAudience() const {
    return impl_->audience;
}
const EmaString& OAuth2Credential::getTokenScope() const {
    return impl_->tokenScope;
}
const EmaString& OAuth2Credential::getChannelList() const {
    return impl_->channelList;
}
bool OAuth2Credential::getTakeExclusiveSignOnControl() const {
    return impl_->takeExclusiveSignOnControl;
}

LoginMsgCredentialRenewal::LoginMsgCredentialRenewal() = default;
LoginMsgCredentialRenewal::LoginMsgCredentialRenewal(const LoginMsgCredentialRenewal& other) = default;
LoginMsgCredentialRenewal& LoginMsgCredentialRenewal::operator=(const LoginMsgCredentialRenewal& other) = default;
LoginMsgCredentialRenewal::~LoginMsgCredentialRenewal() = default;
LoginMsgCredentialRenewal& LoginMsgCredentialRenewal::clear() {
    impl_.clear();
    return *this;
}
LoginMsgCredentialRenewal& LoginMsgCredentialRenewal::userName(EmaString& userName) {
    impl_->userName = userName;
    return *this;
}
LoginMsgCredentialRenewal& LoginMsgCredentialRenewal::authenticationExtended(EmaBuffer& authenticationExtended) {
    impl_->authenticationExtended = authenticationExtended;
    return *this;
}
const EmaString& LoginMsgCredentialRenewal::getUserName() {
    return impl_->userName;
}
const EmaBuffer& LoginMsgCredentialRenewal::getAuthenticationExtended() {
    return impl_->authenticationExtended;
}

OmmOAuth2ConsumerClient::OmmOAuth2ConsumerClient() noexcept = default;
OmmOAuth2ConsumerClient::~OmmOAuth2ConsumerClient() = default;
void OmmOAuth2ConsumerClient::onCredentialRenewal(const OmmConsumerEvent&) {}

OmmLoginCredentialConsumerClient::OmmLoginCredentialConsumerClient() noexcept = default;
OmmLoginCredentialConsumerClient::~OmmLoginCredentialConsumerClient() = default;
void OmmLoginCredentialConsumerClient::onLoginCredentialRenewal(const OmmConsumerEvent&) {}

// --- REST logging (ema-api.md section 12)

OmmConsumerRestLoggingEvent::OmmConsumerRestLoggingEvent(const EmaString& message, void* closure)
    : message_(message), closure_(closure) {}
OmmConsumerRestLoggingEvent::~OmmConsumerRestLoggingEvent() = default;
const EmaString& OmmConsumerRestLoggingEvent::getRestLoggingMessage() const {
    return message_;
}
void* OmmConsumerRestLoggingEvent::getClosure() const {
    return closure_;
}

OmmRestLoggingClient::OmmRestLoggingClient() noexcept = default;
OmmRestLoggingClient::~OmmRestLoggingClient() = default;

}  // namespace refinitiv::ema::access
