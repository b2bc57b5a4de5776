// Warm standby (session.md section 6): several servers side by side, one of them active.
#include "standby_pair.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

TEST_CASE("The active server ends the login: the standby goes on", "[reactor][consumer][standby]") {
    StandbyPair c;
    c.provider.automatic.items = c.second.automatic.items = true;
    const std::uint8_t state = GENERATE(codec::StreamState::closed, codec::StreamState::closedRecover);
    c.bothReady();
    c.open("A");
    c.expectEvent("A RFSH Open/Ok/0");
    c.until([&] { return std::count(c.second.wire.begin(), c.second.wire.end(), "REQ 3 d6 0x44 A") == 1; });
    c.settle();
    c.takeEvents();
    c.provider.send(RawProvider::loginStatus(state, codec::DataState::suspect, 3, "Go away"));
    c.until([&] { return c.role->channel().name == "Channel_2"; });
    CHECK(c.role->phase() == ConsumerRole::Phase::ready);
    CHECK(c.role->lastReason().find("Go away") != std::string::npos);
    c.second.send(RawProvider::update(3));
    c.expectEvent("A UPD");
    CHECK(c.takeEvents() == Strings{"A UPD"});

    // With nobody left it is the end.
    c.provider.die();
    c.second.send(RawProvider::loginStatus(codec::StreamState::closed, codec::DataState::suspect, 3, "You too"));
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::closed; });
    CHECK(c.events.front() == "login STAT Closed/Suspect/3");
}

