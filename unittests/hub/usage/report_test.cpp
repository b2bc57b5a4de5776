// Files of use, and what is printed of them.
#include "hub/usage/report.h"
#include "perftools/TempDir.h"
#include "support/catch.hpp"

using namespace emissary::hub::usage;
using emissary::perf::test::TempDir;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kDay = 20'785;  // 2026-11-28

Snapshot snapshotOf(std::int64_t day, const Rows& rows) {
    Snapshot made;
    made.day = day;
    for (const auto& [key, numbers] : rows)
        made.rows.push_back({std::make_shared<const Key>(key), numbers});
    return made;
}

}  // namespace

TEST_CASE("what is written is read back, whatever names are", "[hub][usage]") {
    const TempDir dir;
    Rows rows;
    rows[{"dana", "FEED", "62"}] = {3, 3'723'456ms, 1'000'000, 2};
    rows[{"", "FEED", ""}] = {1, 0ms, 0, 0};
    rows[{"a,b\"c\"", "S \xE2\x82\xAC,", ""}] = {0, 1ms, 18'446'744'073'709'551'615u, 0};
    rows[kOthers] = {9, 1h, 9, 9};
    const std::string path = dir.write(fileNameOf(kDay), fileText(snapshotOf(kDay, rows)));
    Rows again;
    std::vector<std::string> faults;
    readFile(path, again, faults);
    CHECK(faults.empty());
    REQUIRE(again.size() == rows.size());
    for (const auto& [key, n] : rows) {
        INFO(key.user);
        CHECK(again[key].opened == n.opened);
        CHECK(again[key].held == n.held);
        CHECK(again[key].updates == n.updates);
        CHECK(again[key].snapshots == n.snapshots);
    }
    readFile(dir.file("missing"), again, faults);
    CHECK(faults.empty());
}

TEST_CASE("rows that are none are named with their line, and the others are read", "[hub][usage]") {
    const TempDir dir;
    const std::string head = "user,service,product,opened,seconds,updates,snapshots\n";
    const char* const bad[] = {"dana,FEED,62,1,2.000,3",
                               "dana,FEED,62,1,2.000,3,4,5",
                               "dana,FEED,62,-1,2.000,3,4",
                               "dana,FEED,62,1,2.0,3,4",
                               "dana,FEED,62,1,x.000,3,4",
                               "\"dana,FEED,62,1,2.000,3,4",
                               "\"dana\"x,FEED,62,1,2.000,3,4",
                               "",
                               "dana,FEED,62,1,99999999999.000,3,4",
                               "dana,FEED,62,1,2.000,3,99999999999999999999"};
    for (const char* const line : bad) {
        INFO(line);
        Rows rows;
        std::vector<std::string> faults;
        readFile(dir.write("f", head + "tess,FEED,,1,1.000,1,1\n" + line + "\nlast,FEED,,1,1.000,1,1\n"), rows, faults);
        REQUIRE(faults.size() == 1);
        CHECK(faults[0].find("f:3: ") != std::string::npos);
        CHECK(rows.size() == 2);
    }
    Rows rows;
    std::vector<std::string> faults;
    readFile(dir.write("f", "something else\n"), rows, faults);
    CHECK(faults.size() == 1);
    readFile(dir.write("f", head + "tess,FEED,,1,1.000,1,1"), rows, faults);  // torn
    CHECK(faults.size() == 2);
    CHECK(rows.empty());
}

TEST_CASE("a month is added up as a table, as comma-separated values, and as a page", "[hub][usage]") {
    const TempDir dir;
    Rows one, two;
    one[{"dana", "FEED", "62"}] = {1, 90min, 10, 0};
    two[{"dana", "FEED", "62"}] = {2, 30min, 5, 1};
    two[{"=cmd()", "<b>\"&", ""}] = {1, 0s, 1, 0};
    two[kOthers] = {4, 0s, 0, 0};
    dir.write(fileNameOf(kDay), fileText(snapshotOf(kDay, one)));
    dir.write(fileNameOf(kDay + 1), fileText(snapshotOf(kDay + 1, two)));
    dir.write(fileNameOf(kDay + 5), fileText(snapshotOf(kDay + 5, one)));  // of December
    dir.write("usage-2026-11-31.csv", "no day\n");
    dir.write("usage-2026-11-28.csv.new", "not whole\n");

    CHECK(isMonth("2026-11"));
    for (const char* const none : {"", "2026", "2026-13", "2026-1", "2026-11-01", "x026-11"})
        CHECK_FALSE(isMonth(none));
    const Report report = readReport(dir.file(""), "2026-11");
    CHECK(report.faults.empty());
    CHECK(report.byDay.size() == 2);
    CHECK(asTable(report) == "Use of items, 2026-11, 2 days with use\n\n"
                             "user      service  product  opened  hours  updates  snapshots\n"
                             "(others)                         4   0.00        0          0\n"
                             "=cmd()    <b>\"&                  1   0.00        1          0\n"
                             "dana      FEED     62            3   2.00       15          1\n"
                             "all                              8   2.00       16          1\n");
    const std::string csv = asCsv(report);
    CHECK(csv.find("2026-11-28,dana,FEED,62,1,5400.000,10,0\n") != std::string::npos);
    CHECK(csv.find("2026-11-29,dana,FEED,62,2,1800.000,5,1\n") != std::string::npos);
    CHECK(csv.find("2026-11-29,'=cmd(),\"<b>\"\"&\",,1,0.000,1,0\n") != std::string::npos);
    const std::string page = asHtml(report);
    CHECK(page.find("&lt;b&gt;&quot;&amp;") != std::string::npos);
    CHECK(page.find("<b>") == std::string::npos);
    CHECK(page.find("2026-11-29: 6 updates") != std::string::npos);
    CHECK(page.find("http") == std::string::npos);  // it needs nothing from elsewhere
    CHECK(readReport(dir.file(""), "").byDay.size() == 3);
    CHECK(asTable(readReport(dir.file(""), "2027-01")).find("0 days with use") != std::string::npos);
    CHECK(readReport(dir.file("missing"), "").faults.size() == 1);
    dir.write(fileNameOf(kDay), fileText(snapshotOf(kDay, one)) + "torn");
    const Report torn = readReport(dir.file(""), "2026-11");
    CHECK(torn.byDay.size() == 2);
    for (const std::string& text : {asTable(torn), asHtml(torn)})
        CHECK(text.find("2 days with use; incomplete, faults in the files: 1") != std::string::npos);
}
