// Dictionaries that the provider asks its clients for.
#include "ProviderFixture.h"

#include "reactor/json/fixture.h"

#include "reactor/GrowingBuffer.h"
#include "reactor/rdm/Login.h"
#include "support/StillClock.h"

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

/// Answers of the clients to the provider's own requests.
class AskingApplication final : public ProviderHandler {
public:
    struct Answer {
        StreamEvent event;
        codec::MsgClass cls{};
        codec::State state;
        std::string text, name;
        bool complete = false, last = false;
    };
    ProviderRole* role = nullptr;
    std::vector<Answer> answers;
    std::vector<std::uint64_t> clients, logins;
    std::string refused;  ///< why, at last

    void onRefused(std::uint64_t, const std::string& text) override { refused = text; }

    void onRequest(const StreamEvent& e, const codec::Msg& m) override {
        clients.push_back(e.clientHandle);
        logins.push_back(e.handle);
        codec::Msg refresh = Application::refresh();
        refresh.key = m.key;
        refresh.flags |= codec::RefreshFlag::msgKey;
        CHECK(role->submit(e.handle, refresh).ok());
    }
    void onReissue(const StreamEvent&, const codec::Msg&) override {}
    void onClose(const StreamEvent&, const codec::Msg&) override {}
    void onPost(const StreamEvent&, const codec::Msg&) override {}
    void onGeneric(const StreamEvent&, const codec::Msg&) override {}
    void onAnswer(const StreamEvent& e, const codec::Msg& m, bool last) override {
        Answer a{e, m.cls, {}, {}, {}, false, last};
        if (m.hasState()) {
            a.state = m.state;
            a.text = eta::asText(m.state.text);
        }
        if (m.hasKey()) a.name = eta::asText(m.key.name);
        a.complete = m.cls == codec::MsgClass::Refresh && m.has(codec::RefreshFlag::complete);
        answers.push_back(std::move(a));
    }
};

struct Asking {
    StillClock clock;
    Reactor loop;
    AskingApplication app;
    std::unique_ptr<ProviderRole> role;
    explicit Asking(std::chrono::milliseconds timeout = 15s, ProviderOptions options = ProviderFixture::defaults())
        : loop(withJson(optionsOf(clock))) {
        options.bind.port = "0";
        options.requestTimeout = timeout;
        const std::lock_guard guard(loop.lock());
        role = std::make_unique<ProviderRole>(loop, std::move(options), app);
        app.role = role.get();
        REQUIRE_FALSE(role->listen());
    }
    ~Asking() {
        const std::lock_guard guard(loop.lock());
        role.reset();
    }
    [[nodiscard]] static ReactorOptions optionsOf(const StillClock& clock) {
        ReactorOptions o;
        o.clock = &clock;
        return o;
    }
    void turn() { loop.dispatch(0us, 100); }
    [[nodiscard]] RawConsumer login(bool servesDictionaries) {
        RawConsumer c(role->port(), [this] { turn(); });
        codec::Msg m = RawConsumer::loginRequest("user");
        GrowingBuffer attributes;
        rdm::LoginAttributes a;
        if (servesDictionaries) a.supportDictionaryDownload = 1;
        REQUIRE(rdm::encodeLogin(attributes.start(), a).ok());
        m.key.flags |= codec::KeyFlag::attrib;
        m.key.attribType = codec::DataType::ElementList;
        m.key.attrib = attributes.view();
        c.send(m);
        REQUIRE(c.next().msg.domain == 1);
        return c;
    }
    template <class Call>
    auto locked(Call call) {
        const std::lock_guard guard(loop.lock());
        return call(*role);
    }
    std::uint64_t ask(bool streaming = true, std::optional<std::uint16_t> service = std::uint16_t{1}) {
        codec::Msg m = request(streaming, service);
        const auto asked = locked([&](ProviderRole& r) { return r.request(m); });
        CHECK(asked.fault == SubmitFault::none);
        CHECK(asked.handle != 0);
        return asked.handle;
    }
    [[nodiscard]] static codec::Msg request(bool streaming = true,
                                            std::optional<std::uint16_t> service = std::uint16_t{1}) {
        codec::Msg m = RawConsumer::request(0, 5, "RWFFld", service);
        m.key.flags |= codec::KeyFlag::filter;
        m.key.filter = 7;
        if (!streaming) m.flags = 0;
        return m;
    }
    void runUntil(const std::function<bool()>& done) {
        REQUIRE(turnUntil(done, [this] { loop.dispatch(1000us, 100); }));
    }
};

