// Items that the handler keeps itself: what reaches it, what stays with the role.
#include "ProviderFixture.h"

#include "reactor/json/fixture.h"
#include "support/AllocationCounter.h"

using namespace emissary;
using namespace emissary::test;
using What = Told::What;

namespace {

/// Keeps its own items; gives each client a context at its login and takes the directory and dictionaries as well.
class Tapped final : public ProviderHandler {
public:
    struct Item {
        ItemClient client;
        codec::MsgClass cls;
        std::int32_t streamId;
        std::vector<std::byte> raw;
        std::string name;
    };
    struct Client {
        std::string user;
        bool json = false;
    };
    ProviderRole* role = nullptr;
    bool taken = true, acceptLogins = true, keep = true;
    JsonSources sources;
    std::vector<std::int32_t> itemStreams;
    std::vector<Item> items;
    std::vector<Told> told;
    std::vector<void*> downs;
    std::vector<std::string> refused;
    std::uint64_t seen = 0;
    std::vector<std::unique_ptr<Client>> clients;
    std::uint8_t lastProtocol = 255;

    void onRequest(const StreamEvent& e, const codec::Msg& m) override {
        record(What::request, e, m);
        if (m.domain != 1 || !acceptLogins) return;
        clients.push_back(std::make_unique<Client>());
        clients.back()->user = eta::asText(m.key.name);
        clients.back()->json = lastProtocol == eta::transport::kProtocolJson;
        CHECK(role->setContext(e.clientHandle, clients.back().get()));
        codec::Msg answer = Application::refresh();
        answer.key = m.key;
        answer.flags |= codec::RefreshFlag::msgKey;
        CHECK(role->submit(e.handle, answer).ok());
    }
    void onReissue(const StreamEvent& e, const codec::Msg& m) override { record(What::reissue, e, m); }
    void onClose(const StreamEvent& e, const codec::Msg& m) override { record(What::close, e, m); }
    void onPost(const StreamEvent& e, const codec::Msg& m) override { record(What::post, e, m); }
    void onGeneric(const StreamEvent& e, const codec::Msg& m) override { record(What::generic, e, m); }
    void onClientUp(std::uint64_t, const eta::transport::ChannelInfo& info) override {
        lastProtocol = info.protocolType;
    }
    void onClientDown(std::uint64_t, void* context, const std::string&) override { downs.push_back(context); }
    void onRefused(std::uint64_t, const std::string& text) override { refused.push_back(text); }
    JsonSources jsonSources() const noexcept override { return sources; }
    bool isItemStream(const ItemClient&, std::int32_t streamId) const noexcept override {
        return std::find(itemStreams.begin(), itemStreams.end(), streamId) != itemStreams.end();
    }
    bool onItemMessage(const ItemClient& client, const codec::Msg& m) override {
        ++seen;
        if (keep)
            items.push_back({client,
                             m.cls,
                             m.streamId,
                             {m.raw.begin(), m.raw.end()},
                             m.hasKey() ? std::string(eta::asText(m.key.name)) : std::string()});
        return taken;
    }

private:
    void record(What what, const StreamEvent& e, const codec::Msg& m) {
        told.push_back({what, e, m, m.hasKey() ? std::string(eta::asText(m.key.name)) : std::string()});
    }
};

struct TapFixture {
    explicit TapFixture(ProviderOptions options = ProviderFixture::defaults()) : loop(withJson({})) {
        options.bind.port = "0";
        options.itemsByHandler = true;
        const std::lock_guard guard(loop.lock());
        role = std::make_unique<ProviderRole>(loop, std::move(options), app);
        app.role = role.get();
        REQUIRE_FALSE(role->listen());
    }
    ~TapFixture() {
        const std::lock_guard guard(loop.lock());
        role.reset();
    }
    void turn() { loop.dispatch(std::chrono::microseconds(0), 100); }
    [[nodiscard]] RawConsumer connect() {
        return RawConsumer(role->port(), [this] { turn(); });
    }
    [[nodiscard]] RawConsumer loggedIn(std::string_view user = "user") {
        RawConsumer c = connect();
        c.send(RawConsumer::loginRequest(user));
        REQUIRE(c.next().msg.domain == 1);
        return c;
    }
    void runUntil(const std::function<bool()>& done) {
        const auto end = std::chrono::steady_clock::now() + RawConsumer::kPatience;
        while (!done()) {
            REQUIRE(std::chrono::steady_clock::now() < end);
            loop.dispatch(std::chrono::microseconds(1000), 100);
        }
    }

