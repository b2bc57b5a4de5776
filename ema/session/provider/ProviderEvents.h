// The event of a provider's callbacks, and how a callback is run.
#pragma once

#include "Access/Include/OmmProviderClient.h"
#include "Access/Include/OmmProviderEvent.h"
#include "session/engine/Engine.h"

#include <memory>

namespace emissary::ema {

/// Whom a callback is for.
struct CallbackTarget {
    access::OmmProviderClient* client = nullptr;
    void* closure = nullptr;
    access::UInt64 handle = 0, clientHandle = 0;
};

/// One event object serves all callbacks of a provider. Session lock, dispatching thread.
class ProviderEvents {
public:
    using Event = access::OmmProviderEvent;
    template <class M>
    using Callback = void (access::OmmProviderClient::*)(const M&, const Event&);

    /// Without a client, callbacks do nothing.
    ProviderEvents(access::OmmProvider& owner, ProviderImpl& impl, Engine& engine, access::OmmProviderClient* client,
                   void* closure);

    [[nodiscard]] bool hasClient() const noexcept { return client_ != nullptr; }
    /// The client that was given to the constructor.
    [[nodiscard]] CallbackTarget ownClient(access::UInt64 handle, access::UInt64 clientHandle) noexcept {
        return {client_ != nullptr ? client_ : &noClient_, closure_, handle, clientHandle};
    }
    /// The application unregistered it on the dispatching thread: the callback that runs is its last.
    void giveUp(access::UInt64 handle) noexcept {
        if (engine_.loop().onDispatchThread() && handle == event_->getHandle()) givenUp_ = true;
    }
    /// onAllMsg first, then the specific one, unless the handle was given up, or ended, in between.
    template <class M, class StillOpen>
    void deliver(const CallbackTarget& to, const M& message, Callback<M> callback, StillOpen&& stillOpen) {
        aim(to);
        givenUp_ = false;
        engine_.runCallback([&] {
            to.client->onAllMsg(message, *event_);
            if (!givenUp_ && stillOpen()) (to.client->*callback)(message, *event_);
        });
    }
    template <class M>
    void deliver(const CallbackTarget& to, const M& message, Callback<M> callback) {
        deliver(to, message, callback, [] { return true; });
    }

private:
    class NoClient final : public access::OmmProviderClient {};

    void aim(const CallbackTarget& to) noexcept;

    Engine& engine_;
    const std::unique_ptr<Event> event_;
    access::OmmProviderClient* const client_;
    void* const closure_;
    NoClient noClient_;
    bool givenUp_ = false;
};

}  // namespace emissary::ema
