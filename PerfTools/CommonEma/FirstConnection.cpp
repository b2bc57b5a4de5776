// PerfTools/CommonEma: says what a thread waits for, tells attempts that may succeed later from those that never will.
#include "FirstConnection.h"

#include "Clock.h"
#include "EmaErrors.h"

#include <algorithm>
#include <cstdio>

namespace emissary::perf {

using refinitiv::ema::access::OmmException;
using refinitiv::ema::access::OmmInvalidUsageException;

// The time between two attempts at a login that the peer refuses for the time being.
constexpr std::int64_t kFirstRetryNanos = kNanosPerSecond, kLastRetryNanos = 15 * kNanosPerSecond;

bool FirstConnection::make(const std::function<void()>& attempt) const {
    const std::string whom = "the " + peer + " at " + target;
    std::string told;
    std::int64_t wait = kFirstRetryNanos;
    while (!over()) {
        notice.begin(whom);
        if (told.empty()) notice.waitFor(whom + ", which has not answered");
        try {
            attempt();
            notice.end();
            notice.waitFor({});
            return true;
        } catch (const OmmException& exception) {
            notice.end();
            const auto code = usageCode(exception);
            const bool refused = code == OmmInvalidUsageException::LoginRequestRejectedEnum;
            const bool late = code == OmmInvalidUsageException::LoginRequestTimeOutEnum ||
                              code == OmmInvalidUsageException::DirectoryRequestTimeOutEnum;
            if (!late && !(refused && refusedForNow())) throw;
            const std::string why = exception.getText().c_str();
            // The same reason every second would hide other lines.
            if (why != told) std::printf("%s: waiting for the %s: %s\n", thread.c_str(), peer.c_str(), why.c_str());
            std::fflush(stdout);
            told = why;
            notice.waitFor(whom + ": " + why);
            // A time-out has waited already. A refusal comes at once, and a pause keeps the tool from a storm of
            // logins.
            if (!refused) continue;
            pause(wait);
            wait = std::min(2 * wait, kLastRetryNanos);
        }
    }
    return false;
}

}  // namespace emissary::perf
