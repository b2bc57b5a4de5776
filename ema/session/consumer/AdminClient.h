// The client that was given to the constructor: it gets the events of the requests that the start makes.
#pragma once

#include "reactor/consumer/consumer_types.h"

namespace refinitiv::ema::access {
class OmmConsumerClient;
class ReqMsg;
}  // namespace refinitiv::ema::access

namespace emissary::ema {

class ConsumerSessions;
class Engine;
struct ConsumerConfigImpl;

/// Registers it for the login before anything is sent, and for the directory and dictionaries once the application's
/// own requests for them (addAdminMsg()) are under way. Session lock, during the start.
class AdminClient {
public:
    AdminClient(refinitiv::ema::access::OmmConsumerClient* client, void* closure, Engine& engine,
                ConsumerSessions& sessions) noexcept
        : client_(client), closure_(closure), engine_(engine), sessions_(sessions) {}

    /// `given` lives until the start is over.
    void registerLogin(const ConsumerConfigImpl& given);
    void onConnection(reactor::consumer::ConnectionEvent event);

private:
    void registerFor(const refinitiv::ema::access::ReqMsg* request);
    [[nodiscard]] reactor::consumer::Refusal registerAt(const reactor::consumer::RequestView& request);

    refinitiv::ema::access::OmmConsumerClient* const client_;  // null: none was given
    void* const closure_;
    Engine& engine_;
    ConsumerSessions& sessions_;
    const ConsumerConfigImpl* given_ = nullptr;
    bool directory_ = false, dictionaries_ = false;  // registered
};

}  // namespace emissary::ema
