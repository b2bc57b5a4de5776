// PerfTools/TransportPerf: connects, sends bursts, reads messages and measures their latency on one thread.
#include "TransportWorker.h"

#include "Clock.h"
#include "InputError.h"
#include "SenderNumbers.h"
#include "StopSignal.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace emissary::perf {

using namespace messages;

using namespace eta::transport;
using eta::Bytes;

struct TransportWorker::Connection {
    std::unique_ptr<Channel> channel;
    int fd = -1;
    std::uint32_t watched = 0;                        // epoll events asked for
    bool active = false, lost = false, more = false;  // true: read() stopped while there was more
    std::uint64_t nextSent = 0, bytesCounted = 0;
    SenderNumbers numbers;
};

namespace {

constexpr std::int64_t kKeepAliveNanos = kNanosPerSecond / 2;
constexpr int kReadsInTurn = 4096;  // then other channels get their turn
// Shared memory is polled without a system call; once in 64 rounds epoll is asked for new connections and ends.
constexpr unsigned kPollsPerWait = 64;

/// Channels that are read without asking the system whether there is something.
[[nodiscard]] bool polls(const TransportPerfSettings& s) noexcept {
    return s.busyRead && rowOf(s.isServer ? s.bind.connectionType : s.connect.connectionType).sharedMemory;
}

// Numbers and stamps travel in the byte order of the host that wrote them (perftools.md 5.2).
void store64(std::byte* to, std::uint64_t v) noexcept {
    std::memcpy(to, &v, sizeof v);
}
[[nodiscard]] std::uint64_t load64(const std::byte* from) noexcept {
    std::uint64_t v = 0;
    std::memcpy(&v, from, sizeof v);
    return v;
}

}  // namespace

TransportWorker::TransportWorker(const TransportPerfSettings& settings, std::size_t number, ConnectedTime& allThreads)
    : Worker(settings, "Thread " + std::to_string(number), number), settings_(settings), polls_(polls(settings)),
      latencies_(settings.nanoTime, !settings.latencyFile.empty()), allConnected_(allThreads),
      chooser_(settings.reflect ? 0 : settings.latencyRate, settings.messageRate, settings.tickRate, number),
      large_(settings.messageBytes), epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = nullptr;
    if (epoll_ < 0 || wake_ < 0 || ::epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) != 0)
        throw InputError(std::string("Error: cannot wait for connections: ") + std::strerror(errno));
    // A client counts its connection from the start; a server's main thread counts before it hands one over, so that
    // two that arrive together go to different threads.
    if (!settings.isServer) connections_.store(1, std::memory_order_relaxed);
}

TransportWorker::~TransportWorker() {
    if (wake_ >= 0) ::close(wake_);
    if (epoll_ >= 0) ::close(epoll_);
}

void TransportWorker::finish() noexcept {
    Worker::finish();
    wake();
}

void TransportWorker::wake() noexcept {
    const std::uint64_t one = 1;
    if (::write(wake_, &one, sizeof one) < 0) {}  // a full counter wakes as well
}

void TransportWorker::release() {
    list_.clear();
    const std::lock_guard lock(mutex_);
    waiting_.clear();
}

void TransportWorker::take(std::unique_ptr<Channel> channel) {
    connections_.fetch_add(1, std::memory_order_relaxed);
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(channel));
    }
    wake();
}

std::string TransportWorker::takeNews() {
    const std::lock_guard lock(mutex_);
    return std::exchange(news_, {});
}
void TransportWorker::tell(std::string line) {
    const std::lock_guard lock(mutex_);
    news_ += line + "\n";
}
/// Events that peers can cause as often as they like are reported once a second.
void TransportWorker::tellRarely(const std::string& line) {
    const std::int64_t now = nowNanos();
    if (now < tellAgainAt_) {
        ++untold_;
        return;
    }
    tellAgainAt_ = now + kNanosPerSecond;
    tell(untold_ == 0 ? line : line + " (" + std::to_string(untold_) + " such lines before are left out)");
    untold_ = 0;
}
void TransportWorker::run() {
    if (!settings_.isServer) connect();
    TickSchedule ticks(settings_.tickRate, nowNanos());
    std::int64_t keepAliveAt = nowNanos() + kKeepAliveNanos;
    const bool sends = settings_.messageRate != 0 && !settings_.reflect;
    while (!stopping()) {
        const std::int64_t now = nowNanos();
        if (now >= keepAliveAt) {
            keepAlive(now);
            keepAliveAt = now + kKeepAliveNanos;
        }
        if (sends && ticks.take(now)) {
            lateTicks().note(ticks, now);
            burst(ticks.tick());
            wait(0);  // a sender that is behind reads as well
        } else {
            wait(settings_.busyRead ? 0 : sends ? std::min(ticks.next(), keepAliveAt) : keepAliveAt);
        }
    }
    for (const auto& c : list_)
        if (c->active && !c->lost) {
            flush(*c);
            countMulticast(*c);
        }
    if (untold_ != 0) tell("Multicast: " + std::to_string(untold_) + " more such lines are left out.");
}

