// JSON clients as public programs are: they name no service, read keys in updates, and hear of nothing by groups.
#include "publisher.h"

#include "hub/core/ItemTable.h"
#include "reactor/json/fixture.h"

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

struct Web : HubFixture {
    explicit Web(const std::function<void(HubSettings&)>& change = {}) : HubFixture(change) {
        plainNumbers = true;
        connected();
        until([this] { return hub->dictionary() != nullptr; });
    }
    std::unique_ptr<TextClient> text(std::size_t listener = 0) {
        auto c = std::make_unique<TextClient>(webSocketTo(hub->port(listener)), [this] { turn(); });
        c->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana","Elements":{"ApplicationId":"256"}}})");
        const Json got = c->next("Domain", "Login");
        REQUIRE(got.at("State").at("Stream").text == "Open");
        return c;
    }
    /// All filters, as consumers of the API ask for.
    static void directory(TextClient& c) {
        c.send(R"({"ID":2,"Domain":"Source","Key":{"Filter":63}})");
        (void)c.next("ID", "2");
    }
    /// Field 1, and an enumerated one.
    void fillEnum(Msg& m, std::uint64_t number) {
        codec::FieldListEncoder list;
        list.begin(enums_.start());
        list.addUInt(1, number);
        list.addEnum(14, 1);
        REQUIRE(list.complete().ok());
        m.containerType = codec::DataType::FieldList;
        m.payload = enums_.view();
    }
    void refreshEnum(std::int32_t stream, bool key = true) {
        Msg m = RawProvider::refresh(stream, StreamState::open);
        m.flags |= RefreshFlag::clearCache;
        if (key) {
            m.flags |= RefreshFlag::msgKey;
            m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
            m.key.serviceId = kUpstreamId;
            m.key.name = eta::asBytes(std::string_view("IBM"));
        }
        fillEnum(m, 10);
        provider.send(m);
    }
    void updateEnum(std::int32_t stream) {
        Msg m = RawProvider::update(stream);
        fillEnum(m, 11);
        provider.send(m);
    }

private:
    reactor::GrowingBuffer enums_;
};

void checkKey(const Json& got, const char* name = "IBM", const char* service = "DIRECT_FEED") {
    INFO(got.source);
    REQUIRE(got.find("Key") != nullptr);
    CHECK(got.at("Key").at("Name").text == name);
    CHECK(got.at("Key").at("Service").text == service);
    CHECK(got.at("Key").at("Service").kind == Json::Kind::string);
}

constexpr const char* kLoginText = R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})";

}  // namespace

TEST_CASE("a JSON client that names no service gets the only one, and names in images, updates and statuses",
          "[hub][node][json]") {
    const bool cached = GENERATE(false, true);
    const bool keyedImage = GENERATE(true, false);
    INFO((cached ? "cached" : "not cached") << (keyedImage ? "" : ", an image without a key"));
    Web f(
        [&](HubSettings& s) { s.services[0].cache.rule = cached ? CachePolicy::Rule::all : CachePolicy::Rule::none; });
    const auto c = f.text();
    c->send(R"({"ID":5,"Key":{"Name":"IBM"}})");
    const std::int32_t stream = f.asked().msg.streamId;
    f.refreshEnum(stream, keyedImage);
    const Json image = c->next("ID", "5");
    CHECK(image.at("Type").text == "Refresh");
    checkKey(image);
    CHECK(image.at("Fields").at("PRCTCK_1").text == "U");

    // Without keys, over RIPC with and without them.
    const auto anotherImage = [&] {
        if (!cached) f.refreshEnum(f.asked().msg.streamId, keyedImage);
    };
    const auto bare = f.text();
    bare->send(R"({"ID":6,"Key":{"Name":"IBM","Service":"DIRECT_FEED"},"KeyInUpdates":false})");
    anotherImage();
    CHECK(bare->next("ID", "6").at("Type").text == "Refresh");
    RawConsumer keyed = f.loggedIn("keyed"), plain = f.loggedIn("plain");
    Msg request = HubFixture::request(7);
    request.flags |= RequestFlag::msgKeyInUpdates;
    keyed.send(request);
    anotherImage();
    CHECK(keyed.next().msg.cls == MsgClass::Refresh);
    plain.send(HubFixture::request(8));
    anotherImage();
    CHECK(plain.next().msg.cls == MsgClass::Refresh);

    f.updateEnum(stream);
    const Json update = c->next("ID", "5");
    CHECK(update.at("Type").text == "Update");
    checkKey(update);
    CHECK(update.at("Fields").at("PROD_PERM").text == "11");
    CHECK(update.at("Fields").at("PRCTCK_1").text == "U");
    const Json unkeyed = bare->next("ID", "6");
    CHECK(unkeyed.find("Key") == nullptr);
    const Received withKey = keyed.next();
    CHECK(withKey.msg.cls == MsgClass::Update);
    REQUIRE(withKey.msg.hasKey());
    CHECK(withKey.name() == "IBM");
    CHECK(withKey.msg.key.serviceId == HubFixture::kId);
    CHECK_FALSE(plain.next().msg.hasKey());

    f.provider.disconnect();
    const Json lost = c->next("ID", "5");
    CHECK(stateOf(lost) == "Open/Suspect");
    checkKey(lost);
    const Received status = keyed.next();
    checkState(status, 7, StreamState::open, suspect);
    CHECK(status.name() == "IBM");
}

