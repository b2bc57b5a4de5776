// A fan-out over real connections: clients whose other ends the test reads.
#pragma once

#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/transport/support.h"
#include "hub/core/Mounts.h"
#include "hub/fanout/FanOut.h"
#include "reactor/JsonLayer.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <deque>
#include <map>
#include <set>

namespace emissary::test {

using namespace hub;
namespace codec = eta::codec;
using fanout::FanOut;
using fanout::SlowRules;
using transport_test::ByteVector;

inline constexpr std::uint8_t kQuote = 1, kTrade = 2;  // types of updates

struct FanOutFixture {
    struct Handler final : reactor::LinkHandler {
        void onLinkUp(reactor::Link&) override {}
        void onLinkMessage(reactor::Link&, eta::Bytes) override {}
        void onLinkDown(reactor::Link&, const std::string&, bool) override {}
    };
    /// Both ends of one connection.
    struct Peer {
        Client* client = nullptr;
        std::unique_ptr<reactor::Link> link;
        std::unique_ptr<transport_test::Server> server;
        std::unique_ptr<eta::transport::Channel> channel;
        std::deque<ByteVector> got;
    };

    explicit FanOutFixture(const SlowRules& rules = {}, reactor::ReactorOptions options = {})
        : loop(withJson(std::move(options))) {
        const std::lock_guard guard(loop.lock());
        out = std::make_unique<FanOut>(clients, views, loop, rules,
                                       [this](Client& c, fanout::SlowClients::Cut, const std::string& reason) {
                                           cut.emplace_back(c.index, reason);
                                       });
        item = &newItem("TRI.N");
    }
    ~FanOutFixture() {
        const std::lock_guard guard(loop.lock());
        while (item->mountCount != 0)
            mounts.remove(*item, 0);
        for (Peer& p : peers)
            p.link.reset();
        out.reset();
    }
    static reactor::ReactorOptions withJson(reactor::ReactorOptions o) {
        o.jsonLayer = reactor::jsonLayer();
        return o;
    }
    Item& newItem(std::string_view name) {
        codec::MsgKey key;
        key.flags = codec::KeyFlag::name;
        key.name = eta::asBytes(name);
        return items.create(items.keyOf(7, 6, key));
    }
    /// With `bufferBytes` the system's buffers are that small, about.
    Peer& connect(bool json = false, std::uint32_t bufferBytes = 0) {
        transport_test::ConnectOptions options = transport_test::connectOptions(0);
        transport_test::BindOptions bind = transport_test::bindOptions();
        if (bufferBytes != 0) bind.sysSendBufSize = options.sysRecvBufSize = bufferBytes;
        if (json) {
            bind.connectionType = options.connectionType = eta::transport::ConnectionType::webSocket;
            options.webSocket.protocols = "tr_json2";
        }
        transport_test::Pair pair = makePair(bind, options, loop.now());
        Peer& p = peers.emplace_back();
        p.server = std::move(pair.server);
        p.channel = std::move(pair.client);
        {
            const std::lock_guard guard(loop.lock());
            p.link = loop.adopt(std::move(pair.accepted), handler);
            p.client = &clients.add();
            p.client->handle = 1000 + p.client->index;
            p.client->user = "user" + std::to_string(p.client->index);
            p.client->link = p.link.get();
            p.client->json = json;
        }
        until([&] { return p.link->active(); });
        return p;
    }
    /// At the loop's time: a connection that was made long before it would have lost its pings.
    static transport_test::Pair makePair(const transport_test::BindOptions& bind,
                                         transport_test::ConnectOptions connect, reactor::TimePoint now) {
        transport_test::Pair p;
        p.server = transport_test::listen(bind);
        connect.port = std::to_string(p.server->port());
        p.client = transport_test::open(connect, now);
        p.accepted = transport_test::acceptOne(*p.server, now);
        using eta::transport::InitStatus;
        for (;;) {
            const InitStatus client = p.client->init(now), accepted = p.accepted->init(now);
            REQUIRE(client != InitStatus::failed);
            REQUIRE(accepted != InitStatus::failed);
            if (client == InitStatus::active && accepted == InitStatus::active) return p;
            static_cast<void>(transport_test::readable(p.client->fd(), 1));
        }
    }
    Mount& mount(Peer& p, std::int32_t stream, std::uint16_t flags = 0, std::uint16_t view = 0) {
        return mounts.add(*item, *p.client, stream, flags, view);
    }
    void turn() { loop.dispatch(std::chrono::microseconds(0), 10); }
    void until(const std::function<bool()>& done) {
        const auto end = reactor::Clock::now() + kPatience;
        while (!done()) {
            loop.dispatch(std::chrono::microseconds(100), 10);
            REQUIRE(reactor::Clock::now() < end);
        }
    }
    template <class F>
    void locked(F&& f) {
        const std::lock_guard guard(loop.lock());
        f();
    }
    void send(const codec::Msg& m, To to = To::live) {
        locked([&] { out->send(*item, m, to); });
    }
    /// One message that is there already; pings are passed over.
    static eta::transport::ReadResult read(Peer& p) {
        for (;;) {
            const eta::transport::ReadResult r = p.channel->read();
            if (r.kind != eta::transport::ReadResult::Kind::ping) return r;
        }
    }
    static bool readOne(Peer& p) { return read(p).kind == eta::transport::ReadResult::Kind::message; }
    /// The peer's next message.
    ByteVector next(Peer& p) {
        eta::transport::ReadResult r;
        until([&] {
            r = read(p);
            return r.kind == eta::transport::ReadResult::Kind::message;
        });
        return {r.message.begin(), r.message.end()};
    }
    /// All that a turn brings.
    std::size_t received(Peer& p) {
        turn();
        std::size_t count = 0;
        while (readOne(p))
            ++count;
        return count;
    }
    std::string text(Peer& p) { return std::string(eta::asText(next(p))); }

