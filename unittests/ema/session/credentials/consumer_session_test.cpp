// Consumers with session management: token, discovery, login, renewal, reconnection, refusal (credentials.md 6,
// 7, 8.1).
#include "SessionTest.h"
#include "reactor/rdm/Login.h"
#include "support/RestServer.h"

#include <map>
#include <optional>

using namespace emissary::test;

namespace {

/// A provider over TLS, the token service and service discovery over HTTPS, and a consumer of them.
class Cloud {
    std::vector<std::string> logins_;  // provider's thread only, which begins with `provider`

public:
    ProviderThread provider;
    std::vector<std::string> endpoints;  ///< hosts of the answers of discovery, one after the other; the last one stays
    std::function<std::optional<RestServer::Reply>(const RestServer::Request&)> special;  ///< on the server's threads
    RestServer server;

    Cloud()
        : provider([this](RawProvider& p) {
              p.certificates = restCertificates();
              p.automatic.login = false;
              p.onMessage = [this, &p](const RawProvider::Got& got) { noteLogin(p, got.msg); };
              p.listen("0");
          }),
          server([this](const RestServer::Request& r) { return answer(r); }, restCertificates() + "/server.pem",
                 restCertificates() + "/server-key.pem") {}

    [[nodiscard]] RestServer::Reply answer(const RestServer::Request& r) {
        if (special)
            if (auto reply = special(r)) return *reply;
        const std::string number = std::to_string(++answers_[r.path()]);
        if (r.path() == "/v1/token") return {.body = tokenV1("AT" + number, "RT" + number, life)};
        if (r.path() == "/v2/token") return {.body = tokenV2("AT" + number, life)};
        return {.body = services("localhost",
                                 deadEndpoint != 0 ? std::exchange(deadEndpoint, std::uint16_t{0}) : provider.port())};
    }
    [[nodiscard]] std::string channel(const std::string& more = {}) const {
        return config::parameter("EncryptedProtocolType", "EncryptedProtocolType::RSSL_SOCKET") +
               config::parameter("EnableSessionManagement", "1") +
               config::parameter("OpenSSLCAStore", restCertificates() + "/ca.pem") + more;
    }
    [[nodiscard]] std::string file(const std::string& consumer = {}, const std::string& channelMore = {}) const {
        return config::consumer(R"(<ReconnectMinDelay value="100"/><ReconnectMaxDelay value="100"/>)" + consumer) +
               config::channel("RSSL_ENCRYPTED", channel(channelMore)) + config::logger() + config::dictionary();
    }
    void use(OmmConsumerConfig& c) const {
        c.tokenServiceUrlV1(server.url("/v1/token").c_str())
            .tokenServiceUrlV2(server.url("/v2/token").c_str())
            .serviceDiscoveryUrl(server.url("/list").c_str())
            .position("p/net");
    }
    /// The tokens of the login requests that the provider got; something else where a request is not made as it must
    /// be.
    [[nodiscard]] std::vector<std::string> logins() {
        return provider.run([this](RawProvider&) { return logins_; });
    }
    [[nodiscard]] std::vector<std::string> grants() const {
        std::vector<std::string> all;
        for (const auto& r : server.requests("/token"))
            all.push_back(r.form()["grant_type"]);
        return all;
    }

    int life = 300;
    std::uint16_t deadEndpoint = 0;  ///< the next answer of discovery names this port

private:
    /// On the provider's thread.
    void noteLogin(RawProvider& p, const codec::Msg& m) {
        if (m.cls != codec::MsgClass::Request || m.domain != 1) return;
        emissary::reactor::rdm::LoginAttributes attributes;
        const bool good = emissary::reactor::rdm::decodeLogin(m.key, attributes).ok() && m.key.nameType == 5 &&
                          emissary::eta::asText(m.key.name) == std::string_view("\0", 1) && !attributes.password;
        logins_.push_back(good ? attributes.authenticationToken.value_or("no token") : "not a login by token");
        if (!m.has(codec::RequestFlag::noRefresh)) p.send(p.loginRefresh());
    }

