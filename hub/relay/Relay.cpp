// Sends messages and changes of mounts to the fronts, and notices which of them fall behind.
#include "hub/relay/Relay.h"

#include "hub/client/Listener.h"
#include "hub/core/ViewTable.h"
#include "hub/core/live.h"
#include "hub/fanout/outgoing.h"
#include "hub/relay/RelayedConnections.h"

#include <bit>
#include <new>

#include <sys/epoll.h>

namespace emissary::hub::relay {

using namespace eta::codec;
using Kind = ToFront::Kind;

namespace {

constexpr std::size_t kRecordsATurn = 1024;
constexpr std::uint32_t kFewMounts = 64;
constexpr std::uint16_t kEverything = Mount::keyInUpdates | Mount::confInfo;  // that a mount may want
constexpr std::uint64_t kRingEvery = 1024;  // a front begins while a long turn goes on

[[nodiscard]] FrontOptions frontOptions(const RelayOptions& o, std::size_t number) {
    FrontOptions made;
    made.name = "hub-f" + std::to_string(number + 1);
    made.instance = o.instance;
    if (number < o.cpus.size()) made.cpu = o.cpus[number];
    made.clock = o.clock;
    made.slow = o.slow;
    return made;
}

/// Which fronts, and which parts of updates, are wanted: exactly.
void count(const Item& item, ItemSide& side, ClientTable& clients) noexcept {
    side.fronts = 0;
    side.wants = 0;
    for (std::uint32_t at = 0; at < item.mountCount; ++at) {
        side.fronts |= std::uint64_t{1} << clients[item.mounts[at].client].front;
        side.wants |= item.mounts[at].flags & (Mount::keyInUpdates | Mount::confInfo);
    }
    side.inexact = false;
}

/// Of those that have not come to stand among the quiet ones yet.
void markMissed(Item& item, ClientTable& clients) noexcept {
    for (std::uint32_t at = 0; at < item.liveCount; ++at) {
        Mount& mount = item.mounts[at];
        if (!awaitsImage(mount) && !flows(mount, clients[mount.client])) mount.set(Mount::missed, true);
    }
}

}  // namespace

Relay::Line::Line(Relay& r, const FrontOptions& options) : relay(r), front(std::make_unique<Front>(options, bell)) {}

Relay::Relay(reactor::Reactor& reactor, ClientTable& clients, const ViewTable& views, const RelayOptions& options)
    : TurnEnd(reactor), MemoryOwner(reactor), reactor_(reactor), clients_(clients), views_(views),
      mostAhead_(options.slow.unreadAbove() / 2),
      metrics_(reactor, [this](reactor::metrics::Snapshot& into) { collect(into); }) {
    std::vector<const Progress*> rings;
    for (std::size_t i = 0; i < options.fronts && i < kMostFronts; ++i) {
        Line& line = fronts_.emplace_back(*this, frontOptions(options, i));
        rings.push_back(&line.front->toFront());
        reactor.watch(line.bell.fd(), EPOLLIN, line);
    }
    log_ = std::make_unique<MessageLog>(std::move(rings));
}

Relay::~Relay() {
    stop();
    for (const Line& line : fronts_)
        reactor_.unwatch(line.bell.fd());
}

void Relay::start() {
    for (Line& line : fronts_)
        line.front->start();
}

void Relay::stop() noexcept {
    for (Line& line : fronts_)
        line.front->stop();
}

std::unique_ptr<client::Connections> Relay::make(const reactor::ProviderOptions& options, client::Listener& listener) {
    const auto number = static_cast<std::uint8_t>(listeners_.size());
    listeners_.push_back(&listener);
    forEachFront([&](Front& front) { front.addPort(number, listener.name(), options, listener.expandsEnums()); });
    return std::make_unique<RelayedConnections>(*this, number);
}

void Relay::setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
    forEachFront([&](Front& front) { front.setDictionary(dictionary); });
}

/// Those of the fronts add up to one hub's. Their roles count with their session locks held, and put levels together
/// when they are asked.
void Relay::collect(reactor::metrics::Snapshot& into) {
    counts_.logBytes = log_->bytes();
    into.add(counts_);
    bool first = true;
    forEachFront([&](const Front& front) { front.collect(into, std::exchange(first, false)); });
}

