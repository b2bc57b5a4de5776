// What an instance does whatever its kind: dispatching, exceptions of callbacks, the end, names (session.md 8, 10).
#include "ema/session/engine/Instances.h"
#include "support/until.h"

#include <atomic>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace emissary::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// With user dispatch the calling thread dispatches until the condition holds.
template <class Condition>
bool comesDispatching(Instance& instance, bool user, Condition condition) {
    return eventually([&] {
        if (user) (void)instance.dispatch(10'000);
        return condition();
    });
}

}  // namespace

TEST_CASE("dispatch() inside a callback has nothing to do", "[ema][engine]") {
    for (const Instance::Kind kind : kEveryKind) {
        for (const bool user : {false, true}) {
            INFO(Instance::name(kind) << (user ? ", user dispatch" : ", API dispatch"));
            const auto instance = Instance::make(kind, {.userDispatch = user});
            std::vector<Int64> outcomes;
            std::atomic<bool> done{false};
            instance->onCallback([&](const auto&) {
                for (const Int64 timeout : {Int64{-1}, Int64{0}, Int64{60'000'000}})
                    outcomes.push_back(instance->dispatch(timeout));
                done = true;
            });
            instance->provoke();
            REQUIRE(comesDispatching(*instance, user, [&] { return done.load(); }));
            CHECK(outcomes == std::vector<Int64>(3, OmmConsumer::TimeoutEnum));
        }
    }
}

