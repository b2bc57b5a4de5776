// Log files: where the limit lies to the byte, what counts towards it, and records of several threads.
#include "support.h"

#include <csignal>
#include <fstream>
#include <thread>

#include <sys/resource.h>
#include <sys/stat.h>

using namespace emissary;
using namespace emissary::logging;
using namespace emissary::logging::test;

namespace {

LoggerSettings lines() {
    LoggerSettings s;
    s.fileName = "exact";
    s.format = LogFormat::line;
    s.includeDate = true;
    return s;
}

/// Bytes of one record of `lines()`; all records of the tests are equally long.
std::size_t recordBytes() {
    const std::size_t before = fs::exists(fileOfProcess("size")) ? fs::file_size(fileOfProcess("size")) : 0;
    LoggerSettings s = lines();
    s.fileName = "size";
    openLogger(s)->log("x", LogSeverity::error, "record");
    return fs::file_size(fileOfProcess("size")) - before;
}

void write(Logger& logger, int records) {
    for (int i = 0; i < records; ++i)
        logger.log("x", LogSeverity::error, "record");
}

}  // namespace

TEST_CASE("a log file is its owner's and group's, and nobody leads it elsewhere", "[logging]") {
    const TestFolder folder;
    const std::string name = fileOfProcess("exact");
    LoggerSettings s = lines();
    const auto refusal = [&] {
        std::string file;
        eta::Refused refused;
        CHECK(Logger::open(s, "x", file, refused) == nullptr);
        return refused.text;
    };
    SECTION("with a mode for owner and group, whatever the umask allows") {
        const mode_t before = ::umask(0);
        openLogger(s)->log("x", LogSeverity::error, "record");
        ::umask(before);
        CHECK(fs::status(name).permissions() ==
              (fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read));
    }
    SECTION("a link to a file, to nothing, and to itself") {
        for (const char* const target : {"precious", "nowhere", name.c_str()}) {
            INFO(target);
            { std::ofstream("precious") << "precious"; }
            fs::create_symlink(target, name);
            CHECK(refusal().find("symbolic link") != std::string::npos);
            CHECK(fs::file_size("precious") == 8);
            CHECK_FALSE(fs::exists("nowhere"));
            fs::remove(name);
        }
    }
    SECTION("a link in the place of the next file") {
        { std::ofstream("precious") << "precious"; }
        s.maxFileSize = static_cast<std::uint32_t>(2 * recordBytes());
        s.numberOfFiles = 2;
        fs::create_symlink("precious", "exact_2.log");
        const auto logger = openLogger(s);
        write(*logger, 4);
        CHECK(fs::file_size("precious") == 8);
        CHECK(fs::file_size("exact_1.log") > 2 * recordBytes());  // they go on where they were
    }
    SECTION("a pipe, which would wait for a reader") {
        REQUIRE(::mkfifo(name.c_str(), 0600) == 0);
        CHECK(refusal().find("no regular file") != std::string::npos);
    }
}

TEST_CASE("a record that ends at the limit still fits, one byte more does not", "[logging]") {
    const TestFolder folder;
    const std::size_t bytes = recordBytes();
    const std::string name = fileOfProcess("exact"), old = name + ".old";
    LoggerSettings s = lines();
    s.maxFileSize = static_cast<std::uint32_t>(3 * bytes);
    SECTION("a file that becomes the old one") {
        const auto logger = openLogger(s);
        write(*logger, 3);
        CHECK(fs::file_size(name) == 3 * bytes);
        CHECK_FALSE(fs::exists(old));
        write(*logger, 1);
        CHECK(fs::file_size(name) == bytes);
        CHECK(fs::file_size(old) == 3 * bytes);
    }
    SECTION("the same with a limit that is one byte lower") {
        s.maxFileSize -= 1;
        const auto logger = openLogger(s);
        write(*logger, 3);
        CHECK(fs::file_size(name) == bytes);
        CHECK(fs::file_size(old) == 2 * bytes);
    }
    SECTION("files in turn, the first of which begins anew") {
        s.numberOfFiles = 2;
        const auto logger = openLogger(s);
        write(*logger, 3);
        CHECK(fs::file_size("exact_1.log") == 3 * bytes);
        CHECK_FALSE(fs::exists("exact_2.log"));
        write(*logger, 3);
        CHECK(fs::file_size("exact_2.log") == 3 * bytes);
        write(*logger, 1);
        CHECK(fs::file_size("exact_1.log") == bytes);
        CHECK(fs::file_size("exact_2.log") == 3 * bytes);
    }
    SECTION("a file that ends there") {
        s.keepOldFile = false;
        const auto logger = openLogger(s);
        write(*logger, 5);
        CHECK(fs::file_size(name) == 3 * bytes);
        CHECK_FALSE(fs::exists(old));
    }
    SECTION("what was in the file before counts") {
        write(*openLogger(s), 2);
        const auto logger = openLogger(s);
        write(*logger, 1);
        CHECK(fs::file_size(name) == 3 * bytes);
        CHECK_FALSE(fs::exists(old));
        write(*logger, 1);
        CHECK(fs::file_size(name) == bytes);
    }
    SECTION("no limit") {
        s.maxFileSize = 0;
        write(*openLogger(s), 50);
        CHECK(fs::file_size(name) == 50 * bytes);
    }
}

