// One logged REST exchange (ema-api.md section 12).
#pragma once

#include "Access/Include/EmaString.h"

namespace emissary::ema {
struct RestLogging;
}

namespace refinitiv::ema::access {

/// Argument of OmmRestLoggingClient::onRestLoggingEvent(), valid until the callback returns.
class EMA_ACCESS_API OmmConsumerRestLoggingEvent {
public:
    virtual ~OmmConsumerRestLoggingEvent();
    OmmConsumerRestLoggingEvent(const OmmConsumerRestLoggingEvent&) = delete;
    OmmConsumerRestLoggingEvent& operator=(const OmmConsumerRestLoggingEvent&) = delete;
    const EmaString& getRestLoggingMessage() const;  ///< one request or response as text
    void* getClosure() const;                        ///< as given to OmmConsumerConfig::restLoggingCallback()

private:
    friend struct emissary::ema::RestLogging;
    OmmConsumerRestLoggingEvent(const EmaString& message, void* closure);
    EmaString message_;
    void* closure_;
};

}  // namespace refinitiv::ema::access
