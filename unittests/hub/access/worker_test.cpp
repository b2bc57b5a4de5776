// Jobs on a thread of their own: their order, their ends, and those that are cancelled.
#include "hub/access/Worker.h"
#include "support/catch.hpp"
#include "support/until.h"

#include <algorithm>
#include <atomic>
#include <latch>
#include <vector>

using namespace emissary;
using namespace emissary::hub::access;
using namespace std::chrono_literals;

namespace {

struct WorkerRig {
    reactor::Reactor reactor{reactor::ReactorOptions{}};
    std::unique_ptr<Worker> worker;
    std::vector<std::uint64_t> done;
    std::atomic<int> looks{0}, hurried{0};

    explicit WorkerRig(std::chrono::milliseconds period = 1h) {
        const std::lock_guard guard(reactor.lock());
        worker = std::make_unique<Worker>(reactor);
        worker->start(period, [this](bool h) -> Worker::Outcome {
            ++(h ? hurried : looks);
            return {};
        });
    }
    ~WorkerRig() { end(); }
    void end() {
        if (worker) worker->stop();
        const std::lock_guard guard(reactor.lock());
        worker.reset();
    }
    void add(std::uint64_t ticket, const std::string& source = "one") {
        worker->add(ticket, source,
                    [this, ticket]() -> Worker::Outcome { return [this, ticket] { done.push_back(ticket); }; });
    }
    void until(const std::function<bool()>& met) {
        REQUIRE(test::turnUntil(met, [this] { (void)reactor.dispatch(1ms, 100); }));
    }
};

}  // namespace

TEST_CASE("jobs run in the order of their tickets, and their outcomes on the dispatching thread", "[hub][access]") {
    WorkerRig r;
    std::latch begun(1), go(1);
    r.worker->add(1, "one", [&]() -> Worker::Outcome {
        begun.count_down();
        go.wait();
        return [&r, here = std::this_thread::get_id()] {
            CHECK(std::this_thread::get_id() != here);
            CHECK(r.reactor.lock().heldByThisThread());
            r.done.push_back(1);
        };
    });
    begun.wait();
    for (const std::uint64_t ticket : {5u, 3u, 4u, 2u})
        r.add(ticket);
    r.worker->cancel(4);
    r.worker->cancel(99);
    go.count_down();
    r.until([&] { return r.done.size() == 4; });
    CHECK(r.done == std::vector<std::uint64_t>{1, 2, 3, 5});
}

TEST_CASE("a source with many jobs keeps others waiting for one of them", "[hub][access]") {
    WorkerRig r;
    std::latch begun(1), go(1);
    r.worker->add(1, "flood", [&]() -> Worker::Outcome {
        begun.count_down();
        go.wait();
        return {};
    });
    begun.wait();
    for (std::uint64_t ticket = 2; ticket < 1000; ++ticket)
        r.add(ticket, "flood");
    r.add(1000, "a");
    r.add(1001, "a");
    r.add(1002, "z");
    r.worker->cancel(1001);
    go.count_down();
    r.until([&] { return r.done.size() == 1000; });
    const auto place = [&](std::uint64_t ticket) { return std::ranges::find(r.done, ticket) - r.done.begin(); };
    CHECK(place(1000) <= 2);
    CHECK(place(1002) <= 2);
    CHECK_FALSE((std::ranges::find(r.done, 1001u) != r.done.end()));
    std::erase_if(r.done, [](std::uint64_t t) { return t >= 1000; });
    CHECK(std::ranges::is_sorted(r.done));
}

TEST_CASE("a worker that is stopped ends after its job, and nothing comes of the others", "[hub][access]") {
    WorkerRig r;
    std::latch begun(1);
    r.worker->add(1, "one", [&]() -> Worker::Outcome {
        begun.count_down();
        return [&] { r.done.push_back(1); };
    });
    begun.wait();
    for (std::uint64_t ticket = 2; ticket < 100; ++ticket)
        r.add(ticket);
    r.end();  // outcomes that were posted find it gone
    for (int i = 0; i < 10; ++i)
        (void)r.reactor.dispatch(0ms, 1000);
    CHECK(r.done.empty());
}

TEST_CASE("the regular job comes in each period, and when it is hurried before other jobs", "[hub][access]") {
    {
        WorkerRig r(1ms);
        r.until([&] { return r.looks >= 3; });
        CHECK(r.hurried == 0);
    }
    WorkerRig r;
    std::latch begun(1), go(1);
    r.worker->add(1, "one", [&]() -> Worker::Outcome {
        begun.count_down();
        go.wait();
        return {};
    });
    begun.wait();
    int before = 0;
    r.worker->add(2, "one", [&]() -> Worker::Outcome {
        before = r.hurried;
        return [&] { r.done.push_back(2); };
    });
    r.worker->hurry();
    go.count_down();
    r.until([&] { return r.done.size() == 1; });
    CHECK(before == 1);
    CHECK(r.looks == 0);
}