TEST_CASE("dispatch() with nothing to handle waits as long as it was told", "[ema][engine]") {
    for (const Instance::Kind kind : kEveryKind) {
        INFO(Instance::name(kind));
        const auto instance = Instance::make(kind, {.userDispatch = true});
        while (instance->dispatch(100'000) == OmmConsumer::DispatchedEnum) {}  // what the start left
        const auto start = std::chrono::steady_clock::now();
        CHECK(instance->dispatch(200'000) == OmmConsumer::TimeoutEnum);
        CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(200));
        CHECK(instance->dispatch(0) == OmmConsumer::TimeoutEnum);
    }
}

TEST_CASE("with API dispatch dispatch() has nothing to do", "[ema][engine]") {
    for (const Instance::Kind kind : kEveryKind) {
        INFO(Instance::name(kind));
        const auto instance = Instance::make(kind, {});
        CHECK(instance->dispatch(-1) == OmmConsumer::TimeoutEnum);
    }
}

TEST_CASE("what a callback throws comes out of dispatch() as it is", "[ema][engine]") {
    const Instance::Kind kind =
        GENERATE(Instance::Kind::consumer, Instance::Kind::interactiveProvider, Instance::Kind::nonInteractiveProvider);
    INFO(Instance::name(kind));
    const auto instance = Instance::make(kind, {.userDispatch = true, .errorClient = true});
    const auto dispatchAll = [&] {
        instance->provoke();
        const auto end = std::chrono::steady_clock::now() + kPatience;
        while (std::chrono::steady_clock::now() < end)
            (void)instance->dispatch(10'000);
    };
    SECTION("an exception of the application's own") {
        instance->onCallback([](const auto&) { throw Mine(); });
        CHECK_THROWS_AS(dispatchAll(), Mine);
    }
    SECTION("want of memory") {
        instance->onCallback([](const auto&) { throw std::bad_alloc(); });
        CHECK_THROWS_AS(dispatchAll(), std::bad_alloc);
    }
    SECTION("one of the library's, which the error client is not told: the application let it out") {
        instance->onCallback([](const auto&) { (void)ReqMsg().getName(); });
        CHECK_THROWS_AS(dispatchAll(), OmmInvalidUsageException);
    }
    CHECK(instance->told().empty());
    bool again = false;
    instance->onCallback([&](const auto&) { again = true; });
    instance->provoke();
    CHECK(comesDispatching(*instance, true, [&] { return again; }));
}

TEST_CASE("what a callback throws on the API thread is told to the error client", "[ema][engine]") {
    for (const Instance::Kind kind : kEveryKind) {
        INFO(Instance::name(kind));
        const auto instance = Instance::make(kind, {.errorClient = true});
        instance->onCallback([](const auto&) { throw std::runtime_error("unwell"); });
        instance->provoke();
        CHECK(instance->waitTold("dispatch -1 A callback of the application threw: unwell"));
        std::atomic<bool> again{false};
        instance->onCallback([&](const auto&) {
            again = true;
            throw Mine();
        });
        instance->provoke();
        CHECK(instance->waitTold("dispatch -1 A callback of the application threw: an exception of unknown type"));
        CHECK(again);
    }
}

TEST_CASE("an instance ends while threads wait in dispatch()", "[ema][engine]") {
    for (const Instance::Kind kind : kEveryKind) {
        INFO(Instance::name(kind));
        const auto instance = Instance::make(kind, {.userDispatch = true});
        while (instance->dispatch(100'000) == OmmConsumer::DispatchedEnum) {}  // what the start left
        constexpr std::size_t kThreads = 3;
        std::atomic<pid_t> tids[kThreads] = {};
        std::atomic<int> timeouts{0};
        std::vector<std::thread> threads;
        for (std::atomic<pid_t>& tid : tids)
            threads.emplace_back([&] {
                tid = ::gettid();
                if (instance->dispatch(-1) == OmmConsumer::TimeoutEnum) ++timeouts;
            });
        // Only a thread that is inside may be left there: they sleep nowhere else.
        for (const std::atomic<pid_t>& tid : tids)
            CHECK(eventually([&] { return tid != 0 && ThreadView::of(std::to_string(tid)).state == 'S'; }));
        instance->end();
        for (std::thread& t : threads)
            t.join();
        CHECK(timeouts == static_cast<int>(kThreads));
    }
}

TEST_CASE("while an instance ends, a callback that runs is waited for and its calls are refused", "[ema][engine]") {
    for (const Instance::Kind kind : kEveryKind) {
        for (const bool user : {false, true}) {
            INFO(Instance::name(kind) << (user ? ", user dispatch" : ", API dispatch"));
            const auto instance = Instance::make(kind, {.userDispatch = user});
            std::atomic<bool> inside{false}, finished{false}, eventAnswered{false};
            std::atomic<Int32> code{0};
            instance->onCallback([&](const auto& askEvent) {
                inside = true;
                (void)eventually([&] {
                    try {
                        instance->call();
                    } catch (const OmmInvalidUsageException& e) { code = e.getErrorCode(); }
                    return code != 0;
                });
                askEvent();  // what is known of the channel is known to the last
                eventAnswered = true;
                finished = true;
            });
            std::thread dispatching;
            if (user)
                dispatching = std::thread([&] {
                    while (!inside)
                        (void)instance->dispatch(10'000'000);
                });
            instance->provoke();
            REQUIRE(eventually([&] { return inside.load(); }));
            instance->end();
            CHECK(finished);
            CHECK(eventAnswered);
            CHECK(code == OmmInvalidUsageException::InvalidOperationEnum);
            if (user) dispatching.join();
        }
    }
}

TEST_CASE("threads are named after kind and number of the instance", "[ema][engine]") {
    static constexpr const char* kBegins[] = {"ema-cons", "ema-iprov", "ema-niprov"};
    for (const Instance::Kind kind : kEveryKind) {
        const auto instance = Instance::make(kind, {});
        const std::string name = instance->instanceName();
        const std::string api = kBegins[static_cast<std::size_t>(kind)] + name.substr(name.rfind('_') + 1);
        INFO(Instance::name(kind) << " " << name);
        // A thread names itself: it may not have come to it yet. Workers belong to no instance alone.
        for (const std::string& thread : {api, std::string("ema-wrk1")})
            CHECK(eventually([&] {
                const auto all = ThreadView::all();
                return std::any_of(all.begin(), all.end(), [&](const ThreadView& t) { return t.name == thread; });
            }));
    }
}

TEST_CASE("a forked child leaves the connections of its parent alone", "[ema][engine]") {
    for (const Instance::Kind kind : kEveryKind) {
        for (const bool user : {false, true}) {
            INFO(Instance::name(kind) << (user ? ", user dispatch" : ", API dispatch"));
            const auto instance = Instance::make(kind, {.userDispatch = user});
            std::atomic<bool> called{false};
            instance->onCallback([&](const auto&) { called = true; });
            const pid_t child = ::fork();
            REQUIRE(child >= 0);
            if (child == 0) {
                int refused = 0;
                for (const auto& use : {std::function<void()>([&] { instance->call(); }),
                                        std::function<void()>([&] { (void)instance->dispatch(0); })}) {
                    try {
                        use();
                    } catch (const OmmInvalidUsageException& e) {
                        refused += std::string_view(e.getText().c_str()).find("fork") != std::string_view::npos ? 1 : 0;
                    }
                }
                instance->end();
                ::_exit(refused == 2 ? 0 : 1);
            }
            int status = 1;
            REQUIRE(::waitpid(child, &status, 0) == child);
            CHECK(status == 0);
            instance->provoke();
            CHECK(comesDispatching(*instance, user, [&] { return called.load(); }));
            instance->call();
        }
    }
}
