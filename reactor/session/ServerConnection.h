// One life of a connection to a server: which channel is tried when, the records about it, and its loss
// (session.md section 6).
#pragma once

#include "eta/codec/Msg.h"
#include "reactor/session/Backoff.h"
#include "reactor/session/session_types.h"
#include "session/Sender.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace emissary::reactor::session {

/// The role that has the connection; what differs from role to role. All calls come with the session lock held, on the
/// dispatching thread.
class ConnectionOwner {
public:
    struct Loss {
        const std::string& text;
        bool wasUp;  ///< false: the attempt failed
    };
    virtual ~ConnectionOwner() = default;
    /// The handshake is complete and messages may go out: time to log in.
    virtual void onConnected() = 0;
    /// Asked before a connection that is up counts as lost. True: another link was put in its place (takeOver()).
    [[nodiscard]] virtual bool onReplace(const std::string& /*reason*/) { return false; }
    /// The connection is gone. Records change first; then announce(), between what this role's clients hear of it
    /// before and after.
    virtual void onLost(const Loss& loss) = 0;
    /// The next attempt is arranged. The connection may be destroyed in here, and in no other of these calls.
    virtual void onWaiting() {}
    /// No attempt is left.
    virtual void onGivenUp(const std::string& /*text*/) {}
    /// The peer sent something undecodable on this stream. False ends the connection.
    [[nodiscard]] virtual bool outlivesMalformed(std::int32_t /*streamId*/) { return false; }
    /// Asked for every message of a JSON connection.
    [[nodiscard]] virtual JsonSources jsonSources() const noexcept { return {}; }
};

struct ConnectionCounters {
    std::uint64_t connects = 0;     ///< connection attempts
    std::uint64_t disconnects = 0;  ///< connections lost after they were up
    std::uint64_t malformed = 0;    ///< messages that could not be decoded
};

/// Tries the channels of a list in turn until one answers, and again after each loss, later each time (Backoff). What
/// is sent goes through sender(); what comes is decoded here and goes to the role, see ConnectionTo. Session lock held
/// throughout; callbacks of the owner may call anything.
class ServerConnection : private LinkHandler {
public:
    enum class State : std::uint8_t {
        idle,
        connecting,
        up,       ///< handshake complete
        waiting,  ///< for the next attempt
        closed,   ///< no further attempts
    };

    /// `kind` stands before the channel's name in texts: "channel". At least one channel.
    ServerConnection(Reactor& reactor, const char* kind, std::vector<ServerChannel> channels,
                     const ReconnectOptions& reconnect, ConnectionOwner& owner, ConnectionListener& listener);
    ~ServerConnection() override;
    ServerConnection(const ServerConnection&) = delete;
    ServerConnection& operator=(const ServerConnection&) = delete;

    [[nodiscard]] State state() const noexcept { return state_; }
    [[nodiscard]] Sender& sender() noexcept { return sender_; }
    [[nodiscard]] const Sender& sender() const noexcept { return sender_; }
    [[nodiscard]] Link* link() noexcept { return link_ && link_->active() ? link_.get() : nullptr; }
    /// Of the channel in use, or to be tried next.
    [[nodiscard]] std::size_t index() const noexcept { return current_; }
    [[nodiscard]] const ServerChannel& channel() const noexcept { return channels_[current_]; }
    /// The login for that channel; null: that of the role's options.
    [[nodiscard]] const LoginOptions* accountLogin() const noexcept {
        return channel().account ? channel().account->login() : nullptr;
    }
    /// "channel Channel_1 (localhost:14002)".
    [[nodiscard]] std::string where() const;
    /// Of the last failure, with the channel's name; empty before the first.
    [[nodiscard]] const std::string& lastReason() const noexcept { return lastReason_; }
    [[nodiscard]] const ConnectionCounters& counters() const noexcept { return counters_; }

    /// The first attempt, on the channel that index() says; not while another one is under way.
    void start();
    /// The server has accepted the login: a loss from now on is the first one again.
    void loginAccepted() {
        loggedIn_ = true;
        backoff_.reset();
        if (channel().account) channel().account->onLoggedIn();
    }
    /// This side ends the connection; another attempt follows.
    void drop(const std::string& reason);
    /// The same for a message whose content cannot be decoded.
    void dropMalformed(const std::string& reason);
    /// Ends the connection and makes no further attempts, without a callback.
    void close() noexcept;
    /// The same, and lastReason() says why.
    void closeBecause(const std::string& reason);

