// Encodes a message once for each form that clients need, and adds it to the output of every mount.
#include "hub/fanout/FanOut.h"

#include "hub/core/live.h"
#include "hub/core/served_qos.h"
#include "hub/fanout/outgoing.h"
#include "reactor/metrics/Snapshot.h"

#include <bit>
#include <new>

namespace emissary::hub::fanout {

using namespace eta::codec;
using eta::Errc;
using eta::Error;

namespace {

constexpr std::size_t kKeptBuffer = 256u << 10;
constexpr std::size_t kOfHeader = 32;        // bytes of a message besides its payload, about
constexpr std::size_t kSpilled = 64u << 10;  // bytes that make room for what waits next
// The status that mounts get in place of a message that cannot be made for them.
constexpr std::string_view kNoDictionary =
    "no JSON can be made of this item: the hub has no dictionary; its sources provide none, and it found no files";
constexpr std::string_view kNotJson = "a message of this item cannot be made JSON: its data are malformed";
constexpr std::string_view kNotFiltered = "a message of this item cannot be cut to the view: its data are malformed";

[[nodiscard]] std::size_t formOf(const Mount& mount, const Client& client, const Msg& msg) noexcept {
    return fanout::formOf(mount.flags, textOf(client), msg);
}

[[nodiscard]] bool typeWanted(const Client& client, std::uint8_t type) noexcept {
    return type > 63 || (client.updateTypes >> type & 1) != 0;
}

}  // namespace

FanOut::FanOut(ClientTable& clients, const ViewTable& views, reactor::Reactor& reactor, const SlowRules& rules,
               SlowClients::CutOff cutOff)
    : TurnEnd(reactor), reactor_(reactor), clients_(clients), views_(views), log_(clients),
      slow_(clients, reactor, rules, counts_, std::move(cutOff), *this), rates_(reactor, merger_, counts_, *this),
      limits_(clients, reactor, counts_, *this),
      metrics_(reactor, [this](reactor::metrics::Snapshot& into) { collect(into); }) {}

void FanOut::collect(reactor::metrics::Snapshot& into) const {
    into.add(counts_);
    for (const OfListener& listener : listeners_)
        into.add(listener.counts, {{"listener", listener.name}});
}

void FanOut::admit(Client& client) noexcept {
    slow_.admit(client);
}

void FanOut::setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
    dictionary_ = std::move(dictionary);
    converter_.setDictionary(dictionary_.get());
    merger_.setDictionary(dictionary_.get());
}

// --- forms -----------------------------------------------------------------------------------------------------------

std::span<std::byte> FanOut::room(std::size_t bytes) {
    if (!log_.roomFor(bytes)) flush();
    return log_.room(bytes);
}

FanOut::Place FanOut::copy(eta::Bytes bytes) {
    std::memcpy(room(bytes.size()).data(), bytes.data(), bytes.size());
    return log_.keep(bytes.size());
}

FanOut::Place FanOut::encode(const Msg& msg) {
    eta::BeWriter out(room(maxEncodedSize(msg)));
    return encodeMsg(out, msg).ok() ? log_.keep(out.size()) : Place{};
}

/// The message as text, from behind the digits of its id on.
FanOut::Place FanOut::render(Place message, bool expandEnums) {
    converter_.options().expandEnums = expandEnums;
    if (message.length == 0 || !converter_.toJson(log_.at(message), text_.start()).ok()) return {};
    const std::string_view text = eta::asText(text_.view());
    work().spend(text.size() * TurnBudget::kText);
    const eta::json::IdPlace id = eta::json::idPlace(text);
    ++counts_.rendered;
    const Place made = id.length == 0 ? Place{} : copy(text_.view().subspan(id.at + id.length));
    if (text.size() > kKeptBuffer) text_.trim(kKeptBuffer);
    return made;
}

/// In place of a text that cannot be made.
FanOut::Place FanOut::notJson(const Msg& msg) {
    ++counts_.unsent;
    // Without a dictionary the image has said so already.
    if (msg.cls == MsgClass::Update && dictionary_ == nullptr) return {};
    if (msg.cls != MsgClass::Refresh && msg.cls != MsgClass::Update && msg.cls != MsgClass::Status) return {};
    return render(encode(inPlaceOf(msg, dictionary_ == nullptr ? kNoDictionary : kNotJson)), true);
}

