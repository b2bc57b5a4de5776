// Accepts publishers, checks their names, and passes their messages to the room.
#include "hub/publisher/PublisherPort.h"

#include "eta/core/printable.h"
#include "hub/client/cert_user.h"
#include "hub/client/login_messages.h"
#include "reactor/rdm/login_user.h"

#include <algorithm>

namespace emissary::hub::publisher {

using namespace eta::codec;
using reactor::acceptor::LoginAnswer;
using reactor::acceptor::PublishedStream;
namespace rdm = reactor::rdm;

// --- names -----------------------------------------------------------------------------------------------------------

std::uint16_t PublisherNames::number() {
    for (std::uint32_t tries = 0; tries <= 0xFFFFu - first_; ++tries) {
        last_ = last_ == 0xFFFF || last_ < first_ ? first_ : static_cast<std::uint16_t>(last_ + 1);
        if (numbers_.insert(last_).second) return last_;
    }
    return 0;
}

std::string PublisherNames::name(const std::string& user) {
    std::string name = user;
    for (std::uint32_t n = 2; !names_.insert(name).second; ++n)
        name = user + "#" + std::to_string(n);
    return name;
}

void PublisherNames::give(std::uint16_t number) {
    numbers_.erase(number);
}

void PublisherNames::give(const std::string& name) {
    names_.erase(name);
}

// --- publishers ------------------------------------------------------------------------------------------------------

namespace {

constexpr std::uint8_t kUsageError = 5, kNotEntitled = 3;
/// Of one connection; its other services are in the count.
constexpr std::size_t kMostAuditedOffers = 100;
constexpr const char* kMayNotPublish = "The user may not publish here.";

/// Whether a further login says anything that could need an answer of the check; as with those of consumers.
[[nodiscard]] bool isToken(const MsgKey& key) noexcept {
    return key.has(KeyFlag::nameType) &&
           (key.nameType == rdm::LoginNameType::userToken || key.nameType == rdm::LoginNameType::authnToken);
}

/// What a publisher is called in records, counts and pages.
[[nodiscard]] std::string nameOf(const std::string& user, bool byToken) {
    return byToken && user.empty() ? "by token" : user;
}

}  // namespace

/// A login, and the listener of its directory.
struct PublisherPort::Publisher final : rdm::DirectoryListener {
    Publisher(PublisherPort& p, std::uint64_t handle, const std::string& name, std::uint16_t number)
        : port(p), source(p.role_, p.rooms_.services, handle, name, p.rooms_.names.name(name), number) {
        source.whenBarred([this](const std::string& service) { port.offerRefused(*this, service); });
    }
    ~Publisher() override { port.rooms_.names.give(source.number()); }

    void onServiceAdded(const rdm::Service& service) override { offer(service, service.filters); }
    void onServiceChanged(const rdm::Service& service, std::uint32_t changed) override { offer(service, changed); }
    void onServiceDeleted(const rdm::Service& service) override {
        source.unbar(service.id);
        port.rooms_.offers.onOfferGone(source, service);
    }
    void onServiceStatus(const rdm::Service& service, const State& state) override {
        if (Service* const s = port.rooms_.offers.serviceOf(source, service.id))
            port.rooms_.supply.onServiceStatus(source, *s, state);
    }
    void onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) override {
        if (Service* const s = port.rooms_.offers.serviceOf(source, service.id))
            port.rooms_.supply.onGroupMerged(source, *s, group, into);
    }
    void onGroupStatus(const rdm::Service& service, Bytes group, const State& state) override {
        if (Service* const s = port.rooms_.offers.serviceOf(source, service.id))
            port.rooms_.supply.onGroupStatus(source, *s, group, state);
    }

    /// One that it may not offer costs that service alone.
    void offer(const rdm::Service& service, std::uint32_t changed) {
        PublisherOffers& offers = port.rooms_.offers;
        if (service.name().empty() || offers.mayOffer(source, service.name()))
            return offers.onOffer(source, service, source.unbar(service.id) ? service.filters : changed);
        if (!source.bar(service.id, service.name())) return;
        offers.onOfferGone(source, service);  // it may have been taken before, under this name or another
    }

    PublisherPort& port;
    PublisherSource source;
    std::size_t refusedOffers = 0;
    std::string user;  // as the check said; empty: it has a token, and nobody has said whose
    bool byToken = false;
    std::string address, certificate;  // of its connection: when it is gone, nobody can be asked for them
    std::string endCode = "lost";      // for the audit log, why it ends
    rdm::Directory left;               // of one that is gone: what it still seems to offer
};

