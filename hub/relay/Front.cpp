// Runs the thread of a front: takes connections and records in, delivers messages, reports back.
#include "hub/relay/Front.h"

#include "reactor/JsonLayer.h"
#include "reactor/metrics/Snapshot.h"
#include "reactor/threads.h"

#include <mutex>
#include <new>

#include <poll.h>
#include <sys/epoll.h>

namespace emissary::hub::relay {

using namespace eta::codec;
using client::endingOf;
using client::EndReason;
using Kind = ToFront::Kind;

namespace {

constexpr std::size_t kRecordsATurn = 1024;
constexpr int kMessagesATurn = 100;  // of clients: what the stage has for them does not wait longer

[[nodiscard]] reactor::ReactorOptions reactorOptions(const FrontOptions& o) {
    reactor::ReactorOptions made;
    made.name = o.name;
    made.instance = o.instance;
    made.workerCpu = o.cpu;
    made.clock = o.clock;
    made.jsonLayer = reactor::jsonLayer();
    return made;
}

[[nodiscard]] eta::Bytes bytesOf(const ToFront& r) noexcept {
    return {r.bytes, r.length};
}

}  // namespace

Front::Front(const FrontOptions& options, Wakeup& stage)
    : reactor_(reactorOptions(options)), stage_(stage), slow_(options.slow), name_(options.name), cpu_(options.cpu) {
    const std::lock_guard guard(reactor_.lock());
    fanOut_ = std::make_unique<fanout::FanOut>(
        clients_, views_, reactor_, fanout::SlowRules{},
        [this](Client& client, fanout::SlowClients::Cut kind, const std::string& reason) {
            const bool slow = kind == fanout::SlowClients::Cut::slow;
            fanOut_->flush();
            FrontPort::of(client).end(client, endingOf(slow ? EndReason::slow : EndReason::memory, reason));
        });
    fanOut_->setRates(options.rates, [this](std::uint32_t item) { return listOf(items_[item], 0); });
    fanOut_->onUnread([this](const Client& client) {
        ToStage r;
        r.kind = ToStage::Kind::unread;
        r.client = client.index;
        r.marked = client.unread;
        tell(r);
    });
    fanOut_->onNotice([this](Severity severity, const std::string& line) {
        ToStage r;
        r.kind = ToStage::Kind::line;
        r.marked = severity == Severity::success;
        r.extra = new Text(line);
        tell(r);
    });
    fanOut_->setServices(&names_);
    reactor_.watch(wakeup_.fd(), EPOLLIN, *this);
}

/// Nobody dispatches any more: roles end without callbacks, and what is left in the rings is deleted.
Front::~Front() {
    const std::lock_guard guard(reactor_.lock());
    reactor_.unwatch(wakeup_.fd());
    toFront_.take(kToFront, [](const ToFront& r) { delete r.extra; });
    toStage_.take(kToStage, [](const ToStage& r) { delete r.extra; });
    for (const ToStage& r : over_)
        delete r.extra;
    ports_.clear();
    fanOut_.reset();
}

FrontPort& Front::addPort(std::uint8_t listener, const std::string& name, const reactor::ProviderOptions& options,
                          bool expandsEnums, const client::WebRules& web) {
    fanOut_->addListener(name, listener < slow_.size() ? slow_[listener] : fanout::SlowRules{});
    return *ports_.emplace_back(std::make_unique<FrontPort>(*this, listener, options, expandsEnums, web));
}

void Front::collect(reactor::metrics::Snapshot& into, bool ofListeners) const {
    reactor_.collect(into, name_);
    FrontCounts mine = counts_;
    mine.waiting = toFront_.pushed() - toFront_.passed();
    into.add(mine, {{"thread", name_}});
    fanOut_->collect(into);
    for (const auto& port : ports_)
        port->collect(into, ofListeners);
}

void Front::changeRules(const fanout::RateRules& rates, const std::vector<fanout::SlowRules>& slow,
                        const std::vector<std::uint8_t>& ofServices) {
    last_ = nullptr;
    fanOut_->sendAllWaiting();
    items_.forEach([&](MirrorItem& item) {
        item.rule = item.service < ofServices.size() ? ofServices[item.service] : std::uint8_t{0};
    });
    fanOut_->changeRules(rates, slow);
}

void Front::setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
    dictionary_ = std::move(dictionary);
    fanOut_->setDictionary(dictionary_);
}

// --- the thread ------------------------------------------------------------------------------------------------------

void Front::start() {
    thread_ = std::thread([this] { run(name_, cpu_); });
}

void Front::stop() noexcept {
    if (!thread_.joinable()) return;
    stop_.store(true, std::memory_order_release);
    wakeup_.signal();
    reactor_.wake();
    thread_.join();
}

