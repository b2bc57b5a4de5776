// Where the records of an instance go when its configuration object names a sink.
#include "emissary/LogSink.h"

#include "settings/ConfigAccess.h"

#include <utility>

namespace emissary {

using namespace refinitiv::ema::access;

OmmConsumerConfig& logTo(OmmConsumerConfig& config, std::shared_ptr<LogSink> sink) {
    ema::ConfigAccess::callsOf(config).logSink = std::move(sink);
    return config;
}

OmmIProviderConfig& logTo(OmmIProviderConfig& config, std::shared_ptr<LogSink> sink) {
    ema::ConfigAccess::callsOf(config).logSink = std::move(sink);
    return config;
}

OmmNiProviderConfig& logTo(OmmNiProviderConfig& config, std::shared_ptr<LogSink> sink) {
    ema::ConfigAccess::callsOf(config).logSink = std::move(sink);
    return config;
}

}  // namespace emissary
