// All upstream connections of a hub, with what decides who serves an item (hub.md 4.1 to 4.3).
#pragma once

#include "hub/upstream/Dictionaries.h"
#include "hub/upstream/InteractiveSupply.h"

#include <memory>
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
    [[nodiscard]] const std::vector<std::unique_ptr<UpstreamSource>>& sources() const noexcept { return sources_; }
    /// What the hub uses: messages of sources that speak JSON and provide no dictionary are read with it.
    void useDictionary(const Dictionaries::Dictionary& dictionary) {
        for (const auto& source : sources_)
            source->useDictionary(dictionary);
    }
    [[nodiscard]] const Dictionaries::Dictionary& dictionary() const noexcept { return dictionaries_.inUse(); }
    [[nodiscard]] InteractiveSupply& supply() noexcept { return supply_; }

private:
    InteractiveSupply supply_;
    Dictionaries dictionaries_;
    std::vector<std::unique_ptr<UpstreamSource>> sources_;
};

}  // namespace emissary::hub::upstream
