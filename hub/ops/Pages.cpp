// Answers requests for pages on the loop of the hub, within a time that cannot hold it up.
#include "hub/ops/Pages.h"

#include "config/options/services.h"
#include "eta/core/host_names.h"
#include "eta/core/version.h"
#include "hub/ops/Json.h"
#include "hub/ops/pages_json.h"
#include "hub/ops/web_files.h"
#include "reactor/metrics/process.h"

#include <charconv>
#include <mutex>

namespace emissary::hub::ops {

using reactor::HttpReply;
using reactor::HttpRequest;
using reactor::metrics::Snapshot;

namespace {

constexpr const char* kJson = "application/json; charset=utf-8";
constexpr const char* kText = "text/plain; charset=utf-8";

constexpr const char* kHowToDrain =
    "Draining takes a POST with a header: curl -X POST -H 'X-Emissary-Drain: yes' http://host:port/drain\n";

constexpr const char* kHowToReload =
    "Reading the configuration again takes a POST with a header: "
    "curl -X POST -H 'X-Emissary-Reload: yes' http://host:port/reload, and /reload?dry=1 tells the difference only\n";

/// Its links are relative, so that they hold behind a proxy that puts a folder in front.
constexpr const char* kToLive =
    "<!DOCTYPE html><meta http-equiv=\"refresh\" content=\"0; url=live/\"><a href=\"live/\">live</a>\n";

/// The clock that senders on this host stamp their messages with (TIM_TRK_1), for pages that compare theirs with it.
HttpReply clock() {
    const auto now = reactor::Clock::now().time_since_epoch();
    Json j;
    j.object().value("us", std::chrono::duration_cast<std::chrono::microseconds>(now).count());
    return {200, kJson, j.end().take()};
}

HttpReply busy() {
    return {503, kText, "The hub does not answer in time.\n"};
}

HttpReply usage(const std::string& text) {
    return {400, kText, text};
}

}  // namespace

Pages::Pages(Inspected inspected, const Options& options)
    : questions_(std::move(inspected), options.patience),
      gate_(options.tokens, eta::isLoopback(options.http.address), gateCounts_,
            [this](CallNote n) { note(std::move(n)); }) {
    {
        const std::lock_guard guard(hub().reactor.lock());
        calls_ = std::make_unique<Calls>(hub());
        metrics_ = std::make_unique<reactor::MetricSource>(hub().reactor, [this](Snapshot& into) {
            into.add(gateCounts_);
            calls_->collect(into);
        });
    }
    reactor::HttpOptions http = options.http;
    http.maxBodyBytes = CallArguments::kMostBytes;
    server_ =
        std::make_unique<reactor::HttpServer>(http, [this](const HttpRequest& request) { return answer(request); });
}

Pages::~Pages() {
    server_.reset();
    const std::lock_guard guard(hub().reactor.lock());
    metrics_.reset();
    calls_.reset();
}

/// Audited on the hub's loop, and not waited for.
void Pages::note(CallNote n) {
    if (!hub().note || !questions_.beats()) return;
    questions_.post([note = hub().note, n = std::move(n)] { note(n); });
}

HttpReply Pages::answer(const HttpRequest& request) {
    const std::string& path = request.path;
    if (path == "/drain") {
        if (request.method == "POST") return drain(request);
        return {405, kText, kHowToDrain};
    }
    if (path == "/reload") {
        if (request.method == "POST") return reload(request);
        return {405, kText, kHowToReload};
    }
    if (path.starts_with("/ctl/")) return call(request, std::string_view(path).substr(5));
    if (request.method == "POST") return {405, kText, "Only /drain, /reload and /ctl/... take a POST.\n"};
    // Probes of the machines around have no token, and these two tell them nothing but yes or no.
    if (path == "/healthz") return healthy();
    Caller who;
    if (auto no = gate_.refuse(request, Gate::Kind::page, OperatorRole::read, who))
        return path == "/readyz" ? ready(false) : *std::move(no);
    return page(request);
}

HttpReply Pages::page(const HttpRequest& request) {
    const std::string& path = request.path;
    if (const WebFile* const file = findWebFile(path); file != nullptr)
        return {200, std::string(file->type), std::string(file->text)};
    if (path == "/live") return {200, "text/html; charset=utf-8", kToLive};
    if (path == "/clock") return clock();
    if (path == "/readyz") return ready(true);
    if (path == "/metrics") return metrics();
    if (path == "/metrics.txt") return countsAsText();
    if (path == "/varz") return counts();
    if (path == "/connz") return clients(request);
    if (path == "/queuez") return queue(request);
    if (path == "/servicez") return services();
    if (path == "/meshz") return mesh();
    if (path == "/itemz") return item(request);
    return {404, kText,
            "Pages: / /live/ /metrics /metrics.txt /varz /connz?user=&sort=bytes /queuez?client= /servicez /meshz "
            "/itemz?service=&name=&domain= "
            "/healthz /readyz /clock; "
            "POST /drain /reload\n"};
}

HttpReply Pages::metrics() {
    const auto s = questions_.counts();
    if (!s) return busy();
    return {200, "text/plain; version=0.0.4; charset=utf-8",
            s->prometheus() + reactor::metrics::processAsPrometheus({{"hub", hub().settings.name}})};
}

HttpReply Pages::countsAsText() {
    const auto s = questions_.counts();
    return s ? HttpReply{200, kText, s->text()} : busy();
}

HttpReply Pages::counts() {
    const auto s = questions_.counts();
    if (!s) return busy();
    const reactor::metrics::ProcessUsage u = reactor::metrics::processUsage();
    Json j;
    j.object().object("process").value("version", std::string(version())).value("residentBytes", u.residentBytes);
    j.value("cpuSeconds", u.cpuSeconds).value("startSeconds", u.startSeconds).value("upSeconds", u.upSeconds).end();
    j.raw("counts", s->json());
    return {200, kJson, j.end().take()};
}

HttpReply Pages::clients(const HttpRequest& request) {
    ClientQuery query;
    query.user = request.argument("user");
    using Order = ClientQuery::Order;
    static constexpr std::pair<const char*, Order> kOrders[] = {{"", Order::index},
                                                                {"bytes", Order::bytes},
                                                                {"queued", Order::queued},
                                                                {"mounts", Order::mounts},
                                                                {"messages", Order::messages}};
    const std::string sort = request.argument("sort");
    bool known = false;
    for (const auto& [name, order] : kOrders)
        if (sort == name) known = true, query.order = order;
    if (!known) return usage("sort is bytes, queued, mounts or messages.\n");
    const auto rows = questions_.asked([this, query] { return questions_.inspector().clients(query); });
    return rows ? HttpReply{200, kJson, clientsAsJson(*rows)} : busy();
}

HttpReply Pages::queue(const HttpRequest& request) {
    const std::string text = request.argument("client");
    std::uint64_t connection = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), connection);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size())
        return usage("Whose queue? /queuez?client=7, the number that /connz gives as client\n");
    const auto row = questions_.asked([this, connection] { return questions_.inspector().queue(connection); });
    if (!row) return busy();
    if (!row->has_value()) return {404, kText, "No connection has this number.\n"};
    return {200, kJson, queueAsJson(**row)};
}

