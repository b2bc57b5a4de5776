// Which session serves an item, and what happens when it no longer can.
#include "rdm/dictionaries.h"
#include "rdm/mismatch.h"
#include "reactor/rdm/stream_state.h"
#include "routing/RouterImpl.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::routing {

using namespace eta::codec;

namespace {

constexpr const char* kNobody = "No matching service present.";

}  // namespace

/// Null when the request names no service at all.
Wanted* Router::Impl::wantedFor(const RequestView& request, std::span<const std::string> services) {
    const std::string_view name = request.serviceName;
    const bool byId = request.msg.key.has(KeyFlag::serviceId);
    const auto fits = [&](const Wanted& w) {
        if (name.data() != nullptr) return w.names.size() == 1 && w.names.front() == name;
        if (byId) return w.names.empty() && w.id == request.msg.key.serviceId;
        return std::equal(w.names.begin(), w.names.end(), services.begin(), services.end());
    };
    if (name.data() == nullptr && !byId && services.empty()) return nullptr;
    if (lastWanted != nullptr && fits(*lastWanted)) return lastWanted;
    for (const auto& w : wanted)
        if (fits(*w)) return lastWanted = w.get();
    auto fresh = std::make_unique<Wanted>();
    if (name.data() != nullptr) fresh->names.emplace_back(name);
    else if (byId) fresh->id = request.msg.key.serviceId;
    else fresh->names.assign(services.begin(), services.end());
    return lastWanted = wanted.emplace_back(std::move(fresh)).get();
}

/// Brings the candidates up to date; services are only ever added.
void Router::Impl::look(Wanted& w) {
    const auto& all = merged.services();
    if (w.looked == all.size()) return;
    w.looked = all.size();
    w.services.clear();
    if (w.names.empty()) {
        if (MergedService* s = merged.find(w.id)) w.services.push_back(s);
        return;
    }
    for (const std::string& name : w.names)
        for (const auto& s : all)
            if (s->name == name) w.services.push_back(s.get());
}

/// Why nobody has ever heard of it.
std::string Router::Impl::unknown(const Wanted& w) const {
    if (w.names.empty()) return "Service id of '" + std::to_string(w.id) + "' is not found.";
    if (w.names.size() == 1) return "Service name of '" + w.names.front() + "' is not found.";
    std::string all;
    for (const std::string& name : w.names)
        all += (all.empty() ? "'" : ", '") + name + "'";
    return "None of the services " + all + " is found.";
}

/// Some session has not said yet which services it has. Ids are known from the directory only.
bool Router::Impl::mayStillAppear(const Wanted& w) const noexcept {
    return !w.names.empty() &&
           std::any_of(sessions.begin(), sessions.end(), [](const auto& s) { return !s->everReady && !s->closed(); });
}

/// The first session, in order, of the first service that can; `why`: the first reason why not.
bool Router::Impl::choose(const Item& item, const Msg& msg, Target& out, const char*& why) {
    look(*item.wanted);
    const Qos* const best = item.qosFixed ? &item.qos : msg.has(RequestFlag::qos) ? &msg.qos : nullptr;
    const Qos* const worst = !item.qosFixed && msg.has(RequestFlag::worstQos) ? &msg.worstQos : nullptr;
    why = nullptr;
    const bool named = msg.domain == rdm::kDictionaryDomain;
    for (MergedService* service : item.wanted->services) {
        for (const auto& s : sessions) {
            const rdm::Service* m = s->ready() ? merged.member(*service, s->index) : nullptr;
            if (m == nullptr) continue;
            // The sessions that make up a service need not have the same dictionaries.
            if (named && m->info.dictionariesProvided && !rdm::provides(*m, eta::asText(msg.key.name))) continue;
            const char* reason = rdm::mismatch(*m, msg.domain, best, worst, out.qos);
            if (reason == nullptr) {
                out.session = s.get();
                out.service = service;
                return true;
            }
            if (why == nullptr) why = reason;
        }
    }
    if (why == nullptr) why = kNobody;
    return false;
}

/// The session that has the item may answer for it.
bool Router::Impl::serves(const Session& s, const Item& item) const {
    if (!s.ready() || item.service == nullptr) return false;
    const rdm::Service* m = merged.member(*item.service, s.index);
    return m != nullptr && m->state.up && m->state.acceptingRequests();
}

void Router::Impl::openAt(Item& item, const Target& target, const Msg& msg, Refusal& refusal) {
    Msg m = msg;
    m.key.flags = static_cast<std::uint16_t>(m.key.flags & ~KeyFlag::serviceId);
    m.flags = static_cast<std::uint16_t>(item.paused ? m.flags | RequestFlag::pause : m.flags & ~RequestFlag::pause);
    if (item.qosFixed) {
        m.flags = static_cast<std::uint16_t>((m.flags | RequestFlag::qos) & ~RequestFlag::worstQos);
        m.qos = item.qos;
    }
    item.session = target.session;
    item.service = target.service;
    item.qos = target.qos;
    item.why = nullptr;
    item.inner = target.session->role->registerClient({m, target.service->name}, {&item, nullptr, 0}, refusal);
}

