// hub/client: what the people who operate a hub do to its clients, one by one or a port at a time.
#pragma once

#include "hub/client/Context.h"
#include "hub/client/Listener.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace emissary::hub::client {

class Pace;

/// On the dispatching thread, with the session lock held. Clients are those of ClientTable that have a connection.
class Interventions {
public:
    using Listeners = std::vector<std::unique_ptr<Listener>>;
    /// Borrowed.
    Interventions(Context& context, Pace& pace, const Listeners& listeners)
        : context_(context), pace_(pace), listeners_(listeners) {}
    ~Interventions();
    Interventions(const Interventions&) = delete;
    Interventions& operator=(const Interventions&) = delete;

    /// Null: no connection has this number, or it has ended.
    [[nodiscard]] Client* find(std::uint64_t connection) noexcept;
    /// Calls back for each connection of the user; at most `most`. Returns how many there were.
    std::size_t eachOf(const std::string& user, std::size_t most, const std::function<void(Client&)>& f);

    /// The connection ends soon. `comesBack`: the message to the client says that it may connect again, here or
    /// elsewhere.
    void eject(Client& client, const std::string& text, bool comesBack);
    /// Nothing more is read from it, until false is said. What was read before is dealt with, and its updates go on.
    void pause(Client& client, bool paused);
    /// At most `requestsPerSecond` are taken from it; more wait, and it is not read from while many do. 0: what
    /// the settings say holds again.
    void throttle(Client& client, std::uint32_t requestsPerSecond);

    /// How clients are let go.
    struct Rate {
        std::uint32_t perSecond = 0;  ///< 0: all at once
    };
    /// No new client comes through the port, and its clients are asked to connect elsewhere. False: there is no such
    /// listener, or it is being drained already. `clients`: how many there are.
    [[nodiscard]] bool drainListener(const std::string& name, Rate rate, std::size_t& clients);
    /// The same for every port; `done` is called from the loop once every client was asked.
    void letGoAll(Rate rate, std::function<void()> done);

private:
    static constexpr std::uint32_t kAll = 0xFFFFFFFF;
    static constexpr std::size_t kMostInRound = 1000;  // asked in one turn
    /// A connection that was accepted before its port closed comes up, or does not, within this time.
    static constexpr std::chrono::seconds kStragglers{30};
    /// Clients that are asked one after the other.
    struct Leaving {
        std::uint32_t listener = kAll;
        std::uint32_t perSecond = 0;
        double allowance = 0;
        reactor::TimePoint since{};
        reactor::TimePoint lastTold{};
        const char* text = "";
        std::function<void()> done;  // may be empty
    };
    [[nodiscard]] bool concerns(const Leaving& leaving, const Client& client) const noexcept;
    /// False: every client was asked.
    [[nodiscard]] bool tellSome(Leaving& leaving);
    void begin(Leaving leaving);
    void goOn();

    Context& context_;
    Pace& pace_;
    const Listeners& listeners_;
    std::vector<Leaving> leaving_;
    reactor::TimerId timer_ = 0;
};

}  // namespace emissary::hub::client
