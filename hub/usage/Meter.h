// Counts who uses what, beside the connections that items are sent to (hub.md 14.2).
#pragma once

#include "eta/core/Clock.h"
#include "eta/core/Refused.h"
#include "hub/audit/folder_lock.h"
#include "hub/config/HubSettings.h"
#include "hub/core/Client.h"
#include "hub/core/ItemTable.h"
#include "hub/core/Outputs.h"
#include "hub/core/Service.h"
#include "hub/core/log.h"
#include "hub/usage/DayWriter.h"
#include "hub/usage/Table.h"
#include "hub/usage/usage_counts.h"
#include "reactor/MetricSource.h"
#include "reactor/memory.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace emissary::hub::usage {

struct MeterOptions {
    UsageSettings settings;
    std::function<eta::WallClock::time_point()> wallClock;  ///< empty = the system's
    LogLine log;                                            ///< may be empty
    std::chrono::milliseconds retry{1000};                  ///< after a failure to write
};

/// Borrowed; all of it outlives the meter.
struct MeterRooms {
    reactor::Reactor& reactor;
    ItemTable& items;
    ClientTable& clients;
    ServiceTable& services;
    Outputs& outputs;  ///< it observes them for as long as it lives
};

/// A hub without UsageFolder has none of it. An update costs one addition, whatever the number of its mounts: how many
/// a mount has had is the difference of two counts of its item, taken from time to time in slices, when it is paused,
/// and when it goes. Stage thread only, with the session lock held.
class Meter final : MountObserver {
public:
    Meter(MeterOptions options, const MeterRooms& rooms);
    /// What was counted is written.
    ~Meter();
    Meter(const Meter&) = delete;
    Meter& operator=(const Meter&) = delete;

    /// Goes on with what an earlier run has written on this day. Refused: nothing can be written in the folder.
    [[nodiscard]] eta::Refused start();

private:
    // --- MountObserver
    void sent(Item& item, const Msg& msg, To to) noexcept override;
    void sent(Item& item, const Mount& mount, const Msg& msg) noexcept override { hadImage(item, mount, msg); }
    void mounted(Item& item, const Mount& mount) noexcept override;
    void unmounted(Item& item, const Mount& mount, Leaves how) noexcept override;
    void quietened(Item& item, Mount& mount) noexcept override;
    void enlivened(const Item& item, const Mount& mount) noexcept override;

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    /// An open stream.
    struct Stream {
        std::uint64_t from = 0;      ///< updates of its item that it has not had, or that were counted
        std::uint32_t item = kNone;  ///< index; kNone: nobody's
        Table::RowId row = kNone;    ///< kNone: it has had no image yet
        std::uint32_t client = 0;
        bool snapshot = false, quiet = false;
    };
    /// Of an item by its index.
    struct Seen {
        std::uint64_t updates = 0;
        std::uint32_t unplaced = 0;  ///< streams without a row
    };
    [[nodiscard]] Stream* find(const Mount& mount) noexcept;
    [[nodiscard]] Seen& seen(const Item& item);
    void hadImage(const Item& item, const Mount& mount, const Msg& msg) noexcept;
    /// Now its row is known.
    void place(const Item& item, Stream& stream) noexcept;
    void fold(Stream& stream) noexcept;
    void foldAll() noexcept;
    void tick();
    void write();
    [[nodiscard]] std::int64_t today() const;
    void log(Severity severity, const std::string& line) const {
        if (options_.log) options_.log(severity, line);
    }

    const MeterOptions options_;
    reactor::Reactor& reactor_;
    ItemTable& items_;
    ClientTable& clients_;
    ServiceTable& services_;
    Outputs& outputs_;
    Table table_;
    DayWriter writer_;
    audit::FolderLock lock_;
    Counts counts_;
    reactor::ItemVector<Stream> streams_;
    reactor::ItemVector<std::uint32_t> free_;
    std::vector<reactor::ItemMap<std::int32_t, std::uint32_t>> places_;  // by client, stream id
    reactor::ItemVector<Seen> seen_;
    std::size_t next_ = 0;  // stream that is looked at next
    std::uint32_t ticks_ = 0;
    bool started_ = false;
    reactor::TimerId timer_ = 0;
    reactor::MetricSource metrics_;
};

}  // namespace emissary::hub::usage
