// Logins of publishers that are checked as those of consumers: by a file, a program, a token, a certificate; over RIPC
// and JSON, on ports for publishers alone and for any role.
#include "certificates.h"
#include "hub/access/hashes.h"
#include "publisher_feed.h"
#include "support/Authority.h"
#include "support/Signer.h"

using namespace emissary;
using namespace emissary::test;

namespace {

/// Answers when the file $1 is there, in the order of the questions; nobody is `late`.
constexpr const char* kSlowScript = R"sh(
while read -r line; do
  id=${line#*:}; id=${id%%,*}
  case "$line" in *'"user":"late"'*) continue;; esac
  case "$line" in *'"user":"watcher"'*) ;; *) while [ ! -e "$1" ]; do sleep 0.02; done;; esac
  case "$line" in
  *'"user":"denied"'*) echo "{\"id\":$id,\"ok\":false,\"text\":\"Not today.\"}";;
  *) echo "{\"id\":$id,\"ok\":true,\"groups\":[\"desk\"]}";;
  esac
done
)sh";

}  // namespace

TEST_CASE("a file of users decides who may publish", "[hub][node][json][access]") {
    CheckedHub h([&](HubSettings& s) {
        s.access.loginCheck = AccessSettings::LoginCheck::file;
        s.access.loginFile = h.dir.write("users", "watcher:::\npub:" + hashOf("secret") + ":feeds:\n");
    });
    const bool json = GENERATE(false, true), any = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC") << (any ? ", any role" : ""));
    const std::uint16_t port = any ? h.f->hub->port() : h.f->hub->publisherPort();
    {
        CheckedFeed wrong(h, json, port);
        wrong.login("pub", "wrong-word");
        if (!json) {  // in front of the answer: nobody gets anything of it
            wrong.directory();
            wrong.item(-1, "TRI", 9);
        }
        CHECK(wrong.state() == "closed: The user, the password or the address is not accepted.");
        CHECK(h.count("emissary_hub_publisher_refusals_total") == 1);
        CHECK(h.count("emissary_hub_published_total") == 0);
        const Json no = h.audited("publisher_refused", "pub");
        CHECK(textOf(no, "code") == "not_entitled");
        CHECK(textOf(no, "parameter") == "LoginCheck");
        CHECK(textOf(no, "text") == "the password is wrong");
        CHECK(textOf(no, "address").starts_with("127.0.0.1:"));
        CHECK_FALSE(h.said("wrong-word"));
    }
    CheckedFeed nobody(h, json, port);
    nobody.login("nobody", "secret");
    CHECK(nobody.state() == "closed: The user, the password or the address is not accepted.");
    CHECK(h.count("emissary_hub_publishers") == 0);

    CheckedFeed feed(h, json, port);
    feed.login("pub", "secret");
    CHECK(feed.state() == "open");
    feed.directory();
    feed.item(-1, "TRI", 10);
    CHECK(publishedValue(h, "TRI") == "1=10");
    CHECK(textOf(h.audited("publisher_login", "pub"), "address").starts_with("127.0.0.1:"));
    // Once more with the password: what it publishes stays. With a wrong one it ends.
    feed.login("pub", "secret");
    CHECK(feed.state() == "open");
    feed.item(-2, "VOD", 20);
    CHECK(publishedValue(h, "VOD") == "1=20");
    CHECK(h.count("emissary_hub_publishers") == 1);
    // The login has no end, and so nothing that a password could renew: it stays, with no password at all as well.
    for (const char* const password : {"", "wrong"}) {
        feed.login("pub", password);
        CHECK(feed.state() == "open");
        feed.again(password);
        CHECK(feed.state() == "open");
    }
    CHECK(h.count("emissary_hub_publishers") == 1);
    CHECK(h.count("emissary_hub_publisher_refusals_total") == 2);
    feed.login("other", "secret");
    CHECK(feed.state() == "closed: The stream is the login of another user.");
    h.f->until([&] { return h.count("emissary_hub_publishers") == 0; });
    CHECK(textOf(h.audited("publisher_logout", "pub"), "address").starts_with("127.0.0.1:"));
}

