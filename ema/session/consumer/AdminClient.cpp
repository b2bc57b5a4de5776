// ema/session/consumer: registers the administrative client for login, directory and dictionaries at the start.
#include "session/consumer/AdminClient.h"

#include "Access/Include/OmmConsumerClient.h"
#include "Access/Include/ReqMsg.h"
#include "reactor/rdm/Directory.h"
#include "session/consumer/ConsumerSessions.h"
#include "session/engine/Engine.h"
#include "session/engine/request_view.h"
#include "settings/ConsumerConfigImpl.h"

#include <utility>

namespace emissary::ema {

using reactor::consumer::ConnectionEvent;
using reactor::consumer::Refusal;

void AdminClient::registerLogin(const ConsumerConfigImpl& given) {
    given_ = &given;
    if (client_ == nullptr) return;
    eta::codec::Msg login;
    login.cls = eta::codec::MsgClass::Request;
    login.domain = reactor::rdm::kLoginDomain;
    static_cast<void>(registerAt({login, {}}));  // a login is never refused
}

void AdminClient::onConnection(ConnectionEvent event) {
    // Once each: a connection that is lost during the start logs in again.
    if (event == ConnectionEvent::loggedIn && !std::exchange(directory_, true))
        registerFor(given_->directoryRequest.get());
    if (event == ConnectionEvent::ready && !std::exchange(dictionaries_, true)) {
        registerFor(given_->fieldDictionaryRequest.get());
        registerFor(given_->enumDictionaryRequest.get());
    }
}

void AdminClient::registerFor(const access::ReqMsg* request) {
    if (client_ == nullptr || request == nullptr) return;
    if (const Refusal refusal = registerAt(viewOf(*request)))
        engine_.log(engine_.name().c_str(), LogSeverity::warning, refusal.text);
}

Refusal AdminClient::registerAt(const reactor::consumer::RequestView& request) {
    Refusal refusal;
    sessions_.registerClient(request, {}, {client_, closure_, 0}, refusal);
    return refusal;
}

}  // namespace emissary::ema
