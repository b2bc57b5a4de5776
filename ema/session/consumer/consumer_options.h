// From configuration to what the reactor's consumer is made with.
#pragma once

#include "config/Settings.h"
#include "rdm/DictionaryAccess.h"
#include "reactor/routing/Router.h"

namespace emissary::ema {

struct ConsumerConfigImpl;

/// For a consumer without session channels. `dictionary`: null when it is downloaded.
[[nodiscard]] reactor::consumer::ConsumerOptions
consumerOptions(const ConsumerSettings& settings, const ConsumerConfigImpl& given, SharedDictionary dictionary);
/// For one with session channels, or with service lists: `common` with each session's connections.
[[nodiscard]] reactor::routing::RouterOptions routerOptions(const ConsumerSettings& settings,
                                                            const reactor::consumer::ConsumerOptions& common);

}  // namespace emissary::ema
