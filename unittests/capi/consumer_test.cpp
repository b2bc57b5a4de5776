// Messages one by one, states of items, and the C example.
#include "capi/Feed.h"
#include "support/resident.h"

#include <algorithm>
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

TEST_CASE("Items that a program closes are forgotten, but for the last", "[capi]") {
    const bool batch = GENERATE(false, true);
    INFO("batch " << batch);
    Feed feed;
    CConsumer c(feed.host());
    REQUIRE(c.code == EMI_OK);
    constexpr std::size_t kNames = 500, kKept = 4096;
    std::vector<std::string> names;
    std::vector<const char*> pointers;
    for (std::size_t i = 0; i < kNames; ++i)
        names.push_back("CHURN" + std::to_string(i) + ".X");
    for (const std::string& name : names)
        pointers.push_back(name.c_str());
    std::vector<std::uint64_t> items(kNames);
    const auto cycle = [&] {
        std::vector<Seen> seen;
        emi_request how{};
        how.size = sizeof how;
        how.flags = batch ? EMI_BATCH : 0;
        REQUIRE(emi_consumer_request(c.handle, "DIRECT_FEED", pointers.data(), kNames, &how, items.data(), &c.error) ==
                EMI_OK);
        dispatchUntil(c, seen, kNames);
        for (const std::uint64_t item : items)
            REQUIRE(emi_consumer_close_item(c.handle, item, &c.error) == EMI_OK);
    };
    for (int i = 0; i < 20; ++i)
        cycle();
    const std::size_t before = residentKiB();
    for (int i = 0; i < 40; ++i)
        cycle();
    const std::size_t after = residentKiB();
    INFO(before << " and " << after << " KiB");
#ifndef EMISSARY_UNDER_SANITIZER   // whose heaps keep what is freed
    CHECK(after < before + 1024);  // 20,000 items of 300 bytes are six times as much
#endif

    emi_item known{};
    known.size = sizeof known;
    CHECK(emi_consumer_item(c.handle, items.back(), &known, &c.error) == EMI_OK);
    CHECK(std::string(known.name) == names.back());
    CHECK(known.state == EMI_CLOSED);
    CHECK(emi_consumer_item(c.handle, items.back() - kKept - kNames, &known, &c.error) == EMI_E_ITEM);
    CHECK(std::string(c.error.text) == "item " + std::to_string(items.back() - kKept - kNames) +
                                           " is closed, and so long that nothing is known of it");
    CHECK(emi_consumer_close_item(c.handle, 1, &c.error) == EMI_E_ITEM);
    CHECK(emi_consumer_item(c.handle, items.back() + 1, &known, &c.error) == EMI_E_ITEM);
    CHECK(std::string(c.error.text) == "there is no item " + std::to_string(items.back() + 1));
    // A number is never given twice.
    CHECK(c.open("LAST.X") == items.back() + 1);
}