FanOut::Forms& FanOut::formsOf(std::uint16_t view) {
    if (view == 0) [[likely]]
        return forms_->whole;
    if (forms_->viewed.size() < view) forms_->viewed.resize(view);
    return forms_->viewed[view - 1u];
}

/// Those of another message are stale by its number.
FanOut::OfQos& FanOut::formsWith(const Qos& qos) noexcept {
    for (std::size_t i = 1; i <= saidQos_; ++i)
        if (ofQos_[i].qos == qos) return ofQos_[i];
    if (saidQos_ + 1 == ofQos_.size()) {
        ++message_;
        saidQos_ = 0;
    }
    OfQos& made = ofQos_[++saidQos_];
    made.qos = qos;
    return made;
}

FanOut::Place FanOut::form(const Subject& of, const Msg& msg, std::uint16_t view, std::size_t which) {
    if (const Form& made = formsOf(view)[which]; made.made == message_) [[likely]]
        return made.place;
    Place place;
    if ((which & kText) == 0) {
        place = make(of, msg, which, view);
    } else if (const std::optional<eta::Bytes> text =
                   forms_ == ofQos_.data() ? shared_.find(view, which) : std::nullopt) {
        if (!text->empty()) place = copy(*text);
    } else {
        const Place rwf = form(of, msg, view, which & (kWithKey | kWithConfInfo));
        place = render(rwf, (which & kNumbers) == 0);
        if (place.length == 0 && rwf.length != 0) place = notJson(msg);
    }
    formsOf(view)[which] = {place, message_};  // room for it may have made others stale
    return place;
}

/// With the QoS that the mount is served with. Forms are made once for each QoS, in whatever order mounts have them.
FanOut::Place FanOut::image(const Subject& of, const Mount& mount, const Client& client, const Msg& msg,
                            std::uint16_t view) {
    const Conflation* const rule = mount.is(Mount::single) ? nullptr : rates_.said(of.rule, mount, client);
    std::optional<Qos> said;
    if (rule != nullptr) said = atRate(msg.hasQos() ? msg.qos : kRealtimeTickByTick, *rule);
    if (said && msg.hasQos() && *said == msg.qos) said.reset();
    forms_ = said ? &formsWith(*said) : ofQos_.data();
    const std::size_t which = formOf(mount, client, msg);
    if (!said) return form(of, msg, view, which);
    Msg changed = msg;
    changed.raw = {};
    changed.flags |= RefreshFlag::qos;
    changed.qos = *said;
    return form(of, changed, view, which);
}

FanOut::Place FanOut::make(const Subject& of, const Msg& msg, std::size_t which, std::uint16_t view) {
    const bool update = msg.cls == MsgClass::Update;
    const std::uint16_t wants = wantsOf(which);
    const bool addKey = of.item != nullptr && lacksKey(msg, wants);
    if (view == 0 && !addKey && goesAsReceived(msg, of.service, takenFrom(msg, wants))) return copy(msg.raw);
    Msg changed = addKey ? fanout::changed(msg, of.service, wants, [&] { return of.item->msgKey(); })
                         : fanout::changed(msg, of.service, takenFrom(msg, wants));
    if (view != 0) {
        work().spend(TurnBudget::kOneFilter + msg.payload.size() * TurnBudget::kFilter);
        ++counts_.filtered;
        switch (filter_.filter(views_[view], msg.containerType, msg.payload, payload_.start())) {
        case ViewFilter::Left::something:
            break;
        case ViewFilter::Left::nothing:
            if (update) return {};
            break;
        case ViewFilter::Left::malformed:
            ++counts_.unsent;
            return encode(inPlaceOf(msg, kNotFiltered));
        }
        changed.payload = payload_.view();
    }
    Place place = encode(changed);
    if (view != 0 && changed.payload.size() > kKeptBuffer) payload_.trim(kKeptBuffer);
    if (place.length != 0) [[likely]]
        return place;
    ++counts_.unsent;
    return isMissed(msg) ? encode(inPlaceOf(msg, kNotEncoded)) : place;
}

