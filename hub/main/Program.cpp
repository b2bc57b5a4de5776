// Reads the configuration, starts the hub and its pages, and follows signals until the end.
#include "hub/main/Program.h"

#include "eta/core/program_options.h"
#include "eta/core/version.h"
#include "hub/access/Access.h"
#include "hub/main/commands.h"
#include "hub/main/mesh_rows.h"
#include "hub/node/Hub.h"
#include "hub/ops/Captures.h"
#include "hub/ops/OtlpPush.h"
#include "hub/ops/Pages.h"
#include "reactor/threads.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <system_error>

#include <unistd.h>

namespace emissary::hub {

using logging::LogSeverity;

namespace {

// What signals asked for. Handlers only set flags and wake the loop.
std::atomic<int> endAsked{0};
std::atomic<bool> readAsked{false};
std::atomic<Hub*> woken{nullptr};
static_assert(std::atomic<Hub*>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void onSignal(int signal) {
    const int before = errno;
    if (signal == SIGHUP) readAsked.store(true, std::memory_order_relaxed);
    else endAsked.fetch_add(1, std::memory_order_relaxed);
    // The release of the hub's address is in start().
    if (Hub* const hub = woken.load(std::memory_order_acquire)) hub->wake();
    errno = before;
}

void watchSignals() {
    struct sigaction action {};
    action.sa_handler = onSignal;
    sigemptyset(&action.sa_mask);
    for (const int s : {SIGTERM, SIGINT, SIGHUP})
        sigaction(s, &action, nullptr);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, nullptr);
    sigaction(SIGXFSZ, &action, nullptr);  // beyond `ulimit -f` a write fails; the hub goes on, and says so
    // Whoever started the hub may ignore it, and then the system waits for programs of LoginCommand in its place.
    action.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &action, nullptr);
}

void report(const logging::QueuedRecord& r) {
    if (r.severity == LogSeverity::error) std::fprintf(stderr, "Error: %s\n", r.text.c_str());
    else if (r.severity == LogSeverity::warning) std::fprintf(stderr, "Warning: %s\n", r.text.c_str());
}

LogSeverity logSeverity(Severity s) noexcept {
    switch (s) {
    case Severity::verbose:
        return LogSeverity::verbose;
    case Severity::success:
        return LogSeverity::success;
    case Severity::warning:
        return LogSeverity::warning;
    case Severity::error:
        break;
    }
    return LogSeverity::error;
}

const char* protocolsOf(const eta::transport::BindOptions& bind) {
    return bind.connectionType == eta::transport::ConnectionType::encrypted ? "RIPC and WebSocket in TLS"
                                                                            : "RIPC and WebSocket";
}

/// A list that lacks its end, for want of room on the disk, must not look like one.
[[nodiscard]] Exit printed() {
    return eta::standardOutputWritten("emissary-hub") ? Exit::ok : Exit::unusable;
}

}  // namespace

Program::Program() = default;

Program::~Program() {
    push_.reset();
    pages_.reset();
    reloads_.reset();
    woken.store(nullptr, std::memory_order_release);
}

Exit Program::run(const CommandLine& line) {
    using Mode = CommandLine::Mode;
    if (line.mode == Mode::help) return std::fputs(usageText().c_str(), stdout), printed();
    if (line.mode == Mode::version)
        return std::puts(("emissary-hub (Emissary) " + std::string(version())).c_str()), printed();
    if (line.mode == Mode::reload) return askToReload(line) ? Exit::ok : Exit::unusable;
    if (line.mode == Mode::call) {
        const Called called = askToCall(line);
        return called == Called::done ? printed() : called == Called::refused ? Exit::unusable : Exit::usage;
    }
    if (line.mode == Mode::usage) return printUsage(line.usage) ? Exit::ok : Exit::unusable;
    const bool usable = readConfiguration(line);
    if (line.mode == Mode::printConfig) std::fputs(config_.text().c_str(), stdout);
    if (line.mode == Mode::check && usable) std::puts("The configuration can be used.");
    if (!usable) {
        std::fputs("emissary-hub: the configuration cannot be used; man 5 emissary-hub.conf lists every parameter\n",
                   stderr);
        return Exit::unusable;
    }
    if (line.mode != Mode::run) return printed();
    watchSignals();
    if (!start(line)) return Exit::unusable;
    announce();
    serve();
    return Exit::ok;
}

