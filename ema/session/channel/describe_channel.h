// ema/session/channel: public information about channels from what the transport knows, and which can never
// connect.
#pragma once

#include "Access/Include/ChannelInformation.h"
#include "config/Settings.h"
#include "eta/transport/Channel.h"

#include <string>
#include <string_view>
#include <vector>

namespace emissary::ema {

/// Overwrites every member. `channelName` is the configured channel's or server's name.
void fillChannelInformation(refinitiv::ema::access::ChannelInformation& out, const eta::transport::ChannelInfo& info,
                            eta::transport::ChannelState state, std::string_view channelName);

/// modifyIOCtl(): changes an option of an active channel under its output lock. Throws OmmInvalidUsageException naming
/// code, value and remedy. Session lock held.
void changeOption(eta::transport::Channel& channel, refinitiv::ema::access::Int32 code,
                  refinitiv::ema::access::Int32 value);

/// Says which channel cannot work however often it is tried (a CA store that cannot be read, ciphers that do not
/// exist), why, and what to do; empty when all can. Such an error is one of configuration: nothing is retried.
[[nodiscard]] std::string unusableChannel(const std::vector<ChannelSettings>& channels);

}  // namespace emissary::ema
