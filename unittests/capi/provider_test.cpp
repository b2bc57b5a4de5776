// The provider of the C interface, against its consumer: images, updates, states, and what it refuses.
#include "capi/CProvider.h"
#include "capi/Feed.h"
#include "reactor/json/fixture.h"
#include "support/RawConsumer.h"
#include "support/ema_clients.h"

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <thread>

namespace emissary::test {
namespace {

using Values = std::map<std::string, std::string>;

void keepValues(void* closure, emi_message* message) {
    auto& seen = *static_cast<std::vector<Values>*>(closure);
    Values& values = seen.emplace_back();
    values["state"] = std::to_string(emi_message_state(message));
    emi_value v{};
    v.size = sizeof v;
    for (int found = 0; emi_message_next_field(message, &v, &found, nullptr) == EMI_OK && found != 0;)
        values[v.name] = v.blank != 0        ? "blank"
                         : v.text != nullptr ? std::string(v.text, v.length)
                                             : std::to_string(v.i64);
}

}  // namespace

TEST_CASE("The C provider answers with what was published, over both protocols", "[capi][provider]") {
    const bool json = GENERATE(false, true);
    emi_error error{sizeof(emi_error), 0, {}};
    emi_provider* provider = nullptr;
    INFO(error.text);
    REQUIRE(emi_provider_open("0", "FEED & CO", sourcePath("/etc").c_str(), json ? 1 : 0, &provider, &error) == EMI_OK);
    const std::int64_t day = 20'000;  // 2024-10-04
    const emi_value first[] = {value("BID", EMI_REAL, 12345, 12), value("DSPLY_NAME", EMI_TEXT, 0, 0, "Caf\xC3\xA9"),
                               value("TRADE_DATE", EMI_DATE, day), value("ACVOL_1", EMI_INT, 7)};
    REQUIRE(emi_provider_publish(provider, "A.X", first, 4, &error) == EMI_OK);
    {
        CConsumer c("localhost:" + portOf(provider), json ? std::map<std::string, std::string>{{"websocket", "json"}}
                                                          : std::map<std::string, std::string>{});
        REQUIRE(c.code == EMI_OK);
        std::uint64_t item = 0;
        REQUIRE(emi_consumer_open_item(c.handle, "FEED & CO", "A.X", 0, &item, &c.error) == EMI_OK);
        std::vector<Values> seen;
        const auto until = [&](std::size_t count) {
            REQUIRE(turnUntil(
                [&] { return seen.size() >= count; },
                [&] { REQUIRE(emi_consumer_dispatch(c.handle, 50, keepValues, &seen, nullptr, &c.error) == EMI_OK); }));
        };
        until(1);
        CHECK(seen[0]["BID"] == "12345");
        CHECK(seen[0]["DSPLY_NAME"] == "Caf\xC3\xA9");
        CHECK(seen[0]["TRADE_DATE"] == std::to_string(day));
        CHECK(seen[0]["ACVOL_1"] == "7");
        std::size_t streams = 0;
        REQUIRE(emi_provider_streams(provider, "A.X", &streams, &error) == EMI_OK);
        CHECK(streams == 1);
        auto gone = value("BID", EMI_NOTHING);
        gone.blank = 1;
        REQUIRE(emi_provider_publish(provider, "A.X", &gone, 1, &error) == EMI_OK);
        until(2);
        CHECK(seen[1] == Values{{"state", std::to_string(EMI_CURRENT)}, {"BID", "blank"}});
        REQUIRE(emi_provider_status(provider, "A.X", EMI_STALE, "late", &error) == EMI_OK);
        until(3);
        CHECK(seen[2]["state"] == std::to_string(EMI_STALE));
        REQUIRE(emi_provider_status(provider, "A.X", EMI_CLOSED, "over", &error) == EMI_OK);
        until(4);
        CHECK(seen[3]["state"] == std::to_string(EMI_CLOSED));
        REQUIRE(emi_provider_streams(provider, nullptr, &streams, &error) == EMI_OK);
        CHECK(streams == 0);
    }
    emi_provider_close(provider);
}

TEST_CASE("Requests that find the output full are answered when there is room", "[capi][provider]") {
    const bool json = GENERATE(false, true);
    constexpr std::size_t kItems = 900, kText = 60'000;  // 54 MB, of which output and sockets take some 40
    CProvider provider(json);
    const std::string text(kText, 'x');
    const auto name = [](std::size_t n) { return "BIG" + std::to_string(n) + ".X"; };
    for (std::size_t n = 0; n < kItems; ++n)
        REQUIRE(provider.send(name(n).c_str(), 6, EMI_REFRESH, {at(0, EMI_OPAQUE, nullptr, 0, text.c_str())}) ==
                EMI_OK);
    const auto port = static_cast<std::uint16_t>(std::stoi(provider.port));
    std::unique_ptr<RawConsumer> wire;
    std::unique_ptr<TextClient> client;
    if (json) client = std::make_unique<TextClient>(webSocketTo(port), [] { std::this_thread::yield(); });
    else wire = std::make_unique<RawConsumer>(port);
    const auto request = [&](std::size_t n, const std::string& item) {
        const auto id = static_cast<std::int32_t>(5 + n);
        if (json)
            client->send(R"({"ID":)" + std::to_string(id) + R"(,"Key":{"Service":"DIRECT_FEED","Name":")" + item +
                         "\"}}");
        else wire->send(RawConsumer::request(id, 6, item, std::uint16_t{1}));
    };
    if (json) {
        client->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"user"}})");
        CHECK(client->next().at("Type").text == "Refresh");
    } else {
        wire->send(RawConsumer::loginRequest("user"));
        CHECK(wire->next().msg.cls == codec::MsgClass::Refresh);
    }
    // Nothing is read until all have been asked for, and the last one is refused.
    for (std::size_t n = 0; n < kItems; ++n)
        request(n, name(n));
    request(kItems, "NONE.X");
    std::size_t streams = 0;
    REQUIRE(eventually([&] {
        return emi_provider_streams(provider.handle, nullptr, &streams, nullptr) == EMI_OK && streams == kItems;
    }));
    // Somebody else has the last item open, and reads.
    std::unique_ptr<RawConsumer> reader;
    if (!json) {
        reader = std::make_unique<RawConsumer>(port);
        reader->send(RawConsumer::loginRequest("reader"));
        CHECK(reader->next().msg.cls == codec::MsgClass::Refresh);
        reader->send(RawConsumer::request(5, 6, name(kItems - 1), std::uint16_t{1}));
        CHECK(reader->next().msg.cls == codec::MsgClass::Refresh);
    }
    // An update for it would come in front of the image: the program hears that it cannot leave.
    CHECK(provider.send(name(kItems - 1).c_str(), 6, EMI_UPDATE, {at(0, EMI_OPAQUE, nullptr, 0, "y")}) == EMI_E_USAGE);
    CHECK(std::string(provider.error.text).find("its output is full") != std::string::npos);
    if (!json) CHECK(reader->next().msg.cls == codec::MsgClass::Update);
    // A new image of it is in the answer that is owed.
    CHECK(provider.send(name(kItems - 1).c_str(), 6, EMI_REFRESH, {at(0, EMI_OPAQUE, nullptr, 0, "new")}) == EMI_OK);
    std::set<std::int32_t> answered;
    std::size_t refused = 0, shortOnes = 0;
    while (answered.size() < kItems || refused == 0) {
        std::int32_t id = 0;
        if (json) {
            const auto m = client->next();
            if (m.find("Type") != nullptr && m.at("Type").text == "Ping") continue;
            id = std::stoi(m.at("ID").text);
            if (m.at("Type").text == "Status") ++refused;
            else if (m.at("Opaque").text.size() < 20) ++shortOnes;
        } else {
            const Received m = wire->next();
            id = m.msg.streamId;
            if (m.msg.cls == codec::MsgClass::Status) ++refused;
            else if (m.msg.payload.size() < 20) ++shortOnes;
        }
        if (id == static_cast<std::int32_t>(5 + kItems)) continue;
        CHECK(answered.insert(id).second);
    }
    CHECK(refused == 1);
    CHECK(shortOnes == 1);
    // What comes now goes as ever.
    CHECK(provider.send(name(0).c_str(), 6, EMI_UPDATE, {at(0, EMI_OPAQUE, nullptr, 0, "z")}) == EMI_OK);
    if (json) CHECK(client->next("Type", "Update").at("ID").text == "5");
    else CHECK(wire->next().msg.cls == codec::MsgClass::Update);
}

