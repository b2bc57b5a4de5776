// ConsumerStatus of clients (hub.md 2.2): how they use services, over RIPC and JSON, and what bad messages cost.
#include "fixture.h"
#include "reactor/json/fixture.h"

#include "reactor/rdm/consumer_status.h"

using namespace emissary;
using namespace emissary::test;
using rdm::ServiceUse;
using rdm::UsedService;

namespace {

struct UsesFixture : PortFixture {
    explicit UsesFixture(ListenerSettings listener = rwf()) : PortFixture(defaults(), std::move(listener)) {
        locked([&] {
            Service& other = add("OTHER", 4);
            other.policy.cache.rule = CachePolicy::Rule::all;
            port->services().onServiceAdded(other);
            port->services().onServiceAdded(add("LATE", 5));
            return 0;
        });
    }
    /// Clients' services by mode, in the order of ServiceUse.
    [[nodiscard]] std::string modes() const {
        std::string out;
        for (const auto& c : port->counts().uses.counts)
            out += std::to_string(c.services.get());
        return out;
    }
    [[nodiscard]] std::vector<UsedService> usesOf(std::string_view user = "dana") {
        return ClientSession::of(client(user)).uses;
    }
    /// Of the log.
    [[nodiscard]] std::vector<std::string> faults() const {
        std::vector<std::string> out;
        std::ranges::copy_if(lines, std::back_inserter(out),
                             [](const std::string& l) { return l.find("ConsumerStatus") != l.npos; });
        return out;
    }
    void updated() {
        locked([&] {
            update(*item("IBM"));
            update(*item("IBM", 6, 4));
            return 0;
        });
    }
};

void say(RawConsumer& c, const std::vector<UsedService>& uses) {
    reactor::GrowingBuffer payload;
    Msg m;
    REQUIRE(rdm::makeConsumerStatus(m, uses, payload).ok());
    c.send(m);
}
/// A ConsumerStatus with any payload.
void sayBytes(RawConsumer& c, eta::Bytes payload, codec::DataType type = codec::DataType::Map) {
    reactor::GrowingBuffer room;
    Msg m;
    REQUIRE(rdm::makeConsumerStatus(m, {}, room).ok());
    m.containerType = type;
    m.payload = payload;
    c.send(m);
}

/// Warm standby of the whole connection (rdm.md 2.5).
void sayStandby(RawConsumer& c, std::uint64_t mode) {
    reactor::GrowingBuffer payload;
    eta::BeWriter& out = payload.start();
    codec::MapEncoder map;
    codec::EntryContainerHeader header;
    header.entryType = codec::DataType::ElementList;
    map.begin(out, header, codec::DataType::AsciiString);
    map.beginEntry(codec::MapAction::add, eta::asBytes(std::string_view("WarmStandbyInfo")));
    codec::ElementListEncoder list;
    list.begin(out);
    list.addUInt("WarmStandbyMode", mode);
    REQUIRE(list.complete().ok());
    map.endEntry();
    REQUIRE(map.complete().ok());
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = 1;
    m.streamId = 1;
    m.flags = codec::GenericFlag::msgKey | codec::GenericFlag::complete;
    m.key.flags = codec::KeyFlag::name;
    m.key.name = eta::asBytes(std::string_view("ConsumerConnectionStatus"));
    m.containerType = codec::DataType::Map;
    m.payload = payload.view();
    c.send(m);
}

[[nodiscard]] RawConsumer withDirectory(PortFixture& f) {
    RawConsumer c = f.loggedIn();
    c.send(RawConsumer::directoryRequest(3));
    CHECK(c.next().msg.domain == 4);
    return c;
}

}  // namespace

TEST_CASE("the mode of each service is kept, counted, and forgotten with the login", "[hub][client][uses]") {
    UsesFixture f;
    RawConsumer c = withDirectory(f);
    say(c, {{3, ServiceUse::activeAlone}, {4, ServiceUse::standby}, {5, ServiceUse::warmActive}});
    f.runUntil([&] { return f.usesOf().size() == 3; });
    CHECK(f.usesOf() == std::vector<UsedService>{
                            {3, ServiceUse::activeAlone}, {4, ServiceUse::standby}, {5, ServiceUse::warmActive}});
    CHECK(f.modes() == "10110");
    CHECK(f.loop.metrics().prometheus().find(R"(mode="standby"} 1)") != std::string::npos);
    say(c, {{4, ServiceUse::activeWithStandby}});
    f.runUntil([&] { return f.modes() == "11010"; });
    SECTION("the service is gone") {
        f.locked([&] {
            f.port->services().onServiceDeleted(4);
            return 0;
        });
        CHECK(f.modes() == "10010");
        CHECK(f.usesOf().size() == 2);
    }
    SECTION("the login is closed") {
        c.send(RawConsumer::close(1, 1));
        f.runUntil([&] { return f.modes() == "00000"; });
    }
    SECTION("the connection is lost") {
        c.disconnect();
        f.runUntil([&] { return f.modes() == "00000"; });
    }
    SECTION("a Delete takes the mode back") {
        reactor::GrowingBuffer payload;
        codec::MapEncoder map;
        codec::EntryContainerHeader header;
        header.entryType = codec::DataType::ElementList;
        map.begin(payload.start(), header, codec::DataType::UInt);
        const std::byte four[] = {std::byte{4}};
        map.beginEntry(codec::MapAction::del, four);
        map.endEntry();
        REQUIRE(map.complete().ok());
        sayBytes(c, payload.view());
        f.runUntil([&] { return f.modes() == "10010"; });
    }
    CHECK(f.port->counts().of.badUses == 0);
}

