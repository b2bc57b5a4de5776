// Other channels, limits and delays of reconnecting, recovery of many items, login attributes.
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

TEST_CASE("A list of channels", "[reactor][consumer][recovery]") {
    Consumer c;
    RawProvider second;
    c.others.push_back(&second);
    c.options.channels.push_back({{"Channel_2", Consumer::connectOptions(second.port())}});
    c.ready();
    CHECK(c.role->channel().name == "Channel_1");
    c.open("login", Consumer::request("user", 1), {});
    c.openAnswered("A");
    c.takeEvents();

    c.provider.die();
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::backingOff; });
    c.clock.advance(1500ms);
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::ready; });
    CHECK(c.role->channel().name == "Channel_2");
    c.until([&] { return !second.inbox.empty(); });
    CHECK(second.inbox.front().name() == "A");
    second.send(RawProvider::refresh(second.inbox.front().msg.streamId));
    c.expectEvent("A RFSH Open/Ok/0");
    CHECK(c.takeEvents() == Strings{"login STAT Open/Suspect/0", "A STAT Open/Suspect/0", "login STAT Open/Suspect/0",
                                    "login STAT Open/Ok/0", "login RFSH Open/Ok/0", "A RFSH Open/Ok/0"});

    // A login that is closed recoverably moves on to the next entry too: round and round.
    c.provider.revive();
    auto bye = RawProvider::status(1, codec::StreamState::closedRecover, codec::DataState::suspect);
    bye.domain = 1;
    second.send(bye);
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::backingOff; });
    c.clock.advance(1500ms);
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::ready; });
    CHECK(c.role->channel().name == "Channel_1");
    c.expectRequest("A");
}

TEST_CASE("How often and how fast a channel is tried again", "[reactor][consumer][recovery]") {
    Consumer c;
    SECTION("the wait doubles, is never shorter than the least, and starts anew after a login") {
        c.options.reconnect.minDelay = 200ms;
        c.options.reconnect.maxDelay = 800ms;
        c.ready();
        c.provider.die();
        for (const auto full : {200ms, 400ms, 800ms, 800ms}) {
            c.until([&] { return c.role->phase() == ConsumerRole::Phase::backingOff; });
            const auto before = c.role->counters().connects;
            c.clock.advance(std::max(200ms, full / 2) - 1ms);
            for (int i = 0; i < 3; ++i)
                c.turn();
            CHECK(c.role->counters().connects == before);
            c.clock.advance(full - std::max(200ms, full / 2) + 101ms);
            c.until([&] { return c.role->counters().connects == before + 1; });
        }
        c.until([&] { return c.role->phase() == ConsumerRole::Phase::backingOff; });
        c.provider.revive();
        c.clock.advance(800ms);
        c.until([&] { return c.role->phase() == ConsumerRole::Phase::ready; });
        c.provider.disconnect();
        c.until([&] { return c.role->phase() == ConsumerRole::Phase::backingOff; });
        c.clock.advance(300ms);
        c.until([&] { return c.role->phase() == ConsumerRole::Phase::ready; });
    }
    SECTION("attempts are limited; then the login clients hear that it is over") {
        c.options.reconnect.attemptLimit = 2;
        c.ready();
        c.open("login", Consumer::request("user", 1), {});
        c.openAnswered("A");
        c.takeEvents();
        c.provider.die();
        c.until([&] {
            c.clock.advance(500ms);
            return c.role->phase() == ConsumerRole::Phase::closed;
        });
        CHECK(c.role->counters().connects == 3);
        CHECK(c.takeEvents() == Strings{"login STAT Open/Suspect/0", "A STAT Open/Suspect/0",
                                        "login STAT Open/Suspect/0", "login STAT Closed/Suspect/0"});
    }
}

TEST_CASE("Many items come back", "[reactor][consumer][recovery]") {
    constexpr int kItems = 7000;  // several rounds
    Consumer c;
    c.options.channels[0].connect.guaranteedOutputBuffers = 2;  // output is behind soon
    c.ready();
    c.provider.sendServiceState(1, false, true);
    c.until([&] { return !c.role->directory().services().front()->state.up; });
    for (int i = 0; i < kItems; ++i)
        c.open("I" + std::to_string(i));
    c.until([&] { return c.events.size() == kItems; });
    c.takeWire();
    c.provider.sendServiceState(1, true, true);

    SECTION("all, in their order") {
        c.until([&] {
            c.clock.advance(1ms);
            return c.provider.wire.size() == kItems;
        });
        CHECK(c.provider.wire.front() == "REQ 3 d6 0x44 I0");
        CHECK(c.provider.wire[3000] == "REQ 3003 d6 0x44 I3000");
        CHECK(c.provider.wire.back() == "REQ 7002 d6 0x44 I6999");
    }
    SECTION("the service goes again in the middle: the rest stays") {
        c.provider.sendServiceDelete(1);
        c.until([&] { return c.role->directory().empty(); });
        c.takeEvents();
        c.settle();
        c.clock.advance(10ms);
        c.settle();
        const std::size_t asked = c.provider.wire.size();
        CHECK(asked < kItems);
        CHECK(c.events.empty());
        c.takeWire();
        c.provider.sendServiceAdd(RawProvider::service(1, "DIRECT_FEED"));
        c.until([&] {
            c.clock.advance(1ms);
            return c.provider.wire.size() == kItems;
        });
    }
}

TEST_CASE("A login reissue", "[reactor][consumer][login]") {
    Consumer c;
    c.ready();
    const Handle login = c.open("login", Consumer::request("user", 1), {});
    c.expectEvent("login RFSH Open/Ok/0");
    c.openAnswered("A");
    c.settle();
    c.takeWire();
    const auto reissue = [&](std::uint16_t flags, std::string_view name = "user", const char* application = nullptr) {
        reactor::GrowingBuffer b;
        codec::Msg m = Consumer::request(name, 1);
        m.flags |= flags;
        if (application != nullptr) {
            reactor::rdm::LoginAttributes a;
            a.applicationId = application;
            REQUIRE(reactor::rdm::encodeLogin(b.start(), a).ok());
            m.key.flags |= codec::KeyFlag::attrib;
            m.key.attribType = codec::DataType::ElementList;
            m.key.attrib = b.view();
        }
        return c.reissue(login, m);
    };

    SECTION("pauses and resumes everything, said once") {
        CHECK_FALSE(reissue(codec::RequestFlag::pause | codec::RequestFlag::noRefresh));
        CHECK_FALSE(reissue(codec::RequestFlag::noRefresh, "user", "256"));
        c.settle();
        CHECK(c.provider.wire == Strings{"REQ 1 d1 0x224 user", "REQ 1 d1 0x24 user"});
    }
    SECTION("may not change who or what was logged in") {
        CHECK(reissue(0, "other").kind == Refusal::Kind::invalidData);
        CHECK(reissue(0, "user", "257").kind == Refusal::Kind::invalidData);
        c.settle();
        CHECK(c.provider.wire.empty());
    }
}

TEST_CASE("A directory client of an unknown service where the provider does not recover", "[reactor][consumer]") {
    Consumer c;
    c.provider.singleOpen = false;
    c.ready();
    const Handle h = c.open("dir", Consumer::request({}, 4), "NO_SUCH");
    c.expectEvent("dir STAT Closed/Suspect/15");
    CHECK(c.reissue(h, Consumer::request({}, 4)).kind == Refusal::Kind::invalidHandle);
}
