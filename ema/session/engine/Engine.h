// ema/session/engine: one instance, consumer or provider, apart from what it says to its peers: log, loop, threads,
// dispatching, start, end.
#pragma once

#include "config/Settings.h"
#include "errors/ErrorClient.h"
#include "logging/Logger.h"
#include "reactor/Reactor.h"
#include "reactor/session/session_types.h"
#include "session/engine/AddedCountsTable.h"
#include "session/engine/KeptException.h"
#include "session/engine/forks.h"

#include "Access/Include/EmaString.h"
#include "Access/Include/OmmInvalidUsageException.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>

namespace emissary::ema {

namespace access = refinitiv::ema::access;

enum class InstanceKind : std::uint8_t { consumer, interactiveProvider, nonInteractiveProvider };

/// A step of a start that waits for the peer.
struct StartStage {
    std::uint32_t limitMs;  ///< 0: for ever
    access::Int32 code;     ///< of the exception when it lasts longer: an OmmInvalidUsageException::ErrorCode
    const char* what;       ///< in its text
    const char* component;  ///< in the log
};

/// How far a start has come.
struct StartProgress {
    std::size_t stage = 0;  ///< waits for this one; their number: everything is there
    bool closed = false;    ///< nothing more will come
    bool refused = false;   ///< because the peer refused the login
    std::string place{};    ///< host and port of the attempt
    std::string reason{};   ///< of the last failure
    std::string missing{};  ///< what this stage waits for, as a sentence
    std::string failure{};  ///< not empty: the start has failed, and this is the whole text
    access::Int32 failureCode = access::OmmInvalidUsageException::NoActiveChannelEnum;  ///< with `failure`
};

/// The engine of one OmmConsumer or OmmProvider, which holds it as a member beside what makes it that kind of instance.
///
/// Public calls come from any thread and take the session lock for their duration. Callbacks come from one thread at a
/// time (that of the constructor during the start, then the API thread or those that call dispatch()), with the lock
/// held. What callbacks throw never unwinds through the loop: it is kept and comes out of the dispatching call.
class Engine {
public:
    /// What the instance does with its peers. Called with the session lock held.
    class Peers {
    public:
        [[nodiscard]] virtual StartProgress progress() = 0;
        /// Says good-bye, disconnects, and frees what lives on the loop. May come when nothing was opened, or again.
        virtual void close() = 0;

    protected:
        ~Peers() = default;
    };
    using Guard = std::lock_guard<reactor::SessionLock>;

    Engine(InstanceKind kind, ErrorClient errors) : errors_(errors), kind_(kind) {}
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // --- start and end, on the threads of the constructor and the destructor
    /// Takes the name and opens the log; `settings` outlive the engine.
    void openLog(const InstanceSettings& settings);
    void openLoop();
    /// Lets the instance go: `open` connects or listens (session lock held), then the calling thread dispatches until
    /// every stage is over, then the API thread starts. What goes wrong, a stage that lasts too long among it, closes
    /// the peers and is thrown; every later call is refused.
    void start(Peers& peers, std::span<const StartStage> stages, const std::function<void()>& open);
    /// Ends it in any state: no callback starts after this. Waits for callbacks that run, and for threads in
    /// dispatch().
    void stop(Peers& peers) noexcept;

    // --- for public calls
    [[nodiscard]] bool usable() const noexcept { return usable_.load(std::memory_order_relaxed) && !cameByFork(); }
    /// This process is a child of the one that made the instance, whose connections and threads it has not.
    [[nodiscard]] bool cameByFork() const noexcept { return forks() != born_; }
    /// Throws unless the instance is started and not ending.
    void requireUsable() const {
        if (!usable()) [[unlikely]]
            refuse();
    }
    template <class Call>
    void guarded(Call&& call) const {
        errors_.guarded(std::forward<Call>(call));
    }
    [[nodiscard]] Guard locked() noexcept { return Guard(loop_->lock()); }
    /// emissary::SubmitBurst. False: this is no time for one, and end is not to be called.
    [[nodiscard]] bool beginBurst() noexcept {
        if (!usable()) return false;
        const Guard guard = locked();
        return loop_->beginBurst();
    }
    void endBurst() noexcept {
        const Guard guard = locked();
        loop_->endBurst();
    }
    /// OmmConsumer::dispatch(), OmmProvider::dispatch(): true when something was handled. Inside a callback, and when
    /// the API thread dispatches, there is nothing to do.
    [[nodiscard]] bool dispatch(access::Int64 timeoutUs);
    [[nodiscard]] const access::EmaString& name() const noexcept { return name_; }
    [[nodiscard]] std::string describe() const;  ///< "OmmConsumer name='Consumer_1'"

