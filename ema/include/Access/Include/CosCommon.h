// Part of a tunnel stream's class of service: sizes (ema-api.md section 11).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Part of a tunnel stream's class of service (ema-api.md section 11): properties that each one has. Copyable, not
/// thread safe.
class EMA_ACCESS_API CosCommon {
public:
    CosCommon();                                   ///< the defaults
    CosCommon(const CosCommon& other);             ///< copies the values
    CosCommon& operator=(const CosCommon& other);  ///< copies the values
    virtual ~CosCommon();
    CosCommon& clear();                               ///< back to the defaults
    CosCommon& maxMsgSize(UInt64 maxMsgSize = 6144);  ///< longest message, in bytes, that either side may send
    UInt64 getMaxMsgSize() const;                     ///< bytes; default 6144

private:
    UInt64 maxMsgSize_ = 6144;
};

}  // namespace refinitiv::ema::access
