// Clients that send their login and all that follows it in one packet: nothing of it is refused for want of an answer
// to the login, and everything comes in its order behind it.
#include "requests.h"

#include "reactor/json/fixture.h"

using namespace emissary;
using namespace emissary::test;
using codec::DataState::ok;
using codec::DataState::suspect;
using json_test::Json;
namespace StreamState = codec::StreamState;

namespace {

/// What the fixture's fields are, for JSON clients.
std::shared_ptr<const eta::dictionary::Dictionary> numbers() {
    auto d = std::make_shared<eta::dictionary::Dictionary>();
    REQUIRE_FALSE(d->parseFields("!tag Type 1\n!tag Version 1.0\n!tag DictionaryId 1\n"
                                 "BID \"BID\" 22 NULL INTEGER 17 UINT64 8\n"
                                 "ASK \"ASK\" 25 NULL INTEGER 17 UINT64 8\n",
                                 "fields"));
    return d;
}

struct Pipelined : PortFixture {
    Pipelined() {
        locked([&] {
            port->setDictionary(numbers());
            return 0;
        });
    }
    /// One write to the socket.
    static void sendTogether(RawConsumer& c, std::vector<Msg> messages) {
        std::vector<std::vector<std::byte>> all;
        for (const Msg& m : messages) {
            std::vector<std::byte>& bytes = all.emplace_back(codec::maxEncodedSize(m) + 64);
            eta::BeWriter out(bytes);
            REQUIRE(codec::encodeMsg(out, m).ok());
            bytes.resize(out.size());
        }
        {
            const std::lock_guard guard(c.channel().outputLock());
            for (const auto& bytes : all)
                REQUIRE(c.channel().write(bytes).ok());
        }
        c.flush();
    }
    [[nodiscard]] std::unique_ptr<TextClient> text() {
        return std::make_unique<TextClient>(webSocketTo(port->port()), [this] { turn(); });
    }
    /// Everything sent so far has been dealt with, where the verdict on the login is not given yet.
    void settle() {
        for (int i = 0; i < 200; ++i)
            loop.dispatch(std::chrono::microseconds(100), 100);
    }
};

Msg login() {
    Msg m;
    rdm::makeLoginRequest(m, "dana", 1, {});
    return m;
}

constexpr const char* kLogin = R"({"ID":1,"Domain":"Login","Key":{"Name":"dana","Elements":{"ApplicationId":"256"}}})";

}  // namespace

TEST_CASE("requests in one packet with the login are served behind its answer", "[hub][client][pipelined]") {
    const bool late = GENERATE(false, true);
    INFO((late ? "the verdict is late" : "the verdict is there"));
    Pipelined f;
    if (late) f.check.verdict.reset();
    RawConsumer c = f.connect();
    Elements e;
    e.names({"A", "B"});
    Msg post;
    post.cls = MsgClass::Post;
    post.streamId = 1;
    post.domain = 6;
    post.flags = codec::PostFlag::postId | codec::PostFlag::complete | codec::PostFlag::msgKey;
    post.postId = 7;
    post.key = request().key;
    Pipelined::sendTogether(c, {login(), request(5), RawConsumer::directoryRequest(3, 3), batch(10, e), post,
                                RawConsumer::close(11), request(6, "LAST")});
    if (late) {
        f.runUntil([&] { return f.check.to != nullptr; });
        f.settle();
        CHECK_FALSE(c.tryNext(std::chrono::milliseconds(0)).has_value());
        CHECK(f.takeAsked().empty());
        f.locked([&] {
            f.check.to->onVerdict(f.check.ticket, {});
            return 0;
        });
    }
    const Received answer = c.next();
    checkState(answer, 1, StreamState::open, ok);
    CHECK(answer.msg.domain == 1);
    checkState(c.next(), 5, StreamState::open, ok);
    const Received directory = c.next();
    checkState(directory, 3, StreamState::open, ok);
    CHECK(directory.msg.domain == 4);
    checkState(c.next(), 11, StreamState::open, ok);
    checkState(c.next(), 12, StreamState::open, ok);
    checkState(c.next(), 10, StreamState::closed, ok);
    checkState(c.next(), 6, StreamState::open, ok);
    CHECK(f.posts == std::vector<std::string>{"dana off-stream 7"});
    f.runUntil([&] { return !f.client().mounts.contains(11); });
    CHECK(f.client().mounts.size() == 3);
    CHECK(f.port->counts().refused[Reason::key].requests == 0);
}

