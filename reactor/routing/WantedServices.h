// reactor/routing: the services that requests ask for, and the items that wait for them.
#pragma once

#include "routing/Item.h"
#include "routing/MergedDirectory.h"
#include "routing/SessionTable.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace emissary::reactor::routing {

/// What requests ask for: a service by name, the services of a list, or one by id. Kept for good.
struct Wanted {
    std::vector<std::string> names;  ///< in order of preference; empty: by id
    std::uint16_t id = 0;
    std::vector<MergedService*> services;    ///< those that there are, in order of preference
    std::size_t looked = 0;                  ///< number of merged services that were looked at for it
    Item *first = nullptr, *last = nullptr;  ///< parked: no session can serve them now
    std::uint32_t parked = 0;
    std::uint32_t toTry = 0;  ///< of those, from the first, that the round under way has yet to try

    /// Behind those that wait already.
    void park(Item& item) noexcept;
    void unpark(Item& item) noexcept;
    [[nodiscard]] bool holds(const Item& item) const noexcept {
        return item.prev != nullptr || item.next != nullptr || first == &item;
    }
};

class WantedServices {
public:
    WantedServices(const SessionTable& sessions, const MergedDirectory& merged) noexcept
        : sessions_(sessions), merged_(merged) {}

    [[nodiscard]] std::size_t size() const noexcept { return wanted_.size(); }
    [[nodiscard]] Wanted& operator[](std::size_t i) const noexcept { return *wanted_[i]; }

    /// Null when the request names no service at all.
    [[nodiscard]] Wanted* of(const RequestView& request, std::span<const std::string> services);
    /// Brings the candidates up to date; services are only ever added.
    void look(Wanted& wanted) const;
    /// Why the service is unknown.
    [[nodiscard]] static std::string unknown(const Wanted& wanted);
    /// Some session may list it yet.
    [[nodiscard]] bool mayStillAppear() const noexcept;
    /// A dictionary is the same at every service: any service that has it will do.
    [[nodiscard]] std::vector<std::string> providersOf(std::string_view dictionary) const;

private:
    const SessionTable& sessions_;
    const MergedDirectory& merged_;
    std::vector<std::unique_ptr<Wanted>> wanted_;
    Wanted* last_ = nullptr;  // asked for
};

}  // namespace emissary::reactor::routing
