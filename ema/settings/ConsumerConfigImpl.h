// ema/settings: the contents of an OmmConsumerConfig.
#pragma once

#include "config/Resolver.h"
#include "settings/Credentials.h"

#include "Access/Include/ReqMsg.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace refinitiv::ema::rdm {
class DataDictionary;
}

namespace emissary::ema {

/// Copied by the constructor of OmmConsumer; not thread safe.
struct ConsumerConfigImpl {
    Configuration configuration;
    FunctionCalls calls;
    /// Requests to use instead of the built-in ones (addAdminMsg); null = built-in.
    std::unique_ptr<refinitiv::ema::access::ReqMsg> loginRequest, directoryRequest, fieldDictionaryRequest,
        enumDictionaryRequest;
    /// Tokens and logins by channel.
    GivenCredentials credentials;
    /// addServiceList(), in order: name, services in order of preference.
    std::vector<std::pair<std::string, std::vector<std::string>>> serviceLists;
    /// dataDictionary(): use this one, download nothing. Owned by the user, or by `ownDictionary`.
    const refinitiv::ema::rdm::DataDictionary* dictionary = nullptr;
    std::shared_ptr<const refinitiv::ema::rdm::DataDictionary> ownDictionary;

    /// What was given and is not used; consumers say so in their log.
    std::vector<QueuedRecord> records;

    /// Effective values; throws as resolveConsumer(). Every call names a new instance.
    [[nodiscard]] ConsumerSettings settings() const {
        ConsumerSettings s = resolveConsumer(configuration, calls);
        s.queued.insert(s.queued.end(), records.begin(), records.end());
        return s;
    }
};

}  // namespace emissary::ema
