// onJsonConverter() and OmmJsonConverterException: texts of the peer that cannot be converted, texts of ours that it
// refuses, messages that cannot be written as JSON (session.md 10, json.md 10).
#include "ema/session/consumer/SessionTest.h"
#include "ema/session/provider/ProviderTest.h"
#include "reactor/json/fixture.h"

using namespace emissary::test;
using namespace emissary;

namespace {

/// Notes conversion failures; other threads wait for them.
struct Failures {
    struct Failure {
        std::string text;
        Int32 code = 0;
        UInt64 handle = 0, client = 0;
        ChannelInformation channel;
    };
    void add(Failure f) {
        const std::lock_guard guard(mutex);
        list.push_back(std::move(f));
        came.notify_all();
    }
    /// The n-th, from 1.
    Failure at(std::size_t n) {
        std::unique_lock guard(mutex);
        const bool there = came.wait_for(guard, RawConsumer::kPatience, [&] { return list.size() >= n; });
        REQUIRE(there);
        return list[n - 1];
    }
    std::size_t size() {
        const std::lock_guard guard(mutex);
        return list.size();
    }
    std::mutex mutex;
    std::condition_variable came;
    std::vector<Failure> list;  // guarded by mutex
};

struct ProviderErrors : OmmProviderErrorClient, Failures {
    void onJsonConverter(const EmaString& text, Int32 code, const ProviderSessionInfo& s) override {
        add({text.c_str(), code, s.getHandle(), s.getClientHandle(), s.getChannelInformation()});
        if (closing) s.getProvider().closeChannel(s.getClientHandle());
    }
    std::atomic<bool> closing{false};
};

struct ConsumerErrors : OmmConsumerErrorClient, Failures {
    void onJsonConverter(const EmaString& text, Int32 code, const ConsumerSessionInfo& s) override {
        add({text.c_str(), code, 0, 0, s.getChannelInformation()});
    }
};

bool speaks(const std::string& text, const char* part) {
    UNSCOPED_INFO(text);
    return text.find(part) != std::string::npos;
}

TextClient textClient(OmmProvider& provider) {
    TextClient c(webSocketTo(ema::ProviderAccess::port(provider)), [] { std::this_thread::yield(); });
    c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
    CHECK(c.next().at("Domain").text == "Login");
    return c;
}

/// A message with a payload that JSON cannot carry.
template <class M>
M withPage(M m) {
    OmmAnsiPage ansi;
    ansi.set(EmaBuffer("\x1b[2J", 4));
    m.payload(ansi);
    return m;
}

/// What a peer of a consumer says, in a thread of its own.
class ScriptedPeer {
public:
    ScriptedPeer() : provider_(jsonProvider(), tolerant()) {
        provider_.app.answer = [this](const reactor::StreamEvent& e, const codec::Msg& m) {
            client_ = e.clientHandle;
            static_cast<void>(provider_.app.submitRefresh(e.handle, m));
        };
        thread_ = std::thread([this] {
            while (!stop_)
                provider_.loop.dispatch(std::chrono::milliseconds(1), 100);
        });
    }
    ~ScriptedPeer() {
        stop_ = true;
        thread_.join();
    }
    [[nodiscard]] std::uint16_t port() const { return provider_.role->port(); }
    /// Without brackets: the channel adds them.
    void say(const std::string& text) {
        provider_.locked([&](reactor::ProviderRole& role) {
            reactor::Link* const link = role.link(client_);
            REQUIRE(link != nullptr);
            const std::lock_guard guard(link->channel()->outputLock());
            REQUIRE(link->channel()->write(eta::asBytes(text)).ok());
            static_cast<void>(link->channel()->flush());
        });
    }

private:
    /// The consumer answers what it cannot convert with an Error, which ends the connection unless told otherwise.
    [[nodiscard]] static reactor::ReactorOptions tolerant() {
        reactor::ReactorOptions o;
        o.jsonLayer = reactor::jsonLayer({.conversion = {}, .closeOnFailure = false, .sendErrors = true});
        return o;
    }
    ProviderFixture provider_;
    std::uint64_t client_ = 0;  // under the session lock
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

}  // namespace

TEST_CASE("a provider's error client hears of a client's texts that cannot be converted", "[ema][json]") {
    const ConfigFile file;
    RecordingClient app;
    ProviderErrors errors;
    OmmProvider provider(OmmIProviderConfig(file.path()), app, errors);
    TextClient c = textClient(provider);

    c.send(R"({"ID":7,"Key":{"Name":5}})");
    CHECK(c.next("Type", "Error").at("ID").text == "7");
    const auto first = errors.at(1);
    CHECK(speaks(first.text, "JSON message refused"));
    CHECK(first.code == OmmJsonConverterException::FailureEnum);
    CHECK(first.client == app.at(1).client);
    CHECK(first.handle == 0);
    CHECK(first.channel.getProtocolType() == ChannelInformation::RsslJsonEnum);

    // The connection goes on ...
    c.send(R"({"ID":8,"Key":{"Name":"TRI.N","Service":"DIRECT_FEED"}})");
    CHECK(c.next("Type", "Refresh").at("ID").text == "8");
    CHECK(errors.size() == 1);

    // ... until a text is not JSON at all.
    c.send("what is this");
    c.untilClosed();
    CHECK(errors.at(2).client == first.client);
}

TEST_CASE("a provider's error client may close the client whose text it hears of", "[ema][json]") {
    const ConfigFile file;
    RecordingClient app;
    ProviderErrors errors;
    errors.closing = true;
    OmmProvider provider(OmmIProviderConfig(file.path()), app, errors);
    const std::string text = GENERATE(R"({"ID":7,"Key":{"Name":5}})", "what is this",
                                      R"({"ID":1,"Type":"Error","Text":"no"},{"ID":9,"Key":{"Name":"TRI.N"}})");
    TextClient c = textClient(provider);
    c.send(text);
    c.untilClosed();
    CHECK(errors.at(1).client == app.at(1).client);
    CHECK(errors.size() == 1);
    EmaVector<ChannelInformation> clients;
    provider.getConnectedClientChannelInfo(clients);
    CHECK(clients.size() == 0);
}

TEST_CASE("what a client sends ends no provider without error client", "[ema][json]") {
    const ConfigFile file;
    RecordingClient app;
    OmmIProviderConfig config(file.path());
    config.operationModel(OmmIProviderConfig::UserDispatchEnum);
    OmmProvider provider(config, app);
    TextClient c(webSocketTo(ema::ProviderAccess::port(provider)), [&] { provider.dispatch(0); });
    c.send("what is this");
    c.untilClosed();  // nothing comes out of dispatch()
}

TEST_CASE("a message of a provider that JSON cannot carry", "[ema][json]") {
    const ConfigFile file;
    RecordingClient app;
    const auto open = [&](OmmProvider& provider) {
        TextClient c = textClient(provider);
        c.send(R"({"ID":8,"Key":{"Name":"TRI.N","Service":"DIRECT_FEED"}})");
        CHECK(c.next("Type", "Refresh").at("ID").text == "8");
        return c;
    };
    SECTION("is told to the error client") {
        ProviderErrors errors;
        OmmProvider provider(OmmIProviderConfig(file.path()), app, errors);
        TextClient c = open(provider);
        const auto item = app.at(2);
        provider.submit(withPage(UpdateMsg()), item.handle);
        const auto told = errors.at(1);
        CHECK(speaks(told.text, "cannot be written as JSON"));
        CHECK(told.code == OmmJsonConverterException::InvalidDataEnum);
        CHECK(told.handle == item.handle);
        CHECK(told.client == item.client);
        CHECK(told.channel.getProtocolType() == ChannelInformation::RsslJsonEnum);
    }
    SECTION("is thrown without one") {
        OmmProvider provider(OmmIProviderConfig(file.path()), app);
        TextClient c = open(provider);
        const auto item = app.at(2);
        try {
            provider.submit(withPage(UpdateMsg()), item.handle);
            FAIL("nothing was thrown");
        } catch (const OmmJsonConverterException& e) {
            CHECK(e.getErrorCode() == OmmJsonConverterException::InvalidDataEnum);
            const auto& session = dynamic_cast<const ProviderSessionInfo&>(e.getSessionInfo());
            CHECK(session.getHandle() == item.handle);
            CHECK(session.getClientHandle() == item.client);
            CHECK(&session.getProvider() == &provider);
            CHECK(speaks(e.toString().c_str(), "ErrorCode='-29'"));
        }
    }
}

TEST_CASE("a consumer's error client hears of the provider's texts", "[ema][json]") {
    ScriptedPeer peer;
    const ConsumerConfigFile file(peer.port(), {}, true, {}, R"(<Channel value="Channel"/>)", "RSSL_WEBSOCKET");
    ConsumerErrors errors;
    RecordingConsumerClient app;
    OmmConsumer consumer(OmmConsumerConfig(file.path()), errors);
    const UInt64 handle = consumer.registerClient(item("TRI.N"), app);
    REQUIRE(app.wait("TRI.N refresh Open/Ok/0"));

    peer.say(R"({"ID":7,"Type":"Update","UpdateType":"Zap"})");
    const auto first = errors.at(1);
    CHECK(speaks(first.text, "Zap"));
    CHECK(speaks(first.text, "Channel"));
    CHECK(first.code == OmmJsonConverterException::FailureEnum);
    CHECK(first.channel.getProtocolType() == ChannelInformation::RsslJsonEnum);
    CHECK(first.channel.getName() == "Channel");

    SECTION("a post that JSON cannot carry") {
        consumer.submit(withPage(PostMsg().postId(1).complete()), handle);
        const auto told = errors.at(2);
        CHECK(told.code == OmmJsonConverterException::InvalidDataEnum);
        CHECK(speaks(told.text, "cannot be written as JSON"));
        CHECK(told.channel.getProtocolType() == ChannelInformation::RsslJsonEnum);
    }
    SECTION("a request that JSON cannot carry") {
        consumer.registerClient(withPage(item("TRI.L")), app);
        const auto told = errors.at(2);
        CHECK(speaks(told.text, "cannot be written as JSON"));
        CHECK(speaks(told.text, "stream"));
    }
    SECTION("the provider refuses a text") {
        peer.say(R"({"ID":5,"Type":"Error","Text":"no such thing"})");
        CHECK(speaks(errors.at(2).text, "no such thing"));
        CHECK(app.wait("TRI.N status Open/Suspect/0"));  // closed, as configured; the item is recovered
    }
    SECTION("a text that is not JSON") {
        peer.say("what is this");
        errors.at(2);
        CHECK(app.wait("TRI.N status Open/Suspect/0"));
    }
}

TEST_CASE("what a provider sends ends no consumer without error client; its own message is thrown", "[ema][json]") {
    ScriptedPeer peer;
    const ConsumerConfigFile file(peer.port(), {}, true, {}, R"(<Channel value="Channel"/>)", "RSSL_WEBSOCKET");
    RecordingConsumerClient app;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).operationModel(OmmConsumerConfig::UserDispatchEnum));
    const UInt64 handle = consumer.registerClient(item("TRI.N"), app);
    const auto until = [&](const char* line) {
        REQUIRE(turnUntil([&] { return app.count(line) != 0; }, [&] { consumer.dispatch(1000); }));
    };
    until("TRI.N refresh Open/Ok/0");
    try {
        consumer.submit(withPage(PostMsg().postId(1).complete()), handle);
        FAIL("nothing was thrown");
    } catch (const OmmJsonConverterException& e) {
        CHECK(e.getErrorCode() == OmmJsonConverterException::InvalidDataEnum);
        const auto& session = dynamic_cast<const ConsumerSessionInfo&>(e.getSessionInfo());
        CHECK(session.getChannelInformation().getProtocolType() == ChannelInformation::RsslJsonEnum);
    }
    peer.say("what is this");
    until("TRI.N status Open/Suspect/0");
}
