// Returns the channel information that a session has kept.
#include "Access/Include/ConsumerSessionInfo.h"

namespace refinitiv::ema::access {

const ChannelInformation& ConsumerSessionInfo::getChannelInformation() const {
    return channel_;
}

}  // namespace refinitiv::ema::access
