// A port that browsers reach: what its clients know of, may ask for and may send, beside others that are not disturbed.
#include "certificates.h"
#include "web_port.h"

#include "eta/core/addresses.h"
#include "hub/core/Client.h"

#include <regex>

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

std::vector<std::string> namesIn(const Json& directory) {
    std::vector<std::string> names;
    for (const Json& entry : directory.at("Map").at("Entries").items)
        for (const Json& filter : entry.at("FilterList").at("Entries").items)
            if (const Json* const elements = filter.find("Elements"))
                if (const Json* const name = elements->find("Name")) names.push_back(name->text);
    std::ranges::sort(names);
    return names;
}

std::string textOfState(const Json& got) {
    INFO(got.source);
    const Json* const text = got.at("State").find("Text");
    return stateOf(got) + ": " + (text != nullptr ? text->text : std::string());
}

std::string post(int id, const char* item = "TRI", const char* service = "NI_FEED", const char* address = "9.9.9.9") {
    return R"({"ID":1,"Type":"Post","Domain":"MarketPrice","Ack":true,"PostID":)" + std::to_string(id) +
           R"(,"PostUserInfo":{"Address":")" + address + R"(","UserID":3},"Key":{"Name":")" + item +
           R"(","Service":")" + service + R"("},"Message":{"ID":0,"Type":"Update","Fields":{"PROD_PERM":4}}})";
}

std::string nakOf(const Json& ack) {
    const Json* const code = ack.find("NakCode");
    return code != nullptr ? code->text : "";
}

}  // namespace

TEST_CASE("clients over WebSocket know the services that the port names, and no others", "[hub][node][web]") {
    WebPort f([](HubSettings& s) { s.listeners[0].web.services = {"NI_FEED", "NOT_THERE"}; });
    const auto c = f.program();
    RawConsumer ripc = f.loggedIn("ripc"), rwf = f.rwf();
    c->send(R"({"ID":2,"Domain":"Source","Key":{"Filter":3}})");
    CHECK(namesIn(c->next("ID", "2")) == std::vector<std::string>{"NI_FEED"});
    rwf.send(RawConsumer::directoryRequest(3));
    rdm::Directory d;
    REQUIRE(d.apply(rwf.next().msg.payload, false).ok());
    CHECK(d.services().size() == 1);
    ripc.send(RawConsumer::directoryRequest(3));
    rdm::Directory all;
    REQUIRE(all.apply(ripc.next().msg.payload, false).ok());
    CHECK(all.services().size() == 2);

    // What there is and what there is not get the same words.
    const auto ask = [&](int id, const std::string& service) {
        c->send(R"({"ID":)" + std::to_string(id) + R"(,"Key":{"Name":"IBM","Service":)" + service + "}}");
        return textOfState(c->next("ID", std::to_string(id)));
    };
    const std::string byName = ask(10, R"("DIRECT_FEED")");
    CHECK(byName == ask(11, R"("NOBODYS_ONE")"));
    CHECK(byName == "Open/Suspect: Service not up yet.");
    const std::string byNumber = ask(12, "70"), unknown = ask(13, "71");
    CHECK(byNumber.ends_with("there is no such service"));
    CHECK(std::regex_replace(byNumber, std::regex("70"), "71") == unknown);
    CHECK(f.wire().empty());
    // The one that it knows is the only one there is.
    c->send(R"({"ID":14,"Key":{"Name":"TRI"}})");
    CHECK(stateOf(c->next("ID", "14")) == "Open/Ok");
    rwf.send(HubFixture::request(15));
    checkState(rwf.next(), 15, StreamState::closed, suspect, 15);
    ripc.send(HubFixture::request(16));
    checkState(ripc.next(), 16, StreamState::open, ok);
    CHECK(f.count("emissary_hub_requests_refused_total", "service_unknown") == 3);

    c->send(post(7, "IBM", "DIRECT_FEED"));
    const Json refused = c->next("Type", "Ack"), nobodys = (c->send(post(8, "IBM", "NOBODYS")), c->next("Type", "Ack"));
    CHECK(nakOf(refused) == "SourceUnknown");
    CHECK(refused.at("Text").text == nobodys.at("Text").text);
    c->send(post(9));
    CHECK(nakOf(c->next("Type", "Ack")).empty());

    // A change of the other service, then one of its own: it hears of the second.
    f.provider.disconnect();
    (void)ripc.next();
    f.publisher->wire.disconnect();
    const Json change = c->next("ID", "2");
    INFO(change.source);
    CHECK(change.at("Map").at("Entries").items.size() == 1);
    CHECK(change.at("Map").at("Entries").items[0].at("Key").text == std::to_string(f.niFeed));
}

