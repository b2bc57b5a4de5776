// Messages one by one, states of items, and the C example.
#include "capi/Feed.h"

#include <array>
#include <cstdio>
#include <vector>

namespace emissary::test {
namespace {

struct Seen {
    int type;
    std::uint64_t item;
    int state;
    std::vector<std::string> fields;
};

void note(void* closure, emi_message* message) {
    auto& all = *static_cast<std::vector<Seen>*>(closure);
    Seen seen{emi_message_type(message), emi_message_item(message), emi_message_state(message), {}};
    emi_value v{};
    v.size = sizeof v;
    for (int found = 0; emi_message_next_field(message, &v, &found, nullptr) == EMI_OK && found != 0;) {
        std::string text = std::string(v.name) + " " + std::to_string(v.fid) + " ";
        if (v.blank != 0) text += "blank";
        else if (v.kind == EMI_TEXT) text += std::string(v.text, v.length);
        else text += std::to_string(v.i64) + " hint " + std::to_string(v.hint);
        seen.fields.push_back(text);
    }
    all.push_back(seen);
}

void dispatchUntil(CConsumer& c, std::vector<Seen>& seen, std::size_t count) {
    REQUIRE(turnUntil([&] { return seen.size() >= count; },
                      [&] { REQUIRE(emi_consumer_dispatch(c.handle, 50, note, &seen, nullptr, &c.error) == EMI_OK); }));
}

}  // namespace

TEST_CASE("The C interface reads images and updates field by field", "[capi]") {
    const bool json = GENERATE(false, true);
    Feed feed(json ? R"(<ServerType value="ServerType::RSSL_WEBSOCKET"/>)" : "");
    CConsumer c(feed.host(), json ? std::map<std::string, std::string>{{"websocket", "json"}}
                                  : std::map<std::string, std::string>{});
    INFO(c.error.text);
    REQUIRE(c.code == EMI_OK);
    const auto item = c.open("EMI.X");
    std::vector<Seen> seen;
    dispatchUntil(c, seen, 1);
    CHECK(seen[0].type == EMI_REFRESH);
    CHECK(seen[0].item == item);
    CHECK(seen[0].state == EMI_CURRENT);
    CHECK(seen[0].fields == std::vector<std::string>{"BID 22 3990 hint 12", "ASK 25 blank", "DSPLY_NAME 3 EMI.X"});
    feed.update("EMI.X", -7);
    dispatchUntil(c, seen, 2);
    CHECK(seen[1].type == EMI_UPDATE);
    CHECK(seen[1].fields == std::vector<std::string>{"BID 22 -7 hint 12"});
}

TEST_CASE("The C interface shows what is stale and what is closed", "[capi]") {
    Feed feed;
    CConsumer c(feed.host());
    REQUIRE(c.code == EMI_OK);
    const auto item = c.open("EMI.X");
    std::vector<Seen> seen;
    dispatchUntil(c, seen, 1);
    feed.status("EMI.X", OmmState::OpenEnum, OmmState::SuspectEnum, "source is gone");
    feed.update("EMI.X", 1);
    dispatchUntil(c, seen, 3);
    CHECK(seen[1].type == EMI_STATUS);
    CHECK(seen[1].state == EMI_STALE);
    CHECK(seen[2].state == EMI_STALE);  // an update makes nothing current
    emi_item known{};
    known.size = sizeof known;
    REQUIRE(emi_consumer_item(c.handle, item, &known, nullptr) == EMI_OK);
    CHECK(std::string(known.text) == "source is gone");
    CHECK(std::string(known.service) == "DIRECT_FEED");

    const auto none = c.open("NONE.X");
    dispatchUntil(c, seen, 4);
    CHECK(seen[3].item == none);
    CHECK(seen[3].state == EMI_CLOSED);
    REQUIRE(emi_consumer_item(c.handle, none, &known, nullptr) == EMI_OK);
    CHECK(known.status_code == OmmState::NotFoundEnum);
    CHECK(std::string(known.text) == "no such item");
}

TEST_CASE("The C interface: a provider that ends leaves its items stale", "[capi]") {
    auto feed = std::make_unique<Feed>();
    CConsumer c(feed->host());
    REQUIRE(c.code == EMI_OK);
    c.open("EMI.X");
    std::vector<Seen> seen;
    dispatchUntil(c, seen, 1);
    feed.reset();
    dispatchUntil(c, seen, 2);
    CHECK(seen[1].type == EMI_STATUS);
    CHECK(seen[1].state == EMI_STALE);
}

}  // namespace emissary::test
