// How tunnels come to be open, and how they do not (tunnel.md 1, 6).
#include "fixture.h"

using namespace tunneltest;
using Strings = std::vector<std::string>;

TEST_CASE("a tunnel is asked for, accepted, and carries messages both ways", "[tunnel]") {
    Pair p;
    p.ask();
    CHECK(p.asking->submit(DataType::Opaque, content(1)) == SubmitFault::notOpen);
    p.settle();
    CHECK(p.consumer.take() == Strings{"1/1 Successful open of TunnelStream: TUNNEL1"});
    CHECK(p.provider.take() == Strings{"1/1 Successful open of TunnelStream: TUNNEL1"});
    REQUIRE(p.asking->submit(DataType::Opaque, content(40)) == SubmitFault::none);
    REQUIRE(p.asked->submit(DataType::Xml, content(41)) == SubmitFault::none);
    p.settle();
    REQUIRE(p.provider.data.size() == 1);
    CHECK(p.provider.data[0] == content(40));
    CHECK(p.provider.types[0] == DataType::Opaque);
    REQUIRE(p.consumer.data.size() == 1);
    CHECK(p.consumer.types[0] == DataType::Xml);
    CHECK(p.seen == Strings{"> Request", "< Refresh", "> data 1", "< data 1", "> ack 1", "< ack 1"});
    CHECK(p.counters.open == 2);
}

TEST_CASE("what cannot be asked for is said before anything is sent", "[tunnel]") {
    ConsumerRequest r = Pair::request();
    CHECK(whyRefused(r).empty());
    SECTION("best effort") {
        r.classOfService = {};
    }
    SECTION("a name that is too long") {
        r.identity.name.assign(256, 'x');
    }
    SECTION("a login in another protocol") {
        r.classOfService.authentication = Authentication::ommLogin;
        r.classOfService.protocolType = 1;
        r.login = loginRequest();
    }
    SECTION("a login without a request") {
        r.classOfService.authentication = Authentication::ommLogin;
    }
    SECTION("a queue in another protocol") {
        r.classOfService.guarantee = Guarantee::persistentQueue;
        r.classOfService.protocolType = 1;
    }
    SECTION("a window below the default's number") {
        r.classOfService = windowed(-2);
    }
    CHECK_FALSE(whyRefused(r).empty());
}

TEST_CASE("the first rejection is taken for an unknown version, the second is told", "[tunnel]") {
    Pair p;
    unsigned requests = 0;
    std::vector<unsigned> versions;
    ClassOfService wanted = windowed();
    const ClassOfService* hint = nullptr;
    p.onRequest = [&](const Msg& m) {
        ++requests;
        ClassOfService cos;
        REQUIRE(decode(m.payload, cos).ok());
        versions.push_back(cos.streamVersion);
        TestUser nobody;
        ProviderEnd end(p.setting(p.down), {m.streamId, m.domain, 1, "TUNNEL1"}, cos, nobody);
        CHECK(end.reject({1, 2, 0, {}}));  // Open is no rejection
        CHECK_FALSE(end.reject({5, 2, 0, eta::asBytes("elsewhere")}, hint));
        CHECK(end.reject({4, 2, 0, {}}));
        CHECK(end.accept(reliable(), 1));
    };
    SECTION("without a hint") {}
    SECTION("with the class of service that would do") {
        hint = &wanted;
    }
    p.ask();
    p.settle();
    CHECK(requests == 2);
    CHECK(versions == std::vector<unsigned>{2, 1});
    CHECK(p.consumer.take() == Strings{"5/2 elsewhere"});
    CHECK(p.consumer.ended == 1);
    CHECK(p.counters.open == 0);
    p.pass(120s);
    CHECK(p.consumer.events.empty());
    CHECK(p.up.out.empty());
}

