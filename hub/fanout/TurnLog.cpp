// Writes the messages of a turn to links, in runs and with each client's stream ids.
#include "hub/fanout/TurnLog.h"

#include <algorithm>
#include <charconv>
#include <new>

namespace emissary::hub::fanout {

using eta::Errc;
using eta::Error;
using reactor::Link;

namespace {

constexpr std::string_view kBeginning = "{\"ID\":";
constexpr std::size_t kMostDigits = 11;  // of a stream id, with its sign

[[nodiscard]] std::size_t digitsOf(std::int32_t id) noexcept {
    char digits[kMostDigits];
    return static_cast<std::size_t>(std::to_chars(digits, digits + kMostDigits, id).ptr - digits);
}

}  // namespace

TurnLog::TurnLog(ClientTable& clients)
    : clients_(clients), bytes_(std::make_unique_for_overwrite<std::byte[]>(kBytes)),
      deliveries_(std::make_unique_for_overwrite<Delivery[]>(kMost)),
      touched_(std::make_unique_for_overwrite<std::uint32_t[]>(kMost)) {}

/// For one message that is larger than everything else; nothing is in the log.
void TurnLog::grow(std::size_t bytes) {
    if (bytes > UINT32_MAX / 2) throw std::bad_alloc();
    bytes_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
    size_ = bytes;
}

void TurnLog::clear() noexcept {
    used_ = count_ = touchedCount_ = 0;
    if (size_ == kBytes) return;
    std::byte* const usual = new (std::nothrow) std::byte[kBytes];
    if (usual == nullptr) return;
    bytes_.reset(usual);
    size_ = kBytes;
}

void TurnLog::prefetch(std::uint32_t index) noexcept {
    if (const Client* const next = clients_.find(index); next != nullptr) __builtin_prefetch(next);
}

std::uint32_t TurnLog::countFrom(std::uint32_t first) const noexcept {
    std::uint32_t count = 0;
    for (; first != kNone; first = deliveries_[first].next)
        ++count;
    return count;
}

TurnLog::Written TurnLog::writeMessages(Link& link, std::uint32_t first) noexcept {
    Written done;
    Link::Batch batch(link);
    for (std::uint32_t at = first; at != kNone;) {
        const Delivery& d = deliveries_[at];
        if (d.next != kNone) __builtin_prefetch(&deliveries_[d.next]);
        if (const Error e = batch.send({bytes_.get() + d.offset, d.length}, d.stream); !e.ok()) [[unlikely]] {
            done.error = e;
            done.left = countFrom(at);
            break;
        }
        ++done.messages;
        done.bytes += d.length;
        at = d.next;
    }
    done.queued = batch.queuedBytes();
    return done;
}

/// How many objects from `first` on fit one message of `limit` bytes, and their size with commas between; at least one.
std::uint32_t TurnLog::runOf(std::uint32_t first, std::size_t limit, std::size_t& bytes) const noexcept {
    std::uint32_t count = 0;
    bytes = 0;
    for (std::uint32_t at = first; at != kNone; at = deliveries_[at].next, ++count) {
        const Delivery& d = deliveries_[at];
        const std::size_t more = kBeginning.size() + digitsOf(d.stream) + d.length + (count != 0 ? 1 : 0);
        if (count != 0 && bytes + more > limit) break;
        bytes += more;
    }
    return count;
}

std::byte* TurnLog::writeRun(std::byte* to, std::uint32_t first, std::uint32_t count) const noexcept {
    for (std::uint32_t i = 0; i < count; ++i, first = deliveries_[first].next) {
        const Delivery& d = deliveries_[first];
        if (i != 0) *to++ = std::byte{','};
        std::memcpy(to, kBeginning.data(), kBeginning.size());
        char* const digits = reinterpret_cast<char*>(to + kBeginning.size());
        to = reinterpret_cast<std::byte*>(std::to_chars(digits, digits + kMostDigits, d.stream).ptr);
        std::memcpy(to, bytes_.get() + d.offset, d.length);
        to += d.length;
    }
    return to;
}

TurnLog::Written TurnLog::writeTexts(Link& link, std::uint32_t first) noexcept {
    Written done;
    const std::size_t limit = link.active() ? link.channel()->maxFragmentSize() : 0;
    Link::Batch batch(link);
    while (first != kNone) {
        std::size_t bytes = 0;
        const std::uint32_t count = runOf(first, limit, bytes);
        if (const std::span<std::byte> room = batch.reserve(bytes + kMostDigits); !room.empty()) [[likely]] {
            static_cast<void>(writeRun(room.data(), first, count));
            done.error = batch.commit(bytes);
        } else if (const std::unique_ptr<std::byte[]> large(new (std::nothrow) std::byte[bytes + kMostDigits]); large) {
            static_cast<void>(writeRun(large.get(), first, count));
            done.error = batch.write({large.get(), bytes});
        } else {
            done.error = {Errc::noBuffers, 0};
        }
        if (!done.error.ok()) {
            done.left = countFrom(first);
            break;
        }
        done.messages += count;
        done.bytes += bytes;
        for (std::uint32_t i = 0; i < count; ++i)
            first = deliveries_[first].next;
    }
    done.queued = batch.queuedBytes();
    return done;
}

}  // namespace emissary::hub::fanout
