// Which session serves what, and what the application sees of several of them.
#include "reactor/consumer/payloads.h"
#include "reactor/routing/fixture.h"

#include <algorithm>

using namespace emissary::test;
using emissary::reactor::rdm::Service;
using Lines = std::vector<std::string>;
namespace codec = emissary::eta::codec;

namespace {

void answering(Routed& c) {
    for (const auto& p : c.providers)
        p->automatic.items = true;
}

}  // namespace

TEST_CASE("routing: services that agree are one, with ids of their own", "[reactor][routing]") {
    Routed c(2);
    c.at(0).services = {RawProvider::service(1, "FEED"), RawProvider::service(2, "ONLY_0")};
    c.at(1).services = {RawProvider::service(7, "FEED"), RawProvider::service(2, "ONLY_1")};
    // The order in which capabilities are given means nothing.
    c.at(1).services[0].info.capabilities = {10, 7, 6, 5};
    c.allReady();
    CHECK(c.services() == Lines{"1 FEED up", "2 ONLY_0 up", "3 ONLY_1 up"});
}

TEST_CASE("routing: services that differ stand beside each other", "[reactor][routing]") {
    const auto different = GENERATE(0, 1, 2, 3);
    Routed c(2);
    Service other = RawProvider::service(1, "FEED");
    if (different == 0) other.info.capabilities.push_back(8);
    if (different == 1) other.info.qos = {{.timeliness = 2, .rate = 1}};
    if (different == 2) other.info.dictionariesUsed = {{"RWFFld"}};
    if (different == 3) other.info.itemList = "LIST";
    c.at(0).services = {RawProvider::service(1, "FEED")};
    c.at(1).services = {other};
    answering(c);
    c.allReady();
    CHECK(c.services() == Lines{"1 FEED up", "2 FEED up"});

    // An id means one of them; a name whichever can.
    codec::Msg m = Consumer::request("BY_ID");
    m.key.flags |= codec::KeyFlag::serviceId;
    m.key.serviceId = 2;
    c.open("BY_ID", m, {});
    c.expectEvent("BY_ID RFSH Open/Ok/0");
    CHECK(c.lastServiceId == 2);
    CHECK(c.requested(1, "BY_ID") != 0);
    CHECK(c.requested(0, "BY_ID") == 0);
    if (different != 0) return;
    codec::Msg maker = Consumer::request("MAKER", 8);
    c.open("MAKER", maker, "FEED");
    c.expectRequest(1, "MAKER");
    CHECK(c.requested(0, "MAKER") == 0);
}

TEST_CASE("routing: a service keeps its id when its provider comes back", "[reactor][routing]") {
    Routed c(2);
    c.at(0).services = {RawProvider::service(1, "A")};
    c.at(1).services = {RawProvider::service(1, "B")};
    c.allReady();
    const Lines before = c.services();
    CHECK(before.size() == 2);
    c.at(1).disconnect();
    c.until([&] { return c.services().size() == 1; });
    c.later([&] { return c.services().size() == 2; });
    Lines after = c.services();
    std::sort(after.begin(), after.end());
    CHECK(after == before);
}

