// Queues of what waits: order, deadlines, and memory that follows what waits rather than what was asked for.
#include "support/StillClock.h"
#include "support/catch.hpp"
#include "watchlist/DeadlineQueue.h"

#include <deque>
#include <random>
#include <set>

using namespace emissary;
using namespace emissary::reactor;
using namespace emissary::reactor::consumer;
using std::chrono::seconds;

namespace {

struct Waiting {
    test::StillClock clock;
    Reactor loop{[this] {
        ReactorOptions o;
        o.name = "test";
        o.clock = &clock;
        return o;
    }()};
    std::set<int> open;
    std::vector<int> due;
    int rounds = 0;
    DeadlineQueue<int> queue;

    explicit Waiting(Duration timeout = seconds(15))
        : queue(loop, timeout,
                {[this](int n) { return open.contains(n); },
                 [this](int n) {
                     open.erase(n);
                     due.push_back(n);
                 },
                 [this] { ++rounds; }}) {}
    void ask(int n) {
        open.insert(n);
        queue.start(n);
    }
    void pass(std::chrono::milliseconds d) {
        clock.advance(d);
        loop.dispatch(std::chrono::microseconds(0), 100);
    }
};

}  // namespace

TEST_CASE("a queue in one block keeps the order", "[reactor][memory]") {
    ItemQueue<int> queue;
    std::deque<int> model;
    std::mt19937 random(7);
    int next = 0;
    for (int step = 0; step < 200'000; ++step) {
        const bool growing = step / 20'000 % 2 == 0;
        if (model.empty() || random() % 10 < (growing ? 7u : 3u)) {
            queue.push_back(next);
            model.push_back(next++);
        } else {
            REQUIRE(queue.front() == model.front());
            queue.pop_front();
            model.pop_front();
        }
        REQUIRE(queue.size() == model.size());
        if (step % 50'000 == 0) {
            const auto odd = [](int n) { return n % 2 != 0; };
            queue.eraseIf(odd);
            std::erase_if(model, odd);
        }
    }
    while (!model.empty()) {
        REQUIRE(queue.front() == model.front());
        queue.pop_front();
        model.pop_front();
    }
    CHECK(queue.empty());
    CHECK(queue.capacity() >= kLeastPlaces);
    queue.trim();
    CHECK(queue.capacity() == 0);
}

TEST_CASE("a short queue that goes round takes no more memory", "[reactor][memory]") {
    ItemQueue<int> queue;
    for (int i = 0; i < 1'000'000; ++i) {
        queue.push_back(i);
        if (queue.size() > 100) queue.pop_front();
    }
    CHECK(queue.size() == 100);
    CHECK(queue.front() == 999'900);
    CHECK(queue.capacity() <= 512);
}

TEST_CASE("what waits is due at its time, and what was answered is not", "[reactor][watchlist]") {
    Waiting w;
    w.ask(1);
    w.pass(seconds(5));
    w.ask(2);
    w.ask(3);
    w.open.erase(2);
    w.pass(std::chrono::milliseconds(9'999));
    CHECK(w.due.empty());
    w.pass(std::chrono::milliseconds(1));
    CHECK(w.due == std::vector<int>{1});
    w.pass(seconds(5));
    CHECK(w.due == std::vector<int>{1, 3});
    CHECK(w.rounds == 2);
    CHECK(w.queue.size() == 0);

    SECTION("forgotten ones are never due") {
        w.ask(4);
        w.queue.forget();
        w.pass(seconds(60));
        CHECK(w.due.size() == 2);
        w.ask(5);
        w.pass(seconds(15));
        CHECK(w.due.back() == 5);
    }
    SECTION("one that nobody waits for any more costs no wake-up of its own") {
        w.ask(4);
        w.pass(seconds(1));
        w.ask(5);
        w.open.erase(5);
        w.pass(seconds(14));
        CHECK(w.due.back() == 4);
        CHECK(w.queue.size() == 0);
    }
}

TEST_CASE("without a timeout nothing is kept", "[reactor][watchlist]") {
    Waiting w{Duration::zero()};
    w.ask(1);
    CHECK(w.queue.size() == 0);
    w.pass(seconds(3600));
    CHECK(w.due.empty());
}

TEST_CASE("answered requests take no memory until their time is over", "[reactor][watchlist][memory]") {
    Waiting w;
    w.ask(-1);  // waits throughout, in front of all others
    for (int n = 0; n < 300'000; ++n) {
        w.ask(n);
        w.open.erase(n);
    }
    CHECK(w.queue.size() <= 2 * kLeastPlaces);

    SECTION("and those that wait are due nevertheless") {
        w.pass(seconds(15));
        CHECK(w.due == std::vector<int>{-1});
    }
    SECTION("a look after a quiet time finds the rest") {
        w.queue.trim();  // many came since the last look
        w.queue.trim();
        CHECK(w.queue.size() == 1);
    }
}
