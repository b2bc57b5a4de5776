// An instance with open items and nothing to do leaves the processor alone.
#include "ema/session/engine/Instances.h"
#include "support/until.h"

#include <algorithm>
#include <map>
#include <thread>

#include <sys/resource.h>

using namespace emissary::test;

namespace {

constexpr int kItems = 200;
constexpr auto kWatched = std::chrono::seconds(3);
// Not a measure of speed: a loop that spins uses a processor for as long as it is watched, even when others use it too,
// and one that polls wakes hundreds of times a second.
constexpr double kMostCpuSeconds = 0.2;
constexpr std::uint64_t kMostWakeUps = 12 * 3 + 12;

double seconds(const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
}

}  // namespace

TEST_CASE("The threads of idle instances with open items sleep", "[ema][engine][idle]") {
    std::vector<std::unique_ptr<Instance>> instances;
    for (const Instance::Kind kind : kEveryKind)
        instances.push_back(Instance::make(kind, {.items = kItems}));
    const auto own = [](const ThreadView& t) { return t.name.starts_with("ema-"); };
    std::map<std::string, ThreadView> before;
    // One that dispatches each instance, and those that work in the background for all: at least one, one for each
    // instance at most. Each names itself once it runs.
    const auto named = [&](const char* start) {
        return std::count_if(before.begin(), before.end(),
                             [&](const auto& each) { return each.second.name.starts_with(start); });
    };
    REQUIRE(eventually([&] {
        for (const ThreadView& t : ThreadView::all())
            if (own(t)) before[t.tid] = t;
        return named("ema-wrk") >= 1 && static_cast<std::ptrdiff_t>(before.size()) - named("ema-wrk") == 3;
    }));
    CHECK(named("ema-wrk") <= 3);
    std::this_thread::sleep_for(kWatched);
    for (const auto& [tid, then] : before) {
        const ThreadView now = ThreadView::of(tid);
        INFO(now.name << " used " << now.cpuSeconds - then.cpuSeconds << " s, woke up " << now.wakeUps - then.wakeUps
                      << " times");
        CHECK(now.cpuSeconds - then.cpuSeconds < kMostCpuSeconds);
        CHECK(now.wakeUps - then.wakeUps <= kMostWakeUps);
    }
}

TEST_CASE("A thread that dispatches an idle instance sleeps", "[ema][engine][idle]") {
    for (const Instance::Kind kind : kEveryKind) {
        const auto instance = Instance::make(kind, {.userDispatch = true, .items = kItems});
        while (instance->dispatch(100'000) == OmmConsumer::DispatchedEnum) {}  // what the start left
        rusage before{}, after{};
        getrusage(RUSAGE_THREAD, &before);
        const auto end = std::chrono::steady_clock::now() + kWatched;
        while (std::chrono::steady_clock::now() < end)
            (void)instance->dispatch(1'000'000);
        getrusage(RUSAGE_THREAD, &after);
        const double used =
            seconds(after.ru_utime) + seconds(after.ru_stime) - seconds(before.ru_utime) - seconds(before.ru_stime);
        const auto wakeUps = static_cast<std::uint64_t>(after.ru_nvcsw - before.ru_nvcsw);
        INFO(Instance::name(kind) << " used " << used << " s, woke up " << wakeUps << " times");
        CHECK(used < kMostCpuSeconds);
        CHECK(wakeUps <= kMostWakeUps);
    }
}
