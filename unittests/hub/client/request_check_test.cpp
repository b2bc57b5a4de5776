// Requests that are granted later, or not, and rights that change.
#include "fixture.h"
#include "requests.h"
#include "rights.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using Lines = std::vector<std::string>;
namespace StreamState = codec::StreamState;
using codec::DataState::ok;
using codec::DataState::suspect;

namespace {

struct Checked {
    Rights rights;
    PortFixture f;

    explicit Checked(const std::function<void(ClientOptions&)>& change = {}) : f(with(rights, change)) {}
    static ClientOptions with(Rights& rights, const std::function<void(ClientOptions&)>& change) {
        ClientOptions o = PortFixture::defaults();
        o.requestCheck = &rights;
        if (change) change(o);
        return o;
    }
    void ask(RawConsumer& c, std::int32_t stream, std::string_view name) {
        const std::size_t before = rights.asked.size();
        c.send(RawConsumer::request(stream, 6, name, std::uint16_t{3}));
        f.runUntil([&] { return rights.asked.size() == before + 1; });
    }
    void answer(const std::string& name, bool granted, const std::string& text = {}, bool unavailable = false) {
        f.locked([&] { rights.answer(name, granted, text, unavailable); });
    }
    void verdict(std::uint64_t ticket, bool granted = true) {
        f.locked([&] { rights.to->onVerdict(ticket, {granted, {}}); });
    }
    void close(RawConsumer& c, std::int32_t stream) {
        Msg m;
        m.cls = MsgClass::Close;
        m.domain = 6;
        m.streamId = stream;
        c.send(m);
    }
    const AllCounts& counts() { return f.port->counts(); }
};

}  // namespace

TEST_CASE("no source is asked before a request is granted", "[hub][client][rights]") {
    Checked t;
    RawConsumer c = t.f.loggedIn();
    t.ask(c, 5, "IBM");
    CHECK(t.rights.asked == Lines{"dana FEED IBM 6"});
    CHECK(PortFixture::silent(c));
    CHECK(t.f.takeAsked().empty());
    CHECK(t.f.items.size() == 0);
    CHECK(t.counts().of.openChecks.get() == 1);
    SECTION("granted") {
        t.answer("IBM", true);
        checkState(c.next(), 5, StreamState::open, ok);
        CHECK(t.f.takeAsked() == Lines{"wanted IBM"});
        CHECK(t.rights.cancelled.empty());
    }
    SECTION("not granted") {
        t.answer("IBM", false);
        const Received got = c.next();
        checkState(got, 5, StreamState::closed, suspect, 3);
        CHECK(eta::asText(got.msg.state.text).find("'IBM' of service 3 refused: the user is not entitled") !=
              std::string::npos);
        CHECK(t.f.takeAsked().empty());
        CHECK(t.counts().refused[Reason::notEntitled].requests.get() == 1);
    }
    SECTION("not granted, with a reason") {
        t.answer("IBM", false, "the account is empty");
        CHECK(eta::asText(c.next().msg.state.text).find("the account is empty") != std::string::npos);
    }
    SECTION("nobody can say at the moment") {
        t.answer("IBM", false, "", true);
        const Received got = c.next();
        checkState(got, 5, StreamState::closedRecover, suspect, 29);
        CHECK(eta::asText(got.msg.state.text).find("cannot be said at the moment") != std::string::npos);
        CHECK(t.f.takeAsked().empty());
        CHECK(t.counts().refused[Reason::rightsUnknown].requests.get() == 1);
        CHECK(t.counts().refused[Reason::notEntitled].requests.get() == 0);
        t.ask(c, 5, "IBM");
        t.answer("IBM", true);
        checkState(c.next(), 5, StreamState::open, ok);
        // Nor is it a reason to close what is open.
        t.rights.unavailable = true;
        t.f.locked([&] { t.f.port->recheck(); });
        t.f.runUntil([&] { return t.rights.looks == 1 && t.counts().of.rightsWalks.get() == 0; });
        CHECK(PortFixture::silent(c));
        t.rights.later = false;
        c.send(RawConsumer::request(6, 6, "MSFT", std::uint16_t{3}));
        checkState(c.next(), 6, StreamState::closedRecover, suspect, 29);
    }
    SECTION("its service is another one by then: the other checks are made once more") {
        t.f.locked([&] { t.f.feed().merged.info.capabilities = {7}; });
        t.answer("IBM", true);
        checkState(c.next(), 5, StreamState::closed, suspect, 5);
        CHECK(t.f.takeAsked().empty());
    }
    CHECK(t.counts().of.openChecks.get() == 0);
}

