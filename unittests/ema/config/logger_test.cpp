// The logger: layout of records, thresholds, file names, size limits.
#include "logging/Logger.h"
#include "support.h"

#include <unistd.h>

using namespace emissary::ema;
using namespace emissary::ema::test;
using emissary::logging::Logger;

namespace {

std::shared_ptr<Logger> openLogger(const LoggerSettings& s, const std::string& instance = "Consumer_1_1") {
    std::string file;
    emissary::eta::Refused refused;
    std::shared_ptr<Logger> logger = Logger::open(s, instance, file, refused);
    INFO(refused.text);
    REQUIRE(logger);
    return logger;
}

std::string fileOfProcess(const std::string& base) {
    return base + "_" + std::to_string(getpid()) + ".log";
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++n;
    return n;
}

}  // namespace

TEST_CASE("a record has the documented layout", "[config][logger]") {
    const TestFolder folder;
    LoggerSettings s;
    const auto written = [&] {
        openLogger(s, "Consumer_A")->log("ChannelCallbackClient", LogSeverity::success, "first line\nsecond line");
        std::string text = contentOf(fileOfProcess("emaLog"));
        for (char& c : text)
            if (c >= '0' && c <= '9') c = '0';  // whatever the time is
        return text;
    };
    const std::string rest = "\n    ClientName: ChannelCallbackClient\n    Severity: Success\n"
                             "    Text:    first line\n\tsecond line\n\tInstance Name Consumer_A\nloggerMsgEnd\n\n";
    SECTION("with the time") {
        CHECK(written() == "loggerMsg\n    TimeStamp: 00:00:00.000" + rest);
    }
    SECTION("with the date too") {
        s.includeDate = true;
        CHECK(written() == "loggerMsg\n    TimeStamp: 0000/00/00 00:00:00.000" + rest);
    }
}

TEST_CASE("records below the severity are not written", "[config][logger]") {
    const TestFolder folder;
    const LogSeverity levels[] = {LogSeverity::verbose, LogSeverity::success, LogSeverity::warning, LogSeverity::error};
    for (const LogSeverity threshold :
         {LogSeverity::verbose, LogSeverity::success, LogSeverity::warning, LogSeverity::error, LogSeverity::none}) {
        LoggerSettings s;
        s.severity = threshold;
        s.fileName = "level" + std::to_string(static_cast<int>(threshold));
        const auto logger = openLogger(s);
        for (const LogSeverity level : levels) {
            CHECK(logger->wants(level) == (level >= threshold));
            logger->log("x", level, "y");
        }
        logger->log("x", LogSeverity::none, "never");
        CHECK(count(contentOf(fileOfProcess(s.fileName)), "loggerMsgEnd\n") == 4u - static_cast<unsigned>(threshold));
    }
}

TEST_CASE("instances naming one file share it", "[config][logger]") {
    const TestFolder folder;
    LoggerSettings s;
    s.fileName = "shared";
    const auto a = openLogger(s, "A_1"), b = openLogger(s, "B_2");
    a->log("x", LogSeverity::error, "one");
    b->log("x", LogSeverity::error, "two");
    a->log("x", LogSeverity::error, "three");
    const std::string text = contentOf(fileOfProcess("shared"));
    CHECK(count(text, "Instance Name A_1\n") == 2);
    CHECK(count(text, "Instance Name B_2\n") == 1);
    CHECK(text.find("one") < text.find("two"));
    CHECK(text.find("two") < text.find("three"));
}

TEST_CASE("a file is opened for append", "[config][logger]") {
    const TestFolder folder;
    for (int i = 0; i < 2; ++i)
        openLogger({})->log("x", LogSeverity::error, "again");
    CHECK(count(contentOf(fileOfProcess("emaLog")), "again") == 2);
}

TEST_CASE("writing stops at the size limit when there is one file", "[config][logger]") {
    const TestFolder folder;
    LoggerSettings s;
    s.maxFileSize = 1000;
    s.keepOldFile = false;
    const auto logger = openLogger(s);
    for (int i = 0; i < 100; ++i)
        logger->log("x", LogSeverity::error, "record " + std::to_string(i));
    const std::string text = contentOf(fileOfProcess("emaLog"));
    CHECK(text.size() <= 1000);
    CHECK(text.size() > 700);
    CHECK(text.find("record 0\n") != std::string::npos);
    CHECK(text.find("record 99\n") == std::string::npos);
}

TEST_CASE("a file whose size nobody has chosen goes on in another when it is full", "[config][logger]") {
    const TestFolder folder;
    LoggerSettings s;
    s.maxFileSize = 1000;
    s.keepOldFile = true;
    const auto logger = openLogger(s);
    for (int i = 0; i < 100; ++i)
        logger->log("x", LogSeverity::error, "record " + std::to_string(i));
    const std::string name = fileOfProcess("emaLog");
    CHECK(fs::file_size(name) <= 1000);
    CHECK(fs::file_size(name + ".old") <= 1000);
    const std::string all = contentOf(name + ".old") + contentOf(name);
    CHECK(all.find("record 99\n") != std::string::npos);
    CHECK(all.find("record 98\n") != std::string::npos);
    CHECK(all.find("record 0\n") == std::string::npos);
    CHECK(std::distance(fs::directory_iterator("."), fs::directory_iterator{}) == 2);
}

