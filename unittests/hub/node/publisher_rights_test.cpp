// Which services a publisher may offer, and what becomes of it when that changes: by a file that is read again, another
// configuration, another token; over RIPC and JSON, on ports for publishers alone and for any role.
#include "hub/access/hashes.h"
#include "hub/ops/Inspector.h"
#include "publisher_feed.h"
#include "support/Signer.h"

using namespace emissary;
using namespace emissary::test;

namespace {

[[nodiscard]] ServiceSettings offeredBy(const std::string& name, std::vector<std::string> groups) {
    ServiceSettings s;
    s.name = name;
    s.publisherGroups = std::move(groups);
    return s;
}

/// A hub with users of a file, and two services that certain groups may offer.
struct RightsHub : CheckedHub {
    explicit RightsHub(const std::string& users)
        : CheckedHub([&](HubSettings& s) {
              s.access.loginCheck = AccessSettings::LoginCheck::file;
              s.access.loginFile = dir.write("users", "watcher:::\n" + users);
              s.services.push_back(offeredBy("NI_FEED", {"feeds", "desk"}));
              s.services.push_back(offeredBy("SECRET", {"vault"}));
              s.services.push_back(offeredBy("E\x1b[2J", {"vault"}));
          }) {}
    void users(const std::string& lines) {
        std::filesystem::rename(dir.write("new", "watcher:::\n" + lines), dir.file("users"));
    }
    void change(const std::string& service, std::vector<std::string> groups) {
        HubSettings next = f->hub->settings();
        for (ServiceSettings& s : next.services)
            if (s.name == service) s.publisherGroups = groups;
        REQUIRE_FALSE(f->hub->change(next));
    }
    [[nodiscard]] bool up(const std::string& service) {
        const Service* const s = f->hub->rooms().services.find(service);
        return s != nullptr && s->up();
    }
    [[nodiscard]] std::uint64_t refused() const { return count("emissary_hub_publisher_offers_refused_total"); }
    /// What the pages say of it: how many services of publishers are left out, and the problem.
    [[nodiscard]] std::pair<std::size_t, std::string> shown() {
        const Hub::Rooms rooms = f->hub->rooms();
        const ops::Inspector pages({rooms.reactor, rooms.items, rooms.clients, rooms.services, rooms.flow,
                                    f->hub->settings(), [this](const auto& each) { f->hub->eachSource(each); },
                                    [this] { return f->hub->dictionary(); }, [](const std::string&, std::uint32_t) {},
                                    [] { return false; }});
        const ops::Overview all = pages.overview();
        std::pair<std::size_t, std::string> found;
        for (const ops::SourceRow& row : all.sources)
            found.first += row.barredServices;
        for (const std::string& problem : all.problems)
            if (problem.find("PublisherGroups") != problem.npos) found.second += problem + '\n';
        return found;
    }
};

/// A consumer that has the item, and notes its state.
struct Watcher {
    RightsHub& hub;
    RawConsumer c;
    std::string last;

    Watcher(RightsHub& h, const std::string& item) : hub(h), c(h.f->loggedIn("watcher")) {
        const std::uint16_t id = serviceOf(c);
        c.send(RawConsumer::request(5, 6, item, id));
        read();
    }
    /// "open ok 1=10" of the next message on the item that has a state, or the fields alone.
    std::string read() {
        for (;;) {
            const Received got = c.next();
            if (got.msg.streamId != 5) continue;
            last.clear();
            if (got.msg.cls == MsgClass::Refresh || got.msg.cls == MsgClass::Status)
                last = std::string(got.msg.state.stream == StreamState::open ? "open " : "closed ") +
                       (got.msg.state.data == ok ? "ok " : "suspect ");
            if (got.msg.cls != MsgClass::Status) last += HubFixture::fields(got.msg);
            return last;
        }
    }
};

}  // namespace

