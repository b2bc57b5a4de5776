// The public class: each call goes to the implementation, and what it throws goes to the error client.
#include "Access/Include/OmmConsumer.h"

#include "Access/Include/ChannelInformation.h"
#include "Access/Include/ChannelStatistics.h"
#include "Access/Include/ConsumerSessionInfo.h"
#include "errors/raise.h"
#include "session/consumer/ConsumerImpl.h"

namespace refinitiv::ema::access {

using emissary::ema::ConsumerImpl;
using Clients = ConsumerImpl::Clients;

namespace {

/// With an error client a failed start does not throw: the object stays, and each call on it is a usage error.
std::unique_ptr<ConsumerImpl> make(const OmmConsumerConfig& config, Clients clients) {
    auto impl = std::make_unique<ConsumerImpl>(clients);
    impl->guarded([&] { impl->start(config); });
    return impl;
}

}  // namespace

OmmConsumer::OmmConsumer(const OmmConsumerConfig& config) : impl_(make(config, {})) {}

OmmConsumer::OmmConsumer(const OmmConsumerConfig& config, OmmConsumerClient& client, void* closure)
    : impl_(make(config, {&client, nullptr, closure})) {}

OmmConsumer::OmmConsumer(const OmmConsumerConfig& config, OmmOAuth2ConsumerClient& oAuthClient, void* closure)
    : impl_(make(config, {nullptr, nullptr, closure, &oAuthClient})) {}

OmmConsumer::OmmConsumer(const OmmConsumerConfig& config, OmmOAuth2ConsumerClient& oAuthClient,
                         OmmConsumerErrorClient& errorClient, void* closure)
    : impl_(make(config, {nullptr, &errorClient, closure, &oAuthClient})) {}

OmmConsumer::OmmConsumer(const OmmConsumerConfig& config, OmmConsumerErrorClient& client)
    : impl_(make(config, {nullptr, &client, nullptr})) {}

OmmConsumer::OmmConsumer(const OmmConsumerConfig& config, OmmConsumerClient& adminClient,
                         OmmOAuth2ConsumerClient& oAuthClient, void* closure)
    : impl_(make(config, {&adminClient, nullptr, closure, &oAuthClient})) {}

OmmConsumer::OmmConsumer(const OmmConsumerConfig& config, OmmConsumerClient& adminClient,
                         OmmConsumerErrorClient& errorClient, void* closure)
    : impl_(make(config, {&adminClient, &errorClient, closure})) {}

OmmConsumer::OmmConsumer(const OmmConsumerConfig& config, OmmConsumerClient& adminClient,
                         OmmOAuth2ConsumerClient& oAuthClient, OmmConsumerErrorClient& errorClient, void* closure)
    : impl_(make(config, {&adminClient, &errorClient, closure, &oAuthClient})) {}

OmmConsumer::~OmmConsumer() {
    emissary::ema::giveUpIfForked(impl_);
}

const EmaString& OmmConsumer::getConsumerName() const {
    return impl_->name();
}

UInt64 OmmConsumer::registerClient(const ReqMsg& reqMsg, OmmConsumerClient& client, void* closure,
                                   UInt64 parentHandle) {
    UInt64 handle = 0;
    impl_->guarded([&] { handle = impl_->registerClient(reqMsg, client, closure, parentHandle); });
    return handle;
}

UInt64 OmmConsumer::registerClient(const TunnelStreamRequest& request, OmmConsumerClient& client, void* closure) {
    UInt64 handle = 0;
    impl_->guarded([&] { handle = impl_->registerClient(request, client, closure); });
    return handle;
}

void OmmConsumer::reissue(const ReqMsg& reqMsg, UInt64 handle) {
    impl_->guarded([&] { impl_->reissue(reqMsg, handle); });
}

void OmmConsumer::submit(const GenericMsg& genericMsg, UInt64 handle) {
    impl_->guarded([&] { impl_->submit(genericMsg, handle); });
}

void OmmConsumer::submit(const PostMsg& postMsg, UInt64 handle) {
    impl_->guarded([&] { impl_->submit(postMsg, handle); });
}

Int64 OmmConsumer::dispatch(Int64 dispatchTimeout) {
    return impl_->dispatch(dispatchTimeout) ? DispatchedEnum : TimeoutEnum;
}

void OmmConsumer::unregister(UInt64 handle) {
    impl_->guarded([&] { impl_->unregister(handle); });
}

void OmmConsumer::getChannelInformation(ChannelInformation& information) {
    impl_->guarded([&] { impl_->channelInformation(information); });
}

void OmmConsumer::getChannelStatistics(ChannelStatistics& statistics) {
    impl_->guarded([&] { impl_->channelStatistics(statistics); });
}

void OmmConsumer::modifyIOCtl(Int32 code, Int32 value) {
    impl_->guarded([&] { impl_->modifyIOCtl(code, value); });
}

void OmmConsumer::modifyReactorIOCtl(Int32 code, Int32 value) {
    impl_->guarded([&] { impl_->modifyReactorIOCtl(code, value); });
}

void OmmConsumer::renewOAuth2Credentials(OAuth2CredentialRenewal& credentials) {
    impl_->guarded([&] { impl_->renewCredentials(credentials); });
}

void OmmConsumer::getSessionInformation(EmaVector<ChannelInformation>& information) {
    impl_->guarded([&] { impl_->sessionInformation(information); });
}

void OmmConsumer::modifyReactorChannelIOCtl(Int32 code, void* value) {
    impl_->guarded([&] { impl_->modifyReactorChannelIOCtl(code, value); });
}

void OmmConsumer::renewLoginCredentials(LoginMsgCredentialRenewal& credentials) {
    impl_->guarded([&] { impl_->renewCredentials(credentials); });
}

void OmmConsumer::fallbackPreferredHost() {
    impl_->guarded([&] { impl_->fallbackPreferredHost(); });
}

// --- OmmConsumerEvent ------------------------------------------------------------------------------------------------

OmmConsumerEvent::OmmConsumerEvent(ConsumerImpl& consumer) noexcept : consumer_(&consumer) {}
OmmConsumerEvent::~OmmConsumerEvent() = default;

UInt64 OmmConsumerEvent::getHandle() const {
    return handle_;
}
void* OmmConsumerEvent::getClosure() const {
    return closure_;
}
UInt64 OmmConsumerEvent::getParentHandle() const {
    return parentHandle_;
}
const ChannelInformation& OmmConsumerEvent::getChannelInformation() const {
    consumer_->fill(channelInformation_);
    return channelInformation_;
}
const ChannelStatistics& OmmConsumerEvent::getChannelStatistics() const {
    consumer_->fill(channelStatistics_);
    return channelStatistics_;
}
void OmmConsumerEvent::getSessionInformation(EmaVector<ChannelInformation>& information) const {
    consumer_->fill(information);
}

// --- clients: empty defaults -----------------------------------------------------------------------------------------

OmmConsumerClient::OmmConsumerClient() noexcept = default;
OmmConsumerClient::~OmmConsumerClient() = default;
void OmmConsumerClient::onRefreshMsg(const RefreshMsg&, const OmmConsumerEvent&) {}
void OmmConsumerClient::onUpdateMsg(const UpdateMsg&, const OmmConsumerEvent&) {}
void OmmConsumerClient::onStatusMsg(const StatusMsg&, const OmmConsumerEvent&) {}
void OmmConsumerClient::onGenericMsg(const GenericMsg&, const OmmConsumerEvent&) {}
void OmmConsumerClient::onAckMsg(const AckMsg&, const OmmConsumerEvent&) {}
void OmmConsumerClient::onAllMsg(const Msg&, const OmmConsumerEvent&) {}

OmmConsumerErrorClient::OmmConsumerErrorClient() noexcept = default;
OmmConsumerErrorClient::~OmmConsumerErrorClient() = default;
void OmmConsumerErrorClient::onInvalidHandle(UInt64, const EmaString&) {}
void OmmConsumerErrorClient::onInaccessibleLogFile(const EmaString&, const EmaString&) {}
void OmmConsumerErrorClient::onMemoryExhaustion(const EmaString&) {}
void OmmConsumerErrorClient::onInvalidUsage(const EmaString&) {}
void OmmConsumerErrorClient::onInvalidUsage(const EmaString&, Int32) {}
void OmmConsumerErrorClient::onSystemError(Int64, void*, const EmaString&) {}
void OmmConsumerErrorClient::onJsonConverter(const EmaString&, Int32, const ConsumerSessionInfo&) {}
void OmmConsumerErrorClient::onDispatchError(const EmaString&, Int32) {}

// As the channel was when the error happened; the session may have another one by now.
const ChannelInformation& ConsumerSessionInfo::getChannelInformation() const {
    return channel_;
}

}  // namespace refinitiv::ema::access
