// A thread that stands still: its clients alone are behind, and have all that counts when it goes on.
#include "eyes.h"

#include <set>

using namespace emissary;
using namespace emissary::test;

namespace {

constexpr Wire kThree[] = {Wire::ripc, Wire::json, Wire::tlsJson};

/// A consumer that keeps what its streams say. No update runs over a hole: its value is the last one's and one, unless
/// a refresh came.
class LateWatcher {
public:
    LateWatcher(KindsFixture& f, Wire wire, int number) : eye(f, wire, number), f_(f) {}

    void open(std::int32_t stream, const std::string& name, std::uint16_t flags = 0) {
        items_[stream] = name;
        eye.request(stream, name, flags);
    }
    void read() {
        while (const auto got = eye.look())
            take(*got);
    }
    /// However many messages are still to be read: it fails when nothing has come for a long time.
    void until(const std::function<bool()>& done) {
        std::uint64_t before = 0;
        const auto holds = [&] {
            read();
            return done();
        };
        do {
            before = updates + refreshes + generics;
            if (turnUntil(holds, [this] { f_.settle(1); })) return;
        } while (updates + refreshes + generics != before);
        FAIL("nothing came for " << kPatience.count() << " seconds");
    }
    [[nodiscard]] bool isCurrent(std::int32_t stream) const {
        const auto at = values.find(stream);
        return at != values.end() && at->second == f_.values.at(items_.at(stream)) && holes.count(stream) == 0;
    }
    void catchUp() {
        until(
            [this] { return std::ranges::all_of(items_, [this](const auto& item) { return isCurrent(item.first); }); });
    }

    Eye eye;
    std::map<std::int32_t, std::uint64_t> values;
    std::map<std::int32_t, std::string> states;  ///< the last that was said
    std::map<std::int32_t, std::vector<std::string>> heard;
    std::set<std::int32_t> holes;  ///< streams that are told that they are Suspect
    std::uint64_t updates = 0, refreshes = 0, generics = 0;

private:
    void take(const Heard& got) {
        if (!got.state.empty()) {
            states[got.stream] = got.state;
            heard[got.stream].push_back(got.type + " " + got.state);
            if (got.state == "Open/Suspect") holes.insert(got.stream);
            else holes.erase(got.stream);
        }
        if (got.type == "Generic") ++generics;
        if (!got.value || !items_.contains(got.stream)) return;
        INFO("stream " << got.stream << ' ' << got.type << ' ' << *got.value);
        if (got.type == "Refresh") {
            ++refreshes;
        } else if (got.type == "Update") {
            ++updates;
            REQUIRE(values.contains(got.stream));
            REQUIRE(*got.value == values[got.stream] + 1);
        } else return;
        values[got.stream] = *got.value;
    }

