// Group numbers: what is the same at two sources is not the same here (hub.md 3.3).
#include "fixture.h"

using namespace emissary;
using namespace emissary::test;
using hub::directory::Groups;

namespace {

struct GroupsFixture {
    SomeSource a{Source::kUpstream, "A", 1}, b{Source::kUpstream, "B", 2};
    hub::ItemTable items;
    Groups groups{items};
    Item& item(std::string_view name, Source& source, std::uint16_t service = 1) {
        eta::codec::MsgKey key;
        key.flags = eta::codec::KeyFlag::name;
        key.name = eta::asBytes(name);
        Item& item = items.create(items.keyOf(service, 6, key));
        items.serve(item, &source);
        return item;
    }
};
const std::byte kOne[] = {std::byte{0}, std::byte{1}};

}  // namespace

TEST_CASE("the same bytes of two sources, and of two services, are different groups") {
    GroupsFixture f;
    Item &x = f.item("X", f.a), &y = f.item("Y", f.b), &z = f.item("Z", f.a), &other = f.item("X", f.a, 2);
    f.groups.put(x, kOne);
    f.groups.put(y, kOne);
    f.groups.put(z, kOne);
    f.groups.put(other, kOne);
    CHECK(x.group == 1);
    CHECK(y.group == 2);
    CHECK(z.group == 1);
    CHECK(other.group == 1);  // of its own service
    CHECK(f.groups.itemsOf(1, 1).size() == 2);
    CHECK(f.groups.itemsOf(2, 1).size() == 1);
    CHECK(f.groups.find(1, f.b, kOne) == 2);
    CHECK(f.groups.ofSource(1, f.a) == std::vector<std::uint16_t>{1});
}

TEST_CASE("two sources' default groups are groups of their own, given as zeros or not at all") {
    GroupsFixture f;
    const std::byte zeros[2] = {};
    Item &x = f.item("X", f.a), &y = f.item("Y", f.b), &z = f.item("Z", f.a);
    f.groups.put(x, zeros);
    f.groups.put(y, zeros);
    f.groups.put(z, {});
    CHECK(x.group != 0);
    CHECK(x.group != y.group);
    CHECK(x.group == z.group);
}

TEST_CASE("a number is given back with its last item, from whatever place in the list") {
    GroupsFixture f;
    std::vector<Item*> items;
    for (int i = 0; i < 5; ++i)
        items.push_back(&f.item("I" + std::to_string(i), f.a));
    for (Item* i : items)
        f.groups.put(*i, kOne);
    for (const int i : {2, 0, 4, 1}) {
        f.groups.take(*items[static_cast<std::size_t>(i)]);
        CHECK(items[static_cast<std::size_t>(i)]->group == 0);
    }
    CHECK(f.groups.itemsOf(1, 1).size() == 1);
    CHECK(f.groups.counts().groups == 1);
    f.groups.take(*items[3]);
    CHECK(f.groups.counts().groups == 0);
    CHECK(f.groups.find(1, f.a, kOne) == 0);
    Item& y = f.item("Y", f.b);
    f.groups.put(y, kOne);
    CHECK(y.group == 1);  // used again
}

TEST_CASE("a merger moves all items; an item that changes its source changes its group") {
    GroupsFixture f;
    const std::byte two[] = {std::byte{0}, std::byte{2}};
    Item &x = f.item("X", f.a), &y = f.item("Y", f.a), &z = f.item("Z", f.a);
    f.groups.put(x, kOne);
    f.groups.put(y, kOne);
    f.groups.put(z, two);
    const std::uint16_t to = f.groups.merge(1, f.a, kOne, two);
    CHECK(to == z.group);
    CHECK(x.group == to);
    CHECK(y.group == to);
    CHECK(f.groups.itemsOf(1, to).size() == 3);
    CHECK(f.groups.merge(1, f.a, kOne, two) == 0);  // nothing is left there
    f.items.serve(x, &f.b);
    f.groups.put(x, two);
    CHECK(x.group != to);
    CHECK(f.groups.itemsOf(1, to).size() == 2);
}

TEST_CASE("a service has so many groups and no more") {
    GroupsFixture f;
    std::vector<Item*> items;
    for (std::uint32_t i = 0; i <= Groups::kMost; ++i) {
        Item& item = f.item("I" + std::to_string(i), f.a);
        const std::byte id[] = {std::byte{1}, std::byte(i >> 16), std::byte(i >> 8 & 0xFF), std::byte(i & 0xFF)};
        f.groups.put(item, id);
        items.push_back(&item);
    }
    CHECK(items.back()->group == 0);
    CHECK(f.groups.counts().groupless == 1);
    CHECK(f.groups.counts().groups == Groups::kMost);
    f.groups.take(*items.front());
    f.groups.put(*items.back(), kOne);
    CHECK(items.back()->group == 1);
}
