// Points the one message and event of a consumer at what came, and calls the client.
#include "session/consumer/ConsumerCallbacks.h"

#include "session/channel/SessionInfoAccess.h"
#include "session/channel/describe_channel.h"
#include "session/consumer/ConsumerImpl.h"

namespace emissary::ema {

using access::OmmConsumerClient;

ConsumerCallbacks::ConsumerCallbacks(ConsumerImpl& consumer, Engine& engine, AdminClient& admin)
    : consumer_(consumer), engine_(engine), admin_(admin), event_(consumer.makeEvent()) {}

void ConsumerCallbacks::giveUp(access::UInt64 handle) noexcept {
    if (handle == event_->getHandle()) givenUp_ = true;
}

/// onAllMsg first, then the specific one, unless the handle was given up in between. Inlined, the callback is a
/// constant: that is a quarter of what an update costs here.
template <class M>
[[gnu::always_inline]] inline void
ConsumerCallbacks::deliver(M& object, void (OmmConsumerClient::*callback)(const M&, const access::OmmConsumerEvent&),
                           const eta::codec::Msg& msg, OmmConsumerClient& client) {
    MsgAccess::point(object, msg, context_);
    givenUp_ = false;
    engine_.runCallback([&] {
        client.onAllMsg(object, *event_);
        if (!givenUp_) (client.*callback)(object, *event_);
    });
}

void ConsumerCallbacks::onMessage(const eta::codec::Msg& msg, const reactor::consumer::Recipient& to,
                                  std::string_view serviceName) {
    using eta::codec::MsgClass;
    // A view of the same bytes is the same name, and mostly it is.
    if (context_.serviceName.data() != serviceName.data() || context_.serviceName.size() != serviceName.size()) {
        context_.serviceName = serviceName;
        context_.hasServiceName = serviceName.data() != nullptr;
    }
    ConsumerImpl::aim(*event_, to);
    OmmConsumerClient& client = *static_cast<OmmConsumerClient*>(to.client);
    switch (msg.cls) {
    case MsgClass::Update:
        return deliver(update_, &OmmConsumerClient::onUpdateMsg, msg, client);
    case MsgClass::Refresh:
        return deliver(refresh_, &OmmConsumerClient::onRefreshMsg, msg, client);
    case MsgClass::Status:
        return deliver(status_, &OmmConsumerClient::onStatusMsg, msg, client);
    case MsgClass::Generic:
        return deliver(generic_, &OmmConsumerClient::onGenericMsg, msg, client);
    case MsgClass::Ack:
        return deliver(ack_, &OmmConsumerClient::onAckMsg, msg, client);
    case MsgClass::Request:
    case MsgClass::Close:
    case MsgClass::Post:
        return;
    }
}

void ConsumerCallbacks::onConnection(reactor::consumer::ConnectionEvent event, const std::string& text) {
    // During the start progress() takes the dictionary over; afterwards a reconnect may have brought another one.
    if (engine_.starting()) admin_.onConnection(event);
    else if (event == reactor::consumer::ConnectionEvent::ready) consumer_.takeNewDictionary();
    engine_.logConnection(event, text);
}

void ConsumerCallbacks::onDirectory(bool) {
    if (engine_.starting()) engine_.loop().wake();  // the constructor looks whether there is a service now
}

void ConsumerCallbacks::onWarning(const std::string& text) {
    if (engine_.starting()) engine_.loop().wake();
    engine_.logPeer("ChannelCallbackClient", LogSeverity::warning, [&]() -> const std::string& { return text; });
}

void ConsumerCallbacks::onJsonFailure(const reactor::consumer::JsonFailure& failure) {
    onWarning(failure.text);
    if (!engine_.errors()) return;
    access::ChannelInformation channel;
    fillChannelInformation(channel, failure.info, eta::transport::ChannelState::active, failure.channel.name);
    if (!failure.session.empty())
        channel.sessionName({failure.session.data(), static_cast<access::UInt32>(failure.session.size())});
    const auto session = SessionInfoAccess::make(channel);
    engine_.runCallback([&] { engine_.errors().tellJsonFailure(failure.text, *session); });
}

}  // namespace emissary::ema
