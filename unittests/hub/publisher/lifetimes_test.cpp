// Nothing points to a publisher that is gone, whatever its last messages were; and its loss is worked off in pieces.
#include "hub/publisher/fixture.h"
#include "hub/source/Slices.h"
#include "support/StillClock.h"

#include <algorithm>
#include <ctime>

using namespace emissary;
using namespace emissary::test;
using codec::MsgClass;
using Lines = std::vector<std::string>;
namespace RefreshFlag = codec::RefreshFlag;
namespace StatusFlag = codec::StatusFlag;
namespace StreamState = codec::StreamState;

namespace {

/// The last part of a refresh that has no other parts, and with it the end of the stream.
void endInTheMiddle(ScriptedPublisher& pub, std::int32_t stream, std::string_view name) {
    pub.refresh(stream, name, {{{22, 7}}}, RefreshFlag::complete | RefreshFlag::partNum, [](Msg& m) {
        m.state.stream = StreamState::nonStreaming;
        m.partNum = 1;
    });
    pub.settle();
}

/// A final status whose key names another item than its stream's.
void endAsAnother(ScriptedPublisher& pub, std::int32_t stream, std::string_view other,
                  std::uint8_t state = StreamState::closed) {
    pub.send(stream, 6, MsgClass::Status, StatusFlag::state | StatusFlag::msgKey, {}, [&](Msg& m) {
        m.state = {state, suspect, 0, {}};
        m.key = FlowFixture::named(other);
    });
    pub.settle();
}

struct Lifetimes : PublisherFixture {
    explicit Lifetimes(const std::function<void(ServiceSettings&)>& policy = waits, bool shares = false)
        : PublisherFixture(policy, 0, shares) {}
    /// No item names a source, and nothing is kept of a second one.
    bool free() {
        bool none = true;
        items.forEach([&](Item& i) { none = none && i.source == nullptr; });
        return none && counts().standby == 0;
    }
};

}  // namespace

TEST_CASE("a refresh that ends its stream with a part whose beginning never came ends the item", "[hub][publisher]") {
    Lifetimes f;
    ScriptedPublisher pub(f);
    Client& anna = f.client();
    REQUIRE(f.join(anna, 5, "IBM"));
    f.out.clear();
    SECTION("of a new item") {
        endInTheMiddle(pub, -1, "IBM");
        CHECK(f.free());
        CHECK(f.take() == Lines{"0:5 Status Recover/Suspect"});
    }
    SECTION("of one that is open") {
        pub.refresh(-1, "IBM", {{{22, 1}}});
        pub.settle();
        endInTheMiddle(pub, -1, "IBM");
        CHECK(f.free());
        CHECK(f.item("IBM") == nullptr);
        CHECK(f.take().back() == "0:5 Status Recover/Suspect");
    }
    SECTION("with a payload that cannot be decoded") {
        pub.refresh(-1, "IBM", {{{22, 1}}}, ScriptedPublisher::kWhole, [](Msg& m) {
            m.state.stream = StreamState::nonStreaming;
            m.payload = m.payload.first(m.payload.size() - 1);
        });
        pub.settle();
        CHECK(f.free());
    }
    pub.go();
    CHECK(f.free());
}

TEST_CASE("a stream that ends with a message of another item takes its standby image along", "[hub][publisher]") {
    Lifetimes f;
    ScriptedPublisher a(f, "a"), b(f, "b");
    a.refresh(-1, "IBM", {{{22, 1}}});
    a.settle();
    b.refresh(-1, "IBM", {{{22, 2}}});
    b.settle();
    CHECK(f.counts().standby == 1);
    Client& anna = f.client();
    REQUIRE(f.join(anna, 5, "IBM"));
    f.out.clear();
    SECTION("of the standby, then the active goes") {
        endAsAnother(b, -1, "OTHER");
        CHECK(f.counts().standby == 0);
        a.go();
        CHECK(f.counts().promotions == 0);
        b.go();
    }
    SECTION("of the active: the standby goes on") {
        endAsAnother(a, -1, "OTHER");
        CHECK(f.counts().promotions == 1);
        CHECK(f.take() == Lines{"0:5 RFSH Ok complete clear {22=2}"});
        a.go();
        CHECK(f.item("IBM")->source->name() == "b");
        b.go();
    }
    SECTION("with a refresh") {
        b.refresh(-1, "OTHER", {{{22, 3}}}, ScriptedPublisher::kWhole,
                  [](Msg& m) { m.state.stream = StreamState::nonStreaming; });
        b.settle();
        CHECK(f.counts().standby == 0);
        b.go();
        a.go();
    }
    SECTION("and in the middle of a refresh") {
        endInTheMiddle(b, -1, "IBM");
        endInTheMiddle(b, -1, "IBM");
        endAsAnother(a, -1, "OTHER", StreamState::closedRecover);
        b.go();
        a.go();
    }
    CHECK(f.free());
}

