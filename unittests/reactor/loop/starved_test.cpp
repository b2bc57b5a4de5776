// Memory runs out while a session dispatches: at each allocation in turn. The session ends, the process and whatever
// else it serves go on, and what recovers comes back.
#include "reactor/consumer/fixture.h"
#include "reactor/provider/ProviderFixture.h"
#include "support/AllocationCounter.h"

using namespace emissary;
using namespace emissary::test;

namespace {

std::int64_t left = -1;  // allocations of what is tried until one fails; below 0: none does

/// While one of these lives, this thread's allocations count.
class Starving {
public:
    Starving() {
        if (left >= 0) failAllocation(static_cast<std::uint64_t>(left));
    }
    ~Starving() {
        if (left < 0) return;
        const auto made = static_cast<std::int64_t>(allocationsOfThisThread() - before_);
        left = allocationFailed() ? -1 : left - made;
    }
    Starving(const Starving&) = delete;
    Starving& operator=(const Starving&) = delete;

private:
    const std::uint64_t before_ = allocationsOfThisThread();
};

/// One turn in which memory may run out, of the consumer alone.
void starve(Consumer& c) {
    const Starving now;
    c.loop->dispatch(std::chrono::milliseconds(0), 100);
}

void turns(Consumer& c, int n) {
    for (int i = 0; i < n; ++i) {
        c.provider.poll(1);
        starve(c);
    }
}

/// The stream that an item was last asked for on.
std::int32_t streamOf(const Consumer& c, const std::string& name) {
    std::int32_t id = 0;
    for (const std::string& line : c.provider.wire)
        if (line.starts_with("REQ ") && line.ends_with(" " + name)) id = std::stoi(line.substr(4));
    return id;
}

/// With memory again everything works, on this connection or on the next one.
void heals(Consumer& c, const std::string& name) {
    left = -1;
    c.until([&] {
        if (c.role->phase() != ConsumerRole::Phase::ready) {
            c.clock.advance(std::chrono::milliseconds(100));
            return false;
        }
        if (c.provider.connected() && streamOf(c, name) != 0) c.provider.send(RawProvider::update(streamOf(c, name)));
        c.turn();
        return c.count(name + " UPD") != 0;
    });
}

/// Calls with 0, 1, 2 ... as the number of allocations that work, until the attempt returns that it had some left.
template <class Attempt>
void forEachAllocation(Attempt attempt) {
    std::int64_t n = 0;
    do {
        INFO("allocation " << n);
        const std::int64_t unspent = attempt(n++);
        if (unspent >= 0) break;
    } while (n < 2000);
    left = -1;
    CHECK(n > 5);
    CHECK(n < 2000);
}

}  // namespace

TEST_CASE("Memory runs out under traffic: a consumer's session ends, and comes back", "[reactor][memory]") {
    forEachAllocation([](std::int64_t n) {
        Consumer c;
        c.provider.automatic.items = true;
        c.ready();
        c.open("dir", Consumer::request({}, 4), {});
        c.open("A");
        c.expectEvent("A RFSH Open/Ok/0");
        c.open("B");
        c.expectEvent("B RFSH Open/Ok/0");
        c.settle();
        const std::int32_t a = streamOf(c, "A"), b = streamOf(c, "B");
        const std::byte group[] = {std::byte{1}, std::byte{2}};
        codec::Msg image = RawProvider::refresh(a, codec::StreamState::open, false);
        image.groupId = group;
        c.provider.send(image);
        c.provider.send(RawProvider::update(a));
        c.provider.sendGroupStatus(1, group, {codec::StreamState::open, codec::DataState::suspect, 0, {}});
        c.provider.send(RawProvider::status(b, codec::StreamState::closedRecover, codec::DataState::suspect));
        c.provider.sendServiceState(1, false, true);
        c.provider.sendServiceState(1, true, true);
        left = n;
        turns(c, 10);
        const std::int64_t unspent = left;
        c.events.clear();
        heals(c, "A");
        heals(c, "B");
        return unspent;
    });
}

TEST_CASE("Memory runs out while a consumer starts", "[reactor][memory]") {
    forEachAllocation([](std::int64_t n) {
        Consumer c;
        c.options.downloadDictionaries = true;
        c.provider.automatic.items = true;
        c.start();
        left = n;
        for (int i = 0; i < 400 && c.role->phase() != ConsumerRole::Phase::ready; ++i) {
            turns(c, 1);
            if (left < 0) break;  // it has happened
        }
        turns(c, 3);
        const std::int64_t unspent = left;
        left = -1;
        c.until([&] {
            c.clock.advance(std::chrono::milliseconds(100));
            return c.role->phase() == ConsumerRole::Phase::ready;
        });
        c.open("A");
        heals(c, "A");
        return unspent;
    });
}

TEST_CASE("Memory runs out in a provider: a client may go, the others are served", "[reactor][memory]") {
    forEachAllocation([](std::int64_t n) {
        ProviderFixture f;
        RawConsumer bad = f.loggedIn();
        eta::Refused refused;
        // Half of it happens to a client that is there, half to one that knocks.
        auto knocking = eta::transport::Channel::connect(RawConsumer::optionsFor(f.role->port()),
                                                         std::chrono::steady_clock::now(), refused);
        REQUIRE(knocking != nullptr);
        bad.send(RawConsumer::directoryRequest(63));
        for (std::int32_t stream = 5; stream < 9; ++stream)
            bad.send(RawConsumer::request(stream, 6, "an item with a name that is not short " + std::to_string(stream),
                                          std::uint16_t{1}));
        bad.send(RawConsumer::request(5, 6, "an item with a name that is not short 5", std::uint16_t{2}));
        bad.send(RawConsumer::close(6));
        left = n;
        for (int i = 0; i < 20; ++i) {
            (void)knocking->init(std::chrono::steady_clock::now());
            const Starving now;
            f.turn();
        }
        const std::int64_t unspent = left;
        left = -1;
        for (int i = 0; i < 5; ++i)
            f.turn();
        RawConsumer good = f.loggedIn();
        good.send(RawConsumer::directoryRequest(63));
        CHECK(good.next().msg.domain == 4);
        good.send(RawConsumer::request(5, 6, "GOOD", std::uint16_t{1}));
        f.runUntil([&] { return f.app.last().name == "GOOD"; });
        codec::Msg image = Application::refresh();
        CHECK(f.locked([&](ProviderRole& r) { return r.submit(f.app.last().event.handle, image); }).ok());
        CHECK(good.next().msg.streamId == 5);
        return unspent;
    });
}
