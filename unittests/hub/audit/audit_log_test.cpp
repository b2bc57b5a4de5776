// The audit log: what its lines say, hostile names, numbers over restarts, and lines that are lost.
#include "hub/audit/AuditLog.h"
#include "hub/core/Client.h"
#include "lines.h"
#include "perftools/TempDir.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <atomic>
#include <fstream>
#include <mutex>

using namespace emissary;
using namespace emissary::hub;
using namespace std::chrono_literals;
using audit::AuditLog;
using json_test::Json;
using test::auditLines;
using test::textOf;
using Kind = AuditEvent::Kind;

namespace {

struct LogRig {
    perf::test::TempDir dir;
    std::string folder = dir.file("log");
    reactor::Reactor reactor{reactor::ReactorOptions{}};
    std::vector<std::string> lines;  // of the hub's log
    eta::WallClock::time_point now{std::chrono::sys_days(std::chrono::year(2026) / 11 / 28) + 23h + 59min + 59s};
    AuditSettings settings;
    std::unique_ptr<AuditLog> log;

    LogRig() {
        std::filesystem::create_directory(folder);
        settings.folder = folder;
    }
    ~LogRig() { end(); }
    [[nodiscard]] eta::Refused start() {
        const std::lock_guard guard(reactor.lock());
        audit::AuditOptions options;
        options.settings = settings;
        options.listeners = {"consumers", "web"};
        options.wallClock = [this] { return now; };
        options.log = [this](Severity, const std::string& line) { lines.push_back(line); };
        options.retry = 5ms;
        log = std::make_unique<AuditLog>(std::move(options), reactor);
        return log->start();
    }
    void end() {
        const std::lock_guard guard(reactor.lock());
        log.reset();
    }
    void put(const AuditEvent& event) {
        const std::lock_guard guard(reactor.lock());
        log->audit(event);
    }
    [[nodiscard]] bool said(const std::string& part) const {
        return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(part) != line.npos; });
    }
    void until(const std::function<bool()>& met) {
        REQUIRE(test::turnUntil(met, [this] { (void)reactor.dispatch(1ms, 100); }));
    }
    [[nodiscard]] std::uint64_t lost() const { return log->counts().lost; }
};

/// Their numbers rise, by one but for what is said to be lost.
void checkNumbers(const std::vector<Json>& lines) {
    std::uint64_t last = 0, lost = 0, gaps = 0;
    for (const Json& line : lines) {
        const std::uint64_t n = std::stoull(line.at("seq").text);
        CHECK(n > last);
        gaps += n - last - 1;
        last = n;
        if (textOf(line, "event") == "lines_lost") lost += std::stoull(line.at("count").text);
    }
    CHECK(gaps == lost);
}

}  // namespace

TEST_CASE("a line says when, what, who, from where and why", "[hub][audit]") {
    LogRig r;
    REQUIRE_FALSE(r.start());
    Client client;
    client.user = "dana";
    client.address = "10.1.2.3:4711";
    client.position = "10.1.2.3/net";
    client.application = "trader";
    client.connection = 17;
    client.listener = 1;
    client.json = true;
    r.now += 1s + 123456us;
    r.put({.kind = Kind::requestRefused,
           .client = &client,
           .service = "FEED",
           .item = "IBM.N",
           .code = "not_entitled",
           .text = "no rule allows it",
           .parameter = "Permission"});
    r.put({.kind = Kind::loginRefused, .client = &client, .user = "tess", .position = "1.1.1.1/net"});
    r.end();
    const std::vector<Json> lines = auditLines(r.folder);
    REQUIRE(lines.size() == 4);
    checkNumbers(lines);
    CHECK(textOf(lines[0], "event") == "hub_started");
    CHECK(textOf(lines[0], "time") == "2026-11-28T23:59:59.000000Z");
    CHECK(lines[1].source == R"({"seq":2,"time":"2026-11-29T00:00:00.123456Z","event":"request_refused","user":"dana",)"
                             R"("address":"10.1.2.3:4711","position":"10.1.2.3/net","application":"trader",)"
                             R"("connection":17,"listener":"web","protocol":"json","service":"FEED","item":"IBM.N",)"
                             R"("code":"not_entitled","text":"no rule allows it","parameter":"Permission"})");
    CHECK(textOf(lines[2], "user") == "tess");
    CHECK(textOf(lines[2], "position") == "1.1.1.1/net");
    CHECK(textOf(lines[3], "event") == "hub_stopped");
    CHECK(std::filesystem::exists(r.folder + "/audit-2026-11-28-00001.jsonl"));
    CHECK(std::filesystem::exists(r.folder + "/audit-2026-11-29-00001.jsonl"));
}