TEST_CASE("routing: requests by name, by id and by list", "[reactor][routing]") {
    Routed c(2);
    c.at(0).services = {RawProvider::service(1, "A"), RawProvider::service(2, "SHARED")};
    c.at(1).services = {RawProvider::service(1, "B"), RawProvider::service(5, "SHARED")};
    answering(c);
    c.allReady();
    c.open("IN_A", "A");
    c.expectEvent("IN_A RFSH Open/Ok/0");
    CHECK(c.requested(1, "IN_A") == 0);
    c.open("IN_B", "B");
    c.expectEvent("IN_B RFSH Open/Ok/0");
    CHECK(c.requested(0, "IN_B") == 0);
    CHECK(c.lastService == "B");
    CHECK(c.lastServiceId == 3);  // its own id is taken
    c.open("IN_SHARED", "SHARED");
    c.expectEvent("IN_SHARED RFSH Open/Ok/0");
    CHECK(c.requested(0, "IN_SHARED") != 0);

    c.openList("LISTED", {"NOT_THERE", "B", "A"});
    c.expectEvent("LISTED RFSH Open/Ok/0");
    CHECK(c.lastService == "B");

    c.open("NOWHERE", "NO_SUCH");
    c.expectEvent("NOWHERE STAT Open/Suspect/0");
    CHECK(c.texts.back() == "NOWHERE: Service not up yet.");
    codec::Msg m = Consumer::request("BAD_ID");
    m.key.flags |= codec::KeyFlag::serviceId;
    m.key.serviceId = 77;
    c.open("BAD_ID", m, {});
    c.expectEvent("BAD_ID STAT Open/Suspect/0");
    c.openList("BAD_LIST", {"X", "Y"});
    c.expectEvent("BAD_LIST STAT Open/Suspect/0");
    m.flags |= codec::RequestFlag::privateStream;
    c.open("PRIVATE", m, {});
    c.expectEvent("PRIVATE STAT Closed/Suspect/15");
    CHECK(c.texts.back() == "PRIVATE: Service id of '77' is not found.");
    c.open("NO_SERVICE", Consumer::request("NO_SERVICE"), {});
    c.expectEvent("NO_SERVICE STAT Closed/Suspect/15");
}

TEST_CASE("routing: the same item shares its wire stream; sharers leave one by one", "[reactor][routing]") {
    Routed c(2);
    c.allReady();
    const Handle a = c.open("X");
    c.expectRequest(0, "X");
    const std::int32_t id = c.requested(0, "X");
    c.at(0).send(RawProvider::refresh(id));
    c.expectEvent("X RFSH Open/Ok/0");
    const Handle b = c.open("Y", Consumer::request("X"));
    c.until([&] {
        return std::count_if(c.at(0).wire.begin(), c.at(0).wire.end(),
                             [](const std::string& l) { return l.ends_with(" X"); }) == 2;
    });
    CHECK(c.requested(0, "X") == id);
    c.at(0).send(RawProvider::refresh(id));
    c.expectEvent("Y RFSH Open/Ok/0");
    c.at(0).send(RawProvider::update(id));
    c.expectEvent("Y UPD");
    CHECK(c.count("X UPD") == 1);
    c.close(a);
    c.close(b);
    c.until([&] {
        return std::count(c.at(0).wire.begin(), c.at(0).wire.end(), "CLOSE " + std::to_string(id) + " d6 0x0") == 1;
    });
    CHECK(c.at(1).wire.size() == 2);  // login and directory, nothing else
}

TEST_CASE("routing: usable when the first session is ready; a service that may still come is waited for",
          "[reactor][routing]") {
    Routed c(2);
    c.at(1).services = {RawProvider::service(1, "LATE")};
    answering(c);
    c.at(1).automatic.directory = false;
    c.start();
    c.until([&] { return c.router->phase() == ConsumerRole::Phase::ready; });
    CHECK(c.ready(0));
    CHECK_FALSE(c.ready(1));
    c.open("NOW");
    c.expectEvent("NOW RFSH Open/Ok/0");
    c.open("SOON", "LATE");
    c.open("NEVER", "NO_SUCH");
    c.expectEvent("SOON STAT Open/Suspect/0");
    c.expectEvent("NEVER STAT Open/Suspect/0");
    c.until([&] {  // the second session may still be logging in
        return std::any_of(c.at(1).inbox.begin(), c.at(1).inbox.end(),
                           [](const auto& got) { return got.msg.domain == 4; });
    });
    c.at(1).sendDirectoryRefresh();
    c.expectEvent("SOON RFSH Open/Ok/0");
    CHECK(c.count("NEVER STAT Open/Suspect/0") == 1);
    c.at(1).sendServiceAdd(RawProvider::service(2, "NO_SUCH"));
    c.expectEvent("NEVER RFSH Open/Ok/0");
}

