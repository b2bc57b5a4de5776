// Finds rows by their names, and adds up what is held.
#include "hub/usage/Table.h"

#include "eta/core/printable.h"

namespace emissary::hub::usage {

namespace {
constexpr std::size_t kMostBytes = 256;  // of a name
}

Table::Table(std::uint32_t most, std::int64_t day) : most_(most), day_(day) {
    rows_.push_back({std::make_shared<const Key>(kOthers), {}, 0, {}});
}

std::string Table::textOf(const Key& key) {
    return key.user + '\0' + key.service + '\0' + key.product;  // names are printable
}

Table::RowId Table::row(std::string_view user, std::string_view service, std::string_view product) {
    // Names come from clients: their length is bounded, and the file stays text.
    return place({eta::printable(user.substr(0, kMostBytes)), eta::printable(service.substr(0, kMostBytes)),
                  eta::printable(product.substr(0, kMostBytes))});
}

Table::RowId Table::place(const Key& key) {
    if (key == kOthers) return kOthersRow;
    std::string text = textOf(key);
    if (const auto found = byKey_.find(text); found != byKey_.end()) return found->second;
    // Beyond the bound of rows all use is added up in one row, and counted as such.
    if (byKey_.size() >= most_) {
        ++others_;
        return kOthersRow;
    }
    auto shared = std::make_shared<const Key>(key);
    RowId id = 0;
    if (free_.empty()) {
        id = static_cast<RowId>(rows_.size());
        if (free_.capacity() <= rows_.size()) free_.reserve(rows_.size() * 2 + 16);
        rows_.emplace_back();
    } else {
        id = free_.back();
        free_.pop_back();
    }
    byKey_.emplace(std::move(text), id);
    rows_[id] = {std::move(shared), {}, 0, {}};
    return id;
}

void Table::settle(Row& row, eta::TimePoint now) noexcept {
    // Time times open streams, added up at each change: no timer for each stream.
    row.numbers.held += std::chrono::duration_cast<std::chrono::nanoseconds>(now - row.since) * row.open;
    row.since = now;
}

void Table::opened(RowId id, eta::TimePoint now) {
    Row& row = at(id);
    settle(row, now);
    ++row.open;
    ++row.numbers.opened;
}

void Table::closed(RowId id, eta::TimePoint now) {
    Row& row = at(id);
    settle(row, now);
    --row.open;
}

Snapshot Table::take(eta::TimePoint now) {
    Snapshot made;
    made.day = day_;
    made.rows.reserve(rows_.size());
    for (Row& row : rows_) {
        if (!row.key) continue;
        settle(row, now);
        if (row.numbers.any()) made.rows.push_back({row.key, row.numbers});
    }
    return made;
}

void Table::begin(std::int64_t day, eta::TimePoint now) {
    day_ = day;
    for (RowId id = 0; id < rows_.size(); ++id) {
        Row& row = rows_[id];
        if (!row.key) continue;
        settle(row, now);
        // Rows without an open stream go with their day. The others start the new day at zero.
        row.numbers = {};
        if (row.open != 0 || id == kOthersRow) continue;
        byKey_.erase(textOf(*row.key));
        row.key.reset();
        free_.push_back(id);
    }
}

}  // namespace emissary::hub::usage
