#include "Access/Include/OmmProviderConfig.h"

namespace refinitiv::ema::access {

OmmProviderConfig::~OmmProviderConfig() = default;

}  // namespace refinitiv::ema::access
