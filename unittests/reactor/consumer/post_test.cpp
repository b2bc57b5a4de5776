// Posts that no server will answer: each gets one nak of this side, with its id, text and key (session.md 4.10).
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using Strings = std::vector<std::string>;

namespace {

codec::Msg postOf(std::uint32_t id) {
    codec::Msg post;
    post.cls = codec::MsgClass::Post;
    post.flags = codec::PostFlag::postId | codec::PostFlag::ack | codec::PostFlag::complete;
    post.postId = id;
    return post;
}
codec::Msg named(codec::Msg post, std::string_view name) {
    post.flags |= codec::PostFlag::msgKey;
    post.key.flags |= codec::KeyFlag::name;
    post.key.name = eta::asBytes(name);
    return post;
}

/// What naks say: "A: POST.N of DIRECT_FEED 1, text".
class Naks {
public:
    Strings said;

    explicit Naks(Consumer& c) {
        c.hook = [this, &c](const codec::Msg& m, const Recipient& to) {
            if (m.cls != codec::MsgClass::Ack) return;
            std::string line = c.names[to.handle] + ": ";
            line += m.hasKey() && m.key.has(codec::KeyFlag::name) ? std::string(eta::asText(m.key.name)) : "no name";
            line += " of " + (c.lastService.empty() ? "no service" : c.lastService) + " ";
            line += m.hasKey() && m.key.has(codec::KeyFlag::serviceId) ? std::to_string(m.key.serviceId) : "-";
            if (m.has(codec::AckFlag::text)) line += ", " + std::string(eta::asText(m.text));
            said.push_back(line);
        };
    }
};

void lose(Consumer& c) {
    c.provider.die();
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::backingOff; });
}

}  // namespace

TEST_CASE("A post names its service by name alone", "[reactor][consumer][posts]") {
    Consumer c;
    c.ready();
    const Handle a = c.openAnswered("A");
    const Handle login = c.open("login", Consumer::request("user", 1), {});
    c.settle();
    c.provider.inbox.clear();

    CHECK_FALSE(c.post(a, postOf(1), "DIRECT_FEED"));
    c.until([&] { return !c.provider.inbox.empty(); });
    const auto got = c.provider.take();
    CHECK(got->msg.streamId == 3);
    REQUIRE(got->msg.hasKey());
    CHECK(got->msg.key.flags == codec::KeyFlag::serviceId);
    CHECK(got->msg.key.serviceId == 1);
    CHECK(c.post(a, postOf(2), "NO_SUCH").text == "Service name of 'NO_SUCH' is not found.");
    CHECK(c.post(login, postOf(3), "DIRECT_FEED").text == "An off-stream post needs a name and a service.");
}

TEST_CASE("A post that is not answered in time is answered here, with its key", "[reactor][consumer][posts]") {
    Consumer c;
    c.ready();
    const Handle a = c.openAnswered("A");
    const Handle login = c.open("login", Consumer::request("user", 1), {});
    Naks naks(c);
    CHECK_FALSE(c.post(a, postOf(1)));
    CHECK_FALSE(c.post(login, named(postOf(2), "POST.N"), "DIRECT_FEED"));
    codec::Msg byId = named(postOf(3), "a name that is too long to lie in the record itself");
    byId.key.flags |= codec::KeyFlag::serviceId | codec::KeyFlag::nameType;
    byId.key.serviceId = 1;
    byId.key.nameType = 7;
    CHECK_FALSE(c.post(login, byId));
    CHECK_FALSE(c.post(a, named(postOf(4), "OTHER.N"), "DIRECT_FEED"));
    c.clock.advance(c.options.postAckTimeout);
    c.expectEvent("A ACK 4 nak 6");
    CHECK(naks.said == Strings{"A: A of DIRECT_FEED 1, Acknowledgement timed out.",
                               "login: POST.N of DIRECT_FEED 1, Acknowledgement timed out.",
                               "login: a name that is too long to lie in the record itself of DIRECT_FEED 1, "
                               "Acknowledgement timed out.",
                               "A: OTHER.N of DIRECT_FEED 1, Acknowledgement timed out."});
}

