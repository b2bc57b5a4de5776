// The thread that puts files of use in place.
#pragma once

#include "hub/usage/Table.h"
#include "hub/usage/usage_counts.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace emissary::hub::usage {

/// Writes FOLDER/usage-DAY.csv beside its place, makes it reach the disk, and puts it there: whatever happens, the file
/// is whole. Only the latest snapshot of a day is kept. Made, started and stopped by one thread.
class DayWriter {
public:
    DayWriter(std::string folder, std::chrono::milliseconds retry) : folder_(std::move(folder)), retry_(retry) {}
    ~DayWriter() { (void)stop(); }
    DayWriter(const DayWriter&) = delete;
    DayWriter& operator=(const DayWriter&) = delete;

    /// Throws std::system_error when there is no thread.
    void start();
    /// Any thread. Throws std::bad_alloc.
    void put(Snapshot snapshot);
    /// Writes what waits, if it can be written at once. False: it cannot.
    bool stop() noexcept;

    struct Note {
        bool failure = false;
        std::string text;
    };
    /// What there is to say since the last call.
    [[nodiscard]] std::vector<Note> takeNotes();
    [[nodiscard]] const WriterCounts& counts() const noexcept { return counts_; }

private:
    void run();
    /// False: `failure_` says why.
    [[nodiscard]] bool write(const Snapshot& snapshot);

    const std::string folder_;
    const std::chrono::milliseconds retry_;
    WriterCounts counts_;
    std::string failure_;  // writer's thread
    bool failing_ = false;

    std::mutex mutex_;
    std::condition_variable wake_;
    // Guarded by mutex_:
    std::map<std::int64_t, Snapshot> waiting_;  // by day
    std::vector<Note> notes_;
    bool ends_ = false;

    std::thread thread_;
};

}  // namespace emissary::hub::usage
