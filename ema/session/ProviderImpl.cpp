#include "session/ProviderImpl.h"

#include "Access/Include/DispatchError.h"
#include "Access/Include/OmmInaccessibleLogFileException.h"
#include "Access/Include/OmmInvalidHandleException.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmJsonConverterException.h"
#include "Access/Include/OmmMemoryExhaustionException.h"
#include "Access/Include/OmmSystemException.h"
#include "errors/raise.h"
#include "reactor/threads.h"
#include "session/IProviderImpl.h"
#include "session/NiProviderImpl.h"
#include "session/SessionInfoAccess.h"

#include <mutex>

namespace emissary::ema {

using namespace refinitiv::ema::access;

namespace {

/// For providers made without a client: its callbacks do nothing.
class NoClient final : public OmmProviderClient {};

[[nodiscard]] OmmProviderClient& noClient() {
    static NoClient client;
    return client;
}

[[nodiscard]] std::string describe(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const OmmException& e) { return e.toString().c_str(); } catch (const std::exception& e) {
        return e.what();
    } catch (...) { return "an exception of unknown type"; }
}

}  // namespace

std::unique_ptr<ProviderImpl> ProviderImpl::make(OmmProvider& owner, const OmmProviderConfig& config, Clients clients) {
    if (config.getProviderRole() == OmmProviderConfig::InteractiveEnum)
        return std::make_unique<IProviderImpl>(owner, clients);
    return std::make_unique<NiProviderImpl>(owner, clients);
}

std::unique_ptr<OmmProviderEvent> ProviderImpl::makeEvent(OmmProvider& owner, ProviderImpl& impl) {
    return std::unique_ptr<OmmProviderEvent>(new OmmProviderEvent(owner, impl));
}

ProviderImpl::ProviderImpl(OmmProvider& owner, Clients clients)
    : owner_(owner), clients_(clients), event_(makeEvent(owner, *this)) {
    if (clients_.client == nullptr) clients_.client = &noClient();
}

ProviderImpl::~ProviderImpl() {
    stop();
}

void ProviderImpl::open(const InstanceSettings& settings) {
    settings_ = &settings;
    name_ = EmaString(settings.instanceName.c_str());
    std::string file, error;
    logger_ = Logger::open(settings.logger, settings.instanceName, file, error);
    if (!logger_) throwInaccessibleLogFile(error, file);
    for (const QueuedRecord& record : settings.queued)
        log("EmaConfig", record.severity, record.text);
    reactor::ReactorOptions options;
    options.name = settings.instanceName;
    options.workerCpu = settings.workerThreadBind;
    options.jsonLayer = reactor::jsonLayer(settings.json);
    options.trimPeriod = std::chrono::milliseconds(settings.memoryTrimPeriodMs);
    orThrowSystem([&] { reactor_ = std::make_unique<reactor::Reactor>(std::move(options)); });
}

void ProviderImpl::startApiThread() {
    if (!settings_->userDispatch) orThrowSystem([this] { apiThread_ = std::thread([this] { run(); }); });
}

void ProviderImpl::stop() noexcept {
    stopping_.store(true, std::memory_order_release);  // pairs with the acquire loads of run() and dispatch()
    if (reactor_) reactor_->wake();
    if (apiThread_.joinable()) apiThread_.join();
    for (std::uint32_t n = dispatching_.load(std::memory_order_acquire); n != 0;
         n = dispatching_.load(std::memory_order_acquire)) {
        reactor_->wake();
        dispatching_.wait(n, std::memory_order_acquire);
    }
}

void ProviderImpl::run() {
    reactor::nameThisThread(settings_->instanceName + "-api");
    if (!reactor::bindThisThread(settings_->apiThreadBind))
        log("OmmProvider", LogSeverity::warning,
            "The API thread cannot be bound to CPU '" + settings_->apiThreadBind + "'; it runs unbound.");
    const auto timeout = std::chrono::microseconds(settings_->dispatchTimeoutApiThreadUs);
    const int most = static_cast<int>(settings_->maxDispatchCountApiThread);
    while (!stopping_.load(std::memory_order_acquire)) {
        reactor_->dispatch(timeout, most);
        const std::exception_ptr thrown = thrown_.take();
        if (!thrown) [[likely]]
            continue;
        if (!settings_->catchUnhandledException) std::rethrow_exception(thrown);  // ends the process, as asked for
        try {
            report(thrown);
        } catch (const std::bad_alloc&) {}  // to tell of it takes memory, and there is none
    }
}

