// Sinks and observers beside the connections: who gets what, in which order, and that a sink gets what a client gets.
#include "fixture.h"

#include "hub/sink/ItemFeed.h"

#include <random>

using namespace emissary;
using namespace emissary::test;
namespace StreamState = codec::StreamState;
using hub::sink::FeedRequest;
using hub::sink::ItemFeed;
using hub::sink::Opened;

namespace {

/// "7 UPD {22=5}" for each message, "7 end" and "7 lost".
struct Recorder final : hub::sink::FeedHandler {
    void onMessage(const Item&, const Msg& msg) override {
        lines.push_back(std::to_string(msg.streamId) + " " + FlowFixture::text(msg));
        ids.push_back(msg.hasKey() ? int{msg.key.serviceId} : -1);
    }
    void onEnd(std::int32_t stream) noexcept override { lines.push_back(std::to_string(stream) + " end"); }
    void onLost(std::int32_t stream) noexcept override { lines.push_back(std::to_string(stream) + " lost"); }
    std::vector<std::string> take() { return std::exchange(lines, {}); }
    std::vector<std::string> lines;
    std::vector<int> ids;
};

struct Observer final : MountObserver {
    void sent(Item& item, const Msg&, To) noexcept override { seen.push_back("all " + item.name()); }
    void sent(Item&, const Mount& m, const Msg&) noexcept override { seen.push_back("one " + of(m)); }
    void mounted(Item&, const Mount& m) noexcept override { seen.push_back("mounted " + of(m)); }
    void unmounted(Item&, const Mount& m, Leaves) noexcept override { seen.push_back("unmounted " + of(m)); }
    void quietened(Item&, Mount& m) noexcept override { seen.push_back("quiet " + of(m)); }
    void enlivened(const Item&, const Mount& m) noexcept override { seen.push_back("live " + of(m)); }
    static std::string of(const Mount& m) { return std::to_string(m.client) + ":" + std::to_string(m.stream); }
    std::vector<std::string> take() { return std::exchange(seen, {}); }
    std::vector<std::string> seen;
};

struct Fixture : FlowFixture {
    using FlowFixture::FlowFixture;
    ViewTable views;
    Recorder recorder;
    std::unique_ptr<ItemFeed> feed = make(recorder);
    std::unique_ptr<ItemFeed> make(Recorder& r) {
        return std::make_unique<ItemFeed>(hub::sink::FeedRooms{outputs, services, flow, views}, r, "recorder");
    }
    Opened open(ItemFeed& f, std::int32_t stream, std::string_view name = "IBM", FeedRequest r = {}) {
        const codec::MsgKey key = named(name);
        r.service = service.id;
        r.domain = 6;
        r.key = &key;
        service.merged.state.up = true;
        return f.open(stream, r);
    }
};
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a sink holds an item open, and gets what clients get", "[hub][flow][sink]") {
    Fixture f;
    CHECK(f.open(*f.feed, 7) == Opened::yes);
    CHECK(f.takeAsked() == Lines{"wanted IBM"});
    CHECK(f.feed->size() == 1);
    CHECK(f.clients.size() == 0);  // it is no connection
    f.refresh({{{22, 5}}});
    Client& c = f.client();
    CHECK(f.join(c, 5));
    CHECK(f.take() == Lines{"1:5 RFSH Ok solicited complete clear {22=5}"});
    CHECK(f.recorder.take() == Lines{"7 RFSH Ok solicited complete clear {22=5}"});
    f.update({{{22, 6}}});
    CHECK(f.take() == Lines{"1:5 UPD {22=6}"});
    CHECK(f.recorder.take() == Lines{"7 UPD {22=6}"});
    f.feed->close(7);
    CHECK(f.recorder.take() == Lines{"7 end"});
    f.update({{{22, 7}}});
    CHECK(f.take() == Lines{"1:5 UPD {22=7}"});
    CHECK(f.recorder.take().empty());
    f.flow.leave(c, 5);
    CHECK(f.item() == nullptr);
    f.feed->close(7);  // unknown: ignored
    CHECK(f.recorder.take().empty());
}

TEST_CASE("what a feed refuses", "[hub][flow][sink]") {
    Fixture f;
    REQUIRE(f.open(*f.feed, 7) == Opened::yes);
    CHECK(f.open(*f.feed, 7) == Opened::inUse);
    FeedRequest r;
    CHECK(f.feed->open(8, r) == Opened::unknown);
    r.service = f.service.id;
    f.service.merged.state.up = false;
    CHECK(f.feed->open(8, r) == Opened::down);
    f.service.policy.maxItems = 1;
    reactor::rdm::View view;
    view.fields = {22};
    r.view = &view;
    CHECK(f.open(*f.feed, 8, "OTHER", r) == Opened::items);
    CHECK(f.views.size() == 0);
    CHECK(f.feed->size() == 1);
}

