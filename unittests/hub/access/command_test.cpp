// Programs of LoginCommand that are late, die, lie, or do not go: small scripts at the other end of real pipes.
#include "CommandRig.h"
#include "hub/access/AskedItems.h"
#include "reactor/threads.h"
#include "support/StillClock.h"

#include <csignal>
#include <filesystem>
#include <set>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace emissary;
using namespace emissary::test;
using namespace emissary::hub;
using namespace emissary::hub::access;
using namespace std::chrono_literals;

namespace {

[[nodiscard]] bool lives(pid_t pid) {
    return ::kill(pid, 0) == 0;
}

}  // namespace

TEST_CASE("many questions are on their way, and answers come in any order", "[hub][access]") {
    // The last of three is answered first, and that only when all three are there.
    CommandRig r("while read -r a && read -r b && read -r c; do for line in \"$c\" \"$b\" \"$a\"; do\n" + kYes +
                 "done; done\n");
    const std::uint64_t a = r.ask(), b = r.ask(), c = r.ask();
    r.until([&] { return r.answers.size() == 3; });
    CHECK(r.order == std::vector<std::uint64_t>{c, b, a});
    CHECK(r.counts.commandOpen == 0);
    CHECK(r.counts.commandAnswers == 3);
    for (const auto& [id, answer] : r.answers)
        CHECK(answer->ok);
}

TEST_CASE("thousands of questions pass a program that takes its time, without a turn that waits", "[hub][access]") {
    // It reads nothing before the turns below are over, or for 10 s: a write that waits for it takes as long.
    CommandRig r("n=0; while [ ! -e \"$1\" ] && [ $n -lt 100 ]; do n=$((n + 1)); sleep 0.1; done\n" + kLoop);
    const std::string name(1000, 'n');  // more than the socket takes
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 3000; ++i) {
        REQUIRE(r.ask(name, Command::Kind::item) != 0);
        if (i % 30 == 0) r.turn();
    }
    CHECK(std::chrono::steady_clock::now() - begin < 8s);
    CHECK(r.answers.empty());
    CHECK(r.counts.commandOpen == 3000);
    CHECK(r.counts.commandOnTheWay < 3000);
    r.dir.write("mark", "");
    r.until([&] { return r.answers.size() == 3000; });
    CHECK(r.counts.commandAnswers == 3000);
}

TEST_CASE("garbage, made-up numbers and second answers have no effect", "[hub][access]") {
    CommandRig r("while read -r line; do\n" + kId +
                 "echo yes\necho '{\"id\":null,\"ok\":true}'\necho \"{\\\"id\\\":\\\"$id\\\",\\\"ok\\\":true}\"\n"
                 "echo \"{\\\"id\\\":$((id + 1)),\\\"ok\\\":true}\"\necho '{\"id\":0,\"ok\":true}'\n"
                 "echo \"pass-word $line\"\n"
                 "head -c 70000 /dev/zero | tr '\\0' x; echo\n"
                 "echo \"{\\\"id\\\":$id,\\\"ok\\\":false}\"\n" +
                 kYes + "done\n");
    const std::uint64_t id = r.ask();
    r.until([&] { return r.counts.commandUnknown >= 3; });
    REQUIRE(r.answers.size() == 1);
    CHECK_FALSE(r.answers.at(id)->ok);  // the yes behind it came too late
    CHECK(r.counts.commandBadLines == 5);
    CHECK(r.counts.commandUnknown == 3);
    CHECK(r.said("LoginCommand: a line is no answer: id is no whole number"));
    CHECK(r.said("LoginCommand: an answer is longer than 65536 bytes"));
    CHECK_FALSE(r.said("pass-word"));
    // Nor has a number that was not written yet when it was guessed.
    const std::uint64_t next = r.ask();
    CHECK(next == id + 1);
    r.until([&] { return r.answers.contains(next); });
    CHECK_FALSE(r.answers.at(next)->ok);
    CHECK(r.counts.commandUp == 1);
}

