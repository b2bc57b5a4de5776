// OmmConsumerClient (ema-api.md sections 6, 7).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

class Msg;
class RefreshMsg;
class UpdateMsg;
class StatusMsg;
class GenericMsg;
class AckMsg;
class OmmConsumerEvent;

/// Receives a consumer's messages; derive from it and override what is of interest. Callbacks come one at a time, from
/// the dispatching thread, with the session lock held: what takes long delays everything else of the consumer. Messages
/// and events are valid until the callback returns; copy a message to keep it. onAllMsg() comes first, then the
/// callback of the class, unless onAllMsg() unregistered the handle. What a callback throws comes out of dispatch();
/// with ApiDispatchEnum it is logged and goes to onDispatchError(), or ends the process (CatchUnhandledException 0).
/// The default bodies do nothing.
class EMA_ACCESS_API OmmConsumerClient {
public:
    /// An image, or a part of one: first answer, answer to a reissue, or unsolicited.
    virtual void onRefreshMsg(const RefreshMsg& refreshMsg, const OmmConsumerEvent& consumerEvent);
    /// A change; comes only after a refresh.
    virtual void onUpdateMsg(const UpdateMsg& updateMsg, const OmmConsumerEvent& consumerEvent);
    /// The state changed. After a final stream state (OmmState) the handle is not open any more.
    virtual void onStatusMsg(const StatusMsg& statusMsg, const OmmConsumerEvent& consumerEvent);
    /// A generic message of the provider on this stream.
    virtual void onGenericMsg(const GenericMsg& genericMsg, const OmmConsumerEvent& consumerEvent);
    /// The answer to a post, on the handle that posted.
    virtual void onAckMsg(const AckMsg& ackMsg, const OmmConsumerEvent& consumerEvent);
    /// Every message, before the callback of its class.
    virtual void onAllMsg(const Msg& msg, const OmmConsumerEvent& consumerEvent);
    OmmConsumerClient(const OmmConsumerClient&) = delete;
    OmmConsumerClient& operator=(const OmmConsumerClient&) = delete;

protected:
    OmmConsumerClient() noexcept;
    virtual ~OmmConsumerClient();
};

}  // namespace refinitiv::ema::access
