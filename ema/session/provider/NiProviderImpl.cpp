// ema/session/provider: starts and ends a non-interactive provider, and passes the application's calls to its role.
#include "session/provider/NiProviderImpl.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmNiProviderConfig.h"
#include "data/contained_types.h"
#include "errors/refusals.h"
#include "session/channel/describe_channel.h"
#include "session/engine/request_view.h"
#include "session/provider/PackedMsgImpl.h"
#include "session/provider/provider_options.h"
#include "session/provider/publishing.h"
#include "settings/ConfigAccess.h"

namespace emissary::ema {

using namespace refinitiv::ema::access;
using eta::codec::MsgClass;
using eta::transport::ChannelState;
using reactor::niprovider::NiProviderRole;
using reactor::niprovider::PublishFault;
using reactor::niprovider::PublishResult;
using reactor::session::Refusal;
using Code = OmmInvalidUsageException;
using Phase = NiProviderRole::Phase;
namespace codec = eta::codec;

namespace {

constexpr const char* kAddMsg = "PackedMsg::addMsg()";

}  // namespace

// --- start and end ---------------------------------------------------------------------------------------------------

NiProviderImpl::NiProviderImpl(OmmProvider& owner, Clients clients)
    : ProviderImpl(InstanceKind::nonInteractiveProvider, owner, clients), callbacks_(*this, engine_, events_) {}

NiProviderImpl::~NiProviderImpl() {
    engine_.stop(*this);
}

OmmProviderConfig::ProviderRole NiProviderImpl::role() const noexcept {
    return OmmProviderConfig::NonInteractiveEnum;
}

void NiProviderImpl::start(const OmmProviderConfig& config) {
    const auto* own = dynamic_cast<const OmmNiProviderConfig*>(&config);
    if (own == nullptr)
        throwInvalidUsage("OmmProvider: the configuration says it is non-interactive but is not an "
                          "OmmNiProviderConfig. Pass an OmmIProviderConfig or an OmmNiProviderConfig.",
                          Code::InvalidArgumentEnum);
    const NiProviderConfigImpl& given = ConfigAccess::of(*own);
    settings_ = given.settings();
    engine_.openLog(settings_);
    if (const std::string wrong = unusableChannel(settings_.channels); !wrong.empty()) {
        engine_.log("ChannelCallbackClient", LogSeverity::error, wrong);
        throwInvalidConfiguration(wrong);
    }
    for (const auto tracing = engine_.messageTrace(); ChannelSettings & channel : settings_.channels)
        channel.connect.tracing = tracing;
    auto options = publisherOptions(settings_, given, engine_);
    engine_.openLoop();
    const StartStage login[] = {
        {settings_.loginRequestTimeoutMs, Code::LoginRequestTimeOutEnum, "login", "LoginCallbackClient"}};
    engine_.start(*this, login, [&] { connect(std::move(options), given); });
}

void NiProviderImpl::connect(reactor::niprovider::NiProviderOptions options, const NiProviderConfigImpl& given) {
    dictionary_ = options.dictionary;
    role_ = std::make_unique<NiProviderRole>(engine_.loop(), std::move(options), callbacks_);
    callbacks_.serve(*role_, dictionary_.get());
    // Before the start: the directory goes out as soon as the login is accepted. With user control the application
    // publishes one itself.
    if (given.directoryRefresh && !settings_.directoryByUser) {
        const eta::Error e = role_->useDirectory(wireOf(*given.directoryRefresh).payload);
        if (!e.ok())
            throwInvalidUsage("OmmProvider: the directory refresh of addAdminMsg() is not valid: " +
                                  std::string(eta::describe(e.code)) + ". Its payload must be a Map of services.",
                              Code::InvalidArgumentEnum);
    }
    if (events_.hasClient()) {
        codec::Msg login;
        login.cls = MsgClass::Request;
        login.domain = reactor::rdm::kLoginDomain;
        // The client hears the login refresh, so it is registered before anything connects. A login is never refused.
        const CallbackTarget to = events_.ownClient(0, 0);
        Refusal refusal;
        role_->registerClient({login, {}}, {to.client, to.closure, 0}, refusal);
    }
    role_->start();
}

/// Ready: the login is accepted and the directory is out.
StartProgress NiProviderImpl::progress() {
    const auto& connect = role_->channel().connect;
    return {.stage = role_->phase() == Phase::ready ? 1u : 0u,
            .closed = role_->phase() == Phase::closed,
            .refused = role_->loginRefused(),
            .place = connect.host + ":" + connect.port,
            .reason = role_->lastReason()};
}

void NiProviderImpl::close() {
    if (role_) role_->shutdown();
    role_.reset();
}

// --- publishing ------------------------------------------------------------------------------------------------------

void NiProviderImpl::submit(const Msg& msg, UInt64 handle) {
    engine_.requireUsable();
    codec::Msg& wire = wireOf(msg);
    if (wire.cls == MsgClass::Ack)
        interactiveOnly("submit(AckMsg)", "The server acknowledges the posts that it hands to publishers.");
    const auto guard = engine_.locked();
    requireStateExists(wire);
    const Restore restore(wire);
    if (MsgAccess::hasServiceName(msg)) resolve(msg, wire, nullptr);
    const PublishResult result = role_->submit(handle, wire);
    if (!result.ok()) [[unlikely]]
        fail(result, callName(wire.cls), handle, wire);
}

/// A login has no service, and a directory names its services in the payload.
void NiProviderImpl::resolve(const Msg& msg, codec::Msg& wire, const char* call) const {
    if (wire.domain == reactor::rdm::kLoginDomain || wire.domain == reactor::rdm::kDirectoryDomain) return;
    if (!resolveService(msg, wire, role_->directory())) [[unlikely]]
        throwNoService(msg, call != nullptr ? call : callName(wire.cls), Code::InvalidArgumentEnum);
}

void NiProviderImpl::fail(const PublishResult& result, const std::string& call, UInt64 handle, const codec::Msg& m) {
    RefusedCall refused{
        .call = call, .handle = handle, .subject = role_->describe(handle), .msg = &m, .error = result.error};
    reactor::Link* const link = role_->link();
    if (result.fault == PublishFault::encoding && link != nullptr &&
        link->info().protocolType == eta::transport::kProtocolJson)
        refused.jsonSession = sessionInfo(handle, 0);
    throwRefusal(result.fault, Publishing::submit, refused);
}

// --- packs -----------------------------------------------------------------------------------------------------------

void NiProviderImpl::startPack(PackedMsgImpl& pack, const UInt64* clientHandle, UInt32 maxBytes) {
    engine_.requireUsable();
    if (clientHandle != nullptr)
        interactiveOnly("PackedMsg::initBuffer(clientHandle)", "Call initBuffer() or initBuffer(UInt32 maxSize).");
    const auto guard = engine_.locked();
    reactor::Link* const link = role_->link();
    if (link == nullptr || role_->connectionNumber() == 0)
        throwInvalidUsage("PackedMsg::initBuffer(): there is no connection that is logged in.",
                          Code::NoActiveChannelEnum);
    pack.begin(link->info(), role_->connectionNumber(), maxBytes,
               [](std::uint64_t) { return std::string("this connection"); });
}

void NiProviderImpl::addToPack(PackedMsgImpl& pack, const Msg& msg, UInt64 handle) {
    engine_.requireUsable();
    pack.requireBegun();
    requireContent(msg, kAddMsg);
    codec::Msg& wire = wireOf(msg);
    const auto guard = engine_.locked();
    const Restore restore(wire);
    if (MsgAccess::hasServiceName(msg)) resolve(msg, wire, kAddMsg);
    reactor::PackedEffect effect = pack.effectOn(handle);
    PublishResult result = role_->prepare(handle, wire, effect);
    if (result.ok()) {
        result.error = pack.add(wire, handle, effect);
        if (!result.error.ok()) result.fault = PublishFault::encoding;
    }
    if (!result.ok()) fail(result, kAddMsg, handle, wire);
}

void NiProviderImpl::submitPack(PackedMsgImpl& pack) {
    engine_.requireUsable();
    pack.requireMessages();
    const auto guard = engine_.locked();
    const PublishResult result = role_->submitPacked(pack.connection(), pack.body(), pack.messages(), pack.changes());
    if (result.ok()) return pack.release();
    // As for an interactive provider: only full buffers leave a pack that can be sent again.
    if (result.fault != PublishFault::noBuffers) pack.release();
    throwRefusal(result.fault, Publishing::sendPack, {.call = "submit(PackedMsg)"});
}

// --- registered streams ----------------------------------------------------------------------------------------------

void NiProviderImpl::fail(const Refusal& refusal, const char* call, UInt64 handle) {
    RefusedCall refused{.call = call, .handle = handle, .instance = engine_.describe()};
    if (refusal.kind == Refusal::Kind::conversion) refused.jsonSession = sessionInfo(handle, 0);
    throwRefusal(refusal, refused);
}

UInt64 NiProviderImpl::registerClient(const ReqMsg& request, OmmProviderClient& client, void* closure) {
    engine_.requireUsable();
    const reactor::session::RequestView view = viewOf(request);
    Refusal refusal;
    const auto guard = engine_.locked();
    const UInt64 handle = role_->registerClient(view, {&client, closure, 0}, refusal);
    if (refusal) fail(refusal, "registerClient()", 0);
    return handle;
}

void NiProviderImpl::reissue(const ReqMsg& request, UInt64 handle) {
    engine_.requireUsable();
    const reactor::session::RequestView view = viewOf(request);
    const auto guard = engine_.locked();
    if (const Refusal refusal = role_->reissue(handle, view)) fail(refusal, "reissue()", handle);
}

void NiProviderImpl::unregister(UInt64 handle) {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    role_->unregister(handle);
    events_.giveUp(handle);
}

// --- the channel -----------------------------------------------------------------------------------------------------

void NiProviderImpl::channelInformation(ChannelInformation& out) {
    engine_.requireUsable();
    fill(0, out);
}

void NiProviderImpl::channelStatistics(ChannelStatistics& out) {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    if (role_->link() == nullptr)
        throwInvalidUsage("There is no active channel to take statistics from.", Code::NoActiveChannelEnum);
    fill(0, out);
}

void NiProviderImpl::modifyIOCtl(Int32 code, Int32 value, UInt64) {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    reactor::Link* const link = role_->link();
    if (link == nullptr) throwInvalidUsage("modifyIOCtl() needs an active channel.", Code::NoActiveChannelEnum);
    changeOption(*link->channel(), code, value);
}

void NiProviderImpl::fill(UInt64, ChannelInformation& out) {
    const auto guard = engine_.locked();
    if (reactor::Link* const link = role_->link())
        fillChannelInformation(out, link->info(), ChannelState::active, role_->channel().name);
    else fillChannelInformation(out, {}, ChannelState::closed, role_->channel().name);
}

void NiProviderImpl::fill(UInt64, ChannelStatistics& out) {
    const auto guard = engine_.locked();
    out.clear();
    reactor::Link* const link = role_->link();
    if (link == nullptr) return;
    // A multicast channel has no TCP connection whose repetitions could be counted, and counts of its own.
    if (!isMulticast(link->info().connectionType)) {
        out.tcpRetransmitCount(eta::transport::tcpRetransmits(*link->channel()));
        return;
    }
    const eta::transport::MulticastCounters c = link->channel()->multicastCounters();
    out.multicastStatistics({c.multicastSent, c.multicastReceived, c.unicastSent, c.unicastReceived, c.gaps,
                             c.requestsSent, c.requestsReceived, c.repairsSent, c.repairsReceived});
}

}  // namespace emissary::ema
