// Sends CONNECT, reads the proxy's answer, and then steps aside.
#include "transport/tcp/ProxyStream.h"

#include "transport/websocket/http_upgrade.h"

#include <cerrno>

namespace emissary::eta::transport {

ProxyStream::ProxyStream(std::unique_ptr<ByteStream> below, const ConnectOptions& o)
    : below_(std::move(below)),
      request_(ws::connectRequest(o.host, o.port,
                                  o.proxy.domain.empty() || o.proxy.user.empty() ? o.proxy.user
                                                                                 : o.proxy.domain + '\\' + o.proxy.user,
                                  // Credentials stand in the request; the answer says whether they were good.
                                  o.proxy.password)) {}

bool ProxyStream::handshakeWantsWrite() const noexcept {
    return belowReady_ ? sent_ < request_.size() : below_->handshakeWantsWrite();
}

IoResult ProxyStream::handshake() noexcept {
    if (done_) return {};
    if (!belowReady_) {
        const IoResult io = below_->handshake();
        if (io.kind != IoResult::Kind::ok) return io;
        belowReady_ = true;
    }
    while (sent_ < request_.size()) {
        const iovec part{request_.data() + sent_, request_.size() - sent_};
        const IoResult io = below_->send({&part, 1});
        if (io.kind != IoResult::Kind::ok) return io;
        sent_ += io.bytes;
        // The answer comes in as many pieces as the network makes of it.
    }
    for (;;) {
        std::byte block[1024];
        const IoResult io = below_->receive(block);
        if (io.kind == IoResult::Kind::wouldBlock) return io;
        if (io.kind != IoResult::Kind::ok) {
            reason_ = "proxy closed the connection instead of answering CONNECT";
            return {IoResult::Kind::error, 0, EPROTO};
        }
        // Bounded by the parser: an answer that is too long is refused there.
        answer_ += asText({block, io.bytes});
        const ws::ConnectAnswer a = ws::parseConnectAnswer(answer_);
        if (a.progress == ws::Progress::needMore) continue;
        reason_ = a.reason;
        // The server speaks after the client only, so nothing may follow the proxy's answer.
        if (a.progress == ws::Progress::complete && a.consumed != answer_.size())
            reason_ = "proxy sent data behind its answer to CONNECT";
        if (!reason_.empty()) return {IoResult::Kind::error, 0, EPROTO};
        done_ = true;
        // From here on the bytes are the peer's.
        return {};
    }
}

}  // namespace emissary::eta::transport
