// The blocking part of OmmConsumer's construction (session.md section 3).
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/ReqMsg.h"
#include "errors/raise.h"
#include "session/ConsumerImpl.h"
#include "session/channel_check.h"
#include "session/login_request.h"
#include "settings/ConfigAccess.h"

namespace emissary::ema {

using access::OmmInvalidUsageException;
using reactor::consumer::ConsumerOptions;
using Phase = reactor::consumer::ConsumerRole::Phase;
using SessionGuard = std::lock_guard<reactor::SessionLock>;

namespace {

namespace codec = eta::codec;

std::string number(std::uint64_t n) {
    return std::to_string(n);
}

void takeDictionaryRequest(const access::ReqMsg* request, ConsumerOptions::DictionaryRequest& into) {
    if (request == nullptr) return;
    const codec::Msg& m = MsgAccess::wire(*request);
    into.itemName.assign(eta::asText(m.key.name));
    if (m.key.has(codec::KeyFlag::filter)) into.filter = m.key.filter;
    into.streaming = m.has(codec::RequestFlag::streaming);
    into.hasServiceId = m.key.has(codec::KeyFlag::serviceId);
    into.serviceId = m.key.serviceId;
    if (MsgAccess::hasServiceName(*request)) into.serviceName.assign(MsgAccess::serviceName(*request));
}

}  // namespace

void ConsumerImpl::openLogger() {
    std::string fileName, error;
    logger_ = Logger::open(settings_.logger, settings_.instanceName, fileName, error);
    if (!logger_) throwInaccessibleLogFile(error, fileName);
    for (const QueuedRecord& record : settings_.queued)
        log("EmaConfig", record.severity, record.text);
    settings_.queued.clear();
}

void ConsumerImpl::requireUsableChannels() {
    std::string wrong;
    if (settings_.sessions.empty()) wrong = unusableChannel(settings_.channels);
    for (std::size_t i = 0; i < settings_.sessions.size() && wrong.empty(); ++i)
        wrong = unusableChannel(settings_.sessions[i].channels);
    if (wrong.empty()) return;
    log("ChannelCallbackClient", LogSeverity::error, wrong);
    throwInvalidConfiguration(wrong);
}

/// Dictionaries that need no channel: handed over, or from files.
void ConsumerImpl::prepareDictionary(const access::OmmConsumerConfig& config) {
    if (const auto* given = ConfigAccess::of(config).dictionary; given != nullptr) {
        dictionary_ = DictionaryAccess::shared(*given);
        return;
    }
    if (!settings_.dictionary.fromFile) return;
    auto loaded = std::make_shared<eta::dictionary::Dictionary>();
    auto error = loaded->loadFields(settings_.dictionary.fieldFile);
    if (!error) error = loaded->loadEnums(settings_.dictionary.enumFile);
    if (error) throwInvalidUsage(error.text, OmmInvalidUsageException::FailureEnum);
    for (const std::string& text : loaded->warnings())
        log("DictionaryHandler", LogSeverity::warning, text);
    dictionary_ = std::move(loaded);
}

/// Everything but the connections.
ConsumerOptions ConsumerImpl::options(const access::OmmConsumerConfig& config) const {
    const ConsumerConfigImpl& c = ConfigAccess::of(config);
    const ConsumerSettings& s = settings_;
    ConsumerOptions o;
    LoginRequest login = makeLoginRequest(s.login, c.loginRequest.get(), LoginRole::consumer, s.enableRtt);
    o.userName = std::move(login.userName);
    o.userNameType = login.nameType;
    o.loginAttributes = std::move(login.attributes);
    o.enableRtt = s.enableRtt;

    if (c.directoryRequest) {
        const codec::Msg& m = MsgAccess::wire(*c.directoryRequest);
        if (m.key.has(codec::KeyFlag::filter)) o.directoryFilter = m.key.filter;
        o.hasDirectoryServiceId = m.key.has(codec::KeyFlag::serviceId);
        o.directoryServiceId = m.key.serviceId;
        o.directoryStreaming = m.has(codec::RequestFlag::streaming);
    }
    o.downloadDictionaries = dictionary_ == nullptr;
    o.dictionaryTimeout = std::chrono::milliseconds(settings_.dictionaryRequestTimeoutMs);
    o.maxDictionaryBytes = settings_.maxDictionarySize;
    o.localDictionary = dictionary_;
    o.fieldDictionary.itemName = s.dictionary.fieldItemName;
    o.enumDictionary.itemName = s.dictionary.enumItemName;
    takeDictionaryRequest(c.fieldDictionaryRequest.get(), o.fieldDictionary);
    takeDictionaryRequest(c.enumDictionaryRequest.get(), o.enumDictionary);
    o.requestTimeout = std::chrono::milliseconds(s.requestTimeoutMs);
    o.recoveryMinDelay = std::chrono::milliseconds(s.recoveryMinDelayMs);
    o.recoveryMaxDelay = std::chrono::milliseconds(s.recoveryMaxDelayMs);
    o.postAckTimeout = std::chrono::milliseconds(s.postAckTimeoutMs);
    o.maxOutstandingPosts = s.maxOutstandingPosts;
    o.obeyOpenWindow = s.obeyOpenWindow;
    o.msgKeyInUpdates = s.msgKeyInUpdates;
    o.itemCountHint = s.itemCountHint;
    return o;
}

void ConsumerImpl::start(const access::OmmConsumerConfig& config) {
    settings_ = ConfigAccess::of(config).settings();
    name_ =
        access::EmaString(settings_.instanceName.data(), static_cast<access::UInt32>(settings_.instanceName.size()));
    openLogger();
    requireUsableChannels();
    prepareDictionary(config);

    reactor::ReactorOptions loop;
    loop.name = "ema-cons";
    loop.workerCpu = settings_.workerThreadBind;
    loop.jsonLayer = reactor::jsonLayer(settings_.json);
    loop.trimPeriod = std::chrono::milliseconds(settings_.memoryTrimPeriodMs);
    orThrowSystem([&] { reactor_ = std::make_unique<reactor::Reactor>(std::move(loop)); });
    {
        const SessionGuard guard(reactor_->lock());
        makeSessions(config);
        context_.dictionary = dictionary_.get();
        config_ = &config;
        starting_ = true;
        usable_.store(true, std::memory_order_release);  // callbacks may call already
        if (clients_.admin != nullptr) {
            codec::Msg login;
            login.cls = codec::MsgClass::Request;
            login.domain = 1;
            reactor::consumer::Refusal refusal;
            registerAtSessions({login, {}}, refusal);
        }
        withSessions([](auto& s) { s.start(); });
    }
    try {
        waitUntilReady();
        {
            const SessionGuard guard(reactor_->lock());
            starting_ = false;
        }
        if (!settings_.userDispatch) orThrowSystem([this] { apiThread_ = std::thread([this] { run(); }); });
    } catch (...) {
        usable_.store(false, std::memory_order_release);
        const SessionGuard guard(reactor_->lock());
        starting_ = false;
        withSessions([](auto& s) { s.shutdown(); });
        throw;
    }
    log(settings_.instanceName, LogSeverity::verbose, "Initialized.");
}

/// A request of the admin client's.
void ConsumerImpl::registerAtSessions(const reactor::consumer::RequestView& request,
                                      reactor::consumer::Refusal& refusal) {
    const reactor::consumer::Subscriber subscriber{clients_.admin, clients_.closure, 0};
    if (router_) router_->registerClient(request, {}, subscriber, refusal);
    else role_->registerClient(request, subscriber, refusal);
}

/// The admin client also hears about what the application's own directory and dictionary requests asked for.
void ConsumerImpl::registerAdmin(const access::ReqMsg* request) {
    if (clients_.admin == nullptr || request == nullptr) return;
    const bool named = MsgAccess::hasServiceName(*request);
    reactor::consumer::Refusal refusal;
    registerAtSessions({MsgAccess::wire(*request), named ? MsgAccess::serviceName(*request) : std::string_view{}},
                       refusal);
    if (refusal) log(settings_.instanceName, LogSeverity::warning, refusal.text);
}

void ConsumerImpl::registerAdminDirectory() {
    if (std::exchange(adminDirectory_, true)) return;
    registerAdmin(ConfigAccess::of(*config_).directoryRequest.get());
}

void ConsumerImpl::registerAdminDictionaries() {
    if (std::exchange(adminDictionaries_, true)) return;
    registerAdmin(ConfigAccess::of(*config_).fieldDictionaryRequest.get());
    registerAdmin(ConfigAccess::of(*config_).enumDictionaryRequest.get());
}

/// Dispatches on the calling thread until everything is there or one of the start-up timeouts ends the wait.
void ConsumerImpl::waitUntilReady() {
    using E = OmmInvalidUsageException;
    enum class Stage { login, directory, dictionaries, ready, closed };
    struct Limit {
        std::uint32_t ms;
        access::Int32 code;
        const char* what;
        const char* component;  // of the log
    };
    const Limit limits[] = {
        {settings_.loginRequestTimeoutMs, E::LoginRequestTimeOutEnum, "login", "LoginCallbackClient"},
        {settings_.directoryRequestTimeoutMs, E::DirectoryRequestTimeOutEnum, "directory request",
         "DirectoryCallbackClient"},
        {settings_.dictionaryRequestTimeoutMs, E::DictionaryRequestTimeOutEnum, "dictionary request",
         "DictionaryCallbackClient"}};
    Stage stage = Stage::login;
    reactor::TimePoint since = reactor::Clock::now();
    for (;;) {
        Stage now = Stage::login;
        std::string place, reason;
        bool refused = false;
        {
            const SessionGuard guard(reactor_->lock());
            switch (withSessions([](auto& s) { return s.phase(); })) {
            case Phase::idle:
            case Phase::connecting:
            case Phase::loggingIn:
            case Phase::backingOff:
                break;
            case Phase::directory:
                now = Stage::directory;
                break;
            case Phase::dictionaries:
                now = Stage::dictionaries;
                break;
            case Phase::ready:
                now = Stage::ready;
                break;
            case Phase::closed:
                now = Stage::closed;
                break;
            }
            const auto& connect = sessionInUse().channel().connect;
            place = connect.host + ":" + connect.port;
            reason = withSessions([](auto& s) { return s.lastReason(); });
            refused = withSessions([](auto& s) { return s.loginRefused(); });
            if (now == Stage::ready && !dictionary_) {
                dictionary_ = withSessions([](auto& s) { return s.dictionary(); });
                context_.dictionary = dictionary_.get();
            }
        }
        if (now == Stage::ready) return;
        if (now == Stage::closed) {
            if (refused) throwInvalidUsage("login failed: " + reason, E::LoginRequestRejectedEnum);
            throwInvalidUsage("no connection, and no further attempt is allowed: " + reason, E::NoActiveChannelEnum);
        }
        // A connection that is lost and made again does not start anew: the wait is for the furthest step, and the text
        // names what never came.
        if (now > stage) {
            stage = now;
            since = reactor::Clock::now();
        }
        const Limit& limit = limits[static_cast<std::size_t>(stage)];
        std::chrono::microseconds wait{-1};
        if (limit.ms != 0) {
            const auto end = since + std::chrono::milliseconds(limit.ms);
            wait = std::chrono::ceil<std::chrono::microseconds>(end - reactor::Clock::now());
            if (wait.count() <= 0) {
                std::string text = std::string(limit.what) + " failed (timed out after waiting " + number(limit.ms) +
                                   " milliseconds) for " + place + ")";
                if (!reason.empty()) text += "; last failure: " + reason;
                log(limit.component, LogSeverity::error, text);
                throwInvalidUsage(text, limit.code);
            }
        }
        reactor_->dispatch(wait, static_cast<int>(settings_.maxDispatchCountApiThread));
        thrown_.rethrow();
    }
}

}  // namespace emissary::ema
