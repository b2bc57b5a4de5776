// The rooms of one hub in the order in which they stand on each other.
#pragma once

#include "hub/access/Access.h"
#include "hub/audit/AuditLog.h"
#include "hub/backbone/Backbone.h"
#include "hub/client/ClientPort.h"
#include "hub/config/reload.h"
#include "hub/delay/DelayedServices.h"
#include "hub/directory/ServiceLog.h"
#include "hub/node/Hub.h"
#include "hub/node/OwnDictionary.h"
#include "hub/post/Posts.h"
#include "hub/publisher/PublisherPort.h"
#include "hub/publisher/TemplateFile.h"
#include "hub/relay/Relay.h"
#include "hub/source/ComposedSupply.h"
#include "hub/upstream/Upstreams.h"
#include "hub/usage/Meter.h"

namespace emissary::hub {

/// Made from top to bottom, and destroyed the other way with the session lock held.
struct Hub::Parts {
    Parts(HubOptions options, reactor::Reactor& reactor);

    void log(Severity severity, const std::string& line) const {
        if (options.log) options.log(severity, line);
    }
    /// `own`: of files or a source of this hub; else another hub's, in use until there is one.
    void useDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary, bool own = true);
    [[nodiscard]] ClientOutput& makeConnections();
    /// Null: use is not counted.
    [[nodiscard]] std::unique_ptr<usage::Meter> makeMeter();
    [[nodiscard]] std::unique_ptr<audit::AuditLog> makeAudit();
    /// Of a service, its number in `rates`.
    [[nodiscard]] std::uint8_t ruleOf(std::uint16_t service) noexcept;
    void makePublisherPorts();
    /// Users, or who may offer a service, are others now.
    void recheckPublishers();
    void makeBackbone();
    using Templates = std::vector<std::pair<std::string, publisher::TemplateFile>>;  // by service
    /// Of those services that have one. Refused: the text names the service or the file.
    [[nodiscard]] eta::Refused readTemplates(const std::vector<ServiceSettings>& of, Templates& into) const;
    void useTemplates(Templates templates);
    /// What other settings need before anything is changed.
    struct Prepared {
        ServicesMoved moved;
        upstream::Upstreams::Fresh sources;
        delay::DelayedServices::Fresh delayed;
        Templates templates;
    };
    [[nodiscard]] ServicesMoved moved(const HubSettings& next);
    [[nodiscard]] eta::Refused prepare(const HubSettings& next, Prepared& made);
    [[nodiscard]] eta::Refused change(const HubSettings& next);

    HubOptions options;
    reactor::Reactor& reactor;
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary;
    bool drained = false;
    reactor::TimePoint handedOverBy{};       ///< draining: until then other hubs may take over what they have from here
    std::unique_ptr<audit::AuditLog> audit;  ///< null: there is none; hears of the others to their end

    ItemTable items;
    ClientTable clients;
    ServiceTable services;
    Mounts mounts{items, clients};
    ViewTable views;
    fanout::RateRules rates;
    std::unique_ptr<fanout::FanOut> fanOut;  ///< with one thread
    std::unique_ptr<relay::Relay> relay;     ///< with more
    ClientOutput& connections;               ///< the one of these two that is there
    Outputs outputs{connections, clients};
    std::unique_ptr<usage::Meter> meter;  ///< null: use is not counted
    directory::Groups groups{items};
    flow::ItemFlow flow;
    flow::Records records;
    post::Posts posts;
    access::Access access;
    client::ClientPort clientPort;
    directory::ServiceLog serviceLog;
    delay::ServiceWatch watch{clientPort.services()};
    directory::Merge merge;
    directory::StatusPace statusPace;
    directory::GroupStates groupStates;
    publisher::PublisherSupply publisherSupply;
    publisher::PublisherOffers publisherOffers;
    publisher::PublisherNames publisherNames;
    upstream::Upstreams upstreams;
    source::ComposedSupply supply{services, upstreams.supply(), publisherSupply, publisherSupply};
    delay::DelayedServices delayed;
    /// For each of the publishers' listeners, and after them for the consumers' listeners for any role.
    struct PublisherEntry {
        std::unique_ptr<publisher::PublisherPort> port;
        std::optional<std::size_t> sharedWith;  ///< the consumers' listener that its publishers come through
    };
    /// They end before the sources: items of a service may go from one to the other until then.
    std::vector<PublisherEntry> publisherPorts;
    std::unique_ptr<backbone::Backbone> backbone;  ///< null: the hub is in no mesh
    reactor::MetricSource metrics;
};

}  // namespace emissary::hub
