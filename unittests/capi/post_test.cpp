// Posts, generic messages, views, batches and look-ups in the dictionary through the C interface.
#include "capi/CProvider.h"
#include "capi/Feed.h"

#include <functional>
#include <thread>

namespace emissary::test {
namespace {

std::vector<emi_value> bid(std::int64_t price) {
    return {at(0, EMI_MESSAGE, nullptr, EMI_UPDATE), at(1, EMI_FIELD_LIST), at(2, EMI_REAL, "BID", price, nullptr, 12)};
}

emi_post withAck(std::uint32_t id) {
    emi_post post{};
    post.size = sizeof post;
    post.flags = EMI_POST_ACK;
    post.has = EMI_HAS_ID;
    post.id = id;
    return post;
}

/// Reads batches of the consumer until `done` says so.
void read(CConsumer& c, const std::function<bool(const CBatch&)>& done) {
    bool ended = false;
    REQUIRE(turnUntil([&] { return ended; },
                      [&] {
                          emi_batch* filled = nullptr;
                          REQUIRE(emi_consumer_next_batch(c.handle, 1, 50, &filled, &c.error) == EMI_OK);
                          const CBatch batch(filled);
                          ended = batch.view.rows > 0 && done(batch);
                      }));
}

/// What has come to the provider.
std::unique_ptr<CBatch> inbox(CProvider& provider) {
    emi_batch* filled = nullptr;
    REQUIRE(emi_provider_next_batch(provider.handle, 10'000, &filled, &provider.error) == EMI_OK);
    return std::make_unique<CBatch>(filled);
}

}  // namespace

TEST_CASE("A post on the stream of an item is acked, and the provider sees who posted what", "[capi][post]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    provider.publish("A.X", {value("BID", EMI_REAL, 1, 14)});
    CConsumer c(provider.host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    const auto item = c.open("A.X");
    read(c, [](const CBatch&) { return true; });
    auto post = withAck(77);
    post.has |= EMI_HAS_SEQUENCE | EMI_HAS_USER | EMI_HAS_RIGHTS;
    post.sequence = 5;
    post.user_id = 1234;
    post.user_address = 0x0A000001;
    post.rights = 1;
    const auto data = bid(3990);
    INFO(c.error.text);
    REQUIRE(emi_consumer_post(c.handle, item, nullptr, nullptr, &post, data.data(), data.size(), &c.error) == EMI_OK);
    read(c, [&](const CBatch& batch) {
        CHECK(batch.view.type[0] == EMI_ACK);
        CHECK(batch.view.item[0] == item);
        const auto header = batch.header(0);
        CHECK(header.id == 77);
        CHECK(header.nack == 0);
        CHECK(header.sequence == 5);
        return true;
    });
    const auto came = inbox(provider);
    REQUIRE(came->view.rows == 1);
    CHECK(came->view.type[0] == EMI_POST);
    const auto header = came->header(0);
    CHECK(std::string(header.name) == "A.X");
    CHECK(header.has ==
          (EMI_HAS_ID | EMI_HAS_SEQUENCE | EMI_HAS_USER | EMI_HAS_RIGHTS | (header.has & EMI_HAS_SERVICE_ID)));
    CHECK(header.user_id == 1234);
    CHECK(header.user_address == 0x0A000001);
    CHECK(header.rights == 1);
    CHECK(came->data(0).find("   ") == std::string::npos);
    CHECK(came->data(0).find("43 fid 6 2\n 32\n  3 fid 22 BID 3990 hint 12\n") == 0);
    emi_column column{};
    column.size = sizeof column;
    REQUIRE(emi_batch_column(came->batch, 0, &column, nullptr) == EMI_OK);
    CHECK(std::string(column.name) == "BID");
    CHECK(column.i64[0] == 3990);
}

TEST_CASE("A post on the stream of the login, taken and refused", "[capi][post]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    CConsumer c(provider.host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    const auto data = bid(1);
    auto post = withAck(1);
    INFO(c.error.text);
    REQUIRE(emi_consumer_post(c.handle, 0, "DIRECT_FEED", "NEW.X", &post, data.data(), data.size(), &c.error) ==
            EMI_OK);
    const auto acked = [&](std::uint32_t id, unsigned nack, const std::string& text) {
        read(c, [&](const CBatch& batch) {
            CHECK(batch.view.item[0] == 0);
            CHECK(batch.view.type[0] == EMI_ACK);
            const auto header = batch.header(0);
            CHECK(header.id == id);
            CHECK(header.nack == nack);
            CHECK(std::string(header.text) == text);
            CHECK(std::string(header.name) == "NEW.X");
            return true;
        });
    };
    acked(1, 0, "");
    REQUIRE(emi_provider_answer_posts(provider.handle, 1, "not for you", &provider.error) == EMI_OK);
    post.id = 2;
    REQUIRE(emi_consumer_post(c.handle, 0, "DIRECT_FEED", "NEW.X", &post, data.data(), data.size(), &c.error) ==
            EMI_OK);
    acked(2, 1, "not for you");
    const auto came = inbox(provider);
    REQUIRE(came->view.rows == 2);
    CHECK(came->header(1).user_id == static_cast<std::uint32_t>(::getpid()));
}

TEST_CASE("Posts that cannot be are refused", "[capi][post]") {
    CProvider provider;
    CConsumer c(provider.host());
    REQUIRE(c.code == EMI_OK);
    const auto data = bid(1);
    auto post = withAck(1);
    const auto code = [&](std::uint64_t item, const char* service, const char* name, const emi_post* how) {
        return emi_consumer_post(c.handle, item, service, name, how, data.data(), data.size(), &c.error);
    };
    CHECK(code(0, nullptr, "A.X", &post) == EMI_E_ARGUMENT);
    CHECK(code(0, "DIRECT_FEED", "", &post) == EMI_E_ARGUMENT);
    CHECK(code(9, "DIRECT_FEED", "A.X", &post) == EMI_E_ITEM);
    CHECK(code(0, "DIRECT_FEED", "A.X", nullptr) == EMI_E_ARGUMENT);
    post.has = 0;
    CHECK(code(0, "DIRECT_FEED", "A.X", &post) == EMI_E_ARGUMENT);
    CHECK(std::string(c.error.text).find("needs an id") != std::string::npos);
    post = withAck(1);
    post.flags = 1U << 9;
    CHECK(code(0, "DIRECT_FEED", "A.X", &post) == EMI_E_ARGUMENT);
    post.flags = 0;
    post.domain = 256;
    CHECK(code(0, "DIRECT_FEED", "A.X", &post) == EMI_E_ARGUMENT);
    CHECK(emi_consumer_generic(c.handle, 1, data.data(), data.size(), &c.error) == EMI_E_ITEM);
    std::thread other([&] {  // one thread at a time: two after each other are fine
        post.domain = 0;
        CHECK(code(0, "DIRECT_FEED", "A.X", &post) == EMI_OK);
    });
    other.join();
}

TEST_CASE("Generic messages go both ways", "[capi][generic]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    provider.publish("A.X", {value("BID", EMI_REAL, 1, 14)});
    CConsumer c(provider.host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    const auto item = c.open("A.X");
    read(c, [](const CBatch&) { return true; });
    const std::vector<emi_value> hello{at(0, EMI_ELEMENT_LIST), at(1, EMI_TEXT, "Hello", 0, "you")};
    INFO(c.error.text);
    REQUIRE(emi_consumer_generic(c.handle, item, hello.data(), hello.size(), &c.error) == EMI_OK);
    const auto came = inbox(provider);
    REQUIRE(came->view.rows == 1);
    CHECK(came->view.type[0] == EMI_GENERIC);
    CHECK(std::string(came->header(0).name) == "A.X");
    CHECK(came->data(0) == "33\n 9 Hello 'you'\n");
    REQUIRE(provider.send("A.X", 6, EMI_GENERIC, hello) == EMI_OK);
    read(c, [&](const CBatch& batch) {
        CHECK(batch.view.type[0] == EMI_GENERIC);
        CHECK(batch.view.item[0] == item);
        CHECK(batch.data(0) == "33\n 9 Hello 'you'\n");
        return true;
    });
}

TEST_CASE("A view limits images and updates at the provider", "[capi][view]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    provider.publish("A.X",
                     {value("BID", EMI_REAL, 1, 14), value("ASK", EMI_REAL, 2, 14), value("ACVOL_1", EMI_INT, 3)});
    CConsumer c(provider.host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    const char* const fields[] = {"ASK", "32"};
    emi_request request{};
    request.size = sizeof request;
    request.view = fields;
    request.view_count = 2;
    const char* const name = "A.X";
    std::uint64_t item = 0;
    INFO(c.error.text);
    REQUIRE(emi_consumer_request(c.handle, "DIRECT_FEED", &name, 1, &request, &item, &c.error) == EMI_OK);
    const auto columns = [](const CBatch& batch) {
        std::string names;
        for (std::size_t i = 0; i < batch.view.columns; ++i) {
            emi_column column{};
            column.size = sizeof column;
            REQUIRE(emi_batch_column(batch.batch, i, &column, nullptr) == EMI_OK);
            if ((column.present[0] & 1U) != 0) names += std::string(column.name) + " ";
        }
        return names;
    };
    read(c, [&](const CBatch& batch) {
        CHECK(columns(batch) == "ASK ACVOL_1 ");
        return true;
    });
    provider.publish("A.X", {value("BID", EMI_REAL, 5, 14), value("ASK", EMI_REAL, 6, 14)});
    read(c, [&](const CBatch& batch) {
        CHECK(columns(batch) == "ASK ");
        return true;
    });
    const char* const unknown = "NO_SUCH_FIELD";
    request.view = &unknown;
    request.view_count = 1;
    CHECK(emi_consumer_request(c.handle, "DIRECT_FEED", &name, 1, &request, &item, &c.error) == EMI_E_ARGUMENT);
    request.view_count = 1001;
    CHECK(emi_consumer_request(c.handle, "DIRECT_FEED", &name, 1, &request, &item, &c.error) == EMI_E_ARGUMENT);
    request = {};
    CHECK(emi_consumer_request(c.handle, "DIRECT_FEED", &name, 1, &request, &item, &c.error) == EMI_E_ARGUMENT);
}

TEST_CASE("A batch opens all its items, and each is one of its own", "[capi][batchrequest]") {
    const bool json = GENERATE(false, true);
    constexpr std::size_t kItems = 9'000;  // more than one request has room for
    CProvider provider(json);
    std::vector<std::string> names;
    std::vector<const char*> given;
    for (std::size_t i = 0; i < kItems; ++i) {
        names.push_back("ITEM" + std::to_string(i) + ".X");
        if (i != 3) provider.publish(names.back().c_str(), {value("ACVOL_1", EMI_INT, static_cast<std::int64_t>(i))});
    }
    for (const auto& name : names)
        given.push_back(name.c_str());
    CConsumer c(provider.host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    emi_request request{};
    request.size = sizeof request;
    request.flags = EMI_BATCH;
    std::vector<std::uint64_t> items(kItems);
    INFO(c.error.text);
    REQUIRE(emi_consumer_request(c.handle, "DIRECT_FEED", given.data(), kItems, &request, items.data(), &c.error) ==
            EMI_OK);
    REQUIRE(emi_consumer_close_item(c.handle, items[5], &c.error) == EMI_OK);  // before anything came
    std::size_t images = 0, refused = 0;
    read(c, [&](const CBatch& batch) {
        for (std::size_t row = 0; row < batch.view.rows; ++row) {
            if (batch.view.state[row] == EMI_CURRENT) ++images;
            else if (batch.view.item[row] == items[3] && batch.view.state[row] == EMI_CLOSED) ++refused;
            CHECK(batch.view.item[row] != items[5]);
        }
        return images + refused >= kItems - 1;
    });
    CHECK(images == kItems - 2);
    CHECK(refused == 1);
    provider.publish("ITEM7.X", {value("ACVOL_1", EMI_INT, 1)});
    read(c, [&](const CBatch& batch) {
        CHECK(batch.view.type[0] == EMI_UPDATE);
        CHECK(batch.view.item[0] == items[7]);
        return true;
    });
    REQUIRE(emi_consumer_close_item(c.handle, items[7], &c.error) == EMI_OK);
    REQUIRE(eventually([&] {
        std::size_t open = 1;
        emi_provider_streams(provider.handle, "ITEM7.X", &open, nullptr);
        emi_consumer_dispatch(
            c.handle, 0, [](void*, emi_message*) {}, nullptr, nullptr, nullptr);
        return open == 0;
    }));
}

TEST_CASE("Fields are looked up by name and id, and numbers of enumerations have texts", "[capi][dictionary]") {
    CProvider provider;
    CConsumer c(provider.host());
    REQUIRE(c.code == EMI_OK);
    emi_field field{};
    field.size = sizeof field;
    REQUIRE(emi_consumer_field(c.handle, "BID", &field, &c.error) == EMI_OK);
    CHECK(field.fid == 22);
    CHECK(field.kind == EMI_REAL);
    CHECK(std::string(field.name) == "BID");
    REQUIRE(emi_consumer_field(c.handle, "15", &field, &c.error) == EMI_OK);
    CHECK(std::string(field.name) == "CURRENCY");
    CHECK(field.kind == EMI_ENUM);
    const char* display = nullptr;
    REQUIRE(emi_consumer_enum(c.handle, "CURRENCY", 840, &display, &c.error) == EMI_OK);
    CHECK(std::string(display) == "USD");
    CHECK(emi_consumer_enum(c.handle, "CURRENCY", 65'000, &display, &c.error) == EMI_E_ARGUMENT);
    CHECK(emi_consumer_enum(c.handle, "BID", 1, &display, &c.error) == EMI_E_ARGUMENT);
    for (const char* bad : {"NO_SUCH_FIELD", "", "0", "70000", "31999"})
        CHECK(emi_consumer_field(c.handle, bad, &field, &c.error) == EMI_E_ARGUMENT);
}

}  // namespace emissary::test
