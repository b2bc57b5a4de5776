// JSON on the wire, RWF in the roles: a provider and a client that speaks texts, and consumer and provider with each
// other.
#include "json_clients.h"

#include "eta/codec/containers.h"
#include "eta/codec/primitives.h"
#include "support/StillLoop.h"
#include "support/catch.hpp"

#include <map>

using namespace emissary::test;
using namespace emissary;

namespace consumer = reactor::consumer;

TEST_CASE("a JSON client logs in, sees the directory, requests by service name, gets updates, posts",
          "[reactor][json]") {
    const std::string protocol = GENERATE("tr_json2", "rssl.json.v2");
    ProviderFixture f(jsonProvider());
    answerItems(f);
    TextClient c = textClient(f, protocol);
    CHECK(c.info().protocolType == eta::transport::kProtocolJson);
    c.send(kLogin);
    const Json login = c.next();
    CHECK(login.at("Type").text == "Refresh");
    CHECK(login.at("State").at("Stream").text == "Open");
    CHECK(login.at("Key").at("Name").text == "dana");

    c.send(R"({"ID":2,"Domain":"Source","Key":{"Filter":63}})");
    const Json directory = c.next();
    CHECK(directory.at("Domain").text == "Source");
    CHECK(directory.at("Map").at("Entries").items.size() == 2);

    c.send(R"({"ID":10,"Key":{"Name":"ZINC.D","Service":"DIRECT_FEED"}})");
    const Json refresh = c.next();
    CHECK(refresh.at("ID").text == "10");
    CHECK(refresh.at("Key").at("Service").text == "DIRECT_FEED");
    CHECK(refresh.at("Fields").at("BID").text == "12.50");
    const std::uint64_t handle = f.app.last().event.handle;
    CHECK(f.app.last().name == "ZINC.D");

    eta::GrowingBuffer payload;
    price(payload, 1251);
    codec::Msg update = Application::update();
    update.updateType = 1;
    update.containerType = codec::DataType::FieldList;
    update.payload = payload.view();
    for (int i = 0; i < 3; ++i)
        f.locked([&](ProviderRole& role) { CHECK(role.submit(handle, update).ok()); });
    for (int i = 0; i < 3; ++i) {
        const Json got = c.next();
        CHECK(got.at("UpdateType").text == "Quote");
        CHECK(got.at("Fields").at("BID").text == "12.51");
    }

    c.send(R"({"ID":10,"Type":"Post","Ack":true,"PostID":31,"PostUserInfo":{"Address":"10.9.8.7","UserID":77},)"
           R"("Fields":{"BID":12.49,"DSPLY_NAME":"Z"}})");
    f.runUntil([&] { return f.app.count(Told::What::post) == 1; });
    CHECK(f.app.last().msg.postId == 31);
    CHECK(f.app.last().msg.postUserId == 77);
    codec::Msg ack;
    ack.cls = codec::MsgClass::Ack;
    ack.ackId = 31;
    f.locked([&](ProviderRole& role) { CHECK(role.submit(handle, ack).ok()); });
    const Json acked = c.next("Type", "Ack");
    CHECK(acked.at("ID").text == "10");
    CHECK(acked.at("AckID").text == "31");

    c.send(R"({"ID":10,"Type":"Close"})");
    f.runUntil([&] { return f.app.count(Told::What::close) == 1; });
    CHECK(f.app.refused.empty());
}

TEST_CASE("several messages of one text are handled in order", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    answerItems(f);
    TextClient c = loggedIn(f);
    c.send(R"({"ID":10,"Key":{"Name":"A","Service":1}},{"ID":11,"Key":{"Name":"B","Service":1}},{"Type":"Ping"})");
    CHECK(c.next().at("ID").text == "10");
    CHECK(c.next().at("ID").text == "11");
    CHECK(c.next().at("Type").text == "Pong");
}