TEST_CASE("a check may answer at once", "[hub][client][rights]") {
    Checked t;
    t.rights.later = false;
    t.rights.grants = [](const RequestAsk& ask) { return ask.name != "SECRET"; };
    RawConsumer c = t.f.loggedIn();
    c.send(RawConsumer::request(5, 6, "IBM", std::uint16_t{3}));
    checkState(c.next(), 5, StreamState::open, ok);
    c.send(RawConsumer::request(6, 6, "SECRET", std::uint16_t{3}));
    checkState(c.next(), 6, StreamState::closed, suspect, 3);
    CHECK(t.f.takeAsked() == Lines{"wanted IBM"});
    SECTION("a reissue is not checked: it has the item") {
        t.rights.grants = [](const RequestAsk&) { return false; };
        c.send(RawConsumer::request(5, 6, "IBM", std::uint16_t{3}));
        checkState(c.next(), 5, StreamState::open, ok);
    }
}

TEST_CASE("requests that fail another check are not asked about", "[hub][client][rights]") {
    Checked t;
    RawConsumer c = t.f.loggedIn();
    c.send(RawConsumer::request(5, 6, "IBM", std::uint16_t{99}));
    checkState(c.next(), 5, StreamState::closed, suspect, 15);
    CHECK(t.rights.asked.empty());
}

TEST_CASE("requests and closes of a stream keep their order", "[hub][client][rights]") {
    Checked t;
    RawConsumer c = t.f.loggedIn();
    t.ask(c, 5, "IBM");
    const std::uint64_t first = t.rights.open[0].ticket;
    SECTION("closed before the verdict") {
        t.close(c, 5);
        t.f.runUntil([&] { return !t.rights.cancelled.empty(); });
        CHECK(t.rights.cancelled == std::vector<std::uint64_t>{first});
        t.verdict(first);
        CHECK(PortFixture::silent(c));
        CHECK(t.f.items.size() == 0);
        CHECK(t.counts().of.closes.get() == 1);
    }
    SECTION("closed, and asked for anew: the verdict of the first is none of the second") {
        t.close(c, 5);
        t.ask(c, 5, "MSFT");
        t.verdict(first);
        CHECK(PortFixture::silent(c));
        CHECK(t.f.items.size() == 0);
        t.answer("MSFT", true);
        CHECK(c.next().msg.streamId == 5);
        CHECK(t.f.takeAsked() == Lines{"wanted MSFT"});
    }
    SECTION("another request on the stream is in its place") {
        t.ask(c, 5, "MSFT");
        CHECK(t.rights.cancelled == std::vector<std::uint64_t>{first});
        t.answer("MSFT", true);
        CHECK(c.next().msg.streamId == 5);
        CHECK(t.f.takeAsked() == Lines{"wanted MSFT"});
    }
    SECTION("other streams do not wait") {
        t.ask(c, 6, "MSFT");
        t.answer("MSFT", true);
        CHECK(c.next().msg.streamId == 6);
        t.answer("IBM", true);
        CHECK(c.next().msg.streamId == 5);
    }
    SECTION("verdicts beyond the work of a turn are dealt with in their order") {
        for (int i = 0; i < 50; ++i)
            t.ask(c, 10 + i, "ITEM" + std::to_string(i));
        t.f.locked([&] {
            t.f.out.work().spend(TurnBudget::kOfTurn);
            for (int i = 0; i < 50; ++i)
                t.rights.answer("ITEM" + std::to_string(i), true);
            CHECK(t.f.items.size() == 0);
        });
        for (int i = 0; i < 50; ++i)
            CHECK(c.next().msg.streamId == 10 + i);
    }
}

