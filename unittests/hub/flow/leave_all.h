// All streams of a client, for tests of the rooms below the one that does this step by step.
#pragma once

#include "hub/flow/ItemFlow.h"

#include <vector>

namespace emissary::test {

[[nodiscard]] inline std::vector<std::int32_t> streamsOf(const hub::Client& client) {
    std::vector<std::int32_t> streams;
    for (const auto& mount : client.mounts)
        streams.push_back(mount.first);
    return streams;
}
inline void leaveAll(hub::flow::ItemFlow& flow, hub::Client& client) {
    for (const std::int32_t stream : streamsOf(client))
        flow.leave(client, stream);
}
inline void settleAll(hub::flow::ItemFlow& flow, hub::Client& client) {
    for (const std::int32_t stream : streamsOf(client))
        flow.settle(client, stream);
}

}  // namespace emissary::test
