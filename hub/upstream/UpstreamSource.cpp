// Follows one connection: login, directory, dictionaries, and the items whose answers it receives.
#include "hub/upstream/UpstreamSource.h"

#include "reactor/metrics/Snapshot.h"
#include "reactor/rdm/Qos.h"

#include <algorithm>
#include <utility>

namespace emissary::hub::upstream {

using namespace eta::codec;
namespace rdm = reactor::rdm;
using reactor::consumer::ConsumerOptions;
using reactor::consumer::ConsumerRole;
using reactor::session::ConnectionEvent;
using reactor::session::Recipient;
using reactor::session::Refusal;

namespace {

/// A login that was refused is tried again: an upstream that was set right must not wait for somebody here.
constexpr std::chrono::seconds kAfterRefusal{60};

void* closureOf(const Item& item) noexcept {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(item.generation) << 32 | item.index);
}

[[nodiscard]] eta::Error outcome(const Refusal& refusal) {
    if (!refusal) return {};
    return {refusal.kind == Refusal::Kind::noBuffers ? eta::Errc::noBuffers : eta::Errc::closed, 0};
}

/// Of a private request: a rate that only the hub offers is none that the source has, so that the source's own QoS at
/// that place goes in its place.
void nameOwnQos(Msg& m, const std::vector<Qos>& own, std::size_t place) noexcept {
    if (!m.has(RequestFlag::qos) || rdm::chooseQos(own, &m.qos, m.has(RequestFlag::worstQos) ? &m.worstQos : nullptr))
        return;
    m.flags &= static_cast<std::uint16_t>(~RequestFlag::worstQos);
    m.qos = own.empty() ? kRealtimeTickByTick : own[std::min(place, own.size() - 1)];
}

/// `download`: the hub has no dictionary of its own, and takes that of this source.
[[nodiscard]] ConsumerOptions optionsOf(const SourceSettings& settings, bool download) {
    ConsumerOptions o;
    for (std::size_t i = 0; i < settings.channels.size(); ++i) {
        auto& channel = o.channels.emplace_back();
        channel.name = i < settings.channelNames.size() ? settings.channelNames[i] : settings.name;
        channel.connect = settings.channels[i];
    }
    o.reconnect = settings.reconnect;
    o.login.userName = settings.userName;
    o.login.enableRtt = true;
    o.login.recoversFirst = true;
    rdm::LoginAttributes a;
    a.applicationId = settings.applicationId;
    a.applicationName = "emissary-hub";
    if (!settings.position.empty()) a.position = settings.position;
    // The hub recovers items itself, from any of its sources. With single open the role would ask the same source
    // again, and with suspect data refused it would end streams that another source may go on with (hub.md 4).
    a.singleOpen = 0;
    a.allowSuspectData = 1;
    a.permissionExpressions = 1;
    reactor::GrowingBuffer encoded;
    if (rdm::encodeLogin(encoded.start(), a).ok())
        o.login.attributes.assign(encoded.view().begin(), encoded.view().end());
    o.requestTimeout = o.directory.timeout = settings.requestTimeout;
    o.downloadDictionaries = download;
    o.obeyOpenWindow = false;  // the supply throttles
    o.msgKeyInUpdates = false;
    o.relay = true;
    return o;
}

}  // namespace

UpstreamSource::UpstreamSource(const SourceSettings& settings, std::uint16_t number, const UpstreamRooms& rooms,
                               bool download)
    : Source(kUpstream, settings.name, number), settings_(settings), rooms_(rooms), download_(download),
      health_(rooms.reactor, settings.name, rooms.log), end_(rooms.reactor, rooms.listener, *this) {
    metrics_.emplace(rooms.reactor, [this](reactor::metrics::Snapshot& into) {
        into.add(counts_, {{"source", name()}});
    });
    makeRole();
}

UpstreamSource::~UpstreamSource() {
    ending_ = true;
    rooms_.reactor.cancelTimer(again_);
    while (Item* const item = rooms_.items.anyOf(*this))
        rooms_.items.leave(*item);
}

void UpstreamSource::makeRole() {
    ConsumerOptions o = optionsOf(settings_, download_);
    o.directoryListener = this;
    o.directory.share = rooms_.merge.readingShare();
    role_ = std::make_unique<ConsumerRole>(rooms_.reactor, std::move(o), static_cast<ClientSink&>(*this));
    role_->setSpareDictionary(spare_);
    Msg m;
    m.cls = MsgClass::Request;
    m.domain = kLoginDomain;
    Refusal refusal;
    login_ = role_->registerClient({m, {}}, {&loginClient_, nullptr, 0}, refusal);
}

