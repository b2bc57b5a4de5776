#include "session/ConsumerImpl.h"

#include "Access/Include/OmmInaccessibleLogFileException.h"
#include "Access/Include/OmmInvalidHandleException.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmJsonConverterException.h"
#include "Access/Include/OmmMemoryExhaustionException.h"
#include "Access/Include/OmmSystemException.h"
#include "Access/Include/PostMsg.h"
#include "Access/Include/ReqMsg.h"
#include "session/SessionInfoAccess.h"
#include "session/describe_channel.h"
#include "session/connection_log.h"
#include "errors/raise.h"
#include "reactor/threads.h"

#include <limits>

namespace emissary::ema {

using access::Int32;
using access::Int64;
using access::OmmConsumerClient;
using access::OmmInvalidUsageException;
using access::UInt64;
using reactor::consumer::ConnectionEvent;
using reactor::consumer::ConsumerRole;
using reactor::consumer::Refusal;
using Phase = ConsumerRole::Phase;
using SessionGuard = std::lock_guard<reactor::SessionLock>;

namespace {

access::EmaString emaString(std::string_view s) {
    return {s.data(), static_cast<access::UInt32>(s.size())};
}

/// The request as the role takes it; borrows the message.
reactor::consumer::RequestView viewOf(const access::ReqMsg& request) {
    const bool named = MsgAccess::hasServiceName(request);
    return {MsgAccess::wire(request), named ? MsgAccess::serviceName(request) : std::string_view{}};
}

}  // namespace

ConsumerImpl::ConsumerImpl(Clients clients) : clients_(clients), event_(*this) {}

ConsumerImpl::~ConsumerImpl() {
    stopping_.store(true, std::memory_order_release);  // pairs with the acquire in run() and dispatch()
    usable_.store(false, std::memory_order_release);
    if (reactor_) reactor_->wake();
    if (apiThread_.joinable()) apiThread_.join();
    while (dispatching_.load(std::memory_order_acquire) != 0) {
        reactor_->wake();
        std::this_thread::yield();
    }
    if (!reactor_) return;
    {
        const SessionGuard guard(reactor_->lock());
        if (role_) role_->shutdown();
        if (router_) router_->shutdown();
        role_.reset();
        router_.reset();
    }
    reactor_.reset();
    log(settings_.instanceName, LogSeverity::verbose, "Uninitialized.");
}

// --- calls -----------------------------------------------------------------------------------------------------------

void ConsumerImpl::requireUsable() const {
    if (!usable_.load(std::memory_order_relaxed))
        throwInvalidUsage("The OmmConsumer is not (or no longer) initialized.",
                          OmmInvalidUsageException::InvalidOperationEnum);
}

/// The one place where a refusal of the role becomes an exception.
void ConsumerImpl::fail(const Refusal& refusal, const char* call, UInt64 handle) {
    using E = OmmInvalidUsageException;
    Int32 code = E::FailureEnum;
    switch (refusal.kind) {
    case Refusal::Kind::invalidHandle:
        throwInvalidHandle("Attempt to use invalid Handle on " + std::string(call) + ". OmmConsumer name='" +
                               settings_.instanceName + "', handle=" + std::to_string(handle) + ".",
                           handle);
    case Refusal::Kind::invalidUsage:
        code = E::FailureEnum;
        break;
    case Refusal::Kind::invalidArgument:
        code = E::InvalidArgumentEnum;
        break;
    case Refusal::Kind::invalidData:
        code = E::InvalidDataEnum;
        break;
    case Refusal::Kind::invalidOperation:
        code = E::InvalidOperationEnum;
        break;
    case Refusal::Kind::noActiveChannel:
        code = E::NoActiveChannelEnum;
        break;
    case Refusal::Kind::noBuffers:
        code = E::NoBuffersEnum;
        break;
    case Refusal::Kind::conversion: {
        access::ChannelInformation channel;
        describe(sessionInUse(), router_ ? router_->currentSession() : 0, channel);
        throwJsonConverter(std::string(call) + " failed: " + refusal.text,
                           access::OmmJsonConverterException::InvalidDataEnum, SessionInfoAccess::make(channel));
    }
    }
    throwInvalidUsage(std::string(call) + " failed: " + refusal.text, code);
}

/// The services of a list that a request names.
std::span<const std::string> ConsumerImpl::servicesOf(std::string_view list) const {
    std::string known;
    for (const auto& [name, services] : serviceLists_) {
        if (name == list) return services;
        known += (known.empty() ? "" : ", ") + name;
    }
    throwInvalidUsage("registerClient() failed: there is no service list '" + std::string(list) +
                          "'; OmmConsumerConfig::addServiceList() added " + (known.empty() ? "none" : known) + ".",
                      OmmInvalidUsageException::InvalidArgumentEnum);
}

UInt64 ConsumerImpl::registerClient(const access::ReqMsg& request, OmmConsumerClient& client, void* closure,
                                    UInt64 parentHandle) {
    requireUsable();
    if (parentHandle != 0)
        throwInvalidHandle("Attempt to use invalid parentHandle on registerClient(): it names no tunnel stream.",
                           parentHandle);
    const reactor::consumer::RequestView view = viewOf(request);
    const std::string_view list = MsgAccess::serviceList(request);
    const auto services = list.empty() ? std::span<const std::string>{} : servicesOf(list);
    Refusal refusal;
    UInt64 handle = 0;
    {
        const SessionGuard guard(reactor_->lock());
        const reactor::consumer::Subscriber subscriber{&client, closure, 0};
        handle = router_ ? router_->registerClient(view, services, subscriber, refusal)
                         : role_->registerClient(view, subscriber, refusal);
    }
    if (refusal) fail(refusal, "registerClient()", 0);
    return handle;
}

void ConsumerImpl::reissue(const access::ReqMsg& request, UInt64 handle) {
    requireUsable();
    const reactor::consumer::RequestView view = viewOf(request);
    Refusal refusal;
    {
        const SessionGuard guard(reactor_->lock());
        withSessions([&](auto& s) { s.reissue(handle, view, refusal); });
    }
    if (refusal) fail(refusal, "reissue()", handle);
}

void ConsumerImpl::unregister(UInt64 handle) {
    requireUsable();
    Refusal refusal;
    {
        const SessionGuard guard(reactor_->lock());
        withSessions([&](auto& s) { s.unregister(handle, refusal); });
        if (!refusal && reactor_->onDispatchThread() && handle == event_.handle_) givenUp_ = true;
    }
    if (refusal) fail(refusal, "unregister()", handle);
}

void ConsumerImpl::submit(const access::GenericMsg& msg, UInt64 handle) {
    requireUsable();
    const eta::codec::Msg& wire = MsgAccess::wire(msg);
    Refusal refusal;
    {
        const SessionGuard guard(reactor_->lock());
        withSessions([&](auto& s) { s.submitGeneric(handle, wire, refusal); });
    }
    if (refusal) fail(refusal, "submit(GenericMsg)", handle);
}

void ConsumerImpl::submit(const access::PostMsg& msg, UInt64 handle) {
    requireUsable();
    const eta::codec::Msg& wire = MsgAccess::wire(msg);
    const auto service = MsgAccess::hasServiceName(msg) ? MsgAccess::serviceName(msg) : std::string_view{};
    Refusal refusal;
    {
        const SessionGuard guard(reactor_->lock());
        withSessions([&](auto& s) { s.submitPost(handle, wire, service, refusal); });
    }
    if (refusal) fail(refusal, "submit(PostMsg)", handle);
}

void ConsumerImpl::channelStatistics(access::ChannelStatistics& out) {
    requireUsable();
    const SessionGuard guard(reactor_->lock());
    reactor::Link* link = sessionInUse().link();
    out.clear();
    if (link == nullptr)
        throwInvalidUsage("There is no active channel to take statistics from.",
                          OmmInvalidUsageException::NoActiveChannelEnum);
    out.tcpRetransmitCount(link->channel()->tcpRetransmits());
}

void ConsumerImpl::modifyIOCtl(Int32 code, Int32 value) {
    requireUsable();
    const SessionGuard guard(reactor_->lock());
    reactor::Link* link = sessionInUse().link();
    if (link == nullptr)
        throwInvalidUsage("modifyIOCtl() needs an active channel.", OmmInvalidUsageException::NoActiveChannelEnum);
    changeOption(*link->channel(), code, value);
}

// --- dispatching -----------------------------------------------------------------------------------------------------

Int64 ConsumerImpl::dispatch(Int64 timeoutUs) {
    requireUsable();
    using access::OmmConsumer;
    // From inside a callback there is nothing to wait for: the call around it goes on.
    if (!settings_.userDispatch || reactor_->onDispatchThread()) return OmmConsumer::TimeoutEnum;
    const int most = static_cast<int>(settings_.maxDispatchCountUserThread);
    dispatching_.fetch_add(1, std::memory_order_acq_rel);
    struct Leave {
        std::atomic<std::uint32_t>& count;
        ~Leave() { count.fetch_sub(1, std::memory_order_release); }
    } leave{dispatching_};
    const auto end =
        timeoutUs > 0 ? reactor::Clock::now() + std::chrono::microseconds(timeoutUs) : reactor::TimePoint::max();
    int handled = reactor_->dispatch(std::chrono::microseconds(timeoutUs), most);
    // A wake-up that was not meant for the application must not end the wait early.
    while (handled == 0 && timeoutUs != 0 && !stopping_.load(std::memory_order_acquire)) {
        std::chrono::microseconds left{-1};
        if (timeoutUs > 0) {
            left = std::chrono::ceil<std::chrono::microseconds>(end - reactor::Clock::now());
            if (left.count() <= 0) break;
        }
        handled = reactor_->dispatch(left, most);
    }
    thrown_.rethrow();
    return handled > 0 ? OmmConsumer::DispatchedEnum : OmmConsumer::TimeoutEnum;
}

/// The API dispatch thread.
void ConsumerImpl::run() {
    const auto dot = settings_.instanceName.rfind('_');
    reactor::nameThisThread("ema-cons" + (dot == std::string::npos ? "" : settings_.instanceName.substr(dot + 1)));
    if (!reactor::bindThisThread(settings_.apiThreadBind))
        log(settings_.instanceName, LogSeverity::warning,
            "Cannot bind the API dispatch thread to CPU '" + settings_.apiThreadBind + "'.");
    const auto timeout = std::chrono::microseconds(settings_.dispatchTimeoutApiThreadUs);
    const int most = static_cast<int>(settings_.maxDispatchCountApiThread);
    while (!stopping_.load(std::memory_order_acquire)) {
        reactor_->dispatch(timeout, most);
        const std::exception_ptr thrown = thrown_.take();
        if (!thrown) [[likely]]
            continue;
        if (!settings_.catchUnhandledException) std::rethrow_exception(thrown);  // ends the process, as asked for
        try {
            report(thrown);
        } catch (const std::bad_alloc&) {}  // to tell of it takes memory, and there is none
    }
}

void ConsumerImpl::report(const std::exception_ptr& thrown) {
    std::string text = "an unknown exception";
    try {
        std::rethrow_exception(thrown);
    } catch (const access::OmmException& e) { text = e.toString().c_str(); } catch (const std::exception& e) {
        text = e.what();
    } catch (...) {}
    log(settings_.instanceName, LogSeverity::error, "A callback of the application threw: " + text);
    if (clients_.error != nullptr)
        clients_.error->onDispatchError(emaString(text), OmmInvalidUsageException::FailureEnum);
}

/// onAllMsg first, then the specific one, unless the handle was given up in between.
template <class M>
void ConsumerImpl::deliver(M& object, void (OmmConsumerClient::*callback)(const M&, const access::OmmConsumerEvent&),
                           const eta::codec::Msg& msg, OmmConsumerClient& client) {
    MsgAccess::point(object, msg, context_);
    givenUp_ = false;
    try {
        client.onAllMsg(object, event_);
        if (!givenUp_) (client.*callback)(object, event_);
    } catch (...) {
        // Must not unwind through the reactor; comes out of dispatch().
        thrown_.keep(std::current_exception());
    }
}

void ConsumerImpl::onMessage(const eta::codec::Msg& msg, const reactor::consumer::Recipient& to,
                             std::string_view serviceName) {
    using eta::codec::MsgClass;
    context_.serviceName = serviceName;
    context_.hasServiceName = serviceName.data() != nullptr;
    event_.handle_ = to.handle;
    event_.closure_ = to.closure;
    event_.parentHandle_ = to.parent;
    OmmConsumerClient& client = *static_cast<OmmConsumerClient*>(to.client);
    switch (msg.cls) {
    case MsgClass::Update:
        return deliver(update_, &OmmConsumerClient::onUpdateMsg, msg, client);
    case MsgClass::Refresh:
        return deliver(refresh_, &OmmConsumerClient::onRefreshMsg, msg, client);
    case MsgClass::Status:
        return deliver(status_, &OmmConsumerClient::onStatusMsg, msg, client);
    case MsgClass::Generic:
        return deliver(generic_, &OmmConsumerClient::onGenericMsg, msg, client);
    case MsgClass::Ack:
        return deliver(ack_, &OmmConsumerClient::onAckMsg, msg, client);
    case MsgClass::Request:
    case MsgClass::Close:
    case MsgClass::Post:
        return;
    }
}

void ConsumerImpl::onConnection(ConnectionEvent event, const std::string& text) {
    if (starting_ && event == ConnectionEvent::ready) registerAdminDictionaries();
    if (starting_ && event == ConnectionEvent::loggedIn) registerAdminDirectory();
    const ConnectionLog line = connectionLog(event);
    log(line.component, line.severity, text);
    if (starting_) reactor_->wake();  // the constructor looks at the phase
}

void ConsumerImpl::onWarning(const std::string& text) {
    log("ChannelCallbackClient", LogSeverity::warning, text);
}

/// Not thrown without an error client: what a peer sends must not end an application that does not expect it.
void ConsumerImpl::onJsonFailure(const reactor::consumer::JsonFailure& failure) {
    onWarning(failure.text);
    if (clients_.error == nullptr) return;
    access::ChannelInformation channel;
    fillChannelInformation(channel, failure.info, eta::transport::ChannelState::active, failure.channel.name);
    if (!failure.session.empty()) channel.sessionName(emaString(failure.session));
    const auto session = SessionInfoAccess::make(channel);
    try {
        clients_.error->onJsonConverter(emaString(failure.text), access::OmmJsonConverterException::FailureEnum,
                                        *session);
    } catch (...) {
        // As in deliver(): it comes out of dispatch().
        thrown_.keep(std::current_exception());
    }
}

// --- errors ----------------------------------------------------------------------------------------------------------

/// True when the error client took it. Errors of configuration and of values are always thrown.
bool ConsumerImpl::tellErrorClient(const access::OmmException& e) {
    if (clients_.error == nullptr) return false;
    access::OmmConsumerErrorClient& client = *clients_.error;
    switch (e.getExceptionType()) {
    case access::OmmException::OmmInvalidUsageExceptionEnum:
        client.onInvalidUsage(e.getText());
        client.onInvalidUsage(e.getText(), static_cast<const OmmInvalidUsageException&>(e).getErrorCode());
        return true;
    case access::OmmException::OmmInvalidHandleExceptionEnum:
        client.onInvalidHandle(static_cast<const access::OmmInvalidHandleException&>(e).getHandle(), e.getText());
        return true;
    case access::OmmException::OmmInaccessibleLogFileExceptionEnum:
        client.onInaccessibleLogFile(static_cast<const access::OmmInaccessibleLogFileException&>(e).getFilename(),
                                     e.getText());
        return true;
    case access::OmmException::OmmMemoryExhaustionExceptionEnum:
        client.onMemoryExhaustion(e.getText());
        return true;
    case access::OmmException::OmmSystemExceptionEnum: {
        const auto& system = static_cast<const access::OmmSystemException&>(e);
        client.onSystemError(system.getSystemExceptionCode(), system.getSystemExceptionAddress(), e.getText());
        return true;
    }
    case access::OmmException::OmmJsonConverterExceptionEnum: {
        const auto& json = static_cast<const access::OmmJsonConverterException&>(e);
        client.onJsonConverter(e.getText(), json.getErrorCode(),
                               static_cast<const access::ConsumerSessionInfo&>(json.getSessionInfo()));
        return true;
    }
    case access::OmmException::OmmInvalidConfigurationExceptionEnum:
    case access::OmmException::OmmOutOfRangeExceptionEnum:
    case access::OmmException::OmmUnsupportedDomainTypeExceptionEnum:
        return false;
    }
    return false;
}

void ConsumerImpl::outOfMemory() {
    if (clients_.error == nullptr) throwMemoryExhaustion("Memory is exhausted.");
    clients_.error->onMemoryExhaustion(emaString("Memory is exhausted."));
}

}  // namespace emissary::ema
