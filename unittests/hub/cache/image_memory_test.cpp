// Memory of images: bounded, used again without allocations, given back.
#include "support/AllocationCounter.h"
#include "support/catch.hpp"

#include "hub/cache/BlockPool.h"
#include "messages.h"

#include <random>
#include <set>

using namespace emissary;
using namespace emissary::test;
using hub::cache::Applied;
using hub::cache::BlockPool;
using hub::cache::ImageId;
using hub::cache::ImageStore;
namespace MapAction = eta::codec::MapAction;
namespace RefreshFlag = eta::codec::RefreshFlag;

namespace {

std::vector<Payloads::Field> seventy(int value) {
    std::vector<Payloads::Field> all;
    for (std::int16_t i = 1; i <= 70; ++i)
        all.emplace_back(i, std::to_string(value + i));
    return all;
}

}  // namespace

TEST_CASE("blocks are apart, hold what they are asked for, and come back", "[hub][cache]") {
    hub::cache::Counts counts;
    BlockPool pool(0, counts);
    std::mt19937_64 random(3);
    struct Taken {
        hub::cache::Ref ref;
        std::size_t bytes;
        std::byte mark;
    };
    std::vector<Taken> taken;
    for (int i = 0; i < 20000; ++i) {
        if (taken.empty() || random() % 100 < 55) {
            const std::size_t bytes = random() % 200 == 0 ? random() % 400000 : random() % 3000;
            const hub::cache::Ref ref = pool.take(bytes);
            REQUIRE(ref != 0);
            REQUIRE(pool.capacity(ref) >= bytes);
            REQUIRE(pool.capacity(ref) <= bytes + bytes / 8 + 4096);
            REQUIRE(reinterpret_cast<std::uintptr_t>(pool.at(ref)) % 16 == 0);
            const auto mark = static_cast<std::byte>(i);
            std::fill_n(pool.at(ref), bytes, mark);
            taken.push_back({ref, bytes, mark});
        } else {
            std::swap(taken[random() % taken.size()], taken.back());
            const Taken t = taken.back();
            taken.pop_back();
            if (!std::all_of(pool.at(t.ref), pool.at(t.ref) + t.bytes, [&](std::byte b) { return b == t.mark; }))
                FAIL("a block was overwritten");
            pool.give(t.ref);
        }
    }
    for (const Taken& t : taken)
        pool.give(t.ref);
    CHECK(counts.bytes == 0);
    CHECK(counts.memory <= 2 * BlockPool::kChunkBytes);
}

TEST_CASE("messages of every day allocate nothing", "[hub][cache]") {
    Payloads p;
    ImageStore store;
    store.setDictionary(rdmDictionary());
    std::vector<ImageId> ids(200);
    const Bytes whole = p.fields(seventy(0)), update = p.fields({{22, "1"}, {25, "2"}, {6, "104"}, {3, "NAME OF IT"}}),
                longer = p.fields({{3, std::string(120, 'n')}}), rmtes = p.fields({{3, "\x1B[4`xy"}});
    const Bytes book = p.map({{MapAction::add, "a", {{1, "x"}}}, {MapAction::add, "b", {{1, "x"}}}}),
                change = p.map({{MapAction::update, "a", {{1, "y"}}}, {MapAction::del, "b", {}}}),
                back = p.map(
                    {{MapAction::add, "c", {{1, "z"}}}, {MapAction::del, "c", {}}, {MapAction::add, "b", {{1, "w"}}}});
    std::vector<std::byte> block(1u << 16);
    const auto day = [&] {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const bool map = i % 2 == 1;
            const auto type = map ? DataType::Map : DataType::FieldList;
            if (store.apply(ids[i], refreshOf(type, map ? book : whole, RefreshFlag::clearCache), false) != Applied::ok)
                FAIL("refresh");
            for (const Bytes payload : map ? std::array{change, back, change} : std::array{update, longer, rmtes})
                if (store.apply(ids[i], updateOf(type, payload), false) != Applied::ok) FAIL("update");
            BeWriter out{block};
            if (!store.write(ids[i], out).ok()) FAIL("write");
        }
        for (std::size_t i = 0; i < ids.size(); i += 3)
            store.drop(ids[i]);
    };
    day();
    day();
    const auto before = allocationsOfThisThread();
    const auto memory = store.counts().memory.get();
    for (int i = 0; i < 20; ++i)
        day();
    CHECK(allocationsOfThisThread() == before);
    CHECK(store.counts().memory == memory);
    for (ImageId& id : ids)
        store.drop(id);
}