TEST_CASE("texts with many messages are read over several turns", "[reactor][json]") {
    constexpr std::size_t kTexts = 6, kEach = 300;
    ProviderFixture f(jsonProvider());
    TextClient c = loggedIn(f);
    for (std::size_t t = 0, id = 10; t < kTexts; ++t) {
        std::string text;
        for (std::size_t i = 0; i < kEach; ++i, ++id)
            text += (i != 0 ? "," : "") + (R"({"ID":)" + std::to_string(id)) + R"(,"Key":{"Name":"A_NAME_OF_AN_ITEM_)" +
                    std::to_string(id) + R"(","Service":"DIRECT_FEED"}})";
        REQUIRE(text.size() > 20'000);
        c.send(text);
    }
    std::size_t before = f.app.count(Told::What::request), most = 0;
    for (int turns = 0; before < kTexts * kEach; ++turns) {
        REQUIRE(turns < 100'000);
        f.turn();
        const std::size_t now = f.app.count(Told::What::request);
        most = std::max(most, now - before);
        before = now;
    }
    CHECK(most <= 4 * kEach);  // 64 KB, and the text that is begun
}

TEST_CASE("RWF and JSON clients share a port and see the same item", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    answerItems(f);
    TextClient text = loggedIn(f);
    RawConsumer rwf = f.connect();
    rwf.send(RawConsumer::loginRequest("user"));
    CHECK(rwf.next().msg.domain == 1);
    text.send(R"({"ID":10,"Key":{"Name":"SAME","Service":1}})");
    CHECK(text.next().at("Fields").at("BID").text == "12.50");
    rwf.send(RawConsumer::request(5, 6, "SAME", 1));
    const Received refresh = rwf.next();
    CHECK(refresh.msg.streamId == 5);
    CHECK(refresh.msg.containerType == codec::DataType::FieldList);
}

TEST_CASE("messages larger than a frame pass in both directions", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    answerItems(f);
    TextClient c = loggedIn(f);
    const std::string text(150'000, 'x');
    c.send(R"({"ID":10,"Key":{"Name":"BIG","Service":1}})");
    CHECK(c.next().at("ID").text == "10");
    const std::uint64_t handle = f.app.last().event.handle;
    codec::Msg big = Application::update();
    big.containerType = codec::DataType::Xml;
    big.payload = eta::asBytes(text);
    f.locked([&](ProviderRole& role) { CHECK(role.submit(handle, big).ok()); });
    CHECK(c.next("Type", "Update").at("Xml").text == text);
    c.send(R"({"ID":10,"Type":"Post","Xml":")" + text + "\"}");
    f.runUntil([&] { return f.app.count(Told::What::post) == 1; });
    CHECK(f.app.last().msg.payload.size() == text.size());
}

