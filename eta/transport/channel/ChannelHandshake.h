// The way of a channel from a descriptor to what both ends agreed on.
#pragma once

#include "eta/transport/ChannelInput.h"
#include "eta/transport/ChannelOutput.h"
#include "transport/channel/handshake.h"
#include "transport/stream/ByteStream.h"

#include <memory>
#include <optional>
#include <string>

namespace emissary::eta::transport {

/// What a handshake works on; the channel's own, and it outlives the handshake.
struct HandshakeEnds {
    std::unique_ptr<ByteStream>& stream;
    ChannelInput& input;
    ChannelOutput& output;
    ChannelInfo& info;
};

/// One side of a handshake. It lives until the channel is active or has failed, and its memory (options, addresses,
/// messages of the handshake) goes back then. Owner thread of the channel.
class ChannelHandshake {
public:
    ChannelHandshake(const HandshakeEnds& ends, TimePoint deadline) noexcept;
    ChannelHandshake(const ChannelHandshake&) = delete;
    ChannelHandshake& operator=(const ChannelHandshake&) = delete;
    virtual ~ChannelHandshake() = default;

    /// Goes on until it would block. active: agreed() is complete. failed: reason(). May throw std::bad_alloc.
    [[nodiscard]] virtual InitStatus drive(TimePoint now) = 0;
    [[nodiscard]] virtual const ChannelOptions& options() const noexcept = 0;
    [[nodiscard]] virtual ConnectionType connectionType() const noexcept = 0;
    /// Server side: sends this reason to the peer.
    virtual void refuse(std::string) {}

    [[nodiscard]] TimePoint deadline() const noexcept { return deadline_; }
    [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
    [[nodiscard]] bool refused() const noexcept { return refused_; }
    [[nodiscard]] bool timedOut() const noexcept { return timedOut_; }

    /// What the RIPC handshake brings, beside the facts in ChannelInfo.
    struct Agreed {
        int version = 14;
        std::size_t maxMessage = 0;
        Compression compression = Compression::none;
        std::uint8_t compressionLevel = 0;
    };
    [[nodiscard]] const Agreed& agreed() const noexcept { return agreed_; }

protected:
    using Sent = ChannelOutput::Sent;

    /// Something to send; the rest of it goes with sendPending().
    void put(WireBytes message) noexcept;
    [[nodiscard]] Sent sendPending() noexcept { return ends_.output.sendDirectly(out_, outSent_, sendError_); }
    /// Why sendPending() failed.
    [[nodiscard]] IoResult sendFailure() const noexcept {
        return {sendError_ != 0 ? IoResult::Kind::error : IoResult::Kind::end, 0, sendError_};
    }
    /// Text for a failed call of the stream.
    [[nodiscard]] std::string reasonOf(const IoResult& io) const;
    [[nodiscard]] InitStatus fail(std::string reason) noexcept;
    /// inProgress, or failed when the deadline has passed. `what` is missing, for the reason.
    [[nodiscard]] InitStatus waitFor(const char* what, TimePoint now);
    /// Past the deadline, with a reason of its own.
    [[nodiscard]] InitStatus timeOut(std::string reason) noexcept;

    HandshakeEnds ends_;
    TimePoint deadline_;
    Agreed agreed_;
    bool refused_ = false;
    bool keyAsked_ = false;

private:
    WireBytes out_;
    std::size_t outSent_ = 0;
    int sendError_ = 0;
    std::string reason_;
    bool timedOut_ = false;
};

}  // namespace emissary::eta::transport