void TransportWorker::connect() {
    eta::Refused refused;
    auto channel = Channel::connect(settings_.connect, eta::Clock::now(), refused);
    if (!channel) return fail(refused.text);
    adopt(std::move(channel));
}

void TransportWorker::adopt(std::unique_ptr<Channel> channel) {
    auto c = std::make_unique<Connection>();
    c->channel = std::move(channel);
    list_.push_back(std::move(c));
    watch(*list_.back());
    establish(*list_.back());
}

void TransportWorker::adoptWaiting() {
    std::uint64_t count = 0;
    if (::read(wake_, &count, sizeof count) < 0) {}  // nothing to read is fine
    std::vector<std::unique_ptr<Channel>> fresh;
    {
        const std::lock_guard lock(mutex_);
        // Only the swap is done under the lock: adopting a channel may read, write and call back.
        fresh.swap(waiting_);
    }
    for (auto& channel : fresh)
        adopt(std::move(channel));
}

/// Brings what epoll looks for in line with what the channel waits for.
void TransportWorker::watch(Connection& c) {
    const int fd = c.channel->fd();
    const std::uint32_t wanted = EPOLLIN | (c.channel->wantsWrite() ? static_cast<std::uint32_t>(EPOLLOUT) : 0U);
    if (fd == c.fd && wanted == c.watched) return;
    epoll_event event{};
    event.events = wanted;
    event.data.ptr = &c;
    // A changed descriptor: the old one is closed already, and so out of epoll.
    ::epoll_ctl(epoll_, fd == c.fd ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
    c.fd = fd;
    c.watched = wanted;
}

void TransportWorker::establish(Connection& c) {
    switch (c.channel->init(eta::Clock::now())) {
    case InitStatus::failed:
        return lose(c, c.channel->errorText());
    case InitStatus::active: {
        c.active = true;
        connected_.begin();
        // Two clocks: this thread's connected time, and that of all threads together, which the overall rates divide
        // by.
        allConnected_.begin();
        const ChannelInfo& info = c.channel->info();
        tell("Channel active: " + (info.peerAddress.empty() ? settings_.connect.host : info.peerAddress) +
             ", fragments of " + std::to_string(info.maxFragmentSize) + " bytes" +
             (info.cipher.empty() ? "" : ", " + info.cipher) +
             (info.compression == Compression::none   ? ""
              : info.compression == Compression::zlib ? ", zlib"
                                                      : ", lz4"));
        watch(c);
        if (const bool packs = settings_.packCount > 1 && settings_.messageRate != 0;
            packs && settings_.messageBytes + 2 > c.channel->maxFragmentSize())
            return lose(c, "Error: messages of " + std::to_string(settings_.messageBytes) +
                               " bytes (-msgSize) cannot be packed: with the 2 bytes of their length they must fit the "
                               "fragments of " +
                               std::to_string(c.channel->maxFragmentSize()) + " bytes that were agreed on with " +
                               (info.peerAddress.empty() ? settings_.connect.host : info.peerAddress) +
                               ". Use a smaller -msgSize, a larger -maxFragmentSize of the server, or no -pack.");
        return read(c);
    }
    case InitStatus::inProgress:
    case InitStatus::descriptorChanged:
        return watch(c);
    }
}

void TransportWorker::serve(Connection& c, std::uint32_t events) {
    if (c.lost) return;
    if (!c.active) return establish(c);
    if ((events & EPOLLOUT) != 0) flush(c);
    if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) read(c);
}

void TransportWorker::read(Connection& c) {
    c.more = false;
    for (int i = 0; i < kReadsInTurn && !c.lost; ++i) {
        const ReadResult r = c.channel->read();
        c.more = r.more;
        if (r.kind == ReadResult::Kind::message) {
            if (!receive(c, r.message)) return;
            continue;
        }
        if (r.kind == ReadResult::Kind::closed) return lose(c, c.channel->errorText());
        if (r.kind == ReadResult::Kind::condition) {
            if (r.condition == Condition::gap) c.numbers.forget();  // numbers start over behind it
            tellRarely("Multicast: " + std::string(describe(r.condition)) +
                       (r.lost != 0 ? ", " + std::to_string(r.lost) + " packets" : "") + ".");
            continue;
        }
        if (r.kind == ReadResult::Kind::wouldBlock) break;
    }
    // What was reflected in this turn leaves in one write.
    if (settings_.reflect && !c.lost) flush(c);
}

