// Sorts what arrives by number, asks for what is missing, and joins fragments.
#include "tunnel/Incoming.h"

#include <algorithm>
#include <array>

namespace emissary::reactor::tunnel {

using namespace eta::codec;

std::string_view Incoming::onMessage(const Header& header, std::uint32_t seqNum, DataType type, Bytes data,
                                     Reader& reader) {
    const std::int32_t distance = ahead(seqNum, last_);
    // Numbers are compared as signed differences: they wrap (tunnel.md 3).
    if (distance <= 0) {
        if (header.isData()) return void(++counters_.duplicates), std::string_view{};
        ackDue_ = true;  // the fin came again: its acknowledgement was lost
        return {};
    }
    // Behind the peer's fin nothing counts any more.
    if (finished_) return {};
    if (ahead(seqNum, highest_) > 0) highest_ = seqNum;
    if (distance > 1) {
        noteGap(header, seqNum);
        // Kept instead of dropped: only what is missing is asked for (tunnel.md 3).
        hold(header, seqNum, type, data);
        return {};
    }
    if (const std::string_view why = take(header, type, data, reader); !why.empty() || gone_) return why;
    // What was kept becomes due as soon as the gap is closed.
    while (!held_.empty() && held_.begin()->first == last_ + 1 && !finished_) {
        const auto node = held_.extract(held_.begin());
        const Held& h = node.mapped();
        heldBytes_ -= h.data.size();
        if (const std::string_view why = take(h.header, h.type, h.data, reader); !why.empty() || gone_) return why;
    }
    if (asked_ && ahead(last_, askedTo_) >= 0) asked_ = false;
    // All that was asked for is there, and something else is missing.
    if (!asked_ && gap()) nakDue_ = true;
    return {};
}

void Incoming::noteGap(const Header& header, std::uint32_t seqNum) noexcept {
    // A repeat that overtakes what was asked for as well says that the latter was lost once more.
    if (!asked_ || (header.op == OpCode::retransmission && ahead(askedTo_, seqNum) >= 0)) nakDue_ = true;
}

void Incoming::hold(const Header& header, std::uint32_t seqNum, DataType type, Bytes data) {
    if (held_.contains(seqNum)) return void(++counters_.duplicates);
    // A peer that sends without end behind a gap must not cost memory without end.
    if (held_.size() >= options_.limits.heldMessages || heldBytes_ + data.size() > options_.limits.heldBytes)
        return void(++counters_.dropped);
    Held& h = held_[seqNum];
    h.header = header;
    h.header.missing = h.header.received = {};
    h.type = type;
    h.data.assign(data.begin(), data.end());
    heldBytes_ += data.size();
    ++counters_.held;
}

std::string_view Incoming::take(const Header& header, DataType type, Bytes data, Reader& reader) {
    ++last_;
    ackDue_ = true;
    if (!header.isData()) {
        finished_ = true;
        reader.onFin();
        return {};
    }
    ++counters_.received;
    unackedBytes_ += static_cast<std::int64_t>(data.size());
    // Only counted: a peer that sends more than its window is noted, not punished.
    if (options_.windowed && unackedBytes_ > options_.window) ++counters_.windowExceeded;
    if (header.fragment) return takeFragment(header, data, reader);
    if (data.size() > options_.maxMessage) return "a message is longer than the class of service allows";
    gone_ = !reader.onData(type, data);
    return {};
}

std::string_view Incoming::takeFragment(const Header& header, Bytes data, Reader& reader) {
    const auto same = [&](const Partial& p) { return p.messageId == header.messageId; };
    auto at = std::find_if(partials_.begin(), partials_.end(), same);
    if (header.fragmentNumber == 1) {
        // The announced length is bounded before anything is stored.
        if (header.totalBytes > options_.maxMessage)
            return "a fragmented message is longer than the class of service allows";
        if (at == partials_.end()) {
            if (partials_.size() >= options_.limits.partialMessages)
                return "too many fragmented messages are under way";
            at = partials_.emplace(partials_.end());
        }
        // A message that begins anew replaces the unfinished one of the same id.
        partialBytes_ -= at->data.size();
        at->data.clear();
        at->messageId = header.messageId;
        at->totalBytes = header.totalBytes;
        at->type = header.containerType;
        at->fragments = 0;
    } else if (at == partials_.end() || header.fragmentNumber != at->fragments + 1) {
        return "a fragment came without the one before it";
    }
    // The sum of the fragments cannot exceed what the first one announced.
    if (data.size() > at->totalBytes - at->data.size())
        return "the fragments of a message are longer than was announced";
    if (partialBytes_ + data.size() > options_.limits.partialBytes)
        return "the fragmented messages under way are too long";
    ++at->fragments;
    at->data.insert(at->data.end(), data.begin(), data.end());
    partialBytes_ += data.size();
    if (at->data.size() < at->totalBytes) return {};
    // The message leaves the list before it is read: the reader may end the tunnel.
    const Partial whole = std::move(*at);
    partials_.erase(at);
    partialBytes_ -= whole.data.size();
    gone_ = !reader.onData(whole.type, whole.data);
    return {};
}

// --- acknowledgements ------------------------------------------------------------------------------------------------

/// Ranges between what was received in order and the highest number seen; at most kMostRanges.
std::size_t Incoming::missing(SeqRange* out) const noexcept {
    std::size_t n = 0;
    std::uint32_t next = last_ + 1;
    const auto add = [&](std::uint32_t to) {
        // The other end compares the two ends of a range as plain numbers.
        if (to < next && n < kMostRanges) {
            out[n++] = {next, UINT32_MAX};
            next = 0;
        }
        if (n < kMostRanges) out[n++] = {next, to};
    };
    for (const auto& [seq, h] : held_) {
        if (seq != next) add(seq - 1);
        next = seq + 1;
    }
    if (ahead(highest_, next) >= 0) add(highest_);
    return n;
}

void Incoming::sendAck(Wire& wire) {
    std::array<SeqRange, kMostRanges> ranges;
    std::size_t count = 0;
    if (nakDue_ && gap()) {
        count = missing(ranges.data());
        asked_ = count != 0;
        // What is asked for is noted, so that it is asked for once.
        if (asked_) askedTo_ = ranges[count - 1].to, ++counters_.gaps;
    }
    nakDue_ = ackDue_ = false;
    unackedBytes_ = 0;
    std::array<std::byte, 256> extended;
    eta::BeWriter inner{extended};
    encodeAck(inner, false, last_, {ranges.data(), count}, options_.window);
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = options_.domain;
    m.streamId = options_.streamId;
    m.flags = GenericFlag::extendedHeader | GenericFlag::complete;
    m.extendedHeader = inner.view();
    wire.write(m);
}

}  // namespace emissary::reactor::tunnel
