// Items that LoginCommand is asked about: open ones once more, with a program that is slow, and answers that change.
#include "CommandRig.h"
#include "hub/access/ItemRights.h"

using namespace emissary;
using namespace emissary::test;
using namespace emissary::hub;
using namespace emissary::hub::access;
using namespace std::chrono_literals;

namespace {

/// Says no to what stands in the file `$1`, a name a line, and yes to the others. Nothing to what has no name.
const std::string kByMark = "while read -r line; do\ncase $line in *'\"name\":'*) ;; *) continue;; esac\n" + kId +
                            "ok=true; name=${line#*'\"name\":\"'}; name=${name%%'\"'*}\n"
                            "if grep -qx \"$name\" \"$1\" 2>/dev/null; then ok=false; fi\n"
                            "echo \"{\\\"id\\\":$id,\\\"ok\\\":$ok}\"\ndone\n";

struct RightsRig final : client::RequestVerdicts {
    CommandRig of;
    std::map<std::uint64_t, client::RequestVerdict> verdicts;
    std::size_t walks = 0;
    std::unique_ptr<ItemRights> rights;

    explicit RightsRig(const std::string& script, std::chrono::seconds lifetime = 60s) : of(script) {
        const std::lock_guard guard(of.reactor.lock());
        rights = std::make_unique<ItemRights>(of.reactor, lifetime, of.counts, [this] { ++walks; });
        rights->use(of.command.get());
        Faults faults;
        rights->use(std::make_shared<const Rules>(Rules::read("ask * * * *\n", faults)));
        REQUIRE(faults.empty());
    }
    ~RightsRig() {
        of.end();
        const std::lock_guard guard(of.reactor.lock());
        rights.reset();
    }
    void onVerdict(std::uint64_t ticket, client::RequestVerdict verdict) override {
        CHECK(verdicts.emplace(ticket, std::move(verdict)).second);
    }
    [[nodiscard]] static client::RequestAsk askOf(std::string_view name) {
        client::RequestAsk ask;
        ask.user = "dana";
        ask.service = "FX";
        ask.name = name;
        ask.domain = 6;
        return ask;
    }
    /// The verdict, however it comes.
    client::RequestVerdict asked(std::string_view name) {
        const std::uint64_t ticket = ++last;
        {
            const std::lock_guard guard(of.reactor.lock());
            if (const auto now = rights->check(askOf(name), ticket, *this)) return *now;
        }
        of.until([&] { return verdicts.contains(ticket); });
        return verdicts.at(ticket);
    }
    client::RequestVerdict still(std::string_view name) {
        const std::lock_guard guard(of.reactor.lock());
        return rights->stillGranted(askOf(name));
    }
    void doubt() {
        const std::lock_guard guard(of.reactor.lock());
        rights->doubt();
    }
    std::uint64_t last = 0;
};

}  // namespace

