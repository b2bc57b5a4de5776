// A tunnel that is open, until it is closed: both halves, and the closing handshake (tunnel.md 3 to 5, 7).
#pragma once

#include "reactor/Reactor.h"
#include "tunnel/Incoming.h"
#include "tunnel/Outgoing.h"

#include <string_view>

namespace emissary::reactor::tunnel {

/// One end. Session lock held throughout.
///
///              close()                     own fin acked              peer's fin
///   open ----------------> closing -----------------> finAcked -----------------> ended
///    |                        | peer's fin                                          ^  ^
///    |                        '-----------------> crossed --------------------------'  |
///    | peer's fin                                          own fin acked               |
///    '----------------> answering ------------------> awaitingClose -------------------'
///                                  own fin acked                     time is up
///
/// The timer repeats the fin after 150, 450, 1050 and 2250 ms in closing, finAcked, crossed and answering, and ends
/// these states after 4650 ms; awaitingClose lasts no longer. An end that reaches ended sends the closing message.
class Conversation final : private Incoming::Reader {
public:
    enum class State : std::uint8_t { open, closing, finAcked, crossed, answering, awaitingClose, ended };

    /// What stands above it: one end of a tunnel. No call of it may destroy the conversation before it returns.
    class Owner {
    public:
        virtual ~Owner() = default;
        /// One whole message; false: the owner has ended the tunnel.
        virtual bool onData(eta::codec::DataType type, Bytes data) = 0;
        /// The peer wants to close; what was submitted goes out first, then our fin.
        virtual void onPeerCloses() = 0;
        /// The handshake is over, or the peer took too long: the closing message is due.
        virtual void onEnded() = 0;
        /// The peer broke the rules; the conversation has ended.
        virtual void onBroken(std::string_view why) = 0;
        /// Something waits for the end of the batch: flush() is due then.
        virtual void onFlushDue() = 0;
    };

    struct Options {
        Outgoing::Options outgoing;
        Incoming::Options incoming;
    };

    Conversation(Reactor& reactor, Wire& wire, Owner& owner, const Options& options, Counters& counters);
    ~Conversation() override;

    /// A generic message with the tunnel's header.
    void onMessage(const eta::codec::Msg& m);
    [[nodiscard]] SubmitFault submit(eta::codec::DataType type, Bytes data);
    /// Begins the handshake; nothing when it has begun.
    void close();
    /// Nothing more goes out or comes in.
    void end() noexcept;
    /// Acknowledges and sends what may go; at the end of a batch of messages.
    void flush();

    [[nodiscard]] State state() const noexcept { return state_; }
    [[nodiscard]] const Outgoing& outgoing() const noexcept { return outgoing_; }
    void trim() noexcept { outgoing_.trim(); }

private:
    // --- Incoming::Reader
    bool onData(eta::codec::DataType type, Bytes data) override;
    void onFin() override;

    void onAck(const Header& ack);
    void onOwnFinAcked();
    void break_(std::string_view why);
    void step(State to);
    void pump();
    void startSeries();
    void onSeries();
    void watchGap();

    Reactor& reactor_;
    Wire& wire_;
    Owner& owner_;
    Outgoing outgoing_;
    Incoming incoming_;
    const std::uint8_t streamVersion_;
    State state_ = State::open;
    bool flushDue_ = false;
    unsigned repeats_ = 0;  // of the series that runs
    TimerId series_ = 0, retry_ = 0, gapWatch_ = 0;
};

}  // namespace emissary::reactor::tunnel
