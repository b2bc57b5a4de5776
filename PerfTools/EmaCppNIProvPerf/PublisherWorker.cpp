// PerfTools/EmaCppNIProvPerf: logs in, publishes images, then updates by schedule, and begins anew after a loss.
#include "PublisherWorker.h"

#include "Clock.h"
#include "EmaErrors.h"
#include "EmaTransport.h"
#include "FirstConnection.h"
#include "emissary/output.h"
#include "image_share.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace emissary::perf {

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;

namespace {

constexpr std::int64_t kMicro = 1000;
constexpr std::int64_t kIdleNanos = 100'000'000;
constexpr std::uint64_t kServer = UpdateSender::kNoClient;  // the one connection that there is

}  // namespace

PublisherWorker::PublisherWorker(const NiProviderSettings& settings, std::size_t number, const ItemList& items,
                                 const MessageData& messages)
    : Worker(settings, sectionName(settings.providerName, settings.providerNameGiven, number), number),
      settings_(settings), items_(items),
      share_(itemShare(settings.itemCount, settings.commonItemCount, settings.threads.size(), number - 1)),
      messages_(settings, messages), serviceName_(settings.serviceName.c_str()),
      chooser_(settings.updateLatencyRate, settings.updateRate, settings.tickRate, 0x4E50 + number) {
    live_.reserve(share_.total());
}

PublisherWorker::~PublisherWorker() = default;

std::string PublisherWorker::takeNews() {
    {
        const std::lock_guard lock(goneMutex_);
        if (!news_.empty()) return std::exchange(news_, {});
    }
    return notice_.take();
}

bool PublisherWorker::overBefore(std::string& outcome) const {
    if (!disconnected()) return false;
    const std::lock_guard lock(goneMutex_);
    outcome = "The connection of " + name() + " was lost: the test is over." +
              (lostText_.empty() ? "" : " The login is " + lostText_ + ".") + "\n";
    return true;
}

// --- callbacks -------------------------------------------------------------------------------------------------------

void PublisherWorker::gone(std::uint64_t handle) {
    const std::lock_guard lock(goneMutex_);
    // Callbacks run in the library's thread, and the list of live items belongs to this worker's: handles are left
    // here, and removeGone() takes them.
    gone_.push_back(handle);
    anyGone_.store(true, std::memory_order_release);
}

void PublisherWorker::onRefreshMsg(const RefreshMsg& message, const Event&) {
    if (message.getDomainType() == rdm::MMT_LOGIN) onLoginState(message.getState());
}

// Also handles the end of a login: a connection that is lost after its login ends the test.
void PublisherWorker::onLoginState(const OmmState& state) {
    // ClosedRecover: the server asks to come back later. Closed is final.
    if (state.getStreamState() == OmmState::ClosedRecoverEnum) refusedForNow_.store(true);
    const bool suspect = state.getDataState() == OmmState::SuspectEnum;
    if (suspect && !loginLost_.load()) {
        const std::lock_guard lock(goneMutex_);
        lostText_ = reasonOf(state);
    }
    loginLost_.store(suspect);
    if (suspect && connected_.load()) lost(state.getStreamState() == OmmState::ClosedEnum);
}

void PublisherWorker::lost(bool forGood) {
    if (forGood || !settings_.recover) return disconnected_.store(true, std::memory_order_release);
    if (stopping() || !outages_.begin(nowNanos())) return;
    const std::lock_guard lock(goneMutex_);
    news_ = "connection lost" + (lostText_.empty() ? "" : ": " + lostText_) + "; waiting for it to come back.";
}

void PublisherWorker::onStatusMsg(const StatusMsg& message, const Event& event) {
    if (message.getDomainType() == rdm::MMT_LOGIN) {
        if (message.hasState()) onLoginState(message.getState());
        return;
    }
    received_.statuses.add();
    if (message.hasState() && message.getState().getStreamState() != OmmState::OpenEnum) gone(event.getHandle());
}

void PublisherWorker::onClose(const ReqMsg&, const Event& event) {
    received_.closes.add();
    gone(event.getHandle());
}

void PublisherWorker::measureDecoding(const Msg& message) {
    if (!settings_.measureDecode) return;
    try {
        const std::int64_t begin = nowNanos();
        (void)decoder_.decode(message.getPayload());
        decodeTimes_.add(static_cast<double>(nowNanos() - begin) / 1000.0);
    } catch (const OmmException&) {
        return;  // content that cannot be decoded
    }
}

void PublisherWorker::onPostMsg(const PostMsg& message, const Event&) {
    measureDecoding(message);
}

void PublisherWorker::onGenericMsg(const GenericMsg& message, const Event&) {
    measureDecoding(message);
}

// --- publishing ------------------------------------------------------------------------------------------------------

void PublisherWorker::run() {
    withStandardErrors([this] {
        // Nobody has asked: images of a publisher are unsolicited.
        messages_.prepare(false);
        for (const Domain domain : {Domain::marketPrice, Domain::marketByOrder})
            messages_.image(domain).state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum,
                                          "UnSolicited Refresh Completed");
        if (!createProvider()) return;
        tellChannel();
        runTicks();
    });
}

