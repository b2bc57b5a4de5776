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

/// Receives a provider's messages; derive from it and override what is of interest. Callbacks come one at a time, from
/// the dispatching thread, with the session lock held: what takes long delays every client. Messages and events are
/// valid until the callback returns. onAllMsg() comes first, then the callback of the class, unless onAllMsg() ended
/// the handle. What a callback throws comes out of dispatch(); with ApiDispatchEnum it is logged and goes to
/// onDispatchError(), or ends the process (CatchUnhandledException 0). The default bodies do nothing.
class EMA_ACCESS_API OmmProviderClient {
public:
    /// An answer on a stream of registerClient().
    virtual void onRefreshMsg(const RefreshMsg& refreshMsg, const OmmProviderEvent& event);
    /// A status on a stream of registerClient(), or of the server on an item.
    virtual void onStatusMsg(const StatusMsg& statusMsg, const OmmProviderEvent& event);
    /// A generic message of the other side on an open stream.
    virtual void onGenericMsg(const GenericMsg& genericMsg, const OmmProviderEvent& event);
    /// Every message, before the callback of its class.
    virtual void onAllMsg(const Msg& msg, const OmmProviderEvent& event);
    /// Data that a consumer contributes; answer with submit(AckMsg) on the same handle when getSolicitAck() is true.
    virtual void onPostMsg(const PostMsg& postMsg, const OmmProviderEvent& event);
    /// Interactive: a new stream; submit answers with event.getHandle(). Invalid requests were answered by the library
    /// (session.md 5.3).
    virtual void onReqMsg(const ReqMsg& reqMsg, const OmmProviderEvent& event);
    /// Interactive: the consumer changes an open stream; the message has the whole request.
    virtual void onReissue(const ReqMsg& reqMsg, const OmmProviderEvent& event);
    /// Interactive: the consumer closed a stream; its handle is not open any more. For a lost connection it comes once,
    /// for the login handle: the client's other handles end without a callback (session.md 5.1).
    virtual void onClose(const ReqMsg& reqMsg, const OmmProviderEvent& event);
    OmmProviderClient(const OmmProviderClient&) = delete;
    OmmProviderClient& operator=(const OmmProviderClient&) = delete;

protected:
    OmmProviderClient() noexcept;
    virtual ~OmmProviderClient();
};

}  // namespace refinitiv::ema::access
