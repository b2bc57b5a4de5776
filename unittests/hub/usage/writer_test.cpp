// The thread that puts files of use in place: failures, recovery, and the latest of each day.
#include "hub/usage/DayWriter.h"
#include "hub/usage/usage_file.h"
#include "perftools/TempDir.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <filesystem>

using namespace emissary;
using namespace emissary::hub::usage;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kWriterDay = 20'785;

Snapshot of(std::int64_t day, std::uint64_t opened) {
    Snapshot made;
    made.day = day;
    made.rows.push_back({std::make_shared<const Key>(Key{"dana", "FEED", ""}), {opened, 0ns, 0, 0}});
    return made;
}

std::uint64_t openedIn(const std::string& path) {
    Rows rows;
    std::vector<std::string> faults;
    readFile(path, rows, faults);
    CHECK(faults.empty());
    return rows[{"dana", "FEED", ""}].opened;
}

}  // namespace

TEST_CASE("the latest of each day is in place when the writer has stopped", "[hub][usage]") {
    const perf::test::TempDir dir;
    DayWriter writer(dir.file(""), 5ms);
    writer.start();
    for (std::uint64_t i = 1; i <= 200; ++i)
        for (const std::int64_t day : {kWriterDay, kWriterDay + 1})
            writer.put(of(day, i));
    CHECK(writer.stop());
    for (const std::int64_t day : {kWriterDay, kWriterDay + 1})
        CHECK(openedIn(dir.file(fileNameOf(day))) == 200);
    CHECK(writer.takeNotes().empty());
}

TEST_CASE("what cannot be written stays, is named once, and is written later", "[hub][usage]") {
    const perf::test::TempDir dir;
    const std::string folder = dir.file("usage"), path = folder + "/" + fileNameOf(kWriterDay);
    std::string reason;
    SECTION("a folder that is away") {
        reason = "No such file or directory";
    }
    SECTION("something in the way") {
        std::filesystem::create_directory(folder);
        std::filesystem::create_directory(path + ".new");
        reason = "Is a directory";
    }
    DayWriter writer(folder, 2ms);
    writer.start();
    writer.put(of(kWriterDay, 1));
    REQUIRE(test::eventually([&] { return writer.counts().failures >= 3; }));
    CHECK(writer.counts().failing == 1);
    writer.put(of(kWriterDay, 2));
    const auto notes = writer.takeNotes();
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].failure);
    CHECK(notes[0].text.find(reason) != std::string::npos);
    std::filesystem::remove(path + ".new");
    std::filesystem::create_directory(folder);
    REQUIRE(test::eventually([&] { return writer.counts().failing == 0 && std::filesystem::exists(path); }));
    CHECK(writer.takeNotes().size() == 1);
    CHECK(writer.stop());
    CHECK(openedIn(path) == 2);
}

TEST_CASE("a writer that ends without success says so", "[hub][usage]") {
    const perf::test::TempDir dir;
    DayWriter writer(dir.file("missing"), 1h);
    writer.start();
    writer.put(of(kWriterDay, 1));
    CHECK_FALSE(writer.stop());
    CHECK(writer.takeNotes().size() == 1);
}
