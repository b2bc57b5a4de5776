// Whether the service that a consumer wants is there and takes requests.
#pragma once
#include "Ema.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <string>

namespace emissary::perf {

/// Follows the source directory: the receiving thread tells its messages, any thread asks.
class ServiceWatch {
public:
    /// `forTunnels`: a service that does not take tunnel streams, with System among its Capabilities, is not ready.
    ServiceWatch(std::string name, bool forTunnels) : name_(std::move(name)), forTunnels_(forTunnels) {}

    /// Takes in the payload of a directory refresh or update.
    void apply(const refinitiv::ema::access::Payload& payload);
    /// True when the service is present, up and accepting requests.
    [[nodiscard]] bool ready() const noexcept { return ready_.load(std::memory_order_acquire); }
    /// The service's id; 0 before ready().
    [[nodiscard]] std::uint32_t id() const noexcept { return id_.load(std::memory_order_acquire); }

private:
    struct Service {
        std::string name;
        bool up = false;
        bool accepting = true;
        bool tunnels = false;
    };
    [[nodiscard]] static bool listsTunnels(const refinitiv::ema::access::ElementEntry& capabilities);
    static void applyService(Service& service, const refinitiv::ema::access::FilterList& filters);

    const std::string name_;
    const bool forTunnels_;
    std::atomic<std::uint32_t> id_{0};
    std::atomic<bool> ready_{false};
    std::map<std::uint64_t, Service> services_;  // by service id
};

}  // namespace emissary::perf
