// ema/session/consumer: brings what the sessions of a consumer say to the application's clients.
#pragma once

#include "Access/Include/AckMsg.h"
#include "Access/Include/GenericMsg.h"
#include "Access/Include/OmmConsumerClient.h"
#include "Access/Include/OmmConsumerEvent.h"
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/StatusMsg.h"
#include "Access/Include/UpdateMsg.h"
#include "data/MsgAccess.h"
#include "reactor/consumer/consumer_types.h"
#include "session/consumer/AdminClient.h"
#include "session/engine/Engine.h"

#include <memory>

namespace emissary::ema {

/// One object of each message class serves all callbacks. Everything comes with the session lock held, on the
/// dispatching thread.
class ConsumerCallbacks final : public reactor::consumer::ConsumerSink {
public:
    ConsumerCallbacks(ConsumerImpl& consumer, Engine& engine, AdminClient& admin);

    /// What field lists are read with; outlives this object. Null: nothing, so far.
    void useDictionary(const eta::dictionary::Dictionary* dictionary) noexcept { context_.dictionary = dictionary; }
    /// The application unregistered it on the dispatching thread: the callback that runs is its last.
    void giveUp(access::UInt64 handle) noexcept;

    /// What the application gave as closure is often the record of the item that it looks at first.
    void onExpected(const void*, const void* closure) noexcept override { __builtin_prefetch(closure); }
    void onMessage(const eta::codec::Msg& msg, const reactor::consumer::Recipient& to,
                   std::string_view serviceName) override;
    void onConnection(reactor::consumer::ConnectionEvent event, const std::string& text) override;
    void onDirectory(bool there) override;
    void onWarning(const std::string& text) override;
    void onJsonFailure(const reactor::consumer::JsonFailure& failure) override;

private:
    template <class M>
    void deliver(M& object, void (access::OmmConsumerClient::*callback)(const M&, const access::OmmConsumerEvent&),
                 const eta::codec::Msg& msg, access::OmmConsumerClient& client);

    ConsumerImpl& consumer_;
    Engine& engine_;
    AdminClient& admin_;
    bool givenUp_ = false;  // the current callback's handle was unregistered inside it
    const std::unique_ptr<access::OmmConsumerEvent> event_;
    DecodeContext context_;
    access::RefreshMsg refresh_;
    access::UpdateMsg update_;
    access::StatusMsg status_;
    access::GenericMsg generic_;
    access::AckMsg ack_;
};

}  // namespace emissary::ema
