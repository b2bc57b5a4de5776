// The insides of ConsumerRole, shared by its source files.
#pragma once

#include "client/DirectoryStream.h"
#include "client/LoginStream.h"
#include "client/ServerConnection.h"
#include "consumer/DictionaryLoader.h"
#include "consumer/LocalDictionary.h"
#include "consumer/PreferredHostWatch.h"
#include "consumer/Standbys.h"
#include "reactor/consumer/ConsumerRole.h"
#include "watchlist/Watchlist.h"

#include <set>

namespace emissary::reactor::consumer {

using client::DirectoryStream;
using client::LoginStream;

struct ConsumerRole::Impl final : client::ConnectionOwner, WatchlistOwner, StandbyOwner, PreferredHostOwner {
    Impl(Reactor& r, ConsumerOptions o, ConsumerSink& s)
        : reactor(r), options(std::move(o)), sink(s), requests(r, s),
          server(r, "channel", {options.channels.begin(), options.channels.end()}, options.reconnect, *this, s),
          sender(server.sender()), login(r, sender, requests, s, options.login, options.requestTimeout),
          directory(r, sender, requests, s, options.directory, {options.recoveryMinDelay, options.recoveryMaxDelay}),
          watchlist(r, sender, requests, s, *this, options), dictionaries(r, watchlist, requests, s, options),
          local(r, requests, s, options), standbys(r, options, *this), preferred(r, options.channels, *this) {
        watchlist.setRecovery(login.singleOpen(), login.allowSuspectData());
        if (options.preferredHost.enabled && !options.preferredHost.withinGroup)
            server.select(options.preferredHost.channel);
    }
    ~Impl() override {
        preferred.stop();
        standbys.stop();
        server.close();
    }

    // --- ConnectionOwner
    void onConnected() override;
    [[nodiscard]] bool onReplace(const std::string& reason) override {
        return step == Phase::ready && takeOver(reason);
    }
    void onLost(const Loss& loss) override;
    void onGivenUp(const std::string& text) override;
    [[nodiscard]] bool outlivesMalformed(std::int32_t streamId) override;
    [[nodiscard]] JsonSources jsonSources() const noexcept override {
        const auto downloaded = dictionaries.dictionary();
        return {downloaded ? downloaded.get() : options.localDictionary.get(), &directory.directory()};
    }
    void onServerMessage(eta::codec::Msg& m);
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
    void preferredFailed(const std::string& preferredWhere, const std::string& text) override;

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
    void closeForGood(const std::string& text);
    void onLoginMessage(eta::codec::Msg& m);
    void loginEnded(const std::string& reason, const std::string& text);
    void onDirectoryMessage(eta::codec::Msg& m);
    void advance();
    [[nodiscard]] Phase phase() const noexcept;
    [[nodiscard]] const ConsumerChannel& channel() const noexcept { return options.channels[server.index()]; }

    Reactor& reactor;
    const ConsumerOptions options;
    ConsumerSink& sink;
    RequestTable requests;
    client::ConnectionTo<Impl> server;
    Sender& sender;  // the connection's
    LoginStream login;
    DirectoryStream directory;
    Watchlist watchlist;
    DictionaryLoader dictionaries;
    LocalDictionary local;
    Standbys standbys;
    PreferredHostWatch preferred;
    Phase step = Phase::loggingIn;  // of a connection that is up: up to ready
    bool everReady = false, refused = false, toldDown = false;
    std::set<std::size_t> started;    // service-based standbys that have had their turn as the starting server
    std::vector<bool> endedOnActive;  // by wire id: streams of services that another server is active for
    std::vector<bool> inherited;      // by wire id: open at the server that is taking over
};

}  // namespace emissary::reactor::consumer
