// Logins that are checked while the files change, and those that are given up.
#include "hashes.h"
#include "hub/access/Access.h"
#include "perftools/TempDir.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

using namespace emissary;
using namespace emissary::hub;
using namespace emissary::hub::access;
using namespace std::chrono_literals;

namespace {

struct AccessRig final : client::LoginVerdicts {
    perf::test::TempDir dir;
    reactor::Reactor reactor{reactor::ReactorOptions{}};
    ClientTable clients;
    std::map<std::uint64_t, client::LoginVerdict> verdicts;
    std::size_t changes = 0;
    std::unique_ptr<Access> access;

    explicit AccessRig(const std::string& users) {
        AccessSettings settings;
        settings.loginCheck = AccessSettings::LoginCheck::file;
        settings.loginFile = dir.write("users", users);
        const std::lock_guard guard(reactor.lock());
        access = std::make_unique<Access>(settings, reactor, clients, LogLine(), [this] { ++changes; });
        REQUIRE_FALSE(access->start());
    }
    ~AccessRig() { end(); }
    void end() {
        if (!access) return;
        access->stop();
        const std::lock_guard guard(reactor.lock());
        access.reset();
    }
    void onVerdict(std::uint64_t ticket, const client::LoginVerdict& verdict) override {
        CHECK(reactor.lock().heldByThisThread());
        CHECK(verdicts.emplace(ticket, verdict).second);
    }
    void ask(std::uint64_t ticket, const std::string& password = "secret") {
        client::LoginAsk ask;
        ask.user = "dana";
        ask.password = password;
        ask.address = "127.0.0.1:1";
        const std::lock_guard guard(reactor.lock());
        CHECK_FALSE(access->loginCheck().check(ask, ticket, *this));
    }
    void until(const std::function<bool()>& met) {
        REQUIRE(test::turnUntil(met, [this] { (void)reactor.dispatch(1ms, 100); }));
    }
};

[[nodiscard]] std::string usersWith(const std::string& groups) {
    static const std::string hash = test::hashOf("secret");
    return "dana:" + hash + ":" + groups + ":\n";
}

}  // namespace

TEST_CASE("logins that are checked while their file changes get what the new one says", "[hub][access]") {
    AccessRig r(usersWith("a"));
    std::atomic<bool> ends{false};
    std::thread writer([&] {
        for (int i = 0; !ends; ++i)
            std::filesystem::rename(r.dir.write("new", usersWith(i % 2 == 0 ? "b" : "a")), r.dir.file("users"));
    });
    for (std::uint64_t ticket = 1; ticket <= 200; ++ticket) {
        r.ask(ticket, ticket % 3 == 0 ? "wrong" : "secret");
        if (ticket % 20 == 0) {
            const std::lock_guard guard(r.reactor.lock());
            r.access->readAgain();
        }
        (void)r.reactor.dispatch(0ms, 100);
    }
    r.until([&] { return r.verdicts.size() == 200 && r.changes > 0; });
    ends = true;
    writer.join();
    for (const auto& [ticket, verdict] : r.verdicts) {
        const bool accepted = verdict.kind == client::LoginVerdict::Kind::accepted;
        CHECK(accepted == (ticket % 3 != 0));
        if (accepted)
            CHECK((verdict.groups == std::vector<std::string>{"a"} || verdict.groups == std::vector<std::string>{"b"}));
    }
    // What is asked after the last change has the last groups.
    std::filesystem::rename(r.dir.write("new", usersWith("last")), r.dir.file("users"));
    const std::size_t before = r.changes;
    {
        const std::lock_guard guard(r.reactor.lock());
        r.access->readAgain();
    }
    r.until([&] { return r.changes > before; });
    for (std::uint64_t ticket = 1001;
         r.verdicts.empty() || r.verdicts.rbegin()->second.groups != std::vector<std::string>{"last"}; ++ticket) {
        REQUIRE(ticket < 1004);  // an earlier reading may have been under way
        r.ask(ticket);
        r.until([&] { return r.verdicts.contains(ticket); });
    }
}

TEST_CASE("nothing comes of logins that are cancelled, or left when the hub ends", "[hub][access]") {
    AccessRig r(usersWith("a"));
    for (std::uint64_t ticket = 1; ticket <= 50; ++ticket)
        r.ask(ticket);
    {
        const std::lock_guard guard(r.reactor.lock());
        for (std::uint64_t ticket = 1; ticket <= 50; ticket += 2)
            r.access->loginCheck().cancel(ticket);
    }
    r.until([&] { return r.verdicts.size() == 25; });
    for (const auto& [ticket, verdict] : r.verdicts)
        CHECK(ticket % 2 == 0);
    for (std::uint64_t ticket = 101; ticket <= 150; ++ticket)
        r.ask(ticket);
    r.end();
    for (int i = 0; i < 5; ++i)
        (void)r.reactor.dispatch(0ms, 1000);
    CHECK(r.verdicts.size() == 25);
}
