// Answers of service discovery, and the endpoint that a session takes (credentials.md 4).
#include "rest/discovery.h"
#include "rest/form.h"
#include "support/catch.hpp"

#include <string>

using namespace emissary::rest;

namespace {

[[nodiscard]] std::vector<ServiceEndpoint> read(const std::string& body) {
    Secret text(body);
    std::vector<ServiceEndpoint> services;
    const auto refused = readServices(text, services);
    INFO(refused.text);
    REQUIRE_FALSE(refused);
    return services;
}

[[nodiscard]] std::string refusalOfList(const std::string& body) {
    Secret text(body);
    std::vector<ServiceEndpoint> services;
    return readServices(text, services).text;
}

}  // namespace

TEST_CASE("a service list", "[rest][discovery]") {
    const auto all = read(R"({"x":1,"services":[)"
                          R"({"endpoint":"a","port":14002,"location":["us-east-1a",7,"us-east-1b"],"provider":"aws",)"
                          R"("transport":"tcp","dataFormat":["rwf"],"more":{"y":[2]}},)"
                          R"({"endpoint":"b","port":"443","location":null,"transport":"websocket"},{},9]})");
    REQUIRE(all.size() == 3);
    CHECK(all[0].endpoint == "a");
    CHECK(all[0].port == "14002");
    CHECK(all[0].locations == std::vector<std::string>{"us-east-1a", "us-east-1b"});
    CHECK(all[0].dataFormats == std::vector<std::string>{"rwf"});
    CHECK(all[1].port == "443");
    CHECK(all[1].locations.empty());
    CHECK(all[1].dataFormats.empty());
    CHECK(all[2].endpoint.empty());
    CHECK(read(R"({"services":[]})").empty());
    CHECK(refusalOfList("{}") == "the answer of service discovery has no array 'services'");
    CHECK(refusalOfList(R"({"services":{}})") == "the answer of service discovery has no array 'services'");
    CHECK(refusalOfList("<html>") == "the answer of service discovery is no JSON object");
    const std::string whole = R"({"services":[{"endpoint":"a","port":1,"location":["x"]}]})";
    for (std::size_t n = 0; n < whole.size(); ++n)
        CHECK_FALSE(refusalOfList(whole.substr(0, n)).empty());
}

TEST_CASE("the endpoint of a session", "[rest][discovery]") {
    const auto all =
        read(R"({"services":[)"
             R"({"endpoint":"ws","port":1,"location":["us-east-1a","us-east-1b"],"transport":"websocket"},)"
             R"({"endpoint":"one","port":1,"location":["us-east-1a"],"transport":"tcp"},)"
             R"({"endpoint":"two","port":1,"location":["us-east-1a","us-east-1b"],"transport":"tcp"},)"
             R"({"endpoint":"three","port":1,"location":["us-east-1a","b","c"],"transport":"tcp"},)"
             R"({"endpoint":"eu","port":1,"location":["eu-west-1a"],"transport":"tcp"},)"
             R"({"endpoint":"","port":1,"location":["ap-1a","ap-1b"],"transport":"tcp"},)"
             R"({"endpoint":"noport","location":["ap-1a","ap-1b"],"transport":"tcp"}]})");
    const auto chosen = [&](const char* transport, const char* location) {
        const ServiceEndpoint* s = chooseService(all, transport, location);
        return s == nullptr ? std::string("none") : s->endpoint;
    };
    CHECK(chosen("tcp", "us-east-1") == "two");       // several zones go before one, in order
    CHECK(chosen("websocket", "us-east-1") == "ws");  // the transport counts
    CHECK(chosen("tcp", "eu-west") == "eu");          // one zone will do
    CHECK(chosen("tcp", "us-east-1b") == "none");     // the first location counts
    CHECK(chosen("tcp", "US-EAST") == "none");        // letter by letter
    CHECK(chosen("tcp", "ap-") == "none");            // without endpoint or port
    CHECK(chosen("tcp", "") == "two");
}

TEST_CASE("an endpoint that cannot be connected to is passed over", "[rest][discovery]") {
    const auto chosen = [](const std::string& endpoint, const std::string& port) {
        const auto all = read(R"({"services":[{"endpoint":")" + endpoint + R"(","port":)" + port +
                              R"(,"location":["a","b"],"transport":"tcp"},)"
                              R"({"endpoint":"good","port":1,"location":["a"],"transport":"tcp"}]})");
        const ServiceEndpoint* s = chooseService(all, "tcp", "a");
        REQUIRE(s != nullptr);
        return s->endpoint + ':' + s->port;
    };
    CHECK(chosen("h", "65535") == "h:65535");
    CHECK(chosen("h", R"("443")") == "h:443");
    for (const char* port : {"0", "65536", R"("0")", R"("65536")", R"("44x")", R"(" 443")", R"("-1")", R"("https")",
                             R"("443\r\nX: 1")", "18446744073709551615"})
        CHECK(chosen("h", port) == "good:1");
    // A proxy is asked for it in a header line.
    for (const char* host : {R"(h\r\nX: 1)", "h h", R"(\u0000)", R"(h\u007F)", "h\xC3\xB6"})
        CHECK(chosen(host, "1") == "good:1");
}

TEST_CASE("queries are added to URLs", "[rest][discovery]") {
    CHECK(withQuery("https://h/p/", "transport", "tcp") == "https://h/p/?transport=tcp");
    CHECK(withQuery("https://h/p?a=1", "transport", "a b&") == "https://h/p?a=1&transport=a%20b%26");
}