TEST_CASE("where views are required, requests over WebSocket without one are refused", "[hub][node][web]") {
    WebPort f([](HubSettings& s) { s.listeners[0].web.requireView = true; });
    const auto c = f.program();
    RawConsumer ripc = f.loggedIn("ripc"), rwf = f.rwf();
    c->send(R"({"ID":5,"Key":{"Name":"TRI","Service":"NI_FEED"}})");
    const Json refused = c->next("ID", "5");
    CHECK(stateOf(refused) == "Closed/Suspect");
    CHECK(refused.at("State").at("Code").text == "InvalidView");
    CHECK(refused.at("State").at("Text").text.find("RequireView") != std::string::npos);
    c->send(R"({"ID":20,"Key":{"Name":["TRI","IBM"],"Service":"NI_FEED"}})");
    CHECK(stateOf(c->next("ID", "21")) == "Closed/Suspect");
    CHECK(f.count("emissary_hub_requests_refused_total", "view_required") == 3);
    rwf.send(RawConsumer::request(6, 6, "TRI", f.niFeed));
    checkState(rwf.next(), 6, StreamState::closed, suspect, 21);

    c->send(R"({"ID":7,"View":["PROD_PERM"],"Key":{"Name":"TRI","Service":"NI_FEED"}})");
    CHECK(stateOf(c->next("ID", "7")) == "Open/Ok");
    c->send(R"({"ID":30,"View":["PROD_PERM"],"Key":{"Name":["TRI"],"Service":"NI_FEED"}})");
    CHECK(stateOf(c->next("ID", "31")) == "Open/Ok");
    // To leave it out afterwards would mean all fields from then on.
    c->send(R"({"ID":7,"Key":{"Name":"TRI","Service":"NI_FEED"}})");
    CHECK(stateOf(c->next("ID", "7")) == "Closed/Suspect");
    f.publisher->update(-1, 11);
    CHECK(c->next("Type", "Update").at("ID").text == "31");
    ripc.send(RawConsumer::request(8, 6, "TRI", f.niFeed));
    checkState(ripc.next(), 8, StreamState::open, ok);
}