TEST_CASE("routing: the wait for a service that never comes has an end", "[reactor][routing]") {
    Routed c(2);
    for (auto& s : c.options.sessions)
        s.options.serviceWait = std::chrono::milliseconds(5000);
    c.allReady();
    c.open("N", "LATER");
    c.openList("L", {"X", "Y"});
    c.expectEvent("L STAT Open/Suspect/0");
    c.clock.advance(std::chrono::milliseconds(5000));
    c.expectEvent("L STAT Closed/Suspect/15");
    CHECK(c.count("N STAT Closed/Suspect/15") == 1);
    CHECK(c.texts.back() == "L: None of the services 'X', 'Y' is found.");
}

TEST_CASE("routing: what a lost session served goes to another one at once", "[reactor][routing]") {
    Routed c(2);
    answering(c);
    c.allReady();
    const Handle h = c.open("X");
    c.expectEvent("X RFSH Open/Ok/0");
    CHECK(c.lastSolicited);
    codec::Msg m = Consumer::request("PRIVATE");
    m.flags |= codec::RequestFlag::privateStream;
    c.open("PRIVATE", m);
    c.expectEvent("PRIVATE RFSH Open/Ok/0");
    c.takeEvents();
    c.at(0).die();
    c.expectEvent("X RFSH Open/Ok/0");
    CHECK(c.takeEvents() == Lines{"X STAT Open/Suspect/0", "PRIVATE STAT ClosedRecover/Suspect/0", "X RFSH Open/Ok/0"});
    CHECK_FALSE(c.lastSolicited);
    const std::int32_t id = c.requested(1, "X");
    c.at(1).send(RawProvider::update(id));
    c.expectEvent("X UPD");

    // The first one is back: nothing moves.
    c.at(0).wire.clear();
    c.at(0).revive();
    c.later([&] { return c.ready(0); });
    c.settle();
    CHECK(c.requested(0, "X") == 0);
    c.close(h);
    c.until([&] {
        return std::count(c.at(1).wire.begin(), c.at(1).wire.end(), "CLOSE " + std::to_string(id) + " d6 0x0") == 1;
    });
}

TEST_CASE("routing: without enhanced recovery items wait for their own session", "[reactor][routing]") {
    Routed c(2);
    c.options.recoverElsewhere = false;
    answering(c);
    c.allReady();
    c.open("X");
    c.expectEvent("X RFSH Open/Ok/0");
    c.takeEvents();
    c.at(0).die();
    c.expectEvent("X STAT Open/Suspect/0");
    c.settle();
    CHECK(c.requested(1, "X") == 0);
    c.at(0).wire.clear();
    c.at(0).revive();
    c.later([&] { return c.count("X RFSH Open/Ok/0") == 1; });
    CHECK(c.requested(0, "X") != 0);
}

TEST_CASE("routing: a session that gives up hands its items over even then", "[reactor][routing]") {
    Routed c(2);
    c.options.recoverElsewhere = false;
    c.options.sessions[0].options.reconnect.attemptLimit = 0;
    answering(c);
    c.allReady();
    c.login();
    c.expectEvent("login RFSH Open/Ok/0");
    c.open("X");
    c.expectEvent("X RFSH Open/Ok/0");
    c.takeEvents();
    c.at(0).die();
    c.expectEvent("X RFSH Open/Ok/0");
    CHECK(c.takeEvents() == Lines{"login STAT Open/Ok/0", "X STAT Open/Suspect/0", "X RFSH Open/Ok/0"});
    CHECK(c.texts[0] == "login: session channel S0: Channel is down.");
}

