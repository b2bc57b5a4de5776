// PerfTools/EmaCppIProvPerf: the publishing thread of a provider: ticks, updates, generic messages and images.
#include "Clock.h"
#include "EmaErrors.h"
#include "EmaTransport.h"
#include "OpenItems.h"
#include "ProviderWorker.h"
#include "admin_messages.h"
#include "emissary/output.h"
#include "emissary/tunnels.h"

#include <algorithm>
#include <cstdio>

namespace emissary::perf {

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;

namespace {

constexpr std::int64_t kMicro = 1000;
constexpr std::int64_t kIdleNanos = 100'000'000;

}  // namespace

ProviderWorker::ProviderWorker(const ProviderSettings& settings, std::size_t number, const MessageData& messages)
    : Worker(settings, sectionName(settings.providerName, settings.providerNameGiven, number), number),
      settings_(settings), messages_(settings, messages), books_(settings.bookOrders),
      images_({items_, messages_, books_, tunnelBuffers_, sent_.images, [this] { return stopping(); }},
              settings.refreshBurstSize, settings.imageShare),
      updateChooser_(settings.updateLatencyRate, settings.updateRate, settings.tickRate, 0x5550 + number),
      genericChooser_(settings.genericLatencyRate, settings.genericRate, settings.tickRate, 0x4750 + number),
      latencies_(settings.nanoTime, !settings.latencyFile.empty()), tunnelBuffers_(settings.tunnel) {}

ProviderWorker::~ProviderWorker() = default;

void ProviderWorker::run() {
    withStandardErrors([this] {
        messages_.prepare(true);
        createProvider();
        runTicks();
    });
}

void ProviderWorker::release() {
    sender_.reset();
    if (provider_) libraryCounts_ = LibraryCounts(metrics(*provider_));
    provider_.reset();
}

void ProviderWorker::configure(OmmIProviderConfig& config, const ProviderSettings& settings, std::size_t number) {
    const std::string name = chooseSection(config, settings.providerName, settings.providerNameGiven, number);
    config.operationModel(settings.userDispatch ? OmmIProviderConfig::UserDispatchEnum
                                                : OmmIProviderConfig::ApiDispatchEnum);
    if (!settings.port.empty()) config.port(settings.port.c_str());
    if (!settings.apiThreads.empty()) config.apiThreadBind(settings.apiThreads[number - 1].c_str());
    if (!settings.workerThreads.empty()) config.workerThreadBind(settings.workerThreads[number - 1].c_str());
    addBusyPoll(config, name, settings.busyPollUs);
    const bool shared = settings.threads.size() > 1;
    addServerSettings(config, name, settings.transport, settings.service,
                      shared ? sectionName(settings.providerName, settings.providerNameGiven, 1) : std::string());
}

void ProviderWorker::createProvider() {
    OmmIProviderConfig config;
    // Several threads share the server of the first one, and with it the port.
    configure(config, settings_, number());
    offerTunnels(config, {.outputBuffers = settings_.tunnel.outputBuffers});
    try {
        provider_ = std::make_unique<OmmProvider>(config, *this);
        sender_ = std::make_unique<UpdateSender>(*provider_, settings_.maxPackCount, settings_.packBufferBytes);
    } catch (const OmmInvalidUsageException& exception) {
        if (exception.getErrorCode() != OmmInvalidUsageException::FailureEnum) throw;
        const bool encrypted = settings_.transport.kind == ConnectionKind::encrypted;
        fail(std::string(exception.getText().c_str()) +
             (encrypted ? " -cert and -keyfile name the certificate and its key." : " Here -p names the port."));
    }
}

void ProviderWorker::runTicks() {
    TickSchedule ticks(settings_.tickRate, nowNanos());
    bool idle = false;
    roundTrips_.start(nowNanos());
    while (!stopping()) {
        const std::int64_t now = nowNanos();
        if (now >= roundTrips_.due()) roundTrips_.send(*provider_);
        if (!hasWork()) {  // ticks without anything to send would cost CPU for nothing
            idle = true;
            waitForRequests(now);
            continue;
        }
        if (idle) ticks = TickSchedule(settings_.tickRate, now);
        idle = false;
        if (ticks.take(now)) {
            lateTicks().note(ticks, now);
            if (settings_.stampWhenDue) messages_.stampWith(ticks.due());
            takeEvents();
            images_.sendSome(*provider_);
            tick(ticks.tick());
            // With user dispatch nobody reads while a tick is late: one look without a wait keeps requests from
            // starving.
            // Otherwise wait() comes next, which dispatches.
            if (settings_.userDispatch && (items_.waiting() || nowNanos() >= ticks.next()))
                provider_->dispatch(OmmProvider::NoWaitEnum);
            takeEvents();
            images_.send(*provider_, ticks.next());
        } else if (events_.left()) {
            takeEvents();
            images_.send(*provider_, ticks.next());
        } else {
            wait(now, ticks.next());
        }
    }
}

bool ProviderWorker::hasWork() const noexcept {
    return items_.waiting() || events_.left() ||
           (!items_.connections().empty() && (settings_.updateRate != 0 || settings_.genericRate != 0));
}

void ProviderWorker::waitForRequests(std::int64_t now) {
    const std::int64_t longest = std::max<std::int64_t>(kMicro, std::min(kIdleNanos, roundTrips_.due() - now));
    if (settings_.userDispatch) provider_->dispatch(longest / kMicro);
    else inbox_.wait(std::chrono::nanoseconds(longest));
    takeEvents();
    images_.send(*provider_, nowNanos() + kMicro * kMicro);
}

// With user dispatch reads for that long and serves the requests that came; otherwise sleeps while the library reads.
void ProviderWorker::wait(std::int64_t now, std::int64_t until) {
    const std::int64_t end = images_.hold() != 0 ? std::min(until, now + images_.hold()) : until;
    if (settings_.userDispatch) provider_->dispatch(std::max<std::int64_t>(1, (end - now) / kMicro));
    else sleepUntil(end);
    if (!settings_.userDispatch && images_.hold() == 0) return;
    takeEvents();
    images_.send(*provider_, until);
}

/// One slice: a client may have asked for everything at once.
void ProviderWorker::takeEvents() {
    static_cast<void>(events_.work([this](ItemEvents& batch) { inbox_.take(batch); },
                                   [this](const ItemEvent& event, std::string_view name) { takeEvent(event, name); },
                                   [this](const OffStreamPost& post) { reflectOffStream(post); }));
}

void ProviderWorker::takeEvent(const ItemEvent& event, std::string_view name) {
    switch (event.kind) {
    case ItemEvent::Kind::close:
        // Closes before requests of the same handle: events keep the order of the callbacks, and a handle may be used
        // again.
        items_.close(event.handle);
        books_.close(event.handle);
        return;
    case ItemEvent::Kind::standby:
        standbyClients_.insert(event.client);
        return;
    case ItemEvent::Kind::active:
        standbyClients_.erase(event.client);
        return;
    case ItemEvent::Kind::left:
        standbyClients_.erase(event.client);
        roundTrips_.forget(event.client);
        items_.forget(event.client);
        books_.forget(event.client);
        return;
    case ItemEvent::Kind::timed:
        roundTrips_.add(event.client, event.handle);
        return;
    case ItemEvent::Kind::request:
    case ItemEvent::Kind::reissue:
        break;
    }
    // The limit counts waiting items too: a burst of requests could pass it otherwise.
    if (event.kind == ItemEvent::Kind::request && items_.sizeOf(event.client) >= settings_.service.openLimit)
        return refuseBeyondLimit(event);
    if (event.kind == ItemEvent::Kind::request && books_.serves(event.domain))
        books_.open(event.client, event.handle, event.domain, name);
    WaitingItem item;
    item.handle = event.handle;
    item.serviceId = event.serviceId;
    item.domain = event.domain;
    item.streaming = event.streaming;
    item.takesGenerics = event.isPrivate && !books_.serves(event.domain) && messages_.hasGenerics(event.domain);
    item.again = event.kind == ItemEvent::Kind::reissue;
    items_.want(event.client, item, name);
}

void ProviderWorker::refuseBeyondLimit(const ItemEvent& event) {
    StatusMsg status;
    refuseBeyond(settings_.service.openLimit, event, status);
    try {
        provider_->submit(status, event.handle);
    } catch (const OmmException&) {
        return;  // no output buffers, or the client left: its request times out
    }
}

void ProviderWorker::tick(std::uint32_t tick) {
    updateChooser_.nextTick();
    genericChooser_.nextTick();
    const std::uint32_t updates = burstSize(settings_.updateRate, settings_.tickRate, tick);
    const std::uint32_t generics = burstSize(settings_.genericRate, settings_.tickRate, tick);
    auto& connections = items_.connections();
    const SubmitBurst together(*provider_);
    // A burst may remove an item that its client closed, and with the last item its connection.
    const auto wanted = [&](std::size_t i) {
        return i < connections.size() && (standbyClients_.empty() || !standbyClients_.contains(connections[i]->client));
    };
    // From the back: a burst may erase its connection, and the ones before it keep their places.
    for (std::size_t i = connections.size(); i-- > 0;) {
        if (updates == 0 || !wanted(i)) continue;
        if (images_.updatesGiveWay(*provider_, *connections[i])) sent_.updatesDropped.add(updates);
        else images_.countUpdates(*provider_, *connections[i], [&] { updateBurst(*connections[i], updates); });
    }
    for (std::size_t i = connections.size(); i-- > 0;)
        if (generics != 0 && wanted(i)) genericBurst(*connections[i], generics);
}

void ProviderWorker::updateBurst(Connection& connection, std::uint32_t count) {
    using Fate = UpdateSender::Fate;
    std::uint64_t dropped = 0;
    bool hasLeft = false;  // the connection went with its last item
    if (connection.items.empty()) return;
    const std::size_t step = settings_.scatterUpdates ? scatterStep(connection.items.size()) : 1;
    sender_->begin(connection.client, connection.packs);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (connection.nextItem >= connection.items.size()) connection.nextItem %= connection.items.size();
        // A copy: close() below fills the item's place with another one.
        const OpenItem item = connection.items[connection.nextItem];
        const Fate fate = sender_->send(buildUpdate(connection, item, updateChooser_.isLatency(i)), item.handle);
        if (fate == Fate::taken) {
            tunnelBuffers_.note(*provider_, connection.client);
            if (books_.serves(item.domain)) books_.sent(item.handle);
            connection.nextItem += step;
            continue;
        }
        // The message was not sent, and clients would take a missing number for a gap.
        if (numbered(item)) items_.numbers().takeBack(item.handle);
        // All that is left of the burst is dropped: the next tick begins with fresh buffers.
        if (fate == Fate::noBuffers) dropped = count - i;
        if (fate != Fate::itemGone) break;  // a client that left is forgotten when its callback comes
        hasLeft = connection.items.size() + connection.waiting == 1;
        items_.close(item.handle);
        books_.close(item.handle);
        if (hasLeft || connection.items.empty()) break;
    }
    const UpdateSender::Burst burst = sender_->end();
    // A connection that refuses packs once gets single messages from then on.
    if (!hasLeft && !burst.takesPacks) connection.packs = false;
    sent_.updatesDropped.add(dropped + burst.dropped);
    sent_.updates.add(burst.sent);
    sent_.packs.add(burst.packs);
    sent_.packed.add(burst.packed);
    if (const std::string news = sender_->takeNews(); !news.empty()) {
        std::printf("%s: %s", name().c_str(), news.c_str());
        std::fflush(stdout);
    }
}

