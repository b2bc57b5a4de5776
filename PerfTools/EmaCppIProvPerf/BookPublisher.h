// The generated order books of a provider's open items.
#pragma once
#include "EmaBooks.h"
#include "ItemList.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>

namespace emissary::perf {

/// One book for each open MarketByOrder or MarketByPrice item, made from its name: items of one name follow the same
/// book. Used by the publishing thread only.
class BookPublisher {
public:
    /// With 0 orders there are no books.
    explicit BookPublisher(std::uint32_t ordersPerSide) noexcept : orders_(ordersPerSide) {}
    [[nodiscard]] bool serves(Domain domain) const noexcept { return orders_ != 0 && domain != Domain::marketPrice; }

    void open(std::uint64_t client, std::uint64_t handle, Domain domain, std::string_view name);
    /// Makes an image of the item's whole book, after its updates.
    void fill(refinitiv::ema::access::RefreshMsg& image, std::uint64_t handle, Domain domain);
    /// The next update; the same one until sent() is called.
    const refinitiv::ema::access::Map& next(std::uint64_t handle);
    void sent(std::uint64_t handle);
    /// The sequence number of the update that next() gave, or of the image.
    [[nodiscard]] std::uint32_t sequence(std::uint64_t handle) const;
    void close(std::uint64_t handle) { items_.erase(handle); }
    void forget(std::uint64_t client);

private:
    struct Item {
        Item(std::uint64_t c, std::string_view name, BookItem::Content content, std::uint32_t orders)
            : client(c), book(name, content, orders) {}
        std::uint64_t client;
        BookItem book;
        const refinitiv::ema::access::Map* pending = nullptr;
    };
    std::uint32_t orders_;
    boost::unordered_flat_map<std::uint64_t, std::unique_ptr<Item>> items_;  // by handle
};

}  // namespace emissary::perf