TEST_CASE("routing: a service that goes or stops in one session is taken from the other", "[reactor][routing]") {
    const bool deleted = GENERATE(true, false);
    Routed c(2);
    answering(c);
    c.allReady();
    c.open("X");
    c.expectEvent("X RFSH Open/Ok/0");
    c.takeEvents();
    if (deleted) {
        c.at(0).sendServiceDelete(1);
    } else {
        const std::int32_t id = c.requested(0, "X");
        c.at(0).sendServiceState(1, false, false);
        c.at(0).send(RawProvider::status(id, codec::StreamState::closedRecover, codec::DataState::suspect));
    }
    c.expectEvent("X RFSH Open/Ok/0");
    CHECK(c.takeEvents() == Lines{"X STAT Open/Suspect/0", "X RFSH Open/Ok/0"});
    CHECK(c.requested(1, "X") != 0);
    CHECK(c.services() == Lines{"1 DIRECT_FEED up"});
}

TEST_CASE("routing: what nobody can serve waits, and says why", "[reactor][routing]") {
    Routed c(2);
    for (const auto& p : c.providers)
        p->services[0].state.up = false;
    answering(c);
    c.allReady();
    CHECK(c.services() == Lines{"1 DIRECT_FEED down"});
    c.open("X");
    c.expectEvent("X STAT Open/Suspect/0");
    CHECK(c.texts.back() == "X: Service is down.");
    const Handle gone = c.open("GONE");
    c.expectEvent("GONE STAT Open/Suspect/0");
    c.close(gone);
    c.at(1).sendServiceState(1, true, true);
    c.expectEvent("X RFSH Open/Ok/0");
    CHECK(c.requested(0, "X") == 0);
    CHECK(c.requested(1, "GONE") == 0);
    CHECK(c.services() == Lines{"1 DIRECT_FEED up"});
}

TEST_CASE("routing: a reissue of an item that waits must not change it either", "[reactor][routing]") {
    Routed c(2);
    for (const auto& p : c.providers) {
        p->services[0].state.up = false;
        p->services.push_back(RawProvider::service(2, "OTHER"));
    }
    answering(c);
    c.allReady();
    const codec::Msg m = Consumer::request("X");
    const Handle x = c.open("X");
    c.expectEvent("X STAT Open/Suspect/0");
    const auto reissue = [&](const codec::Msg& with, std::string_view service = {}) {
        const std::lock_guard guard(c.loop->lock());
        return c.router->reissue(x, {with, service});
    };
    CHECK(reissue(m, "OTHER").kind == Refusal::Kind::invalidData);
    CHECK(reissue(m, "NO_SUCH").kind == Refusal::Kind::invalidData);
    codec::Msg changed = m;
    changed.key.flags |= codec::KeyFlag::serviceId;
    changed.key.serviceId = 2;
    CHECK(reissue(changed).kind == Refusal::Kind::invalidData);
    changed = m;
    changed.flags |= codec::RequestFlag::qos;
    changed.qos = {2, 2, false, 0, 0};
    CHECK(reissue(changed).kind == Refusal::Kind::invalidData);
    changed = m;
    changed.key.flags |= codec::KeyFlag::filter;
    changed.key.filter = 3;
    CHECK(reissue(changed).kind == Refusal::Kind::invalidData);
    changed = m;
    changed.flags |= codec::RequestFlag::privateStream;
    CHECK(reissue(changed).kind == Refusal::Kind::invalidData);
    CHECK_FALSE(reissue(m));
    CHECK_FALSE(reissue(m, "DIRECT_FEED"));
    changed = m;
    changed.flags |= codec::RequestFlag::priority;
    changed.priorityClass = 4;
    changed.priorityCount = 2;
    CHECK_FALSE(reissue(changed));
    c.at(1).sendServiceState(1, true, true);
    c.expectEvent("X RFSH Open/Ok/0");
    CHECK(c.at(1).wire.back() == "REQ 3 d6 0x46 X");
}