    std::map<std::string, int> answers_;
};

[[nodiscard]] bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a consumer finds its server and logs in with a token", "[ema][credentials][session]") {
    Cloud cloud;
    const EmaConfigFile file(cloud.file());
    OmmConsumerConfig config(file.path());
    cloud.use(config);
    SECTION("V2, discovered") {
        config.clientId("GE-1").clientSecret("secret");
        OmmConsumer consumer(config);
        REQUIRE(cloud.logins().size() == 1);
        CHECK(contains(cloud.logins()[0], "AT1"));
        const auto seen = cloud.server.requests();
        REQUIRE(seen.size() == 2);
        CHECK(seen[0].form() == std::map<std::string, std::string>{{"grant_type", "client_credentials"},
                                                                   {"client_id", "GE-1"},
                                                                   {"scope", "trapi.streaming.pricing.read"},
                                                                   {"client_secret", "secret"}});
        CHECK(seen[1].target == "/list?transport=tcp");
        CHECK(seen[1].header("authorization") == "Bearer AT1");
        // Outside of a callback there is nothing to renew.
        OAuth2CredentialRenewal renewal;
        CHECK(thrown([&] { consumer.renewOAuth2Credentials(renewal); }) ==
              "OmmInvalidUsageException -4048: Cannot call OmmConsumer::renewOAuth2Credentials outside of an "
              "OmmOAuth2ConsumerClient callback.");
    }
    SECTION("V1; the user name is the client id where there is none") {
        config.username("user").password("pw");
        OmmConsumer consumer(config);
        CHECK(cloud.server.requests()[0].form()["client_id"] == "user");
        CHECK(cloud.server.requests()[0].form()["password"] == "pw");
        CHECK(contains(cloud.logins().at(0), "AT1"));
    }
    SECTION("with host and port there is no discovery") {
        const EmaConfigFile fixed(cloud.file({}, config::parameter("Host", "localhost") +
                                                     config::parameter("Port", std::to_string(cloud.provider.port()))));
        OmmConsumerConfig c(fixed.path());
        cloud.use(c);
        c.clientId("GE-1").clientSecret("secret");
        OmmConsumer consumer(c);
        CHECK(cloud.server.requests().size() == 1);
        CHECK(contains(cloud.logins().at(0), "AT1"));
    }
}

TEST_CASE("what the first token or endpoint is refused is thrown", "[ema][credentials][session]") {
    Cloud cloud;
    const EmaConfigFile file(
        cloud.file(config::parameter("RestRequestTimeOut", "1"), config::parameter("Location", "mars")));
    OmmConsumerConfig config(file.path());
    cloud.use(config);
    const auto construct = [&] { return thrown([&] { OmmConsumer consumer(config); }); };
    SECTION("no credentials: nothing is asked") {
        CHECK(contains(construct(), "no credentials are given"));
        CHECK(cloud.server.requests().empty());
    }
    SECTION("by status, once") {
        config.clientId("GE-1").clientSecret("secret");
        const int status = GENERATE(403, 500);
        cloud.special = [&](const RestServer::Request&) { return RestServer::Reply{.status = status, .body = "{}"}; };
        CHECK(contains(construct(), "Failed to request authentication token information with HTTP error " +
                                        std::to_string(status) + ". Text: {}"));
        CHECK(cloud.server.requests().size() == 1);
    }
    SECTION("by silence") {
        config.clientId("GE-1").clientSecret("secret");
        cloud.special = [&](const RestServer::Request&) { return RestServer::Reply{.silent = true}; };
        CHECK(contains(construct(), "Failed to request authentication token information. Text: "));
    }
    SECTION("by location") {
        config.clientId("GE-1").clientSecret("secret");
        CHECK(contains(construct(), "Failed to query host name and port from the RDP service discovery for the "
                                    "\"mars\" location"));
    }
    SECTION("by a key that cannot be read") {
        config.clientId("GE-1").clientJWK("{}");
        CHECK(contains(construct(), "the client JWK cannot be used"));
        CHECK(cloud.server.requests().empty());
    }
    SECTION("by an authority that is not trusted") {
        const EmaConfigFile other(config::consumer({}) +
                                  config::channel("RSSL_ENCRYPTED", config::parameter("EnableSessionManagement", "1")) +
                                  config::logger() + config::dictionary());
        OmmConsumerConfig c(other.path());
        cloud.use(c);
        c.clientId("GE-1").clientSecret("secret");
        CHECK(contains(thrown([&] { OmmConsumer consumer(c); }),
                       "Failed to request authentication token information. Text: "));
        CHECK(cloud.server.requests().empty());
    }
}

TEST_CASE("a V1 session renews its token without a word to the application", "[ema][credentials][session]") {
    Cloud cloud;
    cloud.life = 1;
    const EmaConfigFile file(cloud.file(config::parameter("TokenReissueRatio", "0.5")));
    OmmConsumerConfig config(file.path());
    cloud.use(config);
    config.username("user").password("pw");
    RecordingConsumerClient client;
    OmmConsumer consumer(config, client);
    REQUIRE(eventually([&] { return cloud.logins().size() >= 3; }));
    const auto logins = cloud.logins();
    CHECK(contains(logins[0], "AT1"));
    CHECK(contains(logins[1], "AT2"));
    CHECK(contains(logins[2], "AT3"));
    const auto grants = cloud.grants();
    CHECK(grants[0] == "password");
    CHECK(grants[1] == "refresh_token");
    const bool connectedOnce = cloud.provider.run([](RawProvider& p) { return p.connections == 1; });
    CHECK(connectedOnce);
}

