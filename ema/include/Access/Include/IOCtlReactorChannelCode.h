// Codes of modifyReactorChannelIOCtl (ema-api.md section 10).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Reactor channel options that can change at run time.
class EMA_ACCESS_API IOCtlReactorChannelCode {
public:
    enum IOCtlReactorChannelCodeEnum { ReactorChannelDirectWrite = 200, ReactorChannelPreferredHost = 201 };

    IOCtlReactorChannelCode() = delete;
    IOCtlReactorChannelCode(const IOCtlReactorChannelCode&) = delete;
    IOCtlReactorChannelCode& operator=(const IOCtlReactorChannelCode&) = delete;
};

}  // namespace refinitiv::ema::access
