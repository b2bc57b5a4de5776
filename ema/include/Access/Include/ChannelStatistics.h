// Counters of one connection (ema-api.md section 9).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// A snapshot; copyable.
class EMA_ACCESS_API ChannelStatistics {
public:
    virtual ~ChannelStatistics();
    ChannelStatistics();
    ChannelStatistics(const UInt64 tcpRetransmitCount);
    void clear();
    bool hasTcpRetransmitCount() const;
    UInt64 getTcpRetransmitCount() const;
    ChannelStatistics& tcpRetransmitCount(const UInt64 tcpRetransmitCount);

    /// An addition to the API: packets of a connection of type RSSL_RELIABLE_MCAST since it was made. Without
    /// hasMulticastStatistics() the numbers below are 0.
    bool hasMulticastStatistics() const;
    UInt64 getMulticastSent() const;
    UInt64 getMulticastReceived() const;
    UInt64 getUnicastSent() const;
    UInt64 getUnicastReceived() const;
    UInt64 getGapsDetected() const;  ///< packets lost for good
    UInt64 getRetransmitRequestsSent() const;
    UInt64 getRetransmitRequestsReceived() const;
    UInt64 getRetransmitPacketsSent() const;
    UInt64 getRetransmitPacketsReceived() const;
    /// In the order of the functions above.
    ChannelStatistics& multicastStatistics(const UInt64 (&packets)[9]);

private:
    UInt64 multicast_[9] = {};
    bool hasMulticast_ = false;
    UInt64 tcpRetransmitCount_ = 0;
    bool hasTcpRetransmitCount_ = false;
};

}  // namespace refinitiv::ema::access
