// EmaConfig.xml and the environment's variables.
#include "Configuration.h"

#include "environment.h"
#include "errors/raise.h"

namespace emissary::ema {

void loadConfigFile(const std::string& path, Configuration& into) {
    // Variables are read with the file and laid over it when an instance is made: their names are fitted to entries,
    // and programmatic ones come later.
    into.variables = environmentVariables();
    if (const eta::Refused refused = parameters::loadConfigFile(schema(), path, into))
        throwInvalidConfiguration(refused.text);
}

}  // namespace emissary::ema
