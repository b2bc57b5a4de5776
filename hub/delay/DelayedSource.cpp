// hub/delay: opens items of the original, keeps what comes, and shows it when its time has come.
#include "hub/delay/DelayedSource.h"

#include "hub/flow/ItemLife.h"
#include "reactor/metrics/Snapshot.h"
#include "reactor/rdm/stream_state.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <new>

namespace emissary::hub::delay {

using namespace eta::codec;
namespace rdm = reactor::rdm;
using flow::Event, flow::ItemLife;

namespace {

constexpr std::uint8_t kGapDetected = 11;  // rdm.md 1.2
constexpr int kAsksInTurn = 500;
constexpr std::chrono::microseconds kShowing{2000};  // of one turn
constexpr std::chrono::seconds kAgain{10};           // until a gap is mended, or a kept item is asked for again
constexpr std::chrono::seconds kStays{60};           // for clients that do not stay for an image, after its time
constexpr std::size_t kKeptBuffer = 256u << 10;

/// Delayed by so many seconds, updates as they come (rdm.md 2).
[[nodiscard]] Qos qosOf(const DelaySettings& settings) noexcept {
    constexpr std::uint8_t kDelayed = 3, kTickByTick = 1;
    const auto seconds = std::min<std::int64_t>(settings.time.count(), 0xFFFF);
    return {kDelayed, kTickByTick, false, static_cast<std::uint16_t>(seconds), 0};
}

}  // namespace

DelayedSource::DelayedSource(const ServiceSettings& settings, std::uint16_t number, const DelayRooms& rooms)
    : Source(kDelayed, settings.name, number), settings_(settings.delay.value()), rooms_(rooms),
      share_(rooms.reactor, kShowing),
      feed_({rooms.outputs, rooms.services, rooms.flow, rooms.views}, *this, "delayed service " + settings.name) {
    metrics_.emplace(rooms.reactor, [this](reactor::metrics::Snapshot& into) {
        into.add(counts_, {{"service", name()}});
        into.add(lineCounts_, {{"service", name()}});
    });
}

void DelayedSource::stopTimers() noexcept {
    for (reactor::TimerId* const timer : {&timer_, &askTimer_, &offerTimer_, &againTimer_, &sweepTimer_, &closeTimer_})
        rooms_.reactor.cancelTimer(std::exchange(*timer, 0));
}

void DelayedSource::leave() {
    leaves_ = true;
    stopTimers();
    metrics_.reset();  // another one may have its name from now on
    rooms_.merge.onOfferGone(*this, offered_.id, true);
}

/// One pipe of a source that leaves, so that many do not hold up a turn. False: none is left.
bool DelayedSource::closeNext() {
    while (closed_ < pipes_.numbers()) {
        const std::uint32_t number = closed_++;
        if (!pipes_[number].used) continue;
        close(number);
        return true;
    }
    return false;
}

DelayedSource::~DelayedSource() {
    stopTimers();
    while (Item* const item = rooms_.items.anyOf(*this))
        rooms_.items.leave(*item);
}

eta::Refused DelayedSource::start() {
    if (settings_.fileBytes != 0) {
        eta::Refused refused;
        auto file = SpillFile::open(settings_.folder, ".emissary-delay-" + std::to_string(number()), refused);
        if (refused) return {"service " + name() + ": " + refused.text};
        disk_ = std::make_unique<DiskThread>(rooms_.reactor, std::move(file));
    }
    line_ = std::make_unique<DelayLine>(
        DelayLine::Options{settings_.memoryBytes, settings_.fileBytes}, disk_.get(), lineCounts_,
        [this] { begin(reactor::Duration::zero()); },
        [this](bool bad, const std::string& text) {
            if (rooms_.log)
                rooms_.log(bad ? Severity::error : Severity::success,
                           "service '" + name() + "' (DelayFolder '" + settings_.folder + "'): " + text);
        });
    for (const std::string& item : settings_.items) {
        MsgKey key;
        key.flags = KeyFlag::name;
        key.name = eta::asBytes(item);
        const ItemKey made = rooms_.items.keyOf(0, kMarketPriceDomain, key);
        if (made.content.empty() || pipes_.find(kMarketPriceDomain, made.content) != Pipes::kNone) continue;
        const std::uint32_t number = pipes_.add(kMarketPriceDomain, made.content);
        pipes_[number].kept = true;
        park(number);
    }
    return {};
}

std::string DelayedSource::late() const {
    return "service '" + name() + "' is " + std::to_string(settings_.time.count()) + " s behind '" + settings_.of + "'";
}

std::string DelayedSource::when(eta::TimePoint at) const {
    const auto left = std::chrono::ceil<std::chrono::seconds>(at - rooms_.reactor.now());
    const std::time_t then = rooms_.reactor.timeOfDay() + std::max<std::int64_t>(left.count(), 0);
    std::tm parts{};
    ::gmtime_r(&then, &parts);
    std::array<char, 32> text{};
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
    return {text.data(), size};
}

// --- the service -----------------------------------------------------------------------------------------------------

void DelayedSource::noteOriginal(const Service* original) {
    const bool there = original != nullptr, up = there && original->up();
    const bool accepts = up && original->merged.state.acceptingRequests();
    const bool news = there != there_ || up != originalUp_ || accepts != originalAccepts_;
    const bool comesUp = up && !originalUp_;
    there_ = there;
    originalUp_ = up;
    originalAccepts_ = accepts;
    if (offered_.filters == 0 && there) {
        // From a turn of its own: the room of the original is in a call that announces it, and must not be entered
        // again.
        if (offerTimer_ == 0)
            offerTimer_ = rooms_.reactor.startTimer(reactor::Duration::zero(), [this] {
                offerTimer_ = 0;
                offer();
            });
    } else if (news) {
        const std::array state{std::byte{up}, std::byte{accepts}, std::byte{there}};
        (void)line_->put({rooms_.reactor.now(), Pipes::kNone, 0, Record::Kind::service, state}, true);
        begin(settings_.time);
    }
    if (!comesUp) return;
    for (const auto& [number, life] : std::exchange(parked_, {}))
        if (Pipe* const pipe = pipes_.find(number, life)) {
            pipe->parked = false;
            ask(number);
        }
}

/// For the first time. Clients may ask from now on, and hear when there is something to see.
void DelayedSource::offer() {
    const Service* const original = rooms_.services.find(settings_.of);
    if (original == nullptr) return;
    offered_.id = 1;
    offered_.filters = rdm::DirectoryFilter::info | rdm::DirectoryFilter::state;
    offered_.state.up = originalUp_;
    offered_.state.accepting = originalAccepts_;
    offered_.info = original->merged.info;
    offered_.info.name = name();
    offered_.info.qos = {qosOf(settings_)};
    offered_.info.qosRange = false;
    offered_.info.isSource = false;
    rooms_.merge.onOffer(*this, offered_, offered_.filters);
}

void DelayedSource::showService(eta::Bytes state) {
    const auto is = [&](std::size_t i) { return state.size() > i && state[i] != std::byte{0}; };
    if (!is(2)) return rooms_.merge.onOfferGone(*this, offered_.id, true);
    offered_.state.up = is(0);
    offered_.state.accepting = is(1);
    rooms_.merge.onOffer(*this, offered_, rdm::DirectoryFilter::state);
}

// --- what comes from the original ------------------------------------------------------------------------------------

void DelayedSource::onMessage(const Item& /*original*/, const Msg& msg) {
    const std::uint32_t number = pipes_.ofStream(msg.streamId);
    if (number == Pipes::kNone || leaves_) return;
    Pipe& pipe = pipes_[number];
    if (pipe.replacing && msg.streamId == pipes_.streamOf(number) && !reactor::rdm::endsStream(msg)) {
        // Up to its image the former stream says what there is, and this one nothing else.
        if (msg.cls != MsgClass::Refresh || (msg.has(RefreshFlag::partNum) && msg.partNum != 0)) return;
        closeFormer(number);
    }
    ++counts_.messages;
    if (pipe.gapped) return void(++counts_.leftOut);
    eta::Bytes bytes = msg.raw;
    if (bytes.empty()) {
        encoded_.trim(kKeptBuffer);
        if (!encodeMsg(encoded_.start(), msg).ok()) throw std::bad_alloc();
        bytes = encoded_.view();
    }
    const reactor::TimePoint now = rooms_.reactor.now();
    if (!line_->put({now, number, pipe.life, Record::Kind::message, bytes})) {
        ++counts_.leftOut;
        return gap(number);
    }
    if (msg.cls == MsgClass::Refresh) pipe.imageAt = now + settings_.time;
    begin(settings_.time);
}

/// What follows of the item is left out, up to an image that is asked for when there is room again.
void DelayedSource::gap(std::uint32_t number) noexcept {
    Pipe& pipe = pipes_[number];
    if (pipe.gapped) return;
    pipe.gapped = true;
    ++counts_.gaps;
    try {
        gapped_.emplace_back(number, pipe.life);
        (void)line_->put({rooms_.reactor.now(), number, pipe.life, Record::Kind::gap, {}}, true);
        begin(settings_.time);
        openAgain();
    } catch (const std::bad_alloc&) { pipe.needsImage = true; }  // early, and not silently: no update is shown any more
}

void DelayedSource::onEnd(std::int32_t stream) noexcept {
    const std::uint32_t number = pipes_.ofStream(stream);
    if (number == Pipes::kNone) return;
    Pipe& pipe = pipes_[number];
    if (stream != pipes_.streamOf(number)) return;  // the present one goes on, or ends as well
    if (std::exchange(pipe.open, false)) counts_.streams -= 1;
    if (leaves_) return;
    try {
        if (pipe.replacing) closeFormer(number);
        (void)line_->put({rooms_.reactor.now(), number, pipe.life, Record::Kind::end, {}}, true);
        begin(settings_.time);
        if (!pipe.kept) return;
        gapped_.emplace_back(number, pipe.life);  // asked for again after a while
        openAgain();
    } catch (const std::bad_alloc&) { pipe.needsImage = true; }
}

void DelayedSource::onLost(std::int32_t stream) noexcept {
    if (const std::uint32_t number = pipes_.ofStream(stream); number != Pipes::kNone && !leaves_) gap(number);
}

/// Asks for what gaps have taken, and for kept items that have ended, as soon as there is room, and not at once.
void DelayedSource::openAgain() {
    if (againTimer_ != 0) return;
    againTimer_ = rooms_.reactor.startTimer(kAgain, [this] {
        againTimer_ = 0;
        if (!line_->roomy()) return openAgain();
        for (const auto& [number, life] : std::exchange(gapped_, {}))
            if (const Pipe* const pipe = pipes_.find(number, life); pipe != nullptr && (pipe->gapped || !pipe->open))
                ask(number);
    });
}

// --- streams of the original -----------------------------------------------------------------------------------------

void DelayedSource::ask(std::uint32_t number) {
    Pipe& pipe = pipes_[number];
    if (std::exchange(pipe.asking, true)) return;
    asking_.emplace_back(number, pipe.life);
    askSoon();
}

/// In a turn of its own: the caller may be inside one of the rooms that opening a stream enters.
void DelayedSource::askSoon() {
    if (askTimer_ != 0 || asking_.empty()) return;
    askTimer_ = rooms_.reactor.startTimer(reactor::Duration::zero(), [this] {
        askTimer_ = 0;
        askAll();
    });
}

void DelayedSource::askAll() {
    for (int left = kAsksInTurn; left > 0 && !asking_.empty(); --left) {
        const auto [number, life] = asking_.front();
        asking_.pop_front();
        Pipe* const pipe = pipes_.find(number, life);
        if (pipe == nullptr) continue;
        pipe->asking = false;
        open(number);
    }
    askSoon();
}

/// Not here: the feed is in the middle of a message.
void DelayedSource::closeFormer(std::uint32_t number) {
    closing_.push_back(pipes_.formerOf(number));
    pipes_[number].replacing = false;
    if (closeTimer_ != 0) return;
    closeTimer_ = rooms_.reactor.startTimer(reactor::Duration::zero(), [this] {
        closeTimer_ = 0;
        for (const std::int32_t stream : std::exchange(closing_, {}))
            feed_.close(stream);
    });
}

/// Another stream where there is one already, which is heard until the image of the new one, unless it has a gap.
void DelayedSource::open(std::uint32_t number) {
    Pipe& pipe = pipes_[number];
    const Service* const original = rooms_.services.find(settings_.of);
    if (original == nullptr || !original->up()) return park(number);
    MsgKey key;
    if (!decodeKey(eta::asBytes(pipe.key), key).ok()) return;
    if (pipe.replacing && !pipe.gapped) return;  // an image is on its way
    const bool had = pipe.open, gapped = std::exchange(pipe.gapped, false);
    std::erase(closing_, pipes_.formerOf(number));
    feed_.close(pipes_.formerOf(number));
    const std::int32_t before = pipes_.streamOf(number);
    pipe.parity ^= 1u;
    pipe.replacing = had && !gapped;
    if (!had) counts_.streams += 1;
    pipe.open = true;
    pipe.imageAt = rooms_.reactor.now() + settings_.time;
    sink::FeedRequest request;
    request.service = original->id;
    request.domain = pipe.domain;
    request.key = &key;
    auto opened = sink::Opened::items;
    const std::uint32_t life = pipe.life;
    try {
        opened = feed_.open(pipes_.streamOf(number), request);
    } catch (const std::bad_alloc&) {}  // there is no room for one more, then
    if (pipes_.find(number, life) == nullptr) return;
    if (opened == sink::Opened::yes) {
        if (had && gapped) feed_.close(before);
        return;
    }
    // As it was before.
    pipe.parity ^= 1u;
    pipe.replacing = false;
    pipe.open = had;
    pipe.gapped = gapped;
    if (!had) counts_.streams -= 1;
    if (opened != sink::Opened::items) return park(number);
    Item* const item = itemOf(pipe);
    if (item == nullptr || had || pipe.kept) {
        gapped_.emplace_back(number, life);
        return openAgain();
    }
    const std::string why = late() + ", which has as many items as it may have (MaxItems)";
    ItemLife::apply(*item, Event::released);
    rooms_.flow.close(*item, {StreamState::closedRecover, DataState::suspect, 0, eta::asBytes(why)});
    close(number);
}

void DelayedSource::park(std::uint32_t number) {
    Pipe& pipe = pipes_[number];
    if (!std::exchange(pipe.parked, true)) parked_.emplace_back(number, pipe.life);
    Item* const item = itemOf(pipe);
    if (item == nullptr || item->phase == Item::Phase::open) return;
    rooms_.flow.suspect(*item, 0,
                        late() + ", which is down: the first image is shown " + std::to_string(settings_.time.count()) +
                            " s after it is up again");
    left(number);
}

/// The pipe goes; what of it is in the line says nothing any more.
void DelayedSource::close(std::uint32_t number) {
    Pipe& pipe = pipes_[number];
    const std::int32_t stream = pipes_.streamOf(number), former = pipes_.formerOf(number);
    const bool had = pipe.open;
    pipes_.remove(number);
    if (!had) return;
    feed_.close(former);
    counts_.streams -= 1;
    feed_.close(stream);
}

// --- items of the delayed service ------------------------------------------------------------------------------------

/// The item is the pipe's from now on, and shows nothing before its first image. Streams are numbered from 1: 0 is no
/// stream.
void DelayedSource::bind(std::uint32_t number, Item& item) {
    Pipe& pipe = pipes_[number];
    pipe.item = item.index;
    pipe.generation = item.generation;
    pipe.needsImage = true;
    rooms_.flow.bind(item, this, std::uint64_t{number} + 1);
}

void DelayedSource::wanted(Item& item) {
    if (item.is(Item::isPrivate)) {
        ItemLife::apply(item, Event::released);
        return rooms_.flow.close(item, {StreamState::closed, DataState::suspect, 0,
                                        eta::asBytes("a delayed service has no private streams")});
    }
    std::uint32_t number = pipes_.find(item.domain, item.key());
    if (number == Pipes::kNone) number = pipes_.add(item.domain, item.key());
    const std::uint32_t life = pipes_[number].life;
    if (item.phase == Item::Phase::idle) ItemLife::apply(item, Event::streamWanted);
    bind(number, item);
    ItemLife::apply(item, Event::requested);
    Pipe& pipe = pipes_[number];
    const reactor::TimePoint now = rooms_.reactor.now();
    // An image that is on its way is the one to wait for; of a pipe whose item went, there may be none.
    if (pipe.imageAt <= now) ask(number);
    const reactor::TimePoint at = pipe.imageAt > now ? pipe.imageAt : now + settings_.time;
    rooms_.flow.suspect(item, 0, late() + ": there is no image before " + when(at));
    if (pipes_.find(number, life) != nullptr) left(number);
}

/// Clients that take no Suspect data are closed by it, and ask again: for them the pipe goes on a while.
void DelayedSource::left(std::uint32_t number) {
    if (leaves_) return;
    Pipe& pipe = pipes_[number];
    Item* const item = itemOf(pipe);
    if (item == nullptr || item->mountCount != 0) return;
    const reactor::TimePoint now = rooms_.reactor.now();
    if (pipe.staysUntil <= now) {
        staying_.emplace_back(number, pipe.life);
        if (sweepTimer_ == 0)
            sweepTimer_ = rooms_.reactor.startTimer(kStays, [this] {
                sweepTimer_ = 0;
                sweep();
            });
    }
    pipe.staysUntil = std::max(pipe.imageAt, now + settings_.time) + kStays;
    unwanted(*item);
}

void DelayedSource::sweep() {
    for (const auto& [number, life] : std::exchange(staying_, {})) {
        const Pipe* const pipe = pipes_.find(number, life);
        if (pipe == nullptr) continue;
        if (stays(*pipe)) {
            staying_.emplace_back(number, life);
            continue;
        }
        Item* const item = itemOf(*pipe);
        if (item == nullptr) close(number);
        else if (item->mountCount == 0) unwanted(*item);
    }
    if (!staying_.empty())
        sweepTimer_ = rooms_.reactor.startTimer(kStays, [this] {
            sweepTimer_ = 0;
            sweep();
        });
}

void DelayedSource::unwanted(Item& item) {
    const auto number = static_cast<std::uint32_t>(item.upstream - 1);
    const bool mine = item.source == this && item.upstream != 0;
    const bool kept = mine && stays(pipes_[number]);
    if (kept && item.phase == Item::Phase::open) return;  // its image goes on, for those who come later
    if (mine) {
        pipes_[number].item = Item::kNone;
        rooms_.flow.release(item);
    }
    ItemLife::apply(item, Event::released);
    rooms_.flow.erase(item);
    if (mine && !kept) close(number);
}

void DelayedSource::renew(Item& item) {
    if (leaves_ || item.source != this || item.upstream == 0) return;
    const auto number = static_cast<std::uint32_t>(item.upstream - 1);
    if (pipes_[number].imageAt <= rooms_.reactor.now()) ask(number);
}

// --- when the time has come ------------------------------------------------------------------------------------------

void DelayedSource::begin(reactor::Duration delay) {
    if (leaves_) return;  // its file may still call
    const eta::TimePoint due = rooms_.reactor.now() + delay;
    if (timer_ != 0) {
        if (due_ <= due) return;
        rooms_.reactor.cancelTimer(timer_);
    }
    due_ = due;
    timer_ = rooms_.reactor.startTimer(delay, [this] {
        timer_ = 0;
        run();
    });
}

void DelayedSource::run() {
    const reactor::TimePoint now = rooms_.reactor.now();
    const reactor::TurnShare::Piece piece(share_);
    for (;;) {
        Record record;
        switch (line_->head(record)) {
        case DelayLine::Head::none:
        case DelayLine::Head::loading:  // it calls when it is there
            return;
        case DelayLine::Head::lost:
            suspectAll("the file of the delayed service could not be read");
            continue;
        case DelayLine::Head::ready:
            break;
        }
        if (const auto due = record.at + settings_.time; due > now) return begin(due - now);
        try {
            handle(record);
        } catch (const std::bad_alloc&) {
            // Shown or not: the item is asked for again, and nothing of it but an image is believed until then.
            if (Pipe* const pipe = pipes_.find(record.pipe, record.life)) {
                pipe->needsImage = true;
                gap(record.pipe);
            }
        }
        line_->pop();
        if (!piece.left()) return begin(reactor::Duration::zero());
    }
}

void DelayedSource::handle(const Record& record) {
    if (record.kind == Record::Kind::service) return showService(record.body);
    Pipe* const pipe = pipes_.find(record.pipe, record.life);
    if (pipe == nullptr) return;
    switch (record.kind) {
    case Record::Kind::message:
        return show(record.pipe, record);
    case Record::Kind::gap:
        pipe->needsImage = true;
        if (Item* const item = itemOf(*pipe)) {
            const bool asked = pipe->imageAt > rooms_.reactor.now();
            rooms_.flow.suspect(*item, kGapDetected,
                                "there was no room to keep updates of this item (DelayMemoryBytes, DelayFileBytes): " +
                                    (asked ? "the next image is shown at " + when(pipe->imageAt)
                                           : std::string("it is asked for again")));
        }
        return settle(record.pipe, true);
    case Record::Kind::end:
        if (Item* const item = itemOf(*pipe))
            rooms_.flow.close(*item, {StreamState::closedRecover, DataState::suspect, 0,
                                      eta::asBytes("the original of this item has ended")});
        return settle(record.pipe, false);
    case Record::Kind::service:
        return;
    }
}

Item* DelayedSource::itemFor(std::uint32_t number) {
    Pipe& pipe = pipes_[number];
    if (Item* const item = itemOf(pipe)) return item;
    Service* const own = service();
    MsgKey key;
    if (!stays(pipe) || own == nullptr || !decodeKey(eta::asBytes(pipe.key), key).ok()) return nullptr;
    Item* const item = rooms_.flow.take(own->id, pipe.domain, key);
    if (item != nullptr) bind(number, *item);
    return item;
}

void DelayedSource::show(std::uint32_t number, const Record& record) {
    Pipe& pipe = pipes_[number];
    Msg m;
    if (!decodeMsg(record.body, m).ok()) return;
    if (m.cls == MsgClass::Refresh) {
        if (!m.has(RefreshFlag::partNum) || m.partNum == 0) {
            // A kept item is made with its first image.
            if (itemFor(number) == nullptr) return settle(number, false);
            pipe.needsImage = false;
        }
        m.flags = static_cast<std::uint16_t>((m.flags | RefreshFlag::qos) & ~RefreshFlag::solicited);
        m.qos = qosOf(settings_);
        m.groupId = {};  // groups are the original's
        m.raw = {};
    }
    Item* const item = itemOf(pipe);
    if (item == nullptr) return settle(number, false);
    if (m.cls == MsgClass::Status) {
        if (m.hasGroupId()) m.flags &= static_cast<std::uint16_t>(~StatusFlag::groupId);
        m.raw = {};
        // Ok without an image would be believed.
        if (pipe.needsImage && m.hasState() && !m.state.isFinal() && m.state.data == DataState::ok) return;
    } else if (pipe.needsImage) return;
    const bool watched = item->mountCount != 0;
    rooms_.flow.received(*item, m);
    settle(number, watched);
}

/// What nobody wants goes, unless it is kept.
void DelayedSource::settle(std::uint32_t number, bool watched) {
    Pipe& pipe = pipes_[number];
    if (!pipe.used || stays(pipe)) return;
    Item* const item = itemOf(pipe);
    if (item == nullptr) return close(number);
    if (item->mountCount != 0) return;
    if (watched && item->dataState == DataState::suspect) left(number);
    else unwanted(*item);
}

void DelayedSource::suspectAll(std::string_view why) {
    for (std::uint32_t number = 0; number < pipes_.numbers(); ++number) {
        if (!pipes_[number].used) continue;
        pipes_[number].needsImage = true;
        ask(number);
        if (Item* const item = itemOf(pipes_[number])) rooms_.flow.suspect(*item, kGapDetected, why);
        settle(number, true);
    }
}

}  // namespace emissary::hub::delay
