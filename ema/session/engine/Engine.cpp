// ema/session/engine: opens log and loop, waits for the stages of a start, runs the API thread, ends all in order.
#include "session/engine/Engine.h"

#include "Access/Include/OmmException.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "errors/raise.h"
#include "reactor/metrics/Snapshot.h"
#include "reactor/threads.h"
#include "session/engine/connection_log.h"

#include <chrono>
#include <system_error>

namespace emissary::ema {

using Code = access::OmmInvalidUsageException;

namespace {

using std::chrono::microseconds;

/// A step of a start that lasts longer is logged, so that a person who waits sees the reason.
constexpr std::chrono::milliseconds kTellAfter{1500};

/// Of what callbacks throw.
[[nodiscard]] std::string textOf(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const access::OmmException& e) { return e.toString().c_str(); } catch (const std::exception& e) {
        return e.what();
    } catch (...) { return "an exception of unknown type"; }
}

/// Rounded up, so that a wait does not end in a row of waits for nothing.
[[nodiscard]] microseconds until(reactor::TimePoint end) {
    return std::chrono::ceil<microseconds>(end - reactor::Clock::now());
}

}  // namespace

// --- names -----------------------------------------------------------------------------------------------------------

const char* Engine::className() const noexcept {
    return kind_ == InstanceKind::consumer ? "OmmConsumer" : "OmmProvider";
}

std::string Engine::describe() const {
    return std::string(className()) + " name='" + name_.c_str() + "'";
}

/// Kind and number of the instance: "ema-iprov2". What follows the number has to share 15 characters with it.
std::string Engine::threadName() const {
    static constexpr const char* kNames[] = {"ema-cons", "ema-iprov", "ema-niprov"};
    const std::string& instance = settings_->instanceName;
    const auto number = instance.rfind('_') + 1;  // 0 when there is none
    return kNames[static_cast<std::size_t>(kind_)] + (number == 0 ? std::string() : instance.substr(number));
}

// --- start -----------------------------------------------------------------------------------------------------------

void Engine::openLog(const InstanceSettings& settings) {
    settings_ = &settings;
    name_ = access::EmaString(settings.instanceName.data(), static_cast<access::UInt32>(settings.instanceName.size()));
    std::string fileName;
    eta::Refused refused;
    log_ = logging::Logger::open(settings.logger, settings.instanceName, fileName, refused);
    if (!log_) throwInaccessibleLogFile(refused.text, fileName);
    for (const QueuedRecord& record : settings.queued)
        log("EmaConfig", record.severity, record.text);
}

std::shared_ptr<eta::transport::TraceSource> Engine::messageTrace() const {
    using eta::trace::TraceNotice;
    return eta::trace::makeXmlTrace(settings_->trace, [log = log_](TraceNotice notice, const std::string& text) {
        log->log("XmlTrace", notice == TraceNotice::stopped ? LogSeverity::error : LogSeverity::verbose, text);
    });
}

void Engine::openLoop() {
    reactor::ReactorOptions options;
    options.name = threadName();
    options.instance = settings_->instanceName;
    options.workerCpu = settings_->workerThreadBind;
    // One of the few workers of the process (ADR 17).
    options.shareWorker = true;
    options.jsonLayer = reactor::jsonLayer(settings_->json);
    options.busyPoll = std::chrono::microseconds(settings_->busyPollUs);
    options.trimPeriod = std::chrono::milliseconds(settings_->memoryTrimPeriodMs);
    orThrowSystem([&] { loop_ = std::make_unique<reactor::Reactor>(std::move(options)); });
    if (settings_->metricsPort != 0) serveMetrics();
}

void Engine::serveMetrics() {
    const std::string port = std::to_string(settings_->metricsPort);
    try {
        loop_->serveMetrics("127.0.0.1", settings_->metricsPort);
    } catch (const std::system_error& e) {
        throwInvalidConfiguration("MetricsPort " + port + " cannot be used: " + e.what());
    }
    log(settings_->instanceName, LogSeverity::success, "Counts are served on http://127.0.0.1:" + port + "/metrics.");
}

std::shared_ptr<const reactor::metrics::Snapshot> Engine::metrics() const {
    return loop_ ? std::make_shared<const reactor::metrics::Snapshot>(loop_->metrics()) : nullptr;
}

