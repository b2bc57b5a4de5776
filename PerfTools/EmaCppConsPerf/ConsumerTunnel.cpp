// Opens the tunnel, opens it again after its end, and follows its state.
#include "ConsumerTunnel.h"

#include "Clock.h"
#include "EmaErrors.h"

namespace emissary::perf {

using namespace refinitiv::ema::access;

namespace {

constexpr std::int64_t kAskAgainNanos = 2 * kNanosPerSecond;

}  // namespace

void ConsumerTunnel::keepOpen(OmmConsumer& consumer, OmmConsumerClient& client, void* closure,
                              std::uint32_t serviceId) {
    // Worker thread; onState() runs on the thread that dispatches. state_ is the one thing they share.
    if (state_.load(std::memory_order_acquire) != State::none) return;
    const std::int64_t now = nowNanos();
    if (now < nextAsk_) return;
    nextAsk_ = now + kAskAgainNanos;
    // Reliable data and flow in both directions, with a login inside when the option asks for it: the same class of
    // service as the provider tool accepts.
    ClassOfService cos;
    cos.dataIntegrity(CosDataIntegrity().type(CosDataIntegrity::ReliableEnum))
        .flowControl(CosFlowControl().type(CosFlowControl::BidirectionalEnum));
    if (settings_.login) cos.authentication(CosAuthentication().type(CosAuthentication::OmmLoginEnum));
    TunnelStreamRequest request;
    request.name("EmaCppConsPerf").serviceId(serviceId).classOfService(cos);
    request.guaranteedOutputBuffers(settings_.outputBuffers);
    // Before it is asked for: its states come on another thread.
    state_.store(State::asked, std::memory_order_release);
    handle_ = consumer.registerClient(request, client, closure);
}

ConsumerTunnel::Change ConsumerTunnel::onState(const OmmState& state) {
    const State was = state_.load(std::memory_order_relaxed);
    if (state.getStreamState() != OmmState::OpenEnum) {
        state_.store(State::none, std::memory_order_release);
        // An end before the first open state is a refusal, and the caller asks again. An end after it is an outage.
        return was == State::open ? Change::ended : Change::refused;
    }
    if (was == State::open || state.getDataState() != OmmState::OkEnum) return Change::none;
    state_.store(State::open, std::memory_order_release);
    return Change::opened;
}

bool ConsumerTunnel::isBusy(const OmmException& exception) const {
    return isNoBuffers(exception) || !isOpen();
}

}  // namespace emissary::perf
