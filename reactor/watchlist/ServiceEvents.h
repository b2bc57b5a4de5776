// The source directory's effects on streams: services come, change and go, groups move.
#pragma once

#include "watchlist/Delivery.h"

#include <string_view>
#include <vector>

namespace emissary::reactor::consumer {

/// Session lock held throughout; on the dispatching thread.
class ServiceEvents {
public:
    ServiceEvents(Services& services, StreamTable& streams, Recovery& recovery, Delivery& delivery)
        : services_(services), streams_(streams), recovery_(recovery), delivery_(delivery) {}

    void onAdded(const rdm::Service& service);
    void onChanged(const rdm::Service& service);
    void onDeleted(const rdm::Service& service);
    /// The states and merges that count are those of the server whose data count: `from`, a channel or
    /// ServiceEntry::kActive.
    void onStatus(std::uint32_t from, const rdm::Service& service, const eta::codec::State& state);
    void onGroupMerged(std::uint32_t from, const rdm::Service& service, Bytes group, Bytes into);
    void onGroupStatus(std::uint32_t from, const rdm::Service& service, Bytes group, const eta::codec::State& state);
    /// The server whose data count has not got the service (any more).
    void onGone(ServiceEntry& service) { lost(service, "Service for this item was lost.", false); }
    /// The login stream was closed for good: every item ends.
    void onLoginClosed();

private:
    struct Lost {
        Stream* stream;
        std::uint8_t state;  ///< the state that its sharers get; any state but Open ends them
    };
    void lost(ServiceEntry& service, std::string_view text, bool final);
    void tell(const std::vector<Lost>& lost, std::string_view text);
    [[nodiscard]] ServiceEntry* find(std::uint32_t from, const rdm::Service& service) noexcept;
    struct Target {
        Stream* stream;
        std::int32_t wireId;
    };
    [[nodiscard]] std::vector<Target> membersOf(const ServiceEntry& service, rdm::ItemGroups::Number group);
    void fanOut(const std::vector<Target>& targets, const eta::codec::State& state);

    Services& services_;
    StreamTable& streams_;
    Recovery& recovery_;
    Delivery& delivery_;
};

}  // namespace emissary::reactor::consumer
