// Ports that consumers and publishers use alike (AnyRole, hub.md 2.1).
#include "publisher.h"

#include "eta/json/Converter.h"
#include "hub/core/Client.h"
#include "reactor/json/fixture.h"
#include "reactor/metrics/Snapshot.h"

using namespace emissary;
using namespace emissary::test;

namespace {

struct AnyRole : HubFixture {
    AnyRole()
        : HubFixture([](HubSettings& s) {
              s.listeners[0].anyRole = true;
              s.publisherListeners[0].anyRole = true;
          }) {}
    [[nodiscard]] std::uint64_t sum(const char* name, const reactor::metrics::Label& label) const {
        std::uint64_t sum = 0;
        const auto all = hub->rooms().reactor.metrics();
        for (const auto& family : all.families())
            if (std::string_view(family.row->name) == name)
                for (const auto& sample : family.samples)
                    if (std::ranges::find(all.labels(sample), label) != all.labels(sample).end()) sum += sample.value;
        return sum;
    }
};

}  // namespace

TEST_CASE("one port for any role: the login says who publishes, on consumers' ports and publishers' ports alike",
          "[hub][node]") {
    AnyRole f;
    f.connected();
    const bool onConsumers = GENERATE(true, false);
    INFO((onConsumers ? "a consumers' port" : "a publishers' port"));
    const std::uint16_t port = onConsumers ? f.hub->port() : f.hub->publisherPort();
    f.until([&f] { return f.hub->rooms().clients.size() == 0; });
    RawConsumer a = f.loggedIn("a", port);
    f.until([&f] { return f.hub->rooms().clients.size() == 1; });
    Publisher p(f, port);
    CHECK(f.hub->rooms().clients.size() == 1);  // the publisher is none
    const std::uint16_t id = serviceOf(a);
    p.refresh(-1, "TRI", 10);
    Received got;
    do {
        a.send(RawConsumer::request(5, 6, "TRI", id));
        got = a.next();
    } while (got.msg.cls == MsgClass::Status);
    checkState(got, 5, StreamState::open, ok);
    CHECK(HubFixture::fields(got.msg) == "22=10 25=11");
    p.update(-1, 20);
    CHECK(HubFixture::fields(a.next().msg) == "22=20 25=21");

    CHECK(f.sum("emissary_hub_client_disconnects_total", {"reason", "publisher"}) == 1);
    CHECK(f.hub->rooms().reactor.metrics().value("emissary_hub_publishers") == 1);
    p.wire.dieMidMessage();
    got = a.next();
    checkState(got, 5, StreamState::open, suspect);
    CHECK(f.hub->rooms().reactor.metrics().value("emissary_hub_publishers") == 0);
    // It comes back.
    Publisher again(f, port);
    again.refresh(-7, "TRI", 30);
    do
        got = a.next();
    while (got.msg.streamId != 5);
    CHECK(HubFixture::fields(got.msg) == "22=30 25=31");
}

TEST_CASE("what a publisher sends behind its login, before the answer, is not lost with the change of hands",
          "[hub][node]") {
    AnyRole f;
    f.connected();
    RawConsumer a = f.loggedIn("a");
    RawConsumer p(f.hub->port(), [&f] { f.turn(); });
    rdm::LoginAttributes attributes;
    attributes.role = 1;
    std::vector<std::byte> room(1024);
    eta::BeWriter out(room);
    REQUIRE(rdm::encodeLogin(out, attributes).ok());
    Msg login;
    rdm::makeLoginRequest(login, "pub", 1, out.view());
    p.send(login);
    reactor::GrowingBuffer map;
    rdm::Directory d;
    REQUIRE(d.add(RawProvider::service(Publisher::kService, "NI_FEED")));
    REQUIRE(d.encode(map.start(), {}).ok());
    Msg directory = RawProvider::refresh(0, StreamState::open, false);
    directory.domain = 4;
    directory.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache;
    directory.key.flags = codec::KeyFlag::filter;
    directory.key.filter = 3;
    directory.containerType = codec::DataType::Map;
    directory.payload = map.view();
    p.send(directory);
    for (std::int32_t stream = -1; stream > -101; --stream) {
        const std::string name = "N" + std::to_string(-stream);
        Msg item = RawProvider::refresh(stream, StreamState::open, false);
        item.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache;
        item.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
        item.key.serviceId = Publisher::kService;
        item.key.name = eta::asBytes(name);
        f.fill(item, static_cast<std::uint64_t>(-stream));
        p.send(item);
    }
    const Received answer = p.next();
    checkState(answer, 1, StreamState::open, ok);
    CHECK(answer.stateText() == "Login accepted by host hub1.");
    const std::uint16_t id = serviceOf(a);
    f.until([&f] { return f.hub->rooms().reactor.metrics().value("emissary_hub_published_total") == 100; });
    a.send(RawConsumer::request(5, 6, "N100", id));
    CHECK(HubFixture::fields(a.next().msg) == "22=100 25=101");
}

