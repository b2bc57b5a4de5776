// Codes of modifyIOCtl (ema-api.md section 10).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Holder of the codes of modifyIOCtl(), options of one connection that can change while it is up; not constructible.
class EMA_ACCESS_API IOCtlCode {
public:
    /// What to change; the value is given beside it and must not be negative.
    enum IOCtlCodeEnum {
        MaxNumBuffersEnum = 1,         ///< buffers that output may take at most
        NumGuaranteedBuffersEnum = 2,  ///< buffers that output may always take
        HighWaterMarkEnum = 3,         ///< bytes of output that are gathered before they are written
        SystemReadBuffers = 4,         ///< bytes of the kernel's receive buffer
        SystemWriteBuffers = 5,        ///< bytes of the kernel's send buffer
        ServerNumPoolBuffersEnum = 8,  ///< refused: servers have no common pool
        CompressionThresholdEnum = 9   ///< bytes from which messages are compressed
    };

    IOCtlCode() = delete;
    IOCtlCode(const IOCtlCode&) = delete;
    IOCtlCode& operator=(const IOCtlCode&) = delete;
};

}  // namespace refinitiv::ema::access