TEST_CASE("A warm standby", "[reactor][consumer][standby]") {
    StandbyPair c;
    c.bothReady();
    const Handle a = c.openAnswered("A");
    CHECK(c.onSecond("A") == 3);
    c.second.send(RawProvider::refresh(3));
    c.second.send(RawProvider::update(3));
    c.settle();
    c.provider.send(RawProvider::update(3));
    c.expectEvent("A UPD");
    CHECK(c.takeEvents() == Strings{"A RFSH Open/Ok/0", "A UPD"});  // only the active one is heard

    SECTION("takes over without a word; posts go to it") {
        c.killFirst();
        CHECK(c.role->phase() == ConsumerRole::Phase::ready);
        c.until([&] { return takeMode(c.second) == "active"; });
        c.second.send(RawProvider::update(3));
        c.expectEvent("A UPD");
        CHECK(c.takeEvents() == Strings{"A UPD"});
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.flags = codec::PostFlag::complete;
        CHECK_FALSE(c.post(a, post));
        c.until([&] { return c.second.wire.back().starts_with("POST 3"); });
        c.close(a);
        c.until([&] { return c.second.wire.back() == "CLOSE 3 d6 0x0"; });
    }
    SECTION("posts that the other one had not answered get their naks; answers of the new one find the new posts") {
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.flags = codec::PostFlag::complete | codec::PostFlag::ack | codec::PostFlag::postId;
        post.postId = 1;
        CHECK_FALSE(c.post(a, post));
        const Handle login = c.open("login", Consumer::request("user", 1), {});
        c.expectEvent("login RFSH Open/Ok/0");
        post.postId = 2;
        post.flags |= codec::PostFlag::msgKey;
        post.key.flags = codec::KeyFlag::name;
        post.key.name = eta::asBytes("POST.N");
        CHECK_FALSE(c.post(login, post, "DIRECT_FEED"));
        c.takeEvents();
        bool again = false;
        c.hook = [&](const codec::Msg& m, const Recipient& to) {
            if (m.cls != codec::MsgClass::Ack || to.handle != a || std::exchange(again, true)) return;
            CHECK(eta::asText(m.text) == "The server was lost before it answered the post.");
            codec::Msg retried;
            retried.cls = codec::MsgClass::Post;
            retried.flags = codec::PostFlag::complete | codec::PostFlag::ack | codec::PostFlag::postId;
            retried.postId = 1;
            CHECK_FALSE(c.post(a, retried));
        };
        c.killFirst();
        // Off-stream answers go to every login handle.
        CHECK(c.takeEvents() == Strings{"A ACK 1 nak 3", "login ACK 2 nak 3", "login ACK 2 nak 3"});
        c.until([&] { return c.second.wire.back().starts_with("POST 3"); });
        codec::Msg ack;
        ack.cls = codec::MsgClass::Ack;
        ack.streamId = 3;
        ack.ackId = 1;
        c.second.send(ack);
        c.expectEvent("A ACK 1");
        CHECK(c.takeEvents() == Strings{"A ACK 1"});
    }
    SECTION("an item that it has not: the post is answered before the item says so") {
        const Handle b = c.openAnswered("B");
        c.second.send(RawProvider::status(c.onSecond("B"), codec::StreamState::closed, codec::DataState::suspect, 1));
        c.settle();
        c.settle();
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.flags = codec::PostFlag::complete | codec::PostFlag::ack | codec::PostFlag::postId;
        post.postId = 1;
        CHECK_FALSE(c.post(b, post));
        c.takeEvents();
        c.killFirst();
        CHECK(c.takeEvents() == Strings{"B ACK 1 nak 11", "B STAT Open/Suspect/0"});
    }
    SECTION("is asked again for what the other one had not answered") {
        c.open("B");
        c.expectRequest("B");
        CHECK(c.onSecond("B") == 4);
        c.killFirst();
        CHECK(c.onSecond("B") == 4);
        c.second.send(RawProvider::refresh(4));
        c.expectEvent("B RFSH Open/Ok/0");
        CHECK(c.takeEvents() == Strings{"B RFSH Open/Ok/0"});
    }
    SECTION("an item that it refused starts again") {
        c.openAnswered("B");
        c.second.send(RawProvider::status(c.onSecond("B"), codec::StreamState::closed, codec::DataState::suspect, 1));
        c.settle();
        c.settle();
        c.takeEvents();
        c.killFirst();
        CHECK(c.onSecond("B") == 5);
        CHECK(c.takeEvents() == Strings{"B STAT Open/Suspect/0"});
    }
    SECTION("a service that it does not have is lost") {
        c.second.sendServiceDelete(1);
        c.settle();
        c.settle();
        c.killFirst();
        c.expectEvent("A STAT Open/Suspect/0");
        c.second.sendServiceAdd(RawProvider::service(1, "DIRECT_FEED"));
        c.onSecond("A");
    }
    SECTION("the first one comes back as the standby, and takes over in turn") {
        c.killFirst();
        c.provider.revive();
        c.provider.wire.clear();
        c.provider.inbox.clear();
        c.until([&] {
            c.clock.advance(100ms);
            return takeMode(c.provider) == "standby";
        });
        const codec::Msg replayed = c.expectRequest("A");
        CHECK(replayed.streamId == 3);
        CHECK(replayed.flags == 0x44);
        c.second.die();
        c.until([&] { return c.role->channel().name == "Channel_1"; });
        c.provider.send(RawProvider::update(3));
        c.expectEvent("A UPD");
        CHECK(c.takeEvents() == Strings{"A UPD"});
    }
    SECTION("lets go of what the active one ended") {
        c.provider.send(RawProvider::status(3, codec::StreamState::closed, codec::DataState::suspect, 1));
        c.expectEvent("A STAT Closed/Suspect/1");
        c.until([&] { return c.second.wire.back() == "CLOSE 3 d6 0x0"; });
        c.openAnswered("B");
        c.provider.send(RawProvider::status(4, codec::StreamState::closedRecover, codec::DataState::suspect));
        CHECK(c.onSecond("B") == 4);
        CHECK(c.onSecond("B") == 5);
        CHECK(std::count(c.second.wire.begin(), c.second.wire.end(), "CLOSE 4 d6 0x0") == 1);
        CHECK(std::count(c.provider.wire.begin(), c.provider.wire.end(), "CLOSE 4 d6 0x0") == 0);
    }
    SECTION("hears of the login's pause and resume, also when it comes later") {
        const Handle login = c.open("login", Consumer::request("user", 1), {});
        codec::Msg m = Consumer::request("user", 1);
        m.flags |= codec::RequestFlag::pause | codec::RequestFlag::noRefresh;
        CHECK_FALSE(c.reissue(login, m));
        c.until([&] { return c.second.wire.back() == "REQ 1 d1 0x224 user"; });
        c.second.disconnect();
        c.until([&] {
            c.clock.advance(100ms);
            return takeMode(c.second) == "standby";
        });
        CHECK(c.onSecond("A") == 3);
        const Strings wire = c.second.wire;
        CHECK(std::find(wire.begin(), wire.end(), "REQ 1 d1 0x204 user") != wire.end());
        CHECK(wire.back() == "REQ 3 d6 0x244 A");
        m.flags = codec::RequestFlag::streaming | codec::RequestFlag::noRefresh;
        CHECK_FALSE(c.reissue(login, m));
        c.until([&] { return c.second.wire.back() == "REQ 1 d1 0x24 user"; });
    }
    SECTION("without a standby that is ready the loss is an ordinary one") {
        c.second.die();
        c.until([&] { return !c.warnings.empty(); });
        c.provider.die();
        c.expectEvent("A STAT Open/Suspect/0");
        c.second.revive();
        c.until([&] {
            c.clock.advance(100ms);
            return c.role->phase() == ConsumerRole::Phase::ready;
        });
        CHECK(c.role->channel().name == "Channel_2");
        c.onSecond("A");
    }
}