TEST_CASE("a publisher offers only the services that its groups may", "[hub][node][json][access]") {
    RightsHub h("pub::feeds:\nkeeper::vault:\n");
    const bool json = GENERATE(false, true), any = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC") << (any ? ", any role" : ""));
    const std::uint16_t port = any ? h.f->hub->port() : h.f->hub->publisherPort();
    CheckedFeed feed(h, json, port);
    feed.login("pub");
    REQUIRE(feed.state() == "open");
    feed.directory({"NI_FEED", "SECRET", "FREE"});
    feed.item(-1, "TRI", 10);
    feed.item(-2, "KEY", 20, 1);
    feed.update(-2, 21);
    feed.item(-3, "ALL", 30, 2);
    h.f->until([&] { return h.count("emissary_hub_published_total") == 4; });
    CHECK(publishedValue(h, "TRI") == "1=10");
    CHECK(h.up("FREE"));
    CHECK(h.f->hub->rooms().services.find("SECRET") == nullptr);
    CHECK(h.count("emissary_hub_publishers") == 1);
    CHECK(h.refused() == 1);
    CHECK(h.count("emissary_hub_published_unserved_total") == 2);
    CHECK(h.count("emissary_hub_published_early_total") == 0);
    CHECK(h.said("publisher 'pub': service 'SECRET' is left out: its user is in none of the groups that may offer the "
                 "service (PublisherGroups)"));
    const Json no = h.audited("publisher_offer_refused", "pub");
    CHECK(textOf(no, "service") == "SECRET");
    CHECK(textOf(no, "code") == "not_entitled");
    CHECK(textOf(no, "parameter") == "PublisherGroups");
    CHECK(textOf(no, "address").starts_with("127.0.0.1:"));
    CHECK(h.shown() == std::pair<std::size_t, std::string>(
                           1, "publisher 'pub' may not offer 1 service that it offers (PublisherGroups): 'SECRET'\n"));

    // Once more, and by somebody who may: that one has this service, and not the other.
    feed.directory({"NI_FEED", "SECRET", "FREE"});
    CheckedFeed keeper(h, json, port);
    keeper.login("keeper");
    REQUIRE(keeper.state() == "open");
    keeper.directory({"NI_FEED", "SECRET"});
    h.f->until([&] { return h.up("SECRET"); });
    const Hub::Rooms rooms = h.f->hub->rooms();
    CHECK(rooms.services.find("SECRET")->publishers.size() == 1);
    CHECK(rooms.services.find("NI_FEED")->publishers.size() == 1);
    CHECK(h.refused() == 2);
    // What it may not offer is left out under each name that it gives it.
    feed.directory({"NI_FEED", "FREE", "SECRET"});
    h.f->until([&] { return h.refused() == 3; });
    CHECK(rooms.services.find("SECRET")->publishers.size() == 1);
    CHECK(h.up("FREE"));
    CHECK(h.shown().first == 2);
    feed.directory({"NI_FEED", "FREE"});
    h.f->until([&] { return h.shown().first == 1; });
    // Nothing that a publisher calls its services does anything to the terminal of who reads of it.
    if (json) return;
    feed.directory({"NI_FEED", "FREE", "E\x1b[2J"});
    h.f->until([&] { return h.shown().first == 2; });
    CHECK(h.shown().second.find("(PublisherGroups): 'E\\x1B[2J'\n") != std::string::npos);
}

