// Files of the audit log: days, sizes, what a crash left, folders that go away, disks that are full.
#include "hub/audit/DayFiles.h"
#include "perftools/TempDir.h"
#include "support/catch.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/resource.h>

using namespace emissary;
using hub::audit::DayFileRules;
using hub::audit::DayFiles;
using perf::test::TempDir;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kDay = 20'785;  // 2026-11-28

struct FilesRig {
    TempDir dir;
    std::string folder = dir.file("log");
    FilesRig() { fs::create_directory(folder); }

    [[nodiscard]] DayFileRules rules(std::uint64_t bytes = 1u << 20, std::uint32_t files = 0) const {
        return {folder, bytes, files};
    }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".jsonl") all.push_back(entry.path().filename().string());
        std::ranges::sort(all);
        return all;
    }
    [[nodiscard]] std::string text(const std::string& name) const {
        std::ostringstream out;
        out << std::ifstream(folder + "/" + name).rdbuf();
        return out.str();
    }
    /// All files in their order.
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const std::string& name : names())
            all += text(name);
        return all;
    }
};

[[nodiscard]] std::size_t put(DayFiles& files, std::int64_t day, const std::vector<std::string>& lines) {
    std::string text;
    std::vector<std::size_t> ends;
    for (const std::string& line : lines) {
        text += line + "\n";
        ends.push_back(text.size());
    }
    return files.write(day, text, ends);
}

/// A limit on the size of files, as a full disk would be one; SIGXFSZ does not end the test.
class SmallFiles {
public:
    explicit SmallFiles(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        set(bytes);
    }
    ~SmallFiles() { end(); }
    SmallFiles(const SmallFiles&) = delete;
    SmallFiles& operator=(const SmallFiles&) = delete;
    void set(rlim_t bytes) const {
        rlimit now = before_;
        now.rlim_cur = bytes;
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &now) == 0);
    }
    void end() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

}  // namespace

TEST_CASE("a new file begins each day, and none when the clock goes back", "[hub][audit]") {
    const FilesRig r;
    DayFiles files(r.rules());
    REQUIRE_FALSE(files.open(kDay));
    CHECK(put(files, kDay, {"one", "two"}) == 2);
    CHECK(put(files, kDay + 1, {"three"}) == 1);
    CHECK(put(files, kDay, {"four"}) == 1);
    CHECK(put(files, kDay - 400, {"five"}) == 1);
    CHECK(put(files, kDay + 2, {"six"}) == 1);
    CHECK(r.names() == std::vector<std::string>{"audit-2026-11-28-00001.jsonl", "audit-2026-11-29-00001.jsonl",
                                                "audit-2026-11-30-00001.jsonl"});
    CHECK(r.text() == "one\ntwo\nthree\nfour\nfive\nsix\n");
    CHECK(r.text("audit-2026-11-29-00001.jsonl") == "three\nfour\nfive\n");
}

TEST_CASE("a file that would become too large gives way to the next, and the oldest go", "[hub][audit]") {
    const FilesRig r;
    std::ofstream(r.folder + "/audit-notes.txt") << "somebody's own";
    std::ofstream(r.folder + "/audit-2026-13-45-00001.jsonl") << "no date";
    DayFiles files(r.rules(20, 3));
    REQUIRE_FALSE(files.open(kDay));
    std::vector<std::string> lines;
    for (int i = 100; i < 130; ++i)
        lines.push_back("line " + std::to_string(i));  // nine bytes: two in a file
    CHECK(put(files, kDay, lines) == lines.size());
    CHECK(put(files, kDay, {"a line that is longer than a file may be"}) == 1);
    CHECK(files.removed() == 13);
    const std::vector<std::string> kept = r.names();
    REQUIRE(kept.size() == 4);  // and the one without a date
    CHECK(kept[0] == "audit-2026-11-28-00014.jsonl");
    CHECK(r.text(kept[0]) == "line 126\nline 127\n");
    CHECK(r.text(kept[1]) == "line 128\nline 129\n");
    CHECK(r.text(kept[2]) == "a line that is longer than a file may be\n");
    CHECK(fs::exists(r.folder + "/audit-notes.txt"));
}

