#include "session/IProviderImpl.h"

#include "Access/Include/OmmIProviderConfig.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/RefreshMsg.h"
#include "session/PackedMsgImpl.h"
#include "session/ProviderAccess.h"
#include "session/describe_channel.h"
#include "data/contained_types.h"
#include "session/provider_services.h"
#include "session/publishing.h"
#include "errors/raise.h"
#include "settings/ConfigAccess.h"
#include "settings/ProviderConfigImpl.h"
#include "eta/core/printable.h"

#include <map>
#include <mutex>

namespace emissary::ema {

using namespace refinitiv::ema::access;
using eta::Errc;
namespace KeyFlag = eta::codec::KeyFlag;
using reactor::ServedDictionary;
using reactor::StreamEvent;
using reactor::SubmitFault;
using reactor::SubmitResult;
using Code = OmmInvalidUsageException;
namespace codec = eta::codec;

namespace {

using Guard = std::lock_guard<reactor::SessionLock>;

}  // namespace

// --- life ------------------------------------------------------------------------------------------------------------

IProviderImpl::~IProviderImpl() {
    stop();
    if (!role_) return;
    const Guard guard(loop().lock());
    role_.reset();
}

OmmProviderConfig::ProviderRole IProviderImpl::role() const noexcept {
    return OmmProviderConfig::InteractiveEnum;
}

void IProviderImpl::start(const OmmProviderConfig& config) {
    const auto* own = dynamic_cast<const OmmIProviderConfig*>(&config);
    if (own == nullptr)
        throwInvalidUsage("OmmProvider: the configuration says it is interactive but is not an OmmIProviderConfig. "
                          "Pass an OmmIProviderConfig or an OmmNiProviderConfig.",
                          Code::InvalidArgumentEnum);
    const IProviderConfigImpl& given = ConfigAccess::of(*own);
    settings_ = given.settings();
    open(settings_);

    reactor::ProviderOptions options;
    options.bind = settings_.server.bind;
    options.limits = settings_.server.limits;
    options.directoryByUser = settings_.directoryByUser;
    options.dictionaryByUser = settings_.dictionaryByUser;
    if (!options.directoryByUser && !given.directoryRefresh)
        for (const ServiceSettings& service : settings_.services)
            options.services.push_back(toService(service));
    if (!options.dictionaryByUser) loadDictionaries(options);
    options.fieldFragmentBytes = settings_.fieldDictionaryFragmentSize;
    options.enumFragmentBytes = settings_.enumTypeFragmentSize;
    options.requestTimeout = std::chrono::milliseconds(settings_.requestTimeoutMs);
    options.refreshFirstRequired = settings_.refreshFirstRequired;
    options.enforceAckIdValidation = settings_.enforceAckIdValidation;
    options.acceptWithoutLogin = settings_.acceptMessageWithoutBeingLogin;
    options.acceptWithoutAcceptingRequests = settings_.acceptMessageWithoutAcceptingRequests;
    options.acceptWithoutQosInRange = settings_.acceptMessageWithoutQosInRange;
    options.acceptSameKeyOnOtherStream = settings_.acceptMessageSameKeyButDiffStream;
    options.acceptServiceChange = settings_.acceptMessageThatChangesService;
    options.acceptDirectoryWithoutMinFilters = settings_.acceptDirMessageWithoutMinFilters;

    const std::string port = options.bind.port;
    const Guard guard(loop().lock());
    auto role = std::make_unique<reactor::ProviderRole>(loop(), std::move(options), *this);
    if (given.directoryRefresh) {
        const SubmitResult taken = role->submitToAll(wireOf(*given.directoryRefresh));
        if (!taken.ok())
            throwInvalidUsage("OmmProvider: the directory refresh of addAdminMsg() is not valid: " +
                                  std::string(eta::describe(taken.error.code)) +
                                  ". Its domain must be MMT_DIRECTORY and its payload a Map of services.",
                              Code::InvalidArgumentEnum);
    }
    std::string reason;
    if (!orThrowSystem([&] { return role->listen(reason); })) {
        const std::string text = "OmmProvider cannot listen on port " + port + ": " + reason +
                                 ". Choose another port with OmmIProviderConfig::port() or the Server entry's Port, or "
                                 "stop the program that uses it.";
        log("ServerChannelHandler", LogSeverity::error, text);
        throwInvalidUsage(text, Code::FailureEnum);
    }
    role_ = std::move(role);
    try {
        startApiThread();
    } catch (...) {
        role_.reset();
        throw;
    }
    log("ServerChannelHandler", LogSeverity::success, "Listening on port " + std::to_string(role_->port()) + ".");
}

void IProviderImpl::loadDictionaries(reactor::ProviderOptions& options) {
    using eta::dictionary::Dictionary;
    std::map<std::pair<std::string, std::string>, std::shared_ptr<const Dictionary>> loaded;
    const auto have = [&](const std::string& name) {
        return std::any_of(options.dictionaries.begin(), options.dictionaries.end(),
                           [&](const ServedDictionary& d) { return d.name == name; });
    };
    for (const ServiceSettings& service : settings_.services) {
        for (const DictionarySettings& d : service.dictionariesProvided) {
            auto& dictionary = loaded[{d.fieldFile, d.enumFile}];
            if (!dictionary) {
                auto fresh = std::make_shared<Dictionary>();
                for (const auto& error : {fresh->loadFields(d.fieldFile), fresh->loadEnums(d.enumFile)}) {
                    if (!error) continue;
                    log("DictionaryHandler", LogSeverity::error, error.text);
                    throwInvalidUsage("OmmProvider cannot load the dictionary of service '" + service.name +
                                          "': " + error.text,
                                      Code::FailureEnum);
                }
                for (const std::string& text : fresh->warnings())
                    log("DictionaryHandler", LogSeverity::warning, text);
                dictionary = std::move(fresh);
                if (!dictionary_) dictionary_ = dictionary;
            }
            if (!have(d.fieldItemName))
                options.dictionaries.push_back({d.fieldItemName, ServedDictionary::Kind::fields, dictionary});
            if (!have(d.enumItemName))
                options.dictionaries.push_back({d.enumItemName, ServedDictionary::Kind::enums, dictionary});
        }
    }
}

void IProviderImpl::requireStarted() const {
    if (!role_) [[unlikely]]
        throwInvalidUsage("This OmmProvider did not start; the error client was told why. Create a new one.",
                          Code::InvalidOperationEnum);
}

// --- submit ----------------------------------------------------------------------------------------------------------

void IProviderImpl::submit(const Msg& msg, UInt64 handle) {
    guarded([&] {
        codec::Msg& wire = wireOf(msg);
        requireStarted();
        const Guard guard(loop().lock());
        const Restore restore(wire);
        if (MsgAccess::hasServiceName(msg)) resolveService(msg, wire, callName(wire.cls), Code::InvalidOperationEnum);
        const SubmitResult result = handle != 0 ? role_->submit(handle, wire) : role_->submitToAll(wire);
        if (!result.ok()) [[unlikely]]
            fail(result, callName(wire.cls), handle, wire);
    });
}

/// Puts the id of the named service into the key; when there is none, throws with the call's name and this code.
void IProviderImpl::resolveService(const Msg& msg, codec::Msg& wire, const std::string& call, Int32 code) const {
    if (wire.domain == reactor::rdm::kLoginDomain) return;
    const std::string_view name = MsgAccess::serviceName(msg);
    const reactor::rdm::Service* service = role_->directory().find(name);
    if (service == nullptr)
        throwInvalidUsage(call + "the source directory has no service '" + std::string(name) +
                              "'; nothing was sent. Configure the service or submit a directory refresh naming it.",
                          code);
    wire.key.flags |= KeyFlag::serviceId;
    wire.key.serviceId = service->id;
    setKeyFlag(wire);
}

void IProviderImpl::fail(const SubmitResult& result, const std::string& call, UInt64 handle, const codec::Msg& m) {
    const std::string item = handle != 0 ? role_->describe(handle) : "all clients";
    switch (result.fault) {
    case SubmitFault::none:
        break;
    case SubmitFault::unknownHandle:
        throwInvalidUsage(call + "handle " + std::to_string(handle) +
                              " does not exist; the item was closed or never opened. Use event.getHandle() of an open "
                              "request.",
                          Code::InvalidArgumentEnum);
    case SubmitFault::notAllowed:
        if (handle == 0)
            throwInvalidUsage(call +
                                  "handle 0 sends to all clients, which works for RefreshMsg and StatusMsg on the "
                                  "login, directory and dictionary domains and UpdateMsg on the directory domain, "
                                  "not on domain " +
                                  std::to_string(m.domain) + ". Pass the handle of one item.",
                              Code::InvalidArgumentEnum);
        throwInvalidUsage(call + "this message class is not allowed on " + item + ".", Code::InvalidArgumentEnum);
    case SubmitFault::refreshFirst:
        throwInvalidHandle(call + "a refresh must be submitted first on " + item +
                               ". Submit a RefreshMsg, or configure RefreshFirstRequired 0.",
                           handle);
    case SubmitFault::unknownService:
        throwInvalidUsage(call + "the source directory has no service with id " + std::to_string(m.key.serviceId) +
                              ", named for " + item + "; nothing was sent.",
                          Code::InvalidOperationEnum);
    case SubmitFault::badDirectory:
        throwInvalidUsage(call + "the payload for " + item + " is no valid source directory (" +
                              eta::describe(result.error.code) +
                              "). It must be a Map of services with their mandatory elements.",
                          Code::InvalidArgumentEnum);
    case SubmitFault::badDictionary:
        throwInvalidUsage(call + "the payload for " + item + " is no dictionary. It must be a Series.",
                          Code::InvalidArgumentEnum);
    case SubmitFault::unknownAck:
        throwInvalidUsage(call + "ack id " + std::to_string(m.ackId) + " belongs to no unacknowledged post on " + item +
                              ". Use the post's id once, or configure EnforceAckIDValidation 0.",
                          Code::InvalidArgumentEnum);
    case SubmitFault::noBuffers:
        throwInvalidUsage(call + "the output buffers for " + item +
                              " are all in use: the client reads too slowly. Submit again later, or raise "
                              "GuaranteedOutputBuffers of the server.",
                          Code::NoBuffersEnum);
    case SubmitFault::clientGone:
        throwInvalidUsage(call + "the connection of " + item + " is lost.", Code::FailureEnum);
    case SubmitFault::noClient:
    case SubmitFault::badRequest:  // of registerClient() and reissue()
        break;
    case SubmitFault::encoding: {
        const UInt64 client = role_->clientOf(handle);
        const eta::transport::ChannelInfo* const channel = role_->channelInfo(client);
        if (channel == nullptr || channel->protocolType != eta::transport::kProtocolJson) break;
        throwConversion(call + "the message for " + item + " " + reactor::cannotBeJson(result.error.code), handle,
                        client);
    }
    }
    throwInvalidUsage(call + "the message for " + item + " cannot be encoded: " + eta::describe(result.error.code) +
                          ".",
                      result.error.code == Errc::outOfRange ? Code::ValueOutOfRangeEnum : Code::InvalidDataEnum);
}

// --- packs -----------------------------------------------------------------------------------------------------------

void IProviderImpl::startPack(PackedMsgImpl& pack, const UInt64* clientHandle, UInt32 maxBytes) {
    guarded([&] {
        requireStarted();
        if (clientHandle == nullptr)
            throwInvalidUsage("PackedMsg::initBuffer(): an interactive provider packs for one client. Pass "
                              "event.getClientHandle().",
                              Code::InvalidOperationEnum);
        const Guard guard(loop().lock());
        reactor::Link* link = role_->link(*clientHandle);
        if (link == nullptr)
            throwInvalidHandle("PackedMsg::initBuffer(): client handle " + std::to_string(*clientHandle) +
                                   " does not exist; the client has disconnected.",
                               *clientHandle);
        if (link->info().protocolType != eta::transport::kProtocolRwf)
            throwInvalidUsage("PackedMsg::initBuffer(): client " + std::to_string(*clientHandle) +
                                  " speaks JSON; packs are for RWF connections. Submit its messages one by one.",
                              Code::InvalidOperationEnum);
        const std::uint32_t most = link->info().maxFragmentSize;
        if (maxBytes == 0) maxBytes = std::min<std::uint32_t>(6000, most);
        if (maxBytes > most)
            throwInvalidUsage("PackedMsg::initBuffer(): " + std::to_string(maxBytes) +
                                  " bytes are more than one transport message of this client carries (" +
                                  std::to_string(most) + ").",
                              Code::InvalidArgumentEnum);
        pack.release();
        pack.body.resize(maxBytes);
        pack.clientHandle = *clientHandle;
    });
}

void IProviderImpl::addToPack(PackedMsgImpl& pack, const Msg& msg, UInt64 handle) {
    static const std::string kCall = "PackedMsg::addMsg(): ";
    guarded([&] {
        requireStarted();
        if (!pack.ready()) throwInvalidUsage(kCall + "call initBuffer() first.", Code::InvalidOperationEnum);
        if (handle == 0)
            throwInvalidUsage(kCall + "handle 0 names no item. Pass event.getHandle() of an open request.",
                              Code::InvalidOperationEnum);
        requireContent(msg, "PackedMsg::addMsg()");
        codec::Msg& wire = wireOf(msg);
        const Guard guard(loop().lock());
        const Restore restore(wire);
        if (MsgAccess::hasServiceName(msg)) resolveService(msg, wire, kCall, Code::InvalidArgumentEnum);
        SubmitResult result = role_->prepare(handle, pack.clientHandle, wire);
        if (result.fault == SubmitFault::unknownService)
            throwInvalidUsage(kCall + "the source directory has no service with id " +
                                  std::to_string(wire.key.serviceId) + ".",
                              Code::InvalidArgumentEnum);
        if (!result.ok()) fail(result, kCall, handle, wire);
        const eta::Error e = pack.append(wire);
        if (e.code == Errc::noSpace)
            throwInvalidUsage(kCall + "the message does not fit in the remaining " + std::to_string(pack.left()) +
                                  " bytes. Submit the pack, call initBuffer() and add the message again.",
                              Code::BufferTooSmallEnum);
        if (!e.ok()) {
            pack.release();
            result.fault = SubmitFault::encoding;
            result.error = e;
            fail(result, kCall, handle, wire);
        }
        if (!pack.holdBack(handle, wire)) role_->prepared(handle, wire);
    });
}

void IProviderImpl::submitPack(PackedMsgImpl& pack) {
    guarded([&] {
        requireStarted();
        if (pack.messages == 0)
            throwInvalidUsage("submit(PackedMsg): the pack is empty. Call initBuffer() and addMsg() first.",
                              Code::InvalidOperationEnum);
        const Guard guard(loop().lock());
        const SubmitResult result =
            role_->submitPacked(pack.clientHandle, {pack.body.data(), pack.used}, pack.messages);
        if (result.fault == SubmitFault::noBuffers)
            throwInvalidUsage("submit(PackedMsg): the client's output buffers are all in use. Submit again later, or "
                              "raise GuaranteedOutputBuffers of the server.",
                              Code::NoBuffersEnum);
        if (!result.ok()) {
            pack.release();
            throwInvalidUsage("submit(PackedMsg): the client has disconnected.", Code::NoActiveChannelEnum);
        }
        for (const PackedMsgImpl::Ending& ending : pack.endings)
            role_->prepared(ending.handle, ending.msg);
        pack.release();
    });
}

// --- clients ---------------------------------------------------------------------------------------------------------

void IProviderImpl::connectedClients(EmaVector<ChannelInformation>& out) {
    guarded([&] {
        requireStarted();
        out.clear();
        const Guard guard(loop().lock());
        for (const reactor::ClientInfo& client : role_->clients()) {
            ChannelInformation info;
            fillChannelInformation(info, *client.channel, eta::transport::ChannelState::active, settings_.server.name);
            out.push_back(info);
        }
    });
}

void IProviderImpl::clientStatistics(UInt64 clientHandle, ChannelStatistics& out) {
    guarded([&] {
        requireStarted();
        const Guard guard(loop().lock());
        reactor::Link* link = role_->link(clientHandle);
        if (link == nullptr)
            throwInvalidUsage("getConnectedClientChannelStats(): client handle " + std::to_string(clientHandle) +
                                  " does not exist. Use event.getClientHandle() of a connected client.",
                              Code::InvalidArgumentEnum);
        out.clear();
        out.tcpRetransmitCount(link->channel()->tcpRetransmits());
    });
}

void IProviderImpl::channelInformation(ChannelInformation&) {
    guarded([&] {
        throwInvalidUsage("getChannelInformation() is for non-interactive providers. Use "
                          "getConnectedClientChannelInfo().",
                          Code::InvalidOperationEnum);
    });
}

void IProviderImpl::channelStatistics(ChannelStatistics&) {
    guarded([&] {
        throwInvalidUsage("getChannelStatistics() is for non-interactive providers. Use "
                          "getConnectedClientChannelStats().",
                          Code::InvalidOperationEnum);
    });
}

void IProviderImpl::modifyIOCtl(Int32 code, Int32 value, UInt64 handle) {
    guarded([&] {
        requireStarted();
        const Guard guard(loop().lock());
        reactor::Link* link = role_->link(handle);
        if (link == nullptr) link = role_->link(role_->clientOf(handle));
        if (link == nullptr)
            throwInvalidUsage("modifyIOCtl(): handle " + std::to_string(handle) +
                                  " names no connected client. Pass event.getClientHandle().",
                              Code::InvalidArgumentEnum);
        changeOption(*link->channel(), code, value);
    });
}

void IProviderImpl::closeChannel(UInt64 clientHandle) {
    guarded([&] {
        requireStarted();
        const Guard guard(loop().lock());
        if (!role_->closeClient(clientHandle))
            throwInvalidUsage("closeChannel(): client handle " + std::to_string(clientHandle) +
                                  " does not exist. Use event.getClientHandle() of a connected client.",
                              Code::InvalidArgumentEnum);
    });
}

void IProviderImpl::fill(UInt64 clientHandle, ChannelInformation& out) {
    out.clear();
    const auto* info = role_->channelInfo(clientHandle);
    const bool open = role_->link(clientHandle) != nullptr;
    if (info != nullptr)
        fillChannelInformation(out, *info,
                               open ? eta::transport::ChannelState::active : eta::transport::ChannelState::closed,
                               settings_.server.name);
    else out.channelState(ChannelInformation::ClosedEnum);
}

void IProviderImpl::fill(UInt64 clientHandle, ChannelStatistics& out) {
    out.clear();
    if (reactor::Link* link = role_->link(clientHandle)) out.tcpRetransmitCount(link->channel()->tcpRetransmits());
}

std::uint16_t IProviderImpl::port() {
    if (!role_) return 0;
    const Guard guard(loop().lock());
    return role_->port();
}

reactor::ProviderCounters IProviderImpl::counters() {
    if (!role_) return {};
    const Guard guard(loop().lock());
    return role_->counters();
}

eta::transport::ChannelCounters IProviderImpl::clientCounters(UInt64 clientHandle) {
    if (!role_) return {};
    const Guard guard(loop().lock());
    reactor::Link* link = role_->link(clientHandle);
    return link != nullptr ? link->channel()->counters() : eta::transport::ChannelCounters{};
}

// --- callbacks -------------------------------------------------------------------------------------------------------

DecodeContext IProviderImpl::contextOf(const codec::Msg& m) {
    DecodeContext context;
    context.dictionary = dictionary_.get();
    if (!m.hasKey() || !m.key.has(KeyFlag::serviceId)) return context;
    const reactor::rdm::Service* service = role_->directory().find(m.key.serviceId);
    if (service == nullptr) return context;
    serviceName_ = service->name();
    context.serviceName = serviceName_;
    context.hasServiceName = true;
    return context;
}

/// False when onAllMsg ended the handle: the specific callback is not made for it any more.
bool IProviderImpl::stillOpen(const StreamEvent& e) const noexcept {
    return role_->clientOf(e.handle) != 0;
}

void IProviderImpl::onRequest(const StreamEvent& e, const codec::Msg& m) {
    const DecodeContext context = contextOf(m);
    MsgAccess::point(request_, m, context);
    call(e.handle, e.clientHandle, closure(), [&] {
        client().onAllMsg(request_, event());
        if (stillOpen(e)) client().onReqMsg(request_, event());
    });
}

void IProviderImpl::onReissue(const StreamEvent& e, const codec::Msg& m) {
    const DecodeContext context = contextOf(m);
    MsgAccess::point(request_, m, context);
    call(e.handle, e.clientHandle, closure(), [&] {
        client().onAllMsg(request_, event());
        if (stillOpen(e)) client().onReissue(request_, event());
    });
}

void IProviderImpl::onClose(const StreamEvent& e, const codec::Msg& m) {
    const DecodeContext context = contextOf(m);
    MsgAccess::point(request_, m, context);
    call(e.handle, e.clientHandle, closure(), [&] {
        client().onAllMsg(request_, event());
        client().onClose(request_, event());
    });
}

void IProviderImpl::onPost(const StreamEvent& e, const codec::Msg& m) {
    const DecodeContext context = contextOf(m);
    MsgAccess::point(post_, m, context);
    call(e.handle, e.clientHandle, closure(), [&] {
        client().onAllMsg(post_, event());
        if (stillOpen(e)) client().onPostMsg(post_, event());
    });
}

void IProviderImpl::onGeneric(const StreamEvent& e, const codec::Msg& m) {
    const DecodeContext context = contextOf(m);
    MsgAccess::point(generic_, m, context);
    call(e.handle, e.clientHandle, closure(), [&] {
        client().onAllMsg(generic_, event());
        if (stillOpen(e)) client().onGenericMsg(generic_, event());
    });
}

/// Strangers may come and go as often as they like: what was left out is said once there is room for a record again.
bool IProviderImpl::worthRecord(reactor::RecordLimit& limit, std::string& suffix) {
    if (!limit.pass(reactor::Clock::now())) return false;
    if (const std::uint64_t others = limit.takeSuppressed(); others != 0)
        suffix = "\n\tSuppressed " + std::to_string(others) + " more since the last record";
    return true;
}

void IProviderImpl::onClientUp(std::uint64_t clientHandle, const eta::transport::ChannelInfo& info) {
    std::string others;
    if (!worthRecord(upRecords_, others)) return;
    log("ServerChannelHandler", LogSeverity::success,
        "Client connected.\n\tClient handle " + std::to_string(clientHandle) + "\n\tAddress " + info.peerAddress +
            "\n\tComponent " + (info.componentInfo.empty() ? "unavailable" : eta::printable(info.componentInfo)) +
            others);
}

void IProviderImpl::onClientDown(std::uint64_t clientHandle, const std::string& reason) {
    std::string others;
    if (!worthRecord(downRecords_, others)) return;
    log("ServerChannelHandler", LogSeverity::warning,
        "Client disconnected.\n\tClient handle " + std::to_string(clientHandle) + "\n\tReason " + reason + others);
}

void IProviderImpl::onHandshakeFailed(const std::string& reason, std::uint64_t suppressed) {
    log("ServerChannelHandler", LogSeverity::warning,
        "Connection refused before it was established.\n\tReason " + reason +
            (suppressed == 0 ? "" : "\n\tSuppressed " + std::to_string(suppressed) + " more since the last record"));
}

void IProviderImpl::onRefused(std::uint64_t clientHandle, const std::string& text) {
    std::string others;
    if (!worthRecord(refusedRecords_, others)) return;
    log("ItemCallbackClient", LogSeverity::verbose,
        "Request refused.\n\tClient handle " + std::to_string(clientHandle) + "\n\tReason " + text + others);
}

void IProviderImpl::onJsonFailure(std::uint64_t clientHandle, const std::string& text) {
    log("ItemCallbackClient", LogSeverity::warning, text + "\n\tClient handle " + std::to_string(clientHandle));
    tellJsonFailure(text, clientHandle);
}

}  // namespace emissary::ema