namespace {

/// A consumer role on its own loop; keeps what it is told.
class JsonConsumer final : public StillLoop, public consumer::ConsumerSink {
public:
    /// `standby`: port of the second server of a warm-standby group; 0 = none.
    JsonConsumer(std::uint16_t port, std::function<void()> peer, std::uint16_t standby = 0, bool dictionary = true)
        : peer_(std::move(peer)) {
        openLoop(withJson({}));
        consumer::ConsumerOptions options;
        for (const std::uint16_t at : {port, standby}) {
            if (at == 0) continue;
            consumer::ConsumerChannel& c = options.channels.emplace_back();
            c.name = "Channel_" + std::to_string(options.channels.size());
            c.connect = webSocketTo(at, "rssl.json.v2");
            c.standbyGroup = standby != 0 ? 1 : 0;
        }
        options.downloadDictionaries = dictionary;
        if (!dictionary) options.localDictionary = smallDictionary();
        options.login.userName = "user";
        reactor::rdm::LoginAttributes a;
        a.applicationId = "256";
        a.position = "127.0.0.1/net";
        eta::GrowingBuffer login;
        REQUIRE(reactor::rdm::encodeLogin(login.start(), a).ok());
        options.login.attributes.assign(login.view().begin(), login.view().end());
        const std::lock_guard guard(loop->lock());
        role = std::make_unique<consumer::ConsumerRole>(*loop, std::move(options), *this);
        role->start();
    }
    ~JsonConsumer() override {
        const std::lock_guard guard(loop->lock());
        role->shutdown();
        role.reset();
    }
    void onMessage(const codec::Msg& msg, const consumer::Recipient& to, std::string_view service) override {
        std::string s = std::to_string(to.handle) + " " + codec::name(msg.cls);
        if (msg.containerType == codec::DataType::FieldList) {
            codec::FieldListDecoder list;
            REQUIRE(list.start(msg.payload).ok());
            for (codec::FieldEntry e; list.next(e);) {
                codec::Real r;
                CHECK(codec::decodeReal(e.data, r) == codec::Decoded::value);
                s += " " + std::to_string(e.fieldId) + "=" + std::to_string(r.mantissa);
            }
        }
        if (msg.cls == codec::MsgClass::Status && msg.hasState()) {
            s += " " + std::to_string(msg.state.stream) + "/" + std::to_string(msg.state.data);
            lastText = std::string(eta::asText(msg.state.text));
        }
        if (msg.cls == codec::MsgClass::Ack) s += " " + std::to_string(msg.ackId);
        events.push_back(s);
        if (!service.empty()) lastService = std::string(service);
    }
    void onConnection(consumer::ConnectionEvent, const std::string& text) override { connection.push_back(text); }
    void onWarning(const std::string& text) override { warnings.push_back(text); }

    [[nodiscard]] bool saw(const std::string& wanted) const {
        return std::find(events.begin(), events.end(), wanted) != events.end();
    }

    std::unique_ptr<consumer::ConsumerRole> role;
    std::vector<std::string> events, connection, warnings;
    std::string lastService, lastText;

protected:
    void pollPeers() override { peer_(); }
    [[nodiscard]] std::vector<std::string> history() const override {
        std::vector<std::string> lines;
        for (const auto* list : {&connection, &warnings, &events})
            lines.insert(lines.end(), list->begin(), list->end());
        return lines;
    }

private:
    std::function<void()> peer_;
};

/// Asks for an item of DIRECT_FEED, with updates.
consumer::Handle requested(JsonConsumer& c, const char* name) {
    codec::Msg request;
    request.cls = codec::MsgClass::Request;
    request.flags = codec::RequestFlag::streaming;
    request.key.flags = codec::KeyFlag::name;
    request.key.name = eta::asBytes(name);
    consumer::Refusal refusal;
    const std::lock_guard guard(c.loop->lock());
    return c.role->registerClient({request, "DIRECT_FEED"}, {&c, nullptr, 0}, refusal);
}

}  // namespace