TEST_CASE("sinks get a message in their order, after the connections; each what it mounted", "[hub][flow][sink]") {
    Fixture f;
    Recorder second;
    auto other = f.make(second);
    Client& c = f.client();
    CHECK(f.join(c, 5));
    REQUIRE(f.open(*f.feed, 7) == Opened::yes);
    REQUIRE(f.open(*f.feed, 8, "IBM") == Opened::yes);
    REQUIRE(f.open(*other, 7) == Opened::yes);
    REQUIRE(f.open(*other, 9, "OTHER") == Opened::yes);
    f.refresh({{{22, 1}}});
    f.take();
    f.recorder.take();
    second.take();
    f.update({{{22, 2}}});
    CHECK(f.recorder.take() == Lines{"7 UPD {22=2}", "8 UPD {22=2}"});
    CHECK(second.take() == Lines{"7 UPD {22=2}"});
    // The one in the middle goes; its place is another's.
    f.feed->close(8);
    f.feed.reset();
    CHECK(f.recorder.take() == Lines{"8 end"});
    REQUIRE(f.open(*other, 11) == Opened::yes);
    second.take();
    f.update({{{22, 3}}});
    CHECK(second.take() == Lines{"7 UPD {22=3}", "11 UPD {22=3}"});
    CHECK(f.take() == Lines{"2:5 UPD {22=2}", "2:5 UPD {22=3}"});
    {
        const Outputs::ConnectionsOnly only(f.outputs);
        f.update({{{22, 4}}});
        CHECK(f.take() == Lines{"2:5 UPD {22=4}"});
        CHECK(second.take().empty());
    }
    f.status({StreamState::closed, suspect, 0, {}});
    CHECK(second.take() == Lines{"7 Status Closed/Suspect", "11 Status Closed/Suspect", "11 end", "7 end"});
}

TEST_CASE("a view cuts what a sink gets, and raw bytes are there where they are what goes out", "[hub][flow][sink]") {
    Fixture f;
    reactor::rdm::View view;
    view.fields = {25};
    FeedRequest r;
    r.view = &view;
    REQUIRE(f.open(*f.feed, 7, "IBM", r) == Opened::yes);
    CHECK(f.views.size() == 1);
    f.refresh({{{22, 1}, {25, 2}}});
    CHECK(f.recorder.take() == Lines{"7 RFSH Ok solicited complete clear {25=2}"});
    CHECK(f.recorder.ids == std::vector<int>{3});
    f.update({{{22, 9}}});
    CHECK(f.recorder.take().empty());
    f.update({{{22, 9}, {25, 3}}});
    CHECK(f.recorder.take() == Lines{"7 UPD {25=3}"});
    Msg bad = f.message(codec::MsgClass::Update, codec::UpdateFlag::doNotCache, {{{25, 1}}});
    bad.payload = bad.payload.first(bad.payload.size() - 1);
    f.flow.received(*f.item(), bad);
    CHECK(f.recorder.take() == Lines{"7 lost"});
    f.feed->close(7);
    CHECK(f.released == std::vector<std::uint16_t>{1});
}

TEST_CASE("an observer sees mounts of connections alone, and nothing once it is ignored", "[hub][flow][sink]") {
    Fixture f;
    f.feed.reset();
    Observer observer;
    f.outputs.observe(observer);
    f.feed = f.make(f.recorder);
    REQUIRE(f.open(*f.feed, 7) == Opened::yes);
    CHECK(observer.take().empty());
    Client& c = f.client();
    CHECK(f.join(c, 5));
    CHECK(observer.take() == Lines{"mounted 1:5", "live 1:5"});
    f.refresh({{{22, 1}}});
    CHECK(observer.take() == Lines{"one 1:5"});
    f.update({{{22, 2}}});
    CHECK(observer.take() == Lines{"all IBM"});
    f.flow.reissue(c, 5, Reissue{.wantsRefresh = false, .paused = true});
    CHECK(observer.take() == Lines{"quiet 1:5"});
    f.flow.leave(c, 5);
    CHECK(observer.take() == Lines{"unmounted 1:5"});
    f.outputs.ignore(observer);
    CHECK(f.join(c, 6));
    f.update({{{22, 3}}});
    CHECK(observer.take().empty());
    CHECK(f.recorder.take().back() == "7 UPD {22=3}");
}