void PublisherWorker::release() {
    // The sender's pack refers to the provider. The counts are read before the provider that keeps them goes.
    sender_.reset();
    if (provider_) libraryCounts_ = LibraryCounts(metrics(*provider_));
    provider_.reset();
}

void PublisherWorker::configure(OmmNiProviderConfig& config, const NiProviderSettings& settings, std::size_t number) {
    const std::string name = chooseSection(config, settings.providerName, settings.providerNameGiven, number);
    config.operationModel(settings.userDispatch ? OmmNiProviderConfig::UserDispatchEnum
                                                : OmmNiProviderConfig::ApiDispatchEnum);
    if (!settings.userName.empty()) config.username(settings.userName.c_str());
    if (!settings.host.empty()) config.host(settings.host.c_str());
    if (!settings.apiThreads.empty()) config.apiThreadBind(settings.apiThreads[number - 1].c_str());
    if (!settings.workerThreads.empty()) config.workerThreadBind(settings.workerThreads[number - 1].c_str());
    addBusyPoll(config, name, settings.busyPollUs);
    addChannelSettings(config, name, settings.transport);
}

/// Waits for the server as long as the run lasts; false when the run ended before.
bool PublisherWorker::createProvider() {
    OmmNiProviderConfig config;
    configure(config, settings_, number());
    const FirstConnection first{.notice = notice_,
                                .peer = "server",
                                .target = connectTarget(config),
                                .thread = name(),
                                .over = [this] { return isOver(); },
                                .pause = [this](std::int64_t nanos) { pause(nanos); },
                                .refusedForNow = [this] { return refusedForNow_.load(); }};
    const bool made = first.make([&] {
        refusedForNow_.store(false);
        provider_ = std::make_unique<OmmProvider>(config, *this);
    });
    if (!made) return false;
    connected_.store(true);
    if (loginLost_.load()) lost(false);  // lost since connect(): nothing else checks that
    sender_ = std::make_unique<UpdateSender>(*provider_, settings_.maxPackCount, settings_.packBufferBytes);
    return true;
}

void PublisherWorker::tellChannel() {
    ChannelInformation information;
    provider_->getChannelInformation(information);
    std::printf("%s: connected.\n%s\n", name().c_str(), information.toString().c_str());
    std::fflush(stdout);
}

template <class Message>
void PublisherWorker::setKey(Message& message, std::uint32_t item) {
    const std::string_view name = items_.name(share_.listIndex(item));
    itemName_.set(name.data(), static_cast<UInt32>(name.size()));
    message.name(itemName_);
    if (settings_.useServiceId) message.serviceId(settings_.serviceId);
    else message.serviceName(serviceName_);
}

void PublisherWorker::runTicks() {
    TickSchedule ticks(settings_.tickRate, nowNanos());
    std::int64_t multicastAt = settings_.multicastStats ? 0 : std::numeric_limits<std::int64_t>::max();
    while (!isOver()) {
        const std::int64_t now = nowNanos();
        if (now >= multicastAt) {
            lookAtMulticast();
            multicastAt = now + kNanosPerSecond / 2;
        }
        if (outages_.lasting()) {
            waitForRecovery(now);
            ticks = TickSchedule(settings_.tickRate, nowNanos());
            continue;
        }
        if (settings_.updateRate == 0 && nextImage_ == share_.total()) {  // nothing to send
            if (anyGone_.load(std::memory_order_acquire)) removeGone();
            if (settings_.userDispatch) provider_->dispatch(kIdleNanos / kMicro);
            else sleepUntil(now + kIdleNanos);
            continue;
        }
        if (ticks.take(now)) {
            lateTicks().note(ticks, now);
            if (settings_.stampWhenDue) messages_.stampWith(ticks.due());
            if (anyGone_.load(std::memory_order_acquire)) removeGone();
            chooser_.nextTick();
            const std::uint32_t updates = burstSize(settings_.updateRate, settings_.tickRate, ticks.tick());
            if (nextImage_ < share_.total()) sendImages(now + ImageShare::kNanos);
            if (updatesGiveWay(*provider_, kServer, nextImage_ < share_.total(), imageShare_, settings_.imageShare))
                sent_.updatesDropped.add(updates);
            // While images wait, updates and images share the connection's bytes by -imageShare: neither starves the
            // other.
            else imageShare_.add(bytesOf(*provider_, kServer, imageShare_.counting(), [&] { updateBurst(updates); }));
            if (settings_.userDispatch) provider_->dispatch(OmmProvider::NoWaitEnum);
            if (nextImage_ < share_.total()) sendImages(ticks.next());
        } else if (settings_.userDispatch) {
            provider_->dispatch(std::max<std::int64_t>(1, (ticks.next() - now) / kMicro));
        } else {
            sleepUntil(ticks.next());
        }
    }
}