TEST_CASE("bad entries are left out one by one, with one line, and the connection stays", "[hub][client][uses]") {
    UsesFixture f;
    RawConsumer c = withDirectory(f);
    SECTION("services that the client does not know") {
        say(c, {{3, ServiceUse::standby}, {77, ServiceUse::standby}, {65535, ServiceUse::activeAlone}});
        f.runUntil([&] { return f.port->counts().of.badUses == 2; });
        CHECK(f.usesOf() == std::vector<UsedService>{{3, ServiceUse::standby}});
        REQUIRE(f.faults().size() == 1);
        CHECK(f.faults()[0].find("the entry of service 77: the client knows no such service (and 1 more)") !=
              std::string::npos);
    }
    SECTION("as many entries as a map can have") {
        std::vector<UsedService> all;
        for (std::uint32_t id = 0; id <= 65534; ++id)
            all.push_back({static_cast<std::uint16_t>(id), ServiceUse::warmStandby});
        say(c, all);
        f.runUntil([&] { return f.port->counts().of.badUses == 65535 - 3; });
        CHECK(f.usesOf().size() == 3);
        CHECK(f.faults().size() == 1);
        CHECK(f.client().standbyServices == std::vector<std::uint16_t>{3, 4, 5});
    }
    SECTION("no map, and one that breaks off") {
        sayBytes(c, {});
        f.runUntil([&] { return f.port->counts().of.badUses == 1; });
        const std::byte half[] = {std::byte{0},    std::byte{4}, std::byte{5}, std::byte{0xFF},
                                  std::byte{0xFF}, std::byte{2}, std::byte{1}};
        sayBytes(c, half);
        f.runUntil([&] { return f.port->counts().of.badUses == 2; });
        CHECK(f.faults().size() == 2);
    }
    say(c, {{4, ServiceUse::activeAlone}});
    f.runUntil([&] { return !f.usesOf().empty() && f.port->counts().uses[ServiceUse::activeAlone].services == 1; });
    CHECK(f.posts.empty());
    CHECK(PortFixture::silent(c));
}

TEST_CASE("a mirroring standby gets updates; a warm standby of a service gets none of it until it is active",
          "[hub][client][uses]") {
    UsesFixture f;
    RawConsumer c = withDirectory(f);
    c.send(RawConsumer::request(5, 6, "IBM", 3));
    CHECK(c.next().msg.cls == MsgClass::Refresh);
    c.send(RawConsumer::request(6, 6, "IBM", 4));
    CHECK(c.next().msg.cls == MsgClass::Refresh);
    say(c, {{3, ServiceUse::standby}, {4, ServiceUse::standby}});
    f.runUntil([&] { return f.modes() == "00200"; });
    f.updated();
    CHECK(c.next().msg.streamId == 5);
    CHECK(c.next().msg.streamId == 6);

    say(c, {{3, ServiceUse::warmStandby}, {4, ServiceUse::warmActive}});
    f.runUntil([&] { return f.modes() == "00011"; });
    CHECK(PortFixture::silent(c));
    f.updated();
    const Received update = c.next();
    CHECK(update.msg.cls == MsgClass::Update);
    CHECK(update.msg.streamId == 6);
    CHECK(PortFixture::silent(c));
    // A stream that opens meanwhile has its image, and no updates either.
    c.send(RawConsumer::request(7, 6, "IBM", 3));
    const Received image = c.next();
    CHECK(image.msg.cls == MsgClass::Refresh);
    CHECK(image.msg.streamId == 7);
    f.updated();
    CHECK(c.next().msg.streamId == 6);
    CHECK(PortFixture::silent(c));

    say(c, {{3, ServiceUse::warmActive}});
    // What it has missed comes as an image, unsolicited; then updates flow.
    const auto imagesOfBoth = [&c] {
        std::vector<std::int32_t> streams;
        for (int i = 0; i < 2; ++i) {
            const Received got = c.next();
            CHECK(got.msg.cls == MsgClass::Refresh);
            CHECK_FALSE(got.msg.has(RefreshFlag::solicited));
            streams.push_back(got.msg.streamId);
        }
        std::ranges::sort(streams);
        CHECK(streams == std::vector<std::int32_t>{5, 7});
    };
    imagesOfBoth();
    CHECK(f.client().standbyServices.empty());
    f.updated();
    for (int i = 0; i < 3; ++i)
        CHECK(c.next().msg.cls == MsgClass::Update);

    // Nothing of it was missed, and each stream gets an image all the same; nothing of the other service changes.
    say(c, {{3, ServiceUse::warmStandby}});
    say(c, {{3, ServiceUse::warmActive}});
    imagesOfBoth();
    CHECK(PortFixture::silent(c));
}

