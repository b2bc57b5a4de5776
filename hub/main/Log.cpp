// Opens the log that the settings name.
#include "hub/main/Log.h"

namespace emissary::hub {

eta::Refused Log::open(const logging::LoggerSettings& settings, const std::string& hubName) {
    std::string fileName;
    eta::Refused refused;
    auto logger = logging::Logger::open(settings, hubName, fileName, refused);
    if (logger) logger_ = std::move(logger);
    return refused;
}

}  // namespace emissary::hub