    // --- for callbacks
    template <class Callback>
    void runCallback(Callback&& callback) noexcept {
        try {
            callback();
        } catch (...) { keepThrown(); }
    }
    [[nodiscard]] bool starting() const noexcept { return starting_; }  ///< session lock
    [[nodiscard]] const ErrorClient& errors() const noexcept { return errors_; }
    [[nodiscard]] reactor::Reactor& loop() noexcept { return *loop_; }
    /// For the options of every connection: writes as the settings say, and tells the log. After openLog().
    [[nodiscard]] std::shared_ptr<eta::transport::TraceSource> messageTrace() const;
    /// Null before openLoop().
    [[nodiscard]] std::shared_ptr<const reactor::metrics::Snapshot> metrics() const;
    /// Session lock held, and between openLoop() and stop().
    [[nodiscard]] AddedCountsTable& addedCounts() noexcept { return addedCounts_; }
    [[nodiscard]] bool hasLoop() const noexcept { return loop_ != nullptr; }

    void log(std::string_view component, LogSeverity severity, std::string_view text) noexcept {
        if (log_) log_->log(component, severity, text);
    }
    /// A record that a peer can cause as often as it likes (Logger::logPeer). Session lock held.
    template <class Text>
    void logPeer(std::string_view component, LogSeverity severity, Text&& text) noexcept {
        if (!log_) return;
        log_->logPeer(component, severity, std::forward<Text>(text));
        if (log_->hasLeftOut()) [[unlikely]]
            tellLeftOutLater();
    }
    void logConnection(reactor::session::ConnectionEvent event, const std::string& text) noexcept;

private:
    /// While it lives, the destructor of the instance waits.
    class Inside;

    void keepThrown() noexcept;  // apart, so that callbacks are inlined where they are made
    void serveMetrics();
    void tellLeftOutLater() noexcept;
    void waitUntilStarted(Peers& peers, std::span<const StartStage> stages);
    void tellWait(const StartStage& stage, const StartProgress& progress);
    [[noreturn]] void timedOut(const StartStage& stage, const StartProgress& progress);
    [[noreturn]] void refuse() const;
    void runApiThread();
    void report(const std::exception_ptr& thrown);
    [[nodiscard]] const char* className() const noexcept;
    [[nodiscard]] std::string threadName() const;
    [[nodiscard]] bool stopping() const noexcept {
        return (gate_.load(std::memory_order_acquire) & kStopping) != 0;  // pairs with the fetch_or in stop()
    }

    static constexpr std::uint32_t kStopping = 0x8000'0000;

    const ErrorClient errors_;
    const InstanceKind kind_;
    const std::uint32_t born_ = forks();
    bool starting_ = false;               // guarded by the session lock
    std::atomic<bool> usable_{false};     // a hint for callers; the session lock orders what they see
    std::atomic<std::uint32_t> gate_{0};  // threads inside dispatch(), and whether the instance is ending
    access::EmaString name_;
    const InstanceSettings* settings_ = nullptr;
    std::shared_ptr<logging::Logger> log_;  // shared by the instances that log to the same file
    std::unique_ptr<reactor::Reactor> loop_;
    AddedCountsTable addedCounts_;       // session lock
    reactor::TimerId leftOutTimer_ = 0;  // session lock
    std::thread apiThread_;
    KeptException kept_;
};

}  // namespace emissary::ema