// --- to fronts -------------------------------------------------------------------------------------------------------

/// A front never waits for the stage, so this wait ends.
void Relay::push(Front& front, const ToFront& record) noexcept {
    Ring<ToFront>& ring = front.toFront();
    ++counts_.records;
    if (!ring.tryPush(record)) [[unlikely]] {
        ++counts_.waits;
        for (;;) {
            if (!front.running()) {
                delete record.extra;  // the hub ends
                return;
            }
            const std::uint64_t passed = ring.passed();
            if (ring.tryPush(record)) break;
            front.bell().ring();
            ring.waitBeyond(passed);
        }
    }
    if (ring.pushed() % kRingEvery == 0) front.bell().ring();
}

void Relay::pushTo(std::uint64_t fronts, const ToFront& record) noexcept {
    for (; fronts != 0; fronts &= fronts - 1)
        push(*fronts_[static_cast<std::size_t>(std::countr_zero(fronts))].front, record);
}

void Relay::onTurnEnd() noexcept {
    for (Line& line : fronts_) {
        const std::uint64_t pushed = line.front->toFront().pushed();
        if (std::exchange(line.rung, pushed) != pushed) line.front->bell().ring();
    }
}

std::span<std::byte> Relay::room(std::size_t bytes) {
    if (log_->waiting() > kMostWaiting) [[unlikely]] {
        log_->recycle();
        if (log_->waiting() > kMostWaiting) {
            ++counts_.waits;
            for (const Line& line : fronts_) {
                const Ring<ToFront>& ring = line.front->toFront();
                while (line.front->running() && ring.passed() + Front::kToFront / 16 < ring.pushed()) {
                    line.front->bell().ring();
                    ring.waitBeyond(ring.passed());
                }
            }
            log_->recycle();
        }
    }
    return log_->room(bytes);
}

Bytes Relay::encode(const Msg& msg) {
    eta::BeWriter out(room(maxEncodedSize(msg)));
    return encodeMsg(out, msg).ok() ? log_->keep(out.size()) : Bytes{};
}

/// The form that most mounts get; a front makes the others from it.
Bytes Relay::write(const Item& item, const Msg& msg, std::uint16_t wants) {
    if (fanout::lacksKey(msg, wants))
        return encode(fanout::changed(msg, item.service, wants, [&] { return item.msgKey(); }));
    const std::uint16_t taken = fanout::takenFrom(msg, wants);
    if (!fanout::goesAsReceived(msg, item.service, taken)) return encode(fanout::changed(msg, item.service, taken));
    const std::span<std::byte> to = room(msg.raw.size());
    std::memcpy(to.data(), msg.raw.data(), msg.raw.size());
    return log_->keep(msg.raw.size());
}

bool Relay::live(const Mount& mount) noexcept {
    return !awaitsImage(mount) && flows(mount, clients_[mount.client]);
}

/// A front without mounts may get updates of the item for a while: an item with many mounts is not counted again
/// before half of its mounts have gone.
void Relay::look(Item& item, ItemSide& side) {
    side.touched = false;
    if (item.mountCount <= kFewMounts || side.inexact) count(item, side, clients_);
    bool quiet = false;
    for (std::uint32_t at = 0; at < item.liveCount; ++at) {
        Mount& mount = item.mounts[at];
        const bool isLive = live(mount);
        quiet = quiet || (!isLive && !mount.is(Mount::missed));
        if (isLive != mount.is(Mount::mirroredLive)) mirror(item, mount, isLive);
    }
    side.quiet = quiet;
}

void Relay::mirror(const Item& item, Mount& mount, bool isLive) noexcept {
    const Client& client = clients_[mount.client];
    mount.set(Mount::mirroredLive, isLive);
    ToFront r = recordFor(client, isLive ? Kind::live : Kind::quiet);
    r.item = item.index;
    r.stream = mount.stream;
    push(client, r);
}

void Relay::quietened(Item& item, Mount& mount) noexcept {
    if (mount.is(Mount::mirroredLive)) mirror(item, mount, false);
}

