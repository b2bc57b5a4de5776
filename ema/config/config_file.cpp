// EmaConfig.xml and the environment's variables.
#include "Configuration.h"

#include "environment.h"
#include "errors/raise.h"

namespace emissary::ema {

void loadConfigFile(const std::string& path, Configuration& into) {
    into.variables = environmentVariables();
    const std::string failure = parameters::loadConfigFile(schema(), path, into);
    if (!failure.empty()) throwInvalidConfiguration(failure);
}

}  // namespace emissary::ema
