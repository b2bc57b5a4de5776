// The end of a tunnel that was asked for it (tunnel.md 6.2).
#pragma once

#include "eta/core/Refused.h"
#include "tunnel/End.h"

namespace emissary::reactor::tunnel {

///   asked --> established --> ended
///     '-----------------------^
class ProviderEnd final : public End {
public:
    enum class State : std::uint8_t { asked, established, ended };

    /// `asked`: the class of service of the request.
    ProviderEnd(const Setting& setting, Identity identity, const ClassOfService& asked, User& user);

    /// Answers with this class of service, whose stream version is that of the request. The user hears Open/Ok before
    /// the call returns. Refused for what cannot be provided, and when it was answered already.
    [[nodiscard]] eta::Refused accept(const ClassOfService& offered, std::uint32_t outputBuffers);
    /// Refused for a state that is open, and when it was answered already.
    [[nodiscard]] eta::Refused reject(const eta::codec::State& state, const ClassOfService* wanted = nullptr);
    [[nodiscard]] bool answered() const noexcept { return state_ != State::asked; }

    void onMessage(const eta::codec::Msg& m) override;
    void onConnectionLost() override;
    [[nodiscard]] SubmitFault submit(eta::codec::DataType type, Bytes data) override;
    using End::submit;
    void close(bool finalStatus) override;
    [[nodiscard]] bool open() const noexcept override {
        return state_ == State::established && conversation_->state() == Conversation::State::open;
    }
    /// The consumer's login was not answered yet.
    [[nodiscard]] bool loginDue() const noexcept { return loginDue_; }

private:
    // --- Conversation::Owner
    bool onData(eta::codec::DataType type, Bytes data) override;
    void onPeerCloses() override;
    void onEnded() override;
    void onBroken(std::string_view why) override;

    void sendStatus(const eta::codec::State& state, bool withKey, const ClassOfService* cos);
    void endWith(std::string_view text, bool sendStatus);

    State state_ = State::asked;
    bool loginDue_ = false;
};

/// The answer to a request that is not for a tunnel of this provider, or not one at all: Closed/Suspect, without a key.
void sendRejection(Wire& wire, std::int32_t streamId, std::uint8_t domain, std::string_view text);

}  // namespace emissary::reactor::tunnel