/// The update that was built last, of this item, took a number.
bool ProviderWorker::numbered(const OpenItem& item) const noexcept {
    return !books_.serves(item.domain) && messages_.wantsNumber();
}

const UpdateMsg& ProviderWorker::buildUpdate(Connection& connection, const OpenItem& item, bool latency) {
    if (!books_.serves(item.domain)) {
        UpdateMsg& update = messages_.update(item.domain, connection.updateTurns, latency);
        if (messages_.wantsNumber()) update.seqNum(items_.numbers().next(item.handle));
        return update;
    }
    const Map& changes = books_.next(item.handle);
    UpdateMsg& update = messages_.emptyUpdate();
    update.domainType(static_cast<UInt16>(item.domain)).seqNum(books_.sequence(item.handle));
    return update.payload(changes);
}

void ProviderWorker::genericBurst(Connection& connection, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count && !connection.genericItems.empty(); ++i) {
        const GenericItem item = connection.genericItems[connection.nextGeneric++ % connection.genericItems.size()];
        try {
            sendGeneric(connection, item, genericChooser_.isLatency(i));
        } catch (const OmmException& exception) {
            if (isNoBuffers(exception)) sent_.genericsDropped.add(count - i);
            if (endsBurst(exception)) return;
            if (!isItemGone(exception)) throw;
            // Asked before the close, which ends the connection with its last item and leaves the reference without an
            // object.
            const bool last = connection.items.size() + connection.waiting == 1;
            items_.close(item.handle);
            if (last) return;  // the connection went with it
        }
    }
}

