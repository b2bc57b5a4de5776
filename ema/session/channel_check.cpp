// Finds out whether a channel's options can be used, and says why not.
#include "session/channel_check.h"

#include "eta/transport/Channel.h"

namespace emissary::ema {

std::string unusableChannel(const std::vector<ChannelSettings>& channels) {
    for (const ChannelSettings& c : channels) {
        const eta::Refused refused = eta::transport::checkConnect(c.connect);
        if (!refused) continue;
        return "Channel \"" + c.name + "\" can never connect: " + refused.text +
               ". Correct the channel's configuration; no attempt was made.";
    }
    return {};
}

}  // namespace emissary::ema
