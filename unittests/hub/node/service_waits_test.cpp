// JSON requests that name a service before there is one of that name (hub.md 5.1): they wait for it, as those do that
// name none.
#include "publisher.h"

#include "hub/core/Client.h"
#include "reactor/json/fixture.h"

#include <map>
#include <set>

using namespace emissary;
using namespace emissary::test;
using json_test::Json;

namespace {

constexpr std::uint16_t kLater = 8;  // the provider's id of the service that comes later

struct Waiting : HubFixture {
    explicit Waiting(const std::function<void(HubSettings&)>& change = {})
        : HubFixture([&](HubSettings& s) {
              s.serviceDefaults.unknownItem = UnknownItem::wait;
              if (change) change(s);
          }) {
        plainNumbers = true;
        connected();
        until([this] { return hub->dictionary() != nullptr; });
    }
    [[nodiscard]] std::unique_ptr<TextClient> connect() {
        return std::make_unique<TextClient>(webSocketTo(hub->port()), [this] { turn(); });
    }
    [[nodiscard]] std::unique_ptr<TextClient> text(const std::string& elements = {}) {
        auto c = connect();
        c->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"tess","Elements":{"ApplicationId":"256")" + elements +
                "}}}");
        REQUIRE(c->next("Domain", "Login").at("State").at("Stream").text == "Open");
        return c;
    }
    void serviceComes() {
        auto s = RawProvider::service(kLater, "LATER");
        s.info.dictionariesProvided.reset();
        provider.sendServiceAdd(s);
    }
    /// The next request that wants an image is answered with it.
    std::string answer(std::uint64_t value) {
        for (;;) {
            const RawProvider::Got got = asked();
            if (got.msg.cls != MsgClass::Request || got.msg.has(RequestFlag::noRefresh)) continue;
            CHECK(got.msg.key.serviceId == kLater);
            CHECK_FALSE(got.msg.hasExtendedHeader());
            Msg m = RawProvider::refresh(
                got.msg.streamId, got.msg.has(RequestFlag::streaming) ? StreamState::open : StreamState::nonStreaming);
            fill(m, value);
            provider.send(m);
            return got.name();
        }
    }
};

std::string stateAndCodeOf(const Json& got) {
    INFO(got.source);
    const Json& s = got.at("State");
    const Json* const code = s.find("Code");
    return s.at("Stream").text + "/" + s.at("Data").text + (code != nullptr ? "/" + code->text : "");
}

void checkWaits(const Json& got, const char* name) {
    INFO(got.source);
    CHECK(got.at("Type").text == "Status");
    CHECK(stateAndCodeOf(got) == "Open/Suspect");
    CHECK(got.at("State").at("Text").text == "Service not up yet.");
    CHECK(got.at("Key").at("Name").text == name);
    CHECK(got.at("Key").at("Service").text == "LATER");
    CHECK(got.find("ExtHdr") == nullptr);
}

/// Nothing has come although everything sent so far has been dealt with.
bool silent(TextClient& c) {
    c.send(R"({"ID":999,"Key":{"Name":"none","Service":65000}})");
    return c.next().at("ID").text == "999";
}

constexpr const char* kPost =
    R"("Type":"Post","Domain":"MarketPrice","PostUserInfo":{"Address":"10.0.0.1","UserID":4})";

}  // namespace

