// Readers of events (GET /sse): one read-only consumer for each connection, with the rules of WebSocket clients.
#include "web_port.h"

#include "hub/core/Client.h"
#include "late_reader.h"

#include <map>

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

using Query = Browser::Query;

void withEvents(ListenerSettings& port) {
    port.bind.webSocket.events = true;
}

const hub::Client* clientOf(WebPort& f, const std::string& user) {
    hub::ClientTable& clients = f.hub->rooms().clients;
    for (std::uint32_t i = 0; i < clients.end(); ++i)
        if (const hub::Client* const one = clients.find(i); one != nullptr && one->user == user) return one;
    return nullptr;
}

}  // namespace

TEST_CASE("a reader of events gets its login, images and updates, with numbers", "[hub][node][web][sse]") {
    const Browser::Line line = GENERATE(Browser::Line::plain, Browser::Line::tls);
    const LinePorts ports(line);
    WebPort f([&](HubSettings& s) {
        ListenerSettings port = ports.named("web", s);
        withEvents(port);
        s.listeners.push_back(port);
    });
    RawConsumer ripc = f.loggedIn("ripc");
    ripc.send(RawConsumer::request(5, 6, "TRI", f.niFeed));
    checkState(ripc.next(), 5, StreamState::open, ok);

    Browser c(f, f.hub->port(1),
              Query{"user=reader&position=10.0.0.1%2Fnet&service=NI_FEED&view=PROD_PERM&names=TRI&view="
                    "&service=DIRECT_FEED&id=20&names=IBM,DELL&service=NOBODYS&id=30&names=X"},
              Browser::originOf(Browser::kPages, line), line);
    INFO(c.answer());
    REQUIRE(c.open());
    CHECK(c.answer().find("Access-Control-Allow-Origin: http") != std::string::npos);
    const Json login = c.next("Domain", "Login");
    CHECK(stateOf(login) == "Open/Ok");
    CHECK(login.at("Key").at("Name").text == "reader");
    const Json image = c.next("ID", "2");
    CHECK(stateOf(image) == "Open/Ok");
    CHECK(image.at("Fields").members.size() == 1);
    // A service that is not there is answered by the hub, the others by their source: either may be first.
    std::map<std::string, std::string> states;
    while (states.size() < 3) {
        const Json one = c.next();
        if (one.find("ID") == nullptr || one.find("State") == nullptr) continue;
        // 20 is the batch itself, which ends.
        if (const std::string& id = one.at("ID").text; id == "21" || id == "22" || id == "30")
            states[id] = stateOf(one);
    }
    CHECK(states == std::map<std::string, std::string>{{"21", "Open/Ok"}, {"22", "Open/Ok"}, {"30", "Open/Suspect"}});
    f.publisher->update(-1, 11);
    const Json update = c.next("Type", "Update");
    CHECK(update.at("ID").text == "2");
    CHECK(update.at("Fields").at("PROD_PERM").text == "11");
    CHECK(c.lastEvent() >= 3);
    REQUIRE(clientOf(f, "reader") != nullptr);
    CHECK(clientOf(f, "reader")->position == "10.0.0.1/net");

    // Who comes back gets images, whatever it had before.
    Browser again(f, f.hub->port(1), Query{"user=again&service=NI_FEED&names=TRI"},
                  "Last-Event-ID: " + std::to_string(c.lastEvent()) + "\r\n", line);
    const Json fresh = again.next("ID", "2");
    CHECK(fresh.at("Type").text == "Refresh");
    CHECK(fresh.at("Fields").at("PROD_PERM").text == "11");

    Browser once(f, f.hub->port(1), Query{"user=once&service=NI_FEED&snapshot=1&names=TRI"}, {}, line);
    CHECK(stateOf(once.next("ID", "2")) == "NonStreaming/Ok");

    // Nothing of what they do disturbs others.
    CHECK(ripc.next().msg.cls == MsgClass::Update);
}

