// Configured services to the form of a source directory (rdm.md 3.3).
#include "config/options/services.h"

#include <algorithm>

namespace emissary::parameters {

using namespace reactor::rdm;

namespace {

constexpr std::uint32_t kInexactDelayed = 0xFFFFFFFF, kJustInTimeConflated = 0xFFFFFF00;

[[nodiscard]] std::optional<std::vector<std::string>> itemNames(const std::vector<DictionarySettings>& dictionaries) {
    if (dictionaries.empty()) return {};
    std::vector<std::string> names;
    for (const DictionarySettings& d : dictionaries) {
        for (const std::string& name : {d.fieldItemName, d.enumItemName}) {
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    }
    return names;
}

}  // namespace

eta::codec::Qos toQos(const ServiceQos& qos) noexcept {
    eta::codec::Qos wire;
    // The configuration has one number for each part, 0 for the best; the wire has a class, and a number beside the
    // third class only (rwf.md).
    if (qos.timeliness == 0) wire.timeliness = 1;
    else if (qos.timeliness == kInexactDelayed) wire.timeliness = 2;
    else {
        wire.timeliness = 3;
        wire.timeInfo = static_cast<std::uint16_t>(std::min<std::uint32_t>(qos.timeliness, 0xFFFF));
    }
    if (qos.rate == 0) wire.rate = 1;
    else if (qos.rate == kJustInTimeConflated) wire.rate = 2;
    else {
        wire.rate = 3;
        wire.rateInfo = static_cast<std::uint16_t>(std::min<std::uint32_t>(qos.rate, 0xFFFF));
    }
    return wire;
}

Service toService(const ServiceSettings& s) {
    Service out;
    out.id = s.serviceId;
    out.filters = DirectoryFilter::info | DirectoryFilter::state;
    out.info.name = s.name;
    out.info.vendor = s.vendor;
    out.info.itemList = s.itemList;
    out.info.isSource = s.isSource;
    out.info.qosRange = s.supportsQosRange;
    out.info.outOfBandSnapshots = s.supportsOutOfBandSnapshots;
    out.info.consumerStatus = s.acceptingConsumerStatus;
    out.info.capabilities = s.capabilities;
    out.info.dictionariesProvided = itemNames(s.dictionariesProvided);
    out.info.dictionariesUsed = itemNames(s.dictionariesUsed);
    for (const ServiceQos& q : s.qos)
        out.info.qos.push_back(toQos(q));
    // The default of the field: a service without a QoS is realtime and tick by tick.
    if (out.info.qos.empty()) out.info.qos.push_back(eta::codec::kRealtimeTickByTick);
    sortBestFirst(out.info.qos);
    out.state.up = s.serviceUp;
    out.state.accepting = s.acceptingRequests;
    if (s.status)
        out.state.status = OwnedState{s.status->streamState, s.status->dataState, s.status->code, s.status->text};
    // A Load filter without content would promise values that nobody configured.
    if (s.openLimit || s.openWindow || s.loadFactor) {
        out.filters |= DirectoryFilter::load;
        out.load.openLimit = s.openLimit;
        out.load.openWindow = s.openWindow;
        out.load.loadFactor = s.loadFactor;
    }
    return out;
}

}  // namespace emissary::parameters
