// Sinks of the application: what they get, what they may do, and what happens when they fail.
#include "support.h"

#include <atomic>
#include <stdexcept>
#include <thread>

using namespace emissary;
using namespace emissary::logging;
using namespace emissary::logging::test;

TEST_CASE("a sink gets the records in the place of a file", "[logging][sink]") {
    const TestFolder folder;
    const auto sink = std::make_shared<NotingSink>();
    LoggerSettings s = to(sink);
    s.severity = LogSeverity::warning;
    const auto before = std::chrono::system_clock::now();
    const auto logger = openLogger(s, "Provider_1");
    logger->log("A", LogSeverity::success, "not this one");
    logger->log("A", LogSeverity::warning, "one\ntwo");
    logger->log("B", LogSeverity::error, "");
    REQUIRE(sink->kept.size() == 2);
    CHECK(sink->kept[0].severity == LogSeverity::warning);
    CHECK(sink->kept[0].instance == "Provider_1");
    CHECK(sink->kept[0].component == "A");
    CHECK(sink->kept[0].text == "one\ntwo");
    CHECK(sink->kept[1].severity == LogSeverity::error);
    CHECK(sink->kept[1].text.empty());
    CHECK(std::chrono::system_clock::now() >= before);
    CHECK(fs::is_empty("."));
    CHECK(severityName(LogSeverity::none) == "NoLogMsg");
}

TEST_CASE("calls of one sink come one at a time, from any number of instances and threads", "[logging][sink]") {
    struct Checking : LogSink {
        void write(const LogRecord&) override {
            if (busy.exchange(true)) overlapped = true;
            ++calls;
            busy = false;
        }
        std::atomic<bool> busy{false}, overlapped{false};
        int calls = 0;  // guarded by what is tested
    };
    const auto sink = std::make_shared<Checking>();
    constexpr int kRecords = 5000;
    const auto first = openLogger(to(sink), "A"), second = openLogger(to(sink), "B");
    const auto run = [](Logger& logger) {
        for (int i = 0; i < kRecords; ++i)
            logger.log("x", LogSeverity::error, "record");
    };
    std::thread other([&] { run(*first); });
    run(*second);
    other.join();
    CHECK_FALSE(sink->overlapped);
    CHECK(sink->calls == 2 * kRecords);
}

TEST_CASE("a sink that throws loses records, and is told of it when it takes them again", "[logging][sink]") {
    struct Throwing : NotingSink {
        void write(const LogRecord& r) override {
            ++calls;
            if (fails) throw std::runtime_error("no room\x1b");
            if (failsOddly) throw 17;
            NotingSink::write(r);
        }
        bool fails = true, failsOddly = false;
        int calls = 0;
    };
    const auto sink = std::make_shared<Throwing>();
    const auto logger = openLogger(to(sink));
    for (int i = 0; i < 3; ++i)
        logger->log("x", LogSeverity::error, "lost");
    CHECK(sink->calls == 3);
    CHECK(sink->kept.empty());
    sink->fails = false;
    logger->log("x", LogSeverity::error, "back");
    REQUIRE(sink->kept.size() == 2);
    CHECK(sink->kept[0].component == "Logger");
    CHECK(sink->kept[0].severity == LogSeverity::warning);
    CHECK(sink->kept[0].text == "3 records were lost: the sink of the application threw: no room\\x1B");
    CHECK(sink->kept[1].text == "back");
    sink->failsOddly = true;
    logger->log("x", LogSeverity::error, "lost");
    sink->failsOddly = false;
    logger->log("x", LogSeverity::error, "back");
    REQUIRE(sink->kept.size() == 4);
    CHECK(sink->kept[2].text == "1 records were lost: the sink of the application threw");
}

TEST_CASE("a sink that logs gets no records of its own making", "[logging][sink]") {
    const TestFolder folder;
    struct Logging : NotingSink {
        void write(const LogRecord& r) override {
            NotingSink::write(r);
            if (!logs) return;
            own->log("x", LogSeverity::error, "from inside");
            other->log("x", LogSeverity::error, "from inside");
        }
        std::shared_ptr<Logger> own, other;
        bool logs = true;
    };
    const auto sink = std::make_shared<Logging>();
    sink->own = openLogger(to(sink));
    sink->other = openLogger({});
    sink->own->log("x", LogSeverity::error, "one");
    REQUIRE(sink->kept.size() == 1);
    sink->logs = false;
    sink->own->log("x", LogSeverity::error, "two");
    REQUIRE(sink->kept.size() == 3);
    CHECK(sink->kept[1].text == "1 records were lost: they were made inside the sink");
    CHECK(sink->kept[2].text == "two");
    CHECK(contentOf(fileOfProcess("emaLog")).empty());
    sink->own.reset();
    sink->other.reset();
}

TEST_CASE("a sink lives as long as a logger, whoever lets go of it first", "[logging][sink]") {
    struct Watched : LogSink {
        explicit Watched(bool& gone) : gone_(gone) {}
        ~Watched() override { gone_ = true; }
        void write(const LogRecord&) override { self.reset(); }
        std::shared_ptr<LogSink> self;
        bool& gone_;
    };
    bool gone = false;
    auto sink = std::make_shared<Watched>(gone);
    sink->self = sink;
    auto logger = openLogger(to(sink)), second = openLogger(to(sink));
    sink.reset();
    logger->log("x", LogSeverity::error, "lets go of itself");
    CHECK_FALSE(gone);
    logger.reset();
    CHECK_FALSE(gone);
    second->log("x", LogSeverity::error, "still there");
    second.reset();
    CHECK(gone);
}
