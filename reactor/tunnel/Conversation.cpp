// Moves both halves along: data, acknowledgements, gaps, and the handshake that closes.
#include "tunnel/Conversation.h"

#include <utility>

namespace emissary::reactor::tunnel {

using namespace eta::codec;
using namespace std::chrono_literals;

namespace {

// The fin is repeated after 150, 450, 1,050 and 2,250 ms; at 4,650 ms the tunnel ends (tunnel.md 7.5).
constexpr auto kFirstInterval = 150ms;
constexpr unsigned kFinRepeats = 4;
constexpr auto kOutputRetry = 1ms, kGapPatience = 500ms;

}  // namespace

Conversation::Conversation(Reactor& reactor, Wire& wire, Owner& owner, const Options& options, Counters& counters)
    // Each direction counts its own numbers from 1.
    : reactor_(reactor), wire_(wire), owner_(owner), outgoing_(options.outgoing, counters),
      incoming_(options.incoming, counters), streamVersion_(options.outgoing.streamVersion) {}

Conversation::~Conversation() {
    end();
}

void Conversation::end() noexcept {
    state_ = State::ended;
    for (TimerId* timer : {&series_, &retry_, &gapWatch_})
        if (*timer != 0) reactor_.cancelTimer(std::exchange(*timer, 0));
}

void Conversation::break_(std::string_view why) {
    end();
    owner_.onBroken(why);
}

// --- messages --------------------------------------------------------------------------------------------------------

void Conversation::onMessage(const Msg& m) {
    if (state_ == State::ended) return;
    Header header;
    // Without the header the message belongs to no tunnel of a version we know.
    if (!m.hasExtendedHeader()) return break_("a message came without the header of tunnel streams");
    if (!decodeHeader(m.extendedHeader, streamVersion_, header).ok())
        return break_("the header of a message cannot be decoded");
    if (!header.isData() && !header.fin) return onAck(header);
    if (header.isData() && !m.hasSeqNum()) return break_("a data message came without a sequence number");
    // The fin carries the peer's window, as every acknowledgement does.
    if (header.fin) outgoing_.setWindow(header.window);
    const std::uint32_t seqNum = header.fin ? header.seqNum : m.seqNum;
    if (const std::string_view why = incoming_.onMessage(header, seqNum, m.containerType, m.payload, *this);
        !why.empty())
        return break_(why);
    if (state_ == State::ended) return;
    if (header.fin) {
        // Its acknowledgement is on its way already unless this is a repeat.
        if (incoming_.ackDue()) incoming_.sendAck(wire_);
        // Half of a window unacknowledged is urgent; otherwise one answer covers the whole turn (tunnel.md 3).
    } else if (incoming_.ackDue() && incoming_.ackUrgent()) {
        incoming_.sendAck(wire_);
    }
    watchGap();
    if (incoming_.ackDue() && !std::exchange(flushDue_, true)) owner_.onFlushDue();
}

bool Conversation::onData(DataType type, Bytes data) {
    return owner_.onData(type, data) && state_ != State::ended;
}

void Conversation::onFin() {
    // Each fin is acknowledged at once, in every state (tunnel.md 7.4).
    incoming_.sendAck(wire_);
    switch (state_) {
    case State::open:
        step(State::answering);
        startSeries();
        owner_.onPeerCloses();
        if (state_ != State::answering) return;
        // Ours follows the peer's, behind the data that were queued.
        outgoing_.submitFin(incoming_.window());
        return pump();
    case State::closing:
        return step(State::crossed);
    case State::finAcked:
        // Both fins are acknowledged: the tunnel is over.
        return step(State::ended);
    case State::crossed:
    case State::answering:
    case State::awaitingClose:
    case State::ended:
        return;
    }
}

void Conversation::onAck(const Header& ack) {
    if (!outgoing_.onAck(ack)) return break_("an acknowledgement asks for a message that was never sent");
    if (outgoing_.finAcked()) onOwnFinAcked();
    if (state_ == State::ended) return;
    // With messages to send a window that has opened is used now; the bytes leave at the end of the turn.
    pump();
}

void Conversation::onOwnFinAcked() {
    switch (state_) {
    case State::closing:
        return step(State::finAcked);
    case State::crossed:
        return step(State::ended);
    case State::answering:
        step(State::awaitingClose);
        // The peer's closing message is waited for by the same series (tunnel.md 7.5).
        return startSeries();
    case State::open:
    case State::finAcked:
    case State::awaitingClose:
    case State::ended:
        return;
    }
}

void Conversation::step(State to) {
    state_ = to;
    if (to != State::ended) return;
    end();
    owner_.onEnded();
}

// --- sending ---------------------------------------------------------------------------------------------------------

SubmitFault Conversation::submit(DataType type, Bytes data) {
    if (state_ != State::open) return SubmitFault::notOpen;
    const SubmitFault fault = outgoing_.submit(type, data);
    if (fault == SubmitFault::none) pump();
    return fault;
}

void Conversation::close() {
    if (state_ != State::open) return;
    step(State::closing);
    // Behind the data that are already queued.
    outgoing_.submitFin(incoming_.window());
    startSeries();
    pump();
}

void Conversation::pump() {
    // The connection is full: the next try is in a millisecond.
    if (outgoing_.pump(wire_) != Outgoing::Pumped::output || retry_ != 0) return;
    retry_ = reactor_.startTimer(kOutputRetry, [this] {
        retry_ = 0;
        pump();
    });
}

void Conversation::flush() {
    flushDue_ = false;
    if (state_ != State::ended && incoming_.ackDue()) incoming_.sendAck(wire_);
}

// --- time ------------------------------------------------------------------------------------------------------------

void Conversation::startSeries() {
    if (series_ != 0) reactor_.cancelTimer(series_);
    repeats_ = 0;
    series_ = reactor_.startTimer(kFirstInterval, [this] { onSeries(); });
}

void Conversation::onSeries() {
    series_ = 0;
    // The handshake has an end, so a close never hangs.
    if (++repeats_ > kFinRepeats) return step(State::ended);
    series_ = reactor_.startTimer(kFirstInterval * (1u << repeats_), [this] { onSeries(); });
    if (state_ == State::awaitingClose) return;
    // With its acknowledgement there and the peer's fin missing it is sent all the same: that asks for the latter.
    outgoing_.repeatFin(wire_);
    pump();
}

/// Nothing repeats data by itself, but who sees a gap asks again when the answer does not come.
void Conversation::watchGap() {
    if (!incoming_.gap()) {
        if (gapWatch_ != 0) reactor_.cancelTimer(std::exchange(gapWatch_, 0));
        return;
    }
    if (gapWatch_ != 0) return;
    gapWatch_ = reactor_.startTimer(kGapPatience, [this] {
        gapWatch_ = 0;
        incoming_.askAgain();
        if (incoming_.ackDue()) incoming_.sendAck(wire_);
        watchGap();
    });
}

}  // namespace emissary::reactor::tunnel
