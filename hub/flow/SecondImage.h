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
    PartOrder parts;  ///< of its refreshes
    std::vector<std::byte> group, permData;

    /// What a message of its source says beside the payload. False: messages before it are missing (SeqNumGaps), or a
    /// part of a refresh before it.
    [[nodiscard]] bool note(const Item& item, const Msg& msg);
    /// Its source has another stream of the item: nothing that was said on the one before counts, but for the image,
    /// which the next refresh replaces.
    void restart() noexcept;
    /// The payload of a message; `replace` as in ImageStore::apply(). An image that cannot be kept up to date is
    /// dropped; without `keeps` there is none. False: the payload is malformed.
    [[nodiscard]] bool apply(cache::ImageStore& store, const Msg& msg, bool replace, bool keeps) noexcept;
    /// It can be shown to clients.
    [[nodiscard]] bool usable(const cache::ImageStore& store) const noexcept {
        return image != 0 && store.complete(image) && store.current(image);
    }
};

}  // namespace emissary::hub::flow