TEST_CASE("A standby that becomes ready while requests go out is asked for all of them",
          "[reactor][consumer][standby]") {
    StandbyPair c;
    const auto asked = [&] {
        Strings names;
        for (const auto& got : c.second.inbox)
            if (got.msg.cls == codec::MsgClass::Request && got.msg.domain == 6)
                names.push_back(got.name() + (got.msg.has(codec::RequestFlag::noRefresh) ? " no refresh" : ""));
        std::sort(names.begin(), names.end());
        return names;
    };

    SECTION("answered, unanswered, waiting in the open window, and those that follow") {
        auto& service = c.provider.services.front();
        service.filters |= reactor::rdm::DirectoryFilter::load;
        service.load.openWindow = 2;
        c.second.automatic.directory = false;
        c.ready();
        c.openAnswered("ANSWERED");
        c.open("U1");
        c.open("U2");
        c.open("QUEUED");
        c.expectRequest("U1");
        const std::int32_t second = c.expectRequest("U2").streamId;
        c.until([&] { return !c.second.wire.empty() && c.second.wire.back() == "REQ 2 d4 0x4"; });
        c.second.sendDirectoryRefresh();
        c.until([&] { return asked() == Strings{"ANSWERED", "U1", "U2"}; });
        c.provider.send(RawProvider::refresh(second));
        c.until([&] { return asked() == Strings{"ANSWERED", "QUEUED", "U1", "U2"}; });
        c.open("LATE");
        c.provider.send(RawProvider::refresh(c.expectRequest("QUEUED").streamId));
        c.until([&] { return asked() == Strings{"ANSWERED", "LATE", "QUEUED", "U1", "U2"}; });
        for (const std::int32_t id : {3, 4, 5, 6, 7})
            c.second.send(RawProvider::refresh(id));
        c.settle();
        c.takeEvents();
        c.second.inbox.clear();
        c.killFirst();
        c.until([&] { return asked() == Strings{"LATE", "U1"}; });  // what nobody has answered yet
        CHECK(c.takeEvents().empty());
    }
    SECTION("its service comes after its first directory") {
        c.second.services.clear();
        c.ready();
        c.openAnswered("A");
        c.open("B");
        c.expectRequest("B");
        c.until([&] { return takeMode(c.second) == "standby"; });
        c.settle();
        CHECK(asked().empty());
        c.second.sendServiceAdd(RawProvider::service(1, "DIRECT_FEED"));
        c.until([&] { return asked() == Strings{"A", "B"}; });
        c.second.send(RawProvider::refresh(3));
        c.settle();
        c.takeEvents();
        c.second.inbox.clear();
        c.killFirst();
        c.until([&] { return asked() == Strings{"B"}; });
        CHECK(c.takeEvents().empty());
    }
    SECTION("its service goes and comes back") {
        c.bothReady();
        c.openAnswered("A");
        CHECK(c.onSecond("A") == 3);
        c.second.sendServiceDelete(1);
        c.settle();
        c.settle();
        c.openAnswered("B");
        c.second.sendServiceAdd(RawProvider::service(1, "DIRECT_FEED"));
        c.until([&] { return asked() == Strings{"A", "B"}; });
    }
    SECTION("a change of a request that it does not have is the whole request") {
        c.bothReady();
        const Handle a = c.openAnswered("A");
        CHECK(c.onSecond("A") == 3);
        c.second.send(RawProvider::status(3, codec::StreamState::closed, codec::DataState::suspect, 1));
        c.settle();
        c.settle();
        codec::Msg change = Consumer::request("A");
        change.flags |= codec::RequestFlag::noRefresh | codec::RequestFlag::priority;
        change.priorityClass = 3;
        CHECK_FALSE(c.reissue(a, change));
        c.until([&] { return asked() == Strings{"A"}; });
        c.second.inbox.clear();
        change.priorityClass = 4;
        CHECK_FALSE(c.reissue(a, change));
        c.until([&] { return asked() == Strings{"A no refresh"}; });
    }
    SECTION("it numbers the service otherwise: asked under its number, and the items start again with it") {
        c.second.services = {RawProvider::service(1, "OTHER"), RawProvider::service(7, "DIRECT_FEED")};
        c.bothReady();
        c.openAnswered("A");
        c.until([&] { return asked() == Strings{"A"}; });
        CHECK(c.second.inbox.back().msg.key.serviceId == 7);
        c.second.send(RawProvider::refresh(3));
        c.settle();
        c.takeEvents();
        c.killFirst();
        CHECK(c.onSecond("A") == 3);
        CHECK(c.onSecond("A") == 4);
        CHECK(std::count(c.second.wire.begin(), c.second.wire.end(), "CLOSE 3 d6 0x0") == 1);
        c.second.send(RawProvider::refresh(4));
        c.expectEvent("A RFSH Open/Ok/0");
        CHECK(c.takeEvents() == Strings{"A STAT Open/Suspect/0", "A RFSH Open/Ok/0"});
    }
    SECTION("private streams belong to one server") {
        c.bothReady();
        codec::Msg m = Consumer::request("P");
        m.flags |= codec::RequestFlag::privateStream;
        c.open("P", m);
        c.provider.send(RawProvider::refresh(c.expectRequest("P").streamId));
        c.openAnswered("A");
        CHECK(c.onSecond("A") == 4);
        c.takeEvents();
        c.killFirst();
        c.expectEvent("P STAT ClosedRecover/Suspect/0");
        CHECK(c.takeEvents() == Strings{"P STAT ClosedRecover/Suspect/0"});
        for (const auto& line : c.second.wire)
            CHECK_FALSE(line.ends_with(" P"));
    }
}

