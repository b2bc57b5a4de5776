// ema/session/consumer: the implementation of OmmConsumer: the calls of the application.
#pragma once

#include "Access/Include/ChannelStatistics.h"
#include "Access/Include/OmmConsumer.h"
#include "config/Settings.h"
#include "rdm/DictionaryAccess.h"
#include "session/consumer/ConsumerCallbacks.h"
#include "session/consumer/ConsumerSessions.h"
#include "session/credentials/SessionManagement.h"
#include "session/engine/Engine.h"

namespace emissary::ema {

/// One OmmConsumer: its engine, its sessions, and the callbacks that they make.
class ConsumerImpl final : private Engine::Peers, private ManagedSession {
public:
    struct Clients {
        access::OmmConsumerClient* admin = nullptr;
        access::OmmConsumerErrorClient* error = nullptr;
        void* closure = nullptr;
        access::OmmOAuth2ConsumerClient* oauth = nullptr;
    };

    explicit ConsumerImpl(Clients clients);
    ~ConsumerImpl();
    ConsumerImpl(const ConsumerImpl&) = delete;
    ConsumerImpl& operator=(const ConsumerImpl&) = delete;

    /// Everything the public constructor does. A start that failed leaves an object on which every call is a usage
    /// error.
    void start(const access::OmmConsumerConfig& config);

    /// A session is ready: dictionaries that it loaded anew take the place of those in use. Session lock held.
    void takeNewDictionary();
    [[nodiscard]] const access::EmaString& name() const noexcept { return engine_.name(); }
    [[nodiscard]] const Engine& engine() const noexcept { return engine_; }
    [[nodiscard]] Engine& engine() noexcept { return engine_; }
    /// Runs a public call, see Engine.
    template <class Call>
    void guarded(Call&& call) {
        engine_.guarded(std::forward<Call>(call));
    }
    [[nodiscard]] bool dispatch(access::Int64 timeoutUs) { return engine_.dispatch(timeoutUs); }

    // Each throws; OmmConsumer runs them through guarded().
    access::UInt64 registerClient(const access::ReqMsg& request, access::OmmConsumerClient& client, void* closure,
                                  access::UInt64 parentHandle);
    access::UInt64 registerClient(const access::TunnelStreamRequest& request, access::OmmConsumerClient& client,
                                  void* closure);
    void reissue(const access::ReqMsg& request, access::UInt64 handle);
    void unregister(access::UInt64 handle);
    void submit(const access::GenericMsg& msg, access::UInt64 handle);
    void submit(const access::PostMsg& msg, access::UInt64 handle);
    /// Empty when the handle names no tunnel stream.
    [[nodiscard]] std::optional<access::UInt32> tunnelBuffersUsed(access::UInt64 handle);
    void channelInformation(access::ChannelInformation& out);
    void channelStatistics(access::ChannelStatistics& out);
    /// One entry for each session channel; none without request routing.
    void sessionInformation(access::EmaVector<access::ChannelInformation>& out);
    // For OmmConsumerEvent, inside callbacks: what is known, also while the instance ends.
    void fill(access::ChannelInformation& out);
    void fill(access::ChannelStatistics& out);
    void fill(access::EmaVector<access::ChannelInformation>& out);
    void modifyIOCtl(access::Int32 code, access::Int32 value);
    void modifyReactorChannelIOCtl(access::Int32 code, void* value);
    void fallbackPreferredHost();
    /// The members of that name; `Renewal` is the class of their argument.
    template <class Renewal>
    void renewCredentials(Renewal& renewal) {
        engine_.requireUsable();
        const auto guard = engine_.locked();
        accounts_->renew(renewal);
    }
    void modifyReactorIOCtl(access::Int32 code, access::Int32 value);

    // The friend of OmmConsumerEvent: makes the one that serves all callbacks, and says whom a callback is for.
    [[nodiscard]] std::unique_ptr<access::OmmConsumerEvent> makeEvent() {
        return std::unique_ptr<access::OmmConsumerEvent>(new access::OmmConsumerEvent(*this));
    }
    static void aim(access::OmmConsumerEvent& event, const reactor::consumer::Recipient& to) noexcept {
        event.handle_ = to.handle;
        event.parentHandle_ = to.parent;
        event.closure_ = to.closure;
    }

private:
    friend struct ConsumerDictionaryAccess;
    // --- Engine::Peers
    [[nodiscard]] StartProgress progress() override;
    void close() override;
    // --- ManagedSession
    void renewLogin(const reactor::session::ChannelAccount& account) override { sessions_.renewLogin(account); }
    void callAbout(const std::string& channel, void* closure,
                   const std::function<void(const access::OmmConsumerEvent&)>& callback) override;
    void runCallback(const std::function<void()>& callback) override { engine_.runCallback(callback); }
    void logSession(LogSeverity severity, const std::string& text) override {
        engine_.logPeer("ReactorCallbackClient", severity, [&]() -> const std::string& { return text; });
    }

    void requireUsableChannels();
    void traceChannels();
    void forgetPassword();
    void prepareDictionary(const access::OmmConsumerConfig& config);
    void useDictionary(SharedDictionary dictionary);
    /// What stands behind everything the application does, with the session lock held. Throws what is refused.
    template <class Call>
    void withSessions(const char* name, access::UInt64 handle, Call&& call);
    [[noreturn]] void fail(const reactor::consumer::Refusal& refusal, const char* call, access::UInt64 handle);

    ConsumerSettings settings_;
    SharedDictionary dictionary_;  // shared with objects copied out of callbacks; null until it is there
    Engine engine_;
    ConsumerSessions sessions_;
    const Clients clients_;
    std::unique_ptr<SessionManagement> accounts_;  // from the start on, for as long as there are sessions
    const std::string* calledAbout_ = nullptr;     // the channel that a credential client is called about
    AdminClient admin_;
    ConsumerCallbacks callbacks_;
};

}  // namespace emissary::ema
