// ema/session/channel: getters and setters of ChannelStatistics; those of values that were never set throw.
#include "Access/Include/ChannelStatistics.h"

#include "errors/raise.h"

#include <algorithm>
#include <iterator>

#include "Access/Include/OmmInvalidUsageException.h"

namespace refinitiv::ema::access {

ChannelStatistics::ChannelStatistics() = default;
ChannelStatistics::ChannelStatistics(const UInt64 tcpRetransmitCount)
    : tcpRetransmitCount_(tcpRetransmitCount), hasTcpRetransmitCount_(true) {}
ChannelStatistics::~ChannelStatistics() = default;

void ChannelStatistics::clear() {
    tcpRetransmitCount_ = 0;
    hasTcpRetransmitCount_ = false;
    std::fill(std::begin(multicast_), std::end(multicast_), UInt64{0});
    hasMulticast_ = false;
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

bool ChannelStatistics::hasMulticastStatistics() const {
    return hasMulticast_;
}
/// The places are those of the array that multicastStatistics() takes.
UInt64 ChannelStatistics::getMulticastSent() const {
    return multicast_[0];
}
UInt64 ChannelStatistics::getMulticastReceived() const {
    return multicast_[1];
}
UInt64 ChannelStatistics::getUnicastSent() const {
    return multicast_[2];
}
UInt64 ChannelStatistics::getUnicastReceived() const {
    return multicast_[3];
}
UInt64 ChannelStatistics::getGapsDetected() const {
    return multicast_[4];
}
UInt64 ChannelStatistics::getRetransmitRequestsSent() const {
    return multicast_[5];
}
UInt64 ChannelStatistics::getRetransmitRequestsReceived() const {
    return multicast_[6];
}
UInt64 ChannelStatistics::getRetransmitPacketsSent() const {
    return multicast_[7];
}
UInt64 ChannelStatistics::getRetransmitPacketsReceived() const {
    return multicast_[8];
}
ChannelStatistics& ChannelStatistics::multicastStatistics(const UInt64 (&packets)[9]) {
    std::copy(std::begin(packets), std::end(packets), std::begin(multicast_));
    hasMulticast_ = true;
    return *this;
}

}  // namespace refinitiv::ema::access
