// From configuration to what the reactor's providers are made with.
#pragma once

#include "config/Settings.h"
#include "rdm/DictionaryAccess.h"
#include "reactor/niprovider/NiProviderRole.h"
#include "reactor/provider/ProviderRole.h"

namespace emissary::ema {

class Engine;
struct IProviderConfigImpl;
struct NiProviderConfigImpl;

/// Loads the dictionaries that the configured services provide; throws when one cannot be read.
[[nodiscard]] reactor::ProviderOptions interactiveOptions(const IProviderSettings& settings,
                                                          const IProviderConfigImpl& given, Engine& engine);
/// Loads the dictionary that field lists are named by over JSON, when a channel may come to speak it; logs when there
/// is none.
[[nodiscard]] reactor::niprovider::NiProviderOptions
publisherOptions(const NiProviderSettings& settings, const NiProviderConfigImpl& given, Engine& engine);

}  // namespace emissary::ema
