// Opening, sharing and changing requests: the rows of session.md 4.1 to 4.3 one by one.
#include "fixture.h"

#include "reactor/rdm/Qos.h"
#include "reactor/session/ChannelAccount.h"

#include <set>

using namespace emissary;
using namespace emissary::test;
using Strings = std::vector<std::string>;

namespace {

constexpr codec::Qos kDelayed{2, 3, false, 0, 65535};

codec::Msg withQos(codec::Msg m, const codec::Qos& qos) {
    m.flags |= codec::RequestFlag::qos;
    m.qos = qos;
    return m;
}
codec::Msg withWorst(codec::Msg m, const codec::Qos& worst) {
    m.flags |= codec::RequestFlag::worstQos;
    m.worstQos = worst;
    return m;
}
codec::Msg byId(codec::Msg m, std::uint16_t id) {
    m.key.flags |= codec::KeyFlag::serviceId;
    m.key.serviceId = id;
    return m;
}
/// An account whose every attempt may begin in the next turn.
struct Account final : reactor::session::ChannelAccount {
    explicit Account(Consumer& consumer) : c(consumer) { user.userName = "user"; }
    Ticket prepare(Done done) override {
        c.loop->post([done = std::move(done)] { done({}); });
        return 1;
    }
    void abandon(Ticket) noexcept override {}
    void address(eta::transport::ConnectOptions&) const override {}
    [[nodiscard]] const reactor::session::LoginOptions* login() const noexcept override { return &user; }

    Consumer& c;
    reactor::session::LoginOptions user;
};
Refusal openRefused(Consumer& c, const codec::Msg& m, std::string_view service = "DIRECT_FEED") {
    const std::lock_guard guard(c.loop->lock());
    Refusal refusal;
    CHECK(c.role->registerClient({m, service}, {&c, nullptr, 0}, refusal) == 0);
    return refusal;
}
Refusal reissueWith(Consumer& c, Handle h, const codec::Msg& m, std::string_view service) {
    const std::lock_guard guard(c.loop->lock());
    return c.role->reissue(h, {m, service});
}
/// A consumer whose own login does without recovery.
struct Unrecovered : Consumer {
    Unrecovered() {
        reactor::rdm::LoginAttributes a;
        a.singleOpen = 0;
        a.allowSuspectData = 0;
        login(a);
    }
};

}  // namespace