TEST_CASE("A server that cannot be a standby is left alone", "[reactor][consumer][standby]") {
    StandbyPair c;
    c.second.standbyModes = 2;  // service based only
    c.ready();
    c.until([&] { return !c.warnings.empty(); });
    CHECK(c.warnings.front().find("Channel_2") != std::string::npos);
    c.openAnswered("A");
    for (const auto& line : c.second.wire)
        CHECK(line.find(" A") == std::string::npos);
    c.provider.die();
    c.expectEvent("A STAT Open/Suspect/0");
}

TEST_CASE("A standby that does not answer the login is asked again", "[reactor][consumer][standby]") {
    StandbyPair c;
    c.second.automatic.login = false;
    c.ready();
    c.until([&] { return c.second.connections == 1 && !c.second.wire.empty(); });
    c.clock.advance(c.options.requestTimeout);
    c.until([&] { return !c.warnings.empty(); });
    CHECK(c.warnings.front().find("Channel_2") != std::string::npos);
    c.second.automatic.login = true;
    c.until([&] {
        c.clock.advance(100ms);
        return takeMode(c.second) == "standby";
    });
    CHECK(c.second.connections == 2);
    c.clock.advance(c.options.requestTimeout);  // answered in time: no more of it
    c.settle();
    CHECK(c.warnings.size() == 1);
    c.killFirst();
    CHECK(c.role->phase() == ConsumerRole::Phase::ready);
}

