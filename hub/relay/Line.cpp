// When a front lags, and how it catches up: what waited goes first, then an image of each item that it missed.
#include "hub/relay/Line.h"

#include <mutex>
#include <new>
#include <utility>

namespace emissary::hub::relay {

using Kind = ToFront::Kind;

Line::Line(Owner& owner, std::size_t number, const FrontOptions& options, std::uint64_t& lagging, StageCounts& counts)
    : owner_(owner), number_(number), bit_(std::uint64_t{1} << number), lagging_(lagging), counts_(counts),
      front_(std::make_unique<Front>(options, wakeup_)) {}

bool Line::offer(const ToFront& record) noexcept {
    if (waits()) return false;
    if (!front_->toFront().tryPush(record)) {
        block();
        return false;
    }
    pushed();
    return true;
}

bool Line::keep(const ToFront& record) noexcept {
    const bool dropped = isForOneClient(record.kind) && isCut(record) && !Overflow::outlives(record.kind);
    if (!dropped && overflow_.add(record)) return true;
    delete record.extra;
    return dropped;
}

void Line::call(std::function<void(Front& front)> what) {
    if (!front_->running()) {
        const std::lock_guard guard(front_->reactor().lock());
        return what(*front_);
    }
    ToFront r;
    r.kind = Kind::call;
    r.extra = new Call(std::move(what));
    if (!pass(r) && !offer(r) && !keep(r)) throw std::bad_alloc();
    wake();
}

/// The reason is the record's text; without memory for it the front says that memory is short.
void Line::cutOff(std::uint32_t client) noexcept {
    if (client >= clients_.size() || clients_[client].cut) return;
    clients_[client].cut = true;
    ++counts_.cutOff;
    overflow_.drop(client);
    ToFront r;
    r.kind = Kind::close;
    r.client = client;
    try {
        r.extra = new Goodbye(
            client::endingOf(client::EndReason::fault, "too much waits for the thread that serves this client"));
    } catch (const std::bad_alloc&) {}
    (void)keep(r);
}

void Line::leaveOut(const Item& item, bool isStatus) {
    lagging_ |= bit_;
    ++counts_.leftOut;
    catchUp_.note(item, isStatus);
}

void Line::block() noexcept {
    lagging_ |= bit_;
    if (std::exchange(blocked_, true)) return;
    ++counts_.ringFull;
    front_->awaitPassed();
    if (halfPassed()) wakeup_.signal();  // it may have slept before it could know
}

bool Line::halfPassed() const noexcept {
    const Ring<ToFront>& ring = front_->toFront();
    return ring.pushed() - ring.passed() <= Front::kToFront / 2;
}

bool Line::hasRoom(const MessageLog& log) noexcept {
    const auto room = [&] { return halfPassed() && log.held(number_) <= kMostHeld / 2; };
    if (room()) return true;
    front_->awaitPassed();
    return room();
}

bool Line::drain(MessageLog& log, std::size_t mostBytes) noexcept {
    Ring<ToFront>& ring = front_->toFront();
    if (blocked_) {
        if (!hasRoom(log)) return false;
        blocked_ = false;
    }
    const std::byte* copied = nullptr;
    eta::Bytes there;
    for (std::size_t moved = 0; !overflow_.empty(); overflow_.pop()) {
        if (moved > mostBytes) return false;
        const Overflow::Entry& entry = overflow_.front();
        ToFront record = entry.record;
        moved += sizeof record;
        if (ring.pushed() - ring.passed() >= Front::kToFront) return block(), false;
        if (entry.bytes && entry.bytes.get() != copied) {
            try {
                there = log.write({entry.bytes.get(), record.length});
            } catch (const std::bad_alloc&) { return false; }
            copied = entry.bytes.get();
            moved += record.length;
        }
        if (entry.bytes) record.bytes = there.data();
        if (!ring.tryPush(record)) return block(), false;
        pushed();
    }
    return true;
}

void Line::settle() noexcept {
    if (!waits() && catchUp_.empty()) lagging_ &= ~bit_;
}

void Line::collect(reactor::metrics::Snapshot& into, bool ofListeners) {
    whenFree([&] {
        collected_ = reactor::metrics::Snapshot{};
        front_->collect(collected_, ofListeners);
    });
    into.add(collected_);
}

void Line::added(std::uint32_t slot, Client& client) {
    if (clients_.size() <= slot) clients_.resize(std::size_t{slot} + 1);
    clients_[slot] = {&client, false};
}

/// At most twice that much is on its way; beyond it, the front knows which client does not read.
Backlog Line::backlog(std::size_t mostBytes) noexcept {
    if (waits()) return Backlog::stalled;
    const Ring<ToFront>& ring = front_->toFront();
    if (bytes_ > mostBytes && ring.passed() >= mark_) {
        mark_ = ring.pushed();
        bytes_ = 0;
    }
    return bytes_ > mostBytes ? Backlog::much : Backlog::little;
}

void Line::wake() noexcept {
    const std::uint64_t pushed = front_->toFront().pushed();
    if (std::exchange(woken_, pushed) != pushed) front_->wakeup().signal();
}

}  // namespace emissary::hub::relay