TEST_CASE("Services that requests name", "[reactor][consumer][items]") {
    Consumer c;
    c.ready();
    c.settle();
    c.takeWire();

    SECTION("by an id that there is") {
        c.open("A", byId(Consumer::request("A"), 1), {});
        CHECK(c.expectRequest("A").key.serviceId == 1);
    }
    SECTION("that is not there yet: by name and by id, once it comes") {
        c.open("N", Consumer::request("N"), "LATER");
        c.open("I", byId(Consumer::request("I"), 77), {});
        const Handle gone = c.open("G", Consumer::request("G"), "LATER");
        CHECK(c.events.empty());
        c.expectEvent("G STAT Open/Suspect/0");
        CHECK(c.takeEvents() == Strings{"N STAT Open/Suspect/0", "I STAT Open/Suspect/0", "G STAT Open/Suspect/0"});
        CHECK(c.texts.back() == "G: Service not up yet.");
        CHECK(c.lastService == "LATER");
        c.close(gone);
        c.provider.sendServiceAdd(RawProvider::service(78, "OTHER"));
        c.settle();
        CHECK(c.provider.wire.empty());
        c.provider.sendServiceAdd(RawProvider::service(77, "LATER"));
        CHECK(c.expectRequest("N").key.serviceId == 77);
        CHECK(c.expectRequest("I").key.serviceId == 77);
        c.settle();
        CHECK(c.provider.wire.size() == 2);
        // And it is a service like any other from then on.
        c.takeEvents();
        c.provider.sendServiceDelete(77);
        c.expectEvent("I STAT Open/Suspect/0");
    }
    SECTION("by an id whose service has a name that nobody asked for") {
        c.open("I", byId(Consumer::request("I"), 77), {});
        c.expectEvent("I STAT Open/Suspect/0");
        c.provider.sendServiceAdd(RawProvider::service(77, "LATER"));
        CHECK(c.expectRequest("I").key.serviceId == 77);
        c.open("J", Consumer::request("J"), "LATER");
        CHECK(c.expectRequest("J").key.serviceId == 77);
    }
    SECTION("that is not there yet: not for private streams") {
        codec::Msg m = byId(Consumer::request("P"), 77);
        m.flags |= codec::RequestFlag::privateStream;
        const Handle h = c.open("P", m, {});
        c.expectEvent("P STAT Closed/Suspect/15");
        CHECK(c.reissue(h, m).kind == Refusal::Kind::invalidHandle);
    }
    SECTION("posts to one that is not there yet are refused") {
        const Handle login = c.open("login", Consumer::request("user", 1), {});
        c.open("N", Consumer::request("N"), "LATER");
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.flags = codec::PostFlag::msgKey | codec::PostFlag::complete;
        post.key.flags = codec::KeyFlag::name;
        post.key.name = eta::asBytes("N");
        CHECK(c.post(login, post, "LATER").text == "Service name of 'LATER' is not found.");
    }
    SECTION("by id and by name at once: refused") {
        const Refusal refusal = openRefused(c, byId(Consumer::request("A"), 1));
        CHECK(refusal.kind == Refusal::Kind::invalidUsage);
        CHECK(refusal.text.find("only one") != std::string::npos);
    }
    SECTION("with a QoS that is none: refused") {
        CHECK(openRefused(c, withQos(Consumer::request("A"), {0, 0, false, 0, 0})));
        CHECK(openRefused(c, withWorst(withQos(Consumer::request("A"), {1, 1, false, 0, 0}), {0, 1, false, 0, 0})));
    }
}

TEST_CASE("The wait for a service that never comes has an end", "[reactor][consumer][items]") {
    Consumer c;
    c.options.serviceWait = std::chrono::milliseconds(5000);
    c.ready();
    const Handle h = c.open("N", Consumer::request("N"), "LATER");
    c.open("I", byId(Consumer::request("I"), 77), {});
    c.open("S", Consumer::request("S"), "SOON");
    c.expectEvent("S STAT Open/Suspect/0");
    c.provider.sendServiceAdd(RawProvider::service(9, "SOON"));
    c.expectRequest("S");
    c.takeEvents();
    c.clock.advance(std::chrono::milliseconds(5000));
    c.expectEvent("I STAT Closed/Suspect/15");
    CHECK(c.takeEvents() == Strings{"N STAT Closed/Suspect/15", "I STAT Closed/Suspect/15"});
    CHECK(c.texts.back() == "I: Service id of '77' is not found.");
    CHECK(c.reissue(h, Consumer::request("N")).kind == Refusal::Kind::invalidHandle);
    c.provider.sendServiceAdd(RawProvider::service(77, "LATER"));
    c.settle();
    CHECK(c.takeEvents().empty());
    CHECK(c.provider.inbox.empty());
}

TEST_CASE("A service that cannot serve a request", "[reactor][consumer][items]") {
    SECTION("a private stream does not wait for it") {
        Consumer c;
        c.provider.services[0].state.accepting = false;
        c.ready();
        codec::Msg m = Consumer::request("P");
        m.flags |= codec::RequestFlag::privateStream;
        const Handle h = c.open("P", m);
        c.expectEvent("P STAT ClosedRecover/Suspect/0");
        CHECK(c.reissue(h, m).kind == Refusal::Kind::invalidHandle);
        c.provider.sendServiceState(1, true, true);
        c.settle();
        CHECK(c.takeEvents() == Strings{"P STAT ClosedRecover/Suspect/0"});
    }
    SECTION("nor does anything when the consumer does not recover") {
        Unrecovered c;
        c.provider.services[0].state.up = false;
        c.ready();
        const Handle h = c.open("A");
        c.open("domain", Consumer::request("B", 12));
        c.expectEvent("A STAT ClosedRecover/Suspect/0");
        c.expectEvent("domain STAT ClosedRecover/Suspect/0");
        c.open("unknown", Consumer::request("C"), "NO_SUCH");
        c.expectEvent("unknown STAT Closed/Suspect/15");
        CHECK(c.reissue(h, Consumer::request("A")).kind == Refusal::Kind::invalidHandle);
        c.provider.sendServiceState(1, true, true);
        c.settle();
        CHECK(c.provider.inbox.empty());
    }
}