TEST_CASE("pages post only where the port lets them; programs post as ever", "[hub][node][web]") {
    const bool allowed = GENERATE(false, true);
    WebPort f([&](HubSettings& s) { s.listeners[0].web.posting = allowed; });
    const auto page = f.page(), program = f.program();
    RawConsumer watcher = f.loggedIn("watcher");
    watcher.send(RawConsumer::request(5, 6, "TRI", f.niFeed));
    (void)watcher.next();
    const auto addressSeen = [&] {
        const Received got = watcher.next();
        REQUIRE(got.msg.cls == MsgClass::Update);
        CHECK(got.msg.postUserId == 3);
        return got.msg.postUserAddress;
    };
    constexpr std::uint32_t kHere = 0x7F000001, kSaid = 0x09090909;
    page->send(post(7));
    const Json ack = page->next("Type", "Ack");
    INFO(ack.source);
    if (allowed) {
        CHECK(nakOf(ack).empty());
        CHECK(addressSeen() == kHere);
    } else {
        CHECK(nakOf(ack) == "AccessDenied");
        CHECK(ack.at("Text").text.find("WebPosting") != std::string::npos);
    }
    // On the stream of the item too.
    page->send(R"({"ID":6,"Key":{"Name":"TRI","Service":"NI_FEED"}})");
    CHECK(stateOf(page->next("ID", "6")) == "Open/Ok");
    page->send(R"({"ID":6,"Type":"Post","Ack":true,"PostID":9,"PostUserInfo":{"Address":"9.9.9.9","UserID":3},)"
               R"("Message":{"ID":0,"Type":"Update","Fields":{"PROD_PERM":4}}})");
    CHECK(nakOf(page->next("Type", "Ack")) == (allowed ? "" : "AccessDenied"));
    if (allowed) CHECK(addressSeen() == kHere);

    program->send(post(8));
    CHECK(nakOf(program->next("Type", "Ack")).empty());
    CHECK(addressSeen() == kHere);
    // Libraries of Python and Go send an origin as well, that of the port: no page has it.
    Browser library(f, f.hub->port(), Browser::originOf(f.hub->port()));
    library.login();
    library.send(post(10));
    CHECK(nakOf(library.next("Type", "Ack")).empty());
    CHECK(addressSeen() == kHere);
    // RIPC says what it likes: it always has.
    RawConsumer ripc = f.loggedIn("ripc");
    Msg m;
    m.cls = MsgClass::Post;
    m.streamId = 1;
    m.domain = 6;
    m.flags = codec::PostFlag::msgKey | codec::PostFlag::complete;
    m.postUserAddress = kSaid;
    m.postUserId = 3;
    m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
    m.key.serviceId = f.niFeed;
    m.key.name = eta::asBytes(std::string_view("TRI"));
    f.fill(m, 12);
    ripc.send(m);
    CHECK(addressSeen() == kSaid);
}

TEST_CASE("a page does not publish where it may not post", "[hub][node][web]") {
    const bool ownPort = GENERATE(false, true), allowed = GENERATE(false, true);
    INFO((ownPort ? "a publishers' port" : "a port for any role"));
    WebPort f([&](HubSettings& s) {
        s.listeners[0].anyRole = true;
        for (ListenerSettings* const port : {&s.listeners[0], &s.publisherListeners[0]}) {
            port->bind.webSocket.origins.checked = true;
            port->bind.webSocket.origins.pagesPort = Browser::kPages;
            port->web.posting = allowed;
        }
    });
    const std::uint16_t port = ownPort ? f.hub->publisherPort() : f.hub->port();
    const std::string login = R"({"ID":1,"Domain":"Login","Key":{"Name":"pub","Elements":{"Role":1}}})";
    Browser page(f, port, Browser::originOf(Browser::kPages)), program(f, port);
    page.send(login);
    const Json answer = page.next("Domain", "Login");
    INFO(answer.source);
    CHECK(answer.at("State").at("Stream").text == (allowed ? "Open" : "Closed"));
    if (!allowed) CHECK(answer.at("State").at("Text").text.find("(WebPosting)") != std::string::npos);
    program.send(login);
    CHECK(program.next("Domain", "Login").at("State").at("Stream").text == "Open");
}

