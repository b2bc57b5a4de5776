// The tunnel stream of a consumer thread (-tunnel).
#pragma once
#include "Ema.h"
#include "Settings.h"
#include "TunnelBuffers.h"

#include <atomic>
#include <cstdint>

namespace emissary::perf {

/// Opened when the service takes tunnel streams, and again, at most every two seconds, when it was refused or has
/// ended. The worker thread opens it and asks; the dispatching thread tells its states.
class ConsumerTunnel {
public:
    explicit ConsumerTunnel(const TunnelSettings& settings) : settings_(settings) {}

    [[nodiscard]] bool wanted() const noexcept { return settings_.wanted; }
    [[nodiscard]] bool isOpen() const noexcept { return state_.load(std::memory_order_acquire) == State::open; }
    /// The parent of streams inside; of the tunnel that was opened last. Worker thread.
    [[nodiscard]] std::uint64_t handle() const noexcept { return handle_; }

    /// Asks for one when there is none and the time has come. Worker thread.
    void keepOpen(refinitiv::ema::access::OmmConsumer& consumer, refinitiv::ema::access::OmmConsumerClient& client,
                  void* closure, std::uint32_t serviceId);
    /// What happened, in onState().
    enum class Change : std::uint8_t { none, opened, refused, ended };
    Change onState(const refinitiv::ema::access::OmmState& state);

    /// A message cannot be sent for the time being: its buffers are in use, or it has just ended. Worker thread.
    [[nodiscard]] bool isBusy(const refinitiv::ema::access::OmmException& exception) const;
    /// After every message sent. Worker thread.
    void noteBuffers(const refinitiv::ema::access::OmmConsumer& consumer) { buffers_.note(consumer, handle_); }
    [[nodiscard]] TunnelBuffers& buffers() noexcept { return buffers_; }

private:
    enum class State : std::uint8_t { none, asked, open };
    const TunnelSettings& settings_;
    std::atomic<State> state_{State::none};
    std::uint64_t handle_ = 0;
    std::int64_t nextAsk_ = 0;
    TunnelBuffers buffers_{settings_};
};

}  // namespace emissary::perf
