// Counters of one connection (ema-api.md section 9).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Counters of one connection when it was asked; the values do not change with it. Copyable, not thread safe.
class EMA_ACCESS_API ChannelStatistics {
public:
    virtual ~ChannelStatistics();
    ChannelStatistics();                                 ///< nothing known
    ChannelStatistics(const UInt64 tcpRetransmitCount);  ///< with this count
    void clear();                                        ///< nothing known
    bool hasTcpRetransmitCount() const;                  ///< whether the system reported it
    /// TCP segments sent again since the connection was made; throws OmmInvalidUsageException/InvalidOperation when it
    /// is not known.
    UInt64 getTcpRetransmitCount() const;
    /// Sets the count; for the library and for tests.
    ChannelStatistics& tcpRetransmitCount(const UInt64 tcpRetransmitCount);

    /// An addition to the API: packets of a connection of type RSSL_RELIABLE_MCAST since it was made. The numbers below
    /// are 0 when this is false.
    bool hasMulticastStatistics() const;
    UInt64 getMulticastSent() const;               ///< packets sent to the group
    UInt64 getMulticastReceived() const;           ///< packets received from the group
    UInt64 getUnicastSent() const;                 ///< packets sent to single hosts
    UInt64 getUnicastReceived() const;             ///< packets received by this host alone
    UInt64 getGapsDetected() const;                ///< packets lost for good
    UInt64 getRetransmitRequestsSent() const;      ///< requests for lost packets
    UInt64 getRetransmitRequestsReceived() const;  ///< requests of others
    UInt64 getRetransmitPacketsSent() const;       ///< packets sent again
    UInt64 getRetransmitPacketsReceived() const;   ///< lost packets that came again
    /// Sets the nine numbers, in the order of the functions above.
    ChannelStatistics& multicastStatistics(const UInt64 (&packets)[9]);

private:
    UInt64 multicast_[9] = {};
    bool hasMulticast_ = false;
    UInt64 tcpRetransmitCount_ = 0;
    bool hasTcpRetransmitCount_ = false;
};

}  // namespace refinitiv::ema::access
