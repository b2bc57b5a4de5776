// Reports to the service manager that started the program: the protocol of sd_notify(3), without its library.
#pragma once

#include "eta/core/Clock.h"

#include <chrono>
#include <string>

namespace emissary::hub {

/// Tells nobody anything where the environment names no socket (NOTIFY_SOCKET).
class ServiceManager {
public:
    /// Reads the environment.
    ServiceManager();
    ~ServiceManager();
    ServiceManager(const ServiceManager&) = delete;
    ServiceManager& operator=(const ServiceManager&) = delete;

    void ready() { tell("READY=1"); }
    void stopping() { tell("STOPPING=1"); }
    /// Called by the loop each turn; reports when due (WATCHDOG_USEC). The manager ends a program that stays silent.
    void alive();
    /// Most that may pass between two calls of alive(), or `most` if that is shorter.
    [[nodiscard]] std::chrono::microseconds pause(std::chrono::microseconds most) const noexcept;

private:
    void tell(const std::string& text) noexcept;

    std::string path_;
    int socket_ = -1;
    std::chrono::microseconds period_{0};  // half of what is allowed; 0: nobody watches
    eta::TimePoint told_{};
};

}  // namespace emissary::hub
