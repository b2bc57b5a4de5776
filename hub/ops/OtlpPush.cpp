// Takes the counts, sends them, waits for the answer or the end.
#include "hub/ops/OtlpPush.h"

#include "eta/core/printable.h"
#include "hub/access/text_file.h"
#include "hub/ops/otlp_text.h"
#include "reactor/threads.h"
#include "rest/HttpClient.h"

#include <algorithm>
#include <ctime>
#include <exception>
#include <mutex>
#include <string_view>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace emissary::hub::ops {

namespace {

constexpr std::uint64_t kNanoseconds = 1'000'000'000;

/// The clock of the wall: what a collector compares with its own.
std::uint64_t wallClock() noexcept {
    timespec t{};
    clock_gettime(CLOCK_REALTIME, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * kNanoseconds + static_cast<std::uint64_t>(t.tv_nsec);
}

/// Of the collector's own words, in the log.
constexpr std::size_t kMostSaid = 200;

/// Whether the answer names points that were not taken: {"partialSuccess":{"rejectedDataPoints":"40",...}}.
bool refusesPart(std::string_view answer) noexcept {
    constexpr std::string_view kName = "\"rejectedDataPoints\"";
    const std::size_t at = answer.find(kName);
    return at != std::string_view::npos &&
           answer.find_first_of("123456789", at + kName.size()) < answer.find_first_of(",}", at + kName.size());
}

/// The address without what may be secret in it: a user with a password, a query.
std::string shown(const std::string& url) {
    const std::size_t host = url.find("://") + 3, path = std::min(url.find_first_of("/?#", host), url.size());
    const std::size_t user = url.rfind('@', path);
    const std::string_view rest =
        std::string_view(url).substr(user != std::string::npos && user > host ? user + 1 : host);
    return url.substr(0, host) + std::string(rest.substr(0, rest.find_first_of("?#")));
}

/// Whether the descriptor can be read within that time.
bool readable(int fd, std::chrono::milliseconds within) noexcept {
    pollfd p{fd, POLLIN, 0};
    return ::poll(&p, 1, static_cast<int>(within.count())) > 0;
}

}  // namespace

OtlpPush::OtlpPush(Inspected hub, Options options)
    : options_(std::move(options)), questions_(std::move(hub), options_.patience), startedAt_(wallClock()),
      client_(std::make_unique<rest::HttpClient>(rest::HttpClientOptions{.threadName = "otlp"})) {
    {
        const std::lock_guard guard(questions_.inspector().hub().reactor.lock());
        metrics_ = std::make_unique<reactor::MetricSource>(
            questions_.inspector().hub().reactor, [this](reactor::metrics::Snapshot& into) { into.add(counts_); });
    }
    thread_ = std::thread([this] { run(); });
}

OtlpPush::~OtlpPush() {
    stop();
    const std::lock_guard guard(questions_.inspector().hub().reactor.lock());
    metrics_.reset();
}

void OtlpPush::end() {
    {
        const std::lock_guard guard(questions_.inspector().hub().reactor.lock());
        const std::lock_guard mine(lock_);
        last_ = questions_.countsHere();
    }
    stop();
}

void OtlpPush::stop() {
    if (!thread_.joinable()) return;
    const std::uint64_t one = 1;
    static_cast<void>(::write(stop_, &one, sizeof one));
    thread_.join();
}

void OtlpPush::run() {
    reactor::nameThisThread("otlp push");
    while (!readable(stop_, options_.settings.interval)) {
        try {
            outcome(push());
        } catch (const std::exception&) {
            // Memory is short, or too many calls wait: the counts are what a hub can do without.
            counts_.failures += 1;
        }
    }
    std::optional<reactor::metrics::Snapshot> last;
    {
        const std::lock_guard guard(lock_);
        last = std::move(last_);
    }
    if (!last) return;
    try {
        static_cast<void>(send(*last, kLastPush, true));
    } catch (const std::exception&) { counts_.failures += 1; }
}

std::string OtlpPush::push() {
    const auto counts = questions_.counts();
    return counts ? send(*counts, options_.timeout, false) : "the hub does not answer in time";
}

std::string OtlpPush::send(const reactor::metrics::Snapshot& counts, std::chrono::milliseconds timeout, bool last) {
    rest::HttpRequest request;
    request.url = options_.settings.url;
    request.bodyType = "application/json";
    request.form =
        rest::Secret(otlpText(counts, {questions_.inspector().hub().settings.name, startedAt_, wallClock()}));
    request.timeout = timeout;
    request.route.caStore = options_.settings.caFile;
    request.sameOrigin = true;  // the token is for this collector
    if (!options_.settings.tokenFile.empty()) {
        // Read each time: whoever hands tokens out puts a new one in its place.
        std::string text;
        access::Faults faults;
        if (!access::readTextFile(options_.settings.tokenFile, text, faults))
            return "OtlpTokenFile [" + options_.settings.tokenFile + "]: " + faults.kept().front().text;
        request.bearer = rest::Secret(text.substr(0, text.find_first_of("\r\n")));
        ::explicit_bzero(text.data(), text.size());
    }
    rest::HttpClient::Id id = 0;
    if (const eta::Refused refused = client_->send(std::move(request), id)) return refused.text;
    pollfd either[2] = {{client_->fd(), POLLIN, 0}, {stop_, POLLIN, 0}};
    rest::HttpAnswer answer;
    // The request's own timeout ends it, with an answer that says so.
    while (!client_->tryTake(id, answer)) {
        static_cast<void>(::poll(either, last ? 1 : 2, -1));
        if (!last && (either[1].revents & POLLIN) != 0) {
            client_->cancel(id);
            return "the hub ends";
        }
    }
    if (!answer.failure.empty())
        return (answer.status != 0 ? "HTTP status " + std::to_string(answer.status) + ", " : std::string()) +
               answer.failure;
    const std::string said = eta::printable(answer.body.view().substr(0, kMostSaid));
    if (answer.status / 100 != 2)
        return "HTTP status " + std::to_string(answer.status) + (said.empty() ? "" : " (" + said + ")");
    return refusesPart(answer.body.view()) ? "the collector took a part of it: " + said : std::string();
}

void OtlpPush::outcome(const std::string& failure) {
    if (failure.empty()) counts_.pushes += 1;
    else counts_.failures += 1;
    if (failing_ == !failure.empty()) return;
    failing_ = !failure.empty();
    const std::string url = shown(options_.settings.url);
    std::string text = failing_
                           ? "OtlpUrl [" + url + "]: the counts did not get there: " + failure +
                                 "; tried again every " + std::to_string(options_.settings.interval.count()) + " ms"
                           : "OtlpUrl [" + url + "]: the counts get there again";
    // The log belongs to the hub's loop.
    questions_.post([log = options_.log, bad = failing_, text = std::move(text)] { log(bad, text); });
}

}  // namespace emissary::hub::ops
