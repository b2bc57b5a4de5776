// One service with offers of different kinds: a hub with a source and publishers, and clients of both protocols.
#pragma once

#include "meshed.h"
#include "publisher.h"
#include "reactor/json/fixture.h"

namespace emissary::test {

/// A publisher of the service that the provider and other hubs have too.
struct Feed : Publisher {
    explicit Feed(HubFixture& f) : Publisher(f, 0, "DIRECT_FEED") {}
};

/// A hub with a source and publishers of one service.
struct Both : HubFixture {
    explicit Both(bool sourcesFirst = false, const std::function<void(HubSettings&)>& change = {})
        : HubFixture([&](HubSettings& s) {
              s.services.front().preferSources = sourcesFirst;
              s.dictionary.fieldFile = sourcePath("/etc/RDMFieldDictionary");
              s.dictionary.enumFile = sourcePath("/etc/enumtype.def");
              s.dictionary.configured = true;
              s.sources.front().reconnect.minDelay = 10ms;
              s.sources.front().reconnect.maxDelay = 20ms;
              if (change) change(s);
          }) {
        plainNumbers = true;
        connected();
    }
    [[nodiscard]] Service& service() { return *hub->rooms().services.find(kId); }
    [[nodiscard]] std::uint64_t metric(const char* name) {
        return hub->rooms().reactor.metrics().value(name).value_or(0);
    }
    /// The hub has the publisher's item: nobody serves it better, or it waits as a standby image.
    void took(std::uint64_t messages) {
        until([&] { return metric("emissary_hub_published_total") >= messages; });
    }
    /// The stream on which the provider was asked for the item; closes before it are passed over.
    [[nodiscard]] std::int32_t askedFor(std::string_view name) {
        for (;;) {
            const auto got = asked();
            if (got.msg.cls == MsgClass::Request && got.name() == name) return got.msg.streamId;
        }
    }
    /// The provider is told that nobody wants that stream any more.
    void closed(std::int32_t stream) {
        for (;;) {
            const auto got = asked();
            if (got.msg.cls == MsgClass::Close && got.msg.streamId == stream) return;
        }
    }
};

/// A JSON client with one item.
struct FarText {
    explicit FarText(HubFixture& f, const std::string& name) : text(webSocketTo(f.hub->port()), [&f] { f.turn(); }) {
        text.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
        CHECK(text.next("Domain", "Login").at("State").at("Stream").text == "Open");
        text.send(R"({"ID":5,"Key":{"Name":")" + name + R"(","Service":"DIRECT_FEED"}})");
    }
    /// Reads until the last value and data state are these.
    void until(const std::string& bid, const std::string& data = "Ok") {
        while (value != bid || state != data) {
            const json_test::Json got = text.next("ID", "5");
            if (got.find("State") != nullptr) state = got.at("State").at("Data").text;
            if (got.find("Fields") != nullptr) value = got.at("Fields").at("PROD_PERM").text;
        }
    }
    TextClient text;
    std::string value, state;
};

}  // namespace emissary::test
