// ema/session/provider: starts and ends an interactive provider, and passes the calls of the application to its role.
#include "session/provider/IProviderImpl.h"

#include "Access/Include/OmmIProviderConfig.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "data/contained_types.h"
#include "errors/refusals.h"
#include "eta/codec/plain_update.h"
#include "session/channel/describe_channel.h"
#include "session/provider/PackedMsgImpl.h"
#include "session/provider/provider_options.h"
#include "session/provider/publishing.h"
#include "settings/ConfigAccess.h"

namespace emissary::ema {

using namespace refinitiv::ema::access;
using eta::transport::ChannelState;
using reactor::SubmitFault;
using reactor::SubmitResult;
using Code = OmmInvalidUsageException;
namespace codec = eta::codec;

namespace {

constexpr const char* kAddMsg = "PackedMsg::addMsg()";

}  // namespace

// --- start and end ---------------------------------------------------------------------------------------------------

IProviderImpl::IProviderImpl(OmmProvider& owner, Clients clients)
    : ProviderImpl(InstanceKind::interactiveProvider, owner, clients), requests_(engine_, events_),
      tunnels_(callbacks_, engine_), callbacks_(*this, engine_, events_, requests_, tunnels_) {}

IProviderImpl::~IProviderImpl() {
    engine_.stop(*this);
}

OmmProviderConfig::ProviderRole IProviderImpl::role() const noexcept {
    return OmmProviderConfig::InteractiveEnum;
}

void IProviderImpl::start(const OmmProviderConfig& config) {
    const auto* own = dynamic_cast<const OmmIProviderConfig*>(&config);
    // The role chose this class, and any class can answer that virtual function.
    if (own == nullptr)
        throwInvalidUsage("OmmProvider: the configuration says it is interactive but is not an OmmIProviderConfig. "
                          "Pass an OmmIProviderConfig or an OmmNiProviderConfig.",
                          Code::InvalidArgumentEnum);
    const IProviderConfigImpl& given = ConfigAccess::of(*own);
    settings_ = given.settings();
    engine_.openLog(settings_);
    settings_.server.bind.tracing = engine_.messageTrace();
    reactor::ProviderOptions options = interactiveOptions(settings_, given, engine_);
    // Field lists that clients send are read with the first dictionary that is served.
    if (!options.dictionaries.empty()) dictionary_ = options.dictionaries.front().dictionary;
    engine_.openLoop();
    engine_.start(*this, {}, [&] { listen(std::move(options), given); });
    // The port that was bound: the configuration may have said 0.
    engine_.log("ServerChannelHandler", LogSeverity::success, "Listening on port " + std::to_string(port()) + ".");
}

void IProviderImpl::listen(reactor::ProviderOptions options, const IProviderConfigImpl& given) {
    const std::string port = options.bind.port;
    const TunnelClients::Rules rules{options.limits, options.refreshFirstRequired};
    // Listening comes last: a client may connect at once, and has to find directory, dictionaries and handlers.
    role_ = std::make_unique<reactor::ProviderRole>(engine_.loop(), std::move(options), callbacks_);
    if (given.tunnels) tunnels_.serve(*role_, *given.tunnels, rules);
    requests_.serve(*role_);
    callbacks_.serve(*role_, dictionary_.get());
    if (given.directoryRefresh) {
        const SubmitResult taken = role_->submitToAll(wireOf(*given.directoryRefresh));
        if (!taken.ok())
            throwInvalidUsage("OmmProvider: the directory refresh of addAdminMsg() is not valid: " +
                                  std::string(eta::describe(taken.error.code)) +
                                  ". Its domain must be MMT_DIRECTORY and its payload a Map of services.",
                              Code::InvalidArgumentEnum);
    }
    const eta::Refused refused = orThrowSystem([&] { return role_->listen(); });
    if (!refused) return;
    // A certificate or a port that is no number is no fault of the port.
    const bool taken = refused.text.find("in use") != std::string::npos;
    const std::string text = "OmmProvider cannot listen on port " + port + ": " + refused.text +
                             (taken ? ". Choose another port with OmmIProviderConfig::port() or the Server entry's "
                                      "Port, or stop the program that uses it."
                                    : ".");
    engine_.log("ServerChannelHandler", LogSeverity::error, text);
    throwInvalidUsage(text, Code::FailureEnum);
}

// --- submit ----------------------------------------------------------------------------------------------------------

/// Any thread; the session lock is held to the end. What is filled in for sending is taken out again, since the
/// application may submit the same message to the next client.
void IProviderImpl::submit(const Msg& msg, UInt64 handle) {
    engine_.requireUsable();
    codec::Msg& wire = wireOf(msg);
    const auto guard = engine_.locked();
    SubmitResult plain;
    // Nearly every call: no state to check, no service to resolve, and nothing to put back into the message.
    if (codec::isPlainUpdate(wire) && !MsgAccess::hasServiceName(msg) && role_->submitPlain(handle, wire, plain))
        [[likely]] {
        if (plain.ok()) [[likely]]
            return;
        fail(plain, Publishing::submit, callName(wire.cls), handle, wire);
    }
    requireStateExists(wire);
    const Restore restore(wire);
    if (MsgAccess::hasServiceName(msg) && wire.domain != reactor::rdm::kLoginDomain &&
        !resolveService(msg, wire, role_->directory())) [[unlikely]]
        throwNoService(msg, callName(wire.cls), Code::InvalidOperationEnum);
    if (TunnelClients::owns(handle)) [[unlikely]]
        return submitInTunnel(wire, handle);
    const SubmitResult result = handle != 0 ? role_->submit(handle, wire) : role_->submitToAll(wire);
    if (!result.ok()) [[unlikely]]
        fail(result, Publishing::submit, callName(wire.cls), handle, wire);
}

void IProviderImpl::submitInTunnel(codec::Msg& wire, UInt64 handle) {
    const TunnelClients::Submitted submitted = tunnels_.submit(handle, wire);
    if (submitted.ok()) [[likely]]
        return;
    const RefusedCall call{
        .call = callName(wire.cls), .handle = handle, .subject = tunnels_.describe(handle), .msg = &wire};
    if (submitted.queued != reactor::tunnel::SubmitFault::none) throwRefusal(submitted.queued, call);
    throwRefusal(submitted.checked, Publishing::submit, call);
}

void IProviderImpl::fail(const SubmitResult& result, Publishing doing, const std::string& call, UInt64 handle,
                         const codec::Msg& m) {
    RefusedCall refused{.call = call,
                        .handle = handle,
                        .subject = handle != 0 ? role_->describe(handle) : "all clients",
                        .msg = &m,
                        .error = result.error};
    // What a JSON client cannot be sent is an OmmJsonConverterException, which carries the session.
    if (result.fault == SubmitFault::encoding) {
        const UInt64 client = role_->clientOf(handle);
        const eta::transport::ChannelInfo* const channel = role_->channelInfo(client);
        if (channel != nullptr && channel->protocolType == eta::transport::kProtocolJson)
            refused.jsonSession = sessionInfo(handle, client);
    }
    throwRefusal(result.fault, doing, refused);
}

// --- packs -----------------------------------------------------------------------------------------------------------

void IProviderImpl::startPack(PackedMsgImpl& pack, const UInt64* clientHandle, UInt32 maxBytes) {
    engine_.requireUsable();
    if (clientHandle == nullptr)
        throwInvalidUsage("PackedMsg::initBuffer(): an interactive provider packs for one client. Pass "
                          "event.getClientHandle().",
                          Code::InvalidOperationEnum);
    const auto guard = engine_.locked();
    if (TunnelClients::owns(*clientHandle))
        throwInvalidUsage("PackedMsg::initBuffer(): client handle " + std::to_string(*clientHandle) +
                              " is a tunnel stream, which has no packs; its messages are submitted one by one.",
                          Code::InvalidOperationEnum);
    reactor::Link* const link = role_->link(*clientHandle);
    if (link == nullptr)
        throwInvalidHandle("PackedMsg::initBuffer(): client handle " + std::to_string(*clientHandle) +
                               " does not exist; the client has disconnected.",
                           *clientHandle);
    pack.begin(link->info(), *clientHandle, maxBytes,
               [](std::uint64_t client) { return "client " + std::to_string(client); });
}

void IProviderImpl::addToPack(PackedMsgImpl& pack, const Msg& msg, UInt64 handle) {
    engine_.requireUsable();
    pack.requireBegun();
    if (handle == 0)
        throwInvalidUsage("PackedMsg::addMsg(): handle 0 names no item. Pass event.getHandle() of an open request.",
                          Code::InvalidOperationEnum);
    requireContent(msg, kAddMsg);
    codec::Msg& wire = wireOf(msg);
    const auto guard = engine_.locked();
    const Restore restore(wire);
    if (MsgAccess::hasServiceName(msg) && wire.domain != reactor::rdm::kLoginDomain &&
        !resolveService(msg, wire, role_->directory()))
        throwNoService(msg, kAddMsg, Code::InvalidArgumentEnum);
    // What the message changes takes effect when the pack has left.
    reactor::PackedEffect effect = pack.effectOn(handle);
    SubmitResult result = role_->prepare(handle, pack.connection(), wire, effect);
    if (result.ok()) {
        result.error = pack.add(wire, handle, effect);
        if (!result.error.ok()) result.fault = SubmitFault::encoding;
    }
    if (!result.ok()) fail(result, Publishing::addToPack, kAddMsg, handle, wire);
}

void IProviderImpl::submitPack(PackedMsgImpl& pack) {
    engine_.requireUsable();
    pack.requireMessages();
    const auto guard = engine_.locked();
    const SubmitResult result = role_->submitPacked(pack.connection(), pack.body(), pack.messages(), pack.changes());
    if (result.ok()) return pack.release();
    // With full buffers the pack stays for another try. Whatever else happened, it can never be sent.
    if (result.fault != SubmitFault::noBuffers) pack.release();
    throwRefusal(result.fault, Publishing::sendPack, {.call = "submit(PackedMsg)"});
}

// --- requests to clients ---------------------------------------------------------------------------------------------

UInt64 IProviderImpl::registerClient(const ReqMsg& request, OmmProviderClient& client, void* closure) {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    return requests_.open(request, client, closure);
}

void IProviderImpl::reissue(const ReqMsg& request, UInt64 handle) {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    requests_.reissue(request, handle);
}

void IProviderImpl::unregister(UInt64 handle) {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    requests_.close(handle);
}

// --- clients ---------------------------------------------------------------------------------------------------------

void IProviderImpl::connectedClients(EmaVector<ChannelInformation>& out) {
    engine_.requireUsable();
    out.clear();
    const auto guard = engine_.locked();
    for (const reactor::ClientInfo& client : role_->clients()) {
        ChannelInformation info;
        fillChannelInformation(info, *client.channel, ChannelState::active, settings_.server.name);
        out.push_back(info);
    }
}

void IProviderImpl::clientStatistics(UInt64 clientHandle, ChannelStatistics& out) {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    if (role_->link(connectionOf(clientHandle)) == nullptr)
        throwInvalidUsage("getConnectedClientChannelStats(): client handle " + std::to_string(clientHandle) +
                              " does not exist. Use event.getClientHandle() of a connected client.",
                          Code::InvalidArgumentEnum);
    fill(clientHandle, out);
}

void IProviderImpl::modifyIOCtl(Int32 code, Int32 value, UInt64 handle) {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    reactor::Link* link = role_->link(connectionOf(handle));
    // Handles of items are taken as well; they mean the client's connection.
    if (link == nullptr) link = role_->link(role_->clientOf(handle));
    if (link == nullptr)
        throwInvalidUsage("modifyIOCtl(): handle " + std::to_string(handle) +
                              " names no connected client. Pass event.getClientHandle().",
                          Code::InvalidArgumentEnum);
    changeOption(*link->channel(), code, value);
}

void IProviderImpl::closeChannel(UInt64 clientHandle) {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    if (TunnelClients::owns(clientHandle) ? !tunnels_.close(clientHandle) : !role_->closeClient(clientHandle))
        throwInvalidUsage("closeChannel(): client handle " + std::to_string(clientHandle) +
                              " does not exist. Use event.getClientHandle() of a connected client.",
                          Code::InvalidArgumentEnum);
}

void IProviderImpl::fill(UInt64 clientHandle, ChannelInformation& out) {
    const auto guard = engine_.locked();
    out.clear();
    clientHandle = connectionOf(clientHandle);
    const auto* info = role_->channelInfo(clientHandle);
    if (info == nullptr) {
        out.channelState(ChannelInformation::ClosedEnum);
        return;
    }
    // A client that has just gone is still described to callbacks, but has no link any more.
    const bool open = role_->link(clientHandle) != nullptr;
    fillChannelInformation(out, *info, open ? ChannelState::active : ChannelState::closed, settings_.server.name);
}

void IProviderImpl::fill(UInt64 clientHandle, ChannelStatistics& out) {
    const auto guard = engine_.locked();
    out.clear();
    if (reactor::Link* link = role_->link(connectionOf(clientHandle)))
        out.tcpRetransmitCount(eta::transport::tcpRetransmits(*link->channel()));
}

reactor::Link* IProviderImpl::linkOf(UInt64 clientHandle) {
    return role_ ? role_->link(connectionOf(clientHandle)) : nullptr;
}

std::optional<UInt32> IProviderImpl::tunnelBuffersUsed(UInt64 clientHandle) {
    if (!engine_.usable() || !TunnelClients::owns(clientHandle)) return {};
    const auto guard = engine_.locked();
    return tunnels_.buffersUsed(clientHandle);
}

// --- for tests and tools ---------------------------------------------------------------------------------------------

std::uint16_t IProviderImpl::port() {
    if (!role_) return 0;
    const auto guard = engine_.locked();
    return role_->port();
}

reactor::ProviderCounters IProviderImpl::counters() {
    if (!role_) return {};
    const auto guard = engine_.locked();
    return role_->counters();
}

eta::transport::ChannelCounters IProviderImpl::clientCounters(UInt64 clientHandle) {
    if (!role_) return {};
    const auto guard = engine_.locked();
    reactor::Link* link = role_->link(clientHandle);
    return link != nullptr ? link->channel()->counters() : eta::transport::ChannelCounters{};
}

}  // namespace emissary::ema
