// Decides by their headers which updates are joined, and keeps them in the order in which they came.
#include "hub/conflate/PendingUpdates.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace emissary::hub::conflate {

using namespace eta::codec;

namespace {

[[nodiscard]] bool same(Bytes a, Bytes b) noexcept {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

[[nodiscard]] std::uint16_t cut(std::uint64_t n) noexcept {
    return static_cast<std::uint16_t>(std::min<std::uint64_t>(n, 0xFFFF));
    // Counts and times on the wire have 16 bits.
}

/// Of the header: the two are about the same, for the same people, from the same one.
[[nodiscard]] bool agree(const Msg& a, const Msg& b) noexcept {
    if (a.domain != b.domain || a.containerType != b.containerType) return false;
    if (a.hasPermData() != b.hasPermData() || (a.hasPermData() && !same(a.permData, b.permData))) return false;
    // In entries that only one of the two has, fields would begin to ripple. Of field lists, the merger sees all
    // fields.
    if (a.has(UpdateFlag::doNotRipple) != b.has(UpdateFlag::doNotRipple) && a.containerType != DataType::FieldList)
        return false;
    // A key in one of them alone would change what the client sees of the other (hub.md 8.1).
    if (a.hasKey() != b.hasKey() || a.hasSeqNum() != b.hasSeqNum()) return false;
    if (a.hasPostUserInfo() != b.hasPostUserInfo()) return false;
    return !a.hasPostUserInfo() || (a.postUserAddress == b.postUserAddress && a.postUserId == b.postUserId);
}

}  // namespace

// Only updates of the types that ConflateTypes names (hub.md 8.1).
bool mayWait(const Msg& msg, std::uint64_t types) noexcept {
    // Types above 63 are in no list of types.
    if (msg.cls != MsgClass::Update || msg.updateType > 63 || (types >> msg.updateType & 1) == 0) return false;
    if (msg.has(UpdateFlag::doNotConflate | UpdateFlag::doNotCache) || msg.hasExtendedHeader()) return false;
    switch (msg.containerType) {
    // The four containers whose updates can be joined.
    case DataType::FieldList:
    case DataType::ElementList:
    case DataType::Map:
    case DataType::FilterList:
        return true;
    default:
        return false;
    }
}

PendingUpdates::Offered PendingUpdates::offer(std::int32_t stream, const Msg& msg, Time now, Info info) noexcept try {
    const auto at = byStream_.find(stream);
    if (at == byStream_.end()) return keep(stream, msg, info, now);
    Pending& pending = *at->second;
    // Joining adds at most the new payload, in the worst form that it may have.
    // In the worst case the payload becomes standard data, so its size is counted as it is.
    if (bytes_ + msg.payload.size() > maxBytes_) return Offered::full;
    pending.info = info;
    return joinWith(pending, msg, now) ? Offered::joined : Offered::asIs;
} catch (const std::bad_alloc&) { return Offered::full; }

// A copy of all members: the message borrows the receive buffer.
PendingUpdates::Offered PendingUpdates::keep(std::int32_t stream, const Msg& msg, Info info, Time now) {
    // A list node from before is used again, so a client that is behind costs no allocation for each update.
    Order made;
    if (spare_.empty()) made.emplace_back();
    else made.splice(made.end(), spare_, spare_.begin());
    Pending& p = made.front();
    p.info = info;
    p.repeats = false;
    p.members.clear();
    p.stream = stream;
    p.first = p.last = now;
    p.count = msg.has(UpdateFlag::confInfo) ? std::max<std::uint32_t>(msg.conflationCount, 1) : 1;
    p.time = msg.has(UpdateFlag::confInfo) ? msg.conflationTime : 0;
    // raw would send the update as it came, without what was joined to it.
    p.msg = msg;
    p.msg.raw = {};
    p.payload.assign(msg.payload.begin(), msg.payload.end());
    const auto bytesOf = [](bool there, Bytes b) { return there ? b : Bytes{}; };
    const Bytes name = bytesOf(msg.hasKey(), msg.key.name), attributes = bytesOf(msg.hasKey(), msg.key.attrib),
                perm = bytesOf(msg.hasPermData(), msg.permData);
    // Three members in one buffer; their views point into it, so it must not grow again.
    p.members.reserve(name.size() + attributes.size() + perm.size());
    const auto put = [&p](Bytes from) {
        const std::size_t at = p.members.size();
        p.members.insert(p.members.end(), from.begin(), from.end());
        return Bytes(p.members.data() + at, from.size());
    };
    p.msg.key.name = put(name);
    p.msg.key.attrib = put(attributes);
    p.msg.permData = put(perm);
    if (bytes_ + p.bytes() > maxBytes_) return Offered::full;
    // Only now, so that a full store has nothing to undo.
    byStream_.emplace(stream, made.begin());
    bytes_ += p.bytes();
    order_.splice(order_.end(), made);
    return Offered::waits;
}

bool PendingUpdates::joinWith(Pending& p, const Msg& msg, Time now) {
    if (!agree(p.msg, msg)) return false;
    using Ripple = PayloadMerger::Ripple;
    const bool quiet = msg.has(UpdateFlag::doNotRipple);
    const Ripple ripple = p.msg.has(UpdateFlag::doNotRipple) != quiet ? Ripple::mixed
                          : quiet                                     ? Ripple::no
                                                                      : Ripple::yes;
    Bytes joined;
    if (!merger_.merge(msg.containerType, p.payload, msg.payload, ripple, joined)) return false;
    p.repeats = merger_.repeats();
    const std::size_t before = p.bytes();
    p.payload.assign(joined.begin(), joined.end());
    bytes_ = bytes_ - before + p.bytes();
    // A joined update may be dropped only if both could be.
    // Both have to be discardable, or the result is not.
    const std::uint16_t both = UpdateFlag::discardable | UpdateFlag::doNotRipple;
    p.msg.flags = static_cast<std::uint16_t>((msg.flags & ~both) | (msg.flags & p.msg.flags & both));
    // Two types become Multiple, a type that consumers of conflated data know.
    p.msg.updateType = p.msg.updateType == msg.updateType ? msg.updateType : kMultiple;
    p.msg.seqNum = msg.seqNum;
    p.count += msg.has(UpdateFlag::confInfo) ? std::max<std::uint32_t>(msg.conflationCount, 1) : 1;
    // Numbers of the source are added to those of the hub.
    p.time += msg.has(UpdateFlag::confInfo) ? msg.conflationTime : 0u;
    p.last = now;
    return true;
}

/// `count` updates are in it, of those that wait.
const Msg& PendingUpdates::messageOf(Pending& p, Bytes payload, std::uint32_t count) noexcept {
    p.msg.payload = payload;
    // Only mounts that asked for it get the conflation members (hub.md 5.3).
    if (count > 1 && p.info == Info::yes) {
        const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(p.last - p.first).count();
        p.msg.flags |= UpdateFlag::confInfo;
        p.msg.conflationCount = cut(count);
        p.msg.conflationTime = cut(p.time + static_cast<std::uint64_t>(std::max<std::int64_t>(waited, 0)));
        // The update of the source may have members of its own; with one update in it they would be wrong.
    } else if (p.count > 1) {
        p.msg.flags &= static_cast<std::uint16_t>(~UpdateFlag::confInfo);
    }
    return p.msg;
}

void PendingUpdates::drop(std::int32_t stream) noexcept {
    if (const auto at = byStream_.find(stream); at != byStream_.end()) remove(at->second);
}

void PendingUpdates::remove(Order::iterator at) noexcept {
    bytes_ -= at->bytes();
    byStream_.erase(at->stream);
    // Small nodes are kept for the next update; large ones go back.
    if (spare_.size() < mostSpare_ && at->members.capacity() + at->payload.capacity() <= kMostSpareBytes)
        spare_.splice(spare_.end(), order_, at);
    else order_.erase(at);
}

}  // namespace emissary::hub::conflate