TEST_CASE("one message: of several entries for a service the last counts, and others stay", "[hub][client][uses]") {
    UsesFixture f;
    RawConsumer c = withDirectory(f);
    say(c, {{5, ServiceUse::standby}, {3, ServiceUse::warmStandby}});
    f.runUntil([&] { return f.modes() == "00101"; });
    say(c, {{4, ServiceUse::warmStandby},
            {3, ServiceUse::warmActive},
            {4, ServiceUse::activeAlone},
            {3, ServiceUse::warmStandby},
            {4, ServiceUse::warmStandby}});
    f.runUntil([&] { return f.modes() == "00102"; });
    CHECK(f.usesOf() == std::vector<UsedService>{
                            {3, ServiceUse::warmStandby}, {4, ServiceUse::warmStandby}, {5, ServiceUse::standby}});
    CHECK(f.client().standbyServices == std::vector<std::uint16_t>{3, 4});
    c.send(RawConsumer::close(1, 1));
    f.runUntil([&] { return f.modes() == "00000"; });
}

TEST_CASE("streams of a closed login go whatever the next login on the connection says", "[hub][client][uses]") {
    constexpr std::int32_t kStreams = 3000;  // some turns
    UsesFixture f;
    RawConsumer c = withDirectory(f);
    for (std::int32_t i = 0; i < kStreams; ++i)
        c.send(RawConsumer::request(10 + i, 6, "IBM", 3));
    for (std::int32_t i = 0; i < kStreams; ++i)
        REQUIRE(c.next().msg.cls == MsgClass::Refresh);
    c.send(RawConsumer::close(1, 1));
    PortFixture::login(c, "erik", {});
    SECTION("ConsumerStatus") {
        c.send(RawConsumer::directoryRequest(3));
        say(c, {{3, ServiceUse::warmStandby}});
        say(c, {{3, ServiceUse::warmActive}});
    }
    SECTION("ConsumerConnectionStatus") {
        sayStandby(c, 1);
        sayStandby(c, 0);
    }
    SECTION("Pause and resume of all") {
        PortFixture::login(c, "erik", {}, RequestFlag::pause | RequestFlag::noRefresh);
        PortFixture::login(c, "erik", {}, RequestFlag::noRefresh);
    }
    // Behind all that: a stream of the new login.
    c.send(RawConsumer::request(5, 6, "IBM", 4));
    Received got = c.next();
    while (got.msg.streamId != 5) {
        CHECK(got.msg.streamId < 10);  // no image of a stream that has been closed
        got = c.next();
    }
    CHECK(got.msg.cls == MsgClass::Refresh);
    CHECK(f.mounts.size() == 1);
    CHECK(f.item("IBM") == nullptr);  // nobody has it any more
    f.locked([&] {
        f.update(*f.item("IBM", 6, 4));
        return 0;
    });
    CHECK(c.next().msg.streamId == 5);
    CHECK(PortFixture::silent(c));
}

