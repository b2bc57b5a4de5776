// The backlog of a peer that does not read: kept in order, bounded, counted.
#include "session/Sender.h"

#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using reactor::session::Sender;

namespace {

codec::Msg request(std::int32_t streamId, Bytes name) {
    codec::Msg m;
    m.cls = codec::MsgClass::Request;
    m.domain = 6;
    m.streamId = streamId;
    m.flags = codec::RequestFlag::streaming;
    m.key.flags = codec::KeyFlag::name;
    m.key.name = name;
    return m;
}

/// A connection whose output is full soon.
struct Narrow : Caller {
    Narrow() {
        channels[0].connect.guaranteedOutputBuffers = 5;
        channels[0].connect.sysSendBufSize = 8192;
        connected();
        until([&] { return servers[0].connected(); });
    }
};

}  // namespace

TEST_CASE("What does not fit waits and goes out in order", "[reactor][client]") {
    Narrow c;
    const std::vector<std::byte> name(200, std::byte{'x'});
    Sender& sender = c.connection->sender();
    std::int32_t last = 2;
    {
        const std::lock_guard guard(c.loop->lock());
        while (sender.counters().kept < 1000)
            sender.send(request(++last, name));
        CHECK(sender.congested());
        CHECK(sender.trySend(request(last, name)).code == reactor::Errc::noBuffers);
        CHECK(sender.counters().peakBytes == sender.waitingBytes());
    }
    c.until([&] {
        c.clock.advance(1ms);
        return sender.idle() && c.servers[0].inbox.size() == static_cast<std::size_t>(last - 2);
    });
    for (std::int32_t id = 3; id <= last; ++id)
        REQUIRE(c.servers[0].inbox[static_cast<std::size_t>(id - 3)].msg.streamId == id);
    CHECK(sender.waitingBytes() == 0);
    CHECK(sender.counters().dropped == 0);
}

TEST_CASE("A backlog that is full ends the connection", "[reactor][client]") {
    Narrow c;
    const std::vector<std::byte> name(200, std::byte{'x'});
    std::string why;
    std::unique_ptr<Sender> sender;
    {
        const std::lock_guard guard(c.loop->lock());
        sender = std::make_unique<Sender>(
            *c.loop, [&](const std::string& reason) { why = reason; }, 1u << 20);
        sender->attach(c.connection->link());
        std::int32_t id = 2;
        while (sender->counters().dropped < 3)
            sender->send(request(++id, name));
        CHECK(sender->waitingBytes() <= 1u << 20);
        CHECK(why.empty());  // not inside the call
    }
    c.until([&] {
        c.clock.advance(1ms);
        return !why.empty();
    });
    CHECK(why.find("1 MiB") != std::string::npos);
    const std::lock_guard guard(c.loop->lock());
    sender->attach(nullptr);
    CHECK(sender->idle());
    sender.reset();
}