TEST_CASE("open items are asked about again although the queue is full, and none is lost", "[hub][access]") {
    RightsRig t("while [ ! -e \"$1\" ]; do sleep 0.01; done\n" + kByMark);
    std::vector<std::uint64_t> waits;
    // Until nothing has room any more, however short it is.
    for (const std::string& name : {std::string(60'000, 'n'), std::string("n")})
        while (const std::uint64_t id = t.of.ask(name, Command::Kind::item))
            waits.push_back(id);
    constexpr std::size_t kItems = 500;
    for (std::size_t i = 0; i < kItems; ++i) {
        CHECK(t.still("I" + std::to_string(i)).granted);
        CHECK(t.still("I" + std::to_string(i)).granted);  // in the list once
    }
    for (int i = 0; i < 20; ++i)
        t.of.turn();
    CHECK(t.of.counts.again == kItems);
    // A request of a client finds no room either, which is no denial.
    const client::RequestVerdict busy = t.asked("OTHER");
    CHECK_FALSE(busy.granted);
    CHECK(busy.unavailable);
    CHECK(busy.text.find("too many questions wait for LoginCommand") != std::string::npos);
    t.of.dir.write("mark", "I0\nI499\n");
    {
        const std::lock_guard guard(t.of.reactor.lock());
        for (const std::uint64_t id : waits)
            t.of.command->forget(id);
    }
    t.of.until([&] { return t.of.counts.again == 0; });
    CHECK(t.of.counts.cached == kItems);
    CHECK(t.walks == 2);  // one for each no
    CHECK_FALSE(t.still("I0").granted);
    CHECK_FALSE(t.still("I499").granted);
    CHECK(t.still("I250").granted);
}

TEST_CASE("requests of clients pass those about open items", "[hub][access]") {
    RightsRig t("while [ ! -e \"$1\" ]; do sleep 0.01; done\n" + kByMark);
    for (int i = 0; i < 1000; ++i)
        CHECK(t.still("I" + std::to_string(i)).granted);
    for (int i = 0; i < 20; ++i)
        t.of.turn();
    CHECK(t.of.counts.commandOpen == ItemsAgain::kSlice);
    t.of.dir.write("mark", "");
    CHECK(t.asked("NEW").granted);
    CHECK(t.of.counts.again > 500);
    t.of.until([&] { return t.of.counts.again == 0; });
    CHECK(t.walks == 0);
}

TEST_CASE("a no that replaces a yes is looked for on other connections", "[hub][access]") {
    RightsRig t(kByMark);
    CHECK(t.asked("A").granted);
    CHECK_FALSE((t.of.dir.write("mark", "A\nB\n"), t.asked("B")).granted);
    CHECK(t.walks == 0);  // nobody had it
    t.doubt();
    CHECK_FALSE(t.asked("A").granted);
    t.of.until([&] { return t.walks == 1; });
    CHECK_FALSE(t.still("A").granted);
}

TEST_CASE("what is too old is asked about again, whether it was yes or no", "[hub][access]") {
    RightsRig t(kByMark);
    t.of.dir.write("mark", "A\n");
    CHECK_FALSE(t.asked("A").granted);
    CHECK_FALSE(t.still("A").granted);
    t.of.dir.write("mark", "");
    t.doubt();
    CHECK(t.still("A").granted);  // until the program says no
    t.of.until([&] { return t.of.counts.again == 0; });
    CHECK(t.still("A").granted);
    CHECK(t.walks == 0);
    CHECK(t.of.counts.cached == 1);
}

TEST_CASE("open items are looked at once in each lifetime of an answer", "[hub][access]") {
    RightsRig t(kByMark, 1s);
    const auto begin = std::chrono::steady_clock::now();
    // Nothing is known, so nothing can be too old.
    t.of.until([&] { return std::chrono::steady_clock::now() - begin > 1200ms; });
    CHECK(t.walks == 0);
    CHECK(t.asked("A").granted);
    t.of.until([&] { return t.walks == 2; });
    // The walk finds what has become too old, and then the no.
    t.of.dir.write("mark", "A\n");
    CHECK(t.still("A").granted);
    t.of.until([&] { return t.of.counts.again == 0; });
    CHECK_FALSE(t.still("A").granted);
}

TEST_CASE("an answer that is none is not remembered, and keeps open items", "[hub][access]") {
    const char* const program = GENERATE("unavailable", "dies");
    INFO(program);
    const std::string loop = "while read -r line; do\n" + kId;
    RightsRig t(program == std::string("dies")
                    ? "read -r line; kill -9 $$\n"
                    : loop + "echo \"{\\\"id\\\":$id,\\\"ok\\\":false,\\\"code\\\":\\\"unavailable\\\"}\"\ndone\n");
    const client::RequestVerdict said = t.asked("A");
    CHECK_FALSE(said.granted);
    CHECK(said.unavailable);
    CHECK(said.text.starts_with("whether the user is entitled to it cannot be said at the moment: service 'FX'"));
    CHECK(t.still("B").granted);
    t.of.until([&] { return t.of.counts.again == 0; });
    CHECK(t.still("B").granted);
    CHECK(t.walks == 0);
    CHECK(t.of.counts.cached == 0);
}