TEST_CASE("questions of a program that dies go to the next one, once", "[hub][access]") {
    SECTION("the second one answers") {
        CommandRig r("if [ ! -e \"$1\" ]; then read -r line; : > \"$1\"; echo oh no >&2; exit 3; fi\n" + kLoop);
        const std::uint64_t a = r.ask(), b = r.ask();
        r.until([&] { return r.answers.size() == 2; });
        CHECK(r.answers.at(a)->ok);
        CHECK(r.answers.at(b)->ok);
        CHECK(r.counts.commandStarts == 2);
        CHECK(r.said("it ended with code 3; it is started again"));
        CHECK(r.said("LoginCommand: says: oh no"));
    }
    SECTION("all die of the question") {
        CommandRig r("read -r line; kill -9 $$\n");
        const std::uint64_t id = r.ask();
        r.until([&] { return r.answers.contains(id); });
        CHECK_FALSE(r.answers.at(id));
        CHECK(r.said("signal 9 ended it"));
        CHECK(r.counts.commandStarts == 2);
        CHECK(r.counts.commandUp == 0);
        CHECK(r.counts.commandOpen == 0);
    }
    SECTION("it is there no more") {
        CommandRig r("read -r line; rm -- \"$0\"; exit 0\n");
        (void)r.ask();
        r.until([&] { return r.counts.commandStarts >= 2; });  // a shell that does not find its script
        r.until([&] { return r.said("it ended with code "); });
    }
}

TEST_CASE("a question that ends programs takes no other with it", "[hub][access]") {
    // Reads what was written at once, so that all are on their way when it ends.
    CommandRig r("while read -r line; do case $line in\n*deadly*) kill -9 $$;;\n*silent*) continue;;\nesac\n" + kYes +
                 "done\n");
    std::vector<std::uint64_t> good;
    const std::uint64_t silent = r.ask("silent"), deadly = r.ask("deadly");
    for (int i = 0; i < 30; ++i)
        good.push_back(r.ask("u" + std::to_string(i), i % 2 == 0 ? Command::Kind::login : Command::Kind::item));
    r.until([&] { return r.answers.size() == good.size() + 1; });
    CHECK_FALSE(r.answers.at(deadly));
    for (const std::uint64_t id : good) {
        REQUIRE(r.answers.at(id));
        CHECK(r.answers.at(id)->ok);
    }
    CHECK_FALSE(r.answers.contains(silent));  // it is only slow, and holds up nobody for long
    CHECK(r.counts.commandStarts <= 4);
    r.forget(silent);
    const std::uint64_t next = r.ask();
    r.until([&] { return r.answers.contains(next); });
}

TEST_CASE("a start whose outcome is lost is tried again", "[hub][access]") {
    test::StillClock clock;
    CommandRig r("if [ ! -e \"$1\" ]; then : > \"$1\"; read -r line; exit 3; fi\n" + kLoop, &clock);
    r.losesStarts = 1;
    const std::uint64_t id = r.ask();
    r.until([&] {
        clock.advance(20ms);
        return bool(r.lost);
    });
    for (int i = 0; i < 20; ++i)
        r.turn();
    CHECK(r.threads.empty());
    CHECK_FALSE(r.said("it has not been started"));
    clock.advance(30s);
    r.until([&] {
        clock.advance(20ms);
        return r.answers.contains(id);
    });
    CHECK(r.answers.at(id)->ok);
    CHECK(r.said("LoginCommand: it has not been started within 30 s; it is tried again"));
    // An outcome that comes now is nobody's, and its program ends.
    CommandProcess::Started late;
    late.child = Child::start({"/bin/sleep", "1000"}, late.refused);
    REQUIRE(late.child);
    const pid_t pid = late.child->pid();
    {
        const std::lock_guard guard(r.reactor.lock());
        r.lost(std::move(late));
    }
    CHECK_FALSE(lives(pid));
    const std::uint64_t next = r.ask();
    r.until([&] { return r.answers.contains(next); });
    CHECK(r.counts.commandStarts == 2);
}

TEST_CASE("a program that closes a pipe, or leaves it to others, is started again", "[hub][access]") {
    const char* const away = GENERATE("exec 0<&-\n", "exec 1>&-\n", "sleep 1000 &\nexit 0\n");
    INFO(away);
    CommandRig r(std::string("if [ ! -e \"$1\" ]; then echo $$ > \"$1\"; ") + away + "sleep 1000; fi\n" + kLoop);
    const std::uint64_t id = r.ask();
    const pid_t first = r.pid();
    r.until([&] { return r.answers.contains(id); });
    CHECK(r.answers.at(id)->ok);
    CHECK(r.counts.commandStarts == 2);
    CHECK_FALSE(lives(first));
    CHECK(test::eventually([&] { return ::kill(-first, 0) != 0; }));  // nor does anything that it has started
}