void ProviderImpl::report(std::exception_ptr thrown) {
    const std::string text = "A callback of the application threw: " + describe(thrown);
    log("OmmProvider", LogSeverity::error, text);
    if (clients_.errorClient != nullptr)
        clients_.errorClient->onDispatchError(EmaString(text.c_str()), DispatchError::FailureEnum);
}

Int64 ProviderImpl::dispatch(Int64 timeoutUs) {
    if (!reactor_ || !settings_->userDispatch || stopping_.load(std::memory_order_acquire))
        return OmmProvider::TimeoutEnum;
    dispatching_.fetch_add(1, std::memory_order_acq_rel);
    const int handled = reactor_->dispatch(std::chrono::microseconds(std::max<Int64>(timeoutUs, -1)),
                                           static_cast<int>(settings_->maxDispatchCountUserThread));
    std::exception_ptr thrown;
    if (!reactor_->onDispatchThread()) thrown = thrown_.take();  // not from inside a callback
    dispatching_.fetch_sub(1, std::memory_order_acq_rel);
    dispatching_.notify_all();
    if (thrown) std::rethrow_exception(thrown);
    return handled > 0 ? OmmProvider::DispatchedEnum : OmmProvider::TimeoutEnum;
}

void ProviderImpl::aim(UInt64 handle, UInt64 clientHandle, void* closure) noexcept {
    event_->handle_ = handle;
    event_->clientHandle_ = clientHandle;
    event_->closure_ = closure;
}

void ProviderImpl::outOfMemory() {
    constexpr const char* text = "Memory is exhausted.";
    if (clients_.errorClient == nullptr) throwMemoryExhaustion(text);
    clients_.errorClient->onMemoryExhaustion(EmaString(text));
}

void ProviderImpl::tellJsonFailure(const std::string& text, UInt64 clientHandle) {
    if (clients_.errorClient == nullptr) return;
    ChannelInformation channel;
    fill(clientHandle, channel);
    const auto session = SessionInfoAccess::make(channel, 0, clientHandle, owner_);
    try {
        clients_.errorClient->onJsonConverter(EmaString(text.c_str()), OmmJsonConverterException::FailureEnum,
                                              *session);
    } catch (...) { thrown_.keep(std::current_exception()); }
}

void ProviderImpl::throwConversion(const std::string& text, UInt64 handle, UInt64 clientHandle) {
    ChannelInformation channel;
    fill(clientHandle, channel);
    throwJsonConverter(text, OmmJsonConverterException::InvalidDataEnum,
                       SessionInfoAccess::make(channel, handle, clientHandle, owner_));
}

/// False when there is no error client, or for what is thrown always.
bool ProviderImpl::tellErrorClient(const OmmException& e) {
    OmmProviderErrorClient* errors = clients_.errorClient;
    if (errors == nullptr) return false;
    switch (e.getExceptionType()) {
    case OmmException::OmmInvalidUsageExceptionEnum:
        errors->onInvalidUsage(e.getText());
        errors->onInvalidUsage(e.getText(), static_cast<const OmmInvalidUsageException&>(e).getErrorCode());
        return true;
    case OmmException::OmmInvalidHandleExceptionEnum:
        errors->onInvalidHandle(static_cast<const OmmInvalidHandleException&>(e).getHandle(), e.getText());
        return true;
    case OmmException::OmmInaccessibleLogFileExceptionEnum:
        errors->onInaccessibleLogFile(static_cast<const OmmInaccessibleLogFileException&>(e).getFilename(),
                                      e.getText());
        return true;
    case OmmException::OmmMemoryExhaustionExceptionEnum:
        errors->onMemoryExhaustion(e.getText());
        return true;
    case OmmException::OmmSystemExceptionEnum: {
        const auto& system = static_cast<const OmmSystemException&>(e);
        errors->onSystemError(system.getSystemExceptionCode(), system.getSystemExceptionAddress(), e.getText());
        return true;
    }
    case OmmException::OmmJsonConverterExceptionEnum: {
        const auto& json = static_cast<const OmmJsonConverterException&>(e);
        errors->onJsonConverter(e.getText(), json.getErrorCode(),
                                static_cast<const ProviderSessionInfo&>(json.getSessionInfo()));
        return true;
    }
    case OmmException::OmmInvalidConfigurationExceptionEnum:
    case OmmException::OmmOutOfRangeExceptionEnum:
    case OmmException::OmmUnsupportedDomainTypeExceptionEnum:
        return false;
    }
    return false;
}

}  // namespace emissary::ema
