// Batches: which columns there are, their values and validity, and that they outlive what they came from.
#include "capi/Feed.h"

#include <map>
#include <vector>

namespace emissary::test {
namespace {

struct Read {
    explicit Read(const emi_batch* batch) {
        view.size = sizeof view;
        REQUIRE(emi_batch_view(batch, &view, nullptr) == EMI_OK);
        for (std::size_t i = 0; i < view.columns; ++i) {
            emi_column column{};
            column.size = sizeof column;
            REQUIRE(emi_batch_column(batch, i, &column, nullptr) == EMI_OK);
            columns[column.name] = column;
        }
    }
    static bool bit(const std::uint8_t* bits, std::size_t row) { return (bits[row / 8] >> (row % 8) & 1) != 0; }

    emi_view view{};
    std::map<std::string, emi_column> columns;
};

/// Batches until one has rows.
emi_batch* rowsOf(CConsumer& c, std::size_t most = 100) {
    emi_batch* batch = nullptr;
    INFO(c.error.text);
    REQUIRE(emi_consumer_next_batch(c.handle, most, 10'000, &batch, &c.error) == EMI_OK);
    return batch;
}

void choose(CConsumer& c, std::vector<const char*> fields) {
    REQUIRE(emi_consumer_columns(c.handle, fields.data(), fields.size(), &c.error) == EMI_OK);
}

}  // namespace

TEST_CASE("A batch has the chosen fields as columns", "[capi][batch]") {
    Feed feed;
    CConsumer c(feed.host());
    REQUIRE(c.code == EMI_OK);
    choose(c, {"ASK", "22", "NO_SUCH_FIELD", "DSPLY_NAME"});
    const auto item = c.open("EMI.X");
    emi_batch* batch = rowsOf(c);
    const Read read(batch);
    REQUIRE(read.view.rows == 1);
    REQUIRE(read.view.columns == 4);
    CHECK(read.view.item[0] == item);
    CHECK(read.view.type[0] == EMI_REFRESH);
    CHECK(read.view.state[0] == EMI_CURRENT);
    const auto& bid = read.columns.at("22");
    CHECK(bid.kind == EMI_REAL);
    CHECK(bid.i64[0] == 3990);
    CHECK(bid.f64[0] == 39.9);
    CHECK(bid.hint[0] == OmmReal::ExponentNeg2Enum);
    CHECK(bid.nulls == 0);
    const auto& ask = read.columns.at("ASK");
    CHECK(ask.fid == 25);
    CHECK_FALSE(Read::bit(ask.validity, 0));
    CHECK(Read::bit(ask.present, 0));  // blank is there, and no value
    const auto& text = read.columns.at("DSPLY_NAME");
    CHECK(std::string(text.bytes + text.offsets[0], text.bytes + text.offsets[1]) == "EMI.X");
    const auto& unknown = read.columns.at("NO_SUCH_FIELD");
    CHECK(unknown.kind == EMI_NOTHING);
    CHECK(unknown.nulls == 1);
    emi_batch_free(batch);
}

TEST_CASE("A batch keeps its rows beyond its consumer, and grows past what was asked for", "[capi][batch]") {
    Feed feed;
    emi_batch* batch = nullptr;
    constexpr Int64 kUpdates = 500;
    std::vector<emi_batch*> all;
    {
        CConsumer c(feed.host());
        REQUIRE(c.code == EMI_OK);
        c.open("EMI.X");
        batch = rowsOf(c);
        for (Int64 i = 0; i < kUpdates; ++i)
            feed.update("EMI.X", i);
        for (std::size_t rows = 0; rows < kUpdates;) {
            all.push_back(rowsOf(c, 7));
            rows += Read(all.back()).view.rows;
        }
    }
    const Read image(batch);
    CHECK(image.columns.size() == 3);  // all fields, since none were chosen
    Int64 next = 0;
    for (emi_batch* part : all) {
        const Read read(part);
        const auto& bid = read.columns.at("BID");
        const auto& text = read.columns.at("DSPLY_NAME");
        REQUIRE(text.nulls == read.view.rows);  // no update has it: no arrays
        REQUIRE(text.offsets == nullptr);
        REQUIRE(text.kind == EMI_TEXT);
        REQUIRE_FALSE(Read::bit(text.validity, read.view.rows - 1));
        for (std::size_t row = 0; row < read.view.rows; ++row) {
            REQUIRE(Read::bit(bid.validity, row));
            REQUIRE(bid.i64[row] == next++);
        }
        emi_batch_free(part);
    }
    CHECK(next == kUpdates);
    emi_batch_free(batch);
}

TEST_CASE("A batch without messages is there after the time, and has no rows", "[capi][batch]") {
    Feed feed;
    CConsumer c(feed.host());
    REQUIRE(c.code == EMI_OK);
    emi_batch* batch = nullptr;
    REQUIRE(emi_consumer_next_batch(c.handle, 10, 0, &batch, &c.error) == EMI_OK);
    REQUIRE(batch != nullptr);
    CHECK(Read(batch).view.rows == 0);
    emi_batch_free(batch);
}

}  // namespace emissary::test