HttpReply Pages::services() {
    const auto overview = questions_.asked([this] { return questions_.inspector().overview(); });
    return overview ? HttpReply{200, kJson, overviewAsJson(*overview, hub().settings.name)} : busy();
}

HttpReply Pages::mesh() {
    const auto& row = hub().meshRow;
    if (!row) return {404, kText, "The hub is in no mesh.\n"};
    const auto mesh = questions_.asked([&row] { return row(); });
    if (!mesh) return busy();
    if (!mesh->has_value()) return {404, kText, "The hub is in no mesh.\n"};
    return {200, kJson, meshAsJson(**mesh)};
}

HttpReply Pages::item(const HttpRequest& request) {
    const std::string service = request.argument("service"), name = request.argument("name"),
                      domainText = request.argument("domain");
    const std::uint8_t domain =
        domainText.empty() ? eta::codec::kMarketPriceDomain : parameters::domainNumber(domainText);
    if (service.empty() || name.empty()) return usage("Which item? /itemz?service=TEST_FEED&name=TRI.N&domain=6\n");
    if (domain == 0) return usage("domain is a number from 1 to 255, or written MMT_MARKET_PRICE.\n");
    const auto row =
        questions_.asked([this, service, name, domain] { return questions_.inspector().item(service, name, domain); });
    if (!row) return busy();
    if (!row->has_value()) return {404, kText, "The hub has no such item.\n"};
    return {200, kJson, itemAsJson(**row)};
}

HttpReply Pages::ready(bool named) {
    struct Readiness {
        std::vector<std::string> missing;
        bool draining = false;
    };
    const auto r = questions_.asked([this] { return Readiness{questions_.inspector().missing(), hub().draining()}; });
    if (!r) return busy();
    if (r->draining) return {503, kText, "draining\n"};
    if (r->missing.empty()) return {200, kText, "ready\n"};
    if (!named) return {503, kText, "sources are not up\n"};
    std::string text = "sources that are not up:";
    for (const std::string& name : r->missing)
        text += " " + name;
    return {503, kText, text + "\n"};
}

HttpReply Pages::healthy() {
    const bool beats = questions_.beats();
    const std::string age = std::to_string(questions_.age().count());
    if (beats) return {200, kText, "ok\n"};
    return {503, kText, "the hub's loop has not come to the end of a turn for " + age + " ms\n"};
}

