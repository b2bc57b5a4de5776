// Items that posts have made, and their memory: bounded for each user and in all (hub.md 7.2).
#pragma once

#include "hub/core/Item.h"
#include "reactor/memory.h"

#include <string>

namespace emissary::hub::post {

/// Items that only posts have made (Item::onlyPosted), each charged to the user whose post made it. On the reactor's
/// thread.
class PostedItems {
public:
    /// Bytes; 0 = no limit.
    struct Limits {
        std::uint64_t image = 0, ofUser = 0, all = 0;
    };
    static constexpr std::size_t kOfItem = 512;  ///< bytes that one costs beside its image

    explicit PostedItems(const Limits& limits) noexcept : limits_(limits) {}

    [[nodiscard]] const Limits& limits() const noexcept { return limits_; }
    /// Bytes of the item's image, or more; 0 of one that is not known here.
    [[nodiscard]] std::size_t image(const Item& item) const noexcept;
    /// Whether a post of this user may make an item (null), or give this item an image of `image` bytes.
    [[nodiscard]] bool mayHave(const std::string& user, const Item* item, std::size_t image) const noexcept;
    /// It has it now. Throws std::bad_alloc.
    void charge(const std::string& user, const Item& item, std::size_t image);
    /// The item is gone, or a publisher has published it.
    void forget(const Item& item) noexcept;
    [[nodiscard]] std::uint64_t bytes() const noexcept { return all_; }
    [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }

private:
    struct Entry {
        std::string user;
        std::size_t image = 0;
    };
    const Limits limits_;
    std::uint64_t all_ = 0;
    reactor::ItemMap<std::uint32_t, Entry> items_;         // by item number
    reactor::ItemMap<std::string, std::uint64_t> byUser_;  // bytes
};

}  // namespace emissary::hub::post
