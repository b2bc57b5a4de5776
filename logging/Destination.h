// logging: the destinations of records: shared by the instances that name the same, with a count of lost records.
#pragma once

#include "formats.h"

#include "eta/core/Refused.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace emissary::logging {

/// Any thread.
class Destination {
public:
    Destination() = default;
    virtual ~Destination() = default;
    Destination(const Destination&) = delete;
    Destination& operator=(const Destination&) = delete;

    /// Hands a record on. When records were lost before, that is said first; until it can be said, more are lost.
    /// Throws std::bad_alloc.
    void write(const LogRecord& record, const RecordForm& form);
    /// False if the file was moved or deleted: the next open() has to create it again.
    [[nodiscard]] virtual bool current() { return true; }

protected:
    /// One at a time. Refused: the record is lost, for that reason.
    [[nodiscard]] virtual eta::Refused put(const LogRecord& record, const RecordForm& form) = 0;
    std::mutex mutex_;

private:
    [[nodiscard]] bool saidWhatWasLost(const LogRecord& next, const RecordForm& form);

    std::uint64_t lost_ = 0;                // guarded by mutex_
    std::string reason_;                    // of the last one that was lost; guarded by mutex_
    std::atomic<std::uint64_t> nested_{0};  // records that were made inside put()
};

/// What the settings name: the one that is there, or a new one; standard error where there is no journal. Null when
/// refused; `fileName` is that of a log file. `news` is not empty when there is something to be logged about it.
[[nodiscard]] std::shared_ptr<Destination> openDestination(const LoggerSettings& settings, std::string& fileName,
                                                           std::string& news, eta::Refused& refused);

}  // namespace emissary::logging
