// Long arrays of messages: read over several turns, in order, and given up with their connection.
#include "json_clients.h"

using namespace emissary::test;
using namespace emissary;

namespace {

constexpr std::size_t kTextOfTurn = 64u << 10;  // of JsonLayer

std::string request(std::size_t id) {
    return R"({"ID":)" + std::to_string(id) + R"(,"Key":{"Name":"A_NAME_OF_AN_ITEM_)" + std::to_string(id) +
           R"(","Service":"DIRECT_FEED"}})";
}

/// Requests with these ids and commas between.
std::string requests(std::size_t first, std::size_t count) {
    std::string text;
    for (std::size_t id = first; id < first + count; ++id)
        text += (text.empty() ? "" : ",") + request(id);
    return text;
}

std::vector<std::int32_t> requested(const ProviderFixture& f) {
    std::vector<std::int32_t> streams;
    for (const Told& t : f.app.told)
        if (t.what == Told::What::request && t.msg.domain == 6) streams.push_back(t.msg.streamId);
    return streams;
}

}  // namespace

TEST_CASE("one long text is read over several turns, and other clients between them", "[reactor][json]") {
    constexpr std::size_t kCount = 5000;
    ProviderFixture f(jsonProvider());
    TextClient c = loggedIn(f), other = loggedIn(f);
    const std::string text = requests(10, kCount);
    REQUIRE(text.size() > 5 * kTextOfTurn);
    c.send(text);
    while (requested(f).size() == 0)
        f.turn();
    other.send(R"({"Type":"Ping"})");
    std::size_t before = requested(f).size(), most = 0, atPong = 0;
    REQUIRE(before < kCount / 2);
    for (int turns = 0; before < kCount; ++turns) {
        REQUIRE(turns < 100'000);
        f.turn();
        if (atPong == 0 && other.ready()) atPong = before;
        const std::size_t now = requested(f).size();
        most = std::max(most, now - before);
        before = now;
    }
    CHECK(most <= kTextOfTurn / request(10).size() + 1);
    CHECK(atPong != 0);
    const auto streams = requested(f);
    for (std::size_t i = 0; i < kCount; ++i)
        REQUIRE(streams[i] == static_cast<std::int32_t>(10 + i));
    c.send(R"({"Type":"Ping"})");
    CHECK(c.next().at("Type").text == "Pong");
}

TEST_CASE("a bad message of a long text costs itself, and its place is named", "[reactor][json]") {
    constexpr std::size_t kHalf = 1000;
    ProviderFixture f(jsonProvider());
    answerItems(f);
    TextClient c = loggedIn(f);
    c.send(requests(10, kHalf) + R"(,{"ID":5,"Key":{"Name":"A","Service":"NO_SUCH"}},[{"ID":6}],7,)" +
           requests(10 + kHalf, kHalf));
    for (const auto& [id, place] : std::vector<std::pair<std::string, std::string>>{
             {"5", "at [1000].Key.Service"}, {"0", "at [1001]"}, {"0", "at [1002]"}}) {
        const Json error = c.next("Type", "Error");
        CHECK(error.at("ID").text == id);
        CHECK_THAT(error.at("Text").text, Catch::EndsWith(place));
    }
    CHECK(c.next("ID", std::to_string(9 + 2 * kHalf)).at("Type").text == "Refresh");
    CHECK(requested(f).size() == 2 * kHalf);
    CHECK(f.app.downs.empty());
}

TEST_CASE("a long text that is no JSON from some place on ends the connection there", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    TextClient c = loggedIn(f);
    const std::string fault = GENERATE(as<std::string>(), "{\"ID\":5,}", "{\"ID\":\"\x01\"}", "{}}", "");
    c.send(requests(10, 1000) + "," + fault + "," + requests(1010, 1000));
    c.untilClosed();
    CHECK_THAT(c.channel().errorText(), Catch::Contains("WebSocket 1007 "));
    CHECK(requested(f).size() == 1000);
    REQUIRE(f.app.downs.size() == 1);
    TextClient next = loggedIn(f);
    next.send(R"({"Type":"Ping"})");
    CHECK(next.next().at("Type").text == "Pong");
}

TEST_CASE("what is left of a long text dies with its connection", "[reactor][json]") {
    ProviderFixture f(jsonProvider());
    TextClient c = loggedIn(f);
    std::uint64_t client = 0;
    f.app.answer = [&](const StreamEvent& e, const codec::Msg&) { client = e.clientHandle; };
    c.send(requests(10, 5000));
    SECTION("closed by the application between two turns") {
        while (client == 0)
            f.turn();
        const auto got = requested(f).size();
        REQUIRE(got < 2500);
        static_cast<void>(f.role->closeClient(client, "enough"));
        c.untilClosed();
        CHECK(requested(f).size() == got);
    }
    SECTION("closed by the application inside one") {
        f.app.answer = [&](const StreamEvent& e, const codec::Msg&) {
            if (requested(f).size() == 100) static_cast<void>(f.role->closeClient(e.clientHandle, "enough"));
        };
        c.untilClosed();
        CHECK(requested(f).size() == 100);
    }
    SECTION("the peer has gone: what it sent is still dealt with") {
        while (client == 0)
            f.turn();
        c.channel().close();
        CHECK(turnUntil([&] { return requested(f).size() == 5000 && f.app.downs.size() == 1; }, [&] { f.turn(); }));
    }
    f.app.answer = nullptr;
    TextClient next = loggedIn(f);
    next.send(R"({"Type":"Ping"})");
    CHECK(next.next().at("Type").text == "Pong");
}
