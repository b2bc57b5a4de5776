// A port that non-interactive providers publish on (hub.md 4.4).
#pragma once

#include "hub/client/client_counts.h"
#include "hub/config/HubSettings.h"
#include "hub/core/AuditSink.h"
#include "hub/publisher/OfferWalk.h"
#include "hub/publisher/PublisherChecks.h"
#include "hub/publisher/PublisherOffers.h"
#include "hub/publisher/PublisherSupply.h"
#include "reactor/LimitedLines.h"

#include <memory>
#include <set>

namespace emissary::hub::publisher {

/// Numbers and names that tell publishers of all ports apart.
class PublisherNames {
public:
    /// From `first` on, so that they are none of other sources'.
    explicit PublisherNames(std::uint16_t first = 0x8000) noexcept
        : first_(first), last_(static_cast<std::uint16_t>(first - 1)) {}
    /// 0: all are taken.
    [[nodiscard]] std::uint16_t number();
    /// The login name, with a number behind it while another publisher has that name.
    [[nodiscard]] std::string name(const std::string& user);
    void give(std::uint16_t number);
    void give(const std::string& name);
    /// Publishers that are logged in with that user, on all ports.
    [[nodiscard]] std::size_t logins(const std::string& user) const noexcept {
        const auto at = logins_.find(user);
        return at == logins_.end() ? 0 : at->second;
    }
    void addLogin(const std::string& user) { ++logins_[user]; }
    void dropLogin(const std::string& user) noexcept {
        const auto at = logins_.find(user);
        if (at != logins_.end() && --at->second == 0) logins_.erase(at);
    }

private:
    const std::uint16_t first_;
    std::uint16_t last_;
    std::set<std::uint16_t> numbers_;
    std::set<std::string> names_;
    std::map<std::string, std::size_t> logins_;  // by user
};

/// Logins, directories and items of the publishers on one port. On the reactor's thread; everything needs the session
/// lock.
class PublisherPort final : private reactor::acceptor::AcceptorHandler {
public:
    struct Rooms {
        PublisherNames& names;
        PublisherOffers& offers;
        PublisherSupply& supply;
        ServiceTable& services;
        AckSink* acks = nullptr;  ///< called when a publisher goes
        client::LoginCheck& logins;
    };
    /// What holds for logins on the port.
    struct LoginRules {
        std::chrono::milliseconds checkTimeout{};  ///< LoginCheckTimeout
        CertUser certUser = CertUser::none;
        std::vector<std::string> groups;  ///< PublisherGroups; empty: users of any group, and of none, may publish
        bool pages = false;               ///< WebPosting: pages of browsers may publish
    };
    PublisherPort(reactor::Reactor& reactor, reactor::acceptor::AcceptorOptions options, const Rooms& rooms,
                  LoginRules rules, LogLine log = {}, AuditSink* audit = nullptr);
    ~PublisherPort() override;
    PublisherPort(const PublisherPort&) = delete;
    PublisherPort& operator=(const PublisherPort&) = delete;

    /// Starts listening. Refused: the text names the port and the reason.
    [[nodiscard]] eta::Refused listen() { return role_.listen(); }
    [[nodiscard]] std::uint16_t port() const noexcept { return role_.port(); }
    /// A publisher on a port for any role, and what it sent so far, its login first; such a port does not listen
    /// itself.
    void take(std::unique_ptr<reactor::Link> link, std::span<const eta::Bytes> messages) {
        role_.take(std::move(link), messages);
    }
    /// Publishers that are there stay; new logins get ClosedRecover.
    void drain() noexcept { draining_ = true; }
    void serve(std::vector<reactor::ServedDictionary> dictionaries) { role_.serve(std::move(dictionaries)); }

    /// Who may publish, or which service, is another thing than before, and so may be what the login check knows of
    /// users: connections of those who may not any more end, and services are taken back, or taken after all.
    void recheck();
    /// Other PublisherGroups of the port; recheck() applies them to publishers that are logged in.
    void setGroups(std::vector<std::string> groups) noexcept { rules_.groups = std::move(groups); }

