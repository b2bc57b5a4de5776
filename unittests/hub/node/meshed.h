// Whole hubs that share a source over a bus in memory or over NATS, and clients far from it.
#pragma once

#include "hub/core/ItemTable.h"
#include "hub/core/Service.h"
#include "memory_mesh.h"
#include "perftools/TempDir.h"
#include "publisher.h"
#include "reactor/metrics/Snapshot.h"
#include "support/paths.h"

namespace emissary::test {

using namespace std::chrono_literals;

/// Hubs of one mesh; owners have a provider of DIRECT_FEED, edges have none.
struct Meshed {
    enum class Role : std::uint8_t { owner, edge, both };

    HubFixture& add(const std::string& name, Role role, std::uint32_t rank = 100) {
        auto made = std::make_unique<HubFixture>(
            [&](HubSettings& s) {
                s.name = name;
                s.dictionary.fieldFile = sourcePath("/etc/RDMFieldDictionary");
                s.dictionary.enumFile = sourcePath("/etc/enumtype.def");
                s.dictionary.configured = true;
                s.mesh.servers = {natsServer.empty() ? "memory" : natsServer};
                s.mesh.nodeName = name;
                s.mesh.epochFile = folder.file(name + ".epoch");
                s.mesh.heartbeat = 50ms;
                s.mesh.gapGrace = 20ms;
                s.mesh.rank = rank;
                if (role != Role::edge) s.mesh.exports = {"DIRECT_FEED"};
                if (role != Role::owner) s.mesh.imports = {"DIRECT_FEED"};
                if (role == Role::edge) s.sources.clear();
                if (change) change(s);
            },
            mesh.clock, nullptr, std::function<eta::WallClock::time_point()>{},
            natsServer.empty()
                ? std::function<std::unique_ptr<hub::nats::NatsBus>()>([this, name] { return mesh.bus(name); })
                : std::function<std::unique_ptr<hub::nats::NatsBus>()>{});
        made->plainNumbers = true;
        hubs.push_back(std::move(made));
        connectAll();
        return *hubs.back();
    }
    void kill(HubFixture& hub) {
        std::erase_if(hubs, [&](const auto& h) { return h.get() == &hub; });
        connectAll();
    }
    /// Whoever waits turns all of them.
    void connectAll() {
        for (const auto& h : hubs)
            h->alongside = [this, me = h.get()] {
                for (const auto& other : hubs)
                    if (other.get() != me) {
                        other->hub->dispatch(std::chrono::microseconds(0));
                        other->provider.poll();
                        if (each) each(*other);
                    }
            };
    }
    /// The item's request at a provider is answered, and goes on from there.
    [[nodiscard]] static std::int32_t asked(HubFixture& owner) {
        for (;;) {
            const auto got = owner.asked();
            if (got.msg.cls == MsgClass::Request && !got.msg.has(RequestFlag::noRefresh)) return got.msg.streamId;
        }
    }
    [[nodiscard]] static std::uint64_t metric(HubFixture& f, const char* name) {
        return f.hub->rooms().reactor.metrics().value(name).value_or(0);
    }

    std::function<void(HubSettings&)> change;  ///< for hubs that are added from here on
    std::string natsServer;                    ///< the server; empty: the bus in memory
    perf::test::TempDir folder;
    MemoryMesh mesh;
    std::function<void(HubFixture&)> each;  ///< for each hub beside the one that waits, in every turn
    std::vector<std::unique_ptr<HubFixture>> hubs;
};

/// A RIPC client that keeps what it was told last.
struct Far {
    Far(HubFixture& f, const std::string& user, std::int32_t id = 5) : fixture(f), wire(f.loggedIn(user)), stream(id) {}
    void open(std::string_view name = "IBM") { wire.send(HubFixture::request(stream, name)); }
    /// Reads until the last value and state are these.
    void until(std::uint64_t bid, std::uint8_t state = ok) {
        INFO("waits for " << bid << ", has " << value << " " << int{data} << " '" << text << "'");
        while (value != "1=" + std::to_string(bid) || data != state || open_ != StreamState::open)
            take(wire.next());
    }
    void untilState(std::uint8_t state) {
        while (data != state)
            take(wire.next());
    }
    /// All that the hub has sent up to now.
    void readAll() {
        wire.send(RawConsumer::request(999'999, 6, "none", std::uint16_t{65'000}));
        for (Received got = wire.next(); got.msg.streamId != 999'999; got = wire.next())
            take(got);
    }
    /// The next ack; what comes before it is taken.
    [[nodiscard]] Received ack() {
        for (;;) {
            Received got = wire.next();
            if (got.msg.cls == MsgClass::Ack) return got;
            take(got);
        }
    }
    void close() { wire.send(RawConsumer::close(stream)); }
    void take(const Received& got) {
        if (got.msg.streamId != stream) return;
        if (got.msg.hasState()) {
            open_ = got.msg.state.stream;
            data = got.msg.state.data;
            if (onState) onState(data);
            text = eta::asText(got.msg.state.text);
        }
        if (got.msg.cls == MsgClass::Refresh || got.msg.cls == MsgClass::Update) value = HubFixture::fields(got.msg);
    }
    HubFixture& fixture;
    RawConsumer wire;
    std::int32_t stream;
    std::string value, text;
    std::uint8_t open_ = 0, data = 0;
    std::function<void(std::uint8_t data)> onState;  ///< of each state that comes; may be empty
};

}  // namespace emissary::test
