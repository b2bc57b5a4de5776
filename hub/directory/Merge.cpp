// Makes one service of those that sources offer under one name, and refuses offers that do not fit it.
#include "hub/directory/Merge.h"

#include "hub/directory/ServiceLog.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace emissary::hub::directory {

namespace rdm = reactor::rdm;
namespace Filter = rdm::DirectoryFilter;

namespace {

constexpr std::size_t kAtOnce = 256;  // services that one call looks at, or drops

using Names = std::optional<std::vector<std::string>>;

/// Offers of the hub's own, the kind that is preferred first.
[[nodiscard]] std::array<const std::vector<Offer>*, 2> inOrder(const Service& service) noexcept {
    if (service.policy.preferSources) return {&service.offers, &service.publishers};
    return {&service.publishers, &service.offers};
}

// A copy, sorted: the order of the names in a list has no meaning.
bool sameNames(const Names& a, const Names& b) {
    static const std::vector<std::string> none;
    std::vector<std::string> x = a ? *a : none, y = b ? *b : none;
    std::ranges::sort(x);
    std::ranges::sort(y);
    return x == y;
}

std::vector<rdm::Qos> qosOf(const rdm::ServiceInfo& info) {
    // No QoS means the default one (rdm.md 3.3).
    std::vector<rdm::Qos> q = info.qos.empty() ? std::vector<rdm::Qos>{eta::codec::kRealtimeTickByTick} : info.qos;
    rdm::sortBestFirst(q);
    return q;
}

}  // namespace

Merge::Merge(ServiceTable& services, ServiceListener& clients, MergeOptions options)
    : services_(services), clients_(clients), options_(std::move(options)),
      serviceChanges_(options_.reactor, kTelling, [this](const ServiceChange& change) { tell(change); }) {
    // Without a reactor (tests of this room) everything is done at once.
    if (options_.reactor != nullptr) reading_.emplace(*options_.reactor, kReading);
}

void Merge::use(const Source::Kind& kind, Supply& supply, OfferListener& listener) {
    const auto room = std::ranges::find(rooms_, &kind, &Room::kind);
    if (room == rooms_.end()) rooms_.push_back({&kind, &supply, &listener});
    else *room = {&kind, &supply, &listener};
}

Merge::Room Merge::roomOf(const Source::Kind& kind) const noexcept {
    const auto room = std::ranges::find(rooms_, &kind, &Room::kind);
    return room != rooms_.end() ? *room : Room{};
}

OfferListener* Merge::closerOf(const Service& service) const noexcept {
    OfferListener* any = nullptr;
    for (const Room& room : rooms_) {
        if (room.supply != service.supply) continue;
        // Of the rooms that share a service, this one gives up the streams of items; where it is not, nobody has any.
        if (room.kind->isConnection) return room.listener;
        if (any == nullptr) any = room.listener;
    }
    return any;
}

void Merge::start() {
    for (const ServiceSettings& policy : services_.policies()) {
        // Static services exist before any source (hub.md 4.5).
        if (!policy.fixed || services_.find(policy.name) != nullptr) continue;
        Entry& entry = entryOf(policy.name);
        evaluate(entry, nullptr);
    }
}

void Merge::drain() {
    draining_ = true;
    for (auto& [name, entry] : entries_)
        if (entry.service != nullptr) evaluate(entry, nullptr);
    // What waits goes out at once: clients have to know before their connections end.
    serviceChanges_.tellAll();
}

// --- offers ----------------------------------------------------------------------------------------------------------

Merge::Entry& Merge::entryOf(const std::string& name) {
    Entry& entry = entries_[name];
    entry.name = name;
    return entry;
}

Merge::Candidate* Merge::find(Entry& entry, const Source& source, std::uint16_t id) noexcept {
    for (Candidate& c : entry.candidates)
        if (c.source == &source && c.id == id) return &c;
    return nullptr;
}