TEST_CASE("routing: all sessions lost, one comes back", "[reactor][routing]") {
    Routed c(2);
    answering(c);
    c.allReady();
    c.login();
    c.expectEvent("login RFSH Open/Ok/0");
    c.open("directory", Consumer::request("", 4), {});
    c.expectEvent("directory RFSH Open/Ok/0");
    c.open("X");
    c.expectEvent("X RFSH Open/Ok/0");
    c.takeEvents();
    c.texts.clear();
    c.at(1).die();
    c.expectEvent("login STAT Open/Ok/0");
    CHECK(c.texts == Lines{"login: session channel S1: Channel is down."});
    c.settle();
    CHECK(c.takeEvents() == Lines{"login STAT Open/Ok/0"});  // the service is still there
    c.at(0).die();
    c.expectEvent("X STAT Open/Suspect/0");
    CHECK(c.takeEvents() ==
          Lines{"login STAT Open/Suspect/0", "directory UPD", "X STAT Open/Suspect/0", "login STAT Open/Suspect/0"});
    CHECK(c.services().empty());
    c.at(1).revive();
    c.later([&] { return c.count("X RFSH Open/Ok/0") == 1; });
    c.later([&] { return c.count("login STAT Open/Ok/0") == 1; });
    CHECK(c.takeEvents() == Lines{"login STAT Open/Ok/0", "login RFSH Open/Ok/0", "directory UPD", "X RFSH Open/Ok/0"});
    CHECK(c.requested(1, "X") != 0);
}

TEST_CASE("routing: every login refused is the end of every item", "[reactor][routing]") {
    Routed c(2);
    answering(c);
    c.allReady();
    c.login();
    c.open("X");
    c.expectEvent("X RFSH Open/Ok/0");
    c.takeEvents();
    c.at(0).send(RawProvider::status(1, codec::StreamState::closed, codec::DataState::suspect, 0, "go away"));
    c.expectEvent("X RFSH Open/Ok/0");
    CHECK(c.takeEvents() == Lines{"login STAT Open/Ok/0", "X STAT Open/Suspect/0", "X RFSH Open/Ok/0"});
    CHECK_FALSE(c.router->loginRefused());
    c.at(1).send(RawProvider::status(1, codec::StreamState::closed, codec::DataState::suspect, 0, "go away too"));
    c.expectEvent("X STAT Closed/Suspect/0");
    CHECK(c.takeEvents() == Lines{"login STAT Closed/Suspect/0", "X STAT Closed/Suspect/0"});
    CHECK(c.router->phase() == ConsumerRole::Phase::closed);
    CHECK(c.router->loginRefused());
    c.open("late");
    c.expectEvent("late STAT Closed/Suspect/0");
}