// --- deliveries ------------------------------------------------------------------------------------------------------

void FanOut::deliver(const Subject& of, const Mount& mount, Client& client, const Msg& msg) {
    if (client.link == nullptr || client.cutOff) [[unlikely]] {
        if (client.sink == nullptr) ++counts_.unsent;
        return;
    }
    if (!log_.roomForDelivery()) [[unlikely]]
        flush();
    const bool viewed = isViewed(msg);
    Place place;
    try {
        if ((client.behind || client.overLimit) && waits(of, mount, client, msg)) [[unlikely]]
            return;
        const std::uint16_t view = viewed ? mount.view : std::uint16_t{0};
        if (msg.cls == MsgClass::Refresh && rates_.says()) [[unlikely]]
            place = image(of, mount, client, msg, view);
        else place = form(of, msg, view, formOf(mount, client, msg));
    } catch (const std::bad_alloc&) {  // of this client alone: what comes next has less to make, or less for it
        ++counts_.unsent;
        return slow_.starved(client);
    }
    if (place.length == 0) [[unlikely]]
        return;
    log_.add(client, mount.stream, place);
    if (msg.cls == MsgClass::Update) countUpdate(client, place.length);
}

void FanOut::countUpdate(Client& client, std::size_t bytes) noexcept {
    client.updates = client.updates + 1;
    if (client.allowance != nullptr) [[unlikely]]
        limits_.sent(client, bytes);
}

// --- clients that are behind, or over their limit --------------------------------------------------------------------

/// False: the message goes now, and what waited on its stream has gone ahead of it.
bool FanOut::waits(const Subject& of, const Mount& mount, Client& client, const Msg& msg) {
    using Offered = conflate::PendingUpdates::Offered;
    using Info = conflate::PendingUpdates::Info;
    const SlowRules& rules = slow_.rulesOf(client);
    if (rules.mostJoined != 0 && !mount.is(Mount::single) && !rates_.never(of.rule, mount, client) &&
        conflate::mayWait(msg, rules.joinedTypes)) {
        const std::size_t rwf = formOf(mount, client, msg) & (kWithKey | kWithConfInfo);
        const Info info = mount.is(Mount::confInfo) ? Info::yes : Info::no;
        Offered offered{};
        do {
            const Place place = form(of, msg, mount.view, rwf);  // again, because what is sent may move the log
            Msg own;
            if (place.length == 0 || !decodeMsg(log_.at(place), own).ok()) return true;  // the view leaves nothing
            if (client.pending == nullptr)
                client.pending = std::make_shared<conflate::PendingUpdates>(merger_, rules.mostJoined);
            if (client.behind && !client.saysJoined) slow_.joins(client);
            offered = own.cls == MsgClass::Update ? client.pending->offer(mount.stream, own, reactor_.now(), info)
                                                  : Offered::asIs;
            // A client that reads, and has many items, is not disconnected for it: its output has a bound of its own.
        } while (offered == Offered::full && sendOldest(client, kSpilled) != 0);
        if (offered == Offered::joined) ++counts_.joined;
        if (offered == Offered::joined || offered == Offered::waits) return true;
    }
    sendWaiting(client, mount.stream);
    return false;
}

void FanOut::sendWaiting(Client& client, std::int32_t stream) {
    if (client.pending == nullptr) return;
    client.pending->take(stream, [&](std::int32_t id, const Msg& m) { sendJoined(client, id, m); });
}

void FanOut::sendJoined(Client& client, std::int32_t stream, const Msg& msg) {
    if (!log_.roomForDelivery()) flush();
    Place place = encode(msg);
    if (deliver(client, stream, place).ok()) countUpdate(client, place.length);
}

void FanOut::unmounted(std::uint32_t item, std::uint32_t mounts, Client& client, std::int32_t stream,
                       Leaves how) noexcept try {
    if (how == Leaves::changes) {
        sendWaiting(item);
        return sendWaiting(client, stream);
    }
    if (mounts == 1 && rates_.active()) rates_.drop(item);
    if (client.pending != nullptr) client.pending->drop(stream);
} catch (const std::bad_alloc&) { slow_.starved(client); }