void Front::run(const std::string& name, const std::string& cpu) {
    reactor::nameThisThread(name);
    (void)reactor::bindThisThread(cpu);  // the program says so where it cannot be
    while (!stop_.load(std::memory_order_acquire)) {
        if (overfull()) [[unlikely]]
            relieve();
        else reactor_.dispatch(std::chrono::seconds(1), kMessagesATurn);
    }
}

// --- to the stage ----------------------------------------------------------------------------------------------------

void Front::tell(ToStage record) {
    if (!over_.empty() || !toStage_.tryPush(record)) over_.push_back(record);
    stage_.signal();
}

void Front::tell(ToStage record, eta::Bytes message) {
    const eta::Bytes kept = log_.write(message);
    record.bytes = kept.data();
    record.length = static_cast<std::uint32_t>(kept.size());
    tell(record);
}

void Front::tell(ToStage record, const Msg& message) {
    eta::BeWriter out(log_.room(maxEncodedSize(message)));
    if (!encodeMsg(out, message).ok()) return;  // it was decoded a moment ago
    const eta::Bytes kept = log_.keep(out.size());
    record.bytes = kept.data();
    record.length = static_cast<std::uint32_t>(kept.size());
    tell(record);
}

bool Front::overfull() noexcept {
    if (!over_.empty()) return true;
    if (log_.waiting() <= kMostToStage) [[likely]]
        return false;
    log_.recycle();
    return log_.waiting() > kMostToStage;
}

void Front::handOver() noexcept {
    while (!over_.empty() && toStage_.tryPush(over_.front()))
        over_.pop_front();
    stage_.signal();
}

/// Clients are not read, what the stage has for them goes on: the stage may itself be waiting for this ring.
void Front::relieve() noexcept {
    ++counts_.holds;
    held_.store(true, std::memory_order_seq_cst);  // pairs with the load in roomMade()
    handOver();
    if (overfull() && !stop_.load(std::memory_order_acquire)) {
        pollfd p{wakeup_.fd(), POLLIN, 0};
        (void)::poll(&p, 1, 100);
        wakeup_.clear();
        const std::lock_guard guard(reactor_.lock());
        while (takeSome() != 0)
            fanOut_->flush();
    }
    held_.store(false, std::memory_order_seq_cst);
    handOver();
}

// --- from the stage --------------------------------------------------------------------------------------------------

/// The descriptor stays readable while there is more.
void Front::onReady(std::uint32_t) noexcept {
    if (takeSome() == kRecordsATurn) return;
    wakeup_.clear();
    if (!toFront_.empty()) wakeup_.signal();
}

std::size_t Front::takeSome() noexcept {
    last_ = nullptr;  // its bytes may be another message's by now
    const std::size_t count = toFront_.take(kRecordsATurn, [this](const ToFront& r) { take(r); });
    counts_.mounts = mounts_.size();
    if (count != 0 && awaited_.exchange(false, std::memory_order_acq_rel)) stage_.signal();
    return count;
}

/// What cannot be done for want of memory costs the client its connection: nobody is left with a gap.
void Front::take(const ToFront& r) noexcept {
    const std::unique_ptr<Extra> extra(r.extra);
    Client* const client = clients_.find(r.client);
    try {
        switch (r.kind) {
        case Kind::update:
        case Kind::everybody:
            return deliver(r);
        case Kind::directory:
            return void(told_.apply(bytesOf(r), false));
        case Kind::call:
            return static_cast<const Call*>(r.extra)->call(*this);
        default:
            if (client != nullptr) apply(r, *client);
        }
    } catch (const std::bad_alloc&) {
        if (r.kind == Kind::update || r.kind == Kind::everybody) {
            if (const MirrorItem* const item = items_.find(r.item))
                for (std::uint32_t at = 0; at < item->mountCount; ++at)
                    if (Client& c = clients_[item->mounts[at].client]; c.link != nullptr)
                        FrontPort::of(c).end(c, endingOf(EndReason::memory, "memory is short"));
        } else if (isForOneClient(r.kind) && client != nullptr && client->link != nullptr)
            FrontPort::of(*client).end(*client, endingOf(EndReason::memory, "memory is short"));
    }
}

/// Of a message with that service id.
fanout::FanOut::List Front::listOf(const MirrorItem& item, std::uint16_t service) noexcept {
    return {{item.mounts, item.mountCount}, {service, nullptr, item.index, item.rule}, item.liveCount};
}

void Front::deliver(const ToFront& r) {
    const MirrorItem* const item = items_.find(r.item);
    if (item == nullptr || item->mountCount == 0) return;
    last_ = nullptr;
    if (!decodeMsg(bytesOf(r), message_).ok()) return;  // it was encoded or decoded by the stage
    const std::uint16_t service = message_.hasKey() ? message_.key.serviceId : std::uint16_t{0};
    if (r.kind == Kind::update) fanOut_->receivedAt(reactor::TimePoint(reactor::Duration(r.handle)));
    fanOut_->send(listOf(*item, service), message_, r.kind == Kind::update ? To::live : To::all,
                  {r.bytes + r.length, r.flags, stageViews_});
}

