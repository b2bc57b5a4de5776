// Directory updates of a provider that carry only some elements of a filter entry (rdm.md 3.3): they can be sent, and
// consumers over RWF and JSON keep what the updates do not name.
#include "ProviderFixture.h"

#include "reactor/json/fixture.h"

using namespace emissary;
using namespace emissary::test;
using namespace emissary::eta::codec;
using json_test::Json;

namespace {

using Elements = std::function<void(ElementListEncoder&)>;

struct PartialDirectory : ProviderFixture {
    PartialDirectory() : ProviderFixture(options()) {}
    static ProviderOptions options() {
        ProviderOptions o = jsonProvider();
        o.bind.connectionType = eta::transport::ConnectionType::socket;  // which takes WebSockets as well
        o.services[0].info.vendor = "Old";
        o.services[0].info.itemList = "_ITEMS";
        return o;
    }
    SubmitResult update(std::uint8_t filterAction, std::uint8_t filterId, const Elements& elements) {
        GrowingBuffer buffer;
        MapEncoder map;
        EntryContainerHeader header;
        header.entryType = DataType::FilterList;
        map.begin(buffer.start(), header, DataType::UInt);
        const std::byte one[] = {std::byte{1}};
        map.beginEntry(MapAction::update, one);
        FilterListEncoder filters;
        filters.begin(buffer.writer(), DataType::ElementList);
        filters.beginEntry(filterAction, filterId, DataType::ElementList);
        ElementListEncoder list;
        list.begin(buffer.writer());
        elements(list);
        REQUIRE(list.complete().ok());
        filters.endEntry();
        REQUIRE(filters.complete().ok());
        map.endEntry();
        REQUIRE(map.complete().ok());
        Msg m = Application::update();
        m.domain = 4;
        m.containerType = DataType::Map;
        m.payload = buffer.view();
        return locked([&](ProviderRole& r) { return r.submitToAll(m); });
    }
    std::unique_ptr<TextClient> text() {
        auto c = std::make_unique<TextClient>(webSocketTo(role->port()), [this] { turn(); });
        c->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"tess"}})");
        REQUIRE(c->next("ID", "1").at("State").at("Stream").text == "Open");
        c->send(R"({"ID":2,"Domain":"Source","Key":{"Filter":63}})");
        REQUIRE(c->next("ID", "2").at("Type").text == "Refresh");
        return c;
    }
};

/// What could not be used, as consumers note it.
struct Skips final : rdm::DirectoryListener {
    std::string text;
    void onSkipped(const std::string& what) override { text = what; }
};

}  // namespace