bool TransportWorker::receive(Connection& c, Bytes message) {
    const DatagramInfo* const sender = c.channel->datagramInfo();  // null: the connection has one peer
    if (message.size() < kMessageHeadBytes)
        return misfit(c, sender,
                      "Error: Message was too small to be valid(length " + std::to_string(message.size()) + ").");
    counters_.received.add();
    counters_.bytesReceived.add(message.size());
    const std::uint64_t sequence = load64(message.data());
    std::uint64_t due = 0;
    const SenderNumbers::Place place = c.numbers.place(sender, sequence, due);
    if (place == SenderNumbers::Place::other &&
        !misfit(c, sender,
                "Error: Received out-of-order sequence number(" + std::to_string(sequence) + " instead of " +
                    std::to_string(due) + ")."))
        return false;
    if (settings_.reflect) return sendBack(c, message);
    // On a group only the stamps of a sender whose messages follow each other are believed.
    const std::uint64_t stamp = load64(message.data() + 8);
    if (stamp != 0 && (sender == nullptr || place == SenderNumbers::Place::next))
        latencies_.record(LatencyKind::update, LatencyPhase::steady, static_cast<std::int64_t>(stamp), nowNanos());
    return true;
}

/// Handles a message that cannot be right: it ends a connection; on a group, where anybody can send one, it is only
/// counted. Returns false when the connection is lost.
bool TransportWorker::misfit(Connection& c, const DatagramInfo* sender, const std::string& what) {
    if (sender == nullptr) {
        lose(c, what);
        return false;
    }
    counters_.misfits.add();
    tellRarely("Multicast: " + sender->address + ":" + std::to_string(sender->port) + ": " + what);
    return true;
}

/// Sends the stamp back to its sender, with sequence numbers of our own. Returns false when the connection is lost.
bool TransportWorker::sendBack(Connection& c, Bytes message) {
    eta::Error e;
    if (message.size() > c.channel->maxFragmentSize()) {
        if (large_.size() < message.size()) large_.resize(message.size());
        std::memcpy(large_.data(), message.data(), message.size());
        store64(large_.data(), c.nextSent);
        // Above the fragment size the channel cuts the message itself; below it, the message is built in the channel's
        // buffer.
        e = c.channel->write(Bytes(large_).first(message.size()));
    } else if (const auto room = c.channel->reserve(message.size()); !room.empty()) {
        std::memcpy(room.data(), message.data(), message.size());
        store64(room.data(), c.nextSent);
        e = c.channel->commit(message.size());
    } else {
        e.code = eta::Errc::noBuffers;
    }
    if (!e.ok() && c.channel->outputEnded()) return true;  // reading goes on to the end, which tells why
    if (e.code == eta::Errc::noBuffers) {
        counters_.dropped.add();
        return true;
    }
    if (!e.ok()) {
        lose(c, c.channel->errorText().empty() ? "Error: cannot send a message of " + std::to_string(message.size()) +
                                                     " bytes back: " + eta::describe(e.code)
                                               : c.channel->errorText());
        return false;
    }
    ++c.nextSent;
    counters_.sent.add();
    return true;
}

void TransportWorker::burst(std::uint32_t tick) {
    chooser_.nextTick();
    const std::uint32_t messages = burstSize(settings_.messageRate, settings_.tickRate, tick);
    for (const auto& c : list_)
        if (c->active && !c->lost) send(*c, messages);
}

std::uint64_t TransportWorker::stampFor(std::uint32_t index) const noexcept {
    return chooser_.isLatency(index) ? static_cast<std::uint64_t>(nowNanos()) : 0;
}

void TransportWorker::writeHead(std::byte* to, Connection& c, std::uint64_t stamp) noexcept {
    store64(to, c.nextSent);
    store64(to + 8, stamp);
    std::memset(to + kMessageHeadBytes, 0, settings_.messageBytes - kMessageHeadBytes);
}

bool TransportWorker::sendOne(Connection& c, std::uint64_t stamp) {
    if (settings_.messageBytes > c.channel->maxFragmentSize()) {
        writeHead(large_.data(), c, stamp);
        const eta::Error e = c.channel->write(large_);
        if (!e.ok() && e.code != eta::Errc::noBuffers && !c.channel->outputEnded())
            lose(c, "Error: cannot send a message of " + std::to_string(large_.size()) +
                        " bytes: " + eta::describe(e.code));
        if (!e.ok()) return false;
    } else {
        const auto room = c.channel->reserve(settings_.messageBytes);
        if (room.empty()) return false;
        writeHead(room.data(), c, stamp);
        if (!c.channel->commit(settings_.messageBytes).ok()) return false;
    }
    ++c.nextSent;
    counters_.sent.add();
    return true;
}