TEST_CASE("A standby that is still logging in when the active server dies goes on as the active one",
          "[reactor][consumer][standby]") {
    StandbyPair c;
    c.second.automatic.login = false;
    c.ready();
    c.openAnswered("A");
    c.until([&] { return c.second.connections == 1 && !c.second.wire.empty(); });
    SECTION("its connection stays, and items come from it") {
        c.provider.die();
        c.until([&] { return c.second.wire.size() == 2; });
        CHECK(c.second.wire[1] == c.second.wire[0]);  // the session's own login
        CHECK(c.role->channel().name == "Channel_2");
        c.expectEvent("A STAT Open/Suspect/0");
        c.second.send(c.second.loginRefresh());
        c.until([&] { return c.role->phase() == ConsumerRole::Phase::ready; });
        const auto id = c.onSecond("A");
        c.second.send(RawProvider::refresh(id));
        c.expectEvent("A RFSH Open/Ok/0");
        c.until([&] { return takeMode(c.second) == "active"; });
        CHECK(c.second.connections == 1);
    }
    SECTION("dies too: the channels are tried as ever") {
        c.provider.die();
        c.until([&] { return c.second.wire.size() == 2; });
        c.second.die();
        c.provider.revive();
        c.until([&] {
            c.clock.advance(100ms);
            return c.role->phase() == ConsumerRole::Phase::ready;
        });
    }
    SECTION("the session is shut down meanwhile") {
        c.provider.die();
        c.role->shutdown();
        c.settle();
        CHECK(c.role->phase() == ConsumerRole::Phase::closed);
    }
}

TEST_CASE("A standby that answers no directory request is connected to again", "[reactor][consumer][standby]") {
    StandbyPair c;
    c.options.directory.timeout = std::chrono::seconds(20);
    c.second.automatic.directory = false;
    c.ready();
    c.until([&] { return !c.second.wire.empty() && c.second.wire.back() == "REQ 2 d4 0x4"; });
    c.second.automatic.directory = true;
    if (GENERATE(false, true)) {  // its answer has come, and nobody has dispatched for longer than the limit
        c.second.sendDirectoryRefresh();
        c.clock.advance(std::chrono::seconds(60));
        c.settle();
        c.openAnswered("A");
        CHECK(c.onSecond("A") == 3);
        CHECK(c.second.connections == 1);
        CHECK(c.warnings.empty());
        return;
    }
    c.clock.advance(std::chrono::seconds(20));
    c.later([&] { return c.second.connections == 2; });
    const auto late = std::find_if(c.warnings.begin(), c.warnings.end(), [](const std::string& w) {
        return w.find("the directory request was not answered in time") != std::string::npos;
    });
    CHECK(late != c.warnings.end());
    c.openAnswered("A");
    CHECK(c.onSecond("A") == 3);
}
