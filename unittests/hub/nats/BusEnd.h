// A bus under test, with what has come in through it.
#pragma once

#include "NatsServer.h"
#include "hub/nats/NatsBus.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <algorithm>
#include <poll.h>
#include <string>
#include <vector>

namespace emissary::test {

[[nodiscard]] inline hub::nats::NatsOptions optionsFor(std::vector<std::string> servers) {
    hub::nats::NatsOptions o;
    o.servers = std::move(servers);
    o.pingEvery = std::chrono::milliseconds(500);
    o.connectTimeout = std::chrono::milliseconds(1500);
    o.reconnect = {.minDelay = std::chrono::milliseconds(100), .maxDelay = std::chrono::milliseconds(300)};
    return o;
}

struct BusEnd {
    explicit BusEnd(hub::nats::NatsOptions options) {
        eta::Refused refused;
        bus = hub::nats::NatsBus::make(std::move(options), refused);
        INFO(refused.text);
        REQUIRE(bus != nullptr);
    }
    /// Waits for the bus's descriptor, at most a few milliseconds, and takes what is there.
    void turn() {
        pollfd p{bus->fd(), POLLIN, 0};
        static_cast<void>(::poll(&p, 1, 5));
        bus->receive(1000, [this](eta::Bytes frame) { got.emplace_back(eta::asText(frame)); });
    }
    template <class Condition>
    [[nodiscard]] bool until(Condition condition) {
        return turnUntil(condition, [this] { turn(); });
    }
    [[nodiscard]] bool connects() {
        return until([this] { return bus->state() == hub::nats::NatsBus::State::connected; });
    }
    void say(const std::string& subject, const std::string& text) const { bus->publish(subject, eta::asBytes(text)); }

    std::unique_ptr<hub::nats::NatsBus> bus;
    std::vector<std::string> got;
};

/// Says it again and again until it has come, and leaves no copy under way.
[[nodiscard]] inline bool reaches(BusEnd& from, BusEnd& to, const std::string& subject, const std::string& text) {
    const auto has = [&to](const std::string& what) {
        return std::find(to.got.begin(), to.got.end(), what) != to.got.end();
    };
    const bool came = to.until([&] {
        from.turn();
        from.say(subject, text);
        return has(text);
    });
    static int count = 0;
    const std::string last = "last copy " + std::to_string(++count);
    from.say(subject, last);
    return came && to.until([&] { return has(last); });
}

}  // namespace emissary::test
