// What stands behind OmmConsumer: start-up, threads, callbacks, errors.
#pragma once

#include "Access/Include/AckMsg.h"
#include "Access/Include/ChannelInformation.h"
#include "Access/Include/EmaVector.h"
#include "Access/Include/GenericMsg.h"
#include "Access/Include/OmmConsumer.h"
#include "Access/Include/OmmException.h"
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/StatusMsg.h"
#include "Access/Include/UpdateMsg.h"
#include "session/KeptException.h"
#include "data/MsgAccess.h"
#include "config/Logger.h"
#include "config/Settings.h"
#include "rdm/DictionaryAccess.h"
#include "reactor/routing/Router.h"

#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace emissary::ema {

namespace access = refinitiv::ema::access;

/// One OmmConsumer. Public calls come from any thread and take the session lock for their duration. Callbacks come from
/// the dispatching thread (during start-up: the constructor's) with the lock held.
class ConsumerImpl final : public reactor::consumer::ConsumerSink {
public:
    struct Clients {
        access::OmmConsumerClient* admin = nullptr;
        access::OmmConsumerErrorClient* error = nullptr;
        void* closure = nullptr;
    };

    explicit ConsumerImpl(Clients clients);
    /// Stops the threads and disconnects; no callback comes afterwards. Prompt in every state.
    ~ConsumerImpl() override;
    ConsumerImpl(const ConsumerImpl&) = delete;
    ConsumerImpl& operator=(const ConsumerImpl&) = delete;

    /// Everything the public constructor does; throws (the caller decides about the error client). A failed start
    /// leaves an object on which every call is a usage error.
    void start(const access::OmmConsumerConfig& config);

    [[nodiscard]] const access::EmaString& name() const noexcept { return name_; }
    // Each throws; OmmConsumer runs them through guarded().
    access::UInt64 registerClient(const access::ReqMsg& request, access::OmmConsumerClient& client, void* closure,
                                  access::UInt64 parentHandle);
    void reissue(const access::ReqMsg& request, access::UInt64 handle);
    void unregister(access::UInt64 handle);
    void submit(const access::GenericMsg& msg, access::UInt64 handle);
    void submit(const access::PostMsg& msg, access::UInt64 handle);
    [[nodiscard]] access::Int64 dispatch(access::Int64 timeoutUs);
    void channelInformation(access::ChannelInformation& out);
    void channelStatistics(access::ChannelStatistics& out);
    /// One entry for each session channel; none without request routing.
    void sessionInformation(access::EmaVector<access::ChannelInformation>& out);
    void modifyIOCtl(access::Int32 code, access::Int32 value);
    void modifyReactorChannelIOCtl(access::Int32 code, void* value);
    void fallbackPreferredHost();

    /// Runs a public call: what it throws reaches the caller, or the error client when there is one.
    template <class Call>
    void guarded(Call&& call) {
        try {
            call();
        } catch (const access::OmmException& e) {
            if (!tellErrorClient(e)) throw;
        } catch (const std::bad_alloc&) { outOfMemory(); }
    }

    // --- ConsumerSink
    void onMessage(const eta::codec::Msg& msg, const reactor::consumer::Recipient& to,
                   std::string_view serviceName) override;
    void onConnection(reactor::consumer::ConnectionEvent event, const std::string& text) override;
    void onWarning(const std::string& text) override;
    void onJsonFailure(const reactor::consumer::JsonFailure& failure) override;

private:
    template <class M>
    void deliver(M& object, void (access::OmmConsumerClient::*callback)(const M&, const access::OmmConsumerEvent&),
                 const eta::codec::Msg& msg, access::OmmConsumerClient& client);
    void openLogger();
    void requireUsableChannels();
    void prepareDictionary(const access::OmmConsumerConfig& config);
    [[nodiscard]] reactor::consumer::ConsumerOptions options(const access::OmmConsumerConfig& config) const;
    void makeSessions(const access::OmmConsumerConfig& config);
    /// What stands behind everything the application does: one session, or several behind a router.
    template <class Call>
    auto withSessions(Call&& call) {
        return router_ ? call(*router_) : call(*role_);
    }
    /// The session that a question about "the" channel is about.
    [[nodiscard]] reactor::consumer::ConsumerRole& sessionInUse() noexcept {
        return router_ ? router_->session(router_->currentSession()) : *role_;
    }
    void describe(reactor::consumer::ConsumerRole& role, std::size_t session, access::ChannelInformation& out) const;
    [[nodiscard]] PreferredHostSettings& preferredHost(std::size_t session) noexcept {
        return settings_.sessions.empty() ? settings_.preferredHost : settings_.sessions[session].preferredHost;
    }
    void registerAtSessions(const reactor::consumer::RequestView& request, reactor::consumer::Refusal& refusal);
    void registerAdmin(const access::ReqMsg* request);
    void registerAdminDirectory();
    void registerAdminDictionaries();
    void waitUntilReady();
    void run();
    void report(const std::exception_ptr& thrown);
    void requireUsable() const;
    [[nodiscard]] std::span<const std::string> servicesOf(std::string_view list) const;
    void fail(const reactor::consumer::Refusal& refusal, const char* call, access::UInt64 handle);
    [[nodiscard]] bool tellErrorClient(const access::OmmException& e);
    void outOfMemory();
    void log(std::string_view component, LogSeverity severity, std::string_view text) noexcept {
        if (logger_) logger_->log(component, severity, text);
    }

    const Clients clients_;
    access::EmaString name_;
    ConsumerSettings settings_;
    std::shared_ptr<Logger> logger_;  // shared by the instances that log to the same file
    SharedDictionary dictionary_;     // shared with objects copied out of callbacks; null until it is there
    std::unique_ptr<reactor::Reactor> reactor_;
    // One of the two: a single session is driven directly.
    std::unique_ptr<reactor::consumer::ConsumerRole> role_;
    std::unique_ptr<reactor::routing::Router> router_;
    std::vector<std::pair<std::string, std::vector<std::string>>> serviceLists_;
    std::thread apiThread_;
    std::atomic<bool> usable_{false}, stopping_{false};
    std::atomic<std::uint32_t> dispatching_{0};  // threads inside dispatch(); the destructor waits for them

    // The dispatching thread's, under the session lock.
    bool starting_ = false, adminDirectory_ = false, adminDictionaries_ = false;
    bool preferredHostSaid_ = false;  // configured, or changed by a call: channel information shows it
    const access::OmmConsumerConfig* config_ = nullptr;  // while starting
    bool givenUp_ = false;                               // the current callback's handle was unregistered inside it
    KeptException thrown_;                               // by callbacks, until the dispatching call ends
    DecodeContext context_;
    access::OmmConsumerEvent event_;
    access::RefreshMsg refresh_;
    access::UpdateMsg update_;
    access::StatusMsg status_;
    access::GenericMsg generic_;
    access::AckMsg ack_;
};

}  // namespace emissary::ema
