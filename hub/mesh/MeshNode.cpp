// MeshNode: heartbeats written and read; every frame is checked here, and given to the side that it is for.
#include "hub/mesh/MeshNode.h"

#include <algorithm>

namespace emissary::hub::mesh {
namespace {

MeshOptions bounded(MeshOptions o) {
    o.maxNodes = std::min<std::size_t>(o.maxNodes, 64);
    o.wideLanes = std::clamp<std::uint16_t>(o.wideLanes, 1, 4096);
    o.wideAt = std::max<std::uint32_t>(o.wideAt, 2);
    o.movesATurn = std::max<std::size_t>(o.movesATurn, 1);
    o.walkATurn = std::max<std::size_t>(o.walkATurn, 1);
    o.requestRate = std::max<std::uint32_t>(o.requestRate, 1);
    o.resyncRate = std::max(o.resyncRate, o.requestRate);
    // Acks are kept for longer than the other side keeps the posts.
    o.forget = std::max(o.forget, o.postsLast() + o.heartbeat);
    return o;
}

}  // namespace

MeshNode::MeshNode(Bus& bus, OwnItems& items, EdgeListener& listener, MeshOptions options, PostTaker* posts)
    : options_(bounded(std::move(options))), sender_(bus, options_, counts_), owner_(sender_, items, options_, counts_),
      edge_(sender_, listener, options_, counts_), posts_(sender_, options_, counts_, posts),
      directory_(sender_, options_, counts_), peers_(options_.maxNodes), heartbeatTo_(subject(options_, "hb")),
      startedAt_(bus.now()) {
    const std::string me = nodeName(options_.node);
    for (const std::string& name : {std::string("hb"), std::string("dir.*"), "q." + me, "r." + me, "u.*." + me})
        bus.subscribe(subject(options_, name));
}

std::size_t MeshNode::peers() const noexcept {
    return static_cast<std::size_t>(std::count_if(peers_.begin(), peers_.end(), [](const Peer& p) { return p.used; }));
}

std::vector<PeerRow> MeshNode::rows() const {
    std::vector<PeerRow> rows;
    for (const Peer& p : peers_) {
        if (!p.used) continue;
        PeerRow& row = rows.emplace_back();
        row.node = p.node;
        row.epoch = p.epoch;
        row.silent = sender_.bus().now() - p.heardAt;
        row.wants = owner_.wants(slotOf(p));
        row.postsIn = posts_.waiting(slotOf(p));
        edge_.describe(slotOf(p), row);
    }
    return rows;
}

bool MeshNode::received(Bytes frame) {
    if (stopped_) return true;
    counts_.framesIn.add();
    counts_.bytesIn.add(frame.size());
    const auto read = readHeader(frame);
    if (!read.ok()) {
        (read.error().code == eta::Errc::unsupportedType ? counts_.compressedFrames : counts_.refusedFrames).add();
        return true;
    }
    const Header& header = *read;
    const Bytes records = frame.subspan(kHeaderBytes);
    if (header.whole() && !checkRecords(records, header.records).ok()) {
        counts_.refusedFrames.add();
        return true;
    }
    if (header.node == options_.node) {
        ownName(header);
        return true;
    }
    Peer* const peer = peerOf(header);
    if (peer == nullptr) return false;  // the heartbeat that introduces it may be on the way
    if (header.type != FrameType::heartbeat) edge_.heard(slotOf(*peer));
    switch (header.type) {
    case FrameType::data:
        edge_.data(slotOf(*peer), header, records);
        break;
    case FrameType::reply:
        edge_.replied(slotOf(*peer), header, records);
        break;
    case FrameType::directory:
        edge_.directory(slotOf(*peer), header, records);
        break;
    case FrameType::heartbeat:
        heartbeat(*peer, header, records);
        break;
    case FrameType::request:
        return request(*peer, header, records);
    }
    return true;
}

MeshNode::Peer* MeshNode::peerOf(const Header& header) {
    Peer* free = nullptr;
    for (Peer& p : peers_) {
        if (p.used && p.node == header.node) {
            if (header.epoch < p.epoch) {
                counts_.staleFrames.add();
                return nullptr;
            }
            if (header.epoch > p.epoch) {
                counts_.epochs.add();
                beginLife(p, header.epoch);
            }
            return &p;
        }
        if (!p.used && free == nullptr) free = &p;
    }
    // Only a heartbeat introduces a node.
    if (header.type != FrameType::heartbeat) {
        counts_.staleFrames.add();
        return nullptr;
    }
    if (free == nullptr) {
        counts_.refusedNodes.add();
        return nullptr;
    }
    free->used = true;
    free->node = header.node;
    beginLife(*free, header.epoch);
    return free;
}

void MeshNode::beginLife(Peer& peer, std::uint64_t epoch) {
    const std::size_t slot = slotOf(peer);
    owner_.leave(slot);
    edge_.join(slot, peer.node, epoch);
    owner_.join(slot, peer.node, epoch);
    posts_.join(slot, peer.node, epoch);
    peer.epoch = epoch;
    peer.heartbeats = peer.requests = 0;
    peer.served = true;
    peer.heardAt = sender_.bus().now();
}

void MeshNode::ownName(const Header& header) {
    if (header.type != FrameType::heartbeat || header.epoch == options_.epoch) return;
    if (header.epoch > options_.epoch) {
        namesakeAt_ = sender_.bus().now();
        return;
    }
    // Frames of an earlier life may be late. A hub that lives goes on sending heartbeats.
    if (sender_.bus().now() - startedAt_ < options_.proofLasts()) return;
    if (header.epoch != otherEpoch_) {
        otherEpoch_ = header.epoch;
        otherBeats_ = header.sequence;
        otherRose_ = 0;
    } else if (header.sequence > otherBeats_) {
        otherBeats_ = header.sequence;
        if (++otherRose_ >= 3) stopped_ = true;
    }
}

/// Epochs are times of day. Where the clock went back and the file of the epoch is lost, or a namesake that has fallen
/// silent was younger, others know a later life of this name than this one, and drop all that this one says. It begins
/// a life behind that one then. Not while a namesake can be heard, and once in 4 heartbeats: others say what they like.
/// Of two namesakes that cannot hear each other each would overtake the other for ever: who has done it three times is
/// the one that falls silent.
void MeshNode::knownFrom(std::uint64_t epoch) {
    const eta::TimePoint now = sender_.bus().now(), before = now - options_.proofLasts();
    if (epoch <= options_.epoch || epoch >= kMostEpochHeard || startedAt_ > before || namesakeAt_ > before) return;
    const bool soon = now - startedAt_ < 5 * options_.proofLasts();
    // One that begins among others counts from 2, so of two the one that was there longer goes on.
    overtaken_ = !soon ? 1 : overtaken_ == 0 ? 2 : overtaken_ + 1;
    if (overtaken_ > kMostOvertaken) {
        stopped_ = true;
        return;
    }
    options_.epoch = epoch + 1;
    startedAt_ = now;
    otherRose_ = 0;
    counts_.livesAnew.add();
    for (Peer& p : peers_)
        if (p.used) beginLife(p, p.epoch);
}

void MeshNode::heartbeat(Peer& peer, const Header& header, Bytes records) {
    if (!header.whole()) return counts_.ignoredRecords.add();
    if (header.sequence <= peer.heartbeats) return counts_.staleFrames.add();
    peer.heartbeats = header.sequence;
    peer.heardAt = sender_.bus().now();
    if (!peer.served) {  // it had been silent
        owner_.join(slotOf(peer), peer.node, peer.epoch);
        posts_.join(slotOf(peer), peer.node, peer.epoch);
        peer.served = true;
    }
    HeartbeatClaims claims;
    bool heard = false;
    std::uint64_t knows = 0;
    wideLast_.assign(options_.wideLanes, 0);
    RecordReader reader(records);
    for (Record r; reader.next(r);) {
        eta::BeReader in(r.body);
        if (r.kind == Kind::summary) {
            claims.directoryVersion = r.version;
            claims.load = in.u32();
            if (in.remaining() >= 4) claims.features = in.u32();  // versions before it say nothing
        } else if (r.kind == Kind::laneState) {
            if (r.number < wideLast_.size()) wideLast_[r.number] = std::min(in.read<std::uint64_t>(), kMostSequence);
        } else if (r.kind == Kind::peerState && r.number == options_.node) {
            // What this node said in an earlier life, or long ago, proves nothing.
            const auto epoch = in.read<std::uint64_t>(), token = in.read<std::uint64_t>();
            if (in.ok()) knows = epoch;
            claims.registration = in.u32();
            claims.unicastLast = std::min(in.read<std::uint64_t>(), kMostSequence);
            heard = in.ok() && epoch == options_.epoch && token != 0 && token <= beats_ && token + kTokens > beats_;
            if (heard) claims.at = sentAt_[token % kTokens];
        } else if (r.kind == Kind::dictionaryPart) {
            claims.dictionary = in.read<std::uint64_t>();
            claims.dictionaryParts = r.number;
            claims.dictionaryVersion = eta::asText(in.take(std::min(in.remaining(), kMostDictionaryVersion)));
        }
    }
    claims.wideLast = wideLast_;
    if (heard) edge_.heartbeat(slotOf(peer), claims);
    else knownFrom(knows);
}

bool MeshNode::request(Peer& peer, const Header& header, Bytes records) {
    RecordReader reader(records);
    Record first;
    // Out of order is as good as lost: a request that was overtaken must not undo the one behind it.
    if (!header.whole() || !peer.served || header.sequence <= peer.requests || !reader.next(first) ||
        first.kind != Kind::addressee || first.body.size() != 8 ||
        eta::loadBe<std::uint64_t>(first.body.data()) != options_.epoch) {
        counts_.staleFrames.add();
        return peer.served;
    }
    peer.requests = header.sequence;
    for (Record r; reader.next(r);)
        if (r.kind == Kind::askDirectory) directory_.asked();
    // Posts first: a client that posts and closes has its post in front of the drop, whatever the order of the frame.
    posts_.received(slotOf(peer), records);
    owner_.requested(slotOf(peer), records);
    return true;
}

void MeshNode::tick() {
    if (stopped_) return;
    const eta::TimePoint now = sender_.bus().now();
    forgetSilent();
    owner_.tick();
    owner_.flushIfOlder(now - options_.batchTime);
    directory_.tick(now);
    if (beats_ == 0 || now - sentAt_[beats_ % kTokens] >= options_.heartbeat) sendHeartbeat();
    edge_.tick();
    posts_.tick(now);
}

void MeshNode::sendHeartbeat() {
    owner_.flush();  // what the heartbeat says was sent has been sent
    std::array<std::byte, 28> body;
    const auto record = [&](Kind kind, std::uint32_t number, std::uint32_t version, auto... values) {
        eta::BeWriter out(body);
        (out.write(values), ...);
        static_cast<void>(beat_.add(kind, number, version, out.view()));
    };
    record(Kind::summary, 0, directory_.version(), owner_.load(), kTakesParts);
    if (const DictionaryParts& d = owner_.dictionary(); d.id != 0) {
        std::array<std::byte, 8> id;
        eta::storeBe(id.data(), d.id);
        static_cast<void>(beat_.add(Kind::dictionaryPart, static_cast<std::uint32_t>(d.parts.size()), 0, id,
                                    eta::asBytes(d.version)));
    }
    for (std::uint16_t k = 0; k < options_.wideLanes; ++k)
        if (owner_.lastOfWide(k) != 0) record(Kind::laneState, k, 0, owner_.lastOfWide(k));
    for (const Peer& p : peers_)
        if (p.used && p.served)
            record(Kind::peerState, p.node, 0, posts_.lastLife(slotOf(p)), p.heartbeats, owner_.registration(slotOf(p)),
                   owner_.lastTo(slotOf(p)));
    sentAt_[(beats_ + 1) % kTokens] = sender_.bus().now();
    sender_.flush(beat_, FrameType::heartbeat, kUnicast, beats_, heartbeatTo_);
}

void MeshNode::forgetSilent() {
    const eta::TimePoint now = sender_.bus().now();
    for (Peer& p : peers_) {
        if (!p.used || now - p.heardAt < options_.forget) continue;
        if (p.served) {
            owner_.leave(slotOf(p));
            posts_.leave(slotOf(p));
            p.served = false;
            counts_.forgotten.add();
        }
        if (edge_.holds(slotOf(p))) continue;
        edge_.leave(slotOf(p));
        p = {};
    }
}

}  // namespace emissary::hub::mesh
