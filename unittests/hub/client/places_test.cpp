// Very many logins that wait for a place of their user (MaxLoginsPerUser).
#include "fixture.h"

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
