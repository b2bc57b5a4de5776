// Tries sessions in order of preference for an item, and parks it until one can serve it.
#include "routing/Placement.h"

#include "rdm/mismatch.h"
#include "reactor/rdm/Directory.h"

#include <algorithm>
#include <utility>

namespace emissary::reactor::routing {

using namespace eta::codec;

namespace {

constexpr std::string_view kNobody = "No matching service present.";

}  // namespace

void Placement::stop() noexcept {
    reactor_.cancelTimer(std::exchange(timer_, 0));
}

bool Placement::choose(const Item& item, const Msg& msg, Target& out, std::string_view& why) {
    wanted_.look(*item.wanted);
    const Qos* const best = item.qosFixed ? &item.qos : msg.has(RequestFlag::qos) ? &msg.qos : nullptr;
    const Qos* const worst = !item.qosFixed && msg.has(RequestFlag::worstQos) ? &msg.worstQos : nullptr;
    why = {};
    const bool named = msg.domain == rdm::kDictionaryDomain;
    for (MergedService* service : item.wanted->services) {
        for (const auto& s : sessions_) {
            const rdm::Service* m = s->ready() ? merged_.member(*service, s->index) : nullptr;
            if (m == nullptr) continue;
            // The sessions that make up a service need not have the same dictionaries.
            if (named && m->info.dictionariesProvided && !rdm::provides(*m, eta::asText(msg.key.name))) continue;
            const std::string_view reason = rdm::mismatch(*m, msg.domain, best, worst, out.qos);
            if (reason.empty()) {
                out.session = s.get();
                out.service = service;
                return true;
            }
            if (why.empty()) why = reason;
        }
    }
    if (why.empty()) why = item.wanted->services.empty() ? rdm::kNotUpYet : kNobody;
    return false;
}

bool Placement::serves(const Session& s, const Item& item) const {
    if (!s.ready() || item.service == nullptr) return false;
    const rdm::Service* m = merged_.member(*item.service, s.index);
    return m != nullptr && m->state.up && m->state.acceptingRequests();
}

Refusal Placement::openAt(Item& item, const Target& target, const Msg& msg) {
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
    item.why = {};
    Refusal refusal;
    item.inner = target.session->role->registerClient({m, target.service->name}, {&item, nullptr, 0}, refusal);
    return refusal;
}

void Placement::park(Item& item, std::string_view why) {
    item.session = nullptr;
    item.inner = 0;
    item.why = why;
    item.wanted->park(item);
}

void Placement::detach(Item& item) {
    if (item.inner != 0) static_cast<void>(item.session->role->unregister(item.inner));  // items are never refused
    park(item, kNobody);
    item.wanted->toTry = item.wanted->parked;
    if (timer_ == 0) timer_ = reactor_.startTimer(Duration::zero(), [this] { trySome(); });
}

void Placement::tryAll() {
    for (std::size_t i = 0; i < wanted_.size(); ++i)
        wanted_[i].toTry = wanted_[i].parked;
    trySome();
}

/// A hundred thousand requests at once would fill memory with output that the connections do not take; so the round
/// waits when output is behind, and lets others in between.
void Placement::trySome() {
    constexpr int kAtOnce = 2000;
    reactor_.cancelTimer(std::exchange(timer_, 0));
    int left = kAtOnce;
    Duration pause = Duration::zero();
    bool more = false;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
        Wanted& w = wanted_[i];
        for (; w.toTry != 0 && w.first != nullptr && left != 0; --left) {
            --w.toTry;
            if (tryOne(*w.first)) continue;
            ++w.toTry;
            pause = std::chrono::milliseconds(1);
            break;
        }
        more = more || (w.toTry != 0 && w.first != nullptr);
    }
    if (more) timer_ = reactor_.startTimer(pause, [this] { trySome(); });
}

/// False: its session's output is behind.
bool Placement::tryOne(Item& item) {
    Msg msg;
    if (!decodeMsg(Bytes(item.bytes), msg).ok()) return true;  // encoded here
    Target target;
    std::string_view why;
    if (choose(item, msg, target, why)) {
        if (target.session->role->congested()) return false;
        item.wanted->unpark(item);
        if (const Refusal refusal = openAt(item, target, msg))
            items_.refuse(item, StreamState::closed, 5, refusal.text);
        return true;
    }
    Wanted& w = *item.wanted;
    if (w.services.empty() && !wanted_.mayStillAppear()) {
        items_.refuse(item, StreamState::closed, 15, WantedServices::unknown(w));
        return true;
    }
    const std::uint32_t toTry = w.toTry;
    const std::string_view before = item.why;
    item.wanted->unpark(item);
    park(item, why);  // behind those that have yet to be tried
    w.toTry = toTry;
    if (why != before) items_.tell(item, StreamState::open, 0, std::string(why), false);
    return true;
}

}  // namespace emissary::reactor::routing