TEST_CASE("JSON requests that name a service wait until it comes", "[hub][node][json]") {
    Waiting f;
    const auto c = f.text();
    c->send(R"({"ID":5,"Key":{"Name":"IBM","Service":"LATER"}})");
    checkWaits(c->next(), "IBM");
    c->send(R"({"ID":6,"Key":{"Name":"SNAP","Service":"LATER"},"Streaming":false})");
    checkWaits(c->next(), "SNAP");
    c->send(R"({"ID":7,"Key":{"Name":"VIEW","Service":"LATER"},"View":["PROD_PERM"]})");
    checkWaits(c->next(), "VIEW");
    c->send(R"({"ID":10,"Key":{"Name":["A","B"],"Service":"LATER"}})");
    checkWaits(c->next("ID", "11"), "A");
    checkWaits(c->next("ID", "12"), "B");
    CHECK(stateAndCodeOf(c->next("ID", "10")) == "Closed/Ok");
    // What is closed, or replaced, waits no more.
    c->send(R"({"ID":20,"Key":{"Name":"CLOSED","Service":"LATER"}})");
    checkWaits(c->next(), "CLOSED");
    c->send(R"({"ID":20,"Type":"Close"})");
    c->send(R"({"ID":21,"Key":{"Name":["X","Y"],"Service":"LATER"}})");
    (void)c->next("ID", "21");
    c->send(R"({"ID":[22,23],"Type":"Close"})");
    CHECK(stateAndCodeOf(c->next()) == "Closed/Ok");
    c->send(R"({"ID":24,"Key":{"Name":"FIRST","Service":"LATER"}})");
    checkWaits(c->next(), "FIRST");
    c->send(R"({"ID":24,"Key":{"Name":"SECOND","Service":"LATER"}})");
    checkWaits(c->next(), "SECOND");
    // Other services, and other clients, go on.
    c->send(R"({"ID":30,"Key":{"Name":"NOW","Service":"DIRECT_FEED"}})");
    f.refresh(f.asked().msg.streamId, 1, "NOW");
    CHECK(c->next().at("Type").text == "Refresh");
    {
        const auto gone = f.text();
        gone->send(R"({"ID":5,"Key":{"Name":"GONE","Service":"LATER"}})");
        checkWaits(gone->next(), "GONE");
    }
    f.until([&] { return f.hub->rooms().clients.size() == 1; });
    CHECK(silent(*c));

    f.serviceComes();
    const std::map<std::string, std::string> wanted{{"IBM", "5"}, {"SNAP", "6"}, {"VIEW", "7"},
                                                    {"A", "11"},  {"B", "12"},   {"SECOND", "24"}};
    for (const char* const name : {"IBM", "SNAP", "VIEW", "A", "B", "SECOND"}) {  // in the order of the streams
        CHECK(f.answer(50) == name);
        const Json got = c->next();
        INFO(got.source);
        CHECK(got.at("Type").text == "Refresh");
        CHECK(got.at("ID").text == wanted.at(name));
        CHECK(got.at("Key").at("Name").text == name);
        CHECK(got.at("Key").at("Service").text == "LATER");
        CHECK(got.at("Fields").at("PROD_PERM").text == "50");
        CHECK(stateAndCodeOf(got) == (std::string(name) == "SNAP" ? "NonStreaming/Ok" : "Open/Ok"));
    }
    CHECK(silent(*c));
    // From here on it is a service like others.
    c->send(R"({"ID":40,"Key":{"Name":"LAST","Service":"LATER"}})");
    CHECK(f.answer(60) == "LAST");
    CHECK(c->next().at("Type").text == "Refresh");
    // A stream that is open keeps its service.
    c->send(R"({"ID":40,"Key":{"Name":"LAST","Service":"NOWHERE"}})");
    const Json other = c->next();
    INFO(other.source);
    CHECK(stateAndCodeOf(other) == "ClosedRecover/Suspect/UsageError");
}

TEST_CASE("a JSON request waits for a service of publishers, as one over RIPC that names none", "[hub][node][json]") {
    const bool named = GENERATE(true, false);
    // Whoever asked before the feed was there is not told that there is no such item.
    const UnknownItem unknown = GENERATE(UnknownItem::wait, UnknownItem::close);
    Waiting f([&](HubSettings& s) {
        s.serviceDefaults.unknownItem = unknown;
        if (!named) s.listeners[0].defaultService = "NI_FEED";
    });
    const auto c = f.text();
    RawConsumer raw = f.loggedIn("raw");
    c->send(named ? R"({"ID":5,"Key":{"Name":"IBM","Service":"NI_FEED"}})" : R"({"ID":5,"Key":{"Name":"IBM"}})");
    CHECK(stateAndCodeOf(c->next()) == "Open/Suspect");
    raw.send(RawConsumer::request(6, 6, "IBM", named ? std::optional(HubFixture::kId) : std::nullopt));
    if (named) f.refresh(f.asked().msg.streamId, 1);
    else checkState(raw.next(), 6, StreamState::open, suspect);
    Publisher p(f);
    p.refresh(-1, "IBM", 10);
    Json got = c->next();
    while (got.at("Type").text != "Refresh") {  // unless the image was there first
        CHECK(stateAndCodeOf(got) == "Open/Suspect");
        got = c->next();
    }
    CHECK(got.at("Fields").at("PROD_PERM").text == "10");
    CHECK(got.at("Key").at("Service").text == "NI_FEED");
    if (named) return;
    Received other = raw.next();
    while (other.msg.cls != MsgClass::Refresh)
        other = raw.next();
    CHECK(HubFixture::fields(other.msg) == "1=10");
}

