// A hub whose port is reached by pages of browsers, with two services.
#pragma once

#include "browser.h"
#include "certificates.h"
#include "publisher.h"

#include "reactor/metrics/Snapshot.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

namespace emissary::test {

/// Further ports of a hub, which are reached over the line of a test.
class LinePorts {
public:
    explicit LinePorts(Browser::Line line) {
        if (line == Browser::Line::tls) certificates_.emplace();
    }
    /// Like the first port but for its name and its line.
    [[nodiscard]] ListenerSettings named(std::string name, const HubSettings& s) const {
        ListenerSettings port = s.listeners[0];
        if (certificates_) certificates_->encrypt(port);
        port.name = std::move(name);
        return port;
    }

private:
    std::optional<Certificates> certificates_;
};

/// Two services: DIRECT_FEED of a source, whose image of IBM is kept, and NI_FEED with TRI.
struct WebPort : HubFixture {
    explicit WebPort(const std::function<void(HubSettings&)>& change = {})
        : HubFixture([&](HubSettings& s) {
              s.services[0].cache.rule = CachePolicy::Rule::all;
              s.listeners[0].bind.webSocket.origins.checked = true;
              s.listeners[0].bind.webSocket.origins.pagesPort = Browser::kPages;
              if (change) change(s);
          }) {
        plainNumbers = true;
        provider.automatic.items = true;
        connected();
        until([this] { return hub->dictionary() != nullptr; });
        publisher.emplace(*this);
        RawConsumer c = loggedIn("first");
        niFeed = serviceOf(c);
        publisher->refresh(-1, "TRI", 10);
        c.send(RawConsumer::request(5, 6, "TRI", niFeed));
        while (c.next().msg.cls != MsgClass::Refresh) {}
    }
    std::unique_ptr<Browser> page() {
        auto made = std::make_unique<Browser>(*this, hub->port(), Browser::originOf(Browser::kPages));
        INFO(made->answer());
        REQUIRE(made->open());
        made->login();
        return made;
    }
    /// No Origin, as programs are.
    std::unique_ptr<Browser> program() {
        auto made = std::make_unique<Browser>(*this, hub->port());
        REQUIRE(made->open());
        made->login();
        return made;
    }
    /// RIPC inside a WebSocket.
    RawConsumer rwf() { return loggedIn(webSocketTo(hub->port(), "rssl.rwf"), "rwf"); }

    [[nodiscard]] std::uint64_t count(std::string_view name, const char* reason) const {
        std::uint64_t sum = 0;
        const auto all = hub->rooms().reactor.metrics();
        for (const auto& family : all.families())
            if (std::string_view(family.row->name) == name)
                for (const auto& sample : family.samples)
                    if (std::ranges::find(all.labels(sample), reactor::metrics::Label{"reason", reason}) !=
                        all.labels(sample).end())
                        sum += sample.value;
        return sum;
    }

    std::optional<Publisher> publisher;
    std::uint16_t niFeed = 0;
};

}  // namespace emissary::test
