// JSON on the wire, RWF in the roles: a provider and a client that speaks texts, and consumer and provider with each
// other.
#include "reactor/json/fixture.h"

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"
#include "support/StillLoop.h"
#include "support/catch.hpp"

#include <map>

using namespace emissary::test;
using namespace emissary;

namespace {

using Json = json_test::Json;
namespace consumer = reactor::consumer;

const std::string kLogin =
    R"({"ID":1,"Domain":"Login","Key":{"Name":"dana","Elements":{"ApplicationId":"256","Position":"10.9.8.7/net"}}})";

/// Field BID with value n/100, encoded into a buffer that the caller keeps.
void price(eta::GrowingBuffer& buffer, std::int64_t n) {
    codec::FieldListEncoder list;
    list.begin(buffer.start());
    list.addReal(22, {n, 12});
    REQUIRE(list.complete().ok());
}

/// Answers items with a refresh that carries BID 12.50.
void answerItems(ProviderFixture& f) {
    f.app.answer = [&f](const StreamEvent& e, const codec::Msg& m) {
        if (m.domain != 6) {
            CHECK(f.app.submitRefresh(e.handle, m).ok());
            return;
        }
        eta::GrowingBuffer payload;
        price(payload, 1250);
        codec::Msg r = Application::refresh();
        r.flags |= codec::RefreshFlag::msgKey;
        r.key = m.key;
        r.containerType = codec::DataType::FieldList;
        r.payload = payload.view();
        CHECK(f.app.role->submit(e.handle, r).ok());
    };
}

TextClient textClient(ProviderFixture& f, const std::string& protocols = "tr_json2") {
    return {webSocketTo(f.role->port(), protocols), [&f] { f.turn(); }};
}

TextClient loggedIn(ProviderFixture& f) {
    TextClient c = textClient(f);
    c.send(kLogin);
    CHECK(c.next().at("Domain").text == "Login");
    return c;
}

}  // namespace

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
    CHECK(refresh.at("Key").at("Service").text == "1");
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

TEST_CASE("a bad message is answered with an Error, and the connection goes on", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    answerItems(f);
    TextClient c = loggedIn(f);
    c.send(
        R"({"ID":10,"Key":{"Name":"A","Service":1}},{"ID":12,"Key":{"Name":"A","Service":"NO_SUCH"}},{"ID":13,"Type":"Nope"})");
    CHECK(c.next().at("ID").text == "10");
    const Json error = c.next();
    CHECK(error.at("Type").text == "Error");
    CHECK(error.at("ID").text == "12");
    CHECK_THAT(error.at("Text").text, Catch::Contains("NO_SUCH"));
    REQUIRE(f.app.refused.size() == 1);
    CHECK_THAT(f.app.refused[0], Catch::Contains("UnexpectedValue"));
    c.send(R"({"Type":"Ping"})");
    CHECK(c.next().at("Type").text == "Pong");
    CHECK(f.app.downs.empty());
}

TEST_CASE("a bad message goes unanswered when that is switched off; the application hears of it", "[reactor][json]") {
    reactor::ReactorOptions quiet;
    quiet.jsonLayer = reactor::jsonLayer({.conversion = {}, .closeOnFailure = true, .sendErrors = false});
    ProviderFixture f(jsonProvider(), quiet);
    answerItems(f);
    TextClient c = loggedIn(f);
    c.send(R"({"ID":12,"Key":{"Name":"A","Service":"NO_SUCH"}})");
    c.send(R"({"Type":"Ping"})");
    CHECK(c.next().at("Type").text == "Pong");
    REQUIRE(f.app.refused.size() == 1);
    CHECK_THAT(f.app.refused[0], Catch::Contains("UnexpectedValue"));
    CHECK(f.app.downs.empty());
}

TEST_CASE("what is not JSON ends the connection, with an Error before", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    TextClient c = loggedIn(f);
    c.send(R"({"ID":10,"Key":)");
    const Json error = c.next();
    CHECK(error.at("Type").text == "Error");
    CHECK(error.at("ID").text == "0");
    c.untilClosed();
    REQUIRE(f.app.downs.size() == 1);
    CHECK_THAT(f.app.downs[0], Catch::Contains("ParseError"));
}

