// Users with very many connections: what each call looks at, and what is counted (MaxLoginsPerUser, MaxMountsPerUser).
#include "fixture.h"
#include "reactor/json/fixture.h"
#include "requests.h"

#include "hub/client/UserPlaces.h"

#include <algorithm>

using namespace emissary;
using namespace emissary::test;

namespace {

/// Places of users whose only connection shows no sign of life: their next logins wait.
struct PlacesFixture : PortFixture {
    static ClientOptions limited() {
        ClientOptions o = defaults();
        o.loginProbeTime = std::chrono::seconds(2);
        o.maxLoginsPerUser = 1;
        return o;
    }
    ClientTable some;
    Context context{{loop, some, items, mounts, services, out, views, flow, *this}, limited()};
    std::vector<const Client*> decided, refused;
    UserPlaces places{context,
                      {[this](Client& c, const LoginVerdict&) { decided.push_back(&c); },
                       [this](Client& c) { refused.push_back(&c); }, [](Client&, const std::string&) {}}};

    Client& connection(const std::string& user) {
        Client& c = some.add();
        c.session = std::make_shared<ClientSession>();
        c.connection = c.index + 1u;
        c.user = user;
        return c;
    }
    static std::string user(std::size_t i) { return "u" + std::to_string(1000 + i); }
    /// A login of the user, which has one already, waits.
    Client& waiting(const std::string& of) {
        Client& there = connection(of);
        context.users.add(there);
        Client& next = connection({});
        REQUIRE(places.wait(next, of, {}));
        return next;
    }
    void after(std::chrono::milliseconds time) {
        clock.advance(time);
        turn();
    }
};

}  // namespace

TEST_CASE("logins that wait for a place are looked at some at a time", "[hub][client][places]") {
    PlacesFixture f;
    constexpr std::size_t kLooks = UserPlaces::kMostLooks, kUsers = 2 * kLooks + 10;
    std::vector<Client*> waiting;
    f.locked([&] {
        for (std::size_t i = 0; i < kUsers; ++i)
            waiting.push_back(&f.waiting(PlacesFixture::user(i)));
        return 0;
    });
    SECTION("each is looked at once, in order, and the next turn goes on where this one ended") {
        f.after(UserPlaces::kLookEvery);
        CHECK(f.refused.size() == kLooks);
        f.after(UserPlaces::kGoOnAfter);
        CHECK(f.refused.size() == 2 * kLooks);
        f.after(UserPlaces::kGoOnAfter);
        CHECK(std::ranges::equal(f.refused, waiting));
        CHECK(f.decided.empty());
    }
    SECTION("one that has gone is not looked at, and the others are") {
        f.locked([&] {
            f.places.forget(*waiting[3]);
            f.places.forget(*waiting[3]);
            f.places.forget(*waiting[kUsers - 1]);
            return 0;
        });
        for (int i = 0; i < 3; ++i)
            f.after(UserPlaces::kLookEvery);
        waiting.erase(waiting.end() - 1);
        waiting.erase(waiting.begin() + 3);
        CHECK(std::ranges::equal(f.refused, waiting));
    }
    SECTION("one that asks again waits once, behind the others of its user") {
        Client* const second = f.locked([&] {
            Client& c = f.connection({});
            REQUIRE(f.places.wait(c, PlacesFixture::user(0), {}));
            REQUIRE(f.places.wait(*waiting[0], PlacesFixture::user(0), {}));
            return &c;
        });
        f.after(UserPlaces::kLookEvery);
        // The last that came is refused first.
        REQUIRE(f.refused.size() == kLooks + 1);
        CHECK(f.refused[0] == waiting[0]);
        CHECK(f.refused[1] == second);
    }
    SECTION("one whose user has a place by now is decided again") {
        f.locked([&] {
            f.context.users.remove(*f.some.find(2 * 5));
            return 0;
        });
        f.after(UserPlaces::kLookEvery);
        CHECK(f.decided == std::vector<const Client*>{waiting[5]});
        CHECK(f.refused.size() == kLooks - 1);
    }
}

