// Begins the conversation, and tells the user about its events and its end.
#include "tunnel/End.h"

#include "eta/codec/Msg.h"

#include <algorithm>

namespace emissary::reactor::tunnel {

using namespace eta::codec;

std::int64_t ownWindow(std::int64_t asked, std::uint64_t fragmentBytes) noexcept {
    // A window below one fragment could never let one through.
    const auto least = static_cast<std::int64_t>(std::min<std::uint64_t>(fragmentBytes, INT32_MAX));
    return std::clamp<std::int64_t>(asked == -1 ? kDefaultWindow : asked, least, INT32_MAX);
}

End::End(const Setting& setting, Identity identity, User& user)
    : setting_(setting), identity_(std::move(identity)), user_(user) {
    ++setting_.counters.open;
}

End::~End() {
    if (!ended_) setting_.counters.open -= 1;
}

void End::converse(const Own& own) {
    // Fragments begin with version 2 of the protocol.
    const bool fragments = cos_.streamVersion > kOldStreamVersion && cos_.supportsFragmentation;
    const std::uint64_t longest = fragments ? cos_.maxMsgSize : std::min(cos_.maxMsgSize, cos_.maxFragmentSize);
    const std::uint64_t message = std::min(longest, setting_.limits.messageBytes);
    Conversation::Options o;
    o.outgoing.streamId = o.incoming.streamId = identity_.streamId;
    o.outgoing.domain = o.incoming.domain = identity_.domain;
    o.outgoing.streamVersion = o.incoming.streamVersion = cos_.streamVersion;
    o.outgoing.maxMessage = o.incoming.maxMessage = message;
    // Some peers take no longer pieces than this, whatever they say.
    o.outgoing.fragmentBytes =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(cos_.maxFragmentSize, kFragmentBytes));
    // Room for the messages that the application asked for, and for one at least.
    o.outgoing.bufferBytes = std::max(message, own.outputBuffers * std::min(cos_.maxFragmentSize, message));
    o.outgoing.windowed = o.incoming.windowed = cos_.flowControl == FlowControl::bidirectional;
    o.outgoing.window = ownWindow(own.peerWindow, cos_.maxFragmentSize);
    o.incoming.window = static_cast<std::int32_t>(own.recvWindow);
    o.incoming.limits = setting_.limits;
    Conversation::Owner& owner = *this;
    conversation_ = std::make_unique<Conversation>(setting_.reactor, setting_.wire, owner, o, setting_.counters);
    ++setting_.counters.opened;
}

SubmitFault End::submit(const Msg& m) {
    eta::BeWriter& out = encoded_.start();
    // Encoded here, because inside the tunnel the stream ids are a space of their own.
    if (!encodeMsg(out, m).ok()) return SubmitFault::encoding;
    return submit(DataType::Msg, out.view());
}

void End::trim() noexcept {
    if (conversation_) conversation_->trim();
    try {
        encoded_.trim(4096);
    } catch (const std::bad_alloc&) {}  // it stays as it is
}

void End::tell(const Status& status) {
    if (!silent_) user_.onStatus(*this, status);
}

void End::tell(std::uint8_t stream, std::uint8_t data, std::string_view text, std::uint8_t code) {
    Status status;
    status.state = {stream, data, code, eta::asBytes(text)};
    status.classOfService = &cos_;
    tell(status);
}

void End::finish() {
    if (ended_) return;
    // A tunnel ends once, however many events lead to it.
    ended_ = silent_ = true;
    setting_.counters.open -= 1;
    if (conversation_) conversation_->end();
    user_.onEnded(*this);
}

/// A login refresh or status of the login inside.
bool End::onLogin(DataType type, Bytes data, std::int32_t loginStream, Msg& out) noexcept {
    if (type != DataType::Msg) return false;
    const auto head = peekMsg(data);
    // The answer must be on the stream of the request that was sent.
    if (!head.ok() || head.value().domain != 1 || head.value().streamId != loginStream) return false;
    return decodeMsg(data, out).ok() && !hasUndefinedState(out) &&
           (out.cls == MsgClass::Refresh || (out.cls == MsgClass::Status && out.hasState()));
}

}  // namespace emissary::reactor::tunnel