TEST_CASE("updates of a private stream have the key, also where the source knows the service by the same id",
          "[hub][node][json]") {
    const std::uint16_t id = GENERATE(HubFixture::kUpstreamId, HubFixture::kId);
    Web f([id](HubSettings& s) { s.services[0].serviceId = id; });
    const auto c = f.text();
    c->send(
        R"({"ID":5,"Private":true,"Key":{"Name":"IBM"}},{"ID":6,"Private":true,"KeyInUpdates":false,"Key":{"Name":"TRI"}})");
    for (int i = 0; i < 2; ++i) {
        const RawProvider::Got asked = f.asked();
        const bool key = asked.name() == "IBM";
        const std::int32_t stream = asked.msg.streamId;
        const char* const mine = key ? "5" : "6";
        Msg m = RawProvider::refresh(stream, StreamState::open);
        m.flags |= RefreshFlag::privateStream;
        f.fill(m, 10);
        f.provider.send(m);
        CHECK(stateOf(c->next("ID", mine)) == "Open/Ok");
        f.update(stream, 20);
        const Json update = c->next("ID", mine);
        CHECK(update.at("Type").text == "Update");
        CHECK((update.find("Key") != nullptr) == key);
        if (key) checkKey(update);
    }
}

TEST_CASE("enumerated fields in JSON are texts or numbers, as the port is configured", "[hub][node][json]") {
    Web f([](HubSettings& s) {
        s.services[0].cache.rule = CachePolicy::Rule::all;
        ListenerSettings port = s.listeners[0];
        port.name = "numbers";
        port.expandEnums = false;
        s.listeners.push_back(port);
    });
    const auto texts = f.text(), numbers = f.text(1);
    texts->send(R"({"ID":5,"Key":{"Name":"IBM"}})");
    const std::int32_t stream = f.asked().msg.streamId;
    f.refreshEnum(stream);
    CHECK(texts->next("ID", "5").at("Fields").at("PRCTCK_1").text == "U");
    numbers->send(R"({"ID":5,"Key":{"Name":"IBM"}})");
    CHECK(numbers->next("ID", "5").at("Fields").at("PRCTCK_1").text == "1");
    f.updateEnum(stream);
    CHECK(texts->next("ID", "5").at("Fields").at("PRCTCK_1").text == "U");
    CHECK(numbers->next("ID", "5").at("Fields").at("PRCTCK_1").text == "1");
}

TEST_CASE("requests, batches and posts that name no service are for the default one", "[hub][node][json]") {
    Web f([](HubSettings& s) {
        s.services[0].cache.rule = CachePolicy::Rule::all;
        s.listeners[0].defaultService = "DIRECT_FEED";
        ListenerSettings port = s.listeners[0];
        port.name = "of publishers";
        port.defaultService = "NI_FEED";
        s.listeners.push_back(port);
        port.name = "without";
        port.defaultService.clear();
        s.listeners.push_back(port);
    });
    const bool before = GENERATE(true, false);
    std::optional<Publisher> p;
    if (before) {
        p.emplace(f);
        RawConsumer c = f.loggedIn("watcher");
        (void)serviceOf(c);
    }
    const auto c = f.text();
    RawConsumer raw = f.loggedIn("raw");
    c->send(R"({"ID":10,"Key":{"Name":["A","B"]}})");
    for (const char* const name : {"A", "B"}) {
        const RawProvider::Got got = f.asked();
        CHECK(got.name() == name);
        f.refresh(got.msg.streamId, 10, name);
    }
    std::vector<std::string> seen;
    while (seen.size() < 3) {
        const Json got = c->next();
        seen.push_back(got.at("ID").text);
        if (got.at("ID").text != "10") checkKey(got, seen.back() == "11" ? "A" : "B");
    }
    std::ranges::sort(seen);
    CHECK(seen == std::vector<std::string>{"10", "11", "12"});
    raw.send(RawConsumer::request(5, 6, "A"));
    checkState(raw.next(), 5, StreamState::open, ok);

    c->send(R"({"ID":1,"Type":"Post","Domain":"MarketPrice","Ack":true,"PostID":7,"Key":{"Name":"A"},)"
            R"("Fields":{"PROD_PERM":4}})");
    const RawProvider::Got post = f.asked();
    CHECK(post.msg.cls == MsgClass::Post);
    CHECK(post.name() == "A");
    CHECK(post.msg.key.serviceId == HubFixture::kUpstreamId);
    Msg ack;
    ack.cls = MsgClass::Ack;
    ack.streamId = post.msg.streamId;
    ack.domain = post.msg.domain;
    ack.ackId = post.msg.postId;
    f.provider.send(ack);
    CHECK(c->next("Type", "Ack").at("AckID").text == "7");

    // The default of a port is that port's; where it is not there yet, that is said, and the request waits for it.
    const auto other = f.text(1);
    other->send(R"({"ID":5,"Key":{"Name":"NOBODY"}})");
    Json got = other->next("ID", "5");
    CHECK(got.at("Key").at("Name").text == "NOBODY");
    if (!before) {
        CHECK(stateOf(got) == "Open/Suspect");
        p.emplace(f);
        got = other->next("ID", "5");
        // Its publisher sends the directory before the images: the request is not too late.
        CHECK(stateOf(got) == "Open/Suspect");
        p->refresh(-1, "NOBODY", 3);
        got = other->next("Type", "Refresh");
        CHECK(stateOf(got) == "Open/Ok");
    } else {
        CHECK(got.at("State").at("Code").text == "NotFound");
    }
    checkKey(got, "NOBODY", "NI_FEED");
}

