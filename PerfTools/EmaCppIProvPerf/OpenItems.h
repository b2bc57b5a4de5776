// PerfTools/EmaCppIProvPerf: the open items of a provider, by connection.
#pragma once
#include "ImageShare.h"
#include "ItemList.h"
#include "TemplateTurns.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::perf {

/// Counts from 1 on each stream; as large as there are streams that were counted on. Used by one thread.
class StreamNumbers {
public:
    [[nodiscard]] std::uint32_t next(std::uint64_t handle) { return ++last_[handle]; }
    /// The update was not sent: its number is the next one's.
    void takeBack(std::uint64_t handle) {
        if (const auto at = last_.find(handle); at != last_.end()) --at->second;
    }
    /// The stream has ended; another one may get its handle.
    void forget(std::uint64_t handle) { last_.erase(handle); }

private:
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> last_;
};

/// An item whose image was sent: it takes part in updates.
struct OpenItem {
    std::uint64_t handle = 0;
    std::uint64_t nameHash : 48 = 0;  ///< finds the item of an off-stream post
    Domain domain : 8 = Domain::marketPrice;
    bool takesGenerics : 1 = false;
};
static_assert(sizeof(OpenItem) == 16);

/// An open item that takes generic messages.
struct GenericItem {
    std::uint64_t handle = 0;
    Domain domain = Domain::marketPrice;
};

/// An item that waits for its image.
struct WaitingItem {
    std::uint64_t handle = 0;
    std::uint32_t ticket = 0;  ///< tells a stream apart from a later one with the same handle
    std::uint32_t serviceId = 0;
    std::uint32_t nameLength = 0;
    Domain domain = Domain::marketPrice;
    bool streaming = true;
    bool takesGenerics = false;
    bool again = false;  ///< the item is open already: only the image is wanted
};

/// Items of one connection in the order in which images are sent, with their names.
class ImageQueue {
public:
    [[nodiscard]] bool empty() const noexcept { return items_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return items_.size(); }
    [[nodiscard]] const WaitingItem& front() const { return items_.front(); }
    [[nodiscard]] std::string_view frontName() const {
        return std::string_view(names_).substr(namesBegin_, items_.front().nameLength);
    }
    void push(const WaitingItem& item, std::string_view name);
    void pop();

private:
    std::deque<WaitingItem> items_;
    std::string names_;  // one behind the other
    std::size_t namesBegin_ = 0;
};

/// The items of one connection. Items go round robin.
struct Connection {
    std::uint64_t client = 0;
    std::uint32_t number = 0;  ///< in the table
    std::vector<OpenItem> items;
    std::vector<GenericItem> genericItems;
    ImageQueue images;        ///< may hold items that were closed meanwhile
    std::size_t waiting = 0;  ///< new items that wait for their image
    ImageShare share;         ///< of the images, while new items wait
    std::size_t nextItem = 0;
    std::size_t nextGeneric = 0;
    TemplateTurns updateTurns, genericTurns;
    bool packs = true;  ///< cleared when the connection turns out not to take packed messages (JSON, tunnels)
};

/// All items of one provider: 16 bytes each, and a place in the index that takes 17. Used by the publishing thread
/// only.
class OpenItems {
public:
    /// Adds a new stream, or with `again` an open one, to those that wait for an image.
    void want(std::uint64_t client, WaitingItem item, std::string_view name);
    void close(std::uint64_t handle);
    /// The client left: all its items go.
    void forget(std::uint64_t client);

    [[nodiscard]] bool waiting() const noexcept { return queued_ != 0; }
    /// Gives the turn to the next connection that waits for images and has room for them, as `hasRoom(client)` says;
    /// one that does not read holds up no other. False when there is none.
    template <class HasRoom>
    [[nodiscard]] bool nextTurn(HasRoom&& hasRoom) {
        for (std::size_t tried = 0; tried != connections_.size(); ++tried) {
            current_ = connections_[turn_++ % connections_.size()].get();
            dropStale(*current_);
            if (!current_->images.empty() && hasRoom(current_->client)) return true;
        }
        current_ = nullptr;
        return false;
    }
    /// The next item of the connection whose turn it is, and its name. Items that were closed meanwhile are left out.
    /// False when there is none.
    [[nodiscard]] bool front(WaitingItem& item, std::string_view& name);
    /// Who wants the front item's image.
    [[nodiscard]] std::uint64_t frontClient() const noexcept { return current_->client; }
    /// The image of the front item was sent; if it is streaming it becomes an open item.
    void imageSent();
    /// The front item cannot be served.
    void dropFront();

    [[nodiscard]] std::vector<std::unique_ptr<Connection>>& connections() noexcept { return connections_; }
    [[nodiscard]] const std::vector<std::unique_ptr<Connection>>& connections() const noexcept { return connections_; }
    /// The open item of a connection with that name; null when there is none.
    [[nodiscard]] const OpenItem* find(std::uint64_t client, std::string_view name) const;
    /// The sequence numbers of the open items, as long as they are in the table.
    [[nodiscard]] StreamNumbers& numbers() noexcept { return numbers_; }
    /// Bytes of updates that the client's connection was given while it waits for images; it may have gone.
    void updatesSent(std::uint64_t client, std::uint64_t bytes) noexcept;
    /// Items of one client that wait or are open.
    [[nodiscard]] std::size_t sizeOf(std::uint64_t client) const noexcept;
    /// Items that wait or are open.
    [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }

private:
    static constexpr std::uint32_t kWaiting = 0x8000'0000U;
    // Where an item is: index in its connection's items, or kWaiting and its ticket.
    struct Place {
        std::uint32_t connection = 0;
        std::uint32_t slot = 0;
    };
    [[nodiscard]] Connection& connectionOf(std::uint64_t client);
    [[nodiscard]] Connection& connectionOf(const Place& place) const noexcept { return *byNumber_[place.connection]; }
    [[nodiscard]] bool isStale(const WaitingItem& item) const;
    void dropStale(Connection& connection);
    void pop(Connection& connection);
    void erase(std::vector<std::unique_ptr<Connection>>::iterator at);
    void removeOpen(Connection& connection, std::uint32_t slot);
    void forgetIfEmpty(Connection& connection);
    void shrink();

    boost::unordered_flat_map<std::uint64_t, Place> places_;  // by handle
    StreamNumbers numbers_;
    std::vector<std::unique_ptr<Connection>> connections_;
    std::vector<Connection*> byNumber_;  // null: the number is free
    Connection* current_ = nullptr;      // whose turn it is to get images
    std::size_t turn_ = 0;
    std::size_t queued_ = 0;  // in the queues of all connections
    std::uint32_t nextTicket_ = 0;
};

/// Step between items so that `items` steps visit each item once. About 0.618 of the number of items, which defeats
/// prefetching and caches.
[[nodiscard]] constexpr std::size_t scatterStep(std::size_t items) noexcept {
    if (items < 3) return 1;
    std::size_t step = items / 1000 * 618 + items % 1000 * 618 / 1000;
    while (std::gcd(step, items) != 1)
        ++step;  // items - 1 is one at the latest
    return step;
}

}  // namespace emissary::perf
