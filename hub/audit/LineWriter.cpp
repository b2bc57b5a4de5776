// Takes lines in, and writes them on a thread of its own, over and over where the disk refuses.
#include "hub/audit/LineWriter.h"

#include "hub/core/NoSignals.h"
#include "reactor/threads.h"

#include <algorithm>
#include <new>
#include <utility>

namespace emissary::hub::audit {

namespace {
constexpr std::chrono::seconds kSyncEvery{1};
constexpr std::size_t kKeptRoom = 1u << 20;  // of an empty queue
}  // namespace

void LineWriter::start() {
    // The thread inherits no signals: the hub's main thread takes them.
    counts_.files = files_.opened();
    const NoSignals inherited;
    thread_ = std::thread([this] { run(); });
}

std::uint64_t LineWriter::stop() noexcept {
    if (thread_.joinable()) {
        {
            const std::lock_guard guard(mutex_);
            ends_ = true;
        }
        wake_.notify_one();
        thread_.join();
    }
    const std::lock_guard guard(mutex_);
    // Both queues: what a failing disk has kept in hand counts as lost too.
    return waiting_.marks.size() + hand_.marks.size();
}

bool LineWriter::add(std::int64_t day, std::string_view line, bool forced) {
    {
        const std::lock_guard guard(mutex_);
        // Bytes in hand count too: they are not on the disk yet.
        if (!forced && waiting_.text.size() + inHand_ + line.size() > options_.queueBytes) return false;
        // The mark first: a text without its mark could not be divided into lines any more.
        waiting_.marks.push_back({waiting_.text.size() + line.size(), day});
        try {
            waiting_.text += line;
        } catch (const std::bad_alloc&) {
            waiting_.marks.pop_back();
            throw;
        }
    }
    wake_.notify_one();
    return true;
}

std::vector<LineWriter::Note> LineWriter::takeNotes() {
    const std::lock_guard guard(mutex_);
    return std::exchange(notes_, {});
}

std::uint64_t LineWriter::waitingBytes() const {
    const std::lock_guard guard(mutex_);
    return waiting_.text.size() + inHand_;
}

void LineWriter::run() {
    reactor::nameThisThread("hub-audit");
    for (;;) {
        bool ends = false;
        {
            std::unique_lock guard(mutex_);
            const auto due = [this] { return ends_ || !waiting_.empty(); };
            // After a failure new lines do not wake the thread: each would try a full disk again.
            if (failures_ != 0) wake_.wait_for(guard, options_.retry, [this] { return ends_; });
            else if (dirty_) wake_.wait_until(guard, syncAt_, due);
            else wake_.wait(guard, due);
            ends = ends_;
            // What could not be written goes first: lines keep their order.
            if (hand_.empty()) std::swap(hand_, waiting_);
            inHand_ = hand_.text.size();
        }
        try {
            if (!write() || !sync()) failed();
            else succeeded();
        } catch (const std::bad_alloc&) { failed(); }
        const std::lock_guard guard(mutex_);
        inHand_ = hand_.text.size();
        // The end waits for one more try, not for a disk that refuses.
        if (ends && (failures_ != 0 || waiting_.empty())) break;
    }
    if (options_.sync != Sync::none) (void)files_.sync();
}

bool LineWriter::write() {
    while (!hand_.empty()) {
        // Lines of one day together.
        const std::int64_t day = hand_.marks.front().day;
        std::vector<std::size_t> ends;
        for (const Lines::Mark& mark : hand_.marks) {
            if (mark.day != day) break;
            ends.push_back(mark.end);
        }
        const std::size_t done = files_.write(day, std::string_view(hand_.text).substr(0, ends.back()), ends);
        counts_.written += done;
        counts_.files = files_.opened();
        counts_.removed = files_.removed();
        if (done != 0 && !std::exchange(dirty_, true)) syncAt_ = eta::Clock::now() + kSyncEvery;
        dropFirst(done);
        if (done != ends.size()) return false;
    }
    // A burst must not keep its memory for ever.
    if (hand_.text.capacity() > kKeptRoom) hand_ = {};
    return true;
}

void LineWriter::dropFirst(std::size_t lines) {
    if (lines == hand_.marks.size()) return hand_.clear();
    if (lines == 0) return;
    const std::size_t bytes = hand_.marks[lines - 1].end;
    hand_.text.erase(0, bytes);
    hand_.marks.erase(hand_.marks.begin(), hand_.marks.begin() + static_cast<std::ptrdiff_t>(lines));
    for (Lines::Mark& mark : hand_.marks)
        mark.end -= bytes;
}

/// Nothing was written since the last one, or it is not asked for, or not due: that is fine too.
bool LineWriter::sync() {
    if (!dirty_) return true;
    if (options_.sync == Sync::interval && eta::Clock::now() < syncAt_) return true;
    dirty_ = false;
    return options_.sync == Sync::none || files_.sync();
}

void LineWriter::succeeded() {
    if (failures_ == 0) return;
    const std::uint64_t before = std::exchange(failures_, 0);
    counts_.failing = 0;
    const std::lock_guard guard(mutex_);
    notes_.push_back({false, "AuditFolder: lines are written again, to " + files_.path() + ", after " +
                                 std::to_string(before) + (before == 1 ? " failure" : " failures")});
}

void LineWriter::failed() {
    ++counts_.failures;
    counts_.failing = 1;
    // The first failure is said, and then the success: a full disk does not fill the log of the hub.
    if (failures_++ != 0) return;
    const std::lock_guard guard(mutex_);
    notes_.push_back({true, "AuditFolder: " + files_.failure() + "; lines wait, up to " +
                                std::to_string(options_.queueBytes) + " bytes (AuditQueueBytes)"});
}

}  // namespace emissary::hub::audit
