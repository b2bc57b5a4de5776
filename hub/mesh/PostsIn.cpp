// PostsIn: numbers checked, posts handed on, acks kept and said again.
#include "hub/mesh/PostsIn.h"

#include <algorithm>
#include <array>
#include <utility>

namespace emissary::hub::mesh {
namespace {

constexpr std::size_t kReplyBytes = 32 * 1024;
constexpr std::size_t kMostAgain = 200;  // acks said again in one tick, of one node

constexpr std::string_view kTooLong = "the post is longer than the hub that has the source takes from other hubs";
constexpr std::string_view kNoRoom = "too many posts of other hubs wait for their further parts at the hub that has "
                                     "the source";
constexpr std::string_view kLate = "the parts of the post did not come in time at the hub that has the source";

}  // namespace

PostsIn::PostsIn(Sender& sender, const MeshOptions& options, MeshCounts& counts, PostTaker* taker)
    : sender_(sender), options_(options), counts_(counts), taker_(taker), streams_(64) {}

void PostsIn::join(std::size_t slot, std::uint32_t node, std::uint64_t epoch) {
    leave(slot);
    auto s = std::make_unique<Stream>();
    s->serial = ++serials_;
    s->node = node;
    s->epoch = s->lastLife = epoch;
    s->to = subject(options_, "r." + nodeName(node));
    // A life that the node could not be told to go behind is made up.
    if (const auto known = past_.find(node);
        known != past_.end() && known->second.epoch > epoch && known->second.epoch >= kMostEpochHeard)
        past_.erase(known);
    // A frame of the time before it fell silent may still come, or come once more.
    if (const auto known = past_.find(node); known != past_.end() && known->second.epoch == epoch) {
        s->session = known->second.session;
        s->next = known->second.next;
        // What had come of it was given back.
        s->inParts = known->second.inParts;
        s->spoilt = s->inParts ? Spoilt::late : Spoilt::no;
    } else if (known != past_.end() && known->second.epoch > epoch) {
        s->session = 0xFFFFFFFF;  // an earlier life than the last one here: whatever comes of it is stale
        s->lastLife = known->second.epoch;
    }
    bySerial_[s->serial] = slot;
    streams_[slot] = std::move(s);
}

void PostsIn::leave(std::size_t slot) {
    const Stream* const s = streams_[slot].get();
    if (s == nullptr) return;
    if (const auto known = past_.find(s->node);
        s->session != 0 && s->lastLife == s->epoch && (known == past_.end() || known->second.epoch <= s->epoch)) {
        if (past_.size() >= kMostPast && known == past_.end())
            past_.erase(std::ranges::min_element(past_, {}, [](const auto& p) { return p.second.at; }));
        past_[s->node] = {s->epoch, s->next, ++left_, s->session, s->inParts};
    }
    partBytes_ -= s->parts.size();
    total_ -= s->pending;
    bySerial_.erase(s->serial);
    streams_[slot].reset();
}

void PostsIn::begin(Stream& s, std::uint32_t session) {
    // The other node has ended the posts of the session before.
    // Answers to those posts may still come, and must find none of the new session's numbers.
    const std::size_t slot = bySerial_.at(s.serial);
    bySerial_.emplace(serials_ + 1, slot);
    bySerial_.erase(s.serial);
    s.serial = ++serials_;
    total_ -= s.pending;
    s.pending = 0;
    s.held.clear();
    s.again.clear();
    endParts(s);
    s.session = session;
    s.next = 1;
}

void PostsIn::received(std::size_t slot, Bytes records) {
    Stream* const s = streams_[slot].get();
    if (s == nullptr) return;
    RecordReader reader(records);
    for (Record r; reader.next(r);) {
        if (r.kind == Kind::post) post(*s, r);
        else if (r.kind == Kind::ackHeard) heard(*s, r);
    }
}

void PostsIn::freeParts(Stream& s) noexcept {
    partBytes_ -= s.parts.size();
    std::vector<std::byte>().swap(s.parts);
}

void PostsIn::endParts(Stream& s) noexcept {
    freeParts(s);
    s.inParts = false;
    s.spoilt = Spoilt::no;
}

/// A post that has become too long goes on to its last part, so that the numbers behind it are what they are.
void PostsIn::addPart(Stream& s, Bytes part) {
    s.inParts = true;
    s.partAt = sender_.bus().now();
    if (s.spoilt != Spoilt::no) return;
    if (part.size() > options_.maxPost - std::min(options_.maxPost, s.parts.size())) s.spoilt = Spoilt::tooLong;
    else if (part.size() > options_.maxPartBytes - std::min(options_.maxPartBytes, partBytes_)) s.spoilt = Spoilt::full;
    if (s.spoilt != Spoilt::no) return freeParts(s);
    s.parts.insert(s.parts.end(), part.begin(), part.end());
    partBytes_ += part.size();
}

void PostsIn::post(Stream& s, const Record& r) {
    eta::BeReader in(r.body);
    const auto id = in.read<std::uint64_t>();
    const std::uint8_t marks = in.u8();
    if (!in.ok() || r.version == 0 || id == 0 || id > kMostSequence || (marks & ~(kAsksForAck | kVoid | kMore)) != 0 ||
        ((marks & kMore) != 0 && marks != kMore) || in.remaining() > kMostPost)
        return counts_.ignoredRecords.add();
    if (r.version < s.session) return counts_.staleFrames.add();
    if (r.version > s.session) begin(s, r.version);
    s.tells = true;
    if (id < s.next) return counts_.postsRepeated.add();
    const bool asks = (marks & kAsksForAck) != 0;
    // While a node does not confirm acks, its further posts are not taken: they stay in its own window.
    if (id > s.next || (asks && s.held.size() >= 2 * options_.maxPosts)) {
        s.gap = s.gap || id > s.next;
        return;
    }
    if ((marks & kVoid) != 0) {
        ++s.next;
        return endParts(s);  // of a post of which parts have come the rest is void
    }
    if ((marks & kMore) != 0 || s.inParts) addPart(s, in.rest());
    ++s.next;
    if ((marks & kMore) != 0) return;
    const Spoilt spoilt = s.spoilt;
    const std::vector<std::byte> whole = std::move(s.parts);
    const Bytes body = s.inParts ? Bytes(whole) : in.rest();
    partBytes_ -= whole.size();
    s.parts.clear();
    endParts(s);
    counts_.postsIn.add();
    const PostRef ref{s.serial, id};
    if (asks) {
        s.held.emplace(id, Held{});
        ++s.pending;
        ++total_;
        if (s.pending > options_.maxPosts || total_ > options_.maxPostsHeld) {
            counts_.refusedPosts.add();
            return answer(ref, kNoResources,
                          eta::asBytes("too many posts of other hubs wait at the hub that has the source"));
        }
    }
    if (spoilt != Spoilt::no) {
        counts_.refusedPosts.add();
        if (!asks) return lost();
        if (spoilt == Spoilt::tooLong) return answer(ref, kInvalid, eta::asBytes(kTooLong));
        if (spoilt == Spoilt::full) return answer(ref, kNoResources, eta::asBytes(kNoRoom));
        return answer(ref, kNoResponse, eta::asBytes(kLate));
    }
    if (taker_ != nullptr) return taker_->posted({ref, s.node, r.number, asks, body});
    if (asks) answer(ref, kDenied, eta::asBytes("this hub takes no posts of others"));
}

void PostsIn::heard(Stream& s, const Record& r) {
    if (r.body.size() % 8 != 0) return counts_.ignoredRecords.add();
    if (r.version != s.session) return counts_.staleFrames.add();
    for (eta::BeReader in(r.body); in.remaining() != 0;) {
        const auto at = s.held.find(in.read<std::uint64_t>());
        if (at == s.held.end()) continue;
        if (!at->second.answered) {  // the other hub has given it up
            --s.pending;
            --total_;
        }
        s.held.erase(at);
    }
}

void PostsIn::answer(const PostRef& ref, std::uint8_t code, Bytes text) {
    const auto slot = bySerial_.find(ref.session);
    if (slot == bySerial_.end()) return;
    Stream& s = *streams_[slot->second];
    const auto at = s.held.find(ref.id);
    if (at == s.held.end() || at->second.answered) return;
    at->second.answered = true;
    at->second.code = code;
    at->second.text.assign(eta::asText(text.first(std::min(text.size(), kMostAckText))));
    --s.pending;
    --total_;
    sendAck(s, ref.id, at->second, sender_.bus().now());
}

void PostsIn::sendAck(Stream& s, std::uint64_t id, const Held& held, eta::TimePoint now) {
    std::array<std::byte, 9> head;
    eta::BeWriter out(head);
    out.write(id);
    out.u8(held.code);
    add(s, Kind::ack, 0, s.session, head, eta::asBytes(held.text));
    s.again.emplace_back(now + options_.retry, id);
}

void PostsIn::add(Stream& s, Kind kind, std::uint32_t number, std::uint32_t version, Bytes head, Bytes body) {
    if (!s.out.empty() && s.out.bytes() + head.size() + body.size() + kRecordBytes > kReplyBytes) flush(s);
    if (s.out.empty()) {
        std::array<std::byte, 8> epoch;
        eta::storeBe(epoch.data(), s.epoch);
        static_cast<void>(s.out.add(Kind::addressee, 0, 0, epoch));
    }
    static_cast<void>(s.out.add(kind, number, version, head, body));
}

void PostsIn::flush(Stream& s) {
    if (!s.out.empty()) sender_.flush(s.out, FrameType::reply, kUnicast, s.replies, s.to);
}

void PostsIn::tick(eta::TimePoint now) {
    for (const auto& one : streams_) {
        if (!one) continue;
        Stream& s = *one;
        if (!s.parts.empty() && now - s.partAt >= options_.partsLast) {
            s.spoilt = Spoilt::late;
            freeParts(s);
        }
        if (std::exchange(s.tells, false)) {
            std::array<std::byte, 8> upTo;
            eta::storeBe(upTo.data(), s.next - 1);
            add(s, Kind::postsTaken, std::exchange(s.gap, false) ? 1 : 0, s.session, upTo);
        }
        for (std::size_t n = 0; n < kMostAgain && !s.again.empty() && s.again.front().first <= now; ++n) {
            const std::uint64_t id = s.again.front().second;
            s.again.pop_front();
            const auto at = s.held.find(id);
            if (at == s.held.end()) continue;
            counts_.acksSentAgain.add();
            sendAck(s, id, at->second, now);
        }
        flush(s);
    }
}

}  // namespace emissary::hub::mesh