TEST_CASE("memory of dropped images goes back to the system", "[hub][cache]") {
    Payloads p;
    ImageStore store;
    std::vector<ImageId> ids(20000);
    const Bytes whole = p.fields(seventy(100000));
    for (int round = 0; round < 3; ++round) {
        for (ImageId& id : ids)
            if (store.apply(id, refreshOf(DataType::FieldList, whole), false) != Applied::ok) FAIL("refresh");
        CHECK(store.images() == ids.size());
        CHECK(store.bytes() >= ids.size() * 600);
        CHECK(store.counts().memory >= store.bytes() / 100 * 95);
        CHECK(store.counts().memory <= store.bytes() + (8u << 20));
        for (ImageId& id : ids)
            store.drop(id);
        CHECK(store.bytes() < 10000);  // the shape
        CHECK(store.counts().memory <= 3 * BlockPool::kChunkBytes);
    }
}

TEST_CASE("a store with a bound refuses what goes beyond it", "[hub][cache]") {
    Payloads p;
    ImageStore store({.maxBytes = 200'000});
    std::vector<ImageId> ids;
    const Bytes whole = p.fields(seventy(100000));
    Applied result = Applied::ok;
    while (result == Applied::ok) {
        ids.push_back(0);
        result = store.apply(ids.back(), refreshOf(DataType::FieldList, whole), false);
        REQUIRE(ids.size() < 1000);
    }
    CHECK(result == Applied::full);
    CHECK(ids.back() == 0);
    CHECK(ids.size() > 200);
    CHECK(store.bytes() <= 200'000);
    CHECK(store.counts().full == 1);
    // An update that needs more room fails as well, and says what that means; one that needs none goes on.
    CHECK(store.apply(ids[0], updateOf(DataType::FieldList, p.fields({{5, "9"}})), false) == Applied::ok);
    CHECK(store.apply(ids[0], updateOf(DataType::FieldList, p.fields({{5, std::string(5000, 'l')}})), false) ==
          Applied::full);
    CHECK_FALSE(store.current(ids[0]));
    // Room again: the next refresh heals.
    store.drop(ids[1]);
    store.drop(ids[2]);
    CHECK(store.apply(ids[0], refreshOf(DataType::FieldList, whole, RefreshFlag::clearCache), false) == Applied::ok);
    CHECK(store.current(ids[0]));
    CHECK(imageOf(store, ids[0]) == bytesOf(whole));
    for (ImageId& id : ids)
        store.drop(id);
}

TEST_CASE("when memory ends in the middle of a message, nothing breaks and nothing untrue is current", "[hub][cache]") {
    Payloads p;
    const Bytes first = p.map({{MapAction::add, "a", {{1, "x"}}}, {MapAction::add, "b", {{1, std::string(900, 'l')}}}});
    const Bytes more = p.map({{MapAction::add, "c", {{4, "n"}, {5, "m"}}},
                              {MapAction::update, "a", {{2, "new"}, {3, std::string(700, 'z')}}},
                              {MapAction::add, "d", {{1, "x"}}},
                              {MapAction::add, "e", {{1, "x"}}},
                              {MapAction::add, "f", {{1, "x"}}}});
    std::set<Applied> seen;
    // Every limit there is between too little for the first and enough for all.
    for (std::uint64_t limit = 16; limit < 12'000; limit += 16) {
        ImageStore store({.maxBytes = limit});
        ImageId id = 0;
        const Applied made = store.apply(id, refreshOf(DataType::Map, first), false);
        CHECK((made == Applied::ok) == (id != 0));
        if (id != 0) {
            const Applied result = store.apply(id, updateOf(DataType::Map, more), false);
            seen.insert(result);
            CHECK(store.current(id) == (result == Applied::ok));
            CHECK_FALSE(imageOf(store, id) == "(not written)");
            // Another type: the old image is there until the new one is.
            const Applied other = store.apply(
                id, refreshOf(DataType::FieldList, p.fields({{1, std::string(400, 'o')}}), RefreshFlag::clearCache),
                false);
            CHECK(store.current(id) == (other == Applied::ok));
            CHECK_FALSE(imageOf(store, id) == "(not written)");
        }
        CHECK(store.bytes() <= limit);
        store.drop(id);
        CHECK(store.images() == 0);
    }
    CHECK(seen == std::set<Applied>{Applied::ok, Applied::full});
}

TEST_CASE("when the system has no memory, the message is refused", "[hub][cache]") {
    Payloads p;
    const Bytes whole = p.fields(seventy(1));
    for (std::uint64_t after = 0;; ++after) {
        ImageStore store;
        ImageId id = 0;
        failAllocation(after);
        const Applied result = store.apply(id, refreshOf(DataType::FieldList, whole), false);
        if (!allocationFailed()) {
            CHECK(result == Applied::ok);
            CHECK(after > 3);
            store.drop(id);
            break;
        }
        CHECK(result == Applied::full);
        CHECK(id == 0);
        CHECK(store.apply(id, refreshOf(DataType::FieldList, whole), false) == Applied::ok);
        store.drop(id);
    }
}
