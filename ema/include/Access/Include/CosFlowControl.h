// Part of a tunnel stream's class of service: flow control (ema-api.md section 11).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Part of a tunnel stream's class of service (ema-api.md section 11): how much may be sent ahead of acknowledgements.
/// Copyable, not thread safe.
class EMA_ACCESS_API CosFlowControl {
public:
    /// Unlimited, or limited by windows in both directions.
    enum CosFlowControlType { NoneEnum = 0, BidirectionalEnum = 1 };
    CosFlowControl();                                        ///< the defaults
    CosFlowControl(const CosFlowControl& other);             ///< copies the values
    CosFlowControl& operator=(const CosFlowControl& other);  ///< copies the values
    virtual ~CosFlowControl();
    CosFlowControl& clear();  ///< back to the defaults
    /// A number outside the enumeration throws OmmOutOfRangeException.
    CosFlowControl& type(CosFlowControlType type = NoneEnum);
    /// Bytes that the other side may send unacknowledged; -1 leaves it to the peer. Less throws
    /// OmmOutOfRangeException.
    CosFlowControl& recvWindowSize(Int64 size = -1);
    CosFlowControl& sendWindowSize(Int64 size);  ///< kept; the peer's word counts. Below 0: OmmOutOfRangeException
    CosFlowControlType getType() const;          ///< default NoneEnum
    Int64 getRecvWindowSize() const;             ///< bytes, or -1
    Int64 getSendWindowSize() const;             ///< bytes, or -1

private:
    CosFlowControlType type_ = NoneEnum;
    Int64 recvWindowSize_ = -1;
    Int64 sendWindowSize_ = -1;
};

}  // namespace refinitiv::ema::access
