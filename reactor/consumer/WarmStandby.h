// reactor/consumer: warm standby: the active server of a group, for everything or by service (session.md section 6).
#pragma once

#include "consumer/DictionaryLoader.h"
#include "consumer/DirectoryTee.h"
#include "consumer/Standbys.h"
#include "session/DirectoryStream.h"
#include "session/LoginStream.h"

#include <set>
#include <vector>

namespace emissary::reactor::consumer {

/// The parts of a consumer's session with its server.
struct SessionParts {
    session::ServerConnection& server;
    session::LoginStream& login;
    session::DirectoryStream& directory;
    Watchlist& watchlist;
    DictionaryLoader& dictionaries;
    DirectoryTee& services;
};

/// Keeps the other servers of the group in step with the active one, and puts one in its place when it is lost. Nothing
/// happens for a channel that is in no group. Session lock held throughout.
class WarmStandby final : StandbyOwner {
public:
    WarmStandby(Reactor& reactor, const ConsumerOptions& options, ConsumerSink& sink, const SessionParts& session)
        : options_(options), sink_(sink), session_(session), standbys_(reactor, options, *this) {
        session_.services.setFirst([this](const rdm::Service& service, bool gone) {
            if (gone) onActiveServiceGone(service);
            else onActiveService(service);
        });
    }

    /// What the provider in use can do, from its login refresh.
    void useProvider();
    /// The active server is ready.
    void start();
    void stop();
    /// The active server is lost: this channel's server goes on if it is ready, or the first one that is. Applications
    /// hear of it only where the new server differs.
    [[nodiscard]] bool takeOver(const std::string& reason, std::size_t by = Standbys::kAny);
    /// takeOver() would find a server.
    [[nodiscard]] bool canTakeOver() const noexcept { return standbys_.anyReady(); }

    /// If no standby is ready: the connection of a server in the group that is still logging in, or null.
    [[nodiscard]] std::unique_ptr<Link> takeJoining(std::size_t& channel) { return standbys_.takeJoining(channel); }

    /// A request or close went to the active server.
    void onRequestSent(const eta::codec::Msg& m);
    /// An item stream is over; `source`: channel whose data counted.
    void onStreamEnded(std::int32_t wireId, std::uint8_t domain, std::uint32_t source);
    /// A message of the active server on an item whose service another one is active for: only its end matters.
    void noteEnd(const eta::codec::Msg& m);
    /// The login was reissued.
    void mirrorLogin(bool noRefresh) { standbys_.mirrorLogin(noRefresh); }
    /// This account has another token.
    void renewLogin(const session::ChannelAccount& account) { standbys_.renewLogin(account); }
    [[nodiscard]] Sender* senderOf(std::uint32_t channel) { return standbys_.senderOf(channel); }
    /// The channel of the server that this group starts with as the active one.
    [[nodiscard]] std::size_t startingActive(std::uint32_t group) const noexcept;

private:
    void makeLogin(std::size_t channel, eta::codec::Msg& m) override;
    [[nodiscard]] std::string_view serviceNamed(std::uint16_t activeId) const noexcept override;
    [[nodiscard]] std::optional<std::uint16_t> numberOf(std::string_view service) const noexcept override;
    [[nodiscard]] const eta::dictionary::Dictionary* conversionDictionary() const noexcept override {
        return session_.dictionaries.inUse();
    }
    void replay(const std::function<void(const eta::codec::Msg&)>& send) override {
        session_.watchlist.takeover().replay(send);
    }
    void standbyWarning(const std::string& text) override { sink_.onWarning(text); }
    void standbyJsonFailure(const JsonFailure& failure) override { sink_.onJsonFailure(failure); }
    void standbyReady(std::size_t channel, const rdm::Directory& services) override;
    void standbyLost(std::size_t channel) override;
    void standbyService(std::size_t channel, const rdm::Service* service, const ServiceWord& word) override;
    void standbyItem(std::size_t channel, eta::codec::Msg& m) override;

    /// The active server lists a service: a new one, or one that has changed. Before its items hear of it: where
    /// another server of a service-based group has a service up that this one has down, that one's data count from now
    /// on.
    void onActiveService(const rdm::Service& service);
    /// And one that it lists no more.
    void onActiveServiceGone(const rdm::Service& service);
    bool choose(const std::string& service);
    void chooseAll();
    void announceServices();
    void markEnded(std::size_t wireId, bool ended);
    [[nodiscard]] const ConsumerChannel& active() const noexcept { return options_.channels[session_.server.index()]; }

    const ConsumerOptions& options_;
    ConsumerSink& sink_;
    SessionParts session_;
    Standbys standbys_;
    std::set<std::size_t> started_;    // service-based standbys that have had their turn as the starting server
    std::vector<bool> endedOnActive_;  // by wire id: streams of services that another server is active for
    std::vector<bool> inherited_;      // by wire id: open at the server that is taking over
};

}  // namespace emissary::reactor::consumer
