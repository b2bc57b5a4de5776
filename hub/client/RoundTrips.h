// Measures the round trip of messages to clients (rdm.md 2.5).
#pragma once

#include "hub/client/Context.h"
#include "reactor/GrowingBuffer.h"

namespace emissary::hub::client {

/// One probe every RttInterval to each client whose login announced that it answers them; one without an answer is
/// followed by none.
class RoundTrips {
public:
    explicit RoundTrips(Context& context) noexcept : context_(context) {}
    ~RoundTrips();
    RoundTrips(const RoundTrips&) = delete;
    RoundTrips& operator=(const RoundTrips&) = delete;

    void start();
    /// The interval is another one: the next probes go when it is over.
    void restart();
    /// A generic message of the login stream with an element list: the answer to a probe. Others are counted as
    /// ignored.
    void onAnswer(Client& client, const Msg& generic);

private:
    void probeAll();
    void probe(Client& client);
    [[nodiscard]] std::uint64_t ticks() const noexcept;

    Context& context_;
    reactor::TimerId timer_ = 0;
    reactor::GrowingBuffer payload_{64};
};

}  // namespace emissary::hub::client