bool Program::readConfiguration(const CommandLine& line) {
    config_ = readHubConfig(line.configFile, line.overrides);
    for (const logging::QueuedRecord& r : config_.records)
        report(r);
    if (!config_.usable()) return false;
    std::vector<std::string> errors = access::readAccessFiles(config_.settings.access).errors;
    tokens_ = std::make_unique<access::OperatorTokens>(config_.settings.httpTokens);
    std::ranges::move(tokens_->read(), std::back_inserter(errors));
    for (const std::string& error : errors)
        report({LogSeverity::error, error});
    return errors.empty();
}

bool Program::start(const CommandLine& line) {
    const HubSettings& s = config_.settings;
    if (!s.threadBind.empty() && !reactor::bindThisThread(s.threadBind.front()))
        std::fprintf(stderr, "Warning: ThreadBind: this process may not run on processor %s; it runs anywhere\n",
                     s.threadBind.front().c_str());
    if (const eta::Refused refused = log_.open(s.log, s.name))
        return std::fprintf(stderr, "Error: %s\n", refused.text.c_str()), false;
    HubOptions options;
    options.settings = s;
    if (!s.httpCaptureFolder.empty()) {
        captures_ = std::make_unique<ops::CaptureFiles>(s.httpCaptureFolder, s.httpCaptureBytes);
        for (ListenerSettings& listener : options.settings.listeners)
            listener.bind.tracing = captures_->source();
    }
    options.log = [this](Severity severity, const std::string& text) {
        if (!ended_) log_.peer(logSeverity(severity), text);  // the services that go then are no news
    };
    hub_ = std::make_unique<Hub>(std::move(options));
    if (const eta::Refused refused = hub_->start()) {
        std::fprintf(stderr, "Error: %s\n", refused.text.c_str());
        if (refused.text.find("in use by another") != std::string::npos)
            std::fputs(
                "Stop the program that uses the port, or give another one: -port, -niPort, or Port of the Server "
                "entry.\n",
                stderr);
        return false;
    }
    reloads_ = std::make_unique<Reloads>(line, config_, log_, *hub_, *tokens_, [this] { return draining_; });
    // The acquire is in onSignal().
    woken.store(hub_.get(), std::memory_order_release);
    startPush();
    return s.httpPort == 0 || startPages();
}

ops::Inspected Program::inspected() {
    const Hub::Rooms rooms = hub_->rooms();
    return ops::Inspected{
        rooms.reactor,
        rooms.items,
        rooms.clients,
        rooms.services,
        rooms.flow,
        hub_->settings(),
        [this](const auto& f) { hub_->eachSource(f); },
        [this] { return hub_->dictionary(); },
        [this](const std::string& why, std::uint32_t rate) { beginDrain(why, rate); },
        [this] { return draining_; },
        rooms.relay,
        &rooms.ends,
        [this](const std::string& who, bool dryRun) { return dryRun ? reloads_->look() : reloads_->run(who); },
        [this] { return reloads_->last(); },
        &rooms.interventions,
        [this](const std::string& name, bool paused) { return hub_->pauseSource(name, paused).text; },
        [this](const std::string& text) { log_.info(text); },
        captures_.get(),
        [this](const ops::CallNote& n) { hub_->noteAdmin(n.refused, n.code, n.text, n.user, n.address); },
        [this] { return meshSource(*hub_); },
        [this] { return meshRow(*hub_); }};
}

void Program::startPush() {
    const OtlpSettings& to = config_.settings.otlp;
    if (to.url.empty()) return;
    push_ = std::make_unique<ops::OtlpPush>(
        inspected(), ops::OtlpPush::Options{.settings = to, .log = [this](bool bad, const std::string& text) {
                                                bad ? log_.warning(text) : log_.info(text);
                                            }});
}