/// Bytes of payloads, and a little for each message.
std::size_t FanOut::sendOldest(Client& client, std::size_t mostBytes) {
    std::size_t sent = 0;
    const auto send = [&](std::int32_t stream, const Msg& m) {
        sent += m.payload.size() + kOfHeader;
        sendJoined(client, stream, m);
    };
    const auto may = [&] { return client.allowance == nullptr || !client.allowance->usedUp(); };
    while (sent < mostBytes && may() && client.pending->takeOldest(send)) {}
    return sent;
}

void FanOut::tellState(Client& client, std::uint8_t code, std::string_view text) {
    if (client.loginStream == 0) return;
    Msg m;
    m.cls = MsgClass::Status;
    m.domain = kLoginDomain;
    m.containerType = DataType::NoData;
    m.flags = StatusFlag::state;
    m.state = {StreamState::open, DataState::ok, code, eta::asBytes(text)};
    (void)tell(client, client.loginStream, m);
}

void FanOut::changeRules(const RateRules& rates, std::span<const SlowRules> slow) {
    std::vector<std::uint64_t> types;
    for (const SlowRules& one : slow)
        types.push_back(one.joinedTypes);
    rates_.changeRules(rates, types);
    slow_.changeRules(slow);
    limits_.setLimits(rates.listenerLimits, rates.userLimits);
}

/// What waits for the client's items goes out, and others' items go on waiting: a client could change its class again
/// and again.
void FanOut::classify(Client& client, std::uint8_t userClass) {
    if (rates_.active())
        for (const auto& [stream, place] : client.mounts)
            rates_.sendWaiting(place.item);
    client.userClass = userClass;
    limits_.apply(client);
}

void FanOut::loggedIn(const Client& client) {
    limits_.apply(clients_[client.index]);
}

// --- at most one update in an interval -------------------------------------------------------------------------------

bool FanOut::holdsFor(const Item& item, const Mount& mount) const noexcept {
    return rates_.active() && ruleOf_ &&
           rates_.holds(rates_.of(ruleOf_(item.service), mount, clients_[mount.client]), item.index);
}

std::uint64_t FanOut::hold(const List& list, const Msg& msg, To to) {
    if (msg.cls != MsgClass::Update || to != To::live) {
        rates_.sendWaiting(list.of.index);
        return 0;
    }
    std::uint64_t there = 0, waiting = 0;
    for (const Mount& mount : list.mounts.first(std::min<std::size_t>(list.live, list.mounts.size()))) {
        const Client& client = clients_[mount.client];
        if (client.sink != nullptr || mount.is(Mount::single) || awaitsImage(mount) ||
            !flows(mount, client, list.of.service))
            continue;
        there |= std::uint64_t{1} << rates_.of(list.of.rule, mount, client);
    }
    for (std::uint64_t left = there & ~std::uint64_t{1}; left != 0; left &= left - 1) {
        const auto rateClass = static_cast<std::uint8_t>(std::countr_zero(left));
        if (rates_.waits(rateClass, list.of.index, msg)) waiting |= std::uint64_t{1} << rateClass;
    }
    return waiting;
}

std::size_t FanOut::sendToClass(std::uint32_t item, std::uint8_t rateClass, const Msg& msg) {
    List list = find_(item);
    if (list.of.item == nullptr && msg.hasKey()) list.of.service = msg.key.serviceId;  // the stage has put it in
    std::size_t count = 0;
    begin();
    for (Mount& mount : list.mounts.first(std::min<std::size_t>(list.live, list.mounts.size()))) {
        Client& client = clients_[mount.client];
        if (rates_.of(list.of.rule, mount, client) != rateClass || mount.is(Mount::single)) continue;
        if (!isLive(mount, client, list.of.service) || !rates_.wanted(rateClass, client.updateTypes, msg.updateType))
            continue;
        if (msg.has(UpdateFlag::discardable) && client.behind) [[unlikely]] {
            ++counts_.discarded;
            continue;
        }
        deliver(list.of, mount, client, msg);
        ++count;
    }
    return count;
}