void Merge::onOffer(Source& source, const rdm::Service& offered, std::uint32_t changed) {
    if (!offered.has(Filter::info) || offered.name().empty()) return;
    OfSource& of = sources_[&source];
    auto named = of.names.find(offered.id);
    if (named != of.names.end() && named->second != offered.name()) {
        // The same id now has another name: the old service loses this offer first.
        onOfferGone(source, offered.id, false);
        return onOffer(source, offered, changed);
    }
    if (named == of.names.end()) {
        if (offered.name().size() > kMostNameBytes)
            return refuse(of, source, [&] {
                return "service " + std::to_string(offered.id) + " is left out: its name has " +
                       std::to_string(offered.name().size()) + " bytes, at most " + std::to_string(kMostNameBytes) +
                       " are taken";
            });
        if (of.names.size() >= options_.maxServicesPerSource)
            return refuse(of, source, [&] {
                return "service '" + offered.name() + "' is left out: the source has " +
                       std::to_string(of.names.size()) + " services already (MaxServicesPerSource)";
            });
        named = of.names.emplace(offered.id, offered.name()).first;
    }
    const std::string name = offered.name();
    // Room is looked for only when a service would be made.
    if (const auto known = entries_.find(name); known == entries_.end() || known->second.service == nullptr) makeRoom();
    Entry& entry = entryOf(name);
    Candidate* c = find(entry, source, offered.id);
    if (c == nullptr) {
        // The same source came back with another id for the name.
        std::erase_if(entry.candidates,
                      [&](const Candidate& o) { return o.source == &source && o.service == nullptr; });
        c = &entry.candidates.emplace_back();
        c->source = &source;
        c->id = offered.id;
        entry.withdrawn = entry.left = false;  // somebody who was not known has it
    }
    c->service = &offered;
    // An offer is a sign of life, so a deletion by hand is forgotten.
    entry.deleted = false;
    evaluate(entry, &source);
    // An accepted offer ends a run of refusals, so that the next one is logged again.
    if (entry.service != nullptr) sources_[&source].refused = 0;
    if ((changed & Filter::data) != 0 && offered.has(Filter::data))
        if (const Service* const service = serviceOf(source, offered.id)) {
            // Data are an event of the service; they may not overtake its announcement.
            while (entry.waits != 0 && !serviceChanges_.empty())
                serviceChanges_.tellNext();
            clients_.onServiceData(*service, offered.data);
        }
}

void Merge::onOfferGone(Source& source, std::uint16_t id, bool byHand) {
    const auto of = sources_.find(&source);
    if (of == sources_.end()) return;
    const auto at = of->second.names.find(id);
    if (at == of->second.names.end()) return;
    Entry& entry = entryOf(at->second);
    of->second.names.erase(at);
    Candidate* const c = find(entry, source, id);
    if (c == nullptr) return;
    c->service = nullptr;
    entry.deleted = byHand;
    evaluate(entry, &source);
    // A publisher that is lost never comes back; links still report a connection.
    const bool ends = source.kind().publishes && !source.up();
    // Candidates of connections that are away stay, for the Link entries that clients see.
    if (entry.service != nullptr && !ends) return;
    std::erase_if(entry.candidates, [&](const Candidate& o) {
        return o.service == nullptr && (entry.service == nullptr || o.source == &source);
    });
    if (entry.service != nullptr) return;
    if (entry.candidates.empty()) entries_.erase(entries_.find(entry.name));
}

void Merge::onSourceChanged(Source& source) {
    // A change that is still being walked begins anew, from the first service.
    std::erase_if(changes_, [&](const Change& c) { return c.source == &source; });
    Change change{&source, {}};
    std::size_t left = kAtOnce;
    // The first 256 at once, the rest in slices: a source with thousands of services must not hold the turn
    // (hub.md 3.1).
    if (!lookAt(change, [&] { return options_.reactor == nullptr || --left != 0; })) return;
    changes_.push_back(std::move(change));
    lookOn();
}

