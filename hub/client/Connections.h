// The connections of one listener, as the rooms see them that know what clients may do.
#pragma once

#include "eta/core/Refused.h"
#include "hub/client/Ending.h"
#include "hub/config/HubSettings.h"
#include "hub/core/ClientOutput.h"
#include "reactor/provider/ProviderRole.h"

#include <memory>
#include <string>

namespace emissary::hub::client {

class Listener;

/// Made by a listener for its port. Handles are those that the listener's callbacks came with. On the reactor's thread,
/// session lock held.
class Connections {
public:
    virtual ~Connections() = default;
    /// Refused: the text names the port and the reason.
    [[nodiscard]] virtual eta::Refused listen() = 0;
    [[nodiscard]] virtual std::uint16_t port() const noexcept = 0;
    virtual void stopListening() = 0;
    /// A dictionary that requests may name from now on.
    virtual void serve(const reactor::ServedDictionary& dictionary) = 0;

    /// Answers a login that is taken; what was sent before leaves first. False: it cannot be answered, and the caller
    /// ends the connection.
    [[nodiscard]] virtual bool answer(Client& client, std::uint64_t login, Msg& msg) = 0;
    /// A directory stream is over; the client has got its last status.
    virtual void forget(Client& client, std::uint64_t stream) = 0;
    /// The client has a login, directory or dictionary stream with one of these ids.
    [[nodiscard]] virtual bool hasStream(const Client& client, std::int32_t first, std::int32_t last) const = 0;
    /// The client is told why its connection ends (hub.md 8.4), and it ends, possibly inside the call. What was sent
    /// before leaves first, but for what the end drops.
    virtual void close(Client& client, const Ending& ending) = 0;
    /// The same, but not inside this call.
    virtual void closeSoon(Client& client, const Ending& ending) = 0;
    /// The client is not read from, until false is said. Of a connection that is up. Throws std::bad_alloc.
    virtual void hold(Client& client, bool held) = 0;
    /// The client is being forgotten: its connection has ended, and it has no mounts any more.
    virtual void released(Client& client) = 0;
};

/// Makes connections that other threads serve (relay::Relay).
class ConnectionMaker {
public:
    /// The connections report their events to `listener`, which outlives them.
    [[nodiscard]] virtual std::unique_ptr<Connections> make(const reactor::ProviderOptions& options,
                                                            Listener& listener) = 0;

protected:
    ~ConnectionMaker() = default;
};

/// A role on the reactor that has everything else as well.
class OwnConnections final : public Connections {
public:
    OwnConnections(reactor::Reactor& reactor, ClientOutput& out, const reactor::ProviderOptions& options,
                   reactor::ProviderHandler& handler)
        : reactor_(reactor), out_(out), role_(reactor, options, handler) {}

    [[nodiscard]] eta::Refused listen() override { return role_.listen(); }
    [[nodiscard]] std::uint16_t port() const noexcept override { return role_.port(); }
    void stopListening() override { role_.stopListening(); }
    void serve(const reactor::ServedDictionary& dictionary) override { role_.serve(dictionary); }
    [[nodiscard]] bool answer(Client& client, std::uint64_t login, Msg& msg) override;
    void forget(Client&, std::uint64_t stream) override { (void)role_.forget(stream); }
    [[nodiscard]] bool hasStream(const Client& client, std::int32_t first, std::int32_t last) const override;
    void close(Client& client, const Ending& ending) override;
    void closeSoon(Client& client, const Ending& ending) override;
    void hold(Client& client, bool held) override;
    void released(Client&) override {}

    [[nodiscard]] reactor::ProviderRole& role() noexcept { return role_; }

private:
    reactor::Reactor& reactor_;
    ClientOutput& out_;
    reactor::ProviderRole role_;
};

}  // namespace emissary::hub::client
