// The requests that wait for an answer about their rights: their bounds, their order, and their ends.
#include "hub/client/OpenChecks.h"

#include "hub/client/Listener.h"
#include "hub/client/request_ask.h"

#include <algorithm>
#include <new>
#include <utility>

namespace emissary::hub::client {

using namespace eta::codec;

namespace {

constexpr std::size_t kOfCheck = 256;  // bytes of the heap, about, beside the message
constexpr std::string_view kDenied = "the user is not entitled to it";
constexpr std::string_view kUnknown = "whether the user is entitled to it cannot be said at the moment";
constexpr std::string_view kNoAnswer = "whether the user is entitled to it was not answered in time";

}  // namespace

OpenChecks::~OpenChecks() {
    context_.rooms.reactor.cancelTimer(timer_);
    for (const auto& [ticket, open] : open_)
        context_.options.requestCheck->cancel(ticket);
}

// Counted in the client's MaxKeyBytesPerClient for as long as the request waits.
std::size_t OpenChecks::costOf(const Check& check) noexcept {
    return check.message.size() + kOfCheck;
}

OpenChecks::Now OpenChecks::refuse(Client& client, const Msg& request, std::int32_t stream, Reason reason,
                                   std::string_view why) {
    replies_.refuse(client, request, stream, reason, why);
    return Now::refused;
}

OpenChecks::Now OpenChecks::ask(Client& client, const Service& service, const Msg& request, std::int32_t stream,
                                std::uint16_t view, bool early) {
    RequestCheck* const check = context_.options.requestCheck;
    // granting_ is on while a granted request passes the checks of 5.1 once more: it must not be asked for again.
    if (check == nullptr || std::exchange(granting_, false)) return Now::granted;
    const ClientOptions& o = context_.options;
    const std::size_t mine = ClientSession::of(client).checks.size();
    // Waiting requests count as streams, else a client could hold any number of them in front of a slow check.
    const WebRules& web = ClientSession::of(client).listener->web();
    if (const std::size_t most = web.maxMounts(client); most != 0 && client.mounts.size() + mine >= most)
        return refuse(client, request, stream, Reason::clientMounts, web.tooManyMounts(client));
    if ((o.maxOpenChecksPerClient != 0 && mine >= o.maxOpenChecksPerClient) ||
        (o.maxOpenChecks != 0 && size() >= o.maxOpenChecks))
        return refuse(client, request, stream, Reason::openChecks,
                      "too many requests wait for the answer whether they are granted");
    const std::uint64_t ticket = ++lastTicket_;
    RequestAsk asked = askOf(client, service, request);
    ItemTable& items = context_.rooms.items;
    if (!asked.isPrivate) asked.permData = permDataOf(items.find(items.keyOf(service.id, request.domain, request.key)));
    const std::optional<RequestVerdict> verdict = check->check(asked, ticket, *this);
    // The answer comes later, under the ticket.
    if (!verdict) return keep(client, request, stream, {{}, view, ticket, early});
    if (verdict->granted) return Now::granted;
    return refuse(client, request, stream, *verdict);
}

OpenChecks::Now OpenChecks::refuse(Client& client, const Msg& request, std::int32_t stream,
                                   const RequestVerdict& verdict) {
    const std::string_view usual = verdict.unavailable ? kUnknown : kDenied;
    return refuse(client, request, stream, verdict.unavailable ? Reason::rightsUnknown : Reason::notEntitled,
                  verdict.text.empty() ? usual : std::string_view(verdict.text));
}

OpenChecks::Now OpenChecks::keep(Client& client, const Msg& request, std::int32_t stream, const Check& asked) {
    ClientSession& session = ClientSession::of(client);
    const auto giveUp = [&](Reason reason, std::string_view why) {
        context_.options.requestCheck->cancel(asked.ticket);
        return refuse(client, request, stream, reason, why);
    };
    Msg kept = request;
    kept.streamId = stream;
    // raw would be a view of the receive buffer; the message is encoded anew, with the id that it really has.
    kept.raw = {};
    if (!encodeMsg(buffer_.start(), kept).ok()) return giveUp(Reason::key, "it cannot be kept");
    const Bytes bytes = buffer_.view();
    Check check = asked;
    check.message.assign(bytes.begin(), bytes.end());
    const std::size_t cost = costOf(check);
    if (!Admission::mayKeep(client, cost))
        return giveUp(Reason::clientKeys,
                      "the keys and views of this client are too large together (MaxKeyBytesPerClient)");
    const std::chrono::milliseconds timeout = context_.options.requestCheckTimeout;
    const reactor::TimePoint until =
        timeout.count() == 0 ? reactor::TimePoint::max() : context_.rooms.reactor.now() + timeout;
    // No timer for each request: open_ is ordered by ticket, all have the same time to live, so one timer for the first
    // is enough.
    open_.emplace(asked.ticket, Open{client.index, stream, until});
    // Whatever fails for want of memory ends the client; the ticket then ends by its time.
    // insert_or_assign: the same stream may have asked before; its old ticket then finds another number in deal().
    session.checks.insert_or_assign(stream, std::move(check));
    client.keyBytes += cost;
    if (asked.view != 0) context_.rooms.views.share(asked.view);
    context_.counts.of.openChecks = size();
    if (timer_ == 0) arm();
    return Now::waits;
}

OpenChecks::Check OpenChecks::takeOut(Client& client, std::int32_t stream) noexcept {
    ClientSession& session = ClientSession::of(client);
    const auto at = session.checks.find(stream);
    Check check = std::move(at->second);
    session.checks.erase(at);
    client.keyBytes -= costOf(check);
    return check;
}

bool OpenChecks::drop(Client& client, std::int32_t stream) noexcept {
    if (!ClientSession::of(client).checks.contains(stream)) return false;
    const Check check = takeOut(client, stream);
    context_.rooms.views.release(check.view);
    // The ticket is given back to the checker only while it has not answered.
    if (open_.erase(check.ticket) != 0) context_.options.requestCheck->cancel(check.ticket);
    context_.counts.of.openChecks = size();
    return true;
}

void OpenChecks::forget(Client& client) noexcept {
    while (!ClientSession::of(client).checks.empty())
        drop(client, ClientSession::of(client).checks.begin()->first);
}

// --- verdicts --------------------------------------------------------------------------------------------------------

void OpenChecks::onVerdict(std::uint64_t ticket, RequestVerdict verdict) {
    const auto at = open_.find(ticket);
    // Cancelled or too late.
    if (at == open_.end()) return;
    answered_.push_back({at->second, ticket, std::move(verdict)});
    open_.erase(at);
    // At once when nothing is in front of it, so that the usual case costs no turn more. Otherwise in order, behind the
    // others.
    if (answered_.size() == 1 && context_.rooms.out.work().left()) dealWithSome();
    else goOn();
}

void OpenChecks::goOn() {
    if (std::exchange(posted_, true)) return;
    context_.rooms.reactor.post([this, alive = std::weak_ptr<char>(alive_)] {
        // The port may be gone when the posted call runs.
        if (alive.expired()) return;
        posted_ = false;
        dealWithSome();
    });
}

void OpenChecks::dealWithSome() {
    while (!answered_.empty()) {
        if (!context_.rooms.out.work().left()) return goOn();
        const Answered answer = std::move(answered_.front());
        answered_.pop_front();
        context_.counts.of.openChecks = size();
        deal(answer);
    }
}

/// The client may have left, or its stream may be another one by now.
void OpenChecks::deal(const Answered& answer) {
    Client* const client = context_.rooms.clients.find(answer.of.client);
    if (client == nullptr || client->session == nullptr) return;
    const auto& checks = ClientSession::of(*client).checks;
    const auto at = checks.find(answer.of.stream);
    if (at == checks.end() || at->second.ticket != answer.ticket) return;
    context_.rooms.out.work().spend(TurnBudget::kRequest);
    const Check check = takeOut(*client, answer.of.stream);
    try {
        Msg m;
        if (!decodeMsg(check.message, m).ok()) {
        } else if (answer.verdict.granted) {
            RequestPayload payload;
            // A view of a batch was interned before; its bytes are not read again.
            const PayloadError fault = check.view == 0 ? readPayload(m, payload) : PayloadError{};
            if (check.view != 0) payload.view.emplace();  // its number says which one
            granting_ = true;
            early_ = check.early;
            again_(*client, m, payload, fault, check.view);
        } else {
            (void)refuse(*client, m, answer.of.stream, answer.verdict);
        }
    } catch (const std::bad_alloc&) {
        ClientSession::of(*client).listener->end(*client, EndReason::memory, "memory is short");
    }
    // Cleared on every way out: a flag that stays would let the next request pass without a check.
    granting_ = early_ = false;
    context_.rooms.views.release(check.view);
}

// --- checks that take too long ---------------------------------------------------------------------------------------

void OpenChecks::arm() {
    // max() means RequestCheckTimeout 0: those requests wait without an end.
    if (open_.empty() || open_.begin()->second.until == reactor::TimePoint::max()) return;
    reactor::Reactor& loop = context_.rooms.reactor;
    const auto left = std::max(reactor::Duration::zero(), open_.begin()->second.until - loop.now());
    timer_ = loop.startTimer(left, [this] { endSome(); });
}

void OpenChecks::endSome() {
    timer_ = 0;
    const reactor::TimePoint now = context_.rooms.reactor.now();
    // Bounded by the turn: when 100,000 requests time out together, their refusals go out over several turns.
    while (!open_.empty() && open_.begin()->second.until <= now && context_.rooms.out.work().left()) {
        const auto [ticket, open] = *open_.begin();
        open_.erase(open_.begin());
        context_.counts.of.openChecks = size();
        context_.options.requestCheck->cancel(ticket);
        deal({open, ticket, {false, std::string(kNoAnswer), true}});
    }
    arm();
}

}  // namespace emissary::hub::client
