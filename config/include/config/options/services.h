// Services as configured, and as a source directory says them (ema-config.md section 12).
#pragma once

#include "config/layers/Configuration.h"
#include "config/options/transport_options.h"

#include "reactor/rdm/Directory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::parameters {

struct ServiceQos {
    std::uint32_t timeliness = 0, rate = 0;  ///< OmmQos values: 0 realtime / tick by tick
};

struct ServiceSettings {
    std::string name;
    std::uint16_t serviceId = 0;
    std::optional<std::string> vendor, itemList;
    bool isSource = false, supportsQosRange = false, acceptingConsumerStatus = false,
         supportsOutOfBandSnapshots = false;
    std::vector<std::uint8_t> capabilities;
    std::vector<DictionarySettings> dictionariesProvided, dictionariesUsed;
    std::vector<ServiceQos> qos;
    bool serviceUp = true, acceptingRequests = true;
    struct Status {
        std::uint8_t streamState = 1, dataState = 1, code = 0;
        std::string text;
    };
    std::optional<Status> status;
    std::optional<std::uint32_t> openLimit, openWindow;
    std::optional<std::uint16_t> loadFactor;
};

/// The number of a domain written MMT_MARKET_PRICE or 6; 0 for what is neither.
[[nodiscard]] std::uint8_t domainNumber(std::string_view text) noexcept;

/// One Service element with Name, InfoFilter, StateFilter and LoadFilter. Empty when it has to be dropped; what is
/// wrong is reported. `hasId` says whether it came with a ServiceId.
[[nodiscard]] std::optional<ServiceSettings> readService(const Schema& schema, const Configuration& configuration,
                                                         const ConfigNode& node, std::vector<QueuedRecord>& records,
                                                         bool& hasId);
/// The Service elements kept in an entry, with ids for those that have none; what is wrong is reported and the service
/// (or the element) dropped.
[[nodiscard]] std::vector<ServiceSettings> resolveServices(const Schema& schema, const Configuration& configuration,
                                                           const ConfigEntry& directory,
                                                           std::vector<QueuedRecord>& records);

/// The quality of service as it stands on the wire.
[[nodiscard]] eta::codec::Qos toQos(const ServiceQos& qos) noexcept;
/// The service with its Info, State and (where something was said of it) Load.
[[nodiscard]] reactor::rdm::Service toService(const ServiceSettings& settings);

}  // namespace emissary::parameters