TEST_CASE("consumer and provider roles speak JSON with each other and never notice", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    answerItems(f);
    JsonConsumer c(f.role->port(), [&f] { f.turn(); });
    c.until([&] { return c.role->phase() == consumer::ConsumerRole::Phase::ready; });
    CHECK(c.role->link()->info().protocolType == eta::transport::kProtocolJson);
    // The dictionaries came as JSON Series of Elements.
    REQUIRE(c.role->dictionary() != nullptr);
    REQUIRE(c.role->dictionary()->find("BID") != nullptr);
    CHECK(c.role->dictionary()->find(std::int16_t{15})->enums->find(840)->display == "USD");
    // As bytes of RMTES, as in the file, whatever the text was on the way.
    const auto* const ticks = c.role->dictionary()->find(std::int16_t{14})->enums;
    REQUIRE(ticks != nullptr);
    CHECK(ticks->find(0)->display == "  ");
    CHECK(ticks->find(1)->display == "\xde");
    CHECK(ticks->find(2)->display == "\xfe ");
    REQUIRE(c.role->directory().find("DIRECT_FEED") != nullptr);

    const consumer::Handle h = requested(c, "ZINC.D");
    REQUIRE(h != 0);
    const std::string who = std::to_string(h);
    c.until([&] { return c.saw(who + " Refresh 22=1250"); });
    CHECK(c.lastService == "DIRECT_FEED");

    const std::uint64_t handle = f.app.last().event.handle;
    eta::GrowingBuffer payload;
    for (int i = 0; i < 50; ++i) {
        price(payload, 2000 + i);
        codec::Msg update = Application::update();
        update.containerType = codec::DataType::FieldList;
        update.payload = payload.view();
        f.locked([&](ProviderRole& role) { CHECK(role.submit(handle, update).ok()); });
    }
    c.until([&] { return c.saw(who + " Update 22=2049"); });
    CHECK(c.saw(who + " Update 22=2000"));

    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.flags = codec::PostFlag::ack | codec::PostFlag::postId | codec::PostFlag::complete;
    post.postId = 7;
    post.postUserId = 5;
    price(payload, 1);
    post.containerType = codec::DataType::FieldList;
    post.payload = payload.view();
    consumer::Refusal refusal;
    {
        const std::lock_guard guard(c.loop->lock());
        refusal = c.role->submitPost(h, post, {});
    }
    INFO(refusal.text);
    REQUIRE_FALSE(refusal);
    c.until([&] { return f.app.count(Told::What::post) == 1; });
    CHECK(f.app.last().msg.postId == 7);
    codec::Msg ack;
    ack.cls = codec::MsgClass::Ack;
    ack.ackId = 7;
    f.locked([&](ProviderRole& role) { CHECK(role.submit(handle, ack).ok()); });
    c.until([&] { return c.saw(who + " Ack 7"); });

    {
        const std::lock_guard guard(c.loop->lock());
        CHECK_FALSE(c.role->unregister(h));
    }
    c.until([&] { return f.app.count(Told::What::close) == 1; });
    CHECK(c.warnings.empty());
    CHECK(f.app.refused.empty());
}

TEST_CASE("a standby with a JSON connection converts with the session's dictionary before and after it takes over",
          "[reactor][json][standby]") {
    auto first = std::make_unique<ProviderFixture>(jsonProvider());
    ProviderFixture second(jsonProvider());
    // Logins say that standby is possible, items carry a price.
    const auto answer = [](ProviderFixture& f) {
        answerItems(f);
        f.app.answer = [&f, items = f.app.answer](const StreamEvent& e, const codec::Msg& m) {
            if (m.domain != 1) return items(e, m);
            reactor::rdm::LoginAttributes a;
            a.supportStandby = 1;
            a.supportStandbyMode = 3;
            eta::GrowingBuffer said;
            REQUIRE(reactor::rdm::encodeLogin(said.start(), a).ok());
            codec::Msg r = Application::refresh();
            r.flags |= codec::RefreshFlag::msgKey;
            r.key = m.key;
            r.key.flags |= codec::KeyFlag::attrib;
            r.key.attribType = codec::DataType::ElementList;
            r.key.attrib = said.view();
            CHECK(f.app.role->submit(e.handle, r).ok());
        };
    };
    answer(*first);
    answer(second);
    const auto pump = [&] {
        if (first) first->turn();
        second.turn();
    };
    JsonConsumer c(first->role->port(), pump, second.role->port());
    c.until([&] { return c.role->phase() == consumer::ConsumerRole::Phase::ready; });
    const consumer::Handle h = requested(c, "ZINC.D");
    const std::string who = std::to_string(h);
    c.until([&] { return c.saw(who + " Refresh 22=1250"); });
    const auto opened = [](const ProviderFixture& f) {
        for (const Told& t : f.app.told)
            if (t.what == Told::What::request && t.name == "ZINC.D") return t.event.handle;
        return std::uint64_t{0};
    };
    c.until([&] { return opened(second) != 0; });
    const auto update = [&](std::int64_t value) {
        eta::GrowingBuffer payload;
        price(payload, value);
        codec::Msg m = Application::update();
        m.containerType = codec::DataType::FieldList;
        m.payload = payload.view();
        second.locked([&](ProviderRole& role) { CHECK(role.submit(opened(second), m).ok()); });
    };
    update(1300);
    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.flags = codec::PostFlag::complete;
    {
        const std::lock_guard guard(c.loop->lock());
        CHECK_FALSE(c.role->submitPost(h, post, {}));
    }
    c.until([&] { return first->app.count(Told::What::post) == 1; });
    CHECK(c.warnings.empty());
    CHECK_FALSE(c.saw(who + " Update 22=1300"));

    first.reset();
    c.until([&] { return c.role->channel().name == "Channel_2"; });
    update(1400);
    c.until([&] { return c.saw(who + " Update 22=1400"); });
    CHECK_FALSE(c.saw(who + " Update 22=1300"));
    CHECK(c.events.size() == 2);
    for (const std::string& w : c.warnings)
        CHECK(w.find("Channel_1") != std::string::npos);  // it is not there any more
    CHECK(second.app.refused.empty());
}