    Reactor loop;
    Tapped app;
    std::unique_ptr<ProviderRole> role;
};

[[nodiscard]] codec::Msg message(codec::MsgClass cls, std::int32_t streamId, std::uint8_t domain = 6) {
    codec::Msg m;
    m.cls = cls;
    m.streamId = streamId;
    m.domain = domain;
    return m;
}

[[nodiscard]] std::vector<std::byte> encoded(const codec::Msg& m) {
    std::vector<std::byte> room(codec::maxEncodedSize(m));
    eta::BeWriter out(room);
    REQUIRE(codec::encodeMsg(out, m).ok());
    room.resize(out.size());
    return room;
}

}  // namespace

TEST_CASE("item messages reach a handler that keeps its items, with its context and their bytes",
          "[reactor][provider][tap]") {
    TapFixture f;
    RawConsumer c = f.loggedIn("first"), other = f.loggedIn("second");
    std::vector<std::vector<std::byte>> sent;
    const auto send = [&](RawConsumer& from, const codec::Msg& m) {
        sent.push_back(encoded(m));
        from.sendBytes(sent.back());
        f.runUntil([&] { return f.app.items.size() == sent.size(); });
    };
    send(c, RawConsumer::request(5, 6, "TRI.N", 1));
    send(c, RawConsumer::request(5, 6, "TRI.N", 1));   // a reissue, for all that the role knows
    send(c, RawConsumer::request(6, 6, "TRI.N", 1));   // the same item again
    send(c, RawConsumer::request(7, 200, "X", 17));    // a service that the directory does not have
    send(c, RawConsumer::request(8, 6, "CLOSED", 2));  // one that takes no requests
    send(other, RawConsumer::request(5, 7, "TRI.N"));  // no service at all
    codec::Msg batch = RawConsumer::request(9, 6, {}, 1);
    batch.flags |= codec::RequestFlag::batch;
    send(c, batch);
    codec::Msg post = message(codec::MsgClass::Post, 5);
    post.flags = codec::PostFlag::postId | codec::PostFlag::ack | codec::PostFlag::complete;
    post.postId = 77;
    send(c, post);
    send(c, message(codec::MsgClass::Generic, 6, 8));
    codec::Msg ack = message(codec::MsgClass::Ack, 6);
    ack.ackId = 3;
    send(c, ack);
    send(c, RawConsumer::close(5));
    send(other, RawConsumer::close(4711));

    REQUIRE(f.app.clients.size() == 2);
    for (std::size_t i = 0; i < sent.size(); ++i) {
        INFO(i);
        const Tapped::Item& got = f.app.items[i];
        CHECK(got.raw == sent[i]);
        const auto* client = static_cast<const Tapped::Client*>(got.client.context);
        CHECK(client == f.app.clients[i == 5 || i == 11 ? 1 : 0].get());
        CHECK(f.role->link(got.client.clientHandle) != nullptr);
    }
    CHECK(f.app.items[3].name == "X");
    CHECK(f.app.items[7].cls == codec::MsgClass::Post);
    CHECK(f.app.refused.empty());
    CHECK(f.app.told.size() == 2);  // the logins
    CHECK(c.silent());
    CHECK(f.role->openStreams() == 2);
    CHECK(f.role->counters().itemMessages == sent.size());
    CHECK(f.role->counters().ignored == 0);
}

TEST_CASE("an item message that the handler has no stream for is counted as ignored", "[reactor][provider][tap]") {
    TapFixture f;
    RawConsumer c = f.loggedIn();
    f.app.taken = false;
    c.send(RawConsumer::close(5));
    c.send(message(codec::MsgClass::Post, 6));
    SECTION("nor what consumers do not send") {
        c.send(message(codec::MsgClass::Update, 7));
        c.send(message(codec::MsgClass::Generic, -7));
        CHECK(c.silent());
        CHECK(f.app.seen == 2);
        CHECK(f.role->counters().ignored == 4);
        return;
    }
    CHECK(c.silent());
    CHECK(f.role->counters().ignored == 2);
}

