// Packs of updates when clients leave: in the sender itself, and in EmaCppIProvPerf as a user runs it.
#include "RunStage.h"
#include "UpdateSender.h"
#include "ema/session/provider/ProviderTest.h"

#include <array>
#include <csignal>

using namespace emissary::test;
using emissary::perf::UpdateSender;

namespace {

using Fate = UpdateSender::Fate;

// A provider and clients that have one item open each.
class Feed {
public:
    struct Client {
        RawConsumer wire;
        UInt64 handle = 0, item = 0;
    };

    [[nodiscard]] Client client() {
        const std::size_t before = application_.size();
        Client c{loggedIn(provider), 0, 0};
        c.wire.send(RawConsumer::request(5, 6, "TRI.N", std::uint16_t{1}));
        REQUIRE(c.wire.next().msg.cls == codec::MsgClass::Refresh);
        const auto request = application_.at(before + 2);  // behind the login
        REQUIRE(request.name == "TRI.N");
        c.handle = request.client;
        c.item = request.handle;
        return c;
    }
    // The provider knows it afterwards.
    void disconnect(Client& c) {
        const std::size_t before = application_.size();
        c.wire.disconnect();
        static_cast<void>(application_.at(before + 1));  // the end of its login
    }
    void closeItem(Client& c) {
        const std::size_t before = application_.size();
        c.wire.send(RawConsumer::close(5));
        static_cast<void>(application_.at(before + 1));
    }
    [[nodiscard]] static UpdateMsg update() {
        FieldList fields;
        fields.addReal(22, 3391, OmmReal::ExponentNeg2Enum).complete();
        return UpdateMsg().payload(fields);
    }
    // As many updates arrive.
    static void expectUpdates(Client& c, int count) {
        for (int i = 0; i < count; ++i)
            REQUIRE(c.wire.next().msg.cls == codec::MsgClass::Update);
        CHECK(c.wire.silent());
    }

private:
    ConfigFile file_;
    RecordingClient application_;

public:
    OmmProvider provider{OmmIProviderConfig(file_.path()), application_};
};

}  // namespace

TEST_CASE("a client that leaves while its pack is filled takes nobody along", "[perftools][pack]") {
    Feed feed;
    UpdateSender sender(feed.provider, 10, 6000);
    const UpdateMsg update = Feed::update();
    Feed::Client leaving = feed.client();
    Feed::Client staying = feed.client();
    SECTION("it leaves between two updates: a full pack finds nobody") {
        sender.begin(leaving.handle, true);
        for (int i = 0; i < 10; ++i)
            REQUIRE(sender.send(update, leaving.item) == Fate::taken);
        feed.disconnect(leaving);
        CHECK(sender.send(update, leaving.item) == Fate::clientGone);
        const auto burst = sender.end();
        CHECK(burst.sent == 0);
        CHECK(burst.dropped == 0);
    }
    SECTION("it leaves before the burst ends") {
        sender.begin(leaving.handle, true);
        REQUIRE(sender.send(update, leaving.item) == Fate::taken);
        feed.disconnect(leaving);
        CHECK(sender.end().sent == 0);
    }
    SECTION("it left before the burst began") {
        feed.disconnect(leaving);
        sender.begin(leaving.handle, true);
        CHECK(sender.send(update, leaving.item) == Fate::clientGone);
        CHECK(sender.end().sent == 0);
    }
    SECTION("it closed the only item: the pack stays empty") {
        feed.closeItem(leaving);
        sender.begin(leaving.handle, true);
        CHECK(sender.send(update, leaving.item) == Fate::itemGone);
        CHECK(sender.end().sent == 0);
    }
    sender.begin(staying.handle, true);
    for (int i = 0; i < 25; ++i)
        REQUIRE(sender.send(update, staying.item) == Fate::taken);
    const auto burst = sender.end();
    CHECK(burst.sent == 25);
    CHECK(burst.packs == 3);
    CHECK(burst.packed == 25);
    CHECK(sender.takeNews().empty());
    Feed::expectUpdates(staying, 25);
}

TEST_CASE("updates that fit in no pack are sent by themselves, and that is told", "[perftools][pack]") {
    Feed feed;
    UpdateSender sender(feed.provider, 10, 10);
    Feed::Client client = feed.client();
    sender.begin(client.handle, true);
    for (int i = 0; i < 2; ++i)
        REQUIRE(sender.send(Feed::update(), client.item) == Fate::taken);
    const auto burst = sender.end();
    CHECK(burst.sent == 2);
    CHECK(burst.packs == 0);
    CHECK(sender.takeNews().starts_with("-packBufSize 10 has no room for an update"));
    CHECK(sender.takeNews().empty());  // once is enough
    Feed::expectUpdates(client, 2);
}