template <class GoesOn>
bool Merge::lookAt(Change& change, GoesOn goesOn) {
    // By name, because entries come and go between the slices.
    for (auto at = entries_.upper_bound(change.after); at != entries_.end(); ++at) {
        // An offer that is away is none, whether or not its source is up.
        const bool concerned =
            change.source == nullptr || std::ranges::any_of(at->second.candidates, [&](const Candidate& c) {
                return c.source == change.source && c.service != nullptr;
            });
        if (!concerned) continue;
        evaluate(at->second, change.source);
        change.after = at->first;
        if (!goesOn()) return true;
    }
    return false;
}

void Merge::lookOn() {
    if (changeTimer_ != 0) return;
    changeTimer_ = options_.reactor->startTimer(reactor::Duration::zero(), [this] {
        changeTimer_ = 0;
        // 2 ms of each turn for all sources together (hub.md 3.1).
        const reactor::TurnShare::Piece piece(*reading_);
        while (!changes_.empty()) {
            if (lookAt(changes_.front(), [&] { return piece.left(); })) return lookOn();
            changes_.erase(changes_.begin());
        }
    });
}

void Merge::onSourceGone(Source& source) {
    sources_.erase(&source);
    std::erase_if(changes_, [&](const Change& c) { return c.source == &source; });
    for (auto at = entries_.begin(); at != entries_.end();) {
        Entry& entry = at->second;
        forget(entry, source);
        // A service that nobody offers any more and that never was, or was deleted with this offer.
        at = entry.service == nullptr && entry.candidates.empty() ? entries_.erase(at) : std::next(at);
    }
}

bool Merge::forgetNext(Source& source, std::string& after) {
    std::erase_if(changes_, [&](const Change& c) { return c.source == &source; });
    const auto mine = [&](const Candidate& c) { return c.source == &source; };
    for (auto at = entries_.upper_bound(after); at != entries_.end(); ++at) {
        Entry& entry = at->second;
        if (std::ranges::none_of(entry.candidates, mine)) continue;
        after = entry.name;
        forget(entry, source);
        dropUnoffered(entry);
        if (entry.service == nullptr && entry.candidates.empty()) entries_.erase(at);
        return true;
    }
    sources_.erase(&source);
    return false;
}

// --- other settings --------------------------------------------------------------------------------------------------

void Merge::onPoliciesChanged(bool all) {
    // What the configuration has again is not withdrawn, although its service is still there.
    for (const ServiceSettings& p : services_.policies())
        if (const auto at = entries_.find(p.name); at != entries_.end()) at->second.withdrawn = false;
    dropForgotten();
    start();
    if (!all) return;
    std::erase_if(changes_, [](const Change& c) { return c.source == nullptr; });
    Change change;
    std::size_t left = kAtOnce;
    if (!lookAt(change, [&] { return options_.reactor == nullptr || --left != 0; })) return;
    changes_.push_back(std::move(change));
    lookOn();
}

void Merge::dropUnoffered(Entry& entry) {
    if (entry.service == nullptr || !entry.candidates.empty() || entry.service->policy.fixed) return;
    // What clients have open stays, Suspect, as with a source that is lost: another one may offer it later.
    const bool watched = options_.watched && options_.watched(*entry.service);
    if (entry.withdrawn || (!watched && !entry.service->policy.keepServiceUp && !entry.service->shared))
        drop(entry, ServiceLog::Why::deleted);
    else entry.left = entry.left || watched;
}

/// Services that were kept for their items when their last source left the configuration, and have none any more.
void Merge::dropForgotten() {
    for (auto at = entries_.begin(); at != entries_.end();) {
        Entry& entry = at->second;
        if (entry.left) dropUnoffered(entry);
        at = entry.service == nullptr && entry.candidates.empty() ? entries_.erase(at) : std::next(at);
    }
}

