// ema/session/consumer: starts and ends a consumer, and passes the calls of the application to its sessions.
#include "session/consumer/ConsumerImpl.h"

#include "Access/Include/IOCtlReactorChannelCode.h"
#include "Access/Include/OmmConsumerConfig.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/PostMsg.h"
#include "Access/Include/PreferredHostOptions.h"
#include "Access/Include/ReqMsg.h"
#include "errors/refusals.h"
#include "session/channel/SessionInfoAccess.h"
#include "session/channel/describe_channel.h"
#include "session/consumer/tunnel_request.h"
#include "session/engine/load_dictionary.h"
#include "session/engine/request_view.h"
#include "settings/ConfigAccess.h"

namespace emissary::ema {

using access::Int32;
using access::UInt64;
using Code = access::OmmInvalidUsageException;
using reactor::consumer::Refusal;

// --- start and end ---------------------------------------------------------------------------------------------------

ConsumerImpl::ConsumerImpl(Clients clients)
    : engine_(InstanceKind::consumer, ErrorClient(clients.error)), sessions_(settings_), clients_(clients),
      admin_(clients.admin, clients.closure, engine_, sessions_), callbacks_(*this, engine_, admin_) {}

ConsumerImpl::~ConsumerImpl() {
    engine_.stop(*this);
}

/// The blocking part of OmmConsumer's construction (session.md 3).
void ConsumerImpl::start(const access::OmmConsumerConfig& config) {
    const ConsumerConfigImpl& given = ConfigAccess::of(config);
    settings_ = given.settings();
    // The log comes first: the configuration left records for it, and every failure below is one.
    engine_.openLog(settings_);
    requireUsableChannels();
    traceChannels();
    prepareDictionary(config);
    engine_.openLoop();
    const StartStage stages[] = {
        {0, Code::NoActiveChannelEnum, "session management",
         "ReactorCallbackClient"},  // RestRequestTimeOut is its limit
        {settings_.loginRequestTimeoutMs, Code::LoginRequestTimeOutEnum, "login", "LoginCallbackClient"},
        {settings_.directoryRequestTimeoutMs, Code::DirectoryRequestTimeOutEnum, "directory request",
         "DirectoryCallbackClient"},
        {settings_.dictionaryRequestTimeoutMs, Code::DictionaryRequestTimeOutEnum, "dictionary request",
         "DictionaryCallbackClient"}};
    engine_.start(*this, stages, [&] {
        // Accounts before sessions, which take them for their channels. The admin client is registered before anything
        // connects, so that it hears the first login refresh (session.md 3).
        accounts_ = std::make_unique<SessionManagement>(engine_.loop(), settings_, given,
                                                        SessionManagement::Asked{clients_.oauth, clients_.closure},
                                                        static_cast<ManagedSession&>(*this));
        sessions_.open(engine_.loop(), given, dictionary_, *accounts_, callbacks_);
        forgetPassword();
        admin_.registerLogin(given);
        sessions_.start();
    });
}

/// Asked after each turn of the start, with the session lock held. Session management is the first stage, those of the
/// sessions follow.
StartProgress ConsumerImpl::progress() {
    StartProgress now = sessions_.progress();
    if (engine_.starting() && !accounts_->failure().empty()) {
        now.failure = accounts_->failure();
        now.failureCode = Code::NoActiveChannelEnum;
    }
    // A downloaded dictionary serves callbacks from the moment when it is complete.
    if (now.stage == ConsumerSessions::kReady && !dictionary_)
        useDictionary(sessions_.with([](auto& s) { return s.dictionary(); }));
    if (!accounts_->preparing()) ++now.stage;  // the one before the login is over
    return now;
}

void ConsumerImpl::close() {
    // The accounts outlive the sessions, which ask them until they are gone.
    sessions_.close();
    accounts_.reset();
}

/// Session management has a copy that is overwritten when it is not needed any more.
void ConsumerImpl::forgetPassword() {
    if (!settings_.managed() || !settings_.login.password) return;
    rest::wipe(settings_.login.password->data(), settings_.login.password->size());
    settings_.login.password.reset();
}

void ConsumerImpl::callAbout(const std::string& channel, void* closure,
                             const std::function<void(const access::OmmConsumerEvent&)>& callback) {
    const auto event = makeEvent();
    aim(*event, {0, nullptr, closure, 0});
    // The event describes this channel, which has no connection yet, and not the one in use.
    calledAbout_ = &channel;
    engine_.runCallback([&] { callback(*event); });
    calledAbout_ = nullptr;
}

/// Refused before anything connects: an attempt that can never work would be repeated until the login times out.
void ConsumerImpl::requireUsableChannels() {
    std::string wrong;
    if (settings_.sessions.empty()) wrong = unusableChannel(settings_.channels);
    for (std::size_t i = 0; i < settings_.sessions.size() && wrong.empty(); ++i)
        wrong = unusableChannel(settings_.sessions[i].channels);
    if (wrong.empty()) return;
    engine_.log("ChannelCallbackClient", LogSeverity::error, wrong);
    throwInvalidConfiguration(wrong);
}

/// All connections share one source of traces, and its limits.
void ConsumerImpl::traceChannels() {
    const auto tracing = engine_.messageTrace();
    for (ChannelSettings& channel : settings_.channels)
        channel.connect.tracing = tracing;
    for (SessionSettings& session : settings_.sessions)
        for (ChannelSettings& channel : session.channels)
            channel.connect.tracing = tracing;
}

/// Dictionaries that need no channel: handed over, or from files.
void ConsumerImpl::prepareDictionary(const access::OmmConsumerConfig& config) {
    if (const auto* given = ConfigAccess::of(config).dictionary; given != nullptr)
        return useDictionary(DictionaryAccess::shared(*given));
    if (!settings_.dictionary.fromFile) return;
    std::string error;
    useDictionary(loadDictionary(engine_, settings_.dictionary, error));
    if (!dictionary_) throwInvalidUsage(error, Code::FailureEnum);
}

void ConsumerImpl::useDictionary(SharedDictionary dictionary) {
    dictionary_ = std::move(dictionary);
    callbacks_.useDictionary(dictionary_.get());
}

void ConsumerImpl::takeNewDictionary() {
    SharedDictionary now = sessions_.with([](auto& s) { return s.dictionary(); });
    if (now && dictionary_ && now != dictionary_) useDictionary(std::move(now));
}

// --- calls -----------------------------------------------------------------------------------------------------------

void ConsumerImpl::fail(const Refusal& refusal, const char* call, UInt64 handle) {
    RefusedCall refused{.call = call, .handle = handle, .instance = engine_.describe()};
    if (refusal.kind == Refusal::Kind::conversion) {
        access::ChannelInformation channel;
        sessions_.describeInUse(channel);
        refused.jsonSession = SessionInfoAccess::make(channel);
    }
    throwRefusal(refusal, refused);
}

template <class Call>
void ConsumerImpl::withSessions(const char* name, UInt64 handle, Call&& call) {
    const auto guard = engine_.locked();
    if (const Refusal refusal = sessions_.with(call)) fail(refusal, name, handle);
}

UInt64 ConsumerImpl::registerClient(const access::ReqMsg& request, access::OmmConsumerClient& client, void* closure,
                                    UInt64 parentHandle) {
    engine_.requireUsable();
    const reactor::consumer::RequestView view = viewOf(request);
    Refusal refusal;
    const auto guard = engine_.locked();
    const UInt64 handle =
        parentHandle != 0
            ? sessions_.registerInside(parentHandle, view, {&client, closure, 0}, refusal)
            : sessions_.registerClient(view, MsgAccess::serviceList(request), {&client, closure, 0}, refusal);
    // A parent that names no tunnel is a wrong handle; other refusals are about the request (tunnel.md 9.3).
    if (refusal && parentHandle != 0 && refusal.kind == Refusal::Kind::invalidHandle)
        throwInvalidHandle(refusal.text, parentHandle);
    if (refusal) fail(refusal, "registerClient()", 0);
    return handle;
}

UInt64 ConsumerImpl::registerClient(const access::TunnelStreamRequest& request, access::OmmConsumerClient& client,
                                    void* closure) {
    engine_.requireUsable();
    const reactor::tunnel::TunnelRequest ask = tunnelRequestOf(request);
    Refusal refusal;
    const auto guard = engine_.locked();
    const UInt64 handle = sessions_.registerTunnel(ask, {&client, closure, 0}, refusal);
    if (refusal) fail(refusal, "registerClient()", 0);
    return handle;
}

void ConsumerImpl::reissue(const access::ReqMsg& request, UInt64 handle) {
    engine_.requireUsable();
    const reactor::consumer::RequestView view = viewOf(request);
    withSessions("reissue()", handle, [&](auto& s) { return s.reissue(handle, view); });
}

void ConsumerImpl::unregister(UInt64 handle) {
    engine_.requireUsable();
    withSessions("unregister()", handle, [&](auto& s) {
        Refusal refusal = s.unregister(handle);
        // Only a call from inside the callback can meet a message that is half delivered: other threads wait for the
        // lock.
        if (!refusal && engine_.loop().onDispatchThread()) callbacks_.giveUp(handle);
        return refusal;
    });
}

void ConsumerImpl::submit(const access::GenericMsg& msg, UInt64 handle) {
    engine_.requireUsable();
    const eta::codec::Msg& wire = MsgAccess::wire(msg);
    withSessions("submit(GenericMsg)", handle, [&](auto& s) { return s.submitGeneric(handle, wire); });
}

void ConsumerImpl::submit(const access::PostMsg& msg, UInt64 handle) {
    engine_.requireUsable();
    const eta::codec::Msg& wire = MsgAccess::wire(msg);
    const auto service = MsgAccess::hasServiceName(msg) ? MsgAccess::serviceName(msg) : std::string_view{};
    withSessions("submit(PostMsg)", handle, [&](auto& s) { return s.submitPost(handle, wire, service); });
}

std::optional<access::UInt32> ConsumerImpl::tunnelBuffersUsed(UInt64 handle) {
    if (!engine_.usable()) return {};
    const auto guard = engine_.locked();
    return sessions_.tunnelBuffersUsed(handle);
}

// --- the channel -----------------------------------------------------------------------------------------------------

void ConsumerImpl::channelInformation(access::ChannelInformation& out) {
    engine_.requireUsable();
    fill(out);
}

void ConsumerImpl::channelStatistics(access::ChannelStatistics& out) {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    fill(out);
    if (sessions_.inUse().link() == nullptr)
        throwInvalidUsage("There is no active channel to take statistics from.", Code::NoActiveChannelEnum);
}

void ConsumerImpl::sessionInformation(access::EmaVector<access::ChannelInformation>& out) {
    out.clear();
    engine_.requireUsable();
    fill(out);
}

void ConsumerImpl::fill(access::ChannelInformation& out) {
    const auto guard = engine_.locked();
    if (calledAbout_ == nullptr) sessions_.describeInUse(out);
    else fillChannelInformation(out, {}, eta::transport::ChannelState::inactive, *calledAbout_);
}

void ConsumerImpl::fill(access::ChannelStatistics& out) {
    const auto guard = engine_.locked();
    out.clear();
    if (reactor::Link* const link = sessions_.inUse().link())
        out.tcpRetransmitCount(eta::transport::tcpRetransmits(*link->channel()));
}

void ConsumerImpl::fill(access::EmaVector<access::ChannelInformation>& out) {
    const auto guard = engine_.locked();
    out.clear();
    sessions_.describeAll(out);
}

void ConsumerImpl::modifyIOCtl(Int32 code, Int32 value) {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    reactor::Link* link = sessions_.inUse().link();
    if (link == nullptr) throwInvalidUsage("modifyIOCtl() needs an active channel.", Code::NoActiveChannelEnum);
    changeOption(*link->channel(), code, value);
}

void ConsumerImpl::modifyReactorChannelIOCtl(Int32 code, void* value) {
    using Option = access::IOCtlReactorChannelCode;
    engine_.requireUsable();
    const std::string call = "modifyReactorChannelIOCtl(" + std::to_string(code) + ")";
    if (code != Option::ReactorChannelDirectWrite && code != Option::ReactorChannelPreferredHost)
        throwInvalidUsage(call + ": the code is not one that can be changed; use ReactorChannelDirectWrite or "
                                 "ReactorChannelPreferredHost of IOCtlReactorChannelCode.",
                          Code::InvalidArgumentEnum);
    if (value == nullptr) throwInvalidUsage(call + ": the value is a null pointer.", Code::InvalidArgumentEnum);
    // The code says what stands behind the untyped pointer.
    if (code == Option::ReactorChannelDirectWrite) return modifyIOCtl(code, *static_cast<const Int32*>(value) != 0);
    const auto guard = engine_.locked();
    sessions_.setPreferredHost(*static_cast<const access::PreferredHostOptions*>(value), call);
}

void ConsumerImpl::modifyReactorIOCtl(Int32 code, Int32 value) {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    accounts_->modifyIOCtl(code, value);
}

void ConsumerImpl::fallbackPreferredHost() {
    engine_.requireUsable();
    const auto guard = engine_.locked();
    if (const Refusal refusal = sessions_.fallBack()) fail(refusal, "fallbackPreferredHost()", 0);
}

}  // namespace emissary::ema
