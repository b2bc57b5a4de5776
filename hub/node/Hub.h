// One hub, put together from its rooms: listens, connects, serves, drains.
#pragma once

#include "eta/core/Clock.h"
#include "eta/core/Refused.h"
#include "eta/dictionary/Dictionary.h"
#include "hub/config/HubSettings.h"
#include "hub/core/log.h"
#include "reactor/Reactor.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace emissary::hub {

struct ServicesMoved;
class ItemTable;
class ClientTable;
class Outputs;
class ServiceTable;
class Source;
class ViewTable;
namespace flow {
class ItemFlow;
}
namespace backbone {
class Backbone;
}
namespace nats {
class NatsBus;
}
namespace relay {
class Relay;
}
namespace client {
class Interventions;
class RecentEnds;
class RequestCheck;
}  // namespace client
/// What a hub needs besides its settings.
struct HubOptions {
    HubSettings settings;
    LogLine log;                                 ///< on the dispatching thread; may be empty
    const reactor::TimeSource* clock = nullptr;  ///< null = steady clock
    /// Who may have which item (hub/client/RequestCheck.h); borrowed, outlives the hub. Null: the rules of
    /// the settings say so (AccessSettings), and without any, what passes the other checks is granted.
    client::RequestCheck* requestCheck = nullptr;
    /// The time of day, for the audit log; empty: the system's.
    std::function<eta::WallClock::time_point()> wallClock;
    /// Instead of NATS, for hubs of one process; empty: NATS.
    std::function<std::unique_ptr<nats::NatsBus>()> meshBus{};
};

/// Made, started, dispatched by one thread until it is drained or destroyed. Everything but wake() belongs to that
/// thread.
class Hub {
public:
    /// Throws std::system_error when descriptors or threads are exhausted.
    explicit Hub(HubOptions options);
    ~Hub();  ///< connections end without a word; see drain()
    Hub(const Hub&) = delete;
    Hub& operator=(const Hub&) = delete;

    /// Binds every listener and begins to connect to the sources. Refused: nothing listens; the text names port and
    /// reason.
    [[nodiscard]] eta::Refused start();
    /// One turn; waits up to `timeout`. Returns how many events there were.
    int dispatch(std::chrono::microseconds timeout);
    /// Ends a running wait of dispatch(); any thread, async-signal-safe.
    void wake() noexcept;

    /// What the request check grants has changed: it is asked about every open stream again, a few in each turn, and
    /// streams that are not granted any more are closed.
    void recheck();
    /// Reads files of logins and rules again soon, as a change of them does: what has errors stays as it was.
    void readAccessAgain();
    /// Other settings, of which those that may change while a hub runs are taken (takeLive()): rates and limits, for
    /// clients and items that are there as well, within the turn; threads that serve clients follow at once. Sources
    /// that are new are connected to, those that are gone are left, and connections that are to be others are made
    /// anew; services that come or go (moved()) are made and deleted. All that follows for items is done in slices of
    /// later turns. Refused: nothing has happened. Throws std::bad_alloc: some are taken, and the call may be repeated.
    [[nodiscard]] eta::Refused change(const HubSettings& next);
    /// What change() would be refused for; nothing happens.
    [[nodiscard]] eta::Refused refusal(const HubSettings& next);
    /// Services that change() would make or delete: those with a new entry that are not there, and those that have an
    /// entry no more and that no source of the new settings, publisher or other hub is known to offer.
    [[nodiscard]] ServicesMoved moved(const HubSettings& next);
    /// Sources that are gone from the settings and are still being left; for tests. As rooms().
    [[nodiscard]] std::size_t leaving() const noexcept;
    /// For the audit log: somebody who operates the hub has asked for something. `code` is a word for it.
    void noteAdmin(std::string_view code, std::string_view text);
    /// The same, with who it was; `refused`: it was not allowed to.
    void noteAdmin(bool refused, std::string_view code, std::string_view text, std::string_view user,
                   std::string_view address);
    /// Accepts no more clients, and no requests for services. Clients that stay end after DrainTimeout (hub.md 13).
    void drain();
    /// Ports listen no more, and `rate` clients a second are asked to go; the others are served until then.
    /// drain() follows by itself, and may be called sooner.
    void drain(std::uint32_t clientsPerSecond);
    /// Uses a source no more, or again. Refused: there is none of that name, or it is a publisher. As rooms().
    [[nodiscard]] eta::Refused pauseSource(std::string_view name, bool paused);
    /// After drain(): everybody has gone, or was let go and has read why, or had 5 s to read it.
    [[nodiscard]] bool drained() const noexcept;

    /// Of the listener with that place in the settings; the port in use, also when "0" was asked for.
    [[nodiscard]] std::uint16_t port(std::size_t listener = 0) const noexcept;
    [[nodiscard]] std::uint16_t publisherPort(std::size_t listener = 0) const noexcept;

    /// For pages and tests; on the dispatching thread with the session lock, or through Reactor::post().
    struct Rooms {
        reactor::Reactor& reactor;
        ItemTable& items;
        ClientTable& clients;
        ServiceTable& services;
        flow::ItemFlow& flow;
        Outputs& outputs;
        ViewTable& views;
        relay::Relay* relay;  ///< null with one thread
        const client::RecentEnds& ends;
        client::Interventions& interventions;
    };
    [[nodiscard]] Rooms rooms() noexcept;
    /// Null: it is in no mesh. As rooms().
    [[nodiscard]] const backbone::Backbone* mesh() const noexcept;
    /// Every source there is: upstream connections and publishers. As rooms().
    void eachSource(const std::function<void(Source&)>& f);
    /// What the hub serves field names from; null while it has none. As rooms().
    [[nodiscard]] std::shared_ptr<const eta::dictionary::Dictionary> dictionary() const;
    [[nodiscard]] const HubSettings& settings() const noexcept;

private:
    struct Parts;
    std::unique_ptr<reactor::Reactor> reactor_;
    std::unique_ptr<Parts> parts_;
};

}  // namespace emissary::hub
