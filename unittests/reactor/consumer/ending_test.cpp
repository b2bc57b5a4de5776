// How item streams end, time out and wait for room: the rows of session.md 4.4 to 4.7 one by one.
#include "fixture.h"

#include "eta/codec/encoders.h"

using namespace emissary;
using namespace emissary::test;
using Strings = std::vector<std::string>;

namespace {

struct Unrecovered : Consumer {
    explicit Unrecovered(bool allowSuspect) {
        reactor::rdm::LoginAttributes a;
        a.singleOpen = 0;
        a.allowSuspectData = allowSuspect ? 1 : 0;
        login(a);
    }
};
codec::Msg suspectRefresh(std::int32_t id, bool solicited = true) {
    codec::Msg m = RawProvider::refresh(id, codec::StreamState::open, solicited);
    m.state.data = codec::DataState::suspect;
    return m;
}
void sendWindow(RawProvider& p, std::uint16_t service, std::uint64_t window) {
    reactor::GrowingBuffer load;
    codec::ElementListEncoder e;
    e.begin(load.start());
    e.addUInt("OpenWindow", window);
    REQUIRE(e.complete().ok());
    p.sendServiceUpdate(service, [&](codec::FilterListEncoder& list) {
        list.add(codec::FilterAction::set, 4, codec::DataType::ElementList, load.view());
    });
}
struct Windowed : Consumer {
    explicit Windowed(std::uint64_t window) {
        provider.services[0].filters |= reactor::rdm::DirectoryFilter::load;
        provider.services[0].load.openWindow = window;
    }
    std::size_t requests() {
        settle();
        return provider.inbox.size();
    }
};

}  // namespace

TEST_CASE("A stream that is redirected ends, and is not closed", "[reactor][consumer][items]") {
    Consumer c;
    c.ready();
    const Handle a = c.openAnswered("A");
    c.settle();
    c.takeEvents();
    c.takeWire();
    bool redirect = false;
    c.hook = [&](const codec::Msg& m, const Recipient&) {
        redirect = m.hasKey() && eta::asText(m.key.name) == "B" && m.key.serviceId == 1;
    };
    codec::Msg m = RawProvider::status(3, codec::StreamState::redirected, codec::DataState::suspect);
    m.flags |= codec::StatusFlag::msgKey;
    m.key.flags = codec::KeyFlag::name | codec::KeyFlag::serviceId;
    m.key.name = eta::asBytes("B");
    m.key.serviceId = 1;
    c.provider.send(m);
    c.expectEvent("A STAT Redirected/Suspect/0");
    CHECK(redirect);  // where to ask instead is the application's to know
    CHECK(c.reissue(a, Consumer::request("A")).kind == Refusal::Kind::invalidHandle);
    c.settle();
    CHECK(c.provider.wire.empty());
}

TEST_CASE("Suspect data where the login does not allow them", "[reactor][consumer][items]") {
    Unrecovered c(false);
    c.ready();
    c.open("A");
    const auto id = c.expectRequest("A").streamId;
    c.settle();
    c.takeWire();

    SECTION("in the refresh: the end, and the provider is told") {
        c.provider.send(suspectRefresh(id));
        c.expectEvent("A RFSH ClosedRecover/Suspect/0");
    }
    SECTION("in a status while the refresh is pending") {
        c.provider.send(RawProvider::status(id, codec::StreamState::open, codec::DataState::suspect));
        c.expectEvent("A STAT ClosedRecover/Suspect/0");
    }
    SECTION("in an unsolicited refresh, in a status of an open item") {
        c.provider.send(RawProvider::refresh(id));
        c.expectEvent("A RFSH Open/Ok/0");
        const bool refresh = GENERATE(true, false);
        if (refresh) c.provider.send(suspectRefresh(id, false));
        else c.provider.send(RawProvider::status(id, codec::StreamState::open, codec::DataState::suspect));
        c.until(
            [&] { return c.count("A RFSH ClosedRecover/Suspect/0") + c.count("A STAT ClosedRecover/Suspect/0") == 1; });
    }
    c.settle();
    CHECK(c.provider.wire == Strings{"CLOSE 3 d6 0x0"});
    c.provider.send(RawProvider::update(id));
    c.settle();
    CHECK(c.count("A UPD") == 0);
}

