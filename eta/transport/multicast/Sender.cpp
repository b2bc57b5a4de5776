// Fills datagrams, keeps a ring of sent ones, and answers requests for repair within their budget.
#include "transport/multicast/Sender.h"

#include <algorithm>
#include <bit>
#include <new>

namespace emissary::eta::transport::mcast {
namespace {

constexpr std::size_t kFirstRing = 1024;
constexpr std::size_t kMaxFreeBlocks = 16;

}  // namespace

Sender::Sender(const SenderOptions& options, TimePoint now)
    // lastHeartbeat_ in the past: the first request that asks for lost packets is answered at once.
    : options_(options), heartbeatAt_(now), lastHeartbeat_(now - kLastHeartbeat), secondStart_(now) {
    ring_.resize(kFirstRing);
    repairs_.reserve(kMaxRepairsWaiting);
}

Sender::~Sender() {
    while (oldest_ != next_)
        dropOldest();
    ::operator delete(block_);
    while (free_ != nullptr)
        ::operator delete(std::exchange(free_, free_->next));
}

// --- in --------------------------------------------------------------------------------------------------------------

bool Sender::growRing() noexcept {
    std::vector<Packet> grown;
    try {
        grown.resize(ring_.size() * 2);
    } catch (const std::bad_alloc&) { return false; }
    // A packet's place is its number modulo the size, so growing moves all of them.
    for (std::uint32_t s = oldest_; s != next_; ++s)
        grown[s & (grown.size() - 1)] = at(s);
    ring_.swap(grown);
    return true;
}

bool Sender::newBlock() noexcept {
    Block* b = free_;
    if (b != nullptr) {
        free_ = b->next;
        --freeBlocks_;
    } else {
        void* const raw = ::operator new(sizeof(Block) + kBlockBytes, std::nothrow);
        if (raw == nullptr) return false;
        b = static_cast<Block*>(raw);
    }
    // A block without packets would be left behind.
    if (block_ != nullptr && block_->packets == 0) ::operator delete(block_);
    block_ = new (b) Block;
    return true;
}

bool Sender::open() noexcept {
    // The oldest packets are dropped before the ring grows: its size follows what receivers may still ask for.
    if (held() >= options_.poolHigh) evict();
    if (held() == ring_.size() && !growRing()) return false;
    if (block_ != nullptr && block_->packets == 0) block_->used = 0;
    if ((block_ == nullptr || kBlockBytes - block_->used < options_.maxDatagram) && !newBlock()) return false;
    building_ = dataOf(block_) + block_->used;
    length_ = kHeaderBytes;
    firstStart_ = kNoStart;
    return true;
}

bool Sender::append(Bytes frame, bool startsMessage) noexcept {
    // A frame that does not fit closes the datagram; frames are never divided.
    if (building_ != nullptr && options_.maxDatagram - length_ < frame.size()) seal();
    if (building_ == nullptr && !open()) return false;
    if (startsMessage && firstStart_ == kNoStart) firstStart_ = static_cast<std::uint16_t>(length_ - kHeaderBytes);
    std::memcpy(building_ + length_, frame.data(), frame.size());
    length_ += frame.size();
    return true;
}

void Sender::seal() noexcept {
    if (building_ == nullptr) return;
    Header h;
    h.type = Type::data;
    h.protocolType = options_.protocolType;
    h.session = options_.session;
    // The number is given when the datagram is complete, so numbers on the wire have no holes.
    h.sequence = next_;
    h.oldest = oldest_;
    h.returnPort = options_.returnPort;
    h.firstStart = firstStart_;
    writeHeader(building_, h, length_);
    Packet& p = at(next_);
    p = {};
    p.data = building_;
    p.block = block_;
    p.length = static_cast<std::uint16_t>(length_);
    ++block_->packets;
    block_->used += length_;
    ++next_;
    building_ = nullptr;
}

// --- out -------------------------------------------------------------------------------------------------------------

std::size_t Sender::unsent(std::span<iovec> out) const noexcept {
    std::size_t n = 0;
    for (std::uint32_t s = firstUnsent_; s != next_ && n < out.size(); ++s)
        out[n++] = {at(s).data, at(s).length};
    return n;
}

std::size_t Sender::unsentBytes() const noexcept {
    std::size_t bytes = 0;
    for (std::uint32_t s = firstUnsent_; s != next_; ++s)
        // Bytes that the channel still counts as its output.
        bytes += at(s).length;
    return bytes;
}

void Sender::sent(std::size_t packets, TimePoint now) noexcept {
    if (packets == 0) return;
    for (std::size_t i = 0; i < packets; ++i)
        at(firstUnsent_++).sentAt = now;
    sentThisSecond_ += static_cast<std::uint32_t>(packets);
    lastSent_ = now;
    // Traffic is a sign of life, so the heartbeat starts again at its shortest pause.
    heartbeatPause_ = kFirstHeartbeat;
    heartbeatAt_ = std::min(heartbeatAt_, now + kFirstHeartbeat);
    if (housekeepingAt_ == TimePoint::max()) housekeepingAt_ = now + kHousekeeping;
}

void Sender::dropOldest() noexcept {
    Block* const b = at(oldest_).block;
    ++oldest_;
    // The block that is being filled stays.
    if (--b->packets != 0 || b == block_) return;
    if (freeBlocks_ >= kMaxFreeBlocks) return ::operator delete(b);
    b->next = free_;
    free_ = b;
    ++freeBlocks_;
}

// The pool is full: those that were sent first go, though receivers may still ask for them.
void Sender::evict() noexcept {
    // Packets that have not gone out are never dropped.
    while (held() > options_.poolLow && oldest_ != firstUnsent_)
        dropOldest();
    // Told once a second: a receiver that is too slow is a state, not an event.
    if (!std::exchange(congestionTold_, true)) congested_ = true;
}

// --- repairs ---------------------------------------------------------------------------------------------------------

void Sender::turnSecond(TimePoint now) noexcept {
    if (now - secondStart_ < std::chrono::seconds(1)) return;
    secondStart_ = now;
    sentLastSecond_ = std::exchange(sentThisSecond_, 0);
    requestsThisSecond_ = repairsThisSecond_ = 0;
    congestionTold_ = false;
}

void Sender::requested(std::span<const Range> ranges, TimePoint now, Outlet& out) noexcept {
    turnSecond(now);
    // A group with many receivers must not make the sender spend its time on requests.
    if (++requestsThisSecond_ > kRequestsPerSecond) return requestsIgnored.add();
    std::array<Range, kMaxRanges> accepted;
    std::size_t count = 0;
    bool tooOld = false;
    for (const Range& r : ranges) {
        tooOld = tooOld || distance(r.first, oldest_) < 0;
        // What was asked for and is here: claims of the range do not matter beyond that.
        // The range is a claim of the peer: only packets that are here count.
        std::uint32_t s = distance(r.first, oldest_) < 0 ? oldest_ : r.first;
        const std::uint32_t last = r.first + r.more;
        for (; distance(s, last) <= 0 && distance(s, firstUnsent_) < 0; ++s) {
            Packet& p = at(s);
            packetsRequested.add();
            // Several receivers ask for the same packet; one repair serves them all.
            const bool fresh = p.repairs != 0 && now - p.repairedAt < options_.ignoreRequests;
            if (p.queued || fresh || p.repairs >= options_.repairsPerPacket) continue;
            // Bounded: what finds no place is asked for again.
            if (repairs_.size() == kMaxRepairsWaiting) break;
            repairs_.push_back(s);
            p.queued = true;
            if (count != 0 && accepted[count - 1].first + accepted[count - 1].more + 1 == s) ++accepted[count - 1].more;
            else if (count < accepted.size()) accepted[count++] = {s, 0};
        }
    }
    if (tooOld && now - lastHeartbeat_ >= kFirstHeartbeat / 2) heartbeat(0, now, out);  // says what is left
    // Many repairs take a while; peers that ask meanwhile get an answer that lets them wait.
    if (repairs_.size() - repairsDone_ > kRepairsAtOnce && count != 0) promise({accepted.data(), count}, out);
    if (now >= repairAt_ || repairAt_ == TimePoint::max()) repair(now, out);
}

void Sender::repair(TimePoint now, Outlet& out) noexcept {
    // As many repairs as packets were sent in the last second, and a least number: repairs must not displace data.
    const std::uint32_t allowed = std::max(kLeastRepairsPerSecond, sentLastSecond_);
    for (std::size_t n = 0; n < kRepairsAtOnce && repairsDone_ < repairs_.size() && repairsThisSecond_ < allowed;) {
        const std::uint32_t s = repairs_[repairsDone_++];
        if (distance(s, oldest_) < 0) continue;  // dropped meanwhile
        Packet& p = at(s);
        // The same bytes again, marked as a repair, with today's oldest packet.
        patchRepair(p.data, oldest_);
        p.queued = false;
        ++p.repairs;
        p.repairedAt = now;
        out.toGroup({p.data, p.length});
        repairsSent.add();
        ++repairsThisSecond_;
        ++n;
    }
    // More than a quarter of the traffic are repairs: the network loses what is sent.
    if (repairsThisSecond_ > 64 && repairsThisSecond_ > std::max(sentLastSecond_, sentThisSecond_) / 4 &&
        !std::exchange(congestionTold_, true))
        congested_ = true;
    if (repairsDone_ == repairs_.size()) {
        repairs_.clear();
        repairsDone_ = 0;
        repairAt_ = TimePoint::max();
        return;
    }
    repairAt_ = repairsThisSecond_ < allowed ? now + kRepairPause : secondStart_ + std::chrono::seconds(1);
}

void Sender::promise(std::span<const Range> ranges, Outlet& out) noexcept {
    std::array<std::byte, kHeaderBytes + kMaxRanges * kRangeBytes> datagram;
    Header h;
    h.type = Type::promise;
    h.protocolType = options_.protocolType;
    h.session = options_.session;
    h.sequence = next_;
    h.oldest = oldest_;
    h.returnPort = options_.returnPort;
    out.toGroup({datagram.data(), writeRanges(datagram.data(), h, ranges)});
}

// --- time ------------------------------------------------------------------------------------------------------------

void Sender::heartbeat(std::uint8_t flags, TimePoint now, Outlet& out) noexcept {
    std::array<std::byte, kHeaderBytes> datagram;
    Header h;
    h.type = Type::heartbeat;
    h.flags = flags;
    h.protocolType = options_.protocolType;
    h.session = options_.session;
    // The first number that is not out yet: receivers may miss what was sealed and not sent.
    h.sequence = firstUnsent_;
    h.oldest = oldest_;
    h.returnPort = options_.returnPort;
    writeHeader(datagram.data(), h, datagram.size());
    out.toGroup(datagram);
    lastHeartbeat_ = now;
}

void Sender::farewell(Outlet& out) noexcept {
    heartbeat(kFarewell, lastHeartbeat_, out);
}

void Sender::expire(TimePoint now, Outlet& out) noexcept {
    turnSecond(now);
    if (now >= housekeepingAt_) {
        while (oldest_ != firstUnsent_ && now - at(oldest_).sentAt >= options_.hold)
            dropOldest();
        housekeepingAt_ = oldest_ == next_ ? TimePoint::max() : now + kHousekeeping;
        // Memory of a burst goes back when nothing is kept any more.
        if (oldest_ == next_ && ring_.size() > 16 * kFirstRing) {  // a burst is over
            std::vector<Packet>(kFirstRing).swap(ring_);
            while (free_ != nullptr)
                ::operator delete(std::exchange(free_, free_->next));
            freeBlocks_ = 0;
        }
    }
    if (now >= repairAt_) repair(now, out);
    if (now < heartbeatAt_) return;
    // Data in that time made the heartbeat superfluous.
    if (lastSent_ + heartbeatPause_ > now) {  // data says the same
        heartbeatAt_ = lastSent_ + heartbeatPause_;
        return;
    }
    heartbeat(0, now, out);
    heartbeatAt_ = now + heartbeatPause_;
    // Doubles up to kLastHeartbeat: a silent group costs little, and a lost last packet is found soon.
    heartbeatPause_ = std::min<Duration>(heartbeatPause_ * 2, kLastHeartbeat);
}

TimePoint Sender::deadline() const noexcept {
    return std::min({heartbeatAt_, housekeepingAt_, repairAt_});
}

}  // namespace emissary::eta::transport::mcast