PublisherPort::PublisherPort(reactor::Reactor& reactor, reactor::acceptor::AcceptorOptions options, const Rooms& rooms,
                             LoginRules rules, LogLine log, AuditSink* audit)
    : reactor_(reactor), rooms_(rooms), rules_(std::move(rules)), log_(std::move(log)), audit_(audit),
      walk_(reactor, options.share,
            {[this] { return allOffers(); }, [this](const OfferWalk::Offered& offered) { lookAgain(offered); }}),
      role_(reactor, std::move(options), *this),
      checks_(reactor, rooms.logins, rules_.checkTimeout,
              {[this](std::uint64_t publisher, const client::LoginVerdict& verdict) { decided(publisher, verdict); },
               [this](std::uint64_t publisher) { expired(publisher); }}) {}

PublisherPort::~PublisherPort() {
    ending_ = true;
    for (const auto& [number, publisher] : publishers_)
        publisher->source.setUp(false, reactor_.now());
    for (const auto* some : {&leaving_, &publishers_})
        for (const auto& [number, publisher] : *some)
            rooms_.offers.onSourceGone(publisher->source);
    for (const auto* some : {&leaving_, &publishers_})
        for (const auto& [number, publisher] : *some)
            rooms_.supply.release(publisher->source);
    for (const auto& [number, publisher] : publishers_) {
        rooms_.names.give(publisher->source.name());
        rooms_.names.dropLogin(publisher->user);
    }
}

PublisherPort::Publisher* PublisherPort::find(std::uint64_t number) noexcept {
    if (last_ != nullptr && last_->source.handle() == number) return last_;
    const auto at = publishers_.find(number);
    return at == publishers_.end() ? nullptr : last_ = at->second.get();
}

void PublisherPort::eachPublisher(const std::function<void(Source&)>& f) {
    for (const auto& [number, publisher] : publishers_)
        f(publisher->source);
}

void PublisherPort::log(Severity severity, const Publisher& publisher, const std::string& text) {
    write(severity, "publisher '" + publisher.source.name() + "': " + text);
}

void PublisherPort::write(Severity severity, std::string line) {
    if (!log_ || !lines_.pass()) return;
    if (const std::uint64_t more = lines_.takeLeftOut()) line += " (and " + std::to_string(more) + " others)";
    log_(severity, line);
}

const eta::transport::ChannelInfo& PublisherPort::connectionOf(std::uint64_t publisher) const noexcept {
    static const eta::transport::ChannelInfo none;
    const eta::transport::ChannelInfo* const info = role_.channelInfo(publisher);
    return info != nullptr ? *info : none;
}

void PublisherPort::audit(AuditEvent event, std::uint64_t publisher) const noexcept {
    if (audit_ == nullptr) return;
    const auto known = publishers_.find(publisher);
    const eta::transport::ChannelInfo& connection = connectionOf(publisher);
    if (known != publishers_.end()) {
        event.address = known->second->address;
        event.certificate = known->second->certificate;
    } else {
        event.address = connection.peerAddress;
        if (const auto* const certificate = client::certificateOf(connection)) event.certificate = certificate->subject;
    }
    audit_->audit(event);
}

// --- logins ----------------------------------------------------------------------------------------------------------

bool PublisherPort::refuse(std::uint64_t publisher, const Said& said, const char* code, const char* parameter,
                           rdm::OwnedState why, const std::string& reason, rdm::OwnedState& refusal) {
    ++rooms_.supply.counts().refusals;
    refusal = std::move(why);
    if (Publisher* const known = find(publisher)) known->endCode = code;
    // The publisher gets the text, the log and the audit log the reason: what is wrong with a password is not for it.
    const std::string& what = reason.empty() ? refusal.text : reason;
    const std::string name = nameOf(said.user, said.byToken);
    write(Severity::warning, "publisher '" + eta::printable(name) + "' on port " + std::to_string(role_.port()) +
                                 " from " + connectionOf(publisher).peerAddress + " refused: " + what);
    audit({.kind = AuditEvent::Kind::publisherRefused,
           .user = name,
           .position = said.position,
           .code = code,
           .text = what,
           .parameter = parameter},
          publisher);
    return false;
}

