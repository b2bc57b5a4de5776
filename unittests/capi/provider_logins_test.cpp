// Logins that the program of a provider decides on.
#include "capi/CProvider.h"
#include "capi/Feed.h"
#include "reactor/json/fixture.h"
#include "support/AllocationCounter.h"
#include "support/RawConsumer.h"
#include "support/ema_clients.h"

#include <future>
#include <memory>

namespace emissary::test {
namespace {

/// A consumer that another thread opens, since that blocks until its login is answered.
struct Opening {
    std::unique_ptr<emi_consumer, void (*)(emi_consumer*)> consumer{
        nullptr, [](emi_consumer* c) { emi_consumer_close(c, nullptr); }};
    int code = EMI_OK;
    std::string text;
};

std::future<Opening> opening(const std::string& host, bool json, const std::string& user,
                             const std::string& timeoutMs = "10000") {
    auto settings = settingsFor(json);
    settings.insert({{"host", host},
                     {"user", user},
                     {"password", "secret"},
                     {"position", "1.1.1.1/net"},
                     {"login_timeout_ms", timeoutMs}});
    return std::async(std::launch::async, [settings] {
        emi_error error{sizeof(emi_error), 0, {}};
        emi_config* config = emi_config_new();
        Opening made;
        for (const auto& [name, value] : settings)
            if (made.code == EMI_OK) made.code = emi_config_set(config, name.c_str(), value.c_str(), &error);
        emi_consumer* consumer = nullptr;
        if (made.code == EMI_OK) made.code = emi_consumer_open(config, &consumer, &error);
        made.consumer.reset(consumer);
        emi_config_free(config);
        if (made.code != EMI_OK) made.text = error.text;
        return made;
    });
}

/// One row, waited for, of a login.
struct Asked {
    std::uint64_t number = 0;
    std::string user, data;
    explicit Asked(CProvider& provider) {
        emi_batch* batch = nullptr;
        REQUIRE(emi_provider_next_batch(provider.handle, 10'000, &batch, &provider.error) == EMI_OK);
        const CBatch rows(batch);
        REQUIRE(rows.view.rows == 1);
        CHECK(rows.view.type[0] == EMI_REQUEST);
        CHECK(rows.header(0).domain == 1);
        number = rows.view.item[0];
        CHECK(number != 0);
        user = rows.header(0).name;
        data = rows.data(0);
    }
};

int answer(CProvider& provider, std::uint64_t login, bool accept, const char* text) {
    return emi_provider_answer_login(provider.handle, login, accept ? 1 : 0, text, &provider.error);
}

/// A consumer that need not wait for the answer to its login. Its user is a token, which may change.
class EarlyConsumer {
public:
    EarlyConsumer(const std::string& port, bool json) {
        const auto number = static_cast<std::uint16_t>(std::stoi(port));
        if (json) text_ = std::make_unique<TextClient>(webSocketTo(number), [] { std::this_thread::yield(); });
        else wire_ = std::make_unique<RawConsumer>(number);
    }
    /// On stream 1; with an item, a request for it on stream 5 leaves in the same write.
    void logIn(const std::string& token, const std::string& item = {}) {
        if (text_) {
            const std::string login = R"({"ID":1,"Domain":"Login","Key":{"NameType":"Token","Name":")" + token + "\"}}";
            return text_->send(
                item.empty() ? login : login + R"(,{"ID":5,"Key":{"Service":"DIRECT_FEED","Name":")" + item + "\"}}");
        }
        auto login = RawConsumer::loginRequest(token);
        login.key.nameType = 3;
        write(login);
        if (!item.empty()) write(RawConsumer::request(5, 6, item, std::uint16_t{1}));
        wire_->flush();
    }
    /// The next message: "1 Refresh Open tok1". Of items without the name.
    std::string next() {
        if (text_) {
            const auto m = text_->next();
            const std::string id = m.at("ID").text;
            return id + " " + m.at("Type").text + " " + m.at("State").at("Stream").text +
                   (id == "1" ? " " + m.at("Key").at("Name").text : "");
        }
        const Received m = wire_->next();
        const auto stream = m.msg.state.stream;
        return std::to_string(m.msg.streamId) + " " + std::string(codec::name(m.msg.cls)) + " " +
               (stream == codec::StreamState::open     ? "Open"
                : stream == codec::StreamState::closed ? "Closed"
                                                       : std::to_string(static_cast<int>(stream))) +
               (m.msg.streamId == 1 ? " " + m.name() : "");
    }
    /// Nothing but the end of the connection comes.
    bool ended() {
        if (!text_) return !wire_->tryNext() && wire_->waitClosed();
        text_->untilClosed();
        return !text_->ready();
    }

private:
    void write(const codec::Msg& msg) {
        std::vector<std::byte> room(codec::maxEncodedSize(msg) + 64);
        eta::BeWriter out(room);
        REQUIRE(codec::encodeMsg(out, msg).ok());
        const std::lock_guard guard(wire_->channel().outputLock());
        REQUIRE(wire_->channel().write(out.view()).ok());
    }
    std::unique_ptr<RawConsumer> wire_;
    std::unique_ptr<TextClient> text_;
};

std::size_t rowsOf(CProvider& provider) {
    emi_batch* batch = nullptr;
    REQUIRE(emi_provider_next_batch(provider.handle, 0, &batch, &provider.error) == EMI_OK);
    return CBatch(batch).view.rows;
}

/// Sends what the program has no room for: item A.X is opened, and 10000 messages wait.
void fill(CConsumer& c) {
    const auto item = c.open("A.X");
    emi_batch* batch = nullptr;
    REQUIRE(emi_consumer_next_batch(c.handle, 1, 10'000, &batch, &c.error) == EMI_OK);
    emi_batch_free(batch);
    const auto fields = at(0, EMI_FIELD_LIST);
    for (int i = 0; i < 10'000; ++i)
        REQUIRE(emi_consumer_generic(c.handle, item, &fields, 1, &c.error) == EMI_OK);
    // The ack of a post behind them says that there is no room.
    emi_post post{};
    post.size = sizeof post;
    post.flags = EMI_POST_ACK;
    post.has = EMI_HAS_ID;
    post.id = 1;
    REQUIRE(emi_consumer_post(c.handle, item, nullptr, nullptr, &post, &fields, 1, &c.error) == EMI_OK);
    REQUIRE(emi_consumer_next_batch(c.handle, 1, 10'000, &batch, &c.error) == EMI_OK);
    CHECK(CBatch(batch).header(0).nack == 5);
}

}  // namespace

TEST_CASE("The program accepts and refuses logins where it takes them", "[capi][provider][login]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    provider.publish("A.X", {value("BID", EMI_REAL, 5, 14)});
    REQUIRE(emi_provider_take_logins(provider.handle, 1, &provider.error) == EMI_OK);

    auto alice = opening(provider.host(), json, "alice");
    const Asked first(provider);
    CHECK(first.user == "alice");
    INFO(first.data);
    CHECK(first.data.find("Password") != std::string::npos);
    CHECK(first.data.find("'secret'") != std::string::npos);
    CHECK(first.data.find("'1.1.1.1/net'") != std::string::npos);
    auto mallory = opening(provider.host(), json, "mallory");
    const Asked second(provider);
    CHECK(second.user == "mallory");
    CHECK(second.number != first.number);
    // Neither is answered yet.
    CHECK(alice.wait_for(std::chrono::milliseconds(0)) == std::future_status::timeout);
    CHECK(mallory.wait_for(std::chrono::milliseconds(0)) == std::future_status::timeout);

    REQUIRE(answer(provider, second.number, false, "no rights here") == EMI_OK);
    const auto refused = mallory.get();
    CHECK(refused.code == EMI_E_CREDENTIALS);
    CHECK(refused.text.find("no rights here") != std::string::npos);
    REQUIRE(answer(provider, first.number, true, nullptr) == EMI_OK);
    const auto accepted = alice.get();
    INFO(accepted.text);
    REQUIRE(accepted.code == EMI_OK);
    emi_error error{sizeof(emi_error), 0, {}};
    std::uint64_t item = 0;
    REQUIRE(emi_consumer_open_item(accepted.consumer.get(), "DIRECT_FEED", "A.X", 0, &item, &error) == EMI_OK);
    emi_batch* image = nullptr;
    REQUIRE(emi_consumer_next_batch(accepted.consumer.get(), 1, 10'000, &image, &error) == EMI_OK);
    CHECK(CBatch(image).view.type[0] == EMI_REFRESH);

    for (const auto number : {first.number, second.number, std::uint64_t{0}}) {
        CHECK(answer(provider, number, true, "") == EMI_E_ITEM);
        CHECK(std::string(provider.error.text) ==
              "no login " + std::to_string(number) +
                  " waits for an answer: it was answered, its consumer has asked again under another "
                  "number, or has gone");
    }
    const std::string tooLong(40'000, 'x');
    CHECK(answer(provider, 0, true, tooLong.c_str()) == EMI_E_ARGUMENT);
    CHECK(emi_provider_take_logins(nullptr, 1, &provider.error) == EMI_E_ARGUMENT);
    CHECK(emi_provider_answer_login(nullptr, 1, 1, "", &provider.error) == EMI_E_ARGUMENT);

    // What waits goes on waiting; further logins are accepted again.
    auto carol = opening(provider.host(), json, "carol");
    const Asked third(provider);
    REQUIRE(emi_provider_take_logins(provider.handle, 0, &provider.error) == EMI_OK);
    CHECK(opening(provider.host(), json, "mallory").get().code == EMI_OK);
    CHECK(carol.wait_for(std::chrono::milliseconds(0)) == std::future_status::timeout);
    REQUIRE(answer(provider, third.number, true, "late") == EMI_OK);
    CHECK(carol.get().code == EMI_OK);
    CHECK(rowsOf(provider) == 0);
}

TEST_CASE("A login whose answer could not leave waits on for another one", "[capi][provider][login][memory]") {
    const bool json = GENERATE(false, true), accept = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC") << (accept ? ", accepted" : ", refused"));
    CProvider provider(json);
    REQUIRE(emi_provider_take_logins(provider.handle, 1, &provider.error) == EMI_OK);
    int failed = 0;
    bool ran = true;
    // A refusal ends the stream before it is sent: behind its first allocations there is nothing left to answer.
    for (std::uint64_t after = 0; ran && (accept || after < 4); ++after) {
        INFO("memory runs out behind " << after << " allocations");
        REQUIRE(after < 200);
        auto alice = opening(provider.host(), json, "alice");
        const Asked login(provider);
        failAllocation(after);
        const int code = answer(provider, login.number, accept, "a text that has no room in a string without memory");
        ran = allocationFailed();
        if (code != EMI_OK) {
            const std::string said = provider.error.text;
            INFO(said);
            ++failed;
            CHECK((code == EMI_E_MEMORY || code == EMI_E_USAGE));  // an element that has no room does not fit
            CHECK(alice.wait_for(std::chrono::milliseconds(0)) == std::future_status::timeout);
            const int again = answer(provider, login.number, accept, "now");
            INFO(provider.error.text);
            REQUIRE(again == EMI_OK);
        }
        CHECK(alice.get().code == (accept ? EMI_OK : EMI_E_CREDENTIALS));
        CHECK(answer(provider, login.number, accept, "") == EMI_E_ITEM);  // once
    }
    CHECK(failed > 2);
}

TEST_CASE("A login whose consumer has gone waits no longer", "[capi][provider][login]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    REQUIRE(emi_provider_take_logins(provider.handle, 1, &provider.error) == EMI_OK);
    auto gone = opening(provider.host(), json, "alice", "100");
    const Asked login(provider);
    CHECK(gone.get().code == EMI_E_CONNECTION);
    // The end of the connection comes to the provider at its time. An answer before that is for nobody.
    REQUIRE(eventually([&] { return answer(provider, login.number, true, "") == EMI_E_ITEM; }));
}

TEST_CASE("A login that is asked for again is decided on again", "[capi][provider][login]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    provider.publish("A.X", {value("BID", EMI_REAL, 5, 14)});
    const EmaConfigFile file(
        config::consumer({}) +
        config::channel(json ? "RSSL_WEBSOCKET" : "RSSL_SOCKET",
                        config::parameter("Host", "localhost") + config::parameter("Port", provider.port)) +
        config::logger() + config::dictionary());
    RecordingConsumerClient client, items;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("alice"));

    const auto login = consumer.registerClient(ReqMsg().domainType(MMT_LOGIN), client);
    REQUIRE(client.wait("alice refresh Open/Ok/0"));
    consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("A.X"), items);
    REQUIRE(items.wait("A.X refresh Open/Ok/0"));
    REQUIRE(emi_provider_take_logins(provider.handle, 1, &provider.error) == EMI_OK);

    const auto again = [&] {
        consumer.reissue(ReqMsg().domainType(MMT_LOGIN).name("alice").nameType(USER_NAME), login);
        return Asked(provider);
    };
    const auto first = again();
    CHECK(first.user == "alice");
    INFO(first.data);
    CHECK(first.data.find("Position") != std::string::npos);
    // Meanwhile its items go on.
    provider.publish("A.X", {value("BID", EMI_REAL, 6, 14)});
    REQUIRE(items.wait("A.X update"));
    REQUIRE(answer(provider, first.number, true, "") == EMI_OK);
    REQUIRE(client.wait("alice refresh Open/Ok/0", 2));
    const auto second = again();
    CHECK(second.number != first.number);
    std::size_t streams = 0;
    REQUIRE(emi_provider_streams(provider.handle, "A.X", &streams, &provider.error) == EMI_OK);
    CHECK(streams == 1);
    REQUIRE(answer(provider, second.number, false, "expired") == EMI_OK);
    REQUIRE(client.wait("alice status Closed/Suspect/3"));
    REQUIRE(emi_provider_streams(provider.handle, "A.X", &streams, &provider.error) == EMI_OK);
    CHECK(streams == 0);
}

TEST_CASE("Logins that find no room are refused, and may come again", "[capi][provider][login]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    provider.publish("A.X", {value("BID", EMI_REAL, 5, 14)});
    CConsumer c(provider.host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    REQUIRE(emi_provider_take_logins(provider.handle, 1, &provider.error) == EMI_OK);
    fill(c);
    const auto refused = opening(provider.host(), json, "alice").get();
    CHECK(refused.code == EMI_E_CREDENTIALS);
    CHECK(refused.text.find("has not read its logins") != std::string::npos);
    CHECK(rowsOf(provider) == 10'000);
    auto alice = opening(provider.host(), json, "alice");
    REQUIRE(answer(provider, Asked(provider).number, true, "") == EMI_OK);
    CHECK(alice.get().code == EMI_OK);
}

TEST_CASE("What comes right behind a login waits for its answer", "[capi][provider][login]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    provider.publish("A.X", {value("BID", EMI_REAL, 5, 14)});
    REQUIRE(emi_provider_take_logins(provider.handle, 1, &provider.error) == EMI_OK);
    EarlyConsumer accepted(provider.port, json);
    accepted.logIn("tok1", "A.X");
    REQUIRE(answer(provider, Asked(provider).number, true, "") == EMI_OK);
    CHECK(accepted.next() == "1 Refresh Open tok1");
    CHECK(accepted.next() == "5 Refresh Open");
    EarlyConsumer refused(provider.port, json);
    refused.logIn("tok2", "A.X");
    REQUIRE(answer(provider, Asked(provider).number, false, "") == EMI_OK);
    CHECK(refused.next() == "1 Status Closed tok2");
    CHECK(refused.ended());
    std::size_t streams = 0;
    REQUIRE(emi_provider_streams(provider.handle, "A.X", &streams, &provider.error) == EMI_OK);
    CHECK(streams == 1);
    // A provider that accepts every login serves what comes behind it too.
    REQUIRE(emi_provider_take_logins(provider.handle, 0, &provider.error) == EMI_OK);
    EarlyConsumer known(provider.port, json);
    known.logIn("tok3", "A.X");
    CHECK(known.next() == "1 Refresh Open tok3");
    CHECK(known.next() == "5 Refresh Open");
}

TEST_CASE("An answer to an older token is none to a newer one", "[capi][provider][login]") {
    const bool json = GENERATE(false, true);
    const bool accepts = GENERATE(true, false);
    CProvider provider(json);
    REQUIRE(emi_provider_take_logins(provider.handle, 1, &provider.error) == EMI_OK);
    EarlyConsumer consumer(provider.port, json);
    // The first login and a renewal: each is asked for twice before the answer.
    for (const std::string of : {"login", "renewal"}) {
        consumer.logIn(of + "1");
        const Asked older(provider);
        CHECK(older.user == of + "1");
        // Further logins need no answer; one that the program has been asked about does, with each of its tokens.
        REQUIRE(emi_provider_take_logins(provider.handle, 0, &provider.error) == EMI_OK);
        consumer.logIn(of + "2");
        const Asked newer(provider);
        REQUIRE(emi_provider_take_logins(provider.handle, 1, &provider.error) == EMI_OK);
        CHECK(newer.user == of + "2");
        CHECK(newer.number != older.number);
        CHECK(answer(provider, older.number, accepts, "") == EMI_E_ITEM);
        const bool last = of == "renewal";
        REQUIRE(answer(provider, newer.number, !last, "") == EMI_OK);
        CHECK(consumer.next() == (last ? "1 Status Closed renewal2" : "1 Refresh Open login2"));
    }
    CHECK(consumer.ended());
}

TEST_CASE("A session whose renewal finds no room goes on", "[capi][provider][login]") {
    const bool json = GENERATE(false, true);
    CProvider provider(json);
    provider.publish("A.X", {value("BID", EMI_REAL, 5, 14)});
    REQUIRE(emi_provider_take_logins(provider.handle, 1, &provider.error) == EMI_OK);
    EarlyConsumer consumer(provider.port, json);
    consumer.logIn("tok1", "A.X");
    REQUIRE(answer(provider, Asked(provider).number, true, "") == EMI_OK);
    CHECK(consumer.next() == "1 Refresh Open tok1");
    CHECK(consumer.next() == "5 Refresh Open");
    consumer.logIn("tok2");
    const Asked seen(provider);
    CHECK(seen.user == "tok2");

    REQUIRE(emi_provider_take_logins(provider.handle, 0, &provider.error) == EMI_OK);
    CConsumer c(provider.host(), settingsFor(json));
    REQUIRE(c.code == EMI_OK);
    REQUIRE(emi_provider_take_logins(provider.handle, 1, &provider.error) == EMI_OK);
    fill(c);
    consumer.logIn("tok3");
    CHECK(consumer.next() == "1 Status Open tok3");
    // The program never sees tok3, so its answer to tok2 is not one to that.
    CHECK(answer(provider, seen.number, true, "") == EMI_E_ITEM);
    std::size_t streams = 0;
    REQUIRE(emi_provider_streams(provider.handle, "A.X", &streams, &provider.error) == EMI_OK);
    CHECK(streams == 2);
    CHECK(rowsOf(provider) == 10'000);
    consumer.logIn("tok4");
    const Asked again(provider);
    CHECK(again.user == "tok4");
    REQUIRE(answer(provider, again.number, true, "") == EMI_OK);
    CHECK(consumer.next() == "1 Refresh Open tok4");
}

}  // namespace emissary::test
