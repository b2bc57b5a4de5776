// EmaConfig.xml and the environment's variables.
#include "Configuration.h"

#include "environment.h"
#include "errors/raise.h"

namespace emissary::ema {

void loadConfigFile(const std::string& path, Configuration& into) {
    into.variables = environmentVariables();
    if (const eta::Refused refused = parameters::loadConfigFile(schema(), path, into))
        throwInvalidConfiguration(refused.text);
}

}  // namespace emissary::ema