TEST_CASE("tickets are given back when nobody waits for them", "[hub][client][rights]") {
    auto t = std::make_unique<Checked>();
    RawConsumer c = t->f.loggedIn(), other = t->f.loggedIn("eve");
    t->ask(c, 5, "IBM");
    t->ask(c, 6, "MSFT");
    t->ask(other, 5, "IBM");
    std::vector<std::uint64_t> mine{t->rights.open[0].ticket, t->rights.open[1].ticket};
    const std::size_t bytes = t->f.client().keyBytes;
    CHECK(bytes > 512);
    SECTION("the client has gone") {
        c.disconnect();
        t->f.runUntil([&] { return t->rights.cancelled.size() == 2; });
    }
    SECTION("the client logs out") {
        Msg m;
        m.cls = MsgClass::Close;
        m.domain = 1;
        m.streamId = 1;
        c.send(m);
        t->f.runUntil([&] { return t->rights.cancelled.size() == 2; });
    }
    std::ranges::sort(t->rights.cancelled);
    if (!t->rights.cancelled.empty()) {
        CHECK(t->rights.cancelled == mine);
        CHECK(t->counts().of.openChecks.get() == 1);
        t->answer("IBM", true);
        CHECK(other.next().msg.streamId == 5);
    }
}

TEST_CASE("a hub that stops gives back its tickets", "[hub][client][rights]") {
    Checked t;
    RawConsumer c = t.f.loggedIn();
    t.ask(c, 5, "IBM");
    const std::uint64_t ticket = t.rights.open[0].ticket;
    t.f.locked([&] {
        if (t.f.relay) t.f.relay->stop();
        t.f.port.reset();
    });
    CHECK(t.rights.cancelled == std::vector<std::uint64_t>{ticket});
}

TEST_CASE("a check that takes too long is no answer, and may be asked for again", "[hub][client][rights]") {
    Checked t([](ClientOptions& o) { o.requestCheckTimeout = 3s; });
    RawConsumer c = t.f.loggedIn();
    t.ask(c, 5, "IBM");
    const std::uint64_t ticket = t.rights.open[0].ticket;
    t.f.clock.advance(2s);
    t.ask(c, 6, "MSFT");
    CHECK(PortFixture::silent(c));
    t.f.clock.advance(1s);
    const Received got = c.next();
    checkState(got, 5, StreamState::closedRecover, suspect, 29);
    CHECK(eta::asText(got.msg.state.text).find("was not answered in time") != std::string::npos);
    CHECK(t.rights.cancelled == std::vector<std::uint64_t>{ticket});
    t.verdict(ticket);
    CHECK(PortFixture::silent(c));
    t.answer("MSFT", true);
    checkState(c.next(), 6, StreamState::open, ok);
    CHECK(t.f.takeAsked() == Lines{"wanted MSFT"});
}

TEST_CASE("open checks are bounded for a client and in all", "[hub][client][rights]") {
    const auto refused = [](RawConsumer& c, Checked& t, std::int32_t stream) {
        c.send(RawConsumer::request(stream, 6, "MORE", std::uint16_t{3}));
        checkState(c.next(), stream, StreamState::closedRecover, suspect, 12);
        CHECK(t.rights.asked.back() != "dana FEED MORE 6");
    };
    SECTION("of one client") {
        Checked t([](ClientOptions& o) { o.maxOpenChecksPerClient = 2; });
        RawConsumer c = t.f.loggedIn(), other = t.f.loggedIn("eve");
        t.ask(c, 5, "IBM");
        t.ask(c, 6, "MSFT");
        refused(c, t, 7);
        t.ask(other, 5, "IBM");
        t.answer("IBM", false);
        CHECK(c.next().msg.streamId == 5);
        t.ask(c, 7, "TRI");
    }
    SECTION("of all") {
        Checked t([](ClientOptions& o) { o.maxOpenChecks = 2; });
        RawConsumer c = t.f.loggedIn(), other = t.f.loggedIn("eve");
        t.ask(c, 5, "IBM");
        t.ask(other, 6, "MSFT");
        refused(c, t, 7);
    }
    SECTION("they count as streams of the client") {
        Checked t([](ClientOptions& o) { o.maxMountsPerClient = 2; });
        RawConsumer c = t.f.loggedIn();
        t.ask(c, 5, "IBM");
        t.ask(c, 6, "MSFT");
        c.send(RawConsumer::request(7, 6, "TRI", std::uint16_t{3}));
        checkState(c.next(), 7, StreamState::closed, suspect, 13);
    }
}

