// ema/session/consumer: opens a single session or a router, follows its start, and describes its channels.
#include "session/consumer/ConsumerSessions.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/PreferredHostInfo.h"
#include "config/ema_text.h"
#include "config/preferred_host.h"
#include "errors/raise.h"
#include "session/channel/describe_channel.h"
#include "session/consumer/consumer_options.h"
#include "session/credentials/SessionManagement.h"
#include "settings/ConsumerConfigImpl.h"

#include <algorithm>

namespace emissary::ema {

using Code = access::OmmInvalidUsageException;
using reactor::consumer::ConsumerRole;
using reactor::consumer::Refusal;
using Phase = ConsumerRole::Phase;

namespace {

access::EmaString emaString(std::string_view s) {
    return {s.data(), static_cast<access::UInt32>(s.size())};
}

/// Stages from the login on; ConsumerImpl::progress() counts session management in, which comes before it.
std::size_t stageOf(Phase phase) noexcept {
    switch (phase) {
    case Phase::idle:
    case Phase::connecting:
    case Phase::loggingIn:
    case Phase::backingOff:
    case Phase::closed:
        return 0;
    case Phase::directory:
        return 1;
    case Phase::dictionaries:
        return 2;
    case Phase::ready:
        return ConsumerSessions::kReady;
    }
    return 0;
}

}  // namespace

// --- start and end ---------------------------------------------------------------------------------------------------

void ConsumerSessions::open(reactor::Reactor& loop, const ConsumerConfigImpl& given, SharedDictionary dictionary,
                            SessionManagement& accounts, reactor::consumer::ConsumerSink& sink) {
    const ConsumerSettings& s = settings_;
    serviceLists_ = given.serviceLists;
    preferredHostSaid_ = s.preferredHost.enabled || std::any_of(s.sessions.begin(), s.sessions.end(),
                                                                [](const auto& x) { return x.preferredHost.enabled; });
    reactor::consumer::ConsumerOptions common = consumerOptions(s, given, std::move(dictionary));
    const auto attach = [&](auto& channels, const std::vector<ChannelSettings>& configured,
                            const std::string& session) {
        // Both lists have the same channels in the same order.
        for (std::size_t i = 0; i < channels.size(); ++i)
            channels[i].account = accounts.accountOf(configured[i], session, common.login);
    };
    // With session channels the consumer's own ones are not used, and none of them may be refused for want of
    // credentials.
    if (s.sessions.empty()) attach(common.channels, s.channels, {});
    if (s.sessions.empty() && serviceLists_.empty()) {
        role_ = std::make_unique<ConsumerRole>(loop, std::move(common), sink);
        return;
    }
    reactor::routing::RouterOptions routing = routerOptions(s, common);
    for (std::size_t i = 0; i < s.sessions.size(); ++i)
        attach(routing.sessions[i].options.channels, s.sessions[i].channels, s.sessions[i].name);
    router_ = std::make_unique<reactor::routing::Router>(loop, std::move(routing), sink);
}

void ConsumerSessions::renewLogin(const reactor::session::ChannelAccount& account) {
    if (role_) role_->renewLogin(account);
    for (std::size_t i = 0; router_ && i < router_->sessions(); ++i)
        router_->session(i).renewLogin(account);
}

void ConsumerSessions::start() {
    with([](auto& s) { s.start(); });
}

void ConsumerSessions::close() {
    if (role_) role_->shutdown();
    if (router_) router_->shutdown();
    role_.reset();
    router_.reset();
}

StartProgress ConsumerSessions::progress() {
    const auto& connect = inUse().channel().connect;
    return with([&](auto& s) -> StartProgress {
        StartProgress now{.stage = stageOf(s.phase()),
                          .closed = s.phase() == Phase::closed,
                          .refused = s.loginRefused(),
                          .place = connect.host + ":" + connect.port,
                          .reason = s.lastReason()};
        constexpr std::size_t kDirectory = 1, kDictionaries = 2;
        // A start is over with the first service; without one there is nothing to ask for.
        if (now.stage > kDirectory && s.directory().empty()) {
            now.stage = kDirectory;
            now.missing = "the source directory has no service";
        } else if (now.stage == kDictionaries) {
            now.missing = s.missingDictionaries();
            if (const std::string failure = s.dictionaryFailure(); !failure.empty()) {
                now.failure = "dictionary request failed for " + now.place + ": " + failure;
                now.failureCode = Code::DictionaryRequestTimeOutEnum;
            }
        }
        return now;
    });
}

// --- requests --------------------------------------------------------------------------------------------------------

access::UInt64 ConsumerSessions::registerClient(const reactor::consumer::RequestView& request,
                                                std::string_view serviceList,
                                                const reactor::consumer::Subscriber& subscriber, Refusal& refusal) {
    if (!router_) {
        // Service lists need a router, so there are none here, and this throws for any name.
        if (!serviceList.empty()) (void)servicesOf(serviceList);
        return role_->registerClient(request, subscriber, refusal);
    }
    const auto services = serviceList.empty() ? std::span<const std::string>{} : servicesOf(serviceList);
    return router_->registerClient(request, services, subscriber, refusal);
}

access::UInt64 ConsumerSessions::registerTunnel(const reactor::tunnel::TunnelRequest& request,
                                                const reactor::consumer::Subscriber& subscriber, Refusal& refusal) {
    return with([&](auto& s) { return s.registerTunnel(request, subscriber, refusal); });
}

access::UInt64 ConsumerSessions::registerInside(access::UInt64 tunnel, const reactor::consumer::RequestView& request,
                                                const reactor::consumer::Subscriber& subscriber, Refusal& refusal) {
    return with([&](auto& s) { return s.registerInside(tunnel, request, subscriber, refusal); });
}

/// The services of a list that a request names.
std::span<const std::string> ConsumerSessions::servicesOf(std::string_view list) const {
    std::string known;
    for (const auto& [name, services] : serviceLists_) {
        if (name == list) return services;
        known += (known.empty() ? "" : ", ") + name;
    }
    throwInvalidUsage("registerClient() failed: there is no service list '" + std::string(list) +
                          "'; OmmConsumerConfig::addServiceList() added " + (known.empty() ? "none" : known) + ".",
                      Code::InvalidArgumentEnum);
}

// --- information -----------------------------------------------------------------------------------------------------

/// Everything about one session's connection.
void ConsumerSessions::describe(ConsumerRole& role, std::size_t session, access::ChannelInformation& out) const {
    using eta::transport::ChannelState;
    reactor::Link* link = role.link();
    if (link == nullptr) fillChannelInformation(out, {}, ChannelState::closed, role.channel().name);
    else fillChannelInformation(out, link->info(), ChannelState::active, role.channel().name);
    if (!settings_.sessions.empty()) out.sessionName(emaString(settings_.sessions[session].name));
    if (!preferredHostSaid_) return;
    const PreferredHostSettings& p = preferredHost(session);
    access::PreferredHostInfo info;
    info.enablePreferredHostOptions(p.enabled)
        .phDetectionTimeSchedule(emaString(p.schedule))
        .phDetectionTimeInterval(p.intervalSeconds)
        .preferredChannelName(emaString(p.channelName))
        .preferredWSBChannelName(emaString(p.groupName))
        .phFallBackWithInWSBGroup(p.withinGroup)
        .remainingDetectionTime(static_cast<access::UInt32>(role.untilPreferredCheck().count()))
        .isChannelPreferred(link != nullptr && role.onPreferredHost());
    out.preferredHostInfo(info);
}

void ConsumerSessions::describeInUse(access::ChannelInformation& out) {
    describe(inUse(), router_ ? router_->currentSession() : 0, out);
}

void ConsumerSessions::describeAll(access::EmaVector<access::ChannelInformation>& out) {
    for (std::size_t i = 0; i < settings_.sessions.size(); ++i) {
        access::ChannelInformation one;
        describe(router_->session(i), i, one);
        out.push_back(one);
    }
}

// --- preferred host --------------------------------------------------------------------------------------------------

Refusal ConsumerSessions::fallBack() {
    if (role_) return role_->fallBack();
    // Of several sessions one that can fall back is enough; a refusal is for none.
    bool any = false;
    Refusal last;
    for (std::size_t i = 0; i < router_->sessions(); ++i) {
        if (Refusal each = router_->session(i).fallBack()) last = std::move(each);
        else any = true;
    }
    return any ? Refusal{} : last;
}

std::size_t ConsumerSessions::indexOf(const std::string& session, const std::string& call) const {
    const auto& all = settings_.sessions;
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& s) { return s.name == session; });
    // Without a name the only session is meant; with several it is not clear which.
    if (session.empty() ? all.size() <= 1 : at != all.end())
        return session.empty() ? 0 : static_cast<std::size_t>(at - all.begin());
    std::string names;
    for (const SessionSettings& s : all)
        names += (names.empty() ? "" : ", ") + s.name;
    throwInvalidUsage(call + ": sessionChannelName '" + session +
                          "' is none of the session channels: " + (names.empty() ? "there are none" : names) + ".",
                      Code::InvalidArgumentEnum);
}

void ConsumerSessions::setPreferredHost(const access::PreferredHostOptions& given, const std::string& call) {
    const std::size_t session = indexOf(toText(given.getSessionChannelName()), call);
    PreferredHostSettings next;
    next.enabled = given.getEnablePreferredHostOptions();
    next.schedule = toText(given.getPHDetectionTimeSchedule());
    next.intervalSeconds = given.getPHDetectionTimeInterval();
    next.channelName = toText(given.getPreferredChannelName());
    next.groupName = toText(given.getPreferredWSBChannelName());
    next.withinGroup = given.getPHFallBackWithInWSBGroup();
    std::string why;
    auto options = preferredHostOf(
        next, settings_.sessions.empty() ? settings_.channels : settings_.sessions[session].channels, why);
    // Checked before anything is changed: a refusal leaves the options in effect.
    if (!why.empty()) throwInvalidUsage(call + ": " + why + ".", Code::InvalidArgumentEnum);
    (router_ ? router_->session(session) : *role_).setPreferredHost(std::move(options));
    preferredHost(session) = std::move(next);
    preferredHostSaid_ = true;
}

}  // namespace emissary::ema
