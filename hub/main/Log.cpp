#include "hub/main/Log.h"

namespace emissary::hub {

bool Log::open(const parameters::LoggerSettings& settings, const std::string& hubName, std::string& failure) {
    std::string fileName;
    auto logger = parameters::Logger::open(settings, hubName, fileName, failure);
    if (!logger) return false;
    logger_ = std::move(logger);
    return true;
}

}  // namespace emissary::hub
