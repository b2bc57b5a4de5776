// Clients that ask for too much: what one turn does for them is bounded, and others are served meanwhile.
#include "requests.h"

#include <atomic>
#include <cstdio>
#include <ctime>
#include <thread>

using namespace emissary;
using namespace emissary::test;
using codec::DataState::ok;
using codec::DataState::suspect;
namespace StreamState = codec::StreamState;

namespace {

constexpr std::size_t kBigField = 60'000, kBigFields = 8;

std::vector<std::string> names(std::size_t count, const std::string& prefix = "I") {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(prefix + std::to_string(i));
    return all;
}

class HostileFixture : public PortFixture {
public:
    explicit HostileFixture(ClientOptions o = defaults(), ListenerSettings l = rwf())
        : PortFixture(std::move(o), std::move(l)), probe(loggedIn("probe")), attacker(loggedIn("attacker")) {
        probe.send(request(5, "PROBE"));
        REQUIRE(probe.next().msg.cls == MsgClass::Refresh);
    }
    /// The probe asks for its image again, and gets it.
    void probes() {
        probe.send(request(5, "PROBE"));
        const Received got = probe.next();
        CHECK(got.msg.cls == MsgClass::Refresh);
        CHECK(got.msg.streamId == 5);
    }
    Client& them() { return client("attacker"); }
    /// What the attacker gets next. Time passes: who has not read is looked at again now and then.
    [[nodiscard]] Received read() {
        for (int i = 0; i < 2000; ++i) {
            if (std::optional<Received> got = attacker.tryNext(std::chrono::milliseconds(5))) return std::move(*got);
            clock.advance(std::chrono::milliseconds(6));
        }
        FAIL("nothing comes");
        std::abort();
    }
    /// The most that one turn did, beside what its last piece of work may have been.
    [[nodiscard]] std::uint64_t work() const { return port->counts().of.turnWork.get(); }
    /// An image of half a megabyte for an item that is open.
    void makeBig(std::string_view name) {
        const std::string text(kBigField, 'x');
        reactor::GrowingBuffer buffer;
        codec::FieldListEncoder list;
        list.begin(buffer.start());
        for (std::size_t i = 0; i < kBigFields; ++i)
            list.add(static_cast<std::int16_t>(1000 + i), eta::asBytes(text));
        REQUIRE(list.complete().ok());
        Msg m = message(MsgClass::Refresh);
        m.flags = RefreshFlag::complete | RefreshFlag::clearCache;
        m.state = {StreamState::open, ok, 0, {}};
        m.payload = buffer.view();
        locked([&] {
            flow.received(*item(name), m);
            return 0;
        });
    }
    RawConsumer probe, attacker;
};

/// A turn has its budget for those who wait and its budget for those who do not, and each may go beyond it by one
/// piece.
constexpr std::uint64_t mostWork(std::size_t piece) {
    return TurnBudget::kOfTurn + TurnBudget::kOfTurn / 2 + 2 * piece;
}

}  // namespace

