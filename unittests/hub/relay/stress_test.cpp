// Consumers that come, go, die, stall and change their minds while data flow: what each of them saw makes sense.
#include "disturb.h"
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;

namespace {

/// One consumer, and what it was told on each of its streams.
class Watcher {
public:
    Watcher(RelayFixture& f, int number) : f_(f), user_("w" + std::to_string(number)) { connect(); }

    void connect() {
        consumer_.emplace(f_.loggedIn(user_));
        seen_.clear();
    }
    void open(const std::string& name) {
        seen_[++lastStream_].item = name;
        consumer_->send(HubFixture::request(lastStream_, name));
    }
    void close(std::size_t which) {
        if (seen_.empty()) return;
        const auto at = std::next(seen_.begin(), static_cast<std::ptrdiff_t>(which % seen_.size()));
        consumer_->send(RawConsumer::close(at->first));
        seen_.erase(at);
    }
    /// Pause, resume with what was missed, or another refresh.
    void change(std::size_t which) {
        if (seen_.empty()) return;
        const auto at = std::next(seen_.begin(), static_cast<std::ptrdiff_t>(which % seen_.size()));
        Msg m = HubFixture::request(at->first, at->second.item);
        if (which % 3 != 0) m.flags |= RequestFlag::noRefresh;
        at->second.paused = which % 2 != 0;
        if (at->second.paused) m.flags |= RequestFlag::pause;
        consumer_->send(m);
    }
    void die() {
        consumer_->dieMidMessage();
        connect();
    }
    /// Everything that is there: a refresh is never older than what came before, an update is the next one.
    void read() {
        while (const auto got = consumer_->tryNext(std::chrono::milliseconds(0)))
            take(*got);
    }
    /// Until every stream that is not paused has the last value.
    void catchUp() {
        for (auto& [stream, seen] : seen_)
            while (!seen.paused && (!seen.value || *seen.value < f_.values[seen.item])) {
                const auto got = consumer_->tryNext();
                REQUIRE(got.has_value());
                take(*got);
            }
    }
    [[nodiscard]] std::uint64_t updates() const { return updates_; }

private:
    struct Seen {
        std::string item;
        std::optional<std::uint64_t> value;
        bool paused = false;
    };
    void take(const Received& got) {
        const auto at = seen_.find(got.msg.streamId);
        if (at == seen_.end() || (got.msg.cls != MsgClass::Refresh && got.msg.cls != MsgClass::Update)) return;
        const std::uint64_t value = RelayFixture::valueOf(got.msg);
        std::optional<std::uint64_t>& last = at->second.value;
        INFO(user_ << " stream " << got.msg.streamId << " has " << last.value_or(0) << ", told " << value);
        if (got.msg.cls == MsgClass::Refresh) {
            REQUIRE((!last || value >= *last));
        } else {
            REQUIRE(last.has_value());
            REQUIRE(value == *last + 1);
            ++updates_;
        }
        last = value;
    }

    RelayFixture& f_;
    std::string user_;
    std::optional<RawConsumer> consumer_;
    std::map<std::int32_t, Seen> seen_;
    std::int32_t lastStream_ = 10;
    std::uint64_t updates_ = 0;
};

}  // namespace

TEST_CASE("whatever consumers do, each of them sees every update of what it has open", "[hub][relay]") {
    RelayFixture f;
    f.connected();
    const char* const items[] = {"A", "B", "C", "D", "E"};
    std::vector<std::unique_ptr<Watcher>> watchers;
    for (int i = 0; i < 6; ++i)
        watchers.push_back(std::make_unique<Watcher>(f, i));
    disturb(f, watchers, items, 7, 4);
    for (const auto& w : watchers)
        w->catchUp();
    std::uint64_t updates = 0;
    for (const auto& w : watchers)
        updates += w->updates();
    CHECK(updates > 1000);
    CHECK(f.count("emissary_hub_unsent_total") < updates);  // those of connections that were gone already
}

TEST_CASE("a consumer that never reads is cut off by its thread; the others miss nothing", "[hub][relay]") {
    RelayFixture f([](HubSettings& s) { s.disconnectAbove = 200'000; });
    f.connected();
    RawConsumer good = f.loggedIn("good"), bad = f.loggedIn("bad");
    const int size = 4096;
    ::setsockopt(bad.channel().fd(), SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    good.send(HubFixture::request(5));
    for (std::int32_t stream = 5; stream < 205; ++stream)
        bad.send(HubFixture::request(stream));
    f.until([&] {
        f.serve();
        return f.hub->rooms().flow.counts().mounts.get() == 201;
    });
    std::uint64_t last = RelayFixture::valueOf(good.next().msg);
    for (int i = 0; i < 200'000 && f.count("emissary_hub_slow_disconnects_total") == 0; ++i) {
        f.tick();
        f.turn();
        while (const auto got = good.tryNext(std::chrono::milliseconds(0)))
            REQUIRE(RelayFixture::valueOf(got->msg) == ++last);
    }
    CHECK(f.count("emissary_hub_slow_disconnects_total") == 1);
    f.until([&] { return f.hub->rooms().flow.counts().mounts.get() == 1; });
    while (last < f.values["IBM"])
        REQUIRE(RelayFixture::valueOf(good.next().msg) == ++last);
}
