// Makes lines of events, and tells of lines that were lost.
#include "hub/audit/AuditLog.h"

#include "eta/core/json_escapes.h"
#include "eta/core/printable.h"
#include "eta/core/version.h"
#include "hub/core/Client.h"
#include "reactor/metrics/Snapshot.h"

#include <array>
#include <charconv>
#include <cstdio>

#include <unistd.h>

namespace emissary::hub::audit {

namespace {

using Kind = AuditEvent::Kind;

constexpr std::chrono::seconds kLookEvery{1};

/// By kind.
constexpr std::array<const char*, 18> kNames{
    "hub_started",      "hub_stopped",     "login",
    "login_renewed",    "login_refused",   "logout",
    "disconnected",     "request_refused", "item_withdrawn",
    "post_refused",     "publisher_login", "publisher_refused",
    "publisher_logout", "admin",           "files_read_again",
    "files_refused",    "admin_refused",   "publisher_offer_refused",
};
static_assert(kNames.size() == static_cast<std::size_t>(Kind::offerRefused) + 1);

constexpr std::string_view kNumber = "{\"seq\":";

/// The number of a line; 0: it has none.
[[nodiscard]] std::uint64_t numberOf(std::string_view line) noexcept {
    if (!line.starts_with(kNumber)) return 0;
    line.remove_prefix(kNumber.size());
    std::uint64_t n = 0;
    (void)std::from_chars(line.data(), line.data() + line.size(), n);
    return n;
}

[[nodiscard]] LineWriter::Options writerOptions(const AuditOptions& o) {
    LineWriter::Options made;
    made.files = {o.settings.folder, o.settings.fileBytes, o.settings.files};
    made.sync = o.settings.sync;
    made.queueBytes = o.settings.queueBytes;
    made.retry = o.retry;
    return made;
}

/// At most `most` bytes of it, and no part of a character.
[[nodiscard]] std::string_view cut(std::string_view text, std::size_t most) noexcept {
    if (text.size() <= most) return text;
    std::size_t n = most;
    // Continuation bytes begin with 10: the cut goes back to the start of a character, of at most 4 bytes.
    while (n > most - 4 && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80)
        --n;
    return text.substr(0, n);
}

}  // namespace

AuditLog::AuditLog(AuditOptions options, reactor::Reactor& reactor)
    : options_(std::move(options)), reactor_(reactor), writer_(writerOptions(options_)),
      metrics_(reactor, [this](reactor::metrics::Snapshot& into) {
          counts_.waiting = writer_.waitingBytes();
          into.add(counts_);
          into.add(writer_.counts());
      }) {}

AuditLog::~AuditLog() {
    reactor_.cancelTimer(timer_);
    if (!started_) return;
    // The last line of a clean end. A log without it belongs to a process that was killed.
    audit({.kind = Kind::stopped});
    std::uint64_t left = 0;
    try {
        // Forced past the bound: there is no later event that could say it.
        tellLost(true);
    } catch (const std::bad_alloc&) { ++left; }
    left += writer_.stop();
    counts_.lost += left;
    tellNotes();
    if (left != 0 && options_.log)
        options_.log(Severity::error,
                     "AuditFolder: " + std::to_string(left) + " lines could not be written before the end");
}

eta::Refused AuditLog::start() {
    const auto now = options_.wallClock ? options_.wallClock() : eta::WallClock::now();
    const auto day = std::chrono::floor<std::chrono::days>(now).time_since_epoch().count();
    if (eta::Refused refused = writer_.open(day)) return {"AuditFolder: " + refused.text};
    // Numbers go on where the last run ended: a gap says that lines are missing.
    number_ = numberOf(writer_.lastLine());
    writer_.start();
    started_ = true;
    const std::string text = "version " + std::string(version()) + ", process " + std::to_string(::getpid());
    audit({.kind = Kind::started, .text = text});
    lookAgain();
    return {};
}

void AuditLog::lookAgain() {
    timer_ = reactor_.startTimer(kLookEvery, [this] {
        tellLost();
        tellNotes();
        lookAgain();
    });
}

void AuditLog::tellNotes() {
    for (const LineWriter::Note& note : writer_.takeNotes())
        if (options_.log) options_.log(note.failure ? Severity::error : Severity::success, note.text);
}

void AuditLog::audit(const AuditEvent& event) noexcept {
    if (!started_) return;
    ++counts_.events;
    try {
        tellLost();
    } catch (const std::bad_alloc&) {}  // with the next event
    // A lost event has a number too, so its place in the log is seen.
    ++number_;
    try {
        write(event);
    } catch (const std::bad_alloc&) {
        if (lost_++ == 0) lostFrom_ = number_;
        lostTo_ = number_;
        ++counts_.lost;
    }
}

void AuditLog::write(const AuditEvent& event) {
    const Client* const c = event.client;
    const std::int64_t day = begin(number_, kNames[static_cast<std::size_t>(event.kind)]);
    const auto of = [c](std::string_view said, const std::string Client::*known) {
        return !said.empty() || c == nullptr ? said : std::string_view(c->*known);
    };
    field("user", of(event.user, &Client::user));
    field("address", of(event.address, &Client::address));
    field("position", of(event.position, &Client::position));
    field("certificate", of(event.certificate, &Client::certSubject));
    if (c != nullptr) {
        field("application", c->application);
        field("connection", c->connection);
        if (c->listener < options_.listeners.size()) field("listener", options_.listeners[c->listener]);
        field("protocol", c->json ? "json" : "ripc");
    }
    field("service", event.service);
    field("item", event.item);
    field("code", event.code);
    field("text", event.text, kMostText);
    field("parameter", event.parameter);
    // The queue is full: the disk is slower than the events, and the session does not wait for it.
    if (end(day)) return;
    if (lost_++ == 0) lostFrom_ = number_;
    lostTo_ = number_;
    ++counts_.lost;
}

void AuditLog::tellLost(bool forced) {
    if (lost_ == 0) return;
    const std::int64_t day = begin(number_ + 1, "lines_lost");
    field("count", lost_);
    field("from", lostFrom_);
    field("to", lostTo_);
    field("text", "these events are not in the log: too many lines waited to be written");
    field("parameter", "AuditQueueBytes");
    if (!end(day, forced)) return;
    ++number_;
    lost_ = 0;
}

std::int64_t AuditLog::begin(std::uint64_t number, std::string_view event) {
    using namespace std::chrono;
    const auto now = floor<microseconds>(options_.wallClock ? options_.wallClock() : eta::WallClock::now());
    const auto midnight = floor<days>(now);
    const year_month_day date{midnight};
    const hh_mm_ss time{now - midnight};
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                  static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
    line_.assign(kNumber).append(std::to_string(number));
    cut_ = false;
    field("time", text);
    field("event", event);
    return midnight.time_since_epoch().count();
}

void AuditLog::field(std::string_view name, std::string_view text, std::size_t most) {
    if (text.empty()) return;
    const std::string_view shown = cut(text, most);
    cut_ = cut_ || shown.size() != text.size();
    line_.append(",\"").append(name).append("\":");
    // Bytes of a client that are no text become visible escapes, so that every line stays JSON.
    if (eta::isPlain(shown)) eta::appendJsonString(line_, shown);
    else eta::appendJsonString(line_, eta::printable(shown));
}

void AuditLog::field(std::string_view name, std::uint64_t number) {
    line_.append(",\"").append(name).append("\":").append(std::to_string(number));
}

bool AuditLog::end(std::int64_t day, bool forced) {
    if (cut_) line_ += ",\"cut\":true";
    line_ += "}\n";
    return writer_.add(day, line_, forced);
}

}  // namespace emissary::hub::audit