TEST_CASE("The QoS that an item got is the one it comes back with", "[reactor][consumer][items]") {
    Consumer c;
    c.provider.services[0].info.qos = {codec::kRealtimeTickByTick, kDelayed};
    c.ready();
    c.openAnswered("A");
    c.open("unanswered");
    CHECK(c.expectRequest("unanswered").qos == codec::kRealtimeTickByTick);
    c.takeEvents();
    c.takeWire();

    c.provider.sendServiceDelete(1);
    c.expectEvent("unanswered STAT Open/Suspect/0");
    auto delayed = RawProvider::service(1, "DIRECT_FEED");
    delayed.info.qos = {kDelayed};
    c.takeEvents();
    c.provider.sendServiceAdd(delayed);
    // Nothing was promised yet to the one without a refresh; the other one waits for its QoS.
    CHECK(reactor::rdm::equal(c.expectRequest("unanswered").qos, kDelayed));
    c.expectEvent("A STAT Open/Suspect/0");
    c.settle();
    CHECK(c.takeWire().size() == 1);
    c.provider.sendServiceDelete(1);
    auto both = delayed;
    both.info.qos = {codec::kRealtimeTickByTick, kDelayed};
    c.provider.sendServiceAdd(both);
    CHECK(c.expectRequest("A").qos == codec::kRealtimeTickByTick);
}

TEST_CASE("Messages that all sharers get", "[reactor][consumer][items]") {
    Consumer c;
    c.ready();
    c.openAnswered("IBM.N");
    c.open("B", Consumer::request("IBM.N"));
    c.provider.send(RawProvider::refresh(c.expectRequest("IBM.N").streamId));
    c.expectEvent("B RFSH Open/Ok/0");
    c.open("pending", Consumer::request("IBM.N"));
    c.expectRequest("IBM.N");
    c.takeEvents();

    SECTION("generic messages, also who waits for an image") {
        codec::Msg m;
        m.cls = codec::MsgClass::Generic;
        m.streamId = 3;
        std::vector<std::int32_t> ids;
        c.hook = [&](const codec::Msg& got, const Recipient&) { ids.push_back(got.streamId); };
        c.provider.send(m);
        c.expectEvent("pending GEN");
        CHECK(c.takeEvents() == Strings{"IBM.N GEN", "B GEN", "pending GEN"});
        CHECK(std::set<std::int32_t>(ids.begin(), ids.end()).size() == 3);  // each under its own stream id
    }
    SECTION("statuses without a state") {
        codec::Msg m;
        m.cls = codec::MsgClass::Status;
        m.streamId = 3;
        c.provider.send(m);
        c.expectEvent("pending STAT");
        CHECK(c.takeEvents() == Strings{"IBM.N STAT", "B STAT", "pending STAT"});
    }
}