TEST_CASE("the open streams of a user are counted as they come and go", "[hub][client][places]") {
    PlacesFixture f;
    Users users;
    const auto key = [&](const std::string& name) {
        codec::MsgKey k;
        k.flags = codec::KeyFlag::name;
        k.name = eta::asBytes(name);
        return f.items.keyOf(3, 6, k);
    };
    Mounts mounts{f.items, f.some};
    Item &one = f.items.create(key("ONE")), &two = f.items.create(key("TWO"));
    Client &a = f.connection("dana"), &b = f.connection("dana"), &other = f.connection("erik");
    mounts.add(one, b, 5, 0, 0);  // before it is logged in
    CHECK(users.mounts("dana") == 0);
    for (Client* const c : {&a, &b, &other})
        users.add(*c);
    users.add(b);  // once is enough
    CHECK(users.logins("dana") == 2);
    CHECK(users.mounts("dana") == 1);
    mounts.add(one, a, 7, 0, 0);
    mounts.add(two, a, 8, 0, 0);
    mounts.add(two, other, 8, 0, 0);
    CHECK(users.mounts("dana") == 3);
    CHECK(users.mounts("erik") == 1);
    REQUIRE(mounts.remove(a, 7));
    CHECK(users.mounts("dana") == 2);
    std::vector<const Client*> order;
    users.forEach("dana", [&](const Client& c) { order.push_back(&c); });
    CHECK(order == std::vector<const Client*>{&a, &b});
    users.remove(a);
    users.remove(a);
    CHECK(users.logins("dana") == 1);
    CHECK(users.mounts("dana") == 1);
    REQUIRE(mounts.remove(a, 8));  // streams of a login that is gone are closed later
    CHECK(users.mounts("dana") == 1);
    users.remove(b);
    CHECK(users.logins("dana") == 0);
    CHECK(users.mounts("dana") == 0);
    REQUIRE(mounts.remove(b, 5));
    {
        Users gone;
        gone.add(other);
    }
    REQUIRE(mounts.remove(other, 8));  // they outlive the users
    f.items.erase(one);
    f.items.erase(two);
}

TEST_CASE("streams of a connection that ends make room for those of the user's others", "[hub][client][places]") {
    const bool json = GENERATE(false, true);
    ClientOptions options = PortFixture::defaults();
    options.maxMountsPerUser = 2;
    PortFixture f(options, json ? PortFixture::webSocket() : PortFixture::rwf());
    const auto refusals = [&] { return f.loop.metrics().value("emissary_hub_limit_refusals_total").value_or(0); };
    const auto mounts = [&] { return f.locked([&] { return f.mounts.size(); }); };
    if (json) {
        f.locked([&] {
            f.port->setDictionary(smallDictionary());
            return 0;
        });
        const auto pump = [&f] { f.turn(); };
        const auto open = [](TextClient& c, int id, const char* name) {
            c.send(R"({"ID":)" + std::to_string(id) + R"(,"Key":{"Name":")" + name + R"(","Service":"FEED"}})");
        };
        auto first = std::make_unique<TextClient>(webSocketTo(f.port->port()), pump);
        TextClient second(webSocketTo(f.port->port()), pump);
        for (TextClient* const c : {first.get(), &second}) {
            c->send(R"({"ID":1,"Domain":"Login","Key":{"Name":"dana"}})");
            CHECK(c->next("Domain", "Login").at("State").at("Stream").text == "Open");
        }
        open(*first, 5, "A");
        open(*first, 6, "B");
        f.runUntil([&] { return mounts() == 2; });
        open(second, 5, "A");
        CHECK(second.next("ID", "5").at("Type").text == "Status");
        CHECK(refusals() == 1);
        first.reset();
        f.runUntil([&] { return mounts() == 0; });
        open(second, 7, "A");
        f.runUntil([&] { return mounts() == 1; });
        CHECK(refusals() == 1);
        return;
    }
    auto first = std::make_unique<RawConsumer>(f.loggedIn());
    RawConsumer second = f.loggedIn();
    first->send(request(5, "A"));
    first->send(request(6, "B"));
    f.runUntil([&] { return mounts() == 2; });
    second.send(request(5, "A"));
    checkState(second.next(), 5, codec::StreamState::closed, codec::DataState::suspect, 27);
    CHECK(refusals() == 1);
    first->send(RawConsumer::close(5));
    f.runUntil([&] { return mounts() == 1; });
    second.send(request(5, "A"));
    CHECK(second.next().msg.cls == MsgClass::Refresh);
    first.reset();
    f.runUntil([&] { return mounts() == 1; });
    second.send(request(6, "B"));
    CHECK(second.next().msg.cls == MsgClass::Refresh);
    CHECK(refusals() == 1);
}
