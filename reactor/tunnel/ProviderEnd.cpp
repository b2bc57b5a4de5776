// Answers a request for a tunnel, and follows it until it is closed.
#include "tunnel/ProviderEnd.h"

#include <array>

namespace emissary::reactor::tunnel {

using namespace eta::codec;

namespace {

constexpr std::size_t kCosBytes = 1024;

}  // namespace

void sendRejection(Wire& wire, std::int32_t streamId, std::uint8_t domain, std::string_view text) {
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = domain;
    m.streamId = streamId;
    // The flags of a rejection (tunnel.md 1.2).
    m.flags = StatusFlag::qualified | StatusFlag::privateStream | StatusFlag::clearCache | StatusFlag::state;
    m.state = {StreamState::closed, DataState::suspect, 0, eta::asBytes(text)};
    wire.write(m);
}

ProviderEnd::ProviderEnd(const Setting& setting, Identity identity, const ClassOfService& asked, User& user)
    : End(setting, std::move(identity), user) {
    cos_ = asked;
}

// --- the answer ------------------------------------------------------------------------------------------------------

eta::Refused ProviderEnd::accept(const ClassOfService& offered, std::uint32_t outputBuffers) {
    if (answered()) return {"The request for this tunnel stream was answered already."};
    if (offered.dataIntegrity != DataIntegrity::reliable) return {"ClassOfService must minimally set reliability."};
    if (offered.guarantee != Guarantee::none) return {"Only Queue Provider can support persistence."};
    if (offered.maxMsgSize == 0 || offered.maxFragmentSize == 0)
        return {"The largest message and the largest fragment must have at least one byte."};
    const std::int64_t peerWindow = cos_.recvWindowSize;
    ClassOfService inForce = offered;
    // Answered in the version of the request.
    inForce.streamVersion = cos_.streamVersion;
    // Version 1 knows one size only.
    if (inForce.streamVersion <= kOldStreamVersion) inForce.maxMsgSize = inForce.maxFragmentSize;
    inForce.recvWindowSize = ownWindow(offered.recvWindowSize, offered.maxFragmentSize);
    cos_ = inForce;

    const std::string text = "Successful open of TunnelStream: " + identity_.name;
    std::array<std::byte, kCosBytes> payload;
    eta::BeWriter out{payload};
    (void)encode(out, cos_, Writer::provider);  // it fits
    Msg m;
    m.cls = MsgClass::Refresh;
    m.domain = identity_.domain;
    m.streamId = identity_.streamId;
    m.flags = RefreshFlag::qualified | RefreshFlag::privateStream | RefreshFlag::doNotCache | RefreshFlag::complete |
              RefreshFlag::solicited | RefreshFlag::msgKey;
    m.state = {StreamState::open, DataState::ok, 0, eta::asBytes(text)};
    static constexpr std::array<std::byte, 2> kNoGroup{};
    m.groupId = kNoGroup;
    m.key.flags = KeyFlag::serviceId | KeyFlag::name | KeyFlag::filter;
    m.key.serviceId = identity_.serviceId;
    m.key.name = eta::asBytes(identity_.name);
    m.key.filter = filterOf(cos_);
    m.containerType = DataType::FilterList;
    m.payload = out.view();
    // The refresh goes out before anything the application sends next.
    setting_.wire.write(m);

    state_ = State::established;
    loginDue_ = cos_.authentication == Authentication::ommLogin;
    // From here on both ends count their numbers from 1.
    converse({cos_.recvWindowSize, peerWindow, outputBuffers});
    tell(StreamState::open, DataState::ok, text);
    return {};
}

eta::Refused ProviderEnd::reject(const eta::codec::State& state, const ClassOfService* wanted) {
    if (answered()) return {"The request for this tunnel stream was answered already."};
    if (state.stream == StreamState::open) return {"A rejection cannot have the stream state Open."};
    ++setting_.counters.refused;
    state_ = State::ended;
    sendStatus(state, wanted != nullptr, wanted);
    finish();
    return {};
}

void ProviderEnd::sendStatus(const eta::codec::State& state, bool withKey, const ClassOfService* cos) {
    std::array<std::byte, kCosBytes> payload;
    eta::BeWriter out{payload};
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = identity_.domain;
    m.streamId = identity_.streamId;
    m.flags = StatusFlag::qualified | StatusFlag::privateStream | StatusFlag::state;
    m.state = state;
    if (withKey) {
        m.flags |= StatusFlag::msgKey;
        m.key.flags = KeyFlag::serviceId | KeyFlag::name;
        m.key.serviceId = identity_.serviceId;
        m.key.name = eta::asBytes(identity_.name);
    }
    if (!answered() || cos != nullptr || !withKey) m.flags |= StatusFlag::clearCache;
    if (cos != nullptr) {
        (void)encode(out, *cos, Writer::provider);
        m.key.flags |= KeyFlag::filter;
        m.key.filter = filterOf(*cos);
        m.containerType = DataType::FilterList;
        m.payload = out.view();
    }
    setting_.wire.write(m);
}

// --- open ------------------------------------------------------------------------------------------------------------

void ProviderEnd::onMessage(const Msg& m) {
    if (state_ == State::ended) return;
    // The consumer has the last word: its close ends the tunnel at once.
    if (m.cls == MsgClass::Close) return endWith("The consumer closed the stream.", false);
    if (state_ == State::asked || m.cls != MsgClass::Generic)
        return onBroken("a message came that is not for an open tunnel stream");
    conversation_->onMessage(m);
}

/// False: the application has ended the tunnel in its callback, so that nothing more may be read of it.
bool ProviderEnd::onData(DataType type, Bytes data) {
    if (!silent()) user_.onData(*this, type, data);
    return !ended();
}

SubmitFault ProviderEnd::submit(DataType type, Bytes data) {
    if (!open()) return SubmitFault::notOpen;
    // Only the answer to the login may go out before it (tunnel.md 6.2).
    if (loginDue_) {
        const auto head = type == DataType::Msg ? peekMsg(data) : eta::Result<MsgHead>{eta::Errc::badValue};
        const bool answer = head.ok() && head.value().domain == kLoginDomain &&
                            (head.value().cls == MsgClass::Refresh || head.value().cls == MsgClass::Status);
        if (!answer) return SubmitFault::authentication;
    }
    const SubmitFault fault = conversation_->submit(type, data);
    if (fault == SubmitFault::none) loginDue_ = false;
    return fault;
}

// --- the end ---------------------------------------------------------------------------------------------------------

void ProviderEnd::close(bool finalStatus) {
    if (!finalStatus) silence();
    switch (state_) {
    case State::asked:
        state_ = State::ended;
        sendStatus({StreamState::closed, DataState::suspect, 0, eta::asBytes("The provider closed the stream.")}, false,
                   nullptr);
        return finish();
    // The handshake, so that data on their way still arrive (tunnel.md 7.1).
    case State::established:
        return conversation_->close();
    case State::ended:
        return;
    }
}

void ProviderEnd::onPeerCloses() {
    tell(StreamState::open, DataState::suspect, "The consumer closes the stream.");
}

void ProviderEnd::onEnded() {
    endWith("The stream is closed.", true);
}

void ProviderEnd::onBroken(std::string_view why) {
    ++setting_.counters.broken;
    endWith(why, true);
}

void ProviderEnd::onConnectionLost() {
    endWith("Channel closed.", false);
}

void ProviderEnd::endWith(std::string_view text, bool send) {
    if (state_ == State::ended) return;
    state_ = State::ended;
    if (conversation_) conversation_->end();
    // Sent with the key, so that a peer that has several tunnels knows which one.
    if (send) sendStatus({StreamState::closed, DataState::suspect, 0, eta::asBytes(text)}, true, nullptr);
    tell(StreamState::closed, DataState::suspect, text);
    finish();
}

}  // namespace emissary::reactor::tunnel
