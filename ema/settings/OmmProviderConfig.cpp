// Has the destructor of the base class, so that its table of virtual functions stands in one place.
#include "Access/Include/OmmProviderConfig.h"

namespace refinitiv::ema::access {

OmmProviderConfig::~OmmProviderConfig() = default;

}  // namespace refinitiv::ema::access