TEST_CASE("JSON: streams of a closed login go whatever the next login says", "[hub][client][uses][json]") {
    constexpr int kStreams = 3000;
    UsesFixture f(PortFixture::webSocket());
    f.locked([&] {
        f.port->setDictionary(smallDictionary());
        return 0;
    });
    TextClient c(webSocketTo(f.port->port()), [&f] { f.turn(); });
    c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
    CHECK(c.next().at("Type").text == "Refresh");
    for (int i = 0; i < kStreams; ++i)
        c.send(R"({"ID":)" + std::to_string(10 + i) + R"(,"Key":{"Name":"IBM","Service":"FEED"}})");
    for (int i = 0; i < kStreams; ++i)
        REQUIRE(c.next().at("Type").text == "Refresh");
    c.send(R"({"ID":1,"Domain":"Login","Type":"Close"})");
    c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"erik"}})");
    SECTION("ConsumerStatus") {
        c.send(R"({"ID":2,"Domain":"Source","Key":{"Filter":3}})");
        for (const char* const mode : {"1", "0"})
            c.send(std::string(R"({"ID":2,"Type":"Generic","Domain":"Source","Key":{"Name":"ConsumerStatus"},)") +
                   R"("Map":{"KeyType":"UInt","Entries":[{"Action":"Add","Key":3,"Elements":{"WarmStandbyMode":)" +
                   mode + "}}]}}");
    }
    SECTION("ConsumerConnectionStatus") {
        for (const char* const mode : {"1", "0"})
            c.send(
                std::string(R"({"ID":1,"Type":"Generic","Domain":"Login","Key":{"Name":"ConsumerConnectionStatus"},)") +
                R"("Map":{"KeyType":"AsciiString","Entries":[{"Action":"Add","Key":"WarmStandbyInfo",)" +
                R"("Elements":{"WarmStandbyMode":)" + mode + "}}]}}");
    }
    SECTION("Pause and resume of all") {
        c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"erik"},"Pause":true,"Refresh":false})");
        c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"erik"},"Refresh":false})");
    }
    c.send(R"({"ID":5,"Key":{"Name":"IBM","Service":"OTHER"}})");
    json_test::Json got = c.next();
    while (got.at("ID").text != "5") {
        CHECK(std::stoi(got.at("ID").text) < 10);
        got = c.next();
    }
    CHECK(f.mounts.size() == 1);
    CHECK(f.item("IBM") == nullptr);  // nobody has it any more
    f.locked([&] {
        f.update(*f.item("IBM", 6, 4));
        return 0;
    });
    CHECK(c.next().at("ID").text == "5");
}

TEST_CASE("JSON clients say how they use services as well", "[hub][client][uses][json]") {
    UsesFixture f(PortFixture::webSocket());
    f.locked([&] {
        f.port->setDictionary(smallDictionary());
        return 0;
    });
    TextClient c(webSocketTo(f.port->port()), [&f] { f.turn(); });
    c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
    CHECK(c.next().at("Type").text == "Refresh");
    c.send(R"({"ID":2,"Domain":"Source","Key":{"Filter":3}})");
    const json_test::Json directory = c.next();
    REQUIRE(directory.at("Map").at("Entries").items.size() == 3);
    const auto& filters = directory.at("Map").at("Entries").items[0].at("FilterList").at("Entries").items;
    CHECK(filters[0].at("Elements").members.contains("Name"));
    c.send(
        R"({"ID":2,"Type":"Generic","Domain":"Source","Key":{"Name":"ConsumerStatus"},"Map":{"KeyType":"UInt","Entries":[)"
        R"({"Action":"Add","Key":3,"Elements":{"SourceMirroringMode":2}},)"
        R"({"Action":"Add","Key":4,"Elements":{"WarmStandbyMode":1}},)"
        R"({"Action":"Add","Key":5,"Elements":{"SourceMirroringMode":7}},)"
        R"({"Action":"Add","Key":70000,"Elements":{"SourceMirroringMode":1}}]}})");
    f.runUntil([&] { return f.modes() == "00101"; });
    CHECK(f.port->counts().of.badUses == 2);
    CHECK(f.usesOf() == std::vector<UsedService>{{3, ServiceUse::standby}, {4, ServiceUse::warmStandby}});
    REQUIRE(f.faults().size() == 1);
    CHECK(f.faults()[0].find("service 5: its SourceMirroringMode is none of 0, 1 and 2 (and 1 more)") !=
          std::string::npos);
    c.send(R"({"ID":10,"Key":{"Name":"IBM","Service":"FEED"}})");
    CHECK(c.next().at("Type").text == "Refresh");
    c.send(R"({"ID":11,"Key":{"Name":"IBM","Service":"OTHER"}})");
    CHECK(c.next().at("Type").text == "Refresh");
    f.updated();
    const json_test::Json got = c.next();
    CHECK(got.at("Type").text == "Update");
    CHECK(got.at("ID").text == "10");
    c.send(
        R"({"ID":2,"Type":"Generic","Domain":"Source","Key":{"Name":"ConsumerStatus"},"Map":{"KeyType":"UInt","Entries":[)"
        R"({"Action":"Add","Key":4,"Elements":{"WarmStandbyMode":0}}]}})");
    const json_test::Json image = c.next();
    CHECK(image.at("Type").text == "Refresh");
    CHECK(image.at("ID").text == "11");
}