TEST_CASE("a lost connection comes back with a new token", "[ema][credentials][session]") {
    Cloud cloud;
    const EmaConfigFile file(cloud.file(config::parameter("MaxDispatchCountApiThread", "10")));
    OmmConsumerConfig config(file.path());
    cloud.use(config);
    const bool v1 = GENERATE(true, false);
    if (v1) config.username("user").password("pw");
    else config.clientId("GE-1").clientSecret("secret");
    OmmConsumer consumer(config);
    cloud.provider.run([](RawProvider& p) { return p.disconnect(), true; });
    REQUIRE(cloud.provider.until([](RawProvider& p) { return p.connections == 2 && p.connected(); }));
    REQUIRE(eventually([&] { return cloud.logins().size() == 2; }));
    CHECK(contains(cloud.logins()[1], "AT2"));
    CHECK(cloud.grants()[1] == (v1 ? "refresh_token" : "client_credentials"));
    CHECK(cloud.server.requests("/list").size() == 1);  // the endpoint is kept
}

TEST_CASE("a dead endpoint is looked up again", "[ema][credentials][session]") {
    Cloud cloud;
    {
        RestServer gone([](const RestServer::Request&) { return RestServer::Reply{}; });
        cloud.deadEndpoint = gone.port();
    }
    const EmaConfigFile file(cloud.file({}, config::parameter("ServiceDiscoveryRetryCount", "2")));
    OmmConsumerConfig config(file.path());
    cloud.use(config);
    config.clientId("GE-1").clientSecret("secret");
    OmmConsumer consumer(config);
    CHECK(cloud.server.requests("/list").size() == 2);
    CHECK(cloud.server.requests("/token").size() == 1);  // the token is good still
}

TEST_CASE("a credential client is asked, and only it may answer", "[ema][credentials][session]") {
    Cloud cloud;
    const EmaConfigFile file(cloud.file());
    OmmConsumerConfig config(file.path());
    cloud.use(config);
    struct Client final : OmmOAuth2ConsumerClient {
        OmmConsumer* consumer = nullptr;
        std::atomic<int> calls{0};
        std::string channel, missing, wrongUser;
        void* closure = nullptr;
        void onCredentialRenewal(const OmmConsumerEvent& event) override {
            ++calls;
            closure = event.getClosure();
            channel = event.getChannelInformation().getName().c_str();
            OAuth2CredentialRenewal renewal;
            missing = thrown([&] { consumer->renewOAuth2Credentials(renewal); });
            EmaString secret("secret-again"), user("somebody");
            renewal.clientSecret(secret).userName(user);
            wrongUser = thrown([&] { consumer->renewOAuth2Credentials(renewal); });
            EmaString nobody;
            consumer->renewOAuth2Credentials(renewal.userName(nobody));
        }
    } client;
    int closure = 0;
    const bool added = GENERATE(false, true);
    if (added) {
        OAuth2Credential credential;
        credential.clientId("GE-1").clientSecret("secret").channelList("Channel");
        config.addOAuth2Credential(credential, client, &closure);
    } else config.clientId("GE-1").clientSecret("secret");
    std::unique_ptr<OmmConsumer> consumer =
        added ? std::make_unique<OmmConsumer>(config) : std::make_unique<OmmConsumer>(config, client, &closure);
    client.consumer = consumer.get();
    CHECK(client.calls == 0);
    cloud.provider.run([](RawProvider& p) { return p.disconnect(), true; });
    REQUIRE(eventually([&] { return cloud.logins().size() == 2; }));
    CHECK(client.calls == 1);
    CHECK(client.closure == &closure);
    CHECK(client.channel == "Channel");
    CHECK(contains(client.missing, "the client secret or JWK is missing"));
    CHECK(contains(client.wrongUser, "the user name must stay"));
    CHECK(cloud.server.requests("/token").at(1).form()["client_secret"] == "secret-again");
    consumer.reset();
}

TEST_CASE("credentials that contradict each other", "[ema][credentials][session]") {
    Cloud cloud;
    const EmaConfigFile file(cloud.file());
    OmmConsumerConfig config(file.path());
    OAuth2Credential one;
    one.clientId("a").clientSecret("s").channelList("Channel, Other");
    config.addOAuth2Credential(one).addOAuth2Credential(one);
    CHECK(contains(thrown([&] { OmmConsumer consumer(config); }), "two credentials are for the channel Channel"));
    config.clear();
    one.channelList("");
    config.addOAuth2Credential(one).addOAuth2Credential(one);
    CHECK(contains(thrown([&] { OmmConsumer consumer(config); }), "all channels that no other one names"));
    CHECK(contains(thrown([&] { config.addLoginMsgCredential(ReqMsg().domainType(MMT_DIRECTORY), "C"); }),
                   "is not the login's"));
}

