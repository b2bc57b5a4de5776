// The end of a tunnel that asked for it (tunnel.md 6.1).
#pragma once

#include "tunnel/End.h"

#include <chrono>
#include <vector>

namespace emissary::reactor::tunnel {

/// What a tunnel is asked for with.
struct ConsumerRequest {
    Identity identity;
    ClassOfService classOfService;
    std::chrono::seconds responseTimeout{60};  ///< for the answer, and anew for that to the login; 0 = none
    std::uint32_t outputBuffers = 50;
    std::vector<std::byte> login;  ///< an encoded request for the login inside; empty = there is none
};

/// Why this request cannot be made (tunnel.md 1.5), as a sentence; empty when it can.
[[nodiscard]] std::string_view whyRefused(const ConsumerRequest& request) noexcept;

///   idle --> opening --> loggingIn --> established --> ended
///               |  '-----------------------^               ^
///               '------------------------------------------'
class ConsumerEnd final : public End {
public:
    enum class State : std::uint8_t { idle, opening, loggingIn, established, ended };

    ConsumerEnd(const Setting& setting, ConsumerRequest request, User& user);
    ~ConsumerEnd() override;

    /// Sends the request.
    void start();
    void onMessage(const eta::codec::Msg& m) override;
    void onConnectionLost() override;
    [[nodiscard]] SubmitFault submit(eta::codec::DataType type, Bytes data) override;
    using End::submit;
    void close(bool finalStatus) override;
    [[nodiscard]] bool open() const noexcept override {
        return state_ == State::established && conversation_->state() == Conversation::State::open;
    }
    [[nodiscard]] State state() const noexcept { return state_; }

private:
    // --- Conversation::Owner
    bool onData(eta::codec::DataType type, Bytes data) override;
    void onPeerCloses() override;
    void onEnded() override;
    void onBroken(std::string_view why) override;

    void sendRequest();
    void sendClose();
    void onRefresh(const eta::codec::Msg& m);
    void onStatus(const eta::codec::Msg& m);
    void onLoginAnswer(const eta::codec::Msg& m);
    [[nodiscard]] std::string_view whyUnusable(const eta::codec::Msg& refresh, ClassOfService& granted) const noexcept;
    void startTimer();
    void timedOut();
    void stop();
    void endWith(std::uint8_t stream, std::string_view text, bool sendClose, std::uint8_t code = 0);

    const ConsumerRequest request_;
    State state_ = State::idle;
    std::uint8_t streamVersion_ = kStreamVersion;  // that is asked for
    std::int32_t loginStream_ = 0;
    std::int64_t recvWindow_;
    TimerId timer_ = 0;
};

}  // namespace emissary::reactor::tunnel