TEST_CASE("routing: messages go where the stream is, with the session's service id", "[reactor][routing]") {
    Routed c(2);
    c.at(0).services = {RawProvider::service(1, "A")};
    c.at(1).services = {RawProvider::service(1, "B")};
    answering(c);
    c.allReady();
    const Handle login = c.login();
    const Handle x = c.open("X", "B");
    c.expectEvent("X RFSH Open/Ok/0");

    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.domain = 6;
    post.flags = codec::PostFlag::msgKey | codec::PostFlag::complete | codec::PostFlag::ack | codec::PostFlag::postId;
    post.postId = 5;
    post.key.flags = codec::KeyFlag::serviceId | codec::KeyFlag::name;
    post.key.name = emissary::eta::asBytes("X");
    post.key.serviceId = 2;  // B, towards the application
    CHECK_FALSE(c.post(x, post));
    std::optional<RawProvider::Got> got;
    c.until([&] { return (got = c.at(1).take()).has_value(); });
    CHECK(got->msg.cls == codec::MsgClass::Post);
    CHECK(got->msg.key.serviceId == 1);
    codec::Msg ack;
    ack.cls = codec::MsgClass::Ack;
    ack.domain = 6;
    ack.streamId = got->msg.streamId;
    ack.ackId = 5;
    c.at(1).send(ack);
    c.expectEvent("X ACK 5");
    post.key.serviceId = 1;  // A: not where the stream is
    CHECK(c.post(x, post).text == "Service id of '1' is not found on session channel 'S1'.");

    // Off-stream: the service decides, by id or by name.
    post.postId = 6;
    post.key.serviceId = 2;
    CHECK_FALSE(c.post(login, post));
    c.until([&] { return (got = c.at(1).take()).has_value(); });
    CHECK(got->msg.streamId == 1);
    CHECK(got->msg.key.serviceId == 1);
    ack.streamId = 1;
    ack.ackId = 6;
    c.at(1).send(ack);
    c.expectEvent("login ACK 6");
    post.postId = 7;
    post.key.flags = codec::KeyFlag::name;
    CHECK_FALSE(c.post(login, post, "A"));
    c.until([&] { return (got = c.at(0).take()).has_value(); });
    CHECK(got->msg.key.serviceId == 1);
    CHECK(c.post(login, post, "NO_SUCH").text == "Service name of 'NO_SUCH' is not found.");

    // Generic messages: an item's to its session, the login's to everybody.
    codec::Msg m;
    m.cls = codec::MsgClass::Generic;
    m.domain = 6;
    m.flags = codec::GenericFlag::complete;
    CHECK_FALSE(c.generic(x, m));
    c.until([&] { return (got = c.at(1).take()).has_value(); });
    CHECK(got->msg.cls == codec::MsgClass::Generic);
    CHECK(c.at(0).inbox.empty());
    m.domain = 1;
    CHECK_FALSE(c.generic(login, m));
    c.until([&] { return !c.at(0).inbox.empty() && !c.at(1).inbox.empty(); });
    CHECK(c.at(0).take()->msg.streamId == 1);
    codec::Msg back = m;
    back.streamId = 1;
    c.at(1).send(back);
    c.expectEvent("login GEN");
}

TEST_CASE("routing: posts of a session that is lost are answered", "[reactor][routing]") {
    Routed c(2);
    c.at(0).services = {RawProvider::service(1, "A"), RawProvider::service(2, "BOTH")};
    c.at(1).services = {RawProvider::service(1, "B"), RawProvider::service(2, "BOTH")};
    answering(c);
    c.allReady();
    const Handle login = c.login();
    const Handle x = c.open("X", "BOTH"), b = c.open("Y", "B");
    c.expectEvent("X RFSH Open/Ok/0");
    c.expectEvent("Y RFSH Open/Ok/0");
    c.expectEvent("login RFSH Open/Ok/0");
    c.settle();
    c.takeEvents();
    Lines naks;
    c.hook = [&](const codec::Msg& m, const Recipient&) {
        if (m.cls != codec::MsgClass::Ack) return;
        naks.push_back(std::string(emissary::eta::asText(m.key.name)) + " " + std::to_string(m.key.serviceId) + " " +
                       c.lastService);
    };
    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.domain = 6;
    post.flags = codec::PostFlag::complete | codec::PostFlag::ack | codec::PostFlag::postId;
    post.postId = 1;
    CHECK_FALSE(c.post(x, post, "BOTH"));
    post.postId = 2;
    CHECK_FALSE(c.post(b, post));
    post.flags |= codec::PostFlag::msgKey;
    post.key.flags = codec::KeyFlag::name;
    post.key.name = emissary::eta::asBytes("P");
    post.postId = 3;
    CHECK_FALSE(c.post(login, post, "B"));
    post.postId = 4;
    CHECK_FALSE(c.post(login, post, "A"));

    SECTION("with its connection") {
        c.at(1).die();
        c.expectEvent("login ACK 3 nak 3");
        CHECK(Lines(c.events.begin(), c.events.begin() + 2) == Lines{"Y ACK 2 nak 3", "login ACK 3 nak 3"});
        CHECK(naks == Lines{"Y 3 B", "P 3 B"});  // ids towards the application
        c.at(0).die();
        c.expectEvent("login ACK 4 nak 3");
        CHECK(c.count("X ACK 1 nak 3") == 1);
    }
    SECTION("with its service: the item goes to another session") {
        c.at(0).sendServiceState(2, false, false);
        c.at(0).send(RawProvider::status(c.requested(0, "X"), codec::StreamState::open, codec::DataState::suspect));
        c.expectEvent("X ACK 1 nak 3");
        c.expectRequest(1, "X");
    }
}