TEST_CASE("a provider of the old version gets messages without fragments", "[tunnel]") {
    Pair p;
    const auto accept = p.onRequest;
    bool first = true;
    p.onRequest = [&](const Msg& m) {
        if (std::exchange(first, false)) sendRejection(p.down, m.streamId, m.domain, "unknown version");
        else accept(m);
    };
    p.ask();
    p.settle();
    REQUIRE(p.asking->open());
    CHECK(p.asking->classOfService().streamVersion == 1);
    CHECK(p.asking->submit(DataType::Opaque, content(6144)) == SubmitFault::none);
    CHECK(p.asking->submit(DataType::Opaque, content(6145)) == SubmitFault::tooLong);
    CHECK(p.asked->submit(DataType::Opaque, content(6145)) == SubmitFault::tooLong);
    Msg m;
    REQUIRE(decodeMsg(p.up.out.back(), m).ok());
    CHECK(hex(m.extendedHeader) == "01");
    p.onRequest = {};
    while (!p.up.out.empty()) {
        Msg old;
        REQUIRE(decodeMsg(p.up.out.front(), old).ok());
        p.asked->onMessage(old);
        p.up.out.pop_front();
    }
    CHECK(p.provider.data.size() == 1);
}

TEST_CASE("an answer that does not come ends the request", "[tunnel]") {
    Pair p;
    p.ask();
    p.up.out.clear();
    p.pass(59s);
    CHECK(p.consumer.events.empty());
    p.pass(1001ms);
    CHECK(p.consumer.take() == Strings{"3/2 Timed out waiting for provider response."});
    REQUIRE(p.up.out.size() == 1);
    CHECK(Seen(p.up.out[0]).text() == "Close");
    CHECK(p.consumer.ended == 1);
}

TEST_CASE("a refresh that cannot be used closes the tunnel, with a reason", "[tunnel]") {
    Pair p;
    ClassOfService answer = reliable();
    std::string why;
    bool garbage = false;
    SECTION("another version") {
        answer.streamVersion = 3;
        why = "the provider's stream version is unknown";
    }
    SECTION("best effort") {
        answer.dataIntegrity = DataIntegrity::bestEffort;
        why = "the provider does not offer a reliable stream";
    }
    SECTION("a queue") {
        answer.guarantee = Guarantee::persistentQueue;
        why = "persistent queues are not supported";
    }
    SECTION("a login, and there is none") {
        answer.authentication = Authentication::ommLogin;
        why = "Provider requires authentication but consumer specified no login request.";
    }
    SECTION("no room") {
        answer.maxFragmentSize = 0;
        why = "the provider's sizes leave no room for messages";
    }
    SECTION("not decodable") {
        garbage = true;
        why = "the provider's class of service cannot be decoded";
    }
    p.ask();
    p.up.out.clear();
    std::array<std::byte, 1024> room{};
    eta::BeWriter out{room};
    REQUIRE(encode(out, answer, Writer::provider).ok());
    Msg m;
    m.cls = MsgClass::Refresh;
    m.domain = 127;
    m.streamId = 1001;
    m.state = {1, 1, 0, {}};
    m.containerType = DataType::FilterList;
    m.payload = garbage ? out.view().first(7) : out.view();
    p.asking->onMessage(m);
    CHECK(p.consumer.take() == Strings{"3/2 " + why});
    REQUIRE(p.up.out.size() == 1);
    CHECK(Seen(p.up.out[0]).text() == "Close");
    CHECK(p.counters.broken == 1);
}

