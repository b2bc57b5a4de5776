// A provider of several services: each has items of its own.
#include "capi/CProvider.h"
#include "capi/Feed.h"
#include "support/until.h"

namespace emissary::test {
namespace {

/// Listens on a port of its own; closed at the end.
struct Services {
    explicit Services(bool json) {
        const char* const names[] = {"FEED & CO", "OTHER"};
        INFO(error.text);
        REQUIRE(emi_provider_open_services("0", names, 2, sourcePath("/etc").c_str(), json ? 1 : 0, &handle, &error) ==
                EMI_OK);
    }
    ~Services() { emi_provider_close(handle); }
    Services(const Services&) = delete;
    Services& operator=(const Services&) = delete;

    int publish(const char* service, const char* item, std::int64_t bid) {
        const auto field = value("BID", EMI_REAL, bid, 14);
        return emi_provider_publish_to(handle, service, item, &field, 1, &error);
    }
    std::size_t streams(const char* service, const char* item) {
        std::size_t count = 0;
        REQUIRE(emi_provider_streams_of(handle, service, item, &count, &error) == EMI_OK);
        return count;
    }

    emi_error error{sizeof(emi_error), 0, {}};
    emi_provider* handle = nullptr;
};

/// One row, waited for: its item, type, state and BID, "1 1 1 7".
std::string next(CConsumer& c) {
    emi_batch* batch = nullptr;
    REQUIRE(emi_consumer_next_batch(c.handle, 1, 10'000, &batch, &c.error) == EMI_OK);
    const CBatch rows(batch);
    REQUIRE(rows.view.rows == 1);
    std::string bid;
    for (std::size_t i = 0; i < rows.view.columns; ++i)
        if (const auto column = rows.column(i); std::string(column.name) == "BID" && (column.validity[0] & 1) != 0)
            bid = " " + std::to_string(column.i64[0]);
    return std::to_string(rows.view.item[0]) + " " + std::to_string(rows.view.type[0]) + " " +
           std::to_string(rows.view.state[0]) + bid;
}

void keep(void* closure, const char* name, std::uint32_t id, int up) {
    *static_cast<std::string*>(closure) += std::string(name) + " " + std::to_string(id) + (up != 0 ? " up;" : " down;");
}

}  // namespace

TEST_CASE("Services of a provider have items of their own", "[capi][provider][services]") {
    const bool json = GENERATE(false, true);
    Services provider(json);
    REQUIRE(provider.publish(nullptr, "A.X", 1) == EMI_OK);
    REQUIRE(provider.publish("OTHER", "A.X", 2) == EMI_OK);
    CConsumer c("localhost:" + portOf(provider.handle), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    const auto open = [&](const char* service, const char* item) {
        std::uint64_t number = 0;
        REQUIRE(emi_consumer_open_item(c.handle, service, item, 0, &number, &c.error) == EMI_OK);
        return number;
    };
    REQUIRE(open("FEED & CO", "A.X") == 1);
    CHECK(next(c) == "1 1 1 1");
    REQUIRE(open("OTHER", "A.X") == 2);
    CHECK(next(c) == "2 1 1 2");
    CHECK(provider.streams("FEED & CO", "A.X") == 1);
    CHECK(provider.streams("OTHER", "A.X") == 1);
    CHECK(provider.streams(nullptr, "A.X") == 1);
    CHECK(provider.streams("OTHER", nullptr) == 1);
    CHECK(provider.streams(nullptr, nullptr) == 2);

    REQUIRE(provider.publish("OTHER", "A.X", 3) == EMI_OK);
    CHECK(next(c) == "2 2 1 3");
    REQUIRE(provider.publish("FEED & CO", "A.X", 4) == EMI_OK);
    CHECK(next(c) == "1 2 1 4");
    REQUIRE(emi_provider_status_of(provider.handle, "OTHER", "A.X", EMI_STALE, "late", &provider.error) == EMI_OK);
    CHECK(next(c) == "2 3 2");
    const auto map = at(0, EMI_MAP);
    REQUIRE(emi_provider_send_to(provider.handle, "OTHER", "A.X", 6, EMI_REFRESH, &map, 1, &provider.error) == EMI_OK);
    CHECK(next(c) == "2 1 1");
    REQUIRE(emi_provider_status(provider.handle, "A.X", EMI_CLOSED, "over", &provider.error) == EMI_OK);
    CHECK(next(c) == "1 3 4");
    CHECK(provider.streams(nullptr, nullptr) == 1);
}

TEST_CASE("Streams of a provider are found by their item however others come and go", "[capi][provider][services]") {
    const bool json = GENERATE(false, true);
    Services provider(json);
    const auto counts = [&] {
        std::string all;
        for (const char* const item : {"A.X", "B.X"})
            for (const char* const service : {"FEED & CO", "OTHER"})
                all += std::to_string(provider.streams(service, item)) + " ";
        return all + std::to_string(provider.streams("FEED & CO", nullptr)) + " " +
               std::to_string(provider.streams("OTHER", nullptr)) + " " +
               std::to_string(provider.streams(nullptr, nullptr));
    };
    const auto becomes = [&](const std::string& wanted) {
        const bool came = eventually([&] { return counts() == wanted; });
        INFO(counts());
        CHECK(came);
    };
    for (const char* const service : {"FEED & CO", "OTHER"})
        for (const char* const item : {"A.X", "B.X"})
            REQUIRE(provider.publish(service, item, 1) == EMI_OK);
    CHECK(counts() == "0 0 0 0 0 0 0");
    const auto open = [&](CConsumer& c, const char* service, const char* item, std::uint32_t flags = 0) {
        std::uint64_t number = 0;
        REQUIRE(emi_consumer_open_item(c.handle, service, item, flags, &number, &c.error) == EMI_OK);
        REQUIRE(next(c) == std::to_string(number) + " 1 1 1");
        return number;
    };
    CConsumer second("localhost:" + portOf(provider.handle), settingsFor(json));
    REQUIRE(second.code == EMI_OK);
    {
        CConsumer first("localhost:" + portOf(provider.handle), settingsFor(json));
        REQUIRE(first.code == EMI_OK);
        const std::uint64_t a = open(first, "OTHER", "A.X");
        open(first, "FEED & CO", "A.X");
        open(first, "OTHER", "B.X");
        open(second, "OTHER", "A.X");
        open(second, "OTHER", "B.X");
        CHECK(counts() == "1 2 0 2 1 4 5");
        REQUIRE(emi_consumer_close_item(first.handle, a, &first.error) == EMI_OK);
        becomes("1 1 0 2 1 3 4");
        REQUIRE(provider.publish("OTHER", "A.X", 2) == EMI_OK);
        CHECK(next(second) == "1 2 1 2");
        REQUIRE(provider.publish("OTHER", "B.X", 3) == EMI_OK);
        CHECK(next(first) == "3 2 1 3");
        CHECK(next(second) == "2 2 1 3");
    }
    becomes("0 1 0 1 0 2 2");  // the first has gone
    REQUIRE(emi_provider_status_of(provider.handle, "OTHER", "A.X", EMI_CLOSED, "over", &provider.error) == EMI_OK);
    CHECK(next(second) == "1 3 4");
    CHECK(counts() == "0 0 0 1 0 1 1");
    REQUIRE(provider.publish("OTHER", "A.X", 4) == EMI_OK);  // reaches nobody
    REQUIRE(provider.publish("OTHER", "B.X", 5) == EMI_OK);
    CHECK(next(second) == "2 2 1 5");
}

TEST_CASE("What comes to a provider says which service it is for", "[capi][provider][services]") {
    const bool json = GENERATE(false, true);
    Services provider(json);
    REQUIRE(emi_provider_take_requests(provider.handle, 1, &provider.error) == EMI_OK);
    CConsumer c("localhost:" + portOf(provider.handle), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    std::uint64_t item = 0;
    const auto came = [&](int type) {
        emi_batch* batch = nullptr;
        REQUIRE(emi_provider_next_batch(provider.handle, 10'000, &batch, &provider.error) == EMI_OK);
        const CBatch rows(batch);
        REQUIRE(rows.view.rows == 1);
        CHECK(rows.view.type[0] == type);
        const auto header = rows.header(0);
        return std::string(header.service) + " " + header.name;
    };
    REQUIRE(emi_consumer_open_item(c.handle, "OTHER", "A.X", 0, &item, &c.error) == EMI_OK);
    CHECK(came(EMI_REQUEST) == "OTHER A.X");
    REQUIRE(provider.publish("FEED & CO", "A.X", 1) == EMI_OK);  // another item
    REQUIRE(provider.publish("OTHER", "A.X", 2) == EMI_OK);
    CHECK(next(c) == "1 1 1 2");
    const auto fields = at(0, EMI_FIELD_LIST);
    emi_post post{};
    post.size = sizeof post;
    REQUIRE(emi_consumer_post(c.handle, item, nullptr, nullptr, &post, &fields, 1, &c.error) == EMI_OK);
    CHECK(came(EMI_POST) == "OTHER A.X");
    REQUIRE(emi_consumer_post(c.handle, 0, "FEED & CO", "B.X", &post, &fields, 1, &c.error) == EMI_OK);
    CHECK(came(EMI_POST) == "FEED & CO B.X");
    REQUIRE(emi_consumer_generic(c.handle, item, &fields, 1, &c.error) == EMI_OK);
    CHECK(came(EMI_GENERIC) == "OTHER A.X");
}

TEST_CASE("Services are numbered in their order; wrong ones are refused", "[capi][provider][services]") {
    Services provider(false);
    {
        CConsumer c("localhost:" + portOf(provider.handle));
        REQUIRE(c.code == EMI_OK);
        std::string services;
        REQUIRE(emi_consumer_services(c.handle, 10'000, keep, &services, &c.error) == EMI_OK);
        CHECK(services == "FEED & CO 1 up;OTHER 2 up;");
    }
    CHECK(provider.publish("NONE", "A.X", 1) == EMI_E_ARGUMENT);
    CHECK(std::string(provider.error.text) == "no service is called 'NONE'; there is FEED & CO, OTHER");
    CHECK(provider.publish("OTHER", "", 1) == EMI_E_ARGUMENT);
    CHECK(provider.publish("OTHER", nullptr, 1) == EMI_E_ARGUMENT);
    const auto map = at(0, EMI_MAP);
    CHECK(emi_provider_send_to(provider.handle, "NONE", "A.X", 6, EMI_REFRESH, &map, 1, nullptr) == EMI_E_ARGUMENT);
    CHECK(emi_provider_status_of(provider.handle, "NONE", "A.X", EMI_STALE, "", nullptr) == EMI_E_ARGUMENT);
    std::size_t count = 0;
    CHECK(emi_provider_streams_of(provider.handle, "NONE", nullptr, &count, nullptr) == EMI_E_ARGUMENT);

    emi_provider* none = nullptr;
    emi_error error{sizeof(emi_error), 0, {}};
    const auto refused = [&](std::vector<const char*> names) {
        CHECK(emi_provider_open_services("0", names.data(), names.size(), sourcePath("/etc").c_str(), 0, &none,
                                         &error) == EMI_E_ARGUMENT);
        CHECK(none == nullptr);
        return std::string(error.text);
    };
    CHECK(refused({"A", "B", "A"}) == "service A is named twice");
    CHECK(refused({"A", ""}) == "the name of the service is empty");
    CHECK(refused({"A", nullptr}) == "service is null");
    CHECK(refused(std::vector<const char*>(1001, "A")) == "1001 services; a provider has 1 to 1000");
    CHECK(emi_provider_open_services("0", nullptr, 1, sourcePath("/etc").c_str(), 0, &none, &error) == EMI_E_ARGUMENT);
}

}  // namespace emissary::test
