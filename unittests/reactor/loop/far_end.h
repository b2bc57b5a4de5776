// A link's handler that keeps what came, and the other end of its connection.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/transport/rows.h"
#include "reactor/JsonLayer.h"
#include "reactor/Reactor.h"
#include "support/catch.hpp"

namespace emissary::test {

using transport_test::ByteVector;

inline ByteVector updateOf(std::int32_t streamId) {
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
struct IdHandler final : reactor::LinkHandler {
    std::vector<std::uint32_t> got;
    std::vector<std::string> downs;
    void onLinkUp(reactor::Link&) override {}
    void onLinkMessage(reactor::Link&, eta::Bytes message) override {
        got.push_back(eta::loadBe<std::uint32_t>(message.data() + 4));
    }
    void onLinkDown(reactor::Link&, const std::string& reason, bool) override { downs.push_back(reason); }
};

/// The far end of a connection of one row of the transport tests.
struct FarEnd {
    explicit FarEnd(const transport_test::Row& row) : json(row.json) {
        transport_test::Pair pair = transport_test::makePair(row);
        server = std::move(pair.server);
        peer = std::move(pair.client);
        accepted = std::move(pair.accepted);
    }
    static reactor::ReactorOptions options() {
        reactor::ReactorOptions o;
        o.jsonLayer = reactor::jsonLayer();
        return o;
    }
    /// Takes what has come.
    void read() {
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
    void send(std::int32_t id) {
        const std::string text = R"({"ID":)" + std::to_string(id) + R"(,"Type":"Update"})";
        const ByteVector rwf = updateOf(id);
        REQUIRE(peer->write(json ? eta::asBytes(text) : eta::Bytes(rwf)).ok());
        static_cast<void>(peer->flush());
    }

    const bool json;
    std::unique_ptr<eta::transport::Server> server;
    std::unique_ptr<eta::transport::Channel> peer, accepted;  ///< `accepted` is for the link
    std::vector<std::uint32_t> heard;
};

}  // namespace emissary::test
