// Where a hub is reached, and where it looks for its sources: several ports, encrypted ones, lists of channels, hubs in
// a row.
#include "certificates.h"
#include "fixture.h"
#include "reactor/json/fixture.h"
#include "support/paths.h"

using namespace emissary;
using namespace emissary::test;

TEST_CASE("several ports, one of them encrypted: one item for all, one stream upstream", "[hub][node][tls]") {
    const Certificates certificates;
    HubFixture f([&](HubSettings& s) {
        ListenerSettings port = s.listeners[0];
        port.name = "others";
        s.listeners.push_back(port);
        port.name = "encrypted";
        certificates.encrypt(port);
        s.listeners.push_back(port);
    });
    f.connected();
    std::vector<RawConsumer> clients;
    clients.push_back(f.loggedIn("plain"));
    clients.push_back(f.loggedIn("other", f.hub->port(1)));
    clients.push_back(f.loggedIn(certificates.to(f.hub->port(2)), "secret"));
    clients.push_back(f.loggedIn(certificates.to(f.hub->port(2), ConnectionType::webSocket), "web"));
    std::int32_t stream = 0, mine = 5;
    for (RawConsumer& c : clients) {
        c.send(HubFixture::request(mine));
        const RawProvider::Got asked = f.asked();
        if (stream == 0) stream = asked.msg.streamId;
        CHECK(asked.msg.streamId == stream);
        f.refresh(stream, 10);
        const Received got = c.next();
        checkState(got, mine++, StreamState::open, ok);
        CHECK(HubFixture::fields(got.msg) == "22=10 25=11");
    }
    f.update(stream, 30);
    for (RawConsumer& c : clients)
        CHECK(HubFixture::fields(c.next().msg) == "22=30 25=31");
}

TEST_CASE("a source's channels are tried in their order, and again from the first after a loss", "[hub][node]") {
    const std::string nobody = [] {
        const RawProvider gone;
        return std::to_string(gone.port());
    }();
    HubFixture f([&](HubSettings& s) {
        SourceSettings& source = s.sources[0];
        ConnectOptions first = source.channels[0];
        first.port = nobody;
        source.channels.insert(source.channels.begin(), first);
        source.channelNames = {"FIRST", "SECOND"};
        source.reconnect.minDelay = source.reconnect.maxDelay = std::chrono::milliseconds(100);
    });
    const auto told = [&f](const std::string& what) {
        return std::ranges::count_if(f.lines, [&](const std::string& l) { return l.find(what) != std::string::npos; });
    };
    f.connected();
    CHECK(told("FIRST") >= 1);
    CHECK(told("SECOND") >= 1);
    RawConsumer c = f.loggedIn();
    c.send(HubFixture::request(5));
    f.refresh(f.asked().msg.streamId, 10);
    checkState(c.next(), 5, StreamState::open, ok);
    f.provider.disconnect();
    checkState(c.next(), 5, StreamState::open, suspect);
    f.refresh(f.asked().msg.streamId, 20);
    const Received again = c.next();
    checkState(again, 5, StreamState::open, ok);
    CHECK(HubFixture::fields(again.msg) == "22=20 25=21");
}

TEST_CASE("a hub is a source of another hub, over an encrypted connection", "[hub][node][tls]") {
    const Certificates certificates;
    HubFixture first([&](HubSettings& s) { certificates.encrypt(s.listeners[0]); });
    HubFixture second([&](HubSettings& s) {
        s.sources[0].channels = {certificates.to(first.hub->port())};
        s.services[0].serviceId = 90;
        s.services[0].cache.rule = CachePolicy::Rule::all;
    });
    second.alongside = [&first] { first.turn(); };
    first.alongside = {};
    second.connected();
    RawConsumer c = second.loggedIn();
    c.send(RawConsumer::request(5, 6, "IBM", std::uint16_t{90}));
    second.until([&first] { return !first.provider.inbox.empty(); });
    const RawProvider::Got asked = *first.provider.take();
    CHECK(asked.msg.key.serviceId == HubFixture::kUpstreamId);
    first.refresh(asked.msg.streamId, 10);
    const Received got = c.next();
    checkState(got, 5, StreamState::open, ok);
    CHECK(got.msg.key.serviceId == 90);
    first.update(asked.msg.streamId, 30);
    CHECK(HubFixture::fields(c.next().msg) == "22=30 25=31");

    // The first hub loses its provider: the state comes through, and the image after it.
    first.provider.disconnect();
    checkState(c.next(), 5, StreamState::open, suspect);
    second.until([&first] { return !first.provider.inbox.empty(); });
    first.refresh(first.provider.take()->msg.streamId, 40);
    const Received back = c.next();
    checkState(back, 5, StreamState::open, ok);
    CHECK(HubFixture::fields(back.msg) == "22=40 25=41");
}

TEST_CASE("a source over JSON is read with the hub's dictionary, where none of its own is downloaded",
          "[hub][node][json]") {
    HubFixture first;
    first.connected();
    HubFixture second([&](HubSettings& s) {
        s.sources[0].channels = {webSocketTo(first.hub->port())};
        s.services[0].serviceId = 90;
        s.services[0].cache.rule = CachePolicy::Rule::all;
        s.dictionary.fieldFile = sourcePath("/etc/RDMFieldDictionary");
        s.dictionary.enumFile = sourcePath("/etc/enumtype.def");
        s.dictionary.configured = true;
    });
    first.plainNumbers = true;
    second.alongside = [&first] { first.turn(); };
    second.connected();
    RawConsumer c = second.loggedIn();
    c.send(RawConsumer::request(5, 6, "IBM", std::uint16_t{90}));
    second.until([&first] { return !first.provider.inbox.empty(); });
    const std::int32_t stream = first.provider.take()->msg.streamId;
    first.refresh(stream, 10);
    const Received got = c.next();
    checkState(got, 5, StreamState::open, ok);
    CHECK(HubFixture::fields(got.msg) == "1=10");
    first.update(stream, 30);
    CHECK(HubFixture::fields(c.next().msg) == "1=30");
}

TEST_CASE("an item that is asked for before the login is refused, and nobody upstream hears of it", "[hub][node]") {
    HubFixture f;
    f.connected();
    RawConsumer c(f.hub->port(), [&f] { f.turn(); });
    c.send(HubFixture::request(5));
    checkState(c.next(), 5, StreamState::closedRecover, suspect, 5);  // UsageError
    CHECK(f.wire().empty());
}