TEST_CASE("with several services and no default a request names one, and is told so", "[hub][node][json]") {
    Web f;
    Publisher p(f);
    RawConsumer raw = f.loggedIn("raw");
    (void)serviceOf(raw);
    const auto c = f.text();
    c->send(R"({"ID":5,"Key":{"Name":"IBM"}})");
    const Json got = c->next("ID", "5");
    CHECK(stateOf(got) == "Closed/Suspect");
    CHECK(got.at("State").at("Code").text == "UsageError");
    CHECK(got.at("State").at("Text").text.find("DefaultService") != std::string::npos);
    CHECK(got.at("Key").at("Name").text == "IBM");
}

TEST_CASE("JSON clients are told item by item what others hear of groups", "[hub][node][json]") {
    Web f([](HubSettings& s) {
        s.services[0].cache.rule = CachePolicy::Rule::all;
        s.statusRate = 1;  // the second item waits for its turn
    });
    const auto c = f.text();
    Web::directory(*c);
    for (const char* const name : {"A", "B"}) {
        c->send(R"({"ID":)" + std::string(*name == 'A' ? "5" : "6") + R"(,"Key":{"Name":")" + name +
                R"(","Service":"DIRECT_FEED"}})");
        f.refresh(f.asked().msg.streamId, 10, name);
        CHECK(c->next("Type", "Refresh").at("Key").at("Name").text == name);
    }
    const auto bothAre = [&](const std::string& state) {
        std::vector<std::string> told;
        while (told.size() < 2) {
            const Json got = c->next("Type", "Status");
            CHECK(stateOf(got) == state);
            checkKey(got, got.at("ID").text == "5" ? "A" : "B");
            told.push_back(got.at("ID").text);
        }
        std::ranges::sort(told);
        CHECK(told == std::vector<std::string>{"5", "6"});
    };
    SECTION("the source is lost") {
        f.provider.disconnect();
        bothAre("Open/Suspect");
    }
    SECTION("a group") {
        const std::byte group[2]{};
        f.provider.sendGroupStatus(HubFixture::kUpstreamId, group, {StreamState::open, suspect, 0, {}});
        bothAre("Open/Suspect");
    }
    SECTION("a service") {
        rdm::Service s = RawProvider::service(HubFixture::kUpstreamId, "DIRECT_FEED");
        s.state.status = rdm::OwnedState::from({StreamState::open, suspect, 0, eta::asBytes("stale")});
        f.provider.sendServiceAdd(s);
        bothAre("Open/Suspect");
    }
}

TEST_CASE("JSON clients are told item by item that a publisher is lost", "[hub][node][json]") {
    Web f;
    Publisher p(f);
    RawConsumer raw = f.loggedIn("raw");
    (void)serviceOf(raw);
    p.refresh(-1, "TRI", 10);
    const auto c = f.text();
    Web::directory(*c);
    Json got;
    do {
        c->send(R"({"ID":5,"Key":{"Name":"TRI","Service":"NI_FEED"}})");
        got = c->next("ID", "5");
    } while (got.at("Type").text == "Status");
    p.wire.disconnect();
    got = c->next("ID", "5");
    CHECK(stateOf(got) == "Open/Suspect");
    checkKey(got, "TRI", "NI_FEED");
}

