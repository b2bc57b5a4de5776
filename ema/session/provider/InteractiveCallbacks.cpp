// Points the one message and event of a provider at what a client sent, and calls the application.
#include "session/provider/InteractiveCallbacks.h"

#include "eta/core/printable.h"
#include "session/provider/ProviderImpl.h"

namespace emissary::ema {

using access::OmmProviderClient;
using reactor::StreamEvent;
namespace codec = eta::codec;

namespace {

std::string others(std::uint64_t suppressed) {
    if (suppressed == 0) return {};
    return "\n\tSuppressed " + std::to_string(suppressed) + " more since the last record";
}

}  // namespace

// --- messages --------------------------------------------------------------------------------------------------------

DecodeContext InteractiveCallbacks::contextOf(const codec::Msg& m) {
    DecodeContext context;
    context.dictionary = dictionary_;
    if (!m.hasKey() || !m.key.has(codec::KeyFlag::serviceId)) return context;
    const reactor::rdm::Service* service = role_->directory().find(m.key.serviceId);
    if (service == nullptr) return context;
    // A copy: the application may change the directory inside the callback.
    serviceName_ = service->name();
    context.serviceName = serviceName_;
    context.hasServiceName = true;
    return context;
}

/// When onAllMsg ends the stream, the specific callback is not made for it any more.
template <class M>
void InteractiveCallbacks::deliver(const StreamEvent& e, const codec::Msg& wire, M& message,
                                   ProviderEvents::Callback<M> callback) {
    const DecodeContext context = contextOf(wire);
    MsgAccess::point(message, wire, context);
    events_.deliver(events_.ownClient(e.handle, e.clientHandle), message, callback, [&] {
        return TunnelClients::owns(e.handle) ? tunnels_.isOpen(e.handle) : role_->clientOf(e.handle) != 0;
    });
}

void InteractiveCallbacks::onRequest(const StreamEvent& e, const codec::Msg& m) {
    deliver(e, m, request_, &OmmProviderClient::onReqMsg);
}

void InteractiveCallbacks::onReissue(const StreamEvent& e, const codec::Msg& m) {
    deliver(e, m, request_, &OmmProviderClient::onReissue);
}

/// The stream has ended already.
void InteractiveCallbacks::onClose(const StreamEvent& e, const codec::Msg& m) {
    const DecodeContext context = contextOf(m);
    MsgAccess::point(request_, m, context);
    events_.deliver(events_.ownClient(e.handle, e.clientHandle), request_, &OmmProviderClient::onClose);
}

void InteractiveCallbacks::onPost(const StreamEvent& e, const codec::Msg& m) {
    deliver(e, m, post_, &OmmProviderClient::onPostMsg);
}

void InteractiveCallbacks::onGeneric(const StreamEvent& e, const codec::Msg& m) {
    deliver(e, m, generic_, &OmmProviderClient::onGenericMsg);
}

void InteractiveCallbacks::onAnswer(const StreamEvent& e, const codec::Msg& m, bool last) {
    requests_.onAnswer(e, m, last, contextOf(m));
}

// --- connections -----------------------------------------------------------------------------------------------------

void InteractiveCallbacks::onClientUp(std::uint64_t clientHandle, const eta::transport::ChannelInfo& info) {
    engine_.logPeer("ServerChannelHandler", LogSeverity::success, [&] {
        return "Client connected.\n\tClient handle " + std::to_string(clientHandle) + "\n\tAddress " +
               info.peerAddress + "\n\tComponent " +
               (info.componentInfo.empty() ? "unavailable" : eta::printable(info.componentInfo));
    });
}

void InteractiveCallbacks::onClientDown(std::uint64_t clientHandle, void* /*context*/, const std::string& reason) {
    engine_.logPeer("ServerChannelHandler", LogSeverity::warning, [&] {
        return "Client disconnected.\n\tClient handle " + std::to_string(clientHandle) + "\n\tReason " +
               eta::printable(reason);
    });
}

void InteractiveCallbacks::onHandshakeFailed(const std::string& reason, std::uint64_t suppressed) {
    engine_.logPeer("ServerChannelHandler", LogSeverity::warning, [&] {
        return "Connection refused before it was established.\n\tReason " + eta::printable(reason) + others(suppressed);
    });
}

void InteractiveCallbacks::onRefused(std::uint64_t clientHandle, const std::string& text) {
    engine_.logPeer("ItemCallbackClient", LogSeverity::verbose, [&] {
        return "Request refused.\n\tClient handle " + std::to_string(clientHandle) + "\n\tReason " +
               eta::printable(text);
    });
}

void InteractiveCallbacks::onJsonFailure(std::uint64_t clientHandle, const std::string& text) {
    engine_.logPeer("ItemCallbackClient", LogSeverity::warning,
                    [&] { return text + "\n\tClient handle " + std::to_string(clientHandle); });
    provider_.tellJsonFailure(text, clientHandle);
}

}  // namespace emissary::ema