TEST_CASE("the latest file goes on after a restart, with what a crash left told apart", "[hub][audit]") {
    const FilesRig r;
    {
        DayFiles files(r.rules());
        REQUIRE_FALSE(files.open(kDay));
        CHECK(files.lastLine().empty());
        CHECK(put(files, kDay, {"one", "two"}) == 2);
    }
    std::ofstream(r.folder + "/audit-2026-11-28-00001.jsonl", std::ios::app) << "tor";
    for (const std::int64_t today : {kDay, kDay - 3}) {
        DayFiles files(r.rules());
        REQUIRE_FALSE(files.open(today));
        CHECK(files.lastLine() == (today == kDay ? "two" : "three"));
        if (today == kDay) CHECK(put(files, today, {"three"}) == 1);
    }
    CHECK(r.text() == "one\ntwo\ntor\nthree\n");
    CHECK(r.names().size() == 1);
}

TEST_CASE("a folder has one writer, and says what is wrong with it", "[hub][audit]") {
    const FilesRig r;
    DayFiles files(r.rules());
    REQUIRE_FALSE(files.open(kDay));
    DayFiles second(r.rules());
    CHECK(second.open(kDay).text.find("another process writes into this folder") != std::string::npos);
    DayFiles nowhere({r.folder + "/missing"});
    CHECK(nowhere.open(kDay).text.find("No such file or directory") != std::string::npos);
    CHECK(put(files, kDay, {"one"}) == 1);
}

TEST_CASE("a file that was moved away, and a folder that was, are made anew", "[hub][audit]") {
    const FilesRig r;
    DayFiles files(r.rules());
    REQUIRE_FALSE(files.open(kDay));
    CHECK(put(files, kDay, {"one"}) == 1);
    fs::rename(r.folder + "/audit-2026-11-28-00001.jsonl", r.folder + "/old");
    CHECK(put(files, kDay, {"two"}) == 1);
    CHECK(r.text("old") == "one\n");
    CHECK(r.text() == "two\n");

    fs::rename(r.folder, r.folder + ".away");
    CHECK(put(files, kDay, {"three"}) == 0);
    CHECK(files.failure().find(r.folder) != std::string::npos);
    CHECK(files.failure().find("No such file or directory") != std::string::npos);
    fs::create_directory(r.folder);
    CHECK(put(files, kDay, {"three"}) == 1);
    CHECK(r.text() == "three\n");
    DayFiles second(r.rules());
    CHECK(second.open(kDay));  // the new folder is held too
}

TEST_CASE("a limit on the size of files divides no line", "[hub][audit]") {
    const FilesRig r;
    DayFiles files(r.rules());
    REQUIRE_FALSE(files.open(kDay));
    SmallFiles limit(22);
    std::vector<std::string> lines;
    for (int i = 100; i < 110; ++i)
        lines.push_back("line " + std::to_string(i));
    CHECK(put(files, kDay, lines) == lines.size());
    for (const std::string& name : r.names())
        CHECK(r.text(name).size() == 18);
    // Where not even one fits, it waits for better times.
    limit.set(5);
    CHECK(put(files, kDay, {"line 110", "line 111"}) == 0);
    CHECK(files.failure().find("File too large") != std::string::npos);
    CHECK(put(files, kDay, {"line 110", "line 111"}) == 0);
    const std::size_t before = r.names().size();
    limit.end();
    CHECK(put(files, kDay, {"line 110", "line 111"}) == 2);
    CHECK(r.names().size() == before);
    std::string all;
    for (int i = 100; i < 112; ++i)
        all += "line " + std::to_string(i) + "\n";
    CHECK(r.text() == all);
}

TEST_CASE("a full disk is named, and its lines come when there is room", "[hub][audit]") {
    const FilesRig r;
    const std::string file = r.folder + "/audit-2026-11-28-00001.jsonl";
    fs::create_symlink("/dev/full", file);
    DayFiles files(r.rules());
    REQUIRE_FALSE(files.open(kDay));
    CHECK(put(files, kDay, {"one"}) == 0);
    CHECK(files.failure().find("No space left on device") != std::string::npos);
    CHECK(put(files, kDay, {"one", "two"}) == 0);
    fs::remove(file);
    CHECK(put(files, kDay, {"one", "two"}) == 2);
    CHECK(r.text() == "one\ntwo\n");
}
