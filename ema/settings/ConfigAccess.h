// ema/settings: gives the instances access to the content of a configuration object.
#pragma once

#include "settings/ConsumerConfigImpl.h"
#include "settings/ProviderConfigImpl.h"

#include "Access/Include/OmmConsumerConfig.h"
#include "Access/Include/OmmIProviderConfig.h"
#include "Access/Include/OmmNiProviderConfig.h"

namespace emissary::ema {

/// Friend of OmmConsumerConfig, OmmIProviderConfig and OmmNiProviderConfig. What it returns lives as long as the
/// configuration object and changes with it: take copies while the instance is being built.
struct ConfigAccess {
    [[nodiscard]] static const ConsumerConfigImpl& of(const refinitiv::ema::access::OmmConsumerConfig& c) noexcept {
        return *c.impl_;
    }
    [[nodiscard]] static const IProviderConfigImpl& of(const refinitiv::ema::access::OmmIProviderConfig& c) noexcept {
        return *c.impl_;
    }
    [[nodiscard]] static const NiProviderConfigImpl& of(const refinitiv::ema::access::OmmNiProviderConfig& c) noexcept {
        return *c.impl_;
    }
    [[nodiscard]] static IProviderConfigImpl& of(refinitiv::ema::access::OmmIProviderConfig& c) noexcept {
        return *c.impl_;
    }
    [[nodiscard]] static NiProviderConfigImpl& of(refinitiv::ema::access::OmmNiProviderConfig& c) noexcept {
        return *c.impl_;
    }
    /// What functions said on any of the three.
    template <class Config>
    [[nodiscard]] static FunctionCalls& callsOf(Config& c) noexcept {
        return c.impl_->calls;
    }
};

}  // namespace emissary::ema