TEST_CASE("routing: reissues and the login's pause follow an item to its next session", "[reactor][routing]") {
    Routed c(2);
    answering(c);
    c.allReady();
    const Handle login = c.login();
    const Handle x = c.open("X");
    c.expectEvent("X RFSH Open/Ok/0");
    codec::Msg m = Consumer::request("X");
    m.flags |= codec::RequestFlag::priority | codec::RequestFlag::noRefresh;
    m.priorityClass = 3;
    m.priorityCount = 9;
    CHECK_FALSE(c.reissue(x, m, "DIRECT_FEED"));
    CHECK(c.reissue(x, m, "OTHER").text == "A reissue must not change the service.");
    codec::Msg pause = Consumer::request("user", 1);
    pause.flags |= codec::RequestFlag::pause | codec::RequestFlag::noRefresh;
    CHECK_FALSE(c.reissue(login, pause));
    c.settle();
    c.at(0).die();
    c.expectRequest(1, "X");
    const auto line =
        std::find_if(c.at(1).wire.begin(), c.at(1).wire.end(), [](const std::string& l) { return l.ends_with(" X"); });
    // streaming, priority, QoS, pause
    CHECK(line->find(" 0x246 ") != std::string::npos);
    const auto paused = [](const std::string& l) {
        return l.starts_with("REQ 1 ") && l.find("0x224") != std::string::npos;
    };
    CHECK(std::count_if(c.at(1).wire.begin(), c.at(1).wire.end(), paused) == 1);
}

TEST_CASE("routing: a batch is spread over the sessions", "[reactor][routing]") {
    Routed c(2);
    answering(c);
    c.at(1).services = {RawProvider::service(1, "OTHER")};
    c.allReady();
    const Payload payload([](codec::ElementListEncoder& list) { Payload::strings(list, ":ItemList", {"A", "B"}); });
    codec::Msg m;
    m.cls = codec::MsgClass::Request;
    m.flags = codec::RequestFlag::streaming | codec::RequestFlag::batch;
    payload.in(m);
    std::vector<Handle> children;
    const Handle batch = c.open("batch", m, "OTHER");
    c.hook = [&](const codec::Msg& msg, const Recipient& to) {
        if (msg.cls == codec::MsgClass::Refresh && to.parent == batch) children.push_back(to.handle);
    };
    c.expectEvent("batch STAT Closed/Ok/0");
    c.until([&] { return children.size() == 2; });
    CHECK(c.requested(1, "A") != 0);
    CHECK(c.requested(1, "B") != 0);
    CHECK(c.requested(0, "A") == 0);
    CHECK_FALSE(children[0] == children[1]);
    CHECK(c.reissue(batch, Consumer::request("A")).text == "A batch cannot be reissued; its items can, one by one.");
    for (const Handle h : children)
        c.close(h);
    CHECK(c.reissue(batch, Consumer::request("A")).kind == Refusal::Kind::invalidHandle);
}

TEST_CASE("routing: callbacks may close anything while a session goes down", "[reactor][routing]") {
    Routed c(2);
    answering(c);
    c.allReady();
    std::vector<Handle> all;
    for (int i = 0; i < 20; ++i)
        all.push_back(c.open("I" + std::to_string(i)));
    c.expectEvent("I19 RFSH Open/Ok/0");
    std::size_t closed = 0;
    c.hook = [&](const codec::Msg& msg, const Recipient& to) {
        if (msg.cls != codec::MsgClass::Status || closed != 0) return;
        for (const Handle h : all)
            if (h != all.back() || to.handle == all.back()) c.close(h), ++closed;
    };
    c.takeEvents();
    c.at(0).die();
    c.expectEvent("I19 RFSH Open/Ok/0");
    CHECK(closed == 19);
    c.settle();
    CHECK(c.requested(1, "I3") == 0);
}