TEST_CASE("Suspect data where the login allows them", "[reactor][consumer][items]") {
    Unrecovered c(true);
    c.ready();
    c.open("A");
    c.provider.send(suspectRefresh(c.expectRequest("A").streamId));
    c.expectEvent("A RFSH Open/Suspect/0");
    c.provider.send(RawProvider::update(3));
    c.expectEvent("A UPD");
    c.settle();
    CHECK(c.provider.wire.back() == "REQ 3 d6 0x44 A");
}

TEST_CASE("A stream that the provider ended by NonStreaming is not closed", "[reactor][consumer][items]") {
    Consumer c;
    c.ready();
    const Handle a = c.openAnswered("A");
    c.settle();
    c.takeEvents();
    c.takeWire();
    const bool solicited = GENERATE(false, true);
    if (solicited) {
        codec::Msg again = Consumer::request("A");
        CHECK_FALSE(c.reissue(a, again));
        c.expectRequest("A");
        c.settle();
        c.takeWire();
    }
    c.provider.send(RawProvider::refresh(3, codec::StreamState::nonStreaming, solicited));
    c.expectEvent("A RFSH NonStreaming/Ok/0");
    CHECK(c.reissue(a, Consumer::request("A")).kind == Refusal::Kind::invalidHandle);
    c.settle();
    // A reissue that crossed the end may have opened it again over there: that one is answered.
    CHECK(c.provider.wire == (solicited ? Strings{"CLOSE 3 d6 0x0"} : Strings{}));
}

TEST_CASE("The request time-out", "[reactor][consumer][items]") {
    SECTION("without recovery: close, ClosedRecover with code timeout, the end") {
        Unrecovered c(true);
        c.ready();
        const Handle a = c.open("A");
        c.expectRequest("A");
        c.settle();
        c.takeWire();
        c.clock.advance(c.options.requestTimeout);
        c.expectEvent("A STAT ClosedRecover/Suspect/2");
        CHECK(c.reissue(a, Consumer::request("A")).kind == Refusal::Kind::invalidHandle);
        c.settle();
        CHECK(c.provider.wire == Strings{"CLOSE 3 d6 0x0"});
    }
    SECTION("starts anew with every part") {
        Consumer c;
        c.ready();
        c.open("A");
        c.expectRequest("A");
        const auto most = c.options.requestTimeout - std::chrono::milliseconds(1);
        for (std::size_t part = 1; part <= 3; ++part) {
            c.clock.advance(most);
            c.settle();
            c.provider.send(RawProvider::refresh(3, codec::StreamState::open, true, false));
            c.until([&] { return c.count("A RFSH Open/Ok/0") == part; });
        }
        CHECK(c.count("A STAT Open/Suspect/2") == 0);
        c.clock.advance(c.options.requestTimeout);
        c.expectEvent("A STAT Open/Suspect/2");
        CHECK(c.expectRequest("A").streamId == 4);
    }
    SECTION("is over with the last part") {
        Consumer c;
        c.ready();
        c.openAnswered("A");
        c.clock.advance(c.options.requestTimeout * 2);
        c.settle();
        CHECK(c.takeEvents() == Strings{"A RFSH Open/Ok/0"});
    }
    SECTION("0: none") {
        Consumer c;
        c.options.requestTimeout = std::chrono::milliseconds(0);
        c.ready();
        c.open("A");
        c.expectRequest("A");
        c.clock.advance(std::chrono::hours(1));
        c.settle();
        CHECK(c.takeEvents().empty());
    }
}

