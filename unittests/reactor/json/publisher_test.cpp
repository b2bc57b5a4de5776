// A publisher that speaks JSON at the port for publishers: any stream ids, and messages that cannot be read.
#include "reactor/acceptor/AcceptorRole.h"
#include "reactor/json/fixture.h"
#include "support/catch.hpp"

#include <algorithm>

using namespace emissary::test;
using namespace emissary;
namespace acceptor = reactor::acceptor;

namespace {

/// The port on a loop of its own; keeps what its handler is told as lines.
class PublisherPort final : public acceptor::AcceptorHandler {
public:
    PublisherPort() : loop(withJson({})) {
        acceptor::AcceptorOptions options;
        options.bind.port = "0";
        options.bind.connectionType = eta::transport::ConnectionType::webSocket;
        options.dictionaries.push_back({"RWFFld", ServedDictionary::Kind::fields, smallDictionary()});
        const std::lock_guard guard(loop.lock());
        role = std::make_unique<acceptor::AcceptorRole>(loop, std::move(options), *this);
        REQUIRE_FALSE(role->listen());
    }
    ~PublisherPort() override {
        const std::lock_guard guard(loop.lock());
        role.reset();
    }
    void onDirectory(std::uint64_t, const reactor::rdm::Directory& directory, const codec::Msg&) override {
        lines.push_back(directory.find("FEED") != nullptr ? "directory with FEED" : "directory");
    }
    void onItem(std::uint64_t publisher, const acceptor::PublishedStream& s, const codec::Msg& m) override {
        last = publisher;
        std::string line = std::to_string(s.streamId) + " " + s.name + " " + codec::name(m.cls);
        if (m.cls == codec::MsgClass::Status)
            line += " " + std::to_string(m.state.stream) + "/" + std::to_string(m.state.data);
        lines.push_back(line);
    }
    void onIgnored(std::uint64_t, const std::string& why) override { ignored.push_back(why); }
    void onPublisherDown(std::uint64_t, const std::string& reason) override { lines.push_back("down " + reason); }

    void turn() { loop.dispatch(std::chrono::microseconds(0), 100); }
    void until(const std::string& line) {
        REQUIRE(
            turnUntil([&] { return std::find(lines.begin(), lines.end(), line) != lines.end(); }, [this] { turn(); }));
    }

    Reactor loop;
    std::unique_ptr<acceptor::AcceptorRole> role;
    std::vector<std::string> lines, ignored;
    std::uint64_t last = 0;
};

std::string directoryOn(const std::string& id) {
    return R"({"ID":)" + id +
           R"(,"Type":"Refresh","Domain":"Source","Solicited":false,"Key":{"Filter":3},"Map":{"KeyType":"UInt",)"
           R"("Entries":[{"Action":"Add","Key":1,"FilterList":{"Entries":[{"ID":1,"Action":"Set","Elements":{"Name":)"
           R"("FEED","Capabilities":{"Type":"Array","Data":{"Type":"UInt","Data":[6]}}}},{"ID":2,"Action":"Set",)"
           R"("Elements":{"ServiceState":1,"AcceptingRequests":1}}]}}]}})";
}

}  // namespace

