// What is kept of an item from a source that does not serve it.
#pragma once

#include "hub/cache/ImageStore.h"
#include "hub/core/Item.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace emissary::hub::flow {

/// What a source says of an item that another source serves, so that it can go on with the item (ItemFlow::takeOver).
/// Its image has a place of its own in the store of the service.
struct SecondImage {
    cache::ImageId image = 0;  ///< 0: nothing to show, as where the domain is not cached
    std::uint8_t containerType = 0;
    bool hasSeqNum = false;
    std::uint32_t seqNum = 0;  ///< of its last message that had one
    eta::codec::Qos qos;
    std::vector<std::byte> group, permData;
};

}  // namespace emissary::hub::flow
