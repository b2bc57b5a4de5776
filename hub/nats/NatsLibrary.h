// hub/nats: libnats, loaded by name when the first bus is made (docs/adr/0027-libnats-is-loaded-and-has-a-thread.md).
#pragma once

#include "eta/core/Refused.h"

#include <string>

#ifdef EMISSARY_HAVE_NATS
#include <nats/nats.h>

namespace emissary::hub::nats {

/// The functions that are used of it. One for the process: it stays loaded, since its threads run until the end.
struct NatsLibrary {
    decltype(&::natsOptions_Create) optionsCreate = nullptr;
    decltype(&::natsOptions_Destroy) optionsDestroy = nullptr;
    decltype(&::natsOptions_SetURL) setUrl = nullptr;
    decltype(&::natsOptions_SetUserInfo) setUser = nullptr;
    decltype(&::natsOptions_SetToken) setToken = nullptr;
    decltype(&::natsOptions_SetNKeyFromSeed) setNkey = nullptr;
    decltype(&::natsOptions_SetUserCredentialsFromFiles) setCredentials = nullptr;
    decltype(&::natsOptions_SetSecure) setSecure = nullptr;
    decltype(&::natsOptions_LoadCATrustedCertificates) loadAuthorities = nullptr;
    decltype(&::natsOptions_LoadCertificatesChain) loadCertificate = nullptr;
    decltype(&::natsOptions_SetExpectedHostname) setExpectedHost = nullptr;
    decltype(&::natsOptions_SetName) setName = nullptr;
    decltype(&::natsOptions_SetTimeout) setTimeout = nullptr;
    decltype(&::natsOptions_SetPingInterval) setPingInterval = nullptr;
    decltype(&::natsOptions_SetMaxPingsOut) setMaxPings = nullptr;
    decltype(&::natsOptions_SetWriteDeadline) setWriteDeadline = nullptr;
    decltype(&::natsOptions_SetIOBufSize) setBuffer = nullptr;
    decltype(&::natsOptions_SetAllowReconnect) setReconnect = nullptr;
    decltype(&::natsOptions_UseGlobalMessageDelivery) setGlobalDelivery = nullptr;
    decltype(&::natsOptions_SetSendAsap) setSendAsap = nullptr;
    decltype(&::natsOptions_SetNoEcho) setNoEcho = nullptr;
    decltype(&::natsOptions_SetClosedCB) setClosed = nullptr;
    decltype(&::natsOptions_SetErrorHandler) setError = nullptr;
    decltype(&::natsConnection_Connect) connect = nullptr;
    decltype(&::natsConnection_Close) close = nullptr;
    decltype(&::natsConnection_Destroy) destroy = nullptr;
    decltype(&::natsConnection_Publish) publish = nullptr;
    decltype(&::natsConnection_PublishRequest) publishRequest = nullptr;
    decltype(&::natsConnection_Subscribe) subscribe = nullptr;
    decltype(&::natsConnection_GetMaxPayload) maxPayload = nullptr;
    decltype(&::natsConnection_GetLastError) lastError = nullptr;
    decltype(&::natsSubscription_Unsubscribe) unsubscribe = nullptr;
    decltype(&::natsSubscription_Destroy) destroySubscription = nullptr;
    decltype(&::natsMsg_GetSubject) subject = nullptr;
    decltype(&::natsMsg_IsNoResponders) saysNobody = nullptr;  ///< null: the library is older than that
    decltype(&::natsMsg_GetData) data = nullptr;
    decltype(&::natsMsg_GetDataLength) length = nullptr;
    decltype(&::natsMsg_Destroy) destroyMessage = nullptr;
    decltype(&::natsStatus_GetText) describe = nullptr;
    decltype(&::nats_GetLastError) lastThreadError = nullptr;
    decltype(&::nats_ReleaseThreadMemory) releaseThread = nullptr;

    /// Loads the library of that file name (empty: the one whose headers the hub was built with) unless it is there
    /// already: one copy serves the whole process, so a second name has no effect. Null when refused. Any thread.
    [[nodiscard]] static const NatsLibrary* load(const std::string& fileName, eta::Refused& refused);
};

}  // namespace emissary::hub::nats
#endif
