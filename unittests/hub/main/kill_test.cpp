// emissary-hub killed in the midst of things: what its audit log and its files of use have then.
#include "eta/codec/containers.h"
#include "hub/audit/lines.h"
#include "hub/usage/usage_file.h"
#include "perftools/ToolProcess.h"
#include "support/RawConsumer.h"
#include "support/RawProvider.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <sys/wait.h>

using namespace emissary;
using test::auditLines;
using test::RawConsumer;
using test::RawProvider;
using test::textOf;
using test::turnUntil;
namespace codec = eta::codec;
using perf::test::freePort;
using perf::test::TempDir;
using perf::test::ToolProcess;

namespace {

constexpr double kKillPatience = 60;

/// A hub as a process, with a scripted provider behind it.
struct KilledHub {
    TempDir dir;
    std::string audit = dir.file("audit"), use = dir.file("usage");
    RawProvider provider;
    int port = freePort();
    std::unique_ptr<ToolProcess> hub;

    KilledHub() {
        std::filesystem::create_directory(audit);
        std::filesystem::create_directory(use);
        std::ofstream(dir.file("hub.xml"))
            << "<HubConfig><Hub><AuditFolder value=\"" << audit << "\"/><UsageFolder value=\"" << use
            << "\"/><UsageInterval value=\"1\"/><AuditSync value=\"every\"/></Hub></HubConfig>";
    }
    void start(const char* name) {
        hub = std::make_unique<ToolProcess>(
            EMISSARY_HUB,
            std::vector<std::string>{"-c", "hub.xml", "-port", std::to_string(port), "-niPort", "0", "-httpPort", "0",
                                     "-source", "feed=127.0.0.1:" + std::to_string(provider.port())},
            dir, name);
        REQUIRE(turnUntil([&] { return hub->output().find("consumers on port") != std::string::npos; },
                          [&] { provider.poll(1); }));
    }
    void turn() { provider.poll(1); }
    [[nodiscard]] hub::usage::Numbers written() const {
        hub::usage::Rows all;
        for (const auto& entry : std::filesystem::directory_iterator(use)) {
            std::vector<std::string> faults;
            if (entry.path().extension() == ".csv") readFile(entry.path().string(), all, faults);
            CHECK(faults.empty());
        }
        return all[{"dana", "DIRECT_FEED", ""}];
    }
};

/// The hub has its source's directory.
void knowsService(RawConsumer& c) {
    c.send(RawConsumer::directoryRequest(3));
    for (;;) {
        const test::Received got = c.next();
        if (got.msg.domain != eta::codec::kDirectoryDomain || got.msg.containerType != codec::DataType::Map) continue;
        codec::MapDecoder map;
        REQUIRE(map.start(got.msg.payload).ok());
        codec::MapEntry entry;
        if (map.next(entry)) return;
    }
}

}  // namespace

TEST_CASE("a hub that is killed has lost no line of its audit log, and little of the use",
          "[hub][main][audit][usage]") {
    KilledHub t;
    for (std::uint64_t run = 1; run <= 3; ++run) {
        t.start(("out" + std::to_string(run)).c_str());
        RawConsumer c(RawConsumer::optionsFor(static_cast<std::uint16_t>(t.port)), [&] { t.turn(); });
        c.send(RawConsumer::loginRequest("dana"));
        REQUIRE(c.next().msg.state.stream == codec::StreamState::open);
        knowsService(c);
        c.send(RawConsumer::request(9, 6, "IBM", std::uint16_t{1}));
        std::optional<RawProvider::Got> asked;
        REQUIRE(turnUntil([&] { return (asked = t.provider.take()).has_value(); }, [&] { t.turn(); }));
        codec::Msg m = RawProvider::refresh(asked->msg.streamId, codec::StreamState::open, true);
        t.provider.send(m);
        for (;;) {
            const test::Received got = c.next();
            if (got.msg.streamId == 9 && got.msg.cls == codec::MsgClass::Refresh) break;
        }
        for (int i = 0; i < 20; ++i) {
            codec::Msg u = RawProvider::update(asked->msg.streamId);
            t.provider.send(u);
        }
        // Two intervals, with what was written before.
        REQUIRE(turnUntil([&] { return t.written().updates == 20 * run; }, [&] { t.turn(); }));
        CHECK(t.written().opened == run);
        REQUIRE(turnUntil(
            [&] {
                const auto lines = auditLines(t.audit);
                return !lines.empty() && textOf(lines.back(), "event") == "login";
            },
            [&] { t.turn(); }));
        t.hub->signal(SIGKILL);
        CHECK(t.hub->wait(kKillPatience) == -SIGKILL);
    }
    const auto lines = auditLines(t.audit);
    for (std::size_t i = 0; i < lines.size(); ++i)
        CHECK(textOf(lines[i], "seq") == std::to_string(i + 1));
    CHECK(std::ranges::count_if(lines, [](const auto& l) { return textOf(l, "event") == "hub_started"; }) == 3);
    CHECK(std::ranges::count_if(lines, [](const auto& l) { return textOf(l, "event") == "login"; }) == 3);
    CHECK(std::ranges::count_if(lines, [](const auto& l) { return textOf(l, "event") == "hub_stopped"; }) == 0);
    CHECK(t.written().held > std::chrono::seconds(0));

    ToolProcess report(EMISSARY_HUB, {"usage", t.use, "--csv"}, t.dir, "report");
    REQUIRE(report.wait(kKillPatience) == 0);
    CHECK(report.output().find(",dana,DIRECT_FEED,,3,") != std::string::npos);
    // Longer than the buffer of standard output, which then has nothing left to write at the end.
    const std::string lost = "stdbuf -o16 " EMISSARY_HUB " usage " + t.use + " --csv > /dev/full 2>/dev/null";
    const int status = std::system(lost.c_str());
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1);
}

TEST_CASE("lines that were written before a kill are whole, whenever it comes", "[hub][main][audit]") {
    KilledHub t;
    std::size_t before = 0;
    for (int run = 1; run <= 5; ++run) {
        t.start(("out" + std::to_string(run)).c_str());
        RawConsumer c(RawConsumer::optionsFor(static_cast<std::uint16_t>(t.port)), [&] { t.turn(); });
        c.send(RawConsumer::loginRequest("dana"));
        REQUIRE(c.next().msg.state.stream == codec::StreamState::open);
        // Refusals as fast as they come; the kill falls among them.
        for (std::int32_t i = 0; i < 300; ++i)
            c.send(RawConsumer::request(10 + i, 6, "IBM", std::uint16_t{4711}));
        REQUIRE(turnUntil([&] { return auditLines(t.audit).size() > before + 20; }, [&] { t.turn(); }));
        t.hub->signal(SIGKILL);
        CHECK(t.hub->wait(kKillPatience) == -SIGKILL);
        const auto lines = auditLines(t.audit);  // what is no JSON throws
        before = lines.size();
        for (std::size_t i = 0; i < lines.size(); ++i)
            CHECK(textOf(lines[i], "seq") == std::to_string(i + 1));
    }
}