void Engine::start(Peers& peers, std::span<const StartStage> stages, const std::function<void()>& open) {
    try {
        {
            const Guard guard = locked();
            starting_ = true;
            usable_.store(true, std::memory_order_relaxed);  // callbacks may call already
            open();
        }
        waitUntilStarted(peers, stages);
        {
            const Guard guard = locked();
            starting_ = false;
        }
        // Only now: until here the constructor's thread dispatches, and callbacks come from one thread at a time.
        if (!settings_->userDispatch) orThrowSystem([this] { apiThread_ = std::thread([this] { runApiThread(); }); });
    } catch (...) {
        // A constructor that throws leaves nothing open: no callback may reach an object that never came to be.
        usable_.store(false, std::memory_order_relaxed);
        const Guard guard = locked();
        starting_ = false;
        peers.close();
        throw;
    }
    log(settings_->instanceName, LogSeverity::verbose, "Initialized.");
}

/// The wait is for the furthest step that was reached: a connection that is lost and made again does not start anew,
/// and the text of a failure names what never came.
void Engine::waitUntilStarted(Peers& peers, std::span<const StartStage> stages) {
    std::size_t furthest = 0;
    reactor::TimePoint since = reactor::Clock::now();
    bool told = false;  // that this step takes long
    for (;;) {
        StartProgress progress;
        {
            const Guard guard = locked();
            progress = peers.progress();
        }
        if (!progress.failure.empty()) throwInvalidUsage(progress.failure, progress.failureCode);
        if (progress.closed) {
            if (progress.refused) throwInvalidUsage("login failed: " + progress.reason, Code::LoginRequestRejectedEnum);
            throwInvalidUsage("no connection, and no further attempt is allowed: " + progress.reason,
                              Code::NoActiveChannelEnum);
        }
        if (progress.stage >= stages.size()) return;
        if (progress.stage > furthest) {
            furthest = progress.stage;
            since = reactor::Clock::now();
            told = false;
        }
        const StartStage& stage = stages[furthest];
        // -1 waits without a limit, as a time-out of 0 asks for.
        microseconds wait{-1};
        if (stage.limitMs != 0) {
            wait = until(since + std::chrono::milliseconds(stage.limitMs));
            if (wait.count() <= 0) timedOut(stage, progress);
        }
        if (!told) {
            const microseconds left = until(since + kTellAfter);
            told = left.count() <= 0;
            if (told) tellWait(stage, progress);
            else if (wait.count() < 0 || left < wait) wait = left;
        }
        loop_->dispatch(wait, static_cast<int>(settings_->maxDispatchCountApiThread));
        // What a callback threw during the start comes out of the constructor.
        kept_.rethrow();
    }
}

void Engine::tellWait(const StartStage& stage, const StartProgress& progress) {
    std::string text = std::string("still waiting: the ") + stage.what + " has no answer from " + progress.place;
    if (stage.limitMs != 0) text += ", within at most " + std::to_string(stage.limitMs) + " milliseconds";
    if (!progress.missing.empty()) text += "; " + progress.missing;
    if (!progress.reason.empty()) text += "; last failure: " + progress.reason;
    log(stage.component, LogSeverity::warning, text);
}

/// The text is the vendor's, unbalanced parenthesis included: programs look for it (ema-api.md 6.1).
void Engine::timedOut(const StartStage& stage, const StartProgress& progress) {
    std::string text = std::string(stage.what) + " failed (timed out after waiting " + std::to_string(stage.limitMs) +
                       " milliseconds) for " + progress.place + ")";
    if (!progress.missing.empty()) text += "; " + progress.missing;
    if (!progress.reason.empty()) text += "; last failure: " + progress.reason;
    log(stage.component, LogSeverity::error, text);
    throwInvalidUsage(text, stage.code);
}

// --- end -------------------------------------------------------------------------------------------------------------

/// New calls are refused first. Then the API thread and every thread inside dispatch() have to leave, because peers and
/// loop are freed under them otherwise. The loop goes last: closing still sends.
void Engine::stop(Peers& peers) noexcept {
    usable_.store(false, std::memory_order_relaxed);
    // Pairs with the acquire in stopping(), and with the counting in Inside.
    gate_.fetch_or(kStopping, std::memory_order_acq_rel);
    if (!loop_) return;
    loop_->wake();
    if (apiThread_.joinable()) apiThread_.join();
    // A wake ends one wait: each thread that leaves is the occasion for the next one.
    for (std::uint32_t now = gate_.load(std::memory_order_acquire); now != kStopping;
         now = gate_.load(std::memory_order_acquire)) {
        loop_->wake();
        gate_.wait(now, std::memory_order_acquire);
    }
    {
        const Guard guard = locked();
        peers.close();
        addedCounts_.close();
    }
    loop_.reset();
    log(settings_->instanceName, LogSeverity::verbose, "Uninitialized.");
}

