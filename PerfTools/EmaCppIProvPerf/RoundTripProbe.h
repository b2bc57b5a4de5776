// How long a message takes to a client and back (rdm.md 2.5).
#pragma once
#include "Ema.h"
#include "SharedStatistics.h"

#include <cstdint>
#include <vector>

namespace emissary::perf {

/// Sends our clock on the login streams of clients that return it. note() is for the dispatching thread, everything
/// else for the publishing thread; the statistics may be read by any.
class RoundTripProbe {
public:
    /// The client takes part, on the stream of its login.
    void add(std::uint64_t client, std::uint64_t handle);
    void forget(std::uint64_t client);

    void start(std::int64_t now) noexcept;
    /// When to send() next; nanoseconds of nowNanos().
    [[nodiscard]] std::int64_t due() const noexcept { return due_; }
    void send(refinitiv::ema::access::OmmProvider& provider);

    /// What was sent comes back unchanged.
    void note(const refinitiv::ema::access::ElementList& answer);
    /// In microseconds.
    [[nodiscard]] SharedStatistics& times() noexcept { return times_; }

private:
    struct Login {
        std::uint64_t client, handle;
    };
    std::vector<Login> logins_;
    std::int64_t due_ = 0;
    refinitiv::ema::access::ElementList clock_;
    refinitiv::ema::access::GenericMsg message_;
    SharedStatistics times_;
};

}  // namespace emissary::perf
