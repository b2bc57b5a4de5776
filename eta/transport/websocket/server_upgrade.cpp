// Goes through a request for an upgrade in the order in which a stranger may learn of the port: size, number, page,
// words.
#include "transport/websocket/server_upgrade.h"

#include "transport/websocket/event_request.h"
#include "transport/websocket/origin.h"

namespace emissary::eta::transport::ws {
namespace {

constexpr int kBadRequest = 400, kForbidden = 403, kNotFound = 404, kHeadTooLarge = 431;
constexpr std::string_view kOwnSite = "same-origin", kNoSite = "none";  // Sec-Fetch-Site
// Of what a client offers, bytes of one name and of all that the log shows.
constexpr std::size_t kShownName = 40, kShownNames = 160;

/// `said`: for the client; what is only in `why` is for the log.
void refuse(UpgradeDecision& decision, int status, const std::string& why, std::string_view said = {}) {
    decision.progress = Progress::bad;
    decision.reason = "WebSocket upgrade refused: " + why;
    decision.answer = refusal(status, said);
    decision.login.drop();
}

/// False: the gate says no, and so does the decision now.
bool isWithinRate(UpgradeDecision& decision, UpgradeGate* gate) {
    const UpgradeGate::Answer now = gate != nullptr ? gate->withinRate() : UpgradeGate::Answer{};
    if (now.status != 0) refuse(decision, now.status, now.why, now.why);
    return now.status == 0;
}

/// Whether the page that sent the request may be a client, before anything else is answered: one that may not learns
/// nothing of this port. False: the decision is a refusal now.
bool mayPage(UpgradeDecision& decision, const UpgradeRequest& request, const ServerRules& rules,
             const Requester& from) {
    if (const Refused refused = checkOrigin(rules.options.origins, from)) {
        if (rules.gate != nullptr) rules.gate->originRefused();
        refuse(decision, kForbidden, refused.text, refused.text);
        return false;
    }
    // Pictures and scripts of any page are asked for with no Origin, but browsers say that they are another site's.
    if (request.events && !request.origin && !request.site.empty() && request.site != kOwnSite &&
        request.site != kNoSite) {
        if (rules.gate != nullptr) rules.gate->originRefused();
        refuse(decision, kForbidden, "Sec-Fetch-Site without Origin",
               "Pages of other sites read events with fetch alone.");
        return false;
    }
    return true;
}

void refuseProtocols(UpgradeDecision& decision, const UpgradeRequest& request, const std::string& own) {
    std::string offered;
    for (const std::string& name : request.protocols)
        offered += (offered.empty() ? "" : ", ") + name.substr(0, kShownName);
    refuse(decision, kBadRequest,
           "no common sub-protocol (the client offers \"" + offered.substr(0, kShownNames) +
               "\", this server serves \"" + own + "\")");
}

/// `withCookies`: those of the port's names are a login.
void decideEvents(UpgradeDecision& decision, const UpgradeRequest& request, const ServerRules& rules,
                  bool withCookies) {
    const std::string page = request.origin.value_or("");
    // A cookie comes with a picture's request as well: only what the page itself has asked for is a login.
    const bool ofPage = request.origin || request.site == kOwnSite;
    EventRequest asked;
    if (!request.preflight)
        asked =
            readEventRequest(request, withCookies && ofPage ? rules.options.loginCookies : std::vector<std::string>{});
    if (!asked.fault.empty()) return refuse(decision, kBadRequest, asked.fault, asked.fault);
    decision.login.put(std::move(asked.text));
    if (!isWithinRate(decision, rules.gate)) return;
    if (request.preflight) {
        decision.progress = Progress::bad;
        decision.reason = "a browser has asked whether a page may read events";
        decision.answer = preflightAnswer(page, withCookies);
        return;
    }
    decision.progress = Progress::complete;
    decision.events = true;
    decision.answer = eventAnswer(page, withCookies);
}

void decideWebSocket(UpgradeDecision& decision, const UpgradeRequest& request, const ServerRules& rules,
                     bool withCookies) {
    if (decision.json && withCookies) {
        CookieLogin login = loginOf(request.cookies, rules.options.loginCookies);
        if (!login.fault.empty()) return refuse(decision, kBadRequest, login.fault, login.fault);
        decision.login.put(std::move(login.text));
    }
    if (!isWithinRate(decision, rules.gate)) return;
    decision.progress = Progress::complete;
    if (decision.json && rules.deflate) decision.deflate = request.deflate;
    decision.answer = acceptAnswer(request.key, decision.protocol, decision.deflate);
}

}  // namespace

UpgradeDecision decideUpgrade(std::string_view received, const ServerRules& rules) {
    const WebSocketOptions& o = rules.options;
    UpgradeDecision decision;
    const UpgradeRequest r = parseUpgradeRequest(
        received, {o.maxHeadBytes, o.maxHeadLines, rules.anyPrefix, o.events && servesJson(o.protocols)});
    if (r.progress == Progress::needMore) return decision;
    if (r.progress == Progress::bad) {
        const bool tooLarge = r.status == kHeadTooLarge;
        if (tooLarge && rules.gate != nullptr) rules.gate->headRefused();
        refuse(decision, r.status, r.reason, tooLarge ? r.reason : std::string());
        return decision;
    }
    if (!o.served) {
        refuse(decision, kNotFound, "WebSocket of this port is 0", "There is no WebSocket here.");
        return decision;
    }
    const UpgradeGate::Answer may = rules.gate != nullptr ? rules.gate->mayUpgrade(r) : UpgradeGate::Answer{};
    if (may.status != 0) {
        refuse(decision, may.status, may.why, may.why);
        return decision;
    }
    const Requester from{r.host, r.origin, rules.encrypted, may.sameMachine, may.port};
    if (!mayPage(decision, r, rules, from)) return decision;
    if (r.origin) decision.origin = shownOrigin(*r.origin);
    decision.originOfPort = !rules.anyPrefix && isOfPort(o.origins, from);
    const auto chosen = r.events ? kEventStream : chooseProtocol(o.protocols, r.protocols);
    if (!chosen) {
        refuseProtocols(decision, r, o.protocols);
        return decision;
    }
    // Nobody can know the protocol of what was sent before the answer named it.
    if (received.size() != r.consumed) {
        refuse(decision, kBadRequest, "data before the answer to the upgrade");
        return decision;
    }
    decision.consumed = r.consumed;
    decision.protocol = *chosen;
    decision.json = r.events || protocolNamed(decision.protocol) == Protocol::json;
    if (decision.json && rules.refusal != nullptr && *rules.refusal) {
        decision.progress = Progress::bad;
        decision.refused = true;
        decision.reason = "refused: " + **rules.refusal;
        decision.answer = refusal(kForbidden, **rules.refusal);
        return decision;
    }
    // Whoever is on the way reads the cookies of a plain connection, and can change a page that came over one so that
    // it uses them. A proxy that is trusted has ended the TLS.
    const bool isSafe = (rules.encrypted || rules.anyPrefix) && (!r.origin || r.origin->starts_with("https://"));
    const bool withCookies = !o.loginCookies.empty() && isSafe;
    if (r.events) decideEvents(decision, r, rules, withCookies);
    else decideWebSocket(decision, r, rules, withCookies);
    return decision;
}

}  // namespace emissary::eta::transport::ws