    // --- several servers
    /// The next attempt goes to this channel.
    void select(std::size_t channel) noexcept { current_ = channel; }
    /// Gives this connection up in favour of another one that stands, on this channel; its link is ready for use.
    void moveTo(std::size_t channel, std::unique_ptr<Link> link, const std::string& reason);
    /// The link of another server takes this one's place without a loss, from ConnectionOwner::onReplace() or at any
    /// time while the connection is up. Returns the link that was in use, to be destroyed when everybody knows.
    [[nodiscard]] std::unique_ptr<Link> takeOver(std::size_t channel, std::unique_ptr<Link> link,
                                                 const std::string& reason);
    /// Hands the link on; this connection is closed then.
    [[nodiscard]] std::unique_ptr<Link> release() noexcept;

    // --- texts
    /// To the listener, with where().
    void tell(ConnectionEvent event, const std::string& text) { listener_.onConnection(event, where() + ": " + text); }
    void warn(const std::string& text) { listener_.onWarning(where() + ": " + text); }
    void announce(const ConnectionOwner::Loss& loss) {
        tell(loss.wasUp ? ConnectionEvent::down : ConnectionEvent::connectFailed, loss.text);
    }

protected:
    /// Null when the message cannot be decoded, or says a state that is none: that is dealt with then.
    [[nodiscard]] eta::codec::Msg* decode(Bytes message) {
        if (const Error e = eta::codec::decodeMsg(message, incoming_); !e.ok()) [[unlikely]] {
            malformed(message, e);
            return nullptr;
        }
        if (eta::codec::hasUndefinedState(incoming_)) [[unlikely]] {
            undefinedState();
            return nullptr;
        }
        return &incoming_;
    }

private:
    void onLinkUp(Link& link) override;
    void onLinkDown(Link& link, const std::string& reason, bool refused) override;
    void onLinkWarning(Link& link, const std::string& text) override;
    void onJsonFailure(Link& link, const std::string& text) override;
    [[nodiscard]] RefusedData refusedData(std::int32_t) const noexcept override { return RefusedData::ended; }
    [[nodiscard]] JsonSources jsonSources() const noexcept override { return owner_.jsonSources(); }

    void connect();
    void prepared(const std::string& refusal);
    void stopPreparing() noexcept;
    [[nodiscard]] eta::transport::ConnectOptions target() const;
    void lost(const std::string& text);
    void lose(const std::string& text);
    void disconnect() noexcept;
    void malformed(Bytes message, Error e);
    void undefinedState();

    Reactor& reactor_;
    const char* const kind_;
    const std::vector<ServerChannel> channels_;
    ConnectionOwner& owner_;
    ConnectionListener& listener_;
    Backoff backoff_;
    Sender sender_;
    std::unique_ptr<Link> link_;
    eta::codec::Msg incoming_;  // the message being handled
    State state_ = State::idle;
    bool warnedMalformed_ = false, loggedIn_ = false;  // on this connection
    std::size_t current_ = 0;
    TimerId timer_ = 0;
    ChannelAccount::Ticket ticket_ = 0;  // the account of the channel in use is being seen to
    std::string lastReason_;
    ConnectionCounters counters_;
};

/// A connection whose messages go to `Role::onServerMessage(eta::codec::Msg&)`. The role is known at compile time: a
/// message costs no virtual call beside the link's. A role with `bool expect(std::int32_t streamId) noexcept` is given
/// the streams of messages that come soon, as long as it says true.
template <class Role>
class ConnectionTo final : public ServerConnection {
public:
    ConnectionTo(Reactor& reactor, const char* kind, std::vector<ServerChannel> channels,
                 const ReconnectOptions& reconnect, Role& role, ConnectionListener& listener)
        : ServerConnection(reactor, kind, std::move(channels), reconnect, role, listener), role_(role) {}

private:
    void onLinkMessage(Link&, Bytes message) override {
        if (eta::codec::Msg* msg = decode(message)) [[likely]]
            role_.onServerMessage(*msg);
    }
    static constexpr bool kExpects = requires(Role & role) { role.expect(std::int32_t{}); };
    [[nodiscard]] bool looksAhead() const noexcept override { return kExpects; }
    [[nodiscard]] bool onLinkAhead(Bytes message) noexcept override {
        if constexpr (kExpects)
            return message.size() < eta::codec::kStreamIdEnd || role_.expect(eta::codec::streamIdOf(message));
        return false;
    }

    Role& role_;
};

}  // namespace emissary::reactor::session
