// Mounts and items that go.
#pragma once

#include "hub/flow/Images.h"
#include "hub/flow/ItemFlow.h"
#include "hub/flow/ItemLife.h"

#include <functional>

namespace emissary::hub::flow {

class Ends {
public:
    Ends(Rooms& rooms, Images& images, Counts& counts) noexcept : rooms_(rooms), images_(images), counts_(counts) {}

    /// Removes the mount at place `at` without a message; another mount may take its place.
    void unmount(Item& item, std::uint32_t at) noexcept;
    void unmountAll(Item& item) noexcept;
    /// The message goes to everybody, then mounts, image and item go.
    void close(Item& item, const Msg& last);
    /// Image, group and record; the mounts are gone.
    void erase(Item& item) noexcept;
    /// A source has the item from now on, or it goes.
    void notPosted(Item& item) noexcept;
    std::function<void(const Item&)> postedGone;  ///< ItemFlow::onPostedGone()
    /// Sends this state to all mounts; mounts of clients that do not allow suspect data end with it (hub.md 2.3).
    void state(Item& item, const eta::codec::State& state, Tell tell);
    /// Sets the item's state and keeps count.
    void keepState(Item& item, const eta::codec::State& state);

private:
    Rooms& rooms_;
    Images& images_;
    Counts& counts_;
    Headers headers_;
};

}  // namespace emissary::hub::flow
