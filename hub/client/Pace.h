// Limits how fast clients are served: requests a second for each client (hub.md 11.2), and the work of one turn for
// all clients together.
#pragma once

#include "hub/client/ItemMessages.h"
#include "reactor/TurnEnd.h"

#include <deque>

namespace emissary::hub::client {

class Directories;

/// No message stops the hub: what goes beyond a client's rate, or beyond what a turn may do (TurnBudget), waits here
/// with all that follows it on the connection, in order. Clients that wait are served in a ring, a slice each, so that
/// one with little to ask waits for a slice of each of the others at most. Batches, pause-all, and the end of a client
/// with its streams are done step by step as well. A client that has much waiting is not read from; one that sends ten
/// times what its rate allows is disconnected.
class Pace final : reactor::TurnEnd {
public:
    Pace(Context& context, ItemMessages& items, Directories& directories)
        : TurnEnd(context.rooms.reactor), context_(context), items_(items), directories_(directories) {}
    ~Pace();
    Pace(const Pace&) = delete;
    Pace& operator=(const Pace&) = delete;

    /// Hands the message on, or lets it wait. False: see ItemMessages::onMessage().
    bool onMessage(Client& client, const Msg& message);
    /// The same for a request on a directory stream: an answer may be as long as all services are.
    void onDirectory(Client& client, std::uint64_t handle, const Msg& request);
    /// The directory stream is over: no request on it waits any more.
    void onDirectoryClosed(Client& client, std::uint64_t handle);
    /// The client's streams get updates from here on, or none: pause-all, or standby, has begun.
    void flowChanged(Client& client);
    /// The client is no standby any more, of these services or, with none, of all. Each of the streams gets an image,
    /// whatever it has missed: a client that lost its active server may show all of them as suspect (hub.md 2.2).
    void active(Client& client, const std::vector<std::uint16_t>& services = {});
    /// Resume-all: streams that were paused one by one are no longer.
    void resumeAll(Client& client);
    /// Nothing more is read from the client, until false is said; what it sent before is dealt with.
    void pause(Client& client, bool paused);
    /// So many requests a second are taken from the client, whatever the settings say, and it is not read from while
    /// many wait; 0: what the settings say.
    void throttle(Client& client, std::uint32_t requestsPerSecond);
    /// The client has logged out: what waits is forgotten, its streams go.
    void logOut(Client& client);
    /// Its connection has ended; logOut() was called. The record is forgotten with the last stream
    /// (Listener::forget), which may be inside this call.
    void depart(Client& client);

private:
    /// What is left after a slice.
    enum class Left : std::uint8_t { nothing, more, later };
    [[nodiscard]] Left guardedSlice(Client& client);
    [[nodiscard]] Left slice(Client& client);
    void list(Client& client);
    [[nodiscard]] Left walk(Client& client);
    [[nodiscard]] Left batch(Client& client);
    [[nodiscard]] Left nextTurn(Backlog backlog) noexcept;
    [[nodiscard]] Left heldMessage(Client& client);
    void begin(Client& client, ClientSession::Walk::Kind kind);
    void goOn(Client& client);
    void enqueue(Client& client);
    void run();
    void runLater();
    void hold(Client& client, const Msg& message, std::uint64_t directory = 0);
    void readAgain(Client& client);
    /// Requests a second; 0: as many as it likes.
    [[nodiscard]] std::uint32_t rateOf(const ClientSession& session) const noexcept;
    void refill(ClientSession& session) const;
    [[nodiscard]] bool tooMany(Client& client, const Msg& message);
    [[nodiscard]] TurnBudget& work() noexcept { return context_.rooms.out.work(); }
    void onTurnEnd() noexcept override;

    Context& context_;
    ItemMessages& items_;
    Directories& directories_;
    std::deque<std::uint32_t> ring_, late_;  // numbers of clients; those of the second wait for time, or for a client
    bool posted_ = false;
    reactor::TimerId timer_ = 0;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace emissary::hub::client
