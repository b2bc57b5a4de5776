// How a record looks in each format, and that nothing of a peer steers a terminal in any of them.
#include "formats.h"
#include "support.h"

#include <cstdlib>
#include <ctime>

using namespace emissary;
using namespace emissary::logging;
using namespace emissary::logging::test;
using namespace std::string_literals;

namespace {

/// 2024-02-09 13:02:33.125 UTC.
const auto kTime = std::chrono::system_clock::from_time_t(1707483753) + std::chrono::milliseconds(125);

/// Local time is that of UTC while it lives.
struct Utc {
    Utc() { setenv("TZ", "UTC0", 1), tzset(); }
    ~Utc() { unsetenv("TZ"), tzset(); }
};

LogRecord record(std::string_view text) {
    return {kTime, LogSeverity::warning, "Consumer_1_1", "ChannelCallbackClient", text};
}

/// Escape sequences in 7 and 8 bits, line breaks, a NUL, a C1 control as UTF-8, and broken UTF-8: cut short, overlong,
/// a surrogate.
const std::string kHostile = "\x1b[2J \x9b"
                             "31m \r\n\0 \xc2\x9b \xe2\x82 \xc0\xaf \xed\xa0\x80 end"s;

}  // namespace

TEST_CASE("the block of the EMA API", "[logging]") {
    const Utc utc;
    CHECK(formatted(record("one\ntwo"), {LogFormat::ema, false, true}) ==
          "loggerMsg\n    TimeStamp: 13:02:33.125\n    ClientName: ChannelCallbackClient\n    Severity: Warning\n"
          "    Text:    one\n\ttwo\n\tInstance Name Consumer_1_1\nloggerMsgEnd\n\n");
    CHECK(count(formatted(record("x"), {LogFormat::ema, true, true}), "TimeStamp: 2024/02/09 13:02:33.125\n") == 1);
}

TEST_CASE("a record as one line", "[logging]") {
    const Utc utc;
    CHECK(formatted(record("one"), {LogFormat::line, false, true}) ==
          "13:02:33.125 Warning Consumer_1_1 ChannelCallbackClient: one\n");
    CHECK(formatted(record("one"), {LogFormat::line, true, false}) ==
          "2024/02/09 13:02:33.125 Warning ChannelCallbackClient: one\n");
    SECTION("further lines follow behind a bar") {
        const RecordForm form{LogFormat::line, false, false};
        CHECK(formatted(record("one\n\ttwo \r\n  three\tfour  five"), form) ==
              "13:02:33.125 Warning ChannelCallbackClient: one | two | three four  five\n");
    }
}

TEST_CASE("a record as a JSON object on a line", "[logging]") {
    CHECK(formatted(record("a \"quoted\" back\\slash\n\ttab"), {LogFormat::json, false, true}) ==
          "{\"time\":\"2024-02-09T13:02:33.125Z\",\"severity\":\"Warning\",\"instance\":\"Consumer_1_1\","
          "\"component\":\"ChannelCallbackClient\",\"text\":\"a \\\"quoted\\\" back\\\\slash\\n\\ttab\"}\n");
}

TEST_CASE("times before 1970 and at a full second", "[logging]") {
    LogRecord r = record("x");
    r.time = std::chrono::system_clock::from_time_t(0) - std::chrono::milliseconds(1);
    CHECK(count(formatted(r, {LogFormat::json, false, true}), "\"1969-12-31T23:59:59.999Z\"") == 1);
    r.time = std::chrono::system_clock::from_time_t(0);
    CHECK(count(formatted(r, {LogFormat::json, false, true}), "\"1970-01-01T00:00:00.000Z\"") == 1);
}

TEST_CASE("texts of peers steer no terminal, whatever the format", "[logging]") {
    const auto sink = std::make_shared<NotingSink>();
    openLogger(to(sink), "inst\x1b\n")->log("comp\x9b\n", LogSeverity::error, kHostile);
    REQUIRE(sink->kept.size() == 1);
    const NotingSink::Kept& got = sink->kept[0];
    CHECK(got.instance == "inst\\x1B\\x0A");
    CHECK(got.component == "comp\\x9B\\x0A");
    CHECK(got.text == "\\x1B[2J \\x9B31m \n\\x00 \\xC2\\x9B \\xE2\\x82 \\xC0\\xAF \\xED\\xA0\\x80 end");
    for (const LogFormat format : {LogFormat::ema, LogFormat::line, LogFormat::json}) {
        const std::string shown =
            formatted({kTime, got.severity, got.instance, got.component, got.text}, {format, true, true});
        for (const char c : shown) {
            const auto byte = static_cast<unsigned char>(c);
            const bool layout = c == '\n' || c == '\t';
            CHECK(((byte >= 0x20 && byte < 0x7F) || layout));
        }
        if (format != LogFormat::ema) CHECK(count(shown, "\n") == 1);
    }
}

TEST_CASE("a peer cannot make its text look like a record of its own", "[logging]") {
    const TestFolder folder;
    openLogger({})->log("x", LogSeverity::error, "bad\nloggerMsgEnd\n\nloggerMsg\n    TimeStamp: 00:00:00.000");
    const std::string text = contentOf(fileOfProcess("emaLog"));
    CHECK(count("\n" + text, "\nloggerMsg\n") == 1);
    CHECK(count("\n" + text, "\nloggerMsgEnd\n") == 1);
}

TEST_CASE("standard error is written in the chosen format", "[logging]") {
    const TestFolder folder;
    {
        const CapturedStderr captured("err");
        LoggerSettings s;
        s.target = LogTarget::standardError;
        s.format = LogFormat::json;
        openLogger(s)->log("x", LogSeverity::error, "to whom it may concern");
    }
    const std::string text = contentOf("err");
    CHECK(count(text, "\"text\":\"to whom it may concern\"}\n") == 1);
    CHECK(std::distance(fs::directory_iterator("."), fs::directory_iterator{}) == 1);
}
