// Sends messages and changes of mounts to the fronts, and notices which of them fall behind.
#include "hub/relay/Relay.h"

#include "hub/client/Listener.h"
#include "hub/core/ViewTable.h"
#include "hub/core/live.h"
#include "hub/fanout/outgoing.h"
#include "hub/relay/RelayedConnections.h"
#include "reactor/rdm/stream_state.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include <sys/epoll.h>

namespace emissary::hub::relay {

using namespace eta::codec;
using Kind = ToFront::Kind;

namespace {

constexpr std::uint32_t kFewMounts = 64;
constexpr std::uint16_t kEverything = Mount::keyInUpdates | Mount::confInfo;  // that a mount may want
constexpr std::size_t kLateBytesATurn = 1u << 20, kLateItemsATurn = 512;      // for one front that lags

[[nodiscard]] FrontOptions frontOptions(const RelayOptions& o, std::size_t number) {
    FrontOptions made;
    made.name = "hub-f" + std::to_string(number + 1);
    made.instance = o.instance;
    if (number < o.cpus.size()) made.cpu = o.cpus[number];
    made.clock = o.clock;
    made.slow = o.slow;
    made.rates = o.rates;
    return made;
}

/// Whether an image that is sent later says all that this message says. Private streams have no image.
[[nodiscard]] bool isReplaced(const Item& item, const Msg& msg) noexcept {
    if (item.is(Item::isPrivate)) return false;
    switch (msg.cls) {
    case MsgClass::Update:
        return true;
    case MsgClass::Refresh:
        return !reactor::rdm::endsStream(msg);
    case MsgClass::Status:
        return msg.flags == StatusFlag::state && !msg.state.isFinal();
    default:
        return false;
    }
}

/// Which fronts, which parts of updates, and which texts are wanted: exactly, but for texts of views.
void count(const Item& item, ItemSide& side, ClientTable& clients, const ItemTexts& texts) noexcept {
    side.fronts = side.textFronts = 0;
    side.wants = 0;
    side.texts = 0;
    side.viewedTexts = false;
    for (std::uint32_t at = 0; at < item.mountCount; ++at) {
        const Mount& mount = item.mounts[at];
        const Client& client = clients[mount.client];
        if (client.sink != nullptr) continue;
        side.fronts |= std::uint64_t{1} << client.front;
        side.wants |= mount.flags & (Mount::keyInUpdates | Mount::confInfo);
        texts.note(side, mount, client);
    }
    side.inexact = false;
}

/// Of those that have not come to stand among the quiet ones yet.
void markMissed(Item& item, ClientTable& clients) noexcept {
    for (std::uint32_t at = 0; at < item.liveCount; ++at) {
        Mount& mount = item.mounts[at];
        if (!awaitsImage(mount) && !flows(mount, clients[mount.client], item.service)) mount.set(Mount::missed, true);
    }
}

}  // namespace

Relay::Relay(reactor::Reactor& reactor, ItemTable& items, ClientTable& clients, const ViewTable& views,
             const RelayOptions& options)
    : TurnEnd(reactor), MemoryOwner(reactor), reactor_(reactor), items_(items), clients_(clients), views_(views),
      renew_(options.renew), renewed_(options.renewed), slow_(options.slow), ruleOf_(options.ruleOf),
      texts_(views, options.rates, counts_.rendered), intake_(reactor, counts_),
      metrics_(reactor, [this](reactor::metrics::Snapshot& into) { collect(into); }) {
    std::vector<const Progress*> rings;
    for (std::size_t i = 0; i < options.fronts && i < kMostFronts; ++i) {
        Line& line =
            lines_.emplace_back(static_cast<Line::Owner&>(*this), i, frontOptions(options, i), lagging_, counts_);
        rings.push_back(&line.front().toFront());
        reactor.watch(line.wakeup().fd(), EPOLLIN, line);
    }
    log_ = std::make_unique<MessageLog>(std::move(rings));
}

Relay::~Relay() {
    stop();
    for (Line& line : lines_)
        reactor_.unwatch(line.wakeup().fd());
}

void Relay::start() {
    for (Line& line : lines_)
        line.front().start();
}

void Relay::stop() noexcept {
    for (Line& line : lines_)
        line.front().stop();
}

std::unique_ptr<client::Connections> Relay::make(const reactor::ProviderOptions& options, client::Listener& listener) {
    const std::uint8_t number = intake_.add(listener);
    forEachFront(*this, [&](Front& front) {
        front.addPort(number, listener.name(), options, listener.expandsEnums(), listener.web());
    });
    return std::make_unique<RelayedConnections>(*this, number);
}

void Relay::setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
    for (Line& line : lines_)
        line.call([dictionary](Front& front) { front.setDictionary(dictionary); });
    texts_.setDictionary(std::move(dictionary));
}