TEST_CASE("the rules of a port hold for readers of events", "[hub][node][web][sse]") {
    WebPort f([](HubSettings& s) {
        ListenerSettings& port = s.listeners[0];
        withEvents(port);
        port.web.services = {"NI_FEED"};
        port.web.requireView = true;
        port.web.mountsPerClient = 2;
        ListenerSettings without = port;
        without.name = "without";
        without.bind.webSocket.events = false;
        s.listeners.push_back(without);
    });
    Browser c(f, f.hub->port(),
              Query{"user=r&service=NI_FEED&names=TRI&service=DIRECT_FEED&view=PROD_PERM&id=10&names=IBM"
                    "&service=NI_FEED&id=20&names=TRI&id=21&names=TRI&id=22&names=TRI"});
    const Json refused = c.next("ID", "2");
    CHECK(stateOf(refused) == "Closed/Suspect");
    CHECK(refused.at("State").at("Text").text.find("RequireView") != std::string::npos);
    CHECK(stateOf(c.next("ID", "10")) == "Open/Suspect");  // unknown, as what does not exist
    CHECK(stateOf(c.next("ID", "20")) == "Open/Ok");
    CHECK(c.next("ID", "22").at("State").at("Text").text.find("WebMountsPerClient") != std::string::npos);

    const Browser evil(f, f.hub->port(), Query{"user=r"}, "Origin: http://evil.example\r\n");
    CHECK(evil.answer().starts_with("HTTP/1.1 403 "));
    const Browser nobody(f, f.hub->port(), Query{"names=TRI"});
    CHECK(nobody.answer().starts_with("HTTP/1.1 400 "));
    CHECK(nobody.answer().find("user is missing") != std::string::npos);
    const Browser off(f, f.hub->port(1), Query{"user=r"});
    CHECK(off.answer().starts_with("HTTP/1.1 404 "));
}

TEST_CASE("a hub that goes down says so to readers of events as to others", "[hub][node][web][sse]") {
    WebPort f([](HubSettings& s) { withEvents(s.listeners[0]); });
    Browser reader(f, f.hub->port(), Query{"user=r&service=NI_FEED&names=TRI"});
    CHECK(stateOf(reader.next("ID", "2")) == "Open/Ok");
    const auto other = f.program();
    f.hub->drain();
    const Json last = reader.next("Domain", "Login");
    INFO(last.source);
    CHECK(reader.closeCode() == 1012);
    CHECK(reader.closeText().find("going down") != std::string::npos);
    f.until([&] { return reader.ended(); });
    CHECK(other->closeCode() == 1012);
}

TEST_CASE("a reader of events that does not read is cut off, and finds the reason behind whole events",
          "[hub][node][web][sse][slow]") {
    WebPort f([](HubSettings& s) {
        ListenerSettings port = s.listeners[0];
        port.name = "web";
        withEvents(port);
        port.bind.sysSendBufSize = 16'384;
        port.slow.disconnectAbove = 100'000;
        port.slow.conflateBytes = 0;
        s.listeners.push_back(port);
    });
    std::string names;
    for (int i = 0; i < 100; ++i)
        names += "&id=" + std::to_string(2 + i) + "&names=TRI";
    Browser slow(f, f.hub->port(1), Query{"user=slow&service=NI_FEED" + names});
    Browser quick(f, f.hub->port(1), Query{"user=quick&service=NI_FEED&names=TRI"});
    CHECK(stateOf(quick.next("ID", "2")) == "Open/Ok");
    CHECK(stateOf(slow.next("ID", "101")) == "Open/Ok");
    std::uint64_t value = 100;
    f.until([&] {
        f.publisher->update(-1, ++value);
        f.turn();
        (void)quick.comments();
        return f.count("emissary_hub_client_disconnects_total", "slow") == 1;
    });
    CHECK(slow.closeCode() == 1013);
    INFO(slow.closeText());
    CHECK(slow.closeText().find("DisconnectAbove is 100000") != std::string::npos);
    f.until([&] { return slow.ended(); });
    f.publisher->update(-1, 7);
    f.until([&] { return quick.next("Type", "Update").at("Fields").at("PROD_PERM").text == "7"; });
}
