// Public channel information from what the transport knows.
#pragma once

#include "Access/Include/ChannelInformation.h"
#include "eta/transport/Channel.h"

#include <string_view>

namespace emissary::ema {

/// Overwrites every member. `channelName` is the configured channel's or server's name.
void fillChannelInformation(refinitiv::ema::access::ChannelInformation& out, const eta::transport::ChannelInfo& info,
                            eta::transport::ChannelState state, std::string_view channelName);

/// modifyIOCtl(): changes an option of an active channel under its output lock. Throws OmmInvalidUsageException naming
/// code, value and remedy. Session lock held.
void changeOption(eta::transport::Channel& channel, refinitiv::ema::access::Int32 code,
                  refinitiv::ema::access::Int32 value);

}  // namespace emissary::ema