bool Program::startPages() {
    const HubSettings& s = config_.settings;
    ops::Pages::Options pages;
    pages.tokens = tokens_->path().empty() ? nullptr : tokens_.get();
    pages.http.address = s.httpAddress;
    pages.http.port = s.httpPort;
    pages.http.hosts = s.httpHosts;
    access::Faults faults;
    if (!s.httpKey.empty() && !(access::readTextFile(s.httpCertificate, pages.http.tls.certificate, faults) &&
                                access::readTextFile(s.httpKey, pages.http.tls.key, faults)))
        return std::fprintf(stderr, "Error: HttpCertificate, HttpKey: %s\n", faults.kept().front().text.c_str()), false;
    try {
        pages_ = std::make_unique<ops::Pages>(inspected(), pages);
    } catch (const std::system_error& e) {
        std::fprintf(stderr, "Error: the pages: %s\nGive another port: -httpPort or HttpPort; 0 = no pages.\n",
                     e.what());
        return false;
    }
    ::explicit_bzero(pages.http.tls.key.data(), pages.http.tls.key.size());
    return true;
}

void Program::announce() const {
    const HubSettings& s = config_.settings;
    log_.info("emissary-hub " + std::string(version()) + " [" + s.name + "] process " + std::to_string(getpid()));
    log_.info(config_.file.empty() ? "configuration: no file was found; what stands on the command line, and defaults"
                                   : "configuration: " + config_.file);
    for (std::size_t i = 0; i < s.listeners.size(); ++i)
        log_.info("consumers on port " + std::to_string(hub_->port(i)) + " (" + protocolsOf(s.listeners[i].bind) + ")");
    for (std::size_t i = 0; i < s.publisherListeners.size(); ++i)
        log_.info("publishers on port " + std::to_string(hub_->publisherPort(i)) + " (" +
                  protocolsOf(s.publisherListeners[i].bind) + ")");
    for (const SourceSettings& source : s.sources)
        for (const eta::transport::ConnectOptions& c : source.channels)
            log_.info("source [" + source.name + "] at " + c.host + ":" + c.port);
    if (s.mesh.on())
        log_.info("mesh [" + s.mesh.mesh + "] as [" + s.mesh.nodeName + "]: " + std::to_string(s.mesh.exports.size()) +
                  " services for other hubs, " + std::to_string(s.mesh.imports.size()) + " from them");
    if (s.sources.empty() && s.mesh.imports.empty())
        log_.info("no upstream source is configured: publishers and static services only");
    if (pages_)
        log_.info("pages on http" + std::string(s.httpKey.empty() ? "" : "s") + "://" + s.httpAddress + ":" +
                  std::to_string(pages_->port()) + "/");
    // Without the address, which may have a password in it.
    if (!s.otlp.url.empty())
        log_.info("counts are pushed to OtlpUrl every " + std::to_string(s.otlp.interval.count()) + " ms");
    warnOfCertificates(s, log_, "");
}

void Program::serve() {
    manager_.ready();
    while (!hub_->drained()) {
        hub_->dispatch(manager_.pause(std::chrono::seconds(1)));
        manager_.alive();
        log_.tellLeftOut();
        if (readAsked.exchange(false, std::memory_order_relaxed)) (void)reloads_->run("SIGHUP");
        // Several may have come since the last look.
        const int asked = endAsked.load(std::memory_order_relaxed);
        if (asked > 0) beginDrain("signal");
        if (asked > 1) {
            log_.warning("asked to end again: ends at once");
            break;
        }
    }
    manager_.stopping();
    // Whoever asks twice wants no more time spent.
    if (push_ && endAsked.load(std::memory_order_relaxed) < 2) push_->end();
    log_.info("ended");
    ended_ = true;
}

void Program::beginDrain(const std::string& why, std::uint32_t clientsPerSecond) {
    const bool faster = std::exchange(atRate_, clientsPerSecond != 0) && clientsPerSecond == 0;
    if (std::exchange(draining_, true) && !faster) return;
    log_.info("drains (" + why + "): no new clients; " +
              (clientsPerSecond != 0
                   ? std::to_string(clientsPerSecond) + " sessions end each second"
                   : "sessions end within " + std::to_string(config_.settings.drainTimeout.count()) + " s"));
    hub_->noteAdmin("drain", why);
    hub_->drain(clientsPerSecond);
}

}  // namespace emissary::hub