TEST_CASE("the role's guards stand before the handler's items", "[reactor][provider][tap]") {
    SECTION("no login, or none accepted yet: requests are refused, the rest is ignored") {
        TapFixture f;
        f.app.acceptLogins = false;
        RawConsumer c = f.connect();
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        checkRefusal(c.next(), 5);
        c.send(RawConsumer::loginRequest("user"));
        c.send(message(codec::MsgClass::Post, 5));
        c.send(RawConsumer::close(5));
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        checkRefusal(c.next(), 5);
        CHECK(f.app.seen == 0);
        CHECK(f.role->counters().ignored == 2);
    }
    SECTION("after the login was closed") {
        TapFixture f;
        RawConsumer c = f.loggedIn();
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        c.send(RawConsumer::close(1, 1));
        c.send(RawConsumer::request(6, 6, "TRI.N", 1));
        checkRefusal(c.next(), 6);
        CHECK(f.app.seen == 1);
    }
    SECTION("a malformed message ends the connection") {
        TapFixture f;
        RawConsumer c = f.loggedIn();
        auto bytes = encoded(RawConsumer::request(5, 6, "TRI.N", 1));
        bytes.resize(bytes.size() - 3);
        c.sendBytes(bytes);
        CHECK(c.waitClosed());
        CHECK(f.app.seen == 0);
    }
    SECTION("a key that is too large") {
        ProviderOptions options = ProviderFixture::defaults();
        options.limits.keyBytes = 100;
        TapFixture f(std::move(options));
        RawConsumer c = f.loggedIn();
        c.send(RawConsumer::request(5, 6, std::string(100, 'x'), 1));
        c.send(RawConsumer::request(6, 6, std::string(101, 'x'), 1));
        checkRefusal(c.next(), 6);
        CHECK(f.app.seen == 1);
    }
    SECTION("stream ids of requests are positive, and those of the role's streams are taken") {
        TapFixture f;
        RawConsumer c = f.loggedIn();
        c.send(RawConsumer::request(-5, 6, "TRI.N", 1));
        checkRefusal(c.next(), -5);
        c.send(RawConsumer::directoryRequest(3));
        CHECK(c.next().msg.domain == 4);
        c.send(RawConsumer::request(2, 6, "TRI.N", 1));
        checkRefusal(c.next(), 2);
        CHECK(f.app.seen == 0);
    }
}

TEST_CASE("a handler's context comes back with every call until the client is down", "[reactor][provider][tap]") {
    TapFixture f;
    RawConsumer c = f.loggedIn();
    void* const context = f.app.clients.at(0).get();
    c.send(RawConsumer::loginRequest("user"));
    c.send(message(codec::MsgClass::Post, 1, 1));
    c.send(message(codec::MsgClass::Generic, 1, 1));
    f.runUntil([&] { return f.app.told.size() == 4; });
    CHECK(f.app.told[0].event.context == nullptr);  // the login itself
    for (std::size_t i = 1; i < 4; ++i)
        CHECK(f.app.told[i].event.context == context);
    SECTION("closed by the client") {
        c.send(RawConsumer::close(1, 1));
        f.runUntil([&] { return f.app.told.size() == 5; });
        CHECK(f.app.told[4].what == What::close);
        CHECK(f.app.told[4].event.context == context);
        CHECK(f.app.downs.empty());
        c.disconnect();
        f.runUntil([&] { return !f.app.downs.empty(); });
        CHECK(f.app.downs == std::vector<void*>{context});
    }
    SECTION("lost") {
        c.dieMidMessage();
        f.runUntil([&] { return f.app.told.size() == 5; });
        CHECK(f.app.downs == std::vector<void*>{context});
        CHECK(f.app.told[4].event.context == nullptr);  // it is no more
    }
    SECTION("unknown clients have none") {
        CHECK_FALSE(f.role->setContext(12345, context));
    }
}

TEST_CASE("a handler that owns directory and dictionaries is told every step", "[reactor][provider][tap]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.services.clear();
    options.directoryByUser = options.dictionaryByUser = options.acceptDirectoryWithoutMinFilters = true;
    TapFixture f(std::move(options));
    RawConsumer c = f.loggedIn();
    c.send(RawConsumer::directoryRequest(0));
    c.send(RawConsumer::directoryRequest(rdm::DirectoryFilter::info));
    c.send(RawConsumer::dictionaryRequest(3, "RWFFld"));  // names a service that no directory had so far
    f.runUntil([&] { return f.app.told.size() == 4; });
    CHECK(f.app.told[1].what == What::request);
    CHECK(f.app.told[1].msg.key.filter == 0);
    CHECK(f.app.told[2].what == What::reissue);
    CHECK(f.app.told[2].event.handle == f.app.told[1].event.handle);
    CHECK(f.app.told[3].name == "RWFFld");

    // What goes to everybody is cut down to what the last request asked for.
    rdm::Service s = ProviderFixture::defaults().services[0];
    std::array<std::byte, 512> room{};
    eta::BeWriter map(room);
    REQUIRE(rdm::Directory::encodeService(map, s, s.filters).ok());
    codec::Msg update = Application::update();
    update.domain = 4;
    update.containerType = codec::DataType::Map;
    update.payload = map.view();
    {
        const std::lock_guard guard(f.loop.lock());
        CHECK(f.role->submitToAll(update).sent == 1);
    }
    const Received got = c.next();
    rdm::Directory seen;
    REQUIRE(seen.apply(got.msg.payload, false).ok());
    REQUIRE(seen.find(std::uint16_t{1}) != nullptr);
    CHECK(seen.find(std::uint16_t{1})->filters == rdm::DirectoryFilter::info);

    c.send(RawConsumer::close(2, 4));
    c.send(RawConsumer::close(3, 5));
    f.runUntil([&] { return f.app.told.size() == 6; });
    CHECK(f.app.told[4].what == What::close);
    CHECK(f.app.told[4].msg.domain == 4);
    CHECK(f.app.told[5].msg.domain == 5);
    CHECK(f.app.seen == 0);
}