TEST_CASE("a JSON publisher logs in and publishes on whatever stream ids it likes", "[reactor][json][publisher]") {
    PublisherPort port;
    const std::string login = GENERATE("0", "-1", "1", "77");
    TextClient c(webSocketTo(port.role->port()), [&] { port.turn(); });
    c.send(R"({"ID":)" + login +
           R"(,"Domain":"Login","Key":{"Name":"pub","Elements":{"Role":"1","ApplicationId":256}}})");
    const auto accepted = c.next();
    CHECK(accepted.at("ID").text == login);
    CHECK(accepted.at("State").at("Stream").text == "Open");
    c.send(directoryOn("3"));
    port.until("directory with FEED");
    for (const std::string id : {"5", "-9", "12"}) {
        c.send(R"({"ID":)" + id + R"(,"Type":"Refresh","Solicited":false,"Key":{"Service":"FEED","Name":"I)" + id +
               R"("},"Fields":{"BID":1}})");
        port.until(id + " I" + id + " Refresh");
    }
    CHECK(port.ignored.empty());
    // What goes to the publisher's login goes to the stream that it chose.
    codec::Msg generic;
    generic.cls = codec::MsgClass::Generic;
    generic.domain = 1;
    generic.streamId = 1;
    generic.flags = codec::GenericFlag::complete;
    {
        const std::lock_guard guard(port.loop.lock());
        CHECK(port.role->send(port.last, generic).ok());
    }
    CHECK(c.next("Type", "Generic").at("ID").text == login);
    c.send(R"({"ID":)" + login + R"(,"Type":"Close","Domain":"Login"})");
    port.until("down login closed by the publisher");
}

TEST_CASE("what a JSON publisher sends and nobody can read makes its item suspect", "[reactor][json][publisher]") {
    PublisherPort port;
    TextClient c(webSocketTo(port.role->port()), [&] { port.turn(); });
    c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"pub","Elements":{"Role":1}}})");
    CHECK(c.next().at("State").at("Stream").text == "Open");
    c.send(directoryOn("-1") +
           R"(,{"ID":-2,"Type":"Refresh","Key":{"Service":"FEED","Name":"A"},"Fields":{"NO_FIELD":1}},)"
           R"({"ID":-3,"Type":"Refresh","Key":{"Service":"FEED","Name":"B"},"Fields":{"BID":1}},)"
           R"({"ID":-3,"Type":"Update","Fields":{"BID":"1"}},{"ID":-3,"Type":"Update","Fields":{"BID":2}})");
    port.until("-3 B Update");
    CHECK(port.lines == std::vector<std::string>{"directory with FEED", "-2 A Status 1/2", "-3 B Refresh",
                                                 "-3 B Status 1/2", "-3 B Update"});
    CHECK(c.next("Type", "Error").at("ID").text == "-2");
    CHECK(c.next("Type", "Error").at("ID").text == "-3");
}

TEST_CASE("a state that is none is no JSON message, whoever sends it", "[reactor][json]") {
    const std::string state =
        GENERATE(R"({"Stream":"Open","Data":3})", R"({"Stream":"Open","Data":7})", R"({"Stream":6,"Data":"Ok"})",
                 R"({"Stream":31,"Data":1})", R"({"Stream":"Open","Data":256})", R"({"Stream":-1,"Data":1})");
    CAPTURE(state);
    SECTION("a publisher") {
        PublisherPort port;
        TextClient c(webSocketTo(port.role->port()), [&] { port.turn(); });
        c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"pub","Elements":{"Role":1}}})");
        CHECK(c.next().at("State").at("Stream").text == "Open");
        c.send(directoryOn("-1") + R"(,{"ID":-2,"Type":"Refresh","State":)" + state +
               R"(,"Key":{"Service":"FEED","Name":"A"},"Fields":{"BID":1}},)"
               R"({"ID":-3,"Type":"Refresh","Key":{"Service":"FEED","Name":"B"},"Fields":{"BID":1}})");
        port.until("-3 B Refresh");
        CHECK(std::find(port.lines.begin(), port.lines.end(), "-2 A Refresh") == port.lines.end());
        CHECK(c.next("Type", "Error").at("ID").text == "-2");
    }
    SECTION("a client") {
        ProviderFixture f(jsonProvider());
        TextClient c(webSocketTo(f.role->port()), [&f] { f.turn(); });
        c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
        f.runUntil([&] { return f.app.told.size() == 1; });
        c.send(R"({"ID":1,"Type":"Status","Domain":"Login","State":)" + state + "}");
        CHECK(c.next("Type", "Error").at("ID").text == "1");
        CHECK(f.app.told.size() == 1);
    }
}
