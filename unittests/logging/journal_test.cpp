// Records to a journal: a socket of the test's own takes its place.
#include "Journal.h"
#include "support.h"

#include <cstring>
#include <map>
#include <optional>

#include <sys/socket.h>

using namespace emissary;
using namespace emissary::logging;
using namespace emissary::logging::test;

namespace {

/// Receives at a name, as the journal does.
class FakeJournal {
public:
    explicit FakeJournal(const std::string& path) : fd_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        REQUIRE(bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    }
    ~FakeJournal() { close(fd_); }
    FakeJournal(const FakeJournal&) = delete;
    FakeJournal& operator=(const FakeJournal&) = delete;

    using Fields = std::map<std::string, std::string>;
    /// The fields of the next datagram; nothing when there is none.
    [[nodiscard]] std::optional<Fields> next() {
        std::string raw(1u << 20, '\0');
        const ssize_t n = recv(fd_, raw.data(), raw.size(), 0);
        if (n < 0) return {};
        raw.resize(static_cast<std::size_t>(n));
        Fields out;
        for (std::size_t at = 0; at < raw.size();) {
            const std::size_t end = raw.find_first_of("=\n", at);
            REQUIRE(end != std::string::npos);
            const std::string name = raw.substr(at, end - at);
            std::size_t begin = end + 1, length = 0;
            if (raw[end] == '=') {
                length = raw.find('\n', begin) - begin;
            } else {
                std::uint64_t told = 0;
                for (std::size_t i = 8; i-- > 0;)
                    told = told << 8 | static_cast<unsigned char>(raw.at(begin + i));
                length = told;
                begin += 8;
            }
            out[name] = raw.substr(begin, length);
            REQUIRE(raw.at(begin + length) == '\n');
            at = begin + length + 1;
        }
        return out;
    }

private:
    int fd_;
};

LoggerSettings journal(const std::string& path) {
    LoggerSettings s;
    s.target = LogTarget::journal;
    s.journalSocket = path;
    s.severity = LogSeverity::verbose;
    return s;
}

}  // namespace

TEST_CASE("a record is a datagram of fields", "[logging][journal]") {
    const TestFolder folder;
    FakeJournal there("socket");
    const auto logger = openLogger(journal("socket"), "Provider_1");
    logger->log("ServerChannelHandler", LogSeverity::error, "one line");
    auto got = there.next();
    REQUIRE(got);
    CHECK((*got)["MESSAGE"] == "one line");
    CHECK((*got)["PRIORITY"] == "3");
    CHECK((*got)["EMISSARY_INSTANCE"] == "Provider_1");
    CHECK((*got)["EMISSARY_COMPONENT"] == "ServerChannelHandler");
    CHECK((*got)["SYSLOG_IDENTIFIER"] == program_invocation_short_name);
    CHECK(got->size() == 5);
    SECTION("several lines keep their lengths, and look like no field") {
        const std::string text = "first\nPRIORITY=0\n\tthird";
        logger->log("x", LogSeverity::warning, text);
        got = there.next();
        REQUIRE(got);
        CHECK((*got)["MESSAGE"] == text);
        CHECK((*got)["PRIORITY"] == "4");
    }
    SECTION("severities") {
        logger->log("x", LogSeverity::success, "s");
        logger->log("x", LogSeverity::verbose, "v");
        CHECK((*there.next())["PRIORITY"] == "6");
        CHECK((*there.next())["PRIORITY"] == "7");
    }
    SECTION("control characters are spelled out") {
        logger->log("x", LogSeverity::error, std::string_view("\x1b[2J\0\x9b", 6));
        CHECK((*there.next())["MESSAGE"] == "\\x1B[2J\\x00\\x9B");
    }
    SECTION("a text that is too long ends in front of a character, and says so") {
        std::string text(Journal::kLongestText - 1, 'a');
        logger->log("x", LogSeverity::error, text + "b");
        CHECK((*there.next())["MESSAGE"] == text + "b");
        logger->log("x", LogSeverity::error, text + "\xc3\xa9zz");
        CHECK((*there.next())["MESSAGE"] == text + " (and 4 bytes more)");
    }
    CHECK_FALSE(there.next());
}

TEST_CASE("without a journal records go to standard error", "[logging][journal]") {
    const TestFolder folder;
    const auto written = [](const std::string& path) {
        {
            const CapturedStderr captured("err");
            LoggerSettings s = journal(path);
            s.format = LogFormat::line;
            openLogger(s)->log("x", LogSeverity::error, "all the same");
        }
        return contentOf("err");
    };
    SECTION("because nothing is there") {
        const std::string text = written("nothing");
        CHECK(count(text, "Warning Consumer_1_1 Logger: there is no journal at [nothing]: No such file") == 1);
        CHECK(count(text, "Error Consumer_1_1 x: all the same\n") == 1);
    }
    SECTION("because nobody listens") {
        { const FakeJournal gone("socket"); }
        CHECK(count(written("socket"), "Connection refused; records go to standard error") == 1);
    }
    SECTION("because the name is too long") {
        CHECK(count(written(std::string(200, 'n')), "is longer than a socket's name may be") == 1);
    }
}

TEST_CASE("a journal that does not read holds nobody up", "[logging][journal]") {
    const TestFolder folder;
    FakeJournal there("socket");
    const auto logger = openLogger(journal("socket"));
    constexpr int kRecords = 5000;  // far more than a queue of datagrams holds
    for (int i = 0; i < kRecords; ++i)
        logger->log("x", LogSeverity::error, "record");
    int received = 0;
    while (there.next())
        ++received;
    CHECK(received > 0);
    REQUIRE(received < kRecords);
    logger->log("x", LogSeverity::error, "back");
    auto said = there.next();
    REQUIRE(said);
    CHECK((*said)["MESSAGE"] ==
          std::to_string(kRecords - received) + " records were lost: the journal did not take them in time");
    CHECK((*said)["PRIORITY"] == "4");
    auto back = there.next();
    REQUIRE(back);
    CHECK((*back)["MESSAGE"] == "back");
}

TEST_CASE("a journal that goes and comes again gets the records that are made then", "[logging][journal]") {
    const TestFolder folder;
    auto first = std::make_unique<FakeJournal>("socket");
    const auto logger = openLogger(journal("socket"));
    logger->log("x", LogSeverity::error, "one");
    CHECK(first->next());
    first.reset();
    logger->log("x", LogSeverity::error, "refused");
    fs::remove("socket");
    logger->log("x", LogSeverity::error, "nowhere");
    FakeJournal second("socket");
    logger->log("x", LogSeverity::error, "two");
    auto said = second.next();
    REQUIRE(said);
    CHECK((*said)["MESSAGE"] == "2 records were lost: the journal cannot be reached: No such file or directory");
    CHECK((*second.next())["MESSAGE"] == "two");
}