void Front::apply(const ToFront& r, Client& client) {
    switch (r.kind) {
    case Kind::mount: {
        const Mount* const mount = mounts_.find(client, r.stream);
        if (mount == nullptr) return;
        const bool again = last_ == r.bytes;
        if (!again && !decodeMsg(bytesOf(r), message_).ok()) return;
        const std::uint16_t service = message_.hasKey() ? message_.key.serviceId : std::uint16_t{0};
        const fanout::FanOut::Subject of{service, nullptr, r.item, items_[r.item].rule};
        if (again) fanOut_->sendToo(of, *mount, message_);
        else fanOut_->send(of, *mount, message_);
        last_ = r.bytes;
        return;
    }
    case Kind::stream:
        last_ = nullptr;
        return void(fanOut_->tell(client, r.stream, bytesOf(r)));
    case Kind::mounted:
        return mounted(r, client);
    case Kind::unmounted:
        return unmounted(r, client);
    case Kind::live:
    case Kind::quiet:
        if (Mount* const mount = mounts_.find(client, r.stream)) {
            MirrorItem& item = items_[r.item];
            if (r.kind == Kind::quiet) fanOut_->sendWaiting(r.item);  // the stage thinks that it has what came so far
            if (r.kind == Kind::live) mounts_.enliven(item, *mount).set(Mount::waiting, false);
            else mounts_.quieten(item, *mount).set(Mount::waiting, true);
        }
        return;
    case Kind::answer:
        return answer(r, client);
    case Kind::forget:
        return void(FrontPort::of(client).role().forget(r.handle));
    case Kind::close:
        fanOut_->flush();  // the last messages to it
        return FrontPort::of(client).end(client, r.extra != nullptr ? static_cast<const Goodbye*>(r.extra)->ending
                                                                    : endingOf(EndReason::memory, "memory is short"));
    case Kind::hold:
    case Kind::readAgain:
        if (client.link != nullptr && !client.unread) client.link->hold(r.kind == Kind::hold);
        client.waits = r.kind == Kind::hold;
        return;
    case Kind::profile: {
        const auto& profile = *static_cast<const Profile*>(r.extra);
        client.user = profile.user;
        client.position = profile.position;
        client.updateTypes = profile.updateTypes;
        client.loginStream = profile.loginStream;
        if (client.loggedIn && client.userClass != profile.userClass) {
            last_ = nullptr;
            fanOut_->classify(client, profile.userClass);
        }
        client.userClass = profile.userClass;
        if (!std::exchange(client.loggedIn, true)) fanOut_->loggedIn(client);
        return;
    }
    case Kind::released:
        return clients_.remove(client);
    case Kind::update:
    case Kind::everybody:
    case Kind::directory:
    case Kind::call:
        return;
    }
}

/// A mount that gets no updates is one that waits: why does not matter here.
void Front::mounted(const ToFront& r, Client& client) {
    std::uint16_t view = 0;
    if (r.extra != nullptr) view = views_.intern(static_cast<const WantedView*>(r.extra)->view);
    const auto flags =
        static_cast<std::uint16_t>(r.flags & (Mount::keyInUpdates | Mount::confInfo | Mount::single | Mount::qosBits));
    const bool live = (r.flags & Mount::mirroredLive) != 0;
    try {
        if (stageViews_.size() < view) stageViews_.resize(view);
        if (view != 0) stageViews_[view - 1u] = static_cast<std::uint16_t>(r.handle >> 16);
        MirrorItem& item = items_.make(r.item);
        item.rule = r.rule;
        item.service = static_cast<std::uint16_t>(r.handle);
        Mount& mount = mounts_.add(item, client, r.stream,
                                   static_cast<std::uint16_t>(live ? flags : flags | Mount::waiting), view);
        if (!live) mounts_.quieten(item, mount);
    } catch (...) {
        views_.release(view);
        throw;
    }
}

void Front::unmounted(const ToFront& r, Client& client) noexcept {
    const Mount* const mount = mounts_.find(client, r.stream);
    if (mount == nullptr) return;
    fanOut_->unmounted(r.item, items_[r.item].mountCount, client, r.stream, static_cast<Leaves>(r.flags));
    views_.release(mount->view);
    mounts_.remove(client, r.stream);
}

void Front::answer(const ToFront& r, Client& client) {
    Msg m;
    if (!decodeMsg(bytesOf(r), m).ok()) return;
    m.raw = {};
    fanOut_->flush();
    reactor::ProviderRole& role = FrontPort::of(client).role();
    if (!role.submit(r.handle, m).ok() && client.link != nullptr)
        FrontPort::of(client).end(client, endingOf(EndReason::fault, "the login cannot be answered"));
}

}  // namespace emissary::hub::relay