TEST_CASE("routing: a dictionary request without a service goes to a session that has it", "[reactor][routing]") {
    Routed c(2);
    answering(c);
    c.at(0).services[0].info.dictionariesProvided = {"RWFEnum"};
    c.allReady();
    c.open("RWFFld", Consumer::request("RWFFld", 5), {});
    c.expectEvent("RWFFld RFSH Open/Ok/0");
    CHECK(c.requested(0, "RWFFld") == 0);
    c.open("Other", Consumer::request("Other", 5), {});
    c.expectEvent("Other STAT Closed/Suspect/15");
}

TEST_CASE("routing: a single session behind service lists behaves as one without", "[reactor][routing]") {
    Routed c(1);
    answering(c);
    c.allReady();
    c.login();
    c.expectEvent("login RFSH Open/Ok/0");
    c.openList("X", {"NOT_THERE", "DIRECT_FEED"});
    c.expectEvent("X RFSH Open/Ok/0");
    c.takeEvents();
    c.at(0).disconnect();
    c.expectEvent("X STAT Open/Suspect/0");
    CHECK(c.takeEvents() == Lines{"login STAT Open/Suspect/0", "X STAT Open/Suspect/0", "login STAT Open/Suspect/0"});
    c.later([&] { return c.count("login STAT Open/Ok/0") == 1 && c.count("X RFSH Open/Ok/0") == 1; });
    CHECK(c.count("login RFSH Open/Ok/0") == 1);
}

TEST_CASE("routing: the first session's dictionary serves all of them", "[reactor][routing]") {
    Routed c(2);
    for (auto& s : c.options.sessions)
        s.options.downloadDictionaries = true;
    // A provider that has none: its session would wait for ever.
    c.at(1).services[0].info.dictionariesProvided.reset();
    c.allReady();
    REQUIRE(c.router->dictionary() != nullptr);
    CHECK(c.router->dictionary()->hasFields());
    CHECK(c.services().size() == 2);  // they do not agree
}

TEST_CASE("routing: what a request says beside its view outlives the view", "[reactor][routing]") {
    Routed c(2);
    for (const auto& p : c.providers)
        p->services[0].state.up = false;
    answering(c);
    c.allReady();
    using codec::DataType;
    const Payload first([](codec::ElementListEncoder& list) {
        list.addUInt("Mine", 7);
        list.addUInt(":ViewType", 1);
        Payload::ids(list, {22});
    });
    const Payload second = Payload::view({25});
    codec::Msg m = Consumer::request("X");
    m.flags |= codec::RequestFlag::view;
    first.in(m);
    const Handle x = c.open("X", m);
    c.expectEvent("X STAT Open/Suspect/0");
    std::string expected;
    SECTION("another view takes its place") {
        second.in(m);
        CHECK_FALSE(c.reissue(x, m));
        expected = ":ViewType :ViewData Mine ";
    }
    SECTION("it is taken back") {
        CHECK_FALSE(c.reissue(x, Consumer::request("X")));
        expected = "Mine ";
    }
    c.at(1).inbox.clear();
    c.at(1).automatic.items = false;
    c.at(1).sendServiceState(1, true, true);
    c.until([&] { return c.requested(1, "X") != 0; });
    const auto asked = std::find_if(c.at(1).inbox.begin(), c.at(1).inbox.end(),
                                    [](const RawProvider::Got& g) { return g.name() == "X"; });
    REQUIRE(asked != c.at(1).inbox.end());
    REQUIRE(asked->msg.containerType == DataType::ElementList);
    std::string elements;
    codec::ElementListDecoder list;
    codec::ElementEntry e;
    REQUIRE(list.start(asked->msg.payload).ok());
    while (list.next(e))
        elements += std::string(emissary::eta::asText(e.name)) + " ";
    CHECK(elements == expected);
}