TEST_CASE("a batch with a large view is opened in slices, its view made once, and others are served meanwhile",
          "[hub][client][hostile]") {
    HostileFixture f;
    std::vector<std::int16_t> fields;
    for (std::int16_t i = 1; i <= 13'000; ++i)
        fields.push_back(i);
    constexpr std::size_t kItems = 9000;
    Elements e;
    e.names(names(kItems)).view(fields);
    Msg m = batch(100, e);
    m.flags |= RequestFlag::view;
    f.attacker.send(m);
    f.runUntil([&] { return !f.them().mounts.empty(); });
    CHECK(f.them().mounts.size() < kItems);
    f.probes();
    CHECK(f.views.size() == 1);
    for (std::size_t got = 0; got < kItems; ++got)
        REQUIRE(f.attacker.next().msg.cls == MsgClass::Refresh);
    checkState(f.attacker.next(), 100, StreamState::closed, ok);
    CHECK(f.them().views.size() == 1);
    CHECK(f.work() <= mostWork(m.payload.size() * TurnBudget::kList));
    // All of it goes step by step as well.
    f.attacker.disconnect();
    f.runUntil([&] { return f.mounts.size() == 1; });
    f.probes();
    f.runUntil([&] { return f.clients.size() == 1; });
    CHECK(f.views.size() == 0);
}

TEST_CASE("a batch reissue over a large image waits for the turn, and for a client that does not read",
          "[hub][client][hostile]") {
    HostileFixture f;
    constexpr std::size_t kStreams = 100;
    RawConsumer owner = f.loggedIn("owner");
    owner.send(request(5, "BIG"));
    REQUIRE(owner.next().msg.cls == MsgClass::Refresh);
    f.makeBig("BIG");
    REQUIRE(owner.next().msg.payload.size() > kBigField);
    Elements open;
    open.names(std::vector<std::string>(kStreams, "BIG"));
    Msg m = batch(100, open);
    m.flags |= RequestFlag::noRefresh;
    f.attacker.send(m);
    checkState(f.attacker.next(), 100, StreamState::closed, ok);
    CHECK(f.them().mounts.size() == kStreams);

    std::vector<std::int32_t> streams;
    for (std::size_t i = 0; i < kStreams; ++i)
        streams.push_back(101 + static_cast<std::int32_t>(i));
    Elements again;
    again.streams(streams);
    f.attacker.send(batch(91, again));
    // It reads nothing: the batch stops where a quarter of what may wait for it waits.
    f.runUntil([&] { return f.them().unread; });
    for (int i = 0; i < 5; ++i)
        f.probes();
    CHECK(f.work() <= mostWork(kBigField * kBigFields + 4096));
    CHECK(ClientSession::of(f.them()).batch != nullptr);
    CHECK_FALSE(f.them().cutOff);
    for (std::size_t i = 0; i < kStreams; ++i)
        REQUIRE(f.read().msg.payload.size() > kBigField);
    checkState(f.read(), 91, StreamState::closed, ok);
    CHECK_FALSE(f.them().cutOff);
}

TEST_CASE("streams that are paused cost an update nothing, and miss nothing", "[hub][client][hostile]") {
    HostileFixture f;
    constexpr std::size_t kStreams = 3000;
    Elements e;
    e.names(std::vector<std::string>(kStreams, "PROBE"));
    Msg m = batch(100, e);
    m.flags |= RequestFlag::pause;
    f.attacker.send(m);
    for (std::size_t i = 0; i < kStreams; ++i)
        REQUIRE(f.attacker.next().msg.cls == MsgClass::Refresh);
    checkState(f.attacker.next(), 100, StreamState::closed, ok);
    Item& item = *f.item("PROBE");
    const auto update = [&] {
        f.locked([&] {
            f.update(item);
            return 0;
        });
        const Received got = f.probe.next();
        CHECK(got.msg.cls == MsgClass::Update);
    };
    CHECK(item.mountCount == kStreams + 1);
    CHECK(item.liveCount == 1);
    CHECK(item.missedFrom == item.mountCount);
    update();
    CHECK(item.missedFrom == 1);  // they are marked once
    update();
    // One goes on: it has what it missed, and the updates from there on.
    Msg one = request(1500, "PROBE");
    one.flags |= RequestFlag::noRefresh;
    f.attacker.send(one);
    CHECK(f.attacker.next().msg.cls == MsgClass::Refresh);
    CHECK(item.liveCount == 2);
    update();
    CHECK(f.attacker.next().msg.cls == MsgClass::Update);
    one.flags |= RequestFlag::pause;
    f.attacker.send(one);
    f.runUntil([&] { return item.liveCount == 1; });
    CHECK(item.missedFrom == 2);
    update();
    CHECK(item.missedFrom == 1);
    CHECK(PortFixture::silent(f.attacker));
    // The same for all streams of a client at once, in slices.
    Elements go;
    std::vector<std::int32_t> streams;
    for (std::int32_t i = 101; i <= 100 + static_cast<std::int32_t>(kStreams); ++i)
        streams.push_back(i);
    go.streams(streams);
    f.attacker.send(batch(90, go));
    for (std::size_t i = 0; i < kStreams; ++i)
        REQUIRE(f.attacker.next().msg.cls == MsgClass::Refresh);
    checkState(f.attacker.next(), 90, StreamState::closed, ok);
    CHECK(item.liveCount == item.mountCount);
    const auto pauseAll = [&](bool pause) {
        PortFixture::login(f.attacker, "attacker", {},
                           pause ? RequestFlag::pause | RequestFlag::noRefresh : RequestFlag::noRefresh);
        f.runUntil([&] { return f.them().paused == pause; });
    };
    pauseAll(true);
    CHECK(item.liveCount > 1);  // the rest of them in turns to come
    update();
    CHECK(PortFixture::silent(f.attacker));  // and none of them gets an update
    f.runUntil([&] { return item.liveCount == 1; });
    f.probes();
    pauseAll(false);
    f.probes();
    for (std::size_t i = 0; i < kStreams; ++i)
        REQUIRE(f.attacker.next().msg.cls == MsgClass::Refresh);
    CHECK(item.liveCount == item.mountCount);
    CHECK(f.work() <= mostWork(64 * 1024 * TurnBudget::kList));
}

TEST_CASE("an update is filtered once for each view, and a client, an item may have so many of them",
          "[hub][client][hostile]") {
    ClientOptions options = PortFixture::defaults();
    options.maxViewsPerClient = 4;
    options.maxViewsPerItem = 6;
    HostileFixture f(options);
    RawConsumer second = f.loggedIn("second"), third = f.loggedIn("third");
    const auto open = [&](RawConsumer& c, std::int32_t stream, std::int16_t field, std::string_view name = "PROBE") {
        Msg m = request(stream, name);
        m.flags |= RequestFlag::view;
        Elements e;
        e.view({22, field});
        e.into(m);
        c.send(m);
        return c.next();
    };
    for (std::int16_t i = 0; i < 4; ++i)
        for (std::int32_t again = 0; again < 3; ++again)
            CHECK(open(f.attacker, 100 + i * 10 + again, static_cast<std::int16_t>(50 + i)).msg.cls ==
                  MsgClass::Refresh);
    checkState(open(f.attacker, 200, 60), 200, StreamState::closed, suspect, 21);
    CHECK(open(f.attacker, 200, 50, "OTHER").msg.cls == MsgClass::Refresh);  // one that it has
    CHECK(open(second, 10, 50).msg.cls == MsgClass::Refresh);
    CHECK(open(second, 11, 61).msg.cls == MsgClass::Refresh);
    CHECK(open(second, 12, 62).msg.cls == MsgClass::Refresh);
    const Received full = open(third, 10, 63);
    checkState(full, 10, StreamState::closed, suspect, 21);
    CHECK(full.stateText().find("MaxViewsPerItem") != std::string::npos);
    CHECK(open(third, 10, 63, "OTHER").msg.cls == MsgClass::Refresh);

    const std::uint64_t before = f.filtered();
    f.locked([&] {
        f.update(*f.item("PROBE"));
        return 0;
    });
    for (int i = 0; i < 12; ++i)
        CHECK(f.attacker.next().msg.cls == MsgClass::Update);
    for (int i = 0; i < 3; ++i)
        CHECK(second.next().msg.cls == MsgClass::Update);
    const std::uint64_t filtered = f.filtered() - before;  // each distinct view once, on each thread
    CHECK(filtered >= 6);
    CHECK(filtered <= (f.relay ? 12 : 6));
    // Reissues and the ends of streams give shares back, and keep to them.
    Msg m = request(100, "PROBE");
    m.flags |= RequestFlag::view;
    Elements e;
    e.view({22, 64});
    e.into(m);
    f.attacker.send(m);
    checkState(f.attacker.next(), 100, StreamState::closed, suspect, 21);
    for (const std::int32_t stream : {101, 102})
        f.attacker.send(RawConsumer::close(stream));
    CHECK(open(f.attacker, 103, 50).msg.cls == MsgClass::Refresh);
    f.attacker.send(RawConsumer::close(103));
    f.attacker.send(RawConsumer::close(200));
    CHECK(open(f.attacker, 104, 64, "OTHER").msg.cls == MsgClass::Refresh);
    CHECK(f.them().views.size() == 4);
    f.attacker.disconnect();
    second.disconnect();
    third.disconnect();
    f.runUntil([&] { return f.clients.size() == 1; });
    CHECK(f.views.size() == 0);
}

TEST_CASE("a batch counts as its items where requests are counted", "[hub][client][hostile]") {
    ClientOptions options = PortFixture::defaults();
    options.requestsPerSecond = 5;
    HostileFixture f(options);
    f.clock.advance(std::chrono::seconds(2));
    const bool reissues = GENERATE(false, true);
    SECTION("the rest waits, and what follows it") {
        Elements e;
        e.names(names(12));
        f.attacker.send(batch(100, e));
        f.attacker.send(request(300, "AFTER"));
        for (std::int32_t i = 0; i < 5; ++i)
            CHECK(f.attacker.next().msg.streamId == 101 + i);
        f.probes();
        CHECK(f.them().mounts.size() == 5);
        f.clock.advance(std::chrono::milliseconds(1001));
        for (std::int32_t i = 5; i < 10; ++i)
            CHECK(f.attacker.next().msg.streamId == 101 + i);
        f.clock.advance(std::chrono::milliseconds(1001));
        CHECK(f.attacker.next().msg.streamId == 111);
        CHECK(f.attacker.next().msg.streamId == 112);
        CHECK(f.attacker.next().msg.streamId == 100);
        CHECK(f.attacker.next().msg.streamId == 300);
    }
    SECTION("ten times as many end it") {
        Elements e;
        if (reissues) {
            std::vector<std::int32_t> streams(60, 7);
            e.streams(streams);
        } else e.names(names(60));
        f.attacker.send(batch(100, e));
        CHECK(f.attacker.waitClosed());
        f.runUntil([&] { return f.port->counts().ends[EndReason::requestRate].connections == 1; });
        f.probes();
    }
}

TEST_CASE("the keys of a client's items are bounded, each and together", "[hub][client][hostile]") {
    ListenerSettings listener = PortFixture::rwf();
    listener.limits.keyBytesPerClient = 4096;
    HostileFixture f(PortFixture::defaults(), listener);
    const std::vector<std::byte> attributes(2000);
    const auto keyed = [&](std::int32_t stream, std::string_view name, std::size_t bytes) {
        Msg m = request(stream, name);
        m.key.flags |= codec::KeyFlag::attrib;
        m.key.attribType = codec::DataType::Opaque;
        m.key.attrib = Bytes(attributes).first(bytes - name.size());
        f.attacker.send(m);
        return f.attacker.next();
    };
    const Received large = keyed(10, "L", 1025);
    checkState(large, 10, StreamState::closed, suspect, 5);
    CHECK(large.stateText().find("MaxItemKeySize") != std::string::npos);
    CHECK(f.takeAsked().size() == 1);  // the probe's alone
    for (const auto& [stream, name] : {std::pair(10, "A"), std::pair(11, "B"), std::pair(12, "C")})
        CHECK(keyed(stream, name, 1024).msg.cls == MsgClass::Refresh);
    CHECK(f.them().keyBytes > 3 * 1024);
    const Received together = keyed(13, "D", 1024);
    checkState(together, 13, StreamState::closed, suspect, 13);
    CHECK(together.stateText().find("MaxKeyBytesPerClient") != std::string::npos);
    f.attacker.send(RawConsumer::close(10));
    CHECK(keyed(13, "D", 1024).msg.cls == MsgClass::Refresh);
    for (const std::int32_t stream : {11, 12, 13})
        f.attacker.send(RawConsumer::close(stream));
    f.runUntil([&] { return f.them().mounts.empty(); });
    CHECK(f.them().keyBytes == 0);
    // A view is charged for as well.
    std::vector<std::int16_t> fields;
    for (std::int16_t i = 1; i <= 3000; ++i)
        fields.push_back(i);
    Msg m = request(20, "PROBE");
    m.flags |= RequestFlag::view;
    Elements e;
    e.view(fields);
    e.into(m);
    f.attacker.send(m);
    checkState(f.attacker.next(), 20, StreamState::closed, suspect, 21);
    CHECK(f.views.size() == 0);
    f.probes();
}

TEST_CASE("memory that is refused ends the client that asked, and nobody else", "[hub][client][hostile]") {
    HostileFixture f;
    f.memoryShort = true;
    SECTION("with one request") {
        f.attacker.send(request(10, "NEW"));
    }
    SECTION("in the middle of a batch") {
        Elements e;
        e.names({"PROBE", "NEW", "NEWER"});
        f.attacker.send(batch(10, e));
    }
    CHECK(f.attacker.waitClosed());
    f.memoryShort = false;
    f.runUntil([&] { return f.clients.size() == 1; });
    CHECK(f.port->counts().ends[EndReason::memory].connections == 1);
    CHECK(f.mounts.size() == 1);
    f.probes();
}

TEST_CASE("messages beyond a turn's budget wait in order, and a client that sends many is not read from meanwhile",
          "[hub][client][hostile]") {
    HostileFixture f;
    f.attacker.send(request(10, "BIG"));
    REQUIRE(f.attacker.next().msg.cls == MsgClass::Refresh);
    f.makeBig("BIG");
    REQUIRE(f.attacker.next().msg.cls == MsgClass::Refresh);
    for (int i = 0; i < 60; ++i)
        f.attacker.send(request(10, "BIG"));
    f.attacker.send(request(11, "LAST"));
    f.runUntil([&] { return f.them().unread; });
    for (int i = 0; i < 5; ++i)
        f.probes();
    CHECK(f.work() <= mostWork(kBigField * kBigFields + 4096));
    for (int i = 0; i < 60; ++i)
        REQUIRE(f.read().msg.payload.size() > kBigField);
    CHECK(f.read().msg.streamId == 11);
    CHECK(ClientSession::of(f.them()).idle());
    CHECK_FALSE(f.them().cutOff);
}

namespace {

double threadMs() noexcept {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

/// Attackers with threads of their own; this thread runs the port and asks for the probe's image again and again.
class Measured {
public:
    explicit Measured(HostileFixture& f) : f_(f) {}
    ~Measured() {
        stop_ = true;
        f_.runUntil([&] { return running_ == 0; });
        for (std::thread& t : threads_)
            t.join();
    }
    using Attack = std::function<void(RawConsumer&, const std::atomic<bool>& stop)>;
    void attack(Attack attack) {
        ++running_;
        threads_.emplace_back([this, attack = std::move(attack), port = f_.port->port()] {
            RawConsumer c(port);
            PortFixture::login(c, "thread", {});
            (void)c.tryNext();
            attack(c, stop_);
            c.disconnect();
            --running_;
        });
    }
    /// In milliseconds, and of this thread's time on the processor: on a busy machine that is what turns took.
    void report(const char* what, std::chrono::seconds time, const std::function<void()>& meanwhile = {}) {
        using Clock = std::chrono::steady_clock;
        std::vector<double> all, processor;
        for (const auto end = Clock::now() + time; Clock::now() < end;) {
            if (meanwhile) meanwhile();
            const auto begin = Clock::now();
            const double processorBegin = threadMs();
            f_.probe.send(request(5, "PROBE"));
            for (Received got = f_.probe.next(); got.msg.cls != MsgClass::Refresh; got = f_.probe.next()) {}
            all.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
            processor.push_back(threadMs() - processorBegin);
            f_.asked.clear();  // else the note of what was asked costs more than the port
            for (const auto pause = Clock::now() + std::chrono::milliseconds(2); Clock::now() < pause;)
                f_.turn();
        }
        std::ranges::sort(all);
        std::ranges::sort(processor);
        const std::size_t at99 = all.size() * 99 / 100;
        const double p99 = all[at99];
        std::printf("%-60s %6zu reissues: p50 %.2f ms, p99 %.2f ms, max %.2f ms; processor p50 %.2f ms, p99 %.2f ms, "
                    "max %.2f ms\n",
                    what, all.size(), all[all.size() / 2], p99, all.back(), processor[all.size() / 2], processor[at99],
                    processor.back());
        CHECK(p99 < 50);
    }

private:
    HostileFixture& f_;
    std::atomic<bool> stop_{false};
    std::atomic<int> running_{0};
    std::vector<std::thread> threads_;
};

void readUntil(RawConsumer& c, std::int32_t stream, const std::atomic<bool>& stop) {
    while (!stop)
        if (const auto got = c.tryNext(std::chrono::milliseconds(50)); got && got->msg.streamId == stream) return;
}

}  // namespace

TEST_CASE("how long a probe's reissue takes beside attacks", "[.measure]") {
    HostileFixture f;
    std::vector<std::int16_t> fields;
    for (std::int16_t i = 1; i <= 13'000; ++i)
        fields.push_back(i);
    const std::chrono::seconds time(4);
    SECTION("nothing else") {
        Measured m(f);
        m.report("idle", time);
    }
    SECTION("batches of 10,000 items with a view of 13,000 names, opened and closed") {
        Measured m(f);
        m.attack([&](RawConsumer& c, const std::atomic<bool>& stop) {
            std::vector<std::int32_t> streams;
            for (std::int32_t i = 101; i <= 10'100; ++i)
                streams.push_back(i);
            while (!stop) {
                Elements e;
                e.names(names(10'000)).view(fields);
                Msg open = batch(100, e);
                open.flags |= RequestFlag::view;
                c.send(open);
                readUntil(c, 100, stop);
                Elements all;
                all.streams(streams);
                Msg close = RawConsumer::close(101);
                close.flags |= codec::CloseFlag::batch;
                all.into(close);
                c.send(close);
            }
        });
        m.report("batch of 10,000 items, view of 13,000 names", time);
    }
    SECTION("reissues of 10,000 streams over an image of 480 KB") {
        Measured m(f);
        m.attack([&](RawConsumer& c, const std::atomic<bool>& stop) {
            Elements open;
            open.names(std::vector<std::string>(10'000, "BIG"));
            c.send(batch(100, open));
            readUntil(c, 100, stop);
            std::vector<std::int32_t> streams;
            for (std::int32_t i = 101; i <= 10'100; ++i)
                streams.push_back(i);
            while (!stop) {
                Elements again;
                again.streams(streams);
                c.send(batch(100, again));
                readUntil(c, 100, stop);
            }
        });
        f.runUntil([&] { return f.item("BIG") != nullptr && f.item("BIG")->mountCount > 0; });
        f.makeBig("BIG");
        m.report("batch reissue of 10,000 streams, image of 480 KB", time);
    }
    SECTION("65,535 streams on one item, each with a view of its own, and updates") {
        Measured m(f);
        std::atomic<bool> there{false};
        m.attack([&](RawConsumer& c, const std::atomic<bool>& stop) {
            for (std::int32_t i = 0; i < 65'535 && !stop; ++i) {
                Msg one = request(100 + i, "PROBE");
                one.flags |= RequestFlag::view;
                Elements e;
                e.view({22, static_cast<std::int16_t>(100 + i % 32'000), static_cast<std::int16_t>(-100 - i / 32'000)});
                e.into(one);
                c.send(one);
                if (i % 100 == 0)
                    while (c.tryNext(std::chrono::milliseconds(0))) {}
            }
            there = true;
            while (!stop)
                (void)c.tryNext(std::chrono::milliseconds(50));
        });
        const auto update = [&] {
            f.locked([&] {
                f.update(*f.item("PROBE"));
                return 0;
            });
        };
        m.report("65,535 requests with views of their own coming", time, update);
        f.runUntil([&] { return there.load(); });
        m.report("and there, an update for each reissue", time, update);
    }
    SECTION("900,000 paused streams on one item, and updates") {
        Measured m(f);
        std::atomic<bool> there{false};
        m.attack([&](RawConsumer& c, const std::atomic<bool>& stop) {
            for (std::int32_t i = 0; i < 90 && !stop; ++i) {
                Elements e;
                e.names(std::vector<std::string>(10'000, "PROBE"));
                Msg open = batch(100 + i * 10'001, e);
                open.flags |= RequestFlag::pause;
                c.send(open);
                readUntil(c, open.streamId, stop);
            }
            there = true;
            while (!stop)
                (void)c.tryNext(std::chrono::milliseconds(50));
        });
        const auto update = [&] {
            f.locked([&] {
                for (int i = 0; i < 20; ++i)
                    f.update(*f.item("PROBE"));
                return 0;
            });
        };
        m.report("paused streams coming, 20 updates for each reissue", time, update);
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
        while (!there && std::chrono::steady_clock::now() < end)
            f.turn();
        CHECK(f.item("PROBE")->mountCount == 900'001);
        m.report("and there, 20 updates for each reissue", time, update);
    }
}