TEST_CASE("What a reissue must not change", "[reactor][consumer][items]") {
    Consumer c;
    c.provider.services.push_back(RawProvider::service(2, "OTHER"));
    c.ready();
    const auto refused = [&](Handle h, const codec::Msg& m) {
        const Refusal r = c.reissue(h, m);
        return r.kind == Refusal::Kind::invalidData && !r.text.empty();
    };
    codec::Msg a = Consumer::request("A");

    SECTION("the service") {
        const Handle h = c.openAnswered("A");
        CHECK(reissueWith(c, h, a, "OTHER").kind == Refusal::Kind::invalidData);
        CHECK(refused(h, byId(a, 2)));
        CHECK_FALSE(reissueWith(c, h, a, "DIRECT_FEED"));
        CHECK_FALSE(c.reissue(h, byId(a, 1)));
    }
    SECTION("the QoS of a request that said none") {
        const Handle h = c.openAnswered("A");
        CHECK(refused(h, withQos(a, {2, 2, false, 0, 0})));
        CHECK(refused(h, withWorst(withQos(a, codec::kRealtimeTickByTick), {1, 2, false, 0, 0})));
        CHECK_FALSE(c.reissue(h, withQos(a, codec::kRealtimeTickByTick)));
        CHECK_FALSE(c.reissue(h, withWorst(withQos(a, codec::kRealtimeTickByTick), kDelayed)));  // says the default
    }
    SECTION("the QoS of a request that said one") {
        const Handle h = c.open("A", withQos(a, codec::kRealtimeTickByTick));
        c.provider.send(RawProvider::refresh(c.expectRequest("A").streamId));
        c.expectEvent("A RFSH Open/Ok/0");
        CHECK(refused(h, withQos(a, kDelayed)));
        CHECK(refused(h, withWorst(withQos(a, codec::kRealtimeTickByTick), kDelayed)));  // a range now
        CHECK_FALSE(c.reissue(h, withQos(a, codec::kRealtimeTickByTick)));
        CHECK_FALSE(c.reissue(h, a));
    }
    SECTION("the range of a request that said one") {
        const codec::Msg range = withWorst(withQos(a, codec::kRealtimeTickByTick), {1, 2, false, 0, 0});
        const Handle h = c.open("A", range);
        c.provider.send(RawProvider::refresh(c.expectRequest("A").streamId));
        c.expectEvent("A RFSH Open/Ok/0");
        CHECK(refused(h, withWorst(withQos(a, codec::kRealtimeTickByTick), kDelayed)));
        CHECK_FALSE(c.reissue(h, range));
    }
    SECTION("filter, identifier and attributes of the key") {
        const std::byte some[] = {std::byte{1}, std::byte{2}}, others[] = {std::byte{1}, std::byte{3}};
        codec::Msg keyed = a, other;
        keyed.key.flags |= codec::KeyFlag::filter | codec::KeyFlag::identifier | codec::KeyFlag::attrib;
        keyed.key.filter = 5;
        keyed.key.identifier = 9;
        keyed.key.attribType = codec::DataType::Opaque;
        keyed.key.attrib = some;
        const Handle plain = c.openAnswered("A");
        const Handle h = c.open("keyed", keyed);
        c.provider.send(RawProvider::refresh(c.expectRequest("A").streamId));
        c.expectEvent("keyed RFSH Open/Ok/0");
        CHECK_FALSE(c.reissue(h, keyed));
        CHECK_FALSE(c.reissue(h, a));  // what is left out stays
        other = keyed;
        other.key.filter = 6;
        CHECK(refused(h, other));
        other = keyed;
        other.key.identifier = 10;
        CHECK(refused(h, other));
        other = keyed;
        other.key.attrib = others;
        CHECK(refused(h, other));
        other = keyed;
        other.key.attribType = codec::DataType::NoData;
        CHECK(refused(h, other));
        for (const std::uint16_t flag : {codec::KeyFlag::filter, codec::KeyFlag::identifier, codec::KeyFlag::attrib}) {
            other = keyed;
            other.key.flags = static_cast<std::uint16_t>(codec::KeyFlag::name | flag);
            CHECK(refused(plain, other));
        }
    }
    SECTION("one item into a batch") {
        const Handle h = c.openAnswered("A");
        a.flags |= codec::RequestFlag::batch;
        CHECK(refused(h, a));
    }
    SECTION("anything of a snapshot that is pending") {
        a.flags = 0;
        const Handle h = c.open("A", a);
        c.expectRequest("A");
        CHECK(refused(h, a));
        CHECK(refused(h, Consumer::request("A")));
    }
    SECTION("and nothing of it reaches the wire") {
        const Handle h = c.openAnswered("A");
        c.settle();
        c.takeWire();
        CHECK(refused(h, withQos(a, kDelayed)));
        CHECK(refused(h, byId(a, 2)));
        c.settle();
        CHECK(c.provider.wire.empty());
    }
}

