// Sources with their channels, and services.
#include "hub/config/Resolver.h"

#include "config/options/own_identity.h"
#include "config/options/transport_options.h"
#include "eta/transport/Channel.h"
#include "eta/transport/connection_types.h"
#include "hub/config/readers.h"
#include "hub/config/schema.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

namespace emissary::hub {

using parameters::ConfigEntry;
using parameters::ConfigNode;
using parameters::ConfigValue;
using parameters::Reader;
using parameters::splitList;

void Resolver::readSources(HubSettings& s, bool ofCommandLine) {
    const auto& entries = (ofCommandLine ? c_.programmatic.back() : c_.file).entries(Section::source);
    for (const ConfigEntry& e : entries)
        s.sources.push_back(source(e.name, e.place));
}

SourceSettings Resolver::source(const std::string& name, const std::string& place) {
    SourceSettings s;
    s.name = name;
    show(Section::source, name);
    const Reader r(c_, Section::source, name);
    if (const ConfigValue* const channels = c_.channels(Section::source, name))
        for (const std::string& channel : splitList(channels->text))
            readChannel(channel, *channels, s);
    else error("Source [" + name + "] has neither Channel nor ChannelSet", place);
    r.text("UserName", s.userName);
    if (s.userName.empty()) s.userName = parameters::operatingSystemUser();
    r.text("ApplicationId", s.applicationId);
    r.text("Position", s.position);
    if (s.position.empty()) s.position = parameters::ownPosition();
    r.flag("Required", s.required);
    r.number("RequestRate", s.requestRate);
    readTime(r, "RequestTimeout", s.requestTimeout);
    r.number("MaxItemsPerSource", s.maxItems);
    r.flag("SendMirroringMode", s.sendModes);
    readTime(r, "ReconnectMinDelay", s.reconnect.minDelay);
    readTime(r, "ReconnectMaxDelay", s.reconnect.maxDelay);
    s.reconnect = s.reconnect.bounded();
    return s;
}

void Resolver::readChannel(const std::string& name, const ConfigValue& referredBy, SourceSettings& out) {
    if (!c_.has(Section::channel, name))
        return error("there is no Channel [" + name + "] in ChannelGroup, which Source [" + out.name + "] names",
                     referredBy.place);
    show(Section::channel, name);
    const Reader r(c_, Section::channel, name);
    std::int64_t type = 0;
    r.number("ChannelType", type);
    const auto* const row = eta::transport::findConnectionType(type);
    if (row == nullptr || !row->listens)
        return error("Channel [" + name + "] of Source [" + out.name +
                         "] has a ChannelType that a hub cannot use; use RSSL_SOCKET, RSSL_ENCRYPTED or RSSL_WEBSOCKET",
                     placeOf(Section::channel, name, "ChannelType"));
    eta::transport::ConnectOptions o;
    parameters::readChannel(r, static_cast<eta::transport::ConnectionType>(type), o);
    if (std::string text = parameters::idleProxy(name, o); !text.empty())
        records_.push_back({logging::LogSeverity::warning, std::move(text)});
    checkPort(o.port, "Port of Channel [" + name + "]", placeOf(Section::channel, name, "Port"));
    if (tlsFiles_ == TlsFiles::read && !(o.tls.certificate.empty() && o.tls.privateKey.empty()))
        if (const eta::Refused refused = eta::transport::checkConnect(o))
            error("Channel [" + name + "]: " + refused.text, placeOf(Section::channel, name, "ClientCert"));
    if (o.port == "0")
        error("Port of Channel [" + name + "] is 0: write the port that the source listens on, 1 to 65535",
              placeOf(Section::channel, name, "Port"));
    out.channels.push_back(std::move(o));
    out.channelNames.push_back(name);
}

void Resolver::readServices(HubSettings& s) {
    std::map<std::uint16_t, std::string> ids;
    for (const ConfigEntry& e : c_.file.entries(Section::service)) {
        ServiceSettings service = this->service(e, s);
        if (service.serviceId) {
            const auto [at, fresh] = ids.emplace(*service.serviceId, e.name);
            if (!fresh)
                error("ServiceId " + std::to_string(*service.serviceId) + " of Service [" + e.name +
                          "] is that of Service [" + at->second + "] too; give each its own",
                      e.place);
        }
        if (e.name == "*") s.serviceDefaults = std::move(service);
        else s.services.push_back(std::move(service));
    }
}

/// A number is an id; all else is a name, which only the dictionary of the running hub knows.
void Resolver::readViews() {
    for (const ConfigEntry& e : c_.file.entries(Section::view)) {
        show(Section::view, e.name);
        std::vector<std::string>& fields = views_[e.name];
        fields = splitList(text(Section::view, e.name, "Fields"));
        const std::string place = placeOf(Section::view, e.name, "Fields");
        if (fields.empty())
            warning("View [" + e.name + "] has no Fields: whoever has it gets images without fields; name some",
                    e.place);
        for (const std::string& field : fields) {
            if (field.find_first_not_of("-0123456789") != std::string::npos) continue;
            std::int16_t id = 0;
            const auto [end, ec] = std::from_chars(field.data(), field.data() + field.size(), id);
            if (ec != std::errc() || end != field.data() + field.size())
                error("Fields of View [" + e.name + "]: [" + field +
                          "] is no field id; write a number from -32768 to 32767, or the field's name",
                      place);
        }
    }
}

void Resolver::readView(const std::string& userClass, UserClassSettings& out) {
    const std::string name = text(Section::userClass, userClass, "View");
    if (name.empty()) return;
    out.view.emplace().name = name;
    if (const auto at = views_.find(name); at != views_.end()) {
        out.view->fields = at->second;
        return;
    }
    error("there is no View [" + name + "] in ViewGroup, which UserClass [" + userClass +
              "] names; add it with its Fields, or name another one",
          placeOf(Section::userClass, userClass, "View"));
}

void Resolver::readUserClasses(HubSettings& s) {
    for (const ConfigEntry& e : c_.file.entries(Section::userClass)) {
        show(Section::userClass, e.name);
        const Reader r(c_, Section::userClass, e.name);
        UserClassSettings& made = s.userClasses.emplace_back();
        made.name = e.name;
        made.users = splitList(text(Section::userClass, e.name, "Users"));
        made.groups = splitList(text(Section::userClass, e.name, "Groups"));
        if (r.find("Conflation") != nullptr) readConflation(r, made.conflation.emplace());
        readLimit(r, made.limit);
        readView(e.name, made);
        if (made.users.empty() && made.groups.empty())
            warning("UserClass [" + e.name + "] has nobody: name users in Users, or groups in Groups", e.place);
    }
    if (s.userClasses.size() > kMostConflations)
        error("UserClass: " + std::to_string(s.userClasses.size()) + " entries are more than " +
                  std::to_string(kMostConflations) + "; give users of one entry a group",
              s.userClasses.empty() ? "" : placeOf(Section::userClass, s.userClasses.back().name, "Name"));
}

/// Updates above a limit wait with those that are joined.
void Resolver::checkLimits(const HubSettings& s) {
    for (const auto* const listeners : {&s.listeners, &s.publisherListeners})
        for (const ListenerSettings& l : *listeners) {
            if ((listeners == &s.publisherListeners && !l.anyRole) || s.slowLimits(l.slow).conflateBytes != 0) continue;
            const auto warn = [&](const OutputLimit& limit, parameters::SectionMask section, const std::string& entry) {
                const char* const parameter = limit.updates != 0 ? "MaxUpdateRate" : "MaxByteRate";
                if (limit.any())
                    warning(std::string(parameter) + " of " + schema().title(section) + " [" + entry +
                                "] has no effect at Server [" + l.name +
                                "]: ConflateBytes is 0 there, so that no update is joined",
                            placeOf(section, entry, parameter));
            };
            warn(l.limit, Section::server, l.name);
            for (const UserClassSettings& u : s.userClasses)
                warn(u.limit, Section::userClass, u.name);
        }
}

void Resolver::checkConflation(const HubSettings& s) {
    if (s.userClasses.size() > kMostConflations) return;  // an error of its own
    struct Ported {
        std::optional<Conflation> rule;
        std::uint64_t types = 0;
    };
    std::vector<Ported> ports;
    for (const auto* const listeners : {&s.listeners, &s.publisherListeners})  // those that consumers may use
        for (const ListenerSettings& l : *listeners)
            if (listeners == &s.listeners || l.anyRole)
                ports.push_back({l.conflation, s.slowLimits(l.slow).conflateTypes});
    std::vector<std::optional<Conflation>> users(1);
    for (const UserClassSettings& u : s.userClasses)
        if (u.conflation && std::ranges::find(users, u.conflation) == users.end()) users.push_back(u.conflation);
    const std::vector<ServiceRates> services = s.serviceRates();
    std::set<std::tuple<Conflation::Mode, std::chrono::milliseconds, std::uint64_t>> rules;
    for (const ServiceRates& service : services)
        for (const Ported& port : ports)
            for (const auto& user : users) {
                const auto add = [&](const Conflation& rule) {
                    if (rule.hasInterval() && rules.size() <= kMostConflations)
                        rules.emplace(rule.mode, rule.interval, port.types);
                };
                const Conflation rule = stricter(stricter(service.rule, port.rule), user);
                add(rule);
                for (const Conflation& rate : service.offered)
                    add(asked(rule, rate));
            }
    if (services.size() > kMostConflations || rules.size() > kMostConflations)
        error("Conflation: services, ports and user classes have more than " + std::to_string(kMostConflations) +
                  " different rules together; give entries the same ConflationInterval",
              "");
    if (s.exportRates().size() > kMostConflations)
        error("ExportConflation: services have more than " + std::to_string(kMostConflations) +
                  " different rules; give entries the same ExportInterval",
              "");
}

void Resolver::readOfferedRates(const ConfigEntry& entry, ServiceSettings& out) {
    constexpr std::uint16_t kMost = 0xFFFF;  // RateInfo has 16 bits
    const std::string place = placeOf(Section::service, entry.name, "OfferedRates");
    const std::string what = "OfferedRates of Service [" + entry.name + "]";
    for (const std::string& rate : splitList(text(Section::service, entry.name, "OfferedRates"))) {
        Conflation made;
        if (rate != "jit") {
            std::uint16_t ms = 0;
            const auto [end, ec] = std::from_chars(rate.data(), rate.data() + rate.size(), ms);
            if (ec != std::errc() || end != rate.data() + rate.size() || ms == 0) {
                error(what + ": [" + rate + "] is no rate; write jit, or an interval from 1 to " +
                          std::to_string(kMost) + " ms",
                      place);
                continue;
            }
            made = {Conflation::Mode::interval, std::chrono::milliseconds(ms)};
        }
        // The service's own rule holds whatever is asked for, so that nobody would get the rate that is listed.
        if (out.conflation.hasInterval() && (!made.hasInterval() || made.interval < out.conflation.interval)) {
            error(what + ": [" + rate + "] is never served, since Conflation of the service has an interval of " +
                      std::to_string(out.conflation.interval.count()) + " ms; leave it out, or name a longer interval",
                  place);
            continue;
        }
        if (std::ranges::find(out.offeredRates, made) == out.offeredRates.end()) out.offeredRates.push_back(made);
    }
    if (out.offeredRates.size() > kMostOfferedRates)
        error(what + " has " + std::to_string(out.offeredRates.size()) + " rates; leave " +
                  std::to_string(kMostOfferedRates),
              place);
}

void Resolver::readDelay(const ConfigEntry& entry, ServiceSettings& s) {
    const Reader r(c_, Section::service, entry.name);
    const std::string of = text(Section::service, entry.name, "DelayOf");
    const auto at = [&](const char* parameter) { return placeOf(Section::service, entry.name, parameter); };
    const std::string what = "Service [" + entry.name + "]";
    if (of.empty()) {
        for (const char* const parameter :
             {"DelayTime", "DelayMemoryBytes", "DelayFolder", "DelayFileBytes", "DelayItems"})
            if (r.find(parameter) != nullptr && entry.name != "*")
                warning(
                    std::string(parameter) + " of " + what +
                        " has no effect without DelayOf, which names the service that this one is a delayed form of",
                    at(parameter));
        return;
    }
    DelaySettings& d = s.delay.emplace();
    d.of = of;
    readTime(r, "DelayTime", d.time);
    r.number("DelayMemoryBytes", d.memoryBytes);
    r.text("DelayFolder", d.folder);
    r.number("DelayFileBytes", d.fileBytes);
    d.items = splitList(text(Section::service, entry.name, "DelayItems"));
    if (entry.name == "*")
        error("DelayOf belongs to one Service entry, not to [*]: give the delayed service a name", at("DelayOf"));
    if (of == entry.name)
        error("DelayOf of " + what + " names the service itself; name the one that it is a delayed form of",
              at("DelayOf"));
    if (s.fixed) error(what + " has Static and DelayOf; it can have one of them", at("DelayOf"));
    if (!s.sources.empty())
        error(what + " has Sources and DelayOf; a delayed service has no sources of its own: remove Sources",
              at("Sources"));
    if (d.fileBytes != 0 && d.folder.empty())
        error("DelayFileBytes of " + what + " needs DelayFolder, the folder of the file", at("DelayFileBytes"));
    if (d.fileBytes == 0 && !d.folder.empty())
        error("DelayFolder of " + what + " needs DelayFileBytes, how large the file may be", at("DelayFolder"));
    if (!d.folder.empty()) checkWritable(d.folder, "DelayFolder", at("DelayFolder"));
    // Late joiners get the image of that time from the cache: the original cannot be asked for it.
    if (s.cache.rule == CachePolicy::Rule::automatic) s.cache.rule = CachePolicy::Rule::all;
    else if (s.cache.rule != CachePolicy::Rule::all)
        error("Cache of " + what + ": a delayed service keeps the images of its items; leave Cache out, or write all",
              at("Cache"));
}

/// A chain of delays would keep everything as often as it is long.
void Resolver::checkDelays(const HubSettings& s) {
    for (const ServiceSettings& service : s.services)
        if (service.delay)
            for (const ServiceSettings& other : s.services)
                if (other.delay && other.name == service.delay->of && other.name != service.name)
                    error("DelayOf of Service [" + service.name + "] names [" + other.name +
                              "], which is delayed itself; name the original, [" + other.delay->of + "]",
                          placeOf(Section::service, service.name, "DelayOf"));
}

ServiceSettings Resolver::service(const ConfigEntry& entry, const HubSettings& hub) {
    ServiceSettings s;
    s.name = entry.name;
    show(Section::service, entry.name);
    const Reader r(c_, Section::service, entry.name);
    if (r.find("ServiceId") != nullptr) r.number("ServiceId", s.serviceId.emplace());
    s.sources = splitList(text(Section::service, entry.name, "Sources"));
    for (const std::string& name : s.sources)
        if (std::ranges::none_of(hub.sources, [&](const SourceSettings& x) { return x.name == name; }))
            error("there is no Source [" + name + "] in SourceGroup, which Service [" + entry.name + "] names",
                  placeOf(Section::service, entry.name, "Sources"));
    readEnum(r, "SourceMode", s.sourceMode);
    r.flag("PreferSources", s.preferSources);
    r.flag("FailBack", s.failBack);
    if (const ConfigValue* const cache = r.find("Cache"); cache != nullptr && !cache->text.empty())
        readCache(*cache, s.cache);
    r.number("MaxItems", s.maxItems);
    r.number("MaxBytes", s.maxBytes);
    readTime(r, "ExpireAfter", s.expireAfter);
    readTime(r, "ExpirePosted", s.expirePosted);
    r.flag("DropOldest", s.dropOldest);
    readConflation(r, s.conflation);
    readEnum(r, "ExportConflation", s.exported.mode);
    readTime(r, "ExportInterval", s.exported.interval);
    readOfferedRates(entry, s);
    r.flag("AnnounceRate", s.announceRate);
    readEnum(r, "UnknownItem", s.unknownItem);
    r.text("TemplateFile", s.templateFile);
    if (s.unknownItem == UnknownItem::fromTemplate) {
        const std::string what = "TemplateFile of Service [" + entry.name + "]";
        if (s.templateFile.empty())
            error(what + " is missing; UnknownItem template needs it",
                  placeOf(Section::service, entry.name, "UnknownItem"));
        else checkFile(s.templateFile, what, placeOf(Section::service, entry.name, "TemplateFile"));
    }
    r.flag("KeepServiceUp", s.keepServiceUp);
    r.flag("DeleteLostServices", s.deleteLostServices);
    readEnum(r, "PublisherMode", s.publisherMode);
    s.publisherOrder = splitList(text(Section::service, entry.name, "PublisherOrder"));
    s.publisherGroups = publisherGroups(Section::service, entry.name);
    readTime(r, "RepublishTimeout", s.republishTimeout);
    readTime(r, "ItemLinger", s.itemLinger);
    if (s.itemLinger.count() > 0 && !s.cache.keeps(eta::codec::kMarketPriceDomain, false) &&
        s.cache.rule != CachePolicy::Rule::listed)
        records_.push_back({logging::LogSeverity::warning,
                            "ItemLinger of Service [" + entry.name +
                                "] has no effect on items whose images are not kept, and Cache keeps none of " +
                                (s.cache.rule == CachePolicy::Rule::none ? "this service" : "services of sources") +
                                "; write <Cache value=\"All\"/> to keep them"});
    readTime(r, "NegativeCache", s.negativeCache);
    r.flag("AddUnknownFields", s.addUnknownFields);
    r.flag("SeqNumGaps", s.seqNumGaps);
    r.flag("SnapshotOpens", s.snapshotOpens);
    r.flag("ForwardPosts", s.forwardPosts);
    r.flag("ForwardGenerics", s.forwardGenerics);
    if (const ConfigValue* const rights = r.find("PostRights"); rights != nullptr && !rights->text.empty())
        readPostRights(*rights, s);
    if (r.find("OpenWindow") != nullptr) r.number("OpenWindow", s.openWindow.emplace());
    if (r.find("OpenLimit") != nullptr) r.number("OpenLimit", s.openLimit.emplace());
    readFixed(entry, s);
    readDelay(entry, s);
    if (entry.name == "*" && (s.serviceId || s.fixed))
        error("the Service entry [*] holds for many services; ServiceId and Static belong to one", entry.place);
    return s;
}

void Resolver::readFixed(const ConfigEntry& entry, ServiceSettings& out) {
    bool isFixed = false;
    Reader(c_, Section::service, entry.name).flag("Static", isFixed);
    if (!isFixed) {
        if (!entry.nested.empty())
            error("[" + entry.nested.front().name + "] of Service [" + entry.name +
                      "] describes a service without source; write <Static value=\"1\"/> or leave it out",
                  entry.nested.front().place);
        return;
    }
    ConfigNode node;
    node.name = "Service";
    node.place = entry.place;
    node.children = entry.nested;
    node.children.push_back({"Name", entry.name, true, ConfigNode::Form::untyped, entry.place, {}});
    bool hasId = false;
    const auto service = parameters::readService(schema(), c_, node, records_, hasId);
    if (!service) return;
    out.fixed = parameters::toService(*service);
    if (hasId && !out.serviceId) out.serviceId = service->serviceId;
    out.fixed->id = out.serviceId.value_or(0);
}

void Resolver::readPostRights(const ConfigValue& value, ServiceSettings& out) {
    if (value.text == "all") return;
    out.postRights = 0;
    if (value.text == "none") return void(out.posts = false);
    for (const std::string& right : splitList(value.text)) {
        if (right == "create") out.postRights |= PostRight::create;
        else if (right == "delete") out.postRights |= PostRight::erase;
        else if (right == "modify") out.postRights |= PostRight::modifyPermissions;
        else if (right != "update")
            error("PostRights: [" + right + "] is neither all, none, update, create, delete nor modify", value.place);
    }
}

void readConflation(const Reader& r, Conflation& out) {
    readEnum(r, "Conflation", out.mode);
    readTime(r, "ConflationInterval", out.interval);
}

void readLimit(const Reader& r, OutputLimit& out) {
    r.number("MaxUpdateRate", out.updates);
    r.number("MaxByteRate", out.bytes);
}

std::uint64_t Resolver::updateTypes(const ConfigValue& value) {
    std::uint64_t types = 0;
    for (const std::string& type : splitList(value.text)) {
        unsigned number = 0;
        const auto [end, fault] = std::from_chars(type.data(), type.data() + type.size(), number);
        if (fault != std::errc{} || end != type.data() + type.size() || number > 63)
            error("ConflateTypes: [" + type + "] is no type of updates; types are numbers from 0 to 63", value.place);
        else types |= 1ull << number;
    }
    return types;
}

void Resolver::readCache(const ConfigValue& value, CachePolicy& out) {
    if (value.text == "all" || value.text == "none") {
        out.rule = value.text == "all" ? CachePolicy::Rule::all : CachePolicy::Rule::none;
        return;
    }
    out.rule = CachePolicy::Rule::listed;
    for (const std::string& domain : splitList(value.text)) {
        const std::uint8_t number = parameters::domainNumber(domain);
        if (number == 0)
            error("Cache: [" + domain + "] is neither all, none, a domain (MMT_MARKET_PRICE) nor its number",
                  value.place);
        else out.listed.set(number);
    }
}

}  // namespace emissary::hub