TEST_CASE("a page that posts too fast is refused, then cut off, and others go on", "[hub][node][web]") {
    const bool browser = GENERATE(true, false), allowed = GENERATE(true, false);
    // A hub that takes no posts counts them too: each costs an answer.
    const bool taken = browser || allowed;
    WebPort f([&](HubSettings& s) {
        s.listeners[0].web.posting = allowed;
        s.supportOmmPost = taken;
        if (!browser) s.listeners[0].web.postsPerSecond = 2;
    });
    const int limit = browser ? 50 : 2;
    const auto flood = browser ? f.page() : f.program(), other = browser ? f.page() : f.program();
    // All come within a moment: a second's worth is taken, and what is refused beyond is refused for a reason.
    for (int i = 0; i < limit + 15; ++i)
        flood->send(post(100 + i));
    int refused = 0;
    for (int i = 0; i < limit + 15; ++i) {
        const Json ack = flood->next("Type", "Ack");
        if (nakOf(ack).empty()) continue;
        if (!taken || (browser && !allowed)) {
            CHECK(nakOf(ack) == "AccessDenied");
            continue;
        }
        CHECK(nakOf(ack) == "NoResources");
        CHECK(ack.at("Text").text.find("WebPostsPerSecond") != std::string::npos);
        ++refused;
    }
    CHECK((refused > 0 || browser || !taken));  // on a machine under load the second may be over
    for (int i = 0; i < 100 * limit; ++i)
        flood->send(post(1000 + i));
    CHECK(flood->closeCode() == 1008);
    other->send(post(8));
    CHECK(nakOf(other->next("Type", "Ack")) == (!taken || (browser && !allowed) ? "AccessDenied" : ""));
    // The close goes out first, the count follows when the connection has ended.
    f.until([&] { return f.count("emissary_hub_client_disconnects_total", "request_rate") == 1; });
}

TEST_CASE("a port has limits of its own for requests and streams over WebSocket", "[hub][node][web]") {
    WebPort f([](HubSettings& s) {
        s.listeners[0].web.mountsPerClient = 2;
        s.listeners[0].web.requestsPerSecond = 3;
    });
    const auto c = f.program(), flood = f.program();
    RawConsumer ripc = f.loggedIn("ripc");
    for (int id = 5; id < 8; ++id)
        c->send(R"({"ID":)" + std::to_string(id) + R"(,"Key":{"Name":"TRI","Service":"NI_FEED"}})");
    CHECK(stateOf(c->next("ID", "5")) == "Open/Ok");
    CHECK(stateOf(c->next("ID", "6")) == "Open/Ok");
    const Json third = c->next("ID", "7");
    CHECK(stateOf(third) == "Closed/Suspect");
    CHECK(third.at("State").at("Text").text.find("WebMountsPerClient") != std::string::npos);
    std::string many = "[";
    for (int id = 5; id < 100; ++id)
        many += (id == 5 ? "" : ",") + std::string(R"({"ID":)") + std::to_string(id) +
                R"(,"Key":{"Name":"TRI","Service":"NI_FEED"}})";
    flood->send(many + "]");
    CHECK(flood->closeCode() == 1008);
    for (std::int32_t id = 5; id < 60; ++id)
        ripc.send(RawConsumer::request(id, 6, "TRI", f.niFeed));
    for (std::int32_t id = 5; id < 60; ++id)
        checkState(ripc.next(), id, StreamState::open, ok);
    f.publisher->update(-1, 12);
    CHECK(c->next("Type", "Update").at("ID").text == "5");
}

