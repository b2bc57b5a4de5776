// Warm standby by service (session.md section 6): each service has its own active server.
#include "standby_pair.h"
#include "support/AllocationCounter.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

TEST_CASE("A service-based group: each service has its own active server", "[reactor][consumer][standby]") {
    StandbyPair c;
    for (RawProvider* p : {&c.provider, &c.second})
        p->services.push_back(RawProvider::service(2, "OTHER"));
    c.options.channels[0].serviceBased = c.options.channels[1].serviceBased = true;
    c.options.channels[1].activeServices = {"OTHER"};
    c.options.preferredHost.enabled = c.options.preferredHost.withinGroup = true;
    // "1:active 2:standby", from the last message that says so.
    const auto modes = [](RawProvider& p) {
        std::string text;
        for (const auto& got : p.inbox) {
            if (got.msg.cls != codec::MsgClass::Generic || eta::asText(got.msg.key.name) != "ConsumerStatus") continue;
            text.clear();
            codec::MapDecoder map;
            codec::MapEntry entry;
            REQUIRE(map.start(got.msg.payload).ok());
            while (map.next(entry)) {
                codec::ElementListDecoder list;
                codec::ElementEntry e;
                std::uint64_t id = 0, mode = 7;
                REQUIRE(codec::decodeUInt(entry.key, id) == codec::Decoded::value);
                REQUIRE((list.start(entry.data).ok() && list.next(e)));
                REQUIRE(codec::decodeUInt(e.data, mode) == codec::Decoded::value);
                text += (text.empty() ? "" : " ") + std::to_string(id) + (mode == 0 ? ":active" : ":standby");
            }
        }
        return text;
    };
    c.ready();
    c.until([&] { return modes(c.provider) == "1:active 2:standby"; });
    c.until([&] { return modes(c.second) == "1:standby 2:active"; });

    c.open("A");
    c.open("B", Consumer::request("B"), "OTHER");
    c.expectRequest("A");
    c.expectRequest("B");
    CHECK(c.onSecond("A") == 3);
    CHECK(c.onSecond("B") == 4);
    for (RawProvider* p : {&c.provider, &c.second})
        for (const std::int32_t id : {3, 4})
            p->send(RawProvider::refresh(id));
    c.expectEvent("A RFSH Open/Ok/0");
    c.expectEvent("B RFSH Open/Ok/0");
    c.settle();
    for (const std::int32_t id : {3, 4})
        c.second.send(RawProvider::update(id));
    c.expectEvent("B UPD");
    c.provider.send(RawProvider::update(4));
    c.settle();
    CHECK(c.takeEvents() == Strings{"A RFSH Open/Ok/0", "B RFSH Open/Ok/0", "B UPD"});

    SECTION("an item that its service's active server ends is closed at the other one") {
        c.second.send(RawProvider::status(4, codec::StreamState::closed, codec::DataState::suspect, 1));
        c.expectEvent("B STAT Closed/Suspect/1");
        c.until([&] { return c.provider.wire.back() == "CLOSE 4 d6 0x0"; });
        c.open("C", Consumer::request("C"), "OTHER");
        CHECK(c.onSecond("C") == 5);
        c.provider.send(RawProvider::status(5, codec::StreamState::closed, codec::DataState::suspect, 1));
        c.settle();
        c.second.send(RawProvider::status(5, codec::StreamState::closed, codec::DataState::suspect, 1));
        c.expectEvent("C STAT Closed/Suspect/1");
        c.settle();
        CHECK(c.provider.wire.back() == "REQ 5 d6 0x44 C");
    }
    SECTION("messages of the application go to the service's active server") {
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.flags = codec::PostFlag::complete;
        Handle b = 0;
        for (const auto& [h, name] : c.names)
            if (name == "B") b = h;
        CHECK_FALSE(c.post(b, post));
        c.until([&] { return c.second.wire.back().starts_with("POST 4"); });
    }
    SECTION("posts of the server that is lost get their naks, those of the other one their acks") {
        Handle a = 0, b = 0;
        for (const auto& [h, name] : c.names) {
            if (name == "A") a = h;
            if (name == "B") b = h;
        }
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.flags = codec::PostFlag::complete | codec::PostFlag::ack | codec::PostFlag::postId;
        post.postId = 1;
        CHECK_FALSE(c.post(a, post));
        CHECK_FALSE(c.post(b, post));
        c.until([&] { return c.second.wire.back().starts_with("POST 4"); });
        codec::Msg ack;
        ack.cls = codec::MsgClass::Ack;
        ack.ackId = 1;
        SECTION("when the other one is lost") {
            c.second.die();
            c.expectEvent("B ACK 1 nak 3");
            ack.streamId = 3;
            c.provider.send(ack);
            c.expectEvent("A ACK 1");
            CHECK(c.count("A ACK 1 nak 3") == 0);
        }
        SECTION("when the active one is lost") {
            c.provider.die();
            c.expectEvent("A ACK 1 nak 3");
            ack.streamId = 4;
            c.second.send(ack);
            c.expectEvent("B ACK 1");
            CHECK(c.count("B ACK 1 nak 3") == 0);
        }
    }
    SECTION("the other server is lost: the active one stands in, with a new image") {
        c.second.die();
        c.until([&] { return modes(c.provider) == "1:active 2:active"; });
        CHECK(c.expectRequest("B").streamId == 4);
        c.provider.send(RawProvider::refresh(4));
        c.provider.send(RawProvider::update(4));
        c.expectEvent("B UPD");
        CHECK(c.takeEvents() == Strings{"B RFSH Open/Ok/0", "B UPD"});
    }
    const auto takeRequest = [](RawProvider& p, std::string_view name) {
        for (auto it = p.inbox.begin(); it != p.inbox.end(); ++it) {
            if (it->msg.cls != codec::MsgClass::Request || it->name() != name) continue;
            const std::int32_t id = it->msg.streamId;
            p.inbox.erase(it);
            return id;
        }
        return 0;
    };
    const codec::State suspect{codec::StreamState::open, codec::DataState::suspect, 0, {}};
    // With the status that servers send with it: it must not reach items that another server serves by then.
    const auto sayDown = [&](RawProvider& p, std::uint16_t id) {
        p.sendServiceUpdate(id, [&](codec::FilterListEncoder& list) {
            reactor::GrowingBuffer elements, state;
            codec::encodeState(state.start(), suspect);
            codec::ElementListEncoder e;
            e.begin(elements.start());
            e.addUInt("ServiceState", 0);
            e.add("Status", codec::DataType::State, state.view());
            REQUIRE(e.complete().ok());
            list.add(codec::FilterAction::update, 2, codec::DataType::ElementList, elements.view());
        });
    };
    SECTION("its service goes down at the active server: the other one goes on with the items") {
        sayDown(c.provider, 1);
        c.until([&] { return modes(c.second) == "1:active 2:active"; });
        c.until([&] { return modes(c.provider) == "1:standby 2:standby"; });
        CHECK(c.onSecond("A") == 3);
        c.second.send(RawProvider::refresh(3));
        c.second.send(RawProvider::update(3));
        c.expectEvent("A UPD");
        CHECK(c.takeEvents() == Strings{"A RFSH Open/Ok/0", "A UPD"});

        // New items come from there, too; what the first one says of them does not count.
        c.open("NEW");
        CHECK(c.onSecond("NEW") == 5);
        c.provider.send(RawProvider::status(5, codec::StreamState::closed, codec::DataState::suspect, 1));
        c.settle();
        c.second.send(RawProvider::refresh(5));
        c.expectEvent("NEW RFSH Open/Ok/0");
        CHECK(c.takeEvents() == Strings{"NEW RFSH Open/Ok/0"});

        // It is up again: nothing moves, until the second one has it down.
        c.provider.sendServiceState(1, true, true);
        c.settle();
        c.settle();
        CHECK(modes(c.provider) == "1:standby 2:standby");
        CHECK(c.takeEvents().empty());
        c.provider.inbox.clear();
        sayDown(c.second, 1);
        c.until([&] { return modes(c.provider) == "1:active 2:standby"; });
        c.until([&] { return takeRequest(c.provider, "A") == 3; });
        c.provider.send(RawProvider::refresh(3));
        c.expectEvent("A RFSH Open/Ok/0");
    }
    SECTION("the active server deletes the service: the other one goes on; both: the items wait") {
        c.provider.sendServiceDelete(1);
        CHECK(c.onSecond("A") == 3);
        c.second.send(RawProvider::refresh(3));
        c.expectEvent("A RFSH Open/Ok/0");
        CHECK(c.takeEvents() == Strings{"A RFSH Open/Ok/0"});
        c.open("NEW");
        CHECK(c.onSecond("NEW") == 5);
        c.second.send(RawProvider::refresh(5));
        c.expectEvent("NEW RFSH Open/Ok/0");
        c.takeEvents();
        c.second.sendServiceDelete(1);
        c.until([&] { return c.events.size() == 2; });
        CHECK(c.takeEvents() == Strings{"A STAT Open/Suspect/0", "NEW STAT Open/Suspect/0"});
        c.provider.inbox.clear();
        c.provider.sendServiceAdd(RawProvider::service(1, "DIRECT_FEED"));
        c.until([&] { return takeRequest(c.provider, "A") != 0; });
        c.until([&] { return takeRequest(c.provider, "NEW") != 0; });
    }
    SECTION("the server that stands in is lost while the active one has not the service") {
        c.provider.sendServiceDelete(1);
        CHECK(c.onSecond("A") == 3);
        c.second.send(RawProvider::refresh(3));
        c.expectEvent("A RFSH Open/Ok/0");
        c.takeEvents();
        SECTION("and then the active one") {
            c.provider.die();
            c.until([&] { return c.role->channel().name == "Channel_2"; });
            c.second.send(RawProvider::update(3));
            c.expectEvent("A UPD");
            CHECK(c.count("A UPD") == 1);
        }
        SECTION("first") {
            c.second.die();
            c.expectEvent("A STAT Open/Suspect/0");
            c.provider.inbox.clear();
            c.provider.sendServiceAdd(RawProvider::service(1, "DIRECT_FEED"));
            c.until([&] { return takeRequest(c.provider, "A") != 0; });
        }
        SECTION("with everything") {
            c.second.die();
            c.provider.die();
            c.expectEvent("A STAT Open/Suspect/0");
            c.until([&] { return c.role->phase() != ConsumerRole::Phase::ready; });
            c.provider.revive();
            c.provider.inbox.clear();
            c.until([&] {
                c.clock.advance(100ms);
                return takeRequest(c.provider, "A") != 0;
            });
        }
    }
    SECTION("states of a service and its groups are those of the server whose data count") {
        const Bytes group = eta::asBytes(std::string_view("\0", 2));
        sayDown(c.provider, 2);
        c.provider.sendGroupStatus(2, group, suspect);
        c.second.sendGroupStatus(1, group, suspect);
        c.settle();
        c.settle();
        CHECK(c.takeEvents().empty());
        c.second.sendServiceUpdate(2, [&](codec::FilterListEncoder& list) {
            reactor::GrowingBuffer elements, state;
            codec::encodeState(state.start(), suspect);
            codec::ElementListEncoder e;
            e.begin(elements.start());
            e.addUInt("ServiceState", 1);
            e.add("Status", codec::DataType::State, state.view());
            REQUIRE(e.complete().ok());
            list.add(codec::FilterAction::update, 2, codec::DataType::ElementList, elements.view());
        });
        c.expectEvent("B STAT Open/Suspect/0");
        CHECK(c.takeEvents() == Strings{"B STAT Open/Suspect/0"});
    }
    SECTION("private streams are the active server's, also for services that another one is active for") {
        codec::Msg m = Consumer::request("P");
        m.flags |= codec::RequestFlag::privateStream;
        c.open("P", m, "OTHER");
        c.provider.send(RawProvider::refresh(c.expectRequest("P").streamId));
        c.expectEvent("P RFSH Open/Ok/0");
    }
    SECTION("an end of a stream that was never opened costs nothing, and is answered") {
        for (const std::int32_t id : {2147483647, 1'000'000}) {
            (void)largestAllocationOfThisThread();
            c.provider.send(RawProvider::status(id, codec::StreamState::closed, codec::DataState::suspect, 1));
            c.until([&] { return c.provider.wire.back() == "CLOSE " + std::to_string(id) + " d6 0x0"; });
            CHECK(largestAllocationOfThisThread() < 100'000);
        }
    }
    SECTION("back to the starting server, asked for in a callback of an item that it serves as a standby") {
        c.provider.die();
        c.until([&] { return modes(c.second) == "1:active 2:active"; });
        c.provider.inbox.clear();
        c.provider.revive();
        c.until([&] {
            c.clock.advance(50ms);
            return takeRequest(c.provider, "B") == 4;
        });
        sayDown(c.second, 2);
        c.until([&] { return modes(c.provider) == "1:standby 2:active"; });
        c.provider.send(RawProvider::refresh(4));
        c.provider.send(RawProvider::update(4));
        std::string inside;
        c.hook = [&](const codec::Msg& m, const Recipient&) {
            if (m.cls != codec::MsgClass::Update || !inside.empty()) return;
            CHECK_FALSE(c.role->fallBack());
            inside = c.role->channel().name;
        };
        c.until([&] { return !inside.empty(); });
        CHECK(inside == "Channel_2");  // from the loop, not from inside the callback
        c.until([&] { return c.role->channel().name == "Channel_1"; });
        c.hook = nullptr;
        c.until([&] { return modes(c.provider) == "1:active 2:active"; });
        c.takeEvents();
        c.provider.send(RawProvider::update(3));
        c.provider.send(RawProvider::update(4));
        c.until([&] { return c.events.size() == 2; });
        CHECK(c.takeEvents() == Strings{"A UPD", "B UPD"});
    }
    SECTION("the active server is lost: the other one is active for everything") {
        c.provider.die();
        c.until([&] { return modes(c.second) == "1:active 2:active"; });
        c.second.send(RawProvider::update(3));
        c.second.send(RawProvider::update(4));
        c.until([&] { return c.events.size() == 2; });
        CHECK(c.takeEvents() == Strings{"A UPD", "B UPD"});
    }
}