void UpstreamSource::start() {
    role_->start();
}

void UpstreamSource::shutdown() {
    ending_ = true;
    there_ = false;
    role_->shutdown();
}

// --- other settings --------------------------------------------------------------------------------------------------

void UpstreamSource::change(const SourceSettings& next) {
    const bool same = next.sameConnection(settings_);
    settings_ = next;
    if (same) return;
    rooms_.reactor.cancelTimer(std::exchange(again_, 0));
    end_.begin(*role_, "the configuration has other parameters of the connection", [this] {
        barred_ = false;  // another server may have other dictionaries
        makeRole();
        role_->start();
    });
}

void UpstreamSource::leave(std::function<void()> gone) {
    metrics_.reset();  // another one may have its name from now on
    rooms_.reactor.cancelTimer(std::exchange(again_, 0));
    end_.begin(*role_, "the configuration has this source no more", [this, gone = std::move(gone)]() mutable {
        rooms_.listener.afterLosses(*this, [this, gone = std::move(gone), after = std::string()]() mutable {
            if (rooms_.merge.forgetNext(*this, after)) return true;
            end_.soon(std::move(gone));
            return false;
        });
    });
}

// --- how the connection fares ----------------------------------------------------------------------------------------

void UpstreamSource::onConnection(ConnectionEvent event, const std::string& text) {
    if (ending_) return;
    health_.connection(event, text);
    if (event == ConnectionEvent::ready && rooms_.dictionaries) rooms_.dictionaries(*this);
    if (event == ConnectionEvent::closed && again_ == 0 && !end_.underWay()) beginAgain();
}

void UpstreamSource::beginAgain() {
    again_ = rooms_.reactor.startTimer(kAfterRefusal, [this] {
        again_ = 0;
        if (!role_->directory().empty()) return beginAgain();  // what it listed is still being taken back
        makeRole();
        role_->start();
    });
}

void UpstreamSource::onWarning(const std::string& text) {
    health_.warning(text);
}

void UpstreamSource::onDirectory(bool there) {
    if (ending_) return;
    if (there) {
        rooms_.groupStates.flush();
        return setThere(true);
    }
    setThere(false);
}

void UpstreamSource::setThere(bool there) {
    if (std::exchange(there_, there) == there) return;
    if (there) {
        const reactor::Link* const link = role_->link();
        json_ = link != nullptr && link->info().protocolType == eta::transport::kProtocolJson;
        return rooms_.merge.onSourceChanged(*this);
    }
    ++counts_.losses;
    rooms_.acks.onSourceLost(*this);  // its services go one by one (onServiceDeleted)
}

Source::Health UpstreamSource::health() const {
    Health health = health_.now();
    if (paused_ && there_) health.reason = "an operator has paused it";
    health.speaksJson = json_;
    return health;
}

void UpstreamSource::pause(bool paused) {
    if (std::exchange(paused_, paused) == paused || !there_) return;
    rooms_.merge.onSourceChanged(*this);
}

void UpstreamSource::bar(bool barred) {
    if (std::exchange(barred_, barred) == barred || !there_) return;
    rooms_.merge.onSourceChanged(*this);
}

// --- what the directory says -----------------------------------------------------------------------------------------

void UpstreamSource::onServiceAdded(const rdm::Service& service) {
    onServiceChanged(service, service.filters);
}

void UpstreamSource::onServiceChanged(const rdm::Service& service, std::uint32_t changed) {
    if (ending_) return;
    // A large directory is taken over in steps, each service as it comes: items of the first services need not wait for
    // the last.
    setThere(true);  // its directory has come, or begins to
    rooms_.merge.onOffer(*this, service, changed);
}

void UpstreamSource::onServiceDeleted(const rdm::Service& service) {
    if (!ending_) rooms_.merge.onOfferGone(*this, service.id, there_);
}

directory::GroupStates::Hooks UpstreamSource::hooks() {
    return {[this](Item& item, const State& state) { rooms_.listener.onGroupEnd(*this, item, state); },
            [this](Item& item, const State&) { return rooms_.listener.onGroupSuspect(*this, item); }};
}

void UpstreamSource::onServiceStatus(const rdm::Service& service, const State& state) {
    if (ending_) return;
    Service* const local = rooms_.merge.serviceOf(*this, service.id);
    if (local == nullptr) return;
    rooms_.listener.onSecondStates(*this, *local, nullptr, state);
    rooms_.groupStates.onServiceStatus(*this, *local, state, hooks());
}

