// Codes of modifyReactorChannelIOCtl (ema-api.md section 10).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Holder of the codes of OmmConsumer::modifyReactorChannelIOCtl(); not constructible.
class EMA_ACCESS_API IOCtlReactorChannelCode {
public:
    /// What to change; the value is given by address.
    enum IOCtlReactorChannelCodeEnum {
        ReactorChannelDirectWrite = 200,   ///< an Int32: other than 0, submit() writes to the socket itself
        ReactorChannelPreferredHost = 201  ///< PreferredHostOptions of one session
    };

    IOCtlReactorChannelCode() = delete;
    IOCtlReactorChannelCode(const IOCtlReactorChannelCode&) = delete;
    IOCtlReactorChannelCode& operator=(const IOCtlReactorChannelCode&) = delete;
};

}  // namespace refinitiv::ema::access
