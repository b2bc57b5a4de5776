// The pages over real HTTP.
#include "rig.h"
#include "support/paths.h"

using namespace emissary;
using namespace emissary::hub;
using ops::test::has;
using ops::test::Rig;

TEST_CASE("the page of the mesh has its peers, their lanes, and who owns what", "[hub][ops]") {
    Rig rig;
    ops::MeshRow m;
    m.mesh = "main";
    m.node = "hub-a";
    m.error = "no \"server\"";
    m.leaves = true;
    m.resyncs = 5;
    m.handedOver = 2;
    m.postsOut = 9;
    m.postsUnanswered = 1;
    m.peers.push_back({.hub = "hub-b",
                       .node = "0000abcd",
                       .reachable = true,
                       .silentMs = 40,
                       .provenMs = 310,
                       .serves = 7,
                       .lanes = 2,
                       .postsOut = 3,
                       .services = {{"FEED", "leaves", 100, 7}}});
    m.services.push_back({.name = "FEED", .owner = "hub-b", .imported = true, .waiting = 1});
    rig.meshRow = m;
    const std::uint16_t port = rig.serve();
    const std::string text = test::httpGet(port, "/meshz");
    has(text, R"({"mesh":"main","node":"hub-a","server":"","error":"no \"server\"","stopped":false,"leaves":true,)");
    has(text,
        R"("resyncs":5,"images":0,"moves":0,"handedOver":2,"postsOut":9,"postsIn":0,"postsUnanswered":1,"postsLost":0,)");
    has(text, R"("peers":[{"hub":"hub-b","node":"0000abcd",)");
    has(text, R"("reachable":true,"silentMs":40,"provenMs":310,"laneMs":-1,"wants":0,"serves":7,)");
    has(text,
        R"("lanes":2,"gaps":0,"postsOut":3,"postsIn":0,"services":[{"name":"FEED","state":"leaves","rank":100,"items":7}]}],)");
    has(text, R"("services":[{"name":"FEED","owner":"hub-b","exported":false,"imported":true,"waiting":1}]})");
    CHECK(text.find("clusters") == std::string::npos);
    rig.meshRow->sides = {{"A", "nats://a:4222", ""}, {"B", "", "it is \"gone\""}};
    has(test::httpGet(port, "/meshz"), R"("clusters":[{"cluster":"A","server":"nats://a:4222","error":""},)"
                                       R"({"cluster":"B","server":"","error":"it is \"gone\""}],"stopped")");
}

