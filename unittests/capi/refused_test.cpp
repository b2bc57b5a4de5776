// What the C interface refuses: bad arguments, wrong places and threads, and connections that cannot be.
#include "capi/CProvider.h"
#include "capi/Feed.h"
#include "capi/ThreadedRelay.h"

#include <algorithm>
#include <string_view>
#include <thread>

namespace emissary::test {

TEST_CASE("The C interface tells its version", "[capi]") {
    CHECK(std::string(emi_version()).find('.') != std::string::npos);
    CHECK(emi_interface_version() == EMI_INTERFACE_VERSION);
}

TEST_CASE("Bad settings are refused with the setting's name", "[capi]") {
    emi_error error{sizeof(emi_error), 0, {}};
    emi_config* config = emi_config_new();
    CHECK(emi_config_set(config, "colour", "red", &error) == EMI_E_ARGUMENT);
    CHECK(std::string(error.text) ==
          "no setting is called 'colour'; there are host, user, password, position, application_id, client_id, "
          "client_secret, consumer_name, login_timeout_ms, dispatch_max, enum_texts and websocket");
    for (const char* bad : {"", "-1", "4294967296", "5s"}) {
        CHECK(emi_config_set(config, "login_timeout_ms", bad, &error) == EMI_E_ARGUMENT);
        CHECK(std::string(error.text).find("login_timeout_ms") == 0);
    }
    CHECK(emi_config_set(config, "dispatch_max", "0", &error) == EMI_E_ARGUMENT);
    CHECK(emi_config_set(config, "websocket", "tls", &error) == EMI_E_ARGUMENT);
    CHECK(emi_config_set(nullptr, "host", "x", &error) == EMI_E_ARGUMENT);
    CHECK(emi_config_file(config, "", &error) == EMI_E_ARGUMENT);
    CHECK(emi_config_set(config, "host", nullptr, nullptr) == EMI_E_ARGUMENT);  // without an error to fill
    emi_consumer* consumer = nullptr;
    REQUIRE(emi_config_file(config, "/nowhere/EmaConfig.xml", &error) == EMI_OK);
    CHECK(emi_consumer_open(config, &consumer, &error) == EMI_E_CONFIGURATION);
    CHECK(std::string(error.text).find("/nowhere/EmaConfig.xml") != std::string::npos);
    CHECK(consumer == nullptr);
    emi_config_free(config);
    emi_config_free(nullptr);
}

TEST_CASE("A login that is refused, and a host where nobody listens, differ", "[capi]") {
    {
        Feed feed;
        CConsumer refused(feed.host(), {{"user", "nobody"}});
        CHECK(refused.code == EMI_E_CREDENTIALS);
        CHECK(std::string(refused.error.text).find("nobody is not known here") != std::string::npos);
        CHECK(refused.handle == nullptr);
    }
    CConsumer nowhere("localhost:1", {{"login_timeout_ms", "200"}});
    CHECK(nowhere.code == EMI_E_CONNECTION);
    CHECK(std::string(nowhere.error.text) != "");
}

TEST_CASE("A configuration text names the channel", "[capi]") {
    Feed feed;
    const std::string port = feed.host().substr(feed.host().find(':') + 1);
    const std::string xml =
        R"(<EmaConfig><ConsumerGroup><DefaultConsumer value="C"/><ConsumerList><Consumer><Name value="C"/><Channel value="Ch"/>)"
        R"(</Consumer></ConsumerList></ConsumerGroup><ChannelGroup><ChannelList><Channel><Name value="Ch"/>)"
        R"(<ChannelType value="ChannelType::RSSL_SOCKET"/><Host value="localhost"/><Port value=")" +
        port + R"("/></Channel></ChannelList></ChannelGroup></EmaConfig>)";
    emi_error error{sizeof(emi_error), 0, {}};
    emi_config* config = emi_config_new();
    emi_consumer* consumer = nullptr;
    REQUIRE(emi_config_text(config, xml.c_str(), &error) == EMI_OK);
    INFO(error.text);
    CHECK(emi_consumer_open(config, &consumer, &error) == EMI_OK);
    CHECK(emi_consumer_close(consumer, &error) == EMI_OK);
    REQUIRE(emi_config_text(config, "<EmaConfig>", &error) == EMI_OK);
    CHECK(emi_consumer_open(config, &consumer, &error) == EMI_E_CONFIGURATION);
    emi_config_free(config);
}