TEST_CASE("the wait for a service ends with ServiceWaitTimeOut", "[hub][node][json]") {
    Waiting f([](HubSettings& s) {
        s.serviceWait = std::chrono::milliseconds(150);
        s.listeners[0].defaultService = "DEFAULT";
    });
    const auto c = f.text();
    RawConsumer raw = f.loggedIn("raw");
    raw.send(RawConsumer::request(6, 6, "IBM"));
    checkState(raw.next(), 6, StreamState::open, suspect);
    c->send(R"({"ID":5,"Key":{"Name":"IBM","Service":"LATER"}})");
    c->send(R"({"ID":10,"Key":{"Name":["A","B"],"Service":"LATER"}})");
    const Received closed = raw.next();
    checkState(closed, 6, StreamState::closed, suspect, 15);
    CHECK(closed.stateText().find("ServiceWaitTimeOut") != std::string::npos);
    for (std::set<std::string> open{"5", "11", "12"}; !open.empty();) {
        const Json got = c->next();
        INFO(got.source);
        if (stateAndCodeOf(got) == "Open/Suspect" || got.at("ID").text == "10") continue;
        CHECK(open.erase(got.at("ID").text) == 1);
        CHECK(stateAndCodeOf(got) == "Closed/Suspect/SourceUnknown");
        CHECK(got.at("State").at("Text").text.find("'LATER'") != std::string::npos);
        CHECK(got.at("Key").at("Service").text == "LATER");
    }
    f.serviceComes();
    c->send(R"({"ID":5,"Key":{"Name":"IBM","Service":"LATER"}})");
    CHECK(f.answer(50) == "IBM");
    Json got = c->next();
    while (got.at("Type").text == "Status") {  // it was quicker than the service
        checkWaits(got, "IBM");
        got = c->next();
    }
    CHECK(got.at("Type").text == "Refresh");
}

TEST_CASE("who does not wait for a service is told that there is none", "[hub][node][json]") {
    Waiting f;
    const auto c = f.text(R"(,"SingleOpen":0)"), waits = f.text();
    c->send(R"({"ID":5,"Key":{"Name":"IBM","Service":"LATER"}})");
    const Json refused = c->next();
    INFO(refused.source);
    CHECK(stateAndCodeOf(refused) == "Closed/Suspect/SourceUnknown");
    CHECK(refused.at("Key").at("Service").text == "LATER");
    waits->send(R"({"ID":6,"Key":{"Name":"IBM","Service":"LATER"},"Private":true})");
    CHECK(stateAndCodeOf(waits->next()) == "Closed/Suspect/SourceUnknown");
    waits->send(R"({"ID":7,"Key":{"Name":"IBM","Service":65000}})");
    CHECK(stateAndCodeOf(waits->next()) == "Closed/Suspect/SourceUnknown");
}

TEST_CASE("posts to a service that is not there are refused one by one", "[hub][node][json]") {
    Waiting f;
    const auto c = f.text();
    c->send(R"({"ID":5,"Key":{"Name":"IBM"}})");
    f.refresh(f.asked().msg.streamId, 10);
    CHECK(c->next().at("Type").text == "Refresh");
    const std::string post = kPost;
    const std::string key = R"("Key":{"Name":"IBM","Service":"LATER"},"Fields":{"PROD_PERM":4})";
    c->send(R"({"ID":1,)" + post + R"(,"Ack":true,"PostID":7,"SeqNumber":70,)" + key + "}," +  // off-stream
            R"({"ID":1,)" + post + "," + key + "}," +                                          // wants no answer
            R"({"ID":5,)" + post + R"(,"Ack":true,"PostID":8,)" + key + "}," +                 // on-stream
            R"({"ID":1,)" + post +
            R"(,"Ack":true,"PostID":9,"Key":{"Name":"IBM","Service":"DIRECT_FEED"},"Fields":{"PROD_PERM":4}})");
    for (const char* const id : {"7", "8"}) {
        const Json got = c->next();
        INFO(got.source);
        CHECK(got.at("Type").text == "Ack");
        CHECK(got.at("AckID").text == id);
        CHECK(got.at("NakCode").text == "SourceUnknown");
        CHECK(got.at("Text").text == "there is no such service");
        CHECK(got.at("Key").at("Name").text == "IBM");
        CHECK(got.at("Key").at("Service").text == "LATER");
        if (got.at("AckID").text == "7") CHECK(got.at("SeqNumber").text == "70");
    }
    const RawProvider::Got taken = f.asked();  // what stands behind them is taken
    CHECK(taken.msg.cls == MsgClass::Post);
    CHECK(taken.name() == "IBM");
    // What is neither a request nor a post has no use for a service that is not there.
    c->send(R"({"ID":5,"Type":"Generic","Key":{"Name":"IBM","Service":"LATER"}})");
    CHECK(c->next().at("Type").text == "Error");
}

TEST_CASE("requests in one text with the login wait for their service all the same", "[hub][node][json]") {
    Waiting f;
    const auto c = f.connect();
    c->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"tess"}},)"
            R"({"ID":5,"Key":{"Name":"IBM","Service":"LATER"}},)"
            R"({"ID":6,"Key":{"Name":"NOW","Service":"DIRECT_FEED"}})");
    CHECK(c->next().at("Domain").text == "Login");
    checkWaits(c->next(), "IBM");
    f.refresh(f.asked().msg.streamId, 1, "NOW");
    CHECK(c->next().at("ID").text == "6");
    f.serviceComes();
    CHECK(f.answer(50) == "IBM");
    CHECK(c->next().at("Type").text == "Refresh");
}
