// PerfTools/EmaCppConsPerf: connects, requests items at the configured rate, and counts and measures what arrives.
#include "ConsumerWorker.h"

#include "Clock.h"
#include "EmaErrors.h"
#include "EmaTransport.h"
#include "FirstConnection.h"

#include <algorithm>
#include <cstdio>

namespace emissary::perf {

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;

namespace {

// Closures are numbers, not addresses: an item's closure is its number behind these fixed ones, and needs no table.
constexpr std::uintptr_t kAdminClosure = 1;
constexpr std::uintptr_t kDirectoryClosure = 2;
constexpr std::uintptr_t kTunnelClosure = 3;
constexpr std::uintptr_t kFirstItemClosure = 4;  // items follow
// The time between two looks while nothing is to be sent, either for good or until the images are there.
constexpr std::int64_t kIdleNanos = 100'000'000, kPauseNanos = 10'000'000;
constexpr std::int64_t kMicro = 1000;

[[nodiscard]] void* closureOf(std::uint32_t item) noexcept {
    return reinterpret_cast<void*>(kFirstItemClosure + item);
}

// The first items of the shipped list take posts and generic messages: a later thread's share may have none.
void tellIdle(const std::string& name, const std::string& itemFile, const char* what, const char* attribute) {
    std::printf("%s: none of its items takes %s (%s in %s); it sends none.\n", name.c_str(), what, attribute,
                itemFile.c_str());
    std::fflush(stdout);
}

}  // namespace

ConsumerWorker::ConsumerWorker(const ConsumerSettings& settings, std::size_t number, const ItemList& items,
                               const MessageData& messages)
    : Worker(settings, sectionName(settings.consumerName, settings.consumerNameGiven, number), number),
      settings_(settings), items_(items),
      share_(itemShare(settings.itemCount, settings.commonItemCount, settings.threads.size(), number - 1)),
      // Handles are kept only where something is sent on a stream: a run that only reads saves eight bytes per item.
      handles_(settings.postRate != 0 || settings.genericRate != 0 ? share_.total() : 0, 0), imaged_(share_.total(), 0),
      // The seeds differ for each thread, so threads do not choose the same messages for latencies.
      posts_({settings.postLatencyRate, settings.postRate, settings.tickRate, 0x5052 + number}, settings.recover),
      generics_({settings.genericLatencyRate, settings.genericRate, settings.tickRate, 0x4752 + number},
                settings.recover),
      messages_(messages, settings.nanoTime), serviceName_(settings.serviceName.c_str()), tunnel_(settings.tunnel),
      service_(settings.serviceName, settings.tunnel.wanted),
      latencies_(settings.nanoTime, !settings.latencyFile.empty()) {
    for (std::uint32_t item = 0; item < share_.total(); ++item) {
        const ItemList::Entry& entry = items_.entry(share_.listIndex(item));
        if (settings.snapshot || entry.snapshot) continue;  // its stream ends with the image
        if (entry.post && messages_.hasPosts(entry.domain)) posts_.add(item);
        if (entry.generic && messages_.hasGenerics(entry.domain)) generics_.add(item);
    }
}

ConsumerWorker::~ConsumerWorker() = default;

void ConsumerWorker::run() {
    withStandardErrors([this] { work(); });
}

// The counts go with the consumer: they are read before it ends.
void ConsumerWorker::release() {
    if (consumer_) libraryCounts_ = LibraryCounts(metrics(*consumer_));
    consumer_.reset();
}

void ConsumerWorker::work() {
    connect();
    if (stopping()) return;
    channelUp_.store(true);
    if (loginLost_.load()) fail("Connection lost: " + lostText_);  // lost since connect(): nothing else checks that
    consumer_->registerClient(
        ReqMsg().domainType(rdm::MMT_DIRECTORY).filter(rdm::SERVICE_INFO_FILTER | rdm::SERVICE_STATE_FILTER), *this,
        reinterpret_cast<void*>(kDirectoryClosure));
    waitForService();
    if (settings_.postRate != 0 && posts_.idle()) tellIdle(name(), settings_.itemFile, "posts", "post=\"true\"");
    if (settings_.genericRate != 0 && generics_.idle())
        tellIdle(name(), settings_.itemFile, "generic messages", "genMsg=\"true\"");
    runTicks();
}

void ConsumerWorker::configure(OmmConsumerConfig& config, const ConsumerSettings& settings, std::size_t number) {
    const std::string name = chooseSection(config, settings.consumerName, settings.consumerNameGiven, number);
    config.operationModel(settings.userDispatch ? OmmConsumerConfig::UserDispatchEnum
                                                : OmmConsumerConfig::ApiDispatchEnum);
    if (!settings.userName.empty()) config.username(settings.userName.c_str());
    if (!settings.host.empty()) config.host(settings.host.c_str());
    if (!settings.apiThreads.empty()) config.apiThreadBind(settings.apiThreads[number - 1].c_str());
    if (!settings.workerThreads.empty()) config.workerThreadBind(settings.workerThreads[number - 1].c_str());
    addBusyPoll(config, name, settings.busyPollUs);
    addLoginLimit(config, name, settings.steadyStateSeconds);
    addChannelSettings(config, name, settings.transport);
    addWarmStandby(config, name, settings.transport, settings.warmStandby, settings.serviceName);
}

// Tries until the provider is there and accepts the login.
void ConsumerWorker::connect() {
    OmmConsumerConfig config;
    configure(config, settings_, number());
    const FirstConnection first{.notice = notice_,
                                .peer = "provider",
                                .target = connectTarget(config),
                                .thread = name(),
                                .over = [this] { return stopping(); },
                                .pause = [this](std::int64_t nanos) { pause(nanos); },
                                .refusedForNow = [this] { return refusedForNow_.load(); }};
    (void)first.make([&] {
        refusedForNow_.store(false);
        consumer_ = std::make_unique<OmmConsumer>(config, *this, reinterpret_cast<void*>(kAdminClosure));
    });
}

std::string ConsumerWorker::takeNews() {
    return notice_.take();
}

std::string ConsumerWorker::missing() const {
    // Loaded: nothing is missing.
    if (imageEnd() != 0) return {};
    std::string text = name() + ": ";
    if (imageStart() != 0)
        text += std::to_string(received_.images.get()) + " of " + std::to_string(share_.total()) + " images came";
    if (const std::string wait = notice_.waitsFor(); !wait.empty())
        text += (imageStart() != 0 ? "; the last status of an item is " : "it waits for ") + wait;
    return text + ".\n";
}

void ConsumerWorker::waitForService() {
    static constexpr std::int64_t kTellAfter = 2 * kNanosPerSecond;
    const std::int64_t tellAt = nowNanos() + kTellAfter;
    bool told = false;
    notice_.waitFor("service '" + settings_.serviceName + "', which is not up and accepting requests" +
                    (tunnel_.wanted() ? " and tunnel streams" : ""));
    while (!(tunnel_.wanted() ? tunnel_.isOpen() : service_.ready()) && !stopping()) {
        if (tunnel_.wanted()) keepTunnel();
        wait(nowNanos(), nowNanos() + 1'000'000);
        if (told || service_.ready() || nowNanos() < tellAt) continue;
        if (tunnel_.wanted())
            std::printf("%s: waiting for service '%s' to be up, accept requests, and take tunnel streams (System, 127, "
                        "among its Capabilities).\n",
                        name().c_str(), settings_.serviceName.c_str());
        else
            std::printf("%s: waiting for service '%s' to be up and accepting requests.\n", name().c_str(),
                        settings_.serviceName.c_str());
        std::fflush(stdout);
        told = true;
    }
    if (!stopping()) notice_.waitFor({});
}

// With -recover a tunnel that has ended is opened again, and everything in it asked for once more.
void ConsumerWorker::keepTunnel() {
    if (!tunnel_.isOpen()) {
        if (loginLost_.load() || !service_.ready()) return;
        // What was requested in an earlier tunnel has to be requested again. The first tunnel has nothing to repeat.
        tunnelServed_ = requested_ == 0;
        tunnel_.keepOpen(*consumer_, *this, reinterpret_cast<void*>(kTunnelClosure), service_.id());
    } else if (!tunnelServed_) {
        tunnelServed_ = true;
        reopening_.clear();
        // Reversed, because reopen() takes from the end: the items come back in the order of the list.
        for (std::uint32_t item = requested_; item-- > 0;)
            reopening_.push_back(item);
    }
}

bool ConsumerWorker::hasWork() const noexcept {
    if (requested_ < share_.total() || !reopening_.empty() || closed_.any()) return true;
    return steady_.load(std::memory_order_acquire) && (settings_.postRate != 0 || settings_.genericRate != 0);
}

void ConsumerWorker::runTicks() {
    TickSchedule ticks(settings_.tickRate, nowNanos());
    const bool sendsLater = settings_.postRate != 0 || settings_.genericRate != 0;
    bool idle = false;
    while (!stopping()) {
        const std::int64_t now = nowNanos();
        if (tunnel_.wanted()) keepTunnel();
        if (!hasWork()) {  // only reading, with long waits
            idle = true;
            wait(now, now + (sendsLater ? kPauseNanos : kIdleNanos));
            continue;
        }
        // A new schedule: the old one would make up at once for all ticks of the idle time.
        if (idle) ticks = TickSchedule(settings_.tickRate, now);
        idle = false;
        if (ticks.take(now)) tick(ticks.tick());
        else wait(now, ticks.next());
    }
}

// With user dispatch reads for that long; otherwise the library's thread reads, and this one sleeps.
void ConsumerWorker::wait(std::int64_t now, std::int64_t until) {
    if (!settings_.userDispatch) return sleepUntil(until);
    // A busy read spends one processor, and the time of the read is not rounded by a wake-up.
    if (settings_.busyRead) consumer_->dispatch(OmmConsumer::NoWaitEnum);
    else consumer_->dispatch(std::max<std::int64_t>(1, (until - now) / kMicro));
}

void ConsumerWorker::tick(std::uint32_t tick) {
    const std::uint32_t requests = burstSize(settings_.requestRate, settings_.tickRate, tick);
    if (requested_ < share_.total()) requestBurst(requests);
    else if (!reopening_.empty() || closed_.any()) reopen(requests);
    // During an outage nothing is sent: a post into a lost stream would be counted as dropped by the tool's own choice.
    if (outages_.lasting()) return;
    if (!steady_.load(std::memory_order_acquire)) return;
    const auto domainOf = [this](const ItemTurn& turn) { return items_.entry(share_.listIndex(turn.item)).domain; };
    const auto submit = [this](const auto& message, const ItemTurn& turn) {
        consumer_->submit(message, handles_[turn.item]);
        tunnel_.noteBuffers(*consumer_);
    };
    if (settings_.postRate != 0)
        posts_.send(burstSize(settings_.postRate, settings_.tickRate, tick), {sent_.posts, sent_.postsDropped},
                    [&](const ItemTurn& turn) { submit(messages_.post(domainOf(turn), turn), turn); });
    if (settings_.genericRate != 0)
        generics_.send(burstSize(settings_.genericRate, settings_.tickRate, tick),
                       {sent_.generics, sent_.genericsDropped}, [&](const ItemTurn& turn) {
                           submit(messages_.generic(domainOf(turn), turn), turn);
                           if (turn.latency) sent_.genericLatencies.add();
                       });
}

void ConsumerWorker::requestBurst(std::uint32_t count) {
    // Stored before the first request goes out: its image may come on another thread before registerClient() returns.
    if (requested_ == 0) imageStart_.store(nowNanos(), std::memory_order_release);
    const std::uint32_t end = std::min(share_.total(), requested_ + count);
    while (requested_ < end && !failed() && request(requested_))
        ++requested_;
}

// False when the tunnel stream takes no more for the time being.
bool ConsumerWorker::request(std::uint32_t item) {
    const std::size_t index = share_.listIndex(item);
    const ItemList::Entry& entry = items_.entry(index);
    const std::string_view itemName = items_.name(index);
    itemName_.set(itemName.data(), static_cast<UInt32>(itemName.size()));
    request_.clear().domainType(static_cast<UInt16>(entry.domain)).name(itemName_);
    if (settings_.useServiceId || tunnel_.wanted()) request_.serviceId(service_.id());
    else request_.serviceName(serviceName_);
    request_.interestAfterRefresh(!settings_.snapshot && !entry.snapshot);
    // Generic messages of one client must not reach others: they take a private stream.
    if (entry.generic && settings_.genericRate != 0) request_.privateStream(true);
    UInt64 handle = 0;
    if (tunnel_.wanted()) {
        try {
            handle = consumer_->registerClient(request_, *this, closureOf(item), tunnel_.handle());
        } catch (const OmmException& exception) {
            if (tunnel_.isBusy(exception)) return false;
            throw;
        }
        tunnel_.noteBuffers(*consumer_);
    } else {
        handle = consumer_->registerClient(request_, *this, closureOf(item));
    }
    if (!handles_.empty()) handles_[item] = handle;
    sent_.requests.add();
    // Messages have their turn after each slice, where this thread is the one that reads.
    if (requestSlices_.step() && settings_.userDispatch) consumer_->dispatch(OmmConsumer::NoWaitEnum);
    return true;
}

// Requests again what a lost connection closed (-recover): private streams, and what went with a tunnel stream; the
// library recovers the others.
void ConsumerWorker::reopen(std::uint32_t count) {
    if (closed_.any()) closed_.take(reopening_);
    const auto mayAsk = [this] { return tunnel_.wanted() ? tunnel_.isOpen() : !outages_.lasting(); };
    for (; count != 0 && !reopening_.empty() && mayAsk(); --count) {
        if (!request(reopening_.back())) return;
        reopening_.pop_back();
    }
}

void ConsumerWorker::recordLatency(LatencyKind kind, std::uint64_t stamp) {
    const std::int64_t now = nowNanos();
    const bool steady = startup_.isSteady(now);
    latencies_.record(kind, steady ? LatencyPhase::steady : LatencyPhase::startup, static_cast<std::int64_t>(stamp),
                      stampUnits(now));
}

void ConsumerWorker::onRefreshMsg(const RefreshMsg& message, const Event& event) {
    const auto closure = reinterpret_cast<std::uintptr_t>(event.getClosure());
    if (isTestOver()) return;
    try {
        if (closure == kAdminClosure) return onLoginState(message.getState());
        if (closure == kDirectoryClosure) return service_.apply(message.getPayload());
        received_.refreshes.add();
        if (outages_.lasting()) onData();
        static_cast<void>(decoder_.decode(message.getPayload()));
        const OmmState& state = message.getState();
        // The last part of an image counts, and only with current data.
        const bool image = message.getComplete() && state.getDataState() == OmmState::OkEnum;
        onItemState(state, static_cast<std::uint32_t>(closure - kFirstItemClosure), image);
    } catch (const OmmException& exception) { fail(exception.getText().c_str()); }
}

void ConsumerWorker::onItemState(const OmmState& state, std::uint32_t item, bool image) {
    const bool loading = imageEnd_.load(std::memory_order_relaxed) == 0;
    const auto stream = state.getStreamState();
    // The library recovers shared streams itself. What it reports as closed-recover here are private streams and
    // streams of a tunnel.
    if (settings_.recover && stream == OmmState::ClosedRecoverEnum) {
        closed_.add(item);
        return;
    }
    if (loading && stream != OmmState::OpenEnum && stream != OmmState::NonStreamingEnum) {
        const std::string itemName(items_.name(share_.listIndex(item)));
        return fail("Received unexpected final state " + reasonOf(state) + " in refresh for item: " + itemName);
    }
    if (!loading && stream == OmmState::ClosedEnum) {
        // It does not come back: the first one is told, and a run of -recover that has lost all of them has failed.
        const std::string what = std::string(items_.name(share_.listIndex(item))) + ": " + reasonOf(state);
        if (ended_++ == 0) notice_.tell("item closed for good: " + what);
        if (settings_.recover && ended_ == share_.total())
            fail("All " + std::to_string(ended_) + " items were closed for good, the last of them " + what);
    }
    if (loading && state.getDataState() == OmmState::SuspectEnum)
        notice_.waitFor(reasonOf(state) + ", of " + std::string(items_.name(share_.listIndex(item))));
    if (!image || imaged_[item] != 0) return;
    imaged_[item] = 1;
    // One image per item: a refresh after a recovery counts as a refresh alone.
    received_.images.add();
    if (received_.images.get() != share_.total()) return;
    const std::int64_t now = nowNanos();
    startup_.onImages(now, std::int64_t{settings_.steadyStateDelayMs} * 1'000'000);
    imageEnd_.store(now, std::memory_order_release);
}

void ConsumerWorker::onUpdateMsg(const UpdateMsg& message, const Event& event) {
    const auto closure = reinterpret_cast<std::uintptr_t>(event.getClosure());
    if (isTestOver()) return;
    try {
        if (closure < kFirstItemClosure) {
            if (closure == kDirectoryClosure) service_.apply(message.getPayload());
            return;
        }
        const std::int64_t begin = settings_.measureDecode ? nowNanos() : 0;
        const FoundStamps stamps = decoder_.decode(message.getPayload());
        if (settings_.measureDecode) decodeTimes_.add(static_cast<double>(nowNanos() - begin) / 1000.0);
        startup_.beforeUpdate(received_.updates.get());
        received_.updates.add();
        if (outages_.lasting()) onData();
        if (stamps.update != 0) recordLatency(LatencyKind::update, stamps.update);
        // Posts of other clients come back on the same items. Their stamps are of another host's clock.
        if (stamps.post != 0 && messages_.isOurs(message)) recordLatency(LatencyKind::post, stamps.post);
    } catch (const OmmException& exception) { fail(exception.getText().c_str()); }
}

// The login stream turns suspect when the connection is lost.
void ConsumerWorker::onLoginState(const OmmState& state) {
    // Read by connect() after the constructor threw: the exception has no stream state.
    if (state.getStreamState() == OmmState::ClosedRecoverEnum) refusedForNow_.store(true);
    const bool lost = state.getDataState() == OmmState::SuspectEnum;
    if (lost && !loginLost_.load()) lostText_ = reasonOf(state);
    loginLost_.store(lost);
    // Before channelUp_ the constructor itself reports what happened, as an exception.
    if (lost && channelUp_.load() && !stopping()) onLost(state);
}

void ConsumerWorker::onLost(const OmmState& state) {
    const std::string text = reasonOf(state);
    if (!settings_.recover || state.getStreamState() == OmmState::ClosedEnum) return fail("Connection lost: " + text);
    if (outages_.begin(nowNanos())) notice_.tell("connection lost: " + text);
}

// A tunnel stream that was never open is asked for again: the provider may have no room for it yet.
void ConsumerWorker::onTunnelState(const OmmState& state) {
    using Change = ConsumerTunnel::Change;
    const Change change = tunnel_.onState(state);
    if (change == Change::refused) notice_.waitFor("the tunnel stream, which is " + reasonOf(state));
    if (change == Change::refused)
        return notice_.tell("the tunnel stream is not open, and is asked for every 2 seconds: " + reasonOf(state));
    if (change != Change::ended || stopping()) return;
    const std::string text = reasonOf(state);
    if (!settings_.recover) return fail("Tunnel stream closed: " + text);
    if (outages_.begin(nowNanos())) notice_.tell("tunnel stream closed: " + text);
}

// The first message after a loss.
void ConsumerWorker::onData() {
    if (loginLost_.load() || !outages_.end(nowNanos())) return;
    notice_.tell("the data is back.");
}

void ConsumerWorker::onStatusMsg(const StatusMsg& message, const Event& event) {
    const auto closure = reinterpret_cast<std::uintptr_t>(event.getClosure());
    if (isTestOver()) return;
    try {
        if (closure < kFirstItemClosure) {
            if (closure == kAdminClosure && message.hasState()) onLoginState(message.getState());
            if (closure == kTunnelClosure && message.hasState()) onTunnelState(message.getState());
            return;
        }
        received_.statuses.add();
        if (message.hasState())
            onItemState(message.getState(), static_cast<std::uint32_t>(closure - kFirstItemClosure), false);
    } catch (const OmmException& exception) { fail(exception.getText().c_str()); }
}

void ConsumerWorker::onGenericMsg(const GenericMsg& message, const Event& event) {
    if (isTestOver() || reinterpret_cast<std::uintptr_t>(event.getClosure()) < kFirstItemClosure) return;
    try {
        received_.generics.add();
        const FoundStamps stamps = decoder_.decode(message.getPayload());
        if (stamps.generic != 0) recordLatency(LatencyKind::generic, stamps.generic);
    } catch (const OmmException& exception) { fail(exception.getText().c_str()); }
}

}  // namespace emissary::perf
