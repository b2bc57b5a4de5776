// GET /sse: the JSON of a connection as text/event-stream, and what the request says in the place of messages.
#include "transport/websocket/event_request.h"
#include "websocket_support.h"

using namespace transport_test;

namespace {

BindOptions eventPort() {
    BindOptions o = bindOptions();
    o.webSocket.events = true;
    return o;
}

std::string get(std::string_view target, std::string_view headers = {}) {
    return "GET " + std::string(target) + " HTTP/1.1\r\nHost: x\r\n" + std::string(headers) + "\r\n";
}

/// A server channel, and what a reader of events gets from it.
struct Events {
    explicit Events(std::string_view request, const BindOptions& bind = eventPort()) : server(listen(bind)) {
        raw = RawSocket::connectTo(server->port());
        raw.send(asBytes(request));
        channel = acceptOne(*server);
        status = settle(*channel);
        head = readHead(raw);
    }
    std::string line() {
        std::string s;
        while (!s.ends_with("\n")) {
            const ByteVector b = raw.receive(1);
            if (b.empty()) break;
            s += textOf(b);
        }
        return s;
    }
    std::string event() {
        std::string all;
        for (std::string one; (one = line()) != "\n" && !one.empty();)
            all += one;
        return all;
    }
    std::unique_ptr<Server> server;
    std::unique_ptr<Channel> channel;
    RawSocket raw;
    InitStatus status = InitStatus::inProgress;
    std::string head;
};

std::string asked(std::string_view query, std::string_view authorization = {}, std::string_view cookies = {}) {
    ws::UpgradeRequest r;
    r.query = query;
    r.authorization = authorization;
    r.cookies = cookies;
    ws::EventRequest e = ws::readEventRequest(r, {"AuthToken"});
    CHECK(e.text.empty() != e.fault.empty());
    return e.fault.empty() ? e.text : "? " + e.fault;
}

}  // namespace

TEST_CASE("the query of a reader of events is its login and its requests", "[transport][websocket][events]") {
    CHECK(asked("user=anna") == R"([{"ID":1,"Domain":"Login","Key":{"Name":"anna"}}])");
    CHECK(
        asked("user=a%22b%5C&applicationId=256&position=10.0.0.1%2Fnet") ==
        R"([{"ID":1,"Domain":"Login","Key":{"Name":"a\"b\\","Elements":{"ApplicationId":"256","Position":"10.0.0.1/net"}}}])");
    CHECK(asked("user=u&service=S+1&names=EUR%3D") ==
          R"([{"ID":1,"Domain":"Login","Key":{"Name":"u"}},{"ID":2,"Key":{"Name":"EUR=","Service":"S 1"}}])");
    CHECK(asked("user=u&service=70&view=BID,25&names=A,B%2C2,C&snapshot=1&domain=MarketByOrder&view=&names=D") ==
          R"([{"ID":1,"Domain":"Login","Key":{"Name":"u"}},)"
          R"({"ID":2,"Key":{"Name":["A","B,2","C"],"Service":70},"View":["BID",25]},)"
          R"({"ID":6,"Key":{"Name":"D","Service":70},"Domain":"MarketByOrder","Streaming":false}])");
    CHECK(asked("user=u&id=9&names=A&id=20&names=B,C&domain=7&names=D") ==
          R"([{"ID":1,"Domain":"Login","Key":{"Name":"u"}},{"ID":9,"Key":{"Name":"A"}},)"
          R"({"ID":20,"Key":{"Name":["B","C"]}},{"ID":23,"Key":{"Name":"D"},"Domain":7}])");
    CHECK(asked("", "Bearer t.o.k") ==
          R"([{"ID":1,"Domain":"Login","Key":{"NameType":"AuthnToken","Elements":{"AuthenticationToken":"t.o.k"}}}])");
    CHECK(asked("names=A", "", "x=1; AuthToken=c.o.o") ==
          R"([{"ID":-1,"Domain":"Login","Key":{"NameType":"AuthnToken","Elements":{"AuthenticationToken":"c.o.o"}}},)"
          R"({"ID":2,"Key":{"Name":"A"}}])");
    // A token that was given stands above a cookie that the browser sends by itself.
    CHECK(asked("", "Bearer t", "AuthToken=c").find("\"t\"") != std::string::npos);

    CHECK_THAT(asked(""), Catch::StartsWith("? the parameter user is missing"));
    CHECK_THAT(asked("user=u&token=secret"), Catch::StartsWith("? there is no parameter token;") &&
                                                 !Catch::Contains("secret") && Catch::Contains("names"));
    CHECK_THAT(asked("user=u%2"), Catch::Contains("user has a % without two"));
    CHECK_THAT(asked("user=u&names=A%zz"), Catch::Contains("names have a % without"));
    CHECK_THAT(asked("user=u&names=,"), Catch::Contains("names has no name"));
    CHECK_THAT(asked("user=u&id=1&names=A"), Catch::Contains("id is a number from 2"));
    CHECK_THAT(asked("user=u&id=9999999999&names=A"), Catch::Contains("id is a number"));
    CHECK_THAT(asked("user=u&snapshot=yes"), Catch::Contains("snapshot is 0 or 1"));
    CHECK_THAT(asked("user=u", "Basic YTpi"), Catch::Contains("Authorization") && !Catch::Contains("YTpi"));
    CHECK_THAT(asked("\x1b[31m=1"), !Catch::Contains("\x1b"));
}

