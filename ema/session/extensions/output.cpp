// Asks a provider how much output waits, and begins and ends bursts.
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
    [[nodiscard]] static std::optional<std::uint64_t> accepted(const OmmProvider& provider,
                                                               std::uint64_t clientHandle) {
        return provider.impl_ ? provider.impl_->outputAccepted(clientHandle) : std::nullopt;
    }
    /// Null: no burst can begin.
    [[nodiscard]] static Engine* begun(OmmProvider& provider) noexcept {
        return provider.impl_ && provider.impl_->engine().beginBurst() ? &provider.impl_->engine() : nullptr;
    }
};

}  // namespace ema

std::optional<std::size_t> outputQueued(const OmmProvider& provider, std::uint64_t clientHandle) {
    return ema::OutputAccess::queued(provider, clientHandle);
}

std::optional<std::uint64_t> outputAccepted(const OmmProvider& provider, std::uint64_t clientHandle) {
    return ema::OutputAccess::accepted(provider, clientHandle);
}

SubmitBurst::SubmitBurst(OmmProvider& provider) noexcept : engine_(ema::OutputAccess::begun(provider)) {}
SubmitBurst::~SubmitBurst() {
    if (engine_ != nullptr) engine_->endBurst();
}

}  // namespace emissary
