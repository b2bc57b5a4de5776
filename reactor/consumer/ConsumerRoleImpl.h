// The insides of ConsumerRole, shared by its source files.
#pragma once

#include "consumer/ConsumerCalls.h"
#include "consumer/DictionaryLoader.h"
#include "consumer/DirectoryTee.h"
#include "consumer/PreferredHostWatch.h"
#include "reactor/consumer/ConsumerRole.h"
#include "session/ServerConnection.h"
#include "watchlist/Watchlist.h"

namespace emissary::reactor::consumer {

using session::DirectoryStream;
using session::LoginStream;

struct ConsumerRole::Impl final : session::ConnectionOwner, WatchlistOwner, PreferredHostOwner {
    Impl(Reactor& r, ConsumerOptions o, ConsumerSink& s)
        : options(std::move(o)), sink(s), own(r), requests(r, s),
          server(r, "channel", {options.channels.begin(), options.channels.end()}, options.reconnect, *this, s),
          sender(server.sender()), login(r, sender, requests, s, options.login, options.requestTimeout),
          directory(r, sender, requests, s, options.directory, {options.recoveryMinDelay, options.recoveryMaxDelay}),
          watchlist(r, sender, requests, s, *this, options), items(options.directoryListener, watchlist, s),
          dictionaries(r, watchlist, requests, s, options), local(r, requests, s, options),
          tunnels({r, sender, requests, s, watchlist, directory.directory(), login}),
          standby(r, options, s, {server, login, directory, watchlist, dictionaries, items}),
          preferred(r, options.channels, *this),
          calls({requests, sender, login, directory, watchlist, local, tunnels, standby}) {
        dictionaries.whenRenewed([this] { advance(); });
        directory.whenTaken([this] { onDirectoryChanged(); });
        directory.whenUnanswered([this] { server.drop("the directory request was not answered in time"); });
        watchlist.setRecovery(login.singleOpen(), login.allowSuspectData());
        if (options.preferredHost.enabled && !options.preferredHost.withinGroup)
            server.select(options.preferredHost.channel);
    }
    ~Impl() override {
        preferred.stop();
        standby.stop();
        server.close();
    }

    // --- ConnectionOwner
    void onConnected() override;
    [[nodiscard]] bool onReplace(const std::string& reason) override {
        return step == Phase::ready && standby.takeOver(reason);
    }
    void onLost(const Loss& loss) override;
    void onWaiting() override;
    void onGivenUp(const std::string& text) override;
    [[nodiscard]] bool outlivesMalformed(std::int32_t streamId) override;
    [[nodiscard]] JsonSources jsonSources() const noexcept override {
        return {dictionaries.inUse(), &directory.directory()};
    }
    void onServerMessage(eta::codec::Msg& m);
    [[nodiscard]] bool expect(std::int32_t streamId) noexcept { return watchlist.streams().expect(streamId, sink); }
    // --- WatchlistOwner
    void onInternalMessage(const eta::codec::Msg& m, Handle handle) override {
        dictionaries.onMessage(m, handle);
        advance();
    }
    void onPostNak(const eta::codec::Msg& nak) override {
        eta::codec::Msg copy = nak;
        login.fanOut(copy, watchlist.posts().serviceNameOf(nak));
    }
    void onRequestSent(const eta::codec::Msg& m) override { standby.onRequestSent(m); }
    void onStreamEnded(std::int32_t wireId, std::uint8_t domain, std::uint32_t source) override {
        standby.onStreamEnded(wireId, domain, source);
    }
    [[nodiscard]] Sender* senderOf(std::uint32_t channel) override { return standby.senderOf(channel); }

    // --- PreferredHostOwner
    void preferredCheckDue() override;
    void preferredUp(std::unique_ptr<Link> fresh) override;
    void preferredFailed(const std::string& preferredWhere, const std::string& text) override;

    [[nodiscard]] bool onPreferred() const noexcept;
    void closeForGood(const std::string& text);
    void onLoginMessage(eta::codec::Msg& m);
    void loginEnded(const std::string& reason, const std::string& text);
    void onDirectoryMessage(eta::codec::Msg& m);
    void onDirectoryChanged();
    void advance();
    [[nodiscard]] Phase phase() const noexcept;
    [[nodiscard]] const ConsumerChannel& channel() const noexcept { return options.channels[server.index()]; }

    const ConsumerOptions options;
    ConsumerSink& sink;
    OwnCalls own;
    RequestTable requests;
    session::ConnectionTo<Impl> server;
    Sender& sender;  // the connection's
    LoginStream login;
    DirectoryStream directory;
    Watchlist watchlist;
    DirectoryTee items;  // what the directory tells of its changes
    DictionaryLoader dictionaries;
    LocalDictionary local;
    Tunnels tunnels;
    WarmStandby standby;
    PreferredHostWatch preferred;
    ConsumerCalls calls;
    std::unique_ptr<Link> joining;  // from the loss of the active server until the next attempt is arranged
    std::size_t joiningChannel = 0;
    Phase step = Phase::loggingIn;  // of a connection that is up: up to ready
    bool everReady = false, refused = false, toldDown = false;
};

}  // namespace emissary::reactor::consumer
