// What cannot be decoded costs its own row, and none of another item: batches, and messages one by one.
#include "capi/CProvider.h"
#include "capi/Feed.h"
#include "capi/ThreadedRelay.h"

#include <algorithm>
#include <string_view>

namespace emissary::test {
namespace {

/// A wire on which messages in messages become Close messages, which have no class: what contains them cannot be
/// decoded. Marked by their domain, which nothing else has.
class Spoiler : public ThreadedRelay {
public:
    static constexpr UInt16 kDomain = 200;

    explicit Spoiler(const std::string& host)
        : ThreadedRelay(static_cast<std::uint16_t>(std::stoi(host.substr(host.find(':') + 1))), spoil) {}
    /// What is spoiled.
    static const UpdateMsg& inside(UpdateMsg& msg) { return msg.domainType(kDomain); }

private:
    static void spoil(char* bytes, std::size_t count) {
        // The class and the domain of a message (rwf.md); in JSON its type stands in front of its domain.
        constexpr std::string_view kWire("\x04\xC8", 2), kDomain(R"("Domain":200)"), kType(R"("Update")");
        constexpr std::string_view kBlank("\x05"
                                          "BLANK");
        std::string_view all(bytes, count);
        if (const auto at = all.find(kBlank); at != std::string_view::npos) {
            // A key of no bytes. The rest of it becomes the front of the entry's payload, whose length stands behind
            // it.
            bytes[at + 1] = static_cast<char>(bytes[at + kBlank.size()] + static_cast<char>(kBlank.size() - 1));
            bytes[at] = 0;
        }
        for (auto at = all.find(kWire); at != std::string_view::npos; at = all.find(kWire, at + 1))
            bytes[at] = 5;
        for (auto at = all.find(kDomain); at != std::string_view::npos; at = all.find(kDomain, at + 1))
            if (const auto type = all.rfind(kType, at); type != std::string_view::npos)
                std::copy_n(R"("Close" )", kType.size(), bytes + type);
    }
};

constexpr const char* kJsonServer = R"(<ServerType value="ServerType::RSSL_WEBSOCKET"/>)";

/// Of the rows of one item: kinds of the values in their data, and BID.
struct Rows {
    std::vector<std::string> data;
    std::vector<std::int64_t> bids;
    std::uint32_t unreadable = 0;
};

void read(CConsumer& c, std::map<std::uint64_t, Rows>& rows) {
    emi_batch* filled = nullptr;
    INFO(c.error.text);
    REQUIRE(emi_consumer_next_batch(c.handle, 1000, 50, &filled, &c.error) == EMI_OK);
    const CBatch batch(filled);
    std::uint32_t unreadable = 0;
    for (std::size_t row = 0; row < batch.view.rows; ++row) {
        Rows& of = rows[batch.view.item[row]];
        of.data.push_back(batch.data(row));
        if (of.data.back().find("45") == 0) ++unreadable;
        for (std::size_t i = 0; i < batch.view.columns; ++i) {
            const auto column = batch.column(i);
            if (std::string_view(column.name) != "BID") continue;
            const bool valid = (column.validity[row / 8] >> (row % 8) & 1) != 0;
            of.bids.push_back(valid ? column.i64[row] : -1);
        }
    }
    CHECK(batch.view.unreadable >= unreadable);
    rows[0].unreadable += batch.view.unreadable;
}

}  // namespace

TEST_CASE("A payload that cannot be decoded costs its own row of a batch", "[capi][batch]") {
    const bool json = GENERATE(false, true);
    Feed feed(json ? kJsonServer : "");
    Spoiler wire(feed.host());
    CConsumer c(wire.host(), settingsFor(json));
    INFO(c.error.text);
    REQUIRE(c.code == EMI_OK);
    const auto bad = c.open("BAD.X"), good = c.open("GOOD.X");
    std::map<std::uint64_t, Rows> rows;
    const auto until = [&](std::size_t ofBad, std::size_t ofGood) {
        REQUIRE(turnUntil([&] { return rows[bad].data.size() >= ofBad && rows[good].data.size() >= ofGood; },
                          [&] { read(c, rows); }));
    };
    until(1, 1);
    UpdateMsg inside;
    feed.update("GOOD.X", 1);
    feed.send("BAD.X", UpdateMsg().payload(Spoiler::inside(inside)));
    feed.update("GOOD.X", 2);
    feed.update("BAD.X", 3);
    until(3, 3);
    CHECK(rows[good].bids == std::vector<std::int64_t>{3990, 1, 2});
    CHECK(rows[bad].bids == std::vector<std::int64_t>{3990, -1, 3});
    CHECK(rows[bad].data[1].find("45 '") == 0);  // EMI_UNREADABLE and why
    CHECK(rows[0].unreadable == 1);

    // The same inside: of a message in a message, and of a map's summary. The rest of the payload is there.
    UpdateMsg outer;
    feed.send("BAD.X", UpdateMsg().payload(outer.domainType(7).payload(Spoiler::inside(inside))));
    Map map;
    FieldList fields;
    fields.addReal(22, 5, OmmReal::ExponentNeg2Enum).complete();
    // All parts of a map have one type.
    map.summaryData(Spoiler::inside(inside))
        .addKeyAscii("B1", MapEntry::AddEnum, UpdateMsg().domainType(7).payload(fields))
        .complete();
    feed.send("BAD.X", UpdateMsg().payload(map));
    // A key without a value is a blank one. (JSON has none of these.)
    Map blank;
    blank.addKeyAscii("BLANK", MapEntry::AddEnum, fields).complete();
    feed.send("BAD.X", UpdateMsg().payload(blank));
    feed.update("GOOD.X", 6);
    until(6, 4);
    CHECK(rows[good].bids.back() == 6);
    CHECK(rows[bad].data[3].find("43 fid 7 2\n 45 '") == 0);
    CHECK(rows[bad].data[4].find("34\n 45 summary '") == 0);
    CHECK(rows[bad].data[4].find("BID 5") != std::string::npos);
    CHECK(rows[bad].data[5].find(json ? "9 'BLANK'\n" : "9 blank\n") != std::string::npos);
    CHECK(rows[0].unreadable == 2);
}

TEST_CASE("A callback sees why a payload cannot be decoded", "[capi]") {
    const bool json = GENERATE(false, true);
    Feed feed(json ? kJsonServer : "");
    Spoiler wire(feed.host());
    CConsumer c(wire.host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    c.open("BAD.X");
    std::vector<std::string> seen;
    const auto call = [](void* closure, emi_message* message) {
        const emi_value* data = nullptr;
        std::size_t count = 0;
        const int code = emi_message_data(message, &data, &count, nullptr);
        static_cast<std::vector<std::string>*>(closure)->push_back(code != EMI_OK ? "failed"
                                                                                  : shown(data, count).substr(0, 4));
    };
    const auto until = [&](std::size_t count) {
        REQUIRE(turnUntil([&] { return seen.size() >= count; },
                          [&] { (void)emi_consumer_dispatch(c.handle, 50, call, &seen, nullptr, nullptr); }));
    };
    until(1);
    UpdateMsg inside;
    feed.send("BAD.X", UpdateMsg().payload(Spoiler::inside(inside)));
    feed.update("BAD.X", 1);
    until(3);
    CHECK(seen[1] == "45 '");
    CHECK(seen[2].find("32\n") == 0);
}

}  // namespace emissary::test