TEST_CASE("Items and columns that cannot be are refused", "[capi]") {
    Feed feed;
    CConsumer c(feed.host());
    REQUIRE(c.code == EMI_OK);
    std::uint64_t item = 0;
    CHECK(emi_consumer_open_item(c.handle, "", "A", 0, &item, &c.error) == EMI_E_ARGUMENT);
    CHECK(emi_consumer_open_item(c.handle, "DIRECT_FEED", "", 0, &item, &c.error) == EMI_E_ARGUMENT);
    CHECK(emi_consumer_open_item(c.handle, "DIRECT_FEED", "A", 64, &item, &c.error) == EMI_E_ARGUMENT);
    CHECK(emi_consumer_close_item(c.handle, 0, &c.error) == EMI_E_ITEM);
    CHECK(emi_consumer_close_item(c.handle, 99, &c.error) == EMI_E_ITEM);
    const auto open = c.open("A.X");
    CHECK(emi_consumer_close_item(c.handle, open, &c.error) == EMI_OK);
    CHECK(emi_consumer_close_item(c.handle, open, &c.error) == EMI_E_ITEM);
    const char* twice[] = {"BID", "BID"};
    CHECK(emi_consumer_columns(c.handle, twice, 2, &c.error) == EMI_E_ARGUMENT);
    const char* far[] = {"40000"};
    CHECK(emi_consumer_columns(c.handle, far, 1, &c.error) == EMI_E_ARGUMENT);
    emi_batch* batch = nullptr;
    CHECK(emi_consumer_next_batch(c.handle, 0, 0, &batch, &c.error) == EMI_E_ARGUMENT);
    emi_view small{};
    REQUIRE(emi_consumer_next_batch(c.handle, 1, 0, &batch, &c.error) == EMI_OK);
    CHECK(emi_batch_view(batch, &small, &c.error) == EMI_E_ARGUMENT);  // size is 0
    emi_batch_free(batch);
    char* text = nullptr;
    CHECK(emi_consumer_metrics(c.handle, "yaml", &text, &c.error) == EMI_E_ARGUMENT);
    REQUIRE(emi_consumer_metrics(c.handle, "prometheus", &text, &c.error) == EMI_OK);
    CHECK(std::string(text).find("emissary_channel_bytes_read_total") != std::string::npos);
    emi_text_free(text);
}

namespace {

/// The name of this service is blank when its directory arrives.
constexpr std::string_view kBlanked = "BLANKED_ONE";

void blankTheName(char* bytes, std::size_t count) {
    std::string_view all(bytes, count);
    const auto become = [&](const std::string& from, std::string_view to) {
        REQUIRE(from.size() == to.size());
        if (const auto at = all.find(from); at != std::string_view::npos) std::copy(to.begin(), to.end(), bytes + at);
    };
    // In JSON. On the wire: name, type 17, length, text; in the place of the text comes an element with a blank of its
    // own.
    become('"' + std::string(kBlanked) + '"', "\"\"           ");
    become(std::string("Name\x11\x0B") + std::string(kBlanked),
           std::string_view("Name\x11\x00\x08nobody's\x11\x00", 17));
}

void note(void* closure, const char* name, uint32_t id, int up) {
    *static_cast<std::string*>(closure) += std::string(name) + " " + std::to_string(id) + (up != 0 ? " up;" : " down;");
}

}  // namespace