TEST_CASE("An ack for an off-stream post says which service it is about", "[reactor][consumer][posts]") {
    Consumer c;
    c.ready();
    const Handle login = c.open("login", Consumer::request("user", 1), {});
    Naks naks(c);
    CHECK_FALSE(c.post(login, named(postOf(2), "POST.N"), "DIRECT_FEED"));
    codec::Msg ack;
    ack.cls = codec::MsgClass::Ack;
    ack.streamId = 1;
    ack.ackId = 2;
    ack.flags = codec::AckFlag::msgKey;
    ack.key.flags = codec::KeyFlag::name | codec::KeyFlag::serviceId;
    ack.key.name = eta::asBytes("POST.N");
    ack.key.serviceId = 1;
    c.provider.send(ack);
    c.expectEvent("login ACK 2");
    CHECK(naks.said == Strings{"login: POST.N of DIRECT_FEED 1"});
}

TEST_CASE("Posts in flight are answered when the connection is lost", "[reactor][consumer][posts]") {
    Consumer c;
    c.options.maxOutstandingPosts = 4;
    c.ready();
    const Handle a = c.openAnswered("A");
    const Handle login = c.open("login", Consumer::request("user", 1), {});
    c.settle();
    Naks naks(c);
    c.takeEvents();
    codec::Msg part = postOf(1);
    part.flags = static_cast<std::uint16_t>((part.flags | codec::PostFlag::seqNum | codec::PostFlag::partNum) &
                                            ~codec::PostFlag::complete);
    const auto fill = [&] {
        part.seqNum = 1;
        CHECK_FALSE(c.post(a, part));
        part.seqNum = 2;
        CHECK_FALSE(c.post(a, part));
        CHECK_FALSE(c.post(login, named(postOf(7), "POST.N"), "DIRECT_FEED"));
        CHECK_FALSE(c.post(a, postOf(3)));
        CHECK(c.post(a, postOf(4)).text.find("limit") != std::string::npos);
    };
    fill();
    bool refused = false;
    const auto note = c.hook;
    c.hook = [&](const codec::Msg& m, const Recipient& to) {
        note(m, to);
        if (m.cls == codec::MsgClass::Ack) refused = static_cast<bool>(c.post(a, postOf(9)));
    };
    lose(c);
    const std::string lost = ", The connection was lost before the post was answered.";
    CHECK(naks.said == Strings{"A: A of DIRECT_FEED 1" + lost, "A: A of DIRECT_FEED 1" + lost,
                               "login: POST.N of DIRECT_FEED 1" + lost, "A: A of DIRECT_FEED 1" + lost});
    CHECK(refused);
    const Strings events = c.takeEvents();
    REQUIRE(events.size() >= 5);  // and the statuses
    CHECK(Strings(events.begin(), events.begin() + 4) ==
          Strings{"A ACK 1 nak 3", "A ACK 1 nak 3", "login ACK 7 nak 3", "A ACK 3 nak 3"});

    c.clock.advance(c.options.postAckTimeout);
    c.provider.revive();
    c.provider.inbox.clear();
    c.clock.advance(std::chrono::milliseconds(1000));
    c.until([&] { return c.role->phase() == ConsumerRole::Phase::ready; });
    c.provider.send(RawProvider::refresh(c.expectRequest("A").streamId));
    c.expectEvent("A RFSH Open/Ok/0");
    for (const std::string& e : c.takeEvents())
        CHECK(e.find("ACK") == std::string::npos);  // once
    fill();                                         // room again, and the same ids
}

