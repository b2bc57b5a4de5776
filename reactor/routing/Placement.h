// Chooses the session that serves an item, and moves the item when that session no longer can.
#pragma once

#include "routing/RoutedItems.h"
#include "routing/SessionTable.h"
#include "routing/WantedServices.h"

namespace emissary::reactor::routing {

class Placement {
public:
    struct Target {
        Session* session = nullptr;
        MergedService* service = nullptr;
        eta::codec::Qos qos;
    };

    Placement(Reactor& reactor, const SessionTable& sessions, const MergedDirectory& merged, WantedServices& wanted,
              RoutedItems& items) noexcept
        : reactor_(reactor), sessions_(sessions), merged_(merged), wanted_(wanted), items_(items) {}
    ~Placement() { stop(); }
    Placement(const Placement&) = delete;
    Placement& operator=(const Placement&) = delete;

    /// The first session, in order, of the first service that can; `why`: the first reason why not.
    [[nodiscard]] bool choose(const Item& item, const eta::codec::Msg& msg, Target& out, std::string_view& why);
    /// The session that has the item may answer for it.
    [[nodiscard]] bool serves(const Session& s, const Item& item) const;
    [[nodiscard]] Refusal openAt(Item& item, const Target& target, const eta::codec::Msg& msg);
    void park(Item& item, std::string_view why);
    /// Takes the item from the session that cannot serve it; the next round finds another one.
    void detach(Item& item);
    /// Something changed: everything that waits tries again.
    void tryAll();
    void stop() noexcept;

private:
    void trySome();
    [[nodiscard]] bool tryOne(Item& item);

    Reactor& reactor_;
    const SessionTable& sessions_;
    const MergedDirectory& merged_;
    WantedServices& wanted_;
    RoutedItems& items_;
    TimerId timer_ = 0;
};

}  // namespace emissary::reactor::routing
