// Builds a hub from its settings, and implements the calls of its owner.
#include "hub/node/Hub.h"

#include "hub/node/Parts.h"
#include "reactor/JsonLayer.h"

#include <mutex>

#include <malloc.h>

namespace emissary::hub {

namespace {
constexpr int kEventsPerTurn = 1000;

[[nodiscard]] reactor::ReactorOptions reactorOptions(const HubOptions& o) {
    reactor::ReactorOptions made;
    made.name = "hub";
    made.instance = o.settings.name;
    made.clock = o.clock;
    made.jsonLayer = reactor::jsonLayer();
    if (!o.settings.threadBind.empty()) made.workerCpu = o.settings.threadBind.front();
    return made;
}

/// Memory that many small records leave is joined as it comes back. Otherwise the allocator keeps it in lists, and
/// joins all of it inside one call later on: 93 ms after the end of 20,000 services.
void joinFreedMemory() noexcept {
#ifdef __GLIBC__
    ::mallopt(M_MXFAST, 0);
#endif
}

}  // namespace

Hub::Hub(HubOptions options) : reactor_(std::make_unique<reactor::Reactor>(reactorOptions(options))) {
    joinFreedMemory();
    const std::lock_guard guard(reactor_->lock());
    parts_ = std::make_unique<Parts>(std::move(options), *reactor_);
}

Hub::~Hub() {
    parts_->access.stop();
    const std::lock_guard guard(reactor_->lock());
    if (parts_->relay) parts_->relay->stop();
    parts_->upstreams.shutdown();
    parts_.reset();
}

eta::Refused Hub::start() {
    Parts& p = *parts_;
    const HubSettings& s = p.options.settings;
    const std::lock_guard guard(p.reactor.lock());
    eta::Refused refused;
    if (auto own = readDictionary(s.dictionary, refused)) {
        p.log(Severity::success,
              "the dictionary was read from '" + s.dictionary.fieldFile + "' and '" + s.dictionary.enumFile + "'");
        p.useDictionary(std::move(own));
    } else if (s.dictionary.configured) return refused;
    else p.log(Severity::success, "no dictionary of its own: " + refused.text);

    Parts::Templates templates;
    if ((refused = p.readTemplates(s.services, templates))) return refused;
    p.useTemplates(std::move(templates));
    if (p.audit && (refused = p.audit->start())) return refused;
    if (p.meter && (refused = p.meter->start())) return refused;
    if ((refused = p.access.start())) return refused;
    if ((refused = p.clientPort.listen())) return refused;
    for (const auto& entry : p.publisherPorts)
        if (!entry.sharedWith && (refused = entry.port->listen())) return refused;
    if ((refused = p.delayed.start())) return refused;
    if (p.relay) p.relay->start();
    p.merge.start();
    if (p.backbone && (refused = p.backbone->start())) return refused;
    p.upstreams.start();
    return {};
}

int Hub::dispatch(std::chrono::microseconds timeout) {
    return reactor_->dispatch(timeout, kEventsPerTurn);
}

void Hub::wake() noexcept {
    reactor_->wake();
}

void Hub::recheck() {
    const std::lock_guard guard(parts_->reactor.lock());
    parts_->clientPort.recheck();
}

void Hub::readAccessAgain() {
    const std::lock_guard guard(parts_->reactor.lock());
    parts_->access.readAgain();
}

eta::Refused Hub::change(const HubSettings& next) {
    const std::lock_guard guard(parts_->reactor.lock());
    return parts_->change(next);
}

eta::Refused Hub::refusal(const HubSettings& next) {
    const std::lock_guard guard(parts_->reactor.lock());
    Parts::Prepared unused;
    return parts_->prepare(next, unused);
}

ServicesMoved Hub::moved(const HubSettings& next) {
    const std::lock_guard guard(parts_->reactor.lock());
    return parts_->moved(next);
}

std::size_t Hub::leaving() const noexcept {
    return parts_->upstreams.leaving() + parts_->delayed.leaving();
}

void Hub::noteAdmin(std::string_view code, std::string_view text) {
    noteAdmin(false, code, text, {}, {});
}

void Hub::noteAdmin(bool refused, std::string_view code, std::string_view text, std::string_view user,
                    std::string_view address) {
    const std::lock_guard guard(parts_->reactor.lock());
    if (parts_->audit)
        parts_->audit->audit({.kind = refused ? AuditEvent::Kind::adminRefused : AuditEvent::Kind::admin,
                              .user = user,
                              .address = address,
                              .code = code,
                              .text = text});
}

void Hub::drain() {
    Parts& p = *parts_;
    const std::lock_guard guard(p.reactor.lock());
    for (const auto& entry : p.publisherPorts)
        entry.port->drain();
    // First, as it tells clients the state of all services in one message; Merge goes from service to service.
    p.clientPort.drain(p.options.settings.drainTimeout, [&p] { p.drained = true; });
    p.merge.drain();
    if (p.backbone) p.backbone->leave();
    p.handedOverBy = p.reactor.now() + p.options.settings.drainTimeout;
}

void Hub::drain(std::uint32_t clientsPerSecond) {
    if (clientsPerSecond == 0) return drain();
    const std::lock_guard guard(parts_->reactor.lock());
    for (const auto& entry : parts_->publisherPorts)
        entry.port->drain();
    if (parts_->backbone) parts_->backbone->leave();
    parts_->clientPort.letGo({clientsPerSecond}, [this] { drain(); });
}

eta::Refused Hub::pauseSource(std::string_view name, bool paused) {
    const std::lock_guard guard(parts_->reactor.lock());
    for (const auto& source : parts_->upstreams.sources()) {
        if (source->name() != name) continue;
        source->pause(paused);
        return {};
    }
    bool publisher = false;
    eachSource([&](Source& source) { publisher = publisher || source.name() == name; });
    return {publisher ? "'" + std::string(name) + "' is a publisher, and publishers cannot be paused"
                      : "no source has the name '" + std::string(name) + "'"};
}

bool Hub::drained() const noexcept {
    Parts& p = *parts_;
    const std::lock_guard guard(p.reactor.lock());
    if (!p.drained || p.reactor.parting() != 0) return false;
    if (p.backbone && !p.backbone->left() && p.reactor.now() < p.handedOverBy) return false;
    // The end of the process would cut off clients that are reading why they were let go.
    std::size_t parting = 0;
    if (p.relay) relay::forEachFront(*p.relay, [&](relay::Front& front) { parting += front.reactor().parting(); });
    return parting == 0;
}

std::uint16_t Hub::port(std::size_t listener) const noexcept {
    return parts_->clientPort.port(listener);
}

std::uint16_t Hub::publisherPort(std::size_t listener) const noexcept {
    const auto& entry = parts_->publisherPorts[listener];
    return entry.sharedWith ? parts_->clientPort.port(*entry.sharedWith) : entry.port->port();
}

Hub::Rooms Hub::rooms() noexcept {
    Parts& p = *parts_;
    return {p.reactor, p.items, p.clients,     p.services,          p.flow,
            p.outputs, p.views, p.relay.get(), p.clientPort.ends(), p.clientPort.interventions()};
}

const HubSettings& Hub::settings() const noexcept {
    return parts_->options.settings;
}

const backbone::Backbone* Hub::mesh() const noexcept {
    return parts_->backbone.get();
}

void Hub::eachSource(const std::function<void(Source&)>& f) {
    for (const auto& upstream : parts_->upstreams.sources())
        f(*upstream);
    for (const auto& delayed : parts_->delayed.sources())
        f(*delayed);
    for (const auto& entry : parts_->publisherPorts)
        entry.port->eachPublisher(f);
}

std::shared_ptr<const eta::dictionary::Dictionary> Hub::dictionary() const {
    return parts_->dictionary;
}

}  // namespace emissary::hub
