// The consumer port of a hub: everything that clients connect to, from their logins to the streams of items.
#pragma once

#include "hub/client/Directories.h"
#include "hub/client/Interventions.h"
#include "hub/client/ItemMessages.h"
#include "hub/client/Listener.h"
#include "hub/client/Logins.h"
#include "hub/client/Pace.h"
#include "hub/client/Recheck.h"
#include "hub/client/RoundTrips.h"
#include "hub/client/ServiceUses.h"
#include "reactor/MetricSource.h"
#include "reactor/rdm/DirectoryNames.h"

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace emissary::hub::client {

/// All calls, the destructor too, with the session lock held, on the dispatching thread. Nothing listens before
/// listen(). The check outlives the port.
class ClientPort {
public:
    ClientPort(const Rooms& rooms, ClientOptions options, LoginCheck& check,
               const std::vector<ListenerSettings>& listeners);
    /// Connections end without a word; clients and their mounts stay in their tables, without links.
    ~ClientPort();
    ClientPort(const ClientPort&) = delete;
    ClientPort& operator=(const ClientPort&) = delete;

    /// Binds every listener. Refused: none listens; the text names port and reason.
    [[nodiscard]] eta::Refused listen();
    /// Of the listener with that place in the settings; the port in use, also when "0" was asked for.
    [[nodiscard]] std::uint16_t port(std::size_t listener = 0) const noexcept;
    /// Must be called with every change of services.
    [[nodiscard]] ServiceListener& services() noexcept { return directories_; }
    /// A dictionary that clients may ask for from now on, in the place of one of that name (hub.md 3.4).
    void serve(const reactor::ServedDictionary& dictionary);
    /// What messages of JSON clients are converted with.
    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary);

    /// The client does not read what it is sent, or there was no memory for it: its connection ends, possibly inside
    /// this call.
    void cutOff(Client& client, const Ending& ending);
    /// A line about clients, for the log.
    void tell(Severity severity, const std::string& line) { context_.tell(severity, line); }
    /// What users may have, or their groups, have changed: streams that ClientOptions::requestCheck does not grant any
    /// more are closed, and whoever belongs to another user class is in it.
    void recheck() {
        classify();
        recheck_.begin();
    }
    /// Other limits and user classes, for clients that are there as well; `listeners` are those there are, in their
    /// order. Throws std::bad_alloc.
    void change(const HubSettings& settings, const std::vector<ListenerSettings>& listeners);
    /// Accepts no more clients, and announces to the others that services accept no requests. Calls `done` from the
    /// loop once all clients have gone; after `timeout` it disconnects the rest first.
    void drain(std::chrono::milliseconds timeout, std::function<void()> done);

    /// The same at a rate: no port listens any more, and `rate` clients a second are asked to go while the others are
    /// served as before; `done` is called from the loop once all were asked.
    void letGo(Interventions::Rate rate, std::function<void()> done) { interventions_.letGoAll(rate, std::move(done)); }
    /// What operators do to clients.
    [[nodiscard]] Interventions& interventions() noexcept { return interventions_; }

    [[nodiscard]] const AllCounts& counts() const noexcept { return context_.counts; }
    /// The connections that ended last.
    [[nodiscard]] const RecentEnds& ends() const noexcept { return context_.ends; }

private:
    void tellUnknown(const LoginViews::Unknown& fields);
    void classify();
    void collect(reactor::metrics::Snapshot& into) const;
    void lookAfterDrain();
    [[nodiscard]] std::size_t clients() const noexcept { return context_.counts.of.clients.get(); }

    Context context_;
    Logins logins_;
    RoundTrips roundTrips_{context_};
    Directories directories_{context_};
    const reactor::rdm::DirectoryNames names_{&directories_.told()};
    ItemMessages items_{context_};
    Pace pace_{context_, items_, directories_};
    ServiceUses uses_{context_, pace_};
    Recheck recheck_{context_, items_};
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary_;  // shared with its loader
    std::vector<std::unique_ptr<Listener>> listeners_;
    Interventions interventions_{context_, pace_, listeners_};
    reactor::TimerId drainTimer_ = 0;
    reactor::TimePoint drainEnd_{};
    std::function<void()> drained_;
    reactor::MetricSource metrics_;
};

}  // namespace emissary::hub::client
