// Fills the event before a callback is run.
#include "session/provider/ProviderEvents.h"

#include "session/provider/ProviderImpl.h"

namespace emissary::ema {

ProviderEvents::ProviderEvents(access::OmmProvider& owner, ProviderImpl& impl, Engine& engine,
                               access::OmmProviderClient* client, void* closure)
    : engine_(engine), event_(ProviderImpl::makeEvent(owner, impl)), client_(client), closure_(closure) {}

void ProviderEvents::aim(const CallbackTarget& to) noexcept {
    ProviderImpl::aim(*event_, to);
}

}  // namespace emissary::ema