bool PublisherPort::refuse(std::uint64_t publisher, const Said& said, LoginResult result, const std::string& text,
                           const std::string& reason, rdm::OwnedState& refusal) {
    const client::LoginRefusal state = client::refusalOf(result);
    return refuse(publisher, said, client::kLoginResultNames[static_cast<std::size_t>(result)],
                  client::parameterOf(result), {state.stream, state.data, state.code, text.empty() ? state.text : text},
                  reason, refusal);
}

LoginAnswer PublisherPort::onLogin(std::uint64_t publisher, const Msg& request, const rdm::LoginAttributes& attributes,
                                   rdm::OwnedState& refusal) {
    const Publisher* const known = find(publisher);
    const eta::transport::ChannelInfo& connection = connectionOf(publisher);
    client::LoginAsk ask = client::askOf(request.key, attributes);
    const bool byToken = rdm::isSecretName(request.key);
    if (known != nullptr) {
        // As with consumers: a login with an end is renewed by the password, as one by token is by the next token. All
        // else only pauses or resumes, and often comes without what a check would ask for. Whoever is not named is the
        // one that is known (rdm::sameUser).
        const bool renews =
            isToken(request.key) || (attributes.password && !known->byToken && checks_.hasEnd(publisher));
        if (!renews) return LoginAnswer::taken;
        if (!isToken(request.key) && ask.user.empty()) ask.user = known->user;
    }
    asked_.erase(publisher);
    if (known == nullptr) {
        const Said said{ask.user, ask.position, byToken};
        if (draining_) {
            (void)refuse(publisher, said, "draining", "",
                         {StreamState::closedRecover, DataState::suspect, 12, "This hub is about to end."}, {},
                         refusal);
            return LoginAnswer::refused;
        }
        // Whoever may not post may not publish either: that is more.
        if (!rules_.pages && connection.ofBrowser()) {
            (void)refuse(publisher, said, "web_posting", "WebPosting",
                         {StreamState::closed, DataState::suspect, kUsageError,
                          "Pages of browsers do not publish here (WebPosting)."},
                         {}, refusal);
            return LoginAnswer::refused;
        }
    }
    ask.address = connection.peerAddress;
    ask.again = known != nullptr;
    if (known != nullptr) ask.as = known->user;
    client::addCertificate(connection, ask);
    const auto wrong = client::takeCertUser(rules_.certUser, connection, ask.user);
    const Said said{ask.user, ask.position, byToken};
    if (wrong) {
        (void)refuse(publisher, said, LoginResult::certificate, {}, *wrong, refusal);
        return LoginAnswer::refused;
    }
    const std::optional<client::LoginVerdict> verdict = checks_.ask(publisher, ask);
    if (verdict) return decide(publisher, said, *verdict, refusal) ? LoginAnswer::taken : LoginAnswer::refused;
    asked_.insert_or_assign(publisher, said);
    return LoginAnswer::later;
}

void PublisherPort::decided(std::uint64_t publisher, const client::LoginVerdict& verdict) {
    const auto asked = asked_.extract(publisher);
    if (asked.empty()) return;
    rdm::OwnedState refusal;
    if (decide(publisher, asked.mapped(), verdict, refusal)) (void)role_.takeLogin(publisher);
    else (void)role_.refuseLogin(publisher, refusal);
}

bool PublisherPort::decide(std::uint64_t publisher, const Said& said, const client::LoginVerdict& verdict,
                           rdm::OwnedState& refusal) {
    Publisher* const known = find(publisher);
    if (verdict.kind != client::LoginVerdict::Kind::accepted)
        return refuse(publisher, said, client::resultOf(verdict.kind), verdict.text, verdict.reason, refusal);
    std::string user = !verdict.user.empty() ? verdict.user : said.user;
    // A token, or the program that was asked, may name another user than the request did.
    if (const auto wrong = client::takeCertUser(rules_.certUser, connectionOf(publisher), user))
        return refuse(publisher, said, LoginResult::certificate, {}, *wrong, refusal);
    // What is published is the first one's.
    if (known != nullptr && user != known->user)
        return refuse(publisher, said, LoginResult::anotherUser, {}, {}, refusal);
    if (!hasOneOf(verdict.groups, rules_.groups))
        return refuse(publisher, said, "not_entitled", "PublisherGroups",
                      {StreamState::closed, DataState::ok, kNotEntitled, kMayNotPublish},
                      "the user is in none of the groups that may publish (PublisherGroups)", refusal);
    // A login by token is counted only when the check says whose it is, as with consumers.
    const std::size_t most = verdict.maxLogins.value_or(0);
    if (known == nullptr && most != 0 && !user.empty() && rooms_.names.logins(user) >= most) {
        const client::LoginRefusal state = client::refusalOf(LoginResult::tooManyLogins);
        return refuse(publisher, said, client::kLoginResultNames[static_cast<std::size_t>(LoginResult::tooManyLogins)],
                      "LoginCommand", {state.stream, state.data, state.code, state.text},
                      "the user has " + std::to_string(rooms_.names.logins(user)) +
                          " logins of publishers, as many as the answer of LoginCommand allows",
                      refusal);
    }
    if (known == nullptr && !make(publisher, said, user, refusal)) return false;
    PublisherSource& source = find(publisher)->source;
    const bool others = source.groups() != verdict.groups;
    source.setGroups(verdict.groups);
    if (known != nullptr && others) walk_.begin();
    checks_.endAfter(publisher, verdict.lasts);
    return true;
}