TEST_CASE("what follows a login at once waits for its answer", "[hub][node][json]") {
    Web f([](HubSettings& s) { s.services[0].cache.rule = CachePolicy::Rule::all; });
    f.provider.automatic.items = true;
    SECTION("JSON, several messages of one text and of the next ones") {
        TextClient c(webSocketTo(f.hub->port()), [&f] { f.turn(); });
        c.send(std::string(kLoginText) +
               R"(,{"ID":2,"Domain":"Source","Key":{"Filter":3}},{"ID":5,"Key":{"Name":"A"}})");
        c.send(R"({"ID":6,"Key":{"Name":"B"}})");
        c.send(R"({"ID":6,"Type":"Close"})");
        c.send(R"({"ID":7,"Key":{"Name":"C"}})");
        CHECK(c.next().at("Domain").text == "Login");
        CHECK(c.next("ID", "2").at("Type").text == "Refresh");
        CHECK(c.next("ID", "5").at("Type").text == "Refresh");
        CHECK(c.next("ID", "7").at("Type").text == "Refresh");
        f.until([&f] { return f.hub->rooms().items.size() == 2; });
    }
    SECTION("RIPC, more than a front keeps") {
        RawConsumer c(RawConsumer::optionsFor(f.hub->port()), [&f] { f.turn(); });
        c.send(RawConsumer::loginRequest("dana"));
        constexpr std::int32_t kMany = 20'000;
        for (std::int32_t i = 0; i < kMany; ++i)
            c.send(RawConsumer::request(10 + i, 6, "A", HubFixture::kId));
        CHECK(c.next().msg.domain == 1);
        std::vector<bool> seen(kMany);  // one image serves whoever waits for it, in the order of the item's streams
        for (std::int32_t i = 0; i < kMany; ++i) {
            const Received got = c.next();
            REQUIRE(got.msg.cls == MsgClass::Refresh);
            REQUIRE((got.msg.streamId >= 10 && got.msg.streamId < 10 + kMany));
            REQUIRE_FALSE(seen[static_cast<std::size_t>(got.msg.streamId - 10)]);
            seen[static_cast<std::size_t>(got.msg.streamId - 10)] = true;
        }
    }
}

TEST_CASE("an image that lacks a part is Suspect, on RIPC and on JSON, until the source has sent it anew",
          "[hub][node][json]") {
    const bool cached = GENERATE(false, true);
    Web f([cached](HubSettings& s) {
        s.services[0].cache.rule = cached ? CachePolicy::Rule::all : CachePolicy::Rule::none;
    });
    RawConsumer c = f.loggedIn("c");
    const auto texts = f.text();
    texts->send(R"({"ID":8,"Key":{"Name":"IBM"}})");
    c.send(HubFixture::request(5));
    const std::int32_t stream = f.asked().msg.streamId;
    const std::uint16_t last = GENERATE(std::uint16_t{2}, std::uint16_t{1});  // after the first, or without it
    for (const std::uint16_t n : {std::uint16_t{0}, last}) {
        if (n == 0 && last == 1) continue;
        Msg m = RawProvider::refresh(stream, StreamState::open, true, n == last);
        m.flags |= RefreshFlag::partNum;
        m.partNum = n;
        f.fill(m, 40u + n);
        f.provider.send(m);
    }
    for (Received got = c.next();; got = c.next()) {
        REQUIRE_FALSE((got.msg.cls == MsgClass::Refresh && got.msg.has(RefreshFlag::complete)));
        if (got.msg.cls != MsgClass::Status) continue;
        checkState(got, 5, StreamState::open, suspect, 11);
        break;
    }
    for (Json got = texts->next("ID", "8");; got = texts->next("ID", "8")) {
        INFO(got.source);
        if (got.at("Type").text == "Refresh") REQUIRE(got.find("Complete") != nullptr);  // said when it is false
        else {
            CHECK(got.at("State").at("Data").text == "Suspect");
            break;
        }
    }
    RawProvider::Got again = f.asked();
    while (again.msg.cls != MsgClass::Request || again.msg.has(RequestFlag::noRefresh))
        again = f.asked();
    CHECK(again.msg.streamId == stream);
    f.refresh(stream, 50);
    const Received image = c.next();
    checkState(image, 5, StreamState::open, ok, 34);
    CHECK(image.msg.has(RefreshFlag::complete));
    CHECK(HubFixture::fields(image.msg) == "1=50");
    const Json text = texts->next("ID", "8");
    INFO(text.source);
    CHECK(text.at("Type").text == "Refresh");
    CHECK(text.at("State").at("Data").text == "Ok");
    CHECK(text.find("Complete") == nullptr);
}
