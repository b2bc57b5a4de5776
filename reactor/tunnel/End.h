// reactor/tunnel: the common base of the two ends of a tunnel: its user, and its traffic once it is open.
#pragma once

#include "eta/core/GrowingBuffer.h"
#include "tunnel/Conversation.h"

#include <memory>
#include <string>
#include <string_view>

namespace emissary::reactor::tunnel {

/// How a tunnel is called on its connection.
struct Identity {
    std::int32_t streamId = 0;
    std::uint8_t domain = 127;
    std::uint16_t serviceId = 0;
    std::string name;
};

/// What a tunnel is made with.
struct Setting {
    Reactor& reactor;
    Wire& wire;
    Counters& counters;
    const Limits& limits;
};

/// One end of one tunnel. Session lock held throughout. Its maker destroys it some time after User::onEnded(),
/// and never from inside one of its calls.
class End : protected Conversation::Owner {
public:
    /// What stands above it. Any call of the end may be made from inside.
    class User {
    public:
        virtual ~User() = default;
        virtual void onStatus(End& end, const Status& status) = 0;
        virtual void onData(End& end, eta::codec::DataType type, Bytes data) = 0;
        /// flush() is due at the end of this batch of messages.
        virtual void onFlushDue(End& end) = 0;
        /// The last call: nothing on the wire has to do with it any more.
        virtual void onEnded(End& end) = 0;
    };

    End(const Setting& setting, Identity identity, User& user);
    ~End() override;
    End(const End&) = delete;
    End& operator=(const End&) = delete;

    /// A message on the tunnel's stream.
    virtual void onMessage(const eta::codec::Msg& m) = 0;
    /// Something came on the tunnel's stream that is no message.
    void onMalformed() { onBroken("a message cannot be decoded"); }
    virtual void onConnectionLost() = 0;
    /// Queues one message. Throws std::bad_alloc.
    [[nodiscard]] virtual SubmitFault submit(eta::codec::DataType type, Bytes data) = 0;
    /// The same for a message, which is encoded.
    [[nodiscard]] SubmitFault submit(const eta::codec::Msg& m);
    /// Closes when all submitted messages have gone. Without a final status, only onEnded() follows for the user.
    virtual void close(bool finalStatus) = 0;
    void flush() {
        if (conversation_) conversation_->flush();
    }
    void trim() noexcept;

    [[nodiscard]] const Identity& identity() const noexcept { return identity_; }
    /// What is in force; what was asked for before that.
    [[nodiscard]] const ClassOfService& classOfService() const noexcept { return cos_; }
    /// Takes messages of the user.
    [[nodiscard]] virtual bool open() const noexcept = 0;
    [[nodiscard]] bool ended() const noexcept { return ended_; }
    [[nodiscard]] std::uint32_t buffersUsed() const noexcept {
        return conversation_ ? conversation_->outgoing().buffersUsed() : 0;
    }
    void* context = nullptr;  ///< the user's

protected:
    /// Sizes of this end: its own window, and how much it may queue.
    struct Own {
        std::int64_t recvWindow = kDefaultWindow;
        std::int64_t peerWindow = -1;  ///< as the peer said it
        std::uint32_t outputBuffers = 50;
    };
    /// With cos_ in force.
    void converse(const Own& own);
    void tell(const Status& status);
    void tell(std::uint8_t stream, std::uint8_t data, std::string_view text, std::uint8_t code = 0);
    /// The end: no more messages, and no more status.
    void finish();
    /// No calls to the user from now on.
    void silence() noexcept { silent_ = true; }
    [[nodiscard]] bool silent() const noexcept { return silent_; }
    [[nodiscard]] static bool onLogin(eta::codec::DataType type, Bytes data, std::int32_t loginStream,
                                      eta::codec::Msg& out) noexcept;

    // --- Conversation::Owner
    void onFlushDue() override { user_.onFlushDue(*this); }

    Setting setting_;
    const Identity identity_;
    User& user_;
    ClassOfService cos_;
    std::unique_ptr<Conversation> conversation_;  // once it is open

private:
    eta::GrowingBuffer encoded_{0};
    bool silent_ = false, ended_ = false;
};

/// As it is said: -1 is the default, and one fragment fits.
[[nodiscard]] std::int64_t ownWindow(std::int64_t asked, std::uint64_t fragmentBytes) noexcept;

}  // namespace emissary::reactor::tunnel