bool PublisherPort::make(std::uint64_t publisher, const Said& said, const std::string& user, rdm::OwnedState& refusal) {
    // The check may have taken its time.
    const std::uint16_t number = draining_ ? std::uint16_t{0} : rooms_.names.number();
    if (number == 0)
        return refuse(publisher, said, draining_ ? "draining" : "too_many", "",
                      {StreamState::closedRecover, DataState::suspect, 12,
                       draining_ ? "This hub is about to end." : "There are as many publishers as can be."},
                      {}, refusal);
    const std::string name = nameOf(user, said.byToken);
    const auto made = publishers_.emplace(publisher, std::make_unique<Publisher>(*this, publisher, name, number));
    Publisher& p = *made.first->second;
    p.user = user;
    p.byToken = said.byToken;
    const eta::transport::ChannelInfo& connection = connectionOf(publisher);
    p.address = connection.peerAddress;
    if (const auto* const certificate = client::certificateOf(connection)) p.certificate = certificate->subject;
    p.source.setUp(false, reactor_.now());
    rooms_.names.addLogin(user);
    log(Severity::success, p, "logged in");
    audit({.kind = AuditEvent::Kind::publisherLogin, .user = name, .position = said.position}, publisher);
    ++rooms_.supply.counts().logins;
    rooms_.supply.counts().publishers += 1;
    return true;
}

void PublisherPort::expired(std::uint64_t publisher) {
    end(publisher, "expired", "The login has expired, and was not renewed.");
}

void PublisherPort::end(std::uint64_t publisher, const char* code, const char* text) {
    if (Publisher* const p = find(publisher)) p->endCode = code;
    (void)role_.refuseLogin(publisher, {StreamState::closed, DataState::ok, kNotEntitled, text});
}

// --- rights that change ----------------------------------------------------------------------------------------------

void PublisherPort::recheck() {
    std::vector<std::uint64_t> gone, moved;
    for (const auto& [number, p] : publishers_) {
        // As with consumers: the password and the address were right when the login came, and are not asked for again.
        if (const std::optional<client::KnownUser> user = rooms_.logins.known(p->user)) {
            if (!user->there) {
                gone.push_back(number);
                continue;
            }
            p->source.setGroups(user->groups);
        }
        if (!hasOneOf(p->source.groups(), rules_.groups)) moved.push_back(number);
    }
    for (const std::uint64_t number : gone)
        end(number, "not_entitled", "The login file has no such user any more.");
    for (const std::uint64_t number : moved)
        end(number, "not_entitled", kMayNotPublish);
    walk_.begin();
}

std::vector<OfferWalk::Offered> PublisherPort::allOffers() const {
    std::vector<OfferWalk::Offered> all;
    for (const auto& [number, p] : publishers_)
        if (const rdm::Directory* const directory = role_.directory(number))
            for (const auto& service : directory->services())
                all.push_back({number, service->id});
    return all;
}

void PublisherPort::lookAgain(const OfferWalk::Offered& offered) {
    Publisher* const p = find(offered.publisher);
    const rdm::Directory* const directory = p != nullptr ? role_.directory(offered.publisher) : nullptr;
    const rdm::Service* const service = directory != nullptr ? directory->find(offered.service) : nullptr;
    if (service == nullptr) return;
    const bool may = rooms_.offers.mayOffer(p->source, service->name());
    if (may == !p->source.barred(service->id)) return;
    if (may)
        log(Severity::success, *p,
            "may offer service '" + eta::printable(service->name()) + "' now; items come with their next refresh");
    p->offer(*service, service->filters);
}

