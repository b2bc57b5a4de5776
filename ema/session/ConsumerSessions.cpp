// The session channels of a consumer: what they are made from, what is known about them, and the preferred host.
#include "Access/Include/IOCtlReactorChannelCode.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/PreferredHostInfo.h"
#include "Access/Include/PreferredHostOptions.h"
#include "session/ConsumerImpl.h"
#include "session/describe_channel.h"
#include "errors/raise.h"
#include "settings/ConfigAccess.h"
#include "config/ema_text.h"
#include "config/preferred_host.h"

namespace emissary::ema {

using access::Int32;
using access::OmmInvalidUsageException;
using reactor::consumer::ConsumerOptions;
using reactor::consumer::ConsumerRole;
using reactor::consumer::Refusal;
using reactor::routing::RouterOptions;
using SessionGuard = std::lock_guard<reactor::SessionLock>;

namespace {

access::EmaString emaString(std::string_view s) {
    return {s.data(), static_cast<access::UInt32>(s.size())};
}

std::vector<reactor::consumer::ConsumerChannel> channelsOf(const std::vector<ChannelSettings>& settings) {
    std::vector<reactor::consumer::ConsumerChannel> channels;
    for (const ChannelSettings& c : settings)
        channels.push_back({c.name, c.connect, c.standbyGroup, c.activeServices, c.serviceBased});
    return channels;
}

void setConnections(ConsumerOptions& o, const std::vector<ChannelSettings>& channels,
                    const PreferredHostSettings& preferred, std::int64_t limit, std::int64_t minMs,
                    std::int64_t maxMs) {
    std::string why;  // the configuration was checked when it was resolved
    o.channels = channelsOf(channels);
    o.preferredHost = preferredHostOf(preferred, channels, why);
    o.reconnectAttemptLimit = limit;
    o.reconnectMinDelay = std::chrono::milliseconds(minMs);
    o.reconnectMaxDelay = std::chrono::milliseconds(maxMs);
}

}  // namespace

/// One role for a single session, which nothing stands in front of; a router for session channels, and for service
/// lists, which need its choice of services.
void ConsumerImpl::makeSessions(const access::OmmConsumerConfig& config) {
    const ConsumerSettings& s = settings_;
    serviceLists_ = ConfigAccess::of(config).serviceLists;
    ConsumerOptions common = options(config);
    setConnections(common, s.channels, s.preferredHost, s.reconnectAttemptLimit, s.reconnectMinDelayMs,
                   s.reconnectMaxDelayMs);
    preferredHostSaid_ = s.preferredHost.enabled;
    if (s.sessions.empty() && serviceLists_.empty()) {
        role_ = std::make_unique<ConsumerRole>(*reactor_, std::move(common), *this);
        return;
    }
    RouterOptions routing;
    routing.recoverElsewhere = s.enhancedItemRecovery;
    for (const SessionSettings& session : s.sessions) {
        ConsumerOptions own = common;
        setConnections(own, session.channels, session.preferredHost, session.reconnectAttemptLimit,
                       session.reconnectMinDelayMs, session.reconnectMaxDelayMs);
        routing.sessions.push_back({session.name, std::move(own)});
        preferredHostSaid_ = preferredHostSaid_ || session.preferredHost.enabled;
    }
    if (s.sessions.empty()) routing.sessions.push_back({{}, std::move(common)});
    router_ = std::make_unique<reactor::routing::Router>(*reactor_, std::move(routing), *this);
}

/// Everything about one session's connection.
void ConsumerImpl::describe(ConsumerRole& role, std::size_t session, access::ChannelInformation& out) const {
    using eta::transport::ChannelState;
    reactor::Link* link = role.link();
    if (link == nullptr) fillChannelInformation(out, {}, ChannelState::closed, role.channel().name);
    else fillChannelInformation(out, link->info(), ChannelState::active, role.channel().name);
    if (!settings_.sessions.empty()) out.sessionName(emaString(settings_.sessions[session].name));
    if (!preferredHostSaid_) return;
    const PreferredHostSettings& p =
        settings_.sessions.empty() ? settings_.preferredHost : settings_.sessions[session].preferredHost;
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

void ConsumerImpl::channelInformation(access::ChannelInformation& out) {
    requireUsable();
    const SessionGuard guard(reactor_->lock());
    describe(sessionInUse(), router_ ? router_->currentSession() : 0, out);
}

void ConsumerImpl::sessionInformation(access::EmaVector<access::ChannelInformation>& out) {
    out.clear();
    requireUsable();
    const SessionGuard guard(reactor_->lock());
    for (std::size_t i = 0; i < settings_.sessions.size(); ++i) {
        access::ChannelInformation one;
        describe(router_->session(i), i, one);
        out.push_back(one);
    }
}

void ConsumerImpl::fallbackPreferredHost() {
    requireUsable();
    const SessionGuard guard(reactor_->lock());
    Refusal refusal;
    if (role_) {
        role_->fallBack(refusal);
    } else {
        bool any = false;
        for (std::size_t i = 0; i < router_->sessions(); ++i) {
            Refusal each;
            router_->session(i).fallBack(each);
            if (each) refusal = each;
            else any = true;
        }
        if (any) return;
    }
    if (refusal) fail(refusal, "fallbackPreferredHost()", 0);
}

void ConsumerImpl::modifyReactorChannelIOCtl(Int32 code, void* value) {
    using Code = access::IOCtlReactorChannelCode;
    using E = OmmInvalidUsageException;
    requireUsable();
    const std::string call = "modifyReactorChannelIOCtl(" + std::to_string(code) + ")";
    if (code != Code::ReactorChannelDirectWrite && code != Code::ReactorChannelPreferredHost)
        throwInvalidUsage(call + ": the code is not one that can be changed; use ReactorChannelDirectWrite or "
                                 "ReactorChannelPreferredHost of IOCtlReactorChannelCode.",
                          E::InvalidArgumentEnum);
    if (value == nullptr) throwInvalidUsage(call + ": the value is a null pointer.", E::InvalidArgumentEnum);
    if (code == Code::ReactorChannelDirectWrite) return modifyIOCtl(code, *static_cast<const Int32*>(value) != 0);

    const auto& given = *static_cast<const access::PreferredHostOptions*>(value);
    const SessionGuard guard(reactor_->lock());
    const std::string name = toText(given.getSessionChannelName());
    std::size_t session = 0;
    std::string names;
    while (session < settings_.sessions.size() && settings_.sessions[session].name != name) {
        names += (session == 0 ? "" : ", ") + settings_.sessions[session].name;
        ++session;
    }
    if (!name.empty() ? session >= settings_.sessions.size() : settings_.sessions.size() > 1)
        throwInvalidUsage(call + ": sessionChannelName '" + name +
                              "' is none of the session channels: " + (names.empty() ? "there are none" : names) + ".",
                          E::InvalidArgumentEnum);
    if (name.empty()) session = 0;
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
    if (!why.empty()) throwInvalidUsage(call + ": " + why + ".", E::InvalidArgumentEnum);
    (router_ ? router_->session(session) : *role_).setPreferredHost(std::move(options));
    preferredHost(session) = std::move(next);
    preferredHostSaid_ = true;
}

}  // namespace emissary::ema
