// Items by key and by number, mounts on both of their sides, service ids that never change hands.
#include "hub/core/Mounts.h"
#include "hub/core/Service.h"
#include "support/catch.hpp"

#include <map>
#include <memory>
#include <random>

using namespace emissary;
using namespace emissary::hub;

namespace {

eta::codec::MsgKey named(std::string_view name, std::uint16_t flags = eta::codec::KeyFlag::name) {
    eta::codec::MsgKey key;
    key.flags = flags;
    key.name = eta::asBytes(name);
    return key;
}

}  // namespace

TEST_CASE("items are found by service, domain and key, whatever the service id in it and an explicit name type") {
    ItemTable items;
    Item& a = items.create(items.keyOf(1, 6, named("IBM.N")));
    CHECK(items.find(items.keyOf(1, 6, named("IBM.N"))) == &a);
    auto typed =
        named("IBM.N", eta::codec::KeyFlag::name | eta::codec::KeyFlag::nameType | eta::codec::KeyFlag::serviceId);
    typed.serviceId = 77;
    CHECK(items.find(items.keyOf(1, 6, typed)) == &a);
    typed.nameType = 3;
    CHECK(items.find(items.keyOf(1, 6, typed)) == nullptr);
    CHECK(items.find(items.keyOf(2, 6, named("IBM.N"))) == nullptr);
    CHECK(items.find(items.keyOf(1, 7, named("IBM.N"))) == nullptr);
    CHECK(a.name() == "IBM.N");
    CHECK(a.msgKey().serviceId == 1);

    const std::uint32_t index = a.index, generation = a.generation;
    CHECK(items.find(index, generation) == &a);
    items.erase(a);
    CHECK(items.find(index, generation) == nullptr);
    Item& b = items.create(items.keyOf(1, 6, named("TRI.N")));
    CHECK(items.find(index, generation) == nullptr);
    CHECK(items.find(b.index, b.generation) == &b);
    CHECK(items.size() == 1);
}

TEST_CASE("a private item is not found by its key, and a key that is too long makes none") {
    ItemTable items;
    Item& a = items.create(items.keyOf(1, 6, named("IBM.N")), false);
    CHECK(a.is(Item::isPrivate));
    CHECK(items.find(items.keyOf(1, 6, named("IBM.N"))) == nullptr);
    CHECK(items.keyOf(1, 6, named(std::string(40000, 'x'))).content.empty());
    items.erase(a);
}

TEST_CASE("mounts and clients know each other through any order of coming and going") {
    ItemTable items;
    ClientTable clients;
    Mounts mounts(items, clients);
    std::mt19937 random(7);
    std::vector<Client*> present;
    std::vector<Item*> all;
    for (int i = 0; i < 8; ++i)
        present.push_back(&clients.add());
    for (int i = 0; i < 5; ++i)
        all.push_back(&items.create(items.keyOf(1, 6, named("I" + std::to_string(i)))));
    std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> model;
    for (int step = 0; step < 20000; ++step) {
        Client& client = *present[random() % present.size()];
        const auto stream = static_cast<std::int32_t>(random() % 6 + 1);
        const std::pair key{client.index, stream};
        if (model.contains(key)) {
            REQUIRE(mounts.itemOf(client, stream)->index == model[key]);
            REQUIRE(mounts.find(client, stream)->stream == stream);
            REQUIRE(mounts.find(client, stream)->client == client.index);
            REQUIRE(mounts.remove(client, stream));
            model.erase(key);
        } else {
            Item& item = *all[random() % all.size()];
            mounts.add(item, client, stream, 0, 0);
            model[key] = item.index;
        }
        REQUIRE(mounts.size() == model.size());
    }
    std::size_t counted = 0;
    for (Item* item : all)
        counted += item->mountCount;
    CHECK(counted == model.size());
    for (Item* item : all)
        while (item->mountCount != 0)
            mounts.remove(*item, 0);
    for (Client* client : present)
        CHECK(client->mounts.empty());
}

namespace {

struct AnySource final : Source {
    explicit AnySource(std::uint16_t number) : Source(kUpstream, std::to_string(number), number) {}
    [[nodiscard]] bool up() const noexcept override { return true; }
    [[nodiscard]] bool takesPosts() const noexcept override { return false; }
    eta::Error post(const Client&, Item*, std::uint16_t, Msg&) override { return {}; }
    eta::Error generic(Item*, Msg&) override { return {}; }
};

}  // namespace

