// Lines in files of a folder, a new file each day and whenever one has become too large.
#pragma once

#include "eta/core/Refused.h"
#include "hub/audit/folder_lock.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::audit {

struct DayFileRules {
    std::string folder;
    std::uint64_t bytes = 64u << 20;  ///< of one file; a line is never divided, so a file of one line may have more
    std::uint32_t files = 0;          ///< that are kept, the one that is written included; 0 = all
};

/// FOLDER/audit-2026-11-28-00001.jsonl: names in the order of the alphabet are in the order of time. The day of a file
/// never goes back, whatever the clock does: lines of an earlier day go into the latest file. One thread at a time.
class DayFiles {
public:
    explicit DayFiles(DayFileRules rules) : rules_(std::move(rules)) {}
    ~DayFiles();
    DayFiles(const DayFiles&) = delete;
    DayFiles& operator=(const DayFiles&) = delete;

    /// Opens the latest file, or makes the first one, of that day (days since 1970). Refused: the text names the file.
    [[nodiscard]] eta::Refused open(std::int64_t day);
    /// Writes lines of one day, each with its line feed, of which `ends` has the places behind the line feeds. Returns
    /// how many were written whole; of the others nothing is in the file, or it is set off from the next line by a
    /// line feed. Fewer than all: see failure().
    [[nodiscard]] std::size_t write(std::int64_t day, std::string_view lines, const std::vector<std::size_t>& ends);
    /// Has what was written reach the disk. False: see failure().
    [[nodiscard]] bool sync();
    /// The next write() opens its file anew.
    void close() noexcept;

    [[nodiscard]] const std::string& failure() const noexcept { return failure_; }
    /// Of the file that is written, or was last.
    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    /// The last line that is whole, of the latest file that has one; empty: there is none.
    [[nodiscard]] std::string lastLine() const;
    [[nodiscard]] std::uint64_t opened() const noexcept { return opened_; }
    [[nodiscard]] std::uint64_t removed() const noexcept { return removed_; }

private:
    /// A file by its name.
    struct Place {
        std::int64_t day = 0;
        std::uint32_t number = 0;
    };
    [[nodiscard]] std::string nameOf(Place place) const;
    /// Names of the folder's files, the oldest first.
    [[nodiscard]] std::vector<std::string> list() const;
    [[nodiscard]] static std::optional<Place> placeOf(std::string_view name) noexcept;
    [[nodiscard]] bool openAt(Place place);
    /// The file under its name is not the open one any more.
    [[nodiscard]] bool movedAway() const noexcept;
    [[nodiscard]] bool ready(std::int64_t day, std::size_t more);
    [[nodiscard]] bool writeAll(std::string_view bytes);
    /// Keeps the reason, of errno; false.
    bool fail(const std::string& what);
    void prune();

    const DayFileRules rules_;
    FolderLock lock_;
    int fd_ = -1;
    Place place_;
    std::string path_, failure_;
    std::uint64_t size_ = 0, opened_ = 0, removed_ = 0;
    bool torn_ = false;      // the file ends without a line feed
    bool tooLarge_ = false;  // the system takes no more into this file
};

}  // namespace emissary::hub::audit