void Relay::send(Item& item, const Msg& msg, To to) {
    ItemSide* const side = sides_.find(item);
    if (side == nullptr) return;
    if (side->touched) look(item, *side);
    if (to == To::live && std::exchange(side->quiet, false)) markMissed(item, clients_);
    const Bytes bytes = write(item, msg, side->wants);
    if (bytes.empty()) return void(++counts_.unsent);
    ToFront r;
    r.item = item.index;
    r.bytes = bytes.data();
    r.length = static_cast<std::uint32_t>(bytes.size());
    if (to == To::live || to == To::all || (to == To::settled && !item.is(Item::waitingMounts))) {
        r.kind = to == To::live ? Kind::update : Kind::everybody;
        r.handle = static_cast<std::uint64_t>(reactor_.now().time_since_epoch().count());
        return pushTo(side->fronts, r);
    }
    r.kind = Kind::mount;
    for (std::uint32_t at = 0; at < item.mountCount; ++at) {
        const Mount& mount = item.mounts[at];
        if (mount.is(Mount::waiting) != (to == To::waiting)) continue;
        const Client& client = clients_[mount.client];
        r.client = client.slot;
        r.stream = mount.stream;
        push(client, r);
    }
}

/// With all that a mount may want: another one may get the same bytes, and fronts take what is too much.
void Relay::send(Item& item, const Mount& mount, const Msg& msg) {
    last_ = write(item, msg, kEverything);
    sendToo(item, mount, msg);
}

/// Nothing was written to the log meanwhile, so its bytes are there still.
void Relay::sendToo(Item& item, const Mount& mount, const Msg&) {
    const Bytes bytes = last_;
    if (bytes.empty()) return void(++counts_.unsent);
    const Client& client = clients_[mount.client];
    ToFront r = recordFor(client, Kind::mount);
    r.item = item.index;
    r.stream = mount.stream;
    r.bytes = bytes.data();
    r.length = static_cast<std::uint32_t>(bytes.size());
    push(client, r);
}

/// At most twice that much is on its way; beyond it, the front knows which client does not read.
bool Relay::behind(const Client& client) noexcept {
    Line& line = lineOf(client);
    const Ring<ToFront>& ring = line.front->toFront();
    if (line.bytes > mostAhead_ && ring.passed() >= line.mark) {
        line.mark = ring.pushed();
        line.bytes = 0;
    }
    return line.bytes > mostAhead_;
}

bool Relay::push(const Client& client, ToFront r, const Msg& msg) {
    const Bytes bytes = encode(msg);
    if (bytes.empty()) return false;
    r.bytes = bytes.data();
    r.length = static_cast<std::uint32_t>(bytes.size());
    push(client, r);
    return true;
}

eta::Error Relay::tell(Client& client, std::int32_t stream, const Msg& msg) {
    ToFront r = recordFor(client, Kind::stream);
    r.stream = stream;
    if (push(client, r, msg)) return {};
    ++counts_.unsent;
    return {eta::Errc::unsupportedType, 0};
}

void Relay::mounted(Item& item, const Mount& mount) {
    const Client& client = clients_[mount.client];
    ItemSide& side = sides_.mounted(item);
    side.fronts |= std::uint64_t{1} << client.front;
    side.wants |= mount.flags & (Mount::keyInUpdates | Mount::confInfo);
    ToFront r = recordFor(client, Kind::mounted);
    r.item = item.index;
    r.stream = mount.stream;
    r.flags = mount.flags;
    if (mount.view != 0) r.extra = new WantedView(views_[mount.view]);
    push(client, r);
}

void Relay::unmounted(Item& item, const Mount& mount) noexcept {
    if (ItemSide* const side = sides_.find(item)) {
        side->touched = true;
        if ((item.mountCount - 1) * 4 <= item.mountRoom) side->inexact = true;  // as its list shrinks
    }
    const Client& client = clients_[mount.client];
    ToFront r = recordFor(client, Kind::unmounted);
    r.item = item.index;
    r.stream = mount.stream;
    push(client, r);
}

void Relay::loggedIn(const Client& client) {
    auto profile = std::make_unique<Profile>();
    profile->user = client.user;
    profile->position = client.position;
    profile->updateTypes = client.updateTypes;
    ToFront r = recordFor(client, Kind::profile);
    r.extra = profile.release();
    push(client, r);
}

