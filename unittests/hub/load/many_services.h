// Hubs with thousands of services, and clients that hear of all of them.
#pragma once

#include "turns.h"

#include "hub/core/Service.h"
#include "reactor/metrics/Snapshot.h"

namespace emissary::test {

inline constexpr std::uint16_t kFirst = 100;  // the id of the first of many

class ManyServices : public HubFixture {
public:
    explicit ManyServices(std::uint32_t most = 65'000, const std::function<void(HubSettings&)>& change = {})
        : HubFixture([most, &change](HubSettings& s) {
              s.maxServices = s.maxServicesPerSource = most;
              s.services[0].cache.rule = CachePolicy::Rule::all;
              s.serviceDefaults.deleteLostServices = true;
              if (change) change(s);
          }) {}

    /// Adds, or deletes, `count` services in one message.
    [[nodiscard]] static std::vector<std::byte> adds(std::size_t count, std::uint16_t first = kFirst,
                                                     const std::string& prefix = "S") {
        rdm::Directory d;
        for (std::size_t i = 0; i < count; ++i)
            REQUIRE(d.add(RawProvider::service(static_cast<std::uint16_t>(first + i), prefix + std::to_string(i))));
        reactor::GrowingBuffer out;
        REQUIRE(d.encode(out.start(), {}).ok());
        return {out.view().begin(), out.view().end()};
    }
    [[nodiscard]] static std::vector<std::byte> deletes(std::size_t count, std::uint16_t first = kFirst) {
        std::vector<std::uint16_t> ids;
        for (std::size_t i = 0; i < count; ++i)
            ids.push_back(static_cast<std::uint16_t>(first + i));
        reactor::GrowingBuffer out;
        REQUIRE(rdm::Directory::encodeDeletes(out.start(), ids).ok());
        return {out.view().begin(), out.view().end()};
    }
    [[nodiscard]] static Msg directoryUpdate(Bytes map, std::int32_t stream) {
        Msg m = RawProvider::update(stream);
        m.domain = 4;
        m.containerType = codec::DataType::Map;
        m.payload = map;
        return m;
    }
    /// An item that is open at the provider.
    std::int32_t opened(RawConsumer& c, std::string_view name) {
        c.send(request(5, name));
        const std::int32_t stream = asked().msg.streamId;
        refresh(stream, 1, name);
        REQUIRE(c.next().msg.cls == MsgClass::Refresh);
        return stream;
    }
    [[nodiscard]] std::size_t services() { return hub->rooms().services.size(); }
};

/// What a client knows of services.
struct Watcher {
    explicit Watcher(HubFixture& f, std::string_view user = "watcher") : wire(f.loggedIn(user)) {
        wire.send(RawConsumer::directoryRequest(3));
        take(wire.next());
    }
    void take(const Received& got) {
        const std::size_t before = known.services().size();
        std::size_t deletes = 0;
        codec::MapDecoder map;
        REQUIRE(map.start(got.msg.payload).ok());
        for (codec::MapEntry entry; map.next(entry);)
            deletes += entry.action == codec::MapAction::del ? 1 : 0;
        REQUIRE(known.apply(got.msg.payload, false).ok());
        if (deletes != 0) twice += deletes - (before - known.services().size());
        ++messages;
    }
    /// What has come so far.
    void read() {
        while (const auto got = wire.tryNext(std::chrono::milliseconds(0)))
            take(*got);
    }
    [[nodiscard]] std::size_t up() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(known.services(), [](const auto& s) { return s->state.up; }));
    }
    RawConsumer wire;
    rdm::Directory known;
    std::size_t messages = 0;
    std::size_t twice = 0;  ///< ends of services that it had heard of before
};

}  // namespace emissary::test
