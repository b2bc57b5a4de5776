// PostsOut: the window of posts that an owner has not taken, and the acks that it owes.
#include "hub/mesh/PostsOut.h"

#include <algorithm>
#include <utility>

namespace emissary::hub::mesh {

void PostsOut::add(std::uint32_t& sessions, std::uint32_t number, bool asks, std::uint64_t cookie, eta::Bytes head,
                   eta::Bytes body, eta::TimePoint now) {
    const std::size_t before = untaken_.size(), bytes = head.size() + body.size();
    const std::size_t parts = std::max<std::size_t>(1, (bytes + kMostPost - 1) / kMostPost);
    try {
        for (std::size_t part = 1; part <= parts; ++part) {
            Post& p = untaken_.emplace_back();
            p.number = number;
            p.more = part != parts;
            p.asks = asks && !p.more;
            p.since = now;
            p.body.reserve(std::min(kMostPost, head.size() + body.size()));
            for (eta::Bytes* const from : {&head, &body}) {
                const eta::Bytes some = from->first(std::min(from->size(), kMostPost - p.body.size()));
                p.body.insert(p.body.end(), some.begin(), some.end());
                *from = from->subspan(some.size());
            }
        }
        if (asks) waiting_.emplace(last_ + parts, Waiting{cookie, now});
    } catch (...) {
        while (untaken_.size() > before)
            untaken_.pop_back();
        throw;
    }
    if (session_ == 0) session_ = ++sessions;
    last_ += parts;
    totals_.posts += parts;
    totals_.bytes += bytes;
    counts_.postsOut.add();
}

void PostsOut::goBack(eta::TimePoint now) noexcept {
    sent_ = taken_;
    flight_ = 0;
    wentBackAt_ = progressAt_ = now;
}

void PostsOut::taken(std::uint32_t session, std::uint64_t upTo, bool gap, eta::TimePoint now) {
    // What is said of an earlier session, of posts that were never sent, or was overtaken, says nothing.
    if (session != session_ || session_ == 0 || upTo > highest_ || upTo < taken_) return;
    const bool further = upTo > taken_;
    for (; taken_ < upTo; untaken_.pop_front()) {
        const Post& p = untaken_.front();
        ++taken_;
        if (taken_ <= sent_) flight_ -= p.body.size();
        totals_.bytes -= p.body.size();
        if (!p.asks && !p.isVoid) --totals_.posts;
    }
    sent_ = std::max(sent_, taken_);
    if (further) progressAt_ = now;
    // Once for each loss: what is on the way already is reported as a gap as well.
    if (gap && sent_ > taken_ && now - wentBackAt_ >= options_.repairDelay) goBack(now);
}

bool PostsOut::acked(std::uint32_t session, std::uint64_t id, std::uint64_t& cookie) {
    if (session != session_ || session_ == 0 || id == 0 || id > highest_) return false;
    heard_.push_back(id);  // once more, if the owner did not hear it the first time
    const auto at = waiting_.find(id);
    if (at == waiting_.end()) return false;
    cookie = at->second.cookie;
    waiting_.erase(at);
    --totals_.posts;
    counts_.postsAnswered.add();
    return true;
}

void PostsOut::makeVoid(std::uint64_t id) noexcept {
    Post& p = untaken_[static_cast<std::size_t>(id - taken_ - 1)];
    p.isVoid = true;
    totals_.bytes -= p.body.size();
    if (id <= sent_) flight_ -= p.body.size();
    std::vector<std::byte>().swap(p.body);
}

bool PostsOut::expired(eta::TimePoint now, std::uint64_t& cookie) {
    // The owner must not hand on later what the poster was told is over.
    for (voided_ = std::max(voided_, taken_); voided_ < last_; ++voided_) {
        const Post& p = untaken_[static_cast<std::size_t>(voided_ - taken_)];
        if (!isDue(p.since, now)) break;
        makeVoid(voided_ + 1);
        if (p.asks) continue;
        --totals_.posts;
        if (!p.more) counts_.postsLost.add();
    }
    if (waiting_.empty() || !isDue(waiting_.begin()->second.since, now)) return false;
    cookie = waiting_.begin()->second.cookie;
    // The owner need not keep a place for an answer that nobody waits for.
    if (waiting_.begin()->first <= taken_) heard_.push_back(waiting_.begin()->first);
    waiting_.erase(waiting_.begin());
    --totals_.posts;
    counts_.postsGone.add();
    return true;
}

std::vector<std::uint64_t> PostsOut::end() {
    std::vector<std::uint64_t> cookies;
    cookies.reserve(waiting_.size());
    for (const auto& [id, w] : waiting_)
        cookies.push_back(w.cookie);
    for (const Post& p : untaken_) {
        totals_.bytes -= p.body.size();
        if (p.asks || p.isVoid) continue;
        --totals_.posts;
        if (!p.more) counts_.postsLost.add();
    }
    totals_.posts -= waiting_.size();
    counts_.postsGone.add(waiting_.size());
    waiting_.clear();
    untaken_.clear();
    heard_.clear();
    session_ = 0;
    last_ = sent_ = taken_ = highest_ = voided_ = 0;
    flight_ = 0;
    return cookies;
}

}  // namespace emissary::hub::mesh
