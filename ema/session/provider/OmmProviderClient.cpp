// The classes that surround OmmProvider: clients, events, session information.
#include "Access/Include/OmmProviderClient.h"

#include "Access/Include/OmmProviderErrorClient.h"
#include "Access/Include/OmmProviderEvent.h"
#include "Access/Include/ProviderSessionInfo.h"
#include "session/provider/ProviderEvents.h"
#include "session/provider/ProviderImpl.h"

namespace refinitiv::ema::access {

OmmProviderClient::OmmProviderClient() noexcept = default;
OmmProviderClient::~OmmProviderClient() = default;
void OmmProviderClient::onRefreshMsg(const RefreshMsg&, const OmmProviderEvent&) {}
void OmmProviderClient::onStatusMsg(const StatusMsg&, const OmmProviderEvent&) {}
void OmmProviderClient::onGenericMsg(const GenericMsg&, const OmmProviderEvent&) {}
void OmmProviderClient::onAllMsg(const Msg&, const OmmProviderEvent&) {}
void OmmProviderClient::onPostMsg(const PostMsg&, const OmmProviderEvent&) {}
void OmmProviderClient::onReqMsg(const ReqMsg&, const OmmProviderEvent&) {}
void OmmProviderClient::onReissue(const ReqMsg&, const OmmProviderEvent&) {}
void OmmProviderClient::onClose(const ReqMsg&, const OmmProviderEvent&) {}

OmmProviderErrorClient::OmmProviderErrorClient() noexcept = default;
OmmProviderErrorClient::~OmmProviderErrorClient() = default;
void OmmProviderErrorClient::onInvalidHandle(UInt64, const EmaString&) {}
void OmmProviderErrorClient::onInaccessibleLogFile(const EmaString&, const EmaString&) {}
void OmmProviderErrorClient::onMemoryExhaustion(const EmaString&) {}
void OmmProviderErrorClient::onInvalidUsage(const EmaString&) {}
void OmmProviderErrorClient::onInvalidUsage(const EmaString&, Int32) {}
void OmmProviderErrorClient::onSystemError(Int64, void*, const EmaString&) {}
void OmmProviderErrorClient::onJsonConverter(const EmaString&, Int32, const ProviderSessionInfo&) {}
void OmmProviderErrorClient::onDispatchError(const EmaString&, Int32) {}

OmmProviderEvent::OmmProviderEvent(OmmProvider& provider, emissary::ema::ProviderImpl& impl) noexcept
    : provider_(&provider), impl_(&impl) {}
OmmProviderEvent::~OmmProviderEvent() = default;
UInt64 OmmProviderEvent::getHandle() const {
    return handle_;
}
void* OmmProviderEvent::getClosure() const {
    return closure_;
}
OmmProvider& OmmProviderEvent::getProvider() const {
    return *provider_;
}
UInt64 OmmProviderEvent::getClientHandle() const {
    return clientHandle_;
}
const ChannelInformation& OmmProviderEvent::getChannelInformation() const {
    // Filled when somebody asks: most callbacks do not, and it costs a dozen strings.
    impl_->fill(clientHandle_, channelInformation_);
    return channelInformation_;
}
const ChannelStatistics& OmmProviderEvent::getChannelStatistics() const {
    impl_->fill(clientHandle_, channelStatistics_);
    return channelStatistics_;
}

const ChannelInformation& ProviderSessionInfo::getChannelInformation() const {
    return channel_;
}
UInt64 ProviderSessionInfo::getHandle() const {
    return handle_;
}
OmmProvider& ProviderSessionInfo::getProvider() const {
    return *provider_;
}
UInt64 ProviderSessionInfo::getClientHandle() const {
    return clientHandle_;
}

}  // namespace refinitiv::ema::access

namespace emissary::ema {

ProviderEvents::ProviderEvents(access::OmmProvider& owner, ProviderImpl& impl, Engine& engine,
                               access::OmmProviderClient* client, void* closure)
    : engine_(engine), event_(ProviderImpl::makeEvent(owner, impl)), client_(client), closure_(closure) {}

void ProviderEvents::aim(const CallbackTarget& to) noexcept {
    ProviderImpl::aim(*event_, to);
}

}  // namespace emissary::ema
