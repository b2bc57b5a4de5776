// Receives logged REST exchanges (ema-api.md section 12).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

class OmmConsumerRestLoggingEvent;

/// Argument of OmmConsumerConfig::restLoggingCallback(). Called on the dispatching thread.
class EMA_ACCESS_API OmmRestLoggingClient {
public:
    virtual void onRestLoggingEvent(const OmmConsumerRestLoggingEvent& ommLogRestEvent) = 0;  ///< one REST exchange
    OmmRestLoggingClient(const OmmRestLoggingClient&) = delete;
    OmmRestLoggingClient& operator=(const OmmRestLoggingClient&) = delete;

protected:
    OmmRestLoggingClient() noexcept;
    virtual ~OmmRestLoggingClient();
};

}  // namespace refinitiv::ema::access