TEST_CASE("hostile names are escaped and cut, and stay one line of JSON", "[hub][audit]") {
    LogRig r;
    REQUIRE_FALSE(r.start());
    std::string all;
    for (int c = 0; c < 256; ++c)
        all += static_cast<char>(c);
    const std::vector<std::string> hostile{all,
                                           "\",\"event\":\"login",
                                           "a\nb\r\n{\"seq\":999}\n",
                                           "\x1B[2J\x1B]0;x\x07",
                                           std::string(100'000, '"'),
                                           std::string(100'000, '\xFF'),
                                           std::string(255, 'x') + "\u20AC",
                                           std::string("zero\0inside", 11),
                                           "\xC2\x9B"
                                           "31m",
                                           "\xED\xA0\x80"};
    for (const std::string& name : hostile)
        r.put({.kind = Kind::login,
               .user = name,
               .address = name,
               .position = name,
               .service = name,
               .item = name,
               .code = name,
               .text = name,
               .parameter = name});
    r.end();
    const std::vector<Json> lines = auditLines(r.folder);
    REQUIRE(lines.size() == hostile.size() + 2);
    checkNumbers(lines);
    for (std::size_t i = 0; i < hostile.size(); ++i) {
        const Json& line = lines[i + 1];
        CHECK(textOf(line, "event") == "login");
        CHECK(line.source.size() < 20'000);
        CHECK(std::ranges::all_of(line.source, [](char c) { return static_cast<unsigned char>(c) >= 0x20; }));
        CHECK((line.find("cut") != nullptr) == (hostile[i].size() > 256));
    }
    CHECK(textOf(lines[2], "user") == hostile[1]);
    CHECK(textOf(lines[4], "user") == "\\x1B[2J\\x1B]0;x\\x07");
    CHECK(textOf(lines[7], "user") == std::string(255, 'x'));  // no part of a character
    CHECK(textOf(lines[9], "user").find('\x9B') == std::string::npos);
}

TEST_CASE("numbers go on after a restart, and whatever the clock does", "[hub][audit]") {
    LogRig r;
    for (const std::chrono::hours step : {0h, 48h, -9000h, 0h}) {
        r.now += step;
        REQUIRE_FALSE(r.start());
        r.put({.kind = Kind::login, .user = "dana"});
        r.now -= 24h;  // steps back while it runs
        r.put({.kind = Kind::logout, .user = "dana"});
        r.end();
    }
    const std::vector<Json> lines = auditLines(r.folder);
    REQUIRE(lines.size() == 16);
    for (std::size_t i = 0; i < lines.size(); ++i)
        CHECK(textOf(lines[i], "seq") == std::to_string(i + 1));
}

TEST_CASE("a folder that cannot be written keeps the hub from starting", "[hub][audit]") {
    LogRig r;
    r.settings.folder = r.folder + "/missing";
    CHECK(r.start().text.find("AuditFolder: " + r.folder + "/missing") == 0);
    r.end();
    CHECK(auditLines(r.folder).empty());
}

TEST_CASE("lines that no disk takes wait, are lost beyond the bound, and a line says how many", "[hub][audit]") {
    LogRig r;
    r.settings.queueBytes = 65'536;
    REQUIRE_FALSE(r.start());
    r.until([&] { return auditLines(r.folder).size() == 1; });
    std::filesystem::rename(r.folder, r.folder + ".away");
    int put = 0;
    while (r.lost() < 100) {
        r.put({.kind = Kind::login, .user = "user " + std::to_string(put++)});
        REQUIRE(put < 10'000);
    }
    r.until([&] { return r.said("No such file or directory"); });
    CHECK(r.said("AuditQueueBytes"));
    std::filesystem::create_directory(r.folder);
    r.until([&] { return r.said("lines are written again"); });
    r.put({.kind = Kind::login, .user = "after"});
    r.end();
    std::vector<Json> lines = auditLines(r.folder + ".away");
    const std::vector<Json> later = auditLines(r.folder);
    lines.insert(lines.end(), later.begin(), later.end());
    checkNumbers(lines);
    std::uint64_t lost = 0;
    for (const Json& line : lines)
        if (textOf(line, "event") == "lines_lost") lost += std::stoull(line.at("count").text);
    CHECK(lost == 100);
    CHECK(std::ranges::count_if(r.lines, [](const std::string& l) { return l.find("No such file") != l.npos; }) == 1);
    CHECK(static_cast<int>(lines.size()) + 100 - put == 4);  // start, lost, after, stop
}

TEST_CASE("what cannot be written before the end is counted and said", "[hub][audit]") {
    LogRig r;
    REQUIRE_FALSE(r.start());
    r.until([&] { return auditLines(r.folder).size() == 1; });
    std::filesystem::rename(r.folder, r.folder + ".away");
    r.put({.kind = Kind::login, .user = "dana"});
    r.put({.kind = Kind::login, .user = "tess"});
    r.end();
    CHECK(r.said("3 lines could not be written before the end"));
}

TEST_CASE("every way of reaching the disk writes the same", "[hub][audit]") {
    LogRig r;
    r.settings.sync = GENERATE(AuditSettings::Sync::none, AuditSettings::Sync::interval, AuditSettings::Sync::every);
    r.settings.fileBytes = 4096;
    r.settings.files = 0;
    REQUIRE_FALSE(r.start());
    for (int i = 0; i < 2'000; ++i)
        r.put({.kind = Kind::login, .user = "user " + std::to_string(i), .text = std::string(100, 'x')});
    r.end();
    const std::vector<Json> lines = auditLines(r.folder);
    REQUIRE(lines.size() == 2'002);
    checkNumbers(lines);
    CHECK(r.lines.empty());
    for (const auto& file : std::filesystem::directory_iterator(r.folder))
        CHECK(file.file_size() <= 4096);
}
