// A provider and an acceptor that meet on multicast groups: who answers, who comes late, who comes back.
#include "reactor/niprovider/fixture.h"
#include "support/udp_port.h"

using namespace emissary;
using namespace emissary::test;
using Phase = NiProviderRole::Phase;

namespace {

struct Group {
    std::string up = std::to_string(freeUdpPort()), down = std::to_string(freeUdpPort());  // from and to the provider
    std::unique_ptr<NiAcceptor> acceptor;
    Publisher publisher{0, [this] {
                            if (acceptor) acceptor->turn(std::chrono::microseconds(0));
                        }};

    Group() { publisher.options.channels[0].connect = options(down, up); }
    static eta::transport::ConnectOptions options(const std::string& hears, const std::string& sends) {
        eta::transport::ConnectOptions o;
        o.connectionType = eta::transport::ConnectionType::reliableMulticast;
        o.interfaceName = "lo";
        o.guaranteedOutputBuffers = 500;
        o.multicast.receiveAddress = o.multicast.sendAddress = "239.255.17.1";
        o.multicast.receivePort = hears;
        o.multicast.sendPort = sends;
        o.multicast.unicastPort = "0";
        return o;
    }
    void accept() {
        NiAcceptor::Options o;
        o.group = options(up, down);
        acceptor = std::make_unique<NiAcceptor>(NiAcceptor::Run::manual, o);
    }
    [[nodiscard]] bool heard(const std::string& start) {
        for (const std::string& l : acceptor->lines())
            if (l.starts_with(start)) return true;
        return false;
    }
    void untilHeard(const std::string& start) {
        INFO(start);
        publisher.until([&] { return heard(start); });
    }
    void forAWhile(std::chrono::milliseconds span) {
        const auto end = std::chrono::steady_clock::now() + span;
        while (std::chrono::steady_clock::now() < end)
            publisher.turn();
    }
};

}  // namespace

TEST_CASE("a provider logs in to whoever answers on its group", "[niprovider][multicast]") {
    Group g;
    g.accept();
    g.publisher.ready();
    g.untilHeard("LOGIN user role 1");
    g.untilHeard("DIR RFSH 0 0x148 filter 3: 1 NI_PUB up");
    CHECK(g.publisher.submit(1, Publisher::refresh("A")) == PublishFault::none);
    CHECK(g.publisher.submit(1, Publisher::update()) == PublishFault::none);
    g.untilHeard("RFSH -1 d6 0x48 svc 1 A Open/Ok/0");
    g.untilHeard("UPD -1 d6 0x0 A");
    CHECK(g.acceptor->post("A", 5) == 1);
    g.publisher.until([&] { return !g.publisher.onItems.empty(); });
    CHECK(g.publisher.onItems.front() == "1 POST");
    CHECK(g.acceptor->totals().ignored == 0);
}

TEST_CASE("an acceptor that starts a moment later gets the login all the same", "[niprovider][multicast]") {
    Group g;
    g.publisher.start();
    g.publisher.until([&] { return g.publisher.role->phase() == Phase::loggingIn; });
    g.forAWhile(std::chrono::milliseconds(50));
    g.accept();
    g.publisher.ready();
    g.untilHeard("DIR RFSH");
}

TEST_CASE("an acceptor that restarted asks for everything anew", "[niprovider][multicast]") {
    Group g;
    // The provider keeps nothing for those who come late.
    auto& o = g.publisher.options.channels[0].connect.multicast;
    o.tdata = o.trreq = o.tbchold = 0;
    g.accept();
    g.publisher.ready();
    CHECK(g.publisher.submit(1, Publisher::refresh("A")) == PublishFault::none);
    g.untilHeard("RFSH -1 d6 0x48 svc 1 A");
    g.acceptor.reset();
    g.forAWhile(std::chrono::milliseconds(400));
    g.accept();
    CHECK(g.publisher.submit(1, Publisher::update()) == PublishFault::none);
    g.publisher.until([&] { return g.publisher.role->phase() == Phase::backingOff; });
    CHECK(g.heard("IGNORED Update message, stream -1"));
    g.publisher.clock.advance(std::chrono::seconds(6));
    g.publisher.ready();
    g.untilHeard("LOGIN user");
    g.untilHeard("DIR RFSH");
    CHECK(g.publisher.submit(1, Publisher::refresh("A")) == PublishFault::none);
    g.untilHeard("RFSH -1 d6 0x48 svc 1 A");
}

TEST_CASE("a refused login ends the provider, and the acceptor hears the next one", "[niprovider][multicast]") {
    Group g;
    g.accept();
    g.acceptor->refuseLogins(true);
    g.publisher.start();
    g.publisher.until([&] { return g.publisher.role->loginRefused(); });
    g.acceptor->refuseLogins(false);
    Publisher next{0, [&] { g.acceptor->turn(std::chrono::microseconds(0)); }};
    next.options.channels[0].connect = Group::options(g.down, g.up);
    next.ready();
    CHECK(g.acceptor->totals().logins == 2);
}
