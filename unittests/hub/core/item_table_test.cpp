// Items by key and by number, mounts on both of their sides, service ids that never change hands.
#include "hub/core/Mounts.h"
#include "hub/core/Service.h"
#include "support/catch.hpp"

#include <map>
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