/// Of a page of another site in somebody's browser: its origin is neither what the request was sent to nor one of the
/// hub's names. Another address is another site, also where the hub listens to it.
bool Pages::fromElsewhere(const HttpRequest& request) const {
    const std::string origin = request.header("Origin");
    if (origin.empty()) return false;
    const std::string_view all = origin;
    const std::size_t scheme = all.starts_with("https://") ? 8 : all.starts_with("http://") ? 7 : 0;
    const std::string_view host = all.substr(scheme);
    if (scheme != 0 && host == request.header("Host")) return false;
    const bool numeric = host.starts_with('[') || host.find_first_not_of("0123456789.:") == std::string_view::npos;
    return scheme == 0 || numeric || !server_->mine(host);
}

/// A page of another site must not end or change a hub: it can send a form, but no header of its own.
std::optional<HttpReply> Pages::refusal(const HttpRequest& request, const char* header, const char* howTo,
                                        Caller& who) {
    if (auto no = gate_.refuse(request, Gate::Kind::command, OperatorRole::admin, who)) return no;
    const auto no = [&](const char* code, std::string text) {
        gate_.refused(who, code, "POST " + request.path);
        return HttpReply{403, kText, std::move(text)};
    };
    const std::string meant = request.header(header);
    if (meant.empty() || meant == "no" || meant == "0" || meant == "false") return no("not_meant", howTo);
    if (fromElsewhere(request)) return no("other_site", "This is not for pages of other sites.\n");
    return {};
}

HttpReply Pages::reload(const HttpRequest& request) {
    Caller who;
    if (auto no = refusal(request, "X-Emissary-Reload", kHowToReload, who)) return *std::move(no);
    if (!hub().reload) return {404, kText, "This hub has no configuration to read again.\n"};
    const std::string dry = request.argument("dry");
    const bool dryRun = !dry.empty() && dry != "0" && dry != "no" && dry != "false";
    const auto answer = questions_.asked([this, dryRun, by = who.text()] { return hub().reload(by, dryRun); });
    if (!answer)
        return {503, kText,
                "The hub does not answer in time; it may take the configuration yet, and its log says so.\n"};
    return {answer->good ? 200u : 409u, kText, answer->text};
}

/// A form of another site cannot send JSON, and a script of one would be asked for its origin.
HttpReply Pages::call(const HttpRequest& request, std::string_view name) {
    const CallRow* const row = hub().interventions == nullptr ? nullptr : findCall(name);
    const auto answered = [&](unsigned status, const std::string& text, const Caller& who) {
        Json j;
        j.object().value("ok", status < 300).value("call", name).value("by", who.name).value("text", text);
        return HttpReply{status, kJson, j.end().take() + "\n"};
    };
    Caller who;
    if (request.method != "POST") return {405, kText, "Calls take a POST with a JSON object.\n"};
    // Whoever may not call learns nothing about the call, not even its name.
    if (auto no = gate_.refuse(request, Gate::Kind::call, row == nullptr ? OperatorRole::read : row->role, who))
        return *std::move(no);
    const auto no = [&](unsigned status, const char* code, const std::string& text) {
        gate_.refused(who, code, "POST /ctl/" + std::string(name.substr(0, 64)) + ": " + text);
        return answered(status, text, who);
    };
    if (fromElsewhere(request)) return no(403, "other_site", "this is not for pages of other sites");
    if (const std::string type = request.header("Content-Type"); !type.starts_with("application/json"))
        return no(415, "not_meant", "a call takes JSON: curl -H 'Content-Type: application/json' -d '{...}' ...");
    if (row == nullptr) return no(404, "unknown_call", "there is no such call; emissary-hub ctl lists them");
    CallArguments arguments;
    std::string fault = arguments.read(request.body);
    if (fault.empty()) fault = faultOf(*row, arguments);
    if (!fault.empty()) return no(400, "arguments", fault);
    const auto outcome = questions_.asked([this, row, arguments, who] { return calls_->make(*row, arguments, who); });
    if (!outcome) return answered(503, "the hub does not answer in time; the call may be made yet", who);
    return answered(outcome->status, outcome->text, who);
}

/// The hub may be drained at once, so it begins when the answer has left.
HttpReply Pages::drain(const HttpRequest& request) {
    Caller who;
    if (auto no = refusal(request, "X-Emissary-Drain", kHowToDrain, who)) return *std::move(no);
    if (!questions_.beats()) return busy();
    return {202, kText, "draining\n",
            [this, by = who.text()] { questions_.post([this, by] { hub().drain("POST /drain of " + by, 0); }); }};
}

}  // namespace emissary::hub::ops
