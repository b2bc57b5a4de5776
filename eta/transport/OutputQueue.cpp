#include "eta/transport/OutputQueue.h"

#include "eta/core/pages.h"

#include <algorithm>
#include <new>

namespace emissary::eta::transport {

OutputQueue::~OutputQueue() {
    drop();
    while (free_ != nullptr)
        give(std::exchange(free_, free_->next));
}

void OutputQueue::activate(std::size_t maxMessage, std::size_t fragmentIdBytes, std::size_t boundBytes) noexcept {
    maxMessage_ = maxMessage;
    idBytes_ = fragmentIdBytes;
    bound_ = boundBytes;
    chunkCapacity_ = std::max(kChunkBytes, maxMessage + frame::kHeader) - sizeof(Chunk);
    if (chunkCapacity_ < maxMessage + frame::kHeader) chunkCapacity_ = maxMessage + frame::kHeader;
}

void OutputQueue::drop() noexcept {
    for (Queue& q : queues_) {
        while (q.head != nullptr)
            give(std::exchange(q.head, q.head->next));
        q = {};
    }
    chunksInUse_ = 0;
    maxMessage_ = 0;
    reservedQueue_ = nullptr;
    planned_ = 0;
    held_ = 0;
    queued_.store(0, std::memory_order_relaxed);
}

bool OutputQueue::setFlushOrder(std::string_view order) noexcept {
    std::array<std::uint8_t, 32> parsed{};
    std::uint8_t n = 0;
    bool high = false, medium = false;
    if (order.size() > parsed.size()) return false;
    for (const char c : order) {
        if (c == 'H') high = true, parsed[n++] = 0;
        else if (c == 'M') medium = true, parsed[n++] = 1;
        else if (c == 'L') parsed[n++] = 2;
    }
    if (!high || !medium) return false;
    order_ = parsed;
    orderLength_ = n;
    orderPos_ = 0;
    return true;
}

// --- in --------------------------------------------------------------------------------------------------------------

OutputQueue::Chunk* OutputQueue::allocate(std::size_t capacity) noexcept {
    const std::size_t bytes = sizeof(Chunk) + capacity;
    void* const raw = takeBlock(bytes);
    if (raw == nullptr) return nullptr;
    bytesHeld_.store(bytesHeld() + bytes, std::memory_order_relaxed);
    Chunk* const c = new (raw) Chunk;
    c->bytes = bytes;
    return c;
}

void OutputQueue::give(Chunk* chunk) noexcept {
    bytesHeld_.store(bytesHeld() - chunk->bytes, std::memory_order_relaxed);
    giveBlock(chunk, chunk->bytes);
}

OutputQueue::Spare::~Spare() {
    while (first_ != nullptr) {
        Chunk* const c = std::exchange(first_, first_->next);
        giveBlock(c, c->bytes);
    }
}

bool OutputQueue::addChunk(Queue& q) noexcept {
    Chunk* c = free_;
    if (c != nullptr) {
        free_ = c->next;
        --chunksFree_;
    } else if ((c = allocate(chunkCapacity_)) == nullptr) {
        return false;
    }
    c->next = nullptr;
    c->begin = c->boundary = c->end = dataOf(c);
    if (q.tail != nullptr) {
        q.tail->end = q.pos;
        q.tail->next = c;
    } else {
        q.head = c;
    }
    q.tail = c;
    q.pos = dataOf(c);
    q.limit = q.pos + chunkCapacity_;
    ++chunksInUse_;
    chunksPeak_ = std::max(chunksPeak_, chunksInUse_);
    return true;
}

std::span<std::byte> OutputQueue::reserveSlow(std::size_t payload, Queue& q) noexcept {
    reservedQueue_ = nullptr;
    if (maxMessage_ == 0 || payload > maxMessage_ || !fits(payload)) return {};
    rewindIfEmpty(q);
    if (static_cast<std::size_t>(q.limit - q.pos) < payload + frame::kHeader && !addChunk(q)) return {};
    reservedQueue_ = &q;
    reserved_ = payload;
    return {q.pos + frame::kHeader, payload};
}

std::size_t OutputQueue::fragmentedBytes(std::size_t message) const noexcept {
    const std::size_t frameBytes = maxMessage_ + frame::kHeader - fragmentSlack_;
    const std::size_t first = frameBytes - frame::firstFragmentHeader(idBytes_);
    const std::size_t next = frameBytes - frame::nextFragmentHeader(idBytes_);
    const std::size_t rest = message > first ? message - first : 0;
    const std::size_t count = (rest + next - 1) / next;
    return message + frame::firstFragmentHeader(idBytes_) + count * frame::nextFragmentHeader(idBytes_);
}

bool OutputQueue::pushFragmented(Bytes message, Priority priority, std::uint8_t flags) noexcept {
    reservedQueue_ = nullptr;
    if (maxMessage_ == 0) return false;
    Queue& q = queueOf(priority);
    const Queue before = q;
    const std::size_t frameBytes = maxMessage_ + frame::kHeader - fragmentSlack_;
    const std::uint32_t lastId = idBytes_ == 2 ? 0xFFFF : 0xFF;
    lastFragmentId_ = lastFragmentId_ % lastId + 1;  // 1 .. lastId, never 0

    std::size_t queued = 0;
    std::uint64_t count = 0;
    for (std::size_t at = 0; at < message.size(); ++count) {
        const std::size_t header = at == 0 ? frame::firstFragmentHeader(idBytes_) : frame::nextFragmentHeader(idBytes_);
        const std::size_t part = std::min(message.size() - at, frameBytes - header);
        const std::size_t length = header + part;
        if (static_cast<std::size_t>(q.limit - q.pos) < length && !addChunk(q)) {
            // Take back what this message added; what was queued before stays.
            Chunk* extra =
                before.tail == nullptr ? std::exchange(q.head, nullptr) : std::exchange(before.tail->next, nullptr);
            while (extra != nullptr) {
                Chunk* const c = std::exchange(extra, extra->next);
                c->next = free_;
                free_ = c;
                --chunksInUse_;
                ++chunksFree_;
            }
            q = before;
            return false;
        }
        std::byte* p = q.pos;
        storeBe(p, static_cast<std::uint16_t>(length));
        p[2] = std::byte{static_cast<std::uint8_t>(frame::kExtended | flags)};
        p[3] = std::byte{at == 0 ? frame::kFragmentHeader : frame::kFragment};
        p += 4;
        if (at == 0) {
            storeBe(p, static_cast<std::uint32_t>(message.size()));
            p += 4;
        }
        if (idBytes_ == 2) storeBe(p, static_cast<std::uint16_t>(lastFragmentId_));
        else storeBe(p, static_cast<std::uint8_t>(lastFragmentId_));
        std::memcpy(q.pos + header, message.data() + at, part);
        q.pos += length;
        queued += length;
        at += part;
    }
    queued_.store(queuedBytes() + queued, std::memory_order_relaxed);
    fragments_.add(count);
    messages_.add();
    return true;
}

bool OutputQueue::pushPing() noexcept {
    reservedQueue_ = nullptr;
    Queue& q = queueOf(Priority::high);
    if (maxMessage_ == 0) return false;
    rewindIfEmpty(q);
    if (static_cast<std::size_t>(q.limit - q.pos) < frame::kHeader && !addChunk(q)) return false;
    storeBe(q.pos, static_cast<std::uint16_t>(frame::kHeader));
    q.pos[2] = std::byte{frame::kData};
    q.pos += frame::kHeader;
    queued_.store(queuedBytes() + frame::kHeader, std::memory_order_relaxed);
    return true;
}

// --- out -------------------------------------------------------------------------------------------------------------

std::byte* OutputQueue::endOf(const Queue& q, const Chunk& c) noexcept {
    return &c == q.tail ? q.pos : c.end;
}

bool OutputQueue::hasData(const Queue& q) noexcept {
    return q.head != nullptr && (q.head != q.tail || q.head->begin != q.pos);
}

// Bytes left of a frame whose beginning is already sent. Frames are walked by their own length fields, and only when
// somebody needs to know: the common path never looks.
std::size_t OutputQueue::interruptedBytes(Queue& q) noexcept {
    if (q.head == nullptr) return 0;
    Chunk& c = *q.head;
    while (c.boundary < c.begin) {
        std::byte* const next = c.boundary + loadBe<std::uint16_t>(c.boundary);
        if (next > c.begin) return static_cast<std::size_t>(next - c.begin);
        c.boundary = next;
    }
    return 0;
}

std::size_t OutputQueue::gather(Gather& out) noexcept {
    reservedQueue_ = nullptr;
    std::size_t busy = 0, which = 0;
    for (std::size_t i = 0; i < queues_.size(); ++i) {
        if (hasData(queues_[i])) ++busy, which = i;
    }
    planned_ = 0;
    if (busy == 0) return 0;
    return busy == 1 ? gatherOne(which, out) : gatherMixed(out);
}

std::size_t OutputQueue::gatherOne(std::size_t queue, Gather& out) noexcept {
    const Queue& q = queues_[queue];
    std::size_t n = 0;
    std::size_t bytes = 0;
    for (const Chunk* c = q.head; c != nullptr && n < out.size(); c = c->next) {
        const auto run = static_cast<std::size_t>(endOf(q, *c) - c->begin);
        if (run == 0) continue;
        out[n++] = {c->begin, run};
        bytes += run;
    }
    plan_[0] = {static_cast<std::uint32_t>(bytes), static_cast<std::uint8_t>(queue), orderPos_};
    planned_ = 1;
    return n;
}

std::size_t OutputQueue::gatherMixed(Gather& out) noexcept {
    struct Cursor {
        const Chunk* chunk;
        std::byte* at;
    };
    std::array<Cursor, 3> cursors{};
    for (std::size_t i = 0; i < queues_.size(); ++i) {
        const Queue& q = queues_[i];
        if (q.head != nullptr) cursors[i] = {q.head, q.head->begin};
    }
    std::size_t n = 0;
    std::uint8_t position = orderPos_;
    const auto put = [&](std::size_t queue, std::size_t bytes) {
        Cursor& c = cursors[queue];
        out[n] = {c.at, bytes};
        plan_[n++] = {static_cast<std::uint32_t>(bytes), static_cast<std::uint8_t>(queue), position};
        c.at += bytes;
    };
    // Moves over the end of a chunk; false when the queue is exhausted.
    const auto ready = [&](std::size_t queue) {
        Cursor& c = cursors[queue];
        if (c.chunk == nullptr) return false;
        while (c.at == endOf(queues_[queue], *c.chunk)) {
            if (c.chunk->next == nullptr) return false;
            c.chunk = c.chunk->next;
            c.at = c.chunk->begin;
        }
        return true;
    };

    if (const std::size_t rest = interruptedBytes(queues_[lastSentQueue_]); rest != 0) put(lastSentQueue_, rest);
    std::size_t idle = 0;  // positions in a row that found nothing
    while (n < out.size()) {
        std::size_t queue = order_[position];
        if (idle >= orderLength_) {  // a whole round found nothing: the order has no L
            queue = static_cast<std::size_t>(Priority::low);
            if (!ready(queue)) break;
        } else {
            position = static_cast<std::uint8_t>((position + 1) % orderLength_);
        }
        if (!ready(queue)) {
            ++idle;
            continue;
        }
        if (idle < orderLength_) idle = 0;
        put(queue, loadBe<std::uint16_t>(cursors[queue].at));
    }
    planned_ = n;
    return n;
}

void OutputQueue::sent(std::size_t bytes) noexcept {
    queued_.store(queuedBytes() - bytes, std::memory_order_relaxed);
    for (std::size_t i = 0; i < planned_ && bytes != 0; ++i) {
        const Segment& s = plan_[i];
        const std::size_t part = std::min<std::size_t>(s.bytes, bytes);
        take(queues_[s.queue], part);
        lastSentQueue_ = s.queue;
        orderPos_ = s.orderAfter;
        bytes -= part;
    }
    planned_ = 0;
}

void OutputQueue::take(Queue& q, std::size_t bytes) noexcept {
    while (bytes != 0) {
        Chunk& c = *q.head;
        const std::size_t part = std::min(bytes, static_cast<std::size_t>(endOf(q, c) - c.begin));
        c.begin += part;
        bytes -= part;
        if (c.begin == endOf(q, c) && &c != q.tail) releaseHead(q);
    }
    while (q.head != q.tail && q.head->begin == q.head->end)
        releaseHead(q);
    rewindIfEmpty(q);
}

void OutputQueue::releaseHead(Queue& q) noexcept {
    Chunk* const c = q.head;
    q.head = c->next;
    c->next = free_;
    free_ = c;
    --chunksInUse_;
    ++chunksFree_;
}

// An empty queue starts over at the front of its chunk: the same, cache-warm bytes serve an unhurried channel for ever.
void OutputQueue::rewindIfEmpty(Queue& q) noexcept {
    if (q.head == nullptr || q.head != q.tail || q.head->begin != q.pos) return;
    Chunk& c = *q.head;
    c.begin = c.boundary = q.pos = dataOf(&c);
}

OutputQueue::Spare OutputQueue::trim() noexcept {
    for (Queue& q : queues_) {  // an idle priority keeps no chunk
        if (q.head != nullptr && !hasData(q) && &q != reservedQueue_) {
            releaseHead(q);
            q = {};
        }
    }
    const std::size_t keep = chunksPeak_ > chunksInUse_ ? chunksPeak_ - chunksInUse_ : 0;
    Spare spare;
    while (chunksFree_ > keep) {
        Chunk* const c = std::exchange(free_, free_->next);
        c->next = std::exchange(spare.first_, c);
        spare.bytes_ += c->bytes;
        --chunksFree_;
    }
    bytesHeld_.store(bytesHeld() - spare.bytes_, std::memory_order_relaxed);
    chunksPeak_ = chunksInUse_;
    return spare;
}

}  // namespace emissary::eta::transport