/// Those of the fronts add up to one hub's.
void Relay::collect(reactor::metrics::Snapshot& into) {
    counts_.logBytes = log_->bytes();
    std::size_t images = 0;
    for (Line& line : lines_)
        images += line.catchUp().size();
    counts_.catchingUp = images;
    into.add(counts_);
    bool first = true;
    for (Line& line : lines_)
        line.collect(into, std::exchange(first, false));
}

// --- to fronts -------------------------------------------------------------------------------------------------------

void Relay::pushTo(std::uint64_t fronts, const ToFront& record, const Item& item, const Msg& msg) {
    for (; fronts != 0; fronts &= fronts - 1) {
        Line& line = lines_[static_cast<std::size_t>(std::countr_zero(fronts))];
        if (!line.pass(record)) [[unlikely]]
            pushLate(line, record, item, msg);
    }
}

void Relay::pushTo(const Mount& mount, const ToFront& record, const Item& item, const Msg& msg) {
    Line& line = lineOf(clients_[mount.client]);
    line.count(record.length);
    if (!line.pass(record)) [[unlikely]]
        pushLate(line, record, item, msg);
}

/// What the mounts are renewed with goes past the note that the item is still in the list.
void Relay::pushLate(Line& line, const ToFront& record, const Item& item, const Msg& msg) {
    const bool asked = record.kind == Kind::mount && msg.cls == MsgClass::Refresh && msg.has(RefreshFlag::solicited);
    if (!asked && isReplaced(item, msg)) {
        if ((only_ == &line || !line.catchUp().holds(item)) && line.offer(record)) return;
        return line.leaveOut(item, msg.cls == MsgClass::Status);
    }
    if (line.offer(record) || line.keep(record)) return;
    if (record.kind == Kind::mount) return line.cutOff(record.client);
    for (std::uint32_t at = 0; at < item.mountCount; ++at)
        if (const Client& client = clients_[item.mounts[at].client]; client.front == line.number())
            line.cutOff(client.slot);
}

void Relay::onTurnEnd() noexcept {
    for (Line& line : lines_)
        line.wake();
}

/// After a segment was begun, fronts that hold too much of the log lag; but what is being renewed goes on to its end,
/// since a large image alone may be more than the share.
std::span<std::byte> Relay::room(std::size_t bytes) {
    const std::span<std::byte> made = log_->room(bytes);
    if (std::exchange(segments_, log_->begun()) == log_->begun()) [[likely]]
        return made;
    for (Line& line : lines_) {
        line.otherSegment();
        if (only_ != &line && log_->held(line.number()) > Line::kMostHeld) line.block();
    }
    return made;
}

/// Messages of its clients first; then what a line that lags has room for.
void Relay::signalled(Line& line) noexcept {
    intake_.takeFrom(line);
    if (!line.lags()) [[likely]]
        return;
    try {
        if (line.drain(*log_, kLateBytesATurn)) catchUp(line);
    } catch (const std::bad_alloc&) {}  // once more in the next turn
    only_ = nullptr;
    line.settle();
    if (line.lags() && line.hasRoom(*log_)) line.wakeup().signal();  // the turn is over; otherwise the front signals
}

void Relay::catchUp(Line& line) {
    const std::function<bool(const Client&)> lacks = [&line](const Client& c) {
        return c.sink == nullptr && c.front == line.number();
    };
    for (std::size_t done = 0; done < kLateItemsATurn && !line.catchUp().empty(); ++done) {
        if (line.waits() || !line.hasRoom(*log_) || (done >= kLateItemsATurn / 16 && !work().left())) return;
        const CatchUp::Entry entry = line.catchUp().take();
        Item* const item = items_.find(entry.index, entry.generation);
        const ItemSide* const side = item != nullptr ? sides_.find(*item) : nullptr;
        if (side == nullptr || (side->fronts >> line.number() & 1) == 0) continue;
        try {
            only_ = &line;
            const bool ask = renew_(*item, entry.state, lacks);
            only_ = nullptr;
            if (ask) renewed_(*item);
        } catch (const std::bad_alloc&) {
            if (Item* const still = items_.find(entry.index, entry.generation)) line.leaveOut(*still, entry.state);
            throw;
        }
    }
}

