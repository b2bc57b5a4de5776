// Writes to a file beside, then renames.
#include "hub/usage/DayWriter.h"

#include "hub/audit/folder_lock.h"
#include "hub/core/NoSignals.h"
#include "hub/usage/usage_file.h"
#include "reactor/threads.h"

#include <cerrno>
#include <cstdio>
#include <new>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace emissary::hub::usage {

namespace {

[[nodiscard]] bool writeAll(int fd, std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

}  // namespace

void DayWriter::start() {
    const NoSignals inherited;
    // The thread inherits no signals: the hub's main thread takes them.
    thread_ = std::thread([this] { run(); });
}

void DayWriter::put(Snapshot snapshot) {
    {
        const std::lock_guard guard(mutex_);
        const std::int64_t day = snapshot.day;
        // A later snapshot of the day contains the earlier one, so one for each day is enough.
        waiting_.insert_or_assign(day, std::move(snapshot));
    }
    wake_.notify_one();
}

bool DayWriter::stop() noexcept {
    if (thread_.joinable()) {
        {
            const std::lock_guard guard(mutex_);
            ends_ = true;
        }
        wake_.notify_one();
        thread_.join();
    }
    const std::lock_guard guard(mutex_);
    return waiting_.empty();
}

std::vector<DayWriter::Note> DayWriter::takeNotes() {
    const std::lock_guard guard(mutex_);
    return std::exchange(notes_, {});
}

/// A snapshot that cannot be written stays, unless a later one of its day has come.
void DayWriter::run() {
    reactor::nameThisThread("hub-usage");
    for (;;) {
        Snapshot now;
        bool ends = false;
        {
            std::unique_lock guard(mutex_);
            // After a failure new snapshots do not wake the thread: each would try a full disk again.
            if (failing_) wake_.wait_for(guard, retry_, [this] { return ends_; });
            else wake_.wait(guard, [this] { return ends_ || !waiting_.empty(); });
            ends = ends_;
            if (waiting_.empty()) {
                if (ends) return;
                continue;
            }
            now = std::move(waiting_.extract(waiting_.begin()).mapped());
        }
        bool written = false;
        try {
            written = write(now);
        } catch (const std::bad_alloc&) { failure_ = "memory is short"; }
        const std::lock_guard guard(mutex_);
        if (written) {
            ++counts_.writes;
            counts_.failing = 0;
            if (std::exchange(failing_, false))
                notes_.push_back({false, "UsageFolder: files of use are written again"});
            continue;
        }
        ++counts_.failures;
        counts_.failing = 1;
        if (!std::exchange(failing_, true))
            notes_.push_back({true, "UsageFolder: " + failure_ + "; what is counted is kept, and written later"});
        const std::int64_t day = now.day;
        waiting_.try_emplace(day, std::move(now));
        if (ends) return;
    }
}

bool DayWriter::write(const Snapshot& snapshot) {
    const std::string path = folder_ + "/" + fileNameOf(snapshot.day), beside = path + ".new";
    const auto fail = [this](const std::string& at) {
        failure_ = audit::failureOf(at);
        return false;
    };
    const std::string text = fileText(snapshot);
    // Written beside: a reader, or a crash, finds the old file or the new one and never a half.
    const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0640);
    if (fd < 0) return fail(beside);
    const bool whole = writeAll(fd, text) && ::fsync(fd) == 0;
    // close() may change errno.
    const int why = errno;
    ::close(fd);
    errno = why;
    if (!whole || ::rename(beside.c_str(), path.c_str()) != 0) return fail(beside);
    // The rename is on the disk when the folder is. Without it a crash may bring the old file back.
    if (const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
        (void)::fsync(folder);
        ::close(folder);
    }
    return true;
}

}  // namespace emissary::hub::usage