void UpstreamSource::onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) {
    if (ending_) return;
    Service* const local = rooms_.merge.serviceOf(*this, service.id);
    if (local == nullptr) return;
    rooms_.listener.onSecondsMerged(*this, *local, group, into);
    rooms_.groupStates.onGroupMerged(*this, *local, group, into);
}

void UpstreamSource::onGroupStatus(const rdm::Service& service, Bytes group, const State& state) {
    if (ending_) return;
    Service* const local = rooms_.merge.serviceOf(*this, service.id);
    if (local == nullptr) return;
    rooms_.listener.onSecondStates(*this, *local, &group, state);
    rooms_.groupStates.onGroupStatus(*this, *local, group, state, hooks());
}

// --- messages --------------------------------------------------------------------------------------------------------

void UpstreamSource::onMessage(const Msg& msg, const Recipient& to, std::string_view) {
    if (to.client == &item_) [[likely]] {
        const auto closure = reinterpret_cast<std::uintptr_t>(to.closure);
        ++counts_.messages;
        counts_.bytes += msg.raw.size();
        Item* const item =
            rooms_.items.find(static_cast<std::uint32_t>(closure), static_cast<std::uint32_t>(closure >> 32));
        if (item == nullptr || ending_) return void(++counts_.stray);
        return onItem(*item, msg, to.handle);
    }
    if (msg.cls == MsgClass::Ack && !ending_) rooms_.acks.onAck(*this, nullptr, msg);
}

/// The record first, and two messages later what it leads to.
void UpstreamSource::onExpected(const void* client, const void* closure) noexcept {
    if (client != &item_) return;
    const auto number = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(closure));
    rooms_.items.prefetch(number);
    if (const Item* const item = rooms_.items.peek(expected_[0]); item != nullptr) rooms_.flow.prefetch(*item);
    expected_ = {expected_[1], number};
}

void UpstreamSource::onItem(Item& item, const Msg& msg, Handle handle) {
    if (item.source != this || item.upstream != handle) [[unlikely]]
        return rooms_.listener.onOtherStream(*this, item, handle, msg);
    switch (msg.cls) {
    case MsgClass::Update:
        if (item.compared) [[unlikely]]
            rooms_.listener.onCompared(item, msg);
        return rooms_.flow.received(item, msg);
    case MsgClass::Generic:
        return rooms_.flow.received(item, msg);
    case MsgClass::Refresh:
    case MsgClass::Status:
        return rooms_.listener.onAnswer(*this, item, msg);
    case MsgClass::Ack:
        return rooms_.acks.onAck(*this, &item, msg);
    default:
        return;
    }
}

bool UpstreamSource::takesPosts() const noexcept {
    return up() && role_->provider().supportPost.value_or(0) != 0;
}

bool UpstreamSource::takesViews() const noexcept {
    return role_->provider().supportView.value_or(0) != 0;
}

eta::Error UpstreamSource::post(const Client& /*client*/, Item* item, std::uint16_t service, Msg& msg) {
    if (item != nullptr) {
        Service* const local = rooms_.services.find(item->service);
        const Offer* const offer = local != nullptr ? local->offerOf(*this) : nullptr;
        if (item->source != this || item->upstream == 0 || offer == nullptr) return {eta::Errc::closed, 0};
        if (msg.hasKey() && msg.key.has(KeyFlag::serviceId)) msg.key.serviceId = offer->id;
        return outcome(role_->submitPost(item->upstream, msg, {}));
    }
    const Service* const local = rooms_.services.find(service);
    if (local == nullptr || !up()) return {eta::Errc::closed, 0};
    msg.key.flags &= static_cast<std::uint16_t>(~KeyFlag::serviceId);
    return outcome(role_->submitPost(login_, msg, local->name));
}

eta::Error UpstreamSource::generic(Item* item, Msg& msg) {
    if (item != nullptr && (item->source != this || item->upstream == 0)) return {eta::Errc::closed, 0};
    // Without an item the key has this source's number of the service already (post::GenericRouter).
    if (item != nullptr && msg.hasKey() && msg.key.has(KeyFlag::serviceId)) {
        Service* const local = rooms_.services.find(item->service);
        const Offer* const offer = local != nullptr ? local->offerOf(*this) : nullptr;
        if (offer == nullptr) return {eta::Errc::closed, 0};
        msg.key.serviceId = offer->id;
    }
    return outcome(role_->submitGeneric(item != nullptr ? item->upstream : login_, msg));
}

