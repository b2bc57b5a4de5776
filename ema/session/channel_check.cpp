#include "session/channel_check.h"

#include "eta/transport/Channel.h"

namespace emissary::ema {

std::string unusableChannel(const std::vector<ChannelSettings>& channels) {
    for (const ChannelSettings& c : channels) {
        const std::string wrong = eta::transport::checkConnect(c.connect);
        if (wrong.empty()) continue;
        return "Channel \"" + c.name + "\" can never connect: " + wrong +
               ". Correct the channel's configuration; no attempt was made.";
    }
    return {};
}

}  // namespace emissary::ema