TEST_CASE("JSON clients of a handler that keeps its items", "[reactor][provider][tap][json]") {
    ProviderOptions options = jsonProvider();
    options.services.clear();
    options.dictionaries.clear();
    options.directoryByUser = true;
    TapFixture f(std::move(options));
    rdm::Directory services;
    REQUIRE(services.add(ProviderFixture::defaults().services[0]));
    const auto dictionary = smallDictionary();
    f.app.sources = {dictionary.get(), &services};
    TextClient c(webSocketTo(f.role->port()), [&f] { f.turn(); });
    c.send(R"({"ID":1,"Domain":"Login","Key":{"Name":"user"}})");
    CHECK(c.next().at("ID").text == "1");
    c.send(R"({"ID":5,"Key":{"Name":"TRI.N","Service":"DIRECT_FEED"}})");
    c.send(R"({"ID":5,"Type":"Post","Fields":{"BID":1.5}})");
    f.runUntil([&] { return f.app.items.size() == 2; });
    codec::Msg m;
    REQUIRE(codec::decodeMsg(f.app.items[0].raw, m).ok());
    CHECK(m.key.serviceId == 1);
    CHECK(m.streamId == 5);
    REQUIRE(codec::decodeMsg(f.app.items[1].raw, m).ok());
    CHECK(m.containerType == codec::DataType::FieldList);
    CHECK(static_cast<const Tapped::Client*>(f.app.items[1].client.context)->json);
}

TEST_CASE("item messages for the handler are not paid for with memory", "[reactor][provider][tap]") {
    TapFixture f;
    RawConsumer c = f.loggedIn();
    f.app.keep = false;
    const auto requests = [&](int count) {
        const std::uint64_t until = f.app.seen + static_cast<std::uint64_t>(count);
        for (int i = 0; i < count; ++i)
            c.send(RawConsumer::request(5 + i, 6, "AN.ITEM.WITH.A.LONG.NAME", 1));
        f.runUntil([&] { return f.app.seen == until; });
    };
    requests(100);
    std::uint64_t before = 0, allocated = 0;
    for (int i = 0; i < 100; ++i)
        c.send(RawConsumer::request(500 + i, 6, "AN.ITEM.WITH.A.LONG.NAME", 1));
    const std::uint64_t until = f.app.seen + 1;
    before = allocationsOfThisThread();
    while (f.app.seen < until)
        f.loop.dispatch(std::chrono::microseconds(1000), 100);
    allocated = allocationsOfThisThread() - before;
    CHECK(allocated == 0);
}

TEST_CASE("a request of the role's own domains on the stream of a handler's item is the handler's",
          "[reactor][provider][tap]") {
    TapFixture f;
    RawConsumer c = f.loggedIn();
    f.app.itemStreams = {5};
    for (const std::uint8_t domain : {std::uint8_t{1}, std::uint8_t{4}, std::uint8_t{5}}) {
        const std::size_t before = f.app.items.size();
        c.send(RawConsumer::request(5, domain, "X"));
        f.runUntil([&] { return f.app.items.size() == before + 1; });
    }
    CHECK(c.silent());
    CHECK(f.app.told.size() == 1);  // the login
    CHECK_FALSE(f.role->hasStream(f.app.told[0].event.clientHandle, 5));
    CHECK(f.role->hasStream(f.app.told[0].event.clientHandle, 1));
}