TEST_CASE("with a login inside the tunnel is open when the provider has accepted that", "[tunnel]") {
    Pair p;
    const bool asksForIt = GENERATE(true, false);
    ConsumerRequest r = Pair::request(windowed());
    r.login = loginRequest(0);
    if (asksForIt) r.classOfService.authentication = Authentication::ommLogin;
    p.offered = windowed();
    p.offered.authentication = Authentication::ommLogin;
    p.ask(r);
    p.settle();
    CHECK(p.consumer.take().empty());
    CHECK(p.asking->submit(DataType::Opaque, content(5)) == SubmitFault::authentication);
    CHECK(p.provider.take() == Strings{"1/1 Successful open of TunnelStream: TUNNEL1"});
    REQUIRE(p.provider.data.size() == 1);
    CHECK(p.provider.data[0] == loginRequest(0));
    CHECK(p.asked->submit(DataType::Opaque, content(5)) == SubmitFault::authentication);

    SECTION("and says so with the login's refresh") {
        REQUIRE(p.asked->submit(loginRefresh(0)) == SubmitFault::none);
        p.settle();
        CHECK(p.consumer.take() == Strings{"1/1 login accepted [login refresh]"});
        CHECK(p.consumer.data.empty());
        CHECK(p.asking->submit(DataType::Opaque, content(5)) == SubmitFault::none);
        // A later word on the login is one on the tunnel.
        Msg m = loginRefresh(0);
        m.cls = MsgClass::Status;
        m.flags = eta::codec::StatusFlag::state;
        m.state = {1, 2, 0, eta::asBytes("permissions changed")};
        REQUIRE(p.asked->submit(m) == SubmitFault::none);
        p.settle();
        CHECK(p.consumer.take() == Strings{"1/2 permissions changed [login status]"});
        CHECK(p.asking->open());
    }
    SECTION("and closes when the login is refused") {
        Msg m = loginRefresh(0);
        m.cls = MsgClass::Status;
        m.flags = eta::codec::StatusFlag::state;
        m.state = {4, 2, 0, eta::asBytes("who are you")};
        REQUIRE(p.asked->submit(m) == SubmitFault::none);
        p.settle();
        CHECK(p.consumer.take() == Strings{"4/2 who are you [login status]"});
        CHECK(p.provider.take() ==
              Strings{"1/2 The consumer closes the stream.", "4/2 The consumer closed the stream."});
        CHECK(p.consumer.ended == 1);
        CHECK(p.provider.ended == 1);
        CHECK(p.seen.back() == "> Close");
    }
    SECTION("and is given up when the answer does not come") {
        p.pass(60'001ms);
        CHECK(p.consumer.take() == Strings{"3/2 Timed out waiting for provider authentication response."});
        p.settle();
        CHECK(p.provider.take() == Strings{"4/2 The consumer closed the stream."});
    }
    SECTION("and hears of a lost connection") {
        p.asking->onConnectionLost();
        p.asked->onConnectionLost();
        CHECK(p.consumer.take() == Strings{"3/2 Channel closed."});
        CHECK(p.provider.take() == Strings{"4/2 Channel closed."});
    }
}

TEST_CASE("what a peer must not send ends the tunnel at both ends", "[tunnel]") {
    Pair p;
    p.open();
    const bool toConsumer = GENERATE(true, false);
    End& end = toConsumer ? static_cast<End&>(*p.asking) : *p.asked;
    Msg m;
    m.cls = MsgClass::Generic;
    m.domain = 127;
    m.streamId = 1001;
    std::string header;
    SECTION("a generic message without a header") {}
    SECTION("an unknown op code") {
        header = "0400";
    }
    SECTION("half a header") {
        header = "02000000";
    }
    SECTION("data without a number") {
        header = "0100";
    }
    SECTION("a request for what was never sent") {
        header = "0200000000000100000001000000010000000030";
    }
    SECTION("another class of message") {
        m.cls = toConsumer ? MsgClass::Update : MsgClass::Post;
    }
    const Block extended = unhex(header);
    if (!header.empty()) {
        m.flags = eta::codec::GenericFlag::extendedHeader;
        m.extendedHeader = extended;
    }
    end.onMessage(m);
    CHECK(end.ended());
    TestUser& told = toConsumer ? p.consumer : p.provider;
    REQUIRE(told.events.size() == 1);
    CHECK(told.events[0].starts_with(toConsumer ? "3/2 " : "4/2 "));
    CHECK(told.ended == 1);
    p.settle();
    CHECK((toConsumer ? p.provider : p.consumer).take().size() == 1);
    CHECK(p.counters.open == 0);
    CHECK(p.counters.broken == 1);
}

TEST_CASE("a tunnel that is closed before its answer says so and hears nothing more", "[tunnel]") {
    Pair p;
    p.ask();
    const bool finalStatus = GENERATE(true, false);
    p.asking->close(finalStatus);
    CHECK(p.consumer.take().size() == (finalStatus ? 1 : 0));
    CHECK(p.consumer.ended == 1);
    p.settle();  // the request, the close, and the refresh that crossed it
    CHECK(p.consumer.events.empty());
    CHECK(p.provider.take() ==
          Strings{"1/1 Successful open of TunnelStream: TUNNEL1", "4/2 The consumer closed the stream."});
}