TEST_CASE("a file of users that is read again takes services from publishers, and gives them back",
          "[hub][node][json][access]") {
    RightsHub h("pub::feeds:\n");
    const bool json = GENERATE(false, true), any = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC") << (any ? ", any role" : ""));
    CheckedFeed feed(h, json, any ? h.f->hub->port() : h.f->hub->publisherPort());
    feed.login("pub");
    REQUIRE(feed.state() == "open");
    feed.directory({"NI_FEED", "FREE"});
    feed.item(-1, "TRI", 10);
    Watcher w(h, "TRI");
    CHECK(w.last == "open ok 1=10");

    // Another password changes nothing, nor does another group that may as well.
    h.users("pub:" + hashOf("secret") + ":desk:\n");
    h.f->until([&] { return h.said("read again: 2 users"); });
    feed.update(-1, 11);
    CHECK(w.read() == "1=11");
    CHECK(h.refused() == 0);

    h.f->lines.clear();
    h.users("pub::others:\n");
    CHECK(w.read() == "open suspect ");
    CHECK_FALSE(h.up("NI_FEED"));
    CHECK(h.up("FREE"));
    CHECK(h.refused() == 1);
    CHECK(textOf(h.audited("publisher_offer_refused", "pub"), "service") == "NI_FEED");
    feed.update(-1, 12);
    feed.item(-1, "TRI", 13);
    h.f->until([&] { return h.count("emissary_hub_published_unserved_total") == 2; });
    CHECK(h.count("emissary_hub_publishers") == 1);

    h.users("pub::feeds:\n");
    h.f->until([&] { return h.up("NI_FEED"); });
    CHECK(h.said("may offer service 'NI_FEED' now"));
    CHECK(h.shown().first == 0);
    feed.item(-1, "TRI", 14);
    CHECK(w.read() == "open ok 1=14");
    feed.update(-1, 15);
    CHECK(w.read() == "1=15");
    CHECK(h.refused() == 1);
}

TEST_CASE("a publisher whose user has left the file, or the groups of its port, is disconnected",
          "[hub][node][json][access]") {
    CheckedHub h([&](HubSettings& s) {
        s.listeners[0].publisherGroups = s.publisherListeners[0].publisherGroups = {"feeds"};
        s.access.loginCheck = AccessSettings::LoginCheck::file;
        s.access.loginFile = h.dir.write("users", "watcher:::\nstays::feeds:\nmoves::feeds:\nleaves::feeds:\n");
    });
    const bool json = GENERATE(false, true), any = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC") << (any ? ", any role" : ""));
    const std::uint16_t port = any ? h.f->hub->port() : h.f->hub->publisherPort();
    CheckedFeed stays(h, json, port), moves(h, json, port), leaves(h, json, port);
    stays.login("stays");
    moves.login("moves");
    leaves.login("leaves");
    for (CheckedFeed* const feed : {&stays, &moves, &leaves})
        REQUIRE(feed->state() == "open");
    leaves.directory();
    leaves.item(-1, "TRI", 10);
    CHECK(publishedValue(h, "TRI") == "1=10");
    std::filesystem::rename(h.dir.write("new", "watcher:::\nstays::feeds:\nmoves::desk:\n"), h.dir.file("users"));
    CHECK(moves.state() == "closed: The user may not publish here.");
    CHECK(leaves.state() == "closed: The login file has no such user any more.");
    h.f->until([&] { return h.count("emissary_hub_publishers") == 1; });
    for (const char* const user : {"moves", "leaves"})
        CHECK(textOf(h.audited("publisher_logout", user), "code") == "not_entitled");
    stays.again();
    CHECK(stays.state() == "open");
    h.f->until([&] {
        const Service* const service = h.f->hub->rooms().services.find("NI_FEED");
        return service == nullptr || !service->up();
    });
}

