// What --print-config prints: the options in effect, then the configuration of each instance, with the origin of every
// value.
#pragma once
#include "Ema.h"
#include "Options.h"
#include "emissary/EffectiveConfiguration.h"

#include <cstdio>

namespace emissary::perf {

/// `Config` is one of the configuration classes, `configure(config, number)` what thread `number` (from 1) does with
/// it.
template <class Config, class Configure>
void printConfig(const Options& options, std::size_t threads, Configure&& configure) {
    std::printf("--- OPTIONS ---\n\n%s", options.listing().c_str());
    for (std::size_t number = 1; number <= threads; ++number) {
        Config config;
        configure(config, number);
        const EffectiveConfiguration effective = effectiveConfiguration(config);
        std::printf("\n--- CONFIGURATION OF %s ---\n\n%s", effective.instance.c_str(), effective.text().c_str());
    }
}

}  // namespace emissary::perf
