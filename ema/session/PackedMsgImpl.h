// The content of a PackedMsg: {u16 length, message}... ready to be one transport message.
#pragma once

#include "Access/Include/OmmProvider.h"
#include "eta/codec/Msg.h"

#include <algorithm>
#include <span>
#include <vector>

namespace emissary::ema {

struct PackedMsgImpl {
    /// A stream that ends, or a login that changes, once the pack is on its way.
    struct Ending {
        std::uint64_t handle = 0;
        eta::codec::Msg msg;  ///< class, flags and state only
    };
    refinitiv::ema::access::OmmProvider* provider = nullptr;
    std::uint64_t clientHandle = 0;  ///< whom it goes to; of a non-interactive provider: the connection's number
    std::vector<std::byte> body;     ///< empty = no buffer; its size is the pack's limit
    std::size_t used = 0;
    std::uint32_t messages = 0;
    std::vector<Ending> endings;

    [[nodiscard]] bool ready() const noexcept { return !body.empty(); }
    [[nodiscard]] std::size_t left() const noexcept { return body.size() - used; }
    /// Encodes behind what is there. Errc::noSpace: it does not fit, and the pack is as it was.
    [[nodiscard]] eta::Error append(const eta::codec::Msg& msg) {
        if (left() <= 2) return {eta::Errc::noSpace, 0};
        const std::span<std::byte> room(body.data() + used + 2, std::min<std::size_t>(left() - 2, 0xFFFF));
        eta::BeWriter out(room);
        if (const eta::Error e = eta::codec::encodeMsg(out, msg); !e.ok()) return e;
        eta::storeBe(body.data() + used, static_cast<std::uint16_t>(out.size()));
        used += 2 + out.size();
        ++messages;
        return {};
    }
    /// An ending must not take effect before the pack has left: true when the message is one and was noted.
    [[nodiscard]] bool holdBack(std::uint64_t handle, const eta::codec::Msg& msg) {
        if (!msg.hasState() || msg.state.stream == eta::codec::StreamState::open) return false;
        Ending ending{handle, {}};
        ending.msg.cls = msg.cls;
        ending.msg.flags = msg.flags;
        ending.msg.state = msg.state;
        ending.msg.state.text = {};
        endings.push_back(ending);
        return true;
    }
    void release() noexcept {
        body.clear();
        used = 0;
        messages = 0;
        endings.clear();
    }
};

}  // namespace emissary::ema