void Engine::refuse() const {
    if (cameByFork())
        throwInvalidUsage(
            std::string("The ") + className() +
                " belongs to the parent process: what a fork leaves of it cannot be used. Make one in the "
                "child.",
            Code::InvalidOperationEnum);
    throwInvalidUsage(std::string("The ") + className() + " is not (or no longer) initialized.",
                      Code::InvalidOperationEnum);
}

// --- dispatching -----------------------------------------------------------------------------------------------------

class Engine::Inside {
public:
    explicit Inside(std::atomic<std::uint32_t>& gate) noexcept : gate_(gate) {
        gate_.fetch_add(1, std::memory_order_acq_rel);
    }
    /// Once the count is down the instance may be gone: what follows is about an address only. Nobody waits there
    /// unless it is ending.
    ~Inside() {
        const std::uint32_t before = gate_.fetch_sub(1, std::memory_order_acq_rel);
        if ((before & kStopping) != 0) gate_.notify_all();
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

private:
    std::atomic<std::uint32_t>& gate_;
};

bool Engine::dispatch(access::Int64 timeoutUs) {
    // With an error client guarded() does not throw: the flag says whether there is anything to dispatch.
    bool usable = false;
    guarded([&] {
        requireUsable();
        usable = true;
    });
    if (!usable || !settings_->userDispatch || loop_->onDispatchThread()) return false;
    // From here on the destructor waits for this thread.
    const Inside inside(gate_);
    const int most = static_cast<int>(settings_->maxDispatchCountUserThread);
    const auto end = timeoutUs > 0 ? reactor::Clock::now() + microseconds(timeoutUs) : reactor::TimePoint::max();
    microseconds left(timeoutUs);
    int handled = 0;
    // A wake-up that was not meant for the application must not end the wait early.
    while (!stopping()) {
        handled = loop_->dispatch(left, most);
        if (handled != 0 || timeoutUs == 0) break;
        // InfiniteWaitEnum ends with the first message that was handled.
        if (timeoutUs < 0) continue;
        left = until(end);
        if (left.count() <= 0) break;
    }
    kept_.rethrow();
    return handled > 0;
}

void Engine::runApiThread() {
    reactor::nameThisThread(threadName());
    if (!reactor::bindThisThread(settings_->apiThreadBind))
        log(settings_->instanceName, LogSeverity::warning,
            "The API dispatch thread cannot be bound to CPU '" + settings_->apiThreadBind + "'; it runs unbound.");
    const microseconds timeout(settings_->dispatchTimeoutApiThreadUs);
    // A bound for one turn, so that stopping() is asked while messages keep coming.
    const int most = static_cast<int>(settings_->maxDispatchCountApiThread);
    while (!stopping()) {
        loop_->dispatch(timeout, most);
        const std::exception_ptr thrown = kept_.take();
        if (!thrown) [[likely]]
            continue;
        if (!settings_->catchUnhandledException) std::rethrow_exception(thrown);  // ends the process, as asked for
        try {
            report(thrown);
        } catch (...) {}  // neither want of memory nor an error client that throws ends the thread
    }
}

void Engine::keepThrown() noexcept {
    kept_.keep(std::current_exception());
}

void Engine::report(const std::exception_ptr& thrown) {
    const std::string text = "A callback of the application threw: " + textOf(thrown);
    log(settings_->instanceName, LogSeverity::error, text);
    errors_.tellDispatchError(text);
}

void Engine::logConnection(reactor::session::ConnectionEvent event, const std::string& text) noexcept {
    const ConnectionLog line = connectionLog(event);
    logPeer(line.component, line.severity, [&]() -> const std::string& { return text; });
    if (starting_) loop_->wake();  // the constructor looks how far it has come
}

/// Reports records that were left out when the limit is over, also when nothing else is logged any more.
void Engine::tellLeftOutLater() noexcept {
    if (leftOutTimer_ != 0 || !loop_) return;
    try {
        leftOutTimer_ = loop_->startTimer(std::chrono::seconds(1), [this] {
            leftOutTimer_ = 0;
            log_->tellLeftOut();
            if (log_->hasLeftOut()) tellLeftOutLater();
        });
    } catch (const std::bad_alloc&) {}  // the next record that is left out tries again
}

}  // namespace emissary::ema
