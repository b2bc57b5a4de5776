// Numbers and keeps messages in a ring until they are acknowledged, and sends them again on request.
#include "tunnel/Outgoing.h"

#include <algorithm>
#include <array>
#include <bit>

namespace emissary::reactor::tunnel {

using namespace eta::codec;

namespace {

constexpr std::size_t kHeaderRoom = 64;  // of a data message or a fin, more than either needs
constexpr std::size_t kKeptEntries = 64, kKeptBytes = 16 * 1024;

}  // namespace

const char* describe(SubmitFault fault) noexcept {
    switch (fault) {
    case SubmitFault::none:
        return "";
    case SubmitFault::notOpen:
        return "the tunnel stream is not in the open state";
    case SubmitFault::authentication:
        return "authentication needs to complete before other data is submitted";
    case SubmitFault::tooLong:
        return "the message is longer than the class of service allows";
    case SubmitFault::empty:
        return "the message is empty";
    case SubmitFault::full:
        return "all output buffers of the tunnel stream are in use; try again later, or ask for more "
               "guaranteedOutputBuffers";
    case SubmitFault::encoding:
        return "the message cannot be encoded";
    }
    return "";
}

Outgoing::Outgoing(const Options& options, Counters& counters)
    : options_(options), counters_(counters), window_(options.window) {}

Outgoing::~Outgoing() {
    counters_.buffersUsed -= buffersUsed();
}

// --- queueing --------------------------------------------------------------------------------------------------------

SubmitFault Outgoing::submit(DataType type, Bytes data) {
    if (finQueued_) return SubmitFault::notOpen;
    if (data.empty()) return SubmitFault::empty;
    if (data.size() > options_.maxMessage) return SubmitFault::tooLong;
    // An empty queue takes a message of any allowed size; otherwise bufferBytes is the bound.
    if (held_ != 0 && held_ + data.size() > options_.bufferBytes) {
        ++counters_.buffersFull;
        return SubmitFault::full;
    }
    // Version 1 has no fragments, so a long message goes as it is.
    if (data.size() <= options_.fragmentBytes || options_.streamVersion <= kOldStreamVersion) {
        appendData({}, type, true, data);
        return SubmitFault::none;
    }
    // Message ids go from 1 to 65,535 and begin again (tunnel.md 2.1).
    if (++messageId_ == 0) messageId_ = 1;
    Header header;
    header.fragment = true;
    header.totalBytes = static_cast<std::uint32_t>(data.size());
    header.messageId = messageId_;
    header.containerType = type;
    // Room for all of it before the first: a message is queued whole or not at all.
    growRing(data.size() + (data.size() / options_.fragmentBytes + 2) * kHeaderRoom);
    while (!data.empty()) {
        const Bytes piece = data.first(std::min<std::size_t>(data.size(), options_.fragmentBytes));
        data = data.subspan(piece.size());
        ++header.fragmentNumber;
        appendData(header, DataType::Opaque, data.empty(), piece);
    }
    return SubmitFault::none;
}

void Outgoing::appendData(const Header& header, DataType type, bool complete, Bytes data) {
    std::array<std::byte, 16> extended;
    eta::BeWriter inner{extended};
    encodeData(inner, header, options_.streamVersion);
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = options_.domain;
    m.streamId = options_.streamId;
    m.flags = GenericFlag::extendedHeader | GenericFlag::seqNum;
    if (complete) m.flags |= GenericFlag::complete;
    // The number of the message is its place in the order, and a repetition keeps it.
    m.seqNum = next_;
    m.containerType = type;
    m.extendedHeader = inner.view();
    std::array<std::byte, kHeaderRoom> head;
    eta::BeWriter out{head};
    (void)encodeMsgHeader(out, m);  // it fits
    append(out.view(), data);
}

void Outgoing::submitFin(std::int32_t ownWindow) {
    if (finQueued_) return;
    std::array<std::byte, 16> extended;
    eta::BeWriter inner{extended};
    encodeAck(inner, true, next_, {}, ownWindow);
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = options_.domain;
    m.streamId = options_.streamId;
    m.flags = GenericFlag::extendedHeader | GenericFlag::complete;
    m.extendedHeader = inner.view();
    eta::BeWriter out{fin_};
    (void)encodeMsgHeader(out, m);  // it fits
    append(out.view(), {});
    finBytes_ = static_cast<std::uint32_t>(out.size());
    finQueued_ = true;
    finSeq_ = next_ - 1;
}

void Outgoing::append(Bytes header, Bytes data) {
    const std::size_t size = header.size() + data.size();
    // A place for each number; the size is a power of two, so that the place is a mask.
    if (next_ - first_ == entries_.size()) growEntries();
    growRing(size);
    std::uint64_t at = ringEnd_;
    if ((at & (ring_.size() - 1)) + size > ring_.size()) at = (at | (ring_.size() - 1)) + 1;  // not across the end
    std::memcpy(bytes(at), header.data(), header.size());
    if (!data.empty()) std::memcpy(bytes(at) + header.size(), data.data(), data.size());
    entry(next_) = {at, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(data.size()), State::queued,
                    false};
    ++next_;
    ringEnd_ = at + size;
    held_ += data.size();
    ++counters_.buffersUsed;
    counters_.buffersPeak.raiseTo(counters_.buffersUsed);
}

// Numbers stay, places move.
void Outgoing::growEntries() {
    std::vector<Entry> larger(std::max(kKeptEntries, 2 * entries_.size()));
    for (std::uint32_t seq = first_; seq != next_; ++seq)
        larger[seq & (larger.size() - 1)] = entry(seq);
    entries_.swap(larger);
}

/// Makes room for `needed` more bytes in one run, and for the bytes that the end of the ring may cost.
void Outgoing::growRing(std::size_t needed) {
    // Bytes in front of the first message are free: they were acknowledged.
    const std::uint64_t begin = first_ == next_ ? ringEnd_ : entry(first_).at;
    // Skipping to the start of the ring costs at most the run itself.
    const std::uint64_t used = ringEnd_ - begin + 2 * needed;
    if (used <= ring_.size()) return;
    std::vector<std::byte> larger(std::max(kKeptBytes, std::bit_ceil(used)));
    std::uint64_t at = 0;
    for (std::uint32_t seq = first_; seq != next_; ++seq) {
        Entry& e = entry(seq);
        std::memcpy(larger.data() + at, bytes(e.at), e.size);
        e.at = at;
        at += e.size;
    }
    ring_.swap(larger);
    ringEnd_ = at;
}

void Outgoing::trim() noexcept {
    if (first_ != next_) return;
    if (ring_.size() > kKeptBytes) std::vector<std::byte>().swap(ring_);
    if (entries_.size() > kKeptEntries) std::vector<Entry>().swap(entries_);
    ringEnd_ = 0;
}

// --- sending ---------------------------------------------------------------------------------------------------------

Outgoing::Pumped Outgoing::pump(Wire& wire) noexcept {
    for (; sendAt_ != next_; ++sendAt_) {
        Entry& e = entry(sendAt_);
        if (e.state != State::queued) continue;
        const bool data = e.dataBytes != 0;  // a fin is outside the window
        // The first window is one fragment at least; later ones are taken as they are, and 0 stops the sender
        // (tunnel.md 5).
        if (data && options_.windowed && inFlight_ + e.dataBytes > window_) {
            ++counters_.windowWaits;
            return Pumped::window;
        }
        std::byte* const message = bytes(e.at);
        // A repetition says so, and keeps everything else.
        if (data && e.sentBefore) message[kOpCodeAt] = static_cast<std::byte>(OpCode::retransmission);
        if (!wire.tryWrite({message, e.size}).ok()) return Pumped::output;
        if (data && e.sentBefore) ++counters_.repeated;
        else if (data) ++counters_.sent;
        e.state = State::sent;
        e.sentBefore = true;
        inFlight_ += e.dataBytes;
        // neverSent_ marks the first number that the peer cannot know.
        if (ahead(sendAt_, neverSent_) >= 0) neverSent_ = sendAt_ + 1;
    }
    return Pumped::all;
}

void Outgoing::repeatFin(Wire& wire) noexcept {
    // The fin again, which asks for the peer's as well (tunnel.md 7.5).
    if (finQueued_ && ahead(neverSent_, finSeq_) > 0) (void)wire.tryWrite({fin_.data(), finBytes_});
}

// --- acknowledgements ------------------------------------------------------------------------------------------------

void Outgoing::release(Entry& e) noexcept {
    if (e.state == State::sent) inFlight_ -= e.dataBytes;
    e.state = State::acked;
}

bool Outgoing::onAck(const Header& ack) noexcept {
    // Clipped: an acknowledgement of numbers that were never sent means those that were (tunnel.md 3).
    const std::uint32_t lastSent = neverSent_ - 1;
    const std::uint32_t upTo = ahead(ack.seqNum, lastSent) > 0 ? lastSent : ack.seqNum;
    // An acknowledgement costs no more than every entry once, whatever its ranges say.
    std::uint32_t budget = 2 * buffersUsed() + 1;
    for (std::size_t i = 0; i < ack.received.size(); ++i)
        markAcked(ack.received[i], budget);
    while (first_ != neverSent_ && (ahead(upTo, first_) >= 0 || entry(first_).state == State::acked)) {
        Entry& e = entry(first_);
        release(e);
        held_ -= e.dataBytes;
        ++first_;
        counters_.buffersUsed -= 1;
    }
    // sendAt_ must not point behind what was freed.
    if (ahead(first_, sendAt_) > 0) sendAt_ = first_;
    for (std::size_t i = 0; i < ack.missing.size(); ++i) {
        const SeqRange range = ack.missing[i];
        // A request for a message that was never sent ends the tunnel.
        if (ahead(range.from, lastSent) > 0 || ahead(range.to, lastSent) > 0) return false;
        resend(range, budget);
    }
    // The window of every acknowledgement replaces the last one.
    window_ = ack.window;
    return true;
}

void Outgoing::markAcked(SeqRange range, std::uint32_t& budget) noexcept {
    const std::uint32_t from = ahead(range.from, first_) < 0 ? first_ : range.from;
    const std::uint32_t to = ahead(range.to, neverSent_ - 1) > 0 ? neverSent_ - 1 : range.to;
    for (std::uint32_t seq = from; ahead(to, seq) >= 0 && budget != 0; ++seq, --budget)
        release(entry(seq));
}

void Outgoing::resend(SeqRange range, std::uint32_t& budget) noexcept {
    const std::uint32_t from = ahead(range.from, first_) < 0 ? first_ : range.from;
    for (std::uint32_t seq = from; ahead(range.to, seq) >= 0 && budget != 0; ++seq, --budget) {
        Entry& e = entry(seq);
        if (e.state != State::sent) continue;
        inFlight_ -= e.dataBytes;
        e.state = State::queued;
        if (ahead(sendAt_, seq) > 0) sendAt_ = seq;
    }
}

}  // namespace emissary::reactor::tunnel