TEST_CASE("A poster may give up its handle inside the answer", "[reactor][consumer][posts]") {
    Consumer c;
    c.ready();
    const Handle a = c.openAnswered("A"), b = c.openAnswered("B");
    CHECK_FALSE(c.post(a, postOf(1)));
    CHECK_FALSE(c.post(a, postOf(2)));
    CHECK_FALSE(c.post(b, postOf(3)));
    c.takeEvents();
    c.hook = [&](const codec::Msg& m, const Recipient&) {
        if (m.cls == codec::MsgClass::Ack && m.ackId == 1) c.close(a);
    };
    SECTION("when the connection is lost") {
        lose(c);
        CHECK(c.takeEvents() == Strings{"A ACK 1 nak 3", "B ACK 3 nak 3", "B STAT Open/Suspect/0"});
    }
    SECTION("when the provider closes the stream") {
        c.provider.send(RawProvider::status(3, codec::StreamState::closed, codec::DataState::suspect, 1));
        c.provider.send(RawProvider::update(4));
        c.expectEvent("B UPD");
        CHECK(c.takeEvents() == Strings{"A ACK 1 nak 11", "B UPD"});
    }
    SECTION("when the service is deleted") {
        c.provider.sendServiceDelete(1);
        c.expectEvent("B STAT Open/Suspect/0");
        CHECK(c.takeEvents() == Strings{"A ACK 1 nak 3", "B ACK 3 nak 3", "B STAT Open/Suspect/0"});
    }
}

TEST_CASE("Posts in flight are answered when their stream ends, before the end is told", "[reactor][consumer][posts]") {
    Consumer c;
    c.ready();
    const Handle a = c.openAnswered("A");
    const Handle b = c.open("B", Consumer::request("A"));
    c.expectRequest("A");
    c.provider.send(RawProvider::refresh(3));
    c.expectEvent("B RFSH Open/Ok/0");
    c.takeEvents();
    CHECK_FALSE(c.post(a, postOf(1)));
    CHECK_FALSE(c.post(b, postOf(2)));

    SECTION("closed") {
        c.provider.send(RawProvider::status(3, codec::StreamState::closed, codec::DataState::suspect, 1));
        c.expectEvent("B STAT Closed/Suspect/1");
        CHECK(c.takeEvents() ==
              Strings{"A ACK 1 nak 11", "B ACK 2 nak 11", "A STAT Closed/Suspect/1", "B STAT Closed/Suspect/1"});
    }
    SECTION("redirected, in a refresh") {
        c.provider.send(RawProvider::refresh(3, codec::StreamState::redirected));
        c.expectEvent("B RFSH Redirected/Ok/0");
        CHECK(c.takeEvents() ==
              Strings{"A ACK 1 nak 11", "B ACK 2 nak 11", "A RFSH Redirected/Ok/0", "B RFSH Redirected/Ok/0"});
    }
    SECTION("and asked for again") {
        c.provider.send(RawProvider::status(3, codec::StreamState::closedRecover, codec::DataState::suspect));
        c.expectEvent("B STAT Open/Suspect/0");
        CHECK(c.takeEvents() ==
              Strings{"A ACK 1 nak 11", "B ACK 2 nak 11", "A STAT Open/Suspect/0", "B STAT Open/Suspect/0"});
        c.provider.send(RawProvider::refresh(c.expectRequest("A").streamId));
        c.expectEvent("A RFSH Open/Ok/0");
        CHECK_FALSE(c.post(a, postOf(1)));
    }
    SECTION("with the login, for good") {
        c.provider.send(RawProvider::loginStatus(codec::StreamState::closed, codec::DataState::suspect));
        c.expectEvent("B STAT Closed/Suspect/0");
        CHECK(c.takeEvents() ==
              Strings{"A ACK 1 nak 3", "B ACK 2 nak 3", "A STAT Closed/Suspect/0", "B STAT Closed/Suspect/0"});
    }
    SECTION("not when the application ends the session") {
        c.locked([&] { c.role->shutdown(); });
        c.clock.advance(c.options.postAckTimeout);
        c.turn();
        CHECK(c.takeEvents().empty());
    }
}
