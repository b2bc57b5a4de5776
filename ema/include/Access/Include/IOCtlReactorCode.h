// Codes of modifyReactorIOCtl (ema-api.md section 10).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Holder of the codes of OmmConsumer::modifyReactorIOCtl(). Not constructible.
class EMA_ACCESS_API IOCtlReactorCode {
public:
    /// What to log: to a file, or through the callback.
    enum IOCtlReactorCodeEnum { EnableRestLoggingEnum = 1, EnableRestCallbackLoggingEnum = 2 };

    IOCtlReactorCode() = delete;
    IOCtlReactorCode(const IOCtlReactorCode&) = delete;
    IOCtlReactorCode& operator=(const IOCtlReactorCode&) = delete;
};

}  // namespace refinitiv::ema::access
