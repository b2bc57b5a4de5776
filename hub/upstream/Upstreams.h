// All upstream connections of a hub, with what decides who serves an item (hub.md 4.1 to 4.3).
#pragma once

#include "hub/upstream/Dictionaries.h"
#include "hub/upstream/InteractiveSupply.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace emissary::hub::upstream {

/// Borrowed; all of it outlives the connections.
struct UpstreamsRooms {
    reactor::Reactor& reactor;
    ItemTable& items;
    ServiceTable& services;
    flow::ItemFlow& flow;
    directory::Merge& merge;
    directory::GroupStates& groupStates;
    ViewTable& views;
    AckSink& acks;
};

/// Made before the first offer: the merge is told who serves services of upstream connections. On the reactor's thread.
class Upstreams {
public:
    struct Options {
        std::vector<SourceSettings> sources;
        bool download = true;  ///< dictionaries are taken from sources
        bool acceptMismatch = false;
        std::function<void(const Dictionaries::Dictionary&)> dictionary;  ///< another one is in use; may be empty
        LogLine log;                                                      ///< may be empty
    };
    /// Sources have the numbers from 1 on, in their order.
    Upstreams(const UpstreamsRooms& rooms, Options options);
    ~Upstreams() { supply_.forgetSeconds(); }
    Upstreams(const Upstreams&) = delete;
    Upstreams& operator=(const Upstreams&) = delete;

    void start();
    /// Logs out everywhere; nothing follows.
    void shutdown();
    /// In the order of their settings; without those that leave.
    [[nodiscard]] const std::vector<std::unique_ptr<UpstreamSource>>& sources() const noexcept { return sources_; }
    /// Sources of other settings, made and not started, for change(). Empty: there is no number for one more.
    using Fresh = std::vector<std::unique_ptr<UpstreamSource>>;
    [[nodiscard]] std::optional<Fresh> prepare(const std::vector<SourceSettings>& next);
    /// Brings the sources to other settings: new ones are started, those without settings leave, and those whose
    /// connection is to be another one make it anew. `fresh` is prepare()'s for the same settings. True: sources that
    /// were there before stand in another order.
    bool change(const std::vector<SourceSettings>& next, Fresh fresh);
    [[nodiscard]] std::size_t leaving() const noexcept { return leaving_.size(); }
    /// Numbers of sources are below; those from here on are other kinds' (delay, publisher).
    static constexpr std::uint16_t kNumbers = 0x4000;
    /// What the hub uses: messages of sources that speak JSON and provide no dictionary are read with it.
    void useDictionary(const Dictionaries::Dictionary& dictionary) {
        spare_ = dictionary;
        for (const auto& source : sources_)
            source->useDictionary(dictionary);
    }
    [[nodiscard]] const Dictionaries::Dictionary& dictionary() const noexcept { return dictionaries_.inUse(); }
    [[nodiscard]] InteractiveSupply& supply() noexcept { return supply_; }

private:
    [[nodiscard]] UpstreamSource* find(std::string_view name) const noexcept;
    /// That nobody has, and, while there are few, whose bit nobody has either (Lanes::bit()). 0: there is none.
    [[nodiscard]] std::uint16_t freeNumber(const Fresh& fresh) noexcept;

    InteractiveSupply supply_;
    Dictionaries dictionaries_;
    const UpstreamRooms rooms_;
    const bool download_;
    Dictionaries::Dictionary spare_;  // for sources that provide none
    std::uint16_t last_ = 0;          // number that was given last
    std::vector<std::unique_ptr<UpstreamSource>> sources_, leaving_;
};

}  // namespace emissary::hub::upstream