TEST_CASE("A priority that was said is said again when it goes back", "[reactor][consumer][items]") {
    Consumer c;
    c.ready();
    const auto withPriority = [](std::uint8_t cls, std::uint16_t count) {
        codec::Msg m = Consumer::request("A");
        m.flags |= codec::RequestFlag::priority;
        m.priorityClass = cls;
        m.priorityCount = count;
        return m;
    };
    const Handle h = c.open("A", withPriority(5, 7));
    codec::Msg said = c.expectRequest("A");
    CHECK(said.flags == 0x46);
    CHECK(said.priorityClass == 5);
    CHECK(said.priorityCount == 7);
    c.provider.send(RawProvider::refresh(said.streamId));
    c.expectEvent("A RFSH Open/Ok/0");
    c.settle();
    c.takeWire();
    codec::Msg back = withPriority(1, 1);
    back.flags |= codec::RequestFlag::noRefresh;
    CHECK_FALSE(c.reissue(h, back));
    c.settle();
    CHECK(c.takeWire() == Strings{"REQ 3 d6 0x66 A"});
    CHECK(c.provider.inbox.back().msg.priorityClass == 1);
    CHECK(c.provider.inbox.back().msg.priorityCount == 1);
    // A new stream starts without one.
    c.provider.send(RawProvider::status(3, codec::StreamState::closedRecover, codec::DataState::suspect));
    c.settle();
    CHECK(c.takeWire().back() == "REQ 4 d6 0x44 A");
}

TEST_CASE("Keys in updates only when asked for", "[reactor][consumer][items]") {
    Consumer c;
    c.options.msgKeyInUpdates = false;
    c.ready();
    std::map<std::string, bool> keyed;
    c.hook = [&](const codec::Msg& m, const Recipient& to) {
        if (m.cls == codec::MsgClass::Update) keyed[c.names[to.handle]] = m.hasKey();
    };
    c.openAnswered("A");
    codec::Msg wanting = Consumer::request("B");
    wanting.flags |= codec::RequestFlag::msgKeyInUpdates;
    c.open("B", wanting);
    c.provider.send(RawProvider::refresh(c.expectRequest("B").streamId));
    c.expectEvent("B RFSH Open/Ok/0");
    c.provider.send(RawProvider::update(3));
    c.provider.send(RawProvider::update(4));
    c.expectEvent("B UPD");
    CHECK_FALSE(keyed.at("A"));
    CHECK(keyed.at("B"));
}

TEST_CASE("A token is renewed while everything is paused, and the pause stays", "[reactor][consumer][login]") {
    Consumer c;
    const auto account = std::make_shared<Account>(c);
    c.options.channels[0].account = account;
    c.ready();
    const auto renew = [&] { c.locked([&] { c.role->renewLogin(*account); }); };
    renew();
    c.until([&] { return c.provider.wire.back() == "REQ 1 d1 0x24 user"; });
    const Handle login = c.open("login", Consumer::request("user", 1), {});
    codec::Msg m = Consumer::request("user", 1);
    m.flags |= codec::RequestFlag::pause | codec::RequestFlag::noRefresh;
    CHECK_FALSE(c.reissue(login, m));
    c.until([&] { return c.provider.wire.back() == "REQ 1 d1 0x224 user"; });
    c.provider.wire.clear();
    renew();
    c.until([&] { return !c.provider.wire.empty(); });
    CHECK(c.provider.wire == Strings{"REQ 1 d1 0x224 user"});
}