namespace {

/// A login, a directory with one service and the dictionaries that JsonConsumer waits for; items are the test's.
std::string sessionAnswer(const Json& m) {
    const std::string id = m.at("ID").text;
    const Json* const domain = m.find("Domain");
    if (m.find("Type") != nullptr && m.at("Type").text != "Request") return {};
    if (domain == nullptr) return {};
    if (domain->text == "Login")
        return R"({"ID":)" + id + R"(,"Type":"Refresh","Domain":"Login","Key":{"Name":"user"},"Elements":{}})";
    if (domain->text == "Source")
        return R"({"ID":)" + id +
               R"(,"Type":"Refresh","Domain":"Source","Key":{"Filter":63},"Map":{"KeyType":"UInt","Entries":[{"Action":)"
               R"("Add","Key":1,"FilterList":{"Entries":[{"ID":1,"Action":"Set","Elements":{"Name":"DIRECT_FEED",)"
               R"("Capabilities":{"Type":"Array","Data":{"Type":"UInt","Data":[6,7]}}}},{"ID":2,"Action":"Set",)"
               R"("Elements":{"ServiceState":1,"AcceptingRequests":1}}]}}]}})";
    return {};
}

}  // namespace

TEST_CASE("a consumer goes on behind a message that cannot be read, and its stream has a status", "[reactor][json]") {
    std::string batch;
    TextServer server([&](const Json& m) {
        const Json* const name = m.find("Key") != nullptr ? m.at("Key").find("Name") : nullptr;
        if (m.find("Domain") != nullptr || name == nullptr) return sessionAnswer(m);
        const std::string image =
            R"({"ID":)" + m.at("ID").text + R"(,"Type":"Refresh","Key":{"Service":1,"Name":")" + name->text + R"("},)";
        batch += (batch.empty() ? "" : ",") + image +
                 (name->text == "BAD" ? R"("Fields":{"NO_FIELD":1}})" : R"("Elements":{"BID":1}})");
        return std::string();
    });
    JsonConsumer c(
        server.port(), [&] { server.turn(); }, 0, false);
    c.until([&] { return c.role->phase() == consumer::ConsumerRole::Phase::ready; });
    std::vector<std::string> who;
    for (const char* name : {"BAD", "GOOD"})
        who.push_back(std::to_string(requested(c, name)));
    c.until([&] { return batch.find("GOOD") != std::string::npos && batch.find("BAD") != std::string::npos; });
    server.send(batch);
    c.until([&] { return c.saw(who[1] + " Refresh"); });
    REQUIRE(c.saw(who[0] + " Status 4/2"));
    CHECK_THAT(c.lastText, Catch::Contains("UnexpectedField") && Catch::Contains("Fields.NO_FIELD"));
    // The server hears of it, and that nobody waits on the stream any more.
    const auto heard = [&](const std::string& type) {
        return std::count_if(server.received.begin(), server.received.end(),
                             [&](const Json& m) { return m.find("Type") != nullptr && m.at("Type").text == type; });
    };
    c.until([&] { return heard("Error") == 1 && heard("Close") == 1; });

    // What comes unasked, or is no image, leaves the stream open.
    const std::string id = [&] {
        for (const Json& m : server.received)
            if (m.find("Key") != nullptr && m.at("Key").find("Name") != nullptr &&
                m.at("Key").at("Name").text == "GOOD")
                return m.at("ID").text;
        return std::string();
    }();
    server.send(R"({"ID":)" + id + R"(,"Type":"Update","Fields":{"NO_FIELD":1}},{"ID":)" + id +
                R"(,"Type":"Refresh","Solicited":false,"Fields":{"NO_FIELD":1}},{"ID":)" + id +
                R"(,"Type":"Status","State":{"Data":"Fine"}},{"ID":)" + id +
                R"(,"Type":"Update","Elements":{"BID":2}})");
    c.until([&] { return c.saw(who[1] + " Update"); });
    CHECK(std::count(c.events.begin(), c.events.end(), who[1] + " Status 1/2") == 3);
    CHECK(heard("Close") == 1);
}

