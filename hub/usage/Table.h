// Rows of use of the day that runs, with the streams that are open now.
#pragma once

#include "eta/core/Clock.h"
#include "hub/usage/Numbers.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace emissary::hub::usage {

/// What there is at a moment: keys are shared with the table, and do not change.
struct Snapshot {
    struct Row {
        std::shared_ptr<const Key> key;
        Numbers numbers;
    };
    std::int64_t day = 0;  ///< since 1970, UTC
    std::vector<Row> rows;
};

/// Bounded: with `most` rows, all that is new goes into the row of the others. The time of open streams is added up for
/// a row as a whole: nothing is looked at for each stream. One thread.
class Table {
public:
    using RowId = std::uint32_t;
    static constexpr RowId kOthersRow = 0;

    explicit Table(std::uint32_t most, std::int64_t day);

    /// Found or made. The texts are as peers sent them.
    [[nodiscard]] RowId row(std::string_view user, std::string_view service, std::string_view product);
    /// Of an earlier run on the same day.
    void add(const Key& key, const Numbers& numbers) { at(place(key)).numbers += numbers; }
    void opened(RowId row, eta::TimePoint now);
    void closed(RowId row, eta::TimePoint now);
    void updated(RowId row, std::uint64_t updates) { at(row).numbers.updates += updates; }
    void snapshot(RowId row) { ++at(row).numbers.snapshots; }

    /// Rows with numbers.
    [[nodiscard]] Snapshot take(eta::TimePoint now);
    /// Numbers begin at 0; rows without open streams go.
    void begin(std::int64_t day, eta::TimePoint now);
    [[nodiscard]] std::int64_t day() const noexcept { return day_; }
    [[nodiscard]] std::size_t size() const noexcept { return byKey_.size(); }
    /// Times that something went into the row of the others.
    [[nodiscard]] std::uint64_t others() const noexcept { return others_; }

private:
    struct Row {
        std::shared_ptr<const Key> key;  // null: free
        Numbers numbers;
        std::uint32_t open = 0;
        eta::TimePoint since{};  // held has what was before
    };
    [[nodiscard]] RowId place(const Key& key);
    [[nodiscard]] Row& at(RowId row) noexcept { return rows_[row]; }
    static void settle(Row& row, eta::TimePoint now) noexcept;
    [[nodiscard]] static std::string textOf(const Key& key);

    const std::uint32_t most_;
    std::int64_t day_;
    std::vector<Row> rows_;
    std::vector<RowId> free_;
    std::unordered_map<std::string, RowId> byKey_;
    std::uint64_t others_ = 0;
};

}  // namespace emissary::hub::usage
