// Upgrade requests, frames and raw peers for the tests of WebSocket connections.
#pragma once

#include "support.h"
#include "support/catch.hpp"
#include "transport/websocket/websocket_frames.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

namespace transport_test {

namespace ws = emissary::eta::transport::ws;

inline ByteVector text(std::string_view s) {
    const Bytes b = asBytes(s);
    return {b.begin(), b.end()};
}

inline std::string textOf(const ByteVector& b) {
    return std::string(asText(b));
}

inline constexpr std::string_view kKey = "dGhlIHNhbXBsZSBub25jZQ==";

inline std::string request(std::string_view protocols, std::string_view extra = {}) {
    return "GET /WebSocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
           "Sec-WebSocket-Key: " +
           std::string(kKey) + "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: " + std::string(protocols) +
           "\r\n" + std::string(extra) + "\r\n";
}

inline std::string readHead(RawSocket& raw) {
    std::string head;
    while (!head.ends_with("\r\n\r\n")) {
        const ByteVector b = raw.receive(1);
        if (b.empty()) break;
        head += textOf(b);
    }
    return head;
}

inline ByteVector wsFrame(int first, std::string_view payload, bool masked = true) {
    ByteVector f(ws::kMaxHeader + payload.size());
    const ws::Mask mask{0x12, 0x34, 0x56, 0x78};
    const std::size_t n =
        ws::writeHeader(f.data(), ws::Opcode::text, true, false, payload.size(), masked ? &mask : nullptr);
    f[0] = static_cast<std::byte>(first);
    const Bytes p = asBytes(payload);
    if (masked) ws::applyMask(f.data() + n, p.data(), p.size(), mask, 0);
    else std::copy(p.begin(), p.end(), f.data() + n);
    f.resize(n + payload.size());
    return f;
}

struct JsonPeer {
    std::unique_ptr<Server> server;
    std::unique_ptr<Channel> channel;
    RawSocket raw;
    std::string head;
};

/// A server channel that is active with a raw WebSocket client at the other end.
inline JsonPeer jsonPeer(const BindOptions& bind = bindOptions(), std::string_view extra = {},
                         std::string_view protocols = "tr_json2") {
    JsonPeer p;
    p.server = listen(bind);
    p.raw = RawSocket::connectTo(p.server->port());
    p.raw.send(asBytes(request(protocols, extra)));
    p.channel = acceptOne(*p.server);
    const InitStatus s = settle(*p.channel);
    INFO(p.channel->errorText());
    REQUIRE(s == InitStatus::active);
    p.head = readHead(p.raw);
    return p;
}

}  // namespace transport_test