TEST_CASE("the pages show what the rooms hold", "[hub][ops]") {
    Rig rig;
    const std::uint16_t port = rig.serve();

    SECTION("/healthz and /readyz") {
        has(test::httpGet(port, "/healthz"), "200 OK");
        has(test::httpGet(port, "/readyz"), "200 OK");  // "down" is not required
        rig.up.isUp_ = false;
        const std::string not_ready = test::httpGet(port, "/readyz");
        has(not_ready, "503");
        has(not_ready, "not up: up\n");
    }
    SECTION("/servicez") {
        const std::string text = test::httpGet(port, "/servicez");
        has(text, R"({"hub":"alpha","version":")" + std::string(version()) + R"(","upSeconds":)");
        has(text, R"("problems":["upstream 'down' is down: )");
        has(text, R"("draining":false,"clients":1,"items":1)");
        has(text, R"({"name":"up","kind":"upstream","up":true,"required":true,"where":"localhost:14002","reason":"",)");
        has(text, R"({"name":"down","kind":"upstream","up":false,"required":false)");
        has(text, R"({"name":"pub","kind":"publisher","up":true)");
        has(text, R"("id":3,"name":"FEED","published":false,"up":true)");
        has(text, R"("cache":"all","images":1,)");
        has(text, R"("sources":[{"name":"up","usable":true}])");
    }
    SECTION("/servicez of a hot pair") {
        {
            const std::lock_guard guard(rig.reactor.lock());
            auto& pair = rig.services.find(std::string_view("FEED"))->counts.pair;
            pair = std::make_unique<PairCounts>();
            for (std::size_t i = 0; i < pair->size(); ++i)
                (*pair)[i].updates += 10 + i;
        }
        has(test::httpGet(port, "/servicez"),
            R"("pair":{"same":10,"missing":11,"extra":12,"different":13,"late":14}})");
    }
    SECTION("/meshz of a hub that is in no mesh") {
        has(test::httpGet(port, "/meshz"), "404");
    }
    SECTION("/connz lists the last hundred that ended") {
        std::string text = test::httpGet(port, "/connz");
        CHECK(std::size_t(text.find(R"("time":149,)")) < text.find(R"("time":148,)"));
        CHECK(text.find(R"("time":50,)") != std::string::npos);
        CHECK(text.find(R"("time":49,)") == std::string::npos);
    }
    SECTION("/connz, by user and sorted") {
        const std::string text = test::httpGet(port, "/connz?sort=bytes");
        has(text, R"("clients":1,"shown":1)");
        has(text, R"("user":"ann<b>","position":"10.0.0.1/net")");
        has(text, R"("thread":1)");
        has(text, R"("behind":false,"joined":false,"overLimit":false,"userClass":"traders",)"
                  R"("view":"quotes","groups":["desk","all"])");
        has(text, R"("mounts":1,"messages":5)");
        has(test::httpGet(port, "/connz?user=bob"), R"("clients":0,"shown":0,"connections":[])");
        has(test::httpGet(port, "/connz?sort=name"), "400");
        has(text, R"(],"ended":[{"time":149,"address":"10.0.0.2:1","user":"bo\"b","position":"2/net",)"
                  R"("listener":"web","reason":"slow","text":"too slow","bytesOut":7},{"time":148,)");
        has(test::httpGet(port, "/connz?user=ann"), R"("ended":[])");
    }
    SECTION("a path with an encoded control byte is no page") {
        for (const char* const path : {"/%00", "/%00x", "/%01", "/%09", "/%0a", "/%0D", "/%1f", "/%7F", "/metrics%00",
                                       "/healthz%00x", "/drain%00"}) {
            INFO(path);
            has(test::httpGet(port, path), "HTTP/1.1 404 ");
        }
    }
    SECTION("/itemz") {
        const std::string text = test::httpGet(port, "/itemz?service=FEED&name=IBM");
        has(text, R"("service":"FEED","name":"IBM","domain":6,"state":"Open/Ok/0","text":"all is well")");
        has(text, R"("source":"up")");
        has(text, R"("seqNum":77,"cached":true,"complete":true,"current":true,"mounts":1)");
        has(text, R"([{"user":"ann<b>","position":"10.0.0.1/net","stream":7,"waiting":false,"paused":false}])");
        has(text, "the hub has no dictionary");
        has(test::httpGet(port, "/itemz?service=FEED&name=XYZ"), "404");
        has(test::httpGet(port, "/itemz?service=NONE&name=IBM"), "404");
        has(test::httpGet(port, "/itemz?service=FEED&name=IBM&domain=MMT_MARKET_BY_ORDER"), "404");
        has(test::httpGet(port, "/itemz?service=FEED&name=IBM&domain=0"), "400");
        has(test::httpGet(port, "/itemz?service=FEED"), "400");
    }
    SECTION("/metrics and /varz") {
        const std::string text = test::httpGet(port, "/metrics");
        has(text, "text/plain; version=0.0.4");
        has(text, "emissary_hub_draining{hub=\"ops\"} 0\n");
        has(text, "emissary_hub_source_up{hub=\"ops\",source=\"down\"} 0\n");
        has(text, "emissary_hub_service_images{hub=\"ops\",service=\"FEED\"} 1\n");
        has(text, "\nprocess_resident_memory_bytes ");
        has(text, "\nprocess_cpu_seconds_total ");
        has(text, "\nprocess_start_time_seconds 1");
        has(text, "\nemissary_uptime_seconds ");
        has(text, "\nemissary_build_info{hub=\"alpha\",version=\"" + std::string(version()) + "\"} 1\n");
        CHECK(text.find("ann") == std::string::npos);  // no label names a user
        CHECK(text.find("IBM") == std::string::npos);
        const std::string lines = test::httpGet(port, "/metrics.txt");
        has(lines, "Content-Type: text/plain");
        has(lines, "emissary_hub_service_up{");
        CHECK(lines.find("# HELP") == std::string::npos);
        const std::string json = test::httpGet(port, "/varz");
        has(json, "application/json");
        has(json, R"({"process":{"version":")");
        has(json, R"("name":"emissary_hub_draining")");
    }
    SECTION("the live page with its modules, each of the type that browsers ask for, and the clock") {
        has(test::httpGet(port, "/live"), "url=live/");
        const std::string page = test::httpGet(port, "/live/");
        has(page, "text/html");
        has(page, "default-src 'none'; script-src 'self'");
        has(page, "</html>");
        has(test::httpGet(port, "/live/live.css"), "text/css");
        for (const char* const module : {"/live/live.js", "/live/flash.js", "/live/quotes.js", "/live/ladder.js",
                                         "/live/chart.js", "/emissary.js", "/images.js", "/books.js"}) {
            INFO(module);
            has(test::httpGet(port, module), "text/javascript");
        }
        for (const char* const other :
             {"/live/../emissary.js", "/live/emissary.js", "/package.json", "/live/index.html"})
            has(test::httpGet(port, other), "404");
        has(test::httpGet(port, "/clock"), "{\"us\":");
    }
    SECTION("the status page, and what is not there") {
        const std::string page = test::httpGet(port, "/");
        has(page, "text/html");
        has(page, "<title>emissary-hub</title>");
        has(page, "</html>");
        has(test::httpGet(port, "/etc/passwd"), "404");
        has(test::httpGet(port, "/drain"), "405");
        has(test::http(port, "POST /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), "405");
        CHECK_FALSE(rig.drained);
    }
    SECTION("POST /drain, but not from a page of another site") {
        const auto drain = [&](const std::string& headers) {
            return test::http(port, "POST /drain HTTP/1.1\r\nConnection: close\r\n" + headers + "\r\n");
        };
        // A form of another page sends no header of its own; a script that would is asked for its origin; a name that
        // was made to lead here is none of this hub's.
        has(drain("Host: localhost:1\r\n"), "X-Emissary-Drain");
        for (const char* const other : {"no", "", "false", "0"})
            has(drain(std::string("Host: localhost:1\r\nX-Emissary-Drain: ") + other + "\r\n"), "403");
        has(drain("Host: localhost:1\r\n"), "403");
        for (const char* const origin : {"http://evil.example", "https://evil.example", "null", "http://localhost.evil",
                                         "ftp://localhost", "file://"}) {
            INFO(origin);
            has(drain(std::string("Host: localhost:1\r\nX-Emissary-Drain: yes\r\nOrigin: ") + origin + "\r\n"), "403");
        }
        has(drain("Host: evil.example\r\nX-Emissary-Drain: yes\r\n"), "421");
        has(drain("Host: evil.example\r\nX-Emissary-Drain: yes\r\nOrigin: http://evil.example\r\n"), "421");
        has(test::http(port, "OPTIONS /drain HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"), "405");
        CHECK_FALSE(rig.drained);
        const bool proxy = GENERATE(false, true);
        const std::string answer =
            proxy ? drain("Host: hub.example.com\r\nX-Emissary-Drain: yes\r\nOrigin: https://hub.example.com\r\n")
                  : drain("Host: localhost:1\r\nX-Emissary-Drain: yes\r\n");
        has(answer, "202");
        has(answer, "draining\n");
        for (int i = 0; i < 10'000 && !rig.drained; ++i)  // it begins when the answer has left
            (void)test::httpGet(port, "/healthz");
        CHECK(rig.drained);
        has(test::httpGet(port, "/readyz"), "draining");
    }
}

TEST_CASE("of very many connections those in front of the order are shown", "[hub][ops]") {
    Rig rig;
    constexpr std::uint32_t kConnections = 1500, kMost = ops::ClientQuery::kMost;
    const std::lock_guard guard(rig.reactor.lock());
    std::vector<Client*> all;
    for (std::uint32_t i = 1; i < kConnections; ++i) {
        Client& c = rig.clients.add();
        all.push_back(&c);
        c.user = i % 2 == 0 ? "even" : "odd";
        for (std::uint32_t stream = 0; stream < i % 10; ++stream)
            c.mounts.emplace(static_cast<std::int32_t>(stream), MountPlace{});
        std::destroy_at(&c.sent);
        std::construct_at(&c.sent, std::uint64_t{(i * 7919) % kConnections});
    }
    const ops::Inspector inspector(rig.inspected());
    using Order = ops::ClientQuery::Order;
    const auto expected = [&](const std::string& user, auto number) {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> rows;
        for (std::uint32_t i = 0; i < rig.clients.end(); ++i)
            if (const Client& c = *rig.clients.find(i); user.empty() || c.user == user) rows.emplace_back(number(c), i);
        std::ranges::stable_sort(rows, [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<std::uint32_t> indexes;
        for (const auto& [n, index] : rows)
            if (indexes.size() < kMost) indexes.push_back(index);
        return std::pair(rows.size(), indexes);
    };
    const auto shown = [&](const std::string& user, Order order) {
        const ops::ClientRows rows = inspector.clients({user, order});
        std::vector<std::uint32_t> indexes;
        for (const ops::ClientRow& r : rows.rows)
            indexes.push_back(r.index);
        return std::pair(rows.all, indexes);
    };
    for (const char* const user : {"", "odd"}) {
        INFO(user);
        CHECK(shown(user, Order::mounts) == expected(user, [](const Client& c) { return c.mounts.size(); }));
        CHECK(shown(user, Order::messages) == expected(user, [](const Client& c) { return std::uint64_t{c.sent}; }));
        for (const Order order : {Order::index, Order::bytes, Order::queued})  // no connection has bytes
            CHECK(shown(user, order) == expected(user, [](const Client&) { return std::uint64_t{0}; }));
    }
    for (Client* const c : all)
        c->mounts.clear();
}

TEST_CASE("an image is shown as JSON when the hub has a dictionary", "[hub][ops]") {
    Rig rig;
    rig.dictionary = std::make_shared<eta::dictionary::Dictionary>();
    REQUIRE_FALSE(static_cast<bool>(rig.dictionary->loadFields(test::sourcePath("/etc/RDMFieldDictionary"))));
    const std::string text = test::httpGet(rig.serve(), "/itemz?service=FEED&name=IBM&domain=6");
    has(text, R"("PROD_PERM":64)");
    has(text, R"("Type":"Refresh")");
}

TEST_CASE("a hub that does not answer gives 503 and lives on", "[hub][ops]") {
    Rig rig;
    rig.stalled = true;
    const std::uint16_t port = rig.serve(std::chrono::milliseconds(1));
    has(test::httpGet(port, "/servicez"), "503");
    // A process that is there, and a loop that does not turn: it is not well.
    const std::string sick = test::httpGet(port, "/healthz");
    has(sick, "503");
    has(sick, "has not come to the end of a turn for");
    {
        const std::lock_guard guard(rig.reactor.lock());  // a turn that does not end holds it
        has(test::httpGet(port, "/healthz"), "503");
        has(test::httpGet(port, "/metrics"), "503");
        has(test::http(port,
                       "POST /drain HTTP/1.1\r\nHost: localhost\r\nX-Emissary-Drain: 1\r\nConnection: close\r\n\r\n"),
            "503");
    }
    rig.stalled = false;  // the late answer finds nobody and harms nobody
    std::string well;
    for (int i = 0; i < 10'000 && well.find("200 OK") == std::string::npos; ++i)
        well = test::httpGet(port, "/healthz");
    has(well, "200 OK");
}