TEST_CASE("what is too large, or no JSON, ends a client over WebSocket with its code", "[hub][node][web]") {
    struct Row {
        std::string text;
        std::uint16_t code;
        bool login;
    };
    const Row rows[] = {{"{\"ID\":1,\"x\":\"" + std::string(66'000, 'x') + "\"}", 1009, false},
                        {R"({"ID":5,"Key":{"Name":"TRI"}})", 1008, false},  // before the login
                        {"{\"ID\":1,\"x\":\"" + std::string(6'300'000, 'x') + "\"}", 1009, true},
                        {"\xFF", 1007, true}};
    WebPort f([](HubSettings& s) { s.listeners[0].limits.loginTimeout = std::chrono::milliseconds(500); });
    const auto other = f.program();
    for (const Row& row : rows) {
        INFO(row.text.substr(0, 40) << (row.login ? ", logged in" : ""));
        Browser c(f, f.hub->port());
        if (row.login) c.login();
        c.send(row.text);
        CHECK(c.closeCode() == row.code);
    }
    other->send(R"({"ID":5,"Key":{"Name":"TRI","Service":"NI_FEED"}})");
    CHECK(stateOf(other->next("ID", "5")) == "Open/Ok");
}

TEST_CASE("JSON that is too deep or has too many values ends its client, with the words of the parameter",
          "[hub][node][web]") {
    const Browser::Line line = GENERATE(Browser::Line::plain, Browser::Line::tls);
    const LinePorts ports(line);
    WebPort f([&](HubSettings& s) {
        ListenerSettings port = ports.named("web", s);
        s.listeners.push_back(port);
        port.name = "wide";
        port.web.jsonDepth = 64;
        port.web.jsonValues = 0;
        s.listeners.push_back(port);
    });
    const auto nested = [](int levels) {
        return R"({"ID":1,"Type":"Generic","Domain":"Login","x":)" +
               std::string(static_cast<std::size_t>(levels - 1), '[') +
               std::string(static_cast<std::size_t>(levels - 1), ']') + "}";
    };
    const auto numbers = [](int values) {
        std::string text = R"({"ID":1,"Type":"Generic","Domain":"Login","x":[0)";
        for (int i = 1; i < values; ++i)
            text += ",0";
        return text + "]}";
    };
    constexpr int kAround = 5;  // the object, its three words and the array
    const std::string inArray = "[" + numbers(9'000) + "," + numbers(9'000) + "]";
    struct Row {
        std::string text;
        const char* parameter;
    };
    const Row rows[] = {{nested(33), "WebJsonDepth"},
                        {numbers(10'001 - kAround), "WebJsonValues"},
                        // of a long array, whose messages are read one after the other
                        {"[" + numbers(9'000) + "," + numbers(40'000) + "]", "WebJsonValues"},
                        {"[" + inArray.substr(1, inArray.size() - 2) + "," + nested(33) + "]", "WebJsonDepth"}};
    Browser other(f, f.hub->port(1), {}, line);
    other.login();
    RawConsumer ripc = f.loggedIn("ripc");
    std::uint64_t ended = 0;
    for (const bool before : {true, false})
        for (const Row& row : rows) {
            // A stranger's messages are smaller anyway.
            if (before && row.text.size() > 65'536) continue;
            INFO(row.text.substr(0, 60) << " ... " << row.text.size() << (before ? ", stranger" : ""));
            Browser c(f, f.hub->port(1), {}, line);
            if (!before) c.login();
            c.send(row.text);
            const Json error = c.next("Type", "Error");
            CHECK(error.at("Text").text.find(row.parameter) != std::string::npos);
            if (!before) {
                const Json last = c.next("Domain", "Login");
                CHECK(stateOf(last) == "Closed/Suspect");
                CHECK(last.at("State").at("Text").text.find(row.parameter) != std::string::npos);
            }
            CHECK(c.closeCode() == 1008);
            ++ended;
            f.until([&] { return f.count("emissary_hub_client_disconnects_total", "json_limit") == ended; });
        }
    // What is just within the bounds, and a batch of many names, cost nothing; other ports have bounds of their own.
    other.send(nested(32));
    other.send(numbers(10'000 - kAround));
    other.send(inArray);
    std::string names;
    for (int i = 0; i < 9'999; ++i)
        names += "\"N" + std::to_string(i) + "\",";
    other.send(R"({"ID":20000,"Key":{"Name":[)" + names + R"("TRI"],"Service":"NI_FEED"}})");
    CHECK(stateOf(other.next("ID", "30000")) == "Open/Ok");
    Browser wide(f, f.hub->port(2), {}, line);
    wide.login();
    wide.send(nested(64));
    wide.send(numbers(60'000));
    wide.send(R"({"ID":5,"Key":{"Name":"TRI","Service":"NI_FEED"}})");
    CHECK(stateOf(wide.next("ID", "5")) == "Open/Ok");
    wide.send(nested(65));
    CHECK(wide.closeCode() == 1008);
    ripc.send(RawConsumer::request(5, 6, "TRI", f.niFeed));
    checkState(ripc.next(), 5, StreamState::open, ok);
    f.publisher->update(-1, 11);
    CHECK(other.next("Type", "Update").at("ID").text == "30000");
}

TEST_CASE("a refused upgrade says why, and no more than that", "[hub][node][web]") {
    const Browser::Line line = GENERATE(Browser::Line::plain, Browser::Line::tls);
    const LinePorts ports(line);
    WebPort f([&](HubSettings& s) {
        ListenerSettings port = ports.named("full", s);
        port.bind.maxConnections = 1;
        port.bind.webSocket.answersWhenFull = true;
        s.listeners.push_back(port);
        port.name = "slow";
        port.bind.maxConnections = 0;
        port.bind.webSocket.upgradesPerSecond = 1;
        port.bind.webSocket.maxHeadBytes = 8192;
        s.listeners.push_back(port);
        port.name = "usual";
        port.bind.webSocket = s.listeners[0].bind.webSocket;
        s.listeners.push_back(port);
    });
    const auto leaksNothing = [](const std::string& answer) {
        INFO(answer);
        CHECK(answer.find("Server:") == std::string::npos);
        CHECK(answer.find("emissary") == std::string::npos);
        CHECK(answer.find("Emissary") == std::string::npos);
        return answer;
    };
    Browser here(f, f.hub->port(1), {}, line);
    leaksNothing(here.answer());
    here.login();
    const Browser full(f, f.hub->port(1), {}, line);
    CHECK(leaksNothing(full.answer()).starts_with("HTTP/1.1 503 "));
    CHECK(full.answer().find("Retry-After: ") != std::string::npos);
    std::string answer;
    for (int i = 0; i < 100 && !answer.starts_with("HTTP/1.1 429 "); ++i)
        answer = Browser(f, f.hub->port(2), {}, line).answer();
    CHECK(leaksNothing(answer).starts_with("HTTP/1.1 429 "));
    CHECK(answer.find("Retry-After: ") != std::string::npos);
    CHECK(leaksNothing(Browser(f, f.hub->port(2), "A: " + std::string(9000, 'x') + "\r\n", line).answer())
              .starts_with("HTTP/1.1 431 "));
    CHECK(leaksNothing(Browser(f, f.hub->port(3), "Origin: http://evil.example\r\n", line).answer())
              .starts_with("HTTP/1.1 403 "));
    CHECK(leaksNothing(Browser(f, f.hub->port(3), "Host: twice\r\n", line).answer()).starts_with("HTTP/1.1 400 "));
    here.send(R"({"ID":5,"Key":{"Name":"TRI","Service":"NI_FEED"}})");
    CHECK(stateOf(here.next("ID", "5")) == "Open/Ok");
    f.until([&f] {
        return std::ranges::any_of(f.lines, [](const std::string& l) { return l.find("full failed:") != l.npos; });
    });
}

TEST_CASE("a client behind a trusted proxy is shown by its own address", "[hub][node][web]") {
    WebPort f(
        [](HubSettings& s) { s.listeners[0].bind.webSocket.trustedProxies = {*eta::parseAddressRange("127.0.0.1")}; });
    Browser c(f, f.hub->port(), "X-Forwarded-For: 1.2.3.4, 203.0.113.9\r\n");
    REQUIRE(c.open());
    c.login();
    hub::ClientTable& clients = f.hub->rooms().clients;
    std::string address;
    for (std::uint32_t i = 0; i < clients.end(); ++i)
        if (const hub::Client* const one = clients.find(i); one != nullptr && one->user == "page")
            address = one->address;
    CHECK(address.starts_with("203.0.113.9:"));
    CHECK(std::ranges::any_of(f.lines, [](const std::string& line) {
        return line.find("logged in from 203.0.113.9:") != line.npos &&
               line.find(" through the proxy 127.0.0.1:") != line.npos;
    }));
    Browser odd(f, f.hub->port(), "X-Forwarded-For: \x1b[31m<b>, \"\\\r\n");
    REQUIRE(odd.open());
    odd.login();
}