TEST_CASE("a JSON directory message of thousands of group entries is taken over in turns, and in order",
          "[reactor][json][groups]") {
    std::string image;
    TextServer server([&](const Json& m) {
        const Json* const name = m.find("Key") != nullptr ? m.at("Key").find("Name") : nullptr;
        if (m.find("Domain") != nullptr || name == nullptr) return sessionAnswer(m);
        image = R"({"ID":)" + m.at("ID").text + R"(,"Type":"Refresh","Key":{"Service":1,"Name":")" + name->text +
                R"("},"Elements":{"BID":1}})";
        return image;
    });
    JsonConsumer c(
        server.port(), [&] { server.turn(); }, 0, false);
    c.until([&] { return c.role->phase() == consumer::ConsumerRole::Phase::ready; });
    constexpr std::size_t kItems = 100;
    std::string last;
    for (std::size_t n = 0; n < kItems; ++n) {
        last = std::to_string(requested(c, ("I" + std::to_string(n)).c_str()));
        c.until([&] { return c.saw(last + " Refresh"); });
    }
    const auto statuses = [](std::size_t maps) {
        const std::string entry = R"({"ID":3,"Action":"Update","Elements":{"Group":{"Type":"Buffer","Data":"AAA="},)"
                                  R"("Status":{"Type":"State","Data":{"Stream":"Open","Data":"Suspect"}}}})";
        std::string list, map;
        for (int i = 0; i < 250; ++i)
            list += (i == 0 ? "" : ",") + entry;
        for (std::size_t i = 0; i < maps; ++i)
            map += std::string(i == 0 ? "" : ",") + R"({"Action":"Update","Key":1,"FilterList":{"Entries":[)" + list +
                   "]}}";
        return R"({"ID":2,"Type":"Update","Domain":"Source","Map":{"KeyType":"UInt","Entries":[)" + map + "]}}";
    };
    const auto countsOfTurns = [&](std::size_t all) {
        c.events.clear();
        std::size_t most = 0, before = 0;
        c.until([&] {
            most = std::max(most, c.events.size() - before);
            before = c.events.size();
            return before > all;
        });
        CHECK(c.events.size() == all + 1);
        CHECK(c.events.back() == last + " Refresh");
        return most;
    };
    // A text of its own, and then the image: nothing is read meanwhile.
    constexpr std::size_t kMaps = 20, kLong = kItems * 250 * kMaps;
    server.send(statuses(kMaps));
    server.send(image);
    CHECK(countsOfTurns(kLong) < kLong / 2);
    // In one text, which is read to its end: what is left of the directory is taken over first.
    server.send(statuses(1) + "," + image);
    static_cast<void>(countsOfTurns(kItems * 250));
}

