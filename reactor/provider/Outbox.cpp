// Sends the role's answers as long as there is room, and goes on when the client has read.
#include "provider/Outbox.h"

#include <algorithm>

namespace emissary::reactor {

using namespace eta::codec;
using Step = DictionaryAnswers::Step;

namespace {

constexpr std::size_t kMaxBytes = 4u << 20;  // a client with so much output waiting counts as one that does not read
constexpr std::size_t kPauseBytes = 128u << 10;  // queued output above which dictionary parts wait
constexpr int kPartsPerTurn = 16;                // then other clients have their turn
constexpr Duration kFirstWait = std::chrono::microseconds(200), kLongestWait = std::chrono::milliseconds(20);

// Half of the bound at most, or the last part would never fit.
[[nodiscard]] std::size_t pauseBytes(Link& link) noexcept {
    return std::min(kPauseBytes, outputBound(link) / 2);
}

}  // namespace

std::size_t outputBound(Link& link) noexcept {
    const eta::transport::ChannelInfo& info = link.info();
    return static_cast<std::size_t>(std::max(info.guaranteedOutputBuffers, info.maxOutputBuffers)) *
           link.channel()->maxFragmentSize();
}

void Outbox::send(Session& session, const Msg& m) {
    if (session.dead || session.outbox.overrun) return;
    // Straight out while nothing waits; otherwise behind what waits.
    if (session.outbox.jobs.empty()) {
        const Error e = session.link->send(m);
        if (e.code != Errc::noBuffers) return;  // sent, or the connection is going down
    }
    eta::BeWriter& out = context_.message.start();
    if (const Error e = encodeMsg(out, m); !e.ok()) return;
    const Bytes bytes = context_.message.view();
    queue(session, {{bytes.begin(), bytes.end()}, 0});
    if (session.outbox.timer == 0) wait(session);
}

void Outbox::sendDictionary(Session& session, std::uint64_t handle) {
    if (session.dead || session.outbox.overrun) return;
    queue(session, {{}, handle});
    if (session.outbox.timer == 0) pump(session);
}

void Outbox::clear(Session& session) noexcept {
    session.outbox.jobs.clear();
    session.outbox.bytes = 0;
    session.outbox.overrun = false;
    session.dictionaries.clear();
    context_.reactor.cancelTimer(std::exchange(session.outbox.timer, 0));
}

/// Whatever waits counts, whole messages and dictionaries alike.
void Outbox::queue(Session& session, OutboxJob job) {
    ClientOutbox& box = session.outbox;
    if (box.bytes + job.cost() > kMaxBytes) return endSoon(session);
    box.bytes += job.cost();
    box.jobs.push_back(std::move(job));
}

/// From the loop: whoever sends holds requests, streams or tunnels of the client, and its end frees them.
void Outbox::endSoon(Session& session) {
    ClientOutbox& box = session.outbox;
    box.overrun = true;
    context_.reactor.cancelTimer(box.timer);
    box.timer = context_.reactor.startTimer({}, [this, &session] {
        session.outbox.timer = 0;
        ++context_.counters.overrun;
        ends_.endClient(session, "the client does not read the answers it asks for", Tell::now, farewell::tooSlow);
    });
}

void Outbox::wait(Session& session) {
    // The wait doubles while the client takes nothing, and begins anew when it takes something.
    session.outbox.delay = std::clamp(session.outbox.delay * 2, kFirstWait, kLongestWait);
    pumpAfter(session, session.outbox.delay);
}

void Outbox::pumpAfter(Session& session, Duration delay) {
    session.outbox.timer = context_.reactor.startTimer(delay, [this, &session] {
        session.outbox.timer = 0;
        pump(session);
    });
}

void Outbox::pump(Session& session) {
    ClientOutbox& box = session.outbox;
    for (int steps = 0; !box.jobs.empty() && !session.dead && !box.overrun;) {
        // Flushed before it is counted: what has left the queue is no reason to wait.
        if (session.link->channel()->queuedBytes() > pauseBytes(*session.link)) session.link->flush();
        if (session.link->channel()->queuedBytes() > pauseBytes(*session.link)) return wait(session);
        const std::uint64_t dictionary = box.jobs.front().stream;
        switch (step(session, box.jobs.front())) {
        case Step::blocked:
            return wait(session);
        case Step::again:
            queue(session, {{}, dictionary});
            [[fallthrough]];
        case Step::done:
            box.delay = {};
            if (!box.jobs.empty()) {
                box.bytes -= box.jobs.front().cost();
                box.jobs.pop_front();
            }
            break;
        case Step::more:
            box.delay = {};
            if (++steps < kPartsPerTurn) break;
            // Go on in a turn of its own; the timer also keeps later answers behind this one.
            return pumpAfter(session, {});
        }
    }
}

Step Outbox::step(Session& session, const OutboxJob& job) {
    if (job.stream != 0) return dictionaries_.sendPart(session, job.stream);
    const Error e = session.link->send(Bytes(job.message));
    return e.code == Errc::noBuffers ? Step::blocked : Step::done;
}

}  // namespace emissary::reactor
