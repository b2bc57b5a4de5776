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

/// Receives a consumer's messages. Callbacks come one at a time, from the dispatching thread; their arguments die when
/// they return. The default bodies do nothing.
class EMA_ACCESS_API OmmConsumerClient {
public:
    virtual void onRefreshMsg(const RefreshMsg& refreshMsg, const OmmConsumerEvent& consumerEvent);
    virtual void onUpdateMsg(const UpdateMsg& updateMsg, const OmmConsumerEvent& consumerEvent);
    virtual void onStatusMsg(const StatusMsg& statusMsg, const OmmConsumerEvent& consumerEvent);
    virtual void onGenericMsg(const GenericMsg& genericMsg, const OmmConsumerEvent& consumerEvent);
    virtual void onAckMsg(const AckMsg& ackMsg, const OmmConsumerEvent& consumerEvent);
    virtual void onAllMsg(const Msg& msg, const OmmConsumerEvent& consumerEvent);
    OmmConsumerClient(const OmmConsumerClient&) = delete;
    OmmConsumerClient& operator=(const OmmConsumerClient&) = delete;

protected:
    OmmConsumerClient() noexcept;
    virtual ~OmmConsumerClient();
};

}  // namespace refinitiv::ema::access
