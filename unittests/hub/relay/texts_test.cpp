// Texts for JSON clients on several threads: each is made once for all of them, and none where no such client is.
#include "eyes.h"

using namespace emissary;
using namespace emissary::test;

namespace {

constexpr const char* kTexts = "emissary_hub_texts_total";

/// One JSON client with a stream on an item, cut down to a view or not.
class Reader {
public:
    Reader(KindsFixture& f, int number, const std::string& item, const std::string& more = {}) : f_(f) {
        client_ = std::make_unique<TextClient>(f.to(Wire::json), [this] { f_.settle(1); });
        client_->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"reader)" + std::to_string(number) + R"("}})");
        REQUIRE(client_->next("ID", "1").at("State").at("Stream").text == "Open");
        client_->send(R"({"ID":)" + std::to_string(stream_) + R"(,"Key":{"Name":")" + item +
                      R"(","Service":"DIRECT_FEED"})" + more + "}");
        REQUIRE(client_->next("Type", "Refresh").at("ID").text == std::to_string(stream_));
    }
    [[nodiscard]] json_test::Json update() { return client_->next("Type", "Update"); }
    [[nodiscard]] bool ready() { return client_->ready(); }

private:
    KindsFixture& f_;
    const int stream_ = 5;
    std::unique_ptr<TextClient> client_;
};

std::vector<std::unique_ptr<Reader>> readers(KindsFixture& f, int count, const std::string& item,
                                             const std::string& more = {}) {
    std::vector<std::unique_ptr<Reader>> made;
    for (int i = 0; i < count; ++i)
        made.push_back(std::make_unique<Reader>(f, i, item, more));
    return made;
}

}  // namespace

TEST_CASE("an update is made a text once, whatever the number of JSON clients and threads", "[hub][relay][json]") {
    KindsFixture f;
    const auto all = readers(f, 12, "A");
    std::size_t fronts = 0;
    relay::forEachFront(f.relay(), [&](relay::Front& front) { fronts += front.clients().size() != 0 ? 1 : 0; });
    REQUIRE(fronts == 2);
    const std::uint64_t before = f.count(kTexts);
    for (int i = 0; i < 10; ++i) {
        f.tick();
        for (const auto& reader : all)
            REQUIRE(reader->update().at("Fields").at("PROD_PERM").text == std::to_string(f.values["A"]));
    }
    CHECK(f.count(kTexts) - before == 10);
}

TEST_CASE("a rate that changes images alone leaves texts of updates made once", "[hub][relay][json][rates]") {
    const bool announces = GENERATE(false, true);
    INFO((announces ? "AnnounceRate" : "OfferedRates jit"));
    KindsFixture f([announces](HubSettings& s) {
        if (announces) s.services[0].announceRate = true;
        else s.services[0].offeredRates = {{}};
    });
    const auto all = readers(f, 6, "A");
    const auto jit = announces ? readers(f, 0, "A")
                               : readers(f, 6, "A", R"(,"Qos":{"Timeliness":"Realtime","Rate":"JitConflated"})");
    const std::uint64_t before = f.count(kTexts);
    for (int i = 0; i < 10; ++i) {
        f.tick();
        for (const auto* const some : {&all, &jit})
            for (const auto& reader : *some)
                REQUIRE(reader->update().at("Fields").at("PROD_PERM").text == std::to_string(f.values["A"]));
    }
    CHECK(f.count(kTexts) - before == 10);
}

TEST_CASE("each view of an item is made a text once", "[hub][relay][json]") {
    KindsFixture f;
    const auto whole = readers(f, 4, "A");
    const auto viewed = readers(f, 4, "A", R"(,"View":["PROD_PERM"])");
    const auto both = readers(f, 4, "A", R"(,"View":["BID","PROD_PERM"])");
    const auto nothing = readers(f, 4, "A", R"(,"View":["ASK"])");
    const auto keyed = readers(f, 4, "A", R"(,"KeyInUpdates":true)");
    const std::uint64_t before = f.count(kTexts);
    for (int i = 0; i < 10; ++i) {
        f.tick();
        for (const auto* const some : {&whole, &viewed, &both, &keyed})
            for (const auto& reader : *some)
                REQUIRE(reader->update().at("Fields").at("PROD_PERM").text == std::to_string(f.values["A"]));
    }
    const std::uint64_t made = f.count(kTexts) - before;
    CHECK(made == 10 * 3);  // whole; with one view, with the other; those with a key are the whole one's default
    for (const auto& reader : nothing)
        CHECK_FALSE(reader->ready());
}

TEST_CASE("nothing is made a text for clients that want none", "[hub][relay][json]") {
    KindsFixture f;
    const auto json = readers(f, 4, "B");
    Eye one(f, Wire::ripc, 1), two(f, Wire::webSocket, 2), three(f, Wire::ripc, 3);
    for (Eye* const eye : {&one, &two, &three}) {
        eye->request(5, "A");
        while (eye->next().type != "Refresh") {}
    }
    const std::uint64_t before = f.count(kTexts);
    for (int i = 0; i < 10; ++i) {
        f.serve();
        f.update(f.streams["A"], ++f.values["A"]);
        for (Eye* const eye : {&one, &two, &three})
            REQUIRE(eye->next().value == f.values["A"]);
    }
    CHECK(f.count(kTexts) == before);
}

TEST_CASE("views that go and come get the texts of their own numbers", "[hub][relay][json]") {
    KindsFixture f;
    const auto stays = readers(f, 2, "A", R"(,"View":["PROD_PERM"])");
    for (int round = 0; round < 5; ++round) {
        // Numbers of views that have gone are used again, in another order on the threads of clients.
        const auto first = readers(f, 1 + round % 3, "A", R"(,"View":["PROD_PERM","BID"])");
        auto second = readers(f, 2, "A", R"(,"View":["ASK"])");
        second.clear();
        const auto third = readers(f, 3, "A", R"(,"View":["PROD_PERM","ASK"])");
        f.tick();
        for (const auto* const some : {&stays, &first, &third})
            for (const auto& reader : *some)
                REQUIRE(reader->update().at("Fields").at("PROD_PERM").text == std::to_string(f.values["A"]));
    }
}
