// Makes the rooms in their order, and derives the options of each from the settings.
#include "hub/node/Parts.h"

#include "hub/node/rules.h"
#include "reactor/metrics/Snapshot.h"

#include <algorithm>

namespace emissary::hub {

namespace {

[[nodiscard]] post::PostOptions postOptions(const HubSettings& s, AuditSink* audit) {
    post::PostOptions made;
    made.audit = audit;
    made.allowed = s.supportOmmPost;
    made.maxOutstanding = s.maxOutstandingPosts;
    made.ackTimeout = s.postAckTimeout;
    made.made = {s.maxPostImage, s.maxPostBytesPerUser, s.maxPostBytes};
    return made;
}

[[nodiscard]] reactor::acceptor::AcceptorOptions acceptorOptions(const HubSettings& s, const ListenerSettings& l,
                                                                 directory::Merge& merge) {
    reactor::acceptor::AcceptorOptions made;
    made.bind = l.bind;
    made.hostName = s.name;
    made.announceName = s.publisherAnnounceName;
    made.limits = l.limits;
    made.share = merge.readingShare();
    return made;
}

}  // namespace

Hub::Parts::Parts(HubOptions o, reactor::Reactor& r)
    : options(std::move(o)), reactor(r), audit(makeAudit()),
      services(options.settings.services, options.settings.serviceDefaults), connections(makeConnections()),
      meter(makeMeter()),
      flow({items, clients, services, mounts, outputs, groups, views}, options.settings.refreshPartBytes),
      records(items, services, flow, reactor),
      posts(
          {items, clients, services, mounts, flow, records, reactor}, postOptions(options.settings, audit.get()),
          [this](Client& client, std::int32_t stream, const Msg& msg) {
              if (client.sink != nullptr) client.sink->told(stream, msg);
              else (void)connections.tell(client, stream, msg);
          },
          options.log),
      access(
          options.settings.access, reactor, clients, options.log, [this] { clientPort.recheck(); }, audit.get(),
          [this] { recheckPublishers(); }),
      clientPort(
          {reactor, clients, items, mounts, services, connections, views, flow, posts, relay.get()},
          [this] {
              auto made = client::ClientOptions::of(options.settings);
              made.log = options.log;
              made.audit = audit.get();
              made.requestCheck = options.requestCheck != nullptr ? options.requestCheck : access.requestCheck();
              made.publisher = [this](std::uint32_t listener, std::unique_ptr<reactor::Link> link,
                                      std::span<const eta::Bytes> messages) {
                  for (const PublisherEntry& entry : publisherPorts)
                      if (entry.sharedWith == listener) return entry.port->take(std::move(link), messages);
              };
              return made;
          }(),
          access.loginCheck(), consumerListeners(options.settings)),
      serviceLog(services, reactor, options.log),
      merge(services, watch,
            [this] {
                directory::MergeOptions made;
                made.dictionaries = {options.settings.dictionary.fieldName, options.settings.dictionary.enumName};
                made.log = options.log;
                made.serviceLog = &serviceLog;
                if (options.settings.mesh.on())
                    made.shared = [this](const std::string& name) { return options.settings.mesh.shares(name); };
                made.watched = [](const Service& service) { return service.items != 0; };
                made.maxServices = options.settings.maxServices;
                made.maxServicesPerSource = options.settings.maxServicesPerSource;
                made.reactor = &reactor;
                return made;
            }()),
      statusPace(items, clients, services, flow, reactor, options.settings.statusRate),
      groupStates(groups, flow, items, services, clientPort.services(), &statusPace),
      publisherSupply({items, services, flow, records, groups, groupStates, reactor}),
      publisherOffers(merge, services, publisherSupply),
      upstreams({reactor, items, services, flow, merge, groupStates, views, posts},
                [this] {
                    upstream::Upstreams::Options made;
                    made.sources = options.settings.sources;
                    made.download = !options.settings.dictionary.configured;
                    made.acceptMismatch = options.settings.acceptDictionaryMismatch;
                    made.dictionary = [this](const auto& d) { useDictionary(d); };
                    made.log = options.log;
                    return made;
                }()),
      delayed({reactor, items, services, flow, outputs, views, merge, options.log}, watch, options.settings.services,
              upstream::Upstreams::kNumbers),
      metrics(reactor, [this](reactor::metrics::Snapshot& into) {
          into.add(flow.counts());
          into.add(merge.counts());
          into.add(groups.counts());
          services.forEach([&](Service& s) {
              into.add(flow.store(s.id).counts(), {{"service", s.name}});
              s.counts.addTo(into, s.name);
          });
      }) {
    merge.use(Source::kPublisher, supply, publisherSupply);
    merge.use(Source::kUpstream, supply, upstreams.supply());
    publisherSupply.use(upstreams.supply());
    upstreams.supply().use(static_cast<PublishedItems&>(publisherSupply));
    makePublisherPorts();
    makeBackbone();
}

std::unique_ptr<audit::AuditLog> Hub::Parts::makeAudit() {
    const HubSettings& s = options.settings;
    if (s.audit.folder.empty()) return {};
    audit::AuditOptions made;
    made.settings = s.audit;
    for (const ListenerSettings& listener : consumerListeners(s))
        made.listeners.push_back(listener.name);
    made.wallClock = options.wallClock;
    made.log = options.log;
    return std::make_unique<audit::AuditLog>(std::move(made), reactor);
}

void Hub::Parts::makePublisherPorts() {
    const HubSettings& s = options.settings;
    const auto add = [&](const ListenerSettings& l, std::optional<std::size_t> sharedWith) {
        publisherPorts.push_back({std::make_unique<publisher::PublisherPort>(
                                      reactor, acceptorOptions(s, l, merge),
                                      publisher::PublisherPort::Rooms{publisherNames, publisherOffers, publisherSupply,
                                                                      services, &posts, access.loginCheck()},
                                      publisher::PublisherPort::LoginRules{s.loginCheckTimeout, l.certUser,
                                                                           l.publisherGroups, l.web.posting},
                                      options.log, audit.get()),
                                  sharedWith});
    };
    std::size_t shared = s.listeners.size();  // as in consumerListeners()
    for (const ListenerSettings& l : s.publisherListeners)
        add(l, l.anyRole ? std::optional(shared++) : std::nullopt);
    for (std::size_t i = 0; i < s.listeners.size(); ++i)
        if (s.listeners[i].anyRole) add(s.listeners[i], i);
}

void Hub::Parts::recheckPublishers() {
    for (const PublisherEntry& entry : publisherPorts)
        entry.port->recheck();
}

void Hub::Parts::makeBackbone() {
    const MeshSettings& s = options.settings.mesh;
    if (!s.on()) return;
    backbone = std::make_unique<backbone::Backbone>(
        backbone::BackboneRooms{
            {outputs, services, flow, views},
            posts,
            {reactor,
             items,
             services,
             flow,
             merge,
             posts,
             {[this](Service& service) { upstreams.supply().fallBack(service); },
              [this](Service& service) { upstreams.supply().takeBack(service.id); },
              [this](Item& item) { return upstreams.supply().yield(item); },
              [this](Item& item) { upstreams.supply().takeBack(item); }},
             options.log},
            options.settings.postAckTimeout,
            backbone::ExportRules::of(options.settings),
            [this](backbone::SharedDictionary::Dictionary other) { useDictionary(std::move(other), false); }},
        s, options.meshBus);
    merge.use(Source::kMesh, supply, backbone->imports());
    upstreams.supply().use(static_cast<Fallback&>(backbone->imports()));
}

std::uint8_t Hub::Parts::ruleOf(std::uint16_t id) noexcept {
    const Service* const service = services.find(id);
    if (service == nullptr) return 0;
    const auto found =
        std::ranges::find_if(rates.services, [&](const ServiceRates& r) { return service->policy.has(r); });
    return found == rates.services.end() ? std::uint8_t{0} : static_cast<std::uint8_t>(found - rates.services.begin());
}

std::unique_ptr<usage::Meter> Hub::Parts::makeMeter() {
    if (options.settings.usage.folder.empty()) return {};
    usage::MeterOptions made;
    made.settings = options.settings.usage;
    made.wallClock = options.wallClock;
    made.log = options.log;
    return std::make_unique<usage::Meter>(std::move(made),
                                          usage::MeterRooms{reactor, items, clients, services, outputs});
}

ClientOutput& Hub::Parts::makeConnections() {
    const HubSettings& s = options.settings;
    rates = rateRules(s);
    if (s.threads <= 1) {
        fanOut = std::make_unique<fanout::FanOut>(
            clients, views, reactor, fanout::SlowRules{},
            [this](Client& client, fanout::SlowClients::Cut kind, const std::string& reason) {
                using client::EndReason;
                const bool slow = kind == fanout::SlowClients::Cut::slow;
                clientPort.cutOff(client, client::endingOf(slow ? EndReason::slow : EndReason::memory, reason));
            });
        fanOut->onNotice([this](Severity severity, const std::string& line) { clientPort.tell(severity, line); });
        fanOut->setRates(
            rates,
            [this](std::uint32_t index) {
                Item& item = items[index];
                return fanout::FanOut::List{
                    {item.mounts, item.mountCount}, {item.service, &item, index, ruleOf(item.service)}, item.liveCount};
            },
            [this](std::uint16_t service) { return ruleOf(service); });
        for (const ListenerSettings& listener : consumerListeners(s))
            fanOut->addListener(listener.name, slowRules(s, listener));
        return *fanOut;
    }
    relay::RelayOptions made;
    made.fronts = s.threads - 1;
    made.instance = s.name;
    if (s.threadBind.size() > 1) made.cpus.assign(s.threadBind.begin() + 1, s.threadBind.end());
    made.clock = options.clock;
    for (const ListenerSettings& listener : consumerListeners(s))
        made.slow.push_back(slowRules(s, listener));
    made.rates = rates;
    made.ruleOf = [this](std::uint16_t service) { return ruleOf(service); };
    made.renew = [this](Item& item, bool state, const auto& lacks) {
        const Outputs::ConnectionsOnly only(outputs);
        return flow.renew(item, state, lacks);
    };
    made.renewed = [this](Item& item) { flow.renewed(item); };
    relay = std::make_unique<relay::Relay>(reactor, items, clients, views, made);
    return *relay;
}

void Hub::Parts::useDictionary(std::shared_ptr<const eta::dictionary::Dictionary> used, bool own) {
    if (own && backbone) backbone->ownDictionary(used);
    dictionary = std::move(used);
    if (backbone) backbone->setDictionary(dictionary);
    flow.setDictionary(dictionary);
    posts.setDictionary(dictionary);
    clientPort.setDictionary(dictionary);
    if (own) upstreams.useDictionary(dictionary);  // sources compare theirs with the hub's own
    const auto all = served(options.settings.dictionary, dictionary);
    for (const reactor::ServedDictionary& one : all)
        clientPort.serve(one);
    for (const PublisherEntry& entry : publisherPorts)
        entry.port->serve(all);
}

}  // namespace emissary::hub
