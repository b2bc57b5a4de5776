// Part of a tunnel stream's class of service: sizes (ema-api.md section 11).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Properties that every tunnel stream has. Not thread safe.
class EMA_ACCESS_API CosCommon {
public:
    CosCommon();
    CosCommon(const CosCommon& other);
    CosCommon& operator=(const CosCommon& other);
    virtual ~CosCommon();
    CosCommon& clear();  ///< back to the defaults
    /// Longest message, in bytes, that either side may send.
    CosCommon& maxMsgSize(UInt64 maxMsgSize = 6144);
    UInt64 getMaxMsgSize() const;

private:
    UInt64 maxMsgSize_ = 6144;
};

}  // namespace refinitiv::ema::access