TEST_CASE("another configuration of a port ends publishers without its groups, and admits others",
          "[hub][node][json][access]") {
    CheckedHub h([&](HubSettings& s) {
        s.listeners[0].publisherGroups = s.publisherListeners[0].publisherGroups = {"feeds"};
        s.access.loginCheck = AccessSettings::LoginCheck::file;
        s.access.loginFile = h.dir.write("users", "watcher:::\nfeeder::feeds:\nboth::feeds,desk:\ndesk::desk:\n");
    });
    const bool json = GENERATE(false, true), any = GENERATE(false, true);
    INFO((json ? "JSON" : "RIPC") << (any ? ", any role" : ""));
    const std::uint16_t port = any ? h.f->hub->port() : h.f->hub->publisherPort();
    const auto change = [&](std::vector<std::string> ofThis, std::vector<std::string> ofOther) {
        HubSettings next = h.f->hub->settings();
        next.listeners[0].publisherGroups = any ? ofThis : ofOther;
        next.publisherListeners[0].publisherGroups = any ? ofOther : ofThis;
        REQUIRE_FALSE(h.f->hub->change(next));
    };
    CheckedFeed feeder(h, json, port), both(h, json, port);
    feeder.login("feeder");
    both.login("both");
    REQUIRE(feeder.state() == "open");
    REQUIRE(both.state() == "open");
    feeder.directory();
    feeder.item(-1, "TRI", 10);
    CHECK(publishedValue(h, "TRI") == "1=10");
    {
        CheckedFeed desk(h, json, port);
        desk.login("desk");
        CHECK(desk.state() == "closed: The user may not publish here.");
    }
    // Of the other port: nobody here is concerned.
    change({"feeds"}, {"desk"});
    feeder.again();
    CHECK(feeder.state() == "open");

    change({"desk"}, {"feeds"});
    CHECK(feeder.state() == "closed: The user may not publish here.");
    CHECK(textOf(h.audited("publisher_logout", "feeder"), "code") == "not_entitled");
    h.f->until([&] { return h.count("emissary_hub_publishers") == 1; });
    both.again();
    CHECK(both.state() == "open");
    CheckedFeed desk(h, json, port), late(h, json, port);
    desk.login("desk");
    CHECK(desk.state() == "open");
    late.login("feeder");
    CHECK(late.state() == "closed: The user may not publish here.");
    CHECK(h.f->hub->settings().listeners[0].publisherGroups == std::vector<std::string>{any ? "desk" : "feeds"});

    change({}, {});
    CheckedFeed everybody(h, json, port);
    everybody.login("feeder");
    CHECK(everybody.state() == "open");
    CHECK(h.count("emissary_hub_publishers") == 3);
}

TEST_CASE("another configuration takes services from publishers, and gives them back", "[hub][node][json][access]") {
    RightsHub h("pub::feeds:\n");
    const bool json = GENERATE(false, true);
    CheckedFeed feed(h, json, h.f->hub->publisherPort());
    feed.login("pub");
    REQUIRE(feed.state() == "open");
    feed.directory({"NI_FEED", "SECRET"});
    feed.item(-1, "TRI", 10);
    Watcher w(h, "TRI");
    CHECK(w.last == "open ok 1=10");
    h.change("NI_FEED", {"vault"});
    CHECK(w.read() == "open suspect ");
    h.change("SECRET", {});
    h.f->until([&] { return h.up("SECRET"); });
    h.change("NI_FEED", {});
    h.f->until([&] { return h.up("NI_FEED"); });
    feed.item(-1, "TRI", 11);
    CHECK(w.read() == "open ok 1=11");
    CHECK(h.refused() == 2);
    CHECK(h.shown().first == 0);
}

TEST_CASE("a token with other groups takes services from the publisher that renews with it",
          "[hub][node][json][access]") {
    const Signer signer = Signer::curve();
    CheckedHub h(
        [&](HubSettings& s) {
            s.access.loginCheck = AccessSettings::LoginCheck::jwt;
            s.access.jwtAlgorithm = AccessSettings::Algorithm::es256;
            s.access.jwtAudience = "hub";
            s.access.jwtKeyFile = h.dir.write("keys", signer.pem());
            s.services.push_back(offeredBy("NI_FEED", {"feeds"}));
        },
        false);
    const auto token = [&](const std::string& groups) {
        const auto now =
            std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
        return signer.token(R"({"sub":"pub","aud":"hub","groups":[)" + groups + R"(],"exp":)" +
                            std::to_string(now.count() + 3600) + "}");
    };
    const auto up = [&] {
        const Service* const s = h.f->hub->rooms().services.find("NI_FEED");
        return s != nullptr && s->up();
    };
    const bool json = GENERATE(false, true);
    CheckedFeed feed(h, json, h.f->hub->publisherPort());
    feed.login({}, {}, token(R"("feeds")"));
    REQUIRE(feed.state() == "open");
    feed.directory();
    h.f->until(up);
    feed.login({}, {}, token(R"("desk")"));
    CHECK(feed.state() == "open");
    h.f->until([&] { return !up(); });
    CHECK(h.count("emissary_hub_publisher_offers_refused_total") == 1);
    feed.login({}, {}, token(R"("desk","feeds")"));
    CHECK(feed.state() == "open");
    h.f->until(up);
    CHECK(h.count("emissary_hub_publishers") == 1);
}