TEST_CASE("A batch request that is refused leaves nothing behind but its items, closed", "[capi]") {
    Feed feed;
    CConsumer c(feed.host());
    REQUIRE(c.code == EMI_OK);
    c.open("EMI.X");  // the dictionary is there when its image is
    std::vector<Seen> seen;
    dispatchUntil(c, seen, 1);
    std::vector<std::string> names;
    std::vector<const char*> pointers;
    for (std::size_t i = 0; i < 500; ++i)
        names.push_back("REFUSED" + std::to_string(i) + ".X");
    for (const std::string& name : names)
        pointers.push_back(name.c_str());
    std::vector<std::uint64_t> items(names.size());
    const char* const view[] = {"NO_SUCH_FIELD"};
    emi_request how{};
    how.size = sizeof how;
    how.flags = EMI_BATCH;
    how.view = view;
    how.view_count = 1;
    const auto refused = [&](int times) {
        for (int i = 0; i < times; ++i) {
            REQUIRE(emi_consumer_request(c.handle, "DIRECT_FEED", pointers.data(), pointers.size(), &how, items.data(),
                                         &c.error) == EMI_E_ARGUMENT);
            REQUIRE(emi_consumer_dispatch(c.handle, 0, note, &seen, nullptr, &c.error) == EMI_OK);
        }
        return residentKiB();
    };
    const std::size_t before = refused(20), after = refused(2'000);
    INFO(before << " and " << after << " KiB");
#ifndef EMISSARY_UNDER_SANITIZER
    CHECK(after < before + 2048);  // the numbers of each request's items are 4 KiB
#endif
    emi_item known{};
    known.size = sizeof known;
    REQUIRE(emi_consumer_item(c.handle, items.back(), &known, &c.error) == EMI_OK);
    CHECK(known.state == EMI_CLOSED);
    // Nor does a name that is none leave the names before it open.
    pointers.back() = "";
    how.view_count = 0;
    REQUIRE(emi_consumer_request(c.handle, "DIRECT_FEED", pointers.data(), pointers.size(), &how, items.data(),
                                 &c.error) == EMI_E_ARGUMENT);
    REQUIRE(emi_consumer_item(c.handle, items[names.size() - 2], &known, &c.error) == EMI_OK);
    CHECK(known.state == EMI_CLOSED);
    CHECK(c.open("LAST.X") == items[names.size() - 2] + 1);
}

TEST_CASE("Items of a batch are known, whether or not the provider names them", "[capi]") {
    const bool json = GENERATE(false, true);
    Feed feed(json ? R"(<ServerType value="ServerType::RSSL_WEBSOCKET"/>)" : "");
    feed.leaveNamesOut();
    CConsumer c(feed.host(), json ? std::map<std::string, std::string>{{"websocket", "json"}}
                                  : std::map<std::string, std::string>{});
    REQUIRE(c.code == EMI_OK);
    const std::vector<const char*> names{"ONE.X", "TWO.X", "THREE.X"};
    std::vector<std::uint64_t> items(names.size());
    emi_request how{};
    how.size = sizeof how;
    how.flags = EMI_BATCH;
    REQUIRE(emi_consumer_request(c.handle, "DIRECT_FEED", names.data(), names.size(), &how, items.data(), &c.error) ==
            EMI_OK);
    std::vector<Seen> seen;
    dispatchUntil(c, seen, names.size());
    std::vector<std::uint64_t> who;
    for (const Seen& one : seen)
        who.push_back(one.item);
    std::sort(who.begin(), who.end());
    CHECK(who == items);
    // Updates need not say it either.
    feed.update("TWO.X", 5000);
    dispatchUntil(c, seen, names.size() + 1);
    CHECK(seen.back().item == items[1]);
}

TEST_CASE("A program closes a batch before its items have come", "[capi]") {
    Feed feed;
    CConsumer c(feed.host());
    const std::vector<const char*> names{"EARLY1.X", "EARLY2.X", "EARLY3.X"};
    std::vector<std::uint64_t> items(names.size());
    std::vector<Seen> seen;
    emi_request how{};
    how.size = sizeof how;
    how.flags = EMI_BATCH;
    // More than are kept, so that items without a stream are forgotten while their streams are on the way.
    for (int i = 0; i < 2000; ++i) {
        REQUIRE(emi_consumer_request(c.handle, "DIRECT_FEED", names.data(), names.size(), &how, items.data(),
                                     &c.error) == EMI_OK);
        for (const std::uint64_t item : items)
            REQUIRE(emi_consumer_close_item(c.handle, item, &c.error) == EMI_OK);
    }
    const auto last = c.open("LAST.X");
    REQUIRE(turnUntil([&] { return !seen.empty() && seen.back().item == last; },
                      [&] { REQUIRE(emi_consumer_dispatch(c.handle, 50, note, &seen, nullptr, &c.error) == EMI_OK); }));
    CHECK(seen.size() == 1);
}

}  // namespace emissary::test