void Merge::withdraw(std::string_view name) {
    const auto at = entries_.find(name);
    if (at == entries_.end() || at->second.service == nullptr) return;
    Entry& entry = at->second;
    entry.withdrawn = true;
    evaluate(entry, nullptr);
    if (entry.service != nullptr) return;
    std::erase_if(entry.candidates, [](const Candidate& c) { return c.service == nullptr; });
    if (entry.candidates.empty()) entries_.erase(at);
}

bool Merge::offered(std::string_view name, const std::function<bool(const Source&)>& leaves) const {
    const auto at = entries_.find(name);
    return at != entries_.end() && std::ranges::any_of(at->second.candidates, [&](const Candidate& c) {
               return (c.accepted || c.offers()) && !leaves(*c.source);
           });
}

template <class Why>
void Merge::refuse(OfSource& of, const Source& source, Why why) {
    ++counts_.refused;
    if (of.refused++ == 0 && options_.log)
        options_.log(Severity::warning,
                     "source '" + source.name() + "': " + why() + "; and so are those that follow like it");
}

void Merge::forget(Entry& entry, const Source& source) {
    const auto mine = [&](const Candidate& c) { return c.source == &source; };
    if (std::ranges::none_of(entry.candidates, mine)) return;
    for (Candidate& c : entry.candidates)
        if (mine(c)) c.service = nullptr;
    // Judged without its offers while it is still listed, so that rooms hear that the offer is lost.
    evaluate(entry, &source);
    std::erase_if(entry.candidates, mine);
    if (entry.service == nullptr) return;
    arrange(entry);
    announce(entry);
}

Service* Merge::serviceOf(const Source& source, std::uint16_t id) noexcept {
    const auto of = sources_.find(&source);
    if (of == sources_.end()) return nullptr;
    const auto name = of->second.names.find(id);
    if (name == of->second.names.end()) return nullptr;
    const auto entry = entries_.find(name->second);
    if (entry == entries_.end() || entry->second.service == nullptr) return nullptr;
    const Candidate* const c = find(entry->second, source, id);
    // A source that is ignored for this name serves nothing.
    return c != nullptr && c->accepted ? entry->second.service : nullptr;
}

// --- who belongs to a service ----------------------------------------------------------------------------------------

// The order matters: who is accepted, then the service, then the ranks, then what rooms and clients hear.
void Merge::evaluate(Entry& entry, const Source* news) {
    someGone_ = someGone_ || std::ranges::any_of(entry.candidates, [](const Candidate& c) { return !c.offers(); });
    judge(entry);
    if (entry.service == nullptr && !makeService(entry)) return;
    arrange(entry);
    tellRooms(entry, news);
    if (dropIfLost(entry)) return;
    announce(entry);
}

/// The first that is accepted stays so; the others are measured by it.
void Merge::judge(Entry& entry) {
    const Candidate* first = nullptr;
    for (const Candidate& c : entry.candidates)
        if (c.accepted && c.offers() && !ofMesh(c)) {
            first = &c;
            break;
        }
    // A source that was accepted once is measured again: its offer may have changed.
    for (Candidate& c : entry.candidates) {
        if (!c.offers()) continue;
        const char* const element = difference(entry, c, first);
        if (element == nullptr) {
            c.accepted = true;
            c.ignored = false;
            if (first == nullptr && !ofMesh(c)) first = &c;
            continue;
        }
        c.accepted = false;
        // Logged once for each run, not with every directory message.
        if (std::exchange(c.ignored, true)) continue;
        ++counts_.mismatches;
        if (options_.log)
            options_.log(Severity::warning,
                         "source '" + c.source->name() + "': service '" + entry.name + "' is left out: its " + element +
                             " differs from what " +
                             (first != nullptr && first != &c ? "source '" + first->source->name() + "' offers"
                                                              : std::string("the configuration allows")));
    }
}

