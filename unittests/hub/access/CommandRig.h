// A program of LoginCommand that is a script of a test, and the questions that are put to it.
#pragma once

#include "hub/access/Command.h"
#include "perftools/TempDir.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <algorithm>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>

namespace emissary::test {

using namespace hub;
using namespace hub::access;
using namespace std::chrono_literals;

/// `id` of the question in $line.
inline const std::string kId = "id=${line#*:}; id=${id%%,*}\n";
inline const std::string kYes = kId + "echo \"{\\\"id\\\":$id,\\\"ok\\\":true}\"\n";
/// Answers everything.
inline const std::string kLoop = "while read -r line; do\n" + kYes + "done\n";

struct CommandRig {
    perf::test::TempDir dir;
    reactor::Reactor reactor;
    Counts counts;
    std::vector<std::string> lines;
    std::map<std::uint64_t, std::optional<CommandAnswer>> answers;  // absent: there will be none
    std::vector<std::uint64_t> order;
    std::unique_ptr<Command> command;
    std::vector<std::thread> threads;
    std::function<void(CommandProcess::Started)> lost;  ///< takes one of these outcomes
    std::size_t losesStarts = 0;                        ///< outcomes of starts that are lost

    [[nodiscard]] static reactor::ReactorOptions optionsFor(const reactor::TimeSource* clock) {
        reactor::ReactorOptions options;
        options.clock = clock;
        return options;
    }
    explicit CommandRig(const std::string& script, const reactor::TimeSource* clock = nullptr)
        : reactor(optionsFor(clock)) {
        dir.write("script", script);
        const std::lock_guard guard(reactor.lock());
        command = std::make_unique<Command>(
            reactor, std::vector<std::string>{"/bin/sh", dir.file("script"), dir.file("mark")},
            [this](Severity, const std::string& line) { lines.push_back(line); }, counts,
            [this](std::function<CommandProcess::Started()> start, std::function<void(CommandProcess::Started)> then) {
                if (losesStarts != 0) {
                    --losesStarts;
                    lost = then;
                    return;
                }
                threads.emplace_back([this, start = std::move(start), then = std::move(then)] {
                    const auto started = std::make_shared<CommandProcess::Started>(start());
                    const std::lock_guard inner(reactor.lock());
                    reactor.post([started, then] { then(std::move(*started)); });
                    reactor.wake();
                });
            });
        const eta::Refused refused = command->start();
        INFO(refused.text);
        REQUIRE_FALSE(refused);
    }
    ~CommandRig() { end(); }
    void end() {
        for (std::thread& thread : threads)
            thread.join();
        threads.clear();
        const std::lock_guard guard(reactor.lock());
        command.reset();
    }
    std::uint64_t ask(const std::string& user = "dana", Command::Kind kind = Command::Kind::login,
                      const std::string& network = "10.1.2.3") {
        const rest::Secret question(R"(,"ask":"any","user":")" + user + R"(","password":"pass-word"})" + "\n");
        const std::lock_guard guard(reactor.lock());
        const auto id = std::make_shared<std::uint64_t>();
        *id = command->ask(
            kind, question,
            [this, id](const CommandAnswer* answer) {
                CHECK(reactor.lock().heldByThisThread());
                CHECK(answers.emplace(*id, answer == nullptr ? std::nullopt : std::optional(*answer)).second);
                order.push_back(*id);
            },
            network);
        return *id;
    }
    void forget(std::uint64_t id) {
        const std::lock_guard guard(reactor.lock());
        command->forget(id);
    }
    void turn() { (void)reactor.dispatch(1ms, 100); }
    void until(const std::function<bool()>& met) {
        REQUIRE(test::turnUntil(met, [this] { turn(); }));
    }
    [[nodiscard]] bool said(const std::string& part) const {
        return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(part) != line.npos; });
    }
    [[nodiscard]] std::string mark() const {
        std::ifstream in(dir.file("mark"));
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// The number that the script has written into its mark.
    [[nodiscard]] pid_t pid() {
        until([this] { return mark().find('\n') != std::string::npos; });
        return std::stoi(mark());
    }
};

}  // namespace emissary::test
