// Limits of the pools of data objects (ema-api.md section 12).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Process-wide limits for pools that keep message, container and primitive objects for reuse. This library reuses
/// one object per session and keeps no pools: limits (initially 500) are remembered, and nothing is ever pooled, so the
/// counts are 0. All members may be called from any thread.
class EMA_ACCESS_API GlobalConfig {
public:
    GlobalConfig() = delete;
    GlobalConfig(const GlobalConfig&) = delete;
    GlobalConfig& operator=(const GlobalConfig&) = delete;
    static void setMsgTypePoolLimit(UInt32 limit);
    static void setComplexTypePoolLimit(UInt32 limit);
    static void setDataTypePoolLimit(UInt32 limit);
    static UInt32 getMsgTypePoolLimit();
    static UInt32 getComplexTypePoolLimit();
    static UInt32 getDataTypePoolLimit();
    static UInt32 getAckMsgInPoolCount();
    static UInt32 getGenericMsgInPoolCount();
    static UInt32 getPostMsgInPoolCount();
    static UInt32 getReqMsgInPoolCount();
    static UInt32 getRefreshMsgInPoolCount();
    static UInt32 getStatusMsgInPoolCount();
    static UInt32 getUpdateMsgInPoolCount();
};

}  // namespace refinitiv::ema::access