TEST_CASE("Windows of all sizes", "[reactor][consumer][directory]") {
    SECTION("0 blocks until it is enlarged, in order") {
        Windowed c(0);
        c.ready();
        for (const char* name : {"A", "B", "C"})
            c.open(name);
        CHECK(c.requests() == 0);
        sendWindow(c.provider, 1, 2);
        c.expectRequest("A");
        c.expectRequest("B");
        CHECK(c.requests() == 0);
        sendWindow(c.provider, 1, 3);
        c.expectRequest("C");
        CHECK(c.events.empty());
    }
    SECTION("that nobody obeys") {
        Windowed c(0);
        c.options.obeyOpenWindow = false;
        c.ready();
        c.open("A");
        c.open("B");
        c.expectRequest("A");
        c.expectRequest("B");
        sendWindow(c.provider, 1, 0);
        c.open("C");
        c.expectRequest("C");
    }
    SECTION("a larger one lets more out") {
        Windowed c(1);
        c.ready();
        for (const char* name : {"A", "B", "C"})
            c.open(name);
        CHECK(c.requests() == 1);
        sendWindow(c.provider, 1, 2);
        c.expectRequest("B");
        CHECK(c.requests() == 1);  // A's
    }
    SECTION("a time-out makes room") {
        Windowed c(1);
        c.ready();
        c.open("A");
        c.open("B");
        c.expectRequest("A");
        CHECK(c.requests() == 0);
        c.clock.advance(c.options.requestTimeout);
        c.expectEvent("A STAT Open/Suspect/2");
        c.expectRequest("B");
        c.settle();
        CHECK(c.provider.wire.back() == "REQ 4 d6 0x44 B");  // it is A that waits now
    }
}

TEST_CASE("What waits in the window goes out only if the service still takes it", "[reactor][consumer][directory]") {
    SECTION("recoverable: waits for the service, and says so") {
        Windowed c(1);
        c.ready();
        c.open("A");
        const auto a = c.expectRequest("A").streamId;
        c.open("B");
        c.open("C");
        c.provider.sendServiceState(1, true, false);
        c.provider.send(RawProvider::refresh(a));
        c.expectEvent("C STAT Open/Suspect/0");
        CHECK(c.requests() == 0);
        CHECK(c.takeEvents() == Strings{"A RFSH Open/Ok/0", "B STAT Open/Suspect/0", "C STAT Open/Suspect/0"});
        c.provider.sendServiceState(1, true, true);
        c.provider.send(RawProvider::refresh(c.expectRequest("B").streamId));
        c.provider.send(RawProvider::refresh(c.expectRequest("C").streamId));
        c.expectEvent("C RFSH Open/Ok/0");
        CHECK(c.takeEvents() == Strings{"B RFSH Open/Ok/0", "C RFSH Open/Ok/0"});
    }
    SECTION("private, or without recovery: the end") {
        Unrecovered c(true);
        c.provider.services[0].filters |= reactor::rdm::DirectoryFilter::load;
        c.provider.services[0].load.openWindow = 1;
        c.ready();
        c.open("A");
        const auto a = c.expectRequest("A").streamId;
        c.open("B");
        const Handle shared = c.open("B2", Consumer::request("B"));
        c.provider.sendServiceState(1, true, false);
        c.provider.send(RawProvider::refresh(a));
        c.expectEvent("B2 STAT ClosedRecover/Suspect/0");
        CHECK(c.takeEvents() ==
              Strings{"A RFSH Open/Ok/0", "B STAT ClosedRecover/Suspect/0", "B2 STAT ClosedRecover/Suspect/0"});
        CHECK(c.reissue(shared, Consumer::request("B")).kind == Refusal::Kind::invalidHandle);
        c.provider.sendServiceState(1, true, true);
        c.settle();
        CHECK(c.provider.inbox.empty());
    }
    SECTION("with the QoS that the service has now") {
        Windowed c(1);
        c.provider.services[0].info.qos = {codec::kRealtimeTickByTick};
        c.ready();
        c.open("A");
        c.expectRequest("A");
        c.open("B");
        auto delayed = c.provider.services[0];
        delayed.info.qos = {{2, 3, false, 0, 65535}};
        c.provider.sendServiceAdd(delayed);
        c.provider.send(RawProvider::refresh(3));
        CHECK(c.expectRequest("B").qos.timeliness == 2);
    }
}
