// Codes of modifyIOCtl (ema-api.md section 10).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Channel options that can change at run time.
class EMA_ACCESS_API IOCtlCode {
public:
    enum IOCtlCodeEnum {
        MaxNumBuffersEnum = 1,
        NumGuaranteedBuffersEnum = 2,
        HighWaterMarkEnum = 3,
        SystemReadBuffers = 4,
        SystemWriteBuffers = 5,
        ServerNumPoolBuffersEnum = 8,
        CompressionThresholdEnum = 9
    };

    IOCtlCode() = delete;
    IOCtlCode(const IOCtlCode&) = delete;
    IOCtlCode& operator=(const IOCtlCode&) = delete;
};

}  // namespace refinitiv::ema::access