Bytes Relay::encode(const Msg& msg) {
    eta::BeWriter out(room(maxEncodedSize(msg)));
    return encodeMsg(out, msg).ok() ? log_->keep(out.size()) : Bytes{};
}

/// The form that most mounts get; a front makes the others from it. In one piece with its texts, since the record is
/// pushed before anything else is written.
void Relay::write(const Item& item, const ItemSide* side, const Msg& msg, std::uint16_t wants, ToFront& r) {
    const std::uint16_t taken = fanout::takenFrom(msg, wants);
    const bool addsKey = fanout::lacksKey(msg, wants);
    Bytes bytes = msg.raw;
    if (addsKey || !fanout::goesAsReceived(msg, item.service, taken)) {
        const Msg changed = addsKey ? fanout::changed(msg, item.service, wants, [&] { return item.msgKey(); })
                                    : fanout::changed(msg, item.service, taken);
        const auto another = [&] {
            ++counts_.unsent;
            return fanout::inPlaceOf(msg, fanout::kNotEncoded);
        };
        if (side == nullptr) {
            bytes = encode(changed);
            if (bytes.empty() && fanout::isMissed(msg)) bytes = encode(another());
            r.bytes = bytes.data();
            r.length = static_cast<std::uint32_t>(bytes.size());
            return;
        }
        if (const eta::Error e = encodeMsg(message_.start(), changed); !e.ok()) {
            // For want of memory nobody would get the message, and nobody would know.
            if (e.code == eta::Errc::noSpace) throw std::bad_alloc();
            if (!fanout::isMissed(msg) || !encodeMsg(message_.start(), another()).ok()) return;
        }
        bytes = message_.view();
    }
    Bytes texts;
    if (side != nullptr) {
        const fanout::TextMaker& made = texts_.make(item, *side, bytes, work());
        texts = made.texts();
        r.flags = static_cast<std::uint16_t>(made.count());
    }
    const std::span<std::byte> to = room(bytes.size() + texts.size());
    std::memcpy(to.data(), bytes.data(), bytes.size());
    if (!texts.empty()) std::memcpy(to.data() + bytes.size(), texts.data(), texts.size());
    r.bytes = log_->keep(to.size()).data();
    r.length = static_cast<std::uint32_t>(bytes.size());
}

bool Relay::live(const Item& item, const Mount& mount) noexcept {
    return !awaitsImage(mount) && flows(mount, clients_[mount.client], item.service);
}

