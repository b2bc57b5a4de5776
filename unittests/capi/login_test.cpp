// The login stream of a consumer: what it says of the connection and of a slow reader.
#include "capi/CProvider.h"
#include "capi/Feed.h"

#include <optional>

namespace emissary::test {
namespace {

/// One row, waited for.
struct Row {
    std::uint64_t item = 0;
    int type = 0, state = 0;
    std::uint32_t code = 0;
    std::string text, name;
    explicit Row(CConsumer& c) {
        emi_batch* batch = nullptr;
        REQUIRE(emi_consumer_next_batch(c.handle, 1, 10'000, &batch, &c.error) == EMI_OK);
        const CBatch rows(batch);
        REQUIRE(rows.view.rows > 0);
        const auto header = rows.header(0);
        item = rows.view.item[0];
        type = rows.view.type[0];
        state = rows.view.state[0];
        code = header.code;
        text = header.text;
        name = header.name;
    }
};

int known(CConsumer& c, emi_item& item) {
    item = {};
    item.size = sizeof item;
    return emi_consumer_item(c.handle, 0, &item, &c.error);
}

constexpr const char* kSocket = R"(<ServerType value="ServerType::RSSL_SOCKET"/>)";
constexpr const char* kWebSocket = R"(<ServerType value="ServerType::RSSL_WEBSOCKET"/>)";

}  // namespace

TEST_CASE("The login stream is item 0 and says what becomes of the connection", "[capi][login]") {
    const bool json = GENERATE(false, true);
    std::optional<Feed> feed(json ? kWebSocket : kSocket);
    CConsumer c(feed->host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    emi_item item;
    CHECK(known(c, item) == EMI_E_ITEM);  // nobody asked for it
    REQUIRE(emi_consumer_open_login(c.handle, &c.error) == EMI_OK);
    REQUIRE(emi_consumer_open_login(c.handle, &c.error) == EMI_OK);
    const Row image(c);
    CHECK(image.item == 0);
    CHECK(image.type == EMI_REFRESH);
    CHECK(image.state == EMI_CURRENT);
    CHECK(!image.name.empty());
    REQUIRE(known(c, item) == EMI_OK);
    CHECK(item.name == image.name);

    feed->loginState(OmmState::OkEnum, OmmState::JustInTimeConflationStartedEnum, "too slow");
    const Row slow(c);
    CHECK(slow.type == EMI_STATUS);
    CHECK(slow.state == EMI_CURRENT);
    CHECK(slow.code == 7);
    CHECK(slow.text == "too slow");
    feed->loginState(OmmState::OkEnum, OmmState::TickByTickResumedEnum, "caught up");
    CHECK(Row(c).code == 8);
    REQUIRE(known(c, item) == EMI_OK);
    CHECK(item.status_code == 8);
    CHECK(std::string(item.text) == "caught up");
    CHECK(emi_consumer_close_item(c.handle, 0, &c.error) == EMI_E_ITEM);

    feed.reset();
    const Row lost(c);
    CHECK(lost.item == 0);
    CHECK(lost.type == EMI_STATUS);
    CHECK(lost.state == EMI_STALE);
    CHECK(!lost.text.empty());
}

TEST_CASE("Messages of the login come only after that call", "[capi][login]") {
    const bool json = GENERATE(false, true);
    Feed feed(json ? kWebSocket : kSocket);
    CConsumer c(feed.host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    // A post without item has the library open the login stream: its image and states reach the consumer from here on.
    emi_post post{};
    post.size = sizeof post;
    const std::vector<emi_value> data{at(0, EMI_MESSAGE, nullptr, EMI_UPDATE), at(1, EMI_FIELD_LIST),
                                      at(2, EMI_REAL, "BID", 1, nullptr, 12)};
    INFO(c.error.text);
    REQUIRE(emi_consumer_post(c.handle, 0, "DIRECT_FEED", "A.X", &post, data.data(), data.size(), &c.error) == EMI_OK);
    feed.loginState(OmmState::OkEnum, OmmState::JustInTimeConflationStartedEnum, "too slow");
    c.open("A.X");
    const Row image(c);
    CHECK(image.item == 1);
    CHECK(image.type == EMI_REFRESH);
    emi_item item;
    CHECK(known(c, item) == EMI_E_ITEM);
    REQUIRE(emi_consumer_open_login(c.handle, &c.error) == EMI_OK);
    feed.loginState(OmmState::OkEnum, OmmState::TickByTickResumedEnum, "caught up");
    const Row resumed(c);
    CHECK(resumed.item == 0);
    CHECK(resumed.type == EMI_STATUS);
    CHECK(resumed.code == 8);
    CHECK(emi_consumer_open_login(nullptr, &c.error) == EMI_E_ARGUMENT);
}

}  // namespace emissary::test
