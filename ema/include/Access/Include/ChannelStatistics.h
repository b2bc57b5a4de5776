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

private:
    UInt64 tcpRetransmitCount_ = 0;
    bool hasTcpRetransmitCount_ = false;
};

}  // namespace refinitiv::ema::access
