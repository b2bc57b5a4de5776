// The images of all services, and refreshes made from them.
#pragma once

#include "hub/cache/ImageStore.h"
#include "hub/flow/Headers.h"
#include "hub/flow/Rooms.h"
#include "reactor/GrowingBuffer.h"

#include <memory>
#include <vector>

namespace emissary::hub::flow {

class Images {
public:
    Images(Rooms& rooms, std::size_t partBytes) noexcept : rooms_(rooms), partBytes_(partBytes) {}

    [[nodiscard]] cache::ImageStore& store(std::uint16_t service);
    /// The id is another service's from now on, with settings of its own; the images of the one before are gone.
    void renew(std::uint16_t service) noexcept {
        if (service < stores_.size() && stores_[service] && stores_[service]->images() == 0) stores_[service].reset();
    }
    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary);

    [[nodiscard]] cache::Applied apply(Item& item, const Msg& msg, bool replace);
    void drop(Item& item) noexcept;
    /// Another image of the same store takes the place of the item's, which is dropped.
    void replace(Item& item, cache::ImageId image) noexcept {
        drop(item);
        item.image = image;
    }
    /// See ImageStore; of any record.
    void prefetch(const Item& item) const noexcept {
        if (item.image != 0 && item.service < stores_.size() && stores_[item.service])
            stores_[item.service]->prefetch(item.image);
    }
    void abandonParts(Item& item) noexcept;
    /// It is as much out of date as it was before a message that was made of it.
    void distrust(const Item& item) noexcept {
        if (item.image != 0) stores_[item.service]->distrust(item.image, true);
    }
    /// A late joiner can be served from it.
    [[nodiscard]] bool usable(const Item& item) noexcept;
    /// The image is out of date, and this refresh, which begins, takes its place.
    [[nodiscard]] bool heals(const Item& item, const Msg& msg) const noexcept;
    /// Parts of a refresh are missing.
    [[nodiscard]] bool incomplete(const Item& item) noexcept;

    /// Refreshes to the mounts that `to` names, in parts where they are large. An image that cannot be written (larger
    /// than any message) goes as a refresh without payload that says so with its state.
    void send(Item& item, To to);
    /// To one mount; `streaming` false: NonStreaming, for a snapshot.
    void send(Item& item, const Mount& mount, bool solicited, bool streaming);
    /// To the mounts that wait for a snapshot, as NonStreaming, and with `streams` to the others that wait, as Open;
    /// written once for each of the two.
    void sendWaiting(Item& item, bool streams);

private:
    template <class Out>
    void write(Item& item, bool solicited, bool streaming, Out&& out);

    Rooms& rooms_;
    const std::size_t partBytes_;
    std::vector<std::unique_ptr<cache::ImageStore>> stores_;  // by local service id
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary_;
    Headers headers_;
    reactor::GrowingBuffer payload_{16384};
};

}  // namespace emissary::hub::flow
