// Codes of onDispatchError (ema-api.md 6.5).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Holder of the codes of onDispatchError(); not constructible.
class EMA_ACCESS_API DispatchError {
public:
    /// FailureEnum: a callback threw. ShutdownEnum is not given by this release.
    enum ErrorCode { FailureEnum = -1, ShutdownEnum = -10 };

    DispatchError() = delete;
    DispatchError(const DispatchError&) = delete;
    DispatchError& operator=(const DispatchError&) = delete;
};

}  // namespace refinitiv::ema::access
