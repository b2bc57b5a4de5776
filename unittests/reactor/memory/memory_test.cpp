// What a load took goes back when it is over, on the side of those who ask and of those who publish.
#include "reactor/consumer/fixture.h"
#include "reactor/memory.h"
#include "reactor/niprovider/fixture.h"
#include "reactor/routing/fixture.h"
#include "support/resident.h"

#include "loop/heap.h"

#include <algorithm>
#include <memory>
#include <vector>

using namespace emissary;
using namespace emissary::test;
using namespace std::chrono_literals;

namespace {

constexpr int kItems = 20'000;

/// Lets what is idle go: nothing happens for some trim periods.
template <class Fixture>
void quiet(Fixture& f) {
    for (int i = 0; i < 4; ++i) {
        f.clock.advance(5s);
        f.turn();
        if constexpr (requires { f.settle(); }) f.settle();  // a sign of life
    }
}

std::string longName(int i) {
    return "A_RATHER_LONG_ITEM_NAME_" + std::to_string(i);
}

struct Record {
    std::uint32_t index = 0, generation = 0;
    int content = 0;
};

}  // namespace

TEST_CASE("records go back by blocks, and a handle of old never fits a new one", "[reactor][memory]") {
    reactor::Pool<Record> pool;
    std::vector<Record*> taken;
    for (int i = 0; i < 10'000; ++i) {
        taken.push_back(pool.take());
        ++taken.back()->generation;
    }
    const std::size_t full = pool.capacity();
    CHECK(full >= 10'000);
    const std::uint32_t kept = taken[5000]->index, gone = taken[9000]->index;
    Record* const stays = taken[5000];
    for (Record* r : taken)
        if (r != stays) pool.give(r);
    pool.trim();
    CHECK(pool.capacity() == full);  // all were in use since the last look
    pool.trim();
    CHECK(pool.capacity() <= 2048);  // the block of the one that stays, and at most one for what comes
    CHECK(pool.at(kept) == stays);
    CHECK(pool.at(gone) == nullptr);
    taken.clear();
    for (int i = 0; i < 9'999; ++i) {
        taken.push_back(pool.take());
        REQUIRE(taken.back() != stays);
        REQUIRE(++taken.back()->generation >= 2);  // also those of blocks made anew
        REQUIRE(pool.at(taken.back()->index) == taken.back());
    }
    CHECK(pool.capacity() == full);
}

TEST_CASE("a consumer's tables shrink after its items are closed", "[reactor][consumer][memory]") {
    Consumer c;
    c.options.requestTimeout = 0ms;  // nobody answers here
    c.ready();
    quiet(c);
    const std::size_t before = c.loop->places();
    std::vector<Handle> old;
    for (int round = 0; round < 2; ++round) {
        std::vector<Handle> handles;
        for (int i = 0; i < kItems; ++i) {
            handles.push_back(c.open(longName(i)));
            if (i % 1000 == 0) c.turn();
        }
        CHECK(c.loop->places() > before + 2 * kItems);
        quiet(c);
        CHECK(c.loop->places() > before + 2 * kItems);  // in use
        for (int i = 0; i < kItems; ++i) {
            c.close(handles[static_cast<std::size_t>(i)]);
            if (i % 1000 == 0) c.turn();
        }
        quiet(c);
        CHECK(c.loop->places() <= before + 4096);
        old.insert(old.end(), handles.begin(), handles.end());
        const std::lock_guard guard(c.loop->lock());
        for (const Handle h : old)
            REQUIRE_FALSE(c.role->knows(h));
    }
    c.provider.inbox.clear();
    c.openAnswered("IBM");  // and it goes on
}

TEST_CASE("items that stay keep their streams while the others' memory goes", "[reactor][consumer][memory]") {
    Consumer c;
    c.options.requestTimeout = 0ms;  // nobody answers here
    c.ready();
    c.openAnswered("FIRST");
    std::vector<Handle> handles;
    for (int i = 0; i < kItems; ++i) {
        handles.push_back(c.open(longName(i)));
        if (i % 1000 == 0) c.turn();
    }
    c.until([&] {
        return std::count_if(c.provider.inbox.begin(), c.provider.inbox.end(), [](const auto& r) {
                   return r.msg.cls == codec::MsgClass::Request && r.msg.domain == 6;
               }) == kItems;
    });
    const Handle last = c.open("LAST");
    const std::int32_t stream = c.expectRequest("LAST").streamId;
    c.provider.send(RawProvider::refresh(stream));
    c.expectEvent("LAST RFSH Open/Ok/0");
    for (const Handle h : handles)
        c.close(h);
    quiet(c);
    c.provider.send(RawProvider::update(stream));
    c.expectEvent("LAST UPD");
    c.close(last);
    c.openAnswered("NEXT");
}

TEST_CASE("a router's tables shrink after its items are closed", "[reactor][routing][memory]") {
    Routed r(2);
    r.allReady();
    quiet(r);
    const std::size_t before = r.loop->places();
    std::vector<Handle> handles;
    for (int i = 0; i < kItems; ++i) {
        handles.push_back(r.open(longName(i)));
        if (i % 1000 == 0) r.turn();
    }
    CHECK(r.loop->places() > before + 3 * kItems);
    for (const Handle h : handles) {
        const std::lock_guard guard(r.loop->lock());
        CHECK_FALSE(r.router->unregister(h));
    }
    quiet(r);
    CHECK(r.loop->places() <= before + 8192);
}

TEST_CASE("a publisher's table shrinks after its items have ended", "[reactor][niprovider][memory]") {
    NiAcceptor acceptor(NiAcceptor::Run::manual);
    Publisher p(acceptor.port(), [&] { acceptor.turn(std::chrono::microseconds(0)); });
    p.ready();
    quiet(p);
    const std::size_t before = p.loop->places();
    for (std::uint64_t i = 1; i <= kItems; ++i) {
        REQUIRE(p.submit(i, Publisher::refresh(longName(static_cast<int>(i)))) == PublishFault::none);
        if (i % 256 == 0) p.turn();
    }
    CHECK(p.loop->places() > before + 2 * kItems);
    for (std::uint64_t i = 2; i <= kItems; ++i) {
        REQUIRE(p.submit(i, Publisher::status(codec::StreamState::closed)) == PublishFault::none);
        if (i % 256 == 0) p.turn();
    }
    quiet(p);
    CHECK(p.loop->places() <= before + 2 * kItems);  // their ids rest
    CHECK(p.submit(1, Publisher::update()) == PublishFault::none);
    CHECK(p.role->counters().openItems == 1);
}

TEST_CASE("the heap is due to give back what was freed, once freeing has ceased", "[reactor][memory]") {
    constexpr std::size_t kEnough = 1u << 20;
    while (!reactor::heapReturnDue())
        reactor::noteHeapFreed(kEnough);  // what other tests have left
    CHECK_FALSE(reactor::heapReturnDue());
    reactor::noteHeapFreed(kEnough - 1);
    CHECK_FALSE(reactor::heapReturnDue());  // too little
    reactor::noteHeapFreed(1);
    CHECK_FALSE(reactor::heapReturnDue());  // more may follow
    reactor::noteHeapFreed(kEnough / 2);
    CHECK(reactor::heapReturnDue());
    CHECK_FALSE(reactor::heapReturnDue());  // one caller is told
    int looks = 0;
    do
        reactor::noteHeapFreed(kEnough), ++looks;
    while (!reactor::heapReturnDue());
    CHECK(looks == 12);  // freeing does not cease
}

#ifndef EMISSARY_UNDER_SANITIZER  // whose heaps keep what is freed
TEST_CASE("pages of blocks that were freed go back to the system", "[reactor][memory]") {
    StillClock clock;
    reactor::ReactorOptions o;
    o.clock = &clock;
    reactor::Reactor loop(o);
    constexpr std::size_t kBlock = 1024, kBlocks = 32 * 1024, kInAll = kBlock * kBlocks;
    reactor::returnHeap();  // what other tests have left
    const std::size_t before = residentKiB();
    std::vector<std::unique_ptr<char[]>> blocks;
    blocks.reserve(kBlocks + 1);
    while (blocks.size() <= kBlocks) {
        blocks.push_back(std::make_unique<char[]>(kBlock));
        std::fill_n(blocks.back().get(), kBlock, 'x');
    }
    std::swap(blocks.front(), blocks.back());
    blocks.resize(1);  // the last one is kept: what lies below the end of the heap does not go by itself
    CHECK(residentKiB() > before + kInAll / 1024 / 2);
    {
        const std::lock_guard guard(loop.lock());
        loop.noteFreed(kInAll);
    }
    CHECK(turnUntil([&] { return residentKiB() < before + kInAll / 1024 / 4; },
                    [&] {
                        clock.advance(5s);
                        loop.dispatch(1ms, 100);
                    }));
}
#endif
