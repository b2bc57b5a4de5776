// What stands behind OmmProvider: the common part of both roles (errors, threads, dispatching).
#pragma once

#include "Access/Include/OmmException.h"
#include "Access/Include/OmmProvider.h"
#include "session/KeptException.h"
#include "config/Logger.h"
#include "config/Settings.h"
#include "eta/codec/Msg.h"
#include "reactor/Reactor.h"
#include "reactor/json_text.h"

#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <thread>

namespace refinitiv::ema::access {
class Msg;
}

namespace emissary::ema {

namespace access = refinitiv::ema::access;
using access::UInt32;
using access::UInt64;
struct PackedMsgImpl;

/// One OmmProvider. Public calls may come from any thread; each takes the session lock for its duration. Callbacks come
/// from the dispatching thread with the lock held.
class ProviderImpl {
public:
    struct Clients {
        access::OmmProviderClient* client = nullptr;
        access::OmmProviderErrorClient* errorClient = nullptr;
        void* closure = nullptr;
    };
    /// The implementation for the configuration's role, not started.
    [[nodiscard]] static std::unique_ptr<ProviderImpl> make(access::OmmProvider& owner,
                                                            const access::OmmProviderConfig& config, Clients clients);
    /// Starts it, once the owner has it: callbacks may use the owner before this returns. Throws, or tells the error
    /// client.
    void begin(const access::OmmProviderConfig& config) {
        guarded([&] { start(config); });
    }
    virtual ~ProviderImpl();
    ProviderImpl(const ProviderImpl&) = delete;
    ProviderImpl& operator=(const ProviderImpl&) = delete;

    [[nodiscard]] const access::EmaString& name() const noexcept { return name_; }
    [[nodiscard]] virtual access::OmmProviderConfig::ProviderRole role() const noexcept = 0;
    [[nodiscard]] access::Int64 dispatch(access::Int64 timeoutUs);

    // Each reports misuse through report().
    virtual void submit(const access::Msg& msg, UInt64 handle) = 0;
    virtual UInt64 registerClient(const access::ReqMsg& request, access::OmmProviderClient& client, void* closure) = 0;
    virtual void reissue(const access::ReqMsg& request, UInt64 handle) = 0;
    virtual void unregister(UInt64 handle) = 0;
    virtual void connectedClients(access::EmaVector<access::ChannelInformation>& out) = 0;
    virtual void clientStatistics(UInt64 clientHandle, access::ChannelStatistics& out) = 0;
    virtual void channelInformation(access::ChannelInformation& out) = 0;
    virtual void channelStatistics(access::ChannelStatistics& out) = 0;
    virtual void modifyIOCtl(access::Int32 code, access::Int32 value, UInt64 handle) = 0;
    virtual void closeChannel(UInt64 clientHandle) = 0;
    virtual void startPack(PackedMsgImpl& pack, const UInt64* clientHandle, UInt32 maxBytes) = 0;
    virtual void addToPack(PackedMsgImpl& pack, const access::Msg& msg, UInt64 handle) = 0;
    virtual void submitPack(PackedMsgImpl& pack) = 0;

    // For OmmProviderEvent, inside callbacks.
    virtual void fill(UInt64 clientHandle, access::ChannelInformation& out) = 0;
    virtual void fill(UInt64 clientHandle, access::ChannelStatistics& out) = 0;
    static std::unique_ptr<access::OmmProviderEvent> makeEvent(access::OmmProvider& owner, ProviderImpl& impl);

    /// Runs a public call: what it throws reaches the caller, or the error client when there is one.
    template <class Call>
    void guarded(Call&& call) {
        try {
            call();
        } catch (const access::OmmException& e) {
            if (!tellErrorClient(e)) throw;
        } catch (const std::bad_alloc&) { outOfMemory(); }
    }

protected:
    ProviderImpl(access::OmmProvider& owner, Clients clients);

    virtual void start(const access::OmmProviderConfig& config) = 0;
    /// Opens the log and the reactor; the settings must outlive this object.
    void open(const InstanceSettings& settings);
    void startApiThread();
    /// Lets out what a callback threw; for start-up code that dispatches itself.
    void rethrowKept() { thrown_.rethrow(); }
    /// Stops dispatching; afterwards no callback runs. Derived destructors call it first.
    void stop() noexcept;
    void log(std::string_view component, LogSeverity severity, std::string_view text) noexcept {
        if (logger_) logger_->log(component, severity, text);
    }

    /// Runs an application callback; what it throws comes out of dispatch(), never through the reactor.
    template <class Callback>
    void call(UInt64 handle, UInt64 clientHandle, void* closure, Callback&& callback) {
        aim(handle, clientHandle, closure);
        try {
            callback();
        } catch (...) { thrown_.keep(std::current_exception()); }
    }
    /// Tells the error client that a client's JSON text, or one that it was sent, could not be converted. Not thrown
    /// without one: what a peer sends must not end an application that does not expect it.
    void tellJsonFailure(const std::string& text, UInt64 clientHandle);
    /// A message that cannot be written as JSON.
    [[noreturn]] void throwConversion(const std::string& text, UInt64 handle, UInt64 clientHandle);
    [[nodiscard]] const access::OmmProviderEvent& event() const noexcept { return *event_; }
    [[nodiscard]] access::OmmProviderClient& client() const noexcept { return *clients_.client; }
    [[nodiscard]] void* closure() const noexcept { return clients_.closure; }
    [[nodiscard]] access::OmmProviderErrorClient* errorClient() const noexcept { return clients_.errorClient; }
    [[nodiscard]] reactor::Reactor& loop() noexcept { return *reactor_; }

    access::OmmProvider& owner_;
    access::EmaString name_;

private:
    void aim(UInt64 handle, UInt64 clientHandle, void* closure) noexcept;
    [[nodiscard]] bool tellErrorClient(const access::OmmException& e);
    void outOfMemory();
    void run();
    void report(std::exception_ptr thrown);

    Clients clients_;
    std::unique_ptr<access::OmmProviderEvent> event_;
    const InstanceSettings* settings_ = nullptr;
    std::shared_ptr<Logger> logger_;  // shared by instances that log to the same file
    std::unique_ptr<reactor::Reactor> reactor_;
    std::thread apiThread_;
    std::atomic<bool> stopping_{false};
    std::atomic<std::uint32_t> dispatching_{0};  // threads inside dispatch(); the destructor waits for them
    KeptException thrown_;                       // by callbacks, until the dispatching call ends
};

}  // namespace emissary::ema
