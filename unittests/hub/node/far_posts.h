// An owner and an edge of a mesh, and clients of the edge that post.
#pragma once

#include "meshed.h"

namespace emissary::test {

/// An owner and an edge that know each other.
struct Posting : Meshed {
    HubFixture &owner, &edge;

    explicit Posting(const std::string& server = {}, const std::function<void(HubSettings&)>& with = {})
        : owner(first(server, with)), edge(add("edge", Role::edge)) {
        if (owner.hub->settings().sources.empty()) return;
        owner.connected();
        edge.connected();
    }
    HubFixture& first(const std::string& server, const std::function<void(HubSettings&)>& with) {
        natsServer = server;
        // Twice what other tests have: a busy machine is to be no lost hub.
        change = [with](HubSettings& s) {
            s.mesh.heartbeat = 250ms;
            if (with) with(s);
        };
        return add("owner", Role::owner);
    }
    /// A post that the owner's provider has got.
    [[nodiscard]] RawProvider::Got posted() {
        for (;;) {
            auto got = owner.asked();
            if (got.msg.cls == MsgClass::Post) return got;
        }
    }
    void ack(const RawProvider::Got& post, std::uint8_t nak = 0, std::string_view text = {}) {
        Msg m;
        m.cls = MsgClass::Ack;
        m.domain = post.msg.domain;
        m.streamId = post.msg.streamId;
        m.ackId = post.msg.postId;
        if (post.msg.hasSeqNum()) {
            m.flags |= codec::AckFlag::seqNum;
            m.seqNum = post.msg.seqNum;
        }
        if (nak != 0) {
            m.flags |= codec::AckFlag::nakCode | codec::AckFlag::text;
            m.nakCode = nak;
            m.text = eta::asBytes(text);
        }
        owner.provider.send(m);
    }
};

[[nodiscard]] inline Msg farPost(HubFixture& f, std::int32_t stream, std::uint32_t id, std::uint64_t bid,
                                 std::string_view offStream = {}) {
    Msg m = f.post(stream, id, bid);
    m.postUserAddress = 0x0A090807;
    m.postUserId = 77;
    if (!offStream.empty()) {
        m.flags |= codec::PostFlag::msgKey;
        m.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
        m.key.serviceId = HubFixture::kId;
        m.key.name = eta::asBytes(offStream);
    }
    return m;
}

inline void checkAck(const Received& got, std::int32_t stream, std::uint32_t id, int nak = 0,
                     std::string_view text = {}) {
    CHECK(got.msg.streamId == stream);
    CHECK(got.msg.ackId == id);
    CHECK(int{got.msg.has(codec::AckFlag::nakCode) ? got.msg.nakCode : std::uint8_t{0}} == nak);
    if (!text.empty()) CHECK(std::string(eta::asText(got.msg.text)) == text);
}

/// A client of the edge with IBM open, at 10.
struct FarPoster : Far {
    FarPoster(Posting& p, const std::string& user, bool asks = true) : Far(p.edge, user) {
        open();
        if (asks) at = Meshed::asked(p.owner), p.owner.refresh(at, 10);
        until(10);
    }
    std::int32_t at = 0;  ///< the item's stream at the provider
};

inline constexpr std::string_view kOwnerLost =
    "the hub that has the source is gone; it is not known whether it took the post";
inline constexpr std::string_view kOwnerUnreached = "no hub that has the source of this item can be reached";

}  // namespace emissary::test
