// Counts of real consumers and providers, through the public header and over HTTP.
#include "ema/session/consumer/SessionTest.h"
#include "ema/session/niprovider/NiProviderTest.h"
#include "ema/session/provider/ProviderTest.h"
#include "emissary/metrics.h"
#include "reactor/http/HttpServer.h"
#include "session/extensions/counts_catalogue.h"
#include "support/free_port.h"
#include "support/http_get.h"
#include "support/until.h"

#include <set>
#include <sstream>

using namespace emissary::test;

namespace {

[[nodiscard]] std::string metricsPort(std::uint16_t port) {
    return "<MetricsPort value=\"" + std::to_string(port) + "\"/>";
}

/// Names that the list of all counts does not have.
[[nodiscard]] std::set<std::string> unknownNames(const emissary::MetricsSnapshot& snapshot) {
    std::set<std::string> names;
    std::istringstream lines(snapshot.text());
    for (std::string line; std::getline(lines, line);)
        names.insert(line.substr(0, line.find_first_of("{ ")));
    CHECK(names.size() > 30);
    for (const auto& group : emissary::ema::countGroups())
        for (const auto& row : group.rows)
            names.erase(row.name);
    return names;
}

}  // namespace

TEST_CASE("Counts of a consumer and its provider", "[ema][metrics]") {
    const ConfigFile providerFile;
    RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(providerFile.path()), app);
    const std::uint16_t port = emissary::ema::ProviderAccess::port(provider);
    const ConsumerConfigFile file(port);
    RecordingConsumerClient client;
    emissary::MetricsSnapshot after;
    {
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        const emissary::MetricsSnapshot before = emissary::metrics(consumer);
        const UInt64 handle = consumer.registerClient(item("IBM.N"), client);
        CHECK(client.wait("IBM.N refresh Open/Ok/0"));
        after = emissary::metrics(consumer);
        CHECK(after.value("emissary_consumer_open_streams") == 1u);
        CHECK(after.value("emissary_consumer_connects_total") == 1u);
        CHECK(*after.value("emissary_channel_messages_read_total") ==
              *before.value("emissary_channel_messages_read_total") + 1);
        CHECK(*after.value("emissary_channel_bytes_written_total") >
              *before.value("emissary_channel_bytes_written_total"));
        CHECK(after.prometheus().find("emissary_channel_messages_read_total{instance=\"Consumer_") !=
              std::string::npos);
        CHECK(after.text().find("channel=\"127.0.0.1:" + std::to_string(port) + "\"} ") != std::string::npos);
        CHECK(after.json().find("\"role\":\"consumer\"") != std::string::npos);
        CHECK_FALSE(after.value("emissary_no_such_count").has_value());
        CHECK(unknownNames(after).empty());

        const emissary::MetricsSnapshot served = emissary::metrics(provider);
        CHECK(served.value("emissary_provider_clients") == 1u);
        CHECK(served.value("emissary_provider_requests_total") >= 2u);
        CHECK(served.value("emissary_server_accepted_total") == 1u);
        CHECK(served.value("emissary_server_handshakes_total") == 1u);
        CHECK(served.text().find("channel=\"accepted\"} ") != std::string::npos);
        CHECK(served.text().find("emissary_queue_capacity{instance=\"Provider_") != std::string::npos);
        CHECK(unknownNames(served).empty());
        consumer.unregister(handle);
    }
    SECTION("stay in a snapshot when the instance has gone, and in the provider when the connection has") {
        CHECK(after.value("emissary_consumer_open_streams") == 1u);
        emissary::MetricsSnapshot served = emissary::metrics(provider);
        CHECK(eventually([&] {
            served = emissary::metrics(provider);
            return served.value("emissary_provider_clients") == 0u;
        }));
        CHECK(served.value("emissary_provider_clients_lost_total") == 1u);
        CHECK(*served.value("emissary_channel_messages_written_total") >= 3);
    }
    SECTION("may be read inside a callback") {
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        std::atomic<std::uint64_t> seen{0};
        client.hook = [&](const Msg&, const OmmConsumerEvent&) {
            seen = emissary::metrics(consumer).value("emissary_consumer_open_streams").value_or(0);
        };
        consumer.registerClient(item("TRI.N"), client);
        CHECK(client.wait("TRI.N refresh Open/Ok/0"));
        CHECK(seen == 1);
    }
}

TEST_CASE("Counts of a non-interactive provider", "[ema][metrics]") {
    NiAcceptor acceptor{NiAcceptor::Run::thread};
    const NiConfigFile file;
    OmmProvider provider(OmmNiProviderConfig(file.path()).host(hostOf(acceptor)).username("me"));
    FieldList fields;
    fields.addReal(22, 3391, OmmReal::ExponentNeg2Enum).complete();
    provider.submit(RefreshMsg()
                        .name("IBM.N")
                        .serviceName("TEST_NI_PUB")
                        .complete(true)
                        .state(OmmState::OpenEnum, OmmState::OkEnum)
                        .payload(fields),
                    5);
    const emissary::MetricsSnapshot s = emissary::metrics(provider);
    CHECK(s.value("emissary_niprovider_open_items") == 1u);
    CHECK(s.value("emissary_niprovider_connects_total") == 1u);
    CHECK(unknownNames(s).empty());
}

