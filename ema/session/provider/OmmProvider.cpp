// ema/session/provider: the public class: hands each call to its role, and exceptions to the error client.
#include "Access/Include/OmmProvider.h"

#include "Access/Include/AckMsg.h"
#include "Access/Include/GenericMsg.h"
#include "Access/Include/PackedMsg.h"
#include "Access/Include/ProviderSessionInfo.h"
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/StatusMsg.h"
#include "Access/Include/UpdateMsg.h"
#include "session/provider/IProviderImpl.h"
#include "session/provider/PackedMsgImpl.h"
#include "session/provider/ProviderAccess.h"

namespace refinitiv::ema::access {

using emissary::ema::ProviderImpl;

/// The implementation is in place before start(), because callbacks may use their event's provider at once.
OmmProvider::OmmProvider(const OmmProviderConfig& config) : impl_(ProviderImpl::make(*this, config, {})) {
    impl_->guarded([&] { impl_->start(config); });
}

OmmProvider::OmmProvider(const OmmProviderConfig& config, OmmProviderClient& client, void* closure)
    : impl_(ProviderImpl::make(*this, config, {&client, nullptr, closure})) {
    impl_->guarded([&] { impl_->start(config); });
}

OmmProvider::OmmProvider(const OmmProviderConfig& config, OmmProviderErrorClient& errorclient)
    : impl_(ProviderImpl::make(*this, config, {nullptr, &errorclient, nullptr})) {
    impl_->guarded([&] { impl_->start(config); });
}

OmmProvider::OmmProvider(const OmmProviderConfig& config, OmmProviderClient& client,
                         OmmProviderErrorClient& errorclient, void* closure)
    : impl_(ProviderImpl::make(*this, config, {&client, &errorclient, closure})) {
    impl_->guarded([&] { impl_->start(config); });
}

OmmProvider::~OmmProvider() {
    emissary::ema::giveUpIfForked(impl_);
}

const EmaString& OmmProvider::getProviderName() const {
    return impl_->name();
}
OmmProviderConfig::ProviderRole OmmProvider::getProviderRole() const {
    return impl_->role();
}
UInt64 OmmProvider::registerClient(const ReqMsg& reqMsg, OmmProviderClient& client, void* closure) {
    UInt64 handle = 0;
    impl_->guarded([&] { handle = impl_->registerClient(reqMsg, client, closure); });
    return handle;
}
void OmmProvider::reissue(const ReqMsg& reqMsg, UInt64 handle) {
    impl_->guarded([&] { impl_->reissue(reqMsg, handle); });
}
void OmmProvider::submit(const GenericMsg& genericMsg, UInt64 handle) {
    impl_->guarded([&] { impl_->submit(genericMsg, handle); });
}
void OmmProvider::submit(const RefreshMsg& refreshMsg, UInt64 handle) {
    impl_->guarded([&] { impl_->submit(refreshMsg, handle); });
}
void OmmProvider::submit(const UpdateMsg& updateMsg, UInt64 handle) {
    impl_->guarded([&] { impl_->submit(updateMsg, handle); });
}
void OmmProvider::submit(const StatusMsg& statusMsg, UInt64 handle) {
    impl_->guarded([&] { impl_->submit(statusMsg, handle); });
}
void OmmProvider::submit(const AckMsg& ackMsg, UInt64 handle) {
    impl_->guarded([&] { impl_->submit(ackMsg, handle); });
}
void OmmProvider::submit(const PackedMsg& packedMsg) {
    impl_->guarded([&] { impl_->submitPack(*packedMsg.impl_); });
}
Int64 OmmProvider::dispatch(Int64 timeOut) {
    return impl_->dispatch(timeOut) ? DispatchedEnum : TimeoutEnum;
}
void OmmProvider::unregister(UInt64 handle) {
    impl_->guarded([&] { impl_->unregister(handle); });
}
void OmmProvider::getConnectedClientChannelInfo(EmaVector<ChannelInformation>& out) {
    impl_->guarded([&] { impl_->connectedClients(out); });
}
void OmmProvider::getConnectedClientChannelStats(UInt64 clientHandle, ChannelStatistics& cs) {
    impl_->guarded([&] { impl_->clientStatistics(clientHandle, cs); });
}
void OmmProvider::getChannelInformation(ChannelInformation& out) {
    impl_->guarded([&] { impl_->channelInformation(out); });
}
void OmmProvider::getChannelStatistics(ChannelStatistics& out) {
    impl_->guarded([&] { impl_->channelStatistics(out); });
}
void OmmProvider::modifyIOCtl(Int32 code, Int32 value, UInt64 handle) {
    impl_->guarded([&] { impl_->modifyIOCtl(code, value, handle); });
}
void OmmProvider::closeChannel(UInt64 clientHandle) {
    impl_->guarded([&] { impl_->closeChannel(clientHandle); });
}

// --- PackedMsg -------------------------------------------------------------------------------------------------------

PackedMsg::PackedMsg(OmmProvider& provider) : impl_(std::make_unique<emissary::ema::PackedMsgImpl>(provider)) {}
PackedMsg::~PackedMsg() = default;

PackedMsg& PackedMsg::initBuffer() {
    return initBuffer(UInt32{0});
}
PackedMsg& PackedMsg::initBuffer(UInt32 maxSize) {
    ProviderImpl& provider = *impl_->provider.impl_;
    provider.guarded([&] { provider.startPack(*impl_, nullptr, maxSize); });
    return *this;
}
PackedMsg& PackedMsg::initBuffer(UInt64 clientHandle) {
    return initBuffer(clientHandle, 0);
}
PackedMsg& PackedMsg::initBuffer(UInt64 clientHandle, UInt32 maxSize) {
    ProviderImpl& provider = *impl_->provider.impl_;
    provider.guarded([&] { provider.startPack(*impl_, &clientHandle, maxSize); });
    return *this;
}
PackedMsg& PackedMsg::addMsg(const Msg& msg, UInt64 itemHandle) {
    ProviderImpl& provider = *impl_->provider.impl_;
    provider.guarded([&] { provider.addToPack(*impl_, msg, itemHandle); });
    return *this;
}
UInt64 PackedMsg::remainingSize() const {
    return impl_->left();
}
UInt64 PackedMsg::packedMsgCount() const {
    return impl_->messages();
}
UInt64 PackedMsg::maxSize() const {
    return impl_->size();
}
PackedMsg& PackedMsg::clear() {
    impl_->release();
    return *this;
}

}  // namespace refinitiv::ema::access

namespace emissary::ema {

std::uint16_t ProviderAccess::port(const refinitiv::ema::access::OmmProvider& provider) {
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