TEST_CASE("events carry the texts of a JSON connection, with numbers", "[transport][websocket][events]") {
    Events e(get("/sse?user=u&names=A"));
    REQUIRE(e.status == InitStatus::active);
    CHECK(e.head.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"));
    CHECK_THAT(e.head, Catch::Contains("Cache-Control: no-store") && Catch::Contains("nosniff") &&
                           !Catch::Contains("Access-Control"));
    CHECK(e.channel->info().protocolType == emissary::eta::transport::kProtocolJson);
    CHECK(e.channel->info().webSocketProtocol == "sse");
    const ReadResult got = readWait(*e.channel);
    REQUIRE(got.kind == ReadResult::Kind::message);
    CHECK(asText(got.message) == R"([{"ID":1,"Domain":"Login","Key":{"Name":"u"}},{"ID":2,"Key":{"Name":"A"}}])");
    REQUIRE(e.channel->write(asBytes(R"({"ID":1})")).ok());
    REQUIRE(e.channel->write(asBytes("{\"ID\":2,\n \"Type\"\r:\"x\"}")).ok());
    static_cast<void>(e.channel->flush());
    CHECK(e.event() == "id: 1\ndata: [{\"ID\":1}]\n");
    CHECK(e.event() == "id: 2\ndata: [{\"ID\":2,  \"Type\" :\"x\"}]\n");  // one line, whatever stood in it
    // Heartbeats are comments.
    static_cast<void>(e.channel->pingIfIdle(at(1000), true));
    static_cast<void>(e.channel->flush());
    CHECK(e.event() == ":\n");
    // A large one, which leaves in pieces.
    const std::string large = "{\"ID\":3,\"x\":\"" + std::string(200'000, 'y') + "\"}";
    REQUIRE(e.channel->write(asBytes(large)).ok());
    static_cast<void>(e.channel->flush());
    const std::string whole = "id: 3\ndata: [" + large + "]\n\n";
    std::string seen;
    while (seen.size() < whole.size()) {
        static_cast<void>(e.channel->flush());
        seen += textOf(e.raw.receive(std::min<std::size_t>(16'384, whole.size() - seen.size())));
    }
    CHECK(seen == whole);
}

TEST_CASE("a reader of events says nothing more", "[transport][websocket][events]") {
    Events e(get("/sse?user=u"));
    REQUIRE(e.status == InitStatus::active);
    REQUIRE(readWait(*e.channel).kind == ReadResult::Kind::message);
    SECTION("and is not expected to") {
        CHECK_FALSE(e.channel->pingExpired(at(0)));
        CHECK_FALSE(e.channel->pingExpired(at(100'000)));
    }
    SECTION("a byte ends it") {
        e.raw.send(asBytes("x"));
        CHECK(readWait(*e.channel).kind == ReadResult::Kind::closed);
        CHECK_THAT(e.channel->errorText(), Catch::Contains("data behind the request for events"));
    }
    SECTION("its end is the end") {
        e.raw.close();
        CHECK(readWait(*e.channel).kind == ReadResult::Kind::closed);
        CHECK_THAT(e.channel->errorText(), Catch::Contains("closed by peer"));
    }
}

TEST_CASE("what is behind the head of a request for events refuses it", "[transport][websocket][events]") {
    Events e(get("/sse?user=u") + "more");
    CHECK(e.status == InitStatus::failed);
    CHECK(e.head.starts_with("HTTP/1.1 400 "));
}

TEST_CASE("requests for events are refused as upgrades are", "[transport][websocket][events]") {
    struct Row {
        std::string request;
        int status;
        const char* why;
    };
    BindOptions o = eventPort();
    o.webSocket.origins.checked = true;
    o.webSocket.origins.allowed = {"https://page.example"};
    const Row rows[] = {
        {get("/sse?user=u", "Origin: https://evil.example\r\n"), 403, "AllowedOrigins"},
        {get("/sse?user=u", "Sec-Fetch-Site: cross-site\r\n"), 403, "other sites"},
        {get("/sse?user=u", "Sec-Fetch-Site: same-site\r\n"), 403, "other sites"},
        {get("/sse?user=u&x=1"), 400, "there is no parameter x"},
        {get("/sse"), 400, "user is missing"},
        {get("/sse/x?user=u"), 404, ""},
        {get("/ssex?user=u"), 404, ""},
        {get("/hub/sse?user=u"), 404, ""},
        {"POST /sse?user=u HTTP/1.1\r\nHost: x\r\n\r\n", 0, ""},  // no first bytes of HTTP that are known here
        {"OPTIONS /WebSocket HTTP/1.1\r\nHost: x\r\n\r\n", 400, ""},
        {get("/sse?user=u", "Content-Length: 3\r\n"), 400, ""},
    };
    for (const Row& row : rows) {
        INFO(row.request);
        Events e(row.request, o);
        CHECK(e.status == InitStatus::failed);
        if (row.status == 0) continue;
        CHECK(e.head.starts_with("HTTP/1.1 " + std::to_string(row.status) + " "));
        if (*row.why != '\0') CHECK_THAT(textOf(e.raw.receive(400)), Catch::Contains(row.why));
    }
    for (const char* const good : {"Origin: https://page.example\r\n", "Sec-Fetch-Site: none\r\n",
                                   "Sec-Fetch-Site: same-origin\r\n", "Last-Event-ID: 17\r\n"}) {
        INFO(good);
        CHECK(Events(get("/sse?user=u", good), o).status == InitStatus::active);
    }
    // Where there are none, the path is one of many, and a question about it no HTTP.
    CHECK(Events(get("/sse?user=u"), bindOptions()).head.starts_with("HTTP/1.1 404 "));
    o.webSocket.protocols = "rssl.rwf";
    CHECK(Events(get("/sse?user=u"), o).head.starts_with("HTTP/1.1 404 "));
    o = eventPort();
    o.webSocket.upgradesPerSecond = 1;
    auto server = listen(o);
    std::string last;
    for (int i = 0; i < 11; ++i) {
        RawSocket raw = RawSocket::connectTo(server->port());
        raw.send(asBytes(get("/sse?user=u")));
        auto channel = acceptOne(*server);
        (void)settle(*channel);
        last = readHead(raw);
    }
    CHECK(last.starts_with("HTTP/1.1 429 "));
    CHECK(server->counters().refusedRate == 1);
}

TEST_CASE("a page may read events where its origin may connect", "[transport][websocket][events]") {
    BindOptions o = eventPort();
    o.webSocket.origins.checked = true;
    o.webSocket.origins.allowed = {"https://page.example"};
    const std::string from = "Origin: https://page.example\r\n";
    const Events e(get("/sse?user=u", from), o);
    REQUIRE(e.status == InitStatus::active);
    CHECK_THAT(e.head, Catch::Contains("Access-Control-Allow-Origin: https://page.example\r\nVary: Origin\r\n") &&
                           !Catch::Contains("Credentials"));
    // A token goes in a header, about which browsers ask first.
    Events asks("OPTIONS /sse?user=u HTTP/1.1\r\nHost: x\r\nAccess-Control-Request-Method: GET\r\n"
                "Access-Control-Request-Headers: authorization\r\n" +
                    from + "\r\n",
                o);
    CHECK(asks.status == InitStatus::failed);
    CHECK(asks.head.starts_with("HTTP/1.1 204 "));
    CHECK_THAT(asks.head, Catch::Contains("Allow-Origin: https://page.example") && Catch::Contains("Authorization"));
    CHECK(asks.raw.closedByPeer());
    CHECK(Events("OPTIONS /sse HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\n\r\n", o)
              .head.starts_with("HTTP/1.1 403 "));
}

TEST_CASE("the end of events has a code and a text, and the stream ends behind it", "[transport][websocket][events]") {
    Events e(get("/sse?user=u"));
    REQUIRE(e.status == InitStatus::active);
    REQUIRE(e.channel->write(asBytes(R"({"ID":1})")).ok());
    static_cast<void>(e.channel->flush());
    CHECK(e.channel->finish(1013, "too \"slow\"\n"));
    static_cast<void>(e.channel->flush());
    CHECK(e.event() == "id: 1\ndata: [{\"ID\":1}]\n");
    CHECK(e.event() == "event: close\ndata: {\"Code\":1013,\"Text\":\"too \\\"slow\\\"\\n\"}\n");
    CHECK(e.raw.closedByPeer());
}