    KindsFixture& f_;
    std::map<std::int32_t, std::string> items_;
};

/// Watchers of three kinds on each of two threads, and one more client on the first thread that much is sent to.
class TwoThreads : public KindsFixture {
public:
    explicit TwoThreads(CachePolicy::Rule rule = CachePolicy::Rule::all)
        : KindsFixture([rule](HubSettings& s) {
              s.services[0].cache.rule = rule;
              s.disconnectAbove = 256u << 20;  // the filler reads nothing
              s.conflateBytes = 0;             // every update counts here
          }) {
        for (int i = 0; i < 6; ++i) {
            auto made = std::make_unique<LateWatcher>(*this, kThree[i / 2], i);
            // The first watcher of a kind may be on any thread, the second one is on the other.
            settle();
            (frontOf(*made) == 0 ? late : fast).push_back(std::move(made));
        }
        REQUIRE(late.size() == 3);
        REQUIRE(fast.size() == 3);
        // A new connection goes to the thread with the fewest, which is either.
        for (int i = 6; !filler; ++i) {
            auto made = std::make_unique<LateWatcher>(*this, Wire::ripc, i);
            settle();
            if (frontOf(*made) == 0) filler = std::move(made);
            else extra.push_back(std::move(made));
        }
        filler->open(5, "FILL");
        until([this] {
            serve();
            return streams.contains("FILL");
        });
        filler->catchUp();
    }
    [[nodiscard]] relay::Front& front(std::size_t number) {
        relay::Front* found = nullptr;
        std::size_t at = 0;
        relay::forEachFront(relay(), [&](relay::Front& f) {
            if (at++ == number) found = &f;
        });
        return *found;
    }
    [[nodiscard]] std::size_t frontOf(const LateWatcher& w) {
        std::size_t at = 0, found = 99;
        relay::forEachFront(relay(), [&](relay::Front& f) {
            for (std::uint32_t i = 0; i < f.clients().end(); ++i)
                if (const Client* const c = f.clients().find(i); c != nullptr && c->user == w.eye.user()) found = at;
            ++at;
        });
        return found;
    }
    [[nodiscard]] bool isThere(const LateWatcher& w) {
        ClientTable& clients = hub->rooms().clients;
        for (std::uint32_t i = 0; i < clients.end(); ++i)
            if (const Client* const c = clients.find(i); c != nullptr && c->user == w.eye.user()) return true;
        return false;
    }
    void openAll(std::int32_t stream, const std::string& name) {
        for (auto* const all : {&late, &fast})
            for (const auto& w : *all) {
                w->open(stream, name);
                w->until([&] { return w->values.contains(stream); });
            }
    }
    /// A generic message of 30 kB.
    void generic(const std::string& name) {
        static const std::vector<std::byte> bytes(30'000);
        Msg m;
        m.cls = MsgClass::Generic;
        m.domain = 6;
        m.streamId = streams.at(name);
        m.flags = codec::GenericFlag::complete;
        m.containerType = codec::DataType::Opaque;
        m.payload = bytes;
        provider.send(m);
        turn();
    }
    /// What the first thread holds of the log becomes its share.
    void fill() {
        const std::uint64_t before = relay().counts().ringFull.get();
        until([&] {
            generic("FILL");
            return relay().counts().ringFull.get() != before;
        });
    }
    void tickOnly(const std::string& name) { update(streams.at(name), ++values[name]); }
    /// The watchers of the second thread have the last values.
    void fastHaveAll() {
        for (const auto& w : fast)
            w->catchUp();
    }

    std::vector<std::unique_ptr<LateWatcher>> late, fast, extra;  ///< late: of the first thread
    std::unique_ptr<LateWatcher> filler;
};

}  // namespace

TEST_CASE("a thread that stands still for ten seconds delays nobody else", "[hub][relay][json][tls]") {
    TwoThreads f;
    for (std::int32_t stream = 11; stream < 15; ++stream)
        f.openAll(stream, "I" + std::to_string(stream));
    std::vector<std::uint64_t> refreshes;
    for (const auto& w : f.fast)
        refreshes.push_back(w->refreshes);

    using Clock = std::chrono::steady_clock;
    Clock::duration longest{};
    StoppedFront stop(f.front(0));
    const auto end = Clock::now() + std::chrono::seconds(10);
    std::uint64_t rounds = 0;
    while (Clock::now() < end || f.relay().counts().ringFull.get() == 0) {
        f.tick();
        f.turn();
        for (const auto& w : f.fast)
            w->read();
        if (++rounds % 500 != 0) continue;
        const auto sent = Clock::now();
        f.fastHaveAll();
        longest = std::max(longest, Clock::now() - sent);
    }
    f.fastHaveAll();
    CHECK(longest < std::chrono::seconds(5));  // milliseconds, where tests have a processor
    for (std::size_t i = 0; i < f.fast.size(); ++i) {
        CHECK(f.fast[i]->updates >= 4 * rounds);
        CHECK(f.fast[i]->refreshes == refreshes[i]);
    }
    INFO(rounds << " rounds");
    CHECK(f.relay().counts().ringFull.get() > 0);
    CHECK(f.count("emissary_hub_relay_left_out_total") > 0);  // the page does not wait either
    CHECK(f.count("emissary_hub_relay_catching_up") > 0);

    stop.end();
    for (const auto& w : f.late) {
        w->catchUp();
        CHECK(w->updates > 0);
        CHECK(w->updates < 4 * rounds);
    }
    for (int i = 0; i < 100; ++i) {
        f.tick();
        f.turn();
    }
    for (auto* const all : {&f.late, &f.fast})
        for (const auto& w : *all)
            w->catchUp();
    f.until([&] { return f.count("emissary_hub_relay_catching_up") == 0; });
}

TEST_CASE("items without an image: their late clients are told, and get the next refresh", "[hub][relay][json][tls]") {
    TwoThreads f(CachePolicy::Rule::none);
    f.openAll(11, "A");
    f.openAll(12, "B");
    std::vector<std::uint64_t> refreshes;
    for (const auto& w : f.fast)
        refreshes.push_back(w->refreshes);
    StoppedFront stop(f.front(0));
    f.fill();
    for (int i = 0; i < 50; ++i) {
        f.tickOnly("A");
        f.turn();
    }
    f.fastHaveAll();
    stop.end();
    for (const auto& w : f.late) {
        w->until([&] { return w->isCurrent(11); });
        CHECK(w->heard[11] == std::vector<std::string>{"Refresh Open/Ok", "Status Open/Suspect", "Refresh Open/Ok"});
        CHECK(w->heard[12] == std::vector<std::string>{"Refresh Open/Ok"});
    }
    for (std::size_t i = 0; i < f.fast.size(); ++i)
        CHECK(f.fast[i]->heard[11] == std::vector<std::string>{"Refresh Open/Ok"});
    for (int i = 0; i < 20; ++i) {
        f.tick();
        f.turn();
    }
    for (auto* const all : {&f.late, &f.fast})
        for (const auto& w : *all)
            w->catchUp();
}

TEST_CASE("what happens to an item while a thread stands still comes out right at its clients",
          "[hub][relay][json][tls]") {
    TwoThreads f;
    f.openAll(11, "SUSPECT");
    f.openAll(12, "BACK");
    f.openAll(13, "CLOSED");
    f.openAll(14, "PAUSED");
    f.openAll(15, "PLAIN");
    for (const auto& w : f.late)
        w->open(14, "PAUSED", RequestFlag::pause | RequestFlag::noRefresh);
    f.settle(10);
    // Two that wait for their provider.
    for (const auto& w : f.late) {
        w->open(16, "JOINING");
        f.until([&] { return !f.provider.inbox.empty() || f.streams.contains("JOINING"); });
        if (auto got = f.provider.take()) f.streams["JOINING"] = got->msg.streamId;
    }
    const std::size_t before = f.late[0]->heard[11].size();

    StoppedFront stop(f.front(0));
    f.fill();
    const auto state = [&](const std::string& name, std::uint8_t stream, std::uint8_t data) {
        Msg m = RawProvider::status(f.streams.at(name), stream, data);
        f.provider.send(m);
        if (stream == StreamState::closed) f.streams.erase(name);
    };
    for (int i = 0; i < 20; ++i) {
        for (const char* const name : {"SUSPECT", "BACK", "CLOSED", "PAUSED", "PLAIN"})
            f.tickOnly(name);
        if (i == 5) f.refresh(f.streams["JOINING"], f.values["JOINING"], "JOINING");
        if (i > 5) f.tickOnly("JOINING");
        if (i == 10) {
            state("SUSPECT", StreamState::open, suspect);
            state("BACK", StreamState::open, suspect);
        }
        if (i == 15) state("BACK", StreamState::open, ok);
        f.turn();
    }
    state("CLOSED", StreamState::closed, suspect);
    for (const auto& w : f.fast)
        w->until([&] { return w->states[13] == "Closed/Suspect" && w->isCurrent(15) && w->states[12] == "Open/Ok"; });
    CHECK(f.late[0]->heard[11].size() == before);
    stop.end();

    for (const auto& w : f.late) {
        w->until([&] {
            return w->states[13] == "Closed/Suspect" && w->isCurrent(15) && w->isCurrent(12) && w->isCurrent(16) &&
                   w->values[11] == f.values["SUSPECT"] && w->states[11] == "Open/Suspect";
        });
        CHECK(w->states[12] == "Open/Ok");
        CHECK(w->heard[13].back() == "Status Closed/Suspect");
        CHECK(w->heard[16].front() == "Refresh Open/Ok");
        const auto paused = w->values[14];
        CHECK(paused < f.values["PAUSED"]);
        w->open(14, "PAUSED", RequestFlag::noRefresh);
        w->until([&] { return w->isCurrent(14); });
    }
    for (const char* const name : {"BACK", "PAUSED", "PLAIN", "JOINING"})
        f.tickOnly(name);
    f.turn();
    for (const auto& w : f.late)
        w->until([&] { return w->isCurrent(12) && w->isCurrent(14) && w->isCurrent(15) && w->isCurrent(16); });
}

TEST_CASE("clients of a thread that stands still hear later that a source was lost", "[hub][relay]") {
    TwoThreads f;
    f.openAll(11, "A");
    StoppedFront stop(f.front(0));
    f.fill();
    f.tickOnly("A");
    f.fastHaveAll();
    f.provider.die();
    for (const auto& w : f.fast)
        w->until([&] { return w->states[11] == "Open/Suspect"; });
    stop.end();
    for (const auto& w : f.late)
        w->until([&] { return w->states[11] == "Open/Suspect" && w->values[11] == f.values["A"]; });
    f.streams.clear();
    f.provider.revive();
    for (auto* const all : {&f.late, &f.fast})
        for (const auto& w : *all)
            w->until([&] { return w->isCurrent(11); });
}

TEST_CASE("clients that leave while their thread stands still are gone when it goes on", "[hub][relay]") {
    TwoThreads f;
    f.openAll(11, "A");
    StoppedFront stop(f.front(0));
    f.fill();
    f.tickOnly("A");
    f.late[0]->eye.die();
    f.late[1]->eye.close(11);
    f.fastHaveAll();
    stop.end();
    f.late[2]->catchUp();
    f.until([&] { return !f.isThere(*f.late[0]); });
    CHECK(f.isThere(*f.late[1]));
    f.tickOnly("A");
    f.late[2]->catchUp();
}

TEST_CASE("above the bound what no image replaces ends connections of that thread alone", "[hub][relay]") {
    TwoThreads f;
    f.openAll(11, "A");
    f.fast[0]->open(12, "FILL");
    f.fast[0]->until([&] { return f.fast[0]->values.contains(12); });
    std::uint64_t sent = 0;
    const std::uint64_t before = f.fast[0]->generics;
    {
        StoppedFront stop(f.front(0));
        f.until([&] {
            f.generic("FILL");
            ++sent;
            f.fast[0]->read();
            return f.relay().counts().cutOff.get() != 0;
        });
        f.tickOnly("A");
        f.fastHaveAll();
        f.fast[0]->until([&] { return f.fast[0]->generics == before + sent; });
        CHECK(f.relay().counts().cutOff.get() == 1);
    }
    f.until([&] { return !f.isThere(*f.filler); });
    CHECK(std::ranges::any_of(f.lines, [](const std::string& line) {
        return line.find("too much waits for the thread that serves this client") != std::string::npos;
    }));
    for (const auto& w : f.late)
        w->catchUp();
}
