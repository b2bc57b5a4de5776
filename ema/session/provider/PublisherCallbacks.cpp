// Points the one message and event of a provider at what the server sent, and calls the application.
#include "session/provider/PublisherCallbacks.h"

#include "session/provider/ProviderImpl.h"

namespace emissary::ema {

using access::OmmProviderClient;
using eta::codec::MsgClass;
namespace codec = eta::codec;

template <class M>
void PublisherCallbacks::deliver(const CallbackTarget& to, const codec::Msg& wire, M& message,
                                 ProviderEvents::Callback<M> callback) {
    MsgAccess::point(message, wire, context_);
    events_.deliver(to, message, callback);
}

/// Of the next message; empty: it has none.
void PublisherCallbacks::nameService(std::string_view name) {
    serviceName_ = name;
    context_.serviceName = serviceName_;
    context_.hasServiceName = !serviceName_.empty();
}

void PublisherCallbacks::onMessage(const codec::Msg& msg, const reactor::session::Recipient& recipient,
                                   std::string_view serviceName) {
    nameService(serviceName);
    const CallbackTarget to{static_cast<OmmProviderClient*>(recipient.client), recipient.closure, recipient.handle, 0};
    switch (msg.cls) {
    case MsgClass::Refresh:
        return deliver(to, msg, refresh_, &OmmProviderClient::onRefreshMsg);
    case MsgClass::Status:
        return deliver(to, msg, status_, &OmmProviderClient::onStatusMsg);
    case MsgClass::Generic:
        return deliver(to, msg, generic_, &OmmProviderClient::onGenericMsg);
    case MsgClass::Update:
    case MsgClass::Ack:
    case MsgClass::Post:
    case MsgClass::Request:
    case MsgClass::Close:
        return;  // providers have no callback for these
    }
}

/// What the server sends for a published item goes to the constructor's client. Without one nothing can be delivered,
/// and the log says so.
void PublisherCallbacks::onItemMessage(std::uint64_t handle, const codec::Msg& msg) {
    if (!events_.hasClient()) {
        engine_.logPeer("ItemCallbackClient", LogSeverity::warning, [&] {
            return std::string("Dropped a ") + codec::name(msg.cls) + " message for " + role_->describe(handle) +
                   ": the OmmProvider was made without a client.";
        });
        return;
    }
    const reactor::rdm::Service* service = nullptr;
    if (msg.hasKey() && msg.key.has(codec::KeyFlag::serviceId)) service = role_->directory().find(msg.key.serviceId);
    nameService(service != nullptr ? std::string_view(service->name()) : std::string_view());
    const CallbackTarget to = events_.ownClient(handle, 0);
    switch (msg.cls) {
    case MsgClass::Post:
        return deliver(to, msg, post_, &OmmProviderClient::onPostMsg);
    case MsgClass::Generic:
        return deliver(to, msg, generic_, &OmmProviderClient::onGenericMsg);
    case MsgClass::Status:
        return deliver(to, msg, status_, &OmmProviderClient::onStatusMsg);
    case MsgClass::Close: {
        // A close goes to the application as the request that it ends: no interest, no image.
        codec::Msg ended;
        ended.cls = MsgClass::Request;
        ended.domain = msg.domain;
        ended.streamId = msg.streamId;
        ended.flags = codec::RequestFlag::noRefresh;
        nameService({});
        return deliver(to, ended, request_, &OmmProviderClient::onClose);
    }
    default:
        return;
    }
}

void PublisherCallbacks::onConnection(reactor::session::ConnectionEvent event, const std::string& text) {
    engine_.logConnection(event, text);
}

void PublisherCallbacks::onWarning(const std::string& text) {
    engine_.logPeer("ChannelCallbackClient", LogSeverity::warning, [&]() -> const std::string& { return text; });
}

void PublisherCallbacks::onJsonFailure(const reactor::session::JsonFailure& failure) {
    onWarning(failure.text);
    provider_.tellJsonFailure(failure.text, 0);
}

}  // namespace emissary::ema