const char* Merge::difference(const Entry& entry, const Candidate& c, const Candidate* first) const {
    const ServiceSettings& policy = services_.policyOf(entry.name);
    const bool published = c.source->kind().publishes;
    if (!published && !ofMesh(c) && !policy.sources.empty() &&
        std::ranges::find(policy.sources, c.source->name()) == policy.sources.end())
        // The service is restricted to named sources.
        return "source";
    // A name that is configured to be another service's, some time ago, is nobody else's.
    if (policy.delay.has_value() != c.source->kind().ofOtherService) return "kind of source";
    // What other hubs offer is used only while none of the hub's own sources is there, and need not be like theirs.
    if (first == nullptr || first == &c || ofMesh(c)) return nullptr;
    const rdm::ServiceInfo &a = first->service->info, &b = c.service->info;
    const std::vector<rdm::Qos> x = qosOf(a), y = qosOf(b);
    if (!std::equal(x.begin(), x.end(), y.begin(), y.end(), rdm::equal)) return "QoS";
    // A publisher need not say which dictionaries it uses.
    const auto names = [](const auto& list) { return list.has_value() && !list->empty(); };
    // Compared only if both say something.
    const bool said =
        (!published && !first->source->kind().publishes) || (names(a.dictionariesUsed) && names(b.dictionariesUsed));
    if (said && !sameNames(a.dictionariesUsed, b.dictionariesUsed)) return "DictionariesUsed";
    if (a.itemList.value_or("") != b.itemList.value_or("")) return "ItemList";
    return nullptr;
}

bool Merge::makeService(Entry& entry) {
    const ServiceSettings& policy = services_.policyOf(entry.name);
    const bool fixed = policy.fixed && policy.name == entry.name;
    const Candidate* first = nullptr;
    for (const Candidate& c : entry.candidates)
        if (c.accepted && c.offers() && first == nullptr) first = &c;
    if (first == nullptr && !fixed) return false;
    if (fixed || services_.size() < options_.maxServices)
        entry.service = services_.add(entry.name, fixed ? policy.fixed->id : first->id);
    if (entry.service == nullptr) {
        // It is looked at again with its next offer.
        Source* const source = first != nullptr ? first->source : nullptr;
        // Judged again with the next offer, when a service may have gone.
        for (Candidate& c : entry.candidates)
            c.accepted = false;
        if (source != nullptr)
            refuse(sources_[source], *source, [&] {
                return "service '" + entry.name + "' is left out: the hub has " + std::to_string(services_.size()) +
                       " services already (MaxServices)";
            });
        return false;
    }
    entry.withdrawn = false;
    entry.service->published = fixed;  // arrange() knows of publishers
    entry.service->delayed = !fixed && first->source->kind().ofOtherService;
    entry.service->shared = options_.shared && options_.shared(entry.name);
    entry.service->supply = roomOf(first != nullptr ? first->source->kind() : Source::kPublisher).supply;
    return true;
}

std::size_t Merge::rank(const Service& service, const Source& source) noexcept {
    const auto& order = service.policy.sources;
    const auto at = std::ranges::find(order, source.name());
    // Sources in the order of `Sources`; those that are not named follow in theirs.
    return at == order.end() ? order.size() + source.place() : static_cast<std::size_t>(at - order.begin());
}

void Merge::arrange(Entry& entry) {
    Service& service = *entry.service;
    service.offers.clear();
    service.publishers.clear();
    service.mesh = {};
    for (const Candidate& c : entry.candidates) {
        if (!c.accepted) continue;
        if (ofMesh(c)) {
            service.mesh = {c.source, c.id, c.source->up() ? c.service : nullptr, c.source->comesFirst(c.id)};
            continue;
        }
        const bool publisher = c.source->kind().publishes;
        if (publisher && c.service == nullptr) continue;
        service.published = service.published || publisher;
        std::vector<Offer>& offers = publisher ? service.publishers : service.offers;
        // Behind those of the same rank: a service has few offers.
        const auto behind = std::ranges::upper_bound(offers, rank(service, *c.source), {},
                                                     [&](const Offer& o) { return rank(service, *o.source); });
        // An offer of a source that is down stays in the list with a null service: it counts as a link.
        offers.insert(behind, {c.source, c.id, c.source->up() ? c.service : nullptr});
    }
}

