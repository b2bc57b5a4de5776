// The thread that writes lines of the audit log, and the bounded queue in front of it.
#pragma once

#include "eta/core/Clock.h"
#include "hub/audit/DayFiles.h"
#include "hub/audit/audit_counts.h"
#include "hub/config/HubSettings.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace emissary::hub::audit {

/// Made, opened, started and stopped by one thread. A disk that takes nothing holds up the writer alone: it says so
/// once, tries again, and lines wait meanwhile.
class LineWriter {
public:
    using Sync = AuditSettings::Sync;
    struct Options {
        DayFileRules files;
        Sync sync = Sync::interval;
        std::uint64_t queueBytes = 8u << 20;    ///< of lines that wait; a line that finds less room is not taken
        std::chrono::milliseconds retry{1000};  ///< after a failure
    };

    explicit LineWriter(Options options) : options_(std::move(options)), files_(options_.files) {}
    ~LineWriter() { (void)stop(); }
    LineWriter(const LineWriter&) = delete;
    LineWriter& operator=(const LineWriter&) = delete;

    /// Opens the latest file, or the first one, of that day. Before start().
    [[nodiscard]] eta::Refused open(std::int64_t day) { return files_.open(day); }
    /// The last line that is there already. Before start().
    [[nodiscard]] std::string lastLine() const { return files_.lastLine(); }
    /// Throws std::system_error when there is no thread.
    void start();
    /// Writes what waits, as far as it can be written at once, and ends the thread. Returns how many lines were not.
    std::uint64_t stop() noexcept;

    /// Any thread. `line` ends with a line feed. False: there is no room, and the line was not taken; `forced` lines
    /// are taken always. Throws std::bad_alloc.
    bool add(std::int64_t day, std::string_view line, bool forced = false);

    /// What there is to say since the last call: failures, and that lines are written again.
    struct Note {
        bool failure = false;
        std::string text;
    };
    [[nodiscard]] std::vector<Note> takeNotes();
    [[nodiscard]] std::uint64_t waitingBytes() const;
    [[nodiscard]] const WriterCounts& counts() const noexcept { return counts_; }

private:
    struct Lines {
        struct Mark {
            std::size_t end;  // behind its line feed
            std::int64_t day;
        };
        std::string text;
        std::vector<Mark> marks;  // one for each
        [[nodiscard]] bool empty() const noexcept { return marks.empty(); }
        void clear() noexcept {
            text.clear();
            marks.clear();
        }
    };
    void run();
    /// What was written is no longer in hand_. False: it failed.
    [[nodiscard]] bool write();
    [[nodiscard]] bool sync();
    void succeeded();
    void failed();
    void dropFirst(std::size_t lines);

    const Options options_;
    DayFiles files_;  // before start() and after stop() the owner's, else the writer's thread's
    WriterCounts counts_;
    Lines hand_;  // the same: what is being written
    std::uint64_t failures_ = 0;
    bool dirty_ = false;  // written, and not made to reach the disk
    eta::TimePoint syncAt_{};

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    // Guarded by mutex_:
    Lines waiting_;
    std::size_t inHand_ = 0;  // bytes
    std::vector<Note> notes_;
    bool ends_ = false;

    std::thread thread_;
};

}  // namespace emissary::hub::audit