TEST_CASE("a limit is there when nobody has chosen one", "[logging]") {
    const LoggerSettings s;
    CHECK(s.maxFileSize == 100'000'000);
    CHECK(s.keepOldFile);
    CHECK(s.peerRecordsPerMinute == 1200);
}

TEST_CASE("two threads that log at once write whole records, each in its order", "[logging]") {
    const TestFolder folder;
    LoggerSettings s = lines();
    SECTION("to one file") {}
    SECTION("to one file that is begun anew meanwhile") {
        s.maxFileSize = 20'000;
        s.numberOfFiles = 20;
    }
    constexpr int kRecords = 2000;
    {
        const auto first = openLogger(s, "A"), second = openLogger(s, "B");
        const auto run = [](Logger& logger, const std::string& text) {
            for (int i = 0; i < kRecords; ++i)
                logger.log("x", LogSeverity::error, text + std::to_string(i) + ".");
        };
        std::thread other([&] { run(*second, "second "); });
        run(*first, "first ");
        other.join();
    }
    std::string all;
    if (s.numberOfFiles == 0) all = contentOf(fileOfProcess("exact"));
    for (std::uint32_t i = 1; i <= s.numberOfFiles; ++i)
        if (const std::string name = "exact_" + std::to_string(i) + ".log"; fs::exists(name)) all += contentOf(name);
    CHECK(count(all, "\n") == 2 * kRecords);
    std::size_t firstAt = 0, secondAt = 0;
    for (int i = 0; i < kRecords; ++i) {
        firstAt = all.find(" Error A x: first " + std::to_string(i) + ".\n", firstAt);
        secondAt = all.find(" Error B x: second " + std::to_string(i) + ".\n", secondAt);
        REQUIRE(firstAt != std::string::npos);
        REQUIRE(secondAt != std::string::npos);
    }
}

TEST_CASE("a disk that is full loses records and nothing else", "[logging]") {
    const TestFolder folder;
    LoggerSettings s = lines();
    s.maxFileSize = 0;
    const auto logger = openLogger(s);
    write(*logger, 1);
    const auto size = fs::file_size(fileOfProcess("exact"));
    // The system takes no byte more, as on a disk without room.
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    const rlimit full{static_cast<rlim_t>(size), before.rlim_max};
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &full) == 0);
    write(*logger, 3);
    const bool wants = logger->wants(LogSeverity::error);
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
    std::signal(SIGXFSZ, handler);
    CHECK(wants);
    CHECK(fs::file_size(fileOfProcess("exact")) == size);
    write(*logger, 1);
    CHECK(fs::file_size(fileOfProcess("exact")) > size);
}

TEST_CASE("a file that was moved away is begun anew by whoever opens it next", "[logging]") {
    const TestFolder folder;
    const std::string name = fileOfProcess("exact");
    const auto first = openLogger(lines());
    write(*first, 1);
    fs::rename(name, "kept");
    write(*first, 1);
    CHECK(count(contentOf("kept"), "record") == 2);
    CHECK_FALSE(fs::exists(name));
    const auto second = openLogger(lines()), third = openLogger(lines());
    write(*second, 1);
    write(*third, 1);
    CHECK(count(contentOf("kept"), "record") == 2);
    CHECK(count(contentOf(name), "record") == 2);
}
