// Compares the configuration with the one that runs, takes it or refuses it, and tells everybody what came of it.
#include "hub/main/Reloads.h"

#include "eta/core/Clock.h"
#include "eta/transport/certificates.h"
#include "hub/node/Hub.h"
#include "reactor/metrics/Snapshot.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>

namespace emissary::hub {

using logging::LogSeverity;

namespace {

constexpr std::size_t kMostNamed = 20;  // changes in one line, for log and audit log

/// "a; b; and 3 more"
template <class List, class Text>
[[nodiscard]] std::string inOneLine(const List& list, Text text) {
    std::string out;
    std::size_t n = 0;
    for (const auto& one : list) {
        if (n++ == kMostNamed) return out + "; and " + std::to_string(list.size() - kMostNamed) + " more";
        out += (out.empty() ? "" : "; ") + text(one);
    }
    return out;
}

[[nodiscard]] std::string linesOf(const std::vector<Change>& changes) {
    std::string out;
    for (const Change& c : changes)
        out += c.text() + "\n";
    return out;
}

[[nodiscard]] std::string counted(std::size_t n) {
    return std::to_string(n) + (n == 1 ? " change" : " changes");
}

}  // namespace

Reloads::Reloads(const CommandLine& line, HubConfig& running, Log& log, Hub& hub, access::OperatorTokens& tokens,
                 std::function<bool()> draining)
    : line_(line), running_(running), log_(log), hub_(hub), tokens_(tokens), draining_(std::move(draining)) {
    reactor::Reactor& reactor = hub_.rooms().reactor;
    const std::lock_guard guard(reactor.lock());
    metrics_ = std::make_unique<reactor::MetricSource>(reactor, [this](reactor::metrics::Snapshot& into) {
        into.add(applied_, {{"outcome", "applied"}});
        into.add(unchanged_, {{"outcome", "unchanged"}});
        into.add(refused_, {{"outcome", "refused"}});
    });
}

Reloads::~Reloads() {
    const std::lock_guard guard(hub_.rooms().reactor.lock());
    metrics_.reset();
}

/// Listeners read their certificates again by themselves, and keep what they have where they cannot.
Reloads::Found Reloads::read() const {
    Found found;
    if (draining_()) {
        found.faults.emplace_back("the hub drains");
        found.usable = true;  // whoever has moved the log away waits for another one
        return found;
    }
    found.config = readHubConfig(line_.configFile, line_.overrides, TlsFiles::left);
    for (const logging::QueuedRecord& r : found.config.records)
        if (r.severity == LogSeverity::error) found.faults.push_back(r.text);
    // Without a file the defaults are meant at the start; here it has been moved away, or is being replaced.
    if (found.faults.empty() && found.config.file.empty() && !running_.file.empty())
        found.faults.push_back("the file '" + running_.file + "' that the hub was started with is not there");
    if (!found.faults.empty()) return found;
    found.usable = true;
    found.changes = changesBetween(running_, found.config, hub_.moved(found.config.settings));
    for (const Change& c : found.changes)
        if (!c.live) found.faults.push_back(c.name() + " needs a restart");
    return found;
}

ops::ReloadAnswer Reloads::look() const {
    Found found = read();
    if (found.faults.empty()) try {
            if (const eta::Refused refused = hub_.refusal(found.config.settings)) found.faults.push_back(refused.text);
        } catch (const std::bad_alloc&) { found.faults.emplace_back("memory is short; try again"); }
    ops::ReloadAnswer answer;
    for (const logging::QueuedRecord& r : found.config.records)
        if (r.severity == LogSeverity::warning) answer.text += "Warning: " + r.text + "\n";
    answer.text += linesOf(found.changes);
    answer.good = found.faults.empty();
    if (answer.good) {
        answer.text += found.changes.empty() ? "The configuration says what runs.\n"
                                             : "It would be applied: " + counted(found.changes.size()) + ".\n";
        return answer;
    }
    for (const std::string& fault : found.faults)
        answer.text += "Error: " + fault + "\n";
    answer.text += "It would be refused, and everything would stay as it is.\n";
    return answer;
}

ops::ReloadAnswer Reloads::run(const std::string& who) {
    Found found = read();
    if (found.faults.empty()) {
        if (const eta::Refused refused = log_.open(found.config.settings.log, found.config.settings.name))
            found.faults.push_back(refused.text);
        else if (!found.changes.empty()) try {
                if (eta::Refused why = hub_.change(found.config.settings)) found.faults.push_back(std::move(why.text));
            } catch (const std::bad_alloc&) { found.faults.emplace_back("memory is short; try again"); }
    }
    if (!found.faults.empty()) return refuse(who, found);
    for (const logging::QueuedRecord& r : found.config.records)
        if (r.severity == LogSeverity::warning) log_.warning(who + ": " + r.text);
    const bool same = found.changes.empty();
    const std::string text =
        same ? "no parameter has another value" : inOneLine(found.changes, [](const Change& c) { return c.text(); });
    running_ = std::move(found.config);
    ++(same ? unchanged_ : applied_).reloads;
    note(who, same ? "unchanged" : "applied", text);
    if (!same) log_.info(who + ": " + counted(found.changes.size()) + " of the configuration: " + text);
    const std::string ofFiles = openFilesAgain(who, running_, false);
    return {true,
            linesOf(found.changes) + ofFiles +
                (same ? "The configuration says what runs.\n" : "Applied: " + counted(found.changes.size()) + ".\n")};
}

ops::ReloadAnswer Reloads::refuse(const std::string& who, const Found& found) {
    ++refused_.reloads;
    ops::ReloadAnswer answer{false, linesOf(found.changes)};
    for (const std::string& fault : found.faults) {
        log_.write(LogSeverity::error, who + ": " + fault);
        answer.text += "Error: " + fault + "\n";
    }
    note(who, "refused", inOneLine(found.faults, [](const std::string& fault) { return fault; }));
    log_.warning(who + ": the configuration cannot be used; everything stays as it is");
    answer.text += "Refused: everything stays as it is.\n";
    if (found.usable) answer.text += openFilesAgain(who, running_, true);
    return answer;
}

/// What stands in files is no parameter, and does not wait for one.
std::string Reloads::openFilesAgain(const std::string& who, const HubConfig& config, bool refused) {
    if (refused)
        if (const eta::Refused closed = log_.open(config.settings.log, config.settings.name))
            log_.warning(who + ": " + closed.text);
    const std::vector<eta::Refused> faults = eta::transport::renewCertificates();
    for (const eta::Refused& fault : faults)
        log_.write(LogSeverity::error, who + ": a certificate stays as it is: " + fault.text);
    warnOfCertificates(config.settings, log_, who + ": ");
    std::string ofTokens = readTokensAgain(who);
    hub_.noteAdmin("reread", who +
                                 (faults.empty() ? ": log, certificates, users, keys and rules"
                                                 : ": log, users, keys and rules; a certificate has faults") +
                                 (tokens_.path().empty() ? ""
                                  : ofTokens.empty()     ? "; tokens"
                                                         : "; the file of tokens has faults"));
    hub_.readAccessAgain();
    log_.info(who + ": the log was opened as configured now" +
              (faults.empty() ? ", certificates were read again" : ""));
    return ofTokens;
}

/// A file with one fault is not used at all: who was taken out of it keeps the token until then, and the answer says
/// so.
std::string Reloads::readTokensAgain(const std::string& who) {
    std::string lines;
    for (const std::string& fault : tokens_.read()) {
        log_.write(LogSeverity::error, who + ": " + fault);
        lines += "Error: " + fault + "\n";
    }
    if (lines.empty()) return {};
    log_.warning(who + ": the tokens that were read before stay in use");
    return lines + "The tokens that were read before stay in use.\n";
}

void Reloads::note(const std::string& who, const char* outcome, const std::string& text) {
    last_.outcome = outcome;
    last_.who = who;
    last_.text = text;
    last_.at = std::chrono::duration_cast<std::chrono::seconds>(eta::WallClock::now().time_since_epoch()).count();
    hub_.noteAdmin("reload", who + ": " + outcome + ": " + text);
}

void warnOfCertificates(const HubSettings& settings, const Log& log, const std::string& why) {
    for (const auto* const listeners : {&settings.listeners, &settings.publisherListeners})
        for (const ListenerSettings& l : *listeners) {
            if (l.bind.connectionType != eta::transport::ConnectionType::encrypted) continue;
            const std::string warning = eta::transport::checkCertificate(l.bind.tls).warning;
            if (!warning.empty()) log.warning(why + "Server [" + l.name + "]: " + warning);
        }
}

}  // namespace emissary::hub
