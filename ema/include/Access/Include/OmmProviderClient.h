// OmmProviderClient (ema-api.md sections 6, 7).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

class Msg;
class RefreshMsg;
class StatusMsg;
class GenericMsg;
class PostMsg;
class ReqMsg;
class OmmProviderEvent;

/// Receives a provider's messages. Callbacks come one at a time, from the dispatching thread; their arguments die when
/// they return. The default bodies do nothing.
class EMA_ACCESS_API OmmProviderClient {
public:
    virtual void onRefreshMsg(const RefreshMsg& refreshMsg, const OmmProviderEvent& event);
    virtual void onStatusMsg(const StatusMsg& statusMsg, const OmmProviderEvent& event);
    virtual void onGenericMsg(const GenericMsg& genericMsg, const OmmProviderEvent& event);
    virtual void onAllMsg(const Msg& msg, const OmmProviderEvent& event);
    virtual void onPostMsg(const PostMsg& postMsg, const OmmProviderEvent& event);
    virtual void onReqMsg(const ReqMsg& reqMsg, const OmmProviderEvent& event);
    virtual void onReissue(const ReqMsg& reqMsg, const OmmProviderEvent& event);
    virtual void onClose(const ReqMsg& reqMsg, const OmmProviderEvent& event);
    OmmProviderClient(const OmmProviderClient&) = delete;
    OmmProviderClient& operator=(const OmmProviderClient&) = delete;

protected:
    OmmProviderClient() noexcept;
    virtual ~OmmProviderClient();
};

}  // namespace refinitiv::ema::access
