// Edge: posts on their way to owners, and what owners say of them.
#include "hub/mesh/Edge.h"

#include <utility>

namespace emissary::hub::mesh {

Edge::Posting Edge::post(std::uint32_t index, bool asks, std::uint64_t cookie, Bytes head, Bytes body) {
    const EdgeItem& item = items_[index];
    if (item.phase != Phase::live || over(item.owner)) return Posting::noOwner;
    return post(remotes_[slotOf(item.owner)], item.number, asks, cookie, head, body);
}

Edge::Posting Edge::post(const std::string& service, const std::string& name, bool asks, std::uint64_t cookie,
                         Bytes head, Bytes body) {
    std::uint32_t owner = kNoOwner;
    if (const auto known = byKey_.find(keyOf(service, name)); known != byKey_.end())
        owner = items_[known->second].owner;
    if (owner == kNoOwner || over(owner) || !reachable(remotes_[slotOf(owner)])) owner = bestOwner(service);
    if (owner == kNoOwner) return Posting::noOwner;
    return post(remotes_[slotOf(owner)], 0, asks, cookie, head, body);
}

Edge::Posting Edge::post(Remote& r, std::uint32_t number, bool asks, std::uint64_t cookie, Bytes head, Bytes body) {
    if (!reachable(r)) return Posting::noOwner;
    const std::size_t bytes = head.size() + body.size();
    if (bytes > (r.takesParts ? options_.maxPost : kMostPost)) return Posting::tooLong;
    if (!r.posts) r.posts = std::make_unique<PostsOut>(options_, counts_, postTotals_);
    if (!r.posts->fits(bytes)) {
        counts_.refusedPosts.add();
        return Posting::full;
    }
    r.posts->add(postSessions_, number, asks, cookie, head, body, sender_.bus().now());
    return Posting::taken;
}

void Edge::sendPosts(Remote& r, eta::TimePoint now) {
    if (!r.posts) return;
    for (std::uint64_t cookie = 0; r.posts->expired(now, cookie);)
        listener_.postEnded(cookie, {.why = PostEnd::Why::late});
    pushPosts(r, now);
}

void Edge::pushPosts(Remote& r, eta::TimePoint now) {
    if (!r.posts) return;
    r.posts->send(now, [&](Kind kind, std::uint32_t number, std::uint32_t session, Bytes head, Bytes body) {
        r.requests.add(kind, number, session, head, body);
    });
}

void Edge::postsSaid(Remote& r, const Record& record) {
    eta::BeReader in(record.body);
    const auto id = in.read<std::uint64_t>();
    if (record.kind == Kind::postsTaken) {
        if (!in.ok() || in.remaining() != 0) return counts_.ignoredRecords.add();
        if (!r.posts) return;
        r.posts->taken(record.version, id, record.number != 0, sender_.bus().now());
        return r.sendDrops(false);
    }
    const std::uint8_t code = in.u8();
    if (!in.ok() || in.remaining() > kMostAckText) return counts_.ignoredRecords.add();
    if (std::uint64_t cookie = 0; r.posts && r.posts->acked(record.version, id, cookie))
        listener_.postEnded(cookie, {PostEnd::Why::answered, code, in.rest()});
}

void Edge::endPosts(Remote& r) {
    if (!r.posts || r.posts->idle()) return;
    for (const std::uint64_t cookie : r.posts->end())
        listener_.postEnded(cookie, {.why = PostEnd::Why::gone});
    r.sendDrops(true);
}

}  // namespace emissary::hub::mesh
