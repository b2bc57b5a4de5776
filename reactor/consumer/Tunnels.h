// The tunnel streams of one consumer, and the streams inside them (tunnel.md 9.2, 9.3).
#pragma once

#include "eta/core/GrowingBuffer.h"
#include "reactor/TurnEnd.h"
#include "reactor/consumer/consumer_types.h"
#include "reactor/memory.h"
#include "reactor/tunnel/TunnelRequest.h"
#include "session/LoginStream.h"
#include "session/RequestTable.h"
#include "session/Sender.h"
#include "tunnel/ConsumerEnd.h"
#include "watchlist/Watchlist.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace emissary::reactor::consumer {

using session::LoginStream;
using session::Request;
using session::RequestTable;

/// Session lock held throughout; messages come on the dispatching thread.
class Tunnels final : private tunnel::Wire, private tunnel::End::User, private TurnEnd, private MemoryOwner {
public:
    /// Where its ids, services and login come from.
    struct Around {
        Reactor& reactor;
        Sender& sender;
        RequestTable& requests;
        ConsumerSink& sink;
        Watchlist& watchlist;
        const rdm::Directory& directory;
        const LoginStream& login;
    };

    explicit Tunnels(const Around& around);
    ~Tunnels();

    // --- the application's calls
    Handle open(const tunnel::TunnelRequest& request, const Subscriber& subscriber, Refusal& refusal);
    /// Closes a tunnel or a stream inside one. No callback follows for it, nor for the streams inside.
    void close(Request& r);
    /// A stream inside; `parent` is a tunnel's request.
    Handle openInside(const Request& parent, const RequestView& request, const Subscriber& subscriber,
                      Refusal& refusal);
    [[nodiscard]] Refusal reissue(const Request& r, const RequestView& request);
    /// Generic messages and posts.
    [[nodiscard]] Refusal submit(const Request& r, const eta::codec::Msg& msg);

    /// Empty when the handle is no tunnel's.
    [[nodiscard]] std::optional<std::uint32_t> buffersUsed(Handle handle) const noexcept;

    // --- the wire
    /// The message was for a tunnel.
    [[nodiscard]] bool onMessage(const eta::codec::Msg& msg);
    /// The peer sent something undecodable; true when it was on a tunnel's stream.
    [[nodiscard]] bool onMalformed(std::int32_t wireId);
    void connectionLost();

    [[nodiscard]] tunnel::Counters& counters() noexcept { return counters_; }

private:
    struct Inner {
        Handle handle = 0;
        std::uint8_t domain = 0;
    };
    struct Tunnel {
        std::unique_ptr<tunnel::ConsumerEnd> end;
        Handle handle = 0;  // 0: the application has closed it, or it has ended
        std::int32_t wireId = 0;
        std::string serviceName;
        std::map<std::int32_t, Inner> inside;  // by stream id inside
        std::vector<std::int32_t> freed;
        std::int32_t nextInside = 5;
    };

    // --- tunnel::Wire
    eta::Error tryWrite(Bytes message) noexcept override;
    void write(const eta::codec::Msg& message) override { around_.sender.send(message); }
    // --- tunnel::End::User
    void onStatus(tunnel::End& end, const tunnel::Status& status) override;
    void onData(tunnel::End& end, eta::codec::DataType type, Bytes data) override;
    void onFlushDue(tunnel::End& end) override { due_.push_back(&end); }
    void onEnded(tunnel::End& end) override;
    // --- TurnEnd, MemoryOwner
    void onTurnEnd() noexcept override;
    void trimMemory() noexcept override;
    [[nodiscard]] std::size_t places() const noexcept override { return 0; }

    [[nodiscard]] Tunnel* of(const Request& r) noexcept;
    [[nodiscard]] std::string serviceOf(const tunnel::TunnelRequest& request, std::uint16_t& id,
                                        std::string& name) const;
    [[nodiscard]] std::int32_t streamIdFor(Tunnel& t, const eta::codec::Msg& m, Refusal& refusal);
    [[nodiscard]] std::vector<std::byte> ownLogin() const;
    [[nodiscard]] Refusal send(Tunnel& t, const eta::codec::Msg& m);
    void endInside(Tunnel& t, std::int32_t innerId);
    void endAllInside(Tunnel& t);
    void refuseLater(Request& r, const eta::codec::Msg& m, std::string text);

    const Around around_;
    tunnel::Counters counters_;
    const tunnel::Limits limits_;
    std::map<std::int32_t, std::unique_ptr<Tunnel>> byWire_;
    std::map<Handle, Tunnel*> byHandle_;
    std::vector<std::unique_ptr<Tunnel>> gone_;  // may be on the stack: freed at the end of the turn
    std::vector<tunnel::End*> due_;
    eta::codec::Msg inner_;
    OwnCalls calls_;
};

}  // namespace emissary::reactor::consumer