TEST_CASE("answers that nobody waits for any more are counted and forgotten", "[hub][access]") {
    CommandRig r("read -r line\nwhile [ ! -e \"$1\" ]; do sleep 0.01; done\n" + kYes + kLoop);
    const std::uint64_t id = r.ask();
    for (int i = 0; i < 5; ++i)
        r.turn();
    r.forget(id);
    CHECK(r.counts.commandOpen == 0);
    r.dir.write("mark", "");
    r.until([&] { return r.counts.commandUnknown == 1; });
    CHECK(r.answers.empty());
    const std::uint64_t next = r.ask();
    r.until([&] { return r.answers.contains(next); });
}

TEST_CASE("forgotten questions stay on the way until the program has answered them", "[hub][access]") {
    // It reads as many as may be on their way, and answers when it may.
    CommandRig r(
        "n=0; lines=; while [ $n -lt 1000 ] && read -r line; do n=$((n + 1)); echo \"$line\" >> \"$1.in\"; done\n"
        "while [ ! -e \"$1\" ]; do sleep 0.01; done\n"
        "while read -r line; do\n" +
        kYes + "done < \"$1.in\"\n" + kLoop);
    std::vector<std::uint64_t> first;
    for (std::size_t i = 0; i < Command::kMostOnTheWay; ++i)
        first.push_back(r.ask("u" + std::to_string(i)));
    r.until([&] { return r.counts.commandOnTheWay == Command::kMostOnTheWay; });
    for (const std::uint64_t id : first)
        r.forget(id);
    CHECK(r.counts.commandOpen == 0);
    std::vector<std::uint64_t> next;
    for (int i = 0; i < 10; ++i)
        next.push_back(r.ask("v" + std::to_string(i)));
    for (int i = 0; i < 50; ++i)
        r.turn();
    CHECK(r.counts.commandOnTheWay == Command::kMostOnTheWay);
    CHECK(r.answers.empty());
    // What waits may be forgotten too, and is never written.
    r.forget(next.back());
    r.dir.write("mark", "");
    r.until([&] { return r.answers.size() == next.size() - 1; });
    CHECK(r.counts.commandUnknown == Command::kMostOnTheWay);
    CHECK(r.counts.commandOnTheWay == 0);
    CHECK(r.counts.commandStarts == 1);
}

TEST_CASE("a program that loses its questions is started again", "[hub][access]") {
    test::StillClock clock;
    CommandRig r("if [ ! -e \"$1\" ]; then echo $$ > \"$1\"; while read -r line; do :; done; fi\n" + kLoop, &clock);
    std::vector<std::uint64_t> first;
    for (std::size_t i = 0; i < Command::kMostOnTheWay; ++i)
        first.push_back(r.ask());
    (void)r.pid();  // the second one will not be like it
    r.until([&] { return r.counts.commandOnTheWay == Command::kMostOnTheWay; });
    const std::uint64_t waits = r.ask();
    // As long as somebody waits for one of them it may be only slow.
    for (std::size_t i = 1; i < first.size(); ++i)
        r.forget(first[i]);
    r.turn();
    clock.advance(Command::kHung + 1s);
    const std::uint64_t more = r.ask();
    r.turn();
    CHECK(r.counts.commandUp == 1);
    r.forget(first[0]);
    r.turn();
    clock.advance(Command::kHung - 1s);
    (void)r.ask();
    r.turn();
    CHECK(r.counts.commandUp == 1);
    clock.advance(2s);
    (void)r.ask();
    r.until([&] {
        clock.advance(20ms);  // for the timers of its end and its start
        return r.answers.size() == 4;
    });
    CHECK(r.said("it has left 1000 questions without an answer"));
    CHECK(r.answers.at(waits)->ok);
    CHECK(r.answers.at(more)->ok);
    CHECK(r.counts.commandStarts == 2);
}

