// What a consumer role has posted to its loop and has not run yet, when the role goes before the loop.
#include "fixture.h"

#include "payloads.h"

using namespace emissary;
using namespace emissary::test;

TEST_CASE("What a consumer role has posted ends with it", "[reactor][consumer][ending]") {
    Consumer c;
    auto dictionary = std::make_shared<eta::dictionary::Dictionary>();
    REQUIRE_FALSE(dictionary->parseFields("!tag Type 1\n!tag Version 1.0\n!tag DictionaryId 1\n"
                                          "BID \"BID\" 22 NULL PRICE 17 REAL64 7\n",
                                          "fields"));
    c.options.localDictionary = dictionary;
    c.ready();
    c.settle();
    const bool shutDown = GENERATE(false, true);
    SECTION("a status that is made here") {
        const Payload batch = Payload::batch({"A", "B"});
        codec::Msg m = Consumer::request({});
        m.key.flags = 0;
        m.flags |= codec::RequestFlag::batch;
        batch.in(m);
        c.open("batch", m);
    }
    SECTION("the login for a late client") {
        c.open("login", Consumer::request("user", 1), {});
    }
    SECTION("the directory for a late client") {
        c.open("dir", Consumer::request({}, 4), {});
    }
    SECTION("a dictionary that is here") {
        c.open("fields", Consumer::request("RWFFld", 5));
    }
    SECTION("the start-up that goes on with a dictionary") {
        c.locked([&] { c.role->useDictionary(dictionary); });
    }
    c.takeEvents();
    c.locked([&] {
        if (shutDown) c.role->shutdown();
        c.role.reset();
    });
    c.turn();
    c.turn();
    CHECK(c.events.empty());
}
