// Fields by the dictionary: texts of enumerated values beside their numbers, and dates with times, over both protocols.
#include "capi/CProvider.h"
#include "capi/Feed.h"

#include "support/TestFolder.h"

#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

namespace emissary::test {
namespace {

/// The one batch that has rows, and its columns.
class Columns {
public:
    explicit Columns(CConsumer& c) : batch_(rowsOf(c)) {
        for (std::size_t i = 0; i < batch_.view.columns; ++i) {
            const auto column = batch_.column(i);
            columns_[column.name] = column;
        }
    }
    [[nodiscard]] const emi_column& operator[](const char* name) const { return columns_.at(name); }
    [[nodiscard]] std::string text(const char* name, std::size_t row) const {
        const auto& column = columns_.at(name);
        return {column.bytes + column.offsets[row], column.bytes + column.offsets[row + 1]};
    }
    [[nodiscard]] std::size_t rows() const { return batch_.view.rows; }

private:
    static emi_batch* rowsOf(CConsumer& c) {
        emi_batch* batch = nullptr;
        REQUIRE(emi_consumer_next_batch(c.handle, 100, 10'000, &batch, &c.error) == EMI_OK);
        return batch;
    }

    CBatch batch_;
    std::map<std::string, emi_column> columns_;
};

void keepTexts(void* closure, emi_message* message) {
    auto& texts = *static_cast<std::map<std::string, std::string>*>(closure);
    emi_value v{};
    v.size = sizeof v;
    for (int found = 0; emi_message_next_field(message, &v, &found, nullptr) == EMI_OK && found != 0;)
        texts[v.name] = std::to_string(v.i64) + (v.text == nullptr ? " null" : " " + std::string(v.text, v.length));
}

}  // namespace

TEST_CASE("Columns of enumerated fields have the texts of the dictionary where they are asked for", "[capi][fields]") {
    const bool json = GENERATE(false, true);
    const bool asked = GENERATE(false, true);
    CProvider provider(json);
    auto blank = value("RDN_EXCHID", EMI_NOTHING);
    blank.blank = 1;
    provider.publish("A.X", {value("CURRENCY", EMI_ENUM, 840), value("PRCTCK_1", EMI_ENUM, 60'000), blank});
    auto settings = settingsFor(json);
    if (asked) settings["enum_texts"] = "1";
    CConsumer c(provider.host(), settings);
    REQUIRE(c.code == EMI_OK);
    c.open("A.X");
    const Columns image(c);
    REQUIRE(image.rows() == 1);
    CHECK(image["CURRENCY"].kind == EMI_ENUM);
    CHECK(image["CURRENCY"].i64[0] == 840);
    CHECK(image["PRCTCK_1"].i64[0] == 60'000);
    if (!asked) {
        CHECK(image["CURRENCY"].offsets == nullptr);
        return;
    }
    CHECK(image.text("CURRENCY", 0) == "USD");
    CHECK(image.text("PRCTCK_1", 0) == "60000");  // the dictionary has no text for it
    CHECK(image["RDN_EXCHID"].nulls == 1);
    // More rows than a batch has room for at first: the texts stay with their rows.
    constexpr int kUpdates = 300;
    for (int i = 0; i < kUpdates; ++i)
        provider.publish("A.X", {value(i % 3 == 0 ? "BID" : "CURRENCY", EMI_INT, i % 3 == 1 ? 978 : 840)});
    int row = 0;
    while (row < kUpdates) {
        const Columns updates(c);
        REQUIRE(updates.rows() > 0);
        for (std::size_t i = 0; i < updates.rows(); ++i, ++row)
            REQUIRE(updates.text("CURRENCY", i) == (row % 3 == 0 ? "" : row % 3 == 1 ? "EUR" : "USD"));
    }
}

TEST_CASE("A callback gets the text of an enumerated value with its number", "[capi][fields]") {
    CProvider provider;
    provider.publish("A.X", {value("CURRENCY", EMI_ENUM, 840), value("PRCTCK_1", EMI_ENUM, 60'000)});
    CConsumer c(provider.host());
    REQUIRE(c.code == EMI_OK);
    c.open("A.X");
    std::map<std::string, std::string> texts;
    REQUIRE(turnUntil(
        [&] { return !texts.empty(); },
        [&] { REQUIRE(emi_consumer_dispatch(c.handle, 50, keepTexts, &texts, nullptr, &c.error) == EMI_OK); }));
    CHECK(texts["CURRENCY"] == "840 USD");
    CHECK(texts["PRCTCK_1"] == "60000 null");
}

TEST_CASE("An enumerated field takes a text that the dictionary shows", "[capi][fields]") {
    CProvider provider;
    provider.publish("A.X", {value("CURRENCY", EMI_TEXT, 0, 0, "USD")});
    const auto unknown = value("CURRENCY", EMI_TEXT, 0, 0, "no currency");
    CHECK(emi_provider_publish(provider.handle, "A.X", &unknown, 1, &provider.error) == EMI_E_ARGUMENT);
    CHECK(std::string(provider.error.text).find("CURRENCY has no value 'no currency'") != std::string::npos);
    CConsumer c(provider.host());
    REQUIRE(c.code == EMI_OK);
    c.open("A.X");
    CHECK(Columns(c)["CURRENCY"].i64[0] == 840);
}

TEST_CASE("A DateTime field is published and read to the nanosecond", "[capi][fields]") {
    const bool json = GENERATE(false, true);
    const TestFolder folder;
    for (const char* file : {"RDMFieldDictionary", "enumtype.def"})
        std::filesystem::copy_file(std::filesystem::path(sourcePath("/etc")) / file, folder.path() / file);
    std::ofstream(folder.path() / "RDMFieldDictionary", std::ios::app)
        << "MY_MOMENT  \"MY MOMENT\"  -5  NULL  TIME_SECONDS  24  DATETIME  12\n";
    emi_error error{sizeof(emi_error), 0, {}};
    emi_provider* provider = nullptr;
    INFO(error.text);
    REQUIRE(emi_provider_open("0", "DIRECT_FEED", folder.path().c_str(), json ? 1 : 0, &provider, &error) == EMI_OK);
    // 2024-02-29 01:02:03.456 and what is less than a millisecond, which JSON has too.
    constexpr std::int64_t kMoment = 1'709'168'523'456'789'012;
    const auto publish = [&](const emi_value& v) { return emi_provider_publish(provider, "A.X", &v, 1, &error); };
    REQUIRE(publish(value("MY_MOMENT", EMI_DATETIME, kMoment)) == EMI_OK);
    for (const auto bad : {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()})
        CHECK(publish(value("MY_MOMENT", EMI_DATETIME, bad)) == EMI_E_ARGUMENT);
    CHECK(publish(value("MY_MOMENT", EMI_DATE, 1)) == EMI_E_ARGUMENT);
    {
        CConsumer c("localhost:" + portOf(provider), settingsFor(json));
        REQUIRE(c.code == EMI_OK);
        c.open("A.X");
        const Columns image(c);
        CHECK(image["MY_MOMENT"].kind == EMI_DATETIME);
        CHECK(image["MY_MOMENT"].i64[0] == kMoment);
        auto blank = value("MY_MOMENT", EMI_NOTHING);
        blank.blank = 1;
        REQUIRE(publish(blank) == EMI_OK);
        CHECK(Columns(c)["MY_MOMENT"].nulls == 1);
        REQUIRE(publish(value("MY_MOMENT", EMI_DATETIME, -1)) == EMI_OK);  // the last nanosecond of 1969
        CHECK(Columns(c)["MY_MOMENT"].i64[0] == -1);
    }
    emi_provider_close(provider);
}

}  // namespace emissary::test