TEST_CASE("an item without a group, and one of a service that has another name now, lose their publisher with it",
          "[hub][publisher]") {
    Lifetimes f;
    ScriptedPublisher a(f, "a"), b(f, "b");
    a.refresh(-1, "IBM", {{{22, 1}}});
    a.settle();
    b.refresh(-1, "IBM", {{{22, 2}}});
    b.settle();
    Item& item = *f.item("IBM");
    f.groups.take(item);
    a.directory({ScriptedPublisher::service(3, "OTHER")}, MsgClass::Update, 0, reactor::rdm::DirectoryFilter::info);
    a.settle();
    CHECK(f.item("IBM")->source->name() == "b");
    a.refresh(-1, {}, {{{22, 3}}});  // its stream ended with the service that it does not offer any more
    a.settle();
    CHECK(f.counts().early + f.counts().ignored == 1);
    b.go();
    a.go();
    CHECK(f.free());
}

TEST_CASE("states that there are none of are refused, with a record, and the publisher stays", "[hub][publisher]") {
    Lifetimes f;
    ScriptedPublisher pub(f);
    pub.refresh(-1, "IBM", {{{22, 1}}});
    pub.settle();
    const std::uint64_t before = f.counts().ignored;
    for (std::uint8_t data = 3; data <= 7; ++data)
        pub.status(-1, StreamState::open, data);
    for (std::uint8_t stream = 6; stream <= 31; stream += 5)
        pub.status(-1, stream, ok);
    pub.refresh(-2, "NEW", {{{22, 1}}}, ScriptedPublisher::kWhole, [](Msg& m) { m.state.data = 7; });
    pub.settle();
    CHECK(f.counts().ignored == before + 12);
    CHECK(std::ranges::any_of(f.log, [](const std::string& l) { return l.find("is none that there is") != l.npos; }));
    CHECK(f.item("NEW") == nullptr);
    CHECK(f.late("IBM") == "RFSH Ok solicited complete clear {22=1}");
    const Service* const service = f.services.find("FEED");
    CHECK(service->counts.items[1].items == 1);
    SECTION("a stream state that says nothing leaves the stream open") {
        Msg m;
        m.cls = MsgClass::Status;
        m.domain = 6;
        m.flags = StatusFlag::state;
        m.state = {StreamState::unspecified, suspect, 0, {}};
        f.flow.received(*f.item("IBM"), m);
        CHECK(f.item("IBM")->streamState == StreamState::open);
        CHECK(f.item("IBM")->dataState == suspect);
    }
}

TEST_CASE("a lost publisher of many items keeps nobody waiting, and one that is back meanwhile begins anew",
          "[hub][publisher]") {
    constexpr int kItems = 3000;
    Lifetimes f;
    ScriptedPublisher pub(f), other(f, "other");
    const auto publish = [&](ScriptedPublisher& by, int n) {
        for (int i = 0; i < n; ++i)
            by.refresh(-1 - i, "I" + std::to_string(i), {{{22, 1}}});
        by.settle();
    };
    publish(pub, kItems);
    publish(other, 10);
    CHECK(f.counts().standby == 10);
    pub.go();
    f.until([&] { return f.items.count(3, nullptr) == kItems - 10; });
    CHECK(f.counts().promotions == 10);
    std::size_t suspects = 0;
    f.items.forEach([&](Item& i) { suspects += i.dataState == suspect ? 1 : 0; });
    CHECK(suspects == kItems - 10);
    SECTION("the next loss is another one") {
        other.go();
        f.until([&] { return f.free(); });
        CHECK(f.items.size() == kItems);
    }
    SECTION("a deleted service closes them all") {
        other.deleteService(3);
        other.settle();
        f.until([&] { return f.items.size() == 0; });
        ScriptedPublisher again(f, "again");
        publish(again, 3);
        CHECK(f.services.find("FEED")->items == 3);
    }
}