    reactor::Reactor loop;
    Handler handler;
    ItemTable items;
    ClientTable clients;
    Mounts mounts{items, clients};
    ViewTable views;
    std::unique_ptr<FanOut> out;
    Item* item = nullptr;
    std::deque<Peer> peers;
    std::vector<std::pair<std::uint32_t, std::string>> cut;
};

/// A message with the bytes that its views point into; `raw` set as if it had been received.
struct Made {
    std::vector<std::byte> bytes;
    codec::Msg msg;
};
inline Made received(const codec::Msg& m) {
    Made made;
    made.bytes.resize(codec::maxEncodedSize(m));
    eta::BeWriter writer(made.bytes);
    REQUIRE(codec::encodeMsg(writer, m).ok());
    made.bytes.resize(writer.size());
    REQUIRE(codec::decodeMsg(made.bytes, made.msg).ok());
    return made;
}
inline ByteVector bytesOf(codec::Msg m, std::int32_t stream) {
    m.streamId = stream;
    return received(m).bytes;
}

/// Fields with one unsigned value each.
inline std::vector<std::byte> fields(const std::map<std::int16_t, std::uint64_t>& values) {
    std::vector<std::byte> room(1024);
    eta::BeWriter writer(room);
    codec::FieldListEncoder list;
    list.begin(writer, {3, 5});
    for (const auto& [id, value] : values)
        list.addUInt(id, value);
    REQUIRE(list.complete().ok());
    room.resize(writer.size());
    return room;
}

inline codec::Msg update(eta::Bytes payload, std::uint16_t flags = 0) {
    codec::Msg m;
    m.cls = codec::MsgClass::Update;
    m.domain = 6;
    m.streamId = 99;
    m.flags = flags;
    m.containerType = codec::DataType::FieldList;
    m.payload = payload;
    return m;
}

}  // namespace emissary::test
