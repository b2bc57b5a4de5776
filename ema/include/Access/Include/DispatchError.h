// Codes of onDispatchError (ema-api.md 6.5).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Why dispatching failed.
class EMA_ACCESS_API DispatchError {
public:
    enum ErrorCode { FailureEnum = -1, ShutdownEnum = -10 };

    DispatchError() = delete;
    DispatchError(const DispatchError&) = delete;
    DispatchError& operator=(const DispatchError&) = delete;
};

}  // namespace refinitiv::ema::access