void PublisherPort::offerRefused(Publisher& p, const std::string& service) {
    ++rooms_.supply.counts().offersRefused;
    const std::string text = "its user is in none of the groups that may offer the service (PublisherGroups)";
    log(Severity::warning, p, "service '" + eta::printable(service) + "' is left out: " + text);
    if (++p.refusedOffers > kMostAuditedOffers) return;
    audit({.kind = AuditEvent::Kind::offerRefused,
           .user = p.source.user(),
           .service = service,
           .code = "not_entitled",
           .text = text,
           .parameter = "PublisherGroups"},
          p.source.handle());
}

// --- what publishers send --------------------------------------------------------------------------------------------

rdm::DirectoryListener* PublisherPort::directoryListener(std::uint64_t publisher) {
    Publisher* const p = find(publisher);
    if (p != nullptr) p->source.setUp(true, reactor_.now());
    return p;
}

void PublisherPort::onDirectory(std::uint64_t publisher, const rdm::Directory&, const Msg&) {
    if (find(publisher) != nullptr) rooms_.supply.endOfDirectory();
}

void PublisherPort::onItem(std::uint64_t publisher, const PublishedStream& stream, const Msg& msg) {
    Publisher* const p = find(publisher);
    if (p == nullptr) return;
    ++rooms_.supply.counts().messages;
    Service* service = nullptr;
    if (msg.cls == MsgClass::Refresh) service = rooms_.offers.serviceOf(p->source, stream.serviceId);
    const auto took = rooms_.supply.received(p->source, service, stream, msg);
    if (took != PublisherSupply::Took::ok) [[unlikely]]
        tookNot(*p, took, stream, msg);
}

void PublisherPort::tookNot(Publisher& p, PublisherSupply::Took took, const PublishedStream& stream, const Msg& msg) {
    using Took = PublisherSupply::Took;
    PublisherCounts& counts = rooms_.supply.counts();
    switch (took) {
    case Took::ok:
        return;
    case Took::early:
        if (p.source.barred(stream.serviceId)) break;
        ++counts.early;
        if (p.source.firstEarly())
            log(Severity::warning, p,
                std::string(eta::codec::name(msg.cls)) + " of item '" + stream.name +
                    "' before a refresh: ignored, as all that follow like it");
        return;
    case Took::foreign:
        ++counts.foreign;
        return log(Severity::warning, p,
                   "a message on the stream of item '" + stream.name + "' names another item: ignored");
    case Took::unserved:
        break;
    case Took::overLimit:
        ++counts.overLimit;
        return log(Severity::warning, p,
                   "item '" + stream.name + "' is one more than its service may have (MaxItems): ignored");
    }
    ++counts.unserved;
}

void PublisherPort::onServiceGone(std::uint64_t, const PublishedStream&) {
    // The items heard of it with the offer (PublisherSupply::onOfferLost).
}

void PublisherPort::onPublisherDown(std::uint64_t publisher, const std::string& reason) {
    checks_.forget(publisher);
    asked_.erase(publisher);
    const auto at = publishers_.find(publisher);
    if (at == publishers_.end()) return;
    Publisher& p = *at->second;
    log(Severity::warning, p, "gone: " + reason);
    audit({.kind = AuditEvent::Kind::publisherLogout, .user = p.source.user(), .code = p.endCode, .text = reason},
          publisher);
    p.source.setUp(false, reactor_.now());
    if (rooms_.acks != nullptr) rooms_.acks->onSourceLost(p.source);
    ++rooms_.supply.counts().losses;
    rooms_.supply.counts().publishers -= 1;
    last_ = nullptr;
    rooms_.names.give(p.source.name());
    rooms_.names.dropLogin(p.user);
    // It stays until its services are taken back, and the last of its items has let go of it.
    p.left = role_.takeDirectory(publisher);
    p.left.beginClear();
    leaving_.insert(publishers_.extract(at));
    const auto takeBack = [this, &p] {
        if (p.left.step(&p, [] { return false; })) return true;
        rooms_.offers.onSourceGone(p.source);
        return false;
    };
    rooms_.supply.onSourceGone(p.source, takeBack, [this, publisher] {
        if (!ending_) leaving_.erase(publisher);
    });
}

void PublisherPort::onIgnored(std::uint64_t publisher, const std::string& why) {
    ++rooms_.supply.counts().ignored;
    if (const Publisher* const p = find(publisher)) log(Severity::warning, *p, why + ": ignored");
}

}  // namespace emissary::hub::publisher