TEST_CASE("a JSON client may use any number as stream id", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    answerItems(f);
    const std::int32_t login = GENERATE(0, -1, 7, -2147483647 - 1, 2147483647);
    TextClient c = textClient(f);
    c.send(R"({"ID":)" + std::to_string(login) + R"(,"Domain":"Login","Key":{"Name":"dana"}})");
    const Json refresh = c.next();
    CHECK(refresh.at("ID").text == std::to_string(login));
    CHECK(refresh.at("State").at("Stream").text == "Open");
    for (const std::string id : {"-3", "-2", "1", "5"}) {
        c.send(R"({"ID":)" + id + R"(,"Key":{"Name":"I)" + id + R"(","Service":1}})");
        const Json image = c.next();
        CHECK(image.at("ID").text == id);
        CHECK(image.at("Type").text == "Refresh");
    }
    c.send(R"({"ID":-3,"Type":"Post","Fields":{"BID":1}})");
    f.runUntil([&] { return f.app.count(Told::What::post) == 1; });
    c.send(R"({"ID":)" + std::to_string(login) +
           R"(,"Type":"Post","Key":{"Name":"X","Service":1},"Message":{"ID":0,"Type":"Update","Fields":{"BID":1}}})");
    f.runUntil([&] { return f.app.count(Told::What::post) == 2; });
    c.send(R"({"ID":[-3,44,5],"Type":"Close"})");
    f.runUntil([&] { return f.app.count(Told::What::close) == 2; });
    c.send(R"({"ID":)" + std::to_string(login) + R"(,"Type":"Close","Domain":"Login"})");
    f.runUntil([&] { return f.role->counters().openStreams == 0; });
    CHECK(f.app.refused.empty());
}

TEST_CASE("a JSON batch opens its items one by one, and one Close ends them", "[reactor][json][batch]") {
    ProviderFixture f(jsonProvider());
    answerItems(f);
    TextClient c = loggedIn(f);
    c.send(R"({"ID":4,"Key":{"Name":["A","B","C"],"Service":"DIRECT_FEED"},"View":["BID"]})");
    const Json done = c.next();
    CHECK(done.at("ID").text == "4");
    CHECK(done.at("Type").text == "Status");
    CHECK(done.at("State").at("Stream").text == "Closed");
    CHECK(done.at("State").at("Data").text == "Ok");
    for (const char* const id : {"5", "6", "7"}) {
        const Json image = c.next();
        CHECK(image.at("ID").text == id);
        CHECK(image.at("Key").at("Name").text == std::string(1, static_cast<char>('A' + id[0] - '5')));
        CHECK(image.at("Key").at("Service").text == "DIRECT_FEED");
    }
    c.send(R"({"ID":[5,6,7],"Type":"Close"})");
    f.runUntil([&] { return f.app.count(Told::What::close) == 3; });
    CHECK(f.role->counters().openStreams == 1);
    const Json closed = c.next();
    CHECK(closed.at("ID").text == "5");
    CHECK(closed.at("State").at("Stream").text == "Closed");
    CHECK(closed.at("State").at("Data").text == "Ok");
    c.send(R"({"ID":10,"Streaming":false,"Key":{"Name":["A","B"],"Service":"DIRECT_FEED"}})");
    CHECK(c.next().at("ID").text == "10");
    for (int i = 0; i < 2; ++i)
        CHECK(c.next().at("State").at("Stream").text == "NonStreaming");
    f.runUntil([&] { return f.role->counters().openStreams == 1; });
}