TEST_CASE("A service whose name is blank costs no other", "[capi]") {
    const bool json = GENERATE(false, true);
    const char* names[] = {"FIRST", kBlanked.data(), "LAST"};
    emi_error error{sizeof(emi_error), 0, {}};
    emi_provider* provider = nullptr;
    REQUIRE(emi_provider_open_services("0", names, 3, sourcePath("/etc").c_str(), json ? 1 : 0, &provider, &error) ==
            EMI_OK);
    {
        ThreadedRelay wire(static_cast<std::uint16_t>(std::stoi(portOf(provider))), blankTheName);
        CConsumer c(wire.host(), settingsFor(json));
        INFO(c.error.text);
        REQUIRE(c.code == EMI_OK);
        std::string seen;
        REQUIRE(emi_consumer_services(c.handle, 10'000, note, &seen, &c.error) == EMI_OK);
        CHECK(seen == "FIRST 1 up; 2 up;LAST 3 up;");
    }
    emi_provider_close(provider);
}

TEST_CASE("The services of a provider are listed while no item is open", "[capi]") {
    const bool json = GENERATE(false, true);
    Feed feed(json ? R"(<ServerType value="ServerType::RSSL_WEBSOCKET"/>)" : "");
    CConsumer c(feed.host(), {{"websocket", json ? "json" : ""}});
    REQUIRE(c.code == EMI_OK);
    std::string seen;
    const auto call = [](void* closure, const char* name, uint32_t id, int up) {
        *static_cast<std::string*>(closure) +=
            std::string(name) + " " + std::to_string(id) + (up != 0 ? " up;" : " down;");
    };
    INFO(c.error.text);
    REQUIRE(emi_consumer_services(c.handle, 10'000, call, &seen, &c.error) == EMI_OK);
    CHECK(seen == "DIRECT_FEED 1 up;");
    CHECK(emi_consumer_services(c.handle, 0, call, &seen, &c.error) == EMI_E_ARGUMENT);
    CHECK(emi_consumer_services(c.handle, 1, nullptr, &seen, &c.error) == EMI_E_ARGUMENT);
    const auto item = c.open("EMI.X");
    CHECK(emi_consumer_services(c.handle, 10'000, call, &seen, &c.error) == EMI_E_USAGE);
    REQUIRE(emi_consumer_close_item(c.handle, item, &c.error) == EMI_OK);
    CHECK(emi_consumer_services(c.handle, 10'000, call, &seen, &c.error) == EMI_OK);
    CHECK(seen == "DIRECT_FEED 1 up;DIRECT_FEED 1 up;");
}

TEST_CASE("A second thread and a callback are refused what they may not do", "[capi]") {
    Feed feed;
    CConsumer c(feed.host());
    REQUIRE(c.code == EMI_OK);
    c.open("EMI.X");
    struct Context {
        emi_consumer* consumer;
        int nested = 0, closed = 0, other = 0, opened = -1;
        bool came = false;
    } context{c.handle};
    const auto call = [](void* closure, emi_message*) {
        auto& at = *static_cast<Context*>(closure);
        at.came = true;
        emi_batch* batch = nullptr;
        std::uint64_t item = 0;
        at.nested = emi_consumer_next_batch(at.consumer, 1, 0, &batch, nullptr);
        at.closed = emi_consumer_close(at.consumer, nullptr);
        at.opened = emi_consumer_open_item(at.consumer, "DIRECT_FEED", "B.X", 0, &item, nullptr);
        std::thread([&] { at.other = emi_consumer_close(at.consumer, nullptr); }).join();
    };
    REQUIRE(
        turnUntil([&] { return context.came; },
                  [&] { REQUIRE(emi_consumer_dispatch(c.handle, 50, call, &context, nullptr, nullptr) == EMI_OK); }));
    CHECK(context.nested == EMI_E_USAGE);
    CHECK(context.closed == EMI_E_USAGE);
    CHECK(context.opened == EMI_OK);
    CHECK(context.other == EMI_E_BUSY);
}

}  // namespace emissary::test
