// What JSON clients send and nobody can read: what it costs them, and what it does not.
#include "json_clients.h"

#include <ctime>

using namespace emissary::test;
using namespace emissary;

TEST_CASE("a bad message is answered with an Error, and the others of its text are served", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    answerItems(f);
    TextClient c = loggedIn(f);
    c.send(R"({"ID":10,"Key":{"Name":"A","Service":1}},{"ID":12,"Key":{"Name":"A","Service":"NO_SUCH"}},)"
           R"({"ID":13,"Type":"Nope"},{"ID":10,"Type":"Post","Ack":true,"PostID":1,"Fields":{"NO_FIELD":1}},)"
           R"({"ID":10,"Type":"Post","Ack":true,"PostID":2,"Fields":{"BID":1}},{"ID":14,"Key":{"Name":"B"},"Qos":1},)"
           R"({"ID":15,"Key":{"Name":"C","Service":1}},{"Type":"Ping"})");
    CHECK(c.next().at("ID").text == "10");
    const std::vector<std::pair<std::string, std::string>> refused{
        {"12", "[1].Key.Service"}, {"13", "[2].Type"}, {"10", "[3].Fields.NO_FIELD"}, {"14", "[5].Qos"}};
    for (const auto& [id, place] : refused) {
        const Json error = c.next();
        CHECK(error.at("Type").text == "Error");
        CHECK(error.at("ID").text == id);
        CHECK_THAT(error.at("Text").text, Catch::EndsWith(" at " + place));
    }
    CHECK(c.next().at("ID").text == "15");
    CHECK(c.next().at("Type").text == "Pong");
    REQUIRE(f.app.refused.size() == refused.size());
    CHECK_THAT(f.app.refused[0], Catch::Contains("UnexpectedValue") && Catch::Contains("NO_SUCH"));
    CHECK(f.app.count(Told::What::post) == 1);
    CHECK(f.app.downs.empty());
}

TEST_CASE("of one text a hundred bad messages are answered, and the good ones behind them served", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    answerItems(f);
    TextClient c = loggedIn(f);
    std::string text;
    for (int i = 0; i < 500; ++i)
        text += "{},";
    c.send(text + R"({"ID":15,"Key":{"Name":"C","Service":1}})");
    for (int i = 0; i < 100; ++i)
        CHECK(c.next().at("Type").text == "Error");
    CHECK(c.next().at("ID").text == "15");
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
    CHECK_THAT(c.channel().errorText(), Catch::Contains("WebSocket 1007 ") && Catch::Contains("ParseError"));
}

TEST_CASE("an Error of the peer is told, never answered, and ends the connection", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    TextClient c = loggedIn(f);
    c.send(R"({"ID":10,"Type":"Error","Text":"I do not like it"})");
    c.untilClosed();
    REQUIRE(f.app.downs.size() == 1);
    CHECK_THAT(f.app.downs[0], Catch::Contains("stream 10: I do not like it"));
    CHECK_THAT(c.channel().errorText(), Catch::Contains("WebSocket 1000 "));
}

TEST_CASE("before its login a client that sends what cannot be converted is cut off", "[reactor][json][guard]") {
    ProviderFixture f(jsonProvider());
    TextClient c = textClient(f);
    c.send(R"({"ID":12,"Key":{"Name":"A","Service":"NO_SUCH"}})");
    CHECK(c.next().at("Type").text == "Error");
    c.untilClosed();
    CHECK_THAT(c.channel().errorText(), Catch::Contains("WebSocket 1008 "));
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

TEST_CASE("a text of bad messages ends at the limit, and is looked through for secrets once",
          "[reactor][json][guard]") {
    const auto spent = [](ProviderFixture& f, const char* message, bool ends) {
        TextClient c = loggedIn(f);
        std::string text;
        for (int i = 0; i < 100'000; ++i)
            text += message;
        const std::clock_t before = std::clock();
        c.send(text + R"({"Type":"Ping"})");
        if (ends) c.untilClosed();
        else CHECK(c.next().at("Type").text == "Pong");
        return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    };
    ProviderFixture f(jsonProvider());
    const double good = spent(f, R"({"Type":"Pong"},)", false);
    // A thousand are tolerated. Looking through the whole text for each of them took a hundred times as long.
    const double bad = spent(f, R"({"Other":"Pong"},)", true);
    CHECK(f.role->counters().refusalLimits == 1);
    INFO("good " << good << " s, bad " << bad << " s");
    CHECK(bad < 10 * good + 0.1);
}