TEST_CASE("rights that change close what is granted no more, and nothing else", "[hub][client][rights]") {
    Checked t;
    t.rights.later = false;
    RawConsumer c = t.f.loggedIn(), other = t.f.loggedIn("eve");
    for (RawConsumer* one : {&c, &other})
        for (const auto& [stream, name] : {std::pair(5, "IBM"), std::pair(6, "MSFT"), std::pair(7, "TRI")}) {
            one->send(RawConsumer::request(stream, 6, name, std::uint16_t{3}));
            checkState(one->next(), stream, StreamState::open, ok);
        }
    t.f.takeAsked();
    t.rights.grants = [](const RequestAsk& ask) {
        return ask.user != "dana" || ask.service != "FEED" || ask.name == "IBM" || ask.domain != 6;
    };
    t.f.locked([&] { t.f.port->recheck(); });
    std::vector<std::int32_t> closed;
    for (int i = 0; i < 2; ++i) {
        const Received got = c.next();
        checkState(got, got.msg.streamId, StreamState::closed, suspect, 3);
        CHECK(eta::asText(got.msg.state.text).find("is closed: the user is not entitled to it any more") !=
              std::string::npos);
        closed.push_back(got.msg.streamId);
    }
    std::ranges::sort(closed);
    CHECK(closed == std::vector<std::int32_t>{6, 7});
    t.f.runUntil([&] { return t.counts().of.rightsWalks.get() == 0; });
    CHECK(t.rights.looks == 6);
    CHECK(PortFixture::silent(c));
    CHECK(PortFixture::silent(other));
    CHECK(t.f.mounts.size() == 4);
    CHECK(t.counts().of.withdrawn.get() == 2);
    SECTION("the item of the last client that had it goes") {
        t.rights.grants = [](const RequestAsk& ask) { return ask.name != "TRI"; };
        t.f.takeAsked();
        t.f.locked([&] { t.f.port->recheck(); });
        checkState(other.next(), 7, StreamState::closed, suspect, 3);
        CHECK(t.f.takeAsked() == Lines{"unwanted TRI"});
        CHECK(t.f.items.size() == 2);
    }
    SECTION("a change while one is walked is walked behind it") {
        t.rights.looks = 0;
        t.f.locked([&] {
            t.f.port->recheck();
            t.f.port->recheck();
        });
        t.f.runUntil([&] { return t.counts().of.rightsWalks.get() == 0; });
        CHECK(t.rights.looks == 8);
    }
    SECTION("clients that leave meanwhile are passed over") {
        t.rights.looks = 0;
        t.f.locked([&] { t.f.port->recheck(); });
        c.disconnect();
        other.disconnect();
        t.f.runUntil([&] { return t.counts().of.rightsWalks.get() == 0 && t.f.mounts.size() == 0; });
    }
}

TEST_CASE("items of a batch are checked one by one", "[hub][client][rights]") {
    Checked t;
    RawConsumer c = t.f.loggedIn();
    Elements list;
    c.send(batch(10, list.names({"IBM", "MSFT"})));
    const Received answer = c.next();
    checkState(answer, 10, StreamState::closed, ok);
    CHECK(t.rights.asked == Lines{"dana FEED IBM 6", "dana FEED MSFT 6"});
    t.answer("MSFT", true);
    checkState(c.next(), 12, StreamState::open, ok);
    t.answer("IBM", false);
    checkState(c.next(), 11, StreamState::closed, suspect, 3);
    CHECK(t.f.takeAsked() == Lines{"wanted MSFT"});
}
