// Codes of modifyReactorIOCtl (ema-api.md section 10).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Reactor options that can change at run time.
class EMA_ACCESS_API IOCtlReactorCode {
public:
    enum IOCtlReactorCodeEnum { EnableRestLoggingEnum = 1, EnableRestCallbackLoggingEnum = 2 };

    IOCtlReactorCode() = delete;
    IOCtlReactorCode(const IOCtlReactorCode&) = delete;
    IOCtlReactorCode& operator=(const IOCtlReactorCode&) = delete;
};

}  // namespace refinitiv::ema::access