[[nodiscard]] codec::Msg part(std::int32_t streamId, bool complete, std::uint8_t stream = codec::StreamState::open) {
    codec::Msg m = Application::refresh(stream);
    m.domain = 5;
    m.streamId = streamId;
    m.flags = codec::RefreshFlag::solicited | (complete ? codec::RefreshFlag::complete : std::uint16_t{0});
    return m;
}

}  // namespace

TEST_CASE("a provider asks a client for a dictionary", "[reactor][provider][own]") {
    Asking f;
    CHECK(f.locked([](ProviderRole& r) { return r.request(Asking::request()); }).fault == SubmitFault::noClient);
    RawConsumer plain = f.login(false), serving = f.login(true);
    const std::uint64_t handle = f.ask();
    const Received got = serving.next();
    CHECK(got.msg.cls == codec::MsgClass::Request);
    CHECK(got.msg.streamId == -1);
    CHECK(got.msg.domain == 5);
    CHECK(got.name() == "RWFFld");
    CHECK(got.msg.key.filter == 7);
    CHECK(got.msg.key.serviceId == 1);
    CHECK(got.msg.has(codec::RequestFlag::streaming));
    CHECK(plain.silent());

    SECTION("its parts, a status and a generic message arrive; the handle stays") {
        serving.send(part(-1, false));
        serving.send(part(-1, true));
        codec::Msg status = Application::status(codec::StreamState::open);
        status.domain = 5;
        status.streamId = -1;
        serving.send(status);
        codec::Msg generic;
        generic.cls = codec::MsgClass::Generic;
        generic.domain = 5;
        generic.streamId = -1;
        serving.send(generic);
        f.runUntil([&] { return f.app.answers.size() == 4; });
        CHECK_FALSE(f.app.answers[0].complete);
        CHECK(f.app.answers[1].complete);
        CHECK(f.app.answers[3].cls == codec::MsgClass::Generic);
        for (const auto& a : f.app.answers) {
            CHECK(a.event.handle == handle);
            CHECK(a.event.clientHandle == f.app.clients[1]);
            CHECK_FALSE(a.last);
        }
        f.clock.advance(60s);  // answered: no timeout any more
        f.turn();
        CHECK(f.app.answers.size() == 4);
    }
    SECTION("a final status ends it; what comes later is refused") {
        codec::Msg status = Application::status(codec::StreamState::closed);
        status.domain = 5;
        status.streamId = -1;
        serving.send(status);
        f.runUntil([&] { return f.app.answers.size() == 1; });
        CHECK(f.app.answers[0].last);
        CHECK_FALSE(f.locked([&](ProviderRole& r) { return r.cancel(handle); }));
        serving.send(part(-1, true));
        checkRefusal(serving.next(), -1);
        CHECK(f.app.answers.size() == 1);
    }
    SECTION("an answer from another client is none") {
        plain.send(part(-1, true));
        checkRefusal(plain.next(), -1);
        CHECK(f.app.answers.empty());
    }
    SECTION("cancelled it is closed, silently") {
        CHECK(f.locked([&](ProviderRole& r) { return r.cancel(handle); }));
        const Received close = serving.next();
        CHECK(close.msg.cls == codec::MsgClass::Close);
        CHECK(close.msg.streamId == -1);
        f.clock.advance(60s);
        f.turn();
        CHECK(f.app.answers.empty());
    }
    SECTION("reissued it keeps its stream, service and name") {
        codec::Msg again = Asking::request();
        again.key.flags = codec::KeyFlag::filter;
        again.key.filter = 15;
        CHECK(f.locked([&](ProviderRole& r) { return r.reissue(handle, again); }).ok());
        const Received second = serving.next();
        CHECK(second.msg.streamId == -1);
        CHECK(second.msg.key.filter == 15);
        CHECK(second.name() == "RWFFld");
        CHECK(second.msg.key.serviceId == 1);
        const auto refused = [&](const codec::Msg& m) {
            return f.locked([&](ProviderRole& r) { return r.reissue(handle, m); }).fault == SubmitFault::badRequest;
        };
        CHECK(refused(Asking::request(false)));
        CHECK(refused(Asking::request(true, std::uint16_t{2})));
        codec::Msg other = Asking::request();
        other.key.name = eta::asBytes("RWFEnum");
        CHECK(refused(other));
        CHECK(f.locked([&](ProviderRole& r) { return r.reissue(handle + 1, Asking::request()); }).fault ==
              SubmitFault::unknownHandle);
    }
    SECTION("no answer in time closes it") {
        f.clock.advance(14s);
        f.turn();
        serving.send(part(-1, false));  // each part starts the time anew
        f.runUntil([&] { return f.app.answers.size() == 1; });
        f.clock.advance(14s);
        f.turn();
        CHECK(f.app.answers.size() == 1);
        f.clock.advance(2s);
        f.runUntil([&] { return f.app.answers.size() == 2; });
        CHECK(f.app.answers[1].last);
        CHECK(f.app.answers[1].state.stream == codec::StreamState::closed);
        CHECK(int{f.app.answers[1].state.code} == 2);
        CHECK(f.app.answers[1].name == "RWFFld");
        CHECK(serving.next().msg.cls == codec::MsgClass::Close);
        CHECK(f.role->counters().askTimeouts == 1);
    }
    const auto closedRecover = [&] {
        f.runUntil([&] { return !f.app.answers.empty(); });
        REQUIRE(f.app.answers.size() == 1);
        CHECK(f.app.answers[0].cls == codec::MsgClass::Status);
        CHECK(f.app.answers[0].event.handle == handle);
        CHECK(f.app.answers[0].state.stream == codec::StreamState::closedRecover);
        CHECK(f.app.answers[0].state.data == codec::DataState::suspect);
        CHECK(f.app.answers[0].last);
    };
    SECTION("the client goes") {
        serving.disconnect();
        closedRecover();
    }
    SECTION("the client logs out") {
        serving.send(RawConsumer::close(1, 1));
        closedRecover();
    }
    SECTION("the application closes the client") {
        CHECK(f.locked([&](ProviderRole& r) { return r.closeClient(f.app.clients[1]); }));
        CHECK(f.app.answers.empty());  // from the loop, not from inside the call
        closedRecover();
    }
    SECTION("the application closes the client's login") {
        codec::Msg status = Application::status(codec::StreamState::closed);
        CHECK(f.locked([&](ProviderRole& r) { return r.submit(f.app.logins[1], status); }).ok());
        closedRecover();
    }
    SECTION("the service is deleted") {
        GrowingBuffer payload;
        const std::uint16_t id = 1;
        REQUIRE(rdm::Directory::encodeDeletes(payload.start(), {&id, 1}).ok());
        codec::Msg update = Application::update();
        update.domain = 4;
        update.containerType = codec::DataType::Map;
        update.payload = payload.view();
        CHECK(f.locked([&](ProviderRole& r) { return r.submitToAll(update); }).ok());
        CHECK(f.app.answers.empty());
        closedRecover();
        CHECK(serving.next().msg.cls == codec::MsgClass::Close);
    }
}

