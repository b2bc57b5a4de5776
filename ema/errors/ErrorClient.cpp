// ema/errors: tells the application's error client about failures, or throws where there is no client.
#include "errors/ErrorClient.h"

#include "Access/Include/ConsumerSessionInfo.h"
#include "Access/Include/DispatchError.h"
#include "Access/Include/OmmConsumerErrorClient.h"
#include "Access/Include/OmmInaccessibleLogFileException.h"
#include "Access/Include/OmmInvalidHandleException.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmJsonConverterException.h"
#include "Access/Include/OmmMemoryExhaustionException.h"
#include "Access/Include/OmmProviderErrorClient.h"
#include "Access/Include/OmmSystemException.h"
#include "Access/Include/ProviderSessionInfo.h"
#include "errors/raise.h"

namespace emissary::ema {

using namespace refinitiv::ema::access;

namespace {

constexpr const char* kOutOfMemory = "Memory is exhausted.";

[[nodiscard]] EmaString emaString(const std::string& text) {
    return {text.data(), static_cast<UInt32>(text.size())};
}

void tellJson(OmmConsumerErrorClient& client, const EmaString& text, Int32 code, const SessionInfo& session) {
    client.onJsonConverter(text, code, static_cast<const ConsumerSessionInfo&>(session));
}
void tellJson(OmmProviderErrorClient& client, const EmaString& text, Int32 code, const SessionInfo& session) {
    client.onJsonConverter(text, code, static_cast<const ProviderSessionInfo&>(session));
}

/// False for what is always thrown.
template <class Client>
bool tellClient(Client& client, const OmmException& e) {
    switch (e.getExceptionType()) {
    // Both forms, in this order: applications override the one that their release has (ema-api.md 6.5).
    case OmmException::OmmInvalidUsageExceptionEnum:
        client.onInvalidUsage(e.getText());
        client.onInvalidUsage(e.getText(), static_cast<const OmmInvalidUsageException&>(e).getErrorCode());
        return true;
    case OmmException::OmmInvalidHandleExceptionEnum:
        client.onInvalidHandle(static_cast<const OmmInvalidHandleException&>(e).getHandle(), e.getText());
        return true;
    case OmmException::OmmInaccessibleLogFileExceptionEnum:
        client.onInaccessibleLogFile(static_cast<const OmmInaccessibleLogFileException&>(e).getFilename(), e.getText());
        return true;
    case OmmException::OmmMemoryExhaustionExceptionEnum:
        client.onMemoryExhaustion(e.getText());
        return true;
    case OmmException::OmmSystemExceptionEnum: {
        const auto& system = static_cast<const OmmSystemException&>(e);
        client.onSystemError(system.getSystemExceptionCode(), system.getSystemExceptionAddress(), e.getText());
        return true;
    }
    case OmmException::OmmJsonConverterExceptionEnum: {
        const auto& json = static_cast<const OmmJsonConverterException&>(e);
        tellJson(client, e.getText(), json.getErrorCode(), json.getSessionInfo());
        return true;
    }
    case OmmException::OmmInvalidConfigurationExceptionEnum:
    case OmmException::OmmOutOfRangeExceptionEnum:
    case OmmException::OmmUnsupportedDomainTypeExceptionEnum:
        return false;
    }
    return false;
}

}  // namespace

template <class Tell>
void ErrorClient::toClient(Tell tell) const {
    if (consumers_ != nullptr) tell(*consumers_);
    if (providers_ != nullptr) tell(*providers_);
}

bool ErrorClient::tell(const OmmException& e) const {
    bool told = false;
    toClient([&](auto& client) { told = tellClient(client, e); });
    return told;
}

void ErrorClient::tellOutOfMemory() const {
    if (!*this) throwMemoryExhaustion(kOutOfMemory);
    toClient([](auto& client) { client.onMemoryExhaustion(EmaString(kOutOfMemory)); });
}

void ErrorClient::tellDispatchError(const std::string& text) const {
    toClient([&](auto& client) { client.onDispatchError(emaString(text), DispatchError::FailureEnum); });
}

void ErrorClient::tellJsonFailure(const std::string& text, const SessionInfo& session) const {
    toClient([&](auto& client) { tellJson(client, emaString(text), OmmJsonConverterException::FailureEnum, session); });
}

}  // namespace emissary::ema
