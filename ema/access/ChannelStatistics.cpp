#include "Access/Include/ChannelStatistics.h"

#include "access/raise.h"

#include "Access/Include/OmmInvalidUsageException.h"

namespace refinitiv::ema::access {

ChannelStatistics::ChannelStatistics() = default;
ChannelStatistics::ChannelStatistics(const UInt64 tcpRetransmitCount)
    : tcpRetransmitCount_(tcpRetransmitCount), hasTcpRetransmitCount_(true) {}
ChannelStatistics::~ChannelStatistics() = default;

void ChannelStatistics::clear() {
    tcpRetransmitCount_ = 0;
    hasTcpRetransmitCount_ = false;
}
bool ChannelStatistics::hasTcpRetransmitCount() const {
    return hasTcpRetransmitCount_;
}
UInt64 ChannelStatistics::getTcpRetransmitCount() const {
    if (!hasTcpRetransmitCount_)
        emissary::ema::throwInvalidUsage("ChannelStatistics::getTcpRetransmitCount: the count is not set",
                                         OmmInvalidUsageException::InvalidOperationEnum);
    return tcpRetransmitCount_;
}
ChannelStatistics& ChannelStatistics::tcpRetransmitCount(const UInt64 tcpRetransmitCount) {
    tcpRetransmitCount_ = tcpRetransmitCount;
    hasTcpRetransmitCount_ = true;
    return *this;
}

}  // namespace refinitiv::ema::access
