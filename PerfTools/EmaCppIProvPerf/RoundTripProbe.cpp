// Sends round-trip requests to clients that support them, and notes the answers.
#include "RoundTripProbe.h"

#include "Clock.h"
#include "EmaErrors.h"

#include <algorithm>

namespace emissary::perf {

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;

namespace {

constexpr std::int64_t kPeriodNanos = 5 * kNanosPerSecond;

}  // namespace

void RoundTripProbe::add(std::uint64_t client, std::uint64_t handle) {
    const bool known =
        std::any_of(logins_.begin(), logins_.end(), [handle](const Login& login) { return login.handle == handle; });
    if (!known) logins_.push_back({client, handle});
}

void RoundTripProbe::forget(std::uint64_t client) {
    std::erase_if(logins_, [client](const Login& login) { return login.client == client; });
}

void RoundTripProbe::start(std::int64_t now) noexcept {
    due_ = now + kPeriodNanos;
}

void RoundTripProbe::send(OmmProvider& provider) {
    due_ += kPeriodNanos;
    std::erase_if(logins_, [&](const Login& login) {
        try {
            clock_.clear();
            clock_.addUInt("Ticks", static_cast<UInt64>(nowNanos())).complete();
            message_.clear().domainType(rdm::MMT_LOGIN).complete(true).payload(clock_);
            provider.submit(message_, login.handle);
            return false;
            // Without a buffer the client is asked next time; after any other refusal it has left.
        } catch (const OmmException& exception) { return !isNoBuffers(exception); }
    });
}

void RoundTripProbe::note(const ElementList& answer) {
    const std::uint64_t now = static_cast<std::uint64_t>(nowNanos());
    while (answer.forth()) {
        const ElementEntry& element = answer.getEntry();
        if (element.getLoadType() != DataType::UIntEnum || element.getCode() == Data::BlankEnum) continue;
        // The consumer sends our own clock back. A value in the future is not ours.
        if (element.getName() == "Ticks" && element.getUInt() <= now)
            times_.add(static_cast<double>(now - element.getUInt()) / 1000.0);
    }
}

}  // namespace emissary::perf