TEST_CASE("a source has a list of its items in each service, through any order of coming and going") {
    std::vector<std::unique_ptr<AnySource>> sources;
    for (std::uint16_t n = 1; n <= 3; ++n)
        sources.push_back(std::make_unique<AnySource>(n));
    ItemTable items;
    std::mt19937 random(7);  // NOLINT(*-msc32-c,*-msc51-cpp): the same numbers every time
    std::map<Item*, Source*> model;
    const auto check = [&] {
        std::map<std::pair<std::uint16_t, const Source*>, std::uint32_t> counts;
        for (const auto& [item, source] : model) {
            REQUIRE(item->source == source);
            ++counts[{item->service, source}];
        }
        for (std::uint16_t service = 0; service < 4; ++service)
            for (const Source* source :
                 {static_cast<Source*>(nullptr), static_cast<Source*>(sources[0].get()),
                  static_cast<Source*>(sources[1].get()), static_cast<Source*>(sources[2].get())}) {
                std::uint32_t seen = 0;
                items.forEachOf(service, source, [&](const Item& i) {
                    REQUIRE(i.service == service);
                    REQUIRE(i.source == source);
                    ++seen;
                });
                REQUIRE(seen == items.count(service, source));
                REQUIRE(seen == counts[{service, source}]);
            }
    };
    for (int round = 0; round < 2000; ++round) {
        const unsigned what = random() % 4;
        if (model.empty() || what == 0) {
            const auto service = static_cast<std::uint16_t>(random() % 4);
            const ItemKey key = items.keyOf(service, 6, named(std::to_string(round)));
            model.emplace(&items.create(key, random() % 2 == 0), nullptr);
        } else {
            const auto at = std::next(model.begin(), static_cast<std::ptrdiff_t>(random() % model.size()));
            if (what == 1 && model.size() > 20) {
                items.erase(*at->first);
                model.erase(at);
            } else if (what == 2) items.toBack(*at->first);
            else {
                const unsigned to = random() % 4;
                at->second = to == 3 ? nullptr : sources[to].get();
                items.serve(*at->first, at->second);
            }
        }
        if (round % 50 == 0) check();
    }
    check();
    for (const auto& source : sources)
        while (Item* const item = items.anyOf(*source))
            items.leave(*item);
    for (const auto& source : sources)
        CHECK(source->items() == 0);
    sources.clear();  // nothing points to them
    for (std::uint16_t service = 0; service < 4; ++service)
        while (Item* const item = items.anyOf(service))
            items.erase(*item);
    CHECK(items.size() == 0);
}

TEST_CASE("a service id stays with its name, and configured ids are kept free") {
    ServiceSettings fixed;
    fixed.name = "FIXED";
    fixed.serviceId = 2;
    ServiceTable services({fixed}, {});
    Service* const a = services.add("A", 2);
    REQUIRE(a != nullptr);
    CHECK(a->id == 1);
    Service* const b = services.add("B", 9);
    CHECK(b->id == 9);
    services.remove(*b);
    CHECK(services.find("B") == nullptr);
    CHECK(services.add("C", 9)->id == 3);
    CHECK(services.add("B", 1)->id == 9);
    CHECK(services.add("FIXED", 50)->id == 2);
}

TEST_CASE("of services that are gone the last thousand keep their ids, the others give them back") {
    ServiceTable services({}, {});
    std::vector<std::uint16_t> reused;
    services.beforeReuse(&reused, [&](std::uint16_t id) { reused.push_back(id); });
    for (int i = 0; i < 5000; ++i)
        services.remove(*services.add("S" + std::to_string(i), 7));
    CHECK(services.size() == 0);
    CHECK(services.names() == ServiceTable::kRemembered);
    CHECK(reused.size() == 5000);
    CHECK(services.add("S4999", 1)->id != 7);
    const std::uint16_t before = services.find("S4999")->id;
    services.remove(*services.find("S4999"));
    CHECK(services.add("S4999", 1)->id == before);
}

TEST_CASE("all ids can be taken, by names that all wish for the same") {
    ServiceTable services({}, {});
    std::vector<bool> seen(0x10000);
    for (std::uint32_t n = 1; n <= 0xFFFF; ++n) {
        Service* const s = services.add("S" + std::to_string(n), 1);
        REQUIRE(s != nullptr);
        REQUIRE_FALSE(seen[s->id]);
        seen[s->id] = true;
    }
    CHECK(services.add("ONE MORE", 1) == nullptr);
    services.remove(*services.find("S77"));
    CHECK(services.add("ONE MORE", 1) != nullptr);  // the name that is gone gives its id
    CHECK(services.add("S77", 1) == nullptr);
}
