// Views by number, so that a mount keeps two bytes of its view and equal views are filtered once (hub.md 5.4).
#pragma once

#include "hub/core/Client.h"
#include "hub/core/Item.h"
#include "reactor/memory.h"
#include "reactor/rdm/View.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace emissary::hub {

/// Gives views back that mounts held. Implemented by ViewTable. A view is not 0.
class ViewOwner {
public:
    virtual ~ViewOwner() = default;
    virtual void release(std::uint16_t view) noexcept = 0;
    /// A mount of the client on the item has this view from now on. Throws std::bad_alloc, and nothing has happened
    /// then.
    virtual void mounted(Client& /*client*/, const Item& /*item*/, std::uint16_t /*view*/) {}
    /// It has it no more; the reference that it had is given back.
    virtual void unmounted(Client& /*client*/, const Item& /*item*/, std::uint16_t view) noexcept { release(view); }
    /// The stream of the client is over: so is what it was asked for with.
    virtual void forgetAsked(Client& /*client*/, std::int32_t /*stream*/) noexcept {}
};

/// Numbers from 1; 0 is no view. A view is one whatever the order in which its fields were asked for. On the reactor's
/// thread.
class ViewTable final : public ViewOwner {
public:
    static constexpr std::size_t kMost = 65'535;

    /// The number of this view, with one more reference to it; 0 when all numbers are in use. Throws std::bad_alloc.
    [[nodiscard]] std::uint16_t intern(const reactor::rdm::View& view);
    /// One reference more to a number that is in use.
    void share(std::uint16_t view) noexcept { ++slots_[view - 1u].references; }
    /// One reference less; with the last one the number is free. 0 is ignored.
    void release(std::uint16_t view) noexcept override;
    /// Of a number that is in use; fields in rising order, elements in that of their names.
    [[nodiscard]] const reactor::rdm::View& operator[](std::uint16_t view) const noexcept {
        return slots_[view - 1u].view;
    }
    [[nodiscard]] std::size_t size() const noexcept { return byContent_.size(); }

    /// A mount of the item has the view.
    [[nodiscard]] bool isOn(const Item& item, std::uint16_t view) const noexcept {
        return onItem_.contains(keyOf(item, view));
    }

    // --- shares: an update of an item costs one filter run for each view of its mounts
    /// The client has the view already, or fewer than `most` (0: no limit).
    [[nodiscard]] bool clientMayHave(const Client& client, std::uint16_t view, std::uint32_t most) const noexcept {
        return most == 0 || client.views.size() < most || client.views.contains(view);
    }
    /// The same for an item.
    [[nodiscard]] bool itemMayHave(const Item& item, std::uint16_t view, std::uint32_t most) const noexcept {
        if (most == 0) return true;
        const auto at = ofItem_.find(item.index);
        return at == ofItem_.end() || at->second < most || onItem_.contains(keyOf(item, view));
    }
    /// What a client is charged for it (Client::keyBytes), once.
    [[nodiscard]] std::size_t cost(std::uint16_t view) const noexcept { return slots_[view - 1u].cost(); }
    void mounted(Client& client, const Item& item, std::uint16_t view) override;
    void unmounted(Client& client, const Item& item, std::uint16_t view) noexcept override;

    // --- mounts that may have less than they were asked for with
    /// `asked`, 0 or a number with one reference, which goes over; it counts as one of the client's views. Throws
    /// std::bad_alloc, and nothing has happened then.
    void keepAsked(Client& client, std::int32_t stream, std::uint16_t asked);
    void forgetAsked(Client& client, std::int32_t stream) noexcept override;
    /// What the stream, whose mount has `view`, was asked for with.
    [[nodiscard]] static std::uint16_t askedOf(const Client& client, std::int32_t stream, std::uint16_t view) noexcept {
        const auto at = client.viewsAsked.find(stream);
        return at == client.viewsAsked.end() ? view : at->second;
    }

private:
    void countFor(Client& client, std::uint16_t view);
    void discountFor(Client& client, std::uint16_t view) noexcept;
    [[nodiscard]] static std::uint64_t keyOf(const Item& item, std::uint16_t view) noexcept {
        return std::uint64_t{item.index} << 16 | view;
    }
    struct Slot {
        reactor::rdm::View view;
        std::string content;
        std::uint32_t references = 0;
        /// About what it takes.
        [[nodiscard]] std::size_t cost() const noexcept {
            return 2 * content.size() + view.elements.size() * sizeof(std::string);
        }
    };
    std::vector<Slot> slots_;  // number - 1 is the index
    std::vector<std::uint16_t> free_;
    std::map<std::string, std::uint16_t> byContent_;
    reactor::ItemMap<std::uint64_t, std::uint32_t> onItem_;  // mounts by item and view
    reactor::ItemMap<std::uint32_t, std::uint32_t> ofItem_;  // different views by item
};

/// One reference to a view, which is given back at the end unless it has gone over to somebody.
class HeldView {
public:
    /// Takes the reference over; 0 is none. Borrows the table.
    HeldView(ViewTable& views, std::uint16_t view) noexcept : views_(&views), view_(view) {}
    HeldView(HeldView&& other) noexcept : views_(other.views_), view_(other.pass()) {}
    HeldView& operator=(HeldView&& other) noexcept {
        if (this != &other) {
            views_->release(view_);
            views_ = other.views_;
            view_ = other.pass();
        }
        return *this;
    }
    ~HeldView() { views_->release(view_); }

    [[nodiscard]] std::uint16_t number() const noexcept { return view_; }
    /// The reference goes over to the caller.
    std::uint16_t pass() noexcept { return std::exchange(view_, std::uint16_t{0}); }

private:
    ViewTable* views_;
    std::uint16_t view_;
};

}  // namespace emissary::hub