TEST_CASE("The C provider refuses what it cannot publish", "[capi][provider]") {
    emi_error error{sizeof(emi_error), 0, {}};
    emi_provider* provider = nullptr;
    for (const char* bad : {"", "-1", "65536", "x"})
        CHECK(emi_provider_open(bad, "S", sourcePath("/etc").c_str(), 0, &provider, &error) == EMI_E_ARGUMENT);
    CHECK(emi_provider_open("14002", "S", "/nowhere", 0, &provider, &error) != EMI_OK);
    CHECK(provider == nullptr);
    REQUIRE(emi_provider_open("0", "S", sourcePath("/etc").c_str(), 0, &provider, &error) == EMI_OK);
    const auto refused = [&](emi_value v) {
        return emi_provider_publish(provider, "A.X", &v, 1, &error) == EMI_E_ARGUMENT;
    };
    CHECK(refused(value("NO_SUCH_FIELD", EMI_INT)));
    CHECK(std::string(error.text).find("NO_SUCH_FIELD") != std::string::npos);
    CHECK(refused(value("BID", EMI_TEXT, 0, 0, "x")));
    CHECK(refused(value("BID", EMI_REAL, 1, 31)));
    CHECK(refused(value("DSPLY_NAME", EMI_INT, 1)));
    CHECK(refused(value(nullptr, EMI_INT, 1)));
    CHECK(emi_provider_status(provider, "A.X", EMI_PENDING, "", &error) == EMI_E_ARGUMENT);
    emi_provider_close(provider);
    emi_provider_close(nullptr);
}

