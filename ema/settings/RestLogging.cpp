// The classes of REST logging (ema-api.md section 12).
#include "Access/Include/OmmConsumerRestLoggingEvent.h"
#include "Access/Include/OmmRestLoggingClient.h"

namespace refinitiv::ema::access {

OmmConsumerRestLoggingEvent::OmmConsumerRestLoggingEvent(const EmaString& message, void* closure)
    : message_(message), closure_(closure) {}
OmmConsumerRestLoggingEvent::~OmmConsumerRestLoggingEvent() = default;
const EmaString& OmmConsumerRestLoggingEvent::getRestLoggingMessage() const {
    return message_;
}
void* OmmConsumerRestLoggingEvent::getClosure() const {
    return closure_;
}

OmmRestLoggingClient::OmmRestLoggingClient() noexcept = default;
OmmRestLoggingClient::~OmmRestLoggingClient() = default;

}  // namespace refinitiv::ema::access
