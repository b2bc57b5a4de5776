// Manages the chunks of the arena: reserves room, fragments large messages, gathers for writev, frees what was sent.
#include "eta/transport/OutputQueue.h"

#include "eta/core/pages.h"

#include <algorithm>
#include <new>

namespace emissary::eta::transport {

OutputQueue::~OutputQueue() {
    // Chunks that are free belong to the queue, those in use to its list: both are given back here.
    drop();
    while (free_ != nullptr)
        give(std::exchange(free_, free_->next));
}

void OutputQueue::activate(std::size_t maxMessage, std::size_t fragmentIdBytes, std::size_t boundBytes) noexcept {
    maxMessage_ = maxMessage;
    idBytes_ = fragmentIdBytes;
    bound_ = boundBytes;
    // A chunk is never smaller than one message, so no message spans two chunks.
    chunkCapacity_ = std::max(kChunkBytes, maxMessage + frame::kHeader) - sizeof(Chunk);
    if (chunkCapacity_ < maxMessage + frame::kHeader) chunkCapacity_ = maxMessage + frame::kHeader;
}

void OutputQueue::drop() noexcept {
    while (head_ != nullptr)
        give(std::exchange(head_, head_->next));
    // maxMessage_ 0 says that the queue has ended and takes nothing more.
    tail_ = nullptr;
    pos_ = limit_ = nullptr;
    chunksInUse_ = 0;
    maxMessage_ = 0;
    reserved_ = kNothing;
    held_ = 0;
    queued_.store(0, std::memory_order_relaxed);
}

// --- in --------------------------------------------------------------------------------------------------------------

// Counted for the page of memory, and given back as it was counted.
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

// The chunks are freed outside the lock of the output (Channel::trimOutput).
OutputQueue::Spare::~Spare() {
    while (first_ != nullptr) {
        Chunk* const c = std::exchange(first_, first_->next);
        giveBlock(c, c->bytes);
    }
}

bool OutputQueue::addChunk() noexcept {
    Chunk* c = free_;
    if (c != nullptr) {
        free_ = c->next;
        --chunksFree_;
    } else if ((c = allocate(chunkCapacity_)) == nullptr) {
        return false;
    }
    c->next = nullptr;
    c->begin = c->end = dataOf(c);
    // The chunk that is full keeps its end; only the last one grows.
    if (tail_ != nullptr) {
        tail_->end = pos_;
        tail_->next = c;
    } else {
        head_ = c;
    }
    tail_ = c;
    pos_ = dataOf(c);
    limit_ = pos_ + chunkCapacity_;
    ++chunksInUse_;
    chunksPeak_ = std::max(chunksPeak_, chunksInUse_);
    return true;
}

bool OutputQueue::makeRoom(std::size_t bytes) noexcept {
    return static_cast<std::size_t>(limit_ - pos_) >= bytes || addChunk();
}

std::span<std::byte> OutputQueue::reserveSlow(std::size_t payload) noexcept {
    // reserved_ marks a reservation that has not been committed; anything else gives it up.
    reserved_ = kNothing;
    if (maxMessage_ == 0 || payload > maxMessage_ || !fits(payload)) return {};
    rewindIfEmpty();
    if (!makeRoom(payload + frame::kHeader)) return {};
    reserved_ = payload;
    return {pos_ + frame::kHeader, payload};
}

std::size_t OutputQueue::fragmentedBytes(std::size_t message) const noexcept {
    // Frames of a fragmented message are shorter by the slack that compression needs.
    const std::size_t frameBytes = maxMessage_ + frame::kHeader - fragmentSlack_;
    const std::size_t first = frameBytes - frame::firstFragmentHeader(idBytes_);
    const std::size_t next = frameBytes - frame::nextFragmentHeader(idBytes_);
    const std::size_t rest = message > first ? message - first : 0;
    const std::size_t count = (rest + next - 1) / next;
    return message + frame::firstFragmentHeader(idBytes_) + count * frame::nextFragmentHeader(idBytes_);
}

bool OutputQueue::pushFragmented(Bytes message) noexcept {
    reserved_ = kNothing;
    if (maxMessage_ == 0) return false;
    // Marks of the state before, so that a message is queued whole or not at all.
    Chunk* const lastBefore = tail_;
    std::byte* const posBefore = pos_;
    std::byte* const limitBefore = limit_;
    const std::size_t frameBytes = maxMessage_ + frame::kHeader - fragmentSlack_;
    const std::uint32_t lastId = idBytes_ == 2 ? 0xFFFF : 0xFF;
    // Ids go round; a message is long out before its id comes back.
    lastFragmentId_ = lastFragmentId_ % lastId + 1;  // 1 .. lastId, never 0

    std::size_t queued = 0;
    std::uint64_t count = 0;
    for (std::size_t at = 0; at < message.size(); ++count) {
        const std::size_t header = at == 0 ? frame::firstFragmentHeader(idBytes_) : frame::nextFragmentHeader(idBytes_);
        const std::size_t part = std::min(message.size() - at, frameBytes - header);
        const std::size_t length = header + part;
        if (!makeRoom(length)) {
            // Chunks that were full before keep what they have: only what this message added is taken back.
            // Take back what this message added; what was queued before stays.
            Chunk* extra = std::exchange(lastBefore == nullptr ? head_ : lastBefore->next, nullptr);
            while (extra != nullptr) {
                Chunk* const c = std::exchange(extra, extra->next);
                c->next = free_;
                free_ = c;
                --chunksInUse_;
                ++chunksFree_;
            }
            tail_ = lastBefore;
            pos_ = posBefore;
            limit_ = limitBefore;
            return false;
        }
        std::byte* p = pos_;
        // Length, flags, extended flags, then total (first) and id: docs/wire/ripc.md.
        storeBe(p, static_cast<std::uint16_t>(length));
        p[2] = std::byte{frame::kExtended | frame::kData};
        p[3] = std::byte{at == 0 ? frame::kFragmentHeader : frame::kFragment};
        p += 4;
        if (at == 0) {
            storeBe(p, static_cast<std::uint32_t>(message.size()));
            p += 4;
        }
        if (idBytes_ == 2) storeBe(p, static_cast<std::uint16_t>(lastFragmentId_));
        else storeBe(p, static_cast<std::uint8_t>(lastFragmentId_));
        // Copied part by part: an application may change its buffer after the call.
        std::memcpy(pos_ + header, message.data() + at, part);
        pos_ += length;
        queued += length;
        at += part;
    }
    queued_.store(queuedBytes() + queued, std::memory_order_relaxed);
    fragments_.add(count);
    messages_.add();
    return true;
}

bool OutputQueue::pushPing() noexcept {
    reserved_ = kNothing;
    if (maxMessage_ == 0) return false;
    rewindIfEmpty();
    if (!makeRoom(frame::kHeader)) return false;
    // A ping is a header without a body (transport.md 2.3).
    storeBe(pos_, static_cast<std::uint16_t>(frame::kHeader));
    pos_[2] = std::byte{frame::kData};
    pos_ += frame::kHeader;
    queued_.store(queuedBytes() + frame::kHeader, std::memory_order_relaxed);
    return true;
}

// --- out -------------------------------------------------------------------------------------------------------------

// The reservation is over: what is queued is on its way.
std::size_t OutputQueue::gather(Gather& out) noexcept {
    reserved_ = kNothing;
    std::size_t n = 0;
    for (const Chunk* c = head_; c != nullptr && n < out.size(); c = c->next)
        if (const auto run = static_cast<std::size_t>(endOf(*c) - c->begin); run != 0) out[n++] = {c->begin, run};
    return n;
}

void OutputQueue::sent(std::size_t bytes) noexcept {
    queued_.store(queuedBytes() - bytes, std::memory_order_relaxed);
    // Whole chunks are given back as soon as the kernel has taken them.
    while (bytes != 0) {
        Chunk& c = *head_;
        const std::size_t part = std::min(bytes, static_cast<std::size_t>(endOf(c) - c.begin));
        c.begin += part;
        bytes -= part;
        if (c.begin == endOf(c) && &c != tail_) releaseHead();
    }
    // An empty chunk in front would hold the next one back.
    while (head_ != tail_ && head_->begin == head_->end)
        releaseHead();
    rewindIfEmpty();
}

void OutputQueue::releaseHead() noexcept {
    Chunk* const c = head_;
    head_ = c->next;
    c->next = free_;
    free_ = c;
    --chunksInUse_;
    ++chunksFree_;
}

// Frames stand one behind the other from the front of their chunk on, those that were sent included: the walk begins
// there. It ends at the first frame of which nothing was sent, unless that is a further fragment of a message before
// it.
// What has begun to leave must leave whole, so the walk finds where the next message begins.
std::byte* OutputQueue::behindBegun(Chunk*& chunk) const noexcept {
    const std::byte* const unsent = chunk->begin;
    const Chunk* const first = chunk;
    std::byte* at = dataOf(chunk);
    for (;;) {
        if (at == endOf(*chunk)) {
            if (chunk == tail_) return at;
            chunk = chunk->next;
            at = dataOf(chunk);
            continue;
        }
        const auto flags = std::to_integer<std::uint8_t>(at[2]);
        const bool further =
            (flags & frame::kExtended) != 0 && (std::to_integer<std::uint8_t>(at[3]) & frame::kFragmentHeader) == 0;
        if ((chunk != first || at >= unsent) && !further) return at;
        at += loadBe<std::uint16_t>(at);
    }
}

std::size_t OutputQueue::dropUnsent() noexcept {
    reserved_ = kNothing;
    if (head_ == nullptr) return 0;
    // From the first message on of which nothing has left.
    Chunk* last = head_;
    std::byte* const end = behindBegun(last);
    std::size_t dropped = static_cast<std::size_t>(endOf(*last) - end);
    for (Chunk* c = std::exchange(last->next, nullptr); c != nullptr;) {
        dropped += static_cast<std::size_t>(endOf(*c) - c->begin);
        Chunk* const next = std::exchange(c->next, free_);
        free_ = c;
        --chunksInUse_;
        ++chunksFree_;
        c = next;
    }
    // The rest of the queue goes on from there.
    tail_ = last;
    pos_ = end;
    limit_ = dataOf(last) + chunkCapacity_;
    queued_.store(queuedBytes() - dropped, std::memory_order_relaxed);
    rewindIfEmpty();
    return dropped;
}

// An empty queue starts over at the front of its chunk: the same, cache-warm bytes serve an unhurried channel for ever.
void OutputQueue::rewindIfEmpty() noexcept {
    if (head_ == nullptr || head_ != tail_ || head_->begin != pos_) return;
    head_->begin = pos_ = dataOf(head_);
}

OutputQueue::Spare OutputQueue::trim() noexcept {
    if (head_ != nullptr && head_ == tail_ && head_->begin == pos_ &&
        // A reservation keeps the chunk: its owner is about to write into it.
        reserved_ == kNothing) {  // idle: it keeps no chunk
        releaseHead();
        tail_ = nullptr;
        pos_ = limit_ = nullptr;
    }
    // As many stay as were in use at once, so that the next burst needs no memory.
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