/// Fills one buffer with messages; returns how many, 0 without a buffer.
std::uint32_t TransportWorker::sendPack(Connection& c, std::uint32_t first, std::uint32_t messages) {
    const std::uint32_t each = settings_.messageBytes + 2;
    // Two bytes of length before each message, and no message of a pack crosses a fragment.
    const std::uint32_t fits = c.channel->maxFragmentSize() / each;
    const std::uint32_t count = std::min({messages, settings_.packCount, fits});
    if (count == 0) return 0;
    const auto room = c.channel->reserve(count * each);
    if (room.empty()) return 0;
    std::byte* to = room.data();
    for (std::uint32_t i = 0; i < count; ++i, to += each) {
        eta::storeBe(to, static_cast<std::uint16_t>(settings_.messageBytes));
        writeHead(to + 2, c, stampFor(first + i));
        ++c.nextSent;
    }
    if (!c.channel->commitPacked(count * each, count).ok()) return 0;
    counters_.sent.add(count);
    return count;
}

void TransportWorker::send(Connection& c, std::uint32_t messages) {
    std::uint32_t done = 0;
    if (settings_.packCount > 1) {
        while (done < messages && !c.lost) {
            const std::uint32_t packed = sendPack(c, done, messages - done);
            if (packed == 0) break;
            done += packed;
        }
    } else {
        while (done < messages && !c.lost && sendOne(c, stampFor(done)))
            ++done;
    }
    // Nothing can be sent any more: reading goes on to the end of what was received, which tells why.
    if (c.lost || c.channel->outputEnded()) return;
    if (done < messages) counters_.dropped.add(messages - done);
    flush(c);
}

void TransportWorker::flush(Connection& c) {
    if (!c.channel->flush() && c.channel->state() != ChannelState::active) {
        const ReadResult r = c.channel->read();  // says why
        if (r.kind == ReadResult::Kind::closed) return lose(c, c.channel->errorText());
    }
    countBytes(c);
    watch(c);
}

void TransportWorker::countBytes(Connection& c) {
    const std::uint64_t written = c.channel->counters().bytesWritten;
    counters_.bytesSent.add(written - c.bytesCounted);
    c.bytesCounted = written;
}

void TransportWorker::countMulticast(Connection& c) {
    if (!settings_.multicastStats) return;
    const std::lock_guard lock(mutex_);
    multicast_ = c.channel->multicastCounters();
}

MulticastCounters TransportWorker::multicast() const {
    const std::lock_guard lock(mutex_);
    return multicast_;
}

void TransportWorker::lose(Connection& c, const std::string& why) {
    if (c.lost) return;
    c.lost = true;
    if (c.active) {
        connected_.end();
        allConnected_.end();
    }
    countBytes(c);
    countMulticast(c);
    c.channel->close();
    connections_.fetch_sub(1, std::memory_order_relaxed);
    if (settings_.isServer) tell("Channel closed: " + why);
    else fail(why);
}

void TransportWorker::keepAlive(std::int64_t) {
    const auto now = eta::Clock::now();
    for (const auto& c : list_) {
        if (c->lost) continue;
        if (!c->active) {
            // init() itself notices that the deadline has passed, and says so as the reason.
            if (now >= c->channel->initDeadline()) establish(*c);
        } else if (c->channel->pingExpired(now)) {
            lose(*c, c->channel->info().peerAddress + ": lost contact, no ping or data within the ping timeout");
        } else {
            c->channel->pingIfIdle(now);
            countBytes(*c);
            countMulticast(*c);
            watch(*c);
        }
    }
    // Only here are connections freed: the events of one epoll_wait may still point at one that was lost a moment ago.
    std::erase_if(list_, [](const auto& c) { return c->lost; });
}

/// Serves what is ready, and waits for it until the given moment (0: not at all).
void TransportWorker::wait(std::int64_t until) {
    if (polls_) {
        for (const auto& c : list_)
            if (c->active && !c->lost) read(*c);
        if (++polled_ % kPollsPerWait != 0) return;
    }
    epoll_event events[64];
    timespec timeout{};
    const bool more = std::any_of(list_.begin(), list_.end(), [](const auto& c) { return c->more && !c->lost; });
    if (until != 0 && !more) {
        const std::int64_t left = std::max<std::int64_t>(until - nowNanos(), 0);
        timeout.tv_sec = left / kNanosPerSecond;
        timeout.tv_nsec = left % kNanosPerSecond;
    }
    const int ready = ::epoll_pwait2(epoll_, events, 64, &timeout, nullptr);
    for (int i = 0; i < ready; ++i) {
        if (events[i].data.ptr == nullptr) adoptWaiting();
        else serve(*static_cast<Connection*>(events[i].data.ptr), events[i].events);
    }
    if (more)
        for (const auto& c : list_)
            if (c->more && !c->lost) read(*c);
}

}  // namespace emissary::perf
