// ema/settings: the credentials that an application gives for logging in (credentials.md 1, 7).
#pragma once

#include "rest/token.h"

#include "Access/Include/ReqMsg.h"

#include <memory>
#include <string>
#include <vector>

namespace refinitiv::ema::access {
class OmmLoginCredentialConsumerClient;
class OmmOAuth2ConsumerClient;
class OmmRestLoggingClient;
}  // namespace refinitiv::ema::access

namespace emissary::ema {

/// Credentials for tokens, and the client that supplies them again.
struct OAuthSource {
    rest::Credential credential;
    std::vector<std::string> channels;  ///< names of channels or session channels; empty: all others
    refinitiv::ema::access::OmmOAuth2ConsumerClient* client = nullptr;  ///< null: secrets are kept
    void* closure = nullptr;
};

/// A login request for some channels, and the client that changes it before each attempt.
struct LoginSource {
    std::shared_ptr<const refinitiv::ema::access::ReqMsg> request;
    std::vector<std::string> channels;  ///< empty: all others
    refinitiv::ema::access::OmmLoginCredentialConsumerClient* client = nullptr;
    void* closure = nullptr;
};

/// All of one OmmConsumerConfig.
struct GivenCredentials {
    std::string clientId, audience;
    rest::Secret clientSecret, clientJwk;
    std::vector<OAuthSource> oauth;
    std::vector<LoginSource> logins;
    refinitiv::ema::access::OmmRestLoggingClient* restLogging = nullptr;
    void* restLoggingClosure = nullptr;
};

}  // namespace emissary::ema