TEST_CASE("the ports end while a loss is under way", "[hub][publisher]") {
    Lifetimes f;
    ScriptedPublisher pub(f);
    for (int i = 0; i < 2000; ++i)
        pub.refresh(-1 - i, "I" + std::to_string(i), {{{22, 1}}});
    pub.settle();
    pub.go();
    const std::lock_guard guard(f.loop.lock());
    f.port.reset();
    CHECK(f.free());
}

TEST_CASE("work in slices takes a turn's share and goes on in the next turn, in order", "[hub][publisher]") {
    StillClock clock;
    reactor::ReactorOptions options;
    options.clock = &clock;
    reactor::Reactor loop(options);
    std::string done;
    source::Slices slices(loop);
    {
        const std::lock_guard guard(loop.lock());
        const auto job = [&done, &clock](char name, int steps) {  // a step takes half of a turn's share
            return [&done, &clock, name, left = steps]() mutable {
                clock.advance(std::chrono::milliseconds(1));
                done += name;
                return --left != 0;
            };
        };
        static_assert(source::Slices::kBudget == std::chrono::milliseconds(2));
        slices.add({1, nullptr}, job('a', 20));
        CHECK(done == "aaaa");  // the clock is read after four steps: a read costs more than a small step
        slices.add({2, nullptr}, job('b', 2));
        slices.add({3, nullptr}, job('c', 2));
        CHECK(done == "aaaa");  // nothing is left of this turn's share
        slices.finishOf(std::uint16_t{2});
        CHECK(done == "aaaabb");
    }
    loop.dispatch(std::chrono::milliseconds(0), 10);
    CHECK(done == "aaaabbaaaa");
    for (int turns = 0; turns < 3; ++turns)
        loop.dispatch(std::chrono::milliseconds(0), 10);
    CHECK(done == "aaaabb" + std::string(16, 'a'));
    loop.dispatch(std::chrono::milliseconds(0), 10);
    CHECK(done == "aaaabb" + std::string(16, 'a') + "cc");
    CHECK(slices.empty());
}

namespace {

/// Of this thread on the processor: what else the machine does meanwhile does not count.
double threadMs() noexcept {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

}  // namespace

// The longest turn is what another client waits beside a loss.
TEST_CASE("how long a lost publisher and a deleted service keep others waiting", "[.][measure]") {
    const int services = GENERATE(100, 1);
    const int each = 300'000 / services;
    Lifetimes f(waits, true);
    ScriptedPublisher pub(f, "pub", false);
    pub.login("pub");
    CHECK(pub.raw.next().msg.cls == MsgClass::Refresh);
    std::vector<reactor::rdm::Service> offered;
    for (int s = 1; s <= services; ++s)
        offered.push_back(ScriptedPublisher::service(static_cast<std::uint16_t>(s), "S" + std::to_string(s)));
    pub.directory(offered);
    int stream = 0;
    for (int s = 1; s <= services; ++s)
        for (int i = 0; i < each; ++i) {
            pub.refresh(--stream, "I" + std::to_string(i), {{{22, 1}}}, ScriptedPublisher::kWhole,
                        [s](Msg& m) { m.key.serviceId = static_cast<std::uint16_t>(s); });
            if (i % 100 == 99) pub.settle();
        }
    pub.settle();
    REQUIRE(f.items.size() == static_cast<std::size_t>(services) * static_cast<std::size_t>(each));
    double longest = 0, all = 0;
    const auto turns = [&](auto&& done) {
        longest = all = 0;
        while (!done()) {
            const double begin = threadMs();
            f.turn();
            const double took = threadMs() - begin;
            longest = std::max(longest, took);
            all += took;
        }
    };
    const bool deleted = GENERATE(false, true);
    if (deleted) {
        for (int s = 1; s <= services; ++s)
            pub.deleteService(static_cast<std::uint16_t>(s));
        turns([&] { return f.items.size() == 0; });
    } else {
        pub.raw.disconnect();
        turns([&] { return f.counts().losses != 0 && f.free(); });
    }
    WARN(services << " services with " << each << " items, " << (deleted ? "deleted" : "publisher lost")
                  << ": longest turn " << longest << " ms of " << all << " ms");
}
