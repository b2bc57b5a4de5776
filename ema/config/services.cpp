// What a provider offers without a Directory, and which dictionary speaks JSON.
#include "services.h"

#include <algorithm>

namespace emissary::ema {

ServiceSettings builtInService(bool interactive) {
    ServiceSettings s;
    s.name = interactive ? "DIRECT_FEED" : "NI_PUB";
    s.serviceId = interactive ? 1 : 0;
    // The services of ema-config.md 12: Dictionary, which a publisher is not asked for, and MarketPrice to MarketMaker.
    if (interactive) s.capabilities.push_back(5);
    for (std::uint8_t domain = 6; domain <= 9; ++domain)
        s.capabilities.push_back(domain);
    DictionarySettings files;
    files.fromFile = true;
    if (interactive) s.dictionariesProvided.push_back(files);
    s.dictionariesUsed.push_back(files);
    s.supportsQosRange = s.acceptingRequests = interactive;
    s.qos.push_back({});
    return s;
}

bool maySpeakJson(const std::vector<ChannelSettings>& channels) {
    using eta::transport::ConnectionType;
    return std::any_of(channels.begin(), channels.end(), [](const ChannelSettings& channel) {
        const eta::transport::ConnectOptions& o = channel.connect;
        const bool webSocket =
            channel.type == ConnectionType::webSocket ||
            (channel.type == ConnectionType::encrypted && o.encryptedProtocol == ConnectionType::webSocket);
        return webSocket && o.webSocket.protocols.find("json") != std::string::npos;
    });
}

const DictionarySettings* fileDictionary(const std::vector<ServiceSettings>& services) {
    for (const ServiceSettings& service : services)
        for (const auto* list : {&service.dictionariesProvided, &service.dictionariesUsed})
            for (const DictionarySettings& d : *list)
                if (d.fromFile) return &d;
    return nullptr;
}

}  // namespace emissary::ema