// Waits until the login is back; then every item begins again with its image.
void PublisherWorker::waitForRecovery(std::int64_t now) {
    static constexpr std::int64_t kLook = 10'000'000;
    if (settings_.userDispatch) provider_->dispatch(kLook / kMicro);
    else sleepUntil(now + kLook);
    if (loginLost_.load()) return;
    removeGone();
    // The server has forgotten every item together with the connection, so all images are sent again.
    live_.clear();
    nextImage_ = 0;
    imageShare_.end();  // of the connection that was lost
    nextItem_ = 0;
    numbers_.clear();
    outages_.end(nowNanos());
    const std::lock_guard lock(goneMutex_);
    news_ = "the connection is back.";
}

void PublisherWorker::lookAtMulticast() {
    ChannelStatistics s;
    try {
        provider_->getChannelStatistics(s);
    } catch (const OmmException&) {
        return;  // not connected: the last figures remain
    }
    const std::lock_guard lock(goneMutex_);
    multicast_ = {s.getMulticastSent(),
                  s.getMulticastReceived(),
                  s.getUnicastSent(),
                  s.getUnicastReceived(),
                  s.getGapsDetected(),
                  s.getRetransmitRequestsSent(),
                  s.getRetransmitRequestsReceived(),
                  s.getRetransmitPacketsSent(),
                  s.getRetransmitPacketsReceived()};
}

MulticastStatistics PublisherWorker::multicast() const {
    const std::lock_guard lock(goneMutex_);
    return multicast_;
}

void PublisherWorker::removeGone() {
    {
        const std::lock_guard lock(goneMutex_);
        goneNow_.swap(gone_);
        anyGone_.store(false, std::memory_order_release);
    }
    for (const std::uint64_t handle : goneNow_)
        remove(handle);
    goneNow_.clear();
}

void PublisherWorker::remove(std::uint64_t handle) {
    const auto at = std::find_if(live_.begin(), live_.end(), [&](std::uint32_t i) { return handleOf(i) == handle; });
    if (at == live_.end()) return;
    // Order does not matter for updates, and an item may leave in the middle of a long list: no element but one moves.
    *at = live_.back();
    live_.pop_back();
}

void PublisherWorker::updateBurst(std::uint32_t count) {
    using Fate = UpdateSender::Fate;
    std::uint64_t dropped = 0;
    const SubmitBurst together(*provider_);
    sender_->begin(kServer, packs_);
    for (std::uint32_t i = 0; i < count && !live_.empty(); ++i) {
        if (nextItem_ >= live_.size()) nextItem_ = 0;
        const std::uint32_t item = live_[nextItem_];
        UpdateMsg& update = messages_.update(domainOf(item), templateTurns_, chooser_.isLatency(i));
        setKey(update, item);
        const bool numbered = messages_.wantsNumber();
        if (numbered) {
            // Few message files ask for sequence numbers; the others need no memory for them.
            if (numbers_.empty()) numbers_.resize(share_.total());
            update.seqNum(++numbers_[item]);
        }
        const Fate fate = sender_->send(update, handleOf(item));
        if (fate == Fate::taken) {
            ++nextItem_;
            continue;
        }
        if (numbered) --numbers_[item];  // it has not left
        if (fate == Fate::itemGone) {
            remove(handleOf(item));  // closed by the server a moment ago
            continue;
        }
        if (fate == Fate::noBuffers) dropped = count - i;
        else lost(false);
        break;
    }
    const UpdateSender::Burst burst = sender_->end();
    packs_ = packs_ && burst.takesPacks;
    sent_.updatesDropped.add(dropped + burst.dropped);
    sent_.updates.add(burst.sent);
    sent_.packs.add(burst.packs);
    sent_.packed.add(burst.packed);
    if (const std::string news = sender_->takeNews(); !news.empty()) {
        std::printf("%s: %s", name().c_str(), news.c_str());
        std::fflush(stdout);
    }
}

void PublisherWorker::sendImages(std::int64_t until) {
    while (nextImage_ < share_.total() && !isOver() && hasRoom(*provider_, kServer)) {
        for (std::uint32_t i = 0; i < settings_.refreshBurstSize && nextImage_ < share_.total(); ++i)
            if (!sendImage(nextImage_)) return;  // no output buffers: later
        if (nowNanos() >= until) return;
    }
}

/// False when there are no output buffers, or no connection.
bool PublisherWorker::sendImage(std::uint32_t item) {
    RefreshMsg& image = messages_.image(domainOf(item));
    setKey(image, item);
    try {
        provider_->submit(image, handleOf(item));
    } catch (const OmmException& exception) {
        const Int32 code = usageCode(exception);
        if (code == OmmInvalidUsageException::NoBuffersEnum) return false;
        if (code != OmmInvalidUsageException::NoActiveChannelEnum) throw;
        lost(false);
        return false;
    }
    // An item takes updates only after its image has left: an update before it would be dropped by the server.
    ++nextImage_;
    live_.push_back(item);
    sent_.images.add();
    return true;
}

}  // namespace emissary::perf