TEST_CASE("a provider's directory updates may carry only some elements", "[reactor][provider][directory][json]") {
    const std::uint8_t action = GENERATE(FilterAction::update, FilterAction::set);
    PartialDirectory f;
    RawConsumer c = f.loggedIn();
    c.send(RawConsumer::directoryRequest(63));
    rdm::Directory d;
    REQUIRE(d.apply(c.next().msg.payload, true).ok());
    const auto texts = f.text();
    c.send(RawConsumer::request(5, 6, "IBM", std::uint16_t{1}));
    f.runUntil([&] { return f.app.last().name == "IBM"; });
    const std::uint64_t item = f.app.last().event.handle;
    Msg image = Application::refresh();
    REQUIRE(f.locked([&](ProviderRole& r) { return r.submit(item, image); }).ok());
    CHECK(c.next().msg.cls == MsgClass::Refresh);

    Json text;
    const auto sent = [&](std::uint8_t filterId, const Elements& elements) {
        const SubmitResult result = f.update(action, filterId, elements);
        REQUIRE(result.ok());
        const Received got = c.next();
        CHECK(got.msg.domain == 4);
        CHECK(got.msg.cls == MsgClass::Update);
        Skips skips;
        REQUIRE(d.apply(got.msg.payload, false, &skips).ok());
        text = texts->next("ID", "2");
        CHECK(text.at("Type").text == "Update");
        return skips.text;
    };
    const auto says = [&](const char* what) {
        INFO(text.source);
        return text.source.find(what) != std::string::npos;
    };
    const auto service = [&]() -> const rdm::Service& { return *d.find(std::uint16_t{1}); };

    CHECK(sent(1, [](ElementListEncoder& e) { e.addAscii("Vendor", "New"); }).empty());
    CHECK(says(R"("Vendor":"New")"));
    CHECK_FALSE(says("Name"));
    CHECK(service().info.vendor == "New");
    CHECK(sent(1, [](ElementListEncoder& e) {
              e.beginElement("DictionariesProvided", DataType::Array);
              ArrayEncoder names;
              names.begin(e.writer(), DataType::AsciiString);
              names.addAscii("RWFFld");
              REQUIRE(names.complete().ok());
              e.endElement();
          }).empty());
    CHECK(says(R"("Data":["RWFFld"])"));
    CHECK(service().info.dictionariesProvided == std::vector<std::string>{"RWFFld"});
    CHECK(service().name() == "DIRECT_FEED");
    CHECK(service().info.serves(6));
    if (action == FilterAction::update) CHECK(service().info.vendor == "New");

    // The state of the service goes on with what is not named, here and at the provider.
    CHECK(sent(2, [](ElementListEncoder& e) { e.addUInt("AcceptingRequests", 0); }).empty());
    CHECK(says(R"("AcceptingRequests":0)"));
    CHECK(service().state.up);
    CHECK_FALSE(service().state.acceptingRequests());
    c.send(RawConsumer::request(6, 6, "TRI", std::uint16_t{1}));
    const Received refused = c.next();
    CHECK(refused.msg.streamId == 6);
    CHECK(refused.msg.state.stream == StreamState::closedRecover);
    texts->send(R"({"ID":6,"Key":{"Name":"TRI","Service":"DIRECT_FEED"}})");
    CHECK(texts->next("ID", "6").at("State").at("Stream").text == "ClosedRecover");
    CHECK(sent(2, [](ElementListEncoder& e) { e.addUInt("AcceptingRequests", 1); }).empty());
    CHECK(service().state.acceptingRequests());
    CHECK(sent(2, [](ElementListEncoder& e) {
              GrowingBuffer state;
              encodeState(state.start(), {StreamState::open, DataState::suspect, 0, {}});
              e.add("Status", DataType::State, state.view());
          }).empty());
    CHECK(says(R"("Data":"Suspect")"));
    CHECK(service().state.up);
    CHECK(sent(4, [](ElementListEncoder& e) { e.addUInt("OpenWindow", 7); }).empty());
    CHECK(service().load.openWindow == 7u);

    // A Group entry that names no group says nothing: it may be sent, and whoever gets it leaves it out.
    const std::string skipped = sent(3, [](ElementListEncoder& e) {
        GrowingBuffer state;
        encodeState(state.start(), {StreamState::closed, DataState::suspect, 0, {}});
        e.add("Status", DataType::State, state.view());
    });
    CHECK(skipped.find("it names no group") != std::string::npos);
    CHECK(service().groups.empty());

    // The item is open all the while, and a new client is told of the service as it is now.
    Msg tick = Application::update();
    REQUIRE(f.locked([&](ProviderRole& r) { return r.submit(item, tick); }).ok());
    const Received update = c.next();
    CHECK(update.msg.streamId == 5);
    CHECK(update.msg.cls == MsgClass::Update);
    RawConsumer late = f.loggedIn();
    late.send(RawConsumer::directoryRequest(63));
    rdm::Directory told;
    REQUIRE(told.apply(late.next().msg.payload, true).ok());
    const rdm::Service* const s = told.find("DIRECT_FEED");
    REQUIRE(s != nullptr);
    CHECK(s->info.dictionariesProvided == std::vector<std::string>{"RWFFld"});
    CHECK(s->state.up);
    CHECK(s->state.acceptingRequests());
    CHECK(s->load.openWindow == 7u);
    CHECK(s->groups.empty());
}

TEST_CASE("a service that is added names its groups", "[reactor][provider][directory]") {
    PartialDirectory f;
    GrowingBuffer buffer;
    MapEncoder map;
    EntryContainerHeader header;
    header.entryType = DataType::FilterList;
    map.begin(buffer.start(), header, DataType::UInt);
    const std::byte nine[] = {std::byte{9}};
    map.beginEntry(MapAction::add, nine);
    FilterListEncoder filters;
    filters.begin(buffer.writer(), DataType::ElementList);
    filters.beginEntry(FilterAction::set, 3, DataType::ElementList);
    ElementListEncoder list;
    list.begin(buffer.writer());
    list.addUInt("Other", 1);
    REQUIRE(list.complete().ok());
    filters.endEntry();
    REQUIRE(filters.complete().ok());
    map.endEntry();
    REQUIRE(map.complete().ok());
    Msg m = Application::update();
    m.domain = 4;
    m.containerType = DataType::Map;
    m.payload = buffer.view();
    CHECK(f.locked([&](ProviderRole& r) { return r.submitToAll(m); }).fault == SubmitFault::badDirectory);
}