TEST_CASE("several files are written in turn", "[config][logger]") {
    const TestFolder folder;
    LoggerSettings s;
    s.fileName = "turn";
    s.maxFileSize = 500;
    s.numberOfFiles = 3;
    const auto logger = openLogger(s);
    logger->log("x", LogSeverity::error, "record 0");
    CHECK(fs::exists("turn_1.log"));
    CHECK_FALSE(fs::exists("turn_2.log"));
    for (int i = 1; i < 100; ++i)
        logger->log("x", LogSeverity::error, "record " + std::to_string(i));
    std::string all;
    for (const char* file : {"turn_1.log", "turn_2.log", "turn_3.log"}) {
        CHECK(fs::file_size(file) <= 500);
        all += contentOf(file);
    }
    CHECK_FALSE(fs::exists("turn_4.log"));
    CHECK_FALSE(fs::exists(fileOfProcess("turn")));
    CHECK(all.find("record 99\n") != std::string::npos);  // the newest records are there,
    CHECK(all.find("record 98\n") != std::string::npos);
    CHECK(all.find("record 0\n") == std::string::npos);  // the oldest were overwritten
}

TEST_CASE("a log file that cannot be opened is an answer, not an exception", "[config][logger]") {
    const TestFolder folder;
    LoggerSettings s;
    s.fileName = "no/such/folder/log";
    std::string file;
    emissary::eta::Refused refused;
    CHECK(Logger::open(s, "A_1", file, refused) == nullptr);
    CHECK(file == fileOfProcess("no/such/folder/log"));
    CHECK(holdsAll(refused.text, {file, "No such file"}));
}

TEST_CASE("a rotation that fails is tried again, and said once", "[config][logger]") {
    const TestFolder folder;
    LoggerSettings s;
    s.fileName = "turn";
    s.maxFileSize = 2000;
    s.numberOfFiles = 2;
    fs::create_directory("turn_2.log");  // cannot be opened for writing, whoever runs the test
    const auto logger = openLogger(s);
    for (int i = 0; i < 100; ++i)
        logger->log("x", LogSeverity::error, "record " + std::to_string(i));
    const std::string first = contentOf("turn_1.log");
    CHECK(count(first, "cannot begin the next log file [turn_2.log]") == 1);
    CHECK(first.size() > 2000);
    CHECK(first.size() <= 4000);  // goes on, and yet is bounded
    const std::size_t kept = count(first, "    Text:    record ");

    fs::remove("turn_2.log");
    logger->log("x", LogSeverity::error, "back again");
    const std::string second = contentOf("turn_2.log");
    CHECK(count(second, "back again") == 1);
    CHECK(count(second, std::to_string(100 - kept) + " records were lost") == 1);
    for (int i = 0; i < 20; ++i)
        logger->log("x", LogSeverity::error, "onward " + std::to_string(i));
    CHECK(count(contentOf("turn_1.log"), "cannot begin") == 0);  // written anew in its turn
}

TEST_CASE("a full file that cannot make room for its successor is tried again, and said once", "[config][logger]") {
    const TestFolder folder;
    LoggerSettings s;
    s.fileName = "own";
    s.maxFileSize = 2000;
    s.keepOldFile = true;
    const std::string own = fileOfProcess("own"), old = own + ".old";
    fs::create_directories(old + "/not empty");  // no file takes its place, whoever runs the test
    const auto logger = openLogger(s);
    for (int i = 0; i < 100; ++i)
        logger->log("x", LogSeverity::error, "record " + std::to_string(i));
    CHECK(count(contentOf(own), "cannot begin the next log file [" + own + "]") == 1);
    CHECK(fs::file_size(own) > 2000);
    CHECK(fs::file_size(own) <= 4000);
    fs::remove_all(old);
    logger->log("x", LogSeverity::error, "back again");
    CHECK(count(contentOf(own), "back again") == 1);
    CHECK(count(contentOf(old), "record 0\n") == 1);
}

TEST_CASE("control characters of peers do not reach the log", "[config][logger]") {
    const TestFolder folder;
    openLogger({})->log("x", LogSeverity::error,
                        std::string("\x1b[31mred\x07 \xc2\x9b \xff gr\xc3\xbc\xc3\x9f\ttab\nline"));
    const std::string text = contentOf(fileOfProcess("emaLog"));
    CHECK(count(text, "\\x1B[31mred\\x07 \\xC2\\x9B \\xFF gr\xc3\xbc\xc3\x9f\ttab\n\tline\n") == 1);
}
