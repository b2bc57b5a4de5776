// A listener's connections where fronts serve them.
#pragma once

#include "hub/client/Connections.h"

namespace emissary::hub::relay {

class Relay;

/// Set-up and drain reach the fronts under their session locks, what concerns a client through its ring.
class RelayedConnections final : public client::Connections {
public:
    RelayedConnections(Relay& relay, std::uint8_t listener) noexcept : relay_(relay), listener_(listener) {}

    [[nodiscard]] eta::Refused listen() override;
    [[nodiscard]] std::uint16_t port() const noexcept override { return port_; }
    void stopListening() override;
    void serve(const reactor::ServedDictionary& dictionary) override;
    [[nodiscard]] bool answer(Client& client, std::uint64_t login, Msg& msg) override;
    void forget(Client& client, std::uint64_t stream) override;
    [[nodiscard]] bool hasStream(const Client& client, std::int32_t first, std::int32_t last) const override;
    void close(Client& client, const client::Ending& ending) override;
    void closeSoon(Client& client, const client::Ending& ending) override { close(client, ending); }
    void hold(Client& client, bool held) override;
    void released(Client& client) override;

private:
    Relay& relay_;
    const std::uint8_t listener_;
    std::uint16_t port_ = 0;
};

}  // namespace emissary::hub::relay
