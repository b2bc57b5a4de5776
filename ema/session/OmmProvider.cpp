#include "Access/Include/OmmProvider.h"

#include "Access/Include/AckMsg.h"
#include "Access/Include/GenericMsg.h"
#include "Access/Include/PackedMsg.h"
#include "Access/Include/ProviderSessionInfo.h"
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/StatusMsg.h"
#include "Access/Include/UpdateMsg.h"
#include "session/IProviderImpl.h"
#include "session/PackedMsgImpl.h"
#include "session/ProviderAccess.h"

namespace refinitiv::ema::access {

using emissary::ema::ProviderImpl;

OmmProvider::OmmProvider(const OmmProviderConfig& config) : impl_(ProviderImpl::make(*this, config, {})) {
    impl_->begin(config);
}

OmmProvider::OmmProvider(const OmmProviderConfig& config, OmmProviderClient& client, void* closure)
    : impl_(ProviderImpl::make(*this, config, {&client, nullptr, closure})) {
    impl_->begin(config);
}

OmmProvider::OmmProvider(const OmmProviderConfig& config, OmmProviderErrorClient& errorclient)
    : impl_(ProviderImpl::make(*this, config, {nullptr, &errorclient, nullptr})) {
    impl_->begin(config);
}

OmmProvider::OmmProvider(const OmmProviderConfig& config, OmmProviderClient& client,
                         OmmProviderErrorClient& errorclient, void* closure)
    : impl_(ProviderImpl::make(*this, config, {&client, &errorclient, closure})) {
    impl_->begin(config);
}

OmmProvider::~OmmProvider() = default;

const EmaString& OmmProvider::getProviderName() const {
    return impl_->name();
}
OmmProviderConfig::ProviderRole OmmProvider::getProviderRole() const {
    return impl_->role();
}
UInt64 OmmProvider::registerClient(const ReqMsg& reqMsg, OmmProviderClient& client, void* closure) {
    return impl_->registerClient(reqMsg, client, closure);
}
void OmmProvider::reissue(const ReqMsg& reqMsg, UInt64 handle) {
    impl_->reissue(reqMsg, handle);
}
void OmmProvider::submit(const GenericMsg& genericMsg, UInt64 handle) {
    impl_->submit(genericMsg, handle);
}
void OmmProvider::submit(const RefreshMsg& refreshMsg, UInt64 handle) {
    impl_->submit(refreshMsg, handle);
}
void OmmProvider::submit(const UpdateMsg& updateMsg, UInt64 handle) {
    impl_->submit(updateMsg, handle);
}
void OmmProvider::submit(const StatusMsg& statusMsg, UInt64 handle) {
    impl_->submit(statusMsg, handle);
}
void OmmProvider::submit(const AckMsg& ackMsg, UInt64 handle) {
    impl_->submit(ackMsg, handle);
}
void OmmProvider::submit(const PackedMsg& packedMsg) {
    impl_->submitPack(*packedMsg.impl_);
}
Int64 OmmProvider::dispatch(Int64 timeOut) {
    return impl_->dispatch(timeOut);
}
void OmmProvider::unregister(UInt64 handle) {
    impl_->unregister(handle);
}
void OmmProvider::getConnectedClientChannelInfo(EmaVector<ChannelInformation>& out) {
    impl_->connectedClients(out);
}
void OmmProvider::getConnectedClientChannelStats(UInt64 clientHandle, ChannelStatistics& cs) {
    impl_->clientStatistics(clientHandle, cs);
}
void OmmProvider::getChannelInformation(ChannelInformation& out) {
    impl_->channelInformation(out);
}
void OmmProvider::getChannelStatistics(ChannelStatistics& out) {
    impl_->channelStatistics(out);
}
void OmmProvider::modifyIOCtl(Int32 code, Int32 value, UInt64 handle) {
    impl_->modifyIOCtl(code, value, handle);
}
void OmmProvider::closeChannel(UInt64 clientHandle) {
    impl_->closeChannel(clientHandle);
}

// --- PackedMsg -------------------------------------------------------------------------------------------------------

PackedMsg::PackedMsg(OmmProvider& provider) : impl_(std::make_unique<emissary::ema::PackedMsgImpl>()) {
    impl_->provider = &provider;
}
PackedMsg::~PackedMsg() = default;

PackedMsg& PackedMsg::initBuffer() {
    impl_->provider->impl_->startPack(*impl_, nullptr, 0);
    return *this;
}
PackedMsg& PackedMsg::initBuffer(UInt32 maxSize) {
    impl_->provider->impl_->startPack(*impl_, nullptr, maxSize);
    return *this;
}
PackedMsg& PackedMsg::initBuffer(UInt64 clientHandle) {
    impl_->provider->impl_->startPack(*impl_, &clientHandle, 0);
    return *this;
}
PackedMsg& PackedMsg::initBuffer(UInt64 clientHandle, UInt32 maxSize) {
    impl_->provider->impl_->startPack(*impl_, &clientHandle, maxSize);
    return *this;
}
PackedMsg& PackedMsg::addMsg(const Msg& msg, UInt64 itemHandle) {
    impl_->provider->impl_->addToPack(*impl_, msg, itemHandle);
    return *this;
}
UInt64 PackedMsg::remainingSize() const {
    return impl_->body.size() - impl_->used;
}
UInt64 PackedMsg::packedMsgCount() const {
    return impl_->messages;
}
UInt64 PackedMsg::maxSize() const {
    return impl_->body.size();
}
PackedMsg& PackedMsg::clear() {
    impl_->release();
    return *this;
}

}  // namespace refinitiv::ema::access

namespace emissary::ema {

std::uint16_t ProviderAccess::port(refinitiv::ema::access::OmmProvider& provider) {
    auto* interactive = dynamic_cast<IProviderImpl*>(provider.impl_.get());
    return interactive != nullptr ? interactive->port() : std::uint16_t{0};
}

reactor::ProviderCounters ProviderAccess::counters(refinitiv::ema::access::OmmProvider& provider) {
    auto* interactive = dynamic_cast<IProviderImpl*>(provider.impl_.get());
    return interactive != nullptr ? interactive->counters() : reactor::ProviderCounters{};
}

eta::transport::ChannelCounters ProviderAccess::clientCounters(refinitiv::ema::access::OmmProvider& provider,
                                                               std::uint64_t clientHandle) {
    auto* interactive = dynamic_cast<IProviderImpl*>(provider.impl_.get());
    return interactive != nullptr ? interactive->clientCounters(clientHandle) : eta::transport::ChannelCounters{};
}

}  // namespace emissary::ema