TEST_CASE("An instance that did not start has no counts", "[ema][metrics]") {
    const ConfigFile file("", "/no/such/dictionary");
    RecordingErrors errors;
    RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(file.path()), app, errors);
    CHECK(emissary::metrics(provider).text() == emissary::MetricsSnapshot().text());
    CHECK(emissary::MetricsSnapshot().text().empty());
    CHECK_FALSE(emissary::MetricsSnapshot().value("emissary_loop_stalls_total").has_value());
}

TEST_CASE("MetricsPort serves the counts while traffic flows", "[ema][metrics][threads]") {
    const auto providerPort = static_cast<std::uint16_t>(freePort());
    const ConfigFile providerFile(metricsPort(providerPort));
    RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(providerFile.path()), app);
    const auto consumerPort = static_cast<std::uint16_t>(freePort());
    const ConsumerConfigFile file(emissary::ema::ProviderAccess::port(provider), metricsPort(consumerPort));
    RecordingConsumerClient client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    const UInt64 handle = consumer.registerClient(item("IBM.N"), client);
    REQUIRE(client.wait("IBM.N refresh Open/Ok/0"));
    const UInt64 published = app.at(2).handle;  // after the login

    std::atomic<bool> stop{false};
    std::thread traffic([&] {
        FieldList fields;
        fields.addReal(22, 3391, OmmReal::ExponentNeg2Enum).complete();
        while (!stop) {
            try {
                provider.submit(UpdateMsg().payload(fields), published);
            } catch (const OmmInvalidUsageException&) {}  // the output is full
        }
    });
    std::uint64_t last = 0;
    const std::string messages = "emissary_channel_messages_read_total";
    for (int i = 0; i < 10; ++i) {
        const std::string page = httpGet(consumerPort, "/metrics");
        REQUIRE(page.rfind("HTTP/1.1 200 OK\r\n", 0) == 0);
        REQUIRE(page.find("\n# TYPE emissary_loop_turn_seconds histogram\n") != std::string::npos);
        const auto at = page.find("\n" + messages + "{");
        REQUIRE(at != std::string::npos);
        const std::uint64_t now = std::stoull(page.substr(page.find("} ", at) + 2));
        CHECK(now >= last);
        last = now;
        REQUIRE(httpGet(providerPort, "/metrics.json").rfind("HTTP/1.1 200 OK\r\n", 0) == 0);
        CHECK(emissary::metrics(provider).value("emissary_provider_clients") == 1u);
    }
    CHECK(client.wait("IBM.N update", 100));
    CHECK(httpGet(consumerPort, "/metrics.txt").find("emissary_consumer_open_streams{instance=\"Consumer_") !=
          std::string::npos);
    CHECK(httpGet(providerPort, "/healthz").find("\r\n\r\nok\n") != std::string::npos);
    stop = true;
    traffic.join();
    consumer.unregister(handle);
}

TEST_CASE("A MetricsPort that cannot be used is a configuration error that names it", "[ema][metrics]") {
    const emissary::reactor::HttpServer holder(
        {}, [](const emissary::reactor::HttpRequest&) { return emissary::reactor::HttpReply{}; });
    const std::string wanted = "MetricsPort " + std::to_string(holder.port()) + " cannot be used";
    const ConfigFile file(metricsPort(holder.port()));
    RecordingClient app;
    const std::string text = thrown([&] { const OmmProvider provider(OmmIProviderConfig(file.path()), app); });
    CHECK(text.rfind("OmmInvalidConfigurationException", 0) == 0);
    CHECK(text.find(wanted) != std::string::npos);
    CHECK(text.find("in use") != std::string::npos);

    for (const char* number : {"65536", "4294967296"}) {
        const ConfigFile beyond("<MetricsPort value=\"" + std::string(number) + "\"/>");
        const std::string why = thrown([&] { const OmmProvider provider(OmmIProviderConfig(beyond.path()), app); });
        CHECK(why.rfind("OmmInvalidConfigurationException", 0) == 0);
        CHECK(why.find("MetricsPort [" + std::string(number) + "] is no port") != std::string::npos);
    }

    ProviderThread peer;
    const ConsumerConfigFile consumerFile(peer.port(), metricsPort(holder.port()));
    CHECK(thrown([&] { const OmmConsumer consumer(OmmConsumerConfig(consumerFile.path())); }).find(wanted) !=
          std::string::npos);
}
