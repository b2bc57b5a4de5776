// Bounds what one connection of a publisher may cost (ClientLimits, as for consumers).
#pragma once

#include "provider/Backlog.h"
#include "reactor/provider/ProviderRole.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace emissary::reactor::acceptor {

/// Counts what was refused of one publisher, and sees whether it reads and goes on with what it began. The limits are
/// the role's.
class PublisherGuard {
public:
    explicit PublisherGuard(const ClientLimits& limits) noexcept : limits_(limits) {}

    /// A message that was not taken; false: it was one too many of a connection that is not logged in.
    [[nodiscard]] bool toleratesRefusal(bool loggedIn) noexcept {
        return loggedIn || limits_.refusalsBeforeLogin == 0 || ++refusals_ <= limits_.refusalsBeforeLogin;
    }
    /// A JSON text that cannot be converted; false: it was one too many.
    [[nodiscard]] bool toleratesJsonFailure(bool loggedIn, TimePoint now) noexcept {
        if (limits_.refusalsPerMinute == 0) return true;
        if (!loggedIn) return false;
        if (now - jsonMinute_ >= std::chrono::minutes(1)) {
            jsonMinute_ = now;
            jsonFailures_ = 0;
        }
        return ++jsonFailures_ <= limits_.refusalsPerMinute;
    }
    [[nodiscard]] bool takesKey(const eta::codec::MsgKey& key) const noexcept {
        return limits_.keyBytes == 0 || key.name.size() + key.attrib.size() <= limits_.keyBytes;
    }
    /// Looked at a few times within the shortest limit: a sentence on why the connection ends, empty while it may stay.
    [[nodiscard]] std::string fault(Link& link, TimePoint now) {
        if (limits_.partialMessageTimeout.count() != 0 &&
            link.channel()->inputStalled(now, limits_.partialMessageTimeout))
            return "an incomplete message has not grown for " + seconds(limits_.partialMessageTimeout) +
                   " (PartialMessageTimeout)";
        if (limits_.slowConsumerTimeout.count() != 0 && backlog_.stalled(link, now, limits_.slowConsumerTimeout))
            return "it has not read what waits for it for " + seconds(limits_.slowConsumerTimeout) +
                   " (SlowConsumerTimeout)";
        return {};
    }
    /// How often fault() wants to be asked; 0 = never.
    [[nodiscard]] static Duration period(const ClientLimits& limits) noexcept {
        Duration shortest{};
        for (const auto limit : {limits.partialMessageTimeout, limits.slowConsumerTimeout})
            if (limit.count() != 0 && (shortest.count() == 0 || limit / 4 < shortest)) shortest = limit / 4;
        return shortest.count() == 0 ? shortest : std::max<Duration>(shortest, std::chrono::milliseconds(10));
    }

private:
    [[nodiscard]] static std::string seconds(std::chrono::milliseconds time) {
        return std::to_string(time.count()) + " ms";
    }
    const ClientLimits& limits_;
    std::uint32_t refusals_ = 0, jsonFailures_ = 0;
    TimePoint jsonMinute_{};
    Backlog backlog_;
};

}  // namespace emissary::reactor::acceptor
