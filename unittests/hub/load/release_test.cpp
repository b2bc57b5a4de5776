// What clients made large goes back when they are done with it: counts to nothing, memory to the system.
#include "turns.h"

#include "hub/core/Client.h"
#include "hub/core/ItemTable.h"
#include "reactor/metrics/Snapshot.h"
#include "support/StillClock.h"

#include <malloc.h>

#include <cstdio>
#include <fstream>

#include <unistd.h>

using namespace emissary;
using namespace emissary::test;

namespace {

constexpr int kItems = 20'000;
constexpr std::size_t kKey = 1024;  // MaxItemKeySize

[[nodiscard]] std::size_t residentBytes() {
    std::ifstream in("/proc/self/statm");
    std::size_t all = 0, resident = 0;
    in >> all >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}
[[nodiscard]] std::size_t inUse() {
    const struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

}  // namespace

TEST_CASE("20,000 items with keys of the largest size leave nothing behind", "[hub][memory]") {
    StillClock clock;
    HubFixture f([](HubSettings& s) { s.listeners[0].limits.keyBytesPerClient = 64u << 20; }, &clock);
    f.connected();
    RawConsumer probe = f.loggedIn("probe");
    Hub::Rooms rooms = f.hub->rooms();
    const std::vector<std::byte> attributes(kKey);
    const auto counted = [&](const char* name) { return f.hub->rooms().reactor.metrics().value(name).value_or(0); };
    const auto load = [&](RawConsumer& c) {
        for (int i = 0; i < kItems; ++i) {
            const std::string name = "ITEM" + std::to_string(i);
            Msg m = HubFixture::request(10 + i, name);
            m.key.flags |= codec::KeyFlag::attrib;
            m.key.attribType = codec::DataType::Opaque;
            m.key.attrib = Bytes(attributes).first(kKey - name.size());
            c.send(m);
            if (i % 200 == 199) {
                f.until([&] { return rooms.items.size() == static_cast<std::size_t>(i + 1); });
                f.provider.inbox.clear();
                f.provider.wire.clear();
            }
        }
    };
    const auto client = [&]() -> const Client* {
        for (std::uint32_t i = 0; i < rooms.clients.end(); ++i)
            if (const Client* const c = rooms.clients.find(i); c != nullptr && c->user == "greedy") return c;
        return nullptr;
    };
    const auto unload = [&](RawConsumer& c, bool closes) {
        if (closes) {
            for (int i = 0; i < kItems; ++i) {
                c.send(RawConsumer::close(10 + i));
                if (i % 1000 == 999) f.turn();
            }
            f.until([&] { return rooms.items.size() == 0; });
            REQUIRE(client() != nullptr);
            CHECK(client()->keyBytes == 0);
            CHECK(client()->mounts.empty());
        }
        c.disconnect();
        f.until([&] { return rooms.items.size() == 0 && client() == nullptr; });
        f.provider.poll();
        f.provider.inbox.clear();
        f.provider.wire.clear();
    };
    const bool closes = GENERATE(true, false);
    // The first time makes room for what stays.
    for (int round = 0; round < 2; ++round) {
        RawConsumer greedy = f.loggedIn("greedy");
        const std::size_t used = inUse(), resident = residentBytes();
        load(greedy);
        CHECK(client()->keyBytes > kItems * kKey);
        const std::size_t usedMost = inUse(), residentMost = residentBytes();
        CHECK(usedMost > used + kItems * kKey);
        unload(greedy, closes);
        CHECK(counted("emissary_hub_items") == 0);
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (residentBytes() > resident + (residentMost - resident) / 4 && std::chrono::steady_clock::now() < end) {
            clock.advance(std::chrono::seconds(5));                            // a trim period
            f.provider.sendServiceState(HubFixture::kUpstreamId, true, true);  // signs of life
            CHECK(HubFixture::silent(probe));
            f.hub->dispatch(std::chrono::milliseconds(20));
        }
        std::printf("in use %zu, %zu, %zu MB; resident %zu, %zu, %zu MB\n", used >> 20, usedMost >> 20, inUse() >> 20,
                    resident >> 20, residentMost >> 20, residentBytes() >> 20);
        CHECK(inUse() <= used + (usedMost - used) / 10);
        CHECK(residentBytes() <= resident + (residentMost - resident) / 4);
    }
    probe.send(HubFixture::request(5));
    f.until([&] { return !f.provider.inbox.empty(); });
}