TEST_CASE("a program says how many publishers of a user may be there at once", "[hub][node][json][access]") {
    CheckedHub h([&](HubSettings& s) {
        h.dir.write("script", R"sh(
while read -r line; do
  id=${line#*:}; id=${id%%,*}
  case "$line" in
  *'"user":"two"'*) n=2;;
  *'"user":"many"'*) n=0;;
  *) n=1;;
  esac
  echo "{\"id\":$id,\"ok\":true,\"limits\":{\"logins\":$n,\"seconds\":3600}}"
done
)sh");
        s.access.loginCheck = AccessSettings::LoginCheck::command;
        s.access.loginCommand = {"/bin/sh", h.dir.file("script")};
    });
    const bool json = GENERATE(false, true);
    // Ports of both kinds count together; consumers of the same user do not.
    const std::uint16_t ports[] = {h.f->hub->publisherPort(), h.f->hub->port()};
    RawConsumer consumer = h.f->loggedIn("two");
    CheckedFeed first(h, json, ports[0]), third(h, json, ports[0]);
    std::optional<CheckedFeed> second(std::in_place, h, json, ports[1]);
    first.login("two");
    CHECK(first.state() == "open");
    second->login("two");
    CHECK(second->state() == "open");
    third.login("two");
    CHECK(third.state() == "closed: The user has too many logins.");
    const Json no = h.audited("publisher_refused", "two");
    CHECK(textOf(no, "code") == "too_many_logins");
    CHECK(textOf(no, "parameter") == "LoginCommand");
    // One that renews its login needs no second place.
    first.again("password");
    CHECK(first.state() == "open");
    second.reset();
    h.f->until([&] { return h.count("emissary_hub_publishers") == 1; });
    CheckedFeed fourth(h, json, ports[1]), other(h, json, ports[0]), another(h, json, ports[0]);
    fourth.login("two");
    CHECK(fourth.state() == "open");
    other.login("many");
    CHECK(other.state() == "open");
    another.login("many");
    CHECK(another.state() == "open");
    CHECK(h.count("emissary_hub_publisher_refusals_total") == 1);
}

TEST_CASE("rights that change while many services are looked at hold for all of them", "[hub][node][access]") {
    RightsHub h("pub::feeds:\n");
    constexpr std::size_t kMany = 900;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kMany; ++i)
        names.push_back("S" + std::to_string(i));
    CheckedFeed feed(h, false, h.f->hub->publisherPort());
    feed.login("pub");
    REQUIRE(feed.state() == "open");
    feed.directory(names);
    const auto upOf = [&] {
        std::size_t up = 0;
        h.f->hub->rooms().services.forEach([&](const Service& s) { up += s.name[0] == 'S' && s.up() ? 1 : 0; });
        return up;
    };
    h.f->until([&] { return upOf() == kMany; });
    const auto everybodyIn = [&](std::vector<std::string> groups) {
        HubSettings next = h.f->hub->settings();
        next.serviceDefaults.publisherGroups = std::move(groups);
        REQUIRE_FALSE(h.f->hub->change(next));
    };
    // Three at once: what is left is what the last one says.
    everybodyIn({"vault"});
    everybodyIn({});
    everybodyIn({"vault"});
    h.f->until([&] { return upOf() == 0; });
    everybodyIn({"vault"});
    h.f->turn();
    everybodyIn({"feeds"});
    h.f->until([&] { return upOf() == kMany; });
    // Gone while they are looked at.
    everybodyIn({"vault"});
    h.f->turn();
    feed.raw.reset();
    h.f->until([&] {
        bool there = false;
        h.f->hub->eachSource([&](const Source& source) { there = there || source.kind().publishes; });
        return !there;
    });
    everybodyIn({});
    h.f->turn();
}
