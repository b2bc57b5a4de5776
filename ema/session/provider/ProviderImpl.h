// ema/session/provider: the implementation of OmmProvider: the application's calls, and what both roles share.
#pragma once

#include "Access/Include/OmmProvider.h"
#include "session/engine/Engine.h"
#include "session/provider/ProviderEvents.h"

#include <memory>
#include <optional>
#include <string>

namespace refinitiv::ema::access {
class Msg;
}

namespace emissary::ema {

using access::UInt32;
using access::UInt64;
struct PackedMsgImpl;

/// One OmmProvider: its engine, the events that its callbacks are given, and the calls, which each role answers.
class ProviderImpl : protected Engine::Peers {
public:
    struct Clients {
        access::OmmProviderClient* client = nullptr;
        access::OmmProviderErrorClient* errorClient = nullptr;
        void* closure = nullptr;
    };
    /// The implementation for the configuration's role, not started.
    [[nodiscard]] static std::unique_ptr<ProviderImpl> make(access::OmmProvider& owner,
                                                            const access::OmmProviderConfig& config, Clients clients);
    virtual ~ProviderImpl() = default;  ///< derived ones stop the engine first
    ProviderImpl(const ProviderImpl&) = delete;
    ProviderImpl& operator=(const ProviderImpl&) = delete;

    /// Everything the public constructor does, once the owner has the object: callbacks may use the owner before this
    /// returns.
    virtual void start(const access::OmmProviderConfig& config) = 0;

    [[nodiscard]] const access::EmaString& name() const noexcept { return engine_.name(); }
    [[nodiscard]] const Engine& engine() const noexcept { return engine_; }
    [[nodiscard]] Engine& engine() noexcept { return engine_; }
    [[nodiscard]] virtual access::OmmProviderConfig::ProviderRole role() const noexcept = 0;
    /// Runs a public call, see Engine.
    template <class Call>
    void guarded(Call&& call) {
        engine_.guarded(std::forward<Call>(call));
    }
    [[nodiscard]] bool dispatch(access::Int64 timeoutUs) { return engine_.dispatch(timeoutUs); }

    // Each throws; OmmProvider runs them through guarded().
    virtual void submit(const access::Msg& msg, UInt64 handle) = 0;
    virtual UInt64 registerClient(const access::ReqMsg& request, access::OmmProviderClient& client, void* closure) = 0;
    virtual void reissue(const access::ReqMsg& request, UInt64 handle) = 0;
    virtual void unregister(UInt64 handle) = 0;
    virtual void modifyIOCtl(access::Int32 code, access::Int32 value, UInt64 handle) = 0;
    virtual void startPack(PackedMsgImpl& pack, const UInt64* clientHandle, UInt32 maxBytes) = 0;
    virtual void addToPack(PackedMsgImpl& pack, const access::Msg& msg, UInt64 handle) = 0;
    virtual void submitPack(PackedMsgImpl& pack) = 0;
    // One role alone has these; the other one's refusal stands here.
    virtual void connectedClients(access::EmaVector<access::ChannelInformation>& out);
    virtual void clientStatistics(UInt64 clientHandle, access::ChannelStatistics& out);
    virtual void closeChannel(UInt64 clientHandle);
    virtual void channelInformation(access::ChannelInformation& out);
    virtual void channelStatistics(access::ChannelStatistics& out);

    /// emissary/output.h.
    [[nodiscard]] std::optional<std::size_t> outputQueued(UInt64 clientHandle);
    [[nodiscard]] std::optional<std::uint64_t> outputAccepted(UInt64 clientHandle);
    /// Empty when the handle names no tunnel stream that is open.
    [[nodiscard]] virtual std::optional<UInt32> tunnelBuffersUsed(UInt64 /*clientHandle*/) { return {}; }

    // For OmmProviderEvent, inside callbacks: what is known, also while the instance ends.
    virtual void fill(UInt64 clientHandle, access::ChannelInformation& out) = 0;
    virtual void fill(UInt64 clientHandle, access::ChannelStatistics& out) = 0;

    /// Tells the error client that a JSON text of a peer, or one that it was sent, could not be converted.
    void tellJsonFailure(const std::string& text, UInt64 clientHandle);

    // The friend of OmmProviderEvent: makes the one that serves all callbacks, and says whom a callback is for.
    [[nodiscard]] static std::unique_ptr<access::OmmProviderEvent> makeEvent(access::OmmProvider& owner,
                                                                             ProviderImpl& impl) {
        return std::unique_ptr<access::OmmProviderEvent>(new access::OmmProviderEvent(owner, impl));
    }
    static void aim(access::OmmProviderEvent& event, const CallbackTarget& to) noexcept {
        event.handle_ = to.handle;
        event.clientHandle_ = to.clientHandle;
        event.closure_ = to.closure;
    }

protected:
    ProviderImpl(InstanceKind kind, access::OmmProvider& owner, Clients clients);

    /// The connection of a client, or a non-interactive provider's own; null: there is none. Session lock held.
    [[nodiscard]] virtual reactor::Link* linkOf(UInt64 clientHandle) = 0;
    /// Refuses a call that only interactive providers have.
    [[noreturn]] static void interactiveOnly(const char* call, const char* instead);
    /// What a conversion error of ours carries.
    [[nodiscard]] std::shared_ptr<const access::SessionInfo> sessionInfo(UInt64 handle, UInt64 clientHandle);

    Engine engine_;
    ProviderEvents events_;

private:
    access::OmmProvider& owner_;
};

}  // namespace emissary::ema
