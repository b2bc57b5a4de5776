// Publishes images and packets of a channel on a thread of its own.
#include "LiveSource.h"

#include "Ticks.h"

#include <charconv>

namespace bookbench {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

LiveSource::LiveSource(Feed& feed, const std::string& config, const std::string& port, SendTimes& times)
    : feed_(feed), times_(times), provider_(OmmIProviderConfig(EmaString(config.c_str()))
                                                .port(EmaString(port.c_str()))
                                                .operationModel(OmmIProviderConfig::UserDispatchEnum),
                                            *this),
      pack_(provider_), handles_(feed.traits().instruments) {
    thread_ = std::thread([this] { run(); });
}

LiveSource::~LiveSource() {
    stop_.store(true);
    // Whatever the thread waits for counts as received now, so that it sees stop_.
    received(~std::uint64_t{0});
    thread_.join();
}

void LiveSource::send(unsigned delayMs, bool sleep) {
    sleep_.store(sleep);
    delay_.store(static_cast<int>(delayMs), std::memory_order_release);
}

std::string LiveSource::failure() const {
    return failed_.load(std::memory_order_acquire) ? failure_ : std::string();
}

void LiveSource::run() {
    try {
        while (!stop_.load()) {
            const int delay = delay_.load(std::memory_order_acquire);
            if (delay == kPaused) {
                paused_.store(true, std::memory_order_release);
                provider_.dispatch(waiting_.empty() ? 1000 : 0);
                sendImages();
                continue;
            }
            paused_.store(false, std::memory_order_release);
            sendPacket();
            provider_.dispatch(OmmProvider::NoWaitEnum);
            // One packet at a time: the next leaves only when the consumer has read this one, so that latencies are
            // those of an idle line and hold no queue.
            for (std::uint64_t n; (n = received_.load(std::memory_order_acquire)) < sequence_;)
                received_.wait(n, std::memory_order_acquire);
            rest(delay);
        }
    } catch (const OmmException& e) { failure_ = e.getText().c_str(); } catch (const std::exception& e) {
        failure_ = e.what();
    }
    failed_.store(!failure_.empty(), std::memory_order_release);
}

void LiveSource::rest(int delayMs) {
    if (delayMs == 0) return;
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(delayMs);
    if (sleep_.load()) return std::this_thread::sleep_until(until);
    // Spinning keeps caches warm and the processor's clock up; sleeping shows what waking costs. --wait chooses.
    while (std::chrono::steady_clock::now() < until && !stop_.load()) {}
}

void LiveSource::onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) {
    if (request.getDomainType() == MMT_LOGIN) {
        provider_.submit(RefreshMsg()
                             .domainType(MMT_LOGIN)
                             .name(request.getName())
                             .nameType(USER_NAME)
                             .solicited(true)
                             .complete(true)
                             .state(),
                         event.getHandle());
        return;
    }
    const std::string_view name = request.getName().c_str();  // I and the instrument's number
    std::uint32_t instrument = 0;
    std::from_chars(name.data() + 1, name.data() + name.size(), instrument);
    client_ = event.getClientHandle();
    waiting_.push_back({event.getHandle(), instrument});
}

/// As many parts of images as there are buffers for.
void LiveSource::sendImages() {
    constexpr std::size_t kPart = 1000;
    while (!waiting_.empty()) {
        Waiting& item = waiting_.front();
        image_.clear();
        feed_.imageEntries(item.instrument, image_);
        const std::size_t n = std::min(kPart, image_.size() - item.done);
        const bool last = item.done + n == image_.size();
        RefreshMsg part;
        part.domainType(static_cast<UInt16>(feed_.kind()))
            .name(("I" + std::to_string(item.instrument)).c_str())
            .serviceId(1)
            .solicited(true)
            .clearCache(item.done == 0)
            .complete(last)
            .state()
            .payload(mapOf(std::span(image_).subspan(item.done, n)));
        try {
            provider_.submit(part, item.handle);
        } catch (const OmmInvalidUsageException& refused) {
            // The part stays at the front of the queue. It leaves after the next dispatch has freed buffers.
            if (refused.getErrorCode() != OmmInvalidUsageException::NoBuffersEnum) throw;
            return;  // later
        }
        item.done += n;
        if (!last) continue;
        handles_[item.instrument] = item.handle;
        waiting_.pop_front();
    }
}

void LiveSource::sendPacket() {
    constexpr UInt32 kBuffer = 6000;
    const std::size_t wanted = feed_.traits().packetBytes / 2 + random_() % feed_.traits().packetBytes;
    pack_.clear().initBuffer(client_, kBuffer);
    const UInt64 room = pack_.remainingSize();
    const std::uint32_t first = sequence_ + 1;
    do {
        entries_.clear();
        const std::uint32_t instrument = feed_.message(entries_);
        update_.clear().domainType(static_cast<UInt16>(feed_.kind())).seqNum(++sequence_).payload(mapOf(entries_));
        pack_.addMsg(update_, handles_[instrument]);
    } while (room - pack_.remainingSize() < wanted);
    // One stamp for the packet, taken after it is encoded: encoding is not latency of the connection.
    const std::uint64_t now = ticks();
    for (std::uint32_t i = first; i != sequence_ + 1; ++i)
        times_.set(i, now);
    // Before submit(): the consumer may receive while this thread is still inside that call.
    sent_.store(sequence_, std::memory_order_release);
    provider_.submit(pack_);
}

const Map& LiveSource::mapOf(std::span<const FeedEntry> entries) {
    const bool points = feed_.kind() == Kind::prices;
    map_.clear().keyType(DataType::BufferEnum);
    for (const FeedEntry& e : entries) {
        char text[24];
        const std::string_view key = keyText(e, points, text);
        key_.setFrom(key.data(), static_cast<UInt32>(key.size()));
        if (e.action == FeedEntry::remove) {
            map_.addKeyBuffer(key_, MapEntry::DeleteEnum);
            continue;
        }
        fields_.clear();
        if (e.priceChanged) fields_.addReal(3427, e.price, OmmReal::ExponentNeg2Enum).addEnum(3428, e.side);
        fields_.addReal(3429, e.size, OmmReal::Exponent0Enum);
        if (points) fields_.addUInt(3430, e.orders).addUInt(6527, 36'000'000 + sequence_);
        else fields_.addUInt(3855, 36'000'000 + sequence_);
        map_.addKeyBuffer(key_, static_cast<MapEntry::MapAction>(e.action), fields_.complete());
    }
    return map_.complete();
}

}  // namespace bookbench