TEST_CASE("a second login stream may be answered as closed for good, and the first lives on",
          "[reactor][provider][tap]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.closeSecondLogin = true;
    TapFixture f(std::move(options));
    RawConsumer c = f.loggedIn();
    codec::Msg second = RawConsumer::loginRequest("user");
    second.streamId = 8;
    c.send(second);
    const Received got = c.next();
    CHECK(got.msg.cls == codec::MsgClass::Status);
    CHECK(got.msg.streamId == 8);
    CHECK(got.msg.state.stream == codec::StreamState::closed);
    CHECK(got.msg.state.data == codec::DataState::suspect);
    CHECK(int{got.msg.state.code} == 14);
    c.send(RawConsumer::request(9, 6, "X", 1));
    f.runUntil([&] { return f.app.items.size() == 1; });
}

TEST_CASE("a handler lets the role forget a stream that it has answered itself", "[reactor][provider][tap]") {
    ProviderOptions options = ProviderFixture::defaults();
    options.directoryByUser = true;
    TapFixture f(std::move(options));
    RawConsumer c = f.loggedIn();
    c.send(RawConsumer::directoryRequest(3, 2));
    f.runUntil([&] { return f.app.told.size() == 2; });
    const StreamEvent event = f.app.told[1].event;
    CHECK(f.role->hasStream(event.clientHandle, 2));
    CHECK(f.role->forget(event.handle));
    CHECK_FALSE(f.role->forget(event.handle));
    CHECK_FALSE(f.role->forget(f.app.told[0].event.handle));  // a login ends otherwise
    CHECK_FALSE(f.role->hasStream(event.clientHandle, 2));
    c.send(RawConsumer::request(2, 6, "X", 1));
    f.runUntil([&] { return f.app.items.size() == 1; });
    CHECK(f.app.told.size() == 2);
}

TEST_CASE("a role that stops listening keeps its clients and takes no more", "[reactor][provider][tap]") {
    TapFixture f;
    RawConsumer c = f.loggedIn();
    const std::uint16_t port = f.role->port();
    {
        const std::lock_guard guard(f.loop.lock());
        f.role->stopListening();
        f.role->stopListening();
    }
    CHECK(f.role->port() == port);
    eta::Refused why;
    auto refused = eta::transport::Channel::connect(RawConsumer::optionsFor(port), eta::Clock::now(), why);
    auto status = eta::transport::InitStatus::inProgress;
    for (int i = 0; refused && status == eta::transport::InitStatus::inProgress && i < 1000; ++i) {
        f.turn();
        status = refused->init(eta::Clock::now());
    }
    CHECK((refused == nullptr || status == eta::transport::InitStatus::failed));
    c.send(RawConsumer::request(5, 6, "X", 1));
    f.runUntil([&] { return f.app.items.size() == 1; });
    c.disconnect();
    f.runUntil([&] { return f.app.downs.size() == 1; });
}

TEST_CASE("a dictionary that comes later is served from then on, and goes to those who watch it",
          "[reactor][provider][tap]") {
    const auto version = [](std::string_view text) {
        auto d = std::make_shared<eta::dictionary::Dictionary>();
        const std::string fields = "!tag Type 1\n!tag Version " + std::string(text) +
                                   "\n!tag DictionaryId 1\nBID \"BID\" 22 NULL PRICE 17 REAL64 9\n";
        REQUIRE_FALSE(d->parseFields(fields, "fields"));
        return d;
    };
    TapFixture f;
    RawConsumer c = f.loggedIn();
    c.send(RawConsumer::dictionaryRequest(3, "RWFFld"));
    CHECK(c.next().msg.state.stream == codec::StreamState::closedRecover);
    const auto serve = [&](std::shared_ptr<const eta::dictionary::Dictionary> d) {
        const std::lock_guard guard(f.loop.lock());
        f.role->serve({"RWFFld", ServedDictionary::Kind::fields, std::move(d)});
    };
    serve(version("4.20.01"));
    const auto complete = [&](std::int32_t stream, bool solicited) {
        const Received got = c.next();
        CHECK(got.msg.cls == codec::MsgClass::Refresh);
        CHECK(got.msg.streamId == stream);
        CHECK(got.msg.has(codec::RefreshFlag::solicited) == solicited);
        CHECK(got.msg.has(codec::RefreshFlag::clearCache));
        CHECK(got.msg.has(codec::RefreshFlag::complete));
        CHECK(got.name() == "RWFFld");
        return std::string(eta::asText(got.msg.payload));
    };
    c.send(RawConsumer::dictionaryRequest(3, "RWFFld"));
    CHECK(complete(3, true).find("4.20.01") != std::string::npos);
    codec::Msg once = RawConsumer::dictionaryRequest(4, "RWFFld");
    once.flags = 0;
    c.send(once);
    complete(4, true);
    serve(version("4.20.02"));
    CHECK(complete(3, false).find("4.20.02") != std::string::npos);
    CHECK(c.silent());  // the snapshot is over
}
