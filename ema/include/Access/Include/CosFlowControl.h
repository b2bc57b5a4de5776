// Part of a tunnel stream's class of service: flow control (ema-api.md section 11).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// How much either side may send ahead of acknowledgements. Not thread safe.
class EMA_ACCESS_API CosFlowControl {
public:
    enum CosFlowControlType { NoneEnum = 0, BidirectionalEnum = 1 };
    CosFlowControl();
    CosFlowControl(const CosFlowControl& other);
    CosFlowControl& operator=(const CosFlowControl& other);
    virtual ~CosFlowControl();
    CosFlowControl& clear();  ///< back to NoneEnum and windows of -1
    /// A value outside the enumeration throws OmmInvalidUsageException/InvalidArgument.
    CosFlowControl& type(CosFlowControlType type = NoneEnum);
    /// Bytes the other side may send unacknowledged; -1 leaves it to the defaults of the peer.
    /// Less than -1 throws OmmInvalidUsageException/InvalidArgument.
    CosFlowControl& recvWindowSize(Int64 size = -1);
    /// As recvWindowSize(), for this side.
    CosFlowControl& sendWindowSize(Int64 size);
    CosFlowControlType getType() const;
    Int64 getRecvWindowSize() const;
    Int64 getSendWindowSize() const;

private:
    CosFlowControlType type_ = NoneEnum;
    Int64 recvWindowSize_ = -1;
    Int64 sendWindowSize_ = -1;
};

}  // namespace refinitiv::ema::access
