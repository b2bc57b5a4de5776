// How full tunnel streams are (-tunnelStreamBuffersUsed).
#pragma once
#include "Settings.h"
#include "SharedStatistics.h"
#include "emissary/tunnels.h"

#include <cstdint>

namespace emissary::perf {

/// Looks after every message sent, which takes a lock each time: that is why it is asked for. Any thread.
class TunnelBuffers {
public:
    explicit TunnelBuffers(const TunnelSettings& settings) noexcept : wanted_(settings.showBuffers) {}

    /// `handle`: of a consumer's tunnel, of a provider's client; one that names no tunnel is left out.
    template <class Instance>
    void note(const Instance& instance, std::uint64_t handle) {
        if (!wanted_) return;
        if (const auto used = tunnelBuffersUsed(instance, handle)) used_.add(*used);
    }
    [[nodiscard]] ValueStatistics drain() { return used_.drain(); }

private:
    const bool wanted_;
    SharedStatistics used_;
};

}  // namespace emissary::perf