TEST_CASE("JSON updates carry name and service unless that is declined", "[reactor][json][key]") {
    ProviderFixture f(jsonProvider());
    answerItems(f);
    TextClient c = loggedIn(f);
    const auto update = [&](std::uint64_t handle) {
        eta::GrowingBuffer payload;
        price(payload, 1251);
        codec::Msg m = Application::update();
        m.containerType = codec::DataType::FieldList;
        m.payload = payload.view();
        SubmitResult result;
        f.locked([&](ProviderRole& role) { CHECK(role.submitPlain(handle, m, result)); });
        CHECK(result.ok());
        return c.next();
    };
    for (const std::string flag : {"", R"("KeyInUpdates":true,)", R"("KeyInUpdates":false,)"}) {
        INFO(flag);
        c.send(R"({"ID":10,)" + flag + R"("Key":{"Name":"A","Service":1}})");
        CHECK(c.next().at("Type").text == "Refresh");
        const std::uint64_t handle = f.app.last().event.handle;
        const Json got = update(handle);
        const bool wanted = flag.find("false") == std::string::npos;
        REQUIRE((got.find("Key") != nullptr) == wanted);
        if (wanted) {
            CHECK(got.at("Key").at("Name").text == "A");
            CHECK(got.at("Key").at("Service").text == "DIRECT_FEED");
        }
        f.locked([&](ProviderRole& role) {
            codec::Msg status = Application::status(codec::StreamState::open);
            CHECK(role.submit(handle, status).ok());
        });
        CHECK((c.next().find("Key") != nullptr) == wanted);
        c.send(R"({"ID":10,"Type":"Close"})");
        f.runUntil([&] { return f.role->counters().openStreams == 1; });
    }
}

TEST_CASE("logins as programs write them", "[reactor][json][login]") {
    ProviderFixture f(jsonProvider());
    std::string attributes;
    f.app.answer = [&](const StreamEvent& e, const codec::Msg& m) {
        reactor::rdm::LoginAttributes a;
        std::string_view faulty;
        const bool good = reactor::rdm::decodeLogin(m.key, a, &faulty).ok();
        attributes = good ? a.applicationId.value_or("-") + " " + a.position.value_or("-") + " " +
                                std::to_string(a.singleOpen.value_or(9)) + " " + std::to_string(a.role.value_or(9))
                          : "bad " + std::string(faulty);
        CHECK(f.app.submitRefresh(e.handle, m).ok());
    };
    TextClient c = textClient(f);
    const auto login = [&](const std::string& elements) {
        attributes.clear();
        c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana","Elements":)" + elements + "}}");
        const Json answer = c.next();
        if (answer.at("Type").text == "Refresh") {
            CHECK(answer.at("Elements").at("PingTimeout").text == "60");
            CHECK(answer.at("Elements").at("MaxMsgSize").text == "6291456");
            c.send(R"({"ID":1,"Type":"Close","Domain":"Login"})");
            f.runUntil([&] { return f.role->counters().openStreams == 0; });
        } else {
            attributes = answer.at("Text").text;
        }
        return attributes;
    };
    CHECK(login(R"({"ApplicationId":"256","Position":"1.2.3.4/net"})") == "256 1.2.3.4/net 9 9");
    CHECK(login(R"({"ApplicationId":256,"Position":"1.2.3.4/net","SingleOpen":"1","Role":"0"})") ==
          "256 1.2.3.4/net 1 0");
    CHECK(login(R"({"ApplicationId":256.0,"SingleOpen":true,"Role":0.0})") == "256 - 1 0");
    CHECK(login(R"({"ApplicationId":null,"Position":null,"SingleOpen":null})") == "- - 9 9");
    CHECK(login(R"({"SingleOpen":"","ApplicationId":{"Type":"Int","Data":7},"Unknown":[1]})") == "7 - 9 9");
    CHECK(login(R"({"SingleOpen":"often"})") == "bad SingleOpen");
    // A request needs nothing of what answers say.
    CHECK(login(R"({"SingleOpen":1,"SupportOMMPost":"yes","SupportStandby":[1],"AuthenticationErrorCode":"-"})") ==
          "- - 1 9");
    CHECK(login(R"({"Role":-1})").find("Role") != std::string::npos);
}