TEST_CASE("a channel may have a login of its own", "[ema][credentials][session]") {
    ProviderThread provider;
    const ConsumerConfigFile file(provider.port());
    OmmConsumerConfig config(file.path());
    struct Client final : OmmLoginCredentialConsumerClient {
        std::atomic<OmmConsumer*> consumer{nullptr};
        std::atomic<int> calls{0}, others{0};
        void onLoginCredentialRenewal(const OmmConsumerEvent& event) override {
            ++calls;
            if (event.getChannelInformation().getName() != "Channel") ++others;
            OmmConsumer* const own = consumer;
            if (own == nullptr) return;  // the first one goes on as it was given
            EmaString name("renewed");
            LoginMsgCredentialRenewal renewal;
            own->renewLoginCredentials(renewal.userName(name));
        }
    } client;
    config.addLoginMsgCredential(ReqMsg().domainType(MMT_LOGIN).name("special"), "Channel", client, nullptr);
    OmmConsumer consumer(config);
    client.consumer = &consumer;
    const auto logins = [&] {
        return provider.run([](RawProvider& p) {
            std::string all;
            for (const std::string& line : p.wire)
                if (line.rfind("REQ 1 ", 0) == 0) all += line + "\n";
            return all;
        });
    };
    CHECK(contains(logins(), " special\n"));
    CHECK(client.calls == 1);
    provider.run([](RawProvider& p) { return p.disconnect(), true; });
    REQUIRE(eventually([&] { return contains(logins(), " renewed\n"); }));
    CHECK(client.others == 0);
    LoginMsgCredentialRenewal renewal;
    CHECK(contains(thrown([&] { consumer.renewLoginCredentials(renewal); }), "outside of an"));
}

TEST_CASE("the REST log of a consumer", "[ema][credentials][session][log]") {
    Cloud cloud;
    const std::string log = "test_rest_log_" + std::to_string(::getpid()) + ".txt";
    const EmaConfigFile file(cloud.file(config::parameter("RestEnableLog", "1") +
                                        config::parameter("RestLogFileName", log) +
                                        config::parameter("RestEnableLogViaCallback", "1")));
    OmmConsumerConfig config(file.path());
    cloud.use(config);
    config.clientId("GE-1").clientSecret("hidden");
    struct Client final : OmmRestLoggingClient {
        std::string text;
        void* closure = nullptr;
        void onRestLoggingEvent(const OmmConsumerRestLoggingEvent& event) override {
            text += event.getRestLoggingMessage().c_str();
            closure = event.getClosure();
        }
    } client;
    config.restLoggingCallback(client, &client);
    std::string said;
    {
        OmmConsumer consumer(config);
        said = client.text;
        CHECK(client.closure == &client);
        CHECK(contains(thrown([&] { consumer.modifyReactorIOCtl(IOCtlReactorCode::EnableRestLoggingEnum, 2); }),
                       "the value must be 0 or 1"));
        CHECK(contains(thrown([&] { consumer.modifyReactorIOCtl(77, 1); }), "is not one of IOCtlReactorCode"));
        consumer.modifyReactorIOCtl(IOCtlReactorCode::EnableRestLoggingEnum, 0);
        consumer.modifyReactorIOCtl(IOCtlReactorCode::EnableRestCallbackLoggingEnum, 0);
        cloud.provider.run([](RawProvider& p) { return p.disconnect(), true; });
        REQUIRE(eventually([&] { return cloud.logins().size() == 2; }));
    }
    std::ifstream in(log);
    const std::string written{std::istreambuf_iterator<char>(in), {}};
    std::remove(log.c_str());
    CHECK(written == said);
    CHECK(client.text == said);  // switched off
    CHECK(contains(said, "--- REST REQUEST ---"));
    CHECK(contains(said, "client_secret=***"));
    CHECK(contains(said, "Authorization : Bearer ***"));
    CHECK_FALSE(contains(said, "hidden"));
    CHECK_FALSE(contains(said, "AT1"));
}

TEST_CASE("a consumer ends while its token is asked for", "[ema][credentials][session]") {
    Cloud cloud;
    const EmaConfigFile file(cloud.file());
    OmmConsumerConfig config(file.path());
    cloud.use(config);
    config.clientId("GE-1").clientSecret("secret");
    auto consumer = std::make_unique<OmmConsumer>(config);
    cloud.special = [&](const RestServer::Request&) { return RestServer::Reply{.silent = true}; };
    cloud.provider.run([](RawProvider& p) { return p.disconnect(), true; });
    REQUIRE(eventually([&] { return cloud.server.requests("/token").size() == 2; }));
    const auto start = std::chrono::steady_clock::now();
    consumer.reset();
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}