void Relay::directoryChanged(Bytes map) {
    const std::span<std::byte> to = room(map.size());
    if (!map.empty()) std::memcpy(to.data(), map.data(), map.size());
    const Bytes bytes = log_->keep(map.size());
    ToFront r;
    r.kind = Kind::directory;
    r.bytes = bytes.data();
    r.length = static_cast<std::uint32_t>(bytes.size());
    for (Line& line : fronts_)
        push(*line.front, r);
}

// --- from fronts -----------------------------------------------------------------------------------------------------

/// The descriptor stays readable while there is more.
void Relay::takeFrom(Line& line) noexcept {
    const std::size_t count = line.front->toStage().take(kRecordsATurn, [&](const ToStage& r) {
        const std::unique_ptr<Extra> extra(r.extra);
        try {
            take(line, r);
        } catch (const std::bad_alloc&) {
            if (r.kind != ToStage::Kind::up && r.client < line.clients.size() && line.clients[r.client] != nullptr)
                push(*line.clients[r.client], recordFor(*line.clients[r.client], Kind::close));
        }
    });
    counts_.received += count;
    line.front->roomMade();
    if (count == kRecordsATurn) return;
    line.bell.silence();
    if (!line.front->toStage().empty()) line.bell.ring();
}

void Relay::arrived(Line& line, const ToStage& r) {
    if (line.clients.size() <= r.client) line.clients.resize(std::size_t{r.client} + 1);
    const auto& arrival = *static_cast<const Arrival*>(r.extra);
    Client& client = listeners_[r.listener]->arrived(r.handle, arrival.info, arrival.channel);
    client.slot = r.client;
    client.front = static_cast<std::uint32_t>(
        std::find_if(fronts_.begin(), fronts_.end(), [&](const Line& l) { return &l == &line; }) - fronts_.begin());
    line.clients[r.client] = &client;
}

void Relay::take(Line& line, const ToStage& r) {
    using In = ToStage::Kind;
    client::Listener& listener = *listeners_[r.listener];
    const auto text = [&]() -> const std::string& { return static_cast<const Text*>(r.extra)->text; };
    if (r.kind == In::up) return arrived(line, r);
    if (r.kind == In::line) return listener.tell(text());
    if (r.kind == In::handshake) return listener.onHandshakeFailed(text(), r.handle);
    if (r.kind == In::loose) return published(listener, static_cast<const Loose&>(*r.extra));
    Client* const client = r.client < line.clients.size() ? line.clients[r.client] : nullptr;
    if (client == nullptr) return;  // memory was short when it came
    if (r.kind == In::publishes) return listener.publishes(*client);
    if (r.kind == In::unread) return void(client->unread = r.marked);
    if (r.kind == In::down) {
        if (r.marked) client::ClientSession::of(*client).end = client::EndReason::slow;
        return listener.onClientDown(client->handle, client, text());
    }
    Msg& m = inbound_;
    if (!decodeMsg({r.bytes, r.length}, m).ok()) return;  // the front has decoded it
    const reactor::StreamEvent event{r.handle, client->handle, client};
    switch (r.kind) {
    case In::request:
        return listener.onRequest(event, m);
    case In::reissue:
        return listener.onReissue(event, m);
    case In::close:
        return listener.onClose(event, m);
    case In::post:
        return listener.onPost(event, m);
    case In::generic:
        return listener.onGeneric(event, m);
    case In::item:
        collides_ = r.marked;
        (void)listener.onItemMessage({client->handle, client}, m);
        collides_ = false;
        return;
    case In::up:
    case In::down:
    case In::unread:
    case In::handshake:
    case In::line:
    case In::publishes:
    case In::loose:
        return;
    }
}

/// A front has given the connection away: from here on this thread reads it.
void Relay::published(client::Listener& listener, const Loose& loose) {
    struct Nobody final : reactor::LinkHandler {
        void onLinkUp(reactor::Link&) override {}
        void onLinkMessage(reactor::Link&, Bytes) override {}
        void onLinkDown(reactor::Link&, const std::string&, bool) override {}
    };
    static Nobody nobody;  // until a room has taken it, which is now
    const std::vector<Bytes> messages(loose.messages.begin(), loose.messages.end());
    listener.take(reactor_.resume(loose.channel, nobody), messages);
}

}  // namespace emissary::hub::relay
