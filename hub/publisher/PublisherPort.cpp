// Accepts publishers, checks their names, and passes their messages to the room.
#include "hub/publisher/PublisherPort.h"

#include "eta/core/printable.h"
#include "reactor/rdm/login_user.h"

namespace emissary::hub::publisher {

using namespace eta::codec;
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

constexpr std::uint8_t kUsageError = 5;

/// What a publisher is called in records, counts and pages.
[[nodiscard]] std::string nameOf(const MsgKey& login) {
    return rdm::isSecretName(login) ? "by token" : std::string(eta::asText(login.name));
}

}  // namespace

/// A login, and the listener of its directory.
struct PublisherPort::Publisher final : rdm::DirectoryListener {
    Publisher(PublisherPort& p, std::uint64_t handle, const std::string& user, std::uint16_t number)
        : port(p), source(p.role_, p.rooms_.services, handle, user, p.rooms_.names.name(user), number) {}
    ~Publisher() override { port.rooms_.names.give(source.number()); }

    void onServiceAdded(const rdm::Service& service) override {
        port.rooms_.offers.onOffer(source, service, service.filters);
    }
    void onServiceChanged(const rdm::Service& service, std::uint32_t changed) override {
        port.rooms_.offers.onOffer(source, service, changed);
    }
    void onServiceDeleted(const rdm::Service& service) override { port.rooms_.offers.onOfferGone(source, service); }
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

    PublisherPort& port;
    PublisherSource source;
    rdm::Directory left;  // of one that is gone: what it still seems to offer
};

PublisherPort::PublisherPort(reactor::Reactor& reactor, reactor::acceptor::AcceptorOptions options, const Rooms& rooms,
                             LogLine log, AuditSink* audit)
    : reactor_(reactor), rooms_(rooms), log_(std::move(log)), audit_(audit), role_(reactor, std::move(options), *this) {
}

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
    for (const auto& [number, publisher] : publishers_)
        rooms_.names.give(publisher->source.name());
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

void PublisherPort::audit(AuditEvent::Kind kind, std::string_view user, std::string_view code, std::string_view text,
                          std::string_view position) const noexcept {
    if (audit_ == nullptr) return;
    AuditEvent event;
    event.kind = kind;
    event.user = user;
    event.position = position;
    event.code = code;
    event.text = text;
    audit_->audit(event);
}

bool PublisherPort::onLogin(std::uint64_t publisher, const Msg& request, const rdm::LoginAttributes& attributes,
                            rdm::OwnedState& refusal) {
    if (find(publisher) != nullptr) return true;  // again: what it publishes stays
    const std::string position = attributes.position.value_or(std::string());
    const auto refuse = [&](const char* code, rdm::OwnedState why) {
        ++rooms_.supply.counts().refusals;
        refusal = std::move(why);
        write(Severity::warning, "publisher '" + eta::printable(nameOf(request.key)) + "' on port " +
                                     std::to_string(role_.port()) + " refused: " + refusal.text);
        audit(AuditEvent::Kind::publisherRefused, nameOf(request.key), code, refusal.text, position);
        return false;
    };
    if (draining_)
        return refuse("draining", {StreamState::closedRecover, DataState::suspect, 12, "This hub is about to end."});
    // Whoever may not post may not publish either: that is more.
    const eta::transport::ChannelInfo* const info = role_.channelInfo(publisher);
    if (!pages_ && info != nullptr && info->ofBrowser())
        return refuse("web_posting", {StreamState::closed, DataState::suspect, kUsageError,
                                      "Pages of browsers do not publish here (WebPosting)."});
    const std::uint16_t number = rooms_.names.number();
    if (number == 0)
        return refuse("too_many",
                      {StreamState::closedRecover, DataState::suspect, 12, "There are as many publishers as can be."});
    const auto made =
        publishers_.emplace(publisher, std::make_unique<Publisher>(*this, publisher, nameOf(request.key), number));
    made.first->second->source.setUp(false, reactor_.now());
    log(Severity::success, *made.first->second, "logged in");
    audit(AuditEvent::Kind::publisherLogin, nameOf(request.key), {}, {}, position);
    ++rooms_.supply.counts().logins;
    rooms_.supply.counts().publishers += 1;
    return true;
}

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
        ++counts.unserved;
        return;
    case Took::overLimit:
        ++counts.overLimit;
        return log(Severity::warning, p,
                   "item '" + stream.name + "' is one more than its service may have (MaxItems): ignored");
    }
}

void PublisherPort::onServiceGone(std::uint64_t, const PublishedStream&) {
    // The items heard of it with the offer (PublisherSupply::onOfferLost).
}

void PublisherPort::onPublisherDown(std::uint64_t publisher, const std::string& reason) {
    const auto at = publishers_.find(publisher);
    if (at == publishers_.end()) return;
    Publisher& p = *at->second;
    log(Severity::warning, p, "gone: " + reason);
    audit(AuditEvent::Kind::publisherLogout, p.source.user(), "lost", reason);
    p.source.setUp(false, reactor_.now());
    if (rooms_.acks != nullptr) rooms_.acks->onSourceLost(p.source);
    ++rooms_.supply.counts().losses;
    rooms_.supply.counts().publishers -= 1;
    last_ = nullptr;
    rooms_.names.give(p.source.name());
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