// Whatever happens to an item, the sink has the same messages as a client that does the same.
TEST_CASE("a sink beside a client of the same items sees the same", "[hub][flow][sink][oracle]") {
    const auto rule = GENERATE(CachePolicy::Rule::all, CachePolicy::Rule::none);
    const unsigned seed = GENERATE(1u, 2u, 3u, 4u);
    INFO("seed " << seed);
    Fixture f(rule);
    std::mt19937 random(seed);
    const auto one = [&](unsigned n) { return random() % n; };
    Client& c = f.client();
    Client& beside = f.client();  // makes places in the lists, and mounts that wait when those do not
    const std::string prefix = std::to_string(c.index) + ":";
    const Lines names{"IBM", "TRI"};
    std::size_t updates = 0, ends = 0;
    for (int step = 0; step < 20'000; ++step) {
        const std::string& name = names[one(2)];
        const std::int32_t stream = name == "IBM" ? 5 : 6;
        const auto both = [&](auto&& byClient, auto&& byFeed) {
            byClient();
            byFeed();
        };
        Item* const item = f.item(name);
        const auto received = [&](Msg m) { f.flow.received(*item, m); };
        const bool open = c.mounts.contains(stream);
        REQUIRE(open == f.feed->client().mounts.contains(stream));
        switch (one(14)) {
        case 0: {
            if (open) break;
            const bool streams = one(4) != 0;
            JoinRequest r;
            r.streaming = streams;
            FeedRequest q;
            q.streaming = streams;
            both([&] { REQUIRE(f.join(c, stream, name, r)); },
                 [&] { REQUIRE(f.open(*f.feed, stream, name, q) == Opened::yes); });
            break;
        }
        case 1:
            if (one(3) == 0) both([&] { f.flow.leave(c, stream); }, [&] { f.feed->close(stream); });
            break;
        case 2:
        case 3: {
            const bool on = one(2) == 0;
            both([&] { f.flow.reissue(c, stream, Reissue{.wantsRefresh = false, .paused = on}); },
                 [&] { f.feed->pause(stream, on); });
            break;
        }
        case 4:
            if (beside.mounts.contains(stream)) f.flow.leave(beside, stream);
            else REQUIRE(f.join(beside, stream, name));
            break;
        case 5:
        case 6: {
            if (item == nullptr || item->source == nullptr) break;
            auto flags = static_cast<std::uint16_t>(one(2) == 0 ? Fixture::kWhole : codec::RefreshFlag::complete);
            Msg m = f.message(codec::MsgClass::Refresh, flags, {{{22, one(9)}, {25, one(9)}}});
            if (one(3) == 0) {  // in two parts
                m.flags =
                    static_cast<std::uint16_t>((m.flags | codec::RefreshFlag::partNum) & ~codec::RefreshFlag::complete);
                m.partNum = 0;
                received(m);
                if (f.item(name) != item) break;
                m = f.message(codec::MsgClass::Refresh, codec::RefreshFlag::complete | codec::RefreshFlag::partNum,
                              {{{30, one(9)}}});
                m.partNum = 1;
            }
            received(m);
            break;
        }
        case 7: {
            if (item == nullptr || item->source == nullptr) break;
            Msg m;
            m.cls = codec::MsgClass::Status;
            m.domain = 6;
            m.flags = codec::StatusFlag::state;
            const bool final = one(10) == 0;
            m.state = {final ? StreamState::closed : StreamState::open, one(2) == 0 ? ok : suspect, 1, {}};
            ends += final;
            received(m);
            break;
        }
        case 8:  // its source is lost, and another one answers later
            if (item == nullptr || one(2) != 0) break;
            f.flow.suspect(*item, 0, "lost");
            if (Item* const still = f.item(name)) f.flow.bind(*still, one(2) == 0 ? &f.other : &f.source, 2);
            break;
        case 9:  // the service is deleted
            if (item != nullptr && one(6) == 0) f.flow.close(*item, {StreamState::closedRecover, suspect, 0, {}});
            break;
        default:
            if (item == nullptr) break;
            ++updates;
            received(f.message(codec::MsgClass::Update, 0, {{{22, one(99)}}}));
        }
        Lines clients, sinks;
        for (const std::string& line : f.take())
            if (line.starts_with(prefix)) clients.push_back(line.substr(prefix.size()));
        for (const std::string& line : f.recorder.take())
            if (!line.ends_with(" end")) sinks.push_back(line);
        INFO("step " << step);
        REQUIRE(sinks == clients);
        REQUIRE(c.mounts.size() == f.feed->size());
    }
    CHECK(updates > 1000);
    CHECK(ends > 10);
}