TEST_CASE("a JSON publisher and a JSON consumer on one port for any role", "[hub][node][json]") {
    AnyRole f;
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    TextClient p(webSocketTo(f.hub->port()), [&f] { f.turn(); }), c(webSocketTo(f.hub->port()), [&f] { f.turn(); });
    p.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"pub","Elements":{"Role":1}}})");
    const json_test::Json taken = p.next("ID", "1");
    CHECK(taken.at("State").at("Text").text == "Login accepted by host hub1.");
    CHECK(taken.at("Key").at("Elements").at("ApplicationName").text == "ADH");
    c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"con"}})");
    CHECK(c.next("ID", "1").at("Key").at("Elements").at("ApplicationName").text == "ADS");
    CHECK(f.hub->rooms().reactor.metrics().value("emissary_hub_publishers") == 1);
}

TEST_CASE("a JSON publisher says everything in one text: login, services, and items that name them",
          "[hub][node][json]") {
    AnyRole f;
    f.plainNumbers = true;
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    RawConsumer a = f.loggedIn("a");
    reactor::GrowingBuffer map, json;
    rdm::Directory d;
    REQUIRE(d.add(RawProvider::service(Publisher::kService, "NI_FEED")));
    REQUIRE(d.encode(map.start(), {}).ok());
    Msg directory = RawProvider::refresh(-1, StreamState::open, false);
    directory.domain = 4;
    directory.flags |= RefreshFlag::msgKey | RefreshFlag::clearCache;
    directory.key.flags = codec::KeyFlag::filter;
    directory.key.filter = 3;
    directory.containerType = codec::DataType::Map;
    directory.payload = map.view();
    std::vector<std::byte> room(maxEncodedSize(directory));
    eta::BeWriter out(room);
    REQUIRE(codec::encodeMsg(out, directory).ok());
    eta::json::Converter converter;
    REQUIRE(converter.toJson(out.view(), json.start()).ok());

    TextClient p(webSocketTo(f.hub->port()), [&f] { f.turn(); });
    p.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"pub","Elements":{"Role":1}}},)" +
           std::string(eta::asText(json.view())) +
           R"(,{"ID":-5,"Type":"Refresh","Solicited":false,"Key":{"Name":"TRI","Service":"NI_FEED"},)"
           R"("State":{"Stream":"Open","Data":"Ok"},"Fields":{"PROD_PERM":10}},)"
           R"({"ID":-5,"Type":"Update","Fields":{"PROD_PERM":11}})");
    CHECK(p.next("ID", "1").at("State").at("Text").text == "Login accepted by host hub1.");
    f.until([&f] { return f.hub->rooms().reactor.metrics().value("emissary_hub_published_total") == 2; });
    a.send(RawConsumer::request(5, 6, "TRI", serviceOf(a)));
    CHECK(HubFixture::fields(a.next().msg) == "1=11");
    p.send(R"({"ID":-5,"Type":"Update","Fields":{"PROD_PERM":12}})");
    CHECK(HubFixture::fields(a.next().msg) == "1=12");
}
