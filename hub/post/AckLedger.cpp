// Lists posts by source and client, and answers those whose time is over.
#include "hub/post/AckLedger.h"

namespace emissary::hub::post {

AckLedger::AckLedger(reactor::Reactor& reactor, std::chrono::milliseconds timeout, std::uint32_t limit, Counts& counts,
                     Expired expired)
    : reactor_(reactor), timeout_(timeout), limit_(limit), counts_(counts), expired_(std::move(expired)) {}

AckLedger::~AckLedger() {
    reactor_.cancelTimer(timer_);
}

void AckLedger::append(List& list, PendingPost& post, LinksOf links) noexcept {
    (post.*links) = {list.tail, Item::kNone};
    if (list.tail == Item::kNone) list.head = post.index;
    else (pool_.at(list.tail)->*links).next = post.index;
    list.tail = post.index;
    ++list.count;
}

void AckLedger::unlink(List& list, PendingPost& post, LinksOf links) noexcept {
    const PendingPost::Links at = post.*links;
    if (at.prev == Item::kNone) list.head = at.next;
    else (pool_.at(at.prev)->*links).next = at.next;
    if (at.next == Item::kNone) list.tail = at.prev;
    else (pool_.at(at.next)->*links).prev = at.prev;
    --list.count;
}

bool AckLedger::add(PendingPost post) {
    const Key key{post.hubId, post.hasSeqNum ? post.seqNum : 0, post.hasSeqNum};
    // Answered posts name the key: a second post of the same id would get the first one's answer.
    if (byKey_.contains(key)) return false;
    if (clients_.size() <= post.client) clients_.resize(std::size_t{post.client} + 1);
    const bool onStream = post.item != Item::kNone;
    List *ofItem = nullptr, *ofSource = nullptr;
    PendingPost* const record = pool_.take();
    try {
        // Everything that allocates comes before the lists change, so a failure leaves the ledger as it was.
        if (onStream) ofItem = &items_[itemOf(post)];
        ofSource = &sources_[post.source];
        byKey_.emplace(key, record->index);
    } catch (...) {
        if (ofItem != nullptr && ofItem->count == 0) items_.erase(itemOf(post));
        if (ofSource != nullptr && ofSource->count == 0) sources_.erase(post.source);
        pool_.give(record);
        throw;
    }
    const std::uint32_t index = record->index;
    *record = std::move(post);
    record->index = index;
    record->since = reactor_.now();
    append(inTime_, *record, &PendingPost::inTime);
    append(clients_[record->client], *record, &PendingPost::ofClient);
    append(*ofSource, *record, &PendingPost::ofSource);
    if (onStream) append(*ofItem, *record, &PendingPost::ofItem);
    counts_.outstanding = byKey_.size();
    if (timer_ == 0) arm();
    return true;
}

PendingPost AckLedger::remove(PendingPost& post) {
    unlink(inTime_, post, &PendingPost::inTime);
    unlink(clients_[post.client], post, &PendingPost::ofClient);
    const auto ofSource = sources_.find(post.source);
    unlink(ofSource->second, post, &PendingPost::ofSource);
    if (ofSource->second.count == 0) sources_.erase(ofSource);
    if (post.item != Item::kNone) {
        const auto at = items_.find(itemOf(post));
        unlink(at->second, post, &PendingPost::ofItem);
        if (at->second.count == 0) items_.erase(at);
    }
    byKey_.erase(Key{post.hubId, post.hasSeqNum ? post.seqNum : 0, post.hasSeqNum});
    counts_.outstanding = byKey_.size();
    // Moved out before the record is given back: the caller still has to answer the client.
    PendingPost out = std::move(post);
    post.key = {};
    post.user = {};
    post.address = {};
    pool_.give(&post);
    return out;
}

bool AckLedger::take(const Source& source, const Item* item, const eta::codec::Msg& ack, PendingPost& out) {
    const auto at = byKey_.find(Key{ack.ackId, ack.hasSeqNum() ? ack.seqNum : 0, ack.hasSeqNum()});
    if (at == byKey_.end()) return false;
    PendingPost& post = *pool_.at(at->second);
    // A source answers for itself alone, and on the stream that had the post.
    if (post.source != &source) return false;
    if (item == nullptr ? post.item != Item::kNone
                        : post.item != item->index || post.itemGeneration != item->generation)
        return false;
    out = remove(post);
    return true;
}

void AckLedger::cancel(std::uint32_t hubId, bool hasSeqNum, std::uint32_t seqNum) {
    const auto at = byKey_.find(Key{hubId, hasSeqNum ? seqNum : 0, hasSeqNum});
    if (at != byKey_.end()) (void)remove(*pool_.at(at->second));
}

void AckLedger::forgetClient(std::uint32_t client) noexcept {
    if (client >= clients_.size()) return;
    while (clients_[client].head != Item::kNone)
        (void)remove(*pool_.at(clients_[client].head));
}

void AckLedger::takeAllOf(const Source& source, const Expired& f) {
    const auto found = sources_.find(&source);
    if (found == sources_.end()) return;
    std::vector<PendingPost> lost;
    for (std::uint32_t at = found->second.head; at != Item::kNone;) {
        PendingPost& post = *pool_.at(at);
        at = post.ofSource.next;
        lost.push_back(remove(post));  // with the last one the list is gone
    }
    // Called after the walk: an answer may bring further posts into the ledger, or end others.
    for (const PendingPost& post : lost)
        f(post);
}

void AckLedger::takeAllOf(const Item& item, const Mount* mount, const Expired& f) {
    if (items_.empty()) return;
    const auto found = items_.find(std::uint64_t{item.generation} << 32 | item.index);
    if (found == items_.end()) return;
    std::vector<PendingPost> ended;
    for (std::uint32_t at = found->second.head, left = found->second.count; left != 0; --left) {
        PendingPost& post = *pool_.at(at);
        at = post.ofItem.next;
        if (mount == nullptr || (post.client == mount->client && post.stream == mount->stream))
            ended.push_back(remove(post));  // with the last one the list is gone
    }
    for (const PendingPost& post : ended)
        f(post);
}

void AckLedger::arm() {
    // One timer for all: every post has the same time, so the oldest is due first.
    if (timeout_.count() == 0 || inTime_.head == Item::kNone) return;
    const auto due = pool_.at(inTime_.head)->since + timeout_;
    timer_ = reactor_.startTimer(std::max(due - reactor_.now(), reactor::Duration::zero()), [this] {
        timer_ = 0;
        expire();
        if (timer_ == 0) arm();
    });
}

void AckLedger::expire() {
    // A burst of posts that time out together must not hold up messages: the rest is due at once, in the next turn.
    constexpr int kMostInOneTurn = 1000;
    const auto now = reactor_.now();
    for (int n = 0; n < kMostInOneTurn && inTime_.head != Item::kNone; ++n) {
        PendingPost& oldest = *pool_.at(inTime_.head);
        if (oldest.since + timeout_ > now) return;
        expired_(remove(oldest));
    }
}

void AckLedger::trim() noexcept {
    pool_.trim();
    reactor::trimTable(byKey_);
    reactor::trimTable(items_);
    reactor::trimTable(sources_);
}

}  // namespace emissary::hub::post
