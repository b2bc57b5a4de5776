// Gives equal views one number, and counts the mounts that use it.
#include "hub/core/ViewTable.h"

#include <algorithm>
#include <utility>

namespace emissary::hub {

using reactor::rdm::View;

namespace {

/// The same fields and names, each once, in one order.
[[nodiscard]] View sorted(View view) {
    const auto tidy = [](auto& all) {
        if (!std::is_sorted(all.begin(), all.end())) std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
    };
    tidy(view.fields);
    tidy(view.elements);
    return view;
}

[[nodiscard]] std::string contentOf(const View& view) {
    std::string content(1, static_cast<char>(view.kind));
    for (const std::int16_t field : view.fields)
        content.append({static_cast<char>(field >> 8 & 0xFF), static_cast<char>(field & 0xFF)});
    for (const std::string& element : view.elements)
        content.append(std::to_string(element.size())).append(1, ':').append(element);
    return content;
}

}  // namespace

std::uint16_t ViewTable::intern(const View& asked) {
    View view = sorted(asked);
    std::string content = contentOf(view);
    if (const auto at = byContent_.find(content); at != byContent_.end()) {
        share(at->second);
        return at->second;
    }
    if (free_.empty()) {
        if (slots_.size() == kMost) return 0;
        free_.reserve(slots_.size() + 1);  // so that release() has room
        slots_.emplace_back();
        free_.push_back(static_cast<std::uint16_t>(slots_.size()));
    }
    const std::uint16_t number = free_.back();
    Slot made{std::move(view), std::move(content), 1};
    byContent_.emplace(made.content, number);
    slots_[number - 1u] = std::move(made);
    free_.pop_back();
    return number;
}

void ViewTable::release(std::uint16_t view) noexcept {
    if (view == 0 || --slots_[view - 1u].references != 0) return;
    Slot& slot = slots_[view - 1u];
    byContent_.erase(slot.content);
    slot = {};
    free_.push_back(view);  // intern() made room
}

/// A view costs a client what it takes, once.
void ViewTable::countFor(Client& client, std::uint16_t view) {
    if (client.views.try_emplace(view, 0u).first->second++ == 0) client.keyBytes += slots_[view - 1u].cost();
}

void ViewTable::discountFor(Client& client, std::uint16_t view) noexcept {
    const auto at = client.views.find(view);
    if (at == client.views.end() || --at->second != 0) return;
    client.views.erase(at);
    client.keyBytes -= slots_[view - 1u].cost();
}

void ViewTable::mounted(Client& client, const Item& item, std::uint16_t view) {
    countFor(client, view);
    try {
        const auto onItem = onItem_.try_emplace(keyOf(item, view), 0u).first;
        try {
            const auto ofItem = ofItem_.try_emplace(item.index, 0u).first;
            if (onItem->second++ == 0) ++ofItem->second;
        } catch (...) {
            if (onItem->second == 0) onItem_.erase(onItem);
            throw;
        }
    } catch (...) {
        discountFor(client, view);
        throw;
    }
}

void ViewTable::unmounted(Client& client, const Item& item, std::uint16_t view) noexcept {
    discountFor(client, view);
    if (const auto at = onItem_.find(keyOf(item, view)); at != onItem_.end() && --at->second == 0) {
        onItem_.erase(at);
        if (const auto of = ofItem_.find(item.index); of != ofItem_.end() && --of->second == 0) ofItem_.erase(of);
    }
    release(view);
}

void ViewTable::keepAsked(Client& client, std::int32_t stream, std::uint16_t asked) {
    if (asked != 0) countFor(client, asked);
    try {
        const auto [at, fresh] = client.viewsAsked.try_emplace(stream, asked);
        if (fresh) return;
        const std::uint16_t was = std::exchange(at->second, asked);
        if (was == 0) return;
        discountFor(client, was);
        release(was);
    } catch (...) {
        if (asked != 0) discountFor(client, asked);
        throw;
    }
}

void ViewTable::forgetAsked(Client& client, std::int32_t stream) noexcept {
    const auto at = client.viewsAsked.find(stream);
    if (at == client.viewsAsked.end()) return;
    const std::uint16_t asked = at->second;
    client.viewsAsked.erase(at);
    if (asked == 0) return;
    discountFor(client, asked);
    release(asked);
}

}  // namespace emissary::hub
