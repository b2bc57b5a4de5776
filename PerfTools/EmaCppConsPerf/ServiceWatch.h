// Whether the service that a consumer wants is there and takes requests.
#pragma once
#include "Ema.h"

#include <cstdint>
#include <map>
#include <string>

namespace emissary::perf {

/// Follows the source directory. Used by the receiving thread only.
class ServiceWatch {
public:
    explicit ServiceWatch(std::string name) : name_(std::move(name)) {}

    /// Takes in the payload of a directory refresh or update.
    void apply(const refinitiv::ema::access::Payload& payload);
    /// True when the service is present, up and accepting requests.
    [[nodiscard]] bool ready() const;
    /// The service's id; 0 before ready().
    [[nodiscard]] std::uint32_t id() const noexcept { return id_; }

private:
    struct Service {
        std::string name;
        bool up = false;
        bool accepting = true;
    };
    static void applyService(Service& service, const refinitiv::ema::access::FilterList& filters);

    std::string name_;
    std::uint32_t id_ = 0;
    std::map<std::uint64_t, Service> services_;  // by service id
};

}  // namespace emissary::perf
