// The application's items: records, their requests, batches, and statuses that are made here.
#pragma once

#include "reactor/GrowingBuffer.h"
#include "routing/Item.h"
#include "routing/WantedServices.h"

#include <string>

namespace emissary::reactor::routing {

class RoutedItems final : private RequestTable::Observer {
public:
    RoutedItems(Reactor& reactor, RequestTable& requests) noexcept;
    ~RoutedItems() override;
    RoutedItems(const RoutedItems&) = delete;
    RoutedItems& operator=(const RoutedItems&) = delete;

    [[nodiscard]] Item* find(Handle handle) noexcept;
    [[nodiscard]] Item& add(const eta::codec::Msg& msg, Wanted* wanted, const Subscriber& subscriber);
    /// Keeps the request as it would be made now.
    void store(Item& item, const eta::codec::Msg& msg);
    /// The record goes; the request with it, unless a last status has to find it.
    void release(Item& item, bool keepRequest);
    /// Ends with a status that is delivered from the loop.
    void refuse(Item& item, std::uint8_t stream, std::uint8_t code, std::string text);
    /// A status that is delivered from the loop.
    void tell(Item& item, std::uint8_t stream, std::uint8_t code, std::string text, bool ends);

    /// `items` items stand for one request, which ends with the last item.
    void beginBatch(Handle batch, std::size_t items) { batches_[batch] = static_cast<std::uint32_t>(items); }
    void cancelBatch(Handle batch) noexcept { batches_.erase(batch); }

    /// Calls `f` with every item; it may release them.
    template <class F>
    void forEach(F&& f) {
        for (std::size_t i = 0; i < byRequest_.size(); ++i)
            if (Item* item = byRequest_[i]; item != nullptr) f(*item);
    }
    /// The login was paused or resumed, and with it every item but dictionaries.
    void pauseAll(bool paused) noexcept;
    void trim() noexcept;
    [[nodiscard]] std::size_t places() const noexcept { return pool_.capacity() + batches_.bucket_count(); }

private:
    void onRelease(const Request& r) override;
    void onInternalNotice(const eta::codec::Msg&, Handle) override {}  // the sessions have such requests

    Reactor& reactor_;
    RequestTable& requests_;
    Pool<Item> pool_;
    ItemVector<Item*> byRequest_;             // by index of the request
    ItemMap<Handle, std::uint32_t> batches_;  // items that have not ended
    GrowingBuffer buffer_;
};

}  // namespace emissary::reactor::routing
