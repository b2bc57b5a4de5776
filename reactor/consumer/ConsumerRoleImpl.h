// The insides of ConsumerRole, shared by its source files.
#pragma once

#include "client/DirectoryStream.h"
#include "client/LoginStream.h"
#include "consumer/DictionaryLoader.h"
#include "consumer/LocalDictionary.h"
#include "consumer/PreferredHostWatch.h"
#include "consumer/Standbys.h"
#include "reactor/client/Backoff.h"
#include "reactor/consumer/ConsumerRole.h"
#include "watchlist/Watchlist.h"

#include <set>

namespace emissary::reactor::consumer {

using client::DirectoryStream;
using client::LoginStream;

struct ConsumerRole::Impl final : LinkHandler, WatchlistOwner, StandbyOwner, PreferredHostOwner {
    Impl(Reactor& r, ConsumerOptions o, ConsumerSink& s)
        : reactor(r), options(std::move(o)), sink(s), requests(r, s), sender(r),
          login(r, sender, requests, s, options.login, options.requestTimeout),
          directory(r, sender, requests, s, options.directory, {options.recoveryMinDelay, options.recoveryMaxDelay}),
          watchlist(r, sender, requests, s, *this, options), dictionaries(r, watchlist, requests, s, options),
          local(r, requests, s, options), standbys(r, options, *this), preferred(r, *this), backoff(options.reconnect) {
        watchlist.setRecovery(login.singleOpen(), login.allowSuspectData());
        if (options.preferredHost.enabled && !options.preferredHost.withinGroup)
            current = options.preferredHost.channel;
    }
    ~Impl() override {
        reactor.cancelTimer(reconnectTimer);
        preferred.stop();
        standbys.stop();
        sender.attach(nullptr);
        link.reset();
    }

    // --- LinkHandler
    void onLinkUp(Link& l) override;
    void onLinkMessage(Link& l, Bytes message) override;
    void onLinkDown(Link& l, const std::string& reason, bool refused) override;
    void onLinkWarning(Link&, const std::string& text) override { sink.onWarning(where() + ": " + text); }
    void onJsonFailure(Link& l, const std::string& text) override {
        sink.onJsonFailure({where() + ": " + text, options.channels[current], l.info()});
    }
    [[nodiscard]] JsonSources jsonSources() const noexcept override {
        const auto downloaded = dictionaries.dictionary();
        return {downloaded ? downloaded.get() : options.localDictionary.get(), &directory.directory()};
    }
    // --- WatchlistOwner
    void onInternalMessage(const eta::codec::Msg& m, Handle handle) override {
        dictionaries.onMessage(m, handle);
        advance();
    }
    void onPostTimeout(const eta::codec::Msg& nak) override {
        eta::codec::Msg copy = nak;
        login.fanOut(copy);
    }

    void onRequestSent(const eta::codec::Msg& m) override;
    void onStreamEnded(std::int32_t wireId, std::uint8_t domain, std::uint32_t source) override;
    // --- StandbyOwner
    void makeLogin(eta::codec::Msg& m) override { login.make(m); }
    [[nodiscard]] const rdm::Directory& activeServices() const noexcept override { return directory.directory(); }
    [[nodiscard]] const eta::dictionary::Dictionary* conversionDictionary() const noexcept override {
        return jsonSources().dictionary;
    }
    void replay(const std::function<void(const eta::codec::Msg&)>& send) override { watchlist.replay(send); }
    void standbyWarning(const std::string& text) override { sink.onWarning(text); }
    void standbyJsonFailure(const JsonFailure& failure) override { sink.onJsonFailure(failure); }

    void standbyReady(std::size_t channel, const rdm::Directory& services) override;
    void standbyLost(std::size_t channel) override;
    void standbyItem(std::size_t channel, eta::codec::Msg& m) override;
    [[nodiscard]] Sender* senderOf(std::uint32_t channel) override { return standbys.senderOf(channel); }

    // --- PreferredHostOwner
    void preferredCheckDue() override;
    void preferredUp(std::unique_ptr<Link> fresh) override;
    void preferredFailed(const std::string& text) override;

    [[nodiscard]] std::size_t startingActive(std::uint32_t group) const noexcept;
    [[nodiscard]] bool onPreferred() const noexcept;
    void announceServices();
    void noteEnd(const eta::codec::Msg& m);
    void markEnded(std::size_t wireId, bool ended);
    void mirrorLogin(bool noRefresh);
    void startStandbys();
    void stopStandbys();
    [[nodiscard]] bool takeOver(const std::string& text, std::size_t by = Standbys::kAny);
    void useProvider();
    void connect();
    void lost(const std::string& reason);
    void goDown(const std::string& reason);
    void drop(const std::string& reason);
    void scheduleConnect();
    void giveUp(const std::string& text);
    void closeForGood(const std::string& text);
    void onLoginMessage();
    void onDirectoryMessage();
    void malformed(Bytes message, Error e);
    void advance();
    [[nodiscard]] std::string where() const {
        const ConsumerChannel& c = options.channels[current];
        return "channel " + c.name + " (" + c.connect.host + ":" + c.connect.port + ")";
    }
    void event(ConnectionEvent e, const std::string& text) { sink.onConnection(e, where() + ": " + text); }

    Reactor& reactor;
    const ConsumerOptions options;
    ConsumerSink& sink;
    RequestTable requests;
    Sender sender;
    LoginStream login;
    DirectoryStream directory;
    Watchlist watchlist;
    DictionaryLoader dictionaries;
    LocalDictionary local;
    Standbys standbys;
    PreferredHostWatch preferred;
    Backoff backoff;
    std::unique_ptr<Link> link;
    eta::codec::Msg incoming;  // the message being handled
    Phase phase = Phase::idle;
    std::size_t current = 0;
    TimerId reconnectTimer = 0;
    bool everReady = false, refused = false, toldDown = false, warnedMalformed = false;
    std::string reason;
    std::set<std::size_t> started;    // service-based standbys that have had their turn as the starting server
    std::vector<bool> endedOnActive;  // by wire id: streams of services that another server is active for
    std::vector<bool> inherited;      // by wire id: open at the server that is taking over
    Counters counters;
};

}  // namespace emissary::reactor::consumer