TEST_CASE("texts in one packet with the login are served behind its answer", "[hub][client][pipelined][json]") {
    const bool late = GENERATE(false, true), array = GENERATE(true, false);
    INFO((late ? "the verdict is late" : "the verdict is there") << (array ? ", one array" : ", one after the other"));
    Pipelined f;
    if (late) f.check.verdict.reset();
    const auto c = f.text();
    const std::vector<std::string> texts{
        kLogin,
        R"({"ID":5,"Key":{"Name":"IBM","Service":"FEED"}})",
        R"({"ID":3,"Domain":"Source","Key":{"Filter":3}})",
        R"({"ID":10,"Key":{"Name":["A","B"],"Service":"FEED"}})",
        R"({"ID":1,"Type":"Post","Domain":"MarketPrice","PostID":7,"PostUserInfo":{"Address":"10.0.0.1","UserID":4},)"
        R"("Key":{"Name":"IBM","Service":"FEED"},"Fields":{"BID":4}})",
        R"({"ID":[11],"Type":"Close"})",
        R"({"ID":7,"Key":{"Name":"WAITS","Service":"NOT_YET"}})",
        R"({"ID":6,"Key":{"Name":"LAST","Service":"FEED"}})"};
    if (array) {
        std::string all;
        for (const std::string& one : texts)
            all += (all.empty() ? "" : ",") + one;
        c->send(all);
    } else {
        for (const std::string& one : texts)
            c->send(one);
    }
    if (late) {
        f.runUntil([&] { return f.check.to != nullptr; });
        f.settle();
        CHECK_FALSE(c->ready());
        CHECK(f.takeAsked().empty());
        f.locked([&] {
            f.check.to->onVerdict(f.check.ticket, {});
            return 0;
        });
    }
    std::vector<std::string> got;
    while (got.empty() || !got.back().starts_with("6 ")) {
        const Json text = c->next();
        INFO(text.source);
        const Json* const state = text.find("State");
        got.push_back(text.at("ID").text + " " + text.at("Type").text +
                      (state != nullptr ? " " + state->at("Stream").text + "/" + state->at("Data").text : ""));
    }
    CHECK(got == std::vector<std::string>{"1 Refresh Open/Ok", "5 Refresh Open/Ok", "3 Refresh Open/Ok",
                                          "11 Refresh Open/Ok", "12 Refresh Open/Ok", "10 Status Closed/Ok",
                                          "11 Status Closed/Ok", "7 Status Open/Suspect", "6 Refresh Open/Ok"});
    CHECK(f.posts == std::vector<std::string>{"dana off-stream 7"});
    CHECK(f.client().mounts.size() == 3);
}

TEST_CASE("what came in one packet with a login that is refused goes to nobody", "[hub][client][pipelined][json]") {
    const bool late = GENERATE(false, true);
    Pipelined f;
    LoginVerdict no;
    no.kind = LoginVerdict::Kind::notEntitled;
    if (late) f.check.verdict.reset();
    else f.check.verdict = no;
    RawConsumer c = f.connect();
    const auto texts = f.text();
    const auto refuse = [&] {
        if (!late) return;
        f.runUntil([&] { return f.check.to != nullptr; });
        f.settle();
        f.locked([&] {
            f.check.to->onVerdict(f.check.ticket, no);
            return 0;
        });
        f.check.to = nullptr;
    };
    Pipelined::sendTogether(c, {login(), request(5), RawConsumer::directoryRequest(3, 3)});
    refuse();
    const Received answer = c.next();
    CHECK(answer.msg.domain == 1);
    CHECK(answer.msg.state.isFinal());
    CHECK(c.waitClosed());
    texts->send(std::string(kLogin) + R"(,{"ID":5,"Key":{"Name":"IBM","Service":"FEED"}})");
    refuse();
    const Json text = texts->next();
    CHECK(text.at("Domain").text == "Login");
    texts->untilClosed();
    CHECK_FALSE(texts->ready());
    CHECK(f.takeAsked().empty());
}