void Merge::tellRooms(Entry& entry, const Source* news) {
    for (std::size_t i = 0; i < entry.candidates.size(); ++i) {
        Candidate& c = entry.candidates[i];
        OfferListener* const listener = roomOf(c.source->kind()).listener;
        const bool there = c.accepted && c.offers();
        // there remembers what the room has heard, so that each loss is said once.
        const bool was = std::exchange(c.there, there);
        if (listener == nullptr) continue;
        if (was && !there) listener->onOfferLost(*entry.service, *c.source, c.offers());
        else if (there && (!was || c.source == news)) listener->onOffer(*entry.service, *c.source);
    }
}

bool Merge::dropIfLost(Entry& entry) {
    Service& service = *entry.service;
    if (service.policy.fixed) return false;
    if (std::ranges::any_of(entry.candidates, [](const Candidate& c) { return c.accepted && c.offers(); }))
        return false;
    if (entry.withdrawn) {
        drop(entry, ServiceLog::Why::deleted);
        return true;
    }
    const bool watched = options_.watched && options_.watched(service);
    // A Delete makes consumers treat items as lost, so it is sent only when a person deleted the service, or the
    // configuration asks for it (hub.md 3.2).
    if (!service.policy.deleteLostServices && !(entry.deleted && service.published && !watched)) return false;
    drop(entry, entry.deleted ? ServiceLog::Why::deleted : ServiceLog::Why::lost);
    return true;
}

void Merge::drop(Entry& entry, ServiceLog::Why why) {
    Service& service = *entry.service;
    // The room ends the items first; the record of the service has to be there for that.
    if (OfferListener* const listener = closerOf(service)) listener->onServiceGone(service);
    const std::uint16_t id = service.id;
    const bool known = std::exchange(entry.added, false);
    if (options_.serviceLog != nullptr) options_.serviceLog->gone(service, why);
    entry.service = nullptr;
    entry.waits = 0;
    entry.wasUp = false;
    for (auto& part : entry.told)
        part.clear();
    services_.remove(service);
    // A service that clients never heard of needs no delete.
    if (known && !serviceChanges_.tellNow([&] { clients_.onServiceDeleted(id); })) serviceChanges_.put({}, id);
    count(entry);
}

void Merge::makeRoom() {
    // someGone_ keeps a full table from being searched again and again in vain.
    if (services_.size() < options_.maxServices || !std::exchange(someGone_, false)) return;
    std::size_t left = kAtOnce;
    for (auto at = entries_.begin(); at != entries_.end();) {
        Entry& entry = at->second;
        const bool lost = entry.service != nullptr && !entry.service->policy.fixed &&
                          std::ranges::none_of(entry.candidates, [](const Candidate& c) { return c.offers(); });
        if (lost && entry.service->items == 0 && left != 0) {
            drop(entry, ServiceLog::Why::room);
            --left;
            // Remembered for the next call.
        } else someGone_ = someGone_ || lost;  // its items may have gone by the next time
        if (entry.service == nullptr) std::erase_if(entry.candidates, [](const Candidate& c) { return !c.offers(); });
        at = entry.service == nullptr && entry.candidates.empty() ? entries_.erase(at) : std::next(at);
    }
}

// --- what clients get ------------------------------------------------------------------------------------------------

/// What requests are checked against is right at once.
void Merge::announce(Entry& entry) {
    // At once while the turn has time and nothing of this service waits.
    if (entry.waits == 0 && serviceChanges_.tellNow([&] { tellNow(entry); })) return;
    // Requests are checked against the merged service, so state or facts must be right before clients hear of them.
    if (entry.added) composeState(entry);
    else composeFacts(entry);
    count(entry);
    if (entry.waits == 0) entry.waits = serviceChanges_.put(entry.name);
}