eta::Error UpstreamSource::sayUses(std::span<const rdm::UsedService> services) {
    reactor::GrowingBuffer payload(64);
    Msg m;
    if (const eta::Error e = rdm::makeConsumerStatus(m, services, payload); !e.ok()) return e;
    Msg request;
    request.cls = MsgClass::Request;
    request.domain = kDirectoryDomain;
    request.key.flags = KeyFlag::filter;
    request.key.filter = rdm::DirectoryFilter::info;
    Refusal refusal;
    const Handle handle = role_->registerClient({request, {}}, {&loginClient_, nullptr, 0}, refusal);
    if (handle == 0) return outcome(refusal);
    const eta::Error e = outcome(role_->submitGeneric(handle, m));
    (void)role_->unregister(handle);
    return e;
}

// --- requests --------------------------------------------------------------------------------------------------------

void UpstreamSource::compose(Msg& m, const Item& item, const Ask& ask) {
    if (item.is(Item::isPrivate) && item.extras && !item.extras->request.empty() &&
        decodeMsg(item.extras->request, m).ok()) {
        // As the client made it (hub.md 5.6), but for the key in updates, which goes in on the way to the client.
        m.flags &= static_cast<std::uint16_t>(~RequestFlag::msgKeyInUpdates);
        if (const Service* const service = rooms_.services.find(item.service); service != nullptr)
            nameOwnQos(m, service->merged.info.qos, ask.qos);
        return;
    }
    m.cls = MsgClass::Request;
    m.domain = item.domain;
    m.key = item.msgKey();
    if (!ask.name.empty()) m.key.name = ask.name;
    if (ask.streaming) m.flags |= RequestFlag::streaming;
    if (item.is(Item::isPrivate)) m.flags |= RequestFlag::privateStream;
    if (item.is(Item::qualified)) m.flags |= RequestFlag::qualified;
    if (ask.confInfo) m.flags |= RequestFlag::confInfoInUpdates;
    if (ask.priorityClass != 1 || ask.priorityCount != 1) {
        m.flags |= RequestFlag::priority;
        m.priorityClass = ask.priorityClass;
        m.priorityCount = ask.priorityCount;
    }
    if (const Service* const service = ask.qos == 0 ? nullptr : rooms_.services.find(item.service);
        service != nullptr && ask.qos < service->merged.info.qos.size()) {
        m.flags |= RequestFlag::qos;
        m.qos = service->merged.info.qos[ask.qos];
    }
    if (ask.view == nullptr) return;
    ElementListEncoder list;
    list.begin(view_.start());
    ask.view->encode(list);
    if (!list.complete().ok()) return;
    m.flags |= RequestFlag::view;
    m.containerType = DataType::ElementList;
    m.payload = view_.view();
}

Handle UpstreamSource::request(Item& item, const Offer& offer, const Ask& ask, std::string& why) {
    Msg m;
    compose(m, item, ask);
    m.flags &= static_cast<std::uint16_t>(~RequestFlag::noRefresh);
    if (ask.paused) m.flags |= RequestFlag::pause;
    m.key.flags |= KeyFlag::serviceId;
    m.key.serviceId = offer.id;
    Refusal refusal;
    const Handle handle = role_->registerClient({m, {}}, {&item_, closureOf(item), 0}, refusal);
    why = refusal.text;
    return handle;
}

void UpstreamSource::reissue(Handle handle, const Item& item, const Ask& ask, bool wantsRefresh) {
    Msg m;
    compose(m, item, ask);
    m.key.flags &= static_cast<std::uint16_t>(~KeyFlag::serviceId);
    m.flags &= static_cast<std::uint16_t>(~(RequestFlag::noRefresh | RequestFlag::qos | RequestFlag::worstQos));
    if (!wantsRefresh) m.flags |= RequestFlag::noRefresh;
    // Said in any case: the source keeps what it heard last, and the role tells it only of a change.
    m.flags |= RequestFlag::priority;
    m.priorityClass = ask.priorityClass;
    m.priorityCount = ask.priorityCount;
    if (ask.paused) m.flags |= RequestFlag::pause;
    (void)role_->reissue(handle, {m, {}});  // refused only when the stream is over, which is told by its end
}

void UpstreamSource::close(Handle handle) {
    (void)role_->unregister(handle);
}

}  // namespace emissary::hub::upstream
