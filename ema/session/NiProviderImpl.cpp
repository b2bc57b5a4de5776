#include "session/NiProviderImpl.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmNiProviderConfig.h"
#include "session/PackedMsgImpl.h"
#include "session/channel_check.h"
#include "session/describe_channel.h"
#include "session/connection_log.h"
#include "data/contained_types.h"
#include "session/login_request.h"
#include "session/provider_services.h"
#include "session/publishing.h"
#include "errors/raise.h"
#include "settings/ConfigAccess.h"
#include "config/services.h"

#include <algorithm>
#include <mutex>

namespace emissary::ema {

using namespace refinitiv::ema::access;
using eta::Errc;
using eta::codec::MsgClass;
using reactor::consumer::ConnectionEvent;
using reactor::consumer::Refusal;
using reactor::niprovider::NiProviderOptions;
using reactor::niprovider::NiProviderRole;
using reactor::niprovider::PublishFault;
using reactor::niprovider::PublishResult;
using Code = OmmInvalidUsageException;
using Phase = NiProviderRole::Phase;
namespace codec = eta::codec;
namespace KeyFlag = eta::codec::KeyFlag;

namespace {

using Guard = std::lock_guard<reactor::SessionLock>;

constexpr UInt32 kDefaultPackBytes = 6000;

[[noreturn]] void interactiveOnly(const char* call, const char* instead) {
    throwInvalidUsage(std::string(call) + " is for interactive providers. " + instead, Code::InvalidOperationEnum);
}

}  // namespace

// --- life ------------------------------------------------------------------------------------------------------------

NiProviderImpl::NiProviderImpl(OmmProvider& owner, Clients clients)
    : ProviderImpl(owner, clients), adminClient_(clients.client != nullptr) {}

NiProviderImpl::~NiProviderImpl() {
    started_.store(false, std::memory_order_release);
    stop();
    if (!role_) return;
    const Guard guard(loop().lock());
    role_->shutdown();
    role_.reset();
}

OmmProviderConfig::ProviderRole NiProviderImpl::role() const noexcept {
    return OmmProviderConfig::NonInteractiveEnum;
}

NiProviderOptions NiProviderImpl::options(const NiProviderConfigImpl& given) const {
    const NiProviderSettings& s = settings_;
    NiProviderOptions o;
    for (const ChannelSettings& channel : s.channels) {
        auto& entry = o.channels.emplace_back();
        entry.name = channel.name;
        entry.connect = channel.connect;
    }
    o.reconnectAttemptLimit = s.reconnectAttemptLimit;
    o.reconnectMinDelay = std::chrono::milliseconds(s.reconnectMinDelayMs);
    o.reconnectMaxDelay = std::chrono::milliseconds(s.reconnectMaxDelayMs);
    LoginRequest login = makeLoginRequest(s.login, given.loginRequest.get(), LoginRole::provider, false);
    o.userName = std::move(login.userName);
    o.userNameType = login.nameType;
    o.loginAttributes = std::move(login.attributes);
    o.requestTimeout = std::chrono::milliseconds(s.requestTimeoutMs);
    o.directoryByUser = s.directoryByUser;
    if (!s.directoryByUser && !given.directoryRefresh)
        for (const ServiceSettings& service : s.services)
            o.services.push_back(toService(service));
    o.mergeSourceDirectoryStreams = s.mergeSourceDirectoryStreams;
    o.recoverUserSubmitSourceDirectory = s.recoverUserSubmitSourceDirectory;
    o.removeItemsOnDisconnect = s.removeItemsOnDisconnect;
    o.refreshFirstRequired = s.refreshFirstRequired;
    o.itemCountHint = s.itemCountHint;
    return o;
}

/// Field lists travel by name over JSON: the first file dictionary of the configured services knows the names. Null
/// when no channel can come to speak JSON.
std::shared_ptr<const eta::dictionary::Dictionary> NiProviderImpl::jsonDictionary() {
    if (!maySpeakJson(settings_.channels)) return nullptr;
    const DictionarySettings* const names = fileDictionary(settings_.services);
    if (names == nullptr) {
        log("DictionaryHandler", LogSeverity::warning,
            "Field lists cannot be published over JSON: no service of the configured Directory names a "
            "FileDictionary.");
        return nullptr;
    }
    auto loaded = std::make_shared<eta::dictionary::Dictionary>();
    auto error = loaded->loadFields(names->fieldFile);
    if (!error) error = loaded->loadEnums(names->enumFile);
    if (!error) {
        for (const std::string& text : loaded->warnings())
            log("DictionaryHandler", LogSeverity::warning, text);
        return loaded;
    }
    log("DictionaryHandler", LogSeverity::warning,
        "Field lists cannot be published over JSON, the dictionary '" + names->name +
            "' of the configured services cannot be loaded: " + error.text);
    return nullptr;
}

void NiProviderImpl::start(const OmmProviderConfig& config) {
    const auto* own = dynamic_cast<const OmmNiProviderConfig*>(&config);
    if (own == nullptr)
        throwInvalidUsage("OmmProvider: the configuration says it is non-interactive but is not an "
                          "OmmNiProviderConfig. Pass an OmmIProviderConfig or an OmmNiProviderConfig.",
                          Code::InvalidArgumentEnum);
    const NiProviderConfigImpl& given = ConfigAccess::of(*own);
    settings_ = given.settings();
    open(settings_);
    if (const std::string wrong = unusableChannel(settings_.channels); !wrong.empty()) {
        log("ChannelCallbackClient", LogSeverity::error, wrong);
        throwInvalidConfiguration(wrong);
    }
    NiProviderOptions roleOptions = options(given);
    roleOptions.dictionary = jsonDictionary();
    {
        const Guard guard(loop().lock());
        auto role = std::make_unique<NiProviderRole>(loop(), std::move(roleOptions), *this);
        if (given.directoryRefresh && !settings_.directoryByUser) {
            const eta::Error e = role->useDirectory(wireOf(*given.directoryRefresh).payload);
            if (!e.ok())
                throwInvalidUsage("OmmProvider: the directory refresh of addAdminMsg() is not valid: " +
                                      std::string(eta::describe(e.code)) + ". Its payload must be a Map of services.",
                                  Code::InvalidArgumentEnum);
        }
        role_ = std::move(role);
        starting_ = true;
        started_.store(true, std::memory_order_release);  // callbacks may call already
        if (adminClient_) {
            codec::Msg login;
            login.cls = MsgClass::Request;
            login.domain = reactor::rdm::kLoginDomain;
            Refusal refusal;
            role_->registerClient({login, {}}, {&client(), closure(), 0}, refusal);
        }
        role_->start();
    }
    try {
        waitForLogin();
        {
            const Guard guard(loop().lock());
            starting_ = false;
        }
        startApiThread();
    } catch (...) {
        started_.store(false, std::memory_order_release);
        const Guard guard(loop().lock());
        starting_ = false;
        role_->shutdown();
        throw;
    }
    log(settings_.instanceName, LogSeverity::verbose, "Initialized.");
}

/// Dispatches on the calling thread until the login is accepted and the directory is out.
void NiProviderImpl::waitForLogin() {
    const std::uint32_t limitMs = settings_.loginRequestTimeoutMs;
    const reactor::TimePoint since = reactor::Clock::now();
    for (;;) {
        Phase phase = Phase::idle;
        std::string place, reason;
        bool refused = false;
        {
            const Guard guard(loop().lock());
            phase = role_->phase();
            const auto& connect = role_->channel().connect;
            place = connect.host + ":" + connect.port;
            reason = role_->lastReason();
            refused = role_->loginRefused();
        }
        if (phase == Phase::ready) return;
        if (phase == Phase::closed) {
            if (refused) throwInvalidUsage("login failed: " + reason, Code::LoginRequestRejectedEnum);
            throwInvalidUsage("no connection, and no further attempt is allowed: " + reason, Code::NoActiveChannelEnum);
        }
        std::chrono::microseconds wait{-1};
        if (limitMs != 0) {
            const auto end = since + std::chrono::milliseconds(limitMs);
            wait = std::chrono::ceil<std::chrono::microseconds>(end - reactor::Clock::now());
            if (wait.count() <= 0) {
                std::string text = "login failed (timed out after waiting " + std::to_string(limitMs) +
                                   " milliseconds) for " + place + ")";
                if (!reason.empty()) text += "; last failure: " + reason;
                log("LoginCallbackClient", LogSeverity::error, text);
                throwInvalidUsage(text, Code::LoginRequestTimeOutEnum);
            }
        }
        loop().dispatch(wait, static_cast<int>(settings_.maxDispatchCountApiThread));
        rethrowKept();
    }
}

void NiProviderImpl::requireStarted() const {
    if (!started_.load(std::memory_order_acquire)) [[unlikely]]
        throwInvalidUsage("This OmmProvider did not start; the error client was told why. Create a new one.",
                          Code::InvalidOperationEnum);
}

// --- publishing ------------------------------------------------------------------------------------------------------

void NiProviderImpl::submit(const Msg& msg, UInt64 handle) {
    guarded([&] {
        codec::Msg& wire = wireOf(msg);
        requireStarted();
        if (wire.cls == MsgClass::Ack)
            interactiveOnly("submit(AckMsg)", "The server acknowledges the posts that it hands to publishers.");
        const Guard guard(loop().lock());
        const Restore restore(wire);
        if (MsgAccess::hasServiceName(msg)) resolveService(msg, wire, nullptr);
        const PublishResult result = role_->submit(handle, wire);
        if (!result.ok()) [[unlikely]]
            fail(result, callName(wire.cls), handle, wire);
    });
}

void NiProviderImpl::resolveService(const Msg& msg, codec::Msg& wire, const char* call) const {
    if (wire.domain == reactor::rdm::kLoginDomain || wire.domain == reactor::rdm::kDirectoryDomain) return;
    const std::string_view name = MsgAccess::serviceName(msg);
    const reactor::rdm::Service* service = role_->directory().find(name);
    if (service == nullptr)
        throwInvalidUsage((call != nullptr ? call : callName(wire.cls)) + "the source directory has no service '" +
                              std::string(name) +
                              "'; nothing was sent. Configure the service or submit a directory refresh naming it.",
                          Code::InvalidArgumentEnum);
    wire.key.flags |= KeyFlag::serviceId;
    wire.key.serviceId = service->id;
    setKeyFlag(wire);
}

void NiProviderImpl::fail(const PublishResult& result, const std::string& call, UInt64 handle, const codec::Msg& m) {
    const std::string item = role_->describe(handle);
    switch (result.fault) {
    case PublishFault::none:
        break;
    case PublishFault::encoding:
        if (reactor::Link* link = role_->link();
            link != nullptr && link->info().protocolType == eta::transport::kProtocolJson)
            throwConversion(call + "the message for " + item + " " + reactor::cannotBeJson(result.error.code), handle,
                            0);
        break;
    case PublishFault::registeredHandle:
        throwInvalidHandle(call + "handle " + std::to_string(handle) +
                               " was returned by registerClient() and names no published item. Choose another number.",
                           handle);
    case PublishFault::unknownHandle:
        throwInvalidHandle(call + "nothing is published with handle " + std::to_string(handle) +
                               ". Submit a RefreshMsg with it first.",
                           handle);
    case PublishFault::notAllowed:
        throwInvalidUsage(call + "a " + codec::name(m.cls) + " message of domain " + std::to_string(m.domain) +
                              " cannot be published with " + item + ".",
                          Code::InvalidArgumentEnum);
    case PublishFault::refreshFirst:
        throwInvalidHandle(call + "a refresh must be submitted first on " + item +
                               " (again after each reconnect). Submit a RefreshMsg, or configure "
                               "RefreshFirstRequired 0.",
                           handle);
    case PublishFault::noService:
        throwInvalidUsage(call + "the first message of " + item +
                              " must name its service. Set serviceName() or serviceId().",
                          Code::InvalidArgumentEnum);
    case PublishFault::unknownService:
        throwInvalidUsage(call + "the source directory has no service with id " + std::to_string(m.key.serviceId) +
                              "; nothing was sent for " + item +
                              ". Configure the service or submit a directory refresh with it.",
                          Code::InvalidArgumentEnum);
    case PublishFault::otherService:
        throwInvalidUsage(call + item + " cannot move to the service with id " + std::to_string(m.key.serviceId) +
                              ". Close it with a final state, or use another handle.",
                          Code::InvalidArgumentEnum);
    case PublishFault::badDirectory:
        throwInvalidUsage(call + "the payload is no valid source directory (" + eta::describe(result.error.code) +
                              "). It must be a Map of services with their mandatory elements.",
                          Code::InvalidArgumentEnum);
    case PublishFault::badDictionary:
        throwInvalidUsage(call + "the payload for " + item + " is no dictionary. It must be a Series.",
                          Code::InvalidArgumentEnum);
    case PublishFault::tooManyItems:
        throwInvalidUsage(call + "no stream is left for " + item + ". Close items that are not needed.",
                          Code::InvalidOperationEnum);
    case PublishFault::noChannel:
        throwInvalidUsage(call + "there is no connection that is logged in; nothing was sent for " + item +
                              ". Submit again after the login client heard 'channel up'.",
                          Code::NoActiveChannelEnum);
    case PublishFault::noBuffers:
        throwInvalidUsage(call + "the output buffers are all in use: the server reads too slowly. Submit again later, "
                                 "or raise GuaranteedOutputBuffers of the channel.",
                          Code::NoBuffersEnum);
    }
    throwInvalidUsage(call + "the message for " + item + " cannot be encoded: " + eta::describe(result.error.code) +
                          ".",
                      result.error.code == Errc::outOfRange ? Code::ValueOutOfRangeEnum : Code::InvalidDataEnum);
}

// --- packs -----------------------------------------------------------------------------------------------------------

void NiProviderImpl::startPack(PackedMsgImpl& pack, const UInt64* clientHandle, UInt32 maxBytes) {
    guarded([&] {
        requireStarted();
        if (clientHandle != nullptr)
            interactiveOnly("PackedMsg::initBuffer(clientHandle)", "Call initBuffer() or initBuffer(UInt32 maxSize).");
        const Guard guard(loop().lock());
        reactor::Link* link = role_->link();
        if (link == nullptr || role_->connectionNumber() == 0)
            throwInvalidUsage("PackedMsg::initBuffer(): there is no connection that is logged in.",
                              Code::NoActiveChannelEnum);
        if (link->info().protocolType != eta::transport::kProtocolRwf)
            throwInvalidUsage("PackedMsg::initBuffer(): this connection speaks JSON; packs are for RWF connections. "
                              "Submit the messages one by one.",
                              Code::InvalidOperationEnum);
        const std::uint32_t most = link->info().maxFragmentSize;
        if (maxBytes == 0) maxBytes = std::min(kDefaultPackBytes, most);
        if (maxBytes > most)
            throwInvalidUsage("PackedMsg::initBuffer(): " + std::to_string(maxBytes) +
                                  " bytes are more than one transport message of this channel carries (" +
                                  std::to_string(most) + ").",
                              Code::InvalidArgumentEnum);
        pack.release();
        pack.body.resize(maxBytes);
        pack.clientHandle = role_->connectionNumber();
    });
}

void NiProviderImpl::addToPack(PackedMsgImpl& pack, const Msg& msg, UInt64 handle) {
    static constexpr const char* kCall = "PackedMsg::addMsg(): ";
    const auto say = [](const char* text) { return std::string(kCall) + text; };
    guarded([&] {
        requireStarted();
        if (!pack.ready()) throwInvalidUsage(say("call initBuffer() first."), Code::InvalidOperationEnum);
        requireContent(msg, "PackedMsg::addMsg()");
        codec::Msg& wire = wireOf(msg);
        const Guard guard(loop().lock());
        const Restore restore(wire);
        if (MsgAccess::hasServiceName(msg)) resolveService(msg, wire, kCall);
        PublishResult result = role_->prepare(handle, wire);
        if (!result.ok()) fail(result, kCall, handle, wire);
        const eta::Error e = pack.append(wire);
        if (e.code == Errc::noSpace)
            throwInvalidUsage(say("the message does not fit in the remaining ") + std::to_string(pack.left()) +
                                  " bytes. Submit the pack, call initBuffer() and add the message again.",
                              Code::BufferTooSmallEnum);
        if (!e.ok()) {
            pack.release();
            result.fault = PublishFault::encoding;
            result.error = e;
            fail(result, kCall, handle, wire);
        }
        if (!pack.holdBack(handle, wire)) role_->prepared(handle, wire);
    });
}

void NiProviderImpl::submitPack(PackedMsgImpl& pack) {
    guarded([&] {
        requireStarted();
        if (pack.messages == 0)
            throwInvalidUsage("submit(PackedMsg): the pack is empty. Call initBuffer() and addMsg() first.",
                              Code::InvalidOperationEnum);
        const Guard guard(loop().lock());
        const PublishResult result =
            role_->submitPacked(pack.clientHandle, {pack.body.data(), pack.used}, pack.messages);
        if (result.fault == PublishFault::noBuffers)
            throwInvalidUsage("submit(PackedMsg): the output buffers are all in use. Submit again later, or raise "
                              "GuaranteedOutputBuffers of the channel.",
                              Code::NoBuffersEnum);
        if (!result.ok()) {
            pack.release();
            throwInvalidUsage("submit(PackedMsg): the connection that the pack was begun for is lost.",
                              Code::NoActiveChannelEnum);
        }
        for (const PackedMsgImpl::Ending& ending : pack.endings)
            role_->prepared(ending.handle, ending.msg);
        pack.release();
    });
}

// --- registered streams ----------------------------------------------------------------------------------------------

void NiProviderImpl::fail(const Refusal& refusal, const char* call, UInt64 handle) {
    Int32 code = Code::FailureEnum;
    switch (refusal.kind) {
    case Refusal::Kind::invalidHandle:
        throwInvalidHandle(std::string(call) + ": handle " + std::to_string(handle) +
                               " was not returned by registerClient() of this provider.",
                           handle);
    case Refusal::Kind::invalidUsage:
        break;
    case Refusal::Kind::invalidArgument:
        code = Code::InvalidArgumentEnum;
        break;
    case Refusal::Kind::invalidData:
        code = Code::InvalidDataEnum;
        break;
    case Refusal::Kind::invalidOperation:
        code = Code::InvalidOperationEnum;
        break;
    case Refusal::Kind::noActiveChannel:
        code = Code::NoActiveChannelEnum;
        break;
    case Refusal::Kind::noBuffers:
        code = Code::NoBuffersEnum;
        break;
    case Refusal::Kind::conversion:
        throwConversion(std::string(call) + ": " + refusal.text, handle, 0);
    }
    throwInvalidUsage(std::string(call) + ": " + refusal.text, code);
}

UInt64 NiProviderImpl::registerClient(const ReqMsg& request, OmmProviderClient& to, void* closure) {
    UInt64 handle = 0;
    guarded([&] {
        requireStarted();
        const bool named = MsgAccess::hasServiceName(request);
        const codec::Msg& wire = MsgAccess::wire(request);
        const Guard guard(loop().lock());
        Refusal refusal;
        handle = role_->registerClient({wire, named ? MsgAccess::serviceName(request) : std::string_view{}},
                                       {&to, closure, 0}, refusal);
        if (refusal) fail(refusal, "registerClient()", 0);
    });
    return handle;
}

void NiProviderImpl::reissue(const ReqMsg& request, UInt64 handle) {
    guarded([&] {
        requireStarted();
        const bool named = MsgAccess::hasServiceName(request);
        const codec::Msg& wire = MsgAccess::wire(request);
        const Guard guard(loop().lock());
        Refusal refusal;
        role_->reissue(handle, {wire, named ? MsgAccess::serviceName(request) : std::string_view{}}, refusal);
        if (refusal) fail(refusal, "reissue()", handle);
    });
}

void NiProviderImpl::unregister(UInt64 handle) {
    guarded([&] {
        requireStarted();
        const Guard guard(loop().lock());
        role_->unregister(handle);
    });
}

// --- the channel -----------------------------------------------------------------------------------------------------

void NiProviderImpl::connectedClients(EmaVector<ChannelInformation>&) {
    guarded([&] { interactiveOnly("getConnectedClientChannelInfo()", "Use getChannelInformation()."); });
}

void NiProviderImpl::clientStatistics(UInt64, ChannelStatistics&) {
    guarded([&] { interactiveOnly("getConnectedClientChannelStats()", "Use getChannelStatistics()."); });
}

void NiProviderImpl::closeChannel(UInt64) {
    guarded([&] { interactiveOnly("closeChannel()", "Destroy the OmmProvider to disconnect."); });
}

void NiProviderImpl::channelInformation(ChannelInformation& out) {
    guarded([&] {
        requireStarted();
        const Guard guard(loop().lock());
        fill(0, out);
    });
}

void NiProviderImpl::channelStatistics(ChannelStatistics& out) {
    guarded([&] {
        requireStarted();
        const Guard guard(loop().lock());
        if (role_->link() == nullptr)
            throwInvalidUsage("There is no active channel to take statistics from.", Code::NoActiveChannelEnum);
        fill(0, out);
    });
}

void NiProviderImpl::modifyIOCtl(Int32 code, Int32 value, UInt64) {
    guarded([&] {
        requireStarted();
        const Guard guard(loop().lock());
        reactor::Link* link = role_->link();
        if (link == nullptr) throwInvalidUsage("modifyIOCtl() needs an active channel.", Code::NoActiveChannelEnum);
        changeOption(*link->channel(), code, value);
    });
}

void NiProviderImpl::fill(UInt64, ChannelInformation& out) {
    reactor::Link* link = role_->link();
    fillChannelInformation(out, link != nullptr ? link->info() : eta::transport::ChannelInfo{},
                           link != nullptr ? eta::transport::ChannelState::active
                                           : eta::transport::ChannelState::closed,
                           role_->channel().name);
}

void NiProviderImpl::fill(UInt64, ChannelStatistics& out) {
    out.clear();
    reactor::Link* const link = role_->link();
    if (link == nullptr) return;
    if (!isMulticast(link->info().connectionType)) {
        out.tcpRetransmitCount(link->channel()->tcpRetransmits());
        return;
    }
    const eta::transport::MulticastCounters c = link->channel()->multicastCounters();
    out.multicastStatistics({c.multicastSent, c.multicastReceived, c.unicastSent, c.unicastReceived, c.gaps,
                             c.requestsSent, c.requestsReceived, c.repairsSent, c.repairsReceived});
}

// --- callbacks -------------------------------------------------------------------------------------------------------

template <class M>
void NiProviderImpl::deliver(M& object, void (OmmProviderClient::*callback)(const M&, const OmmProviderEvent&),
                             const codec::Msg& msg, const DecodeContext& context, OmmProviderClient& to, UInt64 handle,
                             void* closure) {
    MsgAccess::point(object, msg, context);
    call(handle, 0, closure, [&] {
        to.onAllMsg(object, event());
        (to.*callback)(object, event());
    });
}

void NiProviderImpl::onMessage(const codec::Msg& msg, const reactor::consumer::Recipient& to,
                               std::string_view serviceName) {
    DecodeContext context;
    serviceName_ = serviceName;
    context.serviceName = serviceName_;
    context.hasServiceName = !serviceName_.empty();
    OmmProviderClient& client = *static_cast<OmmProviderClient*>(to.client);
    switch (msg.cls) {
    case MsgClass::Refresh:
        return deliver(refresh_, &OmmProviderClient::onRefreshMsg, msg, context, client, to.handle, to.closure);
    case MsgClass::Status:
        return deliver(status_, &OmmProviderClient::onStatusMsg, msg, context, client, to.handle, to.closure);
    case MsgClass::Generic:
        return deliver(generic_, &OmmProviderClient::onGenericMsg, msg, context, client, to.handle, to.closure);
    case MsgClass::Update:
    case MsgClass::Ack:
    case MsgClass::Post:
    case MsgClass::Request:
    case MsgClass::Close:
        return;  // providers have no callback for these
    }
}

void NiProviderImpl::onItemMessage(std::uint64_t handle, const codec::Msg& msg) {
    if (!adminClient_) {
        log("ItemCallbackClient", LogSeverity::warning,
            std::string("Dropped a ") + codec::name(msg.cls) + " message for " + role_->describe(handle) +
                ": the OmmProvider was made without a client.");
        return;
    }
    DecodeContext context;
    if (msg.hasKey() && msg.key.has(KeyFlag::serviceId)) {
        if (const reactor::rdm::Service* service = role_->directory().find(msg.key.serviceId)) {
            serviceName_ = service->name();
            context.serviceName = serviceName_;
            context.hasServiceName = true;
        }
    }
    switch (msg.cls) {
    case MsgClass::Post:
        return deliver(post_, &OmmProviderClient::onPostMsg, msg, context, client(), handle, closure());
    case MsgClass::Generic:
        return deliver(generic_, &OmmProviderClient::onGenericMsg, msg, context, client(), handle, closure());
    case MsgClass::Status:
        return deliver(status_, &OmmProviderClient::onStatusMsg, msg, context, client(), handle, closure());
    case MsgClass::Close:
        return deliverClose(handle, msg);
    default:
        return;
    }
}

/// A close is told as the request that it ends: no interest, no image.
void NiProviderImpl::deliverClose(std::uint64_t handle, const codec::Msg& msg) {
    codec::Msg ended;
    ended.cls = MsgClass::Request;
    ended.domain = msg.domain;
    ended.streamId = msg.streamId;
    ended.flags = codec::RequestFlag::noRefresh;
    deliver(request_, &OmmProviderClient::onClose, ended, {}, client(), handle, closure());
}

void NiProviderImpl::onConnection(ConnectionEvent event, const std::string& text) {
    const ConnectionLog line = connectionLog(event);
    log(line.component, line.severity, text);
    if (starting_) loop().wake();  // the constructor looks at the phase
}

void NiProviderImpl::onWarning(const std::string& text) {
    log("ChannelCallbackClient", LogSeverity::warning, text);
}

void NiProviderImpl::onJsonFailure(const reactor::consumer::JsonFailure& failure) {
    onWarning(failure.text);
    tellJsonFailure(failure.text, 0);
}

}  // namespace emissary::ema