TEST_CASE("what waits for a program that does not read is bounded, and logins keep room", "[hub][access]") {
    CommandRig r("sleep 1000\n");
    const std::string name(60'000, 'n');
    std::size_t items = 0, logins = 0;
    while (r.ask(name, Command::Kind::item) != 0)
        ++items;
    CHECK(items == Command::kMostBytes / 4 * 3 / 60'000);
    // One network has its share, and others the rest.
    while (r.ask(name) != 0)
        ++logins;
    CHECK(logins == LoginQueue::kMostBytes / 60'100);
    for (int i = 0; i < 4; ++i)
        while (r.ask(name, Command::Kind::login, "10.1.3." + std::to_string(i)) != 0)
            ++logins;
    CHECK(logins >= 60);
    CHECK((items + logins) * 60'000 <= Command::kMostBytes);
    CHECK(r.counts.commandRefused == 6);
    for (int i = 0; i < 20; ++i)
        r.turn();
    CHECK(r.answers.empty());
    const auto begin = std::chrono::steady_clock::now();
    r.end();
    CHECK(std::chrono::steady_clock::now() - begin < 10s);
}

TEST_CASE("logins go network by network, and leave items a share", "[hub][access]") {
    // Answers in the order of the questions, from when it may.
    CommandRig r("while [ ! -e \"$1\" ]; do sleep 0.01; done\n" + kLoop);
    std::map<std::uint64_t, std::string> what;
    // More than are on their way at once, so that all others are queued behind them.
    for (std::size_t i = 0; i < Command::kMostOnTheWay; ++i)
        what[r.ask("u")] = "first";
    r.until([&] { return r.counts.commandOnTheWay == Command::kMostOnTheWay; });
    for (int i = 0; i < 160; ++i)
        what[r.ask("u")] = "flood";
    for (int i = 0; i < 40; ++i) {
        what[r.ask("u", Command::Kind::again)] = "again";
        what[r.ask("u", Command::Kind::item)] = "item";
    }
    for (int i = 0; i < 3; ++i)
        what[r.ask("u", Command::Kind::login, "10.9.9.9")] = "other";
    r.dir.write("mark", "");
    r.until([&] { return r.answers.size() == what.size(); });
    std::map<std::string, std::size_t> among;
    std::vector<std::string> order;
    for (std::size_t i = Command::kMostOnTheWay; i < r.order.size(); ++i)
        order.push_back(what.at(r.order[i]));
    for (std::size_t i = 0; i < 32; ++i)
        ++among[order[i]];
    CHECK(among["item"] == 6);   // of 16, 3 and one more that
    CHECK(among["again"] == 2);  // is for open items
    CHECK(among["other"] == 3);
    // The three of the other network are among the first ones.
    CHECK(std::ranges::count(order.begin(), order.begin() + 9, "other") == 3);
    // Without logins, requests come before open items.
    const auto lastItem = std::ranges::find(order.rbegin(), order.rend(), "item");
    CHECK(std::count(order.rbegin(), lastItem, "again") > 20);
}

TEST_CASE("a program has nothing of the hub but its pipes, and every signal", "[hub][access]") {
    // A library that forgot to mark its descriptor.
    const int other = ::fcntl(STDERR_FILENO, F_DUPFD, 57);
    REQUIRE(other >= 57);
    sigset_t all, before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);  // as in the hub's own threads
    // Read by the shell itself, in front of all else: one that has waited for another program has cleared its mask.
    CommandRig r("while read -r l; do case $l in SigBlk*) echo \"$l\" >&2;; esac; done < /proc/self/status\n"
                 "ls -l /proc/$$/fd >&2\n" +
                 kLoop);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    const std::uint64_t id = r.ask();
    r.until([&] { return r.answers.contains(id) && r.said(" 2 -> "); });
    ::close(other);
    CHECK_FALSE(r.said(" " + std::to_string(other) + " -> "));
    CHECK_FALSE(r.said("eventpoll"));
    CHECK(r.said(" 2 -> pipe:"));
    CHECK(r.said("SigBlk:\\x090000000000000000"));  // a tab, spelled out
}

TEST_CASE("a program runs where the hub might before it bound its threads", "[hub][access]") {
    cpu_set_t before;
    REQUIRE(::pthread_getaffinity_np(::pthread_self(), sizeof before, &before) == 0);
    std::size_t first = 0;
    while (!CPU_ISSET(first, &before))
        ++first;
    const std::string script =
        "while read -r l; do case $l in Cpus_allowed_list*) echo \"$l\" >&2;; esac; done < /proc/self/status\n" + kLoop;
    std::string expected;
    {
        CommandRig r(script);
        r.until([&] { return r.said("Cpus_allowed_list"); });
        expected = r.lines.back();
    }
    REQUIRE(reactor::bindThisThread(std::to_string(first)));
    CommandRig r(script);
    cpu_set_t still;
    CPU_ZERO(&still);
    (void)::pthread_getaffinity_np(::pthread_self(), sizeof still, &still);
    (void)::pthread_setaffinity_np(::pthread_self(), sizeof before, &before);
    CHECK(CPU_COUNT(&still) == 1);  // the thread stays where it was bound
    r.until([&] { return r.said("Cpus_allowed_list"); });
    CHECK(r.lines.back() == expected);
}

TEST_CASE("a program ends with the hub, whether it wants to or not", "[hub][access]") {
    const char* const trap = GENERATE("", "trap '' TERM\n");
    INFO(trap);
    CommandRig r(std::string(trap) + "echo $$ > \"$1\"\nsleep 1000 & echo $! > \"$1.other\"\nwhile :; do wait; done\n");
    const pid_t pid = r.pid();
    pid_t other = 0;
    r.until([&] { return std::ifstream(r.dir.file("mark.other")) >> other && other != 0; });
    CHECK(lives(pid));
    r.end();
    CHECK_FALSE(lives(pid));  // a zombie would count as one that lives
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    // Not ours to wait for: whoever adopts it does.
    CHECK(test::eventually([&] {
        std::ifstream state("/proc/" + std::to_string(other) + "/stat");
        const std::string line{std::istreambuf_iterator<char>(state), {}};
        return line.empty() || line.find(") Z ") != std::string::npos;
    }));
}

TEST_CASE("what a program says goes to the log, cut, and not without end", "[hub][access]") {
    CommandRig r("i=0; while [ $i -lt 2000 ]; do echo \"line $i\" >&2; i=$((i + 1)); done\n"
                 "head -c 5000 /dev/zero | tr '\\0' y >&2\nprintf '\\n\\033[2Jhu\\n' >&2\n" +
                 kLoop);
    const std::uint64_t id = r.ask();
    r.until([&] { return r.answers.contains(id); });
    CHECK(r.said("LoginCommand: says: line 0"));
    CHECK(r.lines.size() < 60);
    for (const std::string& line : r.lines) {
        CHECK(line.size() < 600);
        CHECK(line.find('\033') == std::string::npos);
    }
}

TEST_CASE("a program that cannot be started is named, with the reason", "[hub][access]") {
    const perf::test::TempDir dir;
    const auto startOf = [](const std::string& path) {
        eta::Refused refused;
        const std::unique_ptr<Child> child = Child::start({path}, refused);
        CHECK((child == nullptr) == bool(refused));
        return refused.text;
    };
    CHECK(startOf(dir.file("none")) == "'" + dir.file("none") + "' cannot be started: No such file or directory");
    const std::string plain = dir.write("plain", "#!/bin/sh\n");
    CHECK(startOf(plain) == "'" + plain + "' cannot be started: Permission denied");
    const std::string lost = dir.write("lost", "#!/no/such/shell\n");
    std::filesystem::permissions(lost, std::filesystem::perms::owner_all);
    CHECK(startOf(lost) == "'" + lost + "' cannot be started: No such file or directory");
}

TEST_CASE("answers about items are remembered within a bound, the oldest go", "[hub][access]") {
    AskedItems items(2);
    const auto key = [](std::string_view user, std::string_view service, std::string_view name) {
        client::RequestAsk ask;
        ask.user = user;
        ask.service = service;
        ask.name = name;
        ask.domain = 6;
        return AskedItems::keyOf(ask);
    };
    CHECK(key("ab", "c", "d") != key("a", "bc", "d"));
    CHECK(key("a", "b", "1 c") != key("a", "b1 ", "c"));
    const eta::TimePoint later = eta::TimePoint{} + 5s;
    items.put(key("u", "s", "1"), {true, "", later});
    items.put(key("u", "s", "2"), {false, "no", later});
    items.put(key("u", "s", "1"), {false, "now not", later});  // the younger one from here on
    items.put(key("u", "s", "3"), {true, "", later});
    CHECK(items.size() == 2);
    CHECK(items.find(key("u", "s", "2")) == nullptr);
    REQUIRE(items.find(key("u", "s", "1")) != nullptr);
    CHECK(items.find(key("u", "s", "1"))->text == "now not");
    items.doubt();
    CHECK(items.find(key("u", "s", "3"))->until == eta::TimePoint{});
}

TEST_CASE("answers about items are bounded in bytes, and so is the text of each", "[hub][access]") {
    AskedItems items(1000, 10'000);
    const std::string longText(1024, 'x'), longName(1000, 'n');
    const eta::TimePoint later = eta::TimePoint{} + 5s;
    items.put("first", {false, longText, later});
    CHECK(items.find("first")->text == longText.substr(0, AskedItems::kLongestText));
    items.put("first", {false, longText, later});  // in the place of the other
    const std::size_t one = items.bytes();
    CHECK(one < 1000);
    for (int i = 0; i < 100; ++i)
        items.put(longName + std::to_string(i), {false, longText, later});
    CHECK(items.bytes() <= 10'000);
    CHECK(items.size() == 6);
    CHECK(items.find("first") == nullptr);
    CHECK(items.find(longName + "99") != nullptr);
    for (int i = 94; i < 100; ++i)
        items.put(longName + std::to_string(i), {true, "", later});
    CHECK(items.bytes() < 6 * 1300);
    // One that is larger than all is kept, alone.
    items.put(std::string(20'000, 'k'), {true, "", later});
    CHECK(items.size() == 1);
}

TEST_CASE("a child that somebody else has waited for is gone, and its number is left alone", "[hub][access]") {
    eta::Refused refused;
    const std::unique_ptr<Child> child = Child::start({"/bin/sh", "-c", "sleep 1000 & exit 0"}, refused);
    REQUIRE(child);
    const pid_t pid = child->pid();
    REQUIRE(::waitpid(pid, nullptr, 0) == pid);
    CHECK(child->gone());
    CHECK(child->pid() == 0);
    // The group might be another's, so nothing was sent to it: it still holds its end of the pipe.
    pollfd output{child->output(), POLLIN, 0};
    CHECK(::poll(&output, 1, 300) == 0);
    CHECK(::kill(-pid, SIGKILL) == 0);
    CHECK(::poll(&output, 1, 10'000) == 1);
}

TEST_CASE("an answer about an item is for the same question alone", "[hub][access]") {
    const std::vector<std::string> desk{"desk"}, both{"desk", "all"}, turned{"all", "desk"}, joined{"desk3 all"};
    const std::vector<std::byte> data{std::byte{3}, std::byte{1}}, other{std::byte{3}, std::byte{2}};
    client::RequestAsk plain;
    plain.user = "dana";
    plain.service = "FX";
    plain.name = "EUR=";
    plain.domain = 6;
    std::vector<client::RequestAsk> asks(10, plain);
    asks[1].groups = desk;
    asks[2].groups = both;
    asks[3].groups = turned;
    asks[4].groups = joined;
    asks[5].permData = data;
    asks[6].permData = other;
    asks[7].isPrivate = true;
    asks[8].nameType = 4;
    asks[9].groups = desk;
    asks[9].permData = data;
    std::set<std::string> keys;
    for (const client::RequestAsk& ask : asks)
        keys.insert(AskedItems::keyOf(ask));
    CHECK(keys.size() == asks.size());
    const std::vector<std::string> same{"desk"};
    client::RequestAsk again = asks[1];
    again.groups = same;
    CHECK(AskedItems::keyOf(again) == AskedItems::keyOf(asks[1]));
    // 1,000 groups cost a key no more than one.
    const std::vector<std::string> many(1000, std::string(256, 'g'));
    again.groups = many;
    CHECK(AskedItems::keyOf(again).size() == AskedItems::keyOf(asks[1]).size());
}