    /// Of those that are logged in, for pages.
    void eachPublisher(const std::function<void(Source&)>& f);
    [[nodiscard]] const reactor::acceptor::AcceptorCounters& counters() const noexcept { return role_.counters(); }

private:
    struct Publisher;
    /// A login, as far as records and the decision need it.
    struct Said {
        std::string user;  ///< empty: the request names none
        std::string position;
        bool byToken = false;  ///< its name, if there is one, is a secret
    };
    using LoginResult = client::LoginResult;

    [[nodiscard]] Publisher* find(std::uint64_t number) noexcept;
    reactor::acceptor::LoginAnswer onLogin(std::uint64_t publisher, const Msg& request,
                                           const reactor::rdm::LoginAttributes& attributes,
                                           reactor::rdm::OwnedState& refusal) override;
    /// Whether the login is taken; else `refusal` says why not.
    [[nodiscard]] bool decide(std::uint64_t publisher, const Said& said, const client::LoginVerdict& verdict,
                              reactor::rdm::OwnedState& refusal);
    void decided(std::uint64_t publisher, const client::LoginVerdict& verdict);
    void expired(std::uint64_t publisher);
    void end(std::uint64_t publisher, const char* code, const char* text);
    [[nodiscard]] std::vector<OfferWalk::Offered> allOffers() const;
    void lookAgain(const OfferWalk::Offered& offered);
    void offerRefused(Publisher& publisher, const std::string& service);
    [[nodiscard]] bool refuse(std::uint64_t publisher, const Said& said, LoginResult result, const std::string& text,
                              const std::string& reason, reactor::rdm::OwnedState& refusal);
    [[nodiscard]] bool refuse(std::uint64_t publisher, const Said& said, const char* code, const char* parameter,
                              reactor::rdm::OwnedState why, const std::string& reason,
                              reactor::rdm::OwnedState& refusal);
    [[nodiscard]] bool make(std::uint64_t publisher, const Said& said, const std::string& user,
                            reactor::rdm::OwnedState& refusal);
    [[nodiscard]] const eta::transport::ChannelInfo& connectionOf(std::uint64_t publisher) const noexcept;
    reactor::rdm::DirectoryListener* directoryListener(std::uint64_t publisher) override;
    void onDirectory(std::uint64_t publisher, const reactor::rdm::Directory& directory, const Msg& msg) override;
    void onItem(std::uint64_t publisher, const reactor::acceptor::PublishedStream& stream, const Msg& msg) override;
    void onServiceGone(std::uint64_t publisher, const reactor::acceptor::PublishedStream& stream) override;
    void onPublisherDown(std::uint64_t publisher, const std::string& reason) override;
    void onIgnored(std::uint64_t publisher, const std::string& why) override;
    void tookNot(Publisher& publisher, PublisherSupply::Took took, const reactor::acceptor::PublishedStream& stream,
                 const Msg& msg);
    void log(Severity severity, const Publisher& publisher, const std::string& text);
    void write(Severity severity, std::string line);
    void audit(AuditEvent event, std::uint64_t publisher) const noexcept;

    reactor::Reactor& reactor_;
    Rooms rooms_;
    LoginRules rules_;
    const LogLine log_;
    AuditSink* const audit_;  // null: nothing is audited
    bool draining_ = false, ending_ = false;
    std::map<std::uint64_t, std::unique_ptr<Publisher>> publishers_;
    std::map<std::uint64_t, std::unique_ptr<Publisher>> leaving_;  // gone; items still point to them
    Publisher* last_ = nullptr;  // who sent last: most messages of a turn are of one publisher
    reactor::LimitedLines lines_{reactor_, [this](std::uint64_t left) {
                                     log_(Severity::warning,
                                          std::to_string(left) + " lines on publishers were left out");
                                 }};
    OfferWalk walk_;
    reactor::acceptor::AcceptorRole role_;
    std::map<std::uint64_t, Said> asked_;  // logins that are being checked, by publisher
    PublisherChecks checks_;
};

}  // namespace emissary::hub::publisher