TEST_CASE("a directory larger than what one without a login may send waits behind the login",
          "[hub][node][json][access]") {
    CheckedHub h([&](HubSettings& s) {
        s.access.loginCheck = AccessSettings::LoginCheck::file;
        s.access.loginFile = h.dir.write("users", "watcher:::\npub:" + hashOf("secret") + ":feeds:\n");
    });
    const bool any = GENERATE(false, true), good = GENERATE(true, false);
    INFO((any ? "any role" : "publishers") << (good ? "" : ", wrong password"));
    CheckedFeed feed(h, false, any ? h.f->hub->port() : h.f->hub->publisherPort());
    reactor::GrowingBuffer small, map;
    rdm::Directory d;
    REQUIRE(d.add(RawProvider::service(Publisher::kService, "NI_FEED")));
    for (std::uint16_t i = 1; i <= 350; ++i)
        REQUIRE(d.add(RawProvider::service(static_cast<std::uint16_t>(Publisher::kService + i),
                                           "WIDE_" + std::to_string(i) + std::string(200, 'x'))));
    REQUIRE(d.encode(map.start(), {}).ok());
    Msg m = feed.directoryMessage(small);
    m.payload = map.view();
    REQUIRE(m.payload.size() > 70'000);
    // Both are on their way before the hub has a turn.
    feed.login("pub", good ? "secret" : "wrong");
    feed.raw->send(m);
    feed.item(-1, "TRI", 10);
    if (!good) {
        CHECK(feed.state() == "closed: The user, the password or the address is not accepted.");
        CHECK(h.count("emissary_hub_published_total") == 0);
        return;
    }
    CHECK(feed.state() == "open");
    h.f->until([&] { return h.count("emissary_hub_published_total") == 1; });
    CHECK(publishedValue(h, "TRI") == "1=10");
    CHECK(h.count("emissary_hub_publishers") == 1);
    CHECK(h.count("emissary_hub_publisher_ignored_total") == 0);
}

TEST_CASE("what a publisher sends before its login is answered waits, in its order", "[hub][node][json][access]") {
    CheckedHub h([&](HubSettings& s) {
        h.dir.write("script", kSlowScript);
        s.access.loginCheck = AccessSettings::LoginCheck::command;
        s.access.loginCommand = {"/bin/sh", h.dir.file("script"), h.dir.file("go")};
        s.loginCheckTimeout = std::chrono::milliseconds(30'000);
    });
    const bool json = GENERATE(false, true), any = GENERATE(false, true), good = GENERATE(true, false);
    INFO((json ? "JSON" : "RIPC") << (any ? ", any role" : "") << (good ? "" : ", denied"));
    CheckedFeed feed(h, json, any ? h.f->hub->port() : h.f->hub->publisherPort());
    const char* const user = good ? "pub" : "denied";
    // More than is kept, so that the hub stops reading; all of JSON in one text with the login.
    constexpr std::int32_t kItems = 3000;
    constexpr std::int32_t kInOneText = 300;
    if (json) {
        std::string all = CheckedFeed::loginText(user, {}, {}) + ',' + feed.directoryText();
        for (std::int32_t i = 1; i <= kInOneText; ++i)
            all += ',' + CheckedFeed::itemText(-i - 1, "N" + std::to_string(i), static_cast<std::uint64_t>(i));
        feed.text->send(all);
    } else {
        feed.login(user);
        feed.directory();
        for (std::int32_t i = 1; i <= kItems; ++i)
            feed.item(-i, "N" + std::to_string(i), static_cast<std::uint64_t>(i));
    }
    h.f->until([&] { return h.count("emissary_hub_access_logins_open") == 1; });
    for (int i = 0; i < 50; ++i)
        h.f->turn();
    CHECK(h.count("emissary_hub_published_total") == 0);
    CHECK(h.count("emissary_hub_publishers") == 0);
    h.dir.write("go", "");
    if (!good) {
        CHECK(feed.state() == "closed: Not today.");
        CHECK(h.count("emissary_hub_published_total") == 0);
        return;
    }
    CHECK(feed.state() == "open");
    const std::int32_t items = json ? kInOneText : kItems;
    h.f->until([&] { return h.count("emissary_hub_published_total") == static_cast<std::uint64_t>(items); });
    CHECK(publishedValue(h, "N" + std::to_string(items)) == "1=" + std::to_string(items));
    CHECK(publishedValue(h, "N1") == "1=1");
    CHECK(h.count("emissary_hub_publisher_ignored_total") == 0);
}

TEST_CASE("a publisher whose login nobody answers, or that goes before, leaves nothing behind",
          "[hub][node][json][access]") {
    CheckedHub h([&](HubSettings& s) {
        h.dir.write("script", kSlowScript);
        s.access.loginCheck = AccessSettings::LoginCheck::command;
        s.access.loginCommand = {"/bin/sh", h.dir.file("script"), h.dir.file("go")};
        s.loginCheckTimeout = std::chrono::milliseconds(1500);
    });
    const bool json = GENERATE(false, true);
    {
        CheckedFeed feed(h, json, h.f->hub->publisherPort());
        feed.login("late");
        CHECK(feed.state() == "closed, recover: The login check does not answer.");
        CHECK(textOf(h.audited("publisher_refused", "late"), "parameter") == "LoginCheckTimeout");
        CHECK(h.count("emissary_hub_access_logins_open") == 0);
    }
    {
        CheckedFeed gone(h, json, h.f->hub->publisherPort());
        gone.login("pub");
        h.f->until([&] { return h.count("emissary_hub_access_logins_open") == 1; });
    }
    h.f->until([&] { return h.count("emissary_hub_access_logins_open") == 0; });
    CheckedFeed waits(h, json, h.f->hub->publisherPort());
    waits.login("pub");
    h.f->until([&] { return h.count("emissary_hub_access_logins_open") == 1; });
    h.f->hub.reset();  // with a login that is being checked
}

TEST_CASE("a publisher that goes while its login is checked is noticed when the answer comes",
          "[hub][node][json][access]") {
    CheckedHub h([&](HubSettings& s) {
        h.dir.write("script", kSlowScript);
        s.access.loginCheck = AccessSettings::LoginCheck::command;
        s.access.loginCommand = {"/bin/sh", h.dir.file("script"), h.dir.file("go")};
        s.loginCheckTimeout = std::chrono::milliseconds(0);
    });
    const bool json = GENERATE(false, true);
    for (const char* const user : {"pub", "denied"}) {
        CheckedFeed gone(h, json, h.f->hub->publisherPort());
        gone.login(user);
        gone.directory();
        h.f->until([&] { return h.count("emissary_hub_access_logins_open") != 0; });
    }
    h.dir.write("go", "");
    h.f->until([&] { return h.count("emissary_hub_access_logins_open") == 0; });
    h.f->until([&] { return h.count("emissary_hub_publishers") == 0; });
    CheckedFeed next(h, json, h.f->hub->publisherPort());
    next.login("pub");
    CHECK(next.state() == "open");
    h.f->until([&] { return h.count("emissary_hub_publishers") == 1; });
}

TEST_CASE("the login of a publisher ends behind its token, unless another one comes in time",
          "[hub][node][json][access]") {
    const Signer signer = Signer::curve();
    CheckedHub h(
        [&](HubSettings& s) {
            s.access.loginCheck = AccessSettings::LoginCheck::jwt;
            s.access.jwtAlgorithm = AccessSettings::Algorithm::es256;
            s.access.jwtAudience = "hub";
            s.access.jwtGrace = std::chrono::seconds(0);
            s.access.jwtKeyFile = h.dir.write("keys", signer.pem());
        },
        false);
    const auto token = [&](const std::string& user, int seconds) {
        const auto now =
            std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
        return signer.token(R"({"sub":")" + user + R"(","aud":"hub","exp":)" + std::to_string(now.count() + seconds) +
                            "}");
    };
    const bool json = GENERATE(false, true);
    const std::uint16_t port = h.f->hub->publisherPort();
    CheckedFeed none(h, json, port);
    none.login("pub");
    CHECK(none.state() == "closed: The login needs a token.");
    CheckedFeed renews(h, json, port), changes(h, json, port);
    std::optional<CheckedFeed> ends;
    // Long enough for a machine that is busy: what it would end at is waited for below, where it is not renewed.
    renews.login({}, {}, token("pub", 20));
    CHECK(renews.state() == "open");
    renews.login({}, {}, token("pub", 3600));
    CHECK(renews.state() == "open");
    // Without a token nothing is renewed, and nothing ends.
    renews.again();
    CHECK(renews.state() == "open");
    renews.again("password");
    CHECK(renews.state() == "open");
    changes.login({}, {}, token("pub", 3600));
    CHECK(changes.state() == "open");
    changes.login({}, {}, token("other", 3600));
    CHECK(changes.state().starts_with("closed: The login is another user's"));
    CHECK(textOf(h.audited("publisher_logout", "pub"), "code") == "another_user");
    // A machine that is so busy that the token is over before it is looked at gets another one.
    std::string first;
    for (int seconds = 2; first != "open" && seconds <= 32; seconds *= 2) {
        CheckedFeed& one = ends.emplace(h, json, port);
        one.login({}, {}, token("brief", seconds));
        first = one.state();
    }
    CHECK(first == "open");
    CHECK(ends->state() == "closed: The login has expired, and was not renewed.");
    h.f->until([&] { return h.count("emissary_hub_publishers") == 1; });
    CHECK(textOf(h.audited("publisher_login", "pub"), "address").starts_with("127.0.0.1:"));
    const Json over = h.audited("publisher_logout", "brief");
    CHECK(textOf(over, "text").find("has expired") != std::string::npos);
    CHECK(textOf(over, "code") == "expired");
    CHECK(textOf(over, "address").starts_with("127.0.0.1:"));
    renews.login({}, {}, token("pub", 3600));
    CHECK(renews.state() == "open");
}

TEST_CASE("only users of certain groups may publish", "[hub][node][json][access]") {
    CheckedHub h([&](HubSettings& s) {
        s.listeners[0].publisherGroups = s.publisherListeners[0].publisherGroups = {"feeds", "desk"};
        s.access.loginCheck = AccessSettings::LoginCheck::file;
        s.access.loginFile = h.dir.write("users", "watcher:::\npub::all,desk:\nviewer::all:\n");
    });
    const bool json = GENERATE(false, true), any = GENERATE(false, true);
    const std::uint16_t port = any ? h.f->hub->port() : h.f->hub->publisherPort();
    CheckedFeed no(h, json, port), yes(h, json, port);
    no.login("viewer");
    CHECK(no.state() == "closed: The user may not publish here.");
    CHECK(textOf(h.audited("publisher_refused", "viewer"), "parameter") == "PublisherGroups");
    yes.login("pub");
    CHECK(yes.state() == "open");
    RawConsumer consumer = h.f->loggedIn("viewer");  // the groups are those of publishers
    CHECK(HubFixture::silent(consumer));
}

TEST_CASE("the certificate names the user of a publisher", "[hub][node][json][tls][access]") {
    static const Certificates server;
    const perf::test::TempDir folder;
    Authority authority(folder.file("."), "feeds");
    const Identity pub = authority.issue("pub", {.commonName = "pub"});
    CheckedHub h([&](HubSettings& s) {
        ListenerSettings port = s.publisherListeners[0];
        port.name = "certified";
        server.encrypt(port);
        port.bind.tls.clientCa = authority.file();
        port.certUser = CertUser::cn;
        s.publisherListeners.push_back(port);
    });
    const bool json = GENERATE(false, true);
    ConnectOptions to = server.to(h.f->hub->publisherPort(1), json ? ConnectionType::webSocket : ConnectionType::socket,
                                  json ? "rssl.json.v2" : "rssl.rwf");
    to.tls.certificate = pub.certificate;
    to.tls.privateKey = pub.key;
    for (const char* const user : {"root", "pub", ""}) {
        INFO(user);
        CheckedFeed feed(h, json, to);
        feed.login(user);
        if (std::string_view(user) == "root") {
            CHECK(feed.state() == "closed: The certificate of the connection is not the user's.");
            const Json no = h.audited("publisher_refused", "root");
            CHECK(textOf(no, "certificate") == "CN=pub");
            CHECK(textOf(no, "parameter") == "CertUser");
            continue;
        }
        CHECK(feed.state() == "open");
        CHECK(textOf(h.audited("publisher_login", "pub"), "certificate") == "CN=pub");
        feed.again();
        CHECK(feed.state() == "open");
        h.f->until([&] { return h.count("emissary_hub_publishers") == 1; });
        feed.login("root");
        CHECK_THAT(feed.state(), Catch::StartsWith("closed: "));
        const Json over = h.audited("publisher_logout", "pub");
        CHECK(textOf(over, "certificate") == "CN=pub");
        CHECK(textOf(over, "address").starts_with("127.0.0.1:"));
        h.f->until([&] { return h.count("emissary_hub_publishers") == 0; });
    }
}

TEST_CASE("a login that a publisher renews without a name is that of the name it came with",
          "[hub][node][json][tls][access]") {
    static const Certificates server;
    const perf::test::TempDir folder;
    Authority authority(folder.file("."), "feeds");
    const Identity pub =
        authority.issue("pub", {.alternatives = "email:first@desk.test,otherName:msUPN;UTF8:second@desk.test"});
    CheckedHub h([&](HubSettings& s) {
        // With an end, so that a password renews it.
        h.dir.write("script", R"sh(
while read -r line; do
  id=${line#*:}; id=${id%%,*}
  case "$line" in *'"password":"wrong"'*) echo "{\"id\":$id,\"ok\":false}";;
  *) echo "{\"id\":$id,\"ok\":true,\"limits\":{\"seconds\":3600}}";;
  esac
done
)sh");
        s.access.loginCheck = AccessSettings::LoginCheck::command;
        s.access.loginCommand = {"/bin/sh", h.dir.file("script")};
        ListenerSettings port = s.publisherListeners[0];
        port.name = "certified";
        server.encrypt(port);
        port.bind.tls.clientCa = authority.file();
        port.certUser = CertUser::san;
        s.publisherListeners.push_back(port);
    });
    const bool json = GENERATE(false, true), certified = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC") << (certified ? ", with a certificate" : ""));
    ConnectOptions to = server.to(h.f->hub->publisherPort(1), json ? ConnectionType::webSocket : ConnectionType::socket,
                                  json ? "rssl.json.v2" : "rssl.rwf");
    to.tls.certificate = pub.certificate;
    to.tls.privateKey = pub.key;
    const std::uint16_t plain = h.f->hub->publisherPort();
    CheckedFeed feed(h, json, certified ? to : json ? webSocketTo(plain) : RawConsumer::optionsFor(plain));
    feed.login("second@desk.test", "secret");
    CHECK(feed.state() == "open");
    for (const char* const password : {"secret", ""}) {
        feed.again(password);
        CHECK(feed.state() == "open");
        feed.login("second@desk.test", password);
        CHECK(feed.state() == "open");
    }
    CHECK(h.count("emissary_hub_publishers") == 1);
    feed.again("wrong");
    CHECK(feed.state().starts_with("closed: "));
    const Json over = h.audited("publisher_logout", "second@desk.test");
    CHECK(textOf(over, "code") == "not_entitled");
    CHECK(textOf(over, "address").starts_with("127.0.0.1:"));
    CHECK(textOf(over, "certificate") == (certified ? "CN=dana" : ""));
}