void ProviderWorker::sendGeneric(Connection& connection, const GenericItem& item, bool latency) {
    provider_->submit(messages_.generic(item.domain, connection.genericTurns, latency), item.handle);
    tunnelBuffers_.note(*provider_, connection.client);
    if (latency) sent_.genericLatencies.add();
    sent_.generics.add();
}

void ProviderWorker::reflectOffStream(const OffStreamPost& offStream) {
    const PostMsg& post = *offStream.post;
    if (!post.hasName()) return;
    const EmaString& name = post.getName();
    const OpenItem* item = items_.find(offStream.client, std::string_view(name.c_str(), name.length()));
    if (item == nullptr) return;
    try {
        const Payload& payload = post.getPayload();
        const bool nested = payload.getDataType() == DataType::UpdateMsgEnum;
        const ComplexType& body = nested ? payload.getUpdateMsg().getPayload().getData() : payload.getData();
        UpdateMsg& update = messages_.emptyUpdate();
        update.domainType(static_cast<UInt16>(item->domain)).payload(body);
        update.publisherId(post.getPublisherIdUserId(), post.getPublisherIdUserAddress());
        if (post.hasSeqNum()) update.seqNum(post.getSeqNum());
        provider_->submit(update, item->handle);
        sent_.postsReflected.add();
    } catch (const OmmException&) {
        return;  // its client closed the item, or the content cannot be decoded
    }
}

}  // namespace emissary::perf
