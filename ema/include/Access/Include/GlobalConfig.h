// Limits of the pools of data objects (ema-api.md section 12).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Process-wide limits for pools that keep message, container and primitive objects for reuse. This library reuses one
/// object for each session and keeps no pools: limits (initially 500) are remembered, and the counts are always 0. All
/// members may be called from any thread; not constructible.
class EMA_ACCESS_API GlobalConfig {
public:
    GlobalConfig() = delete;
    GlobalConfig(const GlobalConfig&) = delete;
    GlobalConfig& operator=(const GlobalConfig&) = delete;
    static void setMsgTypePoolLimit(UInt32 limit);      ///< remembered, without effect
    static void setComplexTypePoolLimit(UInt32 limit);  ///< remembered, without effect
    static void setDataTypePoolLimit(UInt32 limit);     ///< remembered, without effect
    static UInt32 getMsgTypePoolLimit();                ///< as set; initially 500
    static UInt32 getComplexTypePoolLimit();            ///< as set; initially 500
    static UInt32 getDataTypePoolLimit();               ///< as set; initially 500
    static UInt32 getAckMsgInPoolCount();               ///< 0: there is no pool
    static UInt32 getGenericMsgInPoolCount();           ///< 0: there is no pool
    static UInt32 getPostMsgInPoolCount();              ///< 0: there is no pool
    static UInt32 getReqMsgInPoolCount();               ///< 0: there is no pool
    static UInt32 getRefreshMsgInPoolCount();           ///< 0: there is no pool
    static UInt32 getStatusMsgInPoolCount();            ///< 0: there is no pool
    static UInt32 getUpdateMsgInPoolCount();            ///< 0: there is no pool
};

}  // namespace refinitiv::ema::access