void Merge::tell(const ServiceChange& change) {
    if (change.service.empty()) return clients_.onServiceDeleted(change.gone);
    const auto at = entries_.find(change.service);
    // A later change of the service has a number of its own; the earlier one is covered by it.
    if (at != entries_.end() && at->second.waits == change.number) tellNow(at->second);
}

void Merge::tellNow(Entry& entry) {
    entry.waits = 0;
    compose(entry);
    tellClients(entry);
}

void Merge::compose(Entry& entry) const {
    composeFacts(entry);
    composeLinks(entry);
}

void Merge::composeFacts(const Entry& entry) const {
    Service& service = *entry.service;
    const rdm::Service* first = nullptr;
    for (const auto* const offers : inOrder(service))
        for (const Offer& o : *offers)
            if (o.service != nullptr && first == nullptr) first = o.service;
    if (first == nullptr) first = service.mesh.service;
    if (first == nullptr && service.policy.fixed) first = &*service.policy.fixed;
    if (first != nullptr) composeInfo(entry, first);  // what was said of a service stays while nobody offers it
    composeState(entry);
    service.merged.load = {};
    // Limits of the upstream bind the hub's own requests and are not passed on (hub.md 3.1).
    service.merged.load.openLimit = service.policy.openLimit;
    service.merged.load.openWindow = service.policy.openWindow;
    service.merged.filters = Filter::info | Filter::state;
    if (service.policy.openLimit || service.policy.openWindow) service.merged.filters |= Filter::load;
}

void Merge::composeInfo(const Entry& entry, const rdm::Service* first) const {
    Service& service = *entry.service;
    rdm::ServiceInfo& info = service.merged.info;
    info = first->info;
    info.name = service.name;
    std::size_t sources = 0;
    const auto unite = [&](const Offer& o) {
        if (o.service == nullptr) return;
        // Capabilities are united: an item goes only to a source that has its domain.
        ++sources;
        for (const std::uint8_t domain : o.service->info.capabilities)
            if (!info.supportsDomain(domain)) info.capabilities.push_back(domain);
        for (const rdm::Qos& q : qosOf(o.service->info))
            if (std::ranges::none_of(info.qos, [&](const rdm::Qos& have) { return rdm::equal(have, q); }))
                info.qos.push_back(q);
    };
    for (const auto* const offers : inOrder(service))
        std::ranges::for_each(*offers, unite);
    // What other hubs alone have can be asked for, beside what publishers have sent.
    if (service.published && service.mesh.service != nullptr) unite(service.mesh);
    rdm::sortBestFirst(info.qos);
    if (info.qos.size() > 1) info.qosRange = true;
    // Merged from several, so no client gets it straight from the source.
    if (sources > 1) info.isSource = false;
    info.dictionariesProvided = options_.dictionaries;
    // Whatever the sources take, the hub takes it itself (hub.md 2.2).
    info.consumerStatus = true;
    const bool cached = std::ranges::any_of(info.capabilities, [&](std::uint8_t d) { return service.keeps(d); });
    if (cached) info.outOfBandSnapshots = true;
    // Who lists dictionaries has their domain: consumers do not ask a service for a domain that it does not list.
    if (info.dictionariesProvided && !info.dictionariesProvided->empty() &&
        !info.supportsDomain(eta::codec::kDictionaryDomain))
        info.capabilities.push_back(eta::codec::kDictionaryDomain);
}

