// Types of the calls between a role that connects to servers and its user.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/core/Refused.h"
#include "reactor/Reactor.h"
#include "reactor/session/ChannelAccount.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace emissary::reactor::session {

/// Names one registered interest; never 0, not reused.
using Handle = std::uint64_t;

/// The receiver of a handle's messages; opaque here.
struct Subscriber {
    void* client = nullptr;
    void* closure = nullptr;
    Handle parent = 0;
};

/// The recipient of a message.
struct Recipient {
    Handle handle = 0;
    void* client = nullptr;
    void* closure = nullptr;
    Handle parent = 0;
};

/// A request as the application made it: the message (stream id unused) and the service's name when it gave one.
struct RequestView {
    const eta::codec::Msg& msg;
    std::string_view serviceName;  ///< data() null: not given
};

/// A Refused that also says what kind of mistake it was: which exception the public interface makes of it.
struct [[nodiscard]] Refusal : eta::Refused {
    /// Which one.
    enum class Kind : std::uint8_t {
        invalidUsage,      ///< not now, or not on this stream
        invalidArgument,   ///< a value that is never possible here
        invalidData,       ///< a reissue that changes what must stay, or that cannot be read
        invalidOperation,  ///< a feature that is not enabled
        invalidHandle,     ///< there is no such handle
        noActiveChannel,   ///< not connected, or not logged in
        noBuffers,         ///< the output is full
        conversion         ///< the message cannot be written as JSON
    };
    Kind kind = Kind::invalidUsage;  ///< means nothing unless the call was refused

    Refusal() = default;  ///< not refused
    /// Refuses: `sentence` is for a person, and not empty.
    Refusal(Kind k, std::string sentence) : eta::Refused{std::move(sentence)}, kind(k) {}
};

/// What became of a connection.
enum class ConnectionEvent : std::uint8_t {
    connecting,     ///< an attempt begins
    connectFailed,  ///< it failed; another follows after a pause
    up,             ///< transport handshake complete
    loggedIn,       ///< the login was accepted
    loginRefused,   ///< the login stream was closed by the peer
    ready,          ///< login, directory and dictionaries are there
    down,           ///< the connection was lost; another attempt follows
    switched,       ///< the active server of a warm-standby group was lost; another one took its place
    closed,         ///< no further attempts
};

/// A server to connect to.
struct ServerChannel {
    std::string name;
    eta::transport::ConnectOptions connect;
    /// Supplies what an attempt needs beyond the above, before each attempt; null: nothing. Shared by the connections
    /// that try the channel and by its maker.
    std::shared_ptr<ChannelAccount> account = nullptr;
};

/// A JSON text of the peer that cannot be converted, or one of ours that the peer refused (json.md 10).
struct JsonFailure {
    std::string text;  ///< a sentence that names the channel and the reason
    const ServerChannel& channel;
    const eta::transport::ChannelInfo& info;
    std::string_view session{};  ///< with request routing: name of the session channel
};

/// Hears how a connection fares. All calls come with the session lock held on the dispatching thread.
class ConnectionListener {
public:
    virtual ~ConnectionListener() = default;
    /// For logs and for waiting; `text` names the channel and the reason.
    virtual void onConnection(ConnectionEvent event, const std::string& text) = 0;
    /// Something worth a log line happened (a malformed message, a dropped one ...).
    virtual void onWarning(const std::string& text) = 0;
    /// A text could not be converted, either way; the connection may go on.
    virtual void onJsonFailure(const JsonFailure& failure) { onWarning(failure.text); }
};

/// Receives everything that a role has for its user.
class ClientSink : public ConnectionListener {
public:
    /// One message for one recipient. `msg` and `serviceName` (data() null: unknown) live until the call returns.
    virtual void onMessage(const eta::codec::Msg& msg, const Recipient& to, std::string_view serviceName) = 0;
    /// Messages for this recipient will probably come soon, a few behind the one at hand: what they need may be fetched
    /// into the cache. `closure` is as the recipient gave it.
    virtual void onExpected(const void* /*client*/, const void* /*closure*/) noexcept {}
    /// The role's directory is different now (`there`), or is about to go with the connection: items hear of that
    /// after this call.
    virtual void onDirectory(bool /*there*/) {}
};

/// Whether a reissue leaves the stream's domain alone: it says the same, or nothing (MarketPrice, the default of a
/// message that the application makes), which keeps it.
[[nodiscard]] inline bool keepsDomain(const eta::codec::Msg& reissue, std::uint8_t domain) noexcept {
    return reissue.domain == domain || reissue.domain == eta::codec::kMarketPriceDomain;
}

}  // namespace emissary::reactor::session