TEST_CASE("A provider tells the port that it took", "[capi][provider]") {
    CProvider a, b;
    CHECK(a.port != "0");
    CHECK(a.port != b.port);
    CHECK(CConsumer(b.host()).code == EMI_OK);
    CHECK(emi_provider_port(a.handle, nullptr, &a.error) == EMI_E_ARGUMENT);
    CHECK(emi_provider_port(nullptr, nullptr, &a.error) == EMI_E_ARGUMENT);
}

TEST_CASE("Requests for unknown items wait for the program where it takes them", "[capi][provider]") {
    const bool json = GENERATE(false, true);
    const bool snapshot = GENERATE(false, true);
    CProvider provider(json);
    REQUIRE(emi_provider_take_requests(provider.handle, 1, &provider.error) == EMI_OK);
    CConsumer c(provider.host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    const auto item = c.open("A.X", snapshot ? EMI_SNAPSHOT : 0);
    const auto refused = c.open("B.X");
    std::vector<std::string> asked;
    const auto read = [&](std::size_t count, std::uint32_t domain) {
        asked.clear();
        while (asked.size() < count) {
            emi_batch* batch = nullptr;
            // The consumer sends its requests while it dispatches.
            REQUIRE(emi_consumer_dispatch(
                        c.handle, 0, [](void*, emi_message*) {}, nullptr, nullptr, &c.error) == EMI_OK);
            REQUIRE(emi_provider_next_batch(provider.handle, 50, &batch, &provider.error) == EMI_OK);
            const CBatch rows(batch);
            for (std::size_t row = 0; row < rows.view.rows; ++row) {
                CHECK(rows.view.type[row] == EMI_REQUEST);
                CHECK(rows.header(row).domain == domain);
                asked.push_back(rows.header(row).name);
            }
        }
    };
    read(2, 6);
    CHECK(asked == std::vector<std::string>{"A.X", "B.X"});
    // A state that says "good" is not sent in front of an image.
    REQUIRE(emi_provider_status(provider.handle, "A.X", EMI_CURRENT, "", &provider.error) == EMI_OK);
    provider.publish("A.X", {value("BID", EMI_REAL, 5, 14)});
    provider.publish("A.X", {value("BID", EMI_REAL, 6, 14)});
    REQUIRE(emi_provider_status(provider.handle, "B.X", EMI_CLOSED, "not here", &provider.error) == EMI_OK);
    std::vector<std::string> seen;
    const emi_message_fn keep = [](void* closure, emi_message* message) {
        auto& all = *static_cast<std::vector<std::string>*>(closure);
        all.push_back(std::to_string(emi_message_item(message)) + " type " + std::to_string(emi_message_type(message)) +
                      " state " + std::to_string(emi_message_state(message)));
        emi_value v{};
        v.size = sizeof v;
        for (int found = 0; emi_message_next_field(message, &v, &found, nullptr) == EMI_OK && found != 0;)
            all.back() += " " + std::to_string(v.i64);
    };
    REQUIRE(turnUntil([&] { return seen.size() >= (snapshot ? 2U : 3U); },
                      [&] { REQUIRE(emi_consumer_dispatch(c.handle, 50, keep, &seen, nullptr, &c.error) == EMI_OK); }));
    const auto state = std::to_string(snapshot ? EMI_COMPLETE : EMI_CURRENT);
    std::vector<std::string> expected{"1 type 1 state " + state + " 5"};
    if (!snapshot) expected.push_back("1 type 2 state " + state + " 6");
    expected.push_back("2 type 3 state " + std::to_string(EMI_CLOSED));
    CHECK(seen == expected);
    CHECK(item == 1);
    CHECK(refused == 2);
    std::size_t streams = 0;
    REQUIRE(emi_provider_streams(provider.handle, nullptr, &streams, &provider.error) == EMI_OK);
    CHECK(streams == (snapshot ? 0U : 1U));

    // Another domain is answered by send().
    std::uint64_t book = 0;
    const char* const name = "C.X";
    emi_request request{};
    request.size = sizeof request;
    request.domain = 8;
    REQUIRE(emi_consumer_request(c.handle, "DIRECT_FEED", &name, 1, &request, &book, &c.error) == EMI_OK);
    read(1, 8);
    CHECK(asked == std::vector<std::string>{"C.X"});
    seen.clear();
    CHECK(provider.send("C.X", 8, EMI_REFRESH, {at(0, EMI_MAP)}) == EMI_OK);
    REQUIRE(turnUntil([&] { return !seen.empty(); },
                      [&] { REQUIRE(emi_consumer_dispatch(c.handle, 50, keep, &seen, nullptr, &c.error) == EMI_OK); }));
    CHECK(seen == std::vector<std::string>{"3 type 1 state " + std::to_string(EMI_CURRENT)});
    // Refused again.
    REQUIRE(emi_provider_take_requests(provider.handle, 0, &provider.error) == EMI_OK);
    seen.clear();
    c.open("D.X");
    REQUIRE(turnUntil([&] { return !seen.empty(); },
                      [&] { REQUIRE(emi_consumer_dispatch(c.handle, 50, keep, &seen, nullptr, &c.error) == EMI_OK); }));
    CHECK(seen == std::vector<std::string>{"4 type 3 state " + std::to_string(EMI_CLOSED)});
    CHECK(emi_provider_take_requests(nullptr, 1, &provider.error) == EMI_E_ARGUMENT);
}

TEST_CASE("The reissue of a request that waits does not ask the program again", "[capi][provider]") {
    const bool json = GENERATE(false, true);
    const bool takes = GENERATE(false, true);  // more requests, when the reissue comes
    CProvider provider(json);
    REQUIRE(emi_provider_take_requests(provider.handle, 1, &provider.error) == EMI_OK);
    const EmaConfigFile file(
        config::consumer({}) +
        config::channel(json ? "RSSL_WEBSOCKET" : "RSSL_SOCKET",
                        config::parameter("Host", "localhost") + config::parameter("Port", provider.port)) +
        config::logger() + config::dictionary());
    std::atomic<int> fields{0};
    RecordingConsumerClient client;
    client.hook = [&](const Msg& msg, const OmmConsumerEvent&) {
        if (msg.getPayload().getDataType() != DataType::FieldListEnum) return;
        const auto& list = msg.getPayload().getFieldList();
        while (list.forth())
            ++fields;
    };
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    const auto request = [](const char* name) { return ReqMsg().serviceName("DIRECT_FEED").name(name); };
    std::vector<std::string> asked;
    const auto read = [&](std::int64_t timeoutMs) {
        emi_batch* batch = nullptr;
        REQUIRE(emi_provider_next_batch(provider.handle, timeoutMs, &batch, &provider.error) == EMI_OK);
        const CBatch rows(batch);
        for (std::size_t row = 0; row < rows.view.rows; ++row)
            asked.push_back(rows.header(row).name);
    };
    const auto handle = consumer.registerClient(request("A.X"), client);
    read(10'000);
    REQUIRE(asked == std::vector<std::string>{"A.X"});
    REQUIRE(emi_provider_take_requests(provider.handle, takes ? 1 : 0, &provider.error) == EMI_OK);
    ElementList bid;
    bid.addUInt(ENAME_VIEW_TYPE, VT_FIELD_ID_LIST)
        .addArray(ENAME_VIEW_DATA, OmmArray().addInt(22).complete())
        .complete();
    consumer.reissue(request("A.X").payload(bid), handle);
    // What becomes of the next request says that the reissue was handled.
    consumer.registerClient(request("B.X"), client);
    std::vector<std::string> seen;
    if (takes) REQUIRE(turnUntil([&] { return asked.back() == "B.X"; }, [&] { read(50); }));
    else {
        seen.emplace_back("B.X status Closed/Suspect/1");
        REQUIRE(client.wait(seen.back()));
        read(0);
    }
    CHECK(asked == (takes ? std::vector<std::string>{"A.X", "B.X"} : std::vector<std::string>{"A.X"}));
    // It waits on, with the view of the reissue.
    provider.publish("A.X", {value("BID", EMI_REAL, 5, 14), value("ASK", EMI_REAL, 6, 14)});
    seen.emplace_back("A.X refresh Open/Ok/0");
    REQUIRE(client.wait(seen.back()));
    CHECK(client.lines() == seen);
    CHECK(fields == 1);
}

}  // namespace emissary::test
