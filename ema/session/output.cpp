#include "emissary/output.h"

#include "Access/Include/OmmProvider.h"
#include "session/provider/ProviderImpl.h"

namespace emissary {

using refinitiv::ema::access::OmmProvider;

namespace ema {

/// Friend of OmmProvider, which inside callbacks of its start may not have its implementation yet.
struct OutputAccess {
    [[nodiscard]] static std::optional<std::size_t> queued(const OmmProvider& provider, std::uint64_t clientHandle) {
        return provider.impl_ ? provider.impl_->outputQueued(clientHandle) : std::nullopt;
    }
};

}  // namespace ema

std::optional<std::size_t> outputQueued(const OmmProvider& provider, std::uint64_t clientHandle) {
    return ema::OutputAccess::queued(provider, clientHandle);
}

}  // namespace emissary