// --- to mounts -------------------------------------------------------------------------------------------------------

void FanOut::send(List list, const Msg& msg, To to, const SharedTexts& texts) {
    if (!rates_.active()) [[likely]]
        return sendTo(list, msg, to, texts, [](const Mount&, const Client&) { return false; });
    const std::uint64_t waiting = hold(list, msg, to);
    sendTo(list, msg, to, texts, [&](const Mount& mount, const Client& client) {
        return (waiting >> rates_.of(list.of.rule, mount, client) & 1) != 0 && !mount.is(Mount::single);
    });
}

/// To all mounts but those that `waits` says true for.
template <class Waits>
void FanOut::sendTo(List list, const Msg& msg, To to, const SharedTexts& texts, Waits waits) {
    begin();
    shared_ = texts;
    const bool update = msg.cls == MsgClass::Update;
    const bool discardable = update && msg.has(UpdateFlag::discardable);
    if (update && since_ == reactor::TimePoint::max()) since_ = reactor_.now();
    if (to == To::live && list.live < list.mounts.size()) list.mounts = list.mounts.first(list.live);
    for (Mount& mount : list.mounts) {
        Client& client = clients_[mount.client];
        if (!isFor(mount, client, list.of.service, to)) continue;
        if (waits(mount, client)) continue;
        if (update && !typeWanted(client, msg.updateType)) continue;
        if (discardable && client.behind) [[unlikely]] {
            ++counts_.discarded;
            continue;
        }
        deliver(list.of, mount, client, msg);
    }
}

void FanOut::send(const Subject& of, const Mount& mount, const Msg& msg) {
    // An image has in it what waits, so others may go on waiting: whoever opens the item again and again must not undo
    // their interval, and no stream begins with an update.
    if (msg.cls != MsgClass::Refresh) sendWaiting(of.index);
    begin();
    sendToo(of, mount, msg);
}

void FanOut::sendToo(const Subject& of, const Mount& mount, const Msg& msg) {
    deliver(of, mount, clients_[mount.client], msg);
}

Error FanOut::tell(Client& client, std::int32_t stream, const Msg& msg) {
    if (client.link == nullptr || client.cutOff) return {Errc::closed, 0};
    begin();
    if (!log_.roomForDelivery()) flush();
    Place place = encode(msg);
    return deliver(client, stream, place);
}

Error FanOut::tell(Client& client, std::int32_t stream, eta::Bytes message) {
    if (client.link == nullptr || client.cutOff) return {Errc::closed, 0};
    begin();
    if (!log_.roomForDelivery()) flush();
    Place place = copy(message);
    return deliver(client, stream, place);
}

/// Leaves what goes out in `place`: a text, to a JSON client.
Error FanOut::deliver(Client& client, std::int32_t stream, Place& place) {
    if (client.json) place = render(place, client.expandsEnums);
    if (place.length == 0) {
        ++counts_.unsent;
        return {Errc::unsupportedType, 0};
    }
    log_.add(client, stream, place);
    return {};
}

void FanOut::flush() noexcept {
    ++message_;  // what was made so far is in the log that ends now
    const reactor::TimePoint since = std::exchange(since_, reactor::TimePoint::max());
    if (log_.blank()) return;
    counts_.gathered.raiseTo(log_.size());
    log_.writeOut([this](Client& client, const TurnLog::Written& written) {
        client.sent = client.sent + written.messages;
        if (const std::uint32_t updates = std::exchange(client.updates.value_, 0);
            updates != 0 && client.listener < listeners_.size())
            listeners_[client.listener].counts.updates += std::min(updates, written.messages);
        counts_.messages += written.messages;
        counts_.bytes += written.bytes;
        slow_.queued(client, written.queued);
        if (!written.error.ok()) [[unlikely]] {
            counts_.unsent += written.left;
            if (written.error.code == Errc::noBuffers) slow_.overrun(client);
        }
    });
    if (since != reactor::TimePoint::max()) counts_.forward.record(reactor_.readClock() - since);
}

}  // namespace emissary::hub::fanout
