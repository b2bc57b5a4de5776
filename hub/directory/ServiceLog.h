// Records for operators: which services come, go down, come back, and when their items are current again.
#pragma once

#include "hub/core/Service.h"
#include "hub/core/log.h"
#include "reactor/Reactor.h"

#include <map>

namespace emissary::hub::directory {

/// Hears from Merge. Reactor's thread, session lock held.
class ServiceLog {
public:
    ServiceLog(ServiceTable& services, reactor::Reactor& reactor, LogLine log)
        : services_(services), reactor_(reactor), log_(std::move(log)) {}
    ~ServiceLog() { reactor_.cancelTimer(timer_); }
    ServiceLog(const ServiceLog&) = delete;
    ServiceLog& operator=(const ServiceLog&) = delete;

    /// The service is new, or Service::up() is another value than at the last call.
    void turned(const Service& service);
    /// Why a service goes from the hub's directory.
    enum class Why : std::uint8_t {
        deleted,  ///< its source took it out of its directory
        lost,     ///< its source is away, and DeleteLostServices is set
        room,     ///< its source is away, and another service needs its place (MaxServices)
    };
    /// The service is about to be deleted.
    void gone(const Service& service, Why why);

    /// How often a service that came back is looked at, and after which time what is missing is logged as a fault.
    static constexpr std::chrono::milliseconds kLook{200};
    static constexpr std::chrono::seconds kLate{60};

private:
    struct State {
        reactor::TimePoint since{};  ///< it went down, or came back
        bool up = false, wasUp = false;
        bool recovering = false;       ///< up again, and not all items were current at the last look
        std::uint64_t unanswered = 0;  ///< items without an answer when it went down: nobody has published them
    };
    void look();
    [[nodiscard]] bool settled(const Service& service, State& state);

    ServiceTable& services_;
    reactor::Reactor& reactor_;
    LogLine log_;
    std::map<std::uint16_t, State> states_;  ///< by Service::id; erased with the service
    reactor::TimerId timer_ = 0;
};

}  // namespace emissary::hub::directory