void Merge::composeState(const Entry& entry) const {
    Service& service = *entry.service;
    const auto& capabilities = service.merged.info.capabilities;
    // KeepServiceUp: cached items are served while no source is up (hub.md 3.1).
    const bool kept = service.policy.keepServiceUp &&
                      std::ranges::any_of(capabilities, [&](std::uint8_t d) { return service.keeps(d); });
    bool up = kept, accepting = kept;
    if (service.policy.fixed) {
        up = up || service.policy.fixed->state.up;
        accepting = accepting || service.policy.fixed->state.acceptingRequests();
    }
    for (const Offer& o : service.offers) {
        if (!o.usable()) continue;
        up = true;
        accepting = accepting || o.service->state.acceptingRequests();
    }
    // What publishers sent is served from here, whether or not they take requests themselves.
    if (std::ranges::any_of(service.publishers, [](const Offer& o) { return o.usable(); })) up = accepting = true;
    if (service.mesh.usable()) {
        up = true;
        accepting = accepting || service.mesh.service->state.acceptingRequests();
    }
    service.merged.state = {};
    service.merged.state.up = up;
    service.merged.state.accepting = accepting && !draining_;
}

void Merge::composeLinks(const Entry& entry) const {
    Service& service = *entry.service;
    const std::vector<rdm::ServiceLink> before = std::move(service.merged.links);
    service.merged.links.clear();
    // By name: a service may have thousands of publishers, and each that comes or goes has all links composed anew.
    std::unordered_map<std::string_view, const rdm::ServiceLink*> links;
    for (const rdm::ServiceLink& link : before)
        links.emplace(link.name, &link);
    const auto add = [&](const Offer& o) {
        rdm::ServiceLink link;
        link.name = o.source->name();
        link.type = 1;
        link.state = o.usable() ? 1 : 0;
        const auto known = links.find(link.name);
        const rdm::ServiceLink* const was = known != links.end() ? known->second : nullptr;
        // A source that comes back, or comes at all, is ready at once; one that went is being waited for.
        const bool lost = link.state == 0 && was != nullptr;
        // Codes of a link: 1 up, 2 recovery started, 3 recovery completed (hub.md 3.1).
        link.code = link.state == 1 ? (was != nullptr && (was->state == 0 || was->code == 3u) ? 3 : 1) : (lost ? 2 : 0);
        link.text = link.state == 1 ? "" : "the source is away";
        service.merged.links.push_back(std::move(link));
    };
    for (const auto* const offers : inOrder(service))
        std::ranges::for_each(*offers, add);
    if (service.mesh.source != nullptr) add(service.mesh);
    if (!service.merged.links.empty()) service.merged.filters |= Filter::link;
}

void Merge::tellClients(Entry& entry) {
    Service& service = *entry.service;
    std::uint32_t changed = 0;
    // Each filter is compared as encoded bytes with what clients have: only changed filters are sent (hub.md 3.2).
    for (std::size_t f = 0; f < entry.told.size(); ++f) {
        const std::uint32_t filter = 1u << f;
        std::vector<std::byte>& before = entry.told[f];
        if (!service.merged.has(filter)) {
            before.clear();
            continue;
        }
        if (!rdm::Directory::encodeService(part_.start(), service.merged, filter).ok()) continue;
        const Bytes now = part_.view();
        if (std::ranges::equal(now, before)) continue;
        before.assign(now.begin(), now.end());
        changed |= filter;
    }
    const bool up = service.up(), wasUp = std::exchange(entry.wasUp, up);
    count(entry);
    if (options_.serviceLog != nullptr && (up != wasUp || !entry.added)) options_.serviceLog->turned(service);
    if (!std::exchange(entry.added, true)) return clients_.onServiceAdded(service);
    if (up && !wasUp) changed |= Filter::info;  // some forget what they knew of a service that went down (hub.md 3.2)
    if (changed != 0) clients_.onServiceChanged(service, changed);
}

void Merge::count(Entry& entry) noexcept {
    const bool there = entry.service != nullptr, up = there && entry.service->up();
    // Two levels, services and services that are up, kept right by differences.
    if (there != std::exchange(entry.counted, there)) there ? counts_.services += 1 : counts_.services -= 1;
    if (up != std::exchange(entry.countedUp, up)) up ? counts_.up += 1 : counts_.up -= 1;
}

}  // namespace emissary::hub::directory