TEST_CASE("a provider that packs outlives short-lived clients and serves the others", "[perftools][run][pack]") {
    using namespace emissary::perf::test;
    RunStage stage;
    const auto provider =
        stage.provider({"-maxPackCount", "10", "-directWrite", "-updateRate", "200000", "-tickRate", "500"});
    const auto open = [&stage](int items) {
        auto consumer = std::make_unique<RawConsumer>(static_cast<std::uint16_t>(stage.port()));
        consumer->send(RawConsumer::loginRequest("user"));
        consumer->send(RawConsumer::directoryRequest(3));
        for (int i = 0; i < items; ++i)
            consumer->send(RawConsumer::request(5 + i, 6, "T" + std::to_string(i + 1), std::uint16_t{1}));
        return consumer;
    };
    const auto update = [](RawConsumer& consumer) {
        std::optional<Received> got;
        do
            got = consumer.tryNext();
        while (got && got->msg.cls != codec::MsgClass::Update);
        return got.has_value();
    };
    const auto healthy = open(1);
    for (int round = 0; round < 50; ++round) {
        INFO(round);
        const auto brief = open(20);
        REQUIRE(update(*brief));
        brief->disconnect();
        REQUIRE(provider->running());
    }
    // What came before the last one left has been read once an update is newer than that: ask for the item again.
    healthy->send(RawConsumer::request(900, 6, "T900", std::uint16_t{1}));
    bool fresh = false;
    while (!fresh) {
        const auto got = healthy->tryNext();
        REQUIRE(got);
        fresh = got->msg.cls == codec::MsgClass::Update && got->msg.streamId == 900;
    }
    int ofFirst = 0;
    while (ofFirst < 10) {
        const auto got = healthy->tryNext();
        REQUIRE(got);
        ofFirst += got->msg.cls == codec::MsgClass::Update && got->msg.streamId == 5;
    }
    provider->signal(SIGINT);
    CHECK(provider->wait(kLong) == 0);
    INFO(provider->output());
    CHECK(provider->output().find("ERROR") == std::string::npos);
}

TEST_CASE("updates have the type that the message file says, and count on each stream", "[perftools][run]") {
    using namespace emissary::perf::test;
    RunStage stage(3);
    const std::string field = "<dataBody><fieldList><fieldEntry fieldId=\"22\" dataType=\"RSSL_DT_REAL\" data=\"1.5\"/>"
                              "</fieldList></dataBody>";
    stage.dir().write("messages.xml", "<msgFormat><marketPriceMsgList><refreshMsg>" + field +
                                          "</refreshMsg><updateMsg updateType=\"Quote\" seqNum=\"true\">" + field +
                                          "</updateMsg><updateMsg updateType=\"Trade\" seqNum=\"true\">" + field +
                                          "</updateMsg><updateMsg>" + field +
                                          "</updateMsg></marketPriceMsgList></msgFormat>");
    std::vector<std::string> options{"-msgFile", "messages.xml", "-updateRate", "1000", "-tickRate", "100"};
    if (GENERATE(false, true)) options.emplace_back("-preEnc");
    const auto provider = stage.provider(options);
    RawConsumer consumer(static_cast<std::uint16_t>(stage.port()));
    consumer.send(RawConsumer::loginRequest("user"));
    consumer.send(RawConsumer::directoryRequest(3));
    for (int i = 0; i < 2; ++i)
        consumer.send(RawConsumer::request(5 + i, 6, "T" + std::to_string(i + 1), std::uint16_t{1}));
    std::array<std::uint32_t, 2> last{};
    std::array<int, 3> types{};
    for (int updates = 0; updates < 60;) {
        const auto got = consumer.tryNext();
        REQUIRE(got);
        if (got->msg.cls != codec::MsgClass::Update) continue;
        ++updates;
        REQUIRE(got->msg.updateType < 3);
        ++types[got->msg.updateType];
        CHECK(got->msg.has(codec::UpdateFlag::seqNum) == (got->msg.updateType != 0));
        if (got->msg.has(codec::UpdateFlag::seqNum))
            CHECK(got->msg.seqNum == ++last.at(static_cast<std::size_t>(got->msg.streamId - 5)));
    }
    for (const int count : types)
        CHECK(count >= 15);
    provider->signal(SIGINT);
    CHECK(provider->wait(kLong) == 0);
}