void Router::Impl::park(Item& item, const char* why) {
    Wanted& w = *item.wanted;
    item.session = nullptr;
    item.inner = 0;
    item.why = why;
    item.prev = w.last;
    item.next = nullptr;
    (w.last != nullptr ? w.last->next : w.first) = &item;
    w.last = &item;
    ++w.parked;
}

void Router::Impl::unpark(Item& item) noexcept {
    Wanted& w = *item.wanted;
    (item.prev != nullptr ? item.prev->next : w.first) = item.next;
    (item.next != nullptr ? item.next->prev : w.last) = item.prev;
    item.prev = item.next = nullptr;
    --w.parked;
    w.toTry = std::min(w.toTry, w.parked);
}

/// Takes the item from the session that cannot serve it; the next round finds another one.
void Router::Impl::detach(Item& item) {
    Refusal refusal;
    if (item.inner != 0) item.session->role->unregister(item.inner, refusal);
    park(item, kNobody);
    item.wanted->toTry = item.wanted->parked;
    if (tryTimer == 0) tryTimer = reactor.startTimer(Duration::zero(), [this] { trySome(); });
}

/// Something changed: everything that waits tries again.
void Router::Impl::tryAll() {
    for (const auto& w : wanted)
        w->toTry = w->parked;
    trySome();
}

/// A hundred thousand requests at once would fill memory with output that the connections do not take; so the round
/// waits when output is behind, and lets others in between.
void Router::Impl::trySome() {
    constexpr int kAtOnce = 2000;
    reactor.cancelTimer(std::exchange(tryTimer, 0));
    int left = kAtOnce;
    Duration pause = Duration::zero();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        Wanted& w = *wanted[i];
        for (; w.toTry != 0 && w.first != nullptr && left != 0; --left) {
            --w.toTry;
            if (tryOne(*w.first)) continue;
            ++w.toTry;
            pause = std::chrono::milliseconds(1);
            break;
        }
    }
    const bool more =
        std::any_of(wanted.begin(), wanted.end(), [](const auto& w) { return w->toTry != 0 && w->first != nullptr; });
    if (more) tryTimer = reactor.startTimer(pause, [this] { trySome(); });
}

/// False: its session's output is behind.
bool Router::Impl::tryOne(Item& item) {
    Msg msg;
    if (!decodeMsg(Bytes(item.bytes), msg).ok()) return true;  // encoded here
    Target target;
    const char* why = nullptr;
    if (choose(item, msg, target, why)) {
        if (target.session->role->congested()) return false;
        unpark(item);
        Refusal refusal;
        openAt(item, target, msg, refusal);
        if (refusal) refuse(item, StreamState::closed, 5, refusal.text);
        return true;
    }
    Wanted& w = *item.wanted;
    if (w.services.empty() && !mayStillAppear(w)) {
        refuse(item, StreamState::closed, 15, unknown(w));
        return true;
    }
    const std::uint32_t toTry = w.toTry;
    const char* const before = item.why;
    unpark(item);
    park(item, why);  // behind those that have yet to be tried
    w.toTry = toTry;
    if (why != before) tell(item, StreamState::open, 0, why, false);
    return true;
}

/// What a session says about an item, as the application shall see it.
void Router::Impl::onItem(Session& s, const Msg& msg, Item& item, std::string_view serviceName) {
    if (msg.cls != MsgClass::Update && requests.noticesWaiting()) [[unlikely]] {
        const Handle handle = item.request->handle;
        requests.deliverNotices();
        if (itemOf(handle) != &item) return;
    }
    Request& r = *item.request;
    Msg out = msg;
    const bool isData = msg.streamId < 0;  // opened by a symbol list
    out.streamId = isData
                       ? msg.streamId * static_cast<std::int32_t>(sessions.size()) - static_cast<std::int32_t>(s.index)
                       : r.appStreamId;
    if (item.service != nullptr && out.hasKey() && out.key.has(KeyFlag::serviceId))
        out.key.serviceId = item.service->id;
    const Recipient to = RequestTable::recipient(r);
    if (msg.cls != MsgClass::Refresh && msg.cls != MsgClass::Status) return sink.onMessage(out, to, serviceName);

    if (msg.cls == MsgClass::Refresh && !isData) {
        if (item.refreshed) out.flags = static_cast<std::uint16_t>(out.flags & ~RefreshFlag::solicited);
        if (msg.has(RefreshFlag::complete)) item.refreshed = item.qosFixed = true;
    }
    if (rdm::endsStream(msg) && !s.role->knows(item.inner)) {
        item.inner = 0;
        const bool sessionIsOver = s.closed() && !allClosed() && item.wanted != nullptr && msg.state.isFinal();
        if (sessionIsOver && login.singleOpen() && !item.isPrivate) {
            out.state.stream = StreamState::open;
            out.state.data = DataState::suspect;
            detach(item);
        } else {
            release(item, false);
        }
    } else if (recoverElsewhere && !isData && msg.hasState() && msg.state.data == DataState::suspect &&
               msg.state.stream == StreamState::open && item.wanted != nullptr && !item.isPrivate &&
               login.singleOpen() && !serves(s, item)) {
        detach(item);
    }
    sink.onMessage(out, to, serviceName);
}

}  // namespace emissary::reactor::routing