TEST_CASE("own requests that cannot be", "[reactor][provider][own]") {
    Asking f;
    RawConsumer c = f.login(false);
    const auto faultOf = [&](const codec::Msg& m) {
        return f.locked([&](ProviderRole& r) { return r.request(m); }).fault;
    };
    codec::Msg m = Asking::request();
    m.domain = 6;
    CHECK(faultOf(m) == SubmitFault::badRequest);
    m = Asking::request();
    m.key.flags &= static_cast<std::uint16_t>(~codec::KeyFlag::name);
    CHECK(faultOf(m) == SubmitFault::badRequest);
    m = Asking::request();
    m.key.flags |= codec::KeyFlag::nameType;
    m.key.nameType = 2;
    CHECK(faultOf(m) == SubmitFault::badRequest);
    SECTION("an unknown service is told from the loop") {
        (void)f.ask(true, std::uint16_t{99});
        CHECK(f.app.answers.empty());
        f.runUntil([&] { return f.app.answers.size() == 1; });
        CHECK(f.app.answers[0].state.stream == codec::StreamState::closed);
        CHECK(int{f.app.answers[0].state.code} == 15);
        CHECK(c.silent());
    }
    SECTION("a client that serves none is asked when there is no other") {
        const std::uint64_t first = f.ask(false), second = f.ask(false, std::nullopt);
        CHECK(first != second);
        CHECK(c.next().msg.streamId == -1);
        CHECK(c.next().msg.streamId == -2);
        c.send(part(-1, true, codec::StreamState::nonStreaming));
        c.send(part(-2, true));  // open, although a snapshot was asked for
        f.runUntil([&] { return f.app.answers.size() == 2; });
        for (const auto& a : f.app.answers) {
            CHECK(a.last);
            CHECK(a.state.stream == codec::StreamState::nonStreaming);
        }
        const Received close = c.next();
        CHECK(close.msg.cls == codec::MsgClass::Close);
        CHECK(close.msg.streamId == -2);
    }
}