TEST_CASE("an Error of the peer is told, never answered, and ends the connection", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    TextClient c = loggedIn(f);
    c.send(R"({"ID":10,"Type":"Error","Text":"I do not like it"})");
    c.untilClosed();
    REQUIRE(f.app.downs.size() == 1);
    CHECK_THAT(f.app.downs[0], Catch::Contains("stream 10: I do not like it"));
}

TEST_CASE("before its login a client that sends what cannot be converted is cut off", "[reactor][json][guard]") {
    ProviderFixture f(jsonProvider());
    TextClient c = textClient(f);
    c.send(R"({"ID":12,"Key":{"Name":"A","Service":"NO_SUCH"}})");
    CHECK(c.next().at("Type").text == "Error");
    c.untilClosed();
    CHECK(f.role->counters().refusalLimits == 1);
}

TEST_CASE("a flood of texts that cannot be converted is told of now and then, and ends", "[reactor][json][guard]") {
    ProviderOptions options = jsonProvider();
    options.limits.refusalsPerMinute = 300;
    ProviderFixture f(std::move(options));
    TextClient c = loggedIn(f);
    for (int i = 0; i < 300; ++i) {
        c.send(R"({"ID":12,"Key":{"Name":"A","Service":"NO_SUCH"}})");
        CHECK(c.next().at("Type").text == "Error");
    }
    CHECK(f.app.downs.empty());
    const auto told = f.app.refused.size();
    CHECK(told >= 20);
    CHECK(told < 150);
    c.send(R"({"ID":12,"Key":{"Name":"A","Service":"NO_SUCH"}})");
    c.untilClosed();
    CHECK(f.role->counters().refusalLimits == 1);
}

TEST_CASE("a client that is not logged in may send small texts only", "[reactor][json][guard]") {
    ProviderFixture f(jsonProvider());
    TextClient c = textClient(f);
    c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":")" + std::string(70'000, 'x') + R"("}})");
    c.untilClosed();
    REQUIRE(f.app.downs.size() == 1);
    CHECK_THAT(f.app.downs[0], Catch::Contains("message above the receive limit"));
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
    JsonConsumer(std::uint16_t port, std::function<void()> peer, std::uint16_t standby = 0) : peer_(std::move(peer)) {
        openLoop(withJson({}));
        consumer::ConsumerOptions options;
        for (const std::uint16_t at : {port, standby}) {
            if (at == 0) continue;
            consumer::ConsumerChannel& c = options.channels.emplace_back();
            c.name = "Channel_" + std::to_string(options.channels.size());
            c.connect = webSocketTo(at, "rssl.json.v2");
            c.standbyGroup = standby != 0 ? 1 : 0;
        }
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
    std::string lastService;

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
    REQUIRE(c.role->directory().find("DIRECT_FEED") != nullptr);

    codec::Msg request;
    request.cls = codec::MsgClass::Request;
    request.flags = codec::RequestFlag::streaming;
    request.key.flags = codec::KeyFlag::name;
    request.key.name = eta::asBytes("ZINC.D");
    consumer::Refusal refusal;
    consumer::Handle h;
    {
        const std::lock_guard guard(c.loop->lock());
        h = c.role->registerClient({request, "DIRECT_FEED"}, {&c, nullptr, 0}, refusal);
    }
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
    codec::Msg request;
    request.cls = codec::MsgClass::Request;
    request.flags = codec::RequestFlag::streaming;
    request.key.flags = codec::KeyFlag::name;
    request.key.name = eta::asBytes("ZINC.D");
    consumer::Refusal refusal;
    consumer::Handle h;
    {
        const std::lock_guard guard(c.loop->lock());
        h = c.role->registerClient({request, "DIRECT_FEED"}, {&c, nullptr, 0}, refusal);
    }
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