/// A front without mounts may get updates of the item for a while: an item with many mounts is not counted again
/// before half of its mounts have gone.
void Relay::look(Item& item, ItemSide& side) {
    side.touched = false;
    if (item.mountCount <= kFewMounts || side.inexact) count(item, side, clients_, texts_);
    bool quiet = false;
    for (std::uint32_t at = 0; at < item.liveCount; ++at) {
        Mount& mount = item.mounts[at];
        if (clients_[mount.client].sink != nullptr) continue;
        const bool isLive = live(item, mount);
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
    const std::uint64_t fronts = only_ == nullptr ? side->fronts : side->fronts & std::uint64_t{1} << only_->number();
    if (fronts == 0) return;
    ToFront r;
    r.item = item.index;
    const bool forMany = to == To::live || to == To::all || (to == To::settled && !item.is(Item::waitingMounts));
    write(item, forMany && std::popcount(side->textFronts & fronts) > 1 ? side : nullptr, msg, side->wants, r);
    if (r.length == 0) return void(++counts_.unsent);
    if (forMany) {
        r.kind = to == To::live ? Kind::update : Kind::everybody;
        r.handle = static_cast<std::uint64_t>(reactor_.now().time_since_epoch().count());
        return pushTo(fronts, r, item, msg);
    }
    r.kind = Kind::mount;
    for (std::uint32_t at = 0; at < item.mountCount; ++at) {
        const Mount& mount = item.mounts[at];
        if (mount.is(Mount::waiting) != (to == To::waiting)) continue;
        const Client& client = clients_[mount.client];
        if (client.sink != nullptr || (fronts >> client.front & 1) == 0) continue;
        r.client = client.slot;
        r.stream = mount.stream;
        pushTo(mount, r, item, msg);
    }
}

/// With all that a mount may want: another one may get the same bytes, and fronts take what is too much.
void Relay::send(Item& item, const Mount& mount, const Msg& msg) {
    ToFront r;
    write(item, nullptr, msg, kEverything, r);
    last_ = {r.bytes, r.length};
    sendToo(item, mount, msg);
}

/// Nothing was written to the log meanwhile, so its bytes are there still.
void Relay::sendToo(Item& item, const Mount& mount, const Msg& msg) {
    const Bytes bytes = last_;
    if (bytes.empty()) return void(++counts_.unsent);
    const Client& client = clients_[mount.client];
    ToFront r = recordFor(client, Kind::mount);
    r.item = item.index;
    r.stream = mount.stream;
    r.bytes = bytes.data();
    r.length = static_cast<std::uint32_t>(bytes.size());
    pushTo(mount, r, item, msg);
}

Backlog Relay::behind(const Client& client) noexcept {
    const fanout::SlowRules rules = client.listener < slow_.size() ? slow_[client.listener] : fanout::SlowRules{};
    return lineOf(client).backlog(rules.unreadAbove() / 2);
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
    if (client.sink != nullptr) return;
    side.fronts |= std::uint64_t{1} << client.front;
    side.wants |= mount.flags & (Mount::keyInUpdates | Mount::confInfo);
    texts_.mounted(item, side, mount, client);
    ToFront r = recordFor(client, Kind::mounted);
    r.item = item.index;
    r.stream = mount.stream;
    r.flags = mount.flags;
    r.handle = item.service | std::uint64_t{mount.view} << 16;
    if (ruleOf_) r.rule = ruleOf_(item.service);
    if (mount.view != 0) r.extra = new WantedView(views_[mount.view]);
    push(client, r);
}

void Relay::unmounted(Item& item, const Mount& mount, Leaves how) noexcept {
    if (ItemSide* const side = sides_.find(item)) {
        side->touched = true;
        if ((item.mountCount - 1) * 4 <= item.mountRoom) side->inexact = true;  // as its list shrinks
    }
    const Client& client = clients_[mount.client];
    if (client.sink != nullptr) return;
    ToFront r = recordFor(client, Kind::unmounted);
    r.flags = static_cast<std::uint16_t>(how);
    r.item = item.index;
    r.stream = mount.stream;
    push(client, r);
}

void Relay::loggedIn(const Client& client) {
    auto profile = std::make_unique<Profile>();
    profile->user = client.user;
    profile->position = client.position;
    profile->updateTypes = client.updateTypes;
    profile->loginStream = client.loginStream;
    profile->userClass = client.userClass;
    ToFront r = recordFor(client, Kind::profile);
    r.extra = profile.release();
    push(client, r);
}

void Relay::classify(Client& client, std::uint8_t userClass) {
    client.userClass = userClass;
    loggedIn(client);
}

void Relay::changeRules(const fanout::RateRules& rates, const std::vector<fanout::SlowRules>& slow,
                        const std::vector<std::uint8_t>& ofServices) {
    slow_ = slow;
    for (Line& line : lines_)
        line.call([rates, slow, ofServices](Front& front) { front.changeRules(rates, slow, ofServices); });
}

void Relay::directoryChanged(Bytes map) {
    const std::span<std::byte> to = room(map.size());
    if (!map.empty()) std::memcpy(to.data(), map.data(), map.size());
    const Bytes bytes = log_->keep(map.size());
    ToFront r;
    r.kind = Kind::directory;
    texts_.directoryChanged(map);
    r.bytes = bytes.data();
    r.length = static_cast<std::uint32_t>(bytes.size());
    for (Line& line : lines_)
        if (!line.pass(r) && !line.offer(r) && !line.keep(r)) throw std::bad_alloc();
}

}  // namespace emissary::hub::relay
