// A connection that goes from one reactor to another: nothing that is under way is lost, and everything is counted
// once.
#include "eta/codec/Msg.h"
#include "eta/transport/rows.h"
#include "reactor/JsonLayer.h"
#include "reactor/metrics/Snapshot.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <array>

using namespace emissary;
using namespace std::chrono_literals;
using eta::transport::Channel;
using reactor::Link;
using reactor::Reactor;
using transport_test::ByteVector;

namespace {

ByteVector update(std::int32_t streamId) {
    eta::codec::Msg m;
    m.cls = eta::codec::MsgClass::Update;
    m.streamId = streamId;
    m.domain = 6;
    ByteVector bytes(eta::codec::maxEncodedSize(m));
    eta::BeWriter out(bytes);
    REQUIRE(eta::codec::encodeMsg(out, m).ok());
    bytes.resize(out.size());
    return bytes;
}

/// Stream ids in the order in which they came.
struct Handler final : reactor::LinkHandler {
    std::vector<std::uint32_t> got;
    std::vector<std::string> downs;
    void onLinkUp(Link&) override {}
    void onLinkMessage(Link&, eta::Bytes message) override {
        got.push_back(eta::loadBe<std::uint32_t>(message.data() + 4));
    }
    void onLinkDown(Link&, const std::string& reason, bool) override { downs.push_back(reason); }
};

/// A link that is in one of two reactors, and the other end of its connection.
struct Traveller {
    explicit Traveller(const transport_test::Row& row) : json(row.json) {
        transport_test::Pair pair = transport_test::makePair(row);
        server = std::move(pair.server);
        peer = std::move(pair.client);
        const std::lock_guard guard(loops[0].lock());
        link = loops[0].adopt(std::move(pair.accepted), told);
    }
    ~Traveller() {
        const std::lock_guard guard(loops[at].lock());
        link.reset();
    }
    static reactor::ReactorOptions options() {
        reactor::ReactorOptions o;
        o.jsonLayer = reactor::jsonLayer();
        return o;
    }
    void turn() {
        loops[0].dispatch(0us, 10);
        loops[1].dispatch(0us, 10);
        for (;;) {
            const eta::transport::ReadResult r = peer->read();
            if (r.kind == eta::transport::ReadResult::Kind::message) heard.push_back(idOf(r.message));
            if (r.kind == eta::transport::ReadResult::Kind::closed || !r.more) return;
        }
    }
    [[nodiscard]] std::uint32_t idOf(eta::Bytes message) const {
        if (!json) return eta::loadBe<std::uint32_t>(message.data() + 4);
        const std::string_view text = eta::asText(message);
        return static_cast<std::uint32_t>(std::stoul(std::string(text.substr(text.find("\"ID\":") + 5))));
    }
    void move() {
        std::shared_ptr<Channel> channel;
        {
            const std::lock_guard guard(loops[at].lock());
            channel = link->release();
            REQUIRE(channel != nullptr);
            CHECK_FALSE(link->active());
            CHECK(link->release() == nullptr);
            CHECK(link->send(update(9)).code == eta::Errc::closed);
            link.reset();
        }
        at = 1 - at;
        const std::lock_guard guard(loops[at].lock());
        link = loops[at].resume(std::move(channel), told);
        CHECK(link->active());
    }
    void peerSends(std::int32_t id) {
        const std::string text = R"({"ID":)" + std::to_string(id) + R"(,"Type":"Update"})";
        const ByteVector rwf = update(id);
        REQUIRE(peer->write(json ? eta::asBytes(text) : eta::Bytes(rwf)).ok());
        static_cast<void>(peer->flush());
    }
    void send(std::int32_t id) {
        const std::lock_guard guard(loops[at].lock());
        REQUIRE(link->send(eta::Bytes(update(id))).ok());
    }
    [[nodiscard]] std::uint64_t count(std::size_t loop, const char* name) {
        return loops[loop].metrics().value(name).value_or(0);
    }

    Handler told;
    std::array<Reactor, 2> loops{Reactor(options()), Reactor(options())};
    const bool json;
    std::unique_ptr<eta::transport::Server> server;
    std::unique_ptr<Channel> peer;
    std::unique_ptr<Link> link;
    std::size_t at = 0;
    std::vector<std::uint32_t> heard;
};

}  // namespace

TEST_CASE("a connection goes from one reactor to another and back while both ends send", "[reactor][loop]") {
    const transport_test::Row& row = transport_test::row(GENERATE(from_range(transport_test::rowNames())));
    INFO(row.name);
    Traveller t(row);
    REQUIRE(test::turnUntil([&] { return t.link->active(); }, [&] { t.turn(); }));
    std::vector<std::uint32_t> sent;
    std::array<std::uint64_t, 2> read{};
    for (std::int32_t id = 1; id <= 300; ++id) {
        sent.push_back(static_cast<std::uint32_t>(id));
        t.peerSends(id);
        t.send(id);
        if (id % 3 == 0) t.turn();
        if (id % 10 == 0) t.move();  // with messages that were received and not read, and output that waits
        for (std::size_t i = 0; i < 2; ++i) {
            const std::uint64_t now = t.count(i, "emissary_channel_messages_read_total");
            CHECK(now >= read[i]);
            CHECK(now <= 300);
            read[i] = now;
        }
    }
    REQUIRE(test::turnUntil([&] { return t.told.got.size() >= sent.size() && t.heard.size() >= sent.size(); },
                            [&] { t.turn(); }));
    CHECK(t.told.got == sent);
    CHECK(t.heard == sent);
    CHECK(t.count(0, "emissary_channel_messages_read_total") + t.count(1, "emissary_channel_messages_read_total") ==
          t.link->channel()->counters().messagesRead);
    CHECK(t.count(0, "emissary_channel_messages_written_total") +
              t.count(1, "emissary_channel_messages_written_total") ==
          t.link->channel()->counters().messagesWritten);
    CHECK(t.told.downs.empty());
    if (row.group) return;
    t.peer->close();
    REQUIRE(test::turnUntil([&] { return !t.told.downs.empty(); }, [&] { t.turn(); }));
}

TEST_CASE("a connection that ended on its way is told of where it arrives", "[reactor][loop]") {
    Traveller t(transport_test::row("tcp"));
    REQUIRE(test::turnUntil([&] { return t.link->active(); }, [&] { t.turn(); }));
    t.peerSends(1);
    t.peer->close();
    t.move();
    REQUIRE(test::turnUntil([&] { return !t.told.downs.empty(); },
                            [&] {
                                t.loops[0].dispatch(0us, 10);
                                t.loops[1].dispatch(0us, 10);
                            }));
    CHECK(t.told.got == std::vector<std::uint32_t>{1});
    CHECK(t.at == 1);
}

TEST_CASE("JSON is not resumed where nothing converts it", "[reactor][loop]") {
    Traveller t(transport_test::row([] {
        for (const auto& row : transport_test::rows())
            if (row.json) return row.name;
        return std::string();
    }()));
    REQUIRE(test::turnUntil([&] { return t.link->active(); }, [&] { t.turn(); }));
    std::shared_ptr<Channel> channel;
    {
        const std::lock_guard guard(t.loops[0].lock());
        channel = t.link->release();
    }
    Reactor plain({});
    const std::lock_guard guard(plain.lock());
    CHECK_THROWS_AS(plain.resume(std::move(channel), t.told), std::invalid_argument);
}
