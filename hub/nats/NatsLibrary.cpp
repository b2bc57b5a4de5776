// Loads libnats by file name and looks up the functions that are used.
#include "hub/nats/NatsLibrary.h"

#ifdef EMISSARY_HAVE_NATS

#include <mutex>

#include <dlfcn.h>

namespace emissary::hub::nats {

namespace {

constexpr const char* kUsual = EMISSARY_NATS;

/// The first function that is missing is in `missing` then.
template <class Function>
void find(void* library, const char* name, Function& function, const char*& missing) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    if (function == nullptr && missing == nullptr) missing = name;
}

}  // namespace

const NatsLibrary* NatsLibrary::load(const std::string& fileName, eta::Refused& refused) {
    static std::mutex mutex;
    static NatsLibrary loaded;     // guarded by mutex until it is complete
    static bool complete = false;  // guarded by mutex
    const std::lock_guard guard(mutex);
    if (complete) return &loaded;
    const std::string file = fileName.empty() ? kUsual : fileName;
    void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* const said = ::dlerror();
        refused.text = std::string("a mesh over NATS needs the library ") + file + " (" +
                       (said != nullptr ? said : "unknown error") + "); install it (Debian package libnats3.4)";
        return nullptr;
    }
    const char* missing = nullptr;
    NatsLibrary& l = loaded;
    find(library, "natsOptions_Create", l.optionsCreate, missing);
    find(library, "natsOptions_Destroy", l.optionsDestroy, missing);
    find(library, "natsOptions_SetURL", l.setUrl, missing);
    find(library, "natsOptions_SetUserInfo", l.setUser, missing);
    find(library, "natsOptions_SetToken", l.setToken, missing);
    find(library, "natsOptions_SetNKeyFromSeed", l.setNkey, missing);
    find(library, "natsOptions_SetUserCredentialsFromFiles", l.setCredentials, missing);
    find(library, "natsOptions_SetSecure", l.setSecure, missing);
    find(library, "natsOptions_LoadCATrustedCertificates", l.loadAuthorities, missing);
    find(library, "natsOptions_LoadCertificatesChain", l.loadCertificate, missing);
    find(library, "natsOptions_SetExpectedHostname", l.setExpectedHost, missing);
    find(library, "natsOptions_SetName", l.setName, missing);
    find(library, "natsOptions_SetTimeout", l.setTimeout, missing);
    find(library, "natsOptions_SetPingInterval", l.setPingInterval, missing);
    find(library, "natsOptions_SetMaxPingsOut", l.setMaxPings, missing);
    find(library, "natsOptions_SetWriteDeadline", l.setWriteDeadline, missing);
    find(library, "natsOptions_SetIOBufSize", l.setBuffer, missing);
    find(library, "natsOptions_SetAllowReconnect", l.setReconnect, missing);
    find(library, "natsOptions_UseGlobalMessageDelivery", l.setGlobalDelivery, missing);
    find(library, "natsOptions_SetSendAsap", l.setSendAsap, missing);
    find(library, "natsOptions_SetNoEcho", l.setNoEcho, missing);
    find(library, "natsOptions_SetClosedCB", l.setClosed, missing);
    find(library, "natsOptions_SetErrorHandler", l.setError, missing);
    find(library, "natsConnection_Connect", l.connect, missing);
    find(library, "natsConnection_Close", l.close, missing);
    find(library, "natsConnection_Destroy", l.destroy, missing);
    find(library, "natsConnection_Publish", l.publish, missing);
    find(library, "natsConnection_PublishRequest", l.publishRequest, missing);
    find(library, "natsConnection_Subscribe", l.subscribe, missing);
    find(library, "natsConnection_GetMaxPayload", l.maxPayload, missing);
    find(library, "natsConnection_GetLastError", l.lastError, missing);
    find(library, "natsSubscription_Unsubscribe", l.unsubscribe, missing);
    find(library, "natsSubscription_Destroy", l.destroySubscription, missing);
    find(library, "natsMsg_GetSubject", l.subject, missing);
    const char* older = nullptr;  // without it nobody hears that nobody listens
    find(library, "natsMsg_IsNoResponders", l.saysNobody, older);
    find(library, "natsMsg_GetData", l.data, missing);
    find(library, "natsMsg_GetDataLength", l.length, missing);
    find(library, "natsMsg_Destroy", l.destroyMessage, missing);
    find(library, "natsStatus_GetText", l.describe, missing);
    find(library, "nats_GetLastError", l.lastThreadError, missing);
    find(library, "nats_ReleaseThreadMemory", l.releaseThread, missing);
    if (missing != nullptr) {
        refused.text = "a mesh over NATS needs another version of " + file + ": it has no " + missing;
        ::dlclose(library);
        return nullptr;
    }
    complete = true;
    return &loaded;
}

}  // namespace emissary::hub::nats

#endif