// A close that finds no room ends the client, and with it the requests that are being closed.
TEST_CASE("closing own requests of a client that does not read", "[reactor][provider][own][json]") {
    const bool json = GENERATE(false, true);
    INFO("json " << json);
    ProviderOptions options = json ? jsonProvider() : ProviderFixture::defaults();
    options.bind.sysSendBufSize = 8192;
    options.bind.guaranteedOutputBuffers = 20;
    Asking f(15s, std::move(options));
    std::unique_ptr<RawConsumer> binary;
    std::unique_ptr<TextClient> text;
    if (json) {
        auto to = webSocketTo(f.role->port());
        to.sysRecvBufSize = 8192;
        text = std::make_unique<TextClient>(to, [&f] { f.turn(); });
        text->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"user"}})");
        CHECK(text->next().at("Domain").text == "Login");
    } else {
        auto to = RawConsumer::optionsFor(f.role->port());
        to.sysRecvBufSize = 8192;
        binary = std::make_unique<RawConsumer>(to, [&f] { f.turn(); });
        binary->send(RawConsumer::loginRequest("user"));
        CHECK(binary->next().msg.domain == 1);
    }
    std::vector<std::uint64_t> asked;
    constexpr std::size_t kAsked = 20'000;
    while (asked.size() < kAsked) {
        asked.push_back(f.ask());
        if (json) (void)text->next();
        else (void)binary->next();
    }
    const auto beRefused = [&] {
        if (json) text->send(R"({"ID":9,"Domain":"Dictionary","Key":{"Name":"none there is","Service":1,"Filter":7}})");
        else binary->send(RawConsumer::dictionaryRequest(9, "none there is"));
    };
    // Refusals that the client does not read, until there is room for a quarter of a megabyte more.
    beRefused();
    f.runUntil([&] { return f.role->counters().refused == 1; });
    codec::Msg refusal = Application::status(codec::StreamState::closedRecover);
    refusal.domain = 5;
    refusal.streamId = 9;
    refusal.state.text = eta::asBytes(f.app.refused);
    GrowingBuffer encoded;
    REQUIRE(codec::encodeMsg(encoded.start(), refusal).ok());
    const std::size_t cost = encoded.view().size() + sizeof(std::vector<std::byte>) + sizeof(std::uint64_t);
    const std::size_t refusals = ((4u << 20) - 250'000) / cost;
    for (std::size_t i = 1; i < refusals; ++i) {
        beRefused();
        if (i % 50 == 0) f.turn();
    }
    f.runUntil([&] { return f.role->counters().refused == refusals; });
    REQUIRE(f.role->counters().overrun == 0);

    std::size_t cancelled = 0;
    std::size_t answered = 0;
    SECTION("cancelled by the application") {
        for (const std::uint64_t handle : asked)
            if (f.locked([&](ProviderRole& r) { return r.cancel(handle); })) ++cancelled;
        CHECK(cancelled == kAsked);
        CHECK(f.app.answers.empty());
    }
    SECTION("of a service that is deleted") {
        answered = kAsked;
        GrowingBuffer payload;
        const std::uint16_t id = 1;
        REQUIRE(rdm::Directory::encodeDeletes(payload.start(), {&id, 1}).ok());
        codec::Msg update = Application::update();
        update.domain = 4;
        update.containerType = codec::DataType::Map;
        update.payload = payload.view();
        (void)f.locked([&](ProviderRole& r) { return r.submitToAll(update); });
        CHECK(f.app.answers.empty());  // from the loop, not from inside the call
    }
    SECTION("that are not answered in time") {
        answered = kAsked;
        f.clock.advance(16s);
    }
    f.runUntil([&] { return f.app.answers.size() == answered && f.role->counters().overrun == 1; });
    f.runUntil([&] { return f.role->clients().empty(); });
    for (const auto& a : f.app.answers)
        CHECK(a.last);
}
